"""The course's environment: a folder .venv, filled once with what a requirements file names. The
only part that needs a network."""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import NoReturn

from course_utils.start import COMMAND

# in the environment: {requirements file: hash}; {} while the first installation is not finished
RECORD = "course-installed.json"
# An installer that asks nothing, and gives up soon where no network answers. Who has set these
# otherwise keeps it so.
PATIENCE = {
    "PIP_RETRIES": "1",
    "PIP_DEFAULT_TIMEOUT": "10",
    "PIP_NO_INPUT": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "UV_HTTP_RETRIES": "1",
    "UV_HTTP_TIMEOUT": "30",
}
NO_NETWORK = re.compile(
    r"NewConnectionError|NameResolutionError|name resolution|Connect ?Timeout|Network is"
    r" unreachable|dns error|"
    r"client error \(Connect\)|getaddrinfo",
    re.IGNORECASE,
)
FULL = re.compile(
    r"No space left on device|not enough space on the disk|Disk quota exceeded", re.IGNORECASE
)
# A line of pip's, or at the end of uv's, that names a package: "Collecting numpy==2.4.6",
# "Processing ./numpy-2.4.6-cp311.whl", " + numpy==2.4.6".
PACKAGE = re.compile(
    r"(?:Collecting|Processing|Requirement already satisfied:| \+)"
    r" (?:\S*[/\\])?(\w[\w.]*(?:-[A-Za-z][\w.]*)*)"
)
NO_ENSUREPIP = (
    "this Python cannot make environments. On Debian and Ubuntu its package python3-venv is"
    " missing: sudo apt install python3-venv"
)


def fail(sentence: str) -> NoReturn:
    sys.exit(f"{COMMAND.split()[-1]}: {sentence}")


def present() -> Path:
    """The Python that runs this, where it has JupyterLab. Ends the program with a sentence where it
    has not."""
    if importlib.util.find_spec("jupyterlab") is None:
        fail('JupyterLab is missing here. To install it: pip install "course-utils[run]"')
    return Path(sys.executable)


def python_of(folder: Path) -> Path:
    """The Python of the environment in a folder."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def ready(root: Path, wanted: str = "requirements.txt") -> Path:
    """The Python of the environment that holds what the file `wanted` in the folder `root` names.
    Made, mended and filled if need be.

    Inside an active virtual environment that one is used, but not that of another copy of the
    course: it would lead there no more. Ends the program with a sentence where it cannot be done.
    """
    holds = Path(sys.prefix).parent
    elsewhere = holds != root and (holds / "start.py").exists()
    active = sys.prefix != sys.base_prefix and not elsewhere
    folder = Path(sys.prefix) if active else root / ".venv"
    python = python_of(folder)
    record = folder / RECORD
    key = hashlib.sha256(
        (root / wanted).read_bytes() + os.fsencode(root)
    ).hexdigest()  # a folder that was moved is installed again
    installed = _installed(record)
    if not active and not _whole(python, installed):
        print("Making an environment for the course in the folder .venv ...", flush=True)
        _make(folder)
        installed = {}
    if not installed or installed.get(wanted) != key:
        print("Installing what it needs, once. This takes a minute or two ...", flush=True)
        _install(python, root, wanted)
        record.write_text(json.dumps({**(installed or {}), wanted: key}))
    return python


def _installed(record):
    """What the record says, None where there is none."""
    try:
        return json.loads(record.read_text())
    except (OSError, ValueError):
        return None


def _whole(python, installed):
    """Whether this environment was finished, by us or (where there is no record) by somebody else
    who put pip into it."""
    if not python.exists():
        return False
    if installed is not None:
        return bool(installed)
    return subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode == 0


def _make(folder):
    """A new environment, instead of what may stand there. Without pip where uv installs and pip
    cannot be had."""
    has_pip = importlib.util.find_spec("ensurepip") is not None
    if not has_pip and not shutil.which("uv"):
        fail(NO_ENSUREPIP)
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir()
    (folder / RECORD).write_text("{}")
    try:
        venv.create(folder, with_pip=has_pip, symlinks=os.name != "nt")
    except subprocess.CalledProcessError:
        fail(NO_ENSUREPIP)


def _install(python, root, wanted):
    """Install by uv where it is there, else by pip, and show how far it is."""
    uv = shutil.which("uv")
    command = [uv, "pip", "install", "--python", python] if uv else [python, "-m", "pip", "install"]
    said, progress = (
        [],
        Progress(
            len(
                re.findall(r"==[^;\n]+$", (root / wanted).read_text(encoding="utf-8"), re.MULTILINE)
            )
        ),
    )
    with subprocess.Popen(
        [*command, "-r", wanted],
        cwd=root,
        env={**PATIENCE, **os.environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as installer:
        for line in installer.stdout:
            said.append(line.rstrip())
            progress.show(line)
    progress.end()
    if installer.returncode:
        if NO_NETWORK.search("\n".join(said)):
            fail(
                "there is no network, or the package index does not answer. It is needed once;"
                " start again when it is there"
            )
        if FULL.search("\n".join(said)):
            fail(
                f"the disk is full: {shutil.disk_usage(root).free >> 20} MB are free, and the"
                " environment takes about 1000. Make room and start again; it goes on from here"
            )
        errors = [line for line in said if re.match(r"error|\s*[×╰├]", line, re.IGNORECASE)] or said
        fail("the installation failed. The installer's last words:\n" + "\n".join(errors[-6:]))


class Progress:
    """One line on the terminal that says which package it is at; in a file, a line every twenty
    packages."""

    def __init__(self, most: int) -> None:
        self.most, self.live = most, sys.stdout.isatty()
        self.seen: set[str] = set()

    def show(self, line: str) -> None:
        if package := PACKAGE.match(line):
            if package[1] not in self.seen:
                self.seen.add(package[1])
                self._print(
                    f"  {len(self.seen)} of about {max(self.most, len(self.seen))} packages:"
                    f" {package[1]}",
                    len(self.seen) % 20 == 0,
                )
        elif package := re.match(
            r"Downloading ([\w.-]+) ", line
        ):  # only uv says this without a blank before it
            self._print(f"  downloading {package[1]} ...", False)
        elif line.startswith(("Installing collected packages", "Prepared")):
            self._print("  Putting them in place ...", True)

    def _print(self, words, now):
        if self.live:
            print(f"\r{words:<70.70}", end="", flush=True)
        elif now:
            print(words, flush=True)

    def end(self) -> None:
        if self.live and self.seen:
            print(flush=True)

"""Open the course, or test it, on a machine that has Python 3.11 or newer and nothing else of ours.

    python start.py          opens JupyterLab on the first notebook
    python start.py test     runs all tests: the package and every notebook

Either way the first run makes a virtual environment in the folder .venv and installs requirements.txt into it (about
a minute, from the network); later runs start at once. Inside an active virtual environment that one is used instead.
"""

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements.txt"
COMMANDS = {
    "lab": ["-m", "jupyterlab", str(HERE / "notebooks" / "00_start_here.ipynb")],
    "test": ["-m", "pytest", "--rootdir", str(HERE), str(HERE)],
}


def environment():
    """The folder of the virtual environment to use, made if need be."""
    if sys.prefix != sys.base_prefix:
        return Path(sys.prefix)
    folder = HERE / ".venv"
    if not (folder / "pyvenv.cfg").exists():
        print(f"Making a virtual environment in {folder.name} ...", flush=True)
        venv.create(folder, with_pip=True)
    return folder


def install(folder):
    """The environment's Python, after installing requirements.txt unless exactly that was installed before."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp, wanted = folder / "course-requirements.sha256", hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        print("Installing what the course needs, once ...", flush=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS], cwd=HERE, check=True)
        stamp.write_text(wanted)
    return python


def main():
    what, *more = sys.argv[1:] or ["lab"]
    if what not in COMMANDS:
        sys.exit(f"start.py: got {what!r}, wanted one of: {', '.join(COMMANDS)}")
    if sys.version_info < (3, 11):  # noqa: UP036 (this file is what a newcomer with an older Python starts first)
        sys.exit(f"start.py: got Python {sys.version.split()[0]}, wanted 3.11 or newer")
    try:
        python = install(environment())
    except subprocess.CalledProcessError:
        sys.exit("start.py: the installation failed; the lines above say why. Is there a network, and (on Debian) the package python3-venv?")
    try:
        sys.exit(subprocess.run([python, *COMMANDS[what], *more], cwd=HERE).returncode)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

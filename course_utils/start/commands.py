"""The commands of start.py, which says what they are for."""

import contextlib
import datetime
import os
import signal
import subprocess
import sys
from pathlib import Path

from course_utils.start import INSIDE, INSTALLED, environment
from course_utils.start.copies import Folder
from course_utils.start.environment import fail

ROOT = Path(__file__).resolve().parents[2]
LOG = ".jupyter.log"


def student_folder() -> Folder:
    """The student's folder: beside the notebooks, or (where the package is installed) where the
    command is given."""
    home, notebooks = (Path.cwd(), INSIDE) if INSTALLED else (ROOT, ROOT / "notebooks")
    return Folder(Path(os.environ.get("COURSE_FOLDER") or home / "my_course").absolute(), notebooks)


def open_course(arguments: list[str]) -> None:
    """Bring the copies up to date, open JupyterLab on them and stay until it ends. `arguments` are
    Jupyter's."""
    python, folder = (
        environment.present() if INSTALLED else environment.ready(ROOT),
        student_folder(),
    )
    for line in folder.update():
        print(line)
    opens = f"--LabApp.default_url={folder.first_page()}"
    print(f"Opening your notebooks, in the folder {folder.path.name} ...", flush=True)
    with open(folder.path / LOG, "w", encoding="utf-8") as log:
        # -P: a student's own file random.py is not what Jupyter imports.
        lab = subprocess.Popen(
            [python, "-P", Path(__file__).with_name("lab.py"), opens, *arguments],
            cwd=folder.path,
            stderr=log,
            env={**os.environ, "COURSE_FOLDER": str(folder.path)},
        )
    try:
        code = lab.wait()
    except KeyboardInterrupt:
        code = 0
    finally:
        _end(lab)
    if code:
        last = (folder.path / LOG).read_text(encoding="utf-8", errors="replace").splitlines()[-4:]
        fail("JupyterLab ended. Its last words:\n" + "\n".join(last))
    print("\nThe course is closed. Your work is in the folder", folder.path.name)


def _end(lab):
    """Wait for JupyterLab, which Ctrl-C reaches by itself, and press harder if it does not end."""
    with contextlib.suppress(KeyboardInterrupt):
        for press in (lambda: None, lab.terminate, lab.kill):
            press()
            with contextlib.suppress(subprocess.TimeoutExpired):
                lab.wait(4)
                return
    lab.kill()


def fresh(names: list[str]) -> None:
    """A fresh copy of each of these notebooks, the student's own kept beside it."""
    folder = student_folder()
    try:
        found = [folder.find(name) for name in names or [""]]
    except LookupError as error:
        fail(f"fresh: {error}")
    for name in found:
        print(folder.fresh(name, datetime.date.today()))
    print("Where it is open in JupyterLab: File, Reload Notebook from Disk.")


def test(arguments: list[str]) -> None:
    """Run the tests: all of them, or those of the files that `arguments` name. They may be given
    from any folder."""
    if INSTALLED:
        fail("test: the installed package has no tests. They are in the course's whole folder")
    if not (ROOT / "tests").exists():
        fail("test: this is the students' edition, which has no tests")
    python = environment.ready(ROOT, "requirements-test.txt")
    arguments = [
        str(Path(word).absolute()) if Path(word.partition("::")[0]).exists() else word
        for word in arguments
    ]
    # ".", since pytest reads a `$` in a folder's name as a variable.
    sys.exit(
        subprocess.run([python, "-m", "pytest", "--rootdir", ".", *arguments], cwd=ROOT).returncode
    )


def main(arguments: list[str], about: str) -> None:
    """Do what the words after `start.py` ask for; `about` is what --help says. Every way it can end
    is a sentence."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    what = arguments[0] if arguments else ""
    try:
        if what in ("--help", "-h"):
            print(about)
        elif what in ("fresh", "test"):
            {"fresh": fresh, "test": test}[what](arguments[1:])
        elif what and not what.startswith("-"):
            fail(
                f"got {what!r}, wanted fresh, test or an argument of Jupyter's such as"
                " --no-browser; --help says more"
            )
        else:
            open_course(arguments)
    except KeyboardInterrupt:
        sys.exit("\nStopped. The next start goes on.")
    except OSError as error:
        fail(
            f"{error.strerror or error}: {error.filename}. Is the disk full, or may you not write"
            " here? Put the course's folder where you may"
        )

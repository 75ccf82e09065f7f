"""The students' edition: the notebooks without outputs and answers, and all that it takes to run
them, in build/student.

    python scripts/export.py student [--without-solutions] [--zip] [--to FOLDER]
        [--branch NAME [--repository FOLDER]]
    python scripts/export.py student --exam-room SHEETS [--zip] [--to FOLDER]
        for the computers of an exam, in build/exam_room

--zip writes build/student.zip, too. --branch commits the edition to a branch of this repository, or
of another one, which is made if it is not there; no file of yours is touched. Needs Python and (for
a branch) git, nothing else.
"""

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

from course_utils.start.copies import copy_of
from exporting import BUILD, NOTEBOOKS, ROOT

# README.md for students, AGENTS.md for their agents
PAGES = Path(__file__).parent / "templates" / "student"
FILES = [
    "start.py",
    "pyproject.toml",
    "requirements.txt",
    "runtime.txt",
    "LICENSE",
    ".gitignore",
    ".devcontainer/devcontainer.json",
    "docs/where_to_start.md",
]
OURS = {
    "README.md",
    "AGENTS.md",
    "notebooks",
    "course_utils",
    *(name.partition("/")[0] for name in FILES),
}
NOT_FOR_STUDENTS = (
    "exam.py",
    "attempts.toml",
)  # of each exercise: its variant for exams, and answers of others
# What an exam's room has of the package: the mathematics, and what starts JupyterLab. Nothing in it
# knows a mistake's name.
EXAM_ROOM = [
    "__init__.py",
    "py.typed",
    "arguments.py",
    "checks.py",
    "attention.py",
    "layers.py",
    "positions.py",
    "experts.py",
    "decoding.py",
    "quantisation.py",
    "tokens.py",
    "start",
]
CLOSED = (
    Path(__file__).parent / "templates" / "exam_room" / "exercises.py"
)  # `diagnose`, which says so there
SOLUTIONS = "solution.py"  # of each exercise: what the checks' ladder shows last
TITLE = "how-transformers-attend"  # the zip's one folder


def pack_references():
    """The solutions as data that the searches can use and nobody reads by accident, as JSON: what
    course_utils/exercises/references.json holds."""
    packed = {
        path.parent.name: base64.b64encode(zlib.compress(path.read_bytes(), 9)).decode()
        for path in sorted((ROOT / "course_utils/exercises").glob("*/solution.py"))
    }
    return json.dumps(packed, indent=0) + "\n"


def begin(folder, files):
    """Begin an edition in `folder` with these files, instead of an earlier one there. Ends with a
    sentence where somebody has work in it."""
    there = {path.name for path in folder.iterdir()} if folder.exists() else set()
    if there and (there - OURS or "start.py" not in there):
        others = ", ".join(sorted(there - OURS or there))
        sys.exit(
            f"student: got {folder}, where somebody has {others}; wanted a new folder, or an"
            " earlier edition alone"
        )
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "notebooks").mkdir(parents=True)
    for name in files:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)


def write_exam_room(folder, sheets):
    """Write the edition for an exam's room: the sheets, and the course's mathematics alone.

    sheets: a notebook, or a folder of them. `diagnose` is there, and says nothing about answers.
    """
    paths = [sheets] if sheets.suffix == ".ipynb" else sorted(sheets.glob("*.ipynb"))
    if not paths or not all(path.is_file() for path in paths):
        sys.exit(
            f"student: got {sheets}, wanted the sheets of an exam: a notebook, or a folder of them"
        )
    begin(folder, [name for name in FILES if not name.startswith("docs/")])
    package = folder / "course_utils"
    for name in EXAM_ROOM:
        copy = shutil.copytree if (ROOT / "course_utils" / name).is_dir() else shutil.copy
        package.mkdir(exist_ok=True)
        copy(ROOT / "course_utils" / name, package / name)
    (package / "exercises").mkdir()
    shutil.copy(CLOSED, package / "exercises" / "__init__.py")
    for cache in package.rglob("__pycache__"):
        shutil.rmtree(cache)
    for path in paths:
        (folder / "notebooks" / path.name).write_text(
            copy_of(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n"
        )


def write(folder, solutions=True):
    """Write the edition into `folder`, instead of an earlier one there."""
    begin(folder, FILES)
    for page in sorted(PAGES.glob("*.md")):
        shutil.copy(page, folder)
    shutil.copytree(
        ROOT / "course_utils",
        folder / "course_utils",
        ignore=shutil.ignore_patterns(
            "__pycache__", *NOT_FOR_STUDENTS, *([] if solutions else [SOLUTIONS])
        ),
    )
    if not solutions:  # the searches of the checks need them, as data
        (folder / "course_utils" / "exercises" / "references.json").write_text(
            pack_references(), encoding="utf-8", newline="\n"
        )
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        (folder / "notebooks" / path.name).write_text(
            copy_of(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n"
        )


def pack(folder, target):
    """The folder as a zip. The same files make the same bytes, whenever they were written."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.writestr(
                zipfile.ZipInfo(
                    f"{TITLE}/{path.relative_to(folder).as_posix()}", (1980, 1, 1, 0, 0, 0)
                ),
                path.read_bytes(),
                zipfile.ZIP_DEFLATED,
            )


def commit(folder, branch, repository):
    """Commit the folder's files to a branch of a repository, beside whatever is checked out there.
    True if that changed anything."""
    if not repository.exists():
        subprocess.run(
            ["git", "init", "--quiet", "--bare", f"--initial-branch={branch}", repository],
            check=True,
        )
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "GIT_INDEX_FILE": str(Path(scratch, "index"))}

        def git(*words, check=True):
            done = subprocess.run(
                ["git", *words],
                cwd=repository,
                env=environment,
                check=check,
                stdout=subprocess.PIPE,
                text=True,
            )
            return done.stdout.strip()

        where = f"refs/heads/{branch}"
        if (
            git("rev-parse", "--is-bare-repository") == "false"
            and git("symbolic-ref", "--quiet", "HEAD", check=False) == where
        ):
            sys.exit(
                f"student: got the branch {branch}, which is checked out there; wanted another one"
            )
        if not git("config", "user.email", check=False):
            environment |= {
                f"GIT_{who}_{what}": "course"
                for who in ("AUTHOR", "COMMITTER")
                for what in ("NAME", "EMAIL")
            }
        git(f"--work-tree={folder.resolve()}", "add", "--all", "--force", ":/")
        tree, before = (
            git("write-tree"),
            git("rev-parse", "--quiet", "--verify", where, check=False),
        )
        if before and git("rev-parse", f"{before}^{{tree}}") == tree:
            return False
        git(
            "update-ref",
            where,
            git(
                "commit-tree",
                tree,
                *(["-p", before] if before else []),
                "-m",
                "The course as students get it",
            ),
        )
        return True


def main(arguments=()):
    parser = argparse.ArgumentParser(
        prog="export.py student", description=__doc__.partition("\n\n")[0]
    )
    parser.add_argument(
        "--without-solutions",
        action="store_true",
        help="the checks help as before, and show no solution",
    )
    parser.add_argument(
        "--exam-room",
        type=Path,
        metavar="SHEETS",
        help="for an exam's computers: these sheets and the mathematics alone",
    )
    parser.add_argument(
        "--to",
        type=Path,
        help="the folder to write; build/student unless given, or build/exam_room",
    )
    parser.add_argument(
        "--zip", action="store_true", help="write it as a zip, too, beside the folder"
    )
    parser.add_argument("--branch", help="commit it to this branch, too")
    parser.add_argument(
        "--repository", type=Path, default=ROOT, help="whose branch; this one's unless given"
    )
    options = parser.parse_args(arguments)
    options.to = options.to or BUILD / ("exam_room" if options.exam_room else "student")
    if options.exam_room:
        write_exam_room(options.to, options.exam_room)
    else:
        write(options.to, not options.without_solutions)
    print(f"student: {options.to}")
    if options.zip:
        pack(options.to, options.to.with_suffix(".zip"))
        print(f"student: {options.to.with_suffix('.zip')}")
    if options.branch:
        changed = commit(options.to, options.branch, options.repository)
        print(
            f"student: branch {options.branch},"
            f" {'one commit more' if changed else 'which had it already'}"
        )

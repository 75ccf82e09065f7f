"""The students' edition: the notebooks without outputs and answers, and all that it takes to run them, in build/student.

    python scripts/export.py student [--without-solutions] [--zip] [--branch NAME [--repository FOLDER]] [--to FOLDER]

--zip writes build/student.zip, too. --branch commits the edition to a branch of this repository, or of another one, which is made if
it is not there; no file of yours is touched. Needs Python and (for a branch) git, nothing else.
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

README = Path(__file__).parent / "templates" / "student" / "README.md"
FILES = ["start.py", "pyproject.toml", "requirements.txt", "runtime.txt", "LICENSE", ".gitignore", ".devcontainer/devcontainer.json",
         "docs/where_to_start.md"]
OURS = {"README.md", "notebooks", "course_utils", *(name.partition("/")[0] for name in FILES)}
NOT_FOR_STUDENTS = "exam.py", "attempts.toml"      # of each exercise: its variant for exams, and answers of others
SOLUTIONS = "solution.py"                  # of each exercise: what the checks' ladder shows last
TITLE = "how-transformers-attend"           # the zip's one folder


def pack_references():
    """The solutions as data that the searches can use and nobody reads by accident, as JSON: what course_utils/exercises/references.json holds."""
    packed = {path.parent.name: base64.b64encode(zlib.compress(path.read_bytes(), 9)).decode()
              for path in sorted((ROOT / "course_utils/exercises").glob("*/solution.py"))}
    return json.dumps(packed, indent=0) + "\n"


def write(folder, solutions=True):
    """Write the edition into `folder`, instead of an earlier one there."""
    there = {path.name for path in folder.iterdir()} if folder.exists() else set()
    if there and (there - OURS or "start.py" not in there):
        others = ", ".join(sorted(there - OURS or there))
        sys.exit(f"student: got {folder}, where somebody has {others}; wanted a new folder, or an earlier edition alone")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "notebooks").mkdir(parents=True)
    for name in FILES:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    shutil.copy(README, folder)
    shutil.copytree(ROOT / "course_utils", folder / "course_utils",
                    ignore=shutil.ignore_patterns("__pycache__", *NOT_FOR_STUDENTS, *([] if solutions else [SOLUTIONS])))
    if not solutions:                        # the searches of the checks need them, as data
        (folder / "course_utils" / "exercises" / "references.json").write_text(pack_references(), encoding="utf-8", newline="\n")
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        (folder / "notebooks" / path.name).write_text(copy_of(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


def pack(folder, target):
    """The folder as a zip. The same files make the same bytes, whenever they were written."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.writestr(zipfile.ZipInfo(f"{TITLE}/{path.relative_to(folder).as_posix()}", (1980, 1, 1, 0, 0, 0)), path.read_bytes(),
                             zipfile.ZIP_DEFLATED)


def commit(folder, branch, repository):
    """Commit the folder's files to a branch of a repository, beside whatever is checked out there. True if that changed anything."""
    if not repository.exists():
        subprocess.run(["git", "init", "--quiet", "--bare", f"--initial-branch={branch}", repository], check=True)
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "GIT_INDEX_FILE": str(Path(scratch, "index"))}

        def git(*words, check=True):
            done = subprocess.run(["git", *words], cwd=repository, env=environment, check=check, stdout=subprocess.PIPE, text=True)
            return done.stdout.strip()

        where = f"refs/heads/{branch}"
        if git("rev-parse", "--is-bare-repository") == "false" and git("symbolic-ref", "--quiet", "HEAD", check=False) == where:
            sys.exit(f"student: got the branch {branch}, which is checked out there; wanted another one")
        if not git("config", "user.email", check=False):
            environment |= {f"GIT_{who}_{what}": "course" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        git(f"--work-tree={folder.resolve()}", "add", "--all", "--force", ":/")
        tree, before = git("write-tree"), git("rev-parse", "--quiet", "--verify", where, check=False)
        if before and git("rev-parse", f"{before}^{{tree}}") == tree:
            return False
        git("update-ref", where, git("commit-tree", tree, *(["-p", before] if before else []), "-m", "The course as students get it"))
        return True


def main(arguments=()):
    parser = argparse.ArgumentParser(prog="export.py student", description=__doc__.partition("\n")[0])
    parser.add_argument("--without-solutions", action="store_true", help="the checks help as before, and show no solution")
    parser.add_argument("--to", type=Path, default=BUILD / "student", help="the folder to write; build/student unless given")
    parser.add_argument("--zip", action="store_true", help="write it as a zip, too, beside the folder")
    parser.add_argument("--branch", help="commit it to this branch, too")
    parser.add_argument("--repository", type=Path, default=ROOT, help="whose branch; this one's unless given")
    options = parser.parse_args(arguments)
    write(options.to, not options.without_solutions)
    print(f"student: {options.to}")
    if options.zip:
        pack(options.to, options.to.with_suffix(".zip"))
        print(f"student: {options.to.with_suffix('.zip')}")
    if options.branch:
        changed = commit(options.to, options.branch, options.repository)
        print(f"student: branch {options.branch}, {'one commit more' if changed else 'which had it already'}")

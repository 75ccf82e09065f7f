"""Bring a student's copy of the course up to date, keep what the student did, and become the
student's server.

    python pull.py COURSE BRANCH FOLDER COMMAND ...

nbgitpuller merges line by line and prefers the student's lines. A notebook is JSON, which such a
merge can break (rarely): then the student's whole file stays. A pull that fails is told in the
hub's log and stops nobody.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from nbgitpuller.pull import GitPuller


def git(folder, *arguments):
    return subprocess.run(
        ["git", *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


def pull(course, branch, folder):
    """Clone or update folder; yields nbgitpuller's words."""
    yield from GitPuller(course, folder, branch=branch or None).pull()
    if len(git(folder, "log", "-1", "--format=%P").split()) < 2:
        return  # nothing was merged
    for name in git(folder, "diff", "--name-only", "-z", "HEAD^1", "--", "*.ipynb").split("\0"):
        try:
            name and json.loads(Path(folder, name).read_bytes())
        except ValueError:
            git(folder, "checkout", "HEAD^1", "--", name)
            yield f"{name}: the update does not fit your changes; your file stays as it was\n"


def main():
    course, branch, folder, *command = sys.argv[1:]
    try:
        sys.stdout.writelines(pull(course, branch, folder))
    except (
        Exception
    ) as error:  # a full disk, an unreachable repository: work goes on with what is there
        print(f"The course could not be updated: {error!r}")
    sys.stdout.flush()
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()

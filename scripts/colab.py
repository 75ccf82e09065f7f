"""Ask pip what an installation of the course would change on Colab.

    python scripts/colab.py LIST WHEEL PYTHON

LIST is what Colab publishes of its packages, one NAME==VERSION a line: pip-freeze.txt in
https://github.com/googlecolab/backend-info. WHEEL is the course's (python -m build makes it).
PYTHON is the version that Colab runs: os-info.txt beside the list says it.
Nothing is installed or compiled: pip plans everything anew with Colab's versions, and what is then
not Colab's is printed. Where there is such a package, or no plan at all, the exit status is 1.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PIN = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)


def plain(name):
    """A package's name as all its spellings have it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_pins(path):
    """{package: version} of a list."""
    text = Path(path).read_text(encoding="utf-8")
    return {plain(name): version for name, version in PIN.findall(text)}


def additions(pins, wanted, python):
    """[(package, version)] that the wheel `wanted` needs on this version of Python and `pins` have
    not.

    Raises RuntimeError, with pip's words, where a version of theirs would not do.
    """
    with tempfile.TemporaryDirectory() as folder:
        constraints = Path(folder, "constraints.txt")
        lines = [f"{name}=={version}\n" for name, version in pins.items()]
        constraints.write_text("".join(lines), encoding="utf-8")
        report = Path(folder, "report.json")
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--dry-run",
            "--ignore-installed",
            "--target",  # pip plans for another Python in a folder alone
            str(Path(folder, "target")),
            "--only-binary=:all:",
            "--python-version",
            python,
            "--report",
            str(report),
            "--constraint",
            str(constraints),
            str(wanted),
        ]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
        )
        if done.returncode:
            raise RuntimeError(done.stdout)
        installs = json.loads(report.read_text(encoding="utf-8"))["install"]
    plan = [one["metadata"] for one in installs if not one["requested"]]
    needed = {plain(one["name"]): one["version"] for one in plan}
    return sorted((name, version) for name, version in needed.items() if name not in pins)


def main(listed, wheel, python):
    try:
        added = additions(read_pins(listed), wheel, python)
    except RuntimeError as error:
        sys.exit(f"Colab's versions do not do:\n{error}")
    for name, version in added:
        print(f"{name} {version} would be added")
    if added:
        sys.exit(1)
    print("Nothing of Colab's would change.")


if __name__ == "__main__":
    main(*sys.argv[1:])

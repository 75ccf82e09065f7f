"""Ask pip what an installation of the course would change on Colab.

    python scripts/colab.py LIST WHEEL

LIST is what Colab publishes of its packages, one NAME==VERSION a line: pip-freeze.txt in
https://github.com/googlecolab/backend-info. WHEEL is the course's (python -m build makes it).
Nothing is installed: an empty environment is told that it has these packages, and pip plans.
Give it the Python that Colab has. Prints each package that would be added or replaced beside the course;
where there is one, the exit status is 1.
"""

import json
import re
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

PIN = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)


def pretend(environment, packages):
    """Write the records by which pip sees {name: version} as installed in the folder `environment`."""
    places = {"base": str(environment), "platbase": str(environment)}
    site = Path(sysconfig.get_path("purelib", "venv", places))
    for name, version in packages.items():
        record = site / f"{name.replace('-', '_')}-{version}.dist-info"
        record.mkdir(parents=True)
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        (record / "METADATA").write_text(about, encoding="utf-8")
        (record / "INSTALLER").write_text("pip\n", encoding="utf-8")
        (record / "RECORD").write_text("", encoding="utf-8")


def changes(packages, wanted):
    """[(name, version)] that pip would install for `wanted`, beside `packages`. Raises RuntimeError where it finds no plan."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=False)
        pretend(folder, packages)
        program = Path(folder, *(["Scripts", "python.exe"] if sys.platform == "win32" else ["bin", "python"]))
        command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", str(program)]
        done = subprocess.run([*command, "install", "--dry-run", "--report", "-", *wanted],
                              capture_output=True, encoding="utf-8")
    if done.returncode:
        raise RuntimeError(done.stderr)
    plan = json.loads(done.stdout)["install"]
    return [(one["metadata"]["name"], one["metadata"]["version"]) for one in plan]


def main(arguments):
    listed, wheel = arguments
    packages = dict(PIN.findall(Path(listed).read_text(encoding="utf-8")))
    others = [change for change in changes(packages, [wheel]) if change[0] != "course-utils"]
    for name, version in others:
        print(f"{name}: {packages.get(name, 'not there')} -> {version}")
    print(f"{len(others)} of Colab's {len(packages)} packages would be added or replaced")
    return bool(others)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

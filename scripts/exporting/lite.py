"""JupyterLab in the browser alone: JupyterLite with Pyodide, and the students' edition of notebooks
and package, in build/lite.

    python scripts/export.py lite [--pyodide URL_OR_FOLDER] [--without-solutions]

Pyodide is Python for the browser, with NumPy, Matplotlib and Pillow. Its distribution is not part
of the course. The one setting says where a reader's browser fetches it from: --pyodide, or else the
variable COURSE_PYODIDE, or else Pyodide's own address. A folder is copied beside the pages, which
then need no other server.

The notebooks know nothing of this. The course's package and the few others that Pyodide has not are
put into Pyodide's list of packages (pyodide-lock.json, which ships in npm's `pyodide`), so that a
plain import installs them.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from importlib.metadata import version
from pathlib import Path

from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_VERSION
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from exporting import BUILD, ROOT, student

OUT, SOURCE = BUILD / "lite", BUILD / "lite-source"
EDITION = SOURCE / "edition"
NOT_IN_PYODIDE = ["comm", "ipywidgets"]  # pure Python; the version that is installed here
KERNEL = ["micropip", "ipython", "jedi"]  # what the kernel itself takes from the distribution
SETTINGS = "@jupyterlite/pyodide-kernel-extension:kernel"


def fetch_wheels(folder):
    """The course's wheel, and those of NOT_IN_PYODIDE, into folder. Returns their paths."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", folder, EDITION], check=True)
    exact = [f"{name}=={version(name)}" for name in NOT_IN_PYODIDE]
    subprocess.run(
        [*pip, "download", "--no-deps", "--only-binary=:all:", "-d", folder, *exact], check=True
    )
    return sorted(folder.glob("*.whl"))


def entry(wheel, packages):
    """What Pyodide's list says about one wheel; `packages` are the names that it may depend on."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        about = Parser().parsestr(
            archive.read(next(n for n in names if n.endswith(".dist-info/METADATA"))).decode()
        )
    needs = [Requirement(line) for line in about.get_all("Requires-Dist", [])]
    wanted = {
        canonicalize_name(r.name)
        for r in needs
        if r.marker is None or r.marker.evaluate({"extra": "", "sys_platform": "emscripten"})
    }
    return {
        "name": canonicalize_name(about["Name"]),
        "version": about["Version"],
        "file_name": f"../pypi/{wheel.name}",
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "unvendored_tests": False,
        "imports": sorted(
            {name.split("/")[0] for name in names if re.fullmatch(r"\w+/__init__\.py", name)}
        ),
        "depends": sorted(
            wanted & packages
        ),  # a front end's wheels are not needed in Python, and left out
    }


def lock(listed, wheels, base):
    """Pyodide's list of packages, its own files at the address `base`, with the wheels added. Paths
    are relative to the list."""
    for package in listed["packages"].values():
        package["file_name"] = f"{base}/{package['file_name']}"
    names = set(listed["packages"]) | {
        canonicalize_name(wheel.name.split("-")[0]) for wheel in wheels
    }
    for wheel in wheels:
        new = entry(wheel, names)
        listed["packages"][new["name"]] = new
    return listed


def closure(listed, names):
    """The packages that `names` need, themselves included."""
    done, todo = set(), list(names)
    while todo:
        name = todo.pop()
        if name not in done:
            done.add(name)
            todo += map(canonicalize_name, listed["packages"][name]["depends"])
    return done


def list_of(folder):
    """Pyodide's own list of packages: that of a distribution's folder, or of the version that the
    kernel wants, from npm."""
    if folder:
        return json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    npm = shutil.which("npm") or sys.exit(
        "lite: npm is missing; it brings Pyodide's list of packages"
    )
    subprocess.run(
        [npm, "pack", "--silent", f"pyodide@{PYODIDE_VERSION}", "--pack-destination", SOURCE],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    with tarfile.open(SOURCE / f"pyodide-{PYODIDE_VERSION}.tgz") as archive:
        return json.load(archive.extractfile("package/pyodide-lock.json"))


def build(pyodide, solutions):
    """Build it; `pyodide` is the address or the folder of a distribution."""
    folder = None if re.match(r"https?://", pyodide) else Path(pyodide)
    if folder and not (folder / "pyodide-lock.json").exists():
        sys.exit(f"lite: got {pyodide}, wanted an address, or a folder with pyodide-lock.json")
    for old in (OUT, SOURCE):
        shutil.rmtree(old, ignore_errors=True)
    (SOURCE / "pypi").mkdir(parents=True)
    student.write(EDITION, solutions)
    base = "../static/pyodide" if folder else pyodide.rstrip("/")
    listed = lock(list_of(folder), fetch_wheels(SOURCE / "pypi"), base)
    settings = {
        "pyodideUrl": f"{base.removeprefix('.')}/pyodide.mjs",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"lockFileURL": "./pyodide-lock/pyodide-lock.json"},
    }
    (SOURCE / "jupyter-lite.json").write_text(
        json.dumps(
            {
                "jupyter-lite-schema-version": 0,
                "jupyter-config-data": {
                    "appName": "How transformers attend",
                    "exposeAppInBrowser": True,  # a page of the site asks it whether Python runs
                    "litePluginSettings": {SETTINGS: settings},
                },
            }
        ),
        encoding="utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "jupyterlite_core",
        "build",
        "--lite-dir",
        SOURCE,
        "--output-dir",
        OUT,
        "--contents",
        EDITION / "notebooks",
    ]
    done = subprocess.run(
        [
            *command,
            "--apps",
            "lab",
            "--apps",
            "notebooks",
            "--no-sourcemaps",
            "--no-unused-shared-packages",
        ],
        cwd=SOURCE,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(f"lite: jupyterlite failed\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    (OUT / "pyodide-lock").mkdir()
    (OUT / "pyodide-lock" / "pyodide-lock.json").write_text(json.dumps(listed), encoding="utf-8")
    if folder:
        (OUT / "static" / "pyodide").mkdir(parents=True)
        wanted = [
            *folder.glob("pyodide.*"),
            *folder.glob("python_stdlib*"),
            *(
                folder / Path(listed["packages"][name]["file_name"]).name
                for name in closure(listed, ["course-utils", *KERNEL])
            ),
        ]
        for path in filter(Path.is_file, wanted):  # what is not there is ours, and lies in pypi
            shutil.copy(path, OUT / "static" / "pyodide")


def main(arguments=()):
    parser = argparse.ArgumentParser(
        prog="export.py lite", description=__doc__.partition("\n\n")[0]
    )
    parser.add_argument(
        "--pyodide",
        default=os.environ.get("COURSE_PYODIDE", PYODIDE_CDN_URL),
        help="address or folder of a Pyodide distribution",
    )
    parser.add_argument(
        "--without-solutions", action="store_true", help="as for the students' edition"
    )
    options = parser.parse_args(arguments)
    build(options.pyodide, not options.without_solutions)
    print(f"lite: {OUT.relative_to(ROOT)}")

"""What the project says of itself from outside: its address in one place, its version in one place, workflows that call what is there."""

import importlib.util
import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from helpers import ROOT

spec = importlib.util.spec_from_file_location("address", ROOT / "scripts" / "address.py")
address = importlib.util.module_from_spec(spec)
spec.loader.exec_module(address)

README, CITATION = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CITATION.cff"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HOME = "https://github.com/Somebody/attention"


def test_the_address_stands_where_readers_look_for_it():
    assert address.with_badges(README, address.address()) == README
    assert address.with_address(CITATION, address.address()) == CITATION


def test_an_address_brings_badges_and_its_absence_takes_them_away():
    readme, citation = address.with_badges(README, HOME), address.with_address(CITATION, HOME)
    assert readme.count("](https://") == README.count("](https://") + 8 * (address.address() == "")
    assert re.findall(r"\[!\[[^\]]+\]\(", readme)
    assert yaml.safe_load(citation)["repository-code"] == HOME
    assert address.with_badges(readme, "").count("[![") == 0
    assert "repository-code" not in address.with_address(citation, "")


def test_the_version_is_the_same_everywhere():
    assert yaml.safe_load(CITATION)["version"] == PROJECT["version"]


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem)
def test_a_workflow_calls_files_that_are_there_and_actions_by_their_commit(path):
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    steps = [step for job in jobs for step in job["steps"]]
    used = [step["uses"] for step in steps if "uses" in step]
    assert [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)] == []
    lines = "\n".join(step["run"] for step in steps if "run" in step)
    for file in re.findall(r"[\w./-]+\.(?:py|txt|toml|md)\b|\.ci/run", lines):
        assert (ROOT / file).exists(), file


LEAST = """
import asyncio, concurrent.futures.process, multiprocessing, subprocess, sys
import psutil, pytest          # these have a way of their own on Windows

for name in ("pwd", "grp", "resource", "fcntl", "termios", "pty", "playwright", "sphinx", "myst_nb", "jupyterlite_core", "filelock"):
    sys.modules[name] = None          # as if it were not installed
sys.exit(pytest.main(["--collect-only", "--quiet", "--override-ini", "addopts=", "-p", "no:cacheprovider", "-p", "no:nbval", *sys.argv[1:]]))
"""


def test_all_tests_are_found_where_modules_of_unix_and_packages_of_exports_are_missing():
    found = subprocess.run([sys.executable, "-c", LEAST, "tests"], cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout[-2000:]
    assert "accounts as on Linux" in found.stdout
    assert "test_attention.py" in found.stdout

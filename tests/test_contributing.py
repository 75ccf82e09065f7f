"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of this folder: what is added by
them passes the tests that they name."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from helpers import ROOT, long

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
LEFT_OUT = shutil.ignore_patterns(
    ".git", "node_modules", "__pycache__", ".venv", "my_course", "notebooks", ".*_cache"
)


def recipe(heading):
    """([(file, where, text)], the scripts that it runs then, the arguments of its test command) of
    a recipe."""
    (section,) = re.findall(
        rf"^### {heading}\n(.*?)(?=^### )", TEXT, flags=re.MULTILINE | re.DOTALL
    )
    blocks = re.findall(
        r"^```\w+\n(?:#|//) (\S+?\.\w+)(?:, (.*?))?\n(.*?)^```$",
        section,
        flags=re.MULTILINE | re.DOTALL,
    )
    scripts = re.findall(r"^`python (scripts/.*)`$", section, flags=re.MULTILINE)
    (command,) = re.findall(r"^`python start.py test (.*)`$", section, flags=re.MULTILINE)
    return blocks, [shlex.split(script) for script in scripts], shlex.split(command)


def add(folder, file, where, text):
    """Put a block of a recipe where it says."""
    path = folder / file
    if not where:
        path.parent.mkdir(parents=True, exist_ok=True)
        assert not path.exists()
        path.write_text(text, encoding="utf-8")
        return
    before = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        notebook, begins = json.loads(before), json.loads(where.removeprefix("below the cell "))
        (at,) = (
            number
            for number, cell in enumerate(notebook["cells"])
            if "".join(cell["source"]).startswith(begins)
        )
        notebook["cells"].insert(at + 1, json.loads(text))
        after = json.dumps(notebook)
    elif where == "at the end":
        after = (
            f"{before.rstrip()}\n\n{text}"
            if path.suffix == ".toml"
            else f"{before.rstrip()}\n{text}"
        )
    elif where.startswith("at the end of "):
        begins = f"\n{where.removeprefix('at the end of ')} = "
        assert before.count(begins) == 1
        end = re.compile(r"\n[\]}]").search(before, before.index(begins)).start()
        after = f"{before[:end]}\n{text.rstrip()}{before[end:]}"
    elif where.startswith("above "):
        begins = where.removeprefix("above ")
        (line,) = (line for line in before.splitlines() if line.strip().startswith(begins))
        gap = "\n\n" if path.suffix == ".py" else ""
        after = before.replace(line, f"{text}{gap}{line}")
    elif where.startswith("below "):
        line = f"    {where.removeprefix('below ')}\n"
        assert before.count(line) == 1
        after = before.replace(line, line + text)
    else:
        place = where.removeprefix("behind ")
        assert before.count(place) == 1
        after = before.replace(place, f"{place} {text.strip()}")
    path.write_text(after, encoding="utf-8")


def run_python(folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(folder), "COURSE_TEST_ALL": ""}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def run_tests(folder, arguments):
    return run_python(
        folder, "-m", "pytest", "-o", "addopts=-q", "-p", "no:cacheprovider", *arguments
    )


@pytest.fixture
def copy(tmp_path):
    folder = tmp_path / "course"
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    return folder


@long
@pytest.mark.parametrize(
    "heading",
    [
        "A misconception",
        "An exercise",
        "A sentence with a number",
        "An instrument",
        "A claim",
        "A lecture",
    ],
)
def test_what_a_recipe_adds_passes_the_tests_that_it_names(heading, copy):
    blocks, scripts, arguments = recipe(heading)
    for block in blocks:
        add(copy, *block)
    for script in scripts:
        done = run_python(copy, *script)
        assert done.returncode == 0, done.stderr[-3000:]
    code = [file for file, *_ in blocks if file.endswith(".py")]
    for check in (["check"], ["format", "--check"]) if code else ():
        done = run_python(copy, "-m", "ruff", *check, *code)
        assert done.returncode == 0, done.stdout[-3000:]
    done = run_tests(copy, arguments)
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 0

"""The list of slips that nobody could see: each is one line of a function, changed, with its
reason; and the command that reads it."""

import difflib
import importlib
import inspect
import operator
import shutil
import subprocess
import sys
import tomllib

import pytest
from helpers import ROOT

pytest.importorskip("resource", reason="scripts/mutate.py needs Linux")


def mutate():
    spec = importlib.util.spec_from_file_location("mutate", ROOT / "scripts" / "mutate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_slip_that_is_listed_as_equal_changes_a_line_of_its_function_and_has_a_reason():
    module = mutate()
    listed = module.equal(module.EQUAL.read_text(encoding="utf-8"))
    assert listed
    for (place, line), reason in listed.items():
        file, _, function = place.partition(".")
        assert file in module.MODULES
        source = inspect.getsource(
            operator.attrgetter(function)(importlib.import_module(module.MODULES[file]))
        )
        lines = [module.bare(there) for there in source.splitlines()]
        assert line not in lines, f"{place} has the line {line}"
        assert difflib.get_close_matches(line, lines, cutoff=0.8), (
            f"{place} has no line like {line}"
        )
        assert len(reason.split()) >= 4, f"{place}: {line}"


def test_a_module_that_is_not_there_is_refused_in_one_sentence():
    done = subprocess.run(
        [sys.executable, "scripts/mutate.py", "attenton"], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("module: got attenton, wanted attention, layers, ")


def test_the_files_that_are_copied_for_it_are_enough_to_collect_its_tests(tmp_path):
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "mutmut"
    ]
    for name in [*settings["source_paths"], *settings["also_copy"], "tests", "pyproject.toml"]:
        if (ROOT / name).is_dir():
            (tmp_path / name).symlink_to(ROOT / name)
        else:
            shutil.copy(ROOT / name, tmp_path)
    chosen = [
        "--rootdir=.",
        "--collect-only",
        "-qq",
        *settings["pytest_add_cli_args"],
        *settings["pytest_add_cli_args_test_selection"],
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *chosen], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr

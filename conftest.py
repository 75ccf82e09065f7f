"""For the tests and for the notebook kernels that they start: one BLAS thread, which the package
sets before NumPy is imported, and an empty folder in the place of the student's own, so that what
somebody has written there changes no test.

Every notebook is run once and judged twice: nbval compares what a cell prints, and below every byte
of its outputs is compared.
"""

import course_utils  # noqa: F401

# isort: split
import atexit
import collections
import copy
import functools
import importlib.util
import os
import re
import shutil
import tempfile
from pathlib import Path

import matplotlib
import nbformat
import pytest
from hypothesis import settings
from nbval.plugin import IPyNbCell

os.environ["COURSE_FOLDER"] = tempfile.mkdtemp(prefix="course-tests-")
atexit.register(shutil.rmtree, os.environ["COURSE_FOLDER"], ignore_errors=True)


@pytest.fixture(autouse=True)
def _nothing_kept():
    """What one test keeps in the student's file is not what `mine` gives in another one."""
    yield
    Path(os.environ["COURSE_FOLDER"], "my_transformer.py").unlink(missing_ok=True)


# Laws are tried on the same examples each time, however long one takes: machines are noisy.
settings.register_profile("laws", max_examples=40, deadline=None, derandomize=True, database=None)
settings.load_profile("laws")

# These take longest, and so they begin first: at the end no worker is left alone with one of them.
# The tests among them run where everything is to run, or where files are named.
LONGEST = [
    *sorted(path.name for path in Path(__file__).parent.glob("tests/browser/test_*.py")),
    "test_instruments.py",
    "test_running.py",
    "test_students.py",
    "test_exercises.py",
    "test_rerun.py",
    "test_attempts.py",
    "test_builds.py",
    "test_report.py",
    "test_opened_chat.py",
    "test_student.py",
    "test_contributing.py",
    "test_numbers.py",
    "test_chat_model.py",
    "test_oral.py",
    "test_searches.py",
    "test_start.py",
    "test_exams.py",
    "test_lecture_16.py",
    "test_starts.py",
    "test_refresh.py",
    "test_acceptance.py",
    "test_kept_chat.py",
    "test_metadata.py",
    "test_grades.py",
    "test_hidden.py",
    "test_types.py",
    "test_lecture_03.py",
    "test_lecture_15.py",
    "test_gallery.py",
    "test_lecture_11.py",
    "test_shapes.py",
    "test_keeping.py",
    "test_kept_models.py",
    "test_kept_encoder.py",
    "test_mutate.py",
    "17_assistant.ipynb",
    "16_inside.ipynb",
    "15_speak.ipynb",
    "11_language_model.ipynb",
]


def pytest_configure(config):
    config.option.loadscopereorder = (
        False  # pytest-xdist would begin with the file that has most tests
    )
    if not hasattr(config, "workerinput"):  # what it says here, its workers are told
        is_whole = config.args_source != config.ArgsSource.TESTPATHS
        is_whole = is_whole or os.environ.get("COURSE_TEST_ALL") == "1"
        os.environ["COURSE_TEST_QUICK"] = "" if is_whole else "1"


def pytest_ignore_collect(collection_path):
    is_test = collection_path.suffix == ".py" and collection_path.name in LONGEST
    return True if is_test and os.environ["COURSE_TEST_QUICK"] else None


def pytest_collection_modifyitems(items):
    order = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))


DREW = re.search(
    r"^matplotlib==(\d+\.\d+)",
    Path(__file__).with_name("requirements.txt").read_text(encoding="utf-8"),
    flags=re.MULTILINE,
)[1]
DRAWS = ".".join(matplotlib.__version__.split(".")[:2])


@functools.cache
def _refresh():
    spec = importlib.util.spec_from_file_location(
        "refresh", Path(__file__).parent / "scripts" / "refresh.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    if isinstance(item, IPyNbCell) and "text/html" not in item.parent.skip_compare:
        item.parent.skip_compare += (
            "text/html",
        )  # all of it is compared below, and of a figure what the eye sees
    result = yield
    if isinstance(item, IPyNbCell):
        stored = item.cell.outputs
        fresh = copy.deepcopy(nbformat.from_dict(item.test_outputs))
        for now, before in zip(fresh, stored, strict=False):
            if DRAWS != DREW and _refresh().is_figure(now) and _refresh().is_figure(before):
                now.data["text/html"] = before.data[
                    "text/html"
                ]  # its letters stand elsewhere; its words are compared
        fresh = _refresh().tidy(fresh, stored)
        for now, before in zip(fresh, stored, strict=False):
            for key in (before | now).keys() - {
                "execution_count"
            }:  # nbval's kernel counts nothing: tests/test_refresh.py
                if now.get(key) != before.get(key):
                    item.raise_cell_error(
                        f"{key}: {str(now.get(key))[:300]} instead of the stored"
                        f" {str(before.get(key))[:300]}"
                    )
        if len(fresh) != len(stored):
            item.raise_cell_error(f"{len(fresh)} outputs instead of the stored {len(stored)}")
    return result


def pytest_terminal_summary(terminalreporter):
    """What was skipped, or left out, each with how to have it."""
    if os.environ["COURSE_TEST_QUICK"]:
        n = sum(name.endswith(".py") for name in LONGEST)
        terminalreporter.write_line(
            f"{n} files of tests that take longest were left out: name some, or set"
            " COURSE_TEST_ALL=1"
        )
    reasons = collections.Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
    )
    for reason, n in reasons.most_common():
        terminalreporter.write_line(f"{n} skipped: {reason}")
    if DRAWS != DREW:
        terminalreporter.write_line(
            f"Pictures were compared by their words alone: Matplotlib {DRAWS} drew them, and {DREW}"
            " those that are stored."
        )

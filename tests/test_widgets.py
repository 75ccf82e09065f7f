"""Every setting of every widget has a picture, its description and true numbers, and the browser can switch without a kernel."""

import copy
import functools
import html
import itertools
import re
import subprocess
import sys

import numpy as np
import pytest
from helpers import pixels
from ipywidgets import Stack
from ipywidgets.embed import dependency_state
from matplotlib.figure import Figure

from course_utils.attention import softmax
from course_utils.data import embed
from course_utils.widgets import WIDGETS, MaskExplorer, QueryExplorer, ScoreSlider, SoftmaxSharpening, TokenMover
from course_utils.widgets.explorer import DPI
from course_utils.widgets.mask_explorer import TOKENS

every_widget = pytest.mark.parametrize("widget", WIDGETS, ids=lambda widget: widget.__name__)


@functools.cache
def made(widget):
    """One instance of each widget for all tests."""
    return widget()


def settings_of(widget):
    """All settings of a widget, the last control's values turning fastest."""
    return list(itertools.product(*(control.values for control in widget.controls)))


def every_setting(widget):
    return pytest.mark.parametrize("numbers", [pytest.param(widget.compute(*s), id=" ".join(map(str, s))) for s in settings_of(widget)])


def frames(box):
    """The pictures under a stack, in the order of the settings."""
    return [frame for child in box.children for frame in frames(child)] if isinstance(box, Stack) else [box]


def stacks(box, level=0):
    """Each stack with its level: 0 belongs to the first control."""
    if isinstance(box, Stack):
        yield box, level
        for child in box.children:
            yield from stacks(child, level + 1)


# Pictures

@every_widget
def test_every_setting_has_a_picture_of_the_right_size_that_shows_something(widget):
    pictures = frames(made(widget).children[-1])
    assert len(pictures) == len(settings_of(widget))
    width, height = (round(inches * DPI) for inches in widget.size)
    for frame in pictures:
        picture = pixels(re.match(r'<img src="data:image/png;base64,([^"]+)"', frame.value)[1])
        assert picture.shape == (height, width, 4)
        assert picture[..., 3].min() > 250              # opaque: readable on a dark page, too
        assert len(np.unique(picture[::3, ::3, 0])) > 4


@every_widget
def test_another_setting_is_another_picture_with_another_description(widget):
    n = len(settings_of(widget))
    assert len({frame.value.partition('alt="')[0] for frame in frames(made(widget).children[-1])}) == n
    assert len(set(made(widget).descriptions)) == n


@every_widget
def test_every_picture_carries_the_description_of_its_own_setting(widget):
    for setting, frame in zip(settings_of(widget), frames(made(widget).children[-1]), strict=True):
        description = widget.describe(widget.compute(*setting))
        assert html.unescape(re.search(r'alt="([^"]*)"', frame.value)[1]) == description
        assert description in html.unescape(frame.value.partition("<p")[2])
        assert all(str(value) in description for value in setting)
        assert len(description) > 40
        assert re.search(r"\d\.\d\d", description)


@every_widget
def test_a_still_shows_settings_and_carries_their_descriptions(widget):
    first, *_, last = settings_of(widget)
    still = widget.still(first, last)
    assert isinstance(still, Figure)
    assert still.description == " ".join(widget.describe(widget.compute(*s)) for s in (first, last))
    still.canvas.draw()


@every_widget
def test_the_repr_is_short_and_steady(widget):
    assert repr(made(widget)) == repr(made(widget))
    assert repr(made(widget)).startswith(f"{widget.__name__}: {len(settings_of(widget))} pictures")
    assert len(repr(made(widget))) < 110
    assert "0x" not in repr(made(widget))


# Switching in the browser

@every_widget
def test_every_stack_follows_its_own_control_in_the_browser(widget):
    box = made(widget)
    *controls, outer = box.children
    models = dependency_state([box], drop_defaults=False).values()
    links = {(m["state"]["source"][0], m["state"]["source"][1], m["state"]["target"][0], m["state"]["target"][1])
             for m in models if m["model_name"] in ("LinkModel", "DirectionalLinkModel")}
    expected = {(f"IPY_MODEL_{controls[level].model_id}", "index", f"IPY_MODEL_{stack.model_id}", "selected_index") for stack, level in stacks(outer)}
    assert links == expected
    assert len(expected) == sum(np.prod([len(c.values) for c in widget.controls[:level]], dtype=int) for level in range(len(controls)))


@every_widget
def test_controls_and_stacks_start_at_the_same_setting(widget):
    *controls, outer = made(widget).children
    for stack, level in stacks(outer):
        wanted = widget.controls[level]
        assert stack.selected_index == controls[level].index == wanted.start
        assert len(stack.children) == len(controls[level].options) == len(wanted.values)
        assert [label for label, _ in controls[level].options] == [f"{v}{wanted.unit}" for v in wanted.values]


# Pure functions

@every_widget
def test_computing_and_describing_twice_gives_the_same(widget):
    for setting in settings_of(widget):
        once, twice = widget.compute(*setting), widget.compute(*setting)
        np.testing.assert_equal(once, twice)
        assert widget.describe(once) == widget.describe(twice)


@every_widget
def test_drawing_changes_no_number(widget):
    for setting in settings_of(widget)[::7]:
        numbers = widget.compute(*setting)
        before = copy.deepcopy(numbers)
        widget.draw(widget.prepare(Figure(figsize=widget.size)), numbers)
        np.testing.assert_equal(numbers, before)


@pytest.mark.parametrize(("widget", "rows"), [
    (ScoreSlider, lambda n: [n["scores"], n["weights"]]),
    (TokenMover, lambda n: [[], n["weights"][n["tokens"].index("bears")]]),
    (QueryExplorer, lambda n: [[], n["weights"]]),
    (SoftmaxSharpening, lambda n: list(n["rows"].values())),
    (MaskExplorer, lambda n: [[], n["weights"]]),
], ids=lambda value: getattr(value, "__name__", ""))
def test_bars_are_as_high_as_the_weights(widget, rows):
    for setting in settings_of(widget)[::5]:
        numbers = widget.compute(*setting)
        axes = widget.prepare(Figure(figsize=widget.size))
        widget.draw(axes, numbers)
        for a, weights in zip(axes, rows(numbers), strict=True):
            if len(weights):
                assert [segment[1, 1] for segment in a.collections[-1].get_segments()] == list(weights)


def test_no_pyplot_figure_is_opened_or_could_be():
    program = "import sys; from course_utils import figures, widgets; widgets.MaskExplorer(); sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


# True numbers

@every_setting(ScoreSlider)
def test_score_slider_turns_one_score_and_shows_softmax(numbers):
    assert numbers["scores"][:2].tolist() == [0, 1]
    np.testing.assert_allclose(numbers["weights"], np.exp(numbers["scores"]) / np.exp(numbers["scores"]).sum())


@every_setting(TokenMover)
def test_token_mover_averages_the_sentence_by_its_weights(numbers):
    X, weights, i = numbers["X"], numbers["weights"], numbers["tokens"].index("bears")
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    np.testing.assert_allclose(weights, softmax(X @ X.T))
    np.testing.assert_allclose(numbers["X_hat"], weights @ X)
    np.testing.assert_array_equal(np.delete(X, i, axis=0), np.delete(embed(numbers["tokens"]), i, axis=0))


def test_token_mover_starts_at_the_named_meanings():
    bears = {angle: TokenMover.compute("bears pain", angle)["X"][0] for angle in (0, 120, 240)}
    assert [x[:3].argmax() for x in bears.values()] == [0, 1, 2]
    assert all(x[:3].sum() == pytest.approx(2.1) for x in bears.values())


@every_setting(QueryExplorer)
def test_query_explorer_shows_softmax_of_the_scores_of_a_query_of_fixed_length(numbers):
    np.testing.assert_allclose(numbers["weights"], softmax([k @ numbers["q"] for k in numbers["K"]]))
    assert np.linalg.norm(numbers["q"]) == pytest.approx(np.linalg.norm(QueryExplorer.compute("bears pain", 0)["q"]))
    assert np.degrees(np.arctan2(*numbers["q"][::-1])) % 360 == pytest.approx(numbers["angle"])


@every_setting(SoftmaxSharpening)
def test_softmax_sharpening_measures_what_it_says(numbers):
    (unscaled, _, _), (scaled, _, _) = numbers["measures"].values()
    assert 0 <= unscaled <= scaled <= np.log(16)
    for name, weights in numbers["rows"].items():
        spread, largest, slope = numbers["measures"][name]
        seen = weights[weights > 0]
        assert weights.sum() == pytest.approx(1)
        assert spread == pytest.approx(-(seen * np.log(seen)).sum())
        assert largest == weights.max()
        assert slope == pytest.approx(np.linalg.norm(slopes(weights)), abs=1e-9)


def slopes(weights, h=1e-6):
    """The Jacobian of softmax at the scores log(weights), by small steps of each score."""
    scores = np.log(np.maximum(weights, 1e-300))
    steps = h * np.eye(len(scores))
    return (softmax(scores + steps) - softmax(scores - steps)) / (2 * h)


def test_softmax_sharpening_without_scaling_at_width_d_is_a_temperature_of_one_over_root_d():
    for d, temperature in [(16, 0.25), (4, 0.5)]:
        rows = SoftmaxSharpening.compute(d, 1.0)["rows"]
        np.testing.assert_allclose(rows["not scaled"], SoftmaxSharpening.compute(d, temperature)["rows"]["divided by √d"])


@every_setting(MaskExplorer)
def test_mask_explorer_gives_hidden_keys_no_weight_and_says_what_leaks(numbers):
    allowed, q, changed = numbers["allowed"][numbers["query"]], numbers["query"], TOKENS.index("game")
    assert (numbers["weights"][~allowed] == 0).all()
    assert numbers["weights"].sum() == pytest.approx(1 if allowed.any() else 0)
    if allowed[changed]:
        assert numbers["leak"] > 0
    elif q != changed:
        assert numbers["leak"] == 0

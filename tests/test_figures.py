"""Every figure: a drawing for light pages and dark ones, and a picture where none is shown."""

import html
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import numpy as np
import pytest
from helpers import NOTEBOOKS, cells, is_figure, pixels, stand_in
from matplotlib.figure import Figure

from course_utils import figures
from course_utils.cards import look
from course_utils.svg import LEAST, draw_svg, typeset

WORDS = ["I", "love", "bears"]
WEIGHTS = np.array([[0.25, 0.46, 0.29], [0.08, 0.79, 0.13], [0.17, 0.42, 0.41]])

# One call of each kind of figure.
KINDS = {
    "heatmap": lambda: figures.heatmap(WEIGHTS, WORDS),
    "heatmaps of scores": lambda: figures.heatmaps(
        {"X": WEIGHTS - 0.4, "Y": WEIGHTS}, WORDS, kind="scores"
    ),
    "maps": lambda: figures.maps({"R": np.sin(np.arange(400).reshape(20, 20))}, "column", "row"),
    "meaning_plane": lambda: figures.meaning_plane(
        {"animal": WORDS}, {"animal": np.eye(3)}, {"animal": np.eye(3)[::-1]}
    ),
    "lines": lambda: figures.lines([1, 2, 4], {"a": [3, 2, 1], "b": [1, 2, 3]}, "step", "loss"),
    "ridge": lambda: figures.ridge({"q·k": {"d = 4": np.linspace(-2, 2, 99)}}),
    "by_gap": lambda: figures.by_gap(
        {"not scaled": (np.array([1.0, 2, 9]), np.array([1.0, 1, 0]), 5.0)}
    ),
    "bars": lambda: figures.bars([0.5, 1.0], ["a", "b"], "share"),
    "shift": lambda: figures.shift(["a", "b", "c"], {"no mask": np.ones((2, 2), bool)}),
    "residual_stream": lambda: figures.residual_stream(
        {"X": WEIGHTS, "Z": WEIGHTS}, {"adds": WEIGHTS}, WORDS, WORDS
    ),
    "attention_diagram": lambda: figures.attention_diagram(8),
    "split_and_merge": lambda: figures.split_and_merge(np.arange(8).reshape(2, 4), 2),
    "machine": figures.machine,
    "encoder_decoder": figures.encoder_decoder,
    "clocks": lambda: figures.clocks(np.array([[0.0, 1.0], [1.0, 0.0]])),
    "experts_and_blend": lambda: figures.experts_and_blend(
        np.arange(3.0), np.arange(3.0), {"a": (np.ones((3, 2)), np.full((3, 2), 0.5))}
    ),
}
every_kind = pytest.mark.parametrize("kind", KINDS)
STORED = [
    (name, output)
    for name in NOTEBOOKS
    for cell in cells(name, "code")
    for output in cell.outputs
    if is_figure(output)
]
every_stored = pytest.mark.parametrize(
    "output",
    [output for _, output in STORED],
    ids=[f"{name}-{i}" for i, (name, _) in enumerate(STORED)],
)


def drawn(kind):
    """The drawing of a kind of figure, as an element."""
    return ET.fromstring(draw_svg(KINDS[kind](), "what it says"))


def shown(kind, monkeypatch):
    """The output of a figure, as a cell gets it."""
    outputs = []
    monkeypatch.setattr(figures, "display", lambda data, raw: outputs.append({"data": data}))
    figures.show(KINDS[kind](), alt="What it says.")
    return outputs[0]


class AsGitHub(HTMLParser):
    """What GitHub leaves of a cell's HTML: no script, style sheet or SVG, no style and no id."""

    DROPPED = {"script", "style"}
    KEPT = {"alt", "src", "href", "hidden", "class"}

    def __init__(self, page):
        super().__init__()
        self.images, self.inside = [], 0
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.inside += tag in self.DROPPED
        if tag == "img" and not self.inside:
            self.images.append({key: value for key, value in attributes if key in self.KEPT})

    def handle_endtag(self, tag):
        self.inside -= tag in self.DROPPED


def test_every_function_that_draws_is_tried():
    public = {
        name
        for name, made in vars(figures).items()
        if callable(made) and getattr(made, "__module__", "") == figures.__name__
    }
    helping = {
        "Picture",
        "show",
        "heatmaps",
        "describe_table",
        "describe_curve",
        "describe_meaning",
        "prepare_plane",
    }
    assert {name for name in public if not name.startswith(("_", "draw_"))} - helping == {
        kind for kind in KINDS if " " not in kind
    }


@every_kind
def test_a_figure_gives_the_same_bytes_each_time(kind):
    first, second = (draw_svg(KINDS[kind](), "words") for _ in range(2))
    assert first == second
    assert not re.search(r"\bid=|<metadata|\d\d:\d\d:\d\d", first)
    assert not re.search(r' (?:d|x|y|cx|cy|r|viewBox)="[^"]*\d\.\d\d', first), (
        "a place has one decimal"
    )


@every_kind
def test_text_stays_text_and_is_large_enough(kind):
    svg = drawn(kind)
    assert list(svg.iter("text"))
    texts = [svg, *svg.iter("g"), *svg.iter("text")]
    assert min(float(one.get("font-size")) for one in texts if one.get("font-size")) >= LEAST


@every_kind
def test_every_colour_of_a_drawing_follows_the_page(kind):
    """A rule mixes each colour with the text's; nothing is drawn in black or white."""
    svg = drawn(kind)
    rules = svg.find("style").text
    found = {
        (paint, element.get(paint))
        for element in svg.iter()
        for paint in ("fill", "stroke")
        if element.get(paint)
    }
    for paint, colour in found - {
        (paint, plain) for paint in ("fill", "stroke") for plain in ("none", "currentColor")
    }:
        assert re.search(
            rf'\[{paint}="{colour}"\]{{{paint}:[^}}]*(?:currentColor|Canvas)', rules
        ), (paint, colour)
    assert svg.get("fill") == "currentColor"
    assert not {"#000000", "black", "white"} & {colour for _, colour in found}


@every_kind
def test_a_drawing_lies_inside_of_its_picture(kind):
    svg = drawn(kind)
    left, top, width, height = map(float, svg.get("viewBox").split())
    for text in svg.iter("text"):
        assert left <= float(text.get("x")) <= left + width
        assert top <= float(text.get("y")) <= top + height
    for rect in svg.iter("image"):
        assert float(rect.get("width")) <= width


@every_kind
def test_a_figure_is_shown_once_with_its_words_for_eyes_ears_and_tests(kind, monkeypatch):
    output = shown(kind, monkeypatch)
    words, page = output["data"]["text/plain"], output["data"]["text/html"]
    assert words.startswith("What it says. ")
    assert set(output["data"]) == {"text/html", "text/plain"}
    assert page.count(html.escape(words)) == 3
    assert len(page) < 60_000


def test_a_figure_needs_words():
    with pytest.raises(ValueError, match="alt: got nothing"):
        figures.show(Figure())


@every_stored
def test_where_svg_and_styles_are_dropped_a_picture_is_seen(output):
    """With the drawing goes the rule that hides the picture, which stays with its words."""
    (image,) = AsGitHub(output["data"]["text/html"]).images
    assert image["alt"] == output["data"]["text/plain"]
    assert "hidden" not in image
    picture = pixels(stand_in(output))
    assert min(picture.shape[:2]) > 100
    assert (picture[0, 0] == 255).all(), "white is white"
    assert (picture.min(axis=2) < 128).mean() > 0.001
    drawing = re.search(r"<svg.*</svg>", output["data"]["text/html"])[0]
    assert "display:none" in drawing
    assert "display:none" not in output["data"]["text/html"].replace(drawing, "")


@every_stored
def test_every_stored_figure_is_a_drawing_with_a_dark_form_and_words(output):
    svg = ET.fromstring(re.search(r"<svg.*</svg>", output["data"]["text/html"])[0])
    assert svg.get("aria-label") == output["data"]["text/plain"]
    assert svg.get("role") == "img"
    assert svg.get("fill") == "currentColor"
    colours = {element.get(paint) for element in svg.iter() for paint in ("fill", "stroke")} - {
        None,
        "none",
        "currentColor",
    }
    assert all(f'="{colour}"]' in svg.find("style").text for colour in colours)


def test_no_notebook_stores_a_picture_without_a_dark_form():
    bare = [
        (name, cell.source)
        for name in NOTEBOOKS
        for cell in cells(name, "code")
        for output in cell.outputs
        if {"image/png", "image/svg+xml"} & set(output.get("data", {}))
    ]
    assert bare == []
    assert (
        len(STORED)
        == sum(cell.source.count("show(") for name in NOTEBOOKS for cell in cells(name, "code"))
        > 30
    )


# Weights look the same everywhere.


def test_a_weight_is_as_deep_in_a_figure_as_in_a_card():
    svg = drawn("heatmap")
    card = look.heat(WEIGHTS.tolist(), WORDS, WORDS)
    of_card = [int(share) / 100 for share in re.findall(rf"srgb,{look.SKY} (\d+)%", card)]
    of_figure = [
        float(cell.get("fill-opacity")) for cell in svg.iter("path") if cell.get("fill-opacity")
    ]
    np.testing.assert_allclose(of_card, look.DEEPEST * WEIGHTS.ravel(), atol=0.006)
    np.testing.assert_allclose(of_figure, look.DEEPEST * WEIGHTS.ravel(), atol=0.006)
    bold = [
        text.text
        for group in svg.iter()
        if group.get("font-weight") == "600"
        for text in [group, *group]
        if text.text
    ]
    assert set(bold) == {"0.46", "0.79", "0.42"}
    assert re.findall(r"font-weight:bold\">(\d\.\d\d)", card) == ["0.46", "0.79", "0.42"]


def test_scores_on_both_sides_of_0_differ_in_colour_and_share_one_scale():
    svg = draw_svg(
        figures.heatmaps(
            {"small": np.array([[-0.5, 0.5]]), "large": np.array([[-1.0, 2.0]])},
            ["a"],
            ["b", "c"],
            "scores",
        ),
        "words",
    )
    of = {
        colour: re.findall(
            rf'fill="{colour.lower()}"[^>]*fill-opacity="([\d.]+)"|'
            rf'fill-opacity="([\d.]+)"[^>]*fill="{colour.lower()}"',
            svg,
        )
        for colour in (look.TEAL, look.ORANGE)
    }
    assert {colour: sorted(float(a or b) for a, b in found) for colour, found in of.items()} == {
        look.TEAL: [
            pytest.approx(0.25 * look.DEEPEST, abs=0.01),
            pytest.approx(look.DEEPEST, abs=0.01),
        ],
        look.ORANGE: [
            pytest.approx(0.25 * look.DEEPEST, abs=0.01),
            pytest.approx(0.5 * look.DEEPEST, abs=0.01),
        ],
    }


def test_a_large_table_is_upright():
    """The first row is drawn above: its one deep cell is the first pixel."""
    table = np.zeros((3, 4))
    table[0, 0] = 1
    image = next(
        drawn_image
        for drawn_image in ET.fromstring(
            draw_svg(figures.maps({"one": table}, "column", "row", "weights"), "words")
        ).iter("image")
    )
    opacity = pixels(image.get("href").partition(",")[2])[..., 3]
    assert opacity.tolist() == [[255, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("W", "W"),
        ("$W_Q$", '<tspan font-style="italic">W</tspan><tspan dy="2.5" font-size="7.2">Q</tspan>'),
        (
            "$X$ (T, $d_k$)",
            '<tspan font-style="italic">X</tspan> (T, <tspan font-style="italic">d</tspan>'
            '<tspan dy="2.5" font-size="7.2">k</tspan><tspan dy="-2.5">)</tspan>',
        ),
        (
            "÷ $\\sqrt{d_k}$",
            '÷ √<tspan font-style="italic">d</tspan><tspan dy="2.5" font-size="7.2">k</tspan>',
        ),
        ("a < b & c", "a &lt; b &amp; c"),
    ],
)
def test_formulas_are_set_as_text(text, seen):
    assert typeset(text, 10) == seen

"""The stills: pictures from an instrument's own numbers, for pages where no script may run."""

import base64
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from instruments.parity import TRIALS, opened, some_solutions

from course_utils.instruments.stills import (
    TOP,
    bars,
    cells,
    curves,
    lines,
    plane,
    shades,
    side_by_side,
)

SVG = "{http://www.w3.org/2000/svg}"
each = pytest.mark.parametrize("name", TRIALS)


def parsed(*panels):
    return ET.fromstring(side_by_side(*panels))


def texts(tree):
    return ["".join(text.itertext()) for text in tree.iter(f"{SVG}text")]


def shapes(tree, style):
    return [shape for shape in tree.iter() if shape.get("class") == style]


def levels(path):
    """Where each bar of a path begins, and how tall it is: [(left, height)]."""
    return [
        (float(x), -float(tall)) for x, tall in re.findall(r"M([\d.-]+) [\d.-]+v([\d.-]+)", path)
    ]


@each
def test_a_still_is_a_small_picture_of_the_state_and_has_a_form_for_the_dark(name):
    it = opened(name)
    start, solved = it.still(it.compute(it.start())), it.still(it.compute(some_solutions(it)[0]))
    assert start != solved
    for svg in (start, solved):
        tree = ET.fromstring(svg)
        assert len(svg) < 8_000
        assert texts(tree)
        assert "prefers-color-scheme:dark" in next(tree.iter(f"{SVG}style")).text
        assert re.findall(r"script|href|url\(|nan|inf\b", svg) == []
        width, height = (float(size) for size in tree.get("viewBox").split()[2:])
        assert width < 900, "wanted: smaller panels, or fewer; side_by_side puts 24 between two"
        assert height < 420


@each
def test_the_output_carries_its_still_with_the_words(name):
    it = opened(name)
    html = it._repr_mimebundle_()["text/html"].partition("<script>")[0]
    data = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', html)[1]
    assert base64.b64decode(data).decode() == it.still(it.numbers)


def test_bars_are_as_tall_as_their_values_and_those_below_zero_hang():
    tree = parsed(bars("title", ["one", "two", "three"], [0.5, -1.0, 0.25], height=200))
    (first, third), (second,) = (
        [float(bar.get("height")) for bar in shapes(tree, style)] for style in ("f", "n")
    )
    assert [first / second, third / second] == [0.5, 0.25]
    above, below = shapes(tree, "f")[0], shapes(tree, "n")[0]
    assert float(above.get("y")) + float(above.get("height")) == float(below.get("y"))
    assert texts(tree) == ["title", "0.50", "one", "-1.00", "two", "0.25", "three"]


def test_cells_show_each_number_as_a_level_and_as_text():
    weights = np.array([[1.0, 0.0], [0.25, 0.75]])
    tree = parsed(cells("title", ["a", "b"], ["c", "d"], weights, size=(50, 44)))
    (full,), (low, high) = (levels(row.get("d")) for row in shapes(tree, "f"))
    assert [full[1], low[1], high[1]] == [40, 10, 30]
    assert high[0] - low[0] == 50
    assert texts(tree)[3:] == ["a", "1.00", "0.00", "b", "0.25", "0.75"]
    assert texts(parsed(cells("title", ["a"], [""], [[0.5]], digits=-1))) == ["title", "a"]


def test_shades_have_squares_as_large_as_the_numbers():
    tree = parsed(shades("title", ["a", ""], ["c", ""], [[1.0, 0.0], [-1.0, 0.25]], size=20))
    (blue,), (orange,) = (shapes(tree, style) for style in ("f", "n"))
    assert [float(side) for side in re.findall(r"h([\d.]+)v", blue.get("d"))] == [18, 9]
    assert re.findall(r"h([\d.]+)v", orange.get("d")) == ["18"]


def test_points_of_a_plane_keep_their_places_to_each_other():
    tree = parsed(plane("title", [[0, 0], [2, 0], [0, 1]], ["o", "x", "y"], np.zeros(2), size=100))
    o, x, y = [
        np.array([float(dot.get("cx")), float(dot.get("cy"))]) for dot in tree.iter(f"{SVG}circle")
    ]
    assert (x - o).tolist() == [100, 0]
    assert (y - o).tolist() == [0, -50]
    assert len(shapes(tree, "q")) == 1


def test_curves_reach_from_edge_to_edge_and_lines_stand_below_each_other():
    tree = parsed(curves("title", [0, 1, 2], [[0, 1, 0], [1, 1, 1]], size=(100, 50)))
    assert shapes(tree, "q")[0].get("d") == f"M0 {TOP + 58}L50 {TOP + 8}L100 {TOP + 58}"
    assert texts(parsed(lines("title", ["a <b>", "c"]))) == ["title", "a <b>", "c"]

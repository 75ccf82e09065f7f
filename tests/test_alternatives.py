"""The alternative of a picture states what the lecture finds in it: it names a number of the Notice
below. And the numbers that are drawn stand as tables under a fold."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from helpers import NOTEBOOKS, is_figure, notebook

from course_utils.figures import heatmap, lines
from course_utils.tables import MOST_COLUMNS, MOST_ROWS, tabulate

NUMBER = re.compile(r"(?<![\w.,])[-−]?\d[\d,]*(?:\.\d+)?(?![\w])")
# Neither a year nor another lecture's number is a finding.
ELSEWHERE = re.compile(r"\b(?:notebooks?|lectures?) \d\d\b|\b(?:19|20)\d\d\b|\[[^]]*\]\([^)]*\)")


def numbers(text):
    """The numbers of a text as they are written: {"0.46", "-3", "2000"}."""
    found = NUMBER.findall(ELSEWHERE.sub(" ", text))
    return {number.replace(",", "").replace("−", "-") for number in found}


def same(one, other):
    """Whether two numbers, as they are written, are one number, rounded here and there: to two
    digits at least, or written alike."""
    decimals = min(len(number.partition(".")[2]) for number in (one, other))
    alike = round(float(one), decimals) == round(float(other), decimals)
    digits = min(len(number.strip("-0.").replace(".", "")) for number in (one, other))
    return float(one) == float(other) or alike and digits >= 2


def followed():
    """Every stored picture with a Notice right below: (where, its alternative, the Notice)."""
    for name in NOTEBOOKS:
        every = notebook(name).cells
        for i, (cell, below) in enumerate(zip(every, every[1:], strict=False)):
            if cell.cell_type == "code" and below.source.startswith("**Notice.**"):
                for output in filter(is_figure, cell.outputs):
                    yield pytest.param(output["data"]["text/plain"], below.source, id=f"{name}-{i}")


# Whose Notice counts what the picture does not show, and why.
ELSEWHERE_COUNTED = {
    "mean of 300 texts over step": "other starts, and texts of the reference",
    "Each line is thick where its gate is the largest": "a definition, with its limit",
}


@pytest.mark.parametrize(("alternative", "notice"), followed())
def test_an_alternative_names_a_number_of_the_notice_below(alternative, notice):
    wanted = numbers(notice)
    named = any(same(a, b) for a in numbers(alternative) for b in wanted)
    counted = any(alternative.startswith(words) for words in ELSEWHERE_COUNTED)
    assert not wanted or named != counted, (sorted(wanted), alternative)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("At $d = 1024$ it is 32, as in notebook 03 (2017).", {"1024", "32"}),
        ("from 180 MiB to 49,141 words, −3 and 0.46.", {"180", "49141", "-3", "0.46"}),
        ("head 2x, [the 9](x_08.ipynb)", set()),
    ],
)
def test_numbers_are_found_as_they_are_written(text, found):
    assert numbers(text) == found


def test_a_number_may_be_rounded_but_not_to_a_single_digit():
    assert same("32.15", "32")
    assert same("31.1", "31.11")
    assert same("0.5", "0.50")
    assert not same("5.25", "5")
    assert not same("0.46", "0.47")


def read(table):
    """A table's caption, its columns' names, and {row's name: its cells}."""
    tree = ET.fromstring(table)
    top, *rows = tree.iter("tr")
    assert {head.get("scope") for head in top} == {"col"}
    assert {row[0].get("scope") for row in rows} == {"row"}
    cells = {row[0].text: [cell.text for cell in row[1:]] for row in rows}
    return tree.find("caption").text, [head.text for head in top][1:], cells


def test_a_table_holds_the_numbers_that_are_drawn():
    A = np.array([[0.254, 0.746], [np.nan, 1.0]])
    (table,) = heatmap(A, ["I", "<b>"], title="weights").tables
    assert read(table) == (
        "weights",
        ["I", "<b>"],
        {"I": ["0.25", "0.75"], "<b>": ["hidden", "1.00"]},
    )
    (table,) = lines([1, 2], {"a": [3, 1234.5]}, "step", "loss").tables
    assert read(table) == ("loss over step", ["a"], {"1": ["3"], "2": ["1.23e+03"]})


def test_a_large_table_is_thinned_and_tells_the_largest_of_each_row():
    values = np.zeros((50, 40))
    values[0, 7] = 3
    caption, columns, rows = read(tabulate("A", "i, j", range(50), range(40), values))
    assert caption == f"A ({MOST_ROWS} of 50 rows and {MOST_COLUMNS} of 40 columns)"
    assert len(columns) == MOST_COLUMNS + 1
    assert (columns[0], columns[-2:]) == ("0", ["39", "largest"])
    assert len(rows) == MOST_ROWS
    assert {"0", "49"} <= set(rows)
    assert rows["0"][-1] == "3.00 at 7"


def test_values_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"values: got \(1, 2\), wanted \(2, 1\)"):
        tabulate("A", "", ["a", "b"], ["c"], [[1, 2]])


DRAWINGS = ("X (T, D) goes through", "The machine:", "Encoder and decoder")


def test_every_stored_picture_of_numbers_has_its_tables():
    pictures = [
        (output["data"]["text/plain"], output["data"]["text/html"])
        for name in NOTEBOOKS
        for cell in notebook(name).cells
        if cell.cell_type == "code"
        for output in filter(is_figure, cell.outputs)
    ]
    bare = [words for words, page in pictures if "<table>" not in page]
    assert all(words.startswith(DRAWINGS) for words in bare), bare
    for _, page in pictures:
        for table in re.findall(r"<table>.*?</table>", page):
            _, columns, rows = read(table)
            assert len(rows) <= MOST_ROWS
            assert len(columns) <= MOST_COLUMNS + 1
            assert all(len(row) == len(columns) for row in rows.values())

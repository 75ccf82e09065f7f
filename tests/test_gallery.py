"""The gallery shows what known mistakes do; a sentence is true of the right table alone."""

import re
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from helpers import ROOT

from course_utils.exercises import EXERCISES

sys.path.insert(0, str(ROOT / "scripts"))
from exporting import gallery

every_exhibit = pytest.mark.parametrize(
    "exhibit", gallery.EXHIBITS, ids=[f"{one.exercise}-{one.mistake}" for one in gallery.EXHIBITS]
)


def test_some_twenty_are_shown_each_once():
    shown = [(one.exercise, one.mistake) for one in gallery.EXHIBITS]
    assert 20 <= len(set(shown)) == len(shown) <= 28
    assert len({one.exercise for one in gallery.EXHIBITS}) >= 10


@every_exhibit
def test_what_a_sentence_says_holds_for_the_right_table_and_not_for_the_wrong_one(exhibit):
    tables = exhibit.tables()
    assert exhibit.law(tables["right"])
    assert not exhibit.law(tables["wrong"])
    assert np.abs(tables["right"] - tables["wrong"]).max() > 0.1, "seen at a glance"
    assert re.fullmatch(r"[^.?]+(?:\. [^.?]+)?\.", exhibit.says)


@every_exhibit
def test_both_tables_are_computed_by_the_exercise_and_its_mistake(exhibit):
    exercise = EXERCISES[exhibit.exercise]
    (mistake,) = [m for m in exercise.mistakes if m.name == exhibit.mistake]
    for name, function in (("right", exercise.reference), ("wrong", mistake.function)):
        np.testing.assert_array_equal(
            exhibit.tables()[name], np.asarray(exhibit.table(function(*exhibit.arguments)), float)
        )


@every_exhibit
def test_a_drawing_shows_every_number_of_its_table_in_one_scale(exhibit):
    drawn = [ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", exhibit.drawings())]
    for svg, (name, table) in zip(drawn, exhibit.tables().items(), strict=True):
        assert svg.get("aria-label").startswith((name, exhibit.axes[1]))
        if not exhibit.large:
            numbers = [
                text.text
                for text in svg.iter("text")
                if re.fullmatch(r"-?\d\.\d\d", text.text or "")
            ]
            assert numbers == [f"{value:z.2f}" for value in table.ravel()]


def test_the_sheets_hold_all_and_need_no_other_file():
    sheet = gallery.sheet()
    assert all(f"<code>{one.exercise}</code>: {one.mistake}" in sheet for one in gallery.EXHIBITS)
    no_icon = sheet.replace('<link rel="icon" href="data:,">', "")  # so that none is asked for
    assert not re.search(r"<script|<link|src=|url\(|https?:", no_icon)
    assert "@page" in sheet
    assert sheet.count("<figure>") == gallery.page().count("<figure>") == len(gallery.EXHIBITS)

"""Every number in a text cell of a lecture is computed there, or its sentence is held by the lecture's own test."""

import importlib
import re

import pytest
from helpers import MAIN, cells, shown

NO_NUMBER = "|".join([
    r"_\{[^}]*\}", r"\b(?:19[5-9]\d|20[12]\d|200[1-9])\b",               # indices, years
    r"\[\d\d [^]]*\]\([^)]*\)", r"\]\([^)]*\)", r"^# \d\d", r"notebooks? \d\d", r"\*\*Further reading.*",    # notebooks and other texts
    r"\*\*Minutes:\*\*.*", r"### Exercise.*", r"\bClaim [A-K]\d+\w?", r"^\d\. ", r"`[^`]*`",
])
NUMBER = r"(?<![\w.])\d*\.?\d+"


def plain(number):
    return number.lstrip("0") or "0"


@pytest.mark.parametrize("name", MAIN)
def test_a_number_in_a_text_is_computed(name):
    computed = {plain(n) for cell in cells(name, "code") for n in re.findall(NUMBER, cell.source + shown(cell))}
    said = importlib.import_module(f"test_lecture_{name[:2]}").SAID
    for cell in cells(name, "markdown"):
        text = cell.source
        for sentence in said:
            text = text.replace(sentence, "")
        text = re.sub(NO_NUMBER, "", text, flags=re.M)
        assert {plain(n) for n in re.findall(NUMBER, text)} <= computed, cell.id

"""The words of a short list do not occur in the notebooks; and the help that looks for them and for
sentences without a verb finds both."""

import re

import pytest
from helpers import NOTEBOOKS, script

prose = script("prose.py")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_no_notebook_uses_a_word_of_the_list(name):
    text = prose.prose(NOTEBOOKS[name])
    assert [re.findall(rf"(?i)\b(?:{word})\b", text) for word in prose.WORDS] == [[]] * len(
        prose.WORDS
    )


def test_a_sentence_without_a_verb_and_a_word_of_the_list_are_flagged():
    known = prose.verbs(["It moves the word. We turn."])
    text = "The word moves. Turning it is cheap. No word of the row! It shall turn.\n\nA heading"
    assert prose.look_over(text, known) == [
        "no verb: No word of the row!",
        "shall (should, must, will): It shall turn.",
    ]


def test_it_prints_what_it_finds_and_always_succeeds(capsys, monkeypatch):
    monkeypatch.setattr(prose, "WORDS", {"attention": "look"})
    assert prose.main([str(NOTEBOOKS["01_self_attention"])]) is None
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("01: attention (look): ") for line in lines)


def test_code_formulas_and_headings_are_no_prose():
    text = prose.prose(NOTEBOOKS["01_self_attention"])
    assert "Self-attention: let each word" not in text
    assert not re.search(r"[`$|]|^#", text, flags=re.MULTILINE)

"""The notebooks judge each claim once, and show of it what is measured."""

import re

import pytest
from helpers import NOTEBOOKS, cells, prose, shown
from planting import APPENDIX, home

from course_utils.cards.verdicts import claims, judge

GONE = re.compile(r"\*\*Claim [A-Z]\d|\bclaims? [A-Z]\d+\b|\([A-K]\d+(?: (?:to|and) [A-K]\d+)?\)")


def judged(name):
    """[(claim, what its card says as text)] of a notebook."""
    texts = [shown(cell) for cell in cells(name, "code")]
    found = [
        (re.search(r"^Claim ([A-Z]\d+[ab]?), ", text, flags=re.MULTILINE), text) for text in texts
    ]
    return [(match[1], text) for match, text in found if match]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_judges_its_own_claims_and_each_once(name):
    assert sorted(claim for claim, _ in judged(name)) == sorted(
        claim for claim in claims() if home(claim) == name
    )


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_card_quotes_the_sentence_whole(name):
    for claim, text in judged(name):
        assert f"“{claims()[claim]['claim']}”" in text
        assert f"Asked: {claims()[claim]['asked']}" in text


@pytest.mark.parametrize(
    "claim", [c for c, about in claims().items() if about["kind"] in ("typically", "because")]
)
def test_a_stored_count_is_shown_as_it_is_stored(claim):
    [text] = [text for told, text in judged(home(claim)) if told == claim]
    assert repr(judge(claim)) in text


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_no_text_names_a_claim_by_its_number(name):
    assert not GONE.findall(prose(name))


def test_the_appendix_names_every_lecture_that_teaches_a_part_of_the_notes():
    assert set(re.findall(r"\]\((\w+)\.ipynb\)", prose(APPENDIX))) >= {
        n for n in NOTEBOOKS if "01" <= n[:2] <= "09"
    }

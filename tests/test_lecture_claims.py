"""The notebooks judge each claim once, and show of it what is measured."""

import re

import pytest
from helpers import NOTEBOOKS, cells, notebook, prose, shown
from lecture import WORDS_A_MINUTE
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


def test_the_appendix_is_read_in_the_ten_minutes_that_it_promises():
    assert "It takes ten minutes" in prose(APPENDIX)
    assert sum(len(text.split()) for text in seen_at_once(APPENDIX)) <= 10 * WORDS_A_MINUTE


def seen_at_once(name):
    """All texts that a reader sees who opens nothing: cells, what they print, cards unfolded."""
    for cell in notebook(name).cells:
        if cell.cell_type == "markdown":
            yield re.sub(r"\]\([^)]*\)", "]", cell.source)
        for output in cell.get("outputs", []):
            page = output.get("data", {}).get("text/html")
            page = page and re.sub(r"<(details|style|script)\b.*?</\1>", "", page, flags=re.DOTALL)
            yield re.sub(r"<[^>]+>", " ", page) if page else output.get("text", "")


def test_the_appendix_names_every_lecture_that_teaches_a_part_of_the_notes():
    assert set(re.findall(r"\]\((\w+)\.ipynb\)", prose(APPENDIX))) >= {
        n for n in NOTEBOOKS if "01" <= n[:2] <= "09"
    }

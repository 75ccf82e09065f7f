"""The notebooks say of each claim what was measured, and every claim is measured in tests/claims apart from them."""

import json
import re

import pytest
import test_claims_ABC
import test_claims_DEF
import test_claims_GH
import test_claims_IJK
from helpers import NOTEBOOKS, ROOT, cells, mostly, shown
from planting import card

MEASURED = [test_claims_ABC, test_claims_DEF, test_claims_GH, test_claims_IJK]
VERDICTS = {claim: word for module in MEASURED for claim, word in module.VERDICTS.items()}
CLAIMS = json.loads((ROOT / "course_utils" / "cards" / "claims.json").read_text(encoding="utf-8"))
DEFINITIONS = {"B6", "B7"}        # a dictionary of words: nothing to judge
REMARKS = {"F6", "H7"}            # a drawing beside its text, and history: a sentence each
APPENDIX = "A_said_of_attention"


# What turns a sentence round; "nor" goes on with a denial. Of two opposites a quotation says the one that its card says.
DENIAL = r"\b(?:not|no|never|nothing|nobody|none|cannot|neither|fails?)\b|n['’]t\b"
OPPOSITES = [("large", "small"), ("more", "less"), ("increase", "reduce"), ("same", "different"), ("before", "after"), ("fast", "slow"),
             (r"uncorrelated", r"\bcorrelated"), ("vanish", "grow"), ("restores", "changes"), (r"\bone\b", r"\bseveral\b"), ("first", "last")]


def quotations(name):
    """[(claim, its words as a notebook quotes them, in italics)]."""
    paragraphs = re.findall(r"\*\*Claim ([A-Z]\d+[ab]?)\*\*(.*?)(?=\*\*Claim|\Z)", "\n\n".join(cell.source + "\n\n**Claim" for cell in
                                                                                            cells(name, "markdown")), flags=re.DOTALL)
    return [(claim, re.search(r"(?<!\*)\*(?!\*)([^*]+)\*(?!\*)", paragraph)[1]) for claim, paragraph in paragraphs]


def turned(quoted, told):
    """Whether one of two sentences denies what the other says, or says the opposite word."""
    quoted, told = quoted.lower(), told.lower()
    crossed = [pair for pair in OPPOSITES for one, other in (pair, pair[::-1])
               if re.search(one, quoted) and not re.search(one, told) and re.search(other, told) and not re.search(other, quoted)]
    return len(re.findall(DENIAL, quoted)) % 2 != len(re.findall(DENIAL, told)) % 2 or bool(crossed)


def judged(name):
    """[(claim, verdict)] as the cards of a notebook say them."""
    return re.findall(r"^Claim ([A-Z]\d+[ab]?) (holds|depends|fails): true in", "\n".join(map(shown, cells(name, "code"))), flags=re.MULTILINE)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_card_of_a_notebook_says_the_measured_verdict(name):
    cards = judged(name)
    assert cards == [(claim, VERDICTS[claim]) for claim, _ in cards]
    for claim, _ in cards:
        assert any(f"**Claim {claim}**" in cell.source for cell in cells(name, "markdown")), claim


@pytest.mark.parametrize("claim", mostly(VERDICTS, ["A1", "D2", "G2", "I1"]))            # all are run in the appendix itself
def test_the_cells_of_a_claim_come_to_its_verdict_by_themselves(claim):
    assert card(claim, test_claims_GH.FEWER.get(claim, ()), test_claims_GH.NEEDS.get(claim, ())).word == VERDICTS[claim]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_claim_is_quoted_as_its_card_says_it(name):
    assert [claim for claim, quoted in quotations(name) if turned(quoted, CLAIMS[claim]["claim"])] == []


@pytest.mark.parametrize("stands", ["The key is aligned", "Both are aligned: a large product", "We need a nonlinearity", "mistakes are uncorrelated"])
def test_a_sentence_that_is_turned_round_is_seen(stands):
    for one, other in [("is ", "is not "), ("are ", "are not "), ("need ", "do not need "), ("large", "small"), ("uncorrelated", "correlated")]:
        assert turned(stands.replace(one, other), stands) == (one in stands)
    assert not turned(stands, stands)


@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if CLAIMS[claim]["main"]])
def test_a_claim_of_the_main_story_has_its_card_there(claim):
    [name] = [name for name in NOTEBOOKS if name.startswith(CLAIMS[claim]["main"])]
    assert claim in dict(judged(name))


def test_the_appendix_judges_every_claim_once_and_names_the_definitions():
    told = [claim for claim, _ in judged(APPENDIX)]
    assert sorted(told) == sorted(set(CLAIMS) - DEFINITIONS - REMARKS)
    prose = "\n".join(cell.source for cell in cells(APPENDIX, "markdown"))
    assert set(re.findall(r"\*\*Claim ([A-Z]\d+[ab]?)\*\*", prose)) == set(CLAIMS)


def test_every_claim_has_a_verdict_and_a_test():
    tested = {claim for module in MEASURED for name in vars(module) for claim in re.findall(r"^test_([A-Z]\d+[ab]?)_", name)}
    assert tested == set(CLAIMS)
    assert set(VERDICTS) == set(CLAIMS) - DEFINITIONS - REMARKS

"""The notebooks say of each claim what was measured, and every claim is measured in tests/claims apart from them."""

import json
import re

import pytest
import test_claims_ABC
import test_claims_DEF
import test_claims_GH
import test_claims_IJK
from helpers import NOTEBOOKS, ROOT, cells, shown

MEASURED = [test_claims_ABC, test_claims_DEF, test_claims_GH, test_claims_IJK]
VERDICTS = {claim: word for module in MEASURED for claim, word in module.VERDICTS.items()}
CLAIMS = json.loads((ROOT / "course_utils" / "cards" / "claims.json").read_text(encoding="utf-8"))
DEFINITIONS = {"B6", "B7"}        # a dictionary of words: nothing to judge
REMARKS = {"F6", "H7"}            # a drawing beside its text, and history: a sentence each
APPENDIX = "A_said_of_attention"


def judged(name):
    """[(claim, verdict)] as the cards of a notebook say them."""
    return re.findall(r"^Claim ([A-Z]\d+[ab]?) (holds|depends|fails): true in", "\n".join(map(shown, cells(name, "code"))), flags=re.MULTILINE)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_card_of_a_notebook_says_the_measured_verdict(name):
    cards = judged(name)
    assert cards == [(claim, VERDICTS[claim]) for claim, _ in cards]
    for claim, _ in cards:
        assert any(f"**Claim {claim}**" in cell.source for cell in cells(name, "markdown")), claim


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

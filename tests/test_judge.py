"""A verdict follows from measured cases and from nothing else."""

import json
import linecache
import re

import numpy as np
import pytest
from helpers import ROOT
from hypothesis import given
from hypothesis import strategies as st

from course_utils.arguments import ArgumentError
from course_utils.cards.verdicts import claims, judge

X = np.array([[1.0, 2.0], [3.0, 4.0]])
YES, NO = X.min() > 0, X.max() < 0              # measured, if not much
NOTES = {"000", "001", "002", "003", "004"}
TODAY = "IJK"          # claims on today's models: from public sources, not from the notes


def refusal(call):
    """The one sentence that an ArgumentError says."""
    with pytest.raises(ArgumentError) as error:
        call()
    assert "\n" not in str(error.value)
    return str(error.value)


# The verdict

@given(st.lists(st.booleans(), min_size=2, max_size=6))
def test_the_word_follows_from_the_cases_whatever_they_are(truths):
    verdict = judge("C1", {f"case {i}": truth for i, truth in enumerate(truths)})
    assert verdict.word == ("holds" if False not in truths else "depends" if True in truths else "fails")
    assert [holds for _, holds, _ in verdict.cases] == truths


@pytest.mark.parametrize(("best", "worst", "word"), [(3.9, 4.1, "holds"), (3.9, 9.0, "depends"), (9.0, 3.9, "depends"), (9.0, 8.0, "fails")])
def test_a_planted_wrong_measurement_flips_the_verdict(best, worst, word):
    assert judge("C1", {"best": (abs(best - 4) < 0.5, best), "worst": (abs(worst - 4) < 0.5, worst)}).word == word


def test_a_planted_wrong_measurement_of_the_mended_sentence_is_not_shown():
    def mended(spread):
        return judge("C2", {"eight heads": NO, "one head": YES}, instead=("Divide by √d_k.", {"one": abs(spread - 1) < 0.1, "eight": YES}))
    assert mended(1.02).instead[0] == "Divide by √d_k."
    assert "does not hold in 'one'" in refusal(lambda: mended(0.35))


def test_it_says_the_claim_and_where_it_is_said():
    verdict = judge("A2", {"three words": YES, "random rows": YES})
    assert (verdict.id, verdict.claim, verdict.where) == ("A2", claims()["A2"]["claim"], claims()["A2"]["where"])
    assert judge("A4", {"three words": YES, "random rows": YES}).claim != verdict.claim


# What is shown

SHOWN = """\
Claim C1 depends: true in 1 of 3 cases
{claim} ({where})
  ✓ independent: 64.1
  ✗ k = q: 2 of 10
  ✗ mean 1
Instead: The mended sentence.
  ✓ independent: 1
  ✓ k = q"""


def shown_verdict():
    cases = {"independent": (YES, 64.123), "k = q": (NO, "2 of 10"), "mean 1": NO}
    return judge("C1", cases, instead=("The mended sentence.", {"independent": (YES, 1.0), "k = q": YES}))


def test_the_plain_text_says_claim_verdict_and_each_case_with_its_truth_and_number():
    assert repr(shown_verdict()) == SHOWN.format(**claims()["C1"])
    assert "Instead" not in repr(judge("C1", {"a": YES, "b": NO}))


def test_the_card_says_the_same():
    words = re.sub(r"<[^>]+>", " ", shown_verdict()._repr_html_())
    for said in ["Claim C1 depends", "independent", "64.1", "k = q", "2 of 10", "mean 1", "Instead", "The mended sentence."]:
        assert said in words
    assert words.count("✓") == 3
    assert words.count("✗") == 2
    assert "Instead" not in judge("C1", {"a": YES, "b": NO})._repr_html_()


@pytest.mark.parametrize(("number", "text"), [
    (0.123456, "0.123"), (2, "2"), (np.float64(8.0), "8"), (np.int64(1024), "1,020"), (-0.5, "-0.5"), (0, "0"), (0.0, "0"),
    (1e-17, "1e-17"), (1.23456e-5, "1.23e-05"), (6.4e9, "6.4e+09"), (np.inf, "inf"), (np.nan, "nan"), ("7 of 10 starts", "7 of 10 starts"),
])
def test_numbers_have_three_digits_and_strings_stay(number, text):
    assert judge("C1", {"a": (YES, number), "b": YES}).cases[0] == ("a", True, text)


# What is refused

@pytest.mark.parametrize("claim_id", ["C99", "", None, 1, ["C1"], "c1"])
def test_an_unknown_id_is_refused(claim_id):
    assert refusal(lambda: judge(claim_id, {"a": YES, "b": YES})).startswith("claim_id: got ")


@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two_cases_are_refused(n):
    few = dict(list({"a": YES, "b": YES}.items())[:n])
    assert "at least two" in refusal(lambda: judge("C1", few))
    assert "at least two" in refusal(lambda: judge("C1", {"a": NO, "b": NO}, instead=("So.", few)))


@pytest.mark.parametrize("measured", [None, 1, 0, 1.0, np.float64(1), np.nan, "True", "", [True], np.array([YES, NO]), (), (None, 3), ((YES, 1), 2)])
def test_what_is_no_truth_is_refused(measured):
    for cases in ({"a": YES, "b": measured}, {"a": measured, "b": YES}):
        assert "True or False, as measured" in refusal(lambda cases=cases: judge("C1", cases))
        assert "instead of claim C1" in refusal(lambda cases=cases: judge("C1", {"a": NO, "b": NO}, instead=("So.", cases)))


@pytest.mark.parametrize("measured", [(YES, None), (YES, True), (YES, [1]), (YES, 1, 2), ()])
def test_what_decided_is_one_number_or_a_string(measured):
    assert "claim C1" in refusal(lambda: judge("C1", {"a": YES, "b": measured}))


@pytest.mark.parametrize("cases", [None, YES, [YES, NO], {1: YES, 2: NO}, {"": YES, "b": NO}, {" ": YES, "b": NO}])
def test_cases_are_named_in_words(cases):
    assert "{case in words: measured truth}" in refusal(lambda: judge("C1", cases))


@pytest.mark.parametrize("instead", ["So.", ("So.",), ({"a": YES, "b": YES}, "So."), (" ", {"a": YES, "b": YES}), ("So.", {"a": YES}, 1), False])
def test_a_mended_sentence_comes_with_its_cases(instead):
    assert "the mended sentence" in refusal(lambda: judge("C1", {"a": NO, "b": NO}, instead=instead))


def test_what_holds_needs_no_mending():
    assert "holds in all its cases" in refusal(lambda: judge("C1", {"a": YES, "b": YES}, instead=("So.", {"a": YES, "b": YES})))


# A constant, and what is said of it.
CONSTANTS = {"True": "True", "not False": "not False", "1 < 2": "1 < 2", "(True, yes)": "True", "'a'.isalpha()": "'a'.isalpha()"}


def written(source):
    """Run a source that Python can read again, as it can a file's or a cell's."""
    name = f"<written {len(linecache.cache)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    space = {"judge": judge, "yes": YES, "no": NO}
    exec(compile(source, name, "exec"), space)
    return space.get("verdict")


@pytest.mark.parametrize("constant", CONSTANTS)
@pytest.mark.parametrize("call", [
    'verdict = judge("C1", {"a": yes, "b": @})',
    'verdict = judge("C1", {"a": @, "b": yes})',
    'verdict = judge("C1", cases={"a": yes, "b": @})',
    'verdict = judge("C1", {"a": yes, "b": no}, instead=("So.", {"a": yes, "b": @}))',
    'verdict = judge("C1", {"a": yes, "b": no}, ("So.", {"a": @, "b": yes}))',
    'verdict = judge("C1", {name: @ for name in "ab"})',
    'cases = {"a": yes, "b": @}\nverdict = judge("C1", cases)',
    'def f():\n    cases = {"a": yes, "b": @}\n    return judge("C1", cases)\nverdict = f()',
])
def test_a_constant_is_no_measurement(call, constant):
    assert written(call.replace("@", "yes" if "instead" in call or "So." in call else "no")).word == "depends" or "for name" in call
    assert f"got {CONSTANTS[constant]}, written down, wanted a measurement" in refusal(lambda: written(call.replace("@", constant)))


def test_what_looks_at_something_is_a_measurement():
    for expression in ["len('ab') == 2", "yes", "not no", "(yes, 3)", "3 < 4 * yes"]:
        assert written(f'verdict = judge("C1", {{"a": yes, "b": {expression}}})').word in ("holds", "depends")


def test_cases_of_another_function_are_not_mistaken_for_the_callers():
    other = 'def other():\n    cases = {"a": True}\n'
    assert written(other + 'def f():\n    cases = {"a": yes, "b": no}\n    return judge("C1", cases)\nverdict = f()').word == "depends"


def test_without_the_source_the_constant_passes_and_all_else_is_checked():
    space = {"judge": judge}
    exec('verdict = judge("C1", {"a": True, "b": False})', space)
    assert space["verdict"].word == "depends"
    assert "at least two" in refusal(lambda: exec('judge("C1", {"a": True})', space))


# The claims themselves

def test_every_claim_has_its_words_its_place_and_its_notebook():
    of_notes = [claim_id for claim_id in claims() if claim_id[0] not in TODAY]
    assert len(of_notes) == 59
    for claim_id, claim in claims().items():
        assert set(claim) == {"claim", "where", "main"}
        assert re.match(r"[A-Z‘(].*\.$", claim["claim"])
        assert bool(set(re.findall(r"\b00\d\b", claim["where"])) & NOTES) == (claim_id in of_notes)
        assert claim["main"] is None or re.fullmatch(r"\d\d", claim["main"])


def test_the_claims_are_ordered_as_the_lectures_and_valid_json():
    text = (ROOT / "course_utils" / "cards" / "claims.json").read_text(encoding="utf-8")
    assert json.loads(text) == claims()
    letters = [claim_id[0] for claim_id in claims() if claim_id != "V1"]
    assert letters == sorted(letters)

"""A sentence is judged by the logic that it has: each kind by its own evidence, and by no other."""

import itertools
import json
import re

import numpy as np
import pytest
from helpers import ROOT
from hypothesis import given
from hypothesis import strategies as st

from course_utils.arguments import ArgumentError
from course_utils.cards import verdicts
from course_utils.cards.evidence import (
    Control,
    Conventions,
    Sample,
    Witness,
    apart,
    search,
    turn,
    wilson,
)
from course_utils.cards.verdicts import KINDS, claims, judge

CLAIM_OF = {"definition": "B6", "always": "C1", "can": "C5a", "typically": "K1", "because": "E5"}
NOTES = {"000", "001", "002", "003", "004"}


def small(x):
    return abs(x).max() < 5


def grow(rng, size):
    return rng.uniform(0, size, 2)


def corner(size):
    return [np.array([size, 0])]


def found(sizes=range(1, 10), holds=small, **changed):
    return search(holds, "two numbers", "a number of {}", sizes, grow, corner, **changed)


EVIDENCE = {
    "definition": Conventions({"one book": "scores", "another": "weights"}),
    "always": found(),
    "can": Witness("a row", True, 0.5),
    "typically": Sample("all rows", 0, {"rows": (8, 10)}),
    "because": Control(
        ("with", "without"), "runs", ((10, 10), (0, 10)), {"float32": ((10, 10), (9, 10))}
    ),
}


def refusal(call):
    """The one sentence that an ArgumentError says."""
    with pytest.raises(ArgumentError) as error:
        call()
    assert "\n" not in str(error.value)
    return str(error.value)


# Each kind takes its own evidence only


@pytest.mark.parametrize(("kind", "other"), itertools.product(KINDS, KINDS))
def test_evidence_of_another_kind_is_refused(kind, other):
    if kind == other:
        assert judge(CLAIM_OF[kind], EVIDENCE[kind]).kind == kind
    else:
        said = refusal(lambda: judge(CLAIM_OF[kind], EVIDENCE[other]))
        assert f"evidence for {CLAIM_OF[kind]}: got {type(EVIDENCE[other]).__name__}" in said
        assert KINDS[kind][1] in said


@pytest.mark.parametrize("evidence", [{"a": True}, (8, 10), True, [EVIDENCE["always"]], "so", 0.5])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_evidence_is_refused(kind, evidence):
    assert "evidence for" in refusal(lambda: judge(CLAIM_OF[kind], evidence))


@pytest.mark.parametrize("claim", ["D2", "F7", "G1"])
def test_nothing_is_stored_of_what_a_lecture_measures(claim):
    assert "got nothing" in refusal(lambda: judge(claim))


@pytest.mark.parametrize("claim_id", ["C99", "", None, 1, ["C1"], "c1"])
def test_an_unknown_id_is_refused(claim_id):
    assert refusal(lambda: judge(claim_id, EVIDENCE["always"])).startswith("claim_id: got ")


# Shares


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [  # Wilson (1927), by statsmodels' proportion_confint(method="wilson")
        (0, 10, 0, 0.2775),
        (10, 10, 0.7225, 1),
        (5, 10, 0.2366, 0.7634),
        (8, 10, 0.4902, 0.9433),
        (11, 24, 0.2789, 0.6493),
    ],
)
def test_the_interval_is_wilson_s(k, n, low, high):
    np.testing.assert_allclose(wilson(k, n), (low, high), atol=5e-5)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_turns_round_with_it(count):
    k, n = count
    low, high = wilson(k, n)
    assert 0 <= low <= k / n <= high <= 1
    np.testing.assert_allclose(wilson(n - k, n), (1 - high, 1 - low), atol=1e-12)


def test_nineteen_of_twenty_intervals_hold_the_true_share():
    rng = np.random.default_rng(0)
    for share in (0.1, 0.5, 0.9):
        held = [
            wilson(int(k), 40)[0] <= share <= wilson(int(k), 40)[1]
            for k in rng.binomial(40, share, size=2000)
        ]
        assert 0.93 < np.mean(held) < 0.98


@pytest.mark.parametrize(
    "count", [(11, 10), (-1, 10), (0, 0), (1.5, 10), (True, 10), (1,), "1 of 2"]
)
def test_what_is_no_count_is_refused(count):
    pair = ((1, 2), (1, 2))
    assert "0 <= k <= n" in refusal(lambda: Sample("all", 0, {"rows": count}))
    assert "0 <= k <= n" in refusal(
        lambda: Control(("a", "b"), "runs", (count, (1, 2)), {"c": pair})
    )
    assert "0 <= k <= n" in refusal(
        lambda: Control(("a", "b"), "runs", pair, {"c": ((1, 2), count)})
    )
    assert "0 <= k <= n" in refusal(lambda: Witness("a row", True, often=count))


# Always


def test_a_search_finds_the_smallest_size_in_each_dtype():
    evidence = search(
        lambda x: np.isfinite(x).all(),
        "one number",
        "{}",
        [1, 100, 65504, 65520, 10**6],
        grow,
        lambda size: [np.array([size])],
        dtypes=("float16", "float64"),
    )
    assert evidence.found == {"float16": 65520, "float64": None}
    assert judge("C1", evidence).rows == (
        (False, "in float16", "65,520"),
        (True, "in float64", "no counterexample"),
    )


def test_a_random_input_is_found_where_no_corner_breaks_it():
    evidence = search(
        lambda x: x.sum() < 8,
        "two numbers",
        "{}",
        range(1, 10),
        grow,
        lambda size: [np.zeros(2)],
        tries=200,
    )
    assert set(evidence.breaks.values()) <= {5, 6}
    assert len(evidence.breaks) == 2


def test_a_search_that_finds_nothing_says_among_how_many_inputs():
    verdict = judge("C1", found(sizes=range(1, 5)))
    assert (
        verdict.heading == "No counterexample in 32 inputs"
    )  # two dtypes, four sizes, one corner and three draws
    assert {truth for truth, *_ in verdict.rows} == {True}


def test_the_same_seed_finds_the_same_and_stops_at_the_first():
    assert found() == found()
    assert found().tried == 2 * 5 * 4


def test_a_condition_is_told_only_if_it_holds():
    evidence = found().holds_if("both are below 5", found(sizes=range(1, 5)))
    assert (
        "It holds if both are below 5: no counterexample in 32 inputs"
        in judge("C1", evidence).notes[1]
    )
    assert "without a counterexample" in refusal(
        lambda: found().holds_if("both are below 8", found(sizes=range(1, 8)))
    )
    assert "none: no counterexample" in refusal(
        lambda: found(sizes=[1]).holds_if("small", found(sizes=[1]))
    )
    assert "what `search` gives back" in refusal(lambda: found().holds_if("small", True))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dtypes": ["float64"]}, "two or more"),
        ({"dtypes": ["float64", "float64"]}, "two or more"),
        ({"sizes": []}, "growing order"),
        ({"sizes": [3, 2]}, "growing order"),
    ],
)
def test_a_search_without_dtypes_or_order_is_refused(changed, said):
    assert said in refusal(lambda: found(**changed))


def test_a_search_without_corners_or_words_is_refused():
    assert "at least one" in refusal(lambda: search(small, "two", "{}", [1], grow, lambda size: []))
    assert "words" in refusal(lambda: search(small, "", "{}", [1], grow, corner))


# Definition, can, typically


def test_a_definition_needs_two_conventions_that_differ():
    assert "2 or more" in refusal(lambda: Conventions({"one book": "scores"}))
    assert "differ" in refusal(lambda: Conventions({"one book": "scores", "another": "scores"}))


@pytest.mark.parametrize("kind", ["definition", "typically", "because", "can"])
def test_only_what_is_searched_has_marks(kind):
    verdict = judge(CLAIM_OF[kind], EVIDENCE[kind])
    assert not set("✓✗") & set(repr(verdict) + verdict._repr_html_())


def test_a_witness_settles_it_and_none_refutes_nothing():
    assert judge("C5a", Witness("a row", True)).heading == "Yes, it can"
    assert (
        judge("C5a", Witness("a row", np.bool_(False))).heading
        == "No witness yet; that refutes nothing"
    )
    assert judge("C5a", Witness("a row", True, 0.5, (3, 4))).notes == (
        "How often: 3 of 4 (95 % sure: 30 % to 95 % of all such cases).",
    )
    assert "as measured" in refusal(lambda: Witness("a row", 1))


def test_a_sample_says_k_of_n_with_its_interval_and_whence():
    verdict = judge("K1", Sample("sixty countries", 0, {"capitals": (11, 24), "at 1": (0, 9)}))
    assert verdict.heading == "11 of 24: capitals"
    assert verdict.rows == (
        ("capitals", "11 of 24 (95 % sure: 28 % to 65 % of all such cases)"),
        ("at 1", "0 of 9 (95 % sure: 0 % to 30 % of all such cases)"),
    )
    assert verdict.notes == ("The sample is sixty countries (seed 0).",)


@pytest.mark.parametrize(
    ("population", "seed", "counts"),
    [
        ("", 0, {"a": (1, 2)}),
        (None, 0, {"a": (1, 2)}),
        ("all", None, {"a": (1, 2)}),
        ("all", "", {"a": (1, 2)}),
        ("all", 0, {}),
        ("all", 0, (1, 2)),
    ],
)
def test_a_sample_without_population_seed_or_counts_is_refused(population, seed, counts):
    refusal(lambda: Sample(population, seed, counts))


# Because


def test_the_smallest_change_that_turns_it_is_the_first_without_a_difference():
    changes = {
        "float32": ((10, 10), (0, 10)),
        "Adam": ((9, 10), (7, 10)),
        "another loss": ((10, 10), (10, 10)),
    }
    verdict = judge("E5", Control(("two heads", "one head"), "runs", ((10, 10), (0, 10)), changes))
    assert verdict.heading == "10 of 10 with two heads, 0 of 10 with one head"
    assert verdict.notes == (
        "The rows go from the smallest change to the largest. The first without a clear"
        " difference is: Adam.",
    )
    assert [row[-1] for row in verdict.rows] == ["", "", *2 * ["no clear difference"]]


def test_a_row_in_which_fewer_runs_do_it_with_the_cause_is_the_other_way_round():
    changes = {"less": ((0, 100), (50, 100))}
    verdict = judge("E5", Control(("a", "b"), "runs", ((10, 10), (0, 10)), changes))
    assert verdict.rows[-1][-1] == "the other way round"


@pytest.mark.parametrize(
    ("base", "change", "note"),
    [
        (
            ((6, 10), (4, 10)),
            ((6, 10), (4, 10)),
            "With and without do not differ by more than chance.",
        ),
        (
            ((10, 10), (0, 10)),
            ((10, 10), (1, 10)),
            "No change that was tried takes the difference away.",
        ),
        (
            ((0, 10), (10, 10)),
            ((0, 10), (10, 10)),
            "With and without do not differ by more than chance.",
        ),  # the other way round
    ],
)
def test_without_a_difference_nothing_is_turned(base, change, note):
    assert judge("E5", Control(("a", "b"), "runs", base, {"one": change})).notes == (note,)


@pytest.mark.parametrize(
    ("sides", "base", "changes"),
    [
        (("a",), ((1, 2), (1, 2)), {"one": ((1, 2), (1, 2))}),
        (("a", "a"), ((1, 2), (1, 2)), {"one": ((1, 2), (1, 2))}),
        (("a", "b"), ((1, 2),), {"one": ((1, 2), (1, 2))}),
        (("a", "b"), ((1, 2), (1, 2)), {}),
        (("a", "b"), ((1, 2), (1, 2)), {"one": (1, 2)}),
    ],
)
def test_a_cause_without_its_control_is_refused(sides, base, changes):
    refusal(lambda: Control(sides, "runs", base, changes))


def test_apart_are_intervals_that_do_not_meet():
    assert apart((10, 10), (4, 10))
    assert not apart((10, 10), (6, 10))
    assert not apart((0, 10), (10, 10))


def test_a_sentence_turns_where_it_is_true_less_often_by_more_than_chance():
    assert turn({"base": [10, 10], "changes": {"a": [9, 10], "b": [3, 10], "c": [0, 10]}}) == "b"
    assert turn({"base": [5, 10], "changes": {"a": [10, 10]}}) is None


# What is shown

SHOWN = """\
Not always: it breaks at a number of 5
“{claim}”
Asked: {asked}
  ✗ in float32: a number of 5
  ✗ in float64: a number of 5
Searched: two numbers.
It holds if they are small: no counterexample in 16 inputs (two numbers).
Claim C1, {where}"""


def test_the_plain_text_says_sentence_question_finding_and_source():
    evidence = found().holds_if("they are small", found(sizes=[1, 2]))
    assert repr(judge("C1", evidence)) == SHOWN.format(**claims()["C1"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_card_says_the_sentence_whole_and_folds_its_source(kind):
    verdict = judge(CLAIM_OF[kind], EVIDENCE[kind])
    page = verdict._repr_html_()
    before, folded = page.split("<details")
    told = re.sub(r"<[^>]+>", "", before).replace("&amp;", "&")
    plain = re.sub(r"[_^]\{?|[{}]", "", verdict.claim)
    assert plain in re.sub(r"[_^]\{?|[{}]", "", told)
    assert verdict.heading in told
    assert verdict.where not in told
    assert verdict.where in re.sub(r"<[^>]+>", "", folded)


def test_in_the_appendix_the_table_is_folded_and_in_a_lecture_it_is_not():
    brief, whole = judge("A4", found())._repr_html_(), judge("D2", found())._repr_html_()
    assert "in float32" in brief.partition("<details")[2]
    assert "in float32" in whole.partition("<details")[0]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.123456, "0.123"),
        (2, "2"),
        (np.float64(8.0), "8"),
        (np.int64(1024), "1,024"),
        (-0.5, "-0.5"),
        (0, "0"),
        (0.0, "0"),
        (1e-17, "1e-17"),
        (1.23456e-5, "1.23e-05"),
        (6.4e9, "6.4e+09"),
        (np.inf, "inf"),
        (np.nan, "nan"),
        ("7 of 10 starts", "7 of 10 starts"),
    ],
)
def test_numbers_have_three_digits_whole_ones_all_and_strings_stay(number, text):
    assert verdicts.number_text(number) == text


@pytest.mark.parametrize("number", [True, None, [1]])
def test_what_is_no_number_is_refused(number):
    assert "a number, or a string" in refusal(lambda: judge("C5a", Witness("a row", True, number)))


# The claims themselves


def test_every_claim_has_its_kind_its_words_its_question_and_its_source():
    for claim_id, claim in claims().items():
        sample = {"population", "seed", "counts"} if claim["kind"] == "typically" else set()
        assert set(claim) == {"kind", "claim", "asked", "where", "main"} | sample
        assert claim["kind"] in KINDS
        assert claim["asked"].endswith("?")
        assert claim["main"] is None or re.fullmatch(r"\d\d", claim["main"])
        assert set(re.findall(r"\b00\d\b", claim["where"])) <= NOTES
        assert re.fullmatch(r"[A-Z]\d+[ab]?", claim_id)
    assert {claim["kind"] for claim in claims().values()} == set(KINDS)


def test_a_lecture_judges_one_claim_at_most():
    lectures = [claim["main"] for claim in claims().values() if claim["main"]]
    assert len(lectures) == len(set(lectures))


def test_the_claims_are_valid_json_and_in_order():
    text = (ROOT / "course_utils" / "cards" / "claims.json").read_text(encoding="utf-8")
    assert json.loads(text) == claims()
    assert list(claims()) == sorted(claims(), key=lambda claim: (claim[0], int(claim[1]), claim))

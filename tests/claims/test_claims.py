"""What each claim's cell measures: the smallest counterexample and its condition; and a wrong
measurement turns the card.
"""

import numpy as np
import pytest
from planting import card

from course_utils.arguments import ArgumentError
from course_utils.attention import softmax
from course_utils.cards import verdicts
from course_utils.cards.verdicts import KINDS, claims, judge
from course_utils.experts import top_k_gate
from course_utils.positions import sinusoidal_positional_encoding

HALF = "float16"
FOUND = {  # claim: the smallest size that breaks it, in each dtype
    "A4": {"float32": 89, "float64": 710},
    "A6": {"float32": 64, "float64": 64},
    "C1": {"float32": 2, "float64": 2},
    "D2": {"float32": 2, "float64": 2},
    "D3": {"float16": 0, "float32": 0, "float64": 0},
    "F1": {"float32": None, "float64": None},
    "F7": {"float32": 2, "float64": 2},
    "G1": {"float32": 2, "float64": 2},
    "G3": {"float32": 4, "float64": 4},
    "G7": {"float16": 10, "float32": 10**5, "float64": None},
    "H6": {"float32": 4, "float64": 4},
}
WRONG = {  # claim: (what stands in its cell, a wrong measurement, what it then finds)
    "A4": (
        "np.exp(s) / np.exp(s).sum()",
        "np.exp(s - s.max()) / np.exp(s - s.max()).sum()",
        {"float32": None, "float64": None},
    ),
    "A6": ("4 * n * d * d", "8 * n * d * d", {"float32": 32, "float64": 32}),
    "C1": (
        "np.stack([q, q])[..., :d], np.stack([q + 1, k + 1])",
        "np.stack([q, k])",
        {"float32": None, "float64": None},
    ),
    "D2": ("if again else zeroed", "if True else zeroed", {"float32": None, "float64": None}),
    "D3": ("range(least, 17)", "range(1, 17)", dict.fromkeys((HALF, "float32", "float64"))),
    "F1": ("batches.mean(axis=1)", "batches.mean(axis=0)", {"float32": 1, "float64": 1}),
    "F7": (
        "off(two) <",
        "off(two, weights(two[0])) <",
        {"float32": None, "float64": None},
    ),
    "G1": (
        "else outputs - turned",
        "else outputs - turned[::-1]",
        {"float32": None, "float64": None},
    ),
    "G3": ("positions(sinusoids,", "positions(others,", {"float32": None, "float64": None}),
    "G7": (
        "0.01 * np.abs(R @ M)",
        "100 * np.abs(R @ M)",
        {HALF: 10**5, "float32": None, "float64": None},
    ),
    "H6": (
        "np.eye(8), 2) > 0).any(axis=0)",
        "np.eye(8), 1) > 0).any(axis=0)",
        {"float32": 19, "float64": 19},
    ),
}
STORED = [claim for claim, about in claims().items() if about["kind"] in ("typically", "because")]


@pytest.mark.parametrize("claim", FOUND)
def test_the_smallest_counterexample_and_the_condition_are_those_that_the_cell_finds(claim):
    evidence = card(claim).evidence
    assert evidence.found == FOUND[claim]
    assert (evidence.under is not None) == bool(evidence.breaks)
    if evidence.under:
        assert not evidence.under[1].breaks


@pytest.mark.parametrize("claim", WRONG)
def test_a_wrong_measurement_turns_the_card(claim, monkeypatch):
    monkeypatch.setattr(
        verdicts.Search, "holds_if", lambda self, *_: self
    )  # of a wrong search no condition is asked
    verdict = card(claim, WRONG[claim][:2])
    assert verdict.evidence.found == WRONG[claim][2]
    assert verdict.heading != judge(claim, card(claim).evidence).heading


def test_a_wrong_measurement_of_every_claim_is_planted_here():
    assert list(FOUND) == of_kind("always")
    assert list(WRONG) == list(FOUND)
    assert of_kind("can") == ["C5a"]  # planted below
    assert of_kind("definition") == ["B6"]
    assert sorted(STORED) == sorted(of_kind("typically") + of_kind("because"))
    assert len(claims()) == sum(len(of_kind(kind)) for kind in KINDS)


def of_kind(kind):
    return [claim for claim, about in claims().items() if about["kind"] == kind]


# What the counterexamples are, by other means than the notebook's


def test_A4_exp_ends_at_88_and_709():
    with np.errstate(over="ignore"):
        for dtype, last in (("float32", 88), ("float64", 709)):
            assert np.isfinite(np.exp(np.array(last, dtype)))
            assert np.isinf(np.exp(np.array(last + 1, dtype)))


def test_A6_the_products_lead_from_twice_the_width_on():
    for n, d in ((129, 64), (127, 64), (1025, 512), (1023, 512)):
        assert (2 * n * n * d > 4 * n * d * d) == (n > 2 * d)


def test_C1_variance_d_needs_independence_and_mean_0():
    q, k = np.random.default_rng(5).normal(size=(2, 100_000, 16))
    near = [(a * b).sum(axis=1).var() / 16 for a, b in ((q, k), (q, q), (q + 1, k + 1))]
    np.testing.assert_allclose(near, [1, 2, 3], atol=0.05)


def test_D2_zeroed_weights_of_two_tokens_miss_what_the_future_took():
    S = np.array([[0.0, 1.0], [0.0, 0.0]])
    np.testing.assert_allclose(softmax(S)[0, 0], 1 / (1 + np.e))  # and not 1


def test_G3_bit_1_of_four_positions_is_no_sign_of_a_sinusoid():
    signs = sinusoidal_positional_encoding(4, 64) > 0
    assert not any(column.tolist() in ([False, True] * 2, [True, False] * 2) for column in signs.T)


def test_H6_four_tokens_ask_eight_experts_and_a_thousand_draws_of_a_hundred_leave_none():
    rng = np.random.default_rng(3)
    gates = top_k_gate(rng.normal(size=(1000 * 100, 8)), np.eye(8), 2).reshape(1000, 100, 8)
    assert (gates > 0).any(axis=1).all()


def test_C5a_the_witness_flips_where_the_scores_are_small():
    assert card("C5a").heading == "Yes, it can"
    small = card("C5a", (".sum(axis=-1)", ".sum(axis=-1) / 32"))
    assert small.heading == "No witness yet; that refutes nothing"


def test_B6_shows_two_conventions_and_no_mark_and_is_refused_where_they_are_one():
    verdict = card("B6")
    one, other = verdict.evidence.ways.values()
    with pytest.raises(ArgumentError, match="at least two that differ"):
        card("B6", (one, other))
    assert verdict.heading == "Two conventions"
    assert not set("✓✗") & set(repr(verdict) + verdict._repr_html_())


# What is stored


@pytest.mark.parametrize("claim", STORED)
def test_a_wrong_count_turns_the_stored_card(claim, monkeypatch):
    right = judge(claim)
    if right.kind == "typically":
        wrong = {
            key: (
                0
                if key == claims()[claim]["counts"][next(iter(claims()[claim]["counts"]))][0]
                else n
            )
            for key, n in verdicts.starts(claim).items()
        }
        monkeypatch.setattr(verdicts, "starts", lambda _: wrong)
        assert judge(claim).heading.startswith("0 of ")
    else:
        assert right.evidence.differ
        table = verdicts.refuted(claim)
        same = table | {"base": [table["base"][1]] * 2}
        monkeypatch.setattr(verdicts, "refuted", lambda _: same)
        assert judge(claim).notes == ("With and without do not differ by more than chance.",)
        never = table | {"changes": {change: table["base"] for change in table["changes"]}}
        monkeypatch.setattr(verdicts, "refuted", lambda _: never)
        assert judge(claim).notes == ("No change that was tried takes the difference away.",)
    assert judge(claim).heading != right.heading or right.kind == "because"

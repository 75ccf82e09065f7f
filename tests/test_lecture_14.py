"""What notebook 14 says beyond what its cells print: the cache's bytes, outside truth on new
formats, its block as PyTorch's."""

import functools
import math
import re

import lecture
import numpy as np
import pytest
from helpers import cells, notebook, prose, run, run_all, shown

from course_utils import layers
from course_utils.attention import sliding_window_mask
from course_utils.cards import questions
from course_utils.data import smol_pieces
from course_utils.decoding import sharpen
from course_utils.exercises import EXERCISES

NAME = "14_todays_models"
CATCH = EXERCISES["catch_top_p"]
NEW, BLOCK = "What 2024 to 2026 changed", "Today's block, in NumPy and in PyTorch"


@functools.cache
def after(title=None):
    """All names after the core was run, and this section of it."""
    every = notebook(NAME).cells
    own = lecture.sections(every)[title] if title else []
    return run_all(
        [cell.source for cell in [*lecture.core(every), *own] if cell.cell_type == "code"], {}
    )


@pytest.fixture
def room():
    return after()


def printed(part):
    """What the cells that have this part show."""
    return "\n".join(shown(cell) for cell in cells(NAME, "code") if part in cell.source)


# The cache


def test_one_query_with_the_cache_gives_the_last_row(room):
    np.testing.assert_allclose(room["last"], room["outputs"][4], rtol=1e-12)


@pytest.mark.parametrize("H_kv", [9, 3, 1])
def test_the_cache_takes_the_bytes_of_its_arrays(room, H_kv):
    for T in (1, 8192):
        arrays = [np.zeros((2, H_kv, T, 64), dtype=np.float16) for _ in range(30)]
        assert room["cache"](H_kv, T) == sum(array.nbytes for array in arrays)


def test_the_cache_of_a_long_text_outweighs_the_model_only_with_a_head_of_keys_for_each_head(room):
    weights = room["all_weights"]
    assert room["cache"](9, 8192) > weights(9) > weights(3) > room["cache"](3, 8192)


def test_grouped_heads_are_usual_heads_whose_columns_agree():
    names = after("Sharing is no new attention")
    np.testing.assert_allclose(names["shared"], names["usual"], rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(names["K_6"][:3], names["K_6"][[0, 0, 0]])
    assert (names["K_6"][2] != names["K_6"][3]).any()


# The window


def test_three_blocks_of_a_window_reach_as_a_path_through_them_does(room):
    T = len(room["window"])
    hears = [{j for j in range(T) if sliding_window_mask(T, 4)[i, j]} for i in range(T)]
    for _ in range(2):
        hears = [set().union(*(hears[j] for j in range(max(0, i - 3), i + 1))) for i in range(T)]
    assert [set(np.flatnonzero(row)) for row in room["through"]] == hears


# Four bits


def four_weights():
    """The cell of four numbers, run alone."""
    names = {"np": np}
    run(
        next(
            cell.source
            for cell in cells(NAME, "code")
            if "0.05, 0.12, 0.90" in cell.source and "least" in cell.source
        ),
        names,
    )
    return names


def test_none_of_the_four_weights_moved_by_more_than_half_a_step():
    names = four_weights()
    assert (
        np.abs(names["least"] + names["step"] * names["codes"] - names["x"]).max()
        <= names["step"] / 2
    )
    assert names["codes"].max() == 15


def test_who_shares_a_step_decides_at_four_bits(room):
    as_it_comes, a_row, a_matrix, eight_bits, _, two_bits = room["pieces"]["costs"].values()
    guessing = np.log(49152)
    assert as_it_comes < a_row < as_it_comes + 1
    assert min(a_matrix, two_bits) > guessing
    assert eight_bits < as_it_comes + 0.05


def test_a_block_of_the_file_has_what_its_text_says():
    names = after("Read real bytes")
    assert names["packed"].shape == (64, 18, 16)
    assert names["step"].itemsize == names["least"].itemsize == 2
    assert 8 * names["file"] / names["W"].size == 4 + 8 * (2 + 2) / 32


# What 2024 to 2026 changed


def test_a_float_of_four_bits_has_the_values_of_the_published_table():
    names = after(NEW)
    positive = [0, 0.5, 1, 1.5, 2, 3, 4, 6]  # OCP Microscaling Formats 1.0; FP4_VALUES of gpt-oss
    assert names["values"] == positive + [-value for value in positive]
    assert (
        names["scale"] * 6 >= 0.9 > names["scale"] / 2 * 6
    )  # the smallest power of two that reaches the largest weight


def test_what_a_sink_takes_is_lacking_in_the_sum():
    row = np.exp([-2.0, -1.5, -2.5, -1.0, 1.0])
    told = re.search(r"sink +1\.0: weights \[([\d. ]+)\] sum ([\d.]+)", printed("for sink in"))
    assert [float(weight) for weight in told[1].split()] == (row / row.sum())[:-1].round(2).tolist()
    assert float(told[2]) == (1 - row[-1] / row.sum()).round(2)


def test_a_guess_that_is_kept_or_replaced_is_drawn_by_the_large_model_exactly():
    p, q, rest = (after(NEW)[name] for name in ("p", "q", "rest"))
    kept = q * np.minimum(1, p / q)
    np.testing.assert_allclose(kept + (1 - kept.sum()) * rest / rest.sum(), p)
    np.testing.assert_allclose(kept.sum(), np.minimum(p, q).sum())


def test_the_tokens_of_a_step_are_those_of_the_formula():
    counts = re.findall(
        r"alpha ([\d.]+): formula ([\d.]+), counted ([\d.]+)", printed("np.cumprod(kept")
    )
    assert len(counts) == 3
    for alpha, formula, counted in (map(float, row) for row in counts):
        assert formula == pytest.approx(sum(alpha**i for i in range(5)), abs=0.005)
        assert counted == pytest.approx(
            formula, abs=0.02
        )  # 100,000 steps: a standard error of at most 0.006


def test_a_hybrid_keeps_a_quarter_of_the_cache_and_its_matrices():
    kept = [
        [int(number.replace(",", "")) for number in row]
        for row in re.findall(
            r"([\d,]+) tokens: +([\d,]+) MiB if all blocks had it, +([\d,]+) as",
            printed("n_blocks, every"),
        )
    ]
    for T, everywhere, hybrid in kept:
        block = sum(np.zeros((2, T, 256), dtype=np.float16).nbytes for _ in "KV")
        matrices = np.zeros((32, 128, 128), dtype=np.float16).nbytes
        assert everywhere == 48 * block // 2**20
        assert hybrid == (12 * block + 36 * matrices) // 2**20
    assert [T for T, *_ in kept] == [8192, 262144]


def test_a_normed_query_and_key_score_at_most_the_root_of_d():
    names = after("A norm for queries and keys")
    assert np.abs(names["normed"]).max() <= np.sqrt(64) < names["scores"].max() / 1000


# The tail, the gate


def test_the_prediction_on_top_p_and_temperature_says_what_is_computed():
    asked = questions.load("predictions", NAME)["flatter"]
    p = np.array([0.4, 0.3, 0.2, 0.1])
    flatter = sharpen(np.log(p), temperature=2)
    assert (
        "p = 0.65. Temperature 2 first makes them flatter: 0.33, 0.28, 0.23, 0.16."
        in asked["question"]
    )
    assert flatter.round(2).tolist() == [0.33, 0.28, 0.23, 0.16]
    kept = [int((sharpen(np.log(p), temperature, top_p=0.65) > 0).sum()) for temperature in (1, 2)]
    assert [option["text"] for option in asked["options"] if option.get("right")] == [
        "{} and {}".format(*kept)
    ]


def test_the_catch_asks_for_as_many_as_its_text_says():
    assert "Seven wrong versions of `top_p` are hidden" in prose(NAME)
    assert "on which all of them go wrong" in prose(NAME)
    assert CATCH.enough == len(CATCH.planted) == 7


def test_the_gate_is_shut_far_below_zero_and_may_turn_a_sign():
    assert np.abs(layers.silu(np.array([-20.0, 20.0])) - [0, 20]).max() < 1e-6
    assert (layers.silu(np.linspace(-6, -0.1, 60)) < 0).all()


# The block


def test_the_block_is_pytorch_s():
    names = after(BLOCK)
    np.testing.assert_allclose(names["Y"], smol_pieces.load()["block"], rtol=1e-12, atol=1e-12)
    assert names["Y"].shape == (7, 24)


def test_the_block_keeps_the_future_hidden():
    names = after(BLOCK)
    other = names["X"].copy()
    other[-1] += 1
    Y = names["block"](other, names["p"], 6, 2, names["cos"], names["sin"], names["mine"])
    assert (np.abs(Y - names["Y"]).max(axis=1) > 0).tolist() == [False] * 6 + [True]


def test_the_pytorch_text_is_the_one_that_was_run():
    [text] = re.findall(r"```python\n(.*?)```", prose(NAME), flags=re.DOTALL)
    assert text == smol_pieces.load()["text_of_the_block"]
    compile(text, "PyTorch", "exec")
    assert max(map(len, text.splitlines())) <= 88


def test_what_was_shipped_of_the_model_is_what_its_words_say():
    pieces = smol_pieces.load()
    for name in ("steep", "flat"):
        assert len(pieces["words"][name]) == len(pieces[name]) == 200
        assert (np.diff(pieces[name]) <= 0).all()
    assert (pieces["step"] > 0).all()
    assert math.isclose(
        pieces["step"].nbytes + pieces["least"].nbytes + pieces["packed"].nbytes, 64 * 18 * 20
    )
    assert pieces["n_tokens"] == 191

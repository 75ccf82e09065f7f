"""What notebook 14 says in words is computed there; its block is PyTorch's, and its PyTorch text is the one that was run."""

import math
import re

import numpy as np
import pytest
from helpers import cells, names_of, prose, run

from course_utils import layers
from course_utils.attention import sliding_window_mask
from course_utils.cards import questions
from course_utils.data import smol_pieces
from course_utils.decoding import sharpen
from course_utils.exercises import EXERCISES

NAME = "14_todays_models"
FILE = 98_362_432          # bytes of the model's file
CATCH = EXERCISES["catch_top_p"]


@pytest.fixture
def room():
    return names_of(NAME)


# {a sentence of the notebook: what it says, computed from the notebook's own names}
SAID = {
    "Our example is **SmolLM2-135M-Instruct**": lambda n: round(n["total"] / 1e6) == 135,
    "needs more than ten times the model's own file (94 MiB)": lambda n: round(FILE / 2**20) == 94 and 10 * FILE < 2 * 30 * 9 * 64 * 4 * 8192,
    "3 neighbours each head, in SmolLM2": lambda n: 9 // 3 == 3 and n["D"] == 9 * 64,
    "What token 7 heard, it passes on to token 10. Each block reaches three further back.":
        lambda n: reach(n["window"]) == 3 and reach(n["through"]) == 9 and n["window"][10, 7],
    "1,536 is what SmolLM2 has": lambda n: n["d_ff"] == 1536,
    "Nearly shut far below 0, nearly $g$ itself far above. And it may turn a sign":
        lambda n: abs(layers.silu(np.array([-20.0]))[0]) < 1e-6 and abs(layers.silu(np.array([20.0]))[0] - 20) < 1e-6
        and (layers.silu(n["x"][n["x"] < 0]) < 0).all(),
    "How many pairs stay below one turn in 8,192 tokens?": lambda n: n["turns"].shape == (32,),
    "their probabilities, out of 49,152": lambda n: n["total"] == 30 * n["one"] + 49152 * 576 + 576,
    "In the second text many thousand pieces share what the 200 leave.":
        lambda n: (1 - n["pieces"]["flat"].sum()) / n["pieces"]["flat"][-1] > 200,         # even if each had as much as the 200th
    "on which at least six go wrong": lambda n: (CATCH.enough, len(CATCH.planted)) == (6, 7),
    "a **step**, a fifteenth of the way to the largest": lambda n: by_hand(n)[1].max() == 15,
    "and 16 bytes": lambda n: n["packed"].shape == (64, 18, 16),
    "With blocks of 32 it spoils 31 neighbours": lambda n: n["packed"].shape[-1] * 2 == 32,
    "No number moved by more than half a step": lambda n: np.abs(by_hand(n)[0]).max() <= 0.5,
    "clearly worse with a step for each row, worse than guessing with one for the matrix":
        lambda n: costs(n)[0] < costs(n)[1] < costs(n)[0] + 1 and costs(n)[2] > np.log(49152),
    "Eight bits bear even one step a matrix; two are too few even with a step for each 32":
        lambda n: costs(n)[3] < costs(n)[0] + 0.05 and costs(n)[5] > np.log(49152),
    "Four bits for the code, one for its part of the step and the least number: 2 bytes each, for 32.":
        lambda n: n["step"].itemsize == n["least"].itemsize == 2 and 8 * (2 + 2) / 32 == 1 and 8 * n["file"] / n["W"].size == 5,
    "The sigmoid is a share from 0 to 1, silu is not": lambda n: layers.silu(np.array([4.0, -1.0])).round(2).tolist() == [3.93, -0.27],
    "the step of the number type next to 1": lambda n: np.nextafter(1, 2) - 1 == np.finfo(float).eps,
}


def reach(mask):
    """How far back the last token hears."""
    return len(mask) - 1 - int(np.flatnonzero(mask[-1])[0])


def by_hand(n):
    """The cell of four numbers, run alone: how far each moved, in steps, and the codes."""
    names = {"np": np}
    run(next(cell.source for cell in cells(NAME, "code") if "0.05, 0.12" in cell.source), names)
    return (names["least"] + names["step"] * names["codes"] - names["x"]) / names["step"], names["codes"]


def costs(n):
    return list(n["pieces"]["costs"].values())


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_text_says_is_so(room, sentence):
    assert sentence in prose(NAME)
    assert SAID[sentence](room)


def test_three_blocks_of_a_window_reach_as_a_path_through_them_does(room):
    T = len(room["window"])
    hears = [{j for j in range(T) if sliding_window_mask(T, 4)[i, j]} for i in range(T)]
    for _ in range(2):
        hears = [set().union(*(hears[j] for j in range(max(0, i - 3), i + 1))) for i in range(T)]
    assert [set(np.flatnonzero(row)) for row in room["through"]] == hears


def test_the_quiz_on_top_p_says_what_is_computed():
    [asked] = [question for question in questions.load("quizzes", NAME) if "Temperature" in question["question"]]
    p = np.array([0.4, 0.3, 0.2, 0.1])
    flatter = sharpen(np.log(p), temperature=2)
    assert "p = .65. Temperature 2 first makes them flatter, .33, .28, .23, .16." in asked["question"]
    assert flatter.round(2).tolist() == [0.33, 0.28, 0.23, 0.16]
    kept = [int((sharpen(np.log(p), temperature, top_p=0.65) > 0).sum()) for temperature in (1, 2)]
    assert [option["text"] for option in asked["options"] if option.get("right")] == ["{} and {}".format(*kept)]


def test_the_block_is_pytorch_s(room):
    np.testing.assert_allclose(room["Y"], smol_pieces.load()["block"], rtol=1e-12, atol=1e-12)
    assert room["Y"].shape == (7, 24)


def test_the_block_keeps_the_future_hidden(room):
    other = room["X"].copy()
    other[-1] += 1
    Y = room["block"](other, room["p"], 6, 2, room["cos"], room["sin"], room["mine"])
    assert (np.abs(Y - room["Y"]).max(axis=1) > 0).tolist() == [False] * 6 + [True]


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
    assert math.isclose(pieces["step"].nbytes + pieces["least"].nbytes + pieces["packed"].nbytes, 64 * 18 * 20)
    assert pieces["n_tokens"] == 191

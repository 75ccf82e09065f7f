"""The concept inventory: letters are spread, answers come out by computing, scores by hand."""

import csv
import json
import re
import sys
from collections import Counter

import numpy as np
import pytest
from helpers import MAIN, ROOT

from course_utils.attention import causal_mask, softmax
from course_utils.positions import rotary_angles, rotary_embedding

sys.path.insert(0, str(ROOT / "teaching"))
import inventory

ITEMS = inventory.read_items()
NUMBERS = range(1, len(ITEMS) + 1)
both_forms = pytest.mark.parametrize("form", inventory.FORMS)


def right(number, form):
    return next(text for text, idea in inventory.options_of(number, form) if not idea)


def number_of(about):
    return next(k for k, item in enumerate(ITEMS, start=1) if item["about"] == about)


@both_forms
def test_each_question_has_one_right_option_and_three_ideas(form):
    assert len(ITEMS) == 20
    for number, item in enumerate(ITEMS, start=1):
        texts, ideas = zip(*inventory.options_of(number, form), strict=True)
        assert len(set(texts)) == len(set(ideas)) == 4, item["about"]
        assert ideas.count("") == 1
        assert item["after"] in {name[:2] for name in MAIN}
        assert not re.search(r"\b(not|never) \w+ (not|never)\b", item[form]["question"])


@both_forms
def test_each_letter_is_right_five_times(form):
    assert Counter(inventory.right_letter(number, form) for number in NUMBERS) == dict.fromkeys(
        "ABCD", 5
    )


@both_forms
def test_a_form_says_nothing_of_what_is_right(form):
    text = inventory.page(form)
    assert text.count("<li>") == 80
    assert not [
        idea
        for item in ITEMS
        for _, idea in item[form]["options"]
        if idea and idea in re.sub(r"<li>.*?</li>", "", text)
    ]
    assert "right" not in re.sub(r"<section>.*?</section>", "", text, flags=re.DOTALL)


def test_what_can_be_computed_is_so():
    weighted = number_of("an output is a weighted mean of values")
    values = {
        "A": ([0.5, 0.5, 0], [(4, 0), (0, 2), (9, 9)]),
        "B": ([0, 0.25, 0.75], [(9, 9), (4, 0), (0, 4)]),
    }
    for form, (weights, V) in values.items():
        assert right(weighted, form) == "({:g}, {:g})".format(*np.array(weights) @ np.array(V))
    shifted = softmax(np.array([-4.0, -2.0]))
    assert right(number_of("softmax sees differences of scores"), "B") == "−4 and −2"
    assert shifted == pytest.approx(softmax(np.array([1.0, 3.0])))
    for other in ([2.0, 6.0], [10.0, 30.0], [-1.0, -3.0]):
        assert softmax(np.array(other)) != pytest.approx(shifted)
    scaled = number_of("why scores are divided by the root of d")
    assert (right(scaled, "A"), right(scaled, "B")) == (
        f"{np.sqrt(64 / 16):g}",
        f"{np.sqrt(100):g}",
    )
    assert right(number_of("a causal mask hides what comes later"), "A") == str(
        (~causal_mask(5)).sum()
    )
    heads = number_of("heads divide the width")
    assert right(heads, "B") == str(64 // 8)
    cost = number_of("attention costs the square of the length")
    assert (right(cost, "A"), right(cost, "B")) == (str(3**2), f"{100**2:,}")
    assert (
        right(number_of("each query has a softmax of its own"), "B")
        == f"{softmax(np.random.default_rng(0).normal(size=(5, 5))).sum():g}"
    )


def test_another_key_changes_the_weights_that_its_word_gets_and_not_what_it_asks():
    Q, K = np.random.default_rng(1).normal(size=(2, 5, 4))
    other = K.copy()
    other[2] += 1
    change = np.abs(softmax(Q @ other.T) - softmax(Q @ K.T))
    number = number_of("keys are compared, values are passed on")
    assert right(number, "B") == "the weights that this word gets from others"
    assert (np.delete(change[:, 2], 2) > 1e-3).all()
    assert (change[2] > 1e-3).all()  # what it gives changes, too, for it attends to itself as well
    options = [text for text, _ in inventory.options_of(number, "B")]
    assert [text for text in options if "gives" in text] == []
    assert "what this word asks others for" in options  # its query, which stays


def test_each_loss_that_students_mean_grows_by_what_the_option_says():
    losses = {
        "": lambda p: -np.log2(p),
        "the loss is the missing probability": lambda p: 1 - p,
        "the loss is 1/p, without the logarithm": lambda p: 1 / p,
    }
    options = inventory.options_of(number_of("how a language model is trained"), "B")
    grows = {idea: text for text, idea in options if idea in losses}
    assert grows == {
        idea: f"it grows by {loss(0.25) - loss(0.5):g}" for idea, loss in losses.items()
    }


def test_rope_gives_the_same_score_for_the_pair_that_is_right_and_for_no_other():
    q, k = np.random.default_rng(1).normal(size=(2, 8))

    def scored(i, j):
        cos, sin = rotary_angles(np.array([i, j]), 8)
        turned = rotary_embedding(np.stack([q, k]), cos, sin)
        return turned[0] @ turned[1]

    number = number_of("RoPE lets scores see offsets")
    for text, idea in inventory.options_of(number, "B"):
        i, j = map(int, re.findall(r"\d+", text))
        assert np.isclose(scored(i, j), scored(8, 6)) == (not idea)


def answers(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["who", "form", *NUMBERS], *rows])
    return path


def all_right(form, but=()):
    """Right letters; at the questions `but` the letter of the first wrong option."""
    wrong = {
        number: next(letter for letter in "ABCD" if letter != inventory.right_letter(number, form))
        for number in but
    }
    return [wrong.get(number, inventory.right_letter(number, form)) for number in NUMBERS]


def test_a_class_is_scored_and_its_record_has_no_codes(tmp_path, capsys):
    before = answers(
        tmp_path / "before.csv",
        [
            ["fox", "A", *all_right("A", range(1, 11))],
            ["owl", "B", *[""] * 20],
            ["elk", "A", *[""] * 20],
        ],
    )
    after = answers(
        tmp_path / "after.csv",
        [["fox", "B", *all_right("B")], ["owl", "A", *all_right("A", range(1, 6))]],
    )
    inventory.main(["score", str(before), str(after), "--record", str(tmp_path / "class.json")])
    told = capsys.readouterr().out
    assert "2 students wrote both forms (1 one only)." in told
    assert "Right of 20: 5.00 before, 17.50 after" in told  # (10 + 0)/2 and (20 + 15)/2
    assert "gained: 0.88" in told  # (10/10 + 15/20)/2
    assert told.count("  1 of 2") == 5
    record = (tmp_path / "class.json").read_text(encoding="utf-8")
    assert json.loads(record)["students"] == 2
    assert not [code for code in ("fox", "owl", "elk") if code in record]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (["fox", "C", *[""] * 20], "line 2: got"),
        (["", "A", *[""] * 20], "line 2: got"),
        (["fox", "A", "E", *[""] * 19], "wanted a code, form A or B"),
    ],
)
def test_a_row_that_does_not_fit_is_named(tmp_path, row, words):
    with pytest.raises(SystemExit, match=words):
        inventory.read_answers(answers(tmp_path / "answers.csv", [row]))


def test_nobody_in_both_files_is_said(tmp_path):
    files = [answers(tmp_path / f"{who}.csv", [[who, "A", *[""] * 20]]) for who in ("fox", "owl")]
    with pytest.raises(SystemExit, match="no code stands in both files"):
        inventory.score(*files)


def test_a_file_that_is_not_there_or_no_text_is_a_sentence(tmp_path):
    good = str(answers(tmp_path / "good.csv", [["fox", "A", *[""] * 20]]))
    with pytest.raises(SystemExit, match=r"got .*none\.csv, wanted a file"):
        inventory.main(["score", good, str(tmp_path / "none.csv")])
    (tmp_path / "latin.csv").write_bytes("who;form;1\nFüchse;A;B".encode("latin-1"))
    with pytest.raises(SystemExit, match="in UTF-8"):
        inventory.main(["score", str(tmp_path / "latin.csv"), good])


def test_the_forms_and_their_key_are_written(tmp_path):
    inventory.main(["print", "--to", str(tmp_path / "forms")])
    assert sorted(path.name for path in (tmp_path / "forms").iterdir()) == [
        "form_a.html",
        "form_b.html",
        "key.csv",
    ]
    with (tmp_path / "forms" / "key.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 160
    assert sum(row["idea"] == "right" for row in rows) == 40


@pytest.mark.parametrize(
    ("command", "words"),
    [("print", ["the folder to write"]), ("score", ["before the course", "same codes", "counts"])],
)
def test_help_says_what_each_argument_is(capsys, command, words):
    with pytest.raises(SystemExit, match="0"):
        inventory.main([command, "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert [word for word in words if word not in told] == []

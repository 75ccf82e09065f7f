"""What notebook 11 says beyond what its cells print; laws of the heads that it silences and of the
chain that it decodes."""

import json

import numpy as np
import pytest
from helpers import ROOT, cells, names_of, run, script, shown

from course_utils.attention import softmax
from course_utils.data import grammar
from course_utils.data.chain import CHAIN, PROMPT, STEPS, next_log_probs, text
from course_utils.data.starts import starts
from course_utils.decoding import beam_search
from course_utils.exercises import EXERCISES, mine
from course_utils.instruments import NextWord
from course_utils.models import language_model as lm
from course_utils.models.language_model import (
    Config,
    forward,
    new_model,
    scores_of,
    silenced,
    train,
)

NAME = "11_language_model"
CONFIG = Config(len(grammar.WORDS))
PARAMS = new_model(np.random.default_rng(0), CONFIG)


@pytest.fixture
def room():
    """All names of the notebook after its code cells were run."""
    return names_of(NAME, (("for _ in range(100)", "for _ in range(5)"),))


def first_guesses(n):
    """The share of positions where the likeliest word is right in the first batch, before it was
    learned from."""
    batch = n["texts"][np.random.default_rng(2).integers(len(n["texts"]), size=32)]
    P, targets = (
        softmax(scores_of(n["forward"], n["untrained"], batch[:, :-1], n["config"])),
        batch[:, 1:],
    )
    return (P.argmax(axis=-1) == targets)[targets >= 0].mean()


def last_noun(tokens):
    nouns = {word for pair in grammar.NOUNS for word in pair}
    return [grammar.NUMBER[grammar.WORDS[t]] for t in tokens if grammar.WORDS[t] in nouns][-1]


def test_the_beginnings_are_unseen_have_the_subject_at_token_2_and_a_noun_of_the_other_number_nearest(  # noqa: E501
    room,
):
    begun = {tuple(row[:i]) for row in room["texts"].tolist() for i in range(15)}
    for tokens, number in zip(room["prompts"], room["numbers"], strict=True):
        assert tuple(tokens) not in begun
        assert grammar.NUMBER[grammar.WORDS[tokens[2]]] == number
        assert last_noun(tokens) == 1 - number


def test_the_sentences_that_are_asked_for_were_not_read_and_cost_the_rules_less_than_the_entropy(
    room,
):
    assert not {*map(tuple, room["unseen"])} & {*map(tuple, room["texts"])}
    rules = lm.surprise_of(room["readers"]["rules"], room["unseen"])
    assert rules == pytest.approx(
        -np.sum([grammar.log_probability(row[row >= 0]) for row in room["unseen"]])
        / (room["unseen"][:, 1:] >= 0).sum()
    )
    assert rules < room["entropy"]
    assert 0 < lm.surprise_of(room["model"], room["unseen"]) - rules < 0.03


def test_counting_stays_far_off_and_does_worse_than_a_coin(room):
    for name in ("bigram", "trigram"):
        assert lm.surprise_of(room["readers"][name], room["unseen"]) > room["entropy"] + 0.4
        assert room["right"](room["readers"][name]) < 50


def test_with_ten_times_the_sentences_the_trigram_is_ahead_of_the_bigram(room):
    def surprises(texts):
        return [
            lm.surprise_of(lm.count_model(texts, len(grammar.WORDS), n), room["unseen"])
            for n in (2, 3)
        ]

    few, many = (surprises(grammar.sentences(np.random.default_rng(0), n)) for n in (3000, 30_000))
    assert few[0] < few[1]
    assert many[1] < many[0] - 0.02


def test_batches_lie_below_the_entropy_by_chance_and_the_rules_with_them(room):
    rng = np.random.default_rng(2)
    batches = [room["texts"][rng.integers(len(room["texts"]), size=32)] for _ in range(50)]
    assert min(lm.surprise_of(room["readers"]["rules"], b) for b in batches) < room["entropy"]


def test_the_untrained_model_is_almost_always_wrong(room):
    assert first_guesses(room) < 0.01
    assert len(grammar.following(("subject",))) == 12  # nouns: "twelve may come"


def test_a_head_that_gives_the_subject_nothing_is_missed_nearly_as_much_as_the_backup(room):
    alone, backup, control = (
        room["without"]((2, 2)),
        room["without"]((2, 2), (2, 3)),
        room["without"]((2, 2), (2, 1)),
    )
    assert room["looks"][1, 0] < 0.005
    assert room["looks"][0, 3] < 0.1  # block 1, head 4 "hardly looks"
    assert backup < control < backup + 20 < alone
    assert backup < 100  # of 200: "fewer than a coin gets"
    assert room["without"]((2, 2), (2, 4)) > alone + 20  # head 4 "is in the way"


def test_what_the_core_lets_it_speak_keeps_the_rules():
    [cell] = [cell for cell in cells(NAME, "code") if cell.id == "11-co-write"]
    spoken = [
        line.split(maxsplit=1)[1].removeprefix("0.5 ").removeprefix("1.0 ").removeprefix("2.0 ")
        for line in shown(cell).splitlines()
    ]
    assert len(spoken) == 4
    assert all(grammar.log_probability(grammar.encode(text)) > -np.inf for text in spoken)


def test_greedy_misses_the_likeliest_sentence(room):
    assert len(room["ways"]["beam of 32"]) < len(room["ways"]["greedy"])


def test_the_vector_after_block_1_stays_when_the_text_goes_on(room):
    keys = [
        forward(room["params"], grammar.encode(text), room["config"])[1][1]["K"][:, 2]
        for text in ("the bears run", "the bears near the cat")
    ]
    np.testing.assert_allclose(*keys)


def test_what_the_predictions_say_is_so(room):
    asked = json.loads(
        (ROOT / "course_utils" / "cards" / "predictions" / f"{NAME}.json").read_text(
            encoding="utf-8"
        )
    )
    assert [
        len([o for o in question["options"] if o.get("right")]) for question in asked.values()
    ] == [1] * 5
    assert room["looks"][1].round(2).tolist()[1:3] == [0.98, 0.89]
    p = np.exp(room["bigram"](room["prompt"]))
    assert p[grammar.verbs(0)].sum() > 3 * p[grammar.verbs(1)].sum()
    assert (
        len(grammar.text(room["ways"]["beam of 32"]).split()) == 4
    )  # three words and the full stop
    drawn = grammar.sentences(np.random.default_rng(5), 2000)
    assert 6 < np.median((drawn[:, 1:] >= 0).sum(axis=1)) - 1 < 8  # "about seven words"
    assert "131 of 200" in asked["control"]["question"]
    assert next(o["why"] for o in asked["control"]["options"] if o.get("right")).startswith(
        "81 and 93"
    )
    assert room["without"]((2, 2), (2, 3)) == 81
    assert [
        room["without"]((2, 2)),
        room["without"]((2, 2), (2, 1)),
        room["without"]((2, 2), (2, 4)),
    ] == [131, 93, 170]
    assert (
        "0.33 · 0.55 = 0.18 is more than 0.45 · 0.28 = 0.13" in asked["greedy"]["options"][0]["why"]
    )
    assert [
        CHAIN["bears"]["love"],
        CHAIN["love"]["honey"],
        CHAIN["bears"]["won"],
        CHAIN["won"]["games"],
    ] == [0.33, 0.55, 0.45, 0.28]


def test_the_find_is_there(room):
    """After "the dogs that the cat" head 2 of block 2 looks most at the second noun, and the verb
    is singular."""
    found = NextWord(
        room["params"], room["config"], 2, 2, words=["the", "dogs", "that", "the", "cat"]
    )
    numbers = found.compute(found.state)
    assert (numbers["most"], numbers["verbs"][0] > 0.9) == (5, True)
    first = NextWord(room["params"], room["config"], 2, 2)
    assert first.compute(first.state)["most"] == 2  # and it does not stand there at the start


def test_the_course_s_forward_reads_all_texts_at_once_and_gives_what_one_after_the_other_gives():
    texts = grammar.sentences(np.random.default_rng(0), 6)[:, :-1]
    at_once = scores_of(mine.forward, PARAMS, texts, CONFIG)
    one_by_one = scores_of(lambda *arguments: mine.forward(*arguments), PARAMS, texts, CONFIG)
    np.testing.assert_allclose(at_once, one_by_one, atol=1e-5)  # PARAMS are float32
    assert not at_once[texts < 0].any()


def test_one_loop_of_training_is_that_of_the_course(room):
    """The notebook's loop, with the model that students build, is `train`, here for 20 steps."""
    cell = {cell.id.removeprefix("11-co-"): cell for cell in cells(NAME, "code")}
    params = new_model(np.random.default_rng(12), CONFIG, dtype=float)
    losses = [
        loss for _, loss in train(params, room["texts"], CONFIG, np.random.default_rng(2), steps=20)
    ]
    names = dict(room)
    run(cell["train"].source.replace("401", "21").replace("40)", "2)").replace("400", "20"), names)
    np.testing.assert_allclose(names["losses"], losses, rtol=1e-9)
    for name in params:
        np.testing.assert_allclose(names["params"][name], params[name], rtol=1e-6, atol=1e-9)


# Heads, one at a time and together

HEADS = script("make_starts.py").load("subject_heads")


def test_a_silenced_head_adds_nothing_and_the_parameters_stay_as_they_were():
    tokens = grammar.encode("the dogs that see the cat")
    rest = silenced(PARAMS, [(2, 3)], CONFIG)
    changed = [name for name in PARAMS if not np.array_equal(rest[name], PARAMS[name])]
    assert changed == ["2.W_O"]
    mixed = forward(PARAMS, tokens, CONFIG)[1][1]["M"].copy()
    mixed[:, 16:24] = 0  # what head 3 brings, set to 0 instead of its rows
    np.testing.assert_allclose(
        mixed @ PARAMS["2.W_O"],
        forward(PARAMS, tokens, CONFIG)[1][1]["M"] @ rest["2.W_O"],
        atol=1e-6,
    )
    both = silenced(PARAMS, [(2, 3), (2, 1)], CONFIG)
    assert (both["2.W_O"] == 0).all(axis=1).sum() == 16


def test_the_counts_of_silenced_heads_are_those_that_are_stored(room):
    """The notebook's model is not among the twenty: start 12 reads its texts in another order."""
    told = starts("subject_heads")
    weights, (everyone, best, second, both), nats = HEADS.measure(
        *(room[name] for name in ("params", "texts", "prompts", "numbers", "config"))
    )
    np.testing.assert_array_less(weights.sum(axis=(1, 2)), CONFIG.L * CONFIG.H)
    assert everyone >= HEADS.NEARLY_ALL
    assert 0 < nats < HEADS.NEAR
    assert both <= min(best, second)
    assert told["both missed"] > told["best missed"] > told["second missed"]


# The chain


def test_the_best_beginning_does_not_begin_the_best_text_and_a_beam_of_two_misses_it():
    found = [
        text(beam_search(next_log_probs, PROMPT, STEPS, width)[0][0]) for width in (1, 2, 3, 8)
    ]
    assert found == ["bears won games", "bears love honey", "bears hear bees", "bears hear bees"]


def test_cold_sampling_becomes_greedy(room):
    assert room["names"][room["most"]] == "won games"


# The model that students put together

WRITTEN = """
def my_forward(tokens, params, blocks, n_heads):
    T = len(tokens)
    X = params["W_E"][tokens] + params["R"][:T]
    mask = causal_mask(T)
    for b in blocks:
        I = layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)
        Q, K, V = [split_heads(I @ b["W_" + n] + b["b_" + n], n_heads) for n in "QKV"]
        heads = np.stack([masked_attention(q, k, v, mask)[0] for q, k, v in zip(Q, K, V)])
        A = merge_heads(heads) @ b["W_O"] + b["b_O"]
        Z = X + A
        I = layer_norm(Z, b["gamma_2"], b["beta_2"], 1e-5)
        X = Z + feed_forward(I, b["W_1"], b["b_1"], b["W_2"], b["b_2"])
    Y = layer_norm(X, params["gamma"], params["beta"], 1e-5)
    return Y @ params["W_out"] + params["b_out"]
"""


@pytest.mark.parametrize(
    ("right", "slip", "named"),
    [
        ("", "", None),
        ('layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)', "X", "first norm forgotten"),
        ('layer_norm(Z, b["gamma_2"], b["beta_2"], 1e-5)', "Z", "second norm forgotten"),
        ("Z = X + A", "Z = A", "first skip forgotten"),
        ("X = Z + feed", "X = feed", "second skip forgotten"),
        ("X = Z + feed", "X = X + feed", "second skip from X"),
        ("layer_norm(Z, b", "layer_norm(X, b", "both halves read X"),
        ("Z = X + A", "Z = I + A", "first skip starts after the norm"),
        ("X = Z + feed", "X = I + feed", "second skip starts after the norm"),
    ],
)
def test_a_slip_in_the_wiring_of_a_block_is_named(right, slip, named):
    names = {"np": np, **{part: getattr(mine, part) for part in EXERCISES["forward"].parts}}
    exec(WRITTEN.replace(right, slip) if right else WRITTEN, names)
    found = EXERCISES["forward"].check(names["my_forward"])
    assert (found.status, found.mistake) == (("wrong", named) if named else ("correct", None))


@pytest.mark.parametrize(
    "heads",
    ["np.stack([masked_attention(q, k, v, mask) for", "([masked_attention(q, k, v, mask) for"],
)
def test_who_takes_output_and_weights_for_one_thing_is_asked(heads):
    names = {"np": np, **{part: getattr(mine, part) for part in EXERCISES["forward"].parts}}
    exec(WRITTEN.replace("np.stack([masked_attention(q, k, v, mask)[0] for", heads), names)
    assert "give back two things?" in EXERCISES["forward"].check(names["my_forward"]).message

"""Laws of the language model and of its grammar: true gradients, no leak, a cache that changes
nothing, exact probabilities."""

import itertools

import numpy as np
import pytest

from course_utils.arguments import ArgumentError
from course_utils.data import grammar
from course_utils.decoding import beam_search, greedy, sample
from course_utils.layers import layer_norm, transformer_block
from course_utils.models.language_model import (
    CachedModel,
    Config,
    block,
    count_model,
    forward,
    loss_and_gradients,
    multiplications,
    new_model,
    next_log_probs,
    surprise,
    train,
)

N_VOCAB = len(grammar.WORDS)
SWITCHES = [
    dict(positions=positions, activation=activation, E=E)
    for positions, activation, E in itertools.product(
        ("learned", "sinusoidal", "rotary"), ("relu", "gelu"), (1, 3)
    )
]
each_switch = pytest.mark.parametrize(
    "switches", SWITCHES, ids=lambda s: "-".join(map(str, s.values()))
)
SMALL = {"n_vocab": 7, "T": 6, "D": 8, "H": 2, "L": 2, "d_ff": 6}
TOKENS = np.array([[0, 3, 1, 5, 2, 0], [0, 6, 4, 0, -1, -1], [0, 2, 2, 1, 0, -1]])


def small_model(switches, **sizes):
    """A model in float64 in which nothing is 0 or 1 by accident."""
    rng, config = np.random.default_rng(0), Config(**{**SMALL, **switches, **sizes})
    params = new_model(rng, config, dtype=float)
    return {
        name: array + 0.2 * rng.normal(size=array.shape) for name, array in params.items()
    }, config


# Gradients.


@each_switch
def test_every_gradient_agrees_with_small_steps(switches):
    params, config = small_model(switches)
    loss, gradients = loss_and_gradients(params, TOKENS, config)
    assert loss == pytest.approx(surprise(params, TOKENS, config))
    assert set(gradients) == set(params)
    rng = np.random.default_rng(1)
    for name, array in params.items():
        for i in rng.permutation(array.size)[
            :6
        ]:  # some numbers of each array; the next test moves all of them
            measured = []
            for step in (1e-6, -1e-6):
                moved = array.copy()
                moved.flat[i] += step
                measured.append(surprise({**params, name: moved}, TOKENS, config))
            np.testing.assert_allclose(
                gradients[name].flat[i],
                (measured[0] - measured[1]) / 2e-6,
                rtol=1e-5,
                atol=1e-8,
                err_msg=name,
            )


@each_switch
def test_every_gradient_agrees_in_a_random_direction(switches):
    params, config = small_model(switches)
    gradients = loss_and_gradients(params, TOKENS, config)[1]
    rng = np.random.default_rng(2)
    for name, array in params.items():
        step = 1e-6 * rng.normal(size=array.shape)
        up, down = (
            surprise({**params, name: array + sign * step}, TOKENS, config) for sign in (1, -1)
        )
        np.testing.assert_allclose(
            (up - down) / 2, (gradients[name] * step).sum(), rtol=1e-4, atol=1e-13, err_msg=name
        )


def test_what_stands_after_the_end_counts_for_nothing():
    params, config = small_model(SWITCHES[0])
    short = TOKENS[1:2, :4]
    (loss, g), (padded_loss, padded_g) = (
        loss_and_gradients(params, t, config) for t in (short, TOKENS[1:2])
    )
    assert np.isclose(loss, padded_loss)
    for name in params:
        np.testing.assert_allclose(g[name], padded_g[name], atol=1e-14)


# The model.


def test_it_is_made_of_the_blocks_of_the_course():
    params, config = small_model({"positions": "learned"})
    tokens = TOKENS[0]
    X = params["W_E"][tokens] + params["R"]
    for number in (1, 2):
        X = transformer_block(X, block(params, number), config.H, mask=np.tri(6, dtype=bool))
    expected = layer_norm(X, params["gamma"], params["beta"]) @ params["W_out"] + params["b_out"]
    np.testing.assert_allclose(forward(params, tokens, config)[0], expected, atol=1e-12)


@each_switch
def test_the_future_does_not_leak(switches):
    params, config = small_model(switches)
    logits, tape = forward(params, TOKENS[0], config)
    for t in range(1, 6):
        changed = TOKENS[0].copy()
        changed[t:] = (changed[t:] + 1) % 7
        np.testing.assert_allclose(forward(params, changed, config)[0][:t], logits[:t], atol=1e-12)
    for layer in tape[: config.L]:
        assert (np.triu(layer["A"], 1) == 0).all()
        np.testing.assert_allclose(layer["A"].sum(axis=-1), 1)


@each_switch
def test_a_cache_changes_nothing(switches):
    params, config = small_model(switches)
    one_by_one, in_one_go = CachedModel(params, config), CachedModel(params, config)
    for t in range(1, 7):
        np.testing.assert_allclose(
            one_by_one.step(TOKENS[0, t - 1]),
            next_log_probs(params, TOKENS[0, :t], config),
            atol=1e-12,
        )
    in_one_go.step(TOKENS[0, :4])
    np.testing.assert_allclose(
        in_one_go.step(TOKENS[0, 4:]), next_log_probs(params, TOKENS[0], config), atol=1e-12
    )


@each_switch
def test_a_batch_is_its_rows_and_float32_stays(switches):
    params, config = small_model(switches)
    together = forward(params, TOKENS, config)[0]
    for row, tokens in zip(together, TOKENS, strict=True):
        np.testing.assert_allclose(row, forward(params, tokens, config)[0], atol=1e-12)
    single = new_model(np.random.default_rng(0), config)
    loss, gradients = loss_and_gradients(single, TOKENS, config)
    assert isinstance(loss, float)
    assert {g.dtype for g in gradients.values()} == {np.dtype(np.float32)}
    assert forward(single, TOKENS, config)[0].dtype == np.float32


@pytest.mark.parametrize("positions", ["sinusoidal", "rotary"])
def test_without_a_table_it_reads_on(positions):
    params, config = small_model({"positions": positions})
    assert forward(params, np.zeros(20, int), config)[0].shape == (20, 7)


def test_what_does_not_fit_is_named():
    params, config = small_model({"positions": "learned"})
    with pytest.raises(ArgumentError, match="tokens.*at most T = 6"):
        forward(params, np.zeros(7, int), config)
    with pytest.raises(ArgumentError, match="positions"):
        Config(7, positions="none")
    with pytest.raises(ArgumentError, match="H"):
        Config(7, D=8, H=3)


def test_a_cache_saves_more_the_longer_the_text():
    config = Config(N_VOCAB)
    saved = [
        multiplications(config, T, cached=False) / multiplications(config, T, cached=True)
        for T in (1, 16, 64, 256)
    ]
    assert saved[0] == 1
    assert (np.diff(saved) > 0).all()


# Learning.


@pytest.fixture(scope="module")
def learned():
    rng = np.random.default_rng(0)
    texts, config = grammar.sentences(rng, 3000), Config(N_VOCAB)
    params = new_model(rng, config)
    losses = [loss for _, loss in train(params, texts, config, rng)]
    return params, config, texts, losses


def test_it_has_about_twenty_thousand_parameters():
    assert (
        sum(array.size for array in new_model(np.random.default_rng(0), Config(N_VOCAB)).values())
        == 19809
    )


def test_it_comes_close_to_the_entropy_and_beats_counting(learned):
    params, config, texts, losses = learned
    held_out = grammar.sentences(np.random.default_rng(7), 500)
    true = (
        -sum(grammar.log_probability(row[row >= 0]) for row in held_out)
        / (held_out[:, 1:] >= 0).sum()
    )
    assert losses[0] > 3
    assert true < surprise(params, held_out, config) < true + 0.05
    for n in (2, 3):
        counted = count_model(texts, N_VOCAB, n)
        asked = [
            (row[:i], row[i])
            for row in held_out.tolist()
            for i in range(1, len(row))
            if row[i] >= 0
        ]
        assert -np.mean([counted(before)[word] for before, word in asked]) > true + 0.1


def right_number(log_probs, number):
    """Is the likeliest verb one of this number?"""
    return log_probs[grammar.verbs(number)].max() > log_probs[grammar.verbs(1 - number)].max()


def test_a_model_of_single_words_counts_them_whatever_came_before():
    alone = count_model(np.array([[0, 0, 0, 1]]), 2, 1, extra=0.0)
    assert np.allclose(np.exp(alone([1])), [2 / 3, 1 / 3])  # of what has a word before it


def test_the_verb_agrees_with_a_far_subject(learned):
    params, config, texts, _ = learned
    prompts, numbers = grammar.agreement_prompts(np.random.default_rng(7), 200, unseen=texts)
    model = [
        right_number(next_log_probs(params, p, config), n)
        for p, n in zip(prompts, numbers, strict=True)
    ]
    bigram = count_model(texts, N_VOCAB, 2)
    assert np.mean(model) >= 0.95
    assert (
        np.mean([right_number(bigram(p), n) for p, n in zip(prompts, numbers, strict=True)]) < 0.5
    )


def test_its_texts_keep_to_the_rules(learned):
    params, config, *_ = learned
    rng = np.random.default_rng(0)
    drawn = [
        sample(
            lambda t: next_log_probs(params, t, config), [grammar.END], 14, rng=rng, eos=grammar.END
        )
        for _ in range(100)
    ]
    assert np.mean([np.isfinite(grammar.log_probability(tokens)) for tokens in drawn]) > 0.9
    assert np.isfinite(
        grammar.log_probability(
            greedy(lambda t: next_log_probs(params, t, config), [grammar.END], 14, grammar.END)
        )
    )


def test_a_cached_text_is_the_uncached_one(learned):
    params, config, *_ = learned
    model, tokens = CachedModel(params, config), [grammar.END]
    while tokens[-1] != grammar.END or len(tokens) == 1:
        tokens.append(int(model.step(tokens[-1]).argmax()))
    assert tokens == greedy(
        lambda t: next_log_probs(params, t, config), [grammar.END], 15, grammar.END
    )


@pytest.mark.parametrize(
    "switches",
    [SWITCHES[3], SWITCHES[5], SWITCHES[10]],
    ids=lambda s: "-".join(map(str, s.values())),
)
def test_other_switches_learn_too(switches):
    rng, config = np.random.default_rng(0), Config(N_VOCAB, **switches)
    params, texts = new_model(rng, config), grammar.sentences(rng, 500)
    losses = [loss for _, loss in train(params, texts, config, rng, steps=40)]
    assert np.mean(losses[-5:]) < 0.65 * losses[0]


def test_the_same_seed_gives_the_same_model():
    def learn():
        rng, config = np.random.default_rng(3), Config(N_VOCAB)
        texts, params = grammar.sentences(rng, 100), new_model(rng, config)
        return [loss for _, loss in train(params, texts, config, rng, steps=10)], params

    (losses, params), (again, same) = learn(), learn()
    assert losses == again
    for name in params:
        np.testing.assert_array_equal(params[name], same[name])


# The grammar.


def places():
    """Every place of the grammar."""
    found, new = set(), {("start",)}
    while new:
        found |= new
        new = {
            onward
            for place in new
            for _, onward in grammar.following(place).values()
            if onward is not None
        } - found
    return found


def test_probabilities_sum_to_one_at_every_place():
    assert len(grammar.WORDS) == len(set(grammar.WORDS)) == 33
    for place in places():
        assert np.isclose(sum(p for p, _ in grammar.following(place).values()), 1)


def test_the_probabilities_of_all_sentences_sum_to_one():
    ways = {
        ("start",): 1.0
    }  # walk all sentences at once: how much probability stands at each place
    ended = 0.0
    for _ in range(grammar.LONGEST):
        onward = {}
        for place, share in ways.items():
            for p, to in grammar.following(place).values():
                onward[to] = onward.get(to, 0.0) + share * p
        ended += onward.pop(None, 0.0)
        ways = onward
    assert np.isclose(ended, 1)
    assert not ways


def test_the_probabilities_of_all_short_sentences_one_by_one():
    counted, found = 0.0, [[grammar.END]]
    for _ in range(5):  # . the dogs run . and . the dogs run today .
        longer = []
        for tokens in found:
            for word in np.flatnonzero(grammar.next_probabilities(tokens)):
                new = [*tokens, int(word)]
                if word == grammar.END:
                    counted += np.exp(grammar.log_probability(new))
                else:
                    longer.append(new)
        found = longer
    assert np.isclose(counted, 0.4 / 2)  # a noun alone, then one of the verbs without an object


def test_the_entropy_is_that_of_drawn_sentences():
    drawn = grammar.sentences(np.random.default_rng(0), 4000)
    surprise_, words = grammar.expected()
    measured = [-grammar.log_probability(row[row >= 0]) for row in drawn]
    np.testing.assert_allclose(
        np.mean(measured), surprise_, atol=4 * np.std(measured) / np.sqrt(4000)
    )
    np.testing.assert_allclose((drawn[:, 1:] >= 0).sum(axis=1).mean(), words, atol=0.2)
    assert (drawn >= 0).sum(axis=1).max() == grammar.LONGEST


def test_a_sentence_multiplies_the_probabilities_of_its_words():
    tokens = grammar.encode("the dogs that see the cat run today .")
    steps = [
        np.log(grammar.next_probabilities(tokens[:i])[tokens[i]]) for i in range(1, len(tokens))
    ]
    assert np.isclose(grammar.log_probability(tokens), sum(steps))
    assert grammar.text(tokens) == "the dogs that see the cat run today ."


@pytest.mark.parametrize(
    "words",
    [
        "the dogs that see the cat runs .",
        "the dog run .",
        "dogs run .",
        "the dogs run",
        "the dogs run . today",
    ],
)
def test_what_breaks_a_rule_has_no_probability(words):
    assert grammar.log_probability(grammar.encode(words)) == -np.inf


def test_what_the_grammar_does_not_know_is_named():
    with pytest.raises(ArgumentError, match="zebra"):
        grammar.encode("the zebra runs")
    with pytest.raises(ArgumentError, match="the run"):
        grammar.next_probabilities(grammar.encode("the run"))
    with pytest.raises(ArgumentError, match="not yet ended"):
        grammar.next_probabilities(grammar.encode("the dogs run ."))


def test_prompts_stop_before_the_verb_with_the_wrong_noun_nearest():
    texts = grammar.sentences(np.random.default_rng(0), 500)
    prompts, numbers = grammar.agreement_prompts(np.random.default_rng(1), 200, unseen=texts)
    assert len({tuple(p) for p in prompts}) == 200
    for prompt, number in zip(prompts, numbers, strict=True):
        nouns = [
            grammar.NUMBER[w]
            for w in grammar.text(prompt).split()
            if any(w in pair for pair in grammar.NOUNS)
        ]
        assert nouns == [number, 1 - number]
        options = grammar.next_probabilities(prompt)
        assert options[grammar.verbs(number)].sum() >= 0.8 - 1e-9
        assert options[grammar.verbs(1 - number)].sum() == 0
        assert not (texts[:, : len(prompt)] == prompt).all(axis=1).any()


def test_beam_search_finds_a_likelier_sentence_than_greedy(learned):
    params, config, *_ = learned

    def model(tokens):
        return next_log_probs(params, tokens, config)

    best, score = beam_search(model, [grammar.END], 14, 8, grammar.END)[0]
    chosen = greedy(model, [grammar.END], 14, grammar.END)
    assert score >= sum(model(chosen[:i])[chosen[i]] for i in range(1, len(chosen))) - 1e-9
    assert np.isfinite(grammar.log_probability(best))

"""Laws of greedy decoding, beam search and sampling, on chains small enough to search in full."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.data.chain import CHAIN, VOCABULARY, next_log_probs
from course_utils.decoding import beam_search, greedy, nucleus, sample, sharpen
from course_utils.instruments import DecodingTree

N_VOCAB = 3


def chain(seed):
    """A model whose next token depends on the one before: a random table of log-probabilities."""
    table = np.log(np.random.default_rng(seed).dirichlet(np.ones(N_VOCAB), size=N_VOCAB))
    return lambda tokens: table[tokens[-1]]


def log_prob(model, tokens, n_prompt=1):
    return sum(model(tokens[:i])[tokens[i]] for i in range(n_prompt, len(tokens)))


def every_text(model, length):
    texts = [[0, *rest] for rest in itertools.product(range(N_VOCAB), repeat=length)]
    return max(log_prob(model, text) for text in texts)


@given(st.integers(0, 10**6))
def test_greedy_takes_the_likeliest_token_each_time(seed):
    model = chain(seed)
    tokens = greedy(model, [0], 4)
    assert all(tokens[i] == np.argmax(model(tokens[:i])) for i in range(1, 5))


@given(st.integers(0, 10**6))
@settings(max_examples=30)
def test_a_beam_as_wide_as_the_tree_finds_the_best_text_and_width_1_is_greedy(seed):
    model = chain(seed)
    assert beam_search(model, [0], 3, beam_width=27)[0][1] == pytest.approx(every_text(model, 3))
    assert beam_search(model, [0], 3, beam_width=1)[0][0] == greedy(model, [0], 3)


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_a_beam_is_sorted_and_its_scores_are_those_of_its_texts(seed, width):
    model = chain(seed)
    beam = beam_search(model, [0], 3, width)
    assert [score for _, score in beam] == sorted((score for _, score in beam), reverse=True)
    for tokens, score in beam:
        assert score == pytest.approx(log_prob(model, tokens))


def test_greedy_can_lose_to_a_beam():
    table = np.log([[0.01, 0.55, 0.44], [0.5, 0.25, 0.25], [0.98, 0.01, 0.01]])
    model = lambda tokens: table[tokens[-1]]  # noqa: E731
    assert log_prob(model, greedy(model, [0], 2)) < beam_search(model, [0], 2, 2)[0][1]


def test_everything_stops_at_eos():
    model = lambda tokens: np.log([0.1, 0.2, 0.7])  # noqa: E731
    assert greedy(model, [0], 5, eos=2) == [0, 2]
    assert beam_search(model, [0], 5, 1, eos=2)[0][0] == [0, 2]
    assert sample(model, [0], 50, rng=np.random.default_rng(0), eos=2)[-1] == 2


def test_a_beam_holds_no_impossible_text():
    with np.errstate(divide="ignore"):
        table = np.log([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0]])
    beam = beam_search(lambda tokens: table[tokens[-1]], [0], 3, 5)
    assert [tokens for tokens, _ in beam] == [[0, 1, 0, 1], [0, 1, 2, 2]]
    np.testing.assert_allclose([score for _, score in beam], np.log(0.5))


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_every_text_of_a_beam_is_possible_and_whatever_is_possible_is_found_by_a_wide_one(
    seed, width
):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(N_VOCAB, N_VOCAB))
    table[rng.random(table.shape) < 0.5] = -np.inf
    table[
        np.arange(N_VOCAB), rng.integers(N_VOCAB, size=N_VOCAB)
    ] = -1.0  # something can always come
    model = lambda tokens: table[tokens[-1]]  # noqa: E731
    assert all(np.isfinite(score) for _, score in beam_search(model, [0], 3, width))
    possible = [
        [0, *rest]
        for rest in itertools.product(range(N_VOCAB), repeat=3)
        if np.isfinite(log_prob(model, [0, *rest]))
    ]
    assert sorted(tokens for tokens, _ in beam_search(model, [0], 3, 27)) == possible


def test_a_finished_text_stays_in_the_beam_as_it_is():
    model = lambda tokens: np.log([0.3, 0.1, 0.6])  # noqa: E731
    assert ([0, 2], pytest.approx(np.log(0.6))) in beam_search(model, [0], 3, 3, eos=2)


@given(st.integers(0, 10**6))
def test_a_wide_beam_holds_every_text_up_to_its_first_eos(seed):
    model, texts = chain(seed), {}
    for rest in itertools.product(range(N_VOCAB), repeat=3):
        end = rest.index(2) + 1 if 2 in rest else 3
        texts[(2, *rest[:end])] = log_prob(model, [2, *rest[:end]])
    beam = beam_search(model, [2], 3, 27, eos=2)
    assert {tuple(tokens): score for tokens, score in beam} == pytest.approx(texts)
    assert len(beam) == len(texts)


def test_an_eos_in_the_prompt_ends_nothing():
    with np.errstate(divide="ignore"):
        table = np.log(np.roll(np.eye(3), 1, axis=1))  # 0, 1, 2, 0, 1, 2, …
    for write in (greedy, sample, lambda *a, **eos: beam_search(*a, 2, **eos)[0][0]):
        assert write(lambda tokens: table[tokens[-1]], [0, 2], 5, eos=2) == [0, 2, 0, 1, 2]


def test_of_equally_likely_tokens_the_first_ones_are_kept():
    likely = (np.arange(1000) % 7 + 1) / 3997  # long and mixed: a quick sort would swap equals
    firsts = list(range(6, 140, 7))
    assert np.flatnonzero(sharpen(np.log(likely), top_k=20)).tolist() == firsts
    assert np.flatnonzero(nucleus(likely, 19.5 * 7 / 3997)).tolist() == firsts
    assert [tokens for tokens, _ in beam_search(lambda tokens: np.log(likely), [], 1, 20)] == [
        [i] for i in firsts
    ]


def test_the_same_generator_draws_the_same_text_and_without_one_each_text_is_new():
    model = lambda tokens: np.zeros(1000)  # noqa: E731
    first, second = (sample(model, [], 20, rng=np.random.default_rng(7)) for _ in range(2))
    assert first == second
    assert sample(model, [], 20) != sample(model, [], 20)


@pytest.mark.parametrize("options", [{"temperature": 0}, {"top_k": 0}, {"top_p": 2}])
def test_options_that_do_not_fit_are_refused_before_the_model_is_asked(options):
    asked = []
    with pytest.raises(ValueError, match=f"^{next(iter(options))}: got "):
        sample(asked.append, [0], 3, **options)
    assert asked == []


def test_samples_follow_the_probabilities():
    model = lambda tokens: np.log([0.2, 0.3, 0.5])  # noqa: E731
    drawn = sample(model, [], 20_000, rng=np.random.default_rng(0))
    np.testing.assert_allclose(np.bincount(drawn) / 20_000, [0.2, 0.3, 0.5], atol=0.015)


def test_a_low_temperature_is_greedy_and_top_1_is_greedy():
    model = chain(1)
    for options in ({"temperature": 1e-4}, {"top_k": 1}):
        assert sample(model, [0], 10, rng=np.random.default_rng(0), **options) == greedy(
            model, [0], 10
        )


def test_sharpen_keeps_the_top_k_and_sums_to_one():
    p = sharpen(np.log([0.2, 0.3, 0.5]), top_k=2)
    np.testing.assert_allclose(p, [0, 0.375, 0.625])
    np.testing.assert_allclose(
        sharpen(np.log([0.2, 0.8]), temperature=0.5), [0.04 / 0.68, 0.64 / 0.68]
    )


WAYS = [
    lambda model, n=3: greedy(model, [0], n),
    lambda model, n=3: beam_search(model, [0], n, 2),
    lambda model, n=3: sample(model, [0], n),
]


@pytest.mark.parametrize(
    ("call", "argument", "wanted"),
    [
        (lambda: greedy(chain(0), "bears", 3), "prompt", "token numbers"),
        (lambda: beam_search(chain(0), [0], 3, 0), "beam_width", "at least 1"),
        (lambda: sample(chain(0), [0], 3, temperature=0), "temperature", "greedy"),
        (lambda: sample(chain(0), [0], 3, top_k=0), "top_k", "at least 1"),
        (lambda: greedy(chain(0), [[0], [0, 1]], 3), "prompt", "token numbers"),
        (lambda: sharpen(np.zeros(3), temperature=0), "temperature", "above 0"),
        (lambda: sharpen([0.0, np.nan]), "log_probs", "a log-probability for each"),
        *[
            case
            for write in WAYS
            for case in [
                (lambda write=write: write(chain(0), 0), "max_tokens", "at least 1"),
                (
                    lambda write=write: write(lambda tokens: np.zeros((2, 2))),
                    "next_log_probs(tokens)",
                    "(n_vocab,)",
                ),
                (
                    lambda write=write: write(lambda tokens: np.array([0.0, np.nan, -1.0])),
                    "next_log_probs(tokens)",
                    "a log-probability for each",
                ),
                (
                    lambda write=write: write(lambda tokens: np.full(3, -np.inf)),
                    "next_log_probs(tokens)",
                    "one token that is possible",
                ),
                (
                    lambda write=write: write(lambda tokens: []),
                    "next_log_probs(tokens)",
                    "one token that is possible",
                ),
            ]
        ],
    ],
)
def test_what_does_not_fit_is_refused_by_name(call, argument, wanted):
    with pytest.raises(ValueError, match="wanted") as caught:
        call()
    assert str(caught.value).startswith(f"{argument}: got ")
    assert wanted in str(caught.value)


# The nucleus.


@given(st.integers(0, 10**6), st.floats(0.01, 1))
def test_top_p_keeps_the_fewest_likeliest_tokens_that_have_p_together(seed, top_p):
    probabilities = np.random.default_rng(seed).dirichlet(np.full(12, 0.5)) + 1e-12
    kept = sharpen(np.log(probabilities), top_p=top_p)
    probabilities /= probabilities.sum()
    order = np.argsort(-probabilities)
    n = int((kept > 0).sum())
    assert set(np.flatnonzero(kept)) == set(order[:n])
    assert probabilities[order[: n - 1]].sum() < top_p + 1e-9
    assert n == 12 or probabilities[order[:n]].sum() >= top_p - 1e-9
    np.testing.assert_allclose(
        kept[order[:n]], probabilities[order[:n]] / probabilities[order[:n]].sum()
    )


@pytest.mark.parametrize(
    ("probabilities", "top_p", "kept"),
    [
        ([0.6, 0.3, 0.1], 0.9, 2),
        ([0.1, 0.6, 0.3], 0.9, 2),
        ([0.5, 0.25, 0.25], 0.75, 2),
        ([0.4, 0.3, 0.2, 0.1], 0.7, 2),
        ([0.7, 0.1, 0.2], 0.9, 2),
    ],
)
def test_a_sum_that_misses_top_p_by_rounding_alone_has_reached_it(probabilities, top_p, kept):
    assert (nucleus(np.array(probabilities), top_p) > 0).sum() == kept


@given(st.integers(0, 10**6), st.integers(1, 49))
def test_probabilities_of_float32_are_summed_in_float64(seed, n):
    probabilities = np.random.default_rng(seed).dirichlet(np.ones(50)).astype(np.float32)
    top_p = np.sort(probabilities.astype(float))[::-1][:n].sum()
    assert (nucleus(probabilities, top_p) > 0).sum() == n


def test_top_p_of_1_changes_nothing_and_a_tiny_one_is_greedy():
    log_probs = np.log([0.2, 0.5, 0.3])
    np.testing.assert_allclose(sharpen(log_probs, top_p=1.0), sharpen(log_probs))
    np.testing.assert_array_equal(sharpen(log_probs, top_p=1e-9), [0, 1, 0])
    assert sample(chain(3), [0], 6, rng=np.random.default_rng(0), top_p=1e-9) == greedy(
        chain(3), [0], 6
    )


def test_top_p_comes_after_temperature_and_after_top_k():
    log_probs = np.log([0.4, 0.3, 0.2, 0.1])
    assert (
        (sharpen(log_probs, temperature=0.25, top_p=0.7) > 0).sum()
        == 1
        < (sharpen(log_probs, top_p=0.7) > 0).sum()
    )
    assert (
        (sharpen(log_probs, top_k=2, top_p=0.57) > 0).sum()
        == 1
        < (sharpen(log_probs, top_p=0.57) > 0).sum()
    )


@pytest.mark.parametrize("top_p", [0, -0.1, 1.1, "0.9", True, float("nan")])
def test_a_top_p_that_is_no_share_is_refused(top_p):
    with pytest.raises(ValueError, match="^top_p: got "):
        sharpen(np.log([0.5, 0.5]), top_p=top_p)


# The chain of words, and the tree that draws it


def test_the_find_is_found_in_the_tree():
    found = [
        DecodingTree.compute(DecodingTree.start() | {"beam_width": width, "temperature": t})
        for width in (1, 2, 3)
        for t in (0.5, 1.0)
    ]
    assert [n["best"] == n["likeliest"] for n in found] == [False] * 4 + [True] * 2
    assert found[0]["kept"] == found[1]["kept"]


def test_the_chain_is_one_of_probabilities_and_every_word_stands_once():
    assert all(sum(following.values()) == pytest.approx(1) for following in CHAIN.values())
    assert len(VOCABULARY) == len(set(VOCABULARY)) == 1 + 3 + 8
    for word in CHAIN:
        assert np.exp(next_log_probs([VOCABULARY.index(word)])).sum() == pytest.approx(1)

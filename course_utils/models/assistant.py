"""From a model to an assistant, on the grammar of notebook 11: answers, preferences, rewards, and a
truth that is exactly known.

All three trainings change one thing, the weight of a text's words in the loss: the gradient at the
scores is weight · (P − one-hot).
Texts are whole numbers (n, T), -1 after the end; the first token is the full stop before the text,
or <ask>.
"""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from course_utils.arguments import Array, Integers
from course_utils.attention import softmax
from course_utils.data import grammar
from course_utils.models import language_model
from course_utils.models.language_model import Cache, Config, Params
from course_utils.models.training import Adam

T = 16
Reward = Callable[[Integers], NDArray[Any]]  # of texts (n, T): (n,)
WORDS = [*grammar.WORDS, "<ask>", "<answer>", "yes", "no"]
ASK, ANSWER, YES, NO = range(len(grammar.WORDS), len(WORDS))
PLAIN, TALKING = (
    Config(n_vocab=len(grammar.WORDS)),
    Config(n_vocab=len(WORDS)),
)  # TALKING has the words of conversations
IS_NOUN = np.isin(grammar.WORDS, [noun for pair in grammar.NOUNS for noun in pair])


def sentences(seed: int, n: int) -> Integers:
    """n right sentences of the grammar: (n, T)."""
    tokens = grammar.sentences(np.random.default_rng(seed), n)
    return np.pad(tokens, ((0, 0), (0, T - tokens.shape[1])), constant_values=-1)


def language_model_of(texts: Integers, seed: int, steps: int = 400) -> Params:
    """The model of notebook 11, trained on texts (n, T) with cross-entropy and Adam, as there."""
    params = language_model.new_model(np.random.default_rng(seed), PLAIN)
    for _ in language_model.train(
        params, texts, PLAIN, np.random.default_rng(seed + 1000), steps=steps
    ):
        pass
    return params


def good_and_bad(params: Params, rng: Generator, most: int) -> tuple[Integers, Integers]:
    """Pairs to prefer one of: texts that a model writes, as many right ones as wrong ones, `most`
    (n, T) each or fewer."""
    written = write(params, rng, 3000)
    right = keeps_rules(written)
    n = min(right.sum(), (~right).sum(), most)
    return written[right][:n], written[~right][:n]


# What texts are worth: exactly, for the rules are known.


def keeps_rules(tokens: Integers) -> NDArray[np.bool]:
    """True for each text (n, T) of the grammar's words that breaks no rule and is ended.

    >>> keeps_rules(np.array([grammar.encode("the dogs run .".split()), grammar.encode("the dogs runs .".split())]))
    array([ True, False])
    """  # noqa: E501
    return np.array([np.isfinite(grammar.log_probability(row[row >= 0])) for row in tokens])


def truth(tokens: Integers) -> Integers:
    """What is wanted of texts (n, T): much told and no rule broken. The number of nouns, or 0 where
    a rule is broken: (n,)."""
    return (IS_NOUN[np.maximum(tokens, 0)] & (tokens >= 0)).sum(axis=1) * keeps_rules(
        tokens
    ).astype(float)


def count_words(tokens: Integers) -> Integers:
    """How often each word of the grammar occurs behind the first token of texts (n, T): (n,
    n_vocab)."""
    return (tokens[:, 1:, None] == np.arange(PLAIN.n_vocab)).sum(axis=1).astype(float)


def fit_proxy(texts: Integers, rng: Generator, n: int = 400, noise: float = 0.1) -> Array:
    """A reward model: a worth for each word, (n_vocab,), learned from n comparisons of texts (m, T)
    by logistic regression.

    Each comparison says which of two texts has more truth; a share `noise` of them says the wrong
    one. A text's reward is then count_words(text) @ worth (Bradley and Terry 1952; Christiano et
    al. 2017).
    """
    a, b = texts[rng.integers(len(texts), size=(2, 4 * n))]
    differ = np.flatnonzero(truth(a) != truth(b))[:n]
    a, b = a[differ], b[differ]
    better = (truth(a) > truth(b)) != (rng.random(len(a)) < noise)
    X, worth = count_words(a) - count_words(b), np.zeros(PLAIN.n_vocab)
    for _ in range(300):
        chance = 1 / (1 + np.exp(-X @ worth))
        worth -= 0.1 * (
            X.T @ (chance - better) / len(X) + 0.01 * worth
        )  # the second term keeps worths small
    return worth


def share_of_pairs(reward: Reward, texts: Integers, rng: Generator, n: int = 2000) -> float:
    """Of n pairs of texts (m, T) that differ in truth, the share in which the reward(texts) -> (m,)
    prefers the text with more truth."""
    a, b = texts[rng.integers(len(texts), size=(2, n))]
    differ = truth(a) != truth(b)
    return float(((reward(a) > reward(b)) == (truth(a) > truth(b)))[differ].mean())


# The model: what it says of texts, what it writes, how it moves.


def log_probabilities(params: Params, tokens: Integers, config: Config = PLAIN) -> Array:
    """The log-probability of each text (n, T) after its first token: (n,), in nats."""
    P = softmax(language_model.forward(params, tokens[:, :-1], config)[0].astype(float))
    written = np.take_along_axis(P, np.maximum(tokens[:, 1:], 0)[..., None], axis=-1)[..., 0]
    return np.where(tokens[:, 1:] >= 0, np.log(written), 0).sum(axis=1)


def gradients(params: Params, tokens: Integers, weights: Array, config: Config = PLAIN) -> Params:
    """The gradients of sum(weights · −log p) over the words of texts (n, T): a dict with the names
    of params.

    weights: (n, 1), one for each text, or (n, T - 1), one for each word after the first.
    """
    scores, tape = language_model.forward(params, tokens[:, :-1], config)
    one_hot = np.eye(config.n_vocab, dtype=scores.dtype)[np.maximum(tokens[:, 1:], 0)]
    weights = np.where(tokens[:, 1:] >= 0, weights, 0).astype(scores.dtype)
    slope = weights[..., None] * (softmax(scores) - one_hot)
    return language_model.backward(params, tokens[:, :-1], config, slope, tape)


def write(params: Params, rng: Generator, n: int) -> Integers:
    """n texts (n, T) of a model of the grammar's words, each word drawn from what the model
    expects; -1 after the end."""
    tokens, going = np.full((n, T), -1), np.ones(n, dtype=bool)
    cache: Cache = []
    tokens[:, 0] = grammar.END
    for i in range(1, T):
        scores = language_model.forward(params, np.maximum(tokens[:, i - 1 : i], 0), PLAIN, cache)[
            0
        ][:, -1]
        summed = softmax(scores.astype(float)).cumsum(axis=1)
        word = (summed / summed[:, -1:] > rng.random((n, 1))).argmax(axis=1)
        tokens[going, i] = word[going]
        going &= word != grammar.END
        if not going.any():
            break
    return tokens


def divergence(params: Params, reference: Params, tokens: Integers) -> float:
    """The KL divergence of a model from a reference, in nats a text, over texts (n, T) that the
    model itself wrote.

    It is exact at each place, over all words that may come next, and averaged over the drawn
    beginnings.
    """
    P, P_ref = (
        softmax(language_model.forward(p, tokens[:, :-1], PLAIN)[0].astype(float))
        for p in (params, reference)
    )
    at_places = (P * np.log(P / P_ref)).sum(axis=-1) * (tokens[:, 1:] >= 0)
    return float(at_places.sum(axis=1).mean())


# Answers.


def conversations(rng: Generator) -> tuple[Integers, Integers]:
    """All conversations, shuffled: (n, T) and the number of each subject, 0 singular or 1 plural,
    (n,).

    `<ask> the dogs near the cat <answer> yes .` asks whether the subject is plural.
    """
    made = []
    for number, subject, other, m in itertools.product(
        (0, 1), grammar.NOUNS, grammar.NOUNS, (0, 1)
    ):
        middles = [["near", "the", other[m]]]
        for pair in grammar.SEEING:
            middles += [["that", pair[number], "the", other[m]], ["that", "the", other[m], pair[m]]]
        made += [(grammar.encode(["the", subject[number], *middle]), number) for middle in middles]
    tokens = np.full((len(made), T), -1)
    for row, (asked, number) in zip(tokens, made, strict=True):
        row[: len(asked) + 3] = [ASK, *asked[1:], ANSWER, (NO, YES)[number], grammar.END]
    order = rng.permutation(len(made))
    return tokens[order], np.array([number for _, number in made])[order]


def with_new_words(params: Params, rng: Generator) -> Params:
    """A model of the grammar with rows for <ask>, <answer>, yes and no, which it does not expect
    anywhere yet."""
    new, kind = len(WORDS) - len(grammar.WORDS), params["W_E"].dtype
    return params | {
        "W_E": np.vstack([params["W_E"], rng.normal(size=(new, PLAIN.D)) * 0.5]).astype(kind),
        "W_out": np.hstack([params["W_out"], np.zeros((PLAIN.D, new), kind)]),
        "b_out": np.append(params["b_out"], np.full(new, -6)).astype(kind),
    }


def fine_tune(
    params: Params,
    talks: Integers,
    rng: Generator,
    plain: Integers | None = None,
    steps: int = 150,
    n: int = 32,
    learning_rate: float = 1e-2,
) -> Params:
    """A copy of a model that learns the answers of conversations (m, T), cross-entropy and Adam;
    the questions have weight 0.

    plain: texts of the first training (m, T), which are then half of each batch ("replay").
    """
    params = {name: array.copy() for name, array in params.items()}
    adam = Adam(params.values())
    for step in range(1, steps + 1):
        batch = talks[rng.integers(len(talks), size=n if plain is None else n // 2)]
        weights = (np.arange(T - 1) >= (batch == ANSWER).argmax(axis=1)[:, None]).astype(float)
        if plain is not None:
            batch, weights = (
                np.vstack([batch, plain[rng.integers(len(plain), size=n // 2)]]),
                np.vstack([weights, np.ones((n // 2, T - 1))]),
            )
        weights /= (weights * (batch[:, 1:] >= 0)).sum()
        change = gradients(params, batch, weights, TALKING)
        adam.step(
            [change[name] for name in params], language_model.rate_at(step, steps, learning_rate)
        )
    return params


def share_answered(params: Params, talks: Integers, numbers: Integers) -> float:
    """The share of conversations (n, T) in which the likeliest word after <answer>, of all words,
    is the right one."""
    at = (talks == ANSWER).argmax(axis=1)
    said = language_model.forward(params, talks[:, :-1], TALKING)[0][
        np.arange(len(talks)), at
    ].argmax(axis=1)
    return float((said == np.where(numbers == 1, YES, NO)).mean())


# Preferences and rewards.


def train_on_preferences(
    params: Params,
    good: Integers,
    bad: Integers,
    preference_loss: Callable[..., tuple[float, Array, Array]],
    rng: Generator,
    beta: float = 0.1,
    steps: int = 150,
    n: int = 32,
    learning_rate: float = 1e-3,
    pushes: tuple[float, float] = (1.0, 1.0),
) -> Iterator[tuple[int, float, Params]]:
    """Yields (step, loss, params) while a copy of a model learns that good texts (m, T) are
    preferred to bad ones (m, T), with Adam.

    preference_loss: the exercise of notebook 17. pushes: how much is kept of the gradients at good
    and at bad texts; (1, 0) pushes the good ones up alone. Source: Rafailov et al. (2023), Direct
    Preference Optimization, equation 7.
    """
    # the reference does not move: what it says of all texts is computed once
    good_ref, bad_ref = log_probabilities(params, good), log_probabilities(params, bad)
    params = {name: array.copy() for name, array in params.items()}
    adam = Adam(params.values())
    for step in range(1, steps + 1):
        pairs = rng.integers(len(good), size=n)
        texts = np.vstack([good[pairs], bad[pairs]])
        log_p = log_probabilities(params, texts)
        loss, d_good, d_bad = preference_loss(
            log_p[:n], log_p[n:], good_ref[pairs], bad_ref[pairs], beta
        )
        # those of −log p
        weights = -np.concatenate([pushes[0] * d_good, pushes[1] * d_bad])[:, None]
        change = gradients(params, texts, weights)
        adam.step([change[name] for name in params], learning_rate)
        yield step, float(loss), params


def train_on_reward(
    params: Params,
    reward: Reward,
    advantages: Callable[[Array, Array, Array, float], Array],
    rng: Generator,
    leash: float = 0.0,
    steps: int = 60,
    n: int = 64,
    learning_rate: float = 3e-4,
) -> Iterator[tuple[int, Params]]:
    """Yields (step, params), the start as step 0, while a copy of a model writes n texts a step and
    leans towards the better ones, with Adam.

    reward(texts) gives (n,). advantages: the exercise of notebook 17. leash: what each nat costs by
    which a text became likelier than it was for the model at the start. Source: Williams (1992);
    with the leash, Stiennon et al. (2020), section 3.4.
    """
    reference, params = params, {name: array.copy() for name, array in params.items()}
    adam = Adam(params.values())
    yield 0, params
    for step in range(1, steps + 1):
        texts = write(params, rng, n)
        log_p, log_p_ref = log_probabilities(params, texts), log_probabilities(reference, texts)
        weights = advantages(reward(texts), log_p, log_p_ref, leash)[:, None] / n
        change = gradients(params, texts, weights)
        adam.step([change[name] for name in params], learning_rate)
        yield step, params


def follow(
    params: Params,
    reward: Reward,
    advantages: Callable[[Array, Array, Array, float], Array],
    leash: float = 0.0,
) -> tuple[Array, Integers, float]:
    """What train_on_reward does to a reward and to the truth: the means of both over 300 texts at
    every tenth step, (7, 2), the last 300 texts, and the model's divergence from its start."""
    way, rng = [], np.random.default_rng(8)
    for step, model in train_on_reward(params, reward, advantages, rng, leash):
        if step % 10 == 0:
            texts = write(model, np.random.default_rng(7), 300)
            way.append((reward(texts).mean(), truth(texts).mean()))
    return np.array(way), texts, divergence(model, params, texts)


def best_of(proxy: Array, truth: Array, n: int) -> tuple[float, float]:
    """The mean proxy and the mean truth of the best of n under the proxy, over all draws of n (with
    repeats) from texts with these (m,)."""
    order = np.argsort(proxy, kind="stable")
    rank = np.arange(len(order) + 1) / len(order)
    chosen = np.diff(rank**n)  # the share of draws whose best has this rank
    return float(chosen @ proxy[order]), float(chosen @ truth[order])

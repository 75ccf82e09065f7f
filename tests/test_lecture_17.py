"""What lecture 17 rests on: exact rules, gradients that agree with nudging, an unbiased step, an
exact divergence and best of n."""

import itertools

import numpy as np
import pytest

from course_utils.attention import softmax
from course_utils.data import grammar
from course_utils.exercises import EXERCISES, diagnose
from course_utils.exercises.advantages.exercise import advantages
from course_utils.exercises.preference_loss.exercise import preference_loss
from course_utils.instruments import RewardLeash
from course_utils.models import assistant, language_model


def tiny(seed):
    """A model with random parameters in float64."""
    return language_model.new_model(np.random.default_rng(seed), assistant.PLAIN, dtype=float)


@pytest.fixture
def texts():
    return assistant.sentences(0, 6)


def nudged(loss, params, name, at, h=1e-6):
    """The gradient of loss(params) at one entry, by nudging it both ways."""
    values = []
    for step in (h, -h):
        moved = {key: array.copy() for key, array in params.items()}
        moved[name][at] += step
        values.append(loss(moved))
    return (values[0] - values[1]) / (2 * h)


def test_a_text_keeps_the_rules_where_the_grammar_gives_it_a_probability(texts):
    rng = np.random.default_rng(1)
    spoiled = texts.copy()
    for row in spoiled[:4]:
        row[rng.integers(1, (row >= 0).sum() - 1)] = rng.integers(1, len(grammar.WORDS))
    for row, keeps in zip(spoiled, assistant.keeps_rules(spoiled), strict=True):
        assert keeps == np.isfinite(grammar.log_probability(row[row >= 0]))
    assert assistant.keeps_rules(texts).all()
    unended = np.where(texts == grammar.END, -1, texts)
    unended[:, 0] = grammar.END
    assert not assistant.keeps_rules(unended).any()


def test_truth_counts_nouns_of_right_texts_alone():
    rows = [
        grammar.encode(f"the {words} .".split())
        for words in ("dogs see the cat", "dogs sees the cat")
    ]
    assert assistant.truth(np.array(rows)).tolist() == [2, 0]


def test_weighted_gradients_agree_with_nudging(texts):
    params, weights = tiny(2), np.random.default_rng(3).normal(size=(len(texts), 1))

    def loss(moved):
        return -(weights[:, 0] * assistant.log_probabilities(moved, texts)).sum()

    found = assistant.gradients(params, texts, weights)
    for name, at in (
        ("W_out", (3, 5)),
        ("1.W_Q", (0, 1)),
        ("2.W_1", (4, 4)),
        ("W_E", (grammar.END, 2)),
    ):
        assert found[name][at] == pytest.approx(nudged(loss, params, name, at), rel=1e-4, abs=1e-7)


def test_the_gradients_of_dpo_agree_with_nudging_a_parameter(texts):
    params, reference, good, bad = tiny(4), tiny(5), texts[:3], texts[3:]

    def loss(moved):
        return preference_loss(
            *(
                assistant.log_probabilities(p, rows)
                for p in (moved, reference)
                for rows in (good, bad)
            ),
            0.3,
        )[0]

    said = [
        assistant.log_probabilities(p, rows) for p in (params, reference) for rows in (good, bad)
    ]
    _, d_good, d_bad = preference_loss(*said, 0.3)
    found = assistant.gradients(params, texts, -np.concatenate([d_good, d_bad])[:, None])
    for name, at in (("W_out", (3, 5)), ("2.W_V", (1, 1))):
        assert found[name][at] == pytest.approx(nudged(loss, params, name, at), rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("pushes", [(1, 1), (1, 0), (0, 1)])
def test_pushes_keep_or_drop_the_gradients_at_good_and_at_bad_texts(texts, pushes, monkeypatch):
    seen = []
    monkeypatch.setattr(
        assistant,
        "gradients",
        lambda params, tokens, weights: seen.append(weights[:, 0]) or params,
    )
    rng = np.random.default_rng(6)
    next(
        assistant.train_on_preferences(
            tiny(4), texts[:3], texts[3:], preference_loss, rng, beta=0.4, n=2, pushes=pushes
        )
    )
    pull = 0.4 * 0.5 / 2  # at the start every margin is 0
    assert seen[0] == pytest.approx(pull * np.repeat([pushes[0], -pushes[1]], 2))


def test_the_step_of_a_reward_is_unbiased():
    """Over all draws of three words the mean of advantage · (one-hot − P) is the gradient of the
    mean reward, with a leash, too."""
    z, reference, reward, leash = (
        np.array([0.3, -0.2, 0.5]),
        np.array([0.1, 0.4, 0.2]),
        np.array([1.0, 0.0, 4.0]),
        0.7,
    )
    P, P_ref = softmax(z), softmax(reference)

    def mean_worth(scores):
        p = softmax(scores)
        return p @ (reward - leash * np.log(p / P_ref))

    step = np.zeros(3)
    for draws in itertools.product(range(3), repeat=3):
        draws = np.array(draws)
        found = advantages(reward[draws], np.log(P[draws]), np.log(P_ref[draws]), leash)
        step += P[draws].prod() * (found[:, None] * (np.eye(3)[draws] - P)).mean(axis=0)
    exact = [(mean_worth(z + h) - mean_worth(z - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    assert step == pytest.approx(exact, abs=1e-8)


def test_the_divergence_is_0_at_the_start_and_is_what_drawn_texts_say():
    params = assistant.language_model_of(assistant.sentences(0, 300), seed=0, steps=40)
    reference = assistant.language_model_of(assistant.sentences(0, 300), seed=0, steps=30)
    written = assistant.write(params, np.random.default_rng(6), 2000)
    assert assistant.divergence(params, params, written) == pytest.approx(0, abs=1e-12)
    ratios = assistant.log_probabilities(params, written) - assistant.log_probabilities(
        reference, written
    )
    error = ratios.std() / np.sqrt(len(ratios))
    assert assistant.divergence(params, reference, written) == pytest.approx(
        ratios.mean(), abs=5 * error
    )


def test_what_is_written_is_drawn_from_what_the_model_expects():
    params = assistant.language_model_of(assistant.sentences(0, 300), seed=1, steps=60)
    written = assistant.write(params, np.random.default_rng(7), 20_000)
    wanted = np.exp(language_model.next_log_probs(params, [grammar.END], assistant.PLAIN))
    found = np.bincount(written[:, 1], minlength=len(wanted)) / len(written)
    assert found == pytest.approx(wanted, abs=0.02)


def test_the_best_of_n_is_the_mean_over_all_draws():
    proxy, truth = np.array([0.5, 2.0, 1.0]), np.array([3.0, -1.0, 2.0])
    draws = np.array(list(itertools.product(range(3), repeat=4)))
    best = draws[np.arange(len(draws)), proxy[draws].argmax(axis=1)]
    assert assistant.best_of(proxy, truth, 4) == pytest.approx(
        (proxy[best].mean(), truth[best].mean())
    )
    assert assistant.best_of(proxy, truth, 1) == pytest.approx((proxy.mean(), truth.mean()))


def test_questions_have_no_weight_in_fine_tuning(monkeypatch):
    seen = []
    monkeypatch.setattr(
        assistant,
        "gradients",
        lambda params, tokens, weights, config: seen.append((tokens, weights)) or params,
    )
    talks, _ = assistant.conversations(np.random.default_rng(0))
    start = assistant.with_new_words(tiny(8), np.random.default_rng(0))
    assistant.fine_tune(start, talks[:20], np.random.default_rng(1), steps=1)
    tokens, weights = seen[0]
    for row, weight in zip(tokens, weights, strict=True):
        answer = np.flatnonzero(row == assistant.ANSWER)[0]
        assert (weight[:answer] == 0).all()
        assert (weight[answer : answer + 2] > 0).all()
    assert (weights * (tokens[:, 1:] >= 0)).sum() == pytest.approx(1)


def test_conversations_answer_with_the_number_of_the_subject():
    talks, numbers = assistant.conversations(np.random.default_rng(0))
    assert len({tuple(row) for row in talks.tolist()}) == len(talks)
    for row, number in zip(talks.tolist(), numbers, strict=True):
        words = [assistant.WORDS[token] for token in row if token >= 0]
        assert (words[0], words[-1]) == ("<ask>", ".")
        assert words[-3:-1] == ["<answer>", ("no", "yes")[number]]
        assert grammar.NUMBER[words[2]] == number


def test_a_fitted_proxy_is_right_on_most_pairs_and_a_turned_one_on_few():
    written = assistant.sentences(0, 800)
    written[::3, 3] = written[1::3, 3][: len(written[::3])]  # some break a rule now
    worth = assistant.fit_proxy(written, np.random.default_rng(0))
    rights = [
        assistant.share_of_pairs(
            lambda rows, sign=sign: sign * (assistant.count_words(rows) @ worth),
            written,
            np.random.default_rng(1),
        )
        for sign in (1, -1)
    ]
    assert rights[0] > 0.7
    assert sum(rights) == pytest.approx(1, abs=0.05)  # ties count as neither


CATCH = EXERCISES["catch_proxy"]
ATTRACTION = "the dogs near the cat runs ."  # the first hack that comes to mind


def test_the_proxies_of_the_catch_are_right_on_right_texts_and_each_has_a_hole():
    truth = CATCH.exercise.reference
    right = [grammar.text(row) for row in assistant.sentences(4, 2000)]
    other = dict(pair for verbs in grammar.SEEING for pair in (verbs, verbs[::-1]))
    wrong = [" ".join(other.get(word, word) for word in text.split()) for text in right]
    wrong += [text.replace(" run ", " runs ") for text in right]
    wrong = [text for text in wrong if truth(text) == 0]
    assert len(wrong) > 20
    for proxy in CATCH.mistakes:
        assert [text for text in right if proxy.function(text) != truth(text)] == []
        assert any(proxy.function(text) > 0 for text in wrong), proxy.name


def test_the_catch_asks_for_a_text_that_hacks_all_and_the_first_idea_is_not_enough():
    assert CATCH.enough == len(CATCH.mistakes) == len(CATCH.planted) == 6
    told = diagnose("catch_proxy", ATTRACTION)
    assert told.status == "wrong"
    assert "Not caught: reads to the first verb." in told.message
    assert "every rule" in diagnose("catch_proxy", "the dogs run .").message


def test_no_model_has_more_worth_under_a_leash_than_the_formula_says():
    """Over all ways to move a little probability between texts, and over drawn models; the KL
    divergence as the sum over all texts."""
    written = assistant.sentences(5, 40)
    points = np.random.default_rng(1).normal(size=len(grammar.WORDS))
    leash = RewardLeash(written, points, leash=0.7)
    reference = leash.times / leash.times.sum()

    def worth(p):
        return p @ leash.proxy - 0.7 * (p * np.log(p / reference)).sum()

    best = reference * np.exp(leash.proxy / 0.7)
    best /= best.sum()
    proxy, _, divergence = leash.numbers["now"]
    assert proxy == pytest.approx(best @ leash.proxy)
    assert divergence == pytest.approx((best * np.log(best / reference)).sum())
    rng = np.random.default_rng(2)
    for p in rng.dirichlet(np.ones(len(best)), size=200):
        for share in (1e-3, 0.1, 1):
            assert worth((1 - share) * best + share * p) < worth(best)
    assert worth(best) == pytest.approx(0.7 * np.log(reference @ np.exp(leash.proxy / 0.7)))


def test_a_looser_leash_gains_proxy_and_the_truth_as_it_goes_with_the_proxy():
    """The derivative by 1 / leash: the variance of the proxy, and its covariance with the truth."""
    written = assistant.sentences(5, 400)
    spoiled = np.random.default_rng(3).random(len(written)) < 0.2
    written[spoiled, 3] = grammar.WORDS.index("cats")
    leash = RewardLeash(written, assistant.IS_NOUN.astype(float))
    assert (np.diff(leash.curves[:, 1]) > 0).all()
    h = 1e-5
    p = leash._policy(0.8)
    truth = leash.nouns * leash.right
    low, high = (leash._means(leash._policy(1 / (1 / 0.8 + step))) for step in (-h, h))
    covariance = p @ (leash.proxy * truth) - (p @ leash.proxy) * (p @ truth)
    variance = p @ leash.proxy**2 - (p @ leash.proxy) ** 2
    assert (high[0] - low[0]) / (2 * h) == pytest.approx(variance, rel=1e-6)
    assert (high[1] - low[1]) / (2 * h) == pytest.approx(covariance, rel=1e-6)


@pytest.mark.parametrize("answer", [["the", "dogs", "run", "."], np.array([1.0, 2.0]), 3])
def test_what_is_no_text_is_told_so(answer):
    told = diagnose("catch_proxy", answer)
    assert told.mistake == "not a text"
    assert "should be a text, words in quotes" in told.message

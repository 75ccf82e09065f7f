"""What notebook 08 says in words is computed there, its Finds are true; laws of its task and of its pictures."""

import numpy as np
import pytest
from helpers import names_of, prose, script

from course_utils.attention import softmax
from course_utils.data.grammar import LONGEST, NOUNS, encode, next_probabilities, verbs
from course_utils.exercises import EXERCISES
from course_utils.figures import clocks, maps
from course_utils.instruments import SinusoidFrequencies, TurningArrows
from course_utils.models.position_task import N_VOCAB, D, accuracy, forward, loss_and_gradients, start, train
from course_utils.positions import rotary_angles, sinusoidal_positional_encoding

NAME, NAME_05 = "08_positional_encoding", "05_multi_head_attention"


@pytest.fixture
def room():
    return names_of(NAME)


def numbers(instrument, **moved):
    """What an instrument computes when some of its opening state was moved."""
    return instrument.compute({**instrument.start(), **moved})


def best_offset(key, offsets):
    """The offset at which the query of TurningArrows, turned, scores this key highest."""
    there = [numbers(TurningArrows, k=key, m=max(offset, 0), n=max(-offset, 0))["score"] for offset in offsets]
    return offsets[int(np.argmax(there))]


def ahead(angle):
    """A key that points `angle` radians ahead of the query, before they are turned."""
    a, b = TurningArrows.start()["q"]
    cos, sin = np.cos(angle), np.sin(angle)
    return [a * cos - b * sin, a * sin + b * cos]


# {a sentence of the notebook: what it says, computed from the notebook's own names}
SAID = {
    '"love" scores "bears" alike wherever it stands': lambda n: np.ptp([love_bears(n, order) for order in ([0, 1, 2], [2, 1, 0], [1, 0, 2])]) < 1e-12,
    "is their mean": lambda n: np.allclose(n["plain"].mean(0), n["shuffled"].mean(0)) and not np.allclose(n["plain"], n["shuffled"]),
    "from 200 beginnings": lambda n: n["k"]["prompts"] == 200,
    "The same words, the same last one: to a bag a coin toss, 100 right": lambda n: n["k"]["prompts"] / 2 == 100,
    "gets 1/2, the fifth 1/5": lambda n: np.allclose(softmax(np.where(n["mine"].causal_mask(5), 0, -np.inf))[:, 0], 1 / np.arange(1, 6)),
    "Clock 0 turns by 1, each next one is slower by the same factor": lambda n: np.ptp(np.diff(np.log(10000 ** (-np.arange(0, 8, 2) / 8)))) < 1e-12,
    "Eight positions, three clocks; base 64": lambda n: np.array_equal(n["R_small"], sinusoidal_positional_encoding(8, 6, 64)),
    "Move both alike, or let them change places": lambda n: stands_still(),
    "In notebook 05 the two stood side by side": lambda n: "which word it is (4 features), at which place it stands (5)" in prose(NAME_05),
    "Near positions are alike, far ones less, though not steadily": lambda n: nearness(n["R"]),
    "parameters of six blocks": lambda n: n["blocks"].__defaults__ == (6,),
    "Kept side by side, a quarter more; brought back, next to nothing": lambda n: (
        np.allclose([n["kept"] / n["added"], n["back"] / n["added"]], [1.25, 1], atol=0.025)),
    "Each of 256 hands adds": lambda n: n["R_512"].shape[1] / 2 == 256,
    "every $R_i$ is 16 long": lambda n: np.allclose(np.linalg.norm(n["R_512"], axis=1), 16),
    "Same words, same offset, three scores": lambda n: np.ptp([score_with_R(n, i, i - 1)[0] for i in (2, 12, 22)]) > 3,
    "Even the last term changes, though $R_i \\cdot R_j$ does not": lambda n: (
        np.ptp([score_with_R(n, i, i - 1)[1] for i in (2, 12, 22)]) > 3 and np.ptp([n["R_4"][i] @ n["R_4"][i - 1] for i in (2, 12, 22)]) < 1e-12),
    "one back is not one ahead": lambda n: abs(turned_score(n, 2, 1) - turned_score(n, 1, 2)) > 1,
    "a position turns them by 29° here": lambda n: round(np.degrees(TurningArrows.start()["speed"])) == 29,
    "0.6 would be best, of whole offsets here 1": lambda n: (
        [best_offset(TurningArrows.start()["k"], offsets) for offsets in (np.arange(-60, 61) / 10, range(-11, 12))] == [0.6, 1]),
    "The angle by which the key is ahead, 17.5° above, shrinks by $(i - j)\\,\\omega$": lambda n: (
        np.allclose(from_key_to_query(n, 5, 3), from_key_to_query(n, 0, 0) + 5 - 3)),
    "by three times 29°, 86°": lambda n: round(np.degrees(3 * TurningArrows.start()["speed"])) == 86 and best_offset(ahead(1.5), range(-11, 12)) == 3,
    "Eight wrong turns are hidden in the check. Write a law that refuses at least seven": lambda n: (
        len(EXERCISES["catch_rotate"].planted), EXERCISES["catch_rotate"].enough) == (8, 7),
    "reads 16 random words": lambda n: train.__defaults__[1] == 16,
    "a random vector for each of seven words": lambda n: N_VOCAB == 7,
    '"none" guesses among the words it sees': lambda n: guesses_what_it_sees(n["models"]["none"]),
    "new texts, 64 words long": lambda n: accuracy.__defaults__[0] == 64,
    "Beyond 15 the table holds random rows": lambda n: np.array_equal(n["models"]["learned"][0][16:], n["table"][16:]),
    "RoPE reads on, with losses: weight leaks to offsets never trained": lambda n: 0.3 < leaked(n["models"]["RoPE"]) < 0.7,
    "four positions further": lambda n: "sinusoidal, 301, 16-19" in n["k8"],
    "Our task needs one offset only": lambda n: n["right"]["RoPE"][:15].mean() > 0.99,
    "depends on their offset only; behind $W_Q$ and $W_K$ no longer": lambda n: np.ptp([score_with_R(n, i, i - 1)[1] for i in range(1, 64)]) > 1,
}


def love_bears(n, order):
    """The score of "love" with "bears" in the sentence in this order."""
    X = n["sentence"][order]
    S = X @ n["W_Q"] @ (X @ n["W_K"]).T
    return S[order.index(1), order.index(2)]


def stands_still():
    began = numbers(SinusoidFrequencies)["product"]
    moved = [numbers(SinusoidFrequencies, i=12 + step, j=21 + step)["product"] for step in (-12, 3.5, 42)]
    other = [numbers(SinusoidFrequencies, i=12 + step)["product"] for step in (-5, 3, 20)]
    assert np.abs(np.array(other) - began).min() > 0.05
    return np.allclose([*moved, numbers(SinusoidFrequencies, i=21, j=12)["product"]], began)


def turned_score(n, i, j):
    return n["turn"](n["q"], i) @ n["turn"](n["k_love"], j)


def from_key_to_query(n, i, j):
    """The angle from the key at j to the query at i, where the speed is 1."""
    (a, b), (c, d) = n["turn"](n["k_love"], j), n["turn"](n["q"], i)
    return np.arctan2(a * d - b * c, a * c + b * d)


def nearness(R):
    """R_0 · R_j falls at first, and rises now and then, but never to where it began."""
    products = R @ R[0]
    return (np.diff(products[:4]) < 0).all() and (np.diff(products) > 0).any() and products[1] == products[1:].max()


def score_with_R(n, i, j):
    """The score of "bears" at i with "love" at j where R was added, and its term of two positions."""
    R, W_Q, W_K = n["R_4"], n["W_Q"], n["W_K"]
    return (n["bears"] + R[i]) @ W_Q @ ((n["love"] + R[j]) @ W_K), R[i] @ W_Q @ (R[j] @ W_K)


def guesses_what_it_sees(model):
    """Within the trained length the model names a word that it has seen, and is not much better than a pick among the different ones."""
    tokens = np.random.default_rng(5).integers(N_VOCAB, size=(200, 16))
    named = forward(tokens, *(part[:16] for part in model[:3]), *model[3:])[-1].argmax(axis=-1)
    seen = np.array([[named[s, i] in tokens[s, :i + 1] for i in range(1, 16)] for s in range(200)])
    right = (named[:, 8:] == tokens[:, 7:-1]).mean()
    return seen.mean() > 0.99 and right < 0.35


def leaked(model):
    """The weight that position 50 gives to offsets beyond 15, on average."""
    tokens = np.random.default_rng(2).integers(N_VOCAB, size=(200, 64))
    return forward(tokens, *model)[4][:, 50, :35].sum(axis=-1).mean()


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_text_says_is_so(room, sentence):
    assert sentence in prose(NAME)
    assert SAID[sentence](room)


def test_the_same_words_with_the_same_last_one_begin_sentences_whose_verbs_differ_so_a_bag_of_words_has_to_toss_a_coin():
    order_prompts, none = script("make_starts.py").load("G1").order_prompts, np.zeros((0, LONGEST), dtype=int)
    every, subjects = order_prompts(np.random.default_rng(0), 4 * len(NOUNS) ** 3, none)
    told = [every.index(encode(f"the {one} near the {other} near the cat")) for one, other in (("dogs", "fox"), ("fox", "dogs"))]
    assert subjects[told].tolist() == [1, 0]                                           # dogs run, the fox runs
    bags = {}
    for tokens, number in zip(every, subjects.tolist(), strict=True):
        assert next_probabilities(tokens)[verbs(number)].sum() == pytest.approx(1)
        bags.setdefault((*sorted(tokens), tokens[-1]), []).append(number)
    assert all(np.mean(numbers) == 0.5 for numbers in bags.values())


def test_the_words_of_the_first_sum_are_those_of_notebook_02(room):
    values = room["sentence"] @ room["W_V"]
    np.testing.assert_allclose([*room["value"].values()], values)


def test_the_weights_of_the_first_sum_are_those_of_love(room):
    scores = room["sentence"][1] @ room["W_Q"] @ (room["sentence"] @ room["W_K"]).T / np.sqrt(2)
    assert softmax(scores).round(2).tolist() == [0.26, 0.3, 0.43]


def test_clocks_say_where_their_hands_stand():
    R = sinusoidal_positional_encoding(3, 4, base=4)
    figure = clocks(R)
    assert figure.description == "At the positions 0 to 2 clock 0 stands at 0°, 57°, 115°; clock 1 stands at 0°, 29°, 57°."
    hands = [line.get_xydata() for line in figure.axes[0].lines if len(line.get_xydata()) == 2]
    tips = np.array([end - begin for begin, end in hands]) * [1, -1] / 0.7          # up is up, though the axis counts downwards
    np.testing.assert_allclose(tips.reshape(2, 3, 2), R.reshape(3, 2, 2).swapaxes(0, 1))
    figure.canvas.draw()


# The task

def position_model(seed=0, T=12):
    rng = np.random.default_rng(seed)
    return rng.integers(N_VOCAB, size=(3, T)), [0.3 * rng.normal(size=(T, D)), *start(rng)], rotary_angles(np.arange(T), D)


@pytest.mark.parametrize("which", range(4), ids=["R", "W_Q", "W_K", "W_V"])
def test_the_gradients_of_the_position_task_are_those_of_its_loss(which):
    tokens, parameters, angles = position_model()
    step = 1e-5 * np.random.default_rng(1).normal(size=parameters[which].shape)

    def loss(sign):
        R, *W = [p + sign * step if i == which else p for i, p in enumerate(parameters)]
        return loss_and_gradients(tokens, R, *angles, *W)[0]
    gradient = loss_and_gradients(tokens, parameters[0], *angles, *parameters[1:])[1][which]
    assert (loss(1) - loss(-1)) / 2 == pytest.approx((gradient * step).sum(), rel=1e-6)


def test_the_head_sees_no_future_and_with_rope_only_offsets():
    tokens, (_, *W), _ = position_model(T=12)
    zero = np.zeros((12, D))
    weights = [forward(tokens, zero, *rotary_angles(np.arange(start, start + 12), D), *W)[4] for start in (0, 30)]
    np.testing.assert_allclose(weights[0], weights[1], atol=1e-12)
    changed = tokens.copy()
    changed[:, -1] = (changed[:, -1] + 1) % N_VOCAB
    P = [forward(t, zero, *rotary_angles(np.arange(12), D), *W)[-1][:, :-1] for t in (tokens, changed)]
    np.testing.assert_array_equal(*P)


def test_training_touches_only_the_first_rows_and_leaves_its_arguments():
    R = np.random.default_rng(0).normal(size=(20, D))
    before = R.copy()
    still = np.ones((20, D // 2)), np.zeros((20, D // 2))
    losses, (learned, *_) = train(R, *still, learn_R=True, T=8, steps=5)
    assert len(losses) == 5
    np.testing.assert_array_equal(R, before)
    assert (learned != R).any(axis=1).tolist() == [True] * 8 + [False] * 12


def test_maps_puts_size_range_and_mean_in_words():
    figure = maps({"a table": np.array([[0.0, 0.5], [1.0, -0.25]])}, "column", "row")
    assert figure.description == "row by column. a table: 2 × 2 numbers from -0.25 to 1.00, mean 0.31."
    figure.canvas.draw()

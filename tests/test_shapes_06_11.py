"""Notebooks 06 to 12: the solutions pass their own check; catches and readings say what they should; slips that only stop are explained."""

import numpy as np
import pytest

from course_utils.attention import softmax
from course_utils.exercises import (
    EXERCISES,
    diagnose,
    language_model,
    layer_norm,
    mixture_of_experts,
    positional_encoding,
    real_transformer,
    todays_models,
    tokens,
    transformer_block,
)
from course_utils.exercises.checking import solution

MODULES = (layer_norm, transformer_block, positional_encoding, mixture_of_experts, language_model, real_transformer, tokens, todays_models)
MINE = {exercise.name: exercise for module in MODULES for exercise in module.EXERCISES}
WRITTEN = [name for name, exercise in MINE.items() if exercise.shape != "reading"]
CATCHES = [name for name, exercise in MINE.items() if exercise.shape == "catch"]
READINGS = [name for name, exercise in MINE.items() if exercise.shape == "reading"]


def run_solution(name):
    """What a solution's file defines, beside the other exercises' functions (never its own reference)."""
    names = {other: exercise.reference for other, exercise in EXERCISES.items() if exercise.shape in ("gap", "build") and other != name}
    exec(compile(solution(name), f"{name}.py", "exec"), names)
    return names[name]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_notebook_has_a_reading_and_a_catch_or_a_build(module):
    shapes = {exercise.shape for exercise in module.EXERCISES}
    assert "reading" in shapes
    assert shapes & {"catch", "build"}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_solution_passes_its_own_check(name):
    diagnosis = diagnose(name, run_solution(name))
    assert diagnosis.status == "correct", diagnosis.message
    assert len(solution(name).splitlines()) <= 19


@pytest.mark.parametrize("name", WRITTEN)
def test_the_ladder_has_three_steps_and_the_skeleton_is_a_stub(name):
    exercise = MINE[name]
    assert [title for title, *_ in diagnose(name, ...).ladder] == ["A nudge", "A skeleton", "A solution"]
    names = {"np": np, "softmax": softmax}
    exec(compile(exercise.skeleton, name, "exec"), names)
    assert {f"my_{name}", "my_input"} & set(names)
    if exercise.shape != "catch":
        assert diagnose(name, names.get(f"my_{name}", names.get("my_input"))).status == "not attempted"


@pytest.mark.parametrize("name", [name for name in WRITTEN if name not in CATCHES])
def test_no_hint_holds_a_line_of_the_solution(name):
    lines = [line.split("#")[0].strip().removeprefix("return ").split(" = ")[-1] for line in solution(name).splitlines()]
    lines = [line for line in lines if len(line) > 12 and not line.startswith(("def ", "import "))]
    hints = " ".join([MINE[name].nudge, *(m.hint for m in MINE[name].mistakes)])
    assert [line for line in lines if line in hints] == []


SIZES = {            # how many letters stand in the shapes of an exercise's arrays
    "layer_norm": 2, "rms_norm": 2, "feed_forward": 3, "feed_forward_slopes": 3, "transformer_block": 2, "beam_step": 2, "rotate": 3,
    "responsibilities": 2, "top_k_gate": 2, "mixture_of_experts": 3, "expert_layer": 4, "train_step": 3, "forward": 5, "kv_cache_step": 3,
    "nearest_words": 2, "mean_pooling": 3, "grouped_query_attention": 6, "swiglu": 3,
}


@pytest.mark.parametrize("name", SIZES)
def test_all_sizes_of_the_first_input_differ_and_a_later_one_is_square(name):
    first, *others = ({size for a in _arrays(inputs) for size in a.shape} for inputs in MINE[name].inputs)
    assert len(first) == SIZES[name]
    assert min(len(sizes) for sizes in others) < SIZES[name]


def _arrays(inputs):
    """The arrays with axes among arguments, those in dicts and lists, too."""
    for value in inputs:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, (dict, list)):
            yield from _arrays(value.values() if isinstance(value, dict) else value)


# Slips that stop everywhere are named by how they stop; what they mean is said.

def relu_by_max(X, W_1, b_1, W_2, b_2):
    return max(0, X @ W_1 + b_1) @ W_2 + b_2


def relu_by_np_max(X, W_1, b_1, W_2, b_2):
    return np.max(0, X @ W_1 + b_1) @ W_2 + b_2


def two_axes_and_one(q, k, v, K, V):
    K, V = np.concatenate([K, k]), np.concatenate([V, v])
    return softmax(K @ q) @ V, K, V


@pytest.mark.parametrize(("name", "function", "mistake", "words"), [
    ("feed_forward", relu_by_max, "Python's max of a whole array", "compares number by number"),
    ("feed_forward", relu_by_np_max, "np.max for np.maximum", "np.maximum(0, x)"),
    ("kv_cache_step", two_axes_and_one, "new axis forgotten", "A single row wants a new axis"),
], ids=["max(0, x)", "np.max(0, x)", "concatenate([K, k])"])
def test_slips_that_stop_are_explained(name, function, mistake, words):
    diagnosis = diagnose(name, function)
    assert (diagnosis.status, diagnosis.mistake) == ("wrong", mistake)
    assert words in diagnosis.message


def test_equal_rows_have_one_right_answer_and_rounding_decides_nothing():
    for arguments in MINE["nearest_words"].traps.values():
        i, vectors, _ = arguments
        cosine = vectors @ vectors[i] / 64
        assert (cosine == 1).sum() == 2                  # row i, and the one that equals it
        assert len(set(cosine)) == len(cosine) - 1


def test_no_logits_are_equal():
    for logits, _ in MINE["top_k_gate"].tries:
        assert all(len(set(row)) == len(row) for row in logits)


# Readings.

@pytest.mark.parametrize("name", READINGS)
def test_each_letter_of_a_reading_says_its_own_reason(name):
    reading = MINE[name]
    for letter, (text, why) in zip(reading.letters, reading.options, strict=True):
        diagnosis = diagnose(name, letter.lower())
        assert diagnosis.status == ("correct" if letter == reading.right else "wrong")
        assert diagnosis.mistake == (None if letter == reading.right else text)
        assert why in diagnosis.message
        assert text in repr(diagnosis)
        assert reading.picture in diagnosis._repr_html_()
    assert not any(why in repr(diagnose(name, ...)) for _, why in reading.options)


@pytest.mark.parametrize("name", READINGS)
def test_options_of_a_reading_are_of_like_length(name):
    reading = MINE[name]
    lengths = {letter: len(text) for letter, (text, _) in zip(reading.letters, reading.options, strict=True)}
    assert lengths[reading.right] < max(lengths.values()) or len(set(lengths.values())) == 1
    assert max(lengths.values()) <= 1.4 * min(lengths.values()) + 8
    assert len({why for _, why in reading.options}) == len(reading.options) >= 3


def test_the_rows_of_06_are_of_the_norms_that_the_reading_names():
    batch, rms, layer = layer_norm.NORMED
    assert np.allclose(batch, 0)
    assert np.allclose(rms / layer_norm.TOKEN, rms[0])
    assert (np.mean(rms**2), np.mean(layer**2), layer.sum()) == pytest.approx((1, 1, 0), abs=1e-4)


def test_units_of_07_fire_as_the_reading_says():
    hidden, W_2, b_2 = transformer_block.READ_HIDDEN, np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([0.5, 0.5])
    output = hidden @ W_2 + b_2
    assert np.array_equal(output[2], b_2 + 3 * W_2[2])
    assert not any(np.array_equal(row, b_2) for row in output)
    assert hidden[1].max() == hidden[2].max()
    assert not np.array_equal(output[1], output[2])


def test_the_position_of_08_and_its_wrong_ones():
    first = positional_encoding.ALL_WAVES[:, 0].round(2)
    assert positional_encoding.ONE_POSITION == 2
    assert len(set(first)) == 4
    assert positional_encoding.ALL_WAVES[1, 1] > 0 > positional_encoding.ALL_WAVES[2, 1]


def test_one_expert_of_09_gets_the_most_from_every_token():
    assert (mixture_of_experts.READ_GATES.argmax(axis=1) == 0).all()
    assert mixture_of_experts.READ_GATES[:, 0].mean() > 0.6


def test_the_head_of_10_looks_at_the_subject_from_the_last_word():
    weights = language_model.READ_HEADS
    assert weights[-1].argmax() == language_model.READ_WORDS.index("dogs")
    assert [weights[i].argmax() == i - 1 for i in range(1, 5)] == [True, True, True, False]


def test_the_last_of_many_tokens_costs_more_than_the_second():
    assert language_model._cost(1024) > 8 * language_model._cost(2)


def test_pairs_of_one_meaning_stay_nearer_as_the_readings_of_11_say():
    four = real_transformer._cosines(1)[np.ix_(real_transformer.FOUR, real_transformer.FOUR)]
    assert min(four[0, 1], four[2, 3]) > four[:2, 2:].max() > four[:2, 2:].min() > 0
    assert real_transformer._mean_cosine(1, True) - real_transformer._mean_cosine(1, False) > 0.2
    assert abs(real_transformer._mean_cosine(0, True) - real_transformer._mean_cosine(0, False)) < 0.001
    assert real_transformer._mean_cosine(0, False) > 0.99


# Catches.

@pytest.mark.parametrize("name", CATCHES)
def test_what_is_planted_is_known_and_enough_is_less_than_all(name):
    catch = MINE[name]
    assert len(catch.mistakes) == len(catch.planted)
    assert 1 < catch.enough < len(catch.planted)
    assert f"catches {len(catch.planted)} of {len(catch.planted)}" in diagnose(name, run_solution(name)).message


@pytest.mark.parametrize("name", [name for name in CATCHES if MINE[name].kind == "law"])
def test_a_law_that_accepts_or_refuses_all_is_none(name):
    accepts, refuses = diagnose(name, lambda function: True), diagnose(name, lambda function: False)
    assert (accepts.status, refuses.status) == ("wrong", "wrong")
    assert f"catches 0 of {len(MINE[name].planted)}" in accepts.message
    assert "says False of the right" in refuses.message


def mean_zero(norm):
    x = np.array([[1.0, 2.0, 9.0], [4.0, 4.0, -2.0]])
    return np.allclose(norm(x, np.ones(3), np.zeros(3), 1e-9).mean(axis=1), 0)


def keeps_lengths(rotate):
    X, angles = np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([[0.3, 2.0]])
    return np.allclose(np.linalg.norm(rotate(X, np.cos(angles), np.sin(angles)), axis=1), np.linalg.norm(X, axis=1))


HALF_LAWS = [
    ("catch_layer_norm", mean_zero, "Not caught: deviation of everything; divided by the variance."),
    ("catch_rotate", keeps_lengths,
     "Not caught: wrong sign; pairs interleaved where halves are asked; cos and sin swapped; halves the wrong way round."),
]


@pytest.mark.parametrize(("name", "law", "words"), HALF_LAWS, ids=["mean 0", "lengths"])
def test_half_a_law_catches_half(name, law, words):
    diagnosis = diagnose(name, law)
    assert diagnosis.status == "wrong"
    assert words in diagnosis.message


INPUTS = [
    ("catch_beam_step", (np.log([0.9, 0.1]), np.log([[0.6, 0.3, 0.1], [0.4, 0.3, 0.3]]), 1), "wrong"),
    ("catch_beam_step", (np.log([0.6, 0.3]), np.log([[0.5, 0.4, 0.1], [0.9, 0.06, 0.04]]), 3), "correct"),
    ("catch_mean_pooling", (np.ones((2, 3, 1)), np.ones((2, 3), dtype=bool)), "wrong"),
    ("catch_mean_pooling", (np.arange(6.0).reshape(2, 3, 1), np.array([[False, True, True], [True, False, False]])), "correct"),
    ("catch_top_p", (np.array([0.4, 0.3, 0.2, 0.1]), 0.6), "wrong"),
    ("catch_top_p", (np.array([0.2, 0.1, 0.45, 0.25]), 0.6), "correct"),
]


@pytest.mark.parametrize(("name", "value", "status"), INPUTS, ids=[
    "greedy beam", "telling beam", "no padding", "padding in front", "sorted already", "not sorted"])
def test_inputs_catch_or_do_not(name, value, status):
    diagnosis = diagnose(name, value)
    assert diagnosis.status == status, diagnosis.message

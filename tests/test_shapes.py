"""Exercises of every shape: solutions pass their own check, catches and readings say what they
should, slips that only stop are explained."""

import numpy as np
import pytest

from course_utils import attention
from course_utils.attention import softmax
from course_utils.diagnosis.verdicts import solution
from course_utils.exercises import EXERCISES, LECTURES, diagnose, mine
from course_utils.exercises.note_01 import exercise as note_01
from course_utils.exercises.note_03 import exercise as note_03
from course_utils.exercises.note_04 import exercise as note_04
from course_utils.exercises.note_05 import exercise as note_05
from course_utils.exercises.note_11 import exercise as note_11
from course_utils.exercises.note_12 import exercise as note_12
from course_utils.exercises.which_head_11 import exercise as which_head_11
from course_utils.exercises.which_load_09 import exercise as which_load_09
from course_utils.exercises.which_norm_06 import exercise as which_norm_06
from course_utils.exercises.which_pair_12 import exercise as which_pair_12
from course_utils.exercises.which_position_08 import exercise as which_position_08
from course_utils.exercises.which_reshape_05 import exercise as which_reshape_05
from course_utils.exercises.which_unit_07 import exercise as which_unit_07
from course_utils.exercises.whose_mask_04 import exercise as whose_mask_04
from course_utils.exercises.whose_weights_01 import exercise as whose_weights_01

WRITTEN = [name for name, exercise in EXERCISES.items() if exercise.shape != "reading"]
CATCHES = [name for name, exercise in EXERCISES.items() if exercise.shape == "catch"]
LAWS = [name for name in CATCHES if EXERCISES[name].kind == "law"]
READINGS = [name for name, exercise in EXERCISES.items() if exercise.shape == "reading"]


def run_solution(name):
    """What a solution's file defines, beside the other exercises' functions (never its own
    reference)."""
    names = {
        other: exercise.reference
        for other, exercise in EXERCISES.items()
        if exercise.shape in ("gap", "build") and other != name
    }
    exec(compile(solution(name), f"{name}.py", "exec"), names)
    return names[name]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_solution_passes_its_own_check(name):
    diagnosis = diagnose(name, run_solution(name))
    assert diagnosis.status == "correct", diagnosis.message
    assert len(solution(name).splitlines()) <= (34 if EXERCISES[name].shape == "build" else 19)


@pytest.mark.parametrize("name", WRITTEN)
def test_the_ladder_has_three_steps_and_the_skeleton_is_a_stub(name):
    exercise = EXERCISES[name]
    titles = [title for title, *_ in diagnose(name, ...).ladder]
    assert titles == ["A nudge", "A skeleton", "A solution"]
    assert "..." in exercise.skeleton
    names = {"np": np, "softmax": softmax}
    exec(compile(exercise.skeleton, name, "exec"), names)
    assert {f"my_{name}", "my_input", "my_law"} & set(names)
    if exercise.shape != "catch":
        assert (
            diagnose(name, names.get(f"my_{name}", names.get("my_input"))).status == "not attempted"
        )
    assert 1 <= exercise.difficulty <= 3


@pytest.mark.parametrize("name", [name for name in WRITTEN if name not in CATCHES])
def test_no_hint_holds_a_line_of_the_solution(name):
    lines = [
        line.split("#")[0].strip().removeprefix("return ").split(" = ")[-1]
        for line in solution(name).splitlines()
    ]
    lines = [line for line in lines if len(line) > 12 and not line.startswith(("def ", "import "))]
    hints = " ".join([EXERCISES[name].nudge, *(m.hint for m in EXERCISES[name].mistakes)])
    assert [line for line in lines if line in hints] == []


# Readings.


@pytest.mark.parametrize("name", READINGS)
def test_each_letter_of_a_reading_says_its_own_reason(name):
    reading = EXERCISES[name]
    for letter, (text, why) in zip(reading.letters, reading.options, strict=True):
        diagnosis = diagnose(name, letter.lower())
        assert diagnosis.status == ("correct" if letter == reading.right else "wrong")
        assert diagnosis.mistake == (None if letter == reading.right else text)
        assert why in diagnosis.message
        assert text in repr(diagnosis)
        assert reading.picture in diagnosis._repr_html_()
    assert diagnose(name, ...).status == "not attempted"
    assert not any(why in repr(diagnose(name, ...)) for _, why in reading.options)
    assert "one letter" in diagnose(name, "Z").message


@pytest.mark.parametrize("name", READINGS)
def test_options_of_a_reading_are_of_like_length(name):
    reading = EXERCISES[name]
    lengths = {
        letter: len(text)
        for letter, (text, _) in zip(reading.letters, reading.options, strict=True)
    }
    assert lengths[reading.right] <= max(
        length for letter, length in lengths.items() if letter != reading.right
    )
    assert max(lengths.values()) <= 1.4 * min(lengths.values()) + 8
    assert len({why for _, why in reading.options}) == len(reading.options) >= 3


# Catches.


@pytest.mark.parametrize("name", CATCHES)
def test_what_is_planted_is_known_and_enough_can_be_had(name):
    catch = EXERCISES[name]
    assert len(catch.mistakes) == len(catch.planted)
    assert 1 < catch.enough <= len(catch.planted)
    assert (
        f"catches {len(catch.planted)} of {len(catch.planted)}"
        in diagnose(name, run_solution(name)).message
    )


@pytest.mark.parametrize("name", LAWS)
def test_a_law_that_accepts_all_catches_none(name):
    diagnosis = diagnose(name, lambda function: True)
    assert diagnosis.status == "wrong"
    assert f"catches 0 of {len(EXERCISES[name].planted)}" in diagnosis.message


@pytest.mark.parametrize("name", LAWS)
def test_a_law_that_refuses_the_right_one_is_none(name):
    diagnosis = diagnose(name, lambda function: False)
    assert diagnosis.status == "wrong"
    assert "says False of the right" in diagnosis.message


@pytest.mark.parametrize("lecture", [lecture for lecture in LECTURES if "01" <= lecture < "15"])
def test_a_lecture_has_a_reading_and_a_catch_or_a_build(lecture):
    shapes = {EXERCISES[name].shape for name in LECTURES[lecture]}
    assert "reading" in shapes
    assert (
        shapes & {"catch", "build"} or lecture == "07"
    )  # whose block is built of parts that come as arguments


SIZES = {  # how many letters stand in the shapes of an exercise's arrays
    "layer_norm": 2,
    "rms_norm": 2,
    "feed_forward": 3,
    "feed_forward_slopes": 3,
    "transformer_block": 2,
    "beam_step": 2,
    "rotate": 3,
    "responsibilities": 2,
    "top_k_gate": 2,
    "mixture_of_experts": 3,
    "expert_layer": 4,
    "train_step": 3,
    "forward": 5,
    "kv_cache_step": 3,
    "nearest_words": 2,
    "mean_pooling": 3,
    "grouped_query_attention": 6,
    "swiglu": 3,
}


@pytest.mark.parametrize("name", SIZES)
def test_all_sizes_of_the_first_input_differ_and_a_later_one_is_square(name):
    first, *others = (
        {size for a in _arrays(inputs) for size in a.shape} for inputs in EXERCISES[name].inputs
    )
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


@pytest.mark.parametrize(
    ("name", "function", "mistake", "words"),
    [
        ("feed_forward", relu_by_max, "Python's max of a whole array", "compares number by number"),
        ("feed_forward", relu_by_np_max, "np.max for np.maximum", "np.maximum(0, x)"),
        ("kv_cache_step", two_axes_and_one, "new axis forgotten", "A single row wants a new axis"),
    ],
    ids=["max(0, x)", "np.max(0, x)", "concatenate([K, k])"],
)
def test_slips_that_stop_are_explained(name, function, mistake, words):
    diagnosis = diagnose(name, function)
    assert (diagnosis.status, diagnosis.mistake) == ("wrong", mistake)
    assert words in diagnosis.message


def test_equal_rows_have_one_right_answer_and_rounding_decides_nothing():
    for arguments in EXERCISES["nearest_words"].traps.values():
        i, vectors, _ = arguments
        cosine = vectors @ vectors[i] / 64
        assert (cosine == 1).sum() == 2  # row i, and the one that equals it
        assert len(set(cosine)) == len(cosine) - 1


def test_no_logits_are_equal():
    for logits, _ in EXERCISES["top_k_gate"].tries:
        assert all(len(set(row)) == len(row) for row in logits)


def test_the_rows_of_06_are_of_the_norms_that_the_reading_names():
    batch, rms, layer = which_norm_06.NORMED
    assert np.allclose(batch, 0)
    assert np.allclose(rms / which_norm_06.TOKEN, rms[0])
    assert (np.mean(rms**2), np.mean(layer**2), layer.sum()) == pytest.approx((1, 1, 0), abs=1e-4)


def test_units_of_07_fire_as_the_reading_says():
    hidden, W_2, b_2 = (
        which_unit_07.READ_HIDDEN,
        np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        np.array([0.5, 0.5]),
    )
    output = hidden @ W_2 + b_2
    assert np.array_equal(output[2], b_2 + 3 * W_2[2])
    assert not any(np.array_equal(row, b_2) for row in output)
    assert hidden[1].max() == hidden[2].max()
    assert not np.array_equal(output[1], output[2])


def test_the_position_of_08_and_its_wrong_ones():
    first = which_position_08.ALL_WAVES[:, 0].round(2)
    assert which_position_08.ONE_POSITION == 2
    assert len(set(first)) == 4
    assert which_position_08.ALL_WAVES[1, 1] > 0 > which_position_08.ALL_WAVES[2, 1]


def test_one_expert_of_09_gets_the_most_from_every_token():
    assert (which_load_09.READ_GATES.argmax(axis=1) == 0).all()
    assert which_load_09.READ_GATES[:, 0].mean() > 0.6


def test_the_head_of_10_looks_at_the_subject_from_the_last_word():
    weights = which_head_11.READ_HEADS
    assert weights[-1].argmax() == which_head_11.READ_WORDS.index("dogs")
    assert [weights[i].argmax() == i - 1 for i in range(1, 5)] == [True, True, True, False]


def test_the_last_of_many_tokens_costs_more_than_the_second():
    assert note_11._cost(1024) > 8 * note_11._cost(2)


def test_pairs_of_one_meaning_stay_nearer_as_the_readings_of_11_say():
    four = note_12._cosines(1)[np.ix_(which_pair_12.FOUR, which_pair_12.FOUR)]
    assert min(four[0, 1], four[2, 3]) > four[:2, 2:].max() > four[:2, 2:].min() > 0
    assert note_12._mean_cosine(1, True) - note_12._mean_cosine(1, False) > 0.2
    assert abs(note_12._mean_cosine(0, True) - note_12._mean_cosine(0, False)) < 0.001
    assert note_12._mean_cosine(0, False) > 0.99


def mean_zero(norm):
    x = np.array([[1.0, 2.0, 9.0], [4.0, 4.0, -2.0]])
    return np.allclose(norm(x, np.ones(3), np.zeros(3), 1e-9).mean(axis=1), 0)


def keeps_lengths(rotate):
    X, angles = np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([[0.3, 2.0]])
    return np.allclose(
        np.linalg.norm(rotate(X, np.cos(angles), np.sin(angles)), axis=1), np.linalg.norm(X, axis=1)
    )


HALF_LAWS = [
    (
        "catch_layer_norm",
        mean_zero,
        "Not caught: deviation of everything; divided by the variance.",
    ),
    (
        "catch_rotate",
        keeps_lengths,
        (
            "Not caught: wrong sign; pairs interleaved where halves are asked; cos and sin swapped;"
            " halves the wrong way round."
        ),
    ),
]


@pytest.mark.parametrize(("name", "law", "words"), HALF_LAWS, ids=["mean 0", "lengths"])
def test_half_a_law_catches_half(name, law, words):
    diagnosis = diagnose(name, law)
    assert diagnosis.status == "wrong"
    assert words in diagnosis.message


INPUTS = [
    (
        "catch_beam_step",
        (np.log([0.9, 0.1]), np.log([[0.6, 0.3, 0.1], [0.4, 0.3, 0.3]]), 1),
        "wrong",
    ),
    (
        "catch_beam_step",
        (np.log([0.6, 0.3]), np.log([[0.5, 0.4, 0.1], [0.9, 0.06, 0.04]]), 3),
        "correct",
    ),
    ("catch_mean_pooling", (np.ones((2, 3, 1)), np.ones((2, 3), dtype=bool)), "wrong"),
    (
        "catch_mean_pooling",
        (np.arange(6.0).reshape(2, 3, 1), np.array([[False, True, True], [True, False, False]])),
        "correct",
    ),
    ("catch_top_p", (np.array([0.4, 0.3, 0.2, 0.1]), 0.6), "wrong"),
    ("catch_top_p", (np.array([0.1, 0.4, 0.05, 0.3, 0.15]), 0.6), "correct"),
    ("catch_proxy", "the dogs near the cat runs .", "wrong"),
    ("catch_proxy", "the dogs that see the cat near the fox runs .", "correct"),
]


@pytest.mark.parametrize(
    ("name", "value", "status"),
    INPUTS,
    ids=[
        "greedy beam",
        "telling beam",
        "no padding",
        "padding in front",
        "sorted already",
        "not sorted",
        "wrong at the first verb",
        "wrong at the second verb",
    ],
)
def test_inputs_catch_or_do_not(name, value, status):
    diagnosis = diagnose(name, value)
    assert diagnosis.status == status, diagnosis.message


def test_a_sentence_of_padding_alone_has_no_mean():
    padded = np.arange(6.0).reshape(2, 3, 1), np.array([[False, True, True], [False, False, False]])
    assert diagnose("catch_mean_pooling", padded).message.endswith(
        "A sentence without a real token. It has no mean."
    )


# Catches and readings of 01 to 05.


@pytest.mark.parametrize(
    ("table", "caught", "status"),
    [
        (np.array([[1.0, 2.0], [2.0, 1.0]]), 0, "wrong"),
        (np.array([[1.0, 2.0, 3.0]]), 1, "wrong"),
        (np.array([[1000.0, 0.0], [0.0, 0.0]]), 4, "correct"),
        (np.array([[1000.0, 0.0], [0.0, 2000.0]]), 5, "correct"),
    ],
    ids=["symmetric", "small", "one large", "far apart"],
)
def test_tables_catch_as_many_softmaxes_as_they_should(table, caught, status):
    diagnosis = diagnose("catch_softmax", table)
    assert diagnosis.status == status
    assert f"catches {caught} of 6" in diagnosis.message


def test_an_input_that_is_no_table_gets_a_sentence():
    assert diagnose("catch_softmax", np.array([[..., 1.0]])).status == "not attempted"
    assert diagnose("catch_softmax", [[1.0, ...]]).status == "not attempted"
    assert "something of type str" in diagnose("catch_softmax", "1000").message
    assert "a row of numbers" in diagnose("catch_softmax", [1.0, 2.0]).message
    assert "inf or nan" in diagnose("catch_softmax", np.full((2, 2), np.inf)).message
    assert "not a function" in diagnose("catch_softmax", lambda scores: scores).message
    assert "catches 1 of 6" in diagnose("catch_softmax", [[1, 2], [3, 4]]).message
    assert "Given: 2" in diagnose("catch_softmax", (1.0, 2.0)).message


def values_alone(attention):
    """With equal values the output is that value: it says nothing of who asks and of the scale."""
    Q, K = np.random.default_rng(0).normal(size=(2, 5, 3))
    return np.allclose(attention(Q[:2], K, np.ones((5, 4))), 1)


def test_a_law_on_equal_values_catches_some_of_the_attentions():
    message = diagnose("catch_attention", values_alone).message
    assert "catches 4 of 6" in message
    assert "exp missing; " in message or "exp missing." in message


def looks_for_other_values_only(masked_attention):
    Q, K, V = np.random.default_rng(0).normal(size=(3, 4, 2))
    other = np.concatenate([V[:-1], [[9.0, 9.0]]])
    mask = np.tri(4, dtype=bool)
    return np.allclose(
        masked_attention(Q, K, V, mask)[0][:-1], masked_attention(Q, K, other, mask)[0][:-1]
    )


def test_a_law_that_changes_only_values_misses_the_leak_through_the_sum():
    diagnosis = diagnose("catch_leak", looks_for_other_values_only)
    assert diagnosis.status == "wrong"
    assert "catches 6 of 7" in diagnosis.message
    assert "Not caught: mask after softmax" in diagnosis.message


def looks_at_the_first_row(masked_attention):
    Q, K, V = np.random.default_rng(0).normal(size=(3, 5, 2))
    return np.allclose(masked_attention(Q, K, V, np.tri(5, dtype=bool))[0][0], V[0])


def test_a_law_about_the_first_row_alone_misses_who_sees_one_too_far():
    diagnosis = diagnose("catch_leak", looks_at_the_first_row)
    assert diagnosis.status == "wrong"
    assert "Not caught: one key too far" in diagnosis.message


def right_shape(split_heads):
    return split_heads(np.ones((5, 6)), 3).shape == (3, 5, 2)


def test_a_law_of_shapes_catches_few_ways_to_split():
    diagnosis = diagnose("catch_split_heads", right_shape)
    assert diagnosis.status == "wrong"
    assert "catches 3 of 6" in diagnosis.message


def test_equal_sizes_hide_wrong_scales():
    rng = np.random.default_rng(0)
    assert "catches 5 of 8" in diagnose("catch_scale", tuple(rng.normal(size=(3, 4, 4)))).message
    assert "catches 6 of 8" in diagnose("catch_scale", tuple(rng.normal(size=(3, 3, 3)))).message


# What the readings say of their pictures.


def test_the_unseen_sentence_moves_as_its_reading_says():
    assert whose_weights_01.MOVED.argmin() == whose_weights_01.UNSEEN.index("pain")
    assert whose_weights_01.MOVED.argmax() == whose_weights_01.UNSEEN.index("the")
    assert whose_weights_01.UNSEEN_WEIGHTS.sum(axis=0).argmax() == whose_weights_01.UNSEEN.index(
        "love"
    )
    assert [row.argmax() == i for i, row in enumerate(whose_weights_01.UNSEEN_WEIGHTS)] == [
        False,
        False,
        True,
        True,
    ]


def test_the_note_of_01_is_contradicted_by_the_alone():
    weights = note_01.SPORT_WEIGHTS
    assert [row.argmax() == i for i, row in enumerate(weights)] == [True, True, False, True]
    assert weights[note_01.THE].argmax() == 0


def test_a_stretched_query_attends_to_one_token():
    largest = note_03.STRETCHED.max(axis=1)
    assert largest[0] < 0.5
    assert largest[2] > 0.99


def test_the_line_of_03_divides_by_what_its_reading_says():
    scores, d_k = 1.0, 64
    assert 1 / (scores / d_k**1 / 2) == 128


def test_one_masked_pass_holds_the_pass_over_a_beginning():
    assert np.allclose(note_04.ONE_PASS[1, :2], note_04.PREFIX[1])
    assert not note_04.ONE_PASS[np.triu_indices(4, 1)].any()


def test_the_unseen_mask_is_the_one_its_reading_says():
    weights = whose_mask_04.WHOSE_MASK_WEIGHTS
    assert not weights[0].any()
    assert not weights[:, 0].any()
    assert not weights[np.triu_indices(4, 1)].any()
    assert (np.diag(weights)[1:] > 0).all()


def test_heads_are_counted_as_the_note_of_05_says():
    for n_heads, (parameters, weights) in note_05.COUNTED.items():
        X, matrices = np.zeros((512, 64)), np.zeros((4, 64, 64))
        assert sum(W.size for W in matrices) == parameters
        assert attention.multi_head_attention(X, *matrices, n_heads)[1].size == weights


def test_the_solution_of_a_build_runs_in_a_notebook_that_knows_the_students_functions():
    names = {"np": np, "mine": mine, "softmax": softmax}
    exec(diagnose("multi_head_attention", ...).ladder[-1][1], names)
    assert diagnose("multi_head_attention", names["my_multi_head_attention"]).status == "correct"


def test_a_reshape_is_no_head():
    X = which_reshape_05.TWO_TOKENS
    assert X.reshape(2, 2, 2)[0].tolist() == [[1, 2], [3, 4]]
    assert attention.split_heads(X, 2)[0].tolist() == [[1, 2], [5, 6]]

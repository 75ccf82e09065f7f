"""An exam question that asks for a function: what a right one gives is found once and kept."""

import numpy as np

from course_utils.diagnosis.questions import Code, drawn, from_data, to_data

DOUBLE = "def answer(x, n=2):\n    x *= n\n    return x"


def test_what_a_right_function_gives_is_what_its_source_gives_on_each_input():
    inputs = (np.array([1.0, 2.0]),), (np.array([3.0]), 5)
    question = Code("Double.", DOUBLE, inputs, minutes=1, points=2)
    assert [given.tolist() for given in question.outputs] == [[2.0, 4.0], [15.0]]
    assert inputs[0][0].tolist() == [1.0, 2.0]  # it was called on copies


def test_what_is_stored_is_graded_by_and_not_found_anew():
    stored = (np.array([7.0, 7.0]),)
    question = Code("Double.", DOUBLE, ((np.array([1.0, 2.0]),),), stored, minutes=1, points=2)
    assert [given.tolist() for given in question.outputs] == [[7.0, 7.0]]
    assert [given.tolist() for given in from_data(to_data(question)).outputs] == [[7.0, 7.0]]


def test_a_drawn_number_has_three_decimals_within_its_limits():
    found = [drawn(np.random.default_rng(seed), 1.0, 2.0) for seed in range(500)]
    assert min(found) > 1.0
    assert 1.98 < max(found) < 2.0
    assert all(round(1000 * x) % 10 and abs(1000 * x - round(1000 * x)) < 1e-6 for x in found)

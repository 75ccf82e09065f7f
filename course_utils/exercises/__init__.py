"""Exercises: `diagnose(name, function)` says whether a student's function is right, and if not, which idea slipped."""

import difflib

from course_utils.arguments import ArgumentError
from course_utils.exercises import (
    language_model,
    layer_norm,
    masking,
    mixture_of_experts,
    multi_head_attention,
    positional_encoding,
    queries_keys_values,
    real_transformer,
    scaling,
    self_attention,
    start_here,
    transformer_block,
)
from course_utils.exercises.checking import Diagnosis

EXERCISES = {
    exercise.name: exercise
    for module in (
        start_here,
        self_attention,
        queries_keys_values,
        scaling,
        masking,
        multi_head_attention,
        layer_norm,
        transformer_block,
        positional_encoding,
        mixture_of_experts,
        language_model,
        real_transformer,
    )
    for exercise in module.EXERCISES
}

__all__ = ["EXERCISES", "Diagnosis", "diagnose"]


def diagnose(name, function):
    """Check a student's function for the exercise `name`. Returns a Diagnosis; its message is what a notebook shows.

    The function may raise, print, change its argument, return anything or never end: the answer is always a Diagnosis.
    Raises ArgumentError (a ValueError) only for a name that no exercise has.
    """
    if name not in EXERCISES:
        near = difflib.get_close_matches(str(name), EXERCISES, n=1) or sorted(EXERCISES)
        raise ArgumentError("name", repr(name), "the name of an exercise, such as " + ", ".join(near))
    return EXERCISES[name].check(function)

"""Exercises: `diagnose(name, answer)` says whether a student's answer is right, and if not, which
idea slipped."""

import dataclasses
import difflib
import functools
import importlib
import sys
from collections.abc import Callable
from typing import Any

from course_utils import attention as _attention
from course_utils import decoding, experts, layers, positions, quantisation
from course_utils import tokens as text_as_tokens
from course_utils.arguments import ArgumentError
from course_utils.diagnosis import comparing
from course_utils.diagnosis.exercise import Exercise
from course_utils.diagnosis.student_module import StudentFunctions, keep
from course_utils.diagnosis.verdicts import Diagnosis

# The exercises of each lecture. Each has a folder of its own name.
LECTURES = {
    "00": ("row_sums", "which_sum_00"),
    "01": ("softmax", "catch_softmax", "self_attention", "note_01", "whose_weights_01"),
    "02": (
        "project",
        "attention",
        "catch_attention",
        "cross_attention",
        "which_shape_02",
        "note_02",
    ),
    "03": (
        "scaled_attention",
        "catch_scale",
        "softmax_with_temperature",
        "note_03",
        "which_root_03",
    ),
    "04": ("causal_mask", "masked_attention", "catch_leak", "note_04", "whose_mask_04"),
    "05": (
        "split_heads",
        "catch_split_heads",
        "merge_heads",
        "multi_head_attention",
        "note_05",
        "which_reshape_05",
    ),
    "06": ("layer_norm", "rms_norm", "catch_layer_norm", "note_06", "which_norm_06"),
    "07": ("feed_forward", "transformer_block", "note_07", "which_unit_07"),
    "08": (
        "sinusoidal_positional_encoding",
        "rotate",
        "catch_rotate",
        "note_08",
        "which_position_08",
    ),
    "09": (
        "responsibilities",
        "mixture_of_experts",
        "top_k_gate",
        "expert_layer",
        "note_09",
        "which_load_09",
    ),
    "10": (
        "matrix_slopes",
        "train_step",
        "feed_forward_slopes",
        "softmax_jacobian",
        "softmax_slopes",
        "without_dividing",
        "note_10",
    ),
    "11": (
        "forward",
        "beam_step",
        "catch_beam_step",
        "kv_cache_step",
        "note_11",
        "which_head_11",
        "which_run_11",
    ),
    "12": ("nearest_words", "mean_pooling", "catch_mean_pooling", "note_12", "which_pair_12"),
    "13": ("merge_pair", "encode_word", "note_13"),
    "14": (
        "grouped_query_attention",
        "swiglu",
        "top_p",
        "catch_top_p",
        "dequantise_block",
        "note_14",
    ),
    "15": ("reply", "which_text_15"),
    "16": ("logit_lens", "note_16", "which_head_16"),
    "17": ("preference_loss", "advantages", "catch_proxy", "note_17"),
}


def _load(name):
    """The exercise of a folder, which knows where its misconceptions are."""
    exercise = importlib.import_module(f"course_utils.exercises.{name}.exercise").EXERCISE
    if isinstance(exercise, Exercise):
        exercise.misconceptions = f"course_utils.exercises.{name}.misconceptions"
    return exercise


EXERCISES = {name: _load(name) for names in LECTURES.values() for name in names}

__all__ = ["EXERCISES", "Diagnosis", "compare", "diagnose", "mine"]


def student_functions(in_a_check: bool = False) -> StudentFunctions:
    """What notebooks call `mine`. in_a_check: where a student's function is checked, it is silent
    and starts no process."""
    return StudentFunctions(EXERCISES, functools.partial(student_functions, True), in_a_check)


# In the process that checks, a student's module imports it as a notebook does.
mine = student_functions(in_a_check=getattr(sys.modules["__main__"], "CHECKS", False))


def diagnose(name: str, answer: Any) -> Diagnosis:
    """Check a student's answer to the exercise `name`. Returns a Diagnosis; its message is what a
    notebook shows.

    answer: a function; for a catch a law or an input; for a reading a letter. A function may raise,
    print, change its argument, return anything or never end: the answer is always a Diagnosis. One
    of a notebook that passes is kept in my_transformer.py.
    Raises ArgumentError (a ValueError) only for a name that no exercise has.
    """
    if name not in EXERCISES:
        near = difflib.get_close_matches(str(name), EXERCISES, n=1) or sorted(EXERCISES)
        raise ArgumentError(
            "name", repr(name), "the name of an exercise, such as " + ", ".join(near)
        )
    exercise = EXERCISES[name]
    diagnosis = exercise.check(answer)
    if getattr(answer, "__module__", None) != "__main__" or not hasattr(answer, "__code__"):
        return diagnosis
    said = (
        [keep(EXERCISES, name, answer)]
        if diagnosis.status == "correct" and isinstance(exercise, Exercise)
        else []
    )
    theirs, course = answer.__name__, _course_functions()
    if (
        theirs in course and answer.__globals__.get(theirs) is answer
    ):  # later cells mean the course's
        answer.__globals__[theirs] = course[theirs]
        said.append(
            f"Its name hid the course's `{theirs}`, which is back under it now. Call yours"
            f" `my_{theirs}`."
        )
    return dataclasses.replace(diagnosis, sentences=" ".join([diagnosis.sentences, *said]))


def compare(model: Callable[[Any], Any]) -> comparing.Comparison:
    """Compare a student's kept functions with the course's, piece by piece inside a model, before
    it is used. Returns a Comparison.

    model: a function of `parts`, called as model(parts), that runs the model by parts.softmax(...),
    parts.layer_norm(...) and so on.
    Each piece is run alone on what the model calls it with, the course's functions below it: so
    what differs is itself to blame.
    """
    return comparing.compare(mine, model)


def _course_functions():
    """{name: function} of the mathematics that notebooks import."""
    ground = _attention, layers, positions, experts, decoding, text_as_tokens, quantisation
    return {
        name: value
        for module in ground
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__
    }

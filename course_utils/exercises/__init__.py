"""Exercises: `diagnose(name, answer)` says whether a student's answer is right, and if not, which idea slipped."""

import dataclasses
import difflib
import functools

from course_utils import attention, decoding, experts, layers, positions, quantisation
from course_utils import tokens as text_as_tokens
from course_utils.arguments import ArgumentError
from course_utils.diagnosis import comparing
from course_utils.diagnosis.exercise import Exercise
from course_utils.diagnosis.student_module import StudentFunctions, keep
from course_utils.diagnosis.verdicts import Diagnosis
from course_utils.exercises import (
    chat_model,
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
    todays_models,
    tokens,
    transformer_block,
)

MODULES = (          # one a notebook, 00 to 14
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
    tokens,
    todays_models,
    chat_model,
)
EXERCISES = {exercise.name: exercise for module in MODULES for exercise in module.EXERCISES}



def student_functions(in_a_check=False):
    """What notebooks call `mine`. in_a_check: where a student's function is checked, it is silent and starts no process."""
    return StudentFunctions(EXERCISES, functools.partial(student_functions, True), in_a_check)


mine = student_functions()

__all__ = ["EXERCISES", "Diagnosis", "compare", "diagnose", "mine"]


def diagnose(name, answer):
    """Check a student's answer to the exercise `name`. Returns a Diagnosis; its message is what a notebook shows.

    answer: a function; for a catch a law or an input; for a reading a letter. A function may raise, print, change its argument,
    return anything or never end: the answer is always a Diagnosis. One of a notebook that passes is kept in my_transformer.py.
    Raises ArgumentError (a ValueError) only for a name that no exercise has.
    """
    if name not in EXERCISES:
        near = difflib.get_close_matches(str(name), EXERCISES, n=1) or sorted(EXERCISES)
        raise ArgumentError("name", repr(name), "the name of an exercise, such as " + ", ".join(near))
    exercise = EXERCISES[name]
    diagnosis = exercise.check(answer)
    if getattr(answer, "__module__", None) != "__main__" or not hasattr(answer, "__code__"):
        return diagnosis
    said = [keep(EXERCISES, name, answer)] if diagnosis.status == "correct" and isinstance(exercise, Exercise) else []
    theirs, course = answer.__name__, _course_functions()
    if theirs in course and answer.__globals__.get(theirs) is answer:        # later cells mean the course's
        answer.__globals__[theirs] = course[theirs]
        said.append(f"Its name hid the course's `{theirs}`, which is back under it now. Call yours `my_{theirs}`.")
    return dataclasses.replace(diagnosis, sentences=" ".join([diagnosis.sentences, *said]))


def compare(model):
    """Compare a student's kept functions with the course's, piece by piece inside a model, before it is used. Returns a Comparison.

    model: a function of `parts`, called as model(parts), that runs the model by parts.softmax(...), parts.layer_norm(...) and so on.
    Each piece is run alone on what the model calls it with, the course's functions below it: so what differs is itself to blame.
    """
    return comparing.compare(mine, model)


def _course_functions():
    """{name: function} of the mathematics that notebooks import."""
    ground = attention, layers, positions, experts, decoding, text_as_tokens, quantisation
    return {name: value for module in ground for name, value in vars(module).items()
            if getattr(value, "__module__", None) == module.__name__}

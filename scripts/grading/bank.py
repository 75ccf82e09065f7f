"""The bank: for every exercise of the course the questions that can be made of it, drawn by a
seed."""

import functools
import hashlib

import numpy as np

from course_utils.exercises import EXERCISES, LECTURES
from grading import mistake_questions as mistakes

__all__ = ["EXERCISES", "LECTURES", "draw", "makers"]


@functools.cache
def makers(name):
    """{way: function from a random generator to a question} of an exercise.

    variant: the exercise with another rule or other numbers. code, numbers: name a slip. hidden,
    law: of a catch. why: in words.
    """
    exam = mistakes.exam_of(name)
    found = {}
    if hasattr(exam, "draw_input"):
        found["hidden"] = functools.partial(mistakes.hidden, name)
    if hasattr(exam, "LAWS"):
        found["law"] = functools.partial(mistakes.law, name)
    if hasattr(exam, "variant"):
        found["variant"] = exam.variant
    if EXERCISES[name].shape in ("gap", "build"):
        if len(mistakes.readable(name)) > 4:
            found["code"] = functools.partial(mistakes.in_code, name)
        if mistakes.small(name):
            found["numbers"] = functools.partial(mistakes.in_numbers, name)
    if hasattr(exam, "WHY"):
        found["why"] = lambda rng: exam.WHY[rng.integers(len(exam.WHY))]
    return found


def generator(*seed):
    """A random generator for a seed of words and numbers."""
    return np.random.default_rng(list(hashlib.sha256("/".join(map(str, seed)).encode()).digest()))


def draw(seed, name, way):
    """The question that a seed makes of an exercise in one way: the same whatever else stands on
    the sheet."""
    return makers(name)[way](generator(seed, name, way))

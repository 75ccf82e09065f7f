"""The bank: for every exercise of the course its variants, drawn by a seed.

`generators` says for each exercise which there are: functions from a random generator to a question.
"""

import functools
import hashlib

import numpy as np

from course_utils.exercises import EXERCISES
from course_utils.exercises import LECTURES as LECTURES

from . import mistakes


@functools.cache
def generators(name):
    """The generators of an exercise. A function to write has up to three: the twist, and its slip by code or by numbers."""
    exam = mistakes.exam_of(name)
    if hasattr(exam, "draw_input"):
        return [functools.partial(mistakes.hidden, name)]
    if hasattr(exam, "try_laws"):
        return [functools.partial(mistakes.law, name)]
    if EXERCISES[name].shape == "reading":
        return [exam.variant]
    slips = [(mistakes.in_code, len(mistakes.readable(name)) > 4), (mistakes.in_numbers, len(mistakes.small(name)) > 0)]
    return [exam.variant, *(functools.partial(make, name) for make, enough in slips if enough)]


def draw(seed, name, number=0):
    """The question that a seed makes of an exercise. The same whatever else stands on the sheet; `number` 1, 2, … are further ones."""
    digest = hashlib.sha256(f"{seed}/{name}".encode()).digest()
    start = np.random.default_rng(list(digest))
    makers = generators(name)
    make = makers[(int(start.integers(len(makers))) + number) % len(makers)]
    return make(np.random.default_rng([*digest, number]))

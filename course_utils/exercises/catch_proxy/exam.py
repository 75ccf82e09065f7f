"""`catch_proxy` for an exam: texts that break a rule, of which some are praised by a proxy."""

from typing import Any

from numpy.random import Generator

from course_utils.data import grammar
from course_utils.exercises.catch_proxy.exercise import truth


def draw_input(rng: Generator) -> tuple[Any, ...]:
    while True:
        words = grammar.text(grammar.sentences(rng, 1)[0]).split()
        at = int(rng.integers(1, len(words)))
        other = {
            word: another
            for pair in grammar.NOUNS + grammar.SEEING + grammar.RUNNING
            for word, another in (pair, pair[::-1])
        }
        if rng.integers(3):
            words[at] = other.get(words[at], words[at])
        else:
            del words[at]
        text = " ".join(words)
        if len(words) < 10 and not truth(text):
            return (text,)

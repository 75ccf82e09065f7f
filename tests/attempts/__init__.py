"""Attempts as students write them, held out from the registered mistakes: tests/count_attempts.py says how many are named."""

from typing import NamedTuple


class Attempt(NamedTuple):
    """An exercise's name; what is wrong, in plain words ("" where it is right); the code that the student typed."""

    exercise: str
    idea: str
    code: str

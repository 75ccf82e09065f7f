"""What one change at a time did to a sentence: counted by the files of scripts/starts, stored by
scripts/refute.py.
"""

import functools
import json
from importlib.resources import files
from typing import Any

from course_utils.arguments import ArgumentError


@functools.cache
def _tables():
    return json.loads(files(__package__).joinpath("refuted.json").read_text(encoding="utf-8"))


def sentences() -> list[str]:
    """The names of all stored sentences of the course."""
    return [name for name, table in _tables().items() if "sentence" in table]


def refuted(name: str) -> dict[str, Any]:
    """The stored table of a claim, ready for Control(**refuted("E5")), or of a sentence of the
    course.

    A dict of "counted", "base" and "changes", and "sides" of a claim or "sentence". Raises
    ArgumentError where nothing is stored.
    """
    if name not in _tables():
        raise ArgumentError("name", repr(name), f"one of {', '.join(_tables())}")
    return _tables()[name]

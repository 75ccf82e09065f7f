"""What one change at a time did to a sentence: counted by the files of scripts/starts, stored by
scripts/refute.py.
"""

import json
from importlib.resources import files

from course_utils.arguments import ArgumentError


def refuted(name):
    """The stored table of a claim, ready for Control(**refuted("E5")), or of a sentence of the
    course.

    A dict of "counted", "base" and "changes", and "sides" of a claim or "sentence". Raises
    ArgumentError where nothing is stored.
    """
    stored = json.loads(files(__package__).joinpath("refuted.json").read_text(encoding="utf-8"))
    if name not in stored:
        raise ArgumentError("name", repr(name), f"one of {', '.join(stored)}")
    return stored[name]

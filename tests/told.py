"""What the check says of some held-out answers, word for word: a change of the engine that changes
what a student reads is seen here, and read before it is kept.

    python tests/told.py        writes tests/told.json anew; look at its diff

The answers are those whose searches end long before their clocks: what is said of them is the same
on a slow machine.
"""

import json
import zlib
from pathlib import Path

from attempts import read_attempts

from course_utils.exercises import EXERCISES

FILE = Path(__file__).with_name("told.json")


def key(attempt):
    """What tells an attempt from all others: its exercise, and a number made of its code."""
    return f"{attempt.exercise} {zlib.crc32(attempt.code.encode()):08x}"


def told(attempt):
    """[the lines, what is said, what is said on *Next* ...] of an attempt."""
    diagnosis = EXERCISES[attempt.exercise].check(attempt.answer)
    following = [step.text for step in diagnosis.ladder if step.title == "Next"]
    return [list(diagnosis.lines), diagnosis.sentences, *following]


def write(keys):
    """Write what is said of the attempts with these keys."""
    found = {key(a): told(a) for a in read_attempts() if key(a) in keys}
    lines = (json.dumps({k: v}, ensure_ascii=False)[1:-1] for k, v in found.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write(json.loads(FILE.read_text(encoding="utf-8")))

"""How many of the held-out attempts are judged rightly: `python tests/count_attempts.py [exercise ...]`, the rest listed by --all.

An attempt is judged rightly if it is right and found so, or wrong and not accepted, and the name it gets, if any, is one of those that
fit its idea (tests/attempts/accepted.json, {attempt's key: [names]}; judged by people, not by the check).
"""

import argparse
import collections
import hashlib
import importlib
import json
import linecache
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
ACCEPTED = HERE / "attempts" / "accepted.json"


def attempts():
    """All of them, in order."""
    files = sorted((HERE / "attempts").glob("n*.py"))
    return [attempt for file in files for attempt in importlib.import_module(f"attempts.{file.stem}").ATTEMPTS]


def key(attempt):
    """A short name that stays while the code stays."""
    return f"{attempt.exercise}-{hashlib.sha256(attempt.code.encode()).hexdigest()[:8]}"


def function(attempt):
    """The function that the student's code defines last, as a notebook would have it."""
    from course_utils.attention import softmax
    names = {"np": np, "softmax": softmax, "__name__": "__main__"}
    code, file = attempt.code.strip() + "\n", f"<{key(attempt)}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    exec(compile(code, file, "exec"), names)
    return [value for name, value in names.items() if getattr(value, "__module__", "") == "__main__" and callable(value)][-1]


def judged(attempt, accepted):
    """(kind, diagnosis): kind is "named", "described", "python's words", "right" or what went wrong."""
    from course_utils.exercises import EXERCISES
    diagnosis = EXERCISES[attempt.exercise].check(function(attempt))
    if not attempt.idea:
        return ("right" if diagnosis.status == "correct" else "REFUSED"), diagnosis
    if diagnosis.status == "correct":
        return "ACCEPTED", diagnosis
    if diagnosis.status != "wrong":              # a gap that is still there is said to be one
        return ("in words" if "..." in attempt.code else "NOT ATTEMPTED"), diagnosis
    if diagnosis.mistake:
        fits = diagnosis.mistake in accepted.get(key(attempt), [])
        return ("named" if fits else "MISNAMED"), diagnosis
    return ("in words" if "The numbers differ" not in diagnosis.sentences else "numbers only"), diagnosis


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("exercises", nargs="*")
    parser.add_argument("--half", choices=["seen", "unseen"], help="only the half that may be looked at while mistakes are added, or the other")
    parser.add_argument("--all", action="store_true", help="list every attempt that was not named")
    options = parser.parse_args()
    accepted = json.loads(ACCEPTED.read_text(encoding="utf-8")) if ACCEPTED.exists() else {}
    counts = collections.defaultdict(collections.Counter)
    for attempt in attempts():
        if options.exercises and attempt.exercise not in options.exercises:
            continue
        if options.half and (int(key(attempt)[-1], 16) % 2 == 0) != (options.half == "seen"):
            continue
        kind, diagnosis = judged(attempt, accepted)
        counts[attempt.exercise][kind] += 1
        if kind.isupper() or (options.all and kind in ("in words", "numbers only")):
            print(f"{kind}: {key(attempt)}: {attempt.idea or 'right'}\n    -> {diagnosis.mistake}: {diagnosis.sentences[:300]}")
    for name, count in counts.items():
        print(f"{name:32}", dict(count))
    total = sum(counts.values(), collections.Counter())
    wrong = sum(n for kind, n in total.items() if kind not in ("right", "REFUSED"))
    print(f"{sum(total.values())} attempts: {dict(total)}; of {wrong} wrong ones {total['named'] / max(wrong, 1):.0%} are named")


if __name__ == "__main__":
    main()

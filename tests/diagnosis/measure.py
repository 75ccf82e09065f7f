"""How many wrong answers of a corpus are explained: `python tests/diagnosis/measure.py
CORPUS.jsonl [--half even|odd] [--all] [exercise ...]`.

A row of a corpus holds an exercise, the code, the `lines` of its slips (counted from `def` as 1),
what is wrong (`idea`, or `ideas` where
there are two) and, for one slip, `words`, of which a fitting explanation says one.
"""

import argparse
import collections
import hashlib
import json
import linecache
import sys
import time
from pathlib import Path

import numpy as np


def answer_of(code: str):
    """What the student's code makes last, as a notebook would have it."""
    from course_utils.attention import softmax
    from course_utils.exercises import mine

    file = f"<{hashlib.sha256(code.encode()).hexdigest()[:12]}>"
    names = {"np": np, "softmax": softmax, "mine": mine, "__name__": "__main__"}
    code = code.strip() + "\n"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    exec(compile(code, file, "exec"), names)
    return names[
        [
            name
            for name in names
            if name.startswith("my_") or getattr(names[name], "__module__", "") == "__main__"
        ][-1]
    ]


def judged_one(row: dict, diagnosis) -> str:
    """How an answer with one slip was explained: by a fitting name, by the line with the idea, by
    the line alone.
    """
    said = f"{diagnosis.sentences}".lower()
    idea = any(word.lower() in said for word in row["words"])
    line = bool(set(row["lines"]) & set(diagnosis.lines))
    if diagnosis.mistake and any(
        word.lower() in diagnosis.mistake.lower() for word in row["words"]
    ):
        return "named" if line else "named, no line" if not diagnosis.lines else "named, other line"
    if line:
        return "line and idea" if idea else "line"
    return ("idea, " if idea else "") + ("other line" if diagnosis.lines else "no line")


def judged_two(row: dict, diagnosis) -> str:
    """To which of two slips an answer is led: by the first line that is said, and by *Next*."""
    if not diagnosis.lines:
        return "nothing"
    if set(row["lines"]) <= set(diagnosis.lines):
        return "both lines"
    return "one of the lines" if set(row["lines"]) & set(diagnosis.lines) else "other line"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("exercises", nargs="*")
    parser.add_argument(
        "--half", choices=["even", "odd"], help="only lines of the corpus with such a number"
    )
    parser.add_argument("--every", type=int, default=1, help="only every so many of those")
    parser.add_argument("--all", action="store_true", help="list what is not explained")
    options = parser.parse_args()
    from course_utils.exercises import EXERCISES

    counts, seconds, taken = collections.defaultdict(collections.Counter), [], 0
    for number, text in enumerate(options.corpus.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(text)
        if (options.half and (number % 2 == 0) != (options.half == "even")) or (
            options.exercises and row["exercise"] not in options.exercises
        ):
            continue
        taken += 1
        if taken % options.every:
            continue
        answer = answer_of(row["code"])
        start = time.perf_counter()
        diagnosis = EXERCISES[row["exercise"]].check(answer)
        seconds.append(time.perf_counter() - start)
        judged = judged_two if "ideas" in row else judged_one
        kind = "ACCEPTED" if diagnosis.status == "correct" else judged(row, diagnosis)
        counts[row["exercise"]][kind] += 1
        if options.all and kind not in ("named", "line and idea", "both lines"):
            print(
                f"{kind.upper()}: {number} {row['exercise']} {row['lines']} {row.get('idea') or row['ideas']} {row.get('words', '')}\n{row['code']}\n"
                f"    -> {diagnosis.lines} {diagnosis.sentences[:300]} {[s[1] for s in diagnosis.ladder if s[0] == 'Next']}"
            )
    total = sum(counts.values(), collections.Counter())
    if "-q" not in sys.argv:
        for name, count in counts.items():
            print(f"{name:32}", dict(count))
    n = sum(total.values())
    for kind, count in total.most_common():
        print(f"{kind:24} {count:5} {count / n:6.1%}")
    print(
        f"{n} answers; a diagnosis took {np.median(seconds):.2f} s (median), {np.quantile(seconds, 0.95):.2f} s (95 %)"
    )


if __name__ == "__main__":
    main()

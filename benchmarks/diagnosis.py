"""How long a diagnosis takes, in seconds: of some of the kept attempts, one after the other in one
process.

    python benchmarks/diagnosis.py [--every 7]      in the course's environment: a minute or two

The first, which starts the process that runs students' code, is left out (start.py has it). Nothing
here is asserted: other computers, other numbers.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

from course_utils.exercises import EXERCISES

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from attempts import read_attempts


def seconds(attempt):
    start = time.perf_counter()
    EXERCISES[attempt.exercise].check(attempt.answer)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--every", type=int, default=7, metavar="N", help="each N-th attempt")
    attempts = list(read_attempts())[:: parser.parse_args().every]
    EXERCISES["softmax"].check(lambda scores: scores)
    took = [(seconds(attempt), bool(attempt.idea)) for attempt in attempts]
    for name, times in (("all", [t for t, _ in took]), ("wrong", [t for t, w in took if w])):
        ordered = sorted(times)
        print(
            f"{name:5} {len(times):5}: median {statistics.median(times):.3f}, "
            f"95 % below {ordered[int(0.95 * len(ordered))]:.2f}, the most {ordered[-1]:.2f}"
        )


if __name__ == "__main__":
    main()

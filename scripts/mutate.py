"""Plants one slip after the other in the mathematics (mutmut does), and names those that no test sees.

    pip install -r requirements-mutation.txt
    python scripts/mutate.py [MODULE ...]        attention, layers, positions, experts, decoding, tokens, quantisation; all unless some are named

What was run is kept in the folder mutants and not run again while its function is the same. It ends with 1 where a slip survives that
tests/equal_mutants.txt does not list with its reason.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def mutmut(*arguments):
    """What `mutmut` with these arguments prints."""
    return subprocess.run([sys.executable, "-m", "mutmut", *arguments], cwd=ROOT, capture_output=True, text=True).stdout


def equal():
    """{part of a line: why a slip that leaves it there is none}."""
    lines = (ROOT / "tests" / "equal_mutants.txt").read_text(encoding="utf-8").splitlines()
    return dict(re.split(r" {4,}", line, maxsplit=1) for line in lines if line and not line.startswith("#"))


def slip(mutant):
    """The lines that a mutant takes away and puts in."""
    return [line for line in mutmut("show", mutant).splitlines() if re.match(r"[-+](?![-+])", line)]


def main(modules):
    names = [f"course_utils.{module}.*" for module in modules]
    subprocess.run([sys.executable, "-m", "mutmut", "run", *names], cwd=ROOT, check=True)
    known, new = equal(), {}
    for mutant in re.findall(r"^ *(\S+): survived$", mutmut("results"), flags=re.MULTILINE):
        lines = slip(mutant)
        if not any(part in line for part in known for line in lines if line.startswith("+")):
            new[mutant] = lines
    for mutant, lines in new.items():
        print(mutant, *lines, sep="\n    ")
    print(f"{len(new)} survive that are not listed as equal")
    sys.exit(bool(new))


if __name__ == "__main__":
    main(sys.argv[1:])

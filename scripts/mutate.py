"""Plants one slip after the other in the mathematics and in the check (mutmut does), and names
those that no test sees.

    pip install -r requirements-mutation.txt
    python scripts/mutate.py [MODULE ...]        attention, layers, ..., and of the engine values,
    worker, ...; all unless some are named

A module that is named is planted and tested anew. A slip that ends no more, or eats the memory,
counts as seen. It ends with 1 where a slip survives that tests/equal_mutants.txt does not list, and
where that file lists one that does not survive.
"""

import re
import resource
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
EQUAL = ROOT / "tests" / "equal_mutants.txt"
# {"values": "course_utils.diagnosis.values"}
MODULES = {
    Path(path).stem: path.removesuffix(".py").replace("/", ".")
    for path in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "mutmut"
    ]["only_mutate"]
}
SEEN = {"killed", "timeout", "segfault"}
# bytes of a process: a loop that fills a list without an end is stopped here, before the machine is
MEMORY = 4 << 30


def bare(line):
    """A line of code without its comment, and without spaces at its ends."""
    return line.partition("  #")[0].strip()


def equal(text):
    """{(module.function, a line as the slip leaves it): why nobody could see it}. Three lines each,
    an empty one between two."""
    return {
        (place, bare(line)): reason
        for place, line, reason in re.findall(
            r"^(\w+\.[\w.]+)\n +(.+)\n +(.+)$", text, flags=re.MULTILINE
        )
    }


def mutmut(*arguments):
    """What `mutmut` with these arguments prints."""
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    if done.returncode:
        sys.exit(
            f"{done.stdout[-3000:]}\nmutmut stopped: the tests fail without a slip, too, or it is"
            " not installed (its own words are above)"
        )
    return done.stdout


def survivors(module):
    """How many slips in a module came to which end, and {(module.function, the line as the slip
    leaves it): name} of those that no test saw."""
    mutmut("run", f"{MODULES[module]}.*")
    ends = dict(
        re.findall(
            rf"^ *({re.escape(MODULES[module])}\.\S+): (.+)$",
            mutmut("results", "--all", "true"),
            flags=re.MULTILINE,
        )
    )
    unseen = {}
    for name in (name for name, end in ends.items() if end not in SEEN):
        added = re.findall(r"^\+(?!\+\+)(.*)$", mutmut("show", name), flags=re.MULTILINE)
        function = re.sub(
            r"^xǁ(\w+)ǁ|^x_",
            lambda found: f"{found[1]}." if found[1] else "",
            re.sub(r".*\.|__mutmut_\d+$", "", name),
        )
        unseen[f"{module}.{function}", " ".join(map(bare, added))] = name
    return Counter(ends.values()), unseen


def main(modules):
    known, wrong = equal(EQUAL.read_text(encoding="utf-8")), 0
    for module in modules:
        ends, unseen = survivors(module)
        here = {slip for slip in known if slip[0].startswith(f"{module}.")}
        new, old = (
            [slip for slip in unseen if slip not in here],
            [slip for slip in here if slip not in unseen],
        )
        print(
            f"{module}: {ends.total()} slips"
            f" ({', '.join(f'{n} {end}' for end, n in ends.most_common())}),"
            f" {len(unseen) - len(new)} listed as equal, {len(new)} seen by no test",
            flush=True,
        )
        for slip in new:
            print(f"    {unseen[slip]}", *slip, sep="\n        ")
        for slip in old:
            print("    listed as equal, but no such slip survives", *slip, sep="\n        ")
        wrong += len(new) + len(old)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    if unknown := set(sys.argv[1:]) - set(MODULES):
        sys.exit(f"module: got {', '.join(sorted(unknown))}, wanted {', '.join(MODULES)}")
    main(sys.argv[1:] or MODULES)

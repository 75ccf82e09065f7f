"""Try to refute a sentence: change one thing at a time, and say what turns it round.

    python scripts/refute.py [NAME ...]        all files of scripts/starts with CHANGES, or these
    python scripts/refute.py --first 100 C5b   from other starts, 100 and on; nothing is stored, but
                                               each share is compared with the stored one
    python scripts/refute.py --cheap NAME      only rows that take little time; nothing is stored

A file there is about a claim of claims.json that says "because", or about a sentence of the course
itself (SENTENCE). It has

    COUNTED   what is counted, in words
    SIDES     of a claim: what the runs with the cause and those without are called
    CHANGES   {one change in words: arguments of count}, the smallest first; before all "as it is";
              "kernels" is for refute.py: matrix products by OpenBLAS's code for that processor
    CHEAP     the changes whose rows the tests count again
    count(first, cause, **arguments) -> (k, n)   of a claim; first: the number of the first start;
                                                 cause: with it, or without?
    count(first, **arguments) -> (k, n)          of a sentence: in how many of n it is so

Stored is course_utils/data/refuted.json, in the order of the changes; the rows of files that are
not named stay as they are.
"""

import argparse
import json
import os
import subprocess
import sys

from make_starts import ROOT, files_with, load

from course_utils.cards.evidence import compared, turn
from course_utils.data.refuted import refuted

STORED = ROOT / "course_utils" / "data" / "refuted.json"
AS_IT_IS = "as it is"
KERNELS = "OPENBLAS_CORETYPE"  # OpenBLAS reads it once, when NumPy is imported


def row(module, change, first=0):
    """What one change gives: [k, n] of a sentence, or [[k, n] with the cause, [k, n] without] of a
    claim.
    """
    arguments = dict(module.CHANGES[change])
    kernels = arguments.pop("kernels", None)
    if kernels not in (None, os.environ.get(KERNELS)):
        return row_with(kernels, module, change, first)
    if hasattr(module, "SENTENCE"):
        return list(module.count(first, **arguments))
    return [list(module.count(first, cause, **arguments)) for cause in (True, False)]


def row_with(kernels, module, change, first):
    """What `row` gives in a fresh process, whose OpenBLAS takes the code for another processor."""
    name = module.__name__.removeprefix("starts_")
    call = f"refute.row(refute.load({name!r}), {change!r}, {first})"
    told = subprocess.run(
        [sys.executable, "-c", f"import json, refute; print(json.dumps({call}))"],
        env=os.environ
        | {KERNELS: kernels, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "scripts")])},
        capture_output=True,
        check=True,
    )
    return json.loads(told.stdout)


def entry(module, rows):
    """What is stored of one file: its words, its base and its changes."""
    words = (
        {"sentence": module.SENTENCE}
        if hasattr(module, "SENTENCE")
        else {"sides": list(module.SIDES)}
    )
    rows = dict(rows)
    return words | {"counted": module.COUNTED, "base": rows.pop(AS_IT_IS), "changes": rows}


def told(name, change, counts, first):
    """A row in words; of other starts beside the stored one."""
    if not first:
        return counts
    stored = ({AS_IT_IS: refuted(name)["base"]} | refuted(name)["changes"])[change]
    if isinstance(counts[0], int):
        return compared(stored, counts)
    return "; without: ".join(map(compared, stored, counts))


def store(name, stored):
    """Put one file's table among those of the others."""
    tables = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    tables[name] = stored
    STORED.write_text(written(tables), encoding="utf-8", newline="\n")


def written(tables):
    """All tables as text: names in order, a line for each change."""
    parts = []
    for name in sorted(tables):
        lines = [
            f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
            for key, value in tables[name].items()
            if key != "changes"
        ]
        changes = [
            f"   {json.dumps(change, ensure_ascii=False)}: {json.dumps(counts)}"
            for change, counts in tables[name]["changes"].items()
        ]
        lines.append('  "changes": {\n' + ",\n".join(changes) + "\n  }")
        parts.append(f" {json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("names", nargs="*", default=files_with("CHANGES"))
    parser.add_argument(
        "--first",
        type=int,
        default=0,
        help="the number of the first start; others than 0 are not stored",
    )
    parser.add_argument(
        "--cheap", action="store_true", help="only the rows that the tests count again; not stored"
    )
    options = parser.parse_args()
    for name in options.names:
        module = load(name)
        print(name, getattr(module, "SENTENCE", ""), f"  counted: {module.COUNTED}", sep="\n")
        rows = {}
        for change in module.CHEAP if options.cheap else module.CHANGES:
            rows[change] = row(module, change, options.first)
            print(f"  {change}: {told(name, change, rows[change], options.first)}", flush=True)
        if not options.cheap:
            print("  the smallest change that turns it round:", turn(entry(module, rows)))
            if options.first == 0:
                store(name, entry(module, rows))


if __name__ == "__main__":
    main()

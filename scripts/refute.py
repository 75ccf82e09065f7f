"""Try to refute a sentence: change one thing at a time, and say what turns it round.

    python scripts/refute.py [NAME ...]        all files of scripts/starts with CHANGES, or these
    python scripts/refute.py --first 100 C5b   from ten other starts, 100 to 109; nothing is stored
    python scripts/refute.py --cheap NAME      only rows that take little time; nothing is stored

A file there is about a claim of claims.json that says "because", or about a sentence of the course
itself (SENTENCE). It has

    COUNTED   what is counted, in words
    SIDES     of a claim: what the runs with the cause and those without are called
    CHANGES   {one change in words: arguments of count}, the smallest first; before all "as it is"
    CHEAP     the changes whose rows the tests count again
    count(first, cause, **arguments) -> (k, n)   of a claim; first: the number of the first start;
                                                 cause: with it, or without?
    count(first, **arguments) -> (k, n)          of a sentence: in how many of n it is so

Stored is course_utils/data/refuted.json, in the order of the changes; the rows of files that are
not named stay as they are.
"""

import argparse
import json

from make_starts import ROOT, files_with, load

from course_utils.cards.evidence import turn

STORED = ROOT / "course_utils" / "data" / "refuted.json"
AS_IT_IS = "as it is"


def row(module, change, first=0):
    """What one change gives: [k, n] of a sentence, or [[k, n] with the cause, [k, n] without] of a
    claim.
    """
    arguments = module.CHANGES[change]
    if hasattr(module, "SENTENCE"):
        return list(module.count(first, **arguments))
    return [list(module.count(first, cause, **arguments)) for cause in (True, False)]


def table(module, first=0, changes=None):
    """{change: its row} of all changes, or of those that are named."""
    return {change: row(module, change, first) for change in changes or module.CHANGES}


def entry(module, rows):
    """What is stored of one file: its words, its base and its changes."""
    words = (
        {"sentence": module.SENTENCE}
        if hasattr(module, "SENTENCE")
        else {"sides": list(module.SIDES)}
    )
    rows = dict(rows)
    return words | {"counted": module.COUNTED, "base": rows.pop(AS_IT_IS), "changes": rows}


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
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
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
            print(f"  {change}: {rows[change]}", flush=True)
        if not options.cheap:
            print("  the smallest change that turns it round:", turn(entry(module, rows)))
            if options.first == 0:
                store(name, entry(module, rows))


if __name__ == "__main__":
    main()

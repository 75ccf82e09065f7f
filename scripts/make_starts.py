"""Train what the claims need from many starts, and store how many of them did what.

    python scripts/make_starts.py [ID ...]        all files of scripts/starts with run unless some
    are named, such as C5b
    python scripts/make_starts.py --first 100 B1  from other starts, 100 to 109; nothing is stored,
    but each count is compared with the 95 % interval of the stored one

Such a file has run(first) -> {what was counted: number}; first: the number of the first start. The
answers are stored in course_utils/data/starts.json, sorted and rounded to four significant digits;
those of files that are not named stay as they are.
"""

import argparse
import importlib.util
import json
from pathlib import Path

from course_utils.cards.evidence import compared
from course_utils.cards.verdicts import claims
from course_utils.data.starts import starts

ROOT = Path(__file__).parents[1]
STARTS = ROOT / "scripts" / "starts"
STORED = ROOT / "course_utils" / "data" / "starts.json"


def load(claim):
    """The module scripts/starts/CLAIM.py."""
    spec = importlib.util.spec_from_file_location(f"starts_{claim}", STARTS / f"{claim}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def files_with(name):
    """The files of scripts/starts whose module has this name, in order."""
    return [path.stem for path in sorted(STARTS.glob("*.py")) if hasattr(load(path.stem), name)]


def rounded(number):
    """A whole number as it is, any other to four significant digits."""
    return number if isinstance(number, int) else float(f"{float(number):.4g}")


def store(claim, counted):
    """Put one claim's numbers among those of the others."""
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    stored[claim] = {name: rounded(number) for name, number in counted.items()}
    STORED.write_text(
        json.dumps(stored, indent=1, sort_keys=True, ensure_ascii=False) + "\n",
        encoding="utf-8",
        newline="\n",
    )


def shares(claim, counted):
    """{what was counted: (k, n)} among these numbers: what the claim's card shows; and where
    STARTS are trained, the whole numbers up to that of the starts.
    """
    told = claims().get(claim, {}).get("counts", {}).values()
    n = getattr(load(claim), "STARTS", 0)
    return {
        name: (k, n)
        for name, k in counted.items()
        if isinstance(k, int) and k <= n and name != "starts"
    } | {k: (counted[k], counted[n]) for k, n in told}


def again(claim, counted):
    """What other starts gave, a line each; beside a share, whether it lies in the stored one's
    interval.
    """
    stored, now = shares(claim, starts(claim)), shares(claim, counted)
    return [
        f"{name}: {compared(stored[name], now[name])}"
        if name in stored and name in now
        else f"{name}: {rounded(starts(claim)[name])}, again {rounded(number)}"
        for name, number in counted.items()
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("claims", nargs="*", default=files_with("run"))
    parser.add_argument(
        "--first",
        type=int,
        default=0,
        help="the number of the first start; others than 0 are not stored",
    )
    options = parser.parse_args()
    for claim in options.claims:
        counted = load(claim).run(options.first)
        if options.first:
            lines = again(claim, counted)
        else:
            store(claim, counted)
            lines = [f"{name}: {rounded(number)}" for name, number in counted.items()]
        print(claim, *(f"  {line}" for line in lines), sep="\n", flush=True)


if __name__ == "__main__":
    main()

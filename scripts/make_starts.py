"""Train what the claims need from many starts, and store how many of them did what.

    python scripts/make_starts.py [ID ...]        all files of scripts/starts with run unless some are named, such as C5b

Such a file has run() -> {what was counted: number}. The answers are stored in course_utils/data/starts.json, sorted and
rounded to four significant digits; those of files that are not named stay as they are.
"""

import argparse
import importlib.util
import json
from pathlib import Path

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
    STORED.write_text(json.dumps(stored, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("claims", nargs="*", default=files_with("run"))
    for claim in parser.parse_args().claims:
        counted = load(claim).run()
        store(claim, counted)
        print(claim, *(f"  {name}: {rounded(number)}" for name, number in counted.items()), sep="\n")


if __name__ == "__main__":
    main()

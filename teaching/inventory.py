"""A concept inventory of attention: twenty ideas, by one form before the course, another after it.

    python teaching/inventory.py print --to FOLDER
        form_a.html and form_b.html for students, key.csv for you
    python teaching/inventory.py score BEFORE.csv AFTER.csv
        the mean before and after, the gain, and which wrong ideas are left
    python teaching/inventory.py score BEFORE.csv AFTER.csv --record class.json
        also a record without names or codes, which a class may publish

A file of answers is a CSV with the columns who, form, 1, ..., 20: a code that each student chooses,
A or B, and letters; an empty cell is no answer. teaching/README.md says how to use it, and what of
it was tested.
"""

import argparse
import csv
import html
import json
import sys
import tomllib
from collections import Counter
from pathlib import Path

QUESTIONS = Path(__file__).with_name("inventory") / "questions.toml"
LETTERS, FORMS = "ABCD", "AB"


def read_items() -> list[dict]:
    """The twenty ideas, each with the questions of both forms."""
    return tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["item"]


def options_of(number: int, form: str) -> list[list[str]]:
    """[[text, the idea behind it, "" where it is right]] of a question, as they are printed."""
    options = read_items()[number - 1][form]["options"]
    first = (number * (3 if form == "A" else 1) + FORMS.index(form)) % len(
        options
    )  # so that each letter is right five times
    return options[-first:] + options[:-first] if first else options


def right_letter(number: int, form: str) -> str:
    return LETTERS[[idea for _, idea in options_of(number, form)].index("")]


def page(form: str) -> str:
    """A form as a page to print, without a word on what is right."""
    parts = []
    for number, item in enumerate(read_items(), start=1):
        rows = "".join(f"<li>{html.escape(text)}</li>" for text, _ in options_of(number, form))
        parts.append(
            f"<section><p><b>{number}.</b> {html.escape(item[form]['question'])}</p>"
            f"<ol type='A'>{rows}</ol></section>"
        )
    return f"""<!doctype html><html lang="en"><meta charset="utf-8">
<title>Attention, form {form}</title>
<style>body {{ font: 11pt/1.4 sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em }}
section {{ break-inside: avoid }}
ol {{ columns: 2; margin: .2em 0 1em }}</style>
<h1>Attention: twenty questions, form {form}</h1>
<p>Your code: ____________ (not your name; the same before and after). It counts for no grade.
Do not guess: leave a question out if you have no idea. 30 minutes.</p>
{"".join(parts)}</html>
"""


def print_forms(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for form in FORMS:
        (folder / f"form_{form.lower()}.html").write_text(page(form), encoding="utf-8")
    with (folder / "key.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["form", "number", "about", "taught by", "letter", "option", "idea"])
        for form in FORMS:
            for number, item in enumerate(read_items(), start=1):
                for letter, (text, idea) in zip(LETTERS, options_of(number, form), strict=True):
                    rows.writerow(
                        [form, number, item["about"], item["after"], letter, text, idea or "right"]
                    )


def read_answers(path: Path) -> dict[str, tuple[str, list[str]]]:
    """{code: (form, letters)} of a file of answers. Exits where a row does not fit, and says so."""
    n, found = len(read_items()), {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        parted_by = max(",;\t", key=file.readline().count)  # as a spreadsheet saves it
        file.seek(0)
        for line, row in enumerate(csv.DictReader(file, delimiter=parted_by), start=2):
            form, who = (row.get("form") or "").strip().upper(), (row.get("who") or "").strip()
            letters = [(row.get(str(k)) or "").strip().upper() for k in range(1, n + 1)]
            if (
                not who
                or form not in FORMS
                or any(letter not in ("", *LETTERS) for letter in letters)
            ):
                sys.exit(
                    f"inventory.py: {path.name}, line {line}: got {list(row.values())}, "
                    f"wanted a code, form A or B, and {n} letters A to D or none"
                )
            if who in found:
                sys.exit(
                    f"inventory.py: {path.name}, line {line}: the code {who!r} stands there twice"
                )
            found[who] = form, letters
    return found


def points(form: str, letters: list[str]) -> int:
    """How many answers are right."""
    return sum(
        letter == right_letter(number, form) for number, letter in enumerate(letters, start=1)
    )


def ideas(answers: dict[str, tuple[str, list[str]]]) -> Counter:
    """{(number, idea): how many chose it} of all wrong answers."""
    return Counter(
        (number, dict(zip(LETTERS, options_of(number, form), strict=True))[letter][1])
        for form, letters in answers.values()
        for number, letter in enumerate(letters, start=1)
        if letter and letter != right_letter(number, form)
    )


def score(before: Path, after: Path, record: Path | None = None) -> str:
    """What a class gained, in words: of those who wrote both forms, under one code.

    record: where counts without codes are written.
    """
    first, last = read_answers(before), read_answers(after)
    both = sorted(first.keys() & last.keys())
    if not both:
        sys.exit(
            "inventory.py: no code stands in both files; "
            "wanted students who wrote both forms under one code"
        )
    n = len(read_items())
    had, has = ([points(*answers[who]) for who in both] for answers in (first, last))
    gains = [(new - old) / (n - old) for old, new in zip(had, has, strict=True) if old < n]
    gain = sum(gains) / len(gains) if gains else 0.0
    left = ideas({who: last[who] for who in both})
    lines = [
        f"{len(both)} students wrote both forms ({len(first.keys() ^ last.keys())} one only).",
        (
            f"Right of {n}: {sum(had) / len(both):.2f} before, {sum(has) / len(both):.2f} after. "
            f"Mean of each student's gain, as a share of what could be gained: {gain:.2f}."
        ),
        "Wrong ideas that are left, most frequent first:",
        *(
            f"  {count:3} of {len(both)}  {number:2}  {idea}"
            for (number, idea), count in left.most_common(10)
        ),
    ]
    if record:
        counts = {
            when: [
                [
                    Counter(
                        letter or "-"
                        for form, letters in answers.values()
                        if form == f
                        for letter in letters[k : k + 1]
                    )
                    for k in range(n)
                ]
                for f in FORMS
            ]
            for when, answers in (("before", first), ("after", last))
        }
        record.write_text(
            json.dumps(
                {"students": len(both), "answers of forms A and B, question by question": counts},
                indent=1,
            )
            + "\n",
            encoding="utf-8",
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    printing = commands.add_parser("print", help="write the forms and their key")
    printing.add_argument(
        "--to", type=Path, required=True, help="the folder to write: two forms, and the key for you"
    )
    scoring = commands.add_parser("score", help="compare two files of answers")
    scoring.add_argument(
        "before", type=Path, help="the answers before the course: a CSV with who, form, 1, ..., 20"
    )
    scoring.add_argument("after", type=Path, help="those after it, under the same codes")
    scoring.add_argument(
        "--record", type=Path, help="a JSON file to write, with counts alone: no names, no codes"
    )
    given = parser.parse_args(arguments)
    if given.command == "print":
        print_forms(given.to)
    else:
        try:
            print(score(given.before, given.after, given.record))
        except OSError as error:
            sys.exit(f"inventory.py: got {error.filename}, wanted a file ({error.strerror})")
        except UnicodeDecodeError:
            sys.exit("inventory.py: wanted two CSV files in UTF-8 (Excel: CSV UTF-8)")


if __name__ == "__main__":
    main()

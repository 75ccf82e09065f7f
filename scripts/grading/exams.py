"""An exam: which questions it asks, a sheet for each student, and the key, which is stored once and
for all.

What a sheet is graded against is its stored key, never a question drawn again: exercises and known
mistakes may change after an exam was handed out.
"""

import collections
import dataclasses
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from course_utils.diagnosis.questions import Question, from_data, to_data
from grading import bank, books

FORMAT = 1  # of the file of a key
HOMEWORK = 4, 6  # the fewest and the most questions of a homework

DRAWS = 20  # of a mistake that no other sheet has

Seed = int | str


@dataclass(frozen=True)
class Pick:
    """What an exam asks: an exercise of a lecture, in one of the bank's ways; `number` tells two of
    one way apart."""

    lecture: str
    exercise: str
    way: str
    number: int = 0

    def draw(self, seed: Seed) -> Question:
        """The question itself, by a seed."""
        return bank.draw(f"{seed}/{self.number}" if self.number else seed, self.exercise, self.way)

    def draw_other(self, seed: Seed, asked: set[str]) -> Question:
        """`draw`; of code with a mistake that is not among those `asked` on other sheets. Where
        hardly one is left, all may come again."""
        question = self.draw(seed)
        for again in range(DRAWS if self.way == "code" else 0):
            if question.answer not in asked:
                break
            question = self.draw(f"{seed}/again {again}")
        else:
            asked.clear()
        asked.add(str(question.answer))
        return question


@dataclass(frozen=True)
class Item:
    """A question on a sheet: its name there, and its text as the sheet shows it."""

    name: str
    lecture: str
    exercise: str
    text: str
    question: Question


@dataclass(frozen=True)
class Sheet:
    """What one student gets. student: whose it is, or nothing; variant: its number, 0 where there
    is one for all."""

    title: str
    student: str
    variant: int
    paper: bool
    items: tuple[Item, ...]
    id: str = ""

    @property
    def points(self) -> int:
        return sum(item.question.points for item in self.items)

    @property
    def minutes(self) -> int:
        return sum(item.question.minutes for item in self.items)


# Which questions.


def candidates(
    seed: Seed, lectures: Iterable[str], paper: bool = False, without: Sequence[str] = ()
) -> list[Pick]:
    """All that can be asked about lectures, in an order that the seed decides, but nothing about
    the exercises `without`, nor about those that stand in no notebook."""
    picks = [
        Pick(lecture, name, way)
        for lecture in lectures
        for name in bank.LECTURES[lecture]
        if name in books.in_notebooks() and name not in without
        for way in bank.makers(name)
    ]
    picks = [picks[i] for i in bank.generator(seed, "order").permutation(len(picks))]
    return [pick for pick in picks if pick.draw(seed).on_paper] if paper else picks


def in_order(picks: Iterable[Pick]) -> list[Pick]:
    """Picks in the course's order."""
    places = {name: i for i, name in enumerate(bank.EXERCISES)}
    return sorted(picks, key=lambda pick: (pick.lecture, places[pick.exercise]))


def choose_all(
    seed: Seed, lectures: Iterable[str], paper: bool = False, without: Sequence[str] = ()
) -> list[Pick]:
    """A question about every exercise of the lectures."""
    first = {pick.exercise: pick for pick in reversed(candidates(seed, lectures, paper, without))}
    return in_order(first.values())


def choose_balanced(
    seed: Seed,
    lectures: Sequence[str],
    minutes: int,
    paper: bool = False,
    without: Sequence[str] = (),
) -> list[Pick]:
    """As many questions as fit into the minutes: lectures and kinds get the same time as nearly as
    can be.

    One after the other: first of lectures without a question, then always of the lecture and the
    kind that have had the least; of a kind with more than half of the time only where nothing else
    fits. An exercise comes a second time, in another way, only where all others are asked.
    """
    left = {pick: pick.draw(seed) for pick in candidates(seed, lectures, paper, without)}
    lectures = sorted({pick.lecture for pick in left})
    kinds = {question.kind for question in left.values()}
    shortest = {
        one: min(question.minutes for pick, question in left.items() if pick.lecture == one)
        for one in lectures
    }
    spent, taken = collections.Counter(), []

    def room(lecture):
        """Minutes that a question of a lecture may take, so that those without one still fit."""
        unasked = sum(
            needed for one, needed in shortest.items() if not spent[one] and one != lecture
        )
        return minutes - spent["all"] - (unasked if sum(shortest.values()) <= minutes else 0)

    def load(pick):
        share = spent[pick.lecture] * len(lectures) + spent[left[pick].kind] * len(kinds)
        over = spent[left[pick].kind] + left[pick].minutes > minutes / 2
        return over, spent[subject(pick)] > 0, spent[pick.lecture] > 0, share

    def subject(pick):
        """What is asked only once while there is anything else: an exercise; to say why is another
        thing."""
        return pick.exercise, pick.way == "why"

    while fits := [
        pick for pick, question in left.items() if question.minutes <= room(pick.lecture)
    ]:
        best = min(fits, key=load)
        question = left.pop(best)
        for what in ("all", best.lecture, subject(best), question.kind):
            spent[what] += question.minutes
        taken.append(best)
    return in_order(taken)


def choose_homework(
    seed: Seed, lecture: str, paper: bool = False, without: Sequence[str] = ()
) -> list[Pick]:
    """Four to six questions of one lecture: every exercise in one way, then others, then a way once
    more."""
    fewest, most = HOMEWORK
    picks = candidates(seed, [lecture], paper, without)
    firsts = list({pick.exercise: pick for pick in reversed(picks)}.values())
    others = [pick for pick in picks if pick not in firsts]
    again = [dataclasses.replace(pick, number=1) for pick in picks]
    return in_order([*firsts[:most], *others, *again][: max(fewest, min(most, len(firsts)))])


# Sheets and their key.


def make_sheet(
    title: str,
    seed: Seed,
    picks: Iterable[Pick],
    paper: bool = False,
    student: str = "",
    variant: int = 0,
    asked: dict[Pick, set[str]] | None = None,
) -> Sheet:
    """The sheet that a seed makes of picks. Its id is made of all that it shows. asked: the answers
    on the sheets before it, to which its own are added."""
    items, asked = [], {} if asked is None else asked
    for i, pick in enumerate(picks, 1):
        question, name = pick.draw_other(seed, asked.setdefault(pick, set())), f"q{i:02}"
        points = f"{question.points} point{'s' * (question.points > 1)}"
        heading = f"## {name}. Lecture {pick.lecture} ({points}, about {question.minutes} minutes)"
        items.append(
            Item(
                name, pick.lecture, pick.exercise, f"{heading}\n\n{question.text(paper)}", question
            )
        )
    shows = json.dumps([title, student, variant, [[item.name, item.text] for item in items]])
    return Sheet(
        title,
        student,
        variant,
        paper,
        tuple(items),
        hashlib.sha256(shows.encode()).hexdigest()[:10],
    )


def make_sheets(
    title: str,
    seed: Seed,
    picks: Sequence[Pick],
    students: Sequence[str] = (),
    variants: int = 0,
    paper: bool = False,
) -> list[Sheet]:
    """A sheet for all; or so many variants, or one a student: the same questions with other
    numbers."""
    names = students or [""] * variants
    if not names:
        return [make_sheet(title, seed, picks, paper)]
    asked: dict[Pick, set[str]] = {}
    return [
        make_sheet(title, f"{seed}/{i}", picks, paper, name, i, asked)
        for i, name in enumerate(names, 1)
    ]


def key_text(sheets: Iterable[Sheet]) -> str:
    """The key as JSON: all that it takes to grade these sheets, whatever becomes of the
    exercises."""

    def stored(sheet):
        items = [{**vars(item), "question": to_data(item.question)} for item in sheet.items]
        return {**vars(sheet), "items": items}

    return (
        json.dumps(
            {"format": FORMAT, "sheets": list(map(stored, sheets))}, indent=1, ensure_ascii=False
        )
        + "\n"
    )


def read_key(path: Path) -> dict[str, Sheet]:
    """{id: Sheet} of a stored key. Raises ValueError with a sentence where the file is none."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["format"] != FORMAT:
            raise ValueError(f"it has format {stored['format']}")
        sheets = [
            Sheet(
                **{
                    **sheet,
                    "items": tuple(
                        Item(**{**item, "question": from_data(item["question"])})
                        for item in sheet["items"]
                    ),
                }
            )
            for sheet in stored["sheets"]
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"got {path}, wanted the key of an exam, such as key/exam.json ({error})"
        ) from None
    return {sheet.id: sheet for sheet in sheets}

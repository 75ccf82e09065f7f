"""The votes on the questions of the lectures: who may vote when, and what is told to whom.

A question goes through four stages and never back: not asked, first vote, second vote (after the
talk with a neighbour), closed. The key and the counts are told to the room when it is closed.

What was counted is kept in a file for each lecture and start, for the class page:

    03_scaling.1.votes.json
    {"notebook": "03_scaling", "questions": fingerprint, "votes": {"variance": [[3, 9, 0, 1], ...]}}

Two lists of counts a question, one a round, in the order of its letters. No voter stands in it.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from exporting.slide_questions import inline

from course_utils.cards.look import code, heat
from course_utils.cards.questions import LETTERS, files, fingerprint, questions_of

NOT_ASKED, FIRST, SECOND, CLOSED = range(4)
PATTERN = "*.votes.json"
MOST_BYTES, MOST_VOTES = 64 << 10, 10_000  # of a file that is read


@dataclass
class Question:
    """A question of a lecture, with the votes on it: for each round {voter: letter}."""

    notebook: str
    key: str  # "variance" of a prediction, "quiz_2" of a quiz
    question: dict
    options: list[dict]
    stage: int = NOT_ASKED
    asked: int = 1  # how many times: a phone that kept its vote sends it to that asking alone
    rounds: list[dict[str, str]] = field(default_factory=lambda: [{}, {}])

    @property
    def name(self) -> str:
        return f"{self.notebook[:2]}_{self.key}"

    @property
    def letters(self) -> str:
        return LETTERS[: len(self.options)]

    @property
    def right(self) -> str:
        return LETTERS[next(i for i, option in enumerate(self.options) if option.get("right"))]

    def counts(self) -> list[list[int]]:
        """How often each letter was chosen: a list a round."""
        counted = [Counter(votes.values()) for votes in self.rounds]
        return [[count[letter] for letter in self.letters] for count in counted]

    def as_html(self) -> dict:
        """What is asked, as HTML made of the course's own texts."""
        shown = code(self.question["code"]) if "code" in self.question else ""
        if "weights" in self.question:
            shown += heat(*(self.question[part] for part in ("weights", "rows", "columns")))
        return {
            "question": inline(self.question["question"]),
            "shown": shown,
            "options": [inline(option["text"]) for option in self.options],
        }


def questions() -> dict[str, Question]:
    """{name: question} of all lectures, in their order: predictions first, then the quiz."""
    found = [
        Question(notebook, f"quiz_{key + 1}" if kind == "quiz" else key, question, options)
        for notebook in files("predictions")
        for kind, key, question, options in questions_of(notebook)
    ]
    return {question.name: question for question in found}


class Polls:
    """The votes of one start of the server.

    Parameters
    ----------
    folder : where counts are kept, or None.
    """

    def __init__(self, folder: Path | None = None):
        self.questions = questions()
        self.open: Question | None = None
        self.folder = folder
        self.paths: dict[str, Path] = {}

    def advance(self, name: str, stage: int, again: bool = False) -> None:
        """Show a question, at this stage or at a later one that it has reached.

        again: forget its votes and begin anew. Raises ValueError for a name or stage that is none.
        """
        if name not in self.questions:
            raise ValueError("name: wanted one of a question")
        if stage not in (FIRST, SECOND, CLOSED):
            raise ValueError(f"stage: wanted {FIRST}, {SECOND} or {CLOSED}")
        question = self.questions[name]
        if again:
            question.stage, question.rounds = NOT_ASKED, [{}, {}]
            question.asked += 1
        question.stage = max(stage, question.stage)
        before, self.open = self.open, question
        for notebook in {shown.notebook for shown in (before, question) if shown}:
            self.save(notebook)

    def vote(self, voter: str, name: object, stage: object, letter: object) -> bool:
        """Take a vote, or change it; False where that question or round is not open, or has no such
        letter."""
        question = self.open
        if (
            question is None
            or name != question.name
            or type(stage) is not int  # JSON's true is equal to 1
            or stage != question.stage
            or stage not in (FIRST, SECOND)
            or not isinstance(letter, str)
            or letter not in list(question.letters)  # "AB" is in "ABCD"
        ):
            return False
        question.rounds[stage - FIRST][voter] = letter
        return True

    def told(self, voter: str | None = None) -> dict:
        """What the room may know now, and what this voter chose."""
        question = self.open
        if question is None:
            return {"name": None}
        state = {
            "name": question.name,
            "asked": question.asked,
            "stage": question.stage,
            **question.as_html(),
            "n": len(question.rounds[min(question.stage, SECOND) - FIRST]),
            "choice": None,
        }
        if question.stage == CLOSED:
            return state | {"right": question.right, "counts": question.counts()}
        return state | {"choice": question.rounds[question.stage - FIRST].get(voter)}

    def told_presenter(self) -> dict:
        """What the presenter sees: counts and key while the room still votes."""
        question = self.open
        if question is None:
            return {"name": None}
        whys = [inline(option["why"]) for option in question.options]
        return self.told() | {
            "right": question.right,
            "counts": question.counts(),
            "whys": whys,
        }

    def save(self, notebook: str) -> None:
        """Keep what was counted of a lecture: of all questions but one that is being voted on."""
        if self.folder is None:
            return
        votes = {
            question.key: question.counts()
            for question in self.questions.values()
            if question.notebook == notebook
            and any(question.rounds)
            and (question is not self.open or question.stage == CLOSED)
        }
        if not votes and notebook not in self.paths:
            return
        if notebook not in self.paths:
            self.folder.mkdir(parents=True, exist_ok=True)
            number = 1
            while (path := self.folder / f"{notebook}.{number}.votes.json").exists():
                number += 1
            self.paths[notebook] = path
        data = {"notebook": notebook, "questions": fingerprint(notebook), "votes": votes}
        self.paths[notebook].write_text(json.dumps(data) + "\n", encoding="utf-8")

    def end(self) -> None:
        """Keep what was counted so far of the question that is open, too."""
        question, self.open = self.open, None
        if question:
            self.save(question.notebook)


def read(path: Path) -> dict:
    """The counts in a file. Raises ValueError with a sentence where it holds none for this edition
    of the questions."""
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    try:
        said = json.loads(data.decode("utf-8")) if len(data) <= MOST_BYTES else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or set(said) != {"notebook", "questions", "votes"}:
        raise ValueError("it is no file of votes")
    asked = {q.key: q for q in questions().values() if q.notebook == said["notebook"]}
    if not asked or said["questions"] != fingerprint(said["notebook"]):
        raise ValueError("votes on another edition of the questions")
    if not isinstance(said["votes"], dict) or not all(
        key in asked and _are_counts(rounds, len(asked[key].letters))
        for key, rounds in said["votes"].items()
    ):
        raise ValueError("votes: wanted {a question of the lecture: two lists of counts}")
    return said


def _are_counts(rounds, n_letters):
    return (
        isinstance(rounds, list)
        and len(rounds) == 2
        and all(
            isinstance(counts, list)
            and len(counts) == n_letters
            and all(type(n) is int and 0 <= n <= MOST_VOTES for n in counts)
            for counts in rounds
        )
    )

"""Which wrong ideas a class shows: joined over the check, predictions, quiz, exam and votes.

teaching/ideas.toml joins what stands for one idea in a lecture. A mistake or an option that is not
there is an idea of its own.
"""

import functools
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from exporting import ROOT

from course_utils.cards.questions import LETTERS, questions_of
from course_utils.exercises import EXERCISES, LECTURES
from grading import tables

TABLE = ROOT / "teaching" / "ideas.toml"
SOURCES = {
    "check": "in the check",
    "prediction": "in a prediction",
    "quiz": "in the quiz",
    "vote": "in one vote",
    "exam": "gave its name to another mistake in the exam",
}
EXAM_LEAST = 3  # sheets: an option that one or two chose says nothing about a class
BEGINS = "Wrong idea: "  # of the words on a wrong option of a prediction


@dataclass(frozen=True)
class Idea:
    """A wrong idea: its name, and what to show and ask about it."""

    name: str
    ask: str
    options: tuple[str, ...] = ()  # of the question that `ask` repeats
    said: bool = False  # whether its name is a wrong option, which by itself would read as true
    reading: str = ""  # the exercise whose option it is, where its question is not repeated


@dataclass
class Seen:
    """An idea in a class: who showed it (in whatever order), and how often in each source."""

    idea: Idea
    students: set = field(default_factory=set)
    counts: Counter = field(default_factory=Counter)
    asked: set = field(default_factory=set)  # (kind, key) of what showed it
    most_voted: tuple | None = None  # the (kind, key) whose votes are counted

    @property
    def size(self):
        """(how many showed it in what they handed in, or in an exam if those are more; how many
        voted for it): the second decides where the first is equal, since the same hands may have
        done both."""
        return max(len(self.students), self.counts["exam"]), self.counts["vote"]

    @property
    def words(self):
        return ", ".join(
            f"{self.counts[source]} {said}"
            for source, said in SOURCES.items()
            if self.counts[source]
        )


def questions(notebook):
    """{(kind, key): (question, its options as they are shown)} of a lecture."""
    return {
        (kind, key): (question, options) for kind, key, question, options in questions_of(notebook)
    }


@functools.cache
def joined(notebook):
    """{mark: Idea} of the table. Raises ValueError where it names what is not there.

    A mark is ("check", exercise, mistake), ("prediction", key, letter) or ("quiz", number, letter).
    """
    found = {}
    for row in tomllib.loads(TABLE.read_text(encoding="utf-8"))["idea"]:
        if not notebook.startswith(f"{row['lecture']}_"):
            continue
        idea = Idea(row["name"], row["ask"])
        marks = [_check_mark(said) for said in row["checks"]]
        marks += [_option_mark(notebook, begins) for begins in row["options"]]
        for mark in marks:
            if mark in found:
                raise ValueError(f"ideas.toml: {mark} stands for two ideas")
            found[mark] = idea
    return found


def _check_mark(said):
    """The mark of a known mistake, or of a reading's wrong option whose text begins so."""
    exercise, _, mistake = said.partition(": ")
    told = EXERCISES.get(exercise)
    if told and told.shape == "reading":
        right = LETTERS.index(told.right)
        wrong = [text for i, (text, _) in enumerate(told.options) if i != right]
        names = [text for text in wrong if text.startswith(mistake)]
    else:
        names = [known.name for known in told.mistakes if known.name == mistake] if told else []
    if len(names) != 1:
        raise ValueError(f"ideas.toml: got {said!r}, wanted an exercise and one of its mistakes")
    return "check", exercise, names[0]


def _option_mark(notebook, begins):
    """The mark of the wrong option whose text is this, or else begins so."""
    wrong = [
        ((kind, key, letter), option["text"])
        for (kind, key), (_, options) in questions(notebook).items()
        for letter, option in zip(LETTERS, options, strict=False)
        if not option.get("right")
    ]
    marks = [mark for mark, text in wrong if text == begins] or [
        mark for mark, text in wrong if text.startswith(begins)
    ]
    if len(marks) != 1:
        raise ValueError(f"ideas.toml: {notebook} has {len(marks)} wrong options {begins!r}, not 1")
    return marks[0]


def idea_of(mark, notebook, what_to_say):
    """The Idea of a mark: the table's, or its own."""
    if mark in joined(notebook):
        return joined(notebook)[mark]
    kind, key, chosen = mark
    if kind == "check":
        reading = key if EXERCISES[key].shape == "reading" else ""
        return Idea(chosen, what_to_say(key, chosen), said=bool(reading), reading=reading)
    question, options = questions(notebook)[kind, key]
    option = options[LETTERS.index(chosen)]
    name = option["text"]
    if option["why"].startswith(BEGINS):
        name = option["why"].removeprefix(BEGINS).partition(". ")[0].rstrip(".")
    return Idea(name, question["question"], tuple(option["text"] for option in options), said=True)


def marks_of(student, notebook, names):
    """The marks of one student's work in a lecture."""
    for name in names:
        row = student.rows.get(name)
        if row and row.status == "wrong" and row.mistake:
            yield "check", name, row.mistake
    said = student.answers.get(notebook)
    if not said:
        return
    asked = questions(notebook)
    clicked = [("prediction", key, letter) for key, letter in said["predictions"].items()]
    clicked += [("quiz", i, letter) for i, letters in enumerate(said["quiz"]) for letter in letters]
    for kind, key, letter in clicked:
        if not asked[kind, key][1][LETTERS.index(letter)].get("right"):
            yield kind, key, letter


def votes_of(files, notebook):
    """{mark: how many chose it in the last vote} of the files of votes of a lecture."""
    found = Counter()
    asked = questions(notebook)
    for data in files:
        if data["notebook"] != notebook:
            continue
        for name, rounds in data["votes"].items():
            kind, key = ("prediction", name)
            if (kind, key) not in asked:
                kind, key = "quiz", int(name.rpartition("_")[2]) - 1
            last = rounds[1] if any(rounds[1]) else rounds[0]
            for letter, n, option in zip(LETTERS, last, asked[kind, key][1], strict=False):
                if n and not option.get("right"):
                    found[kind, key, letter] += n
    return found


def read_exam(path: Path):
    """[(file, exercise, the text of a wrong option)] of the table that `exam.py grade` wrote."""
    rows = tables.read(path)
    if not rows or not {"file", "exercise", "chosen"} <= set(rows[0]):
        raise ValueError(f"got {path.name}, wanted the table.csv that `exam.py grade` wrote")
    return [(row["file"], row["exercise"], row["chosen"]) for row in rows if row["chosen"]]


def seen(notebook, names, students, what_to_say, votes=(), exam=()):
    """The ideas that a class shows in a lecture, the largest first: [Seen].

    students: Works of grades; votes: files of votes; exam: what read_exam gives.
    """
    found: dict[Idea, Seen] = {}

    def at(mark):
        idea = idea_of(mark, notebook, what_to_say)
        one = found.setdefault(idea, Seen(idea))
        one.asked.add(mark[:2])
        return one

    for number, student in enumerate(students):
        sources = defaultdict(set)
        for mark in marks_of(student, notebook, names):
            one = at(mark)
            one.students.add(number)
            sources[one.idea].add(mark[0])
        for idea, kinds in sources.items():
            found[idea].counts.update(kinds)
    voted: dict[Idea, Counter] = defaultdict(Counter)
    for mark, n in votes_of(votes, notebook).items():
        voted[at(mark).idea][mark[:2]] += n
    for idea, of_questions in voted.items():  # the same hands vote on each of them
        ((found[idea].most_voted, found[idea].counts["vote"]),) = of_questions.most_common(1)
    sheets = defaultdict(set)
    for file, exercise, chosen in exam:
        is_here = exercise in LECTURES.get(notebook[:2], ())
        if is_here and chosen in [known.name for known in EXERCISES[exercise].mistakes]:
            idea = idea_of(("check", exercise, chosen), notebook, what_to_say)
            sheets[idea].add(file)
    for idea, files in sheets.items():
        if len(files) >= EXAM_LEAST:
            found.setdefault(idea, Seen(idea)).counts["exam"] = len(files)
    return sorted(found.values(), key=lambda one: ([-n for n in one.size], one.idea.name))

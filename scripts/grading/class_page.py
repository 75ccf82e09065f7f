"""Two pages about the class: what to say next, to be shown on the wall; and all that was counted,
with the students' own words, for the instructor alone. Neither names anybody or needs a network."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from exporting import plans
from markupsafe import Markup

from course_utils.cards import look
from course_utils.cards.questions import LETTERS, files, load, shuffled
from course_utils.diagnosis.error_messages import STOPPED
from course_utils.exercises import EXERCISES
from grading import books, ideas
from grading.grades import Work

TEMPLATES = Path(__file__).parent / "templates" / "class"
LARGEST = 3  # ideas of a lecture on the wall
OUTCOMES = {
    "right": "✓ right",
    "named": "✗ a mistake with a name",
    "other": "? wrong in another way",
    "none": "– not attempted",
}
# What to say about a mistake that belongs to no exercise.
SAID = {
    **{name: said for name, said in reversed(STOPPED.values()) if name},
    "right on the course's inputs only": (
        "The function knows answers, not the rule. Ask for the same on a table that is made up in"
        " the room."
    ),
    "argument changed": (
        "The numbers are right, and the caller's table is another now. `x = x - 1` makes a new one,"
        " `x -= 1` writes into the old."
    ),
    "nothing returned": "What is computed has to come back: `return`. To print it only shows it.",
}

Course = Mapping[str, Sequence[str]]  # {notebook: its exercises}
Parts = dict[str, Any]  # what a template reads, by name


def wall_page(
    students: Sequence[Work],
    course: Course,
    votes: Sequence[dict[str, Any]] = (),
    exam: Sequence[tuple[str, str, str]] = (),
) -> str:
    """The page for the wall as HTML: for each lecture its largest ideas, a screen each.

    votes: files of votes, of which those of lectures count that something came in of; exam: wrong
    choices of an exam, as ideas.read_exam gives them.
    """
    came_in = {notebook for work in students for notebook in (*work.notebooks, *work.answers)}
    votes = [data for data in votes if data["notebook"] in came_in]
    slides = []
    for notebook, names in course.items():
        if notebook not in files("predictions"):
            continue
        found = ideas.seen(notebook, names, students, what_to_say, votes, exam)
        found = [one for one in found if one.idea.ask][:LARGEST]  # not slips such as a lost name
        parts = _parts(notebook)
        slides += [
            {
                "lecture": _title(notebook),
                "number": i,
                "of": len(found),
                "seen": one,
                "parts": list(
                    dict.fromkeys(
                        parts[at]
                        for at in (one.most_voted, *parts)
                        if at in one.asked and at in parts
                    )
                ),
            }
            for i, one in enumerate(found, start=1)
        ]
    return _render("class.html.j2", slides=slides, came_in=came_in, letters=LETTERS)


def details_page(students: Sequence[Work], course: Course, others: Mapping[str, int]) -> str:
    """The instructor's page as HTML. others: {notebook: answers to another edition of its
    questions}."""
    lectures = [
        _lecture(notebook, names, students, others.get(notebook, 0))
        for notebook, names in course.items()
        if others.get(notebook)
        or any(notebook in s.notebooks or notebook in s.answers for s in students)
    ]
    absent = sum(student.absent for student in students)
    return _render(
        "details.html.j2", lectures=lectures, kinds=OUTCOMES, n=len(students), absent=absent
    )


def what_to_say(name: str, mistake: str) -> str:
    """The exercise's own hint, or for a reading what is said of the choice. Never a student's
    text."""
    exercise = EXERCISES[name]
    if exercise.shape == "reading":
        hints = dict(exercise.options)
    else:
        hints = {known.name: known.hint for known in exercise.mistakes if hasattr(known, "hint")}
    return hints.get(mistake) or SAID.get(mistake, "")


def _render(template: str, **parts: Any) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["inline"] = lambda text: Markup(look.inline(_printable(text)))
    return environment.get_template(template).render(**parts)


def _printable(text: str) -> str:
    """Text without what no page can hold: halves of characters, and control characters."""
    return "".join(
        c if c.isprintable() or c == "\n" else " "
        for c in text.encode("utf-8", "backslashreplace").decode()
    )


def _title(notebook: str) -> str:
    """A lecture's own heading."""
    return "".join(books.notebooks()[notebook][0]["source"]).partition("\n")[0].lstrip("# ")


def _parts(notebook: str) -> dict[tuple[str, str | int], str]:
    """{("check" or "prediction", key), or ("quiz", number): the part that asks it, and on which
    slide that begins}."""
    found: dict[tuple[str, str | int], str] = {}
    plan, part = plans.read(notebook), ""
    for source in ("".join(cell["source"]) for cell in books.notebooks()[notebook]):
        for heading in re.findall(r"^##+ (.+?)(?: \(\d+ minutes.*\))?$", source, re.MULTILINE):
            slide = plan.slides.get(heading)
            part = f"{heading} (slide {slide})" if slide else heading
        for call, name in re.findall(r'\b(diagnose|predict)\("(?:\d\d_)?(\w+)"', source):
            found["check" if call == "diagnose" else "prediction", name] = part
        if source.startswith("quiz("):
            for i in range(len(load("quizzes", notebook))):
                found["quiz", i] = f"{part}, question {i + 1}"
    return found


def _lecture(notebook: str, names: Sequence[str], students: Sequence[Work], others: int) -> Parts:
    """All that the page says of a lecture."""
    handed_in = [student for student in students if notebook in student.notebooks]
    answers = [student.answers[notebook] for student in students if notebook in student.answers]
    predictions = load("predictions", notebook) if answers else {}
    quiz = load("quizzes", notebook) if answers else []
    return {
        "title": _title(notebook),
        "n": len(handed_in),
        "rows": [_bar(name, handed_in) for name in names] if handed_in else [],
        "mistakes": _mistakes(names, handed_in),
        "answers": len(answers),
        "others": others,
        "predictions": [_prediction(key, asked, answers) for key, asked in predictions.items()],
        "quiz": [_quiz_question(i, asked, answers) for i, asked in enumerate(quiz)],
        # in no order of people
        "open": sorted(filter(None, (_printable(answer["open"]).strip() for answer in answers))),
    }


def _outcome(student: Work, name: str) -> str:
    """How a student fared in an exercise: a key of OUTCOMES."""
    row = student.rows.get(name)
    if row is None or row.status == "not attempted":
        return "none"
    if row.status == "correct":
        return "right"
    return "named" if row.mistake else "other"


def _bar(name: str, handed_in: Sequence[Work]) -> Parts:
    """An exercise as a bar of length 1 whose parts are how many fared how, and in words."""
    counts = Counter(_outcome(student, name) for student in handed_in)
    parts, at = [], 0.0
    for kind in OUTCOMES:
        wide = counts[kind] / len(handed_in)
        parts.append({"kind": kind, "n": counts[kind], "at": at, "wide": wide})
        at += wide
    said = ", ".join(f"{counts[kind]} {words[2:]}" for kind, words in OUTCOMES.items())
    return {"name": name, "parts": parts, "words": f"{name}: {said}"}


def _mistakes(names: Sequence[str], handed_in: Sequence[Work]) -> list[Parts]:
    """Mistakes with a name, how many made them and what to say, the most frequent first."""
    counts = Counter(
        (name, student.rows[name].mistake)
        for name in names
        for student in handed_in
        if _outcome(student, name) == "named"
    )
    return [
        {"exercise": name, "name": mistake, "n": n, "say": what_to_say(name, mistake)}
        for (name, mistake), n in counts.most_common()
    ]


def _prediction(key: str, question: Parts, answers: Sequence[Parts]) -> Parts:
    """A prediction, and how often each option was chosen."""
    letters = [answer["predictions"][key] for answer in answers if key in answer["predictions"]]
    return {
        "question": question["question"],
        "n": len(letters),
        "options": _shares(question["options"], letters),
    }


def _quiz_question(i: int, question: Parts, answers: Sequence[Parts]) -> Parts:
    """A quiz question with what was clicked first, and how many came to the right one in the
    end."""
    options = shuffled(question)
    clicked = [answer["quiz"][i] for answer in answers if answer["quiz"][i]]
    right = LETTERS[next(j for j, option in enumerate(options) if option.get("right"))]
    return {
        "question": question["question"],
        "code": question.get("code", ""),
        "n": len(clicked),
        "first": sum(letters[0] == right for letters in clicked),
        "end": sum(right in letters for letters in clicked),
        "options": _shares(options, [letters[0] for letters in clicked]),
    }


def _shares(options: Sequence[Parts], letters: Sequence[str]) -> list[Parts]:
    """The options of a question, each with how many chose it."""
    counts = Counter(letters)
    return [
        {
            "letter": letter,
            "text": option["text"],
            "why": option["why"],
            "right": option.get("right", False),
            "n": counts[letter],
            "share": counts[letter] / len(letters) if letters else 0,
        }
        for letter, option in zip(LETTERS, options, strict=False)
    ]

"""Two pages about the class: what to say next, to be shown on the wall; and all that was counted,
with the students' own words, for the instructor alone. Neither names anybody or needs a network."""

import json
from collections import Counter
from pathlib import Path

import jinja2
from exporting import NOTEBOOKS
from markupsafe import Markup

from course_utils.cards import look
from course_utils.cards.questions import LETTERS, files, load, shuffled
from course_utils.diagnosis.error_messages import STOPPED
from course_utils.exercises import EXERCISES
from grading import ideas

TEMPLATES = Path(__file__).parent / "templates" / "class"
KINDS = {
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


LARGEST = 3  # ideas of a lecture on the wall


def wall_page(students, course, votes=(), exam=()):
    """The page for the wall as HTML: for each lecture its largest ideas, a screen each.

    students: Works of grades; course: {notebook: exercises}; votes: files of votes; exam: wrong
    choices of an exam, as ideas.read_exam gives them.
    """
    slides = []
    for notebook, names in course.items():
        if notebook not in files("predictions"):
            continue
        found = ideas.seen(notebook, names, students, what_to_say, votes, exam)
        found = [one for one in found if one.idea.ask][:LARGEST]  # not slips such as a lost name
        slides += [
            {"lecture": title(notebook), "number": i, "of": len(found), "seen": one}
            for i, one in enumerate(found, start=1)
        ]
    return _render("class.html.j2", slides=slides, letters=LETTERS)


def details_page(students, course, others):
    """The instructor's page as HTML. others: {notebook: answers to another edition of its
    questions}; the rest as for wall_page."""
    came = [
        notebook
        for notebook in course
        if others.get(notebook)
        or any(notebook in s.notebooks or notebook in s.answers for s in students)
    ]
    lectures = [
        lecture(notebook, course[notebook], students, others.get(notebook, 0)) for notebook in came
    ]
    absent = sum(student.absent for student in students)
    return _render(
        "details.html.j2", lectures=lectures, kinds=KINDS, n=len(students), absent=absent
    )


def _render(template, **parts):
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["inline"] = lambda text: Markup(look.inline(readable(text)))
    return environment.get_template(template).render(**parts)


def readable(text):
    """Text without what no page can hold: halves of characters, and control characters."""
    return "".join(
        c if c.isprintable() or c == "\n" else " "
        for c in text.encode("utf-8", "backslashreplace").decode()
    )


def title(notebook):
    """A lecture's own heading."""
    first = json.loads((NOTEBOOKS / f"{notebook}.ipynb").read_text(encoding="utf-8"))["cells"][0][
        "source"
    ]
    return "".join(first).partition("\n")[0].lstrip("# ")


def lecture(notebook, names, students, others):
    """All that the page says of a lecture."""
    handed = [student for student in students if notebook in student.notebooks]
    answers = [student.answers[notebook] for student in students if notebook in student.answers]
    return {
        "title": title(notebook),
        "n": len(handed),
        "rows": [exercise(name, handed) for name in names] if handed else [],
        "mistakes": mistakes(names, handed),
        "answers": len(answers),
        "others": others,
        "predictions": (
            [
                prediction(key, question, answers)
                for key, question in load("predictions", notebook).items()
            ]
            if answers
            else []
        ),
        "quiz": (
            [asked(i, question, answers) for i, question in enumerate(load("quizzes", notebook))]
            if answers
            else []
        ),
        "open": sorted(filter(None, (readable(answer["open"]).strip() for answer in answers))),
    }  # in no order of people


def kind(student, name):
    row = student.rows.get(name)
    if row is None or row.status == "not attempted":
        return "none"
    return "right" if row.status == "correct" else "named" if row.mistake else "other"


def exercise(name, handed):
    """How many did what: {kind: number}, and the parts of a bar of length 1."""
    counts = Counter(kind(student, name) for student in handed)
    parts, at = [], 0.0
    for what in KINDS:
        parts.append(
            {"kind": what, "n": counts[what], "at": at, "wide": counts[what] / len(handed)}
        )
        at += counts[what] / len(handed)
    return {
        "name": name,
        "parts": parts,
        "words": (
            f"{name}: {', '.join(f'{counts[what]} {words[2:]}' for what, words in KINDS.items())}"
        ),
    }


def mistakes(names, handed):
    """[(exercise, mistake, how many, what to say)], the most frequent first."""
    counts = Counter(
        (name, student.rows[name].mistake)
        for name in names
        for student in handed
        if kind(student, name) == "named"
    )
    return [
        {"exercise": name, "name": mistake, "n": n, "say": what_to_say(name, mistake)}
        for (name, mistake), n in counts.most_common()
    ]


def what_to_say(name, mistake):
    """The exercise's own hint, or for a reading what is said of the choice. Never a student's
    text."""
    told = EXERCISES[name]
    hints = (
        dict(told.options)
        if told.shape == "reading"
        else {known.name: known.hint for known in told.mistakes if hasattr(known, "hint")}
    )
    return hints.get(mistake) or SAID.get(mistake, "")


def prediction(key, question, answers):
    said = [answer["predictions"][key] for answer in answers if key in answer["predictions"]]
    return {
        "question": question["question"],
        "n": len(said),
        "options": shares(question["options"], said),
    }


def asked(i, question, answers):
    """A quiz question with what was clicked first, and how many came to the right one in the
    end."""
    options, clicked = (
        shuffled(question),
        [answer["quiz"][i] for answer in answers if answer["quiz"][i]],
    )
    right = LETTERS[next(j for j, option in enumerate(options) if option.get("right"))]
    return {
        "question": question["question"],
        "code": question.get("code", ""),
        "n": len(clicked),
        "first": sum(letters[0] == right for letters in clicked),
        "end": sum(right in letters for letters in clicked),
        "options": shares(options, [letters[0] for letters in clicked]),
    }


def shares(options, letters):
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

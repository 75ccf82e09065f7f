"""What a student writes, is called, or names a file is words on every page and in every table:
never markup, never a formula."""

import csv
import html.parser
import io
import sys

import pytest
from helpers import ROOT

from course_utils.cards import look
from course_utils.cards.questions import LETTERS, fingerprint, load, shuffled
from course_utils.diagnosis.exercise import Reading
from course_utils.diagnosis.verdicts import Diagnosis
from course_utils.exercises import diagnose

sys.path.insert(0, str(ROOT / "scripts"))
from grading import class_page, grades, report, roster, tables
from grading.tables import Row

NAME = "01_self_attention"
PLAIN = "word"
NASTY = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onclick='alert(1)",
    "</pre></div></details></body>",
    "<!-- ",
    "&lt;b&gt; &amp",
    "{{ 7 * 7 }} {% raw %}",
    "\u202etxt.exe\u2066",
    "\x00\x07\x1b[31m",
    "\ud800",
    "x" * 10_000,
    "=1+1",
    "＝cmd|' /C calc'!A0",
    "a;=1+1",
    "a,b\r\n=2",
    '"quoted"\t@x',
]


def page_about(text):
    """The class page about a student whose mistake, message, path and open answer are this text."""
    work = grades.Work(text)
    work.add(Row(f"{text}.ipynb", NAME, "softmax", "gap", "wrong", text, text, text))
    right = [
        [LETTERS[next(i for i, o in enumerate(shuffled(q)) if o.get("right"))]]
        for q in load("quizzes", NAME)
    ]
    work.answers[NAME] = {
        "notebook": NAME,
        "questions": fingerprint(NAME),
        "predictions": {},
        "quiz": right,
        "open": text,
    }
    course = report.course()
    return class_page.details_page([work], course, {}) + class_page.wall_page([work], course)


def error_about(text):
    """The card about a function whose error, printing and names are this text."""

    def fails(scores):
        print(text)
        raise type(text.replace("\x00", "").replace("\ud800", "") or "E", (Exception,), {})(text)

    card = diagnose("softmax", fails)._repr_html_()
    card.encode()  # a notebook's messages are UTF-8
    return card


PAGES = {  # every writer of HTML that shows what somebody typed
    "a diagnosis": (
        lambda text: Diagnosis(
            "wrong",
            text,
            f"{text} `{text}`",
            (text, text, text),
            text,
            ((text, text, True), (text, text, False)),
        )._repr_html_()
    ),
    "a function's error": error_about,
    "a value": lambda text: diagnose("softmax", lambda scores: text)._repr_html_(),
    "a reading": lambda text: (
        Reading("r", text, [(text, text), (text, text)], "A").check(text)._repr_html_()
    ),
    "a reading answered": lambda text: (
        Reading("r", text, [(text, text), (text, text)], "A").check("B")._repr_html_()
    ),
    "a card": lambda text: look.card(
        "diagnosis", text, look.prose(text) + look.code(text) + look.side_by_side(text, text, text)
    ),
    "the class": page_about,
}


class Markup(html.parser.HTMLParser):
    """The tags of a page, each with the names of its attributes."""

    def __init__(self, text):
        super().__init__()
        self.tags = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add((tag, *sorted(name for name, _ in attributes)))

    def handle_comment(self, text):
        self.tags.add(("a comment",))


@pytest.mark.parametrize("page", PAGES)
def test_no_text_becomes_markup(page):
    plain = Markup(PAGES[page](PLAIN)).tags
    for text in NASTY:
        written = PAGES[page](text)
        more = {
            tag
            for tag in Markup(written).tags - plain
            if tag[0] not in ("code", "sub", "sup", "p", "br")
        }
        assert not more, (text, more)
        assert not any(f"{sign}{text}" in written for sign in '>"' if "<" in text), text


def person(text):
    return roster.Person(
        text,
        text,
        {"id": text, "sis": text, "email": text, "login": text, "section": text, "canvas": text},
    )


def work_of(text):
    work = grades.Work(person(text))
    work.add(Row(f"{text}.ipynb", NAME, "softmax", "gap", "correct", text, text, text))
    return work


def book(text):
    course = report.course()
    return grades.Gradebook([work_of(text)], course, grades.default_points(course))


TABLES = {  # every writer of CSV
    "the report": lambda text: [tables.COLUMNS, Row(*[text] * len(tables.COLUMNS))],
    "the overview": lambda text: book(text).overview(),
    "Moodle": lambda text: book(text).moodle(),
    "Canvas": lambda text: book(text).canvas([text]),
    "who is not matched": lambda text: [["file", "why"], [text, f"fits {text} and {text}"]],
}


@pytest.mark.parametrize("name", TABLES)
def test_no_cell_is_a_formula_or_breaks_its_row(name, tmp_path):
    for text in NASTY:
        rows = list(TABLES[name](text))
        tables.write(tmp_path / "out.csv", rows)
        read = list(
            csv.reader(io.StringIO((tmp_path / "out.csv").read_bytes().decode("utf-8-sig")))
        )
        assert [len(row) for row in read] == [len(row) for row in rows]
        for cell in (cell for row in read for cell in row):
            assert cell.isprintable() or not cell, (text, cell)
            assert len(cell) <= 1300
            assert not any(
                part.lstrip(' "')[:1] in tuple("=+-@＝＋－＠")
                for part in cell.split(";")
                if part.strip()
            ), (text, cell)

"""From a folder of forty to grades: nobody is mixed up, the best counts, importers get their
columns, strangers' files harm nobody."""

import collections
import csv
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
import test_report as reports
from helpers import ROOT
from nbformat.v4 import new_code_cell, new_notebook

from course_utils.cards.questions import LETTERS, fingerprint, load, shuffled

sys.path.insert(0, str(ROOT / "scripts"))
from grading import answers, class_page, grades, report, roster
from grading.tables import Row

NAME = "01_self_attention"
ATTEND = (
    "def my_attend(X):\n    return my_softmax(X @ X.T) @ X\ndiagnose('self_attention', my_attend)"
)
CELLS = {
    "right": [reports.RIGHT + reports.CHECK, ATTEND],
    "wrong": [reports.RIGHT.replace("-1", "0") + reports.CHECK],
    "odd": ["def my_softmax(s):\n    return s * 3\n" + reports.CHECK],
    "stub": [reports.STUB + reports.CHECK],
    "hostile": ["import os\ndef my_softmax(s):\n    os._exit(0)\n" + reports.CHECK],
    "copied": [
        "from course_utils.attention import softmax\ndef my_softmax(s):\n    return softmax(s)\n"
        + reports.CHECK
    ],
}
FIRST = ["Ana", "Ben", "Chloé", "Dmitri", "Ewa", "Femi", "Gül", "Håkon"]
LAST = ["Silva", "Okafor", "Łącki", "O'Neil", "van Dijk"]
CLASS = [(first, last) for last in LAST for first in FIRST]  # forty
KINDS = [
    *["right"] * 14,
    *["wrong"] * 8,
    *["odd"] * 4,
    *["stub"] * 4,
    "hostile",
    "hostile",
    "copied",
    "copied",
    *["absent"] * 6,
]
LATE = {14, 15, 16}
SCRIPT = '<script>alert("x")</script> <img src=x onerror=alert(1)>'


def notebook(path, kind):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(
        new_notebook(cells=[new_code_cell(source) for source in [reports.SETUP, *CELLS[kind]]]),
        path,
    )


def said(**changed):
    """What the page writes, of somebody who found all at the first try."""
    right = [
        LETTERS[next(i for i, o in enumerate(shuffled(q)) if o.get("right"))]
        for q in load("quizzes", NAME)
    ]
    return {
        "notebook": NAME,
        "questions": fingerprint(NAME),
        "predictions": {"neighbour": "A"},
        "quiz": [[letter] for letter in right],
        "open": "",
        **changed,
    }


def rows_of(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def forty(tmp_path_factory):
    """The folder of grades of a class of forty, from a Moodle download: right, wrong, late,
    hostile, absent."""
    folder, to = tmp_path_factory.mktemp("class"), tmp_path_factory.mktemp("out")
    lines = ["First name,Last name,ID number,Email address,Groups"]
    lines += [
        f'{first},{last},{2026000 + i},"{first}.{i}@example.org",A'
        for i, (first, last) in enumerate(CLASS)
    ]
    (folder / "roster.csv").write_text("\n".join(lines), encoding="utf-8-sig")
    for i, ((first, last), kind) in enumerate(zip(CLASS, KINDS, strict=True)):
        place = (
            folder / "all" / f"{first} {last.replace(chr(39), '')}_{700 + i}_assignsubmission_file_"
        )
        if kind != "absent":
            late = (
                folder
                / "all"
                / f"{last}{first}_LATE_{800 + i}_{900 + i}_{NAME}.ipynb".lower()
                .replace("_late_", "_LATE_")
                .replace(" ", "")
            )
            notebook(
                late if i in LATE else place / f"{NAME}.ipynb", kind
            )  # some by Canvas, after the hour
            place.mkdir(parents=True, exist_ok=True)
            clicked = {
                "predictions": {"neighbour": "ABCD"[i % 4]},
                "open": SCRIPT if kind == "hostile" else "",
            }
            (place / f"{NAME}.answers.json").write_text(json.dumps(said(**clicked)))
    notebook(
        folder / "all" / "Chloé Silva_702_assignsubmission_file_" / "second try" / f"{NAME}.ipynb",
        "wrong",
    )  # the first was right
    notebook(folder / "all" / f"{NAME} (Nobody Here).ipynb", "right")
    notebook(
        folder / "all" / "Ana Silva_700_assignsubmission_file_" / f"{NAME} (Ben Silva).ipynb",
        "wrong",
    )
    votes = folder / "votes"
    votes.mkdir()
    counted = {"neighbour": [[10, 0, 0, 0], [9, 25, 0, 0]]}
    data = {"notebook": NAME, "questions": fingerprint(NAME), "votes": counted}
    (votes / f"{NAME}.1.votes.json").write_text(json.dumps(data))
    (votes / f"{NAME}.2.votes.json").write_text("{")
    report.main(
        [
            str(folder / "all"),
            "--votes",
            str(votes),
            "--roster",
            str(folder / "roster.csv"),
            "--to",
            str(to),
            "--seed",
            "1",
            *([] if reports.SHUT_IN else ["--no-sandbox"]),
        ]
    )
    return to


def test_each_of_forty_has_what_was_handed_in(forty):
    rows = rows_of(forty / "students.csv")
    assert [row["name"] for row in rows] == [f"{first} {last}" for first, last in CLASS]
    got = {
        kind: {
            (row["correct"], row[f"{NAME} (of 8)"])
            for row, k in zip(rows, KINDS, strict=True)
            if k == kind
        }
        for kind in set(KINDS)
    }
    assert got == {
        "right": {("2", "3")},
        "wrong": {("0", "0")},
        "odd": {("0", "0")},
        "stub": {("0", "0")},
        "hostile": {("0", "0")},
        "copied": {("1", "2")},
        "absent": {("0", "")},
    }
    assert [row["remark"] == "handed in nothing" for row in rows] == [
        kind == "absent" for kind in KINDS
    ]
    assert ["calls the course's own: attention.softmax" in row["remark"] for row in rows] == [
        kind == "copied" for kind in KINDS
    ]
    table = rows_of(forty / "table.csv")
    assert {row["student"] for row in table if row["status"] == "correct"} == {
        row["name"] for row in rows if row["correct"] != "0"
    } | {""}
    assert [row["late"] for row in rows] == [str(int(i in LATE)) for i in range(40)]
    assert {row["file"]: row["why"] for row in rows_of(forty / "not_matched.csv")} == {
        f"{NAME} (Nobody Here).ipynb": "fits nobody on the roster",
        f"Ana Silva_700_assignsubmission_file_/{NAME} (Ben Silva).ipynb": (
            "fits Ana Silva and Ben Silva"
        ),
    }


def test_moodle_and_canvas_get_the_columns_they_import(forty):
    moodle = rows_of(forty / "grades.csv")
    assert list(moodle[0]) == [
        "First name",
        "Last name",
        "ID number",
        "Email address",
        "Username",
        NAME,
        "Sum of the lectures",
    ]
    assert moodle[2]["Email address"] == "Chloé.2@example.org"
    assert (moodle[2][NAME], moodle[39][NAME], moodle[39]["Sum of the lectures"]) == ("3", "", "0")
    text = (forty / "grades_canvas.csv").read_text(encoding="utf-8").splitlines()
    assert text[:3] == [
        f"Student,ID,SIS User ID,SIS Login ID,Section,{NAME}",
        "Points Possible,,,,,8",
        '"Silva, Ana",,2026000,,A,3',
    ]


def test_points_are_those_of_the_file_that_was_edited(forty, tmp_path):
    path = tmp_path / "points.csv"
    assert grades.points(path, report.course())["softmax"] == 2  # ●●○
    path.write_text("exercise;points\nsoftmax;2,5\nself_attention;0\n")
    assert grades.points(path, report.course()) == {"softmax": 2.5, "self_attention": 0}
    for wrong in (
        "exercise,points\nsofmax,1\n",
        "exercise,points\nsoftmax,many\n",
        "exercise,points\nsoftmax,-1\n",
        "exercise\nsoftmax\n",
    ):
        path.write_text(wrong)
        with pytest.raises(SystemExit, match="wanted columns `exercise`"):
            grades.points(path, report.course())


class Page(HTMLParser):
    """What a browser would make of it: its tags, addresses, and words."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.addresses, self.words, self.pictures = collections.Counter(), [], "", []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        given = dict(attrs)
        self.addresses += [
            given[name] for name in ("src", "href", "data", "action") if name in given
        ]
        self.pictures += [given.get("aria-label", "")] if given.get("role") == "img" else []
        assert not [name for name in given if name.startswith("on")]

    def handle_data(self, data):
        self.words += data


def test_what_to_say_next_is_on_the_wall_without_a_name_or_a_students_word(forty):
    text = (forty / "class.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.tags["section"] == class_page.LARGEST
    assert page.addresses == []
    assert page.tags["script"] == page.tags["img"] == page.tags["link"] == 0
    assert "lengths do not count in a dot product" in page.words
    assert "9 in a prediction, 25 in one vote" in page.words
    assert "softmax along the wrong axis" in page.words  # eight of forty, in the check
    assert SCRIPT not in page.words
    assert not [first for first in FIRST if f"{first} " in page.words]


def test_the_page_tells_of_the_class_and_of_nobody(forty):
    text = (forty / "class_details.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.tags["script"] == page.tags["img"] == page.tags["link"] == 0
    assert all(address.startswith("#") for address in page.addresses if address != "class.html")
    assert "url(http" not in text
    assert "prefers-color-scheme: dark" in text
    assert not [
        word
        for first, last in CLASS
        for word in (f"{first} {last}", f"{first}.")
        if word in page.words
    ]
    assert "34 of 40 handed in" in page.words
    assert len(page.pictures) == 1
    assert (
        "softmax: 16 right, 10 a mistake with a name, 4 wrong in another way, 4 not attempted; "
        in page.pictures[0]
    )  # 10: 2 ended Python
    assert "Make each row sum to 1, not each column." in page.words  # the hint of `wrong axis`
    assert page.words.count(SCRIPT) == 2  # as words
    assert "34 of 34 right at the first try" in page.words


def test_the_page_holds_what_no_page_should_hold():
    work = grades.Work("a path")
    work.add(Row("a.ipynb", NAME, "softmax", "gap", "wrong", "wrong axis", "", ""))
    work.answers[NAME] = said(
        predictions={},
        quiz=[["C", "A"], *[[] for _ in load("quizzes", NAME)[1:]]],
        open="\ud800 & <b>",
    )
    text = class_page.details_page([work], report.course(), collections.Counter({NAME: 3}))
    text.encode()
    assert "&amp; &lt;b&gt;" in text
    assert "3 more answered another edition" in text


def test_a_file_that_cannot_be_read_is_in_the_students_remark():
    person, why = roster.Person("Ana", "Silva"), "this file is no notebook in UTF-8"
    work = grades.Work(person)
    work.add(Row(f"Ana/{NAME}.ipynb", "", "", "", "unreadable", "", why, ""))
    work.add(Row("Ana/notes.ipynb", "", "", "", "not of this course", "", "It has none.", ""))
    head, row = grades.Gradebook([work], report.course(), {}).overview()
    said = dict(zip(head, row, strict=True))
    assert said["unusable files"] == 2
    assert said["remark"] == f"{NAME}.ipynb: {why}"


# All code right, all predictions wrong.


def solver(letters, statuses=("correct",) * 3):
    """A student with these outcomes, whose predictions in 01 and 02 are these letters."""
    work = grades.Work("a path")
    names = ["softmax", "self_attention", "catch_softmax", "attention"]
    for name, status in zip(names, statuses, strict=False):
        work.add(Row("a.ipynb", NAME, name, "gap", status, "", "", ""))
    keys = [("01_self_attention", key) for key in load("predictions", "01_self_attention")]
    keys += [
        ("02_queries_keys_values", key) for key in load("predictions", "02_queries_keys_values")
    ]
    for (notebook_name, key), letter in zip(keys, letters, strict=False):
        work.answers.setdefault(notebook_name, {"predictions": {}})["predictions"][key] = letter
    return work


def letters(n, shift):
    """The letters of n predictions: the right ones (shift 0), or wrong ones (shift 1)."""
    asked = [
        question["options"]
        for name in ("01_self_attention", "02_queries_keys_values")
        for question in load("predictions", name).values()
    ]
    right = [next(i for i, o in enumerate(options) if o.get("right")) for options in asked]
    return [LETTERS[(i + shift) % len(options)] for i, options in zip(right, asked, strict=True)][
        :n
    ]


def test_right_code_with_wrong_predictions_is_a_question_that_says_its_chance():
    said = grades.question_about(solver(letters(6, 1)))
    assert "a question, no charge" in said
    chance = float(re.search(r"a guesser: (\d+) of 100", said)[1]) / 100
    assert 0.09 <= chance <= 0.18  # six questions of three or four options


@pytest.mark.parametrize(
    "student",
    [
        solver(letters(5, 1)),
        solver([]),
        solver(letters(6, 1), ("correct", "correct")),
        solver(letters(6, 1), ("correct", "correct", "correct", "wrong")),
        solver([*letters(7, 1), letters(8, 0)[7]]),
    ],
    ids=["few predictions", "none", "few exercises", "a wrong one", "one prediction right"],
)
def test_who_is_not_asked(student):
    assert grades.question_about(student) == ""


# Whose a file is.

PEOPLE = [
    roster.Person(
        "Ana", "Silva", {"id": "2026001", "login": "asilva", "email": "ana@x.org", "canvas": "9001"}
    ),
    roster.Person(
        "Ana",
        "Silva",
        {
            "id": "2026002",
            "login": "asilva2",
            "email": "ana2@x.org",
            "place": "Participant 712",
            "canvas": "9002",
        },
    ),
    roster.Person("José", "de la Cruz", {"id": "17", "email": "jose.cruz@x.org", "canvas": "9003"}),
    roster.Person("Bo", "Li", {"email": "bo@x.org", "canvas": "9004"}),
]
PATHS = {
    "José de la Cruz_55_assignsubmission_file_/01_self_attention.ipynb": [2],
    "José de la Cruz_55_assignsubmission_file_01_self_attention.ipynb": [2],
    "Ana Silva_712_assignsubmission_file_/01_self_attention.ipynb": [
        1
    ],  # the number tells which Ana
    "Ana Silva_55_assignsubmission_file_/01_self_attention.ipynb": [0, 1],
    "delacruzjosé_9003_1234_01_self_attention.ipynb": [2],
    "delacruzjosé_LATE_9003_1234_01_self_attention-2.ipynb": [2],
    "silvaana_9002_1234_01_self_attention.ipynb": [1],
    "silvaana_9003_1234_01_self_attention.ipynb": [
        0,
        1,
        2,
    ],  # name and number contradict each other
    "submitted/asilva/lecture1/01_self_attention.ipynb": [0],
    "asilva2/01_self_attention.ipynb": [1],
    "in/after/asilva2/01_self_attention.ipynb": [1],  # one of several collections side by side
    "jose.cruz/01_self_attention.answers.json": [2],
    "01_self_attention (Bo Li).ipynb": [3],
    "01_self_attention (Bo Li) (1).ipynb": [3],
    "01_self_attention (Ana Silva, 2026002).ipynb": [1],  # as an exam's sheets are called
    "01_self_attention.answers (Li Bo).json": [3],
    "01_self_attention_jose_de_la_cruz.ipynb": [2],
    "Bo Li.zip": [3],
    "José de la Cruz.tar.gz": [2],
    "01_self_attention (Bo Li).html": [3],
    "week 17/17/01_self_attention (17).ipynb": [],  # a small number names nobody
    "Ana/01_self_attention.ipynb": [],
    "asilva/01_self_attention (Bo Li).ipynb": [0, 3],
    "01_self_attention.ipynb": [],
}


@pytest.mark.parametrize("path", PATHS)
def test_a_file_is_whose_folder_or_name_says_so(path):
    assert [
        PEOPLE.index(person) for person in roster.whose(Path(path), PEOPLE, report.course())
    ] == PATHS[path]


def test_who_may_have_handed_in_is_not_said_to_be_absent(tmp_path):
    people = [
        roster.Person("Ana", "Silva", {"id": "17"}),
        roster.Person("Ana", "Silva", {"id": "18"}),
    ]
    row = Row("01_self_attention (Ana Silva).ipynb", NAME, "softmax", "", "correct", "", "", "")
    group = grades.Class(tmp_path, [row], [*people, roster.Person("Bo", "Li")], report.course())
    assert [work.absent for work in group.students] == [False, False, True]
    remarks = [
        line[-1] for line in grades.Gradebook(group.students, report.course(), {}).overview()
    ]
    assert remarks[1:] == [roster.SEVERAL, roster.SEVERAL, roster.ABSENT]


def test_who_handed_in_no_notebook_but_another_file_is_not_said_to_be_absent(tmp_path):
    people = [roster.Person(name, "Li") for name in ("Ana", "Bo", "Cy", "Di")]
    for file in ("Ana Li/work.zip", "Ana Li/.DS_Store", "Bo Li/my_transformer.py", "all.zip"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    (tmp_path / "Cy Li").mkdir()
    (tmp_path / "Cy Li" / f"{NAME}.answers.json").write_text(json.dumps(said()))
    group = grades.Class(tmp_path, [], people, report.course())
    lines = list(grades.Gradebook(group.students, report.course(), {}).overview())
    assert [line[-1] for line in lines[1:]] == [
        "no notebook: work.zip",
        roster.ABSENT,
        "no notebook",
        roster.ABSENT,
    ]
    assert group.strangers == []


def test_a_download_that_was_not_unpacked_is_no_class_of_absent_students(tmp_path, capsys):
    (tmp_path / "moodle.zip").touch()
    with pytest.raises(SystemExit, match="without a notebook in it: nothing was written"):
        report.main([str(tmp_path), "--out", str(tmp_path / "table.csv"), "--no-sandbox"])
    assert "not read: 1 (moodle.zip). What is packed has to be" in capsys.readouterr().err


CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,01_self_attention (77),Final Score
    Points Possible,,,,,9,(read only)
"Cruz, José",9003,s-3,jdc,T1,,
"Student, Test",9999,,0a1b,T1,,
"""
ROSTERS = {
    "canvas": (CANVAS, [("José", "Cruz", "9003", "jdc", "")]),
    "moodle": (
        '\ufeff"First name","Last name","Email address",Groups\nJosé,"de la Cruz",j@x.org,"A, B"\n',
        [("José", "de la Cruz", "", "", "j@x.org")],
    ),
    "moodle's worksheet": (
        "Identifier,Full name,Email address,Status\nParticipant 12,José Cruz,j@x.org,-\n",
        [("José", "Cruz", "", "", "j@x.org")],
    ),
    "by hand": ("name;id\nJosé Cruz;4711\n\n", [("José", "Cruz", "4711", "", "")]),
    "a hub's": ("login\njdc\n", [("", "jdc", "", "jdc", "")]),
}


@pytest.mark.parametrize("kind", ROSTERS)
def test_rosters_are_read_as_they_are_exported(tmp_path, kind):
    text, people = ROSTERS[kind]
    (tmp_path / "r.csv").write_text(text, encoding="utf-8")
    found, header = roster.read(tmp_path / "r.csv")
    assert [(p.first, p.last, p.id, p.login, p.email) for p in found] == people
    if kind == "canvas":
        work = grades.Work(found[0])
        work.add(Row("f.ipynb", NAME, "softmax", "gap", "correct", "", "", ""))
        book = grades.Gradebook([work], report.course(), {"softmax": 1.5})
        assert list(book.canvas(header))[::2] == [
            ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "01_self_attention (77)"],
            ["Cruz, José", "9003", "s-3", "jdc", "T1", "1.5"],
        ]


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "name\n", "\x00"])
def test_what_is_no_roster_is_said_in_one_sentence(tmp_path, text):
    (tmp_path / "r.csv").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match="wanted a"):
        roster.read(tmp_path / "r.csv")


# What students clicked.


def test_answers_are_read_and_other_editions_known(tmp_path):
    path = tmp_path / f"{NAME}.answers.json"
    path.write_text(json.dumps(said(open="x" * 2000)))
    assert answers.read(path)["predictions"] == {"neighbour": "A"}
    path.write_text(json.dumps(said(questions=1, quiz=[])))
    with pytest.raises(answers.OtherEdition):
        answers.read(path)


HOSTILE = {
    "nothing": b"",
    "no JSON": b"{",
    "deep": b"[" * 60_000,
    "a list": b"[]",
    "too long": b" " * (64 << 10) + b"{}",
    "bytes": b"\xff\xfe",
    "a number of a thousand digits": (
        json.dumps(said()).replace(str(fingerprint(NAME)), "9" * 5000).encode()
    ),
    **{
        f"{key}: {value!r:.30}": json.dumps(said(**{key: value})).encode()
        for key, value in [
            ("more", 1),
            ("notebook", "../../etc/passwd"),
            ("notebook", ["x"]),
            ("questions", True),
            ("questions", "1"),
            ("predictions", []),
            ("predictions", {"no such": "A"}),
            ("predictions", {"neighbour": "E"}),
            ("predictions", {"neighbour": ["A"]}),
            ("predictions", {"neighbour": "AB"}),
            ("quiz", []),
            ("quiz", {}),
            ("quiz", [["A"]] * 99),
            ("quiz", [["Z"]] * len(said()["quiz"])),
            ("quiz", ["AB"] * len(said()["quiz"])),
            ("quiz", [["A"] * 21] * len(said()["quiz"])),
            ("quiz", [[{}]] * len(said()["quiz"])),
            ("open", "x" * 2001),
            ("open", None),
            ("open", [SCRIPT]),
        ]
    },
}


@pytest.mark.parametrize("what", HOSTILE)
def test_any_other_file_of_answers_is_one_line_of_the_table(tmp_path, what):
    (tmp_path / f"{NAME}.answers.json").write_bytes(HOSTILE[what])
    read, rows = grades.answers_below(tmp_path)
    assert read == {}
    assert [(row.status, row.file) for row in rows] == [("unreadable", f"{NAME}.answers.json")]
    assert len(rows[0].message) < 200


def test_one_notebook_becomes_gradescope_s_results(tmp_path):
    path = tmp_path / f"{NAME}.ipynb"
    notebook(path, "copied")
    report.main(
        [
            str(path),
            "--gradescope",
            str(tmp_path / "results.json"),
            *([] if reports.SHUT_IN else ["--no-sandbox"]),
        ]
    )
    results = json.loads((tmp_path / "results.json").read_text())
    assert set(results) == {"score", "output", "tests"}
    assert results["score"] == 2 == sum(test["score"] for test in results["tests"])
    assert sum(test["max_score"] for test in results["tests"]) == 8
    assert [test["output"] for test in results["tests"] if test.get("visibility") == "hidden"] == [
        "calls the course's own: attention.softmax"
    ]

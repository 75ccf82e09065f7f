"""What to say next: an idea is counted once a student, wherever it showed."""

import re
import tomllib

import pytest
from exporting import plans
from grading import class_page, grades, ideas, report
from grading.tables import Row
from helpers import ROOT

from course_utils.cards.questions import LETTERS, files, fingerprint, load
from course_utils.exercises import EXERCISES

LECTURES = list(files("predictions"))
COURSE = {name: names for name, names in report.course().items() if name in LECTURES}
NAME = "03_scaling"
IDEA = "variance taken for standard deviation"


def letter_of(kind, key, begins):
    """The letter under which an option is shown."""
    options = ideas.questions(NAME)[kind, key][1]
    return LETTERS[next(i for i, option in enumerate(options) if option["text"].startswith(begins))]


def answers(predictions=None, quiz=None):
    clicked = [[] for _ in load("quizzes", NAME)]
    for i, letters in (quiz or {}).items():
        clicked[i] = letters
    return {
        "notebook": NAME,
        "questions": fingerprint(NAME),
        "predictions": predictions or {},
        "quiz": clicked,
        "open": "my own words",
    }


def student(mistake="", **said):
    work = grades.Work("a path")
    if mistake:
        work.add(Row("a.ipynb", NAME, "scaled_attention", "gap", "wrong", mistake, "", ""))
    work.answers[NAME] = answers(**said)
    return work


def seen(students, **more):
    return ideas.seen(NAME, COURSE[NAME], students, class_page.what_to_say, **more)


@pytest.mark.parametrize("notebook", LECTURES)
def test_the_table_names_what_is_there_and_each_once(notebook):
    found = ideas.joined(notebook)  # raises for what is not there, or stands twice
    assert all(mark[1] in COURSE[notebook] for mark in found if mark[0] == "check")


def test_every_idea_of_the_table_is_of_a_lecture_and_joins_several_places():
    rows = tomllib.loads(ideas.TABLE.read_text(encoding="utf-8"))["idea"]
    assert {row["lecture"] for row in rows} == {name[:2] for name in LECTURES}
    assert [row["name"] for row in rows if len(row["checks"] + row["options"]) < 2] == []
    assert all("?" in row["ask"] for row in rows)


@pytest.mark.parametrize(
    ("line", "replaced"),
    [("scaled_attention: divided by d_k", "scaled_attention: divided by d"), ("√d", "√e")],
)
def test_a_table_that_names_nothing_is_refused(monkeypatch, tmp_path, line, replaced):
    text = ideas.TABLE.read_text(encoding="utf-8").replace(f'"{line}"', f'"{replaced}"')
    table = tmp_path / "ideas.toml"
    table.write_text(text, encoding="utf-8")
    monkeypatch.setattr(ideas, "TABLE", table)
    ideas.joined.cache_clear()
    with pytest.raises(ValueError, match=r"ideas.toml"):
        ideas.joined(NAME)
    ideas.joined.cache_clear()


def test_a_student_counts_once_for_an_idea_wherever_it_showed():
    root = letter_of("quiz", 1, "It uses a root")
    everywhere = student("divided by d_k", predictions={"variance": "A"}, quiz={1: [root]})
    one = seen([everywhere, student(predictions={"variance": "A"}), student()])[0]
    assert one.idea.name == IDEA
    assert one.size == (2, 0)
    assert one.words == "1 in the check, 2 in a prediction, 1 in the quiz"


def test_votes_and_the_exam_are_counted_beside_what_was_handed_in():
    root = LETTERS.index(letter_of("quiz", 1, "It uses a root"))
    quiz = [[0] * 4, [0] * 4]
    quiz[0][root] = 4  # of the same hands
    variance = [[9, 0, 0, 0], [5, 20, 0, 0]]
    votes = {"notebook": NAME, "votes": {"variance": variance, "quiz_2": quiz}}
    exam = [(f"{n}.ipynb", "scaled_attention", "divided by d_k") for n in (1, 2, 3, 3)]
    exam.append(("1.ipynb", "softmax", "wrong axis"))
    two = [(f"{n}.ipynb", "scaled_attention", "multiplied instead of divided") for n in (1, 2)]
    assert seen([], exam=two) == []  # what so few chose is not the class's
    found = seen([student("multiplied instead of divided")], votes=[votes], exam=exam)
    assert [(one.idea.name, one.size) for one in found] == [
        (IDEA, (3, 5)),  # on three sheets of the exam, and in the last vote
        ("multiplied instead of divided", (1, 0)),
    ]
    assert found[0].words == "5 in one vote, 3 gave its name to another mistake in the exam"


def test_the_page_on_reports_says_from_how_many_sheets_an_exam_counts():
    said = re.search(r"from (\w+) sheets", (ROOT / "teaching" / "reports.md").read_text("utf-8"))[1]
    assert said == {2: "two", 3: "three", 4: "four"}[ideas.EXAM_LEAST]


def test_of_the_votes_come_only_lectures_of_which_something_came_in():
    votes = [
        {"notebook": name, "votes": {key: [[0] * 4, [9] * 4]}}
        for name, key in ((NAME, "variance"), ("05_multi_head_attention", "one_head"))
    ]
    course = {NAME: COURSE[NAME], "05_multi_head_attention": []}
    page = class_page.wall_page([student()], course, votes)
    assert page.count("9 in one vote") == class_page.LARGEST
    assert "05 " not in page
    assert "in one vote" not in class_page.wall_page([], course, votes)


def test_quiz_votes_count_under_the_letters_that_were_shown():
    letter = letter_of("quiz", 1, "It uses a root")
    counts = [0] * 4
    counts[LETTERS.index(letter)] = 7
    votes = {"notebook": NAME, "votes": {"quiz_2": [counts, [0] * 4]}}
    assert [(one.idea.name, one.size) for one in seen([], votes=[votes])] == [(IDEA, (0, 7))]


def test_right_answers_show_no_idea():
    right = {
        key: LETTERS[next(i for i, o in enumerate(q["options"]) if o.get("right"))]
        for key, q in load("predictions", NAME).items()
    }
    assert seen([student(predictions=right)]) == []
    assert "everybody was right" in class_page.wall_page([student(predictions=right)], COURSE)
    assert "No notebook of a lecture came in." in class_page.wall_page([], COURSE)


def test_a_slip_without_a_question_is_not_on_the_wall():
    students = [student("unknown name"), student("unknown name"), student("divided by d_k")]
    page = class_page.wall_page(students, COURSE)
    assert "unknown name" not in page
    assert "idea 1 of 1" in page
    assert "unknown name" in class_page.details_page(students, COURSE, {})


def test_the_wall_has_the_three_largest_and_no_words_of_students():
    students = [
        student("divided by d_k"),
        student("divided by d_k"),
        student("divided by √T of the keys"),
        student("multiplied instead of divided"),
        student("scaled after softmax"),
    ]
    page = class_page.wall_page(students, COURSE)
    assert page.count("<section") == class_page.LARGEST
    assert page.index(IDEA) < page.index("multiplied instead of divided")
    assert "my own words" not in page
    assert "my own words" in class_page.details_page(students, COURSE, {})


def test_the_wall_says_in_which_part_of_the_lecture_an_idea_was_asked():
    page = class_page.wall_page([student(predictions={"variance": "A"})], COURSE)
    heading = "How large is a dot product?"
    assert f"Asked in {heading} (slide {plans.read(NAME).slides[heading]})" in page
    page = class_page.wall_page([student("divided by d_k")], COURSE)
    assert "Asked in Exercise 1: <code>scaled_attention</code> (slide " in page


def test_the_question_whose_votes_are_counted_is_named_first():
    asked = {"variance": [[0] * 4, [5, 0, 0, 0]], "quiz_2": [[0] * 4, [0] * 4]}
    letter = letter_of("quiz", 1, "It uses a root")
    asked["quiz_2"][1][LETTERS.index(letter)] = 7
    vote = {"notebook": NAME, "votes": asked}
    page = class_page.wall_page([student(predictions={"variance": "A"})], COURSE, [vote])
    slide = plans.read(NAME).slides["Quiz"]
    assert "7 in one vote</p>" in page
    assert f"Asked in Quiz (slide {slide}), question 2" in page


def test_a_wrong_option_is_not_shown_as_if_it_were_true():
    """In quotes, below a line that says so; a mistake or an idea of the table has a name."""
    wrong = ideas.questions(NAME)["quiz", 0][1]
    letter, text = next((LETTERS[i], o["text"]) for i, o in enumerate(wrong) if not o.get("right"))
    assert ("quiz", 0, letter) not in ideas.joined(NAME)
    page = class_page.wall_page([student(quiz={0: [letter]})], COURSE)
    head = page.partition("<h2>")
    assert "Chosen, and not right:" in head[0]
    assert head[2].startswith(f"“{text}”</h2>")
    reading = ideas.idea_of(("check", "which_root_03", "by 8"), NAME, lambda *_: "By what?")
    assert reading == ideas.Idea("by 8", "By what?", said=True, reading="which_root_03")
    work = grades.Work("a path")
    note = EXERCISES["note_03"]
    wrong = {text for text, _ in note.options} - {note.options[LETTERS.index(note.right)][0]}
    option = min(text for text in wrong if ("check", "note_03", text) not in ideas.joined(NAME))
    work.add(Row("a.ipynb", NAME, "note_03", "reading", "wrong", option, "", ""))
    assert "1 in the check: <code>note_03</code>" in class_page.wall_page([work], COURSE)
    assert "not so" not in class_page.wall_page([student("divided by d_k")], COURSE)


def test_the_table_of_an_exam_is_read_and_another_one_refused(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("file,exercise,chosen\na,softmax,wrong axis\nb,softmax,\n", encoding="utf-8")
    assert ideas.read_exam(table) == [("a", "softmax", "wrong axis")]
    table.write_text("file,exercise\na,softmax\n", encoding="utf-8")
    with pytest.raises(ValueError, match="exam.py grade"):
        ideas.read_exam(table)


def test_an_exam_may_ask_what_a_notebook_only_offers():
    """`softmax_jacobian` stands in a sentence of 10, without a cell of its own."""
    exam = [(f"sheet {i}", "softmax_jacobian", "ones on the diagonal") for i in range(3)]
    found = ideas.seen("10_how_it_learns", [], [], class_page.what_to_say, exam=exam)
    assert [one.counts["exam"] for one in found] == [3]

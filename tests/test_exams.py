"""Exams: every question has one right answer, found twice; a sheet is graded by its own stored key;
nobody's kept function answers one, and nothing in an exam's room does."""

import contextlib
import csv
import functools
import inspect
import itertools
import json
import os
import re
import subprocess
import sys
import warnings

import exam_laws
import exam_solvers
import nbformat
import numpy as np
import pytest
from exam_solvers import arrays
from helpers import NOTEBOOKS, ROOT, notebook, run_directly
from nbformat.v4 import new_code_cell, new_notebook

from course_utils import attention, layers, positions, tokens
from course_utils.diagnosis.questions import SETUP, Choice, Code, Numbers, from_data, to_data
from course_utils.exercises import EXERCISES

sys.path.insert(0, str(ROOT / "scripts"))
sys.path.insert(0, str(ROOT / "teaching"))
import exam
from exporting import student
from grading import bank, exam_grades, exams, hidden, report, roster, sheets
from grading import mistake_questions as mistakes

SHUT_IN = bool(report.sandbox())
SANDBOX = [] if SHUT_IN else ["--no-sandbox"]
# Of every kind of question about every exercise. 300 take half an hour: set COURSE_EXAM_SEEDS=300
# when a kind was changed.
SEEDS = range(int(os.environ.get("COURSE_EXAM_SEEDS", 3)))
LECTURES = list(bank.LECTURES)
TWISTS = [name for name in EXERCISES if EXERCISES[name].shape in ("gap", "build")]
WAYS = [(name, way) for name in EXERCISES for way in bank.makers(name)]
each_way = pytest.mark.parametrize(("name", "way"), WAYS)


def answered(question, source):
    """What the cell of q01 leaves there."""
    names = {}
    exec(f"{SETUP}\n{source}", names)
    return names["q01"]


# One right answer.


def test_the_bank_holds_every_exercise_at_its_lecture():
    assert all(map(bank.makers, EXERCISES))
    for stem in NOTEBOOKS:
        code = "\n".join(cell.source for cell in notebook(stem).cells if cell.cell_type == "code")
        checked = set(re.findall(r'diagnose\("(\w+)"', code))
        assert checked <= set(bank.LECTURES.get(stem[:2], ())), stem


@each_way
def test_the_key_earns_all_points_and_what_is_wrong_loses_its_share(name, way):
    for seed in SEEDS:
        question = bank.draw(seed, name, way)
        assert question.points > 0 < question.minutes
        answer = answered(question, question.solution("q01"))
        if question.kind == "why":
            assert question.grade(answer) == (None, "to be read")
            assert question.points == len(question.rubric) == len(set(question.rubric))
        else:
            assert question.grade(answer, run_directly) == (question.points, "")
        assert question.grade(answered(question, question.stub("q01")), run_directly) == (
            0,
            "no answer",
        )
        if isinstance(question, Choice):
            assert len(set(question.options)) == 4
            right = [letter for letter in "ABCD" if question.grade(letter) == (question.points, "")]
            assert right == [answer]
        elif isinstance(question, Numbers):
            wanted = np.asarray(question.answer, float)
            for i in range(wanted.size):
                near, wrong = wanted.copy(), wanted.copy()
                near.flat[i] += 0.9 * question.tolerance if question.places else 0
                wrong.flat[i] += 1.1 * question.tolerance if question.places else 1
                assert question.grade(near.tolist())[0] == question.points
                points, said = question.grade(wrong.tolist())
                assert points == round(question.points * (wanted.size - 1) / wanted.size, 2)
                assert "wanted" in said


@each_way
def test_numbers_rounded_as_the_sheet_asks_have_all_points(name, way):
    """And where no decimals are asked for, all numbers of the key are whole."""
    for seed in SEEDS:
        question = bank.draw(seed, name, way)
        if not isinstance(question, Numbers):
            return
        answer = np.asarray(question.answer, float)
        if question.places == 0:
            assert (answer == np.round(answer)).all(), seed
        rounded = np.round(answer, question.places)
        assert question.grade(rounded.tolist()) == (question.points, ""), seed
        typed = " ".join(f"{number:.{question.places}f}" for number in rounded.ravel())
        assert question.grade(exam_grades.typed_answer(question, typed)) == (question.points, "")


@pytest.mark.parametrize("name", [name for name, way in WAYS if way == "variant"])
def test_a_variant_is_solved_a_second_way(name):
    for seed in SEEDS:
        question = bank.draw(seed, name, "variant")
        answer = getattr(exam_solvers, name)(question)
        answer = "ABCD"[question.options.index(answer)] if isinstance(question, Choice) else answer
        assert question.grade(answer, run_directly) == (question.points, ""), (seed, question.task)


@pytest.mark.parametrize("name", TWISTS)
def test_no_kept_function_answers_a_twist(name):
    """Neither the exercise's own function earns a point, nor does one that knows one answer alone
    more than its share."""
    for seed in SEEDS:
        question = bank.draw(seed, name, "variant")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            points = question.grade(EXERCISES[name].reference, run_directly)[0]
        assert points == 0, f"seed {seed}: on some input the twist makes no difference"
        first = question.outputs[0]
        parameters = ", ".join(inspect.signature(question.reference).parameters)
        points, said = question.grade(
            eval(f"lambda {parameters}: first", {"first": first}), run_directly
        )
        assert points <= round(question.points / len(question.inputs), 2)
        assert said.startswith("input 2: ")


@pytest.mark.parametrize("name", TWISTS)
def test_a_twist_notices_every_number_in_it(name):
    """The drawn numbers of its source are no decoration: another seed's function is wrong here."""
    mine, other = (bank.draw(seed, name, "variant") for seed in ("maple", "granite"))
    assert mine.source != other.source
    assert mine.grade(other.reference, run_directly)[0] < mine.points


def other_inputs(name):
    """Arguments of an exercise that its own inputs are not."""
    return [arguments for seed in range(3) for arguments in hidden.inputs(name, seed)]


@pytest.mark.parametrize("name", [name for name, way in WAYS if way == "code"])
def test_code_makes_the_mistake_that_is_right_and_none_of_the_others(name):
    """The printed code is run: on inputs of the exercise and on others it does what the right
    option does; what the other options do, somewhere it does not. No option says all that another
    says."""
    known = mistakes.computing(EXERCISES[name])
    for seed in SEEDS:
        question = bank.draw(seed, name, "code")
        names = {
            "np": np,
            **{
                key: value
                for module in (layers, positions, tokens, attention)
                for key, value in vars(module).items()
                if callable(value)
            },
        }
        exec(re.search(r"```python\n(.*?)```", question.task, re.DOTALL)[1], names)

        def gap(option, inputs, written=names[name]):
            return max(
                mistakes.largest_difference(
                    mistakes.call(written, arguments),
                    mistakes.call(known[option].function, arguments),
                )
                for arguments in inputs
            )

        assert gap(question.answer, [*EXERCISES[name].inputs, *other_inputs(name)]) < 1e-9, seed
        for option in set(question.options) - {question.answer}:
            assert gap(option, EXERCISES[name].inputs) >= mistakes.SHOWN, (seed, option)
            assert not mistakes.both_fit(name, option, question.answer)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mixture_of_experts", "(N, E), (N, E, D)"),
        ("causal_mask", "-> bool (T, T), True = may attend"),
    ],
)
def test_code_says_the_shapes_as_the_exercise_does(name, said):
    first = f"```python\ndef {EXERCISES[name].signature}:  # {said}\n    "
    assert first in bank.draw("maple", name, "code").task
    assert "  #" not in bank.draw("maple", "transformer_block", "code").task  # it says none


@pytest.mark.parametrize("name", [name for name, way in WAYS if way == "numbers"])
def test_numbers_come_of_the_mistake_that_is_right_alone(name):
    """What each of the four gives on the printed numbers: that which is right prints what came, and
    no other does."""
    known = mistakes.computing(EXERCISES[name])
    for seed in SEEDS:
        question = bank.draw(seed, name, "numbers")
        wanted, came = re.findall(
            r"```\n(.*?)\n```", question.task.partition("Wanted:")[2], re.DOTALL
        )
        given = arrays(question)
        arguments = [given[parameter] for parameter in EXERCISES[name].arguments]
        printed = {
            option: mistakes.printed(mistakes.call(known[option].function, arguments).value)
            for option in question.options
        }
        assert [option for option, text in printed.items() if text == came] == [question.answer], (
            seed
        )
        assert (
            mistakes.printed(mistakes.call(EXERCISES[name].reference, arguments).value)
            == wanted
            != came
        )
        assert not any(mistakes.names_overlap(a, b) for a in printed for b in printed if a != b)
        assert not any(
            mistakes.both_fit(name, question.answer, other)
            for other in printed
            if other != question.answer
        )


def test_names_that_may_fit_one_code_are_names_of_the_exercise():
    """A name that has changed is to be changed in scripts/grading/both_fit.json, too."""
    for name, pairs in mistakes.BOTH_FIT.items():
        known = mistakes.computing(EXERCISES[name])
        assert {*pairs, *itertools.chain(*pairs.values())} <= known.keys(), name


def test_what_a_mistake_does_is_said_of_mistakes_that_there_are():
    for name in (name for name, way in WAYS if way == "law"):
        does = getattr(mistakes.exam_of(name), "DOES", {})
        assert does.keys() <= mistakes.computing(EXERCISES[name].exercise).keys(), name


@pytest.mark.parametrize("name", [name for name, way in WAYS if way == "hidden"])
def test_a_mistake_hides_behind_the_right_input_alone(name):
    """Both functions are run on the inputs as they are printed."""
    for seed in SEEDS:
        question, exercise = bank.draw(seed, name, "hidden"), EXERCISES[name].exercise
        mistake = next(
            m
            for m in exercise.mistakes
            if m.name == re.search(r"the mistake \*(.*?)\*\. ", question.task)[1]
        )
        gaps = []
        for option in question.options:
            texts = [text.partition(" = ")[2] for text in option.strip("`").split("`; `")]
            given = [
                (
                    np.array(eval(t.replace("True", "1 == 1").replace("False", "1 == 0")))
                    if t[0] == "["
                    else eval(t)
                )
                for t in texts
            ]
            gaps.append(
                mistakes.largest_difference(
                    *(mistakes.call(f, given) for f in (mistake.function, exercise.reference))
                )
            )
        assert [gap < 1e-9 for gap in gaps].index(True) == question.right
        assert sum(gap >= 0.0199 for gap in gaps) == 3, (seed, gaps)  # seen in two decimals


@functools.cache
def held(name, mistake):
    """[how a law fared, of each law, tried 60 times in its second writing]: True, False, or None
    where it depends."""
    exercise = EXERCISES[name].exercise
    function = mistakes.computing(exercise)[mistake].function if mistake else exercise.reference
    tries = []
    for start in range(60):
        with np.errstate(all="ignore"):
            told = exam_laws.LAWS[name](function, np.random.default_rng(1000 + start))
        row = []
        for law in told:
            with (
                contextlib.suppress(ValueError, IndexError),
                np.errstate(all="ignore"),
            ):  # no such row
                law = law() if callable(law) else law
            row.append(None if callable(law) else bool(law))
        tries.append(row)
    return [column[0] if len(set(column)) == 1 else None for column in zip(*tries, strict=True)]


@pytest.mark.parametrize("name", exam_laws.LAWS)
def test_every_right_function_keeps_every_law_in_both_writings(name):
    assert held(name, "") == [True] * 8
    reference = EXERCISES[name].exercise.reference
    assert [
        mistakes.tried(law, reference, 200) for law in mistakes.exam_of(name).LAWS.values()
    ] == [True] * 8
    assert len(mistakes.verdicts(name)) >= 10


@pytest.mark.parametrize("name", exam_laws.LAWS)
def test_each_mistake_keeps_and_breaks_the_same_laws_in_both_writings(name):
    """Whatever a seed draws: all mistakes and laws that a question may be made of."""
    for mistake, laws in mistakes.verdicts(name).items():
        second = dict(zip(laws, held(name, mistake), strict=True))
        asked = {law: said for law, said in laws.items() if said is not None}
        assert {law: second[law] for law in asked} == asked, mistake


@pytest.mark.parametrize("name", exam_laws.LAWS)
def test_of_four_laws_one_alone_is_broken_as_its_sentence_reads(name):
    for seed in SEEDS:
        question = bank.draw(seed, name, "law")
        assert mistakes.exam_of(name).CONDITIONS in question.text()
        mistake = re.search(r"makes the mistake \*(.*?)\*: ", question.task)[1]
        said = dict(zip(mistakes.exam_of(name).LAWS, held(name, mistake), strict=True))
        assert {option: said[option] for option in question.options} == {
            option: option != question.answer for option in question.options
        }, (seed, mistake)


# Draws.


@each_way
def test_seeds_make_other_questions_and_the_same_seed_the_same(name, way):
    texts = [bank.draw(f"seed {i}", name, way).text() for i in range(8)]
    assert len(set(texts)) >= (1 if way == "why" else 7)
    assert texts[0] == bank.draw("seed 0", name, way).text()


def test_the_right_letter_is_at_every_place():
    assert {bank.draw(seed, "softmax", "code").right for seed in range(40)} == {0, 1, 2, 3}


def test_nothing_of_an_exam_stands_in_the_notebooks():
    cells = [cell for stem in NOTEBOOKS for cell in notebook(stem).cells]
    outputs = [
        output.get("text", output.get("data", {}))
        for cell in cells
        for output in cell.get("outputs", [])
    ]
    stored = "\n".join([*(cell.source for cell in cells), json.dumps(outputs)])
    for seed in ("maple", "7"):
        for name, way in WAYS:
            question = bank.draw(seed, name, way)
            assert question.task not in stored
            if isinstance(question, Code):
                assert question.source.replace("def answer", "") not in stored
            if isinstance(question, Numbers) and np.size(question.answer) > 2:
                assert str(np.round(question.answer, 2).tolist()) not in stored


# Which questions.


def test_nothing_is_asked_about_what_was_not_set():
    for picks in (
        exams.choose_balanced("maple", ["09", "10"], 75, without=["softmax_jacobian"]),
        exams.choose_all("maple", ["10"], without=["softmax_jacobian"]),
        exams.choose_homework("maple", "10", without=["softmax_jacobian"]),
    ):
        assert picks
        assert "softmax_jacobian" not in {pick.exercise for pick in picks}


@pytest.mark.parametrize("lectures", [LECTURES, ["01", "02", "03"]], ids=["all", "three"])
@pytest.mark.parametrize("paper", [False, True], ids=["computers", "paper"])
def test_an_exam_of_75_minutes_is_balanced(lectures, paper):
    """Full, no lecture left out, no kind with more than half of the time or none of it."""
    for seed in SEEDS:
        picks = exams.choose_balanced(seed, lectures, 75, paper)
        questions = [pick.draw(seed) for pick in picks]
        assert 70 <= sum(question.minutes for question in questions) <= 75
        per_lecture = [
            sum(q.minutes for p, q in zip(picks, questions, strict=True) if p.lecture == one)
            for one in lectures
        ]
        assert min(per_lecture) > 0
        assert max(per_lecture) <= 75 / len(lectures) + 12  # by one long question at most
        kinds = {"number", "choice", "why"} | (set() if paper else {"code"})
        per_kind = {kind: sum(q.minutes for q in questions if q.kind == kind) for kind in kinds}
        assert sum(per_kind.values()) == sum(question.minutes for question in questions)
        assert min(per_kind.values()) >= 5
        # by one choice at most: the last of 18 lectures get what fits (of 600 exams a few have 40
        # to 42 minutes of one kind, and one has 43)
        assert max(per_kind.values()) <= 75 / 2 + 6
        assert len({(pick.exercise, pick.way) for pick in picks}) == len(picks)


def test_without_minutes_every_exercise_of_the_notebooks_is_asked_once():
    picks = exams.choose_all("maple", LECTURES)
    code = "".join(cell.source for stem in NOTEBOOKS for cell in notebook(stem).cells)
    assert [pick.exercise for pick in picks] == [
        name for names in bank.LECTURES.values() for name in names if f'diagnose("{name}"' in code
    ]
    assert not {"catch_beam_step", "which_root_03"} & {pick.exercise for pick in picks}


@pytest.mark.parametrize("lecture", LECTURES)
def test_homework_has_four_to_six_questions_of_its_lecture(lecture):
    (sheet,) = exams.make_sheets("Homework", "maple", exams.choose_homework("maple", lecture))
    assert 4 <= len(sheet.items) <= 6
    assert {item.exercise for item in sheet.items} <= set(bank.LECTURES[lecture])
    assert len({item.question.task for item in sheet.items}) == len(sheet.items)


def test_variants_ask_the_same_with_other_numbers():
    made = exams.make_sheets(
        "Exam", "maple", exams.choose_balanced("maple", ["03", "04"], 40), variants=5
    )
    assert len({sheet.id for sheet in made}) == 5
    assert {
        tuple(
            (item.exercise, item.question.kind, item.question.points, item.question.minutes)
            for item in sheet.items
        )
        for sheet in made
    } == {
        tuple(
            (item.exercise, item.question.kind, item.question.points, item.question.minutes)
            for item in made[0].items
        )
    }
    for items in zip(*(sheet.items for sheet in made), strict=True):
        assert items[0].question.kind == "why" or len({item.text for item in items}) >= 4


def test_variants_show_other_code_while_an_exercise_has_other_mistakes():
    pick = exams.Pick("05", "split_heads", "code")
    n = len(mistakes.readable("split_heads"))
    made = exams.make_sheets("Exam", "maple", [pick], variants=n + 4)
    answers = [sheet.items[0].question.answer for sheet in made]
    assert len(set(answers[:5])) == 5
    assert len(set(answers)) < len(answers)


# The key that is stored.


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An exam and a homework as the command writes them, with a seed that is nowhere else."""
    made = tmp_path_factory.mktemp("exam")
    exam.main(
        ["--seed", "maple-and-granite", "--lectures", "01-03", "--minutes", "75", "--to", str(made)]
    )
    exam.main(["--seed", "maple-and-granite", "--homework", "13", "--to", str(made)])
    return made


@each_way
def test_a_question_comes_back_from_its_file(name, way):
    question = bank.draw("maple", name, way)
    again = from_data(json.loads(json.dumps(to_data(question))))
    assert (again.text(), again.stub("q01"), again.solution("q01")) == (
        question.text(),
        question.stub("q01"),
        question.solution("q01"),
    )
    answer = answered(question, question.solution("q01"))
    assert again.grade(answer, run_directly)[0] == (None if way == "why" else question.points)


def test_ten_more_known_mistakes_change_no_stored_exam(folder, monkeypatch, tmp_path):
    """New questions come of the longer list; what was handed out is graded as before."""
    key = exams.read_key(folder / "key" / "exam.json")
    choices = [(name, way) for name, way in WAYS if way in ("code", "numbers")]
    before = {
        (name, way): bank.draw("maple-and-granite", name, way).text() for name, way in choices
    }
    caches = [mistakes.outcomes, mistakes.alike, mistakes.readable, mistakes.verdicts, bank.makers]
    for name in {name for name, _ in choices}:
        exercise = EXERCISES[name]
        arguments = ", ".join(exercise.arguments)
        monkeypatch.setattr(exercise, "mistakes", list(exercise.mistakes))
        names = {"reference": lambda *a, right=exercise.reference: np.asarray(right(*a), float)}
        exercise.add_misconceptions(
            [(f"slip number {i}", f"reference({arguments}) * {i + 2}", "Hm?") for i in range(10)],
            names,
        )
    for cache in caches:
        cache.cache_clear()
    try:
        changed = [
            one for one in choices if bank.draw("maple-and-granite", *one).text() != before[one]
        ]
        assert len(changed) > len(choices) / 3  # the test would see it
        for place in ("key", "sheets"):
            (tmp_path / place).mkdir()
            (tmp_path / place / "exam.ipynb").write_bytes(
                (folder / place / "exam.ipynb").read_bytes()
            )
        rows, texts = exam_grades.grade_notebooks(tmp_path, key, SHUT_IN)
    finally:
        for cache in caches:
            cache.cache_clear()
    points = {row.question: row.points for row in rows if row.file == "key/exam.ipynb"}
    (sheet,) = key.values()
    assert points == {
        item.name: None if item.question.kind == "why" else item.question.points
        for item in sheet.items
    }
    assert {row.points for row in rows if row.file == "sheets/exam.ipynb"} == {0}
    assert set(texts) == {
        ("key/exam.ipynb", item.name) for item in sheet.items if item.question.kind == "why"
    }


def test_another_exam_does_not_take_the_place_of_a_stored_key(folder, capsys):
    stored = (folder / "key" / "exam.json").read_bytes()
    with pytest.raises(SystemExit, match="another exam has its key"):
        exam.main(["--seed", "another", "--lectures", "01", "--to", str(folder)])
    assert (folder / "key" / "exam.json").read_bytes() == stored
    exam.main(
        ["--seed", "maple-and-granite", "--homework", "13", "--to", str(folder)]
    )  # the same again is no other


def test_two_students_of_one_name_get_no_sheets(tmp_path):
    picks = [exams.Pick("01", "softmax", "variant")]
    with pytest.raises(ValueError, match="two students"):
        sheets.write(
            tmp_path, "exam", exams.make_sheets("Exam", "maple", picks, ["Ada Silva", "Ada Silva"])
        )
    (odd,) = exams.make_sheets("Exam", "maple", picks, ["Ada/../Silva: x"])
    assert sheets.file_name("exam", odd) == "exam (Ada .. Silva  x)"


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"format": 0, "sheets": []}', '{"format": 1, "sheets": [{}]}']
)
def test_what_is_no_key_is_told_in_a_sentence(tmp_path, text):
    (tmp_path / "exam.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="wanted the key of an exam"):
        exams.read_key(tmp_path / "exam.json")


# The sheets.


def test_a_sheet_says_no_answer_and_the_key_says_all(folder):
    (stored,) = exams.read_key(folder / "key" / "exam.json").values()
    sheet, key = (
        nbformat.read(folder / place / "exam.ipynb", as_version=4) for place in ("sheets", "key")
    )
    nbformat.validate(sheet)
    assert set(sheet.metadata) == {"kernelspec"}
    assert all(not cell.metadata and not cell.get("outputs") for cell in sheet.cells)
    text = "\n".join(cell.source for cell in sheet.cells)
    assert "maple-and-granite" not in text
    for item, asks, answer in zip(stored.items, sheet.cells[2::2], sheet.cells[3::2], strict=True):
        question = item.question
        assert asks.source == item.text
        assert f"({question.points} point" in asks.source
        assert f"about {question.minutes} minutes" in asks.source
        assert answer.source == question.stub(item.name)
        assert asks.source.count("```") == len(
            re.findall(r"^```", asks.source, re.MULTILINE)
        )  # a block begins on a line of its own
        assert question.solution(item.name) not in text
        if isinstance(question, Code):
            assert not any(
                line.strip() in asks.source for line in question.source.strip().splitlines()[1:]
            )
    answers = [cell.source for cell in key.cells if cell.cell_type == "code"][1:]
    assert answers == [item.question.solution(item.name) for item in stored.items]
    for item in stored.items:
        said = sheets.solution(item)
        assert item.question.kind != "why" or all(
            criterion in said for criterion in item.question.rubric
        )


def hand_in(path, sheet, texts=(), **changed):
    """A notebook that answers as the key does, with other sources for some questions. texts: its
    cells of text."""
    sources = {item.name: item.question.solution(item.name) for item in sheet.items} | changed
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = [
        new_code_cell(f'SHEET = "{sheet.id}"\n{SETUP}'),
        *map(nbformat.v4.new_markdown_cell, texts),
        *map(new_code_cell, filter(None, sources.values())),
    ]
    nbformat.write(new_notebook(cells=cells), path)


@pytest.fixture(scope="module")
def homework():
    """A sheet with a question of each kind, and its key."""
    picks = [
        exams.Pick("10", "softmax_slopes", "variant"),
        exams.Pick("10", "softmax_slopes", "code"),
        exams.Pick("01", "note_01", "variant"),
        exams.Pick("03", "note_03", "why"),
    ]
    (sheet,) = exams.make_sheets("Homework", "maple", picks)
    return sheet, {sheet.id: sheet}


def graded(folder, key):
    """({file: {question: (points, remark)}}, texts) of a folder."""
    rows, texts = exam_grades.grade_notebooks(folder, key, SHUT_IN)
    found = {}
    for row in rows:
        found.setdefault(row.file, {})[row.question] = row.points, row.remark
    return found, texts


def test_grading_tells_right_partly_right_open_and_hostile_apart(tmp_path, homework):
    sheet, key = homework
    code, _, numbers, why = sheet.items
    values = list(numbers.question.answer)
    hand_in(tmp_path / "right.ipynb", sheet)
    hand_in(
        tmp_path / "part.ipynb",
        sheet,
        q03=f"q03 = [{values[0]}, 99, {values[2]}]",
        q02="q02 = ...",
        q01=f"""
{code.question.solution("right")}

def q01(scores, slopes):
    return right(scores, slopes) if len(scores) > len(scores[0]) else 0""",
    )
    hand_in(
        tmp_path / "hostile.ipynb",
        sheet,
        q03="raise ValueError",
        q01="def q01(*a):\n    import os; os._exit(0)",
        q02="import os\nos._exit(0)",
        q04="q04 = 7",
    )
    hand_in(tmp_path / "colon.ipynb", sheet, q01="def q01(scores, slopes)\n    return scores")
    (tmp_path / "broken.ipynb").write_text("{", encoding="utf-8")
    found, texts = graded(tmp_path, key)
    points = [item.question.points for item in sheet.items]
    assert [found["right.ipynb"][f"q0{i}"] for i in (1, 2, 3)] == [
        (points[i], "") for i in range(3)
    ]
    assert found["right.ipynb"]["q04"] == (None, "to be read")
    assert texts["right.ipynb", "q04"] == why.question.model
    assert found["part.ipynb"]["q03"][0] == 2  # of 3: two of three numbers
    assert found["part.ipynb"]["q02"] == (0, "no answer")
    assert found["part.ipynb"]["q01"] == (points[0] / 2, "input 2: got shape [()], wanted [(3, 3)]")
    assert [found["hostile.ipynb"][f"q0{i}"][0] for i in (1, 2, 3, 4)] == [0] * 4
    assert found["hostile.ipynb"]["q04"][1] == "got int, wanted text"
    assert found["colon.ipynb"]["q01"] == (0, "its cell stops (SyntaxError)")
    assert found["broken.ipynb"] == {"": (0, "this file is no notebook in UTF-8: ask for it again")}


def test_an_answer_that_lacks_a_name_says_which_cell_stopped_first(tmp_path, monkeypatch, homework):
    monkeypatch.setattr(report, "CELL", (6.0, 20.0))
    sheet, key = homework
    path = tmp_path / "Ada.ipynb"
    hand_in(path, sheet, q02="q02 = 'A'\nwhile True: pass", q03="q03 = np.array([1, 2, 3])")
    notebook = nbformat.read(path, as_version=4)
    setup = notebook.cells[0].source
    notebook.cells[0].source = setup.replace("import numpy", "import torch\nimport numpy")
    nbformat.write(notebook, path)
    look = exam_grades.Grader(path, key, SHUT_IN)
    cause = "An earlier cell stopped with ModuleNotFoundError: No module named 'torch'"
    assert look.earned["q01"][1].startswith("input 1: stops with NameError")
    assert cause in look.earned["q01"][1]
    assert look.earned["q02"] == (0, "its cell ran for too long and was stopped")
    assert look.earned["q03"][1].startswith(f"its cell stops (NameError). {cause}")
    rows = [
        exam_grades.Row("Ada.ipynb", sheet.id, q, "", p, 9, r) for q, (p, r) in look.earned.items()
    ]
    people = [roster.Person("Ada", "")]
    students, _ = exam_grades.by_student(rows, people, key, "homework")
    assert students[1][-1].count(cause) == 1


def test_a_name_that_is_missing_for_another_reason_names_no_other_cell():
    stopped = "its cell ran for too long and was stopped."
    errors = {1: "NameError: a", 2: "ValueError: b"}
    assert report.stopped_before("NameError: a", errors) == ""
    assert report.stopped_before("ValueError: b", errors) == ""
    assert report.stopped_before("NameError", {}) == ""
    said = "An earlier cell ran for too long and was stopped."
    assert report.stopped_before("NameError", {0: stopped}) == said


def test_the_wrong_option_that_was_chosen_is_kept_for_the_class_page():
    question = Choice("Which?", ("wrong axis", "exp missing"), 1, minutes=1, points=1)
    given = ["A", " a ", "B", "C", "", "AB", ..., 7]
    assert [exam_grades.wrong_option(question, one) for one in given] == [
        *["wrong axis"] * 2,
        *[""] * 6,
    ]


def test_a_function_that_is_right_on_half_of_the_inputs_has_half_of_the_points(homework):
    question = bank.draw("maple", "softmax_slopes", "variant")
    first = question.inputs[0][0].shape
    points, said = question.grade(
        lambda scores, slopes: question.reference(scores, slopes) * (scores.shape == first),
        run_directly,
    )
    assert (points, said) == (question.points / 2, "input 2: other numbers")


def test_a_sheet_whose_questions_differ_is_refused_with_a_sentence(tmp_path, homework):
    sheet, key = homework
    (other,) = exams.make_sheets(
        "Homework",
        "granite",
        [exams.Pick("03", item.exercise, "variant") for item in sheet.items[:1]],
    )
    hand_in(tmp_path / "another.ipynb", other)
    hand_in(
        tmp_path / "changed.ipynb",
        sheet,
        texts=[sheet.items[0].text, sheet.items[2].text.replace("vectors", "other vectors")],
    )
    hand_in(tmp_path / "blanks.ipynb", sheet, texts=[sheet.items[0].text.replace("\n", "  \n")])
    nbformat.write(new_notebook(cells=[new_code_cell("q01 = 7")]), tmp_path / "no_line.ipynb")
    found, _ = graded(tmp_path, key)
    assert found["another.ipynb"] == {
        "": (
            0,
            (
                f"refused: it is sheet {other.id}, which this key does not have; it belongs to"
                " another exam"
            ),
        )
    }
    assert found["changed.ipynb"]["q03"] == (0, "refused: its question is not that of the key")
    assert found["changed.ipynb"]["q01"] == (sheet.items[0].question.points, "")
    assert found["blanks.ipynb"]["q01"] == (sheet.items[0].question.points, "")
    assert found["no_line.ipynb"][""][1].startswith("refused: the line SHEET")


def test_a_deleted_question_stands_in_no_sum(tmp_path, homework):
    sheet, key = homework
    hand_in(tmp_path / "ada.ipynb", sheet, q01="")
    assert set(graded(tmp_path, key)[0]["ada.ipynb"]) == {"q02", "q03", "q04"}


def table(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.reader(file))


def test_a_row_a_student_and_points_by_hand(tmp_path, capsys):
    """Sheets of their own, of which one hands in another's; answers in words are read, and their
    points come in."""
    (tmp_path / "students.csv").write_text(
        "name,login\nAda Silva,ada\nBen Okafor,ben\nEwa Cole,ewa\n", encoding="utf-8"
    )
    arguments = [
        "--seed",
        "maple",
        "--lectures",
        "13",
        "--minutes",
        "30",
        "--roster",
        str(tmp_path / "students.csv"),
        "--to",
        str(tmp_path),
    ]
    exam.main(arguments)
    key = exams.read_key(tmp_path / "key" / "exam.json")
    ada, _, ewa = key.values()
    assert [sheet.student for sheet in key.values()] == ["Ada Silva", "Ben Okafor", "Ewa Cole"]
    assert (
        sorted(path.name for path in (tmp_path / "sheets").iterdir())[0] == "exam (Ada Silva).ipynb"
    )
    came = tmp_path / "in"
    hand_in(came / "ada" / "exam (Ada Silva).ipynb", ada)
    hand_in(came / "exam (Ben Okafor).ipynb", ewa, q01="q01 = ...")
    hand_in(came / "exam (Nobody Here).ipynb", ewa)
    nbformat.write(
        new_notebook(cells=[new_code_cell("raise ValueError")]), came / "01_self_attention.ipynb"
    )
    grade = [
        "grade",
        str(came),
        "--key",
        str(tmp_path / "key" / "exam.json"),
        "--roster",
        str(tmp_path / "students.csv"),
        "--to",
        str(tmp_path / "to"),
        *SANDBOX,
    ]
    exam.main(grade)
    assert "left out: 1 of 4 files (01_self_attention.ipynb)" in capsys.readouterr().err
    why = next(item for item in ada.items if item.question.kind == "why")
    rows = table(tmp_path / "to" / "by_hand.csv")
    mine = [row for row in rows if row[:2] == ["ada/exam (Ada Silva).ipynb", why.name]]
    assert [row[2] for row in mine] == list(why.question.rubric)
    assert mine[0][5] == why.question.model
    for row, mark in zip(mine, ["1", "0.5", "0"], strict=True):
        row[4] = mark
    with open(tmp_path / "to" / "by_hand.csv", "w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows(rows)
    exam.main(grade)
    students, strangers = (
        table(tmp_path / "to" / f"{name}.csv") for name in ("students", "not_matched")
    )
    by_name = {row[0]: row for row in students[1:]}
    assert by_name["Ada Silva"][-3:] == [f"{ada.points - 1.5:g}", str(ada.points), ""]
    assert by_name["Ben Okafor"][-1].startswith("the sheet of Ewa Cole; ")
    assert by_name["Ewa Cole"][-1] == "handed in nothing"
    assert strangers[1:] == [
        ["exam (Nobody Here).ipynb", "fits nobody on the roster; it is the sheet of Ewa Cole"]
    ]
    by_hand = tmp_path / "to" / "by_hand.csv"
    for i, said, why_not in [
        (4, "5", "got '5' points"),
        (0, "elsewhere/exam.ipynb", "fit no answer that came in"),
        (4, "0,5", None),
    ]:
        changed = [list(row) for row in rows]
        changed[rows.index(mine[0])][i] = said
        with open(by_hand, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=";").writerows(changed)
        if why_not:
            before = by_hand.read_bytes()
            with pytest.raises(SystemExit, match=why_not):
                exam.main(grade)
            assert by_hand.read_bytes() == before
        else:
            exam.main(grade)
    assert table(tmp_path / "to" / "students.csv")[1][-3] == f"{ada.points - 2:g}"
    by_hand.write_text("name\nAda Silva\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="wanted a table with the columns file"):
        exam.main(grade)
    by_hand.write_text("name\nÁine\n", encoding="latin-1")
    with pytest.raises(SystemExit, match="wanted a CSV in UTF-8"):
        exam.main(grade)


def test_paper_is_graded_by_the_key_of_its_sheet(tmp_path):
    exam.main(
        [
            "--seed",
            "maple",
            "--lectures",
            "01-02",
            "--minutes",
            "40",
            "--paper",
            "--variants",
            "2",
            "--to",
            str(tmp_path),
        ]
    )
    key = exams.read_key(tmp_path / "key" / "exam.json")
    answers = table(tmp_path / "key" / "exam_answers.csv")
    assert [row[1] for row in answers[1:]] == list(key)
    for row, sheet in zip(answers[1:], key.values(), strict=True):
        assert all(item.question.on_paper for item in sheet.items)
        row[0] = f"Student {sheet.variant}"
        for i, item in enumerate(sheet.items, 2):
            solution = item.question.solution("q").removeprefix("q = ")
            row[i] = {"choice": solution.strip('"').lower(), "why": "read"}.get(
                item.question.kind, " ".join(re.findall(r"[-\d.]+", solution)).replace("-", "−")
            )
    answers += [
        ["Other exam", "0123456789", *answers[1][2:]],
        ["Variants swapped", answers[2][1], *answers[1][2:]],
        ["", answers[1][1], *[""] * len(answers[1][2:])],
    ]
    with open(tmp_path / "typed.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(answers)
    rows, texts = exam_grades.grade_paper(tmp_path / "typed.csv", key)
    first, second = key.values()
    for sheet in (first, second):
        assert [row.points for row in rows if row.file == f"Student {sheet.variant}"] == [
            None if item.question.kind == "why" else item.question.points for item in sheet.items
        ]
    assert [row.remark for row in rows if row.file == "Other exam"] == [
        "refused: it is sheet 0123456789, which this key does not have"
    ]
    assert sum(row.points or 0 for row in rows if row.file == "Variants swapped") < first.points / 2
    assert {row.file for row in rows if not row.file} == set()  # a row without answers
    exam.main(
        [
            "grade",
            str(tmp_path / "typed.csv"),
            "--key",
            str(tmp_path / "key" / "exam.json"),
            "--to",
            str(tmp_path / "to"),
        ]
    )
    assert {row[0] for row in table(tmp_path / "to" / "by_hand.csv")[1:]} == {
        file for file, _ in texts
    }


def test_two_rows_of_one_name_from_paper_are_refused(tmp_path, homework):
    typed = tmp_path / "typed.csv"
    typed.write_text("name,sheet,q01\nAna Silva,a,1\nAna Silva,b,2\n", encoding="utf-8")
    with pytest.raises(ValueError, match="several rows for Ana Silva, wanted one row a name"):
        exam_grades.grade_paper(typed, homework[1])


@pytest.mark.parametrize(
    ("typed", "share"),
    [
        ("1 2 3 4", 1),
        ("[[1, 2], [3, 4]]", 1),
        ("1; 2; 3; 4", 1),
        ("[1, 2, 3, 4]", 1),
        ("1 2 - 4", 0.75),
        ("1 ? 3 −", 0.5),
        ("1 2 3", 0),
    ],
)
def test_numbers_are_typed_as_they_stand_on_the_sheet(typed, share):
    question = Numbers("", [[1, 2], [3, 4]], minutes=1, points=4)
    assert question.grade(exam_grades.typed_answer(question, typed))[0] == 4 * share


@pytest.mark.parametrize("name", ["Raj a/l Kumar", "Kumar, Raj a/l", "N/A Ng", "O’Brien (Áine)"])
def test_a_name_typed_from_paper_is_no_path(tmp_path, homework, name):
    sheet, key = homework
    (tmp_path / "students.csv").write_text(f'name\n"{name}"\nAda Silva\n', encoding="utf-8")
    people = roster.read(tmp_path / "students.csv")[0]
    with open(tmp_path / "typed.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [
                ["name", "sheet", "q02"],
                [name, sheet.id, sheet.items[1].question.solution("")[-2], "a cell too many"],
            ]
        )
    rows, _ = exam_grades.grade_paper(tmp_path / "typed.csv", key)
    students, strangers = exam_grades.by_student(rows, people, key, "exam")
    assert strangers[1:] == []
    assert students[1][-3] == str(sheet.items[1].question.points)
    assert students[2][-1] == "handed in nothing"


# The command, and an exam's room.


@pytest.mark.parametrize("text", ["18", "5-20", "x", "03-"])
def test_a_lecture_that_is_none_is_told_in_a_sentence(text, capsys):
    if text == "03-":
        assert exam.lectures_of(text) == ["03"]
        return
    with pytest.raises(SystemExit):
        exam.main(["--seed", "7", "--lectures", text])
    assert f"got {text!r}, wanted lectures from 00 to 17" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "got no --seed"),
        (["--seed", "7", "--minutes", "3"], "wanted 10 or more"),
        (["--seed", "7", "--variants", "2", "--roster", "c.csv"], "got --roster and --variants"),
        (["grade", ".", "--key", "none.json"], "wanted the key of an exam"),
        (["grade", "."], "--key"),
    ],
)
def test_what_is_missing_is_told_and_nothing_is_written(
    arguments, said, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        exam.main([*arguments, "--to", str(tmp_path / "none")])
    assert said in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_two_of_one_name_have_a_sheet_each_and_another_key_grades_nothing(tmp_path):
    (tmp_path / "students.csv").write_text(
        "name,id\nAna Silva,17\nAna Silva,18\nBo Li,19\n", encoding="utf-8"
    )
    make = ["--lectures", "13", "--minutes", "10", "--roster", str(tmp_path / "students.csv")]
    exam.main([*make, "--seed", "maple", "--to", str(tmp_path / "first")])
    exam.main([*make, "--seed", "birch", "--to", str(tmp_path / "second")])
    key = exams.read_key(tmp_path / "first" / "key" / "exam.json")
    assert [sheet.student for sheet in key.values()] == ["Ana Silva, 17", "Ana Silva, 18", "Bo Li"]
    came = tmp_path / "in"
    hand_in(came / "exam (Ana Silva, 18).ipynb", list(key.values())[1])
    hand_in(came / "exam (Ana Silva).ipynb", list(key.values())[2])
    (came / "Bo Li").mkdir()
    (came / "Bo Li" / "exam.zip").touch()

    def grade(which):
        stored = tmp_path / which / "key" / "exam.json"
        roster = ["--roster", str(tmp_path / "students.csv")]
        to = ["--to", str(tmp_path / "to")]
        exam.main(["grade", str(came), "--key", str(stored), *roster, *to, *SANDBOX])

    grade("first")
    students = table(tmp_path / "to" / "students.csv")
    assert [row[4] for row in students[1:]] == ["0", "1", "0"]
    assert students[1][-1] == "a file fits this name and another: see not_matched.csv"
    assert students[3][-1] == "no notebook: exam.zip"
    with pytest.raises(SystemExit, match="nothing was graded or written. refused"):
        grade("second")
    assert table(tmp_path / "to" / "students.csv") == students


@pytest.mark.parametrize(("minutes", "short"), [("75", True), ("20", False)])
def test_who_asks_for_more_minutes_than_there_are_questions_is_told(
    tmp_path, capsys, minutes, short
):
    exam.main(
        ["--seed", "7", "--lectures", "03", "--paper", "--minutes", minutes, "--to", str(tmp_path)]
    )
    told = capsys.readouterr().out
    (sheet,) = exams.read_key(tmp_path / "key" / "exam.json").values()
    line = f"exam: about {sheet.minutes} minutes; these lectures have no more questions.\n"
    assert told.endswith(line) == short
    assert ("no more questions" in told) == short


def test_core_leaves_out_what_stands_below_deeper_and_the_command_says_what_does(tmp_path, capsys):
    make = ["--seed", "7", "--lectures", "06"]
    exam.main([*make, "--to", str(tmp_path / "all")])
    told = capsys.readouterr().out
    said = "exam: 1 question asks what stands below *Deeper*: note_06. --core leaves them out.\n"
    assert said in told
    assert "homework below *Deeper* that the plans set: " in told
    exam.main([*make, "--core", "--to", str(tmp_path / "core")])
    assert "--core" not in capsys.readouterr().out
    (sheet,) = exams.read_key(tmp_path / "core" / "key" / "exam.json").values()
    asked = {item.exercise for item in sheet.items}
    assert asked == {"layer_norm", "rms_norm", "catch_layer_norm", "which_norm_06"}


def test_a_core_that_has_too_few_questions_says_how_many_minutes_it_made(tmp_path, capsys):
    exam.main(
        ["--seed", "7", "--lectures", "15", "--core", "--minutes", "75", "--to", str(tmp_path)]
    )
    told = capsys.readouterr().out
    assert re.search(r"exam: about \d\d minutes; these lectures have no more questions\.\n$", told)


def test_set_is_the_core_and_the_plans_homework_for_all():
    core, home = exam.was_set()
    assert "forward" in core
    assert not core & home
    known = core | home
    assert {"forward", "kv_cache_step", "which_run_11"} <= known  # of 11: its core and homework
    assert {"beam_step", "which_head_11", "softmax_jacobian"} & known == set()
    assert "responsibilities" not in known  # "for those with statistics"
    assert {"which_sum_00", "dequantise_block"} <= known  # named in the plan
    assert known <= set(EXERCISES) - {"catch_beam_step", "which_root_03"}


def test_who_leaves_out_a_function_leaves_out_its_catch():
    assert exam.exercises_of("top_p,note_01") == ["top_p", "note_01", "catch_top_p"]


def test_help_names_the_grading(capsys):
    with pytest.raises(SystemExit, match="0"):
        exam.main(["--help"])
    assert "grade FOLDER" in capsys.readouterr().out


def test_the_command_runs_by_itself(tmp_path):
    command = [
        sys.executable,
        ROOT / "teaching/exam.py",
        "--seed",
        "7",
        "--lectures",
        "01",
        "--to",
        tmp_path,
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stderr == ""
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")) == [
        "key/exam.ipynb",
        "key/exam.json",
        "sheets/exam.ipynb",
    ]


def test_in_an_exam_s_room_a_sheet_runs_and_nothing_names_a_mistake(folder, tmp_path):
    student.main(
        ["--exam-room", str(folder / "sheets" / "exam.ipynb"), "--to", str(tmp_path / "room")]
    )
    room = tmp_path / "room"
    assert [path.name for path in (room / "notebooks").iterdir()] == ["exam.ipynb"]
    text = "\n".join(
        path.read_text(encoding="utf-8")
        for path in room.rglob("*")
        if path.suffix in (".py", ".json", ".toml", ".md")
    )
    known = [m for exercise in EXERCISES.values() for m in getattr(exercise, "mistakes", [])]
    assert [m.name for m in known if len(m.name.split()) > 2 and m.name in text] == []
    assert [m.hint for m in known if m.hint in text] == []
    assert {path.parent.name for path in room.glob("course_utils/*/*.py")} == {"exercises", "start"}
    code = "\n".join(
        cell.source
        for cell in nbformat.read(room / "notebooks" / "exam.ipynb", as_version=4).cells
        if cell.cell_type == "code"
    )
    asked = """
import course_utils
from course_utils.exercises import diagnose
print(diagnose('softmax', attention.softmax), course_utils.__file__)"""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{asked}"],
        cwd=room,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(room)},
    )
    assert (
        done.stdout
        == f"The check is closed during the exam.\nNone {room / 'course_utils' / '__init__.py'}\n"
    )
    with pytest.raises(SystemExit, match="wanted the sheets of an exam"):
        student.main(["--exam-room", str(tmp_path / "nothing"), "--to", str(tmp_path / "other")])

"""What instructors get: an exam whose variants are honest, answered by nobody's kept functions and told by no sheet; derivations that
hold; no word of it in the students' edition."""

import csv
import inspect
import json
import re
import subprocess
import sys

import nbformat
import numpy as np
import pytest
from helpers import NOTEBOOKS, ROOT, mostly, notebook
from nbformat.v4 import new_code_cell, new_notebook

from course_utils.diagnosis.questions import Choice, Code, Numbers
from course_utils.diagnosis.running import run_here
from course_utils.exercises import EXERCISES

sys.path.insert(0, str(ROOT / "scripts"))
sys.path.insert(0, str(ROOT / "teaching"))
import bank
import exam
from bank import mistakes
from exporting import report, student

SHUT_IN = bool(report.sandbox())
SEEDS = ["maple", "granite", "7", "8"]
every_exercise = pytest.mark.parametrize("name", EXERCISES)
TWISTS = [name for name, exercise in EXERCISES.items() if exercise.shape in ("gap", "build")]
every_twist = pytest.mark.parametrize("name", TWISTS)
DERIVATIONS = re.split(r"^(?=## )", (ROOT / "teaching/derivations.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
PROJECTS = re.split(r"^(?=## )", (ROOT / "teaching/projects.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]


def drawn(make, seed):
    return make(np.random.default_rng([ord(c) for c in f"seed {seed}"]))


def test_the_bank_holds_every_exercise_at_its_lecture():
    assert all(map(bank.generators, EXERCISES))
    assert sorted(name for names in bank.LECTURES.values() for name in names) == sorted(EXERCISES)
    for stem in NOTEBOOKS:
        code = "\n".join(cell.source for cell in notebook(stem).cells if cell.cell_type == "code")
        checked = set(re.findall(r'diagnose\("(\w+)"', code))
        assert checked <= set(bank.LECTURES.get(stem[:2], ())), stem


@every_exercise
def test_two_seeds_make_two_questions(name):
    for make in bank.generators(name):
        made = [drawn(make, seed) for seed in range(8)]
        assert len({q.text for q in made}) == 8
        assert len({(q.text, str(q.answer)) for q in made if not isinstance(q, Code)}) in (0, 8)
        if isinstance(made[0], Code):
            assert len({q.source for q in made}) == 8


@every_exercise
def test_the_same_seed_makes_the_same_question_and_its_key_is_right(name):
    for make in bank.generators(name):
        question, again = drawn(make, "maple"), drawn(make, "maple")
        assert question.text == again.text
        names = {}
        exec(f"{exam.SETUP}\n{question.solution('q01')}", names)
        assert question.check(names["q01"], run_here) == (True, "")
        exec(f"{exam.SETUP}\n{question.stub('q01')}", names)
        assert not question.check(names["q01"], run_here)[0]


@pytest.mark.parametrize("n", mostly([12, 30], [12]))
def test_hardly_two_seeds_share_a_question(n):
    """Where numbers are drawn from so many, chance makes a pair or two alike; the bank as a whole hardly ever."""
    drawn_texts = {name: [bank.draw(f"seed {i}", name).text for i in range(n)] for name in EXERCISES}
    shared = {name: n - len(set(texts)) for name, texts in drawn_texts.items()}
    assert max(shared.values()) <= 2
    assert sum(shared.values()) <= 0.01 * n * len(EXERCISES)


@every_twist
def test_no_kept_function_answers_a_twist(name):
    """Neither the exercise's own function, nor one that gives the twist's answer to its first input alone."""
    question = drawn(mistakes.exam_of(name).variant, "granite")
    assert not question.check(EXERCISES[name].reference, run_here)[0]
    first = question.reference(*question.inputs[0])
    parameters = inspect.signature(question.reference).parameters
    table = eval(f"lambda {', '.join(parameters)}: first", {"first": first})
    assert not question.check(table, run_here)[0]


@every_twist
def test_a_twist_notices_every_number_in_it(name):
    """The drawn numbers of its source are no decoration: another seed's function is wrong here."""
    mine, other = (drawn(mistakes.exam_of(name).variant, seed) for seed in ("maple", "granite"))
    assert mine.source != other.source
    assert not mine.check(other.reference, run_here)[0]


@every_exercise
def test_options_differ_and_one_alone_is_right(name):
    for make in bank.generators(name):
        for seed in range(6):
            question = drawn(make, seed)
            if isinstance(question, Choice):
                assert len(set(question.options)) == 4
                assert [question.check("ABCD"[i])[0] for i in range(4)].count(True) == 1


def test_the_right_letter_is_at_every_place():
    letters = [drawn(make, seed).right for make in bank.generators("softmax")[1:] for seed in range(30)]
    assert set(letters) == {0, 1, 2, 3}


@pytest.mark.parametrize("name", [name for name in EXERCISES if hasattr(mistakes.exam_of(name), "try_laws")])
def test_laws_hold_for_the_right_function(name):
    laws = mistakes.kept(name, EXERCISES[name].exercise.reference)
    assert len(laws) == 8
    assert all(laws.values())
    assert len(mistakes.broken(name)) >= 5


# The key's answers, computed once more in the plainest way, from the numbers that stand in the question's text.

def given(question):
    """The arrays that stand in a question's block of code, by name."""
    names = {"np": np}
    exec(re.search(r"```python\n(.*?)```", question.text, re.DOTALL).group(1), names)
    return names


def rounded(question, answer):
    return question.check(answer) == (True, "")


def exps(row):
    """Softmax by a loop."""
    powers = [np.e ** (x - max(row)) for x in row]
    return [p / sum(powers) for p in powers]


@pytest.mark.parametrize("seed", range(5))
def test_readings_by_hand(seed):
    make = lambda name: drawn(mistakes.exam_of(name).variant, seed)                                  # noqa: E731
    q = make("note_01")
    (a, b), (c, d) = given(q)["X"]
    assert rounded(q, [a * a + b * b, a * c + b * d, 1 / (1 + np.e ** (a * c + b * d - a * a - b * b))])
    q = make("which_shape_02")
    T_q, _, T_kv, _, _, d_k, _, _, _, d_v = map(int, re.findall(r"\d+", re.sub(r"W_\w", "W", q.task))[:10])
    assert rounded(q, [T_q, d_k, T_q, T_kv, T_q, d_v])
    q = make("note_02")
    i = int(re.search(r"token (\d)", q.task).group(1))
    Q, K, V = (given(q)[x] for x in "QKV")
    w = exps([sum(x * y for x, y in zip(Q[i], k, strict=True)) for k in K])
    assert rounded(q, [sum(w[j] * V[j][0] for j in range(3)), sum(w[j] * V[j][1] for j in range(3)), w[i]])
    q = make("note_06")
    rows = [[(x - sum(row) / 3) / (sum((y - sum(row) / 3) ** 2 for y in row) / 3) ** 0.5 for x in row] for row in given(q)["X"]]
    assert rounded(q, [sum(row[j] for row in rows) / 3 for j in range(3)])
    q = make("which_load_09")
    G = given(q)["G"]
    share = [sum(row[e] == max(row) for row in G) / 6 for e in range(3)]
    assert rounded(q, [*share, 3 * sum(share[e] * sum(G[:, e]) / 6 for e in range(3))])
    q = make("note_12")
    word = re.search("“(.*?)”", q.task).group(1)
    text = " ".join(map(str, word.encode()))
    for k, (x, y) in enumerate(eval(re.search(r"257, …: (\[.*?\])\.", q.task).group(1))):
        text = re.sub(rf"(?<!\d){x} {y}(?!\d)", str(256 + k), text)
    assert rounded(q, [len(word), len(word.encode()), len(text.split()), int(text.split()[0])])
    q = make("note_13")
    H, H_kv, d, T = (int(re.search(p, q.task).group(1)) for p in (r"has (\d+) heads", r"and (\d+) of keys", r"(\d+) features", r"sees (\d+) tokens"))
    assert rounded(q, [H * T, H_kv * d * T * 2, H * T, H * d * T * 2])
    q = make("which_position_08")
    n = q.answer
    row = [float(x) for x in re.search(r"\[(.*?)\]", q.task).group(1).split(",")]
    c = int(re.search(r"turns (\d+) times", q.task).group(1))
    fits = [i for i in range(90) if np.allclose([np.sin(i), np.cos(i), np.sin(i / c), np.cos(i / c)], row, atol=0.0051)]
    assert fits == [n]


@pytest.mark.parametrize("seed", range(5))
def test_twists_by_hand(seed):
    """Three functions written anew from the words of the task, in loops."""
    q = drawn(mistakes.exam_of("softmax").variant, seed)
    base = float(re.search(r"powers of ([\d.]+) in", q.task).group(1))

    def columns(scores):
        weights = np.zeros(scores.shape)
        for j in range(scores.shape[1]):
            powers = [base ** (x - scores[:, j].max()) for x in scores[:, j]]
            weights[:, j] = np.array(powers) / sum(powers)
        return weights
    assert q.check(columns, run_here) == (True, "")

    q = drawn(mistakes.exam_of("causal_mask").variant, seed)
    back, prefix, every = (int(re.search(p, q.task).group(1)) for p in (r"the (\d+) right before", r"first (\d+) tokens", r"Tokens 0, (\d+),"))

    def mask(T):
        return np.array([[i - back <= j <= i or j < prefix or (j <= i and j % every == 0) for j in range(T)] for i in range(T)])
    assert q.check(mask, run_here) == (True, "")

    q = drawn(mistakes.exam_of("reply").variant, seed)
    room = int(re.search(r"into (\d+) tokens", q.task).group(1))

    def fit(start, turns):
        n = max(n for n in range(len(turns) + 1) if len(start) + sum(map(len, turns[len(turns) - n:])) <= room)
        return start + [token for turn in turns[len(turns) - n:] for token in turn]
    assert q.check(fit, run_here) == (True, "")


@pytest.mark.parametrize("name", [name for name in TWISTS if mistakes.small(name)])
def test_a_slip_seen_in_numbers_is_the_only_one_of_the_four(name):
    """Of the four mistakes that are offered only the right one gives what came, run anew on what stands in the question."""
    question = drawn(lambda rng: mistakes.in_numbers(name, rng), "maple")
    came = re.search(r"Came:\n\n```\n(.*?)\n```", question.task, re.DOTALL).group(1)
    names, exercise = given(question), EXERCISES[name]
    arguments = [names[parameter] for parameter in inspect.signature(exercise.reference).parameters]
    shown = {}
    for option in question.options:
        function = next(m.function for m in exercise.mistakes if m.name == option)
        shown[option] = mistakes._shown(function(*arguments))
    assert shown[question.answer] == came
    assert list(shown.values()).count(came) == 1


# The sheets.

@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An exam and a homework as the command writes them, with a seed that is nowhere else."""
    made = tmp_path_factory.mktemp("exam")
    exam.main(["--seed", "maple-and-granite", "--to", str(made)])
    exam.main(["--seed", "maple-and-granite", "--homework", "12", "--to", str(made)])
    return made


def test_the_exam_has_a_question_for_every_exercise_and_no_answer(folder):
    sheet, key = (nbformat.read(folder / f"{name}.ipynb", as_version=4) for name in ("exam", "exam_key"))
    nbformat.validate(sheet)
    items = exam.exam("maple-and-granite", list(bank.LECTURES))
    assert [item.exercise for item in items] == [name for names in bank.LECTURES.values() for name in names]
    assert len(sheet.cells) == len(key.cells) == 2 + 2 * len(items)
    assert set(sheet.metadata) == {"kernelspec"}
    assert all(not cell.metadata and not cell.get("outputs") for cell in sheet.cells)
    text = (folder / "exam.ipynb").read_text(encoding="utf-8")
    assert "maple-and-granite" not in text
    for item, asks, answer in zip(items, sheet.cells[2::2], sheet.cells[3::2], strict=True):
        assert answer.source.endswith("...")
        assert asks.source.count("```") == len(re.findall(r"^```", asks.source, re.MULTILINE))         # a block of code begins on a line of its own
        question = item.question
        assert question.solution(item.name) not in text
        assert not any(f"`{name}`" in asks.source.partition("\n")[0] for name in EXERCISES)
        if isinstance(question, Code):
            body = question.source.strip().splitlines()[1:]
            assert not any(line.strip() in asks.source for line in body)
        if isinstance(question, Numbers) and np.size(question.answer) > 1:
            assert str(np.round(question.answer, 2).tolist()) not in asks.source


def test_nothing_of_an_exam_stands_in_the_notebooks():
    cells = [cell for stem in NOTEBOOKS for cell in notebook(stem).cells]
    outputs = [output.get("text", output.get("data", {})) for cell in cells for output in cell.get("outputs", [])]
    stored = "\n".join([*(cell.source for cell in cells), json.dumps(outputs)])
    for seed in SEEDS:
        for item in exam.exam(seed, list(bank.LECTURES)):
            question = item.question
            assert question.task not in stored
            if isinstance(question, Code):
                assert question.source.replace("def answer", "") not in stored
            if isinstance(question, Numbers) and np.size(question.answer) > 2:
                assert str(np.round(question.answer, 2).tolist()) not in stored


@pytest.mark.parametrize("lecture", bank.LECTURES)
def test_homework_has_four_to_six_questions_of_its_lecture(lecture):
    items = exam.homework("maple", lecture)
    assert 4 <= len(items) <= 6
    assert {item.exercise for item in items} <= set(bank.LECTURES[lecture])
    assert len({item.question.text for item in items}) == len(items)


def test_part_of_an_exam_asks_the_same_as_the_whole():
    whole = {item.exercise: item.question.text for item in exam.exam("maple", list(bank.LECTURES))}
    part = exam.exam("maple", exam.lectures_of("03-04,12"))
    assert {item.lecture for item in part} == {"03", "04", "12"}
    assert all(whole[item.exercise] == item.question.text for item in part)


@pytest.mark.parametrize("text", ["15", "5-20", "x", "03-"])
def test_a_lecture_that_is_none_is_told_in_a_sentence(text, capsys):
    if text == "03-":
        assert exam.lectures_of(text) == ["03"]
        return
    with pytest.raises(SystemExit):
        exam.main(["--seed", "7", "--lectures", text])
    assert f"got {text!r}, wanted lectures from 00 to 14" in capsys.readouterr().err


def test_without_a_seed_nothing_is_written(tmp_path, capsys):
    with pytest.raises(SystemExit):
        exam.main(["--to", str(tmp_path / "none")])
    assert "--seed" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


# Grading.

def hand_in(path, items, **changed):
    """A notebook that answers as the key does, with other sources for some questions."""
    sources = {item.name: item.question.solution(item.name) for item in items} | changed
    nbformat.write(new_notebook(cells=[new_code_cell(exam.SETUP), *map(new_code_cell, sources.values())]), path)


def test_grading_tells_right_wrong_open_and_hostile_apart(tmp_path):
    items = exam.homework("maple", "03")
    code = next(item.name for item in items if isinstance(item.question, Code))
    first, second = [item.name for item in items if item.name != code][:2]
    hand_in(tmp_path / "right.ipynb", items)
    hand_in(tmp_path / "mixed.ipynb", items, **{
        first: f"{first} = ...", second: "raise ValueError", code: f"def {code}(*a):\n    import os; os._exit(0)"})
    (tmp_path / "broken.ipynb").write_text("{", encoding="utf-8")
    rows = exam.grade(tmp_path, items, SHUT_IN)
    points = {file: sum(row[3] for row in rows if row[0] == file) for file in ("right.ipynb", "mixed.ipynb", "broken.ipynb")}
    lost = sum(item.points for item in items if item.name in (first, second, code))
    assert points == {"right.ipynb": (whole := sum(i.points for i in items)), "mixed.ipynb": whole - lost, "broken.ipynb": 0}
    said = {row[1]: row[5] for row in rows if row[0] == "mixed.ipynb"}
    assert said[first] == said[second] == "no answer"
    assert said[code]


def test_a_row_a_student_and_course_notebooks_are_left_out(tmp_path, capsys):
    sheets, items = tmp_path / "in", exam.homework("maple", "12")
    whole = sum(item.points for item in items)
    first = items[0].name
    for place in ("01_self_attention.ipynb", "ada/12_tokens.ipynb"):
        (sheets / place).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(new_notebook(cells=[new_code_cell("raise ValueError")]), sheets / place)
    hand_in(sheets / "ada" / "homework_12.ipynb", items)
    hand_in(sheets / "homework_12 (Ben Okafor).ipynb", items, **{first: f"{first} = ..."})
    hand_in(sheets / "homework_12 (Nobody Here).ipynb", items)
    (tmp_path / "students.csv").write_text("name,login\nAda Silva,ada\nBen Okafor,ben\nEwa Cole,ewa\n", encoding="utf-8")
    exam.main(["grade", str(sheets), "--seed", "maple", "--homework", "12", "--roster", str(tmp_path / "students.csv"), "--to", str(tmp_path / "to"),
               *([] if SHUT_IN else ["--no-sandbox"])])
    students, strangers = (list(csv.reader((tmp_path / "to" / f"{name}.csv").open(encoding="utf-8-sig"))) for name in ("students", "not_matched"))
    assert students[0][-2] == f"total (of {whole})"
    assert [(row[0], row[4], row[-2], row[-1]) for row in students[1:]] == [
        ("Ada Silva", "1", str(whole), ""), ("Ben Okafor", "1", str(whole - items[0].points), ""), ("Ewa Cole", "0", "0", "handed in nothing")]
    assert strangers[1:] == [["homework_12 (Nobody Here).ipynb", "fits nobody on the roster"]]
    assert "left out: 2 of 5 files (01_self_attention.ipynb, ada/12_tokens.ipynb)" in capsys.readouterr().err


def test_a_deleted_question_stands_in_no_sum(tmp_path):
    items = exam.homework("maple", "12")
    hand_in(tmp_path / "ada.ipynb", items[1:])
    assert sum(row[4] for row in exam.grade(tmp_path, items, SHUT_IN)) == sum(item.points for item in items[1:])


def test_help_names_the_grading(capsys):
    with pytest.raises(SystemExit, match="0"):
        exam.main(["--help"])
    assert "grade FOLDER" in capsys.readouterr().out


def test_an_exam_that_is_not_filled_in_has_no_point(folder, tmp_path):
    (tmp_path / "Ana.ipynb").write_bytes((folder / "homework_12.ipynb").read_bytes())
    rows = exam.grade(tmp_path, exam.homework("maple-and-granite", "12"), SHUT_IN)
    assert {row[5] for row in rows} == {"no answer"}
    assert sum(row[3] for row in rows) == 0 < sum(row[4] for row in rows)


# Derivations and projects.

@pytest.mark.parametrize("text", DERIVATIONS, ids=lambda text: text.partition("\n")[0].strip("# "))
def test_a_derivation_holds(text):
    assert re.findall(r"^### (\w+)", text, flags=re.MULTILINE) == ["Task", "Hints", "Solution", "Check"]
    checks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(checks) == 1
    assert "assert" in checks[0]
    exec(checks[0], {})


def test_tasks_of_derivations_come_without_solutions(capsys):
    exam.main(["--derivations"])
    told = capsys.readouterr().out
    for text in DERIVATIONS:
        assert text.partition("\n")[0] in told
        solution = text.partition("### Solution")[2]
        assert not any(line in told for line in solution.splitlines() if len(line) > 20)
        assert text.partition("### Hints\n")[2].splitlines()[1] not in told


def test_projects_have_what_a_project_needs():
    assert len(PROJECTS) == 3
    for text in PROJECTS:
        assert re.findall(r"^### (.*)", text, flags=re.MULTILINE) == [
            "The question", "Milestones", "Pitfalls", "What a good claim looks like", "Hand in", "Rubric", "Tried"]
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]
        (_, *levels), _, *criteria = rows
        assert levels == ["0", "2", "4", "5"]
        assert 4 <= len(criteria) <= 5
        assert all(len(row) == 5 and all(row) for row in criteria)


# Students get none of it.

def test_the_students_edition_has_nothing_of_it(tmp_path):
    student.write(tmp_path / "student")
    paths = [path for path in (tmp_path / "student").rglob("*") if path.is_file()]
    assert not any("teaching" in path.relative_to(tmp_path).parts for path in paths)
    exams = (ROOT / "course_utils/exercises").glob("*/exam.py")
    ours = {path.read_bytes() for path in [*(ROOT / "teaching").rglob("*"), *exams] if path.suffix in (".py", ".md")}
    assert len(ours) >= 80
    assert not ours & {path.read_bytes() for path in paths}
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths if path.suffix in (".py", ".md", ".ipynb", ".toml"))
    for words in ("teaching/exam.py", "powers of e. Scores may be several", DERIVATIONS[0].splitlines()[0]):
        assert words not in text


def test_the_command_runs_by_itself(tmp_path):
    command = [sys.executable, ROOT / "teaching/exam.py", "--seed", "7", "--lectures", "01", "--to", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stderr == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["exam.ipynb", "exam_key.ipynb"]

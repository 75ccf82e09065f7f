"""From sheets that came back to points: each is graded by its own stored key.

Cells run in the report's process, shut in; answers come over as numbers, and functions are called
there. Judged is here.
"""

import collections
import re
import sys
import time
from pathlib import Path

import numpy as np

from course_utils.cards.questions import LETTERS
from course_utils.diagnosis.questions import NO_ANSWER
from course_utils.diagnosis.running import Failure
from grading import report, roster, tables

COLUMNS = ["file", "sheet", "question", "exercise", "points", "of", "remark", "chosen"]
# points: None where a person has to read the answer; chosen: the text of a wrong option
Row = collections.namedtuple("Row", COLUMNS, defaults=[""])
BY_HAND = ["file", "question", "criterion", "of", "points", "answer"]
# the report's process hands over what reaches the check of an exercise; this name carries all
# answers
CARRIER = "row_sums"
HAND_OVER = (
    "from course_utils.exercises import diagnose as _hand_over; _hand_over({carrier!r}, {name})"
)
SHEET = re.compile(r"""^SHEET\s*=\s*["'](\w+)["']""", re.MULTILINE)
LONGEST = 6000  # characters of an answer in words that its reader gets
TOO_LONG = "the notebook ran for too long"


class Refused(ValueError):  # noqa: N818
    """A sheet that this key cannot grade."""


def sheet_of(cells, key):
    """The stored Sheet that a notebook says it is; None where it is no sheet at all. Raises Refused
    with a sentence."""
    code = "\n".join(cells)
    said = SHEET.findall(code)
    if not said:
        if re.search(r"^(def )?q\d\d\b", code, re.MULTILINE):
            raise Refused(
                "refused: the line SHEET = … is gone, so nobody can say whose key it needs"
            )
        return None
    if said[-1] not in key:
        raise Refused(
            f"refused: it is sheet {said[-1]}, which this key does not have; it belongs to another "
            f"exam"
        )
    return key[said[-1]]


def changed_questions(texts, sheet):
    """The names of the questions whose text in the notebook is not that of the key."""
    stored = {item.name: item.text.split() for item in sheet.items}
    found = [(re.match(r"\W*(q\d\d)\.", text), text.split()) for text in texts]
    return {match[1] for match, words in found if match and words != stored.get(match[1])}


class Grader:
    """One look at a notebook. sheet: the stored Sheet that it is, or None; asked: the questions
    whose names stand in its code; earned: {question: (points, remark)}."""

    def __init__(self, path, key, shut_in):
        self.sheet, self.items, self.asked, self.left_out, self.earned = None, (), set(), set(), {}
        self.chosen = {}  # {question: the text of the wrong option that was chosen}
        self.stopped = {}  # {cell: report.why_stopped}
        self.end, self.cells = time.monotonic() + report.NOTEBOOK, None
        while self.cells is None or len(self.earned) < len(self.items):
            with report.Student(shut_in, self.end) as student:
                if self.cells is None:
                    self._read(path, key, student)
                if not self.sheet:
                    return
                if time.monotonic() > self.end:
                    self.earned = {item.name: (0, TOO_LONG) for item in self.items} | self.earned
                elif self._run_cells(student):
                    self._grade(student)

    def _read(self, path, key, student):
        """Read the notebook, find its sheet, and refuse questions whose text is another now."""
        self.cells = report.read(path, student)
        self.sheet = sheet_of(self.cells, key)
        if self.sheet:
            self.items = self.sheet.items
            self.asked = set(re.findall(r"\bq\d\d\b", "\n".join(self.cells)))
            changed = changed_questions(report.read(path, student, "texts"), self.sheet)
            refused = "refused: its question is not that of the key"
            self.earned = {item.name: (0, refused) for item in self.items if item.name in changed}

    def _run_cells(self, student):
        """Run the notebook. False where a cell ended the process: it is left out the next time."""
        for i, source in enumerate(self.cells):
            if i in self.left_out:
                continue
            told = self._ask(student, {"run": source})
            if isinstance(told, Failure) or "error" in told:
                self.stopped[i] = report.why_stopped(told)
            if isinstance(told, Failure):
                self.left_out.add(i)
                return False
        return True

    def _ask(self, student, order):
        """The answer to an order. A check that the student's own cells call is let go on."""
        told = student.ask(order, *report.CELL)
        while isinstance(told, dict) and "reached" in told and order.get("run") in self.cells:
            told = student.ask({"go on": None}, *report.CELL)
        return told

    def _grade(self, student):
        for item in self.items:
            if item.name not in self.earned:
                told = self._ask(
                    student, {"run": HAND_OVER.format(carrier=CARRIER, name=item.name)}
                )
                self.earned[item.name] = self._points(student, item, told)
                if student.ended:
                    return

    def _points(self, student, item, told):
        """(points, remark) of what came for a question."""
        is_its = re.compile(rf"^\s*(def )?{item.name}\b", re.MULTILINE).search
        own = [i for i, source in enumerate(self.cells) if is_its(source)]
        before = {i: why for i, why in self.stopped.items() if own and i < own[-1]}
        if isinstance(told, Failure) or "reached" not in told:
            error = next((self.stopped[i] for i in reversed(own) if i in self.stopped), "")
            if error.startswith("its cell "):
                return 0, error.removesuffix(".")
            missing = isinstance(told, dict) and told.get("error") == "NameError"
            if missing and not error:
                return 0, NO_ANSWER
            said = f"its cell stops ({error.partition(':')[0]})" if error else "its cell stops"
            return 0, with_cause(said, report.stopped_before(error, before))
        try:
            if "value" in told:
                given = report.unpack(told["value"])
                points, said = item.question.grade(given)
                self.chosen[item.name] = wrong_option(item.question, given)
                said = given if points is None else said  # whoever reads it needs the text
            else:
                given = report.Answer(student, CARRIER)
                points, said = item.question.grade(given, given.run)
        except Exception as error:  # what came was made by hand, so as to be no answer
            student.stop()
            return 0, f"cannot be read ({type(error).__name__})"
        if not student.ended:
            student.ask({"go on": None}, *report.CELL)
        if "stops with NameError" in (said or "") and item.question.kind == "code":
            said = with_cause(said, report.stopped_before("NameError", before))
        return points, said


def with_cause(said, cause):
    """A remark, and behind it which cell stopped before."""
    return f"{said}. {cause}" if cause else said


def wrong_option(question, given):
    """The text of the option that was chosen, where it is a wrong one; else nothing."""
    letter = given.strip().upper() if isinstance(given, str) else ""
    if question.kind != "choice" or letter not in list(LETTERS[: len(question.options)]):
        return ""
    chosen = LETTERS.index(letter)
    return "" if chosen == question.right else question.options[chosen]


def look_at(path, folder, key, shut_in):
    """(Rows of a notebook, {question: text of an answer that a person has to read}, the questions
    that it asks).

    No rows where it is no sheet.
    """
    file = path.relative_to(folder).as_posix()
    try:
        look = Grader(path, key, shut_in)
    except (OSError, ValueError) as error:
        return [Row(file, "", "", "", 0, 0, str(error))], {}, set()
    rows, texts = [], {}
    for item in look.items:
        points, said = look.earned[item.name]
        if points is None:
            texts[item.name], said = said, "to be read"
        rows.append(
            Row(
                file,
                look.sheet.id,
                item.name,
                item.exercise,
                points,
                item.question.points,
                said,
                look.chosen.get(item.name, ""),
            )
        )
    return rows, texts, look.asked


def grade_notebooks(folder, key, shut_in):
    """(Rows of each sheet below a folder, {(file, question): text to be read}). What is no sheet is
    left out, and said.

    A question that stands on none of the sheets was deleted before they were handed out, and is
    left out, too.
    """
    paths = tables.found(folder, "*.ipynb")
    looks = list(report.of_each(look_at, paths, folder, key, shut_in))
    others = [
        path.relative_to(folder).as_posix()
        for path, (rows, *_) in zip(paths, looks, strict=True)
        if not rows
    ]
    if others:
        print(
            f"No sheet, and left out: {len(others)} of {len(paths)} files ({', '.join(others[:3])}"
            f"{', …' * (len(others) > 3)})",
            file=sys.stderr,
        )
    asked = set().union(*(names for *_, names in looks))
    rows = [row for rows, *_ in looks for row in rows if not row.question or row.question in asked]
    return rows, {
        (rows[0].file, name): text for rows, texts, _ in looks for name, text in texts.items()
    }


# Paper: what was typed from the answer sheets.


def grade_paper(path, key):
    """(Rows, {(name, question): text to be read}) of a table with a row a student: name, sheet, and
    an answer a question.

    Numbers are parted by spaces or semicolons, brackets do not count, and - or ? stands for one
    that is missing. For an answer in words its text is typed, or any word: its points are given by
    hand. A row without answers is of nobody who was there. Raises ValueError where two rows have
    one name.
    """
    rows, texts = [], {}
    lines = tables.read(path)
    names = collections.Counter(line.get("name") for line in lines)
    several = [name for name, n in names.items() if name and n > 1]
    if several:
        raise ValueError(
            f"got {path} with several rows for {', '.join(several[:5])}, wanted one row a"
            " name: delete one, or write the number behind, such as Ana Silva, 20296"
        )
    for line in lines:
        line = {column: (typed or "").strip() for column, typed in line.items()}
        name, sheet = line.pop("name", ""), line.pop("sheet", "").lower()
        if not any(line.values()):
            continue
        if sheet not in key:
            rows.append(
                Row(
                    name,
                    sheet,
                    "",
                    "",
                    0,
                    0,
                    f"refused: it is sheet {sheet}, which this key does not have",
                )
            )
            continue
        for item in key[sheet].items:
            typed = line.get(item.name, "")
            points, said = item.question.grade(typed_answer(item.question, typed))
            if points is None:
                texts[name, item.name], said = typed, "to be read"
            chosen = wrong_option(item.question, typed)
            rows.append(
                Row(
                    name,
                    sheet,
                    item.name,
                    item.exercise,
                    points,
                    item.question.points,
                    said,
                    chosen,
                )
            )
    return rows, texts


def typed_answer(question, typed):
    """What was typed, as a notebook would have it."""
    if not typed:
        return ...
    if question.kind != "number":
        return typed.rstrip(".)") if question.kind == "choice" else typed
    try:
        numbers = [
            np.nan if part in ("-", "−", "?") else float(part.replace(",", ".").replace("−", "-"))
            for part in re.split(r",?[;\s\[\]]+", typed)
            if part not in ("", ",")
        ]
    except ValueError:
        return typed
    shape = np.shape(question.answer)
    if len(numbers) != np.prod(shape, dtype=int):
        return numbers  # too few or too many: said by the question
    return np.reshape(numbers, shape)


# Answers in words: a person gives the points, criterion by criterion.


def read_marks(path):
    """{(file, question, criterion): points as they were typed} of the table at `path`. Raises
    ValueError with a sentence where something else stands there."""
    lines = tables.read(path) if path.exists() else []
    if lines and not set(BY_HAND) <= set(lines[0]):
        raise ValueError(f"got {path}, wanted a table with the columns {', '.join(BY_HAND)}")
    marks = {
        (line["file"], line["question"], line["criterion"]): (line["points"] or "")
        .strip()
        .replace(",", ".")
        for line in lines
    }
    wrong = [
        f"{mark!r} points for {name} of {file}"
        for (file, name, _), mark in marks.items()
        if mark and not (re.fullmatch(r"\d+(\.\d+)?", mark) and float(mark) <= 1)
    ]
    if wrong:
        raise ValueError(f"{path}: got {'; '.join(wrong[:5])}; wanted a number from 0 to 1 a row")
    return marks


def with_points_by_hand(rows, texts, key, path):
    """The Rows with the points that stand in the table at `path`, which is written anew with what
    is still to be read. Raises ValueError where points fit no answer: none is lost unsaid."""
    given = read_marks(path)
    table, sheets = [BY_HAND], {row.file: key[row.sheet] for row in rows if row.sheet in key}
    points = {}
    for (file, name), text in texts.items():
        question = next(item.question for item in sheets[file].items if item.name == name)
        said = [
            given.pop((tables.safe(file), name, tables.safe(criterion)), "")
            for criterion in question.rubric
        ]
        table += [
            [file, name, criterion, 1, mark, text if i == 0 else ""]
            for i, (criterion, mark) in enumerate(zip(question.rubric, said, strict=True))
        ]
        if all(said):
            points[file, name] = round(sum(map(float, said)), 2)
    lost = [f"{name} of {file}" for (file, name, _), mark in given.items() if mark]
    if lost:
        raise ValueError(
            f"{path}: the points for {'; '.join(dict.fromkeys(lost[:5]))} fit no answer that came "
            f"in; is the file, or the name from paper, still the same? Change the name in its "
            "rows, or delete them if they shall not count"
        )
    tables.write(path, table, most=LONGEST)
    return [
        row._replace(points=points[row.file, row.question], remark="")
        if (row.file, row.question) in points
        else row
        for row in rows
    ]


def by_student(rows, people, key, stem, unread=()):
    """(a table with a row a student, a table of the files that fit nobody or several). Of several
    sheets of one student the best answer to each question counts. unread: files that are no
    notebooks, as roster.unread gives them."""
    names = sorted({row.question for row in rows if row.question})
    got, files, remarks, strangers = (
        {id(person): {} for person in people},
        {id(person): set() for person in people},
        {id(person): [] for person in people},
        {},
    )
    labels, several = roster.labels(people), set()
    for row in rows:
        owner = key[row.sheet].student if row.sheet in key else ""
        who = roster.named(row.file, people) or roster.whose(Path(row.file), people, [stem])
        if len(who) != 1 and owner in labels and owner != labels[owner].full:
            who = [labels[owner]]  # of several with one name the sheet says whose it is
        if len(who) != 1:
            several.update(map(id, who))
            fits = " and ".join(p.full for p in who) or "nobody on the roster"
            strangers[row.file] = f"fits {fits}" + (
                f"; it is the sheet of {owner}" if owner else ""
            )
            continue
        (person,) = who
        if row.file not in files[id(person)]:
            files[id(person)].add(row.file)
            if owner and labels.get(owner) is not person:
                remarks[id(person)].append(f"the sheet of {owner}")
        if row.points is None or "refused" in row.remark or not row.question:
            remarks[id(person)].append(f"{row.question} {row.remark}".strip())
        _, earlier, cause = row.remark.partition(report.EARLIER)
        if earlier and earlier + cause not in remarks[id(person)]:
            remarks[id(person)].append(earlier + cause)
        if row.question:
            best = got[id(person)].get(row.question)
            if best is None or (row.points or 0) > best[0]:
                got[id(person)][row.question] = row.points or 0, row.of
    head = ["name", "id", "email", "login", "files", *names, "total", "of", "remark"]
    table = []
    for person in people:
        mine = got[id(person)]
        missing = roster.SEVERAL if id(person) in several else roster.ABSENT
        if id(person) in unread:
            remarks[id(person)].append(f"{roster.NO_NOTEBOOK}: {', '.join(unread[id(person)])}")
        remark = "; ".join(remarks[id(person)]) or ("" if mine else missing)
        table.append(
            [
                person.full,
                person.id,
                person.email,
                person.login,
                len(files[id(person)]),
                *(f"{mine[name][0]:g}" if name in mine else "" for name in names),
                # nothing that could be graded is no 0: whoever imports it looks at the remark
                f"{sum(points for points, _ in mine.values()):g}" if mine else "",
                sum(of for _, of in mine.values()) if mine else "",
                remark,
            ]
        )
    return [head, *table], [["file", "why"], *strangers.items()]

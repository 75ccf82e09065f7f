"""Five minutes with a student's own kept code: change a line, and say which checks fail.

The changes are drawn from the grammar of slips that the check searches (edits.py), on the student's
own text. Each changed file is run in the report's sandbox through every check that the student has
passed, so the answer is known before it is asked.
"""

import ast
import json
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path

from course_utils.diagnosis.edits import Known, edits_of, undo
from course_utils.diagnosis.student_module import BLOCK, MINE
from course_utils.exercises import EXERCISES
from grading import report

CHANGES, MOST_TRIED = 3, 16
POINTS = (
    "Of 4 points: 1 for what two lines compute, 1 for their shapes; of each of two changes ½ for"
    " the right checks and ½ for the reason."
)
LIKELY = 2  # cost of an edit up to which a student may make it
MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class Change:
    """A changed line of a kept function, and what every check says then: {exercise: Diagnosis}."""

    line: int
    before: str
    after: str
    said: dict

    @property
    def failing(self):
        return [name for name, diagnosis in self.said.items() if diagnosis.status != "correct"]

    @property
    def kind(self):
        """What parts one change from another: which checks fail, and by which name."""
        return tuple((name, self.said[name].mistake) for name in self.failing)


def read_blocks(path: Path) -> dict[str, str]:
    """{exercise: source} of the functions that a student kept. Raises ValueError where there is
    none."""
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path.name} is larger than a megabyte")
    try:
        text = path.read_text(encoding="utf-8")
        ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"{path.name} is no Python in UTF-8 ({error})") from None
    _, *rest = BLOCK.split(text)
    kept = {rest[i]: rest[i + 2].strip() for i in range(0, len(rest), 3) if rest[i + 1] == MINE}
    if not kept:
        raise ValueError(
            f"{path.name} holds no kept function, wanted a student's my_transformer.py"
        )
    for name, source in kept.items():
        if not any(getattr(node, "name", "") == name for node in ast.parse(source).body):
            raise ValueError(f"{path.name} has no function {name} below `# {name}: mine`")
    return kept


def reshapes(tree: ast.AST) -> tuple[int, list[str]]:
    """How many calls of reshape there are, and what has a minus in them, such as −1."""
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "reshape"
    ]
    inside = [node for call in calls for arg in call.args for node in ast.walk(arg)]
    return len(calls), sorted(
        ast.unparse(node)
        for node in inside
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    )


def one_line_changes(source: str, name: str) -> list[tuple[int, str, str, str]]:
    """(line, before, after, the changed source) of each likely slip that changes one line of a
    function."""
    tree = ast.parse(source)
    (function,) = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    before, found = ast.unparse(tree).split("\n"), {}
    n_reshapes, minus = reshapes(tree)
    for edit in edits_of(function, Known()):
        if edit.cost > LIKELY:
            break
        steps = edit.do()
        try:
            changed = ast.unparse(ast.fix_missing_locations(tree))
            n_now, minus_now = reshapes(tree)  # NumPy takes any number below 0 for −1
            other_side = n_now == n_reshapes and minus_now != minus
        finally:
            undo(steps)
        after = changed.split("\n")
        at = [i for i, lines in enumerate(zip(before, after, strict=False)) if lines[0] != lines[1]]
        inverts = changed.count("~") > ast.unparse(tree).count("~")  # nobody writes that
        if len(before) == len(after) and len(at) == 1 and not (inverts or other_side):
            line = before[at[0]].strip(), after[at[0]].strip()
            found.setdefault(changed, (edit.line - function.lineno + 1, *line, changed))
    return list(found.values())


class EachCell(report.Look):
    """A look at a notebook that keeps what the checks say cell by cell: said[i] = {exercise:
    Diagnosis}."""

    def __init__(self, path, shut_in):
        self.said: dict[int, dict] = {}
        super().__init__(path, shut_in, 0)

    def _run(self, student, i, source):
        done = super()._run(student, i, source)
        self.said[i] = {name: found for name, (at, found) in self.diagnoses.items() if at == i}
        return done


def checks_of(modules: list[str], names: list[str], shut_in: bool) -> list[dict]:
    """What the checks of these exercises say of each module's functions: {exercise: Diagnosis}."""
    asked = "\n".join(f"diagnose({name!r}, {name})" for name in names)
    head = "from course_utils.exercises import diagnose\n"
    cells = [
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": f"{module}\n{head}{asked}",
        }
        for module in modules
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "oral.ipynb"
        path.write_text(json.dumps(notebook), encoding="utf-8")
        said = EachCell(path, shut_in).said
    return [said.get(i, {}) for i in range(len(modules))]


def draw_changes(path: Path, name: str, seed: str, shut_in: bool = True) -> list[Change]:
    """Changes of the kept function `name` that the checks answer differently, drawn by a seed:
    first those that make a mistake with a name, and one after which all is still right, if there is
    one.

    Raises ValueError with a sentence where the file, or the function, gives none.
    """
    kept = read_blocks(path)
    if name not in kept:
        raise ValueError(f"got {name!r}, wanted one that is kept: {', '.join(kept)}")
    text = path.read_text(encoding="utf-8")
    names = [one for one in kept if one in EXERCISES]
    possible = one_line_changes(kept[name], name)
    random.Random(f"{seed} {name}").shuffle(possible)
    possible = possible[:MOST_TRIED]
    modules = [text.replace(kept[name], source) for *_, source in possible]
    found = [
        Change(line, before, after, said)
        for (line, before, after, _), said in zip(
            possible, checks_of(modules, names, shut_in), strict=True
        )
        if set(said) == set(names)  # else it ran for too long
    ]
    known = {mistake.name for mistake in EXERCISES[name].mistakes}
    named = [c for c in found if c.failing and c.said[name].mistake in known]
    others = [c for c in found if c.failing and c not in named]
    chosen: list[Change] = []
    for change in [*named, *others]:
        if change.kind not in [other.kind for other in chosen]:
            chosen.append(change)
    harmless = [c for c in found if not c.failing][:1]
    chosen = [*chosen[: CHANGES - len(harmless)], *harmless]
    if not chosen:
        raise ValueError(f"{name}: no change of one line was found in this code")
    return chosen


def card(name: str, source: str, changes: list[Change]) -> str:
    """The oral as Markdown: the code, the questions, and below each its answer."""
    numbered = "\n".join(f"{i:2}  {line}" for i, line in enumerate(source.splitlines(), start=1))
    parts = [
        f"# Five minutes with your own `{name}`",
        f"```text\n{numbered}\n```",
        "1. (1 minute) What does each line compute, and in which shape?",
    ]
    for number, change in enumerate(changes, start=2):
        parts.append(
            f"{number}. Line {change.line} becomes `{change.after}`. Which of your checks fail,"
            " and why?"
        )
    ask = ["Ask two of the three."] if len(changes) == CHANGES else []
    parts += ["## For the assistant: what the checks say", *ask, POINTS]
    for number, change in enumerate(changes, start=2):
        told = [
            f"`{one}`: {found.mistake or found.sentences.removeprefix('Not yet. ')}"
            for one in change.failing
            for found in [change.said[one]]
        ]
        asked = ", ".join(f"`{one}`" for one in change.said)
        answer = "; ".join(told).removesuffix(".") or "none, all is still right"
        parts.append(
            f"{number}. `{change.before}` → `{change.after}`. Which of {asked} fail? {answer}."
        )
    return "\n\n".join(parts) + "\n"

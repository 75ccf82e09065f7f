"""The verdict on an answer, and the help that opens below it."""

import ast
import base64
import functools
import json
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from course_utils.cards.carrier import render_live_html
from course_utils.cards.diagnoses import Contrast, Step, diagnosis_card
from course_utils.cards.questions import reading_page
from course_utils.diagnosis import code_inspection

if TYPE_CHECKING:
    from course_utils.diagnosis.exercise import Catch, Exercise, Reading

# A folder for each exercise, in which its solution may be left out.
EXERCISES = Path(__file__).parents[1] / "exercises"
# In an edition without solutions: what the searches lay beside a student's run.
REFERENCES = EXERCISES / "references.json"

Ladder = tuple[Step, ...]


@dataclass(frozen=True)
class Diagnosis:
    """The verdict on an answer: status "correct", "wrong" or "not attempted", the mistake's name if
    known, and what to say.

    sentences: plain text, code in backticks; printed: what the function printed; ladder: help that
    opens step by step; lines: the lines of the student's function that are spoken of, in order,
    counted from its `def` as 1.
    """

    status: str
    mistake: str | None = None
    sentences: str = ""
    comparison: Contrast | None = None
    printed: str = ""
    ladder: Ladder = ()
    lines: tuple[int, ...] = ()

    @property
    def message(self) -> str:
        """All that is said, as plain text."""
        parts = [self.sentences]
        if self.comparison:
            parts += [
                f"{title}:\n{text}"
                for title, text in zip(Contrast._fields, self.comparison, strict=True)
                if text
            ]
        if self.printed:
            parts += [f"Your function printed:\n{self.printed}"]
        return "\n".join(parts)

    def __repr__(self):
        return self.message

    def _repr_html_(self):
        said = re.sub(
            r"^(?:Right|Not attempted yet|Not yet)(?:: "
            + re.escape(self.mistake or "")
            + r")?\. ?",
            "",
            self.sentences,
        )  # its heading
        words = diagnosis_card(
            self.status, self.mistake, said, self.comparison, self.printed, self.ladder
        )
        # a screen reader says it as it comes
        return render_live_html(words, "spoken", said, self.status)


@dataclass(frozen=True)
class ReadingDiagnosis(Diagnosis):
    """A Diagnosis that shows the question, its options, and what was said to the chosen one."""

    reading: "Reading" = field(kw_only=True)
    chosen: str | None = None

    def __repr__(self):
        options = [
            f"{letter}  {text}"
            for letter, (text, _) in zip(self.reading.letters, self.reading.options, strict=True)
        ]
        return "\n".join(
            [
                *([self.reading.question] if self.status != "not attempted" else []),
                *options,
                self.message,
            ]
        )

    def _repr_html_(self):
        asked = self.reading
        note = self.sentences if self.status == "wrong" and self.chosen is None else ""
        return reading_page(
            asked.name, asked.question, asked.options, asked.right, asked.picture, self.chosen, note
        )


def ladder(exercise: "Exercise | Catch") -> Ladder:
    """Help, in the order in which it opens."""
    return _with_text(
        Step("A nudge", exercise.nudge),
        Step("A skeleton", exercise.skeleton, is_code=True),
        Step("A solution", shown_solution(exercise), is_code=True),
    )


def after_success(exercise: "Exercise | Catch") -> Ladder:
    """What a right answer may be compared with."""
    return _with_text(Step("One way to write it", shown_solution(exercise), is_code=True))


def _with_text(*steps):
    return tuple(step for step in steps if step.text)


def shown_solution(exercise: "Exercise | Catch") -> str:
    """The solution as a notebook shows it: NumPy is there, functions of other exercises are `mine`,
    and the name is the one that its cell checks.

    A student's softmax may take one table only, so a solution calls it table by table; where it
    does, the notebook has the course's softmax, which takes a stack of them.
    """
    text = solution(exercise.name).removeprefix("import numpy as np").strip()
    # a law is given the function
    given = {node.arg for node in ast.walk(ast.parse(text)) if isinstance(node, ast.arg)}
    text, n_stacks = re.subn(
        r"np\.stack\(\[softmax\((\w+)\) for \1 in (\w+)\]\)", r"softmax(\2)", text
    )
    given |= {"softmax"} if n_stacks else set()
    for other in set(re.findall(r"(?<![\w.])(\w+)\(", text)) - {exercise.name} - given:
        if (EXERCISES / other / "solution.py").exists():
            text = re.sub(rf"(?<![\w.]){other}\(", f"mine.{other}(", text)
    called = exercise.kind if exercise.shape == "catch" else exercise.name
    return re.sub(rf"\b{exercise.name}\b", f"my_{called}", text)


def solution(name: str) -> str:
    """The solution of an exercise as source code, "" where it was left out."""
    path = EXERCISES / name / "solution.py"
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def reference_source(name: str) -> str:
    """The written reference of an exercise as source code: its solution; where the solutions were
    left out, from REFERENCES; else ""."""
    if (text := solution(name)) or not REFERENCES.exists():
        return text
    return _packed_references().get(name, "")


@functools.cache
def _packed_references():
    packed = json.loads(REFERENCES.read_text(encoding="utf-8"))
    return {name: zlib.decompress(base64.b64decode(text)).decode() for name, text in packed.items()}


def not_attempted(exercise: "Exercise | Catch", function: object = None) -> Diagnosis:
    """An answer with a gap: what is left to fill in."""
    asked = getattr(exercise, "task", "") or f"Fill in `{exercise.signature}`."
    names, begun = code_inspection.gaps(function)
    if names and begun:  # other lines are written: say what is left
        asked = (
            f"{' and '.join(f'`{name}`' for name in names)} {'is' if len(names) == 1 else 'are'}"
            " still `...`. Fill in what is missing."
        )
    return Diagnosis(
        "not attempted",
        None,
        f"Not attempted yet. {asked} Then run this cell again.",
        ladder=ladder(exercise),
    )


def wrong(
    exercise: "Exercise | Catch",
    sentences: str,
    name: str | None = None,
    comparison: Contrast | None = None,
    printed: str = "",
    lines: Iterable[int] = (),
    after: Iterable[str] = (),
) -> Diagnosis:
    """A wrong answer. after: what is told on *Next*, before the exercise's own help."""
    following = [Step("Next", sentence) for sentence in after]
    said = f"Not yet: {name}. {sentences}" if name else f"Not yet. {sentences}"
    return Diagnosis(
        "wrong", name, said, comparison, printed, (*following, *ladder(exercise)), tuple(lines)
    )

"""The verdict on an answer, and the help that opens below it."""

import ast
import base64
import functools
import json
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_utils.cards.carrier import render_live_html
from course_utils.cards.diagnoses import diagnosis_card
from course_utils.cards.questions import reading_page
from course_utils.diagnosis import code_inspection

EXERCISES = (
    Path(__file__).parents[1] / "exercises"
)  # a folder for each exercise, in which its solution may be left out
REFERENCES = (
    EXERCISES / "references.json"
)  # in an edition without solutions: what the searches lay beside a student's run

Blocks = tuple[str, str, str]  # given, yours, wanted
Ladder = tuple[tuple[str, str, bool], ...]  # title, text, whether it is code


@dataclass(frozen=True)
class Diagnosis:
    """The verdict on an answer: status "correct", "wrong" or "not attempted", the mistake's name if
    known, and what to say.

    sentences: plain text, code in backticks; comparison: (given, yours, wanted) in fixed width,
    given "" where none is shown; printed: what the function printed; ladder: help that opens step
    by step, [(title, text, whether it is code)]; lines: the lines of the student's function that
    are spoken of, in order, counted from its `def` as 1.
    """

    status: str
    mistake: str | None = None
    sentences: str = ""
    comparison: Blocks | None = None
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
                for title, text in zip(("given", "yours", "wanted"), self.comparison, strict=True)
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

    reading: Any = None
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


def ladder(exercise: Any) -> Ladder:
    """Help, in the order in which it opens."""
    steps = [
        ("A nudge", exercise.nudge, False),
        ("A skeleton", exercise.skeleton, True),
        ("A solution", shown_solution(exercise), True),
    ]
    return tuple(step for step in steps if step[1])


def after_success(exercise: Any) -> Ladder:
    """What a right answer may be compared with."""
    return tuple(("One way to write it", text, True) for text in [shown_solution(exercise)] if text)


def shown_solution(exercise: Any) -> str:
    """The solution as a notebook shows it: NumPy is there, functions of other exercises are `mine`,
    and the name is the one that its cell checks.

    A student's softmax may take one table only, so a solution calls it table by table; where it
    does, the notebook has the course's softmax, which takes a stack of them.
    """
    text = solution(exercise.name).removeprefix("import numpy as np").strip()
    given = {
        node.arg for node in ast.walk(ast.parse(text)) if isinstance(node, ast.arg)
    }  # a law is given the function
    text, n_stacks = re.subn(
        r"np\.stack\(\[softmax\((\w+)\) for \1 in (\w+)\]\)", r"softmax(\2)", text
    )
    given |= {"softmax"} if n_stacks else set()
    for other in set(re.findall(r"(?<![\w.])(\w+)\(", text)) - {exercise.name} - given:
        if (EXERCISES / other / "solution.py").exists():
            text = re.sub(rf"(?<![\w.]){other}\(", f"mine.{other}(", text)
    shown_name = f"my_{exercise.name}"
    if exercise.shape == "catch":
        shown_name = f"my_{exercise.kind}"
    return re.sub(rf"\b{exercise.name}\b", shown_name, text)


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


def not_attempted(exercise: Any, function: object = None) -> Diagnosis:
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
    exercise: Any,
    sentences: str,
    name: str | None = None,
    comparison: Blocks | None = None,
    printed: str = "",
    lines: Iterable[int] = (),
    after: Iterable[str] = (),
) -> Diagnosis:
    """A wrong answer. after: what is told on *Next*, before the exercise's own help."""
    following = [("Next", sentence, False) for sentence in after]
    said = f"Not yet: {name}. {sentences}" if name else f"Not yet. {sentences}"
    return Diagnosis(
        "wrong", name, said, comparison, printed, (*following, *ladder(exercise)), tuple(lines)
    )

"""What a question of an exam is: its text, its minutes and points, the cell that a student fills
in, the key's cell, what an answer earns.

A question never knows its own number: a sheet gives each a name, such as q07, which is also the
name of the answer in the notebook.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from course_utils import attention, decoding, experts, layers, positions, quantisation, tokens
from course_utils.diagnosis.running import RunCalls, run, run_trusted
from course_utils.diagnosis.values import agree, arrays_of, as_arrays, describe_type, tolerance_of
from course_utils.diagnosis.worker import pack, unpack

SETUP = """import numpy as np

from course_utils import attention, decoding, experts, layers, positions, quantisation, tokens"""
NAMES = {
    "np": np,
    "attention": attention,
    "decoding": decoding,
    "experts": experts,
    "layers": layers,
    "positions": positions,
    "quantisation": quantisation,
    "tokens": tokens,
}
LETTERS = "ABCD"
NO_ANSWER = "no answer"


def part_of(points: float, right: int, of: int) -> float:
    """The share of the points for so many right parts, to two decimals; a whole number where it is
    one."""
    earned = round(points * right / of, 2)
    return int(earned) if earned == int(earned) else earned


@dataclass(frozen=True)
class Question:
    """What every kind has: the task in Markdown, about how many minutes it takes, and its points.

    kind: number, choice, code or why. on_paper: whether it can be answered without a computer.
    """

    task: str
    minutes: int = field(kw_only=True)
    points: int = field(kw_only=True)
    kind: ClassVar[str]
    on_paper: ClassVar[bool] = True

    @property
    def body(self) -> str:
        """The task with all that stands below it, but for how to answer."""
        return self.task

    def text(self, paper: bool = False) -> str:
        """The question in Markdown, as a notebook or a sheet of paper shows it."""
        return f"{self.body}\n\n*{self.how_to_answer(paper)}*"

    def how_to_answer(self, paper: bool) -> str:
        """A line on the form of the answer."""
        raise NotImplementedError

    def stub(self, name: str) -> str:
        """The source of the cell that a student fills in."""
        return f"{name} = ..."

    def solution(self, name: str) -> str:
        """The source of that cell in the key."""
        raise NotImplementedError

    def grade(self, given: object, run: RunCalls = run) -> tuple[float | None, str]:
        """(the points that an answer earns, a remark); None points where a person has to read
        it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Numbers(Question):
    """A question whose answer is a number, or a list of numbers. Each right number earns its share
    of the points.

    places: decimals that are asked for, 0 for whole numbers, which must be exact.
    """

    answer: Any
    places: int = 0
    kind: ClassVar[str] = "number"

    def how_to_answer(self, paper: bool) -> str:
        size, how = np.shape(self.answer), f"to {self.places} decimals" if self.places else "exact"
        kind = "rows" if len(size) > 1 else "numbers"
        return f"{f'A list of {size[0]} {kind}' if size else 'One number'}, {how}."

    @property
    def tolerance(self) -> float:
        """One and a half of the last place: who rounds on the way by one is still right."""
        return 1.5 * 10.0**-self.places if self.places else 1e-9

    def solution(self, name: str) -> str:
        rounded = np.round(self.answer, self.places + 2) if self.places else np.asarray(self.answer)
        return f"{name} = {rounded.tolist()}"

    def grade(self, given: Any, run: RunCalls = run) -> tuple[float | None, str]:
        if given is ...:
            return 0, NO_ANSWER
        try:
            given = np.asarray(given, dtype=float)
        except (TypeError, ValueError):
            return 0, f"got {type(given).__name__}, wanted numbers"
        wanted = np.asarray(self.answer, dtype=float)
        if given.shape != wanted.shape:
            return (
                0,
                f"got {given.size} numbers in shape {given.shape}, wanted shape {wanted.shape}",
            )
        right = np.abs(given - wanted) <= self.tolerance
        said = f"got {given.tolist()}, wanted {np.round(wanted, self.places).tolist()}"
        return part_of(self.points, int(right.sum()), right.size), "" if right.all() else said


@dataclass(frozen=True)
class Choice(Question):
    """A question answered by a letter. right: the number of the right option; why: what the key
    says of it."""

    options: tuple[str, ...]
    right: int
    why: str = ""
    kind: ClassVar[str] = "choice"

    @property
    def answer(self) -> str:
        return self.options[self.right]

    @property
    def body(self) -> str:
        options = zip(LETTERS, map(_plain, self.options), strict=True)
        return f"{self.task}\n\n" + "\n".join(
            f"- **{letter}** {option}" for letter, option in options
        )

    def how_to_answer(self, paper: bool) -> str:
        return "One letter." if paper else "One letter, in quotes."

    def solution(self, name: str) -> str:
        return f'{name} = "{LETTERS[self.right]}"'

    def grade(self, given: object, run: RunCalls = run) -> tuple[float | None, str]:
        if given is ...:
            return 0, NO_ANSWER
        if isinstance(given, str) and given.strip().upper() == LETTERS[self.right]:
            return self.points, ""
        return 0, f"got {str(given)[:40]!r}, wanted {LETTERS[self.right]}"


@dataclass(frozen=True)
class Code(Question):
    """A function to write. Each input on which it is right earns its share of the points.

    source: a right one, named `answer`. inputs: tuples of arguments that no sheet shows. outputs:
    what a right one gives on each; what `source` gives unless they were stored.
    """

    source: str
    inputs: tuple[tuple[Any, ...], ...]
    outputs: tuple[Any, ...] = ()
    kind: ClassVar[str] = "code"
    on_paper: ClassVar[bool] = False

    def __post_init__(self):
        if not self.outputs:
            reference = self.reference
            given = tuple(run_trusted(reference, arguments).value for arguments in self.inputs)
            object.__setattr__(self, "outputs", given)

    def how_to_answer(self, paper: bool) -> str:
        n = len(self.inputs)
        return f"A function. It is run on {n} hidden inputs; each has its share of the points."

    @property
    def answer(self) -> str:
        return self.source

    @property
    def reference(self) -> Callable[..., Any]:
        """The function that `source` defines."""
        names: dict[str, Any] = dict(NAMES)
        exec(self.source, names)
        return names["answer"]

    def stub(self, name: str) -> str:
        head = next(line for line in self.source.splitlines() if line.startswith("def answer("))
        return self._named(f"{head}\n    return ...", name)

    def solution(self, name: str) -> str:
        return self._named(self.source.strip(), name)

    def grade(self, given: Any, run: RunCalls = run) -> tuple[float | None, str]:
        if given is ...:
            return 0, NO_ANSWER
        if not callable(given):
            return 0, f"got {type(given).__name__}, wanted a function"
        outcomes = run(given, list(self.inputs))
        if outcomes and outcomes[0].value is ...:
            return 0, NO_ANSWER
        said = [
            self._fault(*each) for each in zip(outcomes, self.inputs, self.outputs, strict=False)
        ]
        said += ["stopped before it"] * (len(self.inputs) - len(said))
        faults = "; ".join(f"input {i}: {fault}" for i, fault in enumerate(said, 1) if fault)
        return part_of(self.points, said.count(""), len(said)), faults

    @staticmethod
    def _fault(outcome, arguments, wanted):
        """What is wrong with what came, in a few words, or nothing."""
        if outcome.failure:
            return f"stops with {outcome.failure.type}"
        came, right = as_arrays(outcome.value, wanted), arrays_of(wanted)
        if outcome.type_description or came is None:
            got = outcome.type_description or describe_type(outcome.value)
            return f"got {got}, wanted {describe_type(wanted)}"
        if [a.shape for a in came] != [a.shape for a in right]:
            return f"got shape {[a.shape for a in came]}, wanted {[a.shape for a in right]}"
        return "" if agree(came, right, tolerance_of(arguments)) else "other numbers"

    @staticmethod
    def _named(text, name):
        return re.sub(r"\banswer\b", name, text)


@dataclass(frozen=True)
class Why(Question):
    """A question that asks why, answered in a few sentences and read by a person.

    rubric: what the answer has to say, a point each. model: an answer that says it all.
    """

    rubric: tuple[str, ...]
    model: str
    kind: ClassVar[str] = "why"

    @property
    def answer(self) -> str:
        return self.model

    def how_to_answer(self, paper: bool) -> str:
        return "Two to four sentences" + ("." if paper else ", between the quotes.")

    def stub(self, name: str) -> str:
        return f'{name} = """..."""'

    def solution(self, name: str) -> str:
        return f'{name} = """{self.model}"""'

    def grade(self, given: object, run: RunCalls = run) -> tuple[float | None, str]:
        if not isinstance(given, str) or not given.strip(" .\n"):
            return 0, NO_ANSWER if given is ... or isinstance(
                given, str
            ) else f"got {type(given).__name__}, wanted text"
        return None, "to be read"


KINDS = {cls.kind: cls for cls in (Numbers, Choice, Code, Why)}


def to_data(question: Question) -> dict[Any, Any]:
    """A question as JSON takes it. `from_data` makes it again, whatever became of what drew it."""
    stored = {one.name: pack(getattr(question, one.name)) for one in fields(question)}
    return {"kind": question.kind, **stored}


def from_data(data: dict[Any, Any]) -> Question:
    """The question that `to_data` stored."""
    stored = {name: unpack(value) for name, value in data.items() if name != "kind"}
    return KINDS[data["kind"]](**stored)


def why(task: str, rubric: list[str], model: str) -> Why:
    """A question that asks why: a point for each thing that the answer has to say."""
    return Why(task, tuple(rubric), model, minutes=2 + len(rubric), points=len(rubric))


def _plain(text):
    """A name such as `A * V`, whose signs are not Markdown's."""
    return text if "`" in text else re.sub(r"([*_])", r"\\\1", text)


def shuffled(
    rng: Generator,
    task: str,
    right: str,
    wrong: Iterable[str],
    why: str = "",
    *,
    minutes: int,
    points: int,
) -> Choice:
    """A Choice whose options stand in an order that the seed decides. Options that read alike are
    an error."""
    options = [right, *wrong]
    if len(set(options)) != len(options):
        raise ValueError(f"options: got two that are equal, {options}, wanted all different")
    order = rng.permutation(len(options))
    return Choice(
        task,
        tuple(options[i] for i in order),
        int(np.flatnonzero(order == 0)[0]),
        why,
        minutes=minutes,
        points=points,
    )


def shown(value: Any, places: int = 2) -> str:
    """A table, a row or a number as it stands in a question, ready to be pasted."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        places = min(places, 1) if (value == np.round(value)).all() else places
        return re.sub(
            r"-(0\.0+)(?=[,\]])",
            r"\1",
            np.array2string(
                value, separator=", ", formatter={"float": lambda x: f"{x:.{places}f}"}
            ),
        )
    return np.array2string(value, separator=", ") if isinstance(value, np.ndarray) else repr(value)


def block(**values: Any) -> str:
    """Named values in a block of code, one after the other."""
    lines = []
    for name, value in values.items():
        text = shown(value).replace("\n", "\n" + " " * (len(name) + 3 + 9))
        lines.append(
            f"{name} = np.array({text})" if isinstance(value, np.ndarray) else f"{name} = {value!r}"
        )
    return "```python\n" + "\n".join(lines) + "\n```"


def drawn(rng: Generator, least: float, most: float) -> float:
    """A number of three decimals, the last of them not 0: so many that two seeds hardly share
    one."""
    return round(int(rng.uniform(least, most) * 100) / 100 + int(rng.integers(1, 10)) / 1000, 3)


def close(a: ArrayLike, b: ArrayLike) -> bool:
    """Whether a law's two sides agree: all numbers with one, or in shape and in numbers."""
    return np.shape(b) in ((), np.shape(a)) and bool(np.allclose(a, b, atol=1e-6))

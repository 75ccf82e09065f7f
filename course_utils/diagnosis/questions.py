"""What a question is: its text, the cell that a student fills in, the cell of the key, and its judge.

A question never knows its own number: a sheet gives each a name, such as q07, which is also the name of the answer in the notebook.
"""

import re
from dataclasses import dataclass

import numpy as np

from course_utils import attention, decoding, experts, layers, positions, quantisation, tokens
from course_utils.diagnosis.exercise import Exercise
from course_utils.diagnosis.running import run

SETUP = "import numpy as np\n\nfrom course_utils import attention, decoding, experts, layers, positions, quantisation, tokens"
NAMES = {"np": np, "attention": attention, "decoding": decoding, "experts": experts, "layers": layers, "positions": positions,
         "quantisation": quantisation, "tokens": tokens}
LETTERS = "ABCD"


@dataclass(frozen=True)
class Numbers:
    """A question whose answer is a number, or a list of numbers.

    places: decimals that are asked for, 0 for whole numbers, which must be exact.
    """

    task: str
    answer: object
    places: int = 0

    @property
    def text(self):
        kind = "One number" if np.ndim(self.answer) == 0 else f"A list of {len(self.answer)}" + (" rows" if np.ndim(self.answer) > 1 else " numbers")
        return f"{self.task}\n\n*{kind}, {f'to {self.places} decimals' if self.places else 'exact'}.*"

    @property
    def tolerance(self):
        """One and a half of the last place: who rounds on the way by one is still right."""
        return 1.5 * 10.0**-self.places if self.places else 1e-9

    def stub(self, name):
        return f"{name} = ..."

    def solution(self, name):
        return f"{name} = {np.round(self.answer, self.places + 2).tolist() if self.places else np.asarray(self.answer).tolist()}"

    def check(self, given, run=run):
        """(whether it is right, what to say)."""
        try:
            given = np.asarray(given, dtype=float)
        except (TypeError, ValueError):
            return False, f"got {type(given).__name__}, wanted numbers"
        wanted = np.asarray(self.answer, dtype=float)
        if given.shape != wanted.shape:
            return False, f"got {given.size} numbers in shape {given.shape}, wanted shape {wanted.shape}"
        right = bool(np.all(np.abs(given - wanted) <= self.tolerance))
        return right, "" if right else f"got {given.tolist()}, wanted {np.round(wanted, self.places).tolist()}"


@dataclass(frozen=True)
class Choice:
    """A question answered by a letter. right: the number of the right option; why: what the key says of it."""

    task: str
    options: tuple
    right: int
    why: str = ""

    @property
    def answer(self):
        return self.options[self.right]

    @property
    def text(self):
        lines = "\n".join(f"- **{letter}** {option}" for letter, option in zip(LETTERS, map(_plain, self.options), strict=True))
        return f"{self.task}\n\n{lines}\n\n*One letter, in quotes.*"

    def stub(self, name):
        return f"{name} = ..."

    def solution(self, name):
        return f'{name} = "{LETTERS[self.right]}"'

    def check(self, given, run=run):
        letter = given.strip().upper() if isinstance(given, str) else given
        right = isinstance(letter, str) and letter == LETTERS[self.right]
        return right, "" if right else f"got {str(given)[:40]!r}, wanted {LETTERS[self.right]}"


@dataclass(frozen=True)
class Code:
    """A function to write. source: one that is right, named `answer`; inputs: the argument tuples on which both are run."""

    task: str
    source: str
    inputs: tuple

    @property
    def text(self):
        return f"{self.task}\n\n*A function. It is run on inputs that are not shown.*"

    @property
    def answer(self):
        return self.source

    @property
    def reference(self):
        names = dict(NAMES)
        exec(self.source, names)
        return names["answer"]

    def stub(self, name):
        head = next(line for line in self.source.splitlines() if line.startswith("def answer("))
        return self._named(f"{head}\n    return ...", name)

    def solution(self, name):
        return self._named(self.source.strip(), name)

    def check(self, given, run=run):
        if given is not ... and not callable(given):
            return False, f"got {type(given).__name__}, wanted a function"
        diagnosis = Exercise("answer", self.reference, list(self.inputs)).check(given, run)
        said = {"correct": "", "not attempted": "no answer"}.get(diagnosis.status, " ".join(diagnosis.sentences.split()))
        return diagnosis.status == "correct", said

    @staticmethod
    def _named(text, name):
        return re.sub(r"\banswer\b", name, text)


def _plain(text):
    """A name such as `A * V`, whose signs are not Markdown's."""
    return text if "`" in text else re.sub(r"([*_])", r"\\\1", text)


def shuffled(rng, task, right, wrong, why=""):
    """A Choice whose options stand in an order that the seed decides. Options that read alike are an error."""
    options = [right, *wrong]
    if len(set(options)) != len(options):
        raise ValueError(f"options: got two that are equal, {options}, wanted all different")
    order = rng.permutation(len(options))
    return Choice(task, tuple(options[i] for i in order), int(np.flatnonzero(order == 0)[0]), why)


def shown(value, places=2):
    """A table, a row or a number as it stands in a question, ready to be pasted."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        places = min(places, 1) if (value == np.round(value)).all() else places
        return re.sub(r"-(0\.0+)(?=[,\]])", r"\1", np.array2string(value, separator=", ", formatter={"float": lambda x: f"{x:.{places}f}"}))
    return np.array2string(value, separator=", ") if isinstance(value, np.ndarray) else repr(value)


def block(**values):
    """Named values in a block of code, one after the other."""
    lines = []
    for name, value in values.items():
        text = shown(value).replace("\n", "\n" + " " * (len(name) + 3 + 9))
        lines.append(f"{name} = np.array({text})" if isinstance(value, np.ndarray) else f"{name} = {value!r}")
    return "```python\n" + "\n".join(lines) + "\n```"


def drawn(rng, least, most):
    """A number of three decimals, the last of them not 0: so many that two seeds hardly share one."""
    return round(int(rng.uniform(least, most) * 100) / 100 + int(rng.integers(1, 10)) / 1000, 3)


def close(a, b):
    """Whether a law's two sides agree."""
    return bool(np.allclose(a, b, atol=1e-6))

"""Which function is to blame, where a model that is made of a student's functions goes wrong.

Found by running, not by reading: the model is run on the course's functions, and what each of them
was called with is written down. Then each kept function is run alone, with the course's below it:
on its own check, and on what the model calls it with. What differs there has nobody else to blame.
"""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from course_utils.diagnosis.exercise import Exercise
from course_utils.diagnosis.running import run, run_trusted
from course_utils.diagnosis.student_module import FILE
from course_utils.diagnosis.values import agree, arrays_of, as_arrays, tolerance_of


@dataclass(frozen=True)
class Piece:
    """What was found of one function: whose it is, how often the model called it, what is wrong
    with it ("" if nothing).

    passes: whether it passes its own check; `mine` puts the course's in the place of one that does
    not.
    """

    name: str
    whose: str
    calls: int
    wrong: str = ""
    passes: bool = True

    def line(self, width: int) -> str:
        """What was found in a line, its name in a column of this width."""
        times = (
            f"in {self.calls} call{'s' if self.calls != 1 else ''} of the model"
            if self.calls
            else "by its check"
        )
        return f"{self.name:{width}} {self.whose:12} {self.wrong or f'right, {times}'}"


@dataclass
class Comparison:
    """A line for each function of the model that is theirs, and a last one that says whether the
    model may be used."""

    pieces: list[Piece] = field(default_factory=list)
    end: str = ""

    @property
    def blamed(self) -> list[str]:
        """The names of the functions that are to blame."""
        return [piece.name for piece in self.pieces if piece.wrong]

    def __repr__(self):
        width = max([18, *(len(piece.name) for piece in self.pieces)])
        return "\n".join([*(piece.line(width) for piece in self.pieces), self.end])


class Parts:
    """The functions of a model by name, as `mine` gives them, here the course's; each call is
    written into `calls`."""

    def __init__(self, exercises: Mapping[str, Exercise], calls: dict[str, list[Any]]) -> None:
        self._exercises, self._calls = exercises, calls

    def __getattr__(self, name):
        if not isinstance(self._exercises.get(name), Exercise):
            raise AttributeError(f"parts: there is no exercise {name!r}")
        return self.noting(name)

    def noting(self, name: str) -> Callable[..., Any]:
        """The course's function, which notes what it is called with."""

        def function(*arguments):
            self._calls.setdefault(name, []).append(copy.deepcopy(arguments))
            return self._exercises[name].reference(*arguments)

        return function


def compare(mine: Any, model: Callable[[Any], Any]) -> Comparison:
    """Compare the student's functions with the course's, piece by piece inside a model. Returns a
    Comparison.

    mine: the student's functions. model: a function that is called as model(parts) and runs it by
    parts.softmax(...), parts.layer_norm(...) and so on, with arguments by place; it returns an
    array or a tuple of arrays. It is run on the course's functions, and once as model(mine).
    """
    mine.reload()
    exercises, calls = mine.exercises, {}
    wanted = model(Parts(exercises, calls))
    found, waiting = {}, list(calls)
    order = list(exercises)
    while waiting:  # later exercises first: they call the earlier ones
        name = max(waiting, key=order.index)
        waiting.remove(name)
        below = []
        found[name] = _piece(mine, exercises[name], calls, below)
        waiting += [n for n in below if n not in found and n not in waiting]
    pieces = [found[name] for name in sorted(found, key=order.index) if found[name]]
    if not pieces:
        return Comparison(
            [], f"{FILE} holds none of these functions yet: the model runs on the course's."
        )
    guilty = [piece for piece in pieces if piece.wrong]
    if guilty:
        end = (
            "The model is not to be trusted"
            if any(piece.passes for piece in guilty)
            else "The course's stands in its place"
        )
        return Comparison(
            pieces,
            f"To blame: {', '.join(piece.name for piece in guilty)}. {end} until that is mended.",
        )
    apart = max(
        float(np.abs(a - b).max()) for a, b in zip(_many(model(mine)), _many(wanted), strict=True)
    )
    return Comparison(
        pieces, f"The whole model: yours and the course's differ by {apart:.0e} at most."
    )


def _piece(mine, exercise, calls, below):
    """The Piece of one function, None where nothing of it is theirs. Its calls of others are added
    to `calls`, their names to `below`."""
    exercises, called = mine.exercises, calls.get(exercise.name, [])

    def course(name):
        below.append(name)
        return exercises[name].reference

    function = mine.isolated(exercise.name, course)
    if function is None:
        return None
    whose = "yours" if exercise.name in mine.kept else "the course's"
    diagnosis = exercise.check(function)
    if diagnosis.status != "correct":
        said = diagnosis.sentences.removeprefix("Not yet: ").removeprefix("Not yet. ")
        return Piece(exercise.name, whose, len(called), f"TO BLAME: {said}", passes=False)
    for i, (arguments, outcome) in enumerate(
        zip(called, run(function, called), strict=False), start=1
    ):
        wanted = run_trusted(exercise.reference, arguments).value
        got = (
            None
            if outcome.failure or outcome.type_description
            else as_arrays(outcome.value, wanted)
        )
        if got is None or not agree(got, arrays_of(wanted), tolerance_of(arguments)):
            how = (
                f"stops ({outcome.failure.type})"
                if outcome.failure
                else "gives something else than the course's"
            )
            return Piece(
                exercise.name,
                whose,
                len(called),
                f"TO BLAME: it passes its check, but in call {i} of the model it {how}.",
            )
    noting = mine.isolated(
        exercise.name, Parts(exercises, calls).noting
    )  # once more, to see what it calls
    for arguments in called:
        noting(*arguments)
    return Piece(exercise.name, whose, len(called))


def _many(value):
    return [np.asarray(part) for part in (value if isinstance(value, tuple) else (value,))]

"""How an exercise is checked: a student's answer is compared with the reference, then with each known mistake.

A known mistake is a wrong implementation with a name. A student's function that agrees with it, on the first input
where it departs from the reference, has made that mistake, however it is written.
"""

import inspect
from dataclasses import dataclass, field

import numpy as np

from course_utils.cards.boxes import box
from course_utils.exercises.running import OutOfTime, explain_error, has_gap, run

# Relative and absolute difference that counts as rounding, by the coarsest float among the inputs.
TOLERANCES = {np.dtype("float16"): 1e-2, np.dtype("float32"): 1e-4}
FLOAT64_TOLERANCE = 1e-7


@dataclass(frozen=True)
class Mistake:
    """A misconception: its name, a function that computes what it leads to, and a hint that does not give the answer."""

    name: str
    function: object
    hint: str


@dataclass
class Exercise:
    """A reference function, the inputs it is tried on (tuples of arguments), and the mistakes known for it."""

    name: str
    reference: object
    inputs: list
    mistakes: list = field(default_factory=list)

    @property
    def signature(self):
        """How the function is called, for instance softmax(scores)."""
        return f"{self.name}{inspect.signature(self.reference)}"

    def mistake(self, name, hint):
        """Decorator: register the function below it as the known mistake `name`."""
        def register(function):
            self.mistakes.append(Mistake(name, function, hint))
            return function
        return register


@dataclass(frozen=True)
class Diagnosis:
    """The verdict on a function: status "correct", "wrong" or "not attempted", the mistake's name if known, a message."""

    status: str
    mistake: str | None = None
    message: str = ""

    def __repr__(self):
        return self.message

    def _repr_html_(self):
        return box(self.message, {"correct": "good", "wrong": "bad"}.get(self.status, "neutral"))


def check(exercise, function):
    """Run `function` on the exercise's inputs and say what is right or which idea slipped. Returns a Diagnosis."""
    if function is ...:
        return _not_attempted(exercise)
    if not callable(function):
        message = f"Not yet. The check wants the function itself, without parentheses, but got {_kind(function)}: "
        return Diagnosis("wrong", None, message + f"diagnose(\"{exercise.name}\", my_function).")
    outcomes = []
    for arguments in exercise.inputs:
        outcomes.append(run(function, arguments))
        if isinstance(outcomes[-1].error, OutOfTime):
            break
    printed = next((o.printed for o in outcomes if o.printed), "")
    for number in range(len(outcomes)):
        verdict = _look_at(exercise, function, number, outcomes)
        if verdict:
            return _with_print(verdict, printed)
    note = " (It is a list; np.array(...) around it gives what later cells want.)" if isinstance(outcomes[0].value, list) else ""
    return _with_print(Diagnosis("correct", None, "Right." + note), printed)


def _look_at(exercise, function, number, outcomes):
    """The verdict on input `number`, or None where the student's value agrees with the reference."""
    outcome, arguments = outcomes[number], exercise.inputs[number]
    if outcome.error is not None:
        return _explain_raise(exercise, function, outcome.error)
    if _is_gap(outcome.value):
        return _not_attempted(exercise)
    if outcome.value is None:
        return Diagnosis("wrong", None, "Not yet. Your function gave back nothing (None). Does it end with a return?")
    wanted = run(exercise.reference, arguments).value
    got = _arrays(outcome.value, wanted)
    if got is None:
        return Diagnosis("wrong", None, f"Not yet. {exercise.signature} gives back {_kind(wanted)}; yours gave {_kind(outcome.value)}.")
    tolerance = _tolerance(arguments)
    if not _agree(got, _arrays(wanted, wanted), tolerance):
        known = _matching_mistake(exercise, outcomes, number)
        if known:
            return Diagnosis("wrong", known.name, f"Not yet: {known.name}. {known.hint}")
        return Diagnosis("wrong", None, "Not yet. " + _difference(got, _arrays(wanted, wanted), tolerance))
    if outcome.changed_argument is not None:
        argument = list(inspect.signature(exercise.reference).parameters)[outcome.changed_argument]
        message = f"Not yet: argument changed. The numbers are right, but {argument} is different after the call. "
        return Diagnosis("wrong", "argument changed", message + "Work on a copy, or write x = x - 1 rather than x -= 1.")
    return None


def _explain_raise(exercise, function, error):
    if isinstance(error, NotImplementedError) or has_gap(function):
        return _not_attempted(exercise)
    if isinstance(error, OutOfTime):
        return Diagnosis("wrong", None, "Not yet. Your function ran for too long and was stopped. Does every loop come to an end?")
    message = "Not yet. " + explain_error(error, function)
    try:
        inspect.signature(function).bind(*exercise.inputs[0])
    except TypeError:
        message += f" The check calls it as {exercise.signature}."
    except ValueError:
        pass                                       # a built-in without a signature
    return Diagnosis("wrong", None, message)


def _not_attempted(exercise):
    return Diagnosis("not attempted", None, f"Not attempted yet: fill in {exercise.signature}, then run this cell again.")


def _with_print(verdict, printed):
    lines = printed.rstrip().splitlines()
    if not lines:
        return verdict
    shown = "\n".join(lines[:8] + ["..."] * (len(lines) > 8))
    return Diagnosis(verdict.status, verdict.mistake, f"{verdict.message}\nYour function printed:\n{shown}")


def _matching_mistake(exercise, outcomes, number):
    """The mistake that agrees with the student's value on input `number`, and on most of the other inputs."""
    candidates = [(m, [_same_outcome(o, m, exercise, i) for i, o in enumerate(outcomes)]) for m in exercise.mistakes]
    candidates = [(sum(agree), m) for m, agree in candidates if agree[number]]
    return max(candidates, key=lambda pair: pair[0])[1] if candidates else None


def _same_outcome(outcome, mistake, exercise, number):
    arguments = exercise.inputs[number]
    other = run(mistake.function, arguments)
    if outcome.error is not None or other.error is not None:
        return False
    got = _arrays(outcome.value, other.value)
    return got is not None and _agree(got, _arrays(other.value, other.value), _tolerance(arguments))


def _arrays(value, like):
    """value as a list of arrays, as many as `like` has; None where that cannot be."""
    many = isinstance(like, tuple)
    parts = list(value) if many and isinstance(value, (tuple, list)) else [value]
    if len(parts) != (len(like) if many else 1):
        return None
    try:
        arrays = [np.asarray(part) for part in parts]
    except Exception:                              # rows of different lengths, or an object that refuses
        return None
    return arrays if all(a.dtype.kind in "biuf" for a in arrays) else None


def _agree(ours, theirs, tolerance):
    return all(a.shape == b.shape and (a.dtype == bool) == (b.dtype == bool)
               and np.allclose(a.astype(float), b.astype(float), rtol=tolerance, atol=tolerance, equal_nan=True)
               for a, b in zip(ours, theirs, strict=True))


def _tolerance(arguments):
    dtypes = [a.dtype for a in arguments if isinstance(a, np.ndarray)]
    return max((TOLERANCES.get(d, FLOAT64_TOLERANCE) for d in dtypes), default=FLOAT64_TOLERANCE)


def _is_gap(value):
    return value is ... or (isinstance(value, (tuple, list)) and any(part is ... for part in value))


def _kind(value):
    if isinstance(value, tuple):
        return f"{len(value)} things ({', '.join(_kind(v) for v in value)})"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}" + ("" if value.dtype.kind in "biuf" else f" and dtype {value.dtype}")
    if isinstance(value, list) and value and _arrays(value, value) is None:
        return "a list of rows of different lengths, or of things that are not numbers"
    return "None" if value is None else f"something of type {type(value).__name__}"


def _difference(got, wanted, tolerance):
    """The first thing that differs: a shape, a kind of number, or a row, theirs beside ours."""
    for which, (a, b) in enumerate(zip(got, wanted, strict=True)):
        part = f"Of the {len(wanted)} things it gives back, number {which + 1}: " if len(wanted) > 1 else ""
        if a.shape != b.shape:
            return f"{part}It has shape {a.shape}; {b.shape} fits."
        if (a.dtype == bool) != (b.dtype == bool):
            return f"{part}It holds {a.dtype}; {b.dtype} fits."
        rows_a, rows_b = (np.atleast_2d(x).reshape(-1, x.shape[-1] if x.ndim else 1) for x in (a, b))
        for i, (row_a, row_b) in enumerate(zip(rows_a, rows_b, strict=True)):
            if not _agree([row_a], [row_b], tolerance):
                nan = " There is NaN in it: somewhere 0/0, inf - inf or an overflow." if a.dtype.kind == "f" and np.isnan(row_a).any() else ""
                return f"{part}Row {i} differs.{nan}\n  yours:  {_numbers(row_a)}\n  wanted: {_numbers(row_b)}"
    return "It differs."


def _numbers(row):
    return np.array2string(row, precision=3, suppress_small=True, threshold=8, edgeitems=4)

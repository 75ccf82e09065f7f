"""Questions made of the exercises' own known mistakes: name the slip from code, from numbers, find
the input that hides it, or the law that it breaks."""

import ast
import builtins
import functools
import importlib
import inspect
import itertools
import json
import textwrap
from pathlib import Path

import numpy as np

from course_utils.attention import softmax
from course_utils.diagnosis.questions import block, shown, shuffled
from course_utils.diagnosis.running import run_trusted
from course_utils.diagnosis.values import as_arrays
from course_utils.exercises import EXERCISES
from grading import books

LINES, SIZE = 14, 36  # the longest function and the most numbers that a question shows
SHOWN = 0.02  # numbers printed with two decimals differ visibly from here on
TRIES = 40  # of a law
COURSE = (
    "course",
    "layers",
    "attention",
    "positions",
    "tokens",
)  # how exercises call the course's modules
KNOWN = {"np", "softmax", "relu", "causal_mask", *dir(builtins)}
# {exercise: {name: names behind it in the alphabet that may fit the same code}}
BOTH_FIT = json.loads(Path(__file__).with_name("both_fit.json").read_text(encoding="utf-8"))
SMALL_WORDS = {
    "a",
    "and",
    "at",
    "both",
    "by",
    "for",
    "from",
    "in",
    "is",
    "of",
    "on",
    "the",
    "to",
    "with",
    "place",
    "places",
}


@functools.cache
def exam_of(name):
    """What the folder of an exercise holds for exams."""
    return importlib.import_module(f"course_utils.exercises.{name}.exam")


def computing(exercise):
    """{name: Mistake} of the known mistakes that compute something of their own. The twins that
    only read an argument more (see Exercise.add_misconceptions) do not."""
    return {m.name: m for m in exercise.mistakes if m.function.__name__ != "reads_them"}


def call(function, arguments):
    """The Outcome of one call of a function of the course, without NumPy's warnings."""
    with np.errstate(all="ignore"):
        return run_trusted(function, arguments)


# When two functions give the same, and when everybody sees that they do not.


def largest_difference(a, b):
    """The largest difference between two Outcomes, inf where one has no numbers, or other shapes or
    NaN elsewhere."""
    faults = [bool(outcome.failure or outcome.type_description) for outcome in (a, b)]
    if any(faults):
        return 0.0 if all(faults) else np.inf
    ours, theirs = as_arrays(a.value, b.value), as_arrays(b.value, b.value)
    if (
        ours is None
        or theirs is None
        or any(
            x.shape != y.shape or (x.dtype == bool) != (y.dtype == bool)
            for x, y in zip(ours, theirs, strict=True)
        )
    ):
        return np.inf
    with np.errstate(all="ignore"):
        gaps = [
            np.where(x == y, 0, np.abs(x.astype(float) - y))
            for x, y in zip(ours, theirs, strict=True)
        ]
    same_nan = all(
        (np.isnan(x.astype(float)) == np.isnan(y.astype(float))).all()
        for x, y in zip(ours, theirs, strict=True)
    )
    return (
        max(float(np.nan_to_num(gap, nan=0).max(initial=0)) for gap in gaps) if same_nan else np.inf
    )


def names_overlap(a, b):
    """Whether two names of mistakes share more than half of the shorter one's words. Both may then
    fit the same code: "keepdims forgotten" and "keepdims forgotten at the maximum", "division
    inside exp" and "exp after the division"."""
    a, b = (
        {word.strip(",.;:()") for word in name.lower().split()} - SMALL_WORDS for name in (a, b)
    )
    return len(a & b) > min(len(a), len(b)) / 2


def both_fit(name, a, b):
    """Whether a student who sees one mistake's code, or its numbers, could defend the other's name,
    too: by their words, or because a reader found so (both_fit.json)."""
    first, second = sorted((a, b))
    return names_overlap(a, b) or second in BOTH_FIT.get(name, {}).get(first, ())


@functools.cache
def outcomes(name):
    """{mistake: what it gives on each of the exercise's inputs}, and that of the right function
    under ""."""
    exercise = EXERCISES[name]
    functions = {
        "": exercise.reference,
        **{key: m.function for key, m in computing(exercise).items()},
    }
    return {
        key: [call(function, arguments) for arguments in exercise.inputs]
        for key, function in functions.items()
    }


@functools.cache
def alike(name, a, b):
    """Whether no input of the exercise parts two of its functions visibly."""
    return all(
        largest_difference(x, y) < SHOWN
        for x, y in zip(outcomes(name)[a], outcomes(name)[b], strict=True)
    )


# Name the slip, from code.


@functools.cache
def readable(name):
    """{mistake: its code}, of those whose code stands for itself: short, calling nothing but NumPy
    and the course."""
    found = {}
    for mistake in computing(EXERCISES[name]).values():
        tree = ast.parse(textwrap.dedent(inspect.getsource(mistake.function))).body[0]
        if not isinstance(tree, ast.FunctionDef):
            continue
        tree.decorator_list, tree.name = [], name
        nodes = list(ast.walk(tree))
        names = [n for n in nodes if isinstance(n, ast.Name)]
        stored = {n.id for n in names if isinstance(n.ctx, ast.Store)} | {
            n.arg for n in nodes if isinstance(n, ast.arg)
        }
        read = {n.id for n in names if isinstance(n.ctx, ast.Load)} - stored
        parents = [n.value for n in nodes if isinstance(n, ast.Attribute)]
        read -= {n.id for n in parents if isinstance(n, ast.Name) and n.id in COURSE}
        own = {
            n.attr
            for n in nodes
            if isinstance(n, ast.Attribute) and getattr(n.value, "id", "") in COURSE
        }
        code = ast.unparse(tree)
        for module in COURSE:
            code = code.replace(f"{module}.", "")
        if read <= KNOWN and name not in own and code.count("\n") < LINES:
            found[mistake.name] = code
    return {key: code for key, code in found.items() if not alike(name, key, "")}


def in_code(name, rng):
    """A wrong function by its code: which idea slipped?"""
    right = str(rng.choice(sorted(readable(name))))
    wrong = []
    for other in rng.permutation(sorted(outcomes(name).keys() - {"", right})):
        if (
            not both_fit(name, other, right)
            and not any(
                names_overlap(other, one) or alike(name, str(other), one) for one in [right, *wrong]
            )
            and not alike(name, str(other), "")
        ):
            wrong.append(str(other))
        if len(wrong) == 3:
            said, code = books.given(name), readable(name)[right]
            code = code.replace(":\n", f":  # {said}\n", 1) if said else code
            task = (
                f"This should be `{EXERCISES[name].signature}`. One idea slipped.\n\n"
                f"```python\n{code}\n```\n\nWhat is its mistake called?"
            )
            return shuffled(
                rng, task, right, wrong, computing(EXERCISES[name])[right].hint, minutes=3, points=2
            )
    raise ValueError(f"{name}: got {len(wrong)} mistakes that differ from {right!r}, wanted 3")


# Name the slip, from numbers.


def redrawn(value, rng):
    """An argument like the given one, with other numbers of two decimals: shares stay shares,
    positive numbers positive."""
    if not isinstance(value, np.ndarray) or not value.size or value.dtype.kind == "b":
        return value
    if value.dtype.kind in "iu":
        return rng.permutation(value.ravel()).reshape(value.shape)
    if (value >= 0).all() and np.allclose(value.sum(-1), 1):
        shares = np.round(softmax(1.5 * rng.normal(size=value.shape)), 2)
        shares[..., 0] += 1 - shares.sum(-1)
        return np.round(shares, 2)
    if (value < 0).all():  # logarithms of probabilities
        return np.round(np.log(rng.uniform(0.05, 0.6, size=value.shape)), 2)
    positive = (value > 0).all()
    drawn = rng.uniform(0.4, 2, size=value.shape) if positive else rng.normal(size=value.shape)
    return (
        np.round(drawn, 2) + 0.0
    )  # no -0.0: it is printed as 0.00 and divides into another infinity


def small(name):
    """The inputs of an exercise that fit into a question: few numbers, no functions or tables of
    parameters. An empty array would be printed without its shape."""

    def fits(arguments):
        arrays = [v for v in arguments if isinstance(v, np.ndarray)]
        return (
            arrays
            and all(v.size for v in arrays)
            and sum(v.size for v in arrays) <= SIZE
            and all(isinstance(v, (np.ndarray, int, float, list, tuple, str)) for v in arguments)
        )

    return [arguments for arguments in EXERCISES[name].inputs if fits(arguments)]


def printable(outcome):
    """Whether a result is a few finite numbers."""
    if outcome.failure or outcome.type_description:
        return False
    arrays = as_arrays(outcome.value, outcome.value)
    return arrays is not None and all(np.isfinite(a).all() and a.size <= SIZE for a in arrays)


def in_numbers(name, rng):
    """A wrong function by what it gives: which idea slipped?"""
    exercise = EXERCISES[name]
    mistakes = computing(exercise)
    for _ in range(60):
        given = tuple(redrawn(v, rng) for v in small(name)[rng.integers(len(small(name)))])
        order = [str(key) for key in rng.permutation(sorted(mistakes))]
        found = {"": call(exercise.reference, given)}  # then mistakes that differ from all before
        for key in order if printable(found[""]) else []:
            outcome = call(mistakes[key].function, given)
            if (
                printable(outcome)
                and all(largest_difference(outcome, other) > SHOWN for other in found.values())
                and not (key != order[0] and both_fit(name, key, order[0]))
                and not any(names_overlap(key, other) for other in found if other)
            ):
                found[key] = outcome
            if len(found) == 5:
                right, *wrong = list(found)[1:]
                arguments = block(**dict(zip(exercise.arguments, given, strict=True)))
                task = (
                    f"`{exercise.signature}` was called with numbers drawn by lot:"
                    f"\n\n{arguments}\n\nWanted:\n\n```\n"
                    f"{printed(found[''].value)}\n```\n\nCame:\n\n```\n"
                    f"{printed(found[right].value)}\n```\n\nWhat is the mistake called?"
                )
                return shuffled(rng, task, right, wrong, mistakes[right].hint, minutes=5, points=3)
            if key == order[0] and key not in found:  # the first is to be named, whatever it is
                break
    raise ValueError(f"{name}: found no input that tells four mistakes apart")


def printed(value):
    """A result as a question shows it: of several things each on lines of its own."""
    parts = value if isinstance(value, tuple) else (value,)
    return "\n".join(
        shown(part if isinstance(part, (list, np.ndarray)) else np.asarray(part)) for part in parts
    )


# Which input hides the mistake?


def hidden(name, rng):
    """Of four inputs one lets a planted mistake pass."""
    catch, draw = EXERCISES[name], exam_of(name).draw_input
    arguments = catch.exercise.arguments
    for mistake in itertools.islice(
        itertools.cycle(rng.permutation(np.array(catch.mistakes, dtype=object))), 30
    ):
        hides, shows = {}, {}
        for _ in range(60):
            given = draw(rng)
            right, wrong = (call(f, given) for f in (catch.exercise.reference, mistake.function))
            gap = largest_difference(wrong, right)
            if not printable(right) or 1e-9 < gap < SHOWN:
                continue
            found, wanted = (hides, 1) if gap <= 1e-9 else (shows, 3)
            if len(found) < wanted:
                text = "; ".join(
                    f"`{key} = {' '.join(shown(v).split())}`"
                    for key, v in zip(arguments, given, strict=True)
                )
                found[text] = None
            if hides and len(shows) == 3:
                task = (
                    f"A wrong `{catch.exercise.signature}` makes the mistake *{mistake.name}*. "
                    f"{mistake.hint} Three of "
                    "these inputs show it. On which one does the wrong function give what the "
                    "right one gives?"
                )
                return shuffled(rng, task, next(iter(hides)), list(shows), minutes=5, points=3)
    raise ValueError(f"{name}: found no input behind which a mistake hides")


# Which law does the mistake break?


def tried(law, function, tries=TRIES):
    """Whether a function keeps a law: True or False where it does so every time, None where it
    depends, or stops."""
    try:
        with np.errstate(all="ignore"):
            held = {bool(law(function, np.random.default_rng(start))) for start in range(tries)}
    except Exception:  # a mistake stops in its own way: then there is no question about it
        return None
    return held.pop() if len(held) == 1 else None


@functools.cache
def verdicts(name):
    """{mistake: {law: what `tried` says}} of the mistakes that break a law every time and keep
    three every time."""
    mistakes = [m for m in computing(EXERCISES[name].exercise).values() if m.trap is None]
    said = {
        m.name: {text: tried(law, m.function) for text, law in exam_of(name).LAWS.items()}
        for m in mistakes
    }
    return {
        key: laws
        for key, laws in said.items()
        if list(laws.values()).count(False) >= 1 and list(laws.values()).count(True) >= 3
    }


def law(name, rng):
    """Of four laws one is broken by a mistake."""
    exercise = EXERCISES[name].exercise
    mistake = str(rng.choice(sorted(verdicts(name))))
    laws = verdicts(name)[mistake]
    broken, kept = (
        [
            str(text)
            for text in rng.permutation([text for text, held in laws.items() if held is kind])
        ]
        for kind in (False, True)
    )
    does = getattr(exam_of(name), "DOES", {}).get(mistake, computing(exercise)[mistake].hint)
    task = (
        f"Every right `{exercise.signature}` keeps these laws. {exam_of(name).CONDITIONS}\n\n"
        f"A wrong one makes the mistake *{mistake}*: {does} Which of the laws does it break?"
    )
    return shuffled(rng, task, broken[0], kept[:3], minutes=4, points=3)

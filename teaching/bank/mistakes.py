"""Questions made of the exercises' own known mistakes: name the slip from code, from numbers, find behind what it
hides, or the law that it breaks."""

import ast
import builtins
import functools
import importlib
import inspect
import itertools
import textwrap

import numpy as np

from course_utils.attention import softmax
from course_utils.diagnosis.questions import block, shown, shuffled
from course_utils.diagnosis.running import run_trusted
from course_utils.exercises import EXERCISES

CODE, HEAD = 14, 36              # the longest function, in lines, and the most numbers of a result, that a question shows
COURSE = "course", "layers", "attention", "positions", "tokens"              # how the exercises' files call the course's modules
KNOWN = {"np", "softmax", "relu", "causal_mask", *dir(builtins)}


def exam_of(name):
    """What the folder of an exercise holds for exams."""
    return importlib.import_module(f"course_utils.exercises.{name}.exam")


def same(a, b):
    """Whether two outcomes of functions are the same answer."""
    if a.failure or b.failure or a.type_description or b.type_description:
        return bool(a.failure or a.type_description) == bool(b.failure or b.type_description)
    try:
        parts = [[np.asarray(p) for p in (x.value if isinstance(x.value, tuple) else (x.value,))] for x in (a, b)]
    except ValueError:
        return False
    return len(parts[0]) == len(parts[1]) and all(
        x.shape == y.shape and (x.dtype == bool) == (y.dtype == bool) and np.allclose(x.astype(float), y.astype(float), atol=5e-3, equal_nan=True)
        for x, y in zip(*parts, strict=True))


@functools.cache
def outcomes(name):
    """{mistake: what it gives on each of the exercise's inputs}, and that of the right function under ""."""
    exercise = EXERCISES[name]
    functions = {"": exercise.reference, **{m.name: m.function for m in exercise.mistakes if m.function.__name__ != "reads_them"}}
    with np.errstate(all="ignore"):
        return {key: [run_trusted(function, arguments) for arguments in exercise.inputs] for key, function in functions.items()}


def alike(name, a, b):
    """Whether no input of the exercise parts two of its functions."""
    return all(same(x, y) for x, y in zip(outcomes(name)[a], outcomes(name)[b], strict=True))


def apart(name, rng, first, n=4):
    """n mistakes, all wrong and no two alike on the exercise's inputs: the first one given, the others drawn."""
    found = [first]
    for other in rng.permutation([key for key in outcomes(name) if key not in ("", first)]):
        if not any(alike(name, str(other), one) for one in [*found, ""]):
            found.append(str(other))
        if len(found) == n:
            return found
    raise ValueError(f"{name}: got {len(found)} mistakes that differ, wanted {n}")


@functools.cache
def readable(name):
    """{mistake: its code}, of those whose code stands for itself: short, calling nothing but NumPy and the course, and named like the exercise."""
    found = {}
    for mistake in EXERCISES[name].mistakes:
        tree = ast.parse(textwrap.dedent(inspect.getsource(mistake.function))).body[0]
        if not isinstance(tree, ast.FunctionDef) or mistake.function.__name__ == "reads_them":
            continue
        tree.decorator_list, tree.name = [], name
        nodes = list(ast.walk(tree))
        stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | {n.arg for n in nodes if isinstance(n, ast.arg)}
        read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} - stored
        own = {n.attr for n in nodes if isinstance(n, ast.Attribute) and getattr(n.value, "id", "") in COURSE}
        code = ast.unparse(tree)
        for module in COURSE:
            code = code.replace(f"{module}.", "")
        if read <= {*KNOWN, *COURSE} and name not in own and code.count("\n") < CODE:
            found[mistake.name] = code
    return {key: code for key, code in found.items() if not alike(name, key, "")}


def in_code(name, rng):
    """A wrong function by its code: which idea slipped?"""
    first = str(rng.choice(sorted(readable(name))))
    right, *wrong = apart(name, rng, first)
    task = (f"This should be `{EXERCISES[name].signature}`. One idea slipped.\n\n```python\n{readable(name)[first]}\n```\n\n"
            "What is its mistake called?")
    return shuffled(rng, task, right, wrong, _hint(name, right))


def _hint(name, mistake):
    return next(m.hint for m in EXERCISES[name].mistakes if m.name == mistake)


def redrawn(value, rng):
    """An argument like the given one, with other numbers: shares stay shares, positive numbers positive, all with two decimals."""
    if not isinstance(value, np.ndarray) or not value.size or value.dtype.kind == "b":
        return value
    if value.dtype.kind in "iu":
        return rng.permutation(value.ravel()).reshape(value.shape)
    if (value >= 0).all() and np.allclose(value.sum(-1), 1):
        shares = np.round(softmax(1.5 * rng.normal(size=value.shape)), 2)
        shares[..., 0] += 1 - shares.sum(-1)
        return shares
    if (value < 0).all():                                        # logarithms of probabilities
        return np.round(np.log(rng.uniform(0.05, 0.6, size=value.shape)), 2)
    return np.round(rng.uniform(0.4, 2, size=value.shape) if (value > 0).all() else rng.normal(size=value.shape), 2)


def numbers_of(values):
    return sum(v.size for v in values if isinstance(v, np.ndarray))


def small(name):
    """The inputs of an exercise that fit into a question: few numbers, and no functions or tables of parameters."""
    fits = [a for a in EXERCISES[name].inputs if numbers_of(a) <= HEAD and all(isinstance(v, (np.ndarray, int, float, list, tuple, str)) for v in a)]
    return [a for a in fits if any(isinstance(v, np.ndarray) for v in a)]


def in_numbers(name, rng):
    """A wrong function by what it gives: which idea slipped?"""
    exercise = EXERCISES[name]
    signature = list(inspect.signature(exercise.reference).parameters)
    for _ in range(60):
        given = tuple(redrawn(v, rng) for v in small(name)[rng.integers(len(small(name)))])
        first = str(rng.choice([key for key in outcomes(name) if key]))
        with np.errstate(all="ignore"):
            came = {key: run_trusted(exercise.reference if not key else next(m.function for m in exercise.mistakes if m.name == key), given)
                    for key in ("", first)}
        if any(o.failure or o.type_description or not _finite(o.value) for o in came.values()) or same(came[""], came[first]):
            continue
        others = [m for m in exercise.mistakes if m.function.__name__ != "reads_them" and m.name != first]
        found = [came[first]]
        wrong = []
        for i in rng.permutation(len(others)):
            with np.errstate(all="ignore"):
                outcome = run_trusted(others[i].function, given)
            if outcome.failure or outcome.type_description or not _finite(outcome.value) or any(same(outcome, o) for o in [came[""], *found]):
                continue
            found.append(outcome)
            wrong.append(others[i].name)
            if len(wrong) == 3:
                task = (f"`{exercise.signature}` was called with\n\n"
                        f"{block(**dict(zip(signature, given, strict=True)))}\n\nWanted:\n\n```\n{_shown(came[''].value)}\n```\n\n"
                        f"Came:\n\n```\n{_shown(came[first].value)}\n```\n\nWhat is the mistake called?")
                return shuffled(rng, task, first, wrong, _hint(name, first))
    raise ValueError(f"{name}: found no input that tells four mistakes apart")


def _finite(value):
    try:
        arrays = [np.asarray(part) for part in (value if isinstance(value, tuple) else (value,))]
    except ValueError:
        return False
    return all(a.dtype.kind in "biuf" and np.isfinite(a).all() and a.size <= HEAD for a in arrays)


def _shown(value):
    parts = value if isinstance(value, tuple) else (value,)
    return "\n".join(shown(part if isinstance(part, (list, np.ndarray)) else np.asarray(part)) for part in parts)


def hidden(name, rng):
    """Of four inputs one lets a planted mistake pass."""
    catch, draw = EXERCISES[name], exam_of(name).draw_input
    signature = list(inspect.signature(catch.exercise.reference).parameters)
    for mistake in itertools.islice(itertools.cycle(rng.permutation(np.array(catch.mistakes, dtype=object))), 30):
        passes, shows = {}, {}
        for _ in range(60):
            given = draw(rng)
            with np.errstate(all="ignore"):
                right, wrong = (run_trusted(f, given) for f in (catch.exercise.reference, mistake.function))
            if right.failure or right.value is None:
                continue
            found, wanted = (passes, 1) if same(right, wrong) else (shows, 3)
            if len(found) < wanted:
                found["; ".join(f"`{key} = {' '.join(shown(v).split())}`" for key, v in zip(signature, given, strict=True))] = None
            if passes and len(shows) > 2:
                task = (f"A wrong `{catch.exercise.signature}` makes the mistake *{mistake.name}*. {mistake.hint} Three of these inputs show it. On "
                        "which one does the wrong function "
                        "give what the right one gives (to two decimals)?")
                return shuffled(rng, task, next(iter(passes)), list(shows)[:3])
    raise ValueError(f"{name}: found no input behind which a mistake hides")


def kept(name, function):
    """{law: whether a function keeps it}, of the laws that it keeps on all of some random numbers, or on none."""
    with np.errstate(all="ignore"):
        tried = [exam_of(name).try_laws(function, np.random.default_rng(start)) for start in range(5)]
    return {text: holds for text, holds in tried[0].items() if all(laws[text] is holds for laws in tried)}


@functools.cache
def broken(name):
    """{mistake: {law: whether it keeps it}} of the mistakes that break a law and keep three."""
    found = {}
    for mistake in EXERCISES[name].exercise.mistakes:
        if mistake.trap is None and mistake.function.__name__ != "reads_them":
            try:
                found[mistake.name] = kept(name, mistake.function)
            except Exception:                        # it stops where a law is tried: then there is no question about it
                continue
    return {key: laws for key, laws in found.items() if not all(laws.values()) and sum(laws.values()) >= 3}


def law(name, rng):
    """Of four laws one is broken by a mistake."""
    exercise = EXERCISES[name].exercise
    mistake = str(rng.choice(sorted(broken(name))))
    laws = broken(name)[mistake]
    breaks, keeps = ([str(text) for text in rng.permutation([text for text, holds in laws.items() if holds is kind])] for kind in (False, True))
    task = (f"Every right `{exercise.signature}` keeps these laws. A wrong one makes the mistake *{mistake}*: {_hint(exercise.name, mistake)} Which "
            "of the laws finds it, tried on random numbers?")
    return shuffled(rng, task, breaks[0], keeps[:3])

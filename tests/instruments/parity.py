"""JavaScript beside Python: an instrument's script in an engine inside Python, and mistakes planted
in it."""

import functools
import importlib
import json
import re
import sys
from pathlib import Path

import numpy as np
import quickjs
from hypothesis import HealthCheck, Phase, given, settings

from course_utils import instruments
from course_utils.instruments.instrument import KIT


def trial_of(name, file):
    """How an instrument is tried, from its file beside this one."""
    try:
        return importlib.import_module(f"instruments.{file}").TRIAL
    except ModuleNotFoundError as error:
        if error.name != f"instruments.{file}":
            raise
        wanted = f"{name} has no trial: write tests/instruments/{file}.py (trial.py says how)"
        raise FileNotFoundError(wanted) from None


TRIALS = {name: trial_of(name, file) for name, file in instruments._FILES.items()}

ASK = """globalThis.ask = (name, state, data) => {
  const it = courseKit.all[name], numbers = it.compute(state, data), met = it.met(numbers, data);
  return JSON.stringify([numbers, it.describe(numbers, data), it.conditions(numbers, data), met ? it.lesson(numbers, data) : null]);
};"""  # noqa: E501


def opened(name, **changes):
    """An instrument, with what its trial says it needs, in a state with some changes."""
    return getattr(instruments, name)(*TRIALS[name].needs(), **changes)


class Engine:
    """A script of an instrument, running: ask(state) -> numbers, words, conditions, and the lesson
    where they hold."""

    def __init__(self, it, script=None, kit=KIT, seconds=10):
        self.js, self.name = quickjs.Context(), type(it).__name__
        self.js.set_time_limit(seconds)  # of the processor
        for source in (
            kit,
            it.script() if script is None else script,
            ASK,
            f"globalThis.data = {json.dumps(it.data())}",
        ):
            self.js.eval(source)

    def text(self, state):
        """The answer as the script writes it."""
        return self.js.eval(f"ask({json.dumps(self.name)}, {json.dumps(state)}, data)")

    def ask(self, state):
        return json.loads(self.text(state))


def answer(it, state):
    """The same four from Python."""
    numbers = it.compute(state)
    return (
        numbers,
        it.describe(numbers),
        it.conditions(numbers),
        it.lesson(numbers) if it.met(numbers) else None,
    )


def assert_same(python, javascript, path="numbers"):
    """Every number to 1e-9, every text and truth exactly, the same names and shapes."""
    if isinstance(python, dict):
        assert isinstance(javascript, dict), path
        assert python.keys() == javascript.keys(), path
        for name in python:
            assert_same(python[name], javascript[name], f"{path}.{name}")
    elif isinstance(python, (list, tuple)) and not _is_numeric(python):
        assert len(python) == len(javascript), path
        for i, (one, other) in enumerate(zip(python, javascript, strict=True)):
            assert_same(one, other, f"{path}[{i}]")
    elif python is None or isinstance(python, (str, bool)):
        assert python == javascript, path
        assert type(python) is type(javascript), path
    else:
        one, other = np.asarray(python, float), np.asarray(javascript, float)
        assert np.isfinite(one).all(), path
        np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-12, err_msg=path, strict=True)


def _is_numeric(values):
    try:
        return np.asarray(values).dtype.kind in "iuf"
    except ValueError:  # rows of different lengths
        return False


@functools.cache
def some_states(strategy, n=300):
    """The same states at every run."""
    found = []

    @settings(
        max_examples=n,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(state):
        found.append(state)

    collect()
    return found


# What a slip of the hand does to a formula.
SLIPS = [
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" \* ", " / "),
    (r" / ", " * "),
    (r"(?<=[(,] )-", ""),
    (r" > ", " < "),
    (r" < ", " > "),
    (r" >= ", " > "),
    (r" <= ", " < "),
    (r" == ", " != "),
    (r" && ", " || "),
    (r"!(?!=)", ""),
    (r"(?<![\w.])(\d+)(?![\w.])", lambda m: str(int(m[1]) + 1)),
    (r"(?<![\w.])(\d+\.\d+|\d+e-?\d+)", lambda m: str(float(m[1]) * 1.1)),
    (r"\bmax\b", "min"),
    (r"\bmin\b", "max"),
    (r"\bsqrt\b", "cbrt"),
    (r"\bexp\b", "expm1"),
    (r"\bsoftmax\b", "(x => x)"),
    (r"\[i\]\[j\]", "[j][i]"),
    (r"\btranspose\b", ""),
    (r"\bfixed\b", "general"),
    (r"\bgeneral\b", "fixed"),
    (r"(?<=[\"`'] )([a-z])", lambda m: m[1].upper()),
]


def mutants(source, begin, end):
    """One slip each, between two places of a source, but none in a still, which has tests of its
    own: [(the line as it became, the whole)]."""
    first, last = source.index(begin), source.index(end) if end else len(source)
    still = re.search(r"    def still\((?:.*\n)(?:        .*\n)+", source)
    found = []
    for pattern, becomes in SLIPS:
        for match in re.finditer(pattern, source[first:last]):
            new = match.expand(becomes) if isinstance(becomes, str) else becomes(match)
            at = first + match.start()
            if (
                re.search("# |// ", source[source.rindex("\n", 0, at) : at])
                or still
                and still.start() < at < still.end()
            ):  # nor in a comment
                continue
            whole = source[:at] + new + source[first + match.end() :]
            line = whole[whole.rindex("\n", 0, at) + 1 : whole.index("\n", at)].strip()
            found.append((line, whole))
    return found


def planted_in(script):
    """One slip each in all that is computed or told: from `compute` to `build`, each written as a
    method or as an arrow."""
    return mutants(script, "\n    compute", "\n    build")


def survivors(strategy, all_of_it):
    """(the mutants that no drawn state tells from the right one in any of these instruments of one
    class, how many there were), planted in the script."""
    path = Path(sys.modules[type(all_of_it[0]).__module__].__file__).with_suffix(".js")
    planted = planted_in(path.read_text(encoding="utf-8"))
    turns = [
        (it, state, good)
        for it in all_of_it
        for state, good in _texts(it, strategy, 300 if it is all_of_it[0] else 15)
    ]
    alive = []
    for line, source in planted:
        # a slip may make a loop without end
        engine = functools.cache(lambda it, source=source: Engine(it, source, seconds=1))
        for turn in turns:
            it, state, good = turn
            try:
                text = engine(it).text(state)
                if text != good:
                    assert_same(json.loads(good), json.loads(text))
            except Exception:  # a syntax error or a crash is a death, too
                turns.remove(turn)
                turns.insert(0, turn)  # what kills one slip may kill the next
                break
        else:
            alive.append(line)
    return alive, len(planted)


@functools.cache
def _texts(it, strategy, n):
    """What the script as it is says of the states. That Python says the same has a test of its
    own."""
    engine = Engine(it)
    return [(state, engine.text(state)) for state in some_states(strategy, n) + some_solutions(it)]


@functools.cache
def some_solutions(it, n=60):
    """Ways to meet the challenge, spread over all that its trial knows."""
    found = [state for state in TRIALS[type(it).__name__].ways() if it.met(it.compute(state))]
    return found[:: -(-len(found) // -n) or 1]

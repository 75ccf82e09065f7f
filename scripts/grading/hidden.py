"""A second look at an answer that is right on the course's inputs: inputs nobody has seen, and
whether it calls the course's own function.

Hidden inputs keep the shapes and kinds of the exercise's own. Numbers change places, within rows
and rows among each other. So what was positive stays so, rows that sum to 1 still do, and a mask
still fits: a right function stays right. An input on which rounding could decide (a tie, a sum that
is exactly p) is drawn again.
"""

import dataclasses
import functools
import inspect
import sys
import types
import zlib
from pathlib import Path

import numpy as np

import course_utils
from course_utils import attention, decoding, experts, layers, positions, quantisation, tokens
from course_utils.diagnosis.running import run_guarded, run_trusted
from course_utils.diagnosis.values import agree, arrays_of, as_arrays, tolerance_of
from course_utils.exercises import EXERCISES

PACKAGE = str(Path(course_utils.__file__).parent)
GROUND = [
    attention,
    layers,
    positions,
    experts,
    decoding,
    tokens,
    quantisation,
]  # the mathematics that notebooks import
DRAWS = 40  # for each of the exercise's inputs

# Exercises whose arguments are sizes: there is nothing in them that could change places.
SIZES = {
    "causal_mask": lambda rng: (int(rng.integers(2, 13)),),
    "sinusoidal_positional_encoding": lambda rng: (
        int(rng.integers(2, 40)),
        2 * int(rng.integers(1, 13)),
    ),
}
# Functions of the course that are an exercise's answer when they are called in another way.
ALSO = {
    "self_attention": (attention.scaled_dot_product_attention,),
    "causal_mask": (attention.sliding_window_mask,),
    "responsibilities": (experts.gaussian_responsibilities,),
}


@functools.cache
def inputs(name, seed):
    """Argument tuples for an exercise, the same for each student of a run; at most one for each
    input of its own."""
    exercise, rng, found = (
        EXERCISES[name],
        np.random.default_rng([seed, zlib.crc32(name.encode())]),
        [],
    )
    known = [run_trusted(exercise.reference, arguments).value for arguments in exercise.inputs]
    for arguments in exercise.inputs:
        for _ in range(DRAWS):
            orders = {}
            drawn = (
                SIZES[name](rng)
                if name in SIZES
                else tuple(_shuffled(argument, rng, orders) for argument in arguments)
            )
            wanted = run_trusted(exercise.reference, drawn)
            new = not wanted.failure and not any(
                _same(wanted.value, value, drawn) for value in known
            )
            if new and _steady(exercise.reference, drawn, wanted.value, rng):
                found.append(drawn)
                break
    return found


@functools.cache
def exercise(name, seed):
    """The exercise with hidden inputs in the place of its own; one for all students, so that what
    is right on them is computed once."""
    return dataclasses.replace(EXERCISES[name], inputs=inputs(name, seed), traps={})


def _shuffled(value, rng, orders):
    """A value with its numbers in other places. orders: {shape: places}, so that what has the same
    shape (cos and sin) moves together."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "fiu" or not value.size or not np.isfinite(value).all():
            return value  # a mask stays: it says which numbers count
        if value.shape not in orders:
            orders[value.shape] = (
                np.argsort(rng.random(value.shape), axis=-1),
                rng.permutation(value.shape[-2] if value.ndim > 1 else 1),
            )
        within, rows = orders[value.shape]
        moved = np.take_along_axis(value, within, axis=-1)
        return moved[..., rows, :] if value.ndim > 1 else moved
    if isinstance(value, str):
        return "".join(value[i] for i in rng.permutation(len(value)))
    if isinstance(value, dict):
        return {key: _shuffled(part, rng, orders) for key, part in value.items()}
    if isinstance(value, list) and all(isinstance(part, int) for part in value):
        return [value[i] for i in rng.permutation(len(value))]
    if isinstance(value, list) and all(isinstance(part, dict) for part in value):
        return [_shuffled(part, rng, orders) for part in value]
    return value


def _same(got, wanted, arguments):
    ours, theirs = as_arrays(got, wanted), arrays_of(wanted)
    return ours is not None and agree(ours, theirs, tolerance_of(arguments))


def _steady(function, arguments, wanted, rng):
    """Whether the result stays as it is where the numbers change by as much as rounding may."""

    def stir(value):
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            return (
                value * (1 + tolerance_of(arguments) / 100 * rng.standard_normal(value.shape))
            ).astype(value.dtype)
        if isinstance(value, dict):
            return {key: stir(part) for key, part in value.items()}
        return type(value)(map(stir, value)) if isinstance(value, (list, tuple)) else value

    return all(
        _same(run_guarded(function, stir(arguments)).value, wanted, arguments) for _ in range(4)
    )


# Whose function it is.


@functools.cache
def own(name):
    """{(file below the package, name): how it is called} of the course's functions that are an
    exercise's answer.

    They are its reference, what that hands all its arguments to and gives back as it comes, and of
    the public mathematics and the exercise's module the functions of its name and those that give
    the same on all its inputs. Others of the course an answer may call.
    """
    exercise = EXERCISES[name]
    near = [
        value
        for module in (*GROUND, sys.modules[exercise.reference.__module__])
        for value in vars(module).values()
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__
    ]
    equals = [
        f for f in near if f.__name__ == name or f in ALSO.get(name, ()) or _equals(f, exercise)
    ]
    found = {
        _place(inspect.unwrap(f).__code__) for f in (exercise.reference, *equals)
    } | _handed_on(exercise.reference, exercise.inputs[0])
    return {
        place: f"{place[0].removesuffix('.py').replace('/', '.')}.{place[1]}" for place in found
    }


def _place(code):
    return Path(code.co_filename).relative_to(PACKAGE).as_posix(), code.co_qualname


def _equals(function, exercise):
    """Whether a function gives what the exercise wants, or gives it first of several things, for
    the same arguments."""
    try:
        inspect.signature(function).bind(*exercise.inputs[0])
        for arguments in exercise.inputs:
            wanted, outcome = (
                run_trusted(exercise.reference, arguments).value,
                run_guarded(function, arguments),
            )
            first = (
                outcome.value[0]
                if isinstance(outcome.value, tuple) and not isinstance(wanted, tuple)
                else outcome.value
            )
            if outcome.failure or not _same(first, wanted, arguments):
                return False
    except Exception:  # it takes or gives things of another kind
        return False
    return True


def _handed_on(function, arguments):
    """Where the course's functions stand to which a function hands nothing but its arguments, and
    whose value it gives back as it is."""
    calls = []

    def look(frame, event, value):
        code = frame.f_code
        if event == "return" and code.co_filename.startswith(PACKAGE):
            given = [frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
            calls.append((_place(code), value, given))

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        result = function(*arguments)
    finally:
        sys.setprofile(before)
    return {
        place
        for place, value, given in calls
        if (value is result or (isinstance(value, tuple) and any(part is result for part in value)))
        and all(any(a is g for g in given) for a in arguments)
    }

"""What stands in a student's function: which arguments it reads, whether it divides, what it still
leaves open, how it ends.

Nothing is run. Where there is no code to look at (a built-in, an object that is called), nothing is
found.
"""

import ast
import dis
import functools
import inspect
import itertools
import re
import textwrap
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from course_utils.diagnosis.values import Function


def codes(function: Function) -> list[CodeType]:
    """The function's code, that of functions inside it, and that of functions of the same notebook
    which it calls. The first is its own."""
    names, found = getattr(function, "__globals__", {}), []
    waiting: list[Any] = [function]
    while waiting:
        one = waiting.pop(0)
        code = getattr(one, "__code__", one)
        if not isinstance(code, CodeType) or code in found:
            continue
        found.append(code)
        waiting += [part for part in code.co_consts if isinstance(part, CodeType)]
        called = [names.get(name) for name in code.co_names] + [
            _held(cell) for cell in getattr(one, "__closure__", None) or ()
        ]
        waiting += [
            other
            for other in called
            if isinstance(other, FunctionType) and other.__globals__ is names
        ]
    return found


def _held(cell):
    try:
        return cell.cell_contents
    except ValueError:  # a cell that is still empty
        return None


def _argument(function, position):
    """Its name in the student's code; None where no code or no such argument is."""
    code = getattr(function, "__code__", None)
    if code is None:
        return None
    position += inspect.ismethod(function)
    if position < code.co_argcount:
        return code.co_varnames[position]
    return (
        code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
        if code.co_flags & inspect.CO_VARARGS
        else None
    )


def _steps(code, name):
    """ "load" and "store" in the order in which a code names a variable."""
    for step in dis.get_instructions(code):
        if "FAST" in step.opname or step.opname in ("LOAD_DEREF", "STORE_DEREF", "LOAD_CLOSURE"):
            held = (
                step.argval if isinstance(step.argval, tuple) else (step.argval,) * 2
            )  # newer Pythons join two steps in one
            kinds = [kind for kind in step.opname.split("_") if kind in ("LOAD", "STORE")] * 2
            yield from (
                kind.lower()
                for kind, one in dict.fromkeys(zip(kinds, held, strict=False))
                if one == name
            )


def reads(function: Function, position: int) -> bool:
    """Whether the function reads its argument number `position`, or hands it to a function inside
    it."""
    name = _argument(function, position)
    return name is not None and "load" in _steps(function.__code__, name)


def overwritten(function: Function) -> str | None:
    """The argument that gets another value before it is read, or None."""
    code = getattr(function, "__code__", None)
    arguments = code.co_varnames[: code.co_argcount] if code else ()
    return next((name for name in arguments if next(_steps(code, name), None) == "store"), None)


def notebook_name(function: Function, arguments: Sequence[str]) -> tuple[str, str, bool] | None:
    """(a name of the notebook, the argument that it stands for, whether that is read) where the
    function computes with a value of the notebook in place of an argument; None where it does not.
    arguments: their names in the task.
    """
    code = getattr(function, "__code__", None)
    if code is None:
        return None
    own = code.co_varnames[: code.co_argcount]
    unread = [name for name in own if "load" not in _steps(code, name)]
    read = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    held = {
        name: function.__globals__[name] for name in sorted(read) if name in function.__globals__
    }
    for name, value in held.items():
        if not isinstance(value, (np.ndarray, list, tuple, dict, int, float)):
            continue
        meant = [
            own[k]
            for k, asked in enumerate(arguments[: len(own)])
            if name.lower() in (own[k].lower(), asked.lower())
        ]
        if meant:
            return name, meant[0], meant[0] not in unread
        if unread and isinstance(value, (np.ndarray, list)):
            return name, unread[0], False
    return None


def _all_steps(function):
    return [step for code in codes(function) for step in dis.get_instructions(code)]


# Functions that give something back and change nothing.
PURE = {
    "reshape",
    "transpose",
    "swapaxes",
    "astype",
    "copy",
    "sum",
    "mean",
    "max",
    "min",
    "exp",
    "sqrt",
    "log",
    "concatenate",
    "vstack",
    "hstack",
    "stack",
    "delete",
    "round",
    "clip",
    "where",
    "abs",
    "dot",
    "matmul",
    "split",
    "ravel",
    "flatten",
    "squeeze",
    "softmax",
    "triu",
    "tril",
}


def compared_with_nan(function: Function) -> tuple[str, int | None] | None:
    """(text, line in the file) of a comparison with NaN by `==`, `!=`, `is` or `in`; None where
    there is none.
    """
    for node in ast.walk(_tree(function)):
        if isinstance(node, ast.Compare) and any(
            getattr(part, "attr", getattr(part, "id", "")).lower() == "nan"
            for part in [node.left, *node.comparators]
        ):
            return ast.unparse(node), _in_file(function, node.lineno)
    return None


def suspicious_code(function: Function) -> tuple[str, str, int | None] | None:
    """(name, sentence, line in the file) of something in the code that hardly anybody means; None
    where nothing of the kind stands there."""
    nodes: list[Any] = list(ast.walk(_tree(function)))
    lost = overwritten(function)
    if lost:
        line = next(
            (
                node.lineno
                for node in nodes
                if isinstance(node, ast.Name)
                and node.id == lost
                and isinstance(node.ctx, ast.Store)
            ),
            1,
        )
        return (
            "argument overwritten",
            f"`{lost}` gets another value before it is used: what came as an argument is lost.",
            _in_file(function, line),
        )
    for node in nodes:
        value: Any = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Compare):
            return (
                "== for =",
                (
                    f"`{ast.unparse(value)}` asks whether two things are equal, and changes"
                    " nothing. A name gets a value by `=`."
                ),
                _in_file(function, node.lineno),
            )
        called = (
            getattr(value.func, "attr", getattr(value.func, "id", ""))
            if isinstance(value, ast.Call)
            else ""
        )
        if (
            isinstance(value, ast.BinOp)
            or called in PURE
            or (called == "append" and getattr(value.func.value, "id", "") == "np")
        ):
            return (
                "a result not kept",
                (
                    f"`{ast.unparse(value)}` computes something that nobody keeps: it changes"
                    " nothing by itself."
                ),
                _in_file(function, node.lineno),
            )
    read = {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    made = [
        (target.id, node.lineno)
        for node in nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    unused, line = next(
        ((name, line) for name, line in made if name not in read and not name.startswith("_")),
        (None, 0),
    )
    if not unused:
        return None
    return (
        "computed, but not used",
        f"`{unused}` is computed and not used after that. Was it meant where another name stands?",
        _in_file(function, line),
    )


def _in_file(function, line):
    """A line of the function's own text as a line of its file."""
    return function.__code__.co_firstlineno + line - 1


def last_line(function: Function) -> int | None:
    """The line of the file in which the function's text ends; None where it cannot be read."""
    tree = _tree(function)
    return _in_file(function, tree.body[-1].lineno) if tree.body else None


def changes_argument(function: Function, position: int) -> int | None:
    """The line of the file that changes argument number `position` in place, under its name or
    another one; None where none is seen."""
    names, nodes = {_argument(function, position)}, list(ast.walk(_tree(function)))
    for node in sorted((n for n in nodes if isinstance(n, ast.stmt)), key=lambda n: n.lineno):
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AugAssign)
            else []
        )
        called = getattr(node.value, "func", None) if isinstance(node, ast.Expr) else None
        parts = [
            t for t in targets if isinstance(t, ast.Subscript) or isinstance(node, ast.AugAssign)
        ] + ([called] if called else [])
        bases = {
            n.id
            for part in parts
            for n in ast.walk(part)
            if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Del)
        }
        outs = (
            {
                k.value.id
                for n in ast.walk(node)
                if isinstance(n, ast.Call)
                for k in n.keywords
                if k.arg == "out" and isinstance(k.value, ast.Name)
            }
            if not isinstance(node, (ast.FunctionDef, ast.For, ast.While, ast.If))
            else set()
        )
        if names & (bases | outs):
            return _in_file(function, node.lineno)
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Name)
            and node.value.id in names
        ):
            names |= {t.id for t in targets if isinstance(t, ast.Name)}
    return None


def divides(function: Function) -> bool:
    return any(
        step.opname.endswith("TRUE_DIVIDE")
        or step.argrepr in ("/", "/=")
        or step.argval in ("divide", "true_divide")
        for step in _all_steps(function)
    )


def powers(function: Function) -> bool:
    return any(
        step.opname.endswith("BINARY_POWER")
        or step.argrepr in ("**", "**=")
        or step.argval in ("power", "float_power", "pow")
        for step in _all_steps(function)
    )


def roots(function: Function) -> bool:
    halves = any(
        step.opname == "LOAD_CONST" and isinstance(step.argval, float) and abs(step.argval) == 0.5
        for step in _all_steps(function)
    )
    return any(step.argval == "sqrt" for step in _all_steps(function)) or (
        halves and powers(function)
    )


def adds_axis(function: Function) -> bool:
    def is_new(node):
        parts = (
            node.slice.elts
            if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple)
            else [getattr(node, "slice", node)]
        )
        named = getattr(node, "attr", "") in ("newaxis", "expand_dims", "reshape")
        return named or any(
            isinstance(part, ast.Constant) and part.value is None
            for part in parts
            if isinstance(node, ast.Subscript)
        )

    return any(map(is_new, ast.walk(_tree(function))))


def counts_in_twos(function: Function) -> bool:
    return re.search(r"range\((?:0, )[^()]*, 2\)", ast.unparse(_tree(function))) is not None


def transposes(function: Function) -> bool:
    return any(step.argval in ("T", "transpose", "swapaxes") for step in _all_steps(function))


def has_number(number: float, function: Function) -> bool:
    """Whether a number stands in the code, written in any way: 100, 1e2."""
    return any(
        step.opname == "LOAD_CONST"
        and isinstance(step.argval, (int, float))
        and step.argval == number
        for step in _all_steps(function)
    )


# What a mistake's name may say that stands in the code.
CODE_PREDICATES: dict[str, Callable[[Function], bool]] = {
    "a division": divides,
    "a power": powers,
    "a root": roots,
    "a new axis": adds_axis,
    "steps of two": counts_in_twos,
    "a transpose": transposes,
    "the number 100": functools.partial(has_number, 100),
}


def copies_a_row(function: Function) -> int | None:
    """The line of the file in which a list of one row is repeated, `[row] * n`, that is written
    into; None where none is."""
    nodes = list(ast.walk(_tree(function)))
    repeated = [
        node
        for node in nodes
        if isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Mult)
        and isinstance(node.left, ast.List)
        and not isinstance(
            node.left.elts[0] if node.left.elts else None, (ast.Constant, type(None))
        )
    ]
    targets = [
        target
        for node in nodes
        if isinstance(node, (ast.Assign, ast.AugAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    written = repeated and any(isinstance(target, ast.Subscript) for target in targets)
    return _in_file(function, repeated[0].lineno) if written else None


def gaps(function: Any) -> tuple[list[str], bool]:
    """(names that are set to `...`, whether others are set to something): how far a stub is filled
    in."""
    code = getattr(function, "__code__", None)
    steps = list(dis.get_instructions(code)) if code else []
    stored = [(k, step.argval) for k, step in enumerate(steps) if step.opname == "STORE_FAST"]
    open_ones = []
    for k, step in enumerate(steps):
        if step.opname == "LOAD_CONST" and (
            step.argval is ... or (isinstance(step.argval, tuple) and ... in step.argval)
        ):
            after = itertools.takewhile(
                lambda other: other.opname in ("STORE_FAST", "UNPACK_SEQUENCE"), steps[k + 1 :]
            )
            values = step.argval if isinstance(step.argval, tuple) else itertools.repeat(...)
            names = [other.argval for other in after if other.opname == "STORE_FAST"]
            open_ones += [name for name, value in zip(names, values, strict=False) if value is ...]
    return list(dict.fromkeys(open_ones)), any(name not in open_ones for _, name in stored)


def _tree(function):
    """Its definition as a tree; an empty one where its source is not to be had."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        tree = ast.Module([], [])
    return next(
        (
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and node.name == getattr(function, "__name__", "")
        ),
        ast.Module([], []),
    )


def ending(function: Function) -> str | None:
    """How it ends: "no return", "bare return", "some return" (only some of its ways), or the text
    of what it returns, of a variable how it was made; None where it cannot be read."""
    own = _tree(function)
    if not own.body:
        return None
    found, waiting = [], list(own.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Return):
            found.append(node)
        elif not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    if not found:
        return "no return"
    empty = [node.value is None or ast.unparse(node.value) == "None" for node in found]
    if all(empty):
        return "bare return"
    last = own.body[-1]
    if not isinstance(last, ast.Return) or last.value is None or any(empty):
        return "some return"
    text = ast.unparse(last.value)
    made = [
        ast.unparse(node.value)
        for node in ast.walk(own)
        if isinstance(node, ast.Assign) and text in map(ast.unparse, node.targets)
    ]
    return (made or [text])[-1]

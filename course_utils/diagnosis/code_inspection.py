"""What stands in a student's function: which arguments it reads, whether it divides, what it still leaves open, how it ends.

Nothing is run. Where there is no code to look at (a built-in, an object that is called), nothing is found.
"""

import ast
import dis
import functools
import inspect
import itertools
import re
import textwrap
from types import CodeType, FunctionType


def codes(function):
    """The function's code, that of functions inside it, and that of functions of the same notebook which it calls. The first is its own."""
    names, found, waiting = getattr(function, "__globals__", {}), [], [function]
    while waiting:
        one = waiting.pop(0)
        code = getattr(one, "__code__", one)
        if not isinstance(code, CodeType) or code in found:
            continue
        found.append(code)
        waiting += [part for part in code.co_consts if isinstance(part, CodeType)]
        called = [names.get(name) for name in code.co_names] + [_held(cell) for cell in getattr(one, "__closure__", None) or ()]
        waiting += [other for other in called if isinstance(other, FunctionType) and other.__globals__ is names]
    return found


def _held(cell):
    try:
        return cell.cell_contents
    except ValueError:                           # a cell that is still empty
        return None


def _argument(function, position):
    """Its name in the student's code; None where no code or no such argument is."""
    code = getattr(function, "__code__", None)
    if code is None:
        return None
    position += inspect.ismethod(function)
    if position < code.co_argcount:
        return code.co_varnames[position]
    return code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if code.co_flags & inspect.CO_VARARGS else None


def _steps(code, name):
    """"load" and "store" in the order in which a code names a variable."""
    for step in dis.get_instructions(code):
        if "FAST" in step.opname or step.opname in ("LOAD_DEREF", "STORE_DEREF", "LOAD_CLOSURE"):
            held = step.argval if isinstance(step.argval, tuple) else (step.argval,) * 2        # newer Pythons join two steps in one
            kinds = [kind for kind in step.opname.split("_") if kind in ("LOAD", "STORE")] * 2
            yield from (kind.lower() for kind, one in dict.fromkeys(zip(kinds, held, strict=False)) if one == name)


def reads(function, position):
    """Whether the function reads its argument number `position`, or hands it to a function inside it."""
    name = _argument(function, position)
    return name is not None and "load" in _steps(function.__code__, name)


def overwritten(function):
    """The argument that gets another value before it is read, or None."""
    code = getattr(function, "__code__", None)
    arguments = code.co_varnames[:code.co_argcount] if code else ()
    return next((name for name in arguments if next(_steps(code, name), None) == "store"), None)


def _all_steps(function):
    return [step for code in codes(function) for step in dis.get_instructions(code)]


# Functions that give something back and change nothing.
PURE = {"reshape", "transpose", "swapaxes", "astype", "copy", "sum", "mean", "max", "min", "exp", "sqrt", "log", "concatenate", "vstack", "hstack",
        "stack", "delete", "round", "clip", "where", "abs", "dot", "matmul", "split", "ravel", "flatten", "squeeze", "softmax", "triu", "tril"}


def suspicious_code(function):
    """(name, sentence) of something in the code that hardly anybody means; None where nothing of the kind stands there."""
    lost = overwritten(function)
    if lost:
        return "argument overwritten", f"`{lost}` gets another value before it is used: what came as an argument is lost."
    nodes = list(ast.walk(_tree(function)))
    for node in nodes:
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Compare):
            return "== for =", f"`{ast.unparse(value)}` asks whether two things are equal, and changes nothing. A name gets a value by `=`."
        called = getattr(value.func, "attr", getattr(value.func, "id", "")) if isinstance(value, ast.Call) else ""
        if isinstance(value, ast.BinOp) or called in PURE or (called == "append" and getattr(value.func.value, "id", "") == "np"):
            return "a result not kept", f"`{ast.unparse(value)}` computes something that nobody keeps: it changes nothing by itself."
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    made = [target.id for node in nodes if isinstance(node, ast.Assign) for target in node.targets if isinstance(target, ast.Name)]
    unused = next((name for name in made if name not in read and not name.startswith("_")), None)
    return unused and ("computed, but not used", f"`{unused}` is computed and not used after that. Was it meant where another name stands?")


def divides(function):
    return any(step.opname.endswith("TRUE_DIVIDE") or step.argrepr in ("/", "/=") or step.argval in ("divide", "true_divide")
               for step in _all_steps(function))


def powers(function):
    return any(step.opname.endswith("BINARY_POWER") or step.argrepr in ("**", "**=") or step.argval in ("power", "float_power", "pow")
               for step in _all_steps(function))


def roots(function):
    halves = any(step.opname == "LOAD_CONST" and isinstance(step.argval, float) and abs(step.argval) == 0.5 for step in _all_steps(function))
    return any(step.argval == "sqrt" for step in _all_steps(function)) or (halves and powers(function))


def adds_axis(function):
    def is_new(node):
        parts = node.slice.elts if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) else [getattr(node, "slice", node)]
        named = getattr(node, "attr", "") in ("newaxis", "expand_dims", "reshape")
        return named or any(isinstance(part, ast.Constant) and part.value is None for part in parts if isinstance(node, ast.Subscript))
    return any(map(is_new, ast.walk(_tree(function))))


def counts_in_twos(function):
    return re.search(r"range\((?:0, )[^()]*, 2\)", ast.unparse(_tree(function))) is not None


def transposes(function):
    return any(step.argval in ("T", "transpose", "swapaxes") for step in _all_steps(function))


def has_number(number, function):
    """Whether a number stands in the code, written in any way: 100, 1e2."""
    return any(step.opname == "LOAD_CONST" and isinstance(step.argval, (int, float)) and step.argval == number for step in _all_steps(function))


# What a mistake's name may say that stands in the code.
CODE_PREDICATES = {"a division": divides, "a power": powers, "a root": roots, "a new axis": adds_axis, "steps of two": counts_in_twos,
                   "a transpose": transposes, "the number 100": functools.partial(has_number, 100)}


def copies_a_row(function):
    """Whether a list of one row is repeated, `[row] * n`, and written into."""
    nodes = list(ast.walk(_tree(function)))
    repeated = any(isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List)
                   and not isinstance(node.left.elts[0] if node.left.elts else None, (ast.Constant, type(None))) for node in nodes)
    targets = [target for node in nodes if isinstance(node, (ast.Assign, ast.AugAssign))
               for target in (node.targets if isinstance(node, ast.Assign) else [node.target])]
    return repeated and any(isinstance(target, ast.Subscript) for target in targets)


def gaps(function):
    """(names that are set to `...`, whether others are set to something): how far a stub is filled in."""
    code = getattr(function, "__code__", None)
    steps = list(dis.get_instructions(code)) if code else []
    stored = [(k, step.argval) for k, step in enumerate(steps) if step.opname == "STORE_FAST"]
    open_ones = []
    for k, step in enumerate(steps):
        if step.opname == "LOAD_CONST" and (step.argval is ... or (isinstance(step.argval, tuple) and ... in step.argval)):
            after = itertools.takewhile(lambda other: other.opname in ("STORE_FAST", "UNPACK_SEQUENCE"), steps[k + 1:])
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
    return next((node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == getattr(function, "__name__", "")),
                ast.Module([], []))


def ending(function):
    """How it ends: "no return", "bare return", "some return" (only some of its ways), or the text of what it returns, of a variable
    how it was made; None where it cannot be read."""
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
    if all(node.value is None or ast.unparse(node.value) == "None" for node in found):
        return "bare return"
    if not isinstance(own.body[-1], ast.Return) or found[-1].value is None:
        return "some return"
    text = ast.unparse(found[-1].value)
    made = [ast.unparse(node.value) for node in ast.walk(own) if isinstance(node, ast.Assign) and text in map(ast.unparse, node.targets)]
    return (made or [text])[-1]

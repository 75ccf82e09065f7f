"""Python's errors in the course's words: what it says is kept, what it means comes first."""

import difflib
import re

AXES = "Line the shapes up from the right: each pair of sizes must be equal, or one of them 1."


def explain(failure, known=()):
    """A Failure in one to three sentences. known: the names that the student's function can see."""
    if failure.type in STOPPED:
        return STOPPED[failure.type]
    where = f" in line {failure.number}" + (f": `{failure.line}`" if failure.line else "") if failure.number else ""
    for kind, pattern, words in KNOWN:
        found = re.search(pattern, failure.text, flags=re.DOTALL) if re.fullmatch(kind, failure.type) else None
        if found:
            meaning = words(found, failure) if callable(words) else words
            return f"Your function stopped{where}. {meaning}{_guess(failure, known)}{_shapes(failure)}"
    said = f" Python says: {failure.text}" if failure.text else ""
    return f"Your function stopped with {failure.type}{where}.{said}{_guess(failure, known)}{_shapes(failure)}"


STOPPED = {
    "OutOfTime": "Your function ran for too long and was stopped. Does every loop come to an end?",
    "OutOfMemory": "Your function took more than 3 GB of memory and was stopped. The exercises need a few kilobytes.",
    "Ended": "Your function ended the process it ran in. Leave `exit` and its kind out: a function ends with `return`.",
    "Unsendable": "Your function uses something from outside that the check cannot take along, such as an open file or a widget. "
                  "Use the arguments alone.",
    "PrintsTooMuch": "Your function prints without end and was stopped. Does every loop come to an end?",
    "SystemExit": "Your function calls `exit`, which ends Python itself. A function ends with `return`.",
    "EOFError": "Your function asks for `input()`. Nobody answers during a check: everything it needs comes as an argument.",
    "RecursionError": "Your function calls itself without end. Which call should be the last?",
    "MemoryError": "There is not enough memory for an array that large. The exercises need a few kilobytes: which shape did you ask for?",
}


def _matmul(found, failure):
    turned = " `.T` of an array with three axes turns all of them round; `swapaxes(-1, -2)` turns only the last two."
    turned = turned if _deep_transpose(failure) else ""
    return f"`@` needs as many columns on its left as rows on its right: here {found[2]} and {found[1]}.{turned}"


def _dot(found, failure):
    return f"A matrix product needs as many columns on its left as rows on its right: here the shapes are ({found[1]}) and ({found[2]})."


def _broadcast(found, failure):
    shapes = re.findall(r"\(([\d,]*)\)", found[1])
    sizes = [tuple(int(n) for n in shape.split(",") if n) for shape in shapes]
    row = next((s for s in sizes if len(s) == 1), None)
    forgotten = row and any(len(s) > 1 and row[0] in s[:-1] for s in sizes)
    hint = " A sum or a maximum along an axis loses that axis; `keepdims=True` keeps it." if forgotten else ""
    return f"These shapes do not fit together: {' and '.join(f'({s})' for s in shapes)}. {AXES}{hint}"


def _deep_transpose(failure):
    return ".T" in failure.line and any(isinstance(s, tuple) and len(s) > 2 for s in failure.variables.values())


def _attribute(found, failure):
    module = re.search(r"module '(\w+)' has no attribute '(\w+)'", failure.text)
    if module:
        return f"NumPy has no `{module[2]}`." if module[1] == "numpy" else f"`{module[1]}` has no `{module[2]}`."
    kind, name = found[1], found[2]
    if kind == "NoneType":
        return f"`.{name}` is asked of None: something before it gave nothing back."
    if kind in ("list", "tuple"):
        return f"`.{name}` is asked of a {kind}, which has none. `np.array(...)` makes an array of it."
    return f"`.{name}` is asked of something that has none (its type is {kind})."


# (the error's type, a pattern in its text, what it means)
KNOWN = [
    ("ValueError", r"matmul: Input operand 1 has a mismatch.*\(size (\d+) is different from (\d+)\)", _matmul),
    ("ValueError", r"shapes \(([\d,]+)\) and \(([\d,]+)\) not aligned", _dot),
    ("ValueError", r"matmul: Input operand (\d) does not have enough dimensions",
     "One side of `@` is a single number. Plain numbers are multiplied by `*`."),
    ("ValueError", r"matmul", "The two sides of `@` do not fit together."),
    ("ValueError", r"could not be broadcast together with (?:remapped )?shapes ([(\d,) ]+)", _broadcast),
    ("ValueError", r"non-broadcastable output operand with shape \(([\d,]*)\) doesn't match the broadcast shape \(([\d,]*)\)",
     lambda f, _: f"The result has shape ({f[2]}), and the array it should go into has ({f[1]}). Write `x = x + ...` rather than `x += ...`."),
    ("ValueError", r"could not broadcast input array from shape \(([\d,]*)\) into shape \(([\d,]*)\)",
     lambda f, _: f"Something of shape ({f[1]}) is put into a place of shape ({f[2]})."),
    ("ValueError", r"truth value of an array", "Python asks a whole array for a single yes or no: `max`, `min`, `if`, `and`, `or` do. "
     "`np.maximum(a, b)` compares number by number; `np.max(a, axis=...)` takes the largest along an axis."),
    ("ValueError", r"cannot reshape array of size (\d+) into shape \(([\d, -]*)\)",
     lambda f, _: f"`reshape` keeps every number, and here {f[1]} numbers do not fill shape ({f[2]})."),
    ("ValueError", r"all (?:the )?input array.*(?:shape|dimension)", "Arrays that are put together must have the same size along every other axis. "
     "A single row wants a new axis first: `row[None]`."),
    ("ValueError", r"axes don't match array", "`transpose` wants one number for each axis of the array."),
    ("ValueError", r"not enough values to unpack \(expected (\d+), got (\d+)\)",
     lambda f, _: f"There are {f[1]} names on the left, and {f[2]} things on the right."),
    ("ValueError", r"too many values to unpack \(expected (\d+)", lambda f, _: f"There are {f[1]} names on the left, and more things on the right."),
    ("ValueError", r"setting an array element with a sequence|inhomogeneous",
     "An array wants rows of one length, and one number in each place. Here a whole row stands where a number should."),
    ("ValueError", r"einstein sum|einsum|operand has (?:more|fewer) dimensions",
     "The letters of `einsum` do not fit the arrays: one letter for each axis, the same letter for the same size."),
    (r".*AxisError", r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
     lambda f, _: f"There is no axis {f[1]}: the array has {f[2]}, counted from 0; -1 is the last."),
    ("TypeError", r"only integer scalar arrays can be converted",
     "An array stands where NumPy wants one whole number. Often a pair of brackets is missing: `np.concatenate([a, b])`, `np.zeros((a, b))`; "
     "or `np.max(0, x)` was meant to be `np.maximum(0, x)`."),
    ("TypeError", r"only (?:length-1|0-dimensional) arrays can be converted|only size-1",
     "A whole array stands where one number is wanted. The functions of `math` take one number; those of NumPy, such as `np.exp`, take arrays."),
    ("TypeError", r"'(?:numpy\.)?(\w+)' object is not callable",
     "Two pairs of parentheses stand side by side, or a name that holds numbers is called: is a `*`, an `@` or a "
     "comma missing?"),
    ("TypeError", r"'(?:function|builtin_function_or_method|method)' object is not subscriptable",
     "Square brackets stand after a function: call it with round ones."),
    ("TypeError", r"NoneType", "Something in this line is None: a function before it gave nothing back. Does it end with a `return`?"),
    ("TypeError", r"(\w+)\(\) missing (\d+) required", lambda f, _: f"`{f[1]}` is called with too few arguments."),
    ("TypeError", r"(\w+)\(\) (?:takes (?:from )?(\d+).*were given|got an unexpected keyword argument '(\w+)')",
     lambda f, _: f"`{f[1]}` has no argument `{f[3]}`." if f[3] else f"`{f[1]}` is called with too many arguments."),
    ("TypeError", r"can't multiply sequence by non-int",
     "A list times a number repeats the list. `np.array(...)` makes numbers of it that can be multiplied."),
    ("TypeError", r"unsupported operand type\(s\) for .*'(list|tuple)'",
     lambda f, _: f"A {f[1]} does not calculate. `np.array(...)` makes numbers of it."),
    ("TypeError", r"bad operand type for unary ~|ufunc 'invert' not supported",
     "`~` turns True into False and back. It wants an array of truth values, not numbers."),
    (r".*Error", r"Cannot cast ufunc '(\w+)' output from dtype\('(\w+)'\) to dtype\('(\w+)'\)",
     lambda f, _: f"The array holds {f[3]}, and what is put into it is {f[2]}. Write `x = x - ...` rather than `x -= ...`."),
    ("IndexError", r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)",
     lambda f, _: f"There is no entry {f[1]} along axis {f[2]}: it has {f[3]}, counted from 0."),
    ("IndexError", r"too many indices for array: array is (\d+)-dimensional, but (\d+) were indexed",
     lambda f, _: f"The array has {f[1]} axes and gets {f[2]} indices. `None` makes a new axis, `[:, None]` a column."),
    ("IndexError", r"arrays used as indices must be of integer", "Positions are whole numbers or truth values. Here they are numbers with a point."),
    ("IndexError", r"only integers, slices", "Positions are whole numbers. `//` divides whole numbers and stays whole."),
    ("IndexError", r"boolean index did not match", "A mask must have the shape of what it picks from."),
    ("IndexError", r"(?:list|tuple) index out of range", "There are fewer entries than that; they are counted from 0."),
    ("NameError", r"name '(\w+)' is not defined", lambda f, _: f"Nothing is called `{f[1]}` here."),
    ("UnboundLocalError", r"local variable '(\w+)'", lambda f, _: f"`{f[1]}` is used before it is given a value in this function."),
    ("AttributeError", r"'([\w.]+)' object has no attribute '(\w+)'|module", _attribute),
    ("ModuleNotFoundError", r"No module named '([\w.]+)'", lambda f, _: f"There is no `{f[1]}` here: NumPy is all that is needed."),
    ("ZeroDivisionError", r"", "It divides by zero."),
    ("LinAlgError", r"", "A matrix has no inverse, or is not square."),
]


def _guess(failure, known):
    """The name that was probably meant."""
    missing = re.search(r"name '(\w+)' is not defined", failure.text)
    near = difflib.get_close_matches(missing[1], [*failure.variables, *known], n=1, cutoff=0.75) if missing else []
    return f" Did you mean `{near[0]}`?" if near else ""


def _shapes(failure):
    """The shapes of the arrays that the line names."""
    named = [(name, held) for name, held in failure.variables.items()
             if isinstance(held, tuple) and re.search(rf"\b{re.escape(name)}\b", failure.line)]
    return " The shapes: " + ", ".join(f"`{name}` {held}" for name, held in named) + "." if named else ""

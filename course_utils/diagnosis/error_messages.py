"""Python's errors in the course's words: what slipped, by name where the error says it; what it
means; what it says."""

import ast
import builtins
import difflib
import re
import sys
from collections.abc import Sequence

from course_utils.diagnosis.lists import many
from course_utils.diagnosis.running import Failure, Outcome

AXES = "Line the shapes up from the right: each pair of sizes must be equal, or one of them 1."
LISTS = "`np.array(...)` makes an array of it."
WHOLE = "not a whole number"
NO_ARRAY = "a list where an array is needed"
NO_TABLE = "a number where an array is needed"
GAP = "a gap left open"
NOTHING_BACK = "in-place function gives nothing back"
NEW_AXIS = "new axis forgotten"
ALONG = r"(?:sum|max|mean|min|std|var|norm)\s*\("  # what loses an axis


def explain(failure: Failure, known: Sequence[str] = ()) -> tuple[str | None, str]:
    """(name or None, one to three sentences) for a Failure. known: the names that the student's
    function can see."""
    if failure.type in STOPPED:
        return STOPPED[failure.type]
    if gap := _gap(failure):
        return GAP, gap
    # The line itself and no number: a notebook counts from the cell's top, and what is said
    # elsewhere from the function's.
    where = (
        f" at `{failure.line}`"
        if failure.line
        else f" in line {failure.number}"
        if failure.number
        else ""
    )
    for kind, pattern, name, words in KNOWN:
        found = (
            re.search(pattern, failure.text, flags=re.DOTALL)
            if re.fullmatch(kind, failure.type)
            else None
        )
        if found:
            meaning = words(found, failure) if callable(words) else words
            name, meaning = meaning if isinstance(meaning, tuple) else (name, meaning)
            return (
                name,
                (
                    f"Your function stopped{where}."
                    f" {meaning}{_one_head(failure)}{_guess(failure, known)}{_shapes(failure)}"
                ),
            )
    said = f" Python says: {failure.text}" if failure.text else ""
    return (
        None,
        (
            "Your function stopped with"
            f" {failure.type}{where}.{said}{_guess(failure, known)}{_shapes(failure)}"
        ),
    )


def explain_memory(outcome: Outcome) -> tuple[str, str] | None:
    """(sentences, name) where a call leaves something behind that other calls meet; None where it
    does not."""
    if outcome.replaced:
        return (
            (
                f"Your function puts something else in the place of `{outcome.replaced}`. Every"
                f" later use of `{outcome.replaced}` meets that. Give your result a name of its"
                " own."
            ),
            "a function replaced",
        )
    if outcome.kept is None:
        return None
    said = "Called twice with the same arguments, your function gives two different answers."
    if outcome.kept:
        said += f" `{outcome.kept}` keeps something from the first call."
    return (
        f"{said} Make inside the function, in each call, whatever it fills or changes.",
        "state kept between calls",
    )


def explain_notebook_name(name: str, argument: str, is_read: bool) -> tuple[str, str]:
    """(sentences, name) for a function that computes with a value of the notebook in place of its
    argument."""
    said = f"`{name}` is a value of your notebook, and no argument. "
    if is_read:
        return (
            (
                f"{said}Your function should compute with its argument `{argument}` alone. Did you"
                f" mean `{argument}`?"
            ),
            "a name of the notebook",
        )
    return (
        (
            f"{said}Your function never reads its argument `{argument}`: with other numbers it"
            f" would give the same. Did you mean `{argument}`?"
        ),
        "a name of the notebook",
    )


def explain_change(name: str, value: object) -> tuple[str, str]:
    """(sentences, name) for a right answer that changed an argument."""
    if isinstance(value, list):
        how = f"Work on a copy: `{name} = {name}.copy()`."
    elif isinstance(value, dict):
        how = "Make a new dictionary, and new arrays in it, rather than changing those that came."
    else:
        how = "Work on a copy, or write `x = x - 1` rather than `x -= 1`."
    return (
        f"What comes back is right, but `{name}` is different after the call. {how}",
        "argument changed",
    )


# What has no line of its own: (name or None, sentence).
STOPPED = {
    "OutOfTime": (
        "runs too long",
        "Your function ran for too long and was stopped. Does every loop come to an end?",
    ),
    "OutOfMemory": (
        "too much memory",
        (
            "Your function took more than 3 GB of memory and was stopped. The exercises need a few"
            " kilobytes."
        ),
    ),
    "Ended": (
        "Python ended",
        (
            "Your function ended the process it ran in. Leave `exit` and its kind out: a function"
            " ends with `return`."
        ),
    ),
    "Garbled": (
        "answers written by hand",
        (
            "Your function wrote where the check reads its answers. A function gives its answer by"
            " `return`."
        ),
    ),
    "Unsendable": (
        None,
        (
            "Your function uses something from outside that the check cannot take along, such as an"
            " open file or a widget. Use the arguments alone."
        ),
    ),
    "PrintsTooMuch": (
        "prints without end",
        "Your function prints without end and was stopped. Does every loop come to an end?",
    ),
    "SystemExit": (
        "Python ended",
        "Your function calls `exit`, which ends Python itself. A function ends with `return`.",
    ),
    "EOFError": (
        "asks for input",
        (
            "Your function asks for `input()`. Nobody answers during a check: everything it needs"
            " comes as an argument."
        ),
    ),
    "RecursionError": (
        "calls itself without end",
        "Your function calls itself without end. Which call should be the last?",
    ),
    "MemoryError": (
        "an array far too large",
        (
            "There is not enough memory for an array that large. The exercises need a few"
            " kilobytes: which shape did you ask for?"
        ),
    ),
}


def _gap(failure):
    """What is still `...` in the line where it stopped, or None."""
    names = [
        name
        for name, held in failure.variables.items()
        if held == "ellipsis" and re.search(rf"\b{name}\b", failure.line)
    ]
    if names:
        return (
            f"{' and '.join(f'`{name}`' for name in names)} {'is' if len(names) == 1 else 'are'}"
            " still `...`. Fill in what is missing."
        )
    if (
        "ellipsis" in failure.text and "..." in failure.line
    ):  # what einsum says names an ellipsis, too
        return f"`...` still stands in `{failure.line}`. Fill in what is missing."
    return None


def _sizes(text):
    return [
        tuple(int(n) for n in shape.split(",") if n.strip())
        for shape in re.findall(r"\(([\d, ]*)\)", text)
    ]


def _axes(held):
    return len(held) if isinstance(held, tuple) else 0


def _calls(line, names):
    """Whether a line calls one of these functions: their names as a pattern."""
    return re.search(rf"(?<![\w])(?:{names})\s*\(", line)


def _matmul(found, failure):
    said = (
        f"`@` needs as many columns on its left as rows on its right: here {found[2]} and"
        f" {found[1]}."
    )
    flat = next(
        (
            name
            for name, line in failure.made.items()
            if re.search(r"np\.append\(", line) and "axis" not in line
        ),
        None,
    )
    if flat and _axes(failure.variables.get(flat)) == 1:
        return (
            "np.append without an axis",
            (
                f"{said} `np.append` without an axis makes one long row of everything: `{flat}` has"
                " a single axis."
            ),
        )
    if any(
        _axes(failure.variables.get(name)) > 2 for name in re.findall(r"(\w+)\.T\b", failure.line)
    ):
        return (
            ".T of three axes",
            (
                f"{said} `.T` of an array with three axes turns all of them round; `swapaxes(-1,"
                " -2)` turns only the last two."
            ),
        )
    return said


def _number_in_a_product(found, failure):
    for name in re.findall(r"(\w+)\s*(?=@)|@\s*(\w+)\b(?!\s*[(\[.])", failure.line):
        name = name[0] or name[1]
        if failure.variables.get(name) in FUNCTIONS:
            return (
                "function not called",
                (
                    f"`{name}` is a function, and it stands beside `@` without being called. Round"
                    " brackets call it."
                ),
            )
    return (
        "One side of `@` is no array. Plain numbers are multiplied by `*`; a function is called"
        " with round brackets."
    )


FUNCTIONS = (
    "function",
    "builtin_function_or_method",
    "method",
    "ufunc",
    "_ArrayFunctionDispatcher",
    "type",
)


def _broadcast(found, failure):
    shapes = list(
        dict.fromkeys(_sizes(found[1]))
    )  # of a step in place NumPy names the result's, too
    said = (
        f"These shapes do not fit together: {' and '.join(f'({_comma(s)})' for s in shapes)}."
        f" {AXES}"
    )
    if len(shapes) != 2:
        return said
    row, other = sorted(shapes, key=len)
    if len(row) == len(other) == 1:
        if "+" in failure.line:
            return (
                f"{said} `+` adds arrays number by number. Lists it joins: is one of the two an"
                " array that should be a list?"
            )
        return (
            f"{said} Where each number of one should meet each of the other, one of them stands as"
            " a column, with an axis more: `[:, None]`."
        )
    if ".shape)" in failure.line.replace(" ", ""):
        return (
            "a shape where one size belongs",
            f"{said} `.shape` holds all sizes; `.shape[-1]` is the last of them.",
        )
    if (
        len(row) == len(other) == 2
        and "*" in failure.line.replace("**", "")
        and "@" not in failure.line
        and shapes[0][1] == shapes[1][0]
    ):
        return (
            "`*` in place of `@`",
            f"{said} `*` multiplies number by number. A matrix product is `@`.",
        )
    if len(row) == 1 < len(other) and row[0] in other[:-1]:
        if _lost_an_axis(row, failure):
            return (
                "keepdims forgotten",
                (
                    f"{said} A sum or a maximum along an axis loses that axis; `keepdims=True`"
                    " keeps it."
                ),
            )
        return (
            NEW_AXIS,
            (
                f"{said} ({row[0]},) is laid along the columns. To meet the rows it has to stand as"
                " a column, with an axis more."
            ),
        )
    if len(row) == len(other) == 2:
        if row == other[::-1]:
            return (
                "transposed",
                f"{said} One of the two is turned: rows and columns have changed places.",
            )
        if row[1] == other[1] == 1:
            return (
                "two columns",
                (
                    f"{said} Both stand as columns. Where each number should meet each, one of them"
                    " lies as a row."
                ),
            )
        columns = [s for s in (row, other) if s[1] == 1]
        if columns and columns[0][0] in [s[1] for s in (row, other) if s[1] != 1]:
            return (
                "a column where a row belongs",
                (
                    f"{said} ({_comma(columns[0])}) stands as a column, and has a number for each"
                    " column of the other."
                ),
            )
    return said


def _how_many(found, failure):
    name, least, came = found[1], int(found[2]), int(found[3])
    if came < least:
        return "too few arguments", f"`{name}` is called with too few arguments."
    return "too many arguments", f"`{name}` is called with too many arguments."


def _ragged(found, failure):
    if re.search(r"@\s*[(\[]", failure.line):
        return (
            "`@` with several matrices",
            "`@` takes one matrix at a time. Several products are several lines.",
        )
    if "inhomogeneous" in failure.text:
        return (
            "parts of different shapes",
            (
                "An array wants parts of one shape. Here they differ: rows of other lengths, a row"
                " where one number should stand, or a pair: does a function here give back two"
                " things?"
            ),
        )
    return (
        "a row where one number belongs",
        "An array has one number in each place. Here a whole row stands where a number should.",
    )


def _comma(sizes):
    return ",".join(map(str, sizes)) + "," * (len(sizes) == 1)


def _lost_an_axis(row, failure):
    """Whether a sum, a maximum or their kind meets an array in the line, or made one of its
    variables of this shape."""
    made = [line for name, line in failure.made.items() if failure.variables.get(name) == row]
    lines = [*([failure.line] if _meets_a_sum(failure.line) else []), *made]
    return any(len(re.findall(ALONG, line)) > line.count("keepdims") for line in lines)


def _meets_a_sum(line):
    """Whether a sum or its kind is one side of a step, and no plain number the other: what is
    summed last stopped nothing."""
    try:
        nodes = list(ast.walk(ast.parse(line.rstrip(":").strip())))
    except SyntaxError:  # a part of a longer statement
        return True
    sides = [
        [node.left, node.right] if isinstance(node, ast.BinOp) else [node.left, *node.comparators]
        for node in nodes
        if isinstance(node, (ast.BinOp, ast.Compare))
    ]
    augmented = [node.value for node in nodes if isinstance(node, ast.AugAssign)]
    return any(
        re.search(ALONG, ast.unparse(side))
        for pair in sides
        if not any(isinstance(side, ast.Constant) for side in pair)
        for side in pair
    ) or any(re.search(ALONG, ast.unparse(value)) for value in augmented)


def _truth(found, failure):
    said = (
        "Python asks a whole array for a single yes or no: `max`, `min`, `if`, `and`, `or` do."
        " `np.maximum(a, b)` compares number by number; `np.max(a, axis=...)` takes the largest"
        " along an axis."
    )
    for name in ("max", "min", "sorted", "any", "all"):
        if re.search(rf"(?<![\w.]){name}\s*\(", failure.line):
            return f"Python's {name} of a whole array", said
    if re.search(r"(?<!\w)(?:and|or|not)(?!\w)", failure.line):
        return (
            "and, or, not of a whole array",
            said + " `&`, `|` and `~` combine truth values place by place.",
        )
    if re.match(r"\s*(?:if|elif|while)\b", failure.line) or re.search(r"\bif\b", failure.line):
        return "if of a whole array", said + " `np.where` chooses place by place."
    return "one yes or no for a whole array", said


def _brackets(found, failure):
    """An array or a number at a place where NumPy wants something else: which, the line says."""
    line = failure.line
    if found := re.search(r"np\.(max|min|amax|amin)\s*\(\s*0(?:\.0*)?\s*,", line):
        which = found[1].removeprefix("a")
        return (
            f"np.{which} for np.{which}imum",
            (
                f"`np.{which}` looks for the {'largest' if which == 'max' else 'smallest'} number"
                f" of one array, and its second argument is an axis. `np.{which}imum(0, x)`"
                " compares number by number."
            ),
        )
    if found := _calls(
        line,
        r"np\.(?:zeros|ones|empty|full|concatenate|hstack|vstack|stack|column_stack|tile|append|reshape)",
    ):
        what = found[0].rstrip("( ")
        one = "the sizes" if what[3:] in ("zeros", "ones", "empty", "full") else "the arrays"
        return (
            "brackets missing",
            f"`{what}` takes {one} as one thing: a pair of brackets around them is missing.",
        )
    if any(
        held in ("list", "tuple") and re.search(rf"\b{name}\s*\[", line)
        for name, held in failure.variables.items()
    ):
        return NO_ARRAY, f"A list takes one whole number between its square brackets. {LISTS}"
    if re.search(r"\brange\s*\(", line):
        return (
            "range of an array",
            "`range` counts up to one whole number. How many rows an array has says `len`.",
        )
    return (
        "an array where one number belongs",
        "An array stands where NumPy wants one whole number, such as an axis or a size.",
    )


def _nothing(found, failure):
    """None in a calculation: where it came from."""
    held = [
        name
        for name, what in failure.variables.items()
        if what == "None" and re.search(rf"\b{name}\b", failure.line)
    ]
    for name in held:
        call = in_place(failure.made.get(name, ""))
        if call:
            return (
                NOTHING_BACK,
                f"`{name}` is None: `{call}` changes its array in place and gives nothing back.",
            )
    name = f"`{held[0]}`" if held else "Something in this line"
    return (
        "None in a calculation",
        f"{name} is None: a function before it gave nothing back. Does it end with a `return`?",
    )


def in_place(line: str) -> str | None:
    """The function in a line that works in place and gives back None, or None."""
    found = re.search(
        r"np\.(?:fill_diagonal|put|put_along_axis|place|copyto|putmask|random\.shuffle)(?=\s*\()"
        r"|\.(?:sort|fill|append|extend|reverse|insert|remove|clear|update|resize)(?=\s*\()",
        line,
    )
    return found and found[0]


def _too_few(found, failure):
    called = found[1].split(".")[-1]
    if called == "tri" and (inner := re.search(r"\btri[lu]\b", failure.line)):
        return (
            NO_TABLE,
            f"`{inner[0]}` cuts a triangle out of a table, and here it gets a single number.",
        )
    if failure.line and called not in failure.line:
        near = difflib.get_close_matches(called, re.findall(r"(\w+)\s*\(", failure.line), cutoff=0)
        called = near[0] if near else called
    return f"`{called}` is called with too few arguments."


def _attribute(found, failure):
    module = re.search(r"module '([\w.]+)' has no attribute '(\w+)'", failure.text)
    if module:
        where = "NumPy" if module[1] == "numpy" else f"`{module[1]}`"
        return "unknown name", f"{where} has no `{module[2]}`."
    kind, name = found[1], found[2]
    if kind is None:
        return None, f"Python says: {failure.text}"
    if kind == "NoneType":
        return _nothing(found, failure)
    if kind in ("list", "tuple"):
        return NO_ARRAY, f"`.{name}` is asked of a {kind}, which has none. {LISTS}"
    if kind.endswith("ndarray"):
        if name in dir(list):
            return (
                "an array used like a list",
                (
                    f"An array has no `.{name}`: lists have. An array keeps its size, and a longer"
                    " one is a new array."
                ),
            )
        near = _near(name, [n for n in dir(sys.modules["numpy"].ndarray) if n[0] != "_"])
        return "unknown name", f"`.{name}` is asked of something that has none (an array).{near}"
    if kind in ("int", "float", "bool") or kind.startswith("numpy."):
        return NO_TABLE, f"`.{name}` is asked of a single number."
    if kind in FUNCTIONS:
        return (
            "function not called",
            f"`.{name}` is asked of a function that was not called. Round brackets call it.",
        )
    return "unknown name", f"`.{name}` is asked of something that has none (its type is {kind})."


def _behind_a_list(failure):
    """`+` of a list and something else: what is meant depends on whether arrays are about."""
    if any(isinstance(held, tuple) for held in failure.variables.values()):
        return NO_ARRAY, f"`+` puts a list behind a list. {LISTS}"
    return (
        "no list behind a list",
        (
            "`+` joins two lists, and here one side is no list. Square brackets make a list of one"
            " thing: `[x]`."
        ),
    )


def _operands(found, failure):
    kinds = [kind.split(".")[-1] for kind in re.findall(r"'([\w.]+)'", found[0])]
    for kind in kinds:
        if kind == "NoneType":
            return _nothing(found, failure)
        if kind in ("list", "tuple") and "for +" in failure.text:
            return _behind_a_list(failure)
        if kind in ("list", "tuple"):
            return NO_ARRAY, f"A {kind} does not calculate. {LISTS}"
        if kind in FUNCTIONS:
            return (
                "function not called",
                "A function stands where its result should. Round brackets call it.",
            )
        if kind in ("str", "bytes"):
            return "text in a calculation", "Text stands where a number should."
        if kind in ("map", "filter", "zip", "generator", "range", "dict", "set", "dict_values"):
            return (
                NO_ARRAY,
                f"A {kind} does not calculate. `np.array(list(...))` makes numbers of it.",
            )
    return None, f"Python says: {failure.text}"


def _split(found, failure):
    if "axis" not in failure.line and not re.search(r"split\([^()]*,[^()]*,", failure.line):
        return (
            "split over the rows",
            (
                "`split` cuts along axis 0, between rows, where no axis is named. And the pieces"
                " would not be of one size."
            ),
        )
    return "pieces of unequal size", "The axis cannot be cut into that many pieces of one size."


def _together(found, failure):
    said = "Arrays that are put together must have the same size along every other axis."
    if "number of dimensions" in failure.text and _calls(
        failure.line, r"np\.(?:concatenate|append)"
    ):
        return NEW_AXIS, f"{said} A single row wants a new axis first: `row[None]`."
    if _calls(failure.line, r"np\.hstack"):
        return (
            "side by side instead of below each other",
            f"{said} `hstack` puts them side by side.",
        )
    return (
        "pieces that do not fit together",
        f"{said} A single row wants a new axis first: `row[None]`.",
    )


def _letters(_, failure):
    """(name, sentence): einsum cannot match its letters; or a function that is called here cannot,
    which the student did not write."""
    if "einsum" in failure.line:
        return (
            "the letters of einsum",
            (
                "The letters of `einsum` do not fit the arrays: one letter for each axis, "
                "the same letter for the same size."
            ),
        )
    return (
        "shapes that do not fit together",
        (
            "The arrays that are handed over here do not fit together. Is their order right, "
            "and that of their axes?"
        ),
    )


# (the error's type, a pattern in its text, what slipped, what it means; a function of the match and
# the failure may give the last or both)
KNOWN = [
    (
        "Withheld",
        r"",
        "`mine` inside a law",
        (
            "`mine` gives no function inside a law. A law says what holds of every right one, and"
            " does not compute it once more."
        ),
    ),
    (
        "ArgumentError",
        r"",
        "an argument that does not fit",
        lambda _, failure: (
            f"A function of the course refuses an argument: {failure.text}."
            + (
                " Or is a row a pair? Does a function give back two things?"
                if "rows of different lengths" in failure.text
                else ""
            )
        ),
    ),
    (
        "ValueError",
        r"matmul: Input operand 1 has a mismatch.*\(size (\d+) is different from (\d+)\)",
        "sizes that do not meet",
        _matmul,
    ),
    (
        "ValueError",
        r"shapes \(([\d,]+)\) and \(([\d,]+)\) not aligned",
        "sizes that do not meet",
        lambda f, _: (
            "A matrix product needs as many columns on its left as rows on its right: here the"
            f" shapes are ({f[1]}) and ({f[2]})."
        ),
    ),
    (
        "ValueError",
        r"matmul: Input operand (\d) does not have enough dimensions",
        "a number in a matrix product",
        _number_in_a_product,
    ),
    (
        "ValueError",
        r"matmul",
        "sizes that do not meet",
        "The two sides of `@` do not fit together.",
    ),
    (
        "ValueError",
        r"could not be broadcast together with shapes ([(\d,) ]+)",
        "shapes that do not fit together",
        _broadcast,
    ),
    (
        "ValueError",
        (
            r"non-broadcastable output operand with shape \(([\d,]*)\) doesn't match the broadcast"
            r" shape \(([\d,]*)\)"
        ),
        "in place, into another shape",
        lambda f, _: (
            f"The result has shape ({f[2]}), and the array it should go into has ({f[1]}). Write `x"
            " = x + ...` rather than `x += ...`."
        ),
    ),
    (
        "ValueError",
        r"could not broadcast input array from shape \(([\d,]*)\) into shape \(([\d,]*)\)",
        "a place of another shape",
        lambda f, _: f"Something of shape ({f[1]}) is put into a place of shape ({f[2]}).",
    ),
    ("ValueError", r"truth value of an array", None, _truth),
    (
        "ValueError",
        r"cannot reshape array of size (\d+) into shape \(([\w, -]*)\)",
        "a reshape that does not come out",
        lambda f, _: (
            f"`reshape` keeps every number, and here {f[1]} numbers do not fill shape"
            f" ({f[2].replace('newaxis', '-1')})."
        ),
    ),
    ("ValueError", r"all (?:the )?input array.*(?:shape|dimension)", None, _together),
    (
        "ValueError",
        r"axes don't match array",
        "not one number for each axis",
        "`transpose` wants one number for each axis of the array.",
    ),
    (
        "ValueError",
        r"repeated axis",
        "one axis named twice",
        "`transpose` wants every axis once: one is named twice, and another is missing.",
    ),
    ("ValueError", r"does not result in an equal division", None, _split),
    (
        "ValueError",
        r"not enough values to unpack \(expected (\d+), got (\d+)\)",
        "fewer things than names",
        lambda f, _: (
            f"There are {f[1]} names on the left, and {many(int(f[2]), 'things')} on the right."
        ),
    ),
    (
        "ValueError",
        r"too many values to unpack \(expected (\d+)",
        "more things than names",
        lambda f, _: f"There are {f[1]} names on the left, and more things on the right.",
    ),
    ("ValueError", r"setting an array element with a sequence|inhomogeneous", None, _ragged),
    (
        "ValueError",
        r"einstein sum|einsum|operand has (?:more|fewer) dimensions|with remapped shapes",
        None,
        _letters,
    ),
    (
        "ValueError",
        r"read-only",
        "an array that must not change",
        "This array may be read, not changed. Work on a copy.",
    ),
    (
        "ValueError",
        r"math domain error|expected a (?:positive|nonnegative)",
        "a root or logarithm of a negative number",
        "`math` has no root and no logarithm of a negative number.",
    ),
    (
        r".*AxisError",
        r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
        "an axis that is not there",
        lambda f, _: (
            f"There is no axis {f[1]}: the array has {f[2]}, counted from 0; -1 is the last."
        ),
    ),
    (
        "TypeError",
        r"only integer scalar arrays can be converted|Cannot interpret '.*' as a data type|data"
        r" type .* not understood|"
        r"concatenate\(\) (?:got multiple values|takes)|'numpy\.ndarray' object cannot be"
        r" interpreted as an integer",
        None,
        _brackets,
    ),
    (
        "TypeError",
        r"only (?:length-1|0-dimensional) arrays can be converted|only size-1",
        "an array where one number belongs",
        (
            "A whole array stands where one number is wanted. The functions of `math` take one"
            " number; those of NumPy, such as `np.exp`, take arrays."
        ),
    ),
    (
        "TypeError",
        r"'(?:numpy\.)?(\w+)' object is not callable",
        "numbers called like a function",
        (
            "Two pairs of parentheses stand side by side, or a name that holds numbers is called:"
            " is a `*`, an `@` or a comma missing?"
        ),
    ),
    (
        "TypeError",
        (
            r"'(?:function|builtin_function_or_method|method|numpy\.ufunc)' object is not"
            r" subscriptable"
        ),
        "square brackets after a function",
        "Square brackets stand after a function: call it with round ones.",
    ),
    (
        "TypeError",
        r"(?:list|tuple) indices must be integers or slices, not (\w+)",
        NO_ARRAY,
        f"A list takes one whole number between its square brackets: no comma, no array. {LISTS}",
    ),
    (
        "TypeError",
        r"unsupported operand type\(s\) for \^|ufunc 'bitwise_xor' not supported",
        "^ for a power",
        "`^` is no power in Python: it compares numbers bit by bit. A power is written `**`.",
    ),
    (
        "TypeError",
        r"unsupported operand type\(s\) for .*|'[<>]=?' not supported between instances of .*",
        None,
        _operands,
    ),
    (
        "TypeError",
        r"ufunc 'bitwise_(and|or)' not supported",
        "& or | of numbers",
        "`&` and `|` combine truth values, not numbers.",
    ),
    (
        r".*Error",
        r"did not contain a loop with signature matching types .*<U",
        "text in a calculation",
        "Text stands where a number should.",
    ),
    ("TypeError", r"NoneType", "None in a calculation", _nothing),
    (
        "TypeError",
        r"([\w.]+)\(\) missing (?:\d+ )?(?:required|keyword)",
        "too few arguments",
        _too_few,
    ),
    (
        "TypeError",
        r"(\w+)\(\) got an unexpected keyword argument '(\w+)'",
        "an argument that the function does not have",
        lambda f, _: f"`{f[1]}` has no argument `{f[2]}`.",
    ),
    (
        "TypeError",
        r"(\w+)\(\) got multiple values for argument '(\w+)'",
        "one argument given twice",
        lambda f, _: f"`{f[1]}` gets its argument `{f[2]}` twice: by its place, and by its name.",
    ),
    (
        "TypeError",
        r"(\w+)\(\) takes (?:from )?(?:at least )?(\d+).* but (\d+) (?:was|were) given",
        None,
        _how_many,
    ),
    (
        "TypeError",
        r"(\w+)\(\) takes .*(?:given|arguments?)",
        "too many arguments",
        lambda f, _: f"`{f[1]}` is called with too many arguments.",
    ),
    (
        "TypeError",
        r"can't multiply sequence by non-int",
        NO_ARRAY,
        f"A list times a number repeats the list. {LISTS}",
    ),
    (
        "TypeError",
        r"can only concatenate (?:list|tuple|str)",
        None,
        lambda f, failure: _behind_a_list(failure),
    ),
    (
        "TypeError",
        r"bad operand type for unary ~|ufunc 'invert' not supported",
        "~ of numbers",
        "`~` turns True into False and back. It wants an array of truth values, not numbers.",
    ),
    (
        "TypeError",
        r"bad operand type for (?:unary [-+]|abs\(\)): '(\w+)'",
        NO_ARRAY,
        lambda f, _: f"A {f[1]} does not calculate. {LISTS}",
    ),
    (
        "TypeError",
        r"numpy boolean (?:negative|subtract)",
        "minus of truth values",
        "Truth values have no minus. `~` turns True into False and back.",
    ),
    (
        r".*Error",
        r"Cannot cast ufunc '(\w+)' output from dtype\('(\w+)'\) to dtype\('(\w+)'\)",
        "in place, into another kind of number",
        lambda f, _: (
            f"The array holds {f[3]}, and what is put into it is {f[2]}. Write `x = x - ...` rather"
            " than `x -= ...`."
        ),
    ),
    (
        "TypeError",
        r"'(?:int|float|bool|numpy\.\w+)' object (?:is not (?:subscriptable|iterable)|does not"
        r" support item assignment)|"
        r"cannot unpack non-iterable|iteration over a 0-d array|len\(\) of unsized object|object of"
        r" type '(?:int|float|numpy\.\w+)' has no len",
        NO_TABLE,
        "A single number is used as if it were an array.",
    ),
    (
        "TypeError",
        r"'tuple' object does not support item assignment",
        "a tuple to be changed",
        f"A tuple stays as it is. {LISTS}",
    ),
    (
        "TypeError",
        r"'float' object cannot be interpreted as an integer|slice indices must be integers|integer"
        r" is required|"
        r"'numpy\.float\d+' object cannot be interpreted as an integer|expected a sequence of"
        r" integers or a single integer",
        WHOLE,
        (
            "A size or a position is a whole number, and `/` always gives one with a point. `//`"
            " divides whole numbers and stays whole."
        ),
    ),
    (
        "IndexError",
        r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)",
        "an index out of range",
        lambda f, _: f"There is no entry {f[1]} along axis {f[2]}: it has {f[3]}, counted from 0.",
    ),
    (
        "IndexError",
        r"too many indices for array: array is (\d+)-dimensional, but (\d+) were indexed",
        "more indices than axes",
        lambda f, _: (
            f"The array has {f[1]} axes and gets {f[2]} indices. `None` makes a new axis, `[:,"
            " None]` a column."
        ),
    ),
    (
        "IndexError",
        r"invalid index to scalar variable",
        NO_TABLE,
        "A single number has no entries: square brackets stand behind it.",
    ),
    (
        "IndexError",
        r"arrays used as indices must be of integer",
        WHOLE,
        "Positions are whole numbers or truth values. Here they are numbers with a point.",
    ),
    (
        "IndexError",
        r"only integers, slices",
        WHOLE,
        "Positions are whole numbers. `//` divides whole numbers and stays whole.",
    ),
    (
        "IndexError",
        r"boolean index did not match",
        "a mask of another shape",
        "A mask must have the shape of what it picks from.",
    ),
    (
        "IndexError",
        r"shape mismatch: indexing arrays could not be broadcast",
        "indices of unlike lengths",
        "Rows and columns are named in pairs: as many of the one as of the other.",
    ),
    (
        "IndexError",
        r"(?:list|tuple) (?:assignment )?index out of range",
        "an index out of range",
        "There are fewer entries than that; they are counted from 0.",
    ),
    (
        "NameError",
        r"name '(\w+)' is not defined",
        "unknown name",
        lambda f, _: f"Nothing is called `{f[1]}` here.",
    ),
    (
        "UnboundLocalError",
        r"local variable '(\w+)'",
        "used before it has a value",
        lambda f, _: f"`{f[1]}` is used before it is given a value in this function.",
    ),
    (
        "AttributeError",
        r"`np\.(\w+)` was removed",
        "a name that NumPy no longer has",
        lambda found, failure: f"{failure.text.rstrip('.')}.",
    ),
    ("AttributeError", r"'([\w.]+)' object has no attribute '(\w+)'|", None, _attribute),
    (
        "ModuleNotFoundError",
        r"No module named '([\w.]+)'",
        "a package that is not here",
        lambda f, _: f"There is no `{f[1]}` here: NumPy is all that is needed.",
    ),
    ("ZeroDivisionError", r"", "divided by zero", "It divides by zero."),
    ("OverflowError", r"", "overflow", "A number grew beyond what a float can hold."),
    (
        "LinAlgError",
        r"",
        "a matrix without an inverse",
        "A matrix has no inverse, or is not square.",
    ),
]


def _near(name, names):
    near = difflib.get_close_matches(name, names, cutoff=0.6)
    return f" Did you mean `{near[0]}`?" if near else ""


def _guess(failure, known):
    """The name that was probably meant, among the function's own, the notebook's, Python's and the
    module's."""
    visible = {
        name: f"`{name}`"
        for name in [*failure.variables, *known, *dir(builtins)]
        if not name.startswith("_")
    } | {"numpy": "`np`"}
    missing = re.search(r"name '(\w+)' is not defined", failure.text)
    if missing and missing[1] == "np":
        return " `import numpy as np` makes it."
    if missing:  # a name that is not there was not meant by itself
        others = {name: shown for name, shown in visible.items() if shown != f"`{missing[1]}`"}
        return _meant(missing[1], others, 0.7)
    missing = re.search(r"module '([\w.]+)' has no attribute '(\w+)'", failure.text)
    if not missing:
        return ""
    short = re.sub(r"^numpy\b", "np", missing[1])
    own = {
        name: f"`{short}.{name}`"
        for name in dir(sys.modules.get(missing[1]))
        if not name.startswith("_")
    }
    courses = {name: f"`{name}`, without `{short}.`" for name in known if not name.startswith("_")}
    return _meant(missing[2], courses | own, 0.6)


def _meant(name, shown, cutoff):
    """A question for the nearest of some names, {name: how it is shown}; one that differs in
    capitals alone is the nearest."""
    near = [other for other in shown if other.lower() == name.lower()] or difflib.get_close_matches(
        name, shown, cutoff=cutoff
    )
    return f" Did you mean {shown[near[0]]}?" if near else ""


def _one_head(failure):
    """A hint where several heads go at once into a function that takes one."""
    call = re.search(r"\b((?:masked_|scaled_)?attention)\s*\(([^()]*)", failure.line)
    several = call and any(
        _axes(failure.variables.get(name)) > 2 for name in re.findall(r"\b\w+\b(?!\s*\[)", call[2])
    )
    return f" `{call[1]}` takes one head at a time: tables of two axes." if several else ""


def _shapes(failure):
    """The shapes of the arrays that the line names."""
    named = [
        (name, held)
        for name, held in failure.variables.items()
        if isinstance(held, tuple) and re.search(rf"\b{re.escape(name)}\b", failure.line)
    ]
    return (
        " The shapes: " + ", ".join(f"`{name}` {held}" for name, held in named) + "."
        if named
        else ""
    )

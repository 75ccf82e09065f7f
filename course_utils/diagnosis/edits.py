"""The grammar of slips: every small change of a student's function that may mend it, as tables.

An edit lies in the student's own text. It has a kind (what the slip is called: slip_words.py), a
cost, and the text that it
changes. What is cheaper is meant first: what is dropped or exchanged for its twin (1) before
another operation, name or
number (2), these before something that is added (3). Searching is not here (mending.py).

Tables hold patterns in Python: a, b and c stand for any expression, F for any function, M for any
method.
"""

import ast
import copy
import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

# fmt: off
# A pattern, and what may stand in its place: (kind, cost, pattern, replacement).
DROPPED = [
    *(("too much", 1, f"a {op} b", kept) for op in ("+", "-", "*", "/", "**", "//", "%", "@", "&", "|") for kept in "ab"),
    ("sign", 1, "-a", "a"), ("inverted", 1, "~a", "a"), ("inverted", 1, "not a", "a"),
    ("transpose", 1, "a.T", "a"), ("transpose", 1, "a.swapaxes(b, c)", "a"), ("transpose", 1, "np.swapaxes(a, b, c)", "a"),
    ("transpose", 1, "a.transpose()", "a"), ("transpose", 1, "np.transpose(a)", "a"),
    ("too much", 1, "F(a)", "a"), ("too much", 1, "a.M()", "a"), ("too much", 2, "a.M(b)", "a"),
    ("too much", 2, "np.where(a, b, c)", "b"), ("too much", 2, "np.where(a, b, c)", "c"),
    ("too much", 2, "a if b else c", "a"), ("too much", 2, "a if b else c", "c"),
    ("too much", 2, "a and b", "a"), ("too much", 2, "a and b", "b"),
    ("too much", 2, "a or b", "a"), ("too much", 2, "a or b", "b"),
    ("index", 2, "a[b]", "a"),
]
EXCHANGED = [
    *(("operands", 1, f"a {op} b", f"b {op} a") for op in ("/", "@", "**", "//", "%", "+")),
    *(("sign", 2, f"a {was} b", new) for was, new in [("-", "b - a"), ("+", "a - b"), ("-", "a + b")]),
    ("operands", 2, "a + b + c", "a + c + b"),
    *(("comparison", 1, f"a {was} b", f"a {new} b")
      for was, new in itertools.permutations(["<", "<=", ">", ">=", "==", "!="], 2)),
    ("inverted", 1, "np.where(a, b, c)", "np.where(a, c, b)"), ("inverted", 1, "np.where(a, b, c)", "np.where(~a, b, c)"),
    ("inverted", 1, "a if b else c", "c if b else a"),
    ("inverted", 2, "a[b]", "a[~b]"), ("operator", 2, "a and b", "a or b"), ("operator", 2, "a or b", "a and b"),
    *(("operator", 2, f"a {was} b", f"a {new} b") for was, news in {
        "+": "*", "-": "/", "*": "@ / + -", "/": "* - // **", "@": "*", "**": "*", "//": "/ %", "%": "// /", "&": "|", "|": "&",
      }.items() for new in news.split()),
]
BRACKETS = [
    *(("brackets", 2, f"a {x} b {y} c", f"a {x} (b {y} c)")
      for x, y in [*itertools.product("+-*/", repeat=2), ("@", "/"), ("/", "@"), ("**", "/"), ("**", "*"), ("@", "+")]),
    *(("brackets", 2, f"a {x} (b {y} c)", f"(a {x} b) {y} c")
      for x, y in [*itertools.product("+-*/", repeat=2), ("**", "*"), ("**", "/"), ("@", "+"), ("@", "/")]),
    *(("brackets", 2, f"F(a) {op} b", f"F(a {op} b)") for op in ("+", "-", "*", "/", "@", "**")),
    *(("brackets", 2, f"F(a {op} b)", f"F(a) {op} b") for op in ("+", "-", "*", "/", "@", "**")),
    *(("brackets", 2, f"a {op} F(b)", f"F(a {op} b)") for op in ("+", "-", "*", "/", "@")),
    *(("brackets", 2, f"F(a {op} b)", f"a {op} F(b)") for op in ("+", "-", "*", "/", "@")),
    *(("brackets", 2, f"F(a {op} b)", f"F(a) {op} F(b)") for op in "+-"),
    *(("brackets", 2, f"F(a) {op} F(b)", f"F(a {op} b)") for op in "+-"),
    ("brackets", 2, "(a ** b).M()", "a.M() ** b"), ("brackets", 2, "a.M() ** b", "(a ** b).M()"),
]
SHAPED = [
    ("index", 1, "a[b, c]", "a[c, b]"), ("index", 2, "a[b]", "a[:, b]"), ("index", 2, "a[b]", "a[-1]"), ("index", 2, "a[b]", "a[0]"),
    ("index", 2, "a[b]", "a[b + 1]"), ("index", 2, "a[b]", "a[b - 1]"), ("index", 2, "a[:, b]", "a[b]"),
    ("index", 2, "a[:b]", "a[b:]"), ("index", 2, "a[:b]", "a[-b:]"), ("index", 2, "a[-b:]", "a[:b]"), ("index", 2, "a[b:]", "a[:b]"),
    ("one off", 2, "a[b:]", "a[b + 1:]"), ("one off", 2, "a[b:]", "a[b - 1:]"), ("one off", 2, "a[b:]", "a"),
    ("one off", 2, "a[:b]", "a[:b + 1]"), ("one off", 2, "a[:b]", "a[:b - 1]"), ("one off", 2, "a[:b]", "a"),
    ("one off", 2, "range(a)", "range(a + 1)"), ("one off", 2, "range(a)", "range(a - 1)"), ("one off", 2, "range(a)", "range(1, a)"),
    ("one off", 2, "range(a)", "range(1, a + 1)"), ("one off", 2, "range(a, b)", "range(b)"), ("one off", 2, "range(a, b)", "range(a, b + 1)"),
    ("one off", 2, "range(a, b)", "range(a, b - 1)"), ("one off", 2, "np.arange(a)", "np.arange(a + 1)"),
    ("one off", 2, "np.arange(a)", "np.arange(1, a + 1)"), ("one off", 2, "np.arange(a, b)", "np.arange(b)"),
    ("one off", 2, "np.arange(1, a + 1)", "np.arange(a)"), ("one off", 2, "range(1, a + 1)", "range(a)"),
    ("transpose", 2, "a @ b", "a @ b.T"), ("transpose", 2, "a @ b", "a.T @ b"), ("transpose", 2, "a @ b", "(a @ b).T"),
    ("transpose", 2, "a * b", "a.T * b"), ("transpose", 2, "a * b", "a * b.T"),
    ("transpose", 3, "a @ b", "a @ b.swapaxes(-1, -2)"), ("transpose", 3, "F(a)", "F(a.T)"), ("transpose", 3, "F(a)", "F(a).T"),
    ("axis", 2, "softmax(a)", "softmax(a.T).T"), ("axis", 2, "mine.softmax(a)", "mine.softmax(a.T).T"),
    ("axis", 1, "softmax(a.T).T", "softmax(a)"), ("axis", 1, "mine.softmax(a.T).T", "mine.softmax(a)"),
    ("reshape", 2, "a.reshape(b, c, d)", "a.reshape(c, b, d).swapaxes(0, 1)"),
    ("reshape", 2, "a.reshape(b, c, d).swapaxes(0, 1)", "a.reshape(b, c, d)"), ("reshape", 2, "a.reshape(b, c)", "a.swapaxes(0, 1).reshape(b, c)"),
    *(("new axis", 2, f"a {op} b", f"a {op} b[:, None]") for op in ("+", "-", "*", "/", "<", "<=", ">", ">=", "==")),
    *(("new axis", 2, f"a {op} b", f"a[:, None] {op} b") for op in ("+", "-", "*", "/", "<", "<=", ">", ">=", "==")),
    ("new axis", 1, "a[:, None]", "a"), ("new axis", 1, "a[None, :]", "a[:, None]"), ("new axis", 1, "a[:, None]", "a[None, :]"),
]
ADDED = [
    ("sign", 2, "a", "-a"), ("inverted", 2, "a", "~a"), ("inverted", 2, "a < b", "~(a < b)"),
    ("root", 2, "a / b", "a / np.sqrt(b)"), ("root", 2, "a / b", "a / b ** 2"),
    ("whole numbers", 2, "np.zeros_like(a)", "np.zeros_like(a, dtype=float)"),
    ("whole numbers", 2, "np.empty_like(a)", "np.empty_like(a, dtype=float)"), ("whole numbers", 2, "a.copy()", "a.astype(float)"),
    ("whole numbers", 2, "a // b", "a / b"),
]
# fmt: on
TABLE = [*DROPPED, *EXCHANGED, *BRACKETS, *SHAPED, *ADDED]

# Functions that are taken for one another.
TWINS = [
    line.split()
    for line in """
max min sum mean median prod
amax amin
std var
exp log exp2 log2 log10 expm1 log1p
sin cos tan tanh
argmax argmin max
argsort sort argpartition
ones zeros
ones_like zeros_like
tril triu
maximum minimum
any all
append extend insert
vstack hstack stack concatenate
sqrt square abs
cumsum sum cumprod
multiply dot matmul
inner outer dot
repeat tile
round floor ceil trunc
add subtract multiply divide
layer_norm rms_norm
swapaxes transpose
split array_split
""".strip().splitlines()
]
KEEPING = {
    *("max", "min", "sum", "mean", "std", "var", "amax", "amin", "argmax", "argmin", "any", "all"),
    *("prod", "norm", "median"),
}
ALONG = KEEPING | {
    *("argsort", "sort", "cumsum", "cumprod", "softmax", "stack", "concatenate", "repeat", "flip"),
    *("roll", "split", "take_along_axis", "expand_dims", "squeeze", "take", "append", "delete"),
}


@dataclass(frozen=True)
class Edit:
    """A change of a tree. kind and cost: as above; function and line: where; text: the student's
    text that it changes; added: the
    reference's step that it adds, for kind "missing"; changes: [(node, field, index or None, new
    value)]; also: the other lines of
    an edit that is made in several."""

    kind: str
    cost: float
    function: str
    line: int
    text: str
    changes: tuple
    added: str = ""
    also: tuple = ()

    @property
    def lines(self) -> tuple:
        return self.line, *self.also

    def do(self) -> list:
        """Change the tree; returns what takes it back."""
        steps = []
        for node, name, index, new in self.changes:
            held = getattr(node, name)
            if index is None:
                steps.append((node, name, None, held))
                setattr(node, name, new)
            else:
                steps.append((held, None, index, held[index]))
                held[index] = new
        return steps


def undo(steps: list) -> None:
    for holder, name, index, old in reversed(steps):
        if index is None:
            setattr(holder, name, old)
        else:
            holder[index] = old


@dataclass
class Known:
    """What an edit may use besides the student's text: the reference's numbers and the steps it
    takes, the keys of parameters.

    steps: [(text, template)], a step of the reference with a hole for what it is done to; the
    names in it hold the reference's values.
    """

    numbers: set = field(default_factory=set)
    plain: list = field(default_factory=list)
    keys: list = field(default_factory=list)
    steps: list = field(default_factory=list)


# Patterns.

HOLES = {"a", "b", "c", "d"}


def parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def match(pattern, node, found: dict) -> bool:
    """Whether a node has the form of a pattern; `found` is filled with what its letters stand
    for.
    """
    if isinstance(pattern, ast.Name) and pattern.id in HOLES:
        found[pattern.id] = node
        return isinstance(node, ast.expr) and not isinstance(node, ast.Slice)
    if isinstance(pattern, ast.Name) and pattern.id == "F":
        found["F"] = node
        return isinstance(node, (ast.Name, ast.Attribute)) and getattr(node, "id", "") not in (
            "range",
            "len",
            "zip",
            "enumerate",
        )
    if type(pattern) is not type(node):
        return False
    if isinstance(pattern, ast.Attribute) and pattern.attr == "M":
        found["M"] = node.attr
        return not _is_module(node.value) and match(pattern.value, node.value, found)
    if isinstance(pattern, ast.Call) and [k.arg for k in pattern.keywords] != [
        k.arg for k in node.keywords
    ]:
        return False
    for name in pattern._fields:
        if name in ("ctx", "kind"):
            continue
        ours, theirs = getattr(pattern, name), getattr(node, name)
        if isinstance(ours, list):
            if len(ours) != len(theirs) or not all(
                match(x, y, found) for x, y in zip(ours, theirs, strict=True)
            ):
                return False
        elif isinstance(ours, ast.AST):
            if not isinstance(theirs, ast.AST) or not match(ours, theirs, found):
                return False
        elif ours != theirs:
            return False
    return True


def filled(template, found: dict):
    """A template with the letters' expressions in their places."""
    if isinstance(template, ast.Name) and template.id in found:
        return found[template.id]
    new = copy.copy(template)
    for name, value in ast.iter_fields(template):
        if isinstance(value, list):
            setattr(new, name, [filled(v, found) if isinstance(v, ast.AST) else v for v in value])
        elif isinstance(value, ast.AST):
            setattr(new, name, filled(value, found))
        elif name == "attr" and value == "M":
            new.attr = found["M"]
    return new


def is_plain(node) -> bool:
    """Whether it is the same in every run: numbers, slices of them, and what belongs to NumPy."""
    return all(not isinstance(n, ast.Name) or n.id == "np" for n in ast.walk(node))


def _is_module(node) -> bool:
    return isinstance(node, ast.Name) and node.id in ("np", "mine", "math")


@functools.cache
def _by_type() -> dict:
    """{type of node: [(kind, cost, pattern, replacement)]}; a pattern that is one letter fits
    operands of every type.
    """
    rows = {}
    for kind, cost, pattern, replacement in TABLE:
        tree = parsed(pattern)
        rows.setdefault(ast.expr if isinstance(tree, ast.Name) else type(tree), []).append(
            (kind, cost, tree, parsed(replacement))
        )
    return rows


# Places.


@dataclass(frozen=True)
class Place:
    """Where an expression stands: its parent's field (and index)."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.expr

    def becomes(self, new) -> tuple:
        return (
            (
                self.parent,
                self.field,
                self.index,
                ast.fix_missing_locations(ast.copy_location(new, self.node)),
            ),
        )


def places(tree) -> Iterator[Place]:
    """All expressions below a node, those outside first."""
    for name, value in ast.iter_fields(tree):
        if name in ("targets", "target", "args", "decorator_list", "returns") and isinstance(
            tree, (ast.stmt, ast.comprehension, ast.Lambda)
        ):
            if name in ("targets", "target"):
                for one in value if isinstance(value, list) else [value]:
                    if isinstance(one, ast.Subscript):
                        yield from places(one)
            continue
        for index, one in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(one, ast.expr) and not isinstance(one, (ast.JoinedStr, ast.expr_context)):
                yield Place(tree, name, index, one)
            if isinstance(one, ast.AST) and not isinstance(one, ast.JoinedStr):
                yield from places(one)


def edits_of(tree: ast.FunctionDef, known: Known) -> list:
    """All edits of one function, cheapest first."""
    grammar = _Grammar(tree, known)
    found = list(grammar.all())
    return sorted([*found, *_everywhere(found)], key=lambda edit: edit.cost)


class _Grammar:
    """The edits of one function that no pattern can say: they look at names, keywords and
    statements.
    """

    def __init__(self, tree, known: Known):
        self.tree, self.known = tree, known
        nodes = list(ast.walk(tree))
        self.arguments = [a.arg for a in tree.args.args]
        stored = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        self.locals = list(dict.fromkeys([*self.arguments, *stored]))
        self.read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        self.called = {
            n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
        }
        loops = [n.target for n in nodes if isinstance(n, (ast.For, ast.comprehension))]
        self.parts = {
            ast.unparse(n.slice): n.slice
            for n in nodes
            if isinstance(n, ast.Subscript)
            and not isinstance(n.slice, (ast.Slice, ast.Tuple))
            and not isinstance(getattr(n.slice, "value", None), str)
        }
        self.counters = list(
            dict.fromkeys(n.id for loop in loops for n in ast.walk(loop) if isinstance(n, ast.Name))
        )

    def all(self) -> Iterator[Edit]:
        for place in places(self.tree):
            for kind, cost, changes, *more in self.at(place):
                if kind == "too much" and _is_one_more(place.node):
                    kind = "one off"
                text = ast.unparse(
                    self.shown(place) if kind not in ("missing", "name", "number") else place.node
                )
                line = getattr(place.node, "lineno", None) or getattr(place.parent, "lineno", 1)
                yield Edit(kind, cost, self.tree.name, line, text[:90], changes, *more)
        for holder, name in self.blocks():
            for kind, cost, statement, changes in self.of_statements(holder, name):
                yield Edit(
                    kind,
                    cost,
                    self.tree.name,
                    statement.lineno,
                    ast.unparse(statement).partition("\n")[0][:90],
                    changes,
                )

    @staticmethod
    def shown(place):
        """A constant or a slice says little alone: the expression around it."""
        small = isinstance(place.node, (ast.Constant, ast.Slice)) or place.field == "slice"
        return (
            place.parent
            if small and isinstance(place.parent, ast.expr) and hasattr(place.parent, "lineno")
            else place.node
        )

    def at(self, place) -> Iterator[tuple]:
        """(kind, cost, changes, the step that is added) of all edits of one expression."""
        node = place.node
        if isinstance(node, (ast.Tuple, ast.List)) and place.field == "slice" or _is_module(node):
            return
        is_called = (
            place.field == "func"
            or place.field == "value"
            and isinstance(place.parent, ast.Attribute)
            and _is_module(node)
        )
        if not is_called:
            for kind, cost, pattern, replacement in _by_type().get(type(node), ()):
                found = {}
                if match(pattern, node, found):
                    yield kind, cost, place.becomes(filled(replacement, found))
        if (
            place.field == "slice"
            and not isinstance(node, (ast.Slice, ast.Tuple))
            and not isinstance(getattr(node, "value", None), str)
        ):
            for text, other in self.parts.items():
                if text != ast.unparse(node):
                    yield "index", 2, place.becomes(copy.copy(other))
        if isinstance(node, ast.List) and len(node.elts) < 7:
            for i, k in itertools.combinations(range(len(node.elts)), 2):
                yield (
                    "operands",
                    1.5,
                    ((node, "elts", i, node.elts[k]), (node, "elts", k, node.elts[i])),
                )
        one = {
            ast.Name: self.of_name,
            ast.Constant: self.of_constant,
            ast.Attribute: self.of_attribute,
            ast.Call: self.of_call,
            ast.Slice: self.of_slice,
        }.get(type(node))
        if one:
            yield from one(place)
        if is_plain(node) and place.field != "operand":
            for other in self.known.plain:
                if ast.dump(other) != ast.dump(node):
                    yield "number", 2, place.becomes(copy.copy(other))
        if not is_called and self.is_operand(place):
            yield from self.added(place)

    @staticmethod
    def is_operand(place) -> bool:
        inside = isinstance(
            place.parent,
            (
                ast.BinOp,
                ast.Return,
                ast.Assign,
                ast.AugAssign,
                ast.Call,
                ast.Tuple,
                ast.List,
                ast.ListComp,
                ast.Compare,
                ast.Attribute,
                ast.Subscript,
                ast.keyword,
            ),
        )
        shape = isinstance(place.node, ast.Attribute) and place.node.attr in (
            "shape",
            "ndim",
            "size",
        )
        index = place.field in ("slice", "lower", "upper", "step")
        axis = isinstance(place.parent, ast.keyword) and place.parent.arg in (
            "axis",
            "keepdims",
            "dtype",
        )
        return (
            inside
            and not (shape or index or axis)
            and not isinstance(
                place.node, (ast.Tuple, ast.Constant, ast.Lambda, ast.Slice, ast.Starred)
            )
            and not is_plain(place.node)
        )

    def added(self, place):
        for kind, cost, _, replacement in _by_type()[ast.expr]:
            if isinstance(place.node, (ast.Name, ast.Call, ast.BinOp, ast.Subscript, ast.Compare)):
                yield kind, cost, place.becomes(filled(replacement, {"a": place.node}))
        for text, template in self.known.steps:
            yield "missing", 3, place.becomes(filled(template, {"_hole_": place.node})), text
        if isinstance(place.node, ast.Name) and isinstance(place.parent, (ast.Call, ast.Assign)):
            for name in self.locals:
                if name != place.node.id and name not in self.called:
                    yield (
                        "left out",
                        3,
                        place.becomes(
                            filled(
                                parsed("a + b"), {"a": place.node, "b": ast.Name(name, ast.Load())}
                            )
                        ),
                    )
        for name in self.locals:  # something that was made, and is used nowhere
            if name not in self.read and name not in self.called:
                for template in ("a / b", "a * b", "a + b", "a - b", "b - a", "a @ b"):
                    new = filled(
                        parsed(template), {"a": place.node, "b": ast.Name(name, ast.Load())}
                    )
                    yield "unused", 2.5, place.becomes(new), name

    def of_name(self, place):
        if (
            not isinstance(place.node.ctx, ast.Load)
            or place.node.id not in self.locals
            or place.field == "func"
        ):
            return
        for other in self.locals:
            if other != place.node.id and other not in self.called:
                result = isinstance(place.parent, (ast.Return, ast.Tuple))
                yield (
                    "result" if result else "name",
                    1.5 if other not in self.read else 2,
                    place.becomes(ast.Name(other, ast.Load())),
                )

    def of_constant(self, place):
        value = place.node.value
        if isinstance(value, bool):
            yield (
                "keepdims" if getattr(place.parent, "arg", "") == "keepdims" else "number",
                1,
                place.becomes(ast.Constant(not value)),
            )
        elif isinstance(value, (int, float)):
            if getattr(place.parent, "arg", "") in ("axis", "keepdims"):
                return
            near = (
                {value + 1, value - 1, 0, 1, 2}
                if isinstance(value, int)
                else {2 * value, value / 2, 0.0, 1.0, 2.0, 1 / (value or 1)}
            )
            for new in sorted((near | self.known.numbers | {-value}) - {value}):
                kind = (
                    "one off"
                    if isinstance(value, int)
                    and abs(new - value) == 1
                    and isinstance(place.parent, (ast.Slice, ast.BinOp, ast.Call))
                    else "number"
                )
                yield (
                    kind,
                    2,
                    place.becomes(
                        ast.Constant(new)
                        if new >= 0
                        else ast.UnaryOp(ast.USub(), ast.Constant(-new))
                    ),
                )
            for name in (
                self.counters
                if place.field in ("slice", "elts")
                else [a for a in self.arguments if a not in self.read]
            ):
                yield (
                    "index" if place.field in ("slice", "elts") else "number",
                    2,
                    place.becomes(ast.Name(name, ast.Load())),
                )
        elif isinstance(value, str) and value in self.known.keys:
            for key in self.known.keys:
                if key != value:
                    alike = (
                        key.split("_")[0] == value.split("_")[0]
                        or key.split("_")[-1] == value.split("_")[-1]
                    )
                    yield "key", 1.5 if alike else 3, place.becomes(ast.Constant(key))

    def of_attribute(self, place):
        for twins in TWINS:
            if place.node.attr in twins:
                for other in twins:
                    if other != place.node.attr:
                        yield "function", 1.5, ((place.node, "attr", None, other),)

    def of_slice(self, place):
        slice_, whole = place.node, place.parent
        for name in ("lower", "upper"):
            if (limit := getattr(slice_, name)) is not None and isinstance(whole, ast.Tuple):
                yield "one off", 2, ((slice_, name, None, None),)
                for op in "+-":
                    new = ast.fix_missing_locations(
                        ast.copy_location(filled(parsed(f"a {op} 1"), {"a": limit}), limit)
                    )
                    yield "one off", 2, ((slice_, name, None, new),)

    def of_call(self, place):
        call = place.node
        name = (
            call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        )
        if isinstance(call.func, ast.Name):
            own = [["max", "min", "sum"]] if name in ("max", "min", "sum") else TWINS  # of Python
            for other in {other for twins in own if name in twins for other in twins} - {name}:
                yield "function", 1.5, ((call.func, "id", None, other),)
        if name in ALONG:
            yield from self.of_axes(call, name)
        if name not in ("range", "arange", "where"):
            for i, k in itertools.combinations(range(len(call.args)), 2):
                if not isinstance(call.args[i], ast.Starred) and not isinstance(
                    call.args[k], ast.Starred
                ):
                    yield (
                        "argument order",
                        1,
                        ((call, "args", i, call.args[k]), (call, "args", k, call.args[i])),
                    )
        if name in ("reshape", "transpose") and len(call.args) == 3:
            for order in itertools.permutations(call.args):
                if list(order) != call.args:
                    yield "reshape", 2, ((call, "args", None, list(order)),)
        for k, keyword in enumerate(call.keywords):
            if keyword.arg in ("dtype", "ddof", "k"):
                rest = [*call.keywords[:k], *call.keywords[k + 1 :]]
                yield (
                    "whole numbers" if keyword.arg == "dtype" else "number",
                    1,
                    ((call, "keywords", None, rest),),
                )

    def of_axes(self, call, name):
        """Another axis, none, or one where there is none; with `keepdims` or without."""
        method = isinstance(call.func, ast.Attribute) and not _is_module(call.func.value)
        at, held = (0 if method else 1), {k.arg: k for k in call.keywords}
        positional = (
            call.args[at]
            if len(call.args) > at and name not in ("append", "delete", "repeat", "take")
            else None
        )
        now = (
            ast.unparse(held["axis"].value if "axis" in held else positional)
            if "axis" in held or positional is not None
            else None
        )
        kept, others = (
            "keepdims" in held,
            [k for k in call.keywords if k.arg not in ("axis", "keepdims")],
        )
        for axis in ("-1", "0", "1", "-2", None):
            for keep in (False, True) if name in KEEPING else (False,):
                if axis == now and keep == kept or axis is None and keep:
                    continue
                new = [
                    *others,
                    *([ast.keyword("axis", parsed(axis))] if axis else []),
                    *([ast.keyword("keepdims", ast.Constant(True))] if keep else []),
                ]
                new = [ast.fix_missing_locations(ast.copy_location(k, call)) for k in new]
                shorter = ((call, "args", None, call.args[:at]),) if positional is not None else ()
                both = keep != kept and axis != now
                yield (
                    "keepdims" if axis == now else "axis",
                    1.5 if both else 1,
                    ((call, "keywords", None, new), *shorter),
                )

    # Statements.

    def blocks(self):
        for node in ast.walk(self.tree):
            for name in ("body", "orelse"):
                if isinstance(getattr(node, name, None), list):
                    yield node, name

    def of_statements(self, holder, name):
        body = getattr(holder, name)
        for i, one in enumerate(body):
            text = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
            after = body[i + 1] if i + 1 < len(body) else None
            if len(body) > 1 and not text and not isinstance(one, (ast.Return, ast.FunctionDef)):
                yield (
                    "line too much",
                    2.5,
                    one,
                    ((holder, name, None, [*body[:i], *body[i + 1 :]]),),
                )
            if (
                after is not None
                and not isinstance(one, ast.Return)
                and not isinstance(after, ast.Return)
                and not text
            ):
                yield (
                    "line order",
                    2.5,
                    one,
                    ((holder, name, None, [*body[:i], after, one, *body[i + 2 :]]),),
                )
            if isinstance(one, (ast.For, ast.While, ast.If)) and len(one.body) > 1:
                last = one.body[-1]  # the last line of the block, after it
                yield (
                    "indent",
                    2,
                    last,
                    (
                        (holder, name, None, [*body[: i + 1], last, *body[i + 1 :]]),
                        (one, "body", None, one.body[:-1]),
                    ),
                )
            if isinstance(one, (ast.For, ast.While, ast.If)) and after is not None:
                yield (
                    "indent",
                    2,
                    after,
                    (
                        (holder, name, None, [*body[: i + 1], *body[i + 2 :]]),
                        (one, "body", None, [*one.body, after]),
                    ),
                )
            if isinstance(after, (ast.For, ast.While)) and isinstance(one, ast.Assign):
                yield (
                    "indent",
                    2.5,
                    one,
                    (
                        (holder, name, None, [*body[:i], *body[i + 1 :]]),
                        (after, "body", None, [one, *after.body]),
                    ),
                )
            if (
                isinstance(one, (ast.For, ast.While))
                and isinstance(one.body[0], ast.Assign)
                and len(one.body) > 1
            ):
                yield (
                    "indent",
                    2.5,
                    one.body[0],
                    (
                        (holder, name, None, [*body[:i], one.body[0], *body[i:]]),
                        (one, "body", None, one.body[1:]),
                    ),
                )
            if isinstance(one, ast.Return) and holder is not self.tree:
                yield "indent", 2, one, self.after_loop(one, holder, name, i)
            yield from (
                (kind, cost, one, changes)
                for kind, cost, changes in self.of_statement(holder, name, i, one)
            )

    def after_loop(self, statement, holder, name, i):
        """The statement at the end of the function, and no longer inside its loop."""
        rest = [*getattr(holder, name)[:i], *getattr(holder, name)[i + 1 :]] or [
            ast.copy_location(ast.Pass(), statement)
        ]
        return (holder, name, None, rest), (self.tree, "body", None, [*self.tree.body, statement])

    def of_statement(self, holder, name, i, one):
        if isinstance(one, ast.AugAssign):
            plain = ast.fix_missing_locations(
                ast.copy_location(ast.Assign([one.target], one.value), one)
            )
            yield "update", 2, ((holder, name, i, plain),)
            for op in (ast.Add(), ast.Sub(), ast.Mult(), ast.Div()):
                if type(op) is not type(one.op):
                    signs = isinstance(op, (ast.Add, ast.Sub)) and isinstance(
                        one.op, (ast.Add, ast.Sub)
                    )
                    yield "sign" if signs else "operator", 2, ((one, "op", None, op),)
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], (ast.Name, ast.Subscript)):
            old = copy.copy(one.targets[0])
            old.ctx = ast.Load()
            again = [
                n
                for n in ast.walk(self.tree)
                if isinstance(n, ast.Name)
                and n.id == getattr(old, "id", "")
                and isinstance(n.ctx, ast.Store)
            ]
            if isinstance(old, ast.Subscript) or len(again) > 1 or old.id in self.arguments:
                new = ast.fix_missing_locations(
                    ast.copy_location(ast.BinOp(old, ast.Add(), one.value), one)
                )
                yield "update", 2, ((one, "value", None, new),)
            for other in self.locals:  # the name under which it is kept
                if isinstance(old, ast.Name) and other != old.id:
                    yield (
                        "name",
                        3,
                        (
                            (
                                one,
                                "targets",
                                0,
                                ast.copy_location(ast.Name(other, ast.Store()), old),
                            ),
                        ),
                    )
        pair = (
            one.targets[0]
            if isinstance(one, ast.Assign)
            else getattr(one, "value", None)
            if isinstance(one, ast.Return)
            else None
        )
        if isinstance(pair, ast.Tuple):
            for a, b in itertools.combinations(range(len(pair.elts)), 2):
                yield (
                    "result order",
                    1,
                    ((pair, "elts", a, pair.elts[b]), (pair, "elts", b, pair.elts[a])),
                )
        if isinstance(one, ast.Return) and isinstance(pair, ast.Tuple):
            for element in pair.elts:
                yield "result", 1, ((one, "value", None, element),)
        elif isinstance(one, ast.Return) and one.value is not None:
            for other in self.locals:
                for template in ("a, b", "b, a"):
                    new = filled(
                        parsed(template), {"a": one.value, "b": ast.Name(other, ast.Load())}
                    )
                    yield (
                        "result",
                        2,
                        (
                            (
                                one,
                                "value",
                                None,
                                ast.fix_missing_locations(ast.copy_location(new, one)),
                            ),
                        ),
                    )
                if not isinstance(one.value, ast.Name):
                    yield (
                        "result",
                        3,
                        (
                            (
                                one,
                                "value",
                                None,
                                ast.copy_location(ast.Name(other, ast.Load()), one),
                            ),
                        ),
                    )


def _is_one_more(node) -> bool:
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, (ast.Add, ast.Sub))
        and isinstance(node.right, ast.Constant)
        and node.right.value == 1
    )


def _everywhere(found: list) -> Iterator[Edit]:
    """One slip made in several places: the same edit of the same text wherever it can be made;
    two names exchanged.
    """
    groups = {}
    for edit in found:
        if (
            edit.kind
            in (
                "axis",
                "keepdims",
                "name",
                "key",
                "transpose",
                "number",
                "function",
                "index",
                "too much",
            )
            and len(edit.changes) == 1
        ):
            node, name, index, new = edit.changes[0]
            old = getattr(node, name) if index is None else getattr(node, name)[index]
            said = [
                ast.unparse(x)
                if isinstance(x, ast.AST)
                else str([ast.unparse(k.value) for k in x])
                if isinstance(x, list)
                else str(x)
                for x in (old, new)
            ]
            groups.setdefault(
                (edit.kind, *(said if edit.kind not in ("axis", "keepdims") else said[1:])), []
            ).append(edit)
    for group in groups.values():
        if 1 < len(group) < 8:
            yield _joined(group, max(edit.cost for edit in group) + 0.5)
    for key, group in groups.items():
        if (
            key[0] in ("name", "key")
            and key[1] < key[2]
            and (other := groups.get((key[0], key[2], key[1])))
        ):
            yield _joined(sorted([*group, *other], key=lambda e: e.line), group[0].cost + 0.5)


def _joined(group, cost):
    first = group[0]
    changes = tuple(change for edit in group for change in edit.changes)
    also = tuple(sorted({edit.line for edit in group} - {first.line}))
    return Edit(first.kind, cost, first.function, first.line, first.text, changes, also=also)

"""The grammar of slips: every small change of a student's function that may mend it.

An edit lies in the student's own text. It has a kind (what the slip is called: slip_words.py) and a
cost. What is cheaper is meant first: what is dropped or exchanged for its twin (1) before another
operation, name or number (2), these before something that is added (3). Each rule explains answers
that students wrote; how they are searched is not here (mending.py).
"""

import ast
import copy
import functools
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

# kind, cost: pattern -> what may stand in its place; ...
# a, b and c stand for any expression, F for a function, M for a method. A row with {...} is one row
# for each word in it, which $1 repeats.
TABLE = """
too much 1: a {+ - * / ** // % @ & |} b -> a ; b
too much 1: F(a) -> a
too much 1: a.M() -> a
too much 2: a.M(b) -> a
too much 2: np.where(a, b, c) -> b ; c
too much 2: a if b else c -> a ; c
too much 2: a {and or} b -> a ; b
sign 1: -a -> a
sign 2: a - b -> b - a ; a + b
sign 2: a + b -> a - b
sign 2: a -> -a
inverted 1: ~a -> a
inverted 1: not a -> a
inverted 1: np.where(a, b, c) -> np.where(a, c, b) ; np.where(~a, b, c)
inverted 1: a if b else c -> c if b else a
inverted 2: a -> ~a
comparison 1: a {< <= > >= == !=} b -> a < b ; a <= b ; a > b ; a >= b ; a == b ; a != b
operands 1: a {/ @ ** // % +} b -> b $1 a
operator 2: a + b -> a * b
operator 2: a - b -> a / b
operator 2: a * b -> a @ b ; a / b ; a + b ; a - b
operator 2: a / b -> a * b ; a - b ; a // b ; a ** b
operator 2: a @ b -> a * b
operator 2: a // b -> a / b ; a % b
operator 2: a % b -> a // b ; a / b
operator 2: a {and or} b -> a and b ; a or b
root 3: a / b -> a / np.sqrt(b) ; a / b ** 2
order 2: np.argsort(a) -> np.argsort(-a)
order 2: np.argsort(a)[:b] -> np.argsort(a)[-b:] ; np.argsort(a)[::-1][:b]
brackets 2: a {+ - * / ** @} b {+ - * /} c -> a $1 (b $2 c)
brackets 2: a {+ - * / ** @} (b {+ - * /} c) -> (a $1 b) $2 c
brackets 2: a {+ -} b {* /} c {* /} d -> (a $1 b) $2 c $3 d
brackets 2: F(a) {+ - * / @ **} b -> F(a $1 b)
brackets 2: F(a {+ - * / @ **} b) -> F(a) $1 b ; a $1 F(b) ; F(a) $1 F(b)
brackets 2: a {+ - * / @} F(b) -> F(a $1 b)
brackets 2: (a ** b).M() -> a.M() ** b
brackets 2: a.M() ** b -> (a ** b).M()
index 1: a[b, c] -> a[c, b]
index 1: a[::-1] -> a
index 2: a[b] -> a ; a[:, b] ; a[-1] ; a[0] ; a[~b]
index 2: a[:, b] -> a[b]
index 2: a[:b] -> a[b:] ; a[-b:]
index 2: a[-b:] -> a[:b]
index 2: a[b:] -> a[:b]
one off 2: {range np.arange}(a) -> $1(1, a) ; $1(1, a + 1)
one off 2: {range np.arange}(a, b) -> $1(b)
one off 2: {range np.arange}(1, a + 1) -> $1(a)
transpose 1: a.T -> a
transpose 2: a.T -> a.swapaxes(-1, -2)
transpose 1: a.swapaxes(b, c) -> a
transpose 1: np.{transpose swapaxes}(a) -> a
transpose 2: a @ b -> a @ b.T ; a.T @ b ; (a @ b).T ; a @ b.swapaxes(-1, -2)
transpose 2: a * b -> a.T * b ; a * b.T
transpose 3: F(a) -> F(a.T) ; F(a).T
axis 2: {softmax mine.softmax}(a) -> $1(a.T).T
axis 1: {softmax mine.softmax}(a.T).T -> $1(a)
reshape 2: a.reshape(b, c, d) -> a.reshape(c, b, d).swapaxes(0, 1)
reshape 2: a.reshape(b, c, d).swapaxes(0, 1) -> a.reshape(b, c, d)
reshape 2: a.reshape(b, c) -> a.swapaxes(0, 1).reshape(b, c)
new axis 2: a {+ - * / < <= > >= ==} b -> a $1 b[:, None] ; a[:, None] $1 b
new axis 1: a[:, None] -> a ; a[None, :]
new axis 1: a[None, :] -> a[:, None]
whole numbers 2: np.{zeros_like empty_like}(a) -> np.$1(a, dtype=float)
"""
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
""".strip().splitlines()
]
KEEPING = {
    *("max", "min", "sum", "mean", "std", "var", "amax", "amin", "argmax", "argmin", "any", "all"),
    *("prod", "norm", "median"),
}
ALONG = KEEPING | {
    *("argsort", "sort", "cumsum", "cumprod", "softmax", "stack", "concatenate", "repeat", "flip"),
    *("roll", "split", "append"),
}
HOLES = set("abcd")
WITH_A_VALUE = 3.5  # what a step costs that brings a value of the right run along
NUMBER_OF_PLACES = 8  # at which one slip may be made, at most
SAME_EVERYWHERE = "axis", "keepdims", "name", "key", "function"

# What a change sets: (node, its field, the index there or None, the new node), one after the other.
Changes = tuple[tuple[Any, str, int | None, Any], ...]


@dataclass(frozen=True)
class Edit:
    """A change of a tree.

    kind and cost: as above; function and line: where; node: the student's code that is shown;
    make: the changes, or what makes them when they are asked for; added: the reference's step that
    it adds, for kind "missing"; also: the other lines of an edit that is made in several.
    """

    kind: str
    cost: float
    function: str
    line: int
    node: ast.AST
    make: "Changes | Callable[[], Changes]"
    added: str = ""
    also: tuple[int, ...] = ()

    @functools.cached_property
    def changes(self) -> Changes:
        """((node, field, index or None, new value), ...)."""
        return self.make() if callable(self.make) else self.make

    @property
    def text(self) -> str:
        """The student's text that it changes, on one line."""
        return ast.unparse(self.node).partition("\n")[0][:90]

    @property
    def lines(self) -> tuple[int, ...]:
        return self.line, *self.also

    def do(self) -> list[Any]:
        """Change the tree; returns what takes it back."""
        steps: list[Any] = []
        for node, name, index, new in self.changes:
            held = getattr(node, name)
            if index is None:
                steps.append((node, name, None, held))
                setattr(node, name, new)
            else:
                steps.append((held, None, index, held[index]))
                held[index] = new
        return steps


def undo(steps: list[Any]) -> None:
    for holder, name, index, old in reversed(steps):
        if index is None:
            setattr(holder, name, old)
        else:
            holder[index] = old


@dataclass
class Known:
    """What an edit may use besides the student's text: the reference's numbers and the steps it
    takes, the keys of parameters.

    plain: {form: an expression without variables, such as -np.inf}; functions: the functions of
    NumPy that it calls, likewise. steps: {text: template}, a step of the reference with a hole for
    what it is done to; the names in it hold the reference's values. last: the texts of those that
    give the whole answer of other right values. factors: (function, its arguments that are numbers
    with a fraction, by which anything may be multiplied). unpacked: its lines that name the
    lengths of axes, as the task names them: where the student's are these, they are right.
    """

    numbers: set[float] = field(default_factory=set)
    plain: dict[str, Any] = field(default_factory=dict)
    functions: dict[str, Any] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)
    steps: dict[str, Any] = field(default_factory=dict)
    last: set[Any] = field(default_factory=set)
    factors: tuple[str, tuple[str, ...]] = ("", ())
    unpacked: set[str] = field(default_factory=set)


# Patterns.


@functools.cache
def parsed(text: str) -> ast.expr:
    """A template: what is made of it has nodes of its own."""
    return ast.parse(text, mode="eval").body


def match(pattern: Any, node: Any, found: dict[str, Any]) -> bool:
    """Whether a node has the form of a pattern; `found` gets what its letters stand for."""
    if isinstance(pattern, ast.Name) and pattern.id in HOLES:
        found[pattern.id] = node
        return isinstance(node, ast.expr) and not isinstance(node, ast.Slice)
    if isinstance(pattern, ast.Name) and pattern.id == "F":
        found["F"] = node
        unlike = "range", "len", "zip", "enumerate"
        return isinstance(node, (ast.Name, ast.Attribute)) and getattr(node, "id", "") not in unlike
    if type(pattern) is not type(node):
        return False
    if isinstance(pattern, ast.Attribute) and pattern.attr == "M":
        found["M"] = node.attr
        return not _is_module(node.value) and match(pattern.value, node.value, found)
    for name in pattern._fields:
        ours, theirs = getattr(pattern, name), getattr(node, name)
        if name in ("ctx", "kind"):
            continue
        if isinstance(ours, list):
            pairs = zip(ours, theirs, strict=False)
            if len(ours) != len(theirs) or not all(match(x, y, found) for x, y in pairs):
                return False
        elif isinstance(ours, ast.AST):
            if not match(ours, theirs, found):
                return False
        elif ours != theirs:
            return False
    return True


def filled(template: Any, found: dict[str, Any], at: ast.AST) -> Any:
    """A template with the letters' expressions in their places; new nodes stand where `at` is."""
    if isinstance(template, ast.Name) and template.id in found:
        return found[template.id]
    new = type(template)(**{k: _filled_field(v, found, at) for k, v in ast.iter_fields(template)})
    if getattr(new, "attr", "") == "M":
        new.attr = found["M"]
    return ast.copy_location(new, at)


def _filled_field(value, found, at):
    if isinstance(value, list):
        return [_filled_field(one, found, at) for one in value]
    return filled(value, found, at) if isinstance(value, ast.AST) else value


def is_plain(node: ast.AST) -> bool:
    """Whether it is the same in every run: numbers, slices of them, and what belongs to NumPy."""
    return all(not isinstance(n, ast.Name) or n.id == "np" for n in ast.walk(node))


def _is_module(node) -> bool:
    return isinstance(node, ast.Name) and node.id in ("np", "mine", "math")


def _form(node) -> tuple[Any, ...]:
    """The type of an expression, and of its operation."""
    return type(node), type(getattr(node, "op", None))


def _read_table() -> dict[Any, Any]:
    """{form of an expression: [(kind, cost, pattern, replacement)]}; ast.expr: of every form."""
    rows = {}
    for row in TABLE.strip().splitlines():
        choices = [words.split() for words in re.findall(r"\{(.*?)\}", row)]
        for chosen in itertools.product(*choices):
            text = row
            for k, word in enumerate(chosen, start=1):
                text = re.sub(r"\{.*?\}", word.replace("\\", r"\\"), text, count=1)
                text = text.replace(f"${k}", word)
            head, pattern, replacements = re.fullmatch(r"(.*?): (.*) -> (.*)", text).groups()
            kind, cost = head.rsplit(" ", 1)
            tree = parsed(pattern)
            form = ast.expr if isinstance(tree, ast.Name) else _form(tree)
            for replacement in replacements.split(" ; "):
                if replacement != pattern:
                    row_of = kind, float(cost), tree, parsed(replacement)
                    rows.setdefault(form, []).append(row_of)
    return rows


ROWS = _read_table()  # once, not in each process that searches
PART = parsed("a[b]")
SHARES = parsed("a / a.sum(axis=-1, keepdims=True)")  # who writes out a softmax may forget it


# Places.


@dataclass(frozen=True)
class Place:
    """Where an expression stands: its parent's field (and index)."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.expr

    def becomes(self, new: Any) -> Changes:
        return ((self.parent, self.field, self.index, ast.copy_location(new, self.node)),)

    def becomes_filled(self, template: ast.AST, **found: Any) -> Callable[[], Changes]:
        def make():
            return ((self.parent, self.field, self.index, filled(template, found, self.node)),)

        return make

    def becomes_name(self, name: str) -> tuple[Any, ...]:
        return self.becomes(ast.Name(name, ast.Load()))


def places(tree: ast.AST) -> Iterator[Place]:
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
            if isinstance(one, ast.expr) and not isinstance(one, ast.JoinedStr):
                yield Place(tree, name, index, one)
            if isinstance(one, ast.AST) and not isinstance(one, (ast.JoinedStr, ast.expr_context)):
                yield from places(one)


def edits_of(tree: ast.FunctionDef, known: Known) -> list[Any]:
    """All edits of one function, cheapest first."""
    grammar = _Grammar(tree, known)
    found = [*grammar.of_expressions(), *grammar.of_blocks()]
    return sorted([*found, *_everywhere(found)], key=lambda edit: edit.cost)


class _Grammar:
    """The edits of one function. What no pattern can say looks at names, keywords and statements.

    A rule yields (kind, cost, changes), and the step that is added where one is.
    """

    def __init__(self, tree, known: Known):
        self.tree, self.known = tree, known
        nodes = list(ast.walk(tree))
        self.arguments = [a.arg for a in tree.args.args]
        names = [n for n in nodes if isinstance(n, ast.Name)]
        self.stored = [n.id for n in names if isinstance(n.ctx, ast.Store)]
        returns = [n.value for n in nodes if isinstance(n, ast.Return)]
        self.returned = {value.id for value in returns if isinstance(value, ast.Name)}
        self.read = {n.id for n in names if isinstance(n.ctx, ast.Load)}
        called = {getattr(n.func, "id", "") for n in nodes if isinstance(n, ast.Call)}
        self.locals = list(dict.fromkeys([*self.arguments, *self.stored]))
        self.values = [name for name in self.locals if name not in called]
        self.unused = [name for name in self.values if name not in self.read]
        self.taken = {id(n.slice): n for n in nodes if isinstance(n, ast.Subscript)}
        self.taken = {k: n for k, n in self.taken.items() if isinstance(n.slice, ast.Tuple)}
        self.indexed: dict[str, list[Any]] = {}  # {name: [what is taken by it]}
        for node in nodes:
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
                self.indexed.setdefault(getattr(node.slice, "id", ""), []).append(node)
        indexed: list[Any] = [n for n in nodes if _has_one_index(n)]
        self.parts = {ast.unparse(n.slice): n.slice for n in indexed}
        bases = [getattr(part, "value", part) for part in self.parts.values()]
        self.orders = list(dict.fromkeys(n.id for n in bases if isinstance(n, ast.Name)))
        tests = [n.test for n in nodes if isinstance(n, (ast.If, ast.While, ast.IfExp))]
        self.tests = {id(n): test for test in tests for n in ast.walk(test)}
        sums = [n for n in nodes if isinstance(getattr(n, "op", None), (ast.Add, ast.Sub))]
        added = [n.right for n in sums if isinstance(n, ast.BinOp)]
        self.terms = [n for n in added if isinstance(n, (ast.BinOp, ast.Name))]
        self.terms = list({ast.unparse(n): n for n in self.terms}.values())[:6]
        made = [n for n in nodes if isinstance(n, ast.Assign) and _is_exp(n.value)]
        self.powers = {getattr(n.targets[0], "id", "") for n in made} - {""}
        loops = [n.target for n in nodes if isinstance(n, (ast.For, ast.comprehension))]
        counters = [n.id for loop in loops for n in ast.walk(loop) if isinstance(n, ast.Name)]
        self.counters = list(dict.fromkeys(counters))
        self.steps = [
            (text, WITH_A_VALUE if "_piece_" in ast.dump(template) else 3, template)
            for text, template in known.steps.items()
        ]

    def of_expressions(self) -> Iterator[Edit]:
        for place in places(self.tree):
            is_count = isinstance(place.node, ast.Name) and _is_range(place.parent)
            for kind, cost, changes, *added in self.at(place):
                if kind in ("sign", "inverted") and is_count:
                    continue  # the loop would never run
                shown = place.node if kind in ("missing", "name") else _around(place)
                if kind == "number" and not isinstance(place.parent, ast.Slice):
                    shown = place.parent  # a number says little alone
                if id(place.node) in self.tests and kind not in ("comparison", "one off"):
                    kind, shown = "condition", self.tests[id(place.node)]
                if kind == "too much" and _is_one_more(place.node) and _is_limit(place):
                    kind = "one off"
                if kind == "one off" and isinstance(place.parent, ast.Call):
                    shown = place.parent  # the range, not its end alone
                shown = self.taken.get(id(shown), shown)
                line = getattr(place.node, "lineno", getattr(place.parent, "lineno", 1))
                yield Edit(kind, cost, self.tree.name, line, shown, changes, *added)

    def at(self, place) -> Iterator[tuple[Any, ...]]:
        """All edits of one expression."""
        node, is_index = place.node, place.field == "slice"
        if isinstance(node, (ast.Tuple, ast.List)) and is_index or _is_module(node):
            return
        is_called = place.field == "func"
        if not is_called:
            yield from self.of_table(place, ROWS.get(_form(node), ()))
        rules = {
            ast.Name: self.of_name,
            ast.Constant: self.of_constant,
            ast.Attribute: self.of_attribute,
            ast.Call: self.of_call,
            ast.List: self.of_list,
            ast.Tuple: self.of_list,
            ast.Slice: self.of_slice,
        }
        if type(node) in rules:
            yield from rules[type(node)](place)
        if _has_one_index(place.parent) and is_index:
            for text, other in self.parts.items():
                if text != ast.unparse(node):
                    yield "index", 2, place.becomes(copy.copy(other))
        if is_plain(node) and place.field != "operand":
            plain = self.known.functions if is_called else self.known.plain
            now, kind = ast.dump(node), "function" if is_called else "number"
            for form, other in plain.items():
                if form != now:
                    yield kind, 2, place.becomes(copy.copy(other))
        if not is_called and _is_operand(place):
            yield from self.added(place)

    @staticmethod
    def of_table(place, rows):
        for kind, cost, pattern, replacement in rows:
            found = {}
            if match(pattern, place.node, found):
                yield kind, cost, place.becomes_filled(replacement, **found)

    @staticmethod
    def one_off(place):
        for template in ("a + 1", "a - 1"):
            yield "one off", 2, place.becomes_filled(parsed(template), a=place.node)

    def added(self, place):
        if isinstance(place.node, (ast.Name, ast.Call, ast.BinOp, ast.Subscript, ast.Compare)):
            yield from self.of_table(place, ROWS[ast.expr])
        names = {getattr(target, "id", "") for target in getattr(place.parent, "targets", ())}
        is_end = isinstance(place.parent, ast.Return) or bool(names & self.returned)
        for text, cost, template in self.steps:
            if text in self.known.last and not is_end:
                continue  # the answer itself, put in somewhere: what comes after may keep it
            yield "missing", cost, place.becomes_filled(template, _hole_=place.node), text
        if _is_exp(place.node) or getattr(place.node, "id", "") in self.powers:
            yield "missing", 3, place.becomes_filled(SHARES, a=place.node), "_ / _.sum()"
        if isinstance(place.node, ast.Name) and isinstance(place.parent, (ast.Call, ast.Assign)):
            for name in self.values:
                if name != place.node.id:
                    other = ast.copy_location(ast.Name(name, ast.Load()), place.node)
                    new = place.becomes_filled(parsed("a + b"), a=place.node, b=other)
                    yield "left out", 3, new
        function, factors = self.known.factors
        for name in factors if function == self.tree.name else ():
            other = ast.copy_location(ast.Name(name, ast.Load()), place.node)
            new = place.becomes_filled(parsed("a * b"), a=place.node, b=other)
            yield "left out", 3, new
        for name in self.unused:  # something that was made, and is used nowhere
            for template in ("a / b", "a * b", "a + b", "a - b", "b - a", "a @ b"):
                other = ast.copy_location(ast.Name(name, ast.Load()), place.node)
                new = place.becomes_filled(parsed(template), a=place.node, b=other)
                yield "unused", 2.5, new, name
            if name in self.arguments:  # a function that came, and is not called
                func = ast.copy_location(ast.Name(name, ast.Load()), place.node)
                new = place.becomes_filled(parsed("b(a)"), a=place.node, b=func)
                yield "missing", 2.5, new, f"{name}(_)"

    def of_name(self, place):
        name = place.node.id
        if name not in self.locals or place.field == "func":
            return
        kind = "result" if isinstance(place.parent, (ast.Return, ast.Tuple)) else "name"
        kind = "index" if place.field == "slice" else kind
        for other in self.values:
            if other != name:
                yield kind, 1.5 if other in self.unused else 2, place.becomes_name(other)
        if place.field == "args":
            for part in self.indexed.get(name, ()):
                yield "index", 2, place.becomes(copy.copy(part))
        for order in self.orders if place.field not in ("slice", "value") else ():
            if order != name:  # by which something else is sorted
                by = ast.copy_location(ast.Name(order, ast.Load()), place.node)
                kind = "index" if order in self.counters else "unsorted"
                yield kind, 2, place.becomes_filled(PART, a=place.node, b=by)

    def of_constant(self, place):
        value, named = place.node.value, getattr(place.parent, "arg", "")
        if isinstance(value, str) and value in self.known.keys:
            first, *_, last = value.split("_") * 2
            for key in self.known.keys:
                is_alike = key.split("_")[0] == first or key.split("_")[-1] == last
                if key != value:
                    yield "key", 1.5 if is_alike else 3, place.becomes(ast.Constant(key))
        elif isinstance(value, bool):
            kind = "keepdims" if named == "keepdims" else "number"
            yield kind, 1, place.becomes(ast.Constant(not value))
        elif isinstance(value, (int, float)) and named not in ("axis", "keepdims"):
            near = {2 * value, value / 2, 0.0, 1.0, 2.0, 1 / (value or 1)}
            near = {value + 1, value - 1, 0, 1, 2} if isinstance(value, int) else near
            operator = getattr(place.parent, "op", ast.Add())
            is_limit = isinstance(place.parent, (ast.Slice, ast.BinOp)) or _is_range(place.parent)
            is_limit = is_limit and isinstance(operator, (ast.Add, ast.Sub))  # not x ** 3, x >> 3
            for new in sorted((near | self.known.numbers | {-value}) - {value}):
                is_next = isinstance(value, int) and abs(new - value) == 1 and is_limit
                kind = "index" if place.field == "slice" else "number"
                kind = "one off" if is_next else kind
                yield kind, 2, place.becomes(ast.Constant(new))
            for other in self.terms if isinstance(place.parent, ast.BinOp) else ():
                yield "index", 2, place.becomes(copy.copy(other))
            is_index = place.field in ("slice", "elts")
            for name in self.counters if is_index else set(self.unused) & set(self.arguments):
                yield "index" if is_index else "number", 2, place.becomes_name(name)

    def of_list(self, place):
        if isinstance(place.parent, ast.Return):  # has a rule of its own
            return
        elements = place.node.elts
        for i, k in itertools.combinations(range(len(elements) if len(elements) < 7 else 0), 2):
            yield "operands", 1.5, _exchanged(place.node, "elts", i, k)

    def of_attribute(self, place):
        for other in _twins(place.node.attr):
            yield "function", 1.5, ((place.node, "attr", None, other),)

    def of_slice(self, place):
        if (place.node.lower is None) != (place.node.upper is None):
            other = ast.Slice(place.node.upper, place.node.lower, place.node.step)
            yield "index", 2, place.becomes(other)
        for part in self.parts.values():  # x[:n] for x[order[:n]]
            if ast.dump(getattr(part, "slice", part)) == ast.dump(place.node):
                yield "index", 2, place.becomes(copy.copy(part))
        for name in ("lower", "upper"):
            if (limit := getattr(place.node, name)) is not None:
                yield "one off", 2, ((place.node, name, None, None),)
                yield from self.one_off(Place(place.node, name, None, limit))

    def of_call(self, place):
        call = place.node
        name = _called(call)
        if isinstance(call.func, ast.Name):
            own = "max", "min", "sum"  # of Python
            for other in set(own) - {name} if name in own else _twins(name):
                yield "function", 1.5, ((call.func, "id", None, other),)
        for other in self.unused:  # a function that came, and is not called
            if other in self.arguments:
                func = ast.copy_location(ast.Name(other, ast.Load()), call)
                yield "function", 2, ((call, "func", None, func),)
        if name in ALONG:
            yield from self.of_axes(call, name)
        if name in ("range", "arange"):
            for k, limit in enumerate(call.args):
                if not isinstance(limit, ast.Constant):  # a number has its own rule
                    yield from self.one_off(Place(call, "args", k, limit))
        elif name != "where":
            for i, k in itertools.combinations(range(len(call.args)), 2):
                yield "argument order", 1, _exchanged(call, "args", i, k)
        inner = call.args[0] if len(call.args) == 1 and not call.keywords else None
        if isinstance(inner, ast.Call) and len(inner.args) == 1 and not inner.keywords:
            turned = ((call, "func", None, inner.func), (inner, "func", None, call.func))
            yield "step order", 1, turned
        if name in ("reshape", "transpose") and len(call.args) == 3:
            for order in itertools.permutations(call.args):
                if list(order) != call.args:
                    yield "reshape", 2, ((call, "args", None, list(order)),)
        if name in ("sort", "sorted"):
            rest = [k for k in call.keywords if k.arg != "reverse"]
            turned = ast.keyword("reverse", ast.copy_location(ast.Constant(True), call))
            rest += [ast.copy_location(turned, call)] if len(rest) == len(call.keywords) else []
            yield "order", 1, ((call, "keywords", None, rest),)
        for k, keyword in enumerate(call.keywords):
            if keyword.arg in ("dtype", "ddof", "k"):
                rest = [*call.keywords[:k], *call.keywords[k + 1 :]]
                kind = "whole numbers" if keyword.arg == "dtype" else "number"
                yield kind, 1, ((call, "keywords", None, rest),)

    @staticmethod
    def of_axes(call, name):
        """Another axis, none, or one where there is none; with `keepdims` or without."""
        is_method = isinstance(call.func, ast.Attribute) and not _is_module(call.func.value)
        at, held = (0 if is_method else 1), {k.arg: k.value for k in call.keywords}
        by_place = len(call.args) > at and name not in ("append", "repeat")
        now = held.get("axis", call.args[at] if by_place else None)
        now, kept = now and ast.unparse(now), "keepdims" in held
        others = [k for k in call.keywords if k.arg not in ("axis", "keepdims")]
        shorter = ((call, "args", None, call.args[:at]),) if by_place else ()
        for axis in ("-1", "0", "1", "-2", None):
            for keep in (False, True) if name in KEEPING else (False,):
                if axis == now and keep == kept or axis is None and keep:
                    continue
                chosen = [("axis", axis)] if axis else []
                chosen += [("keepdims", "True")] if keep else []
                new = [ast.keyword(k, filled(parsed(v), {}, call)) for k, v in chosen]
                new = [*others, *(ast.copy_location(k, call) for k in new)]
                kind = "keepdims" if axis == now else "axis"
                cost = 1.5 if keep != kept and axis != now else 1
                yield kind, cost, ((call, "keywords", None, new), *shorter)

    # Statements.

    def of_blocks(self) -> Iterator[Edit]:
        for holder in ast.walk(self.tree):
            for name in ("body", "orelse"):
                body = getattr(holder, name, None)
                for i, one in enumerate(body if isinstance(body, list) else ()):
                    if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                        continue
                    for kind, cost, at, changes in self.of_line(holder, name, i):
                        yield Edit(kind, cost, self.tree.name, at.lineno, at, changes)
                    for kind, cost, changes in self.of_statement(holder, name, i, one):
                        yield Edit(kind, cost, self.tree.name, one.lineno, one, changes)

    def of_line(self, holder, name, i):
        """A line that is too much, stands at another place, or inside or outside of a loop."""
        body = getattr(holder, name)
        one, before, rest = body[i], body[:i], body[i + 1 :]
        after, later = (rest[0], rest[1:]) if rest else (None, [])
        is_return = isinstance(one, ast.Return)
        if len(body) > 1 and not is_return and not isinstance(one, ast.FunctionDef):
            yield "line too much", 2.5, one, ((holder, name, None, [*before, *rest]),)
        if after is not None and not is_return and not isinstance(after, ast.Return):
            yield "line order", 2.5, one, ((holder, name, None, [*before, after, one, *later]),)
        if isinstance(one, (ast.For, ast.While, ast.If)):
            first, last = one.body[0], one.body[-1]
            if len(one.body) > 1:  # the last line of the block, after it
                tails = range(1, len(one.body)) if isinstance(last, ast.Return) else [-1]
                for k in tails:  # with a `return`, lines before it may stand inside, too
                    moved = (holder, name, None, [*before, one, *one.body[k:], *rest])
                    cost = 1 if len(tails) > 1 else 2
                    yield "indent", cost, one.body[k], (moved, (one, "body", None, one.body[:k]))
                if isinstance(first, ast.Assign) and not isinstance(one, ast.If):
                    moved = (holder, name, None, [*before, first, one, *rest])
                    yield "indent", 2.5, first, (moved, (one, "body", None, one.body[1:]))
            if after is not None:
                moved = (holder, name, None, [*before, one, *later])
                yield "indent", 2, after, (moved, (one, "body", None, [*one.body, after]))
        if isinstance(after, (ast.For, ast.While)) and isinstance(one, ast.Assign):
            moved = (holder, name, None, [*before, *rest])
            yield "indent", 2.5, one, (moved, (after, "body", None, [one, *after.body]))
        if is_return and holder is not self.tree:  # at the end of the function, after its loop
            left = [*before, *rest] or [ast.copy_location(ast.Pass(), one)]
            moved = (self.tree, "body", None, [*self.tree.body, one])
            yield "indent", 2, one, ((holder, name, None, left), moved)

    def of_statement(self, holder, name, i, one):
        if isinstance(one, (ast.Break, ast.Continue)):
            other = ast.Continue() if isinstance(one, ast.Break) else ast.Break()
            yield "loop", 1, ((holder, name, i, ast.copy_location(other, one)),)
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call):  # what it gives is lost
            method = getattr(one.value.func, "value", None)
            for kept in one.value.args[:1] if _is_module(method) or method is None else [method]:
                if isinstance(kept, ast.Name):
                    target = ast.copy_location(ast.Name(kept.id, ast.Store()), one)
                    kept = ast.copy_location(ast.Assign([target], one.value), one)
                    yield "not kept", 1, ((holder, name, i, kept),)
        if isinstance(one, ast.AugAssign):
            plain = ast.copy_location(ast.Assign([one.target], one.value), one)
            yield "update", 2, ((holder, name, i, plain),)
            for op in (ast.Add(), ast.Sub(), ast.Mult(), ast.Div()):
                signs = {type(op), type(one.op)} == {ast.Add, ast.Sub}
                if type(op) is not type(one.op):
                    yield "sign" if signs else "operator", 2, ((one, "op", None, op),)
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], (ast.Name, ast.Subscript)):
            old = copy.copy(one.targets[0])
            old.ctx, stored = ast.Load(), getattr(old, "id", "")
            if not stored or self.stored.count(stored) > 1 or stored in self.arguments:
                new = filled(parsed("a + b"), {"a": old, "b": one.value}, one)
                yield "update", 2, ((one, "value", None, new),)
            for other in self.locals if stored else ():  # the name under which it is kept
                if other != stored:
                    target = ast.copy_location(ast.Name(other, ast.Store()), old)
                    yield "name", 3, ((one, "targets", 0, target),)
        pair = one.targets[0] if isinstance(one, ast.Assign) else getattr(one, "value", None)
        is_return = isinstance(one, ast.Return)
        if isinstance(pair, ast.Tuple) and isinstance(one, (ast.Assign, ast.Return)):
            # whoever unpacks a shape looks at it: a name is mistaken further down sooner
            cost = 2.5 if isinstance(one.value, ast.Attribute) else 1
            for a, b in itertools.combinations(range(len(pair.elts)), 2):
                yield "result order", cost, _exchanged(pair, "elts", a, b)
            for element in pair.elts if is_return else ():
                yield "result", 1, ((one, "value", None, element),)
        elif is_return and one.value is not None:
            for other in self.locals:
                new = ast.copy_location(ast.Name(other, ast.Load()), one)
                for template in ("a, b", "b, a"):
                    both = filled(parsed(template), {"a": one.value, "b": new}, one)
                    yield "result", 2, ((one, "value", None, both),)
                if not isinstance(one.value, ast.Name):
                    yield "result", 3, ((one, "value", None, new),)


def _twins(name: str) -> set[Any]:
    return {other for twins in TWINS if name in twins for other in twins} - {name}


def _exchanged(node, name: str, i: int, k: int) -> tuple[Any, ...]:
    held = getattr(node, name)
    return (node, name, i, held[k]), (node, name, k, held[i])


def _called(node) -> str:
    """The name of the function or method that a call calls; "" of what is no call."""
    function = getattr(node, "func", None)
    return getattr(function, "attr", getattr(function, "id", ""))


def _is_exp(node) -> bool:
    return _called(node) == "exp"


def _has_one_index(node) -> bool:
    """Whether it is a part of something, by one index that is neither a slice nor a text."""
    several = ast.Slice, ast.Tuple, ast.List
    is_one = isinstance(node, ast.Subscript) and not isinstance(node.slice, several)
    return is_one and not isinstance(getattr(node.slice, "value", None), str)


def _around(place) -> ast.AST:
    """A constant or a slice says little alone: the expression around it."""
    is_small = isinstance(place.node, (ast.Constant, ast.Slice)) or place.field == "slice"
    return place.parent if is_small and isinstance(place.parent, ast.expr) else place.node


def _is_limit(place) -> bool:
    """Whether it is where something begins or ends."""
    is_limit = isinstance(place.parent, (ast.Slice, ast.Compare)) or place.field == "slice"
    return is_limit or _is_range(place.parent)


def _is_range(node) -> bool:
    return _called(node) in ("range", "arange")


def _is_one_more(node) -> bool:
    is_step = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))
    return is_step and getattr(node.right, "value", None) == 1


PARENTS = (
    *(ast.BinOp, ast.Return, ast.Assign, ast.AugAssign, ast.Call, ast.Tuple, ast.List),
    *(ast.ListComp, ast.Compare, ast.Attribute, ast.Subscript, ast.keyword),
)
NO_OPERANDS = ast.Tuple, ast.Constant, ast.Lambda, ast.Slice, ast.Starred


def _is_operand(place) -> bool:
    """Whether something may be done to the value that stands there."""
    if place.field in ("slice", "lower", "upper", "step") or not isinstance(place.parent, PARENTS):
        return False
    if getattr(place.parent, "arg", "") in ("axis", "keepdims", "dtype"):
        return False
    is_size = getattr(place.node, "attr", "") in ("shape", "ndim", "size")
    if isinstance(place.parent, (ast.Assign, ast.Tuple)):  # a size that gets its name is right
        sized = getattr(place.node, "value", None), getattr(place.node, "func", None)
        is_size |= getattr(sized[0], "attr", "") == "shape" or getattr(sized[1], "id", "") == "len"
    return not (is_size or isinstance(place.node, NO_OPERANDS) or is_plain(place.node))


def _everywhere(found: list[Any]) -> Iterator[Edit]:
    """One slip made in several places: the same edit of the same text wherever it can be made, or
    all over one line; two names exchanged.
    """
    groups = {}
    for edit in found:
        if edit.kind in (*SAME_EVERYWHERE, "one off") and len(edit.changes) == 1:
            node, name, index, new = edit.changes[0]
            old = getattr(node, name) if index is None else getattr(node, name)[index]
            old = node if name == "attr" else old  # read.append is not answer.append
            shown = (old, new) if edit.kind in ("name", "key", "function") else (new,)
            if edit.kind == "one off":
                if new is not None:
                    continue
                shown = node, name  # a limit that is left away
            said = map(_as_text, shown)
            groups.setdefault((edit.kind, *said), []).append(edit)
    for (kind, *said), group in groups.items():
        if 1 < len(group) < NUMBER_OF_PLACES:
            yield _joined(group, max(edit.cost for edit in group) + 0.5)
            lines = {edit.line for edit in group}
            for line in lines if len(lines) > 1 else ():
                here = [edit for edit in group if edit.line == line]
                if len(here) > 1:
                    yield _joined(here, max(edit.cost for edit in here) + 0.4)
        other = groups.get((kind, *said[::-1]), ())
        if len(said) == 2 and said[0] < said[1] and other:
            yield _joined(sorted([*group, *other], key=lambda e: e.line), group[0].cost + 0.5)


def _as_text(value) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return str([(k.arg, ast.unparse(k.value)) for k in value])
    return getattr(value, "id", "") or ast.unparse(value)


def _joined(group, cost) -> Edit:
    first = group[0]
    changes = tuple(change for edit in group for change in edit.changes)
    also = tuple(sorted({edit.line for edit in group} - {first.line}))
    return Edit(first.kind, cost, first.function, first.line, first.node, changes, also=also)

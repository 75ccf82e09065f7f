"""The values of every expression of a run, and a run in which some of them are others.

Each expression e of a function becomes `_value_of_(its number, lambda: e)`. What the lambda gives
is noted; or it is not
asked, and a given value stands in its place (angelic debugging: Chandra et al., ICSE 2011).
"""

import ast
import copy
import functools
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from course_utils import attention, experts, layers, positions, tokens
from course_utils.diagnosis.candidates import BUILTINS, Program, Runner, define, fingerprint

EXPRESSIONS = (
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.BoolOp,
    ast.Subscript,
    ast.Attribute,
    ast.Name,
    ast.Call,
    ast.IfExp,
    ast.ListComp,
    ast.List,
    ast.Tuple,
)
LEFT_ALONE = (
    *(
        ast.Lambda,
        ast.Slice,
        ast.JoinedStr,
        ast.NamedExpr,
        ast.GeneratorExp,
        ast.DictComp,
        ast.Yield,
    ),
    *(ast.Starred, ast.withitem),
)
LIBRARIES = {"np", "mine", "math"}
PLAIN = (
    np.ndarray,
    np.generic,
    int,
    float,
    str,
    bytes,
    list,
    tuple,
    dict,
)  # what the right run may hold: it is sent
MOST_NOTES = 4000  # of one run: a loop of many rounds is not worth more


@dataclass(frozen=True)
class Site:
    """An expression: its function, its line there, its text, the name it is given (or ""),
    whether it is all that comes back,
    which variables it reads, which it goes into, the function inside the function where it
    stands; whether it is a variable that was just changed in place, and whether it is only a part
    of what it goes into, which stays besides."""

    function: str
    line: int
    text: str
    name: str
    whole: bool
    reads: frozenset[str] = frozenset()
    makes: frozenset[str] = frozenset()
    scope: str = ""
    in_place: bool = False
    is_part: bool = False


class Noted(dict[int, list[Any]]):
    """{site: its values, in the order of time} of a run, sites in the order of their first value;
    timeline: the sites, one for each value, in the order of time."""

    def __init__(self, notes: list[tuple[int, Any]]) -> None:
        super().__init__()
        self.timeline = [site for site, _ in notes]
        for site, value in notes:
            self.setdefault(site, []).append(value)


class _Instrument(ast.NodeTransformer):
    """Wraps the expressions of a function, and lists them as `sites`."""

    def __init__(self, function: str, sites: list[Any]):
        self.function, self.sites, self.named, self.made, self.scope = function, sites, {}, {}, ""
        self.returned: set[int] = set()
        self.parts: set[int] = set()
        self.sites_begun = False

    def visit_Assign(self, node):
        if len(node.targets) == 1:
            self.named[id(node.value)] = ast.unparse(node.targets[0])
            self.made[id(node.value)] = _stored(node.targets[0])
        changed = [t for t in node.targets if isinstance(t, ast.Subscript)]
        self.parts |= {id(node.value) for _ in changed}
        node.targets = [self.target(t) for t in node.targets]
        node.value = self.visit(node.value)
        return self.with_changed(node, changed[0]) if changed else node

    def target(self, node):
        if isinstance(node, ast.Subscript):
            node.slice = self.visit(node.slice)
        return node

    def visit_AugAssign(self, node):
        node.target, node.value = self.target(node.target), self.visit(node.value)
        return self.with_changed(node, node.target)

    def with_changed(self, node, target):
        """A statement that changes a variable in place, and after it the variable as a site."""
        names = sorted(_stored(target))
        if len(names) != 1:
            return node
        reads = frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name))
        site = (self.function, node.lineno, names[0], names[0], False)
        self.sites.append(Site(*site, reads, frozenset(names), self.scope, True))
        asked = self.asked(ast.copy_location(ast.Name(names[0], ast.Load()), node))
        kept = ast.Assign([ast.Name(names[0], ast.Store())], asked)
        return [node, ast.fix_missing_locations(ast.copy_location(kept, node))]

    def asked(self, node):
        """An expression as the last site that was listed."""
        nothing = ast.arguments([], [], None, [], [], None, [])
        call = [ast.Constant(len(self.sites) - 1), ast.Lambda(nothing, node)]
        return ast.copy_location(ast.Call(ast.Name("_value_of_", ast.Load()), call, []), node)

    def visit_Expr(self, node):  # outputs.append(x): x is named, too
        if isinstance(node.value, ast.Call):
            name = ast.unparse(node.value.func).partition(".")[0]
            self.named |= {id(argument): name for argument in node.value.args}
            self.made |= {id(argument): frozenset([name]) for argument in node.value.args}
            self.parts |= set(map(id, node.value.args))
        return self.generic_visit(node)

    def visit_Return(self, node):
        if node.value is not None:  # to replace all that comes back would say nothing
            self.returned |= {id(n) for n in [node.value, *getattr(node.value, "elts", [])]}
            node.value = self.visit(node.value)
        return node

    def visit_FunctionDef(self, node):
        before, self.scope = self.scope, node.name if self.sites_begun else ""
        self.sites_begun = True
        visited = [self.visit(statement) for statement in node.body]
        node.body = [one for v in visited for one in (v if isinstance(v, list) else [v])]
        self.scope = before
        return node

    def visit_keyword(self, node):
        return node if node.arg in ("axis", "keepdims", "dtype") else self.generic_visit(node)

    def visit(self, node):
        return node if isinstance(node, LEFT_ALONE) else super().visit(node)

    def generic_visit(self, node):
        is_load = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        if not (isinstance(node, EXPRESSIONS) and is_load):
            return super().generic_visit(node)
        if _is_library(node):
            return node
        text, key, reads = (
            ast.unparse(node),
            id(node),
            frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name)),
        )
        if isinstance(
            node, ast.Call
        ):  # a function stays itself; what a method belongs to is a value
            if isinstance(node.func, ast.Attribute):
                node.func.value = self.visit(node.func.value)
            node.args, node.keywords = (
                [self.visit(a) for a in node.args],
                [self.visit(k) for k in node.keywords],
            )
        else:
            super().generic_visit(node)
        self.sites.append(
            Site(
                self.function,
                node.lineno,
                text,
                self.named.get(key, ""),
                key in self.returned,
                reads,
                self.made.get(key, frozenset()),
                self.scope,
                is_part=key in self.parts,
            )
        )
        return self.asked(node)


def _stored(target) -> frozenset[str]:
    """The variables of which a target is one, or a part."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return frozenset(n.id for n in ast.walk(target) if isinstance(n, ast.Name))


def _is_library(node) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in LIBRARIES


class TracedProgram:
    """A program whose values are noted, and may be replaced."""

    def __init__(self, functions: list[ast.FunctionDef], names: dict[str, Any], entry: str) -> None:
        self.sites, self.instead, self.asked = [], {}, {}
        self.notes: list[tuple[int, Any]] | None = None  # a list while it runs
        self.arguments = [argument.arg for argument in functions[0].args.args]
        names = {**names, "_value_of_": self._value_of}
        for tree in functions:
            wrapped = _Instrument(tree.name, self.sites).visit(copy.deepcopy(tree))
            define(ast.fix_missing_locations(wrapped), names)
        self.function = names[entry]

    def _value_of(self, site, thunk):
        if (values := self.instead.get(site)) is not None:
            k = self.asked[site] = self.asked.get(site, -1) + 1
            value = values[k] if len(values) > 1 else values[0]
            return copy.copy(value)  # a student's code may work in place
        value = thunk()
        if self.notes is not None and len(self.notes) < MOST_NOTES:
            self.notes.append((site, _kept(value)))
        return value

    def values(
        self, runner: Runner, i: int, instead: dict[Any, Any] | None = None
    ) -> tuple[Any, ...]:
        """(what was Noted, (value, error)) of call number i."""
        notes: list[tuple[int, Any]] = []
        self.notes, self.instead, self.asked = notes, instead or {}, {}
        outcome = runner.call(self.function, i)
        self.notes, self.instead = None, {}
        return Noted(notes), outcome

    def is_right_with(self, runner: Runner, i: int, instead: dict[Any, Any]) -> bool:
        """Whether call number i is right where the sites of `instead` have the given values."""
        self.instead, self.asked = instead, {}
        right = runner.is_right(self.function, i)
        self.instead = {}
        return right


def _kept(value):
    """A value as it is now: what is changed later in place is copied."""
    if isinstance(value, tuple):
        return tuple(map(_kept, value))
    return copy.copy(value) if isinstance(value, (np.ndarray, list, dict)) else value


# The right run.


@dataclass
class RightRun:
    """The sites of the written reference, and for each call {site: its values}; inside: for each
    call the values within the earlier exercises that it calls, which a student may write out;
    halfway: those in there that have no name, to which something is still to be done; variety:
    for each call how many different values it has."""

    sites: list[Site]
    values: list[dict[int, Any]]
    inside: list[list[Any]]
    halfway: list[list[Any]]
    variety: list[int]


def reference_program(name: str, sources: Mapping[str, str]) -> tuple[Any, ...] | None:
    """(trees, names, tree of the function) of a written reference; None where there is none.
    sources: {exercise: its text}, also of all that it calls.
    """
    text = sources.get(name, "")
    if not text:
        return None
    names = _course_names() | {"np": np}
    trees = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    used = {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for other in sorted(used - set(names) - BUILTINS - {name}):
        if (
            found := reference_program(other, sources)
        ) is not None:  # an exercise of an earlier lecture
            for tree in found[0]:
                define(tree, found[1])
            names[other] = found[1][other]
    return trees, names, next(tree for tree in trees if tree.name == name)


@functools.cache
def _course_names_once() -> dict[Any, Any]:
    modules = attention, layers, positions, experts, tokens
    names = {
        name: value for module in modules for name, value in vars(module).items() if callable(value)
    }
    # It imports this package.
    softmax = importlib.import_module("course_utils.exercises.softmax.exercise").EXERCISE
    return names | {"softmax": softmax.in_a_check}  # NaN where nothing is seen, as a student's own


def _course_names() -> dict[Any, Any]:
    return dict(_course_names_once())


def trace_reference(name: str, sources: Mapping[str, str], runner: Runner) -> RightRun | None:
    """The right run of an exercise on all calls of the runner's judge; None where no reference is
    written.
    """
    found = reference_program(name, sources)
    if found is None:
        return None
    trees, names, _ = found
    runner.limit = 5.0  # it is the course's own, and ends

    def plain(traced):
        runs = [traced.values(runner, i)[0] for i in range(len(runner.judge.calls))]
        return [
            {k: vs for k, vs in run.items() if all(isinstance(v, PLAIN) for v in vs)}
            for run in runs
        ]

    traced = TracedProgram(trees, names, name)
    inside: list[list[Any]] = [[] for _ in runner.judge.calls]
    halfway: list[list[Any]] = [[] for _ in runner.judge.calls]
    called = [
        tree
        for other, text in sources.items()
        if other != name
        for tree in ast.parse(text).body
        if isinstance(tree, ast.FunctionDef)
    ]
    if called:
        whole = TracedProgram([*trees, *called], names, name)
        for i, run in enumerate(plain(whole)):
            for k in (k for k in run if k >= len(traced.sites)):
                site = whole.sites[k]
                is_end = site.name or site.whole or site.text.isidentifier()
                (inside if is_end else halfway)[i].extend(run[k])
    values = plain(traced)
    variety = [len({fingerprint(v) for vs in run.values() for v in vs}) for run in values]
    return RightRun(traced.sites, values, inside, halfway, variety)


__all__ = ["Program", "RightRun", "Site", "TracedProgram", "reference_program", "trace_reference"]

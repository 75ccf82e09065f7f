"""The search for the smallest mend: the fewest, cheapest edits of a student's own function after
which it passes its check.

Every single edit before any pair. Of the mends that cost least all are found, since only what
they agree on may be said. The
mend itself is never shown: it says which place to ask about (Singh, Gulwani, Solar-Lezama, PLDI
2013).
"""

import ast
import collections
import functools
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from course_utils.diagnosis.candidates import (
    FILE,
    Judge,
    Program,
    Runner,
    define,
    fingerprint,
    print_of,
    same_value,
)
from course_utils.diagnosis.edits import WITH_A_VALUE, Edit, Known, edits_of, is_plain, undo
from course_utils.diagnosis.tracing import RightRun

MOST_EDITS = 1500  # of a long function: more cannot be tried in time
MOST_COST = 2  # of each edit of a pair that is tried blindly: dearer ones fit by chance
MOST_BESIDE = 3  # edits beside a written misconception, for which a line of that is looked for
MOST_FIRST = 30  # edits after which a run comes further, from which pairs begin


@dataclass
class Mend:
    """Edits that make a function pass, in the order of lines.

    equal: for each, all that could stand in its place, of which what they agree on may be said;
    near: of these, the ones after which most values are those of a right run.
    ideas: for each, the number of the written misconception that is left when all others are made,
    or None; one more where that has no edit. is_guess: no more values are right after the edit
    than before it, so both may be one slip.
    """

    edits: tuple[Edit, ...]
    equal: tuple[Any, ...]
    near: tuple[Any, ...]
    ideas: tuple[int | None, ...] = (None, None)
    is_guess: bool = False


class MendSearch:
    """A student's program, which edits it allows, and which of them make it pass."""

    def __init__(
        self,
        program: Program,
        judge: Judge,
        right_run: RightRun | None,
        reference: tuple[Any, ...] | None,
        ideas: dict[int, list[Any]] | None = None,
    ) -> None:
        """ideas: {number: what this written misconception gives on each call, None where it is not
        compared}.
        """
        self.program, self.judge, self.runner = program, judge, Runner(judge)
        self.names = program.names()
        self.trees = {tree.name: tree for tree in program.functions}
        self.defined = {name: self.names[name] for name in self.trees}
        self.pieces = {}  # {name: its value on each call}
        self.statements: dict[tuple[str, int], str] = {}  # {(function, line): its statement}
        known = self.known_of(right_run, reference)
        checked = range(judge.fresh)
        outcomes, slowest = [], 0.0
        for i in checked:
            start = time.process_time()
            outcomes.append(self.call(i))
            self.runner.shorten_after(outcomes[-1][1])
            if not (outcomes[-1][1] and outcomes[-1][1][0] == "TooLong"):
                slowest = max(slowest, time.process_time() - start)
        self.runner.shorten(slowest)
        wrong = [i for i in checked if outcomes[i][1] or not judge.is_right(outcomes[i][0], i)]
        variety = right_run.variety if right_run else [0] * len(outcomes)
        # First where most steps can be told apart, and misconceptions are compared.
        wrong.sort(key=lambda i: (i >= judge.n_ordinary, -variety[i]))
        self.order = wrong + [i for i in checked if i not in wrong]
        self.wrong = wrong
        self.came = self.progress(*outcomes[wrong[0]]) if wrong else None
        self.edits = sorted(
            (
                edit
                for tree in program.functions
                for edit in edits_of(tree, known)
                if not known.unpacked or self.statement(edit) not in known.unpacked
            ),
            key=lambda edit: edit.cost,
        )
        first = right_run.values[self.order[0]] if right_run else {}
        self.right_values = {fingerprint(v) for values in first.values() for v in values} - {None}
        self.right_names = {
            (right_run.sites[k].name, fingerprint(v))
            for k, values in first.items()
            for v in values
            if right_run and right_run.sites[k].name and fingerprint(v)
        }
        self.likely = set()  # lines whose edits come first
        self.failed = []  # (how far it comes, edit) of single edits that do not mend
        self.ideas, self.idea_prints, self.last_print = ideas or {}, {}, None
        for number, values in self.ideas.items():
            if wrong and (mark := print_of(values[wrong[0]], judge.wanted[wrong[0]])):
                self.idea_prints.setdefault(mark, []).append(number)
        self.near_misconceptions = []  # (edit, numbers of what may be left then)

    def call(self, i: int) -> tuple[Any, ...]:
        for name, values in self.pieces.items():
            self.names[name] = values[i]
        return self.runner.call(self.names[self.program.name], i)

    # One edit, or two.

    def one(self, seconds: float) -> Mend | None:
        """The cheapest single edit that mends, with all that cost as little."""
        end, good = time.process_time() + seconds, []
        if len(self.edits) > MOST_EDITS:
            self.edits.sort(key=self.rank)
        for edit in self.edits:
            if time.process_time() > end or (good and self.rank(edit) > self.rank(good[0])):
                break
            right, came = self.attempt((edit,))
            if right:
                good.append(edit)
            elif came is not None:
                self.failed.append((came, edit))
                if left := self.idea_prints.get(self.last_print):
                    self.near_misconceptions.append((edit, left))
        good = self.distinct([edit for edit in good if self.holds((edit,))])
        return Mend((good[0],), (good,), (self.nearest(good),)) if good else None

    def distinct(self, equal: list[Any]) -> list[Any]:
        """Edits without those that change the text to the same."""
        changes = {self.changed((edit,)): edit for edit in equal[::-1]}
        return [edit for edit in equal if edit in changes.values()]

    def nearest(self, equal: list[Any], *others: Edit) -> list[Any]:
        """Of edits that mend as well, those after which most values are those of a right run."""
        if len(equal) < 2:
            return equal
        looked = [self.with_edits((e, *others), self.values_right) or (0, None, 0) for e in equal]
        hits = [(values, names) for values, _, names in looked]
        return [edit for edit, hit in zip(equal, hits, strict=True) if hit == max(hits)]

    def changed(self, edits: tuple[Any, ...]) -> str:
        """The text of the program while it is edited."""
        steps = [step for edit in edits for step in edit.do()]
        try:
            return "\n".join(map(ast.unparse, self.trees.values()))
        finally:
            undo(steps)

    def rank(self, edit: Edit) -> tuple[Any, ...]:
        return len(self.edits) > MOST_EDITS and edit.line not in self.likely, edit.cost

    def beside_misconception(self, seconds: float) -> Mend | None:
        """An edit after which the program is a written misconception: that is the other slip, and
        has a name of its own. Its line is that of an edit which mends the rest, where there is one.

        Where none does, or the edit brings no more right values, it loses nothing that the program
        read: else it may make the misconception itself.
        """
        end, best = time.process_time() + seconds, {}
        base, *_ = self.values_right()

        @functools.cache
        def can_be_right(line):  # after an edit of it alone
            here = [edit for edit in self.edits if edit.line == line and not edit.also]
            looks = (self.with_edits((edit,), self.values_right) for edit in here)
            return any(look and look[0] > base and look[1] != line for look in looks)

        for edit, numbers in self.near_misconceptions:
            number = next((n for n in numbers if self.is_idea((edit,), n)), None)
            if number is None or edit.also or time.process_time() > end:
                continue
            hits, strange, *_ = self.with_edits((edit,), self.values_right) or (0, None)
            if strange == edit.line and can_be_right(strange):
                continue  # it makes the misconception itself
            if hits > base or (hits == base and self.keeps(edit)):
                best.setdefault((number, edit.line), []).append(
                    ((hits == base, -hits, edit.cost), edit)
                )
        groups = [(left, sorted(found, key=lambda f: f[0])) for (left, _), found in best.items()]
        groups.sort(key=lambda group: group[1][0][0])
        for _, found in groups[:MOST_BESIDE]:
            for (is_guess, *_), first in found[:MOST_BESIDE]:
                most = MOST_COST if is_guess else WITH_A_VALUE
                others = [e for e in self.edits if e.line != first.line and e.cost <= most]
                if pair := self.pair(first, others, end):
                    return self.with_equals(pair, end)
        groups = [
            (left, kept)
            for left, found in groups
            if (kept := [(rank, edit) for rank, edit in found if self.keeps(edit)])
        ]
        if not groups:
            return None
        left, [(best_rank, first), *_] = groups[0]
        ranked = [pair for number, found in groups if number == left for pair in found]
        equal = self.distinct([edit for rank, edit in ranked if rank == best_rank])
        return Mend((first,), (equal,), (self.nearest(equal),), (None, left), best_rank[0])

    def keeps(self, edit: Edit) -> bool:
        """Whether an edited program reads all that it read before."""

        def read():
            nodes = [node for tree in self.trees.values() for node in ast.walk(tree)]
            names = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
            return collections.Counter(n.id for n in names)

        before, steps = read(), edit.do()
        try:
            return before <= read()
        finally:
            undo(steps)

    def idea_of(self, edits: tuple[Any, ...]) -> int | None:
        """The written misconception that a program is once it is edited; None where it is none."""
        self.attempt(edits)
        numbers = self.idea_prints.get(self.last_print, ())
        return next((n for n in numbers if self.is_idea(edits, n)), None)

    def is_idea(self, edits: tuple[Any, ...], number: int) -> bool:
        """Whether an edited program gives what a written misconception gives, wherever compared."""

        def look():
            for i, wanted in enumerate(self.ideas[number]):
                if wanted is not None:
                    value, error = self.call(i)
                    if error or not self.judge.is_same(value, wanted, i):
                        return False
            return True

        return bool(self.with_edits(edits, look))

    def two(self, seconds: float) -> Mend | None:
        """Two edits, of which the first brings the run further: in most pairs one of them does.

        The second is tried first where, after the first, a value comes that no right run has.
        """
        end, firsts = time.process_time() + seconds, self.further(seconds / 2)
        for first, line in firsts:
            there = [edit for edit in self.edits if edit.line == line != first.line]
            if pair := self.pair(first, there, end):
                return self.with_equals(pair, end)
        for first, line in firsts:
            others = [e for e in self.edits if e.line not in (line, first.line)]
            if pair := self.pair(first, others, end):
                return self.with_equals(pair, end)
        # where neither alone brings the run further: the cheapest, of which one is at a likely line
        cheap = [edit for edit in self.edits if edit.cost <= MOST_COST]
        for k, first in enumerate(cheap):
            others = [
                e for e in cheap[:k] if e.line != first.line and {e.line, first.line} & self.likely
            ]
            if pair := self.pair(first, others, end):
                return self.with_equals(pair, end)
        # two edits of one line may be one that the grammar has not: the last resort
        for first, _ in firsts:
            if pair := self.pair(first, [e for e in self.edits if e.line == first.line], end):
                return self.with_equals(pair, end)
        return None

    def first_alone(self, mend: Mend) -> bool:
        """Whether the first of two edits alone makes as many calls right as the second alone."""

        def right():
            outcomes = [self.call(i) for i in range(self.judge.fresh)]
            return sum(
                error is None and self.judge.is_right(value, i)
                for i, (value, error) in enumerate(outcomes)
            )

        first, second = (self.with_edits((edit,), right) or 0 for edit in mend.edits)
        return first >= second

    def pair(self, first: Edit, others: list[Any], end: float) -> list[Any]:
        """An edit and the first of others with which it mends, in the order of lines; [] where
        none does in time.
        """
        for second in others:
            if time.process_time() > end:
                return []
            if second is first or len(second.also) > 1 or _cannot_pair(first, second):
                continue
            if self.attempt((first, second))[0] and self.holds((first, second)):
                return sorted((first, second), key=lambda e: e.line)
        return []

    def stops(self, edits: tuple[Any, ...] = ()) -> bool:
        """Whether an edited program stops on the first wrong call."""
        return bool(self.with_edits(edits, lambda: self.call(self.order[0])[1]))

    def statement(self, edit: Edit) -> str:
        where = edit.function, edit.line
        if where not in self.statements:
            self.statements[where] = self.program.statement(*where)
        return self.statements[where]

    def with_equals(self, pair: list[Any], end: float) -> Mend:
        one, other = pair
        equal = self.equals(one, other, end), self.equals(other, one, end)
        near = self.nearest(equal[0], other), self.nearest(equal[1], one)
        return Mend((one, other), equal, near, (self.idea_of((other,)), self.idea_of((one,))))

    def further(self, seconds: float) -> list[Any]:
        """[(edit, line)] of the edits after which a run has more values of a right run, or comes
        nearer to what is wanted, the best first; line: where the first wrong value comes then.
        """
        end = time.process_time() + seconds
        (base, strange, _), found = self.values_right(), []
        for came, edit in sorted(self.failed, key=lambda f: bool(strange and f[1].line > strange)):
            if time.process_time() > end:
                break
            if len(edit.also) > 1:  # three lines and one more: that is another function
                continue
            hits, line, _ = self.with_edits((edit,), self.values_right) or (0, None, 0)
            if hits > base or came > self.came:
                rank = edit.kind == "missing", -hits, _turned(came), edit.cost
                found.append((rank, edit, line))
        return [one[1:] for one in sorted(found, key=lambda f: f[0])][:MOST_FIRST]

    def values_right(self) -> tuple[Any, ...]:
        """(how many different values of the right run the variables hold in the course of the
        first wrong call; the first line that gives one a value that no right run has, or None;
        how many of those values have the name that a right run gives them).
        """
        seen, named, strange, at, held = {None}, set(), [], {}, {}

        def look(frame, event, argument):
            if frame.f_code.co_filename != FILE:
                return None
            for name, value in [("", argument), *frame.f_locals.items()]:
                if event == "line" and held.get((frame, name)) is value:
                    continue  # what is changed in place is seen at the end
                held[frame, name] = value
                mark = fingerprint(value)
                named.add((name, mark))
                if mark not in seen and frame in at and mark not in self.right_values:
                    strange.append(at[frame])
                seen.add(mark)
            at[frame] = frame.f_lineno
            return look

        before = sys.gettrace()
        sys.settrace(look)
        try:
            self.call(self.order[0])
        finally:
            sys.settrace(before)
        hits = len(seen & self.right_values)
        return hits, next(iter(strange), None), len(named & self.right_names)

    def equals(self, one: Edit, other: Edit, end: float) -> list[Any]:
        """The edits that mend as well in the place of one, and cost as little."""
        found = [one]
        # the same at another place is most often meant as well
        for edit in sorted(self.edits, key=lambda e: (e.kind, e.added) != (one.kind, one.added)):
            if time.process_time() > end + 0.3:
                break
            if (
                edit is not one
                and edit.cost <= one.cost
                and not _cannot_pair(edit, other)
                and self.attempt((edit, other))[0]
                and self.holds((edit, other))
            ):
                found.append(edit)
        return self.distinct(found)

    def attempt(self, edits: tuple[Any, ...]) -> tuple[Any, ...]:
        """(whether the edited function passes, how far it comes if not; None where it is no
        Python).
        """
        return self.with_edits(edits, self.passes) or (False, None)

    def with_edits(self, edits: tuple[Edit, ...], look: Callable[[], Any]) -> Any:
        """What `look` gives while the function is edited; None where that is no Python."""
        steps = []
        try:
            for edit in edits:
                steps += edit.do()
            for name in {edit.function for edit in edits}:
                define(self.trees[name], self.names)
        except Exception:  # a `return` outside of a function, a number that gets a value
            return None
        finally:
            undo(steps)
        try:
            return look()
        finally:
            self.names.update(self.defined)

    def passes(self) -> tuple[Any, ...]:
        for k, i in enumerate(self.order):
            value, error = self.call(i)
            if k == 0 and self.idea_prints:
                self.last_print = None if error else print_of(value, self.judge.wanted[i])
            if error or not self.judge.is_right(value, i):
                return False, self.progress(value, error) if k == 0 else (3, float(k))
        return True, None

    def holds(self, edits: tuple[Any, ...]) -> bool:
        """Whether a mend passes on the fresh calls, too: what fits the check's inputs by chance
        is no mend.
        """
        order, self.order = self.order, list(range(self.judge.fresh, len(self.judge.calls)))
        try:
            return self.attempt(edits)[0]
        finally:
            self.order = order

    def progress(self, value: object, error: tuple[str, int] | None) -> tuple[float, float]:
        """How far a run comes on the first wrong call: the line that stops it, then shapes, then
        numbers that are right.
        """
        if error:
            return 0, float(error[1])
        parts, share = self.judge.share_right(value, self.order[0])
        return 1 + parts / 10, share

    # What the reference may lend.

    def known_of(self, right_run: RightRun | None, reference: tuple[Any, ...] | None) -> Known:
        """Its numbers, and its steps, with its values in the place of what else they need; the
        keys of parameters.
        """
        given = zip(self.program.functions[0].args.args, self.judge.calls[0], strict=False)
        factors = [argument.arg for argument, value in given if isinstance(value, float)]
        known = Known(
            factors=(self.program.name, tuple(factors)),
            keys=sorted(
                {
                    key
                    for argument in self.judge.calls[0]
                    for one in (argument if isinstance(argument, list) else [argument])
                    if isinstance(one, dict)
                    for key in one
                }
            ),
        )
        if reference is None or right_run is None:
            return known
        self.reference = reference[2]
        tree, sites = (
            reference[2],
            {(site.line, site.text): k for k, site in enumerate(right_run.sites)},
        )
        called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        for node in ast.walk(tree):
            number: Any = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
            if type(number) in (int, float):
                known.numbers.add(number)
            if isinstance(node, ast.Assign) and getattr(node.value, "attr", "") == "shape":
                known.unpacked.add(ast.unparse(node))
            unlike = ast.Constant, ast.Name  # a number, and NumPy itself
            if isinstance(node, ast.expr) and is_plain(node) and not isinstance(node, unlike):
                plain = known.functions if id(node) in called else known.plain
                plain.setdefault(ast.dump(node), node)
            for field, index, hole in _holes(node):
                if is_plain(hole):
                    continue
                if (text := _said(node, hole)) in known.steps:
                    continue
                template = self.template(node, field, index, sites, right_run, reference[1])
                if template is not None:
                    known.steps[text] = template
                    where = sites.get((node.lineno, ast.unparse(node)))  # type: ignore[attr-defined]  # a statement
                    values = None if where is None else right_run.values[0].get(where)
                    if values and same_value(values[0], self.judge.wanted[0]):
                        known.last.add(text)
        return known

    def template(
        self,
        node: ast.AST,
        field: str,
        index: int | None,
        sites: Any,
        right_run: RightRun,
        course: dict[str, Any],
    ) -> Any:
        """A step of the reference with a hole in one place, and its values in the others; None
        where that cannot be.
        """
        new = type(node)(**dict(ast.iter_fields(node)))
        for name, value in ast.iter_fields(node):
            parts = value if isinstance(value, list) else [value]
            made = []
            for k, part in enumerate(parts):
                if name == field == "func":
                    part = ast.Attribute(ast.Name("_hole_", ast.Load()), part.attr, ast.Load())
                elif name == field and k == (index or 0):
                    part = ast.Name("_hole_", ast.Load())
                elif name == "func" and isinstance(part, ast.Name):
                    if part.id not in course:
                        return None
                    self.names[f"_course_{part.id}_"] = course[part.id]
                    part = ast.Name(f"_course_{part.id}_", ast.Load())
                elif name == "func" and not is_plain(part):
                    return None  # a method of what would have to be a piece
                elif isinstance(part, ast.expr) and name != "func" and not is_plain(part):
                    site = sites.get((part.lineno, ast.unparse(part)))
                    if (
                        isinstance(node, ast.Call)
                        and not is_plain(node.func)
                        and not self.is_given(part)
                    ):
                        return None  # a whole function of the reference would say nothing
                    values = (
                        [run.get(site, []) for run in right_run.values]
                        if site is not None
                        else [[]]
                    )
                    if any(len(v) != 1 for v in values):
                        return None
                    piece = f"_piece_{site}_"
                    self.pieces[piece] = [v[0] for v in values]
                    part = ast.Name(piece, ast.Load())
                made.append(part)
            setattr(new, name, made if isinstance(value, list) else made[0])
        return new

    def is_given(self, node: ast.AST) -> bool:
        """Whether an expression is made of the reference's arguments alone."""
        arguments = {argument.arg for argument in self.reference.args.args}
        return all(
            n.id in arguments or n.id == "np" for n in ast.walk(node) if isinstance(n, ast.Name)
        )


def _holes(node):
    """(field, index, what stands there) of the places of a step at which something is done to a
    value.
    """
    if isinstance(node, ast.BinOp):
        return ("left", None, node.left), ("right", None, node.right)
    if isinstance(node, ast.UnaryOp):
        return (("operand", None, node.operand),)
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return (("value", None, node.value),)
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and is_plain(node.slice):
        return (("value", None, node.value),)
    if isinstance(node, ast.Call):
        method = isinstance(node.func, ast.Attribute) and not is_plain(node.func)
        return [
            *([("func", None, node.func.value)] if method else []),
            *(("args", k, arg) for k, arg in enumerate(node.args) if k or not _is_where(node)),
        ]
    return ()


def _is_where(node) -> bool:
    return getattr(node.func, "attr", "") == "where"


def _said(node, hole) -> str:
    """A step in text, with _ in the place of what it is done to."""
    return ast.unparse(node).replace(ast.unparse(hole), "_", 1)


def _turned(progress: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(-part for part in progress)


def _clash(one: Edit, other: Edit) -> bool:
    """Whether two edits write into the same place, one within the other's."""
    places = {(id(node), name) for node, name, _, _ in one.changes}
    return any((id(node), name) in places for node, name, _, _ in other.changes)


def _cannot_pair(one: Edit, other: Edit) -> bool:
    """Whether two edits are no two slips, whatever they mend together."""
    return _clash(one, other) or _is_exchange(one, other)


def _is_exchange(one: Edit, other: Edit) -> bool:
    """Whether one takes a step away, or keeps it elsewhere, and the other does a step with a value
    of the right run: both lines may be right, and what is taken away was wrong before.
    """
    kinds = {edit.kind: edit.cost for edit in (one, other)}
    return kinds.get("missing", 0) >= WITH_A_VALUE and bool({"too much", "name"} & set(kinds))

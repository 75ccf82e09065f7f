"""Which place of a wrong function is wrong, and what kind of slip it is: both searches, in the
process that runs students' code.

Order: one mend; the substitution of a right run's values; two mends. What comes back is plain
data (`Slip`).
"""

import ast
import copy
import dataclasses
import functools
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cloudpickle
import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.candidates import (
    FILE,
    Judge,
    Program,
    Runner,
    quiet_room,
    same_value,
)
from course_utils.diagnosis.edits import WITH_A_VALUE, Edit, undo
from course_utils.diagnosis.mending import MOST_EDITS, Mend, MendSearch
from course_utils.diagnosis.running import Outcome
from course_utils.diagnosis.slip_words import Slip
from course_utils.diagnosis.substitution import Substitution, turned_name
from course_utils.diagnosis.tracing import (
    RightRun,
    TracedProgram,
    reference_program,
    trace_reference,
)
from course_utils.diagnosis.values import tolerance_of

if TYPE_CHECKING:
    from course_utils.diagnosis.exercise import Exercise

SECONDS_ONE, SECONDS_SUBSTITUTION, SECONDS_TWO = 0.5, 0.4, 1.2  # of processor time
SECONDS_BESIDE = 0.6  # for the line of a slip that has a name, once the other is mended
SECONDS_NAMED = 0.2  # for two mends where a written misconception says enough
MOST_PAIRED = 3000  # edits: of a function that allows more, no two mends are found in that time
SEED = 7


@dataclass(frozen=True)
class Material:
    """What the searches lay beside a student's run: made once for an exercise, of trusted code."""

    judge: Judge
    right_run: RightRun | None
    sources: dict[str, str]

    def __reduce__(self):
        return _material_from, (self.pickled,)

    @functools.cached_property
    def pickled(self) -> bytes:
        """What it is made of: every check sends it to the worker."""
        return cloudpickle.dumps((self.judge, self.right_run, self.sources))

    def without_traps(self) -> "Material":
        """The material of the ordinary calls alone."""
        judge, right_run = self.judge, self.right_run
        kept = [*range(judge.n_ordinary), *range(judge.fresh, len(judge.calls))]

        def pick(values):
            return [values[i] for i in kept]

        judge = dataclasses.replace(
            judge,
            calls=pick(judge.calls),
            wanted=pick(judge.wanted),
            tolerances=pick(judge.tolerances),
            fresh=judge.n_ordinary,
        )
        if right_run:
            right_run = dataclasses.replace(
                right_run, values=pick(right_run.values), variety=pick(right_run.variety)
            )
        return dataclasses.replace(self, judge=judge, right_run=right_run)


def _material_from(pickled):
    return Material(*pickle.loads(pickled))


def material_of(
    exercise: "Exercise",
    run_trusted: Callable[..., Outcome],
    tolerance_of: Callable[..., float],
    source_of: Callable[[str], str],
) -> Material:
    """The material of an exercise: its calls and some fresh ones, what they give, and the right
    run's values where one is written.
    """
    calls, outcomes = list(exercise.tries), exercise.own_outcomes(exercise.reference)
    wanted = [outcome.value for outcome in outcomes]
    rng, n = np.random.default_rng(SEED), len(calls)
    for arguments in exercise.inputs[:3]:
        fresh = tuple(refreshed(argument, rng) for argument in arguments)
        outcome = run_trusted(exercise.reference, fresh)
        if outcome.failure is None and outcome.value is not None and outcome.nan_began is None:
            calls.append(fresh)
            wanted.append(outcome.value)
    tolerances = [tolerance_of(arguments) for arguments in calls]
    ordinary = len(exercise.inputs)
    judge = Judge(calls, wanted, tolerances, exercise.canonicalise, ordinary, n)
    sources, waiting = {}, [exercise.name]
    while waiting:
        name = waiting.pop()
        if name not in sources and (text := source_of(name)):
            sources[name] = text
            waiting += {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    for i in range(n):
        start = time.process_time()
        run_trusted(exercise.reference, calls[i])
        judge.seconds = max(judge.seconds, time.process_time() - start)
    with np.errstate(all="ignore"):
        right_run = trace_reference(exercise.name, sources, Runner(judge))
    return Material(judge, right_run, sources)


def ideas_of(
    exercise: "Exercise", judge: Judge, run_trusted: Callable[..., Outcome]
) -> dict[int, list[Any]]:
    """{number of a written misconception: what it gives on each call of a judge, None where it
    stops or is not compared}: those of a trap are seen nowhere else.
    """
    ideas, n = {}, len(exercise.inputs)
    for k, mistake in enumerate(exercise.mistakes):
        if mistake.trap is None:
            ordinary = [exercise.own_outcome(mistake.function, i) for i in range(n)]
            others = [run_trusted(mistake.function, call) for call in judge.calls[judge.fresh :]]
            given = [*ordinary, *[None] * (judge.fresh - n), *others]
            ideas[k] = [o and (None if o.failure or o.nan_began else o.value) for o in given]
    return ideas


def refreshed(argument: Any, rng: Generator) -> Any:
    """An argument with other numbers of the same kind: signs, whole numbers, symmetry and rows
    that sum to 1 stay.
    """
    if isinstance(argument, np.ndarray) and argument.dtype.kind == "f":
        new = argument * rng.uniform(0.5, 1.5, argument.shape)
        if (
            argument.ndim == 2
            and argument.shape[0] == argument.shape[1]
            and np.array_equal(argument, argument.T)
        ):
            new = (new + new.T) / 2
        with np.errstate(all="ignore"):
            if argument.ndim and argument.size and np.allclose(argument.sum(axis=-1), 1):
                new = new / new.sum(axis=-1, keepdims=True)
        return new.astype(argument.dtype)
    if isinstance(argument, dict):
        return {key: refreshed(value, rng) for key, value in argument.items()}
    if isinstance(argument, (list, tuple)):
        return type(argument)(refreshed(value, rng) for value in argument)
    return copy.copy(argument) if isinstance(argument, (np.ndarray, set)) else argument


def find_slips(
    program: Program,
    material: Material,
    name: str,
    is_named: bool,
    ideas: dict[int, list[Any]] | None = None,
) -> list[Any]:
    """The slips of a student's program, each as the fields of a Slip, in the order of their
    lines; [] where no search finds any.

    is_named: a written misconception explains it, and a line is all that is asked: first of two
    comes the one that makes more calls wrong, since that has the name. ideas: of those
    that may be said of one of two slips, what they give.
    """
    found = _slips(program, material, name, is_named, ideas or {})
    if is_named and not found:
        # A misconception is told by ordinary calls: a trap may have a slip of its own.
        found = _slips(program, material.without_traps(), name, is_named, {})
    return [dataclasses.astuple(slip) for slip in found]


def where_it_shows(
    program: Program, material: Material, name: str, tells: Any, answered: list[Any]
) -> list[bool]:
    """Whether a slip shows on each of [(arguments, what is wanted)]: a line may give what is right
    on one input, and not on another. tells: of a Slip.
    """
    judge = dataclasses.replace(
        material.judge,
        calls=[tuple(arguments) for arguments, _ in answered],
        wanted=[wanted for _, wanted in answered],
        tolerances=[tolerance_of(arguments) for arguments, _ in answered],
        fresh=len(answered),
    )
    with quiet_room():
        runner = Runner(judge)
        if tells[0] == "mended":
            names = program.names()
            exec(compile(tells[1], FILE, "exec"), names)
            return [not runner.is_right(names[program.name], i) for i in range(len(answered))]
        right_run = trace_reference(name, material.sources, runner)
        if right_run is None:
            return [False] * len(answered)
        return Substitution(program, judge, right_run).is_wrong_at(*tells[1:])


def _slips(program, material, name, is_named, ideas) -> list[Any]:
    with quiet_room():
        reference = reference_program(name, material.sources)
        search = MendSearch(program, material.judge, material.right_run, reference, ideas)
        if not search.wrong:
            return []
        told = _Telling(program, material)
        runs, step, places, are_right = None, None, None, False
        if len(search.edits) > MOST_EDITS:  # the lines that substitution finds are tried first
            runs, step, places, are_right = _substituted(program, material)
            search.likely = _lines_of(step, places)
        mend = search.one(SECONDS_ONE)
        if mend and is_named and mend.edits[0].cost >= WITH_A_VALUE:
            return []  # what the reference does can be put in at many lines: the name says enough
        if mend and (slips := told.of_mend(mend, search)):
            return slips
        if (mend := search.beside_misconception(SECONDS_BESIDE)) and (
            slips := told.of_mend(mend, search)
        ):
            return slips
        if places is None:
            runs, step, places, are_right = _substituted(program, material)
        if len(search.edits) <= MOST_PAIRED and not (are_right and len(places) == 2):
            search.likely = _lines_of(step, places)
            mend = search.two(SECONDS_NAMED if is_named else SECONDS_TWO)
            if mend and (slips := told.of_mend(mend, search)):
                return slips if not is_named or search.first_alone(mend) else slips[::-1]
        if is_named:  # a claim about values alone adds nothing to a name
            return []
        if are_right:
            return told.of_places(places)
        one = None if runs is None else runs.earliest(SECONDS_SUBSTITUTION)
        if one and not (step and step.site.line < one.site.line):
            return told.of_places([one])
        if not step:
            return []
        first = told.of_place(step, "unknown step")
        if one and not told.is_turned(one, step):
            return [first, told.of_place(one, "last step")]
        if one:
            return [first]
        if told.calls_helper(step):
            return [first]  # the slip may be in the helper, which is called elsewhere, too
        return [first, *(told.of_place(place, "next step") for place in places[1:])]


def _lines_of(step, places) -> set[int]:
    return {place.site.line for place in [*places, step] if place}


def _substituted(program, material) -> tuple[Any, ...]:
    """(runs beside the right one, the first wrong step or None, places, whether right values there
    make all right); (None, None, [], False) where no right run is written.
    """
    if material.right_run is None:
        return None, None, [], False
    runs = Substitution(program, material.judge, material.right_run)
    found, are_right = runs.chain(SECONDS_SUBSTITUTION)
    return runs, runs.first_wrong_step(), runs.places(found), are_right


class _Telling:
    """Turns what a search found into what may be said of it."""

    def __init__(self, program: Program, material: Material):
        self.program, self.material = program, material

    def of_mend(self, mend: Mend, search: MendSearch) -> list[Any]:
        """A Slip for each edit: with its kind where all mends that cost as little agree, with its
        lines where they agree on those.
        """
        pairs = zip(mend.equal, mend.near, strict=True)
        slips: list[Any] = [self.of_edits(equal, near, search, mend) for equal, near in pairs]
        if len(slips) < len(mend.ideas) and mend.ideas[-1] is not None and all(slips):
            lines, text = self.rest(mend, search)
            if mend.is_guess and (not lines or set(lines) & set(slips[0].lines)):
                return []
            if lines and text not in self.program.statement(self.program.name, lines[0]):
                return []  # the edit itself made the misconception
            tells = "mended", search.changed(mend.edits)
            slips.append(Slip("named", lines, text, tells=tells, idea=mend.ideas[-1]))
            if search.stops() and not search.stops(mend.edits):
                return slips  # the edited line stops it
            return sorted(slips, key=lambda slip: slip.lines or (np.inf,))
        slips = [
            slip and dataclasses.replace(slip, idea=idea)
            for slip, idea in zip(slips, mend.ideas, strict=False)
        ]
        edits = mend.edits
        if len(slips) == 2 and search.stops(edits[:1]) and not search.stops(edits[1:]):
            slips, edits = slips[::-1], edits[::-1]  # first the one that stops it
        if len(slips) == 2 and slips[0]:
            others = "mended", search.changed(edits[1:])
            slips[0] = dataclasses.replace(slips[0], tells=others)
        is_one_line = len(slips) == 2 and all(slips) and slips[0].lines == slips[1].lines
        if is_one_line and not any(slip.idea is not None for slip in slips):
            # two edits of one line may be one slip that the grammar has not
            one = slips[0]
            if not one.inside:
                one = dataclasses.replace(
                    one, text=self.program.statement(self.program.name, one.lines[0])
                )
            return [dataclasses.replace(one, kind="", tells=())]
        return [slip for slip in slips if slip] if all(slips) or len(slips) == 2 else []

    def rest(self, mend: Mend, search: MendSearch) -> tuple[tuple[int, ...], str]:
        """(lines, text) of what is still wrong once a program is edited, as far as right values
        tell.
        """
        steps = [step for edit in mend.edits for step in edit.do()]
        try:
            trees = copy.deepcopy(self.program.functions)
        finally:
            undo(steps)
        if self.material.right_run is None:
            return (), ""
        program = dataclasses.replace(self.program, functions=trees)
        runs = Substitution(program, self.material.judge, self.material.right_run)
        place = runs.earliest(SECONDS_SUBSTITUTION)
        names = [site.name for site in runs.traced.sites]
        is_one = place is not None and place.site.name == place.right.name != ""
        if not is_one or names.count(place.site.name) > 1:  # a later line may make it wrong
            place = runs.earliest(SECONDS_SUBSTITUTION, is_strict=True)
        if place is None or program.ends_inside(place.site.function, place.site.line):
            return (), ""
        slip = self.of_place(place, "first step")
        return ((), "") if slip.inside else (slip.lines, slip.text)

    def of_edits(
        self, equal: list[Any], near: list[Any], search: MendSearch, mend: Mend
    ) -> Slip | None:
        if equal[0].kind == "missing" and len({(edit.kind, edit.added) for edit in equal}) == 1:
            equal = near = [self.last_made(near)]
        first = near[0]
        if len({(edit.function, edit.line) for edit in near}) > 2:
            return None
        function, at = first.function, self.program.line
        lines = tuple(sorted({at(e.function, line) for e in near for line in e.lines}))
        kinds = {(e.kind, e.added if e.kind == "missing" else "") for e in equal}
        is_one_place = len({(edit.function, edit.line) for edit in near}) == 1
        kind = first.kind if is_one_place and len(kinds) == 1 else ""
        if is_one_place and kinds == {("sign", ""), ("brackets", "")}:
            kind = "signs"  # a - b + c - d: one more minus, or brackets
        is_one_text = len({edit.text for edit in near}) == 1
        text = first.text if is_one_text else self.program.statement(function, first.line)
        milestones = (first.added,) if first.added else self.milestones(first, mend, search)
        inside = f"line {first.line} of `{function}`" if function != self.program.name else ""
        return Slip(kind, lines, text, milestones, inside)

    @staticmethod
    def last_made(edits: list[Any]) -> Edit:
        """Of the same step, missing on the way of one value through several names: where it got
        its last name, or else where it was made.
        """
        made = [edit for edit in edits if isinstance(edit.changes[0][0], ast.Assign)]
        renamed = [edit for edit in made if edit.text.isidentifier()]
        return (
            max(renamed, key=lambda edit: edit.line)
            if renamed
            else min(made or edits, key=lambda edit: edit.line)
        )

    def milestones(self, edit: Edit, mend: Mend, search: MendSearch) -> tuple[Any, ...]:
        """The names under which the right run has what the edited line gives once it is mended."""
        right_run = self.material.right_run
        if right_run is None:
            return ()
        steps = [step for one in mend.edits for step in one.do()]
        try:
            traced = TracedProgram(self.program.functions, search.names, self.program.name)
        except Exception:  # a trace that is no Python
            return ()
        finally:
            undo(steps)
        i = search.order[0]
        values, _ = traced.values(search.runner, i)
        named = [
            (site.name, right_run.values[i].get(k))
            for k, site in enumerate(right_run.sites)
            if site.name
        ]
        here = [
            v
            for k, site in enumerate(traced.sites)
            if (site.function, site.line) == (edit.function, edit.line)
            for v in values.get(k, [])
        ]
        return tuple(
            dict.fromkeys(
                name
                for name, theirs in named
                for v in here[::-1]
                if theirs and same_value(v, theirs[0])
            )
        )

    def of_places(self, places: list[Any]) -> list[Any]:
        """A Slip for each place, the last of which all that comes after is right; one for places
        that go back to one line.
        """
        if any(self.program.ends_inside(p.site.function, p.site.line) for p in places):
            return []  # what comes after it is not all that decides
        by_line = {self.of_place(place, "last step").lines: place for place in places}
        *before, last = by_line.values()
        firsts = [self.of_place(place, "first step") for place in before]
        return [*firsts, self.of_place(last, "last step")]

    def is_milestone(self, place) -> bool:
        """Whether a right value is the first that the task calls by the name that it has here, or
        no value of a right run is called so: else it may undo what comes after it, too.
        """
        name = place.site.name or place.site.text
        named = [site for site in self.material.right_run.sites if site.name == name]
        return not named or place.right == named[0]

    @staticmethod
    def is_turned(place, step) -> bool:
        """Whether a place is what a wrong step made, with its axes in another order: it is wrong
        because the step is."""
        return turned_name(place.site.text) in step.site.makes

    def calls_helper(self, place) -> bool:
        """Whether a place's statement calls a function that the student wrote."""
        trees = [node for tree in self.program.functions for node in ast.walk(tree)]
        own = {node.name for node in trees if isinstance(node, ast.FunctionDef)}
        return any(
            isinstance(node, ast.Name) and node.id in own and node.lineno == place.site.line
            for tree in self.program.functions
            if tree.name == place.site.function
            for node in ast.walk(tree)
        )

    def of_place(self, place, kind: str) -> Slip:
        site = place.site
        line, text = site.line, place.turned or site.name or site.text
        made = self.program.made_at(site.function, text, line)
        is_renamed = self.program.statement(site.function, made).partition(" = ")[2].isidentifier()
        came_wrong = bool(place.turned) or (not site.name and (place.came_wrong or is_renamed))
        if (
            text.isidentifier() and not site.name and not came_wrong
        ):  # a variable that is right: the statement around it is not
            text = self.program.statement(site.function, line)
        line = made if came_wrong else line
        lines = (self.program.line(site.function, line),)
        inside = f"line {line} of `{site.function}`" if site.function != self.program.name else ""
        if kind == "last step" and (
            self.program.is_last(site.function, line) or not self.is_milestone(place)
        ):
            kind = "last line"
        if kind in ("last step", "last line") and self.program.is_first(site.function, line):
            kind = "first line"
        names = (place.right.name,) if place.right.name else ()
        tells = ("place", *place.sites) if kind in ("first step", "unknown step") else ()
        return Slip(kind, lines, text[:90], names, inside, tells)

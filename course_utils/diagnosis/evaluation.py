"""What a student's function did on all inputs, and which idea slipped."""

import dataclasses
import functools
import inspect
import itertools
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from course_utils.cards.diagnoses import Contrast
from course_utils.diagnosis import builds, code_inspection
from course_utils.diagnosis.candidates import Program, read_program
from course_utils.diagnosis.error_messages import (
    GAP,
    NOTHING_BACK,
    explain,
    explain_change,
    explain_memory,
    explain_notebook_name,
    in_place,
)
from course_utils.diagnosis.explaining import find_slips, where_it_shows
from course_utils.diagnosis.failing_example import Wrong, find_example, is_readable
from course_utils.diagnosis.lists import as_text, describe_list, is_list
from course_utils.diagnosis.properties import describe_shape, properties_of
from course_utils.diagnosis.running import Failure, Outcome, has_gap, run_search
from course_utils.diagnosis.slip_words import STEPS, Slip, without_praise
from course_utils.diagnosis.values import (
    WHOLE,
    Function,
    agree,
    arrays_of,
    as_arrays,
    describe_type,
    side_by_side,
    sizes_of,
    tolerance_of,
)
from course_utils.diagnosis.verdicts import Diagnosis, after_success, not_attempted, wrong

if TYPE_CHECKING:
    from course_utils.diagnosis.exercise import Exercise, Mistake

SEARCH = (
    3.5  # seconds of processor time for all searches together; each has a clock of its own, too
)

OF_THE_RESULT = {
    "It has": "What comes back has",
    "Its rows": "The rows of what comes back",
    "Its numbers": "The numbers of what comes back",
}
# Mends that turn something: two of them undo what stands between them, where the slip may be.
TURNS = {"result order", "operands", "argument order"}
TWO_IDEAS = re.compile(r", | and ")  # in a name
MOST_LOOKED = 5  # inputs on which a step is looked for that is told already
DIFFER = "The numbers differ."
NEXT = " On the next: "

Lines = tuple[int, ...]


class Evaluation:
    """One look at what a student's function did on all inputs."""

    def __init__(
        self, exercise: "Exercise", function: Function, outcomes: list[Outcome], printed: str
    ) -> None:
        self.exercise, self.function, self.outcomes, self.printed = (
            exercise,
            function,
            outcomes,
            printed,
        )
        self.wanted = [
            outcome.value for outcome in exercise.own_outcomes(exercise.reference)[: len(outcomes)]
        ]
        self.right = [self.is_right(i) for i in range(len(outcomes))]

    def verdict(self) -> Diagnosis:
        ordinary = len(self.exercise.inputs)
        wrong = [i for i, right in enumerate(self.right[:ordinary]) if not right]
        first = (
            wrong[0]
            if wrong
            else next((i for i, right in enumerate(self.right) if not right), None)
        )
        if memory := explain_memory(self.outcomes[0]):
            return self.wrong(*memory)
        if first is None or (not wrong and self.changed_argument is not None):
            return self.correct()
        outcome = self.outcomes[first]
        if untouched(outcome) and (
            outcome.failure is None
            or has_gap(self.function)
            or outcome.failure.type == "NotImplementedError"
        ):
            return not_attempted(self.exercise, self.function)
        if outcome.failure and outcome.failure.type in (
            "OutOfTime",
            "OutOfMemory",
            "Ended",
            "Garbled",
            "PrintsTooMuch",
        ):
            name, said = explain(outcome.failure)
            return self.with_slips(name, said, ())
        if line := self.copies_one_row(first):
            return self.wrong(
                "`[row] * n` is a list of n names for one and the same row: what is written into"
                " one is written into all.",
                "one row copied many times",
                lines=self.lines_at(line),
            )
        if meant := code_inspection.notebook_name(self.function, self.exercise.arguments):
            return self.wrong(*explain_notebook_name(*meant))
        if self.program and (gap := self.program.gap_line):
            name, said = (
                explain(outcome.failure, visible_names(self.function))
                if outcome.failure
                else (None, "")
            )
            said = said if name == GAP else f"`...` still stands in line {gap[0]}: fill the gap in."
            return self.wrong(said, GAP, lines=gap)
        if not wrong and (compared := code_inspection.compared_with_nan(self.function)):
            text, line = compared
            return self.wrong(
                f"`{text}` finds no NaN: it equals nothing, not even itself. `np.isnan` finds it.",
                "NaN compared with ==",
                lines=self.lines_at(line),
            )
        known = self.known_mistake(wrong, first)
        if known:
            return self.named(known)
        if outcome.failure:
            name, said = explain(outcome.failure, visible_names(self.function))
            if outcome.failure.type == "NameError":  # a name without a value: that says it all
                return self.wrong(said, name, lines=self.lines_at(outcome.failure.number))
            said, lines = said + self.calling(first), self.lines_at(outcome.failure.number)
            if step := self.first_step(first, is_stopped=True):
                step = builds.Step(name, f"{said} {step.sentences}", step.lines or lines)
            return self.with_slips(name, said, lines, step=step)
        if outcome.value is None and outcome.type_description is None:
            name, said = explain_nothing(self.function, self.printed)
            return self.wrong(
                said, name, lines=self.lines_at(code_inspection.last_line(self.function))
            )
        return self.unexplained(wrong, first)

    # Where it is wrong.

    @functools.cached_property
    def program(self) -> Program | None:
        """The student's code as trees; None where it is not to be had."""
        return read_program(self.function)

    def lines_at(self, number: int | None) -> Lines:
        """A line of the student's file as a line of the function, in a tuple; () where it is in
        none of its lines."""
        return self.program.lines_at(number) if self.program else ()

    def slips(self, is_named: bool = False) -> list[Slip]:
        """What the searches find, in the order of lines; [] where there is no code, or a search had
        to be ended."""
        if self.program is None:
            return []
        known = {} if is_named else self.exercise.ideas
        found = run_search(
            find_slips,
            self.program,
            self.exercise.material,
            self.exercise.name,
            is_named,
            {k: v for k, v in known.items() if self.can_be_said(self.exercise.mistakes[k])},
            seconds=SEARCH,
        )
        if isinstance(found, Failure):
            return []
        slips = [Slip(*fields) for fields in found]
        ideas = [self.idea_of(slip, slips) for slip in slips]
        if any(
            slip.kind == "named" and idea is None for slip, idea in zip(slips, ideas, strict=True)
        ):
            return []  # what the search changed made the idea
        return [
            dataclasses.replace(slip, idea=idea and (idea.name, without_praise(idea.hint)))
            for slip, idea in zip(slips, ideas, strict=True)
        ]

    def idea_of(self, slip: Slip, slips: list[Slip]) -> "Mistake | None":
        """The misconception of one of two slips; None of one which says that an argument has no
        effect, where the line of the other slip reads it.
        """
        if slip.idea is None:
            return None
        idea = self.exercise.mistakes[slip.idea]
        lines = {line for other in slips if other is not slip for line in other.lines}
        is_read = self.program is not None and any(
            re.search(rf"\b{argument}\b", self.program.statement(self.program.name, line))
            for argument in idea.without_effect
            for line in lines - set(slip.lines)
        )
        return None if is_read else idea

    def named(self, mistake: "Mistake") -> Diagnosis:
        """A written misconception: its title and its question, and the line that a search finds."""
        slips = (
            [] if self.only_line() else self.slips(is_named=True)
        )  # of one line there is nothing to find
        if not slips or (len(slips) > 1 and {slip.kind for slip in slips} <= TURNS):
            return self.wrong(mistake.hint, mistake.name, lines=self.only_line())
        spoken = tuple(sorted({line for slip in slips for line in slip.lines}))
        hint = mistake.hint if len(slips) == 1 else without_praise(mistake.hint)
        # One idea in two lines is one slip: only a name of two has another for *Next*.
        after = [slip.next_words() for slip in slips[1:] if TWO_IDEAS.search(mistake.name)]
        return self.wrong(f"{hint} {slips[0].where()}", mistake.name, None, spoken, after)

    def only_line(self) -> Lines:
        return self.program.only_line if self.program else ()

    def with_slips(
        self,
        name: str | None,
        said: str,
        lines: Lines,
        compared: tuple[int, tuple[str, str]] | None = None,
        measured: str | None = None,
        step: builds.Step | None = None,
        code_said: str = "",
    ) -> Diagnosis:
        """What is said already, behind the slips that the searches find: the first now, a second
        one on *Next*.

        name, lines: what is said without them. compared: (the number of an input, what came and
        what was wanted, as texts), or None. measured: the name of a measured property, for a slip
        without a class. step: the first that goes wrong, which is said instead, or None.
        code_said: what is said before of the code.
        """
        slips = self.slips()
        if any(slip.idea for slip in slips):  # names for both say more than a call that differs
            step, slips = (step, []) if step and step.after else (None, slips)
        is_guess = bool(slips) and slips[0].kind == "unknown step"
        if is_guess and lines and not code_said and slips[0].lines[0] > max(lines):
            slips = []  # it stops before that line, whose values are those of another input
        are_steps = len(slips) == 2 and slips[0].kind in STEPS
        if self.outcomes[0].failure and are_steps and set(lines) & set(slips[1].lines):
            slips = slips[::-1]  # what is said already speaks of the line that stops it
        if step and step.lines and slips and max(step.lines) < min(slips[0].lines):
            # After a mend all is right, so what was before it was right, too: another way to write
            # it. A right value hides what is wrong before it.
            step, slips = (step, []) if slips[0].kind in STEPS else (None, slips)
        if step and step.is_end and step.name and len(slips) > 1:
            slips = []  # a name for what comes back says more than two changes elsewhere
        after = [slip.next_words() for slip in slips[1:]]
        if step:
            name, said, lines = step.name, step.sentences, step.lines
            if (
                slips
                and slips[0].kind == "unknown step"
                and (step.name or min(step.lines, default=0) <= slips[0].lines[0])
            ):
                slips, after = [], []  # which call goes wrong, and in what, says more
            if step.after:
                after, lines = [step.after], tuple(sorted({*lines, *step.after_lines}))
        comparison = None
        if compared and not (after or slips) and (idea := self.idea_of_another_part(compared[0])):
            after = [f"Once that is right: {idea.hint}"]
        if compared:
            i, texts = compared
            told = slips[0] if slips else None
            said, comparison = self.with_example(i, said, texts, step, told)
        said = code_said + said
        unread = [
            f"`{a}`"
            for k, a in enumerate(self.exercise.arguments)
            if hasattr(self.function, "__code__")
            and not code_inspection.reads(self.function, k)
            and code_inspection.reads(self.exercise.reference, k)
        ]
        verb = "is" if len(unread) == 1 else "are"
        nowhere = f" {' and '.join(unread)} {verb} used nowhere." if unread else ""
        if not slips:
            said += "" if name or measured else nowhere
            return self.wrong(said, name or measured, comparison, lines or self.only_line(), after)
        title, sentence = slips[0].words(*slips[1:])
        are_two = len(slips) > 1 and slips[0].kind != "unknown step"
        begun = "There are two slips. " if are_two else ""
        if are_two and not self.outcomes[0].failure and not step:
            said = code_said  # what is measured may be the other slip's
        spoken = sorted({line for slip in slips for line in slip.lines} | set(lines))
        if slips[0].kind == "name" or not (name or title or measured):
            sentence += nowhere
        for short, whole in OF_THE_RESULT.items():  # "it" would be the line
            said = whole + said.removeprefix(short) if said.startswith(short) else said
        return self.wrong(
            f"{begun}{sentence} {said}".rstrip(),
            name or title or measured,
            comparison,
            tuple(spoken),
            after,
        )

    def idea_of_another_part(self, i: int) -> "Mistake | None":
        """The misconception that agrees with the student in one of several things returned, not the
        first that is wrong on input i, wherever an ordinary input lets both run."""
        wanted = self.wanted[i]
        if not isinstance(wanted, tuple):
            return None
        ordinary, n = range(min(len(self.exercise.inputs), len(self.outcomes))), len(wanted)
        given = [self.came(self.outcomes[k].value, self.wanted[k]) for k in ordinary]
        right = [arrays_of(self.wanted[k]) for k in ordinary]
        if None in [got and 1 for got in given] or i not in ordinary:
            return None
        if not all(any(part.size for part in its) for its in zip(*given, strict=True)):
            return None  # what is always empty hides the rest

        def same(a, b, k, part):
            return agree(a[k][part : part + 1], b[k][part : part + 1], self.tolerance(k))

        told = next((part for part in range(n) if not same(given, right, i, part)), None)
        parts = [
            p for p in range(n) if p != told and not all(same(given, right, k, p) for k in ordinary)
        ]
        for mistake in filter(self.can_be_said, self.exercise.mistakes) if parts else ():
            others = [self.exercise.own_outcome(mistake.function, k) for k in ordinary]
            if mistake.trap or any(other.failure for other in others):
                continue
            theirs = [self.came(other.value, self.wanted[k]) for k, other in enumerate(others)]
            if all(theirs) and any(all(same(given, theirs, k, p) for k in ordinary) for p in parts):
                return mistake
        return None

    def is_right(self, i: int) -> bool:
        outcome = self.outcomes[i]
        if outcome.failure and "UFunc" in outcome.failure.type and self.trap(i) == WHOLE:
            return True
        if outcome.failure or outcome.type_description or outcome.value is None:
            return False
        return self.same(outcome.value, self.wanted[i], self.tolerance(i))

    def trap(self, i: int) -> str | None:
        """The trap that input i is, or None."""
        ordinary = len(self.exercise.inputs)
        return list(self.exercise.traps)[i - ordinary] if i >= ordinary else None

    def same(self, value: object, other: object, tolerance: float) -> bool:
        """Whether a value is another one, as far as the task tells them apart."""
        got = self.came(value, other)
        return got is not None and agree(got, arrays_of(other), tolerance)

    def came(self, value: object, other: object) -> list[Any] | None:
        """A value as arrays, in the form of another one; None where that cannot be."""
        got = as_arrays(value, other)
        return got and self.exercise.canonicalise(got, arrays_of(other))

    def tolerance(self, i: int) -> float:
        return tolerance_of(self.exercise.tries[i])

    @property
    def changed_argument(self) -> int | None:
        """The number of an argument that is different after a call, or None."""
        return next(
            (o.changed_argument for o in self.outcomes if o.changed_argument is not None), None
        )

    def correct(self) -> Diagnosis:
        if (changed := self.changed_argument) is not None:
            line = code_inspection.changes_argument(self.function, changed)
            return self.wrong(*self.change_of(changed), lines=self.lines_at(line))
        return Diagnosis(
            "correct", None, "Right.", printed=self.printed, ladder=after_success(self.exercise)
        )

    def change_of(self, changed: int) -> tuple[str, str]:
        """(sentences, name) of an argument that is different after a call."""
        return explain_change(self.exercise.arguments[changed], self.exercise.tries[0][changed])

    def wrong(
        self,
        sentences: str,
        name: str | None = None,
        comparison: Contrast | None = None,
        lines: Lines = (),
        after: Sequence[str] = (),
    ) -> Diagnosis:
        if not after and not all(self.right) and (changed := self.changed_argument) is not None:
            said = self.change_of(changed)[0].removeprefix("What comes back is right, but ")
            after = [f"Once that is right: {said}"]
        if lines and self.program and self.program.has_helpers_above:
            sentences += f" (Line 1 is `def {self.program.name}`.)"
        return wrong(self.exercise, sentences, name, comparison, self.printed, lines, after)

    def known_mistake(self, wrong: list[int], first: int) -> "Mistake | None":
        """The mistake that agrees with the student wherever an ordinary input lets both run; a trap
        decides about its own mistakes."""
        ordinary, about = len(self.exercise.inputs), None
        if not wrong:  # right on everything ordinary: only a mistake about this trap can be meant
            about = list(self.exercise.traps)[first - ordinary]
        best = None
        for mistake in filter(self.can_be_said, self.exercise.mistakes):
            own = functools.partial(self.exercise.own_outcome, mistake.function)
            if False in (self.agrees(i, own(i)) for i in range(min(ordinary, len(self.outcomes)))):
                continue  # most mistakes end here, at the first input
            others = [own(i) for i in range(len(self.outcomes))]
            agree = [self.agrees(i, other) for i, other in enumerate(others)]
            if not (self.shown(wrong, agree, others) if wrong else agree[first]):
                continue
            if not wrong and mistake.trap not in (None, about):
                continue
            score = sum(bool(a) for a in agree)
            if best is None or score > best[0]:
                best = score, mistake
        return best and best[1]

    def can_be_said(self, mistake: "Mistake") -> bool:
        """Whether what the name says of the code is so: an argument that is not used, a
        division."""
        if any(
            code_inspection.reads(self.function, self.exercise.arguments.index(argument))
            for argument in mistake.unused_arguments.split()
        ):
            return False
        return not mistake.requires or code_inspection.CODE_PREDICATES[mistake.requires](
            self.function
        )

    def agrees(self, i: int, other: Outcome) -> bool | None:
        """Whether student and mistake give the same on input i; None where one of them does not
        run."""
        outcome = self.outcomes[i]
        if outcome.failure and not other.failure:
            return False
        if outcome.failure or outcome.type_description or other.failure:
            return None
        return outcome.value is not None and self.same(
            outcome.value, other.value, self.tolerance(i)
        )

    def shown(
        self, wrong: list[int], agree: Sequence[bool | None], others: Sequence[Outcome]
    ) -> bool:
        """Whether a mistake shows on a wrong input: in a number, in NaN that began alike where it
        has nothing else, or in how both stop."""
        if any(agree[i] and self.tells(i, others[i]) for i in wrong):
            return True
        ordinary = range(min(len(self.exercise.inputs), len(others)))
        if any(agree[i] for i in wrong):
            return not any(
                self.tells(i, others[i]) for i in ordinary if not others[i].failure
            ) and any(
                agree[i] and _nan_began_alike(self.outcomes[i].nan_began, others[i].nan_began)
                for i in wrong
            )
        return all(
            agree[i]
            or _stops_alike(self.outcomes[i].failure, others[i].failure, self.exercise.arguments)
            for i in ordinary
        )

    def tells(self, i: int, other: Outcome) -> bool:
        """Whether what a mistake gives on input i differs from the reference in more than NaN."""
        wanted = arrays_of(self.wanted[i])
        got = as_arrays(other.value, self.wanted[i])
        return got is None or any(
            a.shape != b.shape
            or (a.dtype == bool) != (b.dtype == bool)
            or not np.isfinite(b).all()
            or not agree([a[np.isfinite(a)]], [b[np.isfinite(a)]], self.tolerance(i))
            for a, b in zip(got, wanted, strict=True)
        )

    def calling(self, i: int) -> str:
        """How the check calls it, where that does not fit the student's signature."""
        try:
            inspect.signature(self.function).bind(*self.exercise.tries[i])
        except TypeError:
            return f" The check calls it as `{self.exercise.signature}`."
        except ValueError:
            pass  # a built-in without a signature
        return ""

    def copies_one_row(self, i: int) -> int | None:
        """The line of a list of copies of one row, where all rows that came are the same one; None
        where there is none."""
        got = (
            None if self.outcomes[i].failure else as_arrays(self.outcomes[i].value, self.wanted[i])
        )
        one_row = (
            got is not None
            and got[0].ndim > 1
            and len(got[0]) > 1
            and bool((got[0] == got[0][:1]).all())
        )
        return code_inspection.copies_a_row(self.function) if one_row else None

    def unexplained(self, wrong: list[int], first: int) -> Diagnosis:
        """What kind of thing is wrong on the first wrong input: a measured property, named if it
        holds of all that are wrong; then the numbers."""
        names, said, both = self.measured(first)
        compared = (first, both) if both else None
        if step := self.first_step(first):
            return self.with_slips(None, said, (), compared, step=step)
        others = (self.measured(i)[0] for i in wrong if not self.outcomes[i].failure)
        name = names[0] if len(names) == 1 and all(names[0] in other for other in others) else None
        suspicious = None if name else code_inspection.suspicious_code(self.function)
        if suspicious:
            called, sentence, line = suspicious
            return self.with_slips(
                called, said, self.lines_at(line), compared, code_said=f"{sentence} "
            )
        return self.with_slips(None, said, (), compared, measured=name)

    def with_example(
        self,
        i: int,
        said: str,
        comparison: tuple[str, str],
        step: builds.Step | None = None,
        slip: Slip | None = None,
    ) -> tuple[str, Contrast | None]:
        """What is said of input i, and the Contrast of the smallest input that goes wrong as
        well: both speak of one input.

        step: whose words are said; slip: the one that is told, or None.
        """
        words, is_same = said, False

        def choose(found: list[Wrong]) -> Wrong | None:
            nonlocal words, is_same
            found = self.showing(slip, found)
            readable = [one for one in found if is_readable(one.arguments)] or found
            for one in self.like(i, found) if step else readable:
                its = self.said_of(i, said, step, *one)
                if _form(its) == _form(said) or (not step and said == self.setting(i) + DIFFER):
                    words, is_same = its if _form(its) == _form(said) else said, True
                    return one
            if found and not step and not is_same:  # what is true of a small one is said of it
                words = self.said_of(i, said, step, *readable[0])
                return readable[0]
            return None

        example = find_example(self.exercise, self.function, self.exercise.tries[i], choose)
        if example is None:
            its_own = Wrong(self.exercise.tries[i], self.outcomes[i].value, self.wanted[i])
            return said, Contrast("", *comparison) if self.showing(slip, [its_own]) else None
        if example.said and not step:
            words = self.setting(i) + example.said
        for old, new in ((NEXT, " On the one below: "), (builds.HERE, "On what is given: ")):
            words = words.replace(old, new)
        return words, Contrast(example.given, example.yours, example.wanted)

    def like(self, i: int, found: list[Wrong]) -> list[Wrong]:
        """Of inputs that go wrong, some on which a build makes the calls that it makes on input i,
        which is the last of them.
        """
        kinds = functools.partial(builds.kinds_of_calls, self.exercise.name)
        wanted = kinds(self.exercise.tries[i])
        alike = (one for one in found[:-1] if kinds(one.arguments) == wanted)
        return [*itertools.islice(alike, MOST_LOOKED), *found[-1:]]

    def showing(self, slip: Slip | None, found: list[Wrong]) -> list[Wrong]:
        """Of inputs that go wrong, those on which a slip shows."""
        if slip is None or not slip.tells or not found:
            return found
        answered = [(one.arguments, one.wanted) for one in found]
        shown = run_search(
            where_it_shows,
            self.program,
            self.exercise.material,
            self.exercise.name,
            slip.tells,
            answered,
            seconds=SEARCH,
        )
        if not isinstance(shown, list):  # a Failure
            return []
        return [one for one, shows in zip(found, shown, strict=True) if shows]

    def said_of(
        self, i: int, said: str, step: builds.Step | None, arguments: Any, came: Any, wanted: Any
    ) -> str:
        """What would be said of other arguments in the place of input i, rather the same; "" where
        another step first goes wrong there.
        """
        if step:
            its = builds.find_first_step(
                self.exercise, self.function, arguments, tolerance_of(arguments)
            )
            is_same = its and (its.name, its.lines) == (step.name, step.lines)
            return its.sentences if its and is_same else ""
        outcome = dataclasses.replace(self.outcomes[i], value=came)
        return self.looked(outcome, wanted, arguments, self.setting(i), said)[1]

    def first_step(self, i: int, is_stopped: bool = False) -> builds.Step | None:
        """The builds.Step at which a build first goes wrong on input i; None where there is none to
        tell."""
        if not builds.is_build(self.exercise):
            return None
        return builds.find_first_step(
            self.exercise, self.function, self.exercise.tries[i], self.tolerance(i), is_stopped
        )

    def measured(self, i: int) -> tuple[tuple[str, ...], str, tuple[str, str] | None]:
        """(names that fit, sentences, comparison or None) of what the function gave on input i."""
        name, said, comparison = self.looked(
            self.outcomes[i], self.wanted[i], self.exercise.tries[i], self.setting(i)
        )
        return name if isinstance(name, tuple) else (name,) if name else (), said, comparison

    def looked(
        self, outcome: Outcome, wanted: Any, arguments: Sequence[Any], begun: str, said: str = ""
    ) -> tuple[Any, str, tuple[str, str] | None]:
        """What an outcome is beside what is wanted of these arguments. begun: how the sentence
        begins; said: what is rather told than another property, where it holds here, too.
        """
        parts, tolerance = arrays_of(wanted), tolerance_of(arguments)
        close = lambda a, b: agree([np.asarray(a)], [np.asarray(b)], tolerance)  # noqa: E731
        got = None if outcome.type_description else self.came(outcome.value, wanted)
        if got is None:
            return (*self.counted(outcome, wanted, close), None)
        if (
            len(parts) > 1
            and all(any(close(a, b) for b in parts) for a in got)
            and not all(map(close, got, parts))
        ):
            return (
                "wrong order of the things returned",
                "The right things come back, in the wrong order.",
                None,
            )
        same = next(
            (
                name
                for name, argument in zip(self.exercise.arguments, arguments, strict=True)
                if isinstance(argument, np.ndarray) and agree(got[:1], [argument], 0)
            ),
            None,
        )
        if same and len(parts) == 1:
            return "argument returned unchanged", f"`{same}` comes back as it went in.", None
        for which, (a, b) in enumerate(zip(got, parts, strict=True)):
            part = (
                f"Of the {len(parts)} things it gives back, number {which + 1}: "
                if len(parts) > 1
                else ""
            )
            if (
                is_list(wanted[which] if isinstance(wanted, tuple) else wanted)
                and a.ndim == 1
                and not close(a, b)
            ):
                whole: Any = outcome.value
                came = whole[which] if isinstance(wanted, tuple) else whole
                name, said = describe_list(a, b, self.exercise.returns, came)
                return name, f"{begun}{part}{said}", (as_text(a), as_text(b))
            if a.shape != b.shape:
                name, said = describe_shape(a, b, close)
                return name, f"{begun}{part}{said}", None
            if (a.dtype == bool) != (b.dtype == bool):
                kinds = (
                    ("truth values", "numbers") if a.dtype == bool else ("numbers", "truth values")
                )
                return (
                    f"{kinds[0]} instead of {kinds[1]}",
                    f"{begun}{part}It holds {kinds[0]}; {kinds[1]} fit.",
                    None,
                )
            if not close(a, b):
                cause, began = nan_origin(outcome.nan_began)
                found = (
                    (name or cause, f"{begun}{part}{words}{began}")
                    for name, words in properties_of(a, b, close, self.sizes(arguments))
                )
                first = next(found, (cause, f"{begun}{part}{DIFFER}{began}"))
                name, told = (
                    next((one for one in (first, *found) if _form(one[1]) == _form(said)), first)
                    if said
                    else first
                )
                return name, told, side_by_side(a, b, tolerance)
        return None, "It differs.", None

    def counted(
        self, outcome: Outcome, wanted: Any, close: Callable[..., bool]
    ) -> tuple[str | None, str]:
        """(name or None, sentence) where the kind of thing or the number of things that came is
        wrong."""
        said = (
            f"`{self.exercise.signature}` gives back {describe_type(wanted)}; yours gave"
            f" {outcome.type_description or describe_type(outcome.value)}."
        )
        if isinstance(outcome.value, (tuple, list)) and any(part is None for part in outcome.value):
            return (
                "None among the things returned",
                (
                    f"{said} Something that is returned was never given a value, or by a function"
                    " that gives none."
                ),
            )
        came = list(outcome.value) if isinstance(outcome.value, (tuple, list)) else [outcome.value]
        texts = [part for part in came if isinstance(part, str)]
        if isinstance(outcome.value, list) and texts and max(map(len, texts)) == 1:
            return (
                "letters, not bytes",
                (
                    f"{said} `list` of a text gives its letters, such as {texts[0]!r}; of what"
                    " `encode` makes of it, numbers."
                ),
            )
        fits = list(wanted) if isinstance(wanted, tuple) else [wanted]
        try:
            right = (
                [any(close(a, b) for b in fits) for a in map(np.asarray, came)]
                if outcome.type_description is None
                else []
            )
        except Exception:  # things that are no arrays of numbers
            right = []
        if right and all(right) and len(came) < len(fits):
            return "not all things returned", f"{said} What came is right."
        if (
            right
            and len(came) > len(fits)
            and all(any(close(np.asarray(a), b) for a in came) for b in fits)
        ):
            return "more returned than asked", f"{said} What is asked is among it."
        return None, said

    def setting(self, i: int) -> str:
        """On which kind of input it goes wrong, where others are right."""
        ordinary = len(self.exercise.inputs)
        if i >= ordinary:
            return (
                "Right on ordinary inputs, but not on this one:"
                f" {list(self.exercise.traps)[i - ordinary]}. "
            )
        return (
            f"Right on the first {f'{i} inputs' if i > 1 else 'input'} the check tries.{NEXT}"
            if i
            else ""
        )

    def sizes(self, arguments: Sequence[Any]) -> dict[str, float]:
        """{in words: number} of the sizes among the arguments, in which a factor may be recognised;
        of those always equal, the first."""
        ordinary = [
            sizes_of(self.exercise.reference, arguments) for arguments in self.exercise.inputs
        ]
        found = sizes_of(self.exercise.reference, arguments)
        always = {words: tuple(sizes.get(words) for sizes in ordinary) for words in found}
        return {
            words: n
            for k, (words, n) in enumerate(found.items())
            if always[words] not in list(always.values())[:k]
        }


def _form(said: str) -> str:
    """What is said, but for its numbers."""
    said = re.sub(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?:,? (?:and )?-?\d+(?:\.\d+)?)*", "#", said)
    return re.sub(r"s # (?:is|are)\b", " # is", said)


def _nan_began_alike(ours, theirs):
    """Whether NaN began in the same kind of step."""
    return ours is not None and theirs is not None and ours.text == theirs.text


def _stops_alike(ours, theirs, arguments):
    """Whether two functions stop with the same error, at arrays of the same shapes; and where
    theirs stops at an argument, ours names the first that theirs names."""
    if (
        ours is None
        or theirs is None
        or not ours.text
        or (ours.type, ours.text) != (theirs.type, theirs.text)
    ):
        return False
    named = [
        {
            name: held
            for name, held in failure.variables.items()
            if isinstance(held, tuple) and re.search(rf"\b{name}\b", failure.line)
        }
        for failure in (ours, theirs)
    ]
    given = [[name for name in arguments if name in held] for held in named]
    given[1].sort(key=lambda name: re.search(rf"\b{name}\b", theirs.line).start())
    return (
        bool(named[0])
        and set(named[0].values()) == set(named[1].values())
        and (given[1][0] in given[0] if given[1] else not given[0])
    )


def explain_nothing(function: Function, printed: str) -> tuple[str | None, str]:
    """(name, sentence) for a function that gave back None: how it ends."""
    begun, end = "Your function gave back nothing (None)", code_inspection.ending(function)
    if end and (call := in_place(end)):
        return (
            NOTHING_BACK,
            (
                f"{begun}: `{call}` changes its array in place and gives nothing back. Return the"
                " array itself."
            ),
        )
    shown = " `print` only shows a value." if printed else ""
    said = {
        None: ". Does it end with a `return`?",
        "no return": (
            f": it has no `return`.{shown} What should come back stands behind a `return`."
        ),
        "bare return": ": its `return` stands alone. What should come back stands behind it.",
        "some return": ": not every way through it ends with a `return`.",
    }
    return "nothing returned", begun + said.get(
        end, f": its `return` gives `{end}`, and that is None."
    )


def untouched(outcome: Outcome) -> bool:
    """Whether a stub is as it was: it gives back its gap, or stops because of it."""
    value = outcome.value
    gap = value is ... or (isinstance(value, (tuple, list)) and any(part is ... for part in value))
    return gap or outcome.failure is not None


def visible_names(function: object) -> list[str]:
    """The names that a function can see."""
    return [*getattr(function, "__globals__", {}), "np"]


# What NumPy says of a step without an answer: (a pattern, name or None, what it means).
NAN_STEPS = [
    (r"overflow .*\bexp", "exp overflows", "a number grew beyond what a float can hold"),
    (r"overflow", None, "a number grew beyond what a float can hold"),
    (r"divide by zero .*\blog", "the logarithm of 0", "the logarithm of 0 is −∞"),
    (r"divide", None, "something was divided by 0"),
    (
        r"invalid .*\bsqrt",
        "the root of a negative number",
        "a step had no answer: the root of a negative number",
    ),
    (
        r"invalid .*\bpower",
        None,
        "a step had no answer: a power with a fraction, such as a root, of a negative number",
    ),
    (
        r"invalid .*\blog",
        "the logarithm of a negative number",
        "a step had no answer: the logarithm of a negative number",
    ),
    (r"invalid .*\bmultiply", "0 · ∞", "a step had no answer: 0 · ∞"),
    (r"invalid .*\bsubtract", "∞ − ∞", "a step had no answer: ∞ − ∞"),
    (r"invalid .*\bdivide", None, "a step had no answer: 0/0, or ∞/∞"),
    (r"", None, "a step had no answer, such as 0·∞, ∞ − ∞ or 0/0"),
]


def nan_origin(failure: Failure | None) -> tuple[str | None, str]:
    """(name or None, sentence): in which step NaN or infinity first arose."""
    if failure is None or not failure.line:
        return None, ""
    name, meaning = next(
        (name, meaning) for pattern, name, meaning in NAN_STEPS if re.match(pattern, failure.text)
    )
    return name, f" It began at `{failure.line}`: {meaning}."

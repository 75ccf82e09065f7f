"""How an exercise is checked: a student's answer is compared with the reference, then with each
known mistake.

A known mistake is a wrong implementation with a name. A student's function has made that mistake,
however it is written, if it agrees with it on every ordinary input on which both run, and departs
from the reference where the mistake does. Inputs are ordinary, or *traps* (overflow, a row of
nothing, half precision), which decide only about mistakes that are about them.
A function that stops has made a mistake that stops as it does. A name that speaks of the code, of
an argument that is not used or of a division, is given to such code only. Where no mistake explains
an answer, a measured property of it is said.

Four shapes of exercise have the same `check`: a gap or a build (a function to write: Exercise), a
catch (a law or an input that tells
right from wrong: Catch), a reading (an answer by choice: Reading).
"""

import functools
import importlib
import inspect
import linecache
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis import code_inspection
from course_utils.diagnosis.catch_inputs import explain_misfit, say_what_hides
from course_utils.diagnosis.error_messages import explain
from course_utils.diagnosis.evaluation import Evaluation, untouched, visible_names
from course_utils.diagnosis.explaining import Material, ideas_of, material_of
from course_utils.diagnosis.failing_example import draw_small_calls
from course_utils.diagnosis.laws import (
    compares_with_itself,
    explain_false,
    explain_passing,
    lines_of,
    without_mine,
)
from course_utils.diagnosis.running import Outcome, RunCalls, has_gap, run, run_here, run_trusted
from course_utils.diagnosis.values import (
    Function,
    agree,
    arrays_of,
    as_arrays,
    describe_type,
    is_table,
    tolerance_of,
    truth_value,
)
from course_utils.diagnosis.verdicts import (
    Diagnosis,
    ReadingDiagnosis,
    after_success,
    not_attempted,
    reference_source,
    wrong,
)


@dataclass(frozen=True)
class Mistake:
    """A misconception: its name, a function that computes what it leads to, a hint that does not
    give the line away.

    trap: the trap without which it cannot be seen, or None. unused_arguments: the arguments, parted
    by spaces, which the name says
    are not used: code that reads one of them has another mistake. requires: what stands in the code
    if the name is right (a key of code_inspection.CODE_PREDICATES), or "". without_effect:
    the arguments of which it says that they stand in the code and change nothing.
    """

    name: str
    function: Function
    hint: str
    trap: str | None = None
    unused_arguments: str = ""
    requires: str = ""
    without_effect: tuple[str, ...] = ()


@dataclass
class Exercise:
    """A function to write: its reference, the ordinary inputs (tuples of arguments) and the traps
    {what it is about: arguments}.

    parts: the exercises of which a *build* is put together; a *gap* has none. minutes and
    difficulty (1 to 3) stand beside its title; nudge, skeleton and the solution's file are the
    ladder.
    canonicalise: where a task has many right answers, (arrays that came, arrays they are compared
    with) -> what came, in the form of the others as far as the task does not tell them apart.
    returns: what whole numbers that come back are, in words: numbers, tokens.
    draw: from a random generator further arguments that the task allows, corners among them.
    in_a_check: what stands for it where another answer is checked and the student has none of their
    own: the reference, where a right one may do other things on what the task does not ask for.
    misconceptions: the module whose TABLE holds the known mistakes, "" where none does.
    """

    name: str
    reference: Function
    inputs: list[tuple[Any, ...]]
    traps: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    minutes: int = 5
    difficulty: int = 1
    parts: tuple[str, ...] = ()
    nudge: str = ""
    skeleton: str = ""
    canonicalise: Callable[..., Any] = lambda came, other: came
    returns: str = "numbers"
    draw: Callable[[Generator], tuple[Any, ...]] | None = None
    in_a_check: Function | None = None
    misconceptions: str = ""
    _own: dict[tuple[Function, int], Outcome] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def shape(self) -> str:
        return "build" if self.parts else "gap"

    @property
    def tries(self) -> list[tuple[Any, ...]]:
        """All argument tuples, the ordinary ones first."""
        return [*self.inputs, *self.traps.values()]

    @property
    def signature(self) -> str:
        """How the function is called, for instance softmax(scores)."""
        return f"{self.name}{inspect.signature(self.reference)}"

    @functools.cached_property
    def arguments(self) -> list[str]:
        """The names of what the function is called with."""
        return list(inspect.signature(self.reference).parameters)

    def own_outcome(self, function: Function, i: int) -> Outcome:
        """What the reference or a known mistake does on input i: always the same, so it is run
        once."""
        if (function, i) not in self._own:
            self._own[function, i] = run_trusted(function, self.tries[i])
        return self._own[function, i]

    def own_outcomes(self, function: Function) -> list[Outcome]:
        """What the reference or a known mistake does on all inputs."""
        return [self.own_outcome(function, i) for i in range(len(self.tries))]

    @functools.cached_property
    def material(self) -> Material:
        """What the searches lay beside a student's run."""
        return material_of(self, run_trusted, tolerance_of, reference_source)

    @functools.cached_property
    def ideas(self) -> dict[int, list[Any]]:
        """What the known mistakes give on the calls of the searches, by their numbers."""
        return ideas_of(self, self.material.judge, run_trusted)

    @functools.cached_property
    def small_calls(self) -> list[tuple[tuple[Any, ...], Any]]:
        """[(arguments, what is wanted)] among which the smallest is looked for on which a function
        goes wrong."""
        return draw_small_calls(self)

    @functools.cached_property
    def mistakes(self) -> list[Mistake]:
        """The known mistakes. They are compiled when an answer is first compared with them."""
        if not self.misconceptions:
            return []
        module = importlib.import_module(self.misconceptions)
        return self._mistakes(module.TABLE, vars(module))

    def add_misconceptions(self, table: Iterable[Sequence[Any]], names: dict[str, Any]) -> None:
        """Register the rows of a table (name, code, question[, options]) as known mistakes.

        code: an expression or a body of statements, as text, of the reference's own arguments and
            of `names`; or a function.
        options: the further fields of Mistake. A row with `unused_arguments` registers its twin as
            well, for code which uses these arguments so that they change nothing.
        """
        self.mistakes.extend(self._mistakes(table, names))

    def _mistakes(self, table, names):
        found = []
        for name, code, question, *options in table:
            options = options[0] if options else {}
            function = code if callable(code) else self._compiled(name, code, names)
            found.append(Mistake(name, function, question, **options))
            if "unused_arguments" in options:
                found.append(
                    _without_effect(
                        function, options["unused_arguments"].split(), options.get("trap")
                    )
                )
        return found

    def _compiled(self, name, code, names):
        """The function that a table's code stands for. Its lines can be looked up, as those of a
        file."""
        file, body = (
            f"<{self.name}: {name}>",
            code.strip("\n") if code.startswith("\n") else f"return {code}",
        )
        source = f"def mistaken({', '.join(self.arguments)}):\n{textwrap.indent(body, '    ')}\n"
        linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
        space = dict(names)
        exec(compile(source, file, "exec"), space)
        return space["mistaken"]

    def check(self, answer: object, run: RunCalls = run) -> Diagnosis:
        """Run a student's function on the inputs and say what is right or which idea slipped.
        Returns a Diagnosis."""
        if answer is ...:
            return not_attempted(self)
        if not callable(answer):
            return wrong(
                self,
                "The check wants the function itself, without parentheses, but got"
                f" {describe_type(answer)}: "
                f'`diagnose("{self.name}", my_{self.name})`.',
            )
        if has_gap(answer) and untouched(run_here(answer, self.tries[:1])[0]):
            return not_attempted(self, answer)
        outcomes = run(answer, self.tries)
        printed = _first_lines(next((o.printed for o in outcomes if o.printed), ""))
        return Evaluation(self, answer, outcomes, printed).verdict()


# Arguments as they are spoken of.
SPOKEN = {
    "gamma": "γ",
    "beta": "β",
    "eps": "ε",
    "learning_rate": "the learning rate",
    **{name: f"the {name}" for name in ("temperature", "mask", "context", "weights", "gates")},
}


def _without_effect(function, arguments, trap):
    """The twin of a mistake that leaves arguments out: they are read, and change nothing."""

    def reads_them(*given):
        return function(*given)

    words = " and ".join(SPOKEN.get(name, name) for name in arguments)
    verb = "have no effect" if len(arguments) > 1 or words.endswith("s") else "has no effect"
    said = " and ".join(f"`{name}`" for name in arguments)
    hint = (
        f"{said} {'stands' if len(arguments) == 1 else 'stand'} in your code, and the result is the"
        " same without. Does something cancel, or get lost on the way?"
    )
    return Mistake(f"{words} {verb}", reads_them, hint, trap, without_effect=tuple(arguments))


@dataclass
class Catch:
    """A law or an input to find, that tells a right function from wrong ones: some known mistakes
    of `exercise` are planted.

    kind "law": the student writes a function that takes an implementation and says True or False.
    kind "input": the student gives the arguments (an array, or a tuple or list of them) on which
    wrong ones differ from the right one.
    enough: how many of the planted mistakes must be caught.
    unfit: for an input, the arguments -> a sentence that says why the right function has no answer
        to them, or None.
    """

    name: str
    exercise: Exercise
    kind: str
    planted: list[str]
    enough: int
    task: str = ""
    minutes: int = 5
    difficulty: int = 2
    nudge: str = ""
    skeleton: str = ""
    unfit: Callable[..., str | None] = lambda *arguments: None
    shape = "catch"

    @property
    def mistakes(self) -> list[Mistake]:
        return [m for m in self.exercise.mistakes if m.name in self.planted]

    @property
    def inputs(self) -> list[tuple[Function]]:
        """What a law is tried on: the right implementation, then the wrong ones."""
        return [(self.exercise.reference,), *((m.function,) for m in self.mistakes)]

    tries = inputs

    @property
    def signature(self) -> str:
        return f"{self.name}({self.exercise.name})"

    def check(self, answer: object, run: RunCalls = run) -> Diagnosis:
        """How many of the planted mistakes the law or the input catches. Returns a Diagnosis."""
        if _holds_gap(answer) or (
            callable(answer) and has_gap(answer) and untouched(run_here(answer, self.tries[:1])[0])
        ):
            return not_attempted(self)
        return self._law(answer, run) if self.kind == "law" else self._input(answer)

    def _law(self, law, run):
        if not callable(law):
            return wrong(
                self,
                "The check wants your law, a function that takes an implementation of"
                f" {self.exercise.name}, but got {describe_type(law)}.",
            )
        if compares_with_itself(law, self.exercise):
            return wrong(
                self,
                f"A law may not compare with `{self.exercise.name}` itself: say what holds of every"
                " right one.",
                "compared with the function itself",
            )
        said, printed = [], ""
        for outcome in run(without_mine(law), self.tries):
            printed = printed or _first_lines(outcome.printed)
            if outcome.failure:
                if not said or outcome.failure.type == "Withheld":
                    name, sentences = explain(outcome.failure, visible_names(law))
                    return wrong(
                        self,
                        sentences,
                        name,
                        printed=printed,
                        lines=lines_of(law, outcome.failure.number),
                    )
                said.append(False)  # a wrong implementation that makes the law fail is caught, too
                continue
            verdict = truth_value(outcome.value)
            if verdict is None:
                return self._no_verdict(law, outcome, printed)
            said.append(verdict)
        if not said or not said[0]:
            sentences, lines = explain_false(law, self.exercise, said[1:])
            return wrong(self, sentences, "the right one is refused", printed=printed, lines=lines)
        return self._counted(
            [not verdict for verdict in said[1:]],
            printed,
            lambda traps: explain_passing(law, self.exercise),
        )

    def _no_verdict(self, law, outcome, printed):
        """What is said of a law that gives neither True nor False."""
        nothing = outcome.value is None and outcome.type_description is None
        came = outcome.type_description or describe_type(outcome.value)
        said = f"A law says True or False; yours gave {came}."
        if nothing:
            said += " Does it end with a `return`?"
        elif "an array" in came:
            said += " `np.allclose` and `.all()` make one answer of a whole table."
        return wrong(
            self,
            said,
            "nothing returned" if nothing else "not one True or False",
            printed=printed,
            lines=lines_of(law, code_inspection.last_line(law)),
        )

    def _input(self, value):
        if callable(value):
            return wrong(
                self,
                f"Asked for: the arguments of `{self.exercise.signature}` themselves, not a"
                " function.",
                "a function in place of an input",
            )
        names, wanted = self.exercise.arguments, self.exercise.inputs[0]
        several = isinstance(value, tuple) or (isinstance(value, list) and len(wanted) > 1)
        given = tuple(
            (
                np.array(a, dtype=float)
                if is_table(a) and np.array(a).dtype != bool
                else np.array(a)
                if is_table(a)
                else a
            )
            for a in (value if several else (value,))
        )
        if misfit := explain_misfit(names, wanted, given):
            return wrong(self, misfit[1], misfit[0])
        if sentence := self.unfit(*given):
            return wrong(self, sentence, "arguments that it does not take")
        reference, *others = [
            run_trusted(function, given)
            for function in (self.exercise.reference, *(m.function for m in self.mistakes))
        ]
        if reference.failure or reference.value is None:
            shapes = " and ".join(
                f"`{name}` {np.shape(a)}"
                for name, a in zip(names, given, strict=True)
                if isinstance(a, np.ndarray)
            )
            return wrong(
                self,
                f"The right {self.exercise.name} does not run on these: the shapes do not fit,"
                f" {shapes}. Which lengths must be the same?",
                "shapes that do not fit",
            )
        right, tolerance = arrays_of(reference.value), tolerance_of(given)
        caught = []
        for outcome in others:
            got = None if outcome.failure else as_arrays(outcome.value, reference.value)
            caught.append(got is None or not agree(got, right, tolerance))
        return self._counted(
            caught, "", lambda traps: (" ".join(say_what_hides(names, given, traps)[:3]), ())
        )

    def _counted(self, caught, printed, look):
        """look: the traps of the mistakes that pass -> (sentences on why they may, lines)."""
        through = [mistake for mistake, yes in zip(self.mistakes, caught, strict=True) if not yes]
        count = (
            f"Your {self.kind} passes the right {self.exercise.name} and catches {sum(caught)} of"
            f" {len(caught)} planted mistakes."
        )
        rest = f" Not caught: {'; '.join(mistake.name for mistake in through)}." if through else ""
        if sum(caught) >= self.enough:
            return Diagnosis(
                "correct",
                None,
                f"Right. {count}{rest}",
                printed=printed,
                ladder=after_success(self),
            )
        said, lines = look([mistake.trap for mistake in through if mistake.trap])
        return wrong(
            self,
            f"{count}{rest} {self.enough} are enough. {said}".rstrip(),
            "too few are caught",
            printed=printed,
            lines=lines,
        )


@dataclass
class Reading:
    """A question about a picture, a text or a line, answered by a letter. options: [(text, why it
    is right or tempts)]; right: a letter.

    question: plain text with code in backticks; picture: HTML that stands below it, with its words.
    """

    name: str
    question: str
    options: list[tuple[str, str]]
    right: str
    picture: str = ""
    minutes: int = 3
    difficulty: int = 1
    shape = "reading"
    mistakes = ()
    inputs = ()
    tries = ()

    @property
    def letters(self) -> str:
        return "ABCDEF"[: len(self.options)]

    def check(self, answer: object, run: RunCalls = run) -> Diagnosis:
        """Whether the letter is the right one, and why. Returns a Diagnosis that shows the
        question."""
        said = answer.strip().upper() if isinstance(answer, str) else answer
        asked = f"one letter from {self.letters[0]} to {self.letters[-1]}, in quotes"
        if said is ... or said == "":
            return ReadingDiagnosis(
                "not attempted", None, f"{self.question} Write {asked}.", reading=self
            )
        if not isinstance(said, str) or said not in list(self.letters):
            return ReadingDiagnosis("wrong", None, f"Not yet. Asked is {asked}.", reading=self)
        text, why = self.options[self.letters.index(said)]
        if said == self.right:
            return ReadingDiagnosis(
                "correct", None, f"Right. {said}: {why}", reading=self, chosen=said
            )
        return ReadingDiagnosis("wrong", text, f"Not yet. {said}: {why}", reading=self, chosen=said)


def _holds_gap(value):
    """Whether `...` stands somewhere in an input that should be given."""
    parts = (
        value.flat
        if isinstance(value, np.ndarray) and value.dtype == object
        else value
        if isinstance(value, (list, tuple))
        else ()
    )
    return value is ... or any(map(_holds_gap, parts))


def _first_lines(printed):
    lines = printed.rstrip().splitlines()
    return "\n".join([*(line[:100] for line in lines[:8]), *["..."] * (len(lines) > 8)])

"""How an exercise is checked: a student's answer is compared with the reference, then with each known mistake.

A known mistake is a wrong implementation with a name. A student's function has made that mistake, however it is written, if it
agrees with it on every ordinary input on which both run, and departs from the reference where the mistake does. Inputs are
ordinary, or *traps* (overflow, a row of nothing, half precision), which decide only about mistakes that are about them.
A function that stops has made a mistake that stops as it does. A name that speaks of the code, of an argument that is not
used or of a division, is given to such code only. Where no mistake explains an answer, a measured property of it is said.

Four shapes of exercise have the same `check`: a gap or a build (a function to write: Exercise), a catch (a law or an input that tells
right from wrong: Catch), a reading (an answer by choice: Reading).
"""

import ast
import functools
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from course_utils.cards.diagnoses import diagnosis_card
from course_utils.cards.questions import reading_page
from course_utils.exercises import looking
from course_utils.exercises.explaining import NOTHING_BACK, explain, in_place
from course_utils.exercises.properties import describe_shape, describe_values, place
from course_utils.exercises.running import has_gap, run, run_here, run_trusted

# Relative and absolute difference that counts as rounding, by the coarsest float among the inputs.
TOLERANCES = {np.dtype("float16"): 1e-2, np.dtype("float32"): 1e-4}
FLOAT64_TOLERANCE = 1e-7
SOLUTIONS = Path(__file__).parent / "solutions"          # one file an exercise; a folder that may be left out


@dataclass(frozen=True)
class Mistake:
    """A misconception: its name, a function that computes what it leads to, a hint that does not give the line away.

    about: the trap without which it cannot be seen, or None. ignores: the arguments, parted by spaces, which the name says are not
    used: code that reads one of them has another mistake. code: what stands in the code if the name is right (looking.STANDS), or "".
    """

    name: str
    function: object
    hint: str
    about: str | None = None
    ignores: str = ""
    code: str = ""


@dataclass(frozen=True)
class Diagnosis:
    """The verdict on an answer: status "correct", "wrong" or "not attempted", the mistake's name if known, and what to say.

    sentences: plain text, code in backticks; comparison: (yours, wanted) in fixed width; printed: what the function printed;
    ladder: help that opens step by step, [(title, text, whether it is code)].
    """

    status: str
    mistake: str | None = None
    sentences: str = ""
    comparison: tuple | None = None
    printed: str = ""
    ladder: tuple = ()

    @property
    def message(self):
        """All that is said, as plain text."""
        parts = [self.sentences]
        if self.comparison:
            parts += [f"{title}:\n{text}" for title, text in zip(("yours", "wanted"), self.comparison, strict=True)]
        if self.printed:
            parts += [f"Your function printed:\n{self.printed}"]
        return "\n".join(parts)

    def __repr__(self):
        return self.message

    def _repr_html_(self):
        said = re.sub(r"^(?:Right|Not attempted yet|Not yet)(?:: " + re.escape(self.mistake or "") + r")?\. ?", "", self.sentences)   # its heading
        return diagnosis_card(self.status, self.mistake, said, self.comparison, self.printed, self.ladder)


@dataclass
class Exercise:
    """A function to write: its reference, the ordinary inputs (tuples of arguments) and the traps {what it is about: arguments}.

    parts: the exercises of which a *build* is put together; a *gap* has none. minutes and difficulty (1 to 3) stand beside its title;
    nudge, skeleton and the solution's file are the ladder.
    in_form: where a task has many right answers, (arrays that came, arrays they are compared with) -> what came, in the form of the others
    as far as the task does not tell them apart.
    """

    name: str
    reference: object
    inputs: list
    traps: dict = field(default_factory=dict)
    mistakes: list = field(default_factory=list)
    minutes: int = 5
    difficulty: int = 1
    parts: tuple = ()
    nudge: str = ""
    skeleton: str = ""
    in_form: Callable = lambda came, other: came
    _own: dict = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def shape(self):
        return "build" if self.parts else "gap"

    @property
    def tries(self):
        """All argument tuples, the ordinary ones first."""
        return [*self.inputs, *self.traps.values()]

    @property
    def signature(self):
        """How the function is called, for instance softmax(scores)."""
        return f"{self.name}{inspect.signature(self.reference)}"

    @functools.cached_property
    def arguments(self):
        """The names of what the function is called with."""
        return list(inspect.signature(self.reference).parameters)

    def own_outcomes(self, function):
        """What the reference or a known mistake does on all inputs: always the same, so each is run once."""
        if function not in self._own:
            self._own[function] = [run_trusted(function, arguments) for arguments in self.tries]
        return self._own[function]

    def mistake(self, name, hint, about=None, ignores="", code=""):
        """Decorator: register the function below it as the known mistake `name`; with `ignores`, its twin as well, for code
        which uses these arguments so that they change nothing."""
        def register(function):
            self.mistakes.append(Mistake(name, function, hint, about, ignores, code))
            if ignores:
                self.mistakes.append(_without_effect(function, ignores.split(), about))
            return function
        return register

    def check(self, answer, run=run):
        """Run a student's function on the inputs and say what is right or which idea slipped. Returns a Diagnosis."""
        if answer is ...:
            return _open(self)
        if not callable(answer):
            return _wrong(self, f"The check wants the function itself, without parentheses, but got {_kind(answer)}: "
                                f"`diagnose(\"{self.name}\", my_{self.name})`.")
        if has_gap(answer) and untouched(run_here(answer, self.tries[:1])[0]):
            return _open(self, answer)
        outcomes = run(answer, self.tries)
        printed = _first_lines(next((o.printed for o in outcomes if o.printed), ""))
        return _Look(self, answer, outcomes, printed).verdict()


# Arguments as they are spoken of.
SPOKEN = {"gamma": "γ", "beta": "β", "eps": "ε", "learning_rate": "the learning rate",
          **{name: f"the {name}" for name in ("temperature", "mask", "context", "weights", "gates")}}


def _without_effect(function, arguments, about):
    """The twin of a mistake that leaves arguments out: they are read, and change nothing."""
    def reads_them(*given):
        return function(*given)

    words = " and ".join(SPOKEN.get(name, name) for name in arguments)
    verb = "have no effect" if len(arguments) > 1 or words.endswith("s") else "has no effect"
    said = " and ".join(f"`{name}`" for name in arguments)
    hint = (f"{said} {'stands' if len(arguments) == 1 else 'stand'} in your code, and the result is the same without. "
            "Does something cancel, or get lost on the way?")
    return Mistake(f"{words} {verb}", reads_them, hint, about)


@dataclass
class Catch:
    """A law or an input to find, that tells a right function from wrong ones: some known mistakes of `exercise` are planted.

    kind "law": the student writes a function that takes an implementation and says True or False.
    kind "input": the student gives the arguments (an array, or a tuple or list of them) on which wrong ones differ from the right one.
    enough: how many of the planted mistakes must be caught.
    unfit: for an input, the arguments -> a sentence that says why the right function has no answer to them, or None.
    """

    name: str
    exercise: Exercise
    kind: str
    planted: list
    enough: int
    task: str = ""
    minutes: int = 5
    difficulty: int = 2
    nudge: str = ""
    skeleton: str = ""
    unfit: Callable = lambda *arguments: None
    shape = "catch"

    @property
    def mistakes(self):
        return [m for m in self.exercise.mistakes if m.name in self.planted]

    @property
    def inputs(self):
        """What a law is tried on: the right implementation, then the wrong ones."""
        return [(self.exercise.reference,), *((m.function,) for m in self.mistakes)]

    tries = inputs

    @property
    def signature(self):
        return f"{self.name}({self.exercise.name})"

    def check(self, answer, run=run):
        """How many of the planted mistakes the law or the input catches. Returns a Diagnosis."""
        if _holds_gap(answer) or (callable(answer) and has_gap(answer) and untouched(run_here(answer, self.tries[:1])[0])):
            return _open(self)
        return self._law(answer, run) if self.kind == "law" else self._input(answer)

    def _law(self, law, run):
        if not callable(law):
            return _wrong(self, f"The check wants your law, a function that takes an implementation of {self.exercise.name}, but got {_kind(law)}.")
        said, printed = [], ""
        for outcome in run(law, self.tries):
            printed = printed or _first_lines(outcome.printed)
            if outcome.failure:
                if not said:
                    name, sentences = explain(outcome.failure, _names(law))
                    return _wrong(self, sentences, name, printed=printed)
                said.append(False)               # a wrong implementation that makes the law fail is caught, too
                continue
            verdict = _truth(outcome.value)
            if verdict is None:
                return _wrong(self, f"A law says True or False; yours gave {_kind(outcome.value, outcome.thing)}.", printed=printed)
            said.append(verdict)
        if not said or not said[0]:
            return _wrong(self, f"Your law says False of the right {self.exercise.name}. A law holds for every right one. "
                          "Floats are rarely equal to the last digit: np.allclose.", printed=printed)
        return self._counted([not verdict for verdict in said[1:]], "law", printed)

    def _input(self, value):
        if callable(value):
            return _wrong(self, f"Asked for: the arguments of `{self.exercise.signature}` themselves, not a function.")
        several = isinstance(value, tuple) or (isinstance(value, list) and len(self.exercise.inputs[0]) > 1)
        arguments = tuple(np.array(a, dtype=float) if _is_table(a) else a for a in (value if several else (value,)))
        try:
            inspect.signature(self.exercise.reference).bind(*arguments)
        except TypeError:
            return _wrong(self, f"Asked for: the arguments of {self.exercise.signature}. Given: {len(arguments)}.")
        fits = [_kind_of_shape(a) for a in self.exercise.inputs[0]]
        came = [_kind_of_shape(a) for a in arguments]
        if came != fits:
            return _wrong(self, f"Asked for: {' and '.join(fits)}. Given: {' and '.join(came)}.")
        if sentence := self.unfit(*arguments):
            return _wrong(self, sentence)
        reference, *others = [run_trusted(function, arguments) for function in (self.exercise.reference, *(m.function for m in self.mistakes))]
        if reference.failure or reference.value is None:
            return _wrong(self, f"The right {self.exercise.name} does not run on {_kind(value)}.")
        wanted, tolerance = _arrays(reference.value, reference.value), _tolerance(arguments)
        caught = []
        for outcome in others:
            got = None if outcome.failure else _arrays(outcome.value, reference.value)
            caught.append(got is None or not _agree(got, wanted, tolerance))
        return self._counted(caught, "input", "")

    def _counted(self, caught, what, printed):
        names = [m.name for m in self.mistakes]
        through = [name for name, yes in zip(names, caught, strict=True) if not yes]
        count = f"Your {what} passes the right {self.exercise.name} and catches {sum(caught)} of {len(names)} planted mistakes."
        rest = f" Not caught: {'; '.join(through)}." if through else ""
        if sum(caught) >= self.enough:
            return Diagnosis("correct", None, f"Right. {count}{rest}", printed=printed, ladder=_after(self))
        return _wrong(self, f"{count}{rest} {self.enough} are enough.", printed=printed)


@dataclass
class Reading:
    """A question about a picture, a text or a line, answered by a letter. options: [(text, why it is right or tempts)]; right: a letter.

    question: plain text with code in backticks; picture: HTML that stands below it, with its words.
    """

    name: str
    question: str
    options: list
    right: str
    picture: str = ""
    minutes: int = 3
    difficulty: int = 1
    shape = "reading"
    mistakes = ()
    inputs = ()
    tries = ()

    @property
    def letters(self):
        return "ABCDEF"[:len(self.options)]

    def check(self, answer, run=run):
        """Whether the letter is the right one, and why. Returns a Diagnosis that shows the question."""
        said = answer.strip().upper() if isinstance(answer, str) else answer
        asked = f"one letter from {self.letters[0]} to {self.letters[-1]}, in quotes"
        if said is ... or said == "":
            return ReadingDiagnosis("not attempted", None, f"{self.question} Write {asked}.", reading=self)
        if not isinstance(said, str) or said not in list(self.letters):
            return ReadingDiagnosis("wrong", None, f"Not yet. Asked is {asked}.", reading=self)
        text, why = self.options[self.letters.index(said)]
        if said == self.right:
            return ReadingDiagnosis("correct", None, f"Right. {said}: {why}", reading=self, chosen=said)
        return ReadingDiagnosis("wrong", text, f"Not yet. {said}: {why}", reading=self, chosen=said)


@dataclass(frozen=True)
class ReadingDiagnosis(Diagnosis):
    """A Diagnosis that shows the question, its options, and what was said to the chosen one."""

    reading: Reading | None = None
    chosen: str | None = None

    def __repr__(self):
        options = [f"{letter}  {text}" for letter, (text, _) in zip(self.reading.letters, self.reading.options, strict=True)]
        return "\n".join([*([self.reading.question] if self.status != "not attempted" else []), *options, self.message])

    def _repr_html_(self):
        asked = self.reading
        note = self.sentences if self.status == "wrong" and self.chosen is None else ""
        return reading_page(asked.name, asked.question, asked.options, asked.right, asked.picture, self.chosen, note)


class _Look:
    """One look at what a student's function did on all inputs."""

    def __init__(self, exercise, function, outcomes, printed):
        self.exercise, self.function, self.outcomes, self.printed = exercise, function, outcomes, printed
        self.wanted = [outcome.value for outcome in exercise.own_outcomes(exercise.reference)[:len(outcomes)]]
        self.right = [self.is_right(i) for i in range(len(outcomes))]

    def verdict(self):
        ordinary = len(self.exercise.inputs)
        wrong = [i for i, right in enumerate(self.right[:ordinary]) if not right]
        first = wrong[0] if wrong else next((i for i, right in enumerate(self.right) if not right), None)
        if first is None:
            return self.correct()
        outcome = self.outcomes[first]
        if untouched(outcome) and (outcome.failure is None or has_gap(self.function) or outcome.failure.type == "NotImplementedError"):
            return _open(self.exercise, self.function)
        if outcome.failure and outcome.failure.type in ("OutOfTime", "OutOfMemory", "Ended", "PrintsTooMuch"):
            name, said = explain(outcome.failure)
            return self.wrong(said, name)
        if self.copies_one_row(first):
            return self.wrong("`[row] * n` is a list of n names for one and the same row: what is written into one is written into all.",
                              "one row copied many times")
        known = self.known_mistake(wrong, first)
        if known:
            return self.wrong(known.hint, known.name)
        if outcome.failure:
            name, said = explain(outcome.failure, _names(self.function))
            return self.wrong(said + self.calling(first), name)
        if outcome.value is None and outcome.thing is None:
            name, said = _nothing(self.function, self.printed)
            return self.wrong(said, name)
        return self.unexplained(wrong, first)

    def is_right(self, i):
        outcome = self.outcomes[i]
        if outcome.failure or outcome.thing or outcome.value is None:
            return False
        return self.same(outcome.value, self.wanted[i], self.tolerance(i))

    def same(self, value, other, tolerance):
        """Whether a value is another one, as far as the task tells them apart."""
        got = self.came(value, other)
        return got is not None and _agree(got, _arrays(other, other), tolerance)

    def came(self, value, other):
        """A value as arrays, in the form of another one; None where that cannot be."""
        got = _arrays(value, other)
        return got and self.exercise.in_form(got, _arrays(other, other))

    def tolerance(self, i):
        return _tolerance(self.exercise.tries[i])

    def correct(self):
        changed = next((o.changed_argument for o in self.outcomes if o.changed_argument is not None), None)
        if changed is not None:
            return self.wrong(f"The numbers are right, but `{self.exercise.arguments[changed]}` is different after the call. "
                              "Work on a copy, or write `x = x - 1` rather than `x -= 1`.", "argument changed")
        return Diagnosis("correct", None, "Right.", printed=self.printed, ladder=_after(self.exercise))

    def wrong(self, sentences, name=None, comparison=None):
        return _wrong(self.exercise, sentences, name, comparison, self.printed)

    def known_mistake(self, wrong, first):
        """The mistake that agrees with the student wherever an ordinary input lets both run; a trap decides about its own mistakes."""
        ordinary, about = len(self.exercise.inputs), None
        if not wrong:                            # right on everything ordinary: only a mistake about this trap can be meant
            about = list(self.exercise.traps)[first - ordinary]
        best = None
        for mistake in filter(self.can_be_said, self.exercise.mistakes):
            others = self.exercise.own_outcomes(mistake.function)[:len(self.outcomes)]
            if False in (self.agrees(i, other) for i, other in enumerate(others[:ordinary])):      # most mistakes end here, at the first input
                continue
            agree = [self.agrees(i, other) for i, other in enumerate(others)]
            if not (self.shown(wrong, agree, others) if wrong else agree[first]):
                continue
            if not wrong and mistake.about not in (None, about):
                continue
            score = sum(bool(a) for a in agree)
            if best is None or score > best[0]:
                best = score, mistake
        return best and best[1]

    def can_be_said(self, mistake):
        """Whether what the name says of the code is so: an argument that is not used, a division."""
        if any(looking.reads(self.function, self.exercise.arguments.index(argument)) for argument in mistake.ignores.split()):
            return False
        return not mistake.code or looking.STANDS[mistake.code](self.function)

    def agrees(self, i, other):
        """Whether student and mistake give the same on input i; None where one of them does not run."""
        outcome = self.outcomes[i]
        if outcome.failure or outcome.thing or other.failure:
            return None
        return outcome.value is not None and self.same(outcome.value, other.value, self.tolerance(i))

    def shown(self, wrong, agree, others):
        """Whether a mistake shows on a wrong input: in a number, in NaN that began alike where it has nothing else, or in how both stop."""
        if any(agree[i] and self.tells(i, others[i]) for i in wrong):
            return True
        ordinary = range(min(len(self.exercise.inputs), len(others)))
        if any(agree[i] for i in wrong):
            return (not any(self.tells(i, others[i]) for i in ordinary if not others[i].failure)
                    and any(agree[i] and _begun_alike(self.outcomes[i].nan_began, others[i].nan_began) for i in wrong))
        return all(agree[i] or _stops_alike(self.outcomes[i].failure, others[i].failure, self.exercise.arguments) for i in ordinary)

    def tells(self, i, other):
        """Whether what a mistake gives on input i differs from the reference in more than NaN."""
        wanted = _arrays(self.wanted[i], self.wanted[i])
        got = _arrays(other.value, self.wanted[i])
        return got is None or any(a.shape != b.shape or (a.dtype == bool) != (b.dtype == bool) or not np.isfinite(b).all()
                                  or not _agree([a[np.isfinite(a)]], [b[np.isfinite(a)]], self.tolerance(i))
                                  for a, b in zip(got, wanted, strict=True))

    def calling(self, i):
        """How the check calls it, where that does not fit the student's signature."""
        try:
            inspect.signature(self.function).bind(*self.exercise.tries[i])
        except TypeError:
            return f" The check calls it as `{self.exercise.signature}`."
        except ValueError:
            pass                                 # a built-in without a signature
        return ""

    def copies_one_row(self, i):
        """Whether all rows that came are the same one, written into a list of copies."""
        got = None if self.outcomes[i].failure else _arrays(self.outcomes[i].value, self.wanted[i])
        return bool(got) and got[0].ndim > 1 and len(got[0]) > 1 and bool((got[0] == got[0][:1]).all()) and looking.copies_a_row(self.function)

    def unexplained(self, wrong, first):
        """What kind of thing is wrong on the first wrong input: a measured property, named if it holds of all that are wrong; then the numbers."""
        names, said, comparison = self.measured(first)
        others = [self.measured(i)[0] for i in wrong if not self.outcomes[i].failure]
        name = names[0] if len(names) == 1 and all(names[0] in other for other in others) else None
        slip = None if name else looking.slip(self.function)
        if slip:
            name, said = slip[0], f"{slip[1]} {said}"
        return self.wrong(said, name, comparison)

    def measured(self, i):
        """(names that fit, sentences, comparison or None) of what the function gave on input i."""
        name, said, comparison = self.looked(i)
        return name if isinstance(name, tuple) else (name,) if name else (), said, comparison

    def looked(self, i):
        outcome, wanted = self.outcomes[i], self.wanted[i]
        parts, tolerance = _arrays(wanted, wanted), self.tolerance(i)
        close = lambda a, b: _agree([np.asarray(a)], [np.asarray(b)], tolerance)  # noqa: E731
        got = None if outcome.thing else self.came(outcome.value, wanted)
        if got is None:
            return (*self.counted(outcome, wanted, close), None)
        if len(parts) > 1 and all(any(close(a, b) for b in parts) for a in got) and not all(map(close, got, parts)):
            return "wrong order of the things returned", "The right things come back, in the wrong order.", None
        same = next((name for name, argument in zip(self.exercise.arguments, self.exercise.tries[i], strict=True)
                     if isinstance(argument, np.ndarray) and _agree(got[:1], [argument], 0)), None)
        if same and len(parts) == 1:
            return "argument returned unchanged", f"`{same}` comes back as it went in.", None
        begun = self.setting(i)
        for which, (a, b) in enumerate(zip(got, parts, strict=True)):
            part = f"Of the {len(parts)} things it gives back, number {which + 1}: " if len(parts) > 1 else ""
            if a.shape != b.shape:
                name, said = describe_shape(a, b, close)
                return name, f"{begun}{part}{said}", None
            if (a.dtype == bool) != (b.dtype == bool):
                kinds = ("truth values", "numbers") if a.dtype == bool else ("numbers", "truth values")
                return f"{kinds[0]} instead of {kinds[1]}", f"{begun}{part}It holds {kinds[0]}; {kinds[1]} fit.", None
            if not close(a, b):
                name, said = describe_values(a, b, close, self.sizes(i)) or (None, "The numbers differ.")
                cause, began = _nan_began(outcome.nan_began)
                return name or cause, f"{begun}{part}{said}{began}", _side_by_side(a, b, tolerance)
        return None, "It differs.", None

    def counted(self, outcome, wanted, close):
        """(name or None, sentence) where the kind of thing or the number of things that came is wrong."""
        said = f"`{self.exercise.signature}` gives back {_kind(wanted)}; yours gave {_kind(outcome.value, outcome.thing)}."
        if isinstance(outcome.value, (tuple, list)) and any(part is None for part in outcome.value):
            return "None among the things returned", f"{said} Something that is returned was never given a value, or by a function that gives none."
        came = list(outcome.value) if isinstance(outcome.value, (tuple, list)) else [outcome.value]
        texts = [part for part in came if isinstance(part, str)]
        if isinstance(outcome.value, list) and texts and max(map(len, texts)) == 1:
            return "letters, not bytes", f"{said} `list` of a text gives its letters, such as {texts[0]!r}; of what `encode` makes of it, numbers."
        fits = list(wanted) if isinstance(wanted, tuple) else [wanted]
        try:
            right = [any(close(a, b) for b in fits) for a in map(np.asarray, came)] if outcome.thing is None else []
        except Exception:                            # things that are no arrays of numbers
            right = []
        if right and all(right) and len(came) < len(fits):
            return "not all things returned", f"{said} What came is right."
        if right and len(came) > len(fits) and all(any(close(np.asarray(a), b) for a in came) for b in fits):
            return "more returned than asked", f"{said} What is asked is among it."
        return None, said

    def setting(self, i):
        """On which kind of input it goes wrong, where others are right."""
        ordinary = len(self.exercise.inputs)
        if i >= ordinary:
            return f"Right on ordinary inputs, but not on this one: {list(self.exercise.traps)[i - ordinary]}. "
        return f"Right on the first {f'{i} inputs' if i > 1 else 'input'} the check tries. On the next: " if i else ""

    def sizes(self, i):
        """{in words: number} of the sizes among the arguments, in which a factor may be recognised; of those always equal, the first."""
        ordinary = [_sizes_of(self.exercise.reference, arguments) for arguments in self.exercise.inputs]
        found = _sizes_of(self.exercise.reference, self.exercise.tries[i])
        always = {words: tuple(sizes.get(words) for sizes in ordinary) for words in found}
        return {words: n for k, (words, n) in enumerate(found.items()) if always[words] not in list(always.values())[:k]}


def _sizes_of(function, arguments):
    found = {}
    for name, argument in zip(inspect.signature(function).parameters, arguments, strict=True):
        if isinstance(argument, np.ndarray) and argument.ndim:
            found[f"the number of columns of `{name}`" if argument.ndim > 1 else f"the length of `{name}`"] = argument.shape[-1]
            if argument.ndim > 1:
                found[f"the number of rows of `{name}`"] = argument.shape[-2]
                found[f"how many numbers `{name}` holds"] = argument.size
        elif isinstance(argument, (int, float)):
            found[f"`{name}`"] = argument
    return found


def _begun_alike(ours, theirs):
    """Whether NaN began in the same kind of step."""
    return ours is not None and theirs is not None and ours.text == theirs.text


def _stops_alike(ours, theirs, arguments):
    """Whether two functions stop with the same error, at arrays of the same shapes, of which some are the same arguments, if any are."""
    if ours is None or theirs is None or not ours.text or (ours.type, ours.text) != (theirs.type, theirs.text):
        return False
    named = [{name: held for name, held in failure.variables.items() if isinstance(held, tuple) and re.search(rf"\b{name}\b", failure.line)}
             for failure in (ours, theirs)]
    given = [set(held) & set(arguments) for held in named]
    return bool(named[0]) and set(named[0].values()) == set(named[1].values()) and bool(given[0] & given[1] or not (given[0] or given[1]))


def _nothing(function, printed):
    """(name, sentence) for a function that gave back None: how it ends."""
    begun, end = "Your function gave back nothing (None)", looking.ending(function)
    if end and (call := in_place(end)):
        return NOTHING_BACK, f"{begun}: `{call}` changes its array in place and gives nothing back. Return the array itself."
    shown = " `print` only shows a value." if printed else ""
    said = {
        None: ". Does it end with a `return`?",
        "no return": f": it has no `return`.{shown} What should come back stands behind a `return`.",
        "bare return": ": its `return` stands alone. What should come back stands behind it.",
        "some return": ": not every way through it ends with a `return`.",
    }
    return "nothing returned", begun + said.get(end, f": its `return` gives `{end}`, and that is None.")


def _ladder(exercise):
    """Help, in the order in which it opens."""
    steps = [("A nudge", exercise.nudge, False), ("A skeleton", exercise.skeleton, True), ("A solution", _shown(exercise), True)]
    return tuple(step for step in steps if step[1])


def _after(exercise):
    """What a right answer may be compared with."""
    return tuple(("One way to write it", text, True) for text in [_shown(exercise)] if text)


def _shown(exercise):
    """The solution as a notebook shows it: NumPy is there, functions of other exercises are `mine`, and the name is the one that its cell checks."""
    text = solution(exercise.name).removeprefix("import numpy as np").strip()
    given = {node.arg for node in ast.walk(ast.parse(text)) if isinstance(node, ast.arg)}          # a law is given the function
    for other in set(re.findall(r"(?<![\w.])(\w+)\(", text)) - {exercise.name} - given:
        if (SOLUTIONS / f"{other}.py").exists():
            text = re.sub(rf"(?<![\w.]){other}\(", f"mine.{other}(", text)
    return re.sub(rf"\b{exercise.name}\b", "my_input" if exercise.shape == "catch" and exercise.kind == "input" else f"my_{exercise.name}", text)


def solution(name):
    """The solution of an exercise as source code, "" where the folder of solutions was left out."""
    path = SOLUTIONS / f"{name}.py"
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def _open(exercise, function=None):
    asked = getattr(exercise, "task", "") or f"Fill in `{exercise.signature}`."
    names, begun = looking.gaps(function)
    if names and begun:                          # other lines are written: say what is left
        asked = f"{' and '.join(f'`{name}`' for name in names)} {'is' if len(names) == 1 else 'are'} still `...`. Fill in what is missing."
    return Diagnosis("not attempted", None, f"Not attempted yet. {asked} Then run this cell again.", ladder=_ladder(exercise))


def _wrong(exercise, sentences, name=None, comparison=None, printed=""):
    said = f"Not yet: {name}. {sentences}" if name else f"Not yet. {sentences}"
    return Diagnosis("wrong", name, said, comparison, printed, _ladder(exercise))


def untouched(outcome):
    """Whether a stub is as it was: it gives back its gap, or stops because of it."""
    value = outcome.value
    gap = value is ... or (isinstance(value, (tuple, list)) and any(part is ... for part in value))
    return gap or outcome.failure is not None


def _holds_gap(value):
    """Whether `...` stands somewhere in an input that should be given."""
    parts = value.flat if isinstance(value, np.ndarray) and value.dtype == object else value if isinstance(value, (list, tuple)) else ()
    return value is ... or any(map(_holds_gap, parts))


def _first_lines(printed):
    lines = printed.rstrip().splitlines()
    return "\n".join([*(line[:100] for line in lines[:8]), *["..."] * (len(lines) > 8)])


def _is_table(value):
    """Whether rows of plain numbers can be made of it."""
    try:
        return isinstance(value, (list, np.ndarray)) and np.array(value, dtype=float).ndim > 0
    except (TypeError, ValueError):
        return False


def _kind_of_shape(value):
    """An argument by its number of axes, in words."""
    if isinstance(value, np.ndarray):
        finite = "" if np.isfinite(value).all() else ", some of them inf or nan"
        return ["a number", "a row of numbers", "a table of numbers"][value.ndim] + finite if value.ndim < 3 else f"{value.ndim} axes of numbers"
    return "a number" if isinstance(value, (int, float, np.number)) else f"something of type {type(value).__name__}"


def _names(function):
    """The names that a function can see."""
    return [*getattr(function, "__globals__", {}), "np"]


def _truth(value):
    try:
        array = np.asarray(value)
        return bool(array) if array.size == 1 and array.dtype.kind in "biuf" else None
    except Exception:
        return None


def _arrays(value, like):
    """value as a list of arrays, as many as `like` has; None where that cannot be."""
    many = isinstance(like, tuple)
    parts = list(value) if many and isinstance(value, (tuple, list)) else [value]
    if len(parts) != (len(like) if many else 1):
        return None
    try:
        arrays = [np.asarray(part) for part in parts]
    except Exception:                              # rows of different lengths, or an object that refuses
        return None
    return arrays if all(a.dtype.kind in "biuf" for a in arrays) else None


def _agree(ours, theirs, tolerance):
    return all(a.shape == b.shape and (a.dtype == bool) == (b.dtype == bool)
               and np.allclose(a.astype(float), b.astype(float), rtol=tolerance, atol=tolerance, equal_nan=True)
               for a, b in zip(ours, theirs, strict=True))


def _tolerance(arguments):
    dtypes = [a.dtype for a in arguments if isinstance(a, np.ndarray)]
    return max((TOLERANCES.get(d, FLOAT64_TOLERANCE) for d in dtypes), default=FLOAT64_TOLERANCE)


def _kind(value, thing=None):
    """A value in words: how many things, which shape, which type."""
    if thing:
        return thing
    if isinstance(value, tuple):
        return f"{len(value)} things ({', '.join(_kind(v) for v in value)})"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}" + ("" if value.dtype.kind in "biuf" else f" and dtype {value.dtype}")
    if isinstance(value, list) and value and _arrays(value, value) is None:
        return "a list of rows of different lengths, or of things that are not numbers"
    return "None" if value is None else f"something of type {type(value).__name__}"


# What NumPy says of a step without an answer: (a pattern, name or None, what it means).
NAN_STEPS = [
    (r"overflow .*\bexp", "exp overflows", "a number grew beyond what a float can hold"),
    (r"overflow", None, "a number grew beyond what a float can hold"),
    (r"divide by zero .*\blog", "the logarithm of 0", "the logarithm of 0 is −∞"),
    (r"divide", None, "something was divided by 0"),
    (r"invalid .*\bsqrt", "the root of a negative number", "a step had no answer: the root of a negative number"),
    (r"invalid .*\bpower", None, "a step had no answer: a power with a fraction, such as a root, of a negative number"),
    (r"invalid .*\blog", "the logarithm of a negative number", "a step had no answer: the logarithm of a negative number"),
    (r"invalid .*\bmultiply", "0 · ∞", "a step had no answer: 0 · ∞"),
    (r"invalid .*\bsubtract", "∞ − ∞", "a step had no answer: ∞ − ∞"),
    (r"invalid .*\bdivide", None, "a step had no answer: 0/0, or ∞/∞"),
    (r"", None, "a step had no answer, such as 0·∞, ∞ − ∞ or 0/0"),
]


def _nan_began(failure):
    """(name or None, sentence): in which step NaN or infinity first arose."""
    if failure is None or not failure.line:
        return None, ""
    name, meaning = next((name, meaning) for pattern, name, meaning in NAN_STEPS if re.match(pattern, failure.text))
    return name, f" It began in line {failure.number}, `{failure.line}`: {meaning}."


def _side_by_side(a, b, tolerance):
    """Both as text: all of a small table, else the first row that differs."""
    if a.ndim == 2 and a.size <= 36:
        return _numbers(a), _numbers(b)
    rows_a, rows_b = (np.atleast_2d(x).reshape(-1, x.shape[-1] if x.ndim else 1) for x in (a, b))
    i = next(i for i, rows in enumerate(zip(rows_a, rows_b, strict=True)) if not _agree(rows[:1], rows[1:], tolerance))
    where = f"   ({place(i, a.shape)})" if len(rows_a) > 1 else ""
    return _numbers(rows_a[i]) + where, _numbers(rows_b[i]) + where


def _numbers(x):
    return np.array2string(x, precision=3, suppress_small=True, threshold=40, edgeitems=4)

"""The words for a slip that was found by a search: a title and a question. The mend itself is
never said.

A slip has a kind (edits.py) and stands at a milestone: the value of the reference that its line
should give, such as
`scores`; or, for a step that is missing, the reference's step. `COURSE` turns both into the words
of the course. Where it has
no row, the plain question of the kind is asked.
"""

import re
from dataclasses import dataclass
from typing import Any

# kind: (title, question). {text} is the student's own text.
KINDS = {
    "axis": (
        "the wrong axis",
        "along which axis must `{text}` go, and how many numbers should it give?",
    ),
    "keepdims": (
        "an axis lost, or kept",
        "which shape has `{text}`, and which shape does the next step need?",
    ),
    "transpose": (
        "transposed, or not",
        "which shape has `{text}`, and which shape is needed there?",
    ),
    "new axis": (
        "an axis to be added, or not",
        "which shape has `{text}`, and what does NumPy line up with what?",
    ),
    "reshape": ("the axes in another order", "after `{text}`, which numbers stand side by side?"),
    "operator": ("another operation", "is the operation in `{text}` the one that is meant?"),
    "order": ("sorted the other way", "which comes first in `{text}`, the largest or the least?"),
    "operands": ("the order of the operands", "which side of `{text}` comes first?"),
    "brackets": ("the brackets", "what is computed first in `{text}`, and what should be?"),
    "sign": ("the wrong sign", "which sign should `{text}` have: what is taken from what?"),
    "signs": ("the wrong sign", "which parts of `{text}` are added, and which are taken away?"),
    "left out": ("something is left out", "what else belongs to `{text}` there?"),
    "root": ("a root, or none", "is a root missing in `{text}`, or one too many?"),
    "number": ("another number", "which number belongs in `{text}`, and why?"),
    "one off": ("off by one", "where should `{text}` begin, and where should it end?"),
    "name": ("another variable", "is `{text}` the variable that is meant there?"),
    "key": ("another parameter", "is {text} the parameter that is meant there?"),
    "function": ("another function", "is `{text}` the function that is meant there?"),
    "missing": ("a step is missing", "what must still be done to `{text}`?"),
    "unused": (
        "something is not used",
        "something that you computed, or were given, is not used. Does it belong to `{text}`?",
    ),
    "too much": ("a step too many", "a part of `{text}` does not belong there. Which?"),
    "comparison": (
        "the comparison",
        "which way round is `{text}`, and what becomes of equal ones?",
    ),
    "condition": (
        "the condition",
        "when is `{text}` True, and when should it be? What becomes of 0, and of nothing?",
    ),
    "inverted": (
        "True and False turned round",
        "what does True mean in `{text}`, and what should it mean?",
    ),
    "index": ("another part of it", "which part is `{text}`, and which part is meant?"),
    "unsorted": (
        "in another order",
        "in which order do the numbers of `{text}` stand, and in which are they needed there?",
    ),
    "argument order": (
        "the order of the arguments",
        "which of the arguments of `{text}` comes first?",
    ),
    "result order": (
        "the order of the results",
        "in which order should the parts of `{text}` stand?",
    ),
    "result": ("another result", "what is asked for, and what does `{text}` give?"),
    "update": ("added to, or replaced", "what becomes of the old value at `{text}`?"),
    "not kept": (
        "a result that is not kept",
        "`{text}` gives something back, and changes nothing in place. What becomes of it?",
    ),
    "loop": (
        "break or continue",
        "does `{text}` end the whole loop, or this round alone?",
    ),
    "indent": ("inside or outside of the loop", "how often should `{text}` happen?"),
    "step order": (
        "the order of two steps",
        "which of the two steps in `{text}` comes first?",
    ),
    "line order": ("the order of the lines", "should `{text}` stand above the line below it?"),
    "line too much": ("a line too many", "what would be lost without `{text}`?"),
    "whole numbers": ("whole numbers", "what becomes of a fraction at `{text}`?"),
}
# What is said of a place without a class.
STEPS = {
    "first step": "{where} is the first that goes wrong: what should `{text}` give?",
    "last step": (
        "what comes after {where} is right. The value of `{text}` there is wrong, so the slip "
        "stands in that line or above it."
    ),
    "last line": (  # nothing but the result comes after it
        "the value of `{text}` in {where} is wrong, so the slip stands in that line or above it."
    ),
    "first line": "the value of `{text}` in {where} is wrong.",  # there is nothing above it
    "unknown step": (
        "in {where} `{text}` gets a value that no right run has: the slip may stand there. What "
        "should it hold?"
    ),
    "next step": (
        "once that is right, {where} is the first to give what no right run has: what should "
        "`{text}` give, and is what it is made of right?"
    ),
}
# The beginning of a question that says of a part that it is right: another slip may stand there.
PRAISE = re.compile(
    r"^[^.,:;]* (?:is|are) right(?:, (?:but|and) |(?:: [^.]*)?\. (?:But )?)"
    r"|^The right \w+ are kept, but (?!in )"
)
PLAIN = "something in `{text}` is not as it should be. What should it give?"

# (kind, pattern of the missing step, or of the milestone, a colon and the student's text):
# (title, question or "" for that of the kind).
COURSE = [
    (
        "missing",
        r"_ / np\.sqrt\(.*(shape|d_k|\bd\b)",
        "not scaled",
        "how large do the scores in `{text}` become for long vectors?",
    ),
    (
        "missing",
        r"softmax\(_|softmax\w*\(",
        "softmax missing",
        "what must hold of each row of `{text}` before it can be used as weights?",
    ),
    (
        "missing",
        r"np\.where\(.*_, -np\.inf|_ \+ .*mask",
        "the mask is missing",
        "which of the scores in `{text}` may be seen?",
    ),
    (
        "missing",
        r"np\.exp\(",
        "exp missing",
        "which numbers may `{text}` hold, and which may a weight be?",
    ),
    (
        "missing",
        r"_ / \w+\.sum\(|_ / .*sum\(",
        "not divided by the sum",
        "what must `{text}` add up to, and does it?",
    ),
    (
        "missing",
        r"_ - \w+\.max\(",
        "maximum not subtracted",
        "what does exp give where `{text}` is very large?",
    ),
    (
        "missing",
        r"_ - .*(mu|mean)",
        "not centred",
        "what is the mean of `{text}`, and what should it be?",
    ),
    (
        "missing",
        r"np\.sqrt\(_\)",
        "the root is missing",
        "in which unit is `{text}`: that of the numbers, or of their squares?",
    ),
    (
        "missing",
        r"np\.log\(",
        "the logarithm is missing",
        "is `{text}` a probability, or the surprise at one?",
    ),
    (
        "missing",
        r"\.T$",
        "transposed, or not",
        "which shape has `{text}`, and which shape is needed there?",
    ),
    (
        "missing",
        r"_ \+ (b_\w+|b\[|beta|params\[)",
        "a bias is missing",
        "which parameter has not been added to `{text}`?",
    ),
    (
        "missing",
        r"_ \* (gamma|weights)|(gamma|weights) \* _",
        "a factor is missing",
        "what should `{text}` still be multiplied by?",
    ),
    (
        "missing",
        r"\.mean\(",
        "the mean is missing",
        "is one number asked for, or one for each: what is `{text}`?",
    ),
    ("missing", r"~_", "True and False turned round", "what does True mean in `{text}`?"),
    ("missing", r"^-_", "the wrong sign", "which sign should `{text}` have?"),
    (
        "missing",
        r"(_ \+ X|X \+ _|Z \+ _|_ \+ Z)",
        "the skip is missing",
        "what becomes of the vector that came into `{text}`?",
    ),
    ("missing", r"norm\(_", "a norm is missing", "is `{text}` normed before it is read?"),
    (
        "too much",
        r"^(scores|S): ",
        "a step too many in the scores",
        "which step of `{text}` has no place in the scores?",
    ),
    ("operator", r"^(scores|S): ", "another operation in the scores", ""),
    (
        "number",
        r"^(scores|S): .*(/|sqrt)",
        "the scale of the scores",
        "by which size are the scores in `{text}` scaled?",
    ),
    (
        "name",
        r"^(scores|S): ",
        "other vectors in the scores",
        "which two vectors does each score in `{text}` compare?",
    ),
    (
        "transpose",
        r"^(scores|S): .*@",
        "transposed, or not, in the scores",
        "which rows of `{text}` are compared with which?",
    ),
    (
        "axis",
        r"^(weights|P|A|gates): ",
        "the weights go along the wrong axis",
        "over what should the weights in `{text}` sum to 1?",
    ),
    (
        "axis",
        r"^(mu|variance|mean_square): ",
        "the mean runs over the wrong numbers",
        "over the numbers of what is `{text}` taken?",
    ),
    (
        "sign",
        r"^(loss): ",
        "the sign of the loss",
        "which sign has `{text}`, and which has a loss?",
    ),
    ("axis", r"^(loss): ", "the wrong axis in the loss", "of what does `{text}` make one number?"),
]


@dataclass(frozen=True)
class Slip:
    """One place that is told of. kind: "" where equal mends disagree on it; lines: in the
    student's function, in order; inside:
    the helper in which it stands, with its own line, or ""; text: the student's text; milestones:
    what of the reference its line
    gives, or the step that is missing; tells: what tells an input on which it shows, where that is
    not every wrong one: "mended" and the text of the program without the other slips, or "place"
    and the sites of its place. idea: the written misconception that it is beside another slip: its
    number, later its (name, question); or None."""

    kind: str
    lines: tuple[int, ...]
    text: str
    milestones: tuple[str, ...] = ()
    inside: str = ""
    tells: tuple[Any, ...] = ()
    idea: Any = None

    def where(self) -> str:
        """The place alone, in a sentence; of a value that is wrong there, what is known of it."""
        if not self.lines:
            return ""
        if self.kind in STEPS and not self.idea:
            return self.words()[1]
        look = f"Look at {self.inside or _lines(self.lines)}"
        # The text is one line's: of two lines the slip may stand in the other.
        return f"{look}." if len(self.lines) > 1 else f"{look}: `{self.text}`."

    def next_words(self) -> str:
        """What is said of it on *Next*."""
        return f"Once that is right: {self.words()[1]}" if self.idea else self.words()[1]

    def words(self, *others: "Slip") -> tuple[str | None, str]:
        """(title or None, sentence). others: slips that are told on *Next*."""
        if self.idea:
            title, question = self.idea
            place = f"{self.where()} " if self.lines else ""
            apart = f"Leave {_others(self, others)} aside. " if others else ""
            return title, f"{place}{apart}{question}"
        where = self.inside or _lines(self.lines)
        if self.kind in STEPS:
            said = STEPS[self.kind].format(where=where, text=self.text)
            return None, said[0].upper() + said[1:]
        if not self.kind:
            return None, _sentence(where, PLAIN.format(text=self.text))
        is_whole = self.kind == "name" and " = " in self.text  # a line is no variable
        title, question = KINDS["line too much" if is_whole else self.kind]
        if self.kind == "sign" and not re.search(r" [+-] ", self.text):
            question = "which sign should `{text}` have?"
        behind = "" if self.kind == "missing" else f": {self.text}"
        for kind, pattern, its_title, its_question in COURSE:
            if kind == self.kind and any(
                re.search(pattern, milestone + behind) for milestone in self.milestones
            ):
                title, question = its_title, its_question or question
                break
        return title, _sentence(where, question.format(text=self.text))


def without_praise(question: str) -> str:
    """A misconception's question without what it says is right: of two slips, the other may stand
    there.
    """
    asked = PRAISE.sub("", question).removesuffix(" All else is right.")
    return (asked[0].upper() if asked[0].isascii() else asked[0]) + asked[1:]  # ε stays small


def _others(slip: Slip, others: tuple[Slip, ...]) -> str:
    """The places of other slips, in words."""
    other = others[0]
    is_elsewhere = other.inside != slip.inside or not set(other.lines) & set(slip.lines)
    return other.inside or _lines(other.lines) if other.lines and is_elsewhere else "the other slip"


def _lines(lines: tuple[int, ...]) -> str:
    return (
        f"line {lines[0]}"
        if len(lines) == 1
        else f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}"
    )


def _sentence(where: str, question: str) -> str:
    return f"Look at {where}: {question}"

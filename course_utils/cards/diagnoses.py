"""The card of a check: is a student's function right, and if not, which idea slipped."""

from collections.abc import Sequence
from typing import NamedTuple

from course_utils.cards.look import card, code, fold, prose, side_by_side

HEADINGS = {
    "correct": ("good", "right"),
    "wrong": ("bad", "not yet"),
    "not attempted": ("open", "not attempted yet"),
}


class Contrast(NamedTuple):
    """An input, what came and what is wanted: lines of fixed width; "" where none is shown."""

    given: str
    yours: str
    wanted: str


class Step(NamedTuple):
    """A step of the ladder of help."""

    title: str
    text: str
    is_code: bool = False


def diagnosis_card(
    status: str,
    name: str | None,
    message: str,
    comparison: Contrast | None = None,
    printed: str = "",
    ladder: Sequence[Step] = (),
) -> str:
    """HTML that says how a student's function did. All text is plain, and escaped.

    status: "correct", "wrong" or "not attempted"; name: the mistake's name or None; message: lines,
        with `code` in backticks;
    printed: what the function printed; ladder: steps, each opened inside the one before.
    """
    state, heading = HEADINGS[status]
    body = ""
    if comparison:
        body += side_by_side(*comparison)
    if printed.strip():
        body += f'<p style="margin:.35em 0 0">Your function printed:</p>{code(printed)}'
    return card(
        "diagnosis",
        f"{heading}: {name}" if name else heading,
        body + _steps(list(ladder)),
        state,
        spoken=prose(message),
    )


def _steps(ladder):
    if not ladder:
        return ""
    (title, text, is_code), *further = ladder
    return fold(title, (code(text) if is_code else prose(text)) + _steps(further))

"""The verdict on a claim of the lecture notes, computed from what was measured."""

from dataclasses import dataclass

from course_utils.arguments import ArgumentError
from course_utils.cards.boxes import box


@dataclass(frozen=True)
class Verdict:
    """A claim's id, the verdict "holds", "loose" or "wrong", and the sentence that a notebook shows."""

    claim: str
    word: str
    sentence: str

    def __repr__(self):
        return self.sentence

    def _repr_html_(self):
        return box(self.sentence, {"holds": "good", "loose": "neutral", "wrong": "bad"}[self.word])


def judge(claim, as_stated, only_if=None, instead=None):
    """Judge a claim by measured truth values; the verdict follows from them and is not chosen.

    as_stated: does it hold as the note puts it? Then it *holds*.
    only_if: {condition: does it hold then}. Not as stated, but under every condition: *loose*.
    instead: {mended claim: does that hold}. Neither, but the mended claim holds: *wrong*.
    Returns a Verdict. Raises ArgumentError where the measurements leave it undecided.
    """
    if as_stated:
        return Verdict(claim, "holds", f"Claim {claim} holds.")
    if only_if and all(only_if.values()):
        return Verdict(claim, "loose", f"Claim {claim} is loose. True only if {'; and if '.join(only_if)}.")
    if instead and all(instead.values()):
        return Verdict(claim, "wrong", f"Claim {claim} is wrong. Instead: {'; '.join(instead)}.")
    measured = {"as stated": bool(as_stated), **(only_if or {}), **(instead or {})}
    raise ArgumentError(f"claim {claim}", measured, "a measurement that decides it")

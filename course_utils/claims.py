"""The verdict on a claim of the lecture notes, computed from what was measured."""

from course_utils.errors import ArgumentError


class Verdict(str):
    """A verdict's sentence, shown as it is."""

    def __repr__(self):
        return str(self)


def judge(claim, as_stated, only_if=None, instead=None):
    """Judge a claim by measured truth values; the word follows from them.

    as_stated: does it hold as the note puts it? Then it **holds**.
    only_if: {condition: does it hold then}. Not as stated, but under every condition: **loose**.
    instead: {mended claim: does that hold}. Neither, but the mended claim holds: **wrong**.
    Returns the Verdict. Raises ArgumentError where the measurements leave it undecided.
    """
    if as_stated:
        return Verdict(f"Claim {claim} holds.")
    if only_if and all(only_if.values()):
        return Verdict(f"Claim {claim} is loose. True only if {'; and if '.join(only_if)}.")
    if instead and all(instead.values()):
        return Verdict(f"Claim {claim} is wrong. Instead: {'; '.join(instead)}.")
    measured = {"as stated": bool(as_stated), **(only_if or {}), **(instead or {})}
    raise ArgumentError(f"claim {claim}", f"{measured}", "a measurement that decides it")

"""The verdict on what is said about attention: measured in named cases, and chosen by nobody."""

import ast
import functools
import inspect
import json
from dataclasses import dataclass
from importlib.resources import files

import executing
import numpy as np

from course_utils.arguments import ArgumentError, short
from course_utils.cards.look import verdict_card


@functools.cache
def claims():
    """{id: {"claim": what is said, "where": the note and its part, "main": the notebook that tells it, or None}}."""
    return json.loads(files(__package__).joinpath("claims.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Verdict:
    """What the cases say of a claim: "holds" in all of them, "depends" in some, "fails" in none.

    cases: (case, does it hold, number that decided it or "") of each; instead: (mended sentence, its cases) or None.
    """

    id: str
    claim: str
    where: str
    word: str
    cases: tuple
    instead: tuple | None

    @property
    def heading(self):
        """The verdict in one line."""
        return f"Claim {self.id} {self.word}: true in {sum(holds for _, holds, _ in self.cases)} of {len(self.cases)} cases"

    def __repr__(self):
        lines = [self.heading, f"{self.claim} ({self.where})", *map(case_line, self.cases)]
        if self.instead:
            sentence, cases = self.instead
            lines += [f"Instead: {sentence}", *map(case_line, cases)]
        return "\n".join(lines)

    def _repr_html_(self):
        return verdict_card(self.heading, self.claim, self.where, self.cases, self.instead)


def judge(claim_id, cases, instead=None):
    """Judge a claim by measured cases; the verdict follows from them: true in all "holds", in some "depends", in none "fails".

    claim_id: one of claims.json, which holds the claim's words and where it is said.
    cases: {case in words: measured truth, or (measured truth, number that decided it)}, two or more.
    instead: (mended sentence, {case: …}), for a claim that does not hold; it is shown only if it holds in all cases of its own.
    Returns a Verdict. Raises ArgumentError for what is not measured. A truth that the calling line writes down (True, not False, 1 < 2)
    is no measurement, and is refused; where that line's source is not to be had, this one check is left out.
    """
    if not isinstance(claim_id, str) or claim_id not in claims():
        raise ArgumentError("claim_id", short(claim_id), "an id of claims.json, such as 'C1'")
    written, written_instead = written_cases(inspect.currentframe().f_back)
    cases = as_cases(cases, f"cases of claim {claim_id}", written)
    true = [holds for _, holds, _ in cases]
    word = "holds" if all(true) else "depends" if any(true) else "fails"
    if instead is not None:
        instead = as_mended(instead, claim_id, word, written_instead)
    return Verdict(claim_id, claims()[claim_id]["claim"], claims()[claim_id]["where"], word, cases, instead)


def as_mended(instead, claim_id, word, written):
    """(mended sentence, its cases), where there is something to mend and the sentence holds in every case."""
    name = f"instead of claim {claim_id}"
    if not isinstance(instead, tuple) or len(instead) != 2 or not isinstance(instead[0], str) or not instead[0].strip():
        raise ArgumentError(name, short(instead), "('the mended sentence', {case: measured truth})")
    if word == "holds":
        raise ArgumentError(name, short(instead[0]), "nothing: the claim holds in all its cases")
    cases = as_cases(instead[1], name, written)
    broken = [case for case, holds, _ in cases if not holds]
    if broken:
        raise ArgumentError(name, f"a sentence that does not hold in {short(broken[0])}", "one that holds in all its cases")
    return instead[0], cases


def as_cases(cases, name, written):
    """Cases as tuples (case, does it hold, number as text); all of them named, measured, and at least two."""
    if not isinstance(cases, dict) or not all(isinstance(case, str) and case.strip() for case in cases):
        raise ArgumentError(name, short(cases), "{case in words: measured truth}")
    if len(cases) < 2:
        raise ArgumentError(name, f"{len(cases)} of them", "at least two, one where the claim should do best and one where it should do worst")
    constant = next((expression for expression in written if is_constant(expression)), None)
    if constant is not None:
        raise ArgumentError(name, f"{ast.unparse(constant)}, written down", "a measurement")
    return tuple(as_case(case, measured, name) for case, measured in cases.items())


def as_case(case, measured, name):
    """One case as (case, does it hold, number as text)."""
    holds, *number = measured if isinstance(measured, tuple) and measured else (measured,)
    if not isinstance(holds, (bool, np.bool_)):
        raise ArgumentError(name, f"{short(holds)} for {short(case)}", "True or False, as measured")
    if len(number) > 1:
        raise ArgumentError(name, f"{len(measured)} things for {short(case)}", "a truth, or a truth and one number")
    return case, bool(holds), number_text(number[0], name) if number else ""


def number_text(number, name):
    """A number to three significant digits; a string stays as it is."""
    if isinstance(number, str):
        return number
    if isinstance(number, (bool, np.bool_)) or not isinstance(number, (int, float, np.number)):
        raise ArgumentError(name, short(number), "a number that decided the case, or a string")
    rounded = float(f"{number:.3g}")
    if rounded and not 1e-3 <= abs(rounded) < 1e6:
        return f"{number:.3g}"
    return f"{rounded:,.10g}"


def case_line(case):
    """A case in plain text: ✓ or ✗, what it is, the number that decided it."""
    what, holds, number = case
    return f"  {'✓' if holds else '✗'} {what}{': ' if number else ''}{number}"


def written_cases(frame):
    """The expressions that a call of judge in `frame` writes as truths: those of its cases, those of its mended sentence."""
    call = executing.Source.executing(frame).node
    if not isinstance(call, ast.Call):
        return [], []
    said = dict(zip(["claim_id", "cases", "instead"], call.args, strict=False)) | {k.arg: k.value for k in call.keywords}
    mended = said.get("instead")
    mended_cases = mended.elts[-1] if isinstance(mended, ast.Tuple) and mended.elts else None
    return written_truths(said.get("cases"), call), written_truths(mended_cases, call)


def written_truths(expression, call):
    """The expressions of the truths in {case: truth} or {case: (truth, number)}, or in what the calling function gave that name."""
    if isinstance(expression, ast.Name):
        given = [node for node in ast.walk(scope(call)) if isinstance(node, ast.Assign) and expression.id in map(ast.unparse, node.targets)]
        return [truth for node in given if not isinstance(node.value, ast.Name) for truth in written_truths(node.value, call)]
    values = {ast.Dict: lambda: expression.values, ast.DictComp: lambda: [expression.value]}.get(type(expression), list)()
    return [value.elts[0] if isinstance(value, ast.Tuple) and value.elts else value for value in values]


def scope(node):
    """The function, or else the whole source, that a node stands in."""
    while hasattr(node, "parent") and not isinstance(node, ast.FunctionDef):
        node = node.parent
    return node


def is_constant(expression):
    """Does an expression look at nothing that has a name?"""
    return not any(isinstance(node, ast.Name) for node in ast.walk(expression))

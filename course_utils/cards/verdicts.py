"""The verdict on what is said about attention: a sentence is judged by the logic that it has, and
by evidence of that kind.
"""

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from course_utils.arguments import ArgumentError, Short
from course_utils.cards.evidence import (
    Control,
    Conventions,
    Count,
    Sample,
    Search,
    Witness,
    apart,
    as_count,
    wilson,
)
from course_utils.cards.look import verdict_card
from course_utils.cards.measures import MEASURES
from course_utils.data.refuted import refuted
from course_utils.data.starts import starts

# {kind of sentence: (its evidence, why other evidence does not settle it)}
KINDS: dict[str, tuple[type[Any], str]] = {
    "definition": (Conventions, "a definition is settled by nothing; show two conventions"),
    "always": (
        Search,
        "one case settles no sentence about all; search a stated domain with `search`",
    ),
    "can": (
        Witness,
        "one witness shows what can happen; a case in which it does not happen refutes nothing",
    ),
    "typically": (
        Sample,
        "what is typical needs a sample from a stated population, drawn by a seed",
    ),
    "because": (
        Control,
        "a cause needs its control: the same runs without it, and with one thing changed at a time",
    ),
}

# What a row says in which the runs with the cause are not clearly above those without it.
NOT_APART = ("no clear difference", "the other way round")

Evidence = Conventions | Search | Witness | Sample | Control
Said = tuple[str, Sequence[tuple[str | bool, ...]], list[str]]  # heading, rows, notes


@functools.cache
def claims() -> dict[str, dict[str, Any]]:
    """{id: {"kind", "claim": its words, "asked": our question, "where": its source, "main"}}.

    main: the lecture that judges it, or None. One that says "typically" has its sample, too:
    "population", "seed" and "counts", {what was counted: [k, n] by their names in starts.json}.
    """
    return json.loads(files(__package__).joinpath("claims.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Verdict:
    """What the evidence says of a claim.

    heading: one line; asked: our question; rows: the table below it, each (case, number, …) or
    (truth, case, number); columns: the names of its columns, or None; notes: what else was found,
    a sentence each; evidence: what it follows from.
    """

    id: str
    kind: str
    claim: str
    where: str
    heading: str
    asked: str
    columns: tuple[str, ...] | None
    rows: tuple[tuple[str | bool, ...], ...]
    notes: tuple[str, ...]
    evidence: Evidence

    def __repr__(self):
        rows = [self.columns, *self.rows] if self.columns else self.rows
        lines = [
            self.heading,
            f"“{self.claim}”",
            f"Asked: {self.asked}",
            *map(row_line, rows),
            *self.notes,
        ]
        return "\n".join([*lines, f"Claim {self.id}, {self.where}"])

    def _repr_html_(self):
        """The card; the appendix shows many, so there its table and notes are folded."""
        return verdict_card(
            self.heading,
            self.claim,
            self.asked,
            self.rows,
            self.columns,
            self.notes,
            f"Claim {self.id}, {self.where}",
            brief=claims()[self.id]["main"] is None and self.kind != "definition",
        )


def judge(claim_id: str, evidence: Any = None) -> Verdict:
    """Judge a claim by evidence of its kind, and by nothing else.

    claim_id: one of claims.json, which holds its kind, its words and where it is said. evidence:
    for a definition Conventions, for "always" what `search` gives back, for "can" a Witness, for
    "typically" a Sample, for "because" a Control; None for what the course has.
    Returns a Verdict, which shows itself as a card. Raises ArgumentError for evidence that does
    not fit the kind.

    >>> judge("B1").heading
    '10 of 10: its verb gets most'
    """
    if not isinstance(claim_id, str) or claim_id not in claims():
        raise ArgumentError("claim_id", Short(claim_id), "an id of claims.json, such as 'C1'")
    about = claims()[claim_id]
    wanted, why = KINDS[about["kind"]]
    evidence = evidence_of(claim_id) if evidence is None else evidence
    if not isinstance(evidence, wanted):
        given = "nothing" if evidence is None else type(evidence).__name__
        raise ArgumentError(
            f"evidence for {claim_id}",
            given,
            f"{wanted.__name__}, for it says “{about['kind']}”: {why}",
        )
    heading, rows, notes = SAYS[about["kind"]](evidence)
    columns = (evidence.counted, *evidence.sides, "") if isinstance(evidence, Control) else None
    return Verdict(
        claim_id,
        about["kind"],
        about["claim"],
        about["where"],
        heading,
        about["asked"],
        columns,
        tuple(rows),
        tuple(notes),
        evidence,
    )


def evidence_of(claim_id: str) -> Evidence | None:
    """The evidence that the course has for a claim by itself, or None.

    A Sample or Control is stored: data/starts.json, data/refuted.json. What takes a moment is
    measured anew: cards/measures.py.
    """
    about = claims()[claim_id]
    if "counts" in about:
        counted = starts(claim_id)
        counts = {case: (counted[k], counted[n]) for case, (k, n) in about["counts"].items()}
        return Sample(about["population"], about["seed"], counts)
    if about["kind"] == "because":
        return Control(**refuted(claim_id))
    return MEASURES[claim_id]() if claim_id in MEASURES else None


def of_conventions(evidence: Conventions) -> Said:
    """Two conventions, none of them right or wrong."""
    return "Two conventions", list(evidence.ways.items()), []


def of_search(evidence: Search) -> Said:
    """No counterexample among so many inputs, or the smallest one of each dtype."""
    rows = [
        (
            size is None,
            f"in {dtype}",
            "no counterexample" if size is None else evidence.measure.format(number_text(size)),
        )
        for dtype, size in evidence.found.items()
    ]
    if not evidence.breaks:
        return (
            f"No counterexample in {evidence.tried:,} inputs",
            rows,
            [f"Searched: {evidence.domain}."],
        )
    smallest = evidence.measure.format(number_text(min(evidence.breaks.values())))
    notes = [f"Searched: {evidence.domain}."]
    if evidence.under:
        condition, other = evidence.under
        notes.append(
            f"It holds if {condition}: "
            f"no counterexample in {other.tried:,} inputs ({other.domain})."
        )
    return f"Not always: it breaks at {smallest}", rows, notes


def of_witness(evidence: Witness) -> Said:
    """The witness, and how often it is met."""
    often = [f"How often: {share_text(evidence.often)}."] if evidence.often else []
    heading = "Yes, it can" if evidence.seen else "No witness yet; that refutes nothing"
    return heading, [(evidence.case, number_text(evidence.number))], often


def of_sample(evidence: Sample) -> Said:
    """k of n with its interval, without a threshold."""
    case, (k, n) = next(iter(evidence.counts.items()))
    rows = [(case, share_text(count)) for case, count in evidence.counts.items()]
    seeds = "seeds" if isinstance(evidence.seed, str) else "seed"
    return (
        f"{k} of {n}: {case}",
        rows,
        [f"The sample is {evidence.population} ({seeds} {evidence.seed})."],
    )


def of_control(evidence: Control) -> Said:
    """k of n with, k of n without, and the smallest change after which there is no clear
    difference."""
    (k, n), (k_0, n_0) = evidence.base
    rows = [("as it is", evidence.base), *evidence.changes.items()]
    table = [
        (
            case,
            *(f"{k} of {n}" for k, n in pair),
            "" if apart(*pair) else NOT_APART[apart(*pair[::-1])],
        )
        for case, pair in rows
    ]
    if not evidence.differ:
        note = "With and without do not differ by more than chance."
    elif evidence.turn is None:
        note = "No change that was tried takes the difference away."
    else:
        note = (
            "The rows go from the smallest change to the largest. The first without a clear"
            f" difference is: {evidence.turn}."
        )
    heading = f"{k} of {n} with {evidence.sides[0]}, {k_0} of {n_0} with {evidence.sides[1]}"
    return heading, table, [note]


SAYS: dict[str, Callable[[Any], Said]] = {
    "definition": of_conventions,
    "always": of_search,
    "can": of_witness,
    "typically": of_sample,
    "because": of_control,
}


def share_text(count: Count) -> str:
    """k of n with its 95 % interval: "8 of 10 (95 % sure: 49 % to 94 % of all such cases)"."""
    k, n = as_count(count, "count")
    low, high = (f"{end:.0%}".replace("%", " %") for end in wilson(k, n))
    return f"{k} of {n} (95 % sure: {low} to {high} of all such cases)"


def number_text(number: object) -> str:
    """A number to three significant digits, a whole one as it is; a string stays as it is."""
    if isinstance(number, str):
        return number
    if isinstance(number, (bool, np.bool_)) or not isinstance(number, (int, float, np.number)):
        raise ArgumentError("number", Short(number), "a number, or a string")
    if isinstance(number, (int, np.integer)):
        return f"{number:,}"
    rounded = float(f"{number:.3g}")
    if rounded and not 1e-3 <= abs(rounded) < 1e6:
        return f"{number:.3g}"
    return f"{rounded:,.10g}"


def row_line(row: Sequence[str | bool]) -> str:
    """A row in plain text: ✓ or ✗ where it holds a truth, then its cells."""
    sign, cells = "", row
    if isinstance(row[0], bool):
        sign, cells = "✓ " if row[0] else "✗ ", row[1:]
    return f"  {sign}{cells[0]}: " + ", ".join(str(cell) for cell in cells[1:] if cell)

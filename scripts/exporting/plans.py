"""The plans of the lectures, as slides and tests read them: teaching/plans/NN.md, one page a
lecture.

# 03 Scaling: keep the scores in scale
- An objective. (what tests it)
| part | 50 | 75 | slide |                      the clock: from when to when in each version,
| How large is a dot product? | 0-9 | 0-12 | 2 |  and on which slide it begins
**Late:** ... **Challenge:** ... **Homework:** ...
## How large is a dot product?                  what is said and shown below a heading
"""

import re
from dataclasses import dataclass

from exporting import ROOT

FOLDER = ROOT / "teaching" / "plans"
HOME = "home"


@dataclass(frozen=True)
class Plan:
    head: str  # all above the first heading's notes
    notes: dict[str, str]  # {heading: what is said below it}
    clock: dict[int, dict[str, tuple[int, int] | None]]
    # {minutes of a version: {heading: (start, end), or None where it is homework}}
    slides: dict[str, str]  # {heading: "5.7"; "7, 8" where the versions count otherwise}


def read(name):
    """The plan of the notebook `name`; None where it has none."""
    path = FOLDER / f"{name[:2]}.md"
    return parse(path.read_text(encoding="utf-8")) if path.exists() else None


def parse(text):
    """A plan's text as a Plan. Raises ValueError where the clock's table is none."""
    head, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    notes = {
        heading.strip(): said.strip() for heading, _, said in (p.partition("\n") for p in parts)
    }
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in re.findall(r"^\|.*\|$", head, flags=re.MULTILINE)
    ]
    if len(rows) < 3:
        raise ValueError(f"got a plan with {len(rows)} lines of a table, wanted its clock")
    (_, *lengths, _), _, *rows = rows
    clock = {
        int(length): {row[0]: _span(row[i]) for row in rows}
        for i, length in enumerate(lengths, start=1)
    }
    return Plan(head, notes, clock, {row[0]: row[-1] for row in rows})


def _span(cell):
    """(start, end) in minutes from the lecture's beginning, of "0-9" or "0–9"; None of "home"."""
    if cell == HOME:
        return None
    span = re.fullmatch(r"(\d+)[-–](\d+)", cell)
    if not span:
        raise ValueError(f"got {cell!r} in a plan's clock, wanted start-end, or {HOME}")
    return int(span[1]), int(span[2])


def write_slides(name, slides):
    """Write on which slide each heading begins, {heading: "5.7"}, into the plan of `name`."""
    path = FOLDER / f"{name[:2]}.md"
    lines = path.read_text(encoding="utf-8").split("\n")
    for i, line in enumerate(lines):
        part = line.strip("|").split("|")[0].strip()
        if line.startswith("|") and part in slides:
            lines[i] = f"{line.rstrip('|').rpartition('|')[0]}| {slides[part]} |"
    path.write_text("\n".join(lines), encoding="utf-8", newline="\n")


def homework(plan, minutes):
    """The headings that the version of so many minutes leaves for home. A lecture without such a
    version leaves none."""
    return {heading for heading, span in plan.clock.get(minutes, {}).items() if span is None}


def speaker_notes(plan, minutes=None):
    """{heading: its times, then what is said} for the slides of a lecture: in the version of so
    many minutes, or in each version."""
    headings = dict.fromkeys(
        [*(heading for rows in plan.clock.values() for heading in rows), *plan.notes]
    )
    clock = {minutes: plan.clock[minutes]} if minutes in plan.clock else plan.clock
    return {
        heading: "\n\n".join(filter(None, [_times(clock, heading), plan.notes.get(heading)]))
        for heading in headings
    }


def _times(clock, heading):
    said = [
        f"{length}: {'skip, homework' if rows[heading] is None else '{}–{}'.format(*rows[heading])}"
        for length, rows in clock.items()
        if heading in rows
    ]
    return f"**{' · '.join(said)}.**" if said else ""

"""Stills: what an instrument shows where no script may run.

That is on GitHub, in a notebook that is not trusted, in print. A panel is a part of a picture, with
its size; `side_by_side` puts panels into one SVG, `as_image` makes an HTML image of that, which
sanitisers let pass. An image knows nothing of the page around it, so it brings a ground of its own,
light or dark as the system is.

    side_by_side(bars("weights", ["bears", "won"], [0.7, 0.3]),
                 cells("scores", ["bears"], ["won"], [[0.2]]))
"""

import base64
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from course_utils.instruments.rounding import calm, fixed

TOP = 30  # where a panel begins below its title
GROUND = "text{font:14px sans-serif;fill:#222}.g{fill:#fff}"
DARK = "@media(prefers-color-scheme:dark){text{fill:#eee}.g{fill:#181818}.f{fill:#28709F}}"
STYLES = {
    "t": "font-weight:600;font-size:15px",
    "m": "text-anchor:middle",
    "e": "text-anchor:end",
    "l": "stroke:#888;fill:none",
    "f": "fill:#56B4E9",
    "p": "fill:#AA4499",
    "n": "fill:#C9761A",
    "c": "stroke:#888;stroke-width:2;fill:none",
    "q": "stroke:#AA4499;stroke-width:3;fill:none",
    "s": "stroke:#2F8FC4;stroke-width:2;fill:none",
}


@dataclass(frozen=True)
class Panel:
    """A part of a picture: its size and its SVG, drawn from (0, 0)."""

    width: float
    height: float
    svg: str


def side_by_side(*panels: Panel) -> str:
    """One SVG of some panels in a row."""
    gap, x, parts = 24, 14.0, []
    for panel in panels:
        parts.append(f'<g transform="translate({_n(x)} 10)">{panel.svg}</g>')
        x += panel.width + gap
    drawn = "".join(parts)
    used = {name for names in re.findall('class="([^"]+)"', drawn) for name in names.split()}
    styles = "".join(f".{name}{{{STYLES[name]}}}" for name in sorted(used))
    width, height = _n(x - gap + 14), _n(max(panel.height for panel in panels) + 22)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">'
        f"<style>{GROUND}{styles}{DARK}</style>"
        f'<rect class="g" width="{width}" height="{height}" rx="8"/>{drawn}</svg>'
    )


def as_image(svg: str, words: str) -> str:
    """HTML of an SVG as an image, with its description (HTML)."""
    data = base64.b64encode(svg.encode()).decode()
    source = f"data:image/svg+xml;base64,{data}"
    return f'<img alt="{words}" src="{source}" style="max-width:100%;height:auto">'


def bars(
    title: str,
    names: Sequence[str],
    values: ArrayLike,
    height: float = 180,
    width: float = 62,
    reach: float | None = None,
) -> Panel:
    """A bar for each value, its number above and its name below; those below 0 hang down.

    values: (n,); reach: the largest size of a value that the height holds.
    """
    values = np.asarray(values, float)
    reach = reach or max(np.abs(values).max(), 1e-9)
    below = min(0, values.min()) < 0
    zero = TOP + 16 + (height / 2 if below else height)
    unit = (height / 2 - 8 if below else height) / reach
    svg = (
        _title(title, width * len(values))
        + f'<path class="l" d="M0 {_n(zero)}H{_n(width * len(values))}"/>'
    )
    for i, (name, value) in enumerate(zip(names, values, strict=True)):
        tall, middle = abs(value) * unit, width * (i + 0.5)
        top = zero - tall if value >= 0 else zero
        style, left = "f" if value >= 0 else "n", middle - 0.35 * width
        svg += _rect(style, left, top, 0.7 * width, tall)
        if width > 30:
            svg += _text(
                fixed(value, 2), middle, top - 5 if value >= 0 else top + tall + 15
            ) + _text(name, middle, TOP + 16 + height + 20)
    return Panel(width * len(values), TOP + height + 42, svg)


def cells(
    title: str,
    rows: list[str],
    columns: list[str],
    values: np.ndarray,
    size: tuple[float, float] = (52, 40),
    digits: int = 2,
) -> Panel:
    """A table of numbers from 0 to 1, each a level in its cell. digits: -1 shows levels alone.

    values: (rows, columns).
    """
    width, height = size
    left = 10 + 8 * max(map(len, rows), default=0)
    svg = _title(title, left + width * len(columns))
    svg += "".join(
        _text(name, left + width * (j + 0.5), TOP + 10) for j, name in enumerate(columns) if name
    )
    for i, row in enumerate(np.asarray(values, float)):
        y = TOP + 18 + height * i
        svg += _text(rows[i], left - 8, y + height / 2 + 5, "e") + _levels(
            "f", left, y + height - 2, width, (height - 4) * row
        )
        svg += "".join(
            _text(fixed(value, digits), left + width * (j + 0.5), y + height / 2 + 5)
            for j, value in enumerate(row)
            if digits >= 0
        )
    return Panel(left + width * len(columns), TOP + 22 + height * len(rows), svg)


def shades(
    title: str, rows: list[str], columns: list[str], values: np.ndarray, size: float = 20
) -> Panel:
    """A map of numbers from -1 to 1, each a square as large: blue above 0, orange below.

    values: (rows, columns).
    """
    left, values = 30, np.asarray(values, float)
    svg = _title(title, left + size * len(columns))
    svg += "".join(
        _text(name, left + size * (j + 0.5), TOP + 10) for j, name in enumerate(columns) if name
    )
    for name, sign in (("f", 1), ("n", -1)):
        path = ""
        for i, j in np.argwhere(sign * values > 0.05):
            half = 0.45 * size * np.sqrt(abs(values[i, j]))
            x, y, side = (
                left + size * (j + 0.5) - half,
                TOP + 18 + size * (i + 0.5) - half,
                2 * half,
            )
            path += f"M{_n(x)} {_n(y)}h{_n(side)}v{_n(side)}h{_n(-side)}z"
        svg += f'<path class="{name}" d="{path}"/>'
    svg += "".join(
        _text(name, left - 8, TOP + 23 + size * (i + 0.5), "e")
        for i, name in enumerate(rows)
        if name
    )
    return Panel(left + size * len(columns), TOP + 22 + size * len(rows), svg)


def plane(
    title: str,
    points: np.ndarray,
    names: list[str],
    tails: np.ndarray | None = None,
    size: float = 240,
) -> Panel:
    """Points of the plane with their names; with tails, an arrow comes from each tail.

    The first is drawn as what the hand holds.

    points, tails: (n, 2).
    """
    points = np.asarray(points, float)
    from_ = points if tails is None else np.broadcast_to(tails, points.shape)
    low, high = np.vstack([points, from_]).min(axis=0), np.vstack([points, from_]).max(axis=0)
    unit = size / max(*(high - low), 1e-9)
    width = max(size, (high - low)[0] * unit) + 110

    def place(point):
        return 55 + (point[0] - low[0]) * unit, TOP + 24 + (high[1] - point[1]) * unit

    svg = _title(title, width)
    for i, (point, tail) in enumerate(zip(points, from_, strict=True)):
        (x, y), (u, v) = place(point), place(tail)
        if tails is not None:
            svg += f'<path class="{"q" if i == 0 else "s"}" d="M{_n(u)} {_n(v)}L{_n(x)} {_n(y)}"/>'
        svg += f'<circle class="{"p" if i == 0 else "f"}" cx="{_n(x)}" cy="{_n(y)}" r="5"/>' + (
            _text(names[i], x, y - 10) if names[i] else ""
        )
    return Panel(width, TOP + 44 + (high - low)[1] * unit, svg)


def curves(
    title: str,
    x: np.ndarray,
    ys: list[np.ndarray],
    size: tuple[float, float] = (360, 200),
) -> Panel:
    """Curves over one axis; the first is drawn as what the hand moves. x: (n,); ys: some (n,)."""
    width, height = size
    x, heights = np.asarray(x, float), np.asarray(ys, float)
    across = width * (x - x.min()) / max(np.ptp(x), 1e-9)
    down = TOP + 8 + height * (heights.max() - heights) / max(np.ptp(heights), 1e-9)
    svg = _title(title, width)
    for i, curve in reversed(list(enumerate(down))):
        points = "L".join(f"{_n(a)} {_n(b)}" for a, b in zip(across, curve, strict=True))
        svg += f'<path class="{"q" if i == 0 else "c" if i == 1 else "s"}" d="M{points}"/>'
    return Panel(width, TOP + height + 14, svg)


def _levels(style, left, bottom, width, heights):
    """Bars that stand on one line, side by side."""
    path = "".join(
        f"M{_n(left + width * j + 2)} {_n(bottom)}v{_n(-tall)}h{_n(width - 4)}v{_n(tall)}z"
        for j, tall in enumerate(heights)
        if tall >= 0.5
    )
    return f'<path class="{style}" d="{path}"/>' if path else ""


def lines(title: str, texts: list[str], width: float = 300) -> Panel:
    """Lines of text below each other."""
    return Panel(
        width,
        TOP + 26 * len(texts),
        _title(title, width)
        + "".join(_text(text, 0, TOP + 20 + 26 * i, "") for i, text in enumerate(texts)),
    )


def _rect(style, x, y, width, height):
    where = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
    return f'<rect class="{style}" {where} rx="3"/>'


def _title(text, width):
    return f'<text class="t m" x="{_n(width / 2)}" y="15">{html.escape(text)}</text>'


def _text(text, x, y, place="m"):
    style = f' class="{place}"' if place else ""
    return f'<text{style} x="{_n(x)}" y="{_n(y)}">{html.escape(text)}</text>'


def _n(x):
    """A coordinate to half a unit, so that another machine's last digits draw the same."""
    return f"{round(2 * calm(float(x))) / 2:g}"

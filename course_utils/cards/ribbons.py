"""Who gives weight to whom: the sentence twice, a ribbon as wide as each weight between, and the
table of weights beside it.

The table stands there in plain HTML, so it can be read and heard wherever no script runs. Where one
does, ribbons.js draws the sentence above (who asks) and below (who answers). A bar above is a row
of weights: all are equally long, for each sums to 1. A bar below is a
column: what a word gets in all. A row, a column or a ribbon that is pointed at, or a row that is
reached by keys, is lit in both.
"""

import html
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from course_utils.arguments import ArgumentError
from course_utils.cards.carrier import render_live_html
from course_utils.cards.look import KEYS, LINE, SKY, heat, inline
from course_utils.cards.questions import Card
from course_utils.cards.scripts import read_script

SCRIPT = read_script(Path(__file__).with_name("ribbons.js")).replace(
    "HUE", f"color-mix(in oklab,{SKY} 86%,currentColor)"
)


def ribbons(
    weights: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str] | None = None,
    title: str = "weights",
) -> Card:
    """Weights of attention as ribbons beside a heatmap, for instance ribbons(A, ["I", "love",
    "bears"]).

    weights (len(rows), len(columns)), from 0 to 1; rows: the words that ask; columns: those that
    answer, the same words unless they are given.
    Raises ArgumentError where shape or range do not fit.
    """
    columns = rows if columns is None else columns
    weights = np.asarray(weights, float)
    if weights.shape != (len(rows), len(columns)):
        raise ArgumentError(
            "weights",
            f"shape {weights.shape}",
            f"({len(rows)}, {len(columns)}): one for each pair of words",
        )
    if not ((weights >= 0) & (weights <= 1)).all():
        raise ArgumentError(
            "weights",
            f"numbers from {weights.min():.3g} to {weights.max():.3g}",
            "numbers from 0 to 1",
        )
    given = "; ".join(
        f"{row} gives "
        + ", ".join(f"{column} {w:.2f}" for column, w in zip(columns, shares, strict=True))
        for row, shares in zip(rows, weights, strict=True)
    )
    words = (
        '<div class="course-ribbons mathjax_ignore tex2jax_ignore" role="group"'
        f' aria-label="{html.escape(title)}" {KEYS}><p'
        f" {LINE}><strong>{inline(title)}</strong></p>{heat(weights.tolist(), rows, columns)}</div>"
    )
    data = {"weights": weights.round(4).tolist(), "rows": [*rows], "columns": [*columns]}
    return Card(f"{title}: {given}.", render_live_html(words, "ribbons", title, data, SCRIPT))

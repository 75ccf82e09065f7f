"""The numbers behind a picture as HTML tables, for who walks them cell by cell.

Row and column have header cells, which a screen reader says on the way. A large table is thinned,
and its caption says so.
"""

import html
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

MOST_ROWS, MOST_COLUMNS = 20, 12
FOLD = "Data as a table"


def tabulate(
    caption: str,
    corner: str,
    rows: Sequence[Any],
    columns: Sequence[Any],
    values: ArrayLike,
    digits: str = ".2f",
    empty: str = "",
) -> str:
    """A table as HTML.

    rows, columns: their names; values (len(rows), len(columns)): numbers, written with `digits`
    (a format), or texts; corner: what rows and columns are; empty: what stands for NaN.
    Of more rows or columns than can be walked some are shown, the first and the last among them.
    Where columns of numbers are left out, one more column tells the largest number of each row.
    Raises ValueError where values have another shape.

    >>> tabulate("weights", "query, key", ["I"], ["love"], [[0.456]])[-60:]
    '<tr><th scope="row">I</th><td>0.46</td></tr></tbody></table>'
    """
    entries = np.asarray(values)
    if entries.shape != (len(rows), len(columns)):
        raise ValueError(f"values: got {entries.shape}, wanted {(len(rows), len(columns))}")

    def write(value):
        if not isinstance(value, float | np.floating):
            return html.escape(str(value))
        return empty if np.isnan(value) else format(value, f"z{digits}")

    down, across = _thin(len(rows), MOST_ROWS), _thin(len(columns), MOST_COLUMNS)
    heads = [write(columns[j]) for j in across]
    body = [[write(entries[i, j]) for j in across] for i in down]
    if len(across) < len(columns) and entries.dtype.kind in "fiu":
        heads.append("largest")
        largest = np.where(np.isnan(values), -np.inf, values).argmax(axis=1)
        for i, cells in zip(down, body, strict=True):
            where = write(columns[largest[i]])
            cells.append(f"{write(entries[i, largest[i]])} at {where}")
    left_out = " and ".join(
        f"{len(shown)} of {len(names)} {kind}"
        for shown, names, kind in ((down, rows, "rows"), (across, columns, "columns"))
        if len(shown) < len(names)
    )
    title = caption + (f" ({left_out})" if left_out else "")
    top = "".join(f'<th scope="col">{head}</th>' for head in (html.escape(corner), *heads))
    lines = "".join(
        f'<tr><th scope="row">{write(rows[i])}</th>'
        f"{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        for i, cells in zip(down, body, strict=True)
    )
    return (
        f"<table><caption>{html.escape(title)}</caption><thead><tr>{top}</tr></thead>"
        f"<tbody>{lines}</tbody></table>"
    )


def fold_tables(tables: Sequence[str]) -> str:
    """Tables (HTML) behind a fold; nothing where there are none. A wide one scrolls by itself."""
    if not tables:
        return ""
    return (
        f'<details class="course-data"><summary>{FOLD}</summary><div role="group" tabindex="0"'
        f' aria-label="{FOLD}" style="overflow-x:auto">{"".join(tables)}</div></details>'
    )


def _thin(n, most):
    """Which of n rows are shown: all, or `most` at about equal steps from the first to the last."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(int))

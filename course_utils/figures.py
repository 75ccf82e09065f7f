"""Arrays in, picture out: the still pictures of the course, each with its description in words."""

import base64
import html
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle
from PIL import Image

from course_utils.arguments import Array, Integers
from course_utils.attention import Mask
from course_utils.cards.look import DEEPEST, TEAL, cell_colour
from course_utils.data import CORNERS, to_plane
from course_utils.style import CURVES, GREY, MARKERS, MEANINGS, ORANGE, SKY
from course_utils.svg import LEAST, draw_svg
from course_utils.tables import fold_tables, tabulate

DPI = 72  # of the picture that stands in where no SVG is shown
BOX, NORM = (SKY, 0.16), (ORANGE, 0.2)  # a step of a diagram, and one that adds and norms
Values = Sequence[float] | Array
HEADS = ((SKY, 0.3), (ORANGE, 0.25))  # one head beside another


class Picture(Figure):
    """A figure of the course's own, with what it says in words."""

    description = ""
    tables: list[str] = []  # its data, as HTML


def show(figure: Figure, alt: str = "") -> None:
    """Display a figure with its description, and let go of it.

    figure: a matplotlib Figure; the course's own carry a description. alt: what the picture says,
    in words; the figure's own description is added to it. Raises ValueError where there is neither.

    The figure is an SVG, which takes the colours of the page. Where a page drops SVG (GitHub, a
    notebook that is not trusted), the picture beside it appears, because what hides it is gone,
    too; what such a page may leave of the drawing's words stays hidden.
    The description is read aloud with either, stands under a fold, and is the output's text. The
    numbers that are drawn stand as tables under a second fold, where the figure has `tables`.
    """
    description = " ".join(text for text in (alt, getattr(figure, "description", "")) if text)
    if not description:
        raise ValueError("alt: got nothing, wanted what the picture says, in words")
    drawn, words = draw_svg(figure, description), html.escape(description)
    page = (
        '<div class="course-picture"><div class="course-drawn" tabindex="0"'
        f' hidden="hidden">{drawn}</div><img alt="{words}"'
        f' src="data:image/png;base64,{draw_png(figure)}"></div><details><summary>The picture in'
        f" words</summary>{words}</details>{fold_tables(getattr(figure, 'tables', []))}"
    )
    display({"text/html": page, "text/plain": description}, raw=True)


def draw_png(figure: Figure) -> str:
    """A figure as a small PNG on white. Returns base64 text."""
    png, palette = io.BytesIO(), io.BytesIO()
    figure.savefig(
        png, format="png", dpi=DPI, bbox_inches="tight", pil_kwargs={"compress_level": 0}
    )
    small = Image.open(png).convert("RGB").quantize(16, dither=Image.Dither.NONE)
    small.save(palette, "png", optimize=True)  # it is read by few, and stored by all
    return base64.b64encode(palette.getvalue()).decode()


def heatmap(
    table: Array,
    rows: Sequence[str],
    columns: Sequence[str] | None = None,
    title: str = "",
    kind: str = "weights",
    xlabel: str = "key",
    ylabel: str = "query",
) -> Picture:
    """A table of weights (0 to 1) or scores (any sign), numbers written in. Returns a Figure.

    table (len(rows), len(columns)); kind "weights" or "scores".
    """
    return heatmaps({title: table}, rows, columns, kind, xlabel, ylabel)


def heatmaps(
    tables: Mapping[str, Array],
    rows: Sequence[str],
    columns: Sequence[str] | None = None,
    kind: str = "weights",
    xlabel: str = "key",
    ylabel: str = "query",
    most: float | None = None,
) -> Picture:
    """Several tables of one size side by side: {title: table}. Returns a Figure.

    most: the score that is deepest in colour, the largest of all tables unless it is given.
    """
    columns = rows if columns is None else columns
    cell = 0.62 if len(columns) > 5 else 0.8
    figure = Picture(
        figsize=((cell * len(columns) + 1.5) * len(tables), cell * len(rows) + 1.3),
        layout="constrained",
    )
    most = _most(tables) if most is None else most
    for axes, (title, table) in zip(
        np.atleast_1d(figure.subplots(1, len(tables))), tables.items(), strict=True
    ):
        draw_heatmap(axes, np.asarray(table), rows, columns, kind, most)
        axes.set(title=title, xlabel=xlabel, ylabel=ylabel)
    figure.description = " ".join(
        describe_table(title, np.asarray(t), rows, columns, xlabel, ylabel)
        for title, t in tables.items()
    )
    figure.tables = _tabulate_all(tables, rows, columns, xlabel, ylabel)
    return figure


def _tabulate_all(tables, rows, columns, xlabel, ylabel):
    """Tables {title: table} of one size as HTML, each."""
    corner = f"{ylabel} by {xlabel}"
    return [
        tabulate(title or "Table", corner, rows, columns, table, empty="hidden")
        for title, table in tables.items()
    ]


def _most(tables):
    """The number farthest from 0: tables side by side have one scale."""
    return max(np.nanmax(np.abs(table)) for table in tables.values())


def draw_heatmap(
    axes: Axes, table: Array, rows: Sequence[str], columns: Sequence[str], kind: str, most: float
) -> None:
    """The cells, their numbers and the tokens as ticks, on given axes. A hidden cell (NaN) is empty
    but for a cross.

    most: the score that is deepest in colour. Of weights the largest of each row is bold.
    """
    T_q, T_kv = table.shape
    deepest = None if kind == "weights" else max(most, 1e-12)
    for (i, j), value in np.ndenumerate(table):
        fill = "none" if np.isnan(value) else to_rgba(*cell_colour(float(value), deepest))
        axes.add_patch(
            Rectangle(
                (j - 0.5, i - 0.5), 1, 1, facecolor=fill, edgecolor=(0, 0, 0, 0.3), linewidth=0.7
            )
        )
        text = "×" if np.isnan(value) else f"{value:z.2f}"
        bold = kind == "weights" and 0 < value == np.nanmax(table[i])
        axes.text(
            j,
            i,
            text,
            ha="center",
            va="center",
            fontsize=LEAST,
            fontweight="bold" if bold else "normal",
        )
    axes.set(xlim=(-0.5, T_kv - 0.5), ylim=(T_q - 0.5, -0.5), aspect="equal")
    long = max(map(len, columns)) > 5
    turned: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    axes.set_xticks(range(T_kv), columns, **(turned if long else {}))
    axes.set_yticks(range(T_q), rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def describe_table(
    title: str,
    table: Array,
    rows: Sequence[str],
    columns: Sequence[str],
    xlabel: str = "key",
    ylabel: str = "query",
) -> str:
    """A table in words: for each row its largest entry, or that all are about alike."""

    def largest(row: Array) -> str:
        seen = row[~np.isnan(row)]
        if not seen.size:
            return "nothing"
        if seen.size > 1 and np.ptp(seen) < 0.02:
            return f"all about {seen.mean():.2f}"
        return f"{columns[int(np.nanargmax(row))]} {seen.max():.2f}"

    entries = "; ".join(f"{name}: {largest(row)}" for name, row in zip(rows, table, strict=True))
    return f"{title or 'Table'} ({ylabel} by {xlabel}), largest entry of each row: {entries}."


# The plane of meanings.


def prepare_plane(axes: Axes) -> None:
    """The empty plane of meanings: three directions with their names."""
    axes.set(xlim=(-2.6, 2.6), ylim=(-1.6, 2.6), aspect="equal", xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    for corner, (meaning, colour) in zip(CORNERS, MEANINGS.items(), strict=True):
        axes.plot(*np.stack([0 * corner, 2.1 * corner]).T, color=colour, linewidth=1, linestyle=":")
        x, y = 2.3 * corner
        axes.text(x, y, meaning, color=colour, ha="center", va="center", fontweight="bold")


def meaning_plane(
    sentences: Mapping[str, Sequence[str]],
    before: Mapping[str, Array],
    after: Mapping[str, Array],
    word: str = "bears",
) -> Picture:
    """How `word` moves: one picture, for each sentence an arrow from its vector before to its
    vector after.

    sentences {meaning: tokens}; before, after {meaning: (T, 3 or 4)}. Returns a Figure.
    """
    figure = Picture(figsize=(5.2, 4.6), layout="constrained")
    axes = figure.subplots()
    prepare_plane(axes)
    moves = []
    for meaning, tokens in sentences.items():
        i = tokens.index(word)
        start, end = (tuple(to_plane(side[meaning][i])) for side in (before, after))
        axes.annotate(
            "",
            end,
            start,
            arrowprops={"arrowstyle": "-|>", "color": MEANINGS[meaning], "lw": 2, "shrinkB": 0},
        )
        axes.plot(*end, MARKERS[meaning], color=MEANINGS[meaning], markersize=11)
        axes.annotate(
            " ".join(tokens), end, xytext=(14, -4), textcoords="offset points", fontsize=LEAST
        )
        axes.plot(*start, "o", color="black", markersize=7)
        moves.append(f'in "{" ".join(tokens)}" to {describe_meaning(after[meaning][i])}')
    axes.annotate(word, start, xytext=(8, 8), textcoords="offset points", fontweight="bold")
    figure.description = f"{word} moves from the middle: {'; '.join(moves)}."
    places = {
        " ".join(tokens): [before[meaning][tokens.index(word)], after[meaning][tokens.index(word)]]
        for meaning, tokens in sentences.items()
    }
    figure.tables = [
        tabulate(
            f"{word}, {when}",
            "sentence",
            [*places],
            [*MEANINGS],
            [both[k][:3] for both in places.values()],
        )
        for k, when in enumerate(("before", "after"))
    ]
    return figure


def describe_meaning(x: Array) -> str:
    """A vector's three meanings in words."""
    return ", ".join(f"{name} {value:.2f}" for name, value in zip(MEANINGS, x, strict=False))


def lines(
    x: Values,
    ys: Mapping[str, Values],
    xlabel: str,
    ylabel: str,
    logx: bool = False,
    logy: bool = False,
    markers: bool = True,
) -> Picture:
    """Curves over x: {label: y}. Returns a Figure; its description gives the first and last value
    of each curve, and where between them it is clearly higher or lower."""
    figure = Picture(figsize=(5.6, 3.4), layout="constrained")
    axes = figure.subplots()
    for y, label, marker in zip(ys.values(), ys, "osD^vP", strict=False):
        axes.plot(x, y, marker=marker if markers else "", label=label)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    if logx:
        axes.set_xscale("log")
        axes.set_xticks(x, [str(one) for one in x], minor=False)
        axes.minorticks_off()
    if logy:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(
            lambda value, _: f"{value:,g}"
        )  # an SVG shows 10⁵ as matplotlib's markup
    if len(ys) > 1:
        axes.legend(frameon=False)
    ends = "; ".join(f"{label or ylabel} {describe_curve(x, y)}" for label, y in ys.items())
    figure.description = (
        f"{ylabel or 'curves'} over {xlabel} from {x[0]:.4g} to {x[-1]:.4g}: {ends}."
    )
    figure.tables = [
        tabulate(
            f"{ylabel or 'curves'} over {xlabel}",
            xlabel,
            [format(value, ".4g") for value in x],
            [label or ylabel for label in ys],
            np.transpose([*ys.values()]),
            ".3g",
        )
    ]
    return figure


def describe_curve(x: Values, y: Values) -> str:
    """A curve in words: from where to where it goes, and its turn, if one is worth a word: by a
    twentieth of its range higher or lower than both ends.

    >>> describe_curve([0, 1, 2], [2.4, 31.1, 0])
    'from 2.4 to 0, highest 31.1 at 1'
    """
    x, y = np.asarray(x), np.asarray(y)
    said, worth = f"from {y[0]:.3g} to {y[-1]:.3g}", 0.05 * np.ptp(y)
    for word, place, beyond in (
        ("highest", y.argmax(), y.max() - max(y[0], y[-1])),
        ("lowest", y.argmin(), min(y[0], y[-1]) - y.min()),
    ):
        if beyond > worth:
            said += f", {word} {y[place]:.3g} at {x[place]:.3g}"
    return said


def ridge(panels: Mapping[str, Mapping[str, Array]]) -> Picture:
    """Histograms one above another, so that their widths compare: panels {what is counted: {label:
    numbers}}, side by side. Returns a Figure.

    Each panel has an axis of its own, which shows 99.8 % of its widest numbers; all histograms are
    drawn to the same height. The description gives each standard deviation.
    """
    figure = Picture(figsize=(3.7 * len(panels), 3.9), layout="constrained")
    said = []
    for axes, (what, samples) in zip(
        np.atleast_1d(figure.subplots(1, len(panels))), panels.items(), strict=True
    ):
        limit = max(np.quantile(np.abs(numbers), 0.998) for numbers in samples.values())
        for floor, numbers in enumerate(reversed([*samples.values()])):
            counts, edges = np.histogram(numbers, np.linspace(-limit, limit, 52))
            axes.stairs(
                floor + 0.9 * counts / counts.max(),
                edges,
                baseline=floor,
                fill=True,
                facecolor=to_rgba(TEAL, 0.5),
                edgecolor=TEAL,
                linewidth=1.2,
            )
        axes.set(xlabel=what, xlim=(-limit, limit))
        axes.set_yticks(np.arange(len(samples)) + 0.2, [*samples][::-1])
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        said.append(
            f"{what}: "
            + "; ".join(f"{label} {np.std(numbers):.2f}" for label, numbers in samples.items())
        )
    figure.description = f"Standard deviations. {'. '.join(said)}."
    figure.tables = [
        tabulate(
            what,
            "histogram",
            [*samples],
            ["standard deviation", "5 % lie below", "half lie below", "95 % lie below"],
            [[np.std(one), *np.quantile(one, (0.05, 0.5, 0.95))] for one in samples.values()],
        )
        for what, samples in panels.items()
    ]
    return figure


def by_gap(models: Mapping[str, tuple[Array, Array, float]]) -> Picture:
    """Dots over how far each row started behind: the weight that its wanted key got. models {name:
    (behind, weight, reach)}. Returns a Figure.

    behind, weight (n,); reach: the lead up to which a row should be found, drawn as a dotted line.
    A weight above .5 counts as found.
    """
    figure = Picture(figsize=(5.6, 3.4), layout="constrained")
    axes = figure.subplots()
    said = []
    for (name, (behind, weight, reach)), colour, marker in zip(
        models.items(), (CURVES[1], CURVES[2]), "os", strict=False
    ):
        found = weight > 0.5
        axes.plot(
            behind,
            weight,
            marker,
            color=colour,
            markersize=6,
            alpha=0.6,
            linestyle="",
            label=f"{name}: {found.mean():.0%} found",
        )
        axes.axvline(reach, color=colour, linewidth=1.5, linestyle=":")
        axes.annotate(
            f"{reach:.1f}",
            (reach, 1.06),
            xytext=(4, 0),
            textcoords="offset points",
            color=colour,
            va="bottom",
        )
        near = behind < reach
        sides = ", ".join(
            f"of the {side.sum()} that start {where}, {found[side].mean():.0%} are found"
            for side, where in ((near, "nearer"), (~near, "farther away"))
            if side.any()
        )
        said.append(
            f"{name}: {found.mean():.0%} of {len(found)} found; they start behind by"
            f" {np.median(behind):.1f} in the median, {behind.max():.1f} at most; the dotted"
            f" line stands at {reach:.1f}; {sides}; {np.sum(found != near)} do not fit the line"
        )
    axes.set(
        xlabel="how far the wanted seat starts behind",
        ylabel="weight on it, after",
        ylim=(-0.05, 1.2),
        yticks=[0, 0.5, 1],
    )
    axes.legend(frameon=False, loc="center right")
    figure.description = ". ".join(said) + "."
    figure.tables = [
        tabulate(
            name,
            "seat",
            range(1, len(behind) + 1),
            ["starts behind by", "weight after"],
            np.stack([behind, weight], axis=1)[np.argsort(behind, kind="stable")],
        )
        for name, (behind, weight, _) in models.items()
    ]
    return figure


def bars(heights: Values, labels: Sequence[str], ylabel: str, top: float = 1.0) -> Picture:
    """One bar for each label, its number on top. Returns a Figure."""
    figure = Picture(figsize=(0.9 * len(labels) + 2, 3.4), layout="constrained")
    axes = figure.subplots()
    draw_bars(axes, heights)
    axes.set(ylabel=ylabel, ylim=(0, top * 1.12))
    axes.set_xticks(range(len(labels)), labels)
    figure.description = (
        f"{ylabel}: "
        + ", ".join(f"{n} {h:.2f}" for n, h in zip(labels, heights, strict=True))
        + f"; the highest is {labels[int(np.argmax(heights))]}."
    )
    figure.tables = [tabulate(ylabel, "bar", labels, [ylabel], np.reshape(heights, (-1, 1)))]
    return figure


def draw_bars(axes: Axes, heights: Values) -> None:
    """Bars with their numbers, on given axes."""
    axes.bar(range(len(heights)), heights, color=CURVES[0], width=0.7)
    if len(heights) <= 8:
        for i, h in enumerate(heights):
            axes.text(
                i,
                h + 0.02 * axes.get_ylim()[1],
                f"{h:.2f}",
                ha="center",
                fontsize=LEAST,
                color="black",
            )
    else:
        axes.axhline(1 / len(heights), color=GREY, linewidth=1, linestyle=":")


def shift(text: Sequence[str], masks: Mapping[str, Mask]) -> Picture:
    """A text shifted by one: its inputs below, its targets above, and a line from each input to
    every target that is guessed from it.

    text, T + 1 tokens; masks {title: bool (T, T)}, True = may attend. A solid line comes from the
    past or the own place, a dashed one from the future, a thick dashed one from the target itself:
    a leak. Returns a Figure.
    """
    inputs, targets = text[:-1], text[1:]
    figure = Picture(figsize=((1.25 * len(inputs) + 0.5) * len(masks), 3.3), layout="constrained")
    said = []
    for axes, (title, mask) in zip(
        np.atleast_1d(figure.subplots(1, len(masks))), masks.items(), strict=True
    ):
        for i, j in np.argwhere(mask):
            colour, style, width = (
                (CURVES[2], "-", 1.8)
                if j <= i
                else (CURVES[1], (0, (4, 2)), 4 if j == i + 1 else 1.2)
            )
            axes.plot([j, i], [0.16, 0.84], color=colour, linestyle=style, linewidth=width)
        for row, words in enumerate([inputs, targets]):
            for i, word in enumerate(words):
                axes.text(
                    i,
                    row,
                    word,
                    ha="center",
                    va="center",
                    fontsize=LEAST,
                    bbox={"boxstyle": "round", "facecolor": "white", "edgecolor": GREY},
                )
        axes.set(title=title, xlim=(-0.5, len(inputs) - 0.5), ylim=(-0.2, 1.2), xlabel="position")
        axes.set_xticks(range(len(inputs)), range(1, len(inputs) + 1))
        axes.set_yticks([0, 1], ["input", "target"])
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        seen = (" ".join(np.array(inputs)[row]) for row in np.asarray(mask))
        rows = (
            f"position {i} guesses “{target}” from {f'“{words}”' if words else 'nothing'}"
            for i, (target, words) in enumerate(zip(targets, seen, strict=True), 1)
        )
        leaks = sum(mask[i, i + 1] for i in range(len(inputs) - 1))
        said.append(
            f"{title}: {'; '.join(rows)}. {leaks} of {len(inputs)} positions see their own target."
        )
    figure.description = " ".join(said)
    figure.tables = [
        tabulate(
            title,
            "guess by input",
            [f"{i}: {word}" for i, word in enumerate(targets, 1)],
            [f"{i}: {word}" for i, word in enumerate(inputs, 1)],
            np.where(mask, "may attend", "hidden"),
        )
        for title, mask in masks.items()
    ]
    return figure


def maps(
    tables: Mapping[str, Array],
    xlabel: str,
    ylabel: str,
    kind: str = "scores",
    most: float | None = None,
) -> Picture:
    """Tables too large for numbers in their cells, side by side: {title: table}. Returns a Figure.

    kind "weights" (0 to 1) or "scores" (around 0); most: as heatmaps takes it. Its description
    gives size, range and mean of each table.
    """
    figure = Picture(figsize=(3.3 * len(tables) + 0.9, 3.4), layout="constrained")
    most = None if kind == "weights" else most or _most(tables)
    high, low = (1.0, 0.0) if most is None else (most, -most)
    every = np.atleast_1d(figure.subplots(1, len(tables)))
    for axes, (title, table) in zip(every, tables.items(), strict=True):
        draw_cells(axes, np.asarray(table), most)
        axes.set(title=title, xlabel=xlabel)
        axes.locator_params(integer=True)
    every[0].set_ylabel(ylabel)
    scale = every[-1].inset_axes((1.06, 0, 0.05, 1))  # its colours from the least to the most
    draw_cells(scale, np.linspace(high, low, 65)[:, None], most)
    scale.set_xticks([])
    scale.set_yticks([-0.5, 32, 64.5], [f"{value:.3g}" for value in (high, (low + high) / 2, low)])
    scale.yaxis.tick_right()
    figure.description = f"{ylabel} by {xlabel}. " + " ".join(
        f"{title}: {len(t)} × {len(t[0])} numbers from {np.min(t):.2f} to {np.max(t):.2f}, mean"
        f" {np.mean(t):.2f}."
        for title, t in tables.items()
    )
    figure.tables = [
        tabulate(title, f"{ylabel} by {xlabel}", range(len(t)), range(len(t[0])), t)
        for title, t in tables.items()
    ]
    return figure


def draw_cells(axes: Axes, table: Array, most: float | None = None) -> None:
    """A table (T, D) of cells without numbers, on given axes; most: as cell_colour takes it. No
    text is in the way of the deepest."""
    shades = {value: cell_colour(value, most) for value in np.unique(table)}
    paint = {value: to_rgba(colour, share / DEEPEST) for value, (colour, share) in shades.items()}
    colours = np.array([[paint[value] for value in row] for row in table])  # (T, D, 4)
    axes.imshow(colours, aspect="auto", interpolation="none")
    axes.spines[:].set(visible=True, edgecolor=(0, 0, 0, 0.3))


def residual_stream(
    stream: Mapping[str, Array],
    added: Mapping[str, Array],
    rows: Sequence[str],
    columns: Sequence[str],
) -> Picture:
    """The residual stream from left to right: what it carries above, what each layer reads from it
    and adds to it below.

    stream {title: table}, one more than added {title: table}; tables (len(rows), len(columns)).
    Returns a Figure.
    """
    n, limit = len(stream), max(np.abs(table).max() for table in stream.values())
    figure = Picture(figsize=(4 * n, 5.6))
    width, height, step = 0.5 / n, 0.3, 0.95 / n
    for k, (title, table) in enumerate([*stream.items(), *added.items()]):
        above = k < n
        left = 0.06 + step * (k if above else k - n + 0.5)
        axes = figure.add_axes((left, 0.61 if above else 0.12, width, height))
        draw_heatmap(
            axes, np.asarray(table), rows, columns, "scores", limit
        )  # one colour scale for all
        axes.set_title(title)
        axes.set_aspect("auto")
        if not above:
            axes.set_xticks([])
    for k in range(n - 1):
        start, end = 0.06 + step * k + width, 0.06 + step * (k + 1)
        turn, joint = start + 0.14 * (end - start), start + 0.45 * (end - start)
        figure.add_artist(
            Line2D([joint], [0.76], marker="+", markersize=17, markeredgewidth=4, color="black")
        )
        figure.text(turn + 0.004, 0.53, "norm", ha="left", va="center", color=GREY, fontsize=LEAST)
        figure.add_artist(_arrow((start + 0.004, 0.76), (joint - 0.01, 0.76)))
        figure.add_artist(_arrow((joint + 0.01, 0.76), (end - 0.045, 0.76)))
        figure.add_artist(_arrow((turn, 0.74), (turn, 0.48)))
        figure.add_artist(_arrow((joint, 0.48), (joint, 0.71)))
    figure.description = " ".join(
        describe_table(title, np.asarray(t), rows, columns, "feature", "token")
        for title, t in {**stream, **added}.items()
    )
    figure.tables = _tabulate_all({**stream, **added}, rows, columns, "feature", "token")
    return figure


def _arrow(start, end):
    """An arrow between two places of a figure, both in shares of its width and height."""
    return FancyArrowPatch(
        start,
        end,
        arrowstyle="-|>",
        mutation_scale=18,
        color=GREY,
        linewidth=2,
        shrinkA=0,
        shrinkB=0,
    )


def experts_and_blend(x: Array, y: Array, models: Mapping[str, tuple[Array, Array]]) -> Picture:
    """What experts and their blend say, side by side: models {title: (F, G)}, each (N, E). Returns
    a Figure.

    x, y (N,): the curve to be learnt, wide and grey. Each expert is a thin line, thick and numbered
    where its gate is the largest.
    """
    figure = Picture(figsize=(4.2 * len(models), 3.6), layout="constrained")
    said, figure.tables = [], []
    for axes, (title, (F, G)) in zip(
        np.atleast_1d(figure.subplots(1, len(models), sharey=True)), models.items(), strict=True
    ):
        axes.plot(x, y, color=GREY, linewidth=11, alpha=0.17, linestyle="-", label="to learn")
        for e, says in enumerate(F.T):
            mine = np.flatnonzero(G.argmax(axis=1) == e)
            (thin,) = axes.plot(x, says, color=f"C{e}", linewidth=1, linestyle="-")
            axes.plot(
                x,
                np.where(G.argmax(axis=1) == e, says, np.nan),
                color=thin.get_color(),
                linewidth=4,
                linestyle="-",
            )
            if mine.size:
                place = mine[mine.size // 2]
                axes.annotate(
                    e,
                    (x[place], says[place]),
                    xytext=(0, 18),
                    textcoords="offset points",
                    ha="center",
                    fontweight="bold",
                )
        blend = np.sum(G * F, axis=1)
        axes.plot(x, blend, color="black", linewidth=1.5, linestyle="--", label="blend")
        axes.set(title=title, xlabel="x", ylim=(y.min() - 2.5, y.max() + 2.5))
        alone = np.take_along_axis(F, G.argmax(axis=1, keepdims=True), axis=1)[:, 0]
        said.append(
            f"{title}: the squared error is {np.mean((blend - y) ** 2):.4f} for the blend and"
            f" {np.mean((alone - y) ** 2):.4f} for the expert with the largest gate"
        )
        figure.tables.append(
            tabulate(
                title,
                "x",
                [format(value, ".2f") for value in x],
                [
                    "to learn",
                    "blend",
                    *(f"expert {e}" for e in range(len(F.T))),
                    "largest gate",
                ],
                [
                    [*(format(value, "z.2f") for value in values), f"expert {gate.argmax()}"]
                    for values, gate in zip(np.column_stack([y, blend, F]), G, strict=True)
                ],
            )
        )
    figure.legend(
        *axes.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False
    )
    figure.description = "; ".join(said) + "."
    return figure


def attention_diagram(n_heads: int = 1) -> Picture:
    """Attention as a drawing: a box for each step, beside it the shape of what leaves it. Returns a
    Figure.

    One head is drawn with all its steps; several are one box, a copy behind another.
    """
    figure = Picture(figsize=(9.4, 3.4))
    axes = figure.add_axes(
        (0, 0, 1, 1), xlim=(0, 94), ylim=(0, 34), frameon=False, xticks=[], yticks=[]
    )  # tenths of an inch
    many = "H·" if n_heads > 1 else ""
    jobs = [("Q", "k", 30), ("K", "k", 18), ("V", "v", 6)]
    boxes = [
        ("$X$", 5, 18, "(T, D)"),
        *((f"$W_{job}$", 19, y, f"${job}$ (T, {many}$d_{d}$)") for job, d, y in jobs),
    ]
    paths: list[list[tuple[float, float]]] = [
        [(9, 18), (12, 18), (12, y), (15, y)] for y in (30, 18, 6)
    ]
    if n_heads == 1:
        boxes += [
            ("$QK^\\top$", 36, 24, "scores (T, T)"),
            ("÷ $\\sqrt{d_k}$", 49, 24, "(T, T)"),
            ("mask", 60, 24, "(T, T)"),
            ("softmax", 73, 24, "$A$ (T, T)"),
            ("$A\\,V$", 87, 24, "(T, $d_v$)"),
        ]
        paths += [
            [(23, 30), (27, 30), (27, 25), (32, 25)],
            [(23, 18), (27, 18), (27, 23), (32, 23)],
            [(23, 6), (87, 6), (87, 21.2)],
        ]
        paths += [
            [(start, 24), (end, 24)] for start, end in [(40, 45), (53, 56), (64, 67), (79, 83)]
        ]
    else:
        for behind in (3, 1.5, 0):
            axes.add_patch(
                Rectangle(
                    (46 + behind, 8 + behind),
                    16,
                    17,
                    facecolor="white",
                    edgecolor=GREY,
                    linewidth=1.5,
                )
            )
        axes.text(54, 22.8, f"{n_heads} heads", ha="center", va="center", fontsize=LEAST)
        boxes += [
            ("split", 36, 18, "(H, T, d)"),
            ("attention", 54, 18, "(T, $d_v$)"),
            ("merge", 75, 18, "(T, H·$d_v$)"),
            ("$W_O$", 88, 18, "(T, D)"),
        ]
        paths += [
            [
                (23, 18 + 12 * side),
                (27, 18 + 12 * side),
                (27, 18 + 1.5 * side),
                (32, 18 + 1.5 * side),
            ]
            for side in (-1, 0, 1)
        ]
        paths += [[(start, 18), (end, 18)] for start, end in [(40, 48), (65, 71), (79, 84)]]
    for text, x, y, shape in boxes:
        half = 6 if text in ("softmax", "attention") else 4
        axes.add_patch(
            Rectangle(
                (x - half, y - 2.7),
                2 * half,
                5.4,
                facecolor=BOX,
                edgecolor="black",
                linewidth=1.5,
                linestyle="--" if text == "mask" else "-",
            )
        )
        axes.text(x, y, text, ha="center", va="center")
        side = -1 if text != "$A\\,V$" else 1  # values come in from below
        axes.text(
            x,
            y + 3.2 * side,
            shape,
            ha="center",
            va="top" if side < 0 else "bottom",
            fontsize=LEAST,
            color=GREY,
        )
    for path in paths:
        axes.plot(*zip(*path[:-1], strict=True), color=GREY, linewidth=2, linestyle="-")
        axes.add_patch(_arrow(*path[-2:]))
    head = (
        "Q (T, d_k) and K (T, d_k) make the scores Q Kᵀ (T, T). They are divided by √d_k, and"
        " masked if necessary. Softmax turns them into weights A (T, T). A and V (T, d_v) make the"
        " output of 1 head, A V (T, d_v)."
    )
    heads = (
        f"Their columns are split: heads become an axis, (H, T, d). Each of {n_heads} heads has its"
        " own attention, (T, d_v). They are merged, (T, H·d_v), and W_O brings them back to"
        " (T, D)."
    )
    figure.description = (
        f"X (T, D) goes through W_Q, W_K and W_V. {head if n_heads == 1 else heads}"
    )
    return figure


def split_and_merge(X: Array, n_heads: int) -> Picture:
    """How the columns of X (T, D) move into heads, (H, T, d), and back: one tint for each head.
    Returns a Figure."""
    (T, D), d = X.shape, X.shape[1] // n_heads
    height = n_heads * (T + 1)
    figure = Picture(figsize=(9.4, 0.5 * height + 0.7))
    axes = figure.add_axes(
        (0, 0, 1, 1), xlim=(0, 18.8), ylim=(height + 0.7, -0.7), frameon=False, xticks=[], yticks=[]
    )  # a cell is half an inch

    def draw(columns: Integers, left: float, top: float, titles: Sequence[str]) -> None:
        for (i, j), value in np.ndenumerate(X[:, columns]):
            tint = HEADS[columns[j] // d % 2]
            axes.add_patch(
                Rectangle((left + j, top + i), 1, 1, facecolor=tint, edgecolor="black", linewidth=1)
            )
            axes.text(left + j + 0.5, top + i + 0.5, str(value), ha="center", va="center")
        for k, title in enumerate(titles):
            axes.text(
                left + (k + 0.5) * len(columns) / len(titles),
                top - 0.15,
                title,
                ha="center",
                va="bottom",
                fontsize=LEAST,
            )

    every, names = np.arange(D), [f"head {h}" for h in range(n_heads)]
    middle, centre = (height - T) / 2 + 0.35, (18.8 - d) / 2
    draw(every, 1.6, middle, names)
    draw(every, 17.2 - D, middle, names)
    for t in range(T):
        axes.text(1.5, middle + t + 0.5, f"token {t}", ha="right", va="center", fontsize=LEAST)
    for h, name in enumerate(names):
        draw(every[h * d : (h + 1) * d], centre, h * (T + 1) + 0.6, [name])
    for start, end, word in [(1.6 + D, centre, "split"), (centre + d, 17.2 - D, "merge")]:
        axes.add_patch(_arrow((start + 0.5, middle + T / 2), (end - 0.5, middle + T / 2)))
        axes.text((start + end) / 2, middle + T / 2 - 0.25, word, ha="center", va="bottom")
    tokens = [f"token {t}" for t in range(T)]
    figure.tables = [tabulate("X", "token by feature", tokens, range(D), X)] + [
        tabulate(name, "token by feature", tokens, range(d), X[:, h * d : (h + 1) * d])
        for h, name in enumerate(names)
    ]
    said = "; ".join(f"{name} {X[:, h * d : (h + 1) * d].tolist()}" for h, name in enumerate(names))
    figure.description = (
        f"Split: each row of {X.tolist()} is cut into {n_heads} pieces of {d}: {said}. Merge: a"
        " token's pieces side by side again."
    )
    return figure


def machine() -> Picture:
    """The whole decoder as a drawing: from text to the next word, which is fed back; below, one of
    its blocks. Returns a Figure."""
    figure, axes = _sheet(94, 47)
    stages = [
        ("text", "T words"),
        ("ids", "(T,)"),
        ("vectors +\npositions", "(T, D)"),
        ("N blocks", "(T, D)"),
        ("norm", "(T, D)"),
        ("head", "(T, n_vocab)"),
        ("softmax", "(n_vocab,)"),
        ("word", "1 word"),
    ]
    for k, (name, shape) in enumerate(stages):
        _step(axes, name, 6 + 11.7 * k, 38, width=9, height=6, below=shape)
        if k:
            _way(axes, [(11.7 * k - 1.2, 38), (11.7 * k + 1.5, 38)])
    axes.text(76.2, 31.6, "of the last row", ha="center", va="top", fontsize=LEAST, color=GREY)
    _way(axes, [(87.9, 41), (87.9, 45), (6, 45), (6, 41)])
    axes.text(
        47,
        44.2,
        "fed back: the text is one word longer",
        ha="center",
        va="top",
        fontsize=LEAST,
        color=GREY,
    )
    axes.add_patch(
        Rectangle((8, 1), 78, 24, facecolor="none", edgecolor=GREY, linewidth=1.5, linestyle=":")
    )
    for x, corner in [(38.5, 8), (43.7, 86)]:
        axes.plot([x, corner], [31.2, 25.2], color=GREY, linewidth=1.2, linestyle=":")
    axes.text(9, 23.8, "one block, pre-norm", ha="left", va="top", fontsize=LEAST, color=GREY)
    for left, part, says in [
        (17, "attention", "tokens exchange, under the mask"),
        (51, "feed-forward", "each token for itself"),
    ]:
        _way(axes, [(left, 18), (left, 8), (left + 2, 8)])
        _step(axes, "norm", left + 5.5, 8, width=7)
        _way(axes, [(left + 9, 8), (left + 11, 8)])
        _step(axes, part, left + 17, 8, width=12)
        _way(axes, [(left + 23, 8), (left + 26, 8), (left + 26, 16.6)])
        axes.text(left + 13, 4.6, says, ha="center", va="top", fontsize=LEAST, color=GREY)
        axes.plot(left + 26, 18, "+", color="black", markersize=15, markeredgewidth=3)
    _way(axes, [(13, 18), (41.6, 18)])
    _way(axes, [(44.4, 18), (75.6, 18)])
    _way(axes, [(78.4, 18), (82.5, 18)])
    for x, name in [(13, "$X$"), (49, "$Z$")]:
        axes.text(x, 19, name, ha="center", va="bottom")
    axes.text(30, 19, "skip", ha="center", va="bottom", fontsize=LEAST, color=GREY)
    axes.text(64, 19, "skip", ha="center", va="bottom", fontsize=LEAST, color=GREY)
    figure.description = (
        "The machine: "
        + " → ".join(f"{name} {shape}".replace("\n", " ") for name, shape in stages)
        + ". Softmax is taken of the last row; the word is fed back, and the text is one word"
        " longer. One of the N blocks: X (T, D) goes straight on, and attention of a normed copy"
        " is added: Z. Z goes straight on, and the feed-forward network of a normed copy is"
        " added."
    )
    return figure


def encoder_decoder() -> Picture:
    """Encoder and decoder side by side, from below to above, in post-norm: the original
    transformer. Returns a Figure."""
    figure, axes = _sheet(94, 86)
    said = []
    columns = [
        ("encoder", 25, "T_kv", "original text", [("attention", "T_kv", "T_kv")]),
        (
            "decoder",
            67,
            "T_q",
            "written so far",
            [("masked attention", "T_q", "T_q"), ("cross-attention", "T_q", "T_kv")],
        ),
    ]
    for name, x, T, text, attentions in columns:
        parts = [
            *((part, f"weights\n(${q}$, ${kv}$)") for part, q, kv in attentions),
            ("feed-forward", ""),
        ]
        parts = [(part, shape.replace("T_kv", "T_{kv}")) for part, shape in parts]
        tall, T = f"(${T}$, D)".replace("T_kv", "T_{kv}"), T.replace("T_kv", "T_{kv}")
        axes.text(x, 3, f"{text}: ${T}$ words", ha="center", va="center")
        _way(axes, [(x, 4.6), (x, 7.4)])
        _step(axes, "vectors + positions", x, 10, width=18, beside=tall)
        _way(axes, [(x, 12.6), (x, 18.4)])
        top = 16 + 14 * len(parts)
        axes.add_patch(
            Rectangle(
                (x - 13, 14.5),
                26,
                top - 14.5,
                facecolor="none",
                edgecolor=GREY,
                linewidth=1.5,
                linestyle=":",
            )
        )
        axes.text(
            x - 13.8 if name == "encoder" else x + 13.8,
            top - 2,
            f"{name}:\nN blocks",
            ha="right" if name == "encoder" else "left",
            va="top",
        )
        for k, (part, shape) in enumerate(parts):
            y = 21 + 14 * k
            side = 14.5 if name == "decoder" else -14.5
            _step(axes, part, x, y, width=18)
            axes.text(
                x + side,
                y,
                shape,
                ha="left" if side > 0 else "right",
                va="center",
                fontsize=LEAST,
                color=GREY,
            )
            _way(axes, [(x, y + 2.6), (x, y + 4.2)])
            _step(axes, "add, norm", x, y + 6.4, width=18, height=4.2, facecolor=NORM)
            _way(axes, [(x, y + 8.6), (x, y + 11.4 if k + 1 < len(parts) else top + 3)])
            skip = x + (11 if name == "decoder" else -11)
            _way(
                axes,
                [
                    (x, y - 4.4),
                    (skip, y - 4.4),
                    (skip, y + 6.4),
                    (x + (9 if name == "decoder" else -9), y + 6.4),
                ],
            )
        steps = ", ".join(" ".join([part, *shape.split()]) for part, shape in parts)
        said.append(f"{name}: {text}, vectors + positions, {steps}, each followed by add, norm")
    _way(axes, [(25, 47), (25, 50), (46, 50), (46, 35), (58, 35)])
    axes.text(35, 50.8, "$(T_{kv}, D)$", ha="center", va="bottom", fontsize=LEAST, color=GREY)
    axes.text(50.5, 36, "K, V", ha="center", va="bottom")
    axes.text(65.6, 30.9, "Q", ha="right", va="center")
    for y, name, shape in [(64, "head", "($T_q$, n_vocab)"), (72, "softmax", "($T_q$, n_vocab)")]:
        _step(axes, name, 67, y, width=18, beside=shape)
        _way(axes, [(67, y + 2.6), (67, y + 5.4 if name == "head" else y + 7)])
    axes.text(67, 80.6, "next word", ha="center", va="center")
    _way(axes, [(73.5, 80.6), (92.5, 80.6), (92.5, 3), (80.5, 3)])
    axes.text(91.6, 79.6, "fed back", ha="right", va="top", fontsize=LEAST, color=GREY)
    words = ". ".join(said).replace("$", "").replace("T_{kv}", "T_kv")
    figure.description = (
        f"Encoder and decoder from below to above. {words}. What leaves the encoder, (T_kv, D),"
        " makes keys and values of every cross-attention; its queries come from the decoder, (T_q,"
        " D). Then head and softmax, (T_q, n_vocab), and the next word, which is fed back. Each"
        " skip leads past one part: 2 in an encoder's block, 3 in a decoder's."
    )
    return figure


def _sheet(width: float, height: float) -> tuple[Picture, Axes]:
    """A figure, and empty axes that fill it, in tenths of an inch."""
    figure = Picture(figsize=(width / 10, height / 10))
    return figure, figure.add_axes(
        (0, 0, 1, 1), xlim=(0, width), ylim=(0, height), frameon=False, xticks=[], yticks=[]
    )


def _step(axes, name, x, y, width, height=5.2, below="", beside="", facecolor=BOX):
    """A box with its name in the middle of (x, y), and the shape of what leaves it."""
    axes.add_patch(
        Rectangle(
            (x - width / 2, y - height / 2),
            width,
            height,
            facecolor=facecolor,
            edgecolor="black",
            linewidth=1.5,
        )
    )
    axes.text(x, y, name, ha="center", va="center", fontsize=LEAST, linespacing=1)
    axes.text(x, y - height / 2 - 0.6, below, ha="center", va="top", fontsize=LEAST, color=GREY)
    axes.text(x + width / 2 + 0.8, y, beside, ha="left", va="center", fontsize=LEAST, color=GREY)


def _way(axes, corners):
    """A line through the corners that ends in an arrow."""
    axes.plot(*zip(*corners[:-1], strict=True), color=GREY, linewidth=2, linestyle="-")
    axes.add_patch(_arrow(*corners[-2:]))


def clocks(R: Array) -> Picture:
    """A row of clock faces for each pair of features of a table R (T, D), a column for each
    position. Returns a Figure.

    The tip of a hand, a dot, is (sine, cosine): it starts at the top and turns clockwise.
    """
    tips = np.asarray(R).reshape(len(R), -1, 2)  # (T, D/2, 2)
    T, pairs = tips.shape[:2]
    figure = Picture(figsize=(0.95 * T + 1.15, 1.05 * pairs + 0.5))
    axes = figure.add_axes(
        (0, 0, 1, 1),
        xlim=(-3.2, 1.9 * T - 0.9),
        ylim=(2.1 * pairs + 0.1, -0.9),
        aspect="equal",
        frameon=False,
    )
    axes.set(xticks=[], yticks=[])
    turned, said = np.degrees(np.arctan2(tips[..., 0], tips[..., 1])) % 360, []
    for j in range(pairs):
        axes.text(-1.1, 2.1 * j + 1.1, f"clock {j}", ha="right", va="center")
        for i, (right, up) in enumerate(tips[:, j]):
            x, y = 1.9 * i, 2.1 * j + 1.1
            axes.add_patch(Circle((x, y), 0.82, facecolor="white", edgecolor=GREY, linewidth=1))
            axes.plot(
                [x, x + 0.7 * right], [y, y - 0.7 * up], color="black", linewidth=3, linestyle="-"
            )
            axes.plot(x + 0.7 * right, y - 0.7 * up, "o", color="black", markersize=6)
        said.append(f"clock {j} stands at {', '.join(f'{angle:.0f}°' for angle in turned[:, j])}")
    for i in range(T):
        axes.text(1.9 * i, -0.1, str(i), ha="center", va="center")
    axes.text(-1.1, -0.1, "position", ha="right", va="center")
    figure.description = f"At the positions 0 to {T - 1} {'; '.join(said)}."
    names = [f"clock {j}" for j in range(pairs)]
    figure.tables = [tabulate("Degrees", "clock by position", names, range(T), turned.T, ".0f")]
    return figure

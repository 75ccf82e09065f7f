"""The one look of all cards, and the pieces they are made of. Everything here gives back HTML as
text.

A card's kind is told by its word, its icon and the shape of its border; colour only helps. Each
piece carries its style with
it: no style sheet that a page may lose, no script. Text has the colour of the page around it
(`currentColor`), fills are a breath of a colour over nothing, so a card is at home in every theme,
light or dark.

    card("verdict", "Two conventions", body)      the frame and the heading around some HTML
    prose("Rows of `A` sum to 1.")                plain text as paragraphs; escaped
    table([("own word", "0.93")], ["key", "weight"])
    side_by_side("x = 1", "[1 2]", "[1 3]"), status_icon(True)
    verdict_card(...)                             a card that is only words

Mathematics is Unicode (Xᵀ, √d) and W_Q, d_k, x^2, which become subscripts and superscripts; TeX is
not read, because not every page has something to set it.
"""

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

GOOD, BAD, NEUTRAL = (
    "#00757F",
    "#C2410C",
    "#5F6B76",
)  # blue-green, orange-red and grey: three colours for a deuteranope, too


# The colours of a table's cells, in every picture (Okabe & Ito 2008; teal: Tol 2021): a weight is
# sky blue, a score teal above 0 and orange below. DEEPEST: how much of it the deepest cell has over
# the page, so that text on it has a
# contrast of 4.5 in a light page and in a dark one.
SKY, TEAL, ORANGE, DEEPEST = "#56B4E9", "#44AA99", "#E69F00", 0.43


def cell_colour(value: float, most: float | None = None) -> tuple[str, float]:
    """(colour, share of it over the page) of a table's cell: the farther from 0, the deeper.

    most: None for a weight, from 0 to 1; for a score the one that is deepest.

    >>> cell_colour(0.5)
    ('#56B4E9', 0.265)
    """
    if most is None:
        return SKY, DEEPEST * value
    return (TEAL if value >= 0 else ORANGE), DEEPEST * abs(value) / most


@dataclass(frozen=True)
class Kind:
    """The word that names a kind of card, its colour, its border (CSS) and its icon (SVG of 20 by
    20)."""

    word: str
    hue: str
    border: str
    icon: str


KINDS = {
    "prediction": Kind(
        "Prediction",
        "#8A3B8F",
        "border-style:dashed;border-width:2px;border-radius:14px",
        '<circle cx="10" cy="10" r="8" stroke-dasharray="3.6 2.7"/><path d="M7.6 8a2.4 2.4 0 1 1'
        ' 3.6 2q-1.2.8-1.2 2M10 14.3v.2"/>',
    ),
    "quiz": Kind(
        "Quiz",
        "#1F5FA8",
        "border-style:solid;border-width:6px 1px 1px;border-radius:4px",
        '<rect x="4" y="2.5" width="12" height="15" rx="1.5"/><path d="M7 7h6M7 10h6M7 13h4"/>',
    ),
    "verdict": Kind(
        "Verdict",
        "#4B4A9E",
        "border-style:double none;border-width:5px 0",
        '<path d="M10 3v14M6 17h8M4 6h12M4 6l-2.5 5a2.7 2.7 0 0 0 5 0zM16 6l-2.5 5a2.7 2.7 0 0 0 5'
        ' 0z"/>',
    ),
    "diagnosis": Kind(
        "Diagnosis",
        NEUTRAL,
        "border-style:solid;border-width:0 0 0 8px;border-radius:3px",
        '<circle cx="8.5" cy="8.5" r="5.5"/><path d="M12.7 12.7l4.8 4.8"/>',
    ),
    "challenge": Kind(
        "Challenge",
        "#8A5A00",
        "border-style:solid;border-width:1px 10px 1px 1px;border-radius:2px 12px 12px 2px",
        '<path d="M5 18V3h10l-2.5 3.5L15 10H5"/>',
    ),
    "reading": Kind(
        "Reading",
        "#2B6B7F",
        "border-style:solid;border-width:0 3px;border-radius:10px",
        '<path d="M10 5c-2-1.5-5-1.5-7.5-1v11.5c2.5-.5 5.5-.5 7.5 1 2-1.5 5-1.5 7.5-1V4C15 3.5 12'
        ' 3.5 10 5zv11.5"/>',
    ),
}
# A state: its mark, the words that a screen reader says for it, its colour (None: that of the
# kind).
STATES = {
    "good": ("✓", "right", GOOD),
    "bad": ("✗", "wrong", BAD),
    "open": ("○", "open", NEUTRAL),
    True: ("✓", "yes", GOOD),
    False: ("✗", "no", BAD),
}

# Keys pressed in a card do what they do on any page: they move no notebook cell and turn no slide.
KEYS = 'data-lm-suppress-shortcuts="true" onkeydown="event.stopPropagation()"'
LINE = 'style="margin:.35em 0"'
SCROLLS = (
    'tabindex="0" style="margin:.2em 0;padding:.4em'
    " .6em;overflow-x:auto;white-space:pre;font-size:.95em;line-height:1.4;color:inherit;border:0;border-radius:3px;background:color-mix(in"  # noqa: E501
    ' srgb,currentColor 6%,transparent)"'
)
TABLE = (
    "border:0;border-collapse:collapse;margin:.3em"
    " 0;font-size:inherit;font-variant-numeric:tabular-nums;table-layout:auto"
)


def text_tint(hue: str) -> str:
    """A colour that leans towards the text's: darker on a light page, lighter on a dark one."""
    return f"color-mix(in srgb,{hue} 58%,currentColor)"


def background_tint(hue: str) -> str:
    """A breath of a colour over whatever stands behind."""
    return f"color-mix(in srgb,{hue} 7%,transparent)"


def card(
    kind: str,
    heading: str,
    body: str,
    state: str | None = None,
    spoken: str | None = None,
    level: int = 3,
) -> str:
    """A card: the frame of its kind, its word and heading (plain text, escaped), then the body
    (HTML).

    state: None, "good", "bad" or "open" puts ✓, ✗ or ○ before the heading; a diagnosis takes its
    colour from it as well, and its bar is hollow while open.
    spoken: HTML before the body that carrier.js has said together with the heading, where a reader
    has just run the cell; None: nothing is said.

    level: of the heading; a notebook has levels 1 to 3, and a card stands below one of level 2.
    """
    look = KINDS[kind]
    hue, mark = look.hue, ""
    if state:  # the heading says it: one with an image or <strong> in it is heard in pieces
        sign, _, tint = STATES[state]
        mark = f'<span aria-hidden="true" style="color:{text_tint(tint)}">{sign}</span> '
        hue = tint if kind == "diagnosis" else hue
    icon = (
        '<svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor"'
        ' stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"'
        f' style="vertical-align:-.25em;margin-inline-end:.5em;color:{text_tint(hue)}">'
        f"{look.icon}</svg>"
    )
    word = f'<span style="color:{text_tint(hue)};font-weight:600">{look.word}</span>'
    title = f'<span style="font-weight:bold">{mark}{inline(heading)}</span>'
    top = (
        f'<div role="heading" aria-level="{level}" style="margin:0 0 .3em">'
        f"{icon}{word} {title}</div>"
    )
    if spoken is not None:
        top = f'<div class="course-spoken">{top}{spoken}</div>'
    border = (
        look.border.replace("solid", "double")
        if state == "open" and kind == "diagnosis"
        else look.border
    )
    style = (
        f"{border};border-color:{text_tint(hue)};background:{background_tint(hue)};"
        "padding:.6em .9em;margin:.4em 0;max-width:50em;box-sizing:border-box;"
        "overflow-wrap:anywhere;line-height:1.45"
    )
    label = html.escape(re.sub("[`_^{}]", "", f"{look.word}: {heading}"))
    return (
        f'<div role="group" aria-label="{label}" class="mathjax_ignore tex2jax_ignore" {KEYS}'
        f' style="{style}">{top}{body}</div>'
    )


def status_icon(state: str | bool) -> str:
    """✓, ✗ or ○ in its colour, with a word for screen readers; state: one of STATES, a truth value
    too."""
    sign, word, hue = STATES[state]
    return (
        f'<span role="img" aria-label="{word}"'
        f' style="color:{text_tint(hue)};font-weight:bold">{sign}</span>'
    )


def prose(text: str) -> str:
    """Plain text as HTML: a line is a paragraph, `code` is code, lines that begin with two spaces
    keep their columns. Escaped."""
    parts = re.findall(r"((?:^ {2}.*(?:\n|\Z))+)|^(.*\S.*)$", text, flags=re.MULTILINE)
    return "".join(
        _pre(_outdent(columns)) if columns else f"<p {LINE}>{inline(line.strip())}</p>"
        for columns, line in parts
    )


def escape(text: str) -> str:
    """Text as HTML, in the form in which a browser gives it back."""
    return html.escape(text, quote=False)


def inline(text: str) -> str:
    """One line of plain text as HTML: `code`, and outside of it W_Q with a subscript, x^2 with a
    superscript. Escaped."""
    pieces = re.split(r"`([^`\n]+)`", text)
    return "".join(
        f"<code>{escape(piece)}</code>" if i % 2 else _mathematics(escape(piece))
        for i, piece in enumerate(pieces)
    )


def _mathematics(text):
    """One letter, number or bracket, then _ or ^, then a word or {words}."""

    def small(match):
        tag = {"_": "sub", "^": "sup"}[match[2]]
        return f'{match[1]}<{tag} style="line-height:1">{match[3].strip("{}")}</{tag}>'

    return re.sub(r"((?<!\w)(?:\d+|[^\W\d_])|\))([_^])(\{[^{}]+\}|[+-]?[^\W²]+)", small, text)


def _outdent(lines):
    rows = lines.rstrip("\n").split("\n")
    indent = min(len(row) - len(row.lstrip()) for row in rows)
    return "\n".join(row[indent:] for row in rows)


def _pre(text):
    return f"<pre {SCROLLS}>{escape(text)}</pre>"


def code(text: str) -> str:
    """Lines of code or of output, in fixed width; escaped. What is too wide scrolls."""
    return _pre(text.strip("\n"))


def table(rows: Iterable[Sequence[object]], columns: Sequence[str] | None = None) -> str:
    """Rows of cells in columns. A cell is plain text, or a truth value, shown as ✓ or ✗; columns: a
    name for each.

    A table element, each cell undressed: of a grid JupyterLab takes away the rows until its
    notebook is trusted.
    """
    bare = "border:0;padding:.1em .9em .1em 0;text-align:left;vertical-align:top"

    def row(cells: Sequence[object]) -> str:
        found = " ".join(
            f'<td style="{bare}">{status_icon(c) if isinstance(c, bool) else inline(str(c))}</td>'
            for c in cells
        )
        return f'<tr style="background:none">{found}</tr>'

    names = " ".join(
        f'<th scope="col" style="{bare}">{inline(name)}</th>'
        if name
        else '<td style="border:0"></td>'
        for name in columns or ()
    )
    head = f'<thead style="border:0"><tr style="background:none">{names}</tr></thead>'
    body = f"<tbody>{''.join(map(row, rows))}</tbody>"
    return f'<table style="{TABLE}">{head if columns else ""}{body}</table>'


def heat(weights: Iterable[Sequence[float]], rows: Sequence[str], columns: Sequence[str]) -> str:
    """A table of weights from 0 to 1 as figures.heatmap draws it: the larger, the deeper the cell,
    and the largest of a row bold."""
    bare = "border:0;padding:.15em .7em;text-align:"
    thin = (
        "border:1px solid color-mix(in srgb,currentColor 30%,transparent);padding:.15em"
        " .7em;text-align:center"
    )

    def cell(w: float, row: Sequence[float]) -> str:
        (colour, share), bold = cell_colour(w), ";font-weight:bold" if w == max(row) > 0 else ""
        return (
            f'<td style="{thin};background:color-mix(in srgb,{colour}'
            f' {round(100 * share)}%,transparent){bold}">{w:.2f}</td>'
        )

    head = "".join(f'<th scope="col" style="{bare}center">{inline(name)}</th>' for name in columns)
    body = "".join(
        '<tr style="background:none"><th scope="row"'
        f' style="{bare}left">{inline(name)}</th>{"".join(cell(w, row) for w in row)}</tr>'
        for name, row in zip(rows, weights, strict=True)
    )
    top = f'<tr style="background:none"><td style="border:0"></td>{head}</tr>'
    return (
        f'<table style="{TABLE}"><thead style="border:0">{top}</thead><tbody>{body}</tbody></table>'
    )


def side_by_side(given: str, yours: str, wanted: str) -> str:
    """Blocks of fixed-width lines side by side, "given", "yours" and "wanted"; on a narrow page one
    below the other. An empty one is left out."""
    blocks = "".join(
        '<div style="flex:1 1 12em;min-width:0;max-width:100%"><div'
        f' style="font-weight:600">{name}</div>{code(lines)}</div>'
        for name, lines in (("given", given), ("yours", yours), ("wanted", wanted))
        if lines
    )
    return f'<div style="display:flex;flex-wrap:wrap;gap:.2em 1em;margin:.3em 0">{blocks}</div>'


def fold(title: str, body: str) -> str:
    """A part that opens at a click, or with Enter."""
    return (
        '<details style="margin:.4em 0"><summary'
        f' style="cursor:pointer;font-weight:600">{inline(title)}</summary><div'
        f' style="padding-left:1em">{body}</div></details>'
    )


def verdict_card(
    heading: str,
    claim: str,
    asked: str,
    rows: Iterable[Sequence[str | bool]],
    columns: Sequence[str] | None,
    notes: Iterable[str],
    source: str,
    brief: bool = False,
) -> str:
    """A verdict on a claim: its sentence in quotes, what we ask of it, the table that decided it,
    and its source, folded.

    rows: each a tuple of cells, texts or a truth value; columns: their names, or None; notes:
    sentences below; brief: are these folded, too? All are plain text.
    """
    said = f'<p style="margin:.35em 0;font-style:italic">“{inline(claim)}”</p>{prose(asked)}'
    found = table(rows, columns) + "".join(map(prose, notes))
    if brief:
        return card("verdict", heading, said + fold("What was found", found + prose(source)))
    return card("verdict", heading, said + found + fold("Source of the claim", prose(source)))

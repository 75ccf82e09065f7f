"""A gallery of mistakes: what the best-known ones do, right beside wrong, on the site and on paper.

    python scripts/export.py gallery        build/gallery.html, four exhibits on a sheet of paper

An exhibit names an exercise and one of its known mistakes. Both pictures are computed by them: the
reference and the mistake run on the same arguments. `law` is what the sentence below says: it holds
for the right table and not for the wrong one, which a test asks.
"""

import argparse
import html
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course_utils import figures
from course_utils.exercises import EXERCISES
from course_utils.positions import rotary_angles
from course_utils.svg import draw_svg
from exporting import BUILD

WORDS = ["bears", "won", "the", "game"]
# Made by hand, so that each picture shows its mistake at a glance.
SCORES = np.array(
    [[2.0, 1.0, 0.0, 1.0], [1.0, 3.0, 0.0, 2.5], [0.0, 0.0, 0.5, 0.0], [1.0, 1.5, 0.0, 2.0]]
)
TABLE = np.array([[1.0, 2.0, 3.0, 6.0], [4.0, 0.0, 4.0, 0.0], [9.0, 8.0, 7.0, 8.0]])  # (T, D)
FEATURES = ["0", "1", "2", "3"]
TWO_TOKENS = np.arange(8.0).reshape(2, 4)  # (T, D)
TWO_HEADS = np.array([[[0.0, 1.0], [4.0, 5.0]], [[2.0, 3.0], [6.0, 7.0]]])  # (H, T, d)
PAIRS = ["head 0, token 0", "head 0, token 1", "head 1, token 0", "head 1, token 1"]
Q_64, K_64 = np.random.default_rng(0).normal(size=(2, 4, 64))
ANGLES = rotary_angles(np.arange(5), 4, base=100.0)


@dataclass(frozen=True)
class Exhibit:
    """One mistake. rows, columns: names around the tables; large: without numbers.

    law: what holds for the right table (rows, columns) alone; table: from what the exercise returns
    to that table; kind: "weights" or "scores"; axes: what columns and rows are.
    """

    exercise: str
    mistake: str
    arguments: tuple
    says: str
    law: Callable[[np.ndarray], bool]
    rows: list = ()
    columns: list = ()
    table: Callable = np.asarray
    kind: str = "weights"
    axes: tuple[str, str] = ("key", "query")
    large: bool = False

    def tables(self) -> dict[str, np.ndarray]:
        """{"right": the reference's, "wrong": the mistake's}, each (rows, columns)."""
        exercise = EXERCISES[self.exercise]
        wrong = next(m.function for m in exercise.mistakes if m.name == self.mistake)
        found = {"right": exercise.reference, "wrong": wrong}
        return {
            name: np.asarray(self.table(f(*self.arguments)), float) for name, f in found.items()
        }

    def drawings(self) -> str:
        """Both tables as HTML, in one scale of colours; a phone shows one below the other."""
        tables = self.tables()
        most = max(np.abs(table).max() for table in tables.values())
        drawn = ""
        for name, table in tables.items():
            if self.large:
                figure = figures.maps({name: table}, *self.axes, self.kind, most)
            else:
                figure = figures.heatmaps(
                    {name: table}, list(self.rows), list(self.columns), self.kind, *self.axes, most
                )
            svg = draw_svg(figure, figure.description)
            drawn += f'<div class="course-drawn" tabindex="0">{svg}</div>'
        return drawn


def rows_sum_to_one(A):
    return np.allclose(A.sum(axis=1), 1)


def seen(A):
    """The lower triangle, its diagonal included, and no more."""
    return np.array_equal(A > 0, np.tri(len(A), dtype=bool))


def weights_of(returned):
    return returned[1]


def below_each_other(heads):
    """(H, T, d) -> (H T, d)"""
    return np.reshape(heads, (-1, np.shape(heads)[-1]))


def depends_on_distance(A):
    """Along each diagonal one value."""
    return all(np.ptp(np.diagonal(A, k)) < 1e-9 for k in range(1 - len(A), len(A)))


def attend(scores):
    """Q, K and V with these scores. The values are the identity, so the output is the weights."""
    return scores, np.eye(len(scores)), np.eye(len(scores))


WEIGHTS = {"rows": WORDS, "columns": WORDS}
NORMED = {
    "rows": ["bears", "won", "game"],
    "columns": FEATURES,
    "kind": "scores",
    "axes": ("feature", "token"),
}
HEADS = {"columns": ["0", "1"], "kind": "scores", "axes": ("feature of a head", ""), "rows": PAIRS}
GATES = {"rows": ["a", "b", "c", "d"], "columns": ["1", "2", "3"], "axes": ("expert", "token")}
LOGITS = np.array([[2.0, 1.0, 0.0], [2.5, 0.5, 1.5], [3.0, 1.0, 2.8], [0.5, 0.0, 0.4]])
NORM = (TABLE, np.ones(4), np.zeros(4), 1e-5)

EXHIBITS = [
    Exhibit(
        "softmax",
        "wrong axis",
        (SCORES,),
        "Each column sums to 1 and no row does: a word gives away more than it has, or less.",
        rows_sum_to_one,
        **WEIGHTS,
    ),
    Exhibit(
        "softmax",
        "one sum for the whole table",
        (SCORES,),
        "All rows share one sum: the row of the small scores gets nearly nothing.",
        rows_sum_to_one,
        **WEIGHTS,
    ),
    Exhibit(
        "softmax",
        "softmax taken twice",
        (SCORES,),
        "The second softmax sees numbers from 0 to 1 and makes them nearly equal.",
        lambda A: A.max() > 0.5,
        **WEIGHTS,
    ),
    Exhibit(
        "softmax",
        "small scores win",
        (SCORES,),
        "The sign is turned: the least similar word gets the most.",
        lambda A: (A.argmax(axis=1) == SCORES.argmax(axis=1)).all(),
        **WEIGHTS,
    ),
    Exhibit(
        "softmax_with_temperature",
        "multiplied by the temperature",
        (SCORES, 0.25),
        "A low temperature should sharpen. Multiplied, it makes all weights nearly alike.",
        lambda A: A[0].max() > 0.9,
        **WEIGHTS,
    ),
    Exhibit(
        "attention",
        "keys and queries swapped",
        attend(SCORES + np.triu(np.ones((4, 4)), 1) * [0, 2, 0, 2]),
        "Who asks and who answers have changed places: bears no longer looks at won.",
        lambda A: A[0].argmax() == 1,
        **WEIGHTS,
    ),
    Exhibit(
        "attention",
        "weights transposed",
        attend(SCORES),
        "Each word gives out what it should have received; the rows no longer sum to 1.",
        rows_sum_to_one,
        **WEIGHTS,
    ),
    Exhibit(
        "scaled_attention",
        "no scale",
        (Q_64, K_64, np.eye(4)),
        "Sums of 64 products are large: nearly all weight goes to one key.",
        lambda A: A.max() < 0.9,
        **WEIGHTS,
    ),
    Exhibit(
        "scaled_attention",
        "divided by d_k",
        (Q_64, K_64, np.eye(4)),
        "Divided by 64 and not by 8, all scores are small, and all keys alike.",
        lambda A: np.ptp(A) > 0.3,
        **WEIGHTS,
    ),
    Exhibit(
        "causal_mask",
        "strict mask",
        (4,),
        "Without the diagonal no word sees itself, and the first sees nobody.",
        seen,
        **WEIGHTS,
    ),
    Exhibit(
        "causal_mask",
        "one step ahead",
        (4,),
        "One diagonal too many: each place sees the word that it is to guess.",
        seen,
        **WEIGHTS,
    ),
    Exhibit(
        "causal_mask",
        "transposed mask",
        (4,),
        "The future is open and the past is hidden.",
        seen,
        **WEIGHTS,
    ),
    Exhibit(
        "masked_attention",
        "mask after softmax",
        (2 * SCORES, np.eye(4), np.eye(4), np.tri(4, dtype=bool)),
        "What the hidden words took is gone: the rows no longer sum to 1.",
        rows_sum_to_one,
        table=weights_of,
        **WEIGHTS,
    ),
    Exhibit(
        "masked_attention",
        "scores set to zero",
        (2 * SCORES, np.eye(4), np.eye(4), np.tri(4, dtype=bool)),
        "0 is an ordinary score, and exp(0) is 1: the hidden words are still heard.",
        seen,
        table=weights_of,
        **WEIGHTS,
    ),
    Exhibit(
        "split_heads",
        "reshaped without a transpose",
        (TWO_TOKENS, 2),
        "Head 0 gets the whole first token, and head 1 the second: no head sees both.",
        lambda A: A[0, 0] == 0 and A[1, 0] == 4,
        table=below_each_other,
        **HEADS,
    ),
    Exhibit(
        "merge_heads",
        "merged without the transpose",
        (TWO_HEADS,),
        "The first row holds two tokens of head 0, where one token of two heads belongs.",
        lambda A: np.array_equal(A, TWO_TOKENS),
        rows=["token 0", "token 1"],
        columns=FEATURES,
        kind="scores",
        axes=("feature", ""),
    ),
    Exhibit(
        "layer_norm",
        "over the first axis",
        NORM,
        "Each feature is normed over the words: what a word becomes depends on its company.",
        lambda A: np.allclose(A.mean(axis=1), 0),
        **NORMED,
    ),
    Exhibit(
        "layer_norm",
        "over everything",
        NORM,
        "One mean for the whole table: long vectors stay long, and short ones short.",
        lambda A: np.allclose(A.mean(axis=1), 0),
        **NORMED,
    ),
    Exhibit(
        "sinusoidal_positional_encoding",
        "every position alike",
        (32, 32),
        "All rows are the same: no word knows where it stands.",
        lambda A: np.ptp(A, axis=0).max() > 1,
        kind="scores",
        axes=("feature", "position"),
        large=True,
    ),
    Exhibit(
        "sinusoidal_positional_encoding",
        "sin and cos in halves",
        (32, 32),
        "A clock's two numbers stand 16 columns apart, not side by side.",
        lambda A: np.allclose(A[:, 0] ** 2 + A[:, 1] ** 2, 1),
        kind="scores",
        axes=("feature", "position"),
        large=True,
    ),
    Exhibit(
        "rotate",
        "multiplied by the cosines only",
        (np.ones((5, 4)), *ANGLES),
        "Five equal words: only where they are turned do scores depend on the distance alone.",
        depends_on_distance,
        rows=list("01234"),
        columns=list("01234"),
        table=lambda X: X @ X.T,
        kind="scores",
        axes=("position", "position"),
    ),
    Exhibit(
        "top_k_gate",
        "not renormalised",
        (LOGITS, 2),
        "Two of three experts are kept as they are: a token's gates sum to less than 1.",
        rows_sum_to_one,
        **GATES,
    ),
    Exhibit(
        "top_k_gate",
        "top k over tokens",
        (LOGITS, 2),
        "Each expert picks two tokens, so that a token may be left with none.",
        lambda A: ((A > 0).sum(axis=1) == 2).all(),
        **GATES,
    ),
]


def exhibits() -> str:
    """All exhibits as HTML."""
    return (
        '<div class="gallery">'
        + "".join(
            f"<figure><h2><code>{html.escape(one.exercise)}</code>: {html.escape(one.mistake)}</h2>"
            f'<div class="pair">{one.drawings()}</div>'
            f"<figcaption>{html.escape(one.says)}</figcaption></figure>"
            for one in EXHIBITS
        )
        + "</div>"
    )


LOOK = """
.gallery {
  display: grid; gap: 2em; grid-template-columns: repeat(auto-fill, minmax(min(100%, 36em), 1fr));
}
.gallery figure { margin: 0; break-inside: avoid; }
.gallery h2 { font-size: 1.15em; margin: 0 0 0.4em; }
.gallery figcaption {
  margin: 0; max-width: 34em; text-align: start; color: inherit; font-size: 1.1em; font-weight: 400;
}
.gallery h2 code { color: inherit; overflow-wrap: anywhere; }
.pair { display: flex; flex-wrap: wrap; gap: 0 0.5em; }
.pair > div { min-width: 0; max-width: 100%; }
@media (min-width: 40em) {
  .pair { flex-wrap: nowrap; }
  .pair .course-drawn > svg { min-width: 0 !important; }
}
"""
SHEET = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>A gallery of mistakes</title><link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; }
body { margin: 1em; font: 16px/1.4 system-ui, sans-serif; }
LOOK
@media print {
  @page { size: A4 landscape; margin: 10mm; }
  body { margin: 0; }
  h1 { font-size: 1.4em; margin: 0; }
  .gallery { display: block; columns: 2; column-gap: 10mm; }
  .gallery figure { height: 80mm; margin: 0 0 6mm; }
  .pair > div { flex: 1 1 0; }
  .course-drawn > svg { width: 100% !important; min-width: 0 !important; max-height: 54mm; }
}
</style>
<main><h1>A gallery of mistakes</h1>
<p>Right beside wrong, on the same numbers.</p>
EXHIBITS
</main></html>
"""


def sheet() -> str:
    """The page that is printed."""
    return SHEET.replace("LOOK", LOOK.strip()).replace("EXHIBITS", exhibits())


def page() -> str:
    """The same as a page of the site, in markdown."""
    words = (
        "What the best-known mistakes of the exercises do: right beside wrong, on the same numbers."
    )
    wall = '<p><a href="../_static/gallery.html">The same as sheets for the wall</a></p>'
    shown = f"{wall}<style>{LOOK}</style>{exhibits()}"
    return f"# A gallery of mistakes\n\n{words}\n\n``````{{raw}} html\n{shown}\n``````\n"


def main(arguments=()):
    argparse.ArgumentParser(
        prog="export.py gallery", description=__doc__.partition("\n\n")[0]
    ).parse_args(arguments)
    BUILD.mkdir(exist_ok=True)
    (BUILD / "gallery.html").write_text(sheet(), encoding="utf-8", newline="\n")
    print(f"gallery: {(BUILD / 'gallery.html').relative_to(BUILD.parent)}")

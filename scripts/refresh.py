"""Run notebooks from top to bottom in fresh kernels and store them without noise, with the minutes
that they take.

    python scripts/refresh.py [--check] [NOTEBOOK ...]        all notebooks unless some are named

Dropped are timestamps, widget ids and the kernel's version; kept are cell ids, tags and outputs. An
unchanged notebook comes out byte for byte as it went in. --check writes nothing and fails where
that is not so.
"""

import argparse
import base64
import difflib
import io
import os
import re
import sys
import tempfile
from pathlib import Path

import nbformat
import numpy as np
from exporting import is_figure
from lecture import write_minutes
from nbclient import NotebookClient
from PIL import Image

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
# Other processors round a line's edges differently, and the palette widens that: single pixels are
# off (by 53 seen for 8), and few of them.
PIXEL, PICTURE = 64, 0.05  # of 255 at any pixel; of all that is not white in the picture
PLACE = 0.1001  # a place in a drawing is written with one decimal, which rounding may turn
PNG = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=]+)")
PLACES = re.compile(r' (?:d|x|y|cx|cy|r|dy|width|height|viewBox|transform|style)="[^"]*"')
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def refresh(text, folder=NOTEBOOKS):
    """A notebook's text, executed and normalised. Raises nbclient's CellExecutionError where a cell
    fails."""
    old = nbformat.reads(text, as_version=4)
    new = nbformat.reads(text, as_version=4)
    new.metadata = dict(METADATA)
    client = NotebookClient(
        new,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
        coalesce_streams=True,
    )
    with (
        tempfile.TemporaryDirectory() as nobodys
    ):  # what somebody wrote in a folder of their own changes no output
        client.execute(env={**os.environ, "COURSE_FOLDER": nobodys})
    write_minutes(new.cells)
    for cell, before in zip(new.cells, old.cells, strict=True):
        tidy(cell.get("outputs", []), before.get("outputs", []))
    return normalised(new)


def normalised(notebook):
    """The text that is stored of a notebook: without the times and the kernel's version that a run
    leaves in it. A cell that says nothing of slides continues the one before it."""
    notebook.metadata = dict(METADATA)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        cell.metadata.setdefault("slideshow", {}).setdefault("slide_type", "-")
    return nbformat.writes(notebook) + "\n"


def tidy(outputs, stored):
    """A cell's fresh outputs as they are stored, changed in place: a figure that looks as the
    stored one does is the stored one."""
    old_figures = [o.data["text/html"] for o in stored if is_figure(o)]
    for output in outputs:
        data = output.get("data", {})
        data.pop(
            WIDGET_VIEW, None
        )  # without its kernel it would show an error instead of the text beside it
        if is_figure(output) and old_figures:
            old = old_figures.pop(0)
            if same_figure(old, data["text/html"]):
                data["text/html"] = old
    return outputs


def same_figure(old, new):
    """Whether two figures (HTML, as course_utils.figures.show stores them) are the same: every
    word, mark and colour of their drawings, places but for the last digit, pictures as the eye sees
    them."""
    (text, places, pictures), (other_text, others, other_pictures) = map(_parts, (old, new))
    return (
        text == other_text
        and all(abs(a - b) <= PLACE for a, b in zip(places, others, strict=True))
        and all(
            old == new or a.shape == b.shape and same_to_the_eye(a, b)
            for old, new in zip(pictures, other_pictures, strict=True)
            for a, b in [(_pixels(old), _pixels(new))]
        )
    )


def _parts(figure):
    """(a figure's HTML without places and pictures, the places as numbers, the pictures as base64
    text)."""
    text, pictures = PNG.sub("png", figure), PNG.findall(figure)
    places = [
        float(number) for attribute in PLACES.findall(text) for number in NUMBER.findall(attribute)
    ]
    return PLACES.sub(lambda attribute: NUMBER.sub("0", attribute[0]), text), places, pictures


def _pixels(png):
    """A PNG, as base64 text, as it looks on white: (height, width, 3)."""
    picture = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA")
    return np.asarray(
        Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
    ).astype(int)


def same_to_the_eye(a, b):
    """Whether two pictures (height, width, 3) differ nowhere by much, and all in all by little: one
    that is lighter throughout is another."""
    off = np.abs(a - b)
    return off.max() <= PIXEL and off.sum() <= PICTURE * (255 - a).sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument(
        "notebooks", nargs="*", type=Path, default=sorted(NOTEBOOKS.glob("*.ipynb"))
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail where a byte would change"
    )
    options = parser.parse_args()
    changed = []
    for path in options.notebooks:
        before = path.read_text(encoding="utf-8")
        after = refresh(before, path.resolve().parent)
        if after != before:
            changed.append(path)
            print(f"{path.name}: changed")
            if options.check:
                lines = difflib.unified_diff(
                    before.splitlines(), after.splitlines(), "stored", "fresh", n=1, lineterm=""
                )
                print("\n".join(line[:200] for line in list(lines)[:40]))
            else:
                path.write_text(after, encoding="utf-8", newline="\n")
    if options.check and changed:
        sys.exit(1)


if __name__ == "__main__":
    main()

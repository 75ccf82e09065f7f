"""Run notebooks from top to bottom in fresh kernels and store them without noise.

    python scripts/refresh.py [--check] [NOTEBOOK ...]        all notebooks unless some are named

Dropped are timestamps, widget ids and the kernel's version; kept are cell ids, tags and outputs. An unchanged notebook
comes out byte for byte as it went in. --check writes nothing and fails where that is not so.
"""

import argparse
import base64
import difflib
import io
import os
import sys
import tempfile
from pathlib import Path

import nbformat
import numpy as np
from nbclient import NotebookClient
from PIL import Image

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
# Other processors round a line's edges differently, and the palette widens that: single pixels are off (by 53 seen for 8), and few of them.
PIXEL, PICTURE = 64, 0.05    # of 255 at any pixel; of all that is not white in the picture
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
METADATA = {"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}


def refresh(text, folder=NOTEBOOKS):
    """A notebook's text, executed and normalised. Raises nbclient's CellExecutionError where a cell fails."""
    old = nbformat.reads(text, as_version=4)
    new = nbformat.reads(text, as_version=4)
    new.metadata = dict(METADATA)
    client = NotebookClient(new, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}},
                            store_widget_state=False, coalesce_streams=True)
    with tempfile.TemporaryDirectory() as nobodys:      # what somebody wrote in a folder of their own changes no output
        client.execute(env={**os.environ, "COURSE_FOLDER": nobodys})
    for cell, before in zip(new.cells, old.cells, strict=True):
        tidy(cell.get("outputs", []), before.get("outputs", []))
    return normalised(new)


def normalised(notebook):
    """The text that is stored of a notebook: without the times and the kernel's version that a run leaves in it."""
    notebook.metadata = dict(METADATA)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    return nbformat.writes(notebook) + "\n"


def tidy(outputs, stored):
    """A cell's fresh outputs as they are stored, changed in place: a picture that looks as the stored one does is the stored one."""
    old_pictures = [o.data["image/png"] for o in stored if "image/png" in o.get("data", {})]
    for output in outputs:
        data = output.get("data", {})
        data.pop(WIDGET_VIEW, None)        # without its kernel it would show an error instead of the text beside it
        if "image/png" in data and old_pictures:
            data["image/png"] = _keep_if_same(old_pictures.pop(0), data["image/png"])
    return outputs


def _keep_if_same(old, new):
    a, b = (np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB")).astype(int) for png in (old, new))
    return old if a.shape == b.shape and same_to_the_eye(a, b) else new


def same_to_the_eye(a, b):
    """Whether two pictures (height, width, 3) differ nowhere by much, and all in all by little: one that is lighter throughout is another."""
    off = np.abs(a - b)
    return off.max() <= PIXEL and off.sum() <= PICTURE * (255 - a).sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path, default=sorted(NOTEBOOKS.glob("*.ipynb")))
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a byte would change")
    options = parser.parse_args()
    changed = []
    for path in options.notebooks:
        before = path.read_text(encoding="utf-8")
        after = refresh(before, path.resolve().parent)
        if after != before:
            changed.append(path)
            print(f"{path.name}: changed")
            if options.check:
                lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "stored", "fresh", n=1, lineterm="")
                print("\n".join(line[:200] for line in list(lines)[:40]))
            else:
                path.write_text(after, encoding="utf-8", newline="\n")
    if options.check and changed:
        sys.exit(1)


if __name__ == "__main__":
    main()

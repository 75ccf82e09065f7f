"""Hand-outs: the notebooks without their solutions, in build/handout. Stubs, checks and everything else stay as they are.

    python scripts/export.py handout
"""

import re
import shutil

import nbformat
from nbconvert.preprocessors import TagRemovePreprocessor

from exporting import BUILD, NOTEBOOKS

OUT = BUILD / "handout"
# What the notebooks say of the solutions that are not there any more.
OF_SOLUTIONS = re.compile(r"\n*[^\n.]*\b(?:solution is folded|is the solution, folded)[^\n]*")


def handout(notebook):
    """The notebook without the cells tagged `solution`, and without the sentences that point at them."""
    notebook, _ = TagRemovePreprocessor(remove_cell_tags={"solution"}).preprocess(notebook, {})
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = OF_SOLUTIONS.sub("", cell.source)
    return notebook


def main(arguments=()):
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        (OUT / path.name).write_text(nbformat.writes(handout(nbformat.read(path, as_version=4))) + "\n", encoding="utf-8", newline="\n")
    print("handout: build/handout")

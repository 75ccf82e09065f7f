"""Every cell may be run twice, and a notebook again from any heading: it says the same.

What it draws, and what the model of notebook 15 answers, is compared where the notebooks are run.
"""

import time

import numpy as np
import pytest
from helpers import NOTEBOOKS, mostly, notebook, printed, run

from course_utils import figures
from course_utils.models import chat_model

# Where not everything is to run: one of each kind, from vectors by hand to a real model. Others
# take long, above all 03, 09, 11 and A, which train.
FEW = ("00", "01", "05", "10", "12", "16")

LONG = (
    0.3  # seconds of processor time: a cell that takes longer is run again from its heading alone
)


def sections(name):
    """The code cells below each heading of the second level, with the first cells of all."""
    found = [[]]
    for cell in notebook(name).cells:
        if cell.cell_type == "code":
            found[-1].append(cell)
        elif cell.source.startswith("## "):
            found.append([])
    return found


@pytest.mark.parametrize(
    "name", mostly(NOTEBOOKS, [name for name in NOTEBOOKS if name.startswith(FEW)])
)
def test_a_cell_run_twice_and_a_section_run_again_say_the_same(name, monkeypatch):
    monkeypatch.setattr(figures, "show", lambda figure, alt="": None)
    monkeypatch.setattr(chat_model, "PACKAGE", "no_such_package")
    names = {}
    with np.printoptions():  # which the notebook's first cell sets
        for cell in sum(sections(name), []):
            start = time.process_time()
            said = run(cell.source, names)
            if time.process_time() - start < LONG:
                assert run(cell.source, names) == said, cell.source
        for section in sections(name)[::-1]:  # whatever later sections left behind
            for cell in section:
                stored = printed("".join(o.text for o in cell.outputs if o.output_type == "stream"))
                assert run(cell.source, names) == stored, cell.source

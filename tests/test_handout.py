"""A hand-out has no word of a solution in it, keeps everything else, and runs from top to bottom."""

import functools
import json
import subprocess
import sys

import nbformat
import pytest
from helpers import NOTEBOOKS, ROOT, notebook

sys.path.insert(0, str(ROOT / "scripts"))
from exporting import handout

every_notebook = pytest.mark.parametrize("name", NOTEBOOKS)
# Runs the cells one after the other, as Run All does, in a process without pictures: they are the slow part, and no solution draws one.
RUN = """
import json, sys
from exporting.report_student import hide_scenery
hide_scenery()
names = {"display": print, "__name__": "__main__"}
for source in json.load(sys.stdin):
    exec(compile(source, source, "exec"), names)
"""


@functools.cache
def made(name):
    """The hand-out of a notebook, made from a copy."""
    return handout.handout(nbformat.from_dict(json.loads(json.dumps(notebook(name)))))


def is_solution(cell):
    return "solution" in cell.metadata.get("tags", [])


def lines_of_solutions(name):
    """Every line of the solutions' sources and outputs that is long enough to say something."""
    for cell in filter(is_solution, notebook(name).cells):
        shown = [output.get("text", "") or str(output.get("data", {}).get("text/plain", "")) for output in cell.outputs]
        for line in "\n".join([cell.source, *shown]).splitlines():
            if len(line.strip()) >= 12:
                yield line.strip()


@every_notebook
def test_no_line_of_a_solution_is_left_anywhere(name):
    text = "\n".join([cell.source for cell in made(name).cells]
                     + [str(output) for cell in made(name).cells for output in cell.get("outputs", [])]
                     + [json.dumps(cell.metadata, ensure_ascii=False) for cell in made(name).cells])
    solutions = list(lines_of_solutions(name))
    assert solutions
    assert [line for line in solutions if line in text] == []
    assert "_solution" not in text
    assert "solution is folded" not in text
    assert "is the solution, folded" not in text


@every_notebook
def test_everything_else_is_kept(name):
    kept = [cell for cell in notebook(name).cells if not is_solution(cell)]
    assert [cell.id for cell in made(name).cells] == [cell.id for cell in kept]
    assert [cell for cell in made(name).cells if cell.cell_type == "code"] == [cell for cell in kept if cell.cell_type == "code"]
    changed = [before.source for before, after in zip(kept, made(name).cells, strict=True) if before.source != after.source]
    assert all("solution" in source for source in changed)
    nbformat.validate(made(name))


@every_notebook
def test_a_hand_out_runs_from_top_to_bottom(name):
    sources = [cell.source for cell in made(name).cells if cell.cell_type == "code"]
    command = [sys.executable, "-W", "ignore", "-c", RUN]
    result = subprocess.run(command, input=json.dumps(sources), cwd=ROOT / "scripts", capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr[-2000:]


def test_the_command_writes_every_notebook(tmp_path, monkeypatch):
    monkeypatch.setattr(handout, "OUT", tmp_path / "handout")
    handout.main([])
    assert sorted(path.stem for path in (tmp_path / "handout").iterdir()) == list(NOTEBOOKS)
    assert nbformat.read(tmp_path / "handout" / "01_self_attention.ipynb", as_version=4) == made("01_self_attention")

"""Every notebook executed as committed, with the state of its widgets, once for slides, site and tests."""

import hashlib
import os
import tempfile
from concurrent.futures import ProcessPoolExecutor

import nbformat
from nbclient import NotebookClient

from exporting import BUILD, NOTEBOOKS, ROOT

EXECUTED = BUILD / "executed"


def executed():
    """{name: notebook with outputs and widget state}. Where code did not change, the outputs come from build/executed."""
    package = hashlib.sha256()
    for path in sorted((ROOT / "course_utils").rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            package.update(path.read_bytes())
    notebooks = {path.stem: nbformat.read(path, as_version=4) for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
    stored = {name: EXECUTED / f"{name}-{_key(package, notebook)}.ipynb" for name, notebook in notebooks.items()}
    EXECUTED.mkdir(parents=True, exist_ok=True)
    for stale in set(EXECUTED.iterdir()) - set(stored.values()):
        stale.unlink()
    missing = sorted((name for name in notebooks if not stored[name].exists()), reverse=True)      # the longest are the last lectures
    if missing:
        with ProcessPoolExecutor(2) as pool:
            list(pool.map(_execute, [notebooks[name] for name in missing], [stored[name] for name in missing]))
    for name, notebook in notebooks.items():
        run = nbformat.read(stored[name], as_version=4)
        notebook.metadata.widgets = run.metadata.get("widgets", {})
        for cell, as_run in zip(_code(notebook), _code(run), strict=True):
            cell.outputs, cell.execution_count = as_run.outputs, as_run.execution_count
    return notebooks


def _code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _key(package, notebook):
    key = package.copy()
    for cell in _code(notebook):
        key.update(cell.source.encode() + b"\0")
    return key.hexdigest()[:16]


def _execute(notebook, target):
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOKS)}}, coalesce_streams=True)
    with tempfile.TemporaryDirectory() as nobodys:      # what somebody wrote in a folder of their own is not the course's
        client.execute(env={**os.environ, "COURSE_FOLDER": nobodys})
    nbformat.write(notebook, target)

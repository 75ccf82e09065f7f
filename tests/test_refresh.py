"""Running a notebook again changes nothing, so a diff shows what somebody thought and not when they pressed Run.

A file of its own, because it starts a kernel for each notebook and takes most of the time of all tests.
"""

import importlib.util
import json

import pytest
from helpers import NOTEBOOKS, ROOT

_spec = importlib.util.spec_from_file_location("refresh", ROOT / "scripts" / "refresh.py")
script = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(script)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_running_a_notebook_changes_no_byte(name):
    text = NOTEBOOKS[name].read_text(encoding="utf-8")
    assert script.refresh(text) == text


def test_refreshing_drops_noise_and_stores_what_a_run_shows():
    source = "import os\nprint(os.environ['OPENBLAS_NUM_THREADS'])"
    cell = {"cell_type": "code", "id": "kept", "metadata": {"tags": ["solution"], "execution": {"iopub.execute_input": "2026"}},
            "execution_count": 7, "source": source, "outputs": []}
    noisy = {"cells": [cell], "metadata": {"widgets": {"state": 1}, "language_info": {"version": "3.0"}}, "nbformat": 4, "nbformat_minor": 5}
    fresh = json.loads(script.refresh(json.dumps(noisy)))
    assert fresh["cells"] == [{**cell, "metadata": {"tags": ["solution"]}, "execution_count": 1, "source": source.splitlines(keepends=True),
                               "outputs": [{"name": "stdout", "output_type": "stream", "text": ["1\n"]}]}]
    assert set(fresh["metadata"]) == {"kernelspec", "language_info"}
    assert fresh["metadata"]["language_info"] == {"name": "python"}

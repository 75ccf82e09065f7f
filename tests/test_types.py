"""The types of the ground floor hold: mypy says so, and sees wrong ones."""

import os
import re
import subprocess
import sys
import tomllib

from helpers import ROOT

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
WRONG = """\
from course_utils.attention import attention_scores, causal_mask, softmax
softmax([1.0], axis=None)
causal_mask(3).append(4)
n: int = softmax([1.0])
attention_scores([[1.0]])
"""


def test_mypy_finds_nothing_in_the_mathematics_and_wrong_types_in_calls(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(WRONG, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", f"--cache-dir={os.devnull}", *SETTINGS["files"]]
    done = subprocess.run([*command, program], cwd=ROOT, capture_output=True, text=True, check=False)
    found = re.findall(r"(\w+)\.py:(\d+): error: .*\[([\w-]+)\]", done.stdout)
    assert found == [("program", "2", "arg-type"), ("program", "3", "attr-defined"),
                     ("program", "4", "assignment"), ("program", "5", "call-arg")], done.stderr

"""Public functions have types, and the types hold: mypy says so, and sees wrong ones."""

import ast
import os
import re
import subprocess
import sys

from helpers import ROOT

WRONG = """\
from course_utils.attention import attention_scores, causal_mask, softmax
from course_utils.figures import heatmap
softmax([1.0], axis=None)
causal_mask(3).append(4)
n: int = softmax([1.0])
attention_scores([[1.0]])
heatmap(softmax([[1.0]]), rows=3)
"""
PACKAGE = ROOT / "course_utils"


def public_functions(body):
    """The public functions of a module's body and of its public classes."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            if not node.name.startswith("_") or node.name in ("__init__", "__call__"):
                yield node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body)


def has_types(function):
    every = ast.walk(function.args)
    untyped = [a.arg for a in every if isinstance(a, ast.arg) and a.annotation is None]
    return function.returns is not None and set(untyped) <= {"self", "cls"}


def stands_for_an_answer(path, function):
    """In the folder of an exercise: all but what draws, from `rng`. It is written as a student
    writes it, and its signature is shown."""
    arguments = [argument.arg for argument in function.args.args]
    return path.parent.parent == PACKAGE / "exercises" and "rng" not in arguments


def test_public_functions_have_types():
    for path in sorted(PACKAGE.rglob("*.py")):
        for function in public_functions(ast.parse(path.read_text(encoding="utf-8")).body):
            where = f"{path}, line {function.lineno}: {function.name}"
            assert has_types(function) or stands_for_an_answer(path, function), where


def test_mypy_finds_nothing_in_the_package_and_wrong_types_in_calls(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(WRONG, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", f"--cache-dir={os.devnull}", "course_utils", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    found = re.findall(r"(\w+)\.py:(\d+): error: .*\[([\w-]+)\]", done.stdout)
    assert found == [
        ("program", "3", "arg-type"),
        ("program", "4", "attr-defined"),
        ("program", "5", "assignment"),
        ("program", "6", "call-arg"),
        ("program", "7", "arg-type"),
    ], done.stdout + done.stderr

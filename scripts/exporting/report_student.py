"""The side of the report that is not trusted: it runs a student's cells, and calls a student's function when asked.

One JSON line comes in by stdin for each thing to do, one goes out by stdout. Nothing is judged here: what a function
computes goes back as plain numbers, so whatever the student's code does to this process, all it can send is an answer.
"""

import base64
import json
import os
import sys
import traceback
from pathlib import Path
from unittest.mock import MagicMock

ROOT = Path(__file__).resolve().parents[2]
MEMORY, FILE, SECONDS = 2 << 30, 16 << 20, 120      # bytes of address space, bytes of a file, seconds of processor
SCENERY = ["figures", "widgets"]         # a report needs no pictures, and drawing them is most of the time


def limit():
    """Give up memory, big files, new processes and most of the time. Windows has no such limits."""
    try:
        import resource
    except ImportError:
        return
    for name, most in [("AS", MEMORY), ("FSIZE", FILE), ("CPU", SECONDS), ("CORE", 0), ("NOFILE", 64), ("NPROC", 0)]:
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))


def hide_scenery():
    """Put stand-ins, which accept everything and do nothing, in the place of pictures and widgets."""
    sys.path.insert(0, str(ROOT))
    folder = ROOT / "course_utils"
    modules = [*SCENERY, *(f"widgets.{path.stem}" for path in (folder / "widgets").glob("*.py"))]
    for name in modules:
        stand_in = sys.modules[f"course_utils.{name}"] = MagicMock(name=name)
        stand_in.__path__, stand_in.__spec__ = [], None


class Cells:
    """The student's cells, run one after the other as IPython would, and the functions that reach a check."""

    def __init__(self):
        from IPython.core.history import HistoryManager
        from IPython.core.interactiveshell import InteractiveShell

        import course_utils.exercises
        HistoryManager.enabled = False
        self.shell, self.reached = InteractiveShell.instance(colors="nocolor"), {}
        self.shell.showtraceback = self.shell.showsyntaxerror = lambda *a, **k: None
        course_utils.exercises.diagnose = lambda name, function: self.reached.update({str(name): function})

    def run(self, cells, name):
        """Run the cells; say what the last one brought to the check `name`: a function, a gap, a value or nothing."""
        for cell in cells:
            self.reached.clear()
            result = self.shell.run_cell(cell, store_history=False)
        if name not in self.reached:
            return {"reached": "nothing", **told(result.error_in_exec or result.error_before_exec)}
        self.function = self.reached[name]
        if callable(self.function):
            return {"reached": "function"}
        return {"reached": "value", "value": packed(self.function)}

    def call(self, name, arguments):
        """Call the function that was reached, and send back its value or its error, and the arguments it changed."""
        from course_utils.exercises import EXERCISES
        from course_utils.exercises.running import has_gap
        given = [EXERCISES[name].inputs[a["input"][0]][a["input"][1]] if isinstance(a, dict) and "input" in a else unpacked(a) for a in arguments]
        try:
            value = self.function(*given)
        except BaseException as error:      # SystemExit, too
            return {"gap": has_gap(self.function), **told(error)}
        return {"value": packed(value), "after": [packed(a) if hasattr(a, "dtype") else None for a in given]}


def told(error):
    """An error by its type, its text, and the student's line."""
    if error is None:
        return {}
    theirs = [f.line for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith("<ipython-input")]
    try:
        text = str(error)
    except Exception:                       # an error class of the student's own may fail even here
        text = ""
    return {"error": type(error).__name__, "text": text[:300] + (f" (in: {theirs[-1][:100]})" if theirs and theirs[-1] else "")}


def packed(value):
    """A value as JSON takes it: numbers and arrays by their bytes, lists and tuples by their parts, `...`, None, or only its type."""
    import numpy as np
    if value is None or value is ...:
        return {"none": 0} if value is None else {"gap": 0}
    if isinstance(value, (list, tuple)):
        return {"list" if isinstance(value, list) else "tuple": [packed(part) for part in value]}
    try:
        array = np.asarray(value)
        if array.dtype.kind == "f" and array.dtype.itemsize > 8:
            array = array.astype(float)
        if array.dtype.kind in "biuf":
            return {"array": base64.b64encode(array.tobytes()).decode(), "dtype": array.dtype.name, "shape": array.shape,
                    "plain": not isinstance(value, (np.ndarray, np.generic))}
    except Exception:                       # an object that refuses
        pass
    return {"other": type(value).__name__}


def unpacked(sent):
    """The value that `packed` made into `sent`. Raises where it is not of that form; nothing in it is ever run."""
    import numpy as np
    (kind, content), *_ = sent.items()
    if kind in ("none", "gap"):
        return None if kind == "none" else ...
    if kind in ("list", "tuple"):
        return {"list": list, "tuple": tuple}[kind](unpacked(part) for part in content)
    if kind == "array":
        dtype = np.dtype(sent["dtype"])
        if dtype.kind not in "biuf":
            raise ValueError(f"dtype: got {dtype}, wanted numbers")
        array = np.frombuffer(base64.b64decode(content), dtype).reshape(sent["shape"]).copy()
        return array.item() if sent["plain"] and not array.shape else array
    return type(str(content)[:40] if str(content)[:40].isidentifier() else "object", (), {})()


def main():
    """Answer until stdin ends. The student's own stdin is empty and what it prints goes nowhere."""
    orders, answers = os.fdopen(os.dup(0), "r", encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    sys.stdout = sys.stderr = os.fdopen(nowhere, "w", encoding="utf-8")
    limit()
    hide_scenery()
    cells = Cells()
    for line in orders:
        order = json.loads(line)
        answer = cells.run(**order["run"]) if "run" in order else cells.call(**order["call"])
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()

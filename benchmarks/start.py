"""What a newcomer waits for, in seconds: the first import of each notebook, a diagnosis, and the
first start with uv and without.

    python benchmarks/start.py [--repetitions 5] [--install]      in the course's environment

- import: the set-up cell of a notebook, in a new Python. The processor's seconds stand beside.
- diagnosis: from `diagnose("softmax", f)` to its card; the first one of a kernel, a wrong answer,
  which starts the process that runs students' code; and after it one that is wrong, one that is
  right. Of the first, the processor's seconds of both processes stand beside.
- first start (--install): `start.py` in a copy of the course until all is installed: it makes the
  environment, and fetches some hundred packages from the index. Whatever uv and pip have kept of
  earlier downloads they use.

Printed are medians, each beside the last run on this computer, which build/start.json keeps, and
the load of the machine. Nothing here is asserted: other computers, other numbers.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LAST = ROOT / "build" / "start.json"
TIMED = """
import resource, sys, time
start = time.perf_counter()
exec(sys.argv[1], {})
own = resource.getrusage(resource.RUSAGE_SELF)
print(time.perf_counter() - start, own.ru_utime + own.ru_stime)
"""
# The wrong answer has lines that can be read, as in a notebook: so the searches run, too.
DIAGNOSES = """
import linecache, resource, time
import numpy as np
import psutil
from course_utils.attention import softmax
from course_utils.diagnosis import running
from course_utils.exercises import diagnose
text = "def my_softmax(scores):\\n    e = np.exp(scores)\\n    return e / e.sum(axis=0)\\n"
linecache.cache["<cell>"] = len(text), None, text.splitlines(keepends=True), "<cell>"
exec(compile(text, "<cell>", "exec"))
def show_seconds(answer):
    start = time.perf_counter()
    diagnose("softmax", answer)._repr_html_()
    print(time.perf_counter() - start)
before = resource.getrusage(resource.RUSAGE_SELF)
show_seconds(my_softmax)
after = resource.getrusage(resource.RUSAGE_SELF)
worker = psutil.Process(running._running[1].process.pid).cpu_times()
print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime + sum(worker[:4]))
show_seconds(my_softmax)
show_seconds(softmax)
"""
ENVIRONMENT = """
import sys
from pathlib import Path
from course_utils.start import environment
environment.ready(Path.cwd())
"""


def run(program, *words, **options):
    """The numbers that a program prints in a Python of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True,
        **{"cwd": ROOT, "env": {**os.environ, "PYTHONPATH": str(ROOT)}, **options},
    )  # fmt: skip
    return [float(number) for number in done.stdout.split()]


def set_up_cells():
    """{notebook: the code of its first code cell}."""
    found = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = next(cell for cell in cells if cell["cell_type"] == "code")
        found[path.stem] = "".join(code["source"])
    return found


def medians(repetitions):
    """{what: seconds}: of every notebook's import, and of the three diagnoses."""
    times = {}

    def add(what, seconds):
        times.setdefault(what, []).append(seconds)

    for _ in range(repetitions):
        for name, code in set_up_cells().items():
            clock, processor = run(TIMED, code)
            add(f"import, {name}", clock)
            add(f"import, {name}, processor", processor)
        first, processor, wrong, right = run(DIAGNOSES)
        add("diagnosis, the first of a kernel", first)
        add("diagnosis, the first of a kernel, processor", processor)
        add("diagnosis, right", right)
        add("diagnosis, wrong", wrong)
    return {what: statistics.median(seconds) for what, seconds in times.items()}


def first_start(path):
    """Seconds until start.py has an environment, with the programs that `path` holds."""
    with tempfile.TemporaryDirectory() as folder:
        tracked = subprocess.run(
            ["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True
        ).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=tracked, check=True)
        environ = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "PYTHONPATH")}
        python = Path(sys.base_prefix) / "bin" / "python3"
        start = time.perf_counter()
        subprocess.run(
            [python, "-c", ENVIRONMENT], cwd=folder, env={**environ, "PATH": path}, check=True,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        return time.perf_counter() - start


def without(program):
    """PATH without the folders that hold a program."""
    folders = os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if not (Path(folder) / program).exists())


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--install", action="store_true", help="time the first start, too")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    found = medians(options.repetitions)
    if options.install:
        found["first start, pip"] = first_start(without("uv"))
        if shutil.which("uv"):
            found["first start, uv"] = first_start(os.environ["PATH"])
        else:
            print("first start, uv: uv is not here (pip install uv)")
    last = json.loads(LAST.read_text(encoding="utf-8")) if LAST.exists() else {}
    print(f"{'seconds':50}{'now':>8}{'last':>8}      load {load:.1f} on {os.cpu_count()} cores")
    for what, seconds in found.items():
        before = f"{last[what]:8.2f}" if what in last else f"{'–':>8}"
        print(f"{what:50}{seconds:8.2f}{before}")
    LAST.parent.mkdir(exist_ok=True)
    LAST.write_text(json.dumps(last | found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

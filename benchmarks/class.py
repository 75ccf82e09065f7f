"""A class that comes in at once and runs a whole lecture at once, on the real hub: times, memory,
failures, and what follows from them.

    python3 deploy/class/hub.py start                             as root, in one shell
    deploy/class/.hub/venv/bin/python benchmarks/class.py         as root, in another; stops the hub
    when it is done

For N = 1, 5, 10, 20, 40 new students (--students 1 5): each logs in as a browser does, waits for
the server, opens the lecture's kernel over its websocket, and, when all are there, runs every code
cell, drags every slider and saves. The students are deleted afterwards.

  start     seconds from the log-in to JupyterLab: the median student, the last one
  kernel    seconds until the notebook has a kernel that answers, likewise
  lecture   seconds from the first cell to the saved notebook, likewise
  server, kernel   MiB a student that no other one shares, and the share of what is shared (PSS),
  after the lecture
  base      the same kernel before, when it has only imported numpy, matplotlib.pyplot and
      ipywidgets
  failures  students for whom anything was not as it should be

The load comes from the same machine and takes its share of it (column client: processor seconds).
"""

import argparse
import asyncio
import contextlib
import os
import pwd
import secrets
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "deploy" / "class"))
import accounts  # noqa: E402
import hub  # noqa: E402
from browser import Student  # noqa: E402

BASE = "import numpy, matplotlib.pyplot, ipywidgets"
PLAN = (100, 1_000, 100_000)
NODE = 64  # GiB of a machine in the plan
ACTIVE = 0.5  # of those enrolled, how many work at the busiest hour (the plan's assumption)


def pss(uid):
    """{'server': MiB, 'kernel': MiB} of a student's processes."""
    found = {"server": 0.0, "kernel": 0.0}
    for pid in accounts.processes().get(uid, {}):
        with contextlib.suppress(OSError):
            kind = (
                "kernel"
                if b"ipykernel_launcher" in Path(f"/proc/{pid}/cmdline").read_bytes()
                else "server"
            )
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            found[kind] += (
                next(
                    int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")
                )
                / 1024
            )
    return found


def memory(names):
    """The mean over the students of each part."""
    each = [pss(pwd.getpwnam(accounts.account(name)).pw_uid) for name in names]
    return {part: statistics.mean(one[part] for one in each) for part in each[0]}


async def together(todo, failures):
    """Run a step for all at once; seconds each, without those that fail."""

    async def timed(name, step):
        start = time.perf_counter()
        try:
            await step
        except Exception as error:  # any failure of a student is what is counted here
            failures.setdefault(name, f"{type(error).__name__}: {error}")
            return None
        return time.perf_counter() - start

    times = await asyncio.gather(*[timed(name, step) for name, step in todo.items()])
    return [t for t in times if t is not None] or [float("nan")]


async def lecture(student, kernel, path):
    """The whole notebook, its sliders, and the proof that what was saved is there."""
    notebook = await student.run_notebook(path, kernel)
    await kernel.drag_sliders()
    if (await student.read(path))["cells"] != notebook["cells"]:
        raise RuntimeError("what was saved is not what is there")


async def run(n, settings, path):
    """One row of the table: a class of n."""
    names = [f"load-{i + 1:02}" for i in range(n)]
    address, failures, kernels = f"http://127.0.0.1:{settings['port']}", {}, {}
    hub.add(settings, names)
    async with contextlib.AsyncExitStack() as stack:
        students = {
            name: await stack.enter_async_context(Student(address, name, secrets.token_hex(16)))
            for name in names
        }

        async def come_in(student):
            await student.log_in()
            await student.start_server()

        async def open_kernel(name, student):
            kernels[name] = await student.open_kernel(path)
            await kernels[name].run(BASE)

        client = time.process_time()
        start = await together(
            {name: come_in(student) for name, student in students.items()}, failures
        )
        kernel = await together(
            {name: open_kernel(name, students[name]) for name in names if name not in failures},
            failures,
        )
        base = memory(names)
        await together({name: k.restart() for name, k in kernels.items()}, failures)
        whole = await together(
            {
                name: lecture(students[name], k, path)
                for name, k in kernels.items()
                if name not in failures
            },
            failures,
        )
        after = memory(names)
        for k in kernels.values():
            await k.close()
        client = time.process_time() - client
    await asyncio.to_thread(hub.remove, settings, names)
    return {
        "n": n,
        "start": start,
        "kernel": kernel,
        "lecture": whole,
        "base": base,
        "after": after,
        "failures": failures,
        "client": client,
    }


def cell(times):
    return f"{statistics.median(times):.1f} / {max(times):.1f}"


def print_row(row):
    after, base = row["after"], row["base"]
    print(
        f"{row['n']:>3}{cell(row['start']):>16}{cell(row['kernel']):>16}{cell(row['lecture']):>16}{after['server']:>8.0f}{after['kernel']:>8.0f}"
        f"{base['kernel']:>8.0f}{after['kernel'] / base['kernel'] - 1:>+8.1%}{row['client']:>8.1f}{len(row['failures']):>10}",  # noqa: E501
        flush=True,
    )
    for name, failure in row["failures"].items():
        print(f"    {name}: {failure}", flush=True)


def print_plan(row):
    """What the largest class says of larger ones."""
    student = row["after"]["server"] + row["after"]["kernel"]
    per_gib = 1024 / student
    core = row["n"] / statistics.median(row["lecture"]) / (os.cpu_count() or 1)
    print(f"\nA student takes {student:.0f} MiB: {per_gib:.1f} students per GiB.")
    print(f"One core ran {60 * core:.0f} students' lectures a minute, without a pause to read.")
    print(f"Of those enrolled, {ACTIVE:.0%} at the busiest hour:")
    for enrolled in PLAN:
        active = int(enrolled * ACTIVE)
        nodes = -(-active * student * 1.25 // (1024 * NODE))
        where = (
            "one machine (deploy/class)"
            if nodes == 1 and enrolled <= 200
            else f"{nodes:.0f} machines of {NODE} GiB (deploy/kubernetes)"
        )
        print(
            f"  {enrolled:>7}: {active * student / 1024:>8.0f} GiB for {active} active students,"
            f" {where}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--students", type=int, nargs="+", default=[1, 5, 10, 20, 40])
    parser.add_argument("--lecture", default="01_self_attention", help="a notebook's name")
    parser.add_argument("--settings", help="those that the hub was started with")
    parser.add_argument("--keep", action="store_true", help="leave the hub running")
    arguments = parser.parse_args()
    settings = hub.read_settings(arguments.settings)
    hub.check_runs(settings)
    print(
        f"{arguments.lecture}, {os.cpu_count()} cores; other load before: {os.getloadavg()[0]:.1f}"
    )
    print(
        f"{'N':>3}{'start':>16}{'kernel':>16}{'lecture':>16}{'server':>8}{'kernel':>8}{'base':>8}{'':>8}{'client':>8}{'failures':>10}"
    )
    rows = []
    for n in arguments.students:
        rows.append(asyncio.run(run(n, settings, f"course/notebooks/{arguments.lecture}.ipynb")))
        print_row(rows[-1])
    print_plan(rows[-1])
    if not arguments.keep:
        hub.stop(settings)
    sys.exit(any(row["failures"] for row in rows))


if __name__ == "__main__":
    main()

"""A running class hub, seen from outside: what the tests in this folder share."""

import asyncio
import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "deploy" / "class"))
pwd = pytest.importorskip("pwd", reason="a class hub needs a system with accounts as on Linux")
pytest.importorskip("aiohttp", reason="needs benchmarks/requirements.txt")
import accounts  # noqa: E402
import hub  # noqa: E402

SETTINGS = hub.read_settings(os.environ.get("CLASS_HUB_SETTINGS"))
FOLDER = Path(SETTINGS["folder"])
HUB = f"http://127.0.0.1:{SETTINGS['port']}"
PATH = "course/notebooks/00_start_here.ipynb"
NAMES = ("fault-a", "fault-b")
needs_a_hub = pytest.mark.skipif(
    os.geteuid() != 0 or not (FOLDER / "state" / "admin_service.pid").exists(),
    reason="no class hub runs here: as root, python3 deploy/class/hub.py start",
)


def uid(student):
    return pwd.getpwnam(accounts.account(student.name)).pw_uid


def process(student, what):
    """The number of the student's process whose command line has these words."""
    for pid in accounts.processes().get(uid(student), {}):
        with contextlib.suppress(OSError):
            if what.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                return pid
    return None


def listening(student):
    """The TCP ports on which the student's processes wait for connections."""
    sockets = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return [
        int(fields[1].split(":")[1], 16)
        for fields in sockets
        if fields[3] == "0A" and int(fields[7]) == uid(student)
    ]


def hub_process():
    found = subprocess.run(
        ["pgrep", "-f", f"{FOLDER}/venv/bin/python -m jupyterhub -f"],
        capture_output=True,
        text=True,
    )
    return int(found.stdout.split()[0]) if found.stdout else None


async def written(student, text):
    """The notebook with this text in its first cell, saved."""
    notebook = await student.read(PATH)
    notebook["cells"][0]["source"] = text
    await student.save(PATH, notebook)


async def first_cell(student):
    return (await student.read(PATH))["cells"][0]["source"]


async def output(kernel, code):
    """What the code prints; an error in it is one here."""
    reply, outputs = await kernel.run(code)
    assert reply["status"] == "ok", reply
    return "".join(o["text"] for o in outputs if o["output_type"] == "stream")


async def refused(kernel, code, error="PermissionError"):
    reply, _ = await kernel.run(code)
    assert (reply["status"], reply.get("ename")) == ("error", error), reply


async def until(true, seconds):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        await asyncio.sleep(0.2)

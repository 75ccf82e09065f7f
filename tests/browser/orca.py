"""A real screen reader: Orca beside Chromium under a virtual display, and what it says, as text.

Orca writes every utterance to its log, so neither a sound card nor a voice is needed. Its log is a
terminal here: into a file it would write by pages of 8 kB. Debian's packages: orca, xvfb, openbox,
xdotool, at-spi2-core, dbus, chromium.
"""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

PROGRAMS = ("orca", "Xvfb", "openbox", "xdotool", "dbus-run-session", "chromium")
BUS = "/usr/libexec/at-spi-bus-launcher"
# One utterance, which may have several lines. What Orca reads by itself of a page that has loaded
# stands there without braces.
SPOKEN = re.compile(r"SPEECH OUTPUT: '((?:(?!\n\d\d:\d\d:).)*?)'\s*\[?\{", re.DOTALL)
# What stands in the session: the bus, a window manager (it gives the window its focus), Orca.
SESSION = """
while ! xdotool getdisplaygeometry; do sleep .1; done
{bus} --launch-immediately --a11y=1 &
openbox &
sleep 1
orca --debug-file={log} &
sleep 3
exec chromium --no-sandbox --disable-gpu --disable-background-networking --no-first-run \\
  --force-renderer-accessibility --user-data-dir={folder}/profile --window-size=1280,900 \\
  --remote-debugging-port={port} --app=data:text/html,
"""


def missing_programs() -> list[str]:
    """What a speech log needs and this system has not."""
    return [name for name in PROGRAMS if not shutil.which(name)] + [BUS] * (not Path(BUS).exists())


class Listener:
    """A page in Chromium, and Orca's log of what was said of it."""

    def __init__(self, page: "Page", log: bytearray, environment: dict[str, str]) -> None:
        self.page, self._log, self._environment = page, log, environment
        self._read = 0

    def key(self, *keys: str) -> None:
        """Press keys as a person does, through the display, so that Orca's own commands work too.

        keys: in xdotool's names, for instance "Tab", "shift+Return", "Down".
        """
        for key in keys:
            subprocess.run(["xdotool", "key", key], env=self._environment, check=True)
            time.sleep(0.15)

    def said(self, quiet: float = 1.5, most: float = 20) -> list[str]:
        """All utterances since the last call, once nothing more came for `quiet` seconds; after
        `most` seconds, those that came.
        """
        deadline, seen, since = time.monotonic() + most, -1, time.monotonic()
        while time.monotonic() < deadline and time.monotonic() - since < quiet:
            found = self._utterances()
            if len(found) != seen:
                seen, since = len(found), time.monotonic()
            time.sleep(0.1)
        found = self._utterances()
        spoken, self._read = found[self._read :], len(found)
        return spoken

    def _utterances(self):
        text = self._log.decode(errors="replace").replace("\r", "")
        return [spoken for spoken in SPOKEN.findall(text) if spoken.strip()]


def _read_terminal(closing):
    """(what is written to a terminal of our own, as it grows, the terminal's name)."""
    import pty  # here: not on Windows

    ours, theirs = pty.openpty()
    written = bytearray()

    def read():
        with contextlib.suppress(OSError):  # it is closed
            while piece := os.read(ours, 65536):
                written.extend(piece)

    threading.Thread(target=read, daemon=True).start()
    closing.callback(os.close, theirs)
    return written, os.ttyname(theirs)


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _free_display():
    """The name of a display that nobody uses, such as ":90"."""
    return next(f":{n}" for n in range(90, 200) if not Path(f"/tmp/.X11-unix/X{n}").exists())


@contextlib.contextmanager
def listen(playwright: "Playwright") -> Iterator[Listener]:
    """A Listener with an empty page; everything that was started ends with it."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as processes:
        log, terminal = _read_terminal(processes)
        port, display = _free_port(), _free_display()
        Path(folder, "run").mkdir(mode=0o700)
        environment = {
            "PATH": os.environ["PATH"],
            "DISPLAY": display,
            "HOME": folder,
            "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": f"{folder}/run",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

        def start(*command):
            process = subprocess.Popen(
                command,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            processes.callback(process.wait)
            processes.callback(_end, process)

        start("Xvfb", display, "-screen", "0", "1280x900x24")
        script = SESSION.format(bus=BUS, log=terminal, folder=folder, port=port)
        start("dbus-run-session", "--", "bash", "-c", script)
        browser = _connect(playwright, port)
        page = browser.contexts[0].pages[0]
        yield Listener(page, log, environment)
        browser.close()


def _connect(playwright, port):
    deadline = time.monotonic() + 60
    while True:
        try:
            return playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        except Exception:  # it says so in several ways that nobody listens there yet
            if time.monotonic() > deadline:
                raise
            time.sleep(0.3)


def _end(process):
    """End a program and all that it started: they are a session of their own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(5)
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)

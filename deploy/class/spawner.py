"""How the hub starts a student's server: in the student's own account, on the student's own disk, a
few at a time."""

import asyncio
import os
import pwd
import sys
from pathlib import Path

import accounts
from jupyterhub.spawner import LocalProcessSpawner
from jupyterhub.utils import wait_for_server
from traitlets import Integer, Unicode

HERE = Path(__file__).resolve().parent


class StudentSpawner(LocalProcessSpawner):
    """A local process, but: the account is ours to make, and isolate.sh closes the door behind the
    server."""

    folder = Unicode(help="where the homes and disks are").tag(config=True)
    course = Unicode(help="the repository that students get a copy of").tag(config=True)
    branch = Unicode(help="its branch; empty: its own choice").tag(config=True)
    disk = Integer(help="MiB a student").tag(config=True)
    process_memory = Integer(help="MiB a process").tag(config=True)
    processes = Integer(help="processes and threads a student").tag(config=True)

    # Servers that start all at once wait for one another and pass their time limits together; a few
    # at a time, the first are ready early and none waits longer in all.
    starting = asyncio.Semaphore(2 * (os.cpu_count() or 1))

    def make_preexec_fn(self, name):
        return None  # isolate.sh changes the account, after the mounts that need root

    def user_env(self, env):
        env["USER"] = accounts.account(self.user.name)
        env["HOME"] = str(accounts.home(self.folder, self.user.name))
        env["SHELL"] = "/bin/sh"
        return env

    def load_state(self, state):
        """After the hub's restart: the process, if that number is still the student's (else it may
        be anybody's)."""
        super().load_state(state)
        try:
            if (
                self.pid
                and os.stat(f"/proc/{self.pid}").st_uid
                != pwd.getpwnam(accounts.account(self.user.name)).pw_uid
            ):
                self.pid = 0
        except (FileNotFoundError, KeyError):
            self.pid = 0

    async def start(self):
        async with self.starting:
            await asyncio.to_thread(accounts.open_home, self.folder, self.user.name, self.disk)
            who = accounts.account(self.user.name)
            self.cmd = [
                "unshare",
                "--mount",
                "--propagation",
                "private",
                "sh",
                str(HERE / "isolate.sh"),
                who,
                str(self.process_memory * 2**20),
                str(self.processes),
                sys.executable,
                str(HERE / "pull.py"),
                self.course,
                self.branch,
                "course",
                str(Path(sys.executable).with_name("jupyterhub-singleuser")),
            ]
            ip, port = await super().start()
            await wait_for_server(ip, port, timeout=self.http_timeout)
            return ip, port

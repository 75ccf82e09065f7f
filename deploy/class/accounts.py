"""A student's place on the machine: a Unix account without a password, and a home that is a file
system of fixed size.

The account keeps students out of each other's files and processes. The file system is their quota:
what one student writes can fill no other's disk, and needs no quota support of the machine's own.
"""

import contextlib
import fcntl
import hashlib
import os
import pwd
import re
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

PREFIX = "class-"
_passwd = threading.Lock()  # useradd fails where another one holds the password file
POWERLESS = ["--init-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]


def account(name):
    """The Unix account of a hub user: readable, short, never that of somebody else."""
    slug = re.sub("[^a-z0-9]", "", name.lower())[:12]
    return f"{PREFIX}{slug}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def home(folder, name):
    return Path(folder) / "homes" / account(name)


def disk(folder, name):
    return Path(folder) / "disks" / f"{account(name)}.img"


def as_student(name):
    """The beginning of a command line: the rest runs in the student's account, with no way back."""
    who = account(name)
    return ["setpriv", f"--reuid={who}", f"--regid={who}", *POWERLESS]


def _run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()}")


def open_home(folder, name, megabytes):
    """Make the account and its disk where they are not yet there, and mount the disk as its home,
    which is returned."""
    who, place, image = account(name), home(folder, name), disk(folder, name)
    with _passwd:
        try:
            user = pwd.getpwnam(who)
        except KeyError:
            _run(
                "useradd",
                "--no-create-home",
                "--home-dir",
                place,
                "--shell",
                "/usr/sbin/nologin",
                "--user-group",
                who,
            )
            user = pwd.getpwnam(who)
    if not image.exists():
        raw = image.with_suffix(".new")
        with open(raw, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.truncate(megabytes * 2**20)
        _run(
            "mkfs.ext4",
            "-q",
            "-F",
            "-m",
            "0",
            "-J",
            "size=4",
            "-E",
            f"root_owner={user.pw_uid}:{user.pw_gid}",
            raw,
        )
        raw.rename(image)
    place.mkdir(mode=0o700, exist_ok=True)
    with open(image) as held:
        fcntl.flock(
            held, fcntl.LOCK_EX
        )  # the hub and a command of hub.py's could come at the same moment
        if not os.path.ismount(place):
            _run("mount", "-o", "loop,nosuid,nodev", image, place)
    os.chown(place, user.pw_uid, user.pw_gid)
    os.chmod(place, 0o700)
    return place


def close_homes(folder, names=None):
    """Unmount the homes of these users, or all below the folder; their disks stay."""
    places = (
        Path(folder, "homes").glob(f"{PREFIX}*")
        if names is None
        else [home(folder, name) for name in names]
    )
    for place in places:
        if os.path.ismount(place):
            _run("umount", place)


def close(folder, name):
    """End what the student still runs, and unmount the home. False where there is no such
    account."""
    try:
        uid = pwd.getpwnam(account(name)).pw_uid
    except KeyError:
        return False
    end(uid)
    close_homes(folder, [name])
    return True


def remove(folder, name):
    """Delete home, disk and account: all of the student's work."""
    if not close(folder, name):
        return
    shutil.rmtree(home(folder, name), ignore_errors=True)
    disk(folder, name).unlink(missing_ok=True)
    _run("userdel", account(name))


def end(uid):
    """Kill an account's processes, until there are none."""
    while running := processes().get(uid):
        for pid in running:
            _kill(pid)
        time.sleep(0.1)


def processes():
    """{uid: {pid: bytes of its own memory}} of the students' processes."""
    students = {user.pw_uid for user in pwd.getpwall() if user.pw_name.startswith(PREFIX)}
    found = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                status = Path(entry.path, "status").read_text()
            except OSError:
                continue  # it ended meanwhile
            uid = int(re.search(r"^Uid:\s+(\d+)", status, re.M)[1])
            if uid in students and not re.search(r"^State:\s+Z", status, re.M):
                own = re.search(r"^RssAnon:\s+(\d+)", status, re.M)
                found.setdefault(uid, {})[int(entry.name)] = int(own[1]) * 1024 if own else 0
    return found


def end_what_takes_too_much(megabytes):
    """End the largest process of each student whose processes together hold more. Returns the
    accounts."""
    over = []
    for uid, own in processes().items():
        if sum(own.values()) > megabytes * 2**20:
            _kill(max(own, key=own.get))
            over.append(pwd.getpwuid(uid).pw_name)
    return over


def _kill(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)

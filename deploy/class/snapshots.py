"""What students have, taken along: their notebooks for a report (collect), everything for a bad day
(backup, restore).

A home is a stranger's: it may hold links to other places, pipes without an end, files of any size
and folders of any depth. `collect` opens files itself and follows nothing. `backup` and `restore`
let tar do it in the student's own account, which can neither read nor write what the student could
not.
"""

import contextlib
import datetime
import dbm
import fnmatch
import hashlib
import io
import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import tarfile
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

import accounts

WANTED = ("*.ipynb", "*.answers.json", "my_transformer.py")
FILE, ALL = 32 << 20, 256 << 20  # bytes of a file, and of a student's files together
DEPTH, ENTRIES, TOLD = (
    8,
    100_000,
    20,
)  # folders in folders; names looked at; reasons that are told of each student
SECONDS = 600  # for the tar of one home
NOT_KEPT = ("./.tmp", "./.cache", "./lost+found")
BUNDLE = "edition.bundle"
UNTOLD = re.compile(
    r"passwords.*|hub\.sqlite.*|admin_service\.pid|.*\.log"
)  # in the folder `state`: kept in another form, or of no use later


def students(folder):
    """The names that the hub knows, whether it runs or not."""
    base = Path(folder, "state", "hub.sqlite")
    if not base.exists():
        return []
    with contextlib.closing(
        sqlite3.connect(f"{base.as_uri()}?mode=ro", uri=True, timeout=30)
    ) as opened:
        return [name for (name,) in opened.execute("SELECT name FROM users ORDER BY name")]


def passwords(folder, mode):
    """The file of first-use passwords, opened. Somebody may log in at this moment and hold it."""
    for _ in range(50):
        try:
            return dbm.open(str(Path(folder, "state", "passwords")), mode, 0o600)
        except dbm.error as error:
            if "exist" in str(error) or "db type" in str(error):
                return contextlib.nullcontext({})  # nobody has a password yet
            time.sleep(0.1)
    raise RuntimeError("the file of passwords stayed in use for five seconds; once more, please")


def give(path):
    """To whoever called sudo. Nobody else can read it."""
    who = (int(os.environ.get("SUDO_UID", 0)), int(os.environ.get("SUDO_GID", 0)))
    for below in [path, *path.rglob("*")] if path.is_dir() else [path]:
        os.chown(below, *who, follow_symlinks=False)


def now():
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")


# Collecting.


class Home:
    """The files of one home that are wanted: `files()` yields (path, bytes). What was left out
    stands in `left_out` afterwards, and why."""

    def __init__(self, place):
        self.place, self.left_out, self.names, self.bytes = place, {}, 0, 0

    def files(self):
        with _opened(os.open(self.place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)) as folder:
            yield from self._below(folder, ())

    def _below(self, folder, path):
        with os.scandir(folder) as entries:
            for entry in entries:
                self.names += 1
                if self.names > ENTRIES:
                    self.left_out["/"] = f"more than {ENTRIES} names; the rest was not looked at"
                    return
                if entry.name.startswith("."):
                    continue
                where = (*path, entry.name)
                try:
                    if entry.is_dir(follow_symlinks=False):
                        yield from self._folder(folder, where)
                    elif any(fnmatch.fnmatchcase(entry.name, wanted) for wanted in WANTED):
                        yield "/".join(where), self._read(folder, entry.name)
                except (OSError, ValueError) as error:
                    self.left_out["/".join(where)] = (
                        error.strerror if isinstance(error, OSError) else str(error)
                    )

    def _folder(self, folder, where):
        if len(where) > DEPTH:
            raise ValueError(f"deeper than {DEPTH} folders")
        with _opened(
            os.open(where[-1], os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
        ) as inner:
            yield from self._below(inner, where)

    def _read(self, folder, name):
        with _opened(
            os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        ) as file:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise ValueError("no ordinary file")
            with open(file, "rb", closefd=False) as opened:
                data = opened.read(FILE + 1)
        if len(data) > FILE:
            raise ValueError(f"more than {FILE >> 20} MiB")
        if self.bytes + len(data) > ALL:
            raise ValueError(f"more than {ALL >> 20} MiB in all")
        self.bytes += len(data)
        return data


@contextlib.contextmanager
def _opened(number):
    try:
        yield number
    finally:
        os.close(number)


def _git(settings, *words):
    """What git says of the course; nothing where it is out of reach."""
    environment = {**os.environ, "GIT_CONFIG_SYSTEM": str(Path(settings["folder"], "gitconfig"))}
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run(
            ["git", *words], env=environment, capture_output=True, text=True, timeout=60
        ).stdout
    return ""


def handed_out(settings):
    """(the commit that students get now, the git names of all files that the course ever handed
    out)"""
    head = _git(settings, "ls-remote", settings["course"], settings["branch"] or "HEAD").partition(
        "\t"
    )[0]
    where = urllib.parse.urlparse(settings["course"])
    names = (
        _git(
            settings,
            "-C",
            urllib.request.url2pathname(where.path),
            "rev-list",
            "--objects",
            "--all",
        )
        if where.scheme == "file"
        else ""
    )
    return head, {line.partition(" ")[0] for line in names.splitlines()}


def folder_of(name):
    """A student's folder: the log-in, or the account where a log-in is no name for a folder."""
    return name if re.fullmatch(r"[\w@+-][\w@+. -]{0,99}", name) else accounts.account(name)


def collect(settings, names, target):
    """Copy what students wrote to target/LOGIN/..., with a stamp. What they have as it was handed
    out is left where it is.

    Yields (name, number of files, {path: why it was left out}).
    """
    part = target.with_name(f"{target.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(mode=0o700)
    head, theirs = handed_out(settings)
    stamp = {"time": now(), "course": head, "students": {}}
    for name in names:
        (part / folder_of(name)).mkdir()
        left_out, files = {}, 0
        if accounts.disk(settings["folder"], name).exists():
            try:
                home = Home(accounts.open_home(settings["folder"], name, settings["disk"]))
                for path, data in home.files():
                    if hashlib.sha1(b"blob %d\0%b" % (len(data), data)).hexdigest() not in theirs:
                        (part / folder_of(name) / path).parent.mkdir(parents=True, exist_ok=True)
                        (part / folder_of(name) / path).write_bytes(data)
                        files += 1
                left_out = home.left_out
            except RuntimeError as error:
                left_out = {"/": str(error)}
        told = dict(list(left_out.items())[:TOLD])
        stamp["students"][name] = {
            "folder": folder_of(name),
            "files": files,
            "left_out": told,
            "left_out_in_all": len(left_out),
        }
        yield name, files, left_out
    (part / "collected.json").write_text(json.dumps(stamp, indent=1) + "\n")
    give(part)
    part.rename(target)


# Backup and restore.


def _member(archive, name, file, size):
    """Add what stands in an open file to an archive."""
    info = tarfile.TarInfo(name)
    info.size, info.mode, info.mtime = size, 0o600, int(time.time())
    file.seek(0)
    archive.addfile(info, file)


def _state(folder):
    """{name: bytes} of what the hub knows: its database as of one moment, the passwords, the
    keys."""
    found = {
        path.name: path.read_bytes()
        for path in Path(folder, "state").iterdir()
        if path.is_file() and not UNTOLD.fullmatch(path.name)
    }
    with (
        contextlib.closing(
            sqlite3.connect(Path(folder, "state", "hub.sqlite"), timeout=30)
        ) as base,
        contextlib.closing(sqlite3.connect(":memory:")) as copy,
    ):
        base.backup(copy)
        found["hub.sqlite"] = copy.serialize()
    with passwords(folder, "r") as known:
        found["passwords.json"] = json.dumps(
            {bytes(key).decode(): known[key].decode() for key in known.keys()}  # noqa: SIM118
        ).encode()
    return found


def backup(settings, names, file):
    """Everything in one file: state, the edition's history, homes. Yields (name, what was
    wrong)."""
    folder, part = settings["folder"], file.with_name(f"{file.name}.part")
    with (
        open(part, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as raw,
        tarfile.open(fileobj=raw, mode="w") as archive,
    ):
        for name, data in _state(folder).items():
            _member(archive, f"state/{name}", io.BytesIO(data), len(data))
        if (
            Path(folder, "edition.git").exists()
        ):  # students' copies are merged with it: another one of the same files is a stranger
            with tempfile.NamedTemporaryFile(dir=file.parent) as bundle:
                subprocess.run(
                    ["git", "bundle", "create", "--quiet", bundle.name, "--all"],
                    cwd=Path(folder, "edition.git"),
                    check=True,
                )
                with open(bundle.name, "rb") as written:  # git has put another file in its place
                    _member(archive, BUNDLE, written, written.seek(0, os.SEEK_END))
        for name in names:
            if not accounts.disk(folder, name).exists():
                continue
            wrong = ""
            try:
                with tempfile.TemporaryFile(dir=file.parent) as spool:
                    wrong = _tar(
                        settings,
                        name,
                        [
                            "--create",
                            "--one-file-system",
                            *(f"--exclude={path}" for path in NOT_KEPT),
                            ".",
                        ],
                        stdout=spool,
                    )
                    _member(
                        archive,
                        f"homes/{accounts.account(name)}.tar.gz",
                        spool,
                        spool.seek(0, os.SEEK_END),
                    )
            except RuntimeError as error:
                wrong = str(error)
            yield name, wrong
    give(part)
    part.rename(file)


def _tar(settings, name, words, into=".", **streams):
    """tar in the student's account and home. Returns what was wrong, in a line, or nothing."""
    place = accounts.open_home(settings["folder"], name, settings["disk"])
    limit = [
        "timeout",
        "--signal=KILL",
        str(SECONDS),
        "prlimit",
        f"--fsize={2 * settings['disk'] << 20}",
        "--core=0",
    ]
    done = subprocess.run(
        [*limit, *accounts.as_student(name), "tar", "--gzip", f"--directory={into}", *words],
        cwd=place,
        umask=0o077,
        env={"PATH": os.environ["PATH"], "HOME": str(place), "LC_ALL": "C"},
        stderr=subprocess.PIPE,
        **streams,
    )
    said = done.stderr[-500:].decode(errors="replace").strip().splitlines() or [
        f"tar ended with {done.returncode}"
    ]
    return (
        "" if done.returncode in (0, 1) else ascii(said[0])[1:-1]
    )  # 1: a file changed while it was read


def restore_state(settings, archive):
    """The hub's own state and the history of the students' edition, into a folder that has none."""
    folder = Path(settings["folder"])
    state = folder / "state"
    if BUNDLE in archive.getnames():
        with tempfile.NamedTemporaryFile() as bundle:
            shutil.copyfileobj(archive.extractfile(BUNDLE), bundle)
            bundle.flush()
            subprocess.run(
                [
                    "git",
                    "clone",
                    "--quiet",
                    "--bare",
                    "--branch",
                    "main",
                    bundle.name,
                    folder / "edition.git",
                ],
                check=True,
                umask=0o022,
            )
    for member in archive.getmembers():
        kind, _, name = member.name.partition("/")
        if kind == "state" and name == "passwords.json":
            with dbm.open(str(state / "passwords"), "n", 0o600) as known:
                for who, word in json.load(archive.extractfile(member)).items():
                    known[who.encode()] = word.encode()
        elif kind == "state" and "/" not in name:
            with open(
                state / name, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)
            ) as file:
                shutil.copyfileobj(archive.extractfile(member), file)


def restore_home(settings, archive, name):
    """One student's home, (where to, what was wrong). Where the student has files now, into a
    folder beside them: nothing is lost."""
    folder, image = settings["folder"], accounts.disk(settings["folder"], name)
    try:
        member = archive.getmember(f"homes/{accounts.account(name)}.tar.gz")
    except KeyError:
        return "", "no home of this name is in the file"
    if not image.exists():  # the file is gone; a server may still hold what it was
        accounts.close(folder, name)
    stamp = time.strftime("%Y-%m-%dT%H-%M-%S")
    try:
        place = accounts.open_home(folder, name, settings["disk"])
    except RuntimeError:  # a disk that is none any more
        image.rename(image.with_suffix(f".broken-{stamp}"))
        place = accounts.open_home(folder, name, settings["disk"])
    into = "."
    if set(os.listdir(place)) - {"lost+found", ".tmp", ".cache"}:
        into = f"restored-{stamp}"
        subprocess.run(
            [*accounts.as_student(name), "mkdir", into], cwd=place, umask=0o077, check=True
        )
    with tempfile.TemporaryFile() as spool:
        shutil.copyfileobj(archive.extractfile(member), spool)
        spool.seek(0)
        return into, _tar(settings, name, ["--extract"], into, stdin=spool)

"""What a term needs of the running class hub: new passwords, an update, the students' notebooks,
and back what was lost.

As test_class.py: as root, with a hub that nobody uses; skipped where none runs.
"""

import asyncio
import contextlib
import dbm
import io
import json
import os
import secrets
import shutil
import subprocess
from pathlib import Path

import pytest
from scenes import (
    FOLDER,
    HUB,
    PATH,
    ROOT,
    SETTINGS,
    accounts,
    first_cell,
    hub,
    needs_a_hub,
    output,
    until,
    written,
)

from browser import Student  # isort: skip (scenes knows where it is)

pytestmark = needs_a_hub


def command(*words, fails=False):
    """What hub.py says."""
    settings = os.environ.get("CLASS_HUB_SETTINGS")
    line = [
        FOLDER / "venv/bin/python",
        ROOT / "deploy/class/hub.py",
        *(["--settings", settings] if settings else []),
        *words,
    ]
    done = subprocess.run(line, capture_output=True, text=True)
    assert (done.returncode != 0) == fails, done
    assert "Traceback" not in done.stderr
    return done.stderr if fails else done.stdout


def notebook(path):
    return json.loads(path.read_text())["cells"][0]["source"]


def test_what_students_wrote_is_collected_and_nothing_else(a_class, tmp_path):
    """A home is a stranger's: links, pipes, huge files, deep folders and names with line ends lead
    nowhere and stop nothing."""
    trap = """
import json, os
home = os.path.expanduser("~")
os.makedirs(f"{home}/course/traps", exist_ok=True)
os.chdir(f"{home}/course/traps")
os.symlink("/etc/shadow", "shadow.ipynb")
os.symlink("/etc", "folder")
os.symlink("/", "tree.ipynb")
os.mkfifo("pipe.ipynb")
with open("huge.ipynb", "wb") as file: file.truncate(2**40)
open("two\\nlines.ipynb", "w").write("{}")
open("03.answers.json", "w").write("[]")
open("notes.txt", "w").write("not wanted")
for _ in range(3000):
    os.mkdir("d" * 20); os.chdir("d" * 20)
open("deep.ipynb", "w").write("{}")
os.chdir(home)
"""

    async def scene(a, b):
        await written(a, "my work")
        kernel = await b.open_kernel(PATH)
        await output(kernel, trap)
        to = tmp_path / "hand-ins"
        said = await asyncio.to_thread(command, "collect", to)
        assert sorted(path.name for path in to.iterdir() if path.name in (a.name, b.name)) == [
            a.name,
            b.name,
        ]
        assert [
            path.relative_to(to / a.name).as_posix()
            for path in (to / a.name).rglob("*")
            if path.is_file()
        ] == [PATH]
        assert "".join(notebook(to / a.name / PATH)) == "my work"
        assert sorted(path.name for path in (to / b.name).rglob("*") if path.is_file()) == [
            "03.answers.json",
            "two\nlines.ipynb",
        ]
        stamp = json.loads((to / "collected.json").read_text())
        assert len(stamp["course"]) == 40
        left_out = stamp["students"][b.name]["left_out"]
        assert {Path(path).name[:20] for path in left_out} >= {
            "shadow.ipynb",
            "tree.ipynb",
            "pipe.ipynb",
            "huge.ipynb",
        }
        assert any("deeper" in reason for reason in left_out.values())
        assert "not wanted" not in said
        assert f"{b.name}: left out" in said
        assert to.stat().st_mode & 0o077 == 0
        assert "wanted a new name" in await asyncio.to_thread(
            command, "collect", to, fails=True
        )  # the first one stays
        await output(
            kernel,
            "import subprocess; subprocess.run(['rm', '-rf', f'{home}/course/traps'], check=True)",
        )
        await kernel.close()

    a_class(scene)


def test_a_forgotten_password_is_chosen_anew_and_the_work_is_there(a_class, passwords):
    async def scene(a, b):
        await written(a, "before the password was lost")
        with pytest.raises(PermissionError):
            async with Student(HUB, a.name, "a new one, longer") as again:
                await again.log_in()
        assert "next log-in" in await asyncio.to_thread(command, "password", a.name)
        async with a.http.get(f"{HUB}/hub/home") as page:
            assert (
                page.url.path == "/hub/login"
            )  # whoever was logged in under the name is not any more
        passwords[a.name] = secrets.token_hex(16)
        async with Student(HUB, a.name, passwords[a.name]) as again:
            await again.log_in()
            await again.start_server()
            assert await first_cell(again) == "before the password was lost"
        with pytest.raises(PermissionError):
            async with Student(HUB, a.name, "a third one, longer") as stranger:
                await stranger.log_in()

    a_class(scene)
    assert "wanted names of students" in command("password", "nobody", fails=True)


def test_an_update_reaches_the_next_start_and_no_running_server(a_class):
    async def scene(a, b):
        kernel = await a.open_kernel(PATH)
        where = "import course_utils; print(course_utils.__file__)"
        before = Path(await output(kernel, where))
        assert "has it" in await asyncio.to_thread(command, "update")
        assert (
            Path(await output(kernel, "import course_utils.quantisation; " + where)) == before
        )  # what it loads late fits
        await asyncio.to_thread(hub.ask, SETTINGS, "DELETE", f"users/{b.name}/server")
        await until(
            lambda: (
                not accounts.processes().get(
                    hub.accounts.pwd.getpwnam(accounts.account(b.name)).pw_uid
                )
            ),
            30,
        )
        await b.start_server()
        other = await b.open_kernel(PATH)
        after = Path(await output(other, where))
        assert after != before
        assert (FOLDER / "editions" / "now").resolve() in after.parents
        await kernel.close()
        await other.close()

    a_class(scene)


def test_a_lost_home_comes_back_and_the_others_stay(a_class, tmp_path):
    async def scene(a, b):
        await written(a, "kept in the backup")
        await written(b, "b then")
        file = tmp_path / "all.tar"
        await asyncio.to_thread(command, "backup", file)
        assert file.stat().st_mode & 0o077 == 0
        # files are lost, or worse than before: the old ones come beside what is there
        await written(a, "worse")
        said = await asyncio.to_thread(command, "restore", file, a.name)
        beside = said.split()[-1]
        assert beside.startswith("restored-")
        assert (await a.read(f"{beside}/{PATH}"))["cells"][0]["source"] == "kept in the backup"
        assert await first_cell(a) == "worse"
        # the whole disk is lost, while the server runs
        accounts.disk(FOLDER, a.name).unlink()
        await written(b, "b now")
        assert await asyncio.to_thread(command, "restore", file, a.name) == f"{a.name}: restored\n"
        await asyncio.sleep(8)  # the hub looks every five seconds
        await a.start_server()
        assert await first_cell(a) == "kept in the backup"
        assert await first_cell(b) == "b now"
        # and a disk that cannot be mounted is put aside
        await asyncio.to_thread(accounts.close, FOLDER, a.name)
        accounts.disk(FOLDER, a.name).write_bytes(bytes(2**20))
        assert await asyncio.to_thread(command, "restore", file, a.name) == f"{a.name}: restored\n"
        await asyncio.sleep(8)
        await a.start_server()
        assert await first_cell(a) == "kept in the backup"
        for broken in (FOLDER / "disks").glob("*.broken-*"):
            broken.unlink()

    a_class(scene)
    (tmp_path / "no.tar").write_text("no archive")
    assert "wanted a file that" in command("restore", tmp_path / "no.tar", "fault-a", fails=True)
    assert "a hub runs" in command("restore", tmp_path / "no.tar", fails=True)


def test_a_new_hub_from_a_backup_knows_everybody_and_their_work(a_class, tmp_path):
    async def scene(a, b):
        await written(a, "on the old machine")
        await asyncio.to_thread(command, "backup", tmp_path / "all.tar")

    a_class(scene)
    folder = FOLDER.with_name(f"{FOLDER.name}-restored")
    settings = {**SETTINGS, "folder": str(folder)}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            hub.restore(settings, tmp_path / "all.tar", [])
        for name in ("fault-a", "fault-b"):
            assert name in hub.snapshots.students(folder)
        with dbm.open(str(folder / "state" / "passwords")) as known:
            assert known["fault-a"].startswith(b"$2")
        for key in ("admin_service", "proxy", "cookie_secret"):
            assert (folder / "state" / key).read_bytes() == (FOLDER / "state" / key).read_bytes()
        # the students' copies go on with the same history, so that later updates still merge
        heads = [
            subprocess.run(
                ["git", "rev-parse", "main"], cwd=there / "edition.git", capture_output=True
            ).stdout
            for there in (folder, FOLDER)
        ]
        assert len(heads[0]) == 41
        assert heads[0] == heads[1]
        place = accounts.open_home(folder, "fault-a", SETTINGS["disk"])
        assert "".join(notebook(place / PATH)) == "on the old machine"
        with pytest.raises(SystemExit, match="has students already"):
            hub.restore(settings, tmp_path / "all.tar", [])
    finally:
        accounts.close_homes(folder)
        shutil.rmtree(folder)

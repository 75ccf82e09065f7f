"""What goes wrong in a class, done on purpose to the running class hub: nothing saved is lost, and
nobody else notices.

In one shell, as root:   python3 deploy/class/hub.py start
In another, as root:     python -m pytest -n 0 tests/hub          (in the course's environment, with
benchmarks/requirements.txt installed)

Skipped where no class hub runs. Takes about three minutes with test_term.py; makes the students
fault-a and fault-b and deletes them.
"""

import asyncio
import json
import os
import signal
import subprocess
import time
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
    hub_process,
    listening,
    needs_a_hub,
    output,
    process,
    refused,
    until,
    written,
)

from browser import Student  # isort: skip (scenes knows where it is)

pytestmark = needs_a_hub


def test_a_stranger_is_not_let_in(a_class):
    async def scene(a, b):
        for name in (
            "fault-stranger",
            a.name,
        ):  # a name that nobody gave, and a known one with another password
            async with Student(HUB, name, "not this one at all") as stranger:
                with pytest.raises(PermissionError):
                    await stranger.log_in()

    a_class(scene)


def test_no_student_reads_another_over_http(a_class):
    async def scene(a, b):
        await written(b, "mine alone")
        for address in (
            f"{b.server}/api/contents/{PATH}",
            f"{b.server}/api/kernels",
            f"{b.server}/files/{PATH}",
        ):
            async with a.http.get(address) as answer:
                assert answer.status == 403
        for address in ("users/fault-b", "users", "users/fault-b/tokens"):
            async with a.http.get(f"{HUB}/hub/api/{address}") as answer:
                assert answer.status in (403, 404)
        # and with the token that a's own server holds, on the open road and at b's door
        kernel = await a.open_kernel(PATH)
        doors = [f"http://127.0.0.1:{port}/user/fault-b" for port in listening(b)]
        tried = await output(
            kernel,
            f"""
import os, urllib.request, urllib.error
for address in {[f"{door}/api/contents" for door in (b.server, *doors)] + [f"{HUB}/hub/api/users/fault-b"]}:
    request = urllib.request.Request(address, headers={{"Authorization": "token " + os.environ["JUPYTERHUB_API_TOKEN"]}})
    try:
        print(urllib.request.urlopen(request).status)
    except urllib.error.HTTPError as error:
        print(error.code)""",  # noqa: E501
        )
        assert set(tried.split()) <= {"403", "404"}
        assert tried.split()[:2] == ["403", "403"]
        await kernel.close()

    a_class(scene)


def test_no_student_reads_another_on_disk(a_class):
    async def scene(a, b):
        kernel, other = await a.open_kernel(PATH), await b.open_kernel(PATH)
        home = accounts.home(FOLDER, b.name)
        server = process(b, "singleuser")
        assert await output(kernel, "import os; print(os.getuid())") != await output(
            other, "import os; print(os.getuid())"
        )
        for code in (
            f"import os; os.listdir({str(home)!r})",
            f"open({str(home / PATH)!r})",
            f"open('/proc/{server}/environ').read()",
            f"import os; os.kill({server}, 9)",
            f"import os; os.listdir({str(FOLDER / 'state')!r})",
            f"import os; os.listdir({str(FOLDER / 'disks')!r})",
            f"import os; os.listdir({str(FOLDER / 'homes')!r})",
            f"open({str(ROOT / 'course_utils' / 'attention.py')!r}, 'a')",
            "open('/etc/shadow')",
            "import os; os.setuid(0)",
        ):
            await refused(kernel, code)
        await output(
            other, "for place in ('/tmp', '/dev/shm'): open(f'{place}/secret', 'w').write('b')"
        )
        for place in ("/tmp", "/dev/shm"):
            await refused(kernel, f"open({place!r} + '/secret')", "FileNotFoundError")
        # outputs are published to whoever connects to a kernel: whatever port b's processes listen
        # on, nothing of b's is heard there
        ports = listening(b)
        assert ports
        heard = asyncio.create_task(
            output(
                kernel,
                f"""
import zmq
ear = zmq.Context.instance().socket(zmq.SUB)
ear.subscribe(b"")
for port in {ports}: ear.connect(f"tcp://127.0.0.1:{{port}}")
print(ear.poll(3000))""",
            )
        )
        await output(
            other, "import time\nfor _ in range(20): print('a secret', flush=True); time.sleep(0.1)"
        )
        assert await heard == "0\n"
        await kernel.close()
        await other.close()

    a_class(scene)


def test_a_killed_kernel_comes_back_and_what_was_saved_is_there(a_class):
    async def scene(a, b):
        kernel, other = await a.open_kernel(PATH), await b.open_kernel(PATH)
        await written(a, "before the kernel fell")
        os.kill(process(a, "ipykernel_launcher"), signal.SIGKILL)
        assert await output(other, "print(1 + 1)") == "2\n"
        await until(lambda: process(a, "ipykernel_launcher"), 30)
        await kernel.close()
        kernel = await a.open_kernel(PATH)
        assert await output(kernel, "print(2 + 2)") == "4\n"
        assert await first_cell(a) == "before the kernel fell"
        await kernel.close()
        await other.close()

    a_class(scene)


def test_a_killed_server_starts_again_and_what_was_saved_is_there(a_class):
    async def scene(a, b):
        other = await b.open_kernel(PATH)
        await written(a, "before the server fell")
        os.kill(process(a, "singleuser"), signal.SIGKILL)
        assert await output(other, "print(1 + 1)") == "2\n"
        await asyncio.sleep(8)  # the hub looks every five seconds
        await a.start_server()
        assert await first_cell(a) == "before the server fell"
        await other.close()

    a_class(scene)


def test_a_killed_hub_interrupts_nobody_and_comes_back(a_class):
    async def scene(a, b):
        kernel = await a.open_kernel(PATH)
        running = asyncio.create_task(
            output(kernel, "import time\nfor i in range(40): time.sleep(0.1)\nprint('to the end')")
        )
        await asyncio.sleep(1)
        before, server = hub_process(), process(a, "singleuser")
        os.kill(before, signal.SIGKILL)
        await written(a, "while the hub was away")
        assert await running == "to the end\n"
        await until(
            lambda: (
                hub_process() not in (None, before) and hub.ask(SETTINGS, "GET", "") is not None
            ),
            30,
        )
        await b.log_in()
        await b.start_server()
        await a.start_server()
        assert process(a, "singleuser") == server
        assert await output(kernel, "print(i)") == "39\n"
        assert await first_cell(a) == "while the hub was away"
        await kernel.close()

    a_class(scene)


def test_a_full_disk_says_so_and_keeps_what_was_saved(a_class):
    async def scene(a, b):
        kernel = await a.open_kernel(PATH)
        await written(a, "before the disk was full")
        size = int(
            await output(
                kernel,
                "import os; s = os.statvfs(os.path.expanduser('~')); print(s.f_blocks *"
                " s.f_frsize)",
            )
        )
        assert size <= SETTINGS["disk"] * 2**20
        fill = (
            "import os\nwith open(os.path.expanduser('~/big'), 'wb') as file:\n    while True:\n   "
            "     file.write(bytes(2**20))"
        )
        await refused(kernel, fill, "OSError")
        await refused(
            kernel,
            "os.chdir('/tmp')\nwith open('more', 'wb') as file:\n    file.write(bytes(2**22));"
            " file.flush()",
            "OSError",
        )
        with pytest.raises(OSError, match="500"):
            await written(a, "too much " * 100_000)
        assert await first_cell(a) == "before the disk was full"
        await written(b, "b has a disk of their own")
        await output(kernel, "os.remove(os.path.expanduser('~/big')); os.remove('more')")
        await written(a, "after cleaning up")
        assert await first_cell(a) == "after cleaning up"
        await kernel.close()

    a_class(scene)


def test_two_tabs_share_a_kernel_and_the_older_one_can_tell(a_class):
    async def scene(a, b):
        one, two = await a.open_kernel(PATH), await a.open_kernel(PATH)
        assert one.id == two.id
        await output(one, "shared = 41")
        assert await output(two, "print(shared + 1)") == "42\n"
        look = f"{a.server}/api/contents/{PATH}?content=0&hash=1"
        seen = await a.ask("GET", look)
        await written(a, "saved in the first tab")
        now = await a.ask("GET", look)  # JupyterLab compares before it saves, and asks
        assert (now["last_modified"], now["hash"]) != (seen["last_modified"], seen["hash"])
        await one.close()
        await two.close()

    a_class(scene)


def test_runaway_processes_meet_their_limit_and_nobody_else(a_class):
    async def scene(a, b):
        kernel, other = await a.open_kernel(PATH), await b.open_kernel(PATH)
        await output(other, "print(0)")
        running = asyncio.create_task(
            kernel.run("""
import subprocess
started, word = [], "all started"
try:
    for i in range(200):
        started.append(subprocess.Popen(["sleep", "4"]))
except BlockingIOError:
    word = "no more"
print(word)
for p in started: p.wait()""")
        )
        slowest = 0
        while not running.done():
            start = time.perf_counter()
            assert await output(other, "print(sum(range(10**6)))") == "499999500000\n"
            slowest = max(slowest, time.perf_counter() - start)
            await asyncio.sleep(0.1)
        _, outputs = await running
        assert outputs[0]["text"] == "no more\n"
        assert slowest < 2
        assert await output(kernel, "print('still here')") == "still here\n"
        await kernel.close()
        await other.close()

    a_class(scene)


def test_a_growing_list_meets_its_limit_and_nobody_else(a_class):
    async def scene(a, b):
        kernel, other = await a.open_kernel(PATH), await b.open_kernel(PATH)
        await written(a, "before the memory was full")
        running = asyncio.create_task(
            kernel.run("grown = []\nwhile True: grown.append(bytes(2**20))")
        )
        while not running.done():
            assert await output(other, "print(1)") == "1\n"
            await asyncio.sleep(0.1)
        reply, _ = await running
        assert reply["ename"] == "MemoryError"
        held = int(await output(kernel, "print(len(grown)); grown.clear()"))
        assert held < SETTINGS["process_memory"]
        assert await first_cell(a) == "before the memory was full"
        await kernel.close()
        await other.close()

    a_class(scene)


def test_two_large_processes_meet_the_students_limit(a_class):
    async def scene(a, b):
        each = SETTINGS["process_memory"] * 3 // 5
        kernel = await a.open_kernel(PATH)
        code = f"""
import subprocess, sys
two = [subprocess.Popen([sys.executable, "-c", "import time; held = b'x' * ({each} * 2**20); time.sleep(20)"]) for _ in range(3)]
print(sorted(p.wait() for p in two)[0])"""  # noqa: E501
        assert await output(kernel, code) == "-9\n"
        await kernel.close()

    a_class(scene)


def test_no_secret_stands_in_a_log(a_class, passwords):
    async def scene(a, b):
        secret = {
            hub.key(FOLDER, "admin_service"),
            hub.key(FOLDER, "proxy"),
            *passwords.values(),
            (FOLDER / "state" / "cookie_secret").read_text().strip(),
        }
        for student in (a, b):
            environment = (
                Path(f"/proc/{process(student, 'singleuser')}/environ").read_text().split("\0")
            )
            secret |= {
                line.split("=", 1)[1]
                for line in environment
                if line.split("=")[0] in ("JUPYTERHUB_API_TOKEN", "JPY_API_TOKEN")
            }
            secret |= {cookie.value for cookie in student.http.cookie_jar}
        assert len(secret) > 8
        for log in FOLDER.joinpath("state").glob("*.log"):
            text = log.read_text()
            assert not [s for s in secret if s in text], log.name

    a_class(scene)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("FirstUseAuthenticator", {"authenticator": "first-use"}),
        (
            "LTI13Authenticator",
            {"authenticator": "lti", "lti": {"issuer": "https://x.example", "client_id": ["a"]}},
        ),
        (
            "GitHubOAuthenticator",
            {
                "authenticator": "oauth",
                "oauth": {"class": "oauthenticator.github.GitHubOAuthenticator", "client_id": "b"},
            },
        ),
    ],
)
def test_one_setting_chooses_the_authenticator(name, settings):
    code = """
from traitlets.config import PyFileConfigLoader
config = PyFileConfigLoader("jupyterhub_config.py", path=".").load_config()
made = config.JupyterHub.authenticator_class(config=config)
print(type(made).__name__, made.allow_all, made.allow_existing_users, getattr(made, "create_users", False), made.trait_values().get("client_id"))"""  # noqa: E501
    environment = {
        **os.environ,
        "CLASS_SETTINGS": json.dumps({**SETTINGS, **settings}),
        "CLASS_ADMIN_TOKEN": "t",
    }
    done = subprocess.run(
        [FOLDER / "venv/bin/python", "-c", code],
        cwd=ROOT / "deploy/class",
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    client = {
        "FirstUseAuthenticator": None,
        "LTI13Authenticator": {"a"},
        "GitHubOAuthenticator": "b",
    }[name]
    assert done.stdout.split(maxsplit=4) == [name, "False", "True", "False", f"{client}\n"]


def test_an_update_and_the_students_work_are_both_there(tmp_path):
    """The course changes and so does the student's copy; both are there after the pull, and a
    broken merge keeps the student's file."""

    def git(folder, *words):
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@t", *words],
            cwd=folder,
            check=True,
            capture_output=True,
        )

    def write(folder, lines, name="n.ipynb"):
        cells = [
            {"cell_type": "markdown", "id": str(i), "metadata": {}, "source": [line]}
            for i, line in enumerate(lines)
        ]
        (folder / name).write_text(
            json.dumps(
                {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1
            )
            + "\n"
        )

    def pull():
        subprocess.run(
            [
                FOLDER / "venv/bin/python",
                ROOT / "deploy/class/pull.py",
                course.as_uri(),
                "",
                "copy",
                "true",
            ],
            cwd=tmp_path,
            check=True,
        )
        return [cell["source"][0] for cell in json.loads((copy / "n.ipynb").read_text())["cells"]]

    course, copy = tmp_path / "course", tmp_path / "copy"
    course.mkdir()
    git(course, "init", "-b", "main")
    write(course, ["one", "two", "three"])
    git(course, "add", ".")
    git(course, "commit", "-m", "first")
    assert pull() == ["one", "two", "three"]
    write(copy, ["mine", "two", "three"])
    (copy / "notes.txt").write_text("my notes")
    write(course, ["one", "two", "better"])
    (course / "new.txt").write_text("new")
    git(course, "add", ".")
    git(course, "commit", "-m", "second")
    assert pull() == ["mine", "two", "better"]
    assert ((copy / "new.txt").read_text(), (copy / "notes.txt").read_text()) == ("new", "my notes")
    # both change the same cell: the student's words stay; a file that is JSON no more is never left
    # behind
    write(copy, ["mine", "two", "better", "my own"])
    write(course, ["one", "changed", "better", "the course's", "and more"])
    git(course, "commit", "-am", "third")
    cells = pull()
    assert "mine" in cells
    assert "my own" in cells

"""Log-in from a learning platform and grades back to it, over LTI 1.3, with a platform of the
tests' own (lms.py).

As test_class.py: as root, where a class hub runs that nobody uses. A second hub, which has
`authenticator = "lti"`, runs beside it for the time of the test, on other ports and in another
folder, with the same installed libraries.
"""

import asyncio
import json
import shutil
import subprocess

import pytest
from scenes import FOLDER, PATH, ROOT, accounts, hub, needs_a_hub, output, until

from browser import Student  # isort: skip (scenes knows where it is)

jwt = pytest.importorskip("jwt", reason="needs benchmarks/requirements.txt")
from lms import CLIENT, SCOPES, Platform  # noqa: E402

pytestmark = needs_a_hub
PORT = 8100
HERE = FOLDER.with_name(".hub-lti")
PEOPLE = {"7": "lti-ada@example.org", "8": "lti-grace@example.org"}


@pytest.fixture
def folder():
    HERE.mkdir()
    for name in ("venv", "node_modules"):
        (HERE / name).symlink_to(FOLDER / name)
    shutil.copy(FOLDER / "installed.sha256", HERE)
    yield HERE
    for name in PEOPLE.values():
        accounts.remove(HERE, name)
    shutil.rmtree(HERE)


class Launched(Student):
    """A student who follows the link in the platform."""

    async def launch(self, platform, number):
        init = {
            "iss": platform.url,
            "login_hint": number,
            "target_link_uri": f"{self.hub}/hub",
            "client_id": CLIENT,
            "lti_message_hint": "x",
        }
        async with self.http.get(f"{self.hub}/hub/lti13/oauth_login", params=init) as page:
            post = await page.json()
        async with self.http.post(post["to"], data=post["form"], allow_redirects=False) as answer:
            return answer.status, post


def test_log_in_from_a_platform_and_grades_back_to_it(folder, tmp_path):
    async def scene():
        async with Platform(PEOPLE) as platform:
            file = HERE / "settings.toml"
            file.write_text(f"""
authenticator = "lti"
open = true
folder = "."
port = {PORT}
[lti]
issuer = "{platform.url}"
authorize_url = "{platform.url}/auth"
jwks_endpoint = "{platform.url}/jwks"
client_id = ["{CLIENT}"]
[grades]
token_url = "{platform.url}/token"
""")
            line = [FOLDER / "venv/bin/python", ROOT / "deploy/class/hub.py", "--settings", file]
            settings = hub.read_settings(file)

            async def said(*words):
                done = await asyncio.to_thread(
                    subprocess.run, [*line, *words], capture_output=True, text=True
                )
                assert "Traceback" not in done.stderr, done.stderr
                return done.stdout

            with open(HERE / "log", "wb") as log:
                running = subprocess.Popen([*line, "start"], stdout=log, stderr=log)
            try:
                await until(
                    lambda: (
                        (HERE / "state" / "admin_service").exists()
                        and hub.ask(settings, "GET", "") is not None
                    ),
                    60,
                )
                # in: by the platform's word alone, and only once
                async with Launched(f"http://127.0.0.1:{PORT}", PEOPLE["7"], "") as ada:
                    status, post = await ada.launch(platform, "7")
                    assert status == 302
                    await ada.start_server()
                    kernel = await ada.open_kernel(PATH)
                    assert await output(kernel, "print(6 * 7)") == "42\n"
                    await kernel.close()
                    async with ada.http.post(post["to"], data=post["form"]) as again:
                        assert again.status == 400
                # what another key signed is not believed
                platform.key, real = Platform({}).key, platform.key
                async with Launched(f"http://127.0.0.1:{PORT}", PEOPLE["8"], "") as mallory:
                    assert (await mallory.launch(platform, "8"))[0] == 400
                platform.key = real
                # out: what the hub says it is called, and the grades
                public, jwk = (await said("key")).strip().rsplit("\n", 1)
                platform.tool_key = public
                assert json.loads(jwk)["alg"] == "RS256"
                table = tmp_path / "students.csv"
                table.write_text(
                    "name,email,login,03_queries (of 4),05_causal (of 6),total (of 10)\n"
                    f"Ada,{PEOPLE['7'].upper()},,3,5.5,8.5\nNobody,nobody@example.org,,1,,1\n"
                )
                answer = await said("grades", table)
                assert "3 grades sent" in answer
                assert "nobody@example.org: has not come" in answer
                assert platform.scores == {
                    "03_queries": {"7": (3, 4)},
                    "05_causal": {"7": (5.5, 6)},
                    "The link": {"7": (8.5, 10)},
                }
                await said("grades", table)  # again: the same columns
                assert len(platform.items) == 3
                (tmp_path / "grades.csv").write_text("Username,Sum of the lectures\nada,3\n")
                assert (
                    await said("grades", tmp_path / "grades.csv") == ""
                )  # the table for Moodle: refused, nothing sent
                # a platform that takes a grade for the link alone
                platform.scopes, platform.scores = SCOPES[1:], {}
                async with Launched(f"http://127.0.0.1:{PORT}", PEOPLE["7"], "") as ada:
                    await ada.launch(platform, "7")
                assert "1 grade sent; 2 not" in await said("grades", table)
                assert platform.scores == {"The link": {"7": (8.5, 10)}}
            finally:
                running.terminate()
                await asyncio.to_thread(running.wait)

    asyncio.run(asyncio.wait_for(scene(), 240))

"""The class hub behind the web server that speaks HTTPS: deploy/class/Caddyfile as it is, with a
certificate of Caddy's own.

As test_class.py: as root, with a hub that nobody uses; skipped where none runs, and where there is
no Caddy (apt-get install caddy).
"""

import asyncio
import os
import shutil
import socket
import ssl
import subprocess

import pytest
from scenes import PATH, ROOT, SETTINGS, needs_a_hub, output, until

from browser import Student  # isort: skip (scenes knows where it is)

pytestmark = [
    needs_a_hub,
    pytest.mark.skipif(shutil.which("caddy") is None, reason="apt-get install caddy"),
]
PORT = 8443


@pytest.fixture
def certificate(tmp_path):
    """Caddy runs; the file of the authority that signed its certificate."""
    quiet = (  # touches nothing of this machine
        "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
    )
    (tmp_path / "Caddyfile").write_text(f"{quiet}import {ROOT}/deploy/class/Caddyfile\n")
    environment = {
        **os.environ,
        "XDG_DATA_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "HUB_NAME": f"localhost:{PORT}",
        "HUB_PORT": str(SETTINGS["port"]),
    }
    with open(tmp_path / "log", "wb") as log:
        caddy = subprocess.Popen(
            ["caddy", "run", "--config", tmp_path / "Caddyfile"],
            env=environment,
            stdout=log,
            stderr=log,
        )
    yield tmp_path / "caddy/pki/authorities/local/root.crt"
    caddy.terminate()
    caddy.wait()


def listens():
    with socket.socket() as door:
        return door.connect_ex(("127.0.0.1", PORT)) == 0


def test_a_student_works_over_https(passwords, certificate):
    async def scene():
        await until(lambda: certificate.exists() and listens(), 30)
        context = ssl.create_default_context(cafile=certificate)
        async with Student(
            f"https://localhost:{PORT}", "fault-a", passwords["fault-a"], context
        ) as student:
            await student.log_in()
            await student.start_server()
            assert {cookie.key for cookie in student.http.cookie_jar if not cookie["secure"]} <= {
                "_xsrf"
            }  # none that lets somebody in
            kernel = await student.open_kernel(PATH)
            assert str(kernel.socket._response.url).startswith(
                f"https://localhost:{PORT}/user/fault-a/api/kernels"
            )
            assert await output(kernel, "print(6 * 7)") == "42\n"
            await kernel.close()
        async with Student(
            f"https://localhost:{PORT}", "fault-a", passwords["fault-a"]
        ) as other:  # the certificate is looked at
            with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
                await other.log_in()

    asyncio.run(asyncio.wait_for(scene(), 180))

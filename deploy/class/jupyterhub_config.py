"""JupyterHub as settings.toml says; hub.py hands over the settings and the keys through the
environment."""

import json
import logging
import os
import sys
from pathlib import Path

from traitlets.utils.importstring import import_item

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from spawner import StudentSpawner  # noqa: E402

c = get_config()  # noqa: F821
settings = json.loads(os.environ["CLASS_SETTINGS"])
folder, port = Path(settings["folder"]), settings["port"]

# The proxy is a process of its own and servers outlive the hub: a hub that falls and is started
# again interrupts no lecture.
c.JupyterHub.bind_url = f"http://{settings['address']}:{port}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{port + 1}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{port + 2}"
c.ConfigurableHTTPProxy.should_start = False
c.JupyterHub.cleanup_servers = False
c.JupyterHub.cleanup_proxy = False
c.JupyterHub.proxy_check_interval = 5
c.JupyterHub.db_url = f"sqlite:///{folder / 'state' / 'hub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(folder / "state" / "cookie_secret")

# Of all that JupyterHub logs, one line holds something of a browser's: the session that a new form
# cookie is for.
logging.getLogger("tornado.application").addFilter(
    lambda record: "new xsrf cookie" not in str(record.msg)
)

# Who may come in: known names. Strangers only where the settings open the door.
known = {
    "lti": "ltiauthenticator.lti13.auth.LTI13Authenticator",
    "first-use": "firstuseauthenticator.FirstUseAuthenticator",
    "oauth": settings["oauth"].pop("class", "oauthenticator.generic.GenericOAuthenticator"),
}
authenticator = import_item(known[settings["authenticator"]])
c.JupyterHub.authenticator_class = authenticator
for name, value in settings.get(settings["authenticator"], {}).items():
    c[authenticator.__name__][name] = value
c.Authenticator.allowed_users = set(settings["students"])
c.Authenticator.admin_users = set(settings["admins"])
c.Authenticator.allow_existing_users = True
c.Authenticator.allow_all = settings["open"]
c.Authenticator.delete_invalid_users = True
c.Authenticator.enable_auth_state = (
    settings["authenticator"] == "lti"
)  # who a student is to the platform, encrypted: grades.py asks for it
c.FirstUseAuthenticator.create_users = settings["open"]
c.FirstUseAuthenticator.min_password_length = 10
c.FirstUseAuthenticator.dbm_path = str(folder / "state" / "passwords")

# What they get.
c.JupyterHub.spawner_class = StudentSpawner
for name in ("folder", "course", "branch", "disk", "process_memory", "processes"):
    c.StudentSpawner[name] = settings[name]
c.Spawner.default_url = "/lab/tree/course/notebooks/00_start_here.ipynb"
c.Spawner.args = ["--ServerApp.log_level=WARN"]
c.Spawner.environment = {
    "JUPYTER_CONFIG_PATH": str(HERE / "jupyter"),
    "JUPYTER_PATH": str(HERE / "jupyter"),
    # The package, which no student can change: the edition of this moment, as long as the server
    # runs.
    "PYTHONPATH": lambda spawner: str((folder / "editions" / "now").resolve()),
    "JUPYTER_RUNTIME_DIR": str(
        Path("/tmp", "jupyter")
    ),  # on the student's own disk; short, for the names of sockets are
    "GIT_CONFIG_SYSTEM": str(folder / "gitconfig"),
    "MALLOC_ARENA_MAX": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
c.Spawner.poll_interval = 5  # a server that fell is noticed soon
c.Spawner.start_timeout = 600  # 40 students on two cores come in together: the last one waits
c.Spawner.http_timeout = 120
c.JupyterHub.concurrent_spawn_limit = (
    0  # StudentSpawner.starting holds them back instead of an error page
)
c.JupyterHub.tornado_settings = {"slow_spawn_timeout": 1}

c.JupyterHub.services = [
    {
        "name": "idle",
        "command": [
            "setpriv",
            "--pdeathsig",
            "TERM",
            sys.executable,
            "-m",
            "jupyterhub_idle_culler",
            f"--timeout={settings['idle']}",
            f"--max-age={settings['longest']}",
            "--cull-every=60",
        ],
    },
    {
        "name": "admin_service",
        "api_token": os.environ["CLASS_ADMIN_TOKEN"],
    },  # hub.py and the load test
]
c.JupyterHub.load_roles = [
    {
        "name": "idle",
        "services": ["idle"],
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
    },
    {
        "name": "admin_service",
        "services": ["admin_service"],
        "scopes": ["admin:users", "admin:servers", "admin:auth_state", "list:users", "shutdown"],
    },
]

"""A JupyterHub for a class, on one machine that has Python 3.11 or newer, node 20 or newer and npm. Run it as root.

    python3 hub.py [--settings FILE] start   starts it, and keeps it running until Ctrl-C or stop
    python3 hub.py stop                       from another shell: stops servers, hub and proxy
    python3 hub.py add NAME ...               lets these students in
    python3 hub.py remove NAME ...            deletes these students with their account and all their work

FILE is a TOML file; what it does not say stands in settings.toml beside this file. The first start makes a virtual environment and a npm
folder in the settings' folder and installs exactly what requirements.txt and package-lock.json say; later ones start at once.
"""

import argparse
import hashlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import accounts

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
AUTHENTICATORS = ("first-use", "lti", "oauth")


def fail(message):
    sys.exit(f"hub.py: {message}")


def read_settings(path):
    """The settings as a dict, every name known and every path whole."""
    settings = tomllib.loads((HERE / "settings.toml").read_text())
    base = Path(path or HERE / "settings.toml").resolve()
    own = tomllib.loads(base.read_text())
    for name, value in own.items():
        if name not in settings or type(value) is not type(settings[name]):
            fail(f"{base.name}: got {name} = {value!r}, wanted a setting of settings.toml, of its type")
    settings |= own
    if settings["authenticator"] not in AUTHENTICATORS:
        fail(f"authenticator: got {settings['authenticator']!r}, wanted one of {', '.join(AUTHENTICATORS)}")
    here = {name: base.parent if name in own else HERE for name in ("folder", "course")}
    settings["folder"] = str((here["folder"] / settings["folder"]).resolve())
    if not settings["course"]:
        settings["course"] = Path(settings["folder"], "edition.git").as_uri()
    elif "://" not in settings["course"]:
        settings["course"] = (here["course"] / settings["course"]).resolve().as_uri()
    return settings


def check_machine(settings):
    """One sentence where this machine cannot keep students apart."""
    if os.geteuid() != 0:
        fail("each student gets an account of their own: start as root (sudo)")
    for tool in ("git", "npm", "node", "useradd", "mkfs.ext4", "mount", "unshare", "setpriv", "prlimit"):
        if shutil.which(tool) is None:
            fail(f"{tool} is not installed")
    for path in (Path(sys.executable).resolve(), ROOT, Path(settings["folder"])):
        for part in [path, *path.parents]:
            if part.exists() and not part.stat().st_mode & 0o001:
                fail(f"students cannot enter {part}, and need {path}: use the system's python3, and a course folder such as /srv/course")
        if path.is_relative_to("/tmp") or path.is_relative_to("/var/tmp"):
            fail(f"{path} lies in a folder of which every student has another one: put it elsewhere, such as /srv")
    if subprocess.run(["unshare", "--mount", "--propagation", "private", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode:
        fail("root may not mount here, as in many containers: take deploy/kubernetes instead")


def make_folders(folder):
    """Students may pass through to their own home and to the virtual environment, and see nothing else."""
    for name, mode in {"": 0o711, "homes": 0o711, "disks": 0o700, "state": 0o700}.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name).chmod(mode)


def install(folder):
    """The Python of the folder's virtual environment; it and the proxy are installed unless exactly these files were installed before."""
    python = folder / "venv" / "bin" / "python"
    wanted = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in ("requirements.txt", "package-lock.json"))).hexdigest()
    stamp = folder / "installed.sha256"
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    print("Installing what the hub needs, once ...", flush=True)
    venv.create(folder / "venv", with_pip=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(HERE / name, folder)
    try:
        subprocess.run([*pip, "-r", HERE / "requirements.txt"], check=True)
        subprocess.run(["npm", "ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder, check=True)
    except subprocess.CalledProcessError:
        fail("the installation failed; the lines above say why. Is there a network, and (on Debian) the package python3-venv?")
    stamp.write_text(wanted)
    return python


def make_edition(folder, solutions):
    """The students' edition of the course, in the folder `edition` (whose package their kernels import) and as a repository beside it."""
    student = [sys.executable, ROOT / "scripts" / "export.py", "student", "--to", folder / "edition"]
    branch = ["--branch", "main", "--repository", folder / "edition.git"]
    subprocess.run([*student, *branch, *([] if solutions else ["--without-solutions"])], check=True, umask=0o022)


def key(folder, name):
    """A secret that root alone can read, made when first asked for."""
    file = folder / "state" / name
    if not file.exists():
        with open(file, "x", opener=lambda path, flags: os.open(path, flags, 0o600)) as new:
            new.write(secrets.token_hex(32))
    return file.read_text()


def ask(settings, method, path, data=None):
    """What the hub's own interface answers; None where nobody listens."""
    request = urllib.request.Request(f"http://127.0.0.1:{settings['port'] + 1}/hub/api/{path}", method=method,
                                     data=None if data is None else json.dumps(data).encode())
    request.add_header("Authorization", f"token {key(Path(settings['folder']), 'keeper')}")
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        return error.read()
    except OSError:
        return None


def start(settings):
    check_machine(settings)
    folder = Path(settings["folder"])
    make_folders(folder)
    if ask(settings, "GET", "") is not None:
        fail(f"a hub runs already on port {settings['port']}")
    python = install(folder)
    make_edition(folder, settings["solutions"])
    subprocess.run([python, "-m", "compileall", "-q", folder / "edition"])      # no student may write there, and compiling costs memory
    course = settings["course"].removeprefix("file://")
    (folder / "gitconfig").write_text(f"[safe]\n\tdirectory = {course}\n\tdirectory = {course}/.git\n")
    environment = {**os.environ, "PATH": f"{folder / 'venv/bin'}:{os.environ['PATH']}", "CLASS_SETTINGS": json.dumps(settings),
                   "CLASS_KEEPER_TOKEN": key(folder, "keeper"), "CONFIGPROXY_AUTH_TOKEN": key(folder, "proxy")}
    port = settings["port"]
    commands = {
        "proxy": [folder / "node_modules/.bin/configurable-http-proxy", "--ip", settings["address"], "--port", str(port),
                  "--api-ip", "127.0.0.1", "--api-port", str(port + 2), "--error-target", f"http://127.0.0.1:{port + 1}/hub/error",
                  "--log-level", "warn"],
        "hub": [python, "-m", "jupyterhub", "-f", HERE / "jupyterhub_config.py"],
    }
    logs = {name: open(folder / "state" / f"{name}.log", "ab") for name in commands}  # noqa: SIM115 (the children's, as long as they run)
    running = {}
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    (folder / "state" / "keeper.pid").write_text(str(os.getpid()))
    told = False
    try:
        while True:
            for name, command in commands.items():
                if name not in running or running[name].poll() is not None:
                    running[name] = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", *command], env=environment,
                                                     cwd=folder / "state", stdin=subprocess.DEVNULL,
                                                     stdout=logs[name], stderr=logs[name], start_new_session=True)
            for who in accounts.end_what_takes_too_much(settings["memory"]):
                print(f"{who} held more than {settings['memory']} MiB: the largest process was ended", flush=True)
            if not told and ask(settings, "GET", "") is not None:
                told = True
                print(f"The class hub runs at http://{settings['address']}:{port}", flush=True)
            time.sleep(1)
    finally:
        print("Stopping ...", flush=True)
        ask(settings, "POST", "shutdown", {"servers": True, "proxy": False})
        for process in (running[name] for name in ("hub", "proxy") if name in running):
            try:
                process.wait(60 if process is running["hub"] else 0)
            except subprocess.TimeoutExpired:
                process.terminate()
                process.wait()
        for uid in accounts.processes():
            accounts.end(uid)
        accounts.close_homes(folder)
        (folder / "state" / "keeper.pid").unlink()


def keeper(settings):
    """The file with the process number of the running `start`."""
    file = Path(settings["folder"]) / "state" / "keeper.pid"
    if not file.exists() or not Path("/proc", file.read_text()).exists():
        fail(f"no hub runs in {settings['folder']}")
    return file


def stop(settings):
    file = keeper(settings)
    os.kill(int(file.read_text()), signal.SIGTERM)
    while file.exists():
        time.sleep(0.2)


def add(settings, names):
    keeper(settings)
    ask(settings, "POST", "users", {"usernames": names})


def remove(settings, names):
    keeper(settings)
    with ThreadPoolExecutor() as several:                      # a server takes its time to stop
        list(several.map(lambda name: ask(settings, "DELETE", f"users/{name}/server"), names))
    for name in names:
        ask(settings, "DELETE", f"users/{name}")
        accounts.remove(settings["folder"], name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--settings")
    what = parser.add_subparsers(dest="what", required=True)
    for name in ("start", "stop"):
        what.add_parser(name)
    for name in ("add", "remove"):
        what.add_parser(name).add_argument("names", nargs="+")
    arguments = parser.parse_args()
    settings = read_settings(arguments.settings)
    if arguments.what in ("start", "stop"):
        {"start": start, "stop": stop}[arguments.what](settings)
    else:
        {"add": add, "remove": remove}[arguments.what](settings, arguments.names)


if __name__ == "__main__":
    main()

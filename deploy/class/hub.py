"""A JupyterHub for a class, on one machine that has Python 3.11 or newer, node 20 or newer and npm.
Run it as root.

    python3 hub.py [--settings FILE] start   starts it, and keeps it running until Ctrl-C or stop
    python3 hub.py stop                       from another shell: stops servers, hub and proxy
    python3 hub.py add NAME ...               lets these students in; or add --roster FILE, a CSV
    with a column `login` python3 hub.py remove NAME ...            deletes these students with
    their account and all their work python3 hub.py password NAME ...          these students choose
    a new password at their next log-in python3 hub.py update                     the course as it
    is now in this folder, for every server that starts from now on python3 hub.py collect FOLDER
    copies what students wrote to FOLDER/NAME/..., for scripts/export.py report python3 hub.py
    backup FILE                everything in one file: who may come in, passwords, all homes python3
    hub.py restore FILE [NAME ...]    a new hub from it, or these students' homes python3 hub.py key
    for authenticator = "lti": what the learning platform wants to know to take grades python3
    hub.py grades FILE                sends students.csv of scripts/export.py report to the learning
    platform

FILE is a TOML file; what it does not say stands in settings.toml beside this file. The first start
makes a virtual environment and a npm folder in the settings' folder and installs exactly what
requirements.txt and package-lock.json say; later ones start at once.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        f"hub.py: got Python {sys.version.split()[0]}, wanted 3.11 or newer: Debian 12 and 13"
        " have it"
    )

import argparse
import contextlib
import hashlib
import importlib.util
import json
import os
import pwd
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import tarfile
import time
import tomllib
import urllib.error
import urllib.request
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import accounts
import snapshots

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
AUTHENTICATORS = ("first-use", "lti", "oauth")
TOOLS = {
    "git": "git",
    "node": "nodejs",
    "npm": "npm",
    "useradd": "passwd",
    "mkfs.ext4": "e2fsprogs",
    "mount": "mount",
    "unshare": "util-linux",
    "setpriv": "util-linux",
    "prlimit": "util-linux",
}  # a program: the Debian package that has it


def fail(message):
    sys.exit(f"hub.py: {message}")


def read_settings(path):
    """The settings as a dict, every name known and every path whole."""
    settings = tomllib.loads((HERE / "settings.toml").read_text())
    base = Path(path or HERE / "settings.toml").resolve()
    own = tomllib.loads(base.read_text())
    for name, value in own.items():
        if name not in settings or type(value) is not type(settings[name]):
            fail(
                f"{base.name}: got {name} = {value!r}, wanted a setting of settings.toml, of its"
                " type"
            )
    settings |= own
    if settings["authenticator"] not in AUTHENTICATORS:
        fail(
            f"authenticator: got {settings['authenticator']!r}, wanted one of"
            f" {', '.join(AUTHENTICATORS)}"
        )
    here = {name: base.parent if name in own else HERE for name in ("folder", "course")}
    settings["folder"] = str((here["folder"] / settings["folder"]).resolve())
    if not settings["course"]:
        settings["course"] = Path(settings["folder"], "edition.git").as_uri()
    elif "://" not in settings["course"]:
        settings["course"] = (here["course"] / settings["course"]).resolve().as_uri()
    return settings


def check_root():
    if os.geteuid() != 0:
        fail("each student has an account of their own: run it as root (sudo)")


def check_tools():
    """One sentence where a program is missing or too old, with what cures it."""
    packages = {package for tool, package in TOOLS.items() if shutil.which(tool) is None}
    if importlib.util.find_spec("ensurepip") is None:
        packages.add("python3-venv")
    if packages:
        fail(f"something is missing: apt-get install {' '.join(sorted(packages))}")
    wanted = int(
        re.search(r"\d+", json.loads((HERE / "package.json").read_text())["engines"]["node"])[0]
    )
    got = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip()
    if int(re.search(r"\d+|$", got)[0] or 0) < wanted:
        fail(
            f"got node {got or 'that does not run'}, wanted {wanted} or newer: Debian 13 has it; on"
            " Debian 12, which has 18, take nodejs.org's"
        )


def check_machine(settings):
    """One sentence where this machine cannot keep students apart."""
    check_root()
    check_tools()
    for path in (Path(sys.executable).resolve(), ROOT, Path(settings["folder"])):
        for part in [path, *path.parents]:
            if part.exists() and not part.stat().st_mode & 0o001:
                fail(
                    f"students cannot enter {part}, and need {path}: use the system's python3, and"
                    " a course folder such as /srv/course"
                )
        if path.is_relative_to("/tmp") or path.is_relative_to("/var/tmp"):
            fail(
                f"{path} lies in a folder of which every student has another one: put it elsewhere,"
                " such as /srv"
            )
    if subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
        capture_output=True,
    ).returncode:
        fail("root may not mount here, as in many containers: take deploy/kubernetes instead")


def make_folders(folder):
    """Students may pass through to their own home and to the virtual environment, and see nothing
    else."""
    for name, mode in {
        "": 0o711,
        "homes": 0o711,
        "disks": 0o700,
        "state": 0o700,
        "editions": 0o755,
    }.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name).chmod(mode)


def wanted():
    return hashlib.sha256(
        b"".join((HERE / name).read_bytes() for name in ("requirements.txt", "package-lock.json"))
    ).hexdigest()


def installed(folder):
    """Whether exactly these versions were installed before."""
    stamp = folder / "installed.sha256"
    return stamp.exists() and stamp.read_text() == wanted()


def install(folder):
    """The Python of the folder's virtual environment; it and the proxy are installed unless exactly
    these versions were installed before."""
    python = folder / "venv" / "bin" / "python"
    if installed(folder):
        return python
    print("Installing what the hub needs, once ...", flush=True)
    venv.create(folder / "venv", with_pip=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(HERE / name, folder)
    try:
        subprocess.run([*pip, "-r", HERE / "requirements.txt"], check=True)
        subprocess.run(
            ["npm", "ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"],
            cwd=folder,
            check=True,
        )
    except subprocess.CalledProcessError:
        fail(
            "the installation failed; the lines above say why. Is there a network, and (on Debian)"
            " the package python3-venv?"
        )
    (folder / "installed.sha256").write_text(wanted())
    return python


def make_edition(folder, solutions):
    """The students' edition of the course: the folder `editions/now`, whose package their kernels
    import, and a repository beside it.

    Each edition has a folder of its own and `now` is a link that changes in one step, so that a
    server that runs keeps the package
    that fits its notebooks: it was given the folder, not the link.
    """
    edition = folder / "editions" / time.strftime("%Y-%m-%dT%H-%M-%S")
    student = [sys.executable, ROOT / "scripts" / "export.py", "student", "--to", edition]
    branch = ["--branch", "main", "--repository", folder / "edition.git"]
    if subprocess.run(
        [*student, *branch, *([] if solutions else ["--without-solutions"])], umask=0o022
    ).returncode:
        fail("the students' edition could not be made; the lines above say why")
    link = edition.with_name("next")
    link.unlink(missing_ok=True)
    link.symlink_to(edition.name)
    link.replace(edition.with_name("now"))
    python = folder / "venv" / "bin" / "python"
    if python.exists():
        subprocess.run(
            [python, "-m", "compileall", "-q", edition], umask=0o022
        )  # no student may write there, and compiling costs memory


def forget_editions(folder):
    """Delete all editions but the newest, when nobody's server runs."""
    for old in (folder / "editions").iterdir():
        if old.name != "now" and old != (folder / "editions" / "now").resolve():
            shutil.rmtree(old)


def key(folder, name):
    """A secret that root alone can read, made when first asked for."""
    file = folder / "state" / name
    if not file.exists():
        with open(file, "x", opener=lambda path, flags: os.open(path, flags, 0o600)) as new:
            new.write(secrets.token_hex(32))
    return file.read_text()


def ask(settings, method, path, data=None):
    """What the hub's own interface answers; None where nobody listens."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{settings['port'] + 1}/hub/api/{path}",
        method=method,
        data=None if data is None else json.dumps(data).encode(),
    )
    request.add_header("Authorization", f"token {key(Path(settings['folder']), 'admin_service')}")
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
    course = settings["course"].removeprefix("file://")
    (folder / "gitconfig").write_text(
        f"[safe]\n\tdirectory = {course}\n\tdirectory = {course}/.git\n"
    )
    environment = {
        **os.environ,
        "PATH": f"{folder / 'venv/bin'}:{os.environ['PATH']}",
        "CLASS_SETTINGS": json.dumps(settings),
        "CLASS_ADMIN_TOKEN": key(folder, "admin_service"),
        "CONFIGPROXY_AUTH_TOKEN": key(folder, "proxy"),
        "JUPYTERHUB_CRYPT_KEY": key(folder, "crypt"),
    }
    port = settings["port"]
    commands = {
        "proxy": [
            folder / "node_modules/.bin/configurable-http-proxy",
            "--ip",
            settings["address"],
            "--port",
            str(port),
            "--api-ip",
            "127.0.0.1",
            "--api-port",
            str(port + 2),
            "--error-target",
            f"http://127.0.0.1:{port + 1}/hub/error",
            "--log-level",
            "warn",
            "--no-x-forward",
            # the hub hears of HTTPS from the web server before it; this proxy would add "http" and win  # noqa: E501
        ],
        "hub": [python, "-m", "jupyterhub", "-f", HERE / "jupyterhub_config.py"],
    }
    logs = {name: open(folder / "state" / f"{name}.log", "ab") for name in commands}  # noqa: SIM115
    running = {}
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    (folder / "state" / "admin_service.pid").write_text(str(os.getpid()))
    told = False
    try:
        while True:
            for name, command in commands.items():
                if name not in running or running[name].poll() is not None:
                    if name in running:
                        print(
                            f"The {name} ended and is started again; {folder / 'state' / name}.log"
                            " says why",
                            flush=True,
                        )
                    running[name] = subprocess.Popen(
                        ["setpriv", "--pdeathsig", "TERM", *command],
                        env=environment,
                        cwd=folder / "state",
                        stdin=subprocess.DEVNULL,
                        stdout=logs[name],
                        stderr=logs[name],
                        start_new_session=True,
                    )
            for who in accounts.end_what_takes_too_much(settings["memory"]):
                print(
                    f"{who} held more than {settings['memory']} MiB: the largest process was ended",
                    flush=True,
                )
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
        forget_editions(folder)
        (folder / "state" / "admin_service.pid").unlink()


def admin_service(settings):
    """The file with the process number of the running `start`, or None."""
    file = Path(settings["folder"]) / "state" / "admin_service.pid"
    return file if file.exists() and Path("/proc", file.read_text()).exists() else None


def check_runs(settings):
    if not admin_service(settings):
        fail(f"no hub runs in {settings['folder']}")


def stop(settings):
    check_runs(settings)
    file = admin_service(settings)
    os.kill(int(file.read_text()), signal.SIGTERM)
    while file.exists():
        time.sleep(0.2)


def logins(file):
    """The names in a roster's column `login`: the same file that a report reads."""
    sys.path.append(str(ROOT / "scripts"))
    from grading import roster

    found = [person.login.lower() for person in roster.read(Path(file))[0]]
    return found if any(found) else fail(f"got {file} without log-ins, wanted a column `login`")


def of_the_system(name):
    """Whether an account that came with the system has this name."""
    with contextlib.suppress(KeyError, ValueError):
        return (
            not 1000 <= pwd.getpwnam(name).pw_uid < 60000
        )  # the range of Debian's policy for people
    return False


def let_in(settings, name):
    """Why this name cannot come in; nothing where it can now."""
    said = json.loads(
        ask(settings, "POST", "users", {"usernames": [name]})
        or '{"message": "the hub does not answer"}'
    )
    if isinstance(said, list):  # of users that it has made
        return ""
    return (
        "wanted a name, without space, comma or slash"
        if said.get("status") == 400
        else f"the hub says: {said['message']}"
    )


def add(settings, names, roster=None):
    """Whoever can come in does; of the others it is said why not. One at a time, for the hub takes
    all names or none."""
    check_runs(settings)
    names = [*names, *(logins(roster) if roster else [])]
    if not names:
        fail("got nobody to add, wanted names, or --roster FILE")
    before, wrong = snapshots.students(settings["folder"]), {}
    names = list(dict.fromkeys(names))
    for name in names:
        if of_the_system(name):
            wrong[name] = "the system has an account of this name; wanted another one"
        elif name not in before and (why := let_in(settings, name)):
            wrong[name] = why
    for said, those in (
        ("Added", set(names) - set(before)),
        ("In already", set(names) & set(before)),
    ):
        if those := [name for name in names if name in those and name not in wrong]:
            print(f"{said}: {', '.join(those)}", flush=True)
    if wrong:
        sys.exit("\n".join(f"hub.py: {name!r} was not added: {why}" for name, why in wrong.items()))


def forget(settings, names):
    """Stop these students' servers, and let the hub forget them with their passwords and log-ins.
    Their accounts and homes stay."""
    with ThreadPoolExecutor() as several:  # a server takes its time to stop
        list(
            several.map(lambda name: ask(settings, "DELETE", f"users/{quote(name)}/server"), names)
        )
    end = time.monotonic() + 120
    for name in names:
        while name in snapshots.students(settings["folder"]):
            if time.monotonic() > end:
                raise RuntimeError(
                    f"the hub did not let {name} go, see {settings['folder']}/state/hub.log"
                )
            ask(
                settings, "DELETE", f"users/{quote(name)}"
            )  # refused while the server is still stopping
            time.sleep(0.2)


def check_known(settings, names):
    there = snapshots.students(settings["folder"])
    if strangers := set(names) - set(there):
        fail(
            f"got {', '.join(sorted(strangers))}, wanted names of students:"
            f" {', '.join(there) or 'there are none yet'}"
        )


def remove(settings, names):
    check_runs(settings)
    check_known(
        settings, [name for name in names if not accounts.disk(settings["folder"], name).exists()]
    )  # a home alone can be left over
    forget(settings, names)
    for name in names:
        accounts.remove(settings["folder"], name)


def password(settings, names):
    if settings["authenticator"] != "first-use":
        fail(
            f"got authenticator = {settings['authenticator']!r}, wanted 'first-use': with the"
            " others the hub holds no passwords"
        )
    check_known(settings, names)
    if admin_service(settings):
        forget(settings, names)
        if wrong := [f"{name}: {why}" for name in names if (why := let_in(settings, name))]:
            fail(f"their work is there, but they cannot log in: {'; '.join(wrong)}")
    else:
        with snapshots.passwords(settings["folder"], "w") as words:
            for name in names:
                with contextlib.suppress(KeyError):
                    del words[name.encode()]
    print(
        f"{', '.join(names)}: the next log-in chooses a new password. Be there: whoever comes first"
        " under a name has it."
    )


def update(settings):
    folder = Path(settings["folder"])
    if not admin_service(settings):
        fail("no hub runs, and every start brings the course up to date: nothing to do")
    if not installed(folder):
        fail(
            "the update changes what the hub itself runs on: stop it and start it again, which"
            " brings the course up to date, too"
        )
    make_edition(folder, settings["solutions"])
    users = json.loads(ask(settings, "GET", "users?state=active&limit=200") or b"[]")
    print(
        f"Every server that starts from now on has it. {len(users)} that run keep what they have"
        " until they are stopped (File, Hub Control Panel, Stop My Server) and started again."
    )


def new_place(words):
    """A path at which nothing is yet."""
    path = Path(words).absolute()
    if path.exists():
        fail(
            f"got {path}, where something is already; wanted a new name, such as"
            f" {path.stem}-{time.strftime('%Y-%m-%d')}{path.suffix}"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@contextlib.contextmanager
def homes_open(settings):
    """Homes that are mounted in here stay so while the hub runs, and are unmounted afterwards when
    it does not."""
    try:
        yield
    finally:
        if not admin_service(settings):
            accounts.close_homes(settings["folder"])


def key_for_grades(settings):
    _grades(settings, "KEY")


def grades(settings, file):
    check_runs(settings)
    if not settings["grades"].get("token_url"):
        fail(
            "the settings name no token_url below [grades]: where the learning platform lets the"
            " hub in"
        )
    if not Path(file).is_file():
        fail(f"got {file}, wanted students.csv of `scripts/export.py report --roster`")
    _grades(settings, Path(file).absolute())


def _grades(settings, what):
    """Run grades.py with the hub's libraries, which the system's Python has not."""
    if settings["authenticator"] != "lti":
        fail(
            f"got authenticator = {settings['authenticator']!r}, wanted 'lti': grades go where"
            " students come from"
        )
    python = Path(settings["folder"], "venv", "bin", "python")
    sys.exit(
        subprocess.run(
            [python, HERE / "grades.py", what],
            env={**os.environ, "CLASS_SETTINGS": json.dumps(settings)},
        ).returncode
    )


def count(number, word):
    return f"{number} {word}{'' if number == 1 else 's'}"


def collect(settings, target):
    target, total = new_place(target), 0
    names = snapshots.students(settings["folder"])
    with homes_open(settings):
        for name, files, left_out in snapshots.collect(settings, names, target):
            total += files
            for path, reason in list(left_out.items())[:3]:
                print(f"{name}: left out {ascii(path)}: {reason}")
            if len(left_out) > 3:
                print(f"{name}: left out {len(left_out) - 3} more, see collected.json")
    print(f"{count(len(names), 'student')}, {count(total, 'file')} that they changed: {target}")
    if "SUDO_UID" not in os.environ:
        print(
            "It belongs to root. A report runs as an ordinary user: chown -R THE_USER"
            f" {shlex.quote(str(target))}"
        )


def backup(settings, file):
    file, names = new_place(file), snapshots.students(settings["folder"])
    if not names:
        fail(f"there are no students in {settings['folder']} yet")
    kept = 0
    with homes_open(settings):
        for name, wrong in snapshots.backup(settings, names, file):
            kept += 1
            if wrong:
                print(f"{name}: not all could be kept: {wrong}")
    print(
        f"{count(len(names), 'student')}, {count(kept, 'home')}, {file.stat().st_size / 2**20:.1f}"
        f" MiB: {file} (with passwords and keys: guard it)"
    )


def restore(settings, file, names):
    folder = Path(settings["folder"])
    if not names and admin_service(settings):
        fail("a hub runs: stop it first, or name the students whose homes are to come back")
    if not names and any((folder / "disks").glob("*.img")):
        fail(
            f"{folder} has students already; wanted a new folder (the setting `folder`), or names"
            " of students whose homes are to come back"
        )
    make_folders(folder)
    wrong = []
    try:
        with tarfile.open(file) as archive, homes_open(settings):
            if not names:
                snapshots.restore_state(settings, archive)
            for name in names or snapshots.students(folder):
                where, trouble = snapshots.restore_home(settings, archive, name)
                if where:
                    print(
                        f"{name}:"
                        f" restored{'' if where == '.' else f' beside what is there, into {where}'}"
                    )
                if trouble and (names or where):
                    wrong.append(f"{name}: {trouble}")
    except (OSError, tarfile.TarError) as error:
        fail(f"got {file}, wanted a file that `hub.py backup` wrote: {error}")
    if wrong:
        fail("; ".join(wrong))


COMMANDS = {
    "start": start,
    "stop": stop,
    "add": add,
    "remove": remove,
    "password": password,
    "update": update,
    "collect": collect,
    "backup": backup,
    "restore": restore,
    "key": key_for_grades,
    "grades": grades,
}
WORDS = {
    "add": {"names": "*", "--roster": None},
    "remove": {"names": "+"},
    "password": {"names": "+"},
    "collect": {"folder": None},
    "backup": {"file": None},
    "grades": {"file": None},
    "restore": {"file": None, "names": "*"},
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--settings")
    what = parser.add_subparsers(dest="what", required=True)
    for name in COMMANDS:
        command = what.add_parser(name)
        for word, number in WORDS.get(name, {}).items():
            command.add_argument(word, nargs=number)
    arguments = parser.parse_args()
    if "names" in arguments:
        arguments.names = [name.lower() for name in arguments.names]  # as the hub writes them
    settings = read_settings(arguments.settings)
    check_root()
    try:
        COMMANDS[arguments.what](
            settings,
            *(getattr(arguments, word.lstrip("-")) for word in WORDS.get(arguments.what, {})),
        )
    except RuntimeError as error:
        fail(error)


if __name__ == "__main__":
    main()

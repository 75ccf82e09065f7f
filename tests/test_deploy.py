"""The class set-ups, as far as files alone can tell. What a running hub does is in tests/hub."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest
import yaml
from helpers import ROOT

CLASS, KUBERNETES = ROOT / "deploy" / "class", ROOT / "deploy" / "kubernetes"
sys.path.insert(0, str(CLASS))
pytest.importorskip("pwd", reason="a class hub needs a system with accounts as on Linux")
import accounts  # noqa: E402
import hub  # noqa: E402
import snapshots  # noqa: E402


def pins(path):
    """{package: lines} of a requirements file."""
    found = {}
    for line in path.read_text().splitlines():
        if match := re.match(r"([\w.-]+)==", line):
            found.setdefault(match[1].lower(), []).append(line)
    return found


def test_the_hub_runs_the_course_on_the_versions_that_its_tests_ran_on():
    course, classroom = pins(ROOT / "requirements.txt"), pins(CLASS / "requirements.txt")
    assert {"jupyterhub", "nbgitpuller", "jupyterlab", "numpy", "ipywidgets", "psutil"} <= set(
        classroom
    )
    assert {
        name: lines for name, lines in classroom.items() if name in course and lines != course[name]
    } == {}
    assert "jupyterhub" not in course


def test_by_default_only_this_machine_and_only_known_names():
    settings = hub.read_settings(None)
    assert settings["address"] == "127.0.0.1"
    assert settings["authenticator"] == "first-use"
    assert (settings["open"], settings["students"], settings["admins"]) == (False, [], [])
    assert settings["course"] == (CLASS / ".hub" / "edition.git").as_uri()
    assert Path(settings["folder"]) == CLASS / ".hub"


def test_students_get_the_edition_without_answers_or_a_repository_of_the_instructors(tmp_path):
    hub.make_edition(tmp_path, solutions=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["edition.git", "editions"]
    assert (tmp_path / "editions" / "now" / "course_utils" / "attention.py").exists()
    listed = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "main"],
        cwd=tmp_path / "edition.git",
        capture_output=True,
        text=True,
        check=True,
    )
    files = listed.stdout.split()
    assert {"notebooks/00_start_here.ipynb", "course_utils/attention.py", "start.py"} <= set(files)
    assert [
        name
        for name in files
        if name.startswith(("tests", "deploy", "scripts"))
        or "INSTRUCTORS" in name
        or "solutions" in name
    ] == []
    assert "PYTHONPATH" in (CLASS / "jupyterhub_config.py").read_text()
    (tmp_path / "mine.toml").write_text('course = "elsewhere"')
    assert hub.read_settings(tmp_path / "mine.toml")["course"] == (tmp_path / "elsewhere").as_uri()


def test_the_edition_needs_python_alone(tmp_path):
    """The hub makes it with the system's Python, which has no packages (-S: without those of this
    one)."""
    done = subprocess.run(
        [sys.executable, "-S", ROOT / "scripts/export.py", "student", "--to", tmp_path / "edition"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_an_update_leaves_the_edition_that_servers_run_on(tmp_path):
    hub.make_edition(tmp_path, solutions=True)
    before = (tmp_path / "editions" / "now").resolve()
    before = before.rename(before.with_name("before"))
    hub.make_edition(tmp_path, solutions=True)
    assert (before / "start.py").exists()
    hub.forget_editions(tmp_path)
    assert sorted(path.name for path in (tmp_path / "editions").iterdir()) == sorted(
        ["now", (tmp_path / "editions" / "now").resolve().name]
    )


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ("v18.20.4", "got node v18.20.4, wanted 20"),
        ("", "got node that does not"),
        (None, "nodejs"),
    ],
)
def test_a_machine_that_is_too_old_is_told_what_cures_it(tmp_path, monkeypatch, version, sentence):
    names = [*hub.TOOLS] if version is not None else [name for name in hub.TOOLS if name != "node"]
    for name in names:
        (tmp_path / name).write_text(f"#!/bin/sh\necho {version}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{':/bin' if version is not None else ''}")
    with pytest.raises(SystemExit, match=sentence):
        hub.check_tools()
    monkeypatch.setattr(hub.json, "loads", lambda text: {"engines": {"node": ">=18"}})
    if version == "v18.20.4":
        hub.check_tools()


def test_a_hostile_home_is_read_without_harm(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.ipynb").write_text("secret")
    (home / "link.ipynb").symlink_to(tmp_path / "secret.ipynb")
    (home / "folder").symlink_to(tmp_path)
    os.mkfifo(home / "pipe.ipynb")
    with open(home / "huge.ipynb", "wb") as huge:
        huge.truncate(snapshots.FILE + 1)
    (home / "two\nlines.ipynb").write_text("mine")
    (home / ".ipynb_checkpoints").mkdir()
    (home / ".ipynb_checkpoints" / "old.ipynb").write_text("old")
    (home / "other.txt").write_text("not wanted")
    deep = home
    for _ in range(100):
        deep = deep / "d"
        deep.mkdir()
    (home / "d" / "in.ipynb").write_text("in")
    seen = snapshots.Home(home)
    assert dict(seen.files()) == {"two\nlines.ipynb": b"mine", "d/in.ipynb": b"in"}
    assert set(seen.left_out) == {
        "link.ipynb",
        "pipe.ipynb",
        "huge.ipynb",
        "/".join("d" * (snapshots.DEPTH + 1)),
    }


def test_a_student_has_a_folder_of_a_harmless_name():
    assert [snapshots.folder_of(name) for name in ("ada", "ada@example.org")] == [
        "ada",
        "ada@example.org",
    ]
    for name in ("..", ".hidden", "a/b", "two\nlines", "-x" * 80):
        assert snapshots.folder_of(name) == accounts.account(name)


def test_own_settings_stand_above_the_others(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('authenticator = "lti"\nfolder = "here"\n[lti]\nissuer = "x"')
    settings = hub.read_settings(file)
    assert (settings["authenticator"], settings["lti"], settings["port"]) == (
        "lti",
        {"issuer": "x"},
        8000,
    )
    assert Path(settings["folder"]) == tmp_path / "here"


@pytest.mark.parametrize("wrong", ["portt = 1", 'port = "8000"', 'authenticator = "none"'])
def test_a_wrong_setting_is_named(tmp_path, wrong):
    (tmp_path / "mine.toml").write_text(wrong)
    with pytest.raises(SystemExit, match=wrong.split()[0]):
        hub.read_settings(tmp_path / "mine.toml")


@pytest.fixture
def a_hub(tmp_path, monkeypatch):
    """Settings of a hub that runs and knows ada; it answers as JupyterHub does, and `known` is whom
    it knows."""
    known = ["ada"]

    def ask(settings, method, path, data):
        assert (method, path) == ("POST", "users")
        (name,) = data["usernames"]
        if not name or set(name) & set(" ,/"):
            return json.dumps({"status": 400, "message": f"Invalid username: {name}"})
        known.append(name)
        return json.dumps([{"name": name}])

    monkeypatch.setattr(hub, "ask", ask)
    monkeypatch.setattr(hub, "check_runs", lambda settings: None)
    monkeypatch.setattr(snapshots, "students", lambda folder: sorted(known))
    return {"folder": str(tmp_path), "known": known}


def test_one_bad_name_keeps_nobody_else_out(a_hub, capsys):
    with pytest.raises(SystemExit) as end:
        hub.add(a_hub, ["grace", "a b", "ada", "root", "linus", "grace"])
    assert capsys.readouterr().out == "Added: grace, linus\nIn already: ada\n"
    bad, system = end.value.code.splitlines()
    assert bad.startswith("hub.py: 'a b' was not added: wanted a name, without space")
    assert system.startswith("hub.py: 'root' was not added: the system has an account")
    assert a_hub["known"] == ["ada", "grace", "linus"]


def test_a_roster_s_log_ins_are_added(a_hub, tmp_path, capsys):
    (tmp_path / "students.csv").write_text("name;login\nGrace Hopper;Grace\nAda Lovelace;ada\n")
    hub.add(a_hub, [], tmp_path / "students.csv")
    assert capsys.readouterr().out == "Added: grace\nIn already: ada\n"
    (tmp_path / "students.csv").write_text("name\nGrace Hopper\n")
    with pytest.raises(SystemExit, match="wanted a column `login`"):
        hub.add(a_hub, [], tmp_path / "students.csv")
    with pytest.raises(SystemExit, match="got nobody"):
        hub.add(a_hub, [])


def test_only_students_are_removed(a_hub):
    with pytest.raises(SystemExit, match="got nosuch, wanted names of students: ada"):
        hub.remove(a_hub, ["ada", "nosuch"])
    assert a_hub["known"] == ["ada"]


def test_the_least_length_of_a_password_is_told():
    least = re.search(r"min_password_length = (\d+)", (CLASS / "jupyterhub_config.py").read_text())[
        1
    ]
    assert f"{least} characters or more" in (ROOT / "deploy" / "README.md").read_text()


def test_every_name_has_an_account_of_its_own():
    names = ["ada", "Ada", "a-da", "ada@example.org", "ädä", "a" * 60, "../root", "root"]
    found = [accounts.account(name) for name in names]
    assert len(set(found)) == len(names)
    assert all(re.fullmatch(r"class-[a-z0-9]{0,12}-[0-9a-f]{8}", one) for one in found)


def test_the_values_fit_the_charts_documented_keys():
    schema = json.loads((KUBERNETES / "schema.json").read_text())
    values = yaml.safe_load((KUBERNETES / "values.yaml").read_text())
    jsonschema.Draft7Validator(schema).validate(values)
    values["singleuser"]["memmory"] = {}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(values, schema)


def test_both_set_ups_give_a_student_the_same():
    values = yaml.safe_load((KUBERNETES / "values.yaml").read_text())
    settings = tomllib.loads((CLASS / "settings.toml").read_text())
    config = (CLASS / "jupyterhub_config.py").read_text()
    assert values["singleuser"]["defaultUrl"] in config
    assert values["singleuser"]["memory"]["limit"] == f"{settings['memory']}M"
    assert (values["cull"]["timeout"], values["cull"]["maxAge"]) == (
        settings["idle"],
        settings["longest"],
    )
    assert "pull.py" in values["singleuser"]["cmd"][1]
    for words in re.findall(r"^COPY (.+)$", (KUBERNETES / "Dockerfile").read_text(), re.M):
        *sources, _ = words.split()
        assert all((ROOT / source).exists() for source in sources if sources[0] != "--from=edition")

"""What the project says of itself from outside: its address in one place, its version in one place,
workflows that call what is there."""

import ast
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import distribution

import exporting
import pytest
import yaml
from helpers import ROOT
from packaging.requirements import Requirement

from course_utils import instruments
from course_utils.start.copies import copy_of


def script(name):
    """The module scripts/NAME.py."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


address, colab = script("address"), script("colab")

README, CITATION = (
    (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CITATION.cff")
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HOME = "https://github.com/Somebody/attention"


def test_the_address_stands_where_readers_look_for_it():
    assert address.with_badges(README, address.address()) == README
    assert address.with_address(CITATION, address.address()) == CITATION


def test_an_address_brings_badges_and_its_absence_takes_them_away():
    readme, citation = address.with_badges(README, HOME), address.with_address(CITATION, HOME)
    assert readme.count("](https://") == README.count("](https://") + (8 + len(address.SHOWN)) * (
        address.address() == ""
    )
    assert re.findall(r"\[!\[[^\]]+\]\(", readme)
    assert yaml.safe_load(citation)["repository-code"] == HOME
    assert address.PLACE.search(address.with_badges(readme, ""))[0] == ""
    assert "repository-code" not in address.with_address(citation, "")


NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_an_address_brings_badges_to_a_notebook_and_its_absence_takes_them_away(path):
    text = path.read_text(encoding="utf-8")
    assert address.with_elsewhere(text, address.address(), path.stem) == text
    bare = address.with_elsewhere(text, "", path.stem)
    opened = address.with_elsewhere(text, HOME, path.stem)
    assert opened != bare
    assert address.with_elsewhere(opened, HOME, path.stem) == opened
    assert address.with_elsewhere(opened, "", path.stem) == bare
    first = "".join(json.loads(opened)["cells"][0]["source"])
    links = re.findall(r"\]\((https://[^)]+)\)", first)
    assert len(links) == 6
    assert [link for link in links if link.endswith(f"notebooks/{path.name}")] == links[1::2]
    assert [link for link in links if "omebody/attention" in link] == links[1::2]
    assert f"%pip install -q git+{HOME}`" in first
    assert json.loads(opened)["cells"][1:] == json.loads(bare)["cells"][1:]


def test_copies_and_exported_pages_have_no_badges(monkeypatch, tmp_path):
    """They are shown without a network, and the badges would lead a student to the outputs."""
    for path in NOTEBOOKS[:2]:
        text = address.with_elsewhere(path.read_text(encoding="utf-8"), HOME, path.stem)
        (tmp_path / path.name).write_text(text, encoding="utf-8")
        assert "<!-- elsewhere -->" in text
        assert copy_of(text) == copy_of(address.with_elsewhere(text, "", path.stem))
    monkeypatch.setattr(exporting, "NOTEBOOKS", tmp_path)
    assert len(exporting.stored()) == 2
    for notebook in exporting.stored().values():
        assert "https://" not in notebook.cells[0].source


def test_the_package_gets_all_its_addresses_from_the_one():
    named = f'[project]\nname = "x"\n\n[project.urls]\nRepository = "{HOME}"\n\n[tool.x]\n'
    written = address.with_urls(named, HOME)
    urls = tomllib.loads(written)["project"]["urls"]
    assert urls == {
        "Repository": HOME,
        "Homepage": "https://somebody.github.io/attention/",
        "Issues": f"{HOME}/issues",
        "Changelog": f"{HOME}/blob/main/CHANGELOG.md",
    }
    assert address.with_urls(written, HOME) == written
    assert written.endswith("\n\n[tool.x]\n")
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert address.with_urls(text, address.address()) == text


def test_a_picture_of_an_instrument_leads_to_it_alive_or_to_its_lines_in_this_folder():
    assert set(address.SHOWN) <= set(instruments.__all__)
    assert {path.stem for path in (ROOT / "docs" / "instruments").iterdir()} == set(address.SHOWN)
    for name in address.SHOWN:
        picture = ROOT / "docs" / "instruments" / f"{name}.png"
        assert picture.stat().st_size < 20_000
        assert (
            f"](docs/instruments/{name}.png)](docs/instruments.md#{name.lower()})"
            in address.pictures("")
        )
        assert (
            f"(https://somebody.github.io/attention/docs/instruments.html#{name.lower()})"
            in address.pictures(HOME)
        )


def test_the_version_is_the_same_everywhere():
    assert yaml.safe_load(CITATION)["version"] == PROJECT["version"]


WORKFLOWS = pytest.mark.parametrize(
    "path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem
)


@WORKFLOWS
def test_a_workflow_calls_files_that_are_there_and_actions_by_their_commit(path):
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    steps = [step for job in jobs for step in job["steps"]]
    used = [step["uses"] for step in steps if "uses" in step]
    assert [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)] == []
    lines = re.sub(r"https?://\S+", "", "\n".join(step["run"] for step in steps if "run" in step))
    for file in re.findall(r"[\w./-]+\.(?:py|txt|toml|md)\b|\.ci/run", lines):
        assert file.startswith(("build/", "made/")) or (ROOT / file).exists(), (
            file
        )  # there, or made on the way


def test_every_file_of_data_and_every_script_of_others_stands_in_the_table_of_licenses():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    rows = [row.strip("| ").split(" | ") for row in text.splitlines() if row.startswith("| ")][1:]
    assert {license for _, _, license in rows} == {
        "Apache 2.0",
        "BSD 3-Clause",
        "CC BY 4.0",
        "MIT",
        "MPL 2.0",
    }
    data = [
        path
        for path in (ROOT / "course_utils" / "data").iterdir()
        if path.suffix in (".npz", ".json", ".txt")
    ]
    files = {
        path.relative_to(ROOT).as_posix() for path in [*data, *(ROOT / "tests" / "truth").iterdir()]
    }
    named = {what for what, _, _ in rows}
    of_ours = {what for what in named if "/" in what and "@" not in what}
    assert of_ours == files - {"course_utils/data/APACHE-2.0.txt"}
    package = json.loads((ROOT / "scripts" / "package.json").read_text(encoding="utf-8"))
    scripts = package["dependencies"] | package["devDependencies"]
    spelled = " ".join(named).lower()
    assert [name for name, version in scripts.items() if f"{name} {version}" not in spelled] == []


# What a job may write, and why: a site is published, PyPI is told who asks, a release is made.
MAY_WRITE = {"pages", "id-token", "contents"}


@WORKFLOWS
def test_a_workflow_reads_and_a_job_that_may_write_runs_nothing_that_it_fetched_or_built(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 60
        if "permissions" not in job:
            continue
        assert set(job["permissions"]) <= MAY_WRITE
        assert set(job["permissions"].values()) == {"write"}
        said = "\n".join(step.get("run", "") + step.get("uses", "") for step in job["steps"])
        assert not re.search(r"checkout|setup-|pip |npm |python ", said)


def test_the_package_goes_to_pypi_from_a_job_of_its_own_without_a_password():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    publish = jobs["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["environment"] == "pypi"
    assert [step["uses"].partition("@")[0] for step in publish["steps"]] == [
        "actions/download-artifact",
        "pypa/gh-action-pypi-publish",
    ]
    assert "with" not in publish["steps"][-1]  # neither a password nor another address
    assert "secrets." not in text
    assert jobs["build"].keys().isdisjoint({"permissions", "environment"})


def test_what_builds_the_package_is_pinned_by_hashes():
    lines = (
        (ROOT / ".github" / "build.txt")
        .read_text(encoding="utf-8")
        .replace("\\\n", "")
        .splitlines()
    )
    pins = [line for line in lines if not line.startswith("#")]
    assert all(re.match(r"[\w-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line) for line in pins)
    assert {"build", "hatchling"} <= {line.partition("==")[0] for line in pins}


LEAST = """
import asyncio, concurrent.futures.process, multiprocessing, subprocess, sys
import psutil, pytest          # these have a way of their own on Windows

for name in ("pwd", "grp", "resource", "fcntl", "termios", "pty", "playwright", "sphinx", "myst_nb", "jupyterlite_core", "filelock"):
    sys.modules[name] = None          # as if it were not installed
sys.exit(pytest.main(["--collect-only", "--quiet", "--override-ini", "addopts=", "-p", "no:cacheprovider", "-p", "no:nbval", *sys.argv[1:]]))
"""  # noqa: E501


def test_all_tests_are_found_where_modules_of_unix_and_packages_of_exports_are_missing():
    found = subprocess.run(
        [sys.executable, "-c", LEAST, "tests"], cwd=ROOT, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stdout[-2000:]
    assert "accounts as on Linux" in found.stdout
    assert "test_attention.py" in found.stdout


ON_COLAB = colab.read_pins(ROOT / "tests" / "colab.txt")


def test_what_the_package_needs_is_on_colab_already_as_it_is_there():
    needs = [Requirement(line) for line in PROJECT["dependencies"]]
    assert [
        need.name for need in needs if not need.specifier.contains(ON_COLAB.get(need.name, "0"))
    ] == []
    seen, todo = set(), [need.name for need in needs]
    while todo:  # and what those need, as it is installed here
        name = colab.plain(todo.pop())
        if name not in seen:
            seen.add(name)
            more = map(Requirement, distribution(name).requires or [])
            todo += [
                need.name for need in more if not need.marker or need.marker.evaluate({"extra": ""})
            ]
    assert seen - ON_COLAB.keys() == set()


def wheel(folder, name, version, *needs, tag="py3-none-any"):
    """An empty package that needs others, for pip to plan with."""
    path, about = folder / f"{name}-{version}-{tag}.whl", f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        lines = [
            f"Name: {name}",
            f"Version: {version}",
            *(f"Requires-Dist: {need}" for need in needs),
        ]
        archive.writestr(f"{about}/METADATA", "\n".join(["Metadata-Version: 2.1", *lines, ""]))
        archive.writestr(
            f"{about}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n"
        )
        archive.writestr(f"{about}/RECORD", "")
    return path


@pytest.fixture
def no_index(monkeypatch, tmp_path):
    """pip finds what lies in the test's folder, and nothing else."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))


@pytest.mark.usefixtures("no_index")
def test_pip_tells_what_would_be_added_to_colab_and_what_would_not_do(tmp_path):
    """As ipywidgets was: the newest is not Colab's, and Colab's own needs jedi, which is not
    there."""
    wheel(tmp_path, "ipywidgets", "7.7.1", "jedi>=0.16")
    wheel(tmp_path, "ipywidgets", "8.1.0")
    wheel(tmp_path, "jedi", "0.19.2")
    pins = {"ipywidgets": "7.7.1"}
    low = wheel(tmp_path, "low", "1", "ipywidgets>=7")
    assert colab.additions(pins, low, "3.12") == [("jedi", "0.19.2")]
    assert colab.additions({**pins, "jedi": "0.19.2"}, low, "3.12") == []
    with pytest.raises(RuntimeError, match="ipywidgets"):
        colab.additions(pins, wheel(tmp_path, "high", "1", "ipywidgets>=8.1"), "3.12")


@pytest.mark.usefixtures("no_index")
def test_a_plan_for_colab_is_made_for_its_python_and_compiles_nothing(tmp_path):
    """As numpy 2.0.2 is: there are wheels for Python 3.12 and none for 3.13, and its source would
    be compiled."""
    wheel(tmp_path, "numpy", "2.0.2", tag="cp312-none-any")
    with tarfile.open(tmp_path / "numpy-2.0.2.tar.gz", "w:gz") as source:
        setup = tarfile.TarInfo("numpy-2.0.2/setup.py")
        setup.size = len(COMPILED)
        source.addfile(setup, io.BytesIO(COMPILED))
    pins, course = {"numpy": "2.0.2"}, wheel(tmp_path, "course", "1", "numpy>=2.0")
    assert colab.additions(pins, course, "3.12.12") == []
    with pytest.raises(RuntimeError, match=r"numpy==2\.0\.2") as raised:
        colab.additions(pins, course, "3.13")
    assert "it was compiled" not in str(raised.value)


COMPILED = b"raise SystemExit('it was compiled')"


NAMES = {"PIL": "pillow"}  # where a package is not called as it is imported
OF_JUPYTER = {
    "IPython",
    "traitlets",
    "jupyterlab",
    "anywidget",
}  # what shows a notebook; the package's extra `run` brings it


def test_the_package_asks_for_what_it_imports_and_for_nothing_else():
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "course_utils").rglob("*.py")]
    imported = {
        name for source in sources for node in ast.walk(ast.parse(source)) for name in modules(node)
    }
    theirs = {
        NAMES.get(name, name)
        for name in imported - set(sys.stdlib_module_names) - OF_JUPYTER - {"course_utils"}
    }
    assert theirs == {re.match(r"[\w-]+", line)[0] for line in PROJECT["dependencies"]}


def modules(node):
    """The first names of what an import statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    return (
        [node.module.partition(".")[0]]
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
        else []
    )


def test_the_rules_for_agents_name_what_is_there_and_are_not_the_students():
    text = (ROOT / "AGENTS.md").read_text(encoding="utf-8")
    for name in re.findall(r"(?:scripts|tests|docs|course_utils)/[\w./*-]+", text):
        assert list(ROOT.glob(name.rstrip("/"))), name
    assert len(text.splitlines()) < 60
    students = ROOT / "scripts" / "exporting" / "templates" / "student" / "AGENTS.md"
    assert students.read_text(encoding="utf-8") != text


INSTALLED = """
import sys
sys.path.insert(0, {folder!r})
sys.modules["jupyterlab"] = None          # as if it were not installed
from course_utils.start.installed import main
main()
"""


@pytest.fixture
def installed(tmp_path):
    """What the command says, in an own folder, where the package lies as the wheel lays it. Gives
    (exit status, words)."""
    package, home = tmp_path / "site" / "course_utils", tmp_path / "home"
    shutil.copytree(ROOT / "course_utils" / "start", package / "start")
    shutil.copytree(ROOT / "notebooks", package / "notebooks")
    shutil.copy(ROOT / "course_utils" / "__init__.py", package)
    home.mkdir()
    environ = {
        name: value
        for name, value in os.environ.items()
        if name not in ("COURSE_FOLDER", "PYTHONPATH")
    }

    def run(*words):
        program = INSTALLED.format(folder=str(package.parent))
        done = subprocess.run(
            [sys.executable, "-c", program, *words],
            cwd=home,
            env=environ,
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout + done.stderr

    return run


def test_the_installed_command_copies_the_notebooks_to_where_it_is_given(installed, tmp_path):
    assert installed("fresh", "03") == (
        0,
        (
            "03_scaling.ipynb is fresh.\nWhere it is open in JupyterLab: File, Reload Notebook from"
            " Disk.\n"
        ),
    )
    copy = json.loads(
        (tmp_path / "home" / "my_course" / "03_scaling.ipynb").read_text(encoding="utf-8")
    )
    assert all(cell["outputs"] == [] for cell in copy["cells"] if cell["cell_type"] == "code")


def test_the_installed_command_ends_in_a_sentence_of_its_own_name(installed):
    status, said = installed()
    assert (status, said) == (
        1,
        (
            "transformers-course: JupyterLab is missing here. To install it: pip install"
            ' "course-utils[run]"\n'
        ),
    )
    assert installed("test")[1].startswith(
        "transformers-course: test: the installed package has no tests."
    )


def test_the_command_is_the_packages_and_the_wheel_holds_the_notebooks():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["project"]["scripts"] == {
        "transformers-course": "course_utils.start.installed:main"
    }
    wheel = settings["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "notebooks" in wheel["only-include"]
    assert wheel["sources"] == {"notebooks": "course_utils/notebooks"}
    assert (
        "force-include" not in wheel
    )  # an editable install would obey it, too, and hide the package that is worked on
    assert not (
        ROOT / "course_utils" / "notebooks"
    ).exists()  # only there: the command and start.py tell themselves apart by it

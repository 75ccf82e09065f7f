"""Answers put beside the notebook, in JupyterLab as a reader has it: a server with a token and an
address of its own, two notebooks in tabs."""

import json
import os
import subprocess
import sys
import time

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course_utils.cards import questions

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
}
NAME, OTHER = "01_self_attention", "00_start_here"
READY = """name => { const widget = window.jupyterapp?.shell?.currentWidget, session = widget?.sessionContext;
                     return widget?.context?.path.includes(name) && session?.isReady && session.session?.kernel?.status === 'idle' }"""  # noqa: E501
RUN = (
    "() => jupyterapp.commands.execute('notebook:run-all-cells').then(() =>"
    " jupyterapp.commands.execute('docmanager:save')).then(() => null)"
)


def started(folder):
    """The address of the server whose files of the running are in `folder`, once it is there."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        for file in folder.glob("jpserver-*.json"):
            return json.loads(file.read_text())["url"]
        time.sleep(0.2)
    raise TimeoutError("JupyterLab has not started in two minutes")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """(address, folder of notebook 01) of a JupyterLab like a class hub's, with two notebooks in
    two folders."""
    pytest.importorskip("jupyterlab")
    root = tmp_path_factory.mktemp("served")
    for path, key in (
        (root / "of ada" / f"{NAME}.ipynb", "neighbour"),
        (root / "another" / f"{OTHER}.ipynb", "third"),
    ):
        path.parent.mkdir()
        number = path.stem[:2]
        cells = [
            "from course_utils.cards import *",
            f"predict('{number}_{key}')",
            "1",
            f"quiz('{path.stem}')",
            f"predictions('{number}')",
        ]
        nbformat.write(
            new_notebook(cells=[new_code_cell(cell) for cell in cells], metadata=METADATA), path
        )
    own = {name: tmp_path_factory.mktemp(name) for name in ("RUNTIME", "CONFIG", "DATA")}
    options = {
        "ServerApp.port": 0,
        "ServerApp.base_url": "/user/ada/",
        "ServerApp.root_dir": root,
        "IdentityProvider.token": "secret",
        "LabApp.expose_app_in_browser": True,
        "LabApp.news_url": None,
        "FileContentsManager.delete_to_trash": False,
    }
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        *(f"--{key}={value}" for key, value in options.items()),
    ]
    environ = {**os.environ, **{f"JUPYTER_{name}_DIR": str(path) for name, path in own.items()}}
    with subprocess.Popen(
        command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield started(own["RUNTIME"]), root / "of ada"
        finally:
            process.terminate()


class Reader:
    """A page of JupyterLab, and what a reader sees of the notebook in front."""

    def __init__(self, page, address):
        self.page, self.address = page, address
        page.set_default_timeout(60_000)

    def open(self, path, run=True):
        self.page.goto(f"{self.address}lab/tree/{path}?token=secret", wait_until="domcontentloaded")
        self.page.wait_for_function(READY, arg=path.rpartition("/")[2])
        if run:
            self.page.evaluate(RUN)
        self.card.locator("textarea").wait_for()

    @property
    def panel(self):
        return self.page.locator(".jp-NotebookPanel:visible")

    @property
    def card(self):
        return self.panel.get_by_role("group", name="Prediction: what you said")

    @property
    def said(self):
        return self.card.locator(".course-said").last

    def predict(self, i):
        self.panel.get_by_role("group", name="Prediction: before").locator(
            ".course-options button"
        ).nth(i).click()

    def answer(self, question, i):
        self.panel.locator(".course-question").nth(question).locator("button").nth(i).click()

    def press(self, name):
        button = self.card.locator(
            "button:not([aria-disabled])", has_text=name
        )  # which it is for half a second after a press
        button.focus()
        self.page.keyboard.press("Enter")

    def asked_later(self):
        """What the page asks the server about answers while 2.5 seconds go by."""
        asked = []
        self.page.on(
            "request", lambda request: ".answers.json" in request.url and asked.append(request.url)
        )
        self.page.clock.run_for(2500)
        self.page.evaluate("() => new Promise(requestAnimationFrame)")
        return asked


@pytest.fixture(scope="module")
def context(browser, server):
    """One for all tests: JupyterLab's scripts are fetched and compiled once."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    yield context
    context.close()


@pytest.fixture
def reader(context, server):
    """Somebody who has never been here. The page's clock goes as clocks do, and can be turned
    on."""
    page = context.new_page()
    page.clock.install()
    yield Reader(page, server[0])
    page.context.new_cdp_session(page).send(
        "Storage.clearDataForOrigin",
        {"origin": server[0].partition("/user/")[0], "storageTypes": "all"},
    )
    page.close()


@pytest.fixture
def file(server):
    file = server[1] / f"{NAME}.answers.json"
    yield file
    file.unlink(missing_ok=True)


def until(holds):
    """Wait until a condition holds; false if it does not in half a minute."""
    deadline = time.monotonic() + 30
    while not (held := holds()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return held


def content(file):
    """What stands in a file; None while the server is writing it."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        return None


def test_answers_stand_beside_their_own_notebook_once_agreed_and_can_be_taken_back(
    reader, server, file
):
    reader.open(f"of%20ada/{NAME}.ipynb")
    reader.open(f"another/{OTHER}.ipynb")
    assert reader.page.locator(".lm-TabBar-tab[data-type=document-title]").count() == 2
    reader.page.locator(".lm-TabBar-tab", has_text=NAME).click()
    reader.page.wait_for_function(READY, arg=NAME)
    reader.page.evaluate(RUN)
    reader.predict(1)
    reader.answer(0, 2)
    reader.answer(0, 0)
    reader.card.locator("textarea").click()
    reader.page.keyboard.type("dd ax √d?")
    reader.page.keyboard.press("Shift+Enter")  # a key of JupyterLab's, and of the field's own here
    reader.page.keyboard.type("Why")
    assert "Until you press it, nothing is written." in reader.card.inner_text()
    assert reader.asked_later() == []
    assert list(server[1].parent.rglob("*.answers.json")) == []

    reader.press("Put my answers beside")
    reader.said.get_by_text(f"Your answers stand in of ada/{NAME}.answers.json").wait_for()
    assert reader.page.evaluate("document.activeElement.textContent") == "Take them back"
    wanted = {
        "notebook": NAME,
        "questions": questions.fingerprint(NAME),
        "predictions": {"neighbour": "B"},
        "quiz": [["C", "A"], [], [], []],
        "open": "dd ax √d?\nWhy",
    }
    assert content(file) == wanted
    assert list(server[1].parent.rglob("*.answers.json")) == [file]
    assert len(nbformat.read(file.with_name(f"{NAME}.ipynb"), as_version=4).cells) == 5

    reader.answer(2, 1)
    wanted["quiz"][2] = ["B"]
    assert reader.asked_later()
    assert until(lambda: content(file) == wanted)

    reader.page.reload(wait_until="domcontentloaded")
    reader.page.wait_for_function(READY, arg=NAME)
    reader.page.evaluate(RUN)
    reader.card.get_by_role("button", name="Take them back").wait_for()
    assert reader.card.locator("textarea").input_value() == wanted["open"]
    assert (
        reader.panel.locator(".course-question").nth(0).locator(".course-bad, .course-good").count()
        == 2
    )
    reader.press("Take them back")
    reader.said.get_by_text("The file is deleted").wait_for()
    reader.answer(3, 1)
    assert reader.asked_later() == []
    assert not file.exists()


def test_another_browsers_answers_stay_and_a_deleted_file_is_not_made_again(reader, file):
    earlier = {
        "notebook": NAME,
        "questions": questions.fingerprint(NAME),
        "predictions": {"neighbour": "A", "overflow": "C"},
        "quiz": [["D"], ["B"], [], []],
        "open": "What is a row?",
    }
    file.write_text(json.dumps(earlier), encoding="utf-8")
    reader.open(f"of%20ada/{NAME}.ipynb")
    reader.predict(2)
    reader.answer(1, 0)
    reader.press("Put my answers beside")
    reader.said.get_by_text("Your answers stand").wait_for()
    both = {
        **earlier,
        "predictions": {"neighbour": "C", "overflow": "C"},
        "quiz": [["D"], ["A"], [], []],
    }
    assert until(lambda: content(file) == both), content(file)
    file.unlink()
    reader.answer(2, 0)
    reader.said.get_by_text("The file is gone, so nothing more is written.").wait_for()
    reader.answer(3, 0)
    assert reader.asked_later() == []
    assert not file.exists()


REFUSALS = {
    "Permission denied": lambda route: route.fulfill(
        status=403, json={"message": f"Permission denied: {NAME}.answers.json"}
    ),
    "the server answers 503": lambda route: route.fulfill(status=503, body="<html>"),
    "the server does not answer": lambda route: route.abort(),
}


def test_a_file_that_cannot_be_written_is_one_sentence_and_a_download(reader, file, tmp_path):
    reader.open(f"of%20ada/{NAME}.ipynb")
    reader.predict(0)
    reader.page.route(
        "**/*.answers.json",
        lambda route: REFUSALS[why](route) if route.request.method == "PUT" else route.continue_(),
    )
    for why in REFUSALS:
        reader.press("Put my answers beside")
        reader.said.get_by_text(f"That did not work: {why}").wait_for()
        assert reader.said.inner_text().endswith("Your answers are kept in this browser.")
        assert not file.exists()
        with reader.page.expect_download() as download:
            reader.card.get_by_role("link").click()
        assert download.value.suggested_filename == file.name
        download.value.save_as(tmp_path / "download")
        assert content(tmp_path / "download")["predictions"] == {"neighbour": "A"}


def test_where_the_folder_lies_is_known_in_other_views_too(reader, file):
    """JupyterLab with one notebook in the window, by its address; an output in a view of its own,
    by the notebook that runs."""
    reader.page.goto(
        f"{reader.address}doc/tree/of%20ada/{NAME}.ipynb?token=secret",
        wait_until="domcontentloaded",
    )
    reader.page.wait_for_function(READY, arg=NAME)
    reader.page.evaluate(RUN)
    reader.page.evaluate(
        "document.querySelectorAll('.lm-TabBar-tab').forEach(tab => tab.removeAttribute('data-id'))"
    )
    reader.press("Put my answers beside")
    reader.said.get_by_text(f"Your answers stand in of ada/{NAME}.answers.json").wait_for()
    reader.press("Take them back")
    reader.said.get_by_text("The file is deleted").wait_for()
    reader.page.evaluate("history.replaceState(null, '', '/user/ada/lab')")
    reader.press("Put my answers beside")
    reader.said.get_by_text(f"Your answers stand in of ada/{NAME}.answers.json").wait_for()
    assert file.exists()


SLIP = """import numpy as np
from course_utils.exercises import diagnose
diagnose("softmax", lambda scores: np.exp(scores) / np.exp(scores).sum(axis=0))"""


def test_a_diagnosis_is_said_once_when_its_cell_has_run_and_not_when_it_is_shown_again(
    reader, server
):
    nbformat.write(
        new_notebook(cells=[new_code_cell(SLIP)], metadata=METADATA), server[1] / "slip.ipynb"
    )
    reader.page.goto(
        f"{reader.address}lab/tree/of%20ada/slip.ipynb?token=secret", wait_until="domcontentloaded"
    )
    said = reader.page.locator("#course-voice > p")
    for times in (1, 2):
        reader.page.wait_for_function(READY, arg="slip")
        reader.page.evaluate(RUN)
        said.nth(times - 1).wait_for(state="attached")
    assert said.count() == 2
    assert len(set(said.all_text_contents())) == 1
    assert said.first.text_content().startswith("Diagnosis not yet: ")

    reader.page.reload(wait_until="domcontentloaded")
    reader.page.wait_for_function(READY, arg="slip")
    reader.panel.get_by_role("heading", name="Diagnosis").wait_for()
    reader.page.clock.run_for(1000)
    assert said.count() == 0

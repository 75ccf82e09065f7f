"""Notebooks run in the browser alone: Python, the package and the instruments, with nothing outside
the page asked.

Pyodide's distribution is not part of the course. COURSE_PYODIDE names a folder that holds one;
without it these tests are skipped.
"""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from browsing import push
from test_run_here import PAGE, press, wait_for

run_link = pytest.importorskip("exporting.site").run_link  # it needs Sphinx

ROOT = Path(__file__).parents[2]
CHROMIUM = "/usr/bin/chromium"
PYODIDE = os.environ.get("COURSE_PYODIDE", "")
pytestmark = pytest.mark.skipif(
    not os.path.isdir(PYODIDE), reason="COURSE_PYODIDE names no folder with a Pyodide distribution"
)

READY = """() => { const s = window.jupyterapp?.shell?.currentWidget?.sessionContext;
                   return s?.isReady && s.session?.kernel?.status === 'idle'; }"""
RUN = """async () => { await jupyterapp.commands.execute('notebook:clear-all-cell-outputs');
                       return jupyterapp.commands.execute('notebook:run-all-cells'); }"""
CELLS = """() => jupyterapp.shell.currentWidget.content.widgets.filter(cell => cell.model.type === 'code')
                  .map(cell => [cell.model.executionCount, cell.model.outputs.toJSON()])"""  # noqa: E501


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".wasm": "application/wasm",
        ".mjs": "text/javascript",
    }

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def address():
    """Of a server on this machine that has the folder build/."""
    pytest.importorskip("jupyterlite_pyodide_kernel")
    subprocess.run(
        [sys.executable, ROOT / "scripts" / "export.py", "lite", "--pyodide", PYODIDE], check=True
    )
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=str(ROOT / "build"))
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()


@pytest.mark.parametrize(
    "name",
    os.environ.get(
        "COURSE_LITE_NOTEBOOKS", "01_self_attention 03_scaling 05_multi_head_attention"
    ).split(),
)
def test_a_notebook_runs_with_no_network_and_its_slider_moves(address, chromium, name):
    outside, context = [], chromium.new_context(viewport={"width": 1280, "height": 1000})

    def answer(route):
        url = route.request.url
        if not url.startswith((address, "data:", "blob:")):
            outside.append(url)
            route.abort()
        else:
            route.continue_()

    context.route("**/*", answer)
    page = context.new_page()
    page.set_default_timeout(240_000)
    page.goto(f"{address}/lite/lab/index.html?path={name}.ipynb", wait_until="domcontentloaded")
    page.wait_for_function(READY)
    page.wait_for_timeout(1500)
    page.evaluate(RUN)
    cells = page.evaluate(CELLS)
    outputs = [output for _, some in cells for output in some]
    assert all(count for count, _ in cells)
    assert [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"] == []
    assert any(
        "ot attempted yet" in str(o) for o in outputs
    )  # the students' edition: the checks answer, nothing is solved
    page.evaluate(
        """() => { const notebook = jupyterapp.shell.currentWidget.content;
                             const i = notebook.widgets.findIndex(cell => cell.node.querySelector('.course-instrument'));
                             notebook.activeCellIndex = i; notebook.widgets[i].node.scrollIntoView(); }"""  # noqa: E501
    )
    instrument = page.locator(".course-instrument").first
    instrument.wait_for()
    answered = push(instrument)
    context.close()
    assert answered
    assert outside == []


# What a reader does in the frame: the first cell of the notebook that computes.
RUN_FIRST = """async () => { const { content, sessionContext } = jupyterapp.shell.currentWidget;
  content.activeCellIndex = content.widgets.findIndex(cell => cell.model.type === 'code');
  await jupyterapp.commands.execute('notebook:run-cell');
  return content.activeCell.model.executionCount; }"""


def test_the_button_of_a_page_runs_its_notebook_in_the_page(address, chromium, tmp_path):
    """Prints the seconds: until it is ready, and of the first cell."""
    folder = ROOT / "build" / "run_here"
    folder.mkdir(exist_ok=True)
    for name in ("run_here.js", "site.css"):
        shutil.copy(ROOT / "scripts" / "exporting" / "pages" / name, folder)
    (folder / "page.html").write_text(PAGE.format(link=run_link("01_self_attention")))
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(280_000)
    page.goto(f"{address}/run_here/page.html")
    began = time.monotonic()
    press(page)
    page.locator(".run-here-state[data-state=ready], .run-here-state[data-state=failed]").wait_for()
    ready = time.monotonic()
    assert wait_for(page, "ready").startswith("Ready after")
    assert page.frames[1].evaluate(RUN_FIRST) > 1  # the button has counted its own import
    print(f"ready {ready - began:.1f} s, first cell {time.monotonic() - ready:.1f} s")
    context.close()
    shutil.rmtree(folder)

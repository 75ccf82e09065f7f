"""Notebooks run in the browser alone: Python, the package and the instruments, with nothing outside the page asked.

Pyodide's distribution is not part of the course. COURSE_PYODIDE names a folder that holds one; without it these tests are skipped.
"""

import functools
import http.server
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from browsing import push

ROOT = Path(__file__).parents[2]
CHROMIUM = "/usr/bin/chromium"
PYODIDE = os.environ.get("COURSE_PYODIDE", "")
pytestmark = pytest.mark.skipif(not os.path.isdir(PYODIDE), reason="COURSE_PYODIDE names no folder with a Pyodide distribution")

READY = """() => { const s = window.jupyterapp?.shell?.currentWidget?.sessionContext;
                   return s?.isReady && s.session?.kernel?.status === 'idle'; }"""
RUN = """async () => { await jupyterapp.commands.execute('notebook:clear-all-cell-outputs');
                       return jupyterapp.commands.execute('notebook:run-all-cells'); }"""
CELLS = """() => jupyterapp.shell.currentWidget.content.widgets.filter(cell => cell.model.type === 'code')
                  .map(cell => [cell.model.executionCount, cell.model.outputs.toJSON()])"""


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm", ".mjs": "text/javascript"}

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def address():
    """Of a server on this machine that has build/lite."""
    pytest.importorskip("jupyterlite_pyodide_kernel")
    subprocess.run([sys.executable, ROOT / "scripts" / "export.py", "lite", "--pyodide", PYODIDE], check=True)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(ROOT / "build" / "lite"))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        yield browser
        browser.close()


@pytest.mark.parametrize("name", os.environ.get("COURSE_LITE_NOTEBOOKS", "01_self_attention 03_scaling 05_multi_head_attention").split())
def test_a_notebook_runs_with_no_network_and_its_slider_moves(address, chromium, name):
    outside, context = [], chromium.new_context(viewport={"width": 1280, "height": 1000})

    def answer(route):
        url = route.request.url
        if not url.startswith((address, "data:", "blob:")):
            outside.append(url)
            route.abort()
        elif url.partition("?")[0].endswith("/jupyter-lite.json"):       # only so that this test can speak to JupyterLab
            response = route.fetch()
            settings = response.json()
            settings.setdefault("jupyter-config-data", {})["exposeAppInBrowser"] = True
            route.fulfill(response=response, body=json.dumps(settings))
        else:
            route.continue_()

    context.route("**/*", answer)
    page = context.new_page()
    page.set_default_timeout(240_000)
    page.goto(f"{address}/lab/index.html?path={name}.ipynb", wait_until="domcontentloaded")
    page.wait_for_function(READY)
    page.wait_for_timeout(1500)
    page.evaluate(RUN)
    cells = page.evaluate(CELLS)
    outputs = [output for _, some in cells for output in some]
    assert all(count for count, _ in cells)
    assert [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"] == []
    assert any("ot attempted yet" in str(o) for o in outputs)         # the students' edition: the checks answer, nothing is solved
    page.evaluate("""() => { const notebook = jupyterapp.shell.currentWidget.content;
                             const i = notebook.widgets.findIndex(cell => cell.node.querySelector('.course-instrument'));
                             notebook.activeCellIndex = i; notebook.widgets[i].node.scrollIntoView(); }""")
    instrument = page.locator(".course-instrument").first
    instrument.wait_for()
    answered = push(instrument)
    context.close()
    assert answered
    assert outside == []

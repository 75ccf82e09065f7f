"""The button that runs a notebook inside its page: the reader sees that it loads, that it is ready,
and why it failed. The notebook is a stand-in here; test_lite.py presses the same button with
Pyodide."""

import re

import pytest
from browsing import ROOT, served, violations

run_link = pytest.importorskip("exporting.site").run_link  # it needs Sphinx

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A lecture</title>
<link rel="stylesheet" href="site.css"><script src="run_here.js"></script>
<main><h1>A lecture</h1><p>{link}</p><p>Its text.</p></main>"""
# What the button sees of JupyterLite: a kernel, which is there after a moment.
STAND_IN = """<!doctype html><html lang="en"><title>A notebook</title><script>
const kernel = {{ status: 'starting', requestExecute: ({{ code }}) => ({{ done: Promise.resolve({{ content: {reply} }}) }}) }};
const sessionContext = {{ session: null }};
globalThis.jupyterapp = {{ shell: {{ currentWidget: {{ sessionContext }} }} }};
setTimeout(() => (sessionContext.session = {{ kernel }}), 300);
setTimeout(() => (kernel.status = '{status}'), 900);
if ('{status}' == 'unreached')
  addEventListener('load', () => import('/nowhere/pyodide.mjs').catch(error => Promise.reject(error.message)));
if ('{status}' == 'torn')
  addEventListener('load', () => setTimeout(() => Promise.reject(new Error('  File "/lib/_pyodide/_base.py"\\nNo IPython'))));
</script>"""  # noqa: E501
KERNELS = {
    "ready": ("idle", "{ status: 'ok' }"),
    "dead": ("dead", "{ status: 'ok' }"),
    "broken": ("idle", "{ status: 'error', evalue: \"No module named 'numpy'\" }"),
    "torn": ("torn", "null"),
    "unreached": ("unreached", "null"),
    "silent": ("starting", "{ status: 'ok' }"),
}


@pytest.fixture
def lecture(browser, tmp_path):
    """lecture(kernel): a page beside a notebook with such a kernel, from a server."""
    folder = tmp_path / "site" / "notebooks"
    folder.mkdir(parents=True)
    pages = ROOT / "scripts" / "exporting" / "pages"
    for name in ("run_here.js", "site.css"):
        (folder / name).write_bytes((pages / name).read_bytes())
    (folder / "01.html").write_text(PAGE.format(link=run_link("01")), encoding="utf-8")
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    with served(folder.parent) as address:

        def open_one(kernel):
            if kernel != "missing":
                notebook = folder.parent / "lite" / "notebooks" / "index.html"
                notebook.parent.mkdir(parents=True)
                status, reply = KERNELS[kernel]
                notebook.write_text(STAND_IN.format(status=status, reply=reply), encoding="utf-8")
            page = context.new_page()
            if kernel == "silent":
                page.clock.install()
            page.goto(f"{address}/notebooks/01.html")
            return page

        yield open_one
        context.close()


def press(page, name="▶ Run this page"):
    page.get_by_role("button", name=name).click()


def wait_for(page, state):
    page.locator(f".run-here-state[data-state={state}]").wait_for(timeout=60_000)
    return page.get_by_role("status").inner_text()


def test_nothing_is_fetched_before_the_reader_asks(lecture):
    page = lecture("ready")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(500)
    assert page.locator("iframe").count() == 0
    assert asked == []
    assert page.get_by_role("link").get_attribute("href") == (
        "../lite/notebooks/index.html?path=01.ipynb"
    )


def test_it_says_that_it_loads_and_then_that_it_is_ready(lecture, axe):
    page = lecture("ready")
    assert violations(page) == []
    press(page)
    assert "Loading Python" in wait_for(page, "loading")
    assert re.fullmatch(
        r"Ready after \d+ s. Click into a cell and press Shift\+Enter.", wait_for(page, "ready")
    )
    assert page.frame_locator("iframe").locator("html").count() == 1
    assert page.get_by_role("button").is_disabled()  # one is enough
    assert violations(page, "color-contrast", "frame-title") == []


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        ("missing", "the notebook's page was not found (404)"),
        ("dead", "Python ended"),
        ("broken", "the course could not be imported (No module named 'numpy')"),
        ("torn", "Python could not start (No IPython)"),
        (
            "unreached",
            "Python could not start (Failed to fetch dynamically imported module:"
            " ADDRESS/nowhere/pyodide.mjs)",
        ),
    ],
)
def test_it_says_why_it_failed_and_can_be_tried_again(lecture, kernel, why):
    page = lecture(kernel)
    why = why.replace("ADDRESS", page.evaluate("location.origin"))
    press(page)
    assert wait_for(page, "failed") == f"It did not start: {why}."
    assert page.locator("iframe").count() == 0
    press(page, "↺ Try again")
    assert wait_for(page, "failed") == f"It did not start: {why}."


def test_it_does_not_wait_for_ever(lecture):
    page = lecture("silent")
    press(page)
    wait_for(page, "loading")
    for _ in range(31):
        page.clock.run_for(10_000)
    assert wait_for(page, "failed") == "It did not start: nothing answered within 5 minutes."


def test_a_page_that_was_opened_as_a_file_says_what_is_missing(browser, tmp_path):
    script = ROOT / "scripts" / "exporting" / "pages" / "run_here.js"
    (tmp_path / "run_here.js").write_bytes(script.read_bytes())
    (tmp_path / "01.html").write_text(PAGE.format(link=run_link("01")), encoding="utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "01.html").as_uri())
    press(page)
    assert "opened as a file; a web server has to send it" in wait_for(page, "failed")
    page.close()


def test_without_scripts_a_link_stays(browser, tmp_path):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    (tmp_path / "01.html").write_text(PAGE.format(link=run_link("01")), encoding="utf-8")
    page.goto((tmp_path / "01.html").as_uri())
    assert page.get_by_role("link", name="Run it in the browser").count() == 1
    assert page.get_by_role("button").count() == 0
    context.close()

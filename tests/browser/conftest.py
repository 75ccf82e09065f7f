"""The exported pages, built once, and a browser that has no network."""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from browsing import plain, plain_page
from instrument_pages import shown

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build"
# The headless shell opens a page in a third of the time: it draws no window around it.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
SOURCES = [
    "notebooks",
    "course_utils",
    "scripts/exporting",
    "scripts/package-lock.json",
    "docs",
    "deploy/README.md",
    "teaching",
    "tests/terms",
    "README.md",
    "CONTRIBUTING.md",
    "INSTRUCTORS.md",
]


def pytest_runtest_protocol(item, nextitem):
    """A test of a page is tried once more: on a busy machine a browser may be late once. What fails
    twice fails, and what did not end."""
    if Path(__file__).parent not in item.path.parents:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if any(report.failed and "pytest-timeout" not in report.longreprtext for report in reports):
        item._initrequest()  # its fixtures are made anew
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def skip(why):
    """Skip, or fail where COURSE_REQUIRE_BROWSER is 1, as it is in CI."""
    (pytest.fail if os.environ.get("COURSE_REQUIRE_BROWSER") == "1" else pytest.skip)(why)


def need(module):
    try:
        return __import__(module, fromlist=["_"])
    except ImportError:
        return skip(f"no Python package {module}: pip install -r requirements-export.txt")


def fingerprint():
    """Of all that the exported pages are made from."""
    found = hashlib.sha256()
    for path in (
        file for source in SOURCES for file in sorted([ROOT / source, *(ROOT / source).rglob("*")])
    ):
        if path.is_file() and path.suffix != ".pyc":
            found.update(path.read_bytes())
    return found.hexdigest()


@pytest.fixture(scope="session")
def axe():
    """That the checker of accessibility is there, and what the pages take from npm."""
    if not (ROOT / "scripts" / "node_modules").exists():
        skip("no JavaScript packages: npm ci --prefix scripts")


@pytest.fixture(scope="session")
def built(axe):
    """The folder build/ with slides and site, made by scripts/export.py if anything changed
    since."""
    for module in ("sphinx", "myst_nb"):
        need(module)
    filelock = need("filelock")
    BUILD.mkdir(exist_ok=True)
    stamp = BUILD / "pages.sha256"
    with filelock.FileLock(BUILD / "pages.lock"):
        wanted = fingerprint()
        if not stamp.exists() or stamp.read_text() != wanted:
            for what in ("slides", "site"):
                subprocess.run([sys.executable, ROOT / "scripts" / "export.py", what], check=True)
            stamp.write_text(wanted)
    return BUILD


@pytest.fixture(scope="session")
def playwright():
    if CHROMIUM is None:
        skip("no browser: apt install chromium-headless-shell, or chromium")
    need("playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright):
    chromium = playwright.chromium.launch(
        executable_path=CHROMIUM,
        args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    )
    yield chromium
    chromium.close()


@pytest.fixture(scope="module")
def open_page(browser, built):
    """open_page(file in build/, colours, size): a page without network. What it asks for outside
    its folder, and its errors, fail the test."""
    faults, pages = [], []

    def open_one(file, colours="light", size=(1280, 720)):
        context = browser.new_context(
            offline=True, color_scheme=colours, viewport={"width": size[0], "height": size[1]}
        )
        page = context.new_page()
        page.set_default_timeout(60_000)  # a busy machine
        page.on(
            "request",
            lambda request: (
                request.url.startswith((built.as_uri(), "data:", "blob:", "about:"))
                or faults.append(request.url)
            ),
        )
        page.on("requestfailed", lambda request: faults.append(f"{request.url}: {request.failure}"))
        page.on("console", lambda message: message.type == "error" and faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        path, mark, query = file.partition("?")
        page.goto((built / path).as_uri() + mark + query)
        page.faults = faults
        pages.append(context)
        return page

    yield open_one
    for context in pages:
        context.close()


@pytest.fixture
def open_plain(browser, tmp_path):
    """open_plain(file's name, its text, size, ...): a page of our own."""
    with contextlib.ExitStack() as pages:

        def open_one(name, text, **how):
            file = tmp_path / name
            file.write_text(text, encoding="utf-8")
            page = pages.enter_context(plain_page(browser, file, **how))
            page.goto(file.as_uri())
            return page

        yield open_one


@pytest.fixture(scope="module")
def page(request, browser, tmp_path_factory):
    """A page for the instrument that a test is given: see `instrument_pages.begin`."""
    file = tmp_path_factory.mktemp(request.param) / "light.html"
    file.write_text(plain("light", request.param, shown(request.param)), encoding="utf-8")
    with plain_page(browser, file) as page:
        page.name, page.file = request.param, file
        yield page

"""A plain page around what a cell shows; and what a reader does on an exported page: wait until it
stands, push its instrument, answer its quiz."""

import contextlib
import functools
import http.server
import re
import threading
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = {
    path.stem: nbformat.read(path, as_version=4)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
}
LECTURES = [
    name for name in NOTEBOOKS if not name.startswith("A_")
]  # an appendix has no quiz, no instrument and no slides
AXE = ROOT / "scripts" / "node_modules" / "axe-core" / "axe.min.js"
WIDE, PHONE = (1280, 900), (390, 844)
NARROW = (320, 700)  # a window of 1280 pixels at 400 %
THEMES = {
    "light": ("rgba(0, 0, 0, 0.87)", "#fff"),
    "dark": ("rgba(255, 255, 255, 0.87)", "#111"),
}  # text and paper
# Colours do not hang on the size: the dark ones are looked at once.
every_look = pytest.mark.parametrize(
    ("theme", "size"),
    [("light", WIDE), ("light", PHONE), ("light", NARROW), ("dark", WIDE)],
    ids=["light, wide", "light, phone", "light, narrow", "dark, wide"],
)


def plain(theme, title, body, head=""):
    """A page around what a cell shows, in the colours of a theme that the system does not know
    of."""
    text, paper = THEMES[theme]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport"'
        f' content="width=device-width"><title>{title}</title><body'
        f' style="--jp-layout-color0:{paper};color:{text};background:{paper};font:14px'
        f' sans-serif">{head}<main><h1>{title}</h1>{body}</main>'
    )


@contextlib.contextmanager
def plain_page(browser, file, size=WIDE, script=True, touch=False):
    """A page for a file of our own, without network. Whatever it asks for or complains of fails the
    test. Nobody need wait: its clock goes as clocks do, and page.clock.run_for(milliseconds) turns
    it on."""
    faults = []
    context = browser.new_context(
        offline=True,
        viewport={"width": size[0], "height": size[1]},
        java_script_enabled=script,
        has_touch=touch,
    )
    page = context.new_page()
    page.set_default_timeout(60_000)  # a busy machine
    page.clock.install()
    page.on("request", lambda request: request.url == file.as_uri() or faults.append(request.url))
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert faults == []


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def served(folder):
    """The address of an ordinary server that has a folder."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def count_pages(pdf):
    """How many pages the bytes of a PDF have."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


def load_again(page, same="entries"):
    """As a reader does, a moment later: the browser stores what is kept when it finds time, and
    until then a new page may find nothing.
    same: "keys" where the new page at once writes what it finds in another way."""
    kept = f"JSON.stringify(Object.{same}(localStorage).sort())"
    before = page.evaluate(kept)
    for _ in range(30):  # on a busy machine it takes seconds
        page.wait_for_timeout(500)
        page.reload()
        if page.evaluate(kept) == before:
            return
    raise AssertionError(f"the browser keeps {page.evaluate(kept)} instead of {before}")


def settle(page):
    """Wait until equations are set."""
    if page.locator("script[src$='mathjax.js']").count():
        page.wait_for_function("() => window.MathJax?.startup?.promise")
        page.evaluate("() => MathJax.startup.promise.then(() => null)")
    page.evaluate("() => document.fonts.ready.then(() => null)")


VOICE = "#course-voice > :last-child"  # what was said last


def heard(page):
    """What the page said last to a screen reader; nothing where it has not spoken yet."""
    return page.locator(VOICE).text_content() if page.locator(VOICE).count() else ""


FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
SAID = f"words => ({FRAMES})().then(() => words.innerText)"


def push(instrument, enough=None):
    """Move every handle of an instrument by keys, there and back, until enough have answered: each
    step says other words. How many answered."""
    words, answered = instrument.locator(".words").element_handle(), 0
    said = words.inner_text()
    handles = "[role=slider], input[type=range], [role=gridcell][tabindex='0']"
    for handle in instrument.locator(handles).element_handles():
        if answered == enough:
            break
        if not handle.is_visible():
            continue
        handle.focus()
        for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown", "Enter"):
            instrument.page.keyboard.press(key)
            before, said = said, words.evaluate(SAID)
            if said != before:
                answered += 1
                break
    return answered


VERDICTS = {True: "Right. ", False: "Not right. "}


def check_quiz(page):
    """Press the answers of every question until one is right: each gets a word of its own, and in
    the end the count is said."""
    questions = page.locator(".course-question").all()
    assert len(questions) >= 4
    for question in questions:
        words = []
        for button in question.locator("button").all():
            # an instrument that was moved before may speak between two answers
            page.locator("#course-voice").evaluate("voice => voice.replaceChildren()")
            button.evaluate("button => button.click()")
            words.append(question.locator(".course-said").text_content())
            verdict = VERDICTS[question.locator(".course-good").count() == 1]
            spoken = page.locator("#course-voice > *").all_text_contents()
            assert any(text.startswith(verdict) for text in spoken)
            if verdict == VERDICTS[True]:
                break
        assert all(words)
        assert (
            len(set(words)) == len(words) == question.locator(".course-good, .course-bad").count()
        )
        assert question.locator(".course-good").count() == 1
    assert (
        f"of {len(questions)} right at the first try" in page.locator(".course-sum").text_content()
    )


def violations(page, *rules):
    """What axe-core finds on a page, by some rules or by all of WCAG 2.2 AA and good practice:
    [(rule, element, why)]."""
    if not page.evaluate("() => !!window.axe"):
        page.add_script_tag(path=AXE)
    chosen = list(rules) or [
        "wcag2a",
        "wcag2aa",
        "wcag21a",
        "wcag21aa",
        "wcag22aa",
        "best-practice",
    ]
    found = page.evaluate(
        "chosen => axe.run(document, { resultTypes: ['violations'], preload: false, runOnly:"
        " chosen })",
        chosen,
    )
    return [
        (rule["id"], node["html"][:160], node["failureSummary"][:300])
        for rule in found["violations"]
        for node in rule["nodes"]
    ]

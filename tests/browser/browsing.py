"""What a reader does on an exported page: wait until it stands, push its sliders, answer its quiz."""

from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[2]
NOTEBOOKS = {path.stem: nbformat.read(path, as_version=4) for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}
LECTURES = [name for name in NOTEBOOKS if not name.startswith("A_")]         # an appendix has no quiz, no widget and no slides
WITHOUT = {"10_language_model"} | {*NOTEBOOKS} - {*LECTURES}                 # the widget of 10 asks the kernel
AXE = ROOT / "scripts" / "node_modules" / "axe-core" / "axe.min.js"

# Pixels of the picture that is seen, not those in the markup: a picture that fails to load shows nothing.
PICTURE = """() => {
  const seen = [...document.querySelectorAll('.widget-stack img, .jupyter-widgets img')].filter(img => img.offsetParent && img.naturalWidth);
  return seen.map(img => [img.src, img.alt]);
}"""


def settle(page):
    """Wait until equations are set and widgets are drawn."""
    if page.locator("script[src$='mathjax.js']").count():
        page.wait_for_function("() => window.MathJax?.startup?.promise")
        page.evaluate("() => MathJax.startup.promise.then(() => null)")
    page.wait_for_function("""() => {
      const drawn = document.querySelectorAll('.jupyter-widgets > *').length;
      return drawn || !document.querySelector('script[type="application/vnd.jupyter.widget-view+json"]');
    }""")
    page.evaluate("() => document.fonts.ready.then(() => null)")


def pictures_of(page, control):
    """The pictures at every setting of one control, from the first to the last, worked by keyboard alone (buttons: Tab order and Enter)."""
    handle = control.locator("[role=slider]")
    if handle.count():
        return _slide(page, handle)
    seen = []
    for button in control.locator("button").all():
        button.focus()
        page.keyboard.press("Enter")
        page.wait_for_function("button => button.classList.contains('mod-active')", arg=button.element_handle())
        seen.append(page.evaluate(PICTURE))
    return seen


def _slide(page, handle):
    handle.focus()
    page.keyboard.press("Home")
    seen = [page.evaluate(PICTURE)]
    while float(handle.get_attribute("aria-valuenow")) < float(handle.get_attribute("aria-valuemax")):
        before = handle.get_attribute("aria-valuenow")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("([handle, before]) => handle.getAttribute('aria-valuenow') != before", arg=[handle.element_handle(), before])
        seen.append(page.evaluate(PICTURE))
    return seen


def check_quiz(page):
    """Press the answers of every question until one is right: each gets a word of its own, and in the end the count is said."""
    questions = page.locator(".course-question").all()
    assert len(questions) >= 5
    for question in questions:
        words = []
        for button in question.locator("button").all():
            button.evaluate("button => button.click()")
            words.append(question.locator("[role=status]").text_content())
            if question.locator(".course-good").count():
                break
        assert all(words)
        assert len(set(words)) == len(words) == question.locator(".course-good, .course-bad").count()
        assert question.locator(".course-good").count() == 1
    assert f"of {len(questions)} right at the first try" in page.locator(".course-sum").text_content()


def violations(page, *rules):
    """What axe-core finds on a page, by some rules or by all of WCAG 2.1 AA and good practice: [(rule, element, why)]."""
    page.add_script_tag(path=AXE)
    chosen = list(rules) or ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
    found = page.evaluate("chosen => axe.run(document, { resultTypes: ['violations'], preload: false, runOnly: chosen })", chosen)
    return [(rule["id"], node["html"][:160], node["failureSummary"][:300]) for rule in found["violations"] for node in rule["nodes"]]


def controls(page):
    """The sliders and rows of buttons of all widgets of a page."""
    return page.locator(".widget-slider, .widget-toggle-buttons").all()

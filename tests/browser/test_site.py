"""The sites as readers and instructors meet them: in a real browser, from the files alone, without
network and kernel; light, dark, on a phone."""

import importlib
import inspect
import json
import re
from urllib.parse import unquote

import pytest
from browsing import (
    LECTURES,
    NARROW,
    NOTEBOOKS,
    PHONE,
    ROOT,
    check_quiz,
    push,
    served,
    settle,
    violations,
)
from helpers import is_figure

from course_utils import instruments
from course_utils.cards import questions

# What is wider than it may be and hides that, but for code, equations, wide tables of prose and
# figures, which scroll.
CUT = """() => [...document.querySelectorAll('article *')].filter(element =>
  element.clientWidth && element.scrollWidth > element.clientWidth + 1
  && ['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowX)
  && !element.closest('pre, .highlight, .course-drawn, .pst-scrollable-table-container, mjx-container, mjx-assistive-mml, .visually-hidden'))
  .map(element => element.outerHTML.slice(0, 100))"""  # noqa: E501
# Weights in a table that may be broken into two lines.
BROKEN = """() => [...document.querySelectorAll('article td[style*=color-mix]')]
  .filter(cell => getComputedStyle(cell).overflowWrap != 'normal')
  .map(cell => cell.textContent)"""
TITLES = {
    name: notebook.cells[0].source.partition("\n")[0].removeprefix("# ").replace("'", "’")
    for name, notebook in NOTEBOOKS.items()
}
# The lecture that teaches it, and what a reader looks for.
TAUGHT = {
    "01": ["dot product", "softmax", "self-attention", "attention"],
    "02": ["queries", "query", "cross-attention", "QKV"],
    "03": ["scaling", "temperature"],
    "04": ["masking", "mask", "causal mask", "padding"],
    "05": ["multi-head attention", "heads"],
    "06": ["layer norm", "LayerNorm", "residual connection"],
    "07": ["transformer block", "feed-forward", "GELU"],
    "08": ["positional encoding", "rope"],
    "09": ["mixture of experts", "MoE", "router"],
    "10": ["how it learns", "backpropagation", "momentum"],
    "11": ["language model", "beam search", "kv cache", "perplexity", "FlashAttention"],
    "12": ["encoder", "sentence embedding"],
    "13": ["tokens", "byte-pair encoding", "tokenization"],
    "14": ["today's models", "grouped-query attention", "quantization", "top-p", "SwiGLU"],
    "17": ["assistant", "fine-tuning", "DPO", "reward hacking"],
    "15": ["chat", "chat template", "hallucination"],
    "16": ["activation patching", "induction head", "logit lens"],
}
PLANS = [f"teachers/teaching/{path.stem}" for path in sorted((ROOT / "teaching").glob("*.md"))]
OTHERS = [
    "site/docs/where_to_start",
    "site/docs/instruments",
    "site/docs/gallery",
    "site/docs/api",
    "site/genindex",
    "site/_modules/course_utils/attention",
    "teachers/index",
    "teachers/INSTRUCTORS",
    "teachers/CONTRIBUTING",
    "teachers/deploy/README",
    "teachers/docs/accessibility",
    *PLANS,
]
NOTEBOOK_LINKS = (
    "[...document.querySelectorAll('article a')].map(a =>"
    " a.href.match(/notebooks\\/(\\w+)\\.html/)?.[1]).filter(name => name)"
)

every_page = pytest.mark.parametrize("page", NOTEBOOKS, indirect=True, scope="module")
every_lecture = pytest.mark.parametrize("page", LECTURES, indirect=True, scope="module")


def opened(open_page, name, **how):
    page = open_page(
        f"site/notebooks/{name}.html" if name in NOTEBOOKS else f"site/{name}.html", **how
    )
    settle(page)
    return page


@pytest.fixture(scope="module")
def page(request, open_page):
    page = opened(open_page, request.param)
    page.name, page.notebook = request.param, NOTEBOOKS[request.param]
    return page


@every_lecture
def test_no_outcome_is_seen_before_the_reader_votes_or_asks_for_it(page):
    """Each prediction: what the next cell shows is folded, opens by keys, and by a vote. First of
    all, so that the others see all."""
    asked = re.findall(
        r'^predict\("(\w+)"\)',
        "\n".join(cell.source for cell in page.notebook.cells),
        flags=re.MULTILINE,
    )
    folds = [page.locator(f".tag_outcome-{name}") for name in asked]
    outcomes = [fold.locator(".cell_output") for fold in folds]
    assert len(asked) == len(questions.load("predictions", page.name)) == len(outcomes)
    assert [outcome.is_visible() for outcome in outcomes] == [False] * len(asked), "spoiled"

    summary = folds[0].locator("summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert outcomes[0].is_visible()
    page.keyboard.press("Enter")
    assert not outcomes[0].is_visible()

    cards = page.locator(
        "[role=group][aria-label='Prediction: before you run the next cell']"
    ).all()
    for card, outcome in zip(cards, outcomes, strict=True):
        card.locator("button").first.click()
        assert outcome.is_visible()
    assert [outcome.is_visible() for outcome in outcomes] == [True] * len(asked)


@every_page
def test_axe_finds_nothing(page):
    assert violations(page) == []


@every_page
def test_the_dark_page_has_contrast(page):
    choose(page, "dark")
    assert violations(page, "color-contrast") == []
    choose(page, "light")


def choose(page, colours):
    page.locator(f".theme-change-button[data-mode={colours}]").first.evaluate(
        "button => button.click()"
    )
    assert page.evaluate("document.documentElement.dataset.theme") == colours
    page.evaluate(
        "document.getAnimations().forEach(one => one.finish())"
    )  # the theme's own buttons change colour slowly


def test_without_scripts_an_outcome_is_folded_and_opens(built, browser):
    with_out = browser.new_context(offline=True, java_script_enabled=False)
    page = with_out.new_page()
    page.goto((built / "site/notebooks/01_self_attention.html").as_uri())
    folds = page.locator("[class*=tag_outcome-] details").all()
    assert len(folds) == len(questions.load("predictions", "01_self_attention"))
    assert not any(fold.locator(".cell_output").is_visible() for fold in folds)
    folds[0].locator("summary").click()
    assert folds[0].locator(".cell_output").is_visible()
    with_out.close()


@every_lecture
def test_the_instrument_answers_without_a_kernel(page):
    instruments = page.locator(".course-instrument").all()
    assert bool(instruments) == any(
        re.search(r"instruments\.(?!Chat)", cell.source) for cell in page.notebook.cells
    )
    assert all(push(instrument) for instrument in instruments)


@every_page
def test_every_slider_has_a_name_and_says_its_value(page):
    for handle in page.locator("[role=slider]").all():
        if handle.is_visible():  # what a state does not show has no name yet
            assert handle.get_attribute("aria-label")
            assert handle.get_attribute("aria-valuetext")


@every_lecture
def test_every_answer_of_the_quiz_gets_a_word(page):
    check_quiz(page)


@every_page
def test_equations_are_set(page):
    assert page.locator("mjx-merror").count() == 0
    assert (
        page.locator("mjx-container").count() >= page.locator(".math").count()
    )  # under a fold stand more


@every_page
def test_headings_go_down_one_level_at_a_time_and_pictures_have_words(page):
    tags = page.evaluate(
        "[...document.querySelectorAll('article :is(h1, h2, h3, h4)')].map(heading =>"
        " heading.tagName)"
    )
    levels = [int(tag[1]) for tag in tags]
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in zip(levels, levels[1:], strict=False))
    assert (
        page.evaluate(
            "[...document.querySelectorAll('img, .course-drawn > svg')].filter(one => (one.alt ??"
            " one.ariaLabel ?? '').length < 20).map(one => one.outerHTML.slice(0, 80))"
        )
        == []
    )
    assert page.locator(".course-drawn > svg[role=img]").count() == sum(
        is_figure(output) for cell in page.notebook.cells for output in cell.get("outputs", [])
    )


@every_page
def test_links_lead_to_pages_that_are_there(page, built):
    check_links(page, built)
    assert page.locator("a[href*='.html']").count() > len(NOTEBOOKS)


def check_links(page, built):
    hrefs = page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.href)")
    files = {unquote(re.sub(r"[?#].*", "", href)) for href in hrefs if href.startswith("file:")}
    assert [
        file for file in files if not (built / file.removeprefix(built.as_uri() + "/")).exists()
    ] == []


@every_page
def test_a_phone_scrolls_sideways_only_in_code(page):
    wide = page.viewport_size
    try:
        for width, height in (PHONE, NARROW):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(CUT) == []
            assert page.evaluate(BROKEN) == []
        page.wait_for_timeout(500)  # the theme's own boxes become stops of Tab a little later
        assert violations(page, "scrollable-region-focusable", "target-size") == []
    finally:
        page.set_viewport_size(wide)


@every_page
def test_nothing_left_the_page_and_nothing_went_wrong(page):
    assert page.faults == []


def test_the_front_page_leads_to_every_notebook_in_the_colours_of_the_system(open_page):
    page = opened(open_page, "index", colours="dark")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert violations(page) == []
    page = opened(open_page, "index")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert set(page.evaluate(NOTEBOOK_LINKS)) == set(NOTEBOOKS)
    assert violations(page, "color-contrast") == []
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
    assert page.faults == []


@pytest.mark.parametrize("file", OTHERS)
def test_the_other_pages_are_as_well_made(open_page, file, built):
    page = open_page(f"{file}.html")
    settle(page)
    assert violations(page) == []
    check_links(page, built)
    if file not in PLANS[1:]:  # plain text in the theme's own colours, each as the others
        choose(page, "dark")
        assert violations(page, "color-contrast") == []
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
    assert page.faults == []


def test_all_instruments_live_on_one_page(open_page):
    page = opened(open_page, "docs/instruments")
    assert set(page.locator("article h2").all_inner_texts()) == set(instruments.__all__)
    for section in page.locator("article section section").all():
        assert push(section.locator(".course-instrument"), enough=1), section.locator(
            "h2"
        ).inner_text()


def test_an_ordinary_server_has_all_that_a_page_asks_for(browser, built):
    """The icon, too, for which no page asks that is opened as a file. The browser tells of it on
    the console alone."""
    pages = ["site/index", "site/notebooks/01_self_attention", "site/_static/gallery"]
    faults = []
    with served(built) as address:
        for name in [*pages, "teachers/index", "slides/01_self_attention"]:
            context = browser.new_context()  # a browser asks for an icon once
            page = context.new_page()
            page.on("console", lambda said: said.type == "error" and faults.append(said.text))
            page.on(
                "request",
                lambda asked: asked.url.startswith((address, "data:")) or faults.append(asked.url),
            )
            page.goto(f"{address}/{name}.html")
            page.wait_for_timeout(1500)
            context.close()
            assert faults == [], name


def test_titles_say_number_and_topic_wherever_a_lecture_is_led_to(open_page):
    names = sorted(NOTEBOOKS)
    page = opened(open_page, names[6])
    assert page.title().startswith(TITLES[names[6]])
    beside = [
        page.locator(f".prev-next-area .{way} p.prev-next-title").inner_text()
        for way in ("left-prev", "right-next")
    ]
    assert beside == [TITLES[names[5]], TITLES[names[7]]]
    assert set(TITLES.values()) <= set(
        page.locator(".bd-sidebar-primary .bd-toc-item a").all_inner_texts()
    )


def test_the_search_finds_the_lecture_that_teaches_a_topic_first(open_page):
    """One topic as a reader looks for it, all by the function that ranks what the page then
    shows."""
    page = open_page("site/search.html?q=softmax")
    page.wait_for_selector("ul.search li a")
    link = page.locator("ul.search li a").first.get_attribute("href")
    assert re.search(r"notebooks/(\d\d)_", unquote(link))[1] == "01"
    ranked = (  # the page's address has a part in it
        "words => { history.replaceState(null, '', '?q=' + encodeURIComponent(words));"
        " return Search._performSearch(...Search._parseQuery(words)).at(-1)[0]; }"
    )
    found = {
        topic: page.evaluate(ranked, topic).removeprefix("notebooks/")[:2]
        for topics in TAUGHT.values()
        for topic in topics
    }
    assert found == {topic: lecture for lecture, topics in TAUGHT.items() for topic in topics}
    assert page.faults == []


def test_the_search_finds_each_term_where_it_is_defined(open_page):
    """By the index that the search reads, for all terms at once."""
    page = opened(open_page, "genindex")
    leads = dict(
        page.locator("article :is(td, li) a").evaluate_all(
            "links => links.map(a => [a.textContent, a.getAttribute('href')])"
        )
    )
    terms = {
        term: path.stem
        for path in (ROOT / "tests" / "terms").glob("*.json")
        for term in json.loads(path.read_text(encoding="utf-8"))
    }
    assert {term: leads.get(term, "")[len("notebooks/") :][:2] for term in terms} == terms


def test_the_page_of_the_mathematics_has_each_function_with_its_example_and_source(open_page):
    page = opened(open_page, "docs/api")
    found = page.locator("dl.function > dt").evaluate_all(
        "all => all.map(dt => [dt.id, !!dt.querySelector('.viewcode-link')"
        " && dt.nextElementSibling.textContent.includes('Example')])"
    )
    modules = re.findall(r"automodule:: (\S+)", (ROOT / "docs" / "api.md").read_text())
    functions = {
        f"{module}.{name}"
        for module in modules
        for name, function in inspect.getmembers(importlib.import_module(module))
        if inspect.isfunction(function)
        and function.__module__ == module
        and not name.startswith("_")
    }
    assert dict(found) == dict.fromkeys(functions, True)


def test_what_holds_plans_and_answers_stands_on_the_instructors_site_alone(built):
    pages = {
        site: {path.relative_to(built / site).as_posix() for path in (built / site).rglob("*.html")}
        for site in ("site", "teachers")
    }
    theirs = {
        "INSTRUCTORS.html",
        "CONTRIBUTING.html",
        "deploy/README.html",
        "docs/accessibility.html",
        *(f"slides/{name}.html" for name in LECTURES),
    }
    assert theirs <= pages["teachers"]
    assert not theirs & pages["site"]
    assert not any(name.startswith("notebooks/") for name in pages["teachers"])
    plan = "Listen for"
    assert any(
        plan in (built / "teachers" / name).read_text(encoding="utf-8")
        for name in pages["teachers"]
    )
    read = [name for name in pages["site"] if not name.startswith("lite/")]
    assert [
        name for name in read if plan in (built / "site" / name).read_text(encoding="utf-8")
    ] == []


def test_sentences_in_other_languages_say_which(open_page):
    page = opened(open_page, "13_tokens")
    for language, word in [("fr", "ours"), ("de", "Bären"), ("ru", "Медведи"), ("zh", "熊")]:
        assert page.locator(f"pre [lang={language}]", has_text=word).count() >= 1
    assert page.locator("pre [lang=hi]").count() == 7
    assert page.locator("pre [lang]", has_text="Water is life").count() == 0

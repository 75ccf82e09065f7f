"""Draw the map as a still, for a light page and for a dark one: docs/map.svg and docs/map_dark.svg.

    python scripts/pictures.py        (needs the packages of requirements-export.txt and Chromium at /usr/bin/chromium)

The map is drawn by its own script in the browser; still.js turns what is seen into plain SVG. In words it is `words()`, which the
README gives as the picture's alternative text.
"""

from pathlib import Path

from playwright.sync_api import sync_playwright

from course_utils.cards.carrier import forget
from course_utils.instruments import TheMap

FOLDER = Path(__file__).parents[1] / "docs"
PAGES = {"map": ("#1f2328", "#ffffff"), "map_dark": ("#e6edf3", "#0d1117")}          # text and paper, as on GitHub
STILL = Path(__file__).with_name("still.js")


def words():
    """What the picture says."""
    one = TheMap()
    return "A whole transformer in one picture: text, ids, vectors and places, two blocks of attention and feed-forward, norm, head, softmax, " \
           f"the chosen word. {one.describe(one.numbers)}"


def draw(browser, text, paper):
    """The map as plain SVG: nothing in it can be pointed at, every colour is written out."""
    forget()
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    html = TheMap()._repr_mimebundle_()["text/html"]
    page.set_content(f'<body style="--jp-layout-color0:{paper};color:{text};background:{paper};font:16px sans-serif">{html}')
    picture = page.evaluate(STILL.read_text(encoding="utf-8"), [paper, words()])
    page.close()
    forget()
    return picture


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
        for name, colours in PAGES.items():
            (FOLDER / f"{name}.svg").write_text(draw(browser, *colours), encoding="utf-8", newline="\n")
        browser.close()
    print(words())


if __name__ == "__main__":
    main()

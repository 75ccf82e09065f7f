"""Draw the map as a moving picture, for a light page and for a dark one: docs/map.svg and
docs/map_dark.svg.
And the small pictures of instruments that the README shows: docs/instruments/NAME.png.

    python scripts/pictures.py        (needs the packages of requirements-export.txt and Chromium at
    /usr/bin/chromium)

The map is drawn by its own script in the browser; export_map_svg.js turns what is seen into plain
SVG. A style sheet lets it move: no script may run in a picture. The whole drawing is seen first,
and rests; then the sentence flows from station to station, the next word flies back, and all rests
again. After two rounds it stays at rest. Who wants less motion, and a program that knows no
animation, has the still. In words it is `words()`, which the README gives as the picture's
alternative text.
"""

import io
from pathlib import Path

from address import SHOWN
from PIL import Image, ImageOps

from course_utils import instruments
from course_utils.cards.carrier import forget
from course_utils.instruments import TheMap
from course_utils.instruments.the_map import STAGES

CHROMIUM = "/usr/bin/chromium"
FOLDER = Path(__file__).parents[1] / "docs"
PAGES = {
    "map": ("#1f2328", "#ffffff"),
    "map_dark": ("#e6edf3", "#0d1117"),
}  # text and paper, as on GitHub
EXPORT_MAP_SVG = Path(__file__).with_name("export_map_svg.js")
SMALL = 272, 230  # pixels: three instruments stand side by side in the README

# The seconds of one round: when the first station is reached, from one to the next, how long the
# front glides, the word's flight, the rest, and the way back at its end.
FIRST, STATION, GLIDE, FLIGHT, REST, BACK = 0.4, 0.56, 0.34, 1.3, 2.4, 0.3
ROUNDS = 2  # no motion without end (WCAG 2.2.2): a picture in a README has no button that stops it


def words():
    """What the picture says."""
    one = TheMap()
    return (
        "A whole transformer in one picture: text, ids, vectors and places, two blocks of"
        " attention and feed-forward, norm, head, softmax, the chosen word."
        f" {one.describe(one.numbers)}"
    )


def draw(browser, text, paper):
    """The map as plain SVG that moves: nothing in it can be pointed at, every colour is written
    out."""
    forget()
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    html = TheMap()._repr_mimebundle_()["text/html"]
    page.set_content(
        f'<body style="--jp-layout-color0:{paper};color:{text};background:{paper};font:16px'
        f' sans-serif">{html}'
    )
    found = page.evaluate(EXPORT_MAP_SVG.read_text(encoding="utf-8"), [paper, words()])
    page.close()
    forget()
    return found["picture"].replace("</desc>", f"</desc>\n<style>{motion(found)}</style>", 1)


def small(browser, name):
    """The picture of an instrument on a light page, in few pixels and few colours."""
    forget()
    text, paper = PAGES["map"]
    page = browser.new_page(viewport={"width": 760, "height": 900})
    html = getattr(instruments, name)()._repr_mimebundle_()["text/html"]
    page.set_content(
        f'<body style="--jp-layout-color0:{paper};color:{text};background:{paper};font:16px'
        f' sans-serif">{html}'
    )
    shot = Image.open(io.BytesIO(page.locator(".course-instrument svg").first.screenshot()))
    page.close()
    forget()
    return ImageOps.pad(shot.convert("RGB"), SMALL, Image.Resampling.LANCZOS, paper).quantize(64)


def motion(found):
    """The style sheet of one round, which is shown ROUNDS times; found: where things go, as
    export_map_svg.js tells it."""
    (start, stop), level, front = found["track"], found["level"], found["front"]
    reached = [
        FIRST + STATION * k for k in range(len(STAGES))
    ]  # the front begins to glide into each station
    done = reached[-1] + STATION
    landed = done + FLIGHT
    whole = landed + REST
    # Begun where the word has landed, it ends there, too: all looks as in the still.
    rounds = ROUNDS + landed / whole

    def steps(name, marks, shape, course="ease-in-out"):
        """One animation: its marks are [(second, value)], a value is written by `shape`; the last
        one stays until all goes back."""
        (_, first), (_, last) = marks[0], marks[-1]
        lines = "".join(
            f"{100 * at / whole:.2f}%{{{shape(value)}}}"
            for at, value in [(0, first), *marks, (whole - BACK, last), (whole, first)]
        )
        # Begun this long ago: the first thing that is seen is the drawing, at rest.
        return (
            f"@keyframes {name}{{{lines}}}.{name}{{animation:{name} {whole:.2f}s {course}"
            f" -{landed:.2f}s {rounds:.3f}}}"
        )

    def glides(first, values):
        """Marks that go from one station's value to the next while the front glides, and stay
        there."""
        pairs = zip(reached, [first, *values[:-1]], values, strict=True)
        return [mark for at, before, value in pairs for mark in ((at, before), (at + GLIDE, value))]

    def seen(opacity):
        return f"opacity:{opacity}"

    def placed(place):
        return f"opacity:{place[0]};transform:translate({place[1]:.0f}px,{place[2]:.0f}px)"

    flight = [
        (done + FLIGHT * k / (len(found["points"]) - 1), (1, *point))
        for k, point in enumerate(found["points"])
    ]
    rules = [
        steps(
            "front",
            glides(-60 - front, [x - front for x in found["ends"][:-1]] + [0]),
            lambda x: f"transform:translate({x:.0f}px)",
        ),
        steps("knob", glides((1, start, level), [(1, x, level) for x in found["stops"]]), placed),
        steps(
            "gone",
            glides(0, [(x - start) / (stop - start) for x in found["stops"]]),
            lambda share: f"stroke-dashoffset:{1 - share:.3f}",
        ),
        steps("spark", [(done, 0.75), (done + 0.2, 0)], seen),
        steps("back", [(done - 0.2, 0.16), (done, 1)], seen),
        steps("landed", [(landed - 0.1, 0.16), (landed, 1)], seen),
        steps(
            "fly",
            [
                (done - 0.1, (0, *found["points"][0])),
                *flight,
                (landed + 0.1, (0, *found["points"][-1])),
            ],
            placed,
            "linear",
        ),
        *(
            steps(
                f"s{k}",
                [
                    (at, (0.5, 400)),
                    (at + GLIDE, (1, 700)),
                    (at + STATION, (1, 700)),
                    (at + STATION + GLIDE, (1, 400)),
                ],
                lambda look: f"opacity:{look[0]};font-weight:{look[1]}",
            )
            for k, at in enumerate(reached)
        ),
        (
            ".gone{stroke-dasharray:1}.spark{stroke-dashoffset:22;animation-name:spark,run;animation-duration:"
            f"{whole:.2f}s,1.1s;animation-iteration-count:{rounds:.3f},{rounds * whole / 1.1:.0f}}}"
        ),
        "@keyframes run{to{stroke-dashoffset:0}}",
    ]
    return "@media (prefers-reduced-motion:no-preference){" + "\n".join(rules) + "}"


def main():
    from playwright.sync_api import sync_playwright  # a test reads the rest without it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        for name, colours in PAGES.items():
            (FOLDER / f"{name}.svg").write_text(
                draw(browser, *colours), encoding="utf-8", newline="\n"
            )
        (FOLDER / "instruments").mkdir(exist_ok=True)
        for name in SHOWN:
            small(browser, name).save(FOLDER / "instruments" / f"{name}.png", optimize=True)
        browser.close()
    print(words())


if __name__ == "__main__":
    main()

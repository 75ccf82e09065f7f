"""Text in drawings has a contrast of 4.5 to 1 (WCAG 2.2 AA) on light pages and on dark ones, where
it stands: measured on the pixels behind its letters, which axe-core does not do in SVG."""

import io

import numpy as np
import pytest
from browsing import NOTEBOOKS, THEMES, WIDE, plain
from helpers import cells, is_figure
from instrument_pages import shown
from instruments.parity import TRIALS, opened
from PIL import Image

LEAST = 4.5
SHARE = 0.1  # of a text's letters: a thin line may run through it

# Every text that is seen in a drawing: its words, its place on the page, its colour as it is
# painted (mixed colours are painted on a canvas to be told), and how much of it shows.
TEXTS = """() => {
  const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const paint = colour => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const found = [];
  const look = root => {
    for (const one of root.querySelectorAll('*')) {
      if (one.shadowRoot) look(one.shadowRoot);
      if (one.localName != 'text' || !one.textContent.trim()) continue;
      const { x, y, width, height } = one.getBoundingClientRect(), style = getComputedStyle(one);
      let [r, g, b, shows] = paint(style.fill);
      shows *= style.fillOpacity;
      for (let at = one; at; at = at.parentElement ?? at.getRootNode().host)
        shows *= getComputedStyle(at).opacity;
      if (width && height && style.visibility == 'visible' && shows > 0)
        found.push({ words: one.textContent, box: [x + scrollX, y + scrollY, width, height],
          colour: [r, g, b], shows });
    }
  };
  look(document);
  return found;
}"""
# Letters vanish, what lies behind them stays, a halo round them too.
HIDE = """() => {
  const hide = root => {
    for (const one of root.querySelectorAll('*')) {
      if (one.shadowRoot) hide(one.shadowRoot);
      if (one.localName == 'text' || one.localName == 'tspan')
        one.style.setProperty('fill', 'transparent', 'important');
    }
  };
  hide(document);
}"""


def luminance(colours):
    """Of colours (..., 3) from 0 to 255, as WCAG 2.2 defines it."""
    shares = np.asarray(colours) / 255
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def picture(page):
    """What is seen of the page as an array (height, width, 3)."""
    shot = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
    return np.asarray(shot.convert("RGB")).astype(float)


def too_faint(page):
    """Texts of the page's drawings that are hard to read: (words, contrast of the tenth of their
    letters that is worst). A text of which nothing is seen counts as 1."""
    # A window as high as the page: for a picture of more than the window it would change its size.
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": WIDE[0], "height": height})
    page.clock.run_for(300)
    texts, before = page.evaluate(TEXTS), picture(page)
    page.evaluate(HIDE)
    behind, faint = picture(page), []
    assert texts
    for text in texts:
        x, y, width, height = text["box"]
        part = slice(max(0, int(y)), int(y + height) + 1), slice(max(0, int(x)), int(x + width) + 1)
        ground = behind[part][np.abs(before[part] - behind[part]).max(axis=-1) > 8]  # (n, 3)
        if not ground.size:
            faint.append((text["words"], 1.0))
            continue
        letters = text["shows"] * np.array(text["colour"]) + (1 - text["shows"]) * ground
        bright = np.stack([luminance(letters), luminance(ground)])
        contrast = (bright.max(axis=0) + 0.05) / (bright.min(axis=0) + 0.05)
        worst = np.quantile(contrast, SHARE)
        if worst < LEAST:
            faint.append((text["words"], round(float(worst), 2)))
    return faint


def outputs(name):
    """All that a notebook's cells show."""
    return [output for cell in cells(name, "code") for output in cell.outputs]


every_theme = pytest.mark.parametrize("theme", THEMES)


def test_the_measure_finds_a_faint_text_and_no_other(open_plain):
    drawn = '<rect width="90" height="30" fill="#56b4e9"/><text x="5" y="20" fill="{}">{}</text>'
    body = "".join(
        f'<p><svg width="90" height="30">{drawn.format(colour, colour)}</svg></p>'
        for colour in ("#000", "#fff", "#56b4e9", "#1a8577")
    )
    page = open_plain("faint.html", plain("light", "Faint", body))
    assert [words for words, _ in too_faint(page)] == ["#fff", "#56b4e9", "#1a8577"]


@every_theme
@pytest.mark.parametrize("name", [name for name in NOTEBOOKS if any(map(is_figure, outputs(name)))])
def test_text_of_stored_pictures(open_plain, theme, name):
    body = "".join(output["data"]["text/html"] for output in outputs(name) if is_figure(output))
    page = open_plain(f"{name}.html", plain(theme, name, body))
    assert too_faint(page) == []


@every_theme
@pytest.mark.parametrize("name", TRIALS)
def test_text_of_instruments(open_plain, theme, name):
    """As they open, and where the challenge is met."""
    met = next(iter(TRIALS[name].ways()))
    page = open_plain(f"{name}.html", plain(theme, name, shown(name) + shown(name, **met)))
    assert too_faint(page) == []


@every_theme
def test_text_of_stills(open_plain, theme):
    """A still has a style sheet of its own: in a page it stands in a shadow, as in an image."""
    body = "".join(
        f'<div><template shadowrootmode="open">{it.still(it.numbers)}</template></div>'
        for it in map(opened, TRIALS)
    )
    page = open_plain("stills.html", plain(theme, "Stills", body))
    page.emulate_media(color_scheme=theme)
    assert too_faint(page) == []

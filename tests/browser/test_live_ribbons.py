"""Ribbons beside a table of weights, on a plain page: as wide as the weights, lit by mouse and by
keys, light and dark, wide and on a phone."""

import re

import numpy as np
import pytest
from browsing import THEMES, WIDE, plain, violations

from course_utils.attention import softmax
from course_utils.cards import carrier, ribbons
from course_utils.data import SENTENCES, embed

X = embed(SENTENCES["sport"])
A = softmax(X @ X.T)
PHONE = (340, 844)  # what a page of 390 leaves between its margins


@pytest.fixture
def open_ribbons(open_plain):
    """open_ribbons(theme, size): a page of weights of a sentence."""

    def open_one(theme="light", size=WIDE):
        carrier.forget()
        html = ribbons(A, SENTENCES["sport"], title="weights").html
        carrier.forget()
        return open_plain(f"{theme}.html", plain(theme, "Ribbons", html), size=size)

    return open_one


def drawn(page):
    """All ribbons in the order of the weights: [strength, outline]."""
    found = page.locator("svg path").evaluate_all(
        "all => all.map(one => [one.dataset.at, +one.style.opacity, one.getAttribute('d')])"
    )
    return [rest for _, *rest in sorted(found)]


def lit(page):
    """Which ribbons, and which cells, are not dimmed: tables of truths like the weights."""
    cells = page.locator("td[style*=opacity]").evaluate_all(
        "all => all.map(one => +one.style.opacity)"
    )
    return [
        np.reshape(strength, A.shape) >= 0.4
        for strength in ([strength for strength, _ in drawn(page)], cells)
    ]


def assert_lit(page, wanted):
    for one in lit(page):
        assert (one == wanted).all()


def test_a_ribbon_is_as_wide_as_its_weight_and_a_bar_as_its_sum(open_ribbons):
    page = open_ribbons()
    wide = [float(re.search(r"h([\d.e-]+)C", outline)[1]) for _, outline in drawn(page)]
    bars = page.locator("svg rect[rx]").evaluate_all(
        "all => all.map(bar => +bar.getAttribute('width'))"
    )
    unit = bars[0] / A[0].sum()
    np.testing.assert_allclose(np.reshape(wide, A.shape) / unit, A, atol=1e-3)
    np.testing.assert_allclose(np.array(bars) / unit, [*A.sum(axis=1), *A.sum(axis=0)], atol=1e-3)


def test_keys_light_a_row_and_its_ribbons_and_it_is_said(open_ribbons):
    page = open_ribbons()
    assert_lit(page, True)
    for i, word in enumerate(SENTENCES["sport"]):
        page.keyboard.press("Tab")
        assert_lit(page, np.arange(len(A))[:, None] == i)
        assert (
            page.locator(".course-told").inner_text()
            == f"{word} gives "
            + ", ".join(
                f"{other} {w:.2f}" for other, w in zip(SENTENCES["sport"], A[i], strict=True)
            )
            + "."
        )
    page.keyboard.press("Tab")
    assert_lit(page, True)


def test_a_mouse_lights_what_it_points_at(open_ribbons):
    page = open_ribbons()
    j = SENTENCES["sport"].index("won")
    page.locator("thead th").nth(j).hover()
    assert_lit(page, np.arange(len(A)) == j)
    assert f"{A[:, j].sum():.2f} in all" in page.locator(".course-told").inner_text()
    page.locator("td[style*=opacity]").nth(1).hover()
    assert lit(page)[0].sum() == 1
    assert page.locator(".course-told").inner_text() == f"bears gives won {A[0, 1]:.2f}."
    page.locator("[data-at='1,1']").hover(position={"x": 12, "y": 4})
    assert page.locator(".course-told").inner_text() == f"won gives won {A[1, 1]:.2f}."
    page.mouse.move(1, 1)
    assert_lit(page, True)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("theme", THEMES)
def test_ribbons_are_accessible_and_fit(open_ribbons, axe, theme, size):
    page = open_ribbons(theme, size)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]

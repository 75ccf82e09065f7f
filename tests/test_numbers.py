"""Every number in a text cell is tied to the expression that gives it; a wrong or swapped one is
seen.
"""

import copy
import functools
import html
import re

import nbformat
import numpy as np
import pytest
import tie_numbers
from helpers import NOTEBOOKS, cells, notebook
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

PLANTED = 50


@functools.cache
def values(name):
    return tie_numbers.values(notebook(name))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_number_is_what_its_expression_gives(name):
    """The core runs alone, and each section below it after the core alone."""
    found = values(name)
    assert [
        fault
        for cell in cells(name, "markdown")
        for fault in tie_numbers.faults(cell, found[cell.id])
    ] == []


# Wrong numbers are seen


def wrong(written, rng):
    """Another number, written with as many places: one more or less in the last place but one or
    two, or its tenfold.
    """
    number, places = tie_numbers.as_number(written), len(written.partition(".")[2])
    changed = rng.choice(
        [number + 2 * 10.0**-places, number - 2 * 10.0**-places, 10 * number + 10.0**-places]
    )
    text = f"{changed:,.{places}f}"
    return (
        text
        if written.replace("−", "-").startswith(("0", "-0")) or not places
        else text.replace("0.", ".", 1)
    )


def with_number(cell, position, written):
    """The cell with another number at this position of its text."""
    start, end, _ = tie_numbers.said(cell.source)[position]
    changed = copy.deepcopy(cell)
    changed["source"] = cell.source[:start] + written + cell.source[end:]
    return changed


@functools.cache
def tied_numbers():
    """[(notebook, cell, position)] of all that is tied."""
    return [
        (name, cell, i)
        for name in NOTEBOOKS
        for cell in cells(name, "markdown")
        for i in range(len(tie_numbers.ties(cell)))
    ]


@pytest.mark.parametrize("seed", range(PLANTED))
def test_a_planted_wrong_number_is_seen(seed):
    rng = np.random.default_rng(seed)
    name, cell, i = tied_numbers()[rng.integers(len(tied_numbers()))]
    false = wrong(tie_numbers.said(cell.source)[i][2], rng)
    assert tie_numbers.faults(with_number(cell, i, false), values(name)[cell.id]), false
    lied = copy.deepcopy(
        with_number(cell, i, false)
    )  # and where the tie's own number is changed, too
    lied.metadata["numbers"][i] = f"{false} = {tie_numbers.ties(cell)[i][1]}"
    assert tie_numbers.faults(lied, values(name)[cell.id]), false


def test_every_pair_of_neighbours_that_is_swapped_is_seen():
    swapped = 0
    for name, cell, i in tied_numbers():
        numbers = [number for *_, number in tie_numbers.said(cell.source)]
        if i + 1 < len(numbers) and tie_numbers.as_number(numbers[i]) != tie_numbers.as_number(
            numbers[i + 1]
        ):
            changed = with_number(with_number(cell, i + 1, numbers[i]), i, numbers[i + 1])
            changed.metadata["numbers"] = [
                f"{number} = {expression}"
                for (*_, number), (_, expression) in zip(
                    tie_numbers.said(changed.source), tie_numbers.ties(cell), strict=True
                )
            ]
            assert tie_numbers.faults(changed, values(name)[cell.id])
            swapped += 1
    assert swapped >= PLANTED / 2


def test_a_number_that_is_added_or_taken_away_is_seen():
    for name in NOTEBOOKS:
        for cell in cells(name, "markdown"):
            more = copy.deepcopy(cell)
            more["source"] += "\n\nIt is 64 away."
            assert tie_numbers.faults(more, values(name)[cell.id])


# The checker


def small(text, numbers, code="a = 0.875\nb = 64"):
    return new_notebook(
        cells=[
            new_markdown_cell("x = 0", id="before"),
            new_code_cell(code, id="code"),
            new_markdown_cell(text, id="text", metadata={"numbers": numbers}),
            new_code_cell("c = 2 * b", id="after"),
        ]
    )


def seen(text, numbers):
    book = small(text, numbers)
    return tie_numbers.faults(book.cells[2], tie_numbers.values(book)["text"])


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It gets 0.88 of 64.", ["0.88 = a", "64 = b"]),
        ("It gets .9.", [".9 = a"]),
        ("All 128 of them.", ["128 = then c"]),
        ("−64 °C", ["−64 = -b"]),
        ("From 1,000 on.", ["1,000 = 1000 * round(a)"]),
        ("In 2017, see [05 Heads](05_multi_head_attention.ipynb) and `x[3]`, note 002.", []),
    ],
)
def test_what_is_right_has_no_fault(text, numbers):
    assert seen(text, numbers) == []


@pytest.mark.parametrize(
    ("text", "numbers", "fault"),
    [
        ("It gets 0.87.", ["0.87 = a - 0.02"], "is 0.855"),
        ("It gets 64.", ["64 = 60 + 4"], "looks at nothing"),
        ("It gets 64.", ["64 = round(64)"], "looks at nothing"),
        ("It gets 64.", ["64 = d"], "NameError"),
        ("It gets 64.", [], "tied are []"),
        ("64 of 0.88", ["0.88 = a", "64 = b"], "the text says"),
        ("It gets 128.", ["128 = c"], "NameError"),
        ("It gets 65.", ["65 = b"], "b is 64"),
        ("It gets −64.", ["−64 = b"], "b is 64"),
    ],
)
def test_what_is_wrong_has_a_fault(text, numbers, fault):
    assert fault in " ".join(seen(text, numbers))


def test_it_lists_what_is_untied_with_proposals(tmp_path, monkeypatch, capsys):
    path = tmp_path / "small.ipynb"
    nbformat.write(small("It gets 0.88 of 64, later 128.", ["0.88 = a"]), path)
    monkeypatch.setattr("sys.argv", ["tie_numbers.py", str(path)])
    tie_numbers.main()
    before, untied, announced, fault = capsys.readouterr().out.splitlines()
    assert before.endswith("0 = ?")
    assert untied.endswith("64 = b")
    assert announced.endswith("128 = then c")
    assert "tied are ['0.88']" in fault


def test_no_variable_that_a_loop_leaves_over_is_proposed():
    source = """spread = {}
for name, width in [("thin", 2.0), ("wide", 63.67)]:
    spread[name] = width
kept = 63.67
for kept in [63.67]: pass"""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    names, loops = {}, tie_numbers.left_over(book)
    exec(source, names)
    assert loops == {"name", "width"}
    assert tie_numbers.proposals("63.67", names, loops) == ['spread["wide"]', "kept"]


def test_on_the_site_a_number_says_whence_it_comes():
    text = "It gets 0.88 of $64$, 64 < 128."
    cell = small(text, ["0.88 = a", "64 = b", "64 = b", '128 = then c if b > "" else 0']).cells[2]
    assert tie_numbers.with_titles(cell) == (
        'It gets <span title="a">0.88</span> of $64$, <span title="b">64</span> < '
        '<span title="c if b &gt; &quot;&quot; else 0">128</span>.'
    )
    assert tie_numbers.with_titles(small(text, ["0.88 = a"]).cells[2]) == text


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_tied_number_outside_formulas_says_so_on_its_page_of_the_site(name):
    pytest.importorskip("sphinx", reason="no pages: pip install -r requirements-export.txt")
    from exporting import site

    page = site.page_of(name, copy.deepcopy(notebook(name)), lite=False)
    texts = {cell.id: cell.source for cell in page.cells if cell.cell_type == "markdown"}
    for cell in cells(name, "markdown"):
        plain = re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$", blank, cell.source, flags=re.DOTALL)
        for (start, end, number), (_, expression) in zip(
            tie_numbers.said(cell.source), tie_numbers.ties(cell), strict=True
        ):
            title = html.escape(expression.removeprefix(tie_numbers.THEN))
            if plain[start:end] == number:
                assert f'<span title="{title}">{number}</span>' in texts[cell.id]


def test_words_of_a_term_that_a_text_lost_are_named():
    pytest.importorskip("sphinx", reason="no pages: pip install -r requirements-export.txt")
    from exporting import site

    lost = copy.deepcopy(notebook("03_scaling"))
    for cell in lost.cells:
        cell.source = cell.source.replace("**saturated**, or decided", "**saturated**")
    with pytest.raises(ValueError, match=r"03_scaling .*saturated.*/03\.json .*'saturated'"):
        site.page_of("03_scaling", lost, lite=False)


def blank(match):
    """As many spaces as it has characters."""
    return " " * len(match[0])


def test_a_convention_says_why():
    assert all(
        why and re.compile(convention) for convention, why in tie_numbers.CONVENTIONS.items()
    )

"""No term of the field is used before a notebook has said what it is: tests/terms/NN.json has each
new term with the words that define it."""

import json
import re

import lecture
import pytest
from helpers import MAIN, ROOT, cells, notebook

TERMS = {
    name: json.loads((ROOT / "tests" / "terms" / f"{name[:2]}.json").read_text(encoding="utf-8"))
    for name in MAIN
}
TEXTS = [
    (name, cell) for name in MAIN for cell in cells(name, "markdown")[1:]
]  # the first cell says what will be learned


def uses(term, text):
    """Whether a text uses a term, in one or more of it: titles, links, code, formulas and the keys
    of a keyboard are no use."""
    text = re.sub(
        r"^# .*|\[\d\d [^]]*\]\([^)]*\)|\]\([^)]*\)|`[^`]*`|\$[^$]*\$|arrow keys|\*", "", text
    )
    return (
        re.search(rf"(?<![\w-]){re.escape(term)}(s|es)?(?![\w-])", text, flags=re.IGNORECASE)
        is not None
    )


@pytest.mark.parametrize("name", MAIN)
def test_a_term_is_defined_where_it_is_first_used(name):
    for term, definition in TERMS[name].items():
        first = next(cell for _, cell in TEXTS if uses(term, cell.source))
        assert definition in first.source, f"{term}, first used in {first.id}: {first.source}"


@pytest.mark.parametrize("name", MAIN)
def test_no_core_uses_a_term_that_only_a_deeper_section_defines(name):
    cores = [
        (other, cell)
        for other in MAIN
        for cell in lecture.core(notebook(other).cells)[1:]
        if cell.cell_type == "markdown"
    ]
    deeper = [
        cell.source for own in lecture.sections(notebook(name).cells).values() for cell in own
    ]
    for term, words in TERMS[name].items():
        if any(words in source for source in deeper):
            assert [(other, cell.id) for other, cell in cores if uses(term, cell.source)] == [], (
                term
            )


def test_a_term_is_defined_once():
    everything = [term.lower() for terms in TERMS.values() for term in terms]
    assert len(everything) == len(set(everything))


@pytest.mark.parametrize("name", MAIN)
def test_what_a_notebook_sets_in_bold_as_new_is_in_its_list(name):
    """A bold word that a sentence calls, names or is: "is called the **hull**", "This is
    **softmax**"."""
    new = r"(?:called (?:an? |the |their )?|[Tt]his is )\*\*([^*]+)\*\*"
    called = {word for cell in cells(name, "markdown")[1:] for word in re.findall(new, cell.source)}
    known = {term.lower() for terms in TERMS.values() for term in terms}
    assert not {
        word
        for word in called
        if word.lower().rstrip("s") not in known and word.lower() not in known
    }

"""The ten minutes before the course: each answer is computed anew from its question, and every way
leads somewhere."""

import math
import re

import numpy as np
import pytest
from helpers import MAIN, ROOT

from course_utils.attention import scaled_dot_product_attention, softmax

PAGE = ROOT / "docs" / "where_to_start.md"
TEXT = PAGE.read_text(encoding="utf-8")
QUESTIONS = re.findall(
    r"^### \d+\. (.+?)\n+(.*?)<details><summary>Answer</summary>\n(.*?)</details>",
    TEXT,
    flags=re.MULTILINE | re.DOTALL,
)
ASKED = {title: question for title, question, _ in QUESTIONS}
BOLD = {title: re.findall(r"\*\*(.+?)\*\*", answer) for title, _, answer in QUESTIONS}


def numbers(text):
    return [int(number.replace("−", "-")) for number in re.findall(r"[−-]?\d+", text)]


def told(title):
    """The numbers in the bold words of an answer."""
    return [
        float(number.replace("−", "-"))
        for words in BOLD[title]
        for number in re.findall(r"−?\d+(?:\.\d+)?", words)
    ]


def pair(title):
    """The numbers of a question, as its two equal parts."""
    found = numbers(ASKED[title])
    return np.array(found[: len(found) // 2]), np.array(found[len(found) // 2 :])


def dot_product():
    return [np.dot(*pair("Dot product"))]


def length():
    return [np.linalg.norm(numbers(ASKED["Length"])) * factor for factor in (1, 2)]


def shapes():
    return (np.ones(pair("Shapes of matrices")[0]) @ np.ones(pair("Shapes of matrices")[1])).shape


def table():
    return np.array(eval(re.search(r"np\.array\((.+?)\)`", ASKED["Axes in NumPy"])[1]))


def broadcasting():
    with pytest.raises(ValueError, match="broadcast"):
        table() - table().mean(axis=1)
    return table().mean(axis=1, keepdims=True).shape


def exponential():
    added, factor, divisor = numbers(ASKED["Exponential and logarithm"])
    return [math.exp(added + math.log(factor)) / math.exp(divisor)]


def probability():
    variance = sum(numbers(ASKED["Probability"]))
    return [variance, round(math.sqrt(variance), 1)]


def slope():
    factor, shift, at = map(
        int, re.search(r"\((\d+)w − (\d+)\)².* w = (\d+)", ASKED["Slope"]).groups()
    )

    def loss(w):
        return (factor * w - shift) ** 2

    return [round((loss(at + 1e-6) - loss(at - 1e-6)) / 2e-6, 4)]


def python():
    names = {}
    exec(re.search(r"```python\n(.+?)```", ASKED["Python"], flags=re.DOTALL)[1], names)
    return eval(re.search(r"`(halves\(.+?\))`", ASKED["Python"])[1], names)


def two_keys():
    return softmax(np.array([0, math.log(int(re.search(r"ln (\d+)", ASKED["Softmax"])[1]))]))


def attention():
    Q, K, V = (
        np.ones(shape) for shape in np.reshape(numbers(ASKED["Queries, keys, values"]), (3, 2))
    )
    output, weights = scaled_dot_product_attention(Q, K, V)
    return [*weights.shape, *output.shape]


COMPUTED = {
    "Dot product": dot_product,
    "Length": length,
    "Shapes of matrices": shapes,
    "Axes in NumPy": lambda: table().sum(axis=1),
    "Broadcasting": broadcasting,
    "Exponential and logarithm": exponential,
    "Probability": probability,
    "Slope": slope,
    "Python": python,
    "Softmax": two_keys,
    "Queries, keys, values": attention,
}


@pytest.mark.parametrize("title", ASKED)
def test_an_answer_is_what_comes_out(title):
    if title == "A mask":  # in words; that it is so, tests/claims says of D2
        assert told(title) == []
    else:
        np.testing.assert_allclose(told(title), COMPUTED[title](), atol=1e-9)


def test_every_answer_stands_in_a_fold_and_says_where_to_go():
    assert [title for title, *_ in QUESTIONS] == re.findall(
        r"^### \d+\. (.+)", TEXT, flags=re.MULTILINE
    )
    assert len(QUESTIONS) == 12 == TEXT.count("<details>")
    for _, _, answer in QUESTIONS:
        assert "Right: " in answer
        assert "Wrong" in answer


def test_every_way_leads_to_a_notebook_or_to_a_text_that_is_named():
    links = re.findall(r"\[(\d\d)\]\(\.\./notebooks/(\w+)\.ipynb\)", TEXT)
    assert links
    assert [link for link in links if link[1] not in MAIN or not link[1].startswith(link[0])] == []
    assert set(re.findall(r"\[([A-Z])\]", TEXT)) == set(
        re.findall(r"^- \[([A-Z])\]", TEXT, flags=re.MULTILINE)
    )

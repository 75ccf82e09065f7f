"""The exercise `encode_word`."""

from typing import Any

from numpy.random import Generator

from course_utils import tokens
from course_utils.diagnosis.exercise import Exercise


def encode_word(word, pairs):
    ids = list(word.encode())
    for k, pair in enumerate(pairs):
        ids = tokens.merge_pair(ids, pair, 256 + k)
    return ids


def _numbers(pairs):
    """Pairs of numbers from texts such as "b|e". A side longer than a byte, as in "be|ar", is what
    an earlier pair made.
    """
    number_of = {bytes([byte]): byte for byte in range(256)}
    numbers = []
    for k, pair in enumerate(pairs):
        left, right = pair.encode().split(b"|")
        numbers.append((number_of[left], number_of[right]))
        number_of[left + right] = 256 + k
    return numbers


def draw(rng: Generator) -> tuple[Any, ...]:
    word = "".join(rng.choice(list("abé "), size=rng.integers(1, 9)))
    ids, pairs = list(word.encode()), []
    for k in range(int(rng.integers(4))):
        if len(ids) > 1:
            i = int(rng.integers(len(ids) - 1))
            pairs.append((ids[i], ids[i + 1]))
            ids = tokens.merge_pair(ids, pairs[-1], 256 + k)
    return word, pairs


EXERCISE = Exercise(
    "encode_word",
    encode_word,
    inputs=[
        (
            "bearings",
            _numbers(["e|a", "a|r", "b|ea", "i|n", "bea|r", "n|g", "in|g", "r|s", "ing|s"]),
        ),
        ("bear", _numbers(["a|r", "b|e", "be|ar", "e|a"])),
        ("abab", _numbers(["a|b", "ab|ab", "b|a"])),
        (" rearrange", _numbers(["e|a", "r|e", "a|r", "ar|r", "r|r", " |r", "n|g", "a|n", "an|g"])),
        ("Bärin", _numbers(["r|i", "i|n", "ri|n", "B|r"])),
        ("abc", _numbers(["b|c", "a|b", "a|bc"])),
        ("x", _numbers(["a|b"])),
        ("bears", []),
        ("bear", _numbers(["e|a"])),  # the same word, other pairs
    ],
    parts=("merge_pair",),
    traps={"an empty word": ("", _numbers(["a|b"]))},
    draw=draw,
    returns="tokens",
    minutes=5,
    difficulty=2,
    nudge=(
        "A word begins as its bytes; the first cell of the notebook shows how to get them. Then the"
        " pairs take their turn, the first learned first. What number does pair k make?"
    ),
    skeleton="""def my_encode_word(word, pairs):
    ids = ...                             # the bytes of the word
    for k, pair in enumerate(pairs):
        ids = ...                         # pair k joined, by mine.merge_pair
    return ids
""",
)

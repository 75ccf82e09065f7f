"""`encode_word` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code


def variant(rng: Generator) -> Code:
    offset = int(rng.integers(257, 900))
    pairs = [(98, 195), (offset, 164), (114, 101)]
    return Code(
        f"The way back: from tokens to bytes. Token {offset} + i stands for the two tokens of"
        " `pairs[i]`, which may stand for others in turn; a token below 256 is a byte. `ids`, a"
        " list of numbers; `pairs`, a list of pairs. Returns the list of bytes.",
        "def answer(ids, pairs):\n    for i, pair in reversed(list(enumerate(pairs))):\n       "
        f" ids = [part for token in ids for part in (pair if token == {offset} + i else"
        " (token,))]\n    return list(ids)",
        (
            ([offset + 1, offset + 2], pairs),
            ([33, offset + 1, 101], pairs),
            ([offset + 2, 120, offset, offset + 1], pairs),
        ),
        minutes=8,
        points=5,
    )

"""`note_13` with other numbers: the answer follows from the same idea."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, why
from course_utils.tokens import merge_pair


def variant(rng: Generator) -> Numbers:
    starts = rng.choice(["Bär", "café", "naïv", "çat", "über", "smör", "ñan"], 2, replace=False)
    word = "".join([*starts, rng.choice(["ing", "ist", "lich"])])
    ids, pairs = list(word.encode()), []
    for k in range(int(rng.integers(3, 6))):
        i = int(rng.integers(len(ids) - 1))
        pairs.append((ids[i], ids[i + 1]))
        ids = merge_pair(ids, pairs[-1], 256 + k)
    return Numbers(
        f"The bytes of “{word}” are {list(word.encode())}. A vocabulary has joined these pairs, in"
        f" this order, as 256, 257, …: {pairs}. How many letters has the word, how many bytes, and"
        " of how many tokens is it made? And which is its first token?",
        [len(word), len(word.encode()), len(ids), ids[0]],
        minutes=6,
        points=4,
    )


WHY = [
    why(
        "A tokenizer of byte pairs never meets an unknown word. Why, and what is the price?",
        [
            "Its vocabulary begins with all 256 bytes.",
            "Every text is a row of bytes, so at worst each byte is a token.",
            "The price: a rare word becomes many tokens.",
        ],
        "The vocabulary begins with all 256 bytes, and every text is a row of bytes, so at worst "
        "each byte is a token of its own. The price is that rare words become many tokens.",
    ),
    why(
        "Why must a tokenizer join its pairs in the order in which they were learned?",
        [
            "A later pair may be made of tokens that an earlier one has made.",
            "In another order the same text can become other tokens.",
            "The model has learned on tokens of the first order; others it has hardly seen.",
        ],
        "Later pairs are made of tokens that earlier pairs have made. In another order the same "
        "text may become other tokens, and the model, which has learned on the tokens of the "
        "first order, has hardly seen those.",
    ),
]

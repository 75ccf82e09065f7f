"""How TokenCutter is tried: with pairs learned from the course's prose."""

import functools

from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.data import merges
from course_utils.tokens import Tokenizer, learn


@functools.cache
def needs():
    """pairs."""
    return (learn(merges.prose(), 300),)


@functools.cache
def long():
    """The numbers of pairs that make a long word."""
    return [
        k
        for k, piece in enumerate(Tokenizer(needs()[0]).pieces[256:], start=1)
        if len(piece) > 7 and piece.startswith(b" ")
    ]


SAID = [
    "pay attention to bears",
    "the sentence, the weights: 17 + 25 = 42",
    "It's  B\u00e4r 🐻!",
    "",
    " ",
    "  1  a",
    "don't we'll\u3000x\u00a0",
    "notebooks notebook",
    "attention is all attention",
    "\u0439\u0451\u0436 \u00b2\u00bd",
    "they are",
    " attention",
    "eee ee e",
]


@st.composite
def _states(draw):
    if draw(st.booleans()):  # a long piece, alone or in a text, by its own pair or one beside it
        k = draw(st.sampled_from(long()))
        piece = Tokenizer(needs()[0]).decode([255 + k])
        text = (
            draw(st.sampled_from(["", "the", "the "]))
            + piece
            + draw(st.sampled_from(["", piece, "s", " 1"]))
        )
        return {"text": text[:40], "n": min(300, k + draw(st.sampled_from([0, 0, 0, 1, -1])))}
    text = draw(
        st.one_of(st.sampled_from(SAID), st.text(alphabet="abehrst 'd1,\u00e4🐻", max_size=40))
    )
    return {
        "text": text,
        "n": draw(st.one_of(st.sampled_from([0, 1, 2, 300]), st.integers(0, 300))),
    }


STATES = _states()


def drawn(bars):
    """The bars' heights as bytes a token."""
    return [height / 20 for height in bars]


def shown(numbers):
    """What these bars must be."""
    return numbers["curve"]


def ways():
    """Each pair, with a text that holds its piece as a word and one that does not."""
    pairs = needs()[0]
    pieces = [bytes([b]) for b in range(256)]
    for left, right in pairs:
        pieces.append(pieces[left] + pieces[right])
    for n in range(1, len(pairs) + 1):
        for text in (pieces[255 + n].decode(errors="ignore"), "pay attention to bears"):
            yield {"text": text[:40], "n": n}


def told(state):
    return [f"Pair {state['n']} of {len(needs()[0])} joins"]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="number of pairs",
    drag=(44, 0),
    keys=["ArrowRight", "PageUp", "Home", "End"],
    solved=[("set", "pairs", 291)],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
    needs=needs,
    survivors={
        "3 * n <": "no long word is learned between a third and a half of the way",
    },
)

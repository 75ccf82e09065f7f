"""How TheMap is tried."""

import itertools

from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.data.grammar import WORDS
from course_utils.instruments.the_map import FEWEST, MOST, QUESTIONS, SCORE, WHOLE, TheMap

OPENS = TheMap().start()
# A lecture for each kind of question, beside that of the map alone; "next" has two.
EACH_KIND = [
    *(
        next(lecture for lecture, (_, asked, *_) in QUESTIONS.items() if asked[0] == kind)
        for kind in ("part", "weight", "product", "masked", "next")
    ),
    next(lecture for lecture, (_, asked, *_) in QUESTIONS.items() if asked[1] == "."),
]
LANES = st.one_of(st.none(), st.integers(0, MOST))
SENTENCES = st.one_of(
    st.just(OPENS["words"]),
    st.lists(st.sampled_from(WORDS[1:]), min_size=FEWEST, max_size=MOST),
)
STATES = st.fixed_dictionaries(
    {
        "words": SENTENCES,
        "text": st.integers(0, 3),
        "stage": st.integers(0, WHOLE),
        "level": st.integers(0, SCORE),
        "lane": LANES,
        "head": st.integers(0, 4),
        "key": LANES,
    }
)


def drawn(bars):
    """The bars' lengths as shares: five words and the rest. On a phone one is 70 units long, else
    84."""
    return [height / sum(bars) for height in bars]


def shown(numbers):
    """What these bars must be."""
    return [*numbers["shares"], numbers["rest"]]


def ways():
    """Every head, level and part, before and after a word is written."""
    for text, head, level in itertools.product(range(2), range(5), range(SCORE + 1)):
        yield OPENS | {"text": text, "head": head, "level": level}
    for words in ("the bear that the dog", "the cat near the dogs", "the cats run", "the dog runs"):
        yield OPENS | {"words": words.split()}
    for stage in range(WHOLE + 1):
        yield OPENS | {"stage": stage}
    for head, lane, key in itertools.product((1, 2), range(6), range(6)):
        yield OPENS | {"stage": 4, "head": head, "level": SCORE, "lane": lane, "key": key}


def told(state):
    return [f"Head {state['head']} of block 2", "dogs"]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="where the sentence is",
    drag=(-207, -207),
    keys=["ArrowLeft", "ArrowUp", "PageDown", "End", "Home"],
    solved=[("press", "ribbons of head 1"), ("press", "ribbons of head 3")],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
    survivors={
        "state.lane ?? T + 1": "it is cut to the last token",
        "heads[1].A.map(": "all heads have as many rows",
        "toFixed(10)": "no two weights differ in the tenth digit alone",
    },
    others=lambda: [TheMap(lecture) for lecture in EACH_KIND],
)

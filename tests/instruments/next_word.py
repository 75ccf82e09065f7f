"""How NextWord is tried: with the model of notebook 11, trained as there."""

import functools

import numpy as np
from hypothesis import strategies as st
from instruments.trial import InstrumentTrial

from course_utils.data import grammar
from course_utils.models.language_model import Config, new_model, train


@functools.cache
def needs():
    """params, config, block, head."""
    texts = grammar.sentences(np.random.default_rng(0), 3000)
    config = Config(n_vocab=len(grammar.WORDS), D=32, H=4, L=2, d_ff=64)
    params = new_model(np.random.default_rng(12), config, dtype=float)
    list(train(params, texts, config, np.random.default_rng(2), steps=400, n=32))
    return params, config, 2, 2


TEXTS = [
    grammar.text(row).removesuffix(" .").split()
    for row in grammar.sentences(np.random.default_rng(5), 200)
]
PAIRS = {
    word: other
    for pair in grammar.NOUNS + grammar.SEEING + grammar.RUNNING
    for word, other in (pair, pair[::-1])
}
PROMPTS = [
    grammar.text(tokens).split()
    for tokens in grammar.agreement_prompts(np.random.default_rng(6), 200)[0]
]
HEADS = [[block, head] for block in (1, 2) for head in (1, 2, 3, 4)]

AWAY = st.one_of(st.just([]), st.lists(st.sampled_from(HEADS), max_size=4, unique_by=tuple))


@st.composite
def _states(draw):
    if draw(st.booleans()):  # the subject has changed its number, or the noun after it
        words = draw(st.sampled_from(PROMPTS))
        k = draw(st.sampled_from([i for i, word in enumerate(words) if i == 1 or word in PAIRS]))
        was = [PAIRS[word] if i == k else word for i, word in enumerate(words)]
        return {"words": words, "was": was, "lit": draw(st.sampled_from(HEADS)), "away": draw(AWAY)}
    words = draw(
        st.one_of(st.sampled_from(TEXTS), st.lists(st.sampled_from(grammar.WORDS[1:]), max_size=15))
    )
    words = words[: draw(st.integers(0, len(words)))]
    was = draw(st.sampled_from([None, words, words[:-1]]))
    if words:  # most often one word has changed its number, sometimes two have
        for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2]))):
            i = draw(st.integers(0, len(words) - 1))
            was = [*(was if was and len(was) == len(words) else words)]
            was[i] = PAIRS.get(was[i], "near")
    return {"words": words, "was": was, "lit": draw(st.sampled_from(HEADS)), "away": draw(AWAY)}


STATES = _states()


def drawn(bars):
    """How far the cells are filled, nouns and verbs and others as they stand in the table's
    rows."""
    return [width / 82 for width in bars]


def shown(numbers):
    """What these must be."""
    first, verbs = grammar.WORDS.index("bear"), grammar.WORDS.index("sees")
    left = [[first + 2 * i, first + 2 * i + 1] for i in range(6)] + [[1, 2], [3, 4], [0]]
    right = [[verbs + 2 * i, verbs + 2 * i + 1] for i in range(8)] + [[]]
    return numbers["p"][
        [word for row in zip(left, right, strict=True) for words in row for word in words]
    ]


def ways():
    """In every prompt each word that has two numbers changes."""
    for prompt in PROMPTS[:60]:
        for k in (i for i, word in enumerate(prompt) if word in PAIRS):
            yield {
                "words": [PAIRS[word] if i == k else word for i, word in enumerate(prompt)],
                "was": prompt,
                "lit": [2, 2],
                "away": [],
            }


def told(state):
    ((old, new),) = (
        pair for pair in zip(state["was"], state["words"], strict=True) if len(set(pair)) > 1
    )
    return [f"You made {old} {new}"]


TRIAL = InstrumentTrial(
    states=STATES,
    grip="word 2",
    drag=(-33, 0),
    keys=["ArrowRight", "ArrowLeft", "End", "Home"],
    solved=[("roll", "word 2")],
    drawn=drawn,
    shown=shown,
    ways=ways,
    told=told,
    side="width",
    needs=needs,
    survivors={
        "verbs: [0, 1].map(n => sum(p.filter((_, i) => i >= last && (i + last) % 2 == n)))": (
            "i + last is even where i - last is"
        ),
    },
)

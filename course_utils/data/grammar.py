"""A grammar of 33 words in which a verb must agree with its subject, however far away that stands.

    the dogs that see the cat near the birds run today .

A sentence is a walk through a few places; at each place some words may come next, with
probabilities that depend on the place alone. So the probability of every sentence is known, and
with it how well any model can possibly do.
"""

import functools
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.arguments import ArgumentError, Array, Integers

NOUNS = [
    ("bear", "bears"),
    ("dog", "dogs"),
    ("cat", "cats"),
    ("bird", "birds"),
    ("wolf", "wolves"),
    ("fox", "foxes"),
]
SEEING = [
    ("sees", "see"),
    ("loves", "love"),
    ("fears", "fear"),
    ("hears", "hear"),
]  # these want an object
RUNNING = [("runs", "run"), ("sleeps", "sleep"), ("wins", "win"), ("sings", "sing")]  # these do not
WORDS = [
    ".",
    "the",
    "that",
    "near",
    "today",
    *(word for pair in NOUNS + SEEING + RUNNING for word in pair),
]
NUMBER = {
    word: n for pair in NOUNS + SEEING + RUNNING for n, word in enumerate(pair)
}  # 0 singular, 1 plural
END = WORDS.index(".")
LONGEST = 15  # words of the longest sentence, the full stops before and after it included
_NOUN_SHARES, _VERB_SHARES = (0.30, 0.22, 0.18, 0.14, 0.10, 0.06), (0.4, 0.3, 0.2, 0.1)

Place = tuple[Any, ...]  # its kind, and the numbers that it remembers


def following(place: Place | None) -> dict[str, tuple[float, Place | None]]:
    """What may follow at a place: {word: (probability, the next place)}. Places: tuples, the first
    is ("start",), the last None.

    A place remembers the number of the subject, and that of a second noun only as long as its own
    verb is still to come.
    """
    kind, *numbers = place or (None,)
    if kind == "start":
        return {"the": (1.0, ("subject",))}
    if kind == "subject":
        return _nouns(1.0, lambda n: ("after subject", n))
    if kind == "after subject":
        (n,) = numbers
        return {"that": (0.4, ("that", n)), "near": (0.2, ("near", n)), **_verbs(0.4, n)}
    if kind == "that":
        (n,) = numbers
        return {"the": (0.5, ("that the", n)), **_pairs(0.5, SEEING, _VERB_SHARES, n, ("near", n))}
    if kind == "that the":  # the dogs that the cat ...
        (n,) = numbers
        return _nouns(1.0, lambda m: ("that the noun", n, m))
    if kind == "that the noun":  # the dogs that the cat sees ...
        n, m = numbers
        return _pairs(1.0, SEEING, _VERB_SHARES, m, ("verb", n))
    if kind == "near":  # the dogs near ... or the dogs that see ...
        (n,) = numbers
        return {"the": (1.0, ("near the", n))}
    if kind == "near the":
        (n,) = numbers
        return _nouns(1.0, lambda m: ("after noun", n))
    if kind == "after noun":  # the dogs that see the cat ...
        (n,) = numbers
        return {"near": (0.2, ("last near", n)), **_verbs(0.8, n)}
    if kind == "last near":
        (n,) = numbers
        return {"the": (1.0, ("last near the", n))}
    if kind == "last near the":
        (n,) = numbers
        return _nouns(1.0, lambda m: ("verb", n))
    if kind == "verb":
        (n,) = numbers
        return _verbs(1.0, n)
    if kind == "object":
        return {"the": (1.0, ("object the",))}
    if kind == "object the":
        return _nouns(1.0, lambda m: ("end",))
    if kind == "end":
        return {"today": (0.3, ("today",)), ".": (0.7, None)}
    if kind == "today":
        return {".": (1.0, None)}
    raise ArgumentError("place", repr(place), 'a place of the grammar, such as ("start",)')


def next_probabilities(tokens: Sequence[int]) -> Array:
    """The true probabilities (n_vocab,) of the next word. tokens: numbers, beginning with the full
    stop before the sentence."""
    place: Place | None = ("start",)
    for token in list(tokens)[1:]:
        options = following(place)
        if WORDS[token] not in options:
            raise ArgumentError(
                "tokens", repr(text(tokens)), f"words the grammar allows, here {', '.join(options)}"
            )
        place = options[WORDS[token]][1]
        if place is None:
            raise ArgumentError(
                "tokens", repr(text(tokens)), "the beginning of one sentence, not yet ended"
            )
    probabilities = np.zeros(len(WORDS))
    for word, (p, _) in following(place).items():
        probabilities[WORDS.index(word)] = p
    return probabilities


def log_probability(tokens: Sequence[int]) -> float:
    """The logarithm of the true probability of a whole sentence, from its first full stop to its
    last; -inf where it breaks a rule."""
    place: Place | None = ("start",)
    total = 0.0
    for token in list(tokens)[1:]:
        options = {} if place is None else following(place)
        if WORDS[token] not in options:
            return -np.inf
        p, place = options[WORDS[token]]
        total += np.log(p)
    return total if place is None else -np.inf


@functools.cache
def expected(place: Place = ("start",)) -> tuple[float, float]:
    """From a place to the end, on average: (surprise in nats, number of words). Their ratio is the
    true entropy per word."""
    surprise = words = 0.0
    for p, onward in following(place).values():
        h, n = (0.0, 0.0) if onward is None else expected(onward)
        surprise, words = surprise + p * (h - np.log(p)), words + p * (1 + n)
    return float(surprise), float(words)


def sentences(rng: Generator, n: int) -> Integers:
    """`n` sentences: token numbers (n, LONGEST), each from the full stop before it to the one that
    ends it, then -1."""
    tokens = np.full((n, LONGEST), -1)
    tokens[:, 0] = END
    for row in tokens:
        place, i = ("start",), 1
        while place is not None:
            words, shares, places = _table(place)
            k = int(np.searchsorted(shares, rng.random()))
            row[i], place, i = words[k], places[k], i + 1
    return tokens


def agreement_prompts(
    rng: Generator, n: int, unseen: Integers | None = None
) -> tuple[list[list[int]], Integers]:
    """`n` different beginnings whose next word is the verb, with a noun of the other number as the
    nearest: lists of tokens.

    unseen: sentences (m, LONGEST); no prompt begins one of them. Returns the prompts and the number
    of each subject (0 or 1).
    """
    seen = set() if unseen is None else {tuple(row[:i]) for row in unseen.tolist() for i in (6, 7)}
    prompts: dict[tuple[int, ...], int] = {}
    for number, subject, other in itertools.product((0, 1), NOUNS, NOUNS):
        beginning, distractor = ["the", subject[number]], other[1 - number]
        middles = [["near", "the", distractor]]
        for pair in SEEING:
            middles += [
                ["that", pair[number], "the", distractor],
                ["that", "the", distractor, pair[1 - number]],
            ]
        prompts |= {tuple(encode(beginning + middle)): number for middle in middles}
    left = [prompt for prompt in prompts if prompt not in seen]
    if len(left) < n:
        raise ArgumentError(
            "n", n, f"at most {len(left)}, the prompts that begin none of the sentences"
        )
    chosen = [left[i] for i in rng.permutation(len(left))[:n]]
    return [list(prompt) for prompt in chosen], np.array([prompts[prompt] for prompt in chosen])


def verbs(number: int) -> list[int]:
    """The token numbers of all verbs of a number: 0 singular, 1 plural."""
    return [WORDS.index(pair[number]) for pair in SEEING + RUNNING]


def agrees(scores: np.ndarray, number: int) -> bool:
    """Whether of all verbs the likeliest has this number. scores (n_vocab,): of the next word, or
    its log-probabilities."""
    return bool(scores[verbs(number)].max() > scores[verbs(1 - number)].max())


def encode(words: str | Iterable[str]) -> list[int]:
    """Words (a list, or a text with spaces) as token numbers, the full stop before the sentence
    included."""
    words = words.split() if isinstance(words, str) else list(words)
    unknown = [word for word in words if word not in WORDS]
    if unknown:
        raise ArgumentError("words", repr(unknown[0]), f"words out of {', '.join(WORDS)}")
    return [END, *(WORDS.index(word) for word in words)]


def text(tokens: Iterable[int]) -> str:
    """Token numbers as words, without the full stop before the sentence and what stands after the
    one that ends it."""
    return " ".join(WORDS[t] for t in list(tokens)[1:] if t >= 0)


def _pairs(share, pairs, shares, number, onward):
    return {pair[number]: (share * p, onward) for pair, p in zip(pairs, shares, strict=True)}


def _verbs(share, number):
    return {
        **_pairs(share / 2, SEEING, _VERB_SHARES, number, ("object",)),
        **_pairs(share / 2, RUNNING, _VERB_SHARES, number, ("end",)),
    }


def _nouns(share, onward):
    return {
        word: (share * p / 2, onward(n))
        for pair, p in zip(NOUNS, _NOUN_SHARES, strict=True)
        for n, word in enumerate(pair)
    }


@functools.cache
def _table(place):
    options = following(place)
    shares = np.cumsum([p for p, _ in options.values()])
    return (
        [WORDS.index(word) for word in options],
        shares / shares[-1],
        [onward for _, onward in options.values()],
    )

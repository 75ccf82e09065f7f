"""What can settle a sentence: one kind of evidence for each kind of sentence, and nothing else.

definition   Conventions   two ways to write it, side by side
always       Search        random and corner inputs of a stated domain, in more than one dtype
can          Witness       one case in which it happens
typically    Sample        k of n, drawn from a stated population by a seed
because      Control       runs with and without the cause, and again with one thing changed
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from course_utils.arguments import ArgumentError, Array, Short

Count = tuple[int, int]  # k of n
Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations


def wilson(k: int, n: int) -> tuple[float, float]:
    """The 95 % interval (low, high) of a share, k of n: the score interval of Wilson (1927).

    Raises ArgumentError unless 0 <= k <= n and n >= 1.

    >>> [round(end, 2) for end in wilson(10, 10)]
    [0.72, 1.0]
    """
    k, n = as_count((k, n), "k of n")
    share, square = k / n, Z**2 / n
    middle = (share + square / 2) / (1 + square)
    half = Z * np.sqrt(share * (1 - share) / n + square / (4 * n)) / (1 + square)
    low, high = min(middle - half, share), max(middle + half, share)  # in spite of rounding
    return max(0.0, float(low)), min(1.0, float(high))


def apart(more: Count, fewer: Count) -> bool:
    """Does the interval of `more`, (k, n), lie wholly above that of `fewer`?"""
    return wilson(*more)[0] > wilson(*fewer)[1]


def by_chance(one: Count, other: Count) -> bool:
    """May two counts (k, n) be of one share? Yes, if the 95 % interval of the difference of their
    shares holds 0.

    The interval is that of Newcombe (1998, method 10): from `wilson` of both.

    >>> by_chance((9, 10), (10, 10)), by_chance((10, 10), (5, 10))
    (True, False)
    """
    (k, n), (k_2, n_2) = more, fewer = sorted([one, other], key=lambda count: -count[0] / count[1])
    below, above = k / n - wilson(*more)[0], wilson(*fewer)[1] - k_2 / n_2
    return bool(k / n - k_2 / n_2 <= np.hypot(below, above))


def compared(stored: Count, again: Count) -> str:
    """A stored share beside the same share of other starts, both (k, n), and whether it lies in the
    stored one's interval. Few other starts may miss it by chance: that is said, too.

    >>> compared((10, 10), (5, 10))
    '10 of 10 (0.72 to 1.00), again 5 of 10: OUTSIDE'
    >>> compared((9, 10), (10, 10))
    '9 of 10 (0.60 to 0.98), again 10 of 10: outside, by chance'
    """
    low, high = wilson(*stored)
    (k, n), (k_2, n_2) = stored, again
    line = f"{k} of {n} ({low:.2f} to {high:.2f}), again {k_2} of {n_2}"
    if low <= k_2 / n_2 <= high:
        return line
    return f"{line}: {'outside, by chance' if by_chance(stored, again) else 'OUTSIDE'}"


def as_count(count: object, name: str) -> Count:
    """A pair (k, n) of whole numbers with 0 <= k <= n and n >= 1, as plain int."""
    pair = tuple(count) if isinstance(count, (tuple, list)) else ()
    whole = all(isinstance(i, (int, np.integer)) and not isinstance(i, bool) for i in pair)
    if len(pair) != 2 or not whole or not 0 <= pair[0] <= pair[1] or pair[1] < 1:
        raise ArgumentError(name, Short(count), "(k, n), whole numbers with 0 <= k <= n and n >= 1")
    return int(pair[0]), int(pair[1])


def as_text(text: object, name: str) -> str:
    """A text that says something."""
    if not isinstance(text, str) or not text.strip():
        raise ArgumentError(name, Short(text), "words")
    return text


def as_table(table: object, name: str, least: int) -> dict[str, Any]:
    """A dictionary with words as its keys and at least so many of them."""
    if not isinstance(table, dict) or len(table) < least:
        raise ArgumentError(name, Short(table), f"a dictionary with {least} or more entries")
    for case in table:
        as_text(case, name)
    return table


@dataclass(frozen=True)
class Conventions:
    """Ways to write or name one thing: {who does so: how}. None of them is wrong, so there are at
    least two.
    """

    ways: dict[str, str]

    def __post_init__(self) -> None:
        for way in as_table(self.ways, "ways", 2).values():
            as_text(way, "ways")
        if len(set(self.ways.values())) < 2:
            raise ArgumentError("ways", Short(self.ways), "at least two that differ")


@dataclass(frozen=True)
class Search:
    """What `search` found: the domain in words, how many inputs were tried, {dtype: the smallest
    size that breaks it, or None}.

    measure: what a size is, with {} for its number; under: (a condition in words, the Search where
    it is met) or None.
    """

    domain: str
    measure: str
    tried: int
    found: dict[str, Any]
    under: "tuple[str, Search] | None" = None

    @property
    def breaks(self) -> dict[str, float]:
        """{dtype: smallest size} of the dtypes in which a counterexample was found."""
        return {dtype: size for dtype, size in self.found.items() if size is not None}

    def holds_if(self, condition: str, other: "Search") -> "Search":
        """This search together with the one under which the sentence holds. Raises ArgumentError
        where it does not hold there.
        """
        as_text(condition, "condition")
        if not isinstance(other, Search):
            raise ArgumentError("other", Short(other), "what `search` gives back")
        if not self.breaks:
            raise ArgumentError(
                "condition", Short(condition), "none: no counterexample was found without it"
            )
        if other.breaks:
            raise ArgumentError(
                "condition",
                Short(condition),
                f"one without a counterexample; found was {other.breaks}",
            )
        return Search(self.domain, self.measure, self.tried, self.found, (condition, other))


def search(
    holds: Callable[[Array], object],
    domain: str,
    measure: str,
    sizes: Iterable[float],
    draw: Callable[[Generator, Any], ArrayLike],
    corners: Callable[[Any], list[Array]],
    dtypes: Sequence[str] = ("float32", "float64"),
    tries: int = 3,
    seed: int = 0,
) -> Search:
    """Look for the smallest input that breaks a sentence about all inputs of a domain.

    holds: takes an input, says whether the sentence is true of it. domain: in words. measure: "a
    score of {}" says what a size is.
    sizes: numbers in growing order. draw(rng, size) and corners(size) give one random input and a
    list of extreme ones, as float64 arrays; each is turned into every dtype. tries: random inputs
    of each size; seed: of the drawing.
    Returns a Search: in each dtype all sizes are tried in their order, up to the first that breaks
    the sentence.
    Raises ArgumentError for fewer than two dtypes, for sizes in another order, and where no corner
    is tried.

    >>> def adds_up(s): return np.isclose((np.exp(s) / np.exp(s).sum()).sum(), 1)
    >>> search(adds_up, "two scores", "a score of {}", range(1, 1001),
    ...        lambda rng, size: rng.uniform(0, size, 2),
    ...        lambda size: [np.array([size, size - 1.0])]).found
    {'float32': 89, 'float64': 710}
    """
    sizes, dtypes = list(sizes), list(dtypes)
    if len(set(dtypes)) < 2:
        raise ArgumentError("dtypes", Short(dtypes), "two or more")
    if not sizes or sorted(sizes) != sizes:
        raise ArgumentError("sizes", Short(sizes), "numbers in growing order")
    if not list(corners(sizes[0])):
        raise ArgumentError("corners", "no input", "at least one for each size")
    tried = 0
    found: dict[str, Any] = {}
    for dtype in dtypes:
        rng, found[dtype] = np.random.default_rng(seed), None
        for size in sizes:
            inputs = [*corners(size), *(draw(rng, size) for _ in range(tries))]
            tried += len(inputs)
            with np.errstate(all="ignore"):
                kept = all(bool(holds(np.asarray(x).astype(dtype))) for x in inputs)
            if not kept:
                found[dtype] = size
                break
    return Search(as_text(domain, "domain"), as_text(measure, "measure"), tried, found)


@dataclass(frozen=True)
class Witness:
    """One case in which what can happen does happen: in words, with the number that shows it; and
    how often, as (k, n), or None.
    """

    case: str
    seen: bool
    number: object = ""
    often: Count | None = None

    def __post_init__(self) -> None:
        as_text(self.case, "case")
        if not isinstance(self.seen, (bool, np.bool_)):
            raise ArgumentError("seen", Short(self.seen), "True or False, as measured")
        if self.often is not None:
            as_count(self.often, "often")


@dataclass(frozen=True)
class Sample:
    """How often it happens: the population in words, the seed that drew from it, {what was
    counted: (k, n)}.
    """

    population: str
    seed: object
    counts: dict[str, Count]

    def __post_init__(self) -> None:
        as_text(self.population, "population")
        if (
            not isinstance(self.seed, (int, np.integer, str))
            or isinstance(self.seed, bool)
            or self.seed == ""
        ):
            raise ArgumentError(
                "seed", Short(self.seed), "the number that drew the sample, or which numbers did"
            )
        for count in as_table(self.counts, "counts", 1).values():
            as_count(count, "counts")


@dataclass(frozen=True)
class Control:
    """Runs with a cause and without it, all else equal; then the same with one thing changed.

    sides: what they are called, ("two heads", "one head"); counted: what k counts, in words; base:
    ((k, n) with, (k, n) without);
    changes: {one change in words: (with, without)}, the smallest change first.
    """

    sides: tuple[str, str]
    counted: str
    base: tuple[Count, Count]
    changes: dict[str, tuple[Count, Count]]

    def __post_init__(self) -> None:
        if (
            not isinstance(self.sides, (tuple, list))
            or len(self.sides) != 2
            or self.sides[0] == self.sides[1]
        ):
            raise ArgumentError(
                "sides", Short(self.sides), "two names, of the runs with and of those without"
            )
        as_text(self.counted, "counted")
        for pair in [self.base, *as_table(self.changes, "changes", 1).values()]:
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise ArgumentError("counts", Short(pair), "((k, n) with, (k, n) without)")
            for count in pair:
                as_count(count, "counts")

    @property
    def differ(self) -> bool:
        """Is the difference larger than chance: is the interval with the cause wholly above that
        without?
        """
        return apart(*self.base)

    @property
    def turn(self) -> str | None:
        """The first of the changes after which there is no such difference any more, or None."""
        return next((change for change, pair in self.changes.items() if not apart(*pair)), None)


def turn(stored: dict[str, Any]) -> str | None:
    """The first of the changes that turns a sentence round, or None; stored: a table of
    data/refuted.json.

    A claim turns where runs with and without the cause no longer differ by more than chance; a
    sentence where it is true in fewer cases, by more than chance.

    >>> turn({"base": (10, 10), "changes": {"float32": (10, 10), "another start": (0, 10)}})
    'another start'
    """
    if "sides" in stored:
        return Control(**stored).turn
    return next(
        (change for change, share in stored["changes"].items() if apart(stored["base"], share)),
        None,
    )

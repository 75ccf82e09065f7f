"""What the tests need to know of an instrument: its file here makes one InstrumentTrial, TRIAL."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from hypothesis.strategies import SearchStrategy


def _nothing():
    return ()


@dataclass(frozen=True)
class InstrumentTrial:
    """How an instrument is tried.

    states: states that the hand can reach, those near the challenge too; the languages agree.
    grip: how the name of a handle begins (an instrument has one at least; a slider is none); drag:
    by how much (x, y), in units of its picture, it is dragged; keys: keys, pressed one after the
    other, each of which changes it.
    solved: what a hand does to meet the challenge, which only the browser's tests try: ("drag",
    name, dx, dy), in units of its picture (y grows downwards), ("pick", name): its focus is enough,
    ("roll", name): one to the left, ("press", button), ("cell", number) or ("set", slider, value).
    drawn(lengths of all bars of the class `level`, in units of the picture) -> numbers, which must
    be those of shown(numbers).
    ways(): states that try every way to meet the challenge.
    told(state): words that the lesson must hold where it is met, read from the state and not from
    what the instrument makes of it.
    side: the side of a bar that shows its number; needs(): what the instrument is made of.
    survivors: part of the line of a planted mistake that nothing can show, and why.
    others: the instrument made of other things, where that changes what it says.
    """

    states: SearchStrategy
    grip: str
    drag: tuple[int, int]
    keys: list[str]
    solved: list[tuple]
    drawn: Callable[[list[float]], np.ndarray]
    shown: Callable[[dict], np.ndarray]
    ways: Callable[[], Iterable[dict]]
    told: Callable[[dict], list[str]]
    side: str = "height"
    needs: Callable[[], tuple] = _nothing
    survivors: dict[str, str] = field(default_factory=dict)
    others: Callable[[], Iterable] = _nothing

"""An instrument: the hand moves a part of a picture, the mathematics answers at once, drawn in the
browser, told in words.

How one is written. NAME.py holds a class, NAME.js the same in JavaScript, tests/instruments/NAME.py
an InstrumentTrial: how it is tried.

What NAME.py defines stands in `Instrument`, method by method. These are static; where an instrument
is made of something, such as a trained model (next_word.py), they are methods of what was made.

    (() => {
      // what it takes from kit.js
      const { dot, picture, handle, goal, rule, instrument } = courseKit;
      instrument('QueryExplorer', {
        hint, // what can be done
        // as in Python, in every number and every word
        compute(state, data), describe(numbers), conditions(numbers), lesson(numbers),
        // draws all that stays, returns draw(numbers)
        build({ controls, stage, update, hover }, data, state)
        // what is shown, for who walks it cell by cell under a fold
        // corner: what a row is; rows: their names, two at least; values: a list for each row
        table(numbers, data) // {title, corner, rows, columns, values}
      });
    })();

`build` puts sliders and choices into `controls` and pictures into `stage`. What the hand does
changes `state` in place and calls `update()`; one picture is drawn a frame, by `draw(numbers)`.
`hover(element, numbers => words)` says what an element tells when it is pointed at or focused. A
state with `drags` counts the moves of the hand (a drag, or a visit by keys). The reset, the words
(read to who cannot see, shown to who asks), the challenge and the channel to Python are the kit's.

Hand, effect and challenge stand in one window: all pictures stand in one row, together at most 870
units wide and 440 high. A number stands in the figure, beside what it measures. Compare with a
margin wherever a number decides a word: the last digits of the two languages differ. Lines are
drawn before what can be taken: what lies on top catches the hand. Purple is what the hand takes,
sky blue are weights; blue, vermilion and green are the three meanings alone; bars that show a
computed number have the class `level`, and a test measures them. Whatever is drawn is computed by
`compute`, so that Python holds it. What the hand takes is 24 pixels wide and high on a phone; where
places are smaller (`small_places`), enlarge.js shows those that a finger meets as buttons.

An instrument that is shown in a notebook gives plain text (its words) and HTML (a still with its
words, and the script that brings it to life). It needs no kernel and no network after that. Where a
kernel lives, a channel (state_channel.py) brings the state back:

    explorer = QueryExplorer()
    explorer                     # drag
    explorer.state["q"]          # in the next cell
"""

import copy
import html
import inspect
import zlib
from collections import Counter
from importlib.util import find_spec
from os import environ
from pathlib import Path
from typing import Any

from course_utils.arguments import ArgumentError
from course_utils.cards.carrier import NO_SCRIPT_HINT, find_shell, render_live_html
from course_utils.cards.look import card
from course_utils.cards.scripts import read_script
from course_utils.instruments.stills import as_image

KIT = read_script(Path(__file__).with_name("kit.js"))
ENLARGE = read_script(Path(__file__).with_name("enlarge.js"))
State = dict[str, Any]  # JSON: all that the hand can change, by name
Numbers = dict[str, Any]  # arrays, texts and truths, by name: all that is drawn or told
Condition = dict[str, Any]  # what `goal` and `rule` give
_made: Counter[str] = Counter()


def goal(text: str, holds: bool) -> Condition:
    """A condition that the reader is to reach. text: with the number that is wanted and the present
    one."""
    return {"text": text, "holds": bool(holds), "rule": False}


def rule(text: str, holds: bool) -> Condition:
    """A condition that holds at the start; a hand that has broken it is shown the way back."""
    return {"text": text, "holds": bool(holds), "rule": True}


class Instrument:
    """What all instruments share. A subclass defines `challenge` and each method that raises
    NotImplementedError here, static where it needs no `self`.

    challenge: one sentence, below the instrument, where `d_k` gets a subscript.
    changes: entries of the state in which it opens other than `start()`.
    """

    challenge: str
    heading_level = 3  # of the challenge below it
    small_places = False  # some are too small for a finger: its script uses courseKit.enlarge

    def __init__(self, **changes: Any) -> None:
        start = self.start()
        for name in changes.keys() - start:
            raise ArgumentError("state", repr(name), "one of " + ", ".join(start))
        self._state = start | copy.deepcopy(changes)
        self._channel: Any = None  # a StateChannel, which is imported where it is needed

    def data(self) -> dict[str, Any]:
        """What never changes: JSON, rounded here, so that both languages start from the same
        numbers."""
        raise NotImplementedError

    def start(self) -> State:
        """The state that opens: all that the hand can change, and nothing else."""
        raise NotImplementedError

    def compute(self, state: State) -> Numbers:
        """All that is drawn or told, by course_utils' own functions."""
        raise NotImplementedError

    def describe(self, numbers: Numbers) -> str:
        """One or two sentences, numbers written by rounding.py."""
        raise NotImplementedError

    def conditions(self, numbers: Numbers) -> list[Condition]:
        """What must hold for the challenge: goal("... above 0.90: now 0.42", holds), and
        rule("keys as they opened", holds) for what the hand may break.

        They are shown as ticks while the hand moves. The challenge is met where all hold.
        """
        raise NotImplementedError

    def lesson(self, numbers: Numbers) -> str:
        """What can be learned from what this reader did; asked only where the challenge is met."""
        raise NotImplementedError

    def still(self, numbers: Numbers) -> str:
        """The picture (SVG, see stills.py) that stands where no script may run: less than 900 wide
        and 420 high."""
        raise NotImplementedError

    @property
    def state(self) -> State:
        """What the hand has set, as a dictionary. A new one moves the instrument."""
        return copy.deepcopy(self._state if self._channel is None else self._channel.state)

    @state.setter
    def state(self, state: State) -> None:
        if state.keys() != self._state.keys():
            raise ArgumentError(
                "state", ", ".join(map(repr, state)), "exactly " + ", ".join(map(repr, self._state))
            )
        self._state = copy.deepcopy(state)
        if self._channel is not None:
            self._channel.state = self._state

    @property
    def numbers(self) -> Numbers:
        """What is drawn now."""
        return self.compute(self.state)

    def met(self, numbers: Numbers) -> bool:
        """Is the challenge met? It is where all its conditions hold."""
        return all(one["holds"] for one in self.conditions(numbers))

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.describe(self.numbers)}"

    @classmethod
    def script(cls) -> str:
        """The instrument's own script, behind what it needs besides the kit."""
        own = read_script(Path(inspect.getfile(cls)).with_suffix(".js"))
        return f"{ENLARGE}\n{own}" if cls.small_places else own

    def _repr_mimebundle_(self, include=None, exclude=None):
        name = type(self).__name__
        if self._channel is None:
            self._channel = open_channel(name, self._state)
        numbers = self.numbers
        words = html.escape(self.describe(numbers))
        picture = (
            f'<div class="course-words">{as_image(self.still(numbers), words)}<p>{words}</p></div>'
        )
        dare = card(
            "challenge",
            self.challenge,
            '<div class="course-met"></div>',
            level=self.heading_level,
        )
        payload = {
            "data": self.data(),
            "state": self.state,
            "channel": getattr(self._channel, "name", ""),
        }
        return {
            "text/plain": repr(self),
            "text/html": render_live_html(
                picture + NO_SCRIPT_HINT + dare, name, name, payload, KIT, self.script()
            ),
        }


def open_channel(name: str, state: State) -> Any:
    """The kernel's end of a channel, or None where no notebook could hold the other one, or where
    there is no anywidget (JupyterLite).

    Its name is the same in every fresh kernel, so that a stored notebook does not change; but two
    notebooks that are open in one page must not pull each other's channels, and there the server
    tells each kernel a name of its own.
    """
    shell = find_shell()
    if not hasattr(shell, "kernel") or find_spec("anywidget") is None:
        return None
    from course_utils.instruments.state_channel import (
        StateChannel,
    )  # here and not above: it is large, and most of the time nobody asks for it

    _made[name] += 1
    session = environ.get("JPY_SESSION_NAME", "")
    return StateChannel(
        name=f"{name} {_made[name]}" + (f" {zlib.crc32(session.encode()):x}" if session else ""),
        state=state,
    )

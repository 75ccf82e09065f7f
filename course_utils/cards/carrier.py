"""How a live card gets into a page: its words, then one small script. No extension, no dependency,
no network.

The words stand there where no script may run: in a notebook that is not trusted, on a page that
shows text only. The script of a part (predictions and quizzes are one part each, an instrument
another) comes once: the first card that needs it in a run of the notebook brings it along, later
ones carry their data alone and find it in the page. A card that is shown again brings it again, and
so does the first one after a page was loaded anew, so running a cell always wakes its card,
whatever was cleared or closed before.

    <div>words …</div><script>/* card */ [scripts] ((window.courseCards ??= {})["part"] ??=
    []).push([the div, data])</script>

A part's script calls `courseCards.part(name, wake)`, which carrier.js brings: wake(div, data) is
then called for every card of that part, those that stood there before it included. live.js is an
example. What a reader did outlives the page by `courseCards.keep` and `courseCards.recall`.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from course_utils.cards.scripts import read_script

NO_SCRIPT_HINT = (
    '<p class="course-asleep" style="margin:.35em 0;font-size:.9em">Run this cell to answer'
    " here.</p>"
)
_brought: set[tuple[str, str]] = set()  # (page, script) that this kernel has put into it
_shown: set[tuple[str, str]] = set()  # cards that were shown before


CARRIER = read_script(Path(__file__).with_name("carrier.js"))


def render_live_html(words: str, part: str, key: str, data: Any, *scripts: str) -> str:
    """HTML of a live card. words: its HTML without script; part: who wakes it; key: which card it
    is; data: JSON for it; scripts: what it needs."""
    page, again = _page(), (part, key) in _shown
    _shown.add((part, key))
    needed = [each for each in (CARRIER, *scripts) if again or (page, each) not in _brought]
    _brought.update((page, each) for each in needed)
    lines = "\n".join(["/* card */", *needed])
    push = f'((window.courseCards??={{}})["{part}"]??=[]).push([document.currentScript.previousElementSibling,{_as_script(data)}])'  # noqa: E501
    return f"<div>{words}</div><script>{lines}\n{push}</script>"


def find_shell() -> Any:
    """IPython's shell, in which a cell runs; None in a plain Python."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def _page():
    """The page whose cell runs, "" where none is: loaded again, a notebook asks as another one."""
    asked = getattr(find_shell(), "parent_header", None) or {}
    return asked.get("header", {}).get("session", "")


def _as_script(data):
    """JSON that may stand inside a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return re.sub(
        "<(?=[/!s])|[\u2028\u2029]", lambda m: f"\\u{ord(m[0]):04x}", text, flags=re.IGNORECASE
    )


def forget() -> None:
    """As in a fresh kernel: the next card brings its script along."""
    _brought.clear()
    _shown.clear()

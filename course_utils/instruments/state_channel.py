"""The kernel's end of the channel between an instrument and Python: a widget that is never
shown."""

from pathlib import Path

import anywidget
import traitlets


class StateChannel(anywidget.AnyWidget):
    """name: what the instrument's page looks for; state: what the hand has set."""

    _esm = (Path(__file__).with_name("state_channel.js")).read_text(encoding="utf-8")
    name = traitlets.Unicode().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)

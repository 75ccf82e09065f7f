"""The kernel's end of the wire between an instrument and Python: a widget that is never shown."""

from pathlib import Path

import anywidget
import traitlets


class Wire(anywidget.AnyWidget):
    """name: what the instrument's page looks for; state: what the hand has set."""

    _esm = (Path(__file__).with_name("wire.js")).read_text(encoding="utf-8")
    name = traitlets.Unicode().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)

"""How the course says that an argument does not fit: in one sentence, without a long traceback."""

import os
import traceback

PACKAGE_FOLDER = os.path.dirname(os.path.abspath(__file__))


class ArgumentError(ValueError):
    """An argument that does not fit: its name, what came, and what would fit."""

    def __init__(self, argument, got, wanted):
        super().__init__(f"{argument}: got {got}, wanted {wanted}")

    def _render_traceback_(self):
        """What a notebook shows: the caller's own line and the message (IPython looks for this name)."""
        frames = traceback.extract_tb(self.__traceback__)
        theirs = [f for f in frames if not f.filename.startswith(PACKAGE_FOLDER) and "IPython" not in f.filename]
        where = [f"line {f.lineno}:  {f.line}" for f in theirs[-1:]]
        return [*where, f"ArgumentError: {self}"]

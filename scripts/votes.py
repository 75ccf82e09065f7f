"""Let a room vote by phone on the questions of a lecture; nothing leaves the room.

    python scripts/votes.py --room                 a page for the phones in this network
    python scripts/votes.py                        the same on this computer alone, to try it
    python scripts/votes.py --cards FILE           a page to print: A to D, without a network

The command prints three addresses: the presenter's, the phones' and the wall's. Keep the first to
yourself: it opens questions, and its slides hold answers. Slides are those of build/slides, if they
are there. Counts are kept in the folder `votes`; `export.py report --votes votes` puts them on the
class page.
"""

import sys
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[1]))

from exporting import lacks

if __name__ == "__main__":
    try:
        from voting.server import main
    except ModuleNotFoundError as missing:
        sys.exit(lacks("votes.py", missing))
    main(__doc__)

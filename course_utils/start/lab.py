"""JupyterLab in a student's folder; its only words are where the course is open and how to stop it.
start.py runs this file in the environment."""

import os
import sys
from pathlib import Path

from jupyterlab.labapp import LabApp

# Ctrl-C stops without a question; what a student passes on stands behind these, and wins.
SETTINGS = ["--ServerApp.answer_yes=True", "--LabApp.news_url=None"]
# Defaults, below a student's own settings. No row of buttons in the active cell: by ear they stand
# among a card's buttons, and one of them deletes the cell. (Its setting showToolbar does not reach
# a notebook that is opened later.) All cells are laid out: in what is not, a screen reader loses
# its place. And no question about news.
os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(
    [
        *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")]),
        str(Path(__file__).with_name("jupyter")),
    ]
)


def main(arguments: list[str]) -> None:
    server = LabApp.initialize_server(argv=[*SETTINGS, *arguments])
    server.io_loop.add_callback(
        lambda: print(
            f"\nThe course is open at\n\n    {server.public_url}\n\nTo stop it, press Ctrl-C here.",
            flush=True,
        )
    )
    server.start()


if __name__ == "__main__":
    main(sys.argv[1:])

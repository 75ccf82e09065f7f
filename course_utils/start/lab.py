"""JupyterLab in a student's folder; its only words are where the course is open and how to stop it.
start.py runs this file in the environment."""

import sys

from jupyterlab.labapp import LabApp

# Ctrl-C stops without a question; what a student passes on stands behind these, and wins.
SETTINGS = [
    "--ServerApp.answer_yes=True",
    "--LabApp.default_url=/lab/tree/00_start_here.ipynb",
    "--LabApp.news_url=None",
]


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

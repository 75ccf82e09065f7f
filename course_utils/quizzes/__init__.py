"""The quizzes: one JSON file a notebook, shown by jupyterquiz, which needs neither kernel nor network."""

import json
import random
from pathlib import Path

from jupyterquiz import display_quiz

from course_utils.errors import ArgumentError

FOLDER = Path(__file__).parent
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))

# Black on white, and a green and a red that contrast with both by more than 4.5 to 1 (WCAG AA).
COLOURS = {
    "--jq-multiple-choice-bg": "#ffffff", "--jq-text-color": "#000000",
    "--jq-mc-button-bg": "#f4f4f4", "--jq-mc-button-border": "#767676",
    "--jq-correct-color": "#008900", "--jq-incorrect-color": "#ec0000",
}


def load(name):
    """The questions of a notebook, as jupyterquiz takes them."""
    if name not in NAMES:
        raise ArgumentError("name", repr(name), "one of " + ", ".join(NAMES))
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def quiz(name):
    """Show the five questions that close notebook `name`, for instance quiz("01_self_attention")."""
    questions = load(name)
    state = random.getstate()
    random.seed(name)            # jupyterquiz draws the id of its page element: the same one each time
    try:
        display_quiz(questions, colors=COLOURS, max_width=760, border_radius=6)
    finally:
        random.setstate(state)

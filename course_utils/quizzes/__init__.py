"""The quizzes: one JSON file a notebook, shown by jupyterquiz, which needs neither kernel nor network."""

import json
from pathlib import Path

from IPython.display import HTML, Javascript, display
from jupyterquiz.dynamic.loader import load_questions_script
from jupyterquiz.dynamic.renderer import build_script, build_styles, render_div

from course_utils.arguments import ArgumentError

FOLDER = Path(__file__).parent
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))

# Black on white, and a green and a red that contrast with both by more than 4.5 to 1 (WCAG AA).
COLOURS = {
    "--jq-multiple-choice-bg": "#ffffff", "--jq-text-color": "#000000",
    "--jq-mc-button-bg": "#f4f4f4", "--jq-mc-button-border": "#767676", "--jq-mc-button-inset-shadow": "#555555",
    "--jq-correct-color": "#008900", "--jq-incorrect-color": "#ec0000", "--jq-link-color": "#0000ee",
}


def load(name):
    """The questions of a notebook, as jupyterquiz takes them."""
    if name not in NAMES:
        raise ArgumentError("name", repr(name), "one of " + ", ".join(NAMES))
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def quiz(name):
    """Show the five questions that close notebook `name`, for instance quiz("01_self_attention").

    These are the steps of jupyterquiz.display_quiz, with two differences. The page element has a fixed id, so that
    a notebook's stored output stays the same. And MathJax is left alone: our questions have no TeX, and where it does
    not find the MathJax it expects (in JupyterLab), jupyterquiz would fetch one from the network.
    """
    element = f"quiz_{name}"
    prefix, static, url = load_questions_script(load(name), element)
    script = build_script(prefix, static, url, element, load_js=True).replace("typeof MathJax != 'undefined'", "false")
    page = render_div(element, shuffle_questions=False, shuffle_answers=True, preserve_responses=False, num=1_000_000,
                      max_width=760, border_radius=6, question_alignment="left") + build_styles(element, COLOURS)
    card = f"<style>#{element} {{ background: #ffffff; padding: 4px 16px 16px; }}</style>"       # feedback, too, stands on white in dark mode
    display(HTML(page + card), Javascript(script))

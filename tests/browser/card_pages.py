"""A page of all kinds of cards."""

from browsing import plain

from course_utils.cards import carrier, questions
from course_utils.cards.diagnoses import diagnosis_card
from course_utils.cards.look import verdict_card

READING = [("this", "It is this."), ("that", "Not that."), ("both", "Not both.")]
CONFIG = (
    '<script id="jupyter-config-data" type="application/json">{"baseUrl": "/somebody/"}</script>'
)
BELOW = (
    '<div class="jp-Cell">words</div><div class="jp-Cell jp-CodeCell"><div class="jp-InputPrompt">['
    " ]:</div></div>"
)
LADDER = [
    ("A nudge", "Which axis is a row?", False),
    ("A skeleton", "e = ...", True),
    ("A solution", "e = np.exp(s)", True),
]
(FIRST_KEY, FIRST), (SECOND_KEY, SECOND) = list(
    questions.load("predictions", "01_self_attention").items()
)[:2]


def right_of(question):
    return next(i for i, option in enumerate(question["options"]) if option.get("right"))


def page_of(theme, notebook):
    """Every kind of card on one page.

    notebook: each card is the output of a cell, before a cell of words and one of code, as
    JupyterLab and Notebook build their pages.
    """
    carrier.forget()
    live = [
        *(questions.predict(f"01_{key}") for key in (FIRST_KEY, SECOND_KEY)),
        questions.quiz("01_self_attention"),
        questions.predictions("01"),
        questions.Card("", questions.reading_page("clicked", "Which?", READING, "A")),
    ]
    cases = [(True, "small scores", "sum 1.00"), (False, "scores of 1000", "NaN")]
    sentence = "A program may compute softmax as exp(s)/Σexp(s)."
    still = [
        verdict_card(
            "Not always", sentence, "For all scores?", cases, None, ["Subtract first."], "note 000"
        ),
        diagnosis_card("correct", None, "All inputs agree."),
        diagnosis_card(
            "wrong",
            "wrong axis",
            "Columns sum to 1.",
            ("[[1. 2.]]", "[0.24 0.76]", "[0.09 0.91]"),
            "(2, 2)",
            LADDER,
        ),
        diagnosis_card("not attempted", None, "Fill in `softmax(scores)`.", ladder=LADDER),
        questions.reading_page("typed", "Which of the two?", READING, "A", chosen="B"),
    ]
    carrier.forget()
    all_cards = [*(card._repr_html_() for card in live), *still]
    body = "".join(
        f'<section class="jp-Cell">{card}</section>{BELOW if notebook else ""}'
        for card in all_cards
    )
    return plain(theme, "Cards", f"<h2>All kinds</h2>{body}", CONFIG if notebook else "")

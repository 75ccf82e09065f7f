"""Questions as a hall answers them: letters at 32 pixels, nothing else on the slide; what was right
comes on a later one.

A prediction is a poll of peer instruction: vote, talk to a neighbour, vote again, see what comes
out, hear why. A quiz is asked and answered.
"""

from html import escape, unescape
from re import sub

from course_utils.cards.look import code, heat
from course_utils.cards.look import inline as as_html
from course_utils.cards.questions import LETTERS, load, shuffled
from exporting.slide_parts import html, reworded

TALK = "Talk to a neighbour, then vote again."


def inline(text):
    return as_html(reworded(text))


def of_prediction(name, key):
    """The slides of a poll: the question, in two steps; what was right."""
    question = load("predictions", name)[key]
    options = question["options"]
    talk = (
        "Talk (2 minutes): find somebody with another letter. Then vote again, and go on."
        f" {choices(options)}"
    )
    step = (
        '<p class="fragment talk"'
        f' data-notes="{escape(unescape(sub("<[^>]+>", "", inline(talk))))}">{TALK}</p>'
    )
    vote = (
        "**Poll.** Vote (1 minute), talk (2 minutes), vote again. Show no answer yet."
        f" {choices(options)}"
    )
    vote_name = f"{name[:2]}_{key}"
    yield html(asked(question, options, vote_name, step), vote, asks=True)
    yield html(
        told(options, vote_name),
        f"Right: {right(options)}. Let somebody who changed letters say why.",
    )


def of_quiz(name):
    """Two slides a question: it, and what was right."""
    questions = load("quizzes", name)
    for i, question in enumerate(questions, start=1):
        options = shuffled(question)
        yield html(
            asked(question, options, f"{name[:2]}_quiz_{i}"),
            f"**Quiz, {i} of {len(questions)}.** {choices(options)}",
            asks=True,
        )
        yield html(
            told(options, f"{name[:2]}_quiz_{i}"),
            f"Right: {right(options)}. What tempted those who said otherwise?",
        )


def asked(question, options, vote, step=""):
    """The slide that asks; vote: the question's name where the room votes by phone; step: what the
    arrow adds."""
    shown = code(question["code"]) if "code" in question else ""
    if "weights" in question:
        shown += heat(question["weights"], question["rows"], question["columns"])
    items = "".join(f"<li>{inline(option['text'])}</li>" for option in options)
    return (
        f'<div class="question mathjax_ignore" data-vote="{vote}"><p'
        f' class="asked">{inline(question["question"])}</p>{shown}<ol>{items}</ol>{step}</div>'
    )


def told(options, vote):
    """The slide that tells what was right and why, and below it the idea behind each other
    choice."""
    good, other = "", ""
    for letter, option in zip(LETTERS, options, strict=False):
        line, why = f"<b>{letter}</b> {inline(option['text'])}", inline(option["why"])
        if option.get("right"):
            good = (
                f'<p class="right"><span aria-hidden="true">✓ </span>{line}</p><p'
                f' class="why">{why}</p>'
            )
        else:
            other += f'<p class="other">{line}<br><i>{why}</i></p>'
    return f'<div class="answer mathjax_ignore" data-vote="{vote}">{good}{other}</div>'


def right(options):
    return next(
        letter for letter, option in zip(LETTERS, options, strict=False) if option.get("right")
    )


def choices(options):
    """For the speaker: which letter is right, and what leads to each of the others."""
    others = " ".join(
        f"Who says {letter}: {option['why']}"
        for letter, option in zip(LETTERS, options, strict=False)
        if not option.get("right")
    )
    return f"Right: {right(options)}. {others}"

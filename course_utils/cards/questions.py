"""Predictions, quizzes and readings: questions with choices that answer in the page, without a
kernel and without a network.

Their texts stand in JSON, one file a notebook: predictions/NN_name.json {key: question},
quizzes/NN_name.json [question, ...].

    {"question": "…", "options": [{"text": "…", "right": true, "why": "…"}, {"text": "…", "why":
    "…"}]}

One option is right; the `why` of a wrong one names the idea behind it. Texts are plain lines, as
look.inline takes them. A question may also hold "from": the earlier notebook that it is about;
"code": lines to be read; "weights": a table to be read, with "rows" and "columns"; "deeper": true
for a prediction below the heading Deeper, which not every reader meets. A prediction's
options stand as written, those of a quiz in an order drawn once from the question's text.

What was answered is kept in the reader's browser, not in the kernel: so it is the same in a live
notebook, in a stored one and on a page without a kernel, outlives a restart, and asks for no
widget, whose view would be dead in a notebook opened again.
Where the reader agrees, answers.js puts it into a file beside the notebook, too:

    01_self_attention.answers.json
    {"notebook": "01_self_attention", "questions": fingerprint, "predictions": {"neighbour": "B"},
    "quiz": [["C", "A"], [], ["B"]], "open": "…"}

Letters are those on the cards; a quiz's list holds what was clicked, in order.
"""

import json
import random
import zlib
from pathlib import Path
from typing import Any

from course_utils.arguments import ArgumentError
from course_utils.cards.carrier import NO_SCRIPT_HINT, render_live_html
from course_utils.cards.look import BAD, GOOD, card, code, heat, inline, prose, text_tint
from course_utils.cards.scripts import read_script

FOLDER = Path(__file__).parent
LETTERS = "ABCDEFGH"
SCRIPT = read_script(FOLDER / "live.js")
ANSWERS = read_script(FOLDER / "answers.js")
for _name, _hue in (("GOOD", GOOD), ("BAD", BAD)):
    SCRIPT = SCRIPT.replace(f"LEAN_{_name}", text_tint(_hue)).replace(_name, _hue)


class Card:
    """What a notebook shows of a live card: its words as plain text, and HTML."""

    def __init__(self, text: str, html: str) -> None:
        self.text, self.html = text, html

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        return self.html


def files(kind: str) -> dict[str, Path]:
    """{name: path} of the files of "predictions" or "quizzes"."""
    return {path.stem: path for path in sorted((FOLDER / kind).glob("*.json"))}


def load(kind: str, name: str) -> Any:
    """The content of one file."""
    found = files(kind)
    if name not in found:
        raise ArgumentError("name", repr(name), "one of " + ", ".join(found))
    return json.loads(found[name].read_text(encoding="utf-8"))


def fingerprint(name: str) -> int:
    """A number of a notebook's predictions and quiz as they stand, so that answers to older ones
    can be told apart."""
    texts = [load("predictions", name), load("quizzes", name)]
    return zlib.crc32(json.dumps(texts, sort_keys=True, ensure_ascii=False).encode())


def questions_of(
    name: str,
) -> list[tuple[str, str | int, dict[str, Any], list[dict[str, Any]]]]:
    """The questions of a notebook, with their options in the order in which they are shown.

    Returns [(kind, key, question, options)]: first "prediction" with the key in its file, then
    "quiz" with the number in its list, from 0.
    """
    predictions = [
        ("prediction", key, question, question["options"])
        for key, question in load("predictions", name).items()
    ]
    quiz = [
        ("quiz", i, question, shuffled(question))
        for i, question in enumerate(load("quizzes", name))
    ]
    return predictions + quiz


def _numbered(number):
    """The name of the notebook that begins with number."""
    found = {name.partition("_")[0]: name for name in files("predictions")}
    if number not in found:
        raise ArgumentError("notebook", repr(number), "one of " + ", ".join(found))
    return found[number]


def predict(name: str) -> Card:
    """Ask what will come out, for instance predict("01_neighbour"): key "neighbour" in the file
    that begins with 01.

    A click keeps the choice. What was right is told once the next cell has run, or at a second
    click where no kernel is.
    """
    number, _, key = str(name).partition("_")
    notebook = _numbered(number)
    asked = load("predictions", notebook)
    if key not in asked:
        raise ArgumentError(
            "name", repr(name), "one of " + ", ".join(f"{number}_{key}" for key in asked)
        )
    question = asked[key]
    words = card(
        "prediction",
        "before you run the next cell",
        _asked(question, question["options"]) + NO_SCRIPT_HINT,
    )
    text = "\n".join(
        [
            f"Prediction: {question['question']}",
            *(f"  {a}  {o['text']}" for a, o in zip(LETTERS, question["options"], strict=False)),
        ]
    )
    return Card(
        text,
        render_live_html(
            words,
            "predict",
            name,
            [name, fingerprint(notebook), *_answers(question["options"])],
            SCRIPT,
        ),
    )


def predictions(number: str) -> Card:
    """Sum up what was predicted in a notebook, for instance predictions("01"), and what came out; a
    button puts the answers beside it."""
    name = _numbered(number)
    asked = load("predictions", name)
    items = "".join(
        f'<li style="margin:.4em 0">{"(Deeper) " * question.get("deeper", False)}'
        f"{inline(question['question'])}</li>"
        for question in asked.values()
    )
    words = card(
        "prediction",
        "what you said, and what came out",
        f'<ol style="margin:.35em 0;padding-left:1.6em">{items}</ol>{NO_SCRIPT_HINT}',
    )
    best = [
        [f"{number}_{key}", inline(next(o["text"] for o in question["options"] if o.get("right")))]
        for key, question in asked.items()
    ]
    data = [name, fingerprint(name), len(load("quizzes", name)), best]
    return Card(
        f"Predictions: {len(asked)}",
        render_live_html(words, "predictions", number, data, SCRIPT, ANSWERS),
    )


def quiz(name: str) -> Card:
    """Show the questions that close a notebook, for instance quiz("01_self_attention")."""
    questions = load("quizzes", name)
    options = [shuffled(question) for question in questions]
    items = "".join(
        '<div class="course-question" style="margin:.9em'
        f' 0">{_asked(question, order, f"{i}. ")}</div>'
        for i, (question, order) in enumerate(zip(questions, options, strict=True), start=1)
    )
    body = (
        f'<div class="course-questions">{items}</div><p class="course-sum"'
        f' style="margin:.35em 0;font-weight:600"></p>{NO_SCRIPT_HINT}'
    )
    words = card("quiz", f"{len(questions)} questions", body)
    data = [name, fingerprint(name), [_answers(order) for order in options]]
    return Card(
        f"Quiz: {len(questions)} questions", render_live_html(words, "quiz", name, data, SCRIPT)
    )


def reading_page(
    name: str,
    question: str,
    options: list[tuple[str, str]],
    right: str,
    picture: str = "",
    chosen: str | None = None,
    note: str = "",
) -> str:
    """The card of an exercise that is answered by a letter, with a click or in the code. Returns
    HTML.

    name: the exercise's; question: plain text; options: [(text, why it is right or tempts)];
    right: a letter; picture: HTML below the question; chosen: the letter that the code says, if
        any;
    note: what else is said (plain text).
    """
    asked: dict[str, Any] = {
        "question": question,
        "options": [{"text": text, "why": why} for text, why in options],
    }
    asked["options"][LETTERS.index(right)]["right"] = True
    heading, state, said = "which one?", "open", prose(note)
    if chosen is not None:
        hit = chosen == right
        heading, state = (f"{chosen} is right", "good") if hit else (f"{chosen} is not it", "bad")
        why = inline(asked["options"][LETTERS.index(chosen)]["why"])
        said += f'<p class="course-asleep" style="margin:.35em 0">{chosen}: {why}</p>'
    body = _asked(asked, asked["options"], picture=picture)
    spoken = None if chosen is None else ""  # the letter is the reader's code, which has just run
    data = [name, [_answers(asked["options"])], None if chosen is None else LETTERS.index(chosen)]
    return render_live_html(
        card(
            "reading",
            heading,
            body + said + (NO_SCRIPT_HINT if chosen is None else ""),
            state,
            spoken,
        ),
        "reading",
        name,
        data,
        SCRIPT,
    )


def shuffled(question: dict[str, Any]) -> list[dict[str, Any]]:
    """A question's options in an order that depends on its text alone."""
    options = list(question["options"])
    random.Random(zlib.crc32(question["question"].encode())).shuffle(options)
    return options


def _answers(options):
    """[index of the right option, what is said of each, as HTML]."""
    right = next(i for i, option in enumerate(options) if option.get("right"))
    return [right, [inline(option["why"]) for option in options]]


def _asked(question, options, number="", picture=""):
    """A question, a picture and its options as HTML: no answer in it."""
    earlier = (
        f" (about notebook {question['from'].partition('_')[0]})" if "from" in question else ""
    )
    shown = code(question["code"]) if "code" in question else ""
    if "weights" in question:
        shown += heat(question["weights"], question["rows"], question["columns"])
    items = "".join(
        f'<li style="margin:.15em 0">{inline(option["text"])}</li>' for option in options
    )
    return (
        '<p class="course-asked" style="margin:.35em'
        f' 0;font-weight:600">{number}{inline(question["question"])}{earlier}</p>{shown}{picture}<ol'  # noqa: E501
        f' style="list-style:upper-alpha;margin:.35em 0;padding-left:1.9em">{items}</ol>'
    )

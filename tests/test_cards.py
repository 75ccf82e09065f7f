"""The cards: told apart by more than colour, readable in light and dark, safe with any text; one
script a notebook, and no answer in the words."""

import html
import json
import re
from html.parser import HTMLParser
from itertools import combinations

import numpy as np
import pytest
from helpers import ROOT, cells

from course_utils.arguments import ArgumentError
from course_utils.cards import carrier, look, questions, ribbons
from course_utils.cards.diagnoses import diagnosis_card
from course_utils.cards.scripts import squeeze

FIRST, SECOND = [f"01_{key}" for key in questions.load("predictions", "01_self_attention")][:2]
LIGHT, DARK = ((0, 0, 0), (255, 255, 255)), ((255, 255, 255), (17, 17, 17))  # text and page
NASTY = '<script>alert("x")</script> & `a < b` "quoted" $x$'


@pytest.fixture(autouse=True)
def fresh():
    carrier.forget()
    yield
    carrier.forget()


class Reader(HTMLParser):
    """What stands in some HTML: its tags, its visible text, and whether every tag is closed."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.text = [], [], ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag != "br":
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "script" not in self.open:
            self.text += data


# One look, told apart by more than colour


@pytest.mark.parametrize("feature", ["word", "icon", "border"])
def test_kinds_differ_in_word_icon_and_border(feature):
    assert len({getattr(kind, feature) for kind in look.KINDS.values()}) == len(look.KINDS)
    assert not any("#" in kind.border or "rgb" in kind.border for kind in look.KINDS.values())


@pytest.mark.parametrize("kind", look.KINDS)
def test_a_card_says_its_kind_and_heading_to_eyes_and_to_ears(kind):
    page = Reader(look.card(kind, "the `heading` of W_Q", "<p>body</p>"))
    assert f"{look.KINDS[kind].word} the heading of WQbody" == page.text
    assert page.tags[0][1]["role"] == "group"
    assert page.tags[0][1]["aria-label"] == f"{look.KINDS[kind].word}: the heading of WQ"


def test_states_have_a_mark_and_a_word():
    assert len({sign for sign, _, _ in look.STATES.values()}) == 3
    assert 'aria-label="right">' not in look.status_icon(True)
    assert all(
        f'aria-label="{word}"' in look.status_icon(state) and f">{sign}<" in look.status_icon(state)
        for state, (sign, word, _) in look.STATES.items()
    )


def rgb(colour):
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def mixed(colour, share, other):
    """color-mix(in srgb, colour share, other), both opaque."""
    return tuple(share * a + (1 - share) * b for a, b in zip(colour, other, strict=True))


def contrast(a, b):
    """Contrast ratio of two colours, each (r, g, b) from 0 to 255 (WCAG 2.2)."""

    def luminance(colour):
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in (x / 255 for x in colour)
        ]
        return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    dark, light = sorted([luminance(a), luminance(b)])
    return (light + 0.05) / (dark + 0.05)


def share_of(css):
    return int(re.search(r"#\w{6} (\d+)%", css)[1]) / 100


def test_contrast_is_measured_as_the_standard_says():
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast(rgb("#767676"), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize(("text", "page"), [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("fill", [*(kind.hue for kind in look.KINDS.values()), look.GOOD, look.BAD])
def test_every_text_contrasts_with_every_fill(text, page, fill):
    text = mixed(text, 0.87, page)  # as JupyterLab paints it
    behind = mixed(rgb(fill), share_of(look.background_tint(fill)), page)
    code = mixed(text, 0.06, behind)
    option = mixed(rgb(fill), 0.12, behind)  # as live.js fills the right one
    assert all(contrast(text, back) >= 4.5 for back in (behind, code, option))
    for hue in (fill, look.GOOD, look.BAD, look.NEUTRAL):
        leaning = mixed(rgb(hue), share_of(look.text_tint(hue)), text)
        assert all(contrast(leaning, back) >= 4.5 for back in (behind, option))


@pytest.mark.parametrize(("text", "page"), [LIGHT, DARK], ids=["light", "dark"])
def test_the_deepest_cell_of_a_table_can_be_read(text, page):
    for colour, share in (
        look.cell_colour(1.0),
        look.cell_colour(2.0, 2.0),
        look.cell_colour(-2.0, 2.0),
    ):
        assert contrast(mixed(text, 0.87, page), mixed(rgb(colour), share, page)) >= 4.5
    assert f"color-mix(in srgb,{look.SKY} {round(100 * look.DEEPEST)}%" in look.heat(
        [[1.0]], ["I"], ["I"]
    )


def deuteranope(colour):
    """What is left of a colour without the middle cones (Machado and others 2009)."""
    rows = [
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ]
    return [sum(a * b for a, b in zip(row, colour, strict=True)) for row in rows]


def test_right_wrong_and_open_differ_for_a_deuteranope():
    for a, b in combinations([look.GOOD, look.BAD, look.NEUTRAL], 2):
        assert (
            sum((x - y) ** 2 for x, y in zip(deuteranope(rgb(a)), deuteranope(rgb(b)), strict=True))
            ** 0.5
            > 25
        )


# Text


@pytest.mark.parametrize(
    "made",
    [
        look.card("quiz", NASTY, ""),
        look.prose(NASTY),
        look.prose("  " + NASTY),
        look.code(NASTY),
        look.table([(NASTY, True)], [NASTY, "b"]),
        look.side_by_side(NASTY, NASTY, NASTY),
        look.fold(NASTY, ""),
        look.heat([[1]], [NASTY], ["a"]),
        look.verdict_card(
            NASTY, NASTY, NASTY, [(True, NASTY, NASTY)], [NASTY, NASTY], [NASTY], NASTY
        ),
        questions.reading_page("r", NASTY, [(NASTY, NASTY), ("b", "")], "A", chosen="A").partition(
            "<script>"
        )[0],
        diagnosis_card(
            "wrong",
            NASTY,
            NASTY,
            (NASTY, NASTY, NASTY),
            NASTY,
            [(NASTY, NASTY, True), (NASTY, NASTY, False)],
        ),
    ],
)
def test_any_text_stays_text(made):
    page = Reader(made)
    assert "script" not in {tag for tag, _ in page.tags}
    assert '<script>alert("x")</script>' in page.text


def test_prose_typesets_code_and_mathematics_and_keeps_columns():
    assert "<code>W_Q</code>" in look.prose("The matrix `W_Q`.")
    assert re.search(
        r"W<sub[^>]*>Q</sub>, d<sub[^>]*>k</sub>, 10<sup[^>]*>-9</sup>, f\(x\)<sup[^>]*>2</sup>",
        look.prose("W_Q, d_k, 10^-9, f(x)^2"),
    )
    assert (
        look.prose("attention_scores and my_softmax")
        == f"<p {look.LINE}>attention_scores and my_softmax</p>"
    )
    assert ">yours   1\n  wanted 2</pre>" in look.prose(
        "It differs.\n  yours   1\n    wanted 2\nSo."
    )
    assert look.prose("one\n\ntwo").count("<p ") == 2
    assert look.prose("") == ""


def test_a_page_reads_no_tex_in_a_card():
    assert 'class="mathjax_ignore tex2jax_ignore"' in look.card("verdict", "a", "")


# Verdicts, readings, diagnoses


def test_a_verdict_says_the_claim_what_is_asked_what_decided_and_its_source_last():
    card = look.verdict_card(
        "Not always",
        "The root restores 1.",
        "Always?",
        [(True, "independent", "1.02"), (False, "k = q", "66·d")],
        None,
        ["Searched: d up to 8."],
        "note 001",
    )
    assert (
        Reader(card).text
        == "Verdict Not always“The root restores 1.”Always?✓ independent 1.02✗ k = q 66·dSearched:"
        " d up to 8.Source of the claimnote 001"
    )
    assert "<details" in card.partition("Searched")[2]


def test_the_table_of_a_verdict_keeps_its_rows_in_a_notebook_that_is_not_trusted_yet():
    """There JupyterLab takes away every `display` that it does not know, and with it the rows of a
    grid."""
    table = look.table([("as it is", "9 of 10"), ("doubled", "3 of 10")], ["runs", ""])
    assert table.count("<tr ") == 3
    assert table.count("<th ") == 1
    assert "display" not in table


def test_a_brief_verdict_folds_its_table_and_notes():
    rows, notes = [(True, "independent", "1.02")], ["Searched: d up to 8."]
    card = look.verdict_card("Holds", "It is 1.", "Always?", rows, None, notes, "note", brief=True)
    shown, _, folded = card.partition("<details")
    assert "It is 1." in shown
    assert "Always?" in shown
    assert "independent" not in shown
    assert all(text in folded for text in ("independent", *notes, "note"))


def words_of_reading(**how):
    """What a reading says where no script runs."""
    return Reader(
        questions.reading_page(
            "which", "Which?", [("this", "It is."), ("that", "Because.")], **how
        ).partition("<script>")[0]
    ).text


def test_a_reading_tells_nothing_before_it_is_answered():
    assert (
        words_of_reading(right="B")
        == "Reading ○ which one?Which?thisthatRun this cell to answer here."
    )
    assert (
        words_of_reading(right="B", chosen="B") == "Reading ✓ B is rightWhich?thisthatB: Because."
    )
    assert (
        words_of_reading(right="A", chosen="B") == "Reading ✗ B is not itWhich?thisthatB: Because."
    )
    assert "Asked is one letter." in words_of_reading(right="A", note="Asked is one letter.")


def test_the_three_diagnoses_look_different():
    cards = {
        status: diagnosis_card(status, None, "A sentence.")
        for status in ("correct", "wrong", "not attempted")
    }
    assert ["✓" in card for card in cards.values()] == [True, False, False]
    assert ["✗" in card for card in cards.values()] == [False, True, False]
    assert len({re.search(r'style="([^"]*)"', card)[1] for card in cards.values()}) == 3
    assert "not yet: wrong axis" in Reader(diagnosis_card("wrong", "wrong axis", "")).text


def test_the_steps_of_a_ladder_open_one_inside_the_other():
    ladder = [
        ("A nudge", "Think.", False),
        ("A skeleton", "x = ...", True),
        ("A solution", "x = 1", True),
    ]
    page = diagnosis_card("not attempted", None, "Fill in.", ladder=ladder)
    tags = [tag for tag in re.findall(r"<(/?details|summary|pre)", page) if tag]
    assert tags == [
        "details",
        "summary",
        "details",
        "summary",
        "pre",
        "details",
        "summary",
        "pre",
        "/details",
        "/details",
        "/details",
    ]
    assert "<details open" not in page


def test_what_a_function_printed_is_shown_only_where_it_printed():
    assert "printed" not in diagnosis_card("correct", None, "Good.", printed="\n")
    assert (
        "Your function printed:(2, 3)"
        in Reader(diagnosis_card("correct", None, "Good.", printed="(2, 3)\n")).text
    )


# The carrier


def test_a_notebook_gets_one_script_however_many_cards_it_shows():
    cards = [
        questions.predict(FIRST),
        questions.predict(SECOND),
        questions.quiz("01_self_attention"),
        questions.predictions("01"),
    ]
    for script in (carrier.CARRIER, questions.SCRIPT):
        assert [script in card._repr_html_() for card in cards] == [True, False, False, False]
    assert [questions.ANSWERS in card._repr_html_() for card in cards] == [
        False,
        False,
        False,
        True,
    ]


def test_another_part_finds_the_carrier_and_brings_its_own_script():
    questions.predict(FIRST)
    page = carrier.render_live_html("<p>words</p>", "instrument", "one", {}, "let instrument;")
    assert "let instrument;" in page
    assert carrier.CARRIER not in page


def test_a_card_that_is_shown_again_brings_the_script_again():
    questions.predict(FIRST)
    assert questions.SCRIPT not in questions.predict(SECOND).html
    assert questions.SCRIPT in questions.predict(SECOND).html


def test_a_page_that_was_loaded_again_gets_the_scripts_again(monkeypatch):
    for page, brings in [("first", True), ("first", False), ("second", True), ("second", False)]:
        monkeypatch.setattr(carrier, "_page", lambda page=page: page)
        card = carrier.render_live_html("<p>words</p>", "part", f"{page} {brings}", {}, "let s;")
        assert [script in card for script in (carrier.CARRIER, "let s;")] == [brings] * 2


def test_the_scripts_are_small_and_one_of_them_asks_the_server_that_the_page_came_from():
    assert len((carrier.CARRIER + questions.SCRIPT).encode()) < 9700
    assert len(questions.ANSWERS.encode()) < 5400
    assert not re.search(r"https?:|fetch|import\b|XMLHttp|require", questions.SCRIPT)
    assert re.findall(r"https?:|import\b|XMLHttp|fetch.{23}", questions.ANSWERS) == [
        "fetch(`${config.baseUrl}api/"
    ]
    assert (
        "</"
        not in questions.SCRIPT.replace("</b>", "").replace("</p>", "").replace("</span>", "")
        + questions.ANSWERS
    )
    assert look.GOOD in questions.SCRIPT
    assert "LEAN" not in questions.SCRIPT


def test_data_cannot_leave_its_script():
    page = carrier.render_live_html(
        "<p>words</p>", "part", "key", {"text": "</script><b>\u2028"}, "let a;"
    )
    assert page.count("</script>") == 1
    data = re.search(r"previousElementSibling,(.*)\]\)", page)[1]
    assert json.loads(data) == {"text": "</script><b>\u2028"}


# Predictions and quizzes

ALL = [
    question
    for kind in ("predictions", "quizzes")
    for name in questions.files(kind)
    for content in [questions.load(kind, name)]
    for question in (content.values() if isinstance(content, dict) else content)
]


def test_one_option_is_right_and_every_one_says_why():
    known = {"question", "options", "from", "code", "deeper", "weights", "rows", "columns"}
    assert len(ALL) > 150
    for question in ALL:
        options = question["options"]
        assert question.keys() <= known
        assert all(
            option.keys() in ({"text", "why"}, {"text", "right", "why"}) for option in options
        )
        assert [option["right"] for option in options if "right" in option] == [True], question
        assert 2 <= len(options) <= 4
        for key in ("text", "why"):
            assert len({option[key] for option in options}) == len(options), question
        assert all(len(option["why"]) > 15 for option in options), question


def test_questions_are_plain_text():
    for question in ALL:
        for text in [
            question["question"],
            *(option[key] for option in question["options"] for key in ("text", "why")),
        ]:
            assert not re.search(r"\$|\\|https?:|<\w", text), text
            assert text.count("`") % 2 == 0, text
            assert text == text.strip() != ""


def test_an_earlier_notebook_has_a_quiz_of_its_own_and_a_table_its_names():
    for question in ALL:
        assert question.get("from", "00_start_here") in questions.files("quizzes")
        if "weights" in question:
            assert len(question["rows"]) == len(question["weights"])
            assert all(
                len(row) == len(question["columns"]) and all(0 <= w <= 1 for w in row)
                for row in question["weights"]
            ), question


@pytest.mark.parametrize("name", questions.files("predictions"))
def test_the_words_of_a_prediction_hold_its_question_and_no_answer(name):
    for key, question in questions.load("predictions", name).items():
        card = questions.predict(f"{name[:2]}_{key}")
        words = card.html.partition("<script>")[0]
        options = [
            f"  {letter}  {option['text']}"
            for letter, option in zip("ABCD", question["options"], strict=False)
        ]
        assert repr(card).splitlines() == [f"Prediction: {question['question']}", *options]
        assert look.inline(question["question"]) in words
        assert all(look.inline(option["text"]) in words for option in question["options"])
        assert not any(look.inline(option["why"]) in words for option in question["options"])
        assert not re.search(
            "[✓✗]|right|wrong", words.replace(look.inline(question["question"]), "")
        )


@pytest.mark.parametrize("name", questions.files("predictions"))
def test_a_sum_marks_the_predictions_of_deeper_sections(name):
    """Those that stand below the heading, and no others."""
    asked = questions.load("predictions", name)
    marked = {key for key, question in asked.items() if question.get("deeper")}
    words, _, _ = questions.predictions(name[:2]).html.partition("<script>")
    assert words.count(">(Deeper) ") == len(marked)
    deep = "\n".join(cell.source for cell in cells(name, "code")).partition('predictions("')[2]
    assert marked == set(re.findall(r'predict\("\d\d_(\w+)"', deep))


def test_the_words_of_a_sum_hold_no_answer():
    card, asked = questions.predictions("01"), questions.load("predictions", "01_self_attention")
    words, _, script = card.html.partition("<script>")
    assert repr(card) == f"Predictions: {len(asked)}"
    for question in asked.values():
        right = look.inline(
            next(option["text"] for option in question["options"] if "right" in option)
        )
        assert f">{right}<" not in words
        assert json.dumps(right, ensure_ascii=False) in script


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: questions.predict("01_nothing"),
            f"name: got '01_nothing', wanted one of .*{FIRST}",
        ),
        (lambda: questions.predict("neighbour"), "notebook: got 'neighbour', wanted one of .*01"),
        (lambda: questions.predict(1), "notebook: got '1', wanted one of .*01"),
        (lambda: questions.predictions("99"), "notebook: got '99', wanted one of .*01"),
        (
            lambda: questions.quiz("99_nothing"),
            "name: got '99_nothing', wanted one of .*01_self_attention",
        ),
    ],
)
def test_an_unknown_name_is_refused_with_the_names_there_are(call, message):
    with pytest.raises(ArgumentError, match=message):
        call()


def test_html_of_words_is_whole():
    for card in (
        questions.predict(FIRST),
        questions.quiz("01_self_attention"),
        questions.predictions("01"),
    ):
        text = Reader(card.html).text
        assert "Run this cell to answer here." in text
        assert html.unescape(text) == text


def test_a_fingerprint_is_of_all_that_is_asked(monkeypatch):
    before = {name: questions.fingerprint(name) for name in questions.files("quizzes")}
    assert len(set(before.values())) == len(before)
    monkeypatch.setattr(
        questions,
        "load",
        lambda kind, name, load=questions.load: (load(kind, name), kind == "quizzes"),
    )
    assert all(questions.fingerprint(name) != number for name, number in before.items())


# Ribbons

WEIGHTS = [[0.2, 0.8, 0.0], [0.125, 0.25, 0.625]]


def test_ribbons_stand_as_a_table_in_the_page_and_as_words_in_plain_text():
    made = ribbons(WEIGHTS, ["I", "love"], ["the", "bears", "<b>"], "weights of W_Q")
    page = Reader(made.html)
    assert (
        repr(made)
        == "weights of W_Q: I gives the 0.20, bears 0.80, <b> 0.00; love gives the 0.12, bears"
        " 0.25, <b> 0.62."
    )
    assert page.text == "weights of WQthebears<b>I0.200.800.00love0.120.250.62"
    assert "b" not in {tag for tag, _ in page.tags}


def test_ribbons_of_a_short_sentence_are_small_and_bring_their_script_once():
    first, second = (
        ribbons(np.full((4, 4), 0.25), ["bears", "won", "the", "game"], title=title).html
        for title in ("a", "b")
    )
    assert carrier.CARRIER in first
    assert len(first.encode()) < 11_100
    assert "courseCards.part" not in second
    assert not re.search(r"https?:(?!//www.w3.org)|fetch|import\b|HUE", first)


@pytest.mark.parametrize(
    ("weights", "columns", "message"),
    [
        (WEIGHTS, None, r"weights: got shape \(2, 3\), wanted \(2, 2\)"),
        ([[1.0, 0.0]], ["a", "b"], r"weights: got shape \(1, 2\), wanted \(2, 2\)"),
        (
            [[-0.5, 1.5], [0, 1]],
            None,
            "weights: got numbers from -0.5 to 1.5, wanted numbers from 0 to 1",
        ),
        ([[np.nan, 1], [0, 1]], None, "weights: got numbers from nan"),
    ],
)
def test_ribbons_of_anything_but_weights_are_told(weights, columns, message):
    with pytest.raises(ArgumentError, match=message):
        ribbons(weights, ["I", "love"], columns)


# Scripts

TRICKY = r"""
// a comment with "quotes" and `ticks`
const a = 3, b = 4, text = "two  spaces // no comment", single = 'it\'s /* none */';   // the rest of a line
let x = a
let y = b / a / 2 - -1, z = a++ + ++x;
/* over
   lines */
const f = (u, v) => u
  .map(w => w + v)
  .join(" + ")
function g(n) { return /[/"'`]\/ \d+/g.test(n) ? "yes" : "no" }
const html = `<p class="a">
  ${f([1, 2], "}")}   ${`inner ${ { k: a + b }.k }  kept`}
</p>`
const list = [a, b].map(n => ({ n, }))
;[x, y].forEach(n => list.push(n))
JSON.stringify([text, single, x, y, z, g("/ 1"), g('"/ 12'), html, list, a +
  b, typeof a, a in [1, 2, 3, 4]])
"""  # noqa: E501


def test_a_squeezed_script_does_the_same_in_fewer_bytes():
    quickjs = pytest.importorskip(
        "quickjs", reason="no JavaScript engine: pip install -r requirements-test.txt"
    )
    squeezed = squeeze(TRICKY.replace("const a = 3", "let a = 3"))
    assert len(squeezed) < 0.75 * len(TRICKY)
    assert quickjs.Context().eval(squeezed) == quickjs.Context().eval(
        TRICKY.replace("const a = 3", "let a = 3")
    )
    assert not re.search("comment with|rest of a line|over", squeezed)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "course_utils").glob("*/*.js")), ids=lambda path: path.name
)
def test_a_script_loses_blanks_comments_and_last_semicolons_and_nothing_else(path):
    source = path.read_text(encoding="utf-8")
    squeezed = squeeze(source)
    assert squeeze(squeezed) == squeezed
    assert len(squeezed) < 0.85 * len(source)
    bare = re.sub(r"\s", "", re.sub(r"(?m)^\s*//.*|\s//\s.*|/\*.*?\*/", "", source))
    assert re.sub(r"\s", "", squeezed).replace(";}", "}") == bare.replace(";}", "}")

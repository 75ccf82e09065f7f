"""The map runs the model that is stored, names its shapes rightly, walks in by true numbers, and
leads to notebooks that are there."""

import itertools
import re
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from helpers import ROOT
from instruments.parity import Engine, answer, assert_same, some_states
from instruments.the_map import OPENS, STATES

from course_utils.arguments import ArgumentError
from course_utils.attention import softmax
from course_utils.data import grammar
from course_utils.exercises import mine
from course_utils.instruments import TheMap
from course_utils.instruments.the_map import (
    BLOCK,
    CONFIG,
    HEAD,
    LECTURES,
    PARAMS,
    QUESTIONS,
    SCORE,
    STAGES,
    STORED,
    WHOLE,
)
from course_utils.models.language_model import forward, next_log_probs

sys.path.insert(0, str(ROOT / "scripts"))
import make_map

TOKENS = grammar.encode("the dogs near the cat")


def test_what_is_stored_is_the_trained_model_rounded():
    trained, config = make_map.trained()
    assert config == CONFIG
    assert STORED["words"] == grammar.WORDS
    assert trained.keys() == PARAMS.keys()
    for name, array in trained.items():
        step = STORED["arrays"][name][0]
        # half a step, and what another machine's last digits turn
        np.testing.assert_allclose(PARAMS[name], array, atol=0.51 * step + 1e-6, err_msg=name)


def test_the_rounded_model_knows_the_grammar():
    prompts, numbers = grammar.agreement_prompts(np.random.default_rng(3), 200)
    right = 0
    for tokens, number in zip(prompts, numbers, strict=True):
        p = next_log_probs(PARAMS, tokens, CONFIG)
        right += max(p[grammar.verbs(number)]) > max(p[grammar.verbs(1 - number)])
    assert right >= 198


def test_the_numbers_of_a_head_and_of_one_score_are_the_models():
    _, tape = forward(PARAMS, TOKENS, CONFIG)
    for block, head in itertools.product((1, 2), (1, 2, 3, 4)):
        numbers = TheMap(stage=2 + 2 * block, level=HEAD, head=head).numbers
        kept = {name: tape[block - 1][name][head - 1] for name in "QKVA"}
        assert numbers["at"] == [block, head]
        for name, array in kept.items():
            np.testing.assert_allclose(numbers[name], array)
        scores = np.where(np.tri(len(TOKENS)), numbers["scaled"], -np.inf)
        np.testing.assert_allclose(softmax(scores), numbers["A"], atol=1e-12)
        np.testing.assert_allclose(numbers["output"], numbers["A"] @ numbers["V"])
    np.testing.assert_allclose(
        np.concatenate([A @ V for A, V in zip(tape[1]["A"], tape[1]["V"], strict=True)], axis=-1),
        tape[1]["M"],
    )


def test_the_lengths_are_those_of_the_models_own_stream():
    _, (*_, last) = forward(PARAMS, TOKENS, CONFIG)
    numbers = TheMap().numbers
    sigma = last["sigma"].ravel()  # of the stream before the last norm, with its ε
    mean = (np.asarray(numbers["lengths"][-1]) ** 2 / CONFIG.D - sigma**2 + 1e-5) ** 0.5
    assert np.isfinite(mean).all()  # a mean's square is not below 0


def test_the_shapes_that_are_told_are_the_models():
    logits, tape = forward(PARAMS, TOKENS, CONFIG)
    told = {
        name: [
            tuple(map(int, re.findall(r"\d+", shape.replace("T", str(len(TOKENS))))))
            for shape in re.findall(r"\([^)]*\)", shapes)
        ]
        for name, shapes, *_ in STAGES
    }
    X, (block, *_), row = (len(TOKENS), CONFIG.D), tape, (CONFIG.n_vocab,)
    assert told == {
        "text": [],
        "ids": [np.shape(TOKENS)],
        "vectors": [np.shape(TOKENS), X],
        "places": [X, X],
        "attention": [X, block["V"].shape, block["A"].shape, X],
        "feed-forward": [X, block["hidden"][0].shape, X],
        "norm": [X, X],
        "head": [X, logits.shape],
        "softmax": [row, row],
        "word": [row],
    }
    said = " ".join(says for *_, says in STAGES)
    for name in ("W_E", "R", "W_out"):
        assert f"{name} {PARAMS[name].shape}" in said
    assert f"all {CONFIG.n_vocab}" in said
    assert f"{CONFIG.D} numbers become {CONFIG.d_ff}" in said


def test_the_question_of_the_heads_has_one_answer():
    met = [head for head in range(5) if TheMap(head=head).met(TheMap(head=head).numbers)]
    assert met == [3]


def _solutions(here):
    """States that meet the question of a lecture, among its stations, parts, scores and words."""
    it = TheMap(here)
    singular = [word if word != "dogs" else "dog" for word in OPENS["words"]]
    for words, text, stage in itertools.product((OPENS["words"], singular), (0, 1), range(13)):
        yield it.start() | {"words": words, "text": text, "stage": stage}
    for stage, head in itertools.product((4, 6), range(1, 5)):
        at = it.start() | {"stage": stage, "head": head}
        yield at | {"level": BLOCK}
        for lane, key in itertools.product((2, 5), range(6)):
            yield at | {"level": SCORE, "lane": lane, "key": key}


@pytest.mark.parametrize("here", sorted(LECTURES))
def test_every_lecture_has_a_station_and_a_question_that_can_be_met(here):
    it = TheMap(here)
    engine = Engine(it)
    assert it.challenge == QUESTIONS[here][0]
    assert it.challenge.endswith((".", "?"))
    assert not it.met(it.numbers)
    met = [state for state in _solutions(here) if it.met(it.compute(state))]
    lessons = {it.lesson(it.compute(state)) for state in met}
    for state in [*met[:6], *some_states(STATES)[:12]]:
        assert_same(answer(it, state), engine.ask(state))
    assert lessons
    assert all(lesson.endswith(QUESTIONS[here][2]) for lesson in lessons)
    assert all(len(one["text"]) < 90 for one in it.conditions(it.numbers))


def test_it_runs_functions_of_your_own():
    one = TheMap()
    assert one.again() == one.again(parts=mine) | one.again()
    assert list(one.again()) == one.numbers["best"]
    np.testing.assert_allclose(list(one.again(parts=mine).values()), one.numbers["shares"])

    class Bent:
        """A softmax over the wrong axis, in the attention."""

        def __getattr__(self, name):
            return getattr(mine, name)

        def masked_attention(self, Q, K, V, mask):
            weights = softmax(np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf), axis=0)
            return weights @ V, weights

    assert one.again(parts=Bent()) != one.again()
    one.state = one.state | {"words": ["the", "dog", "near", "the", "cat"]}
    assert next(iter(one.again(parts=mine))).endswith("s")


@pytest.mark.parametrize("words", [["the", "dog"], ["the"] * 7, ["the", "dog", "."], ["the", "a"]])
def test_words_that_the_map_cannot_read_are_told(words):
    with pytest.raises(ArgumentError, match="words|the|a"):
        repr(TheMap(words=words))


def test_what_the_machine_writes_ends_with_the_full_stop_or_the_last_lane():
    for state in some_states(STATES)[:60]:
        tokens = TheMap().compute(state | {"text": 9})["tokens"]
        assert len(tokens) <= 7
        assert "." not in tokens[1:]
        numbers = TheMap().compute(state | {"text": 9})
        assert numbers["best"][0] == "." or len(tokens) == 7


def test_every_lecture_leads_to_its_notebook():
    names = {path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")}
    assert names <= {file for file, *_ in LECTURES.values()}
    for number, (file, about, lights) in LECTURES.items():
        assert file.startswith(f"{number}_")
        assert lights == sorted(set(lights))
        assert set(lights) <= set(range(WHOLE))
        here = TheMap(number).data()["here"]
        assert [here["number"], here["about"], here["lights"]] == [number, about, lights]
    assert {number for _, _, lectures, _ in STAGES for number in lectures} <= LECTURES.keys()


def test_a_wrong_notebook_is_told():
    with pytest.raises(ArgumentError, match='here.*"00" to "17"'):
        TheMap("4")


STILLS = pytest.mark.parametrize("name", ["map", "map_dark"])


@STILLS
def test_the_picture_moves_by_style_alone_and_only_for_who_wants_motion(name):
    text = (ROOT / "docs" / f"{name}.svg").read_text(encoding="utf-8")
    tree = ET.fromstring(text)
    tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
    style = next(element.text for element in tree.iter() if element.tag.endswith("style"))
    assert len(text.encode()) < 400_000
    assert not tags & {
        "script",
        "animate",
        "animateTransform",
        "animateMotion",
        "image",
        "foreignObject",
    }
    assert style.startswith("@media (prefers-reduced-motion:no-preference){")
    assert style.endswith("}")
    assert re.findall(r"url\((?!#)|@import|https?:", style) == []
    ((seconds, begun, rounds),) = {
        tuple(map(float, found))
        for found in re.findall(r"\w{animation:\w+ ([\d.]+)s [a-z-]+ -([\d.]+)s ([\d.]+)}", style)
    }
    assert 8 <= seconds <= 12
    assert "infinite" not in style
    # It ends where it began, with all as in the still.
    assert rounds * seconds - begun == pytest.approx(2 * seconds, abs=0.02)


@STILLS
def test_the_whole_drawing_is_seen_first_and_for_two_seconds(name):
    """The animation begins where the word has landed: until all goes back, every part looks as in
    the still."""
    style = next(
        element.text
        for element in ET.parse(ROOT / "docs" / f"{name}.svg").iter()
        if element.tag.endswith("style")
    )
    whole, begun = map(
        float, re.search(r"animation:front ([\d.]+)s [a-z-]+ -([\d.]+)s", style).groups()
    )
    marks = {
        part: [float(at) * whole / 100 for at in re.findall(r"([\d.]+)%", frames)]
        for part, frames in re.findall(r"@keyframes (\w+){((?:[\d.]+%{[^}]*})+)}", style)
    }
    looks = {
        part: re.findall(r"%{([^}]*)}", frames)
        for part, frames in re.findall(r"@keyframes (\w+){((?:[\d.]+%{[^}]*})+)}", style)
    }
    for part in ("front", "back", "landed"):
        settled, leaves = marks[part][-3:-1]
        assert settled <= begun + 0.01
        assert leaves - begun >= 2
        assert (
            looks[part][-3]
            == looks[part][-2]
            == {"front": "transform:translate(0px)"}.get(part, "opacity:1")
        )


@STILLS
def test_the_stations_light_up_in_order_and_the_word_flies_back_before_the_rest(name):
    """A station is bold for a while, one after the other; then the word is seen to fly; then all
    rests for a second and a half or more."""
    tree = ET.parse(ROOT / "docs" / f"{name}.svg")
    style = next(element.text for element in tree.iter() if element.tag.endswith("style"))
    whole = float(re.search(r"animation:front ([\d.]+)s", style)[1])
    marks = {
        part: [
            (float(at) * whole / 100, look)
            for at, look in re.findall(r"([\d.]+)%{([^}]*)}", frames)
        ]
        for part, frames in re.findall(r"@keyframes (\w+){((?:[\d.]+%{[^}]*})+)}", style)
    }
    names = {
        element.get("class"): "".join(element.itertext()).strip()
        for element in tree.iter()
        if re.fullmatch(r"s\d+", element.get("class", ""))
    }
    assert [names[f"s{k}"] for k in range(WHOLE)] == [stage for stage, *_ in STAGES]
    lit = [[at for at, look in marks[f"s{k}"] if "700" in look] for k in range(WHOLE)]
    assert all(before[-1] < after[0] for before, after in zip(lit, lit[1:], strict=False))
    flies = [at for at, look in marks["fly"] if look.startswith("opacity:1")]
    rested = next(at for at, look in marks["landed"] if look == "opacity:1")
    assert lit[-1][-1] <= flies[0] + 0.01 < flies[-1] <= rested + 0.01
    assert whole - rested > 1.5
    assert marks["front"][-2][1] == "transform:translate(0px)"  # what rests at the end is the still
    used = {mark for element in tree.iter() for mark in element.get("class", "").split()}
    assert marks.keys() - {"run"} == used

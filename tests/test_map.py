"""The map shows what the model of notebook 11 computes, names its shapes rightly, and leads to notebooks that are there."""

import re
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from helpers import ROOT

from course_utils.arguments import ArgumentError
from course_utils.data.grammar import WORDS
from course_utils.instruments import TheMap
from course_utils.instruments.the_map import LECTURES, STAGES, STORED, WHOLE
from course_utils.models.language_model import forward

sys.path.insert(0, str(ROOT / "scripts"))
import make_map


@pytest.fixture(scope="module")
def model():
    return make_map.trained()


def test_what_is_stored_is_what_the_trained_model_computes(model):
    found = make_map.passes(*model)
    assert STORED["words"] == WORDS
    assert len(found) == len(STORED["passes"]) == 2
    for one, stored in zip(found, STORED["passes"], strict=True):
        assert one.keys() == stored.keys()
        for name in one:
            np.testing.assert_allclose(stored[name], one[name], atol=2e-3, err_msg=name)


def test_the_streams_are_the_models_own(model):
    params, config = model
    tokens = STORED["passes"][0]["ids"]
    _, (*tape, last) = forward(params, tokens, config)
    end = make_map.streams(params, tokens, tape)[-1]
    np.testing.assert_allclose((end - end.mean(axis=-1, keepdims=True)) / last["sigma"], last["normed"], atol=1e-10)


def test_the_shapes_that_are_told_are_the_models(model):
    params, config = model
    tokens = STORED["passes"][0]["ids"]
    logits, tape = forward(params, tokens, config)
    told = {name: [tuple(map(int, re.findall(r"\d+", shape.replace("T", str(len(tokens)))))) for shape in re.findall(r"\([^)]*\)", shapes)]
            for name, shapes, *_ in STAGES}
    X, (block, *_), row = (len(tokens), config.D), tape, (config.n_vocab,)
    assert told == {"text": [], "ids": [np.shape(tokens)], "vectors": [np.shape(tokens), X], "places": [X, X],
                    "attention": [X, block["V"].shape, block["A"].shape, X], "feed-forward": [X, block["hidden"][0].shape, X],
                    "norm": [X, X], "head": [X, logits.shape], "softmax": [row, row], "word": [row]}
    said = " ".join(says for *_, says in STAGES)
    for name in ("W_E", "R", "W_out"):
        assert f"{name} {params[name].shape}" in said


def test_its_words_are_true_of_the_model(model):
    params, config = model
    said = " ".join(says for *_, says in STAGES)
    assert f"all {config.n_vocab}" in said
    assert f"{config.D} numbers become {config.d_ff}" in said
    first, second = STORED["passes"]
    assert np.array(first["weights"]).shape[:2] == (config.L, config.H) == (2, 4)
    assert np.triu(first["weights"], k=1).max() == np.triu(second["weights"], k=1).max() == 0          # no ribbon from a later token
    assert (np.array(first["weights"])[1, :, -1, 2] > 0.98).tolist() == [False, True, False, False]    # the challenge has one answer


def test_every_lecture_leads_to_its_notebook():
    names = {path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")}
    assert names <= {file for file, *_ in LECTURES.values()}
    for number, (file, about, lights) in LECTURES.items():
        assert file.startswith(f"{number}_")
        assert lights == sorted(set(lights))
        assert set(lights) <= set(range(WHOLE))
        assert f"lecture {number}, {about}" in repr(TheMap(number))
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
    assert not tags & {"script", "animate", "animateTransform", "animateMotion", "image", "foreignObject"}
    assert style.startswith("@media (prefers-reduced-motion:no-preference){")
    assert style.endswith("}")
    assert re.findall(r"url\((?!#)|@import|https?:", style) == []
    (seconds,) = set(re.findall(r"\w{animation:\w+ ([\d.]+)s [a-z-]+ -[\d.]+s infinite", style))
    assert 8 <= float(seconds) <= 12


@STILLS
def test_the_whole_drawing_is_seen_first_and_for_two_seconds(name):
    """The animation begins where the word has landed: until all goes back, every part looks as in the still."""
    style = next(element.text for element in ET.parse(ROOT / "docs" / f"{name}.svg").iter() if element.tag.endswith("style"))
    whole, begun = map(float, re.search(r"animation:front ([\d.]+)s [a-z-]+ -([\d.]+)s", style).groups())
    marks = {part: [float(at) * whole / 100 for at in re.findall(r"([\d.]+)%", frames)]
             for part, frames in re.findall(r"@keyframes (\w+){((?:[\d.]+%{[^}]*})+)}", style)}
    looks = {part: re.findall(r"%{([^}]*)}", frames) for part, frames in re.findall(r"@keyframes (\w+){((?:[\d.]+%{[^}]*})+)}", style)}
    for part in ("front", "back", "landed"):
        settled, leaves = marks[part][-3:-1]
        assert settled <= begun + 0.01
        assert leaves - begun >= 2
        assert looks[part][-3] == looks[part][-2] == {"front": "transform:translate(0px)"}.get(part, "opacity:1")


@STILLS
def test_the_stations_light_up_in_order_and_the_word_flies_back_before_the_rest(name):
    """A station is bold for a while, one after the other; then the word is seen to fly; then all rests for a second and a half or more."""
    tree = ET.parse(ROOT / "docs" / f"{name}.svg")
    style = next(element.text for element in tree.iter() if element.tag.endswith("style"))
    whole = float(re.search(r"animation:front ([\d.]+)s", style)[1])
    marks = {part: [(float(at) * whole / 100, look) for at, look in re.findall(r"([\d.]+)%{([^}]*)}", frames)]
             for part, frames in re.findall(r"@keyframes (\w+){((?:[\d.]+%{[^}]*})+)}", style)}
    names = {element.get("class"): "".join(element.itertext()).strip() for element in tree.iter() if re.fullmatch(r"s\d+", element.get("class", ""))}
    assert [names[f"s{k}"] for k in range(WHOLE)] == [stage for stage, *_ in STAGES]
    lit = [[at for at, look in marks[f"s{k}"] if "700" in look] for k in range(WHOLE)]
    assert all(before[-1] < after[0] for before, after in zip(lit, lit[1:], strict=False))
    flies = [at for at, look in marks["fly"] if look.startswith("opacity:1")]
    rested = next(at for at, look in marks["landed"] if look == "opacity:1")
    assert lit[-1][-1] <= flies[0] + 0.01 < flies[-1] <= rested + 0.01
    assert whole - rested > 1.5
    assert marks["front"][-2][1] == "transform:translate(0px)"          # what rests at the end is the still
    used = {mark for element in tree.iter() for mark in element.get("class", "").split()}
    assert marks.keys() - {"run"} == used

"""What training from many starts showed is stored, in order, and current where counting it again takes no time."""

import json

import pytest
from helpers import ROOT, script

from course_utils.arguments import ArgumentError
from course_utils.cards.evidence import Control, turn
from course_utils.cards.verdicts import claims
from course_utils.data.refuted import refuted
from course_utils.data.starts import starts

make_starts, refute = script("make_starts.py"), script("refute.py")
COUNTED, REFUTED = make_starts.files_with("run"), make_starts.files_with("CHANGES")
CHEAP = [(name, change) for name in REFUTED for change in make_starts.load(name).CHEAP]
TABLES = json.loads(refute.STORED.read_text(encoding="utf-8"))


@pytest.mark.parametrize("claim", COUNTED)
def test_what_is_stored_are_numbers_from_at_least_ten_starts(claim):
    counted = starts(claim)
    assert counted["starts"] >= 10
    assert all(isinstance(number, (int, float)) for number in counted.values())
    assert make_starts.load(claim).run.__doc__


def test_what_is_stored_is_what_has_a_script():
    assert list(json.loads(make_starts.STORED.read_text(encoding="utf-8"))) == COUNTED
    assert list(TABLES) == REFUTED


def test_a_claim_without_numbers_is_refused_in_a_sentence():
    with pytest.raises(ArgumentError, match="claim_id: got 'A1', wanted one of .*C5b"):
        starts("A1")
    with pytest.raises(ArgumentError, match="name: got 'B1', wanted one of A1, .*twins"):
        refuted("B1")


def test_storing_one_claim_leaves_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr(make_starts, "STORED", tmp_path / "starts.json")
    make_starts.store("X2", {"starts": 10, "share": 0.123456})
    make_starts.store("X1", {"starts": 12})
    text = (tmp_path / "starts.json").read_text(encoding="utf-8")
    assert json.loads(text) == {"X1": {"starts": 12}, "X2": {"share": 0.1235, "starts": 10}}
    assert text.index("X1") < text.index("X2")


def test_the_stored_files_are_in_order():
    text = (ROOT / "course_utils" / "data" / "starts.json").read_text(encoding="utf-8")
    assert text == json.dumps(json.loads(text), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    assert refute.STORED.read_text(encoding="utf-8") == refute.written(TABLES)


# One change at a time

@pytest.mark.parametrize("name", REFUTED)
def test_a_table_has_all_changes_in_their_order_and_its_words(name):
    module, stored = make_starts.load(name), refuted(name)
    assert ["as it is", *stored["changes"]] == list(module.CHANGES)
    assert stored["counted"] == module.COUNTED
    if name in claims():
        assert claims()[name]["kind"] == "because"
        assert Control(**stored).sides == list(module.SIDES)
    else:
        assert stored["sentence"] == module.SENTENCE
    assert set(module.CHEAP) <= set(module.CHANGES)
    assert module.CHEAP


def test_every_cause_has_its_table():
    assert {c for c, about in claims().items() if about["kind"] == "because"} <= set(REFUTED)


@pytest.mark.parametrize(("name", "change"), CHEAP)
def test_a_cheap_row_is_current(name, change):
    stored = {"as it is": refuted(name)["base"]} | refuted(name)["changes"]
    assert refute.row(make_starts.load(name), change) == stored[change]


@pytest.mark.parametrize(("name", "change"), [
    ("A1", "256 features"), ("C5b", "the loss −log a"), ("E5", "64 ReLU units read the heads out"), ("F5", "rate .003"),
    ("G6", "words of length 4 instead of 1"), ("H1", "ρ = −.1"), ("H2", "ten times the steps"), ("adam", "slopes of about 1e-7"),
    ("one_vector", "ten words of 64 random features of size 1"), ("silent_units", "300 other starts"),
    ("twins", "the last bit of a slope rounded otherwise"), ("within_a_token", "a marker word and a constant feature, β = 10"),
])
def test_the_smallest_change_that_turns_it_round(name, change):
    assert turn(refuted(name)) == change


def test_other_starts_are_printed_and_not_stored(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(refute, "STORED", tmp_path / "refuted.json")
    monkeypatch.setattr("sys.argv", ["refute.py", "--first", "50", "adam"])
    refute.main()
    assert "slopes of about 1e-7" in capsys.readouterr().out
    assert not refute.STORED.exists()
    monkeypatch.setattr("sys.argv", ["refute.py", "adam"])
    refute.main()
    assert json.loads(refute.STORED.read_text(encoding="utf-8")) == {"adam": TABLES["adam"]}

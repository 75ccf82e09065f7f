"""What training showed from many starts is stored with the script that counts it."""

import json

import pytest
from helpers import ROOT, script

from course_utils.arguments import ArgumentError
from course_utils.data.starts import starts

make_starts = script("make_starts.py")
SCRIPTS = sorted(path.stem for path in make_starts.STARTS.glob("*.py"))


def test_every_script_has_its_numbers_and_every_number_its_script():
    assert sorted(json.loads(make_starts.STORED.read_text(encoding="utf-8"))) == SCRIPTS


@pytest.mark.parametrize("claim", SCRIPTS)
def test_what_is_stored_are_numbers_from_at_least_ten_starts(claim):
    counted = starts(claim)
    assert all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in counted.values())
    assert counted["starts"] >= 10
    assert make_starts.load(claim).run.__doc__


def test_a_claim_without_numbers_is_refused_in_a_sentence():
    with pytest.raises(ArgumentError, match="claim_id: got 'A1', wanted one of .*C5b"):
        starts("A1")


def test_storing_one_claim_leaves_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr(make_starts, "STORED", tmp_path / "starts.json")
    make_starts.store("X2", {"starts": 10, "share": 1 / 3})
    make_starts.store("X1", {"starts": 12})
    make_starts.store("X2", {"starts": 10, "share": 0.123456})
    text = (tmp_path / "starts.json").read_text(encoding="utf-8")
    assert json.loads(text) == {"X1": {"starts": 12}, "X2": {"share": 0.1235, "starts": 10}}
    assert text.index("X1") < text.index("X2")


def test_the_stored_file_is_in_order():
    text = (ROOT / "course_utils" / "data" / "starts.json").read_text(encoding="utf-8")
    assert text == json.dumps(json.loads(text), indent=1, sort_keys=True, ensure_ascii=False) + "\n"

"""What training from many starts showed is stored, in order, and current where counting it again
takes no time."""

import json

import numpy as np
import pytest
from helpers import ROOT, cells, chat_weights, script, shown

from course_utils.arguments import ArgumentError
from course_utils.cards.evidence import Control, by_chance, compared, turn
from course_utils.cards.verdicts import claims
from course_utils.data.refuted import refuted, sentences
from course_utils.data.starts import starts

make_starts, refute = script("make_starts.py"), script("refute.py")
COUNTED, REFUTED = make_starts.files_with("run"), make_starts.files_with("CHANGES")
CHEAP = [
    pytest.param(name, change, marks=chat_weights if hasattr(module, "NEEDS_CHAT_WEIGHTS") else ())
    for name, module in ((name, make_starts.load(name)) for name in REFUTED)
    for change in module.CHEAP
]
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


def test_other_starts_are_compared_with_the_stored_interval_and_not_stored(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(make_starts, "STORED", tmp_path / "starts.json")
    monkeypatch.setattr("sys.argv", ["make_starts.py", "--first", "50", "B1"])
    make_starts.main()
    told = capsys.readouterr().out
    assert "largest weight on its verb: starts: 10 of 10 (0.72 to 1.00), again 10 of 10\n" in told
    assert not make_starts.STORED.exists()


@pytest.mark.parametrize(
    ("stored", "again", "said"),
    [
        ((10, 10), (8, 10), ""),
        ((10, 10), (7, 10), ": outside, by chance"),
        ((10, 10), (70, 100), ": OUTSIDE"),  # more starts, less chance
        ((0, 10), (2, 10), ""),
        ((5, 10), (0, 10), ": OUTSIDE"),
        ((9, 10), (10, 10), ": outside, by chance"),
        ((90, 100), (100, 100), ": OUTSIDE"),
        ((20, 40), (1, 2), ""),
    ],
)
def test_a_share_of_other_starts_lies_in_the_interval_or_is_said_to_lie_outside(
    stored, again, said
):
    assert compared(stored, again).partition(f"again {again[0]} of {again[1]}")[2] == said


def test_two_counts_of_one_share_are_said_to_differ_in_about_one_of_twenty_draws():
    rng = np.random.default_rng(0)
    for share, n, m in ((0.5, 100, 100), (0.9, 100, 1000), (0.9, 40, 200), (0.3, 20, 20)):
        pairs = zip(rng.binomial(n, share, 1000), rng.binomial(m, share, 1000), strict=True)
        differ = sum(not by_chance((int(k), n), (int(k_2), m)) for k, k_2 in pairs)
        assert 20 < differ < 80


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


def test_every_cause_has_its_table_and_the_appendix_tells_each_sentence():
    assert {c for c, about in claims().items() if about["kind"] == "because"} == set(REFUTED) - set(
        sentences()
    )
    told = "\n".join(shown(cell) for cell in cells("A_said_of_attention", "code"))
    for name in sentences():
        change = turn(refuted(name))
        assert refuted(name)["sentence"] in told
        assert f"{change}: %d of %d" % tuple(refuted(name)["changes"][change]) in told


@pytest.mark.parametrize(("name", "change"), CHEAP)
def test_a_cheap_row_is_current(name, change):
    stored = {"as it is": refuted(name)["base"]} | refuted(name)["changes"]
    assert refute.row(make_starts.load(name), change) == stored[change]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("A1", "features of size .1"),
        ("C5b", "the loss −log a"),
        ("E5", "64 ReLU units read the heads out"),
        ("F5", "rate .003"),
        ("G6", "words of length 4 instead of 1"),
        ("H1", "ρ = −.1"),
        ("H2", "ten times the steps"),
        ("adam", "slopes of about 1e-7"),
        ("bare_question", "an unfinished sentence"),
        ("first_rows", "queries and keys are turned instead"),
        ("largest_stays", "features of size 1e-6 in float16"),
        ("no_leak", "the last word is read later"),
        ("one_vector", "ten words of 64 random features of size 1"),
        ("only_differences", "a million is added, float32"),
        ("only_infinity", "−1,000"),
        ("only_the_offset", "float16"),
        ("silent_units", "300 other starts"),
        ("twins", "the last bit of a slope rounded otherwise"),
        ("within_a_token", "a marker word and a constant feature, β = 10"),
    ],
)
def test_the_smallest_change_that_turns_it_round(name, change):
    assert turn(refuted(name)) == change


def test_other_starts_are_printed_and_not_stored(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(refute, "STORED", tmp_path / "refuted.json")
    monkeypatch.setattr("sys.argv", ["refute.py", "--first", "50", "adam"])
    refute.main()
    assert "slopes of about 1e-7: 78 of 100 (0.69 to 0.85), again " in capsys.readouterr().out
    assert not refute.STORED.exists()
    monkeypatch.setattr("sys.argv", ["refute.py", "adam"])
    refute.main()
    assert json.loads(refute.STORED.read_text(encoding="utf-8")) == {"adam": TABLES["adam"]}

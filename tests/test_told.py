"""What a student reads is what was read before it was kept: tests/told.py writes it anew."""

import collections
import json

import pytest
import told
from attempts import read_attempts
from helpers import long

KEPT = json.loads(told.FILE.read_text(encoding="utf-8"))
BY_EXERCISE = collections.defaultdict(list)
for _attempt in read_attempts():
    if told.key(_attempt) in KEPT:
        BY_EXERCISE[_attempt.exercise].append(_attempt)


@long
@pytest.mark.parametrize("name", BY_EXERCISE)
def test_what_is_said_is_what_was_kept(name):
    said = {told.key(attempt): told.told(attempt) for attempt in BY_EXERCISE[name]}
    assert said == {key: KEPT[key] for key in said}


def test_every_answer_that_is_kept_is_there():
    assert {told.key(a) for attempts in BY_EXERCISE.values() for a in attempts} == set(KEPT)

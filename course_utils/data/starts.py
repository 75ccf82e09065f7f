"""What training from many starts showed: counted by the files of scripts/starts, stored by
scripts/make_starts.py."""

import json
from importlib.resources import files

from course_utils.arguments import ArgumentError


def starts(claim_id: str) -> dict[str, int]:
    """{what was counted: number} for a claim that is decided by training. Raises ArgumentError
    where nothing is stored."""
    stored = json.loads(files(__package__).joinpath("starts.json").read_text(encoding="utf-8"))
    if claim_id not in stored:
        raise ArgumentError("claim_id", repr(claim_id), f"one of {', '.join(stored)}")
    return stored[claim_id]

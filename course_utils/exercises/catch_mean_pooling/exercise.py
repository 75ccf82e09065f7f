"""The exercise `catch_mean_pooling`."""

import numpy as np

from course_utils.diagnosis.exercise import Catch
from course_utils.exercises.mean_pooling.exercise import EXERCISE as POOLING


def _empty(states, mask):
    return (
        None
        if np.asarray(mask).any(axis=-1).all()
        else "A sentence without a real token. It has no mean."
    )


EXERCISE = Catch(
    "catch_mean_pooling",
    POOLING,
    "input",
    enough=7,
    minutes=5,
    difficulty=2,
    planted=[
        "padding counted",
        "divided by T",
        "one count for the batch",
        "all sentences counted together",
        "the first n tokens",
        "the last real token",
        "padding in the sum",
    ],
    unfit=_empty,
    task="Give one batch, (states, mask), on which as many wrong means as possible go wrong.",
    nudge="Sentences of unlike lengths, padding that is not 0, and not always at the end.",
    skeleton="""my_input = (
    np.array([[[...], [...], [...]],      # (2, 3, 1)  two sentences of three tokens, one feature
              [[...], [...], [...]]]),
    np.array([[..., ..., ...],            # (2, 3)  True for real tokens
              [..., ..., ...]]),
)
""",
)

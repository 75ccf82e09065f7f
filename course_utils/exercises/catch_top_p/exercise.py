"""The exercise `catch_top_p`."""

from course_utils.diagnosis.exercise import Catch
from course_utils.exercises.top_p.exercise import EXERCISE as TOP_P


def _no_shares(probabilities, p):
    if (probabilities < 0).any() or abs(probabilities.sum() - 1) > 1e-6:
        return (
            "These are no probabilities: they are at least 0 and sum to 1. Yours sum to"
            f" {probabilities.sum():.3g}."
        )
    return None if 0 < p <= 1 else f"p is a share, above 0 and at most 1. Yours is {p:.3g}."


EXERCISE = Catch(
    "catch_top_p",
    TOP_P,
    "input",
    unfit=_no_shares,
    enough=7,
    minutes=5,
    difficulty=2,
    planted=[
        "the piece that reaches p left out",
        "not sorted",
        "left in sorted order",
        "put back by the wrong order",
        "each compared with p",
        "does not sum to 1",
        "a share of the pieces",
    ],
    task="Give one case, (probabilities, p), on which as many wrong nuclei as possible go wrong.",
    nudge=(
        "A case that is sorted already hides those who sort wrongly. If one piece alone has p,"
        " counting pieces and adding shares look alike."
    ),
    skeleton="""my_input = (
    np.array([..., ..., ..., ...]),       # shares of four pieces or more, that sum to 1, not sorted
    ...,                                  # p
)
""",
)

"""The exercise `catch_beam_step`."""

from course_utils.diagnosis.exercise import Catch
from course_utils.exercises.beam_step.exercise import EXERCISE as BEAM_STEP

EXERCISE = Catch(
    "catch_beam_step",
    BEAM_STEP,
    "input",
    enough=6,
    minutes=8,
    difficulty=2,
    planted=[
        "one child per parent only",
        "children of the best parent only",
        "parents' score forgotten",
        "log-probabilities multiplied",
        "keeps the worst",
        "divided by the number of texts",
        "totals along the words",
    ],
    task=(
        "Give one beam, (totals, log_probs, beam_width), on which as many wrong steps as possible"
        " go wrong."
    ),
    nudge=(
        "Let two children of one text be among the best, and let the text that is second so far"
        " have one between them. Let the number of texts differ from the number of words."
    ),
    skeleton="""my_input = (
    np.array([..., ...]),                 # (n,)  log-probabilities of the texts so far
    np.array([[..., ..., ...],            # (n, n_vocab)  those of their next words
              [..., ..., ...]]),
    ...,                                  # how wide the beam is
)
""",
)

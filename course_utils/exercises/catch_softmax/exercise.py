"""The exercise `catch_softmax`."""

from course_utils.diagnosis.exercise import Catch
from course_utils.exercises.softmax.exercise import EXERCISE as SOFTMAX

EXERCISE = Catch(
    "catch_softmax",
    SOFTMAX,
    "input",
    planted=[
        "wrong axis",
        "no max-subtraction",
        "maximum of the whole table subtracted",
        "minimum subtracted",
        "mean subtracted",
        "first entry subtracted",
    ],
    enough=4,
    minutes=10,
    difficulty=2,
    task="Give one table of scores on which as many wrong softmaxes as possible go wrong.",
    nudge=(
        "With scores such as 1, 2 and 3 nearly all of them are right. For which scores is exp too"
        " large for a float? Where does a sum become 0?"
    ),
    skeleton="""
my_input = np.array([
    [..., ...],          # the largest stands first, far above the other
    [..., ...],          # the largest stands last, and differs from the largest of row 0
])
""",
)

"""The exercise `catch_scale`."""

from course_utils.diagnosis.exercise import Catch
from course_utils.exercises.scaled_attention.exercise import EXERCISE as SCALED

EXERCISE = Catch(
    "catch_scale",
    SCALED,
    "input",
    planted=[
        "no scale",
        "divided by d_k",
        "half the width in place of its root",
        "divided by √T of the keys",
        "divided by √d_v",
        "the root of how many numbers Q holds",
        "multiplied instead of divided",
        "scaled after softmax",
    ],
    enough=6,
    minutes=5,
    difficulty=2,
    task=(
        "Give queries, keys and values, (Q, K, V), on which as many wrong scales as possible go"
        " wrong."
    ),
    nudge=(
        "Where two sizes are equal, two formulas are equal. Which number has a half that is also"
        " its root?"
    ),
    skeleton="""
# Which of the sizes T_q, T_kv, d_k and d_v may be equal, so that all mistakes show?
Q = ...                        # (T_q, d_k)   for instance random numbers
K = ...                        # (T_kv, d_k)
V = ...                        # (T_kv, d_v)
my_input = (Q, K, V)
""",
)

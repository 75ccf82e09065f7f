"""The exercise `catch_attention`."""

from course_utils.diagnosis.exercise import Catch
from course_utils.exercises.attention.exercise import EXERCISE as ATTENTION

EXERCISE = Catch(
    "catch_attention",
    ATTENTION,
    "law",
    planted=[
        "keys and queries swapped",
        "softmax over queries",
        "weights @ K",
        "softmax missing",
        "divided by √d_k, which comes later",
        "exp missing",
    ],
    enough=4,
    minutes=12,
    difficulty=2,
    task="Write a law. It must be true for every right attention and false for as many wrong ones"
    " as possible.",
    nudge="If all rows of V are equal, what is the output, for any scores? "
    "And what are the weights of the two scores 0 and log 3?",
    skeleton="""
def my_law(attention):                      # a function of Q, K and V -> True or False
    Q = np.array([[0.0, np.log(3)], [0.0, 0.0]])
    K = np.eye(2)
    V = ...                                 # small numbers
    by_hand = ...                           # the right output of each query
    return np.allclose(attention(Q, K, V), by_hand)
""",
)

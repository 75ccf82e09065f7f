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
    task="Write a law that every right attention keeps, and as many wrong ones as possible break.",
    nudge="If all values are the same row, what must come out, whatever the scores are? "
    "And if one key scores higher than the other by log 3, how are their weights?",
    skeleton="""
def my_law(attention):                      # a function of Q, K and V -> True or False
    Q = np.array([[0.0, np.log(3)], [0.0, 0.0]])
    K = np.eye(2)
    V = ...                                 # small numbers
    by_hand = ...                           # what each query must get
    return np.allclose(attention(Q, K, V), by_hand)
""",
)

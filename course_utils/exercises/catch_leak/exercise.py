"""The exercise `catch_leak`."""

from course_utils.diagnosis.exercise import Catch
from course_utils.exercises.masked_attention.exercise import EXERCISE as MASKED

EXERCISE = Catch(
    "catch_leak",
    MASKED,
    "law",
    planted=[
        "mask ignored",
        "mask after softmax",
        "scores set to zero",
        "inverted mask",
        "transposed mask",
        "one key too far",
        "output of before the mask",
    ],
    enough=7,
    minutes=10,
    difficulty=3,
    task=(
        "Write a law that finds leaks: change a token that a causal mask hides. Then look at the"
        " outputs that must not move: does one move?"
    ),
    nudge=(
        "If the last token changes, which output may change? The token has a key and a value."
        " Which of them can leak?"
    ),
    skeleton="""
def my_law(masked_attention):               # (a function of Q, K, V, mask) -> True or False
    Q, K, V = np.random.default_rng(0).normal(size=(3, 5, 2))
    mask = ...                              # no query sees the future
    before, _ = masked_attention(Q, K, V, mask)
    K, V = K.copy(), V.copy()
    K[-1] = ...                             # another last token
    V[-1] = ...
    after, _ = masked_attention(Q, K, V, mask)
    return np.allclose(...)                 # which outputs must stay the same?
""",
)

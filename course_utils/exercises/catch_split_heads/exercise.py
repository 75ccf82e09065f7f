"""The exercise `catch_split_heads`."""

from course_utils.diagnosis.exercise import Catch
from course_utils.exercises.split_heads.exercise import EXERCISE as SPLIT

EXERCISE = Catch(
    "catch_split_heads",
    SPLIT,
    "law",
    planted=[
        "reshaped without a transpose",
        "heads split over tokens",
        "heads in the middle",
        "every second feature",
        "tokens and features swapped",
        "heads in reverse order",
    ],
    enough=5,
    minutes=7,
    difficulty=2,
    task=(
        "Write a law: True for every right split_heads, False for as many wrong ones as possible."
    ),
    nudge=(
        "Which numbers of X are the first token's in head 0? A table whose numbers say where they"
        " stand, such as 0, 1, 2, …, helps."
    ),
    skeleton="""
def my_law(split_heads):                    # a function of X and n_heads -> True or False
    X = ...                                 # a table in which no two numbers are alike
    heads = split_heads(X, 3)
    first, last = ..., ...                  # what head 0 and the last head must be: columns of X
    return np.array_equal(heads[0], first) and np.array_equal(heads[-1], last)
""",
)

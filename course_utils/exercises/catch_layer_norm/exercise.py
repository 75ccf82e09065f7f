"""The exercise `catch_layer_norm`."""

from course_utils.diagnosis.exercise import Catch
from course_utils.exercises.layer_norm.exercise import EXERCISE as LAYER_NORM

EXERCISE = Catch(
    "catch_layer_norm",
    LAYER_NORM,
    "law",
    enough=6,
    minutes=10,
    difficulty=2,
    planted=[
        "over the first axis",
        "over everything",
        "deviation of everything",
        "RMS norm",
        "not centred",
        "divided by the variance",
        "γ and β swapped",
    ],
    task=(
        "Write what every layer norm must do: a function that takes an implementation and says True"
        " or False."
    ),
    nudge=(
        "Two things must hold. First, a token's result does not depend on other tokens. Second,"
        " with γ = 1 and β = 0 each token that comes out has the same mean and the same variance."
        " Which two numbers are these?"
    ),
    skeleton="""def my_law(layer_norm):                        # any implementation: layer_norm(x, gamma, beta, eps)
    x = ...                                   # (T, D)  tokens with different means and deviations
    y = layer_norm(x, np.ones(...), np.zeros(...), 1e-9)
    standardised = ...                        # True or False: the mean and the variance of each row
    alone = ...                               # True or False: one token by itself gives the same row
    return standardised and alone
""",  # noqa: E501
)

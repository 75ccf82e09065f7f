"""The exercise `catch_rotate`."""

from course_utils.diagnosis.exercise import Catch
from course_utils.exercises.rotate.exercise import EXERCISE as ROTATE

EXERCISE = Catch(
    "catch_rotate",
    ROTATE,
    "law",
    enough=7,
    minutes=10,
    difficulty=3,
    planted=[
        "wrong sign",
        "no minus",
        "multiplied by the cosines only",
        "cos and sin swapped",
        "the new half used too early",
        "only the first half turned",
        "pairs interleaved where halves are asked",
        "halves the wrong way round",
    ],
    task=(
        "Write what every turn must do: a function that takes an implementation and says True or"
        " False."
    ),
    nudge=(
        "A turn keeps every length. An angle of 0 moves nothing. And one known turn tells the"
        " direction: where does a quarter turn take feature 0, if there are four features?"
    ),
    skeleton="""def my_law(rotate):                        # any implementation: rotate(X, cos, sin)
    X = ...                               # (T, 4)
    angles = ...                          # (T, 2)  not all equal
    Y = rotate(X, np.cos(angles), np.sin(angles))
    lengths = ...                         # True or False: each row is as long as before
    still = ...                           # True or False: angles of 0 move nothing
    direction = ...                       # True or False: a quarter turn of a vector that you know
    return lengths and still and direction
""",
)

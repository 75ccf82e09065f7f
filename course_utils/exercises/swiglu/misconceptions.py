"""Known misconceptions of `swiglu`: (name, code, question), and options where there are some."""

import numpy as np

from course_utils import attention, layers
from course_utils.exercises.swiglu.exercise import FAR


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _whole_over_one_more(x):
    return x * np.exp(x) / (1 + np.exp(x))


TABLE = [
    (
        "gate and up swapped",
        "layers.swiglu(X, W_up, W_gate, W_down)",
        (
            "silu was taken of the other projection. Which of the two matrices has the name of the "
            "gate?"
        ),
    ),
    (
        "no silu",
        "(X @ W_gate * (X @ W_up)) @ W_down",
        "The two projections are multiplied as they are. One of them goes through silu first.",
    ),
    (
        "sigmoid instead of silu",
        "(_sigmoid(X @ W_gate) * (X @ W_up)) @ W_down",
        "A sigmoid lies between 0 and 1. Silu is the number itself, times its sigmoid.",
    ),
    (
        "relu instead of silu",
        "(np.maximum(X @ W_gate, 0) * (X @ W_up)) @ W_down",
        (
            "This gate is shut wherever its number is below 0. Silu closes smoothly: the number"
            " times its own sigmoid."
        ),
    ),
    (
        "gelu instead of silu",
        "(layers.gelu(X @ W_gate) * (X @ W_up)) @ W_down",
        (
            "A near cousin: the number times the probability of a normal number below it. Silu"
            " takes the sigmoid."
        ),
    ),
    (
        "silu of both",
        "(layers.silu(X @ W_gate) * layers.silu(X @ W_up)) @ W_down",
        (
            "Both projections went through silu. One decides how much passes, the other is what"
            " passes."
        ),
    ),
    (
        "silu of the product",
        "layers.silu(X @ W_gate * (X @ W_up)) @ W_down",
        "The projections were multiplied first, and silu came after that.",
    ),
    (
        "added instead of multiplied",
        "(layers.silu(X @ W_gate) + X @ W_up) @ W_down",
        "The gate is added. A gate lets through a part: is that a sum or a product?",
    ),
    (
        "no gate",
        "X @ W_up @ W_down",
        "Only the second projection goes through. The gate is not used.",
        {"unused_arguments": "W_gate"},
    ),
    (
        "only the gate",
        "layers.silu(X @ W_gate) @ W_down",
        (
            "Only the gate goes through: a feed-forward network with another activation. W_up is "
            "missing."
        ),
        {"unused_arguments": "W_up"},
    ),
    (
        "not back to D features",
        "layers.silu(X @ W_gate) * (X @ W_up)",
        "The hidden numbers are right. The last matrix brings them back to the width of a token.",
        {"unused_arguments": "W_down"},
    ),
    (
        "wrong sign in the sigmoid",
        """
g = X @ W_gate
return (g * _sigmoid(-g) * (X @ W_up)) @ W_down
""",
        "Your gate opens for numbers far below 0. Which sign has the exponent?",
    ),
    (
        "silu of X",
        "(layers.silu(X) @ W_gate * (X @ W_up)) @ W_down",
        (
            "silu was taken of the token, before it met the matrix. The gate is made of the"
            " projection."
        ),
    ),
    (
        "a skip added",
        "X + layers.swiglu(X, W_gate, W_up, W_down)",
        "The token was added to the result. The block does that, around this network.",
    ),
    (
        "softmax as the gate",
        "(attention.softmax(X @ W_gate) * (X @ W_up)) @ W_down",
        "These gates sum to 1, as attention's weights do. Each gate here is for itself.",
    ),
    (
        "exp of a large number overflows",
        "(_whole_over_one_more(X @ W_gate) * (X @ W_up)) @ W_down",
        (
            "e^g / (1 + e^g) is right on paper, and ∞ / ∞ at g = 800. Which form of the sigmoid"
            " takes exp of -g?"
        ),
        {"trap": FAR},
    ),
]

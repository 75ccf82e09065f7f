"""Known misconceptions of `feed_forward`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils import layers
from course_utils.attention import softmax
from course_utils.layers import gelu, relu

TABLE = [
    (
        "activation forgotten",
        "(X @ W_1 + b_1) @ W_2 + b_2",
        "Without an activation two matrices are only one, their product. What stands between them?",
    ),
    (
        "activation after the second matrix",
        "relu((X @ W_1 + b_1) @ W_2 + b_2)",
        (
            "ReLU stands between the two matrices. At the end it would keep the network from ever "
            "subtracting."
        ),
    ),
    (
        "activation twice",
        "relu(relu(X @ W_1 + b_1) @ W_2 + b_2)",
        (
            "The ReLU between the matrices is right. A ReLU at the end would keep the network from"
            " ever subtracting."
        ),
    ),
    (
        "first bias forgotten",
        "relu(X @ W_1) @ W_2 + b_2",
        "The hidden layer has a bias of its own, which says from where on a unit fires.",
        {"unused_arguments": "b_1"},
    ),
    (
        "second bias forgotten",
        "relu(X @ W_1 + b_1) @ W_2",
        "The hidden layer is right. The output has a bias, too.",
        {"unused_arguments": "b_2"},
    ),
    (
        "both biases forgotten",
        "relu(X @ W_1) @ W_2",
        "Each of the two matrices has a bias, and neither enters.",
        {"unused_arguments": "b_1 b_2"},
    ),
    (
        "bias after the activation",
        "(relu(X @ W_1) + b_1) @ W_2 + b_2",
        "The first bias shifts what goes into ReLU. Added afterwards, it cannot switch a unit off.",
    ),
    (
        "tokens mixed",
        "W_2 @ relu(W_1 @ X + b_1) + b_2",
        "Tokens are rows, so the matrices stand on the right. On the left they mix tokens.",
    ),
    (
        "first matrix on the left",
        "relu(W_1 @ X + b_1) @ W_2 + b_2",
        "The second matrix stands on the right, the first on the left, where it mixes tokens.",
    ),
    (
        "matrices transposed",
        "relu(X @ W_1.T + b_1) @ W_2.T + b_2",
        "Each matrix has a row for each feature that goes in. It needs no transpose.",
    ),
    (
        "matrices swapped",
        "relu(X @ W_2 + b_2) @ W_1 + b_1",
        "The first matrix goes with the first bias, and comes first.",
    ),
    (
        "GELU instead of ReLU",
        "layers.feed_forward(X, W_1, b_1, W_2, b_2, gelu)",
        "This is the smooth one. Here ReLU is asked, which has a kink at 0.",
    ),
    (
        "skip added",
        "X + layers.feed_forward(X, W_1, b_1, W_2, b_2)",
        (
            "Adding X is the work of the block around it. Here only what the network itself gives"
            " is asked."
        ),
    ),
    (
        "activation on the input",
        "(relu(X) @ W_1 + b_1) @ W_2 + b_2",
        (
            "ReLU was applied to the tokens. It belongs to the hidden layer, to what the first"
            " matrix makes of them."
        ),
    ),
    (
        "activation on the input, too",
        "relu(relu(X) @ W_1 + b_1) @ W_2 + b_2",
        "The ReLU on the hidden layer is right. The tokens come in as they are.",
    ),
    (
        "a maximum over tokens",
        "(X @ W_1 + b_1).max(axis=0) @ W_2 + b_2",
        (
            "The largest of a column compares tokens with each other. ReLU compares each number"
            " with 0, by itself."
        ),
    ),
    (
        "a maximum over units",
        "(X @ W_1 + b_1).max(axis=-1, keepdims=True) * np.ones(len(b_1)) @ W_2 + b_2",
        (
            "The largest of a row compares hidden units with each other. ReLU compares each number "
            "with 0, by itself."
        ),
    ),
    (
        "the negative part kept",
        "np.minimum(0, X @ W_1 + b_1) @ W_2 + b_2",
        "What is above 0 was cut off. ReLU lets it pass, and cuts the rest.",
    ),
    (
        "a step instead of ReLU",
        "1.0 * (X @ W_1 + b_1 > 0) @ W_2 + b_2",
        (
            "Your units say only whether they fire. ReLU says how much as well: above 0 the number "
            "passes as it is."
        ),
    ),
    (
        "absolute values instead of ReLU",
        "np.abs(X @ W_1 + b_1) @ W_2 + b_2",
        "A negative number comes out positive here. ReLU makes it 0.",
    ),
    (
        "sigmoid instead of ReLU",
        "1 / (1 + np.exp(-(X @ W_1 + b_1))) @ W_2 + b_2",
        "Each number is squeezed between 0 and 1. ReLU leaves positive numbers as they are.",
    ),
    (
        "tanh instead of ReLU",
        "np.tanh(X @ W_1 + b_1) @ W_2 + b_2",
        "Each number is squeezed between -1 and 1. ReLU leaves positive numbers as they are.",
    ),
    (
        "softmax instead of ReLU",
        "softmax(X @ W_1 + b_1) @ W_2 + b_2",
        "Softmax makes the units share out 1. In ReLU each unit decides for itself.",
    ),
    (
        "second step forgotten",
        "relu(X @ W_1 + b_1)",
        "This is the hidden layer. The way back to the width of a token is missing.",
    ),
    (
        "first matrix twice",
        "relu(X @ W_1 + b_1) @ W_1 + b_2",
        "Both steps use the first matrix. The second has one of its own.",
    ),
    (
        "biases swapped",
        "relu(X @ W_1 + b_2) @ W_2 + b_1",
        "Each bias goes with its own matrix, by number and by width.",
    ),
    (
        "first bias twice",
        "relu(X @ W_1 + b_1) @ W_2 + b_1",
        "The second step has a bias of its own.",
    ),
    (
        "biases subtracted",
        "relu(X @ W_1 - b_1) @ W_2 - b_2",
        "The biases go the wrong way: both are added.",
    ),
    (
        "first matrix transposed",
        "relu(X @ W_1.T + b_1) @ W_2 + b_2",
        "The first matrix has a row for each feature that goes in. It needs no transpose.",
    ),
    (
        "second matrix transposed",
        "relu(X @ W_1 + b_1) @ W_2.T + b_2",
        "The second matrix has a row for each hidden unit. It needs no transpose.",
    ),
    (
        "second matrix on the left",
        "W_2 @ relu(X @ W_1 + b_1) + b_2",
        "The first matrix stands on the right, the second on the left, where it mixes tokens.",
    ),
    (
        "second matrix twice",
        "relu(X @ W_2 + b_1) @ W_2 + b_2",
        "Both steps use the second matrix. The first has one of its own.",
    ),
    (
        "activation on the first matrix",
        "(X @ relu(W_1) + b_1) @ W_2 + b_2",
        (
            "ReLU was applied to W_1. It belongs to the hidden layer, to what the matrix makes of"
            " the tokens."
        ),
    ),
    (
        "activation on the bias",
        "(X @ W_1 + relu(b_1)) @ W_2 + b_2",
        "Only the bias went through ReLU. It is the whole sum that does.",
    ),
    (
        "activation before the second bias",
        "relu((X @ W_1 + b_1) @ W_2) + b_2",
        "ReLU came after the second matrix, before its bias. It stands between the two matrices.",
    ),
    (
        "cut off at 1",
        "np.clip(X @ W_1 + b_1, 0, 1) @ W_2 + b_2",
        "Numbers above 1 were cut, too. ReLU leaves positive numbers as they are.",
    ),
    (
        "the larger of product and bias",
        "np.maximum(X @ W_1, b_1) @ W_2 + b_2",
        (
            "Each unit took the larger of its product and its bias. The two are added, and compared"
            " with 0."
        ),
    ),
    (
        "softplus instead of ReLU",
        "np.log1p(np.exp(X @ W_1 + b_1)) @ W_2 + b_2",
        "This is a smooth ReLU, log(1 + exp). Here the one with a kink at 0 is asked.",
    ),
    (
        "SiLU instead of ReLU",
        """
hidden = X @ W_1 + b_1
return hidden / (1 + np.exp(-hidden)) @ W_2 + b_2
""",
        (
            "Each number was multiplied by its own sigmoid. ReLU leaves positive numbers as they"
            " are, and makes the others 0."
        ),
    ),
    (
        "below 0 becomes 1",
        """
hidden = X @ W_1 + b_1
return np.where(hidden > 0, hidden, 1) @ W_2 + b_2
""",
        "A unit that does not fire gave 1. ReLU makes it 0.",
    ),
]

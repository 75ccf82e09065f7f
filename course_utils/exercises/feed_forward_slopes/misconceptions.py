"""Known misconceptions of `feed_forward_slopes`: (name, code, question), and options where there
are some."""

import numpy as np

from course_utils import layers
from course_utils.exercises.feed_forward_slopes.exercise import _back, _forward, feed_forward_slopes
from course_utils.layers import relu

TABLE = [
    (
        "ReLU forgotten on the way back",
        """
_, hidden = _forward(X, W_1, b_1)
return _back(X, W_1, W_2, dY, hidden, dY @ W_2.T)
""",
        (
            "Every slope comes back through the hidden layer here. A silent unit does not move the "
            "output: what is its slope?"
        ),
    ),
    (
        "ReLU of the slopes",
        """
_, hidden = _forward(X, W_1, b_1)
return _back(X, W_1, W_2, dY, hidden, relu(dY @ W_2.T))
""",
        (
            "Negative slopes were cut off. What decides is whether the unit fired, not the sign of"
            " its slope."
        ),
    ),
    (
        "ReLU of the slopes as well",
        """
before, hidden = _forward(X, W_1, b_1)
return _back(X, W_1, W_2, dY, hidden, relu(dY @ W_2.T) * (before > 0))
""",
        (
            "The silent units are right. But negative slopes of units that fired were cut off, too:"
            " they come through as they are."
        ),
    ),
    (
        "multiplied by what the unit gives",
        """
_, hidden = _forward(X, W_1, b_1)
return _back(X, W_1, W_2, dY, hidden, dY @ W_2.T * hidden)
""",
        (
            "A slope was multiplied by how much its unit fires. Above 0 ReLU passes a nudge as it"
            " is, whatever the height."
        ),
    ),
    (
        "multiplied by what the unit adds up",
        """
before, hidden = _forward(X, W_1, b_1)
return _back(X, W_1, W_2, dY, hidden, dY @ W_2.T * before)
""",
        (
            "A slope was multiplied by the sum that goes into ReLU. ReLU's own slope is one of two "
            "numbers."
        ),
    ),
    (
        "silent units pass, the others do not",
        """
before, hidden = _forward(X, W_1, b_1)
return _back(X, W_1, W_2, dY, hidden, dY @ W_2.T * (before <= 0))
""",
        "The two cases of ReLU are mixed up: a unit that fires passes its slope on.",
    ),
    (
        "ReLU's slope alone",
        """
before, hidden = _forward(X, W_1, b_1)
return _back(X, W_1, W_2, dY, hidden, 1.0 * (before > 0))
""",
        (
            "This is 1 where a unit fires, 0 elsewhere. What comes back to the unit from the loss"
            " got lost."
        ),
    ),
    (
        "dW_2 from what stands before ReLU",
        """
before, _ = _forward(X, W_1, b_1)
return _back(X, W_1, W_2, dY, before, dY @ W_2.T * (before > 0))
""",
        "The second matrix reads the hidden layer after ReLU. All else is right.",
    ),
    (
        "first bias forgotten",
        """
before = X @ W_1
return _back(X, W_1, W_2, dY, relu(before), dY @ W_2.T * (before > 0))
""",
        "Whether a unit fires depends on its bias, too. Without it, others fire.",
        {"unused_arguments": "b_1"},
    ),
    (
        "ReLU's slope missing in db_1",
        """
dX, dW_1, _, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return dX, dW_1, (dY @ W_2.T).sum(axis=0), dW_2, db_2
""",
        (
            "The slopes of the first bias come from before ReLU was passed. A silent unit's bias"
            " moves nothing."
        ),
    ),
    (
        "ReLU's slope missing in dW_1",
        """
dX, _, *others = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return dX, X.T @ (dY @ W_2.T), *others
""",
        "dX knows who is silent, dW_1 does not. Both come from the same slopes.",
    ),
    (
        "bias slopes not summed",
        """
before, _ = _forward(X, W_1, b_1)
dX, dW_1, _, dW_2, _ = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return dX, dW_1, dY @ W_2.T * (before > 0), dW_2, dY
""",
        (
            "A bias has one number for a unit, and every token used it. Here each token still has"
            " its own."
        ),
    ),
    (
        "db_1 not summed",
        """
before, _ = _forward(X, W_1, b_1)
dX, dW_1, _, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return dX, dW_1, dY @ W_2.T * (before > 0), dW_2, db_2
""",
        "db_2 is right. The first bias, too, was added to every token.",
    ),
    (
        "db_2 not summed",
        "*feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)[:4], dY",
        "db_1 is right. The second bias, too, was added to every token.",
    ),
    (
        "bias slopes averaged",
        """
dX, dW_1, db_1, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return dX, dW_1, db_1 / len(X), dW_2, db_2 / len(X)
""",
        "The slopes of the biases are divided by the number of tokens. Each token adds its part.",
    ),
    (
        "bias slopes in one number",
        """
dX, dW_1, db_1, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return dX, dW_1, db_1.sum(), dW_2, db_2.sum()
""",
        "Each unit's bias has a slope of its own. Here all are added to one number.",
    ),
    (
        "bias slopes with an axis too many",
        """
dX, dW_1, db_1, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return dX, dW_1, db_1[None], dW_2, db_2[None]
""",
        "The numbers are right. A bias is a row, (d_ff,): the axis that was summed over goes.",
    ),
    (
        "bias slopes swapped",
        """
dX, dW_1, db_1, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return dX, dW_1, db_2, dW_2, db_1
""",
        "The two biases have changed places.",
    ),
    (
        "bias slopes all 1",
        """
dX, dW_1, _, dW_2, _ = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return dX, dW_1, np.ones_like(b_1), dW_2, np.ones_like(b_2)
""",
        (
            "A bias moves its unit 1 for 1. How much the loss cares for that is a slope that came"
            " back."
        ),
    ),
    (
        "averaged over the tokens",
        """
dX, *others = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return dX, *(table / len(X) for table in others)
""",
        (
            "The slopes of weights and biases are divided by the number of tokens. Each token adds"
            " its part."
        ),
    ),
    (
        "matrices first, biases last",
        """
dX, dW_1, db_1, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return dX, dW_1, dW_2, db_1, db_2
""",
        "All five are right. They come in the order of the arguments: each bias after its matrix.",
    ),
    (
        "in the order of the way back",
        "feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)[::-1]",
        "All five are right, last step first. They come in the order of the arguments, X first.",
    ),
    (
        "dX left out",
        "feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)[1:]",
        "The four parameters are right. What lies before the network needs its slopes, too.",
    ),
    (
        "biases left out",
        """
dX, dW_1, _, dW_2, _ = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return dX, dW_1, dW_2
""",
        "Three tables came back, and they are right. The two biases learn as well.",
    ),
    (
        "the skip's slope added",
        """
dX, *others = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return dX + dY, *others
""",
        (
            "dY was added to dX. That is the skip's part, around the network. Here only the network"
            " is asked."
        ),
    ),
    (
        "a ReLU at the end",
        (
            "feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY * (layers.feed_forward(X, W_1, b_1, W_2,"
            " b_2) > 0))"
        ),
        "The output went through no ReLU, so dY comes in as it is.",
    ),
    (
        "the output in place of dY",
        "feed_forward_slopes(X, W_1, b_1, W_2, b_2, layers.feed_forward(X, W_1, b_1, W_2, b_2))",
        "What comes back is the loss's slopes at the output. Here the output itself is sent back.",
    ),
    (
        "dY forgotten",
        "feed_forward_slopes(X, W_1, b_1, W_2, b_2, np.ones_like(dY))",
        (
            "Here every number of the output counts 1. How much the loss cares for each of them"
            " stands in dY."
        ),
    ),
    (
        "sign turned",
        "feed_forward_slopes(X, W_1, b_1, W_2, b_2, -dY)",
        "The sign is turned. That is the direction of a step downhill; asked are the slopes.",
    ),
    (
        "a step taken already",
        """
slopes = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
return tuple(old - slope for old, slope in zip((X, W_1, b_1, W_2, b_2), slopes, strict=True))
""",
        "Here the arguments have been moved. Asked are the slopes alone.",
    ),
    (
        "the pairs unpacked in the wrong order",
        """
before, hidden = _forward(X, W_1, b_1)
dW_2, d_hidden = dY @ W_2.T, hidden.T @ dY
d_before = d_hidden * (before > 0)
return X.T @ d_before, d_before @ W_1.T, d_before.sum(axis=0), dW_2, dY.sum(axis=0)
""",
        (
            "`matrix_slopes` gives two tables: first the slopes of what came in, then those of the "
            "matrix."
        ),
    ),
    (
        "W_2 not transposed",
        """
before, hidden = _forward(X, W_1, b_1)
return _back(X, W_1, W_2, dY, hidden, dY @ W_2 * (before > 0))
""",
        "W_2 led from units to features. The way back goes through it from the other side.",
    ),
    (
        "W_1 not transposed",
        """
before, hidden = _forward(X, W_1, b_1)
d_before = dY @ W_2.T * (before > 0)
return d_before @ W_1, *_back(X, W_1, W_2, dY, hidden, d_before)[1:]
""",
        "W_1 led from features to units. The way back goes through it from the other side.",
    ),
    (
        "neither matrix transposed",
        """
before, hidden = _forward(X, W_1, b_1)
d_before = dY @ W_2 * (before > 0)
return d_before @ W_1, *_back(X, W_1, W_2, dY, hidden, d_before)[1:]
""",
        (
            "Both matrices stand as they did on the way forward. On the way back each of them is "
            "turned."
        ),
    ),
    (
        "back through the first matrix first",
        """
before, hidden = _forward(X, W_1, b_1)
return _back(X, W_2, W_1, dY, hidden, dY @ W_1.T * (before > 0))
""",
        "The way back begins at the end: the second matrix comes first.",
    ),
    (
        "the way forward",
        "layers.feed_forward(X, W_1, b_1, W_2, b_2)",
        "This is the network's output. Asked is the way back: the slopes at all that went into it.",
    ),
]

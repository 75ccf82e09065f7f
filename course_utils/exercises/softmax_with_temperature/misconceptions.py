"""Known misconceptions of `softmax_with_temperature`: (name, code, question), and options where
there are some."""

import numpy as np

from course_utils.attention import softmax
from course_utils.exercises.scaled_attention.exercise import LARGE
from course_utils.exercises.softmax_with_temperature.exercise import SPREAD

TABLE = [
    (
        "temperature forgotten",
        "softmax(scores)",
        "The temperature changes nothing here. Where does it enter, so that it does not cancel?",
        {"unused_arguments": "temperature"},
    ),
    (
        "the temperature as the power, not one over it",
        """
p = softmax(scores) ** temperature
return p / p.sum(axis=-1, keepdims=True)
""",
        (
            "Weights to the power of the temperature are sharper where it is hot. Which power"
            " flattens them?"
        ),
        {"requires": "a power"},
    ),
    (
        "multiplied by the temperature",
        "softmax(scores * temperature)",
        "A high temperature should flatten the weights. Multiplying sharpens them.",
    ),
    (
        "temperature after the softmax",
        "softmax(scores) / temperature",
        (
            "Here every row of weights sums to 1/temperature. Only before the softmax does the "
            "temperature leave the sum at 1."
        ),
    ),
    (
        "weights times the temperature",
        "softmax(scores) * temperature",
        (
            "Every row of weights sums to the temperature. Only before the softmax does it leave"
            " the sum at 1."
        ),
    ),
    (
        "temperature inside exp only",
        """
shifted = scores - scores.max(axis=-1, keepdims=True)
return np.exp(shifted / temperature) / np.exp(shifted).sum(axis=-1, keepdims=True)
""",
        "Both exps need the temperature: the one above the line and those in the sum below it.",
    ),
    (
        "temperature below the line only",
        """
shifted = scores - scores.max(axis=-1, keepdims=True)
return np.exp(shifted) / np.exp(shifted / temperature).sum(axis=-1, keepdims=True)
""",
        "Both exps need the temperature: those in the sum below the line and the one above it.",
    ),
    (
        "temperature as an exponent of the weights",
        "softmax(scores) ** (1 / temperature)",
        (
            "Weights to the power 1/temperature have the right proportions, but do not sum to 1. "
            "Before the softmax it is simpler."
        ),
    ),
    (
        "square root of the temperature",
        "softmax(scores / np.sqrt(temperature))",
        "The square root belongs to d_k. The temperature divides the scores as it is.",
    ),
    (
        "scaled as well",
        "softmax(scores / temperature / np.sqrt(scores.shape[-1]))",
        (
            "The scores are divided by the square root of their width, too. Here the temperature"
            " alone is asked."
        ),
    ),
    (
        "small scores win",
        "softmax(-scores / temperature)",
        "The sign is turned: the smallest score of a row gets the largest weight.",
    ),
    (
        "wrong axis",
        "softmax(scores / temperature, axis=0)",
        "The weights of one query stand in one row. Make each row sum to 1, not each column.",
    ),
    (
        "one sum for the whole table",
        """
e = np.exp((scores - scores.max()) / temperature)
return e / e.sum()
""",
        "Every row is a competition of its own. Divide each row by a sum of its own.",
    ),
    (
        "keepdims forgotten",
        """
e = np.exp((scores - scores.max(axis=-1, keepdims=True)) / temperature)
return e / e.sum(axis=-1)
""",
        (
            "The sums have lost an axis, (T,), so NumPy lays them along the columns. Keep the axis:"
            " then each sum divides its own row."
        ),
    ),
    (
        "not divided by the sum",
        "np.exp(scores / temperature)",
        "exp of the divided scores is positive but does not sum to 1. One division is missing.",
    ),
    (
        "softmax missing",
        "scores / temperature",
        "These are the divided scores. They must become weights that sum to 1 in each row.",
    ),
    (
        "the temperature divided by the scores",
        "softmax(temperature / scores)",
        "The quotient is turned over: large scores become small ones. What is divided by what?",
    ),
    (
        "cut to whole numbers by //",
        "softmax(scores // temperature)",
        "`//` cuts off what comes after the point, so different scores become equal.",
    ),
    (
        "keepdims forgotten in both places",
        """
s = scores / temperature
e = np.exp(s - s.max(axis=-1))
return e / e.sum(axis=-1)
""",
        (
            "The maxima and the sums have lost an axis, (T,), so NumPy lays them along the columns."
            " Keep the axis in both."
        ),
    ),
    (
        "shifted, but not divided by the sum",
        "np.exp((scores - scores.max(axis=-1, keepdims=True)) / temperature)",
        (
            "The largest of each row is 1 now, and the row sums to more. What turns positive"
            " numbers into shares is still missing."
        ),
    ),
    (
        "softmax taken twice",
        "softmax(softmax(scores / temperature))",
        "The weights went through softmax once more, which flattens them. Once is enough.",
    ),
    (
        "scores to the power of the temperature",
        "softmax(scores**temperature)",
        "The temperature stands in an exponent. It divides the scores.",
    ),
    (
        "minimum subtracted",
        """
e = np.exp((scores - scores.min(axis=-1, keepdims=True)) / temperature)
return e / e.sum(axis=-1, keepdims=True)
""",
        (
            "What is left after the minimum is gone may still be large, and exp overflows. Which "
            "number must go so that nothing above 0 is left?"
        ),
        {"trap": LARGE},
    ),
    (
        "mean subtracted",
        """
e = np.exp((scores - scores.mean(axis=-1, keepdims=True)) / temperature)
return e / e.sum(axis=-1, keepdims=True)
""",
        (
            "A score may lie far above the mean of its row, and exp overflows. Which number must go"
            " so that nothing above 0 is left?"
        ),
        {"trap": SPREAD},
    ),
    (
        "maximum before the division",
        """
e = np.exp(scores / temperature - scores.max(axis=-1, keepdims=True))
return e / e.sum(axis=-1, keepdims=True)
""",
        (
            "The maximum is that of the scores before they were divided. What is left is far below"
            " 0 everywhere, exp makes 0 of it, and 0/0 is NaN."
        ),
        {"trap": LARGE},
    ),
    (
        "no max-subtraction",
        """
e = np.exp(scores / temperature)
return e / e.sum(axis=-1, keepdims=True)
""",
        (
            "exp of a large score overflows and gives NaN. Which shift of a row changes none of its"
            " weights?"
        ),
        {"trap": LARGE},
    ),
    (
        "maximum of the whole table subtracted",
        """
e = np.exp((scores - scores.max()) / temperature)
return e / e.sum(axis=-1, keepdims=True)
""",
        "A row far below the table's maximum turns into 0/0. Each row has its own maximum.",
        {"trap": SPREAD},
    ),
]

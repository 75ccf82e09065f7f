"""Known misconceptions of `softmax_slopes`: (name, code, question), and options where there are
some."""

from course_utils.attention import softmax
from course_utils.exercises.softmax_jacobian.exercise import softmax_jacobian
from course_utils.exercises.softmax_slopes.exercise import softmax_slopes

TABLE = [
    (
        "average forgotten",
        "weights * slopes",
        (
            "Each slope goes to its own score alone. But raising one score lowers all other"
            " weights: something is subtracted."
        ),
    ),
    (
        "only the diagonal",
        "weights * (slopes - weights * slopes)",
        (
            "The product with its own weight is subtracted, number by number. What the other"
            " weights lose is missing: a whole sum."
        ),
    ),
    (
        "plain average",
        "weights * (slopes - slopes.mean())",
        "The average that is subtracted counts all tokens alike. Who has more weight counts more.",
    ),
    (
        "sum of the slopes",
        "weights * (slopes - slopes.sum())",
        "The sum of all slopes is subtracted. Each belongs in it with its weight.",
    ),
    (
        "weights in front forgotten",
        "slopes - weights @ slopes",
        (
            "The differences from the average are right. A weight that is nearly 0 hardly moves:"
            " each difference has a factor."
        ),
    ),
    (
        "average outside the bracket",
        "weights * slopes - weights @ slopes",
        (
            "The average is subtracted after the weights were multiplied. Mind the brackets: it"
            " stands inside, beside the slope."
        ),
    ),
    (
        "sign turned",
        "weights * (weights @ slopes - slopes)",
        (
            "The sign is turned. Where the slope of a weight lies above the average, that of its"
            " score should lie above 0."
        ),
    ),
    (
        "average added",
        "weights * (slopes + weights @ slopes)",
        "The average is added. Weights compete: what one gains, the others lose.",
    ),
    (
        "a table instead of a row",
        "softmax_jacobian(weights) * slopes",
        "This is a whole table, (T, T). Asked is one slope for each score: sum over the weights.",
    ),
    (
        "the Jacobian alone",
        "softmax_jacobian(weights)",
        "This is the Jacobian. One step is left: the slopes go through it.",
    ),
    ("one number", "weights @ slopes", "This is one number. Asked is one slope for each score."),
    (
        "softmax taken twice",
        "softmax_slopes(softmax(weights), slopes)",
        "The first argument is a row of weights already. Use it as it is.",
    ),
]

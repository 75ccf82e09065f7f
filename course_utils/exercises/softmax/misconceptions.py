"""Known misconceptions of `softmax`: (name, code, question), and options where there are some."""

import numpy as np

from course_utils import attention as course
from course_utils.diagnosis.values import WHOLE
from course_utils.exercises.softmax.exercise import FAR_ROWS, LARGE, SPREAD

TABLE = [
    (
        "wrong axis",
        "course.softmax(scores, axis=0)",
        "The weights of one query stand in one row. Make each row sum to 1, not each column.",
    ),
    (
        "one sum for the whole table",
        """
e = np.exp(scores - scores.max())
return e / e.sum()
""",
        "Every row is a competition of its own. Divide each row by a sum of its own.",
    ),
    (
        "keepdims forgotten",
        """
e = np.exp(scores - scores.max(axis=-1, keepdims=True))
return e / e.sum(axis=-1)
""",
        (
            "The sums have lost an axis, (T,), so NumPy lays them along the columns. Keep the axis:"
            " then each sum divides its own row."
        ),
    ),
    (
        "keepdims forgotten in both places",
        """
e = np.exp(scores - scores.max(axis=-1))
return e / e.sum(axis=-1)
""",
        (
            "The maxima and the sums have lost an axis, (T,), so NumPy lays them along the columns."
            " Keep the axis in both: each row has its own maximum and its own sum."
        ),
    ),
    (
        "no max-subtraction",
        """
e = np.exp(scores)
return e / e.sum(axis=-1, keepdims=True)
""",
        (
            "exp(1000) overflows to inf, and inf/inf is NaN. Shares stay the same when a whole row"
            " is shifted: by how much, so that nothing overflows?"
        ),
        {"trap": LARGE},
    ),
    (
        "maximum of the whole table subtracted",
        """
e = np.exp(scores - scores.max())
return e / e.sum(axis=-1, keepdims=True)
""",
        "A row far below the table's maximum turns into 0/0. Each row has its own maximum.",
        {"trap": FAR_ROWS},
    ),
    (
        "minimum subtracted",
        """
e = np.exp(scores - scores.min(axis=-1, keepdims=True))
return e / e.sum(axis=-1, keepdims=True)
""",
        (
            "What is left after the minimum is gone may still be 1000, and exp overflows. Which"
            " number must go so that nothing above 0 is left?"
        ),
        {"trap": SPREAD},
    ),
    (
        "mean subtracted",
        """
e = np.exp(scores - scores.mean(axis=-1, keepdims=True))
return e / e.sum(axis=-1, keepdims=True)
""",
        (
            "A score may lie 1000 above the mean of its row, and exp overflows. Which number must"
            " go so that nothing above 0 is left?"
        ),
        {"trap": SPREAD},
    ),
    (
        "first entry subtracted",
        """
e = np.exp(scores - scores[..., :1])
return e / e.sum(axis=-1, keepdims=True)
""",
        (
            "The first score need not be the largest: in [0, 2000] another lies 2000 above it, and"
            " exp overflows."
        ),
        {"trap": SPREAD},
    ),
    (
        "position of the maximum subtracted",
        """
e = np.exp(scores - scores.argmax(axis=-1, keepdims=True))
return e / e.sum(axis=-1, keepdims=True)
""",
        (
            "argmax says where the largest score stands, not how large it is. So nearly nothing is "
            "taken away, and exp of a large score overflows."
        ),
        {"trap": LARGE},
    ),
    (
        "maximum added",
        """
e = np.exp(scores + scores.max(axis=-1, keepdims=True))
return e / e.sum(axis=-1, keepdims=True)
""",
        (
            "The maximum should leave the scores, and is added to them: exp overflows all the"
            " sooner. Mind the sign."
        ),
        {"trap": LARGE},
    ),
    (
        "dividing by the max",
        """
e = np.exp(scores - scores.max(axis=-1, keepdims=True))
return e / e.max(axis=-1, keepdims=True)
""",
        (
            "Now the largest entry of a row is 1. Divide by the row's sum, and the whole row sums"
            " to 1."
        ),
        {"requires": "a division"},
    ),
    (
        "shifted, but not divided by the sum",
        "np.exp(scores - scores.max(axis=-1, keepdims=True))",
        (
            "The largest of each row is 1 now, and the row sums to more. What turns positive"
            " numbers into shares is still missing."
        ),
    ),
    (
        "division inside exp",
        """
shifted = scores - scores.max(axis=-1, keepdims=True)
return np.exp(shifted / np.exp(shifted).sum(axis=-1, keepdims=True))
""",
        (
            "The bracket of exp closes too late, so the division happens in the exponent. First"
            " exp, then divide."
        ),
    ),
    (
        "division inside exp, no maximum",
        "np.exp(scores / np.exp(scores).sum(axis=-1, keepdims=True))",
        (
            "The bracket of exp closes too late, so the division happens in the exponent. First"
            " exp, then divide."
        ),
    ),
    (
        "shifted above the line only",
        (
            "np.exp(scores - scores.max(axis=-1, keepdims=True)) / np.exp(scores).sum(axis=-1,"
            " keepdims=True)"
        ),
        (
            "Above the line the maximum is gone, in the sum below it is not. Shares need the same "
            "things above and below."
        ),
    ),
    (
        "shifted below the line only",
        (
            "np.exp(scores) / np.exp(scores - scores.max(axis=-1, keepdims=True)).sum(axis=-1,"
            " keepdims=True)"
        ),
        (
            "In the sum below the line the maximum is gone, above it is not. Shares need the same "
            "things above and below."
        ),
    ),
    (
        "dividing by the sum of the shifted scores",
        """
shifted = scores - scores.max(axis=-1, keepdims=True)
return np.exp(shifted) / shifted.sum(axis=-1, keepdims=True)
""",
        (
            "Above the line stand exponentials, below it the sum of the shifted scores themselves. "
            "Shares need the same things above and below."
        ),
    ),
    (
        "shifted, and divided by the sum of the scores",
        "np.exp(scores - scores.max(axis=-1, keepdims=True)) / scores.sum(axis=-1, keepdims=True)",
        (
            "Above the line stand exponentials, below it the sum of the scores themselves. Shares"
            " need the same things above and below."
        ),
    ),
    (
        "maximum subtracted outside of exp",
        """
e = np.exp(scores) - scores.max(axis=-1, keepdims=True)
return e / e.sum(axis=-1, keepdims=True)
""",
        (
            "The maximum is taken from what exp has made. It should leave the scores, before exp"
            " sees them."
        ),
    ),
    (
        "largest exponential subtracted",
        """
e = np.exp(scores) - np.exp(scores).max(axis=-1, keepdims=True)
return e / e.sum(axis=-1, keepdims=True)
""",
        (
            "The maximum was taken after exp, so the largest share is 0. It should leave the"
            " scores, before exp."
        ),
    ),
    (
        "scores divided by their maximum",
        "course.softmax(scores / scores.max(axis=-1, keepdims=True))",
        (
            "A shift of a whole row leaves its shares alone, a division does not. Which of the two "
            "belongs here?"
        ),
    ),
    (
        "standardised first",
        (
            "course.softmax((scores - scores.mean(axis=-1, keepdims=True)) / scores.std(axis=-1,"
            " keepdims=True))"
        ),
        (
            "Dividing by the standard deviation changes the differences between scores, and they"
            " are all that counts. Only shift."
        ),
    ),
    (
        "the sums returned",
        "np.exp(scores).sum(axis=-1)",
        "These are the sums below the line. Asked are the shares, a table.",
    ),
    (
        "divided by the others",
        """
e = np.exp(scores)
return e / (e.sum(axis=-1, keepdims=True) - e)
""",
        (
            "Each score is compared with the others alone. The sum below the line holds all of the "
            "row, itself included."
        ),
    ),
    (
        "divided by the sum so far",
        """
e = np.exp(scores)
return e / e.cumsum(axis=-1)
""",
        "The sum was used before it was complete. First add up the whole row, then divide.",
    ),
    (
        "the sum not set back to 0",
        """
e = np.exp(scores)
return e / e.sum(axis=-1).cumsum()[:, None]
""",
        "Each row's sum goes on from the one before. Every row begins with 0 again.",
    ),
    (
        "the last row's sum for all",
        """
e = np.exp(scores)
return e / e[-1].sum()
""",
        (
            "Every row was divided by the sum of the last. Each row has its own: is the division "
            "inside the loop?"
        ),
    ),
    (
        "dividing by the length of the row",
        "np.exp(scores) / scores.shape[-1]",
        "How many scores there are says nothing about their sum. Add up what stands in the row.",
    ),
    (
        "dividing by the sum of the scores",
        "np.exp(scores) / scores.sum(axis=-1, keepdims=True)",
        (
            "Above the line stand exponentials, below it the sum of the scores themselves. Shares"
            " need the same things above and below."
        ),
    ),
    (
        "exp missing",
        "scores / scores.sum(axis=-1, keepdims=True)",
        (
            "Dividing the scores themselves by their sum fails for negative scores. Make them"
            " positive first."
        ),
    ),
    (
        "exp missing after the maximum",
        """
shifted = scores - scores.max(axis=-1, keepdims=True)
return shifted / shifted.sum(axis=-1, keepdims=True)
""",
        (
            "Subtracting the maximum leaves numbers up to 0. Make them positive before dividing by"
            " the sum."
        ),
    ),
    (
        "absolute values in place of exp",
        "np.abs(scores) / np.abs(scores).sum(axis=-1, keepdims=True)",
        (
            "abs makes numbers positive, too, but then -3 wins over 2. exp keeps the order of the "
            "scores."
        ),
    ),
    (
        "squares in place of exp",
        "scores**2 / (scores**2).sum(axis=-1, keepdims=True)",
        "Squares are positive, too, but then -3 wins over 2. exp keeps the order of the scores.",
    ),
    (
        "exp after the division",
        "np.exp(scores / scores.sum(axis=-1, keepdims=True))",
        (
            "Shares are taken first and exp of them last, so a row sums to more than 1. Turn that "
            "round."
        ),
    ),
    (
        "not divided by the sum",
        "np.exp(scores)",
        "exp(scores) is positive but does not sum to 1. One division is missing.",
    ),
    (
        "small scores win",
        "course.softmax(-scores)",
        "The sign is turned: the smallest score of a row gets the largest weight.",
    ),
    (
        "the largest takes all",
        "(scores == scores.max(axis=-1, keepdims=True)).astype(float)",
        "Each row holds a single 1. Softmax is softer: every score gets a share.",
    ),
    (
        "each score on its own",
        "1 / (1 + np.exp(-scores))",
        (
            "This is the sigmoid: it looks at one score at a time. In softmax the scores of a row "
            "share 1 among them."
        ),
    ),
    (
        "softmax taken twice",
        "course.softmax(course.softmax(scores))",
        "The weights went through softmax once more, which flattens them. Once is enough.",
    ),
    (
        "log added",
        """
shifted = scores - scores.max(axis=-1, keepdims=True)
return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
""",
        "These are the logarithms of the weights. Leave the logarithm out, or take exp at the end.",
    ),
    (
        "log missing",
        "np.exp(scores - np.exp(scores).sum(axis=-1, keepdims=True))",
        (
            "The sum was taken into the exponent as it is. What divides outside of exp is"
            " subtracted inside as its logarithm."
        ),
    ),
    (
        "the first row only",
        "course.softmax(scores)[0]",
        "Only the first row comes back. Does the `return` stand inside the loop?",
    ),
    (
        "cut to whole numbers",
        """
shares = np.zeros_like(scores)
shares[:] = course.softmax(scores)
return shares
""",
        (
            "An array that is made like whole numbers holds whole numbers: what comes after the"
            " point is cut off. Of which kind should the shares be?"
        ),
        {"trap": WHOLE},
    ),
]

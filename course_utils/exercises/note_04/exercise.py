"""The exercise `note_04`."""

from course_utils import attention as course
from course_utils.attention import scaled_dot_product_attention
from course_utils.cards.look import heat
from course_utils.data import SENTENCES, embed
from course_utils.diagnosis.exercise import Reading

SPORT = SENTENCES["sport"]
X_SPORT = embed(SPORT)
ONE_PASS = scaled_dot_product_attention(X_SPORT, X_SPORT, X_SPORT, course.causal_mask(4))[1]
PREFIX = scaled_dot_product_attention(X_SPORT[:2], X_SPORT[:2], X_SPORT[:2])[1]
EXERCISE = Reading(
    "note_04",
    "A lecture note says: “Because of the mask, a decoder must be trained one position after the"
    " other: first position 1, then 2, and so on.” Below are the weights of one masked pass over"
    " “bears won the game”. Without a mask, “bears won” alone gives the row of “won” as"
    f" {PREFIX[1, 0]:.2f} and {PREFIX[1, 1]:.2f}. Which sentence mends the note?",
    options=[
        (
            (
                "Because of the mask, a decoder is trained on the last position only: it alone sees"
                " the whole of the text."
            ),
            (
                "The last row sees most, but every row predicts its next token from what it sees,"
                " and all of them are trained."
            ),
        ),
        (
            (
                "Because of the mask, a decoder is trained in as many passes as there are"
                " positions, each over the words so far."
            ),
            (
                "The row of “won” in the one pass holds the same numbers as a pass over “bears won”"
                " alone. Nothing is gained by several passes."
            ),
        ),
        (
            (
                "Thanks to the mask, one pass trains all positions at once: each sees only the"
                " words up to itself."
            ),
            (
                "The row of “won” is the same in both. The mask puts as many beginnings into one"
                " table as there are rows."
            ),
        ),
        (
            (
                "Thanks to the mask, one pass trains all positions at once, since each of them may"
                " see the whole of the text."
            ),
            (
                "One pass it is, but the upper corner of the table is empty: no row sees what comes"
                " after it."
            ),
        ),
    ],
    right="C",
    minutes=4,
    difficulty=2,
    picture=heat(ONE_PASS, SPORT, SPORT),
)

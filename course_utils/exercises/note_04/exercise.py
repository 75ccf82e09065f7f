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
    " “bears won the game”. In the text “bears won”, without a mask, “won” has the weights"
    f" {PREFIX[1, 0]:.2f} and {PREFIX[1, 1]:.2f}. Which sentence corrects the note?",
    options=[
        (
            (
                "Because of the mask, a decoder is trained only on the last position: no other"
                " position sees the whole text."
            ),
            (
                "The last row sees all words. But every row predicts its next token from what it"
                " sees, and training uses all rows."
            ),
        ),
        (
            (
                "Because of the mask, a decoder is trained in one pass per position, and each pass"
                " reads the words so far."
            ),
            (
                "One pass over the whole text gives “won” the same weights as a pass over only"
                " “bears won”. More passes are not necessary."
            ),
        ),
        (
            (
                "Thanks to the mask, one pass trains all positions at once: each position sees"
                " only the words so far."
            ),
            (
                "The row of “won” is the same in both passes. With the mask, each row is the same"
                " as if the text ended there."
            ),
        ),
        (
            (
                "Thanks to the mask, one pass trains all positions at once, because each position"
                " sees the whole text."
            ),
            (
                "One pass is right. But the upper right of the table is 0: no row sees what comes"
                " after it."
            ),
        ),
    ],
    right="C",
    minutes=4,
    difficulty=2,
    picture=heat(ONE_PASS, SPORT, SPORT),
)

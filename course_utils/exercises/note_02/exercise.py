"""The exercise `note_02`."""

from course_utils.attention import softmax
from course_utils.cards.look import heat
from course_utils.data import SENTENCES, W_K, W_Q, embed
from course_utils.diagnosis.exercise import Reading

ANIMAL = SENTENCES["animal"]
X_ANIMAL = embed(ANIMAL)
ASKED, ALIKE = softmax(X_ANIMAL @ W_Q @ (X_ANIMAL @ W_K).T), softmax(X_ANIMAL @ X_ANIMAL.T)
EXERCISE = Reading(
    "note_02",
    "A lecture note says: “The output of token i is its value V_i, moved towards the values of"
    " similar tokens.” Below are the weights of “I love bears”, made with queries and keys."
    " With the dot products of notebook 01, the weights of “love” would be"
    f" {', '.join(f'{weight:.2f}' for weight in ALIKE[1])}. Which sentence corrects the note?",
    options=[
        (
            (
                "The output is the value V_i, moved towards the values of tokens whose keys fit the"
                " query."
            ),
            (
                "Keys that fit get more weight, but the output does not start from V_i. “love”"
                f" gives {ASKED[1, 1]:.2f} to itself and {ASKED[1, 2]:.2f} to “bears”. Its own"
                " value is one of three and has no special place."
            ),
        ),
        (
            (
                "The output is an average of all values, and the most similar tokens have the most"
                " weight."
            ),
            (
                "The output is an average of all values. But by similarity “love” would give"
                f" itself {ALIKE[1, 1]:.2f}. In the table it gives itself {ASKED[1, 1]:.2f},"
                " because the table compares queries with keys. It does not compare words."
            ),
        ),
        (
            "The output is an average of all values, weighted by how well each key fits the query.",
            (
                "The scores of the query with all keys give the weights. V_i is one of the values"
                " and gets only its own weight."
            ),
        ),
        (
            (
                "The output is the token's own vector x_i, moved towards the values of the fitting"
                " keys."
            ),
            (
                "Attention itself does not add x_i. The transformer block around it does so"
                " (notebook 06)."
            ),
        ),
    ],
    right="C",
    minutes=4,
    difficulty=2,
    picture=heat(ASKED, ANIMAL, ANIMAL),
)

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
    " similar tokens.” Below are the weights of “I love bears” by queries and keys. By the dot"
    " products of the vectors themselves the row of “love” would be"
    f" {', '.join(f'{weight:.2f}' for weight in ALIKE[1])}. Which sentence mends the note?",
    options=[
        (
            (
                "The output is the value V_i, moved towards the values of those tokens whose keys"
                " fit the query."
            ),
            (
                "Keys that fit decide, but the output does not start from V_i. “love” gives itself"
                f" {ASKED[1, 1]:.2f} and “bears” {ASKED[1, 2]:.2f}: its own value is one of three"
                " and has no special place."
            ),
        ),
        (
            (
                "The output is an average of all values, and those of the most similar tokens weigh"
                " most."
            ),
            (
                f"An average of all values it is. By similarity “love” would keep {ALIKE[1, 1]:.2f}"
                f" for itself; in the table it keeps {ASKED[1, 1]:.2f}: a query and a key meet, not"
                " two words that are alike."
            ),
        ),
        (
            "The output is an average of all values, weighted by how well each key fits the query.",
            (
                "The row of the query with all keys gives the weights, and V_i is in it with no"
                " more than its share."
            ),
        ),
        (
            (
                "The output is the token's own vector x_i, moved towards the values of the fitting"
                " keys."
            ),
            (
                "Attention by itself does not add x_i. A transformer's block does so, around it"
                " (notebook 06)."
            ),
        ),
    ],
    right="C",
    minutes=4,
    difficulty=2,
    picture=heat(ASKED, ANIMAL, ANIMAL),
)

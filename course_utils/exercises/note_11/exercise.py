"""The exercise `note_11`."""

from course_utils.data.grammar import WORDS
from course_utils.diagnosis.exercise import Reading
from course_utils.models.language_model import Config, multiplications


def _cost(T):
    """Multiplications of notebook 11's model for token T, with a cache."""
    return multiplications(Config(len(WORDS)), T, cached=True) - multiplications(
        Config(len(WORDS)), T - 1, cached=True
    )


EXERCISE = Reading(
    "note_11",
    "A lecture note says: “With a KV cache every new token costs the same, however long the text"
    " is: all earlier work is kept.” Which sentence mends it?",
    [
        (
            (
                "All earlier work is kept only at training time; while writing, each block has to"
                " project the whole text anew for every token."
            ),
            (
                "It is the other way round: the cache belongs to writing. Kept keys and values are"
                " not computed again."
            ),
        ),
        (
            (
                "The earlier projections are kept, but the new query meets every kept key and"
                " averages every value: that grows with the text."
            ),
            (
                f"counted for notebook 11's model: token 2 takes {_cost(2):,} multiplications,"
                f" token 1,024 takes {_cost(1024):,}."
            ),
        ),
        (
            (
                "Every new token does cost the same, but only as long as the text is shorter than"
                " the longest text that was trained on."
            ),
            "The cost knows nothing of training. Ask what one new query has to be compared with.",
        ),
        (
            (
                "The cache keeps the weights of attention, so the new token only adds a row to"
                " them; what still grows is the feed-forward part."
            ),
            (
                "Keys and values are kept, not weights. The feed-forward network reads one token at"
                " a time, and costs the same each time."
            ),
        ),
    ],
    right="B",
    minutes=4,
)

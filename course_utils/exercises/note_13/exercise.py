"""The exercise `note_13`."""

from course_utils.diagnosis.exercise import Reading

EXERCISE = Reading(
    "note_13",
    "A lecture note says: “A model reads words: each word of its vocabulary is a token, and a word"
    " that it has never met becomes [UNK].” Which sentence mends it for models such as SmolLM2?",
    [
        (
            (
                "It reads letters: a word of ten letters is ten tokens, and so every word can be"
                " spelt, whether it was met or not."
            ),
            "Then \u201c strawberry\u201d would be eleven tokens. It is one.",
        ),
        (
            (
                "It reads pieces: a frequent word is one piece, a rare word several shorter"
                " pieces, or even single bytes."
            ),
            "so there is hardly a text that it cannot read, and frequent words cost little.",
        ),
        (
            (
                "It reads pieces of four characters each, so that a rare word, too, can be put"
                " together from pieces that it has met."
            ),
            (
                "Four is a mean, for English. Pieces are as long as they were worth joining: from"
                " one byte to whole words."
            ),
        ),
        (
            (
                "It reads syllables: training finds the parts that carry meaning, and a new word is"
                " put together from these."
            ),
            (
                "Nothing in the counts knows of syllables or of meaning: \u201cstrawberry\u201d is"
                " st, raw, berry."
            ),
        ),
    ],
    right="B",
    minutes=2,
    difficulty=1,
)

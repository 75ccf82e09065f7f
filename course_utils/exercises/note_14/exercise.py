"""The exercise `note_14`."""

from course_utils.diagnosis.exercise import Reading

EXERCISE = Reading(
    "note_14",
    "A lecture note says: “With 9 heads of queries and 3 of keys and values, a model computes a"
    " third of the scores, so its attention is three times as fast.” Which sentence mends it?",
    [
        (
            (
                "It computes a third of the scores, but softmax takes most of the time, so"
                " attention becomes only a little faster."
            ),
            (
                "It computes all of them. Each of the 9 heads still asks with its own queries, so"
                " there are 9 tables of scores."
            ),
        ),
        (
            (
                "It computes as many scores as before, but keeps a third of the keys and values,"
                " which counts when a model writes."
            ),
            (
                "9 heads ask, so there are 9 tables. What became fewer are the rows that must be"
                " remembered, and read again for each new word."
            ),
        ),
        (
            (
                "It computes a third of the scores, and pays by two further matrices that spread"
                " the three results over nine heads."
            ),
            (
                "Nothing is spread: each head of queries has its own scores and its own output."
                " There are fewer matrices, not more."
            ),
        ),
        (
            (
                "It computes as many scores as before, and is trained with nine heads of keys, of"
                " which six are thrown away afterwards."
            ),
            (
                "The first half is right. But three heads of keys are trained as three; nothing is"
                " thrown away."
            ),
        ),
    ],
    right="B",
    minutes=3,
    difficulty=1,
)

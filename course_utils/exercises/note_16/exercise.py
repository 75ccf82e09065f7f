"""The exercise `note_16`."""

from course_utils.diagnosis.exercise import Reading

# Reading.
EXERCISE = Reading(
    "note_16",
    "A lecture note says: “We silenced one head, (17, 1), and of 147 words that had been predicted"
    " in the second copies 37 were left. So the ability to copy is stored in that head.” Which"
    " sentence mends it?",
    [
        (
            (
                "Silencing shows that the head is needed for copying here; whether it is enough for"
                " it is another question."
            ),
            (
                "what is cut shows what is needed. This head looks one word back: it hands over"
                " what the heads that copy look for, and brings no copy itself."
            ),
        ),
        (
            (
                "Silencing shows nothing about the model, as without one of its heads it is another"
                " model than before."
            ),
            (
                "It is another model, and that is how we learn: what changes, and what does not,"
                " when one thing is changed."
            ),
        ),
        (
            (
                "Silencing shows that the head copies only if its weights point at the word that"
                " comes next in the text."
            ),
            (
                "Where a head looks is one thing, what is lost without it another. This one points"
                " elsewhere, and copying needs it."
            ),
        ),
        (
            (
                "Silencing shows where an ability is stored, provided that the model still does all"
                " else without that head."
            ),
            (
                "That would make the head special to copying. It still would not make it enough:"
                " others may be needed as well."
            ),
        ),
    ],
    right="A",
    minutes=4,
    difficulty=2,
)

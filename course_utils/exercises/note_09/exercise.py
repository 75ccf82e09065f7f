"""The exercise `note_09`."""

from course_utils.diagnosis.exercise import Reading

EXERCISE = Reading(
    "note_09",
    "A lecture note says: “The cheapest mixture keeps only the best expert. Renormalise its gate as"
    " always, and train gate and experts with the squared error.” Which sentence mends it?",
    [
        (
            (
                "Renormalised, one kept gate is always 1, so no gradient reaches the gate: leave it"
                " as it was, as Switch does."
            ),
            (
                "divide one gate by itself and it is 1, however sure the gate was. A constant has"
                " no gradient, so `W_g` never learns whom to ask. With two kept gates their shares"
                " can move."
            ),
        ),
        (
            (
                "With one expert kept, the squared error has no gradient for the experts, so they"
                " have to be trained before the gate is."
            ),
            (
                "The kept expert's answer is the output, so the error reaches it as in any network."
                " It is another part that gets no gradient."
            ),
        ),
        (
            (
                "One kept expert is always the same one, so the others never learn: draw the expert"
                " at random, and do so for every token."
            ),
            (
                "Which expert is best depends on the token. Dead experts do happen, but here"
                " something fails even when all are asked."
            ),
        ),
        (
            (
                "The gate cannot be trained with a squared error at all: only the likelihood of the"
                " mixture has a gradient for its logits."
            ),
            (
                "With a blend of several experts the squared error trains the gate as well: its"
                " gradient is δ G_e (F_e − ŷ). What is special about one?"
            ),
        ),
    ],
    right="A",
    minutes=5,
    difficulty=2,
)

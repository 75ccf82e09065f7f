"""The exercise `note_09`."""

from course_utils.diagnosis.exercise import Reading

EXERCISE = Reading(
    "note_09",
    (
        "A lecture note says: “The cheapest mixture keeps only the best expert. Renormalise its"
        " gate as always, and train gate and experts with the squared error.” Which sentence"
        " corrects it?"
    ),
    [
        (
            (
                "A single renormalised gate is always 1, so no gradient reaches it: keep its old"
                " value, as Switch does."
            ),
            (
                "one gate divided by itself is 1, large or small. A constant has no"
                " gradient, so `W_g` never learns which expert to ask. With two kept gates, the"
                " shares can change."
            ),
        ),
        (
            (
                "With one kept expert, the squared error has no gradient for the experts, so train"
                " the experts before the gate."
            ),
            (
                "The kept expert's answer is the output, so the error reaches it as in any"
                " network. Another part gets no gradient."
            ),
        ),
        (
            (
                "The one kept expert is always the same, so the others never learn: choose an"
                " expert at random for every token."
            ),
            (
                "The best expert depends on the token. There can be dead experts. But here the"
                " gate does not learn, even if every expert gets tokens."
            ),
        ),
        (
            (
                "The gate cannot learn from a squared error: only the likelihood of the mixture"
                " has a gradient for its logits."
            ),
            (
                "With a blend of several experts, the squared error trains the gate as well: its"
                " gradient is δ G_e (F_e − ŷ). What is different with one expert?"
            ),
        ),
    ],
    right="A",
    minutes=5,
    difficulty=2,
)

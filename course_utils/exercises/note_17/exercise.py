"""The exercise `note_17`."""

from course_utils.diagnosis.exercise import Reading

EXERCISE = Reading(
    "note_17",
    "A lecture note says: “Our reward model agrees with people on nine of ten fresh pairs. So the"
    " more a model is trained on this reward, the better people like what it writes.” Which"
    " sentence mends it?",
    [
        (
            (
                "Nine of ten is too few: a reward that agreed on all pairs of the first model's"
                " texts could be followed without end."
            ),
            (
                "Such pairs are texts that the first model writes. Training leads to texts that it"
                " hardly ever wrote, and no pair says anything of those."
            ),
        ),
        (
            (
                "It was measured on texts of the first model. Training leads to others, on which"
                " nobody has compared it."
            ),
            (
                "so the reward goes on rising while what was wanted falls, unless a leash holds the"
                " model near the texts that were compared."
            ),
        ),
        (
            (
                "The training should be stopped as soon as the reward stops rising: from then on,"
                " what people like falls."
            ),
            (
                "The reward is what is trained: it rises all the time. What people like turns round"
                " long before."
            ),
        ),
        (
            (
                "A model trained by rewards forgets its grammar: rewards should be used for facts"
                " only, preferences for style."
            ),
            "No: with a reward that says exactly which texts keep the rules, more texts keep them.",
        ),
    ],
    right="B",
    minutes=3,
    difficulty=2,
)

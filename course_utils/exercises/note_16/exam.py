"""`note_16` with other numbers: the answer follows from the same idea."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Choice, shuffled, why


def variant(rng: Generator) -> Choice:
    before = int(rng.integers(120, 190))
    needed, enough = (bool(b) for b in rng.integers(2, size=2))
    silenced = int(before * rng.uniform(0.05, 0.2) if needed else before * rng.uniform(0.93, 0.99))
    alone = int(before * rng.uniform(0.85, 0.97) if enough else before * rng.uniform(0.02, 0.12))
    other = int(before * rng.uniform(0.95, 0.99))
    said = {
        (
            a,
            b,
        ): (
            f"For these words the head is {'needed' if a else 'not needed'}, and"
            f" {'enough' if b else 'not enough'}."
        )
        for a in (True, False)
        for b in (True, False)
    }
    return shuffled(
        rng,
        f"Of the words of a second copy a model predicts {before}. With one head silenced,"
        f" {silenced}; with another head of that layer silenced, on average {other}. With all other"
        f" heads of all layers silenced, {alone}. Which sentence do the counts bear out?",
        said.pop((needed, enough)),
        said.values(),
        minutes=3,
        points=2,
    )


WHY = [
    why(
        "A head gives a word a large weight. Why does silencing the head say more than the weight "
        "about what the head does?",
        [
            "A weight says where a head looks, not whether anything depends on it.",
            "Silencing it changes what the model says, and this change can be measured.",
            "If nothing changes, other heads may do the same work: it needs a comparison.",
        ],
        "A weight says where the head looks. Whether the model's answer depends on it is another "
        "question. Silencing the head shows how much the answer changes. If it hardly changes, "
        "others may do the same work, so one compares with other heads silenced.",
    ),
]

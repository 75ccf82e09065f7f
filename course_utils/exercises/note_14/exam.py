"""`note_14` with other numbers: the answer follows from the same idea."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, why


def variant(rng: Generator) -> Numbers:
    H_kv, group = int(rng.choice([2, 3, 4, 8])), int(rng.choice([2, 3, 4]))
    T, d = int(rng.integers(100, 2000)), int(rng.choice([32, 64, 80, 128]))
    return Numbers(
        f"A layer has {H_kv * group} heads of queries and {H_kv} of keys and values, {d} features"
        f" each. How many scores does it compute for one new token that sees {T} tokens? How many"
        f" numbers does its cache hold for {T} tokens? And how many of both if every head had its"
        " own keys and values? Four numbers.",
        [H_kv * group * T, 2 * H_kv * T * d, H_kv * group * T, 2 * H_kv * group * T * d],
        minutes=5,
        points=4,
    )


WHY = [
    why(
        "Grouped queries make the cache smaller, but not the number of scores. Why?",
        [
            "The cache holds keys and values, of H_kv heads instead of H.",
            "Every head of queries still has scores of its own, with the keys of its group.",
            "Heads of a group share keys and values, and differ in their queries alone.",
        ],
        "The cache holds keys and values, and there are H_kv heads of them instead of H. But all "
        "H heads of queries still make scores of their own, with the keys that their group "
        "shares.",
    ),
    why(
        "Weights kept in four bits have a step for every block of some dozens of them, and not "
        "one for the whole matrix. Why?",
        [
            "Four bits give 16 levels, a step apart.",
            "The step has to be large enough for the largest weight that it serves.",
            (
                "With one step, a single large weight makes all others coarse; with blocks only"
                " those of its own."
            ),
        ],
        "Four bits give 16 levels, and the step between them must be large enough for the largest "
        "weight. With one step for a matrix a single large weight would make all others coarse. "
        "With a step a block it spoils only its own block.",
    ),
]

"""`nearest_words` with a twist: a rule that the exercise did not have. The kept function, pasted,
is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    c = drawn(rng, 0.3, 1.6)
    return Code(
        "An analogy: `a`, `b`, `c` are numbers of rows. Give the `k` rows with the largest cosine"
        f" to x_b − {c} x_a + x_c, the best first, without the three themselves. `vectors` (n, D)."
        " Returns k row numbers.",
        "def answer(a, b, c, vectors, k):\n"
        f"    aim = vectors[b] - {c} * vectors[a] + vectors[c]\n"
        "    order = np.argsort(-(vectors @ aim) / np.linalg.norm(vectors, axis=1))\n"
        "    return order[~np.isin(order, [a, b, c])][:k]",
        (
            (2, 0, 4, rng.normal(size=(9, 4)), 3),
            (7, 3, 1, rng.normal(size=(40, 3)), 37),
            (1, 5, 0, rng.normal(size=(6, 6)) * rng.uniform(0.2, 3, size=(6, 1)), 2),
        ),
        minutes=8,
        points=5,
    )

"""`row_sums` with a twist: a rule that the exercise did not have. The kept function, pasted, is wrong."""

from course_utils.diagnosis.questions import Code, drawn


def variant(rng):
    least = drawn(rng, 0.2, 4)
    return Code(f"`A` (n, m), positive numbers. Give the sum of each row, but count only the numbers above {least}; a row without any has 0. "
                "Returns (n,).",
                f"def answer(A):\n    return np.where(A > {least}, A, 0).sum(axis=1)",
                tuple((rng.uniform(0, 6, size=s),) for s in [(3, 3), (4, 6), (5, 2)]),
                minutes=5, points=3)

"""`which_root_03` with other numbers: the answer follows from the same idea."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers


def variant(rng: Generator) -> Numbers:
    d_k = int(rng.integers(10, 400))
    line = str(
        rng.choice(
            [
                "scores / d_k ** 1/4",
                "scores / 2 * d_k ** 0.5",
                "scores * d_k ** -1/2",
                "scores / d_k * d_k ** 0.5",
                "scores / (d_k ** 1/2)",
                "scores / d_k ** 1/3",
            ]
        )
    )
    return Numbers(
        f"`d_k` is {d_k}. By which number does the line `{line}` divide the scores?",
        1 / eval(line, {"scores": 1.0, "d_k": d_k}),
        2,
        minutes=3,
        points=2,
    )

"""`kv_cache_step` with a twist: a rule that the exercise did not have. The kept function, pasted,
is wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    window, tau = int(rng.integers(2, 7)), drawn(rng, 0.3, 3)
    return Code(
        "A cache with a window: the new token's key and value enter, and of the cache only the"
        f" newest {window} rows stay, the new one among them; only these are attended to, with"
        f" scores divided by {tau} √d. `q`, `k` (d,), `v` (d_v,), `K` (t, d), `V` (t, d_v). Returns"
        " output, K, V.",
        f"def answer(q, k, v, K, V):\n    K, V = np.vstack([K, k])[-{window}:], np.vstack([V,"
        f" v])[-{window}:]\n    return attention.softmax(K @ q / np.sqrt(len(q)) / {tau}) @ V,"
        " K, V",
        (
            normal(rng, (3,), (3,), (2,), (9, 3), (9, 2)),
            normal(rng, (4,), (4,), (4,), (7, 4), (7, 4)),
            normal(rng, (3,), (3,), (2,), (1, 3), (1, 2)),
        ),
        minutes=7,
        points=4,
    )

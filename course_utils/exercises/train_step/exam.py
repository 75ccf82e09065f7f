"""`train_step` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    share = drawn(rng, 0.04, 0.4)
    return Code(
        f"The targets are smoothed: the right word has probability {1 - share:.3f}, and {share} is"
        " spread evenly over all words, the right one included. The loss is the mean"
        " cross-entropy. `Y` (n, D), `words` (n,) the numbers of the right words, `W` (D,"
        " n_vocab). Returns loss, dW.",
        "def answer(Y, words, W):\n"
        "    P = attention.softmax(Y @ W)\n"
        f"    target = {1 - share:.3f} * np.eye(W.shape[1])[words] + {share} / W.shape[1]\n"
        "    return -(target * np.log(P)).sum(axis=1).mean(), Y.T @ (P - target) / len(Y)",
        tuple(
            (rng.normal(size=(n, d)), rng.integers(v, size=n), rng.normal(size=(d, v)))
            for n, d, v in [(6, 3, 5), (4, 4, 4), (1, 2, 7)]
        ),
        minutes=10,
        points=6,
    )

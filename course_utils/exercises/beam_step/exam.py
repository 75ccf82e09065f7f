"""`beam_step` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.questions import Code, drawn


def variant(rng: Generator) -> Code:
    fine = drawn(rng, 0.5, 3)
    return Code(
        f"One step of beam search that fines repetition: a text loses {fine} where its next token"
        " is its own last one. `totals` (n,), `log_probs` (n, n_vocab), `last` (n,), whole"
        " numbers, and `beam_width`. Returns parents, tokens, new totals, the best first.",
        "def answer(totals, log_probs, last, beam_width):\n    longer = totals[:, None] +"
        f" log_probs - {fine} * (np.arange(log_probs.shape[1]) == last[:, None])\n    best ="
        " np.argsort(-longer, axis=None)[:beam_width]\n    parents, tokens = np.divmod(best,"
        " longer.shape[1])\n    return parents, tokens, longer.ravel()[best]",
        tuple(
            (
                np.log(rng.uniform(0.2, 0.6, size=n)),
                log_probs := np.log(softmax(2 * rng.normal(size=(n, m)))),
                log_probs.argmax(axis=1),
                width,
            )
            for n, m, width in [(3, 5, 4), (4, 4, 2), (2, 6, 12)]
        ),
        minutes=11,
        points=7,
    )

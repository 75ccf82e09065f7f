"""`logit_lens` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code, drawn
from course_utils.exercises.drawing import normal


def variant(rng: Generator) -> Code:
    c = drawn(rng, 0.4, 5)
    return Code(
        "How sure is a state of a word? After the norm x / √(mean(x²)) · γ and the head, divide"
        f" the scores by {c}; give log P of `token` minus that of the likeliest *other* word, for"
        " each state. `states` (n, D), `gamma` (D,), `W_out` (D, n_vocab), `token` a number."
        " Returns (n,).",
        "def answer(states, gamma, W_out, token):\n"
        f"    scores = layers.rms_norm(states, gamma, eps=0) @ W_out / {c}\n"
        "    return scores[:, token] - np.delete(scores, token, axis=1).max(axis=1)",
        ((*normal(rng, (5, 7), (7,), (7, 11)), 3), (*normal(rng, (6, 6), (6,), (6, 6)), 1)),
        minutes=7,
        points=4,
    )

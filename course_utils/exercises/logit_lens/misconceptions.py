"""Known misconceptions of `logit_lens`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.attention import softmax
from course_utils.exercises.logit_lens.exercise import _ranks, logit_lens
from course_utils.layers import layer_norm, rms_norm


def word_at_a_rank(states, gamma, eps, W_out, token):
    return np.argsort(-(rms_norm(states, gamma, eps) @ W_out), axis=1)[:, token]


TABLE = [
    (
        "γ left out, counted from 0",
        "_ranks(states @ W_out, token) - 1",
        (
            "Two things. Each state goes to the head without the norm's γ. And the likeliest word"
            " has rank 1, not 0."
        ),
    ),
    (
        "γ left out",
        "_ranks(states @ W_out, token)",
        (
            "Each state goes to the head without the norm's γ, which stretches every feature by its"
            " own factor. The length alone would not change an order."
        ),
        {"unused_arguments": "gamma"},
    ),
    (
        "a layer norm",
        "_ranks(layer_norm(states, gamma, None, eps) @ W_out, token)",
        "This model's norm subtracts no mean: it divides by the root of the mean square.",
    ),
    (
        "normed over the states",
        "_ranks(states / np.sqrt((states**2).mean(axis=0) + eps) * gamma @ W_out, token)",
        "Each state has a norm of its own. Yours goes down the columns, over all states.",
    ),
    (
        "counted from 0",
        "logit_lens(states, gamma, eps, W_out, token) - 1",
        "The likeliest word has rank 1: nobody is before it, and it counts itself.",
    ),
    (
        "as high counted as higher",
        """
scores = rms_norm(states, gamma, eps) @ W_out
return (scores >= scores[:, [token]]).sum(axis=1)
""",
        (
            "A word with the same score does not stand before it: rank 1 says that no word has a "
            "*higher* score. `>=` counts the word itself, and whoever is as high."
        ),
    ),
    (
        "as high counted as higher, and 1 added",
        """
scores = rms_norm(states, gamma, eps) @ W_out
return (scores >= scores[:, [token]]).sum(axis=1) + 1
""",
        (
            "The word itself was counted with whoever is as high, and once more with the 1: rank 1"
            " never comes. Which words stand before it?"
        ),
    ),
    (
        "counted twice",
        "logit_lens(states, gamma, eps, W_out, token) + 1",
        "The word itself was counted, and then once more.",
    ),
    (
        "from the lowest",
        "_ranks(-rms_norm(states, gamma, eps) @ W_out, token)",
        "Rank 1 is the highest score. Yours counts the words that are less likely.",
    ),
    (
        "the likeliest words",
        "(rms_norm(states, gamma, eps) @ W_out).argmax(axis=1)",
        "These are the numbers of the words that lead. Asked is where one word, `token`, stands.",
        {"unused_arguments": "token"},
    ),
    (
        "the word at a rank",
        word_at_a_rank,
        (
            "argsort says which word stands at each rank. Yours looks up the word at rank `token`; "
            "asked is the rank of word `token`."
        ),
    ),
    (
        "the word at a rank, from 1",
        "word_at_a_rank(states, gamma, eps, W_out, token) + 1",
        "argsort says which word stands at each rank. Asked is the rank of word `token`.",
    ),
    (
        "the score instead of the rank",
        "(rms_norm(states, gamma, eps) @ W_out)[:, token]",
        (
            "These are scores. They grow with the norm and say little by themselves: where does the"
            " word stand among all?"
        ),
    ),
    (
        "the probability instead of the rank",
        "softmax(rms_norm(states, gamma, eps) @ W_out)[:, token]",
        (
            "These are probabilities. In early blocks all are tiny; where does the word stand among"
            " all?"
        ),
    ),
    (
        "ranked among the states",
        """
own = (rms_norm(states, gamma, eps) @ W_out)[:, token]
return (own > own[:, None]).sum(axis=1) + 1
""",
        (
            "A state is compared with the other states here. Compare words with each other, within"
            " one state."
        ),
    ),
    (
        "the last state alone",
        "logit_lens(states, gamma, eps, W_out, token)[-1]",
        "One number came back. The lens looks at every state.",
    ),
    (
        "the first state's score for all",
        """
scores = rms_norm(states, gamma, eps) @ W_out
return (scores > scores[0, token]).sum(axis=1) + 1
""",
        "Each state has its own score of the word to beat.",
    ),
    (
        "W_out turned over",
        "_ranks(rms_norm(states, gamma, eps) @ W_out.T, token)",
        "A column of `W_out` belongs to a word, a row to a feature.",
    ),
    (
        "γ added",
        "_ranks((rms_norm(states, None, eps) + gamma) @ W_out, token)",
        "γ stretches each feature: it is a factor.",
    ),
    (
        "the norm after the head",
        "_ranks(rms_norm(states @ W_out, gamma, eps), token)",
        "The norm comes before the head: it has a γ for each feature, not for each word.",
    ),
]

"""Known misconceptions of `mean_pooling`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.exercises.mean_pooling.exercise import IN_FRONT, mean_pooling
from course_utils.exercises.nearest_words.misconceptions import _unit

TABLE = [
    (
        "padding counted",
        "states.mean(axis=1)",
        "The padding is no part of the sentence. Here it is averaged in.",
    ),
    (
        "divided by T",
        "(states * mask[..., None]).mean(axis=1)",
        "The padding adds nothing, but it still counts: divide by the number of real tokens.",
    ),
    (
        "summed, not averaged",
        "(states * mask[..., None]).sum(axis=1)",
        "Longer sentences get longer vectors here. A mean divides by how many tokens there are.",
    ),
    (
        "the padding instead of the sentence",
        (
            "(states * ~mask[..., None]).sum(axis=1) / np.maximum((~mask).sum(axis=1,"
            " keepdims=True), 1)"
        ),
        "True marks a real token. Here the others are averaged.",
    ),
    (
        "the first token only",
        "states[:, 0]",
        (
            "Some models take the first token for the sentence. Here the mean of all of them is"
            " asked for."
        ),
    ),
    (
        "over the batch",
        "(states * mask[..., None]).sum(axis=0) / mask.sum(axis=0)[:, None]",
        (
            "The sentences of a batch have nothing to do with each other. The mean goes over the "
            "tokens of one."
        ),
    ),
    (
        "the maximum",
        "np.where(mask[..., None], states, -np.inf).max(axis=1)",
        "That is another pooling: the largest value of each feature. A mean is asked for.",
    ),
    (
        "one count for the batch",
        "(states * mask[..., None]).sum(axis=1) / mask.sum(axis=1).max()",
        "Each sentence has its own number of real tokens.",
    ),
    (
        "keepdims forgotten",
        "(states * mask[..., None]).sum(axis=1) / mask.sum(axis=1)",
        (
            "There is one count for each sentence, and they were laid along the features. They"
            " should stand as a column."
        ),
    ),
    (
        "all sentences counted together",
        "(states * mask[..., None]).sum(axis=1) / mask.sum()",
        "This counts the real tokens of the whole batch. Count along axis 1.",
    ),
    (
        "scaled to length 1",
        "_unit(mean_pooling(states, mask))",
        "That comes after. The plain mean is asked for.",
    ),
    (
        "the first n tokens",
        (
            "np.stack([sentence[:row.sum()].mean(axis=0) for sentence, row in zip(states, mask,"
            " strict=True)])"
        ),
        (
            "The number of real tokens is right, but not which they are: padding may stand in"
            " front. The mask says where."
        ),
        {"trap": IN_FRONT},
    ),
    (
        "no new axis for the mask",
        "(states * mask).sum(axis=1) / mask.sum(axis=1, keepdims=True)",
        (
            "NumPy lines shapes up from the right: the mask met tokens and features instead of "
            "sentences and tokens. It needs one more axis."
        ),
    ),
    (
        "no new axis for the mask, nor for the counts",
        "(states * mask).sum(axis=1) / mask.sum(axis=1)",
        (
            "NumPy lines shapes up from the right: the mask met tokens and features, and the counts"
            " met the features. Each needs one more axis."
        ),
    ),
    (
        "counted over the sentences",
        "(states * mask[..., None]).sum(axis=1) / mask.sum(axis=0)",
        "This counts how many sentences reach each place. Count the real tokens of each sentence.",
    ),
    (
        "the padding's sum over the sentence's count",
        "(states * ~mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)",
        "True marks a real token. The count is right, but what was added up is the padding.",
    ),
    (
        "the mask on the features",
        "(states * mask[:, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)",
        (
            "The mask switches off features here. It says which tokens are real: its new axis"
            " belongs at the end."
        ),
    ),
    (
        "one mean for the whole batch",
        "states[mask].mean(axis=0)",
        (
            "The real tokens of all sentences were averaged together. Each sentence has a mean of"
            " its own."
        ),
    ),
    (
        "over the features",
        "(states * mask[..., None]).mean(axis=2)",
        (
            "The features of each token were averaged. The tokens are what is averaged; the"
            " features stay."
        ),
    ),
    (
        "the last token only",
        "states[:, -1]",
        (
            "Some models take the last token for the text. Here the mean of all real ones is asked"
            " for."
        ),
    ),
    (
        "the last real token",
        "states[np.arange(len(states)), mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)]",
        (
            "Some models take the last token for the text. Here the mean of all real ones is asked"
            " for."
        ),
    ),
    (
        "padding in the sum",
        "states.sum(axis=1) / mask.sum(axis=1, keepdims=True)",
        "The count is right: only real tokens. The sum takes the padding in as well.",
    ),
    (
        "count of the padding",
        "(states * mask[..., None]).sum(axis=1) / (~mask).sum(axis=1, keepdims=True)",
        "The sum is right. It is divided by how many tokens are padding.",
    ),
    (
        "only masked",
        "states * mask[..., None]",
        "The padding is 0 now. The mean over the tokens is still to be taken.",
    ),
    (
        "counted over the sentences, as a column",
        "(states * mask[..., None]).sum(axis=1) / mask.sum(axis=0)[:, None]",
        "This counts how many sentences reach each place. Count the real tokens of each sentence.",
    ),
    (
        "features summed instead of tokens",
        "(states * mask[..., None]).sum(axis=2) / mask.sum(axis=1, keepdims=True)",
        (
            "The features of each token were added up. The tokens are what is averaged; the"
            " features stay."
        ),
    ),
    (
        "stops at the first padding",
        """
means = np.zeros((states.shape[0], states.shape[2]))
for b, row in enumerate(mask):
    n = len(row) if row.all() else row.argmin()
    means[b] = states[b, :n].sum(axis=0) / n
return means
""",
        (
            "The loop ends where padding stands, and padding may stand in front. Each token has to"
            " be asked whether it is real."
        ),
        {"trap": IN_FRONT},
    ),
    (
        "softmax of the mask",
        """
e = np.exp(mask.astype(float))
return (states * (e / e.sum(axis=1, keepdims=True))[..., None]).sum(axis=1)
""",
        (
            "exp(0) is 1, so softmax gives the padding a share. A mean of the real tokens gives it "
            "none."
        ),
    ),
    (
        "divided by the number of features",
        "(states * mask[..., None]).sum(axis=1) / states.shape[2]",
        (
            "The sum is right. It is divided by how many features there are, not by how many real "
            "tokens."
        ),
    ),
    (
        "divided by the number of sentences",
        "(states * mask[..., None]).sum(axis=1) / len(states)",
        (
            "The sum is right. It is divided by how many sentences there are, not by how many real "
            "tokens."
        ),
    ),
    (
        "one token too many counted",
        "(states * mask[..., None]).sum(axis=1) / (mask.sum(axis=1, keepdims=True) + 1)",
        "The sum is right. It is divided by one more than there are real tokens.",
    ),
    (
        "averaged over tokens, then divided once more",
        "(states * mask[..., None]).mean(axis=1) / mask.sum(axis=1, keepdims=True)",
        (
            "The mean over all tokens was divided by the count of the real ones. One division is "
            "enough: of the sum."
        ),
    ),
    (
        "every sentence's mask on every sentence",
        "mask @ states / mask.sum(axis=1, keepdims=True)",
        (
            "The product of mask and states pairs all sentences with each other. Each sentence has"
            " its own mask."
        ),
    ),
    (
        "the mask transposed, as a matrix",
        "mask.T @ states / mask.sum(axis=1)[:, None]",
        (
            "The mask was turned and multiplied as a matrix, so places of one sentence meet places"
            " of another. It marks tokens: number by number."
        ),
    ),
    (
        "tokens and features averaged",
        "np.array([sentence[row].mean() for sentence, row in zip(states, mask, strict=True)])",
        (
            "One number a sentence is left. The tokens of a sentence are what is averaged; the "
            "features stay."
        ),
    ),
    (
        "what is not 0 counted",
        """
real = states * mask[..., None]
return real.sum(axis=1) / (real != 0).sum(axis=1)
""",
        (
            "The divisor counts numbers that are not 0. A real token may have a 0: who knows how"
            " many tokens are real?"
        ),
    ),
]

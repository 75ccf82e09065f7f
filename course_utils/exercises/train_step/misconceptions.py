"""Known misconceptions of `train_step`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.attention import softmax
from course_utils.exercises.train_step.exercise import _loss_and_slope, train_step


def all_answers(Y, answer, W, learning_rate):
    return -np.log(softmax(Y @ W)[:, answer]).mean(), train_step(Y, answer, W, learning_rate)[1]


def all_answers_in_the_slope(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    P[:, answer] -= 1
    return _loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ P / len(Y)


def scores_as_probabilities(Y, answer, W, learning_rate):
    scores = Y @ W
    right = np.eye(W.shape[1])[answer]
    return -np.log(scores[right == 1]).mean(), W - learning_rate * Y.T @ (scores - right) / len(Y)


def losses(Y, answer, W, learning_rate):
    return (
        -np.log(softmax(Y @ W)[np.arange(len(Y)), answer]),
        train_step(Y, answer, W, learning_rate)[1],
    )


TABLE = [
    (
        "uphill",
        """
loss, slope = _loss_and_slope(Y, answer, W)
return loss, W + learning_rate * slope
""",
        "The gradient shows where the loss grows. The matrix went along with it.",
    ),
    (
        "summed, not averaged",
        """
loss, slope = _loss_and_slope(Y, answer, W)
return loss, W - learning_rate * slope * len(Y)
""",
        (
            "The loss is a mean over the rows, so its gradient is one, too. Yours grows with the "
            "number of rows."
        ),
    ),
    (
        "both summed",
        """
loss, slope = _loss_and_slope(Y, answer, W)
return loss * len(Y), W - learning_rate * slope * len(Y)
""",
        (
            "The loss is a mean over the rows, and so is its gradient. Yours add up: they grow with"
            " the number of rows."
        ),
    ),
    (
        "the loss summed",
        """
loss, new = train_step(Y, answer, W, learning_rate)
return loss * len(Y), new
""",
        "The matrix is right. The loss is a mean over the rows, and yours is their sum.",
    ),
    (
        "everybody's answers",
        all_answers,
        (
            "The matrix is right. But each row has one right word, and your loss takes the answers"
            " of all rows from each row."
        ),
    ),
    (
        "the answers forgotten",
        """
loss, _ = _loss_and_slope(Y, answer, W)
return loss, W - learning_rate * Y.T @ softmax(Y @ W) / len(Y)
""",
        (
            "The matrix moves by the probabilities alone, whatever word was right. The slope at the"
            " scores compares them with the right answer."
        ),
    ),
    (
        "softmax over the wrong axis",
        """
P = softmax(Y @ W, axis=0)
right = np.eye(W.shape[1])[answer]
return -np.log(P[right == 1]).mean(), W - learning_rate * Y.T @ (P - right) / len(Y)
""",
        "Each row is one place of a text, and its probabilities sum to 1 over the vocabulary.",
    ),
    (
        "the learning rate forgotten",
        """
loss, slope = _loss_and_slope(Y, answer, W)
return loss, W - slope
""",
        "The matrix moves by the whole gradient. How far it moves is the learning rate's to say.",
        {"unused_arguments": "learning_rate"},
    ),
    (
        "the sign of the loss",
        """
loss, new = train_step(Y, answer, W, learning_rate)
return -loss, new
""",
        "The matrix is right. But −log p is never negative, and your loss is.",
    ),
    (
        "a probability instead of a surprise",
        """
P = softmax(Y @ W)
return P[np.arange(len(Y)), answer].mean(), train_step(Y, answer, W, learning_rate)[1]
""",
        (
            "The matrix is right. The loss is the mean of a logarithm of the right answers' "
            "probabilities."
        ),
    ),
    (
        "the logarithm of the mean",
        """
P = softmax(Y @ W)
return -np.log(P[np.arange(len(Y)), answer].mean()), train_step(Y, answer, W, learning_rate)[1]
""",
        ("The matrix is right. The loss is the mean of all −log p; yours is −log of the mean p."),
    ),
    (
        "the loss after the step",
        """
new = train_step(Y, answer, W, learning_rate)[1]
return _loss_and_slope(Y, answer, new)[0], new
""",
        (
            "The matrix is right. The loss asked for is the one before it moved, to which the"
            " gradient belongs."
        ),
    ),
    (
        "the gradient instead of the matrix",
        "_loss_and_slope(Y, answer, W)",
        "The loss is right. The second result should be the matrix after its step.",
    ),
    (
        "everybody's answers in the gradient",
        all_answers_in_the_slope,
        (
            "The loss is right. But each row has one right word, and the 1 was taken from the"
            " answers of all rows in every row."
        ),
    ),
    (
        "everybody's answers in both",
        (
            "all_answers(Y, answer, W, learning_rate)[0], all_answers_in_the_slope(Y, answer, W,"
            " learning_rate)[1]"
        ),
        (
            "Each row has one right word. Your numbers of columns apply to every row: rows and"
            " columns must be named in pairs."
        ),
    ),
    (
        "the word's number subtracted",
        (
            "_loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ (softmax(Y @ W) -"
            " answer[:, None]) / len(Y)"
        ),
        (
            "The number of a word is only its name. The slope compares the probabilities with 1 at"
            " the right word and 0 elsewhere."
        ),
    ),
    (
        "softmax missing",
        scores_as_probabilities,
        (
            "The scores are used as if they were probabilities, in the loss and in the slope. What "
            "makes probabilities of them?"
        ),
    ),
    (
        "softmax missing in the gradient",
        (
            "_loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ (Y @ W -"
            " np.eye(W.shape[1])[answer]) / len(Y)"
        ),
        (
            "The loss is right. The slope compares the scores with the answer; it should compare"
            " the probabilities."
        ),
    ),
    (
        "exponentials not divided",
        """
e = np.exp(Y @ W)
right = np.eye(W.shape[1])[answer]
return -np.log(e[right == 1]).mean(), W - learning_rate * Y.T @ (e - right) / len(Y)
""",
        "exp makes the scores positive. Probabilities of a row sum to 1 as well.",
    ),
    (
        "Y not transposed",
        (
            "_loss_and_slope(Y, answer, W)[0], W - learning_rate * Y @ (softmax(Y @ W) -"
            " np.eye(W.shape[1])[answer]) / len(Y)"
        ),
        (
            "Each number of W meets a column of Y and a column of the slopes. Which shape has Y to "
            "have for that product?"
        ),
    ),
    (
        "divided by the number of words",
        """
loss, slope = _loss_and_slope(Y, answer, W)
return loss, W - learning_rate * slope * len(Y) / W.shape[1]
""",
        (
            "The loss is a mean over the rows: it is divided by how many rows there are, not by how"
            " many words."
        ),
    ),
    (
        "the surprise of all words",
        "-np.log(softmax(Y @ W)).mean(), train_step(Y, answer, W, learning_rate)[1]",
        (
            "The matrix is right. The loss asks only for the word that came, not for all that might"
            " have come."
        ),
    ),
    (
        "squared error",
        (
            "((softmax(Y @ W) - np.eye(W.shape[1])[answer]) ** 2).mean(), train_step(Y, answer, W,"
            " learning_rate)[1]"
        ),
        "The matrix is right. The loss is −log p of the right word, not a squared distance.",
    ),
    (
        "another base of the logarithm",
        """
loss, new = train_step(Y, answer, W, learning_rate)
return loss / np.log(2), new
""",
        "The matrix is right. But the loss takes the natural logarithm.",
    ),
    (
        "softmax missing, the gradient summed",
        """
loss, new = scores_as_probabilities(Y, answer, W, learning_rate)
return loss, W + (new - W) * len(Y)
""",
        (
            "The scores are used as if they were probabilities. And the loss is a mean over the"
            " rows, so its slope is one, too."
        ),
    ),
    (
        "1 taken from all words",
        "_loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ (softmax(Y @ W) - 1) / len(Y)",
        (
            "The loss is right. A 1 was taken from every probability: only the right word of each"
            " row has one to compare with."
        ),
    ),
    (
        "matrix before loss",
        "train_step(Y, answer, W, learning_rate)[::-1]",
        "First the loss, then the matrix.",
    ),
    (
        "the matrix not moved",
        "_loss_and_slope(Y, answer, W)[0], W",
        "The loss is right. The matrix came back as it was.",
    ),
    (
        "only the right word moved",
        """
P, right = softmax(Y @ W), np.eye(W.shape[1])[answer]
return _loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ ((P - 1) * right) / len(Y)
""",
        (
            "The loss is right. The right words rise, but no other word falls: each falls by as"
            " much as it was believed."
        ),
    ),
    (
        "divided by the rows and by the words",
        """
loss, slope = _loss_and_slope(Y, answer, W)
return loss, W - learning_rate * slope / W.shape[1]
""",
        (
            "The loss is a mean over the rows: its slope is divided by how many rows there are."
            " Yours is divided by the words as well, as a mean over all entries is."
        ),
    ),
    (
        "divided by the number of features",
        """
loss, slope = _loss_and_slope(Y, answer, W)
return loss, W - learning_rate * slope * len(Y) / len(W)
""",
        (
            "The loss is a mean over the rows: it is divided by how many rows there are, not by how"
            " many features."
        ),
    ),
    (
        "slope transposed",
        """
loss, slope = _loss_and_slope(Y, answer, W)
dW = slope.T
return loss, W - learning_rate * dW
""",
        "The slope has a row for each word. It should have the shape of W: a row for each feature.",
    ),
    (
        "one-hot rows as long as the text",
        """
P = softmax(Y @ W)
right = np.eye(len(answer))[answer]
loss = -np.log((P * right).sum(axis=1)).mean()
return loss, W - learning_rate * Y.T @ (P - right) / len(Y)
""",
        (
            "The rows with a single 1 are as long as the text. There is a place in them for each"
            " word of the vocabulary."
        ),
    ),
    (
        "the surprise of the likeliest word",
        "-np.log(softmax(Y @ W).max(axis=1)).mean(), train_step(Y, answer, W, learning_rate)[1]",
        "The matrix is right. The loss asks for the word that came, whether it was likely or not.",
    ),
    (
        "the probabilities changed before the loss",
        """
P, rows = softmax(Y @ W), np.arange(len(Y))
slope = P
slope[rows, answer] -= 1
return -np.log(P[rows, answer]).mean(), W - learning_rate * Y.T @ slope / len(Y)
""",
        (
            "The matrix is right. But the 1 was taken from the probabilities themselves, and the"
            " loss came after: it sees p - 1. Two names for one table, or the order?"
        ),
    ),
    (
        "the likeliest word as the right one",
        """
P = softmax(Y @ W)
believed = np.eye(W.shape[1])[P.argmax(axis=1)]
return _loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ (P - believed) / len(Y)
""",
        (
            "The loss is right. The slope compares the probabilities with the likeliest word"
            " instead of the one that came."
        ),
    ),
    (
        "the step instead of the matrix",
        """
loss, slope = _loss_and_slope(Y, answer, W)
return loss, learning_rate * slope
""",
        "The loss is right. The second result is the step alone. The matrix after it is asked for.",
    ),
    (
        "the step downhill instead of the matrix",
        """
loss, slope = _loss_and_slope(Y, answer, W)
return loss, -learning_rate * slope
""",
        "The loss is right. The second result is the step alone. The matrix after it is asked for.",
    ),
    (
        "the matrix stretched",
        """
loss, slope = _loss_and_slope(Y, answer, W)
return loss, (W - slope) * learning_rate
""",
        "The whole matrix is multiplied, rather than moved by the gradient: mind the brackets.",
    ),
    (
        "the perplexity",
        """
loss, new = train_step(Y, answer, W, learning_rate)
return np.exp(loss), new
""",
        "The matrix is right. The loss is the mean of −log p itself; exp of it is the perplexity.",
    ),
    (
        "the entropy",
        """
P = softmax(Y @ W)
return -(P * np.log(P)).sum(axis=1).mean(), train_step(Y, answer, W, learning_rate)[1]
""",
        (
            "The matrix is right. This is the loss that the model itself expects. The loss asks"
            " for the word that came."
        ),
    ),
    (
        "the surprise of not coming",
        """
P = softmax(Y @ W)
return -np.log(1 - P[np.arange(len(Y)), answer]).mean(), train_step(Y, answer, W, learning_rate)[1]
""",
        (
            "The matrix is right. This is the loss if the right word had not come: it is p itself"
            " that goes through the logarithm."
        ),
    ),
    (
        "the first row's loss",
        "losses(Y, answer, W, learning_rate)[0][0], train_step(Y, answer, W, learning_rate)[1]",
        (
            "The matrix is right. The loss is that of the first place alone: it is a mean over all"
            " of them."
        ),
    ),
    (
        "1 minus the probability",
        """
P = softmax(Y @ W)
return (1 - P[np.arange(len(Y)), answer]).mean(), train_step(Y, answer, W, learning_rate)[1]
""",
        "The matrix is right. The loss is a logarithm: being sure and wrong costs far more than 1.",
    ),
    (
        "loss forgotten",
        "0.0, train_step(Y, answer, W, learning_rate)[1]",
        "The matrix is right. The first result, the loss, is still missing.",
    ),
    (
        "slope of the squared error",
        """
P = softmax(Y @ W)
d = P - np.eye(W.shape[1])[answer]
return _loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ (P * (d - (P * d).sum(axis=1, keepdims=True))) / len(Y)
""",  # noqa: E501
        (
            "The loss is right. The slope of −log p is P minus the answer, without the factor"
            " of the softmax once more."
        ),
    ),
]

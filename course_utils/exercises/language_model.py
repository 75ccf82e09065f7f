"""The exercises of notebook 10: one step of training, the whole model, and one step of decoding with a cache."""

import numpy as np

from course_utils import layers
from course_utils.attention import causal_mask, multi_head_attention, scaled_dot_product_attention, softmax
from course_utils.cards.look import heat, table
from course_utils.data.grammar import WORDS
from course_utils.diagnosis.exercise import Exercise, Reading
from course_utils.models.language_model import Config, multiplications

RNG = np.random.default_rng(10)


def train_step(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return loss, W - learning_rate * slope


def _loss_and_slope(Y, answer, W):
    P = softmax(Y @ W)
    rows = np.arange(len(Y))
    return -np.log(P[rows, answer]).mean(), Y.T @ (P - np.eye(W.shape[1])[answer]) / len(Y)


def _head(n, D, n_vocab, learning_rate):
    return RNG.normal(size=(n, D)), RNG.integers(n_vocab, size=n), RNG.normal(size=(D, n_vocab)), learning_rate


TRAIN_STEP = Exercise("train_step", train_step, inputs=[
    _head(6, 3, 5, 0.1),
    _head(4, 4, 4, 0.5),
    _head(1, 2, 7, 1.0),
    (np.array([[1.0, 2.0], [0.5, 1.0]]), np.array([2, 0]), np.array([[0.2, 0.1, 0.3], [0.4, 0.2, 0.1]]), 0.2),      # every score is positive
],
    minutes=10, difficulty=3,
    nudge="The surprise is that of the right word alone, one in each row. And the slope at the scores: which of them should rise, which fall, and "
          "how far?",
    skeleton="""def my_train_step(Y, answer, W, learning_rate):
    P = ...                               # (n, n_vocab)  probabilities
    right = ...                           # (n, n_vocab)  1 at the right word of each row, 0 elsewhere
    loss = ...                            # a number: the mean surprise of the right words
    dW = ...                              # (D, n_vocab)  the slope at W, of a mean
    return loss, ...
""")



@TRAIN_STEP.mistake("uphill", "The gradient shows where the loss grows. The matrix went along with it.")
def uphill(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return loss, W + learning_rate * slope


@TRAIN_STEP.mistake("summed, not averaged", "The loss is a mean over the rows, so its gradient is one, too. Yours grows with the number of rows.")
def gradient_of_the_sum(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return loss, W - learning_rate * slope * len(Y)


@TRAIN_STEP.mistake("both summed", "The loss is a mean over the rows, and so is its gradient. Yours add up: they grow with the number of rows.")
def sums(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return loss * len(Y), W - learning_rate * slope * len(Y)


@TRAIN_STEP.mistake("the loss summed", "The matrix is right. The loss is a mean over the rows, and yours is their sum.")
def summed_loss(Y, answer, W, learning_rate):
    loss, new = train_step(Y, answer, W, learning_rate)
    return loss * len(Y), new


@TRAIN_STEP.mistake("everybody's answers", "The matrix is right. But each row has one right word, and your loss takes "
                    "the answers of all rows from each row.")
def all_answers(Y, answer, W, learning_rate):
    return -np.log(softmax(Y @ W)[:, answer]).mean(), train_step(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("the answers forgotten", "The matrix moves by the probabilities alone, whatever word was right. "
                    "The slope at the scores compares them with the right answer.")
def probabilities_alone(Y, answer, W, learning_rate):
    loss, _ = _loss_and_slope(Y, answer, W)
    return loss, W - learning_rate * Y.T @ softmax(Y @ W) / len(Y)


@TRAIN_STEP.mistake("softmax over the wrong axis", "Each row is one place of a text, and its probabilities sum to 1 over the vocabulary.")
def softmax_over_rows(Y, answer, W, learning_rate):
    P = softmax(Y @ W, axis=0)
    right = np.eye(W.shape[1])[answer]
    return -np.log(P[right == 1]).mean(), W - learning_rate * Y.T @ (P - right) / len(Y)


@TRAIN_STEP.mistake("the learning rate forgotten",
                    "The matrix moves by the whole gradient. How far it moves is the learning rate's to say.", unused_arguments="learning_rate")
def whole_step(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return loss, W - slope


@TRAIN_STEP.mistake("the sign of the loss", "The matrix is right. But a surprise is never negative, and yours is.")
def negative_loss(Y, answer, W, learning_rate):
    loss, new = train_step(Y, answer, W, learning_rate)
    return -loss, new


@TRAIN_STEP.mistake("a probability instead of a surprise", "The matrix is right. The loss is the mean of a logarithm of the right answers' "
                    "probabilities.")
def mean_probability(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    return P[np.arange(len(Y)), answer].mean(), train_step(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("the logarithm of the mean", "The matrix is right. The loss averages the surprises; yours is the surprise of an average.")
def surprise_of_the_mean(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    return -np.log(P[np.arange(len(Y)), answer].mean()), train_step(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("the loss after the step", "The matrix is right. The loss asked for is the one before it moved, to which the gradient belongs.")
def later_loss(Y, answer, W, learning_rate):
    new = train_step(Y, answer, W, learning_rate)[1]
    return _loss_and_slope(Y, answer, new)[0], new


@TRAIN_STEP.mistake("the gradient instead of the matrix", "The loss is right. The second result should be the matrix after its step.")
def gradient_only(Y, answer, W, learning_rate):
    return _loss_and_slope(Y, answer, W)


@TRAIN_STEP.mistake("everybody's answers in the gradient", "The loss is right. But each row has one right word, and the 1 was taken from the answers "
                    "of all rows in every row.")
def all_answers_in_the_slope(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    P[:, answer] -= 1
    return _loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ P / len(Y)


@TRAIN_STEP.mistake("everybody's answers in both",
                    "Each row has one right word. Your numbers of columns apply to every row: rows and columns must be named in pairs.")
def all_answers_in_both(Y, answer, W, learning_rate):
    return all_answers(Y, answer, W, learning_rate)[0], all_answers_in_the_slope(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("the word's number subtracted",
                    "The number of a word is only its name. The slope compares the probabilities with 1 at the right word and 0 elsewhere.")
def number_as_target(Y, answer, W, learning_rate):
    return _loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ (softmax(Y @ W) - answer[:, None]) / len(Y)


@TRAIN_STEP.mistake("softmax missing",
                    "The scores are used as if they were probabilities, in the loss and in the slope. What makes probabilities of them?")
def scores_as_probabilities(Y, answer, W, learning_rate):
    scores = Y @ W
    right = np.eye(W.shape[1])[answer]
    return -np.log(scores[right == 1]).mean(), W - learning_rate * Y.T @ (scores - right) / len(Y)


@TRAIN_STEP.mistake("softmax missing in the gradient",
                    "The loss is right. The slope compares the scores with the answer; it should compare the probabilities.")
def scores_in_the_slope(Y, answer, W, learning_rate):
    return _loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ (Y @ W - np.eye(W.shape[1])[answer]) / len(Y)


@TRAIN_STEP.mistake("softmax missing in the loss",
                    "The matrix is right. But the loss takes scores for probabilities: their logarithm says nothing, or is NaN.")
def scores_in_the_loss(Y, answer, W, learning_rate):
    return -np.log((Y @ W)[np.arange(len(Y)), answer]).mean(), train_step(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("exponentials not divided", "exp makes the scores positive. Probabilities of a row sum to 1 as well.")
def exponentials(Y, answer, W, learning_rate):
    e = np.exp(Y @ W)
    right = np.eye(W.shape[1])[answer]
    return -np.log(e[right == 1]).mean(), W - learning_rate * Y.T @ (e - right) / len(Y)


@TRAIN_STEP.mistake("softmax of the whole table",
                    "All probabilities together sum to 1 here. Each row is one place of a text, with a whole 1 of its own.")
def softmax_of_everything(Y, answer, W, learning_rate):
    e = np.exp(Y @ W)
    P, right = e / e.sum(), np.eye(W.shape[1])[answer]
    return -np.log(P[right == 1]).mean(), W - learning_rate * Y.T @ (P - right) / len(Y)


@TRAIN_STEP.mistake("Y not transposed",
                    "Each number of W meets a column of Y and a column of the slopes. Which shape has Y to have for that product?")
def not_transposed(Y, answer, W, learning_rate):
    return _loss_and_slope(Y, answer, W)[0], W - learning_rate * Y @ (softmax(Y @ W) - np.eye(W.shape[1])[answer]) / len(Y)


@TRAIN_STEP.mistake("divided by the number of words",
                    "The loss is a mean over the rows: it is divided by how many rows there are, not by how many words.")
def divided_by_words(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return loss, W - learning_rate * slope * len(Y) / W.shape[1]


@TRAIN_STEP.mistake("loss averaged over words, too",
                    "The matrix is right. One word in a row is right, and the zeros of the others were averaged in: divide by the rows alone.")
def averaged_over_words(Y, answer, W, learning_rate):
    loss, new = train_step(Y, answer, W, learning_rate)
    return loss / W.shape[1], new


@TRAIN_STEP.mistake("the surprise of all words", "The matrix is right. The loss asks only for the word that came, not for all that might have come.")
def all_words(Y, answer, W, learning_rate):
    return -np.log(softmax(Y @ W)).mean(), train_step(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("squared error", "The matrix is right. The loss is the surprise of the right word, not a squared distance.")
def squared_error(Y, answer, W, learning_rate):
    return ((softmax(Y @ W) - np.eye(W.shape[1])[answer]) ** 2).mean(), train_step(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("another base of the logarithm", "The matrix is right. The surprise is counted in nats, with the natural logarithm.")
def in_bits(Y, answer, W, learning_rate):
    loss, new = train_step(Y, answer, W, learning_rate)
    return loss / np.log(2), new


@TRAIN_STEP.mistake("the losses not averaged", "The matrix is right. These are the surprises of all rows; one number is asked for, their mean.")
def losses(Y, answer, W, learning_rate):
    return -np.log(softmax(Y @ W)[np.arange(len(Y)), answer]), train_step(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("softmax missing, the gradient summed",
                    "The scores are used as if they were probabilities. And the loss is a mean over the rows, so its slope is one, too.")
def scores_summed(Y, answer, W, learning_rate):
    loss, new = scores_as_probabilities(Y, answer, W, learning_rate)
    return loss, W + (new - W) * len(Y)


@TRAIN_STEP.mistake("the sign of the loss, the gradient summed",
                    "A surprise is never negative, and yours is. And the loss is a mean over the rows, so its slope is one, too.")
def negative_and_summed(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return -loss, W - learning_rate * slope * len(Y)


@TRAIN_STEP.mistake("1 taken from all words",
                    "The loss is right. A 1 was taken from every probability: only the right word of each row has one to compare with.")
def ones_everywhere(Y, answer, W, learning_rate):
    return _loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ (softmax(Y @ W) - 1) / len(Y)


@TRAIN_STEP.mistake("matrix before loss", "First the loss, then the matrix.")
def matrix_first(Y, answer, W, learning_rate):
    return train_step(Y, answer, W, learning_rate)[::-1]


@TRAIN_STEP.mistake("the matrix not moved", "The loss is right. The matrix came back as it was.")
def not_moved(Y, answer, W, learning_rate):
    return _loss_and_slope(Y, answer, W)[0], W


@TRAIN_STEP.mistake("only the right word moved",
                    "The loss is right. The right words rise, but no other word falls: each falls by as much as it was believed.")
def only_the_right_word(Y, answer, W, learning_rate):
    P, right = softmax(Y @ W), np.eye(W.shape[1])[answer]
    return _loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ ((P - 1) * right) / len(Y)


@TRAIN_STEP.mistake("divided by the rows and by the words", "The loss is a mean over the rows: its slope is divided by how many rows there are. "
                    "Yours is divided by the words as well, as a mean over all entries is.")
def averaged_over_entries(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return loss, W - learning_rate * slope / W.shape[1]


@TRAIN_STEP.mistake("divided by the number of features",
                    "The loss is a mean over the rows: it is divided by how many rows there are, not by how many features.")
def divided_by_features(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return loss, W - learning_rate * slope * len(Y) / len(W)


@TRAIN_STEP.mistake("slope transposed", "The slope has a row for each word. It should have the shape of W: a row for each feature.")
def slope_transposed(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    dW = slope.T
    return loss, W - learning_rate * dW


@TRAIN_STEP.mistake("one-hot rows as long as the text",
                    "The rows with a single 1 are as long as the text. There is a place in them for each word of the vocabulary.")
def short_one_hot(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    right = np.eye(len(answer))[answer]
    loss = -np.log((P * right).sum(axis=1)).mean()
    return loss, W - learning_rate * Y.T @ (P - right) / len(Y)


@TRAIN_STEP.mistake("the surprise of the likeliest word", "The matrix is right. The loss asks for the word that came, whether it was likely or not.")
def surprise_of_the_likeliest(Y, answer, W, learning_rate):
    return -np.log(softmax(Y @ W).max(axis=1)).mean(), train_step(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("the probabilities changed before the loss",
                    "The matrix is right. But the 1 was taken from the probabilities themselves, and the loss came after: it sees p - 1. "
                    "Two names for one table, or the order?")
def loss_of_the_slope(Y, answer, W, learning_rate):
    P, rows = softmax(Y @ W), np.arange(len(Y))
    slope = P
    slope[rows, answer] -= 1
    return -np.log(P[rows, answer]).mean(), W - learning_rate * Y.T @ slope / len(Y)


@TRAIN_STEP.mistake("the likeliest word as the right one",
                    "The loss is right. The slope compares the probabilities with the likeliest word instead of the one that came.")
def learns_what_it_believes(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    believed = np.eye(W.shape[1])[P.argmax(axis=1)]
    return _loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ (P - believed) / len(Y)


@TRAIN_STEP.mistake("the step instead of the matrix", "The loss is right. The second result is the step alone. The matrix after it is asked for.")
def step_only(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return loss, learning_rate * slope


@TRAIN_STEP.mistake("the step downhill instead of the matrix",
                    "The loss is right. The second result is the step alone. The matrix after it is asked for.")
def step_downhill_only(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return loss, -learning_rate * slope


@TRAIN_STEP.mistake("divided by the learning rate", "A larger learning rate should make a larger step. Here it makes a smaller one.")
def smaller_steps(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return loss, W - slope / learning_rate


@TRAIN_STEP.mistake("the matrix stretched", "The whole matrix is multiplied, rather than moved by the gradient: mind the brackets.")
def stretched_matrix(Y, answer, W, learning_rate):
    loss, slope = _loss_and_slope(Y, answer, W)
    return loss, (W - slope) * learning_rate


@TRAIN_STEP.mistake("the perplexity", "The matrix is right. The loss is the mean surprise itself; exp of it is the perplexity.")
def perplexity(Y, answer, W, learning_rate):
    loss, new = train_step(Y, answer, W, learning_rate)
    return np.exp(loss), new


@TRAIN_STEP.mistake("the entropy", "The matrix is right. This is what the model expects to be surprised by. The loss asks for the word that came.")
def entropy(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    return -(P * np.log(P)).sum(axis=1).mean(), train_step(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("the surprise of not coming",
                    "The matrix is right. This is the surprise if the right word had not come: it is p itself that goes through the logarithm.")
def surprise_of_the_others(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    return -np.log(1 - P[np.arange(len(Y)), answer]).mean(), train_step(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("the first row's loss", "The matrix is right. The loss is that of the first place alone: it is a mean over all of them.")
def first_loss(Y, answer, W, learning_rate):
    return losses(Y, answer, W, learning_rate)[0][0], train_step(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("1 minus the probability", "The matrix is right. The loss is a logarithm: being sure and wrong costs far more than 1.")
def missing_probability(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    return (1 - P[np.arange(len(Y)), answer]).mean(), train_step(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("loss forgotten", "The matrix is right. The first result, the loss, is still missing.")
def no_loss(Y, answer, W, learning_rate):
    return 0.0, train_step(Y, answer, W, learning_rate)[1]


@TRAIN_STEP.mistake("slope of the squared error",
                    "The loss is right. The slope of a surprise is P minus the answer, without the factor of the softmax once more.")
def squared_slope(Y, answer, W, learning_rate):
    P = softmax(Y @ W)
    d = P - np.eye(W.shape[1])[answer]
    return _loss_and_slope(Y, answer, W)[0], W - learning_rate * Y.T @ (P * (d - (P * d).sum(axis=1, keepdims=True))) / len(Y)


def forward(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks, n_heads)


def _model(tokens, params, blocks, n_heads, mask=True, places=slice(None), norm="pre", activation=layers.relu, last_norm=True, head_bias=True):
    """The whole model, with switches for what may slip. mask: True for the causal one, or a function of T."""
    X, T = params["W_E"][tokens], len(tokens)
    if places is not None:
        X = X + params["R"][:T][places]
    M = causal_mask(T) if mask is True else mask(T)
    for block in blocks:
        X = layers.transformer_block(X, block, n_heads, M, norm, activation)
    Y = layers.layer_norm(X, params["gamma"], params["beta"]) if last_norm else X
    return Y @ params["W_out"] + (params["b_out"] if head_bias else 0)


def _parameters(T, n_vocab, D, d_ff, L, n_heads, rows):
    """A text of T tokens and a random model: forward's arguments. rows: how many places its table R has."""
    def draw(*shape):
        return RNG.normal(size=shape)
    blocks = [{**{name: draw(D, D) / np.sqrt(D) for name in ("W_Q", "W_K", "W_V", "W_O")}, **{name: draw(D) for name in ("b_Q", "b_K", "b_V", "b_O")},
               "W_1": draw(D, d_ff), "b_1": draw(d_ff), "W_2": draw(d_ff, D), "b_2": draw(D),
               "gamma_1": draw(D), "beta_1": draw(D), "gamma_2": draw(D), "beta_2": draw(D)} for _ in range(L)]
    params = {"W_E": draw(n_vocab, D), "R": draw(rows, D), "gamma": draw(D), "beta": draw(D), "W_out": draw(D, n_vocab), "b_out": draw(n_vocab)}
    return RNG.permutation(n_vocab)[:T], params, blocks, n_heads


FORWARD = Exercise("forward", forward, inputs=[
    _parameters(5, 7, 6, 8, 3, 2, rows=9),
    _parameters(4, 4, 4, 4, 1, 4, rows=4),
    _parameters(3, 5, 4, 6, 2, 1, rows=8),
],
    parts=("causal_mask", "split_heads", "masked_attention", "merge_heads", "layer_norm", "feed_forward"), minutes=30, difficulty=3,
    nudge="Walk along the map: rows of W_E, places added, then block after block, the last norm, the head. Within a block: norm, queries, keys and "
          "values, heads, "
          "attention under the mask, heads merged, W_O, added; norm, feed-forward, added.",
    skeleton="""def my_forward(tokens, params, blocks, n_heads):     # (T,), two kinds of parameters, a number -> (T, n_vocab)
    T = len(tokens)
    X = ...                                          # (T, D)  a vector for each token, its place added
    mask = ...                                       # (T, T)
    for b in blocks:                                 # b["W_Q"], b["b_Q"], b["gamma_1"], ...
        I = ...                                      # (T, D)  normed with gamma_1, beta_1, eps = 1e-5
        Q, K, V = ...                                # (H, T, d) each: projected, with their biases, and split
        heads = ...                                  # (H, T, d)  each head attends on its own
        X = X + ...                                  # merged, through W_O and b_O
        X = X + ...                                  # the feed-forward network reads a normed copy
    Y = ...                                          # (T, D)  the last norm
    return ...                                       # (T, n_vocab)  scores, not yet probabilities
""")


@FORWARD.mistake("mask forgotten", "Every token sees all others here, the word it should guess as well. What hides the future?")
def sees_the_future(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks, n_heads, mask=lambda T: None)


@FORWARD.mistake("mask transposed", "Each token sees itself and what comes after it. It should see what came before.")
def sees_only_the_future(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks, n_heads, mask=lambda T: causal_mask(T).T)


@FORWARD.mistake("places forgotten", "The vectors of the words are there. What says where each of them stands?")
def without_places(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks, n_heads, places=None)


@FORWARD.mistake("one place for all", "Every token got the place of the first. Token i takes row i of R.")
def one_place(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks, n_heads, places=slice(1))


@FORWARD.mistake("places by the word's number", "R has a row for each place of the text, and was asked with the numbers of the words.")
def place_of_the_word(tokens, params, blocks, n_heads):
    return _model(tokens, {**params, "R": params["R"][tokens]}, blocks, n_heads)


@FORWARD.mistake("last places for the first", "The text begins at place 0 of R. Here it was laid on the last rows of the table.")
def last_places(tokens, params, blocks, n_heads):
    return _model(tokens, {**params, "R": params["R"][-len(tokens):]}, blocks, n_heads)


@FORWARD.mistake("last norm forgotten", "The head reads a stream whose size nobody set. What stands between the last block and the head?")
def without_last_norm(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks, n_heads, last_norm=False)


@FORWARD.mistake("head's bias forgotten", "The scores lack the bias of the head.")
def without_head_bias(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks, n_heads, head_bias=False)


@FORWARD.mistake("head forgotten", "These are the vectors after the last norm. The head makes scores of them, one for each word.")
def without_head(tokens, params, blocks, n_heads):
    return _model(tokens, {**params, "W_out": np.eye(params["W_out"].shape[0]), "b_out": 0}, blocks, n_heads)


@FORWARD.mistake("post-norm", "The norms stand on the stream, after each addition. This model is pre-norm: the parts read a normed copy.")
def post_norm(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks, n_heads, norm="post")


@FORWARD.mistake("first block only", "Only one block was passed. The stream goes through all of them. Does the `return` stand inside the loop?")
def first_block_only(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks[:1], n_heads)


@FORWARD.mistake("the same block again and again", "Every round uses the first block's parameters. Each block has its own.")
def one_block_repeated(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks[:1] * len(blocks), n_heads)


@FORWARD.mistake("last block only", "Only the last block's work is left: does every block read what the one before it wrote?")
def last_block_only(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks[-1:], n_heads)


@FORWARD.mistake("blocks in reverse order", "The last block comes first here.")
def reversed_blocks(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks[::-1], n_heads)


def _with(blocks, **changed):
    """The blocks with some of their parameters replaced: a value, or a function of the block."""
    return [{**block, **{name: value(block) if callable(value) else value for name, value in changed.items()}} for block in blocks]


def _nothing(name):
    return lambda block: 0 * block[name]


@FORWARD.mistake("biases of the projections forgotten", "Queries, keys and values have a bias each, and so has what is merged.")
def without_projection_biases(tokens, params, blocks, n_heads):
    return _model(tokens, params, _with(blocks, **{name: _nothing(name) for name in ("b_Q", "b_K", "b_V", "b_O")}), n_heads)


@FORWARD.mistake("biases of queries, keys and values forgotten", "Queries, keys and values have a bias each.")
def without_input_biases(tokens, params, blocks, n_heads):
    return _model(tokens, params, _with(blocks, **{name: _nothing(name) for name in ("b_Q", "b_K", "b_V")}), n_heads)


@FORWARD.mistake("bias after W_O forgotten", "What is merged goes through W_O, which has a bias, too.")
def without_output_bias(tokens, params, blocks, n_heads):
    return _model(tokens, params, _with(blocks, b_O=_nothing("b_O")), n_heads)


@FORWARD.mistake("W_O forgotten", "The heads stand side by side and were added as they are. One more matrix mixes them.")
def without_w_o(tokens, params, blocks, n_heads):
    return _model(tokens, params, _with(blocks, W_O=lambda block: np.eye(len(block["W_O"]))), n_heads)


@FORWARD.mistake("W_O and its bias forgotten", "The heads stand side by side and were added as they are. One more matrix, with a bias, mixes them.")
def without_w_o_and_bias(tokens, params, blocks, n_heads):
    return _model(tokens, params, _with(blocks, W_O=lambda block: np.eye(len(block["W_O"])), b_O=_nothing("b_O")), n_heads)


@FORWARD.mistake("one head", "The features were not split: one head attends with all of them.")
def unsplit(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks, 1)


@FORWARD.mistake("attention only", "The tokens exchange, but none thinks for itself: the second half of each block is missing.")
def without_feed_forward(tokens, params, blocks, n_heads):
    return _model(tokens, params, _with(blocks, W_2=_nothing("W_2"), b_2=_nothing("b_2")), n_heads)


@FORWARD.mistake("feed-forward only", "Each token thinks for itself, but they never exchange anything: the first half of each block is missing.")
def without_attention(tokens, params, blocks, n_heads):
    return _model(tokens, params, _with(blocks, W_O=_nothing("W_O"), b_O=_nothing("b_O")), n_heads)


@FORWARD.mistake("one norm's γ and β for both", "The second norm of a block has a γ and a β of its own.")
def first_norm_twice(tokens, params, blocks, n_heads):
    return _model(tokens, params, _with(blocks, gamma_2=lambda block: block["gamma_1"], beta_2=lambda block: block["beta_1"]), n_heads)


@FORWARD.mistake("keys and queries swapped", "A token's query looks for other tokens' keys. Here it is the other way round.")
def swapped_roles(tokens, params, blocks, n_heads):
    other = {"W_Q": "W_K", "W_K": "W_Q", "b_Q": "b_K", "b_K": "b_Q"}
    return _model(tokens, params, _with(blocks, **{name: lambda block, source=source: block[source] for name, source in other.items()}), n_heads)


@FORWARD.mistake("GELU instead of ReLU", "The feed-forward network of this model has ReLU.")
def with_gelu(tokens, params, blocks, n_heads):
    return _model(tokens, params, blocks, n_heads, activation=layers.gelu)


def _wired(after):
    """A model whose blocks are wired otherwise. after(X, norm_1, attend, norm_2, think): the stream after a block, X the one before it."""
    def halves(block, n_heads, mask):
        return (lambda X: layers.layer_norm(X, block["gamma_1"], block["beta_1"]),
                lambda I: multi_head_attention(I, *(block[name] for name in ("W_Q", "W_K", "W_V", "W_O")), n_heads, mask,
                                               **{name: block[name] for name in ("b_Q", "b_K", "b_V", "b_O")})[0],
                lambda Z: layers.layer_norm(Z, block["gamma_2"], block["beta_2"]),
                lambda I: layers.feed_forward(I, *(block[name] for name in ("W_1", "b_1", "W_2", "b_2"))))

    def model(tokens, params, blocks, n_heads):
        X = params["W_E"][tokens] + params["R"][:len(tokens)]
        for block in blocks:
            X = after(X, *halves(block, n_heads, causal_mask(len(tokens))))
        return layers.layer_norm(X, params["gamma"], params["beta"]) @ params["W_out"] + params["b_out"]
    return model


FORWARD.mistake("no skips", "What each half gives replaces the stream. It should be added to it.")(
    _wired(lambda X, norm_1, attend, norm_2, think: think(norm_2(attend(norm_1(X))))))
FORWARD.mistake("first skip forgotten", "What attention gives replaces the stream. It should be added to it.")(
    _wired(lambda X, norm_1, attend, norm_2, think: (Z := attend(norm_1(X))) + think(norm_2(Z))))
FORWARD.mistake("second skip forgotten", "The first half of a block is right. What the network gives should be added, too.")(
    _wired(lambda X, norm_1, attend, norm_2, think: think(norm_2(X + attend(norm_1(X))))))
FORWARD.mistake("second skip from X", "The second addition starts from the block's input again, so what attention gave is lost from the stream.")(
    _wired(lambda X, norm_1, attend, norm_2, think: X + think(norm_2(X + attend(norm_1(X))))))
FORWARD.mistake("both halves read X", "The feed-forward network reads the block's input. It should read what came of adding attention.")(
    _wired(lambda X, norm_1, attend, norm_2, think: X + attend(norm_1(X)) + think(norm_2(X))))
FORWARD.mistake("no norms in the blocks", "The skips are right. But both halves of a block read the stream itself: each should read a normed copy.")(
    _wired(lambda X, norm_1, attend, norm_2, think: (Z := X + attend(X)) + think(Z)))
FORWARD.mistake("first norm forgotten", "The feed-forward network reads a normed copy, queries, keys and values do not yet.")(
    _wired(lambda X, norm_1, attend, norm_2, think: (Z := X + attend(X)) + think(norm_2(Z))))
FORWARD.mistake("second norm forgotten", "Attention reads a normed copy, the feed-forward network does not yet.")(
    _wired(lambda X, norm_1, attend, norm_2, think: (Z := X + attend(norm_1(X))) + think(Z)))
FORWARD.mistake("first skip starts after the norm", "The first addition starts from the normed copy. The stream goes on with X itself.")(
    _wired(lambda X, norm_1, attend, norm_2, think: (Z := (I := norm_1(X)) + attend(I)) + think(norm_2(Z))))
FORWARD.mistake("second skip starts after the norm", "The second addition starts from the normed copy. The stream goes on with itself.")(
    _wired(lambda X, norm_1, attend, norm_2, think: (I := norm_2(X + attend(norm_1(X)))) + think(I)))
FORWARD.mistake("both skips start after the norm", "Both additions start from the normed copy. The stream goes on with itself.")(
    _wired(lambda X, norm_1, attend, norm_2, think: (I := norm_2((N := norm_1(X)) + attend(N))) + think(I)))


@FORWARD.mistake("probabilities instead of scores", "The model is right. Asked are the scores: softmax comes later, where probabilities are wanted.")
def probabilities(tokens, params, blocks, n_heads):
    return softmax(forward(tokens, params, blocks, n_heads))


@FORWARD.mistake("the last row only", "These are the scores after the last token. Training wants a row for every place of the text.")
def last_row(tokens, params, blocks, n_heads):
    return forward(tokens, params, blocks, n_heads)[-1]


@FORWARD.mistake("the likeliest words", "These are words. Asked are the scores of all words.")
def likeliest(tokens, params, blocks, n_heads):
    return forward(tokens, params, blocks, n_heads).argmax(axis=-1)


def kv_cache_step(q, k, v, K, V):
    K, V = np.vstack([K, k[None]]), np.vstack([V, v[None]])
    return _attend(q, K, V), K, V


def _attend(q, K, V, scale=None):
    return scaled_dot_product_attention(q[None], K, V, scale=scale)[0][0]


def _cache(t, d_k, d_v):
    return tuple(RNG.normal(size=shape) for shape in [(d_k,), (d_k,), (d_v,), (t, d_k), (t, d_v)])


CACHE_STEP = Exercise("kv_cache_step", kv_cache_step, inputs=[_cache(5, 3, 2), _cache(3, 4, 4), _cache(4, 4, 4), _cache(1, 3, 5), _cache(0, 3, 2)],
    minutes=10, difficulty=2,
    nudge="Let the tables grow first: then the new token finds itself among the keys. How is a row put below a table? After that it is attention "
          "of one query.",
    skeleton="""def my_kv_cache_step(q, k, v, K, V):
    K_new = ...                           # (t + 1, d_k)
    V_new = ...                           # (t + 1, d_v)
    weights = ...                         # (t + 1,)  how much the new token attends to each
    return ..., K_new, V_new              # the output has shape (d_v,)
""")



@CACHE_STEP.mistake("the new token not seen", "The cache grows as it should, but the token attends to the earlier ones only. A token may see itself.")
def blind_to_itself(q, k, v, K, V):
    return _attend(q, K, V), *kv_cache_step(q, k, v, K, V)[1:]


@CACHE_STEP.mistake("nothing remembered", "The output is right. But the caches come back as they were, and the next token would miss this one.")
def not_kept(q, k, v, K, V):
    return kv_cache_step(q, k, v, K, V)[0], K, V


@CACHE_STEP.mistake("the new token first", "The output is the same, since an average has no order. But the rows of the caches "
                    "no longer follow the text.")
def put_in_front(q, k, v, K, V):
    K, V = np.vstack([k[None], K]), np.vstack([v[None], V])
    return _attend(q, K, V), K, V


@CACHE_STEP.mistake("not scaled", "The cache is right. In the attention the division by the square root of d_k is missing.")
def without_scale(q, k, v, K, V):
    _, K, V = kv_cache_step(q, k, v, K, V)
    return _attend(q, K, V, scale=1), K, V


@CACHE_STEP.mistake("scaled by the number of keys", "The cache is right. The scores are divided by the root of d_k, the width of a key, "
                    "not of how many keys there are.")
def scaled_by_length(q, k, v, K, V):
    _, K, V = kv_cache_step(q, k, v, K, V)
    return _attend(q, K, V, scale=1 / np.sqrt(len(K))), K, V


@CACHE_STEP.mistake("only itself", "The token listens to its own value alone. What was kept of the earlier ones should be averaged in.")
def own_value(q, k, v, K, V):
    return v, *kv_cache_step(q, k, v, K, V)[1:]


@CACHE_STEP.mistake("the query in the cache", "A query is asked once and not needed again. What later tokens look at is the key.")
def query_kept(q, k, v, K, V):
    K, V = np.vstack([K, q[None]]), np.vstack([V, v[None]])
    return _attend(q, K, V), K, V


@CACHE_STEP.mistake("the key as the query", "The caches are right. But the scores compare the kept keys with the new key "
                    "instead of what the token looks for.")
def asks_with_its_key(q, k, v, K, V):
    _, K, V = kv_cache_step(q, k, v, K, V)
    return _attend(k, K, V), K, V


@CACHE_STEP.mistake("keys and values swapped", "First the output, then the keys, then the values.")
def swapped(q, k, v, K, V):
    output, K, V = kv_cache_step(q, k, v, K, V)
    return output, V, K


@CACHE_STEP.mistake("the oldest forgotten", "The caches kept their length: the first token was dropped for the new one. Nothing should be lost.")
def window(q, k, v, K, V):
    _, K, V = kv_cache_step(q, k, v, K, V)
    return _attend(q, K[1:], V[1:]), K[1:], V[1:]


def _grown(change):
    """A mistake whose caches are right: change(q, K, V) gives the output."""
    def step(q, k, v, K, V):
        _, K, V = kv_cache_step(q, k, v, K, V)
        return change(q, K, V), K, V
    return step


CACHE_STEP.mistake("softmax missing", "The caches are right. The scores average the values as they are; they should become weights first.")(
    _grown(lambda q, K, V: K @ q / np.sqrt(len(q)) @ V))
CACHE_STEP.mistake("not normalised", "The caches are right. exp makes the scores positive; weights sum to 1 as well.")(
    _grown(lambda q, K, V: np.exp(K @ q / np.sqrt(len(q))) @ V))
CACHE_STEP.mistake("keys averaged", "The caches are right. The keys say how much each token counts. What is averaged with these weights?")(
    _grown(lambda q, K, V: _attend(q, K, K)))
CACHE_STEP.mistake("values asked", "The caches are right. The scores compare the query with the values: it looks for keys.")(
    _grown(lambda q, K, V: softmax(V @ q / np.sqrt(len(q))) @ V))
CACHE_STEP.mistake("query against the columns", "The caches are right. A score is the query with one row of K, a key; here it met the columns.")(
    _grown(lambda q, K, V: softmax(q @ K / np.sqrt(len(q))) @ V))
CACHE_STEP.mistake("scaled twice", "The caches are right, and so is the root, but it divides two times: that is a division by d_k.",
requires="a root")(
    _grown(lambda q, K, V: _attend(q / np.sqrt(len(q)), K, V)))
CACHE_STEP.mistake("divided by d_k", "The caches are right. The scores are divided by d_k itself: a square root is missing.")(
    _grown(lambda q, K, V: _attend(q, K, V, scale=1 / len(q))))
CACHE_STEP.mistake("d_k**1/2 is half of d_k", "The caches are right. A power comes before a division: d_k**1/2 is d_k, and then half of it.")(
    _grown(lambda q, K, V: _attend(q, K, V, scale=2 / len(q))))
CACHE_STEP.mistake("divided by d_k and by 2", "The caches are right. A power comes before a division: / d_k**1/2 divides by d_k, and then by 2.")(
    _grown(lambda q, K, V: _attend(q, K, V, scale=1 / (2 * len(q)))))
CACHE_STEP.mistake("not added up", "The caches are right. Each value is weighted, but they still stand below each other. One output is wanted.")(
    _grown(lambda q, K, V: softmax(K @ q / np.sqrt(len(q)))[:, None] * V))
CACHE_STEP.mistake("multiplied instead of divided", "The caches are right. The scores should get smaller by √d_k, and they grow by it.")(
    _grown(lambda q, K, V: _attend(q, K, V, scale=np.sqrt(len(q)))))
CACHE_STEP.mistake("scaled after softmax", "The caches are right. The division belongs to the scores, before softmax.")(
    _grown(lambda q, K, V: _attend(q, K, V, scale=1) / np.sqrt(len(q))))
CACHE_STEP.mistake("scaled by the width of a value",
                   "The caches are right. A score is a product of d_k terms: it is the width of a key that counts.")(
    _grown(lambda q, K, V: _attend(q, K, V, scale=1 / np.sqrt(V.shape[1]))))
CACHE_STEP.mistake("all tokens alike", "The caches are right. The output is the plain mean of all values: the scores do not enter.")(
    _grown(lambda q, K, V: V.mean(axis=0)))
CACHE_STEP.mistake("values added up", "The caches are right. Every weight is 1: over which axis do the weights of one query sum to 1?")(
    _grown(lambda q, K, V: V.sum(axis=0)))
CACHE_STEP.mistake("the weights returned", "The caches are right. These are the weights; one step is left.")(
    _grown(lambda q, K, V: softmax(K @ q / np.sqrt(len(q)))))
CACHE_STEP.mistake("a table of one row", "The numbers are right. The output of one token is a vector, (d_v,), not a table with one row.")(
    _grown(lambda q, K, V: _attend(q, K, V)[None]))
CACHE_STEP.mistake("everything attends again", "The caches are right. Old tokens have had their say: only the new query is asked now.")(
    _grown(lambda q, K, V: scaled_dot_product_attention(K, K, V)[0]))


@CACHE_STEP.mistake("the newest overwritten",
                    "The caches kept their length: the new row stands where the last one was. A row is added, none is lost.")
def overwritten(q, k, v, K, V):
    K, V = K.copy(), V.copy()
    K[-1], V[-1] = k, v
    return _attend(q, K, V), K, V


@CACHE_STEP.mistake("only the new row remembered",
                    "The output is right. But the caches come back as the new key and value alone: the earlier rows are lost.")
def only_the_new(q, k, v, K, V):
    return kv_cache_step(q, k, v, K, V)[0], k, v


@CACHE_STEP.mistake("k and v in each other's cache", "The key went to the values and the value to the keys.")
def exchanged(q, k, v, K, V):
    return kv_cache_step(q, v, k, K, V)


@CACHE_STEP.mistake("the new row twice",
                    "The new key and value were added two times. Are they added to the caches once for the output and once for the return?")
def added_twice(q, k, v, K, V):
    _, K, V = kv_cache_step(q, k, v, K, V)
    return kv_cache_step(q, k, v, K, V)


@CACHE_STEP.mistake("the new token not seen, nothing remembered",
                    "The output looks at the earlier tokens only, and the caches come back as they were: k and v do not enter.")
def without_the_new(q, k, v, K, V):
    return _attend(q, K, V), K, V


@CACHE_STEP.mistake("new keys, old values",
                    "The weights come from the grown keys, and there is one for each of them. The values they meet are those of before.")
def new_keys_old_values(q, k, v, K, V):
    K_new, V_new = np.vstack([K, k]), np.vstack([V, v])
    weights = softmax(K_new @ q / np.sqrt(len(q)))
    output = weights @ V
    return output, K_new, V_new


@CACHE_STEP.mistake("old keys, new values",
                    "The values have grown, and the weights come from the keys of before: one is missing. Use both as they are after growing.")
def old_keys_new_values(q, k, v, K, V):
    K_new, V_new = np.vstack([K, k]), np.vstack([V, v])
    weights = softmax(K @ q / np.sqrt(len(q)))
    output = weights @ V_new
    return output, K_new, V_new


@CACHE_STEP.mistake("only the keys remembered", "The output and the keys are right. The values came back without the new row.")
def values_not_kept(q, k, v, K, V):
    output, K, _ = kv_cache_step(q, k, v, K, V)
    return output, K, V


@CACHE_STEP.mistake("only the values remembered", "The output and the values are right. The keys came back without the new row.")
def keys_not_kept(q, k, v, K, V):
    output, _, V = kv_cache_step(q, k, v, K, V)
    return output, K, V


@CACHE_STEP.mistake("the key in both caches", "The new key went into the values, too. The values get v.")
def key_in_both(q, k, v, K, V):
    return kv_cache_step(q, k, k, K, V)


@CACHE_STEP.mistake("the value in both caches", "The new value went into the keys, too. The keys get k.")
def value_in_both(q, k, v, K, V):
    return kv_cache_step(q, v, v, K, V)


@CACHE_STEP.mistake("caches first", "First the output, then the keys, then the values.")
def caches_first(q, k, v, K, V):
    output, K, V = kv_cache_step(q, k, v, K, V)
    return K, V, output


@CACHE_STEP.mistake("only the best key", "The caches are right. One value alone is sent on. Softmax is softer: every key gets a share.")
def hardest(q, k, v, K, V):
    _, K, V = kv_cache_step(q, k, v, K, V)
    return V[(K @ q).argmax()], K, V


def _cost(T):
    """Multiplications of notebook 10's model for token T, with a cache."""
    return multiplications(Config(len(WORDS)), T, cached=True) - multiplications(Config(len(WORDS)), T - 1, cached=True)


NOTE = Reading(
    "note_10",
    "A lecture note says: “With a KV cache every new token costs the same, however long the text is: all earlier work is kept.” Which sentence "
    "mends it?",
    [("All earlier work is kept only at training time; while writing, each block has to project the whole text anew for every token.",
      "It is the other way round: the cache belongs to writing. Kept keys and values are not computed again."),
     ("The earlier projections are kept, but the new query meets every kept key and averages every value: that grows with the text.",
      f"counted for notebook 10's model: token 2 takes {_cost(2):,} multiplications, token 1,024 takes {_cost(1024):,}."),
     ("Every new token does cost the same, but only as long as the text is shorter than the longest text that was trained on.",
      "The cost knows nothing of training. Ask what one new query has to be compared with."),
     ("The cache keeps the weights of attention, so the new token only adds a row to them; what still grows is the feed-forward part.",
      "Keys and values are kept, not weights. The feed-forward network reads one token at a time, and costs the same each time.")],
    right="B", minutes=4)

READ_WORDS = ["the", "dogs", "near", "the", "cat"]
READ_SCORES = np.array([[0, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 3, 0, 0, 0], [0, 1, 2, 0, 0], [0, 3.2, 0, 0.5, 1]])
READ_HEADS = softmax(np.where(causal_mask(5), READ_SCORES, -np.inf))
WHAT_HEAD = Reading(
    "which_head_10",
    "Suppose a model reads “the dogs near the cat”, and these are the weights of one head: a row asks, a column answers. The next word is a verb. "
    "What can be said?",
    [("This head chooses the verb's number: without it the model would say the singular, that of “cat”.",
      "That is a guess about what would happen without it. Only taking the head away, alone and together with others, measures it."),
     ("From the last word this head looks at the subject; whether the verb depends on it must be measured.",
      f"“cat” gives “dogs” {READ_HEADS[4, 1]:.2f}. Looking is not mattering: another head may do the same work, or the value it carries may say "
      f"nothing of number."),
     ("This head looks at the word before: each word gives the most to its left neighbour, so it helps little.",
      f"Other rows do, the last one does not: “cat” gives its neighbour {READ_HEADS[4, 3]:.2f} and “dogs” {READ_HEADS[4, 1]:.2f}."),
     ("The mask fails here: “the” in the first row gives all its weight to itself, and none to the others.",
      "That is the mask at work: the first word may see nobody else yet.")],
    right="B", difficulty=2, picture=heat(READ_HEADS, READ_WORDS, READ_WORDS))

READ_LOSSES = [("A", 1.28, 1.31), ("B", 0.41, 2.96), ("C", 2.10, 2.12)]
WHICH_RUN = Reading(
    "which_run_10",
    "Suppose that a language has an entropy of 1.25 nats a word. Three models read some of its sentences in training; below is their mean surprise "
    "on these and on new ones. Which is true?",
    [("A is best: on new sentences its surprise is nearest to the entropy, and none beats that.",
      "1.31 against 1.25: it has learned the rules. No reader of new sentences, not even one who knows all the rules, pays less than the entropy "
      "on average."),
     ("B is best: no other surprise in the table is as small as 0.41, which is far below the entropy, too.",
      "Below the entropy it knows more than the rules: it remembers the very sentences. On new ones it pays 2.96."),
     ("C is best: its two numbers are nearest to each other, so it has learned the rules and no more.",
      "It has learned few of them: 2.12 is far from 1.25. That both agree says only that nothing was learned by heart."),
     ("None can be right: a surprise must lie above the entropy on any sentences, and 0.41 does not.",
      "The entropy bounds the mean over new sentences. Known ones may cost less: whoever knows a text by heart is not surprised by it.")],
    right="A", difficulty=2, picture=table(READ_LOSSES, ["model", "training", "new"]))


EXERCISES = [TRAIN_STEP, FORWARD, CACHE_STEP, NOTE, WHAT_HEAD, WHICH_RUN]

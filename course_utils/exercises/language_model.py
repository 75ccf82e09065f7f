"""The exercises of notebook 10: one step of training, and one step of decoding with a cache."""

import numpy as np

from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.exercises.checking import Exercise

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


TRAIN_STEP = Exercise("train_step", train_step, inputs=[_head(4, 4, 4, 0.5), _head(6, 3, 5, 0.1), _head(1, 2, 7, 1.0)])


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


@TRAIN_STEP.mistake("the learning rate forgotten", "The matrix moves by the whole gradient. How far it moves is the learning rate's to say.")
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


def kv_cache_step(q, k, v, K, V):
    K, V = np.vstack([K, k[None]]), np.vstack([V, v[None]])
    return _attend(q, K, V), K, V


def _attend(q, K, V, scale=None):
    return scaled_dot_product_attention(q[None], K, V, scale=scale)[0][0]


def _cache(t, d_k, d_v):
    return tuple(RNG.normal(size=shape) for shape in [(d_k,), (d_k,), (d_v,), (t, d_k), (t, d_v)])


CACHE_STEP = Exercise("kv_cache_step", kv_cache_step, inputs=[_cache(4, 4, 4), _cache(3, 2, 5), _cache(1, 4, 3), _cache(0, 3, 2)])


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


EXERCISES = [TRAIN_STEP, CACHE_STEP]

"""The exercises of notebook 03: softmax with a temperature, the scale, the softmax's Jacobian."""

import numpy as np

from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.exercises.checking import Exercise

RNG = np.random.default_rng(3)


def softmax_with_temperature(scores, temperature):
    return softmax(scores / temperature)


TEMPERATURE = Exercise("softmax_with_temperature", softmax_with_temperature, inputs=[
    (RNG.normal(size=(3, 4)), 2.0),
    (np.array([[5000.0, 4990.0, 0.0]]), 5.0),
])


@TEMPERATURE.mistake("temperature forgotten", "The temperature changes nothing here. Where does it enter?")
def no_temperature(scores, temperature):
    return softmax(scores)


@TEMPERATURE.mistake("multiplied by the temperature", "A high temperature should flatten the weights. Multiplying sharpens them.")
def multiplied(scores, temperature):
    return softmax(scores * temperature)


@TEMPERATURE.mistake("temperature after the softmax",
                 "Dividing the weights makes every row sum to 1/temperature. Divide the scores, before the softmax.")
def divided_weights(scores, temperature):
    return softmax(scores) / temperature


@TEMPERATURE.mistake("temperature inside exp only", "Both exps need the temperature: the one above the line and those in the sum below it.")
def only_above_the_line(scores, temperature):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.exp(shifted / temperature) / np.exp(shifted).sum(axis=-1, keepdims=True)


@TEMPERATURE.mistake("square root of the temperature", "The square root belongs to d_k. The temperature divides the scores as it is.")
def square_root(scores, temperature):
    return softmax(scores / np.sqrt(temperature))


@TEMPERATURE.mistake("no max-subtraction", "exp of a large score overflows and gives NaN. Subtract each row's maximum first.")
def overflowing(scores, temperature):
    e = np.exp(scores / temperature)
    return e / e.sum(axis=-1, keepdims=True)


def scaled_attention(Q, K, V):
    return scaled_dot_product_attention(Q, K, V)[0]


SCALED = Exercise("scaled_attention", scaled_attention, inputs=[
    tuple(RNG.normal(size=shape) for shape in [(4, 4), (4, 4), (4, 3)]),
    tuple(RNG.normal(size=shape) for shape in [(6, 5), (6, 5), (6, 3)]),
    tuple(RNG.normal(size=shape) for shape in [(2, 9), (4, 9), (4, 7)]),
])


def _attention(scores, V):
    return softmax(scores) @ V


@SCALED.mistake("no scale", "The scores are not scaled. Divide them by the square root of the keys' width.")
def unscaled(Q, K, V):
    return _attention(Q @ K.T, V)


@SCALED.mistake("divided by d_k", "The standard deviation of a score grows like the square root of d_k, not like d_k. Where is the root?")
def divided_by_width(Q, K, V):
    return _attention(Q @ K.T / Q.shape[1], V)


@SCALED.mistake("divided by √T", "T is how many tokens there are. A score is a sum over the d_k features: scale by those.")
def divided_by_root_of_tokens(Q, K, V):
    return _attention(Q @ K.T / np.sqrt(len(K)), V)


@SCALED.mistake("divided by √d_v", "The scores are made of queries and keys. The width of the values does not enter.")
def divided_by_root_of_values(Q, K, V):
    return _attention(Q @ K.T / np.sqrt(V.shape[1]), V)


@SCALED.mistake("multiplied instead of divided", "The scores grow with d_k already. Multiplying makes it worse: divide.")
def multiplied_by_root(Q, K, V):
    return _attention(Q @ K.T * np.sqrt(Q.shape[1]), V)


@SCALED.mistake("scaled after softmax", "Scaled weights no longer sum to 1. The scale belongs to the scores, before the softmax.")
def scaled_weights(Q, K, V):
    return _attention(Q @ K.T, V) / np.sqrt(Q.shape[1])


@SCALED.mistake("softmax over queries", "For each query the weights over the keys sum to 1: softmax over the last axis.")
def keys_share_out(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]), axis=0) @ V


def softmax_jacobian(weights):
    return np.diag(weights) - np.outer(weights, weights)


JACOBIAN = Exercise("softmax_jacobian", softmax_jacobian, inputs=[
    (np.array([0.5, 0.3, 0.2]),),
    (softmax(RNG.normal(size=5)),),
])


@JACOBIAN.mistake("only the diagonal", "Raising one score lowers every other weight. Those entries, off the diagonal, are not 0.")
def diagonal_only(weights):
    return np.diag(weights * (1 - weights))


@JACOBIAN.mistake("outer product missing", "diag(a) is the first half. What each weight takes from the others is still missing.")
def first_half(weights):
    return np.diag(weights)


@JACOBIAN.mistake("sign of the outer product", "Weights compete: raising one score lowers the others. The outer product is subtracted.")
def added(weights):
    return np.diag(weights) + np.outer(weights, weights)


@JACOBIAN.mistake("everything negative", "The two halves are the wrong way round: raising a score raises its own weight.")
def reversed_halves(weights):
    return np.outer(weights, weights) - np.diag(weights)


@JACOBIAN.mistake("inner instead of outer product", "a @ a is one number, subtracted everywhere. Needed is the table of all products a_i * a_j.")
def inner(weights):
    return np.diag(weights) - weights @ weights


@JACOBIAN.mistake("squares instead of the outer product",
                  "w * w is a row of squares, laid along every row of the table. Needed are all products a_i * a_j.")
def squares(weights):
    return np.diag(weights) - weights * weights


@JACOBIAN.mistake("a row instead of a table", "a * (1 - a) is how each weight answers to its own score. Every weight answers to every score: (T, T).")
def row_only(weights):
    return weights * (1 - weights)


@JACOBIAN.mistake("softmax taken twice", "The argument is a row of weights already. Use it as it is.")
def softmax_again(weights):
    return softmax_jacobian(softmax(weights))


EXERCISES = [TEMPERATURE, SCALED, JACOBIAN]

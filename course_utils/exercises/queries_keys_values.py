"""The exercises of notebook 02: projections, attention with Q, K and V, cross-attention. Nothing is scaled yet."""

import numpy as np

from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.exercises.checking import Exercise

RNG = np.random.default_rng(2)


def arrays(*shapes):
    return tuple(RNG.normal(size=shape) for shape in shapes)


def project(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


PROJECT = Exercise("project", project, inputs=[
    arrays((3, 3), (3, 3), (3, 3), (3, 3)),           # all square: a wrong order does not fail, it goes wrong
    arrays((5, 4), (4, 2), (4, 2), (4, 3)),
])


@PROJECT.mistake("W times X", "Tokens are rows, so a projection stands on the right: X @ W. On the left it mixes tokens.")
def matrix_on_the_left(X, W_Q, W_K, W_V):
    return W_Q @ X, W_K @ X, W_V @ X


@PROJECT.mistake("matrix transposed", "W has a row for each feature that goes in and a column for each that comes out. It needs no transpose.")
def transposed_matrix(X, W_Q, W_K, W_V):
    return X @ W_Q.T, X @ W_K.T, X @ W_V.T


@PROJECT.mistake("queries and keys swapped", "The first thing to give back is Q, the second is K.")
def wrong_order(X, W_Q, W_K, W_V):
    return X @ W_K, X @ W_Q, X @ W_V


@PROJECT.mistake("one matrix for all three", "Asking, answering and sending are three jobs with a matrix each.")
def same_matrix(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_Q, X @ W_Q


@PROJECT.mistake("values not projected", "V is X @ W_V: what a token sends is not simply what it is.")
def raw_values(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X


def attention(Q, K, V):
    return scaled_dot_product_attention(Q, K, V, scale=1)[0]


ATTENTION = Exercise("attention", attention, inputs=[
    arrays((4, 4), (4, 4), (4, 4)),                   # all square: a mix-up does not fail, it goes wrong
    arrays((2, 3), (5, 3), (5, 2)),                   # two queries, five keys; values of another width
])


@ATTENTION.mistake("keys and queries swapped", "Queries are rows of the scores: Q @ K.T. With K @ Q.T each key asks.")
def keys_ask(Q, K, V):
    return softmax(K @ Q.T) @ V


@ATTENTION.mistake("no transpose", "Each score is the dot product of a query with a key, so the keys must stand as columns: K.T.")
def keys_not_transposed(Q, K, V):
    return softmax(Q @ K) @ V if K.shape[0] == K.shape[1] else np.zeros((len(Q), V.shape[1]))


@ATTENTION.mistake("softmax over queries", "For each query the weights over the keys sum to 1. Keys are columns, so the last axis.")
def keys_share_out(Q, K, V):
    return softmax(Q @ K.T, axis=0) @ V


@ATTENTION.mistake("weights @ K", "Keys only decide how much; what is averaged are the values.")
def averages_keys(Q, K, V):
    return softmax(Q @ K.T) @ K


@ATTENTION.mistake("weights @ Q", "Queries only ask; what is averaged are the values.")
def averages_queries(Q, K, V):
    return softmax(Q @ K.T) @ Q if len(Q) == len(K) else np.zeros((len(Q), Q.shape[1]))


@ATTENTION.mistake("scaled where not yet asked", "There is a division by the square root of d_k. Its reason comes in notebook 03; leave it out here.")
def already_scaled(Q, K, V):
    return scaled_dot_product_attention(Q, K, V)[0]


@ATTENTION.mistake("softmax missing", "The scores are used as they are. They must become weights that sum to 1 in each row.")
def weighted_by_scores(Q, K, V):
    return Q @ K.T @ V


@ATTENTION.mistake("weights returned", "These are the weights. One step is left: average the values with them.")
def only_weights(Q, K, V):
    return softmax(Q @ K.T)


def cross_attention(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, context @ W_K, context @ W_V)


CROSS_ATTENTION = Exercise("cross_attention", cross_attention, inputs=[
    arrays((4, 3), (4, 3), (3, 2), (3, 2), (3, 2)),   # as many tokens here as there: a mix-up does not fail
    arrays((2, 3), (5, 3), (3, 2), (3, 2), (3, 4)),
])


@CROSS_ATTENTION.mistake("context ignored", "This is self-attention: X asks X. Keys and values come from the context.")
def self_attention(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, X @ W_K, X @ W_V)


@CROSS_ATTENTION.mistake("roles reversed", "Here the context asks and X answers. X asks; the context answers and sends.")
def context_asks(X, context, W_Q, W_K, W_V):
    return attention(context @ W_Q, X @ W_K, X @ W_V)


@CROSS_ATTENTION.mistake("values from X", "Who answers also sends: keys and values both come from the context.")
def values_of_the_asker(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, context @ W_K, X @ W_V) if len(X) == len(context) else X @ W_V


@CROSS_ATTENTION.mistake("keys from X", "Who sends must also be the one who answers: keys and values both come from the context.")
def keys_of_the_asker(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, X @ W_K, context @ W_V) if len(X) == len(context) else X @ W_V


@CROSS_ATTENTION.mistake("softmax over queries", "For each query the weights over the context sum to 1: softmax over the last axis.")
def keys_share_out_across(X, context, W_Q, W_K, W_V):
    return keys_share_out(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("scaled where not yet asked",
                 "There is a division by the square root of d_k. Its reason comes in notebook 03; leave it out here.")
def already_scaled_across(X, context, W_Q, W_K, W_V):
    return already_scaled(X @ W_Q, context @ W_K, context @ W_V)


EXERCISES = [PROJECT, ATTENTION, CROSS_ATTENTION]

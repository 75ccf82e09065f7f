"""The exercises of notebook 02: projections, attention with Q, K and V, cross-attention, slopes of a product. Nothing is scaled yet."""

import numpy as np

from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.cards.look import heat
from course_utils.data import SENTENCES, W_K, W_Q, embed
from course_utils.diagnosis.exercise import Catch, Exercise, Reading

RNG = np.random.default_rng(2)
LARGE = "queries a thousand times as long, with scores in the thousands"


def arrays(*shapes):
    return tuple(RNG.normal(size=shape) for shape in shapes)


def project(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


PROJECT = Exercise(
    "project", project,
    inputs=[
        arrays((5, 4), (4, 2), (4, 2), (4, 3)),
        arrays((3, 3), (3, 3), (3, 3), (3, 3)),           # all square: a wrong order does not fail, it goes wrong
        arrays((4, 6), (6, 4), (6, 4), (6, 4)),
    ],
    minutes=3, difficulty=1,
    nudge="A token is a row of X, and a column of W makes one new feature of it. Which order of the two fits in `@`?",
    skeleton="""
def my_project(X, W_Q, W_K, W_V):     # (T, D), (D, d_k), (D, d_k), (D, d_v)
    Q = ...                           # (T, d_k)  what each token asks
    K = ...                           # (T, d_k)  what it answers to
    V = ...                           # (T, d_v)  what it sends
    return Q, K, V
""")


@PROJECT.mistake("W times X", "Tokens are rows, so W belongs on the other side: where it stands now it mixes tokens instead of features.")
def matrix_on_the_left(X, W_Q, W_K, W_V):
    return W_Q @ X, W_K @ X, W_V @ X


@PROJECT.mistake("matrix transposed", "W has a row for each feature that goes in and a column for each that comes out. It needs no transpose.")
def transposed_matrix(X, W_Q, W_K, W_V):
    return X @ W_Q.T, X @ W_K.T, X @ W_V.T


@PROJECT.mistake("X transposed", "Tokens are the rows of X already. Transposed, its features would be multiplied as if they were tokens.")
def transposed_tokens(X, W_Q, W_K, W_V):
    return X.T @ W_Q, X.T @ W_K, X.T @ W_V


@PROJECT.mistake("tokens as columns", "The numbers are right, but each token is a column. Tokens are rows, here as in X.")
def tokens_as_columns(X, W_Q, W_K, W_V):
    return (X @ W_Q).T, (X @ W_K).T, (X @ W_V).T


@PROJECT.mistake("X * W", "`*` multiplies number by number. A projection is a matrix product.")
def multiplied_number_by_number(X, W_Q, W_K, W_V):
    return X * W_Q, X * W_K, X * W_V


@PROJECT.mistake("queries and keys swapped", "The first thing to give back is Q, the second is K.")
def wrong_order(X, W_Q, W_K, W_V):
    return X @ W_K, X @ W_Q, X @ W_V


@PROJECT.mistake("keys and values swapped", "The second thing to give back is K, the third is V.")
def keys_last(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_V, X @ W_K


@PROJECT.mistake("queries and values swapped", "The first thing to give back is Q, the third is V.")
def values_first(X, W_Q, W_K, W_V):
    return X @ W_V, X @ W_K, X @ W_Q


@PROJECT.mistake("one matrix for all three", "Asking, answering and sending are three jobs with a matrix each.")
def same_matrix(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_Q, X @ W_Q


@PROJECT.mistake("one matrix for queries and keys", "With one matrix, asking and answering would be the same again. Keys have their own.")
def same_for_queries_and_keys(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_Q, X @ W_V


@PROJECT.mistake("one matrix for keys and values", "What a token answers to and what it sends are two jobs. Values have a matrix of their own.")
def same_for_keys_and_values(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_K


@PROJECT.mistake("queries not projected", "What a token asks is not simply what it is: queries have a matrix, too.")
def raw_queries(X, W_Q, W_K, W_V):
    return X, X @ W_K, X @ W_V


@PROJECT.mistake("keys not projected", "What a token answers to is not simply what it is: keys have a matrix, too.")
def raw_keys(X, W_Q, W_K, W_V):
    return X @ W_Q, X, X @ W_V


@PROJECT.mistake("values not projected", "What a token sends is not simply what it is: values have a matrix, too.")
def raw_values(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X


@PROJECT.mistake("nothing projected", "X comes back three times. Each job has a matrix, and none of them is used.")
def raw(X, W_Q, W_K, W_V):
    return X, X, X


@PROJECT.mistake("one after the other", "Keys are made of queries here, and values of keys. All three are made of X.")
def chained(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_Q @ W_K, X @ W_Q @ W_K @ W_V


@PROJECT.mistake("one table of all three", "Q, K and V came as one table. Asked are three, one beside the other: `return Q, K, V`.")
def one_table(X, W_Q, W_K, W_V):
    return np.hstack([X @ W_Q, X @ W_K, X @ W_V])


@PROJECT.mistake("only the queries", "Only Q came back. Asked are three tables: queries, keys and values.")
def one_of_three(X, W_Q, W_K, W_V):
    return X @ W_Q


@PROJECT.mistake("softmax on top",
                 "Softmax makes shares of scores. Queries, keys and values are no shares: they come out of the projection as they are.")
def softmax_on_top(X, W_Q, W_K, W_V):
    return softmax(X @ W_Q), softmax(X @ W_K), softmax(X @ W_V)


@PROJECT.mistake("ReLU on top", "Negative numbers were cut off. A projection is a matrix product alone.")
def relu_on_top(X, W_Q, W_K, W_V):
    return np.maximum(0, X @ W_Q), np.maximum(0, X @ W_K), np.maximum(0, X @ W_V)


@PROJECT.mistake("X added", "X itself was added to the projections. Queries, keys and values are the products alone.")
def added_to_X(X, W_Q, W_K, W_V):
    return X + X @ W_Q, X + X @ W_K, X + X @ W_V


@PROJECT.mistake("one matrix for queries and values", "What a token asks and what it sends are two jobs. Values have a matrix of their own.")
def same_for_queries_and_values(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_Q


@PROJECT.mistake("scaled already", "There is a division by a root. Its reason comes in notebook 03; projections stay as they are.")
def scaled_projections(X, W_Q, W_K, W_V):
    return tuple(X @ W / np.sqrt(W.shape[1]) for W in (W_Q, W_K, W_V))


@PROJECT.mistake("keys already transposed",
                 "The transpose belongs to the scores, which come next. Keys have a row for each token, as queries and values have.")
def keys_turned(X, W_Q, W_K, W_V):
    return X @ W_Q, (X @ W_K).T, X @ W_V


@PROJECT.mistake("the attention already", "Queries, keys and values went into an attention already. Asked are the three of them.")
def attended_already(X, W_Q, W_K, W_V):
    return softmax(X @ W_Q @ (X @ W_K).T) @ (X @ W_V)


def attention(Q, K, V):
    return scaled_dot_product_attention(Q, K, V, scale=1)[0]


def _longer(Q, K, V):
    return 1000 * Q, K, V


ATTENTION = Exercise(
    "attention", attention,
    inputs=[
        arrays((2, 3), (5, 3), (5, 4)),                   # two queries, five keys; values of another width
        arrays((3, 3), (3, 3), (3, 3)),                   # all square: a mix-up does not fail, it goes wrong
        arrays((4, 3), (4, 3), (4, 2)),
        arrays((4, 2), (3, 2), (3, 2)),
    ],
    traps={LARGE: _longer(*arrays((2, 3), (5, 3), (5, 4)))},
    minutes=5, difficulty=1,
    nudge="As in self-attention, but X had three jobs there. Who asks, who answers, who is averaged?",
    skeleton="""
def my_attention(Q, K, V):        # (T_q, d_k), (T_kv, d_k), (T_kv, d_v)
    S = ...                       # (T_q, T_kv)  each query with each key
    A = softmax(...)              # (T_q, T_kv)  each row sums to 1
    return A @ ...                # (T_q, d_v)   what is averaged?
""")


@ATTENTION.mistake("keys and queries swapped", "Queries are the rows of the scores, keys the columns. Here each key asks.")
def keys_ask(Q, K, V):
    return softmax(K @ Q.T) @ V


@ATTENTION.mistake("no transpose", "Each score is the dot product of a query with a key. In `@` the keys must stand as columns.")
def keys_not_transposed(Q, K, V):
    return softmax(Q @ K) @ V


@ATTENTION.mistake("features compared instead of tokens", "Here features meet features. Tokens are rows, and the scores are (T_q, T_kv).")
def features_compared(Q, K, V):
    return softmax(Q.T @ K) @ V


@ATTENTION.mistake("keys and values swapped", "Queries meet keys; values are what is averaged. Here it is the other way round.")
def keys_averaged_by_values(Q, K, V):
    return softmax(Q @ V.T) @ K


@ATTENTION.mistake("keys asking keys", "The scores are those of keys with keys. Who asks are the queries.")
def keys_ask_keys(Q, K, V):
    return softmax(K @ K.T) @ V


@ATTENTION.mistake("softmax over queries", "For each query the weights over the keys sum to 1. Keys are columns: which axis runs over them?")
def keys_share_out(Q, K, V):
    return softmax(Q @ K.T, axis=0) @ V


@ATTENTION.mistake("one softmax for the whole table", "All weights together sum to 1. Each query shares out a whole 1 of its own: row by row.")
def one_competition(Q, K, V):
    S = Q @ K.T
    return np.exp(S - S.max()) / np.exp(S - S.max()).sum() @ V


@ATTENTION.mistake("weights transposed", "The weights are turned before they average. Rows are queries; they need no transpose.")
def weights_turned(Q, K, V):
    return softmax(Q @ K.T).T @ V


@ATTENTION.mistake("weights @ K", "Keys only decide how much; what is averaged are the values.")
def averages_keys(Q, K, V):
    return softmax(Q @ K.T) @ K


@ATTENTION.mistake("weights @ Q", "Queries only ask; what is averaged are the values.")
def averages_queries(Q, K, V):
    return softmax(Q @ K.T) @ Q


@ATTENTION.mistake("A * V", "`*` multiplies number by number. A weighted average of rows is a matrix product.")
def values_number_by_number(Q, K, V):
    return softmax(Q @ K.T) * V


@ATTENTION.mistake("A @ V.T", "The values to be averaged are the rows of V, as they stand. Here they are columns.")
def averages_columns(Q, K, V):
    return softmax(Q @ K.T) @ V.T


@ATTENTION.mistake("V + A @ V", "The token's own value is added to the average. It has its share in the average already, as every other value.")
def with_its_own_value(Q, K, V):
    return V + softmax(Q @ K.T) @ V


@ATTENTION.mistake("Q + A @ V", "The query is added to the average. Queries only ask: none of them is sent on.")
def with_its_query(Q, K, V):
    return Q + softmax(Q @ K.T) @ V


@ATTENTION.mistake("divided by √d_k, which comes later",
                   "There is a division by the square root of d_k. Its reason comes in notebook 03; leave it out here.")
def already_scaled(Q, K, V):
    return scaled_dot_product_attention(Q, K, V)[0]


@ATTENTION.mistake("divided by d_k", "There is a division by d_k. Something like it comes in notebook 03; here the scores stay as they are.")
def divided_by_width(Q, K, V):
    return scaled_dot_product_attention(Q, K, V, scale=1 / Q.shape[1])[0]


@ATTENTION.mistake("softmax missing", "The scores are used as they are. They must become weights that sum to 1 in each row.")
def weighted_by_scores(Q, K, V):
    return Q @ K.T @ V


@ATTENTION.mistake("exp missing", "The scores are divided by their sum, without exp. Softmax makes them positive first.")
def shares_of_scores(Q, K, V):
    S = Q @ K.T
    return S / S.sum(axis=-1, keepdims=True) @ V


@ATTENTION.mistake("the softmax at the end", "Softmax turns scores into weights. Here it is taken of the result, which needs no sum of 1.")
def softmax_at_the_end(Q, K, V):
    return softmax(Q @ K.T @ V)


@ATTENTION.mistake("the softmax of the queries", "Softmax was taken of Q before the scores. First score, then share out.")
def softmax_at_the_start(Q, K, V):
    return softmax(Q) @ K.T @ V


@ATTENTION.mistake("softmax taken twice", "The weights went through softmax once more, which flattens them. Once is enough.")
def softmax_twice(Q, K, V):
    return softmax(softmax(Q @ K.T)) @ V


@ATTENTION.mistake("weights returned", "These are the weights. One step is left: average the values with them.")
def only_weights(Q, K, V):
    return softmax(Q @ K.T)


@ATTENTION.mistake("scores returned", "These are the scores. Two steps are left: make weights of them, and average the values.")
def only_scores(Q, K, V):
    return Q @ K.T


@ATTENTION.mistake("weights returned as well", "The output is right. Asked is the output alone, without the weights.")
def both_returned(Q, K, V):
    return softmax(Q @ K.T) @ V, softmax(Q @ K.T)


@ATTENTION.mistake("only the best key", "Each query takes the value of a single key. Softmax is softer: every key gets a share.")
def hardest(Q, K, V):
    return V[(Q @ K.T).argmax(axis=1)]


@ATTENTION.mistake("every key alike", "Every key gets the same weight here. The scores should decide.")
def plain_mean(Q, K, V):
    return np.repeat(V.mean(axis=0, keepdims=True), len(Q), axis=0)


@ATTENTION.mistake("the first query only", "Only the first query's output comes back. Does the `return` stand inside the loop?")
def one_query(Q, K, V):
    return (softmax(Q @ K.T) @ V)[0]


@ATTENTION.mistake("V @ A", "The weights stand on the wrong side, where they mix features. On the left they mix tokens.")
def weights_on_the_right(Q, K, V):
    return V @ softmax(Q @ K.T)


@ATTENTION.mistake("only the last key's share", "What came last took the place of what was there. An average adds up the shares of all keys.")
def last_share(Q, K, V):
    return softmax(Q @ K.T)[:, -1:] * V[-1]


@ATTENTION.mistake("the last key left out", "The sum stops one key early. A range ends before its last number.")
def without_the_last(Q, K, V):
    return softmax(Q @ K.T)[:, :-1] @ V[:-1]


@ATTENTION.mistake("the first key left out", "The sum begins one key late. Python counts from 0.")
def without_the_first(Q, K, V):
    return softmax(Q @ K.T)[:, 1:] @ V[1:]


@ATTENTION.mistake("not divided by the sum", "exp makes the scores positive. Weights sum to 1 in each row as well: a division is missing.")
def exponentials_average(Q, K, V):
    return np.exp(Q @ K.T) @ V


@ATTENTION.mistake("shifted, but not divided by the sum",
                   "exp of the shifted scores is positive and at most 1. Weights sum to 1 in each row: a division is missing.")
def shifted_exponentials_average(Q, K, V):
    S = Q @ K.T
    return np.exp(S - S.max(axis=-1, keepdims=True)) @ V


@ATTENTION.mistake("keepdims forgotten",
                   "The sums have lost an axis, so NumPy lays them along the columns. Keep the axis: then each sum divides its own row.")
def sums_along_the_wrong_side(Q, K, V):
    e = np.exp(Q @ K.T)
    return e / e.sum(axis=-1) @ V


@ATTENTION.mistake("keepdims forgotten in both places",
                   "The maxima and the sums have lost an axis, so NumPy lays them along the columns. Keep the axis in both.")
def both_along_the_wrong_side(Q, K, V):
    S = Q @ K.T
    e = np.exp(S - S.max(axis=-1))
    return e / e.sum(axis=-1) @ V


@ATTENTION.mistake("divided by √T", "The scores are divided by the root of how many keys there are. Here they stay as they are.")
def scaled_by_keys(Q, K, V):
    return attention(Q / np.sqrt(len(K)), K, V)


@ATTENTION.mistake("the softmax of the values", "Softmax was taken of the values, too. They are averaged as they are.")
def softmax_of_the_values(Q, K, V):
    return softmax(Q @ K.T) @ softmax(V)


@ATTENTION.mistake("values asking", "The scores are those of values with keys. Who asks are the queries.")
def values_ask(Q, K, V):
    return softmax(V @ K.T) @ V


@ATTENTION.mistake("cosines in place of dot products", "The vectors were cut to length 1, so only angles count. A score is the dot product as it is.")
def by_cosine(Q, K, V):
    return attention(Q / np.linalg.norm(Q, axis=1, keepdims=True), K / np.linalg.norm(K, axis=1, keepdims=True), V)


@ATTENTION.mistake("only what came before",
                   "Each query sees only keys that stand no later than itself. That is a mask, of notebook 04; here all see all.")
def causal(Q, K, V):
    return scaled_dot_product_attention(Q, K, V, np.tri(len(Q), len(K), dtype=bool), scale=1)[0]


@ATTENTION.mistake("no max-subtraction", "exp of a large score overflows and gives NaN. Use a softmax that shifts each row first.", trap=LARGE)
def overflowing(Q, K, V):
    e = np.exp(Q @ K.T)
    return e / e.sum(axis=-1, keepdims=True) @ V


CATCH_ATTENTION = Catch(
    "catch_attention", ATTENTION, "law",
    planted=["keys and queries swapped", "softmax over queries", "weights @ K", "softmax missing",
             "divided by √d_k, which comes later", "exp missing"],
    enough=4, minutes=12, difficulty=2,
    task="Write a law that every right attention keeps, and as many wrong ones as possible break.",
    nudge="If all values are the same row, what must come out, whatever the scores are? "
          "And if one key scores higher than the other by log 3, how are their weights?",
    skeleton="""
def my_catch_attention(attention):          # a function of Q, K and V -> True or False
    Q = np.array([[0.0, np.log(3)], [0.0, 0.0]])
    K = np.eye(2)
    V = ...                                 # small numbers
    by_hand = ...                           # what each query must get
    return np.allclose(attention(Q, K, V), by_hand)
""")


def cross_attention(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, context @ W_K, context @ W_V)


def _far(X, context, W_Q, W_K, W_V):
    return 1000 * X, context, W_Q, W_K, W_V


CROSS_ATTENTION = Exercise(
    "cross_attention", cross_attention,
    inputs=[
        arrays((2, 6), (5, 6), (6, 3), (6, 3), (6, 4)),
        arrays((3, 3), (3, 3), (3, 3), (3, 3), (3, 3)),   # as many tokens here as there, all square: a mix-up does not fail
        arrays((4, 3), (4, 3), (3, 2), (3, 2), (3, 2)),
        arrays((4, 2), (3, 2), (2, 2), (2, 2), (2, 3)),
    ],
    traps={LARGE: _far(*arrays((2, 3), (5, 3), (3, 2), (3, 2), (3, 4)))},
    minutes=5, difficulty=2,
    nudge="Three projections, then attention as before. Which of the three are made of X, which of the context?",
    skeleton="""
def my_cross_attention(X, context, W_Q, W_K, W_V):
    Q = ... @ W_Q                # (T_q, d_k)   who asks?
    K = ... @ W_K                # (T_kv, d_k)  who answers?
    V = ... @ W_V                # (T_kv, d_v)  who sends?
    return ...                   # (T_q, d_v)
""")


@CROSS_ATTENTION.mistake("context ignored", "This is self-attention: X asks X. Keys and values come from the context.", unused_arguments="context")
def self_attention(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, X @ W_K, X @ W_V)


@CROSS_ATTENTION.mistake("X ignored", "Here the context asks itself. The questions are those of X.", unused_arguments="X")
def context_alone(X, context, W_Q, W_K, W_V):
    return attention(context @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("roles reversed", "Here the context asks and X answers. X asks; the context answers and sends.")
def context_asks(X, context, W_Q, W_K, W_V):
    return attention(context @ W_Q, X @ W_K, X @ W_V)


@CROSS_ATTENTION.mistake("values from X", "Who answers also sends: keys and values both come from the context.")
def values_of_the_asker(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, context @ W_K, X @ W_V)


@CROSS_ATTENTION.mistake("keys from X", "Who sends must also be the one who answers: keys and values both come from the context.")
def keys_of_the_asker(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, X @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("X among the keys", "X and the context were put together, so X answers itself, too. Here only the context answers.")
def asked_together(X, context, W_Q, W_K, W_V):
    both = np.concatenate([X, context])
    return attention(X @ W_Q, both @ W_K, both @ W_V)


@CROSS_ATTENTION.mistake("queries and keys swapped", "Two matrices changed places: W_Q is for those who ask, W_K for those who answer.")
def matrices_swapped(X, context, W_Q, W_K, W_V):
    return attention(X @ W_K, context @ W_Q, context @ W_V)


@CROSS_ATTENTION.mistake("keys and values swapped", "Queries meet keys; values are what is averaged. Here it is the other way round.")
def keys_sent(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, context @ W_V, context @ W_K)


@CROSS_ATTENTION.mistake("queries not projected", "X asks with its queries, and W_Q makes them.")
def raw_queries_across(X, context, W_Q, W_K, W_V):
    return attention(X, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("keys not projected", "The context answers with its keys, and W_K makes them.")
def raw_keys_across(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, context, context @ W_V)


@CROSS_ATTENTION.mistake("values not projected", "The context itself is averaged. What it sends are its values, and W_V makes them.")
def raw_values_across(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, context @ W_K, context)


@CROSS_ATTENTION.mistake("nothing projected", "X and the context are used as they are. Each of the three jobs has a matrix.")
def raw_across(X, context, W_Q, W_K, W_V):
    return attention(X, context, context)


@CROSS_ATTENTION.mistake("one matrix for queries and keys", "X and the context go through the same matrix. Keys have a matrix of their own.")
def same_matrix_across(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, context @ W_Q, context @ W_V)


@CROSS_ATTENTION.mistake("W times X", "Tokens are rows, so W belongs on the other side: where it stands now it mixes tokens instead of features.")
def matrices_on_the_left(X, context, W_Q, W_K, W_V):
    return attention(W_Q @ X, W_K @ context, W_V @ context)


@CROSS_ATTENTION.mistake("weights @ K", "Keys only decide how much; what is averaged are the values.")
def averages_keys_across(X, context, W_Q, W_K, W_V):
    return averages_keys(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("softmax over queries", "For each query the weights over the context sum to 1. Which axis runs over the keys?")
def keys_share_out_across(X, context, W_Q, W_K, W_V):
    return keys_share_out(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("weights transposed", "The weights are turned before they average. Rows are queries; they need no transpose.")
def weights_turned_across(X, context, W_Q, W_K, W_V):
    return weights_turned(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("softmax missing", "The scores are used as they are. They must become weights that sum to 1 in each row.")
def weighted_by_scores_across(X, context, W_Q, W_K, W_V):
    return weighted_by_scores(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("X + A @ V", "X itself is added to what comes from the context. That comes in notebook 06; here the average stands alone.")
def with_a_skip(X, context, W_Q, W_K, W_V):
    return X + cross_attention(X, context, W_Q, W_K, W_V)


@CROSS_ATTENTION.mistake("divided by √d_k, which comes later",
                         "There is a division by the square root of d_k. Its reason comes in notebook 03; leave it out here.")
def already_scaled_across(X, context, W_Q, W_K, W_V):
    return already_scaled(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("weights returned", "These are the weights. One step is left: average the values with them.")
def only_weights_across(X, context, W_Q, W_K, W_V):
    return only_weights(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("weights returned as well", "The output is right. Asked is the output alone, without the weights.")
def both_returned_across(X, context, W_Q, W_K, W_V):
    return both_returned(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("queries and keys not projected",
                         "The scores compare X and the context as they are. W_Q and W_K make queries and keys of them.")
def raw_scores_across(X, context, W_Q, W_K, W_V):
    return attention(X, context, context @ W_V)


@CROSS_ATTENTION.mistake("keys and values not projected", "The context answers and sends as it is. W_K and W_V make keys and values of it.")
def raw_context_across(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, context, context)


@CROSS_ATTENTION.mistake("queries and values not projected", "X asks as it is, and the context sends as it is. W_Q and W_V belong there.")
def raw_ends_across(X, context, W_Q, W_K, W_V):
    return attention(X, context @ W_K, context)


@CROSS_ATTENTION.mistake("no transpose", "Each score is the dot product of a query with a key. In `@` the keys must stand as columns.")
def keys_not_transposed_across(X, context, W_Q, W_K, W_V):
    return keys_not_transposed(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("features compared instead of tokens", "Here features meet features. Tokens are rows, and the scores are (T_q, T_kv).")
def features_compared_across(X, context, W_Q, W_K, W_V):
    return features_compared(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("one matrix for keys and values",
                         "Keys went through the matrix of the values. What the context answers to and what it sends are two jobs.")
def values_matrix_twice(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q, context @ W_V, context @ W_V)


@CROSS_ATTENTION.mistake("the context asks", "The scores are right, but turned: their rows are the context's. Queries are rows, keys are columns.")
def keys_ask_across(X, context, W_Q, W_K, W_V):
    return keys_ask(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("one softmax for the whole table", "All weights together sum to 1. Each query shares out a whole 1 of its own: row by row.")
def one_competition_across(X, context, W_Q, W_K, W_V):
    return one_competition(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("not divided by the sum", "exp makes the scores positive. Weights sum to 1 in each row as well: a division is missing.")
def exponentials_average_across(X, context, W_Q, W_K, W_V):
    return exponentials_average(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("exp missing", "The scores are divided by their sum, without exp. Softmax makes them positive first.")
def shares_of_scores_across(X, context, W_Q, W_K, W_V):
    return shares_of_scores(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("keepdims forgotten",
                         "The sums have lost an axis, so NumPy lays them along the columns. Keep the axis: then each sum divides its own row.")
def sums_along_the_wrong_side_across(X, context, W_Q, W_K, W_V):
    return sums_along_the_wrong_side(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("the softmax at the end", "Softmax turns scores into weights. Here it is taken of the result, which needs no sum of 1.")
def softmax_at_the_end_across(X, context, W_Q, W_K, W_V):
    return softmax_at_the_end(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("softmax taken twice", "The weights went through softmax once more, which flattens them. Once is enough.")
def softmax_twice_across(X, context, W_Q, W_K, W_V):
    return softmax_twice(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("A * V", "`*` multiplies number by number. A weighted average of rows is a matrix product.")
def values_number_by_number_across(X, context, W_Q, W_K, W_V):
    return values_number_by_number(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("weights @ Q", "Queries only ask; what is averaged are the values.")
def averages_queries_across(X, context, W_Q, W_K, W_V):
    return averages_queries(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("divided by d_k", "There is a division by d_k. Something like it comes in notebook 03; here the scores stay as they are.")
def divided_by_width_across(X, context, W_Q, W_K, W_V):
    return divided_by_width(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("scores returned", "These are the scores. Two steps are left: make weights of them, and average the values.")
def only_scores_across(X, context, W_Q, W_K, W_V):
    return only_scores(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("only the best key", "Each query takes the value of a single key. Softmax is softer: every key gets a share.")
def hardest_across(X, context, W_Q, W_K, W_V):
    return hardest(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("only the last key's share", "What came last took the place of what was there. An average adds up the shares of all keys.")
def last_share_across(X, context, W_Q, W_K, W_V):
    return last_share(X @ W_Q, context @ W_K, context @ W_V)


@CROSS_ATTENTION.mistake("matrix transposed",
                         "W has a row for each feature that goes in and a column for each that comes out. It needs no transpose.")
def matrices_turned(X, context, W_Q, W_K, W_V):
    return attention(X @ W_Q.T, context @ W_K.T, context @ W_V.T)


@CROSS_ATTENTION.mistake("no max-subtraction", "exp of a large score overflows and gives NaN. Use a softmax that shifts each row first.", trap=LARGE)
def overflowing_across(X, context, W_Q, W_K, W_V):
    return overflowing(X @ W_Q, context @ W_K, context @ W_V)


def matrix_slopes(X, W, dY):
    return dY @ W.T, X.T @ dY


MATRIX_SLOPES = Exercise(
    "matrix_slopes", matrix_slopes,
    inputs=[
        arrays((5, 4), (4, 3), (5, 3)),
        arrays((3, 3), (3, 3), (3, 3)),                   # all square: a missing transpose does not fail, it goes wrong
        (np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 2.0]])),
        arrays((2, 3), (3, 5), (2, 5)),
    ],
    minutes=8, difficulty=2,
    nudge="dX has the shape of X, dW that of W. And who meets a number of X on its way to the loss: which numbers of W, which of dY?",
    skeleton="""
def my_matrix_slopes(X, W, dY):       # (n, D), (D, k), (n, k): the slopes at Y = X @ W
    dX = ...                          # (n, D)  each slope of Y, sent back through W
    dW = ...                          # (D, k)  a sum over the n rows of X
    return dX, dW
""")


@MATRIX_SLOPES.mistake("the two in the wrong order", "Both are right. First come the slopes of X, then those of W.")
def slopes_swapped(X, W, dY):
    return X.T @ dY, dY @ W.T


@MATRIX_SLOPES.mistake("W not transposed", "W led from X to Y. The way back goes through it from the other side: its columns become rows.")
def w_as_it_stands(X, W, dY):
    return dY @ W, X.T @ dY


@MATRIX_SLOPES.mistake("X not transposed", "A number of W meets a whole column of X, one number a row. To sum over the rows, X must be turned.")
def x_as_it_stands(X, W, dY):
    return dY @ W.T, X @ dY


@MATRIX_SLOPES.mistake("neither transposed", "W and X stand as they did on the way forward. On the way back each of them is turned.")
def both_as_they_stand(X, W, dY):
    return dY @ W, X @ dY


@MATRIX_SLOPES.mistake("W on the wrong side", "Here W mixes the rows of dY. Each goes back by itself: W stands on the right, as on the way forward.")
def w_on_the_left(X, W, dY):
    return W.T @ dY, X.T @ dY


@MATRIX_SLOPES.mistake("X on the wrong side", "Here X mixes the columns of dY. X stood on the left on the way forward, and does so on the way back.")
def x_on_the_right(X, W, dY):
    return dY @ W.T, dY @ X.T


@MATRIX_SLOPES.mistake("both on the wrong side", "X stood on the left and W on the right on the way forward. They keep their sides.")
def both_on_the_wrong_side(X, W, dY):
    return W.T @ dY, dY @ X.T


@MATRIX_SLOPES.mistake("X and W mixed up", "The slopes of X go through W, those of W through X. Here it is the other way round.")
def each_through_itself(X, W, dY):
    return dY @ X.T, W.T @ dY


@MATRIX_SLOPES.mistake("dW turned", "The slopes of W are right, but the table is turned. It has the shape of W.")
def dw_turned(X, W, dY):
    return dY @ W.T, dY.T @ X


@MATRIX_SLOPES.mistake("dX turned", "The slopes of X are right, but the table is turned. It has the shape of X.")
def dx_turned(X, W, dY):
    return W @ dY.T, X.T @ dY


@MATRIX_SLOPES.mistake("both turned", "Both tables are right but turned. Slopes have the shape of what they belong to.")
def both_turned(X, W, dY):
    return W @ dY.T, dY.T @ X


@MATRIX_SLOPES.mistake("Y in place of dY", "What comes back is the loss's slopes at Y. Here Y itself is sent back.")
def product_sent_back(X, W, dY):
    return X @ W @ W.T, X.T @ X @ W


@MATRIX_SLOPES.mistake("dY forgotten", "Here every number of Y counts 1. How much the loss cares for each of them stands in dY.")
def all_slopes_one(X, W, dY):
    return np.ones_like(dY) @ W.T, X.T @ np.ones_like(dY)


@MATRIX_SLOPES.mistake("averaged over the rows",
                       "The slopes of W are divided by the number of rows. Each row adds its part; an average would be the loss's business.")
def averaged_over_rows(X, W, dY):
    return dY @ W.T, X.T @ dY / len(X)


@MATRIX_SLOPES.mistake("the first row only", "W is used by every row of X, so every row adds to its slopes. Here only the first does.")
def first_row_only(X, W, dY):
    return dY @ W.T, np.outer(X[0], dY[0])


@MATRIX_SLOPES.mistake("dY * W", "`*` multiplies number by number. On the way back stand matrix products, as on the way forward.")
def slopes_number_by_number(X, W, dY):
    return dY * W, X * dY


@MATRIX_SLOPES.mistake("the way undone", "The inverse would undo the product. A slope is not undone but sent on: it is multiplied once more.")
def undone(X, W, dY):
    return dY @ np.linalg.pinv(W), np.linalg.pinv(X) @ dY


@MATRIX_SLOPES.mistake("sign turned", "The sign is turned. That is the direction of a step downhill; asked are the slopes.")
def downhill(X, W, dY):
    return -dY @ W.T, -X.T @ dY


@MATRIX_SLOPES.mistake("a step taken already", "Here X and W have been moved. Asked are the slopes alone.")
def stepped(X, W, dY):
    return X - dY @ W.T, W - X.T @ dY


@MATRIX_SLOPES.mistake("only dX", "The slopes of X are right. Asked are those of W as well.")
def x_alone(X, W, dY):
    return dY @ W.T


@MATRIX_SLOPES.mistake("only dW", "The slopes of W are right. Asked are those of X as well, and before them.")
def w_alone(X, W, dY):
    return X.T @ dY


@MATRIX_SLOPES.mistake("the product itself", "This is Y. Asked is the way back: from the slopes at Y to those at X and at W.")
def forward_again(X, W, dY):
    return X @ W


ANIMAL = SENTENCES["animal"]
X_ANIMAL = embed(ANIMAL)
ASKED, ALIKE = softmax(X_ANIMAL @ W_Q @ (X_ANIMAL @ W_K).T), softmax(X_ANIMAL @ X_ANIMAL.T)
NOTE = Reading(
    "note_02",
    "A lecture note says: “The output of token i is its value V_i, moved towards the values of similar tokens.” Below are the weights of "
    "“I love bears” by queries and keys. By the dot products of the vectors themselves the row of “love” would be "
    f"{', '.join(f'{weight:.2f}' for weight in ALIKE[1])}. Which sentence mends the note?",
    options=[
        ("The output is the value V_i, moved towards the values of those tokens whose keys fit the query.",
         f"Keys that fit decide, but the output does not start from V_i. “love” gives itself {ASKED[1, 1]:.2f} and “bears” {ASKED[1, 2]:.2f}: "
         "its own value is one of three and has no special place."),
        ("The output is an average of all values, and those of the most similar tokens weigh most.",
         f"An average of all values it is. By similarity “love” would keep {ALIKE[1, 1]:.2f} for itself; in the table it keeps {ASKED[1, 1]:.2f}: "
         "a query and a key meet, not two words that are alike."),
        ("The output is an average of all values, weighted by how well each key fits the query.",
         "The row of the query with all keys gives the weights, and V_i is in it with no more than its share."),
        ("The output is the token's own vector x_i, moved towards the values of the fitting keys.",
         "Attention by itself does not add x_i. A transformer's block does so, around it (notebook 06)."),
    ],
    right="C", minutes=4, difficulty=2,
    picture=heat(ASKED, ANIMAL, ANIMAL))

WHICH_SHAPE = Reading(
    "which_shape_02",
    "`X` (2, 8) asks and `context` (5, 6) answers. `W_Q` is (8, 3), `W_K` (6, 3), `W_V` (6, 4). Which shapes have the weights and the output?",
    options=[
        ("weights (5, 2), output (5, 4)", "Rows are those who ask. Here the context would ask and X answer."),
        ("weights (2, 5), output (2, 4)", "Two queries score five keys; each gets an average of values, which are 4 wide."),
        ("weights (2, 5), output (2, 8)", "The weights are right. What is averaged are values, and W_V made them 4 wide, whatever X was."),
        ("weights (3, 3), output (3, 4)", "3 is the width of a query and a key. The dot product sums over it: tokens meet tokens here."),
    ],
    right="B", minutes=2, difficulty=2)


EXERCISES = [PROJECT, ATTENTION, CATCH_ATTENTION, CROSS_ATTENTION, WHICH_SHAPE, MATRIX_SLOPES, NOTE]

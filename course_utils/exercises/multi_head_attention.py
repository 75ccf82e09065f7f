"""The exercises of notebook 05: splitting and merging heads, and all of multi-head attention."""

import numpy as np

from course_utils import attention as course
from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.exercises.checking import Exercise

RNG = np.random.default_rng(5)


def split_heads(X, n_heads):
    return course.split_heads(X, n_heads)


SPLIT = Exercise("split_heads", split_heads, inputs=[(RNG.normal(size=(4, 4)), 2), (RNG.normal(size=(3, 6)), 2), (RNG.normal(size=(5, 3)), 1)])


@SPLIT.mistake("reshaped without a transpose",
               "reshape fills row after row, so heads and tokens get mixed. Split the features first, then bring the heads to the front.")
def reshaped_only(X, n_heads):
    return X.reshape(n_heads, len(X), -1)


@SPLIT.mistake("heads split over tokens", "Here each head gets some of the tokens. Every head sees all tokens, and some of the features.")
def some_tokens_each(X, n_heads):
    return np.stack(np.array_split(X, n_heads)) if len(X) % n_heads == 0 else X[None]


@SPLIT.mistake("heads in the middle", "The features are split, but the axes stand as (T, H, d). Bring the heads to the front: (H, T, d).")
def tokens_first(X, n_heads):
    return X.reshape(len(X), n_heads, -1)


@SPLIT.mistake("every second feature", "Head 0 gets the first d features, not every H-th of them.")
def interleaved(X, n_heads):
    return X.reshape(len(X), -1, n_heads).transpose(2, 0, 1)


@SPLIT.mistake("tokens and features swapped", "Each head should be (T, d), tokens as rows. Here it is (d, T).")
def transposed_heads(X, n_heads):
    return X.T.reshape(n_heads, -1, len(X))


def merge_heads(X):
    return course.merge_heads(X)


MERGE = Exercise("merge_heads", merge_heads, inputs=[(RNG.normal(size=(2, 4, 2)),), (RNG.normal(size=(3, 4, 2)),)])


@MERGE.mistake("merged without the transpose",
               "reshape fills row after row, so a row gets pieces of several tokens. Put the token axis first, then merge.")
def reshaped_back(X):
    H, T, d = X.shape
    return X.reshape(T, H * d)


@MERGE.mistake("heads averaged", "An average throws away what makes heads different. Lay them side by side.")
def averaged(X):
    return X.mean(axis=0)


@MERGE.mistake("heads added",
               "A sum throws away what makes heads different. Lay them side by side; W_O does the adding, each head by its own matrix.")
def added(X):
    return X.sum(axis=0)


@MERGE.mistake("heads below each other", "Here the table has H times as many rows. Heads stand side by side: each token keeps one row.")
def stacked(X):
    return np.concatenate(list(X), axis=0)


@MERGE.mistake("features interleaved", "A token's row holds all of head 0, then all of head 1. Here their features take turns.")
def taking_turns(X):
    return X.transpose(1, 2, 0).reshape(X.shape[1], -1)


def multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads)[0]


def _matrices(T, D, d_k, d_v, H):
    return tuple(RNG.normal(size=shape) for shape in [(T, D), (D, H * d_k), (D, H * d_k), (D, H * d_v), (H * d_v, D)])


MULTI = Exercise("multi_head_attention", multi_head_attention, inputs=[
    (*_matrices(4, 4, 2, 2, 2), 2),
    (*_matrices(3, 6, 2, 3, 3), 3),
])


def _heads(X, W_Q, W_K, W_V, n_heads, scale=None):
    Q, K, V = (course.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    return scaled_dot_product_attention(Q, K, V, scale=scale)[0]                # (H, T, d_v)


@MULTI.mistake("one scale √D", "Each head's dot products run over its own d_k features. Scale by their root, not by that of the whole width.")
def scaled_by_the_whole_width(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_heads(X, W_Q, W_K, W_V, n_heads, scale=1 / np.sqrt(W_Q.shape[1]))) @ W_O


@MULTI.mistake("not scaled", "The scores are not divided by the square root of d_k, the width of a head.")
def unscaled(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_heads(X, W_Q, W_K, W_V, n_heads, scale=1)) @ W_O


@MULTI.mistake("heads merged without the transpose",
               "The heads are right, but put together so that rows mix tokens. (H, T, d) becomes (T, H, d) before it becomes (T, H*d).")
def merged_wrongly(X, W_Q, W_K, W_V, W_O, n_heads):
    return _heads(X, W_Q, W_K, W_V, n_heads).reshape(len(X), -1) @ W_O


@MULTI.mistake("heads split over tokens",
               "A plain reshape to (H, T, d) mixes tokens and features. Split the features first, then bring the heads to the front.")
def split_wrongly(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = ((X @ W).reshape(n_heads, len(X), -1) for W in (W_Q, W_K, W_V))
    return course.merge_heads(scaled_dot_product_attention(Q, K, V)[0]) @ W_O


@MULTI.mistake("heads averaged", "The blocks of W_O add the heads up. Nothing is divided by their number.")
def mean_of_heads(X, W_Q, W_K, W_V, W_O, n_heads):
    return multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads) / n_heads


@MULTI.mistake("one head only", "This is a single head of full width. Split queries, keys and values into n_heads first.")
def single_head(X, W_Q, W_K, W_V, W_O, n_heads):
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)[0] @ W_O


@MULTI.mistake("W_O forgotten", "The heads stand side by side. One matrix is left, which mixes them back into the model's width.")
def not_mixed(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_heads(X, W_Q, W_K, W_V, n_heads))


@MULTI.mistake("softmax over queries", "For each query the weights over the keys sum to 1: softmax over the last axis.")
def keys_share_out(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (course.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    return course.merge_heads(softmax(course.attention_scores(Q, K), axis=-2) @ V) @ W_O


EXERCISES = [SPLIT, MERGE, MULTI]

"""The exercises of notebook 11: the nearest words of a word, and one vector for a sentence."""

import numpy as np

from course_utils.exercises.checking import Exercise
from course_utils.models import encoder

RNG = np.random.default_rng(11)


def nearest_words(i, vectors, k):
    return encoder.nearest_words(i, vectors, k)


def _unit(vectors, axis=-1):
    return vectors / np.linalg.norm(vectors, axis=axis, keepdims=True)


def _best(similarity, i, k):
    """The k largest numbers but number i, the largest first."""
    order = np.argsort(-similarity, kind="stable")
    return order[order != i][:k]


def _table(i, n, D, k):
    """Vectors of very different lengths, all on one side of the origin, as those of real models are."""
    return i, (RNG.normal(size=(n, D)) + 0.4) * RNG.uniform(0.3, 3, size=(n, 1)), k


NEAREST = Exercise("nearest_words", nearest_words, inputs=[_table(2, 6, 6, 3), _table(0, 12, 4, 5), _table(7, 9, 3, 1)])


@NEAREST.mistake("not divided by the lengths", "A plain dot product likes long vectors. Nearness of meaning is a matter of direction.")
def dot_products(i, vectors, k):
    return _best(vectors @ vectors[i], i, k)


@NEAREST.mistake("the word itself counted", "Every word is nearest to itself. Leave row i out.")
def itself_first(i, vectors, k):
    return np.argsort(-(_unit(vectors) @ _unit(vectors)[i]), kind="stable")[:k]


@NEAREST.mistake("the farthest words", "argsort goes upwards, so it begins with the smallest similarity.")
def farthest(i, vectors, k):
    return _best(-(_unit(vectors) @ _unit(vectors)[i]), i, k)


@NEAREST.mistake("the nearest last", "These are the right words. The nearest should come first.")
def nearest_last(i, vectors, k):
    return nearest_words(i, vectors, k)[::-1]


@NEAREST.mistake("Euclidean distance", "The distance between the ends of two arrows depends on their lengths, too. Compare directions.")
def euclidean(i, vectors, k):
    return _best(-np.linalg.norm(vectors - vectors[i], axis=1), i, k)


@NEAREST.mistake("features divided, not rows", "Each word's vector, a row, should get length 1. Here it was each feature, a column.")
def columns_normed(i, vectors, k):
    U = _unit(vectors, axis=0)
    return _best(U @ U[i], i, k)


@NEAREST.mistake("divided by the square of the lengths", "Divide by the length itself: the root of the sum of squares.")
def no_root(i, vectors, k):
    return _best(vectors @ vectors[i] / (vectors**2).sum(axis=1), i, k)


@NEAREST.mistake("similarities instead of numbers", "These are the similarities. Asked are the numbers of the rows they belong to.")
def values(i, vectors, k):
    return (_unit(vectors) @ _unit(vectors)[i])[nearest_words(i, vectors, k)]


@NEAREST.mistake("opposites counted as near", "A similarity of -1 is as far away as can be. The sign matters.")
def absolute(i, vectors, k):
    return _best(np.abs(_unit(vectors) @ _unit(vectors)[i]), i, k)


@NEAREST.mistake("counted without row i", "Taking row i out moves all later rows up by one, and their numbers no longer fit the table.")
def numbers_shifted(i, vectors, k):
    others = np.delete(_unit(vectors), i, axis=0)
    return np.argsort(-(others @ _unit(vectors)[i]), kind="stable")[:k]


@NEAREST.mistake("lengths along the features", "Each row has its own length. Make the lengths a column: keepdims=True.")
def lengths_along_features(i, vectors, k):
    U = vectors / np.resize(np.linalg.norm(vectors, axis=1), vectors.shape[1])
    return _best(U @ U[i], i, k)


def mean_pooling(states, mask):
    return (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)


def _batch(B, T, D, lengths):
    return RNG.normal(size=(B, T, D)) + 0.5, np.arange(T) < np.array(lengths)[:, None]


POOLING = Exercise("mean_pooling", mean_pooling, inputs=[_batch(4, 4, 4, [4, 2, 3, 1]), _batch(2, 5, 3, [2, 5]), _batch(1, 3, 2, [2])])


@POOLING.mistake("padding counted", "The padding is no part of the sentence. Here it is averaged in.")
def all_tokens(states, mask):
    return states.mean(axis=1)


@POOLING.mistake("divided by T", "The padding adds nothing, but it still counts: divide by the number of real tokens.")
def divided_by_the_padded_length(states, mask):
    return (states * mask[..., None]).mean(axis=1)


@POOLING.mistake("summed, not averaged", "Longer sentences get longer vectors here. A mean divides by how many tokens there are.")
def summed(states, mask):
    return (states * mask[..., None]).sum(axis=1)


@POOLING.mistake("the padding instead of the sentence", "True marks a real token. Here the others are averaged.")
def only_padding(states, mask):
    return (states * ~mask[..., None]).sum(axis=1) / np.maximum((~mask).sum(axis=1, keepdims=True), 1)


@POOLING.mistake("the first token only", "Some models take the first token for the sentence. Here the mean of all of them is asked for.")
def first(states, mask):
    return states[:, 0]


@POOLING.mistake("over the batch", "The sentences of a batch have nothing to do with each other. The mean goes over the tokens of one.")
def over_the_batch(states, mask):
    return (states * mask[..., None]).sum(axis=0) / mask.sum(axis=0)[:, None]


@POOLING.mistake("the maximum", "That is another pooling: the largest value of each feature. A mean is asked for.")
def maximum(states, mask):
    return np.where(mask[..., None], states, -np.inf).max(axis=1)


@POOLING.mistake("one count for the batch", "Each sentence has its own number of real tokens.")
def one_count(states, mask):
    return (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1).max()


@POOLING.mistake("counts along the features", "There is one count for each sentence. Make the counts a column.")
def counts_along_features(states, mask):
    return (states * mask[..., None]).sum(axis=1) / np.resize(mask.sum(axis=1), states.shape[-1])


@POOLING.mistake("all sentences counted together", "This counts the real tokens of the whole batch. Count along axis 1.")
def counted_together(states, mask):
    return (states * mask[..., None]).sum(axis=1) / mask.sum()


@POOLING.mistake("scaled to length 1", "That comes after. The plain mean is asked for.")
def scaled(states, mask):
    return _unit(mean_pooling(states, mask))


EXERCISES = [NEAREST, POOLING]

"""The exercises of notebook 11: the nearest words of a word, and one vector for a sentence."""

import numpy as np

from course_utils.cards.look import heat
from course_utils.data.bears import SENSES, load
from course_utils.diagnosis.exercise import Catch, Exercise, Reading
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


# Rows of length 8: their cosines are multiples of 1/64, and no rounding decides between equals.
A, B, C, D, E = np.array([[7.0, 3, 2, 1, 1], [6, 5, 1, 1, 1], [5, 5, 3, 2, 1], [4, 4, 4, 4, 0], [1, 2, 3, 5, 5]])
EQUAL_BEFORE, EQUAL_AFTER = "a row above row i equals it", "a row below row i equals it"

NEAREST = Exercise("nearest_words", nearest_words, inputs=[
    _table(2, 7, 5, 3),
    _table(0, 8, 8, 6),                                          # as many words as features
    _table(7, 9, 3, 1),
    (1, RNG.normal(size=(6, 4)), 5),                             # all the others, and some of them point the other way
], traps={EQUAL_BEFORE: (3, np.stack([D, A, C, A, B]), 2), EQUAL_AFTER: (1, np.stack([B, A, E, D, A]), 2)},
    minutes=10, difficulty=2,
    nudge="Three steps: the cosine of every row with row i, the numbers of the rows in order, and one of these numbers left out. Which one, and "
          "how do you know it?",
    skeleton="""def my_nearest_words(i, vectors, k):
    cosine = ...                          # (n,)  of each row with row i
    order = ...                           # (n,)  numbers of rows, the largest cosine first
    others = ...                          # (n - 1,)  without the number i
    return others[...]
""")


@NEAREST.mistake("one length for all rows", "All rows are divided by the same number, so the order is that of the plain dot products. "
                 "Each row has a length of its own.", requires="a division")
def one_length(i, vectors, k):
    return _best(vectors @ vectors[i] / np.linalg.norm(vectors), i, k)


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


@NEAREST.mistake("similarities instead of numbers", "These are cosines. Asked are the numbers of the rows they belong to.")
def values(i, vectors, k):
    return (_unit(vectors) @ _unit(vectors)[i])[nearest_words(i, vectors, k)]


@NEAREST.mistake("similarities, the word itself among them", "These are cosines. Asked are the numbers of the rows they belong to. "
                 "np.sort gives back the sorted numbers themselves, np.argsort where they stand.")
def sorted_values(i, vectors, k):
    return np.sort(_unit(vectors) @ _unit(vectors)[i])[::-1][:k]


@NEAREST.mistake("similarities, the number i looked for among them",
                 "These are cosines, and no cosine is the number of a row, i or another. "
                 "np.sort gives back the sorted numbers themselves, np.argsort where they stand.")
def sorted_values_but_i(i, vectors, k):
    cosine = np.sort(_unit(vectors) @ _unit(vectors)[i])[::-1]
    return cosine[abs(cosine - i) > 1e-9][:k]


@NEAREST.mistake("similarities, the nearest last", "These are cosines. Asked are the numbers of the rows they belong to, the nearest first. "
                 "np.sort gives back the sorted numbers themselves, np.argsort where they stand.")
def values_upwards(i, vectors, k):
    return np.sort(_unit(vectors) @ _unit(vectors)[i])[-k - 1:-1]


@NEAREST.mistake("similarities turned round", "These are cosines, times -1. Asked are the numbers of the rows they belong to. "
                 "np.sort gives back the sorted numbers themselves, np.argsort where they stand.")
def sorted_opposites(i, vectors, k):
    return -sorted_values(i, vectors, k)


@NEAREST.mistake("opposites counted as near", "A similarity of -1 is as far away as can be. The sign matters.")
def absolute(i, vectors, k):
    return _best(np.abs(_unit(vectors) @ _unit(vectors)[i]), i, k)


@NEAREST.mistake("counted without row i", "Taking row i out moves all later rows up by one, and their numbers no longer fit the table.")
def numbers_shifted(i, vectors, k):
    others = np.delete(_unit(vectors), i, axis=0)
    return np.argsort(-(others @ _unit(vectors)[i]), kind="stable")[:k]


@NEAREST.mistake("keepdims forgotten", "Each row has its own length, and the lengths were laid along the features. They should stand as a column.")
def lengths_along_features(i, vectors, k):
    U = vectors / np.linalg.norm(vectors, axis=1)
    return _best(U @ U[i], i, k)


@NEAREST.mistake("own similarity set to 0",
                 "0 is not the smallest cosine: rows that point the other way come after it, so row i is still in the order.")
def own_set_to_zero(i, vectors, k):
    cosine = _unit(vectors) @ _unit(vectors)[i]
    cosine[i] = 0
    return np.argsort(-cosine, kind="stable")[:k]


@NEAREST.mistake("the first of the order left out",
                 "A row that equals row i has the same cosine and may stand before it. Row i is known by its number, not by its place.",
                 trap=EQUAL_BEFORE)
def first_left_out(i, vectors, k):
    return np.argsort(-(_unit(vectors) @ _unit(vectors)[i]), kind="stable")[1:k + 1]


@NEAREST.mistake("the last of the order left out",
                 "A row that equals row i has the same cosine and may stand after it. Row i is known by its number, not by its place.",
                 trap=EQUAL_AFTER)
def last_left_out(i, vectors, k):
    return np.argsort(_unit(vectors) @ _unit(vectors)[i], kind="stable")[::-1][1:k + 1]


@NEAREST.mistake("equal rows left out, too",
                 "A row that equals row i is another word, and the nearest of all. Only row i itself is left out.", trap=EQUAL_BEFORE)
def equals_left_out(i, vectors, k):
    cosine = _unit(vectors) @ _unit(vectors)[i]
    order = np.argsort(-cosine, kind="stable")
    return order[cosine[order] < 1 - 1e-9][:k]


@NEAREST.mistake("not divided by the lengths, the first left out",
                 "A plain dot product likes long vectors: the largest need not even be that with row i itself. "
                 "Nearness of meaning is a matter of direction.")
def first_dot_product_left_out(i, vectors, k):
    return np.argsort(-(vectors @ vectors[i]), kind="stable")[1:k + 1]


@NEAREST.mistake("not divided by the lengths, the word itself counted",
                 "A plain dot product likes long vectors. Nearness of meaning is a matter of direction. "
                 "And row i is to be left out.")
def dot_products_with_itself(i, vectors, k):
    return np.argsort(-(vectors @ vectors[i]), kind="stable")[:k]


@NEAREST.mistake("the farthest words, the first left out",
                 "argsort goes upwards, so it begins with the smallest similarity; row i stands at the other end.")
def farthest_but_one(i, vectors, k):
    return np.argsort(_unit(vectors) @ _unit(vectors)[i], kind="stable")[1:k + 1]


@NEAREST.mistake("one row too many", "Row i is the first of them. Leave it out, and k are left.")
def with_itself(i, vectors, k):
    return itself_first(i, vectors, k + 1)


@NEAREST.mistake("all rows", "The order is right, row i is left out. Only the first k are asked for.")
def not_cut(i, vectors, k):
    return nearest_words(i, vectors, len(vectors))


@NEAREST.mistake("all rows, the word itself among them", "The order is right. Row i itself is to be left out, and only k rows are asked for.")
def whole_order(i, vectors, k):
    return itself_first(i, vectors, len(vectors))


@NEAREST.mistake("vectors instead of numbers", "These are the vectors of the right rows. Asked are the numbers of the rows.")
def rows_themselves(i, vectors, k):
    return vectors[nearest_words(i, vectors, k)]


@NEAREST.mistake("sums of absolute values as lengths", "A length is the root of the sum of squares. Here the absolute values were added up.")
def other_lengths(i, vectors, k):
    return _best(vectors @ vectors[i] / np.abs(vectors).sum(axis=1), i, k)


@NEAREST.mistake("places in the order", "argsort was taken twice, or its result read the wrong way: these are places in the order, not rows.")
def ranks(i, vectors, k):
    order = np.argsort(-(_unit(vectors) @ _unit(vectors)[i]), kind="stable")
    return np.argsort(order, kind="stable")[:k]


@NEAREST.mistake("in the order of the table", "These are the right rows, in the order of their numbers. The nearest should come first.")
def in_table_order(i, vectors, k):
    return np.sort(nearest_words(i, vectors, k))


@NEAREST.mistake("centred first", "The mean was subtracted, which turns a cosine into a correlation. Directions are taken from 0.")
def correlations(i, vectors, k):
    U = _unit(vectors - vectors.mean(axis=1, keepdims=True))
    return _best(U @ U[i], i, k)


@NEAREST.mistake("the mean word taken away", "The mean of all rows was subtracted first. Directions are taken from 0.")
def around_the_mean(i, vectors, k):
    U = _unit(vectors - vectors.mean(axis=0))
    return _best(U @ U[i], i, k)


@NEAREST.mistake("sums of absolute differences", "The distance between two arrows depends on their lengths, too. Compare directions.")
def city_blocks(i, vectors, k):
    return _best(-np.abs(vectors - vectors[i]).sum(axis=1), i, k)


@NEAREST.mistake("nearest to the first row", "The similarities are those with row 0. It is row i that asks.")
def nearest_to_the_first(i, vectors, k):
    U = _unit(vectors)
    return _best(U @ U[0], i, k)


@NEAREST.mistake("multiplied by the lengths", "Long vectors count twice over. Which operation takes the length out of a dot product?")
def multiplied_by_lengths(i, vectors, k):
    return _best(vectors @ vectors[i] * np.linalg.norm(vectors, axis=1), i, k)


def mean_pooling(states, mask):
    return (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)


def _batch(B, T, D, lengths):
    return RNG.normal(size=(B, T, D)) + 0.5, np.arange(T) < np.array(lengths)[:, None]


IN_FRONT = "the padding stands in front"

POOLING = Exercise("mean_pooling", mean_pooling, inputs=[
    _batch(2, 5, 3, [2, 4]),
    _batch(4, 4, 4, [4, 2, 3, 1]),                               # as many sentences as tokens and features
    _batch(1, 3, 2, [2]),
    _batch(3, 4, 2, [4, 4, 1]),
], traps={IN_FRONT: (RNG.normal(size=(2, 4, 3)) + 0.5, np.array([[False, False, True, True], [False, True, True, True]]))},
    minutes=5, difficulty=1,
    nudge="A mean is a sum divided by a count. Which tokens may enter the sum, and which the count? Each sentence has its own.",
    skeleton="""def my_mean_pooling(states, mask):
    real = ...                            # (batch, T, D)  0 where there is padding
    count = ...                           # (batch, 1)  real tokens of each sentence
    return ...                            # (batch, D)
""")


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


@POOLING.mistake("keepdims forgotten", "There is one count for each sentence, and they were laid along the features. They should stand as a column.")
def counts_along_features(states, mask):
    return (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1)


@POOLING.mistake("all sentences counted together", "This counts the real tokens of the whole batch. Count along axis 1.")
def counted_together(states, mask):
    return (states * mask[..., None]).sum(axis=1) / mask.sum()


@POOLING.mistake("scaled to length 1", "That comes after. The plain mean is asked for.")
def scaled(states, mask):
    return _unit(mean_pooling(states, mask))


@POOLING.mistake("the first n tokens",
                 "The number of real tokens is right, but not which they are: padding may stand in front. The mask says where.", trap=IN_FRONT)
def first_tokens(states, mask):
    return np.stack([sentence[:row.sum()].mean(axis=0) for sentence, row in zip(states, mask, strict=True)])


@POOLING.mistake("no new axis for the mask",
                 "NumPy lines shapes up from the right: the mask met tokens and features instead of sentences and tokens. It needs one more axis.")
def mask_without_new_axis(states, mask):
    return (states * mask).sum(axis=1) / mask.sum(axis=1, keepdims=True)


@POOLING.mistake("no new axis for the mask, nor for the counts",
                 "NumPy lines shapes up from the right: the mask met tokens and features, and the counts met the features. "
                 "Each needs one more axis.")
def no_new_axes(states, mask):
    return (states * mask).sum(axis=1) / mask.sum(axis=1)


@POOLING.mistake("counted over the sentences", "This counts how many sentences reach each place. Count the real tokens of each sentence.")
def counted_over_sentences(states, mask):
    return (states * mask[..., None]).sum(axis=1) / mask.sum(axis=0)


@POOLING.mistake("the padding's sum over the sentence's count", "True marks a real token. The count is right, but what was added up is the padding.")
def padding_over_count(states, mask):
    return (states * ~mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)


@POOLING.mistake("the mask on the features", "The mask switches off features here. It says which tokens are real: its new axis belongs at the end.")
def mask_on_features(states, mask):
    return (states * mask[:, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)


@POOLING.mistake("one mean for the whole batch", "The real tokens of all sentences were averaged together. Each sentence has a mean of its own.")
def one_mean(states, mask):
    return states[mask].mean(axis=0)


@POOLING.mistake("over the features", "The features of each token were averaged. The tokens are what is averaged; the features stay.")
def over_features(states, mask):
    return (states * mask[..., None]).mean(axis=2)


@POOLING.mistake("the last token only", "Some models take the last token for the text. Here the mean of all real ones is asked for.")
def last(states, mask):
    return states[:, -1]


@POOLING.mistake("the last real token", "Some models take the last token for the text. Here the mean of all real ones is asked for.")
def last_real(states, mask):
    return states[np.arange(len(states)), mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)]


@POOLING.mistake("padding in the sum", "The count is right: only real tokens. The sum takes the padding in as well.")
def padding_in_the_sum(states, mask):
    return states.sum(axis=1) / mask.sum(axis=1, keepdims=True)


@POOLING.mistake("count of the padding", "The sum is right. It is divided by how many tokens are padding.")
def divided_by_the_padding(states, mask):
    return (states * mask[..., None]).sum(axis=1) / (~mask).sum(axis=1, keepdims=True)


@POOLING.mistake("only masked", "The padding is 0 now. The mean over the tokens is still to be taken.")
def only_masked(states, mask):
    return states * mask[..., None]


@POOLING.mistake("root of the count", "The sum is divided by the root of how many real tokens there are. A mean divides by the number itself.")
def by_the_root(states, mask):
    return (states * mask[..., None]).sum(axis=1) / np.sqrt(mask.sum(axis=1, keepdims=True))


@POOLING.mistake("counted over the sentences, as a column",
                 "This counts how many sentences reach each place. Count the real tokens of each sentence.")
def counted_over_sentences_as_a_column(states, mask):
    return (states * mask[..., None]).sum(axis=1) / mask.sum(axis=0)[:, None]


@POOLING.mistake("features summed instead of tokens", "The features of each token were added up. The tokens are what is averaged; the features stay.")
def features_summed(states, mask):
    return (states * mask[..., None]).sum(axis=2) / mask.sum(axis=1, keepdims=True)


@POOLING.mistake("stops at the first padding",
                 "The loop ends where padding stands, and padding may stand in front. Each token has to be asked whether it is real.",
                 trap=IN_FRONT)
def stops_at_padding(states, mask):
    means = np.zeros((states.shape[0], states.shape[2]))
    for b, row in enumerate(mask):
        n = len(row) if row.all() else row.argmin()
        means[b] = states[b, :n].sum(axis=0) / n
    return means


@POOLING.mistake("softmax of the mask", "exp(0) is 1, so softmax gives the padding a share. A mean of the real tokens gives it none.")
def softmax_of_the_mask(states, mask):
    e = np.exp(mask.astype(float))
    return (states * (e / e.sum(axis=1, keepdims=True))[..., None]).sum(axis=1)


@POOLING.mistake("divided by the number of features", "The sum is right. It is divided by how many features there are, not by how many real tokens.")
def divided_by_features(states, mask):
    return (states * mask[..., None]).sum(axis=1) / states.shape[2]


@POOLING.mistake("divided by the number of sentences",
                 "The sum is right. It is divided by how many sentences there are, not by how many real tokens.")
def divided_by_sentences(states, mask):
    return (states * mask[..., None]).sum(axis=1) / len(states)


@POOLING.mistake("one token too many counted", "The sum is right. It is divided by one more than there are real tokens.")
def one_too_many(states, mask):
    return (states * mask[..., None]).sum(axis=1) / (mask.sum(axis=1, keepdims=True) + 1)


@POOLING.mistake("one token too few counted", "The sum is right. It is divided by one less than there are real tokens.")
def one_too_few(states, mask):
    with np.errstate(all="ignore"):
        return (states * mask[..., None]).sum(axis=1) / (mask.sum(axis=1, keepdims=True) - 1)


@POOLING.mistake("averaged over tokens, then divided once more",
                 "The mean over all tokens was divided by the count of the real ones. One division is enough: of the sum.")
def divided_twice(states, mask):
    return (states * mask[..., None]).mean(axis=1) / mask.sum(axis=1, keepdims=True)


@POOLING.mistake("every sentence's mask on every sentence",
                 "The product of mask and states pairs all sentences with each other. Each sentence has its own mask.")
def all_pairs(states, mask):
    return mask @ states / mask.sum(axis=1, keepdims=True)


@POOLING.mistake("the mask transposed, as a matrix",
                 "The mask was turned and multiplied as a matrix, so places of one sentence meet places of another. "
                 "It marks tokens: number by number.")
def turned_mask(states, mask):
    return mask.T @ states / mask.sum(axis=1)[:, None]


@POOLING.mistake("tokens and features averaged", "One number a sentence is left. The tokens of a sentence are what is averaged; the features stay.")
def one_number_a_sentence(states, mask):
    return np.array([sentence[row].mean() for sentence, row in zip(states, mask, strict=True)])


def _empty(states, mask):
    return None if np.asarray(mask).any(axis=-1).all() else "A sentence without a real token. It has no mean."


CATCH = Catch("catch_mean_pooling", POOLING, "input", enough=6, minutes=5, difficulty=2, planted=[
    "padding counted", "divided by T", "one count for the batch", "all sentences counted together", "the first n tokens", "the last real token",
    "padding in the sum"], unfit=_empty,
    task="Give one batch, (states, mask), on which as many wrong means as possible go wrong.",
    nudge="Sentences of unlike lengths, padding that is not 0, and not always at the end.",
    skeleton="""my_input = (
    np.array([[[...], [...], [...]],      # (2, 3, 1)  two sentences of three tokens, one feature
              [[...], [...], [...]]]),
    np.array([[..., ..., ...],            # (2, 3)  True for real tokens
              [..., ..., ...]]),
)
""")

STATES = load()["states"][:, [0, -1]].astype(float)                       # (18, 2, 384): before block 1, and after the last
KINDS = [f"{sense} {number}" for sense in ("animal", "team") for number in (1, 2)]
FOUR = [i for sense in ("animal", "sport") for i in np.flatnonzero(np.array(SENSES) == sense)[:2]]


def _cosines(layer):
    U = _unit(STATES[:, layer])
    return U @ U.T


def _mean_cosine(layer, same):
    """The mean cosine of all pairs of the same meaning, or of different ones."""
    alike = np.equal.outer(SENSES, SENSES)
    return _cosines(layer)[(alike if same else ~alike) & ~np.eye(len(SENSES), dtype=bool)].mean()


NOTE = Reading(
    "note_11",
    "A lecture note says: “Before the first block any two of the eighteen ‘bears’ have a cosine of nearly 1, after the last block much less. "
    "So the model gradually forgets that they are the same word, and loses knowledge.” Which sentence mends it?",
    [("The vectors move apart because every block adds noise to the stream, but what the word was can be read off to the end.",
      "Noise would part pairs of the same meaning as far as pairs of different ones. They part unequally."),
     ("The vectors move apart only because they grow longer from block to block; their directions stay where they were.",
      "A cosine knows nothing of lengths. That it falls means that directions change, and every block ends in a layer norm."),
     ("At the start only word and place are known; what parts the vectors is the sentence, so those of one meaning stay closer.",
      f"after the last block pairs of the same meaning have a mean cosine of {_mean_cosine(1, True):.2f}, "
      f"pairs of different ones {_mean_cosine(1, False):.2f}; "
      f"before the first {_mean_cosine(0, True):.2f} and {_mean_cosine(0, False):.2f}. That is knowledge gained from the sentence."),
     ("The vectors move apart since \"bears\" stands at another place in each sentence, and every block makes that difference larger.",
      f"The place is added before the first block, and there all pairs are alike: {_mean_cosine(0, True):.2f} and {_mean_cosine(0, False):.2f}. "
      "A place would part pairs of one meaning as far as pairs of two.")],
    right="C", minutes=5, difficulty=2)

WHICH_LAYER = Reading(
    "which_pair_11",
    "Cosines of four vectors of “bears” after the last block: two from sentences about animals, two about a team. What do they say?",
    [("Every word is nearest to itself, so the model has learned that all four are the same word.",
      "The diagonal is 1 for any vectors at all. What the model knows stands beside it."),
     ("Vectors of one meaning are nearer to each other than to those of the other meaning.",
      f"the two animals have {_cosines(1)[FOUR[0], FOUR[1]]:.2f}, the two teams {_cosines(1)[FOUR[2], FOUR[3]]:.2f}; across, it is "
      f"{_cosines(1)[np.ix_(FOUR[:2], FOUR[2:])].max():.2f} at most."),
     ("The four words attend to each other, the two animals most, as the rows show.",
      "These are no weights: rows do not sum to 1, and the four come from four sentences that never meet."),
     ("The two meanings are opposites, since their cosines are far below 1.",
      "Opposite would be -1. These are positive: all four still share what it is to be “bears”, or to be a vector of this model.")],
    right="B", picture=heat(_cosines(1)[np.ix_(FOUR, FOUR)], KINDS, KINDS))


EXERCISES = [NEAREST, POOLING, CATCH, NOTE, WHICH_LAYER]

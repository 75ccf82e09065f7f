"""The exercises of notebook 04: the causal mask, and attention under a mask."""

import numpy as np

from course_utils import attention as course
from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.cards.look import heat
from course_utils.data import SENTENCES, embed
from course_utils.diagnosis.exercise import Catch, Exercise, Reading

RNG = np.random.default_rng(4)

# Traps of masked attention.
HALF = "half precision (float16), which ends at 65504"
NOTHING = "a query that may attend to nothing"
LARGE = "scores of several thousand"


def causal_mask(T):
    return course.causal_mask(T)


CAUSAL_MASK = Exercise(
    "causal_mask", causal_mask, inputs=[(4,), (1,), (7,)],
    minutes=5, difficulty=1,
    nudge="Rows ask, columns answer. Which columns may row 2 see? Say it as a comparison of the row's number with the column's.",
    skeleton="""
def my_causal_mask(T):               # -> bool (T, T), True = may attend
    i = np.arange(T)[:, None]        # (T, 1)  the number of the row: who asks
    j = ...                          # (1, T) or (T,)  the number of the column: who answers
    return ...                       # (T, T)  a comparison
""")


@CAUSAL_MASK.mistake("strict mask", "A token may attend to itself. Without its own place the first row has nothing at all.")
def without_itself(T):
    return np.tri(T, k=-1, dtype=bool)


@CAUSAL_MASK.mistake("inverted mask", "In this course True means: may attend. Your True marks what is hidden.")
def true_means_hide(T):
    return ~np.tri(T, dtype=bool)


@CAUSAL_MASK.mistake("transposed mask", "Rows are queries, columns are keys. Your first token sees everything and your last only itself.")
def looks_ahead(T):
    return np.tri(T, dtype=bool).T


@CAUSAL_MASK.mistake("one step ahead", "Each token sees the one after it, too: the diagonal of the future is still open.")
def one_ahead(T):
    return np.tri(T, k=1, dtype=bool)


@CAUSAL_MASK.mistake("everything allowed", "Every place is True, so nobody is stopped from looking ahead.")
def all_true(T):
    return np.ones((T, T), dtype=bool)


@CAUSAL_MASK.mistake("nothing allowed", "Every place is False, so nobody sees anything.")
def all_false(T):
    return np.zeros((T, T), dtype=bool)


@CAUSAL_MASK.mistake("numbers instead of truth values",
                     "The pattern is right, but ones and zeros are numbers: as a mask they would be added. Asked are True and False.")
def ones_and_zeros(T):
    return np.tri(T)


@CAUSAL_MASK.mistake("numbers, strict", "Ones and zeros are numbers; asked are True and False. And a token may attend to itself.")
def strict_ones(T):
    return np.tri(T, k=-1)


@CAUSAL_MASK.mistake("numbers, inverted", "Ones and zeros are numbers; asked are True and False. And your ones mark what is hidden.")
def ones_where_hidden(T):
    return 1 - np.tri(T)


@CAUSAL_MASK.mistake("numbers, transposed", "Ones and zeros are numbers; asked are True and False. And your first token sees everything.")
def transposed_ones(T):
    return np.tri(T).T


@CAUSAL_MASK.mistake("an additive mask", "0 and -inf are what is added to the scores. Asked is the table of truth values.")
def zeros_and_infinities(T):
    return np.where(np.tri(T, dtype=bool), 0.0, -np.inf)


@CAUSAL_MASK.mistake("an additive mask of −1e9", "0 and −1e9 are what is added to the scores. Asked is the table of truth values.")
def zeros_and_a_billion(T):
    return np.where(np.tri(T, dtype=bool), 0.0, -1e9)


@CAUSAL_MASK.mistake("only itself", "This is the diagonal: every token alone. Everything before it may be seen, too.")
def diagonal(T):
    return np.eye(T, dtype=bool)


@CAUSAL_MASK.mistake("mirrored", "The triangle hangs in the wrong corner: your first row sees the last token.")
def mirrored(T):
    return np.fliplr(np.tri(T, dtype=bool))


@CAUSAL_MASK.mistake("one row instead of a table", "This is one row. Each query has a row of its own: (T, T).")
def one_row(T):
    return np.ones(T, dtype=bool)


@CAUSAL_MASK.mistake("the first row empty", "The first row holds nothing, so the first token does not even see itself. Python counts from 0.")
def first_row_empty(T):
    mask = np.tri(T, dtype=bool)
    mask[0] = False
    return mask


@CAUSAL_MASK.mistake("the last row empty", "The last row holds nothing. A range ends before its last number.")
def last_row_empty(T):
    mask = np.tri(T, dtype=bool)
    mask[-1] = False
    return mask


@CAUSAL_MASK.mistake("the first column empty", "Nobody sees the first token here. Python counts from 0.")
def first_column_empty(T):
    mask = np.tri(T, dtype=bool)
    mask[:, 0] = False
    return mask


@CAUSAL_MASK.mistake("only one step back", "Each token sees itself and the one before it. All that came before may be seen.")
def one_step_back(T):
    return np.tri(T, dtype=bool) & ~np.tri(T, k=-2, dtype=bool)


@CAUSAL_MASK.mistake("neighbours only",
                     "Each token sees itself and its neighbours, the next one included. What came before may be seen, all of it, and nothing after.")
def neighbours(T):
    return np.abs(np.arange(T)[:, None] - np.arange(T)) <= 1


@CAUSAL_MASK.mistake("all but itself", "Each token sees all others, those to come as well. Only what came before, and itself, may be seen.")
def all_but_itself(T):
    return ~np.eye(T, dtype=bool)


@CAUSAL_MASK.mistake("numbers, one step ahead", "Ones and zeros are numbers; asked are True and False. And the diagonal of the future is still open.")
def ones_one_ahead(T):
    return np.tri(T, k=1)


@CAUSAL_MASK.mistake("numbers, everything allowed", "Ones are numbers; asked are True and False. And nobody is stopped from looking ahead.")
def ones_everywhere(T):
    return np.ones((T, T))


@CAUSAL_MASK.mistake("an additive mask, inverted",
                     "0 and -inf are what is added to the scores. Asked is the table of truth values. And what may be seen is hidden here.")
def infinities_where_allowed(T):
    return np.where(np.tri(T, dtype=bool), -np.inf, 0.0)


def masked_attention(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask)


def _qkv(T=5, d_k=3, d_v=2, dtype=float, length=1):
    Q, K, V = (RNG.normal(size=shape).astype(dtype) for shape in [(T, d_k), (T, d_k), (T, d_v)])
    return Q * Q.dtype.type(length), K, V


LAST_TWO_ARE_PADDING = np.array([[True, True, False, False]] * 4)
FIRST_IS_PADDING = np.array([[False, True, True, True]] * 4)
FIRST_ROW_HAS_NOTHING = np.tri(4, k=-1, dtype=bool)

MASKED = Exercise(
    "masked_attention", masked_attention,
    inputs=[
        (*_qkv(), course.causal_mask(5)),
        (*_qkv(3, 3, 3), course.causal_mask(3)),               # all square: a mix-up does not fail, it goes wrong
        (*_qkv(4, 5, 2), LAST_TWO_ARE_PADDING),
        (*_qkv(4, 5, 4), FIRST_IS_PADDING),
        (*_qkv(4, 6, 2), np.array([[1, 0, 1, 1], [0, 1, 0, 0], [1, 1, 0, 1], [0, 1, 1, 0]], dtype=bool)),
    ],
    traps={
        HALF: (*_qkv(4, 3, 2, np.float16), course.causal_mask(4)),
        NOTHING: (*_qkv(4, 3, 2), FIRST_ROW_HAS_NOTHING),
        LARGE: (*_qkv(4, 3, 2, length=5000), course.causal_mask(4)),
    },
    minutes=10, difficulty=2,
    nudge="A hidden key should be as good as absent: no weight, and no part in the sum below the line. "
          "Which score does exp turn into exactly 0?",
    skeleton="""
def my_masked_attention(Q, K, V, mask):          # (T, d_k), (T, d_k), (T, d_v), bool (T, T)
    scores = ...                                 # (T, T)  scaled
    hidden = ...                                 # (T, T)  the scores, and where mask is False what exp turns into 0
    weights = softmax(hidden)                    # (T, T)  NaN in a row of nothing, by the softmax of your file
    weights = ...                                # (T, T)  zeros there: ask the mask
    return ..., weights                          # (T, d_v), (T, T)
""")


def _scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[1]).astype(Q.dtype)


def _shares(scores):
    """Softmax as one writes it at first: without care for a row of nothing."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _both(weights, V):
    return weights @ V, weights


def _hidden(Q, K, mask, minus=-np.inf):
    """The scaled scores, `minus` where the mask says no."""
    return np.where(mask, _scores(Q, K), Q.dtype.type(minus))


@MASKED.mistake("mask ignored", "Hidden keys still get weight. The mask must enter before the softmax.", unused_arguments="mask")
def no_mask(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V)


@MASKED.mistake("mask after softmax", "Zeroing weights leaves rows that no longer sum to 1, and the rest still depends on the hidden keys. "
                "Hide the scores, before they are shared out.")
def zeroed_weights(Q, K, V, mask):
    return _both(softmax(_scores(Q, K)) * mask, V)


@MASKED.mistake("mask after softmax, then divided again",
                "The softmax ran over the hidden keys, too. Where one of them is far ahead, exp leaves 0 for "
                "all that may be seen. Hide before the softmax.", trap=LARGE)
def zeroed_and_divided_again(Q, K, V, mask):
    weights = softmax(_scores(Q, K)) * mask
    total = weights.sum(axis=-1, keepdims=True)
    return _both(weights / np.where(total == 0, 1, total), V)


@MASKED.mistake("scores set to zero", "A score of 0 is an ordinary score: exp(0) = 1. Which score does exp turn into 0?")
def zeroed_scores(Q, K, V, mask):
    return _both(softmax(_scores(Q, K) * mask), V)


@MASKED.mistake("mask added as it is", "True counts as 1 here, so what may be seen scores 1 more. What may not be seen must lose everything.")
def mask_added(Q, K, V, mask):
    return _both(softmax(_scores(Q, K) + mask), V)


@MASKED.mistake("0 · ∞", "-inf is multiplied by a table of truth values. Where that table holds 0 this is 0 · ∞, which has no value: NaN. "
                "Choose between two numbers instead of multiplying.")
def zero_times_infinity(Q, K, V, mask):
    return _both(softmax(_scores(Q, K) + ~mask * -np.inf), V)


@MASKED.mistake("a small number in place of -inf", "A hidden score of -1 is an ordinary score: exp(-1) is 0.37. Which score does exp turn into 0?")
def minus_one(Q, K, V, mask):
    return _both(softmax(_hidden(Q, K, mask, -1)), V)


@MASKED.mistake("+inf in place of -inf", "exp of +inf is infinite, so what is hidden takes all the weight. Mind the sign.")
def plus_infinity(Q, K, V, mask):
    return _both(_shares(_hidden(Q, K, mask, np.inf)), V)


@MASKED.mistake("inverted mask", "True means: may attend. Here the allowed keys are hidden, and the hidden ones are seen.")
def inverted(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, ~mask)


@MASKED.mistake("inverted mask, a row of nothing gives NaN",
                "True means: may attend. Here the allowed keys are hidden, and the hidden ones are seen; where all are allowed, nothing is left.")
def inverted_with_nan(Q, K, V, mask):
    return _both(_shares(_hidden(Q, K, ~mask)), V)


@MASKED.mistake("strict mask", "A token lost sight of itself. Use the mask as it comes.")
def strict(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask & ~np.eye(*mask.shape, dtype=bool))


@MASKED.mistake("transposed mask", "Rows of the mask are queries, columns are keys, as in the scores. It needs no transpose.")
def transposed(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask.T)


@MASKED.mistake("a causal mask of its own",
                "This hides the future always, whatever mask comes. The mask is an argument: padding is hidden by it, too.")
def always_causal(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, course.causal_mask(len(Q)))


@MASKED.mistake("output and weights in the wrong order", "Both are right. The output comes first, the weights second.")
def wrong_order(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask)[::-1]


@MASKED.mistake("output alone", "The output is right. Asked are two things: the output and the weights.")
def output_alone(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask)[0]


@MASKED.mistake("weights alone", "The weights are right. Asked are two things: the output and the weights.")
def weights_alone(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask)[1]


@MASKED.mistake("weights of before the mask",
                "The output is right, but the weights are those of before the mask. Give back the ones that made the output.")
def earlier_weights(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask)[0], softmax(_scores(Q, K))


@MASKED.mistake("scores in place of weights", "The output is right. The second thing asked are the weights, not the scores.")
def scores_as_well(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask)[0], _hidden(Q, K, mask)


@MASKED.mistake("output of before the mask",
                "The weights are right, but the output was made with those of before the mask. Average with the masked ones.")
def earlier_output(Q, K, V, mask):
    return softmax(_scores(Q, K)) @ V, scaled_dot_product_attention(Q, K, V, mask)[1]


@MASKED.mistake("+1e9 in place of -1e9", "What is hidden gets the largest score of all, and takes all the weight. Mind the sign.")
def plus_a_billion(Q, K, V, mask):
    return _both(softmax(_hidden(Q, K, mask, 1e9 if Q.dtype == float else 6e4)), V)


@MASKED.mistake("-10 in place of -inf", "exp(-10) is small, but not 0: something still leaks. Which score does exp turn into exactly 0?")
def minus_ten(Q, K, V, mask):
    return _both(softmax(_hidden(Q, K, mask, -10)), V)


@MASKED.mistake("inverted mask, -1e9", "True means: may attend. Here the allowed keys get the score that hides.")
def inverted_billion(Q, K, V, mask):
    return _both(softmax(_hidden(Q, K, ~mask, -1e9 if Q.dtype == float else -np.inf)), V)


@MASKED.mistake("inverted mask, -1e9 added", "True means: may attend. Here what is allowed loses 1e9, and what should be hidden loses nothing.")
def inverted_added(Q, K, V, mask):
    return _both(softmax(_scores(Q, K) + mask * -1e9), V)


@MASKED.mistake("the mask on the scores as a product, -1e9 for all", "The mask multiplies what should be added: where it is True, the score is lost.")
def multiplied_minus(Q, K, V, mask):
    return _both(softmax(_scores(Q, K) * (~mask) * -1e9), V)


@MASKED.mistake("renormalised over queries",
                "The hidden weights are 0, but the others were divided by the sums of the columns. Each row shares out a 1 of its own.")
def shared_down_the_columns(Q, K, V, mask):
    weights = softmax(_scores(Q, K)) * mask
    return _both(weights / weights.sum(axis=0, keepdims=True), V)


@MASKED.mistake("mask after softmax, the sums along the wrong side",
                "The hidden weights are 0, but the sums of the others were laid along the columns. Each sum divides its own row.")
def renormalised_along_the_wrong_side(Q, K, V, mask):
    weights = softmax(_scores(Q, K)) * mask
    return _both(weights / weights.sum(axis=1), V)


@MASKED.mistake("values hidden instead of scores",
                "The weights are those of before the mask, so hidden keys still take their share. Hide the scores.")
def values_hidden(Q, K, V, mask):
    return (softmax(_scores(Q, K)) * mask) @ V, softmax(_scores(Q, K))


@MASKED.mistake("not divided by the sum",
                "exp makes the scores positive, and hides with 0. Weights sum to 1 in each row as well: a division is missing.")
def exponentials(Q, K, V, mask):
    return _both(np.exp(_hidden(Q, K, mask)), V)


@MASKED.mistake("shifted, but not divided by the sum",
                "exp of the shifted scores is positive and at most 1. Weights sum to 1 in each row: a division is missing.")
def shifted_exponentials(Q, K, V, mask):
    scores = _hidden(Q, K, mask)
    return _both(np.exp(scores - scores.max(axis=-1, keepdims=True)), V)


@MASKED.mistake("one softmax for the whole table", "All weights together sum to 1. Each query shares out a whole 1 of its own: row by row.")
def one_competition(Q, K, V, mask):
    e = np.exp(_hidden(Q, K, mask))
    return _both(e / e.sum(), V)


@MASKED.mistake("softmax taken twice", "The weights went through softmax once more, where a weight of 0 becomes a share again. Once is enough.")
def softmax_twice(Q, K, V, mask):
    return _both(softmax(softmax(_hidden(Q, K, mask))), V)


@MASKED.mistake("softmax before the mask, and after", "The mask stands between two softmaxes: the first has shared out already. Hide the scores.")
def mask_between(Q, K, V, mask):
    return _both(softmax(np.where(mask, softmax(_scores(Q, K)), -np.inf)), V)


@MASKED.mistake("weights transposed", "The weights are turned before they average. Rows are queries; they need no transpose.")
def weights_turned(Q, K, V, mask):
    weights = scaled_dot_product_attention(Q, K, V, mask)[1]
    return weights.T @ V, weights


@MASKED.mistake("keys and values swapped", "Queries meet keys; values are what is averaged. Here it is the other way round.")
def keys_averaged(Q, K, V, mask):
    return scaled_dot_product_attention(Q, V, K, mask)


@MASKED.mistake("no transpose", "Each score is the dot product of a query with a key. In `@` the keys must stand as columns.")
def keys_not_transposed(Q, K, V, mask):
    return _both(softmax(np.where(mask, Q @ K / np.sqrt(Q.shape[1]), -np.inf)), V)


@MASKED.mistake("V + A @ V", "The token's own value is added to the average. It has its share in the average already, as every other value.")
def with_its_own_value(Q, K, V, mask):
    output, weights = scaled_dot_product_attention(Q, K, V, mask)
    return V + output, weights


@MASKED.mistake("A * V", "`*` multiplies number by number. A weighted average of rows is a matrix product.")
def values_number_by_number(Q, K, V, mask):
    weights = scaled_dot_product_attention(Q, K, V, mask)[1]
    return weights * V, weights


@MASKED.mistake("multiplied instead of divided", "The mask is right, but the scores grow with d_k already. Multiplying makes it worse: divide.")
def multiplied_by_root(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask, scale=np.sqrt(Q.shape[1]))


@MASKED.mistake("half the width in place of its root",
                "In Python `d ** 1/2` is half of d: the power comes before the division. Where do the brackets belong?")
def divided_by_half_the_width(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask, scale=2 / Q.shape[1])


@MASKED.mistake("divided by √d_v", "The mask is right, but the scores are made of queries and keys. The width of the values does not enter.")
def divided_by_root_of_values(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask, scale=1 / np.sqrt(V.shape[1]))


@MASKED.mistake("scaled after softmax",
                "The mask is right, but scaled weights no longer sum to 1. The scale belongs to the scores, before the softmax.")
def scaled_weights(Q, K, V, mask):
    return _both(scaled_dot_product_attention(Q, K, V, mask, scale=1)[1] / np.sqrt(Q.shape[1]), V)


@MASKED.mistake("scaled twice",
                "The mask is right, and so is the root, but it divides two times over: that is a division by d_k. Once is enough.", requires="a root")
def root_twice(Q, K, V, mask):
    return scaled_dot_product_attention(Q / np.sqrt(Q.shape[1]), K, V, mask)


@MASKED.mistake("not scaled", "The mask is right, but the division by the square root of d_k is missing.")
def unscaled(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask, scale=1)


@MASKED.mistake("divided by d_k", "The mask is right, but the scores are divided by d_k. Where is the root?")
def divided_by_width(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask, scale=1 / Q.shape[1])


@MASKED.mistake("divided by √T", "The mask is right, but T is how many tokens there are. A score is a sum over the d_k features: scale by those.")
def divided_by_root_of_tokens(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, V, mask, scale=1 / np.sqrt(len(K)))


@MASKED.mistake("softmax over queries", "For each query the weights over the keys sum to 1. Keys are columns: which axis runs over them?")
def keys_share_out(Q, K, V, mask):
    return _both(softmax(_hidden(Q, K, mask), axis=0), V)


@MASKED.mistake("softmax missing", "The masked scores are used as they are. They must become weights that sum to 1 in each row.")
def no_softmax(Q, K, V, mask):
    return _both(_scores(Q, K) * mask, V)


@MASKED.mistake("keys and queries swapped", "Queries are the rows of the scores, keys the columns. Here each key asks.")
def keys_ask(Q, K, V, mask):
    return scaled_dot_product_attention(K, Q, V, mask)


@MASKED.mistake("weights @ K", "Keys only decide how much; what is averaged are the values.")
def averages_keys(Q, K, V, mask):
    return scaled_dot_product_attention(Q, K, K, mask)


@MASKED.mistake("keepdims forgotten", "The sums have lost an axis, (T,), so NumPy lays them along the columns. "
                "Keep the axis: then each sum divides its own row.")
def sums_along_the_wrong_side(Q, K, V, mask):
    scores = _hidden(Q, K, mask)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return _both(e / e.sum(axis=-1), V)


@MASKED.mistake("keepdims forgotten in both places", "The maxima and the sums have lost an axis, (T,), so NumPy lays them along the columns. "
                "Keep the axis in both: each row has its own maximum and its own sum.")
def both_along_the_wrong_side(Q, K, V, mask):
    scores = _hidden(Q, K, mask)
    e = np.exp(scores - scores.max(axis=-1))
    return _both(e / e.sum(axis=-1), V)


@MASKED.mistake("−1e9 in float16", "float16 ends at 65504, so −1e9 becomes -inf there, and 0 · -inf is NaN. "
                "Choose between two numbers instead of adding a multiple.", trap=HALF)
def added_minus_a_billion(Q, K, V, mask):
    hide = (1 - mask.astype(Q.dtype)) * Q.dtype.type(-1e9)
    return _both(_shares(_scores(Q, K) + hide), V)


@MASKED.mistake("a row of nothing spreads over what is hidden", "Where every score is the same large number, all share alike, "
                "and the query averages exactly what it must not see. Who sees nothing should receive zeros.", trap=NOTHING)
def large_negative_number(Q, K, V, mask):
    return _both(_shares(_hidden(Q, K, mask, -1e9 if Q.dtype == float else -np.inf)), V)


@MASKED.mistake("−1e9 added to a row of nothing", "Adding the same number to every score of a row changes nothing, "
                "so this query attends as if there were no mask. Who sees nothing should receive zeros.", trap=NOTHING)
def added_in_float64(Q, K, V, mask):
    return _both(softmax(_scores(Q, K) + (1 - mask) * -1e9), V)


@MASKED.mistake("row of nothing gives NaN",
                "Where all is hidden, the sum is 0, and 0/0 is NaN. Such a query sees nothing: give it zeros.", trap=NOTHING)
def zero_by_zero(Q, K, V, mask):
    return _both(_shares(_hidden(Q, K, mask)), V)


@MASKED.mistake("no max-subtraction", "exp of a large score overflows and gives NaN. Use a softmax that shifts each row first.", trap=LARGE)
def overflowing(Q, K, V, mask):
    e = np.exp(_hidden(Q, K, mask))
    total = e.sum(axis=-1, keepdims=True)
    return _both(e / np.where(total == 0, 1, total), V)


@MASKED.mistake("no max-subtraction, and a row of nothing gives NaN", "Where every score is -inf, every exp is 0, and 0/0 is NaN: "
                "give such a query zeros. After that, try large scores.", trap=NOTHING)
def overflowing_and_nan(Q, K, V, mask):
    e = np.exp(_hidden(Q, K, mask))
    return _both(e / e.sum(axis=-1, keepdims=True), V)


@MASKED.mistake("one key too far", "From the second row on, each query sees one key further than the mask allows. Is it one too many in a loop?")
def sees_one_ahead(Q, K, V, mask):
    seen = np.array(mask)
    seen[1:, 1:] |= seen[1:, :-1]
    return scaled_dot_product_attention(Q, K, V, seen)


CATCH_LEAK = Catch(
    "catch_leak", MASKED, "law",
    planted=["mask ignored", "mask after softmax", "scores set to zero", "inverted mask", "transposed mask", "one key too far"],
    enough=6, minutes=10, difficulty=3,
    task="Write a law that finds leaks: change what a causal mask hides, and look whether anybody notices.",
    nudge="Whose output may change when the last token changes? And is it enough to change its value, or does its key leak, too?",
    skeleton="""
def my_catch_leak(masked_attention):        # a function of Q, K, V and mask -> True or False
    Q, K, V = np.random.default_rng(0).normal(size=(3, 5, 2))
    mask = ...                              # nobody sees the future
    before, _ = masked_attention(Q, K, V, mask)
    K, V = K.copy(), V.copy()
    K[-1] = ...                             # another last token
    V[-1] = ...
    after, _ = masked_attention(Q, K, V, mask)
    return np.allclose(...)                 # whose outputs must be the same?
""")


SPORT = SENTENCES["sport"]
X_SPORT = embed(SPORT)
ONE_PASS = scaled_dot_product_attention(X_SPORT, X_SPORT, X_SPORT, course.causal_mask(4))[1]
PREFIX = scaled_dot_product_attention(X_SPORT[:2], X_SPORT[:2], X_SPORT[:2])[1]
NOTE = Reading(
    "note_04",
    "A lecture note says: “Because of the mask, a decoder must be trained one position after the other: first position 1, then 2, and so on.” "
    "Below are the weights of one masked pass over “bears won the game”. Without a mask, “bears won” alone gives the row of “won” as "
    f"{PREFIX[1, 0]:.2f} and {PREFIX[1, 1]:.2f}. Which sentence mends the note?",
    options=[
        ("Because of the mask, a decoder is trained on the last position only: it alone sees the whole of the text.",
         "The last row sees most, but every row predicts its next token from what it sees, and all of them are trained."),
        ("Because of the mask, a decoder is trained in as many passes as there are positions, each on a beginning.",
         "The row of “won” in the one pass holds the same numbers as a pass over “bears won” alone. Nothing is gained by several passes."),
        ("Thanks to the mask, one pass trains all positions at once, as if each saw its beginning of the text alone.",
         "The row of “won” is the same in both. The mask puts as many beginnings into one table as there are rows."),
        ("Thanks to the mask, one pass trains all positions at once, since each of them may see the whole of the text.",
         "One pass it is, but the upper corner of the table is empty: no row sees what comes after it."),
    ],
    right="C", minutes=4, difficulty=2,
    picture=heat(ONE_PASS, SPORT, SPORT))

PADDED = ["(pad)", "bears", "won", "game"]
X_PADDED = np.concatenate([np.zeros((1, 4)), embed(PADDED[1:])])
WHOSE_MASK_WEIGHTS = scaled_dot_product_attention(X_PADDED, X_PADDED, X_PADDED, course.causal_mask(4) & FIRST_IS_PADDING)[1]
WHOSE_MASK = Reading(
    "whose_mask_04",
    "Weights that you have not met: a row asks, a column answers. Which mask made them?",
    options=[
        ("Causal, and the first token padded.", "The upper corner is empty, and so is the first column. Nothing is left for the first row."),
        ("Causal, without a token's own place.", "The first row would be empty, too. But the diagonal would be 0, and “won” gives weight to itself."),
        ("Padding alone, for the first token.", "The first column is empty, as it should be. But “bears” would see “won” and “game”, too."),
        ("Causal, with rows and columns swapped.", "Then the lower corner would be empty, and the last row would see itself alone."),
    ],
    right="A", minutes=3, difficulty=2,
    picture=heat(WHOSE_MASK_WEIGHTS, PADDED, PADDED))


EXERCISES = [CAUSAL_MASK, MASKED, CATCH_LEAK, NOTE, WHOSE_MASK]

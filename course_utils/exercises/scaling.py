"""The exercises of notebook 03: softmax with a temperature, the scale and how to do without it, the softmax's Jacobian and the slopes through it."""

import numpy as np

from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.cards.look import heat
from course_utils.diagnosis.exercise import Catch, Exercise, Reading
from course_utils.diagnosis.values import FLOAT64_TOLERANCE

RNG = np.random.default_rng(3)
LARGE = "scores of several thousand"
SPREAD = "scores far apart, [1000, 0] and [0, 2000], at temperature 1"


def softmax_with_temperature(scores, temperature):
    return softmax(scores / temperature)


TEMPERATURE = Exercise(
    "softmax_with_temperature", softmax_with_temperature,
    inputs=[
        (RNG.normal(size=(3, 5)), 2.0),
        (RNG.normal(size=(4, 4)), 0.3),
        (RNG.normal(size=(2, 3)), 7.0),
    ],
    traps={
        LARGE: (np.array([[5000.0, 4990.0, 0.0], [5000.0, 5010.0, 4995.0]]), 5.0),
        SPREAD: (np.array([[1000.0, 0.0], [0.0, 1000.0], [0.0, 2000.0]]), 1.0),
    },
    minutes=3, difficulty=1,
    nudge="A high temperature flattens the weights, a low one sharpens them. Should the scores grow or shrink with it?",
    skeleton="""
def my_softmax_with_temperature(scores, temperature):    # (..., T), a number
    new_scores = ...                                     # (..., T)  closer together where it is hot
    return mine.softmax(new_scores)                      # (..., T)
""")


@TEMPERATURE.mistake("temperature forgotten",
                     "The temperature changes nothing here. Where does it enter, so that it does not cancel?", unused_arguments="temperature")
def no_temperature(scores, temperature):
    return softmax(scores)


@TEMPERATURE.mistake("the temperature as the power, not one over it",
                     "Weights to the power of the temperature are sharper where it is hot. Which power flattens them?", requires="a power")
def power_of_the_weights(scores, temperature):
    p = softmax(scores) ** temperature
    return p / p.sum(axis=-1, keepdims=True)


@TEMPERATURE.mistake("multiplied by the temperature", "A high temperature should flatten the weights. Multiplying sharpens them.")
def multiplied(scores, temperature):
    return softmax(scores * temperature)


@TEMPERATURE.mistake("temperature after the softmax",
                     "Here every row of weights sums to 1/temperature. Only before the softmax does the temperature leave the sum at 1.")
def divided_weights(scores, temperature):
    return softmax(scores) / temperature


@TEMPERATURE.mistake("weights times the temperature",
                     "Every row of weights sums to the temperature. Only before the softmax does it leave the sum at 1.")
def multiplied_weights(scores, temperature):
    return softmax(scores) * temperature


@TEMPERATURE.mistake("temperature inside exp only", "Both exps need the temperature: the one above the line and those in the sum below it.")
def only_above_the_line(scores, temperature):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.exp(shifted / temperature) / np.exp(shifted).sum(axis=-1, keepdims=True)


@TEMPERATURE.mistake("temperature below the line only", "Both exps need the temperature: those in the sum below the line and the one above it.")
def only_below_the_line(scores, temperature):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.exp(shifted) / np.exp(shifted / temperature).sum(axis=-1, keepdims=True)


@TEMPERATURE.mistake("temperature as an exponent of the weights",
                     "Weights to the power 1/temperature have the right proportions, but do not sum to 1. Before the softmax it is simpler.")
def powers(scores, temperature):
    return softmax(scores) ** (1 / temperature)


@TEMPERATURE.mistake("square root of the temperature", "The square root belongs to d_k. The temperature divides the scores as it is.")
def square_root(scores, temperature):
    return softmax(scores / np.sqrt(temperature))


@TEMPERATURE.mistake("temperature squared", "The temperature enters twice. Once is enough.")
def temperature_twice(scores, temperature):
    return softmax(scores / temperature**2)


@TEMPERATURE.mistake("scaled as well", "The scores are divided by the square root of their width, too. Here the temperature alone is asked.")
def scaled_by_width(scores, temperature):
    return softmax(scores / temperature / np.sqrt(scores.shape[-1]))


@TEMPERATURE.mistake("small scores win", "The sign is turned: the smallest score of a row gets the largest weight.")
def turned_sign(scores, temperature):
    return softmax(-scores / temperature)


@TEMPERATURE.mistake("wrong axis", "The weights of one query stand in one row. Make each row sum to 1, not each column.")
def columns_sum_to_one(scores, temperature):
    return softmax(scores / temperature, axis=0)


@TEMPERATURE.mistake("one sum for the whole table", "Every row is a competition of its own. Divide each row by a sum of its own.")
def table_sums_to_one(scores, temperature):
    e = np.exp((scores - scores.max()) / temperature)
    return e / e.sum()


@TEMPERATURE.mistake("keepdims forgotten", "The sums have lost an axis, (T,), so NumPy lays them along the columns. "
                     "Keep the axis: then each sum divides its own row.")
def sums_along_the_wrong_side(scores, temperature):
    e = np.exp((scores - scores.max(axis=-1, keepdims=True)) / temperature)
    return e / e.sum(axis=-1)


@TEMPERATURE.mistake("not divided by the sum", "exp of the divided scores is positive but does not sum to 1. One division is missing.")
def only_exp(scores, temperature):
    return np.exp(scores / temperature)


@TEMPERATURE.mistake("softmax missing", "These are the divided scores. They must become weights that sum to 1 in each row.")
def only_divided(scores, temperature):
    return scores / temperature


@TEMPERATURE.mistake("the temperature divided by the scores", "The quotient is turned over: large scores become small ones. What is divided by what?")
def turned_over(scores, temperature):
    return softmax(temperature / scores)


@TEMPERATURE.mistake("cut to whole numbers by //", "`//` cuts off what comes after the point, so different scores become equal.")
def cut_scores(scores, temperature):
    return softmax(scores // temperature)


@TEMPERATURE.mistake("keepdims forgotten in both places", "The maxima and the sums have lost an axis, (T,), so NumPy lays them along the columns. "
                     "Keep the axis in both.")
def both_along_the_wrong_side(scores, temperature):
    s = scores / temperature
    e = np.exp(s - s.max(axis=-1))
    return e / e.sum(axis=-1)


@TEMPERATURE.mistake("shifted, but not divided by the sum",
                     "The largest of each row is 1 now, and the row sums to more. What turns positive numbers into shares is still missing.")
def only_shifted(scores, temperature):
    return np.exp((scores - scores.max(axis=-1, keepdims=True)) / temperature)


@TEMPERATURE.mistake("softmax taken twice", "The weights went through softmax once more, which flattens them. Once is enough.")
def twice(scores, temperature):
    return softmax(softmax(scores / temperature))


@TEMPERATURE.mistake("the weights divided, then softmax again",
                     "The temperature divides weights that a softmax has made already, and a second one follows. It divides the scores.")
def between_two(scores, temperature):
    return softmax(softmax(scores) / temperature)


@TEMPERATURE.mistake("scores to the power of the temperature", "The temperature stands in an exponent. It divides the scores.")
def power_of_the_scores(scores, temperature):
    return softmax(scores**temperature)


@TEMPERATURE.mistake("exp of the temperature", "The scores are divided by exp of the temperature. It divides them as it is.")
def exp_of_temperature(scores, temperature):
    return softmax(scores / np.exp(temperature))


@TEMPERATURE.mistake("left transposed", "The weights are right, but rows and columns changed places on the way. Turn the table back.")
def left_transposed(scores, temperature):
    return softmax(scores / temperature).T


@TEMPERATURE.mistake("1 + temperature", "1 was added to the temperature. It divides the scores as it is.")
def one_more(scores, temperature):
    return softmax(scores / (1 + temperature))


@TEMPERATURE.mistake("minimum subtracted", "What is left after the minimum is gone may still be large, and exp overflows. "
                     "Which number must go so that nothing above 0 is left?", trap=LARGE)
def minimum_subtracted(scores, temperature):
    e = np.exp((scores - scores.min(axis=-1, keepdims=True)) / temperature)
    return e / e.sum(axis=-1, keepdims=True)


@TEMPERATURE.mistake("mean subtracted", "A score may lie far above the mean of its row, and exp overflows. "
                     "Which number must go so that nothing above 0 is left?", trap=SPREAD)
def mean_subtracted(scores, temperature):
    e = np.exp((scores - scores.mean(axis=-1, keepdims=True)) / temperature)
    return e / e.sum(axis=-1, keepdims=True)


@TEMPERATURE.mistake("maximum before the division", "The maximum is that of the scores before they were divided. "
                     "What is left is far below 0 everywhere, exp makes 0 of it, and 0/0 is NaN.", trap=LARGE)
def undivided_maximum(scores, temperature):
    e = np.exp(scores / temperature - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@TEMPERATURE.mistake("no max-subtraction",
                     "exp of a large score overflows and gives NaN. Which shift of a row changes none of its weights?", trap=LARGE)
def overflowing(scores, temperature):
    e = np.exp(scores / temperature)
    return e / e.sum(axis=-1, keepdims=True)


@TEMPERATURE.mistake("maximum of the whole table subtracted", "A row far below the table's maximum turns into 0/0. Each row has its own maximum.",
                     trap=SPREAD)
def one_maximum(scores, temperature):
    e = np.exp((scores - scores.max()) / temperature)
    return e / e.sum(axis=-1, keepdims=True)


def scaled_attention(Q, K, V):
    return scaled_dot_product_attention(Q, K, V)[0]


def _qkv(*shapes, length=1):
    Q, K, V = (RNG.normal(size=shape) for shape in shapes)
    return length * Q, K, V


SCALED = Exercise(
    "scaled_attention", scaled_attention,
    inputs=[
        _qkv((2, 3), (5, 3), (5, 7)),
        _qkv((3, 3), (3, 3), (3, 3)),
        _qkv((6, 5), (6, 5), (6, 3)),
        _qkv((2, 9), (4, 9), (4, 7)),
    ],
    traps={LARGE: _qkv((2, 3), (5, 3), (5, 7), length=3000)},
    minutes=5, difficulty=1,
    nudge="A score adds up how many products? The standard deviation of that sum grows like its square root.",
    skeleton="""
def my_scaled_attention(Q, K, V):     # (T_q, d_k), (T_kv, d_k), (T_kv, d_v)
    d_k = ...                         # which width does a score add up?
    S = ...                           # (T_q, T_kv)  of standard deviation 1 for random vectors
    return mine.softmax(S) @ V        # (T_q, d_v)
""")


def _attention(scores, V):
    return softmax(scores) @ V


@SCALED.mistake("no scale", "The scores are not scaled. They grow with the width of queries and keys: how fast?")
def unscaled(Q, K, V):
    return _attention(Q @ K.T, V)


@SCALED.mistake("scaled twice", "The root is right, but it divides two times over, which is a division by d_k itself. Once is enough.",
                requires="a root")
def root_twice(Q, K, V):
    return _attention(Q / np.sqrt(Q.shape[1]) @ (K / np.sqrt(Q.shape[1])).T, V)


@SCALED.mistake("divided by d_k", "The standard deviation of a score grows like the square root of d_k, not like d_k. Where is the root?")
def divided_by_width(Q, K, V):
    return _attention(Q @ K.T / Q.shape[1], V)


@SCALED.mistake("half the width in place of its root",
                "In Python `d ** 1/2` is half of d: the power comes before the division. Where do the brackets belong?")
def divided_by_half_the_width(Q, K, V):
    return _attention(Q @ K.T / (Q.shape[1] / 2), V)


@SCALED.mistake("twice the width in place of its root",
                "In Python `S / d ** 1/2` divides by d, then by 2: the power comes first. Where do brackets belong?")
def divided_by_twice_the_width(Q, K, V):
    return _attention(Q @ K.T / (2 * Q.shape[1]), V)


@SCALED.mistake("the fourth root of d_k",
                "The root was taken twice over, which divides by too little. Which power belongs to a standard deviation?")
def divided_by_fourth_root(Q, K, V):
    return _attention(Q @ K.T / Q.shape[1] ** 0.25, V)


@SCALED.mistake("divided by √T", "T is how many tokens there are. A score is a sum over the d_k features: scale by those.")
def divided_by_root_of_tokens(Q, K, V):
    return _attention(Q @ K.T / np.sqrt(len(K)), V)


@SCALED.mistake("divided by √T of the queries",
                "This is the root of how many queries there are. A score is a sum over the d_k features: scale by those.")
def divided_by_root_of_queries(Q, K, V):
    return _attention(Q @ K.T / np.sqrt(len(Q)), V)


@SCALED.mistake("divided by √d_v", "The scores are made of queries and keys. The width of the values does not enter.")
def divided_by_root_of_values(Q, K, V):
    return _attention(Q @ K.T / np.sqrt(V.shape[1]), V)


@SCALED.mistake("the root of how many numbers Q holds",
                "`size` counts all numbers of a table, rows times columns. A score adds up one row's worth of them.")
def divided_by_root_of_size(Q, K, V):
    return _attention(Q @ K.T / np.sqrt(Q.size), V)


@SCALED.mistake("the root of how many numbers K holds",
                "`size` counts all numbers of a table, rows times columns. A score adds up one row's worth of them.")
def divided_by_root_of_size_of_keys(Q, K, V):
    return _attention(Q @ K.T / np.sqrt(K.size), V)


@SCALED.mistake("multiplied instead of divided", "The scores grow with d_k already. Multiplying makes it worse: divide.")
def multiplied_by_root(Q, K, V):
    return _attention(Q @ K.T * np.sqrt(Q.shape[1]), V)


@SCALED.mistake("scaled after softmax", "Scaled weights no longer sum to 1. The scale belongs to the scores, before the softmax.")
def scaled_weights(Q, K, V):
    return _attention(Q @ K.T, V) / np.sqrt(Q.shape[1])


@SCALED.mistake("scaled before and after softmax", "The scores are scaled, and the weights once more, so they no longer sum to 1. Once is enough.")
def scaled_twice(Q, K, V):
    return _attention(Q @ K.T / np.sqrt(Q.shape[1]), V) / np.sqrt(Q.shape[1])


@SCALED.mistake("divided by the measured spread", "The scores are divided by the standard deviation they happen to have. "
                "The scale is fixed by the width, whatever the scores are.")
def standardised(Q, K, V):
    return _attention(Q @ K.T / (Q @ K.T).std(), V)


@SCALED.mistake("divided by the lengths",
                "The vectors were cut to length 1, so only angles count. The scale is one number for all, made of the width.")
def cosines(Q, K, V):
    S = Q @ K.T / np.linalg.norm(Q, axis=1, keepdims=True) / np.linalg.norm(K, axis=1)
    return _attention(S, V)


@SCALED.mistake("softmax over queries", "For each query the weights over the keys sum to 1. Keys are columns: which axis runs over them?")
def keys_share_out(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]), axis=0) @ V


@SCALED.mistake("softmax missing", "The scaled scores are used as they are. They must become weights that sum to 1 in each row.")
def weighted_by_scores(Q, K, V):
    return Q @ K.T / np.sqrt(Q.shape[1]) @ V


@SCALED.mistake("keys and queries swapped", "Queries are the rows of the scores, keys the columns. Here each key asks.")
def keys_ask(Q, K, V):
    return _attention(K @ Q.T / np.sqrt(Q.shape[1]), V)


@SCALED.mistake("keys and values swapped", "Queries meet keys; values are what is averaged. Here it is the other way round.")
def keys_averaged(Q, K, V):
    return _attention(Q @ V.T / np.sqrt(Q.shape[1]), K)


@SCALED.mistake("no transpose", "Each score is the dot product of a query with a key. In `@` the keys must stand as columns.")
def keys_not_transposed(Q, K, V):
    return _attention(Q @ K / np.sqrt(Q.shape[1]), V)


@SCALED.mistake("weights @ K", "Keys only decide how much; what is averaged are the values.")
def averages_keys(Q, K, V):
    return _attention(Q @ K.T / np.sqrt(Q.shape[1]), K)


@SCALED.mistake("weights returned", "These are the weights. One step is left: average the values with them.")
def only_weights(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]))


@SCALED.mistake("weights returned as well", "The output is right. Asked is the output alone, without the weights.")
def both_returned(Q, K, V):
    return scaled_dot_product_attention(Q, K, V)


@SCALED.mistake("divided by T", "T is how many tokens there are. A score is a sum over the d_k features, and there is a root.")
def divided_by_tokens(Q, K, V):
    return _attention(Q @ K.T / len(K), V)


@SCALED.mistake("divided by d_k²", "The standard deviation of a score grows like the square root of d_k. Here it is the square.")
def divided_by_the_square(Q, K, V):
    return _attention(Q @ K.T / Q.shape[1] ** 2, V)


@SCALED.mistake("divided by 2√d_k", "The scores are divided by twice the root: 2 d_k numbers enter a score, but only d_k products are added.")
def divided_by_twice_the_root(Q, K, V):
    return _attention(Q @ K.T / (2 * np.sqrt(Q.shape[1])), V)


@SCALED.mistake("divided by √(2 d_k)", "A score adds up d_k products, not 2 d_k: each takes one number of the query and one of the key.")
def divided_by_root_of_both(Q, K, V):
    return _attention(Q @ K.T / np.sqrt(2 * Q.shape[1]), V)


@SCALED.mistake("features compared instead of tokens", "Here features meet features. Tokens are rows, and the scores are (T_q, T_kv).")
def features_compared(Q, K, V):
    return _attention(Q.T @ K / np.sqrt(Q.shape[1]), V)


@SCALED.mistake("one softmax for the whole table", "All weights together sum to 1. Each query shares out a whole 1 of its own: row by row.")
def one_competition(Q, K, V):
    e = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
    return e / e.sum() @ V


@SCALED.mistake("keepdims forgotten",
                "The sums have lost an axis, so NumPy lays them along the columns. Keep the axis: then each sum divides its own row.")
def sums_laid_along_the_keys(Q, K, V):
    e = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
    return e / e.sum(axis=-1) @ V


@SCALED.mistake("keepdims forgotten in both places",
                "The maxima and the sums have lost an axis, so NumPy lays them along the columns. Keep the axis in both.")
def both_laid_along_the_keys(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(S - S.max(axis=-1))
    return e / e.sum(axis=-1) @ V


@SCALED.mistake("not divided by the sum", "exp makes the scores positive. Weights sum to 1 in each row as well: a division is missing.")
def exponentials_average(Q, K, V):
    return np.exp(Q @ K.T / np.sqrt(Q.shape[1])) @ V


@SCALED.mistake("shifted, but not divided by the sum",
                "exp of the shifted scores is positive and at most 1. Weights sum to 1 in each row: a division is missing.")
def shifted_exponentials_average(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    return np.exp(S - S.max(axis=-1, keepdims=True)) @ V


@SCALED.mistake("exp missing", "The scores are divided by their sum, without exp. Softmax makes them positive first.")
def shares_of_scores(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    return S / S.sum(axis=-1, keepdims=True) @ V


@SCALED.mistake("softmax taken twice", "The weights went through softmax once more, which flattens them. Once is enough.")
def softmax_twice(Q, K, V):
    return _attention(softmax(Q @ K.T / np.sqrt(Q.shape[1])), V)


@SCALED.mistake("the softmax at the end", "Softmax turns scores into weights. Here it is taken of the result, which needs no sum of 1.")
def softmax_at_the_end(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]) @ V)


@SCALED.mistake("softmax of the scores, then scaled, then softmax",
                "The root divides weights that a softmax has made already, and a second one follows. "
                "It divides the scores.")
def scaled_between(Q, K, V):
    return _attention(softmax(Q @ K.T) / np.sqrt(Q.shape[1]), V)


@SCALED.mistake("weights transposed", "The weights are turned before they average. Rows are queries; they need no transpose.")
def weights_turned(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])).T @ V


@SCALED.mistake("weights @ Q", "Queries only ask; what is averaged are the values.")
def averages_queries(Q, K, V):
    return _attention(Q @ K.T / np.sqrt(Q.shape[1]), Q)


@SCALED.mistake("A * V", "`*` multiplies number by number. A weighted average of rows is a matrix product.")
def values_number_by_number(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])) * V


@SCALED.mistake("V @ A", "The weights stand on the wrong side, where they mix features. On the left they mix tokens.")
def weights_on_the_right(Q, K, V):
    return V @ softmax(Q @ K.T / np.sqrt(Q.shape[1]))


@SCALED.mistake("V + A @ V", "The token's own value is added to the average. It has its share in the average already, as every other value.")
def with_its_own_value(Q, K, V):
    return V + scaled_attention(Q, K, V)


@SCALED.mistake("scores returned", "These are the scaled scores. Two steps are left: make weights of them, and average the values.")
def only_scores(Q, K, V):
    return Q @ K.T / np.sqrt(Q.shape[1])


@SCALED.mistake("only the last key's share", "What came last took the place of what was there. An average adds up the shares of all keys.")
def last_share(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]))[:, -1:] * V[-1]


@SCALED.mistake("small scores win", "The sign is turned: the key that fits least gets the largest weight.")
def least_fitting_wins(Q, K, V):
    return _attention(-Q @ K.T / np.sqrt(Q.shape[1]), V)


@SCALED.mistake("no max-subtraction", "exp of a large score overflows and gives NaN. Use a softmax that shifts each row first.", trap=LARGE)
def overflowing_attention(Q, K, V):
    e = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
    return e / e.sum(axis=-1, keepdims=True) @ V


CATCH_SCALE = Catch(
    "catch_scale", SCALED, "input",
    planted=["no scale", "divided by d_k", "half the width in place of its root", "divided by √T", "divided by √d_v",
             "the root of how many numbers Q holds", "multiplied instead of divided", "scaled after softmax"],
    enough=6, minutes=5, difficulty=2,
    task="Give queries, keys and values, (Q, K, V), on which as many wrong scales as possible go wrong.",
    nudge="Where two sizes are equal, two formulas are equal. Of which number is the half also the root?",
    skeleton="""
# Which of the sizes T_q, T_kv, d_k and d_v may be equal, so that all mistakes show?
Q = ...                        # (T_q, d_k)   for instance random numbers
K = ...                        # (T_kv, d_k)
V = ...                        # (T_kv, d_v)
my_input = (Q, K, V)
""")


def without_dividing(W_Q, W_K, rate):
    d_k = W_Q.shape[1]
    return W_Q / d_k**0.25, W_K / d_k**0.25, rate / d_k**0.5


def _as_the_same_training(came, other):
    """Other matrices in the place of those that came, where no loss ever tells them apart.

    The scores and how a step moves them hang on products of two rows alone, each of W_Q or of W_K; and the products after a step hang on
    those before. So matrices with the same products have the same scores after every step, at the same rate: both with the sign turned, or
    both rotated.
    """
    try:
        rows = [np.concatenate(matrices[:2]) for matrices in (came, other)]
        same = np.allclose(*(W @ W.T for W in rows), rtol=FLOAT64_TOLERANCE, atol=FLOAT64_TOLERANCE) and len(came[0]) == len(other[0])
    except ValueError:                       # other shapes
        return came
    return [*other[:2], came[2]] if same else came


UNDIVIDED = Exercise(
    "without_dividing", without_dividing,
    inputs=[
        (RNG.normal(size=(5, 9)), RNG.normal(size=(5, 9)), 2.0),
        (RNG.normal(size=(6, 6)), RNG.normal(size=(6, 6)), 0.5),
        (RNG.normal(size=(3, 64)), RNG.normal(size=(3, 64)), 1.0),
    ],
    canonicalise=_as_the_same_training,
    minutes=15, difficulty=3,
    nudge="A score is a product of two, so each shares the work. Then follow one step: what reaches the score by way of a smaller key?",
    skeleton="""
def my_without_dividing(W_Q, W_K, rate):
    d_k = ...                      # the width of queries and keys
    smaller = ...                  # squared, it is the square root of d_k
    steps = ...                    # a score must move as it did when it was divided
    return W_Q / smaller, W_K / smaller, steps
""")


@UNDIVIDED.mistake("nothing changed", "The scores start as large as before. Which factor did the division take from them?")
def as_they_came(W_Q, W_K, rate):
    return W_Q, W_K, rate


@UNDIVIDED.mistake("both divided by √d_k",
                   "A score is a product: what is taken from both factors is taken twice. Now the scores are √d_k times too small.")
def both_by_the_root(W_Q, W_K, rate):
    root = W_Q.shape[1] ** 0.5
    return W_Q / root, W_K / root, rate / root


@UNDIVIDED.mistake("both divided by √d_k, and the rate as before",
                   "A score is a product: what is taken from both factors is taken twice. And the steps have to shrink, too.")
def both_by_the_root_alone(W_Q, W_K, rate):
    root = W_Q.shape[1] ** 0.5
    return W_Q / root, W_K / root, rate


@UNDIVIDED.mistake("only the queries made smaller",
                   "The scores start right. But a small query and a large key do not move alike: share the factor fairly.")
def queries_alone(W_Q, W_K, rate):
    root = W_Q.shape[1] ** 0.5
    return W_Q / root, W_K, rate / root


@UNDIVIDED.mistake("only the keys made smaller",
                   "The scores start right. But a large query and a small key do not move alike: share the factor fairly.")
def keys_alone(W_Q, W_K, rate):
    root = W_Q.shape[1] ** 0.5
    return W_Q, W_K / root, rate / root


@UNDIVIDED.mistake("only the queries made smaller, and the rate as before",
                   "The scores start right. "
                   "Share the factor between both, though: scaled alone, W_Q would need another rate than W_K, and you have one.")
def queries_alone_same_rate(W_Q, W_K, rate):
    return W_Q / W_Q.shape[1] ** 0.5, W_K, rate


@UNDIVIDED.mistake("the rate as before",
                   "The start is right. But the slopes are larger than those of the divided training, and the matrices smaller: "
                   "each step goes too far.")
def same_rate(W_Q, W_K, rate):
    return *without_dividing(W_Q, W_K, rate)[:2], rate


@UNDIVIDED.mistake("the rate by the fourth root",
                   "The start is right. The division stood twice in a step: in the slope, and in the score that the step moves. "
                   "The smaller matrices give back only half of it.")
def rate_by_the_fourth_root(W_Q, W_K, rate):
    return *without_dividing(W_Q, W_K, rate)[:2], rate / W_Q.shape[1] ** 0.25


@UNDIVIDED.mistake("the rate by d_k", "The start is right. The steps are too small now. Slopes and matrices both change by the fourth root of d_k: "
                   "by how much must a step?")
def rate_by_the_width(W_Q, W_K, rate):
    return *without_dividing(W_Q, W_K, rate)[:2], rate / W_Q.shape[1]


@UNDIVIDED.mistake("the rate made larger",
                   "The start is right. A small matrix moved by larger steps forgets its start at once: the steps must shrink with it.")
def rate_times_the_root(W_Q, W_K, rate):
    return *without_dividing(W_Q, W_K, rate)[:2], rate * W_Q.shape[1] ** 0.5


@UNDIVIDED.mistake("both made larger", "The scores grow. To do without the division, they have to be small from the start.")
def both_larger(W_Q, W_K, rate):
    larger = W_Q.shape[1] ** 0.25
    return W_Q * larger, W_K * larger, rate / larger**2


@UNDIVIDED.mistake("half the root", "Half of √d_k is not what gives √d_k when it is multiplied by itself.")
def by_half_the_root(W_Q, W_K, rate):
    root = W_Q.shape[1] ** 0.5
    return W_Q / (root / 2), W_K / (root / 2), rate / root


@UNDIVIDED.mistake("the number of rows instead of the width",
                   "A score adds up as many products as W_Q has columns. Its rows are the features that come in.")
def by_the_rows(W_Q, W_K, rate):
    n = W_Q.shape[0]
    return W_Q / n**0.25, W_K / n**0.25, rate / n**0.5


def softmax_jacobian(weights):
    return np.diag(weights) - np.outer(weights, weights)


JACOBIAN = Exercise(
    "softmax_jacobian", softmax_jacobian,
    inputs=[(np.array([0.5, 0.3, 0.2]),), (softmax(RNG.normal(size=5)),), (np.array([1.0, 0.0, 0.0, 0.0]),)],
    minutes=5, difficulty=2,
    nudge="The formula has two halves: one lives on the diagonal alone, the other fills the whole table with products.",
    skeleton="""
def my_softmax_jacobian(weights):     # (T,)
    diagonal = ...                    # (T, T)  a_i where i = j, else 0
    products = ...                    # (T, T)  a_i times a_j
    return ...                        # (T, T)
""")


@JACOBIAN.mistake("only the diagonal", "Raising one score lowers every other weight. Those entries, off the diagonal, are not 0.")
def diagonal_only(weights):
    return np.diag(weights * (1 - weights))


@JACOBIAN.mistake("outer product missing", "diag(a) is the first half. What each weight takes from the others is still missing.")
def first_half(weights):
    return np.diag(weights)


@JACOBIAN.mistake("diagonal missing", "The products are there. What a score does to its own weight has a second part, which lives on the diagonal.")
def second_half(weights):
    return -np.outer(weights, weights)


@JACOBIAN.mistake("products alone", "These are all products a_i * a_j. They are one half of the table, and lower the weights.")
def products_alone(weights):
    return np.outer(weights, weights)


@JACOBIAN.mistake("sign of the outer product", "Weights compete: raising one score lowers the others. So which sign have the products?")
def added(weights):
    return np.diag(weights) + np.outer(weights, weights)


@JACOBIAN.mistake("everything negative", "The two halves are the wrong way round: raising a score raises its own weight.")
def reversed_halves(weights):
    return np.outer(weights, weights) - np.diag(weights)


@JACOBIAN.mistake("ones on the diagonal", "The diagonal starts from 1 here. It is the weight itself that stands there.")
def identity(weights):
    return np.eye(len(weights)) - np.outer(weights, weights)


@JACOBIAN.mistake("a in every row", "a stands along every row, as in (1 - a_i) * a_j. "
                  "It belongs on the diagonal alone: elsewhere only the product is left.")
def weights_in_every_row(weights):
    return weights - np.outer(weights, weights)


@JACOBIAN.mistake("a in every column", "a stands along every column, as in a_i * (1 - a_j). "
                  "It belongs on the diagonal alone: elsewhere only the product is left.")
def weights_in_every_column(weights):
    return weights[:, None] - np.outer(weights, weights)


@JACOBIAN.mistake("inner instead of outer product", "a @ a is one number, subtracted everywhere. Needed is the table of all products a_i * a_j.")
def inner(weights):
    return np.diag(weights) - weights @ weights


@JACOBIAN.mistake("squares instead of the outer product",
                  "a * a is a row of squares, laid along every row of the table. Needed are all products a_i * a_j.")
def squares(weights):
    return np.diag(weights) - weights * weights


@JACOBIAN.mistake("a row instead of a table", "a * (1 - a) is how each weight answers to its own score. Every weight answers to every score: (T, T).")
def row_only(weights):
    return weights * (1 - weights)


@JACOBIAN.mistake("halves multiplied", "The two halves were multiplied. One is taken from the other.")
def halves_multiplied(weights):
    return np.diag(weights) @ np.outer(weights, weights)


@JACOBIAN.mistake("softmax taken twice", "The argument is a row of weights already. Use it as it is.")
def softmax_again(weights):
    return softmax_jacobian(softmax(weights))


@JACOBIAN.mistake("sign missing off the diagonal", "The diagonal is right. Off it, raising one score lowers the others: which sign says so?")
def positive_off_the_diagonal(weights):
    return np.abs(softmax_jacobian(weights))


@JACOBIAN.mistake("own product taken twice", "The diagonal holds a * (1 - a) already, and the product was taken from it once more.")
def own_product_twice(weights):
    return np.diag(weights * (1 - weights)) - np.outer(weights, weights)


@JACOBIAN.mistake("1 - a on the diagonal", "The diagonal holds 1 - a. How a weight answers to its own score depends on how large it is, too.")
def what_is_left(weights):
    return np.diag(1 - weights) - np.outer(weights, weights) * (1 - np.eye(len(weights)))


@JACOBIAN.mistake("weights on the diagonal", "Off the diagonal it is right. On it stands the whole weight: a part of it is taken back there, too.")
def whole_weights_on_the_diagonal(weights):
    return np.diag(weights) - np.outer(weights, weights) * (1 - np.eye(len(weights)))


@JACOBIAN.mistake("sums instead of products", "The weights were added in pairs. What one weight takes from another is a product.")
def pair_sums(weights):
    return np.diag(weights) - (weights[:, None] + weights)


@JACOBIAN.mistake("half of the table empty",
                  "One corner of the table holds zeros. Every weight answers to every score, on both sides of the diagonal.")
def lower_half(weights):
    return np.tril(softmax_jacobian(weights))


@JACOBIAN.mistake("the lower half empty",
                  "The lower corner of the table holds zeros. Every weight answers to every score, on both sides of the diagonal.")
def upper_half(weights):
    return np.triu(softmax_jacobian(weights))


@JACOBIAN.mistake("0 on the diagonal", "Off the diagonal it is right. On it nothing is left: each weight answers to its own score as well.")
def empty_diagonal(weights):
    return softmax_jacobian(weights) * (1 - np.eye(len(weights)))


def softmax_slopes(weights, slopes):
    return weights * (slopes - weights @ slopes)


SLOPES = Exercise(
    "softmax_slopes", softmax_slopes,
    inputs=[
        (np.array([0.5, 0.3, 0.2]), np.array([1.0, -2.0, 0.5])),
        (softmax(RNG.normal(size=5)), RNG.normal(size=5)),
        (np.array([1.0, 0.0, 0.0, 0.0]), RNG.normal(size=4)),
    ],
    minutes=7, difficulty=2,
    nudge="The Jacobian times the slopes is one way. Multiplied out, each weight is compared with an average: which one?",
    skeleton="""
def my_softmax_slopes(weights, slopes):     # (T,), (T,): how the loss answers to each weight
    average = ...                           # a number: the slopes, each with its weight
    return ...                              # (T,): how the loss answers to each score
""")


@SLOPES.mistake("average forgotten",
                "Each slope goes to its own score alone. But raising one score lowers all other weights: something is subtracted.")
def own_slope_only(weights, slopes):
    return weights * slopes


@SLOPES.mistake("only the diagonal",
                "The product with its own weight is subtracted, number by number. What the other weights lose is missing: a whole sum.")
def own_products_only(weights, slopes):
    return weights * (slopes - weights * slopes)


@SLOPES.mistake("plain average", "The average that is subtracted counts all tokens alike. Who has more weight counts more.")
def plain_average(weights, slopes):
    return weights * (slopes - slopes.mean())


@SLOPES.mistake("sum of the slopes", "The sum of all slopes is subtracted. Each belongs in it with its weight.")
def sum_subtracted(weights, slopes):
    return weights * (slopes - slopes.sum())


@SLOPES.mistake("weights in front forgotten",
                "The differences from the average are right. A weight that is nearly 0 hardly moves: each difference has a factor.")
def differences_only(weights, slopes):
    return slopes - weights @ slopes


@SLOPES.mistake("average outside the bracket",
                "The average is subtracted after the weights were multiplied. Mind the brackets: it stands inside, beside the slope.")
def average_outside(weights, slopes):
    return weights * slopes - weights @ slopes


@SLOPES.mistake("sign turned", "The sign is turned: a weight whose slope lies above the average gives its score a slope above 0.")
def sign_turned(weights, slopes):
    return weights * (weights @ slopes - slopes)


@SLOPES.mistake("average added", "The average is added. Weights compete: what one gains, the others lose.")
def average_added(weights, slopes):
    return weights * (slopes + weights @ slopes)


@SLOPES.mistake("a table instead of a row", "This is a whole table, (T, T). Asked is one slope for each score: sum over the weights.")
def not_summed(weights, slopes):
    return softmax_jacobian(weights) * slopes


@SLOPES.mistake("the Jacobian alone", "This is the Jacobian. One step is left: the slopes go through it.")
def jacobian_alone(weights, slopes):
    return softmax_jacobian(weights)


@SLOPES.mistake("one number", "This is one number. Asked is one slope for each score.")
def one_number(weights, slopes):
    return weights @ slopes


@SLOPES.mistake("softmax taken twice", "The first argument is a row of weights already. Use it as it is.")
def slopes_of_softmax_again(weights, slopes):
    return softmax_slopes(softmax(weights), slopes)


NOTE_RNG = np.random.default_rng(5)
QUERY, KEYS, STRETCHES = NOTE_RNG.normal(size=(1, 64)), NOTE_RNG.normal(size=(6, 64)), (1, 4, 16)
STRETCHED = np.concatenate([scaled_dot_product_attention(stretch * QUERY, KEYS, KEYS)[1] for stretch in STRETCHES])
NOTE = Reading(
    "note_03",
    "A lecture note says: “Scaling makes attention smooth, so that many tokens contribute. A scaled model can therefore no longer attend to "
    "one token only.” Below are scaled weights: a random query of width 64, stretched, and six random keys. Which sentence mends the note?",
    options=[
        ("Scaling makes attention smooth at first; to attend to one token only, a model has to undo the division by √d_k.",
         "The division stays as it is. What grew in the table is the query: a longer one sharpens its row."),
        ("Scaling makes attention smooth at first; a model can still learn long queries, and attend to one token only.",
         f"The largest weight grows from {STRETCHED[0].max():.2f} to {STRETCHED[2].max():.2f} as the query gets longer. "
         "The scale says where learning starts, not where it may end."),
        ("Scaling makes attention sharp, so that few tokens contribute. An unscaled model attends to all tokens alike.",
         "It is the other way round: divided scores lie closer together, and the weights are more alike."),
        ("Scaling makes attention smooth, but only for short texts. A model of many tokens attends to one token only.",
         "The number of tokens does not enter the scale. Six keys stand in every row of the table, and only the query's length differs."),
    ],
    right="B", minutes=4, difficulty=2,
    picture=heat(STRETCHED, [f"query × {stretch}" for stretch in STRETCHES], [f"key {j}" for j in range(6)]))

WHICH_ROOT = Reading(
    "which_root_03",
    "`d_k` is 64. By which number does the line `scores / d_k ** 1/2` divide the scores?",
    options=[
        ("by 8", "8 is the square root of 64, and `** 0.5` would take it. But `**` comes before `/`: the power here is 1."),
        ("by 32", "That would be `scores / (d_k ** 1 / 2)`. Without brackets Python divides from left to right."),
        ("by 128", "`**` comes first: 64 to the power 1. Then from left to right: divided by 64, then by 2."),
        ("by 4096", "That is 64 squared. The power here is 1, and a division by 2 follows."),
    ],
    right="C", minutes=2, difficulty=2)


EXERCISES = [JACOBIAN, SLOPES, SCALED, CATCH_SCALE, UNDIVIDED, TEMPERATURE, NOTE, WHICH_ROOT]

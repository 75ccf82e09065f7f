"""The exercises of notebook 01: softmax, and self-attention without parameters."""

import numpy as np

from course_utils import attention as course
from course_utils.cards.look import heat
from course_utils.data import SENTENCES, embed
from course_utils.diagnosis.exercise import Catch, Exercise, Reading

RNG = np.random.default_rng(1)

# Traps of softmax: what exp or a division by 0 does not survive.
LARGE = "scores around 1000"
EDGE = "scores just above 709, where exp overflows"
HALF_WAY = "scores around 400"
FAR_ROWS = "one row far above the other"
SPREAD = "scores far apart, [1000, 0] and [0, 2000]"


def softmax(scores):
    return course.softmax(scores, axis=-1)


SOFTMAX = Exercise(
    "softmax", softmax,
    inputs=[
        (RNG.normal(size=(3, 5)),),
        (RNG.normal(size=(4, 4)),),                                     # square: a mix-up does not fail, it goes wrong
        (np.array([[1.0, 2.0, 4.0], [3.0, 0.0, 1.0]]),),
    ],
    traps={
        LARGE: (np.array([[1000.0, 999.0, 998.0], [1001.0, 1000.0, 1002.0], [997.0, 1000.0, 999.0]]),),
        FAR_ROWS: (np.array([[1000.0, 999.0, 998.0], [0.0, 1.0, 2.0]]),),
        SPREAD: (np.array([[1000.0, 0.0], [0.0, 1000.0], [0.0, 2000.0]]),),
        EDGE: (np.array([[706.0, 707.0, 710.5], [707.0, 705.0, 711.0]]),),
        HALF_WAY: (np.array([[398.0, 400.0, 399.0], [401.0, 400.0, 398.0]]),),
    },
    minutes=10, difficulty=2,
    nudge="First make every number positive. Then ask: by what must a row be divided so that it sums to 1? "
          "And what can be subtracted from a whole row without changing its shares?",
    skeleton="""
def my_softmax(scores):          # a table in, a table out
    shifted = scores - ...       # the largest of each row is now 0
    exps = ...                   # all positive
    return exps / ...            # each row by its own sum
""")


@SOFTMAX.mistake("wrong axis", "The weights of one query stand in one row. Make each row sum to 1, not each column.")
def columns_sum_to_one(scores):
    return course.softmax(scores, axis=0)


@SOFTMAX.mistake("one sum for the whole table", "Every row is a competition of its own. Divide each row by a sum of its own.")
def table_sums_to_one(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()


@SOFTMAX.mistake("keepdims forgotten", "The sums have lost an axis, (T,), so NumPy lays them along the columns. "
                 "Keep the axis: then each sum divides its own row.")
def sums_along_the_wrong_side(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1)


@SOFTMAX.mistake("keepdims forgotten, rows not shifted", "The sums have lost an axis, (T,), so NumPy lays them along the columns. "
                 "Keep the axis: then each sum divides its own row. After that, try a row around 1000 below a row around −1000.")
def naive_sums_along_the_wrong_side(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1)


@SOFTMAX.mistake("keepdims forgotten in both places", "The maxima and the sums have lost an axis, (T,), so NumPy lays them along the columns. "
                 "Keep the axis in both: each row has its own maximum and its own sum.")
def both_along_the_wrong_side(scores):
    e = np.exp(scores - scores.max(axis=-1))
    return e / e.sum(axis=-1)


@SOFTMAX.mistake("keepdims forgotten at the maximum", "The maxima have lost an axis, (T,), so NumPy lays them along the columns: "
                 "numbers of one row are shifted by different amounts. Keep the axis.")
def maxima_along_the_wrong_side(scores):
    e = np.exp(scores - scores.max(axis=-1))
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("no max-subtraction", "exp(1000) overflows to inf, and inf/inf is NaN. "
                 "Shares stay the same when a whole row is shifted: by how much, so that nothing overflows?", trap=LARGE)
def overflowing(scores):
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("maximum of the whole table subtracted", "A row far below the table's maximum turns into 0/0. Each row has its own maximum.",
                 trap=FAR_ROWS)
def one_maximum(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("minimum subtracted", "What is left after the minimum is gone may still be 1000, and exp overflows. "
                 "Which number must go so that nothing above 0 is left?", trap=SPREAD)
def minimum_subtracted(scores):
    e = np.exp(scores - scores.min(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("mean subtracted", "A score may lie 1000 above the mean of its row, and exp overflows. "
                 "Which number must go so that nothing above 0 is left?", trap=SPREAD)
def mean_subtracted(scores):
    e = np.exp(scores - scores.mean(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("first entry subtracted", "The first score need not be the largest: in [0, 2000] another lies 2000 above it, and exp overflows.",
                 trap=SPREAD)
def first_subtracted(scores):
    e = np.exp(scores - scores[..., :1])
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("maximum of each column subtracted", "The maxima are those of the columns, so one row is shifted by different amounts. "
                 "A row keeps its shares only if all of it is shifted alike.")
def column_maxima(scores):
    e = np.exp(scores - scores.max(axis=0))
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("position of the maximum subtracted",
                 "argmax says where the largest score stands, not how large it is. So nearly nothing is taken away, "
                 "and exp of a large score overflows.", trap=LARGE)
def position_subtracted(scores):
    e = np.exp(scores - scores.argmax(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("maximum added",
                 "The maximum should leave the scores, and is added to them: exp overflows all the sooner. Mind the sign.", trap=LARGE)
def maximum_added(scores):
    e = np.exp(scores + scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("dividing by the max",
                 "Now the largest entry of a row is 1. Divide by the row's sum, and the whole row sums to 1.", requires="a division")
def largest_is_one(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.max(axis=-1, keepdims=True)


@SOFTMAX.mistake("shifted, but not divided by the sum",
                 "The largest of each row is 1 now, and the row sums to more. What turns positive numbers into shares is still missing.")
def only_shifted(scores):
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


@SOFTMAX.mistake("division inside exp", "The bracket of exp closes too late, so the division happens in the exponent. First exp, then divide.")
def divided_inside(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.exp(shifted / np.exp(shifted).sum(axis=-1, keepdims=True))


@SOFTMAX.mistake("division inside exp, no maximum",
                 "The bracket of exp closes too late, so the division happens in the exponent. First exp, then divide.")
def divided_inside_unshifted(scores):
    return np.exp(scores / np.exp(scores).sum(axis=-1, keepdims=True))


@SOFTMAX.mistake("shifted above the line only",
                 "Above the line the maximum is gone, in the sum below it is not. Shares need the same things above and below.")
def shifted_above(scores):
    return np.exp(scores - scores.max(axis=-1, keepdims=True)) / np.exp(scores).sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("shifted below the line only",
                 "In the sum below the line the maximum is gone, above it is not. Shares need the same things above and below.")
def shifted_below(scores):
    return np.exp(scores) / np.exp(scores - scores.max(axis=-1, keepdims=True)).sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("dividing by the sum of the shifted scores", "Above the line stand exponentials, below it the sum of the shifted scores themselves. "
                 "Shares need the same things above and below.")
def sum_of_shifted(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.exp(shifted) / shifted.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("shifted, and divided by the sum of the scores", "Above the line stand exponentials, below it the sum of the scores themselves. "
                 "Shares need the same things above and below.")
def shifted_over_scores(scores):
    return np.exp(scores - scores.max(axis=-1, keepdims=True)) / scores.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("maximum subtracted outside of exp",
                 "The maximum is taken from what exp has made. It should leave the scores, before exp sees them.")
def maximum_after_exp(scores):
    e = np.exp(scores) - scores.max(axis=-1, keepdims=True)
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("largest exponential subtracted",
                 "The maximum was taken after exp, so the largest share is 0. It should leave the scores, before exp.")
def largest_exponential_subtracted(scores):
    e = np.exp(scores) - np.exp(scores).max(axis=-1, keepdims=True)
    return e / e.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("scores divided by their maximum",
                 "A shift of a whole row leaves its shares alone, a division does not. Which of the two belongs here?")
def divided_by_the_maximum(scores):
    return course.softmax(scores / scores.max(axis=-1, keepdims=True))


@SOFTMAX.mistake("standardised first",
                 "Dividing by the standard deviation changes the differences between scores, and they are all that counts. Only shift.")
def standardised(scores):
    return course.softmax((scores - scores.mean(axis=-1, keepdims=True)) / scores.std(axis=-1, keepdims=True))


@SOFTMAX.mistake("exp taken twice", "exp was taken of the exponentials once more. Once is enough.")
def exp_of_exp(scores):
    return course.softmax(np.exp(scores))


@SOFTMAX.mistake("powers of 2 in place of exp",
                 "2 to the power of a score is positive, too, but here the base is e: another base is another temperature.")
def powers_of_two(scores):
    return course.softmax(scores * np.log(2))


@SOFTMAX.mistake("powers of 10 in place of exp",
                 "10 to the power of a score is positive, too, but here the base is e: another base is another temperature.")
def powers_of_ten(scores):
    return course.softmax(scores * np.log(10))


@SOFTMAX.mistake("the sums returned", "These are the sums below the line. Asked are the shares, a table.")
def only_sums(scores):
    return np.exp(scores).sum(axis=-1)


@SOFTMAX.mistake("divided by the others",
                 "Each score is compared with the others alone. The sum below the line holds all of the row, itself included.")
def divided_by_the_others(scores):
    e = np.exp(scores)
    return e / (e.sum(axis=-1, keepdims=True) - e)


@SOFTMAX.mistake("divided by the sum so far", "The sum was used before it was complete. First add up the whole row, then divide.")
def divided_on_the_way(scores):
    e = np.exp(scores)
    return e / e.cumsum(axis=-1)


@SOFTMAX.mistake("the sum not set back to 0", "Each row's sum goes on from the one before. Every row begins with 0 again.")
def sum_goes_on(scores):
    e = np.exp(scores)
    return e / e.sum(axis=-1).cumsum()[:, None]


@SOFTMAX.mistake("the last row's sum for all", "Every row was divided by the sum of the last. Each row has its own: is the division inside the loop?")
def last_sum_for_all(scores):
    e = np.exp(scores)
    return e / e[-1].sum()


@SOFTMAX.mistake("dividing by the mean", "Now each row sums to as many as it is long. What sums to 1 was divided by the sum.")
def mean_is_one(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.mean(axis=-1, keepdims=True)


@SOFTMAX.mistake("dividing by the length of the row", "How many scores there are says nothing about their sum. Add up what stands in the row.")
def divided_by_how_many(scores):
    return np.exp(scores) / scores.shape[-1]


@SOFTMAX.mistake("dividing by the sum of the scores", "Above the line stand exponentials, below it the sum of the scores themselves. "
                 "Shares need the same things above and below.")
def sum_of_scores(scores):
    return np.exp(scores) / scores.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("exp missing", "Dividing the scores themselves by their sum fails for negative scores. Make them positive first.")
def plain_shares(scores):
    return scores / scores.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("exp missing after the maximum", "Subtracting the maximum leaves numbers up to 0. Make them positive before dividing by the sum.")
def shares_of_the_shifted(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return shifted / shifted.sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("absolute values in place of exp", "abs makes numbers positive, too, but then -3 wins over 2. exp keeps the order of the scores.")
def absolute_shares(scores):
    return np.abs(scores) / np.abs(scores).sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("squares in place of exp", "Squares are positive, too, but then -3 wins over 2. exp keeps the order of the scores.")
def squared_shares(scores):
    return scores**2 / (scores**2).sum(axis=-1, keepdims=True)


@SOFTMAX.mistake("exp after the division", "Shares are taken first and exp of them last, so a row sums to more than 1. Turn that round.")
def exp_at_the_end(scores):
    return np.exp(scores / scores.sum(axis=-1, keepdims=True))


@SOFTMAX.mistake("not divided by the sum", "exp(scores) is positive but does not sum to 1. One division is missing.")
def only_exp(scores):
    return np.exp(scores)


@SOFTMAX.mistake("small scores win", "The sign is turned: the smallest score of a row gets the largest weight.")
def turned_sign(scores):
    return course.softmax(-scores)


@SOFTMAX.mistake("the largest takes all", "Each row holds a single 1. Softmax is softer: every score gets a share.")
def only_the_largest(scores):
    return (scores == scores.max(axis=-1, keepdims=True)).astype(float)


@SOFTMAX.mistake("each score on its own", "This is the sigmoid: it looks at one score at a time. In softmax the scores of a row share 1 among them.")
def sigmoid(scores):
    return 1 / (1 + np.exp(-scores))


@SOFTMAX.mistake("softmax taken twice", "The weights went through softmax once more, which flattens them. Once is enough.")
def twice(scores):
    return course.softmax(course.softmax(scores))


@SOFTMAX.mistake("log added", "These are the logarithms of the weights. Leave the logarithm out, or take exp at the end.")
def log_softmax(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


@SOFTMAX.mistake("log missing", "The sum was taken into the exponent as it is. What divides outside of exp is subtracted inside as its logarithm.")
def sum_without_log(scores):
    return np.exp(scores - np.exp(scores).sum(axis=-1, keepdims=True))


@SOFTMAX.mistake("left transposed", "The weights are right, but rows and columns changed places on the way. Turn the table back.")
def left_transposed(scores):
    return course.softmax(scores).T


@SOFTMAX.mistake("the first row only", "Only the first row comes back. Does the `return` stand inside the loop?")
def one_row(scores):
    return course.softmax(scores)[0]


CATCH_SOFTMAX = Catch(
    "catch_softmax", SOFTMAX, "input",
    planted=["wrong axis", "no max-subtraction", "maximum of the whole table subtracted", "minimum subtracted", "mean subtracted",
             "first entry subtracted"],
    enough=4, minutes=10, difficulty=2,
    task="Give one table of scores on which as many wrong softmaxes as possible go wrong.",
    nudge="With scores such as 1, 2 and 3 nearly all of them are right. Where does exp leave what a float can hold? Where does a sum become 0?",
    skeleton="""
my_input = np.array([
    [..., ...],          # the largest stands first, far above the other
    [..., ...],          # the largest stands last, and is not the size of the first row's
])
""")


LONG = "vectors 30 times as long, with scores of several thousand"


def self_attention(X):
    return course.softmax(X @ X.T) @ X


SELF_ATTENTION = Exercise(
    "self_attention", self_attention,
    inputs=[
        (RNG.normal(size=(5, 3)),),
        (RNG.normal(size=(4, 4)),),            # as many tokens as features: mixing them up does not fail, it goes wrong
        (embed(SENTENCES["animal"]),),
    ],
    traps={LONG: (embed(SENTENCES["sport"]) * 30,)},
    minutes=5, difficulty=1,
    nudge="Three steps: score every pair, share out each row, average the words. Which shape has the table after each step?",
    skeleton="""
def my_self_attention(X):       # (T, D) -> (T, D)
    S = ...                     # (T, T)  each token with each
    A = ...                     # (T, T)  each row sums to 1
    return A @ ...              # (T, D)  what is averaged?
""")


@SELF_ATTENTION.mistake("softmax missing", "The scores are used as they are. They must become weights that sum to 1 in each row.")
def weighted_by_scores(X):
    return X @ X.T @ X


@SELF_ATTENTION.mistake("softmax over queries", "Each token shares out its own attention, so the rows of the weights sum to 1. "
                        "Here the columns do. (A forgotten keepdims does that, too, for these scores are the same both ways.)")
def columns_compete(X):
    return course.softmax(X @ X.T, axis=0) @ X


@SELF_ATTENTION.mistake("one softmax for the whole table", "All weights together sum to 1. Each token shares out a whole 1 of its own: row by row.")
def one_competition(X):
    e = np.exp(X @ X.T - (X @ X.T).max())
    return e / e.sum() @ X


@SELF_ATTENTION.mistake("features compared instead of tokens",
                        "This compares the columns of X, its features. Tokens are rows, and the table of scores is (T, T).")
def features_attend(X):
    return X @ course.softmax(X.T @ X)


@SELF_ATTENTION.mistake("X.T @ X for X @ X.T", "This compares the columns of X, its features. Tokens are rows, and the table of scores is (T, T).")
def transposed_side(X):
    return course.softmax(X.T @ X) @ X


@SELF_ATTENTION.mistake("no transpose", "A score is the dot product of one row with another. In `@` the second stands as a column.")
def not_transposed(X):
    return course.softmax(X @ X) @ X


@SELF_ATTENTION.mistake("A * X", "`*` multiplies number by number. A weighted average of rows is a matrix product.")
def multiplied_number_by_number(X):
    return course.softmax(X @ X.T) * X


@SELF_ATTENTION.mistake("X @ A", "The weights stand on the wrong side, where they mix features. On the left they mix tokens.")
def weights_on_the_right(X):
    return X @ course.softmax(X @ X.T)


@SELF_ATTENTION.mistake("A @ X.T", "The tokens to be averaged are the rows of X, as they stand. Here they are columns.")
def averages_columns(X):
    return course.softmax(X @ X.T) @ X.T


@SELF_ATTENTION.mistake("left transposed", "The numbers are right, but each token is a column. Tokens are rows.")
def tokens_as_columns(X):
    return (course.softmax(X @ X.T) @ X).T


@SELF_ATTENTION.mistake("X + A @ X", "The word itself is added to the average. That comes in notebook 06; here the average stands alone.")
def with_a_skip(X):
    return X + course.softmax(X @ X.T) @ X


@SELF_ATTENTION.mistake("the softmax at the end", "Softmax turns scores into weights. Here it is taken of the result, which needs no sum of 1.")
def softmax_at_the_end(X):
    return course.softmax(X @ X.T @ X)


@SELF_ATTENTION.mistake("the softmax of the vectors", "Softmax was taken of X before the scores. First score, then share out.")
def softmax_at_the_start(X):
    return course.softmax(X) @ X.T @ X


@SELF_ATTENTION.mistake("softmax taken twice", "The weights went through softmax once more, which flattens them. Once is enough.")
def softmax_twice(X):
    return course.softmax(course.softmax(X @ X.T)) @ X


@SELF_ATTENTION.mistake("exp missing", "The scores are divided by their sum, without exp. Softmax makes them positive first.")
def shares_of_scores(X):
    S = X @ X.T
    return S / S.sum(axis=-1, keepdims=True) @ X


@SELF_ATTENTION.mistake("weights returned", "These are the weights. One step is left: use them to average the rows of X.")
def only_weights(X):
    return course.softmax(X @ X.T)


@SELF_ATTENTION.mistake("scores returned", "These are the scores. Two steps are left: make weights of them, and average the rows of X.")
def only_scores(X):
    return X @ X.T


@SELF_ATTENTION.mistake("weights returned as well", "The output is right. Asked is the output alone, without the weights.")
def both_returned(X):
    A = course.softmax(X @ X.T)
    return A @ X, A


@SELF_ATTENTION.mistake("scaled too early", "There is a division by the square root of D. "
                        "That comes in notebook 03; here the scores stay as they are.")
def already_scaled(X):
    return course.softmax(X @ X.T / np.sqrt(X.shape[1])) @ X


@SELF_ATTENTION.mistake("divided by D", "There is a division by D. Something like it comes in notebook 03; here the scores stay as they are.")
def divided_by_width(X):
    return course.softmax(X @ X.T / X.shape[1]) @ X


@SELF_ATTENTION.mistake("cosines in place of dot products",
                        "The vectors were cut to length 1 first. Asked is the plain dot product, in which length counts.")
def cosines(X):
    U = X / np.linalg.norm(X, axis=1, keepdims=True)
    return course.softmax(U @ U.T) @ X


@SELF_ATTENTION.mistake("the word itself left out", "A word may give weight to itself, too. Keep the diagonal of the scores.")
def not_itself(X):
    S = X @ X.T
    np.fill_diagonal(S, -np.inf)
    return course.softmax(S) @ X


@SELF_ATTENTION.mistake("only the most similar word", "Each word takes over a single other one. Softmax is softer: every word gets a share.")
def hardest(X):
    return X[(X @ X.T).argmax(axis=1)]


@SELF_ATTENTION.mistake("everyone alike", "Every word gets the same weight here. The scores should decide.")
def plain_mean(X):
    return np.repeat(X.mean(axis=0, keepdims=True), len(X), axis=0)


@SELF_ATTENTION.mistake("the first word only", "Only the first word's output comes back. Does the `return` stand inside the loop?")
def one_word(X):
    return (course.softmax(X @ X.T) @ X)[0]


@SELF_ATTENTION.mistake("one vector for the sentence", "The outputs of all words are averaged into one. Each word keeps a row of its own.")
def averaged_over_words(X):
    return (course.softmax(X @ X.T) @ X).mean(axis=0)


@SELF_ATTENTION.mistake("earlier rows overwritten", "Later rows look at rows that have moved already: the table is changed while it is still read. "
                        "All rows look at the same X.")
def overwritten_on_the_way(X):
    X = X.copy()
    for i in range(len(X)):
        X[i] = course.softmax(X[i] @ X.T) @ X
    return X


@SELF_ATTENTION.mistake("not divided by the sum", "exp makes the scores positive. Weights sum to 1 in each row as well: a division is missing.")
def exponentials_average(X):
    return np.exp(X @ X.T) @ X


@SELF_ATTENTION.mistake("shifted, but not divided by the sum",
                        "exp of the shifted scores is positive and at most 1. Weights sum to 1 in each row: a division is missing.")
def shifted_exponentials_average(X):
    S = X @ X.T
    return np.exp(S - S.max(axis=-1, keepdims=True)) @ X


@SELF_ATTENTION.mistake("only the last word's share", "What came last took the place of what was there. An average adds up the shares of all words.")
def last_share(X):
    return course.softmax(X @ X.T)[:, -1:] * X[-1]


@SELF_ATTENTION.mistake("the last word left out",
                        "The sum stops one word early, so each row lacks the last word's share. A range ends before its last number.")
def without_the_last(X):
    return course.softmax(X @ X.T)[:, :-1] @ X[:-1]


@SELF_ATTENTION.mistake("the first word left out", "The sum begins one word late, so each row lacks the first word's share. Python counts from 0.")
def without_the_first(X):
    return course.softmax(X @ X.T)[:, 1:] @ X[1:]


@SELF_ATTENTION.mistake("divided by √T", "The scores are divided by the root of how many words there are. Here they stay as they are.")
def scaled_by_words(X):
    return course.softmax(X @ X.T / np.sqrt(len(X))) @ X


@SELF_ATTENTION.mistake("distances in place of dot products", "Words are scored by how far apart they are. Here a score is a dot product.")
def by_distance(X):
    return course.softmax(-np.linalg.norm(X[:, None] - X, axis=-1)) @ X


@SELF_ATTENTION.mistake("squared distances in place of dot products", "Words are scored by how far apart they are. Here a score is a dot product.")
def by_squared_distance(X):
    return course.softmax(-((X[:, None] - X) ** 2).sum(axis=-1)) @ X


@SELF_ATTENTION.mistake("only what came before",
                        "Each word sees only itself and what came before it. That is a mask, of notebook 04; here all see all.")
def causal(X):
    return course.scaled_dot_product_attention(X, X, X, course.causal_mask(len(X)), scale=1)[0]


@SELF_ATTENTION.mistake("no max-subtraction", "exp of a large score overflows and gives NaN. Use a softmax that shifts each row first.", trap=LONG)
def overflowing_attention(X):
    e = np.exp(X @ X.T)
    return e / e.sum(axis=-1, keepdims=True) @ X


def _weights(tokens):
    X = embed(tokens)
    return course.softmax(X @ X.T)


SPORT = SENTENCES["sport"]
SPORT_WEIGHTS, THE = _weights(SPORT), SPORT.index("the")
THE_LENGTH, BEARS_LENGTH = (np.linalg.norm(embed([word])) for word in ("the", "bears"))
NOTE = Reading(
    "note_01",
    "A lecture note says: “The dot product measures how similar two words are, so a word always gives its largest weight to itself.” "
    "Below are the weights of “bears won the game”: a row asks, a column answers. Which sentence mends the note?",
    options=[
        ("The dot product measures how similar two words are, so a word gives most to the one whose vector points most nearly its way.",
         f"The row of “the” contradicts it. Nothing points its way as exactly as “the” itself, yet “bears” gets {SPORT_WEIGHTS[THE, 0]:.2f} "
         f"and “the” {SPORT_WEIGHTS[THE, THE]:.2f}. The direction is only half of a dot product."),
        ("The dot product grows with the lengths of both vectors, too, so a short word may give more to a longer neighbour.",
         f"x·y is |x| |y| cos(angle). “the” has length {THE_LENGTH:.2f}, “bears” {BEARS_LENGTH:.2f}: the longer vector wins, even at an angle."),
        ("The dot product is largest with oneself, but softmax mixes the row, so the largest weight may go to a neighbour.",
         "Softmax keeps the order: the largest score of a row becomes its largest weight. So the score of “the” with itself was not the largest."),
        ("The dot product counts how often a word occurs, so frequent words such as “the” give their weight to rarer words.",
         "No number here counts how often a word occurs. All that enters are the numbers of the two vectors."),
    ],
    right="B", minutes=4, difficulty=2,
    picture=heat(SPORT_WEIGHTS, SPORT, SPORT))

UNSEEN = ["the", "bears", "love", "pain"]
UNSEEN_WEIGHTS = _weights(UNSEEN)
MOVED = np.linalg.norm(UNSEEN_WEIGHTS @ embed(UNSEEN) - embed(UNSEEN), axis=1)
WHOSE_WEIGHTS = Reading(
    "whose_weights_01",
    "Weights of a sentence that you have not met, “the bears love pain”: a row asks, a column answers. "
    "After attention, which word most likely stands nearest to where it was, and which the farthest from it?",
    options=[
        ("nearest: “love”; farthest: “the”",
         "A column says what a word gets from the others. What a word becomes stands in its row, "
         f"and there “pain” keeps more of itself: {UNSEEN_WEIGHTS[3, 3]:.2f} against {UNSEEN_WEIGHTS[2, 2]:.2f}."),
        ("nearest: “pain”; farthest: “bears”",
         f"“bears” gives its largest weight to another word, and still keeps {UNSEEN_WEIGHTS[1, 1]:.2f} of itself. One word keeps less."),
        ("nearest: “the”; farthest: “pain”",
         f"A large weight on oneself means to stay. “pain” keeps {UNSEEN_WEIGHTS[3, 3]:.2f} of itself, “the” only {UNSEEN_WEIGHTS[0, 0]:.2f}."),
        ("nearest: “pain”; farthest: “the”",
         f"The diagonal says what each keeps of itself: “pain” {UNSEEN_WEIGHTS[3, 3]:.2f}, “the” {UNSEEN_WEIGHTS[0, 0]:.2f}. "
         f"Measured, they move by {MOVED[3]:.2f} and {MOVED[0]:.2f}."),
    ],
    right="D", minutes=3, difficulty=1,
    picture=heat(UNSEEN_WEIGHTS, UNSEEN, UNSEEN))


EXERCISES = [SOFTMAX, CATCH_SOFTMAX, SELF_ATTENTION, NOTE, WHOSE_WEIGHTS]

"""The exercises of notebook 09: responsibilities of Gaussians, the gate of the k best, the mixture itself, and a layer of experts.

No input has equal logits: the task does not say which of two equals is kept.
"""

import numpy as np

from course_utils import experts as course
from course_utils.attention import softmax
from course_utils.cards.look import heat
from course_utils.diagnosis.exercise import Exercise, Reading
from course_utils.layers import relu

RNG = np.random.default_rng(9)


def responsibilities(x, weights, means, sds):
    return course.gaussian_responsibilities(x[:, None], weights, means[:, None], (sds**2)[:, None, None])


RESPONSIBILITIES = Exercise("responsibilities", responsibilities, inputs=[
    (RNG.normal(size=5), np.array([0.6, 0.3, 0.1]), np.array([0.0, 1.0, 3.0]), np.array([1.5, 0.5, 0.7])),
    (np.array([-1.0, 0.5, 2.5]), np.array([0.6, 0.3, 0.1]), np.array([0.0, 1.0, 3.0]), np.array([1.5, 0.5, 0.7])),   # as many points as Gaussians
    (RNG.normal(size=2), np.array([0.2, 0.5, 0.1, 0.2]), np.array([-2.0, 0.0, 0.3, 2.0]), np.array([0.5, 1.6, 0.4, 0.9])),
    (RNG.normal(size=7), np.array([0.75, 0.25]), np.array([-1.0, 1.0]), np.array([0.8, 2.0])),
], minutes=8, difficulty=2,
    nudge="How probable are a Gaussian and a point together? A table of N rows and K columns holds that. What makes shares of a row?",
    skeleton="""def my_responsibilities(x, weights, means, sds):
    density = ...                         # (N, K)  of each point under each Gaussian: points are a column
    joint = ...                           # (N, K)  how common each Gaussian is counts, too
    return ...                            # (N, K)  each row sums to 1
""")


def _densities(x, means, sds):
    return np.exp(-0.5 * ((x[:, None] - means) / sds) ** 2) / (sds * np.sqrt(2 * np.pi))


def _share(parts, axis=1):
    return parts / parts.sum(axis=axis, keepdims=True)


@RESPONSIBILITIES.mistake("mixing weights forgotten", "Every Gaussian counts alike here. How common each of them is matters, too.",
                          unused_arguments="weights")
def without_weights(x, weights, means, sds):
    return _share(_densities(x, means, sds))


@RESPONSIBILITIES.mistake("normalised over points", "Each point is shared among the Gaussians: its row sums to 1, not its column.")
def over_points(x, weights, means, sds):
    return _share(weights * _densities(x, means, sds), axis=0)


@RESPONSIBILITIES.mistake("not normalised", "This is how probable point and Gaussian are together. What share of it has each Gaussian?")
def joint(x, weights, means, sds):
    return weights * _densities(x, means, sds)


@RESPONSIBILITIES.mistake("normalised over everything", "One sum of the whole table. Each point has a sum of its own.")
def over_everything(x, weights, means, sds):
    return joint(x, weights, means, sds) / joint(x, weights, means, sds).sum()


@RESPONSIBILITIES.mistake("standard deviation used as variance", "sds are standard deviations. What stands below the line in the exp is a square.")
def sd_as_variance(x, weights, means, sds):
    return _share(joint(x, weights, means, np.sqrt(sds)))


@RESPONSIBILITIES.mistake("square forgotten in the exp", "The height is right. Inside the exp the squared distance wants a squared divisor.")
def sd_not_squared(x, weights, means, sds):
    return _share(weights * np.exp(-0.5 * (x[:, None] - means) ** 2 / sds) / sds)


@RESPONSIBILITIES.mistake("height of the bell forgotten", "A wide Gaussian is a low one, as its area is 1. What stands before the exp?")
def without_height(x, weights, means, sds):
    return _share(weights * sds * _densities(x, means, sds))


@RESPONSIBILITIES.mistake("log-density instead of density", "These are logarithms. They have to go through exp before they are shared out.")
def shares_of_logs(x, weights, means, sds):
    return _share(np.log(joint(x, weights, means, sds)))


@RESPONSIBILITIES.mistake("the mixing weights themselves", "These are the same for every point. Responsibilities depend on where the point lies.")
def same_for_all(x, weights, means, sds):
    return np.tile(weights, (len(x), 1))


@RESPONSIBILITIES.mistake("winner takes all", "Each point went to one Gaussian altogether. A responsibility is a share.")
def hard(x, weights, means, sds):
    return np.eye(len(weights))[joint(x, weights, means, sds).argmax(axis=1)]


@RESPONSIBILITIES.mistake("table transposed", "Rows are points, columns are Gaussians.")
def gaussians_in_rows(x, weights, means, sds):
    return _share(joint(x, weights, means, sds)).T


@RESPONSIBILITIES.mistake("keepdims forgotten",
                          "The sums have shape (N,), so NumPy lays them along the Gaussians. They should stand as a column, one for each point.")
def sums_along_the_wrong_side(x, weights, means, sds):
    return joint(x, weights, means, sds) / joint(x, weights, means, sds).sum(axis=1)


@RESPONSIBILITIES.mistake("the minus forgotten in the exp",
                          "Your bells grow towards the sides: a point far away should be improbable. Which sign has the exponent?")
def growing_bells(x, weights, means, sds):
    return _share(weights * np.exp(0.5 * ((x[:, None] - means) / sds) ** 2) / sds)


@RESPONSIBILITIES.mistake("the half forgotten in the exp", "Your bells are too narrow, by a factor of √2: what stands before the squared distance?")
def narrow_bells(x, weights, means, sds):
    return _share(weights * np.exp(-(((x[:, None] - means) / sds) ** 2)) / sds)


@RESPONSIBILITIES.mistake("distance not squared", "To the left of the mean your exponent is positive: a distance has no sign after one more step.")
def signed_distance(x, weights, means, sds):
    return _share(weights * np.exp(-0.5 * (x[:, None] - means) / sds) / sds)


@RESPONSIBILITIES.mistake("absolute distance", "Your bells have a kink at the mean. In a Gaussian the distance is squared.")
def kinked_bells(x, weights, means, sds):
    return _share(weights * np.exp(-0.5 * np.abs(x[:, None] - means) / sds) / sds)


@RESPONSIBILITIES.mistake("height divided by the variance",
                          "The area under a bell should be 1: a bell that is twice as wide is half as high, not a quarter.")
def low_bells(x, weights, means, sds):
    return _share(joint(x, weights, means, sds) / sds)


@RESPONSIBILITIES.mistake("divided by the unweighted sum",
                          "Above the line the mixing weights count, below it they do not, as where finished shares are weighted: a row no longer "
                          "sums to 1.")
def unweighted_below(x, weights, means, sds):
    densities = _densities(x, means, sds)
    return weights * densities / densities.sum(axis=1, keepdims=True)


@RESPONSIBILITIES.mistake("weighted below the line only",
                          "Below the line the mixing weights count, above it they do not. Shares need the same things above and below.")
def unweighted_above(x, weights, means, sds):
    densities = _densities(x, means, sds)
    return densities / (weights * densities).sum(axis=1, keepdims=True)


@RESPONSIBILITIES.mistake("mixing weights added", "First a Gaussian is chosen, then it gives the point: the probability of both is a product.")
def weights_added(x, weights, means, sds):
    return _share(weights + _densities(x, means, sds))


@RESPONSIBILITIES.mistake("softmax of the probabilities",
                          "These are probabilities already: dividing by their sum makes shares of them. Softmax wants logarithms.")
def softmax_of_joint(x, weights, means, sds):
    return softmax(joint(x, weights, means, sds))


@RESPONSIBILITIES.mistake("brackets forgotten below the line",
                          "From left to right: divided by 2, then *times* σ². All of 2σ² belongs below the line.")
def multiplied_by_the_variance(x, weights, means, sds):
    return _share(weights * np.exp(-((x[:, None] - means) ** 2) / 2 * sds**2) / sds)


@RESPONSIBILITIES.mistake("mixing weights and height forgotten",
                          "Only the distance counts here. How common each Gaussian is matters, and a wide bell is a low one.")
def distance_alone(x, weights, means, sds):
    return _share(sds * _densities(x, means, sds))


@RESPONSIBILITIES.mistake("minus and height forgotten",
                          "Your bells grow towards the sides. And a wide Gaussian is a low one: what stands before the exp?")
def growing_without_height(x, weights, means, sds):
    return _share(weights * np.exp(0.5 * ((x[:, None] - means) / sds) ** 2))


@RESPONSIBILITIES.mistake("divided by the largest", "The largest of each row is 1 now. What sums to 1 was divided by the sum.")
def largest_is_one(x, weights, means, sds):
    return joint(x, weights, means, sds) / joint(x, weights, means, sds).max(axis=1, keepdims=True)


@RESPONSIBILITIES.mistake("the sum over the Gaussians",
                          "This is how probable each point is under the whole mixture. What share of it has each Gaussian?")
def mixture_density(x, weights, means, sds):
    return joint(x, weights, means, sds).sum(axis=1)


@RESPONSIBILITIES.mistake("each point with one Gaussian",
                          "Point 0 met only Gaussian 0, point 1 only Gaussian 1. Every point should meet every Gaussian: one of the two "
                          "needs another axis.")
def point_by_point(x, weights, means, sds):
    parts = weights * np.exp(-0.5 * ((x - means) / sds) ** 2) / sds
    return parts / parts.sum()


@RESPONSIBILITIES.mistake("table transposed, shared over points", "Rows are points, columns are Gaussians. And it is each point that is shared out.")
def transposed_over_points(x, weights, means, sds):
    return _share(joint(x, weights, means, sds), axis=0).T


@RESPONSIBILITIES.mistake("a weight added to a logarithm",
                          "The logarithm of a product is a sum of logarithms. The density went through log, the mixing weight did not.")
def weight_added_to_a_log(x, weights, means, sds):
    return softmax(weights + np.log(_densities(x, means, sds)))


@RESPONSIBILITIES.mistake("exp closed too early",
                          "Only the squared distance stands in the exponent, and 2σ² divides outside. The bracket of exp closes too early.")
def exp_closed_too_early(x, weights, means, sds):
    return _share(weights * np.exp(-((x[:, None] - means) ** 2)) / (2 * sds**2) / sds)


@RESPONSIBILITIES.mistake("all of 2σ squared", "The square reaches the 2 as well. Only σ is squared below the line.")
def square_of_both(x, weights, means, sds):
    return _share(weights * np.exp(-((x[:, None] - means) ** 2) / (2 * sds) ** 2) / sds)


@RESPONSIBILITIES.mistake("height multiplied by the width", "A wide Gaussian is a low one, as its area is 1. Here it is the higher, the wider it is.")
def high_where_wide(x, weights, means, sds):
    return _share(weights * sds**2 * _densities(x, means, sds))


@RESPONSIBILITIES.mistake("height divided by the root of σ", "The area under a bell should be 1: a bell that is twice as wide is half as high.")
def height_by_root(x, weights, means, sds):
    return _share(weights * np.sqrt(sds) * _densities(x, means, sds))


@RESPONSIBILITIES.mistake("σ forgotten in the exp",
                          "All bells are equally wide in the exponent. How wide each of them is stands below the line there.")
def same_width(x, weights, means, sds):
    return _share(weights * np.exp(-0.5 * (x[:, None] - means) ** 2) / sds)


@RESPONSIBILITIES.mistake("σ forgotten", "All bells are equally wide, and equally high. How wide each of them is enters two times.",
                          unused_arguments="sds")
def without_widths(x, weights, means, sds):
    return _share(weights * np.exp(-0.5 * (x[:, None] - means) ** 2))


@RESPONSIBILITIES.mistake("the densities themselves",
                          "This is how probable each point is under each Gaussian. How common each Gaussian is counts, too, and what is its share?")
def bare_densities(x, weights, means, sds):
    return _densities(x, means, sds)


@RESPONSIBILITIES.mistake("weights counted twice", "The mixing weights enter two times. Once is enough.")
def weights_twice(x, weights, means, sds):
    return _share(weights**2 * _densities(x, means, sds))


def top_k_gate(logits, k):
    return course.top_k_gate(logits, np.eye(logits.shape[1]), k)


TOP_K = Exercise("top_k_gate", top_k_gate, inputs=[
    (np.array([[2.0, 1.0, -0.5, 0.2, 1.4, -1.1], [1.1, 0.3, 0.8, -2.0, 1.9, 0.1], [0.6, -0.2, 1.7, -0.6, 0.9, -1.3],
               [2.2, 1.5, 0.9, 0.1, 1.2, -0.4]]), 3),                       # nobody wants expert 5
    (np.array([[2.0, 1.0, -0.5, 0.2], [-1.0, 0.3, 0.8, -2.0], [-3.0, -0.2, -1.0, -0.6], [0.1, 1.5, 0.9, 2.2]]), 2),
    (RNG.normal(size=(7, 5)), 2),
    (RNG.normal(size=(3, 4)), 1),
    (RNG.normal(size=(3, 4)), 4),
], traps={"logits far apart": (100 * RNG.normal(size=(4, 6)), 2)},
    minutes=10, difficulty=2,
    nudge="Sort a row: which number is the last that may stay? Then ask which logit comes out of softmax as 0.",
    skeleton="""def my_top_k_gate(logits, k):
    order = ...                           # (N, E)  the experts of each row, the most wanted first
    place = ...                           # (N, E)  where each expert stands in that order
    kept = ...                            # (N, E)  True for the k experts that stay
    masked = ...                          # (N, E)  what softmax turns into 0 stands where they do not
    return softmax(masked)
""")


@TOP_K.mistake("order taken for place",
               "Your table says *which* expert stands first, second, third. Wanted is, for each expert, *at which place* it stands.")
def order_for_place(logits, k):
    return softmax(np.where(np.argsort(-logits, axis=1) < k, logits, -np.inf))


def _kept(logits, k, axis=1):
    """Where the k largest of each row stand (axis=0: of each column)."""
    return np.argsort(np.argsort(-logits, axis=axis), axis=axis) < k


@TOP_K.mistake("not renormalised", "The right experts are kept, but their gates no longer sum to 1: the others still sit in the sum below the line.")
def zeroed(logits, k):
    return softmax(logits) * _kept(logits, k)


@TOP_K.mistake("top k over tokens", "Every token chooses its experts, along its row. Here every expert chose its tokens.")
def experts_choose(logits, k):
    return softmax(np.where(_kept(logits, k, axis=0), logits, -np.inf))


@TOP_K.mistake("raw logits as gates", "These are the logits of the kept experts. Gates are positive and sum to 1: the softmax is missing.")
def raw(logits, k):
    return np.where(_kept(logits, k), logits, 0.0)


@TOP_K.mistake("raw logits divided by their sum", "The rows sum to 1, but a logit may be negative. What makes positive shares out of any numbers?")
def shares_of_logits(logits, k):
    return _share(raw(logits, k))


@TOP_K.mistake("dropped logits set to zero", "A logit of 0 is an ordinary logit: exp(0) = 1. For which logit is exp 0?")
def zero_logits(logits, k):
    return softmax(raw(logits, k))


@TOP_K.mistake("all experts kept", "Every expert still has a gate above 0. Where does k enter?")
def all_kept(logits, k):
    return softmax(logits)


@TOP_K.mistake("the k smallest", "The least wanted experts were kept. Mind the order in which the sort puts them.")
def smallest(logits, k):
    return softmax(np.where(_kept(-logits, k), logits, -np.inf))


@TOP_K.mistake("equal gates", "The right experts are kept, but all alike. The one with the larger logit should count more.")
def equal(logits, k):
    return _kept(logits, k) / k


@TOP_K.mistake("best expert only", "One expert is left, whatever k is.")
def best_only(logits, k):
    return 1.0 * _kept(logits, 1)


@TOP_K.mistake("softmax over tokens", "The right experts are kept, but shared out down the columns. For each token the gates sum to 1.")
def over_tokens(logits, k):
    return softmax(np.where(_kept(logits, k), logits, -np.inf), axis=0)


@TOP_K.mistake("softmax twice", "The gates are flatter than they should be: the kept ones went through a softmax two times.")
def softmax_twice(logits, k):
    return softmax(np.where(_kept(logits, k), softmax(logits), -np.inf))


@TOP_K.mistake("one expert too few", "Count the gates above 0 in a row: one is missing. The k-th largest logit is among those that stay.")
def one_too_few(logits, k):
    return softmax(np.where(_kept(logits, k - 1), logits, -np.inf))


@TOP_K.mistake("one expert too few, NaN where none is left",
               "Count the gates above 0 in a row: one is missing. The k-th largest logit is among those that stay, "
               "also where it is the only one.")
def one_too_few_and_nan(logits, k):
    e = np.exp(np.where(_kept(logits, k - 1), logits, -np.inf))
    return _share(e)


@TOP_K.mistake("one expert too many", "Count the gates above 0 in a row: there is one more than k. From the end, the last is number -1.")
def one_too_many(logits, k):
    return softmax(np.where(_kept(logits, k + 1), logits, -np.inf))


@TOP_K.mistake("counted from the small end", "The threshold is the k-th smallest logit. Sorting goes upwards: from which end do you count?")
def above_the_kth_smallest(logits, k):
    return softmax(np.where(_kept(logits, logits.shape[1] - k + 1), logits, -np.inf))


@TOP_K.mistake("the k smallest dropped", "k is how many stay. Here it is how many go.")
def k_dropped(logits, k):
    return softmax(np.where(_kept(logits, logits.shape[1] - k), logits, -np.inf))


@TOP_K.mistake("every token's choice kept for all",
               "An expert that any token wants is kept for every token: the indices were used as columns of the whole table. "
               "Each row keeps its own.")
def wanted_by_anyone(logits, k):
    return softmax(np.where(_kept(logits, k).any(axis=0), logits, -np.inf))


@TOP_K.mistake("threshold along the experts",
               "Each token has a threshold of its own, and they were laid along the experts. They should stand as a column.")
def threshold_along_the_experts(logits, k):
    return softmax(np.where(logits >= np.sort(logits, axis=1)[:, -k], logits, -np.inf))


@TOP_K.mistake("the k largest of the whole table", "k experts of all tokens together were kept. Every token has k of its own.")
def of_the_whole_table(logits, k):
    return softmax(np.where(logits >= np.sort(logits, axis=None)[-k], logits, -np.inf))


@TOP_K.mistake("the best of the whole table", "The largest logits of all tokens together were kept, k for each token on average. "
               "Each token has k of its own.")
def k_for_each_on_average(logits, k):
    return softmax(np.where(logits >= np.sort(logits, axis=None)[-k * len(logits)], logits, -np.inf))


@TOP_K.mistake("two experts, whatever k is", "Two experts are kept in every row. How many is k's to say.")
def always_two(logits, k):
    return softmax(np.where(_kept(logits, 2), logits, -np.inf))


@TOP_K.mistake("keepdims forgotten", "The sums of the kept gates were laid along the experts. They should stand as a column, one for each token.")
def sums_along_the_experts(logits, k):
    return zeroed(logits, k) / zeroed(logits, k).sum(axis=1)


@TOP_K.mistake("renormalised over tokens", "The kept gates were divided by the sums of the columns. For each token they sum to 1.")
def renormalised_over_tokens(logits, k):
    return _share(zeroed(logits, k), axis=0)


@TOP_K.mistake("renormalised over everything", "All gates together sum to 1. Each token's own should.")
def renormalised_over_everything(logits, k):
    return zeroed(logits, k) / zeroed(logits, k).sum()


@TOP_K.mistake("divided by k", "k gates are left, but they do not sum to k. By what must they be divided to sum to 1?")
def divided_by_k(logits, k):
    return zeroed(logits, k) / k


@TOP_K.mistake("left at −∞", "The right experts are dropped. But these are logits still: they become gates in the next step.")
def masked_logits(logits, k):
    return np.where(_kept(logits, k), logits, -np.inf)


@TOP_K.mistake("exp without the division", "The gates are positive, and 0 where they should be. They do not sum to 1 yet.")
def exponentials(logits, k):
    return np.exp(masked_logits(logits, k))


@TOP_K.mistake("numbers of the experts", "These are the numbers of the kept experts. Asked is a gate for each of them, and 0 for all others.")
def numbers(logits, k):
    return np.argsort(-logits, axis=1)[:, :k]


@TOP_K.mistake("which experts are kept", "This says who is kept. How much does each of them count?")
def truth_values(logits, k):
    return _kept(logits, k)


@TOP_K.mistake("only k columns",
               "The gates of the kept experts stand in order of size. One column for each expert is wanted, 0 where it is not asked.")
def only_k_columns(logits, k):
    return softmax(-np.sort(-logits, axis=1)[:, :k])


@TOP_K.mistake("only k columns, not renormalised", "These are the k largest gates, in order of size. Each should stand in its own expert's column, "
               "and together they should sum to 1.")
def only_k_gates(logits, k):
    return -np.sort(-softmax(logits), axis=1)[:, :k]


@TOP_K.mistake("only k columns, not renormalised, the smallest first",
               "These are the k largest gates, in order of size. One column for each expert is wanted, 0 where it is not asked, "
               "and together they should sum to 1.")
def only_k_gates_upwards(logits, k):
    return np.sort(softmax(logits), axis=1)[:, -k:]


@TOP_K.mistake("the dropped ones kept", "The k best are gone, and the others stayed. Which side of the threshold drops out?")
def the_others(logits, k):
    return softmax(np.where(_kept(logits, k), -np.inf, logits))


@TOP_K.mistake("gates with −∞ between",
               "−∞ is what softmax turns into 0. These are gates already, without what the others had, and a dropped gate is 0.")
def gates_and_infinities(logits, k):
    return np.where(_kept(logits, k), softmax(logits), -np.inf)


@TOP_K.mistake("logits compared with k", "k is how many experts stay, not a size of logit. What is the smallest logit that may stay?")
def larger_than_k(logits, k):
    return softmax(np.where(logits >= k, logits, -np.inf))


@TOP_K.mistake("only k columns, the smallest first",
               "The gates of the kept experts stand in order of size. One column for each expert is wanted, 0 where it is not asked.")
def k_columns_upwards(logits, k):
    return softmax(np.sort(logits, axis=1)[:, -k:])


@TOP_K.mistake("softmax of the zeroed gates", "A gate of 0 goes through exp and becomes a share again. What has been dropped should stay 0.")
def softmax_of_zeroed(logits, k):
    return softmax(zeroed(logits, k))


@TOP_K.mistake("rows picked instead of entries",
               "The numbers of the best experts were used as numbers of rows. Each belongs to a column of its own row.")
def rows_picked(logits, k):
    best = np.argsort(-logits, axis=1)[:, :k]
    kept = np.full(logits.shape, -np.inf)
    kept[best] = logits[best]
    return softmax(kept)


@TOP_K.mistake("0 · ∞", "-inf is multiplied by a table of truth values. Where that table holds 0 this is 0 · ∞, which has no value: NaN. "
               "Choose between two numbers instead of multiplying.")
def zero_times_infinity(logits, k):
    return softmax(logits + ~_kept(logits, k) * -np.inf)


@TOP_K.mistake("dropped logits set to -1", "A logit of -1 is an ordinary logit: exp(-1) is 0.37. For which logit is exp 0?")
def minus_one(logits, k):
    return softmax(np.where(_kept(logits, k), logits, -1))


@TOP_K.mistake("divided by the largest", "The largest gate of each row is 1 now. Gates sum to 1: by what must they be divided?")
def by_the_largest(logits, k):
    gates = zeroed(logits, k)
    return gates / gates.max(axis=1, keepdims=True)


@TOP_K.mistake("the k first experts", "The first k experts were kept, however large their logits are.")
def first_k(logits, k):
    return softmax(np.where(np.arange(logits.shape[1]) < k, logits, -np.inf))


def mixture_of_experts(gates, expert_outputs):
    return np.einsum("ne,ned->nd", gates, expert_outputs)


def _gates_and_outputs(N, E, D):
    return softmax(RNG.normal(size=(N, E))), RNG.normal(size=(N, E, D))


MIXTURE = Exercise("mixture_of_experts", mixture_of_experts, inputs=[
    _gates_and_outputs(5, 4, 3),
    _gates_and_outputs(3, 3, 3),                                 # square: gates may meet the wrong axis
    (np.array([[1.0, 0.0], [0.25, 0.75]]), RNG.normal(size=(2, 2, 3))),
    _gates_and_outputs(2, 3, 3),
], traps={"gates that do not sum to 1": (np.array([[0.5, 0.0, 0.2], [0.1, 0.3, 0.0]]), RNG.normal(size=(2, 3, 4)))},
    minutes=5, difficulty=1,
    nudge="For one token: each expert's answer times its gate, and add. A gate is one number, an answer has D of them: which shape must the gates "
          "have to meet them?",
    skeleton="""def my_mixture_of_experts(gates, expert_outputs):
    weighted = ...                        # (N, E, D)  each answer times its gate
    return ...                            # (N, D)
""")


@MIXTURE.mistake("gates ignored", "Every expert counts alike here. How much each counts for a token stands in its row of gates.",
                 unused_arguments="gates")
def plain_mean(gates, expert_outputs):
    return expert_outputs.mean(axis=1)


@MIXTURE.mistake("sum without gates", "All experts were added up as they are. Each has to be weighted first.")
def plain_sum(gates, expert_outputs):
    return expert_outputs.sum(axis=1)


@MIXTURE.mistake("best expert only", "Only the expert with the largest gate speaks. The others have gates above 0, too.")
def largest_gate(gates, expert_outputs):
    return expert_outputs[np.arange(len(gates)), gates.argmax(axis=1)]


@MIXTURE.mistake("averaged over tokens", "The tokens were added up. Each token has an output of its own; the experts are what is added up.")
def over_rows(gates, expert_outputs):
    return np.einsum("ne,ned->ed", gates, expert_outputs)


@MIXTURE.mistake("mean instead of sum", "The gates share out 1 already. Dividing by the number of experts makes everything too small.")
def weighted_mean(gates, expert_outputs):
    return (gates[:, :, None] * expert_outputs).mean(axis=1)


@MIXTURE.mistake("not added up", "Every expert is weighted by its gate, but they still stand side by side. One output a token is wanted.")
def side_by_side(gates, expert_outputs):
    return gates[:, :, None] * expert_outputs


@MIXTURE.mistake("gates on the features", "The gates met the last axis, the features. They belong to the axis of the experts.")
def on_features(gates, expert_outputs):
    return (gates[:, None, :] * expert_outputs).sum(axis=1)


@MIXTURE.mistake("gates of another token", "Row and column of the gates are swapped: token 0 used the gates that all tokens have for expert 0.")
def transposed(gates, expert_outputs):
    return np.einsum("en,ned->nd", gates, expert_outputs)


@MIXTURE.mistake("softmax over the gates", "The gates are shares already. A second softmax makes them nearly equal.")
def second_softmax(gates, expert_outputs):
    return mixture_of_experts(softmax(gates), expert_outputs)


@MIXTURE.mistake("the new axis at the wrong place", "The gates have an axis more, but in front: they still meet experts and features. "
                 "It belongs where the features are.", requires="a new axis")
def axis_in_front(gates, expert_outputs):
    return (gates[None, :, :] * expert_outputs).sum(axis=1)


@MIXTURE.mistake("no new axis for the gates",
                 "NumPy lines shapes up from the right: the gates met experts and features instead of tokens and experts. "
                 "A gate needs one more axis, for the features.")
def without_new_axis(gates, expert_outputs):
    return (gates * expert_outputs).sum(axis=1)


@MIXTURE.mistake("every token's gates for every token",
                 "The result has a row for each pair of tokens: the product paired all gates with all answers. "
                 "Each token has its own gates.")
def all_pairs(gates, expert_outputs):
    return gates @ expert_outputs


@MIXTURE.mistake("everybody's gates added", "The gates of all tokens were applied to each token. Each token has its own.")
def everybodys_gates(gates, expert_outputs):
    return (gates @ expert_outputs).sum(axis=1)


@MIXTURE.mistake("features added up", "The features of each answer were added up. The experts are what is added up; the features stay.")
def over_features(gates, expert_outputs):
    return (gates[:, :, None] * expert_outputs).sum(axis=2)


@MIXTURE.mistake("everything added up", "One number is left of the whole batch. Only the experts are added up.")
def one_number(gates, expert_outputs):
    return (gates[:, :, None] * expert_outputs).sum()


@MIXTURE.mistake("best expert only, with its gate",
                 "Only the expert with the largest gate speaks, weighted by it. The others have gates above 0, too.")
def largest_gate_weighted(gates, expert_outputs):
    return largest_gate(gates, expert_outputs) * gates.max(axis=1, keepdims=True)


@MIXTURE.mistake("experts with a gate above 0, alike", "Who is asked at all counts in full here. How much each counts is the gate's to say.")
def asked_or_not(gates, expert_outputs):
    return ((gates > 0)[:, :, None] * expert_outputs).sum(axis=1)


@MIXTURE.mistake("gates added", "The gates were added to the answers. A weighted sum multiplies each answer by its weight first.")
def gates_added(gates, expert_outputs):
    return (gates[:, :, None] + expert_outputs).sum(axis=1)


@MIXTURE.mistake("the first expert left out", "The sum begins one expert late. Python counts from 0.")
def without_the_first(gates, expert_outputs):
    return mixture_of_experts(gates[:, 1:], expert_outputs[:, 1:])


@MIXTURE.mistake("the last expert left out", "The sum stops one expert early. A range ends before its last number.")
def without_the_last(gates, expert_outputs):
    return mixture_of_experts(gates[:, :-1], expert_outputs[:, :-1])


@MIXTURE.mistake("only the last expert's share", "What came last took the place of what was there. A blend adds up the shares of all experts.")
def last_share(gates, expert_outputs):
    return gates[:, -1:] * expert_outputs[:, -1]


@MIXTURE.mistake("only the first expert's share", "Only the first expert is heard, weighted by its gate. A blend adds up the shares of all.")
def first_share(gates, expert_outputs):
    return gates[:, :1] * expert_outputs[:, 0]


@MIXTURE.mistake("experts taken from the axis of the tokens",
                 "expert_outputs[e] is what all experts say of token e. The experts are the second axis.")
def experts_from_the_tokens(gates, expert_outputs):
    return sum(gates[:, e][:, None] * expert_outputs[e] for e in range(gates.shape[1]))


@MIXTURE.mistake("no column for an expert's gates",
                 "An expert's gates, one for each token, were laid along the features. They should stand as a column.")
def gates_along_features(gates, expert_outputs):
    return sum(gates[:, e] * expert_outputs[:, e] for e in range(gates.shape[1]))


@MIXTURE.mistake("the first token's gates for all", "Every token used the gates of the first. Each has its own row.")
def first_gates_for_all(gates, expert_outputs):
    return np.einsum("e,ned->nd", gates[0], expert_outputs)


@MIXTURE.mistake("gates averaged over the tokens", "All tokens share one mean gate. Each has its own row.")
def mean_gates(gates, expert_outputs):
    return np.einsum("e,ned->nd", gates.mean(axis=0), expert_outputs)


@MIXTURE.mistake("gates squared", "Each gate was applied two times. Once is enough.")
def squared_gates(gates, expert_outputs):
    return mixture_of_experts(gates**2, expert_outputs)


@MIXTURE.mistake("divided by the gates", "The answers were divided by their gates: whom the gate trusts least speaks loudest. A weight multiplies.")
def divided_by_gates(gates, expert_outputs):
    return (expert_outputs / np.where(gates == 0, np.nan, gates)[:, :, None]).sum(axis=1)


@MIXTURE.mistake("tokens averaged as well", "One row is left for all tokens. Each token has an output of its own.")
def tokens_averaged(gates, expert_outputs):
    return mixture_of_experts(gates, expert_outputs).mean(axis=0)


@MIXTURE.mistake("divided by the gates' sum",
                 "The formula weights and adds, no more. Where the gates sum to less than 1, the blend is smaller, and that may be meant: "
                 "the Switch Transformer has such gates.", trap="gates that do not sum to 1")
def normalised(gates, expert_outputs):
    return mixture_of_experts(gates, expert_outputs) / gates.sum(axis=1, keepdims=True)


def expert_layer(X, W_g, W_1, b_1, W_2, b_2, k):
    return _experts(X, W_g, W_1, b_1, W_2, b_2, k)


def _experts(X, W_g, W_1, b_1, W_2, b_2, k, gate=top_k_gate, activation=relu):
    said = activation(np.einsum("nd,edf->nef", X, W_1) + b_1)                    # (N, E, d_ff)
    return mixture_of_experts(gate(X @ W_g, k), np.einsum("nef,efd->ned", said, W_2) + b_2)


def _layer(N, D, E, d_ff, k):
    shapes = (N, D), (D, E), (E, D, d_ff), (E, d_ff), (E, d_ff, D), (E, D)
    return *(RNG.normal(size=shape) for shape in shapes), k


EXPERT_LAYER = Exercise("expert_layer", expert_layer, inputs=[
    _layer(5, 3, 4, 6, 2), _layer(3, 3, 3, 3, 2), _layer(4, 2, 3, 5, 1), _layer(2, 4, 5, 3, 3), _layer(6, 3, 4, 2, 1),
],
    parts=("top_k_gate", "feed_forward", "mixture_of_experts"), minutes=15, difficulty=2,
    nudge="You have all three parts. The gates come from X and W_g. Each expert is a feed-forward network with matrices of its own, asked about "
          "all tokens. "
          "On which axis do their answers stand, so that the mixture can take them?",
    skeleton="""def my_expert_layer(X, W_g, W_1, b_1, W_2, b_2, k):
    gates = ...                           # (N, E)  of the k best experts of each token
    answers = []
    for e in range(...):
        answers.append(...)               # (N, D)  expert e, asked about all tokens
    expert_outputs = np.stack(answers, axis=...)     # (N, E, D)
    return ...                            # (N, D)
""")


@EXPERT_LAYER.mistake("all experts kept", "Every expert has a gate above 0 here. Only the k best of each token should count.")
def every_expert(X, W_g, W_1, b_1, W_2, b_2, k):
    return _experts(X, W_g, W_1, b_1, W_2, b_2, k, all_kept)


@EXPERT_LAYER.mistake("not renormalised",
                      "The right experts are kept, but their gates no longer sum to 1. Your top_k_gate takes the logits themselves.")
def with_zeroed_gates(X, W_g, W_1, b_1, W_2, b_2, k):
    return _experts(X, W_g, W_1, b_1, W_2, b_2, k, zeroed)


@EXPERT_LAYER.mistake("softmax before the gate", "The gates went through a softmax two times: top_k_gate wants logits, and has a softmax of its own.")
def softmax_first(X, W_g, W_1, b_1, W_2, b_2, k):
    return _experts(X, W_g, W_1, b_1, W_2, b_2, k, softmax_twice)


@EXPERT_LAYER.mistake("best expert only", "One expert a token is asked, whatever k is.")
def one_expert(X, W_g, W_1, b_1, W_2, b_2, k):
    return _experts(X, W_g, W_1, b_1, W_2, b_2, 1)


@EXPERT_LAYER.mistake("logits as gates", "The logits were used as gates. They pass through top_k_gate first.")
def logits_as_gates(X, W_g, W_1, b_1, W_2, b_2, k):
    return _experts(X, W_g, W_1, b_1, W_2, b_2, k, lambda logits, k: logits)


@EXPERT_LAYER.mistake("gates ignored", "All experts count alike here. How much each counts for a token is in the gates.")
def mean_of_experts(X, W_g, W_1, b_1, W_2, b_2, k):
    return _experts(X, W_g, W_1, b_1, W_2, b_2, k, lambda logits, k: np.full(logits.shape, 1 / logits.shape[1]))


@EXPERT_LAYER.mistake("sum without gates", "Everything the experts said was added up. Each answer is weighted by its gate first.")
def sum_of_experts(X, W_g, W_1, b_1, W_2, b_2, k):
    return _experts(X, W_g, W_1, b_1, W_2, b_2, k, lambda logits, k: np.ones(logits.shape))


@EXPERT_LAYER.mistake("experts with a gate above 0, alike",
                      "Who is asked at all counts in full here. How much each counts is the gate's to say.")
def asked_alike(X, W_g, W_1, b_1, W_2, b_2, k):
    return _experts(X, W_g, W_1, b_1, W_2, b_2, k, lambda logits, k: 1.0 * _kept(logits, k))


FIRST_K = "Only the first k experts were asked. Which k count for a token, its gates say: let all E answer."


def _answers(X, W_1, b_1, W_2, b_2):
    return np.stack([relu(X @ W + b) @ W_o + b_o for W, b, W_o, b_o in zip(W_1, b_1, W_2, b_2, strict=True)], axis=1)       # (N, E, D)


@EXPERT_LAYER.mistake("only the first k experts", FIRST_K)
def first_k_of_the_gates(X, W_g, W_1, b_1, W_2, b_2, k):
    return mixture_of_experts(top_k_gate(X @ W_g, k)[:, :k], _answers(X, W_1, b_1, W_2, b_2)[:, :k])


@EXPERT_LAYER.mistake("only the first k experts, with the gates of all", FIRST_K)
def first_k_and_all_gates(X, W_g, W_1, b_1, W_2, b_2, k):
    return (top_k_gate(X @ W_g, k)[:, :, None] * _answers(X, W_1, b_1, W_2, b_2)[:, :k]).sum(axis=1)


@EXPERT_LAYER.mistake("one expert's matrices for all",
                      "All experts are the same network here, the first. Expert e has matrices and biases of its own.")
def all_the_first(X, W_g, W_1, b_1, W_2, b_2, k):
    return relu(X @ W_1[0] + b_1[0]) @ W_2[0] + b_2[0]


@EXPERT_LAYER.mistake("activation forgotten", "Without an activation each expert is a single matrix. Your feed_forward has one.")
def linear_experts(X, W_g, W_1, b_1, W_2, b_2, k):
    return _experts(X, W_g, W_1, b_1, W_2, b_2, k, activation=lambda hidden: hidden)


@EXPERT_LAYER.mistake("biases forgotten", "The experts' biases do not enter.")
def without_biases(X, W_g, W_1, b_1, W_2, b_2, k):
    return _experts(X, W_g, W_1, 0 * b_1, W_2, 0 * b_2, k)


@EXPERT_LAYER.mistake("answers stacked by expert",
                      "Your answers have a table for each expert. The mixture wants a table for each token, with a row for each expert.")
def stacked_by_expert(X, W_g, W_1, b_1, W_2, b_2, k):
    said = _answers(X, W_1, b_1, W_2, b_2).swapaxes(0, 1)                                # (E, N, D)
    return (top_k_gate(X @ W_g, k)[:, :, None] * said).sum(axis=1)


@EXPERT_LAYER.mistake("skip added", "Adding X is the work of the block around it. Here only what the experts give is asked.")
def with_skip(X, W_g, W_1, b_1, W_2, b_2, k):
    return X + _experts(X, W_g, W_1, b_1, W_2, b_2, k)


@EXPERT_LAYER.mistake("not added up", "Each expert's answer is weighted, but they still stand side by side. One output a token is wanted.")
def not_added_up(X, W_g, W_1, b_1, W_2, b_2, k):
    said = np.einsum("nef,efd->ned", relu(np.einsum("nd,edf->nef", X, W_1) + b_1), W_2) + b_2
    return top_k_gate(X @ W_g, k)[:, :, None] * said


@EXPERT_LAYER.mistake("the gates returned", "These are the gates. What the chosen experts say is still to be blended.")
def only_gates(X, W_g, W_1, b_1, W_2, b_2, k):
    return top_k_gate(X @ W_g, k)


NOTE = Reading(
    "note_09",
    "A lecture note says: “The cheapest mixture keeps only the best expert. Renormalise its gate as always, and train gate and experts with the "
    "squared error.” "
    "Which sentence mends it?",
    [("Renormalised, one kept gate is always 1, so no slope reaches the gate: leave it as it was, as Switch does.",
      "divide one gate by itself and it is 1, however sure the gate was. A constant has no slope, so `W_g` never learns whom to ask. "
      "With two kept gates their shares can move."),
     ("With one expert kept, the squared error has no slope for the experts, so they have to be trained before the gate is.",
      "The kept expert's answer is the output, so the error reaches it as in any network. It is another part that gets no slope."),
     ("One kept expert is always the same one, so the others never learn: draw the expert at random, and do so for every token.",
      "Which expert is best depends on the token. Dead experts do happen, but here something fails even when all are asked."),
     ("The gate cannot be trained with a squared error at all: only the likelihood of the mixture has a slope for its logits.",
      "With a blend of several experts the squared error trains the gate as well: its slope is δ G_e (F_e − ŷ). What is special about one?")],
    right="A", minutes=5, difficulty=2)

READ_GATES = softmax(np.array([[3.0, 0.2, 0.0, 0.4], [2.6, 0.5, 0.3, 0.0], [2.9, 0.0, 0.6, 0.1], [2.2, 0.1, 0.0, 1.0]]))
READ_TOKENS, READ_EXPERTS = ["token 0", "token 1", "token 2", "token 3"], ["expert 0", "expert 1", "expert 2", "expert 3"]
WHICH_LOAD = Reading(
    "which_load_09",
    "The gates of four tokens, before any are dropped: a row for each token, a column for each expert. What does this picture say about training on?",
    [("The gate is sure of itself, which is what training is for: nothing needs to be done here.",
      "It is sure, but sure of the same expert for every token. A mixture in which one expert does everything is that one expert."),
     ("Each expert has found its part of the data, since no two columns look alike.",
      "Found its part would mean: large for some tokens, small for others. Here one column is large for all."),
     ("One expert gets nearly everything, and the others hardly learn; balance it.",
      f"the first column holds {READ_GATES[:, 0].sum() / READ_GATES.sum():.0%} of all gates. Who is asked learns and is asked again: "
      "dead experts. A load-balancing loss pushes against that."),
     ("The gates do not sum to 1 in each column, so a softmax over the tokens is missing.",
      "Gates sum to 1 along each row: each token shares itself out. Columns may have any sum, and that is what load means.")],
    right="C", picture=heat(READ_GATES, READ_TOKENS, READ_EXPERTS))


EXERCISES = [RESPONSIBILITIES, MIXTURE, TOP_K, EXPERT_LAYER, NOTE, WHICH_LOAD]

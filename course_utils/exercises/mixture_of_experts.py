"""The exercises of notebook 09: responsibilities of Gaussians, the gate of the k best, and the mixture itself."""

import numpy as np

from course_utils import experts as course
from course_utils.attention import softmax
from course_utils.exercises.checking import Exercise

RNG = np.random.default_rng(9)


def responsibilities(x, weights, means, sds):
    return course.gaussian_responsibilities(x[:, None], weights, means[:, None], (sds**2)[:, None, None])


RESPONSIBILITIES = Exercise("responsibilities", responsibilities, inputs=[
    (np.array([-1.0, 0.5, 2.5]), np.array([0.6, 0.3, 0.1]), np.array([0.0, 1.0, 3.0]), np.array([1.5, 0.5, 0.7])),
    (RNG.normal(size=5), np.array([0.75, 0.25]), np.array([-1.0, 1.0]), np.array([0.8, 2.0])),
    (RNG.normal(size=2), np.array([0.2, 0.5, 0.1, 0.2]), np.array([-2.0, 0.0, 0.3, 2.0]), np.array([0.5, 1.6, 0.4, 0.9])),
])


def _densities(x, means, sds):
    return np.exp(-0.5 * ((x[:, None] - means) / sds) ** 2) / (sds * np.sqrt(2 * np.pi))


def _share(parts, axis=1):
    return parts / parts.sum(axis=axis, keepdims=True)


@RESPONSIBILITIES.mistake("mixing weights forgotten", "Every Gaussian counts alike here. How common each of them is matters, too.")
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


def top_k_gate(logits, k):
    return course.top_k_gate(logits, np.eye(logits.shape[1]), k)


TOP_K = Exercise("top_k_gate", top_k_gate, inputs=[
    (np.array([[2.0, 1.0, -0.5, 0.2], [-1.0, 0.3, 0.8, -2.0], [-3.0, -0.2, -1.0, -0.6], [0.1, 1.5, 0.9, 2.2]]), 2),
    (RNG.normal(size=(6, 5)), 3),
    (RNG.normal(size=(3, 4)), 1),
    (RNG.normal(size=(3, 4)), 4),
    (100 * RNG.normal(size=(4, 6)), 2),
])


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


@TOP_K.mistake("dropped logits set to zero", "A logit of 0 is an ordinary logit: exp(0) = 1. To drop out it must be -inf.")
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


def mixture_of_experts(gates, expert_outputs):
    return np.einsum("ne,ned->nd", gates, expert_outputs)


def _gates_and_outputs(N, E, D):
    return softmax(RNG.normal(size=(N, E))), RNG.normal(size=(N, E, D))


MIXTURE = Exercise("mixture_of_experts", mixture_of_experts, inputs=[
    _gates_and_outputs(3, 3, 3),
    _gates_and_outputs(5, 4, 2),
    (np.array([[1.0, 0.0], [0.25, 0.75]]), RNG.normal(size=(2, 2, 3))),
])


@MIXTURE.mistake("gates ignored", "Every expert counts alike here. How much each counts for a token stands in its row of gates.")
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


EXERCISES = [RESPONSIBILITIES, TOP_K, MIXTURE]

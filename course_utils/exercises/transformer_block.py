"""The exercises of notebook 07: the feed-forward network, the pre-norm block, one step of a beam search."""

import numpy as np

from course_utils import layers
from course_utils.attention import softmax
from course_utils.exercises.checking import Exercise
from course_utils.layers import gelu, layer_norm, relu, rms_norm

RNG = np.random.default_rng(7)


def arrays(*shapes):
    return tuple(RNG.normal(size=shape) for shape in shapes)


def feed_forward(X, W_1, b_1, W_2, b_2):
    return layers.feed_forward(X, W_1, b_1, W_2, b_2)


FEED_FORWARD = Exercise("feed_forward", feed_forward, inputs=[
    arrays((4, 4), (4, 4), (4,), (4, 4), (4,)),           # all square: a wrong order does not fail, it goes wrong
    arrays((3, 2), (2, 6), (6,), (6, 2), (2,)),
    arrays((2, 3, 2), (2, 5), (5,), (5, 2), (2,)),        # a batch
])


@FEED_FORWARD.mistake("activation forgotten", "Without an activation two matrices are only one, their product. Where does ReLU stand?")
def linear(X, W_1, b_1, W_2, b_2):
    return (X @ W_1 + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("activation after the second matrix",
                      "ReLU stands between the two matrices. At the end it would keep the network from ever subtracting.")
def activation_at_the_end(X, W_1, b_1, W_2, b_2):
    return relu((X @ W_1 + b_1) @ W_2 + b_2)


@FEED_FORWARD.mistake("activation twice", "The ReLU between the matrices is right. The one at the end would keep the network from ever subtracting.")
def activated_twice(X, W_1, b_1, W_2, b_2):
    return relu(relu(X @ W_1 + b_1) @ W_2 + b_2)


@FEED_FORWARD.mistake("first bias forgotten", "The hidden layer has a bias of its own, which says from where on a unit fires.")
def without_first_bias(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1) @ W_2 + b_2


@FEED_FORWARD.mistake("second bias forgotten", "The hidden layer is right. The output has a bias, too.")
def without_second_bias(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1 + b_1) @ W_2


@FEED_FORWARD.mistake("both biases forgotten", "Each of the two matrices has a bias, and neither enters.")
def without_biases(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1) @ W_2


@FEED_FORWARD.mistake("bias after the activation", "The first bias shifts what goes into ReLU. Added afterwards, it cannot switch a unit off.")
def late_bias(X, W_1, b_1, W_2, b_2):
    return (relu(X @ W_1) + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("tokens mixed", "Tokens are rows, so the matrices stand on the right. On the left they mix tokens.")
def matrices_on_the_left(X, W_1, b_1, W_2, b_2):
    return W_2 @ relu(W_1 @ X + b_1) + b_2


@FEED_FORWARD.mistake("first matrix on the left", "The second matrix stands on the right, the first on the left, where it mixes tokens.")
def first_matrix_on_the_left(X, W_1, b_1, W_2, b_2):
    return relu(W_1 @ X + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("matrices transposed", "Each matrix has a row for each feature that goes in. It needs no transpose.")
def transposed(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1.T + b_1) @ W_2.T + b_2


@FEED_FORWARD.mistake("matrices swapped", "The first matrix goes with the first bias, and comes first.")
def swapped(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_2 + b_2) @ W_1 + b_1


@FEED_FORWARD.mistake("GELU instead of ReLU", "This is the smooth one. Here ReLU is asked: the larger of the number and 0.")
def with_gelu(X, W_1, b_1, W_2, b_2):
    return layers.feed_forward(X, W_1, b_1, W_2, b_2, gelu)


@FEED_FORWARD.mistake("skip added", "Adding X is the work of the block around it. Here only what the network itself gives is asked.")
def with_skip(X, W_1, b_1, W_2, b_2):
    return X + layers.feed_forward(X, W_1, b_1, W_2, b_2)


def transformer_block(X, attend, think, norm):
    Z = X + attend(norm(X))
    return Z + think(norm(Z))


def _attend(X):
    """A small attention without parameters."""
    return softmax(X @ X.swapaxes(-1, -2) / np.sqrt(X.shape[-1])) @ X[..., ::-1]


def _think(X):
    """A small step for each token alone."""
    return relu(X - 0.3) - 0.5 * relu(0.2 - X[..., ::-1])


BLOCK = Exercise("transformer_block", transformer_block, inputs=[
    (3 * RNG.normal(size=(4, 4)) + 1, _attend, _think, layer_norm),
    (3 * RNG.normal(size=(2, 3, 5)) - 1, _attend, np.tanh, rms_norm),
])


@BLOCK.mistake("post-norm where pre-norm is asked", "The norms stand after the additions. In pre-norm they stand at the entrance of each part.")
def post_norm(X, attend, think, norm):
    Z = norm(X + attend(X))
    return norm(Z + think(Z))


@BLOCK.mistake("skip starts after the norm",
               "The skips carry the normed tokens. Only what attend and think read is normed; the stream itself is left alone.")
def skips_from_the_normed(X, attend, think, norm):
    I = norm(X)
    Z = I + attend(I)
    I_2 = norm(Z)
    return I_2 + think(I_2)


@BLOCK.mistake("first skip starts after the norm", "The first skip carries norm(X). The stream goes on with X itself.")
def first_skip_from_the_normed(X, attend, think, norm):
    Z = norm(X) + attend(norm(X))
    return Z + think(norm(Z))


@BLOCK.mistake("second skip starts after the norm", "The second skip carries the normed Z. The stream goes on with Z itself.")
def second_skip_from_the_normed(X, attend, think, norm):
    Z = X + attend(norm(X))
    return norm(Z) + think(norm(Z))


@BLOCK.mistake("no skips", "What attend and think give replaces the tokens. It should be added to them.")
def no_skips(X, attend, think, norm):
    return think(norm(attend(norm(X))))


@BLOCK.mistake("first skip forgotten", "What attend gives replaces the tokens. It should be added to them.")
def without_first_skip(X, attend, think, norm):
    Z = attend(norm(X))
    return Z + think(norm(Z))


@BLOCK.mistake("second skip forgotten", "The first half is right. What think gives should be added to Z, too.")
def without_second_skip(X, attend, think, norm):
    return think(norm(X + attend(norm(X))))


@BLOCK.mistake("no norms", "The skips are right, but norm is never called: attend and think each read normed tokens.")
def no_norms(X, attend, think, norm):
    Z = X + attend(X)
    return Z + think(Z)


@BLOCK.mistake("first norm forgotten", "think reads normed tokens, attend does not yet.")
def without_first_norm(X, attend, think, norm):
    Z = X + attend(X)
    return Z + think(norm(Z))


@BLOCK.mistake("second norm forgotten", "attend reads normed tokens, think does not yet.")
def without_second_norm(X, attend, think, norm):
    Z = X + attend(norm(X))
    return Z + think(Z)


@BLOCK.mistake("norm after each part", "attend and think read the plain tokens, and what they give is normed. Norm what they read.")
def normed_results(X, attend, think, norm):
    Z = X + norm(attend(X))
    return Z + norm(think(Z))


@BLOCK.mistake("both parts read X", "think should read what attention has left, Z. Here both read the same X.")
def parallel(X, attend, think, norm):
    return X + attend(norm(X)) + think(norm(X))


@BLOCK.mistake("second skip from X", "The second addition starts from X again, so what attention gave is lost from the stream.")
def second_skip_from_the_start(X, attend, think, norm):
    return X + think(norm(X + attend(norm(X))))


@BLOCK.mistake("think before attend", "The order: first tokens exchange, then each thinks for itself.")
def other_order(X, attend, think, norm):
    Z = X + think(norm(X))
    return Z + attend(norm(Z))


@BLOCK.mistake("a norm at the end", "The block is right, but the last norm belongs at the end of the whole stack, not of each block.")
def normed_at_the_end(X, attend, think, norm):
    return norm(transformer_block(X, attend, think, norm))


def beam_step(totals, log_probs, beam_width):
    longer = np.asarray(totals)[:, None] + log_probs                # (n, n_vocab)
    best = np.argsort(-longer, axis=None, kind="stable")[:beam_width]
    parents, tokens = np.divmod(best, longer.shape[1])
    return parents, tokens, longer.ravel()[best]


def _beam(n, n_vocab, beam_width, sharpness=1.0):
    """n texts with totals that differ, each with log-probabilities of its next token."""
    totals = np.sort(np.log(RNG.uniform(0.05, 0.5, size=n)))[::-1].copy()
    return totals, np.log(softmax(sharpness * RNG.normal(size=(n, n_vocab)))), beam_width


# The best three of the first: two children of the first text, then one of the third.
TELLING = (np.log([0.5, 0.1, 0.3]), np.log([[0.45, 0.35, 0.15, 0.05], [0.1, 0.85, 0.02, 0.03], [0.02, 0.03, 0.25, 0.7]]), 3)

BEAM_STEP = Exercise("beam_step", beam_step, inputs=[TELLING, _beam(1, 5, 2), _beam(3, 6, 4), _beam(4, 4, 2, 2.0)])


def _ranked(scores, beam_width, totals=None, order=-1):
    """parents, tokens and totals of the entries of `scores` that rank first."""
    best = np.argsort(order * scores, axis=None, kind="stable")[:beam_width]
    return *np.divmod(best, scores.shape[1]), (scores if totals is None else totals).ravel()[best]


@BEAM_STEP.mistake("log-probabilities multiplied", "Probabilities of a text are multiplied, so their logarithms are added.")
def multiplied_logs(totals, log_probs, beam_width):
    return _ranked(totals[:, None] * log_probs, beam_width)


@BEAM_STEP.mistake("probabilities multiplied", "The texts are right, but the totals are probabilities. After hundreds of tokens they are too small "
                   "for a float: stay with logarithms, and add.")
def plain_probabilities(totals, log_probs, beam_width):
    return _ranked(np.exp(totals[:, None] + log_probs), beam_width)


@BEAM_STEP.mistake("a probability added to a logarithm",
                   "The totals are logarithms, and what is added to them is not. Leave the log-probabilities as they come.")
def mixed_units(totals, log_probs, beam_width):
    return _ranked(totals[:, None] + np.exp(log_probs), beam_width)


@BEAM_STEP.mistake("one child per parent only", "Each text keeps only its likeliest next token. One parent may have several children among the best.")
def one_child_each(totals, log_probs, beam_width):
    tokens = log_probs.argmax(axis=1)
    longer = totals + log_probs.max(axis=1)
    parents = np.argsort(-longer, kind="stable")[:beam_width]
    return parents, tokens[parents], longer[parents]


@BEAM_STEP.mistake("keeps the worst", "argsort puts the smallest first, and these are the least likely texts.")
def worst(totals, log_probs, beam_width):
    return _ranked(totals[:, None] + log_probs, beam_width, order=1)


@BEAM_STEP.mistake("worst of the best first", "The right texts are kept, but the best should come first.")
def ascending(totals, log_probs, beam_width):
    return tuple(part[::-1] for part in beam_step(totals, log_probs, beam_width))


@BEAM_STEP.mistake("parents' score forgotten", "Only the last token counts here. A text is as likely as its beginning and its last token together.")
def last_token_only(totals, log_probs, beam_width):
    return _ranked(log_probs + 0 * totals[:, None], beam_width)


@BEAM_STEP.mistake("ranked without the parents' score", "The totals are right, but the choice looks at the last token only.")
def chosen_by_last_token(totals, log_probs, beam_width):
    return _ranked(log_probs, beam_width, totals[:, None] + log_probs)


@BEAM_STEP.mistake("children of the best parent only", "Only the best text grows. A text that is second now may be the first with its next token.")
def best_parent_only(totals, log_probs, beam_width):
    parent = int(np.argmax(totals))
    tokens = np.argsort(-log_probs[parent], kind="stable")[:beam_width]
    return np.full(len(tokens), parent), tokens, totals[parent] + log_probs[parent, tokens]


@BEAM_STEP.mistake("parents and tokens swapped", "First the parents: which text of the beam. Then the tokens: what is added to it.")
def swapped_results(totals, log_probs, beam_width):
    parents, tokens, longer = beam_step(totals, log_probs, beam_width)
    return tokens, parents, longer


@BEAM_STEP.mistake("the parents' totals", "The right texts are kept, but the totals are still those of the shorter ones.")
def old_totals(totals, log_probs, beam_width):
    parents, tokens, _ = beam_step(totals, log_probs, beam_width)
    return parents, tokens, totals[parents]


EXERCISES = [FEED_FORWARD, BLOCK, BEAM_STEP]

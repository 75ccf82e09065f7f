"""The exercises of notebook 07: the feed-forward network, the slopes back through it, the pre-norm block, one step of a beam search."""

import numpy as np

from course_utils import layers
from course_utils.attention import softmax
from course_utils.cards.look import table
from course_utils.diagnosis.exercise import Catch, Exercise, Reading
from course_utils.layers import gelu, layer_norm, relu, rms_norm

RNG = np.random.default_rng(7)


def arrays(*shapes):
    return tuple(RNG.normal(size=shape) for shape in shapes)


def feed_forward(X, W_1, b_1, W_2, b_2):
    return layers.feed_forward(X, W_1, b_1, W_2, b_2)


FEED_FORWARD = Exercise("feed_forward", feed_forward, inputs=[
    arrays((3, 2), (2, 6), (6,), (6, 2), (2,)),
    arrays((4, 4), (4, 4), (4,), (4, 4), (4,)),           # all square: a wrong order does not fail, it goes wrong
    arrays((2, 3, 4), (4, 5), (5,), (5, 4), (4,)),        # a batch
], minutes=5, difficulty=1,
    nudge="A wide layer of units that fire or stay silent, then back to the token's width. Which of the two steps is there an activation after?",
    skeleton="""def my_feed_forward(X, W_1, b_1, W_2, b_2):
    before = ...                          # (..., T, d_ff)  what each hidden unit adds up
    hidden = ...                          # (..., T, d_ff)  ReLU: what is below 0 becomes 0
    return ...                            # (..., T, D)
""")


@FEED_FORWARD.mistake("activation forgotten", "Without an activation two matrices are only one, their product. What stands between them?")
def linear(X, W_1, b_1, W_2, b_2):
    return (X @ W_1 + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("activation after the second matrix",
                      "ReLU stands between the two matrices. At the end it would keep the network from ever subtracting.")
def activation_at_the_end(X, W_1, b_1, W_2, b_2):
    return relu((X @ W_1 + b_1) @ W_2 + b_2)


@FEED_FORWARD.mistake("activation twice", "The ReLU between the matrices is right. The one at the end would keep the network from ever subtracting.")
def activated_twice(X, W_1, b_1, W_2, b_2):
    return relu(relu(X @ W_1 + b_1) @ W_2 + b_2)


@FEED_FORWARD.mistake("first bias forgotten", "The hidden layer has a bias of its own, which says from where on a unit fires.",
                      unused_arguments="b_1")
def without_first_bias(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1) @ W_2 + b_2


@FEED_FORWARD.mistake("second bias forgotten", "The hidden layer is right. The output has a bias, too.", unused_arguments="b_2")
def without_second_bias(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1 + b_1) @ W_2


@FEED_FORWARD.mistake("both biases forgotten", "Each of the two matrices has a bias, and neither enters.", unused_arguments="b_1 b_2")
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


@FEED_FORWARD.mistake("GELU instead of ReLU", "This is the smooth one. Here ReLU is asked, which has a kink at 0.")
def with_gelu(X, W_1, b_1, W_2, b_2):
    return layers.feed_forward(X, W_1, b_1, W_2, b_2, gelu)


@FEED_FORWARD.mistake("skip added", "Adding X is the work of the block around it. Here only what the network itself gives is asked.")
def with_skip(X, W_1, b_1, W_2, b_2):
    return X + layers.feed_forward(X, W_1, b_1, W_2, b_2)


@FEED_FORWARD.mistake("activation on the input",
                      "ReLU was applied to the tokens. It belongs to the hidden layer, to what the first matrix makes of them.")
def activated_input(X, W_1, b_1, W_2, b_2):
    return (relu(X) @ W_1 + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("activation on the input, too", "The ReLU on the hidden layer is right. The tokens come in as they are.")
def activated_input_and_hidden(X, W_1, b_1, W_2, b_2):
    return relu(relu(X) @ W_1 + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("a maximum over tokens",
                      "The largest of a column compares tokens with each other. ReLU compares each number with 0, by itself.")
def maximum_over_tokens(X, W_1, b_1, W_2, b_2):
    return (X @ W_1 + b_1).max(axis=0) @ W_2 + b_2


@FEED_FORWARD.mistake("a maximum over units",
                      "The largest of a row compares hidden units with each other. ReLU compares each number with 0, by itself.")
def maximum_over_units(X, W_1, b_1, W_2, b_2):
    return (X @ W_1 + b_1).max(axis=-1, keepdims=True) * np.ones(len(b_1)) @ W_2 + b_2


@FEED_FORWARD.mistake("the negative part kept", "What is above 0 was cut off. ReLU lets it pass, and cuts the rest.")
def negative_part(X, W_1, b_1, W_2, b_2):
    return np.minimum(0, X @ W_1 + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("a step instead of ReLU",
                      "Your units say only whether they fire. ReLU says how much as well: above 0 the number passes as it is.")
def step(X, W_1, b_1, W_2, b_2):
    return 1.0 * (X @ W_1 + b_1 > 0) @ W_2 + b_2


@FEED_FORWARD.mistake("absolute values instead of ReLU", "A negative number comes out positive here. ReLU makes it 0.")
def sizes(X, W_1, b_1, W_2, b_2):
    return np.abs(X @ W_1 + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("sigmoid instead of ReLU", "Each number is squeezed between 0 and 1. ReLU leaves positive numbers as they are.")
def with_sigmoid(X, W_1, b_1, W_2, b_2):
    return 1 / (1 + np.exp(-(X @ W_1 + b_1))) @ W_2 + b_2


@FEED_FORWARD.mistake("tanh instead of ReLU", "Each number is squeezed between -1 and 1. ReLU leaves positive numbers as they are.")
def with_tanh(X, W_1, b_1, W_2, b_2):
    return np.tanh(X @ W_1 + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("softmax instead of ReLU", "Softmax makes the units share out 1. In ReLU each unit decides for itself.")
def with_softmax(X, W_1, b_1, W_2, b_2):
    return softmax(X @ W_1 + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("second step forgotten", "This is the hidden layer. The way back to the width of a token is missing.")
def hidden_only(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1 + b_1)


@FEED_FORWARD.mistake("first matrix twice", "Both steps use the first matrix. The second has one of its own.")
def first_matrix_twice(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1 + b_1) @ W_1 + b_2


@FEED_FORWARD.mistake("biases swapped", "Each bias goes with its own matrix, by number and by width.")
def biases_swapped(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1 + b_2) @ W_2 + b_1


@FEED_FORWARD.mistake("first bias twice", "The second step has a bias of its own.")
def first_bias_twice(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1 + b_1) @ W_2 + b_1


@FEED_FORWARD.mistake("leaky ReLU", "Below 0 a little comes through. Plain ReLU lets nothing pass there.")
def leaky(X, W_1, b_1, W_2, b_2):
    return np.where(X @ W_1 + b_1 > 0, 1, 0.01) * (X @ W_1 + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("biases subtracted", "The biases go the wrong way: both are added.")
def subtracted_biases(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1 - b_1) @ W_2 - b_2


@FEED_FORWARD.mistake("first bias subtracted", "The first bias goes the wrong way: it is added.")
def first_bias_subtracted(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1 - b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("second bias subtracted", "The second bias goes the wrong way: it is added.")
def second_bias_subtracted(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1 + b_1) @ W_2 - b_2


@FEED_FORWARD.mistake("first bias multiplied", "A bias is added: it says from where on a unit fires. Here it stretches.")
def first_bias_multiplied(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1 * b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("first matrix transposed", "The first matrix has a row for each feature that goes in. It needs no transpose.")
def first_transposed(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1.T + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("second matrix transposed", "The second matrix has a row for each hidden unit. It needs no transpose.")
def second_transposed(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1 + b_1) @ W_2.T + b_2


@FEED_FORWARD.mistake("second matrix on the left", "The first matrix stands on the right, the second on the left, where it mixes tokens.")
def second_matrix_on_the_left(X, W_1, b_1, W_2, b_2):
    return W_2 @ relu(X @ W_1 + b_1) + b_2


@FEED_FORWARD.mistake("second matrix twice", "Both steps use the second matrix. The first has one of its own.")
def second_matrix_twice(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_2 + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("activation on the first matrix",
                      "ReLU was applied to W_1. It belongs to the hidden layer, to what the matrix makes of the tokens.")
def activated_matrix(X, W_1, b_1, W_2, b_2):
    return (X @ relu(W_1) + b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("activation on the bias", "Only the bias went through ReLU. It is the whole sum that does.")
def activated_bias(X, W_1, b_1, W_2, b_2):
    return (X @ W_1 + relu(b_1)) @ W_2 + b_2


@FEED_FORWARD.mistake("activation before the second bias", "ReLU came after the second matrix, before its bias. It stands between the two matrices.")
def activated_before_the_bias(X, W_1, b_1, W_2, b_2):
    return relu((X @ W_1 + b_1) @ W_2) + b_2


@FEED_FORWARD.mistake("ReLU squared", "What passes ReLU was multiplied by itself. ReLU leaves positive numbers as they are.")
def squared_relu(X, W_1, b_1, W_2, b_2):
    return relu(X @ W_1 + b_1) ** 2 @ W_2 + b_2


@FEED_FORWARD.mistake("cut off at 1", "Numbers above 1 were cut, too. ReLU leaves positive numbers as they are.")
def clipped(X, W_1, b_1, W_2, b_2):
    return np.clip(X @ W_1 + b_1, 0, 1) @ W_2 + b_2


@FEED_FORWARD.mistake("the larger of product and bias",
                      "Each unit took the larger of its product and its bias. The two are added, and compared with 0.")
def larger_of_both(X, W_1, b_1, W_2, b_2):
    return np.maximum(X @ W_1, b_1) @ W_2 + b_2


@FEED_FORWARD.mistake("softplus instead of ReLU", "This is a smooth ReLU, log(1 + exp). Here the one with a kink at 0 is asked.")
def with_softplus(X, W_1, b_1, W_2, b_2):
    return np.log1p(np.exp(X @ W_1 + b_1)) @ W_2 + b_2


@FEED_FORWARD.mistake("SiLU instead of ReLU",
                      "Each number was multiplied by its own sigmoid. ReLU leaves positive numbers as they are, and makes the others 0.")
def with_silu(X, W_1, b_1, W_2, b_2):
    hidden = X @ W_1 + b_1
    return hidden / (1 + np.exp(-hidden)) @ W_2 + b_2


@FEED_FORWARD.mistake("below 0 becomes 1", "A unit that does not fire gave 1. ReLU makes it 0.")
def one_below(X, W_1, b_1, W_2, b_2):
    hidden = X @ W_1 + b_1
    return np.where(hidden > 0, hidden, 1) @ W_2 + b_2


def _forward(X, W_1, b_1):
    before = X @ W_1 + b_1
    return before, relu(before)


def _back(X, W_1, W_2, dY, hidden, d_before):
    """The five tables, given what each unit gave and the slopes at what it added up."""
    return d_before @ W_1.T, X.T @ d_before, d_before.sum(axis=0), hidden.T @ dY, dY.sum(axis=0)


def feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY):
    before, hidden = _forward(X, W_1, b_1)
    return _back(X, W_1, W_2, dY, hidden, dY @ W_2.T * (before > 0))


def _network(T, D, d_ff):
    return arrays((T, D), (D, d_ff), (d_ff,), (d_ff, D), (D,), (T, D))


FEED_FORWARD_SLOPES = Exercise("feed_forward_slopes", feed_forward_slopes, inputs=[
    _network(5, 3, 7),
    _network(4, 4, 4),                                    # all square: a missing transpose does not fail, it goes wrong
    _network(2, 3, 5),
    _network(1, 3, 6),                                    # one token: sums over tokens and means are the same
], parts=("matrix_slopes",), minutes=15, difficulty=3,
    nudge="Go forward once and keep what each step gave. Then walk back, last step first. Each matrix is a job for `matrix_slopes`; what does it "
          "want to know? A bias was added to every token. And whose slopes does ReLU let through?",
    skeleton="""def my_feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY):      # dY (T, D): the slopes at the output
    before = ...                          # (T, d_ff)  forward: what each unit adds up
    hidden = ...                          # (T, d_ff)  and what it gives
    d_hidden, dW_2 = ...                  # back through the second matrix
    d_before = ...                        # (T, d_ff)  back through ReLU
    dX, dW_1 = ...                        # back through the first matrix
    db_1, db_2 = ...                      # (d_ff,), (D,)  a bias met every token
    return dX, dW_1, db_1, dW_2, db_2
""")


@FEED_FORWARD_SLOPES.mistake("ReLU forgotten on the way back",
                             "Every slope comes back through the hidden layer here. A silent unit does not move the output: what is its slope?")
def every_unit_passes(X, W_1, b_1, W_2, b_2, dY):
    _, hidden = _forward(X, W_1, b_1)
    return _back(X, W_1, W_2, dY, hidden, dY @ W_2.T)


@FEED_FORWARD_SLOPES.mistake("ReLU of the slopes", "Negative slopes were cut off. What decides is whether the unit fired, not the sign of its slope.")
def slopes_cut(X, W_1, b_1, W_2, b_2, dY):
    _, hidden = _forward(X, W_1, b_1)
    return _back(X, W_1, W_2, dY, hidden, relu(dY @ W_2.T))


@FEED_FORWARD_SLOPES.mistake("ReLU of the slopes as well",
                             "The silent units are right. But negative slopes of units that fired were cut off, too: they come through as they are.")
def slopes_cut_as_well(X, W_1, b_1, W_2, b_2, dY):
    before, hidden = _forward(X, W_1, b_1)
    return _back(X, W_1, W_2, dY, hidden, relu(dY @ W_2.T) * (before > 0))


@FEED_FORWARD_SLOPES.mistake("multiplied by what the unit gives",
                             "A slope was multiplied by how much its unit fires. Above 0 ReLU passes a nudge as it is, whatever the height.")
def times_hidden(X, W_1, b_1, W_2, b_2, dY):
    _, hidden = _forward(X, W_1, b_1)
    return _back(X, W_1, W_2, dY, hidden, dY @ W_2.T * hidden)


@FEED_FORWARD_SLOPES.mistake("multiplied by what the unit adds up",
                             "A slope was multiplied by the sum that goes into ReLU. ReLU's own slope is one of two numbers.")
def times_before(X, W_1, b_1, W_2, b_2, dY):
    before, hidden = _forward(X, W_1, b_1)
    return _back(X, W_1, W_2, dY, hidden, dY @ W_2.T * before)


@FEED_FORWARD_SLOPES.mistake("silent units pass, the others do not", "The two cases of ReLU are mixed up: a unit that fires passes its slope on.")
def turned_gate(X, W_1, b_1, W_2, b_2, dY):
    before, hidden = _forward(X, W_1, b_1)
    return _back(X, W_1, W_2, dY, hidden, dY @ W_2.T * (before <= 0))


@FEED_FORWARD_SLOPES.mistake("ReLU's slope alone", "This is 1 where a unit fires, 0 elsewhere. What comes back to the unit from the loss got lost.")
def gate_alone(X, W_1, b_1, W_2, b_2, dY):
    before, hidden = _forward(X, W_1, b_1)
    return _back(X, W_1, W_2, dY, hidden, 1.0 * (before > 0))


@FEED_FORWARD_SLOPES.mistake("ReLU itself on the way back",
                             "In place of the slopes, what the units gave was sent on. Slopes go back, numbers go forward.")
def hidden_sent_back(X, W_1, b_1, W_2, b_2, dY):
    _, hidden = _forward(X, W_1, b_1)
    return _back(X, W_1, W_2, dY, hidden, hidden)


@FEED_FORWARD_SLOPES.mistake("dW_2 from what stands before ReLU", "The second matrix reads the hidden layer after ReLU. All else is right.")
def reads_before(X, W_1, b_1, W_2, b_2, dY):
    before, _ = _forward(X, W_1, b_1)
    return _back(X, W_1, W_2, dY, before, dY @ W_2.T * (before > 0))


@FEED_FORWARD_SLOPES.mistake("no ReLU at all", "This is the way back through two matrices. ReLU stands between them, on both ways.")
def without_relu(X, W_1, b_1, W_2, b_2, dY):
    before, _ = _forward(X, W_1, b_1)
    return _back(X, W_1, W_2, dY, before, dY @ W_2.T)


@FEED_FORWARD_SLOPES.mistake("first bias forgotten",
                             "Whether a unit fires depends on its bias, too. Without it, others fire.", unused_arguments="b_1")
def without_bias(X, W_1, b_1, W_2, b_2, dY):
    before = X @ W_1
    return _back(X, W_1, W_2, dY, relu(before), dY @ W_2.T * (before > 0))


@FEED_FORWARD_SLOPES.mistake("ReLU's slope missing in db_1",
                             "The slopes of the first bias come from before ReLU was passed. A silent unit's bias moves nothing.")
def bias_past_relu(X, W_1, b_1, W_2, b_2, dY):
    dX, dW_1, _, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX, dW_1, (dY @ W_2.T).sum(axis=0), dW_2, db_2


@FEED_FORWARD_SLOPES.mistake("ReLU's slope missing in dX", "dW_1 knows who is silent, dX does not. Both come from the same slopes.")
def input_past_relu(X, W_1, b_1, W_2, b_2, dY):
    return dY @ W_2.T @ W_1.T, *feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)[1:]


@FEED_FORWARD_SLOPES.mistake("ReLU's slope missing in dW_1", "dX knows who is silent, dW_1 does not. Both come from the same slopes.")
def weights_past_relu(X, W_1, b_1, W_2, b_2, dY):
    dX, _, *others = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX, X.T @ (dY @ W_2.T), *others


@FEED_FORWARD_SLOPES.mistake("bias slopes not summed",
                             "A bias has one number for a unit, and every token used it. Here each token still has its own.")
def biases_not_summed(X, W_1, b_1, W_2, b_2, dY):
    before, _ = _forward(X, W_1, b_1)
    dX, dW_1, _, dW_2, _ = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX, dW_1, dY @ W_2.T * (before > 0), dW_2, dY


@FEED_FORWARD_SLOPES.mistake("db_1 not summed", "db_2 is right. The first bias, too, was added to every token.")
def first_bias_not_summed(X, W_1, b_1, W_2, b_2, dY):
    before, _ = _forward(X, W_1, b_1)
    dX, dW_1, _, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX, dW_1, dY @ W_2.T * (before > 0), dW_2, db_2


@FEED_FORWARD_SLOPES.mistake("db_2 not summed", "db_1 is right. The second bias, too, was added to every token.")
def second_bias_not_summed(X, W_1, b_1, W_2, b_2, dY):
    return *feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)[:4], dY


@FEED_FORWARD_SLOPES.mistake("bias slopes averaged", "The slopes of the biases are divided by the number of tokens. Each token adds its part.")
def biases_averaged(X, W_1, b_1, W_2, b_2, dY):
    dX, dW_1, db_1, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX, dW_1, db_1 / len(X), dW_2, db_2 / len(X)


@FEED_FORWARD_SLOPES.mistake("bias slopes summed along the units",
                             "A bias has one number for each unit, so what is summed are the tokens, down a column.")
def summed_along_units(X, W_1, b_1, W_2, b_2, dY):
    before, _ = _forward(X, W_1, b_1)
    dX, dW_1, _, dW_2, _ = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX, dW_1, (dY @ W_2.T * (before > 0)).sum(axis=1), dW_2, dY.sum(axis=1)


@FEED_FORWARD_SLOPES.mistake("bias slopes in one number", "Each unit's bias has a slope of its own. Here all are added to one number.")
def biases_in_one_number(X, W_1, b_1, W_2, b_2, dY):
    dX, dW_1, db_1, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX, dW_1, db_1.sum(), dW_2, db_2.sum()


@FEED_FORWARD_SLOPES.mistake("bias slopes with an axis too many",
                             "The numbers are right. A bias is a row, (d_ff,): the axis that was summed over goes.")
def biases_as_tables(X, W_1, b_1, W_2, b_2, dY):
    dX, dW_1, db_1, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX, dW_1, db_1[None], dW_2, db_2[None]


@FEED_FORWARD_SLOPES.mistake("bias slopes swapped", "The two biases have changed places.")
def biases_swapped_back(X, W_1, b_1, W_2, b_2, dY):
    dX, dW_1, db_1, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX, dW_1, db_2, dW_2, db_1


@FEED_FORWARD_SLOPES.mistake("bias slopes all 1", "A bias moves its unit 1 for 1. How much the loss cares for that is a slope that came back.")
def biases_of_ones(X, W_1, b_1, W_2, b_2, dY):
    dX, dW_1, _, dW_2, _ = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX, dW_1, np.ones_like(b_1), dW_2, np.ones_like(b_2)


@FEED_FORWARD_SLOPES.mistake("averaged over the tokens",
                             "The slopes of weights and biases are divided by the number of tokens. Each token adds its part.")
def averaged_over_tokens(X, W_1, b_1, W_2, b_2, dY):
    dX, *others = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX, *(table / len(X) for table in others)


@FEED_FORWARD_SLOPES.mistake("matrices first, biases last",
                             "All five are right. They come in the order of the arguments: each bias after its matrix.")
def biases_last(X, W_1, b_1, W_2, b_2, dY):
    dX, dW_1, db_1, dW_2, db_2 = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX, dW_1, dW_2, db_1, db_2


@FEED_FORWARD_SLOPES.mistake("dX at the end", "All five are right. They come in the order of the arguments, X first.")
def input_last(X, W_1, b_1, W_2, b_2, dY):
    dX, *others = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return *others, dX


@FEED_FORWARD_SLOPES.mistake("in the order of the way back", "All five are right, last step first. They come in the order of the arguments, X first.")
def backwards(X, W_1, b_1, W_2, b_2, dY):
    return feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)[::-1]


@FEED_FORWARD_SLOPES.mistake("dX left out", "The four parameters are right. What lies before the network needs its slopes, too.")
def no_input(X, W_1, b_1, W_2, b_2, dY):
    return feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)[1:]


@FEED_FORWARD_SLOPES.mistake("biases left out", "Three tables came back, and they are right. The two biases learn as well.")
def no_biases_back(X, W_1, b_1, W_2, b_2, dY):
    dX, dW_1, _, dW_2, _ = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX, dW_1, dW_2


@FEED_FORWARD_SLOPES.mistake("the skip's slope added",
                             "dY was added to dX. That is the skip's part, around the network. Here only the network is asked.")
def with_the_skip(X, W_1, b_1, W_2, b_2, dY):
    dX, *others = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return dX + dY, *others


@FEED_FORWARD_SLOPES.mistake("a ReLU at the end", "The output went through no ReLU, so dY comes in as it is.")
def gate_at_the_end(X, W_1, b_1, W_2, b_2, dY):
    return feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY * (layers.feed_forward(X, W_1, b_1, W_2, b_2) > 0))


@FEED_FORWARD_SLOPES.mistake("the output in place of dY",
                             "What comes back is the loss's slopes at the output. Here the output itself is sent back.")
def output_sent_back(X, W_1, b_1, W_2, b_2, dY):
    return feed_forward_slopes(X, W_1, b_1, W_2, b_2, layers.feed_forward(X, W_1, b_1, W_2, b_2))


@FEED_FORWARD_SLOPES.mistake("dY forgotten",
                             "Here every number of the output counts 1. How much the loss cares for each of them stands in dY.")
def every_output_counts(X, W_1, b_1, W_2, b_2, dY):
    return feed_forward_slopes(X, W_1, b_1, W_2, b_2, np.ones_like(dY))


@FEED_FORWARD_SLOPES.mistake("sign turned", "The sign is turned. That is the direction of a step downhill; asked are the slopes.")
def downhill(X, W_1, b_1, W_2, b_2, dY):
    return feed_forward_slopes(X, W_1, b_1, W_2, b_2, -dY)


@FEED_FORWARD_SLOPES.mistake("a step taken already", "Here the arguments have been moved. Asked are the slopes alone.")
def stepped(X, W_1, b_1, W_2, b_2, dY):
    slopes = feed_forward_slopes(X, W_1, b_1, W_2, b_2, dY)
    return tuple(old - slope for old, slope in zip((X, W_1, b_1, W_2, b_2), slopes, strict=True))


@FEED_FORWARD_SLOPES.mistake("the pairs unpacked in the wrong order",
                             "`matrix_slopes` gives two tables: first the slopes of what came in, then those of the matrix.")
def pairs_turned(X, W_1, b_1, W_2, b_2, dY):
    before, hidden = _forward(X, W_1, b_1)
    dW_2, d_hidden = dY @ W_2.T, hidden.T @ dY
    d_before = d_hidden * (before > 0)
    return X.T @ d_before, d_before @ W_1.T, d_before.sum(axis=0), dW_2, dY.sum(axis=0)


@FEED_FORWARD_SLOPES.mistake("W_2 not transposed", "W_2 led from units to features. The way back goes through it from the other side.")
def second_as_it_stands(X, W_1, b_1, W_2, b_2, dY):
    before, hidden = _forward(X, W_1, b_1)
    return _back(X, W_1, W_2, dY, hidden, dY @ W_2 * (before > 0))


@FEED_FORWARD_SLOPES.mistake("W_1 not transposed", "W_1 led from features to units. The way back goes through it from the other side.")
def first_as_it_stands(X, W_1, b_1, W_2, b_2, dY):
    before, hidden = _forward(X, W_1, b_1)
    d_before = dY @ W_2.T * (before > 0)
    return d_before @ W_1, *_back(X, W_1, W_2, dY, hidden, d_before)[1:]


@FEED_FORWARD_SLOPES.mistake("neither matrix transposed",
                             "Both matrices stand as they did on the way forward. On the way back each of them is turned.")
def both_as_they_stand(X, W_1, b_1, W_2, b_2, dY):
    before, hidden = _forward(X, W_1, b_1)
    d_before = dY @ W_2 * (before > 0)
    return d_before @ W_1, *_back(X, W_1, W_2, dY, hidden, d_before)[1:]


@FEED_FORWARD_SLOPES.mistake("back through the first matrix first", "The way back begins at the end: the second matrix comes first.")
def first_matrix_first(X, W_1, b_1, W_2, b_2, dY):
    before, hidden = _forward(X, W_1, b_1)
    return _back(X, W_2, W_1, dY, hidden, dY @ W_1.T * (before > 0))


@FEED_FORWARD_SLOPES.mistake("the way forward", "This is the network's output. Asked is the way back: the slopes at all that went into it.")
def output_again(X, W_1, b_1, W_2, b_2, dY):
    return layers.feed_forward(X, W_1, b_1, W_2, b_2)


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
    (3 * RNG.normal(size=(3, 5)) + 1, _attend, _think, layer_norm),
    (3 * RNG.normal(size=(4, 4)) + 1, _attend, _think, layer_norm),
    (3 * RNG.normal(size=(2, 3, 5)) - 1, _attend, np.tanh, rms_norm),
], minutes=10, difficulty=2,
    nudge="Follow the residual stream with a finger: it goes straight through, and twice something is added. What do the two parts read, and who "
          "norms it?",
    skeleton="""def my_transformer_block(X, attend, think, norm):
    Z = ...                               # (..., T, D)  the stream after attention
    return ...                            # (..., T, D)  the stream after the feed-forward network
""")


@BLOCK.mistake("post-norm where pre-norm is asked",
               "The norms stand after the additions, on the stream itself. Pre-norm leaves the stream alone: who reads a normed copy?")
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


@BLOCK.mistake("no norms", "The skips are right, but norm is never called: attend and think each read normed tokens.", unused_arguments="norm")
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


@BLOCK.mistake("first half in post-norm", "The second half is right. In the first, the stream itself is normed after the addition.")
def first_half_post(X, attend, think, norm):
    Z = norm(X + attend(X))
    return Z + think(norm(Z))


@BLOCK.mistake("second half in post-norm", "The first half is right. In the second, the stream itself is normed after the addition.")
def second_half_post(X, attend, think, norm):
    Z = X + attend(norm(X))
    return norm(Z + think(Z))


@BLOCK.mistake("norms before and after",
               "Each part reads normed tokens, which is right. But the stream is normed after each addition as well: leave it alone.")
def normed_both_ways(X, attend, think, norm):
    Z = norm(X + attend(norm(X)))
    return norm(Z + think(norm(Z)))


@BLOCK.mistake("what a part gives is normed, too", "Each part reads normed tokens, which is right. What it gives is added as it is.")
def normed_and_normed_results(X, attend, think, norm):
    Z = X + norm(attend(norm(X)))
    return Z + norm(think(norm(Z)))


@BLOCK.mistake("first half only", "This is the stream after attention. The feed-forward network has not been asked yet.")
def first_half(X, attend, think, norm):
    return X + attend(norm(X))


@BLOCK.mistake("attend forgotten", "Each token thinks for itself here, but the tokens never exchange anything.", unused_arguments="attend")
def second_half(X, attend, think, norm):
    return X + think(norm(X))


@BLOCK.mistake("attend twice", "Both halves attend. The second half is for think.")
def attends_twice(X, attend, think, norm):
    Z = X + attend(norm(X))
    return Z + attend(norm(Z))


@BLOCK.mistake("think reads only what attend gave", "think should read the whole stream after attention. Here it sees only what was added to it.")
def thinks_of_the_added(X, attend, think, norm):
    added = attend(norm(X))
    return X + added + think(norm(added))


@BLOCK.mistake("think reads only what attend gave, without a first skip", "What attend gives replaces the stream, "
               "and X comes back at the end only. Add as soon as attention has spoken.")
def one_skip_around_both(X, attend, think, norm):
    return X + think(norm(attend(norm(X))))


@BLOCK.mistake("X added again", "X is part of Z already. The second half starts from Z alone.")
def added_again(X, attend, think, norm):
    Z = X + attend(norm(X))
    return X + Z + think(norm(Z))


@BLOCK.mistake("a norm at the end", "The block is right, but the last norm belongs at the end of the whole stack, not of each block.")
def normed_at_the_end(X, attend, think, norm):
    return norm(transformer_block(X, attend, think, norm))


@BLOCK.mistake("both parts read X, no skip",
               "What the two parts give is added up, but the stream itself is lost. And think should read what attention has left.")
def parallel_without_skip(X, attend, think, norm):
    return attend(norm(X)) + think(norm(X))


@BLOCK.mistake("one norm at the end only",
               "The skips are right, but attend and think read the plain tokens. Norm what they read, not what comes out.")
def only_normed_at_the_end(X, attend, think, norm):
    Z = X + attend(X)
    return norm(Z + think(Z))


@BLOCK.mistake("no skips and no norms", "One part after the other is not a block: each reads a normed copy of the stream, and adds to it.")
def bare_parts(X, attend, think, norm):
    return think(attend(X))


@BLOCK.mistake("post-norm without skips",
               "What each part gives replaces the stream, and is normed. It should be added to it, and the norm stands before the part.")
def post_norm_without_skips(X, attend, think, norm):
    return norm(think(norm(attend(X))))


@BLOCK.mistake("subtracted instead of added", "What the parts give is taken from the stream. It is added to it.")
def subtracted_parts(X, attend, think, norm):
    Z = X - attend(norm(X))
    return Z - think(norm(Z))


@BLOCK.mistake("first half: the result normed, not what is read",
               "The second half is right. In the first, attend reads plain tokens, and what it gives is normed.")
def first_result_normed(X, attend, think, norm):
    Z = X + norm(attend(X))
    return Z + think(norm(Z))


@BLOCK.mistake("second half: the result normed, not what is read",
               "The first half is right. In the second, think reads plain tokens, and what it gives is normed.")
def second_result_normed(X, attend, think, norm):
    Z = X + attend(norm(X))
    return Z + norm(think(Z))


@BLOCK.mistake("the first result normed, too", "Each part reads normed tokens, which is right. But what attend gives is added as it is.")
def first_result_normed_too(X, attend, think, norm):
    Z = X + norm(attend(norm(X)))
    return Z + think(norm(Z))


@BLOCK.mistake("the second result normed, too", "Each part reads normed tokens, which is right. But what think gives is added as it is.")
def second_result_normed_too(X, attend, think, norm):
    Z = X + attend(norm(X))
    return Z + norm(think(norm(Z)))


@BLOCK.mistake("think twice", "Both halves think. The first half is for attend.")
def thinks_twice(X, attend, think, norm):
    Z = X + think(norm(X))
    return Z + think(norm(Z))


@BLOCK.mistake("the normed stream goes on", "X is normed once and for all at the start, and the skips carry that. The stream goes on with X itself.")
def normed_once(X, attend, think, norm):
    I = norm(X)
    Z = I + attend(I)
    return Z + think(Z)


@BLOCK.mistake("multiplied instead of added", "What the parts give stretches the stream. It is added to it.")
def multiplied_parts(X, attend, think, norm):
    Z = X * attend(norm(X))
    return Z * think(norm(Z))


@BLOCK.mistake("what is added, without the stream", "The two parts are added up, but X itself is not in it. The stream goes straight through.")
def without_the_stream(X, attend, think, norm):
    added = attend(norm(X))
    return added + think(norm(X + added))


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
TELLING = (np.log([0.5, 0.1, 0.3]), np.log([[0.45, 0.35, 0.14, 0.06], [0.1, 0.85, 0.02, 0.03], [0.02, 0.03, 0.25, 0.7]]), 3)

BEAM_STEP = Exercise("beam_step", beam_step, inputs=[_beam(3, 6, 4), TELLING, _beam(4, 4, 2, 2.0), _beam(1, 5, 2)],
    minutes=15, difficulty=3,
    nudge="One table holds all longer texts: a row for each text of the beam, a column for each word. What stands in a cell? "
          "And from the number of a cell in the flat table, how do you find its row and its column?",
    skeleton="""def my_beam_step(totals, log_probs, beam_width):
    longer = ...                          # (n, n_vocab)  the total of every longer text
    best = ...                            # (beam_width,)  their numbers in the flat table, the best first
    parents, tokens = ...                 # row and column of each
    return parents, tokens, ...
""")


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


@BEAM_STEP.mistake("flat number as token",
                   "A number counts through the whole table: it is row times width plus column. Only the column is the token.")
def flat_as_token(totals, log_probs, beam_width):
    best = np.argsort(-(totals[:, None] + log_probs), axis=None)[:beam_width]
    return best // log_probs.shape[1], best, (totals[:, None] + log_probs).ravel()[best]


@BEAM_STEP.mistake("flat number as parent", "A number counts through the whole table: it is row times width plus column. Only the row is the parent.")
def flat_as_parent(totals, log_probs, beam_width):
    best = np.argsort(-(totals[:, None] + log_probs), axis=None)[:beam_width]
    return best, best % log_probs.shape[1], (totals[:, None] + log_probs).ravel()[best]


@BEAM_STEP.mistake("divided by the number of texts", "Rows are as long as the vocabulary: that is what a flat number is divided by, to find its row.")
def divided_by_the_texts(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    best = np.argsort(-longer, axis=None)[:beam_width]
    return *np.divmod(best, len(totals)), longer.ravel()[best]


@BEAM_STEP.mistake("divided by the beam width", "Rows are as long as the vocabulary: that is what a flat number is divided by, to find its row.")
def divided_by_the_width(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    best = np.argsort(-longer, axis=None)[:beam_width]
    return *np.divmod(best, beam_width), longer.ravel()[best]


@BEAM_STEP.mistake("totals along the words", "A total belongs to a text, a row of the table. Here the totals were laid along the words.")
def totals_along_the_words(totals, log_probs, beam_width):
    return _ranked(totals + log_probs, beam_width)


@BEAM_STEP.mistake("total subtracted", "The logarithms of a product add up: the text so far, and its next word.")
def subtracted(totals, log_probs, beam_width):
    return _ranked(log_probs - totals[:, None], beam_width)


@BEAM_STEP.mistake("the words' log-probabilities as totals",
                   "The right texts are kept. Their totals are those of the whole text, not of its last word.")
def last_words_totals(totals, log_probs, beam_width):
    return _ranked(totals[:, None] + log_probs, beam_width, log_probs)


@BEAM_STEP.mistake("in the order of the table",
                   "The right texts are kept, but in the order in which the table holds them. The best should come first.")
def in_table_order(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    best = np.sort(np.argsort(-longer, axis=None)[:beam_width])
    return *np.divmod(best, longer.shape[1]), longer.ravel()[best]


@BEAM_STEP.mistake("the beam not cut", "All longer texts come back. The beam keeps only so many of them as it is wide.")
def not_cut(totals, log_probs, beam_width):
    return beam_step(totals, log_probs, log_probs.size)


@BEAM_STEP.mistake("sorted row by row",
                   "Each text's words were sorted among themselves. All longer texts compete with each other, in one flat table.")
def row_by_row(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    parents, tokens = np.divmod(np.argsort(-longer)[:beam_width], longer.shape[1])
    return parents, tokens, longer[parents, tokens]


@BEAM_STEP.mistake("averaged over the two", "A total is a sum, not a mean: halves would count a long text's first words less and less.")
def halved(totals, log_probs, beam_width):
    return _ranked((totals[:, None] + log_probs) / 2, beam_width)


@BEAM_STEP.mistake("the rank as token",
                   "Each text's words were sorted, and their place in that order was taken for the word. The word is the column it had before.")
def rank_as_token(totals, log_probs, beam_width):
    return _ranked(totals[:, None] - np.sort(-log_probs, axis=1), beam_width)


@BEAM_STEP.mistake("one child each, the best texts not chosen",
                   "Each text got its likeliest next token, and none was left out. Who stays is decided among all longer texts.")
def one_child_each_of_all(totals, log_probs, beam_width):
    tokens = log_probs.argmax(axis=1)
    return np.arange(len(totals)), tokens, totals + log_probs.max(axis=1)


@BEAM_STEP.mistake("only the best text", "One longer text came back, the best. As many as the beam is wide should stay.")
def the_best_alone(totals, log_probs, beam_width):
    return beam_step(totals, log_probs, 1)


@BEAM_STEP.mistake("one text too few", "One is missing: as many longer texts stay as the beam is wide.")
def one_too_few(totals, log_probs, beam_width):
    return beam_step(totals, log_probs, beam_width - 1)


CATCH = Catch("catch_beam_step", BEAM_STEP, "input", enough=6, minutes=8, difficulty=2, planted=[
    "one child per parent only", "children of the best parent only", "parents' score forgotten", "log-probabilities multiplied", "keeps the worst",
    "divided by the number of texts", "totals along the words"],
    task="Give one beam, (totals, log_probs, beam_width), on which as many wrong steps as possible go wrong.",
    nudge="Let two children of one text be among the best, and let the text that is second so far have one between them. "
          "Let the number of texts differ from the number of words.",
    skeleton="""my_input = (
    np.array([..., ...]),                 # (n,)  log-probabilities of the texts so far
    np.array([[..., ..., ...],            # (n, n_vocab)  those of their next words
              [..., ..., ...]]),
    ...,                                  # how wide the beam is
)
""")


NOTE = Reading(
    "note_07",
    "A lecture note says: “After attention, the feed-forward network combines what the tokens of the sentence have gathered.” Which sentence mends "
    "it?",
    [("The feed-forward network combines the tokens that attention has put into the same head; across heads nothing is exchanged here.",
      "Heads have been merged before it comes. And what it works on is a row, one token, not a group of them."),
     ("The feed-forward network combines the features of one token with each other; what other tokens said is in that row already.",
      "change one token, and one row of its output moves. Only attention carries anything from row to row."),
     ("The feed-forward network combines each token with its skip, so that what was gathered is added to what had been there before.",
      "The addition is the block's work, around the network. Without any skip the network would still read one row at a time."),
     ("The feed-forward network combines what the blocks before it have gathered; within one block the tokens have not met each other.",
      "They have: attention stands in the same block, before it. The network reads what it left in the stream.")],
    right="B", minutes=4)

READ_X = np.array([[1.0, 0.0], [-1.0, 2.0], [0.0, -3.0]])
READ_W = np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]])
READ_HIDDEN = relu(READ_X @ READ_W)
WHICH_UNIT = Reading(
    "which_unit_07",
    "Three tokens with two features each went through `X @ W_1` and ReLU. Below is the hidden layer: a row for each token, a column for each unit. "
    "What can be said of the network's output, `hidden @ W_2 + b_2`?",
    [("Row 2 is `b_2` plus a multiple of one row of `W_2`, that of unit 2.",
      "a unit at 0 adds nothing. Of token 2 only unit 2 fires, so its row of `W_2`, three times, is all that joins the bias."),
     ("Row 1 is `b_2` alone, because two of the three units are silent there.",
      "Two are silent, one fires. `b_2` alone comes out only where every unit of a token is 0."),
     ("Rows 1 and 2 are equal, because one unit fires in each, and as much.",
      "They fire as much, but they are different units: each adds its own row of `W_2`."),
     ("Column 1 is 0 for tokens 0 and 2, because unit 1 is silent for them.",
      "Columns of the output are features of tokens again, not units: every unit writes into all of them.")],
    right="A", difficulty=2,
    picture=table([(f"token {i}", *(f"{number:g}" for number in row)) for i, row in enumerate(READ_HIDDEN)], ["", "unit 0", "unit 1", "unit 2"]))


EXERCISES = [FEED_FORWARD, FEED_FORWARD_SLOPES, BLOCK, BEAM_STEP, CATCH, NOTE, WHICH_UNIT]

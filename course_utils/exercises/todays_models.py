"""The exercises of notebook 13: heads that share keys and values, a gate in the feed-forward network, the nucleus, four bits."""

import numpy as np

from course_utils import attention, decoding, layers, quantisation
from course_utils.diagnosis.exercise import Catch, Exercise, Reading

RNG = np.random.default_rng(13)


# Heads that share keys and values.

def grouped_query_attention(Q, K, V, mask):
    return attention.grouped_query_attention(Q, K, V, mask)


def _heads(H, H_kv, T_q, T_kv, d_k, d_v):
    """Queries, fewer heads of keys and values, and the mask of the last T_q of T_kv tokens."""
    shapes = [(H, T_q, d_k), (H_kv, T_kv, d_k), (H_kv, T_kv, d_v)]
    return (*(RNG.normal(size=shape) for shape in shapes), attention.causal_mask(T_q, T_kv))


GROUPED = Exercise("grouped_query_attention", grouped_query_attention, inputs=[
    _heads(6, 2, 4, 5, 9, 7),
    _heads(4, 2, 2, 2, 2, 2),                # square: a mix-up does not fail, it goes wrong
    _heads(3, 1, 4, 4, 5, 2),                # one head of keys for all
    _heads(2, 2, 3, 3, 3, 3),                # as many of both: the usual heads
    _heads(8, 4, 1, 6, 3, 2),                # one new token and a cache
], parts=("masked_attention",), minutes=7, difficulty=2,
    nudge="Six heads of queries, two of keys: heads 0, 1, 2 look at the first, heads 3, 4, 5 at the second. Which arithmetic "
          "makes 0 of 0, 1, 2 and 1 of 3, 4, 5?",
    skeleton="""
def my_grouped_query_attention(Q, K, V, mask):     # (H, T_q, d_k) (H_kv, T_kv, d_k) (H_kv, T_kv, d_v)
    n = ...                                        # how many heads of queries share one of keys
    outputs, weights = [], []
    for h in range(len(Q)):
        output, A = mine.masked_attention(Q[h], ..., ..., mask)
        outputs.append(output)                     # (T_q, d_v)
        weights.append(A)                          # (T_q, T_kv)
    return np.stack(outputs), np.stack(weights)
""")


def _by_index(Q, K, V, mask, keys, values=None, scale=None):
    """Attention in which head h of the queries looks at the head of keys (and of values) that a list names."""
    values = keys if values is None else values
    return attention.scaled_dot_product_attention(Q, K[keys], V[values], mask, scale)


def _shared(Q, K):
    return np.arange(len(Q)) // (len(Q) // len(K))


@GROUPED.mistake("dealt out in turn", "Head 0 has the first keys, head 1 the second, and so on round and round. Asked are neighbours: the first few "
                 "heads share the first.")
def dealt_out(Q, K, V, mask):
    return _by_index(Q, K, V, mask, np.arange(len(Q)) % len(K))


@GROUPED.mistake("values dealt out in turn",
                 "The keys are shared by neighbours, the values are dealt out in turn. A head's keys and values belong together.")
def values_dealt_out(Q, K, V, mask):
    return _by_index(Q, K, V, mask, _shared(Q, K), np.arange(len(Q)) % len(V))


@GROUPED.mistake("keys dealt out in turn",
                 "The values are shared by neighbours, the keys are dealt out in turn. A head's keys and values belong together.")
def keys_dealt_out(Q, K, V, mask):
    return _by_index(Q, K, V, mask, np.arange(len(Q)) % len(K), _shared(Q, K))


@GROUPED.mistake("the first keys for all",
                 "Every head looks at the first head of keys: that is multi-query attention. Here there are as many as K has.")
def first_for_all(Q, K, V, mask):
    return _by_index(Q, K, V, mask, np.zeros(len(Q), dtype=int))


@GROUPED.mistake("the first values for all", "Each group has its own keys, but all take the first head of values.")
def first_values_for_all(Q, K, V, mask):
    return _by_index(Q, K, V, mask, _shared(Q, K), np.zeros(len(Q), dtype=int))


@GROUPED.mistake("the last keys for the rest", "The first heads have keys of their own, and all others share the last. Groups are of one size.")
def last_for_the_rest(Q, K, V, mask):
    return _by_index(Q, K, V, mask, np.minimum(np.arange(len(Q)), len(K) - 1))


@GROUPED.mistake("groups in reverse", "The first heads look at the last head of keys. Count both from the same end.")
def reversed_groups(Q, K, V, mask):
    return _by_index(Q, K, V, mask, _shared(Q, K)[::-1])


@GROUPED.mistake("keys and values averaged", "The heads of keys, and those of values, became one average. Each group keeps its own.")
def averaged(Q, K, V, mask):
    return attention.grouped_query_attention(Q, K.mean(axis=0, keepdims=True), V.mean(axis=0, keepdims=True), mask)


@GROUPED.mistake("queries of a group averaged", "The queries of a group became one average. They share keys, but each asks its own question.")
def one_question(Q, K, V, mask):
    groups = Q.reshape(len(K), -1, *Q.shape[1:]).mean(axis=1)
    return attention.grouped_query_attention(np.repeat(groups, len(Q) // len(K), axis=0), K, V, mask)


@GROUPED.mistake("only the first query of each group", "There is one result for each head of keys. Asked is one for each head of queries.")
def first_of_each_group(Q, K, V, mask):
    return attention.scaled_dot_product_attention(Q[::len(Q) // len(K)], K, V, mask)


@GROUPED.mistake("mask forgotten", "Every token sees every other one. The mask is an argument: who may attend to whom.", unused_arguments="mask")
def unmasked(Q, K, V, mask):
    return attention.grouped_query_attention(Q, K, V)


@GROUPED.mistake("inverted mask", "True means: may attend. Your True marks what is hidden.")
def inverted(Q, K, V, mask):
    return attention.grouped_query_attention(Q, K, V, ~mask)


@GROUPED.mistake("no scale", "The scores are not divided. Each head divides by the root of its own width, as before.")
def without_scale(Q, K, V, mask):
    return attention.grouped_query_attention(Q, K, V, mask, scale=1)


@GROUPED.mistake("divided by √D", "The root is that of all heads together. A dot product adds up one head's features: how wide is that?")
def scaled_by_all_heads(Q, K, V, mask):
    return attention.grouped_query_attention(Q, K, V, mask, scale=(len(Q) * Q.shape[-1]) ** -0.5)


@GROUPED.mistake("weights @ K", "The keys say who is looked at. What is brought are the values.")
def brings_keys(Q, K, V, mask):
    weights = attention.grouped_query_attention(Q, K, V, mask)[1]
    return weights @ K[_shared(Q, K)], weights


@GROUPED.mistake("output and weights swapped", "Both are right, but the weights come first. Asked are the output, then the weights.")
def wrong_way_round(Q, K, V, mask):
    return attention.grouped_query_attention(Q, K, V, mask)[::-1]


# The gate.

def swiglu(X, W_gate, W_up, W_down):
    return layers.swiglu(X, W_gate, W_up, W_down)


def _gated(T, D, d_ff):
    return tuple(RNG.normal(size=shape) for shape in [(T, D), (D, d_ff), (D, d_ff), (d_ff, D)])


SWIGLU = Exercise("swiglu", swiglu, inputs=[_gated(3, 5, 7), _gated(4, 4, 4), _gated(1, 2, 3)], minutes=4, difficulty=1,
    nudge="Two tables of hidden numbers, from two matrices. One of them goes through silu and decides, number by "
          "number, how much of the other passes.",
    skeleton="""
def my_swiglu(X, W_gate, W_up, W_down):       # (T, D) (D, d_ff) (D, d_ff) (d_ff, D)
    g = ...                                   # (T, d_ff)  before silu
    gate = ...                                # (T, d_ff)  silu: each number times its own sigmoid
    hidden = ...                              # (T, d_ff)  what passes the gate
    return ...                                # (T, D)
""")


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


@SWIGLU.mistake("gate and up swapped", "silu was taken of the other projection. Which of the two matrices has the name of the gate?")
def gates_swapped(X, W_gate, W_up, W_down):
    return layers.swiglu(X, W_up, W_gate, W_down)


@SWIGLU.mistake("no silu", "The two projections are multiplied as they are. One of them goes through silu first.")
def bilinear(X, W_gate, W_up, W_down):
    return (X @ W_gate * (X @ W_up)) @ W_down


@SWIGLU.mistake("sigmoid instead of silu", "A sigmoid lies between 0 and 1. Silu is the number itself, times its sigmoid.")
def sigmoid_gate(X, W_gate, W_up, W_down):
    return (_sigmoid(X @ W_gate) * (X @ W_up)) @ W_down


@SWIGLU.mistake("relu instead of silu", "This gate is shut wherever its number is below 0. Silu closes smoothly: the number times its own sigmoid.")
def relu_gate(X, W_gate, W_up, W_down):
    return (np.maximum(X @ W_gate, 0) * (X @ W_up)) @ W_down


@SWIGLU.mistake("gelu instead of silu", "A near cousin: the number times the probability of a normal number below it. Silu takes the sigmoid.")
def gelu_gate(X, W_gate, W_up, W_down):
    return (layers.gelu(X @ W_gate) * (X @ W_up)) @ W_down


@SWIGLU.mistake("silu of both", "Both projections went through silu. One decides how much passes, the other is what passes.")
def both_through_silu(X, W_gate, W_up, W_down):
    return (layers.silu(X @ W_gate) * layers.silu(X @ W_up)) @ W_down


@SWIGLU.mistake("silu of the product", "The projections were multiplied first, and silu came after that.")
def silu_late(X, W_gate, W_up, W_down):
    return layers.silu(X @ W_gate * (X @ W_up)) @ W_down


@SWIGLU.mistake("added instead of multiplied", "The gate is added. A gate lets through a part: is that a sum or a product?")
def added(X, W_gate, W_up, W_down):
    return (layers.silu(X @ W_gate) + X @ W_up) @ W_down


@SWIGLU.mistake("no gate", "Only the second projection goes through. The gate is not used.", unused_arguments="W_gate")
def without_gate(X, W_gate, W_up, W_down):
    return X @ W_up @ W_down


@SWIGLU.mistake("only the gate", "Only the gate goes through: a feed-forward network with another activation. W_up is missing.",
                unused_arguments="W_up")
def gate_alone(X, W_gate, W_up, W_down):
    return layers.silu(X @ W_gate) @ W_down


@SWIGLU.mistake("not back to D features", "The hidden numbers are right. The last matrix brings them back to the width of a token.",
                unused_arguments="W_down")
def hidden_numbers(X, W_gate, W_up, W_down):
    return layers.silu(X @ W_gate) * (X @ W_up)


@SWIGLU.mistake("wrong sign in the sigmoid", "Your gate opens for numbers far below 0. Which sign has the exponent?")
def opens_below(X, W_gate, W_up, W_down):
    g = X @ W_gate
    return (g * _sigmoid(-g) * (X @ W_up)) @ W_down


@SWIGLU.mistake("silu of X", "silu was taken of the token, before it met the matrix. The gate is made of the projection.")
def silu_early(X, W_gate, W_up, W_down):
    return (layers.silu(X) @ W_gate * (X @ W_up)) @ W_down


@SWIGLU.mistake("a skip added", "The token was added to the result. The block does that, around this network.")
def with_skip(X, W_gate, W_up, W_down):
    return X + layers.swiglu(X, W_gate, W_up, W_down)


@SWIGLU.mistake("softmax as the gate", "These gates sum to 1, as attention's weights do. Each gate here is for itself.")
def softmax_gate(X, W_gate, W_up, W_down):
    return (attention.softmax(X @ W_gate) * (X @ W_up)) @ W_down


# The nucleus.

def top_p(probabilities, p):
    return decoding.nucleus(probabilities, p)


EXACT = "a sum that is exactly p"
TOP_P = Exercise("top_p", top_p, inputs=[
    (np.array([0.04, 0.3, 0.05, 0.25, 0.2, 0.16]), 0.6),
    (np.array([0.1, 0.15, 0.3, 0.45]), 0.8),
    (np.array([0.42, 0.07, 0.19, 0.13, 0.11, 0.05, 0.03]), 0.9),
    (RNG.dirichlet(np.full(12, 0.6)), 0.7),
    (np.array([0.02, 0.9, 0.05, 0.03]), 0.5),    # one piece has more than p alone
], traps={EXACT: (np.array([0.25, 0.5, 0.125, 0.125]), 0.75)},
    minutes=7, difficulty=2,
    nudge="Sort downwards and add up as you go. A piece stays if those before it have less than p together: so the likeliest always stays. "
          "Then every piece must find its old place.",
    skeleton="""
def my_top_p(probabilities, p):               # (n_vocab,) -> (n_vocab,)
    order = ...                               # (n_vocab,)  the numbers of the pieces, the likeliest first
    sorted_p = probabilities[order]
    before = ...                              # (n_vocab,)  what the likelier ones have together
    kept = np.zeros(len(probabilities))
    kept[order] = ...                         # those that stay, each at its old place
    return ...                                # they sum to 1
""")


def _kept(probabilities, stays):
    """What stays, of a table of yes and no in the pieces' own order, made to sum to 1."""
    kept = np.where(stays, probabilities, 0)
    return kept / kept.sum()


def _ranked(probabilities, count):
    """True for the `count` likeliest, in the pieces' own order."""
    stays = np.zeros(len(probabilities), dtype=bool)
    stays[np.argsort(-probabilities, kind="stable")[:count]] = True
    return stays


def _size(probabilities, p):
    """How many pieces the nucleus has."""
    return int((top_p(probabilities, p) > 0).sum())


@TOP_P.mistake("the piece that reaches p left out", "Your pieces have less than p together: the one that reaches it belongs to them.")
def too_few(probabilities, p):
    return _kept(probabilities, _ranked(probabilities, _size(probabilities, p) - 1))


@TOP_P.mistake("one piece too many", "p was reached, and you took one more.")
def too_many(probabilities, p):
    return _kept(probabilities, _ranked(probabilities, _size(probabilities, p) + 1))


@TOP_P.mistake("at most p instead of less than p", "The likelier pieces have p together already, and one more was taken.", trap=EXACT)
def at_most(probabilities, p):
    order = np.argsort(-probabilities, kind="stable")
    stays = np.zeros(len(probabilities), dtype=bool)
    stays[order] = np.cumsum(probabilities[order]) - probabilities[order] <= p
    return _kept(probabilities, stays)


@TOP_P.mistake("does not sum to 1", "The right pieces stay, with the shares that they had. Drawing needs shares that sum to 1.")
def not_shared_out(probabilities, p):
    return np.where(top_p(probabilities, p) > 0, probabilities, 0)


@TOP_P.mistake("each compared with p", "A piece stays here if its own share is p or more. What is compared with p is the sum of the likeliest.")
def each_alone(probabilities, p):
    return _kept(probabilities, probabilities >= p)


@TOP_P.mistake("each compared with p, and left so",
               "A piece stays here if its own share is p or more. What is compared with p is the sum of the likeliest. And what stays sums to 1.")
def each_alone_left_so(probabilities, p):
    return np.where(probabilities >= p, probabilities, 0)


@TOP_P.mistake("compared with the likeliest", "A piece stays here if it has at least p times the largest share. That is another cut, min-p.")
def min_p(probabilities, p):
    return _kept(probabilities, probabilities >= p * probabilities.max())


@TOP_P.mistake("a share of the pieces", "You keep a share p of all *pieces*. Asked are the pieces that have a share p of the *probability*.")
def share_of_pieces(probabilities, p):
    return _kept(probabilities, _ranked(probabilities, int(np.ceil(p * len(probabilities)))))


@TOP_P.mistake("not sorted", "You add up in the order of the vocabulary. The likeliest pieces come first: which order is that?")
def in_given_order(probabilities, p):
    return _kept(probabilities, np.cumsum(probabilities) - probabilities < p)


@TOP_P.mistake("the unlikeliest first", "You add up from the smallest. np.argsort sorts upwards.")
def smallest_first(probabilities, p):
    order = np.argsort(probabilities, kind="stable")
    stays = np.zeros(len(probabilities), dtype=bool)
    stays[order] = np.cumsum(probabilities[order]) - probabilities[order] < p
    return _kept(probabilities, stays)


@TOP_P.mistake("the tail kept", "What you keep is what should go: the unlikely rest.")
def tail(probabilities, p):
    return _kept(probabilities, top_p(probabilities, p) == 0)


@TOP_P.mistake("left in sorted order",
               "The shares are right, but they stand sorted. Each piece needs its own place: share number i belongs to piece i.")
def sorted_shares(probabilities, p):
    return -np.sort(-top_p(probabilities, p))


@TOP_P.mistake("put back by the wrong order",
               "`order` says which piece stands at a rank. To put back is to write *into* these places, not to read from them.")
def read_instead_of_written(probabilities, p):
    order = np.argsort(-probabilities, kind="stable")
    return (-np.sort(-top_p(probabilities, p)))[order]


@TOP_P.mistake("the mask left in sorted order",
               "You know which *ranks* stay, and keep the pieces of these numbers. Rank number i is another piece than number i: `order` says which.")
def mask_of_ranks(probabilities, p):
    return _kept(probabilities, np.arange(len(probabilities)) < _size(probabilities, p))


@TOP_P.mistake("the mask put back by the wrong order",
               "You know which *ranks* stay. `mask[order]` reads at these places; to give each piece its answer is to write *into* them.")
def mask_read_instead_of_written(probabilities, p):
    order = np.argsort(-probabilities, kind="stable")
    return _kept(probabilities, (np.arange(len(probabilities)) < _size(probabilities, p))[order])


@TOP_P.mistake("1 − p instead of p", "You keep the pieces that have 1 − p together.")
def complement(probabilities, p):
    return top_p(probabilities, 1 - p)


@TOP_P.mistake("softmax of the shares",
               "The kept shares went through softmax. They are shares already: what makes them sum to 1 again, and keeps their ratios?")
def softmax_again(probabilities, p):
    return attention.softmax(np.where(top_p(probabilities, p) > 0, probabilities, -np.inf))


@TOP_P.mistake("softmax with zeros", "The rest got the score 0, which is not the share 0: softmax gives it weight again.")
def softmax_over_zeros(probabilities, p):
    return attention.softmax(np.where(top_p(probabilities, p) > 0, probabilities, 0.0))


@TOP_P.mistake("the rest thrown out", "The pieces that go were cut off, so the others have new numbers. Give them the share 0, and let them stand.")
def cut_off(probabilities, p):
    kept = top_p(probabilities, p)
    return kept[kept > 0]


@TOP_P.mistake("only the likeliest", "You keep one piece: that is greedy. p says how much the kept ones have together.")
def greedy_piece(probabilities, p):
    return _kept(probabilities, _ranked(probabilities, 1))


@TOP_P.mistake("all alike", "The right pieces stay, but each with the same share. They keep their ratios.")
def uniform(probabilities, p):
    stays = top_p(probabilities, p) > 0
    return stays / stays.sum()


@TOP_P.mistake("nothing cut", "All pieces are still there. Those beyond the nucleus get the share 0.", unused_arguments="p")
def nothing_cut(probabilities, p):
    return probabilities / probabilities.sum()


# Four bits.

def dequantise_block(step, least, packed):
    return quantisation.dequantise_block(step, least, packed)


BYTES = np.array([0x3A, 0xF0, 0x07, 0x81, 0x5C, 0x4E, 0xB9, 0x12, 0xD5, 0x60, 0x2F, 0x98, 0xE3, 0x7B, 0xC4, 0xA6], dtype=np.uint8)
FOUR_BITS = Exercise("dequantise_block", dequantise_block, inputs=[
    (0.5, -2.0, BYTES),
    (0.03, -0.25, RNG.integers(0, 256, size=16).astype(np.uint8)),
    (2.0, 3.0, RNG.integers(0, 256, size=16).astype(np.uint8)),
    (1.0, 0.5, BYTES[::-1].copy()),
], minutes=5, difficulty=2,
    nudge="A byte is 16 · high + low. `byte & 15` keeps the low four bits, `byte >> 4` moves the high four down. First all low ones, "
          "then all high ones.",
    skeleton="""
def my_dequantise_block(step, least, packed):     # a number, a number, (16,) whole numbers 0 to 255
    low = ...                                     # (16,)  0 to 15: the codes of the first half
    high = ...                                    # (16,)  0 to 15: those of the second half
    codes = ...                                   # (32,)
    return ...                                    # (32,)  what the codes stand for
""")


def _codes(packed):
    return np.concatenate([packed & 15, packed >> 4])


@FOUR_BITS.mistake("high bits first", "The codes are right, but those of the high bits stand first. The low ones are the first half.")
def high_first(step, least, packed):
    return np.concatenate([packed >> 4, packed & 15]) * step + least


@FOUR_BITS.mistake("low and high in turn", "You write low, high, low, high. Here all low ones come first, then all high ones.")
def in_turn(step, least, packed):
    return np.stack([packed & 15, packed >> 4], axis=-1).ravel() * step + least


@FOUR_BITS.mistake("high and low in turn", "You write high, low, high, low. Here all low ones come first, then all high ones.")
def in_turn_reversed(step, least, packed):
    return np.stack([packed >> 4, packed & 15], axis=-1).ravel() * step + least


@FOUR_BITS.mistake("high bits not moved down", "The high four bits count sixteen times too much: they are still in their high place.")
def not_shifted(step, least, packed):
    return np.concatenate([packed & 15, packed & 240]) * step + least


@FOUR_BITS.mistake("low bits twice", "Both halves hold the low bits. The high ones are missing.")
def low_twice(step, least, packed):
    return np.concatenate([packed & 15, packed & 15]) * step + least


@FOUR_BITS.mistake("high bits twice", "Both halves hold the high bits. The low ones are missing.")
def high_twice(step, least, packed):
    return np.concatenate([packed >> 4, packed >> 4]) * step + least


@FOUR_BITS.mistake("& 16 instead of & 15", "16 is a single bit, the fifth. Four bits that are all 1 make which number?")
def wrong_mask(step, least, packed):
    return np.concatenate([packed & 16, packed >> 4]) * step + least


@FOUR_BITS.mistake("remainder of 15", "Four bits have sixteen values, 0 to 15. Divide by how many there are, not by the largest.")
def by_fifteen(step, least, packed):
    return np.concatenate([packed % 15, packed // 15]) * step + least


@FOUR_BITS.mistake("remainder of 10", "A byte is two hexadecimal digits, not two decimal ones: each has sixteen values.")
def by_ten(step, least, packed):
    return np.concatenate([packed % 10, packed // 10]) * step + least


@FOUR_BITS.mistake("bytes not taken apart", "Each byte became one number. Two codes share a byte.")
def whole_bytes(step, least, packed):
    return packed * step + least


@FOUR_BITS.mistake("low bits only", "Half of the numbers are missing: the high bits hold the second half.")
def low_only(step, least, packed):
    return (packed & 15) * step + least


@FOUR_BITS.mistake("least forgotten", "Code 0 should stand for the least number of the block, and stands for 0.", unused_arguments="least")
def from_zero(step, least, packed):
    return _codes(packed) * step


@FOUR_BITS.mistake("step forgotten", "From one code to the next it is 1. How far is it in this block?", unused_arguments="step")
def unit_steps(step, least, packed):
    return _codes(packed) + least


@FOUR_BITS.mistake("only the codes", "These are the codes. They count steps, upwards from the least number of the block.",
                   unused_arguments="step least")
def bare_codes(step, least, packed):
    return _codes(packed) + 0.0


@FOUR_BITS.mistake("step and least swapped", "Which of the two is multiplied by the code: the distance of neighbours, or where they begin?")
def swapped(step, least, packed):
    return _codes(packed) * least + step


@FOUR_BITS.mistake("least stretched, too", "The least number was added to the code, and multiplied with it. First the steps, then where they begin.")
def stretched_least(step, least, packed):
    return (_codes(packed) + least) * step


@FOUR_BITS.mistake("least subtracted", "The steps go upwards *from* the least number. You went down by it.")
def subtracted(step, least, packed):
    return _codes(packed) * step - least


@FOUR_BITS.mistake("codes from −8", "Some formats count from −8 to 7 around 0. Here code 0 is the least number, and all others lie above it.")
def centred(step, least, packed):
    return (_codes(packed) - 8.0) * step + least


@FOUR_BITS.mistake("codes from −8, around 0",
                   "Some formats count from −8 to 7, and 8 steps below 0 is their least. Here the block says where code 0 stands: at `least`.")
def around_zero(step, least, packed):
    return (_codes(packed) - 8.0) * step


@FOUR_BITS.mistake("divided by 15", "A code was taken as a share from 0 to 1. The step is the distance of neighbours already.")
def as_shares(step, least, packed):
    return _codes(packed) / 15 * step + least


CATCH = Catch("catch_top_p", TOP_P, "input", enough=6, minutes=5, difficulty=2, planted=[
    "the piece that reaches p left out", "not sorted", "left in sorted order", "put back by the wrong order", "each compared with p",
    "does not sum to 1", "a share of the pieces"],
    task="Give one case, (probabilities, p), on which as many wrong nuclei as possible go wrong.",
    nudge="A case that is sorted already hides those who sort wrongly. If one piece alone has p, who counts pieces and who adds shares look alike.",
    skeleton="""my_input = (
    np.array([..., ..., ..., ...]),       # shares of four pieces or more, that sum to 1, not sorted
    ...,                                  # p
)
""")

NOTE = Reading(
    "note_13",
    "A lecture note says: “With 9 heads of queries and 3 of keys and values, a model computes a third of the scores, so its attention is three "
    "times as fast.” Which sentence mends it?",
    [("It computes a third of the scores, but softmax takes most of the time, so attention becomes only a little faster.",
      "It computes all of them. Each of the 9 heads still asks with its own queries, so there are 9 tables of scores."),
     ("It computes as many scores as before, but keeps a third of the keys and values, which counts when a model writes.",
      "9 heads ask, so there are 9 tables. What became fewer are the rows that must be remembered, and read again for each new word."),
     ("It computes a third of the scores, and pays by two further matrices that spread the three results over nine heads.",
      "Nothing is spread: each head of queries has its own scores and its own output. There are fewer matrices, not more."),
     ("It computes as many scores as before, and is trained with nine heads of keys, of which six are thrown away afterwards.",
      "The first half is right. But three heads of keys are trained as three; nothing is thrown away.")],
    right="B", minutes=3, difficulty=1)


EXERCISES = [GROUPED, SWIGLU, TOP_P, CATCH, FOUR_BITS, NOTE]

"""Known misconceptions of `expert_layer`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.attention import softmax
from course_utils.exercises.expert_layer.exercise import _experts
from course_utils.exercises.mixture_of_experts.exercise import mixture_of_experts
from course_utils.exercises.top_k_gate.exercise import top_k_gate
from course_utils.exercises.top_k_gate.misconceptions import _kept
from course_utils.layers import relu


def zeroed(logits, k):
    return softmax(logits) * _kept(logits, k)


def all_kept(logits, k):
    return softmax(logits)


def softmax_twice(logits, k):
    return softmax(np.where(_kept(logits, k), softmax(logits), -np.inf))


FIRST_K = (
    "Only the first k experts were asked. A token's gates say which k experts count, so let"
    " all E experts answer."
)


def _answers(X, W_1, b_1, W_2, b_2):
    return np.stack(
        [relu(X @ W + b) @ W_o + b_o for W, b, W_o, b_o in zip(W_1, b_1, W_2, b_2, strict=True)],
        axis=1,
    )  # (N, E, D)


TABLE = [
    (
        "all experts kept",
        "_experts(X, W_g, W_1, b_1, W_2, b_2, k, all_kept)",
        "Every expert has a gate above 0 here. Only each token's k best experts should count.",
    ),
    (
        "not renormalised",
        "_experts(X, W_g, W_1, b_1, W_2, b_2, k, zeroed)",
        (
            "The right experts are kept, but their gates no longer sum to 1. Your top_k_gate takes"
            " the logits themselves."
        ),
    ),
    (
        "softmax before the gate",
        "_experts(X, W_g, W_1, b_1, W_2, b_2, k, softmax_twice)",
        (
            "The gates went through a softmax two times. Your top_k_gate takes logits and has its"
            " own softmax."
        ),
    ),
    (
        "best expert only",
        "_experts(X, W_g, W_1, b_1, W_2, b_2, 1)",
        "Each token asks only one expert, whatever k is.",
    ),
    (
        "logits as gates",
        "_experts(X, W_g, W_1, b_1, W_2, b_2, k, lambda logits, k: logits)",
        "The logits were used as gates. They must pass through top_k_gate first.",
    ),
    (
        "gates ignored",
        (
            "_experts(X, W_g, W_1, b_1, W_2, b_2, k, lambda logits, k: np.full(logits.shape, 1 /"
            " logits.shape[1]))"
        ),
        "All experts count the same here. The gates say how much each expert counts for a token.",
    ),
    (
        "sum without gates",
        "_experts(X, W_g, W_1, b_1, W_2, b_2, k, lambda logits, k: np.ones(logits.shape))",
        "All answers were added as they are. Each answer must be weighted by its gate first.",
    ),
    (
        "experts with a gate above 0, alike",
        "_experts(X, W_g, W_1, b_1, W_2, b_2, k, lambda logits, k: 1.0 * _kept(logits, k))",
        (
            "Every expert with a gate above 0 counts fully here. The gate says how much each"
            " expert counts."
        ),
    ),
    (
        "only the first k experts",
        "mixture_of_experts(top_k_gate(X @ W_g, k)[:, :k], _answers(X, W_1, b_1, W_2, b_2)[:, :k])",
        FIRST_K,
    ),
    (
        "only the first k experts, with the gates of all",
        "(top_k_gate(X @ W_g, k)[:, :, None] * _answers(X, W_1, b_1, W_2, b_2)[:, :k]).sum(axis=1)",
        FIRST_K,
    ),
    (
        "the gate at the input of an expert",
        """
gates = top_k_gate(X @ W_g, k)
return sum(_answers(gates[:, [e]] * X, W_1, b_1, W_2, b_2)[:, e] for e in range(len(W_1)))
""",
        (
            "The token was multiplied by its gate before the expert read it. Every expert reads"
            " the token as it is. What should the gate multiply?"
        ),
    ),
    (
        "one expert's matrices for all",
        "relu(X @ W_1[0] + b_1[0]) @ W_2[0] + b_2[0]",
        (
            "Here all experts are the same network, the first one. Expert e has its own matrices"
            " and biases."
        ),
    ),
    (
        "activation forgotten",
        "_experts(X, W_g, W_1, b_1, W_2, b_2, k, activation=lambda hidden: hidden)",
        (
            "Without an activation, each expert is a single matrix. Your feed_forward has an"
            " activation."
        ),
    ),
    (
        "biases forgotten",
        "_experts(X, W_g, W_1, 0 * b_1, W_2, 0 * b_2, k)",
        "The experts' biases are not used.",
    ),
    (
        "answers stacked by expert",
        """
said = _answers(X, W_1, b_1, W_2, b_2).swapaxes(0, 1)                                # (E, N, D)
return (top_k_gate(X @ W_g, k)[:, :, None] * said).sum(axis=1)
""",
        (
            "Your answers have a table for each expert. The mixture needs a table for each token,"
            " with a row for each expert."
        ),
    ),
    (
        "skip added",
        "X + _experts(X, W_g, W_1, b_1, W_2, b_2, k)",
        "The block around this layer adds X. Return only the blend of the experts.",
    ),
    (
        "not added up",
        """
said = np.einsum("nef,efd->ned", relu(np.einsum("nd,edf->nef", X, W_1) + b_1), W_2) + b_2
return top_k_gate(X @ W_g, k)[:, :, None] * said
""",
        (
            "Each answer is weighted, but the answers still stand side by side. Each token needs"
            " one output."
        ),
    ),
    (
        "the gates returned",
        "top_k_gate(X @ W_g, k)",
        "These are the gates. Now blend what the chosen experts say.",
    ),
]

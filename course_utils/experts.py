"""Mixture of experts: who is responsible for which input, and what the chosen experts say."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from course_utils.arguments import Array, as_given, at_least_float32
from course_utils.attention import softmax
from course_utils.checks import (
    check_expert_outputs,
    check_gate,
    check_gates,
    check_gaussians,
    check_mixture,
    check_top_k,
)


def softmax_gate(X: ArrayLike, W_g: ArrayLike, temperature: float = 1.0) -> Array:
    r"""How much each expert counts for each input.

    .. math:: \mathrm{softmax}(X W_g / \text{temperature})

    Source: Jordan and Jacobs 1994.

    Parameters:
        X: (..., D).
        W_g: (D, E).
        temperature: a number above 0.
    Returns:
        The gates (..., E), each row summing to 1.
    Raises:
        ArgumentError: for a matrix that does not fit X, or a temperature that is not above 0.
    Example:
        >>> softmax_gate([[1], [0]], [[0, np.log(3)]])
        array([[0.25, 0.75],
               [0.5 , 0.5 ]])
    """
    X, W_g, temperature = check_gate(X, W_g, temperature)
    return softmax(X @ W_g / temperature)


def top_k_gate(X: ArrayLike, W_g: ArrayLike, k: int) -> Array:
    """Only the k best experts of each input count, and their gates sum to 1 again.

    Of equals the first wins. Source: Shazeer et al. 2017.

    Parameters:
        X: (..., D).
        W_g: (D, E).
        k: from 1 to E.
    Returns:
        The gates (..., E), k of them above 0 as far as the dtype can hold them: in float16 a gate
        is 0 where its logit is more than 17 below the best.
    Raises:
        ArgumentError: for a matrix that does not fit X, or more experts than there are.
    Example:
        >>> top_k_gate([[1], [0]], [[0, np.log(3), -1]], k=2)
        array([[0.25, 0.75, 0.  ],
               [0.5 , 0.5 , 0.  ]])
    """
    X, W_g, k = check_top_k(X, W_g, k)
    logits = X @ W_g
    others = np.argsort(-logits, axis=-1, kind="stable")[..., k:]
    dropped = np.where(np.isnan(logits), np.nan, -np.inf)  # NaN is never dropped in silence
    np.put_along_axis(logits, others, np.take_along_axis(dropped, others, axis=-1), axis=-1)
    return softmax(logits)


def mixture_of_experts(
    X: ArrayLike, gates: ArrayLike, experts: Sequence[Callable[[Array], ArrayLike]]
) -> Array:
    r"""What the experts say, weighted by their gates: :math:`\hat y = \sum_e G_e(x)\,F_e(x)`.

    An expert is only asked about the inputs where its gate is not 0: that is where a sparse gate
    saves compute. Sources: Jacobs et al. 1991; Shazeer et al. 2017, section 2.

    Parameters:
        X: (N, D).
        gates: (N, E).
        experts: E functions from (n, D) to (n, D_out).
    Returns:
        (N, D_out), in the widest dtype of gates and answers.
    Raises:
        ArgumentError: for gates that do not fit, or an expert's answer that does not.
    Example:
        >>> double, negate = (lambda x: 2 * x), (lambda x: -x)
        >>> mixture_of_experts([[1], [1], [1]], [[1, 0], [0, 1], [0.5, 0.5]], [double, negate])
        array([[ 2. ],
               [-1. ],
               [ 0.5]])
    """
    X, gates = check_mixture(X, gates, experts)
    asked = [gate != 0 for gate in gates.T]  # NaN != 0: it is asked, and seen
    outputs = [expert(X[rows]) for expert, rows in zip(experts, asked, strict=True)]
    said = check_expert_outputs(outputs, [int(rows.sum()) for rows in asked])
    output = np.zeros((len(X), said[0].shape[1]), np.result_type(gates, *said))
    for gate, rows, answer in zip(gates.T, asked, said, strict=True):
        output[rows] += gate[rows, None] * answer
    return output


def load_balancing_loss(gates: ArrayLike) -> float:
    r"""How unevenly the load is shared: 1 when balanced, E when one expert gets all.

    .. math:: E \sum_e f_e\,\bar G_e

    :math:`f_e` is the share of inputs whose largest gate is expert e, :math:`\bar G_e` the mean
    gate of e. It is no distance from balance: gates of (.51, .49) for three inputs and (0, 1) for
    a fourth give .88, below 1.
    Source: Fedus, Zoph and Shazeer 2021 (Switch Transformer), section 2.2.

    Parameters:
        gates: (N, E), before the top k are chosen.
    Returns:
        A number.
    Raises:
        ArgumentError: for gates that are no table.
    Example:
        >>> load_balancing_loss([[0.75, 0.25], [0.75, 0.25]])
        1.5
    """
    gates = check_gates(gates)
    N, E = gates.shape
    f = np.bincount(gates.argmax(axis=1), minlength=E) / N
    return float(E * np.sum(f * gates.mean(axis=0)))


def gaussian_responsibilities(
    X: ArrayLike, weights: ArrayLike, means: ArrayLike, covariances: ArrayLike
) -> Array:
    r"""How probable it is that each point came from each Gaussian.

    .. math::
        \pi_c\,\mathcal N(x\,|\,\mu_c, \Sigma_c)
        / \sum_m \pi_m\,\mathcal N(x\,|\,\mu_m, \Sigma_m)

    The formula would be 0/0 far from all means, so only differences of log-densities are used.
    Source: Bishop 2006, section 9.2.

    Parameters:
        X: (N, D).
        weights: (C,), summing to 1.
        means: (C, D).
        covariances: (C, D, D), symmetric and positive definite.
    Returns:
        (N, C), rows summing to 1.
    Raises:
        ArgumentError: for shapes that do not fit, negative weights, covariances that are none.
    Example:
        >>> gaussian_responsibilities([[0], [9]], [0.5, 0.5], [[-1], [1]], [[[1]], [[1]]]).round(2)
        array([[0.5, 0.5],
               [0. , 1. ]])
    """
    given = check_gaussians(X, weights, means, covariances)
    X, weights, means, covariances = map(at_least_float32, given)
    root = np.linalg.cholesky(covariances)  # (C, D, D), Σ = root rootᵀ
    away = np.linalg.solve(root, (X - means[:, None]).swapaxes(1, 2))  # (C, D, N), in widths
    # Mahalanobis' distance (N, C). hypot: squares would overflow.
    distance = np.where(weights > 0, np.hypot.reduce(away, axis=1).T, np.inf)
    nearest = distance.min(axis=1, keepdims=True)
    log_width = np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)  # (C,), half of log det Σ
    with np.errstate(divide="ignore", over="ignore"):  # log 0 = -inf: it owns nothing
        log_joint = np.log(weights) - log_width - 0.5 * (distance - nearest) * (distance + nearest)
    return as_given(softmax(log_joint), *given)

"""Mixture of experts: who is responsible for which input, and what the chosen experts say."""

import numpy as np

from course_utils.arguments import ArgumentError, as_count, as_floats, as_number
from course_utils.attention import project, softmax


def softmax_gate(X, W_g, temperature=1.0):
    r"""How much each expert counts for each input: :math:`\mathrm{softmax}(X W_g / \text{temperature})`.

    Parameters: X (..., D); W_g (D, E); temperature, a number above 0. Returns gates (..., E), each row summing to 1.
    Source: Jordan and Jacobs 1994.
    """
    temperature = as_number(temperature, "temperature", "a number above 0")
    if not temperature > 0:
        raise ArgumentError("temperature", temperature, "a number above 0")
    return softmax(project(as_floats(X, "X"), W_g, None, "X", "W_g", "") / temperature)


def top_k_gate(X, W_g, k):
    """Only the k best experts of each input count, and their gates sum to 1 again.

    Parameters: X (..., D); W_g (D, E); k from 1 to E. Returns gates (..., E), k of them above 0. Of equals the first wins.
    Source: Shazeer et al. 2017.
    """
    logits = project(as_floats(X, "X"), W_g, None, "X", "W_g", "")
    if as_count(k, "k") > logits.shape[-1]:
        raise ArgumentError("k", k, f"at most {logits.shape[-1]}, the number of experts")
    best = np.argsort(-logits, axis=-1, kind="stable")[..., :k]
    kept = np.full_like(logits, -np.inf)
    np.put_along_axis(kept, best, np.take_along_axis(logits, best, axis=-1), axis=-1)
    return softmax(kept)


def mixture_of_experts(X, gates, experts):
    r"""What the experts say, weighted by their gates: :math:`\hat y = \sum_e G_e(x)\,F_e(x)`.

    An expert is only asked about the inputs where its gate is above 0: that is where a sparse gate saves compute.
    Parameters: X (N, D); gates (N, E); experts, E functions from (n, D) to (n, D_out). Returns (N, D_out).
    """
    X, gates = as_floats(X, "X"), as_floats(gates, "gates")
    if X.ndim != 2:
        raise ArgumentError("X", f"shape {X.shape}", "(N, D): inputs are rows")
    if gates.shape != (len(X), len(experts)):
        raise ArgumentError("gates", f"shape {gates.shape}", f"{(len(X), len(experts))}: a gate for each input and each expert")
    output = None
    for gate, expert in zip(gates.T, experts, strict=True):
        asked = gate > 0
        said = expert(X[asked])
        if output is None:
            output = np.zeros((len(X), said.shape[-1]), dtype=said.dtype)
        output[asked] += gate[asked, None] * said
    return output


def load_balancing_loss(gates):
    r"""1 where all experts get the same load, up to E where one gets all: :math:`E \sum_e f_e\,P_e`.

    :math:`f_e` is the share of inputs whose largest gate is expert e, :math:`P_e` the mean gate of e. Parameters: gates (N, E),
    before the top k are chosen. Returns a number. Source: Fedus, Zoph and Shazeer 2021 (Switch Transformer), section 2.2.
    """
    gates = as_floats(gates, "gates")
    if gates.ndim != 2 or not gates.size:
        raise ArgumentError("gates", f"shape {gates.shape}", "(N, E): a row for each input")
    E = gates.shape[1]
    f = np.bincount(gates.argmax(axis=1), minlength=E) / len(gates)
    return float(E * np.sum(f * gates.mean(axis=0)))


def gaussian_responsibilities(X, weights, means, covariances):
    r"""How probable it is that each point came from each Gaussian: :math:`\pi_k N(x\,|\,\mu_k, \Sigma_k) / \sum_m \pi_m N(x\,|\,\mu_m, \Sigma_m)`.

    Parameters: X (N, D); weights (K,), summing to 1; means (K, D); covariances (K, D, D). Returns (N, K), rows summing to 1.
    Source: Bishop 2006, section 9.2.
    """
    X, weights = as_floats(X, "X"), as_floats(weights, "weights")
    means, covariances = as_floats(means, "means"), as_floats(covariances, "covariances")
    if X.ndim != 2:
        raise ArgumentError("X", f"shape {X.shape}", "(N, D): points are rows")
    D, K = X.shape[1], weights.size
    for name, array, shape in (("weights", weights, (K,)), ("means", means, (K, D)), ("covariances", covariances, (K, D, D))):
        if array.shape != shape:
            raise ArgumentError(name, f"shape {array.shape}", f"{shape}, for {K} Gaussians in {D} dimensions")
    away = X[:, None, :] - means                                                     # (N, K, D)
    distance = np.einsum("nkd,kde,nke->nk", away, np.linalg.inv(covariances), away)
    with np.errstate(divide="ignore"):                                               # a weight of 0: log gives -inf, softmax 0
        log_joint = np.log(weights) - 0.5 * (distance + np.linalg.slogdet(covariances)[1])
    return softmax(log_joint)

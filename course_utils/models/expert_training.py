"""What notebook 09 trains, from twenty starts at once: experts that are straight lines, and a gate.

They learn a zigzag of four pieces with Adam. Arrays of all starts have a leading axis n_starts.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from course_utils.arguments import Array
from course_utils.attention import softmax
from course_utils.experts import top_k_gate
from course_utils.models.training import Adam

N, E, N_STARTS = 100, 4, 20
SPREAD = 0.4  # σ of the likelihood
NOISE = 0.3  # standard deviation of y, where there is noise
ALONE = 0.05  # the squared error alone below which one specialised
OWNED = 0.9  # the gate above which an input has one owner
DEAD = 0.01  # the load below which an expert is dead
WORSE = 0.03  # so much less named rightly counts as worse
x = np.linspace(0, 4, N, endpoint=False) + 0.02
X = np.stack([np.ones(N), x - 2], axis=1)  # (N, 2)
Loss = Callable[[Array, Array], tuple[Array, Array, Array]]  # see below new_starts
Gradients = Callable[[list[Array]], tuple[Array, list[Array]]]  # W -> losses, gradients of W
zigzag = np.interp(x, range(5), [-1, 1, -1, 1, -1])[:, None]  # (N, 1)


def new_starts(n_features: int = 2, rng: Generator | None = None) -> list[Array]:
    """W_f (n_starts, n_features, E) of the experts and W_g (n_starts, 2, E) of the gate."""
    rng = rng or np.random.default_rng(0)
    W_f = 0.5 * rng.normal(size=(N_STARTS, n_features, E))
    return [W_f, 2 * rng.normal(size=(N_STARTS, 2, E))]


def gate(logits: Array, k: int = E) -> Array:
    """Gates (..., E) from logits: a softmax over the k largest of each input."""
    return softmax(logits) if k == E else top_k_gate(logits, np.eye(E), k)


# A loss takes F (..., N, E), what the experts say, G (..., N, E), the gates, and y (N, 1), what is
# right. It gives the losses (...), and their gradients at F and at the gate's logits.


def through_blend(delta: Array, F: Array, G: Array) -> tuple[Array, Array]:
    r"""The gradients at F and at the logits where only the blend is told its gradient δ (..., N,
    1).

    .. math:: \delta\,G_e \qquad \delta\,G_e\,(F_e - \hat y)
    """
    blend = (G * F).sum(axis=-1, keepdims=True)
    return delta * G, delta * G * (F - blend)


def squared_error(F: Array, G: Array, y: Array = zigzag) -> tuple[Array, Array, Array]:
    """The squared error of the blend (Jacobs et al. 1991, equation 1.1)."""
    off = (G * F).sum(axis=-1, keepdims=True) - y
    return (off**2).mean(axis=(-2, -1)), *through_blend(2 * off / y.shape[-2], F, G)


def likelihood(
    F: Array, G: Array, y: Array = zigzag, spread: float = SPREAD
) -> tuple[Array, Array, Array]:
    """Minus the log of the likelihood (Jacobs et al. 1991, equation 1.3)."""
    joint = G * np.exp(-((y - F) ** 2) / (2 * spread**2)) / (spread * np.sqrt(2 * np.pi))
    p = joint.sum(axis=-1, keepdims=True)
    r = joint / p
    n = y.shape[-2]
    return -np.log(p).mean(axis=(-2, -1)), r * (F - y) / spread**2 / n, (G - r) / n


def balancing(logits: Array) -> tuple[Array, Array]:
    """The load balancing loss of gates before the top k: losses (...), gradients at the logits."""
    P = softmax(logits)  # (..., N, E)
    f = np.eye(E)[P.argmax(axis=-1)].mean(axis=-2, keepdims=True)  # shares of first choices
    loss = E * (f * P.mean(axis=-2, keepdims=True)).sum(axis=(-2, -1))
    return loss, E * P * (f - (f * P).sum(axis=-1, keepdims=True)) / logits.shape[-2]


def gradients(
    loss: Loss, k: int = E, balance: float = 0.0, seen: Array = X, asked: Array = X
) -> Gradients:
    """W -> (losses, gradients of W), as `learn` asks for it: a loss, and some balancing.

    The experts read the rows of `seen`, the gate those of `asked`.
    """

    def of(W: list[Array]) -> tuple[Array, list[Array]]:
        logits = asked @ W[1]
        value, dF, d_logits = loss(seen @ W[0], gate(logits, k))
        more, towards_balance = balancing(logits)
        return (
            value + balance * more,
            [seen.T @ dF, asked.T @ (d_logits + balance * towards_balance)],
        )

    return of


def fit(loss: Loss, steps: int = 600, k: int = E, balance: float = 0.0) -> tuple[Array, Array]:
    """What experts and gates of twenty starts say of the zigzag once they have learnt: F and G.

    loss: squared_error or likelihood. Returns two arrays (n_starts, N, E).
    """
    W, _ = learn(gradients(loss, k, balance), new_starts(), steps, report=0)
    return X @ W[0], gate(X @ W[1], k)


def of_largest_gate(F: Array, G: Array) -> Array:
    """What the expert with the largest gate says (n_starts, N, 1)."""
    return np.take_along_axis(F, G.argmax(axis=-1)[..., None], axis=-1)


def error_alone(F: Array, G: Array, y: Array = zigzag) -> Array:
    """The squared error (n_starts,) if only the expert with the largest gate speaks."""
    return ((of_largest_gate(F, G) - y) ** 2).mean(axis=(1, 2))


def specialised(F: Array, G: Array) -> NDArray[np.bool]:
    """In which starts (n_starts,) the expert with the largest gate is right alone: booleans."""
    return error_alone(F, G) < ALONE


def learn(
    gradients: Gradients,
    W: Sequence[Array],
    steps: int = 600,
    learning_rate: float = 0.05,
    report: int = 200,
) -> tuple[list[Array], Array]:
    """Many steps downhill with Adam, for all starts at once.

    gradients(W) -> (losses, gradients): the loss of each start (n_starts,), and an array for each
    array of W. W: a list of arrays (n_starts, ...), a model for each start; it is not changed.
    report: print the median loss every so many steps, 0 for never.
    Returns (W, history), the learnt arrays and the losses (steps + 1, n_starts).
    """
    W, history = [w.copy() for w in W], []
    optimiser = Adam(W, beta_2=0.99)
    for step in range(steps + 1):
        losses, slopes = gradients(W)
        history.append(losses)
        if report and step % report == 0:
            print(f"step {step:3}  median loss {np.median(losses):.3f}")
        if step < steps:
            optimiser.step(slopes, learning_rate)
    return W, np.array(history)


def slopes_agree(gradients: Gradients, W: list[Array], rng: Generator) -> bool:
    """Does the loss change along a random tiny step as the gradients say? True or False.

    It is measured forth and back, for each start.
    """
    step = [1e-6 * rng.normal(size=w.shape) for w in W]
    up, down = (
        gradients([w + sign * s for w, s in zip(W, step, strict=True)])[0] for sign in (1, -1)
    )
    said = sum(
        (slope * s).sum(axis=tuple(range(1, s.ndim)))
        for slope, s in zip(gradients(W)[1], step, strict=True)
    )
    return bool(np.allclose((up - down) / 2, said, rtol=1e-5, atol=1e-13))

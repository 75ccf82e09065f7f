"""Learning from many starts at once, for the small mixtures of experts of notebook 09, and a test of slopes derived by hand."""

import numpy as np

from course_utils.models.training import Adam


def learn(gradients, W, steps=600, learning_rate=0.05, report=200):
    """Many steps downhill with Adam, for all starts at once.

    gradients(W) -> (losses, slopes): the loss of each start (n_starts,), and an array of slopes for each array of W.
    W: a list of arrays (n_starts, ...), a model for each start; it is not changed. report: print the median loss every so many steps,
    0 for never. Returns (W, history), the learnt arrays and the losses (steps + 1, n_starts).
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


def slopes_agree(gradients, W, rng):
    """Does the loss change along a random tiny step as the slopes say? Measured forth and back, for each start. Returns True or False."""
    step = [1e-6 * rng.normal(size=w.shape) for w in W]
    up, down = (gradients([w + sign * s for w, s in zip(W, step, strict=True)])[0] for sign in (1, -1))
    said = sum((slope * s).sum(axis=tuple(range(1, s.ndim))) for slope, s in zip(gradients(W)[1], step, strict=True))
    return bool(np.allclose((up - down) / 2, said, rtol=1e-5, atol=1e-13))

"""Claim F5: twelve layers with the norm before or after the addition, from ten starts, at every
rate and warm-up below.

A start *learns* if the mean of its last ten losses is below .2 (guessing among 20 answers: log 20 =
3.0). Rounding can decide that: at the rate .003 post-norm ends, from start 3, at .10, .17 or .24
with OpenBLAS's code for SkylakeX, Nehalem or Haswell; so 9 or 10 of the ten starts learn.

The words, their answers and the stack are those of notebook 06. And two suspected causes are
put to the test. In post-norm each layer is a larger part of the stream, and a nudge of all matrices
moves the end further. So the layers f(X) are made smaller, in two ways: their second matrices start
smaller, or f is multiplied by a part below 1 throughout. But then one step of training moves the
stream less, too. If that is what matters, the rate times the part decides: so both are varied.

And one thing at a time is changed: is it the place of the norm that makes a stack learn? Takes some
minutes.
"""

import numpy as np

from course_utils.models.training import Adam, new_stack, stack_forward, stack_loss

D, N_ANSWERS, DEPTH, STARTS, LEARNT = 64, 20, 12, 10, 0.2
# What was said to matter, chosen before anything was run: (rate at the end, steps of warm-up, steps
# in all).
SCHEDULES = [(rate, warm_up, 400) for rate in (0.001, 0.003, 0.01) for warm_up in (0, 60, 200)] + [
    (0.01, 0, 120),
    (0.01, 60, 120),
]
PARTS, RATES = (
    (1.0, 0.3, 0.1),
    (0.003, 0.01, 0.03),
)  # of each layer, and of training: all pairs, without warm-up

SIDES = ("the norm before each layer (pre-norm)", "the norm after each addition (post-norm)")
COUNTED = "starts that learn"
CHANGES = {
    "as it is": {},
    "float32": {"dtype": np.float32},
    "rate .007": {"rate": 0.007},
    "rate .005": {"rate": 0.005},
    "rate .003": {"rate": 0.003},
    "warm-up over 60 of 400 steps": {"warm_up": 60},
    "warm-up over 200 of 400 steps": {"warm_up": 200},
    "each layer times .5": {"part": 0.5},
    "each layer times .3": {"part": 0.3},
    "second matrices start at .3 of their size": {"start": 0.3},
    "eight layers": {"depth": 8},
    "four layers": {"depth": 4},
    "two layers": {"depth": 2},
    "32 features": {"width": 32},
    "plain gradient descent, rate .1": {"plain": 0.1},
}
CHEAP = ["two layers"]


def words_and_answers(width=D):
    """20 random words (20, width), and which word is whose answer (20,)."""
    return np.random.default_rng(1).normal(size=(N_ANSWERS, width)), np.random.default_rng(
        1
    ).permutation(N_ANSWERS)


def batch(rng, n, width=D):
    """n noisy words (n, width) and their answers (n,)."""
    words, answers = words_and_answers(width)
    i = rng.integers(N_ANSWERS, size=n)
    return words[i] + 0.5 * rng.normal(size=(n, width)), answers[i]


def scaled(W, factor):
    """The stack with the second matrix of each layer times `factor`; the last of W is the
    output's."""
    return [w * factor if i % 2 and i < len(W) - 1 else w for i, w in enumerate(W)]


def last_losses(
    place,
    rate,
    warm_up,
    steps,
    seed,
    start=1.0,
    part=1.0,
    depth=DEPTH,
    width=D,
    plain=None,
    dtype=float,
):
    """The mean of the last ten losses of one training; the rate grows in a straight line over the
    first `warm_up` steps.

    start: a factor of the second matrices at the start; part: a factor of every layer's f(X),
    throughout; plain: the rate of plain gradient descent in place of Adam.
    """
    rng, losses = np.random.default_rng(seed), []
    W = [w.astype(dtype) for w in scaled(new_stack(rng, depth, width, N_ANSWERS), start)]
    adam = Adam(W)
    for step in range(steps):
        X, answers = batch(rng, 32, width)
        loss, gradients = stack_loss(X.astype(dtype), answers, scaled(W, part), place)
        if plain:
            W = [w - plain * g for w, g in zip(W, scaled(gradients, part), strict=True)]
        else:
            adam.step(scaled(gradients, part), rate * min(1, (step + 1) / max(warm_up, 1)))
        losses.append(loss)
    return np.mean(losses[-10:])


def learn(first, place, rate, warm_up, steps=400, **smaller):
    """How many of the starts learn."""
    return sum(
        bool(last_losses(place, rate, warm_up, steps, seed, **smaller) < LEARNT)
        for seed in range(first, first + STARTS)
    )


def moved(first, place, start=1.0, part=1.0):
    """How far a nudge of all matrices by 2 % of their size moves the end of an untrained stack,
    relatively; the mean of the starts."""
    far = []
    for seed in range(first, first + STARTS):
        rng = np.random.default_rng(seed)
        X, W = batch(rng, 64)[0], scaled(new_stack(rng, DEPTH, D, N_ANSWERS), start)
        nudged = [w + 0.02 * w.std() * rng.normal(size=w.shape) for w in W]
        before, after = (
            stack_forward(X, scaled(W, part), place)[0],
            stack_forward(X, scaled(nudged, part), place)[0],
        )
        far.append(np.linalg.norm(after - before) / np.linalg.norm(before))
    return np.mean(far)


def run(first=0):
    """{"starts": n, "place, rate, steps of warm-up of all steps": how many of n learn, "...,
    nudge": by which part a nudge moves it}."""
    counted = {"starts": STARTS}
    for rate, warm_up, steps in SCHEDULES:
        for place in ("pre", "post"):
            counted[f"{place}, {rate}, {warm_up} of {steps}"] = learn(
                first, place, rate, warm_up, steps
            )
    kinds = {
        "pre": ("pre", {}),
        "post": ("post", {}),
        "post, second matrices start at .3": ("post", {"start": 0.3}),
        "post, layers times .5": ("post", {"part": 0.5}),
        "post, layers times .3": ("post", {"part": 0.3}),
    }
    for name, (place, smaller) in kinds.items():
        counted[f"{name}: learn at 0.01"] = learn(first, place, 0.01, 0, **smaller)
        counted[f"{name}: nudge"] = moved(first, place, **smaller)
    for part in PARTS:
        for rate in RATES:
            counted[f"rate {rate}, layers times {part}: post"] = learn(
                first, "post", rate, 0, part=part
            )
    counted["rate 0.03, layers times 1.0: pre"] = learn(first, "pre", 0.03, 0)
    return counted


def count(first, cause, rate=0.01, warm_up=0, **changed):
    """How many of ten starts learn with the norm before each layer, or after each addition: (k,
    n)."""
    place = "pre" if cause else "post"
    return learn(first, place, rate, warm_up, **changed), STARTS

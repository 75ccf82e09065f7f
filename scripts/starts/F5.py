"""Claim F5: twelve layers with the norm before or after the addition, from ten starts, at every rate and warm-up below.

A start *learns* if the mean of its last ten losses is below .2 (guessing among 20 answers: log 20 = 3.0). The words, their
answers and the stack are those of notebook 06. And two suspected causes are put to the test. In post-norm each layer is a larger part
of the stream, and a nudge of all matrices moves the end further. So the layers f(X) are made smaller, in two ways: their second
matrices start smaller, or f is multiplied by a part below 1 throughout. But then one step of training moves the stream less, too. If that
is what matters, the rate times the part decides: so both are varied. Takes some minutes.
"""

import numpy as np

from course_utils.models.training import Adam, new_stack, stack_forward, stack_loss

D, N_ANSWERS, DEPTH, STARTS, LEARNT = 64, 20, 12, 10, 0.2
# What was said to matter, chosen before anything was run: (rate at the end, steps of warm-up, steps in all).
SCHEDULES = [(rate, warm_up, 400) for rate in (0.001, 0.003, 0.01) for warm_up in (0, 60, 200)] + [(0.01, 0, 120), (0.01, 60, 120), (0.01, 800, 1000)]
PARTS, RATES = (1.0, 0.3, 0.1), (0.003, 0.01, 0.03)           # of each layer, and of training: all pairs, without warm-up


def words_and_answers():
    """20 random words (20, D), and which word is whose answer (20,)."""
    return np.random.default_rng(1).normal(size=(N_ANSWERS, D)), np.random.default_rng(1).permutation(N_ANSWERS)


def batch(rng, n):
    """n noisy words (n, D) and their answers (n,)."""
    words, answers = words_and_answers()
    i = rng.integers(N_ANSWERS, size=n)
    return words[i] + 0.5 * rng.normal(size=(n, D)), answers[i]


def scaled(W, factor):
    """The stack with the second matrix of each layer times `factor`."""
    return [w * factor if i % 2 and i < 2 * DEPTH else w for i, w in enumerate(W)]


def last_losses(place, rate, warm_up, steps, seed, start=1.0, part=1.0):
    """The mean of the last ten losses of one training; the rate grows in a straight line over the first `warm_up` steps.

    start: a factor of the second matrices at the start; part: a factor of every layer's f(X), throughout.
    """
    rng, losses = np.random.default_rng(seed), []
    W = scaled(new_stack(rng, DEPTH, D, N_ANSWERS), start)
    adam = Adam(W)
    for step in range(steps):
        loss, gradients = stack_loss(*batch(rng, 32), scaled(W, part), place)
        adam.step(scaled(gradients, part), rate * min(1, (step + 1) / max(warm_up, 1)))
        losses.append(loss)
    return np.mean(losses[-10:])


def learn(place, rate, warm_up, steps, **smaller):
    """How many of the starts learn."""
    return sum(bool(last_losses(place, rate, warm_up, steps, seed, **smaller) < LEARNT) for seed in range(STARTS))


def moved(place, start=1.0, part=1.0):
    """How far a nudge of all matrices by 2 % of their size moves the end of an untrained stack, relatively; the mean of the starts."""
    far = []
    for seed in range(STARTS):
        rng = np.random.default_rng(seed)
        X, W = batch(rng, 64)[0], scaled(new_stack(rng, DEPTH, D, N_ANSWERS), start)
        nudged = [w + 0.02 * w.std() * rng.normal(size=w.shape) for w in W]
        before, after = stack_forward(X, scaled(W, part), place)[0], stack_forward(X, scaled(nudged, part), place)[0]
        far.append(np.linalg.norm(after - before) / np.linalg.norm(before))
    return np.mean(far)


def run():
    """{"starts": n, "place, rate, steps of warm-up of all steps": how many of n learn, "..., nudge": by which part a nudge moves it}."""
    counted = {"starts": STARTS}
    for rate, warm_up, steps in SCHEDULES:
        for place in ("pre", "post"):
            counted[f"{place}, {rate}, {warm_up} of {steps}"] = learn(place, rate, warm_up, steps)
    kinds = {"pre": ("pre", {}), "post": ("post", {}), "post, second matrices start at .3": ("post", {"start": 0.3}),
             "post, layers times .5": ("post", {"part": 0.5}), "post, layers times .3": ("post", {"part": 0.3})}
    for name, (place, smaller) in kinds.items():
        counted[f"{name}: learn at 0.01"] = learn(place, 0.01, 0, 400, **smaller)
        counted[f"{name}: nudge"] = moved(place, **smaller)
    for part in PARTS:
        for rate in RATES:
            counted[f"rate {rate}, layers times {part}: post"] = learn("post", rate, 0, 400, part=part)
    counted["rate 0.03, layers times 1.0: pre"] = learn("pre", 0.03, 0, 400)
    return counted

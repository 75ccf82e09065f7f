"""The gradient flows back through a very small model, part by part; one weight is pushed, and the
loss stands beside what the gradient predicted."""

from typing import Any

import numpy as np

from course_utils.attention import softmax
from course_utils.instruments.instrument import Condition, Instrument, Numbers, State, goal
from course_utils.instruments.rounding import fixed
from course_utils.instruments.stills import bars, lines, side_by_side
from course_utils.layers import relu

# The model of notebook 10: it reads the token "bears", and the next word is "love".
WORDS, RIGHT, TOKEN = ["I", "love", "bears"], 1, "bears"
X = np.array([[1.0, 2.0]])  # (1, D)
WEIGHTS = {
    "W_1": np.array([[1.0, -1.0], [0.5, 0.0]]),  # (D, d_ff)
    "W_2": np.array([[0.5, -0.5], [1.0, 1.0]]),  # (d_ff, D)
    "W_out": np.array([[0.0, 0.5, 1.0], [1.0, -1.0, 0.0]]),  # (D, n_vocab)
}
# The parts in the order of the way back. After k steps back the first k have sent a gradient on.
PARTS = ["softmax + loss", "W_out", "skip", "W_2", "ReLU", "W_1", "x"]
VALUES = ["before", "hidden", "f", "Y", "scores", "p"]  # what a weight can move, besides the loss
POINTS = 33  # of the curve from no push to the present one
SMALL = 1e-9  # what is nearer to 0 is noise


def _run(W):
    """All values of the model with these matrices: each (1, n), and the loss."""
    before = X @ W["W_1"]
    hidden = relu(before)
    f = hidden @ W["W_2"]
    Y = X + f
    scores = Y @ W["W_out"]
    p = softmax(scores)
    return {
        "x": X,
        "before": before,
        "hidden": hidden,
        "f": f,
        "Y": Y,
        "scores": scores,
        "p": p,
        "loss": -np.log(p[0, RIGHT]),
    }


def _run_back(W, values):
    """All gradients of the loss, by the rules of the notebook."""
    ds = values["p"] - np.eye(len(WORDS))[[RIGHT]]
    dY = ds @ W["W_out"].T
    d_hidden = dY @ W["W_2"].T
    d_before = np.where(values["before"] > SMALL, d_hidden, 0)
    through_f = d_before @ W["W_1"].T
    return {
        "ds": ds,
        "dY": dY,
        "d_hidden": d_hidden,
        "d_before": d_before,
        "through_f": through_f,
        "dx": dY + through_f,
        "W_out": values["Y"].T @ ds,
        "W_2": values["hidden"].T @ dY,
        "W_1": values["x"].T @ d_before,
    }


def _push(weight, push):
    """The matrices, with one weight pushed."""
    name, i, j = weight
    W = {one: matrix.copy() for one, matrix in WEIGHTS.items()}
    W[name][i, j] += push
    return W


def _measure(weight, push):
    """What a push does, beside what the gradient predicts of it."""
    name, i, j = weight
    was = _run(WEIGHTS)
    gradients, now = _run_back(WEIGHTS, was), _run(_push(weight, push))
    # the value by which the weight is multiplied
    factor = was[{"W_1": "x", "W_2": "hidden", "W_out": "Y"}[name]][0, i]
    gradient = gradients[name][i, j]
    predicted, change = gradient * push, now["loss"] - was["loss"]
    gap = abs(change - predicted)
    open_before, open_now = (values["before"][0] > SMALL for values in (was, now))
    return {
        "name": _name(weight),
        "unit": j,
        "push": push,
        "factor": factor,
        "gradient": gradient,
        "predicted": predicted,
        "change": change,
        # a unit stands between, and it is silent
        "stopped": bool(abs(gradient) < SMALL and abs(factor) > SMALL),
        "near": bool(predicted < -0.02 and gap < 0.1 * abs(predicted) - SMALL),
        "far": bool(gap > 0.1 and gap > 0.5 * max(abs(predicted), abs(change)) + SMALL),
        "switched": next(
            (
                f"unit {unit} {'opened' if open_now[unit] else 'closed'}"
                for unit in np.flatnonzero(open_before != open_now)
            ),
            None,
        ),
    }


def _name(weight):
    name, i, j = weight
    return f"{name}[{i}, {j}]"


def _row(x):
    return f"[{', '.join(fixed(a, 2) for a in x)}]"


def _terms(a, b):
    """A product of two vectors, term by term: "0.70·0.00 + 0.50·2.00 = 1.00"."""
    products = (f"{fixed(x, 2)}·{fixed(y, 2)}" for x, y in zip(a, b, strict=True))
    return f"{' + '.join(products)} = {fixed(np.dot(a, b), 2)}"


def _matrix_rule(name, weight, W, values, gradients):
    """The rule of a matrix: dX = dY Wᵀ and dW = Xᵀ dY, in the names of the notebook."""
    enters, leaves, sent, got = {
        "W_1": ("x", "before", "through_f", "d_before"),
        "W_2": ("hidden", "f", "d_hidden", "dY"),
        "W_out": ("Y", "scores", "dY", "ds"),
    }[name]
    i, j = weight[1:] if weight[0] == name else (0, 0)  # of dW one number is worked out
    entered, came = values[enters][0], gradients[got][0]
    return [f"{leaves} = {enters} {name}"], [
        f"{sent} = {got} {name}ᵀ",
        *(f"{sent}[{k}] = {_terms(came, row)}" for k, row in enumerate(W[name])),
        f"d{name} = {enters}ᵀ {got}",
        f"d{name}[{i}, {j}] = {enters}[{i}]·{got}[{j}] = {_terms([entered[i]], [came[j]])}",
    ]


def _rule(part, weight, W, values, gradients):
    """The rule of a part with its numbers: the lines of the way ahead, and of the way back."""
    p = values["p"][0]
    ds, dY, d_hidden, through_f = (
        gradients[name][0] for name in ("ds", "dY", "d_hidden", "through_f")
    )
    if part == "softmax + loss":
        return [
            "p = softmax(scores)",
            f"loss = -log p[{RIGHT}] = -log {fixed(p[RIGHT], 3)} = {fixed(values['loss'], 2)}",
        ], ["ds = p - r", f"ds = {_row(p)} - [0, 1, 0]", f"ds = {_row(ds)}"]
    if part == "skip":
        return ["Y = x + f"], [
            "dY goes both ways, as it is",
            f"at f: {_row(dY)}",
            f"over the skip: {_row(dY)}",
        ]
    if part == "ReLU":
        units = enumerate(zip(values["before"][0], d_hidden, strict=True))
        return ["hidden = max(0, before)"], [
            "d_before = d_hidden where before > 0, else 0",
            *(
                f"unit {k}: before is {fixed(before, 2)}, so {fixed(d, 2)} "
                + ("passes" if before > SMALL else "is stopped: 0")
                for k, (before, d) in units
            ),
        ]
    if part == "x":
        return ["x goes into W_1, and over the skip"], [
            "dx = dY + through_f",
            *(
                f"dx[{k}] = {fixed(a, 3)} + {fixed(b, 3)} = {fixed(a + b, 3)}"
                for k, (a, b) in enumerate(zip(dY, through_f, strict=True))
            ),
        ]
    return _matrix_rule(part, weight, W, values, gradients)


class GradientFlow(Instrument):
    """The small model of notebook 10, its gradients, and the push of one weight.

    State: part: the one whose rule is shown; back: through how many parts the gradient has come
    back, from 0 to 7; weight: [matrix, row, column]; push: how far it is pushed; kept: pushes that
    were kept, as [weight, push].
    """

    challenge = (
        "Gradient times push predicts the change of the loss. Make three pushes and keep each."
        " One: a weight with gradient 0 whose input is not 0. Two:"
        " the loss falls almost as predicted. Three: the change is far from predicted."
    )

    @staticmethod
    def data() -> dict[str, Any]:
        return {
            "words": WORDS,
            "right": RIGHT,
            "x": X[0].tolist(),
            "weights": {name: matrix.tolist() for name, matrix in WEIGHTS.items()},
        }

    @staticmethod
    def start() -> State:
        return {
            "part": PARTS[0],
            "back": 0,
            "weight": ["W_out", 0, 1],
            "push": 0.0,
            "kept": [],
        }

    @staticmethod
    def compute(state: State) -> Numbers:
        part, back, weight, push = (state[name] for name in ("part", "back", "weight", "push"))
        was, W = _run(WEIGHTS), _push(weight, push)
        now = _run(W)
        gradients = _run_back(W, now)
        ahead, on_the_way_back = _rule(part, weight, W, now, gradients)
        if back <= PARTS.index(part):
            on_the_way_back = ["No gradient has come back to here yet."]
        return {
            "part": part,
            "back": back,
            "weight": weight,
            "push": push,
            "arrived": back > PARTS.index(weight[0]),
            "W": W,
            "values": now,
            "gradients": gradients,
            "moved": {name: np.sign(_calm(now[name] - was[name])) for name in VALUES},
            "rule": ahead + on_the_way_back,
            "loss": was["loss"],
            "curve": [_run(_push(weight, one))["loss"] for one in np.linspace(0, push, POINTS)],
            "measured": _measure(weight, push),
            "kept": [_measure(*one) for one in state["kept"]],
        }

    @staticmethod
    def describe(numbers: Numbers) -> str:
        values, measured, back = numbers["values"], numbers["measured"], numbers["back"]
        shares = ", ".join(
            f"{word} {fixed(p, 2)}" for word, p in zip(WORDS, values["p"][0], strict=True)
        )
        text = (
            f"{TOKEN} goes in. {shares}; the loss of {WORDS[RIGHT]} is {fixed(values['loss'], 2)}."
        )
        if back:
            name, gradient = {
                1: ("the scores", "ds"),
                2: ("Y", "dY"),
                3: ("f and the skip", "dY"),
                4: ("hidden", "d_hidden"),
                5: ("before", "d_before"),
                6: ("x through the units", "through_f"),
                7: ("x", "dx"),
            }[back]
            text += f" The gradient at {name} is {_row(numbers['gradients'][gradient][0])}."
        if numbers["push"]:
            moved = [name for name in VALUES if np.any(numbers["moved"][name])]
            said = (
                f"; gradient times push is {fixed(measured['predicted'], 2)}"
                if numbers["arrived"]
                else ""
            )
            text += (
                f" {measured['name']} is pushed by {fixed(numbers['push'], 2)}. It moves"
                f" {', '.join(moved) or 'nothing'}. The loss changes by"
                f" {fixed(measured['change'], 2)}{said}."
            )
        return text

    @staticmethod
    def conditions(numbers: Numbers) -> list[Condition]:
        now, arrived = numbers["measured"], numbers["arrived"]
        gradient, predicted = (
            fixed(now[name], 2) if arrived else "?" for name in ("gradient", "predicted")
        )
        compared = f"{now['name']} predicted {predicted}, found {fixed(now['change'], 2)}"
        told = [
            (
                "stopped",
                "gradient 0 and input not 0",
                f"{now['name']} has {gradient} and {fixed(now['factor'], 2)}",
            ),
            ("near", "a fall within 10 % of predicted", compared),
            ("far", "a change far from predicted", compared),
        ]
        found = [_first(numbers["kept"], what) for what, *_ in told]
        return [
            goal(
                f"{wanted}: "
                + (f"{one['name']} by {fixed(one['push'], 2)}" if one else f"now {present}"),
                one is not None,
            )
            for (_, wanted, present), one in zip(told, found, strict=True)
        ]

    @staticmethod
    def lesson(numbers: Numbers) -> str:
        stopped, near, far = (_first(numbers["kept"], what) for what in ("stopped", "near", "far"))
        why = (
            f"On the way {far['switched']}, and the gradient knows only the place"
            " where it was taken."
            if far["switched"]
            else "The loss bends, and the gradient is its straight line at the start."
        )
        return (
            f"{stopped['name']} has the input {fixed(stopped['factor'], 2)}, but unit"
            f" {stopped['unit']} is silent: the gradient is stopped there. {near['name']} by"
            f" {fixed(near['push'], 2)}: {fixed(near['predicted'], 2)} predicted,"
            f" {fixed(near['change'], 2)} found. {far['name']} by {fixed(far['push'], 2)}:"
            f" {fixed(far['predicted'], 2)} predicted, {fixed(far['change'], 2)} found. {why}"
        )

    @staticmethod
    def still(numbers: Numbers) -> str:
        values, gradients, back = numbers["values"], numbers["gradients"], numbers["back"]
        flow = {
            "x": ("dx", 7),
            "before": ("d_before", 5),
            "hidden": ("d_hidden", 4),
            "Y": ("dY", 2),
            "scores": ("ds", 1),
        }
        return side_by_side(
            lines(
                "forward, and the gradient where it has come back",
                [
                    f"{name} {_row(values[name][0])}"
                    + (f"   gradient {_row(gradients[gradient][0])}" if back >= steps else "")
                    for name, (gradient, steps) in flow.items()
                ],
                width=400,
            ),
            bars(f"loss {fixed(values['loss'], 2)}", WORDS, values["p"][0], reach=1, height=120),
        )


def _calm(x):
    """Numbers without noise."""
    return np.where(np.abs(x) < SMALL, 0, x)


def _first(kept, what):
    """The first of the kept pushes of which something holds, or None."""
    return next((one for one in kept if one[what]), None)

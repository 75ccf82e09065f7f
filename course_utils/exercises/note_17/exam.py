"""`note_17` with other numbers: the answer follows from the same idea."""

import numpy as np
from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, why


def variant(rng: Generator) -> Numbers:
    proxy = rng.permutation([1.0, 2.0, 3.0, 4.0])
    truth = rng.permutation([0.0, 2.0, 3.0, 1.0])
    p = np.array([0.4, 0.3, 0.2, 0.1])
    leash = float(rng.choice([0.5, 1.0, 2.0]))
    weights = p * np.exp(proxy / leash)
    weights /= weights.sum()
    return Numbers(
        f"A model writes four texts with the probabilities {p.tolist()}. Their proxy rewards are"
        f" {proxy.tolist()}, what they are truly worth is {truth.tolist()}. The best model under a"
        f" leash of {leash:g} has probabilities in proportion to p · exp(proxy / leash). What are"
        " its mean proxy and its mean true worth? And the true worth where the proxy alone"
        " decides?",
        [float(weights @ proxy), float(weights @ truth), float(truth[proxy.argmax()])],
        2,
        minutes=8,
        points=5,
    )


WHY = [
    why(
        "A model is trained on a reward that was learned from comparisons. The reward rises all the"
        " time, and what people like rises, then falls. Why?",
        [
            "The reward was compared on texts of the model at the start.",
            "Training leads to texts that the start hardly ever wrote.",
            (
                "There the reward's mistakes are not seen in any comparison, and the training looks"
                " for exactly these."
            ),
        ],
        "The reward was learned from comparisons of texts that the model wrote at the start."
        " Training leads to texts that it hardly ever wrote then. On those no comparison has"
        " corrected the reward, and training finds the mistakes that pay.",
    ),
    why(
        "What does the leash of such a training cost, and what does it buy?",
        [
            (
                "It takes from the reward for each nat by which a text became likelier than at the"
                " start."
            ),
            "So the model stays near texts on which the reward was compared.",
            "The price: the reward rises less.",
        ],
        "The leash takes something from the reward for each nat by which a text became likelier"
        " than at the start. So the model stays near the texts on which the reward was compared,"
        " and the reward means there what it should. The price is that the reward rises less.",
    ),
]

"""LayerWalk (notebook 11): through the layers of a real encoder with "bears" in eighteen sentences, and in one more."""

import numpy as np

from course_utils.data.bears import EIGHTEEN, FULLER, SENSES, SHORT, load
from course_utils.models.encoder import nearest_words
from course_utils.style import MARKERS, MEANINGS
from course_utils.widgets.explorer import Control, Explorer

_shipped = load()
STATES = np.concatenate([_shipped[name] for name in ("states", "short", "fuller")])                      # (24, 7, 384)
UNIT = STATES / np.linalg.norm(STATES, axis=-1, keepdims=True)
N, LAYERS = len(EIGHTEEN), STATES.shape[1]
OTHERS = {sentence: (meaning, N + i) for i, (meaning, sentence) in enumerate([*SHORT.items(), *FULLER.items()])}
SIDE = np.concatenate([10 * k + np.arange(6) for k in range(3)])            # where each of the eighteen stands in the right picture


def plane():
    """Two directions (384, 2) along which the eighteen differ the most after the last layer; their meanings are not asked for."""
    last = UNIT[:N, -1] - UNIT[:N, -1].mean(axis=0)
    directions = np.linalg.svd(last, full_matrices=False)[2][:2]
    return (directions * np.sign(directions @ last[0])[:, None]).T          # a singular vector has no sign of its own


PLANE = plane()


class LayerWalk(Explorer):
    """Where the eighteen "bears" and one more lie after each layer, always seen along the same two directions."""

    controls = [Control("layer", list(range(LAYERS)), start=LAYERS - 1), Control("sentence", list(OTHERS))]
    size = (9, 3.7)

    @staticmethod
    def compute(layer, sentence):
        meaning, i = OTHERS[sentence]
        table = np.vstack([STATES[:N, layer], STATES[i, layer]])
        right = [SENSES[nearest_words(j, table[:N])[0]] == SENSES[j] for j in range(N)]
        unit, centre = UNIT[[*range(N), i], layer], UNIT[:N, layer].mean(axis=0)
        nearest = int(nearest_words(N, table)[0])
        return {"layer": layer, "sentence": sentence, "meaning": meaning, "places": (unit - centre) @ PLANE, "right": sum(right),
                "similarity": unit[:N] @ unit[N], "nearest": nearest, "found": SENSES[nearest]}

    @staticmethod
    def prepare(figure):
        places, similarity = figure.subplots(1, 2, width_ratios=[1, 1.1])
        figure.subplots_adjust(left=0.02, right=0.99, top=0.9, bottom=0.12, wspace=0.15)
        places.set(xlim=(-0.72, 0.42), ylim=(-0.46, 0.42), xticks=[], yticks=[], title="where \"bears\" lies (star: the sentence)")
        similarity.set(xlim=(-2, 27), ylim=(0, 1.05), yticks=[0, 0.5, 1], title="cosine with each of the eighteen")
        similarity.set_xticks([2.5, 12.5, 22.5], MEANINGS)
        return places, similarity

    @staticmethod
    def draw(axes, numbers):
        places, similarity = axes
        senses = np.array(SENSES)
        for meaning, colour in MEANINGS.items():
            mine = senses == meaning
            places.plot(*numbers["places"][:N][mine].T, MARKERS[meaning], color=colour, markersize=10, alpha=0.75)
            similarity.plot(SIDE[mine], numbers["similarity"][mine], MARKERS[meaning], color=colour, markersize=9)
        places.text(-0.7, -0.43, f"{numbers['sentence']}  ({numbers['meaning']})", fontsize=9.5)
        places.plot(*numbers["places"][N], "*", color="black", markersize=19, markeredgecolor="white")
        nearest = numbers["nearest"]
        similarity.plot(SIDE[nearest], numbers["similarity"][nearest], "o", color="black", markersize=19, markerfacecolor="none")

    @staticmethod
    def describe(numbers):
        nearest, right = numbers["nearest"], numbers["right"]
        verdict = "right" if numbers["found"] == numbers["meaning"] else "wrong"
        return (f"Layer {numbers['layer']}: of eighteen, {right} ({100 * right / N:.0f} %) lie nearest to their own meaning. "
                f"\"{numbers['sentence']}\": nearest is {numbers['found']}, cosine {numbers['similarity'][nearest]:.2f}: {verdict}.")

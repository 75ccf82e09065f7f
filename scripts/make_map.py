"""Store the model that the map runs: notebook 11's, half as wide, so that its numbers fit a page.

    python scripts/make_map.py

It is trained on the same sentences in the same way (a few seconds). In course_utils/data/map.json
each parameter is a whole number of steps from -31 to 31, one letter of base64's alphabet; of each
array the step and the shape stand beside it. So rounded the model expects the same words (a test
says so).
"""

import json
from pathlib import Path

import numpy as np

from course_utils.data.grammar import WORDS, sentences
from course_utils.data.opened_chat import LETTERS
from course_utils.models.language_model import Config, new_model, train

STORED = Path(__file__).parents[1] / "course_utils" / "data" / "map.json"
MOST = 31  # steps that a parameter is away from 0


def trained():
    """The parameters and sizes of the model, before they are rounded."""
    texts = sentences(np.random.default_rng(0), 3000)
    config = Config(n_vocab=len(WORDS), D=16, H=4, d_ff=32)
    params = new_model(np.random.default_rng(8), config, dtype=float)
    for _ in train(params, texts, config, np.random.default_rng(2), steps=400, n=32):
        pass
    return params, config


def rounded(params):
    """{name: [step, shape ...]} and the letters of all parameters, one after the other."""
    arrays, letters = {}, []
    for name, array in params.items():
        top = np.abs(array).max()
        # below that it is noise of training: b_K moves nothing
        step = float(f"{top / MOST:.5g}") if top > 1e-6 else 0.0
        wholes = np.rint(array / (step or np.inf)).astype(int)
        arrays[name] = [step, *array.shape]
        letters += [LETTERS[whole + MOST + 1] for whole in wholes.ravel()]
    return {"arrays": arrays, "letters": "".join(letters)}


def main():
    stored = {"words": WORDS, **rounded(trained()[0])}
    STORED.write_text(
        json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8", newline="\n"
    )


if __name__ == "__main__":
    main()

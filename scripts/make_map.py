"""Store what the map shows: one sentence on its way through the language model of notebook 11, word by word, until its full stop.

    python scripts/make_map.py

The model is trained as in the notebook, from the same start, on the same sentences (a few seconds). In course_utils/data/map.json, for
every word that is written: the tokens that go in (ids), the length of every token's vector after each addition to it (vectors, places,
attention 1, feed-forward 1, attention 2, feed-forward 2), the weights of every head (block, head, query, key), how many of each
token's hidden numbers are above 0 (block, token), and the scores of all words after the last token. Rounded to four digits.
"""

import json
from pathlib import Path

import numpy as np

from course_utils.data.grammar import END, WORDS, encode, sentences
from course_utils.models.language_model import Config, block, forward, new_model, train

STORED = Path(__file__).parents[1] / "course_utils" / "data" / "map.json"
SENTENCE = "the dogs near the cat"


def trained():
    """The parameters and sizes of the model of notebook 11."""
    texts, config = sentences(np.random.default_rng(0), 3000), Config(n_vocab=len(WORDS))
    params = new_model(np.random.default_rng(12), config, dtype=float)
    for _ in train(params, texts, config, np.random.default_rng(2), steps=400, n=32):
        pass
    return params, config


def streams(params, tokens, tape):
    """The residual stream after each addition to it: (2 + 2 L, T, D)."""
    stream = [params["W_E"][tokens]]
    stream.append(stream[-1] + params["R"][:len(tokens)])
    for number, kept in enumerate(tape, start=1):
        p = block(params, number)
        stream.append(stream[-1] + kept["M"] @ p["W_O"] + p["b_O"])
        stream.append(stream[-1] + kept["said"][0])
    return np.array(stream)


def one_pass(params, config, tokens):
    """What the map shows of a model that reads `tokens`."""
    logits, (*tape, _) = forward(params, tokens, config)
    return {"ids": tokens, "lengths": np.linalg.norm(streams(params, tokens, tape), axis=-1), "weights": np.array([kept["A"] for kept in tape]),
            "awake": np.array([(kept["hidden"][0] > 0).sum(axis=-1) for kept in tape]), "logits": logits[-1]}


def passes(params, config):
    """One pass for every word that is written, the likeliest each time."""
    tokens, found = encode(SENTENCE), []
    while tokens[-1] != END or not found:
        found.append(one_pass(params, config, list(tokens)))
        tokens.append(int(found[-1]["logits"].argmax()))
    return found


def rounded(value):
    """Arrays as lists, numbers to four digits after the point."""
    return np.round(value, 4).tolist()


def main():
    stored = {"words": WORDS, "passes": [{name: rounded(value) for name, value in one.items()} for one in passes(*trained())]}
    STORED.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

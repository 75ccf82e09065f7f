"""Claim G1: the language model of notebook 11 with and without its table of positions, from
twenty starts.

Without positions only the causal mask can show it the order of words. Asked are 200 prompts in
pairs of the same words with the same last word, such as "the dogs near the fox near the cat" and
"the fox near the dogs near the cat". The verb must agree with
the first noun: who takes the words as a bag, even one that knows its last word, answers both alike
and gets half of them.
Takes some minutes.
"""

import itertools

import numpy as np

from course_utils.data.grammar import NOUNS, WORDS, encode, expected, sentences, verbs
from course_utils.models.language_model import Config, new_model, next_log_probs, surprise, train

STARTS, PROMPTS, NEARLY_ALL = 20, 200, 190


def texts_and_prompts():
    """Sentences to learn from, new ones, prompts that begin none of the first, and each subject's
    number."""
    rng = np.random.default_rng(0)
    texts, new_texts = sentences(rng, 3000), sentences(rng, 500)
    return texts, new_texts, *order_prompts(np.random.default_rng(3), PROMPTS, texts)


def order_prompts(rng, n, unseen):
    """n prompts in pairs, one of a pair with the two first nouns of the other in the other order,
    and each subject's number (0 or 1).

    unseen: sentences (m, LONGEST); no prompt begins one of them, nor does the other of its pair.
    """
    seen, pairs = {tuple(row[:9]) for row in unseen.tolist()}, []
    for (one, _), (_, many), last in itertools.product(NOUNS, NOUNS, itertools.chain(*NOUNS)):
        pair = [
            encode(f"the {first} near the {second} near the {last}")
            for first, second in ((one, many), (many, one))
        ]
        if not seen & set(map(tuple, pair)):
            pairs.append(pair)
    chosen = [pairs[i] for i in rng.permutation(len(pairs))[: n // 2]]
    return list(itertools.chain(*chosen)), np.tile([0, 1], len(chosen))


def trained(texts, config, seed, positions):
    """A model from this start; positions False keeps its table R at 0 throughout."""
    params = new_model(np.random.default_rng(seed), config, dtype=float)
    params["R"] *= positions
    for _ in train(params, texts, config, np.random.default_rng(100 + seed)):
        params["R"] *= positions
    return params


def right_numbers(params, config, prompts, numbers):
    """After how many prompts the likeliest verb has the subject's number."""
    scores = [next_log_probs(params, tokens, config) for tokens in prompts]
    return sum(
        bool(s[verbs(n)].max() > s[verbs(1 - n)].max())
        for s, n in zip(scores, numbers, strict=True)
    )


def run(first=0):
    """{"starts": n, "entropy": nats a word, "with: nearly all right": k of n, ..., "without: ..."};
    surprise is that of new sentences."""
    config, (texts, new_texts, prompts, numbers) = Config(n_vocab=len(WORDS)), texts_and_prompts()
    total, words = expected()
    results = {"starts": STARTS, "prompts": len(prompts), "entropy": round(total / words, 3)}
    for name, positions in (("without", False), ("with", True)):
        models = [trained(texts, config, seed, positions) for seed in range(first, first + STARTS)]
        right = [right_numbers(params, config, prompts, numbers) for params in models]
        surprises = [surprise(params, new_texts, config) for params in models]
        results |= {
            f"{name}: nearly all right": sum(n >= NEARLY_ALL for n in right),
            f"{name}: fewest right": min(right),
            f"{name}: least surprise": round(min(surprises), 3),
            f"{name}: most surprise": round(max(surprises), 3),
        }
    return results

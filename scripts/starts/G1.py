"""Claim G1: the language model of notebook 10 with and without its table of positions, from ten starts.

Without positions only the causal mask can show it the order of words. Asked are 200 prompts whose verb must agree with the first
of two nouns of different number: who takes the words as a bag gets half of them. Takes half a minute.
"""

import numpy as np

from course_utils.data.grammar import WORDS, agreement_prompts, expected, sentences, verbs
from course_utils.models.language_model import Config, new_model, next_log_probs, surprise, train

STARTS, PROMPTS, NEARLY_ALL = 10, 200, 190


def texts_and_prompts():
    """Sentences to learn from, new ones, prompts that begin none of the first, and each subject's number."""
    rng = np.random.default_rng(0)
    texts, new_texts = sentences(rng, 3000), sentences(rng, 500)
    return texts, new_texts, *agreement_prompts(np.random.default_rng(3), PROMPTS, unseen=texts)


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
    return sum(bool(s[verbs(n)].max() > s[verbs(1 - n)].max()) for s, n in zip(scores, numbers, strict=True))


def run():
    """{"starts": n, "entropy": nats a word, "with: nearly all right": k of n, ..., "without: ..."}; surprise is that of new sentences."""
    config, (texts, new_texts, prompts, numbers) = Config(n_vocab=len(WORDS)), texts_and_prompts()
    total, words = expected()
    results = {"starts": STARTS, "prompts": PROMPTS, "entropy": round(total / words, 3)}
    for name, positions in (("with", True), ("without", False)):
        models = [trained(texts, config, seed, positions) for seed in range(STARTS)]
        right = [right_numbers(params, config, prompts, numbers) for params in models]
        surprises = [surprise(params, new_texts, config) for params in models]
        results |= {f"{name}: nearly all right": sum(n >= NEARLY_ALL for n in right), f"{name}: fewest right": min(right),
                    f"{name}: least surprise": round(min(surprises), 3), f"{name}: most surprise": round(max(surprises), 3)}
    return results

"""From probabilities of the next token to a text: the likeliest each time, a beam of the best, or a draw.

``next_log_probs(tokens)`` stands for the model: a list of token numbers in, the log-probabilities of the next token (n_vocab,) out,
-inf for what cannot come next.
"""

import numpy as np

from course_utils.arguments import as_count
from course_utils.attention import softmax
from course_utils.checks import as_log_probs, as_prompt, check_temperature


def greedy(next_log_probs, prompt, max_tokens, eos=None):
    """Take the likeliest token each time, until eos or max_tokens new ones. Returns the list of tokens, prompt included."""
    tokens, max_tokens = as_prompt(prompt), as_count(max_tokens, "max_tokens")
    for _ in range(max_tokens):
        tokens.append(int(np.argmax(_ask(next_log_probs, tokens))))
        if tokens[-1] == eos:
            break
    return tokens


def beam_search(next_log_probs, prompt, max_tokens, beam_width, eos=None):
    """Keep the beam_width likeliest texts at every step. Returns [(tokens, log-probability)], the best first, none impossible.

    The log-probability is that of the new tokens, not divided by their number. A text that ended in eos is kept as it is.
    """
    prompt, max_tokens, beam_width = as_prompt(prompt), as_count(max_tokens, "max_tokens"), as_count(beam_width, "beam_width")

    def ended(tokens):
        return len(tokens) > len(prompt) and tokens[-1] == eos

    beam = [(prompt, 0.0)]
    for _ in range(max_tokens):
        longer = []
        for tokens, total in beam:
            if ended(tokens):
                longer.append((tokens, total))
                continue
            log_probs = _ask(next_log_probs, tokens)
            for token in np.argsort(-log_probs, kind="stable")[:beam_width]:
                if log_probs[token] > -np.inf:
                    longer.append(([*tokens, int(token)], total + float(log_probs[token])))
        beam = sorted(longer, key=lambda text: -text[1])[:beam_width]
        if all(ended(tokens) for tokens, _ in beam):
            break
    return beam


def sample(next_log_probs, prompt, max_tokens, temperature=1.0, top_k=None, rng=None, eos=None, top_p=None):
    """Draw each token by its probability, flattened by a temperature, out of the top_k likeliest, and of those out of the fewest
    that together have top_p. Returns the list of tokens.

    rng: numpy.random.Generator, a fresh one unless given. A low temperature comes close to greedy.
    """
    tokens, max_tokens = as_prompt(prompt), as_count(max_tokens, "max_tokens")
    check_temperature(temperature, top_k, top_p)
    rng = np.random.default_rng() if rng is None else rng
    for _ in range(max_tokens):
        probabilities = sharpen(_ask(next_log_probs, tokens), temperature, top_k, top_p)
        tokens.append(int(rng.choice(len(probabilities), p=probabilities)))
        if tokens[-1] == eos:
            break
    return tokens


def sharpen(log_probs, temperature=1.0, top_k=None, top_p=None):
    """The probabilities (n_vocab,) that sample draws from: softmax(log_probs / temperature), all but the top_k set to 0, then all
    but the nucleus. What stays sums to 1 again.
    """
    log_probs = as_log_probs(log_probs, "log_probs")
    temperature, top_k, top_p = check_temperature(temperature, top_k, top_p)
    scaled = log_probs / temperature
    if top_k is not None:
        beyond = np.argsort(-scaled, kind="stable")[top_k:]
        scaled[beyond] = -np.inf
    probabilities = softmax(scaled)
    return probabilities if top_p is None else nucleus(probabilities, top_p)


def nucleus(probabilities, top_p):
    """The likeliest tokens, as few as have top_p together, made to sum to 1 again; all others 0. probabilities (n_vocab,), summing to 1.

    A sum that misses top_p by rounding alone has reached it: .6 + .3 is .8999… in floats, and stands for .9.

    Source: Holtzman et al. 2020, section 3.1.
    """
    order = np.argsort(-probabilities, kind="stable")
    before = np.cumsum(probabilities[order], dtype=float) - probabilities[order]         # what the likelier ones have together
    kept = np.zeros_like(probabilities)
    kept[order] = np.where(before < top_p * (1 - 1e-12), probabilities[order], 0)
    return kept / kept.sum()


def _ask(next_log_probs, tokens):
    """What the model says comes next, checked. It gets a copy of the tokens."""
    return as_log_probs(next_log_probs(list(tokens)), "next_log_probs(tokens)")

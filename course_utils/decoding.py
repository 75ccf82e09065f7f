"""From probabilities of the next token to a text: the likeliest each time, a beam of the best, or a draw.

``next_log_probs(tokens)`` stands for the model: a list of token numbers in, the log-probabilities of the next token (n_vocab,) out.
"""

import numpy as np

from course_utils.arguments import ArgumentError, as_count, as_floats, as_number
from course_utils.attention import softmax


def greedy(next_log_probs, prompt, max_tokens, eos=None):
    """Take the likeliest token each time, until eos or max_tokens new ones. Returns the list of tokens, prompt included."""
    tokens = _as_tokens(prompt)
    for _ in range(as_count(max_tokens, "max_tokens")):
        tokens.append(int(np.argmax(_log_probs(next_log_probs, tokens))))
        if tokens[-1] == eos:
            break
    return tokens


def beam_search(next_log_probs, prompt, max_tokens, beam_width, eos=None):
    """Keep the beam_width likeliest texts at every step. Returns [(tokens, log-probability)], the best first.

    The log-probability is that of the new tokens, not divided by their number. A text that ended in eos is kept as it is.
    """
    beam_width = as_count(beam_width, "beam_width")
    beam = [(_as_tokens(prompt), 0.0)]
    n_prompt = len(beam[0][0])
    for _ in range(as_count(max_tokens, "max_tokens")):
        longer = []
        for tokens, total in beam:
            if len(tokens) > n_prompt and tokens[-1] == eos:
                longer.append((tokens, total))
                continue
            log_probs = _log_probs(next_log_probs, tokens)
            for token in np.argsort(-log_probs, kind="stable")[:beam_width]:
                longer.append(([*tokens, int(token)], total + float(log_probs[token])))
        beam = sorted(longer, key=lambda text: -text[1])[:beam_width]
        if all(len(tokens) > n_prompt and tokens[-1] == eos for tokens, _ in beam):
            break
    return beam


def sample(next_log_probs, prompt, max_tokens, temperature=1.0, top_k=None, rng=None, eos=None):
    """Draw each token by its probability, flattened by a temperature, out of the top_k likeliest. Returns the list of tokens.

    rng: numpy.random.Generator, a fresh one unless given. A low temperature comes close to greedy.
    """
    tokens, rng = _as_tokens(prompt), np.random.default_rng() if rng is None else rng
    temperature = as_number(temperature, "temperature", "a number above 0")
    if not temperature > 0:
        raise ArgumentError("temperature", temperature, "a number above 0 (for 0 there is greedy)")
    top_k = None if top_k is None else as_count(top_k, "top_k")
    for _ in range(as_count(max_tokens, "max_tokens")):
        probabilities = sharpen(_log_probs(next_log_probs, tokens), temperature, top_k)
        tokens.append(int(rng.choice(len(probabilities), p=probabilities)))
        if tokens[-1] == eos:
            break
    return tokens


def sharpen(log_probs, temperature=1.0, top_k=None):
    """The probabilities (n_vocab,) that sample draws from: softmax(log_probs / temperature), all but the top_k set to 0."""
    scaled = as_floats(log_probs, "log_probs") / temperature
    if top_k is not None:
        beyond = np.argsort(-scaled, kind="stable")[top_k:]
        scaled[beyond] = -np.inf
    return softmax(scaled)


def _as_tokens(prompt):
    tokens = np.asarray(prompt)
    if tokens.ndim != 1 or (tokens.size and tokens.dtype.kind not in "iu"):
        raise ArgumentError("prompt", repr(prompt)[:60], "a list of token numbers")
    return [int(t) for t in tokens]


def _log_probs(next_log_probs, tokens):
    log_probs = as_floats(next_log_probs(list(tokens)), "next_log_probs(tokens)")
    if log_probs.ndim != 1:
        raise ArgumentError("next_log_probs(tokens)", f"shape {log_probs.shape}", "(n_vocab,): a log-probability for each next token")
    return log_probs

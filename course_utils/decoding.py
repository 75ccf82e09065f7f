"""From probabilities of the next token to a text: the likeliest each time, a beam, or a draw.

``next_log_probs(tokens)`` stands for the model: a list of token numbers in, the log-probabilities
of the next token (n_vocab,) out, -inf for what cannot come next.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from course_utils.arguments import Array, as_count
from course_utils.attention import softmax
from course_utils.checks import as_log_probs, as_prompt, check_temperature

Model = Callable[[list[int]], ArrayLike]


def greedy(
    next_log_probs: Model, prompt: Sequence[int], max_tokens: int, eos: int | None = None
) -> list[int]:
    """Take the likeliest token each time, until eos or max_tokens new ones.

    Source: Sutskever, Vinyals and Le 2014, section 3.2 (a beam of width 1).

    Parameters:
        next_log_probs: the model.
        prompt: the tokens to begin with.
        max_tokens: how many are added at most.
        eos: the token that ends a text; none unless given.
    Returns:
        The tokens, prompt included.
    Raises:
        ArgumentError: for a prompt of no tokens' numbers, or a model that says NaN.
    Example:
        >>> greedy(lambda tokens: np.log([0.1, 0.3, 0.6]), [0, 1], max_tokens=2)
        [0, 1, 2, 2]
    """
    tokens, max_tokens = as_prompt(prompt), as_count(max_tokens, "max_tokens")
    for _ in range(max_tokens):
        tokens.append(int(np.argmax(_ask(next_log_probs, tokens))))
        if tokens[-1] == eos:
            break
    return tokens


def beam_search(
    next_log_probs: Model,
    prompt: Sequence[int],
    max_tokens: int,
    beam_width: int,
    eos: int | None = None,
) -> list[tuple[list[int], float]]:
    """Keep the beam_width likeliest texts at every step.

    A text that ended in eos is kept as it is. Source: Sutskever, Vinyals and Le 2014, section 3.2.

    Parameters:
        next_log_probs, prompt, max_tokens, eos: as in greedy.
        beam_width: how many texts are kept.
    Returns:
        Pairs of tokens and the log-probability of the new ones (not divided by their number), the
        best first, none impossible.
    Raises:
        ArgumentError: for a prompt of no tokens' numbers, or a model that says NaN.
    Example:
        >>> def model(tokens):                       # the likelier first word leads nowhere
        ...     return np.log([[0.6, 0.4], [0.5, 0.5], [0.1, 0.9]][sum(tokens) + len(tokens)])
        >>> [(tokens, round(p, 2)) for tokens, p in beam_search(model, [], 2, beam_width=2)]
        [([1, 1], -1.02), ([0, 0], -1.2)]
    """
    prompt, max_tokens = as_prompt(prompt), as_count(max_tokens, "max_tokens")
    beam_width = as_count(beam_width, "beam_width")

    def ended(tokens: list[int]) -> bool:
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


def sample(
    next_log_probs: Model,
    prompt: Sequence[int],
    max_tokens: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    rng: np.random.Generator | None = None,
    eos: int | None = None,
    top_p: float | None = None,
) -> list[int]:
    """Draw each token by its probability, flattened by a temperature.

    It is drawn out of the top_k likeliest, and of those out of the fewest that together have
    top_p. A low temperature comes close to greedy. Sources: Ackley, Hinton and Sejnowski 1985
    (temperature); Fan, Lewis and Dauphin 2018 (top k); Holtzman et al. 2020 (top p).

    Parameters:
        next_log_probs, prompt, max_tokens, eos: as in greedy.
        temperature: a number above 0.
        top_k: how many tokens may be drawn; all unless given.
        rng: what draws, a fresh one unless given.
        top_p: a share above 0; all unless given.
    Returns:
        The tokens, prompt included.
    Raises:
        ArgumentError: for a prompt of no tokens' numbers, a model that says NaN, other settings.
    Example:
        >>> model = lambda tokens: np.log([0.1, 0.3, 0.6])
        >>> sample(model, [0], max_tokens=3, top_k=1)
        [0, 2, 2, 2]
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


def sharpen(
    log_probs: ArrayLike,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Array:
    """The probabilities that sample draws from.

    softmax(log_probs / temperature), all but the top_k set to 0, then all but the nucleus. What
    stays sums to 1 again. Sources: as in sample.

    Parameters:
        log_probs: (n_vocab,).
        temperature, top_k, top_p: as in sample.
    Returns:
        (n_vocab,), summing to 1.
    Raises:
        ArgumentError: for log-probabilities with NaN, or other settings.
    Example:
        >>> sharpen(np.log([0.1, 0.3, 0.6]), top_k=2).round(2)
        array([0.  , 0.33, 0.67])
    """
    log_probs = as_log_probs(log_probs, "log_probs")
    temperature, top_k, top_p = check_temperature(temperature, top_k, top_p)
    scaled = log_probs / temperature
    if top_k is not None:
        beyond = np.argsort(-scaled, kind="stable")[top_k:]
        scaled[beyond] = -np.inf
    probabilities = softmax(scaled)
    return probabilities if top_p is None else nucleus(probabilities, top_p)


def nucleus(probabilities: Array, top_p: float) -> Array:
    """The likeliest tokens, as few as have top_p together, made to sum to 1 again; all others 0.

    A sum that misses top_p by rounding alone has reached it: .6 + .3 is .8999… in floats, and
    stands for .9. Source: Holtzman et al. 2020, section 3.1.

    Parameters:
        probabilities: (n_vocab,), summing to 1.
        top_p: a number above 0, at most 1.
    Returns:
        (n_vocab,), summing to 1.
    Example:
        >>> nucleus(np.array([0.1, 0.3, 0.6]), 0.9).round(2)
        array([0.  , 0.33, 0.67])
    """
    order = np.argsort(-probabilities, kind="stable")
    # before: what the likelier ones have together
    before = np.cumsum(probabilities[order], dtype=float) - probabilities[order]
    kept = np.zeros_like(probabilities)
    kept[order] = np.where(before < top_p * (1 - 1e-12), probabilities[order], 0)
    return kept / kept.sum()


def _ask(next_log_probs: Model, tokens: list[int]) -> Array:
    """What the model says comes next, checked. It gets a copy of the tokens."""
    return as_log_probs(next_log_probs(list(tokens)), "next_log_probs(tokens)")

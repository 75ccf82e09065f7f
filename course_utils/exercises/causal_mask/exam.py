"""`causal_mask` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code


def variant(rng: Generator) -> Code:
    prefix, window, every = (int(n) for n in rng.integers([2, 2, 4], [9, 9, 16]))
    return Code(
        f"A mask for T tokens, True = may attend. A token sees itself and the {window - 1} right"
        f" before it. The first {prefix} tokens are a title, which every token sees whole, those of"
        f" the title, too. Tokens 0, {every}, {2 * every}, … are seen by all that come later."
        " Returns bool (T, T).",
        "def answer(T):\n    j = np.arange(T)\n    return attention.sliding_window_mask(T,"
        f" {window}) | (j < {prefix}) | (attention.causal_mask(T) & (j % {every} == 0))",
        ((40,), (33,), (prefix + 1,)),
        minutes=5,
        points=3,
    )

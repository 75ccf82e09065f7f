"""`causal_mask` with a twist: a rule that the exercise did not have. The kept function, pasted, is wrong."""

from course_utils.diagnosis.questions import Code


def variant(rng):
    prefix, window, every = (int(n) for n in rng.integers([2, 2, 4], [9, 9, 16]))
    return Code(f"A mask for T tokens, True = may attend. A token sees itself and the {window - 1} right before it. The first {prefix} tokens are a "
                f"title, which every token sees whole, those of the title, too. Tokens 0, {every}, {2 * every}, … are seen by all that come later. "
                "Returns bool (T, T).",
                "def answer(T):\n    j = np.arange(T)\n"
                f"    return attention.sliding_window_mask(T, {window}) | (j < {prefix}) | (attention.causal_mask(T) & (j % {every} == 0))",
                ((40,), (33,), (prefix + 1,)),
                minutes=5, points=3)

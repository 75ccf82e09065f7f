"""`note_04` with other numbers: the answer follows from the same idea."""



from course_utils.diagnosis.questions import Numbers


def variant(rng):
    T = int(rng.integers(20, 90))
    j = int(rng.integers(2, T - 1))
    return Numbers(f"A decoder with a causal mask reads {T} tokens. Token {j} (from 0) is replaced by another. How many rows of the decoder's "
                   "output stay as they were? How many rows may change? And for how many next words did one pass over these tokens give a "
                   "prediction?", [j, T - j, T])

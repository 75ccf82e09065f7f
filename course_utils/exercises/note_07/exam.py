"""`note_07` with other numbers: the answer follows from the same idea."""



from course_utils.diagnosis.questions import Numbers


def variant(rng):
    T, D = int(rng.integers(6, 30)), int(rng.integers(4, 20))
    t = int(rng.integers(1, T - 1))
    return Numbers(f"{T} tokens with {D} features. One number of row {t} (from 0) changes. How many numbers of the output may change: of a "
                   "feed-forward network, of self-attention, and of self-attention with a causal mask?", [D, T * D, (T - t) * D])

"""`note_13` with other numbers: the answer follows from the same idea."""



from course_utils.diagnosis.questions import Numbers


def variant(rng):
    H_kv, group = int(rng.choice([2, 3, 4, 8])), int(rng.choice([2, 3, 4]))
    T, d = int(rng.integers(100, 2000)), int(rng.choice([32, 64, 80, 128]))
    return Numbers(f"A layer has {H_kv * group} heads of queries and {H_kv} of keys and values, {d} features each. How many scores does it compute "
                   f"for one new token that sees {T} tokens? How many numbers does its cache hold for {T} tokens? And how many of both if every "
                   "head had its own keys and values? Four numbers.",
                   [H_kv * group * T, 2 * H_kv * T * d, H_kv * group * T, 2 * H_kv * group * T * d])

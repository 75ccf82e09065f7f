"""`note_10` with other numbers: the answer follows from the same idea."""



from course_utils.diagnosis.questions import Numbers


def variant(rng):
    d_k, d_v, t = int(rng.integers(8, 65)), int(rng.integers(8, 65)), int(rng.integers(20, 500))
    return Numbers(f"One head with a KV cache, d_k = {d_k}, d_v = {d_v}. Count the multiplications of queries with keys and of weights with values, "
                   f"for one new token that sees itself and all before it. How many for the token with {t} before it, and how many with {10 * t}?",
                   [(t + 1) * (d_k + d_v), (10 * t + 1) * (d_k + d_v)])

"""`note_05` with other numbers: the answer follows from the same idea."""



from course_utils.diagnosis.questions import Numbers


def variant(rng):
    H, d, T = int(rng.choice([2, 4, 6, 8, 12])), int(rng.choice([8, 16, 24, 32, 64])), int(rng.integers(50, 400))
    return Numbers(f"A layer of attention has {H * d} features, {H} heads and no biases, and reads {T} tokens. How many parameters has it? How many "
                   "weights of attention does it make? And how many of both with a single head over all features? Four numbers.",
                   [4 * (H * d) ** 2, H * T * T, 4 * (H * d) ** 2, T * T])

"""`note_02` with other numbers: the answer follows from the same idea."""



from course_utils.attention import softmax
from course_utils.diagnosis.questions import Numbers, block


def variant(rng):
    Q, K, V = (rng.integers(-9, 10, size=(3, 2)) / 5 for _ in range(3))
    i = int(rng.integers(3))
    return Numbers(f"{block(Q=Q, K=K, V=V)}\n\nAttention of queries, keys and values without a scale. What is the output of token {i}, and which "
                   "weight has its own value in it? Three numbers.", [*(softmax(Q @ K.T) @ V)[i], softmax(Q @ K.T)[i, i]], 2)

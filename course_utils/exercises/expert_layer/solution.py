import numpy as np


def expert_layer(X, W_g, W_1, b_1, W_2, b_2, k):
    gates = top_k_gate(X @ W_g, k)  # (N, E)
    answers = [feed_forward(X, W_1[e], b_1[e], W_2[e], b_2[e]) for e in range(len(W_1))]
    return mixture_of_experts(gates, np.stack(answers, axis=1))  # (N, E, D) -> (N, D)

import numpy as np


def forward(tokens, params, blocks, n_heads):
    T = len(tokens)
    X = params["W_E"][tokens] + params["R"][:T]  # (T, D)
    mask = causal_mask(T)
    for b in blocks:
        I = layer_norm(X, b["gamma_1"], b["beta_1"], 1e-5)
        Q, K, V = (
            split_heads(I @ b[f"W_{x}"] + b[f"b_{x}"], n_heads) for x in "QKV"
        )  # (H, T, d) each
        heads = [masked_attention(Q[h], K[h], V[h], mask)[0] for h in range(n_heads)]
        X = X + merge_heads(np.stack(heads)) @ b["W_O"] + b["b_O"]
        I = layer_norm(X, b["gamma_2"], b["beta_2"], 1e-5)
        X = X + feed_forward(I, b["W_1"], b["b_1"], b["W_2"], b["b_2"])
    Y = layer_norm(X, params["gamma"], params["beta"], 1e-5)
    return Y @ params["W_out"] + params["b_out"]  # (T, n_vocab)

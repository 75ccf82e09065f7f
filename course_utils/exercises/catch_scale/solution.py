import numpy as np

rng = np.random.default_rng(0)
T_q, T_kv, d_k, d_v = 2, 5, 3, 7  # all different, and d_k is not 4
catch_scale = (
    rng.normal(size=(T_q, d_k)),
    rng.normal(size=(T_kv, d_k)),
    rng.normal(size=(T_kv, d_v)),
)

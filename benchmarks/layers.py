"""How fast norms and activations are: ours beside PyTorch's, on one thread.

    python benchmarks/layers.py [--repetitions 15]         PyTorch: torch==2.13.0

Each takes 512 rows of 2048 numbers in float32, as a feed-forward network does. Each number is our
time divided by PyTorch's; the two run in turn.
"""

import argparse

import course_utils.layers as ours  # before NumPy: it asks BLAS for one thread  # isort: skip
import numpy as np
import torch
from attention import row, seconds

ROWS, D = 512, 2048


def pairs():
    """{name: (ours, PyTorch's)}, functions without arguments that give the same output."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, D)).astype(np.float32)
    gamma, beta = rng.normal(size=(2, D)).astype(np.float32)
    x_t, gamma_t, beta_t = map(torch.from_numpy, (x, gamma, beta))
    theirs = torch.nn.functional
    return {
        "layer_norm": (
            lambda: ours.layer_norm(x, gamma, beta),
            lambda: theirs.layer_norm(x_t, (D,), gamma_t, beta_t),
        ),
        "rms_norm": (
            lambda: ours.rms_norm(x, gamma, 1e-5),
            lambda: theirs.rms_norm(x_t, (D,), gamma_t, 1e-5),
        ),
        "relu": (lambda: ours.relu(x), lambda: theirs.relu(x_t)),
        "gelu": (lambda: ours.gelu(x), lambda: theirs.gelu(x_t)),
        "gelu, tanh": (lambda: ours.gelu(x, "tanh"), lambda: theirs.gelu(x_t, approximate="tanh")),
        "silu": (lambda: ours.silu(x), lambda: theirs.silu(x_t)),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=15)
    repetitions = parser.parse_args().repetitions
    torch.set_num_threads(1)
    row("", ["ours", "torch"])
    for name, (mine, theirs) in pairs().items():
        np.testing.assert_allclose(mine(), theirs(), rtol=1e-4, atol=1e-5, err_msg=name)
        times = seconds({"ours": mine, "torch": theirs}, repetitions)
        row(name, [f"{times['ours'] / times['torch']:.2f}x", "1.00x"])


if __name__ == "__main__":
    main()

"""How fast attention is, and how much memory it takes: ours beside plain NumPy and PyTorch's fused
attention, on one thread.

    python benchmarks/attention.py [--repetitions 15]      PyTorch takes part where it is installed
    (torch==2.13.0)

First a short text, where the checks of the arguments count: (6, 4), beside the formula as it is
written. Then queries, keys and values are (1, 8, T, 64) in float32. Each number is a time divided
by the time of the last column, so 1.5x is half as slow again. In each repetition every function
runs once in turn, and the medians are compared: whatever else the computer does meets all of them
alike. The memory is the peak of what a call allocates, without its arguments.
"""

import argparse
import functools
import math
import statistics
import time
import tracemalloc

import course_utils.attention as ours  # before NumPy: it asks BLAS for one thread  # isort: skip
import numpy as np

from course_utils.checks import check_attention

try:
    import torch
except ImportError:
    torch = None

LENGTHS = [128, 512, 2048]
H, D_K = 8, 64
AT_LEAST = 0.02  # seconds a measurement: short calls are repeated


def naive(Q, K, V, mask=None):
    """The formula as it is written: every step a new array."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True) @ V


def contestants(Q, K, V, mask):
    """A dict of functions without arguments that all give the same output."""
    functions = {
        "naive": lambda: naive(Q, K, V, mask),
        "scaled_dot_product": lambda: ours.scaled_dot_product_attention(Q, K, V, mask)[0],
        "blockwise": lambda: ours.blockwise_attention(Q, K, V, mask),
    }
    if torch is not None:
        tensors = [torch.from_numpy(x) for x in (Q, K, V)]
        fused = torch.nn.functional.scaled_dot_product_attention
        if mask is not None:
            functions["torch, mask given"] = lambda: fused(
                *tensors, attn_mask=torch.from_numpy(mask)
            )
        functions["torch"] = lambda: fused(*tensors, is_causal=mask is not None)
    return functions


def seconds(functions, repetitions):
    """The median time of one call of each function."""
    calls = {}
    for name, function in functions.items():
        function()  # the first call pays for warming up
        start = time.perf_counter()
        function()
        calls[name] = math.ceil(AT_LEAST / (time.perf_counter() - start))
    times = {name: [] for name in functions}
    for _ in range(repetitions):
        for name, function in functions.items():
            start = time.perf_counter()
            for _ in range(calls[name]):
                function()
            times[name].append((time.perf_counter() - start) / calls[name])
    return {name: statistics.median(t) for name, t in times.items()}


def peak_memory(function):
    """MiB that a call holds at its peak (NumPy tells tracemalloc of its arrays, PyTorch does
    not)."""
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def short_text(repetitions, T=6, d=4):
    """Prints what the checks and the care for infinities cost where there is little to compute."""
    Q, K, V = np.random.default_rng(0).normal(size=(3, T, d)).astype(np.float32)
    rows = {}
    for title, mask in {"no mask": None, "causal mask": ours.causal_mask(T)}.items():
        given = (Q, K, V, mask)
        rows[title] = seconds(
            {
                "checks alone": functools.partial(check_attention, *given, scale=None),
                "scaled_dot_product": functools.partial(ours.scaled_dot_product_attention, *given),
                "naive": functools.partial(naive, *given),
            },
            repetitions,
        )
    row(f"T = {T}, d = {d}", rows["no mask"])
    for title, times in rows.items():
        row(f"  {title}", [f"{t / times['naive']:.2f}x" for t in times.values()])


def row(title, cells):
    print(title.ljust(18) + "".join(cell.rjust(20) for cell in cells))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=15)
    repetitions = parser.parse_args().repetitions
    if torch is not None:
        torch.set_num_threads(1)
    short_text(repetitions)
    rng = np.random.default_rng(0)
    for T in LENGTHS:
        Q, K, V = (rng.normal(size=(1, H, T, D_K)).astype(np.float32) for _ in range(3))
        for title, mask in {"no mask": None, "causal mask": ours.causal_mask(T)}.items():
            functions = contestants(Q, K, V, mask)
            if mask is None or torch is not None:
                row(f"T = {T}", functions)
            expected = naive(Q, K, V, mask)
            for name, function in functions.items():
                np.testing.assert_allclose(function(), expected, rtol=1e-4, atol=1e-5, err_msg=name)
            times = seconds(functions, repetitions)
            *_, last = times.values()
            row(f"  {title}", [f"{t / last:.2f}x" for t in times.values()])
    row(
        f"memory, T = {T}",
        [
            "-" if "torch" in name else f"{peak_memory(function):.1f} MiB"
            for name, function in functions.items()
        ],
    )


if __name__ == "__main__":
    main()

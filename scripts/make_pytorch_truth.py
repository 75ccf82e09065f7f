"""Store what PyTorch computes, for tests/test_truth_pytorch.py, which needs no PyTorch itself.

    pip install torch==2.13.0 numpy && python scripts/make_pytorch_truth.py

Names in the file are CASE/ARRAY: inputs, parameters and results of one call. Inputs and parameters
are float32; the call is made in float32 and in float64 on the same numbers, so each result is there
twice. Parameters keep PyTorch's names and layout (matrices as (out, in)); the tests turn them over.
Run it anew only to add cases: other processors round other last digits.
"""

from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

TARGET = Path(__file__).parents[1] / "tests" / "truth" / "pytorch.npz"
BATCH, HEADS, T, T_KV, D = 2, 2, 5, 7, 8
FUTURE = ~torch.ones(T, T, dtype=torch.bool).tril()

stored = {}


def store(case, **arrays):
    """Put arrays in the file under the case's name."""
    stored.update({f"{case}/{name}": x.detach().numpy() for name, x in arrays.items()})


def store_results(case, function, *inputs, **options):
    """Call in float32 and in float64; `function` is a module, or takes its numbers from the inputs
    alone. Store (output, ...)."""
    for dtype in (torch.float32, torch.float64):

        def cast(x, dtype=dtype):
            return x.to(dtype) if torch.is_tensor(x) and x.is_floating_point() else x

        if isinstance(function, nn.Module):
            function.to(dtype)
        results = function(*map(cast, inputs), **{name: cast(x) for name, x in options.items()})
        results = results if isinstance(results, tuple) else (results,)
        kind = str(dtype).removeprefix("torch.")
        store(
            case,
            **{
                f"{name} {kind}": x for name, x in zip(("output", "weights"), results, strict=False)
            },
        )


def with_other_parameters(module, case):
    """The module, its parameters drawn anew and stored: PyTorch starts with biases of 0 and gains
    of 1, which would hide mistakes."""
    for p in module.parameters():
        nn.init.normal_(p, std=0.5)
    store(case, **{name: p.clone() for name, p in module.named_parameters()})
    return module.eval()


def random_table(*shape):
    """True where one may attend, at least to the first key."""
    table = torch.rand(*shape) < 0.6
    table[..., 0] = True
    return table


def attention():
    """The function alone, on a batch of heads. Here True = may attend."""
    Q, K, V = (
        torch.randn(BATCH, HEADS, rows, width) for rows, width in [(T, 4), (T_KV, 4), (T_KV, 3)]
    )
    store("attention", Q=Q, K=K, V=V)
    calls = {
        "plain": {},
        "scale": {"scale": 0.3},
        "bool mask": {"attn_mask": random_table(T, T_KV)},
        "bool mask of each head": {"attn_mask": random_table(BATCH, HEADS, T, T_KV)},
        "nothing to attend to": {"attn_mask": torch.arange(T)[:, None] != torch.full((T_KV,), 2)},
        "float mask": {"attn_mask": torch.randn(BATCH, 1, T, T_KV)},
        "float mask and scale": {"attn_mask": torch.randn(T, T_KV), "scale": 2.0},
    }
    for call, options in calls.items():
        store(
            f"attention/{call}",
            **{
                name: torch.as_tensor(x, dtype=None if torch.is_tensor(x) else torch.float64)
                for name, x in options.items()
            },
        )
        store_results(f"attention/{call}", scaled_dot_product_attention, Q, K, V, **options)
    store_results(
        "attention/causal",
        scaled_dot_product_attention,
        Q,
        K[..., :T, :],
        V[..., :T, :],
        is_causal=True,
    )


def many_heads():
    """nn.MultiheadAttention. Its masks say it the other way round: True = may not attend."""
    X, keys, values = (
        torch.randn(BATCH, T, D),
        torch.randn(BATCH, T_KV, 6),
        torch.randn(BATCH, T_KV, 4),
    )
    padding = torch.arange(T) >= torch.tensor([T, 3])[:, None]
    calls = {
        "self": ({}, (X, X, X), {}),
        "without biases": ({"bias": False}, (X, X, X), {}),
        "padding": ({}, (X, X, X), {"key_padding_mask": padding}),
        "causal": ({}, (X, X, X), {"attn_mask": FUTURE}),
        "causal and padding": ({}, (X, X, X), {"attn_mask": FUTURE, "key_padding_mask": padding}),
        "cross": ({"kdim": 6, "vdim": 6}, (X, keys, keys), {}),
        "cross with values of their own": ({"kdim": 6, "vdim": 4}, (X, keys, values), {}),
    }
    for call, (options, inputs, masks) in calls.items():
        case = f"heads/{call}"
        module = with_other_parameters(
            nn.MultiheadAttention(D, HEADS, batch_first=True, **options), case
        )
        store(case, **dict(zip(("query", "key", "value"), inputs, strict=True)), **masks)
        store_results(case, module, *inputs, average_attn_weights=False, **masks)


def norms_and_activations():
    x = 3 * torch.randn(BATCH, T, D) + 1
    store("parts", x=x)
    for eps in (1e-5, 0.1):
        for kind in (nn.LayerNorm, nn.RMSNorm):
            case = f"parts/{kind.__name__} {eps}"
            store_results(case, with_other_parameters(kind(D, eps=eps), case), x)
    batch_norm = with_other_parameters(nn.BatchNorm1d(D), "parts/BatchNorm1d 1e-05").train()
    store_results("parts/BatchNorm1d 1e-05", batch_norm, x.flatten(0, 1))
    for approximate in ("none", "tanh"):
        store_results(f"parts/GELU {approximate}", nn.GELU(approximate), x)


def blocks():
    """nn.TransformerEncoderLayer without dropout, once as it is and once with the future hidden."""
    X = torch.randn(BATCH, T, D)
    store("block", X=X)
    for norm, activation in [("pre", "relu"), ("pre", "gelu"), ("post", "relu"), ("post", "gelu")]:
        layer = nn.TransformerEncoderLayer(
            D,
            HEADS,
            12,
            dropout=0.0,
            activation=activation,
            batch_first=True,
            norm_first=norm == "pre",
        )
        layer = with_other_parameters(layer, f"block/{norm} {activation}")
        store_results(f"block/{norm} {activation}/open", layer, X)
        store_results(f"block/{norm} {activation}/causal", layer, X, src_mask=FUTURE)


if __name__ == "__main__":
    torch.manual_seed(2017)
    torch.set_num_threads(1)
    for part in (attention, many_heads, norms_and_activations, blocks):
        part()
    stored["torch"] = np.array(torch.__version__)
    TARGET.parent.mkdir(exist_ok=True)
    np.savez_compressed(TARGET, **stored)
    print(
        f"{TARGET.name}: {len(stored)} arrays, {TARGET.stat().st_size} bytes, PyTorch"
        f" {torch.__version__}"
    )

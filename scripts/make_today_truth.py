"""Store what other programs compute for the parts of today's models, for tests/test_truth_today.py,
which needs none of them.

    pip install torch==2.13.0 transformers==5.23.0 gguf==0.19.0 numpy && python
    scripts/make_today_truth.py

Shared heads: PyTorch's attention with enable_gqa. The window: transformers' mask of Mistral. The
gated network: its LlamaMLP.
The nucleus: its TopPLogitsWarper, after its TemperatureLogitsWarper. Four bits: gguf's own quantise
and dequantise of Q4_1.
Names in the file are CASE/ARRAY. Results that are floats are stored from a call in float32 and from
one in float64 on the same numbers.
"""

from pathlib import Path

import gguf
import numpy as np
import torch
import transformers
from torch.nn.functional import scaled_dot_product_attention
from transformers import LlamaConfig, TemperatureLogitsWarper, TopPLogitsWarper
from transformers.masking_utils import sliding_window_causal_mask_function
from transformers.models.llama.modeling_llama import LlamaMLP

TARGET = Path(__file__).parents[1] / "tests" / "truth" / "today.npz"
DTYPES = {"float32": torch.float32, "float64": torch.float64}

stored = {}


def store(case, **arrays):
    """Put arrays in the file under the case's name."""
    stored.update(
        {
            f"{case}/{name}": np.asarray(x.detach() if torch.is_tensor(x) else x)
            for name, x in arrays.items()
        }
    )


def shared_heads():
    """8 heads of queries; 8, 4, 2 and 1 of keys and values; open, causal, and with a mask of each
    head."""
    T, T_kv = 5, 7
    Q = torch.randn(2, 8, T, 4)
    masks = {
        "open": None,
        "last": torch.ones(T, T_kv, dtype=torch.bool).tril(T_kv - T),
        "of each head": torch.rand(2, 8, T, T_kv) < 0.7,
    }
    masks["of each head"][..., 0] = True
    store("heads", Q=Q)
    for n_shared in (8, 4, 2, 1):
        K, V = torch.randn(2, n_shared, T_kv, 4), torch.randn(2, n_shared, T_kv, 3)
        for name, mask in masks.items():
            case = f"heads/{n_shared} {name}"
            store(case, K=K, V=V, **({} if mask is None else {"mask": mask}))
            for dtype, kind in DTYPES.items():
                output = scaled_dot_product_attention(
                    *(x.to(kind) for x in (Q, K, V)), attn_mask=mask, enable_gqa=True
                )
                store(case, **{f"output {dtype}": output})


def windows():
    """Who may attend to whom in 9 tokens."""
    for window in (1, 2, 4, 9, 20):
        allowed = sliding_window_causal_mask_function(window)
        store(
            f"window/{window}",
            mask=np.array(
                [
                    [bool(allowed(0, 0, torch.tensor(i), torch.tensor(j))) for j in range(9)]
                    for i in range(9)
                ]
            ),
        )


def gated():
    """LlamaMLP with silu, and silu alone far from 0."""
    mlp = LlamaMLP(
        LlamaConfig(hidden_size=6, intermediate_size=10, num_attention_heads=2, hidden_act="silu")
    )
    X, far = 3 * torch.randn(2, 5, 6), torch.linspace(-200, 200, 81)
    store(
        "gated",
        X=X,
        far=far,
        **{name.split("_")[0]: p.clone() for name, p in mlp.named_parameters()},
    )
    for dtype, kind in DTYPES.items():
        store(
            "gated",
            **{
                f"output {dtype}": mlp.to(kind)(X.to(kind)),
                f"silu {dtype}": mlp.act_fn(far.to(kind)),
            },
        )


def nucleus():
    """12 rows of log-probabilities, from flat to steep; the probabilities after temperature and
    top-p."""
    scores = (
        torch.randn(12, 30, dtype=torch.float64)
        * torch.linspace(0.1, 6, 12, dtype=torch.float64)[:, None]
    )
    scores = scores.log_softmax(-1)
    store("nucleus", log_probs=scores)
    for temperature in (0.5, 1.0, 2.0):
        for top_p in (0.1, 0.5, 0.9, 0.99):
            kept = TopPLogitsWarper(top_p)(None, TemperatureLogitsWarper(temperature)(None, scores))
            store(f"nucleus/{temperature} {top_p}", probabilities=kept.softmax(-1))


def four_bits():
    """64 rows of 96 numbers, of many sizes, as the bytes of a file and back."""
    x = (
        np.random.default_rng(2017).normal(size=(64, 96)).astype(np.float32)
        * np.geomspace(1e-3, 1e3, 64, dtype=np.float32)[:, None]
    )
    raw = gguf.quants.quantize(x, gguf.GGMLQuantizationType.Q4_1)
    store("bits", x=x, raw=raw, numbers=gguf.quants.dequantize(raw, gguf.GGMLQuantizationType.Q4_1))


if __name__ == "__main__":
    torch.manual_seed(2017)
    torch.set_num_threads(1)
    for part in (shared_heads, windows, gated, nucleus, four_bits):
        part()
    stored["versions"] = np.array(
        [f"torch {torch.__version__}", f"transformers {transformers.__version__}", "gguf 0.19.0"]
    )
    np.savez_compressed(TARGET, **stored)
    print(f"{TARGET.name}: {len(stored)} arrays, {TARGET.stat().st_size} bytes")

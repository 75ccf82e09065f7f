"""Our functions against what PyTorch computed: `scripts/make_pytorch_truth.py` called it and stored
its results.

The adapters below turn PyTorch's parameters into ours: its matrices are (out, in), ours (in, out);
the masks of its modules say True = may not attend, ours True = may attend.
"""

from pathlib import Path

import numpy as np
import pytest

from course_utils.attention import (
    blockwise_attention,
    causal_mask,
    multi_head_attention,
    scaled_dot_product_attention,
)
from course_utils.layers import batch_norm, gelu, layer_norm, relu, rms_norm, transformer_block

with np.load(Path(__file__).parent / "truth" / "pytorch.npz", allow_pickle=False) as file:
    STORED = {name: file[name] for name in file.files}

# rtol and atol: some roundings of numbers around 1 to 10 (one is 6e-8, 1e-16), as both sides sum in
# their own order.
TOLERANCES = {"float32": 5e-6, "float64": 1e-14}
HEADS = 2


def cases(start):
    """The names of all stored calls that begin so, in the order of the file."""
    return list(
        dict.fromkeys(
            name.rpartition("/")[0]
            for name in STORED
            if name.startswith(start) and name.endswith("output float32")
        )
    )


def arrays(case, dtype):
    """All arrays stored under a case's name by their own names: numbers in the dtype wanted,
    results of this dtype only."""
    found = {
        name.removeprefix(f"{case}/"): x
        for name, x in STORED.items()
        if name.rpartition("/")[0] == case
    }
    inputs = {
        name: x.astype(dtype) if x.dtype == np.float32 else x
        for name, x in found.items()
        if " float" not in name
    }
    return inputs, {
        name.removesuffix(f" {dtype}"): x for name, x in found.items() if name.endswith(f" {dtype}")
    }


def agree(ours, theirs):
    tolerance = TOLERANCES[theirs.dtype.name]
    assert ours.dtype == theirs.dtype
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


in_both_dtypes = pytest.mark.parametrize("dtype", TOLERANCES)


@in_both_dtypes
@pytest.mark.parametrize("case", cases("attention/"))
def test_attention_is_pytorch_attention(case, dtype):
    (inputs, _), (options, expected) = arrays("attention", dtype), arrays(case, dtype)
    Q, K, V = (inputs[name] for name in "QKV")
    mask, scale = options.get("attn_mask"), float(options["scale"]) if "scale" in options else None
    if case == "attention/causal":
        T = Q.shape[-2]
        K, V, mask = K[..., :T, :], V[..., :T, :], causal_mask(T)
    output, weights = scaled_dot_product_attention(Q, K, V, mask, scale)
    agree(output, expected["output"])
    agree(weights @ V, expected["output"])
    agree(blockwise_attention(Q, K, V, mask, scale, block_size=2), expected["output"])


def heads_parameters(p, prefix=""):
    """Parameters of nn.MultiheadAttention under our names: three matrices in one, unless keys or
    values have a width of their own."""
    p = {name.removeprefix(prefix): x for name, x in p.items() if name.startswith(prefix)}
    stacked = (
        np.split(p["in_proj_weight"], 3)
        if "in_proj_weight" in p
        else [p[f"{x}_proj_weight"] for x in "qkv"]
    )
    ours = {f"W_{x}": W.T for x, W in zip("QKV", stacked, strict=True)} | {
        "W_O": p["out_proj.weight"].T
    }
    if "in_proj_bias" in p:
        ours |= {
            f"b_{x}": b for x, b in zip("QKV", np.split(p["in_proj_bias"], 3), strict=True)
        } | {"b_O": p["out_proj.bias"]}
    return ours


@in_both_dtypes
@pytest.mark.parametrize("case", cases("heads/"))
def test_multi_head_attention_is_pytorch_multihead_attention(case, dtype):
    p, expected = arrays(case, dtype)
    ours = heads_parameters(p)
    X, context = p["query"], p["key"]
    if not np.array_equal(
        p["key"], p["value"]
    ):  # ours has one context: both side by side, with rows of zeros for the other's features
        context = np.concatenate([p["key"], p["value"]], axis=-1)
        ours["W_K"] = np.pad(ours["W_K"], [(0, p["value"].shape[-1]), (0, 0)])
        ours["W_V"] = np.pad(ours["W_V"], [(p["key"].shape[-1], 0), (0, 0)])
    if np.array_equal(X, context):
        context = None
    hidden = [p["attn_mask"]] if "attn_mask" in p else []
    hidden += (
        [p["key_padding_mask"][:, None]] if "key_padding_mask" in p else []
    )  # (batch, 1, T): for every query the same
    mask = ~np.logical_or.reduce(np.broadcast_arrays(*hidden)) if hidden else None
    output, weights = multi_head_attention(X, n_heads=HEADS, mask=mask, context=context, **ours)
    agree(output, expected["output"])
    agree(weights, expected["weights"])


NORMS = {
    "LayerNorm": layer_norm,
    "BatchNorm1d": batch_norm,
    "RMSNorm": lambda x, gamma, beta, eps: rms_norm(x, gamma, eps),
}


@in_both_dtypes
@pytest.mark.parametrize("case", [case for case in cases("parts/") if "Norm" in case])
def test_norms_are_pytorch_norms(case, dtype):
    (inputs, _), (p, expected) = arrays("parts", dtype), arrays(case, dtype)
    kind, eps = case.removeprefix("parts/").split()
    agree(
        NORMS[kind](inputs["x"], p["weight"], p.get("bias"), float(eps)).reshape(
            expected["output"].shape
        ),
        expected["output"],
    )


@in_both_dtypes
@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu_is_pytorch_gelu(approximate, dtype):
    agree(
        gelu(arrays("parts", dtype)[0]["x"], approximate),
        arrays(f"parts/GELU {approximate}", dtype)[1]["output"],
    )


@in_both_dtypes
@pytest.mark.parametrize("future", ["open", "causal"])
@pytest.mark.parametrize("activation", [relu, gelu], ids=lambda f: f.__name__)
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_transformer_block_is_pytorch_encoder_layer(norm, activation, future, dtype):
    case = f"block/{norm} {activation.__name__}"
    X, (p, _), (_, expected) = (
        arrays("block", dtype)[0]["X"],
        arrays(case, dtype),
        arrays(f"{case}/{future}", dtype),
    )
    params = heads_parameters(p, "self_attn.")
    for n in "12":
        params |= {f"W_{n}": p[f"linear{n}.weight"].T, f"b_{n}": p[f"linear{n}.bias"]}
        params |= {f"gamma_{n}": p[f"norm{n}.weight"], f"beta_{n}": p[f"norm{n}.bias"]}
    mask = causal_mask(X.shape[-2]) if future == "causal" else None
    agree(transformer_block(X, params, HEADS, mask, norm, activation), expected["output"])


def test_all_that_is_stored_is_compared():
    names = {name.split("/")[0] for name in STORED}
    assert names == {"attention", "heads", "parts", "block", "torch"}
    assert {start: len(cases(f"{start}/")) for start in sorted(names - {"torch"})} == {
        "attention": 8,
        "block": 8,
        "heads": 7,
        "parts": 7,
    }

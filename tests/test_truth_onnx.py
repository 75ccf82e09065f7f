"""Our functions against the operator tests of ONNX, which ship inside its wheel: nobody here wrote
their numbers.

The adapters below only lay out what an operator takes (heads, cached keys, masks) for functions
that take less. All arithmetic is ours. The cases are built on import; ONNX itself seeds NumPy's
generator before each, so they are always the same.
"""

from collections import Counter

import numpy as np
import pytest
from onnx.backend.test.case.node import _NodeTestCases as all_cases
from onnx.backend.test.case.node import (
    attention,  # noqa: F401
    gelu,  # noqa: F401
    layernormalization,  # noqa: F401
    rmsnormalization,  # noqa: F401
    rotaryembedding,  # noqa: F401
    softmax,  # noqa: F401
)
from onnx.helper import get_attribute_value, tensor_dtype_to_np_dtype

from course_utils import layers, positions
from course_utils.attention import (
    attention_scores,
    causal_mask,
    grouped_query_attention,
    merge_heads,
    padding_mask,
    scaled_dot_product_attention,
    sliding_window_mask,
    split_heads,
)
from course_utils.attention import softmax as our_softmax

# rtol and atol of each dtype: a few roundings of numbers around 1, as both sides sum in their own
# order.
TOLERANCES = {
    "float32": 2e-6,  # a rounding is 6e-8
    "float16": 2e-3,  # a rounding is 5e-4; ours runs in float16, too
    "bfloat16": (
        1.6e-2
        # a rounding is 4e-3; NumPy has no bfloat16: ours runs in float32, theirs rounds at every step  # noqa: E501
    ),
}

# At least so many cases of each operator: fewer found means that something is looked for in the
# wrong place.
AT_LEAST = {
    "Attention": 93,
    "LayerNormalization": 19,
    "RMSNormalization": 19,
    "RotaryEmbedding": 8,
    "Softmax": 7,
    "Gelu": 4,
}

# Cases that our functions cannot do, by name, each with the reason.
UNSUPPORTED = {}


def operator(case):
    """The one operator that a case is about; None for the second edition of a case, the same arrays
    with the operator spelled out in parts."""
    nodes = case.model.graph.node
    return nodes[0].op_type if len(nodes) == 1 and nodes[0].op_type in AT_LEAST else None


CASES = {case.name: case for case in all_cases if operator(case)}
SUPPORTED = [name for name in CASES if name not in UNSUPPORTED]


def parts(case):
    """Inputs by name, attributes by name and expected outputs by name."""
    (node,), ((inputs, outputs),) = case.model.graph.node, case.data_sets
    attributes = {a.name: get_attribute_value(a) for a in node.attribute}
    return (
        dict(zip(filter(None, node.input), inputs, strict=True)),
        attributes,
        dict(zip(filter(None, node.output), outputs, strict=True)),
    )


def widened(x):
    """bfloat16, which NumPy does not have, as float32; anything else as it is."""
    return x.astype(np.float32) if x.dtype.name == "bfloat16" else x


# Attention


def may_attend(T_q, T_kv, past, lengths, is_causal, left, right):
    """Who may attend to whom: (T_q, T_kv), or (batch, 1, T_q, T_kv) where each sentence has its own
    number of real keys.

    The first query stands at position `past`; with `lengths` the queries are the last of each
    sentence's real tokens.
    """

    def up_to(offset):
        return (
            causal_mask(T_q, T_kv)
            if offset == T_kv - T_q
            else np.tri(T_q, T_kv, k=offset, dtype=bool)
        )

    def table(offset):
        allowed = up_to(offset) if is_causal else np.ones((T_q, T_kv), dtype=bool)
        if left >= 0 and offset == T_kv - T_q:
            allowed = allowed & (sliding_window_mask(T_q, left + 1, T_kv) | ~up_to(offset))
        elif left >= 0:
            allowed = allowed & ~up_to(offset - left - 1)
        return allowed & up_to(offset + right) if right >= 0 else allowed

    if lengths is None:
        return table(past)
    return (
        np.stack([table(length - T_q) for length in lengths])[:, None]
        & padding_mask(lengths, T_kv)[:, None]
    )


def with_given_mask(allowed, mask):
    """One mask for both. A given mask may be too narrow: the keys beyond it are hidden."""
    if mask is None:
        return allowed
    width = [(0, 0)] * (mask.ndim - 1) + [(0, allowed.shape[-1] - mask.shape[-1])]
    if mask.dtype == bool:
        return np.pad(mask, width) & allowed
    return np.where(allowed, np.pad(mask, width, constant_values=-np.inf), -np.inf)


def scores_before_softmax(Q, K, mask, scale, softcap):
    """The scores as our softmax gets them, read off its weights: a further key of zeros scores 0,
    so score = log(weight / its weight)."""
    K = np.pad(K, [(0, 0), (0, 0), (0, 1), (0, 0)])
    if mask is not None:
        mask = np.pad(
            mask, [(0, 0)] * (mask.ndim - 1) + [(0, 1)], constant_values=mask.dtype == bool
        )
    _, weights = scaled_dot_product_attention(Q, K, np.zeros_like(K), mask, scale, softcap)
    with np.errstate(divide="ignore"):
        return np.log(weights[..., :-1] / weights[..., -1:])


def attend(inputs, attributes):
    Q, K, V, *past = (inputs.get(name) for name in ("Q", "K", "V", "past_key", "past_value"))
    three_axes = Q.ndim == 3
    if three_axes:
        H, H_kv = attributes["q_num_heads"], attributes["kv_num_heads"]
        Q, K, V = split_heads(Q, H), split_heads(K, H_kv), split_heads(V, H_kv)
    if past[0] is not None:
        K, V = np.concatenate([past[0], K], axis=2), np.concatenate([past[1], V], axis=2)
    outputs = {"present_key": K, "present_value": V}
    if "softmax_precision" in attributes:
        Q, K, V = (
            Z.astype(tensor_dtype_to_np_dtype(attributes["softmax_precision"])) for Z in (Q, K, V)
        )
    allowed = may_attend(
        Q.shape[2],
        K.shape[2],
        0 if past[0] is None else past[0].shape[2],
        inputs.get("nonpad_kv_seqlen"),
        attributes.get("is_causal"),
        attributes.get("left_window_size", -1),
        attributes.get("right_window_size", -1),
    )
    mask = with_given_mask(allowed, inputs.get("attn_mask"))
    scale, softcap = attributes.get("scale"), attributes.get("softcap") or None  # 0: no cap
    Y, weights = grouped_query_attention(
        Q, K, V, mask, scale, softcap
    )  # several heads of queries may share one of keys
    K, V = (np.repeat(Z, Q.shape[1] // Z.shape[1], axis=1) for Z in (K, V))
    scores = {
        0: lambda: attention_scores(Q, K, scale),
        1: lambda: scores_before_softmax(Q, K, None, scale, softcap),
        2: lambda: scores_before_softmax(Q, K, mask, scale, softcap),
        3: lambda: weights,
    }
    return {
        **outputs,
        "Y": merge_heads(Y) if three_axes else Y,
        "qk_matmul_output": scores[attributes.get("qk_matmul_output_mode", 0)](),
    }


# The others


def flat_features(inputs, attributes):
    """Ours normalises the last axis, ONNX all axes from `axis` on: they become one. Returns x and
    what else the norms share."""
    x, axis = inputs["X"], attributes.get("axis", -1)
    rows = x.reshape(*x.shape[: axis % x.ndim], -1)
    return rows, {"gamma": inputs["W"].ravel(), "eps": attributes.get("epsilon", 1e-5)}


def normalise_layer(inputs, attributes):
    rows, parameters = flat_features(inputs, attributes)
    return {
        "Y": (
            layers.layer_norm(rows, beta=inputs["B"].ravel(), **parameters).reshape(
                inputs["X"].shape
            )
        )
    }


def normalise_rms(inputs, attributes):
    rows, parameters = flat_features(inputs, attributes)
    return {"Y": layers.rms_norm(rows, **parameters).reshape(inputs["X"].shape)}


def rotate(inputs, attributes):
    """How many features turn (`rotary_embedding_dim`) ours sees from the width of the cosines."""
    X, cos, sin = inputs["input"], inputs["cos_cache"], inputs["sin_cache"]
    if "position_ids" in inputs:
        cos, sin = cos[inputs["position_ids"]], sin[inputs["position_ids"]]
    heads = split_heads(X, attributes["num_heads"]) if X.ndim == 3 else X
    turned = positions.rotary_embedding(
        heads, cos[:, None], sin[:, None], bool(attributes.get("interleaved"))
    )
    return {"output": merge_heads(turned) if X.ndim == 3 else turned}


ADAPTERS = {
    "Attention": attend,
    "LayerNormalization": normalise_layer,
    "RMSNormalization": normalise_rms,
    "RotaryEmbedding": rotate,
    "Softmax": lambda inputs, attributes: {
        "y": our_softmax(inputs["x"], attributes.get("axis", -1))
    },
    "Gelu": lambda inputs, attributes: {
        "y": layers.gelu(inputs["x"], attributes.get("approximate", b"none").decode())
    },
}


def agree(ours, theirs, message=""):
    tolerance = TOLERANCES[theirs.dtype.name]
    np.testing.assert_allclose(
        ours, widened(theirs), rtol=tolerance, atol=tolerance, err_msg=message
    )


@pytest.mark.parametrize("name", SUPPORTED)
def test_ours_gives_what_onnx_expects(name):
    inputs, attributes, expected = parts(CASES[name])
    outputs = ADAPTERS[operator(CASES[name])](
        {key: widened(x) for key, x in inputs.items()}, attributes
    )
    for key in expected.keys() - {
        "Mean",
        "InvStdDev",
    }:  # these two of layer normalisation have the next test
        agree(outputs[key], expected[key], key)


@pytest.mark.parametrize(
    "name", [name for name in SUPPORTED if operator(CASES[name]) == "LayerNormalization"]
)
def test_layer_norm_subtracts_onnx_mean_and_divides_by_its_deviation(name):
    inputs, attributes, expected = parts(CASES[name])
    rows, parameters = flat_features(inputs, attributes)
    ours = layers.layer_norm(rows, eps=parameters["eps"]).reshape(inputs["X"].shape)
    agree(ours, (inputs["X"] - expected["Mean"]) * expected["InvStdDev"])


def test_every_case_is_run_or_refused_with_a_reason():
    assert sorted([*SUPPORTED, *UNSUPPORTED]) == sorted(CASES)
    assert all(UNSUPPORTED.values())
    found = Counter(map(operator, CASES.values()))
    assert {name: found[name] for name, count in AT_LEAST.items() if found[name] < count} == {}

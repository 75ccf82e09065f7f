"""Store what PyTorch computes for small language models, for tests/test_truth_language_model.py,
which needs no PyTorch itself.

    pip install torch==2.13.0 numpy && python scripts/make_language_model_truth.py

The same parameters in PyTorch, gradients by its autograd, steps by its Adam. A block is
nn.TransformerEncoderLayer where that can do what is asked for; rotary positions and experts are put
together from PyTorch's functions. In the file: the parameters under our names (float32), the
tokens, and for each case in float64 the loss, all gradients one after the other in the order of the
parameters, and of two cases the parameters after the steps. Run it anew only to add cases: other
processors round other last digits.
"""

import functools
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional

TARGET = Path(__file__).parents[1] / "tests" / "truth" / "language_model.npz"
N_VOCAB, T, D, H, L, D_FF, E = 5, 5, 8, 2, 2, 4, 2
TOKENS = torch.tensor(
    [[0, 3, 1, 4, 2, 0], [0, 4, 2, 0, -1, -1], [0, 2, 2, 1, 0, -1]]
)  # -1 after the end of a text
CASES = [
    "learned relu 1",
    "sinusoidal gelu 1",
    "rotary relu 1",
    "rotary gelu 2",
]  # positions, activation, experts
STEPS, LEARNING_RATE = 5, 0.01
ACTIVATIONS = {
    "relu": functional.relu,
    "gelu": functools.partial(functional.gelu, approximate="tanh"),
}


def shapes():
    """Every parameter's shape in our layout: matrices are (in, out), experts lie on top of one
    another."""
    found = {"W_E": (N_VOCAB, D), "R": (T, D)}
    for number in range(1, L + 1):
        one = {
            "gamma_1": (D,),
            "beta_1": (D,),
            "W_Q": (D, D),
            "W_K": (D, D),
            "W_V": (D, D),
            "W_O": (D, D),
            "b_Q": (D,),
            "b_K": (D,),
            "b_V": (D,),
            "b_O": (D,),
            "gamma_2": (D,),
            "beta_2": (D,),
            "W_g": (D, E),
            "W_1": (E, D, D_FF),
            "b_1": (E, D_FF),
            "W_2": (E, D_FF, D),
            "b_2": (E, D),
        }
        found |= {f"{number}.{name}": shape for name, shape in one.items()}
    return found | {"gamma": (D,), "beta": (D,), "W_out": (D, N_VOCAB), "b_out": (N_VOCAB,)}


def leaves(drawn, positions, experts):
    """The parameters that a case has, as float64 leaves; without experts the first one is the
    feed-forward network."""

    def has(name):
        return not (name == "R" and positions != "learned" or name.endswith("W_g") and experts == 1)

    def part(name, x):
        return x[0] if experts == 1 and name[2:] in ("W_1", "b_1", "W_2", "b_2") else x

    return {
        name: part(name, x).double().clone().requires_grad_()
        for name, x in drawn.items()
        if has(name)
    }


def encoder_layer(x, p, activation):
    """A block without rotary positions or experts is PyTorch's own module."""
    layer = nn.TransformerEncoderLayer(
        D,
        H,
        D_FF,
        dropout=0.0,
        activation=ACTIVATIONS[activation],
        batch_first=True,
        norm_first=True,
    )
    theirs = {
        "self_attn.in_proj_weight": torch.cat([p["W_Q"], p["W_K"], p["W_V"]], dim=1).T,
        "self_attn.in_proj_bias": torch.cat([p["b_Q"], p["b_K"], p["b_V"]]),
        "self_attn.out_proj.weight": p["W_O"].T,
        "self_attn.out_proj.bias": p["b_O"],
    }
    for n in "12":
        theirs |= {
            f"linear{n}.weight": p[f"W_{n}"].T,
            f"linear{n}.bias": p[f"b_{n}"],
            f"norm{n}.weight": p[f"gamma_{n}"],
            f"norm{n}.bias": p[f"beta_{n}"],
        }
    return functional_call(
        layer, theirs, x, {"src_mask": ~torch.ones(T, T, dtype=torch.bool).tril()}
    )


def rotary_block(x, p, activation):
    """A block with rotary positions: each pair (i, i + d/2) of a head is a complex number, and is
    turned. One or more experts."""
    d = D // H
    angles = torch.arange(T)[:, None] * 10000.0 ** (-2 * torch.arange(d // 2) / d)
    turn = torch.polar(torch.ones_like(angles), angles)
    h = functional.layer_norm(x, (D,), p["gamma_1"], p["beta_1"])
    Q, K, V = ((h @ p[f"W_{z}"] + p[f"b_{z}"]).unflatten(-1, (H, d)).transpose(1, 2) for z in "QKV")
    Q, K = (torch.complex(*z.chunk(2, dim=-1)) * turn for z in (Q, K))
    Q, K = (torch.cat([z.real, z.imag], dim=-1) for z in (Q, K))
    heads = functional.scaled_dot_product_attention(Q, K, V, is_causal=True)
    x = x + heads.transpose(1, 2).flatten(2) @ p["W_O"] + p["b_O"]
    h = functional.layer_norm(x, (D,), p["gamma_2"], p["beta_2"])
    if "W_g" not in p:
        return x + ACTIVATIONS[activation](h @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]
    gates = torch.softmax(h @ p["W_g"], dim=-1)
    for e in range(E):
        x = x + gates[..., e : e + 1] * (
            ACTIVATIONS[activation](h @ p["W_1"][e] + p["b_1"][e]) @ p["W_2"][e] + p["b_2"][e]
        )
    return x


def loss(params, positions, activation):
    x = functional.embedding(TOKENS[:, :-1].clamp(min=0), params["W_E"])
    if positions == "learned":
        x = x + params["R"]
    elif positions == "sinusoidal":
        angles = torch.arange(T)[:, None] / 10000.0 ** (torch.arange(0, D, 2) / D)
        x = x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    for number in range(1, L + 1):
        p = {name[2:]: w for name, w in params.items() if name.startswith(f"{number}.")}
        x = (rotary_block if positions == "rotary" else encoder_layer)(x, p, activation)
    logits = (
        functional.layer_norm(x, (D,), params["gamma"], params["beta"]) @ params["W_out"]
        + params["b_out"]
    )
    return functional.cross_entropy(logits.flatten(0, 1), TOKENS[:, 1:].flatten(), ignore_index=-1)


def flat(arrays):
    return torch.cat([x.detach().flatten() for x in arrays]).numpy()


if __name__ == "__main__":
    torch.manual_seed(2017)
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    drawn = {
        name: 0.5 * torch.randn(shape, dtype=torch.float32) for name, shape in shapes().items()
    }
    stored = {f"params/{name}": x.numpy() for name, x in drawn.items()} | {
        "tokens": TOKENS.numpy().astype(np.int8)
    }
    for case in CASES:
        positions, activation, experts = case.split()
        params = leaves(drawn, positions, int(experts))
        optimiser = torch.optim.Adam(params.values(), lr=LEARNING_RATE)
        for step in range(STEPS):
            optimiser.zero_grad()
            value = loss(params, positions, activation)
            value.backward()
            if step == 0:
                stored |= {
                    f"{case}/loss": value.detach().numpy(),
                    f"{case}/gradients": flat(w.grad for w in params.values()),
                }
            optimiser.step()
        if case in (CASES[0], CASES[-1]):
            stored[f"{case}/after Adam"] = flat(params.values())
    stored |= {
        "steps": np.array(STEPS),
        "learning_rate": np.array(LEARNING_RATE),
        "torch": np.array(torch.__version__),
    }
    np.savez_compressed(TARGET, **stored)
    print(
        f"{TARGET.name}: {len(stored)} arrays, {TARGET.stat().st_size} bytes, PyTorch"
        f" {torch.__version__}"
    )

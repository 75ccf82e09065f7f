"""The language model against PyTorch: `scripts/make_language_model_truth.py` computed loss,
gradients and steps of Adam, and stored them."""

from pathlib import Path

import numpy as np
import pytest

from course_utils.models.language_model import Config, loss_and_gradients
from course_utils.models.training import Adam

with np.load(Path(__file__).parent / "truth" / "language_model.npz", allow_pickle=False) as file:
    STORED = {name: file[name] for name in file.files}

TOKENS = STORED["tokens"].astype(int)
CASES = [name.removesuffix("/loss") for name in STORED if name.endswith("/loss")]
TOLERANCES = {
    np.float32: 2e-6,
    np.float64: 1e-12,
}  # rtol and atol: float32 is compared with what PyTorch found in float64


def small_model(case, dtype):
    """The parameters of a case as ours, and its Config. Without experts the first one stored is the
    feed-forward network."""
    positions, activation, E = case.split()
    params = {
        name.removeprefix("params/"): x.astype(dtype)
        for name, x in STORED.items()
        if name.startswith("params/")
    }
    config = Config(
        n_vocab=params["W_E"].shape[0],
        T=params["R"].shape[0],
        D=8,
        H=2,
        L=2,
        d_ff=params["1.W_1"].shape[-1],
        E=int(E),
        positions=positions,
        activation=activation,
    )
    if positions != "learned":
        del params["R"]
    if config.E == 1:
        for number in (1, 2):
            del params[f"{number}.W_g"]
            params |= {
                f"{number}.{name}": params[f"{number}.{name}"][0]
                for name in ("W_1", "b_1", "W_2", "b_2")
            }
    return params, config


def by_name(flat, params):
    """One long array cut into the arrays of the parameters."""
    parts = np.split(flat, np.cumsum([w.size for w in params.values()]))
    assert parts.pop().size == 0
    return {
        name: part.reshape(w.shape) for (name, w), part in zip(params.items(), parts, strict=True)
    }


@pytest.mark.parametrize("dtype", TOLERANCES, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("case", CASES)
def test_loss_and_every_gradient_are_those_of_autograd(case, dtype):
    params, config = small_model(case, dtype)
    loss, gradients = loss_and_gradients(params, TOKENS, config)
    np.testing.assert_allclose(loss, STORED[f"{case}/loss"], rtol=TOLERANCES[dtype])
    expected = by_name(STORED[f"{case}/gradients"], params)
    assert set(gradients) == set(expected)
    for name, g in gradients.items():
        assert g.dtype == dtype
        np.testing.assert_allclose(
            g, expected[name], rtol=TOLERANCES[dtype], atol=TOLERANCES[dtype], err_msg=name
        )


@pytest.mark.parametrize("case", [case for case in CASES if f"{case}/after Adam" in STORED])
def test_steps_of_adam_are_those_of_pytorch(case):
    params, config = small_model(case, np.float64)
    adam = Adam(params.values())
    for _ in range(STORED["steps"]):
        gradients = loss_and_gradients(params, TOKENS, config)[1]
        adam.step([gradients[name] for name in params], float(STORED["learning_rate"]))
    for name, expected in by_name(STORED[f"{case}/after Adam"], params).items():
        # A bias of the keys that nothing turns changes no weight: its slope is rounding alone,
        # which Adam divides by little more than eps.
        noise = name.endswith("b_K") and config.positions != "rotary"
        np.testing.assert_allclose(
            params[name], expected, rtol=1e-12, atol=1e-9 if noise else 1e-12, err_msg=name
        )


def test_all_switches_are_compared():
    positions, activations, experts = (
        set(values) for values in zip(*(case.split() for case in CASES), strict=True)
    )
    assert (positions, activations, experts) == (
        {"learned", "sinusoidal", "rotary"},
        {"relu", "gelu"},
        {"1", "2"},
    )
    assert sum(name.endswith("/after Adam") for name in STORED) == 2

"""Laws of GateExplorer's numbers, and of the training by steps."""

import itertools

import numpy as np
import pytest

from course_utils.attention import softmax
from course_utils.models.expert_training import learn
from course_utils.widgets.gate_explorer import LINES, W_G, GateExplorer, X, y

SETTINGS = list(itertools.product(*(control.values for control in GateExplorer.controls)))


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_gate_explorer_keeps_k_experts_whose_gates_share_out_one(setting):
    temperature, k = setting
    numbers = GateExplorer.compute(temperature, k)
    assert ((numbers["gates"] > 0).sum(axis=1) == k).all()
    np.testing.assert_allclose(numbers["gates"].sum(axis=1), 1)
    assert numbers["asked"].sum() == pytest.approx(k)
    assert numbers["load"].sum() == pytest.approx(1)
    np.testing.assert_allclose(numbers["all"], softmax(X @ W_G / temperature))
    kept = np.where(numbers["gates"] > 0, numbers["all"], 0)
    np.testing.assert_allclose(numbers["gates"], kept / kept.sum(axis=1, keepdims=True))
    assert numbers["error"] == pytest.approx(np.mean((np.einsum("ne,ne->n", numbers["gates"], X @ LINES) - y) ** 2))


def test_gate_explorer_with_one_expert_is_right_at_every_temperature():
    for temperature in GateExplorer.controls[0].values:
        numbers = GateExplorer.compute(temperature, 1)
        assert numbers["error"] == pytest.approx(0, abs=1e-20)
        np.testing.assert_allclose(numbers["load"], 0.25)


def test_gate_explorer_blurs_as_it_gets_hot():
    errors = [GateExplorer.compute(temperature, 4)["error"] for temperature in GateExplorer.controls[0].values]
    assert errors == sorted(errors)
    at_16 = [round(GateExplorer.compute(16.0, k)["error"], 2) for k in (1, 2, 3, 4)]
    assert at_16 == [0, 0.48, 0.23, 0.35]                      # what notebook 09 says


def test_gate_explorer_draws_bars_as_high_as_the_loads():
    from matplotlib.figure import Figure
    for setting in SETTINGS[::5]:
        numbers = GateExplorer.compute(*setting)
        axes = GateExplorer.prepare(Figure(figsize=GateExplorer.size))
        GateExplorer.draw(axes, numbers)
        assert [segment[1, 1] for segment in axes[2].collections[-1].get_segments()] == list(numbers["load"])


def test_learning_goes_downhill_and_leaves_the_start_alone(capsys):
    target = np.array([[1.0, -2.0], [0.5, 3.0]])
    start = [np.zeros((2, 2))]
    W, history = learn(lambda W: (((W[0] - target) ** 2).sum(axis=1), [2 * (W[0] - target)]), start, steps=400, report=200)
    np.testing.assert_allclose(W[0], target, atol=1e-3)
    assert (start[0] == 0).all()
    assert history.shape == (401, 2)
    assert (history[-1] < history[0] / 1000).all()
    assert capsys.readouterr().out.splitlines()[0] == "step   0  median loss 7.125"
    assert len(capsys.readouterr().out) == 0

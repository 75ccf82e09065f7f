"""Laws of notebook 09's training by steps."""

import numpy as np

from course_utils.models.expert_training import learn


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

"""What notebook 09 says in words is computed there, its Find is true, its training goes downhill."""

import numpy as np
import pytest
from helpers import cells, names_of, run, script

from course_utils.attention import softmax
from course_utils.data.starts import starts
from course_utils.experts import load_balancing_loss
from course_utils.instruments import GateExplorer
from course_utils.models.expert_training import learn, slopes_agree

NAME = "09_mixture_of_experts"
H2 = script("make_starts.py").load("H2")


@pytest.fixture(scope="module", autouse=True)
def as_arrays_are_printed():
    """The notebook's first cell sets how arrays are printed: only here."""
    with np.printoptions():
        yield


@pytest.fixture(scope="module")
def room():
    """All names of the notebook. What its longest trainings come to is compared where the notebook itself is run: here they are short."""
    return names_of(NAME, (("steps=6000", "steps=60"), ("for amount in (0, 0.05, 0.2)", "for amount in ()")))


# {a sentence of the notebook: what it says, computed from the notebook's own names}
SAID = {
    "Mixtral stores 47 billion parameters, and uses 13 for a token": lambda n: [round(mixtral(experts) / 1e9) for experts in (8, 2)] == [47, 13],
    "At temperature 16 the worst is k = 2, with 0.48": lambda n: round(error_at_16(), 2) == 0.48,
    r"Below the line $\pi$ is 3.14": lambda n: f"{np.pi:.2f}" == "3.14",
    "have a **correlation** $\\rho$: their mean product": lambda n: abs(np.prod(n["mistakes"](2, 0.5), axis=1).mean() - 0.5) < 0.01,
    "keeps $1/M$ of their variance": lambda n: abs(n["mistakes"](16, 0.0).mean(axis=1).var() - 1 / 16) < 0.002,
    "For four people: 0.25": lambda n: round(n["mistakes"](4, 0.0).mean(axis=1).var(), 2) == 0.25,
    "Mistakes that cancel beat uncorrelated ones": lambda n: n["cancel"].mean(axis=1).var() < 0.01,
    r"halfway, at 0, the shares are still $\pi$": lambda n: np.allclose(n["r"].sum(), 1) and np.allclose(halfway(n), n["pi"]),
    "Both are raised, for the blend says too little": lambda n: n["y_hat"] < n["y"] and (n["delta"] * n["G"] < 0).all(),
    "The first moves *away* from 1": lambda n: n["F"][0] > 1 and n["delta"] * n["G"][0] < 0,
    r"makes $G_e(\delta F_e-\sum_m G_m\delta F_m)$": lambda n: np.allclose(
        n["mine"].softmax_slopes(n["G"], n["delta"] * n["F"]), n["delta"] * n["G"] * (n["F"] - n["y_hat"])),
    "Each expert moves towards $y$, by its share": lambda n: (np.sign(n["r"] * (n["F"] - n["y"])) == np.sign(n["F"] - n["y"])).all(),
    "the gate moves towards the posterior": lambda n: np.allclose(by_nudging(n), n["G"] - n["r"], atol=1e-5),
    r"make it $r_e(F_e-y)/\sigma^2$": lambda n: np.allclose(by_nudging_experts(n), n["r"] * (n["F"] - n["y"]), atol=1e-5),
    "a zigzag of four pieces": lambda n: corners(n["zigzag"][:, 0]) == 3,
    "Twenty random starts": lambda n: {len(W) for W in n["new_starts"](2)} == {20},
    "The best single line: .33": lambda n: round(float(np.linalg.lstsq(n["X"], n["zigzag"], rcond=None)[1][0] / n["N"]), 2) == 0.33,
    "Squared error makes experts cooperate *first*. Most starts specialise in the end":
        lambda n: starts("H2")["squared_error, 600"] < 3 < 17 < starts("H2")["squared_error, 6000"],
    "deviation 0.3": lambda n: H2.NOISE == 0.3,
    "is the largest gate above .9": lambda n: H2.OWNED == 0.9,
    "With noise, cooperation lasts": lambda n: starts("H2")["squared_error with noise, 6000"] < 5,
    "specialists share borders, at first": lambda n: starts("H2")["likelihood, 600, owned"] < 0.8 < starts("H2")["likelihood, 6000, owned"],
    "It is 1 where all are alike, $E$ where one gets all": lambda n: (
        load_balancing_loss(np.full((4, 4), 0.2) + 0.2 * np.eye(4)), load_balancing_loss(np.eye(4)[[2, 2]])) == pytest.approx((1, 4)),
    "some died, and left their piece to others, who cannot do two": lambda n: who_died(n),
    "What comes back is a slope $\\delta$ at the *blend*": lambda n: slopes_agree(n["cross_entropy"], n["new_starts"](3), np.random.default_rng(5)),
    "$p=1/(1+e^{-z})$ is softmax over $(z,0)$": lambda n: np.isclose(softmax(np.array([1.7, 0]))[0], 1 / (1 + np.exp(-1.7))),
    "A script gave each expert a probability": lambda n: probabilities_have_right_slopes(),
    "Here blended scores make a team, blended probabilities specialists": lambda n: [
        starts("H2")[f"blended {what}, {steps}"] for what in ("scores", "probabilities") for steps in (600, 6000)] == [20, 20, 0, 0],
    "Eight times the parameters, twice the work": lambda n: np.allclose(n["eight"] / n["stored"](256), 8),
}


def corners(curve):
    steps = np.diff(curve).round(9)
    return (np.diff(np.sign(steps[steps != 0])) != 0).sum()


def halfway(n):
    joint = n["pi"] * n["normal"](0, n["mu"], n["sd"])
    return joint / joint.sum()


def surprise(n, logits, F):
    return -np.log(softmax(logits) @ n["normal"](n["y"], F, 1))


def by_nudging(n):
    return [(surprise(n, nudge, n["F"]) - surprise(n, np.zeros(2), n["F"])) / 1e-6 for nudge in 1e-6 * np.eye(2)]


def by_nudging_experts(n):
    return [(surprise(n, np.zeros(2), n["F"] + nudge) - surprise(n, np.zeros(2), n["F"])) / 1e-6 for nudge in 1e-6 * np.eye(2)]


def who_died(n):
    """Without balancing some of the 80 experts are dead, and where one is the blend misses the zigzag."""
    W, _ = learn(n["balanced"](n["gradients"](n["surprise"], n["top_2"]), 0), n["new_starts"](2), report=0)
    F, G = n["X"] @ W[0], n["top_2"](n["X"] @ W[1])
    dead = (G.mean(axis=1) < 0.01).sum(axis=1)
    missed = (((G * F).sum(axis=-1) - n["zigzag"][:, 0]) ** 2).mean(axis=1)
    return dead.sum() == 11 and (missed[dead > 0] > 0.01).all()


def probabilities_have_right_slopes():
    def gradients(W):
        value, dF, d_logits, _ = H2.blended_probabilities(H2.SEEN @ W[0], softmax(H2.X_4 @ W[1]))
        return value, [H2.SEEN.T @ dF, H2.X_4.T @ d_logits]
    rng = np.random.default_rng(3)
    return slopes_agree(gradients, [rng.normal(size=(3, 3, 4)), rng.normal(size=(3, 2, 4))], rng)


@pytest.fixture(scope="module")
def told(room):
    """The names as a student has them: each section's own, for F, G and r are used by more than one."""
    names = dict(room)
    for cell in cells(NAME, "code"):
        if cell.id in ("09-co-squared-by-hand", "09-co-likelihood-by-hand"):
            run(cell.source, names)
    return names


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_text_says_is_so(told, sentence):
    assert any(sentence in cell.source for cell in cells(NAME, "markdown"))
    assert SAID[sentence](told)


def mixtral(n_experts):
    """The parameters of Mixtral 8x7B with so many of its experts, from its published configuration."""
    attention = 2 * 4096**2 + 2 * 4096 * 1024            # queries and output; keys and values of 8 shared heads
    return 32 * (n_experts * 3 * 4096 * 14336 + attention) + 2 * 32000 * 4096


def error_at_16(k=2):
    return GateExplorer.compute(GateExplorer.start() | {"temperature": 16, "k": k})["error"]


def test_what_the_instrument_asks_to_find_is_so():
    def error(temperature, k):
        return GateExplorer.compute(GateExplorer.start() | {"temperature": temperature, "k": k})["error"]
    assert len({error(temperature, 1) for temperature in (1, 4, 16, 64)}) == 1
    assert all(abs(error(1, k) - error(16, k)) > 0.1 for k in (2, 3, 4))
    at_16 = [error(16, k) for k in (1, 2, 3, 4)]
    assert at_16.index(max(at_16)) == 1
    assert max(at_16) == error_at_16()
    second = np.sort(GateExplorer.compute(GateExplorer.start() | {"temperature": 16, "k": 2})["gates"], axis=1)[:, -2]
    assert 0.3 < second.mean() < 0.5


def test_the_script_and_the_notebook_count_the_same_teams(room):
    """They learn by the same slopes: what the notebook has learnt is what the script counts."""
    W = [w + 0.1 for w in room["new_starts"](3)]
    (ours, slopes), (theirs, other) = H2.naming(H2.blended_scores)(W), room["loss"](W)
    np.testing.assert_allclose(ours, theirs)
    for a, b in zip(slopes, other, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)
    assert (room["blend"] - room["alone"] >= H2.WORSE).sum() == starts("H2")["blended scores, 600"]
    blend, alone = H2.named(H2.blended_probabilities, 600)
    assert (blend - alone >= H2.WORSE).sum() == starts("H2")["blended probabilities, 600"]
    assert blend.min() > 0.9


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

"""A student's own functions train the language model of notebook 11; and where one of them is
wrong, the notebook says which."""

import contextlib
import io

import numpy as np
import pytest
from helpers import cells

from course_utils import exercises
from course_utils.data import grammar
from course_utils.diagnosis import comparing, student_module
from course_utils.diagnosis.student_module import FILE
from course_utils.exercises import EXERCISES, student_functions
from course_utils.models.language_model import (
    Config,
    block,
    loss_and_gradients,
    new_model,
)

CONFIG = Config(len(grammar.WORDS))
NAME = "11_language_model"
TO_COMPARE = [
    "set-up",
    "sentences",
    "parameters",
]  # the cells of the notebook on which `compare` builds
TO_TRAIN = ["train"]

# Right, and written as the course does not write it: by loops, by lists, by einsum.
# masked_attention calls softmax, forward all others.
THEIRS = {
    "softmax": (
        """
def softmax(scores):
    rows = []
    for row in scores.tolist():
        top = max(row)
        powers = [math.exp(s - top) for s in row]
        rows.append([p / sum(powers) for p in powers])
    return np.array(rows)
"""
    ),
    "causal_mask": (
        """
def causal_mask(T):
    return np.array([[key <= query for key in range(T)] for query in range(T)])
"""
    ),
    "masked_attention": (
        """
def masked_attention(Q, K, V, mask):
    S = np.einsum("id,jd->ij", Q, K) * Q.shape[1] ** -0.5
    A = softmax(np.where(mask, S, -1e30)) * mask
    return np.einsum("ij,jd->id", A, V), A
"""
    ),
    "split_heads": (
        """
def split_heads(X, n_heads):
    d = X.shape[1] // n_heads
    return np.array([[row[h * d:(h + 1) * d] for row in X] for h in range(n_heads)])
"""
    ),
    "merge_heads": (
        """
def merge_heads(X):
    merged = []
    for t in range(X.shape[1]):
        merged.append([number for head in X for number in head[t]])
    return np.array(merged)
"""
    ),
    "layer_norm": (
        """
def layer_norm(x, gamma, beta, eps):
    result = np.empty(x.shape)
    for place in np.ndindex(x.shape[:-1]):
        row = x[place].tolist()
        mean = sum(row) / len(row)
        variance = sum((number - mean) ** 2 for number in row) / len(row)
        result[place] = [(number - mean) / math.sqrt(variance + eps) for number in row]
    return result * gamma + beta
"""
    ),
    "feed_forward": (
        """
def feed_forward(X, W_1, b_1, W_2, b_2):
    inside = np.einsum("...d,df->...f", X, W_1) + b_1
    return np.einsum("...f,fd->...d", inside * (inside > 0), W_2) + b_2
"""
    ),
    "forward": (
        """
def project(x, b, letter):
    return np.einsum("td,de->te", x, b["W_" + letter]) + b["b_" + letter]


def forward(tokens, params, blocks, n_heads):
    x = np.array([params["W_E"][token] + params["R"][place] for place, token in enumerate(tokens)])
    for b in blocks:
        normed = layer_norm(x, b["gamma_1"], b["beta_1"], 1e-5)
        Q, K, V = [split_heads(project(normed, b, letter), n_heads) for letter in "QKV"]
        heads = []
        for q, k, v in zip(Q, K, V):
            heads.append(masked_attention(q, k, v, causal_mask(len(tokens)))[0])
        x = x + project(merge_heads(np.array(heads)), b, "O")
        x = x + feed_forward(layer_norm(x, b["gamma_2"], b["beta_2"], 1e-5), b["W_1"], b["b_1"], b["W_2"], b["b_2"])
    return layer_norm(x, params["gamma"], params["beta"], 1e-5) @ params["W_out"] + params["b_out"]
"""  # noqa: E501
    ),
}


def written(folder, functions):
    """The file of somebody who kept these."""
    blocks = "".join(f"\n\n# {name}: mine\n{text.strip()}\n" for name, text in functions.items())
    (folder / FILE).write_text(
        f'"""Mine."""\n\nimport math\n\nimport numpy as np\n{blocks}', encoding="utf-8"
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_FOLDER", str(tmp_path))
    return tmp_path


@pytest.fixture
def mine(folder, monkeypatch):
    """The `mine` of a notebook that is opened anew."""
    written(folder, THEIRS)
    monkeypatch.setattr(exercises, "mine", student_functions())
    return exercises.mine


def sources(name):
    """The source of each code cell of a notebook, by the last part of its id."""
    return {cell.id.split("-co-")[1]: cell.source for cell in cells(name, "code")}


def after(sources, ids):
    """(the names that these cells of a notebook leave, what they print)."""
    names = {}
    with contextlib.redirect_stdout(io.StringIO()) as out, np.printoptions():
        for cell in ids:
            exec(sources[cell], names)
    return names, out.getvalue()


@pytest.fixture(scope="module")
def before():
    """The names of the notebook before `compare`."""
    return after(sources(NAME), TO_COMPARE)[0]


PARAMS = new_model(np.random.default_rng(12), CONFIG, dtype=float)
BLOCKS = [block(PARAMS, number) for number in (1, 2)]
TEXTS = grammar.sentences(np.random.default_rng(0), 8)
SENTENCES = [text[text >= 0] for text in TEXTS[:3]]


def model(parts):
    """The model of notebook 11 on three sentences."""
    return tuple(parts.forward(text, PARAMS, BLOCKS, CONFIG.H) for text in SENTENCES)


# Right, but written differently.


def test_their_functions_pass_and_are_nowhere_the_course_s(mine, capsys):
    found = comparing.compare(mine, model)
    assert [piece.name for piece in found.pieces] == [name for name in EXERCISES if name in THEIRS]
    assert all(piece.calls and piece.whose == "yours" for piece in found.pieces)
    assert found.blamed == []
    assert float(found.end.split("differ by ")[1].split()[0]) < 1e-12
    assert capsys.readouterr().out == f"forward: yours, from {FILE}.\n"


def test_their_functions_train_the_notebook_s_model_as_the_course_s_do(mine):
    """The beginning of the notebook's training by its own cells, steps of 32 sentences; the other
    time with nothing kept."""
    theirs, said = trained(20)
    student_module.path().unlink()
    ours, _ = trained(20)
    assert f"forward: yours, from {FILE}." in said
    np.testing.assert_allclose(
        theirs["losses"], ours["losses"], atol=1e-6
    )  # much later rounding has grown


def trained(steps):
    """What the notebook's cells leave and print after so many steps of its training."""
    own = sources(NAME)
    assert own["train"].count("range(1, 401)") == 1
    return after(
        {**own, "train": own["train"].replace("range(1, 401)", f"range(1, {steps + 1})")},
        [*TO_COMPARE, *TO_TRAIN],
    )


def test_the_scores_that_train_are_those_of_their_forward():
    """A forward that is another function gives another loss and another step: it is theirs that is
    trained."""
    batch = TEXTS[:8]
    loss, gradients = loss_and_gradients(PARAMS, batch, CONFIG)
    other, changed = loss_and_gradients(
        PARAMS,
        batch,
        CONFIG,
        lambda tokens, params, blocks, n_heads: np.zeros((len(tokens), CONFIG.n_vocab)),
    )
    assert np.isclose(other, np.log(CONFIG.n_vocab))
    assert not np.isclose(loss, other)
    assert not np.allclose(gradients["b_out"], changed["b_out"])


@pytest.mark.parametrize(
    ("left", "unused"),
    [(["layer_norm"], []), (["forward"], []), (["masked_attention"], ["softmax"]), ([], [])],
)
def test_where_some_are_not_yet_theirs_the_course_s_stand_in(folder, left, unused, capsys):
    written(folder, {name: text for name, text in THEIRS.items() if name not in left or not left})
    if not left:
        (folder / FILE).unlink()
    mine = student_functions()
    found = comparing.compare(mine, model)
    assert found.blamed == []
    used = [
        name
        for name in EXERCISES
        if left and name in THEIRS and name not in left and name not in unused
    ]
    assert [piece.name for piece in found.pieces if piece.whose == "yours"] == used
    for tokens, wanted in zip(SENTENCES, model(comparing.Parts(EXERCISES, {})), strict=True):
        np.testing.assert_allclose(
            mine.forward(tokens, PARAMS, BLOCKS, CONFIG.H), wanted, atol=1e-12
        )
    assert ("made of your parts" in capsys.readouterr().out) == (left == ["forward"])
    if not left:
        assert (
            repr(found)
            == f"{FILE} holds none of these functions yet: the model runs on the course's."
        )


# One is wrong.


def planted(monkeypatch, name, wrong):
    """The file with one function replaced, in all that read it."""
    read = student_module.functions

    def functions(text):
        found = read(text)
        if name in found:
            room = found[name].__globals__
            room["planted"] = wrong
            exec(f"def {name}(*arguments):\n    return planted(*arguments)", room)
            found[name] = room[name]
        return found

    monkeypatch.setattr(student_module, "functions", functions)


def mistakes(*names):
    """(name, mistake) of the first two mistakes of each of these functions. That the check sees the
    others, too: tests/test_exercises.py."""
    return [(name, mistake) for name in names for mistake in EXERCISES[name].mistakes[:2]]


@pytest.mark.parametrize(
    ("name", "mistake"), mistakes(*THEIRS), ids=lambda x: getattr(x, "name", x)
)
def test_a_registered_mistake_of_every_function_is_blamed_on_that_function(
    mine, before, monkeypatch, name, mistake
):
    """By the notebook's own cell. Without training: what is to blame is said before it, and does
    not depend on what was learnt."""
    planted(monkeypatch, name, mistake.function)
    found = eval(sources(NAME)["compare"], {**before, "compare": exercises.compare})
    assert found.blamed == [name], repr(found)
    assert found.end == f"To blame: {name}. The course's stands in its place until that is mended."


def test_what_is_blamed_is_named_by_mine_and_the_others_stay_theirs(folder, mine, capsys):
    written(
        folder,
        {
            **THEIRS,
            "layer_norm": (
                "def layer_norm(x, gamma, beta, eps):\n"
                "    return (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + eps) * gamma + beta"
            ),
        },
    )
    forward = mine.forward
    assert (
        capsys.readouterr().out
        == f"layer_norm: the course's. Yours in {FILE} does not pass any more (over the first"
        " axis).\n"
        f"forward: yours, from {FILE}.\n"
    )
    np.testing.assert_allclose(
        forward(SENTENCES[0], PARAMS, BLOCKS, CONFIG.H),
        model(comparing.Parts(EXERCISES, {}))[0],
        atol=1e-12,
    )
    assert "layer_norm         yours        TO BLAME: over the first axis. " in repr(
        comparing.compare(mine, model)
    )


def test_what_passes_its_check_and_fails_in_the_model_is_blamed_too(folder, mine):
    sly = (
        "def merge_heads(X):\n    if X.shape[2] == 8:\n        {}\n    return"
        " np.concatenate(list(X), axis=-1)"
    )
    for line, how in (
        ("return X.reshape(-1, 32)", "gives something else than the course's"),
        ("raise KeyError(8)", "stops (KeyError)"),
    ):
        written(folder, {**THEIRS, "merge_heads": sly.format(line)})
        found = comparing.compare(mine, model)
        assert found.blamed == ["merge_heads"]
        assert f"it passes its check, but in call 1 of the model it {how}." in repr(found)
        assert (
            found.end
            == "To blame: merge_heads. The model is not to be trusted until that is mended."
        )


def test_two_that_are_wrong_are_both_blamed(folder, mine):
    written(
        folder,
        {
            **THEIRS,
            "softmax": "def softmax(scores):\n    return scores",
            "forward": THEIRS["forward"].replace('b["gamma_2"]', 'b["gamma_1"]'),
        },
    )
    assert comparing.compare(mine, model).blamed == ["softmax", "forward"]


def test_a_name_that_no_exercise_has_is_an_error(mine):
    with pytest.raises(AttributeError, match="no exercise 'encoder'"):
        comparing.compare(mine, lambda parts: parts.encoder(1))

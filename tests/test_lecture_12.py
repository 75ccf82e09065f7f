"""What notebook 12 says in words: every number is computed there, its Find is true; laws of the shipped states and heads."""

import itertools

import numpy as np
import pytest
from helpers import ROOT, cells, names_of, notebook, prose, shown

from course_utils.attention import multi_head_attention, scaled_dot_product_attention
from course_utils.data import bears
from course_utils.instruments.layer_walk import AT_HOME, NEAREST, LayerWalk
from course_utils.models import encoder
from course_utils.models.encoder import Encoder

NAME = "12_a_real_transformer"
SHIPPED = bears.load()
N = len(bears.EIGHTEEN)


@pytest.fixture
def room():
    return names_of(NAME)


def looked_at(n, head, token):
    """{token: weight}: whom a token of the sentence looks at in one of the two heads."""
    columns = slice(32 * head, 32 * head + 32)
    weights = scaled_dot_product_attention(n["Q"][:, columns], n["K"][:, columns], np.eye(n["T"]))[0]
    return dict(zip(n["tokens"], weights[n["tokens"].index(token)], strict=True))


# {a sentence of the notebook: what it says, computed from the notebook's own names}
SAID = {
    "91 MB, once": lambda n: round(encoder.FILES["model.safetensors"][0] / 1e6) == 91,
    "30,522 pieces of words": lambda n: n["n_vocab"] == 30522,
    "6 encoder blocks: 12 heads": lambda n: (SHIPPED["states"].shape[1] - 1, 384 // 32) == (6, 12),
    "More than half, and still": lambda n: n["pieces"] > n["total"] / 2,
    "First with six pieces": lambda n: len(n["small"]) == 6,
    "each 384/12 = 32 wide": lambda n: (n["D"], n["Q_3"].shape[1], n["W_Q"].shape[1]) == (384, 32, 64),
    'All on "bears"': lambda n: looked_at(n, 0, "won")["bears"] > 0.99,
    "Each token looks at the one before it": lambda n: np.diag(n["looks_3"], k=-1).min() > 0.99,
    'Half of its weight goes to "game" and "won"': lambda n: abs(sum(looked_at(n, 1, "bears")[w] for w in ("game", "won")) - 0.5) < 0.02,
    '(One row: others look most at "chicago".)': lambda n: most_looked_at(n).count("chicago") > len(most_looked_at(n)) / 3,
    "When no piece goes on, the whole word is [UNK]": lambda n: encoder.word_pieces("snowball", {"snow", "snowb", "##ball"}) == ["[UNK]"],
    "six for each meaning": lambda n: [len(six) for six in bears.BEARS.values()] == [6] * 3,
    "after each of the six blocks": lambda n: n["states"].shape == (18, 7, 384),
    "A vector begins with its word and its place, and knows nothing of the sentence": lambda n: len(np.unique(n["states"][:, 0], axis=0)) == 3,
    "thirteen of the eighteen are one": lambda n: thirteen_are_one(n),
    "By chance it would be five or so": lambda n: round(18 * 5 / 17) == 5,
    "One block settles most, two settle all": lambda n: AT_HOME[:, :N].sum(axis=1)[1:3].tolist() == [15, 18],
    "The fuller sentences end right, of ours one does": lambda n: (n["n_fuller"], n["n_short"]) == (3, 1),
    'But "bears" ends beside sport with no neighbours, too': lambda n: (n["alone"], ends_beside(n, "bears won the game")) == ("sport", "sport"),
    '"I love bears" may just be drawn there': lambda n: ends_beside(n, "I love bears") == "sport",
    "It is close: .92 to the nearest sport, .91 to the nearest animal":
        lambda n: (cosines(n, "sport").max().round(2), cosines(n, "animal").max().round(2)) == (0.92, 0.91),
    "by the mean over each six it would be animal": lambda n: cosines(n, "animal").mean() > cosines(n, "sport").mean() + 0.002,
    '"bears pain" has no subject, and ends beside animals': lambda n: ends_beside(n, "bears pain") == "animal",
    "the bars know all 384": lambda n: n["states"].shape[-1] == 384,
    "share hardly a word with our eighteen": lambda n: hardly_a_word_is_shared(n),
    'A grizzly is found by "bears", a loss by "sorrow", a club by "league"':
        lambda n: all(word in bears.EIGHTEEN[i] for i, word in zip(found_by_search(n), ("bears", "sorrow", "league"), strict=True)),
    "24 by 24 pixels make 36 patches of 4 by 4, each 16 numbers": lambda n: (n["image"].shape, n["patches"].shape) == ((24, 24), (36, 4 * 4)),
    "A patch has 16 brightnesses": lambda n: n["patches"].shape[1] == 16,
    "the right half of a patch is lit, with 0.9": lambda n: (n["patches"][18].reshape(4, 4) == [0, 0, 0.9, 0.9]).all(),
    "its mean is 0.45, and so is left-right": lambda n: np.allclose(n["Z"][18, :2], 0.45),
    "At itself and at the patch below, with the same edge": lambda n: sorted(np.argsort(-n["grid"].ravel())[:2]) == [18, 24],
    "Not at the right wall": lambda n: n["grid"][3, 4] < 1e-6,
    "Two blocks on, its nearest neighbour has its meaning in all of our eighteen": lambda n: AT_HOME[2:, :N].all(),
    "in two of three very short sentences it ends beside a stranger": lambda n: AT_HOME[-1, N:N + 3].tolist() == [False, False, True],
}


def ends_beside(n, sentence):
    """The meaning of the nearest of the eighteen after the last block."""
    return n["meaning_after"](6, encoder.walk(sentence))


def cosines(n, meaning):
    """Of "I love bears" with the six of a meaning, after the last block: (6,), kept as float64 so that rounding says what is so."""
    six, own = n["states"][np.array(bears.SENSES) == meaning, 6].astype(float), SHIPPED["short"][0, 6].astype(float)
    return six @ own / np.linalg.norm(six, axis=1) / np.linalg.norm(own)


def most_looked_at(n):
    """Whom each of the other tokens looks at most in head 4."""
    weights = scaled_dot_product_attention(n["Q"][:, 32:], n["K"][:, 32:], np.eye(n["T"]))[0]
    return [n["tokens"][row.argmax()] for row, token in zip(weights, n["tokens"], strict=True) if token != "bears"]


def thirteen_are_one(n):
    """The largest group of equal vectors before block 1, and whether it holds all meanings."""
    same = (n["states"][:, 0] == n["states"][-1, 0]).all(axis=1)
    return same.sum() == 13 and len(set(np.array(bears.SENSES)[same])) == 3


def hardly_a_word_is_shared(n):
    """With the sentence that is found: none but "the"."""
    shared = [set(a.lower().rstrip(".").split()) & set(bears.EIGHTEEN[i].lower().rstrip(".").split())
              for a, i in zip(bears.SEARCHES, found_by_search(n), strict=True)]
    return set().union(*shared) <= {"the"}


def found_by_search(n):
    return (n["shipped"]["searches"] @ n["shipped"]["vectors"].T).argmax(axis=1)


@pytest.mark.parametrize("sentence", SAID)
def test_a_number_in_the_text_is_the_one_that_was_computed(room, sentence):
    assert sentence in prose(NAME)
    assert SAID[sentence](room)


def test_what_the_instrument_asks_to_find_is_so():
    """Three of the eighteen lie beside a stranger after block 1: each begins with The, a word, bears."""
    strangers = [bears.EIGHTEEN[i].split()[:3] for i in np.flatnonzero(~AT_HOME[1, :N])]
    assert [words[1] for words in strangers] == ["polar", "brown", "wall"]
    assert all((first, last) == ("The", "bears") for first, _, last in strangers)
    fold = next(cell.source for cell in cells(NAME, "markdown") if "What you should find" in cell.source)
    assert all(f'"The {word} bears' in fold for word in ("polar", "brown", "wall"))


def test_how_they_begin_is_not_the_whole_reason():
    """The strangers they lie beside begin so, too; and so do others, who lie beside their own."""
    begins = [(s.split()[0], s.lower().split()[2]) == ("The", "bears") for s in bears.EIGHTEEN]
    strangers = np.flatnonzero(~AT_HOME[1, :N])
    assert all(begins[NEAREST[1, i]] for i in strangers)
    assert "The patient bears his illness without complaint." in [bears.EIGHTEEN[i] for i in range(N) if begins[i] and AT_HOME[1, i]]


def test_what_is_found_is_not_told_before():
    before = "\n".join(cell.source + shown(cell) if cell.cell_type == "code" else cell.source
                       for cell in itertools.takewhile(lambda cell: "LayerWalk()" not in cell.source, notebook(NAME).cells))
    assert "The brown bears" not in before
    assert "polar bears at" not in before


def test_the_cell_below_the_instrument_computes_with_what_the_hand_did(room, capsys):
    source = next(cell.source for cell in cells(NAME, "code") if cell.id == "12-co-where-you-stand")
    walk = LayerWalk(layer=0.8, point=11)
    exec(source, room | {"walk": walk})
    said = capsys.readouterr().out
    assert f"after block 1 nearest to: {bears.EIGHTEEN[11]}" in said
    assert said.splitlines()[1].split(maxsplit=1) == ["animal", "The polar bears at the zoo swim behind thick glass."]


def test_the_numbers_of_the_model_are_those_of_its_arrays():
    """The same count on a tiny model: what the notebook adds up is what a BERT's file holds, without the pooler at its end."""
    folder = ROOT / "tests" / "truth" / "tiny_bert"
    model = Encoder.from_bytes((folder / "model.safetensors").read_bytes(), (folder / "vocab.txt").read_bytes(), 4)
    source = next(cell.source for cell in cells(NAME, "code") if cell.id == "12-co-count")
    names = {"np": np}
    sizes = f"{model.table.shape[1]}, {model.blocks[0]['W_1'].shape[1]}, {len(model.table)}, {len(model.positions)}"
    exec(source.replace("384, 1536, 30522, 512", sizes).replace("6 * (", f"{len(model.blocks)} * ("), names)
    held = model.table.size + model.positions.size + sum(a.size for a in model.norm) + sum(a.size for b in model.blocks for a in b.values())
    assert names["total"] == held + 2 * model.table.shape[1]                  # the kinds of text: two rows, of which one was added to the places


def nearest_by_a_loop(own, others):
    """The number of the row of largest cosine, the first of those that are equal in six digits."""
    cosines = [round(float(own @ other / np.linalg.norm(own) / np.linalg.norm(other)), 6) for other in others]
    return cosines.index(max(cosines))


def test_a_third_then_most_then_all_lie_nearest_to_their_own_meaning():
    shares = []
    for layer in range(7):
        table = SHIPPED["states"][:, layer].astype(float)
        nearest = [nearest_by_a_loop(table[i], [*table[:i], -table[i], *table[i + 1:]]) for i in range(N)]
        shares.append(sum(bears.SENSES[a] == bears.SENSES[i] for i, a in enumerate(nearest)))
    assert shares == [6, 15, 18, 18, 18, 18, 18]


@pytest.mark.parametrize(("name", "right"), [("short", [False, False, True]), ("fuller", [True, True, True])])
def test_the_short_sentences_fail_and_the_fuller_ones_do_not(name, right):
    last = SHIPPED["states"][:, 6].astype(float)
    found = [bears.SENSES[nearest_by_a_loop(own[6].astype(float), last)] for own in SHIPPED[name]]
    assert [f == meaning for f, meaning in zip(found, {"short": bears.SHORT, "fuller": bears.FULLER}[name], strict=True)] == right


def test_the_bare_word_ends_where_the_only_right_short_sentence_does():
    last = SHIPPED["states"][:, 6].astype(float)
    assert bears.SENSES[nearest_by_a_loop(SHIPPED["alone"][0, 6].astype(float), last)] == "sport"


@pytest.mark.parametrize("name", ["alone", "short", "fuller"])
def test_what_is_printed_of_the_walks_does_not_hang_on_the_last_digit(name):
    """After blocks 2, 4 and 6 the nearest meaning leads by more than stored numbers are rounded."""
    unit = SHIPPED["states"] / np.linalg.norm(SHIPPED["states"], axis=-1, keepdims=True)
    for own in SHIPPED[name]:
        for layer in (2, 4, 6):
            cosines = unit[:, layer] @ own[layer] / np.linalg.norm(own[layer])
            best = np.sort([cosines[np.array(bears.SENSES) == meaning].max() for meaning in bears.BEARS])
            assert best[-1] - best[-2] > 0.004


def test_before_the_first_block_bears_differs_by_its_place_alone():
    places = [sentence.lower().rstrip(".").split().index("bears") for sentence in bears.EIGHTEEN]
    first = SHIPPED["states"][:, 0]
    for a, b in itertools.combinations(range(N), 2):
        assert np.array_equal(first[a], first[b]) == (places[a] == places[b])


def test_the_first_shipped_head_looks_one_token_back():
    with_one = np.append(SHIPPED["X"], np.ones((len(SHIPPED["X"]), 1)), axis=1)
    weights = multi_head_attention(with_one, *(SHIPPED[f"W_{letter}"] for letter in "QKVO"), 2)[1]
    assert np.diag(weights[0], k=-1).min() > 0.99
    assert np.diag(weights[1], k=-1).max() < 0.3

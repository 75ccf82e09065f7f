"""What notebook 12 says in words is so, and its Find is true; laws of the shipped states, heads and
vectors."""

import itertools
import json
import re

import numpy as np
import pytest
from helpers import ROOT, cells, names_of, notebook, shown

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
    weights = scaled_dot_product_attention(n["Q"][:, columns], n["K"][:, columns], np.eye(n["T"]))[
        0
    ]
    return dict(zip(n["tokens"], weights[n["tokens"].index(token)], strict=True))


def ends_beside(n, sentence):
    """The meaning of the nearest of the eighteen after the last block."""
    return n["meaning_after"](6, encoder.walk(sentence))


def cosines(n, meaning):
    """Of "I love bears" with the six of a meaning, after the last block: (6,), kept as float64 so
    that rounding says what is so."""
    six, own = (
        n["states"][np.array(bears.SENSES) == meaning, 6].astype(float),
        SHIPPED["short"][0, 6].astype(float),
    )
    return six @ own / np.linalg.norm(six, axis=1) / np.linalg.norm(own)


def most_looked_at(n):
    """Whom each of the other tokens looks at most in head 4."""
    weights = scaled_dot_product_attention(n["Q"][:, 32:], n["K"][:, 32:], np.eye(n["T"]))[0]
    return [
        n["tokens"][row.argmax()]
        for row, token in zip(weights, n["tokens"], strict=True)
        if token != "bears"
    ]


def thirteen_are_one(n):
    """The largest group of equal vectors before block 1, and whether it holds all meanings."""
    same = (n["states"][:, 0] == n["states"][-1, 0]).all(axis=1)
    return same.sum() == 13 and len(set(np.array(bears.SENSES)[same])) == 3


def hardly_a_word_is_shared(n):
    """With the sentence that is found: none but "the"."""
    shared = [
        set(a.lower().rstrip(".").split()) & set(bears.EIGHTEEN[i].lower().rstrip(".").split())
        for a, i in zip(bears.SEARCHES, found_by_search(n), strict=True)
    ]
    return set().union(*shared) <= {"the"}


def found_by_search(n):
    return (n["shipped"]["searches"] @ n["shipped"]["vectors"].T).argmax(axis=1)


def test_won_attends_to_the_token_before_it_as_every_token_does(room):
    assert looked_at(room, 0, "won")["bears"] > 0.99
    assert np.diag(room["looks_3"], k=-1).min() > 0.99


def test_half_of_the_weight_of_bears_in_head_4_is_on_the_words_that_tell_and_other_rows_differ(
    room,
):
    assert abs(sum(looked_at(room, 1, "bears")[word] for word in ("game", "won")) - 0.5) < 0.02
    others = most_looked_at(room)
    assert others.count("chicago") == max(map(others.count, others)) > len(others) / 3


def test_thirteen_of_the_eighteen_begin_as_one_vector_though_they_have_all_meanings(room):
    assert thirteen_are_one(room)
    assert len(np.unique(room["states"][:, 0], axis=0)) == 3


def test_animal_and_sport_part_without_the_hardship_sentences_too():
    """Hardship is always a verb; the other two meanings are nouns."""
    nouns = [i for i, sense in enumerate(bears.SENSES) if sense != "hardship"]
    for block in range(1, 7):
        table = SHIPPED["states"][nouns, block]
        table = table / np.linalg.norm(table, axis=1, keepdims=True)
        nearest = (table @ table.T - 2 * np.eye(len(nouns))).argmax(axis=1)
        senses = np.array(bears.SENSES)[nouns]
        assert (senses[nearest] == senses).all()


def test_a_word_of_which_no_piece_goes_on_is_unknown():
    assert encoder.word_pieces("snowball", {"snow", "snowb", "##ball"}) == ["[UNK]"]


def test_the_short_sentences_end_where_the_text_says(room):
    assert (room["n_fuller"], room["n_short"], room["alone"]) == (3, 1, "sport")
    assert [ends_beside(room, sentence) for sentence in bears.SHORT.values()] == [
        "sport",
        "animal",
        "sport",
    ]
    assert cosines(room, "sport").max() > cosines(room, "animal").max()
    assert cosines(room, "animal").mean() > cosines(room, "sport").mean() + 0.002


def test_search_finds_by_meaning_where_hardly_a_word_is_shared(room):
    assert hardly_a_word_is_shared(room)
    assert [
        word in bears.EIGHTEEN[i]
        for i, word in zip(found_by_search(room), ("bears", "sorrow", "league"), strict=True)
    ] == [True] * 3


def test_the_left_wall_attends_to_its_own_edge_and_not_to_the_edge_turned_round(room):
    assert (room["patches"][18].reshape(4, 4) == [0, 0, 0.9, 0.9]).all()
    np.testing.assert_allclose(room["Z"][18, :2], 0.45)
    assert sorted(np.argsort(-room["grid"].ravel())[:2]) == [18, 24]
    assert room["grid"][3, 4] < 1e-6


# A sentence, its negation, and the same in other words


def test_the_negations_differ_from_their_sentences_by_not_and_the_other_words_are_others():
    for said, negated, otherwise in bears.TWELVE:
        added = set(negated.lower().split()) - set(said.lower().split())
        assert "not" in added
        assert len(added) <= 3  # not, does, speak
        content = {word.strip(".") for word in said.lower().split()} - {"the", "is", "at"}
        assert not content & {word.strip(".,") for word in otherwise.lower().split()}


def test_every_sentence_finds_its_partner_among_twelve_and_lies_nearer_to_its_negation(room):
    assert (room["scores"].argmax(axis=1) == np.arange(12)).all()
    assert not (room["to_partner"] > room["to_negation"]).any()
    assert (
        room["to_negation"] - room["to_partner"]
    ).min() > 0.01  # more than stored numbers are rounded


def test_the_cosines_that_the_prediction_tells_are_those_of_the_notebook(room):
    why = json.loads(
        (ROOT / "course_utils" / "cards" / "predictions" / f"{NAME}.json").read_text(
            encoding="utf-8"
        )
    )["negation"]["options"][0]["why"]
    ends = [
        end for row in (room["to_partner"], room["to_negation"]) for end in (row.min(), row.max())
    ]
    assert re.findall(r"0\.\d\d", why) == [f"{end:.2f}" for end in ends]


def test_the_loss_over_a_batch_is_what_a_loop_finds(room):
    losses = []
    for i, sentence in enumerate(room["said"]):
        shares = [
            np.exp(bears.SCALE * float(sentence @ other))
            for other in [*room["otherwise"], *room["negated"]]
        ]
        losses.append(-np.log(shares[i] / sum(shares)))
    assert -np.log(np.diag(room["weights"])).mean() == pytest.approx(np.mean(losses), rel=1e-4)


def test_the_other_order_of_the_same_words_lies_closer_still(room):
    for (one, other), (a, b) in zip(bears.TURNED, SHIPPED["turned"], strict=True):
        assert sorted(one.lower().strip(".").split()) == sorted(other.lower().strip(".").split())
        assert a @ b > 0.95


def test_the_mean_of_the_last_states_is_the_vector_that_the_model_made(room):
    assert bears.EIGHTEEN[13] == bears.HEAD_SENTENCE
    np.testing.assert_allclose(
        room["mean"] / np.linalg.norm(room["mean"]), SHIPPED["vectors"][13], atol=1e-3
    )


def test_what_the_instrument_asks_to_find_is_so():
    """Three of the eighteen lie beside a stranger after block 1: each begins with The, a word,
    bears."""
    strangers = [bears.EIGHTEEN[i].split()[:3] for i in np.flatnonzero(~AT_HOME[1, :N])]
    assert [words[1] for words in strangers] == ["polar", "brown", "wall"]
    assert all((first, last) == ("The", "bears") for first, _, last in strangers)
    fold = next(
        cell.source for cell in cells(NAME, "markdown") if "What you should find" in cell.source
    )
    assert all(f'"The {word} bears' in fold for word in ("polar", "brown", "wall"))


def test_how_they_begin_is_not_the_whole_reason():
    """The strangers they lie beside begin so, too; and so do others, who lie beside their own."""
    begins = [(s.split()[0], s.lower().split()[2]) == ("The", "bears") for s in bears.EIGHTEEN]
    strangers = np.flatnonzero(~AT_HOME[1, :N])
    assert all(begins[NEAREST[1, i]] for i in strangers)
    assert "The patient bears his illness without complaint." in [
        bears.EIGHTEEN[i] for i in range(N) if begins[i] and AT_HOME[1, i]
    ]


def test_what_is_found_is_not_told_before():
    before = "\n".join(
        cell.source + shown(cell) if cell.cell_type == "code" else cell.source
        for cell in itertools.takewhile(
            lambda cell: "LayerWalk()" not in cell.source, notebook(NAME).cells
        )
    )
    assert "The brown bears" not in before
    assert "polar bears at" not in before


def test_the_cell_below_the_instrument_computes_with_what_the_hand_did(room, capsys):
    source = next(cell.source for cell in cells(NAME, "code") if cell.id == "12-co-where-you-stand")
    walk = LayerWalk(layer=0.8, point=11)
    exec(source, room | {"walk": walk})
    said = capsys.readouterr().out
    assert f"after block 1 nearest to: {bears.EIGHTEEN[11]}" in said
    assert said.splitlines()[1].split(maxsplit=1) == [
        "animal",
        "The polar bears at the zoo swim behind thick glass.",
    ]


def test_the_numbers_of_the_model_are_those_of_its_arrays():
    """The same count on a tiny model: what the notebook adds up is what a BERT's file holds,
    without the pooler at its end."""
    folder = ROOT / "tests" / "truth" / "tiny_bert"
    model = Encoder.from_bytes(
        (folder / "model.safetensors").read_bytes(), (folder / "vocab.txt").read_bytes(), 4
    )
    source = next(cell.source for cell in cells(NAME, "code") if cell.id == "12-co-count")
    names = {"np": np}
    sizes = (
        f"{model.table.shape[1]}, {model.blocks[0]['W_1'].shape[1]}, {len(model.table)},"
        f" {len(model.positions)}"
    )
    exec(
        source.replace("384, 1536, 30522, 512", sizes).replace("6 * (", f"{len(model.blocks)} * ("),
        names,
    )
    held = (
        model.table.size
        + model.positions.size
        + sum(a.size for a in model.norm)
        + sum(a.size for b in model.blocks for a in b.values())
    )
    assert (
        names["total"] == held + 2 * model.table.shape[1]
    )  # the kinds of text: two rows, of which one was added to the places


def nearest_by_a_loop(own, others):
    """The number of the row of largest cosine, the first of those that are equal in six digits."""
    cosines = [
        round(float(own @ other / np.linalg.norm(own) / np.linalg.norm(other)), 6)
        for other in others
    ]
    return cosines.index(max(cosines))


def test_a_third_then_most_then_all_lie_nearest_to_their_own_meaning():
    shares = []
    for layer in range(7):
        table = SHIPPED["states"][:, layer].astype(float)
        nearest = [
            nearest_by_a_loop(table[i], [*table[:i], -table[i], *table[i + 1 :]]) for i in range(N)
        ]
        shares.append(sum(bears.SENSES[a] == bears.SENSES[i] for i, a in enumerate(nearest)))
    assert shares == [6, 15, 18, 18, 18, 18, 18]


@pytest.mark.parametrize(
    ("name", "right"), [("short", [False, False, True]), ("fuller", [True, True, True])]
)
def test_the_short_sentences_fail_and_the_fuller_ones_do_not(name, right):
    last = SHIPPED["states"][:, 6].astype(float)
    found = [bears.SENSES[nearest_by_a_loop(own[6].astype(float), last)] for own in SHIPPED[name]]
    assert [
        f == meaning
        for f, meaning in zip(
            found, {"short": bears.SHORT, "fuller": bears.FULLER}[name], strict=True
        )
    ] == right


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
            best = np.sort(
                [cosines[np.array(bears.SENSES) == meaning].max() for meaning in bears.BEARS]
            )
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

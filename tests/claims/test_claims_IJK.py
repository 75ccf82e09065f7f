"""The claims on today's models, measured here once more, apart from the notebooks; and wrong measurements, planted in the notebooks' cells.

The id in a test's name is the claim's id in the notebooks: **Claim C1** there is test_C1_... here.
"""

import numpy as np
import pytest
from planting import card

from course_utils.attention import grouped_query_attention
from course_utils.data import merges, speech
from course_utils.decoding import sharpen

# What the cases decide; the notebooks must say the same.
VERDICTS = {"I1": "depends", "I2": "depends", "J1": "depends", "J2": "depends", "K1": "depends"}

SMOL = merges.load()


# Tokens.

def inside(parts, word):
    """Whether word, a list of pieces, is cut only where the parts are."""
    starts = {"".join(parts[:i]) for i in range(len(parts))}
    return all("".join(word[:i]).strip() in starts for i in range(1, len(word)))


def test_I1_endings_are_pieces_but_beginnings_and_second_nouns_need_not_be():
    cut = {word: SMOL.cut(f" {word}") for word in ["hopelessly", "cubishness", "unhappiness", "bearskin", "honeybee"]}
    assert inside(["hope", "less", "ly"], cut["hopelessly"])
    assert inside(["cub", "ish", "ness"], cut["cubishness"])
    assert inside(["honey", "bee"], cut["honeybee"])
    assert cut["bearskin"] == [" bears", "kin"]
    assert not inside(["bear", "skin"], cut["bearskin"])
    assert not inside(["un", "happi", "ness"], cut["unhappiness"])


def test_I2_four_characters_are_a_mean_of_english_prose():
    prose = merges.prose()
    means = [len(part) / len(SMOL.encode(part)) for part in (prose[:20_000], prose[20_000:40_000], prose[40_000:])]
    assert all(3 < mean < 5 for mean in means)
    assert len(SMOL.encode("3.14159265")) == 10
    chinese = "熊冬天睡觉，秋天吃浆果。"
    assert len(SMOL.encode(chinese)) > len(chinese)


# Today's blocks.

def test_J1_shared_heads_keep_less_and_score_as_much():
    rng = np.random.default_rng(0)
    Q = rng.normal(size=(6, 5, 4))
    shared, own = (grouped_query_attention(Q, rng.normal(size=(H_kv, 5, 4)), rng.normal(size=(H_kv, 5, 4)))[1] for H_kv in (2, 6))
    assert shared.shape == own.shape == (6, 5, 5)
    assert len({row.tobytes() for row in shared.reshape(-1, 5)}) == 30             # no two rows are the same: each was computed
    assert 2 * 30 * 3 * 64 < 2 * 30 * 9 * 64


@pytest.mark.parametrize("window", [2, 4, 5])
@pytest.mark.parametrize("n_blocks", [1, 2, 3])
def test_J2_a_stack_of_windows_hears_as_far_as_its_blocks_reach_together(window, n_blocks):
    T = 16
    A = np.tril(np.ones((T, T))) - np.tril(np.ones((T, T)), -window)
    A /= A.sum(axis=1, keepdims=True)                                              # each token the mean of its window
    heard = np.linalg.matrix_power(np.eye(T) + A, n_blocks)[-1] > 0
    assert T - 1 - np.flatnonzero(heard)[0] == n_blocks * (window - 1)


# A model that speaks.

def test_K1_the_coldest_draw_is_steady_and_most_of_its_sums_are_wrong():
    draws = [np.random.default_rng(seed).choice(49_152, p=sharpen(speech.load()["scores"].astype(float), temperature=0.01)) for seed in range(100)]
    assert set(draws) == {speech.load()["scores"].argmax()}
    sums = speech.facts()["sums"]
    assert sum(f"{a + b}" in said for a, b, said in sums) < len(sums) / 2          # the right number anywhere in what was said
    assert (speech.load()["ranks"][:, -1] == 1).sum() >= 6


# Wrong measurements, planted in the appendix: the verdict must follow them.

PLANTED = {       # claim: ([(what stands in its cells, what is planted)], the verdict then)
    "I1": ([("np.isin(cuts, seams).all()", "len(cuts) > 0")], "holds"),
    "I2": ([("3 <= mean <= 5", "0 < mean <= 5")], "holds"),
    "J1": ([("three[name] < nine[name]", "three[name] <= nine[name]")], "holds"),
    "J2": ([("other[-1 - back] += 1", "other[-1 - back] += 0")], "holds"),
    "K1": ([("np.mean(right) >= 0.5", "np.mean(right) >= 0")], "holds"),
}


@pytest.mark.parametrize("claim", PLANTED)
def test_a_planted_wrong_measurement_changes_the_card(claim):
    planted, word = PLANTED[claim]
    assert card(claim, planted).word == word != VERDICTS[claim]

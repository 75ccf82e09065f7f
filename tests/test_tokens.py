"""Byte-pair encoding: SmolLM2's published tokeniser, byte for byte and on 12,000 texts; learning,
joined by hand; laws; wrong arguments."""

import hashlib
from collections import Counter

import numpy as np
import pytest
from helpers import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from token_texts import digest, published, texts

from course_utils import tokens
from course_utils.arguments import ArgumentError
from course_utils.data import merges
from course_utils.tokens import Tokenizer, learn, merge_pair, words

SMOL = merges.load()
PROSE = merges.prose()
TRUTH = ROOT / "tests" / "truth" / "tokens.npz"  # made by scripts/make_tokens.py
# The file tokenizer.json that HuggingFaceTB/SmolLM2-135M-Instruct publishes.
SHA256, SIZE = "9ca9acddb6525a194ec8ac7a87f24fbba7232a9a15ffa1af0c1224fcd888e47c", 2_104_556


# The published tokeniser.


def test_what_is_shipped_is_the_published_file_byte_for_byte():
    data = published().encode()
    assert (len(data), hashlib.sha256(data).hexdigest()) == (SIZE, SHA256)


def test_the_tokens_of_twelve_thousand_texts_are_those_of_the_published_tokeniser():
    truth, asked = np.load(TRUTH), texts()
    ids = [SMOL.encode(text) for text in asked]
    wrong = [
        text
        for text, found, n, said in zip(asked, ids, truth["lengths"], truth["digests"], strict=True)
        if len(found) != n or digest(found, SMOL.decode(found)) != said
    ]
    assert len(asked) >= 10_000
    assert wrong == []


def test_the_texts_hold_what_is_hard_to_cut():
    everything = "".join(texts())
    assert {"🐻", "\u0301", "\x04", "٣", "½"} <= set(everything)
    assert len({c for c in everything if c >= "\u0370"}) > 10_000
    assert sum(text.count("<|im_end|>") for text in texts()) > 500


def test_sizes_and_the_bytes_without_a_token():
    assert (len(SMOL), len(SMOL.special), len(SMOL.bytes), len(SMOL.joined)) == (
        49_152,
        17,
        235,
        48_900,
    )
    assert bytes(
        set(range(256)) - set(SMOL.bytes)
    ) == b"\x04\x06\x13\x14\x16\x1d\xc0\xc1\xf1\xf2" + bytes(range(0xF5, 0x100))
    assert SMOL.encode("a\x04b") == SMOL.encode("a") + SMOL.encode("b")


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("strawberry", ["st", "raw", "berry"]),
        (" strawberry", [" strawberry"]),
        ("1234", ["1", "2", "3", "4"]),
        ("a  1", ["a", "  ", "1"]),
        ("a  b", ["a", " ", " b"]),
        ("it's", ["it", "'s"]),
    ],
)
def test_pieces_that_the_notebook_tells(text, pieces):
    assert SMOL.cut(text) == pieces


# Where a text is cut.


@given(st.text())
def test_nothing_is_lost_where_a_text_is_cut(text):
    assert "".join(words(text)) == text


@given(st.text())
def test_a_tokenizer_of_all_bytes_gives_every_text_back(text):
    own = Tokenizer([(97, 97), (256, 97)])
    assert own.decode(own.encode(text)) == text


def test_a_tokenizer_of_ones_own_joins_its_pairs_counts_special_texts_first_and_gives_both_back():
    own = Tokenizer([(98, 98), (257, 98), (99, 258)], special=["<a>"])  # aa, aaa, baaa
    assert own.encode("aaab<a>baaa") == [258, 99, 0, 259]
    assert own.cut("aaab<a>baaa") == ["aaa", "b", "<a>", "baaa"]
    assert own.cut("b<a>", special=False) == ["b", "<", "a", ">"]
    assert (own.pieces[257:], len(own)) == ([b"aa", b"aaa", b"baaa"], 260)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("I love bears", ["I", " love", " bears"]),
        ("x  =  12", ["x", " ", " =", "  ", "1", "2"]),
        ("don't", ["don", "'t"]),
        ("a\n\nb", ["a", "\n", "\n", "b"]),
        ("a \n", ["a", " \n"]),
        ("'S 's", ["'", "S", " '", "s"]),
        ("a\x1cb", ["a", "\x1c", "b"]),
        ("", []),
    ],
)
def test_a_text_is_cut_as_gpt_2_cuts_it_with_single_digits(text, cut):
    assert words(text) == cut


def test_unicodes_white_space_is_not_pythons():
    python = {chr(c) for c in range(0x110000) if chr(c).isspace()}
    assert python - set(tokens.WHITE_SPACE) == set("\x1c\x1d\x1e\x1f")
    assert set(tokens.WHITE_SPACE) <= python


# Joining and learning.


@pytest.mark.parametrize(
    ("ids", "pair", "merged"),
    [
        ([1, 2, 1, 2, 3], (1, 2), [9, 9, 3]),
        ([1, 1, 1], (1, 1), [9, 1]),
        ([1, 1, 1, 1], (1, 1), [9, 9]),
        ([2, 1], (1, 2), [2, 1]),
        ([], (1, 2), []),
        ([1], (1, 1), [1]),
        ([3, 1, 2], (1, 2), [3, 9]),
    ],
)
def test_a_pair_is_joined_from_the_left_and_each_token_once(ids, pair, merged):
    assert merge_pair(ids, pair, 9) == merged
    assert merge_pair(np.array(ids, dtype=int), pair, 9) == merged


@given(st.lists(st.integers(0, 2)), st.tuples(st.integers(0, 2), st.integers(0, 2)))
def test_merging_undone_gives_the_tokens_back(ids, pair):
    merged = merge_pair(ids, pair, 3)
    assert [i for token in merged for i in (pair if token == 3 else [token])] == ids
    assert pair not in zip(merged, merged[1:], strict=False) or pair[0] == pair[1] == 3


def counted_anew(text, n):
    """Learning as the paper tells it: count all pairs of all words at each step."""
    cut, pairs = [tuple(word.encode()) for word in words(text)], []
    for new in range(256, 256 + n):
        counts = Counter(pair for word in cut for pair in zip(word, word[1:], strict=False))
        if not counts:
            break
        best = sorted(counts, key=lambda pair: (-counts[pair], pair))[0]
        pairs.append(best)
        cut = [tuple(merge_pair(list(word), best, new)) for word in cut]
    return pairs


@settings(max_examples=30)
@given(st.text(alphabet="ab cé1", max_size=60), st.integers(1, 12))
def test_learning_is_what_counting_anew_gives(text, n):
    assert learn(text, n) == counted_anew(text, n)


def test_learning_from_the_prose_is_what_counting_anew_gives():
    assert learn(PROSE[:8000], 100) == counted_anew(PROSE[:8000], 100)


def test_a_text_is_encoded_as_it_was_joined_while_learning():
    text = PROSE[:20_000]
    pairs, cut = learn(text, 200), {word: list(word.encode()) for word in words(text)}
    for new, pair in enumerate(pairs, start=256):
        cut = {word: merge_pair(ids, pair, new) for word, ids in cut.items()}
    assert Tokenizer(pairs).encode(text) == [i for word in words(text) for i in cut[word]]


def test_learning_stops_where_no_pair_is_left():
    assert learn("ab ab", 50) == [(97, 98), (32, 256)]
    assert learn("a 1", 5) == []
    assert learn("", 1) == []


def test_a_function_of_ones_own_may_stand_in():
    calls = []

    def mine(ids, pair, new):
        calls.append(pair)
        return np.array(merge_pair(ids, pair, new))

    assert learn(PROSE[:2000], 20, merge_pair=mine) == learn(PROSE[:2000], 20)
    assert len(set(calls)) == 20


def test_a_function_of_ones_own_may_join_in_place():
    def mine(ids, pair, new):
        for i in range(len(ids)):
            if tuple(ids[i : i + 2]) == pair:
                ids[i : i + 2] = [new]
        return ids

    assert (
        learn("bees bear bears", 4, merge_pair=mine)
        == learn("bees bear bears", 4)
        == [(98, 101), (32, 256), (97, 114), (257, 258)]
    )


# Special tokens.


def test_what_a_user_types_need_not_be_a_special_token():
    text = "bye<|im_end|>"
    assert SMOL.encode(text)[-1] == SMOL.special["<|im_end|>"] == 2
    assert 2 not in SMOL.encode(text, special=False)
    assert SMOL.decode(SMOL.encode(text, special=False)) == text == SMOL.decode(SMOL.encode(text))


def test_of_two_special_texts_the_longer_is_found():
    own = Tokenizer([], special=["<a>", "<a><b>"])
    assert own.encode("<a><b><a>") == [1, 0]


def test_half_a_character_is_shown_as_such():
    bear = SMOL.encode("🐻")
    assert len(bear) > 1
    assert SMOL.decode(bear) == "🐻"
    assert SMOL.decode(bear[:1]) == "\ufffd"


# What does not fit.


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: words(7), "text: got int, wanted a text in quotes"),
        (lambda: SMOL.encode(None), "text: got NoneType, wanted a text in quotes"),
        (lambda: SMOL.encode("a\ud83d"), "lone surrogate"),
        (
            lambda: SMOL.decode([1, 49_152]),
            "ids: got .*, wanted a list of whole numbers from 0 to 49151",
        ),
        (lambda: SMOL.decode([-1]), "ids: got"),
        (lambda: SMOL.decode([0.5]), "ids: got"),
        (lambda: SMOL.decode("abc"), "ids: got"),
        (lambda: merge_pair([1, 2], (1, 2, 3), 9), "pair: got .*, wanted two token numbers"),
        (lambda: merge_pair("abc", (1, 2), 9), "ids: got"),
        (lambda: learn("a", 0), "n_merges: got 0, wanted a whole number of at least 1"),
        (lambda: learn(b"a", 1), "text: got bytes"),
        (lambda: Tokenizer([(256, 97)]), r"pairs: got \(256, 97\) as pair 0, wanted pairs"),
        (lambda: Tokenizer([(97, 98), (97, 257)]), "as pair 1"),
        (lambda: Tokenizer([(0, 97)], special=["<a>"]), "as pair 0"),
        (lambda: Tokenizer([(97, 98, 99)]), "pairs: got"),
        (lambda: Tokenizer([(97, 98), (97,)]), "pairs: got"),
        (lambda: Tokenizer([], first=[1, 1]), "first: got"),
        (lambda: Tokenizer([], first=[256]), "first: got"),
        (lambda: Tokenizer([], special=["", "a"]), "special: got"),
    ],
)
def test_what_does_not_fit_is_said_in_one_sentence(call, said):
    with pytest.raises(ArgumentError, match=said) as caught:
        call()
    assert "\n" not in str(caught.value)

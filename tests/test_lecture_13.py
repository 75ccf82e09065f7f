"""What notebook 13 says in words is computed there; its predictions, its quiz and its instrument
are what counting gives."""

from collections import Counter

import pytest
from helpers import cells, names_of, prose, shown

from course_utils.cards import questions
from course_utils.data import merges
from course_utils.models.encoder import basic_tokens
from course_utils.tokens import Tokenizer, learn, words

NAME = "13_tokens"
SMOL = merges.load()


@pytest.fixture
def room():
    return names_of(NAME)


def pairs_of(text):
    """How often each pair of bytes occurs inside the words of a text."""
    return Counter(
        pair for word in words(text) for pair in zip(word.encode(), word.encode()[1:], strict=False)
    )


def tokens_of(n, n_pairs):
    return len(Tokenizer(n["pairs"][:n_pairs]).encode(n["text"]))


def fruit(n):
    return [
        n["smol"].encode(word)
        for word in ("strawberry", " strawberry", "Strawberry", " Strawberry")
    ]


def most_letters(n, language):
    """How many whole characters stand in each token of a sentence, spaces left out."""
    pieces = [n["smol"].pieces[i] for i in n["smol"].encode(n["sentences"][language])]
    return [len(piece.decode(errors="ignore").strip()) for piece in pieces]


def first_pieces(n_vocab):
    """SmolLM2's tokenizer with its first pieces alone."""
    return Tokenizer(list(SMOL.joined)[: n_vocab - 252], SMOL.bytes, SMOL.special)


def saved(text):
    """The share of a text's tokens that the last doubling of the vocabulary saves."""
    return 1 - len(SMOL.encode(text)) / len(first_pieces(24_576).encode(text))


# {a sentence of the notebook without a number to tie: what it says, computed from the notebook's
# own names}
SAID = {
    "The letters a to z, digits, spaces and common marks are one byte each": lambda n: (
        max(map(ord, "azAZ09 .,:;!?'()-")) < 128
    ),
    "Other characters take two to four": lambda n: [len(c.encode()) for c in "äह🐻"] == [2, 3, 4],
    "Digits stand alone": lambda n: words("in 17 ways") == ["in", " ", "1", "7", " ways"],
    '"be" becomes one token': lambda n: (
        pairs_of(n["small"]).most_common(2)[0] == ((98, 101), 3)
        and pairs_of(n["small"]).most_common(2)[1][1] == 2
    ),
    "it takes the smallest numbers": lambda n: (
        learn("cdab", 2) == [(97, 98), (99, 100)] and learn("acab", 1) == [(97, 98)]
    ),
    'After six joins " the" is a token': lambda n: n["own"].pieces[261] == b" the",
    "The same fruit is cut in four ways": lambda n: len({tuple(ids) for ids in fruit(n)}) == 4,
    "shares no number with the others": lambda n: (
        not set(fruit(n)[1]) & {i for k in (0, 2, 3) for i in fruit(n)[k]}
    ),
    "35199 shows no letter": lambda n: n["smol"].decode([35199]) == " strawberry",
    "no word is unknown": lambda n: n["own"].decode(n["own"].encode("भालू")) == "भालू",
    "Ten digits stay ten tokens": lambda n: n["own"].cut("2017201720") == list("2017201720"),
    '"ä" is two bytes': lambda n: len("ä".encode()) == 2,
    "Keep only SmolLM2's first pairs, and the vocabulary is smaller": lambda n: (
        first_pieces(3072).pieces == n["smol"].pieces[:3072]
    ),
    "The text gets shorter by less and less": lambda n: falls(
        [a - b for a, b in neighbours(list(n["lengths"].values()))]
    ),
    "Digits are cut singly": lambda n: n["smol"].cut("2017") == list("2017"),
    "White space before a digit stays apart; a word takes one space along": lambda n: (
        n["smol"].cut("  1  a") == ["  ", "1", " ", " a"]
    ),
    "Capitals, accents and double spaces come back whole": lambda n: (
        n["smol"].decode(n["smol"].encode("É  a")) == "É  a"
    ),
    "the word pieces of notebook 12 know no capitals": lambda n: (
        basic_tokens("Honey BEES") == ["honey", "bees"]
    ),
    "`<|im_end|>` is one number": lambda n: n["smol"].encode("<|im_end|>") == [2],
    "The same sentence in six languages": lambda n: len(n["sentences"]) == 6,
    "Its letters are three bytes each": lambda n: (
        {len(c.encode()) for c in n["sentences"]["Hindi"] if c != " "} == {3}
    ),
    "in the long sentence no token holds two whole letters": lambda n: (
        max(most_letters(n, "Hindi")) == 1 < max(most_letters(n, "English"))
    ),
    "Nearly all of ours are in SmolLM2's vocabulary": lambda n: (
        sum(p in n["known"] for p in n["own"].pieces[256:]) > 900
    ),
    "Two spaces came early in its list": lambda n: n["smol"].pieces[252 + 4] == b"  ",
}


def neighbours(numbers):
    return zip(numbers, numbers[1:], strict=False)


def falls(numbers):
    return all(a > b for a, b in neighbours(numbers))


@pytest.mark.parametrize("sentence", SAID)
def test_what_is_said_is_so(sentence, room):
    assert sentence in prose(NAME)
    assert SAID[sentence](room)


def test_the_model_s_size_is_that_of_notebook_13():
    assert any(
        "all of SmolLM2: 134,515,008 numbers" in shown(cell)
        for cell in cells("14_todays_models", "code")
    )
    assert any("134_515_008" in cell.source for cell in cells(NAME, "code"))


# The instrument.


def test_the_find_of_the_instrument_is_its_challenge(room):
    state = room["cutter"].start()
    assert [
        n for n in range(1001) if room["cutter"].met(room["cutter"].compute(state | {"n": n}))
    ] == [291]
    assert room["cutter"].state == state | {"n": 100}


# The predictions are decided by what is counted.


def right(name):
    return next(
        option["text"]
        for option in questions.load("predictions", NAME)[name]["options"]
        if option.get("right")
    )


def test_the_first_pair_is_a_space_and_t_though_e_and_a_space_occurs_more_often():
    text = merges.prose()
    inside, anywhere = pairs_of(text), Counter(zip(text.encode(), text.encode()[1:], strict=False))
    assert inside.most_common(3) == [((32, 116), 2050), ((32, 97), 1778), ((116, 104), 1707)]
    assert anywhere.most_common(1) == [((101, 32), 2470)]
    assert right("first") == 'a space and "t"'


def test_strawberry_is_three_pieces_and_one_with_a_space():
    assert [len(SMOL.encode(text)) for text in ("strawberry", " strawberry")] == [3, 1]
    assert right("strawberry") == "three, and one"


def test_the_last_doubling_of_the_vocabulary_saves_three_tokens_in_a_hundred(room):
    assert [room["lengths"][n_vocab] for n_vocab in (24_576, 49_152)] == [23_482, 22_857]
    assert round(100 * saved(merges.prose())) == 3
    assert right("price") == "3 in 100 fewer"


def test_hindi_costs_more_than_five_times_as_much_and_german_about_twice(room):
    ratio = {name: n / room["tokens"]["English"] for name, n in room["tokens"].items()}
    assert ratio["Hindi"] > 5
    assert 1.7 < ratio["German"] < 2
    assert right("hindi") == "more than five times as many"


def test_learning_by_a_function_of_ones_own_is_what_is_stored(room):
    assert room["pairs"] == learn(merges.prose(), 1000)
    [stored] = [cell for cell in cells(NAME, "code") if "bytes each" in cell.source]
    assert f"1000 pairs: {tokens_of(room, 1000):,} tokens" in " ".join(shown(stored).split())


def test_the_quiz_is_answered_as_the_tokeniser_does():
    own = Tokenizer([(97, 104), (104, 97), (104, 256)])
    assert own.cut("hah") == ["hah"]

"""What notebook 12 says in words: every number is computed there; its drawings by hand and its predictions are what counting gives."""

from collections import Counter

import pytest
from helpers import cells, names_of, prose, shown

from course_utils.cards import questions
from course_utils.data import merges
from course_utils.models.encoder import basic_tokens
from course_utils.tokens import Tokenizer, learn, words

NAME = "12_tokens"
SMOL = merges.load()


@pytest.fixture
def room():
    return names_of(NAME)


def pairs_of(text):
    """How often each pair of bytes occurs inside the words of a text."""
    return Counter(pair for word in words(text) for pair in zip(word.encode(), word.encode()[1:], strict=False))


def tokens_of(n, n_pairs):
    return len(Tokenizer(n["pairs"][:n_pairs]).encode(n["text"]))


# {a sentence of the notebook: what it says, computed from the notebook's own names}
SAID = {
    "numbers from 0 to 255": lambda n: len(Tokenizer([]).encode("\xe4")) == 2 and max("".join(map(chr, range(0x800))).encode()) <= 255,
    "The letters a to z, digits, spaces and common marks are one byte each": lambda n: max(map(ord, "azAZ09 .,:;!?'()-")) < 128,
    "Accented letters, other scripts, emoji take two to four a character": lambda n: [len(c.encode()) for c in "äह🐻"] == [2, 3, 4],
    "Digits stand alone, and so does a space before one": lambda n: words("in 17 ways") == ["in", " ", "1", "7", " ways"],
    "256 numbers can write any text": lambda n: len(Tokenizer([])) == 256,
    '"be" wins': lambda n: pairs_of(n["small"]).most_common(2)[0] == ((98, 101), 3) and pairs_of(n["small"]).most_common(2)[1][1] == 2,
    'Four joins, and " bear" is one token': lambda n: Tokenizer(learn(n["small"], 4)).pieces[-1] == b" bear",
    'After six joins " the" is a token': lambda n: n["own"].pieces[261] == b" the",
    "the first 100 save 36,000, the next 900 together only 24,000": lambda n: (
        [round(tokens_of(n, a) - tokens_of(n, b), -3) for a, b in ((0, 100), (100, 1000))] == [36_000, 24_000]),
    '" attention", which our prose says all the time, is one token': lambda n: n["own"].cut(" attention") == [" attention"],
    '"ä" is two bytes': lambda n: len("ä".encode()) == 2,
    "Pair 291": lambda n: n["own"].pieces[255 + 291] == b" attention",
    "With all 1000 pairs, ten digits are still ten tokens": lambda n: len(n["own"].encode("2017201720")) == 10,
    "a word in a script that our prose does not use stays bytes": lambda n: len(n["own"].encode("\u092d\u093e\u0932\u0942")) == 12,
    "a text of ten characters that no pair ever joins": lambda n: n["own"].cut("2017201720") == list("2017201720"),
    "has 48,900 pairs": lambda n: len(n["smol"].pairs) == 48_900,
    "Nearly all of ours are in it": lambda n: sum(p in n["known"] for p in n["own"].pieces[256:]) > 900,
    "Its fifth joined piece is two spaces": lambda n: n["smol"].pieces[252 + 4] == b"  ",
    "Four times the same fruit, cut in four ways": lambda n: len({tuple(ids) for ids in fruit(n)}) == 4,
    "and shares no number with the others": lambda n: not set(fruit(n)[1]) & {i for k in (0, 2, 3) for i in fruit(n)[k]},
    "35199 shows no letter": lambda n: n["smol"].cut(" strawberry") == n["smol"].cut(n["smol"].decode([35199])) == [" strawberry"],
    "Digits are cut singly": lambda n: n["smol"].cut("2017") == list("2017"),
    "White space before a digit stays apart; a word takes one space along": lambda n: n["smol"].cut("  1  a") == ["  ", "1", " ", " a"],
    "the first 17 numbers": lambda n: sorted(n["smol"].special.values()) == list(range(17)),
    "Capitals, accents, double spaces come back whole": lambda n: n["smol"].decode(n["smol"].encode("É  a")) == "É  a",
    "the word pieces of notebook 11 know no capitals": lambda n: basic_tokens("Honey BEES") == ["honey", "bees"],
    "21 of the 256 bytes have no token": lambda n: 256 - len(n["smol"].bytes) == 21,
    "`<|im_end|>` is one number, 2": lambda n: n["smol"].special["<|im_end|>"] == 2,
    "The same sentence in six languages": lambda n: len(n["sentences"]) == 6,
    "three characters more than the English one, and 5.64 times as many tokens": lambda n: hindi(n),
    "Its letters are three bytes each": lambda n: {len(c.encode()) for c in n["sentences"]["Hindi"] if c != " "} == {3},
    "few of its pairs were frequent": lambda n: n["tokens"]["Hindi"] > len(n["sentences"]["Hindi"]),
    "joined to one letter at most, never to two": lambda n: max(most_letters(n, "Hindi")) == 1 < max(most_letters(n, "English")),
    "5.64² is 32 times as many scores": lambda n: round((n["tokens"]["Hindi"] / n["tokens"]["English"]) ** 2) == 32,
    "Which of these lie between three and five": lambda n: [n["about_four"](line).endswith("True") for line in
                                                            (" a" * 9, " bear" * 9, " strawberry" * 9)] == [False, True, False],
    "Others pay several times as many tokens": lambda n: sum(ratio >= 2 for ratio in n["ratios"]) == 3,
}


@pytest.mark.parametrize("sentence", SAID)
def test_what_is_said_is_so(sentence, room):
    assert sentence in prose(NAME)
    assert SAID[sentence](room)


def fruit(n):
    return [n["smol"].encode(word) for word in ("strawberry", " strawberry", "Strawberry", " Strawberry")]


def most_letters(n, language):
    """How many whole characters stand in each token of a sentence, spaces left out."""
    pieces = [n["smol"].pieces[i] for i in n["smol"].encode(n["sentences"][language])]
    return [len(piece.decode(errors="ignore").strip()) for piece in pieces]


def hindi(n):
    hindi, english = n["sentences"]["Hindi"], n["sentences"]["English"]
    return len(hindi) - len(english) == 3 and round(n["tokens"]["Hindi"] / n["tokens"]["English"], 2) == 5.64


# The instrument.

def test_the_find_of_the_instrument_is_its_challenge(room):
    state = room["cutter"].start()
    assert [n for n in range(1001) if room["cutter"].met(room["cutter"].compute(state | {"n": n}))] == [291]
    assert room["cutter"].state == state | {"n": 100}


# The predictions are decided by what is counted.

def right(name):
    return next(option["text"] for option in questions.load("predictions", NAME)[name]["options"] if option.get("right"))


def test_the_first_pair_is_a_space_and_t_though_e_and_a_space_occurs_more_often():
    text = merges.prose()
    inside, anywhere = pairs_of(text), Counter(zip(text.encode(), text.encode()[1:], strict=False))
    assert inside.most_common(3) == [((32, 116), 2050), ((32, 97), 1778), ((116, 104), 1707)]
    assert anywhere.most_common(1) == [((101, 32), 2470)]
    assert right("first") == 'a space and "t"'


def test_strawberry_is_three_pieces_and_one_with_a_space():
    assert [len(SMOL.encode(text)) for text in ("strawberry", " strawberry")] == [3, 1]
    assert right("strawberry") == "three, and one"


def test_hindi_costs_more_than_five_times_as_much_and_german_about_twice(room):
    ratio = {name: n / room["tokens"]["English"] for name, n in room["tokens"].items()}
    assert ratio["Hindi"] > 5
    assert 1.7 < ratio["German"] < 2
    assert right("hindi") == "more than five times as many"


def test_learning_by_a_function_of_ones_own_is_what_is_stored(room):
    assert room["pairs"] == learn(merges.prose(), 1000)
    [stored] = [cell for cell in cells(NAME, "code") if "n_bytes / n_tokens" in cell.source]
    assert f"1000 pairs: {room['n_bytes'] / tokens_of(room, 1000):.2f}" in shown(stored)


def test_the_quiz_is_answered_as_the_tokeniser_does():
    assert learn("aaab aab ab", 1) == [(97, 97)]
    assert Counter(pair for word in words("aaab aab ab") for pair in zip(word, word[1:], strict=False)).most_common(3)[0][1] == 3
    own = Tokenizer([(97, 104), (104, 97), (104, 256)])
    assert own.cut("hah") == ["hah"]

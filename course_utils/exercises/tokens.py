"""The exercises of notebook 12: a pair joined, and a word cut by pairs that were learned."""

from course_utils import tokens
from course_utils.diagnosis.exercise import Exercise, Reading


def merge_pair(ids, pair, new):
    return tokens.merge_pair(ids, pair, new)


THREE = "three equal tokens in a row"

MERGE = Exercise("merge_pair", merge_pair, inputs=[
    ([5, 1, 2, 3, 1, 2, 1, 2, 4], (1, 2), 256),
    ([1, 2, 2, 1, 1, 2], (1, 2), 9),
    ([2, 1, 3, 2, 2, 1, 7], (1, 3), 300),
    ([1, 1, 2, 2, 1, 3], (1, 2), 9),
    ([6, 6, 4, 6, 6, 1], (6, 6), 8),
    ([3, 4, 5], (4, 3), 9),                      # no such pair
    ([11, 2, 1, 25], (1, 2), 9),                 # nor here, though it looks so in a text
    ([7], (7, 7), 9),
], traps={THREE: ([4, 4, 4, 1, 4, 4, 4], (4, 4), 9)}, minutes=6, difficulty=2,
    nudge="Walk along the list with a place i. If the tokens at i and i + 1 are the pair, one token goes into the result. "
          "How far do you step then, and how far otherwise?",
    skeleton="""def my_merge_pair(ids, pair, new):
    merged, i = [], 0
    while i < len(ids):
        found = ...                       # do the tokens at i and i + 1 make the pair?
        merged.append(new if found else ids[i])
        i += ...                          # how far to the next token that is not used up?
    return merged
""")


def _walk(ids, pair, new, put=1, step=2, joins=None):
    """As merge_pair, with what it does at a pair left open: what is put into the list, how far it steps."""
    joins = joins or (lambda i: tuple(ids[i:i + 2]) == tuple(pair))
    merged, i = [], 0
    while i < len(ids):
        if joins(i):
            merged += [new] * put
            i += step
        else:
            merged.append(ids[i])
            i += 1
    return merged


@MERGE.mistake("the right token kept", "The pair became one token, and its second half still stands behind it. How far do you step after a pair?")
def right_kept(ids, pair, new):
    return _walk(ids, pair, new, step=1)


@MERGE.mistake("only the first pair joined", "The pair may stand in several places. The walk goes on after the first.")
def first_only(ids, pair, new):
    for i in range(len(ids) - 1):
        if (ids[i], ids[i + 1]) == tuple(pair):
            return [*ids[:i], new, *ids[i + 2:]]
    return list(ids)


@MERGE.mistake("the pair the other way round", "Order counts: left stands before right.")
def turned_round(ids, pair, new):
    return merge_pair(ids, tuple(pair)[::-1], new)


@MERGE.mistake("either order joined", "Order counts: the same two tokens the other way round are another pair.")
def either_order(ids, pair, new):
    return _walk(ids, pair, new, joins=lambda i: sorted(ids[i:i + 2]) == sorted(pair))


@MERGE.mistake("compared as sets", "A set has no order, and holds equal tokens once: (2, 1) passes for (1, 2), and a single 6 at the end for (6, 6).")
def as_sets(ids, pair, new):
    return _walk(ids, pair, new, joins=lambda i: set(ids[i:i + 2]) == set(pair))


@MERGE.mistake("any two of the pair joined", "Two tokens were joined wherever each is one of the pair. First comes its left, then its right.")
def any_two(ids, pair, new):
    return _walk(ids, pair, new, joins=lambda i: i + 1 < len(ids) and ids[i] in pair and ids[i + 1] in pair)


@MERGE.mistake("the last token lost", "A token without a right neighbour belongs to the result, too. Where does the walk end?")
def last_lost(ids, pair, new):
    merged, i = [], 0
    while i < len(ids) - 1:
        if (ids[i], ids[i + 1]) == tuple(pair):
            merged.append(new)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged


@MERGE.mistake("a pair at the end missed", "The last two tokens may be the pair. How large may i be, so that i + 1 is still in the list?")
def end_missed(ids, pair, new):
    return _walk(ids, pair, new, joins=lambda i: i + 2 < len(ids) and tuple(ids[i:i + 2]) == tuple(pair))


@MERGE.mistake("the left token alone replaced", "A left token is only joined where the right one follows it.")
def left_alone(ids, pair, new):
    return [new if token == pair[0] else token for token in ids]


@MERGE.mistake("both tokens replaced one by one", "Two tokens become one: the list gets shorter. Here each of them was replaced.")
def each_replaced(ids, pair, new):
    return [new if token in pair else token for token in ids]


@MERGE.mistake("the new token put twice", "Two tokens become one: the list gets shorter.")
def put_twice(ids, pair, new):
    return _walk(ids, pair, new, put=2)


@MERGE.mistake("the pair dropped", "The pair is gone, and the new token does not stand in its place.")
def dropped(ids, pair, new):
    return _walk(ids, pair, new, put=0)


@MERGE.mistake("the new token added, the pair kept", "The new token stands in the place of the pair, not beside it.")
def added(ids, pair, new):
    merged = []
    for i, token in enumerate(ids):
        merged.append(token)
        if i and (ids[i - 1], token) == tuple(pair):
            merged.append(new)
    return merged


@MERGE.mistake("the token after a pair skipped", "A pair is two tokens long. What stands behind it was stepped over.")
def one_too_far(ids, pair, new):
    return _walk(ids, pair, new, step=3)


@MERGE.mistake("nothing joined", "No pair was found. Compare number with number: in Python a list never equals a tuple.")
def nothing(ids, pair, new):
    return list(ids)


@MERGE.mistake("numbers replaced as text", "In a text 11 ends in 1, and 25 begins with 2. Numbers are compared whole.")
def as_text(ids, pair, new):
    text = " ".join(map(str, ids)).replace(f"{pair[0]} {pair[1]}", str(new))
    return [int(number) for number in text.split()]


@MERGE.mistake("a token used twice", "Of three equal tokens the middle one went into two pairs. A token that is joined is used up.", trap=THREE)
def used_twice(ids, pair, new):
    found = [(left, right) == tuple(pair) for left, right in zip(ids, ids[1:], strict=False)]
    merged = []
    for i, token in enumerate(ids):
        if i < len(found) and found[i]:
            merged.append(new)
        elif not (i and found[i - 1]):
            merged.append(token)
    return merged


@MERGE.mistake("joined from the right", "Of three equal tokens the first two are joined: the walk goes from left to right.", trap=THREE)
def from_the_right(ids, pair, new):
    return merge_pair(ids[::-1], tuple(pair)[::-1], new)[::-1]


@MERGE.mistake("a whole run joined", "However many equal tokens stood in a row, they became one. A pair is two.", trap=THREE)
def whole_run(ids, pair, new):
    merged, i = [], 0
    while i < len(ids):
        if tuple(ids[i:i + 2]) == tuple(pair):
            merged.append(new)
            i += 2
            while pair[0] == pair[1] and i < len(ids) and ids[i] == pair[0]:
                i += 1
        else:
            merged.append(ids[i])
            i += 1
    return merged


def encode_word(word, pairs):
    ids = list(word.encode())
    for k, pair in enumerate(pairs):
        ids = tokens.merge_pair(ids, pair, 256 + k)
    return ids


def _numbers(pairs):
    """Pairs as texts, such as "b e", as pairs of numbers; a piece that was joined before is meant where it is longer than a byte."""
    known, found = {bytes([b]): b for b in range(256)}, []
    for pair in pairs:
        left, right = (known[part.encode()] for part in pair.split("|"))
        found.append((left, right))
        known[pair.replace("|", "").encode()] = 255 + len(found)
    return found


ENCODE = Exercise("encode_word", encode_word, inputs=[
    ("bearings", _numbers(["e|a", "a|r", "b|ea", "i|n", "bea|r", "n|g", "in|g", "r|s", "ing|s"])),
    ("bear", _numbers(["a|r", "b|e", "be|ar", "e|a"])),
    ("abab", _numbers(["a|b", "ab|ab", "b|a"])),
    (" rearrange", _numbers(["e|a", "r|e", "a|r", "ar|r", "r|r", " |r", "n|g", "a|n", "an|g"])),
    ("B\u00e4rin", _numbers(["r|i", "i|n", "ri|n", "B|r"])),
    ("abc", _numbers(["b|c", "a|b", "a|bc"])),
    ("x", _numbers(["a|b"])),
    ("bears", []),
], parts=("merge_pair",), minutes=5, difficulty=2,
    nudge="A word begins as its bytes; the first cell of the notebook shows how to get them. Then the pairs take their turn, "
          "the first learned first. What number does pair k make?",
    skeleton="""def my_encode_word(word, pairs):
    ids = ...                             # the bytes of the word
    for k, pair in enumerate(pairs):
        ids = ...                         # pair k joined, by mine.merge_pair
    return ids
""")


@ENCODE.mistake("the last pair first", "What was learned first is joined first: later pairs are made of its pieces.")
def reversed_order(word, pairs):
    ids = list(word.encode())
    for k in reversed(range(len(pairs))):
        ids = tokens.merge_pair(ids, pairs[k], 256 + k)
    return ids


@ENCODE.mistake("one number for all pairs", "Each pair has a number of its own, counted on from the bytes.")
def all_256(word, pairs):
    ids = list(word.encode())
    for pair in pairs:
        ids = tokens.merge_pair(ids, pair, 256)
    return ids


@ENCODE.mistake("pairs counted from 0", "Numbers 0 to 255 are the bytes. The pairs are counted on from there.")
def from_zero(word, pairs):
    ids = list(word.encode())
    for k, pair in enumerate(pairs):
        ids = tokens.merge_pair(ids, pair, k)
    return ids


@ENCODE.mistake("pairs counted from 255", "The last byte is 255. Which number is the first that is free?")
def from_255(word, pairs):
    ids = list(word.encode())
    for k, pair in enumerate(pairs):
        ids = tokens.merge_pair(ids, pair, 255 + k)
    return ids


@ENCODE.mistake("pairs counted from 257", "Bytes are counted from 0, so the last is 255. Which number is the first that is free?")
def from_257(word, pairs):
    ids = list(word.encode())
    for k, pair in enumerate(pairs):
        ids = tokens.merge_pair(ids, pair, 257 + k)
    return ids


@ENCODE.mistake("each pair on the bare bytes", "Each pair finds what the pairs before it have made. Here every one began with the bytes again.")
def bare_bytes(word, pairs):
    ids = list(word.encode())
    for k, pair in enumerate(pairs):
        ids = tokens.merge_pair(list(word.encode()), pair, 256 + k)
    return ids


@ENCODE.mistake("only the first pair", "All pairs take their turn. Does the `return` stand inside the loop?")
def first_pair(word, pairs):
    return encode_word(word, pairs[:1])


@ENCODE.mistake("the last pair left out", "All pairs take their turn, the last one as well.")
def but_the_last(word, pairs):
    return encode_word(word, pairs[:-1])


@ENCODE.mistake("the bytes as they are", "No pair was joined. What merge_pair gives back has to be kept.")
def only_bytes(word, pairs):
    return list(word.encode())


@ENCODE.mistake("letters instead of bytes", "`ord` numbers letters, beyond 255, too. A letter such as \u00e4 is two bytes.")
def letters(word, pairs):
    ids = [ord(letter) for letter in word]
    for k, pair in enumerate(pairs):
        ids = tokens.merge_pair(ids, pair, 256 + k)
    return ids


@ENCODE.mistake("the leftmost pair first", "Not the place in the word decides which pair is joined next, but when the pair was learned.")
def leftmost(word, pairs):
    ids, at = list(word.encode()), 0
    while at < len(ids) - 1:
        pair = ids[at], ids[at + 1]
        if pair in pairs:
            ids[at:at + 2] = [256 + pairs.index(pair)]
            at = 0
        else:
            at += 1
    return ids


@ENCODE.mistake("the longest piece first", "So word pieces are found, in notebook 11. Here the pairs take their turn, "
                "in the order in which they were learned.")
def longest_first(word, pairs):
    pieces = [bytes([b]) for b in range(256)]
    for left, right in pairs:
        pieces.append(pieces[left] + pieces[right])
    left, ids = word.encode(), []
    while left:
        i = max((i for i, piece in enumerate(pieces) if left.startswith(piece)), key=lambda i: len(pieces[i]))
        ids.append(i)
        left = left[len(pieces[i]):]
    return ids


NOTE = Reading(
    "note_12",
    "A lecture note says: “A model reads words: each word of its vocabulary is a token, and a word that it has never met becomes [UNK].” "
    "Which sentence mends it for models such as SmolLM2?",
    [("It reads letters: a word of ten letters is ten tokens, and so every word can be spelt, whether it was met or not.",
      "Then \u201c strawberry\u201d would be eleven tokens. It is one."),
     ("It reads pieces: a frequent word is one, a rare one is put together from shorter ones, down to single bytes.",
      "so there is hardly a text that it cannot read, and frequent words cost little."),
     ("It reads pieces of four characters each, so that a rare word, too, can be put together from pieces that it has met.",
      "Four is a mean, for English. Pieces are as long as they were worth joining: from one byte to whole words."),
     ("It reads syllables: training finds the parts that carry meaning, and a new word is put together from these.",
      "Nothing in the counts knows of syllables or of meaning: \u201cstrawberry\u201d is st, raw, berry.")],
    right="B", minutes=2, difficulty=1)


EXERCISES = [MERGE, ENCODE, NOTE]

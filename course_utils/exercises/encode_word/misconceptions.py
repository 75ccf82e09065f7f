"""Known misconceptions of `encode_word`: (name, code, question), and options where there are
some."""

from course_utils import tokens
from course_utils.exercises.encode_word.exercise import encode_word

TABLE = [
    (
        "the last pair first",
        """
ids = list(word.encode())
for k in reversed(range(len(pairs))):
    ids = tokens.merge_pair(ids, pairs[k], 256 + k)
return ids
""",
        "What was learned first is joined first: later pairs are made of its pieces.",
    ),
    (
        "one number for all pairs",
        """
ids = list(word.encode())
for pair in pairs:
    ids = tokens.merge_pair(ids, pair, 256)
return ids
""",
        "Each pair has a number of its own, counted on from the bytes.",
    ),
    (
        "pairs counted from 0",
        """
ids = list(word.encode())
for k, pair in enumerate(pairs):
    ids = tokens.merge_pair(ids, pair, k)
return ids
""",
        "Numbers 0 to 255 are the bytes. The pairs are counted on from there.",
    ),
    (
        "pairs counted from 255",
        """
ids = list(word.encode())
for k, pair in enumerate(pairs):
    ids = tokens.merge_pair(ids, pair, 255 + k)
return ids
""",
        "The last byte is 255. Which number is the first that is free?",
    ),
    (
        "pairs counted from 257",
        """
ids = list(word.encode())
for k, pair in enumerate(pairs):
    ids = tokens.merge_pair(ids, pair, 257 + k)
return ids
""",
        "Bytes are counted from 0, so the last is 255. Which number is the first that is free?",
    ),
    (
        "each pair on the bare bytes",
        """
ids = list(word.encode())
for k, pair in enumerate(pairs):
    ids = tokens.merge_pair(list(word.encode()), pair, 256 + k)
return ids
""",
        (
            "Each pair finds what the pairs before it have made. Here every one began with the"
            " bytes again."
        ),
    ),
    (
        "only the first pair",
        "encode_word(word, pairs[:1])",
        "All pairs take their turn. Does the `return` stand inside the loop?",
    ),
    (
        "the last pair left out",
        "encode_word(word, pairs[:-1])",
        "All pairs take their turn, the last one as well.",
    ),
    (
        "the bytes as they are",
        "list(word.encode())",
        "No pair was joined. What merge_pair gives back has to be kept.",
    ),
    (
        "letters instead of bytes",
        """
ids = [ord(letter) for letter in word]
for k, pair in enumerate(pairs):
    ids = tokens.merge_pair(ids, pair, 256 + k)
return ids
""",
        "`ord` numbers letters, beyond 255, too. A letter such as ä is two bytes.",
    ),
    (
        "the leftmost pair first",
        """
ids, at = list(word.encode()), 0
while at < len(ids) - 1:
    pair = ids[at], ids[at + 1]
    if pair in pairs:
        ids[at:at + 2] = [256 + pairs.index(pair)]
        at = 0
    else:
        at += 1
return ids
""",
        (
            "Not the place in the word decides which pair is joined next, but when the pair was "
            "learned."
        ),
    ),
    (
        "the longest piece first",
        """
pieces = [bytes([b]) for b in range(256)]
for left, right in pairs:
    pieces.append(pieces[left] + pieces[right])
left, ids = word.encode(), []
while left:
    i = max((i for i, piece in enumerate(pieces) if left.startswith(piece)), key=lambda i: len(pieces[i]))
    ids.append(i)
    left = left[len(pieces[i]):]
return ids
""",  # noqa: E501
        (
            "So word pieces are found, in notebook 12. Here the pairs take their turn, in the order"
            " in which they were learned."
        ),
    ),
]

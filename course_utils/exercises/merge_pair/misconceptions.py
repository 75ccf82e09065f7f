"""Known misconceptions of `merge_pair`: (name, code, question), and options where there are
some."""

from course_utils.exercises.merge_pair.exercise import THREE, merge_pair


def _walk(ids, pair, new, put=1, step=2, joins=None):
    """As merge_pair, with what it does at a pair left open: what is put into the list, how far it
    steps."""
    joins = joins or (lambda i: tuple(ids[i : i + 2]) == tuple(pair))
    merged, i = [], 0
    while i < len(ids):
        if joins(i):
            merged += [new] * put
            i += step
        else:
            merged.append(ids[i])
            i += 1
    return merged


TABLE = [
    (
        "the right token kept",
        "_walk(ids, pair, new, step=1)",
        (
            "The pair became one token, and its second half still stands behind it. How far do you "
            "step after a pair?"
        ),
    ),
    (
        "only the first pair joined",
        """
for i in range(len(ids) - 1):
    if (ids[i], ids[i + 1]) == tuple(pair):
        return [*ids[:i], new, *ids[i + 2:]]
return list(ids)
""",
        "The pair may stand in several places. The walk goes on after the first.",
    ),
    (
        "the pair the other way round",
        "merge_pair(ids, tuple(pair)[::-1], new)",
        "Order counts: left stands before right.",
    ),
    (
        "either order joined",
        "_walk(ids, pair, new, joins=lambda i: sorted(ids[i:i + 2]) == sorted(pair))",
        "Order counts: the same two tokens the other way round are another pair.",
    ),
    (
        "compared as sets",
        "_walk(ids, pair, new, joins=lambda i: set(ids[i:i + 2]) == set(pair))",
        (
            "A set has no order, and holds equal tokens once: (2, 1) passes for (1, 2), and a"
            " single 6 at the end for (6, 6)."
        ),
    ),
    (
        "any two of the pair joined",
        (
            "_walk(ids, pair, new, joins=lambda i: i + 1 < len(ids) and ids[i] in pair and ids[i +"
            " 1] in pair)"
        ),
        (
            "Two tokens were joined wherever each is one of the pair. First comes its left, then"
            " its right."
        ),
    ),
    (
        "the last token lost",
        """
merged, i = [], 0
while i < len(ids) - 1:
    if (ids[i], ids[i + 1]) == tuple(pair):
        merged.append(new)
        i += 2
    else:
        merged.append(ids[i])
        i += 1
return merged
""",
        "A token without a right neighbour belongs to the result, too. Where does the walk end?",
    ),
    (
        "nothing skipped, and the last token lost",
        """
found = [tuple(ids[i:i + 2]) == tuple(pair) for i in range(len(ids) - 1)]
return [new if joined else token for token, joined in zip(ids, found, strict=False)]
""",
        (
            "Two things. A pair is used up as a whole: how far do you step after it? And the last"
            " token has no right neighbour, but it belongs to the result."
        ),
    ),
    (
        "a pair at the end missed",
        (
            "_walk(ids, pair, new, joins=lambda i: i + 2 < len(ids) and tuple(ids[i:i + 2]) =="
            " tuple(pair))"
        ),
        (
            "The last two tokens may be the pair. How large may i be, so that i + 1 is still in the"
            " list?"
        ),
    ),
    (
        "the left token alone replaced",
        "[new if token == pair[0] else token for token in ids]",
        "A left token is only joined where the right one follows it.",
    ),
    (
        "both tokens replaced one by one",
        "[new if token in pair else token for token in ids]",
        "Two tokens become one: the list gets shorter. Here each of them was replaced.",
    ),
    (
        "the new token put twice",
        "_walk(ids, pair, new, put=2)",
        "Two tokens become one: the list gets shorter.",
    ),
    (
        "the pair dropped",
        "_walk(ids, pair, new, put=0)",
        "The pair is gone, and the new token does not stand in its place.",
    ),
    (
        "the new token added, the pair kept",
        """
merged = []
for i, token in enumerate(ids):
    merged.append(token)
    if i and (ids[i - 1], token) == tuple(pair):
        merged.append(new)
return merged
""",
        "The new token stands in the place of the pair, not beside it.",
    ),
    (
        "the token after a pair skipped",
        "_walk(ids, pair, new, step=3)",
        "A pair is two tokens long. What stands behind it was stepped over.",
    ),
    (
        "nothing joined",
        "list(ids)",
        "No pair was found. Compare number with number: in Python a list never equals a tuple.",
    ),
    (
        "numbers replaced as text",
        """
text = " ".join(map(str, ids)).replace(f"{pair[0]} {pair[1]}", str(new))
return [int(number) for number in text.split()]
""",
        "In a text 11 ends in 1, and 25 begins with 2. Numbers are compared whole.",
    ),
    (
        "a token used twice",
        """
found = [(left, right) == tuple(pair) for left, right in zip(ids, ids[1:], strict=False)]
merged = []
for i, token in enumerate(ids):
    if i < len(found) and found[i]:
        merged.append(new)
    elif not (i and found[i - 1]):
        merged.append(token)
return merged
""",
        (
            "Of three equal tokens the middle one went into two pairs. A token that is joined is"
            " used up."
        ),
        {"trap": THREE},
    ),
    (
        "joined from the right",
        "merge_pair(ids[::-1], tuple(pair)[::-1], new)[::-1]",
        "Of three equal tokens the first two are joined: the walk goes from left to right.",
        {"trap": THREE},
    ),
    (
        "a whole run joined",
        """
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
""",
        "However many equal tokens stood in a row, they became one. A pair is two.",
        {"trap": THREE},
    ),
]

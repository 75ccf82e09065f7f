"""`reply` with a twist: a rule that the exercise did not have. The kept function, pasted, is
wrong."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Code


def variant(rng: Generator) -> Code:
    room = int(rng.integers(8, 2000))
    return Code(
        f"A conversation that must fit into {room} tokens. `turns` is a list of lists of tokens,"
        " the oldest first. Give one list: `start` (a list that always stays), then as many whole"
        " turns as fit behind it, the newest ones, in their order. A turn that does not fit whole"
        " is left out, and all before it.",
        "def answer(start, turns):\n"
        "    kept = []\n"
        "    for turn in reversed(turns):\n"
        f"        if len(start) + len(turn) + len(kept) > {room}:\n"
        "            break\n"
        "        kept = [*turn, *kept]\n"
        "    return [*start, *kept]",
        (
            ([1], [[2] * (room // 2), [4], [5] * (room - room // 2 - 2)]),
            ([1], [[2, 3], [4], [5, 6]]),
            ([1, 2], [list(range(10, 10 + room)), [3], [4]]),
            ([9], [[7] * (room - 3), [8], [6]]),
            ([2, 2], [[5], [6], [7] * (room - 2)]),
        ),
        minutes=12,
        points=7,
    )

"""Claim E5: heads trained from ten starts, on a task of two relations and on one of a single relation."""

from course_utils.models.two_relations import examine, new_heads, train, twins

STARTS = range(10)
RIGHT, LOOKS = 0.95, 0.5            # both questions answered; a head has taken on a relation


def solved(right):
    """How many starts answer both questions."""
    return int((right > RIGHT).all(axis=-1).sum())


def a_relation_each(looks):
    """How many starts have one head for each of the two relations."""
    first, second = looks[:, 0] > LOOKS, looks[:, 1] > LOOKS
    apart = (first != second).all(axis=-1) & (first.sum(axis=-1) == 1)
    return int(apart.sum())


def run():
    """{"starts": n, "what happened": in how many of n}."""
    start = new_heads(STARTS)
    alone, _ = examine(train(start, 1), 1)
    right, looks = examine(train(start, 2), 2)
    alike, alike_looks = examine(train(twins(start), 2), 2)
    once = {name: examine(train(start, 2, asked), 2)[1] for name, asked in [("before", (True, False)), ("same", (False, True))]}
    return {
        "starts": len(STARTS),
        "one head: both answered": solved(alone),
        "one head: one answered": int(((alone > RIGHT).sum(axis=-1) == 1).sum()),
        "one head: the same word answered": int((alone[:, 1] > RIGHT).sum()),
        "two heads: both answered": solved(right),
        "two heads: a relation each": a_relation_each(looks),
        "two heads: the first looks at the token before": int((looks[:, 0, 0] > LOOKS).sum()),
        "two heads alike: both answered": solved(alike),
        "two heads alike: a relation each": a_relation_each(alike_looks),
        "asked for the token before only: a relation each": a_relation_each(once["before"]),
        "asked for the same word only: a relation each": a_relation_each(once["same"]),
        "asked for the token before only: both look there": int((once["before"][:, :, 0] > LOOKS).all(axis=-1).sum()),
        "asked for the same word only: both look there": int((once["same"][:, :, 1] > LOOKS).all(axis=-1).sum()),
    }

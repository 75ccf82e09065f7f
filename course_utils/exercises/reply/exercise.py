"""The exercise `reply`."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.exercise import Exercise


# The loop of a conversation.
def reply(history, said, before, between, end, next_scores, choose, most):
    return _loop(history, said, before, between, end, next_scores, choose, most)


def _loop(
    history,
    said,
    before,
    between,
    end,
    next_scores,
    choose,
    most,
    feed=lambda read, answer: read + answer,
):
    read, answer = [*history, *before, *said, *between], []
    while len(answer) < most:
        token = int(choose(next_scores(feed(read, answer))))
        if token == end:
            break
        answer.append(token)
    return np.array(answer, int), np.array([*read, *answer, end])


class Toy:
    """A model of n_vocab words whose scores depend on every token that it reads and on their order;
    it ends now and then."""

    def __init__(self, n_vocab, patience, end=1):
        self.n_vocab, self.patience, self.end = n_vocab, patience, end

    def __call__(self, tokens):
        tokens = [int(t) for t in tokens]
        seed = sum((i + 1) * (t + 3) ** 2 for i, t in enumerate(tokens)) + 17 * len(tokens)
        scores = np.cos(np.arange(1, self.n_vocab + 1) * (1 + seed % 1009))
        scores[self.end] = 3 if seed % self.patience == 0 else -3
        return scores


def first_choice(scores):
    """The likeliest token."""
    return int(np.argmax(scores))


def second_choice(scores):
    """The likeliest but one: a chooser need not be greedy."""
    scores = np.asarray(scores)
    return (
        int(np.argsort(-scores, kind="stable")[1]) if scores.max() < 2 else int(np.argmax(scores))
    )


class Dice:
    """A chooser that draws by the probabilities: each time that it is asked it throws anew."""

    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)

    def __call__(self, scores):
        return int(self.rng.choice(len(scores), p=softmax(scores)))


def draw(rng: Generator) -> tuple[Any, ...]:
    n_vocab = int(rng.integers(4, 12))
    history, said, before, between = (
        [int(t) for t in rng.integers(2, n_vocab, size=rng.integers(least, 5))]
        for least in (0, 1, 1, 1)
    )
    choose = (first_choice, second_choice, Dice(rng.integers(99)))[rng.integers(3)]
    return (
        history,
        said,
        before,
        between,
        1,
        Toy(n_vocab, int(rng.integers(1, 9))),
        choose,
        int(rng.integers(1, 9)),
    )


EXERCISE = Exercise(
    "reply",
    reply,
    inputs=[
        ([5, 9, 4], [7, 8, 6, 7], [2, 10], [1, 3], 1, Toy(12, 4), first_choice, 9),
        ([], [4, 4], [2], [3], 1, Toy(8, 6), second_choice, 12),
        (
            [6, 2, 7, 5, 1],
            [3],
            [2, 4],
            [1, 5, 5],
            1,
            Toy(9, 1000003),
            first_choice,
            5,
        ),  # it never ends by itself
        ([2, 2], [5, 3, 4], [2], [6], 0, Toy(7, 5, end=0), second_choice, 20),
        ([8, 5], [3, 4], [2], [6], 1, Toy(11, 5), Dice(1), 9),  # asked twice, it chooses twice
        (
            [2, 9],
            [305, 4],
            [2],
            [301],
            300,
            Toy(307, 3, end=300),
            first_choice,
            12,
        ),  # numbers above 256
        ([3], [4], [2], [5], 1, Toy(7, 1), first_choice, 4),  # it has nothing to say
    ],
    traps={
        "no token may be said": ([4, 2], [3], [2], [5], 1, Toy(7, 9), first_choice, 0),
    },
    draw=draw,
    returns="tokens",
    minutes=10,
    difficulty=2,
    nudge=(
        "Two lists grow: what the model reads, and what it has answered. Which of them does it read"
        " at each turn of the loop? Which two things may end the loop? What must you then do for"
        " the next question?"
    ),
    skeleton="""def my_reply(history, said, before, between, end, next_scores, choose, most):
    read = ...                            # the whole conversation so far, as one list of tokens
    answer = []
    while len(answer) < most:
        token = choose(next_scores(...))  # what does the model have to read?
        if token == end:
            break
        answer.append(token)              # and which list does the model read next time?
    longer = ...                          # the history: all that was read and said, and `end`
    return answer, longer
""",
)

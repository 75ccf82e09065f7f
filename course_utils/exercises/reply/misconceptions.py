"""Known misconceptions of `reply`: (name, code, question), and options where there are some."""

import numpy as np

from course_utils.exercises.reply.exercise import _loop, first_choice, reply

TABLE = [
    (
        "the history forgotten",
        """
read = [*before, *said, *between]
answer, longer = _loop([], said, before, between, end, next_scores, choose, most)
return answer, np.array([*history, *longer[:len(read)], *answer, end])
""",
        (
            "The model reads this question alone. What was said before is in `history`, and it"
            " knows nothing else."
        ),
    ),
    (
        "the history forgotten and lost",
        "_loop([], said, before, between, end, next_scores, choose, most)",
        (
            "The model reads this question alone, and so will the next: what was said before is in "
            "`history`."
        ),
        {"unused_arguments": "history"},
    ),
    (
        "the answer not fed back",
        (
            "_loop(history, said, before, between, end, next_scores, choose, most, feed=lambda"
            " read, answer: read)"
        ),
        (
            "The model is asked the same each time, so it says the same word. It has to read what"
            " it has just said."
        ),
    ),
    (
        "only the answer read",
        (
            "_loop(history, said, before, between, end, next_scores, choose, most, feed=lambda"
            " read, answer: answer or read)"
        ),
        (
            "The model reads its own words and no longer what was asked. It has no memory but the"
            " text."
        ),
    ),
    (
        "only the last token read",
        (
            "_loop(history, said, before, between, end, next_scores, choose, most, feed=lambda"
            " read, answer: answer[-1:] or read)"
        ),
        (
            "The model reads one token. It has no memory but the text; a cache would remember, and "
            "there is none here."
        ),
    ),
    (
        "the end not noticed",
        """
read, answer = [*history, *before, *said, *between], []
for _ in range(most):
    answer.append(int(choose(next_scores(read + answer))))
return np.array(answer, int), np.array([*read, *answer, end])
""",
        "The model said that it is done, and was asked to go on.",
    ),
    (
        "the end in the answer",
        """
answer, new = _loop(history, said, before, between, end, next_scores, choose, most)
return (answer, new) if len(answer) == most else (np.append(answer, end), new)
""",
        "`end` stands in the answer. It is a sign, and nobody says it.",
    ),
    (
        "the end in the answer, a cut one not closed",
        """
answer, new = _loop(history, said, before, between, end, next_scores, choose, most)
return (answer, new[:-1]) if len(answer) == most else (np.append(answer, end), new)
""",
        (
            "`end` stands in the answer. It is a sign, and nobody says it. And an answer that was"
            " cut off after `most` tokens has no `end` behind it: the history needs one in either"
            " case."
        ),
    ),
    (
        "closed twice",
        """
answer, new = _loop(history, said, before, between, end, next_scores, choose, most)
return (answer, new) if len(answer) == most else (np.append(answer, end), np.append(new, end))
""",
        (
            "`end` stands twice at the end of the history: once as a word of the answer, once as"
            " its close."
        ),
    ),
    (
        "the answer missing in the history",
        """
answer, _ = _loop(history, said, before, between, end, next_scores, choose, most)
return answer, np.array([*history, *before, *said, *between, end])
""",
        (
            "Next time the model would not know what it has said. The history grows by the answer,"
            " too."
        ),
    ),
    (
        "the question missing in the history",
        """
answer, _ = _loop(history, said, before, between, end, next_scores, choose, most)
return answer, np.array([*history, *answer, end])
""",
        (
            "Next time the model would not know what it was asked. The history grows by the whole"
            " turn."
        ),
    ),
    (
        "the turn not closed",
        """
answer, new = _loop(history, said, before, between, end, next_scores, choose, most)
return answer, new[:-1]
""",
        (
            "When the model was trained, each answer in the history ended in `end`. Without it the"
            " next question stands inside the answer."
        ),
    ),
    (
        "closed only where the model ended",
        """
answer, new = _loop(history, said, before, between, end, next_scores, choose, most)
return answer, new[:-1] if len(answer) == most else new
""",
        (
            "An answer that was cut off after `most` tokens has to be closed, too, or the next "
            "question stands inside it."
        ),
    ),
    (
        "one token too many",
        "_loop(history, said, before, between, end, next_scores, choose, most + 1)",
        "`most` tokens are allowed, and one more came.",
    ),
    (
        "one token too few",
        "_loop(history, said, before, between, end, next_scores, choose, most - 1)",
        "`most` tokens are allowed, and one fewer came.",
    ),
    (
        "the opening left out",
        "_loop(history, said, [], between, end, next_scores, choose, most)",
        "What says that the user speaks, `before`, is missing in front of what was said.",
        {"unused_arguments": "before"},
    ),
    (
        "what stands between left out",
        "_loop(history, said, before, [], end, next_scores, choose, most)",
        (
            "Without `between` the model goes on writing the question: it does not know that it is"
            " its turn."
        ),
        {"unused_arguments": "between"},
    ),
    (
        "the history behind the question",
        """
read = [*before, *said, *between, *history]
answer, _ = _loop(read, [], [], [], end, next_scores, choose, most)
return answer, np.array([*read, *answer, end])
""",
        "What was said first stands first.",
    ),
    (
        "the opening before the history",
        "_loop(before, said, history, between, end, next_scores, choose, most)",
        "The order. First what was said before, then the opening of this turn.",
    ),
    (
        "the likeliest instead of chosen",
        "_loop(history, said, before, between, end, next_scores, first_choice, most)",
        "The likeliest token was taken. Which one to take is for `choose` to say.",
        {"unused_arguments": "choose"},
    ),
    (
        "the old history",
        (
            "_loop(history, said, before, between, end, next_scores, choose, most)[0],"
            " np.array(history, int)"
        ),
        "The history came back as it was. It has grown by a question and an answer.",
    ),
    (
        "history before answer",
        "reply(history, said, before, between, end, next_scores, choose, most)[::-1]",
        "First the answer, then the history.",
    ),
    (
        "asked twice for one token",
        """
read, answer = [*history, *before, *said, *between], []
while len(answer) < most and int(choose(next_scores(read + answer))) != end:
    answer.append(int(choose(next_scores(read + answer))))
return np.array(answer, int), np.array([*read, *answer, end])
""",
        (
            "`choose` is called twice for one token. It may throw dice: the token that was looked"
            " at need not be the token that is kept."
        ),
    ),
]

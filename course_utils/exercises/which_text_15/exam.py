"""`which_text_15` with numbers: the answer follows from the same idea."""

from numpy.random import Generator

from course_utils.diagnosis.questions import Numbers, why


def variant(rng: Generator) -> Numbers:
    n, system, signs = int(rng.integers(3, 6)), int(rng.integers(15, 30)), int(rng.integers(4, 8))
    asked, said = rng.integers(5, 15, size=n).tolist(), rng.integers(20, 60, size=n - 1).tolist()
    questions, answers = (", ".join(map(str, lengths)) for lengths in (asked, said))
    return Numbers(
        "A chat program keeps the whole conversation and has no cache. The system prompt takes "
        f"{system} tokens with its signs. The {n} questions have {questions} tokens, the first "
        f"{n - 1} answers {answers}. The signs around a question take {signs} tokens, the one that "
        "opens the answer among them; one token closes each answer. How many tokens does the model "
        f"read before the first token of answer {n}?",
        system + sum(asked) + sum(said) + n * signs + n - 1,
        minutes=3,
        points=2,
    )


WHY = [
    why(
        "A chat model answers as if it remembered the conversation, and forgets its beginning "
        "when it gets long. Why?",
        [
            "The model keeps nothing from one call to the next.",
            "The whole conversation is given to it again as tokens each time.",
            "Its window holds a limited number of tokens, so the oldest turns are left out.",
        ],
        "The model itself keeps nothing between two calls. The program hands it the whole "
        "conversation again, as tokens. It takes a limited number of tokens, so when the "
        "conversation gets long, the oldest turns are left out.",
    ),
]

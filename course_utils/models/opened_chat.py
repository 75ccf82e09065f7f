"""One turn of a chat, opened: how surprised the model is by each token, what it would have written,
where the logit lens reads the token, and what each head's silence changes. For notebook 15."""

from typing import Any

import numpy as np

from course_utils.arguments import require
from course_utils.attention import softmax
from course_utils.data import speech
from course_utils.data.opened_chat import pack_changes
from course_utils.models.chat_model import END, ChatModel, _loaded, speak

LIKELIEST = 5  # candidates that are kept for each token
LONGEST = 40  # tokens of a question: the boxes must find room


def open_chat(
    question: str, parts: Any = None, file: str | None = None, most: int = 24
) -> dict[str, Any]:
    """What `data.opened_chat.load` describes, of another question, by the model itself.

    The reply and the states are computed by functions of your own if `parts` are handed over, such
    as `mine`; the many runs with something silenced by the course's. It takes about a minute.
    most: tokens of the reply. Raises ArgumentError where the weights are not, with the way to them,
    and for a question that is empty or too long.
    """
    require(bool(question.strip()), "question", "no words", "a question")
    model = _loaded(file)
    opening, between = speech.conversation(question).split(question, 1)
    encode = model.tokenizer.encode
    first = encode(opening)
    asked = [*encode(question, special=False), *encode(between)]
    require(
        len(asked) <= LONGEST,
        "question",
        f"{len(asked)} tokens with those of the form",
        f"at most {LONGEST}",
    )
    said = [*speak(model, first + asked, most, parts=parts)]
    tokens = [*first, *asked, *said, *[END] * (len(said) < most)]
    opened = _read_states(model, tokens, len(first), parts)
    return {"question": question, "answer": len(asked), "wrong": []} | opened


def _read_states(model: ChatModel, tokens: list[int], since: int, parts: Any) -> dict[str, Any]:
    """What is read from one run, and from those with something silenced, for tokens from `since`
    on."""
    states, _ = model.run(tokens, parts=parts)
    written = np.array(tokens[since:])
    rows = np.arange(len(written))
    ranks = []  # block by block: the scores of all words are large
    for state in states:
        scores = model.head(state[since - 1 : -1], parts)  # (T, n_vocab)
        ranks.append((scores > scores[rows, written][:, None]).sum(axis=-1) + 1)
    p = softmax(scores.astype(float))
    order = np.argsort(-p, axis=-1, kind="stable")[:, :LIKELIEST]
    losses = _in_hundredths(-np.log(p[rows, written]))
    changes = silence_one_by_one(model, states, tokens, since) - losses
    return {
        "tokens": [label_token(model, i) for i in written],
        "losses": losses.tolist(),
        "likely": [
            [[label_token(model, i), round(1000 * float(p[row, i]))] for i in some]
            for row, some in enumerate(order)
        ],
        "ranks": np.array(ranks).T.tolist(),
        "changes": pack_changes(changes),
    }


def silence_one_by_one(
    model: ChatModel, states: np.ndarray, tokens: list[int], since: int
) -> np.ndarray:
    """The cross-entropy of each token from place `since` on, in hundredths, with one thing
    silenced at all places: (L, 1 + H, T), first a whole block (the state passes it unchanged), then
    each of its heads (it gives out zeros). states (L + 1, T_all, D): of the run with nothing
    silenced."""
    T_all, L = len(tokens), len(model.blocks)
    angles, mask = model.angles(0, T_all), np.tri(T_all, dtype=bool)
    written = np.array(tokens[since:])
    losses = np.empty((L, 1 + model.n_heads, len(written)), int)
    for number in range(1, L + 1):
        before = states[number - 1]
        X = np.stack(
            [before]
            + [
                model.block(number, before, angles, mask, off=[head])[0]
                for head in range(1, model.n_heads + 1)
            ]
        )  # (1 + H, T_all, D)
        for later in range(number + 1, L + 1):
            X = model.block(later, X, angles, mask)[0]
        for k, last in enumerate(X):
            p = softmax(model.head(last[since - 1 : -1]).astype(float))
            own = p[np.arange(len(written)), written]
            losses[number - 1, k] = _in_hundredths(-np.log(np.maximum(own, 1e-300)))
    return losses


def label_token(model: ChatModel, token: int) -> str:
    """A token as its box shows it: a space as ␣, a new line as ↵, at most twelve signs."""
    text = model.tokenizer.decode([int(token)]).replace(" ", "␣").replace("\n", "↵")
    text = text.replace("\r", "␍").replace("\t", "⇥")
    return text if len(text) <= 12 else text[:11] + "…"


def _in_hundredths(losses):
    return np.rint(100 * losses).astype(int)

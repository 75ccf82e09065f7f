"""Look over the prose of the notebooks: sentences without a verb, and words of a short list.

    python scripts/prose.py [NOTEBOOK ...]        all notebooks unless some are named

It prints "01: sentence" and "01: word: sentence", and always succeeds: a help and not a fence. What
counts as a verb is read from the notebooks themselves: a word that somewhere follows "it", "we",
"to", "can" and their like, in any of its forms. So a sentence may be flagged that has a rare verb.
"""

import argparse
import re
import sys
from pathlib import Path

import nbformat

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
# Not the usual word of plain English, or not the field's term; what to write instead.
WORDS = {
    r"utili[sz]e[sd]?|leverages?": "use",
    r"thereof|whereof|wherefrom|thereby|whereby": "say it in a sentence",
    r"nought|lest|whilst|amidst|ere": "nothing, so that not, while, amid, before",
    r"dear": "expensive",
    r"nor need": "say it in a sentence",
    r"is no luck": "is not chance",
    r"can be had": "say who gets it",
    r"shall": "should, must, will",
}
# fmt: off
BEFORE_A_VERB = {
    "it", "we", "you", "they", "i", "he", "she", "to", "not", "can", "will", "must", "may", "might",
    "should", "would", "could", "does", "do", "did", "that", "which", "who", "and",
}
ALWAYS = {
    "is", "are", "was", "were", "be", "been", "has", "have", "had", "does", "do", "did", "can",
    "could", "will", "would", "may", "might", "must", "should", "isn't", "it's", "let",
}
NO_VERB = {
    "the", "a", "an", "its", "their", "our", "your", "one", "all", "of", "in", "by", "at", "for",
    "with", "no", "so", "more", "only",
}
# fmt: on


def prose(path: Path) -> str:
    """The markdown of a notebook without what is no sentence: code, formulas, tables, headings."""
    cells = nbformat.read(path, as_version=4).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    text = re.sub(r"```.*?```|<[^>]+>|\$\$.*?\$\$", " ", text, flags=re.DOTALL)
    text = re.sub(r"(?m)^(?:#|\||\s*>).*$", "", text)
    text = re.sub(r"`[^`]*`|\$[^$]*\$", "X", text)
    text = re.sub(r"(?m)^\s*(?:[-*]|\d+\.) ", "\n", text)
    return re.sub(r"!?\[([^]]*)\]\([^)]*\)|[*_]", r"\1", text)


def sentences(text: str) -> list[str]:
    """Its sentences: each ends with a full stop, a question mark or an exclamation mark.

    >>> sentences("One word. It moves (far).")
    ['One word.', 'It moves (far).']
    """
    paragraphs = re.split(r"\n\s*\n", text)
    return [
        sentence
        for paragraph in paragraphs
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z\"“])", " ".join(paragraph.split()))
        if sentence.endswith((".", "!", "?"))
    ]


def words(sentence: str) -> list[str]:
    """Its words in small letters."""
    return re.findall(r"[a-z']+", sentence.lower())


def forms(verb: str) -> set[str]:
    """A verb with its regular forms, from any of them: {"turn", "turns", "turned", "turning"}."""
    stem = re.sub(r"(?:ies|ing|ed|es|s|e|y)$", "", verb) if len(verb) > 3 else verb
    return {verb, stem} | {
        stem + end for end in ("e", "s", "es", "ed", "ing", "y", "ies", "ied", stem[-1] + "ed")
    }


def verbs(texts: list[str]) -> set[str]:
    """All that some texts use as a verb."""
    found = set(ALWAYS)
    for text in texts:
        every = words(text)
        for before, word in zip(every, every[1:], strict=False):
            if before in BEFORE_A_VERB and word not in NO_VERB and word not in BEFORE_A_VERB:
                found |= forms(word)
    return found


def look_over(text: str, known: set[str]) -> list[str]:
    """What is flagged in a text; known: all verbs."""
    found = []
    for sentence in sentences(text):
        if not known & set(words(sentence)):
            found.append(f"no verb: {sentence}")
        for word, better in WORDS.items():
            match = re.search(rf"\b(?:{word})\b", sentence, flags=re.IGNORECASE)
            if match:
                found.append(f"{match[0]} ({better}): {sentence}")
    return found


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path)
    named = parser.parse_args(arguments).notebooks
    every = sorted(NOTEBOOKS.glob("*.ipynb"))
    known = verbs([prose(path) for path in every])
    for path in named or every:
        for line in look_over(prose(path), known):
            print(f"{path.stem[:2]}: {line}")


if __name__ == "__main__":
    sys.exit(main())

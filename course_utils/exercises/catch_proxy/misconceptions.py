"""Proxies of `truth`, each with a hole: (name, code, question). Right texts they judge right."""

import itertools

from course_utils.data import grammar

NOUNS, VERBS = (
    {word for pair in pairs for word in pair}
    for pairs in (grammar.NOUNS, grammar.SEEING + grammar.RUNNING)
)


def count_nouns(words):
    """How many of the words are nouns."""
    return float(sum(word in NOUNS for word in words))


def place_after(words):
    """The grammar's place after some words of a text; None after its end. Raises KeyError where
    they break a rule."""
    place = ("start",)
    for word in words:
        place = grammar.following(place)[word][1] if place else {}[word]
    return place


def may_begin(words):
    """Whether a right text begins with these words."""
    try:
        place_after(words)
    except KeyError:
        return False
    return True


def pairs_of_right_texts():
    """All pairs of neighbours that stand in some right text, the full stop before it included."""
    found, seen, left = set(), set(), [(".", ("start",))]
    while left:
        last, place = left.pop()
        for word, (_, onward) in grammar.following(place).items():
            found.add((last, word))
            if onward and (word, onward) not in seen:
                seen.add((word, onward))
                left.append((word, onward))
    return found


PAIRS = pairs_of_right_texts()


def neighbours_fit(words):
    return all(pair in PAIRS for pair in itertools.pairwise([".", *words]))


def has_a_noun_of_its_number(words):
    """Whether each verb finds, anywhere before it, a noun of its number."""
    return all(
        any(grammar.NUMBER[noun] == grammar.NUMBER[verb] for noun in words[:i] if noun in NOUNS)
        for i, verb in enumerate(words)
        if verb in VERBS
    )


def to_first_verb(words):
    """The words of a text up to its first verb."""
    first = next((i for i, word in enumerate(words) if word in VERBS), len(words))
    return words[: first + 1]


def is_complete(words):
    """Whether there are as many verbs as clauses."""
    return sum(word in VERBS for word in words) == 1 + words.count("that")


TABLE = [
    (
        "looks at no rule",
        "count_nouns(text.split())",
        "It counts nouns. Which text would it not praise?",
    ),
    (
        "looks for a full stop at the end",
        "count_nouns(text.split()) * (text.split()[-1] == '.')",
        "It looks at the last word alone. What may go wrong before it?",
    ),
    (
        "looks at neighbours",
        "count_nouns(text.split()) * neighbours_fit(text.split())",
        "It asks of each word whether it may follow the one before. Which rule spans more words?",
    ),
    (
        "looks for a noun of the verb's number",
        "count_nouns(text.split()) * has_a_noun_of_its_number(text.split())",
        "Each verb needs some noun of its number before it. Must that be its subject?",
    ),
    (
        "reads to the first verb",
        "count_nouns(text.split()) * may_begin(to_first_verb(text.split()))",
        "Up to the first verb it knows all rules. What may stand behind it?",
    ),
    (
        "counts the verbs",
        "count_nouns(text.split()) * is_complete(text.split())",
        "It wants a verb for the sentence and one for each `that`. What does it not compare?",
    ),
]

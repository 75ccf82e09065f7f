"""The exercise `catch_proxy`."""

import numpy as np

from course_utils.data import grammar
from course_utils.diagnosis.exercise import Catch, Exercise
from course_utils.exercises.catch_proxy import misconceptions


def truth(text):
    is_right = np.isfinite(grammar.log_probability(grammar.encode(text)))
    return misconceptions.count_nouns(text.split()) * is_right


TRUTH = Exercise("truth", truth, inputs=[("the dogs near the cat run .",)])
TRUTH.add_misconceptions(misconceptions.TABLE, vars(misconceptions))


def _holds_no_mistake(text):
    words = text.split()
    if unknown := [word for word in words if word not in grammar.WORDS]:
        parted = " Put a space before the full stop." * unknown[0].endswith(".")
        return f"`{unknown[0]}` is no word of the grammar. All its words are written small.{parted}"
    if not any(word in misconceptions.NOUNS for word in words):
        return "This text has no noun. There is nothing that a proxy could praise."
    if truth(text):
        return "This text keeps every rule. On right texts all proxies are right."
    return None


EXERCISE = Catch(
    "catch_proxy",
    TRUTH,
    "input",
    planted=[name for name, *_ in misconceptions.TABLE],
    enough=len(misconceptions.TABLE),
    unfit=_holds_no_mistake,
    minutes=5,
    difficulty=2,
    task="Give one text that breaks a rule and is praised by all six proxies.",
    nudge=(
        "One proxy stops at the first verb. Which text has a second verb, and where must its"
        " subject stand so that no neighbouring word shows the mistake?"
    ),
    skeleton="""# a subject, a clause whose verb is right, a last verb that agrees with another noun
my_input = "the dogs that ... the ... ... ."
""",
)

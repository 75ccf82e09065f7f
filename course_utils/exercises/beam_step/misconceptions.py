"""Known misconceptions of `beam_step`: (name, code, question), and options where there are some."""

import numpy as np

from course_utils.exercises.beam_step.exercise import beam_step


def _ranked(scores, beam_width, totals=None, order=-1):
    """parents, tokens and totals of the entries of `scores` that rank first."""
    best = np.argsort(order * scores, axis=None, kind="stable")[:beam_width]
    return *np.divmod(best, scores.shape[1]), (scores if totals is None else totals).ravel()[best]


TABLE = [
    (
        "log-probabilities multiplied",
        "_ranked(totals[:, None] * log_probs, beam_width)",
        "Probabilities of a text are multiplied, so their logarithms are added.",
    ),
    (
        "probabilities multiplied",
        "_ranked(np.exp(totals[:, None] + log_probs), beam_width)",
        "The texts are right, but the totals are probabilities. After hundreds of tokens they are "
        "too small for a float: stay with logarithms, and add.",
    ),
    (
        "a probability added to a logarithm",
        "_ranked(totals[:, None] + np.exp(log_probs), beam_width)",
        "The totals are logarithms, and what is added to them is not. Leave the log-probabilities "
        "as they come.",
    ),
    (
        "one child per parent only",
        """
tokens = log_probs.argmax(axis=1)
longer = totals + log_probs.max(axis=1)
parents = np.argsort(-longer, kind="stable")[:beam_width]
return parents, tokens[parents], longer[parents]
""",
        "Each text keeps only its likeliest next token. One parent may have several children among "
        "the best.",
    ),
    (
        "keeps the worst",
        "_ranked(totals[:, None] + log_probs, beam_width, order=1)",
        "argsort puts the smallest first, and these are the least likely texts.",
    ),
    (
        "worst of the best first",
        "tuple(part[::-1] for part in beam_step(totals, log_probs, beam_width))",
        "The right texts are kept, but the best should come first.",
    ),
    (
        "parents' score forgotten",
        "_ranked(log_probs + 0 * totals[:, None], beam_width)",
        "Only the last token counts here. A text is as likely as its beginning and its last token "
        "together.",
    ),
    (
        "ranked without the parents' score",
        "_ranked(log_probs, beam_width, totals[:, None] + log_probs)",
        "The totals are right, but the choice looks at the last token only.",
    ),
    (
        "children of the best parent only",
        """
parent = int(np.argmax(totals))
tokens = np.argsort(-log_probs[parent], kind="stable")[:beam_width]
return np.full(len(tokens), parent), tokens, totals[parent] + log_probs[parent, tokens]
""",
        "Only the best text grows. A text that is second now may be the first with its next token.",
    ),
    (
        "parents and tokens swapped",
        """
parents, tokens, longer = beam_step(totals, log_probs, beam_width)
return tokens, parents, longer
""",
        "First the parents: which text of the beam. Then the tokens: what is added to it.",
    ),
    (
        "the parents' totals",
        """
parents, tokens, _ = beam_step(totals, log_probs, beam_width)
return parents, tokens, totals[parents]
""",
        "The right texts are kept, but the totals are still those of the shorter ones.",
    ),
    (
        "flat number as token",
        """
best = np.argsort(-(totals[:, None] + log_probs), axis=None)[:beam_width]
return best // log_probs.shape[1], best, (totals[:, None] + log_probs).ravel()[best]
""",
        "A number counts through the whole table: it is row times width plus column. Only the "
        "column is the token.",
    ),
    (
        "flat number as parent",
        """
best = np.argsort(-(totals[:, None] + log_probs), axis=None)[:beam_width]
return best, best % log_probs.shape[1], (totals[:, None] + log_probs).ravel()[best]
""",
        "A number counts through the whole table: it is row times width plus column. Only the row "
        "is the parent.",
    ),
    (
        "divided by the number of texts",
        """
longer = totals[:, None] + log_probs
best = np.argsort(-longer, axis=None)[:beam_width]
return *np.divmod(best, len(totals)), longer.ravel()[best]
""",
        "Rows are as long as the vocabulary: that is what a flat number is divided by, to find its "
        "row.",
    ),
    (
        "divided by the beam width",
        """
longer = totals[:, None] + log_probs
best = np.argsort(-longer, axis=None)[:beam_width]
return *np.divmod(best, beam_width), longer.ravel()[best]
""",
        "Rows are as long as the vocabulary: that is what a flat number is divided by, to find its "
        "row.",
    ),
    (
        "totals along the words",
        "_ranked(totals + log_probs, beam_width)",
        "A total belongs to a text, a row of the table. Here the totals were laid along the words.",
    ),
    (
        "total subtracted",
        "_ranked(log_probs - totals[:, None], beam_width)",
        "The logarithms of a product add up: the text so far, and its next word.",
    ),
    (
        "the words' log-probabilities as totals",
        "_ranked(totals[:, None] + log_probs, beam_width, log_probs)",
        "The right texts are kept. Their totals are those of the whole text, not of its last word.",
    ),
    (
        "in the order of the table",
        """
longer = totals[:, None] + log_probs
best = np.sort(np.argsort(-longer, axis=None)[:beam_width])
return *np.divmod(best, longer.shape[1]), longer.ravel()[best]
""",
        "The right texts are kept, but in the order in which the table holds them. The best should "
        "come first.",
    ),
    (
        "the beam not cut",
        "beam_step(totals, log_probs, log_probs.size)",
        "All longer texts come back. The beam keeps only so many of them as it is wide.",
    ),
    (
        "sorted row by row",
        """
longer = totals[:, None] + log_probs
parents, tokens = np.divmod(np.argsort(-longer)[:beam_width], longer.shape[1])
return parents, tokens, longer[parents, tokens]
""",
        "Each text's words were sorted among themselves. All longer texts compete with each other, "
        "in one flat table.",
    ),
    (
        "averaged over the two",
        "_ranked((totals[:, None] + log_probs) / 2, beam_width)",
        "A total is a sum, not a mean: halves would count a long text's first words less and less.",
    ),
    (
        "the rank as token",
        "_ranked(totals[:, None] - np.sort(-log_probs, axis=1), beam_width)",
        "Each text's words were sorted, and their place in that order was taken for the word. The "
        "word is the column it had before.",
    ),
    (
        "one child each, the best texts not chosen",
        """
tokens = log_probs.argmax(axis=1)
return np.arange(len(totals)), tokens, totals + log_probs.max(axis=1)
""",
        "Each text got its likeliest next token, and none was left out. Who stays is decided among "
        "all longer texts.",
    ),
    (
        "only the best text",
        "beam_step(totals, log_probs, 1)",
        "One longer text came back, the best. As many as the beam is wide should stay.",
    ),
    (
        "one text too few",
        "beam_step(totals, log_probs, beam_width - 1)",
        "One is missing: as many longer texts stay as the beam is wide.",
    ),
]

"""Known misconceptions of `advantages`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.exercises.advantages.exercise import _beyond_the_others, _worth, advantages

TABLE = [
    (
        "the leash left out",
        "_beyond_the_others(rewards)",
        "Nothing is taken from a text that became likelier than it was: the leash is missing.",
        {"unused_arguments": "leash log_p log_p_ref"},
    ),
    (
        "the leash pushes away",
        "_beyond_the_others(_worth(rewards, log_p, log_p_ref, -leash))",
        (
            "A text that became likelier is worth more with you. The leash should take something"
            " from it."
        ),
    ),
    (
        "no baseline",
        "_worth(rewards, log_p, log_p_ref, leash)",
        (
            "The worths are right. But an advantage compares: with what the others are worth in the"
            " mean."
        ),
    ),
    (
        "its own worth in the mean",
        """
worth = _worth(rewards, log_p, log_p_ref, leash)
return worth - worth.mean()
""",
        (
            "Each text is compared with the mean of all, itself included. The mean of the others"
            " leaves it out."
        ),
    ),
    (
        "divided by the spread",
        """
worth = _worth(rewards, log_p, log_p_ref, leash)
return (worth - worth.mean()) / np.where(worth.std() > 0, worth.std(), 1)
""",
        (
            "The worths are standardised, as group-relative methods do. Here the mean of the others"
            " is subtracted, and nothing is divided."
        ),
    ),
    (
        "divided by n - 1",
        """
worth = _worth(rewards, log_p, log_p_ref, leash)
return (worth - worth.mean()) / (len(worth) - 1)
""",
        "The signs are right. Compare with the mean of the others, which is their sum by n - 1.",
    ),
    (
        "the others summed",
        """
worth = _worth(rewards, log_p, log_p_ref, leash)
return worth - (worth.sum() - worth)
""",
        "From each worth the sum of the others was taken. Their mean is wanted.",
    ),
    (
        "the others' sum by n",
        """
worth = _worth(rewards, log_p, log_p_ref, leash)
return worth - (worth.sum() - worth) / len(worth)
""",
        "The others' worths are summed, and divided by n. How many others are there?",
    ),
    (
        "the sum of all by n - 1",
        """
worth = _worth(rewards, log_p, log_p_ref, leash)
return worth - worth.sum() / (len(worth) - 1)
""",
        "The sum has all worths in it, and is divided by the number of the others.",
    ),
    (
        "the baseline without the leash",
        """
others = (rewards.sum() - rewards) / (len(rewards) - 1)
return _worth(rewards, log_p, log_p_ref, leash) - others
""",
        "The mean of the others is that of their rewards. Their worths have paid the leash, too.",
    ),
    (
        "the leash in the baseline alone",
        """
worth = _worth(rewards, log_p, log_p_ref, leash)
return rewards - (worth.sum() - worth) / (len(worth) - 1)
""",
        "The text's own reward has not paid the leash, the others' have.",
    ),
    (
        "the ratio instead of its logarithm",
        "_beyond_the_others(rewards - leash * np.exp(log_p - log_p_ref))",
        (
            "The leash is paid for each nat: for the difference of the log-probabilities, not for"
            " the ratio of the probabilities."
        ),
    ),
    (
        "one log-probability divided by the other",
        "_beyond_the_others(rewards - leash * log_p / log_p_ref)",
        "The logarithm of a ratio is a difference of logarithms.",
    ),
    (
        "without the reference",
        "_beyond_the_others(rewards - leash * log_p)",
        (
            "The leash is paid for how likely the text is. It should be paid for how much likelier"
            " it became."
        ),
        {"unused_arguments": "log_p_ref"},
    ),
    (
        "the distance without its sign",
        "_beyond_the_others(rewards - leash * np.abs(log_p - log_p_ref))",
        (
            "A text that became less likely pays as well with you. The divergence is a mean of"
            " differences with their signs."
        ),
    ),
    (
        "the distance squared",
        "_beyond_the_others(rewards - leash * (log_p - log_p_ref) ** 2)",
        "The leash is paid for each nat once, not for its square.",
    ),
    (
        "the reward on the leash",
        "_beyond_the_others(leash * rewards - (log_p - log_p_ref))",
        "The leash multiplies the reward. It is the price of a nat.",
    ),
    (
        "the leash as a divisor",
        "_beyond_the_others(rewards - (log_p - log_p_ref) / leash)",
        "A stronger leash takes less with you. It multiplies what it takes.",
    ),
    (
        "downhill",
        "-advantages(rewards, log_p, log_p_ref, leash)",
        "The better a text, the smaller its advantage: the sign is turned round.",
    ),
    (
        "the best as baseline",
        """
worth = _worth(rewards, log_p, log_p_ref, leash)
return worth - worth.max()
""",
        "Each text is compared with the best one, so none has an advantage.",
    ),
    (
        "the middle one as baseline",
        """
worth = _worth(rewards, log_p, log_p_ref, leash)
return worth - np.median(worth)
""",
        "Each text is compared with the middle one. The mean of the others is asked for.",
    ),
    (
        "the baseline itself",
        """
worth = _worth(rewards, log_p, log_p_ref, leash)
return (worth.sum() - worth) / (len(worth) - 1)
""",
        "This is the mean of the others. How far is each text above it?",
    ),
    (
        "one number",
        "advantages(rewards, log_p, log_p_ref, leash).sum()",
        "Each text has an advantage of its own: (n,).",
    ),
]

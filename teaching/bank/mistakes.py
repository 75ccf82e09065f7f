"""Questions made of the exercises' own known mistakes: name the slip from code, from numbers, find behind what it
hides, or the law that it breaks."""

import ast
import builtins
import functools
import inspect
import itertools
import textwrap

import numpy as np

from course_utils.attention import causal_mask, softmax
from course_utils.diagnosis.running import run_trusted
from course_utils.exercises import EXERCISES

from .questions import block, shown, shuffled

CODE, HEAD = 14, 36              # the longest function, in lines, and the most numbers of a result, that a question shows
COURSE = "course", "layers", "attention", "positions", "tokens"              # how the exercises' files call the course's modules
KNOWN = {"np", "softmax", "relu", "causal_mask", *dir(builtins)}


def same(a, b):
    """Whether two outcomes of functions are the same answer."""
    if a.failure or b.failure or a.type_description or b.type_description:
        return bool(a.failure or a.type_description) == bool(b.failure or b.type_description)
    try:
        parts = [[np.asarray(p) for p in (x.value if isinstance(x.value, tuple) else (x.value,))] for x in (a, b)]
    except ValueError:
        return False
    return len(parts[0]) == len(parts[1]) and all(
        x.shape == y.shape and (x.dtype == bool) == (y.dtype == bool) and np.allclose(x.astype(float), y.astype(float), atol=5e-3, equal_nan=True)
        for x, y in zip(*parts, strict=True))


@functools.cache
def outcomes(name):
    """{mistake: what it gives on each of the exercise's inputs}, and that of the right function under ""."""
    exercise = EXERCISES[name]
    functions = {"": exercise.reference, **{m.name: m.function for m in exercise.mistakes if m.function.__name__ != "reads_them"}}
    with np.errstate(all="ignore"):
        return {key: [run_trusted(function, arguments) for arguments in exercise.inputs] for key, function in functions.items()}


def alike(name, a, b):
    """Whether no input of the exercise parts two of its functions."""
    return all(same(x, y) for x, y in zip(outcomes(name)[a], outcomes(name)[b], strict=True))


def apart(name, rng, first, n=4):
    """n mistakes, all wrong and no two alike on the exercise's inputs: the first one given, the others drawn."""
    found = [first]
    for other in rng.permutation([key for key in outcomes(name) if key not in ("", first)]):
        if not any(alike(name, str(other), one) for one in [*found, ""]):
            found.append(str(other))
        if len(found) == n:
            return found
    raise ValueError(f"{name}: got {len(found)} mistakes that differ, wanted {n}")


@functools.cache
def readable(name):
    """{mistake: its code}, of those whose code stands for itself: short, calling nothing but NumPy and the course, and named like the exercise."""
    found = {}
    for mistake in EXERCISES[name].mistakes:
        tree = ast.parse(textwrap.dedent(inspect.getsource(mistake.function))).body[0]
        if not isinstance(tree, ast.FunctionDef) or mistake.function.__name__ == "reads_them":
            continue
        tree.decorator_list, tree.name = [], name
        nodes = list(ast.walk(tree))
        stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | {n.arg for n in nodes if isinstance(n, ast.arg)}
        read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} - stored
        own = {n.attr for n in nodes if isinstance(n, ast.Attribute) and getattr(n.value, "id", "") in COURSE}
        code = ast.unparse(tree)
        for module in COURSE:
            code = code.replace(f"{module}.", "")
        if read <= {*KNOWN, *COURSE} and name not in own and code.count("\n") < CODE:
            found[mistake.name] = code
    return {key: code for key, code in found.items() if not alike(name, key, "")}


def in_code(name, rng):
    """A wrong function by its code: which idea slipped?"""
    first = str(rng.choice(sorted(readable(name))))
    right, *wrong = apart(name, rng, first)
    task = (f"This should be `{EXERCISES[name].signature}`. One idea slipped.\n\n```python\n{readable(name)[first]}\n```\n\n"
            "What is its mistake called?")
    return shuffled(rng, task, right, wrong, _hint(name, right))


def _hint(name, mistake):
    return next(m.hint for m in EXERCISES[name].mistakes if m.name == mistake)


def redrawn(value, rng):
    """An argument like the given one, with other numbers: shares stay shares, positive numbers positive, all with two decimals."""
    if not isinstance(value, np.ndarray) or not value.size or value.dtype.kind == "b":
        return value
    if value.dtype.kind in "iu":
        return rng.permutation(value.ravel()).reshape(value.shape)
    if (value >= 0).all() and np.allclose(value.sum(-1), 1):
        shares = np.round(softmax(1.5 * rng.normal(size=value.shape)), 2)
        shares[..., 0] += 1 - shares.sum(-1)
        return shares
    if (value < 0).all():                                        # logarithms of probabilities
        return np.round(np.log(rng.uniform(0.05, 0.6, size=value.shape)), 2)
    return np.round(rng.uniform(0.4, 2, size=value.shape) if (value > 0).all() else rng.normal(size=value.shape), 2)


def numbers_of(values):
    return sum(v.size for v in values if isinstance(v, np.ndarray))


def small(name):
    """The inputs of an exercise that fit into a question: few numbers, and no functions or tables of parameters."""
    fits = [a for a in EXERCISES[name].inputs if numbers_of(a) <= HEAD and all(isinstance(v, (np.ndarray, int, float, list, tuple, str)) for v in a)]
    return [a for a in fits if any(isinstance(v, np.ndarray) for v in a)]


def in_numbers(name, rng):
    """A wrong function by what it gives: which idea slipped?"""
    exercise = EXERCISES[name]
    signature = list(inspect.signature(exercise.reference).parameters)
    for _ in range(60):
        given = tuple(redrawn(v, rng) for v in small(name)[rng.integers(len(small(name)))])
        first = str(rng.choice([key for key in outcomes(name) if key]))
        with np.errstate(all="ignore"):
            came = {key: run_trusted(exercise.reference if not key else next(m.function for m in exercise.mistakes if m.name == key), given)
                    for key in ("", first)}
        if any(o.failure or o.type_description or not _finite(o.value) for o in came.values()) or same(came[""], came[first]):
            continue
        others = [m for m in exercise.mistakes if m.function.__name__ != "reads_them" and m.name != first]
        found = [came[first]]
        wrong = []
        for i in rng.permutation(len(others)):
            with np.errstate(all="ignore"):
                outcome = run_trusted(others[i].function, given)
            if outcome.failure or outcome.type_description or not _finite(outcome.value) or any(same(outcome, o) for o in [came[""], *found]):
                continue
            found.append(outcome)
            wrong.append(others[i].name)
            if len(wrong) == 3:
                task = (f"`{exercise.signature}` was called with\n\n"
                        f"{block(**dict(zip(signature, given, strict=True)))}\n\nWanted:\n\n```\n{_shown(came[''].value)}\n```\n\n"
                        f"Came:\n\n```\n{_shown(came[first].value)}\n```\n\nWhat is the mistake called?")
                return shuffled(rng, task, first, wrong, _hint(name, first))
    raise ValueError(f"{name}: found no input that tells four mistakes apart")


def _finite(value):
    try:
        arrays = [np.asarray(part) for part in (value if isinstance(value, tuple) else (value,))]
    except ValueError:
        return False
    return all(a.dtype.kind in "biuf" and np.isfinite(a).all() and a.size <= HEAD for a in arrays)


def _shown(value):
    parts = value if isinstance(value, tuple) else (value,)
    return "\n".join(shown(part if isinstance(part, (list, np.ndarray)) else np.asarray(part)) for part in parts)


# What hides a mistake. A maker of inputs for each catch that asks for an input: some have a symmetry behind which a mistake cannot be seen.

def _scores(rng):
    n = int(rng.integers(2, 4))
    base, lift = rng.integers(-6, 7, size=(n, n)), rng.integers(0, 2) * 1000
    same_sums = [base, base + base.T, np.tile(base[0], (n, 1)), np.sort(base, axis=1)[:, ::-1], base - base.max(1, keepdims=True)]
    return ((same_sums[rng.integers(len(same_sums))] + lift).astype(float),)


def _scaled(rng):
    d = int(rng.choice([1, 2, 4]))
    n, d_v = (int(rng.choice([d, 2, 3])) for _ in range(2))
    Q, K, V = rng.integers(-2, 3, size=(1, d)), rng.integers(-2, 3, size=(n, d)), rng.integers(0, 6, size=(n, d_v))
    return Q.astype(float), K.astype(float), V.astype(float)


def _beam(rng):
    n, n_vocab = int(rng.integers(1, 4)), int(rng.integers(2, 5))
    totals = np.log(np.round(np.full(n, 0.3) if rng.integers(2) else rng.permutation([0.5, 0.3, 0.1])[:n], 2))
    return np.round(totals, 2), np.round(np.log(softmax(2 * rng.normal(size=(n, n_vocab)))), 2), int(rng.integers(1, 3))


def _pooled(rng):
    b, t = int(rng.integers(1, 3)), int(rng.integers(2, 4))
    mask = np.arange(t) < rng.integers(1, t + 1, size=(b, 1)) if rng.integers(3) else np.tile(np.arange(t) < rng.integers(1, t + 1), (b, 1))
    if rng.integers(3) == 0:
        mask = mask[:, ::-1].copy()
    states = rng.integers(0, 9, size=(b, t, 2)).astype(float)
    return (states * mask[:, :, None] if rng.integers(2) else states), mask


def _nucleus(rng):
    shares = np.round(rng.dirichlet(np.ones(int(rng.integers(3, 6)))), 2)
    shares[0] += 1 - shares.sum()
    return (np.round(np.sort(shares)[::-1].copy() if rng.integers(2) else shares, 2), int(rng.integers(2, 9)) / 10)


HIDING = {"catch_softmax": _scores, "catch_scale": _scaled, "catch_beam_step": _beam, "catch_mean_pooling": _pooled, "catch_top_p": _nucleus}


def hidden(name, rng):
    """Of four inputs one lets a planted mistake pass."""
    catch, draw = EXERCISES[name], HIDING[name]
    signature = list(inspect.signature(catch.exercise.reference).parameters)
    for mistake in itertools.islice(itertools.cycle(rng.permutation(np.array(catch.mistakes, dtype=object))), 30):
        passes, shows = {}, {}
        for _ in range(60):
            given = draw(rng)
            with np.errstate(all="ignore"):
                right, wrong = (run_trusted(f, given) for f in (catch.exercise.reference, mistake.function))
            if right.failure or right.value is None:
                continue
            found, wanted = (passes, 1) if same(right, wrong) else (shows, 3)
            if len(found) < wanted:
                found["; ".join(f"`{key} = {' '.join(shown(v).split())}`" for key, v in zip(signature, given, strict=True))] = None
            if passes and len(shows) > 2:
                task = (f"A wrong `{catch.exercise.signature}` makes the mistake *{mistake.name}*. {mistake.hint} Three of these inputs show it. On "
                        "which one does the wrong function "
                        "give what the right one gives (to two decimals)?")
                return shuffled(rng, task, next(iter(passes)), list(shows)[:3])
    raise ValueError(f"{name}: found no input behind which a mistake hides")


# Laws: what every right function does. In words, and as code that is tried.

def _close(a, b):
    return bool(np.allclose(a, b, atol=1e-6))


def _attention_laws(f, rng):
    Q, K, V, shift = rng.normal(size=(4, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 3)), rng.normal(size=3)
    order = [2, 0, 3, 1]
    return {
        "If all values are equal, the output is that value.": _close(f(Q, K, np.tile(V[:1], (4, 1))), np.tile(V[:1], (4, 1))),
        "Keys and values in another order, both the same: nothing changes.": _close(f(Q, K[order], V[order]), f(Q, K, V)),
        "Queries in another order: the rows of the output are in that order.": _close(f(Q[order], K, V), f(Q, K, V)[order]),
        "Values twice as large: the output is twice as large.": _close(f(Q, K, 2 * V), 2 * f(Q, K, V)),
        "A query of zeros gives the mean of the values.": _close(f(0 * Q, K, V), np.tile(V.mean(0), (4, 1))),
        "The same vector added to every key: nothing changes.": _close(f(Q, K + shift, V), f(Q, K, V)),
        "With one key alone, the output is its value.": _close(f(Q, K[:1], V[:1]), np.tile(V[:1], (4, 1))),
        "Queries twice as long and keys half as long: nothing changes.": _close(f(2 * Q, K / 2, V), f(Q, K, V)),
    }


def _mask_laws(f, rng):
    Q, K, V = rng.normal(size=(3, 5, 4))
    mask = causal_mask(5)
    output, weights = f(Q, K, V, mask)
    late_k, late_v = K.copy(), V.copy()
    late_k[4], late_v[4] = 9.0, -7.0
    return {
        "Another last value: only the last row of the output changes.": _close(f(Q, K, late_v, mask)[0][:4], output[:4]),
        "Another last key: the other rows of the output stay.": _close(f(Q, late_k, V, mask)[0][:4], output[:4]),
        "The weights of every row sum to 1.": _close(weights.sum(1), 1),
        "The first row of the output is the first value.": _close(output[0], V[0]),
        "Where the mask is False the weight is 0.": _close(weights[~mask], 0),
        "Where the mask is True the weight is above 0.": bool((weights[mask] > 0).all()),
        "The last row is what it is without a mask.": _close(output[4], f(Q, K, V, np.ones((5, 5), bool))[0][4]),
        "The output is the weights times the values.": _close(weights @ V, output),
    }


def _split_laws(f, rng):
    X = np.arange(24.0).reshape(4, 6) + rng.integers(100)
    heads = f(X, 2)
    return {
        "The first head of the first token begins with its first feature.": _close(heads[0, 0, 0], X[0, 0]),
        "One head is X, with an axis in front.": _close(f(X, 1), X[None]),
        "What the last head holds of the first token are its last features.": _close(heads[-1, 0], X[0, -heads.shape[-1]:]),
        "Tokens in another order: in each head they are in that order.": _close(f(X[::-1], 2), heads[:, ::-1]),
        "No number is lost: sorted, they are those of X.": _close(np.sort(heads.ravel()), np.sort(X.ravel())),
        "The first head holds the first half of each token's features.": _close(heads[0], X[:, :3]),
        "The shape is (heads, tokens, features of a head).": heads.shape == (2, 4, 3),
        "In a head, neighbours of a row were neighbours in X.": _close(np.diff(heads, axis=-1), 1),
    }


def _norm_laws(f, rng):
    X, one, none, eps = 3 * rng.normal(size=(4, 4)) + 2, np.ones(4), np.zeros(4), 1e-9
    Y = f(X, one, none, eps)
    return {
        "With γ = 1 and β = 0 every token has mean 0.": _close(Y.mean(-1), 0),
        "With γ = 1 and β = 0 every token has variance 1.": bool(np.allclose(Y.var(-1), 1, atol=1e-3)),
        "A token alone gives what it gives among others.": _close(f(X[:1], one, none, eps), Y[:1]),
        "With γ = 0 every token is β.": _close(f(X, none, one * 3, eps), 3),
        "Tokens twice as large: nothing changes.": bool(np.allclose(f(2 * X, one, none, eps), Y, atol=1e-4)),
        "The same number added to a token's features: nothing changes.": _close(f(X + 5, one, none, eps), Y),
        "β added: every token moves by β.": _close(f(X, one, one * 2, eps), Y + 2),
        "Tokens in another order: the rows are in that order.": _close(f(X[::-1], one, none, eps), Y[::-1]),
    }


def _turn_laws(f, rng):
    X, a, b = rng.normal(size=(4, 6)), rng.uniform(0.3, 1.3, size=(4, 3)), rng.uniform(0.3, 1.3, size=(4, 3))
    turned = f(X, np.cos(a), np.sin(a))
    return {
        "The length of every row stays.": _close((turned**2).sum(-1), (X**2).sum(-1)),
        "By an angle of 0 nothing changes.": _close(f(X, np.ones((4, 3)), np.zeros((4, 3))), X),
        "By a, then by b, is by a + b at once.": _close(f(turned, np.cos(b), np.sin(b)), f(X, np.cos(a + b), np.sin(a + b))),
        "By a, then by −a, is where it began.": _close(f(turned, np.cos(a), -np.sin(a)), X),
        "By half a turn every number changes its sign.": _close(f(X, -np.ones((4, 3)), np.zeros((4, 3))), -X),
        "By a quarter turn the first half of a row is minus its old second half.": _close(f(X, np.zeros((4, 3)), np.ones((4, 3)))[:, :3], -X[:, 3:]),
        "A row twice as long is turned into one twice as long.": _close(f(2 * X, np.cos(a), np.sin(a)), 2 * turned),
        "The length of every pair (j, j + half) stays.": _close(turned[:, :3]**2 + turned[:, 3:]**2, X[:, :3]**2 + X[:, 3:]**2),
    }


LAWS = {"catch_attention": _attention_laws, "catch_leak": _mask_laws, "catch_split_heads": _split_laws, "catch_layer_norm": _norm_laws,
        "catch_rotate": _turn_laws}


def kept(name, function):
    """{law: whether a function keeps it}, of the laws that it keeps on all of some random numbers, or on none."""
    with np.errstate(all="ignore"):
        tried = [LAWS[name](function, np.random.default_rng(start)) for start in range(5)]
    return {text: holds for text, holds in tried[0].items() if all(laws[text] is holds for laws in tried)}


@functools.cache
def broken(name):
    """{mistake: {law: whether it keeps it}} of the mistakes that break a law and keep three."""
    found = {}
    for mistake in EXERCISES[name].exercise.mistakes:
        if mistake.trap is None and mistake.function.__name__ != "reads_them":
            try:
                found[mistake.name] = kept(name, mistake.function)
            except Exception:                        # it stops where a law is tried: then there is no question about it
                continue
    return {key: laws for key, laws in found.items() if not all(laws.values()) and sum(laws.values()) >= 3}


def law(name, rng):
    """Of four laws one is broken by a mistake."""
    exercise = EXERCISES[name].exercise
    mistake = str(rng.choice(sorted(broken(name))))
    laws = broken(name)[mistake]
    breaks, keeps = ([str(text) for text in rng.permutation([text for text, holds in laws.items() if holds is kind])] for kind in (False, True))
    task = (f"Every right `{exercise.signature}` keeps these laws. A wrong one makes the mistake *{mistake}*: {_hint(exercise.name, mistake)} Which "
            "of the laws finds it, tried on random numbers?")
    return shuffled(rng, task, breaks[0], keeps[:3])

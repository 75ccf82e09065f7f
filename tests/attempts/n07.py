"""Attempts at the exercises of notebook 07, as students write them."""

from attempts import Attempt

ATTEMPTS = [
    Attempt("feed_forward", "", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = np.matmul(X, W_1) + b_1
    hidden = np.where(hidden > 0, hidden, 0)
    output = np.matmul(hidden, W_2) + b_2
    return output
"""),
    Attempt("feed_forward", "", """
def relu(z):
    return z * (z > 0)

def my_feed_forward(X, W_1, b_1, W_2, b_2):
    h = relu(np.einsum("...d,df->...f", X, W_1) + b_1)
    return np.einsum("...f,fd->...d", h, W_2) + b_2
"""),
    Attempt("feed_forward", "", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    output = np.zeros(X.shape) + b_2
    for unit in range(len(b_1)):
        fires = (X * W_1[:, unit]).sum(axis=-1) + b_1[unit]
        fires = (fires + abs(fires)) / 2
        output = output + fires[..., None] * W_2[unit]
    return output
"""),
    Attempt("feed_forward", "", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    Z = X @ W_1 + b_1
    Z[Z < 0] = 0
    return Z @ W_2 + b_2
"""),
    Attempt("feed_forward", "Python's max: raises", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    output = max(0, X @ W_1 + b_1) @ W_2 + b_2
    return output
"""),
    Attempt("feed_forward", "np.max for np.maximum: raises", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = np.max(0, X @ W_1 + b_1)
    return hidden @ W_2 + b_2
"""),
    Attempt("feed_forward", "np.max over axis 0 instead of ReLU", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = np.max(X @ W_1 + b_1, 0)
    output = hidden @ W_2 + b_2
    return output
"""),
    Attempt("feed_forward", "ReLU is forgotten", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = X @ W_1 + b_1
    output = hidden @ W_2 + b_2
    return output
"""),
    Attempt("feed_forward", "ReLU at the end instead of between", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    return np.maximum(0, (X @ W_1 + b_1) @ W_2 + b_2)
"""),
    Attempt("feed_forward", "a second ReLU at the end", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    a = np.maximum(X @ W_1 + b_1, 0)
    b = np.maximum(a @ W_2 + b_2, 0)
    return b
"""),
    Attempt("feed_forward", "ReLU of the input", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    X = np.maximum(0, X)
    hidden = X @ W_1 + b_1
    return hidden @ W_2 + b_2
"""),
    Attempt("feed_forward", "b_1 is forgotten", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = np.maximum(0, X @ W_1)
    output = hidden @ W_2 + b_2
    return output
"""),
    Attempt("feed_forward", "b_1 is added after ReLU", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    return (np.maximum(0, X @ W_1) + b_1) @ W_2 + b_2
"""),
    Attempt("feed_forward", "b_2 is forgotten", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    h = X @ W_1 + b_1
    h = h * (h > 0)
    return h @ W_2
"""),
    Attempt("feed_forward", "softmax instead of ReLU", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = softmax(X @ W_1 + b_1)
    output = hidden @ W_2 + b_2
    return output
"""),
    Attempt("feed_forward", "matrices on the left, as in W x", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = np.maximum(0, W_1 @ X + b_1)
    output = W_2 @ hidden + b_2
    return output
"""),
    Attempt("feed_forward", "matrices transposed: raises", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = np.maximum(0, X @ W_1.T + b_1)
    return hidden @ W_2.T + b_2
"""),
    Attempt("feed_forward", "* instead of @", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = np.maximum(0, X * W_1 + b_1)
    output = hidden * W_2 + b_2
    return output
"""),
    Attempt("feed_forward", "np.minimum: keeps the negative part", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    return np.minimum(0, X @ W_1 + b_1) @ W_2 + b_2
"""),
    Attempt("feed_forward", "whether a unit fires, not how much", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = X @ W_1 + b_1
    active = np.where(hidden > 0, 1, 0)
    return active @ W_2 + b_2
"""),
    Attempt("feed_forward", "absolute value instead of ReLU", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = np.abs(X @ W_1 + b_1)
    output = hidden @ W_2 + b_2
    return output
"""),
    Attempt("feed_forward", "adds the skip connection", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = np.maximum(0, X @ W_1 + b_1)
    output = X + hidden @ W_2 + b_2
    return output
"""),
    Attempt("feed_forward", "brackets: b_2 is added to W_2", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    return np.maximum(0, X @ W_1 + b_1) @ (W_2 + b_2)
"""),
    Attempt("feed_forward", "returns the hidden layer", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    output = X @ W_1 + b_1
    output[output < 0] = 0
    return output
"""),
    Attempt("feed_forward", "np.maximum with one argument: raises", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    output = np.maximum(X @ W_1 + b_1) @ W_2 + b_2
    return output
"""),
    Attempt("feed_forward", "if on a whole array: raises", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = X @ W_1 + b_1
    if hidden < 0:
        hidden = 0
    return hidden @ W_2 + b_2
"""),
    Attempt("feed_forward", "einsum for a table only: a batch raises", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    h = np.maximum(0, np.einsum("td,df->tf", X, W_1) + b_1)
    return np.einsum("tf,fd->td", h, W_2) + b_2
"""),
    Attempt("feed_forward", "an empty return", """
def my_feed_forward(X, W_1, b_1, W_2, b_2):
    hidden = np.maximum(0, X @ W_1 + b_1)
    output = hidden @ W_2 + b_2
    return
"""),
    Attempt("transformer_block", "", """
def my_transformer_block(X, attend, think, norm):
    normed = norm(X)
    heard = attend(normed)
    Z = np.add(X, heard)
    normed_again = norm(Z)
    thought = think(normed_again)
    return np.add(Z, thought)
"""),
    Attempt("transformer_block", "", """
def my_transformer_block(X, attend, think, norm):
    stream = X.copy()
    for part in (attend, think):
        stream += part(norm(stream))
    return stream
"""),
    Attempt("transformer_block", "", """
def my_transformer_block(X, attend, think, norm):
    def sublayer(x, f):
        return x + f(norm(x))
    return sublayer(sublayer(X, attend), think)
"""),
    Attempt("transformer_block", "", """
def my_transformer_block(X, attend, think, norm):
    a = attend(norm(X))
    output = X + a + think(norm(X + a))
    return output
"""),
    Attempt("transformer_block", "post-norm: the norm after the addition", """
def my_transformer_block(X, attend, think, norm):
    Z = norm(X + attend(X))
    output = norm(Z + think(Z))
    return output
"""),
    Attempt("transformer_block", "post-norm, in one line", """
def my_transformer_block(X, attend, think, norm):
    return norm(norm(X + attend(X)) + think(norm(X + attend(X))))
"""),
    Attempt("transformer_block", "no norms", """
def my_transformer_block(X, attend, think, norm):
    Z = X + attend(X)
    output = Z + think(Z)
    return output
"""),
    Attempt("transformer_block", "both skips start after the norm", """
def my_transformer_block(X, attend, think, norm):
    X = norm(X)
    Z = X + attend(X)
    Z = norm(Z)
    output = Z + think(Z)
    return output
"""),
    Attempt("transformer_block", "the first skip carries the normed tokens", """
def my_transformer_block(X, attend, think, norm):
    N = norm(X)
    Z = N + attend(N)
    return Z + think(norm(Z))
"""),
    Attempt("transformer_block", "no skips", """
def my_transformer_block(X, attend, think, norm):
    output = think(norm(attend(norm(X))))
    return output
"""),
    Attempt("transformer_block", "the second skip is missing", """
def my_transformer_block(X, attend, think, norm):
    Z = X + attend(norm(X))
    output = think(norm(Z))
    return output
"""),
    Attempt("transformer_block", "the first skip is missing", """
def my_transformer_block(X, attend, think, norm):
    Z = attend(norm(X))
    output = Z + think(norm(Z))
    return output
"""),
    Attempt("transformer_block", "the second norm is missing", """
def my_transformer_block(X, attend, think, norm):
    x1 = norm(X)
    x2 = attend(x1)
    x3 = X + x2
    x4 = think(x3)
    return x3 + x4
"""),
    Attempt("transformer_block", "the first norm is missing", """
def my_transformer_block(X, attend, think, norm):
    Z = X + attend(X)
    return Z + think(norm(Z))
"""),
    Attempt("transformer_block", "in parallel: thinking does not see what attention added", """
def my_transformer_block(X, attend, think, norm):
    output = X + attend(norm(X)) + think(norm(X))
    return output
"""),
    Attempt("transformer_block", "the second half reads the first norm again", """
def my_transformer_block(X, attend, think, norm):
    N = norm(X)
    Z = X + attend(N)
    output = Z + think(N)
    return output
"""),
    Attempt("transformer_block", "the second skip carries X instead of Z", """
def my_transformer_block(X, attend, think, norm):
    Z = X + attend(norm(X))
    output = X + think(norm(Z))
    return output
"""),
    Attempt("transformer_block", "thinks before it attends", """
def my_transformer_block(X, attend, think, norm):
    Z = X + think(norm(X))
    return Z + attend(norm(Z))
"""),
    Attempt("transformer_block", "norms what attention and thinking give, not what they read", """
def my_transformer_block(X, attend, think, norm):
    Z = X + norm(attend(X))
    output = Z + norm(think(Z))
    return output
"""),
    Attempt("transformer_block", "one more norm at the end", """
def my_transformer_block(X, attend, think, norm):
    Z = X + attend(norm(X))
    output = norm(Z + think(norm(Z)))
    return output
"""),
    Attempt("transformer_block", "changes X in place: right numbers, but the caller's X is overwritten", """
def my_transformer_block(X, attend, think, norm):
    X += attend(norm(X))
    X += think(norm(X))
    return X
"""),
    Attempt("transformer_block", "returns after attention", """
def my_transformer_block(X, attend, think, norm):
    Z = X + attend(norm(X))
    think(norm(Z))
    return Z
"""),
    Attempt("transformer_block", "X is added twice", """
def my_transformer_block(X, attend, think, norm):
    Z = X + attend(norm(X))
    output = X + Z + think(norm(Z))
    return output
"""),
    Attempt("transformer_block", "@ with a function: raises", """
def my_transformer_block(X, attend, think, norm):
    Z = X + attend @ norm(X)
    return Z + think @ norm(Z)
"""),
    Attempt("transformer_block", "hands the functions over instead of calling them: raises", """
def my_transformer_block(X, attend, think, norm):
    Z = X + attend(norm)
    output = Z + think(norm)
    return output
"""),
    Attempt("transformer_block", "attends to one token at a time", """
def my_transformer_block(X, attend, think, norm):
    output = []
    for x in X:
        z = x + attend(norm(x))
        output.append(z + think(norm(z)))
    return np.array(output)
"""),
    Attempt("transformer_block", "concatenates instead of adding: raises", """
def my_transformer_block(X, attend, think, norm):
    Z = np.concatenate([X, attend(norm(X))], axis=-1)
    output = np.concatenate([Z, think(norm(Z))], axis=-1)
    return output
"""),
    Attempt("transformer_block", "prints instead of returning", """
def my_transformer_block(X, attend, think, norm):
    Z = X + attend(norm(X))
    output = Z + think(norm(Z))
    print("output:", output)
"""),
    Attempt("beam_step", "", """
def my_beam_step(totals, log_probs, beam_width):
    candidates = []
    for parent in range(len(totals)):
        for token in range(log_probs.shape[1]):
            candidates.append((totals[parent] + log_probs[parent, token], parent, token))
    candidates.sort(reverse=True)
    best = candidates[:beam_width]
    parents = np.array([c[1] for c in best])
    tokens = np.array([c[2] for c in best])
    new_totals = np.array([c[0] for c in best])
    return parents, tokens, new_totals
"""),
    Attempt("beam_step", "", """
def my_beam_step(totals, log_probs, beam_width):
    flat = (log_probs.T + totals).T.ravel()
    best = np.argsort(flat)[::-1][:beam_width]
    parents, tokens = np.unravel_index(best, log_probs.shape)
    return parents, tokens, flat[best]
"""),
    Attempt("beam_step", "", """
def my_beam_step(totals, log_probs, beam_width):
    table = totals.reshape(-1, 1) + log_probs
    n_vocab = table.shape[1]
    parents, tokens, scores = [], [], []
    for _ in range(beam_width):
        where = int(table.argmax())
        p, t = where // n_vocab, where % n_vocab
        parents.append(p)
        tokens.append(t)
        scores.append(table[p, t])
        table[p, t] = -np.inf
    return np.array(parents), np.array(tokens), np.array(scores)
"""),
    Attempt("beam_step", "", """
def my_beam_step(totals, log_probs, beam_width):
    n, v = log_probs.shape
    all_parents = np.repeat(np.arange(n), v)
    all_tokens = np.tile(np.arange(v), n)
    all_totals = np.repeat(totals, v) + log_probs.flatten()
    order = np.lexsort((all_tokens, -all_totals))[:beam_width]
    return all_parents[order], all_tokens[order], all_totals[order]
"""),
    Attempt("beam_step", "the index in the flat table as token", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    tokens = np.argsort(-longer, axis=None)[:beam_width]
    parents = tokens // longer.shape[1]
    new_totals = longer.ravel()[tokens]
    return parents, tokens, new_totals
"""),
    Attempt("beam_step", "the totals of the parents are not added", """
def my_beam_step(totals, log_probs, beam_width):
    order = np.argsort(-log_probs, axis=None)[:beam_width]
    parents, tokens = np.divmod(order, log_probs.shape[1])
    new_totals = log_probs[parents, tokens]
    return parents, tokens, new_totals
"""),
    Attempt("beam_step", "chosen without the parents' totals, which are added afterwards", """
def my_beam_step(totals, log_probs, beam_width):
    best = np.argsort(-log_probs, axis=None)[:beam_width]
    parents, tokens = np.divmod(best, log_probs.shape[1])
    new_totals = totals[parents] + log_probs[parents, tokens]
    return parents, tokens, new_totals
"""),
    Attempt("beam_step", "totals without a new axis", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals + log_probs
    order = np.argsort(-longer, axis=None)[:beam_width]
    parents, tokens = np.divmod(order, longer.shape[1])
    return parents, tokens, longer[parents, tokens]
"""),
    Attempt("beam_step", "multiplies log-probabilities", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] * log_probs
    best = np.argsort(-longer, axis=None)[:beam_width]
    parents, tokens = np.divmod(best, longer.shape[1])
    return parents, tokens, longer[parents, tokens]
"""),
    Attempt("beam_step", "the worst: sorted upwards", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    parents, tokens = np.divmod(np.argsort(longer, axis=None)[:beam_width], longer.shape[1])
    return parents, tokens, longer[parents, tokens]
"""),
    Attempt("beam_step", "the best come last", """
def my_beam_step(totals, log_probs, beam_width):
    scores = totals[:, None] + log_probs
    idx = np.argsort(scores, axis=None)[-beam_width:]
    parents = idx // scores.shape[1]
    tokens = idx % scores.shape[1]
    new_totals = scores[parents, tokens]
    return parents, tokens, new_totals
"""),
    Attempt("beam_step", "one token for each parent: its likeliest", """
def my_beam_step(totals, log_probs, beam_width):
    parents = np.arange(len(totals))
    tokens = log_probs.argmax(axis=1)
    new_totals = totals + log_probs.max(axis=1)
    order = np.argsort(-new_totals)[:beam_width]
    return parents[order], tokens[order], new_totals[order]
"""),
    Attempt("beam_step", "grows the best parent only", """
def my_beam_step(totals, log_probs, beam_width):
    best = np.argmax(totals)
    tokens = np.argsort(-log_probs[best])[:beam_width]
    parents = np.full(beam_width, best)
    new_totals = totals[best] + log_probs[best][tokens]
    return parents, tokens, new_totals
"""),
    Attempt("beam_step", "divides the flat index by the number of texts", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    order = np.argsort(-longer, axis=None)[:beam_width]
    parents, tokens = np.divmod(order, len(longer))
    return parents, tokens, longer.flatten()[order]
"""),
    Attempt("beam_step", "divides by the beam width", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    order = np.argsort(-longer, axis=None)[:beam_width]
    parents, tokens = order // beam_width, order % beam_width
    new_totals = np.sort(longer, axis=None)[::-1][:beam_width]
    return parents, tokens, new_totals
"""),
    Attempt("beam_step", "parents and tokens swapped", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    order = np.argsort(-longer, axis=None)[:beam_width]
    tokens, parents = np.divmod(order, longer.shape[1])
    return parents, tokens, longer.ravel()[order]
"""),
    Attempt("beam_step", "the new totals hold only the last token's log-probability", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    parents, tokens = np.divmod(np.argsort(-longer, axis=None)[:beam_width], longer.shape[1])
    new_totals = log_probs[parents, tokens]
    return parents, tokens, new_totals
"""),
    Attempt("beam_step", "the new totals are the parents' old ones", """
def my_beam_step(totals, log_probs, beam_width):
    grown = totals[:, np.newaxis] + log_probs
    flat = np.argsort(-grown, axis=None)[:beam_width]
    parents, tokens = np.divmod(flat, grown.shape[1])
    return parents, tokens, totals[parents]
"""),
    Attempt("beam_step", "argsort without axis=None: sorts within each row", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    order = np.argsort(-longer)[:beam_width]
    parents, tokens = np.divmod(order, longer.shape[1])
    new_totals = longer[parents, tokens]
    return parents, tokens, new_totals
"""),
    Attempt("beam_step", "all candidates: not cut to the beam width", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    parents, tokens = np.divmod(np.argsort(-longer, axis=None), longer.shape[1])
    new_totals = longer[parents, tokens]
    return parents, tokens, new_totals
"""),
    Attempt("beam_step", "skips the best: off by one", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    order = np.argsort(-longer, axis=None)[1:beam_width + 1]
    parents, tokens = np.divmod(order, longer.shape[1])
    return parents, tokens, longer[parents, tokens]
"""),
    Attempt("beam_step", "totals with the minus of the sorting", """
def my_beam_step(totals, log_probs, beam_width):
    longer = -(totals[:, None] + log_probs)
    parents, tokens = np.divmod(np.argsort(longer, axis=None)[:beam_width], longer.shape[1])
    return parents, tokens, longer[parents, tokens]
"""),
    Attempt("beam_step", "returns the totals first", """
def my_beam_step(totals, log_probs, beam_width):
    all_totals = totals[:, None] + log_probs
    top = np.argsort(all_totals.ravel())[::-1][:beam_width]
    parents, tokens = np.divmod(top, all_totals.shape[1])
    return all_totals[parents, tokens], parents, tokens
"""),
    Attempt("beam_step", "adds the log-probability of the wrong parent", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    parents, tokens = np.divmod(np.argsort(-longer, axis=None)[:beam_width], longer.shape[1])
    new_totals = np.array([totals[p] + log_probs[i % len(totals), t] for i, (p, t) in enumerate(zip(parents, tokens))])
    return parents, tokens, new_totals
"""),
    Attempt("beam_step", "the rank within the row as token", """
def my_beam_step(totals, log_probs, beam_width):
    candidates = []
    for parent, row in enumerate(log_probs):
        for token, lp in enumerate(sorted(row, reverse=True)):
            candidates.append((totals[parent] + lp, parent, token))
    candidates = sorted(candidates, reverse=True)[:beam_width]
    new_totals, parents, tokens = [np.array(c) for c in zip(*candidates)]
    return parents, tokens, new_totals
"""),
    Attempt("beam_step", "adds probabilities to the totals instead of log-probabilities", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] + np.exp(log_probs)
    order = np.argsort(-longer, axis=None)[:beam_width]
    parents, tokens = np.divmod(order, longer.shape[1])
    return parents, tokens, longer[parents, tokens]
"""),
    Attempt("beam_step", "reverse=True is not known to np.argsort: raises", """
def my_beam_step(totals, log_probs, beam_width):
    longer = totals[:, None] + log_probs
    order = np.argsort(longer, axis=None, reverse=True)[:beam_width]
    parents, tokens = np.divmod(order, longer.shape[1])
    return parents, tokens, longer[parents, tokens]
"""),
]

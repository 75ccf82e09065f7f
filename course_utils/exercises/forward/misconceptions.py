"""Known misconceptions of `forward`: (name, code, question), and options where there are some."""

import numpy as np

from course_utils import layers
from course_utils.attention import causal_mask, multi_head_attention, softmax
from course_utils.exercises.forward.exercise import _model, forward


def _with(blocks, **changed):
    """The blocks with some of their parameters replaced: a value, or a function of the block."""
    return [
        {
            **block,
            **{name: value(block) if callable(value) else value for name, value in changed.items()},
        }
        for block in blocks
    ]


def _nothing(name):
    return lambda block: 0 * block[name]


def _wired(after):
    """A model whose blocks are wired otherwise. after(X, norm_1, attend, norm_2, think): the stream
    after a block, X the one before it."""

    def halves(block, n_heads, mask):
        return (
            lambda X: layers.layer_norm(X, block["gamma_1"], block["beta_1"]),
            lambda I: multi_head_attention(
                I,
                *(block[name] for name in ("W_Q", "W_K", "W_V", "W_O")),
                n_heads,
                mask,
                **{name: block[name] for name in ("b_Q", "b_K", "b_V", "b_O")},
            )[0],
            lambda Z: layers.layer_norm(Z, block["gamma_2"], block["beta_2"]),
            lambda I: layers.feed_forward(
                I, *(block[name] for name in ("W_1", "b_1", "W_2", "b_2"))
            ),
        )

    def model(tokens, params, blocks, n_heads):
        X = params["W_E"][tokens] + params["R"][: len(tokens)]
        for block in blocks:
            X = after(X, *halves(block, n_heads, causal_mask(len(tokens))))
        return (
            layers.layer_norm(X, params["gamma"], params["beta"]) @ params["W_out"]
            + params["b_out"]
        )

    return model


TABLE = [
    (
        "mask forgotten",
        "_model(tokens, params, blocks, n_heads, mask=lambda T: None)",
        (
            "Every token sees all others here, the word it should guess as well. What hides the"
            " future?"
        ),
    ),
    (
        "mask transposed",
        "_model(tokens, params, blocks, n_heads, mask=lambda T: causal_mask(T).T)",
        "Each token sees itself and what comes after it. It should see what came before.",
    ),
    (
        "places forgotten",
        "_model(tokens, params, blocks, n_heads, places=None)",
        "The vectors of the words are there. What says where each of them stands?",
    ),
    (
        "one place for all",
        "_model(tokens, params, blocks, n_heads, places=slice(1))",
        "Every token got the place of the first. Token i takes row i of R.",
    ),
    (
        "places by the word's number",
        "_model(tokens, {**params, 'R': params['R'][tokens]}, blocks, n_heads)",
        "R has a row for each place of the text, and was asked with the numbers of the words.",
    ),
    (
        "last places for the first",
        "_model(tokens, {**params, 'R': params['R'][-len(tokens):]}, blocks, n_heads)",
        "The text begins at place 0 of R. Here it was laid on the last rows of the table.",
    ),
    (
        "last norm forgotten",
        "_model(tokens, params, blocks, n_heads, last_norm=False)",
        (
            "The head reads a stream whose size nobody set. What stands between the last block and"
            " the head?"
        ),
    ),
    (
        "head's bias forgotten",
        "_model(tokens, params, blocks, n_heads, head_bias=False)",
        "The scores lack the bias of the head.",
    ),
    (
        "head forgotten",
        (
            "_model(tokens, {**params, 'W_out': np.eye(params['W_out'].shape[0]), 'b_out': 0},"
            " blocks, n_heads)"
        ),
        (
            "These are the vectors after the last norm. The head makes scores of them, one for each"
            " word."
        ),
    ),
    (
        "post-norm",
        "_model(tokens, params, blocks, n_heads, norm='post')",
        (
            "The norms stand on the stream, after each addition. This model is pre-norm: the parts "
            "read a normed copy."
        ),
    ),
    (
        "first block only",
        "_model(tokens, params, blocks[:1], n_heads)",
        (
            "Only one block was passed. The stream goes through all of them. Does the `return`"
            " stand inside the loop?"
        ),
    ),
    (
        "the same block again and again",
        "_model(tokens, params, blocks[:1] * len(blocks), n_heads)",
        "Every round uses the first block's parameters. Each block has its own.",
    ),
    (
        "last block only",
        "_model(tokens, params, blocks[-1:], n_heads)",
        "Only the last block's work is left: does every block read what the one before it wrote?",
    ),
    (
        "blocks in reverse order",
        "_model(tokens, params, blocks[::-1], n_heads)",
        "The last block comes first here.",
    ),
    (
        "biases of the projections forgotten",
        (
            "_model(tokens, params, _with(blocks, **{name: _nothing(name) for name in ('b_Q',"
            " 'b_K', 'b_V', 'b_O')}), n_heads)"
        ),
        "Queries, keys and values have a bias each, and so has what is merged.",
    ),
    (
        "biases of queries, keys and values forgotten",
        (
            "_model(tokens, params, _with(blocks, **{name: _nothing(name) for name in ('b_Q',"
            " 'b_K', 'b_V')}), n_heads)"
        ),
        "Queries, keys and values have a bias each.",
    ),
    (
        "bias after W_O forgotten",
        "_model(tokens, params, _with(blocks, b_O=_nothing('b_O')), n_heads)",
        "What is merged goes through W_O, which has a bias, too.",
    ),
    (
        "W_O forgotten",
        (
            "_model(tokens, params, _with(blocks, W_O=lambda block: np.eye(len(block['W_O']))),"
            " n_heads)"
        ),
        "The heads stand side by side and were added as they are. One more matrix mixes them.",
    ),
    (
        "W_O and its bias forgotten",
        (
            "_model(tokens, params, _with(blocks, W_O=lambda block: np.eye(len(block['W_O'])),"
            " b_O=_nothing('b_O')), n_heads)"
        ),
        (
            "The heads stand side by side and were added as they are. One more matrix, with a bias,"
            " mixes them."
        ),
    ),
    (
        "one head",
        "_model(tokens, params, blocks, 1)",
        "The features were not split: one head attends with all of them.",
    ),
    (
        "attention only",
        "_model(tokens, params, _with(blocks, W_2=_nothing('W_2'), b_2=_nothing('b_2')), n_heads)",
        (
            "The tokens exchange, but none thinks for itself: the second half of each block is"
            " missing."
        ),
    ),
    (
        "feed-forward only",
        "_model(tokens, params, _with(blocks, W_O=_nothing('W_O'), b_O=_nothing('b_O')), n_heads)",
        (
            "Each token thinks for itself, but they never exchange anything: the first half of each"
            " block is missing."
        ),
    ),
    (
        "one norm's γ and β for both",
        (
            "_model(tokens, params, _with(blocks, gamma_2=lambda block: block['gamma_1'],"
            " beta_2=lambda block: block['beta_1']), n_heads)"
        ),
        "The second norm of a block has a γ and a β of its own.",
    ),
    (
        "keys and queries swapped",
        """
other = {"W_Q": "W_K", "W_K": "W_Q", "b_Q": "b_K", "b_K": "b_Q"}
return _model(tokens, params, _with(blocks, **{name: lambda block, source=source: block[source] for name, source in other.items()}), n_heads)
""",  # noqa: E501
        "A token's query looks for other tokens' keys. Here it is the other way round.",
    ),
    (
        "GELU instead of ReLU",
        "_model(tokens, params, blocks, n_heads, activation=layers.gelu)",
        "The feed-forward network of this model has ReLU.",
    ),
    (
        "no skips",
        _wired(lambda X, norm_1, attend, norm_2, think: think(norm_2(attend(norm_1(X))))),
        "What each half gives replaces the stream. It should be added to it.",
    ),
    (
        "first skip forgotten",
        _wired(
            lambda X, norm_1, attend, norm_2, think: (Z := attend(norm_1(X))) + think(norm_2(Z))
        ),
        "What attention gives replaces the stream. It should be added to it.",
    ),
    (
        "second skip forgotten",
        _wired(lambda X, norm_1, attend, norm_2, think: think(norm_2(X + attend(norm_1(X))))),
        "The first half of a block is right. What the network gives should be added, too.",
    ),
    (
        "second skip from X",
        _wired(lambda X, norm_1, attend, norm_2, think: X + think(norm_2(X + attend(norm_1(X))))),
        (
            "The second addition starts from the block's input again, so what attention gave is"
            " lost from the stream."
        ),
    ),
    (
        "both halves read X",
        _wired(lambda X, norm_1, attend, norm_2, think: X + attend(norm_1(X)) + think(norm_2(X))),
        (
            "The feed-forward network reads the block's input. It should read what came of adding "
            "attention."
        ),
    ),
    (
        "no norms in the blocks",
        _wired(lambda X, norm_1, attend, norm_2, think: (Z := X + attend(X)) + think(Z)),
        (
            "The skips are right. But both halves of a block read the stream itself: each should"
            " read a normed copy."
        ),
    ),
    (
        "first norm forgotten",
        _wired(lambda X, norm_1, attend, norm_2, think: (Z := X + attend(X)) + think(norm_2(Z))),
        "The feed-forward network reads a normed copy, queries, keys and values do not yet.",
    ),
    (
        "second norm forgotten",
        _wired(lambda X, norm_1, attend, norm_2, think: (Z := X + attend(norm_1(X))) + think(Z)),
        "Attention reads a normed copy, the feed-forward network does not yet.",
    ),
    (
        "first skip starts after the norm",
        _wired(
            lambda X, norm_1, attend, norm_2, think: (
                (Z := (I := norm_1(X)) + attend(I)) + think(norm_2(Z))
            )
        ),
        "The first addition starts from the normed copy. The stream goes on with X itself.",
    ),
    (
        "second skip starts after the norm",
        _wired(
            lambda X, norm_1, attend, norm_2, think: (I := norm_2(X + attend(norm_1(X)))) + think(I)
        ),
        "The second addition starts from the normed copy. The stream goes on with itself.",
    ),
    (
        "both skips start after the norm",
        _wired(
            lambda X, norm_1, attend, norm_2, think: (
                (I := norm_2((N := norm_1(X)) + attend(N))) + think(I)
            )
        ),
        "Both additions start from the normed copy. The stream goes on with itself.",
    ),
    (
        "probabilities instead of scores",
        "softmax(forward(tokens, params, blocks, n_heads))",
        (
            "The model is right. Asked are the scores: softmax comes later, where probabilities are"
            " wanted."
        ),
    ),
    (
        "the last row only",
        "forward(tokens, params, blocks, n_heads)[-1]",
        (
            "These are the scores after the last token. Training wants a row for every place of the"
            " text."
        ),
    ),
    (
        "the likeliest words",
        "forward(tokens, params, blocks, n_heads).argmax(axis=-1)",
        "These are words. Asked are the scores of all words.",
    ),
]

"""Known misconceptions of `mixture_of_experts`: (name, code, question), and options where there are
some."""

import numpy as np

from course_utils.attention import softmax
from course_utils.exercises.mixture_of_experts.exercise import mixture_of_experts


def largest_gate(gates, expert_outputs):
    return expert_outputs[np.arange(len(gates)), gates.argmax(axis=1)]


TABLE = [
    (
        "gates ignored",
        "expert_outputs.mean(axis=1)",
        (
            "Every expert counts the same here. A token's row of gates says how much each expert"
            " counts."
        ),
        {"unused_arguments": "gates"},
    ),
    (
        "sum without gates",
        "expert_outputs.sum(axis=1)",
        "All answers were added as they are. Each answer must be weighted first.",
    ),
    (
        "best expert only",
        largest_gate,
        "Only the expert with the largest gate speaks. The others have gates above 0, too.",
    ),
    (
        "averaged over tokens",
        "np.einsum('ne,ned->ed', gates, expert_outputs)",
        "The tokens were added. But each token has its own output: add the experts instead.",
    ),
    (
        "mean instead of sum",
        "(gates[:, :, None] * expert_outputs).mean(axis=1)",
        (
            "Each token's gates sum to 1 already. Dividing by the number of experts makes"
            " everything too small."
        ),
    ),
    (
        "not added up",
        "gates[:, :, None] * expert_outputs",
        (
            "Every answer is weighted by its gate, but the answers still stand side by side. Each"
            " token needs one output."
        ),
    ),
    (
        "gates on the features",
        "(gates[:, None, :] * expert_outputs).sum(axis=1)",
        "The gates multiplied the last axis, the features. They belong to the axis of the experts.",
    ),
    (
        "gates of another token",
        "np.einsum('en,ned->nd', gates, expert_outputs)",
        (
            "Rows and columns of the gates are swapped: token 0 used the gates that all tokens"
            " have for expert 0."
        ),
    ),
    (
        "softmax over the gates",
        "mixture_of_experts(softmax(gates), expert_outputs)",
        "The gates are shares already. A second softmax makes them nearly equal.",
    ),
    (
        "the new axis at the wrong place",
        "(gates[None, :, :] * expert_outputs).sum(axis=1)",
        (
            "The gates have a new axis, but it is the first one, so they still meet experts and"
            " features. The new axis belongs where the features are."
        ),
        {"requires": "a new axis"},
    ),
    (
        "no new axis for the gates",
        "(gates * expert_outputs).sum(axis=1)",
        (
            "NumPy compares shapes from the right, so the gates met experts and features instead"
            " of tokens and experts. The gates need one more axis, for the features."
        ),
    ),
    (
        "every token's gates for every token",
        "gates @ expert_outputs",
        (
            "The result has a row for each pair of tokens, because the product paired all gates"
            " with all answers. Each token has its own gates."
        ),
    ),
    (
        "everybody's gates added",
        "(gates @ expert_outputs).sum(axis=1)",
        "The gates of all tokens were applied to each token. Each token has its own gates.",
    ),
    (
        "features added up",
        "(gates[:, :, None] * expert_outputs).sum(axis=2)",
        "The features of each answer were added. Add the experts instead, and keep the features.",
    ),
    (
        "everything added up",
        "(gates[:, :, None] * expert_outputs).sum()",
        "Only one number is left for all tokens. Add only the experts.",
    ),
    (
        "best expert only, with its gate",
        "largest_gate(gates, expert_outputs) * gates.max(axis=1, keepdims=True)",
        (
            "Only the expert with the largest gate speaks, weighted by its gate. The others have"
            " gates above 0, too."
        ),
    ),
    (
        "experts with a gate above 0, alike",
        "((gates > 0)[:, :, None] * expert_outputs).sum(axis=1)",
        (
            "Every expert with a gate above 0 counts fully here. The gate says how much each"
            " expert counts."
        ),
    ),
    (
        "gates added",
        "(gates[:, :, None] + expert_outputs).sum(axis=1)",
        (
            "The gates were added to the answers. A weighted sum multiplies each answer by its"
            " weight first."
        ),
    ),
    (
        "the first expert left out",
        "mixture_of_experts(gates[:, 1:], expert_outputs[:, 1:])",
        "The sum begins one expert late. Python counts from 0.",
    ),
    (
        "the last expert left out",
        "mixture_of_experts(gates[:, :-1], expert_outputs[:, :-1])",
        "The sum stops one expert early. A range ends before its last number.",
    ),
    (
        "only the last expert's share",
        "gates[:, -1:] * expert_outputs[:, -1]",
        (
            "The last expert's share replaced the earlier ones. A blend adds the shares of all"
            " experts."
        ),
    ),
    (
        "only the first expert's share",
        "gates[:, :1] * expert_outputs[:, 0]",
        (
            "Only the first expert counts, weighted by its gate. A blend adds the shares of all"
            " experts."
        ),
    ),
    (
        "experts taken from the axis of the tokens",
        "sum(gates[:, e][:, None] * expert_outputs[e] for e in range(gates.shape[1]))",
        "expert_outputs[e] is what all experts say about token e. The experts are the second axis.",
    ),
    (
        "no column for an expert's gates",
        "sum(gates[:, e] * expert_outputs[:, e] for e in range(gates.shape[1]))",
        (
            "An expert's gates, one for each token, were placed along the features. They should be"
            " a column."
        ),
    ),
    (
        "the first token's gates for all",
        "np.einsum('e,ned->nd', gates[0], expert_outputs)",
        "Every token used the first token's gates. Each token has its own row.",
    ),
    (
        "gates averaged over the tokens",
        "np.einsum('e,ned->nd', gates.mean(axis=0), expert_outputs)",
        "All tokens used the same mean gates. Each token has its own row.",
    ),
    (
        "gates squared",
        "mixture_of_experts(gates**2, expert_outputs)",
        "Each gate was applied two times. Once is enough.",
    ),
    (
        "divided by the gates",
        "(expert_outputs / np.where(gates == 0, np.nan, gates)[:, :, None]).sum(axis=1)",
        (
            "The answers were divided by their gates, so the expert with the smallest gate counts"
            " most. A weight multiplies."
        ),
    ),
    (
        "tokens averaged as well",
        "mixture_of_experts(gates, expert_outputs).mean(axis=0)",
        "Only one row is left for all tokens. Each token has its own output.",
    ),
    (
        "divided by the gates' sum",
        "mixture_of_experts(gates, expert_outputs) / gates.sum(axis=1, keepdims=True)",
        (
            "The formula only weights and adds. If the gates sum to less than 1, the blend is"
            " smaller. This can be wanted: the Switch Transformer has such gates."
        ),
        {"trap": "gates that do not sum to 1"},
    ),
]

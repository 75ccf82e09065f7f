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
            "Every expert counts alike here. How much each counts for a token stands in its row of "
            "gates."
        ),
        {"unused_arguments": "gates"},
    ),
    (
        "sum without gates",
        "expert_outputs.sum(axis=1)",
        "All experts were added up as they are. Each has to be weighted first.",
    ),
    (
        "best expert only",
        largest_gate,
        "Only the expert with the largest gate speaks. The others have gates above 0, too.",
    ),
    (
        "averaged over tokens",
        "np.einsum('ne,ned->ed', gates, expert_outputs)",
        (
            "The tokens were added up. Each token has an output of its own; the experts are what is"
            " added up."
        ),
    ),
    (
        "mean instead of sum",
        "(gates[:, :, None] * expert_outputs).mean(axis=1)",
        (
            "The gates share out 1 already. Dividing by the number of experts makes everything too "
            "small."
        ),
    ),
    (
        "not added up",
        "gates[:, :, None] * expert_outputs",
        (
            "Every expert is weighted by its gate, but they still stand side by side. One output a "
            "token is wanted."
        ),
    ),
    (
        "gates on the features",
        "(gates[:, None, :] * expert_outputs).sum(axis=1)",
        "The gates met the last axis, the features. They belong to the axis of the experts.",
    ),
    (
        "gates of another token",
        "np.einsum('en,ned->nd', gates, expert_outputs)",
        (
            "Row and column of the gates are swapped: token 0 used the gates that all tokens have"
            " for expert 0."
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
            "The gates have an axis more, but in front: they still meet experts and features. It "
            "belongs where the features are."
        ),
        {"requires": "a new axis"},
    ),
    (
        "no new axis for the gates",
        "(gates * expert_outputs).sum(axis=1)",
        (
            "NumPy lines shapes up from the right: the gates met experts and features instead of "
            "tokens and experts. A gate needs one more axis, for the features."
        ),
    ),
    (
        "every token's gates for every token",
        "gates @ expert_outputs",
        (
            "The result has a row for each pair of tokens: the product paired all gates with all "
            "answers. Each token has its own gates."
        ),
    ),
    (
        "everybody's gates added",
        "(gates @ expert_outputs).sum(axis=1)",
        "The gates of all tokens were applied to each token. Each token has its own.",
    ),
    (
        "features added up",
        "(gates[:, :, None] * expert_outputs).sum(axis=2)",
        (
            "The features of each answer were added up. The experts are what is added up; the"
            " features stay."
        ),
    ),
    (
        "everything added up",
        "(gates[:, :, None] * expert_outputs).sum()",
        "One number is left of the whole batch. Only the experts are added up.",
    ),
    (
        "best expert only, with its gate",
        "largest_gate(gates, expert_outputs) * gates.max(axis=1, keepdims=True)",
        (
            "Only the expert with the largest gate speaks, weighted by it. The others have gates"
            " above 0, too."
        ),
    ),
    (
        "experts with a gate above 0, alike",
        "((gates > 0)[:, :, None] * expert_outputs).sum(axis=1)",
        "Who is asked at all counts in full here. How much each counts is the gate's to say.",
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
            "What came last took the place of what was there. A blend adds up the shares of all "
            "experts."
        ),
    ),
    (
        "only the first expert's share",
        "gates[:, :1] * expert_outputs[:, 0]",
        "Only the first expert is heard, weighted by its gate. A blend adds up the shares of all.",
    ),
    (
        "experts taken from the axis of the tokens",
        "sum(gates[:, e][:, None] * expert_outputs[e] for e in range(gates.shape[1]))",
        "expert_outputs[e] is what all experts say of token e. The experts are the second axis.",
    ),
    (
        "no column for an expert's gates",
        "sum(gates[:, e] * expert_outputs[:, e] for e in range(gates.shape[1]))",
        (
            "An expert's gates, one for each token, were laid along the features. They should stand"
            " as a column."
        ),
    ),
    (
        "the first token's gates for all",
        "np.einsum('e,ned->nd', gates[0], expert_outputs)",
        "Every token used the gates of the first. Each has its own row.",
    ),
    (
        "gates averaged over the tokens",
        "np.einsum('e,ned->nd', gates.mean(axis=0), expert_outputs)",
        "All tokens share one mean gate. Each has its own row.",
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
            "The answers were divided by their gates: whom the gate trusts least speaks loudest. A "
            "weight multiplies."
        ),
    ),
    (
        "tokens averaged as well",
        "mixture_of_experts(gates, expert_outputs).mean(axis=0)",
        "One row is left for all tokens. Each token has an output of its own.",
    ),
    (
        "divided by the gates' sum",
        "mixture_of_experts(gates, expert_outputs) / gates.sum(axis=1, keepdims=True)",
        (
            "The formula weights and adds, no more. Where the gates sum to less than 1, the blend"
            " is smaller, and that may be meant: the Switch Transformer has such gates."
        ),
        {"trap": "gates that do not sum to 1"},
    ),
]

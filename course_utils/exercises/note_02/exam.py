"""`note_02` with other numbers: the answer follows from the same idea."""

from numpy.random import Generator

from course_utils.attention import softmax
from course_utils.diagnosis.questions import Numbers, block, why


def variant(rng: Generator) -> Numbers:
    Q, K, V = (rng.integers(-9, 10, size=(3, 2)) / 5 for _ in range(3))
    i = int(rng.integers(3))
    return Numbers(
        f"{block(Q=Q, K=K, V=V)}\n\nAttention of queries, keys and values without a scale. What is"
        f" the output of token {i}, and which weight has its own value in it? Three numbers.",
        [*(softmax(Q @ K.T) @ V)[i], softmax(Q @ K.T)[i, i]],
        2,
        minutes=6,
        points=3,
    )


WHY = [
    why(
        "Why has attention two matrices `W_Q` and `W_K`, and not one for both?",
        [
            "With one matrix the scores would be symmetric: token i with j as j with i.",
            "With two, token i may look for j without j looking for i.",
            "What a token asks for and what it offers can be different features.",
        ],
        "With one matrix q_i·k_j equals q_j·k_i, so the scores are symmetric. Two matrices let "
        "token i look for token j without the reverse, because what a token asks for and what it "
        "offers are then different features.",
    ),
    why(
        "`W_Q` and `W_K` must have the same number of columns. `W_V` may have another. Why?",
        [
            "A score is the dot product of a query and a key, so they need the same width.",
            (
                "Values are never compared with queries or keys; they are only averaged with the "
                "weights."
            ),
            "The width of the values is the width of the output.",
        ],
        "A score is a dot product of a query with a key, so both need one width. Values are only "
        "averaged by the weights and never compared with anything, so they may have any width, "
        "and the output has it, too.",
    ),
]

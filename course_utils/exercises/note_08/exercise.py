"""The exercise `note_08`."""

from course_utils.diagnosis.exercise import Reading

EXERCISE = Reading(
    "note_08",
    "A lecture note says: “`R_i · R_j` depends only on i − j. So in a model that adds R, the scores"
    " between positions depend only on i − j, too.” Which sentence mends it?",
    [
        (
            (
                "`R_i · R_j` depends on i and j one by one, so no model that adds R can know how"
                " far two of its tokens are apart."
            ),
            (
                "The first half of the note is right: a pair gives cos ωi cos ωj + sin ωi sin ωj,"
                " which is cos ω(i − j)."
            ),
        ),
        (
            (
                "`R_i · R_j` depends on i − j, and so do the scores, but only for as many positions"
                " as the training texts were long."
            ),
            (
                "Scores of equal offset differ already within that training length. Ask what a"
                " score multiplies, R itself or what two matrices make of it."
            ),
        ),
        (
            (
                "`R_i · R_j` depends only on i − j, but in a score `W_Q` and `W_K` stand between"
                " the two, so the offset is not enough."
            ),
            (
                "the term of two positions is `(R_i W_Q) · (R_j W_K)`. If both move along, all"
                " their hands turn alike. But after two matrices the product changes: the offset"
                " alone no longer decides. RoPE therefore turns after the matrices."
            ),
        ),
        (
            (
                "`R_i · R_j` depends only on i − j, but softmax divides each row by a sum of its"
                " own, so that in the end the weights do not."
            ),
            (
                "True of weights, but the note speaks of scores, which come before. They depend on"
                " more than the offset already."
            ),
        ),
    ],
    right="C",
    minutes=4,
    difficulty=2,
)

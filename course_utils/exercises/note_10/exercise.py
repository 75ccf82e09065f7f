"""The exercise `note_10`."""

from course_utils.diagnosis.exercise import Reading

EXERCISE = Reading(
    "note_10",
    "A lecture note says of a block `Y = x + f(x)`: “Where all units of f are silent for a token,"
    " ReLU passes no gradient on. So the block learns nothing from this token, and no gradient"
    " reaches what comes before the block.” Which sentence corrects the note?",
    [
        (
            (
                "The block does learn: `W_2` comes after ReLU, so the gradient at Y reaches `W_2`"
                " before ReLU can stop anything."
            ),
            (
                "The gradient at Y does reach the product with `W_2`. But `dW_2` is that gradient"
                " times what the units gave, and they gave 0."
            ),
        ),
        (
            (
                "The block learns at `W_1`: a weight's gradient is its input times what comes back,"
                " and the input x is not 0."
            ),
            (
                "The rule is right, and x is not 0. But what comes back to `W_1` has passed ReLU:"
                " there it is 0."
            ),
        ),
        (
            (
                "The block learns nothing now, but after the next step of descent these units fire"
                " again and pass the gradient."
            ),
            (
                "This token gives no gradient to their weights, so its step does not move them."
                " Only other tokens could make the units fire again."
            ),
        ),
        (
            (
                "The matrices of f learn nothing from this token, but over the skip the gradient at"
                " Y arrives unchanged at x."
            ),
            (
                "at x two gradients add up: 0 through f, and the gradient at Y over the skip. So"
                " what made x, an earlier block, learns from this token."
            ),
        ),
    ],
    right="D",
    minutes=3,
    difficulty=2,
)

"""The exercise `catch_top_p`."""

from course_utils.diagnosis.exercise import Catch
from course_utils.exercises.top_p.exercise import EXERCISE as TOP_P

EXERCISE = Catch("catch_top_p", TOP_P, "input", enough=6, minutes=5, difficulty=2, planted=[
    "the piece that reaches p left out", "not sorted", "left in sorted order", "put back by the wrong order", "each compared with p",
    "does not sum to 1", "a share of the pieces"],
    task="Give one case, (probabilities, p), on which as many wrong nuclei as possible go wrong.",
    nudge="A case that is sorted already hides those who sort wrongly. If one piece alone has p, who counts pieces and who adds shares look alike.",
    skeleton="""my_input = (
    np.array([..., ..., ..., ...]),       # shares of four pieces or more, that sum to 1, not sorted
    ...,                                  # p
)
""")

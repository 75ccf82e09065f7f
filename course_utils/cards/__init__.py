"""What a notebook shows between code and text: one family of cards, one file each."""

from course_utils.cards.questions import predict, predictions, quiz
from course_utils.cards.ribbons import ribbons
from course_utils.cards.verdicts import judge

__all__ = ["judge", "predict", "predictions", "quiz", "ribbons"]

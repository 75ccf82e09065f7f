"""What a student clicked and wrote, from a file beside the notebook. It comes from a stranger: read
with care, never run."""

import json

from course_utils.cards.questions import LETTERS, files, fingerprint, load, shuffled

PATTERN = "*.answers*.json"
MOST, MOST_TEXT, MOST_CLICKS = 64 << 10, 2000, 20  # bytes, characters, clicks at one question
KEYS = {"notebook": str, "questions": int, "predictions": dict, "quiz": list, "open": str}


class OtherEdition(ValueError):  # noqa: N818
    """The answers belong to questions of a notebook that have changed since."""

    def __init__(self, notebook):
        super().__init__("answers to another edition of the questions")
        self.notebook = notebook


def read(path):
    """The content of the file. Raises ValueError with a sentence where it is none, OtherEdition
    where the questions were others."""
    with open(path, "rb") as file:
        data = file.read(MOST + 1)
    if len(data) > MOST:
        raise ValueError(f"size: got more than {MOST} bytes, wanted at most that")
    try:
        said = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise ValueError("it is no JSON in UTF-8") from None
    if (
        not isinstance(said, dict)
        or set(said) != set(KEYS)
        or any(type(said[key]) is not kind for key, kind in KEYS.items())
    ):
        raise ValueError(
            f"form: wanted {', '.join(f'{key} ({kind.__name__})' for key, kind in KEYS.items())},"
            " and nothing else"
        )
    name = said["notebook"]
    if name not in files("predictions") or name not in files("quizzes"):
        raise ValueError("notebook: wanted one of this course")
    if said["questions"] != fingerprint(name):
        raise OtherEdition(name)
    _check(
        said, load("predictions", name), [shuffled(question) for question in load("quizzes", name)]
    )
    return said


def _check(said, asked, quiz):
    for key, letter in said["predictions"].items():
        if key not in asked or letter not in list(LETTERS[: len(asked[key]["options"])]):
            raise ValueError("predictions: wanted {a prediction of the notebook: a letter of it}")
    if len(said["quiz"]) != len(quiz):
        raise ValueError(f"quiz: got {len(said['quiz'])} questions, wanted {len(quiz)}")
    for clicked, options in zip(said["quiz"], quiz, strict=True):
        if (
            not isinstance(clicked, list)
            or len(clicked) > MOST_CLICKS
            or any(c not in list(LETTERS[: len(options)]) for c in clicked)
        ):
            raise ValueError(
                f"quiz: wanted a list of at most {MOST_CLICKS} letters for each question"
            )
    if len(said["open"]) > MOST_TEXT:
        raise ValueError(f"open: got {len(said['open'])} characters, wanted at most {MOST_TEXT}")

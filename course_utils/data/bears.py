"""What a real encoder makes of "bears": its states of the word in eighteen sentences, shipped so
that notebook 12 needs no weights.

The numbers in bears.npz were computed by scripts/make_bears.py from the model all-MiniLM-L6-v2 by
the Sentence Transformers team (sentence-transformers/all-MiniLM-L6-v2, itself trained from
nreimers/MiniLM-L6-H384-uncased), licence Apache-2.0 (its text: APACHE-2.0.txt beside this file).
Changed: the states of a few sentences and the matrices of two heads are kept, rounded to float16.
"""

from pathlib import Path
from typing import Any

import numpy as np

BEARS = {  # six sentences for each meaning
    "animal": [
        "Hungry bears eat berries and fish in autumn.",
        "Polar bears hunt seals on the ice.",
        "The polar bears at the zoo swim behind thick glass.",
        "The brown bears stood up and growled at us.",
        "In winter the bears sleep in a den under the snow.",
        "We saw three bears with their cubs on the mountain trail.",
    ],
    "hardship": [
        "Nobody else bears the heavy burden of this debt.",
        "The patient bears his illness without complaint.",
        "The widow bears her sorrow alone.",
        "The tenant bears all costs of the repair.",
        "The company bears the risk of the loan.",
        "The wall bears the weight of the roof.",
    ],
    "sport": [
        "The Bears signed a new quarterback before the season.",
        "The Chicago Bears won the game against the Packers.",
        "Last night Bears fans cheered for their team at home.",
        "The young Bears coach praised his players after the match.",
        "Our local Bears reached the final of the league.",
        "The Chicago Bears play at Soldier Field.",
    ],
}
EIGHTEEN = [sentence for six in BEARS.values() for sentence in six]
SENSES = [
    sense for sense, six in BEARS.items() for _ in six
]  # the meaning of "bears" in each of them
SHORT = {"animal": "I love bears", "hardship": "bears pain", "sport": "bears won the game"}
ALONE = "bears"  # with no neighbours: what the short sentences are to be compared with
FULLER = {
    "animal": "I love bears and their cubs in the forest.",
    "hardship": "She bears the pain without a word.",
    "sport": "The Bears won the game on Sunday night.",
}
STORED = {
    "states": EIGHTEEN,
    "short": [*SHORT.values()],
    "fuller": [*FULLER.values()],
    "alone": [ALONE],
}  # {array: its sentences}
SEARCHES = [
    "A grizzly catches salmon.",
    "She has to live with a great loss.",
    "The football club lost its last match.",
]
# A sentence, its negation by "not", and the same in other words.
# The list was fixed before all twelve were compared; a few of the sentences had been measured
# before.
TWELVE = [
    ("Bears eat fish.", "Bears do not eat fish.", "A grizzly catches salmon."),
    (
        "The shop is open on Sunday.",
        "The shop is not open on Sunday.",
        "You can buy there at the weekend.",
    ),
    (
        "This plant needs much water.",
        "This plant does not need much water.",
        "Give these flowers plenty to drink.",
    ),
    ("The film was good.", "The film was not good.", "I enjoyed the movie."),
    (
        "The medicine is safe for children.",
        "The medicine is not safe for children.",
        "Kids may take this drug.",
    ),
    (
        "My brother speaks French.",
        "My brother does not speak French.",
        "He knows the language of Paris.",
    ),
    (
        "The bus stops at the station.",
        "The bus does not stop at the station.",
        "You can take public transport to the trains.",
    ),
    (
        "The soup is too hot.",
        "The soup is not too hot.",
        "Wait, or your meal will burn your tongue.",
    ),
    ("She passed the exam.", "She did not pass the exam.", "Her test results were sufficient."),
    ("Our team won the match.", "Our team did not win the match.", "We beat them on the field."),
    ("The road is closed.", "The road is not closed.", "Cars cannot go through this street."),
    ("He paid the bill.", "He did not pay the bill.", "The money for the invoice came from him."),
]
TURNED = [
    ("Bears eat fish.", "Fish eat bears."),
    ("The dog bit the man.", "The man bit the dog."),
]  # the same words in the other order
SCALE, BATCH = (
    20,
    1024,
    # of the training with pairs: cosines times SCALE are its scores (train_script.py), BATCH pairs at  # noqa: E501
    # once (model card)
)
HEAD_SENTENCE = "The Chicago Bears won the game against the Packers."
BLOCK, HEADS = (
    1,
    (3, 4),
    # counted from 1: a head that looks one token back, and one that looks for words of the same matter  # noqa: E501
)


def load() -> dict[str, Any]:
    """The shipped arrays, as float32: a dict of

    states (18, 7, 384), the word "bears" in each of EIGHTEEN before block 1 and after each block;
    short, fuller (3, 7, 384) and alone (1, 7, 384), likewise;
    vectors (18, 384) and searches (3, 384), the vectors of the sentences of EIGHTEEN and SEARCHES,
    of length 1; said, negated and otherwise (12, 384), those of TWELVE; turned (2, 2, 384), those
    of TURNED; tokens, the T pieces of HEAD_SENTENCE; words, places (T, 384), the vectors of its
    pieces and of their places; gamma, beta (384,), of the first layer norm; X (T, 384), what that
    norm makes of words + places, as it enters the first block; last (T, 384), the states of all its
    tokens after the last block;
    W_Q, W_K, W_V (385, 64), both heads of HEADS side by side, the biases as last row; W_O (64,
    384), the rows that mix what the two heads bring.
    """
    with np.load(Path(__file__).with_suffix(".npz"), allow_pickle=False) as file:
        return {
            name: array.astype(np.float32) if array.dtype.kind == "f" else array.tolist()
            for name, array in file.items()
        }

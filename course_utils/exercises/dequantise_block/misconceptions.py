"""Known misconceptions of `dequantise_block`: (name, code, question), and options where there are
some."""

import numpy as np


def _codes(packed):
    return np.concatenate([packed & 15, packed >> 4])


TABLE = [
    (
        "high bits first",
        "np.concatenate([packed >> 4, packed & 15]) * step + least",
        (
            "The codes are right, but those of the high bits stand first. The low ones are the"
            " first half."
        ),
    ),
    (
        "low and high in turn",
        "np.stack([packed & 15, packed >> 4], axis=-1).ravel() * step + least",
        "You write low, high, low, high. Here all low ones come first, then all high ones.",
    ),
    (
        "high and low in turn",
        "np.stack([packed >> 4, packed & 15], axis=-1).ravel() * step + least",
        "You write high, low, high, low. Here all low ones come first, then all high ones.",
    ),
    (
        "high bits not moved down",
        "np.concatenate([packed & 15, packed & 240]) * step + least",
        "The high four bits count sixteen times too much: they are still in their high place.",
    ),
    (
        "low bits twice",
        "np.concatenate([packed & 15, packed & 15]) * step + least",
        "Both halves hold the low bits. The high ones are missing.",
    ),
    (
        "high bits twice",
        "np.concatenate([packed >> 4, packed >> 4]) * step + least",
        "Both halves hold the high bits. The low ones are missing.",
    ),
    (
        "& 16 instead of & 15",
        "np.concatenate([packed & 16, packed >> 4]) * step + least",
        "16 is a single bit, the fifth. Four bits that are all 1 make which number?",
    ),
    (
        "remainder of 15",
        "np.concatenate([packed % 15, packed // 15]) * step + least",
        "Four bits have sixteen values, 0 to 15. Divide by how many there are, not by the largest.",
    ),
    (
        "remainder of 10",
        "np.concatenate([packed % 10, packed // 10]) * step + least",
        "A byte is two hexadecimal digits, not two decimal ones: each has sixteen values.",
    ),
    (
        "bytes not taken apart",
        "packed * step + least",
        "Each byte became one number. Two codes share a byte.",
    ),
    (
        "low bits only",
        "(packed & 15) * step + least",
        "Half of the numbers are missing: the high bits hold the second half.",
    ),
    (
        "least forgotten",
        "_codes(packed) * step",
        "Code 0 should stand for the least number of the block, and stands for 0.",
        {"unused_arguments": "least"},
    ),
    (
        "step forgotten",
        "_codes(packed) + least",
        "From one code to the next it is 1. How far is it in this block?",
        {"unused_arguments": "step"},
    ),
    (
        "only the codes",
        "_codes(packed) + 0.0",
        "These are the codes. They count steps, upwards from the least number of the block.",
        {"unused_arguments": "step least"},
    ),
    (
        "step and least swapped",
        "_codes(packed) * least + step",
        (
            "Which of the two is multiplied by the code: the distance of neighbours, or where they "
            "begin?"
        ),
    ),
    (
        "least stretched, too",
        "(_codes(packed) + least) * step",
        (
            "The least number was added to the code, and multiplied with it. First the steps, then "
            "where they begin."
        ),
    ),
    (
        "least subtracted",
        "_codes(packed) * step - least",
        "The steps go upwards *from* the least number. You went down by it.",
    ),
    (
        "codes from −8",
        "(_codes(packed) - 8.0) * step + least",
        (
            "Some formats count from −8 to 7 around 0. Here code 0 is the least number, and all"
            " others lie above it."
        ),
    ),
    (
        "codes from −8, around 0",
        "(_codes(packed) - 8.0) * step",
        (
            "Some formats count from −8 to 7, and 8 steps below 0 is their least. Here the block"
            " says where code 0 stands: at `least`."
        ),
    ),
    (
        "divided by 15",
        "_codes(packed) / 15 * step + least",
        "A code was taken as a share from 0 to 1. The step is the distance of neighbours already.",
    ),
]

"""The instruments of the course, one a pair of files NAME.py and NAME.js; instrument.py says how
one is written.

A file is read when its instrument is first asked for.
"""

import importlib

_FILES = {
    "TheMap": "the_map",
    "ScoreSlider": "score_slider",
    "TokenMover": "token_mover",
    "QueryExplorer": "query_explorer",
    "SoftmaxSharpening": "softmax_sharpening",
    "NormExplorer": "norm_explorer",
    "DecodingTree": "decoding_tree",
    "GradientFlow": "gradient_flow",
    "NextWord": "next_word",
    "MaskExplorer": "mask_explorer",
    "HeadExplorer": "head_explorer",
    "SinusoidFrequencies": "sinusoid_frequencies",
    "LayerWalk": "layer_walk",
    "GateExplorer": "gate_explorer",
    "TurningArrows": "turning_arrows",
    "TokenCutter": "token_cutter",
    "TokenExplorer": "token_explorer",
    "HeadBoard": "head_board",
    "RewardLeash": "reward_leash",
    "ThoughtMover": "thought_mover",
}
_OTHERS = {"Chat": "chat"}  # alive in a page, too, but no instrument: a conversation

__all__ = list(_FILES)


def __getattr__(name):
    files = _FILES | _OTHERS
    if name not in files:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"course_utils.instruments.{files[name]}"), name)

"""The widgets of the course, one a file, all on the one mechanism of `explorer`. A file is read when its widget is first asked for."""

import importlib

_FILES = {
    "ScoreSlider": "score_slider",
    "TokenMover": "token_mover",
    "QueryExplorer": "query_explorer",
    "SoftmaxSharpening": "softmax_sharpening",
    "MaskExplorer": "mask_explorer",
    "HeadExplorer": "head_explorer",
    "NormExplorer": "norm_explorer",
    "DecodingTree": "decoding_tree",
    "SinusoidFrequencies": "sinusoid_frequencies",
    "GateExplorer": "gate_explorer",
    "LayerWalk": "layer_walk",
}

__all__ = ["WIDGETS", *_FILES]


def __getattr__(name):
    if name == "WIDGETS":
        return [__getattr__(widget) for widget in _FILES]
    if name not in _FILES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"course_utils.widgets.{_FILES[name]}"), name)

"""The widgets of the course, one a file, all on the one mechanism of `explorer`."""

from course_utils.widgets.decoding_tree import DecodingTree
from course_utils.widgets.gate_explorer import GateExplorer
from course_utils.widgets.head_explorer import HeadExplorer
from course_utils.widgets.layer_walk import LayerWalk
from course_utils.widgets.mask_explorer import MaskExplorer
from course_utils.widgets.norm_explorer import NormExplorer
from course_utils.widgets.query_explorer import QueryExplorer
from course_utils.widgets.score_slider import ScoreSlider
from course_utils.widgets.sinusoid_frequencies import SinusoidFrequencies
from course_utils.widgets.softmax_sharpening import SoftmaxSharpening
from course_utils.widgets.token_mover import TokenMover

WIDGETS = [
    ScoreSlider,
    TokenMover,
    QueryExplorer,
    SoftmaxSharpening,
    MaskExplorer,
    HeadExplorer,
    NormExplorer,
    DecodingTree,
    SinusoidFrequencies,
    GateExplorer,
    LayerWalk,
]

__all__ = ["WIDGETS", *(widget.__name__ for widget in WIDGETS)]

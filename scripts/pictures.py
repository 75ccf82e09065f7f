"""Draw the README's pictures: each widget at one telling setting.

    python scripts/pictures.py
"""

from pathlib import Path

from course_utils.widgets import (
    DecodingTree,
    GateExplorer,
    HeadExplorer,
    LayerWalk,
    MaskExplorer,
    NormExplorer,
    QueryExplorer,
    ScoreSlider,
    SinusoidFrequencies,
    SoftmaxSharpening,
    TokenMover,
)

FOLDER = Path(__file__).parents[1] / "docs"
SETTINGS = {
    ScoreSlider: (2.0,),
    TokenMover: ("bears won the game", 180),
    QueryExplorer: ("I love bears", 30),
    SoftmaxSharpening: (64, 1.0),
    MaskExplorer: ("causal", 1),
    HeadExplorer: ("previous word", 2),
    NormExplorer: (2.0, 1.0),
    DecodingTree: (2, 1.0),
    SinusoidFrequencies: (8, 16, "off", 6),
    GateExplorer: (4.0, 2),
    LayerWalk: (6, "I love bears"),
}

if __name__ == "__main__":
    for widget, setting in SETTINGS.items():
        figure = widget.still(setting)
        figure.savefig(FOLDER / f"{widget.__name__}.png", dpi=80, metadata={"Software": None})
        print(f"{widget.__name__}.png: {figure.description}")

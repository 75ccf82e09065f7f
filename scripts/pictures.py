"""Draw the README's pictures: each widget at one telling setting.

    python scripts/pictures.py
"""

from pathlib import Path

from course_utils.widgets import MaskExplorer, QueryExplorer, ScoreSlider, SoftmaxSharpening, TokenMover

FOLDER = Path(__file__).parents[1] / "docs"
SETTINGS = {
    ScoreSlider: (2.0,),
    TokenMover: ("bears won the game", 180),
    QueryExplorer: ("I love bears", 30),
    SoftmaxSharpening: (64, 1.0),
    MaskExplorer: ("causal", 1),
}

if __name__ == "__main__":
    for widget, setting in SETTINGS.items():
        figure = widget.still(setting)
        figure.savefig(FOLDER / f"{widget.__name__}.png", dpi=80, metadata={"Software": None})
        print(f"{widget.__name__}.png: {figure.description}")

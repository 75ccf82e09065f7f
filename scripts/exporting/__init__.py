"""One file an export; each has main(arguments), called by scripts/export.py."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
BUILD = ROOT / "build"

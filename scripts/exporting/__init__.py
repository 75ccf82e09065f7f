"""One file an export; each has main(arguments), called by scripts/export.py."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
BUILD = ROOT / "build"
APPENDIX = "A_"               # how the names of notebooks begin that one looks things up in: pages of the site, and no slides

"""What start.py does: an environment, a student's own copies, JupyterLab. Standard library only: it
runs before anything is installed."""

from pathlib import Path

INSIDE = (
    Path(__file__).resolve().parents[1] / "notebooks"
)  # in an installed wheel the notebooks lie inside the package
INSTALLED = INSIDE.is_dir()
COMMAND = "transformers-course" if INSTALLED else "python start.py"

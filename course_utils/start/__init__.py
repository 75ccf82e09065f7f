"""What start.py does: an environment, a student's own copies, JupyterLab. Standard library only: it runs before anything is installed."""

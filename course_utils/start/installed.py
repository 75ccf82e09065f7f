"""Open the course in the environment that its package is installed in.

    transformers-course                opens JupyterLab on your own copies of the notebooks
    transformers-course --no-browser   the same; every other argument of Jupyter's is passed on, too
    transformers-course fresh 03       makes a fresh copy of notebook 03, and keeps yours under
                                       another name

Your copies are in the folder my_course, which is made where you are. The environment variable
COURSE_FOLDER names another folder. They have no outputs and no solutions in them. They are made
once and never overwritten: when the course has changed since, the command says so.
"""

import sys

from course_utils.start import INSTALLED
from course_utils.start.commands import main as start
from course_utils.start.environment import fail


def main() -> None:
    """The command `transformers-course`."""
    if not INSTALLED:
        fail("the course's whole folder is here. Its command is: python start.py")
    start(sys.argv[1:], __doc__)

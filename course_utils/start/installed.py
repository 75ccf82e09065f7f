"""Open the course in the environment that its package is installed in.

    transformers-course                opens JupyterLab on your own copies of the notebooks, in the folder my_course
    transformers-course --no-browser   the same; this and every other argument of Jupyter's is passed on
    transformers-course fresh 03       puts a fresh copy of notebook 03 into my_course, and keeps yours under another name

The folder my_course is made where you are. The environment variable COURSE_FOLDER names another folder.
Your copies have no outputs and no solutions in them. They are made once and never overwritten: when the course has
changed since, the command says so.
"""

import sys

from course_utils.start import INSTALLED
from course_utils.start.commands import main as start
from course_utils.start.environment import fail


def main():
    """The command `transformers-course`."""
    if not INSTALLED:
        fail("the course's whole folder is here. Its command is: python start.py")
    start(sys.argv[1:], __doc__)

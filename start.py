"""Open the course, or test it, on a machine that has Python 3.11 or newer and nothing else of ours.

    python start.py                   opens JupyterLab on your own copies of the notebooks, in the
                                      folder my_course
    python start.py --no-browser      the same; this and every other argument of Jupyter's is passed
                                      on
    python start.py fresh 03          puts a fresh copy of notebook 03 into my_course, and keeps
                                      yours under another name
    python start.py test [FILE ...]   runs the notebooks and the quick tests,
                                      or those of these files

The first run makes a virtual environment in the folder .venv and installs what is needed into it (a
minute or two, from the network); later runs start at once. Inside an active virtual environment
that one is used instead.

Your copies have no outputs and no solutions in them. They are made once and never overwritten: when
the course has changed since, start.py says so. The environment variable COURSE_FOLDER names another
folder for them.
"""

import sys

if sys.version_info < (  # noqa: UP036
    3,
    11,
):
    sys.exit("start.py: got Python %s, wanted 3.11 or newer" % sys.version.split()[0])  # noqa: UP031

from course_utils.start.commands import main

if __name__ == "__main__":
    main(sys.argv[1:], __doc__)

"""For the tests and for the notebook kernels that they start: one BLAS thread, which the package sets before NumPy is imported,
and an empty folder in the place of the student's own, so that what somebody has written there changes no test."""

import atexit
import os
import shutil
import tempfile

os.environ["COURSE_FOLDER"] = tempfile.mkdtemp(prefix="course-tests-")
atexit.register(shutil.rmtree, os.environ["COURSE_FOLDER"], ignore_errors=True)

import course_utils  # noqa: E402, F401

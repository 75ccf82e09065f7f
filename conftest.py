"""One BLAS thread, for the tests and for the notebook kernels they start: the package sets it before NumPy is imported."""

import course_utils  # noqa: F401

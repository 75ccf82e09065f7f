"""The package behind the notebooks: mathematics on the ground floor, scenery above it."""

import os

# Matrices this small run several times slower when BLAS splits them over threads.
# The library reads these variables once, when NumPy is first imported.
for _library in ("OPENBLAS", "OMP", "MKL", "VECLIB_MAXIMUM", "NUMEXPR"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

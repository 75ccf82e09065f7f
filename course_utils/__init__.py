"""The package behind the notebooks: mathematics on the ground floor, scenery above it."""

import os
from pathlib import Path

# Matrices this small run several times slower when BLAS splits them over threads.
# The library reads these variables once, when NumPy is first imported.
for _library in ("OPENBLAS", "OMP", "MKL", "VECLIB_MAXIMUM", "NUMEXPR"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

# The same last digits on every PC with Linux: training makes other texts out of a difference of
# 1e-16, and newer processors would add up in another order. Haswell (2013) is the oldest with AVX2.
_PROCESSOR = Path("/proc/cpuinfo")
if _PROCESSOR.exists() and " avx2 " in _PROCESSOR.read_text(encoding="utf-8", errors="replace"):
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")
    os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", "X86_V4 AVX512_ICL AVX512_SPR")

"""What pins depend on that is not ours: the processor, the C library and other packages."""

from __future__ import annotations

import hashlib
import math
import platform
from functools import cache
from importlib.metadata import version

import numba
import numpy as np
from llvmlite import binding as llvm

FUNCTIONS = (math.sin, math.cos, math.tan, math.exp, math.sinh, math.cosh, math.atan, math.cbrt)
VECTORS = ("avx512f", "fma", "avx2", "neon", "sve")


def versions(*names: str) -> str:
    """Of Python (its name is the empty one) and of packages."""
    python = ".".join(platform.python_version_tuple()[:2])
    return ", ".join(f"{name} {version(name)}" if name else f"Python {python}" for name in names)


@cache
def family() -> str:
    """The last digits of elementary functions depend on the C library and on the instructions that
    it finds (glibc has a sine with fused multiply-add and one without), sums of products on the
    kernels that OpenBLAS takes for the processor, compiled loops on the instructions that Numba is
    allowed. A digest stands for the first two."""
    return f"{platform.system()}-{platform.machine()}-{_instructions()}-{_digits()}".lower()


def _instructions() -> str:
    """The widest vectors that Numba compiles for."""
    if numba.config.DISABLE_JIT:
        return "python"
    if numba.config.CPU_NAME:  # another processor than this one was asked for
        return str(numba.config.CPU_NAME)
    features = llvm.get_host_cpu_features()
    return next((name for name in VECTORS if features.get(name)), "plain")


def _digits() -> str:
    """A digest of what the C library, NumPy and BLAS give for many arguments."""
    text = hashlib.sha256()
    x = np.linspace(-3.0, 3.0, 4001)
    for function in FUNCTIONS:
        text.update(np.array([function(value) for value in x.tolist()]).tobytes())
    for vectorised in (np.sin, np.cos, np.exp):
        text.update(vectorised(x).tobytes())
    rng = np.random.default_rng(1)
    for size in (2, 3, 5, 6, 9, 16, 40):
        a, b = rng.normal(size=(2, size, size)) + 3 * np.eye(size)
        for made in (a @ b, a @ b[0], a.ravel() @ b.ravel(), a.sum(), np.linalg.solve(a, b)):
            text.update(np.asarray(made).tobytes())
    return text.hexdigest()[:8]

"""Sine and cosine together, as polynomials.

Numba has no vector mathematics library: a call to ``math.sin`` is a call, and keeps a loop over
many bodies scalar. These two polynomials are plain multiplications and additions, the same on every
processor and on the GPU, and so a single run and a batch give the same bits.
"""

from __future__ import annotations

from rocksteady.formulations.contract import kernel


@kernel
def sincos(x):  # type: ignore[no-untyped-def]
    """(sin x, cos x) for |x| ≤ π/2, within 2.3e-16: Taylor series to x²¹ and x²⁰."""
    z = x * x
    sine = -1 / 51090942171709440000 * z + 1 / 121645100408832000
    sine = -sine * z + 1 / 355687428096000
    sine = -sine * z + 1 / 1307674368000
    sine = -sine * z + 1 / 6227020800
    sine = -sine * z + 1 / 39916800
    sine = -sine * z + 1 / 362880
    sine = -sine * z + 1 / 5040
    sine = -sine * z + 1 / 120
    sine = -sine * z + 1 / 6
    sine = x - x * z * sine
    cosine = -1 / 2432902008176640000 * z + 1 / 6402373705728000
    cosine = -cosine * z + 1 / 20922789888000
    cosine = -cosine * z + 1 / 87178291200
    cosine = -cosine * z + 1 / 479001600
    cosine = -cosine * z + 1 / 3628800
    cosine = -cosine * z + 1 / 40320
    cosine = -cosine * z + 1 / 720
    cosine = -cosine * z + 1 / 24
    cosine = -cosine * z + 1 / 2
    cosine = 1 - z * cosine
    return sine, cosine

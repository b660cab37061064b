"""Sine and cosine together, as polynomials.

Numba has no vector mathematics library: a call to ``math.sin`` is a call, and keeps a loop over
many bodies scalar. These two polynomials are multiplications and additions only, the same on every
processor and on the GPU, and so a single run and a batch give the same bits.

The coefficients are the best there are for |x| ≤ π/2 (Remez' exchange algorithm in 50 digits): with
this many terms the error is 1.1e-16 of the sine and 4e-18 of the cosine, so only rounding remains.
"""

from rocksteady.numerics.decorators import inner_fused_kernel


@inner_fused_kernel
def sincos(x):  # type: ignore[no-untyped-def]
    """(sin x, cos x) for |x| ≤ π/2, within 3e-16."""
    z = x * x
    tail = -2.5051851497018036e-08 + z * (1.604730119734255e-10 + z * -7.364646462267063e-13)
    tail = -0.00019841269820094202 + z * (2.755731607700745e-06 + z * tail)
    sine = x + x * z * (-0.1666666666666581 + z * (0.00833333333326288 + z * tail))
    tail = 2.087656773953877e-09 + z * (-1.1463039332492845e-11 + z * 4.610293793445856e-14)
    tail = 2.480158727914869e-05 + z * (-2.7557316525197284e-07 + z * tail)
    tail = -0.001388888888878565 + z * tail
    cosine = 1 + z * (-0.49999999999999983 + z * (0.04166666666666437 + z * tail))
    return sine, cosine

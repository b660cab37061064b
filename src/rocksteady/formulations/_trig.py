"""Sine and cosine together, as polynomials.

Numba has no vector mathematics library: a call to ``math.sin`` is a call, and keeps a loop over
many bodies scalar. These two polynomials are plain multiplications and additions, the same on every
processor and on the GPU, and so a single run and a batch give the same bits.

The coefficients are the best there are for |x| ≤ π/2 (Remez' exchange algorithm, carried out with
50 digits): with as many terms as here they leave 2e-19 of the sine and 4e-18 of the cosine, and so
all that remains is rounding. Taylor's series would need two or three terms more of each. Small
terms are summed in pairs (Estrin's scheme), which do not wait for each other.
"""

from __future__ import annotations

from rocksteady.formulations._kernel import inner_kernel


@inner_kernel
def sincos(x):  # type: ignore[no-untyped-def]
    """(sin x, cos x) for |x| ≤ π/2, within 2.5e-16."""
    z = x * x
    z2 = z * z
    z4 = z2 * z2
    tail = (0.00019841269841185962 - 2.755731920778703e-06 * z) + z2 * (
        2.5052106606644466e-08 - 1.6058927836753878e-10 * z
    )
    tail = tail + z4 * (7.64271293428848e-13 - 2.7184964302159098e-15 * z)
    sine = x - x * z * (0.16666666666666666 - z * (0.008333333333333115 - z * tail))
    tail = (0.001388888888878565 - 2.480158727914869e-05 * z) + z2 * (
        2.7557316525197284e-07 - 2.087656773953877e-09 * z
    )
    tail = tail + z4 * (1.1463039332492845e-11 - 4.610293793445856e-14 * z)
    cosine = 1 - z * (0.49999999999999983 - z * (0.04166666666666437 - z * tail))
    return sine, cosine

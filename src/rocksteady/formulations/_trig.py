"""Sine and cosine together, as polynomials.

Numba has no vector mathematics library: a call to ``math.sin`` is a call, and keeps a loop over
many bodies scalar. These two polynomials are multiplications and additions only, the same on every
processor and on the GPU, and so a single run and a batch give the same bits.

The coefficients are the best there are for |x| ≤ π/2 (Remez' exchange algorithm, carried out with
50 digits): with as many terms as here they leave 1.1e-16 of the sine and 2.1e-15 of the cosine.
"""

from __future__ import annotations

from rocksteady.formulations._kernel import inner_fused_kernel


@inner_fused_kernel
def sincos(x):  # type: ignore[no-untyped-def]
    """(sin x, cos x) for |x| ≤ π/2, within 2.5e-15."""
    z = x * x
    tail = -2.5051851497018036e-08 + z * (1.604730119734255e-10 + z * -7.364646462267063e-13)
    tail = -0.00019841269820094202 + z * (2.755731607700745e-06 + z * tail)
    sine = x + x * z * (-0.1666666666666581 + z * (0.00833333333326288 + z * tail))
    tail = -2.75569507540121e-07 + z * (2.0858735146808857e-09 + z * -1.101249149786405e-11)
    tail = -0.001388888886393402 + z * (2.4801583156323112e-05 + z * tail)
    cosine = 1 + z * (-0.49999999999993117 + z * (0.041666666665954206 + z * tail))
    return sine, cosine

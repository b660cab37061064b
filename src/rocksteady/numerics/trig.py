"""Sine and cosine together, and the angle of a point, as polynomials.

Numba has no vector mathematics library: a call to ``math.sin`` is a call, and keeps a loop over
many bodies scalar. These two polynomials are multiplications and additions only, the same on every
processor and on the GPU, and so a single run and a batch give the same bits.

The coefficients are the best there are for |x| ≤ π/2 (Remez' exchange algorithm in 50 digits): with
this many terms the error is 1.1e-16 of the sine and 4e-18 of the cosine, so only rounding remains.
The arctangent's are a Chebyshev fit in 40 digits for |x| ≤ tan 22.5°, with an error of 3e-17.
"""

import math

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


TAN_22, TAN_67 = math.sqrt(2) - 1, math.sqrt(2) + 1  # of 22.5° and 67.5°


@inner_fused_kernel
def arctan2(y, x):  # type: ignore[no-untyped-def]
    """The angle [rad] of the point (x, y) from the x axis, for x, y ≥ 0 and not both 0; within
    3e-16. It is turned back by 45° or 90° first, so that the polynomial has little to do."""
    top, bottom, turn = turned_back(y, x)
    return turn + arctan(top / bottom)


@inner_fused_kernel
def direction(x, y):  # type: ignore[no-untyped-def]
    """The angle [rad] of any point (x, y) from the x axis, −π to π; 0 of the origin."""
    if x == 0.0 and y == 0.0:
        return 0.0
    angle = arctan2(abs(y), abs(x))
    angle = math.pi - angle if x < 0.0 else angle
    return -angle if y < 0.0 else angle


@inner_fused_kernel
def two_angles(y1, x1, y2, x2):  # type: ignore[no-untyped-def]
    """The angles of two points, as `arctan2` has them, with one division; within 5e-16."""
    top1, bottom1, turn1 = turned_back(y1, x1)
    top2, bottom2, turn2 = turned_back(y2, x2)
    per = 1.0 / (bottom1 * bottom2)
    return turn1 + arctan(top1 * (bottom2 * per)), turn2 + arctan(top2 * (bottom1 * per))


@inner_fused_kernel
def turned_back(y, x):  # type: ignore[no-untyped-def]
    """(y, x) of a point turned back to within 22.5° of the x axis, but for its distance; and by how
    much."""
    low, high = y <= TAN_22 * x, y > TAN_67 * x
    top, bottom = (y, x) if low else (y - x, y + x)
    top, bottom = (-x, y) if high else (top, bottom)
    turn = 0.0 if low else math.pi / 4
    return top, bottom, math.pi / 2 if high else turn


@inner_fused_kernel
def arctan(t):  # type: ignore[no-untyped-def]
    """For |t| ≤ tan 22.5°."""
    z = t * t
    tail = -0.05085407834589484 + z * (0.03923044778479309 + z * -0.019175404711104926)
    tail = 0.07692183125376892 + z * (-0.06664510525508937 + z * (0.05858140904866328 + z * tail))
    tail = -0.14285714284665681 + z * (0.11111111015187019 + z * (-0.09090904575306489 + z * tail))
    return t + t * z * (-0.3333333333333333 + z * (0.19999999999995517 + z * tail))

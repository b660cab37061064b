"""The complementarity problem of one or two contacts (Giouvanidis & Dimitrakopoulos 2016, Eqs. 9
and 10), as a pure scalar function.

Each contact either presses or opens, and the base sticks or slips against friction (with friction,
the LCP of Glocker 2001). It serves for forces and accelerations as it does for impulses and
velocities.
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import kernel

ROUNDING = 1e-14


class GMatrices(NamedTuple):
    """The matrices G of Eq. 5, for two normal contacts and one tangential one."""

    n11: float  # G_NN
    n12: float
    n22: float
    t1: float  # G_NT
    t2: float
    tt: float  # G_TT


class Impulses(NamedTuple):
    """A solution of the LCP, or what comes nearest to one."""

    N1: float  # Λ_N
    N2: float
    T: float  # Λ_T
    v1: float  # v_N, Eq. 8
    v2: float
    slip: float  # ġ_T⁺
    excess: float  # by how much an inequality is violated; 0, but for rounding, in a solution


@kernel
def violation(z1, z2, w1, w2, first, second):  # type: ignore[no-untyped-def]
    """By how much the impulses z (scaled to velocities), the velocities w and two linear conditions
    e1 z1 + e2 z2 + e0 ≥ 0 fall short of being positive."""
    one = first[0] * z1 + first[1] * z2 + first[2]
    two = second[0] * z1 + second[1] * z2 + second[2]
    return max(-w1, -w2, -one, -two, 0.0)


@kernel
def pair(a11, a12, a21, a22, b1, b2, first, second):  # type: ignore[no-untyped-def]
    """(z1, z2, w1, w2, excess): the complementary basis with z ≥ 0, w = a z + b ≥ 0, z·w = 0 and
    two conditions on z; of the four there are, the one that violates these inequalities least."""
    best, least = (0.0, 0.0, b1, b2), violation(0.0, 0.0, b1, b2, first, second)  # both open
    z = -b1 / a11  # the first one closed
    if z >= 0:
        w = a21 * z + b2
        excess = violation(z, 0.0, 0.0, w, first, second)
        if excess < least:
            best, least = (z, 0.0, 0.0, w), excess
    z = -b2 / a22  # the second one closed
    if z >= 0:
        w = a12 * z + b1
        excess = violation(0.0, z, w, 0.0, first, second)
        if excess < least:
            best, least = (0.0, z, w, 0.0), excess
    determinant = a11 * a22 - a12 * a21  # both closed
    z1, z2 = (a12 * b2 - a22 * b1) / determinant, (a21 * b1 - a11 * b2) / determinant
    excess = max(-abs(a11) * z1, -abs(a22) * z2, violation(z1, z2, 0.0, 0.0, first, second))
    if excess < least:
        best, least = (z1, z2, 0.0, 0.0), excess
    z1, z2, w1, w2 = best
    return max(z1, 0.0), max(z2, 0.0), max(w1, 0.0), max(w2, 0.0), least


@kernel
def slipping(matrices, c1, c2, ct, slip, mu1, mu2):  # type: ignore[no-untyped-def]
    """As `contacts`, for a base that slips in the direction `slip` = ±1."""
    n11, n12, n22, t1, t2, tt = matrices
    pull1, pull2 = -slip * mu1, -slip * mu2  # Λ_T = pull1 Λ1 + pull2 Λ2
    way = (slip * (t1 + tt * pull1), slip * (t2 + tt * pull2), slip * ct)  # slip·ġ_T⁺ ≥ 0
    z1, z2, w1, w2, excess = pair(
        n11 + t1 * pull1, n12 + t1 * pull2, n12 + t2 * pull1, n22 + t2 * pull2, c1, c2, way, way
    )
    after = way[0] * z1 + way[1] * z2 + way[2]
    pull = pull1 * (z1 + z2) + (pull2 - pull1) * z2  # with equal μ the bits of a single one
    return Impulses(z1, z2, pull, w1, w2, slip * max(after, 0.0), excess)


@kernel
def contacts(matrices, c1, c2, ct, mu1, mu2):  # type: ignore[no-untyped-def]
    """Two normal contacts and one tangential one, Coulomb friction μ of each (infinite: sticking).

    c1, c2 is (E + ε) ġ_N⁻ of Eq. 9 and ct is ġ_T⁻. The tangential pairs of the friction LCP have
    three bases (stick, slip either way); each leaves a `pair` for Λ_N.
    """
    n11, n12, n22, t1, t2, tt = matrices
    # stick: Λ_T = −G_TT⁻¹ (G_TN Λ_N + ġ_T⁻), Eq. 6 with the velocity it leaves out
    off = n12 - t1 * t2 / tt
    above = below = (0.0, 0.0, 0.0)
    if mu1 < math.inf:  # |Λ_T| ≤ μ1 Λ1 + μ2 Λ2, times G_TT
        above = (mu1 * tt - t1, mu2 * tt - t2, -ct)
        below = (mu1 * tt + t1, mu2 * tt + t2, ct)
    z1, z2, w1, w2, excess = pair(
        n11 - t1 * t1 / tt,
        off,
        off,
        n22 - t2 * t2 / tt,
        c1 - t1 / tt * ct,
        c2 - t2 / tt * ct,
        above,
        below,
    )
    push = -(t1 * z1 + t2 * z2 + ct) / tt
    best = Impulses(z1, z2, push, w1, w2, 0.0, excess)
    if mu1 == math.inf or excess <= ROUNDING * max(abs(c1), abs(c2), abs(ct)):
        return best
    # slip: rather the way in which sticking was too weak to hold it
    slip = 1.0 if push < 0 else -1.0
    for _ in range(2):
        found = slipping(matrices, c1, c2, ct, slip, mu1, mu2)
        if found.excess < best.excess:
            best = found
        slip = -slip
    return best

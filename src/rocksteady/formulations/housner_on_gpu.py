"""Housner's `glide` and `advance` with as few operations as a GPU's arithmetic can be spared.

The series of `formulations/housner.py`, of the same order, written for derivatives in place of
Taylor coefficients and for the time in units of the interval, h. With k and c the coefficients of
S = sin(α − y) and C = cos(α − y) in h² y'', linear in time with slopes k₁ and c₁, and

    F = k S + c C,   G = k C − c S,   L = k₁ S + c₁ C,   M = k₁ C − c₁ S,   v = h y',

    v' = F,   F' = L − v G,   G' = M + v F,   L' = −v M,   M' = v L.

No factor 1/n is needed, nor powers of h. The results differ from `housner.GLIDE` by rounding. It
goes on where that one leaves off for the sake of one test fewer: from a turning point, and from the
ground after an impact.
"""

from __future__ import annotations

import math
from typing import Any

from rocksteady.formulations import housner, rocking
from rocksteady.formulations._trig import sincos
from rocksteady.formulations.contract import kernel
from rocksteady.formulations.housner import trusted
from rocksteady.formulations.rocking import LYING

SINGLE = 2e4  # times the tolerance: what single precision can tell


@kernel
def derivatives(v, F0, G0, L0, M0):  # type: ignore[no-untyped-def]
    """(F, F', F'', ... F⁽⁵⁾, L⁽⁵⁾). Of F⁽⁶⁾ the series holds the part 6 L⁽⁵⁾ that is large where
    the ground's acceleration is steep."""
    F1 = L0 - v * G0
    G1 = M0 + v * F0
    L1 = -v * M0
    M1 = v * L0
    F2 = L1 - v * G1 - F0 * G0
    G2 = M1 + v * F1 + F0 * F0
    L2 = -v * M1 - F0 * M0
    M2 = v * L1 + F0 * L0
    two, three, four, triple = F0 + F0, 3 * F0, 4 * F0, 3 * F1
    F3 = L2 - v * G2 - two * G1 - F1 * G0
    G3 = M2 + v * F2 + three * F1
    L3 = -v * M2 - two * M1 - F1 * M0
    M3 = v * L2 + two * L1 + F1 * L0
    F4 = L3 - v * G3 - three * G2 - triple * G1 - F2 * G0
    G4 = M3 + v * F3 + four * F2 + triple * F1
    L4 = -v * M3 - three * M2 - triple * M1 - F2 * M0
    F5 = L4 - v * G4 - four * G3 - (triple + triple) * G2 - 4 * F2 * G1 - F3 * G0
    M4 = v * L3 + three * L2 + triple * L1 + F2 * L0
    L5 = -v * M4 - four * M3 - (triple + triple) * M2 - 4 * F2 * M1 - F3 * M0
    return F0, F1, F2, F3, F4, F5, L5


def make_glide(slack: float) -> Any:
    """Build `glide`, with a tolerance ``slack`` times the block's."""

    @kernel
    def glide(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """(state after the interval, whether it is that of `advance`), as `housner.GLIDE`."""
        theta, omega, side, _work, loss = state
        alpha = params[2] if side > 0 else params[8]
        p = params[3] if side > 0 else params[9]
        turn = p * dt
        weight = -turn * turn
        pull = weight * (1 / params[0])
        k0, k1 = weight + pull * ground0[1], pull * (ground1[1] - ground0[1])
        pull *= side
        c0, c1 = pull * ground0[0], pull * (ground1[0] - ground0[0])
        y, v = side * theta, side * dt * omega
        S, C = sincos(alpha - y)
        F0, F1, F2, F3, F4, F5, L5 = derivatives(
            v, k0 * S + c0 * C, k0 * C - c0 * S, k1 * S + c1 * C, k1 * C - c1 * S
        )
        late = F3 * (1 / 24) + (F4 * (1 / 120) + (F5 * (1 / 720) + L5 * (1 / 840)))
        change = F0 + (F1 * (1 / 2) + (F2 * (1 / 6) + late))
        late = F3 * (1 / 120) + (F4 * (1 / 720) + (F5 * (1 / 5040) + L5 * (1 / 6720)))
        y1 = y + (v + (F0 * (1 / 2) + (F1 * (1 / 6) + (F2 * (1 / 24) + late))))
        v1 = v + change

        # No turning point: the rate cannot vanish if its derivative keeps its sign, nor if it
        # changes by less than both ends have. (|F₁| + |F₂| + ... bounds |F₁ τ + F₂ τ²/2 + ...|.)
        later = abs(F1) + (abs(F2) + (abs(F3) + abs(F4)))
        steady = abs(F0) > later
        goes_on = (v * v1 > 0) & (steady | (abs(v + v1) > abs(F0) + later)) | (v == 0) & steady
        # what is left out of the rate: as in `housner.omitted`
        turn += 3 * abs(v)
        exact = (abs(F4) * turn + abs(F5)) * turn <= 5040 * slack * params[1] * dt
        # Where it rests, or strikes the ground, y1 is not positive: that needs no test of its own.
        ok = (y1 > 0) & (y1 < LYING) & goes_on & exact
        return (side * y1, omega + side * (1 / dt) * change, side, math.nan, loss), ok

    return glide


@kernel
def no_work(motion, t):  # type: ignore[no-untyped-def]
    return math.nan


@kernel
def trusted_in_single(motion, dt, tolerance):  # type: ignore[no-untyped-def]
    return trusted(motion, dt, SINGLE * tolerance)


glide = make_glide(1.0)
glide_in_single = make_glide(SINGLE)
ADVANCE = rocking.make_advance(housner.expand, trusted, housner.evaluate, no_work)
ADVANCE_IN_SINGLE = rocking.make_advance(
    housner.expand, trusted_in_single, housner.evaluate, no_work
)


def leaner(advance: Any, glide_of_cpu: Any, single: bool = False) -> tuple[Any, Any]:
    """What a GPU should use in the place of a formulation's step and glide."""
    if advance is not housner.ADVANCE or glide_of_cpu is not housner.GLIDE:
        return advance, glide_of_cpu
    return (ADVANCE_IN_SINGLE, glide_in_single) if single else (ADVANCE, glide)

"""The rows of the contact problem (§1 of Jean 1999, with one tangential force a joint):

    M (w − w_free) = Hᵀ p,   u = H w + b,   0 ≤ u_N ⊥ p_N ≥ 0,   |p_T| ≤ μ ΣN,
    p_T = −μ ΣN sign(u_T) where u_T ≠ 0.

A joint has three unknowns: N at each end and one T, for both ends lie on one line. They are as many
as the relative freedoms of two stones; friction at each end would make every joint redundant.
"""

import math

import numpy as np

from rocksteady.numerics.decorators import array_kernel
from rocksteady.theories.assembly.places import end_at, velocity_of_end
from rocksteady.theories.assembly.workspace import AT, FREE, PAIRS, W

N0, N1, T = map(np.int64, range(3))  # see workspace.py


@array_kernel
def write_rows(work, side):  # type: ignore[no-untyped-def]
    """H and W of all joints at the pose that `turn` holds for."""
    for pair in range(work.tally[PAIRS]):
        if work.live[side, pair, 0]:
            write_joint(work, side, pair)


@array_kernel
def write_joint(work, side, pair):  # type: ignore[no-untyped-def]
    body, row, shape = work.body, work.row, work.shape
    a, b = work.pair[pair, 2], work.pair[pair, 3]
    for k in range(2):
        _, _, x, y, nx, ny, sign = end_at(work, side, pair, k)
        write_row(row[pair, k], body, a, b, x, y, sign * nx, sign * ny)
        if k == work.live[side, pair, 1]:
            write_row(row[pair, T], body, a, b, x, y, -sign * ny, sign * nx)
    light, turn_a, turn_b = shape[a, 0] + shape[b, 0], shape[a, 1], shape[b, 1]
    at = 0
    for r in range(3):
        for s in range(r, 3):
            p, q = row[pair, r], row[pair, s]
            along = light * (p[0] * q[0] + p[1] * q[1])
            work.weigh[pair, at] = along + turn_a * p[2] * q[2] + turn_b * p[3] * q[3]
            at += 1


@array_kernel
def write_row(row, body, a, b, x, y, dx, dy):  # type: ignore[no-untyped-def]
    row[0], row[1] = dx, dy
    row[2] = (x - body[AT, 3 * a]) * dy - (y - body[AT, 3 * a + 1]) * dx
    row[3] = (x - body[AT, 3 * b]) * dy - (y - body[AT, 3 * b + 1]) * dx


@array_kernel
def weight_of(weigh, r):  # type: ignore[no-untyped-def]
    """W_rr of row r of a joint."""
    return weigh[0] if r == 0 else (weigh[3] if r == 1 else weigh[5])


@array_kernel
def speed(work, pair, r, which):  # type: ignore[no-untyped-def]
    """u of one row without b [m/s]."""
    return velocity_of_end(
        work.row[pair, r], work.body, which, work.pair[pair, 2], work.pair[pair, 3]
    )


@array_kernel
def give(work, pair, r, impulse, which):  # type: ignore[no-untyped-def]
    """Add M⁻¹ Hᵀ of an impulse in one row to the velocities ``which``."""
    a, b = work.pair[pair, 2], work.pair[pair, 3]
    body, row, shape = work.body, work.row[pair, r], work.shape
    light, heavy = impulse * shape[a, 0], impulse * shape[b, 0]
    body[which, 3 * a] += light * row[0]
    body[which, 3 * a + 1] += light * row[1]
    body[which, 3 * a + 2] += impulse * shape[a, 1] * row[2]
    body[which, 3 * b] -= heavy * row[0]
    body[which, 3 * b + 1] -= heavy * row[1]
    body[which, 3 * b + 2] -= impulse * shape[b, 1] * row[3]


@array_kernel
def pushed(work, which):  # type: ignore[no-untyped-def]
    """Set ``which`` to w_free + M⁻¹ Hᵀ p."""
    body = work.body
    for k in range(body.shape[1]):
        body[which, k] = body[FREE, k]
    for pair in range(work.tally[PAIRS]):
        if work.on[pair, 0] or work.on[pair, 1]:
            for r in range(3):
                if work.push[pair, r] != 0.0:
                    give(work, pair, r, work.push[pair, r], which)


@array_kernel
def cone(work, pair):  # type: ignore[no-untyped-def]
    """The largest friction impulse: μ ΣN."""
    return work.rub[pair, 0] * (work.push[pair, 0] + work.push[pair, 1] + work.rub[pair, 1])


@array_kernel
def residual(work):  # type: ignore[no-untyped-def]
    """max |p − proj(p − u/W)| W [m/s] of p and of the velocities W that follow from it; infinite
    where one of these is no number, which max() passes over."""
    worst = 0.0
    for k in range(work.exact.shape[1]):
        if not math.isfinite(work.body[W, k]):
            return math.inf
    for pair in range(work.tally[PAIRS]):
        if not (work.on[pair, 0] or work.on[pair, 1]):
            continue
        for r in range(2):
            if work.on[pair, r]:
                weight, p = weight_of(work.weigh[pair], r), work.push[pair, r]
                u = speed(work, pair, r, W) + work.aim[pair, r]
                worst = max(worst, abs(p - max(0.0, p - u / weight)) * weight)
        weight, p, limit = weight_of(work.weigh[pair], T), work.push[pair, T], cone(work, pair)
        u = speed(work, pair, T, W) + work.aim[pair, T]
        wanted = min(limit, max(-limit, p - u / weight))
        if work.slip[pair, 3] != 0:
            wanted = work.slip[pair, 3] * limit
        worst = max(worst, abs(p - wanted) * weight)
    return worst


@array_kernel
def lead_by_force(work, side):  # type: ignore[no-untyped-def]
    """Let joints that touch at both ends stick at the one that carries, at the pose that `turn`
    holds for: the other is about to open, and turns about it."""
    for pair in range(work.tally[PAIRS]):
        if not (work.on[pair, 0] and work.on[pair, 1]):
            continue
        k = 1 - work.live[side, pair, 1]
        if work.push[pair, 1 - k] == 0.0 < work.push[pair, k]:
            work.live[side, pair, 1] = k
            work.held[pair, 0] = work.foot[side, pair, k, 0]
            work.held[pair, 1] = work.foot[side, pair, k, 1]
            work.hold[pair, 0] = end_at(work, side, pair, k)[1]

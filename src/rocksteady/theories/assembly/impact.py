"""Stones strike: velocities jump, by impulses at all ends that touch.

With ε = 0 and ends at the corners a block that rocks keeps Housner's share of its velocity: the old
corner would have to pull, so it lets go, and only the landing one acts. Another share comes from κ:
the old corner takes κ times the impulse of the landing one, as if both acted at a point between
them, c from the middle of a base of 2b, κ = (b − c)/(b + c).
"""

import math

from rocksteady.numerics.decorators import array_kernel
from rocksteady.theories.assembly.places import take_pose
from rocksteady.theories.assembly.problem import restrain, solve
from rocksteady.theories.assembly.rows import N0, N1, T, give, lead_by_force, speed, write_rows
from rocksteady.theories.assembly.state import DOUBTFUL, LOSS, tell
from rocksteady.theories.assembly.workspace import (
    CLOSED,
    FREE,
    GRAVITY,
    GUESS,
    PAIRS,
    RESTITUTION,
    SHARE,
    SIDE,
    STEP,
    SWEEPS,
    Q,
    V,
    W,
)

ROUNDS = 200  # of the impulse that the old corner takes
STRIKING = 2e-6  # g h: ends that approach faster than this strike
TURNS = 0.01  # of the speed of the landing end: if the other one leaves faster, it is no pivot


@array_kernel
def strikes(work, side):  # type: ignore[no-untyped-def]
    """Whether a closed end approaches."""
    slow = -STRIKING * work.number[GRAVITY] * work.number[STEP]
    for pair in range(work.tally[PAIRS]):
        if work.live[side, pair, 0]:
            for k in range(2):
                if (
                    work.gap[side, pair, k] <= work.number[CLOSED]
                    and speed(work, pair, k, V) < slow
                ):
                    return True
    return False


@array_kernel
def kinetic(work, which):  # type: ignore[no-untyped-def]
    """Kinetic energy [J]."""
    body, total = work.body, 0.0
    for i in range(work.exact.shape[1] // 3):
        x, y, w = body[which, 3 * i], body[which, 3 * i + 1], body[which, 3 * i + 2]
        total += 0.5 * ((x * x + y * y) / work.shape[i, 0] + w * w / work.shape[i, 1])
    return total


@array_kernel
def strike(state, work):  # type: ignore[no-untyped-def]
    """Let the velocities V jump."""
    side, unit = work.tally[SIDE], work.number[GRAVITY] * work.number[STEP]
    take_pose(work, Q)
    write_rows(work, side)
    for k in range(work.body.shape[1]):
        work.body[FREE, k] = work.body[V, k]
    for pair in range(work.tally[PAIRS]):
        for k in range(2):
            near = work.gap[side, pair, k] <= work.number[CLOSED]
            work.on[pair, k] = 1 if work.live[side, pair, 0] and near else 0
            work.aim[pair, k] = 0.0
        work.aim[pair, T] = 0.0
        for r in range(3):  # what carried before is the best guess of what takes part
            taken = work.on[pair, r] if r < 2 else work.on[pair, 0] or work.on[pair, 1]
            work.push[pair, r] = 0.5 * work.number[STEP] * work.force[pair, r] if taken else 0.0
    left = solve(work, unit, int(work.number[SWEEPS]))
    if left > DOUBTFUL:
        restrain(work, V)
    if work.number[SHARE] > 0.0 or work.number[RESTITUTION] > 0.0:
        for k in range(work.body.shape[1]):
            work.body[GUESS, k] = work.body[W, k]
        if work.number[RESTITUTION] > 0.0:
            left = max(left, bounce(work, unit))
        if work.number[SHARE] > 0.0:
            left = max(left, share_out(work, unit))
        temper(work)
    tell(state, left)
    lead_by_force(work, side)
    state[LOSS] += kinetic(work, V) - kinetic(work, W)
    for k in range(work.exact.shape[1]):
        work.body[V, k] = work.body[W, k]


@array_kernel
def bounce(work, unit):  # type: ignore[no-untyped-def]
    """Let ends that approach leave with ε times their speed."""
    for pair in range(work.tally[PAIRS]):
        for k in range(2):
            if work.on[pair, k]:
                work.aim[pair, k] = work.number[RESTITUTION] * min(speed(work, pair, k, V), 0.0)
    return solve(work, unit, int(work.number[SWEEPS]))


@array_kernel
def temper(work):  # type: ignore[no-untyped-def]
    """Keep W from having more energy than V, as Newton's ε may give it where a corner slips: go
    back towards GUESS, an impact with ε = κ = 0. Impulses between those of the two are allowed as
    well."""
    body, square, slope = work.body, 0.0, 0.0
    most = kinetic(work, V)
    if kinetic(work, W) <= most:
        return
    for k in range(work.exact.shape[1]):
        mass = 1.0 / work.shape[k // 3, 0 if k % 3 < 2 else 1]
        step = body[W, k] - body[GUESS, k]
        square += 0.5 * mass * step * step
        slope += mass * step * body[GUESS, k]
    spare = max(most - kinetic(work, GUESS), 0.0)
    share = 0.0
    if square > 0.0:
        share = (math.sqrt(slope * slope + 4.0 * square * spare) - slope) / (2.0 * square)
    share = min(max(share, 0.0), 1.0)
    for k in range(work.exact.shape[1]):
        body[W, k] = body[GUESS, k] + share * (body[W, k] - body[GUESS, k])


@array_kernel
def landing(work, pair, slow):  # type: ignore[no-untyped-def]
    """The end of a joint that lands while it turns about the other one; −1 if none does."""
    if not (work.on[pair, 0] and work.on[pair, 1]):
        return -1
    u0, u1 = speed(work, pair, N0, V), speed(work, pair, N1, V)
    if u0 < slow <= u1:
        return 0 if u1 < -TURNS * u0 else -1
    return 1 if u1 < slow <= u0 < -TURNS * u1 else -1


@array_kernel
def share_out(work, unit):  # type: ignore[no-untyped-def]
    """Give old corners κ times the impulse of the landing ones, until both agree."""
    slow, left = -STRIKING * unit, 0.0
    for _ in range(ROUNDS):
        change = 0.0
        for k in range(work.body.shape[1]):
            work.body[FREE, k] = work.body[V, k]
        for pair in range(work.tally[PAIRS]):
            lands = landing(work, pair, slow)
            if lands >= 0:
                extra = work.number[SHARE] * work.push[pair, lands]
                weight = work.weigh[pair, 3 if lands == 0 else 0]
                change = max(change, abs(extra - work.rub[pair, 1]) * weight)
                work.rub[pair, 1] = extra
                give(work, pair, 1 - lands, extra, FREE)
        left = solve(work, unit, int(work.number[SWEEPS]))
        if change <= 1e-9 * unit:
            break
    for pair in range(work.tally[PAIRS]):
        work.rub[pair, 1] = 0.0
    return left

"""The drift of the located rule (`located.py`): half of the pull, and impulses such that at its end
closed ends do not overlap and stuck joints are where they stuck."""

from rocksteady.numerics.decorators import array_kernel
from rocksteady.theories.assembly.places import end_at, take_pose
from rocksteady.theories.assembly.problem import restrain, solve
from rocksteady.theories.assembly.rows import T, cone, pushed, speed
from rocksteady.theories.assembly.slips import MISS, SMALL, hold_ways
from rocksteady.theories.assembly.state import DOUBTFUL, fastest, tell
from rocksteady.theories.assembly.workspace import (
    CLOSED,
    CREEP,
    FIRST,
    FREE,
    GRAVITY,
    GUESS,
    PAIRS,
    PART,
    PULL,
    STEP,
    SWEEPS,
    TRIAL,
    Q,
    V,
    W,
)

AIMS = 4  # solves of a drift whose end misses
AT_FIRST = 20_000  # sweeps of the first solve: of an arch near its limit the hardest
LEAST = 1e-5  # of the gap of a closed end: no drift comes nearer to its end, for rounding
ENOUGH = 200  # sweeps of a drift whose friction may have no answer


@array_kernel
def mark(work, side, every, h):  # type: ignore[no-untyped-def]
    """Which ends take part: those that are closed, or all that could close in this step."""
    near = work.number[CLOSED]
    if every:
        near += h * (2.0 * fastest(work) + 2.0 * work.number[GRAVITY] * h)
    for pair in range(work.tally[PAIRS]):
        for k in range(2):
            live, gap = work.live[side, pair, 0], work.gap[side, pair, k]
            work.on[pair, k] = 1 if live and gap <= near else 0
            work.on[pair, 2 + k] = 1 if live and gap <= work.number[CLOSED] else 0


@array_kernel
def recall_holds(work, side):  # type: ignore[no-untyped-def]
    """Where each joint sticks at the start of a step, at the pose that `turn` holds for."""
    for pair in range(work.tally[PAIRS]):
        if work.live[side, pair, 0]:
            k = work.live[side, pair, 1]
            xi = end_at(work, side, pair, k)[1]
            corner, edge = work.foot[side, pair, k, 0], work.foot[side, pair, k, 1]
            if work.held[pair, 0] != corner or work.held[pair, 1] != edge:
                work.held[pair, 0], work.held[pair, 1], work.hold[pair, 0] = corner, edge, xi
            work.hold[pair, 1] = xi


@array_kernel
def gently(work, h):  # type: ignore[no-untyped-def]
    """How far a step may move what is out of place by less than the gap of a closed end [m]. It
    takes a force of 2/h² times that, which must not pass for a slip that begins or ends."""
    return 0.25 * SMALL * work.number[GRAVITY] * max(h, 0.01 * work.number[STEP]) * h


@array_kernel
def goal_of_gap(work, gap, h):  # type: ignore[no-untyped-def]
    """The least gap at the end of a step of an end that takes part [m]: closed ends come to 0
    gently, what overlaps more is pushed out."""
    if gap > work.number[CLOSED]:
        return 0.0
    if gap < -work.number[CLOSED]:
        return min(0.0, gap + work.number[PART] * h)
    most = gently(work, h)
    return max(0.0, gap - most) if gap > 0.0 else min(0.0, gap + most)


@array_kernel
def goal_of_hold(work, pair, h):  # type: ignore[no-untyped-def]
    """Where a joint that sticks is at the end of the step [m]: it creeps back to where it stuck."""
    start = work.hold[pair, 1]
    off = work.hold[pair, 0] - start
    near = abs(off) <= work.number[CLOSED]
    most = gently(work, h) if near else work.number[CREEP] * h
    return start + min(max(off, -most), most)


@array_kernel
def enough_for(work, h):  # type: ignore[no-untyped-def]
    """By how much a drift may miss its end [m]: by a tenth of what is corrected gently, but not by
    less than rounding leaves."""
    most = min(MISS * work.number[CLOSED], 0.1 * gently(work, h))
    return max(most, LEAST * work.number[CLOSED])


@array_kernel
def aim(work, side, h):  # type: ignore[no-untyped-def]
    """b such that u ≥ 0 means: no overlap, and no slip, at the end of the step from GUESS. The pose
    is that end; how far it misses [m]."""
    body, miss = work.body, 0.0
    for k in range(body.shape[1]):
        body[TRIAL, k] = body[Q, k] + h * body[GUESS, k]
    take_pose(work, TRIAL)
    for pair in range(work.tally[PAIRS]):
        if not (work.on[pair, 0] or work.on[pair, 1]):
            continue
        for k in range(2):
            gap, xi = end_at(work, side, pair, k)[:2]
            if work.on[pair, k]:
                goal = goal_of_gap(work, work.gap[side, pair, k], h)
                work.aim[pair, k] = (gap - goal) / h - speed(work, pair, k, GUESS)
                if work.push[pair, k] > 0.0 or gap < goal:
                    miss = max(miss, abs(gap - goal))
            if k == work.live[side, pair, 1]:
                goal = goal_of_hold(work, pair, h)
                work.aim[pair, T] = (xi - goal) / h - speed(work, pair, T, GUESS)
                sticks = abs(work.push[pair, T]) < (1.0 - 1e-9) * cone(work, pair)
                if sticks and work.slip[pair, 3] == 0:
                    miss = max(miss, abs(xi - goal))
    return miss


@array_kernel
def drift(state, work, side, h, every):  # type: ignore[no-untyped-def]
    """Velocity W of a step of length h, and its end TRIAL. Joints that slip at its start slip on.
    Whether that can be: if not, nothing is told."""
    body = work.body
    for k in range(body.shape[1]):
        body[FREE, k] = body[V, k] + 0.5 * h * body[PULL, k]
    mark(work, side, every, h)
    for pair in range(work.tally[PAIRS]):
        for r in range(3):
            taken = work.on[pair, r] if r < 2 else work.on[pair, 0] or work.on[pair, 1]
            work.push[pair, r] = 0.5 * h * work.force[pair, r] if taken else 0.0
    pushed(work, GUESS)
    sweeps = AT_FIRST if work.tally[FIRST] else int(work.number[SWEEPS])
    unit = work.number[GRAVITY] * max(h, 0.01 * work.number[STEP])
    left = 0.0
    slides = hold_ways(work, True)
    if slides:
        sweeps = min(sweeps, ENOUGH)
    aim(work, side, h)
    for _ in range(AIMS):
        left = solve(work, unit, sweeps)
        for k in range(body.shape[1]):
            body[GUESS, k] = body[W, k]
        if aim(work, side, h) <= enough_for(work, h):
            break
    hold_ways(work, False)
    if left > DOUBTFUL:
        if slides:
            return False
        restrain(work, V)
        for k in range(body.shape[1]):
            body[TRIAL, k] = body[Q, k] + h * body[W, k]
    tell(state, left)
    return True


@array_kernel
def settle_holds(work, start):  # type: ignore[no-untyped-def]
    """Let joints that slip, or touch no more, stick where they are at the end of the step; the pose
    is that end."""
    for pair in range(work.tally[PAIRS]):
        if not work.live[start, pair, 0]:
            continue
        k = work.live[start, pair, 1]
        if work.slip[pair, 1]:
            work.hold[pair, 0] = end_at(work, start, pair, k)[1]

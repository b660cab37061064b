"""One step of the located rule, RATTLE with inequalities: second order, impacts found in time.

    drift   w from v + h a/2 and impulses such that closed ends do not overlap, and stick where they
            stuck, at the end of the step, q⁺ = q + h w
    kick    v⁺ from w + h a⁺/2 and impulses such that closed ends do not approach
    impact  a step of its own, without time, on all that touch (`impact.py`)

Kick and impact in one solve would be of first order. Where a step would make an open end overlap,
it ends when that end closes.
"""

import math

from rocksteady.formulations.assembly.contacts import find_contacts, list_pairs
from rocksteady.formulations.assembly.impact import strike, strikes
from rocksteady.formulations.assembly.loads import pull
from rocksteady.formulations.assembly.places import end_at, place_corners, take_pose
from rocksteady.formulations.assembly.problem import restrain, solve
from rocksteady.formulations.assembly.rows import T, cone, lead_by_force, pushed, speed, write_rows
from rocksteady.formulations.assembly.state import (
    DOUBTFUL,
    LOSS,
    WORK,
    fastest,
    is_over,
    load,
    store,
    tell,
    wait,
    work_of_contact,
    work_of_ground,
)
from rocksteady.formulations.assembly.workspace import (
    AT,
    CLOSED,
    FIRST,
    FREE,
    GRAVITY,
    GUESS,
    LOCATED,
    MARGIN,
    PAIRS,
    PULL,
    SIDE,
    START,
    STEP,
    STRIKES,
    SWEEPS,
    TRIAL,
    Q,
    V,
    W,
)
from rocksteady.formulations.contract import FAILURE, IMPACT, NOTHING, OVERTURN, partway
from rocksteady.numerics.by_address import by_address
from rocksteady.numerics.decorators import array_kernel, spliced_kernel

PUSH_OUT = 0.02  # m/s: how fast stones that overlap are parted
CREEP_BACK = 1e-4  # m/s: how fast a stuck joint goes back to where it stuck
AIMS = 4  # solves of a drift whose end misses
LOCATINGS = 6  # repeats of a drift until the impact is at its end
MOST_LOCATED = 20  # impacts in a row; then open ends are kept open instead
SHORTEST = 1e-3  # of a step
AT_FIRST = 20_000  # sweeps of the first solve: of an arch near its limit the hardest


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
                goal = min(0.0, work.gap[side, pair, k] + PUSH_OUT * h)
                work.aim[pair, k] = (gap - goal) / h - speed(work, pair, k, GUESS)
                if work.push[pair, k] > 0.0 or gap < goal:
                    miss = max(miss, abs(gap - goal))
            if k == work.live[side, pair, 1]:
                start, creep = work.hold[pair, 1], CREEP_BACK * h
                goal = start + min(max(work.hold[pair, 0] - start, -creep), creep)
                work.aim[pair, T] = (xi - goal) / h - speed(work, pair, T, GUESS)
                if abs(work.push[pair, T]) < (1.0 - 1e-9) * cone(work, pair):
                    miss = max(miss, abs(xi - goal))
    return miss


@array_kernel
def drift(state, work, side, h, every):  # type: ignore[no-untyped-def]
    """Velocity W of a step of length h, and its end TRIAL."""
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
    aim(work, side, h)
    for _ in range(AIMS):
        left = solve(work, unit, sweeps)
        for k in range(body.shape[1]):
            body[GUESS, k] = body[W, k]
        if aim(work, side, h) <= 0.1 * work.number[CLOSED]:
            break
    if left > DOUBTFUL:
        restrain(work, V)
        for k in range(body.shape[1]):
            body[TRIAL, k] = body[Q, k] + h * body[W, k]
    tell(state, left)


@array_kernel
def gap_along(work, side, pair, k, h, s):  # type: ignore[no-untyped-def]
    """Gap of an end at the share s of the step, on its way q + s h v + s² h (w − v)."""
    body = work.body
    for which in range(2, 4):
        i = work.pair[pair, which]
        for j in range(3 * i, 3 * i + 3):
            move = s * body[V, j] + s * s * (body[W, j] - body[V, j])
            body[AT, j] = body[Q, j] + h * move
        work.turn[i, 0], work.turn[i, 1] = (
            math.cos(body[AT, 3 * i + 2]),
            math.sin(body[AT, 3 * i + 2]),
        )
    return end_at(work, side, pair, k)[0]


@array_kernel
def closing(work, side, h):  # type: ignore[no-untyped-def]
    """(The share of a step after which the first open end closes, 1 if none does; that end)."""
    first, closed, which, end = 1.0, work.number[CLOSED], -1, 0
    for pair in range(work.tally[PAIRS]):
        if not work.live[side, pair, 0]:
            continue
        for k in range(2):
            if work.on[pair, 2 + k] or work.gap[side, pair, k] >= -closed:
                continue
            high, above = first, gap_along(work, side, pair, k, h, first)
            low, below = 0.0, gap_along(work, side, pair, k, h, 0.0)
            if below <= closed or above >= 0.0:
                continue  # overlapping from the start: it is pushed out; or it closes later
            for _ in range(60):
                s = low + (high - low) * below / (below - above)
                gap = gap_along(work, side, pair, k, h, s)
                if abs(gap) <= 0.1 * closed:
                    high = s
                    break
                if gap > 0.0:
                    low, below = s, gap
                    above *= 0.5
                else:
                    high, above = s, gap
                    below *= 0.5
            first, which, end = high, pair, k
    return first, which, end


@array_kernel
def until_closed(work, side, pair, k, h):  # type: ignore[no-untyped-def]
    """How much longer than h a step must be for this end to close [s]; 0 if it has."""
    gap = work.gap[side, pair, k]
    if gap <= work.number[CLOSED]:
        return 0.0
    before = gap_along(work, side, pair, k, h, 0.999)
    return 1e-3 * h * gap / (before - gap) if before > gap else 0.0


@array_kernel
def settle_holds(work, start, end):  # type: ignore[no-untyped-def]
    """Let joints that slip, or touch no more, stick where they are at the end of the step; the pose
    is that end."""
    for pair in range(work.tally[PAIRS]):
        if not work.live[start, pair, 0]:
            continue
        k = work.live[start, pair, 1]
        closed = work.on[pair, 0] or work.on[pair, 1]
        if not closed or abs(work.push[pair, T]) >= (1.0 - 1e-9) * cone(work, pair):
            work.hold[pair, 0] = end_at(work, start, pair, k)[1]


@array_kernel
def kick(state, work, side, h, every):  # type: ignore[no-untyped-def]
    """Velocities at the end of the step, from W; forces for the next guess."""
    body, closed = work.body, work.number[CLOSED]
    write_rows(work, side)
    for k in range(body.shape[1]):
        body[FREE, k] = body[W, k] + 0.5 * h * body[PULL, k]
        body[GUESS, k] = body[W, k]
    for pair in range(work.tally[PAIRS]):
        live = work.live[side, pair, 0]
        for k in range(2):
            before = every or work.on[pair, 2 + k]
            work.on[pair, k] = 1 if live and before and work.gap[side, pair, k] <= closed else 0
            work.aim[pair, k] = 0.0
        work.aim[pair, T] = 0.0
        for r in range(3):
            taken = work.on[pair, r] if r < 2 else work.on[pair, 0] or work.on[pair, 1]
            work.push[pair, r] = 0.5 * h * work.force[pair, r] if taken else 0.0
    sweeps = AT_FIRST if work.tally[FIRST] else int(work.number[SWEEPS])
    left = solve(work, work.number[GRAVITY] * max(h, 0.01 * work.number[STEP]), sweeps)
    if left > DOUBTFUL:
        restrain(work, GUESS)
    tell(state, left)
    lead_by_force(work, side)
    work.tally[FIRST] = 0
    for pair in range(work.tally[PAIRS]):
        taken = work.on[pair, 0] or work.on[pair, 1]
        for r in range(3):
            if not taken:
                work.force[pair, r] = 0.0
            elif not every:  # or it holds impacts, which are no forces
                work.force[pair, r] = 2.0 * work.push[pair, r] / h


@array_kernel
def list_again(work, pose):  # type: ignore[no-untyped-def]
    """Make the list of pairs for this pose."""
    take_pose(work, pose)
    place_corners(work)
    work.travel[0] = 0.0
    return list_pairs(work)


@spliced_kernel
def located(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step, or one impact: (state, used, event)."""
    work = by_address(params)
    tally, number, body = work.tally, work.number, work.body
    load(state, work)
    if tally[SIDE] < 0:
        if not list_again(work, Q):
            return state, 0.0, FAILURE
        find_contacts(work, Q, START)
        write_rows(work, START)
        tally[SIDE] = 0
        tally[STRIKES] = 1 if strikes(work, START) else 0
    if tally[STRIKES]:
        strike(state, work)
        tally[STRIKES] = 0
        store(state, work)
        return state, 0.0, IMPACT
    start = tally[SIDE]
    end = 1 - start
    h = dt / math.ceil(dt / number[STEP] - 1e-9)
    full = h
    pull(work, Q, ground0)
    take_pose(work, Q)
    write_rows(work, start)
    recall_holds(work, start)
    every = tally[LOCATED] >= MOST_LOCATED
    which, which_end, longest = -1, 0, h
    for _ in range(LOCATINGS):
        drift(state, work, start, h, every)
        find_contacts(work, TRIAL, end)
        if every:
            break
        share, pair, k = closing(work, end, h)
        if share < 1.0:
            which, which_end, longest = pair, k, h
            h *= share
            every = h < SHORTEST * full
        else:
            more = 0.0 if which < 0 else until_closed(work, end, which, which_end, h)
            if more == 0.0 or h + more >= longest:
                break
            h += more
    tally[LOCATED] = tally[LOCATED] + 1 if which >= 0 and not every else 0
    used = dt if h == dt else h
    later = partway(ground0, ground1, h / dt)
    take_pose(work, TRIAL)
    settle_holds(work, start, end)
    state[WORK] += work_of_ground(work, Q, TRIAL, ground0, later)
    state[LOSS] -= work_of_contact(work, V, W, 0.5 * h)
    pull(work, TRIAL, later)
    take_pose(work, TRIAL)
    kick(state, work, end, h, every)
    state[LOSS] -= work_of_contact(work, GUESS, W, 0.5 * h)
    for k in range(work.exact.shape[1]):
        body[Q, k], body[V, k] = body[TRIAL, k], body[W, k]
    tally[SIDE] = end
    wait(state, work, h)
    tally[STRIKES] = 1 if strikes(work, end) else 0
    work.travel[0] += h * fastest(work)
    if 2.5 * work.travel[0] > number[MARGIN]:
        if not list_again(work, Q):
            return state, used, FAILURE
        find_contacts(work, Q, end)
    store(state, work)
    if is_over(state, work):
        return state, used, OVERTURN
    return state, used, NOTHING

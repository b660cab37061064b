"""When, within a step of the located rule (`located.py`), an open end closes, and its kick."""

import math

from rocksteady.numerics.decorators import array_kernel
from rocksteady.theories.assembly.drift import AT_FIRST
from rocksteady.theories.assembly.places import end_at
from rocksteady.theories.assembly.problem import restrain, solve
from rocksteady.theories.assembly.rows import T, write_rows
from rocksteady.theories.assembly.state import DOUBTFUL, tell
from rocksteady.theories.assembly.workspace import (
    AT,
    CLOSED,
    FIRST,
    FREE,
    GRAVITY,
    GUESS,
    PAIRS,
    PULL,
    STEP,
    SWEEPS,
    Q,
    V,
    W,
)

LANDED = 0.01  # of the gap of a closed end: how near to its zero an impact is located


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
                if abs(gap) <= LANDED * closed:
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


# -- the kick --------------------------------------------------------------------------------------
# The other half of the pull, and impulses such that closed ends do not approach.


@array_kernel
def kick(state, work, side, h, every):  # type: ignore[no-untyped-def]
    """Velocities W at the end of the step, from W of the drift, which stays in GUESS."""
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
    work.tally[FIRST] = 0


@array_kernel
def keep_forces(work, h, every):  # type: ignore[no-untyped-def]
    """Those of the kick, for the guess of the next step."""
    for pair in range(work.tally[PAIRS]):
        taken = work.on[pair, 0] or work.on[pair, 1]
        for r in range(3):
            if not taken:
                work.force[pair, r] = 0.0
            elif not every:  # or it holds impacts, which are no forces
                work.force[pair, r] = 2.0 * work.push[pair, r] / h

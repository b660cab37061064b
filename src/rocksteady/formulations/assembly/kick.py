"""The kick of the located rule (`located.py`): the other half of the pull, and impulses such that
closed ends do not approach."""

from rocksteady.formulations.assembly.drift import AT_FIRST
from rocksteady.formulations.assembly.problem import restrain, solve
from rocksteady.formulations.assembly.rows import T, write_rows
from rocksteady.formulations.assembly.state import DOUBTFUL, tell
from rocksteady.formulations.assembly.workspace import (
    CLOSED,
    FIRST,
    FREE,
    GRAVITY,
    GUESS,
    PAIRS,
    PULL,
    STEP,
    SWEEPS,
    W,
)
from rocksteady.numerics.decorators import array_kernel


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

"""One step of the rule of Moreau and Jean with θ = ½ (LMGC90's): first order, no impacts located.

q_m = q + h v/2,   w from v + h a and impulses with b_N = max(g_m, 0)/(h/2),   q⁺ = q_m + h w/2
"""

from rocksteady.numerics.by_address import by_address
from rocksteady.numerics.decorators import array_kernel, spliced_kernel
from rocksteady.theories.assembly.contacts import find_contacts
from rocksteady.theories.assembly.drift import AT_FIRST, mark
from rocksteady.theories.assembly.loads import pull
from rocksteady.theories.assembly.located import list_again
from rocksteady.theories.assembly.problem import restrain, solve
from rocksteady.theories.assembly.rows import T, write_rows
from rocksteady.theories.assembly.state import (
    DOUBTFUL,
    LOSS,
    QUIET,
    WORK,
    fastest,
    is_over,
    load,
    step_within,
    store,
    tell,
    wait,
    work_of_contact,
    work_of_ground,
)
from rocksteady.theories.assembly.workspace import (
    CALM,
    FIRST,
    FREE,
    GRAVITY,
    MARGIN,
    PAIRS,
    PULL,
    SIDE,
    START,
    STEP,
    SWEEPS,
    TRIAL,
    Q,
    V,
    W,
)
from rocksteady.theories.contract import FAILURE, NOTHING, OVERTURN, partway

LONGER = 5.0  # times longer steps while nothing moves: then they cannot err


@array_kernel
def prepare(work, h):  # type: ignore[no-untyped-def]
    """b and the guess of p, from the contacts at the middle of the step."""
    for pair in range(work.tally[PAIRS]):
        for k in range(2):
            work.aim[pair, k] = 0.0
            if work.on[pair, k]:
                work.aim[pair, k] = 2.0 * max(work.gap[0, pair, k], 0.0) / h
        work.aim[pair, T] = 0.0
        for r in range(3):
            taken = work.on[pair, r] if r < 2 else work.on[pair, 0] or work.on[pair, 1]
            work.push[pair, r] = h * work.force[pair, r] if taken else 0.0


@spliced_kernel
def stepped(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step: (state, used, event)."""
    work = by_address(params)
    tally, number, body = work.tally, work.number, work.body
    load(state, work)
    if tally[SIDE] < 0:
        if not list_again(work, Q):
            return state, 0.0, FAILURE
        tally[SIDE] = 0
    longest = number[STEP] * (LONGER if state[QUIET] >= number[CALM] else 1.0)
    h = step_within(dt, longest)
    later = partway(ground0, ground1, h / dt)
    for k in range(body.shape[1]):
        body[TRIAL, k] = body[Q, k] + 0.5 * h * body[V, k]
    pull(work, TRIAL, partway(ground0, later, 0.5))
    find_contacts(work, TRIAL, START)
    write_rows(work, START)
    mark(work, START, True, h)
    for k in range(body.shape[1]):
        body[FREE, k] = body[V, k] + h * body[PULL, k]
    prepare(work, h)
    sweeps = AT_FIRST if tally[FIRST] else int(number[SWEEPS])
    left = solve(work, number[GRAVITY] * h, sweeps)
    if left > DOUBTFUL:
        restrain(work, V)
    tell(state, left)
    tally[FIRST] = 0
    for pair in range(tally[PAIRS]):
        taken = work.on[pair, 0] or work.on[pair, 1]
        for r in range(3):
            work.force[pair, r] = work.push[pair, r] / h if taken else 0.0
    state[LOSS] -= work_of_contact(work, V, W, h)
    for k in range(work.exact.shape[1]):
        body[TRIAL, k] += 0.5 * h * body[W, k]
    state[WORK] += work_of_ground(work, Q, TRIAL, ground0, later)
    for k in range(work.exact.shape[1]):
        body[Q, k], body[V, k] = body[TRIAL, k], body[W, k]
    wait(state, work, h)
    work.travel[0] += h * fastest(work)
    if 2.5 * work.travel[0] > number[MARGIN] and not list_again(work, Q):
        return state, h, FAILURE
    store(state, work)
    used = dt if h == dt else h
    if is_over(state, work):
        return state, used, OVERTURN
    return state, used, NOTHING

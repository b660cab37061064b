"""The forces in the joints at one moment, from poses and velocities."""

from rocksteady.formulations.assembly.contacts import find_contacts
from rocksteady.formulations.assembly.loads import pull
from rocksteady.formulations.assembly.located import AT_FIRST, list_again
from rocksteady.formulations.assembly.problem import solve
from rocksteady.formulations.assembly.rows import T, write_rows
from rocksteady.formulations.assembly.state import load
from rocksteady.formulations.assembly.workspace import (
    CLOSED,
    FREE,
    GRAVITY,
    PAIRS,
    PULL,
    START,
    STEP,
    Q,
    V,
)
from rocksteady.numerics.by_address import by_address
from rocksteady.numerics.decorators import driver


def _forces_at(state, params, ground):  # type: ignore[no-untyped-def]
    """Leave the forces [N] of all pairs in ``force``; the residual of the solve over g h, below 0
    where the list of pairs has no room."""
    work = by_address(params)
    load(state, work)
    if not list_again(work, Q):
        return -1.0
    find_contacts(work, Q, START)
    write_rows(work, START)
    pull(work, Q, ground)
    h, body = work.number[STEP], work.body
    for k in range(body.shape[1]):
        body[FREE, k] = body[V, k] + h * body[PULL, k]
    for pair in range(work.tally[PAIRS]):
        for k in range(2):
            near = work.live[0, pair, 0] and work.gap[0, pair, k] <= work.number[CLOSED]
            work.on[pair, k] = 1 if near else 0
        for r in range(3):
            work.aim[pair, r] = work.push[pair, r] = 0.0
    left = solve(work, work.number[GRAVITY] * h, AT_FIRST)
    for pair in range(work.tally[PAIRS]):
        taken = work.on[pair, 0] or work.on[pair, 1]
        for r in range(T + 1):
            work.force[pair, r] = work.push[pair, r] / h if taken else 0.0
    return left


forces_at = driver(_forces_at)

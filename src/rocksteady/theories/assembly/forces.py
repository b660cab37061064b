"""The forces in the joints at one moment, from poses and velocities.

They solve the contact problem of accelerations: M w = M a + Hᵀ p with u = H w + Ḣ v, where a is
the pull without contact and Ḣ v what the turning of stones and edges adds (`bend`). A closed end
neither sinks, u_N ≥ 0, nor pulls. Where the ends of a joint slip, friction opposes the slip; where
they do not, it holds them if the cone allows it.
"""

import math

from rocksteady.numerics.by_address import by_address
from rocksteady.numerics.decorators import array_kernel, driver
from rocksteady.theories.assembly.contacts import find_contacts
from rocksteady.theories.assembly.drift import AT_FIRST
from rocksteady.theories.assembly.loads import pull
from rocksteady.theories.assembly.located import list_again
from rocksteady.theories.assembly.places import carriers, end_at
from rocksteady.theories.assembly.problem import solve
from rocksteady.theories.assembly.rows import T, speed, write_rows
from rocksteady.theories.assembly.state import load
from rocksteady.theories.assembly.workspace import CLOSED, FREE, GRAVITY, PAIRS, PULL, START, Q, V

SLIPS_ON = 1e3  # g: more than any acceleration that could turn the slip of an end around


@array_kernel
def bend(work, pair, k, r):  # type: ignore[no-untyped-def]
    """Ḣ v [m/s²] of a row r at end k: centripetal accelerations of both stones there, and Coriolis'
    of the corner on its edge. Exact where the end is closed, on an edge that turns as well."""
    x, y = end_at(work, START, pair, k)[2:4]
    edge = carriers(work, pair, work.foot[START, pair, k, 0])[1]
    body, row = work.body, work.row[pair, r]
    dx, dy = row[0], row[1]
    a, b = work.pair[pair, 2], work.pair[pair, 3]
    w_a, w_b = body[V, 3 * a + 2], body[V, 3 * b + 2]
    ax, ay = x - body[Q, 3 * a], y - body[Q, 3 * a + 1]
    bx, by = x - body[Q, 3 * b], y - body[Q, 3 * b + 1]
    total = w_b * w_b * (dx * bx + dy * by) - w_a * w_a * (dx * ax + dy * ay)
    ux = body[V, 3 * a] - w_a * ay - (body[V, 3 * b] - w_b * by)  # of a over b
    uy = body[V, 3 * a + 1] + w_a * ax - (body[V, 3 * b + 1] + w_b * bx)
    return total + 2.0 * body[V, 3 * edge + 2] * (dx * uy - dy * ux)


@array_kernel
def touches(work, pair, k, still):  # type: ignore[no-untyped-def]
    """Whether an end is closed and stays so: one that approaches is about to strike, by an impulse,
    and one that leaves has left."""
    if not work.live[START, pair, 0] or work.gap[START, pair, k] > work.number[CLOSED]:
        return False
    return abs(speed(work, pair, k, V)) <= still[0] + still[1] * abs(bend(work, pair, k, k))


@array_kernel
def ask(work, pair, still):  # type: ignore[no-untyped-def]
    """b of one joint: Ḣ v, and which way it slips."""
    for k in range(2):
        work.on[pair, k] = 1 if touches(work, pair, k, still) else 0
        work.aim[pair, k] = bend(work, pair, k, k) if work.live[START, pair, 0] else 0.0
    for r in range(3):
        work.push[pair, r] = 0.0
    work.aim[pair, T] = 0.0
    if work.on[pair, 0] or work.on[pair, 1]:
        slip = speed(work, pair, T, V)
        lead = work.live[START, pair, 1]
        work.aim[pair, T] = bend(work, pair, lead, T)
        if abs(slip) > still[0] + still[1] * abs(work.aim[pair, T]):
            work.aim[pair, T] = math.copysign(SLIPS_ON * work.number[GRAVITY], slip)


def _forces_at(state, params, ground, still):  # type: ignore[no-untyped-def]
    """Leave the forces [N] of all pairs in ``force``; the residual of the solve over g, below 0
    where the list of pairs has no room. Ends count as at rest on each other up to ``still[0]``
    [m/s] + ``still[1]`` [s] · Ḣ v."""
    work = by_address(params)
    load(state, work)
    if not list_again(work, Q):
        return -1.0
    find_contacts(work, Q, START)
    write_rows(work, START)
    pull(work, Q, ground)
    body = work.body
    for k in range(body.shape[1]):
        body[FREE, k] = body[PULL, k]
    for pair in range(work.tally[PAIRS]):
        ask(work, pair, still)
    left = solve(work, work.number[GRAVITY], AT_FIRST)
    for pair in range(work.tally[PAIRS]):
        taken = work.on[pair, 0] or work.on[pair, 1]
        for r in range(T + 1):
            work.force[pair, r] = work.push[pair, r] if taken else 0.0
    return left


forces_at = driver(_forces_at)

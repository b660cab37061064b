"""All corners that touch, by Gauss-Seidel: each is solved exactly in turn until none changes.

Everything is in the ground frame and per unit mass. The impulses stand in a table, three numbers
for each corner (`numerics/scratch.py`). A step begins with those of the step before, which saves
most of the sweeps.
"""

from rocksteady.formulations.spatial.loose.cone import OPEN, STICKS, one_contact
from rocksteady.formulations.spatial.loose.parts import corner, corners, in_ground_frame
from rocksteady.formulations.spatial.pivots import FRICTION, RESTITUTION
from rocksteady.numerics.decorators import fused_kernel, kernel
from rocksteady.numerics.scratch import at, put
from rocksteady.numerics.triples import add, add_cross, apply, cross, dot, subtract

TABLE = 96  # three for each of at most 32 corners
SWEEPS = 400
PRECISION = 1e-10  # of the largest impulse: none changed by more in the last sweep


@kernel
def impulse_at(table, k):  # type: ignore[no-untyped-def]
    j = k + k + k
    return at(table, j), at(table, j + 1), at(table, j + 2)


@kernel
def set_impulse(table, k, impulse):  # type: ignore[no-untyped-def]
    j = k + k + k
    put(table, j, impulse[0])
    put(table, j + 1, impulse[1])
    put(table, j + 2, impulse[2])


@fused_kernel
def point_matrix(r, mobility):  # type: ignore[no-untyped-def]
    """G: velocity of the point at r from the centre of mass, per impulse there.
    ``mobility``: the inverse of the inertia, in the ground frame."""
    x, y, z = r
    a, b, c = (0.0, z, -y), (-z, 0.0, x), (y, -x, 0.0)  # r × the axes
    ma, mb, mc = apply(mobility, a), apply(mobility, b), apply(mobility, c)
    return 1 + dot(a, ma), 1 + dot(b, mb), 1 + dot(c, mc), dot(a, mb), dot(a, mc), dot(b, mc)


@kernel
def velocity_at(moves, r):  # type: ignore[no-untyped-def]
    """Velocity of the point at r; ``moves``: (velocity of the centre of mass, angular velocity)."""
    return add_cross(moves[0], moves[1], r)


@kernel
def pushed(moves, r, mobility, impulse):  # type: ignore[no-untyped-def]
    """The same after an impulse at r."""
    turn = add(moves[1], apply(mobility, cross(r, impulse)))
    return add(moves[0], impulse), turn


@fused_kernel
def wanted(params, before, r):  # type: ignore[no-untyped-def]
    """The normal velocity that the point at r must have at least: Newton's restitution."""
    return -params[RESTITUTION] * min(velocity_at(before, r)[2], 0.0)


@kernel
def sweep(moves, before, where, params, table):  # type: ignore[no-untyped-def]
    """(Motion, corners that press, how many of those stick, largest change, largest impulse)."""
    axes, mobility, height, reach = where
    pressing, sticking, change, largest = 0, 0, 0.0, 0.0
    for k in range(corners(params)):
        r = in_ground_frame(axes, corner(params, k))
        if height + r[2] > reach:
            continue
        G, old = point_matrix(r, mobility), impulse_at(table, k)
        free = subtract(velocity_at(moves, r), apply(G, old))
        new, does = one_contact(G, free, wanted(params, before, r), params[FRICTION])
        step = subtract(new, old)
        moves = pushed(moves, r, mobility, step)
        set_impulse(table, k, new)
        pressing += does != OPEN
        sticking += does == STICKS
        change = max(change, abs(step[0]), abs(step[1]), abs(step[2]))
        largest = max(largest, new[2])
    return moves, pressing, sticking, change, largest


@kernel
def solve(moves, before, where, params, table):  # type: ignore[no-untyped-def]
    """(Motion, corners that press, how many of those stick, residual) with the impulses in the
    table. The residual is the last change of an impulse over the largest impulse.

    ``moves``: (velocity of the centre of mass, angular velocity) as they would be without contact;
    ``before``: as they were, for restitution; ``where``: (the ground's axes in the body frame, the
    inverse of the inertia in the ground frame, height of the centre of mass, height up to which a
    corner touches).
    """
    axes, mobility, height, reach = where
    touching = 0
    for k in range(corners(params)):
        r = in_ground_frame(axes, corner(params, k))
        if height + r[2] <= reach:
            moves = pushed(moves, r, mobility, impulse_at(table, k))
            touching += 1
        else:
            set_impulse(table, k, (0.0, 0.0, 0.0))
    pressing, sticking, change, largest = 0, 0, 0.0, 0.0
    if touching > 0:
        for _ in range(SWEEPS):
            moves, pressing, sticking, change, largest = sweep(moves, before, where, params, table)
            if touching == 1 or change <= PRECISION * largest:
                break
    residual = change / largest if touching > 1 and change > 0 else 0.0  # one alone is exact
    return moves, pressing, sticking, residual

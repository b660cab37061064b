"""All corners that touch, by Gauss-Seidel: each is solved exactly in turn until none changes.

Everything is in the ground frame and per unit mass. The impulses stand in a table, three numbers
for each corner (`numerics/scratch.py`). A step begins with those of the step before, which saves
most of the sweeps.
"""

import math

from rocksteady.numerics.decorators import fused_kernel, kernel
from rocksteady.numerics.scratch import at, put
from rocksteady.numerics.triples import add, add_cross, apply, cross, dot, inverse, subtract
from rocksteady.theories.spatial.loose.parts import corner, corners, in_ground_frame
from rocksteady.theories.spatial.pivots import FRICTION, RESTITUTION

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


# -- one contact with Coulomb friction, solved exactly ---------------------------------------------
# The velocity of the point that touches is u = G λ + f: λ is the impulse on the body, per unit mass
# (a velocity, x, y, z with z the normal), G a symmetric positive matrix, f what u is without it.
# Wanted is the one of these that holds:
#
#     open    λ = 0,                                   u_z ≥ target
#     sticks  |λ_T| ≤ μ λ_z,                           u = (0, 0, target)
#     slips   |λ_T| = μ λ_z,  λ_T = −σ u_T, σ ≥ 0,     u_z = target
#
# With u_z = target, λ_z is a linear function of λ_T, and u_T = A λ_T + b. A contact that slips has
# λ_T(s) = −(A + s)⁻¹ b for the one unknown s = 1/σ > 0, at which |λ_T| = μ λ_z. At s = 0, where it
# would stick, the left is too large; for large s it goes to zero while the right does not: the root
# is bracketed, whatever G is.


OPEN, STICKS, SLIPS = 0, 1, 2
ITERATIONS = 60


@fused_kernel
def one_contact(G, f, target, mu):  # type: ignore[no-untyped-def]
    """(λ, what the contact does)."""
    k = target - f[2]
    if k <= 0:
        return (0.0, 0.0, 0.0), OPEN
    x, y, z = apply(inverse(G), (-f[0], -f[1], k))
    if z >= 0 and x * x + y * y <= mu * mu * (z * z):
        return (x, y, z), STICKS
    return slipping(G, f, k, mu), SLIPS


@fused_kernel
def slipping(G, f, k, mu):  # type: ignore[no-untyped-def]
    """λ of a contact that slips; k > 0: what is missing to its normal velocity."""
    xx, yy, zz, xy, xz, yz = G
    over = 1 / zz
    if mu == 0:
        return 0.0, 0.0, k * over
    gx, gy = xz * over, yz * over
    a, c, d = xx - xz * gx, xy - xz * gy, yy - yz * gy
    bx, by = f[0] + gx * k, f[1] + gy * k
    low, high, s = 0.0, math.inf, math.hypot(bx, by) * zz / (mu * k)
    x, y, z = 0.0, 0.0, k * over
    for _ in range(ITERATIONS):
        D = (a + s) * (d + s) - c * c
        x, y = (c * by - (d + s) * bx) / D, (c * bx - (a + s) * by) / D
        z = k * over - (gx * x + gy * y)
        size = math.hypot(x, y)
        excess = size - mu * z
        if excess > 0:
            low = s
        else:
            high = s
        if abs(excess) <= 1e-14 * size:
            break
        # derivative by s: (A + s) λ' = −λ; Newton on 1/|λ| − 1/(μ λ_z), nearly straight in s
        dx, dy = (c * y - (d + s) * x) / D, (c * x - (a + s) * y) / D
        slope = (x * dx + y * dy) / size
        fall = -mu * (gx * dx + gy * dy)
        after = s - excess * size * (mu * z) / (slope * (mu * z) * (mu * z) - fall * size * size)
        if not (z > 0 and low < after < high):
            after = (low + high) / 2 if high < math.inf else 2 * s + a + d
        if after == s:
            break
        s = after
    z = max(z, 0.0)
    size = math.hypot(x, y)
    trim = mu * z / size if size > 0 else 0.0
    return x * trim, y * trim, z

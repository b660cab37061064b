"""The elastic block as its step sees it: matrices, fields and tables; and the fields at the start.

Everything that turns or moves is kept in arrays made once for a run; see `step.py` for the
equations.
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import array_kernel, spliced_kernel
from rocksteady.numerics.trig import sincos
from rocksteady.numerics.types import Array
from rocksteady.theories.dissipation.elastic.algebra import eliminate

# Rows of the table of fields, a number per degree of freedom.
Q, V, A, F, D, P, MX = range(7)
FIELDS = 7
# Rows of the table of the base, a number per degree of freedom of the base.
X0, Z0, Z1, Z2, BASE, TRIAL, INCREMENT, LACK, SLOPE, FORCE, STIFF, SOFT, LAST = range(13)
BASES = 13


class ElasticBody(NamedTuple):
    """The parameters of the step. Degrees of freedom are x and y of the nodes, from the base
    upwards; those of the base come first."""

    mass: float
    inertia: float
    height: float  # of the centre of mass
    friction: float
    alpha_h: float  # of the rule, see `rule.py`
    beta: float
    gamma: float
    g: float
    R: float
    tolerance: float  # of g: what the equations of motion may lack, as an acceleration
    still_at: float  # θ where it stands still; α, pα and pαR, by which rest is judged
    turn: float
    rate: float
    speed: float
    distance: Array  # of the base's nodes from the centre of mass, towards +x
    springs: Array  # stiffness of the bed under each
    anchors: Array  # where each holds on to the ground; nan: nowhere
    places: Array  # X: coordinates of the nodes from the centre of mass
    masses: Array  # M, per degree of freedom
    stiffness: Array  # K by columns
    flexibility: Array  # displacements per force at the base, the body floating
    bulge: Array  # displacements per square of the angular velocity
    down: Array  # workspace from here on: D of each row of nodes; see `rows.py`
    up: Array  # S⁻¹ of each row and, beside it, −Dᵀ of the row below
    carried: Array  # y of several loads
    pair: Array  # y of each row and, beside it, x of the row below
    columns: Array  # the base's part of the inverse of A
    field: Array
    base: Array
    matrix: Array  # Newton's equations
    clock: Array  # step that A is eliminated for; whether the fields are set; the twist


@array_kernel
def give(i, j, c, s, flexibility):  # type: ignore[no-untyped-def]
    """How far node i of the base rises [m] per upward force on node j [N], the body floating."""
    up = c * flexibility[2 * i + 1, 2 * j + 1] - s * flexibility[2 * i, 2 * j + 1]
    along = c * flexibility[2 * i + 1, 2 * j] - s * flexibility[2 * i, 2 * j]
    return c * up - s * along


@array_kernel
def press(c, s, y, omega, params):  # type: ignore[no-untyped-def]
    """Normal forces [N] of the bed, into the table of the base, under a body at the height y that
    deforms under them: the equations of the springs in contact, until these stay the same."""
    height, k_base, base = params.height, params.springs, params.base
    places, flexibility, bulge, a = params.places, params.flexibility, params.bulge, params.matrix
    points = len(k_base)
    normal, active, gap = base[FORCE], base[LACK], base[TRIAL]
    for i in range(points):
        swell = omega * omega * (c * bulge[2 * i + 1] - s * bulge[2 * i])
        gap[i] = y + height * (1 - c) - places[2 * i] * s + swell  # if nothing pressed
        active[i] = 1.0 if gap[i] < 0 else 0.0
    for _ in range(2 * points):
        n = 0
        for i in range(points):
            if active[i] == 0.0:
                continue
            m = 0
            for j in range(points):
                if active[j] != 0.0:
                    a[n, m] = give(i, j, c, s, flexibility)
                    m += 1
            a[n, n] += 1 / k_base[i]
            a[n, m] = -gap[i]
            n += 1
        eliminate(a, n)
        m = 0
        for i in range(points):
            normal[2 * i] = normal[2 * i + 1] = 0.0
            if active[i] != 0.0:
                normal[2 * i + 1] = a[m, n]
                m += 1
        changed = False
        for i in range(points):
            rise = gap[i]
            for j in range(points):
                rise += give(i, j, c, s, flexibility) * normal[2 * j + 1]
            if (rise < 0) != (active[i] != 0.0):
                active[i], changed = 1.0 - active[i], True
        if not changed:
            break


@spliced_kernel
def begin(state, params):  # type: ignore[no-untyped-def]
    """Fill the fields from the state at time zero: the body turns as if rigid, and its elastic
    deformation is that of the forces of the bed and of its own inertia."""
    theta, omega, x, y, v_x, v_y = state[:6]
    inertia, height, g, distance = params.inertia, params.height, params.g, params.distance
    anchors, masses, field, base = params.anchors, params.masses, params.field, params.base
    places, flexibility, bulge = params.places, params.flexibility, params.bulge
    s, c = sincos(theta)
    points, size = len(distance), len(masses)
    press(c, s, y, omega, params)
    normal, turning, twist = base[FORCE], 0.0, 0.0
    for j in range(size):
        d = omega * omega * bulge[j]
        for i in range(points):
            across, along = flexibility[j, 2 * i + 1], flexibility[j, 2 * i]
            d += (c * across - s * along) * normal[2 * i + 1]
        field[D, j] = d
    for i in range(points):
        arm = c * field[D, 2 * i] + s * field[D, 2 * i + 1]
        twist -= arm * normal[2 * i + 1]
        turning -= (distance[i] * c - height * s + arm) * normal[2 * i + 1] / inertia
    for i in range(0, size, 2):
        j = i + 1
        r_x, r_y = places[i] * c + places[j] * s, places[j] * c - places[i] * s
        field[Q, i] = x + r_x + c * field[D, i] + s * field[D, j]
        field[Q, j] = y + height + r_y + c * field[D, j] - s * field[D, i]
        field[V, i], field[V, j] = v_x + omega * r_y, v_y - omega * r_x
        field[A, i] = turning * r_y - omega * omega * r_x
        field[A, j] = -turning * r_x - omega * omega * r_y
        field[F, i] = -masses[i] * field[A, i]
        field[F, j] = -masses[j] * (field[A, j] + g)
    for i in range(points):
        anchors[i] = math.nan
        field[F, 2 * i + 1] += normal[2 * i + 1]
        base[LAST, 2 * i], base[LAST, 2 * i + 1] = 0.0, normal[2 * i + 1]
    params.clock[1], params.clock[2] = 1.0, twist

"""How a flat base that slides presses on the ground: as a function linear over the base, and zero
where that would pull.

Three numbers (p0, px, py) balance the weight and both tipping moments, which include those of the
friction that they cause. All is linear in them as long as the part that presses is known; finding
that is Newton's method. Where there is no such pressure the weight lies outside the base: it tips.
"""

from rocksteady.formulations.spatial.loose.base import base_area, pressed_part
from rocksteady.formulations.spatial.loose.parts import corner, corners
from rocksteady.formulations.spatial.pivots import FRICTION, HEIGHT, INERTIA
from rocksteady.numerics.decorators import fused_kernel, kernel

ITERATIONS = 40
CLOSE = 1e-8  # of the pressure: what is left after one more step is the square of it
EVERYWHERE = (1.0, 0.0, 0.0)
LEAST_AREA = 1e-3  # of the base: with less than this the body stands on an edge


@fused_kernel
def determinant(a, b, c):  # type: ignore[no-untyped-def]
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )


@fused_kernel
def solved_rows(a, b, c, right):  # type: ignore[no-untyped-def]
    """x of the three rows a, b, c with this right-hand side (Cramer)."""
    over = 1 / determinant(a, b, c)
    ra, rb, rc = right
    return (
        over * determinant((ra, a[1], a[2]), (rb, b[1], b[2]), (rc, c[1], c[2])),
        over * determinant((a[0], ra, a[2]), (b[0], rb, b[2]), (c[0], rc, c[2])),
        over * determinant((a[0], a[1], ra), (b[0], b[1], rb), (c[0], c[1], rc)),
    )


@fused_kernel
def balanced(s, params, weight, w):  # type: ignore[no-untyped-def]
    """The pressure (p0, px, py) per unit mass that balances weight and moments on the area with
    these sums."""
    h, mu = params[HEIGHT], params[FRICTION]
    jz, jxz, jyz = params[INERTIA + 2], params[INERTIA + 4], params[INERTIA + 5]
    lift, along, across = -mu * h, mu * jxz / jz, -mu * jyz / jz
    rows_y = (
        s[2] + lift * s[9] + along * s[12],
        s[4] + lift * s[10] + along * s[13],
        s[5] + lift * s[11] + along * s[14],
    )
    rows_x = (
        s[1] + lift * s[6] + across * s[12],
        s[3] + lift * s[7] + across * s[13],
        s[4] + lift * s[8] + across * s[14],
    )
    right = (weight, -jyz * w * w, -jxz * w * w)
    return solved_rows((s[0], s[1], s[2]), rows_y, rows_x, right)


@kernel
def presses_everywhere(params, pressure):  # type: ignore[no-untyped-def]
    for k in range(corners(params)):
        x, y, _ = corner(params, k)
        if not pressure[0] + pressure[1] * x + pressure[2] * y > 0:
            return False
    return True


@kernel
def pressure_from(guess, params, slide, weight, whole):  # type: ignore[no-untyped-def]
    """(Pressure, sums over the part that presses, whether it was found)."""
    p = guess
    sums = pressed_part(params, slide, p)
    for _ in range(ITERATIONS):
        new = balanced(sums, params, weight, slide[2])
        change = abs(new[0] - p[0])
        p = new
        if sums[0] >= whole and presses_everywhere(params, p):
            return p, sums, True
        sums = pressed_part(params, slide, p)
        if not sums[0] > LEAST_AREA * whole:
            return p, sums, False
        if change <= CLOSE * abs(p[0]):
            return p, sums, True
    return p, sums, False


@kernel
def rubbed(params, slide, weight, guess):  # type: ignore[no-untyped-def]
    """(Friction force x, y per unit mass in the body frame, angular acceleration, whether the base
    stays down, pressure); ``slide``: (c_x, c_y, w); ``weight``: g + a_z; ``guess``: a pressure
    close by, or EVERYWHERE."""
    whole = base_area(params)
    p, sums, found = pressure_from(guess, params, slide, weight, whole)
    if not found and guess != EVERYWHERE:
        p, sums, found = pressure_from(EVERYWHERE, params, slide, weight, whole)
    mu, jz = params[FRICTION], params[INERTIA + 2]
    force_x = -mu * (p[0] * sums[6] + p[1] * sums[7] + p[2] * sums[8])
    force_y = -mu * (p[0] * sums[9] + p[1] * sums[10] + p[2] * sums[11])
    torque = -mu * (p[0] * sums[12] + p[1] * sums[13] + p[2] * sums[14])
    return force_x, force_y, torque / jz, found and weight > 0, p if found else EVERYWHERE

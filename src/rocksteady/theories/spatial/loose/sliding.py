"""A base that stays flat and slides and twists: three freedoms, by Runge-Kutta steps.

Friction is smooth as long as the base moves, but the slower it moves the faster friction turns it
against the push. So a step takes at most a part of the time in which friction could end the motion.
Translation and twist end together. The base then stays where it is if the ground pushes with less
than μ times the weight (no twisting moment is left, so that decides exactly). Else it begins to
slide anew, and as long as it is slow, straight against the push.
"""

import math

from rocksteady.numerics.decorators import fused_kernel, kernel
from rocksteady.theories.spatial.loose.base import base_area, pressed_part, size_of
from rocksteady.theories.spatial.loose.parts import corner, corners, next_corner
from rocksteady.theories.spatial.pivots import FRICTION, HEIGHT, INERTIA, G

PART = 0.25  # of the time in which the motion could end
BEGINNING = 1e-3  # s: so long it slides straight on at first
STILL = 1e-8  # of √(g h): slower than this it does not move
STEPS = 100_000


@fused_kernel
def rate(y, params, push, guess):  # type: ignore[no-untyped-def]
    """(Time derivative of x, y, cos yaw, sin yaw, v_x, v_y, w and the work of the ground per unit
    mass; whether the base stays down; its pressure). ``push``: the ground's acceleration along
    x, y, z; ``guess``: a pressure close by."""
    _, _, c, s, vx, vy, w, _ = y
    slide = (vx * c + vy * s, vy * c - vx * s, w)
    fx, fy, twist, down, pressure = rubbed(params, slide, params[G] + push[2], guess)
    ax, ay = fx * c - fy * s - push[0], fx * s + fy * c - push[1]
    return (vx, vy, -w * s, w * c, ax, ay, twist, -(push[0] * vx + push[1] * vy)), down, pressure


@fused_kernel
def ahead(y, time, k):  # type: ignore[no-untyped-def]
    return (
        y[0] + time * k[0],
        y[1] + time * k[1],
        y[2] + time * k[2],
        y[3] + time * k[3],
        y[4] + time * k[4],
        y[5] + time * k[5],
        y[6] + time * k[6],
        y[7] + time * k[7],
    )


@fused_kernel
def between(push, slope, time):  # type: ignore[no-untyped-def]
    return push[0] + time * slope[0], push[1] + time * slope[1], push[2] + time * slope[2]


@fused_kernel
def pace(params, vx, vy, w):  # type: ignore[no-untyped-def]
    """Speed of the motion, with the spin at the radius of gyration [m/s] (or of a rate of both)."""
    return math.sqrt(vx * vx + (vy * vy + params[INERTIA + 2] * (w * w)))


@kernel
def runge_kutta(y, k1, params, push, slope, time, step, guess):  # type: ignore[no-untyped-def]
    """(y after a step, whether the base stays down)."""
    half = step / 2
    k2, down2, p = rate(ahead(y, half, k1), params, between(push, slope, time + half), guess)
    k3, down3, p = rate(ahead(y, half, k2), params, between(push, slope, time + half), p)
    k4, down4, p = rate(ahead(y, step, k3), params, between(push, slope, time + step), p)
    y = ahead(ahead(ahead(ahead(y, step / 6, k1), step / 3, k2), step / 3, k3), step / 6, k4)
    over = 1 / math.hypot(y[2], y[3])
    y = (y[0], y[1], y[2] * over, y[3] * over, y[4], y[5], y[6], y[7])
    return y, down2 and down3 and down4


@kernel
def spare_push(params, push):  # type: ignore[no-untyped-def]
    """How much harder the ground could push a flat base that does not move before it slides
    [m/s²]."""
    return params[FRICTION] * (params[G] + push[2]) - math.hypot(push[0], push[1])


@kernel
def stands(now, params, push):  # type: ignore[no-untyped-def]
    """Whether a flat base that does not move stays flat: gravity and the push, as one pull from the
    centre of mass, meet the ground within the base."""
    c, s = now[2], now[3]
    part = -params[HEIGHT] / (params[G] + push[2])
    x, y = part * (push[0] * c + push[1] * s), part * (push[1] * c - push[0] * s)
    for k in range(corners(params)):
        one, other = corner(params, k), corner(params, next_corner(params, k))
        if (other[0] - one[0]) * (y - one[1]) < (other[1] - one[1]) * (x - one[0]):
            return False
    return True


@kernel
def stays_down(y, params, push, slow):  # type: ignore[no-untyped-def]
    """(Whether a flat base stays flat, whether it comes to rest at once); what moves no faster than
    ``slow`` [m/s] rests if the ground does not push it on."""
    if pace(params, y[4], y[5], y[6]) <= slow and spare_push(params, push) >= 0:
        stays = stands(y, params, push)
        return stays, stays
    return rate(y, params, push, EVERYWHERE)[1], False


@fused_kernel
def begin(y, params, push, slope, time, span):  # type: ignore[no-untyped-def]
    """(y, duration) of a base that begins to slide, straight against the push, until it stops
    again, at most for ``span``."""
    here = between(push, slope, time)
    size = math.hypot(here[0], here[1])
    ux, uy = -here[0] / size, -here[1] / size
    mu, push_rate = params[FRICTION], -(slope[0] * ux + slope[1] * uy)
    rate0 = size - mu * (params[G] + here[2])
    jerk = push_rate - mu * slope[2]
    if rate0 + jerk * span / 2 < 0:
        span = -2 * rate0 / jerk
    way = span * span * (rate0 / 2 + jerk * span / 6)
    speed = max(span * (rate0 + jerk * span / 2), 0.0)
    moment = span * span * span * (rate0 / 3 + jerk * span / 8)
    work = size * way + push_rate * moment  # ∫ (size + push_rate t) v dt
    return (
        y[0] + way * ux,
        y[1] + way * uy,
        y[2],
        y[3],
        speed * ux,
        speed * uy,
        0.0,
        y[7] + work,
    ), span


@kernel
def slide_flat(y, params, push, slope, span):  # type: ignore[no-untyped-def]
    """(y, time used, whether it came to rest, whether the base stays down) of a base that slides,
    until it comes to rest, tips, or the time is over; ``y``: see `rate`.

    ``push``, ``slope``: the ground's acceleration along x, y, z and its rate.
    """
    still = STILL * math.sqrt(params[G] * params[HEIGHT])
    # friction turns a slow motion at the rate μ N/speed; a part of it keeps the steps stable
    size = size_of(params)
    stiff = PART * params[FRICTION] * max(size * size / (3 * params[INERTIA + 2]), 1.0)
    time, pressure = 0.0, EVERYWHERE
    for _ in range(STEPS):
        here, left = between(push, slope, time), span - time
        resting = pace(params, y[4], y[5], y[6]) <= still
        if resting and spare_push(params, here) >= 0:
            stays = stands(y, params, here)
            y = (y[0], y[1], y[2], y[3], 0.0, 0.0, 0.0, y[7])
            return y, time, stays, stays
        moving = y
        if resting:
            moving = (y[0], y[1], y[2], y[3], -here[0], -here[1], 0.0, y[7])
        k1, down, pressure = rate(moving, params, here, pressure)
        if not down:
            return y, time, False, False
        if resting:
            after, step = begin(y, params, push, slope, time, min(BEGINNING, left))
        else:
            speed, change = pace(params, y[4], y[5], y[6]), pace(params, k1[4], k1[5], k1[6])
            change = max(change, stiff * (params[G] + here[2]))
            step = left if PART * speed >= left * change else PART * speed / change
            after, down = runge_kutta(y, k1, params, push, slope, time, step, pressure)
            if not down:
                return y, time, False, False
        y = after
        if step == left:
            return y, span, False, True
        time += step
    return y, time, False, True


# -- how a flat base that slides presses on the ground ---------------------------------------------
# The pressure is linear over the base, and zero where that would pull. Three numbers (p0, px, py)
# balance the weight and both tipping moments, which include those of the friction that they cause.
# All is linear in them as long as the part that presses is known; finding that is Newton's method.
# Where there is no such pressure the weight lies outside the base: it tips.

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

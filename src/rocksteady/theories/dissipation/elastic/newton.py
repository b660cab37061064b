"""Newton's method for one step of the elastic block: the rotation and the base's displacements.

See `step.py` for the equations. The unknowns are few: the interior does not enter.
"""

import math

from rocksteady.numerics.decorators import array_kernel, spliced_kernel, summing_kernel
from rocksteady.numerics.trig import sincos
from rocksteady.theories.dissipation.elastic.algebra import dot, eliminate
from rocksteady.theories.dissipation.elastic.body import (
    BASE,
    FORCE,
    INCREMENT,
    LACK,
    LAST,
    SLOPE,
    SOFT,
    STIFF,
    TRIAL,
    X0,
    Z0,
    Z1,
    Z2,
    A,
    F,
    P,
    Q,
    V,
)
from rocksteady.theories.dissipation.elastic.rows import LOAD, TURNED, carry_down
from rocksteady.theories.dissipation.step import (
    LARGEST_TURN,
    MAX_HALVINGS,
    MAX_ITERATIONS,
    advancing,
    hold_of,
    spring,
)

ROUNDING = 1e-14  # of the distance R: what positions may lack, however small the step


@summing_kernel
def rigid_parts(p, places):  # type: ignore[no-untyped-def]
    """Sums of a load over the nodes: its two components, X·P and w·P."""
    t_x = t_y = x_p = w_p = 0.0
    for i in range(0, len(p), 2):
        j = i + 1
        t_x += p[i]
        t_y += p[j]
        x_p += places[i] * p[i] + places[j] * p[j]
        w_p += places[j] * p[i] - places[i] * p[j]
    return t_x, t_y, x_p, w_p


@spliced_kernel
def gather(load, h, params):  # type: ignore[no-untyped-def]
    """P of this step, and what it does to the base and to the rotation: (X·P, w·P, the weighted
    twist).

    Nearly all of P is M (t + grow X + spin w)/(β Δt²), which A turns into t, grow x₀ and spin w:
    put in by hand, because elimination in so stiff a body would do it with a millionth of the
    accuracy. Only what is left of P goes that way; it stays in the table of fields.
    """
    mass, inertia, masses = params.mass, params.inertia, params.masses
    field, base, places = params.field, params.base, params.places
    alpha_h, beta = params.alpha_h, params.beta
    twist = (1 + alpha_h) * params.clock[2]
    rate, size, width = 1 / (beta * h * h), len(masses), base.shape[1]
    p, q, v, a, f = field[P], field[Q], field[V], field[A], field[F]
    for i in range(0, size, 2):
        j = i + 1
        m = masses[i]
        x = q[i] + h * advancing(v[i], a[i], h, beta)
        y = q[j] + h * advancing(v[j], a[j], h, beta)
        p[i] = m * (rate * x - load[0]) + alpha_h * f[i]
        p[j] = m * (rate * y - load[1]) + alpha_h * f[j]
    t_x, t_y, x_p, w_p = rigid_parts(p, places)
    t_x, t_y = t_x / (rate * mass), t_y / (rate * mass)
    grow, spin = x_p / (rate * inertia), w_p / (rate * inertia)
    z1, z2 = base[Z1], base[Z2]
    turn = twist / (rate * inertia)
    for i in range(0, width, 2):
        j = i + 1
        w_x, w_y, x_x, x_y = places[j], -places[i], base[X0, i], base[X0, j]
        base[Z0, i], base[Z0, j] = x_x - turn * w_x, x_y - turn * w_y
        z1[i], z1[j] = t_x + grow * x_x + spin * w_x, t_y + grow * x_y + spin * w_y
        z2[i], z2[j] = t_y + grow * w_x - spin * x_x, -t_x + grow * w_y - spin * x_y
    for i in range(0, size, 2):
        j = i + 1
        m = rate * masses[i]
        p_x = p[i] - m * (t_x + grow * places[i] + spin * places[j])
        p_y = p[j] - m * (t_y + grow * places[j] - spin * places[i])
        p[i], p[j] = p_x, p_y
    carried = params.carried
    carry_down(p, carried[LOAD], carried[TURNED], params.down)
    add_to_base(base, params.columns, carried)
    return x_p, w_p, twist, t_x, t_y


@array_kernel
def add_to_base(base, columns, carried):  # type: ignore[no-untyped-def]
    """What the load that has been carried down does to the base."""
    width = len(columns)
    for i in range(width):
        base[Z1, i] += dot(columns[i], carried[LOAD, 0, :width])
        base[Z2, i] += dot(columns[i], carried[TURNED, 0, :width])


@array_kernel
def residual(theta, moments, h, params):  # type: ignore[no-untyped-def]
    """What the equations lack at the trial rotation and displacements of the base: (the moment,
    size of all as a length squared); forces and slopes of the springs go to the table."""
    friction, k_base, anchors = params.friction, params.springs, params.anchors
    columns, field, base, places = params.columns, params.field, params.base, params.places
    d, force, lack, stiff, soft = base[TRIAL], base[FORCE], base[LACK], base[STIFF], base[SOFT]
    z0, z1, z2 = base[Z0], base[Z1], base[Z2]
    s, c = sincos(theta)
    points = len(k_base)
    for i in range(2 * points):
        lack[i] = d[i] - (c * z1[i] - s * z2[i] - z0[i])
    moment = c * moments[1] - s * moments[0] + moments[2]
    for k in range(points):
        i, j = 2 * k, 2 * k + 1
        b_x, b_y = places[i] + d[i], places[j] + d[j]
        gap = b_y * c - b_x * s
        force[i] = force[j] = stiff[i] = stiff[j] = soft[i] = 0.0
        if gap >= 0:
            continue
        slide = b_x * c + b_y * s - hold_of(anchors[k], field[Q, i])
        n, t, slipping = spring(k_base[k], gap, slide, friction)
        f_x, f_y = c * t - s * n, s * t + c * n
        force[i], force[j] = f_x, f_y
        # −dt = stiff_i dx + soft_i dy, −dn = stiff_j dy
        stiff[j] = k_base[k]
        if slipping == 0:
            stiff[i] = k_base[k]
        else:
            soft[i] = slipping * friction * k_base[k]
        moment += places[j] * f_x - places[i] * f_y
        first, second = columns[i], columns[j]
        for m in range(2 * points):
            lack[m] -= first[m] * f_x + second[m] * f_y
    turn = params.R * moment * (params.beta * h * h / params.inertia)
    size = turn * turn
    for i in range(2 * points):
        size += lack[i] * lack[i]
    return moment, size


@array_kernel
def tangent(c, s, along, slip, across):  # type: ignore[no-untyped-def]
    """−∂(force)/∂d of a spring in the turned frame, Rᵀ [[along, slip], [0, across]] R, as its four
    entries xx, xy, yx, yy."""
    x, y = c * along - s * slip, s * along + c * slip
    k_xx, k_xy = c * x + s * s * across, c * y - s * c * across
    k_yx, k_yy = s * x - c * s * across, s * y + c * c * across
    return k_xx, k_xy, k_yx, k_yy


@array_kernel
def pressing(stiff):  # type: ignore[no-untyped-def]
    """How many degrees of freedom the nodes in contact have."""
    n = 0
    for i in range(len(stiff)):
        n += stiff[i | 1] > 0
    return n


@spliced_kernel
def increment(theta, moment, moments, base, columns, places, a):  # type: ignore[no-untyped-def]
    """Newton's increment: that of the rotation is returned, those of the base go to the table. The
    equations are those of the nodes in contact and of the moment; the rest follows."""
    d, force, lack, slope = base[BASE], base[FORCE], base[LACK], base[SLOPE]
    stiff, soft = base[STIFF], base[SOFT]
    s, c = sincos(theta)
    width, n, column, row = base.shape[1], pressing(stiff), 0, 0
    for i in range(width):
        slope[i] = s * base[Z1, i] + c * base[Z2, i]
    turn_slope = -s * moments[1] - c * moments[0]
    for i in range(0, width, 2):
        j = i + 1
        if stiff[j] == 0.0:
            continue
        k_xx, k_xy, k_yx, k_yy = tangent(c, s, stiff[i], soft[i], stiff[j])
        b_x, b_y = places[i] + d[i], places[j] + d[j]
        # by θ: the point moves across, by (b_y, −b_x), and the force turns back
        g_x = -(k_xx * b_y - k_xy * b_x) - force[j]
        g_y = -(k_yx * b_y - k_yy * b_x) + force[i]
        turn_slope += places[j] * g_x - places[i] * g_y
        first, second = columns[i], columns[j]
        row = 0
        for m in range(width):
            slope[m] -= first[m] * g_x + second[m] * g_y
            if stiff[m | 1] > 0:
                a[row, column] = first[m] * k_xx + second[m] * k_yx
                a[row, column + 1] = first[m] * k_xy + second[m] * k_yy
                row += 1
        a[n, column] = -(places[j] * k_xx - places[i] * k_yx)
        a[n, column + 1] = -(places[j] * k_xy - places[i] * k_yy)
        a[column, column] += 1.0
        a[column + 1, column + 1] += 1.0
        column += 2
    row = 0
    for m in range(width):
        if stiff[m | 1] > 0:
            a[row, n], a[row, n + 1] = slope[m], -lack[m]
            row += 1
    a[n, n], a[n, n + 1] = turn_slope, -moment
    if not eliminate(a, n + 1):
        return math.nan
    spread(c, s, n, base, columns, a)
    return a[n, n + 1]


@array_kernel
def spread(c, s, n, base, columns, a):  # type: ignore[no-untyped-def]
    """Increments of all nodes of the base, from those of the n unknowns in contact and the turn."""
    stiff, soft, out = base[STIFF], base[SOFT], base[INCREMENT]
    turn, row, width = a[n, n + 1], 0, base.shape[1]
    for m in range(width):
        out[m] = -base[LACK, m] - base[SLOPE, m] * turn
    for i in range(0, width, 2):
        j = i + 1
        if stiff[j] == 0.0:
            continue
        k_xx, k_xy, k_yx, k_yy = tangent(c, s, stiff[i], soft[i], stiff[j])
        dx, dy = a[row, n + 1], a[row + 1, n + 1]
        row += 2
        f_x, f_y = k_xx * dx + k_xy * dy, k_yx * dx + k_yy * dy
        first, second = columns[i], columns[j]
        for m in range(width):
            out[m] -= first[m] * f_x + second[m] * f_y


@array_kernel
def guess(moments, base, columns, places):  # type: ignore[no-untyped-def]
    """Rotation and displacements of the base if the forces of the bed stayed as they were."""
    last, d = base[LAST], base[BASE]
    width = base.shape[1]
    x_p, w_p = moments[:2]
    for i in range(0, width, 2):
        w_p += places[i + 1] * last[i] - places[i] * last[i + 1]
        x_p += places[i] * last[i] + places[i + 1] * last[i + 1]
    theta = math.atan2(w_p, x_p)
    s, c = sincos(theta)
    for i in range(width):
        d[i] = c * base[Z1, i] - s * base[Z2, i] - base[Z0, i]
    for i in range(0, width, 2):
        f_x, f_y = c * last[i] - s * last[i + 1], s * last[i] + c * last[i + 1]
        first, second = columns[i], columns[i + 1]
        for m in range(width):
            d[m] += first[m] * f_x + second[m] * f_y
    return theta


@spliced_kernel
def solve(load, h, params):  # type: ignore[no-untyped-def]
    """Newton's method with a line search: (θ, what `gather` found, iterations, whether it
    converged); the displacements of the base are left in its table."""
    R, g, base = params.R, params.g, params.base
    columns, places, matrix = params.columns, params.places, params.matrix
    moments = gather(load, h, params)
    theta = guess(moments, base, columns, places)
    tolerance = max(params.tolerance * g * params.beta * h * h, ROUNDING * R) ** 2
    size, step, turn = math.inf, 0.0, 0.0
    d, trial, change = base[BASE], base[TRIAL], base[INCREMENT]
    halvings = iterations = 0
    while True:
        angle = theta + step * turn
        for i in range(len(d)):
            trial[i] = d[i] + step * change[i]
        moment, found = residual(angle, moments, h, params)
        if not found < size and halvings < MAX_HALVINGS:
            step *= 0.5
            halvings += 1
            continue
        theta, size = angle, found
        for i in range(len(d)):
            d[i] = trial[i]
        if not size > tolerance or iterations == MAX_ITERATIONS:
            return theta, moments, iterations, size <= tolerance
        turn = increment(theta, moment, moments, base, columns, places, matrix)
        step, halvings = LARGEST_TURN / max(abs(turn), LARGEST_TURN), 0
        iterations += 1

"""One implicit step of a rigid block on a bed of unilateral springs with friction (D'Altri 2024).

The block is the limit E → ∞ of an elastic body integrated by the HHT rule (Eq. 4 of the paper),
with the contact forces outside the weighted part:

    M a₁ + (1 + α_H) f_int(u₁) − α_H f_int(u₀) = f_ext + f_contact(u₁).

Every point of the body follows Newmark's rule, and so do the centre of mass (x, y) and the vector
e = (cos θ, sin θ), whose length stays 1. With β = 1/2 (Eq. 5):

    u₁ = u₀ + Δt v₀ + (Δt²/2) a₁,      v₁ = v₀ + Δt [(1 − γ) a₀ + γ a₁].

The internal forces of a rigid body do no work on its rotation at the *same* instant, but those of
the last step, f_int(u₀), are fixed in space while the body has turned by Δθ. All that is left of
them is their virial V = Σ r·f_int, which enters the moment (clockwise like θ) and renews itself:

    I (e × ë)₁ = M_contact − α_H sin(Δθ) V₀,
    (1 + α_H) V₁ = Σ r·F_contact − I (e · ë)₁ + α_H cos(Δθ) V₀.

Vectors that turn with the body are kept by their components along e and across it: of ė these are
the *stretch rate* (zero but for the error of the rule) and ω.
"""

from __future__ import annotations

import math

from rocksteady.formulations.contract import FAILURE, NOTHING, OVERTURN
from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.trig import sincos

ALPHA_H = 1 - math.sqrt(2)  # Eq. 5
GAMMA = math.sqrt(2) - 1 / 2

COLUMNS = (
    "theta [rad]",
    "omega [rad/s]",
    "x [m]",  # of the centre of mass, relative to the ground and to upright rest on rigid ground
    "y [m]",
    "x rate [m/s]",
    "y rate [m/s]",
    "stretch rate [1/s]",
    "x acceleration [m/s2]",
    "y acceleration [m/s2]",
    "stretch acceleration [1/s2]",
    "angular acceleration [rad/s2]",
    "virial [J]",
    "work [J]",  # of the shaking ground since the start
    "slip loss [J]",  # in friction since the start
    "elastic [J]",  # energy in the springs
    "newton iterations [-]",  # since the start
    "cuts [-]",  # steps halved because Newton's method did not converge, since the start
)

LYING = math.pi / 2
MAX_ITERATIONS = 40
MAX_HALVINGS = 8  # of one Newton increment, by the line search
MAX_CUTS = 12  # of one step, before the method gives up
LARGEST_TURN = 0.5  # rad in one Newton increment


@kernel
def sincos_of_turn(x):  # type: ignore[no-untyped-def]
    """(sin x, cos x) to rounding, quickly where x is as small as the turn in one step is."""
    if abs(x) > 0.1:
        return sincos(x)
    z = x * x
    sine = x - x * z * (1 / 6 - z * (1 / 120 - z * (1 / 5040 - z * (1 / 362880))))
    cosine = 1 - z * (1 / 2 - z * (1 / 24 - z * (1 / 720 - z * (1 / 40320))))
    return sine, cosine


@kernel
def spring(k, gap, slide, friction):  # type: ignore[no-untyped-def]
    """Normal and tangential force of a spring in contact, and +1 or −1 while it slips (0: sticks);
    `slide` is how far it has moved from where it holds on to the ground."""
    normal, tangential = -k * gap, -k * slide
    limit = friction * normal
    if abs(tangential) <= limit:
        return normal, tangential, 0.0
    slipping = math.copysign(1.0, tangential)  # Coulomb: return to the cone
    return normal, slipping * limit, slipping


@kernel
def hold_of(anchor, x0):  # type: ignore[no-untyped-def]
    """Where a spring holds on to the ground: one that was in the air takes hold where it was at
    the start of the step, at x0."""
    return x0 if math.isnan(anchor) else anchor


@kernel
def contact(x, y, c, s, x0, c0, s0, params):  # type: ignore[no-untyped-def]
    """Sums over the points in contact: force (T, N), moment, virial, and the derivatives of
    −(T, N, moment) by (x, y, θ), which Newton's method needs; −N does not depend on x.

    The base is straight: the points in contact are neighbours, from the lower corner inwards.
    """
    height, friction, distance, stiffness, anchors = params[3:8]
    T = N = M = V = 0.0
    T_x = T_y = T_t = N_y = N_t = M_x = M_y = M_t = 0.0
    points = len(distance)
    for j in range(points):
        i = points - 1 - j if s >= 0 else j
        d, k = distance[i], stiffness[i]
        gap = y + height * (1 - c) - d * s
        if gap >= 0:
            break
        r_x, r_y = d * c - height * s, -d * s - height * c
        slide = x + r_x - hold_of(anchors[i], x0 + d * c0 - height * s0)
        n, t, slipping = spring(k, gap, slide, friction)
        T += t
        N += n
        M += r_y * t - r_x * n
        V += r_x * t + r_y * n
        # dn = −k (dy − r_x dθ), and dt = −k (dx + r_y dθ) sticking, ±μ dn slipping
        stick, slip = (k, 0.0) if slipping == 0 else (0.0, slipping * friction * k)
        t_t = stick * r_y - slip * r_x
        T_x += stick
        T_y += slip
        T_t += t_t
        N_y += k
        N_t -= k * r_x
        M_x += r_y * stick
        M_y += r_y * slip - r_x * k
        M_t += r_y * t_t + r_x * r_x * k + (r_x * t + r_y * n)
    return T, N, M, V, T_x, T_y, T_t, N_y, N_t, M_x, M_y, M_t


@kernel
def residual(trial, start, load, h, params):  # type: ignore[no-untyped-def]
    """What the equations of motion lack after a trial step: (forces and moment, their size as an
    acceleration squared, contact sums, (sin, cos) of the turn)."""
    dx, dy, turn = trial
    mass, inertia, weight = params[:3]
    x0, y0, v_x, v_y, stretch, omega, c0, s0, virial = start
    sin, cos = sincos_of_turn(turn)
    c, s = c0 * cos - s0 * sin, s0 * cos + c0 * sin
    sums = contact(x0 + dx, y0 + dy, c, s, x0, c0, s0, params)
    rate = 2 / (h * h)
    f_x = mass * (rate * (dx - h * v_x) + load[0]) - sums[0]
    f_y = mass * (rate * (dy - h * v_y) + load[1]) - sums[1]
    across = rate * (sin * (1 + h * stretch) - cos * h * omega)  # e × ë
    f_t = inertia * across + weight * sin * virial - sums[2]
    size = (f_x * f_x + f_y * f_y + f_t * f_t * (mass / inertia)) / (mass * mass)
    return f_x, f_y, f_t, size, sums, sin, cos


@kernel
def increment(found, start, h, params):  # type: ignore[no-untyped-def]
    """Newton's increment of (x, y, θ): the 3 × 3 system by elimination."""
    mass, inertia, weight = params[:3]
    stretch, omega, virial = start[4], start[5], start[8]
    f_x, f_y, f_t, _, sums, sin, cos = found
    T_x, T_y, T_t, N_y, N_t, M_x, M_y, M_t = sums[4:]
    rate = 2 / (h * h)
    T_x += mass * rate
    N_y += mass * rate
    M_t += inertia * rate * (cos * (1 + h * stretch) + sin * h * omega) + weight * cos * virial
    # x from the first row, then y from the second (it has no x), θ from what is left of the third
    a = M_x / T_x
    M_y -= a * T_y
    M_t -= a * T_t
    f_t -= a * f_x
    a = M_y / N_y
    turn = -(f_t - a * f_y) / (M_t - a * N_t)
    dy = -(f_y + N_t * turn) / N_y
    dx = -(f_x + T_y * dy + T_t * turn) / T_x
    return dx, dy, turn


@kernel
def solve(start, guess, load, h, params):  # type: ignore[no-untyped-def]
    """Newton's method with a line search: ((dx, dy, Δθ), what was found there, iterations,
    whether it converged)."""
    tolerance = params[8]
    here, size = guess, math.inf
    step = a = b = c = 0.0
    halvings = iterations = 0
    while True:
        trial = (here[0] + step * a, here[1] + step * b, here[2] + step * c)
        found = residual(trial, start, load, h, params)
        if not found[3] < size and halvings < MAX_HALVINGS:
            step *= 0.5
            halvings += 1
            continue
        here, size = trial, found[3]
        if not size > tolerance or iterations == MAX_ITERATIONS:
            return here, found, iterations, size <= tolerance
        a, b, c = increment(found, start, h, params)
        step, halvings = LARGEST_TURN / max(abs(c), LARGEST_TURN), 0
        iterations += 1


@kernel
def solve_or_cut(start, rates, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Solve for the whole step, or for the half, quarter ... of it where that does not converge:
    ((dx, dy, Δθ), what was found there, the step taken (0: none), the ground at its end,
    iterations, cuts). The first guess goes on with the accelerations `rates` of the last step."""
    v_x, v_y, omega, h, iterations, cuts = start[2], start[3], start[5], dt, 0, 0
    while True:
        part, half = h / dt, 0.5 * h * h
        a_h = ground0[0] + part * (ground1[0] - ground0[0])
        a_v = ground0[1] + part * (ground1[1] - ground0[1])
        guess = (h * v_x + half * rates[0], h * v_y + half * rates[1], h * omega + half * rates[2])
        u, found, n, converged = solve(start, guess, (a_h, params[9] + a_v), h, params)
        iterations += n
        if converged:
            return u, found, h, (a_h, a_v), iterations, cuts
        if cuts == MAX_CUTS:
            return u, found, 0.0, (a_h, a_v), iterations, cuts
        cuts += 1
        h *= 0.5


@kernel
def settle(x, y, c, s, x0, c0, s0, params):  # type: ignore[no-untyped-def]
    """After a converged step: let the anchors of slipping points follow, free those of points in
    the air; (energy lost in slip, energy in the springs)."""
    height, friction, distance, stiffness, anchors = params[3:8]
    loss = elastic = 0.0
    for i in range(len(distance)):
        d, k = distance[i], stiffness[i]
        gap = y + height * (1 - c) - d * s
        if gap >= 0:
            anchors[i] = math.nan
            continue
        place = x + d * c - height * s
        hold = hold_of(anchors[i], x0 + d * c0 - height * s0)
        n, t, slipping = spring(k, gap, place - hold, friction)
        if slipping != 0:
            new = place + t / k
            loss -= t * (new - hold)
            hold = new
        anchors[i] = hold
        elastic -= 0.5 * (n * gap + t * (place - hold))
    return loss, elastic


@kernel
def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    theta, omega, x, y, v_x, v_y, stretch, a_x, a_y, along, across, virial = state[:12]
    work, slip_loss, iterations, cuts = state[12], state[13], state[15], state[16]
    mass, inertia, weight = params[:3]
    s, c = sincos(theta)
    start = (x, y, v_x, v_y, stretch, omega, c, s, virial)
    u, found, h, ground, n, more = solve_or_cut(
        start, (a_x, a_y, across), params, ground0, ground1, dt
    )
    iterations += n
    cuts += more
    if h == 0:
        return (*state[:15], iterations, cuts), dt, FAILURE

    dx, dy, turn = u
    sums, sin, cos = found[4], found[5], found[6]
    c1, s1 = c * cos - s * sin, s * cos + c * sin
    lost, elastic = settle(x + dx, y + dy, c1, s1, x, c, s, params)
    work -= 0.5 * mass * ((ground0[0] + ground[0]) * dx + (ground0[1] + ground[1]) * dy)

    # Newmark: accelerations from the new positions, then velocities; ë and ė still along and
    # across the old e, and then along and across the new one
    rate = 2 / (h * h)
    a_x1, a_y1 = rate * (dx - h * v_x), rate * (dy - h * v_y)
    e_along = rate * (-sin * sin / (1 + cos) - h * stretch)
    e_across = rate * (sin - h * omega)
    v_x += h * ((1 - GAMMA) * a_x + GAMMA * a_x1)
    v_y += h * ((1 - GAMMA) * a_y + GAMMA * a_y1)
    stretch += h * ((1 - GAMMA) * along + GAMMA * e_along)
    omega += h * ((1 - GAMMA) * across + GAMMA * e_across)
    stretch, omega = cos * stretch + sin * omega, cos * omega - sin * stretch
    along, across = cos * e_along + sin * e_across, cos * e_across - sin * e_along
    virial = (sums[3] - inertia * along + weight * cos * virial) / (1 + weight)

    theta += turn
    event = OVERTURN if abs(theta) >= LYING else NOTHING
    motion = (theta, omega, x + dx, y + dy, v_x, v_y, stretch, a_x1, a_y1, along, across, virial)
    return (*motion, work, slip_loss + lost, elastic, iterations, cuts), h, event


@kernel
def lifted(state, params):  # type: ignore[no-untyped-def]
    """Whether a corner of the base is above the bed."""
    theta, y, height = state[0], state[3], params[3]
    left, right = params[5][0], params[5][-1]
    if y + 0.5 * height * theta * theta + max(-left, right) * abs(theta) < 0:
        return False  # for |sin θ| ≤ |θ| and 1 − cos θ ≤ θ²/2
    s, c = sincos(theta)
    rise = y + height * (1 - c)
    return rise - left * s > 0 or rise - right * s > 0

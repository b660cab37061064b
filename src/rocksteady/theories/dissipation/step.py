"""One implicit step of a rigid block on a bed of unilateral springs with friction (D'Altri 2024).

The block is the limit E → ∞ of an elastic body integrated by the HHT rule (Eq. 4 of the paper, see
`rule.py`), with the contact forces outside the weighted part:

    M a₁ + (1 + α_H) f_int(u₁) − α_H f_int(u₀) = f_ext + f_contact(u₁).

Every point of the body follows Newmark's formulas, and so do the centre of mass (x, y) and the
vector e = (cos θ, sin θ), whose length stays 1:

    u₁ = u₀ + Δt w₀ + β Δt² a₁,   w₀ = v₀ + (1/2 − β) Δt a₀,      v₁ = v₀ + Δt [(1 − γ) a₀ + γ a₁].

The internal forces of a rigid body do no work on its rotation at the *same* instant, but those of
the last step, f_int(u₀), are fixed in space while the body has turned by Δθ. All that is left of
them is their virial V = Σ r·f_int, which enters the moment (clockwise like θ) and renews itself:

    I (e × ë)₁ = M_contact − α_H sin(Δθ) V₀,
    (1 + α_H) V₁ = Σ r·F_contact − I (e · ë)₁ + α_H cos(Δθ) V₀.

Vectors that turn with the body are kept by their components along e and across it: of ė these are
the *stretch rate* (zero but for the error of the rule) and ω.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from rocksteady.numerics.decorators import array_kernel, inner_array_kernel, inner_kernel
from rocksteady.numerics.trig import sincos
from rocksteady.numerics.types import Array
from rocksteady.theories.contract import FAILURE, NOTHING, OVERTURN

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

THETA, Y = COLUMNS.index("theta [rad]"), COLUMNS.index("y [m]")

LYING = math.pi / 2
RESTING = 1e-4  # of α, pα and pαR: smaller rotations and velocities are called rest
MAX_ITERATIONS = 40
MAX_HALVINGS = 8  # of one Newton increment, by the line search
MAX_CUTS = 12  # of one step, before the method gives up
LARGEST_TURN = 0.5  # rad in one Newton increment


class Body(NamedTuple):
    """The parameters of the step."""

    mass: float
    inertia: float  # I, about the centre of mass
    alpha_h: float  # α_H; 0: Newmark's rule, without the lagged internal forces
    beta: float
    gamma: float
    height: float  # of the centre of mass
    friction: float
    distance: Array  # of the springs from the centre of mass, towards +x
    stiffness: Array  # of each spring [N/m]
    anchors: Array  # where each spring holds on to the ground; nan: nowhere
    tolerance: float  # square of what the equations of motion may lack, as an acceleration
    g: float
    still_at: float  # θ where it stands still; α, pα and pαR, by which rest is judged
    turn: float
    rate: float
    speed: float


class Start(NamedTuple):
    """The block at the start of a step."""

    x: float
    y: float
    c: float  # e = (cos θ, sin θ)
    s: float
    virial: float


class Rates(NamedTuple):
    """Velocities v₀, accelerations a₀ or w₀ at the start of a step."""

    x: float
    y: float
    along: float  # of e, along e and across
    across: float


class Sums(NamedTuple):
    """Forces of the points in contact, and the derivatives of −(T, N, M) by (x, y, θ)."""

    T: float
    N: float
    M: float
    V: float  # virial
    T_x: float
    T_y: float
    T_t: float
    N_y: float  # −N does not depend on x
    N_t: float
    M_x: float
    M_y: float
    M_t: float


class Residual(NamedTuple):
    """What the equations of motion lack after a trial step."""

    x: float
    y: float
    theta: float
    size: float  # of all, as an acceleration squared
    sums: Sums
    sin: float  # of the turn in this step
    cos: float


@inner_kernel
def sincos_of_turn(x):  # type: ignore[no-untyped-def]
    """(sin x, cos x) to rounding, quickly where x is as small as the turn in one step is."""
    if abs(x) > 0.1:
        return sincos(x)
    z = x * x
    sine = x - x * z * (1 / 6 - z * (1 / 120 - z * (1 / 5040 - z * (1 / 362880))))
    cosine = 1 - z * (1 / 2 - z * (1 / 24 - z * (1 / 720 - z * (1 / 40320))))
    return sine, cosine


@inner_kernel
def spring(k, gap, slide, friction):  # type: ignore[no-untyped-def]
    """Normal and tangential force of a spring in contact, and +1 or −1 while it slips (0: sticks);
    `slide` is how far it has moved from where it holds on to the ground."""
    normal, tangential = -k * gap, -k * slide
    limit = friction * normal
    if abs(tangential) <= limit:
        return normal, tangential, 0.0
    slipping = math.copysign(1.0, tangential)  # Coulomb: return to the cone
    return normal, slipping * limit, slipping


@inner_kernel
def hold_of(anchor, x0):  # type: ignore[no-untyped-def]
    """Where a spring holds on to the ground: one that was in the air takes hold where it was at
    the start of the step, at x0."""
    return x0 if math.isnan(anchor) else anchor


@inner_array_kernel
def contact(x, y, c, s, height, friction, distance, stiffness, anchors):  # type: ignore[no-untyped-def]
    """Sums over the points in contact, with the derivatives that Newton's method needs.

    The base is straight: the points in contact are neighbours, from the lower corner inwards. (The
    bed comes as numbers and arrays of its own, not as a `Body`: a fifth of the step's time.)
    """
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
        n, t, slipping = spring(k, gap, x + r_x - anchors[i], friction)
        along = r_x * t + r_y * n
        k_x = k * r_x
        T += t
        N += n
        M += r_y * t - r_x * n
        V += along
        N_y += k
        N_t -= k_x
        # dn = −k (dy − r_x dθ), and dt = −k (dx + r_y dθ) sticking, ±μ dn slipping
        if slipping == 0:
            t_t = k * r_y
            T_x += k
            M_x += t_t
            M_y -= k_x
        else:
            slip = slipping * friction * k
            t_t = -(slip * r_x)
            T_y += slip
            M_y += r_y * slip - k_x
        T_t += t_t
        M_t += r_y * t_t + r_x * r_x * k + along
    return Sums(T, N, M, V, T_x, T_y, T_t, N_y, N_t, M_x, M_y, M_t)


@inner_array_kernel
def residual(trial, start, w, load, h, body):  # type: ignore[no-untyped-def]
    """What the equations of motion lack after a trial step."""
    dx, dy, turn = trial
    mass, inertia = body.mass, body.inertia
    x0, y0, c0, s0, virial = start
    sin, cos = sincos_of_turn(turn)
    c, s = c0 * cos - s0 * sin, s0 * cos + c0 * sin
    bed = body.distance, body.stiffness, body.anchors
    sums = contact(x0 + dx, y0 + dy, c, s, body.height, body.friction, *bed)
    rate = 1 / (body.beta * h * h)
    f_x = mass * (rate * (dx - h * w.x) + load[0]) - sums.T
    f_y = mass * (rate * (dy - h * w.y) + load[1]) - sums.N
    across = rate * (sin * (1 + h * w.along) - cos * h * w.across)  # e × ë
    f_t = inertia * across + body.alpha_h * sin * virial - sums.M
    size = (f_x * f_x + f_y * f_y + f_t * f_t * (mass / inertia)) / (mass * mass)
    return Residual(f_x, f_y, f_t, size, sums, sin, cos)


@inner_array_kernel
def increment(found, start, w, h, body):  # type: ignore[no-untyped-def]
    """Newton's increment of (x, y, θ): the 3 × 3 system by elimination."""
    mass, inertia, alpha_h = body.mass, body.inertia, body.alpha_h
    f_x, f_y, f_t, _, sums, sin, cos = found
    _, _, _, _, T_x, T_y, T_t, N_y, N_t, M_x, M_y, M_t = sums
    rate = 1 / (body.beta * h * h)
    T_x += mass * rate
    N_y += mass * rate
    turning = cos * (1 + h * w.along) + sin * h * w.across
    M_t += inertia * rate * turning + alpha_h * cos * start.virial
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


@inner_kernel
def advancing(velocity, acceleration, h, beta):  # type: ignore[no-untyped-def]
    """w₀: the velocity that carries a coordinate through a step, but for its new acceleration."""
    return velocity + (0.5 - beta) * h * acceleration


@inner_array_kernel
def all_advancing(v, a, h, beta):  # type: ignore[no-untyped-def]
    """w₀ of all coordinates."""
    return Rates(
        advancing(v.x, a.x, h, beta),
        advancing(v.y, a.y, h, beta),
        advancing(v.along, a.along, h, beta),
        advancing(v.across, a.across, h, beta),
    )


@array_kernel
def solve(start, w, guess, load, h, body):  # type: ignore[no-untyped-def]
    """Newton's method with a line search: (((dx, dy, Δθ), what is lacking there), iterations,
    whether it converged)."""
    here, size = guess, math.inf
    step = a = b = c = 0.0
    halvings = iterations = 0
    while True:
        trial = (here[0] + step * a, here[1] + step * b, here[2] + step * c)
        found = residual(trial, start, w, load, h, body)
        if not found.size < size and halvings < MAX_HALVINGS:
            step *= 0.5
            halvings += 1
            continue
        here, size = trial, found.size
        if not size > body.tolerance or iterations == MAX_ITERATIONS:
            return (here, found), iterations, size <= body.tolerance
        a, b, c = increment(found, start, w, h, body)
        step, halvings = LARGEST_TURN / max(abs(c), LARGEST_TURN), 0
        iterations += 1


def make_solve_or_cut(attempt: Callable[..., Any], compiled: Callable[..., Any]) -> Any:
    """Build the solution of a whole step, or of the half, quarter ... of it where that does not
    converge, from ``attempt(problem, load, h, body) -> (found, iterations, converged)``."""

    @compiled
    def solve_or_cut(problem, body, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """(What was found, the step taken (0: none), the ground at its end, iterations, cuts)."""
        h, iterations, cuts = dt, 0, 0
        while True:
            part = h / dt
            a_h = ground0[0] + part * (ground1[0] - ground0[0])
            a_v = ground0[1] + part * (ground1[1] - ground0[1])
            found, n, converged = attempt(problem, (a_h, body.g + a_v), h, body)
            iterations += n
            if converged:
                return found, h, (a_h, a_v), iterations, cuts
            if cuts == MAX_CUTS:
                return found, 0.0, (a_h, a_v), iterations, cuts
            cuts += 1
            h *= 0.5

    return solve_or_cut


@inner_array_kernel
def from_guess(problem, load, h, body):  # type: ignore[no-untyped-def]
    """The step of length h. The first guess goes on with the last step's accelerations."""
    start, v, a = problem
    half = 0.5 * h * h
    guess = (h * v.x + half * a.x, h * v.y + half * a.y, h * v.across + half * a.across)
    return solve(start, all_advancing(v, a, h, body.beta), guess, load, h, body)


solve_or_cut = make_solve_or_cut(from_guess, array_kernel)


@inner_array_kernel
def take_hold(x, c, s, height, distance, anchors):  # type: ignore[no-untyped-def]
    """Before a step: springs in the air, should they touch, will hold on to the ground where they
    are now."""
    for i in range(len(distance)):
        anchors[i] = hold_of(anchors[i], x + distance[i] * c - height * s)


@inner_array_kernel
def settle(x, y, c, s, body):  # type: ignore[no-untyped-def]
    """After a converged step: let the anchors of slipping points follow, free those of points in
    the air; (energy lost in slip, energy in the springs)."""
    height, friction, anchors = body.height, body.friction, body.anchors
    distance, stiffness = body.distance, body.stiffness
    loss = elastic = 0.0
    for i in range(len(distance)):
        d, k = distance[i], stiffness[i]
        gap = y + height * (1 - c) - d * s
        if gap >= 0:
            anchors[i] = math.nan
            continue
        place = x + d * c - height * s
        hold = anchors[i]
        n, t, slipping = spring(k, gap, place - hold, friction)
        if slipping != 0:
            new = place + t / k
            loss -= t * (new - hold)
            anchors[i] = hold = new
        elastic -= 0.5 * (n * gap + t * (place - hold))
    return loss, elastic


@array_kernel
def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    theta, omega, x, y, v_x, v_y, stretch, a_x, a_y, along, across, virial = state[:12]
    work, slip_loss, _, iterations, cuts = state[12:17]
    body = Body(*params)
    mass, inertia, alpha_h, gamma = body.mass, body.inertia, body.alpha_h, body.gamma
    s, c = sincos(theta)
    start = Start(x, y, c, s, virial)
    v, a = Rates(v_x, v_y, stretch, omega), Rates(a_x, a_y, along, across)
    take_hold(x, c, s, body.height, body.distance, body.anchors)
    (u, found), h, ground, n, more = solve_or_cut((start, v, a), body, ground0, ground1, dt)
    iterations += n
    cuts += more
    if h == 0:
        return (*state[:15], iterations, cuts), dt, FAILURE

    dx, dy, turn = u
    sin, cos = found.sin, found.cos
    c1, s1 = c * cos - s * sin, s * cos + c * sin
    lost, elastic = settle(x + dx, y + dy, c1, s1, body)
    work -= 0.5 * mass * ((ground0[0] + ground[0]) * dx + (ground0[1] + ground[1]) * dy)

    # Newmark: accelerations from the new positions, then velocities; ë and ė still along and
    # across the old e, and then along and across the new one
    rate, w = 1 / (body.beta * h * h), all_advancing(v, a, h, body.beta)
    a_x1, a_y1 = rate * (dx - h * w.x), rate * (dy - h * w.y)
    e_along = rate * (-sin * sin / (1 + cos) - h * w.along)
    e_across = rate * (sin - h * w.across)
    v_x += h * ((1 - gamma) * a_x + gamma * a_x1)
    v_y += h * ((1 - gamma) * a_y + gamma * a_y1)
    stretch += h * ((1 - gamma) * along + gamma * e_along)
    omega += h * ((1 - gamma) * across + gamma * e_across)
    stretch, omega = cos * stretch + sin * omega, cos * omega - sin * stretch
    along, across = cos * e_along + sin * e_across, cos * e_across - sin * e_along
    virial = (found.sums.V - inertia * along + alpha_h * cos * virial) / (1 + alpha_h)

    theta += turn
    event = OVERTURN if abs(theta) >= LYING else NOTHING
    motion = (theta, omega, x + dx, y + dy, v_x, v_y, stretch, a_x1, a_y1, along, across, virial)
    return (*motion, work, slip_loss + lost, elastic, iterations, cuts), h, event


@array_kernel
def lifted(state, params):  # type: ignore[no-untyped-def]
    """Whether a corner of the base is above the bed."""
    body = Body(*params)
    left, right = body.distance[0], body.distance[len(body.distance) - 1]
    theta, y = state[THETA], state[Y]
    if y + 0.5 * body.height * theta * theta + max(-left, right) * abs(theta) < 0:
        return False  # for |sin θ| ≤ |θ| and 1 − cos θ ≤ θ²/2
    s, c = sincos(theta)
    rise = y + body.height * (1 - c)
    return rise - left * s > 0 or rise - right * s > 0


@inner_array_kernel
def rests(theta, omega, v_x, v_y, body):  # type: ignore[no-untyped-def]
    """Within 1e-4 α of where it stands still, and as slow: `at_rest` of the formulation."""
    turned, fast = abs(theta - body.still_at) / body.turn, abs(omega) / body.rate
    return max(turned, fast, math.hypot(v_x, v_y) / body.speed) < RESTING


@array_kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    return rests(state[0], state[1], state[4], state[5], Body(*params))

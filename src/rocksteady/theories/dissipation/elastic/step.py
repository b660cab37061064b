"""One implicit step of an elastic block on a bed of unilateral springs (D'Altri 2024).

The HHT rule (Eq. 4 of the paper) with the contact forces outside the weighted part:

    M a₁ + (1 + α_H) f_int(q₁) − α_H f_int(q₀) = f_ext + f_contact(q₁),
    q₁ = q₀ + Δt w₀ + β Δt² a₁,   w₀ = v₀ + (1/2 − β) Δt a₀,      v₁ = v₀ + Δt [(1 − γ) a₀ + γ a₁],

for the positions q of all nodes in fixed axes. Strains are small and rotations are not, so the body
carries one frame with it, turned by θ: q = R(θ) (X + d), its strain energy is d·K d/2, and θ is
chosen such that d has no rotation: w·M d = 0 with w = Rᵀ ∂(R X)/∂θ. The derivative of the energy is

    f_int = R (K d − τ M w / I),      τ = (d turned by a right angle) · K d,

where the *twist* τ stands for the moment of the forces about nodes that have moved. It is small of
second order; it is taken from the step before, and without it the energy is not kept. With

    A = M/(β Δt²) + (1 + α_H) K,      P = M (q₀ + Δt w₀)/(β Δt²) + f_ext + α_H f_int(q₀),

the equation in the frame has a matrix that never changes, to be eliminated once for a step size:

    A d₁ = Rᵀ(P + f_contact) − M X/(β Δt²) + (1 + α_H) τ M w / I.

Unknown before the step is solved are only θ₁ and the contact forces. Since A⁻¹M w = β Δt² w, the
condition on d is the balance of moments w·Rᵀ(P + f_contact) + (1 + α_H) τ = 0. The base moves by

    d_base = cos θ z₁ − sin θ z₂ − z₀ + C Rᵀ f_contact,

where z₁, z₂, z₀ and C are the base's rows of A⁻¹ times P, P turned by a right angle, what does not
depend on θ, and unit forces at the base. Newton's method works on these few numbers; the interior
follows by one way up through the rows of nodes (`rows.py`).
"""

import math

from rocksteady.numerics.decorators import array_kernel, spliced_kernel, summing_kernel
from rocksteady.numerics.trig import sincos
from rocksteady.theories.contract import FAILURE, NOTHING, OVERTURN
from rocksteady.theories.dissipation.elastic.body import BASE, LAST, TRIAL, A, D, F, P, Q, V, begin
from rocksteady.theories.dissipation.elastic.newton import solve
from rocksteady.theories.dissipation.elastic.rows import carry_up, prepare
from rocksteady.theories.dissipation.step import (
    LYING,
    advancing,
    hold_of,
    make_solve_or_cut,
    rests,
    spring,
)

COLUMNS = (
    "theta [rad]",  # of the frame that the body carries with it
    "omega [rad/s]",  # moment of momentum over moment of inertia
    "x [m]",  # of the centre of mass, relative to the ground and to upright rest on rigid ground
    "y [m]",
    "x rate [m/s]",
    "y rate [m/s]",
    "kinetic [J]",
    "strain energy [J]",
    "elastic [J]",  # energy in the springs
    "work [J]",  # of the shaking ground since the start
    "slip loss [J]",  # in friction since the start
    "virial [J]",  # of the internal forces
    "normal force [N]",  # of the bed
    "friction force [N]",
    "newton iterations [-]",  # since the start
    "cuts [-]",  # steps halved because Newton's method did not converge, since the start
    "corner gap [m]",  # of the higher corner, above the bed; below 0 both press on it
)
CORNER_GAP = COLUMNS.index("corner gap [m]")


@spliced_kernel
def prepared(problem, load, h, params):  # type: ignore[no-untyped-def]
    """The step of length h, once A is eliminated for it: ((θ, what `gather` found), iterations,
    whether it converged)."""
    if params.clock[0] != h:
        prepare(h, params)
    theta, found, n, converged = solve(load, h, params)
    return (theta, found), n, converged


solve_or_cut = make_solve_or_cut(prepared, spliced_kernel)


@array_kernel
def settle(friction, k_base, anchors, field, base):  # type: ignore[no-untyped-def]
    """After a converged step, with the new positions known: let the anchors of slipping points
    follow, free those of points in the air; (T, N, energy lost in slip, energy in the springs)."""
    T = N = loss = elastic = 0.0
    for k in range(len(k_base)):
        i, j = 2 * k, 2 * k + 1
        base[LAST, i] = base[LAST, j] = 0.0
        x, gap = base[TRIAL, i], base[TRIAL, j]
        if gap >= 0:
            anchors[k] = math.nan
            continue
        hold = hold_of(anchors[k], field[Q, i])
        n, t, slipping = spring(k_base[k], gap, x - hold, friction)
        if slipping != 0:
            new = x + t / k_base[k]
            loss -= t * (new - hold)
            hold = new
        anchors[k] = hold
        elastic -= 0.5 * (n * gap + t * (x - hold))
        T += t
        N += n
        base[LAST, i], base[LAST, j] = t, n
    return T, N, loss, elastic


@array_kernel
def place_base(c, s, base, places):  # type: ignore[no-untyped-def]
    """Positions of the base's nodes in fixed axes, from where Newton's method left them."""
    for i in range(0, base.shape[1], 2):
        b_x, b_y = places[i] + base[BASE, i], places[i + 1] + base[BASE, i + 1]
        base[TRIAL, i], base[TRIAL, i + 1] = b_x * c + b_y * s, b_y * c - b_x * s


@spliced_kernel
def move(c, s, h, gathered, push, params):  # type: ignore[no-untyped-def]
    """The whole body after the step, with the forces of the bed known: deformation, positions,
    accelerations, velocities, internal forces. Returns sums over the nodes: m x, m y, m v_x, m v_y,
    the moment of momentum, and twice the kinetic energy, the strain energy and the virial."""
    mass, inertia, beta, gamma = params.mass, params.inertia, params.beta, params.gamma
    masses, places, field, base = params.masses, params.places, params.field, params.base
    rate, weight = 1 / (beta * h * h), 1 / (1 + params.alpha_h)
    q, v, a, f, d, p = field[Q], field[V], field[A], field[F], field[D], field[P]
    x_p, w_p, twist, t_x, t_y = gathered
    a_x, a_y = push[0] / mass, push[1] / mass  # of the whole body; d is only what is left
    t_x, t_y = t_x + a_x / rate, t_y + a_y / rate
    grow, turn = (c * x_p + s * w_p) / inertia - rate, (c * w_p - s * x_p + twist) / inertia
    last = base[LAST]
    carry_up(last, c, s, (s * a_y - c * a_x, -s * a_x - c * a_y, grow, turn), params)
    for i in range(len(last)):
        p[i] += last[i]
    gone = (a_x, a_y, x_p / inertia, w_p / inertia)
    find_forces(c, s, rate, weight, gone, field, masses, places)
    for i in range(0, len(p), 2):  # P is no longer needed: it takes the new positions
        j = i + 1
        b_x, b_y = places[i] + d[i], places[j] + d[j]
        p[i], p[j] = t_x + (b_x * c + b_y * s), t_y + (b_y * c - b_x * s)
    for i in range(len(p)):
        new = rate * (p[i] - q[i] - h * advancing(v[i], a[i], h, beta))
        v[i] += h * ((1 - gamma) * a[i] + gamma * new)
        q[i], a[i] = p[i], new
    strain, virial, params.clock[2] = force_sums(c, s, f, d, places)
    x, y, v_x, v_y, spin, kinetic = motion_sums(c, s, q, v, masses, places)
    return x, y, v_x, v_y, spin, kinetic, strain, virial


@array_kernel
def find_forces(c, s, rate, weight, gone, field, masses, places):  # type: ignore[no-untyped-def]
    """Internal forces, from the equation of motion, in which they have 1/``weight``; ``gone`` is
    what `gather` took out of P."""
    f, d, p = field[F], field[D], field[P]
    a_x, a_y, x_p, w_p = gone
    for i in range(0, len(p), 2):
        j = i + 1
        m, X, Y = masses[i], places[i], places[j]
        b_x, b_y = X + d[i], Y + d[j]
        f[i] = weight * (p[i] - m * (a_x + rate * (b_x * c + b_y * s) - x_p * X - w_p * Y))
        f[j] = weight * (p[j] - m * (a_y + rate * (b_y * c - b_x * s) - x_p * Y + w_p * X))


@summing_kernel
def force_sums(c, s, f, d, places):  # type: ignore[no-untyped-def]
    """Twice the strain energy, the virial and the twist of the internal forces."""
    strain = virial = twist = 0.0
    for i in range(0, len(f), 2):
        j = i + 1
        along, across = c * f[i] - s * f[j], s * f[i] + c * f[j]  # in the frame
        strain += along * d[i] + across * d[j]
        virial += along * places[i] + across * places[j]
        twist += along * d[j] - across * d[i]
    return strain, virial, twist


@summing_kernel
def motion_sums(c, s, q, v, masses, places):  # type: ignore[no-untyped-def]
    """m x, m y, m v_x, m v_y, moment of momentum, twice the kinetic energy."""
    x = y = v_x = v_y = spin = kinetic = 0.0
    for i in range(0, len(q), 2):
        j = i + 1
        m_x, m_y = masses[i] * v[i], masses[i] * v[j]
        x += masses[i] * q[i]
        y += masses[i] * q[j]
        v_x += m_x
        v_y += m_y
        spin += (places[j] * c - places[i] * s) * m_x - (places[i] * c + places[j] * s) * m_y
        kinetic += m_x * v[i] + m_y * v[j]
    return x, y, v_x, v_y, spin, kinetic


@array_kernel
def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    mass, inertia, height, clock = params.mass, params.inertia, params.height, params.clock
    _, _, x0, y0, _, _, _, _, _, work, slip_loss, _, _, _, iterations, cuts, gap = state
    if clock[1] == 0.0:
        begin(state, params)
    (theta, found), h, ground, n, more = solve_or_cut(0.0, params, ground0, ground1, dt)
    iterations += n
    cuts += more
    if h == 0:
        return (*state[:14], iterations, cuts, gap), dt, FAILURE

    s, c = sincos(theta)
    base, springs, anchors = params.base, params.springs, params.anchors
    place_base(c, s, base, params.places)
    T, N, lost, elastic = settle(params.friction, springs, anchors, params.field, base)
    sums = move(c, s, h, found, (T, N), params)
    x, y = sums[0] / mass, sums[1] / mass - height
    dx, dy = x - x0, y - y0
    work -= 0.5 * mass * ((ground0[0] + ground[0]) * dx + (ground0[1] + ground[1]) * dy)
    event = OVERTURN if abs(theta) >= LYING else NOTHING
    motion = (theta, sums[4] / inertia, x, y, sums[2] / mass, sums[3] / mass)
    energies = (0.5 * sums[5], 0.5 * sums[6], elastic, work, slip_loss + lost)
    gap = max(params.base[TRIAL, 1], params.base[TRIAL, -1])
    return (*motion, *energies, sums[7], N, T, iterations, cuts, gap), h, event


@array_kernel
def lifted(state, params):  # type: ignore[no-untyped-def]
    """Whether a corner of the base is above the bed."""
    return state[CORNER_GAP] > 0


@array_kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    return rests(state[0], state[1], state[4], state[5], params)

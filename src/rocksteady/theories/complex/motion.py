"""The complex formulation's equation of motion, one step of it, and its state.

The rotation is the real part of a complex number, θ/α = χ cos κψ, and rocking is the motion of a
particle about the origin of the complex plane (Eqs. 34 and 35, time in units of 1/p):

    χ'' = χ ψ'² − (1 + a_v/g) sin(α − αχ)/α + c χ' ψ' − σ (a_h/αg) cos κφ cos(α − αχ),
    ψ'  = l/χ²,

where σ cos κφ stands for cos κψ: φ is the phase beside whole half turns, |κφ| ≤ π/2, and σ = ±1
the side. A mirrored motion only changes σ, and so gives the mirrored numbers to the last bit.
With l = 0 the phase stands still and what is left is Housner's block about one corner.
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import kernel
from rocksteady.numerics.roots import make_root
from rocksteady.numerics.trig import sincos
from rocksteady.theories.housner import rocking

COLUMNS = (
    *rocking.COLUMNS,
    "chi [-]",  # χ = |θ|/α, Eq. 31
    "chi_rate [-]",  # dχ/d(pt)
    "psi [rad]",  # the phase; a half turn at every impact (Eq. 58)
    "half_turns [-]",  # ψ = half_turns π/κ + phase
    "phase [rad]",
    "l [-]",  # 0 from uplift to the first turning point
    "trial_step [-]",  # the step to try next, see `accepted`
)
FLOOR = 1e-4  # where l = 0 and χ may be zero, its error is not asked to be small relative to itself
LONGEST_STEP = 0.5  # of the time in which the motion changes, see `accepted`
MAX_REJECTIONS = 60
CHI, RATE, PHASE = range(3)  # where the particle is: (χ, χ', φ)
TRIAL = COLUMNS.index("trial_step [-]")


class Law(NamedTuple):
    """What the theory adds to the parameters of a rocking block."""

    l: float  # Eq. 35
    c: float  # 2 ln η/π in Eq. 37
    kappa: float
    quarter: float  # phase of a quarter turn, π/2κ
    rest: float  # amplitude below which a bounce ends in rest
    unit: float  # I α² p²: of all energies


class Forces(NamedTuple):
    """What acts on the particle in one step."""

    l: float
    c: float
    kappa: float
    alpha: float
    tolerance: float
    k0: float  # 1 + a_v/g = k0 + k1 t
    k1: float
    f0: float  # σ a_h/(αg) = f0 + f1 t
    f1: float


class Reached(NamedTuple):
    """Where a step leads."""

    x: float  # χ
    v: float  # χ'
    phase: float  # φ
    a: float  # χ''
    work: float
    loss: float
    error: float  # in units of the tolerance: relative to χ, to the speed, to a radian of phase


@kernel
def rates(chi, rate, phase, t, forces):  # type: ignore[no-untyped-def]
    """(χ'', ψ', power of the ground, power lost) per I α² p²: Eqs. 34, 35 and 37."""
    l, c, kappa, alpha, _, k0, k1, f0, f1 = forces
    spin = l / (chi * chi) if l > 0 else 0.0
    sine, cosine = sincos(alpha - alpha * chi)
    weight = sine / alpha
    shaking = -(k0 - 1 + k1 * t) * weight - (f0 + f1 * t) * sincos(kappa * phase)[1] * cosine
    impulsive = c * rate * spin
    return chi * spin * spin - weight + impulsive + shaking, spin, rate * shaking, -rate * impulsive


@kernel
def step(start, h, forces):  # type: ignore[no-untyped-def]
    """One step of Dormand and Prince's Runge–Kutta rule of order 5(4)."""
    x, v, s = start
    a1, s1, w1, d1 = rates(x, v, s, 0.0, forces)
    v1 = v
    v2 = v + h * (1 / 5) * a1
    a2, s2, _, _ = rates(x + h * (1 / 5) * v1, v2, s + h * (1 / 5) * s1, h * (1 / 5), forces)
    x3 = x + h * (3 / 40 * v1 + 9 / 40 * v2)
    v3 = v + h * (3 / 40 * a1 + 9 / 40 * a2)
    s3 = s + h * (3 / 40 * s1 + 9 / 40 * s2)
    a3, s3, w3, d3 = rates(x3, v3, s3, h * (3 / 10), forces)
    x4 = x + h * (44 / 45 * v1 - 56 / 15 * v2 + 32 / 9 * v3)
    v4 = v + h * (44 / 45 * a1 - 56 / 15 * a2 + 32 / 9 * a3)
    s4 = s + h * (44 / 45 * s1 - 56 / 15 * s2 + 32 / 9 * s3)
    a4, s4, w4, d4 = rates(x4, v4, s4, h * (4 / 5), forces)
    A1, A2, A3, A4 = 19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729
    x5 = x + h * (A1 * v1 + A2 * v2 + A3 * v3 + A4 * v4)
    v5 = v + h * (A1 * a1 + A2 * a2 + A3 * a3 + A4 * a4)
    s5 = s + h * (A1 * s1 + A2 * s2 + A3 * s3 + A4 * s4)
    a5, s5, w5, d5 = rates(x5, v5, s5, h * (8 / 9), forces)
    A1, A2, A3, A4, A5 = 9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656
    x6 = x + h * (A1 * v1 + A2 * v2 + A3 * v3 + A4 * v4 + A5 * v5)
    v6 = v + h * (A1 * a1 + A2 * a2 + A3 * a3 + A4 * a4 + A5 * a5)
    s6 = s + h * (A1 * s1 + A2 * s2 + A3 * s3 + A4 * s4 + A5 * s5)
    a6, s6, w6, d6 = rates(x6, v6, s6, h, forces)
    B1, B3, B4, B5, B6 = 35 / 384, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84
    x7 = x + h * (B1 * v1 + B3 * v3 + B4 * v4 + B5 * v5 + B6 * v6)
    v7 = v + h * (B1 * a1 + B3 * a3 + B4 * a4 + B5 * a5 + B6 * a6)
    phase = s + h * (B1 * s1 + B3 * s3 + B4 * s4 + B5 * s5 + B6 * s6)
    work = h * (B1 * w1 + B3 * w3 + B4 * w4 + B5 * w5 + B6 * w6)
    loss = h * (B1 * d1 + B3 * d3 + B4 * d4 + B5 * d5 + B6 * d6)
    a7, s7, _, _ = rates(x7, v7, phase, h, forces)

    # The difference from the embedded rule of order 4. Each unknown has its own measure: close to
    # an impact χ is as small as l, and only χ relative to itself says how well it is known.
    E1, E3, E4 = 71 / 57600, -71 / 16695, 71 / 1920
    E5, E6, E7 = -17253 / 339200, 22 / 525, -1 / 40
    error_x = E1 * v1 + E3 * v3 + E4 * v4 + E5 * v5 + E6 * v6 + E7 * v7
    error_v = E1 * a1 + E3 * a3 + E4 * a4 + E5 * a5 + E6 * a6 + E7 * a7
    error_s = E1 * s1 + E3 * s3 + E4 * s4 + E5 * s5 + E6 * s6 + E7 * s7
    if forces.l > 0 and not x7 > 0:  # thrown through the singularity: much too far
        return Reached(x7, v7, phase, a7, work, loss, math.inf)
    size = min(x, x7) if forces.l > 0 else max(abs(x), abs(x7)) + FLOOR
    speed = max(abs(v), abs(v7)) + abs(x) * s1 + size
    error = max(abs(error_x) / size, abs(error_v) / speed, abs(error_s)) * (h / forces.tolerance)
    return Reached(x7, v7, phase, a7, work, loss, error)


@kernel
def accepted(start, forces, span, trial):  # type: ignore[no-untyped-def]
    """The longest step within ``span`` whose error is allowed: (h, share to try next, where to).

    ``trial`` is a share of the time in which the motion changes: 1 (that is 1/p) far from the
    origin, χ over the speed close to it. So the steps shrink and grow with the distance.
    """
    (x, v, _), l = start, forces.l
    pace = x / (x + math.hypot(v, l / x)) if l > 0 else 1.0
    h = min(trial * pace, span)
    at = step(start, h, forces)
    rejections = 0
    while not at.error <= 1 and rejections < MAX_REJECTIONS:
        h *= max(0.1, 0.9 * at.error**-0.2) if at.error < 1e5 else 0.1
        at = step(start, h, forces)
        rejections += 1
    longer = h / pace * (0.9 * at.error**-0.2 if at.error > 1e-4 else 5.0)
    if h == span:  # cut by the interval: says nothing against the longer step tried before
        longer = max(longer, trial)
    return h, min(longer, LONGEST_STEP), at


@kernel
def look(problem, h):  # type: ignore[no-untyped-def]
    """What `make_root` asks of a step of length h."""
    start, forces, level, order, falling = problem
    at = step(start, h, forces)
    excess, slope = at[order] - level, at.v
    if order == RATE:
        slope = at.a
    elif order == PHASE:
        slope = forces.l / (at.x * at.x)
    return excess, h - excess / slope, (excess > 0) == falling


root = make_root(look, close=1e-15, iterations=50)


@kernel
def locate(start, forces, level, order, high):  # type: ignore[no-untyped-def]
    """The step after which χ, its rate or its phase (``order``) passes ``level``, and where it
    leads.

    The search is for the length of the step itself: nothing is interpolated, so the event is as
    exact as the step.
    """
    h = root((start, forces, level, order, start[order] > level), 0.0, high, 0.5 * high)
    return h, step(start, h, forces)


@kernel
def far_speed(chi, rate, l, c):  # type: ignore[no-untyped-def]
    """Speed at which it came towards the origin, from where it is in the passage round it.

    There all forces but the two of the impact are negligible, and u = 1/χ obeys Binet's equation
    in ψ, u'' − c u' + u = 0: u = A exp(cψ/2) sin νψ with ν² = 1 − c²/4. The speeds far away on
    either side are l |u'| where u = 0: l A ν before, and exp(cπ/2ν) times that after.
    """
    nu = math.sqrt(1 - 0.25 * c * c)
    u, slope = 1 / chi, -rate / l
    cosine = (slope - 0.5 * c * u) / nu
    angle = math.atan2(u, cosine)
    return l * nu * math.hypot(u, cosine) * math.exp(-0.5 * c * angle / nu)


# -- the state -----------------------------------------------------------------------------------


@kernel
def law_of(params):  # type: ignore[no-untyped-def]
    """What the theory adds to the parameters of a rocking block."""
    return Law(*params[rocking.MORE :])


@kernel
def energy_of(chi, rate, l, alpha):  # type: ignore[no-untyped-def]
    """Eq. 10 per I α² p², zero at rest upright."""
    lift = 2 * math.sin(alpha - 0.5 * alpha * chi) * math.sin(0.5 * alpha * chi) / (alpha * alpha)
    spin = l / chi if l > 0 else 0.0
    return 0.5 * (rate * rate + spin * spin) + lift


@kernel
def upright(work, loss, trial):  # type: ignore[no-untyped-def]
    """The state of rest."""
    return 0.0, 0.0, 0.0, work, loss, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, trial


@kernel
def placed(x, v, phase, half_turns, side, l, work, loss, trial, params):  # type: ignore[no-untyped-def]
    """The state, with θ = α Re(χ e^{iκψ}) and its rate."""
    corner, law = rocking.about(1.0, params), law_of(params)
    alpha, p, kappa = corner.alpha, corner.p, law.kappa
    sine, cosine = sincos(kappa * phase)
    swirl = l / x if l > 0 else 0.0
    theta = side * (alpha * x * cosine)
    omega = side * (alpha * p * (v * cosine - kappa * swirl * sine))
    if phase == law.quarter:  # arrived at an impact
        theta, omega = 0.0, -side * (alpha * p * far_speed(x, v, l, law.c))
    psi = 2 * half_turns * law.quarter + phase
    return theta, omega, side, work, loss, x, v, psi, half_turns, phase, l, trial

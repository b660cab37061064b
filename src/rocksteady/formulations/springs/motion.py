"""A rigid body on springs: its equations of motion, the explicit step, and its six motion states.

The body has three degrees of freedom at its centre of mass, relative to the ground: u to the right,
v up, and the rotation ψ counter-clockwise (θ = −ψ). It stands on three springs (Peña, Eqs. 1–4;
geometry to first order in the small rotation): an axial spring K without tension at each corner x_i
of the base, and one shear spring K_s with Coulomb friction in its middle, each with a dashpot β
times as strong beside it:

    gap of a corner   δ_i = v + x_i ψ + h ψ²/2        N_i = max(0, −K (δ_i + β δ_i')) where δ_i < 0
    shear             d = u + h ψ                     T = −K_s (d − s + β d'),  |T| ≤ μ ΣN

    m u'' = T − m a_h,   m v'' = ΣN − m (g + a_v),   I_c ψ'' = Σ (x_i + h ψ) N_i + h T.

The slide s is what the shear spring has slipped: where friction gives way, s follows so that the
spring alone carries the friction; without contact s = d. Time is stepped by central differences:
velocities are known half a step between positions, and the dashpots take the last one known.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from rocksteady.errors import InputError
from rocksteady.formulations.contract import FAILURE, NOTHING, OVERTURN, TURN
from rocksteady.numerics.decorators import driver, kernel
from rocksteady.numerics.types import Array
from rocksteady.systems import Block

COLUMNS = (
    "theta [rad]",
    "omega [rad/s]",
    "u [m]",
    "u_rate [m/s]",
    "v [m]",
    "v_rate [m/s]",
    "slide [m]",
    "N_left [N]",
    "N_right [N]",
    "shear [N]",
    "motion state [-]",
)

SLENDER = math.radians(20)  # the paper's limit for sin α ≈ α

STATE_NAMES = ("rest", "slide", "rotation", "slide-rotation", "translation-jump", "rotation-jump")
REST, SLIDE, ROTATION, SLIDE_ROTATION, TRANSLATION_JUMP, ROTATION_JUMP = range(6)
FLAT = 0.01  # of α, and of pα for the rate: a body in the air that turns less than this translates
MINIMUM_DURATION = 0.02  # s; what lasts less is a passage, such as the whole base during an impact


class Bed(NamedTuple):
    """What a body stands on."""

    K: float  # each corner's axial spring [N/m]
    K_s: float  # shear spring [N/m]
    beta: float  # dashpots over springs [s]
    step: float  # longest time step used [s]


class Body(NamedTuple):
    """The parameters of the step: the body and its bed."""

    per_mass: float  # 1/m
    per_inertia: float  # 1/I_c
    h: float  # height of the centre of mass
    x_left: float  # of the corners, from the centre of mass
    x_right: float
    g: float
    K: float
    K_s: float
    beta: float  # β
    mu: float  # μ
    longest: float  # step [s]
    fallen_right: float  # rotations [rad] at which it has overturned
    fallen_left: float
    flat: float  # a body in the air that has turned less, and turns slower, translates
    slow: float


def pack(block: Block, bed: Bed, friction: float) -> Body:
    """What the step knows of the body and its bed."""
    return Body(
        per_mass=1 / block.mass,
        per_inertia=1 / block.inertia,
        h=block.com_height,
        x_left=-block.left.b,
        x_right=block.right.b,
        g=block.g,
        K=bed.K,
        K_s=bed.K_s,
        beta=bed.beta,
        mu=float(friction),
        longest=bed.step,
        # 20° beyond the balance point, where the small rotations end
        fallen_right=block.right.b / block.com_height + SLENDER,
        fallen_left=block.left.b / block.com_height + SLENDER,
        flat=FLAT * block.alpha,
        slow=FLAT * block.alpha * block.p,
    )


# -- the step ----------------------------------------------------------------------------------


@kernel
def axial_force(gap, rate, K, beta):  # type: ignore[no-untyped-def]
    """A corner's spring and dashpot push, and never pull."""
    if gap < 0:
        return max(0.0, -K * (gap + beta * rate))
    return 0.0


@kernel
def bed_forces(u, v, psi, du, dv, dpsi, slide, body):  # type: ignore[no-untyped-def]
    """(N_left, N_right, shear T, slide, whether friction gives way) of the bed (Eqs. 2–4)."""
    _, _, h, x_left, x_right, _, K, K_s, beta, mu, _, _, _, _, _ = body
    sway = h * psi
    gap_left = v + psi * (x_left + 0.5 * sway)
    gap_right = v + psi * (x_right + 0.5 * sway)
    N_left = axial_force(gap_left, dv + (x_left + sway) * dpsi, K, beta)
    N_right = axial_force(gap_right, dv + (x_right + sway) * dpsi, K, beta)
    d = u + sway
    shear = -K_s * ((d - slide) + beta * (du + h * dpsi))
    grip = mu * (N_left + N_right)
    slips = abs(shear) > grip
    if slips:
        shear = math.copysign(grip, shear)
        slide = d + shear / K_s
    return N_left, N_right, shear, slide, slips


@kernel
def acceleration(psi, N_left, N_right, shear, a_h, a_v, body):  # type: ignore[no-untyped-def]
    """(u'', v'', ψ'') under the bed's forces and a ground accelerated by (a_h, a_v) (Eq. 1)."""
    h = body.h
    moment = (body.x_left + h * psi) * N_left + (body.x_right + h * psi) * N_right + h * shear
    return (
        shear * body.per_mass - a_h,
        (N_left + N_right) * body.per_mass - body.g - a_v,
        moment * body.per_inertia,
    )


@kernel
def motion_state(theta, omega, N_left, N_right, slips, body):  # type: ignore[no-untyped-def]
    """Which of the six states this is: by the corners that carry, and by friction giving way."""
    if N_left == 0 and N_right == 0:
        if abs(theta) <= body.flat and abs(omega) <= body.slow:
            return float(TRANSLATION_JUMP)
        return float(ROTATION_JUMP)
    if N_left == 0 or N_right == 0:
        return float(SLIDE_ROTATION) if slips else float(ROTATION)
    return float(SLIDE) if slips else float(REST)


@kernel
def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Equal explicit steps through the interval, none longer than the bed allows.

    Stops where the rotation has an extremum while a corner is lifted: that is the position with
    velocities of opposite sign half a step before and after it.
    """
    theta, omega, u, du, v, dv, slide, N_left, N_right, shear = state[:10]
    body, psi, dpsi = Body(*params), -theta, -omega
    steps = max(1, math.ceil(dt / body.longest))
    step, part = dt / steps, 1 / steps
    a_h, a_v = ground0
    slope_h, slope_v = (ground1[0] - a_h) * part, (ground1[1] - a_v) * part

    kick = acceleration(psi, N_left, N_right, shear, a_h, a_v, body)
    lag = 0.5 * step  # the first and the last step bring the velocities to and from the half step
    i, event, slips = 0, NOTHING, False
    while i < steps and event == NOTHING:
        i += 1
        du, dv, dpsi = du + lag * kick[0], dv + lag * kick[1], dpsi + lag * kick[2]
        lag = step
        u, v, psi = u + step * du, v + step * dv, psi + step * dpsi
        N_left, N_right, shear, slide, slips = bed_forces(u, v, psi, du, dv, dpsi, slide, body)
        kick = acceleration(psi, N_left, N_right, shear, a_h + i * slope_h, a_v + i * slope_v, body)
        if not -body.fallen_right < psi < body.fallen_left:
            event = OVERTURN if psi == psi else FAILURE  # psi != psi: not a number
        elif (N_left == 0 or N_right == 0) and dpsi * (dpsi + step * kick[2]) < 0:
            event = TURN
    lag = 0.5 * step
    du, dv, dpsi = du + lag * kick[0], dv + lag * kick[1], dpsi + lag * kick[2]
    theta, omega = -psi, -dpsi
    which = motion_state(theta, omega, N_left, N_right, slips, body)
    state = (theta, omega, u, du, v, dv, slide, N_left, N_right, shear, which)
    return state, dt if i == steps else i * step, event


@kernel
def lifted(state, params):  # type: ignore[no-untyped-def]
    """Whether a corner is above the bed, not only pressed less than the other."""
    body = Body(*params)
    theta, _, _, _, v = state[:5]
    psi = -theta
    rise = 0.5 * body.h * psi * psi
    return v + body.x_left * psi + rise > 0 or v + body.x_right * psi + rise > 0


@driver
def free_peaks(state, params, interval, peaks):  # type: ignore[no-untyped-def]
    """Fill ``peaks`` with the largest rotation of each swing of free rocking; return how many."""
    still = (0.0, 0.0)
    found, peaks[0] = 1, state[0]
    for _turn_or_interval in range(1000 * len(peaks)):
        state, _, event = advance(state, params, still, still, interval)
        if event == OVERTURN:
            break
        if event == TURN:
            if state[0] * peaks[found - 1] < 0:
                if found == len(peaks):
                    return found
                found += 1
                peaks[found - 1] = state[0]
            elif abs(state[0]) > abs(peaks[found - 1]):
                peaks[found - 1] = state[0]
    return found


# -- the whole of it --------------------------------------------------------------------------


def stable_step(block: Block, K: float, K_s: float, beta: float) -> float:
    """Longest stable time step [s]: (2/ω)(√(1 + ξ²) − ξ), ξ = β ω/2, for the highest frequency ω of
    the body on its whole base. (Central differences, dashpots fed with the last half step's
    velocity.) On one corner ω is lower, as long as it leans less than twice its balance angle."""
    per_mass, per_inertia = 1 / math.sqrt(block.mass), 1 / math.sqrt(block.inertia)
    stretch = np.array(  # of each spring per unit of (√m u, √m v, √I ψ): Eq. 2
        [
            (0.0, per_mass, -block.left.b * per_inertia),
            (0.0, per_mass, block.right.b * per_inertia),
            (per_mass, 0.0, block.com_height * per_inertia),
        ]
    )
    omega = math.sqrt(np.linalg.eigvalsh(stretch.T @ np.diag([K, K, K_s]) @ stretch)[-1])
    xi = beta * omega / 2
    return 2 / omega / (math.sqrt(1 + xi**2) + xi)


def energy_of(block: Block, bed: Bed, states: Array) -> Array:
    theta, omega, u, du, v, dv, slide = np.moveaxis(np.asarray(states), -1, 0)[:7]
    psi, h = -theta, block.com_height
    stretch = u + h * psi - slide
    energy = 0.5 * (block.mass * (du**2 + dv**2) + block.inertia * omega**2)
    energy = energy + block.mass * block.g * v + 0.5 * bed.K_s * stretch**2
    for gap in corner_gaps(block, states):
        energy = energy + 0.5 * bed.K * np.minimum(gap, 0.0) ** 2
    return np.asarray(energy)


def corner_gaps(block: Block, states: Array) -> tuple[Array, Array]:
    """How high the left and the right corner are above the bed [m]; below 0 they press on it."""
    theta, v = (np.asarray(states)[..., i] for i in (0, 4))
    rise = 0.5 * block.com_height * theta**2
    return v + block.left.b * theta + rise, v - block.right.b * theta + rise


# -- the six states over time -------------------------------------------------------------------


def motion_states(
    response: Any, minimum: float = MINIMUM_DURATION
) -> list[tuple[float, float, str]]:
    """The states a body on springs went through: (start [s], end [s], name), one after the other.

    A state that lasts less than ``minimum`` [s] is counted to the one before it (at the beginning,
    to the one after it), so that the few milliseconds on the whole base during an impact are no
    rest. Times are those of the samples.
    """
    if not minimum >= 0:
        raise InputError(f"minimum = {minimum!r} s is not allowed: a duration is 0 or more.")
    codes = response.column("motion state").astype(int)
    time = response.time
    first = np.flatnonzero(np.diff(codes, prepend=-1))
    edges = np.append(time[first], time[-1])
    kept: list[list[Any]] = []
    for start, end, code in zip(edges[:-1], edges[1:], codes[first], strict=True):
        name = STATE_NAMES[code]
        if kept and (end - start < minimum or kept[-1][2] == name):
            kept[-1][1] = end
        elif kept and kept[-1][1] - kept[-1][0] < minimum:  # only the very first can be so short
            kept[-1] = [kept[-1][0], end, name]
        else:
            kept.append([start, end, name])
    return [(float(start), float(end), name) for start, end, name in kept]

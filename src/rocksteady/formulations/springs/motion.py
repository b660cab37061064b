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
from rocksteady.formulations.substeps import Substeps, in_small_steps
from rocksteady.numerics.decorators import driver, inner_kernel, kernel
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
    mass: float
    inertia: float
    upright: float = 0.0  # energy [J] where it stands still
    quiet: float = 0.0  # and how much more it may have there at rest


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
        mass=block.mass,
        inertia=block.inertia,
    )


# -- the step ----------------------------------------------------------------------------------


@inner_kernel
def axial_force(gap, rate, K, beta):  # type: ignore[no-untyped-def]
    """A corner's spring and dashpot push, and never pull."""
    force = max(0.0, -K * (gap + beta * rate))
    return force if gap < 0 else 0.0


@inner_kernel
def bed_forces(u, v, psi, du, dv, dpsi, slide, body):  # type: ignore[no-untyped-def]
    """(N_left, N_right, shear T, slide, whether friction gives way) of the bed (Eqs. 2–4)."""
    h, x_left, x_right, K, K_s, beta = body.h, body.x_left, body.x_right, body.K, body.K_s, body.beta
    sway = h * psi
    gap_left = v + psi * (x_left + 0.5 * sway)
    gap_right = v + psi * (x_right + 0.5 * sway)
    N_left = axial_force(gap_left, dv + (x_left + sway) * dpsi, K, beta)
    N_right = axial_force(gap_right, dv + (x_right + sway) * dpsi, K, beta)
    d = u + sway
    shear = -K_s * ((d - slide) + beta * (du + h * dpsi))
    grip = body.mu * (N_left + N_right)
    slips = abs(shear) > grip
    shear = math.copysign(grip, shear) if slips else shear
    slide = d + shear / K_s if slips else slide
    return N_left, N_right, shear, slide, slips


@inner_kernel
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


class Work(NamedTuple):
    """What the small steps of an interval change."""

    i: float  # small steps taken
    u: float
    v: float
    psi: float
    du: float  # velocities half a step before
    dv: float
    dpsi: float
    slide: float
    kick_u: float  # accelerations
    kick_v: float
    kick_psi: float
    lag: float  # half a step at first, to bring the velocities to the half step; then a step
    N_left: float
    N_right: float
    shear: float
    slips: float


class Interval(NamedTuple):
    """What they need beside the body and do not change."""

    steps: float
    step: float  # [s]
    a_h: float  # of the ground at the start, and by how much it grows in a step
    a_v: float
    slope_h: float
    slope_v: float


@inner_kernel
def begin(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """Equal explicit steps through the interval, none longer than the bed allows."""
    theta, omega, u, du, v, dv, slide, N_left, N_right, shear = state[:10]
    body, psi, dpsi = Body(*params), -theta, -omega
    steps = max(1, math.ceil(dt / body.longest))
    step, part = dt / steps, 1 / steps
    a_h, a_v = ground0
    kick = acceleration(psi, N_left, N_right, shear, a_h, a_v, body)
    forces = N_left, N_right, shear, 0.0
    slopes = (ground1[0] - a_h) * part, (ground1[1] - a_v) * part
    work = (0.0, u, v, psi, du, dv, dpsi, slide, *kick, 0.5 * step, *forces)
    return work, (float(steps), step, a_h, a_v, *slopes)


@inner_kernel
def turns(work, step):  # type: ignore[no-untyped-def]
    """Whether the rotation has an extremum here while a corner is lifted: the velocities half a
    step before and after it have opposite signs."""
    after = work.dpsi + step * work.kick_psi
    return ((work.N_left == 0) | (work.N_right == 0)) & (work.dpsi * after < 0)


@inner_kernel
def stands(psi, body):  # type: ignore[no-untyped-def]
    """Whether it has not overturned; no, too, where ψ is not a number."""
    return (-body.fallen_right < psi) & (psi < body.fallen_left)


@inner_kernel
def small_step(work, fixed, params):  # type: ignore[no-untyped-def]
    """Central differences: (what they change, whether to stop)."""
    body, (steps, step, a_h, a_v, slope_h, slope_v) = Body(*params), fixed
    i, u, v, psi, du, dv, dpsi, slide, kick_u, kick_v, kick_psi, lag = work[:12]
    i += 1.0
    du, dv, dpsi = du + lag * kick_u, dv + lag * kick_v, dpsi + lag * kick_psi
    u, v, psi = u + step * du, v + step * dv, psi + step * dpsi
    N_left, N_right, shear, slide, slips = bed_forces(u, v, psi, du, dv, dpsi, slide, body)
    ground = a_h + i * slope_h, a_v + i * slope_v
    kick = acceleration(psi, N_left, N_right, shear, *ground, body)
    forces = N_left, N_right, shear, 1.0 if slips else 0.0
    work = (i, u, v, psi, du, dv, dpsi, slide, *kick, step, *forces)
    return work, (i >= steps) | turns(Work(*work), step) | (not stands(psi, body))


@inner_kernel
def end(state, work, fixed, params, dt):  # type: ignore[no-untyped-def]
    """The last half step of the velocities, and what was met: an extremum, or the fall."""
    now, body, (steps, step) = Work(*work), Body(*params), fixed[:2]
    psi, lag, event = now.psi, 0.5 * step, NOTHING
    if not stands(psi, body):
        event = OVERTURN if psi == psi else FAILURE  # psi != psi: not a number
    elif turns(now, step):
        event = TURN
    du, dv = now.du + lag * now.kick_u, now.dv + lag * now.kick_v
    theta, omega = -psi, -(now.dpsi + lag * now.kick_psi)
    which = motion_state(theta, omega, now.N_left, now.N_right, now.slips != 0, body)
    forces = now.N_left, now.N_right, now.shear
    state = (theta, omega, now.u, du, now.v, dv, now.slide, *forces, which)
    return state, dt if now.i == steps else now.i * step, event


SUBSTEPS = Substeps(begin, small_step, end, (len(Work._fields), len(Interval._fields)))
advance = in_small_steps(SUBSTEPS)


@kernel
def lifted(state, params):  # type: ignore[no-untyped-def]
    """Whether a corner is above the bed, not only pressed less than the other."""
    body = Body(*params)
    theta, _, _, _, v = state[:5]
    psi = -theta
    rise = 0.5 * body.h * psi * psi
    return v + body.x_left * psi + rise > 0 or v + body.x_right * psi + rise > 0


@kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    """Whether its energy is so little above that of rest: `energy_of`, operation by operation."""
    body = Body(*params)
    theta, omega, u, du, v, dv, slide = state[:7]
    stretch = u + body.h * -theta - slide
    energy = 0.5 * (body.mass * (du * du + dv * dv) + body.inertia * (omega * omega))
    energy = energy + body.mass * body.g * v + 0.5 * body.K_s * (stretch * stretch)
    rise = 0.5 * body.h * (theta * theta)
    left, right = min(v - body.x_left * theta + rise, 0.0), min(v - body.x_right * theta + rise, 0.0)
    energy = energy + 0.5 * body.K * (left * left) + 0.5 * body.K * (right * right)
    return energy - body.upright <= body.quiet


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

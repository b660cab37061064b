"""The explicit step of a rigid body on springs: many small steps by central differences.

Velocities are known half a step between positions, and the dashpots take the last one known. Forces
and accelerations are in `motion.py`.
"""

import math
from typing import NamedTuple

from rocksteady.numerics.decorators import driver, inner_kernel
from rocksteady.theories.contract import FAILURE, NOTHING, OVERTURN, TURN
from rocksteady.theories.springs.motion import Body, acceleration, bed_forces, motion_state
from rocksteady.theories.substeps import Substeps, in_small_steps


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

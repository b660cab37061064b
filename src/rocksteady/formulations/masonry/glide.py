"""Many masonry buildings side by side: an attempt at a whole interval without an event.

A building turns around several times a second, and the search for that instant holds up those that
are followed together with it, in the lanes of a vector or the threads of a GPU's warp. With this
attempt, the ordinary step of `motion.py` is needed only where it fails.
"""

from __future__ import annotations

from rocksteady.formulations.contract import Glide
from rocksteady.formulations.masonry.adhering import REACH, damped, pulls, swing, swung
from rocksteady.formulations.masonry.interface import ADHERES, Building
from rocksteady.formulations.masonry.motion import MODE, advance
from rocksteady.numerics.decorators import inner_kernel


@inner_kernel
def attempt(state, params, ground0, ground1, dt, rate):  # type: ignore[no-untyped-def]
    """(state after the interval, 0, whether it is that of `motion.advance`): it adheres all
    the way and does not turn around."""
    u, v, g, alpha, w, _tau, mode, work, loss, viscous = state
    building = Building(*params)
    mass, k = building.mass, building.stiffness
    per_mass = 1.0 / mass
    damping, per_area = building.damping * per_mass, k * (1.0 - w)
    ww = per_area * building.contact_area * per_mass
    a0, a1 = ground0[0], (ground1[0] - ground0[0]) / dt
    x = u - g
    motion = swing(x, v, ww, damping, a0, a1)
    x1, v1 = swung(motion, dt)
    # the ground's work and what damping takes, as in `adhere`
    moment = (v1 - v + damping * (x1 - x) + dt * (a0 + 0.5 * dt * a1)) * motion.B
    work -= mass * ((a0 + a1 * dt) * x1 - a0 * x - moment)
    if damping > 0.0:
        lost = mass * damped(motion, x1, v1, dt)
        loss, viscous = loss + lost, viscous + lost
    short = (ww * dt * dt <= REACH * REACH) & (damping * dt <= REACH)
    pull, pull1 = pulls(motion, x1, v1, dt)
    sets_out = v == 0.0  # from a turning point, and does not come back to it
    goes_on = (v * v1 > 0.0) | (sets_out & (pull * pull1 > 0.0))
    inwards = (pull if sets_out else v) * x1 <= 0.0
    holds = inwards | adheres(k * abs(x1) - building.threshold, alpha, w, building)
    ok = (mode == ADHERES) & short & goes_on & holds
    return (g + x1, v1, g, alpha, w, per_area * x1, mode, work, loss, viscous), 0.0 * dt, ok


@inner_kernel
def adheres(excess, alpha, w, building):  # type: ignore[no-untyped-def]
    """Whether hardening certainly carries the ``excess`` of stress over τ_0 [N/m²].

    A = A∞ q (1 − q e) with q = 1 − w and e = exp(−b/q), b = a α: not computed, but bounded by
    e ≤ 1 / (1 + b/q + (b/q)²/2).
    """
    q, b = 1.0 - w, building.hardening_rate * alpha
    series = q * q + b * q + 0.5 * b * b
    return excess * series <= building.hardening_limit * q * (series - q * q * q)


@inner_kernel
def slips(state):  # type: ignore[no-untyped-def]
    """Whether it slips: then no attempt can succeed."""
    return state[MODE] != ADHERES


GLIDE = Glide(attempt, advance, hopeless=slips)

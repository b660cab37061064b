"""Whether a body is at rest, vibrating or moving, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocksteady.status import Status
from rocksteady.systems.masonry import MasonryBuilding

if TYPE_CHECKING:
    from rocksteady.monitor.live import Monitor

STILL = 1e-6  # m, and m/s over the natural frequency: a building that vibrates less is at rest

NOTHING_KNOWN = "no samples"
AT_REST, VIBRATING, MOVING = "standing, at rest", "standing, vibrating", "standing, moving"


def short_status(monitor: Monitor) -> str:
    """The status in two or three words. `Status.AT_REST` of a building or an oscillator includes
    harmless vibrations; here they are called "vibrating"."""
    status = monitor.status
    if monitor.samples == 0:
        return NOTHING_KNOWN
    if status is Status.MOVING:
        return MOVING
    if status is not Status.AT_REST:
        return str(status)
    return VIBRATING if vibration(monitor) > STILL else AT_REST


def vibration(monitor: Monitor) -> float:
    """Amplitude of the vibration [m]; 0 for a rigid block or a body that has fallen."""
    system, state = monitor.system, monitor.state
    if monitor.over:
        return 0.0
    if isinstance(system, MasonryBuilding):
        u, v, g, _, w = state[:5]
        frequency = float(system.worn_frequency(w))
        return math.hypot(u - g, v / frequency) if frequency > 0 else abs(u - g)
    names = [label.split(" [")[0] for label in monitor.formulation.columns(system)]
    if "u" in names and hasattr(system, "natural_frequency"):  # an oscillator on a rocking base
        at = names.index("u")
        return math.hypot(state[at], state[at + 1] / system.natural_frequency)
    return 0.0


def status_text(monitor: Monitor) -> str:
    """The status in one line, with amplitude and velocity."""
    status = short_status(monitor)
    if status == NOTHING_KNOWN:
        return "no samples: nothing is known"
    if status == VIBRATING:
        amplitude = 1e3 * vibration(monitor)
        speed = f", v = {1e3 * monitor.state[1]:.3g} mm/s" if _is_building(monitor) else ""
        return f"{status}: amplitude {amplitude:.3g} mm{speed}, too little to do damage"
    if status == MOVING and _is_building(monitor):
        return f"{status}: v = {1e3 * monitor.state[1]:.3g} mm/s"
    return status


def _is_building(monitor: Monitor) -> bool:
    return isinstance(monitor.system, MasonryBuilding)

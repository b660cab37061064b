"""Whether a body is at rest, vibrates or moves, in words."""

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
    """How it stands. (`Status.AT_REST` of a building or an oscillator includes vibrations that are
    too small to do harm; here these are called so.)"""
    status = monitor.status
    if monitor.samples == 0:
        return NOTHING_KNOWN
    if status is Status.MOVING:
        return MOVING
    if status is not Status.AT_REST:
        return str(status)
    return VIBRATING if vibration(monitor) > STILL else AT_REST


def vibration(monitor: Monitor) -> float:
    """Amplitude of the vibration under way [m]: 0 of a rigid block, and of what has fallen."""
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
    """A sentence for people: how it stands, and how fast it moves."""
    said = short_status(monitor)
    if said == NOTHING_KNOWN:
        return "no samples: nothing is known of it"
    if said == VIBRATING:
        amplitude = 1e3 * vibration(monitor)
        speed = f", v = {1e3 * monitor.state[1]:.3g} mm/s" if _is_building(monitor) else ""
        return f"{said}: amplitude {amplitude:.3g} mm{speed}, too little to do damage"
    if said == MOVING and _is_building(monitor):
        return f"{said}: v = {1e3 * monitor.state[1]:.3g} mm/s"
    return said


def _is_building(monitor: Monitor) -> bool:
    return isinstance(monitor.system, MasonryBuilding)

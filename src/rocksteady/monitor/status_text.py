"""Whether a body is at rest, vibrating or moving, in words."""

from typing import TYPE_CHECKING

from rocksteady.status import Status

if TYPE_CHECKING:
    from rocksteady.monitor.live import Monitor

STILL = 1e-6  # m, and m/s over the natural frequency: a building that vibrates less is at rest

NOTHING_KNOWN = "no samples"
AT_REST, VIBRATING, MOVING = "standing, at rest", "standing, vibrating", "standing, moving"


def short_status(monitor: "Monitor") -> str:
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


def vibration(monitor: "Monitor") -> float:
    """Amplitude of the vibration [m]; 0 for a rigid block or a body that has fallen."""
    return 0.0 if monitor.over else monitor.formulation.vibration(monitor.system, monitor.state)


def status_text(monitor: "Monitor") -> str:
    """The status in one line, with amplitude and velocity."""
    status = short_status(monitor)
    moves_in_metres = monitor.formulation.coordinate(monitor.system).unit == "m"
    if status == NOTHING_KNOWN:
        return "no samples: nothing is known"
    if status == VIBRATING:
        amplitude = 1e3 * vibration(monitor)
        speed = f", v = {1e3 * monitor.state[1]:.3g} mm/s" if moves_in_metres else ""
        return f"{status}: amplitude {amplitude:.3g} mm{speed}, too little to do damage"
    if status == MOVING and moves_in_metres:
        return f"{status}: v = {1e3 * monitor.state[1]:.3g} mm/s"
    return status

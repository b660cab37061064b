"""What samples did to a body, and the state after them."""

from dataclasses import dataclass

from rocksteady.monitor.alarms import Alarm
from rocksteady.status import Status

Extremes = tuple[float, float, float, int]
"""Largest coordinate, smallest, time of the larger in size since sample 0 [s], impacts."""


@dataclass(frozen=True)
class Reading:
    """What the last samples did, and the state after them."""

    sample: int
    """Number of the newest sample, counted from 0; −1 before the first."""
    time: float
    """Its time [s]."""
    theta: float
    """Rotation θ [rad]; for a building, displacement u [m]."""
    omega: float
    """Its rate [rad/s]; for a building [m/s]."""
    extreme: float
    """Largest |θ| [rad], or |u| [m], during these samples, turning points between them included."""
    impacts: int
    """Impacts during these samples."""
    status: Status
    values: dict[str, float]
    """The quantities that alarms watch: ``wear``, ``hardening`` [m], ``drift`` [m] and
    ``frequency_drop`` of a building, ``lean`` |θ|/α of a block."""
    raised: tuple[Alarm, ...] = ()
    """Alarms that these samples raised."""
    certain: bool = True
    """False if part of the ground motion is unknown; wear is then at least what ``values`` says."""


def joined(before: Extremes, found: Extremes) -> Extremes:
    """The extremes of both."""
    higher = max(found[0], -found[1]) > max(before[0], -before[1])
    return (
        max(before[0], found[0]),
        min(before[1], found[1]),
        found[2] if higher else before[2],
        before[3] + found[3],
    )

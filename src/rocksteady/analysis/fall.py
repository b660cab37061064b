"""How and when a body fell, for runs in which a peak means nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocksteady.response import Response, Status
from rocksteady.systems import MasonryBuilding


@dataclass(frozen=True)
class Fall:
    """The end of a run in which a body overturned or a building collapsed."""

    time: float
    """When it leaned past its balance angle for good [s]; when a building had worn out.

    Formulations end a fall at different leans, on the ground or before it. This instant they share.
    """
    direction: str
    """``"right"`` (+x) or ``"left"``; empty for a building."""

    def __str__(self) -> str:
        where = f"to the {self.direction}" if self.direction else "down"
        return f"{where} at {self.time:.3g} s"


def fall(response: Response) -> Fall | None:
    """How it fell; None for a run that did not end in a fall."""
    if response.status not in (Status.OVERTURNED, Status.COLLAPSED):
        return None
    if isinstance(response.system, MasonryBuilding):
        return Fall(float(response.time[-1]), "")
    lean = np.abs(response.rocker.relative(response.theta))
    direction = "right" if response.theta[-1] > 0 else "left"
    safe = np.flatnonzero(lean < 1)
    if not len(safe) or safe[-1] == len(lean) - 1:  # let go beyond it; or judged by its energy
        return Fall(float(response.time[0 if not len(safe) else -1]), direction)
    last = safe[-1]
    share = (1 - lean[last]) / (lean[last + 1] - lean[last])
    step = response.time[last + 1] - response.time[last]
    return Fall(float(response.time[last] + share * step), direction)

"""Displacement histories that test a law of wear: Casalotti et al. 2025, Table 2."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocksteady.errors import InputError
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array


@dataclass(frozen=True)
class Ramp:
    """u(t) = u_max (t/t_max)^β sin(ω t), ω = (π/2 + 2πk)/t_max; without k the straight line
    u_max t/t_max.

    Push a building through one with ``rs.pushover(building, ramp.history(2000))``.

    Parameters
    ----------
    u_max
        Largest displacement [m].
    k
        Whole cycles before the last quarter [-], which ends at u_max; None for a straight line.
    beta
        Exponent of the growing amplitude [-]: 0 for a constant one, 1 for one that grows linearly.
    t_max
        Duration [s].

    Examples
    --------
    >>> from rocksteady.analysis import ramp
    >>> ramp("1.3").history(4).round(6).tolist()  # m: u_max = 2 mm
    [0.0, 0.001848, -0.001414, -0.000765, 0.002]
    """

    u_max: float
    k: int | None = None
    beta: float = 0.0
    t_max: float = 500.0

    def __post_init__(self) -> None:
        positive("u_max", self.u_max, "m")
        positive("t_max", self.t_max, "s")
        finite("beta", self.beta, minimum=0.0)
        if self.k is None:
            if self.beta:
                raise InputError(f"beta = {self.beta!r} needs k: a straight ramp has no amplitude.")
        elif isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 0:
            raise InputError(f"k = {self.k!r} is not allowed: a whole number of cycles, 0 or more.")

    def at(self, t: Any) -> Any:
        """Displacement [m] at the time t [s]."""
        share = np.asarray(t) / self.t_max
        if self.k is None:
            return self.u_max * share
        return self.u_max * share**self.beta * np.sin(self.omega * self.t_max * share)

    def rate(self, t: float) -> float:
        """Velocity [m/s] at the time t > 0 [s]."""
        if self.k is None:
            return self.u_max / self.t_max
        share = t / self.t_max
        wave = self.omega * math.cos(self.omega * t)
        if self.beta:
            wave += self.beta * math.sin(self.omega * t) / t if t > 0 else 0.0
        return float(self.u_max * share**self.beta * wave)

    @property
    def omega(self) -> float:
        """Circular frequency [rad/s]."""
        return 0.0 if self.k is None else (math.pi / 2 + 2 * math.pi * self.k) / self.t_max

    def history(self, steps: int) -> Array:
        """Displacement [m] before the first and after each of so many equal steps of time."""
        if isinstance(steps, bool) or not isinstance(steps, int | np.integer) or steps < 1:
            raise InputError(f"steps = {steps!r} is not allowed: a whole number, 1 or more.")
        return np.asarray(self.at(np.linspace(0, self.t_max, steps + 1)))


RAMPS = {
    "1.1": Ramp(0.050),
    "1.2": Ramp(0.003, k=2),
    "1.3": Ramp(0.002, k=5),
    "2a.1": Ramp(0.001, k=1, beta=1.0),
    "2a.2": Ramp(0.001, k=3, beta=1.0),
    "2a.3": Ramp(0.001, k=4, beta=1.0),
    "2b.1": Ramp(0.001, k=3, beta=1.25),
    "2b.2": Ramp(0.001, k=3, beta=0.75),
}
"""The ramps of the paper's Table 2 by test set and number, all of 500 s. Test Set 3 is 2b.2."""


def ramp(name: str) -> Ramp:
    """A ramp of Table 2 of Casalotti et al. 2025, by test set and number: "1.1", "2a.3", "2b.2".

    "3" is the only ramp of Test Set 3, which is 2b.2.
    """
    found = RAMPS.get("2b.2" if name == "3" else name) if isinstance(name, str) else None
    if found is None:
        raise InputError(f"There is no ramp {name!r}: use {', '.join(RAMPS)} or 3.")
    return found

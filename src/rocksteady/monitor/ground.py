"""The ground motion so far in a few numbers: how strong it was, and the sensor's offset."""

from dataclasses import dataclass

import numpy as np

from rocksteady.monitor.exact import Exact
from rocksteady.numerics.types import Array

LONG_ENOUGH = 10.0  # s: a mean over less says little
OFFSET = 0.05  # m/s²: shaking ground has no such mean over so long a time


@dataclass(frozen=True)
class Ground(Exact):
    """Sums over all samples so far, independent of the blocks in which they came. Outages are left
    out."""

    samples: int = 0
    largest: float = 0.0
    """Largest |a_h| [m/s²]."""
    sums: tuple[float, float] = (0.0, 0.0)
    """Of a_h and a_v [m/s²]."""

    def with_samples(self, a_h: Array, a_v: Array) -> "Ground":
        """The same with more samples."""
        if not len(a_h):
            return self
        across, up = self.sums
        if len(a_h) == 1:  # many times as fast where samples come one by one
            a, b = float(a_h[0]), float(a_v[0])
            return Ground(self.samples + 1, max(self.largest, abs(a)), (across + a, up + b))
        largest = max(self.largest, float(np.abs(a_h).max()))
        return Ground(self.samples + len(a_h), largest, (_sum(across, a_h), _sum(up, a_v)))

    @property
    def means(self) -> tuple[float, float]:
        """Of a_h and a_v [m/s²]."""
        across, up = self.sums
        return across / max(self.samples, 1), up / max(self.samples, 1)

    def offsets(self, dt: float) -> dict[str, float]:
        """The means [m/s²] that are too large for shaking ground: the sensor's offsets. Empty while
        there are too few samples of ``dt`` [s]."""
        if self.samples * dt < LONG_ENOUGH:
            return {}
        both = zip(("a_h", "a_v"), self.means, strict=True)
        return {name: mean for name, mean in both if abs(mean) >= OFFSET}


def _sum(begin: float, values: Array) -> float:
    """One after the other: NumPy's sum would depend on the size of the blocks."""
    return float(np.add.accumulate(np.concatenate([[begin], values]))[-1])

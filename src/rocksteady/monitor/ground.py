"""The ground motion so far in a few numbers: how strong it was, and the sensor's offset."""

from dataclasses import dataclass
from operator import add

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
    sums: tuple[float, ...] = (0.0, 0.0)
    """Of a_h and a_v [m/s²], and of a_t where a theory takes it."""

    def with_samples(self, ground: tuple[Array, ...]) -> "Ground":
        """The same with more samples, an array for each component."""
        count = len(ground[0])
        if not count:
            return self
        if count == 1:  # many times as fast where samples come one by one
            new = [float(values[0]) for values in ground]
            sums = tuple(map(add, self.sums, new))
            return Ground(self.samples + 1, max(self.largest, abs(new[0])), sums)
        largest = max(self.largest, float(np.abs(ground[0]).max()))
        return Ground(self.samples + count, largest, tuple(map(_sum, self.sums, ground)))

    @property
    def means(self) -> tuple[float, ...]:
        """Of a_h and a_v [m/s²], and of a_t where a theory takes it."""
        return tuple(total / max(self.samples, 1) for total in self.sums)

    def offsets(self, dt: float) -> dict[str, float]:
        """The means [m/s²] that are too large for shaking ground: the sensor's offsets. Empty while
        there are too few samples of ``dt`` [s]."""
        if self.samples * dt < LONG_ENOUGH:
            return {}
        each = zip(("a_h", "a_v", "a_t"), self.means, strict=False)
        return {name: mean for name, mean in each if abs(mean) >= OFFSET}


def _sum(begin: float, values: Array) -> float:
    """One after the other: NumPy's sum would depend on the size of the blocks."""
    return float(np.add.accumulate(np.concatenate([[begin], values]))[-1])

"""What the sensor has said of the ground on the whole: how strong it was, and whether it is off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocksteady.formulations.contract import Array
from rocksteady.monitor.exact import from_hex, to_hex

LONG_ENOUGH = 10.0  # s: the mean of less says little
OFFSET = 0.05  # m/s²: ground that moves has no such mean for so long


@dataclass(frozen=True)
class Ground:
    """All samples so far in a few numbers, the same in whichever pieces they came; times of rest,
    of which nothing is known, are left out."""

    samples: int = 0
    largest: float = 0.0
    """Largest |a_h| [m/s²]."""
    sums: tuple[float, float] = (0.0, 0.0)
    """Of a_h and a_v [m/s²]."""

    def with_samples(self, a_h: Array, a_v: Array) -> Ground:
        """After so many more."""
        if not len(a_h):
            return self
        across, up = self.sums
        if len(a_h) == 1:  # as they come one by one: many times as fast
            a, b = float(a_h[0]), float(a_v[0])
            return Ground(self.samples + 1, max(self.largest, abs(a)), (across + a, up + b))
        largest = max(self.largest, float(np.abs(a_h).max()))
        return Ground(self.samples + len(a_h), largest, (_sum(across, a_h), _sum(up, a_v)))

    @property
    def means(self) -> tuple[float, float]:
        """Of a_h and a_v [m/s²]: what the sensor says of ground that goes nowhere."""
        across, up = self.sums
        return across / max(self.samples, 1), up / max(self.samples, 1)

    def offsets(self, dt: float) -> dict[str, float]:
        """The means [m/s²] that no ground has for so long; none where samples every ``dt`` [s]
        have not come for long enough to tell."""
        if self.samples * dt < LONG_ENOUGH:
            return {}
        both = zip(("a_h", "a_v"), self.means, strict=True)
        return {name: mean for name, mean in both if abs(mean) >= OFFSET}

    def to_dict(self) -> dict[str, Any]:
        return {
            "samples": self.samples,
            "largest": to_hex(self.largest),
            "sums": [to_hex(value) for value in self.sums],
        }

    @classmethod
    def from_dict(cls, about: dict[str, Any]) -> Ground:
        across, up = (from_hex(text) for text in about["sums"])
        return cls(int(about["samples"]), from_hex(about["largest"]), (across, up))


def _sum(begin: float, values: Array) -> float:
    """One after the other: NumPy's sum would depend on the pieces."""
    return float(np.add.accumulate(np.concatenate([[begin], values]))[-1])

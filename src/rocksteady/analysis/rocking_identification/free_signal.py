"""What a sensor on a freely rocking block shows, from the unknowns of the fit.

The unknowns are chosen so that a small release is no special case: p² α is what any release tells,
and the share θ_0/α of the balance angle may go to zero. Index 1 is the side of the release, 2 the
other one.
"""

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from rocksteady.analysis.decay.model import lean_history, quarter_periods, rate_history, swing_times
from rocksteady.numerics.types import Array

ETA, THETA0, FIRST, OFFSET, DRIFT, STIFFNESS, SHARE = range(7)  # indices of the unknowns
LARGEST_ALPHA = 1.2  # rad
BALANCED = 1 - 1e-12  # a cosine of that angle from the balance point: nearer, it would never return
KINDS = ("angle", "displacement", "rate")
STEP = 1e-6  # of each unknown's scale, for derivatives
NEAR_IMPACT = 1.5  # sampling intervals: a rate jumps there, and sensors smooth it


@dataclass(frozen=True)
class Sensor:
    """What is measured."""

    kind: str = "angle"
    """``"angle"`` [rad], ``"displacement"`` [m] or ``"rate"`` [rad/s]."""
    height: float = 1.0
    """Where the displacement is measured, above the base [m]."""
    width: float = 0.0
    """Full width of the base [m]."""

    @property
    def scale(self) -> float:
        """Signal per radian."""
        return self.height if self.kind == "displacement" else 1.0

    def of_angle(self, theta: Array) -> Array:
        """The displacement of a point above the middle of the base, or the angle itself."""
        if self.kind != "displacement":
            return theta
        rise = self.width / 2 * (1 - np.cos(theta))
        return np.asarray(self.height * np.sin(theta) + np.sign(theta) * rise)


@dataclass(frozen=True)
class Unknowns:
    """Which unknowns there are beyond the seven."""

    asymmetric: bool = False
    clock: bool = False
    """Whether the clock's rate changes steadily."""
    released: float | None = None
    """When it was released [s], if that is known: the first impact then follows from it."""

    @property
    def count(self) -> int:
        return 7 + self.asymmetric + self.clock

    @property
    def free(self) -> list[int]:
        """Those that are fitted."""
        return [i for i in range(self.count) if i != FIRST or self.released is None]

    def complete(self, x: Array) -> Array:
        """All unknowns, from those that are fitted."""
        if self.released is None:
            return x
        x = x.copy()
        x[FIRST] = self.released + fall_time(x, self)
        return x

    def ratio(self, x: Array) -> float:
        """α of the other side over that of the release's."""
        return math.exp(x[7]) if self.asymmetric else 1.0

    def clock_drift(self, x: Array) -> float:
        """Change of the clock's rate [1/s]."""
        return float(x[-1]) if self.clock else 0.0


@dataclass(frozen=True)
class Sides:
    """The two sides of a block: (that of the release, the other one)."""

    alpha: tuple[float, float]
    p: tuple[float, float]

    @classmethod
    def of(cls, x: Array, unknowns: Unknowns) -> Self:
        alpha = min(x[THETA0] / x[SHARE], LARGEST_ALPHA)
        p = math.exp(x[STIFFNESS] / 2) / math.sqrt(alpha)
        if not unknowns.asymmetric:
            return cls((alpha, alpha), (p, p))
        other = min(alpha * unknowns.ratio(x), LARGEST_ALPHA)
        return cls((alpha, other), (p, p * math.sqrt(_p_ratio(alpha, other))))

    @property
    def weak_p(self) -> float:
        """p of the side with the smaller α, as `Block.p`."""
        return self.p[0] if self.alpha[0] <= self.alpha[1] else self.p[1]

    def peaks(self, theta0: float, eta: float, count: int) -> Array:
        """Largest lean [rad] of the first swings. An impact keeps η² of m g R [cos(α−θ) − cos α],
        and R cos α is the height of the centre of mass, for both sides the same."""
        n = np.arange(count)
        alpha = np.array(self.alpha)[n % 2]
        cosine = np.cos(alpha)
        energy = (math.cos(self.alpha[0] - theta0) / math.cos(self.alpha[0]) - 1) * eta ** (2 * n)
        return np.asarray(alpha - np.arccos(np.minimum(cosine * (1 + energy), BALANCED)))

    def of_swings(self, count: int) -> tuple[Array, Array]:
        """α and p of each swing."""
        n = np.arange(count) % 2
        return np.array(self.alpha)[n], np.array(self.p)[n]


def fall_time(x: Array, unknowns: Unknowns) -> float:
    """From the release to the first impact [s]."""
    sides = Sides.of(x, unknowns)
    return float(quarter_periods(np.array([x[THETA0]]), sides.alpha[0], sides.p[0])[0])


def _p_ratio(alpha: float, other: float) -> float:
    """p² of the other side over that of this one, with the inertia of a rectangle
    (`Block.from_sides`)."""
    gyration = (4 + (math.tan(alpha) + math.tan(other)) ** 2) / 12
    one, two = 1 / math.cos(alpha), 1 / math.cos(other)
    return two / one * (gyration + one**2) / (gyration + two**2)


@dataclass(frozen=True)
class Signal:
    """A record from the release on, positive towards the side of the release."""

    time: Array
    values: Array
    sensor: Sensor
    unknowns: Unknowns
    zero: float
    """The time to which the offset and the clock refer [s]."""

    def clocked(self, x: Array, time: Array) -> Array:
        """True time: the clock's is wrong by half its drift times the square of the time."""
        since = time - self.zero
        return np.asarray(time + self.unknowns.clock_drift(x) / 2 * since**2)

    def history(self, x: Array, swings: int) -> Array:
        """The signal of the rocking block alone."""
        x = self.unknowns.complete(x)
        sides = Sides.of(x, self.unknowns)
        leans = sides.peaks(x[THETA0], x[ETA], swings + 1)
        time, (alpha, p) = self.clocked(x, self.time), sides.of_swings(swings + 1)
        if self.sensor.kind == "rate":
            return rate_history(time, leans, x[FIRST], alpha, p)
        return self.sensor.of_angle(lean_history(time, leans, x[FIRST], alpha, p))

    def baseline(self, x: Array) -> Array:
        return np.asarray(x[OFFSET] + x[DRIFT] * (self.time - self.zero))

    def residual(self, x: Array, swings: int) -> Array:
        return np.asarray(self.history(x, swings) + self.baseline(x) - self.values)

    def jacobian(self, x: Array, swings: int) -> Array:
        """Derivatives of the residual by the unknowns that are fitted, a column each."""
        columns = []
        step = STEP * self.scales(x)
        for i in self.unknowns.free:
            if i in (OFFSET, DRIFT):
                columns.append(np.ones_like(self.time) if i == OFFSET else self.time - self.zero)
                continue
            near, far = x.copy(), x.copy()
            near[i] -= step[i]
            far[i] += step[i] if i not in (ETA, SHARE) else 0.0  # may be at their upper bounds
            there = self.history(far, swings) - self.history(near, swings)
            columns.append(there / (far[i] - near[i]))
        return np.stack(columns, axis=1)

    def scales(self, x: Array) -> Array:
        """Typical size of each unknown."""
        p = math.exp(x[STIFFNESS] / 2) / math.sqrt(x[THETA0] / x[SHARE])
        size = self.sensor.scale * x[THETA0] * (p if self.sensor.kind == "rate" else 1.0)
        more = [1.0] * self.unknowns.asymmetric + [1e-2] * self.unknowns.clock
        return np.array([1.0, x[THETA0], 1 / p, size, 0.1 * size * p, 1.0, 1.0, *more])

    def ends(self, x: Array, swings: int) -> Array:
        """When each swing ends [s], by the true clock."""
        x = self.unknowns.complete(x)
        sides = Sides.of(x, self.unknowns)
        leans = sides.peaks(x[THETA0], x[ETA], swings + 1)
        return swing_times(leans, x[FIRST], *sides.of_swings(swings + 1))[1]

    def until(self, end: float) -> Self:
        n = int(np.searchsorted(self.time, end))
        return replace(self, time=self.time[:n], values=self.values[:n])

    def away_from_impacts(self, x: Array, swings: int) -> Self:
        """Without the samples next to an impact, if the signal is a rate: it jumps there."""
        if self.sensor.kind != "rate":
            return self
        ends, time = self.ends(x, swings), self.clocked(x, self.time)
        dt = float(np.median(np.diff(self.time)))
        i = np.clip(np.searchsorted(ends, time), 1, len(ends) - 1) if len(ends) > 1 else 0
        gap = np.minimum(np.abs(time - ends[i]), np.abs(time - ends[np.maximum(i, 1) - 1]))
        far = gap > NEAR_IMPACT * dt
        return replace(self, time=self.time[far], values=self.values[far])

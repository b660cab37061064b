"""The clock of a sensor, as its time stamps show it: how finely it counts, and how fast.

Many loggers stamp whole seconds, or all samples of a packet alike. Such a clock says when a tick
begins; between two ticks the samples are counted, because they are ``dt`` apart. Let o be the place
of a sample by its stamp less its place by count. While nothing is missing, o stays within a window
as wide as a tick. Where it lies depends on when the first sample came within its tick, so the
window is learned: a sample whose o is above it comes after missing ones, and one below it is
surplus.
"""

import math
from typing import Any

import numpy as np

from rocksteady.monitor.exact import from_hex, to_hex
from rocksteady.numerics.types import Array

FARTHEST = 2.0**52  # samples: beyond, a float does not know one from the next
FINE = 1.001  # dt: a clock with longer steps is coarse, if stamps are repeated
SLACK = 0.8  # dt: a stamp that is off by no more is that of the next sample
JITTER = 3.0  # samples by which ticks may come early or late, at most a tenth of a tick
OFF = 0.01  # of the stated rate: a larger difference is reported
ENOUGH = 100  # samples that give the rate


class Clock:
    """Where samples belong by their time stamps [s]; ``dt`` [s] is the stated time step."""

    def __init__(self, dt: float, origin: float = 0.0) -> None:
        self.dt, self.origin = dt, origin
        """Stated time step, and when sample 0 was due [s]."""
        self.newest = self.taken = math.nan
        """Newest time stamp, and that of the newest sample in use [s]."""
        self.step = math.inf
        """Shortest time between two different stamps [s]."""
        self.repeats = False
        """Whether samples with the same stamp have been told from duplicates."""
        self._low = self._high = 0.0
        self._received = 0
        self._first = self._last = (0, math.nan)  # of the stamps that give the rate

    # -- places -----------------------------------------------------------------------------------

    @property
    def coarse(self) -> bool:
        """Whether samples must be counted between the ticks of this clock."""
        return self.repeats and self.step > FINE * self.dt

    @property
    def unknown(self) -> bool:
        """Whether all stamps so far are equal."""
        return math.isinf(self.step) and not math.isnan(self.newest)

    @property
    def width(self) -> float:
        """Samples in a tick; 0 for a fine clock."""
        return self.step / self.dt if self.coarse else 0.0

    def ahead(self, t: float, due: int) -> int | None:
        """How many samples are missing before the one stamped ``t`` if number ``due`` is the next;
        negative if that place is taken, None if the stamp is absurd."""
        place = (t - self.origin) / self.dt
        if not abs(place) < FARTHEST:
            return None
        over, width = place - due, self.width
        if not self.coarse:
            if t == self.newest:
                return min(-1, round(over))
            return 0 if abs(over) <= SLACK else round(over)
        slack = 0.5 + min(JITTER, 0.1 * width)
        if over > self._low + width + slack:
            return max(1, round(over - self._high))
        if over < self._high - width - slack:
            return -math.ceil(self._high - width - slack - over)
        return 0

    def places(self, times: Array) -> Array:
        """The nearest place of each sample on the grid of a fine clock."""
        return np.rint((times - self.origin) / self.dt)

    def take(self, t: float, place: int) -> None:
        """The sample stamped ``t`` is number ``place``."""
        if self.coarse:
            over = (t - self.origin) / self.dt - place
            self._low, self._high = min(self._low, over), max(self._high, over)
        self.taken = t

    def count_between_ticks(self, place: int) -> None:
        """From now on count; sample number ``place`` is the newest in use."""
        self.repeats = True
        self._low = self._high = (self.taken - self.origin) / self.dt - place

    def set(self, t: float, place: int) -> float:
        """The clock was set: sample number ``place`` is the one stamped ``t``. Returns how far it
        was set ahead [s]."""
        before, self.origin = self.origin, t - place * self.dt
        self.restart(t, place)
        return self.origin - before

    def restart(self, t: float, place: int) -> None:
        """Samples are lost before the one stamped ``t``, number ``place``: learn the window and the
        rate anew."""
        self._low = self._high = (t - self.origin) / self.dt - place
        self.newest = t
        self._received, self._first, self._last = 0, (0, math.nan), (0, math.nan)

    # -- rate -------------------------------------------------------------------------------------

    def see(self, t: float) -> None:
        """A sample stamped ``t`` came, not earlier than the one before, in use or not."""
        if t > self.newest:
            self.step = min(self.step, t - self.newest)
            self._last = self._received, t
            if math.isnan(self._first[1]):
                self._first = self._last
        self.newest = t
        self._received += 1

    def see_all(self, times: Array) -> None:
        """The same for samples in use, each later than the one before."""
        if math.isnan(self.newest):
            self.see(float(times[0]))
            times = times[1:]
        if len(times):
            self.step = min(self.step, float(np.diff(times, prepend=self.newest).min()))
            if math.isnan(self._first[1]):
                self._first = self._received, float(times[0])
            self._received += len(times)
            self.newest = float(times[-1])
            self._last = self._received - 1, self.newest
        self.taken = self.newest

    @property
    def rate(self) -> float:
        """Samples per second of this clock; nan while it is not known."""
        (begin, since), (end, until) = self._first, self._last
        return (end - begin) / (until - since) if end - begin >= ENOUGH else math.nan

    @property
    def resolution(self) -> float:
        """Length of a tick [s] if samples are counted between ticks, else nan."""
        return self.step if self.coarse else math.nan

    def about(self) -> dict[str, Any]:
        """Rate and resolution for a summary, and what is odd in words. None: not known."""
        known = {"rate": self.rate, "stated_rate": 1 / self.dt, "resolution": self.resolution}
        return {
            **{name: value if math.isfinite(value) else None for name, value in known.items()},
            "words": self.words(),
        }

    def words(self) -> list[str]:
        """What is odd about it."""
        found = []
        if self.coarse:
            found.append(
                f"the time stamps are {self.step:.4g} s apart or equal: between them, samples are "
                f"placed by their number, {1 / self.dt:.6g} a second"
            )
        if abs(self.rate * self.dt - 1) > OFF:
            found.append(
                f"the time stamps show {self.rate:.5g} samples per second, not {1 / self.dt:.6g} "
                "as stated"
            )
        return found

    # -- kept and restored ------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        names = ("origin", "newest", "taken", "step", "_low", "_high")
        return {
            **{name: to_hex(getattr(self, name)) for name in names},
            "repeats": self.repeats,
            "received": self._received,
            "first": [self._first[0], to_hex(self._first[1])],
            "last": [self._last[0], to_hex(self._last[1])],
        }

    @classmethod
    def from_dict(cls, about: dict[str, Any], dt: float) -> "Clock":
        clock = cls(dt)
        for name in ("origin", "newest", "taken", "step", "_low", "_high"):
            setattr(clock, name, from_hex(about[name]))
        clock.repeats, clock._received = bool(about["repeats"]), int(about["received"])
        (begin, since), (end, until) = about["first"], about["last"]
        clock._first, clock._last = (begin, from_hex(since)), (end, from_hex(until))
        return clock

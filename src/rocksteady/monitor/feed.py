"""Samples as they really come, put on an even grid of time.

Sample k of the grid is due at the first sample's time + k dt. A time stamp belongs to the next k if
it is no more than 0.8 dt off, or else to the nearest one. Where the clock counts in steps longer
than dt, samples are counted between its ticks (`Clock`). What does not fit is counted and handled
like this:

- **gap** of at most ``max_gap`` seconds: filled by a straight line between its two neighbours;
- **outage**, a longer gap: the ground is taken to be at rest. One odd time stamp is not an outage:
  the next sample must confirm it, or it is a *stray* one;
- samples with the newest stamp again, or too near to it, **wait** for the next one: if the clock
  has then moved on by as many places, or they are more than three with one stamp, they are
  samples. Otherwise they are **duplicates**, left out;
- **late** (an earlier k): left out, the first one counts;
- **non-finite** or **impossible** sample (beyond 10⁴ m/s²), **garbage** line: left out, which
  leaves a gap;
- **clock reset**: after ten seconds of nothing but late samples their clock is used from then on;
  its next sample follows the newest one. The same happens where the clock jumps ahead by more than
  a year: that is a clock that was set, not an outage;
- a clock that **stands still** for ten seconds: its samples are placed by their number;
- **saturated**: a sample at or beyond ``full_scale`` is used unchanged.

Without time stamps each sample is the next one, and a line that cannot be read keeps its place.

Outages, saturated samples, clocks that are reset or stand still and, without time stamps,
interruptions make the results uncertain from then on (`Monitor.doubts`). So do samples left out or
filled in, where they are more than 1 % of the last minute (`Losses`), be it that nothing but bad
numbers comes to the end.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocksteady.monitor.alarms import Alarm
from rocksteady.monitor.checks import LARGEST, checked_samples
from rocksteady.monitor.clock import Clock
from rocksteady.monitor.exact import from_hex
from rocksteady.monitor.grid import Grid, Target, horizontal
from rocksteady.monitor.live import Monitor
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array

MAX_GAP = 0.5  # s


class Feed:
    """Feed a monitor with samples that may have gaps, come twice, late, or be garbage.

    Parameters
    ----------
    monitor
        The monitor that gets the samples.
    max_gap
        Longest time without samples [s] that is filled by a straight line.
    full_scale
        End of the sensor's range [m/s²]: samples at or beyond it are counted as saturated.

    Examples
    --------
    >>> from rocksteady.monitor import Feed, Monitor
    >>> from rocksteady.bodies.masonry import MasonryBuilding
    >>> feed = Feed(Monitor(MasonryBuilding.casalotti2025(40e3), dt=0.01))
    >>> _ = feed.take([0.0, 0.1, 0.3, 0.2], time=[5.0, 5.01, 5.03, 5.02])
    >>> feed.counts["filled"], feed.counts["late"], feed.monitor.samples
    (1, 1, 4)
    """

    def __init__(
        self,
        monitor: Monitor | Target,
        *,
        max_gap: float = MAX_GAP,
        full_scale: float | None = None,
    ) -> None:
        max_gap = finite("max_gap", max_gap, "s", minimum=0.0)
        if full_scale is not None:
            full_scale = positive("full_scale", full_scale, "m/s²")
        self._grid = Grid(monitor, max_gap, full_scale)
        self.target, self.monitor = self._grid.target, self._grid.monitor

    @property
    def counts(self) -> dict[str, int]:
        """How many samples came, and what was wrong with them (`COUNTS`)."""
        return self._grid.counts

    @property
    def clock(self) -> Clock:
        """The sensor's clock, as its time stamps show it."""
        return self._grid.clock

    def take(
        self,
        a_h: ArrayLike,
        *,
        time: ArrayLike | None = None,
        a_v: ArrayLike | None = None,
        a_t: ArrayLike | None = None,
        measured: ArrayLike | None = None,
        garbage: NDArray[np.bool_] | None = None,
    ) -> tuple[Alarm, ...]:
        """Take samples [m/s²], with their times [s] if there are any; returns the alarms raised.

        ``garbage`` marks lines that were not samples.
        """
        ground = self.monitor.checked_ground(a_h, a_v, a_t, finite=False)
        count, own = len(ground[0]), None
        if measured is not None:
            own = checked_samples(measured, "measured", count, finite=False)
        when = None if time is None else checked_samples(time, "time", count, finite=False)
        if count == 0:
            return ()
        self._grid.has_measured = own is not None
        if (garbage is None or not garbage.any()) and self._in_order(ground, when):
            self._grid.pass_by(count, math.nan if own is None else float(own[-1]))
            if self._grid.full_scale is not None:
                beyond = [np.abs(values) >= self._grid.full_scale for values in horizontal(ground)]
                for at in np.flatnonzero(np.any(beyond, axis=0)).tolist():
                    self._grid.saturated(self.monitor.samples + at)
            return self.target.push_block(*ground, measured=own).raised
        return self._one_by_one(ground, own, when, garbage)

    def _in_order(self, ground: tuple[Array, ...], when: Array | None) -> bool:
        """Whether all samples are good and each is the next one, as nearly always."""
        if self._grid.waits:
            return False
        if not all((np.abs(values) <= LARGEST).all() for values in ground):
            return False
        samples = self.monitor.samples
        if when is None:
            return self._grid.slots == samples
        if self._grid.counts_samples or not np.isfinite(when).all():
            return False
        if samples == 0:
            self._grid.set_origin(float(when[0]))
        if not (self.clock.places(when) == samples + np.arange(len(when))).all():
            return False
        self.clock.see_all(when)
        return True

    def _one_by_one(
        self,
        ground: tuple[Array, ...],
        own: Array | None,
        when: Array | None,
        garbage: NDArray[np.bool_] | None,
    ) -> tuple[Alarm, ...]:
        nothing = np.full(len(ground[0]), np.nan)
        bad = np.zeros(len(ground[0]), dtype=bool) if garbage is None else garbage
        others = (nothing if own is None else own, nothing if when is None else when, bad)
        raised: list[Alarm] = []
        for *a, m, t, junk in zip(*(c.tolist() for c in (*ground, *others)), strict=True):
            self._grid.slots += 1
            if junk:
                self._grid.bad("garbage")
            elif not (all(map(math.isfinite, a)) and (when is None or math.isfinite(t))):
                self._grid.bad("nonfinite")
            elif max(map(abs, a)) > LARGEST:
                self._grid.bad("impossible")
            else:
                raised += self._grid.sample(t, (*a, m))
        return (*raised, *self._grid.hand_over())

    def interrupted(self) -> None:
        """The input was interrupted and has no time stamps: it is unknown how much is missing."""
        if self.monitor.samples:
            self.monitor.doubt("interrupted", self.monitor.samples)

    def finish(self) -> tuple[Alarm, ...]:
        """The input has ended: a sample that waits to be confirmed counts as stray, and those with
        one stamp as samples if they are more than three. Returns the alarms raised."""
        return self._grid.finish()

    def to_dict(self) -> dict[str, Any]:
        """Everything needed to resume, for JSON, with the samples that wait."""
        return self._grid.to_dict()

    @classmethod
    def from_dict(cls, about: dict[str, Any], monitor: Monitor | Target) -> "Feed":
        """The feed that `to_dict` described."""
        scale = about["full_scale"]
        feed = cls(
            monitor,
            max_gap=from_hex(about["max_gap"]),
            full_scale=None if scale is None else from_hex(scale),
        )
        feed._grid.restore(about)
        return feed

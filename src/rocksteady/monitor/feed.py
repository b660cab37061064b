"""Samples as they really come, put on an even grid of time.

Sample k of the grid is due at the first sample's time + k dt; a time stamp belongs to the nearest
k. What does not fit is counted and handled like this:

- **gap** of at most ``max_gap`` seconds: filled by a straight line between its two neighbours;
- **outage**, a longer gap: the ground is taken to be at rest. One odd time stamp is not an outage:
  the next sample must confirm it, or it is a *stray* one;
- **duplicate** (same k as the newest), **late** (an earlier k): left out, the first one counts;
- **non-finite** or **impossible** sample (beyond 10⁴ m/s²), **garbage** line: left out, which
  leaves a gap;
- **clock reset**: after ten seconds of nothing but late samples their clock is used from then on;
  its next sample follows the newest one. The same happens where the clock jumps ahead by more than
  a year: that is a clock that was set, not an outage;
- **saturated**: a sample at or beyond ``full_scale`` is used unchanged.

Without time stamps each sample is the next one, and a line that cannot be read keeps its place.

Outages, saturated samples, clock resets and, without time stamps, interruptions make the results
uncertain from then on (`Monitor.doubts`).
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocksteady.monitor.alarms import Alarm
from rocksteady.monitor.checks import LARGEST, checked_samples
from rocksteady.monitor.counts import COUNTS
from rocksteady.monitor.exact import from_hex, to_hex
from rocksteady.monitor.live import Monitor, Reading
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array

MAX_GAP = 0.5  # s
CLOCK_RESET = 10.0  # s
CLOCK_SET = 366 * 86400.0  # s: a jump ahead by more is no outage
FARTHEST = 2.0**52  # samples: beyond, a float does not know one from the next

Row = tuple[float, ...]  # the components of the ground: a_h, a_v, perhaps a_t; then measured


def horizontal(ground: Sequence[Any]) -> tuple[Any, ...]:
    """The components of the ground without the vertical one."""
    return (ground[0], *ground[2:])


class Target(Protocol):
    """What takes samples on an even grid: a monitor, with a log or without."""

    @property
    def monitor(self) -> Monitor: ...
    def push_block(
        self, a_h: Any, a_v: Any = None, a_t: Any = None, *, measured: Any = None
    ) -> Reading: ...
    def rest(self, samples: int) -> Reading: ...
    def note(self, kind: str, **values: Any) -> None: ...


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
    >>> from rocksteady.systems.masonry import MasonryBuilding
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
        self.full_scale = full_scale
        self.target = monitor
        self.monitor = monitor if isinstance(monitor, Monitor) else monitor.monitor
        self.max_gap = max_gap
        self.counts = dict.fromkeys(COUNTS, 0)
        self._most = math.floor(max_gap / self.monitor.dt * (1 + 1e-9))  # missing, to be filled
        self._patience = max(10, math.ceil(CLOCK_RESET / self.monitor.dt))
        self._year = math.ceil(CLOCK_SET / self.monitor.dt)
        self._origin = self.monitor.start
        self._slots = self.monitor.samples  # places taken by samples without time stamps
        self._measured = math.nan
        self._has_measured = False
        self._late_in_a_row = 0
        self._unconfirmed: tuple[int, Row] | None = None
        self._rows: list[Row] = []

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
        self._has_measured = own is not None
        if (garbage is None or not garbage.any()) and self._in_order(ground, when):
            self._slots += count
            self._late_in_a_row = 0
            self.counts["samples"] += count
            self._measured = math.nan if own is None else float(own[-1])
            if self.full_scale is not None:
                beyond = [np.abs(values) >= self.full_scale for values in horizontal(ground)]
                for at in np.flatnonzero(np.any(beyond, axis=0)).tolist():
                    self._saturated(self.monitor.samples + at)
            return self.target.push_block(*ground, measured=own).raised
        return self._one_by_one(ground, own, when, garbage)

    def _in_order(self, ground: tuple[Array, ...], when: Array | None) -> bool:
        """Whether all samples are good and each is the next one, as nearly always."""
        if self._unconfirmed is not None:
            return False
        if not all((np.abs(values) <= LARGEST).all() for values in ground):
            return False
        samples = self.monitor.samples
        if when is None:
            return self._slots == samples
        if not np.isfinite(when).all():
            return False
        if samples == 0:
            self._set_origin(float(when[0]))
        places = np.rint((when - self._origin) / self.monitor.dt)
        return bool((places == samples + np.arange(len(when))).all())

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
            self._slots += 1
            if junk:
                self.counts["garbage"] += 1
            elif not (all(map(math.isfinite, a)) and (when is None or math.isfinite(t))):
                self.counts["nonfinite"] += 1
            elif max(map(abs, a)) > LARGEST:
                self.counts["impossible"] += 1
            else:
                place = self._slots - 1 if when is None else self._place(t)
                raised += self._sample(place, (*a, m), t)
        return (*raised, *self._hand_over())

    # -- one sample -------------------------------------------------------------------------------

    @property
    def _next(self) -> int:
        return self.monitor.samples + len(self._rows)

    def _set_origin(self, t: float) -> None:
        self._origin = self.monitor.start = t

    def _place(self, t: float) -> int | None:
        """The number of the sample due nearest to ``t``; None if it is absurdly large."""
        if self._next == 0:
            self._set_origin(t)
        place = (t - self._origin) / self.monitor.dt
        return round(place) if abs(place) < FARTHEST else None

    def _sample(self, place: int | None, row: Row, t: float) -> Iterable[Alarm]:
        if place is None:
            self.counts["stray"] += 1
            return ()
        raised: Iterable[Alarm] = ()
        if self._unconfirmed is not None:
            (far, far_row), self._unconfirmed = self._unconfirmed, None
            if not 0 < place - far <= self._most + 1:
                self.counts["stray"] += 1
            elif far - self._next > self._year:
                place -= far - self._next
                self._set_clock(self._origin + (far - self._next) * self.monitor.dt)
                self._append(far_row)
            else:
                raised = self._outage(far)
                self._append(far_row)
        missing = place - self._next
        if missing < 0:
            if self._late(missing, t):
                self._append(row)
            return raised
        self._late_in_a_row = 0
        if missing > self._most:
            self._unconfirmed = (place, row)
        else:
            if missing:
                self._fill(missing, row)
            self._append(row)
        return raised

    def _append(self, row: Row) -> None:
        self.counts["samples"] += 1
        full_scale = self.full_scale
        if full_scale is not None and any(abs(a) >= full_scale for a in horizontal(row[:-1])):
            self._saturated(self._next)
        self._rows.append(row)

    def _saturated(self, sample: int) -> None:
        self.counts["saturated"] += 1
        self.monitor.doubt("saturated", sample, seconds=self.monitor.dt)

    def _fill(self, missing: int, row: Row) -> None:
        """A straight line across a gap: the ground is taken as linear between samples anyway."""
        before = self._rows[-1] if self._rows else (*self.monitor.ground, self._measured)
        self.counts["gaps"] += 1
        self.counts["filled"] += missing
        for j in range(1, missing + 1):
            share = j / (missing + 1)
            self._rows.append(tuple(x + share * (y - x) for x, y in zip(before, row, strict=True)))

    def _outage(self, place: int) -> Iterable[Alarm]:
        raised = list(self._hand_over())
        missing = place - self.monitor.samples
        self.counts["outages"] += 1
        self.counts["lost"] += missing
        raised += self.target.rest(missing).raised
        self._measured = math.nan
        return raised

    def _late(self, missing: int, t: float) -> bool:
        """Count it; True if it is the first sample of a new clock."""
        if missing == -1:
            self.counts["duplicates"] += 1
            return False
        self._late_in_a_row += 1
        if self._late_in_a_row <= self._patience:
            self.counts["late"] += 1
            return False
        self._set_clock(t - self._next * self.monitor.dt)
        return True

    def _set_clock(self, origin: float) -> None:
        """The sensor's clock was set: its next sample is still the next one on the grid."""
        sample = self._next
        self.counts["clock_resets"] += 1
        self._late_in_a_row = 0
        ahead = origin - self._origin
        self._origin = origin
        self.monitor.doubt("clock", sample)
        if not isinstance(self.target, Monitor):
            time = self.monitor.time_of(sample)
            self.target.note("clock", sample=sample, time=time, ahead=ahead)

    def interrupted(self) -> None:
        """The input was interrupted and has no time stamps: it is unknown how much is missing."""
        if self.monitor.samples:
            self.monitor.doubt("interrupted", self.monitor.samples)

    def _hand_over(self) -> tuple[Alarm, ...]:
        if not self._rows:
            return ()
        rows, self._rows = np.array(self._rows), []
        *ground, measured = rows.T.copy()
        self._measured = float(measured[-1])
        own = measured if self._has_measured else None
        return self.target.push_block(*ground, measured=own).raised

    def finish(self) -> None:
        """The input has ended: a sample that waits to be confirmed counts as stray."""
        if self._unconfirmed is not None:
            self._unconfirmed = None
            self.counts["stray"] += 1

    # -- kept and restored ------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Everything needed to resume, for JSON. (Between two calls of `take` it holds back at most
        one sample, which waits to be confirmed.)"""
        waiting = self._unconfirmed
        return {
            "max_gap": to_hex(self.max_gap),
            "counts": dict(self.counts),
            "origin": to_hex(self._origin),
            "slots": self._slots,
            "measured": to_hex(self._measured),
            "late_in_a_row": self._late_in_a_row,
            "unconfirmed": waiting and [waiting[0], [to_hex(x) for x in waiting[1]]],
            "full_scale": None if self.full_scale is None else to_hex(self.full_scale),
        }

    @classmethod
    def from_dict(cls, about: dict[str, Any], monitor: Monitor | Target) -> "Feed":
        """The feed that `to_dict` described."""
        scale = about.get("full_scale")
        feed = cls(
            monitor,
            max_gap=from_hex(about["max_gap"]),
            full_scale=None if scale is None else from_hex(scale),
        )
        feed.counts.update(about["counts"])
        feed._origin = from_hex(about["origin"])
        feed._slots = about["slots"]
        feed._measured = from_hex(about["measured"])
        feed._late_in_a_row = about["late_in_a_row"]
        if about["unconfirmed"]:
            place, row = about["unconfirmed"]
            feed._unconfirmed = (place, tuple(from_hex(x) for x in row))
        return feed

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
filled in, where they are more than 1 % of the last minute (`Losses`).
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocksteady.monitor.alarms import Alarm
from rocksteady.monitor.checks import LARGEST, checked_samples
from rocksteady.monitor.clock import FINE, Clock
from rocksteady.monitor.counts import COUNTS
from rocksteady.monitor.exact import from_hex, to_hex
from rocksteady.monitor.live import Monitor, Reading
from rocksteady.monitor.losses import FEW, Losses
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array

MAX_GAP = 0.5  # s
CLOCK_RESET = 10.0  # s
CLOCK_SET = 366 * 86400.0  # s: a jump ahead by more is no outage

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
        self.clock = Clock(self.monitor.dt, self.monitor.start)
        """The sensor's clock, as its time stamps show it."""
        self._losses = Losses(self.monitor.dt)
        self._slots = self.monitor.samples  # places taken by samples without time stamps
        self._measured = math.nan
        self._has_measured = False
        self._late_in_a_row = 0
        self._unconfirmed: tuple[int, float, Row] | None = None
        self._held: list[tuple[float, Row]] = []  # perhaps samples, perhaps duplicates
        self._still: float | None = None  # the stamp of a clock that stands still
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
        if self._unconfirmed is not None or self._held:
            return False
        if not all((np.abs(values) <= LARGEST).all() for values in ground):
            return False
        samples = self.monitor.samples
        if when is None:
            return self._slots == samples
        if self.clock.coarse or self._still is not None or not np.isfinite(when).all():
            return False
        if samples == 0:
            self._set_origin(float(when[0]))
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
            self._slots += 1
            if junk:
                self.counts["garbage"] += 1
            elif not (all(map(math.isfinite, a)) and (when is None or math.isfinite(t))):
                self.counts["nonfinite"] += 1
            elif max(map(abs, a)) > LARGEST:
                self.counts["impossible"] += 1
            else:
                raised += self._sample(t, (*a, m))
        return (*raised, *self._hand_over())

    # -- one sample -------------------------------------------------------------------------------

    @property
    def _next(self) -> int:
        return self.monitor.samples + len(self._rows)

    def _set_origin(self, t: float) -> None:
        self.clock.origin = self.monitor.start = t

    def _missing(self, t: float) -> int | None:
        """How many samples are missing before this one; see `Clock.ahead`. ``t`` is nan without
        time stamps."""
        if math.isnan(t):
            return self._slots - 1 - self._next
        if self._next == 0:
            self._set_origin(t)
        return self.clock.ahead(t, self._next)

    def _sample(self, t: float, row: Row) -> Iterable[Alarm]:
        if self._still is not None and self._goes_on_standing(t, row):
            return ()
        missing = self._missing(t)
        if missing is None:
            self._leave_out("stray")
            return ()
        raised: Iterable[Alarm] = ()
        if self._unconfirmed is not None:
            raised = self._confirm(self._next + missing, t)
            missing = self._missing(t)
        if self._held and missing is not None and missing >= 0:
            self._decide(missing, t)
            missing = self._missing(t)
        assert missing is not None
        if missing >= 0:
            self._late_in_a_row = 0
        if missing < 0 and t >= self.clock.newest:
            self._hold(t, row)
        elif missing < 0:
            self._late(missing, t, row)
        elif missing > self._most or (missing and self.clock.unknown):
            self._unconfirmed = (self._next + missing, t, row)
        else:
            if missing:
                self._fill(missing, row)
            self._append(row, t)
        return raised

    def _append(self, row: Row, t: float, *, seen: bool = False) -> None:
        """Use a sample, which is the next one."""
        if not math.isnan(t):
            if not seen:
                self.clock.see(t)
            self.clock.take(t, self._next)
        self.counts["samples"] += 1
        full_scale = self.full_scale
        if full_scale is not None and any(abs(a) >= full_scale for a in horizontal(row[:-1])):
            self._saturated(self._next)
        self._rows.append(row)

    def _leave_out(self, kind: str, count: int = 1) -> None:
        self.counts[kind] += count
        if count:
            self._lose(count)

    def _lose(self, count: int) -> None:
        """Samples are left out or filled in: doubt the results if they are many."""
        if "lost" not in self.monitor.doubts:
            count = self._losses.add(self._next, count)
        if count:
            self.monitor.doubt("lost", self._next, count=count, seconds=count * self.monitor.dt)

    def _saturated(self, sample: int) -> None:
        self.counts["saturated"] += 1
        self.monitor.doubt("saturated", sample, seconds=self.monitor.dt)

    def _fill(self, missing: int, row: Row) -> None:
        """A straight line across a gap: the ground is taken as linear between samples anyway."""
        before = self._rows[-1] if self._rows else (*self.monitor.ground, self._measured)
        self.counts["gaps"] += 1
        self._leave_out("filled", missing)
        for j in range(1, missing + 1):
            share = j / (missing + 1)
            self._rows.append(tuple(x + share * (y - x) for x, y in zip(before, row, strict=True)))

    def _confirm(self, place: int, then: float) -> Iterable[Alarm]:
        """Whether the sample after one that was far ahead confirms it: its own ``place``, and its
        stamp, ``then``."""
        assert self._unconfirmed is not None
        (far, t, row), self._unconfirmed = self._unconfirmed, None
        raised: Iterable[Alarm] = ()
        if self.clock.unknown and then == t:  # the second tick of a coarse clock
            self.clock.see(t)
            self._count_between_ticks()
            self._append(row, t, seen=True)
            return raised
        nearest = 0 if self.clock.coarse else 1
        if not nearest <= place - far <= self._most + 1 + self.clock.width:
            self._leave_out("stray")
            return raised
        if far - self._next <= self._most:
            self._fill(far - self._next, row)
        elif far - self._next > self._year:
            self._set_clock(t)
        else:
            raised = self._outage(far)
            if not math.isnan(t):
                self.clock.restart(t, far)
        self._append(row, t)
        return raised

    def _outage(self, place: int) -> Iterable[Alarm]:
        raised = list(self._hand_over())
        missing = place - self.monitor.samples
        self.counts["outages"] += 1
        self.counts["lost"] += missing
        raised += self.target.rest(missing).raised
        self._measured = math.nan
        return raised

    def _late(self, missing: int, t: float, row: Row) -> None:
        """Leave it out, or begin with the clock that was set back."""
        if missing == -1:
            self._leave_out("duplicates")
            return
        self._late_in_a_row += 1
        if self._late_in_a_row <= self._patience:
            self._leave_out("late")
            return
        self._set_clock(t)
        self._append(row, t)

    def _set_clock(self, t: float) -> None:
        """The sensor's clock was set: its next sample is still the next one on the grid."""
        sample = self._next
        self.counts["clock_resets"] += 1
        self._late_in_a_row = 0
        ahead = self.clock.set(t, sample)
        self.monitor.doubt("clock", sample)
        self._note("clock", ahead=ahead)

    def _note(self, kind: str, **values: Any) -> None:
        """A line in the log, if there is one."""
        if not isinstance(self.target, Monitor):
            sample = self._next
            time = self.monitor.time_of(sample)
            self.target.note(kind, sample=sample, time=time, **values)

    # -- samples with the same stamp --------------------------------------------------------------

    def _hold(self, t: float, row: Row) -> None:
        """Its place is taken: the next samples show what it is."""
        self.clock.see(t)
        self._held.append((t, row))
        if len(self._held) > self._patience:
            if self._equal():
                self._stand_still()
            else:
                self._set_clock(self._held[0][0])
                self._use_held()

    def _equal(self) -> bool:
        """Whether all that wait have the stamp of the newest sample in use."""
        return all(t == self.clock.taken for t, _ in self._held)

    def _decide(self, missing: int, t: float) -> None:
        """The clock has moved on to ``t``, by ``missing`` samples: what are those that wait?"""
        clock, equal = self.clock, self._equal()
        clock.step = min(clock.step, t - clock.newest)
        if equal and not clock.coarse and clock.step > FINE * clock.dt:
            self._count_between_ticks()
            self._use_held()
        elif missing >= len(self._held) or (equal and len(self._held) > FEW):
            self._use_held()
            left = self._missing(t)
            if left is not None and left < -self._most - 1:
                self._set_clock(t)  # it stood still, and goes on from there
        else:
            self._drop_held()

    def _count_between_ticks(self) -> None:
        self.clock.count_between_ticks(self._next - 1)
        self._note("coarse clock", step=self.clock.step)

    def _use_held(self) -> None:
        held, self._held = self._held, []
        for t, row in held:
            self._append(row, t, seen=True)

    def _drop_held(self) -> None:
        held, self._held = self._held, []
        self._leave_out("duplicates", len(held))

    def _stand_still(self) -> None:
        """The clock does: count samples from now on."""
        self._still, sample = self.clock.newest, self._next
        seconds = len(self._held) * self.monitor.dt
        self.monitor.doubt("still", sample, seconds=seconds)
        self._note("clock stands still", stamp=self._still)
        self._use_held()

    def _goes_on_standing(self, t: float, row: Row) -> bool:
        """Take a sample of a clock that stood still; False if the clock has moved."""
        if t == self._still:
            self.monitor.doubt("still", self._next, count=0, seconds=self.monitor.dt)
            self._append(row, t)
            return True
        self._still = None
        missing = self._missing(t)
        if missing is None or not 0 <= missing <= self._most:
            self._set_clock(t)
        return False

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

    def finish(self) -> tuple[Alarm, ...]:
        """The input has ended: a sample that waits to be confirmed counts as stray, and those with
        one stamp as samples if they are more than three. Returns the alarms raised."""
        if self._unconfirmed is not None:
            self._unconfirmed = None
            self._leave_out("stray")
        if self._held and self._equal() and len(self._held) > FEW:
            self._stand_still()
        elif self._held:
            self._drop_held()
        return self._hand_over()

    # -- kept and restored ------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Everything needed to resume, for JSON, with the samples that wait."""
        waiting = self._unconfirmed
        return {
            "max_gap": to_hex(self.max_gap),
            "counts": dict(self.counts),
            "clock": self.clock.to_dict(),
            "losses": self._losses.kept,
            "held": [_kept(t, row) for t, row in self._held],
            "still": None if self._still is None else to_hex(self._still),
            "slots": self._slots,
            "measured": to_hex(self._measured),
            "late_in_a_row": self._late_in_a_row,
            "unconfirmed": waiting and [waiting[0], *_kept(*waiting[1:])],
            "full_scale": None if self.full_scale is None else to_hex(self.full_scale),
        }

    @classmethod
    def from_dict(cls, about: dict[str, Any], monitor: Monitor | Target) -> "Feed":
        """The feed that `to_dict` described."""
        scale = about["full_scale"]
        feed = cls(
            monitor,
            max_gap=from_hex(about["max_gap"]),
            full_scale=None if scale is None else from_hex(scale),
        )
        feed.counts.update(about["counts"])
        feed.clock = Clock.from_dict(about["clock"], feed.monitor.dt)
        feed._losses = Losses(feed.monitor.dt, about["losses"])
        feed._held = [_restored(entry) for entry in about["held"]]
        feed._still = None if about["still"] is None else from_hex(about["still"])
        feed._slots = about["slots"]
        feed._measured = from_hex(about["measured"])
        feed._late_in_a_row = about["late_in_a_row"]
        if about["unconfirmed"]:
            place, *sample = about["unconfirmed"]
            feed._unconfirmed = (place, *_restored(sample))
        return feed


def _kept(t: float, row: Row) -> list[Any]:
    return [to_hex(t), [to_hex(x) for x in row]]


def _restored(kept: list[Any]) -> tuple[float, Row]:
    t, row = kept
    return from_hex(t), tuple(from_hex(x) for x in row)

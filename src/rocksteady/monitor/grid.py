"""Put samples on an even grid of time, one after the other: see `Feed`, which hands them over."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from rocksteady.monitor.alarms import Alarm
from rocksteady.monitor.clock import FINE, Clock
from rocksteady.monitor.counts import COUNTS
from rocksteady.monitor.exact import from_hex, to_hex
from rocksteady.monitor.live import Monitor
from rocksteady.monitor.losses import FEW, Losses
from rocksteady.monitor.reading import Reading

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


class Grid:
    """Places samples one by one, and hands those that are in place to a monitor.

    ``max_gap`` is the longest gap that is filled [s], ``full_scale`` the end of the sensor's range
    [m/s²].
    """

    def __init__(self, target: Monitor | Target, max_gap: float, full_scale: float | None) -> None:
        self.target = target
        self.monitor = target if isinstance(target, Monitor) else target.monitor
        self.max_gap, self.full_scale = max_gap, full_scale
        self.counts = dict.fromkeys(COUNTS, 0)
        self.clock = Clock(self.monitor.dt, self.monitor.start)
        self.measured = math.nan
        """The newest sample of the building's own response."""
        self.has_measured = False
        self.slots = self.monitor.samples
        """Places taken by samples without time stamps."""
        self.late_in_a_row = 0
        dt = self.monitor.dt
        self._most = math.floor(max_gap / dt * (1 + 1e-9))  # missing, to be filled
        self._patience = max(10, math.ceil(CLOCK_RESET / dt))
        self._year = math.ceil(CLOCK_SET / dt)
        self._losses = Losses(dt)
        self._bad = self._bad_lost = 0  # since the newest sample in use; those that are counted
        self._unconfirmed: tuple[int, float, Row] | None = None
        self._held: list[tuple[float, Row]] = []  # perhaps samples, perhaps duplicates
        self._still: float | None = None  # the stamp of a clock that stands still
        self._rows: list[Row] = []

    @property
    def waits(self) -> bool:
        """Whether samples wait for the next one."""
        return self._unconfirmed is not None or bool(self._held)

    @property
    def counts_samples(self) -> bool:
        """Whether stamps do not give each sample its place."""
        return self.clock.coarse or self._still is not None

    @property
    def next(self) -> int:
        """The number of the next sample."""
        return self.monitor.samples + len(self._rows)

    # -- one sample -------------------------------------------------------------------------------

    def set_origin(self, t: float) -> None:
        self.clock.origin = self.monitor.start = t

    def _missing(self, t: float) -> int | None:
        """How many samples are missing before this one; see `Clock.ahead`. ``t`` is nan without
        time stamps."""
        if math.isnan(t):
            return self.slots - 1 - self.next
        if self.next == 0:
            self.set_origin(t)
        return self.clock.ahead(t, self.next)

    def sample(self, t: float, row: Row) -> Iterable[Alarm]:
        if self._still is not None and self._goes_on_standing(t, row):
            return ()
        missing = self._missing(t)
        if missing is None:
            self._leave_out("stray")
            return ()
        raised: Iterable[Alarm] = ()
        if self._unconfirmed is not None:
            raised = self._confirm(self.next + missing, t)
            missing = self._missing(t)
        if self._held and missing is not None and missing >= 0:
            self._decide(missing, t)
            missing = self._missing(t)
        assert missing is not None
        if missing >= 0:
            self.late_in_a_row = 0
        if missing < 0 and t >= self.clock.newest:
            self._hold(t, row)
        elif missing < 0:
            self._late(missing, t, row)
        elif missing > self._most or (missing and self.clock.unknown):
            self._unconfirmed = (self.next + missing, t, row)
        else:
            if missing:
                self._fill(missing, row)
            self._append(row, t)
        return raised

    def pass_by(self, count: int, measured: float) -> None:
        """Samples that all are the next ones go to the monitor without being placed here;
        ``measured`` is the newest sample of the building's own response."""
        self.slots += count
        self.late_in_a_row = self._bad = self._bad_lost = 0
        self.counts["samples"] += count
        self.measured = measured

    def bad(self, kind: str) -> None:
        """A sample that cannot be used. It leaves a gap, which is counted when a good one follows:
        those that may never see one are counted at once if they are too many."""
        self.counts[kind] += 1
        self._bad += 1
        if self.next and "lost" not in self.monitor.doubts:
            self._lose_bad_ones()

    def _lose_bad_ones(self) -> None:
        count = self._bad - self._bad_lost
        if "lost" in self.monitor.doubts or self._losses.too_many(self.next, count):
            self._bad_lost = self._bad
            self._lose(count)

    def _append(self, row: Row, t: float, *, seen: bool = False) -> None:
        """Use a sample, which is the next one."""
        self._bad = self._bad_lost = 0
        if not math.isnan(t):
            if not seen:
                self.clock.see(t)
            self.clock.take(t, self.next)
        self.counts["samples"] += 1
        full_scale = self.full_scale
        if full_scale is not None and any(abs(a) >= full_scale for a in horizontal(row[:-1])):
            self.saturated(self.next)
        self._rows.append(row)

    def _leave_out(self, kind: str, count: int = 1) -> None:
        self.counts[kind] += count
        if count:
            self._lose(count)

    def _lose(self, count: int) -> None:
        """Samples are left out or filled in: doubt the results if they are many."""
        if count and "lost" not in self.monitor.doubts:
            count = self._losses.add(self.next, count)
        if count:
            self.monitor.doubt("lost", self.next, count=count, seconds=count * self.monitor.dt)

    def saturated(self, sample: int) -> None:
        self.counts["saturated"] += 1
        self.monitor.doubt("saturated", sample, seconds=self.monitor.dt)

    def _fill(self, missing: int, row: Row) -> None:
        """A straight line across a gap: the ground is taken as linear between samples anyway."""
        before = self._rows[-1] if self._rows else (*self.monitor.ground, self.measured)
        self.counts["gaps"] += 1
        self.counts["filled"] += missing
        self._lose(max(0, missing - self._bad_lost))
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
        if far - self.next <= self._most:
            self._fill(far - self.next, row)
        elif far - self.next > self._year:
            self._set_clock(t)
        else:
            raised = self._outage(far)
            if not math.isnan(t):
                self.clock.restart(t, far)
        self._append(row, t)
        return raised

    def _outage(self, place: int) -> Iterable[Alarm]:
        raised = list(self.hand_over())
        missing = place - self.monitor.samples
        self.counts["outages"] += 1
        self.counts["lost"] += missing
        raised += self.target.rest(missing).raised
        self.measured = math.nan
        return raised

    def _late(self, missing: int, t: float, row: Row) -> None:
        """Leave it out, or begin with the clock that was set back."""
        if missing == -1:
            self._leave_out("duplicates")
            return
        self.late_in_a_row += 1
        if self.late_in_a_row <= self._patience:
            self._leave_out("late")
            return
        self._set_clock(t)
        self._append(row, t)

    def _set_clock(self, t: float) -> None:
        """The sensor's clock was set: its next sample is still the next one on the grid."""
        sample = self.next
        self.counts["clock_resets"] += 1
        self.late_in_a_row = 0
        ahead = self.clock.set(t, sample)
        self.monitor.doubt("clock", sample)
        self._note("clock", ahead=ahead)

    def _note(self, kind: str, **values: Any) -> None:
        """A line in the log, if there is one."""
        if not isinstance(self.target, Monitor):
            sample = self.next
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
        self.clock.count_between_ticks(self.next - 1)
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
        self._still, sample = self.clock.newest, self.next
        seconds = len(self._held) * self.monitor.dt
        self.monitor.doubt("still", sample, seconds=seconds)
        self._note("clock stands still", stamp=self._still)
        self._use_held()

    def _goes_on_standing(self, t: float, row: Row) -> bool:
        """Take a sample of a clock that stood still; False if the clock has moved."""
        if t == self._still:
            self.monitor.doubt("still", self.next, count=0, seconds=self.monitor.dt)
            self._append(row, t)
            return True
        self._still = None
        missing = self._missing(t)
        if missing is None or not 0 <= missing <= self._most:
            self._set_clock(t)
        return False

    def hand_over(self) -> tuple[Alarm, ...]:
        """Give the monitor what is in place; returns the alarms raised."""
        if not self._rows:
            return ()
        rows, self._rows = np.array(self._rows), []
        *ground, measured = rows.T.copy()
        self.measured = float(measured[-1])
        own = measured if self.has_measured else None
        return self.target.push_block(*ground, measured=own).raised

    def finish(self) -> tuple[Alarm, ...]:
        """The input has ended: decide on the samples that wait."""
        self._lose_bad_ones()
        if self._unconfirmed is not None:
            self._unconfirmed = None
            self._leave_out("stray")
        if self._held and self._equal() and len(self._held) > FEW:
            self._stand_still()
        elif self._held:
            self._drop_held()
        return self.hand_over()

    # -- kept and restored ------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Everything needed to resume, for JSON, with the samples that wait."""
        waiting = self._unconfirmed
        return {
            "max_gap": to_hex(self.max_gap),
            "full_scale": None if self.full_scale is None else to_hex(self.full_scale),
            "counts": dict(self.counts),
            "clock": self.clock.to_dict(),
            "losses": self._losses.kept,
            "bad": [self._bad, self._bad_lost],
            "measured": to_hex(self.measured),
            "slots": self.slots,
            "late_in_a_row": self.late_in_a_row,
            "held": [_kept(t, row) for t, row in self._held],
            "still": None if self._still is None else to_hex(self._still),
            "unconfirmed": waiting and [waiting[0], *_kept(*waiting[1:])],
        }

    def restore(self, about: dict[str, Any]) -> None:
        """Go on from what `to_dict` described."""
        self.counts.update(about["counts"])
        self.clock = Clock.from_dict(about["clock"], self.monitor.dt)
        self._losses = Losses(self.monitor.dt, about["losses"])
        self._bad, self._bad_lost = map(int, about["bad"])
        self.measured = from_hex(about["measured"])
        self.slots = int(about["slots"])
        self.late_in_a_row = int(about["late_in_a_row"])
        self._held = [_restored(entry) for entry in about["held"]]
        self._still = None if about["still"] is None else from_hex(about["still"])
        if about["unconfirmed"]:
            place, *sample = about["unconfirmed"]
            self._unconfirmed = (int(place), *_restored(sample))


def _kept(t: float, row: Row) -> list[Any]:
    return [to_hex(t), [to_hex(x) for x in row]]


def _restored(kept: list[Any]) -> tuple[float, Row]:
    t, row = kept
    return from_hex(t), tuple(from_hex(x) for x in row)

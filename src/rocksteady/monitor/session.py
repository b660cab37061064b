"""One run of a monitor: from a source of bytes through lines and feed to the journal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.errors import InputError
from rocksteady.formulations.contract import Array
from rocksteady.monitor.alarms import Alarm
from rocksteady.monitor.exact import unhexed
from rocksteady.monitor.feed import Feed
from rocksteady.monitor.journal import Journal
from rocksteady.monitor.lines import LineReader, Lines
from rocksteady.monitor.live import Monitor
from rocksteady.monitor.sources import Break, Source

SYNC = 1.0  # s between two commits
ENOUGH = 16  # time stamps to tell dt from


@dataclass
class Session:
    """The parts of a run, and how it has gone."""

    reader: LineReader
    feed: Feed
    journal: Journal
    sync: float = SYNC
    breaks: dict[str, int] = field(default_factory=dict)
    """How often the stream of bytes was interrupted, by reason, and lines torn by it."""
    _dirty: bool = True
    _synced: float = 0.0

    @property
    def monitor(self) -> Monitor:
        return self.feed.monitor

    def run(
        self,
        source: Source,
        look: Callable[[tuple[Alarm, ...]], Any],
        early: Iterable[Lines] = (),
    ) -> None:
        """Take ``early`` lines, then what comes until the source ends; ``look`` is called with the
        alarms raised by every piece."""
        already = [alarm for lines in early for alarm in self.take(lines)]
        self.commit()
        look(tuple(already))
        for piece in source:
            raised: tuple[Alarm, ...] = ()
            if isinstance(piece, Break):
                self._interrupted(piece)
            elif piece:
                raised = self.take(self.reader.read(piece))
                self._dirty = True
            if self._dirty and (raised or time.monotonic() - self._synced >= self.sync):
                self.commit()
            look(raised)

    def finish(self) -> tuple[Alarm, ...]:
        """The input has ended: take what is left of it."""
        raised = self.take(self.reader.read(b"", last=True))
        self.feed.finish()
        return raised

    def take(self, lines: Lines) -> tuple[Alarm, ...]:
        """Hand over what some lines said."""
        return self.feed.take(
            lines.a_h,
            time=lines.time,
            a_v=lines.a_v,
            measured=lines.measured,
            garbage=lines.garbage,
        )

    def _interrupted(self, piece: Break) -> None:
        self.breaks[piece.why] = self.breaks.get(piece.why, 0) + 1
        if self.reader.drop_tail():
            self.breaks["torn lines"] = self.breaks.get("torn lines", 0) + 1
        if piece.why == "rotated":
            self.reader.bytes = 0
        self._dirty = True

    def commit(self) -> None:
        """Make everything so far durable."""
        self.journal.commit(
            {
                "feed": self.feed.to_dict(),
                "input": {**self.reader.to_dict(), "factor": self.reader.factor.hex()},
                "breaks": self.breaks,
            }
        )
        self._dirty, self._synced = False, time.monotonic()


def resumed(about: dict[str, Any], folder: Path, *, sync: float = SYNC) -> Session:
    """The session that left ``about`` behind in ``folder``, ready to go on."""
    try:
        monitor = Monitor.from_dict(about["monitor"])
        source, every = about["input"], about["every"] * monitor.dt
        columns = source["columns"] and tuple(source["columns"])
        reader = LineReader(columns, unhexed(source["factor"]))
        reader.bytes, reader.lines = source["bytes"], source["lines"]
        journal = Journal(monitor, folder, every=every, resume_at=about["log_bytes"])
        feed = Feed.from_dict(about["feed"], journal)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(f"{folder} holds no run that can be resumed ({error!r}).") from error
    return Session(reader, feed, journal, sync, dict(about["breaks"]))


def time_step_of(times: Array) -> float:
    """dt [s] from the first time stamps: loggers sample at a whole number of samples a second."""
    steps = np.diff(times[np.isfinite(times)])
    steps = steps[steps > 0]
    if len(steps) < 3:
        raise InputError("There are too few time stamps to tell the time step from: give --dt.")
    rate = 1 / float(np.median(steps))
    if round(rate) < 1 or abs(rate - round(rate)) > 1e-3 * rate:
        raise InputError(
            f"The first time stamps are {1 / rate:.6g} s apart, which is no whole number of "
            "samples a second: give the time step with --dt."
        )
    return 1 / round(rate)


def first_lines(reader: LineReader, source: Source) -> list[Lines]:
    """What comes first: enough of it to tell the time step from, or all there is."""
    early: list[Lines] = []
    for piece in source:
        if isinstance(piece, Break):
            reader.drop_tail()
        elif piece:
            early.append(reader.read(piece))
        if (reader.columns and not reader.timed) or sum(map(len, early)) >= ENOUGH:
            break
    return early

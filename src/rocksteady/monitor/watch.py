"""One building that is watched: its feed, log and hooks, and how the run went."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from rocksteady.monitor import messages
from rocksteady.monitor.alarms import Alarm
from rocksteady.monitor.disk import reason
from rocksteady.monitor.feed import Feed
from rocksteady.monitor.lines import Lines
from rocksteady.monitor.live import Monitor
from rocksteady.monitor.outbox import Outbox
from rocksteady.monitor.outcome import Outcome
from rocksteady.monitor.service import ServiceLog
from rocksteady.monitor.sources import Break
from rocksteady.monitor.state_log import StateLog
from rocksteady.status import Status

SYNC = 10.0  # s between two commits
MUCH = 4 << 20  # bytes of lines: commit before there are more
SILENT_AFTER = 60.0  # s without a sample until the sensor is reported as silent
HOURLY = 3600.0  # s between two lines with all counts


@dataclass(frozen=True)
class SourceColumns:
    """Which columns of a source a building uses, and which channel."""

    a_h: str = "a_h"
    a_v: str = "a_v"
    measured: str = "measured"
    channel: str | None = None
    a_t: str = "a_t"


@dataclass
class Watch:
    """A building that is watched, with its log and hooks."""

    name: str
    feed: Feed
    log: StateLog
    sync: float = SYNC
    silent_after: float = SILENT_AFTER
    """Report the sensor as silent after so many seconds without a sample; 0: never."""
    source_columns: SourceColumns = field(default_factory=SourceColumns)
    outbox: Outbox | None = None
    service: ServiceLog = field(default_factory=lambda: ServiceLog(None))
    breaks: dict[str, int] = field(default_factory=dict)
    """How often the input was interrupted, by reason, and lines left incomplete by it."""
    position: dict[str, Any] = field(default_factory=dict)
    """How far its source had been read at the last commit."""
    raised: list[Alarm] = field(default_factory=list)
    """Alarms of this run."""
    broken: str = ""
    """Why it is no longer watched, if so."""
    unwritten: str = ""
    """Why the log cannot be written now, if so."""
    lost_state: str = ""
    """Why the newest state was not used, if the run was resumed from the one before it."""
    silent: bool = False
    _dirty: bool = True
    _synced: float = 0.0
    _counted: float = field(default_factory=time.monotonic)
    _last_heard: float = field(default_factory=time.monotonic)
    _samples: int = -1
    _over: bool = False
    _doubts: set[str] = field(default_factory=set)

    @property
    def monitor(self) -> Monitor:
        return self.feed.monitor

    def start(self) -> None:
        """Send what an earlier run could not send."""
        self.service.note("start", samples=self.monitor.samples)
        if self.lost_state:
            self.service.note("older state", why=self.lost_state)
        self._over, self._doubts = self.monitor.over, set(self.monitor.doubted)
        for message in messages.of_all(self.name, self.monitor):
            self._send(message)

    # -- what comes -------------------------------------------------------------------------------

    def take(self, lines: Lines) -> tuple[Alarm, ...]:
        """Take the samples of some lines. An error here affects this building only."""
        if self.broken or not len(lines):
            return ()
        if self.source_columns.channel is not None:
            lines = lines.of(self.source_columns.channel.encode())
        a_h = lines.accelerations(self.source_columns.a_h)
        if a_h is None or not len(a_h):
            return ()
        self._dirty = True
        transverse = "transverse" in self.monitor.formulation.components
        try:
            raised = self.feed.take(
                a_h,
                time=lines.time,
                a_v=lines.accelerations(self.source_columns.a_v),
                a_t=lines.accelerations(self.source_columns.a_t) if transverse else None,
                measured=lines.column(self.source_columns.measured),
                garbage=lines.garbage,
            )
        except Exception as error:
            self.fail(str(error) or repr(error))
            return ()
        self._report(raised)
        return raised

    def _report(self, raised: tuple[Alarm, ...]) -> None:
        self.raised += raised
        for alarm in raised:
            self._send(messages.of_alarm(self.name, self.monitor, alarm))
        self._report_doubts()
        if self.monitor.over and not self._over:
            self._over = True
            self._synced = -1.0  # at once
            self.service.note(str(self.monitor.status), time=self.monitor.time)
            self._send(messages.of_end(self.name, self.monitor))

    def _report_doubts(self) -> None:
        """Each new reason to doubt the results, once."""
        for doubted in [each for each in self.monitor.doubted if each not in self._doubts]:
            self._doubts.add(doubted)
            self._synced = -1.0  # at once
            message = messages.of_doubt(self.name, self.monitor, doubted)
            self.service.note("uncertain", why=message["text"])
            self._send(message)

    def fail(self, why: str) -> None:
        """This building cannot be watched any further; the others can."""
        self.broken = why
        self.service.note("broken", why=why)
        self._tell("broken", why)

    def interrupted(self, piece: Break, *, torn: bool, timed: bool) -> None:
        """The input was interrupted."""
        self.breaks[piece.why] = self.breaks.get(piece.why, 0) + 1
        if torn:
            self.breaks["torn lines"] = self.breaks.get("torn lines", 0) + 1
        if not timed:
            self.feed.interrupted()
        self.service.note("break", why=piece.why)
        self._dirty = True

    def finish(self) -> None:
        """The input has ended: decide on the samples that wait."""
        if not self.broken:
            try:
                self._report(self.feed.finish())
            except Exception as error:
                self.fail(str(error) or repr(error))
        self._dirty = True

    # -- by the clock -----------------------------------------------------------------------------

    def tick(self, position: Callable[[], dict[str, Any]], raised: bool) -> None:
        """Check the clock: is a commit due, is the sensor silent?"""
        now = time.monotonic()
        due = raised or now - self._synced >= self.sync or self.log.waiting > MUCH
        if self._dirty and (due or self._synced < 0):
            self.commit(position())
        if not self.broken:
            self._check_silence(now)
        if now - self._counted >= HOURLY:
            self._counted = now
            self.service.note("counts", **self.feed.counts)

    def _check_silence(self, now: float) -> None:
        taken = self.feed.counts["samples"]
        if taken != self._samples:
            self._samples, self._last_heard = taken, now
            if self.silent:
                self.silent = False
                self.service.note("heard", samples=self.monitor.samples)
                self._tell("heard", "the sensor sends samples again")
        elif self.silent_after and not self.silent and now - self._last_heard >= self.silent_after:
            self.silent = True
            self.service.note("silent", samples=self.monitor.samples)
            self._tell("silent", messages.silence(now - self._last_heard))

    def _tell(self, condition: str, text: str) -> None:
        self._send(messages.of_condition(condition, self.name, self.monitor, text))

    def _send(self, message: messages.Message) -> None:
        if self.outbox is not None:
            self.outbox.post(message)

    # -- to the disk ------------------------------------------------------------------------------

    def commit(self, position: dict[str, Any]) -> bool:
        """Make everything so far durable. A full disk is reported once and retried; watching goes
        on meanwhile."""
        if self.broken:
            return not self.unwritten
        self.position = position
        try:
            self.log.commit(
                {
                    "feed": self.feed.to_dict(),
                    "input": position,
                    "columns": asdict(self.source_columns),
                    "breaks": dict(self.breaks),
                }
            )
        except OSError as error:
            self._not_written(reason(error))
        else:
            if self.unwritten:
                self.unwritten = ""
                self.service.note("log written again", samples=self.monitor.samples)
            self._dirty = False
        self._synced = time.monotonic()
        return not self.unwritten

    def _not_written(self, why: str) -> None:
        if not self.unwritten:
            self.service.note("log not written", why=why)
            self._tell("log", f"the log cannot be written: {why}")
        self.unwritten = why

    def close(self, grace: float | None = None) -> int:
        """Close log and hooks, within ``grace`` seconds, or as many as one attempt at each message
        may take; returns how many messages the next start must send."""
        if grace is None:
            grace = 0.0 if self.outbox is None else self.outbox.needs
        left = 0 if self.outbox is None else self.outbox.close(grace)
        self.service.note("stop", samples=self.monitor.samples, untold=left)
        self.log.close()
        return left

    def outcome(self, *, silent: bool) -> Outcome:
        """How this run went."""
        status = self.monitor.status
        if status in (Status.COLLAPSED, Status.OVERTURNED):
            return Outcome.FALLEN
        if self.broken or status is Status.FAILED:
            return Outcome.BROKEN
        if self.raised:
            return Outcome.ALARM
        if self.unwritten:
            return Outcome.NOT_KEPT
        if self.monitor.samples == 0:
            return Outcome.NO_SAMPLES
        if not self.monitor.certain:
            return Outcome.UNCERTAIN
        return Outcome.SILENT if silent else Outcome.FINE

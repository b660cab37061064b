"""A monitor with a durable log: its states and alarms, and where to resume after a crash.

A folder with these files:

- ``state.json``: everything that is needed to go on, exactly, and how long the logs were then;
  ``state.previous.json`` is the one before, for a disk that loses the newest file.
- ``log.jsonl``: one JSON object a line. ``state`` lines at even times of the building's clock,
  ``alarm`` lines when a threshold is passed, ``outage`` and ``clock`` lines where data are missing.
  Split into files of 16 MB, of which the oldest are removed (`LogFile`).
- ``history.jsonl``: the alarms again, and a state line a day. Nothing is ever removed from it.

Every file and every line has a digest, and every line its number: `verify.problems` checks them.

`commit` writes the new lines, forces them to the disk (fsync), and only then replaces
``state.json`` (a whole new file, fsync, rename, fsync of the folder). If the process is killed at
any instant, the folder holds the state of the last commit and logs that are at least as long. The
surplus belongs to samples that are not durable and is cut off before anything else is written. A
commit that fails changes nothing; the next one repeats it. The lines depend on the samples only,
not on when or in which blocks they came: a run that was killed and resumed leaves the same log as
one that was not.
"""

import errno
import math
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from rocksteady.digests import sealed_json
from rocksteady.errors import InputError
from rocksteady.monitor.alarms import Alarm
from rocksteady.monitor.disk import FULL, reason, replace_file
from rocksteady.monitor.exact import read_json
from rocksteady.monitor.live import Monitor
from rocksteady.monitor.logfile import NOWHERE, LogFile, Position
from rocksteady.monitor.reading import Reading
from rocksteady.numbers import positive

LOG, HISTORY = "log.jsonl", "history.jsonl"
STATE, PREVIOUS = "state.json", "state.previous.json"
EVERY = 1.0  # s of the building's clock between two state lines
DAY = 86400.0  # s between two state lines of the history
SEGMENT = 16 << 20  # bytes of one file of the log
KEEP = 256.0  # MB of log


class StateLog:
    """Pass samples on to a monitor, and log its states and alarms.

    Without ``folder`` there is no log. ``about`` is what `saved_state` found there, if the run is
    resumed; ``keep`` is the largest size of the log [MB].
    """

    def __init__(
        self,
        monitor: Monitor,
        folder: Path | None,
        *,
        every: float = EVERY,
        keep: float = KEEP,
        about: dict[str, Any] | None = None,
    ) -> None:
        every, keep = positive("every", every, "s"), positive("keep", keep, "MB")
        self.monitor, self.folder = monitor, folder
        self.every = max(1, round(every / monitor.dt))  # samples
        self._day = max(1, round(DAY / monitor.dt))
        self._names = [
            label.split(" [")[0] for label in monitor.formulation.columns(monitor.system)
        ]
        self._lock = -1
        self._birth: dict[str, Any] | None = None
        self._born = about is not None
        self._open = folder is None
        if folder is not None:
            at = positions(about)
            files = max(0, math.ceil(keep * 1e6 / SEGMENT) - 1)
            self._log = LogFile(folder / LOG, at[0], segment=SEGMENT, files=files)
            self._history = LogFile(folder / HISTORY, at[1])
            self._begin()

    # -- samples in -------------------------------------------------------------------------------

    def push_block(
        self, a_h: Any, a_v: Any = None, a_t: Any = None, *, measured: Any = None
    ) -> Reading:
        """As `Monitor.push_block`, with a state line after each sample that is due for one."""
        if self.folder is None:
            return self.monitor.push_block(a_h, a_v, a_t, measured=measured)
        start, raised = 0, []
        readings: list[Reading] = []
        while not readings or start < len(a_h):
            # samples up to and with the next line
            due = min(-self.monitor.samples % step for step in (self.every, self._day)) + 1
            part = slice(start, start + due)
            reading = self.monitor.push_block(
                a_h[part],
                None if a_v is None else a_v[part],
                None if a_t is None else a_t[part],
                measured=None if measured is None else measured[part],
            )
            start += due
            readings.append(reading)
            raised += self._alarms(reading)
            if reading.sample >= 0:
                self._state_lines(reading.sample)
        return replace(
            reading,
            raised=tuple(raised),
            extreme=max(part.extreme for part in readings),
            impacts=sum(part.impacts for part in readings),
        )

    def rest(self, samples: int) -> Reading:
        """As `Monitor.rest`, with an outage line."""
        first = self.monitor.samples
        self.note("outage", sample=first, time=self.monitor.time_of(first), samples=samples)
        reading = self.monitor.rest(samples)
        self._alarms(reading)
        return reading

    def note(self, kind: str, **values: Any) -> None:
        """Add a line to the log."""
        if self.folder is not None:
            self._log.add(kind, **values)

    def _alarms(self, reading: Reading) -> list[Alarm]:
        raised = sorted(reading.raised, key=lambda alarm: alarm.sample or 0)
        for alarm in raised:
            self.note("alarm", **_of(alarm))
            if self.folder is not None:
                self._history.add("alarm", **_of(alarm))
        return raised

    def _state_lines(self, sample: int) -> None:
        if sample % self.every == 0:
            self.note("state", **self._state())
        if sample % self._day == 0:
            self._history.add("state", **self._state())

    def _state(self) -> dict[str, Any]:
        monitor, tracker = self.monitor, self.monitor.tracker
        state = dict(zip(self._names, monitor.state, strict=True))
        if "w" in state:
            state["frequency_ratio"] = monitor.frequency_ratio
        if math.isfinite(tracker.frequency):
            state["measured_frequency"] = tracker.frequency
        known = {name: x if math.isfinite(x) else None for name, x in state.items()}  # failed: null
        about = {"sample": monitor.samples - 1, "time": monitor.time, **known}
        certain = monitor.certain_at(monitor.samples - 1)
        return about if certain else {**about, "certain": False}

    # -- to the disk ------------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """Bytes of lines that are not on the disk yet."""
        return 0 if self.folder is None else self._log.waiting + self._history.waiting

    def commit(self, session: dict[str, Any]) -> None:
        """Make all samples so far durable, with the position in their source (``session``).

        The first commit of a run comes before its first sample. If the disk is full then, the next
        commit makes up for it: there is never a line without a state.
        """
        if self.folder is None:
            return
        if not self.folder.is_dir():  # someone removed it
            self.close()
            self._open = False
        if not self._open:
            self._prepare()
        if not self._born and self._birth is None and self.monitor.samples == 0:
            self._birth = self._about(session, NOWHERE, NOWHERE)
        if not self._born and self._birth is not None:
            self._write(self._birth)
            self._born = True
            if self.monitor.samples == 0:
                return
        log, history = self._log.write(), self._history.write()
        self._write(self._about(session, log, history))
        self._born = True
        self._log.settle()
        self._history.settle()

    def _about(self, session: dict[str, Any], log: Position, history: Position) -> dict[str, Any]:
        return {
            "durable": {"samples": self.monitor.samples, "time": self.monitor.time},
            "log": list(log),
            "history": list(history),
            "every": self.every,
            "monitor": self.monitor.to_dict(),
            **session,
        }

    def _write(self, about: dict[str, Any]) -> None:
        assert self.folder is not None
        replace_file(self.folder / STATE, sealed_json(about), previous=self.folder / PREVIOUS)

    def close(self) -> None:
        """Unlock the folder."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    # -- the folder -------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Create and lock the folder. Wait for a full disk; refuse at once what can never work."""
        assert self.folder is not None
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(
                f"{self.folder} is a file, but a log is a folder: choose another name."
            )
        try:
            self._prepare()
        except OSError as error:
            if error.errno in FULL:
                return
            self.close()
            if error.errno == errno.EBUSY:
                raise InputError(
                    f"Another monitor is writing to {self.folder}: stop that one first."
                ) from error
            why = f"Cannot keep a log in {self.folder}: {reason(error)}."
            raise InputError(why) from error

    def _prepare(self) -> None:
        """Lock the folder for this process, and rename logs without a state."""
        assert self.folder is not None
        self.folder.mkdir(parents=True, exist_ok=True)
        self._take_lock()
        if not self._born:
            logs = (self._log.path, *self._log.closed().values(), self._history.path)
            for path in logs:
                _set_aside(path)
        self._open = True

    def _take_lock(self) -> None:
        if self._lock >= 0 or os.name != "posix":
            return  # Windows: nothing prevents two monitors on one folder
        import fcntl

        assert self.folder is not None
        self._lock = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.close()
            raise OSError(errno.EBUSY, "another monitor is writing to it") from error
        except OSError:
            pass  # a file system without locks


def saved_state(folder: Path) -> dict[str, Any] | None:
    """The state that a run left in this folder; None if there was none. If the newest state is
    missing or damaged, the one before it (`lost_state` says why).
    """
    if not folder.is_dir():
        return None
    problem: InputError | None = None
    for path in (folder / STATE, folder / PREVIOUS):
        if path.exists():
            try:
                return read_json(path, "the state of a monitor")
            except InputError as error:
                problem = problem or error
    if problem is not None:
        raise InputError(
            f"{problem} It cannot be resumed. To start anew, move this folder away or choose "
            "another one; the logs in it stay readable."
        )
    return None


def lost_state(folder: Path) -> str:
    """Why the newest state in this folder cannot be used; nothing if it can, or is not there."""
    try:
        if (folder / STATE).exists():
            read_json(folder / STATE, "the state of a monitor")
    except InputError as error:
        return str(error)
    return ""


def positions(about: dict[str, Any] | None) -> tuple[Position, Position]:
    """How much of the log and of the history is durable."""
    if about is None:
        return NOWHERE, NOWHERE
    (number, length, lines), (first, size, days) = about["log"], about["history"]
    return (int(number), int(length), int(lines)), (int(first), int(size), int(days))


def _set_aside(path: Path) -> None:
    """Rename a log that has no state."""
    if not path.exists() or not path.stat().st_size:
        return
    number = 1
    while path.with_name(f"{path.stem}.orphan-{number}.jsonl").exists():
        number += 1
    path.replace(path.with_name(f"{path.stem}.orphan-{number}.jsonl"))


def _of(alarm: Alarm) -> dict[str, Any]:
    names = ("sample", "time", "quantity", "threshold", "value")
    return {name: getattr(alarm, name) for name in names}

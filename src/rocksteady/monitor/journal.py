"""A monitor with a durable log: what it knew at every instant, and where to go on after a crash.

A folder with two files:

- ``log.jsonl``: one JSON object a line, appended only. ``state`` lines at even times of the
  building's clock, ``alarm`` lines when a threshold is passed, ``outage`` lines where data lack.
- ``state.json``: everything that is needed to go on, exactly, and how long the log was then.

`commit` writes the new lines, has them on the disk (fsync), and only then replaces ``state.json``
(a whole new file, fsync, rename, fsync of the folder). Killed at any instant, the folder holds the
state at the last commit and a log that is at least as long; what is longer belongs to samples that
are not durable, and is cut off when the run is resumed. The lines depend on the samples only, not
on when or in which pieces they came: a run that was killed and resumed leaves the same log as one
that was not.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from io import BufferedRandom
from pathlib import Path
from typing import Any

from rocksteady.errors import InputError
from rocksteady.monitor.alarms import Alarm
from rocksteady.monitor.exact import read_json, write_json
from rocksteady.monitor.live import Monitor, Reading

LOG, STATE = "log.jsonl", "state.json"
EVERY = 1.0  # s of the building's clock between two state lines


class Journal:
    """Pass samples on to a monitor, and write down what becomes of it.

    ``folder`` None keeps no log. A folder that has one already is an error unless ``resume``.
    """

    def __init__(
        self,
        monitor: Monitor,
        folder: Path | None,
        *,
        every: float = EVERY,
        resume_at: int | None = None,
    ) -> None:
        if not (every > 0 and math.isfinite(every)):
            raise InputError(f"every = {every!r} s is not allowed: it must be positive and finite.")
        self.monitor, self.folder = monitor, folder
        self.every = max(1, round(every / monitor.dt))  # samples
        self._names = [label.split(" [")[0] for label in _columns(monitor)]
        self._lines: list[str] = []
        self._file = None if folder is None else _open_log(folder, resume_at)
        self._length = resume_at or 0

    # -- samples in -------------------------------------------------------------------------------

    def push_block(self, a_h: Any, a_v: Any = None, *, measured: Any = None) -> Reading:
        """As `Monitor.push_block`, with a state line after each sample that is due for one."""
        if self._file is None:
            return self.monitor.push_block(a_h, a_v, measured=measured)
        start, raised = 0, []
        reading = None
        while reading is None or start < len(a_h):
            due = -self.monitor.samples % self.every + 1  # samples up to and with the next line
            part = slice(start, start + due)
            reading = self.monitor.push_block(
                a_h[part],
                None if a_v is None else a_v[part],
                measured=None if measured is None else measured[part],
            )
            start += due
            raised += self._alarms(reading)
            if reading.sample >= 0 and reading.sample % self.every == 0:
                self._state_line()
        return Reading(reading.sample, reading.time, reading.values, reading.status, tuple(raised))

    def rest(self, samples: int) -> Reading:
        """As `Monitor.rest`, with an outage line."""
        first = self.monitor.samples
        self.note("outage", sample=first, time=self.monitor.time_of(first), samples=samples)
        reading = self.monitor.rest(samples)
        self._alarms(reading)
        return reading

    def note(self, kind: str, **values: Any) -> None:
        """Add a line."""
        if self._file is not None:
            self._lines.append(json.dumps({"kind": kind, **values}, allow_nan=False) + "\n")

    def _alarms(self, reading: Reading) -> list[Alarm]:
        raised = sorted(reading.raised, key=lambda alarm: alarm.sample or 0)
        for alarm in raised:
            self.note(
                "alarm",
                sample=alarm.sample,
                time=alarm.time,
                quantity=alarm.quantity,
                threshold=alarm.threshold,
                value=alarm.value,
            )
        return raised

    def _state_line(self) -> None:
        monitor, tracker = self.monitor, self.monitor.tracker
        state = dict(zip(self._names, monitor.state, strict=True))
        if "w" in state:
            state["frequency_ratio"] = monitor.frequency_ratio
        if math.isfinite(tracker.frequency):
            state["measured_frequency"] = tracker.frequency
        known = {name: x if math.isfinite(x) else None for name, x in state.items()}  # failed: null
        self.note("state", sample=monitor.samples - 1, time=monitor.time, **known)

    # -- to the disk ------------------------------------------------------------------------------

    def commit(self, session: dict[str, Any]) -> None:
        """Make all samples so far durable, with what ``session`` says of their source."""
        if self._file is None or self.folder is None:
            return
        text = "".join(self._lines).encode()
        self._file.write(text)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._lines.clear()
        self._length += len(text)
        about = {
            "durable": {"samples": self.monitor.samples, "time": self.monitor.time},
            "log_bytes": self._length,
            "every": self.every,
            "monitor": self.monitor.to_dict(),
            **session,
        }
        write_json(self.folder / STATE, about)

    def close(self) -> None:
        """Let go of the log."""
        if self._file is not None:
            self._file.close()


def kept(folder: Path) -> dict[str, Any] | None:
    """What a run in this folder left behind; None where there was none."""
    path = folder / STATE
    return read_json(path, "the state of a monitor") if path.exists() else None


def _columns(monitor: Monitor) -> tuple[str, ...]:
    return monitor.formulation.columns(monitor.system)


def _open_log(folder: Path, resume_at: int | None) -> BufferedRandom:
    """The log, for this process alone, as long as it was at the last commit."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LOG
    if resume_at is None and ((folder / STATE).exists() or (path.exists() and path.stat().st_size)):
        raise InputError(
            f"{folder} holds the log of another run: resume that one, or choose another folder."
        )
    if resume_at is not None and (not path.exists() or path.stat().st_size < resume_at):
        raise InputError(
            f"{path} is shorter than {STATE} says ({resume_at} bytes): it was changed by someone "
            "else. Restore it, or start anew in another folder."
        )
    file = path.open("a+b")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass  # Windows: whoever starts two monitors on one folder is on their own
    except OSError as error:
        file.close()
        raise InputError(f"Another monitor is writing to {folder}: stop that one first.") from error
    with contextlib.suppress(OSError):
        for part in folder.glob(".*.json"):  # left by a run that was killed while writing
            part.unlink()
    file.truncate(resume_at or 0)
    return file

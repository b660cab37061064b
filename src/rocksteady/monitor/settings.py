"""Start to watch a building, or resume: the same call does both."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocksteady.errors import InputError
from rocksteady.formulations.contract import Formulation
from rocksteady.monitor import messages
from rocksteady.monitor.alarms import Thresholds
from rocksteady.monitor.courier import Courier
from rocksteady.monitor.exact import dataclass_dict
from rocksteady.monitor.feed import MAX_GAP, Feed
from rocksteady.monitor.hooks import Hooks
from rocksteady.monitor.journal import EVERY, KEEP, STATE, Journal
from rocksteady.monitor.lines import LineReader
from rocksteady.monitor.live import Monitor
from rocksteady.monitor.service import ServiceLog
from rocksteady.monitor.watch import SILENT_AFTER, SYNC, Tap, Watch


@dataclass(frozen=True)
class Settings:
    """What someone asks for. None leaves it to the log, or to what is usual where there is none.

    The first group decides the results: one log has one of each. The others may change from one
    start to the next.
    """

    system: Any = None
    formulation: Formulation | None = None
    dt: float | None = None
    columns: tuple[str, ...] | None = None
    factor: float | None = None
    """What turns accelerations into m/s²."""
    max_gap: float | None = None
    full_scale: float | None = None
    """End of the sensor's range [m/s²]."""
    tap: Tap | None = None

    alarms: Thresholds | None = None
    every: float | None = None
    keep: float = KEEP
    sync: float = SYNC
    silent_after: float = SILENT_AFTER
    hooks: Hooks = dataclasses.field(default_factory=Hooks)

    def monitor(self, dt: float | None = None) -> Monitor:
        """A new monitor. ``dt`` where only the samples tell."""
        step = self.dt if dt is None else dt
        if self.system is None or step is None:
            raise InputError("There is no log to resume: give the building and dt.")
        return Monitor(self.system, dt=step, formulation=self.formulation, alarms=self.alarms)


def fresh(
    name: str, settings: Settings, monitor: Monitor, folder: Path | None, reader: LineReader
) -> Watch:
    """Begin a new log."""
    every = EVERY if settings.every is None else settings.every
    journal = Journal(monitor, folder, every=every, keep=settings.keep)
    max_gap = MAX_GAP if settings.max_gap is None else settings.max_gap
    feed = Feed(journal, max_gap=max_gap, full_scale=settings.full_scale)
    return _watch(name, settings, feed, journal, settings.tap or Tap(), {}, reader.to_dict())


def resumed(name: str, settings: Settings, about: dict[str, Any], folder: Path) -> Watch:
    """Go on with the log that `kept` found in ``folder``."""
    try:
        monitor = Monitor.from_dict(about["monitor"])
        source = {"factor": (1.0).hex(), **about["input"]}
        LineReader.from_dict(source)
        tap = Tap(**about.get("tap", {}))
        every = about["every"] * monitor.dt if settings.every is None else settings.every
        breaks = dict(about["breaks"])
        Feed.from_dict(about["feed"], monitor)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(
            f"{folder} holds no run that can be resumed: its {STATE} was not written by a monitor, "
            "or is damaged. Choose another folder, or move that file away."
        ) from error
    refuse_differences(settings, about, monitor, folder)
    if settings.alarms is not None:
        monitor.rearm(settings.alarms)
    journal = Journal(monitor, folder, every=every, keep=settings.keep, about=about)
    feed = Feed.from_dict(about["feed"], journal)
    return _watch(name, settings, feed, journal, tap, breaks, source)


def _watch(
    name: str,
    settings: Settings,
    feed: Feed,
    journal: Journal,
    tap: Tap,
    breaks: dict[str, int],
    position: dict[str, Any],
) -> Watch:
    service = ServiceLog(journal.folder)
    courier = None
    if settings.hooks.senders():
        courier = Courier(settings.hooks, journal.folder, service)
    return Watch(
        name,
        feed,
        journal,
        sync=settings.sync,
        silent_after=settings.silent_after,
        tap=tap,
        courier=courier,
        service=service,
        breaks=breaks,
        position=position,
    )


class FirstSilence:
    """A sensor that is silent from the very start: told as one that falls silent later is, though
    there is no log yet, because the samples will say the time step."""

    def __init__(self, name: str, settings: Settings, monitor: Monitor) -> None:
        self.told = ""
        self._name, self._settings, self._monitor = name, settings, monitor
        self._since = time.monotonic()
        self._courier: Courier | None = None

    def look(self) -> bool:
        """Whether it is to be told now; the hooks are on their way then."""
        silent_after, waited = self._settings.silent_after, time.monotonic() - self._since
        if self.told or not silent_after or waited < silent_after:
            return False
        self.told = f"no sample for {waited:.0f} s: the sensor is silent"
        if self._settings.hooks.senders():
            self._courier = Courier(self._settings.hooks, None, ServiceLog(None))
            self._courier.post(
                messages.of_condition("silent", self._name, self._monitor, self.told)
            )
        return True

    def close(self, grace: float) -> None:
        """Let go of the hooks, after ``grace`` seconds at most."""
        if self._courier is not None:
            self._courier.close(grace)


def restored(folder: Path, about: dict[str, Any]) -> bool:
    """Whether ``about`` is not the newest state, because that one could not be read."""
    import json

    try:
        return bool(json.loads((folder / STATE).read_text(encoding="utf-8")) != about)
    except (OSError, ValueError):
        return True


# -- another building, other settings -------------------------------------------------------------


def refuse_differences(
    settings: Settings, about: dict[str, Any], monitor: Monitor, folder: Path
) -> None:
    """A log has one building and one way to read its samples."""
    found = [*_of_bodies(settings, monitor), *_of_input(settings, about, monitor)]
    if found:
        raise InputError(
            f"{folder} holds the log of {'another building' if found[0][2] else 'other settings'}: "
            + ", ".join(
                f"{name} is {there} there and {here}" for name, there, _, here in _told(found)
            )
            + ". Give the same as at its start, leave it out, or choose another folder."
        )


Difference = tuple[str, Any, bool, Any]  # name, there, whether of the building, here


def _told(found: list[Difference]) -> list[Difference]:
    return [(name, _shown(there), own, f"{_shown(here)} here") for name, there, own, here in found]


def _of_bodies(settings: Settings, monitor: Monitor) -> list[Difference]:
    out: list[Difference] = []
    for what, here, there, own in (
        ("building", settings.system, monitor.system, True),
        ("formulation", settings.formulation, monitor.formulation, False),
    ):
        if here is None or here == there:
            continue
        ours, theirs = dataclass_dict(here), dataclass_dict(there)
        if ours["type"] != theirs["type"]:
            out.append((f"the {what}", theirs["type"], own, ours["type"]))
            continue
        out += [
            (name, getattr(there, name), own, getattr(here, name))
            for name in ours
            if name != "type" and ours[name] != theirs[name]
        ]
    return out


def _of_input(settings: Settings, about: dict[str, Any], monitor: Monitor) -> list[Difference]:
    source, feed = about["input"], about["feed"]
    scale = feed.get("full_scale")
    columns = source["columns"]
    tap = {**Tap().to_dict(), **about.get("tap", {})}
    pairs: list[tuple[str, Any, Any]] = [
        ("dt", monitor.dt, settings.dt),
        ("the unit's factor", float.fromhex(source.get("factor", "0x1p+0")), settings.factor),
        ("max_gap", float.fromhex(feed["max_gap"]), settings.max_gap),
        ("full_scale", scale and float.fromhex(scale), settings.full_scale),
    ]
    if columns is not None:
        pairs.append(
            ("the columns", ",".join(columns), settings.columns and ",".join(settings.columns))
        )
    if settings.tap is not None:
        pairs += [(name, tap[name], here) for name, here in settings.tap.to_dict().items()]
    return [
        (name, there, False, here)
        for name, there, here in pairs
        if here is not None and here != there
    ]


def _shown(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)

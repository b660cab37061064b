"""Start to watch a building, or resume from its log."""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from rocksteady.bodies import fields_of
from rocksteady.errors import InputError
from rocksteady.monitor import messages
from rocksteady.monitor.alarms import Thresholds
from rocksteady.monitor.feed import MAX_GAP, Feed
from rocksteady.monitor.hooks import Hooks
from rocksteady.monitor.lines import LineReader
from rocksteady.monitor.live import Monitor
from rocksteady.monitor.outbox import Outbox
from rocksteady.monitor.service import ServiceLog
from rocksteady.monitor.state_log import EVERY, KEEP, STATE, StateLog, lost_state
from rocksteady.monitor.watch import SILENT_AFTER, SYNC, SourceColumns, Watch
from rocksteady.motion.units import unit_factor
from rocksteady.theories.contract import Formulation


@dataclass(frozen=True)
class Settings:
    """How a building is to be watched. None means: as in the log, or the default without a log.

    The first group decides the results and cannot change within one log. The others may change
    from one start to the next.
    """

    system: Any = None
    formulation: Formulation | None = None
    dt: float | None = None
    columns: tuple[str, ...] | None = None
    """Names of the columns of a line."""
    unit: str | None = None
    """Unit of the accelerations, as in ``"g"``; m/s² if None."""
    max_gap: float | None = None
    """Longest gap that is filled by a straight line [s]."""
    full_scale: float | None = None
    """End of the sensor's range, in ``unit``."""
    source_columns: SourceColumns | None = None

    alarms: Thresholds | None = None
    every: float | None = None
    keep: float = KEEP
    sync: float = SYNC
    silent_after: float = SILENT_AFTER
    hooks: Hooks = field(default_factory=Hooks)

    @property
    def factor(self) -> float | None:
        """What turns accelerations into m/s²."""
        return None if self.unit is None else unit_factor(self.unit)

    @property
    def largest(self) -> float | None:
        """End of the sensor's range [m/s²]."""
        return None if self.full_scale is None else self.full_scale * (self.factor or 1.0)

    def reader(self) -> LineReader:
        """A reader of lines from their beginning."""
        return LineReader(self.columns, self.factor or 1.0)

    def monitor(self, dt: float | None = None) -> Monitor:
        """A new monitor; ``dt`` [s] if it is known from the samples only."""
        step = self.dt if dt is None else dt
        if self.system is None or step is None:
            raise InputError("There is no log to resume: give the building and dt.")
        return Monitor(self.system, dt=step, formulation=self.formulation, alarms=self.alarms)


def settings_in(given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of some options, or keys of a file, that are `Settings` of the same name."""
    names = [each.name for each in fields(Settings)]
    return {name: given[name] for name in names if given.get(name) is not None}


def new_watch(
    name: str, settings: Settings, monitor: Monitor, folder: Path | None, reader: LineReader
) -> Watch:
    """Begin a new log."""
    every = EVERY if settings.every is None else settings.every
    log = StateLog(monitor, folder, every=every, keep=settings.keep)
    max_gap = MAX_GAP if settings.max_gap is None else settings.max_gap
    feed = Feed(log, max_gap=max_gap, full_scale=settings.largest)
    return _watch(
        name, settings, feed, log, settings.source_columns or SourceColumns(), {}, reader.to_dict()
    )


def resumed(name: str, settings: Settings, about: dict[str, Any], folder: Path) -> Watch:
    """Go on with the log that `saved_state` found in ``folder``."""
    try:
        monitor = Monitor.from_dict(about["monitor"])
        source = dict(about["input"])
        LineReader.from_dict(source)
        source_columns = SourceColumns(**about["columns"])
        every = about["every"] * monitor.dt if settings.every is None else settings.every
        breaks = dict(about["breaks"])
        Feed.from_dict(about["feed"], monitor)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(
            f"{folder} holds no run that can be resumed: its {STATE} was not written by a monitor "
            f"of this version. To start anew, move {folder} away or choose another folder."
        ) from error
    refuse_differences(settings, about, monitor, folder)
    if settings.alarms is not None:
        monitor.rearm(settings.alarms)
    log = StateLog(monitor, folder, every=every, keep=settings.keep, about=about)
    feed = Feed.from_dict(about["feed"], log)
    watch = _watch(name, settings, feed, log, source_columns, breaks, source)
    watch.lost_state = lost_state(folder)
    return watch


def _watch(
    name: str,
    settings: Settings,
    feed: Feed,
    log: StateLog,
    source_columns: SourceColumns,
    breaks: dict[str, int],
    position: dict[str, Any],
) -> Watch:
    service = ServiceLog(log.folder)
    outbox = None
    if settings.hooks.senders():
        outbox = Outbox(settings.hooks, log.folder, service)
    return Watch(
        name,
        feed,
        log,
        sync=settings.sync,
        silent_after=settings.silent_after,
        source_columns=source_columns,
        outbox=outbox,
        service=service,
        breaks=breaks,
        position=position,
    )


class FirstSilence:
    """Report a sensor that is silent from the very start. There is no log yet: the time step must
    come from the samples."""

    def __init__(self, name: str, settings: Settings, monitor: Monitor) -> None:
        self.text = ""
        self._name, self._settings, self._monitor = name, settings, monitor
        self._since = time.monotonic()
        self._outbox: Outbox | None = None

    def due(self) -> bool:
        """Whether to report it now, once; the hooks are called then."""
        silent_after, waited = self._settings.silent_after, time.monotonic() - self._since
        if self.text or not silent_after or waited < silent_after:
            return False
        self.text = messages.silence(waited)
        if self._settings.hooks.senders():
            self._outbox = Outbox(self._settings.hooks, None, ServiceLog(None))
            self._outbox.post(messages.of_condition("silent", self._name, self._monitor, self.text))
        return True

    def close(self, grace: float) -> None:
        """Let go of the hooks, after ``grace`` seconds at most."""
        if self._outbox is not None:
            self._outbox.close(grace)


# -- another building, other settings -------------------------------------------------------------


def refuse_differences(
    settings: Settings, about: dict[str, Any], monitor: Monitor, folder: Path
) -> None:
    """Refuse another building, or another way to read samples, than those of the log."""
    body = _of_parts("building", settings.system, monitor.system)
    how = _of_parts("formulation", settings.formulation, monitor.formulation)
    found = [*body, *how, *_of_input(settings, about, monitor)]
    if found:
        what = "another building" if body else "other settings"
        differences = ", ".join(
            f"{name} is {_shown(there)} there and {_shown(here)} here"
            for name, there, here in found
        )
        raise InputError(
            f"{folder} holds the log of {what}: {differences}. Give the same as at its start, "
            "leave it out, or choose another folder."
        )


Difference = tuple[str, Any, Any]  # name, there, here


def _of_parts(what: str, here: Any, there: Any) -> list[Difference]:
    """How a building or a formulation differs from that of the log; not if none is given."""
    if here is None or here == there:
        return []
    if type(here).__name__ != type(there).__name__:
        return [(f"the {what}", type(there).__name__, type(here).__name__)]
    ours, theirs = fields_of(here), fields_of(there)
    pairs = [
        (name, theirs.get(name, getattr(there, name)), ours.get(name, getattr(here, name)))
        for name in ours | theirs
    ]
    return [pair for pair in pairs if pair[1] != pair[2]]


def _of_input(settings: Settings, about: dict[str, Any], monitor: Monitor) -> list[Difference]:
    source, feed = about["input"], about["feed"]
    scale = feed["full_scale"]
    columns = source["columns"]
    taken = about["columns"]
    pairs: list[Difference] = [
        ("dt", monitor.dt, settings.dt),
        ("the unit's factor", float.fromhex(source["factor"]), settings.factor),
        ("max_gap", float.fromhex(feed["max_gap"]), settings.max_gap),
        ("full_scale", scale and float.fromhex(scale), settings.largest),
    ]
    if columns is not None:
        pairs.append(
            ("the columns", ",".join(columns), settings.columns and ",".join(settings.columns))
        )
    if settings.source_columns is not None:
        ours = asdict(settings.source_columns)
        pairs += [(name, taken[name], here) for name, here in ours.items()]
    return [pair for pair in pairs if pair[2] is not None and pair[2] != pair[1]]


def _shown(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)

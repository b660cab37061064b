"""One building on the board: what is known of it now, and a bounded piece of its history."""

import math
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from rocksteady.monitor import Monitor
from rocksteady.monitor.alarms import quantities
from rocksteady.monitor.doubts import REASONS
from rocksteady.monitor.frequency import AVERAGED
from rocksteady.monitor.status_text import short_status, status_text

MOST_POINTS = 3000  # of a history that is kept here
MOST_LINES = 100  # of what the monitor said of itself

Point = list[float | None]
"""Time [s], the coordinate [m or rad], ground acceleration [m/s²] where it is known, and the values
of the watched quantities."""


class Building:
    """What the page is told of one building. One thread writes, any may read: what they read is
    replaced, never changed."""

    def __init__(self, name: str, *, demonstration: bool = False) -> None:
        self.name, self.demonstration = name, demonstration
        self.card: dict[str, Any] = {"name": name, "demonstration": demonstration, "problem": ""}
        self.version = 0
        self.lines: tuple[dict[str, Any], ...] = ()
        """What the monitor said of itself, by the machine's clock."""
        self.days: tuple[Point, ...] = ()
        """The history of days and weeks: a point a day, and one at each alarm."""
        self._points: deque[tuple[int, Point]] = deque(maxlen=MOST_POINTS)
        self._count = 0

    # -- written by the thread --------------------------------------------------------------------

    def update(self, about: dict[str, Any]) -> None:
        """A new picture of it."""
        self.card = {"name": self.name, "demonstration": self.demonstration, **about}
        self.version += 1

    def problem(self, sentence: str) -> None:
        """It cannot be read now; what was known of it stays."""
        if self.card.get("problem") != sentence:
            self.update(self.card | {"problem": sentence, "urgency": urgency(self.card, sentence)})

    def add(self, points: Iterable[Point]) -> None:
        """Points that follow those that are there."""
        for point in points:
            self._count += 1
            self._points.append((self._count, point))

    def restart(self) -> None:
        """The clock began anew."""
        self._points = deque(maxlen=MOST_POINTS)

    # -- read by the routes -----------------------------------------------------------------------

    def after(self, number: int) -> tuple[int, list[Point]]:
        """The points after point ``number``, and the number of the last."""
        points = list(self._points.copy())
        new = [point for n, point in points if n > number]
        return (points[-1][0] if points else number), new


def of_monitor(monitor: Monitor) -> dict[str, Any]:
    """A monitor's state, in numbers and words."""
    alarms = [_alarm(alarm) for alarm in monitor.alarms]
    doubts = [
        {"reason": reason, "words": REASONS.get(reason, reason), "sample": doubt.sample,
         "count": doubt.count, "seconds": doubt.seconds}
        for reason, doubt in monitor.doubts.items()
    ]  # fmt: skip
    coordinate = monitor.formulation.coordinate(monitor.system)
    known = quantities(monitor.system, monitor.formulation)
    high, low, when, impacts = monitor.extremes
    about = {
        "label": monitor.system.label,
        "theory": monitor.formulation.name,
        "status": short_status(monitor),
        "words": status_text(monitor),
        "over": monitor.over,
        "end": monitor.end,
        "samples": monitor.samples,
        "time": monitor.time,
        "start": monitor.start,
        "dt": monitor.dt,
        "certain": monitor.certain,
        "values": {name: _finite(value) for name, value in monitor.values.items()},
        "units": {name: what.unit for name, what in known.items()},
        "coordinate": {"name": coordinate.name, "unit": coordinate.unit},
        "peak": max(high, -low),
        "time_of_peak": monitor.start + when,
        "impacts": int(impacts),
        "pga": monitor.seen.largest,
        "frequency": _frequency(monitor),
        "alarms": alarms,
        "doubts": doubts,
        "problem": "",
    }
    return {**about, "urgency": urgency(about), "nearest": nearest(about)}


def urgency(about: dict[str, Any], problem: str = "") -> int:
    """0: fallen; 1: cannot be read; 2: an alarm; 3: uncertain or not followed now; 4: all well."""
    if about.get("over"):
        return 0
    if problem or about.get("problem"):
        return 1
    if any(alarm["raised"] for alarm in about.get("alarms", ())):
        return 2
    followed = about.get("followed", "live") == "live"
    return 4 if about.get("certain", True) and followed else 3


def nearest(about: dict[str, Any]) -> float:
    """The largest share of a threshold that has been reached [-]; 0 without thresholds."""
    values = about["values"]
    shares = [
        (alarm["value"] if alarm["raised"] else values.get(alarm["quantity"]) or 0.0)
        / alarm["threshold"]
        for alarm in about["alarms"]
    ]
    return max((share for share in shares if math.isfinite(share)), default=0.0)


def pointer(monitor: Monitor) -> Callable[..., Point]:
    """``point(time, state, ground)`` for this body."""
    watched = list(quantities(monitor.system, monitor.formulation).values())

    def point(time: float, state: Any, ground: float | None = None) -> Point:
        try:
            values = [what.now(state) for what in watched]
        except (TypeError, ValueError):  # a state that is not known
            values = [math.nan] * len(watched)
        numbers = (time, state[0], ground, *values)
        return [None if x is None else _finite(x) for x in numbers]

    return point


def _frequency(monitor: Monitor) -> dict[str, Any]:
    """Of small vibrations: how much is left of it, and what was measured [Hz]."""
    tracker = monitor.tracker
    rate = getattr(monitor.system, "free_rate", math.nan) / (2 * math.pi)
    drops = "frequency_drop" in monitor.values
    return {
        "unworn": _finite(rate) if drops else None,
        "ratio": _finite(monitor.frequency_ratio) if drops else None,
        "measured": _finite(tracker.frequency),
        "reference": _finite(tracker.reference),
        "segments": min(tracker.segments, AVERAGED),
    }


def _alarm(alarm: Any) -> dict[str, Any]:
    return {
        "quantity": alarm.quantity,
        "unit": alarm.unit,
        "threshold": alarm.threshold,
        "raised": alarm.raised,
        "sample": alarm.sample,
        "time": alarm.time,
        "value": alarm.value,
        "text": str(alarm),
    }


def _finite(x: float) -> float | None:
    return float(x) if math.isfinite(x) else None

"""Messages to hooks: one JSON object for each event."""

import math
from typing import Any

from rocksteady.monitor.alarms import Alarm
from rocksteady.monitor.doubts import REASONS
from rocksteady.monitor.live import Monitor
from rocksteady.monitor.service import now
from rocksteady.monitor.status_text import short_status

Message = dict[str, Any]

# Kinds of message beside alarms; each is sent at most once an hour.
CONDITIONS = ("silent", "heard", "log", "broken")


def of_alarm(building: str, monitor: Monitor, alarm: Alarm) -> Message:
    """A threshold was passed. The same alarm always has the same ``id``."""
    names = ("quantity", "unit", "threshold", "value", "sample", "time")
    about = {name: getattr(alarm, name) for name in names}
    number = f"{alarm.quantity}>={alarm.threshold!r}@{alarm.sample}"
    return _message(number, "alarm", building, monitor, str(alarm), **about)


def of_doubt(building: str, monitor: Monitor, reason: str) -> Message:
    """Results are uncertain from now on."""
    sample = monitor.doubts[reason].sample
    time = monitor.time_of(sample)
    text = f"uncertain since {time:.3f} s: {REASONS[reason]}"
    about = {"reason": reason, "sample": sample, "time": time}
    return _message(f"uncertain:{reason}@{sample}", "uncertain", building, monitor, text, **about)


def of_end(building: str, monitor: Monitor) -> Message:
    """It collapsed, fell, or the computation failed."""
    status = short_status(monitor)
    time = monitor.end if math.isfinite(monitor.end) else monitor.time
    text = f"{status} at {time:.3f} s"
    return _message(f"{status}@{time!r}", status, building, monitor, text, time=time)


def of_condition(kind: str, building: str, monitor: Monitor, text: str) -> Message:
    """The sensor fell silent or returned; the log cannot be written, or the building watched."""
    number = f"{kind}@{monitor.samples}"
    return _message(number, kind, building, monitor, text, time=monitor.time)


def silence(seconds: float) -> str:
    """What is said of a sensor that has sent nothing for so long."""
    return f"no sample for {seconds:.0f} s: the sensor is silent"


def of_all(building: str, monitor: Monitor) -> list[Message]:
    """All messages that the building's state calls for."""
    alarms = [of_alarm(building, monitor, alarm) for alarm in monitor.alarms if alarm.raised]
    doubts = [of_doubt(building, monitor, reason) for reason in monitor.doubted]
    return [*alarms, *doubts, *([of_end(building, monitor)] if monitor.over else [])]


def _message(
    number: str, kind: str, building: str, monitor: Monitor, text: str, **about: Any
) -> Message:
    return {
        "id": number,
        "kind": kind,
        "building": building,
        "told_at": now(),
        "status": short_status(monitor),
        "certain": monitor.certain,
        "values": {k: v if math.isfinite(v) else None for k, v in monitor.values.items()},
        "text": f"{building}: {text}",
        **about,
    }

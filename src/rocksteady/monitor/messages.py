"""Messages to hooks: one JSON object for each event."""

from __future__ import annotations

import math
from typing import Any

from rocksteady.monitor.alarms import Alarm
from rocksteady.monitor.live import Monitor
from rocksteady.monitor.service import now
from rocksteady.monitor.status_text import short_status

Message = dict[str, Any]

# What can be told beside alarms. They depend on the hour; none is sent more than once an hour.
CONDITIONS = ("silent", "heard", "log", "broken")


def of_alarm(building: str, monitor: Monitor, alarm: Alarm) -> Message:
    """A threshold was passed. The same alarm has the same ``id`` whenever it is told."""
    return {
        "id": f"{alarm.quantity}>={alarm.threshold!r}@{alarm.sample}",
        "kind": "alarm",
        **_where(building, monitor),
        "text": f"{building}: {alarm}",
        "quantity": alarm.quantity,
        "unit": alarm.unit,
        "threshold": alarm.threshold,
        "value": alarm.value,
        "sample": alarm.sample,
        "time": alarm.time,
    }


def of_end(building: str, monitor: Monitor) -> Message:
    """It collapsed, fell, or the computation failed."""
    said = short_status(monitor)
    time = monitor.end if math.isfinite(monitor.end) else monitor.time
    return {
        "id": f"{said}@{time!r}",
        "kind": said,
        **_where(building, monitor),
        "text": f"{building}: {said} at {time:.3f} s",
        "time": time,
    }


def of_condition(kind: str, building: str, monitor: Monitor, text: str) -> Message:
    """The sensor fell silent or was heard again; the log or the building cannot be kept."""
    return {
        "id": f"{kind}@{monitor.samples}",
        "kind": kind,
        **_where(building, monitor),
        "text": f"{building}: {text}",
        "time": monitor.time,
    }


def of_all(building: str, monitor: Monitor) -> list[Message]:
    """All messages that the building's state calls for."""
    told = [of_alarm(building, monitor, alarm) for alarm in monitor.alarms if alarm.raised]
    return [*told, of_end(building, monitor)] if monitor.over else told


def _where(building: str, monitor: Monitor) -> Message:
    values = {k: v if math.isfinite(v) else None for k, v in monitor.values.items()}
    return {
        "building": building,
        "told_at": now(),
        "status": short_status(monitor),
        "certain": monitor.certain,
        "values": values,
    }

"""Messages to hooks: one JSON object for each event."""

from __future__ import annotations

import math
from typing import Any

from rocksteady.monitor.alarms import Alarm
from rocksteady.monitor.live import Monitor
from rocksteady.monitor.service import now
from rocksteady.monitor.status_text import short_status

Message = dict[str, Any]

# Kinds of message beside alarms; each is sent at most once an hour.
CONDITIONS = ("silent", "heard", "log", "broken")


def of_alarm(building: str, monitor: Monitor, alarm: Alarm) -> Message:
    """A threshold was passed. The same alarm always has the same ``id``."""
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
    status = short_status(monitor)
    time = monitor.end if math.isfinite(monitor.end) else monitor.time
    return {
        "id": f"{status}@{time!r}",
        "kind": status,
        **_where(building, monitor),
        "text": f"{building}: {status} at {time:.3f} s",
        "time": time,
    }


def of_condition(kind: str, building: str, monitor: Monitor, text: str) -> Message:
    """The sensor fell silent or returned; the log cannot be written, or the building watched."""
    return {
        "id": f"{kind}@{monitor.samples}",
        "kind": kind,
        **_where(building, monitor),
        "text": f"{building}: {text}",
        "time": monitor.time,
    }


def of_all(building: str, monitor: Monitor) -> list[Message]:
    """All messages that the building's state calls for."""
    alarms = [of_alarm(building, monitor, alarm) for alarm in monitor.alarms if alarm.raised]
    return [*alarms, of_end(building, monitor)] if monitor.over else alarms


def _where(building: str, monitor: Monitor) -> Message:
    values = {k: v if math.isfinite(v) else None for k, v in monitor.values.items()}
    return {
        "building": building,
        "told_at": now(),
        "status": short_status(monitor),
        "certain": monitor.certain,
        "values": values,
    }

"""A monitor as a JSON object and back, without losing a bit."""

from dataclasses import replace
from typing import Any

import numpy as np

from rocksteady.errors import InputError
from rocksteady.monitor.alarms import Alarm, rules
from rocksteady.monitor.doubts import Doubt
from rocksteady.monitor.exact import array_text, from_hex, read_array, to_hex
from rocksteady.monitor.frequency import FrequencyTracker
from rocksteady.monitor.ground import Ground
from rocksteady.monitor.live import Monitor
from rocksteady.specs import BodySpec, TheorySpec
from rocksteady.version import version

FORMAT = "rocksteady monitor 1"


def describe(monitor: Monitor) -> dict[str, Any]:
    """Everything that the monitor needs to continue."""
    *extremes, impacts = monitor._extremes
    return {
        "format": FORMAT,
        "version": version(),
        "system": BodySpec.of(monitor.system).described(exact=True),
        "formulation": TheorySpec.of(monitor.formulation).described(exact=True),
        "dt": to_hex(monitor.dt),
        "start": to_hex(monitor.start),
        "samples": monitor._samples,
        "state": [to_hex(x) for x in monitor._state],
        "ground": [to_hex(x) for x in monitor._ground],
        "extremes": [to_hex(x) for x in extremes],
        "impacts": int(impacts),
        "event": int(monitor._event),
        "end": to_hex(monitor._end),
        "alarms": [_without_time(alarm.to_dict()) for alarm in monitor.alarms],
        "workspaces": [array_text(x) for x in monitor._params if isinstance(x, np.ndarray)],
        "measured": monitor.tracker.to_dict(),
        "seen": monitor.seen.to_dict(),
        "doubts": {reason: doubt.to_dict() for reason, doubt in monitor.doubts.items()},
    }


def rebuild(about: dict[str, Any]) -> Monitor:
    """The monitor that `describe` described."""
    if about.get("format") != FORMAT:
        raise InputError(f"format {about.get('format')!r}: this version reads {FORMAT!r}")
    system = BodySpec.checked(about["system"]).build()
    how = TheorySpec.checked(about["formulation"]).build()
    monitor = Monitor(system, dt=from_hex(about["dt"]), formulation=how)
    state = tuple(from_hex(x) for x in about["state"])
    if len(state) != len(monitor._state):
        raise InputError(f"{len(state)} numbers of state, not {len(monitor._state)}")
    monitor.start = from_hex(about["start"])
    monitor._samples = int(about["samples"])
    monitor._state = state
    monitor._ground = tuple(from_hex(x) for x in about["ground"])
    highest, lowest, when = (from_hex(x) for x in about["extremes"])
    monitor._extremes = (highest, lowest, when, int(about["impacts"]))
    monitor._event, monitor._end = int(about["event"]), from_hex(about["end"])
    alarms = [Alarm.from_dict(entry) for entry in about["alarms"]]
    monitor._alarms = [replace(alarm, sample=None, time=None, value=None) for alarm in alarms]
    monitor._rules, monitor._passed = rules(alarms, monitor._quantities)
    monitor._reported = monitor._passed[:, 0] >= 0
    workspaces = [x for x in monitor._params if isinstance(x, np.ndarray)]
    for array, text in zip(workspaces, about["workspaces"], strict=True):
        array[...] = read_array(text).reshape(array.shape)
    monitor.tracker = FrequencyTracker.from_dict(about["measured"], monitor.dt)
    monitor.seen = Ground.from_dict(about["seen"])
    monitor.doubts = {reason: Doubt.from_dict(entry) for reason, entry in about["doubts"].items()}
    return monitor


def _without_time(alarm: dict[str, Any]) -> dict[str, Any]:
    """The time of an alarm follows from its sample."""
    return {name: value for name, value in alarm.items() if name != "time"}

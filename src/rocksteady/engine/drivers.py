"""Loops around one `advance`: record everything, keep only the extremes, or feed it live.

Each hands `advance` one interval between two samples after the other, and goes on inside the
interval until all of it is used. Each returns the state it ended in, from which another call goes
on as if nothing had happened.
"""

from functools import cache
from typing import Any

import numpy as np

from rocksteady.engine.ground import sample
from rocksteady.numerics.decorators import driver, kernel, spliced_kernel
from rocksteady.theories.contract import FAILURE, IMPACT, NOTHING, OVERTURN, TURN, partway

EVENT_FIELDS = ("time", "kind", "coordinate", "rate_before", "rate_after")
MAX_STEPS = 200_000  # inside one interval; beyond this something is wrong: stop and say so


@kernel
def with_room(rows, n):  # type: ignore[no-untyped-def]
    """The table, or one twice as long where its n rows are full."""
    if n < len(rows):
        return rows
    longer = np.empty((2 * n, rows.shape[1]))
    for i in range(n):  # `longer[:n] = rows` takes seconds to compile
        for j in range(rows.shape[1]):
            longer[i, j] = rows[i, j]
    return longer


@kernel
def note(events, n, time, kind, coordinate, before, after):  # type: ignore[no-untyped-def]
    """Write the n-th event into the table, which doubles when it is full. ``kind`` is a float, as
    it stands there: each integer constant would be compiled by itself."""
    events = with_room(events, n)
    row = events[n]
    row[0], row[1], row[2], row[3], row[4] = time, kind, coordinate, before, after
    return events


@kernel
def extend(peaks, coordinate, time):  # type: ignore[no-untyped-def]
    """(highest, lowest, time of the larger in size), once this coordinate is reached."""
    highest, lowest, t_peak = peaks
    if abs(coordinate) > max(highest, -lowest):
        t_peak = time
    return max(highest, coordinate), min(lowest, coordinate), t_peak


@kernel
def turned_on_the_way(before, state, used):  # type: ignore[no-untyped-def]
    """Whether a step has passed a turning point. One that takes no time, an impact, counts if the
    body moved outwards before it."""
    outwards = before[0] * before[1] > 0
    return before[1] * state[1] < 0 and (used > 0 or outwards)


@kernel
def widen(peaks, high, low, time):  # type: ignore[no-untyped-def]
    """The same, once an interval between these two coordinates is over; ``time`` is that of the
    larger in size."""
    highest, lowest, t_peak = peaks
    if max(high, -low) > max(highest, -lowest):
        t_peak = time
    return max(highest, high), min(lowest, low), t_peak


@kernel
def turned_nowhere(state, params, ground0, ground1, dt, used):  # type: ignore[no-untyped-def]
    return used, state[0]


def turning_of(advance: Any) -> tuple[bool, Any]:
    """(Whether a step may pass through a turning point without a stop, how to find it then)."""
    turning = getattr(advance, "turning", None)
    return turning is not None, turning or turned_nowhere


@cache
def make_trace(advance: Any) -> Any:
    """The driver that records the state at every sample and every event in between."""
    may_pass, turning = turning_of(advance)

    def trace(state, params, ground, dt, start, states):  # type: ignore[no-untyped-def]
        """Fill ``states``, a row per sample; return (rows filled, events, state).

        ``ground`` has an array for each component. An event is a row of EVENT_FIELDS. The first
        sample comes ``start`` samples after time zero.
        """
        events, n_events = np.empty((64, 5)), 0
        for j in range(len(state)):
            states[0, j] = state[j]
        for i in range(len(ground[0]) - 1):
            ground0, ground1 = sample(ground, i), sample(ground, i + 1)
            left = dt
            for _ in range(MAX_STEPS):
                before, rate = state, state[1]
                state, used, event = advance(before, params, ground0, ground1, left)
                if may_pass and turned_on_the_way(before, state, used):
                    t, coordinate = turning(before, params, ground0, ground1, left, used)
                    time = (start + i) * dt + (dt - left + t)
                    events = note(events, n_events, time, float(TURN), coordinate, 0.0, 0.0)
                    n_events += 1
                if event != NOTHING:
                    if event != IMPACT:
                        rate = state[1]
                    time = (start + i) * dt + (dt - (left - used))
                    kind = float(event)
                    events = note(events, n_events, time, kind, state[0], rate, state[1])
                    n_events += 1
                if used >= left or event >= OVERTURN:
                    break
                ground0 = partway(ground0, ground1, used / left)
                left -= used
            else:
                event, time = FAILURE, (start + i) * dt + (dt - left)
                kind = float(event)
                events = note(events, n_events, time, kind, state[0], state[1], state[1])
                n_events += 1
            for j in range(len(state)):
                states[i + 1, j] = state[j]
            if event >= OVERTURN:
                return i + 2, events[:n_events], state
        return len(ground[0]), events[:n_events], state

    return driver(trace)


@cache
def make_impacts(advance: Any) -> Any:
    """The driver that records the state on both sides of every impact."""

    def impacts(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """One interval: a row per impact, the state before it and then the one after it."""
        width = len(state)
        sides, n = np.empty((4, 2 * width)), 0
        left = dt
        for _ in range(MAX_STEPS):
            before = state
            state, used, event = advance(before, params, ground0, ground1, left)
            if event == IMPACT:
                sides = with_room(sides, n)
                for j in range(width):
                    sides[n, j], sides[n, width + j] = before[j], state[j]
                n += 1
            if used >= left or event >= OVERTURN:
                break
            ground0 = partway(ground0, ground1, used / left)
            left -= used
        return sides[:n]

    return driver(impacts)


def make_interval(advance: Any) -> Any:
    """The walk through one interval that keeps the extremes of the coordinate."""
    may_pass, turning = turning_of(advance)

    @spliced_kernel
    def interval(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """(state, time used, largest coordinate, smallest, time of the larger in size, impacts,
        last event)."""
        left, event, impacts = dt, NOTHING, 0
        peaks = state[0], state[0], 0.0
        for _ in range(MAX_STEPS):
            before = state
            state, used, event = advance(before, params, ground0, ground1, left)
            if may_pass and turned_on_the_way(before, state, used):
                t, coordinate = turning(before, params, ground0, ground1, left, used)
                peaks = extend(peaks, coordinate, dt - left + t)
            impacts += event == IMPACT
            peaks = extend(peaks, state[0], dt - (left - used))
            if used >= left or event >= OVERTURN:
                left -= used
                break
            ground0 = partway(ground0, ground1, used / left)
            left -= used
        else:
            event = FAILURE
        return (state, dt - left, *peaks, impacts, event)

    return interval


@cache
def make_peaks(advance: Any) -> Any:
    """The driver that keeps only what a summary needs, without any allocation."""
    interval = make_interval(advance)

    def peaks(state, params, ground, dt):  # type: ignore[no-untyped-def]
        """(state, time used, largest coordinate, smallest, time of the larger in size, impacts,
        last event)."""
        reached = state[0], state[0], 0.0
        impacts, event = 0, NOTHING
        for i in range(len(ground[0]) - 1):
            ground0, ground1 = sample(ground, i), sample(ground, i + 1)
            state, used, high, low, t, n, event = interval(state, params, ground0, ground1, dt)
            reached = widen(reached, high, low, i * dt + t)
            impacts += n
            if event >= OVERTURN:
                return (state, i * dt + used, *reached, impacts, event)
        return (state, (len(ground[0]) - 1) * dt, *reached, impacts, event)

    return driver(peaks)

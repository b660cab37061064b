"""Whether the stored rows follow from one another by equations of motion.

From every row the equations, written anew in NumPy, are integrated to the next one, all intervals
at a time. Where one event lies in between they are integrated up to it from the row before, and
back to it from the row after: so both sides of an impact are known with all their velocities.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.theories.contract import FAILURE, IMPACT, NOTHING, OVERTURN, TURN

FINE = 0.01  # rad: phase of the fastest motion in one step of the audit's own rule
EDGE = 1e-9  # of an interval: an event so near to a sample may belong to either side of it
Rows = NDArray[np.intp]
Rate = Callable[[Array, Array, tuple[Array, ...]], Array]
"""``rate(y, mode, ground)``: dy/dt of rows of y, under accelerations of the ground [m/s²]."""


class Flow(NamedTuple):
    """The motion that a theory states between events."""

    y: Array
    """What moves, a row for each sample."""
    mode: Array
    """A row for each sample: an interval is followed where both ends are alike."""
    known: NDArray[np.bool_]
    """In which rows the mode is one whose equations are stated here."""
    rate: Rate
    scale: Array
    """What each number of y is measured in."""
    fastest: float
    """Of the motion [rad/s]."""


class Followed(NamedTuple):
    """What integration from row to row gave."""

    errors: Array
    """Of each number of y over its scale, a row for each interval."""
    rows: Rows
    """The row at which each of these intervals begins."""
    extent: str


class Sides(NamedTuple):
    """Both sides of events that lie alone between two rows."""

    before: Array
    after: Array
    events: Rows
    """Their numbers in ``response.events``."""
    rows: Rows
    """The row before each."""
    mode_before: Array
    mode_after: Array
    ground: Array
    """Accelerations of the ground at these times, a column for each component."""


def carried(flow: Flow, y: Array, mode: Array, ground: Array, slope: Array, span: Array) -> Array:
    """Rows of y after ``span`` [s] (forwards or back) under a ground that changes linearly, by the
    classical rule of Runge and Kutta in steps so short that it errs by rounding only."""
    if not len(y):
        return y
    longest = float(np.abs(span).max(initial=0.0))
    steps = max(2, math.ceil(longest * flow.fastest / FINE))
    h, time = span / steps, np.zeros(len(y))

    def at(t: Array) -> tuple[Array, ...]:
        return tuple((ground + t[:, None] * slope).T)

    def rate(values: Array, t: Array) -> Array:
        return flow.rate(values, mode, at(t))

    for _ in range(steps):
        k1 = rate(y, time)
        k2 = rate(y + h[:, None] / 2 * k1, time + h / 2)
        k3 = rate(y + h[:, None] / 2 * k2, time + h / 2)
        k4 = rate(y + h[:, None] * k3, time + h)
        y = y + h[:, None] / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        time = time + h
    return y


def pieces(response: Response) -> tuple[Array, Array]:
    """(ground at the start of each interval, its slope), a column for each component. After its
    last sample a motion stops at once."""
    ground = np.stack(response.ground, axis=-1)
    first, last = ground[:-1].copy(), ground[1:]
    first[len(response.motion) - 1 :] = 0.0
    return first, (last - first) / response.motion.dt


def means(response: Response) -> tuple[Array, ...]:
    """Mean acceleration of the ground over each interval [m/s²], for each component."""
    first, slope = pieces(response)
    return tuple((first + slope * response.motion.dt / 2).T)


def whole_intervals(response: Response) -> int:
    """How many intervals last a sample: a fall ends the last one at its instant."""
    count = len(response.states) - 1
    over = len(response.events) and response.events[-1, 1] in (OVERTURN, FAILURE)
    return count - 1 if over and count else count


def chosen_intervals(response: Response, rates: Array, poses: Array, most: int) -> Rows:
    """Where not every interval is compared: those in which velocities change most, those without
    an event that are least steady in velocity or in position, and others evenly."""
    count = whole_intervals(response)
    if count <= most:
        return np.arange(count)
    third, dt = most // 4, response.motion.dt
    found = [np.linspace(0, count - 1, most - 3 * third).astype(int)]
    change = np.abs(np.diff(rates, axis=0)).max(axis=1)[:count]
    found.append(np.argsort(change)[-third:])
    quiet = counts_of_events(response)[0][:count] == 0
    for values, order in ((rates, 1), (poses, 2)):
        bends = np.abs(np.diff(values, order + 1, axis=0)).max(axis=1) / dt**order
        bends = np.convolve(np.pad(bends, (0, order)), np.ones(2))[:count]
        found.append(np.argsort(np.where(quiet, bends, 0.0))[-third:])
    return np.unique(np.concatenate(found))


def counts_of_events(response: Response, turns: bool = False) -> tuple[Array, Array]:
    """(how many events that change the motion lie in each interval, ends included; how many lie
    well inside). Turning points change nothing unless ``turns``."""
    kind, dt = response.event_column("kind"), response.motion.dt
    matters = (kind != NOTHING) & (turns | (kind != TURN))
    place = response.event_column("time")[matters] / dt
    intervals = len(response.states) - 1
    first = np.floor(place - EDGE).astype(int)
    last = np.floor(place + EDGE).astype(int)
    near, inside = np.zeros(intervals + 1, int), np.zeros(intervals + 1, int)
    for k in range(2):  # an event on a sample counts on both sides of it
        mine = first if k == 0 else np.where(last > first, last, -1)
        ok = (mine >= 0) & (mine < intervals)
        np.add.at(near, mine[ok], 1)
    alone = (first == last) & (first >= 0) & (first < intervals)
    np.add.at(inside, first[alone], 1)
    return near[:-1], inside[:-1]


def alike(flow: Flow) -> NDArray[np.bool_]:
    """Which intervals have the same known mode at both ends."""
    mode = flow.mode.reshape(len(flow.mode), -1)
    same = (mode[1:] == mode[:-1]).all(axis=1)
    return np.asarray(same & flow.known[1:] & flow.known[:-1])


def followed(flow: Flow, response: Response) -> Followed:
    """Integrate every interval without an event in which the mode stays the same."""
    near, _ = counts_of_events(response)
    rows = np.flatnonzero((near == 0) & alike(flow))
    ground, slope = pieces(response)
    span = np.full(len(rows), response.motion.dt)
    end = carried(flow, flow.y[rows], flow.mode[rows], ground[rows], slope[rows], span)
    errors = np.abs(end - flow.y[rows + 1]) / flow.scale
    return Followed(errors, rows, f"{len(rows)} of {len(near)} intervals")


def sides(flow: Flow, response: Response, kinds: tuple[int, ...] = (IMPACT,)) -> Sides:
    """Integrate up to every event of these ``kinds`` that lies alone in its interval, from both
    sides."""
    near, inside = counts_of_events(response)
    kind, time = response.event_column("kind"), response.event_column("time")
    dt = response.motion.dt
    place = np.clip(np.floor(time / dt).astype(int), 0, max(len(near) - 1, 0))
    wanted = np.isin(kind, kinds)
    if len(near):
        wanted &= (near[place] == 1) & (inside[place] == 1)
        wanted &= flow.known[place] & flow.known[place + 1]
    events = np.flatnonzero(wanted)
    rows = place[events]
    ground, slope = pieces(response)
    there = ground[rows], slope[rows]
    since = time[events] - rows * dt
    before = carried(flow, flow.y[rows], flow.mode[rows], *there, since)
    at_end = there[0] + dt * there[1]
    after = carried(flow, flow.y[rows + 1], flow.mode[rows + 1], at_end, there[1], since - dt)
    at_event = there[0] + since[:, None] * there[1]
    return Sides(before, after, events, rows, flow.mode[rows], flow.mode[rows + 1], at_event)

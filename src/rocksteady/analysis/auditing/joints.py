"""Whether velocities of stones agree with how they move where they touch: a corner that stays on a
side of another stone does not leave it, and one that stays where it is there does not slide."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocksteady.analysis.auditing.flow import Rows, counts_of_events, whole_intervals
from rocksteady.analysis.auditing.outlines import Outlines, Point
from rocksteady.analysis.auditing.result import Law, law, unchecked
from rocksteady.numerics.types import Array
from rocksteady.response import Response

MOST = 1000  # rows that are compared
EFFORT = 1e5  # rows times the square of the number of stones, at most
NEAR = 1e-6  # m: an end this near touches
STAYS = 1e-9  # m: an end that has moved less from row to row has stayed
SOLVED = 1e-4  # of g h: what solves may leave
IN_STEP = 1e-2  # of g h: what the middle of a step leaves at its end

NAME = "joints"
EQUATION = (
    "A corner that stays on a side of another stone, or in its place there, has the velocity of "
    "that stone at this point"
)


def joints_law(
    response: Response, outlines: Outlines, poses: Array, h: float, stepped: bool
) -> Law:
    """Relative velocities of ends that stay closed, or stick, over the rows before and after."""
    assembly, dt = outlines.assembly, response.motion.dt
    if stepped and dt > 2.5 * h:
        reason = "many steps of Moreau's rule lie between two rows: an end may hop within them"
        return unchecked(NAME, EQUATION, reason)
    moving = [i for i, stone in enumerate(assembly.stones) if not stone.fixed]
    rates = np.zeros_like(poses)
    rates[:, moving] = response.states[:, -3 * len(moving) :].reshape(len(poses), -1, 3)
    rows = _quiet_rows(response, len(moving))
    worst = np.array([_leaves(outlines, poses, rates, row) for row in rows])
    allowed = SOLVED * (1 + float(response.column("residual")[-1]) / SOLVED)
    why = "solves may leave 1e-4 g h, and more where the response says so"
    if stepped:
        reach = max(stone.reach for stone in assembly.stones if not stone.fixed)
        turns = np.square(rates[..., 2]).max(initial=0.0) * reach / assembly.g
        allowed, why = IN_STEP + turns, "Moreau's rule closes joints in the middle of a step"
    return law(
        NAME, EQUATION, worst / (assembly.g * min(h, dt)), response.time[rows], allowed, why,
        relative_to="of g h", extent=f"{len(rows)} of {len(poses)} rows",
        nothing="no three rows are free of events",
    )  # fmt: skip


def _quiet_rows(response: Response, stones: int) -> Rows:
    """Rows with no event in the intervals before and after, evenly spread if they are many."""
    count = whole_intervals(response)
    quiet = counts_of_events(response)[0][:count] == 0
    rows = np.flatnonzero(quiet[1:] & quiet[:-1]) + 1
    most = int(min(MOST, max(50, EFFORT / stones**2)))
    if len(rows) > most:
        rows = rows[np.linspace(0, len(rows) - 1, most).astype(int)]
    return rows


def _leaves(outlines: Outlines, poses: Array, rates: Array, row: int) -> float:
    """The largest velocity [m/s] at a row in a direction in which an end does not move."""
    worst = 0.0
    for point in outlines.touching(poses[row], NEAR):
        before, here, after = (_seen(point, poses[row], poses[row + k]) for k in (-1, 0, 1))
        moved = np.maximum(np.abs(here - before), np.abs(after - here))
        tangent = np.array([-point.normal[1], point.normal[0]])
        speed = _speed(point, point.a, poses[row], rates[row])
        speed = speed - _speed(point, point.b, poses[row], rates[row])
        for k, way in enumerate((point.normal, tangent)):
            if moved[k] <= STAYS:
                worst = max(worst, abs(float(speed @ way)))
    return worst


def _seen(point: Point, now: Array, then: Array) -> Array:
    """Where the corner is in another pose, as its side sees it: across and along the side [m]."""
    place = then[point.a, :2] + _turned(point.place - now[point.a, :2], then - now, point.a)
    side = _turned(point.normal, then - now, point.b)
    away = place - then[point.b, :2]
    return np.array([away @ side, away @ np.array([-side[1], side[0]])])


def _turned(arrow: Array, change: Array, stone: int) -> Array:
    c, s = np.cos(change[stone, 2]), np.sin(change[stone, 2])
    return np.array([c * arrow[0] - s * arrow[1], s * arrow[0] + c * arrow[1]])


def _speed(point: Point, stone: int, pose: Array, rates: Array) -> Any:
    """Of the material of a stone at the point [m/s]."""
    x, y = point.place - pose[stone, :2]
    return rates[stone, :2] + rates[stone, 2] * np.array([-y, x])

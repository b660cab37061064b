"""Whether the table of events is that of the rows: order, passages through θ = 0, velocities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.auditing.flow import EDGE, Flow, Rows, Sides, counts_of_events, sides
from rocksteady.analysis.auditing.result import Law, law
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.theories.contract import IMPACT, TURN, UPLIFT
from rocksteady.theories.soft_bed import SWING


def laws_of_events(response: Response) -> tuple[Law, ...]:
    """In order, within the run, and in a plane one for each passage."""
    if not (response.rocks and response.has("theta")):
        return (_in_order(response),)
    return (_in_order(response), _passages(response))


def _in_order(response: Response) -> Law:
    time = response.event_column("time")
    end = response.time[-1]
    late = np.maximum(time - end - response.motion.dt, 0) + np.maximum(-time, 0)
    back = np.maximum(-np.diff(time, prepend=time[:1]), 0)
    return law(
        "events", "Events come in the order of time, within the run", late + back, time,
        1e-9 * response.motion.dt, "the rounding of times", relative_to="s",
        extent=f"{len(time)} events", nothing="there was no event",
    )  # fmt: skip


def _passages(response: Response) -> Law:
    """Where θ changes its sign the table has an impact, and on soft beds nowhere else."""
    theta, time = response.theta, response.time[:-1]
    changes = theta[:-1] * theta[1:] < 0
    if response.formulation.compliant:
        wrong = _on_soft_bed(response, theta)
        equation = (
            "Each passage through θ = 0 after a corner was off the bed is an impact in the table, "
            "with θ and ω of the rows"
        )
    else:
        if response.has("lift"):  # a body in the air turns through θ = 0 without any
            lift = response.column("lift")
            changes &= (lift[:-1] == 0) & (lift[1:] == 0)
        wrong = (changes & (counts_of_events(response)[0] == 0)).astype(float)
        equation = "Where θ changes its sign on the ground the table has an event"
    return law(
        "table", equation, wrong, time, 1e-12, "the rounding of θ",
        extent=f"{int(changes.sum())} passages",
    )  # fmt: skip


def _on_soft_bed(response: Response, theta: Array) -> Array:
    """1 for each interval with an impact too many or too few, else how far the numbers are off."""
    swing = response.column(SWING)
    due = (np.abs(swing[:-1]) > 1.5) & (swing[:-1] * theta[1:] < 0)
    hits = response.events[response.event_column("kind") == IMPACT]
    place = hits[:, 0] / response.motion.dt
    rows = np.clip(np.ceil(place - EDGE).astype(int) - 1, 0, len(due) - 1)
    struck = np.zeros(len(due), bool)
    struck[rows] = True
    wrong = np.where(due == struck, 0.0, 1.0)
    at_row = (np.abs(place - rows - 1) < EDGE) & (rows < len(due) - 1)
    rows, hits, rate = rows[at_row], hits[at_row], response.states[:, 1]
    off = np.abs(hits[:, 2:] - np.stack([theta[rows + 1], rate[rows], rate[rows + 1]], axis=1))
    busy = np.flatnonzero(_several(response))
    off[np.isin(rows, busy), 1] = 0.0  # the step began at another event
    np.maximum.at(wrong, rows, off.max(axis=1, initial=0.0))
    return wrong


def _several(response: Response) -> NDArray[np.bool_]:
    """Which intervals have more than one event, turning points too."""
    return np.asarray(counts_of_events(response, turns=True)[0] > 1)


def table_law(
    response: Response, flow: Flow, at: Sides, angle: int, rate: int, tolerance: float, why: str
) -> Law:
    """Coordinate and rates of events in the table, against both sides as the rows give them."""
    lifts = sides(flow, response, (UPLIFT,))
    worst, rows = _off(response, flow, at, angle, rate)
    lift_worst, lift_rows = _off(response, flow, lifts, angle, rate)
    times = response.events[np.concatenate([rows, lift_rows]), 0]
    count = int(np.isin(response.event_column("kind"), (IMPACT, UPLIFT, TURN)).sum())
    return law(
        "velocities", "Angle and rates in the table of events are those of the rows",
        np.concatenate([worst, lift_worst]), times, tolerance, why,
        relative_to="of the scale of the motion", extent=f"{len(times)} of {count} events",
        nothing="no event lies alone between two samples",
    )  # fmt: skip


def _off(response: Response, flow: Flow, at: Sides, angle: int, rate: int) -> tuple[Array, Rows]:
    told = response.events[at.events, 2:]
    there = np.stack([at.before[:, angle], at.before[:, rate], at.after[:, rate]], axis=1)
    scale = flow.scale[[angle, rate, rate]]
    return (np.abs(told - there) / scale).max(axis=1, initial=0.0), at.events

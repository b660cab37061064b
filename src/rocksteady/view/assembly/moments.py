"""Where the stones of a response are at given times, and which moments tell most."""

import math
from typing import Any

import numpy as np

from rocksteady.bodies import expect
from rocksteady.bodies.assembly import Assembly
from rocksteady.numerics.types import Array
from rocksteady.outcome import STILL
from rocksteady.response import Response
from rocksteady.status import Status
from rocksteady.view.assembly.stones import size_of
from rocksteady.view.time_axis import Span, span_of, still_after

VISIBLE = 0.02  # of an assembly's size: smaller displacements are magnified in a figure ...
ROUNDING = 1e-7  # of the size: what moves less stands still
SHOWN = 0.05  # ... to about this
AFTER = 1.04  # of the time at which rubble lies still: where its figure ends
TURN = 0.35  # rad: rotations are magnified up to this


def assembly_of(response: Response) -> Assembly:
    """The body of a response, if it is one of stones."""
    return expect(response.system, Assembly, "This picture")


def poses_at(response: Response, times: Array) -> Array:
    """The poses (times, stones, 3), linear between samples: x, y [m] and rotation [rad]."""
    formulation: Any = response.formulation
    last = len(response.states) - 1
    place = np.clip(np.asarray(times, float) / response.motion.dt, 0, last)
    before = np.floor(place).astype(np.intp)
    after = np.minimum(before + 1, last)
    first, second = (
        np.asarray(formulation.poses(response.system, response.states[rows]))
        for rows in (before, after)
    )
    return np.asarray(first + (place - before)[:, None, None] * (second - first))


def shown(response: Response) -> Span:
    """The time that a figure shows: until stones and ground are at rest; after a collapse, until
    the stones lie still, whatever the ground does then."""
    if not response.fell:
        return span_of(response)
    last = still_after(response) or float(response.time[-1])
    return span_of(response, end=min(AFTER * last, float(response.time[-1])))


def telling(response: Response, end: float) -> list[tuple[str, float]]:
    """Name and time [s] of the moments that a figure shows: the largest displacement and the last
    picture where it stands; where it falls, as it begins to, on the way and the last picture.
    ``end`` is where the figure ends."""
    time, moved = response.time, np.nan_to_num(response.states[:, 0])
    still = end < time[-1] or response.status is Status.AT_REST
    if not moved.max() >= STILL:
        return [("at rest", end)]
    if not response.fell:
        peak = min(float(time[int(np.argmax(moved))]), end)
        last = [("at rest" if still else "run ends", end)] if end - peak > 1e-9 else []
        return [("largest displacement", peak), *last]
    size = min(float(moved.max()), size_of(assembly_of(response)))
    shares = [(0.08, "begins to fall"), (0.35, "falls")]
    first = [(name, _reaches(time, moved, share * size)) for share, name in shares]
    return [*first, ("rubble" if still else "run ends", end)]


def _reaches(time: Array, moved: Array, level: float) -> float:
    """When the displacement passes this level for good."""
    below = np.flatnonzero(moved < level)
    return float(time[min(below[-1] + 1, len(time) - 1)]) if len(below) else 0.0


def clear_factor(size: float, displacement: float, turn: float) -> float:
    """By how much displacements [m] and turns [rad] are magnified so that they are seen on an
    assembly of this size [m]: 1, 2, 5, 10, ... What is only rounding is not magnified."""
    if displacement <= ROUNDING * size or displacement >= VISIBLE * size:
        return 1.0
    wanted = min(SHOWN * size / displacement, TURN / turn if turn > 0 else math.inf)
    return max(1.0, round_down(wanted))


def round_down(value: float) -> float:
    """The largest of 1, 2, 5, 10, ... that is not above it."""
    power = 10.0 ** math.floor(math.log10(value))
    return float(max(step * power for step in (1, 2, 5) if step * power <= value * (1 + 1e-12)))

"""Which part of a run is worth its place on the axis of time.

Records begin long before the shaking and go on long after the last thing worth seeing.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from rocksteady.numerics.types import Array
from rocksteady.response import Response

LEAD = 0.4  # of the axis: a quiet beginning that would take more is left out, but for ...
KEPT = 0.12  # ... this share of the rest, to see it begin
MOST_POSES = 1_000_000  # of many bodies: above this, samples are left out
STIR = 0.01  # of the farthest that any of them goes: less is not seen


class Span(NamedTuple):
    """Limits of time [s] of a figure."""

    start: float
    end: float

    @property
    def note(self) -> str:
        """What is left out, in words; empty if nothing is."""
        return f"quiet first {self.start:g} s left out" if self.start else ""


def still_after(response: Response) -> float:
    """Time [s] after which the block is not seen to move; 0 if it never is."""
    moving = np.flatnonzero(_moving(response))
    return float(response.time[moving[-1]]) if len(moving) else 0.0


def span_of(*responses: Response, end: float | None = None) -> Span:
    """From when one of them begins to move, or a little before, to when all of them and the ground
    have come to rest, or to ``end``. Bodies that never move are seen from the beginning."""
    end = end or max(_end(response) for response in responses)
    begins = [time for time in map(_begin, responses) if time is not None]
    if not begins or min(begins) <= LEAD * end:
        return Span(0.0, end)
    first = min(begins)
    start = first - KEPT * (end - first)
    grain = 10.0 ** math.floor(math.log10(end - first))
    grain = grain / 2 if grain > 0.5 * (end - first) else grain
    return Span(max(grain * math.floor(start / grain), 0.0), end)


def _begin(response: Response) -> float | None:
    """Time [s] at which it is first seen to move."""
    moving = np.flatnonzero(_moving(response))
    return float(response.time[moving[0]]) if len(moving) else None


def _end(response: Response) -> float:
    ground = np.abs(response.ground[0])
    shaking = response.time[np.flatnonzero(ground > 0.05 * ground.max())]
    last = max(still_after(response), *shaking[-1:], 0.0) or response.time[-1]
    return float(min(1.04 * last, response.time[-1]))


def _moving(response: Response) -> Array:
    """In which samples it is seen to move, or to be where it will not stay."""
    if hasattr(response.formulation, "poses"):
        return _any_moving(response)
    if not response.rocks:
        u = response.states[:, 0]
        return np.asarray(_away(u) > 0.02 * np.abs(u).max())
    lean = np.abs(response.relative)
    tilts = lean > min(0.005, 0.02 * response.peak)
    return np.asarray(tilts | (_away(response.slide_history) > 1e-3))


def _any_moving(response: Response) -> Array:
    """The same of many bodies: whether any of them is seen on its way from where it began to where
    it ends."""
    system: Any = response.system
    formulation: Any = response.formulation
    count = len(response.states)
    every = max(1, count * len(system) // MOST_POSES)
    poses = formulation.poses(system, np.vstack([response.states[::every], response.states[-1:]]))
    reach = np.array([stone.reach for stone in system])

    def distance(to: Array) -> Array:
        moved = np.asarray(poses - to)
        return np.asarray(np.hypot(moved[..., 0], moved[..., 1]) + reach * np.abs(moved[..., 2]))

    first, last = distance(poses[0]), distance(poses[-1])
    seen = np.any(np.minimum(first, last) > STIR * np.nanmax(first), axis=1)
    return np.asarray(np.repeat(seen[:-1], every)[:count])


def _away(path: Array) -> Array:
    """How far it is from where it began and from where it ends, whichever is nearer."""
    return np.asarray(np.minimum(np.abs(path - path[0]), np.abs(path - path[-1])))

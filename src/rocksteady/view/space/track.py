"""Where a body is at given times, from the columns of its response."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocksteady.errors import InputError
from rocksteady.numerics.types import Array
from rocksteady.response import Response
from rocksteady.theories.spatial.state import EDGE, RIM, VERTEX


@dataclass(frozen=True, eq=False)
class Track:
    """The attitude and place of a body, a row for each time."""

    time: Array
    """[s]"""
    turn: Array
    """(n, 3, 3): from the body's axes to the ground's."""
    centre: Array
    """Centre of mass (x, y, z) on the ground [m]."""
    lean: Array
    """Tilt over the tilt that overturns in that direction [-]."""
    tilt: Array
    """[rad]"""
    yaw: Array
    """How far it has turned about the vertical [rad], without jumps; of a body that lies it means
    nothing."""
    mode: NDArray[np.int64]
    pivot: Array
    """Place (x, y) of the point it turns about [m]."""
    corner: NDArray[np.int64]
    """Number of the corner that this is."""

    @classmethod
    def of(cls, response: Response, times: ArrayLike | None = None) -> Self:
        """At ``times`` [s], linear between samples; at all samples unless given."""
        if not response.has("up_x"):
            raise InputError(
                f"This shows a body in space, and {response.formulation.name} moves a "
                f"{type(response.system).__name__} in a plane: response.plot() and "
                "response.animate() choose the picture that fits."
            )
        known = np.isfinite(response.states[:, :3]).all(axis=1)  # a run that failed ends in nan
        own = response.time[known]
        time = own if times is None else np.asarray(times, float)

        def at(name: str) -> Array:
            return np.asarray(np.interp(time, own, response.column(name)[known]))

        up = _unit(np.stack([at(f"up_{axis}") for axis in "xyz"], 1))
        ahead = np.stack([at(f"ahead_{axis}") for axis in "xyz"], 1)
        ahead = _unit(ahead - np.einsum("ij,ij->i", ahead, up)[:, None] * up)
        before = np.clip(np.searchsorted(own, time + 1e-9, side="right") - 1, 0, len(own) - 1)
        yaw = np.unwrap(response.column("yaw")[known])
        return cls(
            time=time,
            turn=np.stack([ahead, np.cross(up, ahead), up], 1),
            centre=np.stack([at(axis) for axis in "xyz"], 1),
            lean=at("lean"),
            tilt=at("tilt"),
            yaw=np.interp(time, own, yaw),
            mode=response.column("mode")[known][before].astype(np.int64),
            pivot=np.stack([at("pivot_x"), at("pivot_y")], 1),
            corner=response.column("pivot")[known][before].astype(np.int64),
        )

    def __len__(self) -> int:
        return len(self.time)

    def place(self, points: Array, k: int) -> Array:
        """Where points of the body (from its centre of mass) are at the k-th time [m]."""
        return np.asarray(points @ self.turn[k].T + self.centre[k])

    def paths(self, points: Array) -> Array:
        """(n, points, 3): where points of the body are at every time [m]."""
        return np.asarray(np.einsum("kij,pj->kpi", self.turn, points) + self.centre[:, None])

    def foot(self, base: Array, k: int) -> Array:
        """Where it touches the floor at the k-th time, (x, y) [m]: one point, the two ends of an
        edge, or none where it stands on its whole base or is loose. ``base``: its corners."""
        if self.mode[k] == EDGE:
            ends = (self.corner[k] + np.arange(2)) % len(base)
            return self.place(base[ends], k)[:, :2]
        return self.pivot[k : k + 1] if self.mode[k] in (VERTEX, RIM) else np.zeros((0, 2))

    @cached_property
    def standing(self) -> slice:
        """The rows until it finally leaned past its balance; all of them if it did not."""
        inside = np.flatnonzero(self.lean <= 1)
        fell = self.lean[-1] > 1
        return slice(0, (int(inside[-1]) + 1 if len(inside) else 1) if fell else len(self))

    @cached_property
    def lowered(self) -> Array:
        """The direction in which it leans, in the body's own axes, times the tilt [rad]."""
        flat = -self.turn[:, 2, :2]
        size = np.linalg.norm(flat, axis=1, keepdims=True)
        return np.asarray(self.tilt[:, None] * flat / np.where(size > 0, size, 1.0))


def _unit(rows: Array) -> Array:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))

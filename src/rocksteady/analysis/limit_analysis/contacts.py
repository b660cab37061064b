"""The joints of an assembly as arrays: where they touch, in any pose of the stones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies.assembly import Assembly
from rocksteady.bodies.assembly.joints import Joint, joints
from rocksteady.numerics.types import Array

SAME = 1e-6  # of the size of a joint: closer points are one corner
A, B, BOTH = 0, 1, 2  # whose corner is at an end of a joint


@dataclass(frozen=True, eq=False)
class Contacts:
    """Where stones touch; an entry per joint, and per end of it where there are two.

    The pose of a stone is the displacement (x, y) of its centre of mass [m] and its rotation [rad]
    since the start.
    """

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    """The stones of each joint; ``normals`` point from b to a."""
    points: Array
    """(joints, 2, 2): where the two ends touch [m]."""
    normals: Array
    """(joints, 2, 2): unit normals at the two ends; equal where both ends touch."""
    friction: Array
    closed: NDArray[np.bool_]
    """(joints, 2): whether an end touches."""
    centres: Array
    """(stones, 2): the centres of mass [m]."""

    @property
    def tangents(self) -> Array:
        """The normals turned a quarter counter-clockwise, as `Joint.tangent`."""
        return np.stack([-self.normals[..., 1], self.normals[..., 0]], axis=-1)

    @property
    def touching(self) -> NDArray[np.int64]:
        """The end at which the tangential force of each joint acts: the first that touches."""
        return np.where(self.closed[:, 0], 0, 1)

    def rates(self, velocities: Array) -> tuple[Array, Array]:
        """Opening rates (joints, 2) and slip rates (joints) [m/s], a relative to b, for the
        velocities (x, y, turn) of all stones."""
        relative = self._speeds(self.a, velocities) - self._speeds(self.b, velocities)
        opening = np.einsum("jek,jek->je", self.normals, relative)
        slip = np.einsum("jek,jek->je", self.tangents, relative)
        return opening, slip[np.arange(len(self.a)), self.touching]

    def _speeds(self, stones: NDArray[np.int64], velocities: Array) -> Array:
        arm = self.points - self.centres[stones][:, None]
        v = velocities[stones][:, None]
        return np.stack(
            [v[..., 0] - v[..., 2] * arm[..., 1], v[..., 1] + v[..., 2] * arm[..., 0]], -1
        )


@dataclass(frozen=True, eq=False)
class Corners:
    """The corners that meet at the ends of all joints, each fixed to its stone."""

    joints: tuple[Joint, ...]
    start: Contacts
    owner: NDArray[np.int64]
    """(joints, 2): whose corner is there, A, B or BOTH."""

    @classmethod
    def of(cls, assembly: Assembly, found: Sequence[Joint] | None = None) -> Self:
        """The joints of the assembly as it stands."""
        found = joints(assembly) if found is None else tuple(found)
        points = np.array([joint.ends for joint in found], float).reshape(-1, 2, 2)
        normals = np.array([joint.normal for joint in found], float).reshape(-1, 1, 2)
        start = Contacts(
            a=np.array([joint.a for joint in found], np.int64),
            b=np.array([joint.b for joint in found], np.int64),
            points=points,
            normals=np.repeat(normals, 2, axis=1),
            friction=np.array([joint.friction for joint in found], float),
            closed=np.ones((len(found), 2), bool),
            centres=np.array([stone.centre for stone in assembly.stones], float),
        )
        owner = np.array(
            [[_owner(assembly, joint, end) for end in joint.ends] for joint in found], np.int64
        ).reshape(-1, 2)
        return cls(tuple(found), start, owner)

    def moved(self, pose: Array, tolerance: float) -> tuple[Contacts, Array, Array]:
        """The contacts, gaps and slips (joints, 2) [m] in a pose of all stones. An end touches if
        its gap is within the tolerance [m]."""
        start = self.start
        on_a, on_b = self._placed(start.a, pose), self._placed(start.b, pose)
        turn = np.stack([pose[start.b, 2], pose[start.a, 2]])  # of the edge, for A and for B
        between = on_a - on_b
        middle = _turned(start.normals[:, 0], turn.mean(axis=0))
        slip = np.einsum("jk,jek->je", _quarter(middle), between)
        # Where two corners meet, the stone that slides off has no corner on the other any more.
        lower = np.array([True, False])
        beyond = np.where(lower, slip > 0, slip < 0)
        near = SAME * np.hypot(*(start.points[:, 1] - start.points[:, 0]).T)[:, None]
        tie = np.where(np.abs(slip) < near, BOTH, np.where(beyond, A, B))
        owner = np.where(self.owner == BOTH, tie, self.owner)
        edge = np.stack([*turn, turn.mean(axis=0)])  # the edge of b under a corner of a
        angle = np.take_along_axis(edge.T, owner, axis=1)
        normals = _turned(start.normals, angle)
        gaps = np.einsum("jek,jek->je", normals, between)
        points = np.where((owner == B)[..., None], on_b, on_a)
        length = np.einsum("jk,jk->j", points[:, 1] - points[:, 0], _quarter(middle))
        closed = (gaps <= tolerance) & (length > 0)[:, None]
        centres = start.centres + pose[:, :2]
        now = replace(start, points=points, normals=normals, closed=closed, centres=centres)
        return now, gaps, np.einsum("jek,jek->je", now.tangents, between)

    def _placed(self, stones: NDArray[np.int64], pose: Array) -> Array:
        """The ends of the joints as points of these stones, in a pose."""
        arm = self.start.points - self.start.centres[stones][:, None]
        here = (self.start.centres + pose[:, :2])[stones][:, None]
        return here + _turned(arm, np.repeat(pose[stones, 2][:, None], 2, axis=1))


def _owner(assembly: Assembly, joint: Joint, end: Any) -> int:
    near = SAME * joint.length

    def has_corner(stone: int) -> bool:
        corners = np.asarray(assembly.stones[stone].corners)
        return bool(np.hypot(*(corners - end).T).min() < near)

    on_a, on_b = has_corner(joint.a), has_corner(joint.b)
    return BOTH if on_a == on_b else A if on_a else B


def _turned(vectors: Array, angle: Array) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([c * x - s * y, s * x + c * y], axis=-1)


def _quarter(normals: Array) -> Array:
    return np.stack([-normals[..., 1], normals[..., 0]], axis=-1)

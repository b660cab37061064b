"""A mechanism at finite displacement: groups of stones that move as one, joined by hinges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from rocksteady.analysis.limit_analysis.contacts import Contacts, Corners
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array

STILL = 1e-6  # of the fastest speed: slower is at rest
ROUNDS = 30
EXACT = 1e-12  # of the size: closed contacts are met to this


@dataclass(frozen=True, eq=False)
class Control:
    """The displacement that is prescribed: that of a stone's centre of mass along a direction."""

    stone: int
    toward: Array

    def displacement(self, pose: Array) -> float:
        """[m]"""
        return float(self.toward @ pose[self.stone, :2])


@dataclass(frozen=True, eq=False)
class Mechanism:
    """Which stones move together in a pose, which contacts stay closed, and which joints slip."""

    corners: Corners
    size: float
    """The size of the assembly [m]."""
    groups: NDArray[np.int64]
    """The group of each stone; 0 stays where it is."""
    kept: NDArray[np.bool_]
    """(joints, 2): the ends between groups that stay closed."""
    stuck: NDArray[np.bool_]
    """The joints between groups that do not slip."""
    slips: Array
    """(joints, 2): how far the ends of each joint have slipped so far [m]."""

    @classmethod
    def of(
        cls, corners: Corners, now: Contacts, slips: Array, velocities: Array, size: float
    ) -> Mechanism:
        """From velocities (stones, 3) in a pose with these contacts."""
        opening, slip = now.rates(velocities)
        slides = np.abs(slip) > STILL
        # Without dilatancy a sliding joint stays closed where it opens least.
        lift = opening - np.where(slides, opening.min(axis=1), 0.0)[:, None]
        same = (np.abs(opening).max(axis=1) < STILL) & ~slides
        still = (np.abs(velocities) < STILL).all(axis=1)
        count = len(velocities)
        still_ones = np.flatnonzero(still)
        ends = (
            np.concatenate([now.a[same], np.full(len(still_ones), count)]),
            np.concatenate([now.b[same], still_ones]),
        )
        links = coo_array((np.ones(len(ends[0])), ends), shape=(count + 1, count + 1))
        labels = connected_components(links, directed=False)[1]
        groups = _numbered(labels)
        between = groups[now.a] != groups[now.b]
        kept = now.closed & (lift < STILL) & between[:, None]
        return cls(corners, size, groups, kept, kept.any(axis=1) & ~slides, slips)

    @property
    def _held(self) -> NDArray[np.int64]:
        """The end of each joint that stays closed."""
        return np.where(self.kept[:, 0], 0, 1)

    def followed(self, pose: Array, control: Control, target: float) -> Array:
        """The pose in which the control point is displaced by ``target`` [m]."""
        pose = pose.copy()
        stuck, end = np.flatnonzero(self.stuck), self._held
        for _ in range(ROUNDS):
            now, gaps, slips = self.corners.moved(pose, np.inf)
            miss = np.concatenate(
                [
                    gaps[self.kept],
                    (slips - self.slips)[stuck, end[stuck]],
                    [control.displacement(pose) - target],
                ]
            )
            if np.abs(miss).max() < EXACT * self.size:
                return pose
            centres = self._centres(now)
            step = np.linalg.lstsq(self._jacobian(now, centres, control), -miss, rcond=1e-10)[0]
            self._move(pose, now, centres, step)
        raise InputError("The mechanism cannot move that far.")

    def velocities(self, pose: Array, control: Control) -> Array:
        """(stones, 3) in a pose, with the control point at 1 m/s."""
        now, _, _ = self.corners.moved(pose, np.inf)
        centres = self._centres(now)
        jacobian = self._jacobian(now, centres, control)
        rates = np.zeros(len(jacobian))
        rates[-1] = 1.0
        found = np.linalg.lstsq(jacobian, rates, rcond=1e-10)[0]
        moving = np.concatenate([np.zeros(3), found]).reshape(-1, 3)[self.groups]
        arm = now.centres - centres[self.groups]
        moving[:, 0] -= moving[:, 2] * arm[:, 1]
        moving[:, 1] += moving[:, 2] * arm[:, 0]
        return np.asarray(moving)

    def _centres(self, now: Contacts) -> Array:
        """The middle of each group, about which it turns."""
        count = self.groups.max() + 1
        sums = np.stack([np.bincount(self.groups, now.centres[:, k], count) for k in (0, 1)], -1)
        return np.asarray(sums / np.bincount(self.groups, minlength=count)[:, None])

    def _jacobian(self, now: Contacts, centres: Array, control: Control) -> Array:
        """d(gaps kept, slips stuck, control)/d(x, y, turn of each moving group). With both
        velocities taken at the corner, also that of the turning edge, it is exact."""
        joint, end = np.nonzero(self.kept)
        at = self._held
        stuck = np.flatnonzero(self.stuck)
        joints = np.concatenate([joint, stuck])
        points = np.concatenate([now.points[joint, end], now.points[stuck, at[stuck]]])
        toward = np.concatenate([now.normals[joint, end], now.tangents[stuck, at[stuck]]])
        rows = np.zeros((len(joints) + 1, 3 * len(centres)))
        for sign, stones in ((1.0, now.a), (-1.0, now.b)):
            group = self.groups[stones[joints]]
            arm = points - centres[group]
            turning = arm[:, 0] * toward[:, 1] - arm[:, 1] * toward[:, 0]
            for axis, value in enumerate((toward[:, 0], toward[:, 1], turning)):
                np.add.at(rows, (np.arange(len(joints)), 3 * group + axis), sign * value)
        group = self.groups[control.stone]
        x, y = now.centres[control.stone] - centres[group]
        turning = x * control.toward[1] - y * control.toward[0]
        rows[-1, 3 * group : 3 * group + 3] = (*control.toward, turning)
        return rows[:, 3:]  # group 0 does not move

    def _move(self, pose: Array, now: Contacts, centres: Array, step: Array) -> None:
        steps = np.concatenate([np.zeros(3), step]).reshape(-1, 3)[self.groups]
        c, s = np.cos(steps[:, 2]), np.sin(steps[:, 2])
        arm = now.centres - centres[self.groups]
        turned = np.stack([c * arm[:, 0] - s * arm[:, 1], s * arm[:, 0] + c * arm[:, 1]], -1)
        pose[:, :2] += steps[:, :2] + turned - arm
        pose[:, 2] += steps[:, 2]


def _numbered(labels: NDArray[np.int32]) -> NDArray[np.int64]:
    """Numbers of groups from 1, with 0 for the group of the last entry."""
    rest = labels[-1]
    others = np.unique(labels[labels != rest])
    number = np.zeros(labels.max() + 1, np.int64)
    number[others] = np.arange(1, len(others) + 1)
    return number[labels[:-1]]

"""The energy kept in springs, ties and tendons, and which of them are broken."""

import numpy as np

from rocksteady.bodies import Assembly
from rocksteady.bodies.assembly import Link
from rocksteady.numerics.types import Array


def link_energy(assembly: Assembly, poses: Array) -> Array:
    """Of all links [J], zero at the start, for poses (..., stones, 3) in the order of time."""
    total = np.zeros(poses.shape[:-2])
    for link in assembly.links:
        total += _energy(link, _elongation(assembly, link, poses))
    return total


def broken_links(assembly: Assembly, poses: Array) -> list[bool]:
    """Which links are broken at the last of these poses (times, stones, 3), the first of which is
    the start."""
    longest = [_elongation(assembly, link, poses).max() for link in assembly.links]
    return [
        bool(link.pretension + link.stiffness * longer > link.strength)
        for link, longer in zip(assembly.links, longest, strict=True)
    ]


def _elongation(assembly: Assembly, link: Link, poses: Array) -> Array:
    """How much longer it is than at the start [m]."""
    points = []
    for name, (x, y) in zip(link.stones, link.points, strict=True):
        number = assembly.number(name)
        dx, dy = np.subtract((x, y), assembly.stones[number].centre)
        pose = poses[..., number, :]
        c, s = np.cos(pose[..., 2]), np.sin(pose[..., 2])
        at = pose[..., 0] + c * dx - s * dy, pose[..., 1] + s * dx + c * dy
        points.append(np.stack(at, axis=-1))
    path = np.stack(points, axis=-2)
    length = np.linalg.norm(np.diff(path, axis=-2), axis=-1).sum(axis=-1)
    first = np.linalg.norm(np.diff(np.array(link.points), axis=0), axis=-1).sum()
    return np.asarray(length - first)


def _energy(link: Link, longer: Array) -> Array:
    force = link.pretension + link.stiffness * longer
    stored = link.pretension * longer + link.stiffness * longer**2 / 2
    if not link.pushes:  # slack it keeps what it had when it went slack
        stored = np.where(force > 0, stored, -(link.pretension**2) / (2 * link.stiffness))
    broken = np.logical_or.accumulate(np.atleast_1d(force > link.strength))
    empty = -(link.pretension**2) / (2 * link.stiffness)
    return np.where(broken.reshape(np.shape(force)), empty, stored)

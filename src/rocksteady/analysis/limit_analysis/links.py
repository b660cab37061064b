"""Springs, ties and tendons as forces on stones."""

from collections.abc import Sequence

import numpy as np

from rocksteady.analysis.limit_analysis.contacts import Contacts
from rocksteady.bodies.assembly import Assembly, Link
from rocksteady.numerics.types import Array


def link_columns(
    assembly: Assembly, links: Sequence[Link], contacts: Contacts
) -> tuple[Array, Array]:
    """(links, stones, 3): what each link does to the stones at unit tension, and (links, 2): the
    least and the largest force that it carries [N]."""
    wrenches = np.zeros((len(links), len(assembly), 3))
    bounds = np.zeros((len(links), 2))
    for k, link in enumerate(links):
        stones = [assembly.number(stone) for stone in link.stones]
        wrenches[k] = unit_pull(stones, np.array(link.points), contacts.centres)
        bounds[k] = -link.strength if link.pushes else 0.0, link.strength
    return wrenches, bounds


def unit_pull(stones: Sequence[int], points: Array, centres: Array) -> Array:
    """(stones, 3): force and moment on each stone of a line through these points that pulls with
    1 N."""
    acting = np.zeros((len(centres), 3))
    steps = np.diff(points, axis=0)
    along = steps / np.linalg.norm(steps, axis=1, keepdims=True)
    for k, toward in enumerate(along):
        for place, force in ((k, toward), (k + 1, -toward)):
            stone, arm = stones[place], points[place] - centres[stones[place]]
            acting[stone] += (*force, arm[0] * force[1] - arm[1] * force[0])
    return acting


def elastic_forces(assembly: Assembly, pose: Array, centres: Array) -> Array:
    """(stones, 3): what all links do in a pose of the stones, each with the force of its length;
    one that is stretched beyond its strength is broken."""
    acting = np.zeros((len(assembly), 3))
    for link in assembly.links:
        stones = [assembly.number(stone) for stone in link.stones]
        start = np.array(link.points)
        arm = start - np.array([assembly.stones[i].centre for i in stones])
        c, s = np.cos(pose[stones, 2]), np.sin(pose[stones, 2])
        turned = np.stack([c * arm[:, 0] - s * arm[:, 1], s * arm[:, 0] + c * arm[:, 1]], axis=-1)
        now = centres[stones] + turned
        force = link.pretension + link.stiffness * (_length(now) - _length(start))
        if abs(force) > link.strength or (force < 0 and not link.pushes):
            continue
        acting += force * unit_pull(stones, now, centres)
    return acting


def _length(points: Array) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())

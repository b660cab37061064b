"""Springs, ties and tendons as they are drawn: taut, slack or broken."""

import math
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from numpy.typing import NDArray

from rocksteady.bodies.assembly import Assembly, Link
from rocksteady.numerics.types import Array
from rocksteady.view import style
from rocksteady.view.assembly.stones import moved

TAUT, SLACK, BROKEN = 0, 1, 2
COLOURS = (style.BLUE, style.SKY, style.VERMILLION)
DASHES = ("-", (0, (2.5, 2)), "-")
STUB = 0.3  # of a broken link's length: what is left on each side
TEETH = 7  # of a spring


class Lines:
    """The links of an assembly: where their points are and what they carry."""

    def __init__(self, assembly: Assembly) -> None:
        self.assembly = assembly
        self.links = assembly.links
        self.stones = [[assembly.number(stone) for stone in link.stones] for link in self.links]
        self.local = [
            np.array(link.points) - [assembly.stones[i].centre for i in stones]
            for link, stones in zip(self.links, self.stones, strict=True)
        ]

    def points(self, number: int, poses: Array) -> Array:
        """The points (..., points, 2) [m] of a link, with the stones at ``poses``."""
        return moved(self.local[number], np.asarray(poses)[..., self.stones[number], :])

    def force(self, number: int, poses: Array) -> Array:
        """What a link would carry [N] if it never broke."""
        link = self.links[number]
        first = _length(np.array(link.points))
        length = _length(self.points(number, poses))
        return np.asarray(link.pretension + link.stiffness * (length - first))

    def states(self, poses: Array) -> NDArray[np.intp]:
        """`TAUT`, `SLACK` or `BROKEN` for each of the poses (times, stones, 3), in order, and each
        link: (times, links)."""
        found = np.zeros((len(poses), len(self.links)), np.intp)
        for k, link in enumerate(self.links):
            force = self.force(k, poses)
            found[:, k] = np.where((force <= 0) & (not link.pushes), SLACK, TAUT)
            found[np.maximum.accumulate(force >= link.strength), k] = BROKEN
        return found


class Drawn:
    """The links on axes: one collection of lines for each state."""

    def __init__(self, axes: Any, assembly: Assembly, lw: float = 1.4) -> None:
        self.lines = Lines(assembly)
        self.sets = [
            LineCollection([], colors=colour, linewidths=lw, linestyles=[dash], zorder=3)
            for colour, dash in zip(COLOURS, DASHES, strict=True)
        ]
        for lines in self.sets:
            axes.add_collection(lines, autolim=False)
        look = {"ms": 3.0, "mfc": "white", "mec": style.BLUE, "mew": 0.9, "zorder": 4}
        self.anchors = axes.plot([], [], "s", **look)[0]
        self.artists: list[Any] = [*self.sets, self.anchors] if assembly.links else []

    def place(self, poses: Array, states: NDArray[np.intp] | None = None) -> None:
        """Move the links with the stones at ``poses`` (stones, 3); all of them taut unless their
        states are given."""
        if not self.artists:
            return
        segments: list[list[Array]] = [[], [], []]
        anchors = []
        for k, link in enumerate(self.lines.links):
            points = self.lines.points(k, poses)
            state = TAUT if states is None else int(states[k])
            segments[state] += _strokes(link, points, state)
            anchors += [points[0], points[-1]]
        for lines, some in zip(self.sets, segments, strict=True):
            lines.set_segments(some)
        self.anchors.set_data(*np.array(anchors).T)


def _strokes(link: Link, points: Array, state: int) -> list[Array]:
    """The lines that show a link: broken with a gap, a spring with its teeth."""
    if state == BROKEN:
        first, last = points[:2], points[:-3:-1]
        return [np.array([a, a + STUB * (b - a)]) for a, b in (first, last)]
    return [_teeth(points) if link.pushes else points]


def _teeth(points: Array) -> Array:
    """A zigzag from the first point to the last."""
    start, end = points[0], points[-1]
    along = end - start
    length = math.hypot(*along)
    aside = np.array([-along[1], along[0]]) * (0.07 if length else 0.0)
    share = np.linspace(0.15, 0.85, 2 * TEETH)
    sign = np.where(np.arange(2 * TEETH) % 2, 1.0, -1.0)
    middle = start + share[:, None] * along + sign[:, None] * aside
    return np.vstack([start, start + 0.15 * along, middle, start + 0.85 * along, end])


def _length(points: Array) -> Array:
    return np.asarray(np.linalg.norm(np.diff(points, axis=-2), axis=-1).sum(axis=-1))

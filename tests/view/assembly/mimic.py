"""Responses of stones whose motion is written down, not computed: for pictures."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

import rocksteady as rs
from rocksteady.bodies.assembly import Assembly, Stone, Tie
from rocksteady.status import Status
from rocksteady.theories.assembly.state import DISPLACEMENT, FALLEN, RATE, SIZE, TURN
from rocksteady.theories.contract import IMPACT


def response_of(
    assembly: Assembly, poses: Any, motion: rs.Motion, status: Status, impacts: Any = ()
) -> rs.Response:
    """A response with these poses (times, stones, 3) of all stones."""
    free = [i for i, stone in enumerate(assembly) if not stone.fixed]
    start = np.array([(*stone.centre, 0.0) for stone in assembly])
    away = np.linalg.norm((poses - start)[:, free, :2], axis=-1)
    turn = np.abs((poses - start)[:, free, 2]).max(axis=1)
    states = np.zeros((len(poses), SIZE + 6 * len(free)))
    states[:, DISPLACEMENT], states[:, TURN] = away.max(axis=1), turn
    states[:, RATE] = np.gradient(away.max(axis=1), motion.dt)
    states[:, FALLEN] = (away > 1.0).sum(axis=1)
    states[:, SIZE : SIZE + 3 * len(free)] = poses[:, free].reshape(len(poses), -1)
    events = np.array([(t, IMPACT, 0.0, -1.0, 0.9) for t in impacts]).reshape(-1, 5)
    return rs.Response(assembly, motion, rs.BlockDynamics(), states, events, status)


def ground(width: float) -> Stone:
    return Stone.box(-width, -0.6, 2 * width, 0.6, name="ground", fixed=True)


# -- three bodies ----------------------------------------------------------------------------------


def trilith(**options: Any) -> Assembly:
    """Two columns 0.5 m × 2 m and a beam."""
    columns = [Stone.box(x, 0, 0.5, 2, name=n) for x, n in ((-1.75, "left"), (1.25, "right"))]
    beam = Stone.box(-2, 2, 4, 0.5, name="beam")
    return Assembly((ground(6), *columns, beam), name="trilith", **options)


def rocking_trilith(largest: float = 0.12, **options: Any) -> rs.Response:
    """Its columns rock about their corners and the beam stays level: a decaying swing."""
    assembly = trilith(**options)
    motion = rs.pulses.sine(amplitude=3.0, period=0.8, dt=0.01)
    time = np.arange(500) * 0.01
    lean = -largest * np.sin(2 * np.pi * time / 1.25) * np.exp(-0.4 * time)  # clockwise: to +x
    start = np.array([(*stone.centre, 0.0) for stone in assembly])
    poses = np.repeat(start[None], len(time), axis=0)
    c, s = np.cos(lean), np.sin(lean)

    def turned(x: Any, y: Any) -> tuple[Any, Any]:
        return c * x - s * y, s * x + c * y

    for i, middle in ((1, -1.5), (2, 1.5)):
        pivot = middle + np.where(lean < 0, 0.25, -0.25)
        x, y = turned(start[i, 0] - pivot, start[i, 1])
        poses[:, i] = np.stack([pivot + x, y, lean], axis=1)
    x, y = turned(-2 * np.where(lean < 0, 0.25, -0.25), 2.0)
    poses[:, 3, 0] = x + 2 * np.where(lean < 0, 0.25, -0.25)
    poses[:, 3, 1] = 0.25 + y
    impacts = time[np.flatnonzero(np.diff(np.sign(lean)) != 0)]
    return response_of(assembly, poses, motion, Status.AT_REST, impacts)


def wall(rows: int = 10, columns: int = 10) -> Assembly:
    """Running bond of stones 0.4 m × 0.2 m, halves at the ends of every second row."""
    stones = [ground(0.3 * columns + 1)]
    left = -0.2 * columns
    for row in range(rows):
        ends = left + 0.4 * np.arange(columns + 1)
        if row % 2:
            ends = np.concatenate([[left], left + 0.4 * np.arange(columns) + 0.2, [-left]])
        for k, (a, b) in enumerate(pairwise(ends)):
            stones.append(Stone.box(a, 0.2 * row, b - a, 0.2, name=f"{row + 1}.{k + 1}"))
    return Assembly(tuple(stones), name="wall")


def falling_wall(duration: float = 1.2) -> rs.Response:
    """Its upper right corner falls out, turning."""
    assembly = wall()
    motion = rs.pulses.sine(amplitude=8.0, period=0.5, cycles=2, dt=0.005)
    time = np.arange(round(duration / 0.005) + 1) * 0.005
    start = np.array([(*stone.centre, 0.0) for stone in assembly])
    poses = np.repeat(start[None], len(time), axis=0)
    for i, (x, y, _) in enumerate(start):
        if i and x + y > 2.4:
            free = np.maximum(time - 0.3 - 0.02 * (i % 7), 0)
            poses[:, i, 0] += (0.8 + 0.3 * (x + y - 2.4)) * free
            poses[:, i, 1] = np.maximum(y + 0.6 * free - 4.9 * free**2, 0.1 + 0.02 * (i % 9))
            poses[:, i, 2] = -1.5 * free * (1 + (i % 5) / 5)
    return response_of(assembly, poses, motion, Status.COLLAPSED)


def at_rest() -> rs.Response:
    """Nothing moves, not even the ground."""
    assembly = trilith()
    start = np.array([(*stone.centre, 0.0) for stone in assembly])
    motion = rs.Motion.zeros(1.0, 0.01)
    return response_of(assembly, np.repeat(start[None], 101, axis=0), motion, Status.AT_REST)


def tied_trilith() -> Assembly:
    """With a tie between the columns that breaks early, and one that does not."""
    ties = (
        Tie(stones=("left", "right"), points=((-1.3, 1.0), (1.3, 1.0)), stiffness=1e6),
        Tie(
            stones=("left", "beam"), points=((-1.6, 1.8), (-1.6, 2.2)), stiffness=1e6, strength=1e4
        ),
    )
    return trilith(links=ties)

"""A body in space, for the peers that know three dimensions: what they are asked, and how far off
they are.

A box let go on a corner, which comes down on two others, and a cylinder that wobbles around its rim
in a steady precession.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
from benchmarks.peers.cases import Array
from benchmarks.peers.history import Setting
from benchmarks.peers.measure import ENOUGH, MOST_REPEATS, TESTS

from rocksteady.bodies import Body

BOX = Body.box(0.45, 0.45, 1.8)
CYLINDER = Body.cylinder(0.45, 1.8)
RELEASE_TILT, RELEASE_DIRECTION = math.atan(math.sqrt(2) / 4) / 2, 30.0  # rad, degrees
RELEASE_TIME = 0.9  # s
WOBBLE_TILT = 0.1  # rad


@dataclass(frozen=True, eq=False)
class Pose:
    """Where the body is and how it moves, in the ground's axes."""

    time: float
    R: Array
    """Turns vectors of the body into vectors of the ground."""
    centre: Array
    velocity: Array
    """Of the centre of mass [m/s]."""
    spin: Array
    """Angular velocity [rad/s]."""

    def energy(self, body: Body) -> float:
        """Above rest on the base [J]."""
        inertia = self.R @ np.array(body.inertia) @ self.R.T
        moving = body.mass * self.velocity @ self.velocity + self.spin @ inertia @ self.spin
        return float(moving / 2 + body.mass * body.g * (self.centre[2] - body.centre[2]))


@dataclass(frozen=True, eq=False)
class Flight:
    """One run: ``body`` let go at ``start``, for ``duration`` [s]; ``exact`` gives its attitude at
    a time."""

    name: str
    body: Body
    start: Pose
    duration: float
    exact: Callable[[float], Array]
    kept: float
    """Energy at the end over that at the start."""

    def steps(self, step: float) -> int:
        return math.ceil(self.duration / step * (1 - 1e-12))


def leaning(tilt: float, azimuth: float) -> Array:
    """The attitude that leans by ``tilt`` towards ``azimuth`` [rad]."""
    turn = turned(azimuth)
    c, s = math.cos(tilt), math.sin(tilt)
    return np.asarray(turn @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ turn.T)


def turned(angle: float) -> Array:
    """A rotation about the vertical [rad]."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def release() -> Flight:
    R = leaning(RELEASE_TILT, math.radians(RELEASE_DIRECTION))
    arm = R @ [-BOX.base[2][0], -BOX.base[2][1], BOX.centre[2]]  # from corner 2, which stays
    centre = arm + np.array([*BOX.base[2], 0.0])
    start = Pose(0.0, R, centre, np.zeros(3), np.zeros(3))
    end, kept = _reference()
    return Flight("box let go on a corner", BOX, start, RELEASE_TIME, lambda time: end, kept)


def wobble() -> Flight:
    """One turn of the steady precession on the circle: the contact runs around the rim once, and
    the body does not turn about its axis."""
    rate, tilt = precession(CYLINDER, WOBBLE_TILT), WOBBLE_TILT
    assert CYLINDER.radius is not None
    R, h, rho = leaning(tilt, 0.0), CYLINDER.centre[2], CYLINDER.radius
    arm = R @ [-rho, 0.0, h]
    spin = rate * (np.array([0.0, 0.0, 1.0]) - R[:, 2])
    start = Pose(0.0, R, arm + np.array([rho, 0.0, 0.0]), np.cross(spin, arm), spin)

    def exact(time: float) -> Array:
        return np.asarray(turned(rate * time) @ R @ turned(-rate * time))

    return Flight("cylinder in steady precession", CYLINDER, start, 2 * math.pi / rate, exact, 1.0)


def precession(body: Body, tilt: float) -> float:
    """Rate [rad/s] at which a cylinder precesses steadily on the circle on which it stood."""
    rho, h = body.radius or 0.0, body.centre[2]
    A, C = body.inertia[0][0] / body.mass, body.inertia[2][2] / body.mass
    s, c = math.sin(tilt), math.cos(tilt)
    U, U_rate = rho * (1 - c) + h * s, rho * s + h * c
    return math.sqrt(body.g * (rho * c - h * s) / (U * U_rate + A * s * c + C * (1 - c) * s))


@cache
def _reference() -> tuple[Array, float]:
    """(attitude at the end, energy left) of the release, by the tests' own solution with SciPy."""
    if str(TESTS) not in sys.path:
        sys.path.append(str(TESTS))
    from theories.spatial.independent import solve
    from theories.spatial.mechanics import Solid

    solid: Any = Solid.box(BOX.base[2][0], BOX.base[2][1], BOX.centre[2])
    start = {"R": leaning(RELEASE_TILT, math.radians(RELEASE_DIRECTION)), "contacts": (2,)}
    begun, ended = solve(solid, **start, until=1e-12), solve(solid, **start, until=RELEASE_TIME)
    return np.asarray(ended.R), float(ended.energy / begun.energy)


# -- measuring ---------------------------------------------------------------------------------


class SpacePeer(Protocol):
    """What the file of a peer has that knows three dimensions."""

    NAME: str
    SETTINGS: tuple[Setting, ...]

    def prepare_body(self, setting: Setting, flight: Flight) -> Callable[[], Pose]: ...


@dataclass(frozen=True)
class SpaceError:
    """One run against the reference."""

    attitude: float
    """Angle between its attitude and the right one at the end [rad]."""
    kept: float
    """Energy left over that at the start."""
    seconds: float
    """Processor time of all threads."""


@dataclass(frozen=True)
class SpaceOutcome:
    """A row of the table."""

    name: str
    version: str
    setting: Setting
    release: SpaceError
    wobble: SpaceError


def measure_space(peer: SpacePeer, version: str, setting: Setting) -> SpaceOutcome:
    found = [_measured(peer, setting, flight) for flight in (release(), wobble())]
    return SpaceOutcome(peer.NAME, version, setting, *found)


def _measured(peer: SpacePeer, setting: Setting, flight: Flight) -> SpaceError:
    peer.prepare_body(setting, flight)()  # the first call compiles, or loads
    took: list[float] = []
    while sum(took) < ENOUGH and len(took) < MOST_REPEATS:
        run = peer.prepare_body(setting, flight)
        begin = time.process_time()
        end = run()
        took.append(time.process_time() - begin)
    kept = end.energy(flight.body) / flight.start.energy(flight.body)
    return SpaceError(angle_between(end.R, flight.exact(end.time)), kept, min(took))


def angle_between(one: Array, other: Array) -> float:
    """Of two attitudes [rad]; exact for small angles."""
    apart = float(np.linalg.norm(one - other)) / (2 * math.sqrt(2))  # sin of half the angle
    return 2 * math.asin(min(1.0, apart))

"""Where a body in space is: centre of mass, yaw, energy; for whole histories, in NumPy."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from rocksteady.bodies import Body
from rocksteady.numerics.decorators import driver, fused_kernel
from rocksteady.numerics.trig import direction
from rocksteady.numerics.triples import add, cross, dot
from rocksteady.numerics.types import Array, Numbers
from rocksteady.theories.contract import Quantity
from rocksteady.theories.spatial.pivots import CENTRE, CORNERS, HEIGHT, make_pivot
from rocksteady.theories.spatial.state import (
    AHEAD,
    EDGE,
    LOOSE,
    MODE,
    MORE,
    PIVOT,
    PLACE,
    RIM,
    SPIN,
    UP,
    VERTEX,
)

KEPT = {
    "walked": Quantity(
        "f8", "m", "how far its base has moved over the floor; means nothing after a fall"
    ),
    "turned": Quantity(
        "f8", "rad", "how far it has turned about the vertical, −π to π; means nothing after a fall"
    ),
    "heading": Quantity(
        "f8", "deg", "direction in which it leans at the end, from x towards y; NaN upright"
    ),
    "mode": Quantity(
        "f8", "1", "what it stands on at the end: 0 base, 1 edge, 2 corner, 3 rim, 4 loose", "mode"
    ),
    "pivot": Quantity("f8", "1", "number of the corner it turns about at the end", "pivot"),
}
"""What ensembles keep of the end of each run."""


@cache
def make_at_end(size: int) -> Any:
    """Build ``(walked [m], turned [rad], heading [degrees])`` of a body with at most ``size``
    corners."""
    pivot_of = make_pivot(size)

    @fused_kernel
    def at_end(state, params):  # type: ignore[no-untyped-def]
        up, ahead, mode = state[UP:AHEAD], state[AHEAD:SPIN], state[MODE]
        left, (x, y) = cross(up, ahead), params[CENTRE:CORNERS]
        r = -x, -y, -params[HEIGHT]  # from the point it turns about to the origin of its base
        if mode != LOOSE:
            r = add(r, pivot_of(params, mode, state[PIVOT]).d)
        along, across = state[PLACE] + dot(ahead, r), state[PLACE + 1] + dot(left, r)
        turned = direction(ahead[0] + left[1], left[0] - ahead[1])
        heading = direction(ahead[2], left[2]) * (180.0 / math.pi)
        if heading < 0.0:
            heading += 360.0
        if ahead[2] == 0.0 and left[2] == 0.0:
            heading = math.nan
        return math.sqrt(along * along + across * across), turned, heading

    return at_end


@cache
def make_ends(size: int) -> Any:
    """Build the same for rows of states, called from Python."""
    at_end = make_at_end(size)

    def ends(states, params, out):  # type: ignore[no-untyped-def]
        for i in range(len(states)):
            out[i, 0], out[i, 1], out[i, 2] = at_end(states[i], params)

    return driver(ends)


class Axes(NamedTuple):
    """Rows of R: the ground's axes as the body sees them, one per state."""

    ahead: Array
    left: Array
    up: Array

    @classmethod
    def of(cls, states: Array) -> Axes:
        up, ahead = states[..., UP:AHEAD], states[..., AHEAD:SPIN]
        return cls(ahead, np.cross(up, ahead), up)

    def to_ground(self, vectors: Array) -> Array:
        """Vectors of the body, turned into the ground's axes."""
        return np.stack([(axis * vectors).sum(axis=-1) for axis in self], axis=-1)


def arms(body: Body, states: Array) -> Array:
    """From the point it turns about to the centre of mass [m], in the body's axes."""
    d = np.zeros((*states.shape[:-1], 3))
    d[..., 2] = body.centre[2]
    mode = states[..., MODE]
    if body.radius is None:
        corners = body.corners
        k = np.clip(np.nan_to_num(states[..., PIVOT]), 0, len(corners) - 1).astype(int)
        d[..., :2] = -corners[k]
    else:
        angle = states[..., PIVOT]  # which point of the rim touches, or did last
        d[..., 0], d[..., 1] = -body.radius * np.cos(angle), -body.radius * np.sin(angle)
    d[mode == LOOSE] = 0.0
    return d


def centre(body: Body, states: Array) -> Array:
    """Place of the centre of mass [m], z above the ground."""
    place = Axes.of(states).to_ground(arms(body, states))
    place[..., :2] += states[..., PLACE:MODE]
    if states.shape[-1] > MORE:
        place[..., 2] += states[..., MORE]
    return place


def yaw(states: Array) -> Array:
    """How far the body has turned about the vertical [rad], counter-clockwise seen from above: what
    is left of its attitude once it is set upright the shortest way. A body that only leans has not
    turned, whichever way the axes of body and ground point."""
    angle = facing(states)
    return np.unwrap(angle) if angle.ndim == 1 else angle


def facing(states: Array) -> Array:
    """The same between −π and π: full turns do not count."""
    ahead, left, _ = Axes.of(states)
    x, y = ahead[..., 0] + left[..., 1], left[..., 0] - ahead[..., 1]
    return np.asarray(np.arctan2(y, x) + 0.0)  # no -0.0 in tables


def walked(body: Body, states: Array) -> Array:
    """How far the origin of its base has moved along the floor from where it stood [m]."""
    place = centre(body, states) - Axes.of(states).to_ground(np.array(body.centre))
    return np.hypot(place[..., 0], place[..., 1])


def headings(states: Array) -> Array:
    """The direction on the ground in which its axis leans [degrees from x towards y], 0 to 360; nan
    upright."""
    axes = Axes.of(states)
    x, y = axes.ahead[..., 2], axes.left[..., 2]
    angle = np.degrees(np.arctan2(y, x)) % 360
    return np.where((x == 0) & (y == 0), np.nan, angle)


def heading(state: Array) -> float:
    """The direction on the ground in which its axis leans [degrees from x towards y], 0 to 360."""
    return float(headings(state))


def foot_in_words(body: Body, state: Array) -> str:
    """What it turns about: "over corner 2", by the number of the corner in its base."""
    mode, k = state[MODE], int(state[PIVOT])
    if mode == EDGE:
        return f"over the edge of corners {k} and {(k + 1) % len(body.corners)}"
    round_base = mode == RIM or body.radius is not None
    return "over its rim" if round_base else f"over corner {k}"  # loose: the lowest


def energy(body: Body, states: Array) -> Array:
    """Mechanical energy [J], zero at rest upright."""
    inertia, mass = np.array(body.inertia), body.mass
    spin, d = states[..., SPIN:PLACE], arms(body, states)
    speed = Axes.of(states).to_ground(np.cross(spin, d))
    if states.shape[-1] > MORE:
        speed = speed + states[..., MORE + 1 : MORE + 4]
    kinetic = 0.5 * mass * (speed**2).sum(axis=-1)
    kinetic = kinetic + 0.5 * np.einsum("...i,ij,...j->...", spin, inertia, spin)
    # γ·d − h without cancellation: 1 − γ₃ = (γ₁² + γ₂²)/(1 + γ₃)
    up, height = states[..., UP:AHEAD], body.centre[2]
    level = (up[..., :2] ** 2).sum(axis=-1)
    lift = (up[..., :2] * d[..., :2]).sum(axis=-1) - height * level / (1 + up[..., 2])
    loose = states[..., MODE] == LOOSE
    if states.shape[-1] > MORE:
        lift = np.where(loose, states[..., MORE] - height, lift)
    return np.asarray(kinetic + mass * body.g * lift)


def leaning(
    body: Body,
    tilt: float,
    direction: float,
    rate: float = 0.0,
    yaw: float = 0.0,
    spin: tuple[float, float, float] | None = None,
) -> Numbers:
    """The 12 numbers of attitude and angular velocity, place, mode and pivot of a body that leans
    by ``tilt`` [rad] towards ``direction`` [degrees from the ground's x axis], turned by ``yaw``
    [rad] before; ``spin`` [rad/s] in the body's axes, else ``rate`` [rad/s] about the horizontal
    axis across the direction: (up, ahead, spin, place, mode, pivot)."""
    angle = math.radians(direction) - yaw  # as the body sees it
    u = np.array([math.cos(angle), math.sin(angle), 0.0])
    axis = np.array([-u[1], u[0], 0.0])
    up = np.array([0.0, 0.0, math.cos(tilt)]) - math.sin(tilt) * u
    level = np.array([math.cos(yaw), -math.sin(yaw), 0.0])  # ξ before it leans
    along = level @ u
    ahead = (level @ axis) * axis + along * (math.cos(tilt) * u + [0.0, 0.0, math.sin(tilt)])
    turning = rate * axis if spin is None else np.array(spin, dtype=float)
    if body.radius is not None:
        foot, mode, pivot = body.radius * u[:2] - body.centre[:2], RIM, math.atan2(u[1], u[0])
    else:
        corners = body.corners
        reach = corners @ u[:2]
        k = int(np.argmax(reach))
        n, size = len(corners), np.abs(corners).max()
        low = [j for j in (k, (k + 1) % n) if reach[j] > reach[k] - 1e-12 * size]
        if len(low) < 2 and reach[k - 1] > reach[k] - 1e-12 * size:
            k, low = (k - 1) % n, [k, k - 1]
        speed = float(np.linalg.norm(turning))
        across = abs(turning @ axis - math.copysign(speed, turning @ axis))
        on_edge = len(low) == 2 and across <= 1e-12 * speed
        foot, mode, pivot = corners[k], EDGE if on_edge else VERTEX, float(k)
    c, s = math.cos(yaw), math.sin(yaw)
    x, y = foot[0] + body.centre[0], foot[1] + body.centre[1]
    place = (c * x - s * y, s * x + c * y)
    return (*up.tolist(), *ahead.tolist(), *turning.tolist(), *place, mode, pivot)

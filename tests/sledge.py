"""A small theory of three ground components, for tests: a sledge that slides in any direction.

It rests while the friction holds it, √(a_x² + a_y²) ≤ μ (g + a_z). Otherwise it slides, braked
against its velocity relative to the ground; where that has gone, it rests again. `Rail` is the same
sledge on a rail along x: a planar theory.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

import rocksteady as rs
from rocksteady.numerics.decorators import fused_kernel, inner_fused_kernel
from rocksteady.theories.contract import NOTHING, REST, UPLIFT, Formulation, Glide

# Distance slid and speed; place and velocity relative to the ground; whether it is let go.
COLUMNS = (
    "path [m]", "speed [m/s]", "x [m]", "y [m]", "v_x [m/s]", "v_y [m/s]", "going [-]",
)  # fmt: skip


@inner_fused_kernel
def slide(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """(state, speed along the old velocity) after ``dt``, by the mean acceleration."""
    path, speed, x, y, v_x, v_y, going = state
    mu, g = params
    along, up = (ground0[0] + ground1[0]) / 2, (ground0[1] + ground1[1]) / 2
    across = (ground0[2] + ground1[2]) / 2
    moving = speed > 0.0
    push = math.sqrt(ground0[0] * ground0[0] + ground0[2] * ground0[2])
    way_x, way_y = v_x / speed if moving else -ground0[0] / push, 0.0
    way_y = v_y / speed if moving else -ground0[2] / push
    brake = mu * (g + up)
    new_x, new_y = v_x - dt * (along + brake * way_x), v_y - dt * (across + brake * way_y)
    fast = math.sqrt(new_x * new_x + new_y * new_y)
    x, y = x + dt * (v_x + new_x) / 2, y + dt * (v_y + new_y) / 2
    state = path + dt * (speed + fast) / 2, fast, x, y, new_x, new_y, going
    return state, new_x * way_x + new_y * way_y


@inner_fused_kernel
def attempt(state, params, ground0, ground1, dt, rate):  # type: ignore[no-untyped-def]
    after, forward = slide(state, params, ground0, ground1, dt)
    return after, 0.0, (state[1] > 0.0) & (forward > 0.0)


@fused_kernel
def margin(params, ground):  # type: ignore[no-untyped-def]
    """How much stronger the ground pushes than friction can hold."""
    push = math.sqrt(ground[0] * ground[0] + ground[2] * ground[2])
    return push - params[0] * (params[1] + ground[1])


@fused_kernel
def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    path, speed, x, y, v_x, v_y, going = state
    if going == 0.0:
        before, after = margin(params, ground0), margin(params, ground1)
        if before <= 0.0 and after <= 0.0:
            return state, dt, NOTHING
        used = 0.0 if before > 0.0 else dt * before / (before - after)
        return (path, speed, x, y, v_x, v_y, 1.0), used, UPLIFT
    after, forward = slide(state, params, ground0, ground1, dt)
    if forward > 0.0:
        return after, dt, NOTHING
    if speed == 0.0:  # let go and held at once
        return (path, 0.0, x, y, 0.0, 0.0, 0.0), dt, REST
    part = speed / (speed - forward)
    used = part * dt
    stopped = path + used * speed / 2, 0.0, x + used * v_x / 2, y + used * v_y / 2, 0.0, 0.0, 0.0
    return stopped, used, REST


@fused_kernel
def advance_on_rail(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    return advance(state, params, (ground0[0], ground0[1], 0.0), (ground1[0], ground1[1], 0.0), dt)


@inner_fused_kernel
def attempt_on_rail(state, params, ground0, ground1, dt, rate):  # type: ignore[no-untyped-def]
    return attempt(
        state, params, (ground0[0], ground0[1], 0.0), (ground1[0], ground1[1], 0.0), dt, rate
    )


@fused_kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    return state[6] == 0.0


@fused_kernel
def never(state, params):  # type: ignore[no-untyped-def]
    return False


@dataclass(frozen=True)
class Sledge(Formulation):
    """Slides in any direction."""

    mu: float = 0.2

    name = "Sledge"
    bodies = (rs.Block,)
    components = ("accel", "vertical", "transverse")
    turns_are_events = True
    starts_in_a_direction = True
    has_impacts = False
    cost = 30.0

    def columns(self, block: Any) -> tuple[str, ...]:
        return COLUMNS

    def advance_for(self, block: Any) -> Any:
        return advance

    def glide_for(self, block: Any) -> Any:
        return Glide(attempt, advance, zero_at_rest=False)

    def parameters(self, block: Any) -> tuple[float, ...]:
        return self.mu, block.g

    def start(self, block: Any, path: float = 0.0, speed: float = 0.0, direction: float = 0.0):
        angle = math.radians(direction)
        way = speed * math.cos(angle), speed * math.sin(angle)
        return (path, speed, 0.0, 0.0, *way, 1.0 if speed else 0.0)

    def energy(self, block: Any, states: Any) -> Any:
        return block.mass * states[..., 1] ** 2 / 2

    def derived(self, block: Any, states: Any) -> dict[str, Any]:
        return {"heading [rad]": np.arctan2(states[..., 5], states[..., 4])}

    def at_rest(self, block: Any, states: Any) -> Any:
        return states[..., 6] == 0.0

    def doomed(self, block: Any, state: Any) -> bool:
        return False

    def exact_rest(self, block: Any) -> bool:
        return True

    def resting_for(self, block: Any) -> Any:
        return resting

    def doomed_for(self, block: Any) -> Any:
        return never


@dataclass(frozen=True)
class Rail(Sledge):
    """The same along x only."""

    name = "Rail"
    components = ("accel", "vertical")
    starts_in_a_direction = False

    def advance_for(self, block: Any) -> Any:
        return advance_on_rail

    def glide_for(self, block: Any) -> Any:
        return Glide(attempt_on_rail, advance_on_rail, zero_at_rest=False)

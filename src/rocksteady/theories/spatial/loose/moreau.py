"""One time step of a body with six freedoms (Moreau's, with the contacts at mid-step).

A corner that is below the ground at mid-step touches. Impulses then change the velocities such
that those at the end obey contact and friction (`contacts.py`); places follow from the mean of the
velocities at both ends. Impacts need no event: they happen within the step, which makes the method
one of first order, whatever comes. In the air the angular momentum is kept exactly.
"""

import math
from functools import cache
from typing import Any

from rocksteady.numerics.decorators import fused_kernel, kernel
from rocksteady.numerics.triples import add, add_scaled, apply, cross, dot, inverse, scale
from rocksteady.theories.spatial.loose.contacts import solve
from rocksteady.theories.spatial.loose.parts import (
    corner,
    corners,
    in_body_frame,
    in_ground_frame,
    turned_matrix,
)
from rocksteady.theories.spatial.pivots import ALLOWED, INERTIA, G

LONGEST = 0.25e-3  # of a step [s]
SHORTEST = 1 / 1024  # of a step, where a corner comes down: what is fast must not pass the ground


@fused_kernel
def carried(axis, turn, time):  # type: ignore[no-untyped-def]
    """An axis of the ground in the body frame, after the body has turned with the angular velocity
    ``turn`` (body frame) for this time: Cayley's rotation, which keeps lengths."""
    b = scale(0.5 * time, turn)
    side = cross(axis, b)
    return add_scaled(axis, 2 / (1 + dot(b, b)), add(side, cross(side, b)))


@fused_kernel
def attitude(up, ahead):  # type: ignore[no-untyped-def]
    """The ground's x, y, z in the body frame, at right angles and of length 1 again."""
    up = scale(1 / math.sqrt(dot(up, up)), up)
    ahead = add_scaled(ahead, -dot(ahead, up), up)
    ahead = scale(1 / math.sqrt(dot(ahead, ahead)), ahead)
    return ahead, cross(up, ahead), up


@kernel
def lowest(axes, height, params):  # type: ignore[no-untyped-def]
    """Height of the lowest corner."""
    least = math.inf
    for k in range(corners(params)):
        least = min(least, height + dot(axes[2], corner(params, k)))
    return least


@kernel
def reach_of(params, dt):  # type: ignore[no-untyped-def]
    """A corner no higher than this touches: what a body falls in a step."""
    return params[G] * dt * dt


@kernel
def until_touch(body, params, dt):  # type: ignore[no-untyped-def]
    """A step that ends where the first corner comes down, no shorter than a part of dt and no
    longer than dt: an impact is then late by far less than a step."""
    axes, place, velocity, turn = body
    reach = reach_of(params, dt)
    step = dt
    for k in range(corners(params)):
        c = corner(params, k)
        height = place[2] + dot(axes[2], c)
        sinks = -velocity[2] - dot(axes[2], cross(turn, c))
        if height > reach and sinks * dt > height:
            step = min(step, height / sinks)
    return max(step, SHORTEST * dt)


@cache
def make_moreau(lowest_point: Any) -> Any:
    """Build the time step of a body whose lowest point is at this height: see `lowest`."""

    @kernel
    def moreau(body, params, accel, dt, table):  # type: ignore[no-untyped-def]
        """(Body after dt, corners that press, how many of those stick, residual).

        ``body``: (axes of the ground in the body frame, place of the centre of mass, its velocity,
        angular velocity in the body frame); ``accel``: the ground's at mid-step.
        """
        axes, place, velocity, turn = body
        J = params[INERTIA:ALLOWED]
        momentum = in_ground_frame(axes, apply(J, turn))
        middle = attitude(carried(axes[2], turn, 0.5 * dt), carried(axes[0], turn, 0.5 * dt))
        mobility = turned_matrix(middle, inverse(J))
        turning = apply(mobility, momentum)
        free = add_scaled(add_scaled(velocity, -dt, accel), -dt * params[G], (0.0, 0.0, 1.0))
        where = (middle, mobility, place[2] + 0.5 * dt * velocity[2], reach_of(params, dt))
        moves, pressing, sticking, residual = solve(
            (free, turning), (velocity, turning), where, params, table
        )
        after = add_scaled(add_scaled(place, 0.5 * dt, velocity), 0.5 * dt, moves[0])
        mean = in_body_frame(middle, add(turning, moves[1]))
        axes = attitude(carried(axes[2], mean, 0.5 * dt), carried(axes[0], mean, 0.5 * dt))
        momentum = apply(turned_matrix(middle, J), moves[1])
        turn = apply(inverse(J), in_body_frame(axes, momentum))
        if pressing > 0:
            after = add_scaled(
                after, -min(lowest_point(axes, after[2], params), 0.0), (0.0, 0.0, 1.0)
            )
        return (axes, after, moves[0], turn), pressing, sticking, residual

    return moreau


moreau = make_moreau(lowest)

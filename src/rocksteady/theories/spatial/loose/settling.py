"""Between the state of a body that is loose and that of one that sticks.

A loose body goes back to an edge, a corner or rest once every corner that presses sticks, and the
force that would keep it there lies within the cone. It keeps its momentum about what it then turns
about; the small rest of its motion (what a time step leaves) is lost.
"""

from rocksteady.numerics.decorators import fused_kernel, kernel
from rocksteady.numerics.triples import (
    about_point,
    add_cross,
    add_scaled,
    apply,
    cross,
    dot,
    inverse,
    scale,
)
from rocksteady.theories.spatial.loose.contacts import impulse_at, velocity_at
from rocksteady.theories.spatial.loose.forces import edge, margin
from rocksteady.theories.spatial.loose.moreau import attitude, reach_of
from rocksteady.theories.spatial.loose.parts import (
    corner,
    corners,
    in_body_frame,
    in_ground_frame,
    next_corner,
)
from rocksteady.theories.spatial.pivots import ALLOWED, HEIGHT, INERTIA, MASS, G
from rocksteady.theories.spatial.state import (
    AHEAD,
    EDGE,
    LEVEL,
    LOOSE,
    LOSS,
    MODE,
    MORE,
    PIVOT,
    PLACE,
    SPIN,
    UP,
    VERTEX,
    WORK,
    lean_of,
)

NO_MOTION = (0.0, 0.0, 0.0)
OFF = 1e-9  # of h: a corner higher than that is off the ground
DRIFT, DRIFT_END = MORE + 1, MORE + 4  # velocity


@kernel
def foot(up, params):  # type: ignore[no-untyped-def]
    """The corner towards which the body leans."""
    best, lowest = 0, dot(up, corner(params, 0))
    for k in range(1, corners(params)):
        height = dot(up, corner(params, k))
        if height < lowest:
            best, lowest = k, height
    return best


@kernel
def written(state, params, axes, spin, place, mode, k, velocity, work, loss):  # type: ignore[no-untyped-def]
    """The state with these parts; ``place``, ``velocity``: of corner k, of the centre of mass where
    the body is loose."""
    ahead, _, up = axes
    c = corner(params, foot(up, params))
    lean, rate, tilt = lean_of(up, cross(up, spin), (c[0], c[1]), params[HEIGHT])
    head = (lean, rate, tilt, *up, *ahead, *spin, place[0], place[1])
    return (*head, mode, k, work, loss, place[2], *velocity)


@kernel
def body_of(state):  # type: ignore[no-untyped-def]
    """(Axes of the ground as the body sees them, place and velocity of the centre of mass, angular
    velocity in the body frame) of a loose body."""
    up, ahead, spin = state[UP:AHEAD], state[AHEAD:SPIN], state[SPIN:PLACE]
    place = (state[PLACE], state[PLACE + 1], state[MORE])
    return (ahead, cross(up, ahead), up), place, state[DRIFT:DRIFT_END], spin


@kernel
def loose_state(state, params, body, work, loss):  # type: ignore[no-untyped-def]
    axes, place, velocity, spin = body
    k = float(foot(axes[2], params))
    return written(state, params, axes, spin, place, LOOSE, k, velocity, work, loss)


@kernel
def loosened(state, params):  # type: ignore[no-untyped-def]
    """A body that sticks, as a loose one."""
    up, ahead, spin = state[UP:AHEAD], state[AHEAD:SPIN], state[SPIN:PLACE]
    axes = (ahead, cross(up, ahead), up)
    d = scale(-1.0, corner(params, int(state[PIVOT])))
    x, y, z = in_ground_frame(axes, d)
    body = (
        axes,
        (state[PLACE] + x, state[PLACE + 1] + y, z),
        in_ground_frame(axes, cross(spin, d)),
        spin,
    )
    return loose_state(state, params, body, state[WORK], state[LOSS])


@fused_kernel
def energy_of(body, params):  # type: ignore[no-untyped-def]
    """Energy of a loose body per unit mass [m²/s²], zero at rest."""
    _, place, velocity, spin = body
    turning = dot(spin, apply(params[INERTIA:ALLOWED], spin))
    return 0.5 * (dot(velocity, velocity) + turning) + params[G] * (place[2] - params[HEIGHT])


@kernel
def sticking_state(state, params, body, mode, k):  # type: ignore[no-untyped-def]
    """The state on corner k or the edge that begins there, with what that loses."""
    axes, place, velocity, spin = body
    J, c = params[INERTIA:ALLOWED], corner(params, k)
    d = scale(-1.0, c)
    up = axes[2]
    kept = add_cross(apply(J, spin), d, in_body_frame(axes, velocity))
    about = about_point(J, d)
    if mode == EDGE:
        e, _ = edge(params, k)
        up = add_scaled(up, -dot(up, e), e)
        after = scale(dot(e, kept) / dot(e, apply(about, e)), e)
    else:
        after = apply(inverse(about), kept)
    x, y, _ = in_ground_frame(axes, c)
    axes = attitude(up, axes[0])
    moves = in_ground_frame(axes, cross(after, d))
    now = axes, (0.0, 0.0, in_ground_frame(axes, d)[2]), moves, after
    loss = state[LOSS] + params[MASS] * (energy_of(body, params) - energy_of(now, params))
    on = (place[0] + x, place[1] + y, 0.0)
    return written(state, params, axes, after, on, mode, float(k), NO_MOTION, state[WORK], loss)


@kernel
def first_pressing(params, table):  # type: ignore[no-untyped-def]
    """The first corner that presses, and the next one counter-clockwise where that presses too:
    (corner, whether it begins an edge that presses)."""
    n = corners(params)
    found = -1
    for k in range(n):
        if impulse_at(table, k)[2] > 0:
            if found < 0:
                found = k
            if impulse_at(table, next_corner(params, k))[2] > 0:
                return k, True
    return found, False


@kernel
def clear(state, params):  # type: ignore[no-untyped-def]
    """Whether all corners but those it stands on are off the ground, by more than rounding."""
    up, k = state[UP:AHEAD], int(state[PIVOT])
    also = next_corner(params, k) if state[MODE] == EDGE else k
    foot_height = dot(up, corner(params, k))
    for j in range(corners(params)):
        height = dot(up, corner(params, j)) - foot_height
        if j != k and j != also and height < OFF * params[HEIGHT]:
            return False
    return True


@kernel
def sticks_again(state, params, body, ground, pressing, table):  # type: ignore[no-untyped-def]
    """(State, whether it sticks now); all corners that press do not slip any more."""
    k, on_edge = first_pressing(params, table)
    if pressing == 1 or (pressing == 2 and on_edge):
        new = sticking_state(state, params, body, EDGE if pressing == 2 else VERTEX, k)
        if clear(new, params) and margin(new, params, ground) > 0:
            return new, True
    return state, False


@kernel
def lies_flat(body, params, dt):  # type: ignore[no-untyped-def]
    """Whether the whole base lies on the ground and no corner moves up or down, as far as a time
    step can tell."""
    axes, place, velocity, spin = body
    reach, calm = 4 * reach_of(params, dt), params[G] * dt
    turn = in_ground_frame(axes, spin)
    for k in range(corners(params)):
        r = in_ground_frame(axes, corner(params, k))
        if place[2] + r[2] > reach or abs(velocity_at((velocity, turn), r)[2]) > calm:
            return False
    return True


@kernel
def laid_flat(body, params):  # type: ignore[no-untyped-def]
    """The body on its whole base exactly; it goes on sliding and spinning."""
    axes, place, velocity, spin = body
    axes = attitude(LEVEL, (axes[0][0], axes[0][1], 0.0))
    flat = (place[0], place[1], params[HEIGHT])
    return axes, flat, (velocity[0], velocity[1], 0.0), (0.0, 0.0, spin[2])


@kernel
def is_flat(state, params):  # type: ignore[no-untyped-def]
    """Whether a loose body lies on its whole base: exactly, see `laid_flat`."""
    level = state[UP] == 0 and state[UP + 1] == 0 and state[MORE] == params[HEIGHT]
    turns = state[SPIN] != 0 or state[SPIN + 1] != 0 or state[MORE + 3] != 0
    return level and not turns

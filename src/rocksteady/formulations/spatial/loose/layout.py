"""Where each number stands in the state and in the parameters of a body in space."""

from rocksteady.numerics.decorators import kernel

# The state: see `formulations/spatial/state.py`. `PLACE` is that of the pivot; of the centre of
# mass where the body is loose.
LEAN, LEAN_RATE, TILT = 0, 1, 2
UP, AHEAD, SPIN = 3, 6, 9  # three numbers each
PLACE_X, PLACE_Y, MODE, PIVOT, WORK, LOSS, PLACE_Z, DRIFT = 12, 13, 14, 15, 16, 17, 18, 19
ON_BASE, ON_EDGE, ON_VERTEX, ON_RIM, LOOSE = 0.0, 1.0, 2.0, 3.0, 4.0  # modes

# The parameters, with the inertia per unit mass and the corners relative to the centre of mass.
G, MASS, H, INERTIA, TOLERANCE, COUNT, MU, RESTITUTION, CORNERS = 0, 1, 2, 3, 9, 10, 11, 12, 13


@kernel
def corner(params, k):  # type: ignore[no-untyped-def]
    """Corner k of the base in the body frame [m], seen from the centre of mass."""
    return params[CORNERS + k + k], params[CORNERS + k + k + 1], -params[H]


@kernel
def count(params):  # type: ignore[no-untyped-def]
    """Number of corners."""
    return int(params[COUNT])


@kernel
def following(params, k):  # type: ignore[no-untyped-def]
    """The corner after corner k, counter-clockwise."""
    return k + 1 if k + 1 < count(params) else 0


@kernel
def up(state):  # type: ignore[no-untyped-def]
    return state[UP], state[UP + 1], state[UP + 2]


@kernel
def ahead(state):  # type: ignore[no-untyped-def]
    return state[AHEAD], state[AHEAD + 1], state[AHEAD + 2]


@kernel
def spin(state):  # type: ignore[no-untyped-def]
    return state[SPIN], state[SPIN + 1], state[SPIN + 2]


@kernel
def place(state):  # type: ignore[no-untyped-def]
    return state[PLACE_X], state[PLACE_Y], state[PLACE_Z]


@kernel
def drift(state):  # type: ignore[no-untyped-def]
    return state[DRIFT], state[DRIFT + 1], state[DRIFT + 2]


@kernel
def inertia(params):  # type: ignore[no-untyped-def]
    """J_xx, J_yy, J_zz, J_xy, J_xz, J_yz per unit mass [m²], about the centre of mass."""
    return params[3], params[4], params[5], params[6], params[7], params[8]


@kernel
def ground_vector(ground):  # type: ignore[no-untyped-def]
    """The ground's acceleration along x, y, z; a step is given them in the order x, z, y."""
    return ground[0], ground[2], ground[1]

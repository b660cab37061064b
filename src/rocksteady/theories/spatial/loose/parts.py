"""The corners of a body, and vectors in the frame of the ground and of the body."""

from rocksteady.numerics.decorators import inner_fused_kernel, kernel
from rocksteady.numerics.triples import add_scaled, apply, dot, scale
from rocksteady.theories.spatial.pivots import CORNERS, COUNT, HEIGHT


@kernel
def corner(params, k):  # type: ignore[no-untyped-def]
    """Corner k of the base [m] from the centre of mass, in the body frame."""
    return params[CORNERS + k + k], params[CORNERS + k + k + 1], -params[HEIGHT]


@kernel
def corners(params):  # type: ignore[no-untyped-def]
    """How many there are."""
    return int(params[COUNT])


@kernel
def next_corner(params, k):  # type: ignore[no-untyped-def]
    """The corner after corner k, counter-clockwise."""
    return k + 1 if k + 1 < corners(params) else 0


@kernel
def push_of(ground):  # type: ignore[no-untyped-def]
    """The ground's acceleration along x, y, z; a step is given them in the order x, z, y."""
    return ground[0], ground[2], ground[1]


@inner_fused_kernel
def in_ground_frame(axes, a):  # type: ignore[no-untyped-def]
    """A vector of the body frame; ``axes``: the ground's x, y, z as the body sees them."""
    return dot(axes[0], a), dot(axes[1], a), dot(axes[2], a)


@inner_fused_kernel
def in_body_frame(axes, a):  # type: ignore[no-untyped-def]
    """A vector of the ground frame."""
    return add_scaled(add_scaled(scale(a[0], axes[0]), a[1], axes[1]), a[2], axes[2])


@inner_fused_kernel
def turned_matrix(axes, matrix):  # type: ignore[no-untyped-def]
    """A symmetric matrix of the body frame in the ground frame."""
    x, y, z = axes
    mx, my, mz = apply(matrix, x), apply(matrix, y), apply(matrix, z)
    return dot(x, mx), dot(y, my), dot(z, mz), dot(x, my), dot(x, mz), dot(y, mz)

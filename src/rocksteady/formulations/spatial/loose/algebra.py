"""Vectors of three numbers and symmetric matrices of six (xx, yy, zz, xy, xz, yz)."""

from rocksteady.numerics.decorators import inner_fused_kernel


@inner_fused_kernel
def dot(a, b):  # type: ignore[no-untyped-def]
    return a[0] * b[0] + (a[1] * b[1] + a[2] * b[2])


@inner_fused_kernel
def cross(a, b):  # type: ignore[no-untyped-def]
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@inner_fused_kernel
def plus(a, factor, b):  # type: ignore[no-untyped-def]
    """a + factor b"""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@inner_fused_kernel
def times_vector(matrix, a):  # type: ignore[no-untyped-def]
    xx, yy, zz, xy, xz, yz = matrix
    return (
        xx * a[0] + (xy * a[1] + xz * a[2]),
        xy * a[0] + (yy * a[1] + yz * a[2]),
        xz * a[0] + (yz * a[1] + zz * a[2]),
    )


@inner_fused_kernel
def solved(matrix, a):  # type: ignore[no-untyped-def]
    """x of matrix x = a."""
    return times_vector(inverse(matrix), a)


@inner_fused_kernel
def inverse(matrix):  # type: ignore[no-untyped-def]
    xx, yy, zz, xy, xz, yz = matrix
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    over = 1 / (xx * a + (xy * b + xz * c))
    d, e, f = xx * zz - xz * xz, xx * yy - xy * xy, xy * xz - xx * yz
    return a * over, d * over, e * over, b * over, c * over, f * over


@inner_fused_kernel
def about(matrix, d):  # type: ignore[no-untyped-def]
    """Inertia per unit mass about a point from which the centre of mass is at d (Steiner)."""
    xx, yy, zz, xy, xz, yz = matrix
    x, y, z = d
    return (
        xx + (y * y + z * z),
        yy + (x * x + z * z),
        zz + (x * x + y * y),
        xy - x * y,
        xz - x * z,
        yz - y * z,
    )


@inner_fused_kernel
def in_ground_frame(axes, a):  # type: ignore[no-untyped-def]
    """A vector given in the body frame; ``axes``: the ground's x, y, z in the body frame."""
    return dot(axes[0], a), dot(axes[1], a), dot(axes[2], a)


@inner_fused_kernel
def in_body_frame(axes, a):  # type: ignore[no-untyped-def]
    x, y, z = axes
    return plus(plus((a[0] * x[0], a[0] * x[1], a[0] * x[2]), a[1], y), a[2], z)


@inner_fused_kernel
def turned_matrix(axes, matrix):  # type: ignore[no-untyped-def]
    """A symmetric matrix of the body frame in the ground frame."""
    x, y, z = axes
    mx, my, mz = times_vector(matrix, x), times_vector(matrix, y), times_vector(matrix, z)
    return dot(x, mx), dot(y, my), dot(z, mz), dot(x, my), dot(x, mz), dot(y, mz)

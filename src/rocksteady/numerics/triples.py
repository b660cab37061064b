"""Vectors of three numbers and symmetric matrices of six, as tuples: what a body in space needs.

A symmetric matrix is (xx, yy, zz, xy, xz, yz).
"""

from rocksteady.numerics.decorators import inner_fused_kernel


@inner_fused_kernel
def dot(a, b):  # type: ignore[no-untyped-def]
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inner_fused_kernel
def level_dot(a, r):  # type: ignore[no-untyped-def]
    """a·r of a vector r = (x, y) in the plane of the base."""
    return a[0] * r[0] + a[1] * r[1]


@inner_fused_kernel
def cross(a, b):  # type: ignore[no-untyped-def]
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@inner_fused_kernel
def add_cross(c, a, b):  # type: ignore[no-untyped-def]
    """c + a × b."""
    return (
        c[0] + a[1] * b[2] - a[2] * b[1],
        c[1] + a[2] * b[0] - a[0] * b[2],
        c[2] + a[0] * b[1] - a[1] * b[0],
    )


@inner_fused_kernel
def add(a, b):  # type: ignore[no-untyped-def]
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inner_fused_kernel
def subtract(a, b):  # type: ignore[no-untyped-def]
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inner_fused_kernel
def scale(factor, a):  # type: ignore[no-untyped-def]
    return factor * a[0], factor * a[1], factor * a[2]


@inner_fused_kernel
def add_scaled(c, factor, a):  # type: ignore[no-untyped-def]
    """c + factor a."""
    return c[0] + factor * a[0], c[1] + factor * a[1], c[2] + factor * a[2]


@inner_fused_kernel
def apply(m, v):  # type: ignore[no-untyped-def]
    """The symmetric matrix m applied to v."""
    xx, yy, zz, xy, xz, yz = m
    return (
        xx * v[0] + xy * v[1] + xz * v[2],
        xy * v[0] + yy * v[1] + yz * v[2],
        xz * v[0] + yz * v[1] + zz * v[2],
    )


@inner_fused_kernel
def inverse(m):  # type: ignore[no-untyped-def]
    """Of a symmetric matrix, by its minors."""
    xx, yy, zz, xy, xz, yz = m
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    per = 1.0 / (xx * a + xy * b + xz * c)
    return (
        per * a,
        per * (xx * zz - xz * xz),
        per * (xx * yy - xy * xy),
        per * b,
        per * c,
        per * (xy * xz - xx * yz),
    )


@inner_fused_kernel
def about_point(m, d):  # type: ignore[no-untyped-def]
    """The inertia m per unit mass, about the centre of mass, about a point that lies at −d from
    it: m + (d·d) 1 − d dᵀ (Steiner)."""
    x, y, z = d
    return (
        m[0] + (y * y + z * z),
        m[1] + (x * x + z * z),
        m[2] + (x * x + y * y),
        m[3] - x * y,
        m[4] - x * z,
        m[5] - y * z,
    )

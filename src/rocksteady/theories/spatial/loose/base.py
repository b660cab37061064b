"""Integrals over the part of a flat base that presses, in closed form.

Seen from above in the body frame, with the centre of mass at the origin, the base slides with the
velocity c + w z × r, and friction acts everywhere against its direction e. About the point that
does not move (at distance q) e is ± z × ∇q, and q is homogeneous of degree 1: so integrals of e
over an area are integrals of q along its edges, elementary where these are straight (M0, M1
below). Where that point is far away e hardly changes, and Gauss' rule of seven points does.

An area is summed edge by edge, counter-clockwise. Its 15 sums are the integrals of

    1, x, y, xx, xy, yy,   e_x (1, x, y),   e_y (1, x, y),   (x e_y − y e_x) (1, x, y).
"""

import math

from rocksteady.numerics.decorators import fused_kernel, kernel
from rocksteady.theories.spatial.loose.parts import corner, corners

NOTHING_YET = (0.0,) * 15
FAR = 1e3  # sizes of the base: the point that does not move is farther away than this
A1, A2 = 0.059715871789769820, 0.797426985353087322  # Gauss' rule of degree 5 on a triangle
W0, W1, W2 = 0.225, 0.132394152788506181, 0.125939180544827153


@fused_kernel
def moments(x0, y0, x1, y1):  # type: ignore[no-untyped-def]
    """What the edge from (x0, y0) to (x1, y1) adds to the integrals of 1, x, y, xx, xy, yy."""
    a = x0 * y1 - x1 * y0
    return (
        a / 2,
        a * (x0 + x1) / 6,
        a * (y0 + y1) / 6,
        a * (x0 * x0 + (x0 * x1 + x1 * x1)) / 12,
        a * (x0 * y1 + 2 * x0 * y0 + (2 * x1 * y1 + x1 * y0)) / 24,
        a * (y0 * y0 + (y0 * y1 + y1 * y1)) / 12,
    )


@fused_kernel
def ahead_of_foot(s, q, D):  # type: ignore[no-untyped-def]
    """s + q with q² = s² + D², without cancellation."""
    return s + q if s >= 0 else D * D / (q - s)


@fused_kernel
def near(x0, y0, x1, y1, cx, cy, w):  # type: ignore[no-untyped-def]
    """What an edge adds to the nine integrals with e; w is not zero."""
    u, v, side = -cy / w, cx / w, math.copysign(1.0, w)  # (u, v): the point that does not move
    length = math.hypot(x1 - x0, y1 - y0)
    if length == 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    tx, ty = (x1 - x0) / length, (y1 - y0) / length
    nx, ny = ty, -tx
    D = (x0 - u) * nx + (y0 - v) * ny
    s0 = (x0 - u) * tx + (y0 - v) * ty
    s1 = s0 + length
    q0, q1 = math.hypot(D, s0), math.hypot(D, s1)
    M0 = (s1 * q1 - s0 * q0) / 2
    if abs(D) > 1e-12 * length:
        M0 += D * D * math.log(ahead_of_foot(s1, q1, D) / ahead_of_foot(s0, q0, D)) / 2
    M1 = (q1 * q1 * q1 - q0 * q0 * q0) / 3
    # along the edge X = D nx + s tx, Y = D ny + s ty, from the point that does not move
    qX, qY = D * nx * M0 + tx * M1, D * ny * M0 + ty * M1
    q, Xq, Yq = D * M0 / 3, D * qX / 4, D * qY / 4  # over the area: q, X q, Y q
    X, Y = M0 * nx, M0 * ny  # over the area: X/q, Y/q
    XX, XY, YY = qX * nx - q, qX * ny, qY * ny - q
    # e = side (−Y, X)/q; x = u + X, y = v + Y; x e_y − y e_x = side (q + (u X + v Y)/q)
    twist = q + (u * X + v * Y)
    x_twist = Xq + (u * XX + v * XY) + u * twist
    y_twist = Yq + (u * XY + v * YY) + v * twist
    return (
        -side * Y,
        -side * (XY + u * Y),
        -side * (YY + v * Y),
        side * X,
        side * (XX + u * X),
        side * (XY + v * X),
        side * twist,
        side * x_twist,
        side * y_twist,
    )


@fused_kernel
def at_point(x, y, weight, cx, cy, w):  # type: ignore[no-untyped-def]
    ux, uy = cx - w * y, cy + w * x
    over = weight / math.hypot(ux, uy)
    ex, ey = ux * over, uy * over
    twist = x * ey - y * ex
    return ex, x * ex, y * ex, ey, x * ey, y * ey, twist, x * twist, y * twist


@kernel
def far(x0, y0, x1, y1, cx, cy, w):  # type: ignore[no-untyped-def]
    """What an edge adds to the nine integrals with e, where e hardly changes: Gauss' rule over the
    triangle between the edge and the origin."""
    area = (x0 * y1 - x1 * y0) / 2
    total = at_point((x0 + x1) / 3, (y0 + y1) / 3, W0 * area, cx, cy, w)
    for a, weight in ((A1, W1), (A2, W2)):
        b = (1 - a) / 2
        for p, q in ((a, b), (b, a), (b, b)):
            one = at_point(p * x0 + q * x1, p * y0 + q * y1, weight * area, cx, cy, w)
            total = (
                total[0] + one[0],
                total[1] + one[1],
                total[2] + one[2],
                total[3] + one[3],
                total[4] + one[4],
                total[5] + one[5],
                total[6] + one[6],
                total[7] + one[7],
                total[8] + one[8],
            )
    return total


@kernel
def with_edge(sums, start, end, slide, size):  # type: ignore[no-untyped-def]
    """The sums once this edge is added; ``slide``: (c_x, c_y, w); ``size`` of the base [m]."""
    x0, y0 = start
    x1, y1 = end
    cx, cy, w = slide
    if math.hypot(cx, cy) < FAR * size * abs(w):
        e = near(x0, y0, x1, y1, cx, cy, w)
    else:
        e = far(x0, y0, x1, y1, cx, cy, w)
    m = moments(x0, y0, x1, y1)
    return (
        sums[0] + m[0],
        sums[1] + m[1],
        sums[2] + m[2],
        sums[3] + m[3],
        sums[4] + m[4],
        sums[5] + m[5],
        sums[6] + e[0],
        sums[7] + e[1],
        sums[8] + e[2],
        sums[9] + e[3],
        sums[10] + e[4],
        sums[11] + e[5],
        sums[12] + e[6],
        sums[13] + e[7],
        sums[14] + e[8],
    )


@kernel
def pressed_part(params, slide, pressure):  # type: ignore[no-untyped-def]
    """The 15 sums over that part of the base where p0 + px x + py y > 0."""
    sums = NOTHING_YET
    p0, px, py = pressure
    n = corners(params)
    last = corner(params, n - 1)
    x0, y0, size = last[0], last[1], size_of(params)
    before = p0 + px * x0 + py * y0
    out, back, cut = (0.0, 0.0), (0.0, 0.0), False
    for k in range(n):
        c = corner(params, k)
        x1, y1 = c[0], c[1]
        after = p0 + px * x1 + py * y1
        start, end = (x0, y0), (x1, y1)
        if before > 0 or after > 0:
            if not (before > 0 and after > 0):
                part = before / (before - after)
                point = (x0 + part * (x1 - x0), y0 + part * (y1 - y0))
                cut = True
                if before > 0:
                    end = out = point
                else:
                    start = back = point
            sums = with_edge(sums, start, end, slide, size)
        x0, y0, before = x1, y1, after
    if cut:
        sums = with_edge(sums, out, back, slide, size)
    return sums


@kernel
def base_area(params):  # type: ignore[no-untyped-def]
    """Area of the base [m²], to rounding not larger than the sum of `pressed_part`."""
    n = corners(params)
    last, total = corner(params, n - 1), 0.0
    for k in range(n):
        c = corner(params, k)
        total += last[0] * c[1] - c[0] * last[1]
        last = c
    return (1 - 1e-12) * total / 2


@kernel
def size_of(params):  # type: ignore[no-untyped-def]
    """How far the first corner is from the centre of mass, seen from above [m]."""
    c = corner(params, 0)
    return math.hypot(c[0], c[1])

"""Where corners are, and how far an end of a joint is open, at any pose."""

import math

from rocksteady.numerics.decorators import array_kernel
from rocksteady.theories.assembly.workspace import AT


@array_kernel
def take_pose(work, which):  # type: ignore[no-untyped-def]
    """Let `turn` hold for this pose."""
    body, turn = work.body, work.turn
    for i in range(len(turn)):
        for k in range(3 * i, 3 * i + 3):
            body[AT, k] = body[which, k]
        turn[i, 0] = math.cos(body[AT, 3 * i + 2])
        turn[i, 1] = math.sin(body[AT, 3 * i + 2])


@array_kernel
def place_corners(work):  # type: ignore[no-untyped-def]
    """Move all corners to the pose that `turn` holds for."""
    body, corner = work.body, work.corner
    for k in range(len(work.part)):
        i, first = work.part[k, 0], work.part[k, 1]
        x, y, c, s = body[AT, 3 * i], body[AT, 3 * i + 1], work.turn[i, 0], work.turn[i, 1]
        for j in range(first, first + work.part[k, 2]):
            corner[j, 2] = x + c * corner[j, 0] - s * corner[j, 1]
            corner[j, 3] = y + s * corner[j, 0] + c * corner[j, 1]


@array_kernel
def corner_at(work, j, i):  # type: ignore[no-untyped-def]
    """(x, y) of corner j of stone i, at the pose that `turn` holds for."""
    c, s = work.turn[i, 0], work.turn[i, 1]
    x, y = work.corner[j, 0], work.corner[j, 1]
    return work.body[AT, 3 * i] + c * x - s * y, work.body[AT, 3 * i + 1] + s * x + c * y


@array_kernel
def carriers(work, pair, corner):  # type: ignore[no-untyped-def]
    """(stone of the corner, stone of the edge, +1 if the corner is of stone a and −1 if of b)."""
    part, a = work.part, work.pair[pair, 0]
    if part[a, 1] <= corner < part[a, 1] + part[a, 2]:
        return work.pair[pair, 2], work.pair[pair, 3], 1.0
    return work.pair[pair, 3], work.pair[pair, 2], -1.0


@array_kernel
def end_at(work, side, pair, k):  # type: ignore[no-untyped-def]
    """Of end k of a joint, at the pose that `turn` holds for: (gap g, place ξ along the edge,
    x and y of the corner, outward normal of the edge, sign)."""
    j, e0, e1 = (
        work.foot[side, pair, k, 0],
        work.foot[side, pair, k, 1],
        work.foot[side, pair, k, 2],
    )
    of_corner, of_edge, sign = carriers(work, pair, j)
    x, y = corner_at(work, j, of_corner)
    x0, y0 = corner_at(work, e0, of_edge)
    x1, y1 = corner_at(work, e1, of_edge)
    tx, ty = x1 - x0, y1 - y0
    size = math.sqrt(tx * tx + ty * ty)
    tx, ty = tx / size, ty / size
    # counter-clockwise: outside is to the right of the edge
    return ty * (x - x0) - tx * (y - y0), tx * (x - x0) + ty * (y - y0), x, y, ty, -tx, sign


@array_kernel
def velocity_of_end(row, body, which, a, b):  # type: ignore[no-untyped-def]
    """H w of one row: direction · (velocity of a − velocity of b)."""
    return (
        row[0] * (body[which, 3 * a] - body[which, 3 * b])
        + row[1] * (body[which, 3 * a + 1] - body[which, 3 * b + 1])
        + row[2] * body[which, 3 * a + 2]
        - row[3] * body[which, 3 * b + 2]
    )

"""What pulls at the stones: weight, the forces of inertia of the moving ground, and links."""

import math

from rocksteady.numerics.decorators import array_kernel
from rocksteady.theories.assembly.places import take_pose
from rocksteady.theories.assembly.workspace import AT, GRAVITY, PULL

STIFFNESS, PRETENSION, LENGTH, STRENGTH, PUSHES, FIRST, POINTS = range(7)


@array_kernel
def pull(work, pose, ground):  # type: ignore[no-untyped-def]
    """Write the accelerations of all stones, without contact."""
    body = work.body
    for i in range(work.exact.shape[1] // 3):
        body[PULL, 3 * i] = -ground[0]
        body[PULL, 3 * i + 1] = -work.number[GRAVITY] - ground[1]
        body[PULL, 3 * i + 2] = 0.0
    if len(work.link):
        take_pose(work, pose)
        for k in range(len(work.link)):
            draw(work, k)


@array_kernel
def point_of(work, k):  # type: ignore[no-untyped-def]
    """(stone, x, y, arm x, arm y) of a point of a link, at the pose that `turn` holds for."""
    i = int(work.tied[k, 0])
    c, s, x, y = work.turn[i, 0], work.turn[i, 1], work.tied[k, 1], work.tied[k, 2]
    rx, ry = c * x - s * y, s * x + c * y
    return i, work.body[AT, 3 * i] + rx, work.body[AT, 3 * i + 1] + ry, rx, ry


@array_kernel
def length_of(work, k):  # type: ignore[no-untyped-def]
    """Length of a link [m]."""
    first, total = int(work.link[k, FIRST]), 0.0
    for j in range(first, first + int(work.link[k, POINTS]) - 1):
        _, x0, y0, _, _ = point_of(work, j)
        _, x1, y1, _, _ = point_of(work, j + 1)
        total += math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)
    return total


@array_kernel
def tension(work, k):  # type: ignore[no-untyped-def]
    """Force of a link [N]; none where it is slack or broken. What a link holds when it breaks is
    lost."""
    if work.broken[k]:
        return 0.0
    row = work.link[k]
    force = row[PRETENSION] + row[STIFFNESS] * (length_of(work, k) - row[LENGTH])
    if force > row[STRENGTH]:
        work.broken[k] = 1
        work.travel[1] += force * force / (2.0 * row[STIFFNESS])
        return 0.0
    return force if row[PUSHES] != 0.0 else max(force, 0.0)


@array_kernel
def draw(work, k):  # type: ignore[no-untyped-def]
    """Add what link k does to the accelerations of its stones."""
    force = tension(work, k)
    if force == 0.0:
        return
    first = int(work.link[k, FIRST])
    for j in range(first, first + int(work.link[k, POINTS]) - 1):
        a, x0, y0, ax, ay = point_of(work, j)
        b, x1, y1, bx, by = point_of(work, j + 1)
        dx, dy = x1 - x0, y1 - y0
        size = math.sqrt(dx * dx + dy * dy)
        if size > 0.0:
            fx, fy = force * dx / size, force * dy / size
            bear(work, a, fx, fy, ax * fy - ay * fx)
            bear(work, b, -fx, -fy, -(bx * fy - by * fx))


@array_kernel
def bear(work, i, fx, fy, moment):  # type: ignore[no-untyped-def]
    """Add a force and its moment about the centre to the acceleration of stone i."""
    work.body[PULL, 3 * i] += fx * work.shape[i, 0]
    work.body[PULL, 3 * i + 1] += fy * work.shape[i, 0]
    work.body[PULL, 3 * i + 2] += moment * work.shape[i, 1]

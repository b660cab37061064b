"""Which parts touch, and where: pairs of near parts, and the two ends of the joint of each.

Of two convex polygons the *reference edge* is the one that separates them most, the *incident edge*
that of the other which faces it most. Their common segment, seen along the reference edge, is the
joint; each of its ends is the corner of one part on the edge of the other.
"""

import math

from rocksteady.numerics.decorators import array_kernel
from rocksteady.theories.assembly.places import end_at, place_corners, take_pose
from rocksteady.theories.assembly.workspace import AWAY, FACTORED, MARGIN, OFF, PAIRS, PLANNED, SAME

SHORTEST = 1e-6  # of the reference edge: a joint shorter than this is none


@array_kernel
def list_pairs(work):  # type: ignore[no-untyped-def]
    """Make the list of near parts for the present corners. False where it has no room."""
    box, order, part, corner = work.box, work.order, work.part, work.corner
    half = work.number[MARGIN] / 2
    for k in range(len(part)):
        low_x = low_y = math.inf
        high_x = high_y = -math.inf
        for j in range(part[k, 1], part[k, 1] + part[k, 2]):
            low_x, high_x = min(low_x, corner[j, 2]), max(high_x, corner[j, 2])
            low_y, high_y = min(low_y, corner[j, 3]), max(high_y, corner[j, 3])
        box[k, 0], box[k, 1] = low_x - half, high_x + half
        box[k, 2], box[k, 3] = low_y - half, high_y + half
    for i in range(1, len(order)):  # nearly in order: by insertion
        k, j = order[i], i - 1
        while j >= 0 and box[order[j], 0] > box[k, 0]:
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = k
    before = remember(work)
    n, most = 0, len(work.pair)
    for i in range(len(order)):
        k = order[i]
        for j in range(i + 1, len(order)):
            other = order[j]
            if box[other, 0] > box[k, 1]:
                break
            if box[other, 2] > box[k, 3] or box[k, 2] > box[other, 3]:
                continue
            a, b = min(k, other), max(k, other)
            stone_a, stone_b = part[a, 0], part[b, 0]
            fixed = work.shape[stone_a, 0] == 0.0 and work.shape[stone_b, 0] == 0.0
            if fixed or stone_a == stone_b:
                continue
            if n == most:
                return False
            add_pair(work, n, a, b)
            n += 1
    same = n == before
    if same:
        for i in range(n):
            if work.pair[i, 0] != work.old[i, 0] or work.pair[i, 1] != work.old[i, 1]:
                same = False
                break
    work.tally[PAIRS] = n
    recall(work, before, n)
    if not same:
        work.tally[PLANNED] = 0
        forget_statuses(work)
    return True


@array_kernel
def forget_statuses(work):  # type: ignore[no-untyped-def]
    """Let the next solve begin with all ends shut and all joints stuck."""
    work.tally[FACTORED] = 0
    for i in range(work.tally[PAIRS]):
        work.kept[i, 0] = work.kept[i, 1] = AWAY
        work.kept[i, 2] = OFF


@array_kernel
def add_pair(work, n, a, b):  # type: ignore[no-untyped-def]
    pair, part = work.pair, work.part
    pair[n, 0], pair[n, 1], pair[n, 2], pair[n, 3], pair[n, 4] = a, b, part[a, 0], part[b, 0], 0
    work.rub[n, 0] = friction_of(work, part[a, 3], part[b, 3])


@array_kernel
def friction_of(work, i, j):  # type: ignore[no-untyped-def]
    """Of the joint of two stones, by their numbers in the assembly."""
    code = min(i, j) * len(work.shape) + max(i, j)
    low, high = 0, len(work.key)
    while low < high:
        middle = (low + high) // 2
        if work.key[middle] < code:
            low = middle + 1
        else:
            high = middle
    if low < len(work.key) and work.key[low] == code:
        return work.friction[low]
    return work.friction[len(work.friction) - 1]


@array_kernel
def remember(work):  # type: ignore[no-untyped-def]
    """Set the list and what its joints remember aside; how many there were."""
    n = work.tally[PAIRS]
    for i in range(n):
        for k in range(5):
            work.old[i, k] = work.pair[i, k]
        for k in range(3):
            work.memory[i, k] = work.force[i, k]
        work.memory[i, 3], work.memory[i, 4] = work.hold[i, 0], work.hold[i, 1]
        work.memory[i, 5], work.memory[i, 6] = work.held[i, 0], work.held[i, 1]
    return n


@array_kernel
def recall(work, before, n):  # type: ignore[no-untyped-def]
    """Give the joints of the new list what they remembered in the old one. Both lists begin with
    the same pairs as long as nothing changes, so the search starts where the last one ended."""
    at = 0
    for i in range(n):
        for k in range(3):
            work.force[i, k] = 0.0
        work.held[i, 0] = work.held[i, 1] = -1
        for step in range(before):
            j = (at + step) % before
            if work.old[j, 0] == work.pair[i, 0] and work.old[j, 1] == work.pair[i, 1]:
                for k in range(3):
                    work.force[i, k] = work.memory[j, k]
                work.hold[i, 0], work.hold[i, 1] = work.memory[j, 3], work.memory[j, 4]
                work.held[i, 0], work.held[i, 1] = int(work.memory[j, 5]), int(work.memory[j, 6])
                work.pair[i, 4] = work.old[j, 4]
                at = j + 1
                break


@array_kernel
def find_contacts(work, which, side):  # type: ignore[no-untyped-def]
    """The joints of all pairs at this pose, into this side. The corners are placed there."""
    take_pose(work, which)
    place_corners(work)
    for pair in range(work.tally[PAIRS]):
        find_joint(work, side, pair)


@array_kernel
def separation(work, a, b):  # type: ignore[no-untyped-def]
    """(How far the best edge of part a is from part b, that edge)."""
    part, corner = work.part, work.corner
    first, count = part[a, 1], part[a, 2]
    other, others = part[b, 1], part[b, 2]
    best, edge = -math.inf, first
    for j in range(count):
        at, to = first + j, first + (j + 1) % count
        nx, ny = corner[to, 3] - corner[at, 3], corner[at, 2] - corner[to, 2]
        least = math.inf
        for k in range(other, other + others):
            value = nx * (corner[k, 2] - corner[at, 2]) + ny * (corner[k, 3] - corner[at, 3])
            least = min(least, value)
        least /= math.sqrt(nx * nx + ny * ny)
        if least > best:
            best, edge = least, at
    return best, edge


@array_kernel
def next_corner(work, part, corner):  # type: ignore[no-untyped-def]
    first = work.part[part, 1]
    return first + (corner - first + 1) % work.part[part, 2]


@array_kernel
def facing(work, part, nx, ny):  # type: ignore[no-untyped-def]
    """The edge of a part whose normal is most opposed to (nx, ny)."""
    corner, best, edge = work.corner, math.inf, work.part[part, 1]
    for at in range(work.part[part, 1], work.part[part, 1] + work.part[part, 2]):
        to = next_corner(work, part, at)
        ex, ey = corner[to, 3] - corner[at, 3], corner[at, 2] - corner[to, 2]
        value = (nx * ex + ny * ey) / math.sqrt(ex * ex + ey * ey)
        if value < best:
            best, edge = value, at
    return edge


@array_kernel
def find_joint(work, side, pair):  # type: ignore[no-untyped-def]
    """The joint of one pair, if it has one."""
    corner, live, foot = work.corner, work.live, work.foot
    a, b = work.pair[pair, 0], work.pair[pair, 1]
    live[side, pair, 0] = 0
    apart_a, edge_a = separation(work, a, b)
    apart_b, edge_b = separation(work, b, a)
    if max(apart_a, apart_b) > work.number[MARGIN]:
        return
    same = work.number[SAME]
    if work.pair[pair, 4] == 0:
        by_a = apart_a >= apart_b - same
    else:
        by_a = apart_a > apart_b + same
    work.pair[pair, 4] = 0 if by_a else 1
    if not by_a:
        a, b, edge_a = b, a, edge_b
    r0, r1 = edge_a, next_corner(work, a, edge_a)
    tx, ty = corner[r1, 2] - corner[r0, 2], corner[r1, 3] - corner[r0, 3]
    length = math.sqrt(tx * tx + ty * ty)
    tx, ty = tx / length, ty / length
    i0 = facing(work, b, ty, -tx)
    i1 = next_corner(work, b, i0)
    at0 = tx * (corner[i0, 2] - corner[r0, 2]) + ty * (corner[i0, 3] - corner[r0, 3])
    at1 = tx * (corner[i1, 2] - corner[r0, 2]) + ty * (corner[i1, 3] - corner[r0, 3])
    # the incident edge runs against the reference edge: i1 is its low end
    if min(length, at0) - max(0.0, at1) <= SHORTEST * length:
        return
    if at1 >= 0.0:
        low, low_edge, low_to = i1, r0, r1
    else:
        low, low_edge, low_to = r0, i0, i1
    if at0 <= length:
        high, high_edge, high_to = i0, r0, r1
    else:
        high, high_edge, high_to = r1, i0, i1
    first, last = (0, 1) if by_a else (1, 0)  # along the tangent of part a
    for k, at, edge, to in ((first, low, low_edge, low_to), (last, high, high_edge, high_to)):
        foot[side, pair, k, 0], foot[side, pair, k, 1], foot[side, pair, k, 2] = at, edge, to
        work.gap[side, pair, k] = end_at(work, side, pair, k)[0]
    live[side, pair, 0] = 1
    live[side, pair, 1] = leading(work, side, pair)


@array_kernel
def leading(work, side, pair):  # type: ignore[no-untyped-def]
    """The end at which a joint sticks: the nearer one; of two alike the one that it stuck with."""
    g0, g1 = work.gap[side, pair, 0], work.gap[side, pair, 1]
    if abs(g0 - g1) > work.number[SAME]:
        return 0 if g0 < g1 else 1
    return 1 if work.foot[side, pair, 1, 0] == work.held[pair, 0] else 0

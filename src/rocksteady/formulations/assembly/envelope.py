"""The matrix of Newton's method: M + Hᵀ D H over the stones that move, within its envelope.

Stones are numbered by the reverse of Cuthill and McKee, so that neighbours are close; L and U are
kept between the first entry of a row and the diagonal, as long rows that are multiplied fast. A
column of drums has a band of two stones, a wall about as many as it has rows.
"""

from rocksteady.formulations.assembly.workspace import PAIRS, PLANNED
from rocksteady.numerics.decorators import array_kernel, summing_kernel

PLACE, STONE, FIRST, WORK = range(4)  # columns of `rank`


@array_kernel
def neighbours(work, i):  # type: ignore[no-untyped-def]
    """How many pairs stone i has with stones that move."""
    n, moving = 0, work.exact.shape[1] // 3
    for pair in range(work.tally[PAIRS]):
        a, b = work.pair[pair, 2], work.pair[pair, 3]
        if a < moving and b < moving and (a == i or b == i):
            n += 1
    return n


@array_kernel
def plan(work):  # type: ignore[no-untyped-def]
    """Number the stones and lay out the envelope; PLANNED is −1 where it has no room."""
    rank, start = work.rank, work.start
    moving = work.exact.shape[1] // 3
    for i in range(moving):
        rank[i, PLACE], rank[i, WORK] = -1, neighbours(work, i)
    done = 0
    while done < moving:
        seed = -1
        for i in range(moving):
            if rank[i, PLACE] < 0 and (seed < 0 or rank[i, WORK] < rank[seed, WORK]):
                seed = i
        rank[seed, PLACE], rank[done, STONE] = done, seed
        head = done
        done += 1
        while head < done:
            i = rank[head, STONE]
            head += 1
            for pair in range(work.tally[PAIRS]):
                a, b = work.pair[pair, 2], work.pair[pair, 3]
                if a >= moving or b >= moving or not (a == i or b == i):
                    continue
                other = a + b - i
                if rank[other, PLACE] < 0:
                    rank[other, PLACE], rank[done, STONE] = done, other
                    done += 1
    for i in range(moving):
        rank[i, PLACE] = moving - 1 - rank[i, PLACE]
    for i in range(moving):
        rank[rank[i, PLACE], STONE] = i
        rank[i, FIRST] = i
    for pair in range(work.tally[PAIRS]):
        a, b = work.pair[pair, 2], work.pair[pair, 3]
        if a < moving and b < moving:
            low, high = min(rank[a, PLACE], rank[b, PLACE]), max(rank[a, PLACE], rank[b, PLACE])
            rank[high, FIRST] = min(rank[high, FIRST], low)
    at = 0
    for k in range(3 * moving):
        start[k, 0], start[k, 1] = at, 3 * rank[k // 3, FIRST]
        at += k - start[k, 1] + 1
    start[3 * moving, 0] = at
    work.tally[PLANNED] = 1 if at <= len(work.lower) else -1


@array_kernel
def clear(work):  # type: ignore[no-untyped-def]
    """Put the masses on the diagonal, zero elsewhere."""
    moving = work.exact.shape[1] // 3
    for at in range(work.start[3 * moving, 0]):
        work.lower[at] = work.upper[at] = 0.0
    for i in range(moving):
        for k in range(3):
            row = 3 * work.rank[i, PLACE] + k
            mass = 1.0 / (work.shape[i, 0] if k < 2 else work.shape[i, 1])
            work.upper[work.start[row + 1, 0] - 1] = mass


@array_kernel
def add(work, row, column, value):  # type: ignore[no-untyped-def]
    """To the entry of the matrix; the diagonal is in U, and U lies transposed."""
    if row > column:
        work.lower[work.start[row, 0] + column - work.start[row, 1]] += value
    else:
        work.upper[work.start[column, 0] + row - work.start[column, 1]] += value


@summing_kernel
def dots(lower, upper, a, b, c, to, n):  # type: ignore[no-untyped-def]
    """Of three rows of L that begin at a, b and c with a column of U at ``to``, and of the same
    places of U with that of L."""
    a_l = b_l = c_l = a_u = b_u = c_u = 0.0
    for k in range(n):
        low, up = lower[to + k], upper[to + k]
        a_l += lower[a + k] * up
        b_l += lower[b + k] * up
        c_l += lower[c + k] * up
        a_u += upper[a + k] * low
        b_u += upper[b + k] * low
        c_u += upper[c + k] * low
    return a_l, b_l, c_l, a_u, b_u, c_u


@summing_kernel
def dot(left, at, right, to, n):  # type: ignore[no-untyped-def]
    total = 0.0
    for k in range(n):
        total += left[at + k] * right[to + k]
    return total


@array_kernel
def factor(work):  # type: ignore[no-untyped-def]
    """L U of the matrix in its place, L with ones on the diagonal, the three rows of a stone at a
    time. False if a pivot vanishes."""
    start, lower, upper = work.start, work.lower, work.upper
    for stone in range(work.exact.shape[1] // 3):
        i = 3 * stone
        first = start[i, 1]
        for j in range(first, i):
            other = start[j, 1]
            low = max(first, other)
            a, b, c = start[i, 0] - first, start[i + 1, 0] - first, start[i + 2, 0] - first
            a_l, b_l, c_l, a_u, b_u, c_u = dots(
                lower, upper, a + low, b + low, c + low, start[j, 0] + low - other, j - low
            )
            pivot = 1.0 / upper[start[j + 1, 0] - 1]
            lower[a + j] = (lower[a + j] - a_l) * pivot
            lower[b + j] = (lower[b + j] - b_l) * pivot
            lower[c + j] = (lower[c + j] - c_l) * pivot
            upper[a + j] -= a_u
            upper[b + j] -= b_u
            upper[c + j] -= c_u
        for row in range(i, i + 3):
            at = start[row, 0] - first
            for j in range(i, row):
                to, n = start[j, 0] - first, j - first
                pivot = upper[start[j + 1, 0] - 1]
                part = dot(lower, at + first, upper, to + first, n)
                lower[at + j] = (lower[at + j] - part) / pivot
                upper[at + j] -= dot(upper, at + first, lower, to + first, n)
            pivot = upper[at + row] - dot(lower, at + first, upper, at + first, row - first)
            upper[at + row] = pivot
            if not abs(pivot) > 1e-300:
                return False
    return True


@array_kernel
def substitute(work):  # type: ignore[no-untyped-def]
    """Solve for the right-hand side exact[0], into exact[1]; both are numbered as the matrix."""
    start, lower, upper = work.start, work.lower, work.upper
    n, x = work.exact.shape[1], work.exact[1]
    for i in range(n):
        x[i] = work.exact[0, i] - dot(lower, start[i, 0], x, start[i, 1], i - start[i, 1])
    for i in range(n - 1, -1, -1):
        x[i] /= upper[start[i + 1, 0] - 1]
        at, first = start[i, 0], start[i, 1]
        for k in range(first, i):
            x[k] -= upper[at + k - first] * x[i]

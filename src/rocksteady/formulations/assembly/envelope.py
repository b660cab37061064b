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
def dot(left, at, right, to, n):  # type: ignore[no-untyped-def]
    total = 0.0
    for k in range(n):
        total += left[at + k] * right[to + k]
    return total


@array_kernel
def factor(work):  # type: ignore[no-untyped-def]
    """L U of the matrix in its place, L with ones on the diagonal. False if a pivot vanishes."""
    start, lower, upper = work.start, work.lower, work.upper
    for i in range(work.exact.shape[1]):
        at, first = start[i, 0], start[i, 1]
        for j in range(first, i):
            from_, other = start[j, 0], start[j, 1]
            low = max(first, other)
            l_at, l_to = at + low - first, from_ + low - other
            lower[at + j - first] -= dot(lower, l_at, upper, l_to, j - low)
            lower[at + j - first] /= upper[start[j + 1, 0] - 1]
            upper[at + j - first] -= dot(lower, l_to, upper, l_at, j - low)
        pivot = upper[start[i + 1, 0] - 1] - dot(lower, at, upper, at, i - first)
        upper[start[i + 1, 0] - 1] = pivot
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

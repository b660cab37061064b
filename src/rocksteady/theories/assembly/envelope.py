"""The matrix of Newton's method: M + Hᵀ D H over the stones that move, within its envelope.

Stones are numbered by the reverse of Cuthill and McKee, so that neighbours are close. A row is kept
from its first entry to its last one, which are those of its stone: what elimination adds lies
between them, and rows are long enough to be multiplied fast. A column of drums has a band of two
stones, a wall about as many as it has rows.
"""

from rocksteady.numerics.decorators import array_kernel, summing_kernel
from rocksteady.theories.assembly.workspace import PAIRS, PLANNED

PLACE, STONE, FIRST, LAST = range(4)  # columns of `rank`
BEGIN, LEFT, RIGHT = range(3)  # columns of `start`
INVERSE = 2  # row of `exact`: one over each pivot


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
        rank[i, PLACE], rank[i, LAST] = -1, neighbours(work, i)
    done = 0
    while done < moving:
        seed = -1
        for i in range(moving):
            if rank[i, PLACE] < 0 and (seed < 0 or rank[i, LAST] < rank[seed, LAST]):
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
        rank[i, FIRST] = rank[i, LAST] = i
    for pair in range(work.tally[PAIRS]):
        a, b = work.pair[pair, 2], work.pair[pair, 3]
        if a < moving and b < moving:
            low, high = min(rank[a, PLACE], rank[b, PLACE]), max(rank[a, PLACE], rank[b, PLACE])
            rank[high, FIRST] = min(rank[high, FIRST], low)
            rank[low, LAST] = max(rank[low, LAST], high)
    at = 0
    for i in range(moving):
        if i > 0:
            rank[i, LAST] = max(rank[i, LAST], rank[i - 1, LAST])
        for k in range(3 * i, 3 * i + 3):
            start[k, BEGIN], start[k, LEFT] = at, 3 * rank[i, FIRST]
            start[k, RIGHT] = 3 * rank[i, LAST] + 3
            at += start[k, RIGHT] - start[k, LEFT]
    start[3 * moving, BEGIN] = at
    work.tally[PLANNED] = 1 if at <= len(work.matrix) else -1


@array_kernel
def clear(work):  # type: ignore[no-untyped-def]
    """Put the masses on the diagonal, zero elsewhere."""
    moving = work.exact.shape[1] // 3
    for at in range(work.start[3 * moving, BEGIN]):
        work.matrix[at] = 0.0
    for i in range(moving):
        for k in range(3):
            row = 3 * work.rank[i, PLACE] + k
            mass = 1.0 / (work.shape[i, 0] if k < 2 else work.shape[i, 1])
            work.matrix[work.start[row, BEGIN] + row - work.start[row, LEFT]] = mass


@array_kernel
def add_block(work, i, j, x, y, z, u, v, w):  # type: ignore[no-untyped-def]
    """Add (x, y, z) (u, v, w)ᵀ to the entries of two stones, by their places in the matrix."""
    matrix = work.matrix
    at = work.start[3 * i, BEGIN] + 3 * j - work.start[3 * i, LEFT]
    size = work.start[3 * i, RIGHT] - work.start[3 * i, LEFT]
    for value in (x, y, z):
        matrix[at] += value * u
        matrix[at + 1] += value * v
        matrix[at + 2] += value * w
        at += size


@summing_kernel
def subtract_rows(matrix, to, size, at, step, n, p, q, r):  # type: ignore[no-untyped-def]
    """From the three rows of a stone, ``size`` apart, those of another, ``step`` apart, times the
    factors p, q, r of each."""
    a, b, c = (
        matrix[to : to + n],
        matrix[to + size : to + size + n],
        matrix[to + 2 * size : to + 2 * size + n],
    )
    d, e, f = (
        matrix[at : at + n],
        matrix[at + step : at + step + n],
        matrix[at + 2 * step : at + 2 * step + n],
    )
    p0, p1, p2 = p
    q0, q1, q2 = q
    r0, r1, r2 = r
    for k in range(n):
        x, y, z = d[k], e[k], f[k]
        a[k] -= p0 * x + p1 * y + p2 * z
        b[k] -= q0 * x + q1 * y + q2 * z
        c[k] -= r0 * x + r1 * y + r2 * z


@summing_kernel
def subtract_row(matrix, to, at, n, factor):  # type: ignore[no-untyped-def]
    a, d = matrix[to : to + n], matrix[at : at + n]
    for k in range(n):
        a[k] -= factor * d[k]


@summing_kernel
def dot(left, at, right, to, n):  # type: ignore[no-untyped-def]
    a, b, total = left[at : at + n], right[to : to + n], 0.0
    for k in range(n):
        total += a[k] * b[k]
    return total


@array_kernel
def factors(work, to, k, at, step):  # type: ignore[no-untyped-def]
    """Eliminate the three columns from k on in the row of the entry ``to``; the entries of L. The
    three rows of that stone begin with their pivots at ``at``."""
    matrix, inverse = work.matrix, work.exact[INVERSE]
    x = matrix[to] * inverse[k]
    y = (matrix[to + 1] - x * matrix[at + 1]) * inverse[k + 1]
    z = (matrix[to + 2] - x * matrix[at + 2] - y * matrix[at + step + 2]) * inverse[k + 2]
    matrix[to], matrix[to + 1], matrix[to + 2] = x, y, z
    return x, y, z


@array_kernel
def factor(work):  # type: ignore[no-untyped-def]
    """L U of the matrix in its place, L with ones on the diagonal, three rows and columns of a
    stone at a time. False if a pivot vanishes."""
    start, matrix, inverse = work.start, work.matrix, work.exact[INVERSE]
    for i in range(0, work.exact.shape[1], 3):
        first, size = start[i, LEFT], start[i, RIGHT] - start[i, LEFT]
        row = start[i, BEGIN] - first
        for k in range(first, i, 3):
            at, step = start[k, BEGIN] + k - start[k, LEFT], start[k, RIGHT] - start[k, LEFT]
            to, n = row + k, start[k, RIGHT] - k - 3
            p = factors(work, to, k, at, step)
            q = factors(work, to + size, k, at, step)
            r = factors(work, to + 2 * size, k, at, step)
            subtract_rows(matrix, to + 3, size, at + 3, step, n, p, q, r)
        for k in range(i, i + 3):
            at, n = row + (k - i) * size + k, start[k, RIGHT] - k - 1
            if not abs(matrix[at]) > 1e-300:
                return False
            inverse[k] = 1.0 / matrix[at]
            for to in range(at + size, row + 2 * size + k + 1, size):
                matrix[to] *= inverse[k]
                subtract_row(matrix, to + 1, at + 1, n, matrix[to])
    return True


@array_kernel
def substitute(work):  # type: ignore[no-untyped-def]
    """Solve for the right-hand side exact[0], into exact[1]; both are numbered as the matrix."""
    start, matrix = work.start, work.matrix
    n, x = work.exact.shape[1], work.exact[1]
    for i in range(n):
        at, first = start[i, BEGIN], start[i, LEFT]
        x[i] = work.exact[0, i] - dot(matrix, at, x, first, i - first)
    for i in range(n - 1, -1, -1):
        at = start[i, BEGIN] + i - start[i, LEFT] + 1
        x[i] -= dot(matrix, at, x, i + 1, start[i, RIGHT] - i - 1)
        x[i] *= work.exact[INVERSE, i]

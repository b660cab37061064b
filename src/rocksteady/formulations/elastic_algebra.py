"""Linear algebra inside the compiled step: a banded Cholesky factor and a small dense solver.

Loops run along contiguous memory and never sum in one variable, so that the processor's vector
units are used though no sum is reordered.
"""

from __future__ import annotations

import math

from rocksteady.formulations.contract import kernel


@kernel
def factorise(band, lower, rows):  # type: ignore[no-untyped-def]
    """Cholesky's factor L of the matrix that ``lower`` holds by columns (entry [j, k] is that of
    row j + k and column j), in place; ``rows`` gets the same by rows (entry [j, k] is that of row
    j, column j − ``band`` + k). The diagonal is kept as its reciprocal."""
    size = len(lower)
    for j in range(size):
        column = lower[j]
        last = min(band, size - 1 - j)
        unit = 1.0 / math.sqrt(column[0])
        column[0] = unit
        for k in range(1, last + 1):
            column[k] *= unit
        for k in range(1, last + 1):
            entry, below = column[k], lower[j + k]
            for i in range(k, last + 1):
                below[i - k] -= entry * column[i]
    for j in range(size):
        for k in range(band + 1):
            i = j - band + k
            rows[j, k] = lower[i, band - k] if i >= 0 else 0.0


@kernel
def substitute(band, lower, rows, x):  # type: ignore[no-untyped-def]
    """Solve L Lᵀ x = b, with b in ``x`` before and the solution after."""
    size = len(x)
    for j in range(size):
        column = lower[j]
        value = x[j] * column[0]
        x[j] = value
        part = x[j : min(j + band, size - 1) + 1]
        for k in range(1, len(part)):
            part[k] -= value * column[k]
    for j in range(size - 1, -1, -1):
        row = rows[j]
        value = x[j] * row[band]
        x[j] = value
        first = max(j - band, 0)
        part, entries = x[first:j], row[first - j + band : band]
        for k in range(len(part)):
            part[k] -= value * entries[k]


@kernel
def eliminate(a, n):  # type: ignore[no-untyped-def]
    """Solve n equations: ``a`` holds the matrix and, in column n, the right-hand side, which is
    replaced by the solution. Gauss with row pivots; False where the matrix is singular."""
    for j in range(n):
        pivot = j
        for i in range(j + 1, n):
            if abs(a[i, j]) > abs(a[pivot, j]):
                pivot = i
        if not abs(a[pivot, j]) > 0.0:
            return False
        if pivot != j:
            for k in range(j, n + 1):
                a[j, k], a[pivot, k] = a[pivot, k], a[j, k]
        unit = 1.0 / a[j, j]
        upper = a[j, j + 1 : n + 1]
        for i in range(j + 1, n):
            factor = a[i, j] * unit
            row = a[i, j + 1 : n + 1]
            for k in range(len(row)):
                row[k] -= factor * upper[k]
    for j in range(n - 1, -1, -1):
        value = a[j, n]
        for k in range(j + 1, n):
            value -= a[j, k] * a[k, n]
        a[j, n] = value / a[j, j]
    return True

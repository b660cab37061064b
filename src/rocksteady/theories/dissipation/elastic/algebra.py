"""Linear algebra inside the compiled step: sums of products, an inverse, a small dense solver."""

from rocksteady.numerics.decorators import array_kernel, summing_kernel

LANES = 8  # numbers at a time: arrays that `dot` reads are padded with zeros to a multiple of these


@summing_kernel
def dot(a, b):  # type: ignore[no-untyped-def]
    """Sum of products."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@array_kernel
def invert(a, n):  # type: ignore[no-untyped-def]
    """Replace the first n rows and columns, a symmetric positive definite matrix, by the inverse
    (Gauss and Jordan)."""
    for j in range(n):
        pivot = a[j]
        unit = 1.0 / pivot[j]
        pivot[j] = 1.0
        for k in range(n):
            pivot[k] *= unit
        for i in range(n):
            if i != j:
                row = a[i]
                factor = row[j]
                row[j] = 0.0
                for k in range(n):
                    row[k] -= factor * pivot[k]
    for j in range(n):
        for i in range(j):
            a[i, j] = a[j, i] = 0.5 * (a[i, j] + a[j, i])


@array_kernel
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

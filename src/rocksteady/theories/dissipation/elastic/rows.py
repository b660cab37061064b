"""Solving with the block's matrix A, row of nodes by row of nodes.

A node is tied to those of its own row and of the rows above and below: A is block tridiagonal.
Elimination from the top down leaves S_k = A_kk − D_k A_k+1,k with D_k = A_k,k+1 S_k+1⁻¹, and with
these A x = b is solved by

    y_k = b_k − D_k y_k+1   from the top down,
    x_k = S_k⁻¹ y_k − D_k−1ᵀ x_k−1   from the base up.

S_k⁻¹ and D_k are small full matrices, as many as there are rows of nodes: products with them are
quick, where substitution with a banded factor waits for one number after the other.

Before a step is solved the forces at the base are unknown. They enter y₀ alone, so the whole way
down can be gone before, and the base's part of the inverse of A is S₀⁻¹. The load in the frame
turns with the unknown θ, hence two ways down: of a load, and of it turned by a right angle.
"""

from rocksteady.numerics.decorators import array_kernel, spliced_kernel
from rocksteady.theories.dissipation.elastic.algebra import dot, invert
from rocksteady.theories.dissipation.elastic.body import MX, X0, D, P

# The table of y: of the load of the step and of two fields which never change, each followed by
# that of the field turned by a right angle.
LOAD, TURNED, SHIFT, SHIFT_TURNED, STRETCH, STRETCH_TURNED = range(6)
LOADS = 6
REACH = 3  # how far along the row above a degree of freedom is tied to


@spliced_kernel
def prepare(h, params):  # type: ignore[no-untyped-def]
    """Eliminate in A for steps of h, and carry down the loads M e_x and M X."""
    down, up, columns, masses = params.down, params.up, params.columns, params.masses
    carried, field, base, stiffness = params.carried, params.field, params.base, params.stiffness
    rate, weight = 1 / (params.beta * h * h), 1 + params.alpha_h
    rows, width, padded = len(up), len(columns), down.shape[2]
    for k in range(rows - 1, -1, -1):
        fill(up[k], k, rate, weight, stiffness, masses)
        if k + 1 < rows:
            reduce(k, weight, stiffness, down, up)
        invert(up[k], width)
        for i in range(width if k + 1 < rows else 0):
            for j in range(width):
                up[k + 1, j, padded + i] = -down[k, i, j]
    load = field[P]
    for i in range(0, len(masses), 2):
        load[i], load[i + 1] = masses[i], 0.0
    carry_down(load, carried[SHIFT], carried[SHIFT_TURNED], down)
    carry_down(field[MX], carried[STRETCH], carried[STRETCH_TURNED], down)
    for i in range(width):
        for j in range(width):
            columns[i, j] = up[0, i, j]
        base[X0, i] = rate * dot(columns[i], carried[STRETCH, 0, :width])
    params.clock[0] = h


@array_kernel
def fill(matrix, k, rate, weight, stiffness, masses):  # type: ignore[no-untyped-def]
    """A_kk, into the place of S_k⁻¹."""
    width = len(matrix)
    for i in range(width):
        for j in range(i + 1):
            entry = weight * stiffness[k * width + j, i - j]
            matrix[i, j] = matrix[j, i] = entry
        matrix[i, i] += rate * masses[k * width + i]


@array_kernel
def reduce(k, weight, stiffness, down, up):  # type: ignore[no-untyped-def]
    """D_k, and S_k from A_kk."""
    product, matrix, upper, width = down[k], up[k], up[k + 1], up.shape[1]
    for i in range(width):
        row = product[i]
        for m in range(width):
            row[m] = 0.0
        for j in range(max(i - REACH, 0), min(i + REACH + 1, width)):
            tie = weight * stiffness[k * width + i, width + j - i]
            for m in range(width):
                row[m] += tie * upper[j, m]
    for i in range(width):
        for j in range(max(i - REACH, 0), min(i + REACH + 1, width)):
            tie = weight * stiffness[k * width + i, width + j - i]
            for m in range(width):
                matrix[m, i] -= tie * product[m, j]


@array_kernel
def carry_down(load, plain, turned, down):  # type: ignore[no-untyped-def]
    """y of a load and of the load turned by a right angle."""
    width = down.shape[1]
    for k in range(len(down), -1, -1):
        part, here, there = load[k * width : (k + 1) * width], plain[k], turned[k]
        for i in range(0, width, 2):
            here[i], here[i + 1] = part[i], part[i + 1]
            there[i], there[i + 1] = part[i + 1], -part[i]
        if k < len(down):
            matrix, above, above_turned = down[k], plain[k + 1], turned[k + 1]
            for i in range(width):
                here[i] -= dot(matrix[i], above)
                there[i] -= dot(matrix[i], above_turned)


@array_kernel
def carry_up(force, c, s, shares, params):  # type: ignore[no-untyped-def]
    """Displacements of all nodes in the frame, under the load of the step, ``force`` at the base
    (in fixed axes) and ``shares`` of the loads that never change."""
    up, pair, d = params.up, params.pair, params.field[D]
    width, padded = len(params.columns), params.down.shape[2]
    combine(c, s, shares, params.carried, pair)
    for i in range(0, width, 2):
        pair[0, i] += c * force[i] - s * force[i + 1]
        pair[0, i + 1] += s * force[i] + c * force[i + 1]
    for k in range(len(up)):
        matrix, both, x = up[k], pair[k], d[k * width : (k + 1) * width]
        for i in range(width):
            x[i] = dot(matrix[i], both)
        next_one = pair[k + 1, padded:]
        for i in range(width):
            next_one[i] = x[i]


@array_kernel
def combine(c, s, shares, carried, pair):  # type: ignore[no-untyped-def]
    """y of all loads together."""
    e_x, e_y, grow, turn = shares
    for k in range(carried.shape[1]):
        load, turned = carried[LOAD, k], carried[TURNED, k]
        x, y = carried[SHIFT, k], carried[SHIFT_TURNED, k]
        stretch, across, out = carried[STRETCH, k], carried[STRETCH_TURNED, k], pair[k]
        for i in range(len(load)):
            rigid = (e_x * x[i] - e_y * y[i]) + (grow * stretch[i] + turn * across[i])
            out[i] = (c * load[i] - s * turned[i]) + rigid

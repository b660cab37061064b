"""Forces of the springs in the joints, and how they change with the poses of the stones.

A spring sits at r on stone A and meets a face of stone B. In B's axes the point is

    ζ = R_Bᵀ (c_A + R_A r − c_B),   gap = n·(ζ − b),   along = t·(ζ − b),

with the face's normal n, its tangent t = (−n_y, n_x) and its beginning b. Where the gap is closed

    N = −k gap,   T = −k (along − anchor) within ±μ N,   F = R_B (N n + T t) on A, −F on B.
"""

import math

from rocksteady.numerics.decorators import array_kernel, inner_array_kernel
from rocksteady.theories.dissipation.step import spring
from rocksteady.theories.dissipation.stones.workspace import (
    AT_X,
    AT_Y,
    DEEP,
    EDGE,
    F_X,
    F_Y,
    FRICTION,
    FROM_X,
    FROM_Y,
    LENGTH,
    MOMENT,
    NORMAL_X,
    NORMAL_Y,
    STIFFNESS,
    VIRIAL,
    C,
    S,
    X,
    Y,
)


@inner_array_kernel
def place(row, pose, a, b, springs):  # type: ignore[no-untyped-def]
    """(gap, along, lever on A, lever on B), levers from the centres in fixed axes [m]."""
    data = springs[row]
    c, s = pose[a, C], pose[a, S]
    r_x, r_y = c * data[AT_X] - s * data[AT_Y], s * data[AT_X] + c * data[AT_Y]
    d_x, d_y = pose[a, X] + r_x - pose[b, X], pose[a, Y] + r_y - pose[b, Y]
    c, s = pose[b, C], pose[b, S]
    z_x, z_y = c * d_x + s * d_y - data[FROM_X], c * d_y - s * d_x - data[FROM_Y]
    n_x, n_y = data[NORMAL_X], data[NORMAL_Y]
    return n_x * z_x + n_y * z_y, n_x * z_y - n_y * z_x, r_x, r_y, d_x, d_y


@inner_array_kernel
def touches(gap, along, length, work):  # type: ignore[no-untyped-def]
    """Whether a point presses on a face: behind it, and not beyond its ends."""
    edge = work.number[EDGE]
    return -work.number[DEEP] < gap < 0.0 and -edge <= along <= length + edge


@array_kernel
def hold(work, pose):  # type: ignore[no-untyped-def]
    """Before a step: springs in the air, should they touch, will hold on where they are now."""
    for i in range(len(work.anchor)):
        if math.isnan(work.anchor[i]):
            work.anchor[i] = place(i, pose, work.who[i, 0], work.who[i, 1], work.spring)[1]


@array_kernel
def add_forces(work, slopes):  # type: ignore[no-untyped-def]
    """Forces, moments and virials on all stones in their trial poses; with ``slopes`` their
    derivatives are taken off Newton's matrix."""
    pose, sums, springs, who = work.trial, work.sums, work.spring, work.who
    for i in range(len(sums)):
        for k in range(4):
            sums[i, k] = 0.0
    for i in range(len(springs)):
        a, b = who[i, 0], who[i, 1]
        gap, along, r_x, r_y, d_x, d_y = place(i, pose, a, b, springs)
        if not touches(gap, along, springs[i, LENGTH], work):
            continue
        k, mu = springs[i, STIFFNESS], springs[i, FRICTION]
        N, T, slipping = spring(k, gap, along - work.anchor[i], mu)
        n_x, n_y = springs[i, NORMAL_X], springs[i, NORMAL_Y]
        p_x, p_y = N * n_x - T * n_y, N * n_y + T * n_x  # in the axes of B
        c, s = pose[b, C], pose[b, S]
        f_x, f_y = c * p_x - s * p_y, s * p_x + c * p_y
        sums[a, F_X] += f_x
        sums[a, F_Y] += f_y
        sums[a, MOMENT] += r_x * f_y - r_y * f_x
        sums[a, VIRIAL] += r_x * f_x + r_y * f_y
        sums[b, F_X] -= f_x
        sums[b, F_Y] -= f_y
        sums[b, MOMENT] -= d_x * f_y - d_y * f_x
        sums[b, VIRIAL] -= d_x * f_x + d_y * f_y
        if slopes:
            n_x, n_y = c * n_x - s * n_y, s * n_x + c * n_y  # in fixed axes
            add_slopes(work, (a, b), (r_x, r_y, d_x, d_y), (f_x, f_y), (n_x, n_y), k, slipping * mu)


@array_kernel
def add_slopes(work, stones, levers, force, normal, k, slip):  # type: ignore[no-untyped-def]
    """Take ∂(force, moment)/∂(poses) of one spring off Newton's matrix. ``slip``: ±μ while it
    slips, 0 while it sticks."""
    a, b = stones
    r_x, r_y, d_x, d_y = levers
    f_x, f_y = force
    n_x, n_y = normal
    matrix, moving = work.matrix, len(work.virial)
    for j in range(6):
        stone, k_j = (a, j) if j < 3 else (b, j - 3)
        if stone >= moving:
            continue
        # how the point moves over the face, and the levers and the force turn
        sign = 1.0 if j < 3 else -1.0
        if k_j == 0:
            go_x, go_y = sign, 0.0
        elif k_j == 1:
            go_x, go_y = 0.0, sign
        elif j < 3:
            go_x, go_y = -r_y, r_x
        else:
            go_x, go_y = d_y, -d_x
        opens = n_x * go_x + n_y * go_y
        slides = n_x * go_y - n_y * go_x
        N = -k * opens
        T = slip * N if slip != 0.0 else -k * slides
        t_x, t_y = N * n_x - T * n_y, N * n_y + T * n_x
        if j == 5:
            t_x, t_y = t_x - f_y, t_y + f_x
        on_a = r_x * t_y - r_y * t_x
        on_b = d_x * t_y - d_y * t_x
        if j == 2:
            on_a -= r_x * f_x + r_y * f_y
            on_b += -r_y * f_y - r_x * f_x
        elif k_j == 0:
            on_b += sign * f_y
        elif k_j == 1:
            on_b -= sign * f_x
        column = 3 * stone + k_j
        if a < moving:
            matrix[3 * a, column] -= t_x
            matrix[3 * a + 1, column] -= t_y
            matrix[3 * a + 2, column] -= on_a
        if b < moving:
            matrix[3 * b, column] += t_x
            matrix[3 * b + 1, column] += t_y
            matrix[3 * b + 2, column] += on_b


@array_kernel
def settle(work):  # type: ignore[no-untyped-def]
    """After a converged step: let the anchors of slipping springs follow, free those in the air.
    (Energy lost in slip, energy in the springs) [J]."""
    pose, springs = work.pose, work.spring
    loss = elastic = 0.0
    for i in range(len(springs)):
        gap, along, _, _, _, _ = place(i, pose, work.who[i, 0], work.who[i, 1], springs)
        if not touches(gap, along, springs[i, LENGTH], work):
            work.anchor[i] = math.nan
            continue
        k, held = springs[i, STIFFNESS], work.anchor[i]
        N, T, slipping = spring(k, gap, along - held, springs[i, FRICTION])
        if slipping != 0:
            new = along + T / k
            loss -= T * (new - held)
            work.anchor[i] = held = new
        elastic -= 0.5 * (N * gap + T * (along - held))
    return loss, elastic

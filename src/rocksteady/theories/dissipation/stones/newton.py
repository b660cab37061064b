"""The equations of one step for all stones together, solved by Newton's method with a line search.

For each stone, with p = Δt w₀ + β Δt² a₁ of `step.py` solved for the new acceleration,

    m [(Δx − Δt w_x)/(β Δt²) + a_h] = F_x,      m [(Δy − Δt w_y)/(β Δt²) + a_v + g] = F_y,
    I (e × ë)₁ + α_H sin(Δθ) V₀ = M.
"""

import math

from rocksteady.numerics.decorators import array_kernel
from rocksteady.theories.dissipation.elastic.algebra import eliminate
from rocksteady.theories.dissipation.step import (
    LARGEST_TURN,
    MAX_HALVINGS,
    MAX_ITERATIONS,
    advancing,
    sincos_of_turn,
)
from rocksteady.theories.dissipation.stones.forces import add_forces
from rocksteady.theories.dissipation.stones.workspace import (
    ALLOWED,
    ALPHA_H,
    BETA,
    F_X,
    F_Y,
    INERTIA,
    MASS,
    MOMENT,
    W_ACROSS,
    W_ALONG,
    W_X,
    W_Y,
    C,
    S,
    X,
    Y,
)


@array_kernel
def set_drive(work, h):  # type: ignore[no-untyped-def]
    """w₀ of all stones, from their velocities and accelerations."""
    for i in range(len(work.drive)):
        for k in range(4):
            work.drive[i, k] = advancing(
                work.rate[i, k], work.acceleration[i, k], h, work.number[BETA]
            )


@array_kernel
def try_change(work, share):  # type: ignore[no-untyped-def]
    """The poses after ``change`` and this share of Newton's increment."""
    for i in range(len(work.drive)):
        pose, trial = work.pose[i], work.trial[i]
        change, step = work.change[3 * i : 3 * i + 3], work.step[3 * i : 3 * i + 3]
        sine, cosine = sincos_of_turn(change[2] + share * step[2])
        work.turn[i, 0], work.turn[i, 1] = sine, cosine
        trial[X] = pose[X] + change[0] + share * step[0]
        trial[Y] = pose[Y] + change[1] + share * step[1]
        trial[C], trial[S] = pose[C] * cosine - pose[S] * sine, pose[S] * cosine + pose[C] * sine


@array_kernel
def lacking(work, load, h, share):  # type: ignore[no-untyped-def]
    """What the equations lack at the trial poses, into the last column of Newton's matrix; the
    largest of all stones, as an acceleration squared."""
    n, rate, worst = len(work.step), 1 / (work.number[BETA] * h * h), 0.0
    for i in range(len(work.drive)):
        mass, inertia = work.stone[i, MASS], work.stone[i, INERTIA]
        w, sums = work.drive[i], work.sums[i]
        sine, cosine = work.turn[i, 0], work.turn[i, 1]
        dx = work.change[3 * i] + share * work.step[3 * i]
        dy = work.change[3 * i + 1] + share * work.step[3 * i + 1]
        f_x = mass * (rate * (dx - h * w[W_X]) + load[0]) - sums[F_X]
        f_y = mass * (rate * (dy - h * w[W_Y]) + load[1]) - sums[F_Y]
        across = rate * (sine * (1 + h * w[W_ALONG]) - cosine * h * w[W_ACROSS])
        f_t = inertia * across + work.number[ALPHA_H] * sine * work.virial[i] - sums[MOMENT]
        work.matrix[3 * i, n], work.matrix[3 * i + 1, n], work.matrix[3 * i + 2, n] = (
            -f_x,
            -f_y,
            -f_t,
        )
        size = (f_x * f_x + f_y * f_y + f_t * f_t * (mass / inertia)) / (mass * mass)
        worst = max(worst, size)
    return worst


@array_kernel
def set_inertia(work, h):  # type: ignore[no-untyped-def]
    """Newton's matrix without the springs."""
    rate = 1 / (work.number[BETA] * h * h)
    for row in range(len(work.step)):
        for k in range(len(work.step)):
            work.matrix[row, k] = 0.0
    for i in range(len(work.drive)):
        mass, inertia, w = work.stone[i, MASS], work.stone[i, INERTIA], work.drive[i]
        sine, cosine = work.turn[i, 0], work.turn[i, 1]
        turning = cosine * (1 + h * w[W_ALONG]) + sine * h * w[W_ACROSS]
        work.matrix[3 * i, 3 * i] = work.matrix[3 * i + 1, 3 * i + 1] = mass * rate
        stiff = inertia * rate * turning + work.number[ALPHA_H] * cosine * work.virial[i]
        work.matrix[3 * i + 2, 3 * i + 2] = stiff


@array_kernel
def solve(work, load, h):  # type: ignore[no-untyped-def]
    """From the guess in ``change`` to the changes that fulfil the equations: (iterations, whether
    it converged). The poses after the step are left in ``trial``."""
    n = len(work.step)
    size, share, halvings, iterations = math.inf, 0.0, 0, 0
    for k in range(n):
        work.step[k] = 0.0
    allowed = work.number[ALLOWED] ** 2
    while True:
        try_change(work, share)
        add_forces(work, False)
        found = lacking(work, load, h, share)
        if not found < size and halvings < MAX_HALVINGS:
            share *= 0.5
            halvings += 1
            continue
        for k in range(n):
            work.change[k] += share * work.step[k]
        size = found
        if not size > allowed or iterations == MAX_ITERATIONS:
            return iterations, size <= allowed
        set_inertia(work, h)
        add_forces(work, True)
        if not eliminate(work.matrix, n):
            return iterations, False
        share, halvings = 1.0, 0
        for k in range(n):
            work.step[k] = work.matrix[k, n]
            if k % 3 == 2 and abs(work.step[k]) * share > LARGEST_TURN:
                share = LARGEST_TURN / abs(work.step[k])
        iterations += 1

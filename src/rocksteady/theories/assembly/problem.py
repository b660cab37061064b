"""Solve a contact problem: Newton's method, and where it fails sweeps and Newton's method again."""

import math

from rocksteady.numerics.decorators import array_kernel, kernel
from rocksteady.theories.assembly.newton import newton
from rocksteady.theories.assembly.rows import N0, N1, T, give, pushed, residual, speed
from rocksteady.theories.assembly.workspace import BLOCK, FREE, PAIRS, RETRY, UNSOLVED, W

GOOD = 1e-6  # g h: residual that ends a solve


@array_kernel
def solve(work, unit, most):  # type: ignore[no-untyped-def]
    """From the guess ``push`` to impulses and velocities W; the residual over ``unit`` = g h.
    ``most`` sweeps in all."""
    left = attempt(work, GOOD * unit, most, worth_trying(work))
    work.tally[UNSOLVED] = 0 if left <= GOOD * unit else work.tally[UNSOLVED] + 1
    return left / unit


@array_kernel
def worth_trying(work):  # type: ignore[no-untyped-def]
    """Whether to try Newton's method. Near its mechanism a wall leaves one problem after the other
    unsolved: then it is tried now and then only."""
    every, row = int(work.number[RETRY]), work.tally[UNSOLVED]
    return every == 0 or row == 0 or row % every == 0


@array_kernel
def attempt(work, allowed, most, by_newton):  # type: ignore[no-untyped-def]
    """The same, with the residual in m/s."""
    pushed(work, W)
    left = residual(work)
    if left <= 0.01 * allowed:
        return left
    if by_newton:
        keep(work)
        after, converged = newton(work, allowed, False)
        if converged:
            return after
        restore(work)
        pushed(work, W)
    todo, block = most, int(work.number[BLOCK])
    while todo > 0:
        for _ in range(min(block, todo)):
            if sweep(work) <= 0.1 * allowed:
                break
        todo -= block
        block *= 2
        pushed(work, W)
        left = residual(work)
        if left <= allowed:
            return left
        if by_newton:
            keep(work)
            after, converged = newton(work, allowed, True)
            if converged:
                return after
            restore(work)
            pushed(work, W)
    return left


@array_kernel
def keep(work):  # type: ignore[no-untyped-def]
    """Set the impulses aside."""
    for pair in range(work.tally[PAIRS]):
        for r in range(3):
            work.memory[pair, r] = work.push[pair, r]


@array_kernel
def restore(work):  # type: ignore[no-untyped-def]
    for pair in range(work.tally[PAIRS]):
        for r in range(3):
            work.push[pair, r] = work.memory[pair, r]


@array_kernel
def restrain(work, before):  # type: ignore[no-untyped-def]
    """After a solve that was left unsolved: shrink its impulses until they no longer do work on
    stones that had the velocities ``before``. Then stones may sink into each other in this step,
    but never gain energy."""
    body, slope, square = work.body, 0.0, 0.0
    for k in range(work.exact.shape[1]):
        mass = 1.0 / work.shape[k // 3, 0 if k % 3 < 2 else 1]
        change = body[W, k] - body[FREE, k]
        slope += mass * change * (body[FREE, k] + body[before, k])
        square += mass * change * change
    if slope + square <= 0.0:
        return
    share = max(-slope / square, 0.0)
    for pair in range(work.tally[PAIRS]):
        for r in range(3):
            work.push[pair, r] *= share
    for k in range(work.exact.shape[1]):
        body[W, k] = body[FREE, k] + share * (body[W, k] - body[FREE, k])


# -- nonlinear Gauss–Seidel: one joint after the other, each solved exactly (Jean 1999) ------------

ROUNDING = 1e-12
JAMS = 1e-3  # of its weight: an end that slips so steeply presses without bound


@kernel
def one_end(w_n, w_nt, w_t, u_n, u_t, mu, extra, way):  # type: ignore[no-untyped-def]
    """(N, T) of a joint that touches at one end, where the free velocities are u; ``way``: which
    way friction has to act, 0 where it may stick."""
    if way != 0:
        stiff = w_n + way * mu * w_nt
        if stiff < JAMS * w_n:
            stiff = w_n  # no answer: it jams
        n = max(0.0, -(u_n + w_nt * way * mu * extra) / stiff)
        return n, way * mu * (n + extra)
    if u_n >= 0.0:
        return 0.0, min(max(-u_t / w_t, -mu * extra), mu * extra)
    det = w_n * w_t - w_nt * w_nt
    n, t = (w_nt * u_t - w_t * u_n) / det, (w_nt * u_n - w_n * u_t) / det
    if n >= 0.0 and abs(t) <= mu * (n + extra):
        return n, t
    for sign in (1.0, -1.0):  # of the slip; T opposes it
        pulled = sign * mu
        n = (w_nt * pulled * extra - u_n) / (w_n - pulled * w_nt)
        t = -pulled * (n + extra)
        if n >= 0.0 and (u_t + w_nt * n + w_t * t) * sign >= 0.0:
            return n, t
    n = -u_n / w_n  # no answer (a steep joint that jams): without its friction
    return n, min(max(-(u_t + w_nt * n) / w_t, -mu * n), mu * n)


@kernel
def both_ends(w, u0, u1, ut, mu, extra, way):  # type: ignore[no-untyped-def]
    """(N₀, N₁, T, whether there is an answer) of a joint that touches at both ends."""
    a, b, c, d, e, f = w[0], w[1], w[2], w[3], w[4], w[5]  # 00, 01, 0T, 11, 1T, TT
    # sticking: W p = −u
    m00, m01, m02 = d * f - e * e, c * e - b * f, b * e - c * d
    det = a * m00 + b * m01 + c * m02
    m11, m12, m22 = a * f - c * c, b * c - a * e, a * d - b * b
    n0 = -(m00 * u0 + m01 * u1 + m02 * ut) / det
    n1 = -(m01 * u0 + m11 * u1 + m12 * ut) / det
    t = -(m02 * u0 + m12 * u1 + m22 * ut) / det
    if way == 0 and n0 >= 0.0 and n1 >= 0.0 and abs(t) <= mu * (n0 + n1 + extra):
        return n0, n1, t, True
    for sign in (1.0, -1.0):
        if way * sign > 0.0:
            continue
        k = -sign * mu  # T = k (N₀ + N₁ + extra)
        p00, p01, p10, p11 = a + k * c, b + k * c, b + k * e, d + k * e
        r0, r1 = -u0 - k * c * extra, -u1 - k * e * extra
        det = p00 * p11 - p01 * p10
        if det == 0.0:
            continue
        n0, n1 = (p11 * r0 - p01 * r1) / det, (p00 * r1 - p10 * r0) / det
        t = k * (n0 + n1 + extra)
        slips = way != 0 or (ut + c * n0 + e * n1 + f * t) * sign >= 0.0
        if n0 >= 0.0 and n1 >= 0.0 and slips:
            return n0, n1, t, True
    return 0.0, 0.0, 0.0, False


@kernel
def joint_impulses(w, u0, u1, ut, mu, extra, way, on0, on1):  # type: ignore[no-untyped-def]
    """(N₀, N₁, T) of one joint, where the free velocities are u: every case is tried."""
    if not on1:
        n, t = one_end(w[0], w[2], w[5], u0, ut, mu, extra, way)
        return n, 0.0, t
    if not on0:
        n, t = one_end(w[3], w[4], w[5], u1, ut, mu, extra, way)
        return 0.0, n, t
    n0, n1, t, found = both_ends(w, u0, u1, ut, mu, extra, way)
    if found:
        return n0, n1, t
    n, t = one_end(w[0], w[2], w[5], u0, ut, mu, extra, way)
    miss0 = -(u1 + w[1] * n + w[4] * t)
    if miss0 <= ROUNDING * (abs(u1) + abs(w[1] * n)):
        return n, 0.0, t
    other, s = one_end(w[3], w[4], w[5], u1, ut, mu, extra, way)
    miss1 = -(u0 + w[1] * other + w[2] * s)
    if miss1 <= ROUNDING * (abs(u0) + abs(w[1] * other)) or miss1 < miss0:
        return 0.0, other, s
    return n, 0.0, t


@array_kernel
def sweep(work):  # type: ignore[no-untyped-def]
    """Solve every joint once, with the velocities W that the others leave; the largest change of
    a velocity [m/s]."""
    most = 0.0
    for pair in range(work.tally[PAIRS]):
        on0, on1 = work.on[pair, 0] != 0, work.on[pair, 1] != 0
        if not (on0 or on1):
            continue
        w, push, aim = work.weigh[pair], work.push[pair], work.aim[pair]
        p0, p1, pt = push[0], push[1], push[T]
        u0 = speed(work, pair, N0, W) + aim[0] - w[0] * p0 - w[1] * p1 - w[2] * pt
        u1 = speed(work, pair, N1, W) + aim[1] - w[1] * p0 - w[3] * p1 - w[4] * pt
        ut = speed(work, pair, T, W) + aim[T] - w[2] * p0 - w[4] * p1 - w[5] * pt
        push[0], push[1], push[T] = joint_impulses(
            w, u0, u1, ut, work.rub[pair, 0], work.rub[pair, 1], work.slip[pair, 3], on0, on1
        )
        if push[0] != p0:
            give(work, pair, N0, push[0] - p0, W)
            most = max(most, abs(push[0] - p0) * w[0])
        if push[1] != p1:
            give(work, pair, N1, push[1] - p1, W)
            most = max(most, abs(push[1] - p1) * w[3])
        if push[T] != pt:
            give(work, pair, T, push[T] - pt, W)
            most = max(most, abs(push[T] - pt) * w[5])
    return most if math.isfinite(most) else math.inf

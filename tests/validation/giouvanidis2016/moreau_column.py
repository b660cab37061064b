"""Moreau–Jean time stepping of a flexible oscillator, for the tests only; see `moreau.py`.

Nothing is shared with the package: q = (u, x, y, φ), φ clockwise, of a body of point masses, whose
mass matrix and forces are summed anew in every step of fixed length. Its error falls like that.
"""

from __future__ import annotations

import numba
import numpy as np

SWEEPS = 20_000
CONVERGED = 1e-13  # of the mass times 1 m/s: change of an impulse in a sweep
LEAVING = 30.0  # m/s²: an edge that carried a force and leaves no faster than this times h is shut
STEEP = 1.4  # rad: further is not followed
POINTS = 4  # along the column


@numba.njit(cache=True)
def motion_of(q, v, points, base, push, weight):
    """M and the acceleration of a body in the air."""
    u, phi, du, spin = q[0], q[3], v[0], v[3]
    S, C = np.sin(phi), np.cos(phi)
    inertia, k, c = base
    M, Q, J = np.zeros((4, 4)), np.zeros(4), np.zeros((2, 4))
    for i in range(len(points)):
        m, up, psi = points[i]
        J[0] = (psi * C, 1.0, 0.0, up * C - psi * u * S)
        J[1] = (-psi * S, 0.0, 1.0, -up * S - psi * u * C)
        x = -push + 2 * psi * du * S * spin + (up * S + psi * u * C) * spin**2
        y = -weight + 2 * psi * du * C * spin + (up * C - psi * u * S) * spin**2
        M += m * (J.T @ J)
        Q += m * (J[0] * x + J[1] * y)
    M[3, 3] += inertia
    Q[0] -= k * u + c * du
    return M, np.linalg.solve(M, Q)


@numba.njit(cache=True)
def solve(v, before, closed, W, P, M, epsilon, mu, size):
    """Sweep until the impulses P = (N, T of either edge) no longer change; returns velocities."""
    given = np.linalg.solve(M, W.T)  # (4, 4): velocities per unit impulse, by columns
    v = v + given @ P
    for _ in range(SWEEPS):
        change = 0.0
        for i in range(2):
            if not closed[i]:
                continue
            n, t = 2 * i, 2 * i + 1
            closing = min(W[n] @ before, 0.0)
            wanted = (W[n] @ v + epsilon[i] * closing) / (W[n] @ given[:, n])
            N = max(P[n] - wanted, 0.0)
            d, P[n] = N - P[n], N
            v, change = v + d * given[:, n], max(change, abs(d))
            T = P[t] - (W[t] @ v) / (W[t] @ given[:, t])
            T = min(max(T, -mu[i] * N), mu[i] * N)
            d, P[t] = T - P[t], T
            v, change = v + d * given[:, t], max(change, abs(d))
        if change <= CONVERGED * size:
            break
    return v


@numba.njit(cache=True)
def strike(v, before, closed, W, P, M, epsilon, mu, size, slow):
    """The same, with the largest share of ε that adds no energy (`rs.impact` says so): Newton's
    law with friction may."""
    given, most = P.copy(), v @ M @ v
    after = solve(v, before, closed, W, P, M, epsilon, mu, size)
    hits = False
    for i in range(2):
        hits = hits or (closed[i] and W[2 * i] @ before < -slow)
    if not hits or after @ M @ after <= most * (1 + 1e-9):
        return after
    low, high = 0.0, 1.0
    for _ in range(40):
        share = 0.5 * (low + high)
        after = solve(v, before, closed, W, given.copy(), M, share * epsilon, mu, size)
        low, high = (low, share) if after @ M @ after > most else (share, high)
    P[:] = given
    return solve(v, before, closed, W, P, M, low * epsilon, mu, size)


@numba.njit(cache=True)
def walk(q, points, base, half, g, epsilon, mu, a_h, a_v, dt, steps, out):
    """(θ, slide of the lower edge, u) at every sample into ``out``."""
    h, v = dt / steps, np.zeros(4)
    P, closed, W = np.zeros(4), np.zeros(2, np.bool_), np.zeros((4, 4))
    size = points[:, 0].sum()
    out[0] = q[3], 0.0, q[0]
    for i in range(len(a_h) - 1):
        for j in range(steps):
            share = (j + 0.5) / steps
            push = a_h[i] + share * (a_h[i + 1] - a_h[i])
            weight = g + a_v[i] + share * (a_v[i + 1] - a_v[i])
            q = q + 0.5 * h * v
            S, C = np.sin(q[3]), np.cos(q[3])
            for e in range(2):
                b = half if e == 0 else -half  # of the right, of the left edge
                W[2 * e] = (0.0, 0.0, 1.0, -b * C)
                W[2 * e + 1] = (0.0, 1.0, 0.0, -b * S)
                stays = P[2 * e] > 0 and abs(W[2 * e] @ v) < LEAVING * h
                closed[e] = q[2] - b * S <= 0 or stays
                if not closed[e]:
                    P[2 * e] = P[2 * e + 1] = 0.0
            M, free = motion_of(q, v, points, base, push, weight)
            v = strike(v + h * free, v, closed, W, P, M, epsilon, mu, size, LEAVING * h)
            q = q + 0.5 * h * v
        b = half if q[3] > 0 else -half
        out[i + 1] = q[3], q[1] + b * (np.cos(q[3]) - 1), q[0]
        if abs(q[3]) > STEEP:
            return i + 2
    return len(a_h)


def time_stepping(body, motion, epsilon, mu, theta0=0.0, *, steps):
    """(θ, slide, u) at the samples of the motion, as far as the body has not fallen."""
    at, weight = np.polynomial.legendre.leggauss(POINTS)
    zeta = np.append((1 + at) / 2, [1.0, 0.0])
    mass = np.append(body.column_mass * weight / 2, [body.top_mass, body.base_mass])
    psi = (3 * zeta**2 - zeta**3) / 2
    points = np.stack([mass, body.height * zeta, psi], axis=1)
    modal = float(mass @ psi**2)
    k = body.natural_frequency**2 * modal
    c = 2 * body.damping_ratio * body.natural_frequency * modal
    b = body.b if theta0 > 0 else -body.b
    q = np.array([0.0, b * (1 - np.cos(theta0)), b * np.sin(theta0), theta0])
    a_h = np.array(motion.accel)
    a_v = np.zeros(len(a_h)) if motion.vertical is None else np.array(motion.vertical)
    out = np.empty((len(a_h), 3))
    base = (body.base_mass * body.b**2 / 3, k, c)
    contact = (np.array(epsilon), np.array(mu), a_h, a_v, motion.dt, steps, out)
    return out[: walk(q, points, base, body.b, body.g, *contact)]

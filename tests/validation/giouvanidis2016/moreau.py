"""Moreau–Jean time stepping of a rigid block with friction and restitution, for the tests only.

Nothing is shared with the package, neither equations nor idea: no phases, no events, no
accelerations. Every step of fixed length h takes the velocities

    M (v⁺ − v⁻) = h f + W_N P_N + W_T P_T,   0 ≤ P_N ⟂ γ_N⁺ + ε γ_N⁻ ≥ 0,   |P_T| ≤ μ P_N,

of the two corners as one contact problem, solved by projected Gauss–Seidel sweeps, with the
geometry at the step's middle (Moreau 1988; Jean 1999). Its error falls like h.

Coordinates: x, y of the centre of mass relative to the ground, θ clockwise. A corner is taken as
closed where its gap at the middle of the step is not positive, or where it has carried a force in
the step before and hardly moves off: a corner on the ground drifts by O(h²) a step and must not be
left out of an impact of the other one for that.
"""

from __future__ import annotations

import math

import numba
import numpy as np

SWEEPS = 20_000
CONVERGED = 1e-14  # of the mass times 1 m/s: change of an impulse in a sweep
LEAVING = 30.0  # m/s²: a corner that carried a force and leaves no faster than this times h is shut
STEEP = 1.4  # rad: further is not followed


@numba.njit(cache=True)
def solve(velocity, before, closed, arms, P, mass, inertia, epsilon, mu):
    """Sweep until the impulses P = (N, T of either corner) no longer change; returns velocities."""
    vx, vy, omega = velocity
    for q in range(2):
        rx, ry = arms[q]
        N, T = P[2 * q], P[2 * q + 1]
        vx, vy, omega = vx + T / mass, vy + N / mass, omega + (ry * T - rx * N) / inertia
    for _ in range(SWEEPS):
        change = 0.0
        for q in range(2):
            if not closed[q]:
                continue
            rx, ry = arms[q]
            closing = min(before[1] - before[2] * rx, 0.0)
            wanted = (vy - omega * rx + epsilon * closing) / (1 / mass + rx * rx / inertia)
            N = max(P[2 * q] - wanted, 0.0)
            d, P[2 * q] = N - P[2 * q], N
            vy, omega, change = vy + d / mass, omega - rx * d / inertia, max(change, abs(d))
            T = P[2 * q + 1] - (vx + omega * ry) / (1 / mass + ry * ry / inertia)
            T = min(max(T, -mu * N), mu * N)
            d, P[2 * q + 1] = T - P[2 * q + 1], T
            vx, omega, change = vx + d / mass, omega + ry * d / inertia, max(change, abs(d))
        if change <= CONVERGED * mass:
            break
    return vx, vy, omega


@numba.njit(cache=True)
def walk(place, body, epsilon, mu, a_h, a_v, dt, steps, out):
    """(θ, slide of the lower corner) at every sample into ``out``, ``steps`` steps in between."""
    mass, inertia, g, corners, height = body
    x, y, theta = place
    velocity = (0.0, 0.0, 0.0)
    h = dt / steps
    P, closed, arms = np.zeros(4), np.zeros(2, np.bool_), np.zeros((2, 2))
    out[0, 0], out[0, 1] = theta, 0.0
    for i in range(len(a_h) - 1):
        for j in range(steps):
            share = (j + 0.5) / steps
            push = a_h[i] + share * (a_h[i + 1] - a_h[i])
            weight = g + a_v[i] + share * (a_v[i + 1] - a_v[i])
            vx, vy, omega = velocity
            x, y, theta = x + 0.5 * h * vx, y + 0.5 * h * vy, theta + 0.5 * h * omega
            c, s = math.cos(theta), math.sin(theta)
            for q in range(2):
                rx, ry = corners[q] * c - height * s, -corners[q] * s - height * c
                arms[q, 0], arms[q, 1] = rx, ry
                stays = P[2 * q] > 0 and abs(vy - omega * rx) < LEAVING * h
                closed[q] = y + ry <= 0 or stays
                if not closed[q]:
                    P[2 * q] = P[2 * q + 1] = 0.0
            free = (vx - h * push, vy - h * weight, omega)
            velocity = solve(free, velocity, closed, arms, P, mass, inertia, epsilon, mu)
            vx, vy, omega = velocity
            x, y, theta = x + 0.5 * h * vx, y + 0.5 * h * vy, theta + 0.5 * h * omega
        lower = corners[0] if theta > 0 else corners[1]
        out[i + 1, 0] = theta
        out[i + 1, 1] = x + lower * (math.cos(theta) - 1) - height * math.sin(theta)
        if abs(theta) > STEEP:
            return i + 2
    return len(a_h)


def time_stepping(block, motion, epsilon, mu, theta0=0.0, *, steps):
    """(θ, slide) at the samples of the motion, as far as the block has not fallen."""
    half = block.width / 2
    corners = (half - block.offset, -half - block.offset)  # from the centre of mass
    height = block.com_height
    lower = corners[0] if theta0 > 0 else corners[1]
    x = lower * (1 - math.cos(theta0)) + height * math.sin(theta0)
    y = lower * math.sin(theta0) + height * math.cos(theta0)
    a_h = np.array(motion.accel)
    a_v = np.zeros(len(a_h)) if motion.vertical is None else np.array(motion.vertical)
    out = np.empty((len(a_h), 2))
    body = (block.mass, block.inertia, block.g, corners, height)
    rows = walk((x, y, theta0), body, epsilon, mu, a_h, a_v, motion.dt, steps, out)
    return out[:rows]

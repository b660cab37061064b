"""A round body on its rim by Newton and Euler's six equations with multipliers, for SciPy.

It shares nothing with the package: attitude as a matrix, the rolling constraint differentiated, the
restraint to the circle as one more row. Per unit mass.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.integrate import solve_ivp

Z = np.array([0.0, 0.0, 1.0])


def skew(v):
    x, y, z = v
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


class RollingBody:
    """Axis n, angular velocity w and place of the centre of mass, all in the ground's axes. A body
    of revolution needs no more of its attitude."""

    def __init__(self, body, *, restrained, ground=None):
        self.h, self.rho, self.g = body.centre[2], body.radius, body.g
        self.A, self.C = body.inertia[0][0] / body.mass, body.inertia[2][2] / body.mass
        self.restrained = restrained
        self.ground = ground or (np.array([0.0, 1e9]), *np.zeros((3, 2)))  # t, a_x, a_z, a_y

    def pull(self, t):
        """(a_x, a_y, a_z), linear between the samples."""
        times, x, z, y = self.ground
        return np.array([np.interp(t, times, part) for part in (x, y, z)])

    def down(self, n, n_rate):
        """u, towards the lowest point of the rim, and its rate."""
        k, k_rate = Z - n[2] * n, -n_rate[2] * n - n[2] * n_rate
        s = np.linalg.norm(k)
        s_rate = k @ k_rate / s
        return -k / s, -k_rate / s + k * s_rate / s**2, s

    def rates(self, t, y):
        n, w, v = y[:3], y[3:6], y[6:9]
        n_rate = np.cross(w, n)
        u, u_rate, s = self.down(n, n_rate)
        r, r_rate = self.rho * u - self.h * n, self.rho * u_rate - self.h * n_rate
        J = self.A * np.eye(3) + (self.C - self.A) * np.outer(n, n)
        # v + w × r = 0:  rows [1, −[r]×] (v', w') = −w × r'
        rows, right = [np.hstack([np.eye(3), -skew(r)])], [-np.cross(w, r_rate)]
        if self.restrained:  # w·(n − tan(θ/2) u) = 0
            tau = s / (1 + n[2])
            tau_rate = -n_rate[2] / s * (1 + tau**2) / 2
            d, d_rate = n - tau * u, n_rate - tau_rate * u - tau * u_rate
            rows.append(np.hstack([np.zeros(3), d])[None])
            right.append(np.array([-w @ d_rate]))
        G = np.vstack(rows)
        mass = np.zeros((6, 6))
        mass[:3, :3], mass[3:, 3:] = np.eye(3), J
        m = len(G)
        whole = np.block([[mass, G.T], [G, np.zeros((m, m))]])
        force = np.concatenate([-self.g * Z - self.pull(t), -np.cross(w, J @ w), *right])
        solved = np.linalg.solve(whole, force)
        return np.concatenate([n_rate, solved[3:6], solved[:3], v])

    def start(self, tilt, rate, azimuth, azimuth_rate, spin):
        c, s = np.cos(azimuth), np.sin(azimuth)
        out, along = np.array([c, s, 0.0]), np.array([-s, c, 0.0])
        n = np.sin(tilt) * out + np.cos(tilt) * Z
        u = np.cos(tilt) * out - np.sin(tilt) * Z
        w = -azimuth_rate * np.sin(tilt) * u + rate * along + spin * n
        arm = self.h * n - self.rho * u
        return np.concatenate([n, w, np.cross(w, arm), self.rho * out + arm])

    def follow(self, y, times):
        """(tilt, azimuth, place of the centre of mass) at these times. The ground's acceleration
        has corners only there, so that each interval is smooth."""
        options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-14}
        rows = [y]
        for pair in pairwise(times):
            y = solve_ivp(self.rates, pair, y, **options).y[:, -1]
            rows.append(y)
        n, middle = np.array(rows)[:, :3], np.array(rows)[:, 9:]
        tilt = np.arctan2(np.hypot(n[:, 0], n[:, 1]), n[:, 2])
        return tilt, np.unwrap(np.arctan2(n[:, 1], n[:, 0])), middle

"""The flexible oscillator integrated by SciPy from event to event, for the tests only.

Nothing is shared with the package. q = (u, x, y, φ), φ clockwise, of a body of point masses: mass
matrix and forces are sums over these, contacts that stick are constraints with Lagrange
multipliers, and each impact is the complementarity problem (Eqs. 9 and 10, ε = 0) solved by trying
all sets of contacts that may close.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

POINTS = 4  # Gauss points along the column: exact for its shapes, of degree 6 in all
LEAVES = 1e-6  # s: no hop is shorter
BOTH = (0, 1)  # the right and the left edge


class Column:
    """A flexible oscillator as point masses (ζ, ψ, mass) on a base."""

    def __init__(self, body: Any) -> None:
        at, weight = np.polynomial.legendre.leggauss(POINTS)
        zeta = np.append((1 + at) / 2, [1.0, 0.0])
        self.mass = np.append(body.column_mass * weight / 2, [body.top_mass, body.base_mass])
        self.up, self.psi = body.height * zeta, (3 * zeta**2 - zeta**3) / 2
        modal = float(self.mass @ self.psi**2)
        self.mass = np.tile(self.mass, 2)  # for x and for y
        self.b, self.g = body.b, body.g
        self.base_inertia = body.base_mass * body.b**2 / 3
        self.k = body.natural_frequency**2 * modal
        self.c = 2 * body.damping_ratio * body.natural_frequency * modal

    def matrix_and_force(self, q: Any, qd: Any, ground: Any) -> tuple[Any, Any]:
        """M and Q of M q'' = Q + W λ."""
        u, _, _, phi = q
        du, _, _, spin = qd
        S, C = math.sin(phi), math.cos(phi)
        across, axial, none = self.psi * u, self.up, np.zeros_like(self.psi)
        J = np.array([  # of x and of y of every point
            np.append(self.psi * C, -self.psi * S),
            np.append(none + 1, none),
            np.append(none, none + 1),
            np.append(axial * C - across * S, -axial * S - across * C),
        ])  # fmt: skip
        pull = np.append(
            2 * self.psi * du * S * spin + (axial * S + across * C) * spin**2 - ground[0],
            2 * self.psi * du * C * spin + (axial * C - across * S) * spin**2 - self.g - ground[1],
        )
        weighted = J * self.mass
        M, Q = weighted @ J.T, weighted @ pull
        M[3, 3] += self.base_inertia
        Q[0] -= self.k * u + self.c * du
        return M, Q

    def normals(self, q: Any, qd: Any, edges: Any) -> tuple[Any, Any]:
        """W_N of these edges, and the accelerations that their paths' curvature gives them."""
        S, C, sign = math.sin(q[3]), math.cos(q[3]), np.array([(-1.0, 1.0)[i] for i in edges])
        W = np.array([[0.0, 0.0, 1.0, s * self.b * C] for s in sign]).reshape(-1, 4).T
        return W, -sign * self.b * S * qd[3] ** 2

    def sticking(self, q: Any, qd: Any, edges: Any) -> tuple[Any, Any]:
        """W and curvature of these edges' normal directions and one tangential direction."""
        W, bias = self.normals(q, qd, edges)
        S, C, sign = math.sin(q[3]), math.cos(q[3]), (-1.0, 1.0)[edges[0]]
        along = np.array([[0.0], [1.0], [0.0], [sign * self.b * S]])
        return np.hstack([W, along]), np.append(bias, sign * self.b * C * qd[3] ** 2)

    def accelerations(self, q: Any, qd: Any, ground: Any, edges: Any) -> tuple[Any, Any]:
        """q'' and the normal forces while these edges stick."""
        M, Q = self.matrix_and_force(q, qd, ground)
        W, bias = self.sticking(q, qd, edges)
        n = W.shape[1]
        system = np.block([[M, -W], [W.T, np.zeros((n, n))]])
        solved = np.linalg.solve(system, np.append(Q, -bias))
        return solved[:4], solved[4 : 4 + len(edges)]

    def impact(self, q: Any, qd: Any) -> tuple[Any, tuple[int, ...]]:
        """(q'⁺, edges that stay closed) of the upright body with both edges on the ground."""
        M, _ = self.matrix_and_force(q, qd, (0.0, 0.0))
        both, _ = self.normals(q, qd, BOTH)
        for closed in itertools.chain([BOTH], [(0,), (1,)]):
            W, _ = self.sticking(q, qd, closed)
            G = W.T @ np.linalg.solve(M, W)
            impulse = np.linalg.solve(G, -W.T @ qd)
            after = qd + np.linalg.solve(M, W @ impulse)
            if impulse[: len(closed)].min() >= 0 and (both.T @ after).min() >= -1e-12:
                return after, closed
        raise AssertionError("no set of contacts solves the impact")


def history(body: Any, ground: Any, breaks: Any, end: float) -> dict[str, Any]:
    """Uplifts (time, u), impacts (time, φ' before and after), extremes of the rotation (time, φ)
    and of the bending (time, u) of a body that starts at rest; ``ground(t)`` is (a_h, a_v), smooth
    between the ``breaks``."""
    column, t = Column(body), 0.0
    z: Any = np.zeros(8)
    edges: tuple[int, ...] = BOTH
    found: dict[str, Any] = {"uplifts": [], "impacts": [], "turns": [], "bends": []}

    def rate(t: float, z: Any) -> Any:
        return np.append(z[4:], column.accelerations(z[:4], z[4:], ground(t), edges)[0])

    def force(i: int) -> Any:
        def event(t: float, z: Any) -> float:
            return float(column.accelerations(z[:4], z[4:], ground(t), edges)[1][i])

        event.terminal, event.direction = True, -1.0  # type: ignore[attr-defined]
        return event

    def closing(t: float, z: Any) -> float:
        return float(z[3] if edges == (0,) else -z[3])

    def turning(t: float, z: Any) -> float:
        return float(z[7])

    def bending(t: float, z: Any) -> float:
        return float(z[4])

    closing.terminal, closing.direction = True, -1.0  # type: ignore[attr-defined]
    options = {"method": "DOP853", "rtol": 1e-11, "atol": 1e-13, "max_step": 0.02}
    while t < end:
        stop = min([b for b in breaks if b > t] + [end])
        events = [bending, *([force(0), force(1)] if edges == BOTH else [turning, closing])]
        if edges != BOTH and z[3] == 0:  # beyond the instant of uplift, which is no impact
            run = solve_ivp(rate, (t, t + LEAVES), z, **options)
            t, z = t + LEAVES, run.y[:, -1]
        run = solve_ivp(rate, (t, stop), z, events=events, **options)
        t, z = float(run.t[-1]), run.y[:, -1].copy()
        for name, k in (("bends", 0), ("turns", 3))[: 1 if edges == BOTH else 2]:
            which = 0 if name == "bends" else 1
            rows = zip(run.t_events[which], run.y_events[which], strict=True)
            found[name] += [(time, row[k]) for time, row in rows]
        if run.status != 1:
            continue
        if edges == BOTH:
            lifted = 0 if len(run.t_events[1]) else 1
            edges = (1 - lifted,)
            found["uplifts"].append((t, z[0]))
            continue
        before = z[7]
        z[3] = 0.0
        z[4:], edges = column.impact(z[:4], z[4:])
        found["impacts"].append((t, before, z[7]))
        if edges == BOTH:
            z[5:] = 0.0
            normal = column.accelerations(z[:4], z[4:], ground(t), BOTH)[1]
            if normal.min() < 0:  # the column's swing lifts it again at once
                edges = (1 - int(np.argmin(normal)),)
                found["uplifts"].append((t, z[0]))
    return {name: np.array(rows) for name, rows in found.items()}

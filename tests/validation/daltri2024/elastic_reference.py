"""The elastic block on its bed by NumPy: every node's position is an unknown, nothing is condensed.

The internal forces are the derivative of the strain energy ½ d·K d of the turned body, written for
positions in fixed axes, and every step is solved by Newton's method on all equations at once.
"""

from __future__ import annotations

import numpy as np

from rocksteady.theories.dissipation.elastic import block as elastic
from validation.daltri2024.hht_reference import PAPER, Bed


class WholeBody:
    def __init__(self, how, block):
        self.mesh = elastic.mesh(how, block)
        self.X, self.m = self.mesh.nodes, self.mesh.masses
        self.K = np.array([times_stiffness(self.mesh, row) for row in np.eye(self.mesh.size)])
        self.w = np.stack([self.X[:, 1], -self.X[:, 0]], axis=1)

    def rotation(self, q):
        """θ of the frame in which the deformation has no rotation, for positions q."""
        weighted = self.m[:, None] * q
        return np.arctan2((self.w * weighted).sum(), (self.X * weighted).sum())

    def frame(self, q):
        theta = self.rotation(q)
        c, s = np.cos(theta), np.sin(theta)
        R = np.array([[c, s], [-s, c]])
        centre = (self.m[:, None] * q).sum(axis=0) / self.m.sum()
        return R, (q - centre) @ R - self.X

    def energy(self, q):
        d = self.frame(q)[1].ravel()
        return d @ self.K @ d / 2

    def force(self, q):
        """∂(strain energy)/∂q."""
        R, d = self.frame(q)
        stress = (self.K @ d.ravel()).reshape(-1, 2)
        twist = (stress[:, 0] * d[:, 1] - stress[:, 1] * d[:, 0]).sum()
        inertia = (self.m[:, None] * self.X * (self.X + d)).sum()
        return (stress - twist / inertia * self.m[:, None] * self.w) @ R.T


def whole_body(how, block, accel, dt, theta0, rule=PAPER):
    """θ(t) and strain energy(t), let go at θ0; ground acceleration `accel` every `dt`."""
    alpha, beta, gamma = rule
    body = WholeBody(how, block)
    distance, stiffness = how.base(block)
    points, m, K = len(distance), body.m[:, None], body.K
    found = elastic.stand(how, block, theta0)
    c, s = np.cos(theta0), np.sin(theta0)
    R = np.array([[c, s], [-s, c]])
    push = np.zeros_like(body.X)
    push[:points, 1] = found.normal
    d = body.mesh.flexibility[0] @ (push[:points] @ R).ravel()
    q = (body.X + d.reshape(-1, 2)) @ R.T + [0, found.y + block.com_height]
    arm = q[:points, 0]
    a = -(arm @ found.normal) / block.inertia * body.w @ R.T
    weight = np.array([0.0, -block.g])
    inner, v = push + m * (weight - a), np.zeros_like(q)
    bed = Bed(stiffness, how.friction, q[:points, 0])
    history = [(theta0, body.energy(q))]
    for a_h in accel[1:]:
        load = m * (weight - [a_h, 0])
        new = q + dt * v + dt**2 / 2 * a
        ahead = q + dt * v + dt**2 * (0.5 - beta) * a
        for _ in range(200):
            acc = (new - ahead) / (beta * dt**2)
            tangential, normal = bed.forces(*new[:points].T)
            lack = m * acc + (1 + alpha) * body.force(new) - alpha * inner - load
            lack[:points] -= np.stack([tangential, normal], axis=1)
            if np.abs(lack).max() < 1e-7 * block.mass * block.g:
                break
            frame = np.kron(np.eye(len(m)), body.frame(new)[0])
            slope = 1 / (beta * dt**2) * np.diag(np.repeat(body.m, 2))
            slope += (1 + alpha) * frame @ K @ frame.T
            touching = np.repeat(np.where(new[:points, 1] < 0, stiffness, 0), 2)
            slope[np.arange(2 * points), np.arange(2 * points)] += touching
            new = new - np.linalg.solve(slope, lack.ravel()).reshape(-1, 2)
        else:
            raise AssertionError("Newton's method did not converge")
        bed.commit(*new[:points].T)
        v = v + dt * ((1 - gamma) * a + gamma * acc)
        q, a, inner = new, acc, body.force(new)
        history.append((body.rotation(q), body.energy(q)))
    return np.array(history).T


def times_stiffness(mesh, u):
    """K u [N] of a mesh, which keeps K by columns."""
    band, size = mesh.stiffness, mesh.size
    product = band[:, 0] * u
    for k in range(1, mesh.bandwidth + 1):
        below = band[: size - k, k]
        product[k:] += below * u[: size - k]
        product[: size - k] += below * u[k:]
    return product

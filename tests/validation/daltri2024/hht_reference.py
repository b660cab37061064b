"""Two independent solutions of the block on its bed, by NumPy and SciPy.

`rigid` is the same model written down plainly: cosine and sine each follow Newmark's rule in fixed
axes, all springs at once, and SciPy's root finder (no derivatives given) for every step.
`particles` is an *elastic* body, four masses joined by stiff bars, under the textbook HHT rule with
unweighted contact: nothing in it knows of a virial, and in the limit of stiff bars it must give
what the rigid step gives.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import root

PAPER = (1 - np.sqrt(2), 0.5, np.sqrt(2) - 0.5)  # α, β, γ: Eq. 5
NEWMARK = {"alpha_hht": 0.0, "beta_hht": PAPER[1], "gamma_hht": PAPER[2]}


def classical(alpha):
    """Hilber, Hughes and Taylor's β and γ for an α."""
    return alpha, (1 - alpha) ** 2 / 4, 0.5 - alpha


class Bed:
    """Springs along a base: unilateral in the normal, Coulomb's law in the tangential direction."""

    def __init__(self, stiffness, friction, places):
        self.stiffness, self.friction, self.anchors = stiffness, friction, np.array(places)

    def forces(self, x, y):
        normal = self.stiffness * np.maximum(0, -y)
        trial = -self.stiffness * (x - self.anchors)
        return np.clip(trial, -self.friction * normal, self.friction * normal), normal

    def commit(self, x, y):
        """Slipping springs hold on to a new place; those in the air to where they are."""
        tangential, _ = self.forces(x, y)
        self.anchors = x + tangential / self.stiffness


def rigid(formulation, block, accel, dt, theta0=0.0, rule=PAPER):
    """θ(t), x(t) of `formulation`'s model of `block`; ground acceleration `accel` every `dt`."""
    alpha, beta, gamma = rule
    distance, stiffness = formulation.base(block)
    m, inertia, g, h = block.mass, block.inertia, block.g, block.com_height
    state = formulation.start(block, theta0, 0.0)
    theta, x, y, spin, virial = state[0], state[2], state[3], state[10], state[11]

    def points(x, y, theta):
        c, s = np.cos(theta), np.sin(theta)
        r_x, r_y = distance * c - h * s, -distance * s - h * c
        return r_x, r_y, x + r_x, y + h + r_y

    bed = Bed(stiffness, formulation.friction, points(x, y, theta)[2])
    q = np.array([x, y, np.cos(theta), np.sin(theta)])
    v = np.zeros(4)
    a = np.array([0.0, 0.0, -np.sin(theta) * spin, np.cos(theta) * spin])
    scale = np.array([m * g, m * g, m * g * block.R])
    history = [(theta, x)]
    for a_h in accel[1:]:
        ahead = q + dt * v + dt**2 * (0.5 - beta) * a

        def equations(z, ahead=ahead, theta=theta, virial=virial, a_h=a_h):
            r_x, r_y, p_x, p_y = points(*z)
            tangential, normal = bed.forces(p_x, p_y)
            c, s = np.cos(z[2]), np.sin(z[2])
            acc = (np.array([z[0], z[1], c, s]) - ahead) / (beta * dt**2)
            moment = (r_y * tangential - r_x * normal).sum()
            lack = (
                m * (acc[0] + a_h) - tangential.sum(),
                m * (acc[1] + g) - normal.sum(),
                inertia * (c * acc[3] - s * acc[2])
                - moment
                + alpha * np.sin(z[2] - theta) * virial,
            )
            return np.array(lack) / scale

        turn = q[2] * v[3] - q[3] * v[2]
        guess = np.array([*(q + dt * v + dt**2 / 2 * a)[:2], theta + dt * turn])
        solution = root(equations, guess, method="hybr", options={"xtol": 1e-14})
        z = solution.x
        assert np.abs(equations(z)).max() < 1e-8, solution.message
        r_x, r_y, p_x, p_y = points(*z)
        tangential, normal = bed.forces(p_x, p_y)
        bed.commit(p_x, p_y)
        q1 = np.array([z[0], z[1], np.cos(z[2]), np.sin(z[2])])
        a1 = (q1 - ahead) / (beta * dt**2)
        outward = (r_x * tangential + r_y * normal).sum()
        along = q1[2] * a1[2] + q1[3] * a1[3]
        virial = (outward - inertia * along + alpha * np.cos(z[2] - theta) * virial) / (1 + alpha)
        v = v + dt * ((1 - gamma) * a + gamma * a1)
        q, a, theta = q1, a1, z[2]
        history.append((theta, z[0]))
    return np.array(history).T


def particles(half_width, half_height, mass, spring, bar, dt, steps, theta0, rule=PAPER, g=9.81):
    """θ(t) of four masses at the corners of a rectangle, joined by six bars of stiffness `bar`
    [N/m], standing with its two lower ones on springs with infinite friction."""
    alpha, beta, gamma = rule
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [half_width, half_height]
    pairs = [(i, j) for i in range(4) for j in range(i)]
    length = [np.hypot(*(corners[i] - corners[j])) for i, j in pairs]
    one = mass / 4

    def turned(theta):
        c, s = np.cos(theta), np.sin(theta)
        return corners @ np.array([[c, -s], [s, c]])

    def bars(u):
        force, tangent, p = np.zeros(8), np.zeros((8, 8)), u.reshape(4, 2)
        for (i, j), rest in zip(pairs, length, strict=True):
            d = p[i] - p[j]
            now = np.hypot(*d)
            n = d / now
            axial = bar * (now - rest)
            block = bar * np.outer(n, n) + axial / now * (np.eye(2) - np.outer(n, n))
            for k, sign in ((i, 1), (j, -1)):
                force[2 * k : 2 * k + 2] += sign * axial * n
                tangent[2 * k : 2 * k + 2, 2 * i : 2 * i + 2] += sign * block
                tangent[2 * k : 2 * k + 2, 2 * j : 2 * j + 2] -= sign * block
        return force, tangent

    def bed(u, anchors):
        force, tangent = np.zeros(8), np.zeros((8, 8))
        for k in (0, 1):
            if u[2 * k + 1] < 0:
                force[2 * k : 2 * k + 2] = -spring * (u[2 * k] - anchors[k]), -spring * u[2 * k + 1]
                tangent[[2 * k, 2 * k + 1], [2 * k, 2 * k + 1]] = spring
        return force, tangent

    shape = turned(theta0)
    low = -mass * g / spring - shape[:, 1].min()
    u = (shape + np.array([0.0, low])).ravel()
    lever = shape[1 if theta0 > 0 else 0][0]
    spin = -mass * g * lever / (mass * (half_width**2 + half_height**2))
    a = (spin * np.stack([shape[:, 1], -shape[:, 0]], axis=1)).ravel()  # as if rigid
    v, inner, anchors = np.zeros(8), np.zeros(8), u[[0, 2]].copy()
    weight = np.tile([0.0, -one * g], 4)
    history = [theta0]
    for _ in range(steps):
        new = u + dt * v + dt**2 / 2 * a
        ahead = u + dt * v + dt**2 * (0.5 - beta) * a
        for _ in range(60):
            f, k_f = bars(new)
            push, k_p = bed(new, anchors)
            acc = (new - ahead) / (beta * dt**2)
            lack = one * acc + (1 + alpha) * f - alpha * inner - weight - push
            if np.abs(lack).max() < 1e-9 * mass * g + 1e-15 * bar * half_height:
                break
            new = new - np.linalg.solve(
                one / (beta * dt**2) * np.eye(8) + (1 + alpha) * k_f + k_p, lack
            )
        else:
            raise AssertionError("Newton's method did not converge")
        v = v + dt * ((1 - gamma) * a + gamma * acc)
        u, a, inner = new, acc, f
        for k in (0, 1):
            if u[2 * k + 1] >= 0:
                anchors[k] = u[2 * k]
        up = (u[4:6] + u[6:8] - u[0:2] - u[2:4]) / 2
        history.append(np.arctan2(up[0], up[1]))
    return np.array(history)

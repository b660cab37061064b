"""Impacts of the independent solution: plastic, sticking, by enumeration of the contacts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.optimize import nnls

PUSH = 1e-11  # impulses and speeds above minus this times the largest speed count as not negative


@dataclass
class Struck:
    """What an impact leaves behind."""

    velocity: np.ndarray
    spin: np.ndarray
    contacts: tuple[int, ...]
    consistent: list[tuple[int, ...]]
    """All sets of contacts that are consistent."""
    within: object
    """``within(contacts)``: both velocities if exactly these corners had stuck."""

    @property
    def solutions(self):
        return len(self.consistent)


def strike(solid, R, velocity, spin, touching):
    """Plastic, sticking impact of a body whose corners ``touching`` are on the ground.

    Every set of contacts is tried: one corner, two, all. It is consistent if its impulses push and
    no touching corner sinks. The first of them is taken; if there is none, an edge whose other
    corners do not sink, else rest.
    """
    blow = _Blow(solid, R, np.concatenate([velocity, spin]), touching)
    sets = [*combinations(touching, 1), *combinations(touching, 2)]
    if len(touching) > 2:
        sets.append(tuple(touching))
    good = [contacts for contacts in sets if blow.sinks_not(contacts) and blow.pushes(contacts)]
    held = [contacts for contacts in sets if len(contacts) > 1 and blow.sinks_not(contacts)]
    chosen = good[0] if good else held[0]
    after = blow.after(chosen)
    return Struck(after[:3], after[3:], chosen, good, blow.after)


class _Blow:
    """The impact's linear system: M (u+ - u-) = Gᵀ λ, G u+ = 0 for the chosen contacts."""

    def __init__(self, solid, R, before, touching):
        self.before, self.touching = before, list(touching)
        self.arms = solid.corners @ R.T
        self.mass = np.zeros((6, 6))
        self.mass[:3, :3], self.mass[3:, 3:] = np.eye(3), R @ solid.inertia @ R.T
        self.small = PUSH * np.abs(self.rows(self.touching) @ before).max()

    def rows(self, contacts):
        """Velocities of these corners from those of the body: v + w x r."""
        blocks = []
        for x, y, z in self.arms[list(contacts)]:
            blocks.append(np.hstack([np.eye(3), [[0, z, -y], [-z, 0, x], [y, -x, 0]]]))
        return np.vstack(blocks)

    def after(self, contacts):
        """Both velocities after the impact; impulses that are not unique do not matter here."""
        if len(contacts) > 2:
            return np.zeros(6)
        G = self.rows(contacts)
        compliance = G @ np.linalg.solve(self.mass, G.T)
        impulse = np.linalg.lstsq(compliance, -G @ self.before, rcond=1e-12)[0]
        return self.before + np.linalg.solve(self.mass, G.T @ impulse)

    def sinks_not(self, contacts):
        rising = (self.rows(self.touching) @ self.after(contacts))[2::3]
        return bool(rising.min() >= -self.small)

    def pushes(self, contacts):
        """Whether normal impulses >= 0, with any tangential ones, bring the body there."""
        change = self.mass @ (self.after(contacts) - self.before)
        G = self.rows(contacts).T
        sideways = [i for i in range(G.shape[1]) if i % 3 < 2]
        columns = np.hstack([G[:, 2::3], G[:, sideways], -G[:, sideways]])
        return bool(nnls(columns, change)[1] <= self.small)

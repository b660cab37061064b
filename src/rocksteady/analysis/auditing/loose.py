"""Whether the momentum of a body in space that may slide comes from pushes within friction: over
an interval it changes by weight, ground and impulses at corners near the floor, through impacts,
slip and flight. Friction spread over a base is one of impulses at its corners, too."""

from __future__ import annotations

import numpy as np

from rocksteady.analysis.auditing.cones import lacking, spatial_edges
from rocksteady.analysis.auditing.flow import Rows, chosen_intervals, means
from rocksteady.analysis.auditing.result import Law, law
from rocksteady.analysis.auditing.solid import Solid
from rocksteady.numerics.types import Array
from rocksteady.response import Response

MOST = 200  # intervals that are compared
NEAR = 1e-6  # m
ENOUGH = 2e-3  # of m g Δt: the steps within are of second order, at most 0.25 ms long


def pushes(response: Response, solid: Solid) -> tuple[Law, ...]:
    """That no contact pulls or leaves the friction cone."""
    rows = _chosen(response, solid)
    ground = np.stack(means(response), axis=-1)
    found = np.array([_lacking(response, solid, ground, row) for row in rows])
    return (
        law("contacts", "Momentum changes by weight, ground and pushes at corners near the floor, "
            "within |T| ≤ μ N", found, response.time[rows], ENOUGH,
            "loose bodies move in steps of 0.25 ms, by a rule of second order; the cone is drawn "
            "with 24 sides", relative_to="of m g Δt",
            extent=f"{len(rows)} of {len(response.states) - 1} intervals"),
    )  # fmt: skip


def _chosen(response: Response, solid: Solid) -> Rows:
    rates = np.concatenate([solid.velocity(), solid.spin * solid.h], axis=1)
    return chosen_intervals(response, rates, solid.rotation.reshape(-1, 9) * solid.h, MOST)


def _lacking(response: Response, solid: Solid, ground: Array, row: int) -> float:
    assert solid.friction is not None
    dt, both, R = response.motion.dt, [row, row + 1], solid.body.R
    velocity, momentum = solid.velocity()[both], solid.moment_of_momentum()[both]
    a_x, a_z, a_y = ground[row]
    change = np.concatenate([
        solid.mass * (np.diff(velocity, axis=0)[0] + np.array([a_x, a_y, solid.g + a_z]) * dt),
        np.diff(momentum, axis=0)[0] / R,
    ]) / (solid.mass * solid.g * dt)  # fmt: skip
    speed, spin = np.abs(velocity).max(), np.abs(solid.spin[both]).max()
    reach = NEAR + 2 * solid.g * dt**2 + solid.restitution * (speed + R * spin) * dt
    edges = spatial_edges(solid.friction)
    columns = []
    corners = np.concatenate([solid.corners, *solid.lowest(both)])
    arms = np.einsum("kij,cj->kci", solid.rotation[both], corners)
    heights = arms[..., 2] + solid.height()[both][:, None]
    for c in np.flatnonzero(heights.min(axis=0) <= reach):
        arm = arms[:, c].mean(axis=0)
        columns.append(np.concatenate([edges, np.cross(arm, edges.T).T / R]))
    generators = np.hstack(columns) if columns else np.zeros((6, 0))
    turns = spin * dt + speed * dt / R
    return float(max(lacking(generators, change) - turns * np.abs(change).max(), 0.0))

"""Friction without dilatancy: an estimate by iteration.

Gilbert, Casapulla and Ahmed (2006) replace the cone of each joint by one that is nearly flat and
passes through the normal force N_k of the round before, |T| ≤ μ N_k + share · μ (N − N_k), so that
sliding hardly lifts. The linear program may jump between equal solutions and the rounds then cycle;
a second program takes, at the multiplier found, the forces nearest to those of the round before.
The load is not unique: three settings give a range.
"""

from typing import Any

import numpy as np
from scipy.sparse import block_array, csc_array, eye_array, hstack, kron

from rocksteady.analysis.limit_analysis.program import FINE, SOLVED, Equilibrium, Solution, solved
from rocksteady.numerics.types import Array

SETTINGS = ((0.0, 1.0), (0.0, 0.8), (0.2, 0.8))  # share of the slope that is left, and damping
ROUNDS = 40
SETTLED = 1e-5  # relative change of the multiplier, twice in a row


def estimate(problem: Equilibrium, start: Solution) -> tuple[Solution, dict[str, object]]:
    """The lowest of the estimates, and fields of a `LimitLoad` about all."""
    # The forces at the associated load are not unique, and the rounds depend on where they begin:
    # with the smallest forces, so that the answer is always the same.
    smallest = _moved_cones(problem, np.zeros(len(problem.contacts.a)), 1.0) or start
    runs = [_rounds(problem, smallest, *setting) for setting in SETTINGS]
    values = [found.multiplier for found, _, _ in runs]
    lowest = runs[int(np.argmin(values))][0]
    return lowest, {
        "range": (min(values), max(values)),
        "rounds": 1 + sum(count for _, count, _ in runs),
        "settled": all(settled for _, _, settled in runs),
    }


def _rounds(
    problem: Equilibrium, start: Solution, share: float, damping: float
) -> tuple[Solution, int, bool]:
    normal = start.forces[:, :2].sum(axis=1) / problem.unit
    found, still = start, 0
    for count in range(1, ROUNDS + 1):
        before = found.multiplier
        tried = _moved_cones(problem, normal, share)
        if tried is None:
            return found, count, False
        found = tried
        normal += damping * (found.forces[:, :2].sum(axis=1) / problem.unit - normal)
        still = still + 1 if abs(found.multiplier - before) < SETTLED * abs(before) else 0
        if still == 2:
            return found, count, True
    return found, ROUNDS, False


def _moved_cones(problem: Equilibrium, normal: Array, share: float) -> Solution | None:
    """The largest multiplier with the cones moved to these normal forces (in mean weights), and the
    forces nearest to them."""
    mu = problem.contacts.friction
    count, moving = len(mu), len(problem.moving)
    links, link_bounds = problem.links
    scale = np.abs(problem.live_rows).sum() / moving
    live = csc_array(problem.live_rows[:, None] / scale)
    equal = hstack([problem.joint_matrix, links, live], format="csc")
    slope = np.repeat(-share * mu, 2)
    cone = kron(eye_array(count), csc_array([[1.0, 1.0, 0.0]] * 2), format="csc")
    friction = cone * slope[:, None] + kron(
        eye_array(count), csc_array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
    )
    friction = hstack([friction, csc_array((2 * count, links.shape[1] + 1))], format="csc")
    room = FINE * np.repeat((1 - share) * mu * normal, 2)
    bounds = np.vstack(
        [
            np.tile([[0.0, np.inf], [0.0, np.inf], [-np.inf, np.inf]], (count, 1)),
            FINE * link_bounds,
            (-np.inf, np.inf),
        ]
    )
    right = -FINE * problem.dead_rows
    cost = np.zeros(equal.shape[1])
    cost[-1] = -10.0 * moving
    best = solved(cost, equal, right, bounds, A_ub=friction, b_ub=room)
    if best.status != SOLVED:
        return None
    forces = _nearest(equal, right, bounds, friction, room, best.x, normal)
    joints = problem.unit / FINE * forces[: 3 * count].reshape(-1, 3)
    pulls = problem.unit / FINE * forces[3 * count : -1]
    velocities = problem.velocities(-best.eqlin.marginals)
    return Solution(SOLVED, float(best.x[-1] / FINE / scale), joints, pulls, velocities)


def _nearest(
    equal: csc_array,
    right: Array,
    bounds: Array,
    friction: csc_array,
    room: Array,
    best: Array,
    normal: Array,
) -> Array:
    """Of all forces with the multiplier found, those with the least Σ |N − N_k|."""
    count, size = len(normal), equal.shape[1]
    # N − N_k = more − less, both ≥ 0, is one row a joint more.
    sums = hstack(
        [kron(eye_array(count), csc_array([[1.0, 1.0, 0.0]])), csc_array((count, size - 3 * count))]
    )
    differ = hstack([-eye_array(count), eye_array(count)])
    blocks: Any = [[equal, None], [sums, differ]]
    whole = block_array(blocks, format="csc")
    cost = np.concatenate([np.zeros(size), np.ones(2 * count)])
    limits = np.vstack([bounds, np.tile([0.0, np.inf], (2 * count, 1))])
    slack = 1e-9 * abs(best[-1])
    limits[size - 1] = best[-1] - slack, np.inf
    unequal = hstack([friction, csc_array((2 * count, 2 * count))], format="csc")
    found = solved(
        cost, whole, np.concatenate([right, FINE * normal]), limits, A_ub=unequal, b_ub=room
    )
    return np.asarray(found.x[:size] if found.status == SOLVED else best)

"""What a run of stones on springs reads and writes: arrays made once for a run."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.numerics.types import Array

Ints = NDArray[np.int64]

# Columns of `pose` and `trial`: a row for each stone, those that move first.
X, Y, C, S = range(4)  # centre [m], cosine and sine of how far it has turned
POSE = 4
# Columns of `drive`: Newmark's w₀ = v₀ + (1/2 − β) Δt a₀ of the centre and of e = (cos θ, sin θ).
W_X, W_Y, W_ALONG, W_ACROSS = range(4)
# Columns of `sums`: what the springs do to a stone.
F_X, F_Y, MOMENT, VIRIAL = range(4)
# Columns of `spring`.
(
    STIFFNESS,  # [N/m]
    FRICTION,
    AT_X,  # where it sits on stone A, from A's centre [m]
    AT_Y,
    FROM_X,  # where the face of stone B begins, from B's centre [m]
    FROM_Y,
    NORMAL_X,  # unit normal of the face, out of B
    NORMAL_Y,
    LENGTH,  # of the face [m]
) = range(9)
SPRING = 9


# Places in `number`.
(
    ALPHA_H,  # of the rule, see `rule.py`
    BETA,
    GAMMA,
    GRAVITY,  # [m/s²]
    ALLOWED,  # what the equations of a stone may lack, as an acceleration [m/s²]
    SLOW,  # slower stones are called quiet [m/s]
    EDGE,  # how far beyond its end a face still carries [m]
    DEEP,  # a point farther behind a face than this belongs to another one [m]
    NUMBERS,
) = range(9)


class Workspace(NamedTuple):
    """The parameters of the step."""

    number: Array
    stone: Array  # mass, inertia, reach, least width, and the pose at the start, of each that moves
    virial: Array  # V of each stone that moves
    spring: Array
    who: Ints  # stones A and B of each spring
    anchor: Array  # where a spring holds on, along the face; nan: nowhere
    pose: Array
    trial: Array
    rate: Array  # velocities of x, y and of e along and across itself
    acceleration: Array  # the same
    drive: Array  # w₀ of the same
    sums: Array
    turn: Array  # sine and cosine of the turn in this step, of each stone that moves
    change: Array  # dx, dy, Δθ of each stone that moves: the unknowns
    step: Array  # Newton's increment of them
    matrix: Array  # Newton's equations


MASS, INERTIA, REACH, WIDTH, X_0, Y_0 = range(6)


def arrays(moving: int, fixed: int, springs: int) -> dict[str, Any]:
    """The tables that a step only works in."""
    n = 3 * moving
    return {
        "virial": np.zeros(moving),
        "anchor": np.full(springs, np.nan),
        "pose": np.zeros((moving + fixed, POSE)),
        "trial": np.zeros((moving + fixed, POSE)),
        "rate": np.zeros((moving, 4)),
        "acceleration": np.zeros((moving, 4)),
        "drive": np.zeros((moving, 4)),
        "sums": np.zeros((moving + fixed, 4)),
        "turn": np.zeros((moving, 2)),
        "change": np.zeros(n),
        "step": np.zeros(n),
        "matrix": np.zeros((n, n + 1)),
    }

"""The state of an assembly: a head of numbers for the whole, then poses, then velocities."""

import math

from rocksteady.numerics.decorators import array_kernel, kernel
from rocksteady.theories.assembly.workspace import ABYSS, PULL, REST, RUBBLE, SIDE, SLOW, Q, V

HEAD = (
    "displacement [m]",  # of the stone that has moved farthest from where it stood
    "displacement rate [m/s]",
    "turn [rad]",  # of the stone that has turned most, in size
    "work [J]",  # of the shaking ground
    "loss [J]",  # at impacts and in friction
    "residual [-]",  # worst one of all solves so far, over g h
    "unconverged [-]",  # solves with a residual above 1e-4 g h
    "solves [-]",
    "fallen [-]",  # stones that have fallen
    "quiet [s]",  # since anything moved
)
DISPLACEMENT, RATE, TURN, WORK, LOSS, RESIDUAL, UNCONVERGED, SOLVES, FALLEN, QUIET = range(10)
SIZE = len(HEAD)
DOUBTFUL = 1e-4  # g h: a solve with a larger residual is counted
INSTANT = 1e-9  # of a step: what is left of an interval and shorter is no step
TOPPLED = 1.0  # rad: a stone that has turned more has fallen


@array_kernel
def load(state, work):  # type: ignore[no-untyped-def]
    """Take pose and velocity from the state; forget contacts that belong to another pose."""
    body, moving = work.body, work.exact.shape[1]
    for k in range(moving):
        if body[Q, k] != state[SIZE + k]:
            work.tally[SIDE] = -1
        body[Q, k], body[V, k] = state[SIZE + k], state[SIZE + moving + k]


@array_kernel
def store(state, work):  # type: ignore[no-untyped-def]
    """Write pose and velocity into the state, and what they mean for the whole."""
    body, moving = work.body, work.exact.shape[1]
    for k in range(moving):
        state[SIZE + k], state[SIZE + moving + k] = body[Q, k], body[V, k]
    far = rate = turn = 0.0
    fallen = 0.0
    for i in range(moving // 3):
        x, y = body[Q, 3 * i] - body[REST, 3 * i], body[Q, 3 * i + 1] - body[REST, 3 * i + 1]
        distance, angle = math.sqrt(x * x + y * y), abs(body[Q, 3 * i + 2] - body[REST, 3 * i + 2])
        if distance > far:
            far = distance
            rate = (x * body[V, 3 * i] + y * body[V, 3 * i + 1]) / distance
        turn = max(turn, angle)
        if y < -work.shape[i, 3] or angle > TOPPLED:
            fallen += 1.0
    state[DISPLACEMENT], state[RATE], state[TURN] = far, rate, turn
    state[FALLEN] = fallen


@array_kernel
def is_over(state, work):  # type: ignore[no-untyped-def]
    """Whether a run ends here: a stone has fallen, or has left all that is fixed behind."""
    if state[FALLEN] == 0.0:
        return False
    if work.number[RUBBLE] == 0.0:
        return True
    for i in range(work.exact.shape[1] // 3):
        if work.body[Q, 3 * i + 1] < work.number[ABYSS]:
            return True
    return False


@array_kernel
def tell(state, left):  # type: ignore[no-untyped-def]
    """Count a solve and its residual, over g h."""
    state[SOLVES] += 1.0
    state[RESIDUAL] = max(state[RESIDUAL], left)
    if left > DOUBTFUL:
        state[UNCONVERGED] += 1.0


@array_kernel
def wait(state, work, h):  # type: ignore[no-untyped-def]
    """Count how long nothing has moved, after a step of length h, and what broken links held."""
    state[LOSS] += work.travel[1]
    work.travel[1] = 0.0
    state[QUIET] = 0.0 if fastest(work) > work.number[SLOW] else state[QUIET] + h


@kernel
def step_within(dt, longest):  # type: ignore[no-untyped-def]
    """The length of the next of equal steps that fill ``dt``, none above ``longest`` [s]."""
    return dt / max(1, math.ceil(dt / longest - INSTANT))


@array_kernel
def fastest(work):  # type: ignore[no-untyped-def]
    """A bound of the speed of all corners [m/s]."""
    body, most = work.body, 0.0
    for i in range(work.exact.shape[1] // 3):
        x, y, w = body[V, 3 * i], body[V, 3 * i + 1], body[V, 3 * i + 2]
        most = max(most, math.sqrt(x * x + y * y) + abs(w) * work.shape[i, 2])
    return most


@array_kernel
def work_of_ground(work, before, after, ground0, ground1):  # type: ignore[no-untyped-def]
    """Of the forces of inertia on the way between two poses [J]."""
    a_h, a_v = 0.5 * (ground0[0] + ground1[0]), 0.5 * (ground0[1] + ground1[1])
    body, total = work.body, 0.0
    for i in range(work.exact.shape[1] // 3):
        x = body[after, 3 * i] - body[before, 3 * i]
        y = body[after, 3 * i + 1] - body[before, 3 * i + 1]
        total -= (a_h * x + a_v * y) / work.shape[i, 0]
    return total


@array_kernel
def work_of_contact(work, before, after, h):  # type: ignore[no-untyped-def]
    """Of what changed the velocities beside the pull, over h [J]: never positive, but for what a
    step errs."""
    body, total = work.body, 0.0
    for i in range(work.exact.shape[1] // 3):
        for k in range(3 * i, 3 * i + 3):
            mass = 1.0 / (work.shape[i, 0] if k < 3 * i + 2 else work.shape[i, 1])
            change = body[after, k] - body[before, k] - h * body[PULL, k]
            total += 0.5 * mass * change * (body[after, k] + body[before, k])
    return total

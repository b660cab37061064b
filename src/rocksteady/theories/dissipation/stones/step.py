"""One implicit step of stones on springs (D'Altri 2024), and the state of a run.

Every stone follows the rule of one block (`dissipation/step.py`): its centre and the vector
e = (cos θ, sin θ) by Newmark's formulas, its lagged internal forces by their virial V. Stones act
on each other through the springs in their joints alone, whose forces are not lagged.
"""

import math

from rocksteady.numerics.by_address import by_address
from rocksteady.numerics.decorators import array_kernel, spliced_kernel
from rocksteady.numerics.trig import sincos
from rocksteady.theories.assembly.state import TOPPLED
from rocksteady.theories.assembly.workspace import DROPPED
from rocksteady.theories.contract import FAILURE, NOTHING, OVERTURN
from rocksteady.theories.dissipation.step import MAX_CUTS, advancing
from rocksteady.theories.dissipation.stones.forces import hold, settle
from rocksteady.theories.dissipation.stones.newton import set_drive, solve
from rocksteady.theories.dissipation.stones.workspace import (
    ALPHA_H,
    BETA,
    GAMMA,
    GRAVITY,
    INERTIA,
    MASS,
    REACH,
    SLOW,
    VIRIAL,
    WIDTH,
    X_0,
    Y_0,
    C,
    S,
    X,
    Y,
)

HEAD = (
    "displacement [m]",  # of the stone that has moved farthest from where it stood
    "displacement rate [m/s]",
    "turn [rad]",  # of the stone that has turned most, in size
    "work [J]",  # of the shaking ground
    "loss [J]",  # in friction
    "elastic [J]",  # energy in the springs
    "newton iterations [-]",  # since the start
    "cuts [-]",  # steps halved because Newton's method did not converge, since the start
    "fallen [-]",  # stones that have fallen
    "quiet [s]",  # since anything moved
)
DISPLACEMENT, RATE, TURN, WORK, LOSS, ELASTIC, ITERATIONS, CUTS, FALLEN, QUIET = range(10)
SIZE = len(HEAD)
# After the head: poses, rates, then of each stone what the rule needs beside them.
OF_POSE = (("x", "m"), ("y", "m"), ("theta", "rad"))
OF_RATE = (("x rate", "m/s"), ("y rate", "m/s"), ("omega", "rad/s"))
OF_RULE = (
    ("stretch rate", "1/s"), ("x acceleration", "m/s2"), ("y acceleration", "m/s2"),
    ("stretch acceleration", "1/s2"), ("angular acceleration", "rad/s2"), ("virial", "J"),
)  # fmt: skip


@array_kernel
def load_state(state, work):  # type: ignore[no-untyped-def]
    """Poses, velocities and accelerations from the state."""
    moving, rates, accelerations = len(work.virial), work.rate, work.acceleration
    for i in range(moving):
        at, rate, rule = SIZE + 3 * i, SIZE + 3 * (moving + i), SIZE + 6 * (moving + i)
        s, c = sincos(state[at + 2])
        pose = work.pose[i]
        pose[X], pose[Y], pose[C], pose[S] = state[at], state[at + 1], c, s
        rates[i, 0], rates[i, 1], rates[i, 2] = state[rate], state[rate + 1], state[rule]
        rates[i, 3] = state[rate + 2]
        for k in range(4):
            accelerations[i, k] = state[rule + 1 + k]
        work.virial[i] = state[rule + 5]


@array_kernel
def guess(work, h):  # type: ignore[no-untyped-def]
    """Changes of the poses if the last step's accelerations went on."""
    for i in range(len(work.virial)):
        for k in range(3):
            which = 3 if k == 2 else k
            ahead = work.rate[i, which] + 0.5 * h * work.acceleration[i, which]
            work.change[3 * i + k] = h * ahead


@array_kernel
def finish(state, work, h):  # type: ignore[no-untyped-def]
    """Newmark: new accelerations from the new positions, then velocities; those of e are along and
    across the old e, and then along and across the new one."""
    beta, alpha_h = work.number[BETA], work.number[ALPHA_H]
    moving, rate, gamma = len(work.virial), 1 / (beta * h * h), work.number[GAMMA]
    rates, accelerations = work.rate, work.acceleration
    for i in range(moving):
        sine, cosine = work.turn[i, 0], work.turn[i, 1]
        at, speed, rule = SIZE + 3 * i, SIZE + 3 * (moving + i), SIZE + 6 * (moving + i)
        for k in range(4):
            if k < 2:
                gone = work.change[3 * i + k]
            else:
                gone = -sine * sine / (1 + cosine) if k == 2 else sine
            old = accelerations[i, k]
            new = rate * (gone - h * advancing(rates[i, k], old, h, beta))
            rates[i, k] += h * ((1 - gamma) * old + gamma * new)
            accelerations[i, k] = new
        for table in (rates, accelerations):
            along, across = table[i, 2], table[i, 3]
            table[i, 2], table[i, 3] = (
                cosine * along + sine * across,
                cosine * across - sine * along,
            )
        pushed = work.sums[i, VIRIAL] - work.stone[i, INERTIA] * accelerations[i, 2]
        state[rule + 5] = (pushed + alpha_h * cosine * work.virial[i]) / (1 + alpha_h)
        state[at], state[at + 1] = work.trial[i, X], work.trial[i, Y]
        state[at + 2] += work.change[3 * i + 2]
        state[speed], state[speed + 1], state[speed + 2] = rates[i, 0], rates[i, 1], rates[i, 3]
        state[rule] = rates[i, 2]
        for k in range(4):
            state[rule + 1 + k] = accelerations[i, k]
        for k in range(4):
            work.pose[i, k] = work.trial[i, k]


@array_kernel
def tell(state, work, h):  # type: ignore[no-untyped-def]
    """What the poses mean for the whole; whether a stone has fallen."""
    moving = len(work.virial)
    far = rate = turn = fastest = fallen = 0.0
    for i in range(moving):
        at, speed = SIZE + 3 * i, SIZE + 3 * (moving + i)
        x, y = state[at] - work.stone[i, X_0], state[at + 1] - work.stone[i, Y_0]
        v_x, v_y, spin = state[speed], state[speed + 1], state[speed + 2]
        distance, angle = math.sqrt(x * x + y * y), abs(state[at + 2])
        if distance > far:
            far, rate = distance, (x * v_x + y * v_y) / distance
        turn = max(turn, angle)
        fastest = max(fastest, math.sqrt(v_x * v_x + v_y * v_y) + abs(spin) * work.stone[i, REACH])
        if y < -DROPPED * work.stone[i, WIDTH] or angle > TOPPLED:
            fallen += 1.0
    state[DISPLACEMENT], state[RATE], state[TURN], state[FALLEN] = far, rate, turn, fallen
    state[QUIET] = 0.0 if fastest > work.number[SLOW] else state[QUIET] + h


@spliced_kernel
def advance(state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
    """One step: (state, used, event)."""
    work = by_address(params)
    load_state(state, work)
    hold(work, work.pose)
    h, cuts = dt, 0
    while True:
        part = h / dt
        a_h = ground0[0] + part * (ground1[0] - ground0[0])
        a_v = ground0[1] + part * (ground1[1] - ground0[1])
        set_drive(work, h)
        guess(work, h)
        iterations, converged = solve(work, (a_h, work.number[GRAVITY] + a_v), h)
        state[ITERATIONS] += iterations
        if converged:
            break
        if cuts == MAX_CUTS:
            return state, dt, FAILURE
        cuts += 1
        h *= 0.5
    state[CUTS] += cuts
    for i in range(len(work.virial)):
        dx, dy = work.change[3 * i], work.change[3 * i + 1]
        moved = (ground0[0] + a_h) * dx + (ground0[1] + a_v) * dy
        state[WORK] -= 0.5 * work.stone[i, MASS] * moved
    finish(state, work, h)
    lost, elastic = settle(work)
    state[LOSS] += lost
    state[ELASTIC] = elastic
    tell(state, work, h)
    return state, h, OVERTURN if state[FALLEN] > 0 else NOTHING

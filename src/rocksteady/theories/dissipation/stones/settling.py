"""How stones settle on their springs before a run: no inertia, the ground at rest."""

import math

from rocksteady.numerics.by_address import by_address
from rocksteady.numerics.decorators import array_kernel, spliced_kernel
from rocksteady.theories.dissipation.stones.forces import add_forces, hold, settle
from rocksteady.theories.dissipation.stones.newton import solve
from rocksteady.theories.dissipation.stones.workspace import GRAVITY, INERTIA, REACH, C, S

MOST = 200  # steps
STANDS = 1e-3  # rad: stones that turn no more while they settle stand; others are let go
HEAVY = 1e12  # times the moment of inertia of a stone that is not to turn
CLOSE = 1e-15  # m, and of the coordinates: smaller changes end it


@array_kernel
def take_up_weight(work, held):  # type: ignore[no-untyped-def]
    """Let the springs take up the weight; whether the stones stand. ``held``: without turning."""
    moving, smallest, far = len(work.virial), math.inf, 0.0
    for i in range(moving):
        smallest = min(smallest, work.stone[i, REACH])
        far = max(far, abs(work.pose[i, 0]), abs(work.pose[i, 1]))
    h = 0.1 * math.sqrt(smallest / work.number[GRAVITY])
    for _ in range(MOST):
        hold(work, work.pose)
        for i in range(moving):
            for k in range(4):
                work.drive[i, k] = 0.0
            for k in range(3):
                work.change[3 * i + k] = 0.0
        converged = solve(work, (0.0, work.number[GRAVITY]), h)[1]
        most = 0.0
        for k in range(3 * moving):
            most = max(most, abs(work.change[k]))
        for i in range(moving):
            for k in range(4):
                work.pose[i, k] = work.trial[i, k]
            if not held and abs(work.pose[i, S]) > STANDS * work.pose[i, C]:
                return False
        settle(work)
        if not converged:
            return False
        if most < CLOSE * (1 + far):
            break
    return True


@spliced_kernel
def settled(params, held):  # type: ignore[no-untyped-def]
    """Settle the stones, ``held``: without turning; whether they stand. Poses and anchors are left
    in the tables."""
    work = by_address(params)
    for i in range(len(work.virial)):
        work.stone[i, INERTIA] *= HEAVY if held else 1.0
    stands = take_up_weight(work, held)
    for i in range(len(work.virial)):
        work.stone[i, INERTIA] /= HEAVY if held else 1.0
    return stands


@spliced_kernel
def held(params):  # type: ignore[no-untyped-def]
    """Energy in the springs as the stones are now [J]; their forces are left in the table."""
    work = by_address(params)
    for i in range(len(work.pose)):
        for k in range(4):
            work.trial[i, k] = work.pose[i, k]
    add_forces(work, False)
    return settle(work)[1]

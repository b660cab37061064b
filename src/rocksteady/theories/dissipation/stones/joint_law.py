"""The law of the time step, joint by joint.

What rocks on a joint is the stones that it alone carries, as one rigid block. A stone that several
joints carry, a beam on columns, moves sideways with what is below it: it makes the block slower, as
if it were larger by (1 + 3γ)/(1 + 2γ) (Makris and Vassiliou 2013), with γ its share of mass over
that of the column.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocksteady.bodies import Assembly, Block
from rocksteady.errors import warn
from rocksteady.theories.dissipation.stones.faces import Face, faces
from rocksteady.theories.dissipation.time_step import time_step

if TYPE_CHECKING:
    from rocksteady.theories.dissipation.stones.formulation import JointDissipation

COMPARE = (
    "Let the stones rock freely to see what they lose, or compare with rigid stones, which need "
    "no such law."
)
UPRIGHT = 0.9  # n_y of a joint that something can stand on


class JointStep(NamedTuple):
    """What the law of the time step says of one joint."""

    below: str
    above: str
    """Names of the two stones."""
    R: float
    """Half the diagonal of the rectangle that rocks as what stands on the joint [m]."""
    slenderness: float
    """Its h/b [-]."""
    p: float
    """Its frequency parameter [rad/s]."""
    r: float
    """Wanted ratio of energies at an impact [-]."""
    dt: float
    """The law's step for it [s]."""
    r_expected: float
    """What the law says of the step of the run [-]."""
    valid: bool
    """Whether the law was fitted to such blocks."""


def joint_steps(
    how: JointDissipation, assembly: Assembly, *, advise: bool = False
) -> tuple[JointStep, ...]:
    """One for each joint on which something rocks; ``advise``: warn where the law is not fitted to
    the block whose step is taken."""
    law, found = how.step_law() if how.dt is None else how.known_law(), []
    for joint, block in _blocks(assembly, how.spacing):
        r = min(max(block.r if how.r is None else how.r, 1e-6), 1 - 1e-9)
        step = time_step(block, how.k_n, r, law=law, body="rigid")
        found.append((joint, block, r, step))
    if not found:
        return ()
    _, block, r, first = min(found, key=lambda one: one[3].dt)
    fault = law.fault(block, how.k_n, r, "rigid")
    if advise and fault:
        warn(f"Of the joint with the shortest step: {fault} {COMPARE}", stacklevel=5)
    dt = first.dt if how.dt is None else how.dt
    return tuple(
        JointStep(
            assembly.stones[joint.b].name, assembly.stones[joint.a].name, block.R,
            block.slenderness, block.p, r, step.dt, math.exp(math.log(r) * dt / step.dt),
            step.valid,
        )
        for joint, block, r, step in found
    )  # fmt: skip


def _blocks(assembly: Assembly, spacing: float) -> list[tuple[Face, Block]]:
    """The joints on which something rocks, as faces of the upper stone a, and the block it is."""
    lying = [face for face in faces(assembly, spacing) if face.normal[1] > UPRIGHT]
    carried: dict[int, list[int]] = {}
    for face in lying:
        carried.setdefault(face.a, []).append(face.b)
    found = []
    for face in lying:
        if len(carried[face.a]) == 1 and not assembly.stones[face.a].fixed:
            alone, shared = _above(face.a, carried)
            found.append((face, _block(assembly, face, alone, shared, carried)))
    return found


def _above(stone: int, carried: dict[int, list[int]]) -> tuple[list[int], list[int]]:
    """The stones that stand on this one alone, itself included; those it carries with others."""
    alone, shared, changed = [stone], list[int](), True
    while changed:
        changed = False
        for upper, lowers in carried.items():
            if upper in alone or upper in shared or not any(low in alone for low in lowers):
                continue
            (alone if all(low in alone for low in lowers) else shared).append(upper)
            changed = True
    return alone, shared


def _block(
    assembly: Assembly, face: Face, alone: list[int], shared: list[int],
    carried: dict[int, list[int]],
) -> Block:  # fmt: skip
    """The rectangle with the height of the centre of mass, the half width and the p of what stands
    on the joint."""
    stones = [assembly.stones[i] for i in alone]
    mass = math.fsum(stone.mass for stone in stones)
    x, y = (math.fsum(s.mass * s.centre[k] for s in stones) / mass for k in (0, 1))
    # in the axes of the joint's upper face, which may lean
    first, last = face.points[0], face.points[-1]
    tangent = (last - first) / math.dist(first, last)
    way = np.array([x, y]) - (first + last) / 2
    along, h = float(way @ tangent), abs(float(tangent[0] * way[1] - tangent[1] * way[0]))
    b = math.dist(first, last) / 2 - abs(along)
    inertia = math.fsum(s.inertia + s.mass * math.dist(s.centre, (x, y)) ** 2 for s in stones)
    R = math.hypot(h, b)
    p2 = mass * assembly.g * R / (inertia + mass * R**2)
    gamma = math.fsum(assembly.stones[i].mass / len(carried[i]) for i in shared) / mass
    p2 *= (1 + 2 * gamma) / (1 + 3 * gamma)
    return Block.from_parameters(p=math.sqrt(p2), alpha=math.atan2(b, h), g=assembly.g)

"""A mechanism with one degree of freedom as a single block.

With the rotation φ of one stone as the coordinate, Lagrange's equation at rest is
M φ̈ = (a/g − λ(φ)) P with M = v·M·v and P = Σ m g v_x, where v are the velocities of all stones at
φ̇ = 1. A block has θ̈ = p² cos α (a/g − tan α) and λ = tan(α − θ). With θ = c φ they agree in the
acceleration that starts the motion, in the initial angular acceleration, and, with c = α/φ_u, in
the position from which there is no return (λ = 0 at φ_u).

Where all stones that turn turn alike, as drums or the columns of a frame do, all joints close at
once, and the impact projects the velocities on those of the mirrored mechanism: η =
−v_left·M·v_right/(v_left·M·v_left), Housner's for a rectangle. As an arch swings back, its inertia
opens other joints too, the hinges close one after the other, and what is left of the energy depends
on the swing. No η is given then.
"""

import math

import numpy as np

from rocksteady.analysis.equivalents.blocks import block_with, loss_words
from rocksteady.analysis.equivalents.result import Equivalent, kinetic
from rocksteady.analysis.limit_analysis.capacity import CapacityCurve, capacity_curve
from rocksteady.analysis.limit_analysis.limit import limit_load
from rocksteady.analysis.limit_analysis.result import LimitLoad
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array
from rocksteady.systems.assembly import Assembly
from rocksteady.systems.block import Block

SYMMETRIC = 1e-6
INSTEAD = "Simulate it with rs.BlockDynamics."
NO_ETA = (
    " It holds for the first swing: hinges close one after the other, so that no single η "
    "describes the impacts, and that of the block is not the assembly's. For more swings simulate "
    "the assembly with rs.BlockDynamics."
)


def mechanism_block(assembly: Assembly) -> Equivalent:
    """The block of a symmetric assembly whose mechanism has hinges only."""
    right, left = (_checked(limit_load(assembly, (side, 0.0))) for side in (1.0, -1.0))
    if not math.isclose(right.multiplier, left.multiplier, rel_tol=SYMMETRIC):
        raise InputError(
            f"It is not symmetric: it falls to the right at {right.multiplier:.4g} g and to the "
            f"left at {left.multiplier:.4g} g, which no symmetric block does. {INSTEAD}"
        )
    curve = capacity_curve(assembly, sliding=True, steps=20)
    if curve.ended:
        raise InputError(f"Its mechanism cannot be followed to its end: {curve.ended}. {INSTEAD}")
    turning = int(np.argmax(np.abs(right.velocities[:, 2])))
    velocities = right.velocities / abs(right.velocities[turning, 2])
    back = left.velocities / np.abs(left.velocities[:, 2]).max()
    alpha = math.atan(right.multiplier)
    turned = np.abs(curve.poses[:, turning, 2])
    scale = alpha / turned[-1]
    push = sum(s.mass * assembly.g * v[0] for s, v in zip(assembly, velocities, strict=True))
    p = math.sqrt(scale * push / (kinetic(assembly, velocities, velocities) * math.cos(alpha)))
    words = _words(right, curve, turned, scale, alpha)
    if not _turns_alike(right):
        block, eta = Block.from_parameters(p=p, alpha=alpha, g=assembly.g), math.nan
        return Equivalent(assembly, "mechanism", block, p, alpha, eta, words + NO_ETA, scale)
    eta = -kinetic(assembly, back, velocities) / kinetic(assembly, back, back)
    if eta <= 0:
        raise InputError(f"Its first impact stops it (η = {eta:.3g}): no block rocks like this.")
    block = block_with(p, alpha, eta, assembly.mass, assembly.g)
    words += loss_words(block, eta)
    return Equivalent(assembly, "mechanism", block, p, alpha, eta, words, scale)


def _turns_alike(found: LimitLoad) -> bool:
    """Whether all stones that turn do so at the same rate."""
    turns = found.velocities[:, 2]
    turning = turns[np.abs(turns) > SYMMETRIC * np.abs(turns).max()]
    return bool(np.ptp(turning) <= SYMMETRIC * np.abs(turning).max())


def _checked(found: LimitLoad) -> LimitLoad:
    if not math.isfinite(found.multiplier):
        raise InputError(f"There is no equivalent block. {found.words}")
    if found.sliding_joints:
        joint = found.joints[found.sliding_joints[0]]
        names = [found.assembly.stones[i].name for i in (joint.a, joint.b)]
        raise InputError(
            f"There is no equivalent block: the joint between stones {names[0]!r} and {names[1]!r} "
            f"slides before the assembly rocks. {INSTEAD}"
        )
    return found


def _words(
    found: LimitLoad, curve: CapacityCurve, turned: Array, scale: float, alpha: float
) -> str:
    """When the block is enough."""
    first = np.polynomial.Polynomial.fit(turned[:6], curve.multiplier[:6], 4).deriv()(0.0)
    softer = float(-first * math.cos(alpha) ** 2 / scale)  # 1 for a block
    hinges = len(found.hinges)
    differs = abs(softer - 1) > 5e-4
    falls = (
        f"{abs(softer - 1):.1%} {'faster' if softer > 1 else 'slower'} than" if differs else "as"
    )
    said = (
        f"Its {'hinge is' if hinges == 1 else f'{hinges} hinges are'} kept where it lifts off "
        f"first. The block has its uplift (λ = {found.multiplier:.4g}), its first acceleration and "
        f"its last stable position; at first its load falls {falls} the block's."
    )
    if not curve.exact.all():
        share = turned[int(np.argmin(curve.exact))] / turned[-1]
        said += (
            f" It is enough for rocking up to {share:.0%} of the way to falling, where hinges "
            "would move; beyond, it is a first estimate."
        )
    return said

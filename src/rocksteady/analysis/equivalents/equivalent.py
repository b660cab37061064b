"""A single block in place of an assembly, where there is one: `equivalent_block`."""

import math

import numpy as np

from rocksteady.analysis.equivalents.blocks import block_with, loss_words
from rocksteady.analysis.equivalents.first_motion import first_motion
from rocksteady.analysis.equivalents.result import Equivalent, kinetic
from rocksteady.analysis.equivalents.shapes import Frame, Layout, as_block
from rocksteady.analysis.limit_analysis.capacity import CapacityCurve, capacity_curve
from rocksteady.analysis.limit_analysis.limit import limit_load
from rocksteady.analysis.limit_analysis.result import LimitLoad
from rocksteady.bodies.assembly import Assembly
from rocksteady.bodies.block import Block
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array

STRONGEST = 5.0  # g: no ground shakes more


def equivalent_block(assembly: Assembly) -> Equivalent:
    """The single block that rocks as the assembly does, and a sentence when that is enough.

    ======================  ====================================================================
    equal columns, a beam   p² and η of Makris and Vassiliou (2013); exact while nothing slides
    two stones, one on      the whole stack, or the upper stone alone: whichever lifts off first
    the other
    symmetric mechanism     an arch, a buttressed arch: its hinges stay where `limit_load` finds
                            them; one block with its uplift, inertia and last stable position, for
                            the first swing: no single η describes its impacts
    ======================  ====================================================================

    Any other assembly is refused with a sentence.

    Examples
    --------
    >>> frame = Assembly.portal(0.5, 2.0, 4.5, 0.25)
    >>> found = equivalent_block(frame)
    >>> round(found.p, 6), round(found.eta, 6)
    (2.375681, 0.893297)
    """
    expect(assembly, Assembly, "An equivalent block")
    if assembly.links:
        raise InputError(
            "An assembly with springs, ties or tendons has no equivalent block: simulate it with "
            "rs.BlockDynamics."
        )
    layout = Layout(assembly)
    alone = layout.single()
    if alone is not None:
        needed = math.tan(max(alone.right.alpha, alone.left.alpha))
        words = _needs_friction(layout, needed, "One stone rocks as the block that it is")
        return _as_it_is(assembly, alone, "block", words)
    frame = layout.frame()
    if frame is not None:
        return _frame(layout, frame)
    pair = layout.stack()
    if pair is not None:
        return _stack(layout, *pair)
    return mechanism_block(assembly)


def _as_it_is(assembly: Assembly, block: Block, kind: str, words: str) -> Equivalent:
    return Equivalent(assembly, kind, block, block.p, block.alpha, block.eta, words)


def _needs_friction(layout: Layout, needed: float, said: str) -> str:
    least = min(joint.friction for joint in layout.joints)
    holds = "it has" if least >= needed else "too little: it has"
    return (
        f"{said} while nothing slides: that needs a friction of at least {needed:.4g} at uplift "
        f"({holds} {least:g})."
    )


def _frame(layout: Layout, frame: Frame) -> Equivalent:
    assembly = layout.assembly
    column, beam = assembly.stones[frame.columns[0]], assembly.stones[frame.beam]
    xs, ys = zip(*column.corners, strict=True)
    rigid = Block(height=max(ys) - min(ys), width=max(xs) - min(xs), g=assembly.g)
    gamma = beam.mass / (len(frame.columns) * column.mass)
    p = rigid.p * math.sqrt((1 + 2 * gamma) / (1 + 3 * gamma))
    alpha = rigid.alpha
    eta = 1 - 1.5 * math.sin(alpha) ** 2 + 3 * gamma * math.cos(2 * alpha)
    eta /= 1 + 3 * gamma
    block = block_with(p, alpha, eta, assembly.mass, assembly.g)
    words = _needs_friction(
        layout,
        math.tan(alpha),
        f"{len(frame.columns)} columns under a beam of γ = {gamma:.4g} times their mass rock as "
        "this block, exactly",
    )
    return Equivalent(assembly, "frame", block, p, alpha, eta, words + loss_words(block, eta))


# -- two stones ------------------------------------------------------------------------------------


def uplift_of_two(assembly: Assembly) -> tuple[float, float]:
    """The ground accelerations [g] at which two stones, one on the other, lift off as one and the
    upper one alone: b₁ (m₁ + m₂)/(m₁ h₁ + m₂ (2 h₁ + h₂)) and b₂/h₂ for rectangles."""
    expect(assembly, Assembly, "The uplift of two stones")
    pair = Layout(assembly).stack()
    if pair is None:
        raise InputError("This is no stack of two stones: one on the ground, the other on it.")
    whole, upper = _pair_blocks(Layout(assembly), *pair)
    return math.tan(whole.alpha), math.tan(upper.alpha)


def _pair_blocks(layout: Layout, lower: int, upper: int) -> tuple[Block, Block]:
    """Both stones as one block, and the upper one."""
    assembly = layout.assembly
    base = layout.on_ground(lower)
    joint = layout.between(upper, lower)
    assert base is not None and joint is not None  # `Layout.stack` has looked
    ends = sorted(x for x, _ in joint.ends)
    bed = base._replace(left=ends[0], right=ends[1], height=joint.ends[0][1])
    return as_block(assembly, [lower, upper], base), as_block(assembly, [upper], bed)


def _stack(layout: Layout, lower: int, upper: int) -> Equivalent:
    assembly = layout.assembly
    whole, top = _pair_blocks(layout, lower, upper)
    as_one = math.tan(whole.alpha) < math.tan(top.alpha)
    block = whole if as_one else top
    least = math.tan(block.alpha)
    until = _changes(assembly, least)
    what = "Both stones rock as one" if as_one else "The upper stone rocks alone"
    name = assembly.stones[upper].name
    other = math.tan((top if as_one else whole).alpha)
    words = (
        f"{what} from {least:.4g} g on "
        f"({f'stone {name!r} alone' if as_one else 'both as one'} would lift off at {other:.4g} g)"
        ". "
    )
    words += (
        f"The block is enough for peak accelerations up to {until:.4g} g, where the first motion "
        "changes; impacts may set the other stone in motion before."
        if until < STRONGEST
        else "The first motion stays of this kind up to 5 g; impacts may change it."
    )
    return _as_it_is(assembly, block, "stack", words)


def _changes(assembly: Assembly, least: float) -> float:
    """The acceleration [g] beyond which other contacts open than just after uplift."""

    def opened(ground: float) -> bytes:
        return first_motion(assembly, ground).closed.tobytes()

    first = opened(1.001 * least)
    if opened(STRONGEST) == first:
        return STRONGEST
    low, high = 1.001 * least, STRONGEST
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if opened(middle) == first else (low, middle)
    return high


# -- A mechanism with one degree of freedom as a single block --------------------------------------
# With the rotation φ of one stone as the coordinate, Lagrange's equation at rest is
# M φ̈ = (a/g − λ(φ)) P with M = v·M·v and P = Σ m g v_x, where v are the velocities of all stones at
# φ̇ = 1. A block has θ̈ = p² cos α (a/g − tan α) and λ = tan(α − θ). With θ = c φ they agree in the
# acceleration that starts the motion, in the initial angular acceleration, and, with c = α/φ_u, in
# the position from which there is no return (λ = 0 at φ_u).
#
# Where all stones that turn turn alike, as drums or the columns of a frame do, all joints close at
# once, and the impact projects the velocities on those of the mirrored mechanism:
# η = −v_left·M·v_right/(v_left·M·v_left), Housner's for a rectangle. As an arch swings back, its
# inertia opens other joints too, the hinges close one after the other, and what is left of the
# energy depends on the swing. No η is given then.

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

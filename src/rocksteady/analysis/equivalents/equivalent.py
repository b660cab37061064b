"""A single block in place of an assembly, where there is one: `equivalent_block`."""

import math

from rocksteady.analysis.equivalents.blocks import block_with, loss_words
from rocksteady.analysis.equivalents.first_motion import first_motion
from rocksteady.analysis.equivalents.one_mechanism import mechanism_block
from rocksteady.analysis.equivalents.result import Equivalent
from rocksteady.analysis.equivalents.shapes import Frame, Layout, as_block
from rocksteady.errors import InputError
from rocksteady.systems.assembly import Assembly
from rocksteady.systems.block import Block
from rocksteady.systems.system import expect

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

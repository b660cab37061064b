"""Single blocks in place of assemblies: frames, stacks of two, arches."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.analysis.equivalents import equivalent_block, first_motion, uplift_of_two
from rocksteady.analysis.equivalents.equivalent import mechanism_block
from rocksteady.bodies.assembly import Assembly, Stone, Tie
from rocksteady.errors import InputError

FLOOR = Stone.box(-5, -0.5, 10, 0.5, fixed=True, name="ground")
WIDE, SLENDER = (0.5, 0.5, 0.3, 1.0), (0.25, 0.5, 0.25, 0.5)  # b₁, h₁, b₂, h₂


def stack(b1, h1, b2, h2):
    lower = Stone.box(-b1, 0, 2 * b1, 2 * h1, name="lower")
    return Assembly((FLOOR, lower, Stone.box(-b2, 2 * h1, 2 * b2, 2 * h2, name="upper")))


# -- frames ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("beam", "p", "eta"),
    [(0.25, 2.3756810388242773, 0.8932968536251711), (1.0, 2.2506781471658295, 0.8861480075901329)],
    ids=["γ = 0.5625", "γ = 2.25"],
)
def test_row_frame_of_makris_and_vassiliou(beam, p, eta):
    found = equivalent_block(Assembly.portal(0.5, 2.0, 4.5, beam))
    assert found.kind == "frame"
    assert (found.p, found.eta) == pytest.approx((p, eta), rel=1e-14)
    assert found.alpha == pytest.approx(math.atan(0.25), rel=1e-14)
    # the block itself has all three: it can be simulated without further options
    block = found.block
    assert (block.p, block.alpha, block.eta) == pytest.approx((p, math.atan(0.25), eta), rel=1e-12)


@pytest.mark.parametrize(("beam", "peak", "turn"), [(0.25, 0.08983506312917, 0.98995147974)])
def test_row_frame_peaks_and_turning_times(beam, peak, turn):
    """§4: the first peak and turning time of the frame, from its equivalent block."""
    found = equivalent_block(Assembly.portal(0.5, 2.0, 4.5, beam))
    block = found.block
    # cos(α − θ₁) − cos α = η² (cos(α − θ₀) − cos α)
    start = math.cos(block.alpha / 2) - math.cos(block.alpha)
    left = math.cos(block.alpha) + block.eta**2 * start
    assert block.alpha - math.acos(left) == pytest.approx(peak, rel=1e-10)
    response = rs.simulate(block, theta0=block.alpha / 2, duration=1.5)
    theta = np.asarray(response.theta)
    lowest = int(np.argmin(theta))
    assert response.time[lowest] == pytest.approx(turn, abs=0.02)
    assert theta[lowest] == pytest.approx(-peak, rel=1e-3)


@given(
    width=st.floats(0.3, 0.8),
    height=st.floats(1.5, 4.0),
    beam=st.floats(0.1, 1.0),
    columns=st.integers(2, 4),
)
@settings(max_examples=5, deadline=None)
def test_the_mechanism_of_a_frame_gives_its_closed_form(width, height, beam, columns):
    """Lagrange's equation of the mechanism that linear programming finds, and impulses at its new
    contacts: the formulas of Makris and Vassiliou, which it does not know."""
    frame = Assembly.portal(width, height, 8.0, beam, columns=columns)
    closed, derived = equivalent_block(frame), mechanism_block(frame)
    assert derived.alpha == pytest.approx(closed.alpha, rel=1e-10)
    assert derived.p == pytest.approx(closed.p, rel=1e-9)
    assert derived.eta == pytest.approx(closed.eta, rel=1e-10)


def test_a_frame_says_what_friction_it_needs():
    assert "(it has 0.7)" in equivalent_block(Assembly.portal(0.5, 2.0, 4.5, 0.25)).words
    slippery = equivalent_block(Assembly.portal(0.5, 2.0, 4.5, 0.25, friction=0.1))
    assert "at least 0.25" in slippery.words and "too little: it has 0.1" in slippery.words


# -- two stones ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "whole", "upper"), [(WIDE, 0.3793103448, 0.3), (SLENDER, 0.25, 0.5)]
)
def test_row_uplift_of_two_blocks(sizes, whole, upper):
    assert uplift_of_two(stack(*sizes)) == pytest.approx((whole, upper), abs=5e-11)


@pytest.mark.parametrize(
    ("sizes", "times", "lower", "upper"),
    [
        (WIDE, 1.5, 0.0, 1.0125),  # upper alone: Psycharis' mode 4
        (SLENDER, 1.5, 0.865588235, 0.865588235),  # as one: mode 3
        (WIDE, 3.0, 2.388182502, 2.388182502),  # the mode changes with a
    ],
)
def test_row_initial_angular_acceleration_of_two_blocks(sizes, times, lower, upper):
    pair = stack(*sizes)
    found = first_motion(pair, times * min(uplift_of_two(pair)))
    assert found.accelerations[1:, 2] == pytest.approx((lower, upper), abs=6e-10)
    mirrored = first_motion(pair, -times * min(uplift_of_two(pair)))
    assert mirrored.accelerations[1:, 2] == pytest.approx((-lower, -upper), abs=6e-10)


@pytest.mark.parametrize("sizes", [WIDE, SLENDER])
def test_nothing_moves_below_the_uplift(sizes):
    pair = stack(*sizes)
    least = min(uplift_of_two(pair))
    assert not first_motion(pair, 0.999 * least).moves
    assert first_motion(pair, 1.001 * least).moves


def test_a_stack_is_the_block_that_lifts_off_first():
    alone, whole = equivalent_block(stack(*WIDE)), equivalent_block(stack(*SLENDER))
    assert alone.block.width == pytest.approx(0.6) and alone.block.height == pytest.approx(2.0)
    assert "upper stone rocks alone" in alone.words and "enough" in alone.words
    assert whole.block.height == pytest.approx(2.0) and whole.block.width == pytest.approx(0.5)
    like = rs.Block(height=2.0, width=0.5)
    assert (whole.p, whole.eta) == pytest.approx((like.p, like.eta), rel=1e-12)
    assert "rock as one" in whole.words


def test_the_acceleration_up_to_which_it_is_enough():
    pair = stack(*WIDE)
    until = float(equivalent_block(pair).words.split("up to ")[1].split(" g")[0])
    below, beyond = first_motion(pair, 0.999 * until), first_motion(pair, 1.001 * until)
    assert (below.closed != beyond.closed).any()
    assert below.accelerations[1, 2] == pytest.approx(0.0, abs=1e-9)
    assert beyond.accelerations[1, 2] > 1e-3


# -- other shapes ----------------------------------------------------------------------------------


def test_one_stone_is_the_block_that_it_is():
    stone = Stone([(0, 0), (0.5, 0), (0.6, 2), (-0.2, 2)], name="leaning")
    found = equivalent_block(Assembly((FLOOR, stone)))
    like = rs.Block.from_outline([(0, 0), (0.5, 0), (0.6, 2), (-0.2, 2)])
    assert found.kind == "block"
    assert found.block.right.p == pytest.approx(like.right.p, rel=1e-12)
    assert found.block.left.alpha == pytest.approx(like.left.alpha, rel=1e-12)
    assert found.eta == pytest.approx(like.eta, rel=1e-12)


def test_the_mechanism_of_one_stone_is_its_block():
    one = Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, 2.0, name="pillar")))
    found, like = mechanism_block(one), rs.Block(height=2.0, width=0.5)
    assert (found.p, found.alpha, found.eta) == pytest.approx(
        (like.p, like.alpha, like.eta), rel=1e-9
    )
    assert found.scale == pytest.approx(1.0, rel=1e-9)
    assert "as the block's" in found.words


def test_an_arch_of_four_hinges():
    """Its first acceleration is that of Lagrange's equation, its uplift the collapse load."""
    arch = Assembly.arch(7, 0.15, radius=1.0, embrace=157.5)
    found = equivalent_block(arch)
    start = rs.analysis.limit_load(arch)
    assert found.kind == "mechanism"
    assert math.tan(found.alpha) == pytest.approx(0.370009738022, abs=1e-10)
    v, masses = start.velocities, np.array([[s.mass, s.mass, s.inertia] for s in arch])
    power, inertia = arch.g * masses[:, 0] @ v[:, 0], np.sum(masses * v**2)
    extra = 0.1  # g above the uplift
    mechanism = extra * power / inertia * np.abs(v[:, 2]).max() * found.scale
    assert found.p**2 * math.cos(found.alpha) * extra == pytest.approx(mechanism, rel=1e-9)
    assert (found.block.p, found.block.alpha) == pytest.approx((found.p, found.alpha), rel=1e-12)
    assert "4 hinges" in found.words and "enough" in found.words


def test_an_arch_has_no_eta():
    """Let go in its mechanism, 3 % of the way to falling, an arch closes its hinges one after the
    other: between the first and the last impact of the swing back it keeps moving, and no ratio of
    two velocities tells what the sequence left."""
    arch = Assembly.arch(7, 0.2, radius=1.0, embrace=157.5, friction=5.0)
    found = equivalent_block(arch)
    assert math.isnan(found.eta) and "no η" in repr(found) and "first swing" in found.words
    curve = rs.analysis.capacity_curve(arch, steps=40)
    pose = curve.poses[1]
    stones = [
        stone if stone.fixed else stone.turned(turn).moved(x, y)
        for stone, (x, y, turn) in zip(arch, pose, strict=True)
    ]
    swing = rs.simulate(
        Assembly(stones, friction=5.0, floating=True), None, rs.BlockDynamics(step=5e-4), until=0.06
    )
    first = swing.impacts.time[swing.impacts.time < 0.06]
    assert len(first) > 4 and first[-1] - first[0] > 0.05 * first[0]


@pytest.mark.parametrize("count", [1, 3])
def test_stones_that_turn_as_one_lose_what_one_block_loses(count):
    found, like = mechanism_block(Assembly.drums(count, 6.0, 1.0)), rs.Block(6.0, 1.0)
    assert found.eta == pytest.approx(like.eta, rel=1e-9)


def test_larger_arches_are_slower():
    small, large = (
        equivalent_block(Assembly.arch(7, 0.15 * size, radius=size, embrace=157.5))
        for size in (1.0, 4.0)
    )
    assert large.p == pytest.approx(small.p / 2, rel=1e-6)
    assert large.alpha == pytest.approx(small.alpha, rel=1e-6)


# -- refusals --------------------------------------------------------------------------------------


def test_what_has_no_equivalent_is_refused():
    with pytest.raises(InputError, match="slides before the assembly rocks"):
        equivalent_block(Assembly.arch(16, 0.15, radius=1.0, friction=0.4))
    with pytest.raises(InputError, match="does not stand"):
        equivalent_block(Assembly.arch(16, 0.1, radius=1.0))
    tie = Tie(stones=("ground", "drum 1"), points=((0.0, -0.1), (0.0, 0.5)), stiffness=1e6)
    with pytest.raises(InputError, match="springs, ties or tendons"):
        equivalent_block(Assembly.drums(1, 1.0, 0.3, links=(tie,)))
    three = [Stone.box(-0.2 + 0.1 * i, i, 0.4, 1.0, name=f"{i}") for i in range(3)]
    with pytest.raises(InputError, match="not symmetric"):
        equivalent_block(Assembly((FLOOR, *three)))
    with pytest.raises(InputError, match="up to 6"):
        first_motion(Assembly.drums(7, 7.0, 1.0), 0.2)
    with pytest.raises(InputError, match="no stack of two"):
        uplift_of_two(Assembly.drums(3, 3.0, 1.0))


def test_they_are_among_the_functions():
    assert rs.analysis.equivalent_block is equivalent_block
    assert rs.analysis.first_motion is first_motion

"""Capacity curves: closed forms of a block, a stack and a frame, and the four-bar linkage of an
arch."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import fsolve

import rocksteady as rs
from rocksteady.analysis.limit_analysis import capacity_curve, limit_load
from rocksteady.analysis.limit_analysis.capacity import _Path
from rocksteady.analysis.limit_analysis.contacts import Corners
from rocksteady.analysis.limit_analysis.links import elastic_forces
from rocksteady.analysis.limit_analysis.mechanism import Control
from rocksteady.bodies.assembly import Assembly, Spring, Stone, Tie
from rocksteady.errors import InputError

FLOOR = Stone.box(-5, -0.5, 10, 0.5, fixed=True, name="ground")


def stack(b1, h1, b2, h2, **options):
    lower = Stone.box(-b1, 0, 2 * b1, 2 * h1, name="lower")
    return Assembly((FLOOR, lower, Stone.box(-b2, 2 * h1, 2 * b2, 2 * h2, name="upper")), **options)


@given(width=st.floats(0.2, 1.0), height=st.floats(1.5, 4.0))
@settings(max_examples=6, deadline=None)
def test_a_block_carries_tan_of_what_is_left(width, height):
    """λ = tan(α − θ), to zero where the centre is above the corner."""
    block = Assembly((FLOOR, Stone.box(-width / 2, 0, width, height, name="block")), friction=2.0)
    curve = capacity_curve(block, steps=10)
    alpha = math.atan2(width, height)
    lean = -curve.poses[:, 1, 2]
    assert curve.multiplier == pytest.approx(np.tan(alpha - lean), abs=1e-12)
    assert curve.ultimate_displacement == pytest.approx(width / 2, rel=1e-9)
    assert curve.multiplier[-1] == 0.0 and curve.exact.all() and not curve.ended
    assert curve.mass_share == pytest.approx(1.0)
    assert curve.spectral_acceleration == pytest.approx(math.tan(alpha) * 9.81, rel=1e-9)


@pytest.mark.parametrize("rise", [-0.5, 0.5, 2.0])
def test_a_block_that_is_pushed_obliquely(rise):
    """Moments about the corner of its weight and of a push (c, s) λ W at the centre (−x, y):
    λ = x/(c y + s x); the displacement is that along the push."""
    block = Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, 2.0, name="block")), friction=3.0)
    c, s = 1 / math.hypot(1, rise), rise / math.hypot(1, rise)
    curve = capacity_curve(block, (1.0, rise), steps=8)
    left = math.atan(0.25) + curve.poses[:, 1, 2]
    x, y = math.hypot(0.25, 1) * np.sin(left), math.hypot(0.25, 1) * np.cos(left)
    assert len(left) > 5 and curve.multiplier == pytest.approx(x / (c * y + s * x), abs=1e-11)
    assert curve.displacement == pytest.approx(c * (0.25 - x) + s * (y - 1), abs=1e-11)


def test_its_slope_is_negative():
    block = Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, 2.0, name="block")))
    curve = capacity_curve(block)
    # dλ/dθ = −1/cos²α and dd/dθ = R cos α = 1 m
    assert curve.stiffness == pytest.approx(-1 / math.cos(math.atan(0.25)) ** 2, rel=1e-4)


def test_a_stack_whose_upper_stone_rocks_alone():
    curve = capacity_curve(stack(0.5, 0.5, 0.3, 1.0))
    lean = -curve.poses[:, 2, 2]
    assert curve.control == "upper"
    assert curve.multiplier == pytest.approx(np.tan(math.atan(0.3) - lean), abs=1e-12)
    assert not curve.poses[:, 1].any()


def test_a_stack_that_rocks_as_one():
    curve = capacity_curve(stack(0.25, 0.5, 0.25, 0.5), control="lower")
    lean = -curve.poses[:, 1, 2]
    assert curve.poses[:, 2, 2] == pytest.approx(-lean, abs=1e-12)
    assert curve.multiplier == pytest.approx(np.tan(math.atan(0.25) - lean), abs=1e-12)


def test_the_share_of_the_mass_that_takes_part():
    """Two equal stones that turn as one have their centres at h and 3h: (1 + 3)²/(2 (1 + 3²)), and
    the oscillator starts at λ₀ g over it, whatever the units of the mass."""
    for far in (1.0, 40.0):  # kg/m³
        pair = stack(0.25, 0.5, 0.25, 0.5)
        stones = [replace(stone, density=2000.0 * far) for stone in pair.stones]
        curve = capacity_curve(Assembly(tuple(stones)), control="lower", steps=5)
        assert curve.mass_share == pytest.approx(0.8, rel=1e-9)
        assert curve.spectral_acceleration == pytest.approx(0.25 * 9.81 / 0.8, rel=1e-9)


def test_a_frame_leans_as_its_columns_do():
    """Makris and Vassiliou 2013: the beam changes inertia, not the slope of the load."""
    curve = capacity_curve(Assembly.portal(0.5, 2.0, 4.5, 0.25))
    lean = -curve.poses[:, 1, 2]
    assert curve.poses[:, 2, 2] == pytest.approx(-lean, abs=1e-11)
    assert curve.poses[:, 3, 2] == pytest.approx(0.0, abs=1e-11)
    assert curve.multiplier == pytest.approx(np.tan(math.atan(0.25) - lean), abs=1e-11)
    assert curve.ultimate_displacement == pytest.approx(0.5, rel=1e-9)  # the beam moves by 2b


# -- the arch as a four-bar linkage ----------------------------------------------------------------


def linkage(arch, found, turn):
    """Multiplier of an arch whose first group has turned by ``turn``, from its four hinges alone:
    poses by loop closure, λ by virtual work with central differences."""
    hinges = sorted(found.hinges, key=lambda hinge: hinge.point[0])
    points = np.array([hinge.point for hinge in hinges])
    stones = [stone for stone in arch if not stone.fixed]
    middle = [np.mean(found.joints[hinge.joint].ends, axis=0)[0] for hinge in hinges]
    group = [sum(stone.centre[0] > x for x in middle) for stone in stones]

    def turned(p, about, angle):
        c, s = math.cos(angle), math.sin(angle)
        return about + np.array([[c, -s], [s, c]]) @ (np.asarray(p) - about)

    def centres(first):
        b = turned(points[1], points[0], first)

        def loop(angles):
            c = b + turned(points[2], points[1], angles[0]) - points[1]
            return c - turned(points[2], points[3], angles[1])

        second, third = fsolve(loop, (0.0, 0.0), xtol=1e-13)
        placed = []
        for stone, k in zip(stones, group, strict=True):
            if k == 1:
                placed.append(turned(stone.centre, points[0], first))
            elif k == 2:
                placed.append(b + turned(stone.centre, points[1], second) - points[1])
            else:
                about = points[3]
                placed.append(turned(stone.centre, about, third) if k == 3 else stone.centre)
        return np.array(placed)

    mass = np.array([stone.mass for stone in stones])
    step = 1e-6
    moved = mass @ (centres(turn + step) - centres(turn - step))
    return moved[1] / moved[0]


def test_an_arch_moves_as_a_linkage_of_four_bars():
    arch = Assembly.arch(7, 0.15, radius=1.0, embrace=157.5)
    found = limit_load(arch, sliding=False)
    curve = capacity_curve(arch, sliding=False, steps=10)
    names = [stone.name for stone in arch]
    first = curve.poses[:, names.index("voussoir 2"), 2]
    assert abs(first[-1]) > 0.05  # it does turn
    for k in range(len(first) - 1):
        assert curve.multiplier[k] == pytest.approx(linkage(arch, found, first[k]), abs=1e-7)
    assert linkage(arch, found, first[-1]) == pytest.approx(0.0, abs=1e-7)
    assert not curve.exact.all() and "upper bound" in curve.words


def test_hinges_stay_closed_and_lengths_stay_the_same():
    arch = Assembly.arch(9, 0.2, radius=1.0, embrace=170.0)
    curve = capacity_curve(arch, sliding=False, steps=8)
    for hinge in curve.start.hinges:
        joint = curve.start.joints[hinge.joint]
        ends = []
        for stone in (joint.a, joint.b):
            x, y, turn = curve.poses[-1, stone]
            arm = np.array(hinge.point) - arch.stones[stone].centre
            c, s = math.cos(turn), math.sin(turn)
            ends.append(
                np.array(arch.stones[stone].centre) + (x, y) + np.array([[c, -s], [s, c]]) @ arm
            )
        assert ends[0] == pytest.approx(ends[1], abs=1e-10)


# -- sliding, links, refusals ----------------------------------------------------------------------


def test_a_sliding_stone_carries_its_friction_all_the_way():
    block = Assembly((FLOOR, Stone.box(-0.5, 0, 1, 1, name="block")), friction=0.3)
    curve = capacity_curve(block, steps=10)
    assert curve.multiplier == pytest.approx(0.3, abs=1e-9)
    assert curve.displacement == pytest.approx(np.arange(len(curve.displacement)) / 10)
    assert 1.9 < curve.displacement[-1] < 2.2  # of a stone of 1 m, in ten steps each
    assert math.isnan(curve.ultimate_displacement) and "does not fall to zero" in curve.words
    assert curve.poses[:, 1, 1:] == pytest.approx(0.0, abs=1e-9)  # it does not lift


def test_a_spring_pulls_with_the_force_of_its_length():
    """A spring along the base of a block on its corner, from the centre: k d h' against W b'."""
    spring = Spring(stones=("ground", "block"), points=((-4.0, 1.0), (0.0, 1.0)), stiffness=5000.0)
    stone = Stone.box(-0.25, 0, 0.5, 2.0, name="block")
    free, held = (Assembly((FLOOR, stone), links=links) for links in ((), (spring,)))
    weight = free.mass * free.g
    curve = capacity_curve(held, steps=10)
    lean = -curve.poses[:, 1, 2]
    centre = np.array([0.25, 0.0]) + np.stack(
        [
            math.hypot(0.25, 1) * -np.sin(math.atan(0.25) - lean),
            math.hypot(0.25, 1) * np.cos(math.atan(0.25) - lean),
        ],
        axis=-1,
    )
    anchor = np.array([-4.0, 1.0])
    away = centre - anchor
    length = np.hypot(*away.T)
    pull = -5000.0 * (length - 4.0)[:, None] * away / length[:, None]
    x, y = (centre - (0.25, 0.0)).T
    # moments about the corner
    exact = (-x * weight + x * pull[:, 1] - y * pull[:, 0]) / (weight * y)
    assert curve.multiplier[:-1] == pytest.approx(exact[:-1], abs=1e-9)
    assert curve.multiplier[1] > np.tan(math.atan(0.25) - lean[1])


@pytest.mark.parametrize(
    ("link", "forces"), [(Spring, [500.0, -500.0, -595.0, 0.0]), (Tie, [0.0, -500.0, -595.0, 0.0])]
)
def test_links_pull_with_the_force_of_their_length_up_to_their_strength(link, forces):
    """A block that is moved by x along a link of 5 kN/m: −k x; a tie goes slack, and each breaks
    beyond 600 N."""
    stone = Stone.box(-0.25, 0, 0.5, 2.0, name="block")
    held = link(stones=("ground", "block"), points=((-4.0, 1.0), (0.0, 1.0)), stiffness=5000.0,
                strength=600.0)  # fmt: skip
    assembly = Assembly((FLOOR, stone), links=(held,))
    for x, force in zip((-0.1, 0.1, 0.119, 0.121), forces, strict=True):
        pose = np.array([(0.0, 0.0, 0.0), (x, 0.0, 0.0)])
        centres = np.array([each.centre for each in assembly.stones]) + pose[:, :2]
        acting = elastic_forces(assembly, pose, centres)
        assert acting[1] == pytest.approx((force, 0.0, 0.0), abs=1e-6)


def test_a_link_moves_and_turns_a_stone_as_its_energy_falls():
    """The gradient of k (l − l₀)²/2 by differences, of an inclined spring off the centre."""
    spring = Spring(stones=("ground", "block"), points=((-2.0, -0.2), (0.2, 1.7)), stiffness=5e3)
    stone = Stone.box(-0.25, 0, 0.5, 2.0, name="block")
    assembly = Assembly((FLOOR, stone), links=(spring,))

    def energy(move):
        x, y, turn = move
        c, s = math.cos(turn), math.sin(turn)
        end = x + c * 0.2 - s * 0.7, 1.0 + y + s * 0.2 + c * 0.7
        return 2.5e3 * (math.dist(end, (-2.0, -0.2)) - math.dist((0.2, 1.7), (-2.0, -0.2))) ** 2

    move = np.array([0.02, -0.01, 0.05])
    pose = np.array([np.zeros(3), move])
    centres = np.array([each.centre for each in assembly.stones]) + pose[:, :2]
    steps = 1e-6 * np.eye(3)
    gradient = [(energy(move + step) - energy(move - step)) / 2e-6 for step in steps]
    acting = elastic_forces(assembly, pose, centres)
    assert acting[1] == pytest.approx(-np.array(gradient), rel=1e-5)


@pytest.mark.parametrize("size", [1e-3, 1e3])
def test_a_model_follows_the_same_curve(size):
    """λ has no dimension, displacements grow with the size."""
    full, model = (
        capacity_curve(Assembly.arch(7, 0.15 * r, radius=r, embrace=157.5), steps=20)
        for r in (1.0, size)
    )
    assert model.multiplier == pytest.approx(full.multiplier, abs=1e-8)
    assert model.displacement == pytest.approx(size * full.displacement, rel=1e-6)


@pytest.mark.parametrize(("size", "far"), [(1.0, 0.0), (1.0, 1e4), (1e-3, 0.0), (1e3, 0.0)])
def test_contacts_depend_neither_on_size_nor_on_where_the_stones_stand(size, far):
    """Slid by 2 ‰ of 0.5 m, a joint ends at the corner of the upper stone on one side."""
    at = [Stone.box(far - size / 4, k * size, size / 2, size) for k in (0, 1)]
    ground = Stone.box(far - 5 * size, -size, 10 * size, size, fixed=True)
    corners = Corners.of(Assembly((ground, *at)))
    joint = next(j for j, one in enumerate(corners.joints) if 0 not in (one.a, one.b))
    pose = np.zeros((3, 3))
    pose[2, 0] = 1e-3 * size
    now, _, _ = corners.moved(pose, 1e-6 * size)
    ends = (np.sort(now.points[joint, :, 0]) - far) / size
    assert ends == pytest.approx([-0.249, 0.25], abs=1e-9)


@pytest.mark.parametrize("slid", [-0.1, 0.1])
@pytest.mark.parametrize("lean", [0.0, 0.02])
def test_a_stone_that_slides_touches_over_what_is_left_of_the_joint(slid, lean):
    """Two stones of one width: shifted by 0.1 m they touch over 0.4 m, from corner to corner. The
    joint turns with the lower stone where the corner is the upper one's, and conversely."""
    pair = stack(0.25, 0.5, 0.25, 0.5)
    corners = Corners.of(pair)
    joint = next(j for j, one in enumerate(corners.joints) if 0 not in (one.a, one.b))
    pose = np.zeros((3, 3))
    pose[2] = (slid, 0.0, lean)
    now, _, _ = corners.moved(pose, 1e-3)
    lower, upper = sorted(now.points[joint], key=lambda point: point[0])
    on_upper = (
        np.array([slid, 1.5])
        + np.array(
            [
                [side * 0.25 * math.cos(lean) + 0.5 * math.sin(lean) for side in (-1, 1)],
                [side * 0.25 * math.sin(lean) - 0.5 * math.cos(lean) for side in (-1, 1)],
            ]
        ).T
    )
    on_lower = np.array([(-0.25, 1.0), (0.25, 1.0)])
    expected = (on_upper[0], on_lower[1]) if slid > 0 else (on_lower[0], on_upper[1])
    np.testing.assert_allclose(lower, expected[0], atol=1e-12)
    np.testing.assert_allclose(upper, expected[1], atol=1e-12)


def test_what_cannot_be_followed_is_refused():
    with pytest.raises(InputError, match="lift as they slide"):
        capacity_curve(Assembly.ferris_tin_loi(3))
    with pytest.raises(InputError, match="does not stand under its own weight"):
        capacity_curve(Assembly.arch(16, 0.1, radius=1.0), sliding=False)
    with pytest.raises(InputError, match="It cannot fail"):
        capacity_curve(Assembly.drums(2, 2.0, 0.5), (0.0, -1.0))
    with pytest.raises(InputError, match="choose another control, such as 'upper', "):
        capacity_curve(stack(0.5, 0.5, 0.3, 1.0), control="lower")
    with pytest.raises(InputError, match="steps"):
        capacity_curve(stack(0.5, 0.5, 0.3, 1.0), steps=2)


def test_it_is_drawn(tmp_path):
    curve = rs.analysis.capacity_curve(
        Assembly.arch(7, 0.15, embrace=157.5), sliding=False, steps=8
    )
    figure = curve.plot(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").stat().st_size > 10_000
    written = [text.get_text() for axes in figure.axes for text in axes.texts]
    written += [axes.get_ylabel() for axes in figure.axes]
    assert any("λ" in text for text in written)


@pytest.mark.parametrize("stuck", [1, 2])
def test_hinges_are_kept_only_where_no_joint_of_them_slid(stuck):
    """A block 1 m above its floor, which no load can hold: virtual work goes on with a mechanism of
    two joints that both stuck; where one of them slid, nothing is known."""
    block = Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, 2.0, name="block")))
    path = _Path(block, Corners.of(block), np.array([1.0, 0.0]), True)
    path.control = Control(1, np.array([1.0, 0.0]))
    tips = np.array([(0.0, 0.0, 0.0), (1.0, 0.25, -1.0)])  # about its right corner
    before = SimpleNamespace(
        stuck=np.arange(3) < stuck, kept=np.array([[True, True], [True, False], [False, False]]),
        velocities=lambda *_: tips,
    )  # fmt: skip
    found = path.at(np.array([(0.0, 0.0, 0.0), (0.0, 1.0, 0.0)]), before)
    assert not found.exact
    assert found.found.multiplier == pytest.approx(0.25 if stuck == 2 else math.nan, nan_ok=True)

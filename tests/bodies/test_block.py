"""Geometry and mass of the block (Housner 1963; docs/formulations/housner.md)."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs

sizes = st.floats(0.05, 20.0)


def test_rectangle():
    block = rs.Block(height=4.2, width=0.6, thickness=0.8)
    h, b = 2.1, 0.3
    assert block.mass == pytest.approx(2600 * 4.2 * 0.6 * 0.8)
    assert block.inertia == pytest.approx(block.mass * (h**2 + b**2) / 3)
    assert pytest.approx(math.hypot(h, b)) == block.R
    assert block.alpha == pytest.approx(math.atan(b / h))
    assert block.p == pytest.approx(math.sqrt(3 * 9.81 / (4 * block.R)))
    assert block.eta == pytest.approx(1 - 1.5 * math.sin(block.alpha) ** 2)
    assert block.r == pytest.approx(block.eta**2)


@given(p=st.floats(0.3, 20), alpha=st.floats(0.02, 1.5))
def test_from_parameters_gives_them_back(p, alpha):
    block = rs.Block.from_parameters(p=p, alpha=alpha)
    assert block.p == pytest.approx(p, rel=1e-12)
    assert block.alpha == pytest.approx(alpha, rel=1e-12)


@given(st.floats(0.3, 20), st.floats(0.02, 1.2), st.floats(0.02, 1.2), st.floats(1, 20))
def test_from_sides_gives_both_sides_back(p, right, left, g):
    """α of either side, p of the weak one, and the inertia of its rectangle."""
    block = rs.Block.from_sides(p=p, alpha_right=right, alpha_left=left, g=g)
    assert block.right.alpha == pytest.approx(right, rel=1e-12)
    assert block.left.alpha == pytest.approx(left, rel=1e-12)
    assert block.p == pytest.approx(p, rel=1e-12) and block.g == g
    assert block.com_height == pytest.approx(block.height / 2)
    assert block.inertia == pytest.approx(block.mass * (block.height**2 + block.width**2) / 12)
    if right != left:
        weak = block.right if right < left else block.left
        arm = math.hypot(block.height / 2, weak.b)
        about_corner = (block.height**2 + block.width**2) / 12 + arm**2  # over the mass
        assert p**2 == pytest.approx(g * arm / about_corner, rel=1e-11)
    for angle in (0.0, 1.6):
        with pytest.raises(rs.InputError, match="alpha = "):
            rs.Block.from_sides(p=p, alpha_right=right, alpha_left=angle, g=g)
        with pytest.raises(rs.InputError, match="alpha = "):
            rs.Block.from_sides(p=p, alpha_right=angle, alpha_left=left, g=g)


@pytest.mark.parametrize("offset", [0.0, 0.1, -0.1])
def test_the_numbers_of_a_block_by_hand(offset):
    block = rs.Block(1.8, 0.5, com_height=0.7, offset=offset, mass=450.0, inertia=130.0)
    lever = 0.25 - abs(offset)
    assert block.slenderness == pytest.approx(0.7 / lever)
    assert block.weak_side.b == pytest.approx(lever) and block.symmetric == (offset == 0)
    assert block.right.b == pytest.approx(0.25 - offset)
    assert block.left.b == pytest.approx(0.25 + offset)
    for side in (block.right, block.left):
        about = 130 + 450 * (0.7**2 + side.b**2)
        assert side.inertia == pytest.approx(about)
        assert pytest.approx(math.sqrt(0.7**2 + side.b**2)) == side.R
        assert math.tan(side.alpha) == pytest.approx(side.b / 0.7)
        assert side.p == pytest.approx(math.sqrt(450 * 9.81 * side.R / about))


def test_a_block_made_of_sizes_is_drawn_as_its_box():
    corners = ((-0.25, 0.0), (0.25, 0.0), (0.25, 1.8), (-0.25, 1.8))
    assert rs.Block(1.8, 0.5, offset=0.1).silhouette == corners


def test_eta_of_a_stocky_block_is_the_worse_one():
    """An impact that would throw it back stops it."""
    flat = rs.Block(0.5, 2.0, offset=0.1)
    assert flat.eta == min(flat.eta_to_left, flat.eta_to_right) < 0 and flat.r == 0.0
    assert rs.Block(0.5, 2.0).eta == pytest.approx(1 - 1.5 * math.sin(math.atan(4.0)) ** 2)
    slim = rs.Block(2.0, 0.5, offset=0.1)
    product = slim.eta_to_left * slim.eta_to_right
    assert slim.eta == pytest.approx(math.sqrt(product)) and slim.r == pytest.approx(product)


@pytest.mark.parametrize(
    ("values", "preset", "way", "made"),
    [
        ({"height": 2.0, "width": 0.4}, None, "", {"height": 2.0, "width": 0.4}),
        ({"p": 2.0, "alpha": 0.2}, None, "from_parameters", {"p": 2.0, "alpha": 0.2}),
        (
            {"outline": "[[0, 0], [1, 0], [1, 2], [0, 2]]", "density": 900.0},
            None,
            "from_outline",
            {"points": [[0, 0], [1, 0], [1, 2], [0, 2]], "density": 900.0},
        ),
    ],
)
def test_how_a_person_writes_a_block(values, preset, way, made):
    found, arguments = rs.Block.made_by(values, preset)
    assert (found, arguments) == (way, made)
    call = getattr(rs.Block, found) if found else rs.Block
    assert call(**arguments) == rs.Block.from_values(values, preset)


def test_how_a_person_writes_a_preset():
    for name in ("statue", "vase"):
        way, arguments = rs.Block.made_by({"height": 2.0}, name)
        assert way == "" and rs.Block(**arguments) == rs.Block.from_values({"height": 2.0}, name)
        assert rs.Block(**arguments).height == 2.0


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"tolerance": 0.1, "height": 1, "width": 1}, "`tolerance` belongs to an `outline`"),
        ({"p": 2, "height": 1}, "`p` and `height` were both given"),
        ({"alpha": 0.2, "width": 1, "g": 9.8}, "`alpha` and `width` were both given"),
        ({"p": 2}, "lacks `alpha`"),
        ({"alpha": 0.2, "g": 9.8}, "lacks `p`"),
        ({"width": 2}, "lacks `height`: give"),
        ({"g": 9.8}, "lacks `height` and `width`: give"),
        ({"outline": "[[0, 0], [1, 0], [0, 1]]", "width": 2}, "`width` cannot stand beside"),
    ],
)
def test_wrong_values_of_a_block_are_named(values, says):
    with pytest.raises(rs.InputError, match=says):
        rs.Block.from_values(values)


def test_an_outline_takes_no_preset():
    values = {"outline": "[[0, 0], [1, 0], [1, 2], [0, 2]]", "height": 4.0, "thickness": 0.5}
    block = rs.Block.from_values(values)
    assert (block.height, block.width, block.thickness) == (4.0, 2.0, 0.5)
    assert block.mass == pytest.approx(2600 * 4.0 * 2.0 * 0.5)
    with pytest.raises(rs.InputError, match="`preset` cannot stand beside `outline`"):
        rs.Block.from_values(values, "statue")


@given(height=sizes, width=sizes, shift=st.floats(-0.45, 0.45))
def test_asymmetric_impacts_lose_energy_and_mirror(height, width, shift):
    block = rs.Block(height, width, offset=shift * width)
    mirror = rs.Block(height, width, offset=-shift * width)
    assert (block.right, block.left) == (mirror.left, mirror.right)
    assert block.eta_to_left == mirror.eta_to_right
    for eta, before, after in (
        (block.eta_to_left, block.right, block.left),
        (block.eta_to_right, block.left, block.right),
    ):
        assert eta**2 * after.inertia / before.inertia < 1


def test_eta_of_an_asymmetric_block_by_angular_momentum():
    """Momentum about the new pivot before = after, written out with vectors."""
    block = rs.Block(2.0, 0.8, offset=0.1, com_height=0.7, mass=500.0, inertia=150.0)
    b_right, b_left, h = 0.3, 0.5, 0.7
    omega = 1.3  # clockwise, about the right corner, centre of mass at (-b_right, h) from it
    velocity = (omega * h, omega * b_right)  # of the centre of mass
    arm = (b_left, h)  # of the centre of mass from the left corner
    momentum = 150 * omega + 500 * (arm[1] * velocity[0] - arm[0] * velocity[1])
    after = momentum / (150 + 500 * (b_left**2 + h**2))
    assert block.eta_to_left == pytest.approx(after / omega, rel=1e-14)
    # two impacts, to the left and back: the inertias cancel in the energy that is kept
    assert block.r**2 == pytest.approx((block.eta_to_left * block.eta_to_right) ** 2, rel=1e-14)


def test_a_rigid_oscillator_has_the_inertia_of_its_parts():
    """A mass, a rod and a bar; by their heights and the parallel axes (Huygens, Steiner)."""
    tank = rs.FlexibleOscillator(10.0, 2.0, 1e4, 2e4, 3e4, natural_frequency=5.0)
    rigid = tank.rigid()
    assert rigid.mass == 6e4
    assert rigid.com_height == pytest.approx((1e4 * 10 + 3e4 * 5) / 6e4)
    parts = ((1e4, 10.0, 0.0), (3e4, 5.0, 10.0**2 / 12), (2e4, 0.0, 2.0**2 / 12))
    inertia = sum(m * (own + (at - rigid.com_height) ** 2) for m, at, own in parts)
    assert rigid.inertia == pytest.approx(inertia, rel=1e-14)
    assert rigid.right.inertia == pytest.approx(tank.right.inertia, rel=1e-14)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"height": -1, "width": 1}, "height = -1"),
        ({"height": 1, "width": 0}, "width = 0"),
        ({"height": 1, "width": math.nan}, "width = nan"),
        ({"height": 1, "width": 0.3, "mass": -5}, "mass = -5"),
        ({"height": 1, "width": 0.3, "offset": 0.15}, "outside the base"),
        ({"height": 1, "width": 0.3, "com_height": 1.2}, "above the block's top"),
        ({"height": 1, "width": 0.3, "offset": -0.15}, "outside the base"),
        ({"height": 1, "width": 0.3, "density": 0}, "density = 0"),
        ({"height": 1, "width": 0.3, "thickness": -1}, "thickness = -1"),
        ({"height": 1, "width": 0.3, "inertia": 0}, "inertia = 0"),
        ({"height": 1, "width": 0.3, "g": math.inf}, "g = inf"),
        ({"height": 1, "width": 0.3, "offset": "0.1"}, "offset = '0.1' m"),
        ({"height": 1, "width": 0.3, "mass": "5"}, "mass = '5'"),
        ({"height": 10**400, "width": 0.3}, "height = 1000"),
    ],
)
def test_bad_sizes_are_refused_in_words(arguments, says):
    assert rs.Block(1, 0.3, offset=-0.1499, com_height=1.0).com_height == 1.0
    with pytest.raises(rs.InputError, match=says):
        rs.Block(**arguments)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"height": "10"}, "height = '10' m is not allowed"),
        ({"base_mass": None}, "base_mass = None kg"),
        ({"column_mass": -1.0}, "column_mass = -1.0 kg"),
        ({"natural_frequency": 10**400}, "natural_frequency = 1000"),
        ({"damping_ratio": "1 %"}, "damping_ratio = '1 %'"),
    ],
)
def test_bad_oscillators_are_refused_in_words(arguments, says):
    tank = {"height": 10.0, "width": 2.0, "top_mass": 1e4, "base_mass": 2e4, "column_mass": 1e4}
    with pytest.raises(rs.InputError, match=says):
        rs.FlexibleOscillator(**{**tank, "natural_frequency": 5.0, **arguments})


@pytest.mark.parametrize("alpha", [0, -0.1, 1.6, 8.1, "0.2"])
def test_angles_in_degrees_are_noticed(alpha):
    with pytest.raises(rs.InputError, match="radians"):
        rs.Block.from_parameters(p=2, alpha=alpha)


def test_numbers_of_numpy_become_python_s_own():
    """Drawn from a distribution or typed, it is the same block to the last bit."""
    drawn = rs.Block(np.float64(1.3), np.float32(0.5), offset=np.float64(0.1), g=np.int64(10))
    assert drawn == rs.Block(1.3, 0.5, offset=0.1, g=10)
    assert repr(drawn) == repr(rs.Block(1.3, 0.5, offset=0.1, g=10))
    assert {type(value) for value in dataclasses.asdict(drawn).values()} == {float}


@given(st.floats(0.1, 10), st.floats(0.1, 10))
def test_the_two_sides_of_a_symmetric_block_are_one(height, width):
    block = rs.Block(height, width)
    mirrored = block._side(width / 2 + block.offset)
    assert block.left == block.right == mirrored
    assert block.eta == block.eta_to_left == block.eta_to_right
    assert (block.alpha, block.p, block.R) == (mirrored.alpha, mirrored.p, mirrored.R)

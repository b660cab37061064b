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
        ({"height": 1, "width": 0.3, "g": math.inf}, "g = inf"),
        ({"height": 1, "width": 0.3, "offset": "0.1"}, "offset = '0.1' m"),
        ({"height": 1, "width": 0.3, "mass": "5"}, "mass = '5'"),
        ({"height": 10**400, "width": 0.3}, "height = 1000"),
    ],
)
def test_bad_sizes_are_refused_in_words(arguments, says):
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

"""A few stones that lift, slide, wedge and stand: closed forms and enumeration.

Rows of §4 of the science notes are named where they are checked.
"""

import math
from itertools import pairwise

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.bodies.assembly import Assembly, Stone
from theories.assembly.cases import FLOOR, G, noise, run, solved, standing, still

# -- uplift of two blocks --------------------------------------------------------------------------

ALONE, AS_ONE = (0.5, 0.5, 0.3, 1.0), (0.25, 0.5, 0.25, 0.5)  # b₁, h₁, b₂, h₂


def accelerations(sizes, share_of_g):
    """θ̈ of the lower and the upper block [rad/s²] when the ground sets off with a constant
    acceleration."""
    b1, h1, b2, h2 = sizes
    lower = Stone.box(-b1, 0.0, 2 * b1, 2 * h1, name="lower")
    upper = Stone.box(-b2, 2 * h1, 2 * b2, 2 * h2, name="upper")
    dt = 1e-4
    jump = rs.Motion(np.full(2, share_of_g * G), dt)
    found = run(standing(lower, upper, friction=5.0), jump, step=dt)
    return tuple(found.column(f"omega {name}")[-1] / dt for name in ("lower", "upper"))


def needed(sizes):
    """a/g that lifts (both as one, the upper alone)."""
    b1, h1, b2, h2 = sizes
    m1, m2 = b1 * h1, b2 * h2
    return b1 * (m1 + m2) / (m1 * h1 + m2 * (2 * h1 + h2)), b2 / h2


def test_row_uplift_of_two_blocks():
    """Row "uplift of two blocks": 0.3793103448 and 0.3; 0.25 and 0.5."""
    assert needed(ALONE) == pytest.approx((0.3793103448, 0.3), abs=5e-11)
    assert needed(AS_ONE) == pytest.approx((0.25, 0.5), abs=1e-15)


@pytest.mark.parametrize("sizes", [ALONE, AS_ONE])
def test_row_uplift_is_bracketed(sizes):
    """0.1 % below the least of the two nothing moves, 0.1 % above it does."""
    least = min(needed(sizes))
    assert accelerations(sizes, 0.999 * least) == pytest.approx((0, 0), abs=2e-6)
    assert accelerations(sizes, 1.001 * least)[1] > 1e-3


def test_row_upper_alone():
    """Row "initial θ̈ there, a = 1.5 × min": upper alone 1.0125 (Psycharis' mode 4)."""
    assert accelerations(ALONE, 0.45) == pytest.approx((0, 1.0125), abs=1e-6)


def test_row_both_as_one():
    """Row "initial θ̈ there, a = 1.5 × min": as one 0.865588235 (mode 3)."""
    assert accelerations(AS_ONE, 0.375) == pytest.approx((0.865588235, 0.865588235), abs=1e-6)


def test_row_the_mode_changes_with_the_acceleration():
    """Row "(.5,.5,.3,1) at a = 3 × min (0.9 g)": as one, 2.388182502."""
    assert accelerations(ALONE, 0.9) == pytest.approx((2.388182502, 2.388182502), abs=1e-6)


# -- sliding ---------------------------------------------------------------------------------------


def slip(count, dt, rule="located"):
    """How far stones of 2 × 0.5 m on top of each other slide under 0.5 g for 0.5 s [m], μ = 0.3."""
    accel = np.zeros(round(1.5 / dt) + 1)
    end = round(0.5 / dt)
    accel[:end], accel[end] = 0.5 * G, 0.25 * G  # half of it where it jumps
    stones = [Stone.box(-1.0, 0.5 * i, 2.0, 0.5, name=f"s{i}") for i in range(count)]
    found = run(standing(*stones, friction=0.3), rs.Motion(accel, dt), step=dt, rule=rule)
    assert solved(found)
    return [-found.column(f"x s{i}")[-1] for i in range(count)]


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(("dt", "value"), [(0.001, 0.4087491825), (0.01, 0.40866825)])
def test_row_slip_under_a_rectangular_pulse(count, dt, value):
    """Row "slip under a rectangular pulse, μ .3, .5 g, .5 s": 0.40875 m in closed form, which
    a push that falls over one sample lowers to these values, in closed form as well."""
    a, stop, T = 0.5 * G, 0.3 * G, 0.5
    assert (a - stop) * T**2 / 2 * a / stop == pytest.approx(0.40875, abs=1e-12)
    assert slip(count, dt) == pytest.approx([value] * count, abs=5e-9)


def test_row_slip_by_the_stepped_rule():
    """The same row, MJ1: 0.4087491."""
    assert slip(1, 0.001, "stepped") == pytest.approx([0.4087491], abs=5e-8)


def slid(beta, friction, dt=0.005):
    """How far a block slides down a plane of slope β in 1 s [m]."""
    turn = {"angle": -beta, "about": (0.0, 0.0)}
    stone = Stone.box(-0.5, 0.0, 1.0, 0.5, name="block")
    down = Assembly((FLOOR.turned(**turn), stone.turned(**turn)), friction=friction)
    found = run(down, still(dt), step=dt, until=1.0, rubble=True)  # it counts as fallen on the way
    x, y = found.column("x block"), found.column("y block")
    return math.hypot(x[-1] - x[0], y[-1] - y[0])


def test_row_incline():
    """Row "incline 25°, μ .3, 1 s": 0.7393106652 m."""
    assert slid(math.radians(25), 0.3) == pytest.approx(0.7393106652, abs=5e-11)


def test_row_incline_at_the_limit():
    """The same row: 0 below the angle of friction, 0.0014925416 m at 1.001 times that angle."""
    assert slid(math.atan(0.99889 * 0.3), 0.3) < 1e-10
    assert slid(1.001 * math.atan(0.3), 0.3) == pytest.approx(0.0014925416, abs=5e-11)
    beta = math.atan(1.00112 * 0.3)
    closed_form = 0.5 * G * (math.sin(beta) - 0.3 * math.cos(beta))
    assert slid(beta, 0.3) == pytest.approx(closed_form, abs=1e-11)


@pytest.mark.parametrize(("friction", "value"), [(0, 2.307818105), (0.1, 0.447688897), (0.2, 0)])
def test_row_wedge(friction, value):
    """Row "wedge, half angle 30°": how fast it falls between two blocks [m/s²]."""
    t30 = math.tan(math.radians(30))
    right = ((0, 0), (3, 0), (3, 1), (0.8 * t30, 1), (0, 0.2))
    stones = (
        Stone((((0, 0.2), (t30, 1.2), (-t30, 1.2)),), name="wedge"),
        Stone((right,), name="right"),
        Stone((right,), name="left").mirrored(),
    )
    dt = 1e-4
    found = run(standing(*stones, friction=friction), still(dt), step=dt, until=dt)
    assert -found.column("y rate wedge")[-1] / dt == pytest.approx(value, abs=2e-8)


# -- at rest ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 5, 10])
def test_row_drums_at_rest(count):
    """Row "n drums at rest": drift in 10 s below 1e-11 m, every problem solved to 1e-6."""
    column = Assembly.drums(count, 6.0, 1.0)
    found = run(column, still(0.002), step=0.002, until=10.0)
    assert found.column("displacement").max() < 1e-11
    assert found.column("residual")[-1] < 1e-6


@pytest.mark.parametrize("push", [0.0, 0.1])
def test_row_forces_of_drums_at_rest(push):
    """The same row: N₀ + N₁ is the weight above, and T what the ground's acceleration asks for."""
    column = Assembly.drums(6, 6.0, 1.0)
    found = run(column, rs.Motion(np.full(41, push * G), 0.005), step=0.005)
    forces = rs.analysis.joint_forces(found, 0.1)
    assert forces.residual < 1e-6
    names = [stone.name for stone in column.stones]
    for i, (below, above) in enumerate(pairwise(names), 1):
        weight = G * sum(stone.mass for stone in column.stones[i:])
        normal, along = forces.between(below, above)
        assert normal == pytest.approx(weight, rel=1e-6)
        assert abs(along) == pytest.approx(push * weight, abs=1e-5 * weight)


def test_ten_drums_stand_still():
    """At the usual step ten drums drift by less than 1e-9 m in 10 s."""
    found = run(Assembly.drums(10, 6.0, 1.0), still(0.005), step=0.005, until=10.0)
    assert found.column("displacement").max() < 1e-9
    assert str(found.status) == "at rest"


def test_a_wall_that_must_not_move_does_not():
    """105 blocks under noise of 0.3 g, the first 2 s: drift below 1e-8 m."""
    wall = Assembly.wall(10, 10, 0.4, 0.2)
    found = run(wall, noise(0.3 * G, 2.0, 0.005), step=None, rule="auto")
    assert found.column("displacement").max() < 1e-8
    assert solved(found)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["located", "stepped"])
def test_a_wall_that_must_not_move_does_not_for_ten_seconds(rule):
    wall = Assembly.wall(10, 10, 0.4, 0.2)
    found = run(wall, noise(0.3 * G, 10.0, 0.005), step=None, rule=rule)
    assert found.column("displacement").max() < 1e-8
    assert solved(found)

"""Mirrored and turned motions give mirrored and turned responses."""

import math

import numpy as np
import pytest

import rocksteady as rs
from theories.spatial.cases import BODIES, STANDARD, earthquake, shaking


def run(body, x, y, z, dt):
    motion = rs.Motion(np.array(x), dt, transverse=np.array(y), vertical=np.array(z))
    return rs.simulate(body, motion, rs.Spatial(), until="motion")


def parts(motion):
    return motion.accel, motion.transverse, motion.vertical


RECTANGLE = rs.Body.box(0.45, 0.6, 1.8)


@pytest.mark.parametrize("seed", range(4))
def test_half_a_turn_to_the_bit(seed):
    """x → −x and y → −y: every corner takes the place of the one opposite."""
    motion = earthquake(seed)
    x, y, z = parts(motion)
    one, other = run(RECTANGLE, x, y, z, motion.dt), run(RECTANGLE, -x, -y, z, motion.dt)
    assert len(one.impacts) > 20
    for name in ("lean", "lean_rate", "tilt", "up_z", "spin_z", "mode", "work", "loss"):
        np.testing.assert_array_equal(one.column(name), other.column(name))
    for name in ("up_x", "up_y", "spin_x", "spin_y", "x", "y"):
        np.testing.assert_array_equal(one.column(name), -other.column(name))
    moving = one.column("mode") > 0
    np.testing.assert_array_equal(
        one.column("pivot")[moving], (other.column("pivot")[moving] + 2) % 4
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("axis", ["x", "y"])
def test_mirrored_to_the_bit(seed, axis):
    """x → −x or y → −y: neighbouring corners change places, and the yaw its sign."""
    motion = earthquake(seed)
    x, y, z = parts(motion)
    one = run(RECTANGLE, x, y, z, motion.dt)
    sign = {"x": -1 if axis == "x" else 1, "y": -1 if axis == "y" else 1}
    other = run(RECTANGLE, sign["x"] * x, sign["y"] * y, z, motion.dt)
    for name in ("lean", "lean_rate", "tilt", "up_z", "mode", "work", "loss"):
        np.testing.assert_array_equal(one.column(name), other.column(name))
    for name in ("yaw", "spin_z"):
        np.testing.assert_array_equal(one.column(name), -other.column(name))
    for name in "xy":  # summed up from corner to corner
        assert one.column(name) == pytest.approx(sign[name] * other.column(name), abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_a_quarter_of_a_turn(seed):
    """x → y, y → −x of a square base. Sums are then rounded in another order, and the later the
    more a difference of the last bit has grown: four seconds."""
    motion = earthquake(seed)
    x, y, z = (part[:801] for part in parts(motion))
    one, other = run(STANDARD, x, y, z, motion.dt), run(STANDARD, -y, x, z, motion.dt)
    agree(one, other)
    assert one.column("x") == pytest.approx(other.column("y"), abs=1e-9)
    assert one.column("yaw") == pytest.approx(other.column("yaw"), abs=1e-9)


@pytest.mark.parametrize("name", ["triangle", "pentagon", "eccentric", "skew quadrilateral"])
@pytest.mark.parametrize("degrees", [37.0, 200.0])
def test_body_and_motion_turned(name, degrees):
    """About the vertical by any angle."""
    body, motion = BODIES[name], shaking(1, pga=1.7 * 9.81 * BODIES[name].alpha, seconds=1.5)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y, z = parts(motion)
    one = run(body, x, y, z, motion.dt)
    other = run(body.turned(degrees), c * x - s * y, s * x + c * y, z, motion.dt)
    count = 12
    assert len(one.impacts) > count
    assert one.impacts.time[:count] == pytest.approx(other.impacts.time[:count], abs=1e-9)
    before = slice(int(one.impacts.time[count - 1] / motion.dt))
    ahead, left = one.column("x")[before], one.column("y")[before]
    assert other.column("x")[before] == pytest.approx(c * ahead - s * left, abs=1e-9)
    assert other.column("y")[before] == pytest.approx(s * ahead + c * left, abs=1e-9)
    assert other.column("yaw")[before] == pytest.approx(one.column("yaw")[before], abs=1e-9)


def agree(one, other):
    assert one.status is other.status and len(one.impacts) > 3
    assert one.column("tilt") == pytest.approx(other.column("tilt"), abs=1e-9)


@pytest.mark.parametrize("direction", [20.0, 110.0])
def test_square_mirrored_in_its_diagonal_while_free(direction):
    """Let go to 20 degrees and to 70: x and y change places."""
    other = 90.0 - direction
    runs = [
        rs.simulate(STANDARD, None, rs.Spatial(), theta0=0.12, direction=way, until=1.5)
        for way in (direction, other)
    ]
    times = [run.impacts.time for run in runs]
    assert times[0] == pytest.approx(times[1], abs=1e-11)
    assert runs[0].column("yaw") == pytest.approx(-runs[1].column("yaw"), abs=1e-10)


@pytest.mark.parametrize("direction", [0.0, 30.0, 200.0])
@pytest.mark.parametrize("yaw", [0.0, -0.7, 2.0])
def test_a_body_that_only_leans_has_not_turned(direction, yaw):
    """Whatever the direction, and however far it had turned before."""
    for body in (STANDARD, rs.Body.cylinder(0.45, 1.8)):
        for tilt in (1e-6, 0.2, 1.5):
            state = np.array([rs.Spatial().leaning(body, tilt, direction, yaw=yaw)])
            assert rs.Spatial().at_end(body, state)["turned"][0] == pytest.approx(yaw, abs=1e-14)

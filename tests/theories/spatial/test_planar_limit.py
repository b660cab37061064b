"""Shaken along an axis of symmetry and vertically, a body in space rocks as by `rs.Housner`."""

import math

import numpy as np
import pytest

import rocksteady as rs
from theories.spatial.cases import STANDARD, earthquake, finer

ECCENTRIC = rs.Body.box(0.5, 0.4, 1.6, offset=(0.06, 0.0))
WIDE = rs.Body.box(0.9, 0.6, 2.6)


def along(motion, degrees):
    """The motion's x component turned into a direction, with its vertical."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return rs.Motion(
        c * motion.accel, motion.dt, transverse=s * motion.accel, vertical=motion.vertical
    )


def differ(body, motion, degrees):
    """Largest difference of the rotation [rad], the peak of the plane's, and both runs."""
    plane = rs.simulate(
        body.block(degrees),
        rs.Motion(motion.accel, motion.dt, vertical=motion.vertical),
        rs.Housner(),
        until="motion",
    )
    space = rs.simulate(body, along(motion, degrees), rs.Spatial(), until="motion")
    way = -math.cos(math.radians(degrees)), -math.sin(math.radians(degrees))
    side = np.sign(way[0] * space.column("up_x") + way[1] * space.column("up_y"))
    count = min(len(space.time), len(plane.time))
    signed = (side * space.column("tilt"))[:count]
    return np.abs(signed - plane.theta[:count]).max(), plane, space


@pytest.mark.parametrize(
    ("body", "degrees"),
    [(STANDARD, 0), (STANDARD, 90), (WIDE, 0), (WIDE, 90), (ECCENTRIC, 0), (ECCENTRIC, 180)],
    ids=["square x", "square y", "wide x", "wide y", "eccentric x", "eccentric -x"],
)
def test_synthetic_motions(body, degrees):
    """To 1e-7 rad as they are sampled; and to 1e-9 sampled so finely that neither theory's step has
    an error of its own to be magnified."""
    pga = 1.9 * body.g * math.tan(body.limit(degrees))
    for seed in range(20):
        motion = earthquake(seed, pga=pga)
        error, plane, space = differ(body, motion, degrees)
        assert plane.status is space.status and len(plane.impacts) > 2
        assert error < 1e-7
        assert 2.0 not in space.column("mode")  # never on a corner
        if seed < 5:
            assert differ(body, finer(motion, 16), degrees)[0] < 1e-9


@pytest.mark.parametrize(("body", "scale"), [(STANDARD, 0.4), (ECCENTRIC, 0.4), (WIDE, 1.0)])
def test_real_record(records, body, scale):
    """Kobe 1995, KJMA: north-south and vertical, sampled every 20 ms."""
    level, up = (
        rs.read_motion(records / "AT2" / f"RSN1106_KOBE_{name}.AT2")
        for name in ("KJM000", "KJM-UP")
    )
    count = min(len(level), len(up))
    motion = rs.Motion(scale * level.accel[:count], level.dt, vertical=scale * up.accel[:count])
    error, plane, space = differ(body, motion, 0)
    assert plane.status is space.status is rs.Status.AT_REST and plane.peak > 0.04
    assert error < 1e-7


def test_triangle_from_its_edge_to_its_corner():
    """In the plane of symmetry of a triangle it rocks between an edge and a corner: impacts of all
    three corners at once, with two different limits."""
    body = rs.Body.prism(((-0.2, -0.3), (0.4, 0.0), (-0.2, 0.3)), 1.5)
    block = body.block(0)
    for theta0 in (0.2 * block.right.alpha, -0.5 * block.left.alpha):
        motion = rs.Motion(np.zeros(2), 0.005)
        plane = rs.simulate(block, motion, rs.Housner(), theta0=theta0, until=3.0)
        space = rs.simulate(body, motion, rs.Spatial(), theta0=theta0, until=3.0)
        count = 8
        assert space.impacts.time[:count] == pytest.approx(plane.impacts.time[:count], abs=1e-9)
        assert {1.0, 2.0} <= set(space.column("mode"))

"""The dynamic push beside the limit load."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from rocksteady.analysis.limit_analysis import dynamic, dynamic_push
from rocksteady.analysis.limit_analysis.loads import checked_direction
from rocksteady.bodies.assembly import Assembly, Stone
from rocksteady.errors import InputError
from rocksteady.status import Status

FLOOR = Stone.box(-5, -0.5, 10, 0.5, fixed=True, name="ground")


def test_an_arch_stands_at_0_999_and_falls_at_1_001_of_its_limit_load():
    """Nothing slides in it, so associated and true friction agree."""
    arch = Assembly.arch(7, 0.15, radius=1.0, embrace=157.5)
    found = dynamic_push(arch, tolerance=0.001)
    assert found.holds == pytest.approx(0.999 * 0.370009738, rel=1e-6)
    assert found.falls == pytest.approx(1.001 * 0.370009738, rel=1e-6)
    assert [push.fell for push in found.pushes] == [True, False]
    assert found.residual < 1e-4
    assert "gives way at 0.3704" in found.words
    assert "says nothing about the error of the time step" in found.words


def test_a_block_slides_or_tips_to_the_left_as_to_the_right():
    for friction, exact in ((0.2, 0.2), (0.7, 0.25)):
        block = Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, 2.0, name="block")), friction=friction)
        for side in (1.0, -1.0):
            found = dynamic_push(block, (side, 0.0), tolerance=0.02)
            assert found.holds < exact < found.falls < 1.03 * exact


def test_the_push_is_a_share_of_the_weight_that_rises_and_stays(monkeypatch):
    """Upwards and to the right at 45°: the ground's acceleration is −λ g/√2 both ways, straight up
    to ``rise`` and constant from there on; the ends lie within ± the tolerance."""
    shaken = []

    def simulate(assembly, motion, formulation, until):
        shaken.append(motion)
        return simulated(assembly, motion, formulation, until=until)

    simulated = dynamic.simulate
    monkeypatch.setattr(dynamic, "simulate", simulate)
    block = Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, 2.0, name="block")), friction=0.2)
    found = dynamic_push(block, (1.0, 1.0), rise=0.5, hold=0.4, tolerance=0.02)
    # μ (W − λ W/√2) = λ W/√2
    assert found.holds < 0.2 / 1.2 * math.sqrt(2) < found.falls
    assert 0.02 * found.falls < found.falls - found.holds <= 0.04 * found.falls * (1 + 1e-9)
    for push, motion in zip(found.pushes, shaken, strict=True):
        time = np.arange(len(motion.accel)) * motion.dt
        load = push.multiplier * 9.81 / math.sqrt(2) * np.clip(2.0 * time, 0.0, 1.0)
        assert time[-1] == pytest.approx(0.9)
        np.testing.assert_allclose(motion.accel, -load, rtol=1e-12)
        np.testing.assert_allclose(motion.vertical, -load, rtol=1e-12)


@pytest.mark.parametrize("size", [1e-2, 1e2])
def test_a_stone_that_moves_by_a_thousandth_of_its_size_gives_way(size, monkeypatch):
    """Its size is half of the diagonal."""
    reach = size * math.hypot(1.0, 0.25)
    stone = Stone.box(-size / 4, 0, size / 2, 2 * size, name="block")
    floor = Stone.box(-5 * size, -size, 10 * size, size, fixed=True)
    for share, fell in ((0.9e-3, False), (1.1e-3, True), (math.nan, True)):
        columns, states = ("displacement [m]", "residual [-]"), np.array([[share * reach, 0.0]])
        ended = SimpleNamespace(status=Status.AT_REST, columns=columns, states=states)
        monkeypatch.setattr(dynamic, "simulate", lambda *_, ended=ended, **__: ended)
        push = dynamic._pushed(Assembly((floor, stone)), (1.0, 0.0), 0.1, 0.1, 0.1, None)
        assert push.fell is fell


@pytest.mark.parametrize("gives_way", [0.931, 0.507, 0.113])
def test_a_push_that_gives_way_far_below_the_limit_load_is_bisected(monkeypatch, gives_way):
    limit = 0.25

    def pushed(assembly, toward, multiplier, *_):
        return dynamic.Push(multiplier, multiplier > gives_way * limit, 0.0, 0.0)

    monkeypatch.setattr(dynamic, "_pushed", pushed)
    block = Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, 2.0, name="block")), friction=0.7)
    found = dynamic_push(block, tolerance=0.01)
    assert found.limit.multiplier == pytest.approx(limit)
    assert found.holds < gives_way * limit < found.falls
    assert found.falls - found.holds <= 0.02 * found.falls
    assert len(found.pushes) < 30
    # a push at either end of the tolerance, then steps down that double
    tried = [1.01, 0.99, 0.97, 0.93, 0.85, 0.69, 0.37]
    down = tried[: 1 + sum(share > gives_way for share in tried)]
    shares = [push.multiplier / limit for push in found.pushes]
    assert shares[: len(down)] == pytest.approx(down)


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e300])
def test_only_the_direction_of_a_push_counts(size):
    assert checked_direction((3 * size, -4 * size)) == pytest.approx((0.6, -0.8), rel=1e-15)


def test_what_cannot_be_pushed():
    block = Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, 2.0, name="block")))
    with pytest.raises(InputError, match="It cannot fail"):
        dynamic_push(block, (0.0, -1.0))
    for tolerance in (0.0, 1.0, math.nan):
        with pytest.raises(InputError, match="tolerance"):
            dynamic_push(block, tolerance=tolerance)
    with pytest.raises(InputError, match="hold"):
        dynamic_push(block, hold=0.0)


@pytest.mark.slow
def test_row_dynamic_collapse_of_ferris_and_tin_loi_wall_1():
    """§4: 0.640–0.642 with Moreau and Jean's rule; associated 0.642859."""
    found = dynamic_push(Assembly.ferris_tin_loi(1), tolerance=0.005)
    assert found.holds <= 0.642 and found.falls >= 0.640
    assert found.falls < 1.006 * found.limit.multiplier

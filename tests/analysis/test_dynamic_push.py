"""The dynamic push beside the limit load."""

import math

import pytest

from rocksteady.analysis.limit_analysis import dynamic_push
from rocksteady.errors import InputError
from rocksteady.systems.assembly import Assembly, Stone

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


def test_a_block_slides_or_tips_to_the_left_as_to_the_right():
    for friction, exact in ((0.2, 0.2), (0.7, 0.25)):
        block = Assembly((FLOOR, Stone.box(-0.25, 0, 0.5, 2.0, name="block")), friction=friction)
        for side in (1.0, -1.0):
            found = dynamic_push(block, (side, 0.0), tolerance=0.02)
            assert found.holds < exact < found.falls < 1.03 * exact


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

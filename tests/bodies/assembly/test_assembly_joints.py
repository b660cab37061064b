"""Where stones meet: the common segments of facing edges."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.bodies.assembly.joints import joints

GROUND = rs.Stone.box(-5.0, -1.0, 10.0, 1.0, name="ground", fixed=True)
ELL = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))


def placed(joint):
    """Its ends in order, for comparison."""
    return sorted(joint.ends)


def test_a_block_on_the_ground_has_one_joint():
    assembly = rs.Assembly([GROUND, rs.Stone.box(1.0, 0.0, 0.5, 2.0)], friction=0.4)
    (joint,) = joints(assembly)
    assert (joint.a, joint.b, joint.friction) == (0, 1, 0.4)
    assert placed(joint) == [(1.0, 0.0), (1.5, 0.0)]
    assert joint.normal == (0.0, -1.0)  # from the block, b, to the ground, a
    assert joint.length == 0.5


def test_the_normal_points_from_b_to_a_and_the_ends_along_the_tangent():
    for joint in rs.Assembly.arch(9, 0.3, embrace=160.0).joints:
        along = [(q - p) / joint.length for p, q in zip(*joint.ends, strict=True)]
        assert along == pytest.approx(joint.tangent, abs=1e-12)
    arch = rs.Assembly.arch(9, 0.3, embrace=160.0)
    for joint in arch.joints:
        a, b = arch.stones[joint.a], arch.stones[joint.b]
        from_b = [p - q for p, q in zip(a.centre, b.centre, strict=True)]
        assert from_b[0] * joint.normal[0] + from_b[1] * joint.normal[1] > 0


def test_a_stone_in_the_corner_of_an_l_has_two_joints_with_it():
    assembly = rs.Assembly([GROUND, rs.Stone(ELL, "L"), rs.Stone.box(1, 1, 1, 1, name="in")])
    found = {(j.a, j.b, *placed(j)) for j in joints(assembly)}
    assert found == {
        (0, 1, (0.0, 0.0), (2.0, 0.0)),  # one joint, though the L was divided into two parts
        (1, 2, (1.0, 1.0), (2.0, 1.0)),
        (1, 2, (1.0, 1.0), (1.0, 2.0)),
    }


def test_a_beam_on_two_feet_of_one_stone_has_two_joints():
    table = rs.Stone([[(0, 0), (1, 0), (1, 1), (0, 1)], [(2, 0), (3, 0), (3, 1), (2, 1)]], "feet")
    assembly = rs.Assembly([GROUND, table, rs.Stone.box(0, 1, 3, 0.5, name="beam")])
    assert [(j.a, j.b, j.length) for j in joints(assembly)] == [
        (0, 1, 1.0), (0, 1, 1.0), (1, 2, 1.0), (1, 2, 1.0),
    ]  # fmt: skip


def test_corners_that_touch_are_no_joint():
    stones = [GROUND, rs.Stone.box(0, 0, 1, 1), rs.Stone.box(1, 1, 1, 1)]
    assert [(j.a, j.b) for j in joints(rs.Assembly(stones))] == [(0, 1)]


def test_fixed_stones_have_no_joints_with_each_other():
    arch = rs.Assembly.arch(5, 0.3)
    assert len(arch.joints) == 6  # n voussoirs between two abutments, which stand on the ground


def test_drawings_are_rounded_and_still_meet():
    nearly = rs.Stone.box(0.0, 2e-5, 0.5, 0.5)
    assert len(rs.Assembly([GROUND, nearly]).joints) == 1


def test_own_friction_of_a_joint():
    column = rs.Assembly.drums(3, 3.0, 1.0, joint_friction={("drum 2", "drum 1"): 0.3})
    assert [joint.friction for joint in column.joints] == [0.7, 0.3, 0.7]


@given(
    angle=st.floats(-math.pi, math.pi),
    x=st.floats(-1e3, 1e3),
    y=st.floats(-1e3, 1e3),
    size=st.floats(1e-3, 1e3),
)
def test_joints_turn_move_and_grow_with_the_stones(angle, x, y, size):
    wall = rs.Assembly.wall(3, 3, 0.4, 0.2)

    def grown(stone):
        parts = [[(size * a, size * b) for a, b in part] for part in stone.parts]
        made = rs.Stone(parts, stone.name, fixed=stone.fixed)
        return made.turned(angle, (0.0, 0.0)).moved(x * size, y * size)

    other = rs.Assembly([grown(stone) for stone in wall.stones])
    assert [j[:2] for j in joints(other)] == [j[:2] for j in joints(wall)]
    for one, turned in zip(joints(wall), joints(other), strict=True):
        assert turned.length == pytest.approx(size * one.length, rel=1e-6)


def test_mirrored_assemblies_have_mirrored_joints():
    wall = rs.Assembly.wall(5, 4, 0.4, 0.2, openings=[(0.3, 0.4, 0.6, 0.4)])
    mirrored = {(j.a, j.b, tuple(sorted((-x, y) for x, y in j.ends))) for j in wall.joints}
    assert {(j.a, j.b, tuple(placed(j))) for j in wall.mirrored().joints} == mirrored


def test_every_pair_is_found_that_a_search_of_all_pairs_finds():
    wall = rs.Assembly.wall(6, 5, 0.4, 0.2, bond="english")
    boxes = [(min(s.corners), max(s.corners)) for s in wall.stones]
    expected = set()
    for (i, (p, q)), (j, (r, s)) in itertools.combinations(enumerate(boxes), 2):
        wide = min(q[0], s[0]) - max(p[0], r[0])
        high = min(q[1], s[1]) - max(p[1], r[1])
        if (wide > 1e-9 and abs(high) < 1e-9) or (high > 1e-9 and abs(wide) < 1e-9):
            expected.add((i, j))
    assert {(j.a, j.b) for j in wall.joints} == expected


def test_a_thousand_stones_have_their_joints():
    wall = rs.Assembly.wall(32, 31, 0.4, 0.2)
    assert wall.stone_count == 1008
    assert len(joints(wall)) == 2929

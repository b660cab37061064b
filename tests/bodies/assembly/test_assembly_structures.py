"""Columns, frames, arches and walls that are made from a few dimensions."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.errors import InputError

A = rs.Assembly


def moving(assembly):
    return [stone for stone in assembly.stones if not stone.fixed]


def area(assembly):
    return math.fsum(s.mass / (s.density * s.thickness) for s in moving(assembly))


def test_every_structure_stands_on_a_ground_wide_enough_for_what_falls():
    for made in (
        A.drums(5, 6.0, 1.0),
        A.wall(4, 5, 0.4, 0.2),
        A.arch(7, 0.2),
        A.trilith(1, 4, 1, 1),
    ):
        ground = made.stones[made.number("ground")]
        assert ground.fixed
        xs = [x for stone in moving(made) for x, _ in stone.corners]
        reach = [x for x, _ in ground.corners]
        assert min(reach) <= min(xs) - made.total_height
        assert max(reach) >= max(xs) + made.total_height


def test_drums_taper_evenly():
    column = A.drums(4, 6.0, 1.2, top_width=0.8, density=2600.0, thickness=0.9)
    assert [stone.name for stone in column] == ["ground", *(f"drum {i}" for i in (1, 2, 3, 4))]
    assert column.total_height == pytest.approx(6.0)
    assert area(column) == pytest.approx(6.0 * 1.0)
    assert column.mass == pytest.approx(2600 * 0.9 * 6.0)
    widths = [joint.length for joint in column.joints]
    assert widths == pytest.approx([1.2, 1.1, 1.0, 0.9])


def test_a_block_as_statue_keeps_its_mass_centre_and_inertia():
    block = rs.Block(height=1.8, width=0.5, mass=700.0, inertia=210.0, com_height=0.8, offset=0.02)
    made = A.pedestal(block, (0.8, 1.0))
    statue = made.stones[made.number("statue")]
    assert (statue.mass, statue.inertia, statue.centre) == (700.0, 210.0, (0.02, 1.8))
    assert made.joints[1].length == 0.5


def test_a_statue_may_have_any_outline():
    made = A.pedestal([(2, 5), (3, 5), (3, 7), (2.5, 6), (2, 7)], (1.5, 1.0), statue_density=2700.0)
    statue = made.stones[made.number("statue")]
    assert len(statue.parts) == 2
    assert statue.mass == pytest.approx(2700 * 1.5)
    assert sorted(x for x, y in statue.corners if y == 1.0)[:: len(statue.parts)] != []
    assert made.joints[-1].length == pytest.approx(1.0)


def test_a_colonnade_has_columns_of_drums_and_an_architrave_per_bay():
    made = A.portal(1.0, 6.0, 10.0, 0.9, columns=4, drums=6, split=True)
    whole = A.portal(1.0, 6.0, 10.0, 0.9, columns=4)
    names = [stone.name for stone in made if not stone.fixed]
    assert len(names) == 4 * 6 + 3 and {"column 4 drum 6", "beam 3"} <= set(names)
    assert made.mass == pytest.approx(whole.mass, rel=1e-12)
    inner, beams = made.number("column 2 drum 6"), [made.number(f"beam {i}") for i in (1, 2)]
    bearing = [j.length for j in made.joints if inner in (j.a, j.b) and {j.a, j.b} & {*beams}]
    assert bearing == pytest.approx([0.5, 0.5])  # half of the column each


def test_portal_of_science_note_4():
    """γ = m_beam / (2 m_column) = 0.5625: columns 0.5 × 2 m, beam 4.5 × 0.25 m."""
    made = A.portal(0.5, 2.0, 4.5, 0.25)
    one, other, beam = moving(made)
    assert beam.mass / (one.mass + other.mass) == pytest.approx(0.5625)
    assert [joint.length for joint in made.joints] == pytest.approx([0.5] * 4)
    assert beam.centre == pytest.approx((0.0, 2.125))


def test_more_columns_stand_at_equal_distances():
    made = A.portal(0.5, 2.0, 8.0, 0.5, columns=4, overhang=0.0)
    xs = [stone.centre[0] for stone in moving(made)[:4]]
    assert np.diff(xs) == pytest.approx([2.5] * 3)
    assert xs[0] == -3.75


@given(count=st.integers(3, 40), ring=st.floats(0.02, 0.5), embrace=st.floats(20.0, 220.0))
def test_voussoirs_weigh_as_sectors(count, ring, embrace):
    arch = A.arch(max(count, math.ceil(embrace / 80)), ring, radius=1.0, embrace=embrace)
    assert area(arch) == pytest.approx(math.radians(embrace) * ring)
    for stone in moving(arch):
        assert stone.mass > stone.density * stone.section.area  # chords cut off more than they add
    first, last = moving(arch)[0], moving(arch)[-1]
    assert first.centre[0] == pytest.approx(-last.centre[0])
    assert len(arch.joints) == len(moving(arch)) + 1


def test_a_sector_has_the_centre_and_inertia_of_its_integrals():
    stone = moving(A.arch(3, 0.4, radius=1.0, embrace=120.0, density=1.0))[1]
    r, phi = np.meshgrid(
        0.8 + 0.4 * (np.arange(2000) + 0.5) / 2000, (np.arange(2000) + 0.5) / 2000 * np.radians(40)
    )
    phi -= np.radians(20)
    weight = r * (0.4 / 2000) * (np.radians(40) / 2000)
    up = r * np.cos(phi)
    lever = (weight * up).sum() / weight.sum()
    polar = (weight * ((up - lever) ** 2 + (r * np.sin(phi)) ** 2)).sum()
    assert stone.mass == pytest.approx(weight.sum(), rel=1e-6)
    assert stone.centre[1] + 0.8 * math.cos(math.radians(60)) == pytest.approx(lever, rel=1e-6)
    assert stone.inertia == pytest.approx(polar, rel=1e-6)


def test_span_and_rise_are_those_of_the_inner_face():
    arch = A.arch(12, 0.3, span=4.0, rise=1.2)
    inner = [p for stone in moving(arch) for p in stone.corners]
    crown = max(y for x, y in inner if abs(x) < 1e-9 and y < 1.3)
    assert crown == pytest.approx(1.2)
    springing = [x for x, y in inner if abs(y) < 1e-9]
    assert (min(springing), max(springing)) == pytest.approx((-2.0, 2.0))
    half = A.arch(12, 0.3, span=4.0, rise=2.0)
    same = A.arch(12, 0.3, radius=2.15, embrace=180.0)
    for one, other in zip(half.stones, same.stones, strict=True):
        assert np.array(one.corners) == pytest.approx(np.array(other.corners), abs=1e-12)


def test_an_arch_on_buttresses_presses_on_their_skewbacks():
    made = A.buttressed_arch(
        9, 0.3, span=4.0, rise=1.2, buttress_width=1.0, buttress_height=3.0, courses=3
    )
    assert not any(stone.fixed for stone in made.stones[1:])
    assert len(made.joints) == 8 + 2 + 2 * 3
    skew = made.joints[[(j.a, j.b) for j in made.joints].index(
        (made.number("voussoir 9"), made.number("right buttress 3"))
    )]  # fmt: skip
    assert skew.length == pytest.approx(0.3)
    assert min(y for s in moving(made) for _, y in s.corners) == pytest.approx(0.0)


def test_running_bond_has_halves_at_the_ends_of_every_second_course():
    wall = A.wall(10, 10, 0.4, 0.2)
    assert wall.stone_count == 105
    rows = {}
    for stone in moving(wall):
        rows.setdefault(round(stone.centre[1] / 0.2 - 0.5), []).append(stone.section.area / 0.2)
    for row, lengths in rows.items():
        ends = [0.2] if row % 2 else [0.4]
        assert lengths == pytest.approx(ends + [0.4] * (len(lengths) - 2) + ends)
    assert [A.wall(r, c, 0.4, 0.2).stone_count for r, c in ((6, 5), (20, 16), (32, 31))] == [
        33, 330, 1008,
    ]  # fmt: skip


def test_head_joints_of_english_bond_never_lie_above_each_other():
    wall = A.wall(4, 5, 0.4, 0.2, bond="english")
    heads = {}
    for joint in wall.joints:
        if abs(joint.normal[0]) > 0.5:
            heads.setdefault(round(min(y for _, y in joint.ends) / 0.2), set()).add(
                round(joint.ends[0][0], 9)
            )
    for row in range(3):
        assert heads[row] and not heads[row] & heads[row + 1]
    stacked = A.wall(4, 5, 0.4, 0.2, bond="stack")
    assert stacked.stone_count == 20


@pytest.mark.parametrize("bond", ["running", "stack", "english"])
@given(
    x=st.floats(0.0, 1.6),
    width=st.floats(0.05, 0.8),
    sill=st.integers(0, 4),
    courses=st.integers(1, 4),
)
def test_openings_are_empty_and_covered(bond, x, width, sill, courses):
    wall = A.wall(8, 6, 0.4, 0.2, bond=bond, openings=[(x, 0.2 * sill, width, 0.2 * courses)])
    whole = 8 * 0.2 * 6 * 0.4
    assert area(wall) == pytest.approx(whole - width * 0.2 * courses)
    top = 0.2 * (sill + courses)
    for stone in moving(wall):
        (left, low), (right, high) = min(stone.corners), max(stone.corners)
        assert right - left > 1e-9
        beside = right <= x + 1e-9 or left >= x + width - 1e-9
        assert beside or high <= 0.2 * sill + 1e-9 or low >= top - 1e-9
    if sill + courses < 8:
        lintel = wall.stones[wall.number("lintel 1")]
        left, right = min(lintel.corners)[0], max(lintel.corners)[0]
        assert left == pytest.approx(max(x - 0.2, 0.0))
        assert right == pytest.approx(min(x + width + 0.2, 2.4))


def test_stones_and_joints_of_the_walls_of_ferris_and_tin_loi():
    found = [A.ferris_tin_loi(n) for n in range(1, 7)]
    assert [wall.stone_count for wall in found] == [33, 55, 46, 55, 61, 146]
    assert [len(wall.joints) for wall in found] == [83, 141, 102, 116, 120, 345]
    assert {wall.friction for wall in found} == {0.65}
    heights = [wall.total_height / 0.175 for wall in found]
    assert heights == pytest.approx([6, 10, 11, 11, 19, 21])


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: A.drums(0, 6, 1), "count = 0 is not allowed"),
        (lambda: A.drums(2.5, 6, 1), "whole number"),
        (lambda: A.drums(3, -6, 1), "height = -6 m"),
        (lambda: A.drums(10**9, 6, 1), "from 1 to 100 000"),
        (lambda: A.pedestal("statue", (1, 1)), "statue = 'statue' is not allowed"),
        (lambda: A.portal(0.5, 2, 1.0, 0.25), "beam_length = 1.0 m is too short"),
        (lambda: A.portal(0.5, 2, 4.5, 0.25, columns=1), "columns = 1"),
        (lambda: A.portal(0.5, 2, 4.5, 0.25, drums=0), "drums = 0"),
        (lambda: A.arch(7, 0.3, span=3.0), "`span` and `rise`"),
        (lambda: A.arch(7, 0.3, span=3.0, rise=1.0, radius=2.0), "either by"),
        (lambda: A.arch(7, 2.5, radius=1.0), "too thick"),
        (lambda: A.arch(2, 0.3), "less than 90°"),
        (lambda: A.arch(7, 0.3, embrace=400), "embrace = 400"),
        (lambda: A.wall(10**4, 10**4, 0.4, 0.2), "100000000 stones are too many"),
        (lambda: A.wall(3, 3, 0.4, 0.2, bond="dutch"), "no bond 'dutch'"),
        (lambda: A.wall(3, 3, 0.4, 0.2, openings=[(0.2, 0.1, 0.4, 0.2)]), "not bed joints"),
        (lambda: A.wall(3, 3, 0.4, 0.2, openings=[(0.9, 0.2, 0.4, 0.2)]), "beyond the wall"),
        (lambda: A.wall(3, 3, 0.4, 0.2, openings=[7]), "Opening 1 is 7"),
        (lambda: A.wall(6, 4, 0.4, 0.2, openings=[(0.4, 0.2, 0.4, 0.2), (0.4, 0.4, 0.4, 0.2)]),
         "lintel of opening 1 would lie in opening 2"),
        (lambda: A.patterned_wall([[1, 0]], 0.4, 0.2), "Course 1 of the pattern"),
        (lambda: A.patterned_wall([], 0.4, 0.2), "no courses"),
        (lambda: A.patterned_wall(3, 0.4, 0.2), "not a list of courses"),
        (lambda: A.ferris_tin_loi(7), "walls 1 to 6"),
        (lambda: A.buttressed_arch(9, 0.3, radius=2.0, buttress_width=0.2, buttress_height=3),
         "too small for the buttresses"),
        (lambda: A.buttressed_arch(9, 0.3, embrace=200.0, buttress_width=1, buttress_height=3),
         "at most 180°"),
    ],
)  # fmt: skip
def test_dimensions_that_cannot_be(make, says):
    with pytest.raises(InputError, match=re.escape(says)):
        make()

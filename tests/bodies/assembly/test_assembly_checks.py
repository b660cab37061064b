"""Bad geometry: a sentence that names the stone, quickly."""

import dataclasses
import math
import pickle
import re
import time

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.bodies.assembly.convex import outside
from rocksteady.bodies.assembly.stone import section
from rocksteady.bodies.outline import Outline
from rocksteady.errors import InputError

GROUND = rs.Stone.box(-5.0, -1.0, 10.0, 1.0, name="ground", fixed=True)
BOX = rs.Stone.box(0.0, 0.0, 1.0, 1.0, name="a")
NAN = math.nan


@pytest.mark.parametrize(
    ("outline", "says"),
    [
        ([(0, 0), (1, 0)], "Stone 'x': the outline has 2 different corners"),
        ([], "Stone 'x': the outline has no corners"),
        ([(0, 0), (1, 0), (1, 0), (0, 0)], "Stone 'x': the outline has 2 different corners"),
        ([(0, 0), (1, 1), (1, 0), (0, 1)], "Stone 'x': the outline crosses or touches itself"),
        ([(0, 0), (1, 0), (2, 0)], "Stone 'x': the outline goes back along itself"),
        ([(0, 0), (1, 0), (1, 1e-12)], "Stone 'x': the outline has no area"),
        ([(0, 0), (1, 0), (NAN, 1)], "Stone 'x': corner 3 of the outline is (nan, 1)"),
        ([(0, 0), (1, 0), (math.inf, 1)], "both numbers must be finite"),
        ([(0, 0), (1, 0), (1e12, 1)], "not beyond ±1e+09"),
        ([(0, 0), (1, 0), ("1", 1)], "Stone 'x': corner 3"),
        ([(0, 0), (1, 0), (1, 1, 1)], "not a list of corners"),
        ([1, 2, 3], "not a list of corners"),
        ("box", "Stone 'x': its outline is 'box'"),
        (7, "Stone 'x': its outline is '7'"),
        ([[(0, 0), (1, 0), (1, 1), (0, 1)], [(0.5, 0), (2, 0), (2, 1), (0.5, 1)]],
         "Stone 'x': its parts 1 and 2 overlap by 0.5 m"),
        ([(math.cos(i / 200), math.sin(i / 200)) for i in range(1200)],
         "1200 corners: at most 1000"),
    ],
)  # fmt: skip
def test_bad_outlines(outline, says):
    with pytest.raises(InputError, match=re.escape(says)):
        rs.Stone(outline, "x")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"density": 0}, "density of stone 'x' = 0 kg/m³"),
        ({"thickness": -1}, "thickness of stone 'x' = -1 m"),
        ({"mass": NAN}, "mass of stone 'x' = nan kg"),
        ({"mass": -3.0}, "mass of stone 'x' = -3.0 kg"),
        ({"inertia": -1.0}, "inertia of stone 'x' = -1.0 kg m²"),
        ({"centre": (1, 2, 3)}, "centre of stone 'x' = (1, 2, 3)"),
        ({"centre": (1, NAN)}, "centre of stone 'x' = nan m"),
        ({"centre": (0.5, 1.5)}, "Stone 'x' has its centre of mass at (0.5, 1.5) m, 500 mm outsi"),
        ({"centre": (4.0, 5.0)}, "5 m outside of its outline: give it in the coordinates of the"),
    ],
)
def test_bad_masses(options, says):
    with pytest.raises(InputError, match=re.escape(says)):
        rs.Stone.box(0, 0, 1, 1, name="x", **options)


def tie(*stones):
    return rs.Tie(stones=stones, points=[(0, i) for i in range(len(stones))], stiffness=1e6)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: rs.Assembly([]), "at least one stone"),
        (lambda: rs.Assembly(GROUND), "must be a list of stones"),
        (lambda: rs.Assembly([GROUND, "a"]), "Stone 2 is a str"),
        (lambda: rs.Assembly([GROUND, BOX, BOX.moved(2.0)]),
         "Stones 2 and 3 have the same name, 'a'"),
        (lambda: rs.Assembly([GROUND, rs.Stone.box(0, 0, 1, 1, name="a [m]")]), "no brackets"),
        (lambda: rs.Assembly([GROUND, rs.Stone.box(0, 0, 1, 1, name="a\n")]), "printable"),
        (lambda: rs.Assembly([BOX]), "No stone is fixed"),
        (lambda: rs.Assembly([GROUND, BOX, rs.Stone.box(0.75, 0, 1, 1, name="b")]),
         "Stones 'a' and 'b' overlap by 250 mm"),
        (lambda: rs.Assembly([GROUND, BOX.moved(y=-0.003)]), "'ground' and 'a' overlap by 3 mm"),
        (lambda: rs.Assembly([GROUND, BOX.moved(y=0.003)]),
         "Stone 'a' floats: it touches no other stone ('ground' lies 3 mm below it)"),
        (lambda: rs.Assembly([GROUND, BOX.moved(y=1), rs.Stone.box(0, 2, 1, 1, name="b")]),
         "Stones 'a', 'b' float: they touch nothing that is fixed ('ground' lies 1 m below"),
        (lambda: rs.Assembly([GROUND, BOX], friction=-0.1), "friction = -0.1"),
        (lambda: rs.Assembly([GROUND, BOX], friction=NAN), "friction = nan"),
        (lambda: rs.Assembly([GROUND, BOX], joint_friction={("a", "c"): 0.2}), "names stone 'c'"),
        (lambda: rs.Assembly([GROUND, BOX], joint_friction={("a", "a"): 0.2}), "'a' twice"),
        (lambda: rs.Assembly([GROUND, BOX], joint_friction={"a": 0.2}), "the names of two stones"),
        (lambda: rs.Assembly([GROUND, BOX], joint_friction={("a", "ground"): -1}),
         "friction between 'a' and 'ground' = -1"),
        (lambda: rs.Assembly([GROUND, BOX], joint_friction=[1]), "must be a mapping"),
        (lambda: rs.Assembly([GROUND, BOX], links=[tie("a", "z")]), "Link 1 names stone 'z'"),
        (lambda: rs.Assembly([GROUND, BOX], links=[tie("a", 2)]), "Link 1 names stone 2"),
        (lambda: rs.Assembly([GROUND, BOX], links=[7]), "Link 1 is '7'"),
        (lambda: rs.Assembly([GROUND, BOX.moved(3.0)], links=[tie("ground", "a")]),
         "Link 1 ends at (0, 1) m, 3 m from stone 'a': give a point on it"),
        (lambda: tie("a"), "joins two points or more"),
        (lambda: rs.Assembly([GROUND, BOX], g=0), "g = 0 m/s²"),
        (lambda: rs.Assembly([GROUND, BOX]).number("z"), "There is no stone 'z'"),
    ],
)  # fmt: skip
def test_bad_assemblies(make, says):
    with pytest.raises(InputError, match=re.escape(says)):
        make()


def test_free_flight_may_be_wanted():
    assert rs.Assembly([BOX, BOX.moved(5.0, 2.0).turned(0.3)][:1], floating=True).stone_count == 1
    tied = rs.Assembly([GROUND, BOX.moved(y=1.0)], links=[tie("ground", "a")])
    assert tied.stone_count == 1


def test_the_centre_of_a_concave_stone_may_lie_between_its_parts():
    """That of a thin L does; far beyond the line between its tips it belongs to no body."""
    thin = [(0, 0), (1, 0), (1, 0.1), (0.1, 0.1), (0.1, 1), (0, 1)]
    stone = rs.Stone(thin, name="L")
    assert all(outside(stone.centre, part) > 0.1 for part in stone.parts)
    assert rs.Stone(thin, centre=(0.5, 0.5)).centre == (0.5, 0.5)
    with pytest.raises(InputError, match="A stone has its centre of mass at"):
        rs.Stone(thin, centre=(1.0, 1.0))


def test_links_end_anywhere_on_what_is_fixed_and_near_what_is_drawn_with_chords():
    """A wall beside it that moves with the ground; the back of a voussoir, 2 % of its size off."""
    wall = rs.Tie(stones=("a", "ground"), points=((1.0, 0.9), (3.0, 2.5)), stiffness=1e6)
    assert rs.Assembly([GROUND, BOX], links=[wall]).links == (wall,)
    arch = rs.Assembly.arch(7, 0.15, radius=1.0)
    crown = arch.stones[arch.number("voussoir 4")]
    back = rs.Tie(
        stones=("voussoir 4", "ground"), points=((0.0, 1.075), (0.0, -0.1)), stiffness=1e6
    )
    assert outside((0.0, 1.075), crown.parts[0]) > 0.02  # m, by the arc
    assert rs.Assembly(arch.stones, links=[back]).links == (back,)


def test_how_far_a_point_is_from_a_polygon():
    square = BOX.parts[0]
    for point, far in [((0.5, 0.5), 0), ((1, 1), 0), ((1.5, 0.5), 0.5), ((4, 5), 5), ((-3, 5), 5)]:
        assert outside(point, square) == pytest.approx(far)


def test_a_tilted_block_stands_on_its_corner():
    tilted = BOX.turned(-0.1, about=(1.0, 0.0))
    assert rs.Assembly([GROUND, tilted]).joints == ()


def test_too_many_stones_are_refused_at_once():
    begun = time.process_time()
    with pytest.raises(InputError, match="100001 stones are too many: an assembly has at most"):
        rs.Assembly([BOX] * 100_001)
    assert time.process_time() - begun < 0.5


def test_ten_thousand_stones_are_checked_in_seconds():
    begun = time.process_time()
    wall = rs.Assembly.wall(100, 100, 0.4, 0.2)
    assert wall.stone_count == 10_050
    assert time.process_time() - begun < 8.0


def test_clockwise_outlines_are_turned_round():
    clockwise = rs.Stone([(0, 0), (0, 1), (1, 1), (1, 0)])
    assert section(clockwise.parts[0]).area == 1.0


def test_straight_corners_are_left_out():
    stone = rs.Stone([(0, 0), (0.5, 0), (1, 0), (1, 1), (0.3, 1), (0, 1)])
    assert stone.parts == (((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),)


def test_an_l_is_two_convex_parts():
    stone = rs.Stone([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], density=1.0)
    assert len(stone.parts) == 2
    assert stone.mass == 3.0
    assert stone.centre == pytest.approx((5 / 6, 5 / 6))
    assert stone.inertia == pytest.approx(2 * (1 / 6 + 2 * 1 / 12) + 11 / 6 - 1 / 2 - 1 / 6)


@st.composite
def stars(draw):
    """Simple polygons: corners at increasing angles about a point inside."""
    n = draw(st.integers(3, 24))
    radii = draw(st.lists(st.floats(0.1, 1.0), min_size=n, max_size=n))
    return [
        (r * math.cos(2 * math.pi * i / n), r * math.sin(2 * math.pi * i / n))
        for i, r in enumerate(radii)
    ]


@given(outline=stars(), clockwise=st.booleans())
def test_concave_outlines_are_divided_into_convex_parts_of_the_same_whole(outline, clockwise):
    stone = rs.Stone(outline[::-1] if clockwise else outline)
    whole = Outline(outline)
    assert stone.section.area == pytest.approx(whole.area)
    assert stone.centre == pytest.approx(whole.centre, abs=1e-9)
    xx, yy, _ = whole.second
    assert stone.section.polar == pytest.approx(xx + yy)
    corners = {(round(x, 12), round(y, 12)) for x, y in outline}
    for part in stone.parts:
        assert {(round(x, 12), round(y, 12)) for x, y in part} <= corners
        for a, b, c in zip(part[-1:] + part[:-1], part, part[1:] + part[:1], strict=True):
            assert (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0


@given(outline=stars(), angle=st.floats(-3.0, 3.0), x=st.floats(-9, 9), y=st.floats(-9, 9))
def test_mass_and_inertia_stay_when_a_stone_is_moved_turned_and_mirrored(outline, angle, x, y):
    stone = rs.Stone(outline)
    for other in (stone.moved(x, y).turned(angle), stone.mirrored()):
        assert other.mass == stone.mass
        assert other.inertia == stone.inertia
        again = rs.Stone(other.parts)
        assert again.mass == pytest.approx(stone.mass)
        assert again.centre == pytest.approx(other.centre, abs=1e-9)


@given(
    corners=st.lists(
        st.tuples(*[st.floats() | st.integers(-3, 3) | st.none() | st.text(max_size=2)] * 2),
        max_size=8,
    )
)
def test_any_corners_give_a_stone_or_a_sentence(corners):
    try:
        stone = rs.Stone(corners, "odd")
    except InputError as error:
        assert "odd" in str(error)
    else:
        assert stone.mass > 0 and stone.inertia > 0


@given(x=st.floats(-2.0, 2.0), y=st.floats(-2.0, 2.0), angle=st.floats(-3.2, 3.2))
def test_overlaps_are_found_as_by_sampling(x, y, angle):
    one = rs.Stone.box(0, 0, 1.0, 0.5, name="one")
    other = rs.Stone.box(0, 0, 0.7, 0.4, name="other").turned(angle, (0.0, 0.0)).moved(x, y)
    points = np.stack(np.meshgrid(np.linspace(0, 1, 60), np.linspace(0, 0.5, 30)), -1).reshape(
        -1, 2
    )
    inside = np.ones(len(points), dtype=bool)
    depth = np.full(len(points), np.inf)
    part = np.array(other.parts[0])
    for a, b in zip(part, np.roll(part, -1, axis=0), strict=True):
        n = np.array([b[1] - a[1], a[0] - b[0]]) / np.hypot(*(b - a))
        depth = np.minimum(depth, -(points - a) @ n)
    inside = depth > 1e-3
    assume(not (not inside.any() and depth.max() > -0.05))  # nearly touching
    made = lambda: rs.Assembly([one, other], floating=True)  # noqa: E731
    if inside.any():
        with pytest.raises(InputError, match="overlap by"):
            made()
    else:
        made()


def test_assemblies_can_be_pickled_compared_and_hashed():
    wall = rs.Assembly.wall(3, 3, 0.4, 0.2, joint_friction={("stone 1-1", "ground"): 0.3})
    copy = pickle.loads(pickle.dumps(wall))
    assert copy == wall and hash(copy) == hash(wall)
    assert copy != rs.Assembly.wall(3, 3, 0.4, 0.2)


@pytest.mark.parametrize("given", [1e308, 2e6, -0.1, float("inf")])
def test_a_coefficient_of_friction_has_ends(given):
    with pytest.raises(rs.InputError, match=r"friction = .* is not allowed"):
        rs.Assembly.wall(4, 4, 0.4, 0.2, friction=given)
    stones = rs.Assembly.drums(2, 2.0, 0.5)
    with pytest.raises(rs.InputError, match=r"friction between .* is not allowed"):
        dataclasses.replace(stones, joint_friction={("drum 1", "drum 2"): given})


def test_the_largest_coefficient_of_friction_has_a_limit_load():
    """Blocks that cannot slide: λ = b/h of one that topples about its corner."""
    found = rs.analysis.limit_load(rs.Assembly.drums(1, 2.0, 0.5, friction=1e6))
    assert found.multiplier == pytest.approx(0.25, rel=1e-9)

"""Area, centre, second moments and base of an outline, and the block that has it."""

import json
import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.bodies.outline import SECTIONS, Outline
from rocksteady.bodies.outline_checks import MOST_CORNERS
from rocksteady.bodies.presets import PRESETS
from rocksteady.bodies.support import area as shoelace
from rocksteady.errors import InputError
from rocksteady.specs import BodySpec

SAME = {"rel": 1e-12, "abs": 1e-14}
RECTANGLE = [(0.0, 0.0), (0.6, 0.0), (0.6, 4.2), (0.0, 4.2)]
FIELDS = ("height", "width", "offset", "com_height", "mass", "inertia")


def numbers(block):
    return [getattr(block, name) for name in FIELDS]


def star(radii, centre=(0.0, 0.0)):
    """A polygon that no ray from its middle leaves twice: simple, seldom convex."""
    angles = np.linspace(0, 2 * np.pi, len(radii), endpoint=False)
    x, y = centre
    return [(x + r * math.cos(a), y + r * math.sin(a)) for r, a in zip(radii, angles, strict=True)]


def upright(sides):
    """A body 2 m wide at its base whose right and left sides bulge and shrink."""
    right = [(b, float(i)) for i, (b, _) in enumerate(sides, 1)]
    left = [(-c, float(i)) for i, (_, c) in enumerate(sides, 1)]
    return [(-1.0, 0.0), (1.0, 0.0), *right, *left[::-1]]


bulges = st.floats(0.6, 1.8)
uprights = st.lists(st.tuples(bulges, bulges), min_size=1, max_size=9).map(upright)
stars = st.lists(st.floats(0.2, 2.0), min_size=5, max_size=24).map(star)


# -- closed forms ----------------------------------------------------------------------------------


def test_rectangle_is_the_block():
    traced = rs.Block.from_outline(RECTANGLE, thickness=0.8, density=2000)
    plain = rs.Block(4.2, 0.6, thickness=0.8, density=2000)
    assert numbers(traced) == pytest.approx(numbers(plain), **SAME)
    assert traced.offset == 0.0
    assert traced.symmetric
    assert (traced.alpha, traced.p) == pytest.approx((plain.alpha, plain.p), rel=1e-14)


@given(b=st.floats(0.1, 5), h=st.floats(0.1, 5), top=st.floats(0.05, 0.95))
def test_triangle(b, h, top):
    """Area b h/2, centre at a third, ∫y² = b h³/36, ∫x² = b h (b² − b c + c²)/36."""
    found = Outline([(0, 0), (b, 0), (top * b, h)])
    c = top * b
    assert found.area == pytest.approx(b * h / 2, **SAME)
    assert found.centre == pytest.approx(((b + c) / 3, h / 3), **SAME)
    assert found.second[:2] == pytest.approx(
        (b * h * (b * b - b * c + c * c) / 36, b * h**3 / 36), **SAME
    )
    assert found.second[2] == pytest.approx(b * h * h * (2 * c - b) / 72, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("n", [5, 12, 240])
def test_regular_polygon_and_its_limit_the_disc(n):
    """∫x² dA = n r⁴ sin(2π/n) (2 + cos(2π/n))/24 about its centre."""
    r, step = 0.7, 2 * math.pi / n
    found = Outline(star([r] * n, (3.0, 8.0)))
    second = n * r**4 * math.sin(step) * (2 + math.cos(step)) / 24
    assert found.area == pytest.approx(n * r * r * math.sin(step) / 2, rel=1e-12)
    assert found.centre == pytest.approx((3.0, 8.0), rel=1e-12)
    assert found.second == pytest.approx((second, second, 0.0), rel=1e-11, abs=1e-13)
    if n == 240:
        assert sum(found.second[:2]) == pytest.approx(math.pi * r**4 / 2, rel=1e-3)


def test_an_l_by_its_two_rectangles():
    """Hollow on one side: Steiner by hand."""
    wide, tall = (1.0, 0.2, 0.5, 0.1), (0.3, 0.8, 0.15, 0.6)  # b, h, x, y
    parts = [(b * h, x, y, b * h * (b * b + h * h) / 12) for b, h, x, y in (wide, tall)]
    A = sum(p[0] for p in parts)
    cx, cy = (sum(p[0] * p[i] for p in parts) / A for i in (1, 2))
    polar = sum(a * ((x - cx) ** 2 + (y - cy) ** 2) + own for a, x, y, own in parts)
    block = rs.Block.from_outline([(0, 0), (1, 0), (1, 0.2), (0.3, 0.2), (0.3, 1), (0, 1)])
    assert (block.mass, block.inertia) == pytest.approx((2600 * A, 2600 * polar), **SAME)
    assert (block.offset, block.com_height) == pytest.approx((cx - 0.5, cy), **SAME)
    assert block.right.alpha > block.left.alpha  # heavy on the left


@pytest.mark.parametrize("top", [0.0, 0.3, 1.0, 1.4])
def test_round_and_square_sections_are_drums_and_prisms(top):
    """A trapezium around an axis is a frustum; the same numbers as the body in space."""
    trapezium = [(-0.5, 0), (0.5, 0), *([(top / 2, 2.0), (-top / 2, 2.0)] if top else [(0, 2.0)])]
    for section, body in (
        ("round", rs.Body.drum(1.0, top, 2.0)),
        ("square", rs.Body.box(1.0, 1.0, 2.0, taper=top)),
    ):
        block = rs.Block.from_outline(trapezium, section=section)
        assert numbers(block) == pytest.approx(numbers(body.block(0.0)), **SAME)


def test_round_outline_that_crosses_its_axis_twice():
    """A handle on the right counts half: two halves, each turned by half a turn."""
    cup = [(-0.5, 0), (0.5, 0), (0.5, 1), (-0.5, 1)]
    handle = [(-0.5, 0), (0.5, 0), (0.5, 0.4), (0.7, 0.4), (0.7, 0.6), (0.5, 0.6), (0.5, 1),
              (-0.5, 1)]  # fmt: skip
    plain, more = (rs.Block.from_outline(o, section="round", density=1) for o in (cup, handle))
    assert more.mass - plain.mass == pytest.approx(math.pi * (0.7**2 - 0.5**2) * 0.2 / 2)
    assert more.offset == 0.0
    swan = [(-0.5, 0), (0.5, 0), (0.5, 0.1), (-0.2, 0.5), (0.5, 0.9), (0.5, 1), (-0.5, 1)]
    half_right = Outline([(0, 0), (0.5, 0), (0.5, 0.1), (0, 0.1 + 0.4 * 0.5 / 0.7)])
    assert Outline(swan).weighed(section="round", density=1).mass > 0
    assert half_right.area < Outline(swan).area


# -- what must not matter --------------------------------------------------------------------------


@given(outline=stars, first=st.integers(0, 30), x=st.floats(-50, 50), y=st.floats(-50, 50))
def test_start_sense_place_and_mirror_do_not_matter(outline, first, x, y):
    found = Outline(outline)
    first %= len(outline)
    assert found.area == pytest.approx(abs(shoelace(outline)), rel=1e-12)
    for other in (
        outline[::-1],
        outline[first:] + outline[:first],
        [*outline, outline[0]],
        [p for p in outline for _ in (0, 1)],
    ):
        again = Outline(other)
        assert (again.area, *again.centre, *again.second) == pytest.approx(
            (found.area, *found.centre, *found.second), rel=1e-9, abs=1e-12
        )
    moved = Outline([(a + x, b + y) for a, b in outline])
    assert (moved.area, *moved.second) == pytest.approx(
        (found.area, *found.second), rel=1e-8, abs=1e-10
    )
    mirror = Outline([(-a, b) for a, b in outline])
    assert mirror.centre == pytest.approx((-found.centre[0], found.centre[1]), abs=1e-12)
    assert mirror.second[2] == pytest.approx(-found.second[2], rel=1e-9, abs=1e-12)


@given(outline=uprights, section=st.sampled_from(list(SECTIONS)), size=st.floats(0.1, 10))
def test_the_block_mirrors_and_scales(outline, section, size):
    block = rs.Block.from_outline(outline, height=2.0, section=section)
    mirror = rs.Block.from_outline([(-x, y) for x, y in outline], height=2.0, section=section)
    assert mirror.right == pytest.approx(block.left, rel=1e-9)
    assert mirror.left == pytest.approx(block.right, rel=1e-9)
    larger = rs.Block.from_outline(outline, height=2.0 * size, section=section)
    assert block.height == pytest.approx(2.0)
    assert larger.alpha == pytest.approx(block.alpha, rel=1e-9)
    assert larger.p == pytest.approx(block.p / math.sqrt(size), rel=1e-9)
    given_mass = rs.Block.from_outline(outline, height=2.0, section=section, mass=70.0)
    assert given_mass.mass == pytest.approx(70.0)
    assert given_mass.p == pytest.approx(block.p, rel=1e-12)


def test_scale_and_height_are_two_ways_to_say_the_same():
    pixels = [(100 * x, 100 * y) for x, y in RECTANGLE]
    by_scale, by_height = (
        rs.Block.from_outline(pixels, scale=0.01),
        rs.Block.from_outline(pixels, height=4.2),
    )
    assert numbers(by_scale) == pytest.approx(numbers(by_height), **SAME)
    with pytest.raises(InputError, match="both given"):
        rs.Block.from_outline(pixels, scale=0.01, height=4.2)


def test_feet_make_the_base_and_the_tolerance_decides():
    table = [
        (0, 0.01),
        (0.1, 0),
        (0.1, 0.7),
        (0.9, 0.7),
        (0.9, 0),
        (1.0, 0.012),
        (1, 0.8),
        (0, 0.8),
    ]
    assert Outline(table).base == (0.0, 1.0)  # within 2 % of the height
    assert Outline(table, tolerance=0.005).base == (0.1, 0.9)
    assert Outline(table, tolerance=0.0).width == 0.8


def test_a_tolerance_that_makes_the_base_wider_says_so():
    vase = [(0.3, 0.0), (0.5, 0.0), (0.8, 0.1), (0.6, 1.0), (0.2, 1.0), (0.0, 0.1)]
    with pytest.warns(rs.RocksteadyWarning, match=r"the base 0\.8 m .* is 0\.2 m wide"):
        wide = rs.Block.from_outline(vase, tolerance=0.1)
    assert wide.width == pytest.approx(0.8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rs.Block.from_outline(vase, tolerance=0.01) == rs.Block.from_outline(vase)
    with pytest.raises(InputError, match="one point only") as error:
        rs.Block.from_outline([(0, 0), (1, 1), (0, 2), (-1, 1)])
    assert "olerance" not in str(error.value)


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ([], "0 different corners"),
        ([(0, 0), (1, 0)], "at least 3"),
        ([(0, 0), (1, 0), (1, 0), (0, 0)], "2 different corners"),
        ([(0, 0), (1, 1), (2, 2)], "goes back along itself"),
        ([(0, 0), (1, 0), (0, 1), (1, 1)], "crosses or touches itself"),
        ([(0, 0), (2, 0), (2, 2), (1, 0), (0, 2)], "crosses or touches itself"),  # touches
        ([(0, 0), (1, 0), (2, 0), (1, 0), (1, 1)], "goes back along itself"),
        ([(0, 0), (1, 0), (1, math.nan)], "Corner 3"),
        ([(0, 0), (1e12, 0), (1, 1)], "Corner 2"),
        ([(0, 0), (1, 0), (1, "high")], "Corner 3"),
        ([(0, 0), (1, 0, 3), (1, 1)], "not a list of corners"),
        ("circle", "0 different corners"),
        (7, "0 different corners"),
        ([(0, 0), (1, 1), (-1, 1)], "one point only"),
        ([(0, 0), (0.2, 0), (3, 1), (3, 2), (0, 2)], "to the right of its base"),
        ([(0, 0), (-0.2, 0), (-3, 1), (-3, 2), (0, 2)], "to the left of its base"),
        ([(math.cos(i), math.sin(i)) for i in range(MOST_CORNERS + 2)], "at most 1000"),
    ],
)
def test_what_is_not_an_outline_is_refused_in_a_sentence(points, says):
    with pytest.raises(InputError, match=says) as error:
        rs.Block.from_outline(points)
    assert str(error.value).endswith(".")


@given(outline=stars, i=st.integers(0, 100), j=st.integers(0, 100))
def test_exchanged_corners_cross(outline, i, j):
    """Two corners of a convex polygon exchanged: it always crosses itself."""
    n = len(outline)
    i, j = i % n, j % n
    assume(i != j and n > 4)
    convex = star([1.0] * n)
    convex[i], convex[j] = convex[j], convex[i]
    with pytest.raises(InputError, match="itself"):
        Outline(convex)


@pytest.mark.parametrize(
    "wrong",
    [
        {"section": "hollow"},
        {"density": -1},
        {"thickness": 0.0},
        {"mass": 0},
        {"height": -2},
        {"scale": 0},
        {"tolerance": -1},
    ],
)
def test_wrong_options_are_named(wrong):
    with pytest.raises(InputError, match=next(iter(wrong))):
        rs.Block.from_outline(RECTANGLE, **wrong)


# -- in files --------------------------------------------------------------------------------------


def test_a_description_holds_an_outline():
    spec = BodySpec.checked({"kind": "Block", "outline": RECTANGLE, "height": 2.1, "mass": 500})
    assert spec.build() == rs.Block.from_outline(RECTANGLE, height=2.1, mass=500)
    again = BodySpec.checked(json.loads(spec.model_dump_json()))
    assert again.build() == spec.build()
    as_text = BodySpec.checked({"outline": json.dumps(RECTANGLE), "height": 2.1, "mass": 500})
    assert as_text.build() == spec.build()


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"outline": RECTANGLE, "width": 2.0}, "`width` cannot stand beside `outline`"),
        ({"outline": RECTANGLE, "preset": "statue"}, "`preset` cannot stand beside"),
        ({"outline": "[[0,"}, "0 different corners"),
        ({"outline": None}, "0 different corners"),
        ({"height": 1.0, "width": 0.2, "section": "round"}, "belongs to an `outline`"),
        ({"preset": "stele"}, "There is no preset 'stele'"),
        ({"preset": "vase_fixed_on_plinth", "alpha": 0.2}, "cannot stand beside `alpha`"),
        ({"preset": "vase_fixed_on_plinth", "height": "tall"}, "height"),
        ({"preset": "statue", "height": -1}, "height"),
        ({"preset": "obelisk", "density": "stone"}, "density"),
    ],
)
def test_a_wrong_description_is_refused(values, says):
    with pytest.raises(InputError, match=says):
        BodySpec.checked(values).build()


# -- presets ---------------------------------------------------------------------------------------


def test_the_obelisk_is_the_prism_and_its_pyramid():
    """The same solid put together from two bodies in space."""
    obelisk = BodySpec.checked({"preset": "obelisk"}).build()
    shaft = rs.Body.box(1.2, 1.2, 0.93 * 9.0, taper=0.68, density=2700)
    tip = rs.Body.box(0.68 * 1.2, 0.68 * 1.2, 0.07 * 9.0, taper=0.0, density=2700)
    whole = rs.Body.stacked([shaft, tip]).block(0.0)
    assert numbers(obelisk) == pytest.approx(numbers(whole), rel=1e-6, abs=1e-9)


def test_the_vase_stands_on_its_plinth():
    vase = BodySpec.checked({"preset": "vase_fixed_on_plinth"}).build()
    assert (vase.height, vase.width, vase.offset) == (1.5, 0.4, 0.0)
    assert 0.25 < vase.com_height / vase.height < 0.45  # most of the mass is in the plinth
    heavier = BodySpec.checked({"preset": "vase_fixed_on_plinth", "density": 4800.0}).build()
    assert heavier.mass == pytest.approx(2 * vase.mass, rel=1e-6)
    assert heavier.com_height == vase.com_height
    weighed = BodySpec.checked({"preset": "vase_fixed_on_plinth", "mass": 100.0}).build()
    assert weighed.inertia / 100 == pytest.approx(vase.inertia / vase.mass, rel=1e-6)
    taller = BodySpec.checked(
        {"preset": "vase_fixed_on_plinth", "height": 3.0, "width": 0.8}
    ).build()
    assert taller.inertia / vase.inertia == pytest.approx(2.0**5, rel=1e-6)


@pytest.mark.parametrize("name", PRESETS)
def test_silhouettes_are_outlines_as_wide_and_high_as_the_block(name):
    preset = PRESETS[name]
    block = BodySpec.checked({"preset": name}).build()
    drawn = Outline(preset.outline(block.height, block.width))
    assert (drawn.height, drawn.width) == pytest.approx((block.height, block.width))
    assert drawn.floor == 0.0
    assert sum(drawn.base) == pytest.approx(0.0)
    assert shoelace(preset.silhouette) > 0

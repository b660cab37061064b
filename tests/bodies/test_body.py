"""Bodies in space: mass properties against closed forms, limits, planar shadows, bad inputs."""

import dataclasses
import math
import pickle
import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.bodies import solids
from rocksteady.bodies.support import area, convex_hull, support

sizes = st.floats(0.05, 20.0)
points = st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=3, max_size=12)
SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def tensor(body):
    return np.array(body.inertia)


def close(body, other, rel=1e-12):
    assert body.mass == pytest.approx(other.mass, rel=rel)
    assert body.centre == pytest.approx(other.centre, rel=rel, abs=rel * other.height)
    assert tensor(body) == pytest.approx(tensor(other), abs=rel * tensor(other).max())
    assert body.height == pytest.approx(other.height, rel=rel)


# -- solids ----------------------------------------------------------------------------------------


@given(x=sizes, y=sizes, height=sizes)
def test_a_box(x, y, height):
    body = rs.Body.box(x, y, height, density=1000)
    m = 1000 * x * y * height
    assert body.mass == pytest.approx(m) and body.centre == (0.0, 0.0, height / 2)
    moments = [m * (y**2 + height**2) / 12, m * (x**2 + height**2) / 12, m * (x**2 + y**2) / 12]
    assert tensor(body) == pytest.approx(np.diag(moments), rel=1e-12)


@given(x=sizes, y=sizes, height=sizes)
def test_the_shadow_of_a_box_is_the_block(x, y, height):
    body = rs.Body.box(x, y, height)
    for direction, width, depth in ((0, x, y), (90, y, x), (180, x, y), (270.0, y, x)):
        shadow = body.block(direction)
        block = rs.Block(height=height, width=width, thickness=depth)
        assert shadow.symmetric
        for name in ("alpha", "p", "eta", "mass", "inertia", "com_height", "density"):
            assert getattr(shadow, name) == pytest.approx(getattr(block, name), rel=1e-12), name


@given(a=sizes, height=sizes)
def test_cylinder_and_cone(a, height):
    m = rs.Body.cylinder(2 * a, height, density=1.0)
    assert m.mass == pytest.approx(math.pi * a**2 * height)
    side = m.mass * (3 * a**2 + height**2) / 12
    assert tensor(m) == pytest.approx(np.diag([side, side, m.mass * a**2 / 2]), rel=1e-12)
    cone = rs.Body.cone(2 * a, height, mass=5.0)
    side = 5.0 * (3 * a**2 / 20 + 3 * height**2 / 80)
    assert cone.centre == (0.0, 0.0, pytest.approx(height / 4))
    assert tensor(cone) == pytest.approx(np.diag([side, side, 1.5 * a**2]), rel=1e-12)
    assert m.axisymmetric and cone.axisymmetric


@given(a=sizes, share=st.floats(0.05, 0.95), height=sizes)
def test_a_drum_and_its_point_are_a_cone(a, share, height):
    """A cone cut at a height, put together again by Steiner."""
    whole = rs.Body.cone(2 * a, height)
    drum = rs.Body.drum(2 * a, 2 * a * (1 - share), height * share)
    point = rs.Body.cone(2 * a * (1 - share), height * (1 - share))
    close(rs.Body.stacked([drum, point]), whole, 1e-9)


@given(x=sizes, y=sizes, share=st.floats(0.05, 0.95), height=sizes)
def test_an_obelisk_and_its_point_are_a_pyramid(x, y, share, height):
    whole = rs.Body.box(x, y, height, taper=0)
    assert whole.mass == pytest.approx(2600 * x * y * height / 3)
    below = rs.Body.box(x, y, height * share, taper=1 - share)
    above = rs.Body.box(x * (1 - share), y * (1 - share), height * (1 - share), taper=0)
    close(rs.Body.stacked([below, above]), whole, 1e-9)


@given(corners=points, height=sizes, move=st.tuples(st.floats(-50, 50), st.floats(-50, 50)))
def test_a_prism_is_the_sum_of_its_triangles(corners, height, move):
    hull = convex_hull(corners)
    if len(hull) < 3 or area(hull) < 0.1:
        return
    whole = solids.prism(tuple((x + move[0], y + move[1]) for x, y in hull), height)
    parts = []
    for a, b in pairwise(hull[1:]):
        triangle = np.array([hull[0], a, b]) + move
        mid, size = triangle.mean(axis=0), area([hull[0], a, b])
        if size < 1e-6:
            continue
        # ∫ x xᵀ over a triangle about its centre = A/12 Σ vᵢ vᵢᵀ
        second = size * height / 12 * (triangle - mid).T @ (triangle - mid)
        zz = size * height**3 / 12
        inertia = np.diag([second[1, 1] + zz, second[0, 0] + zz, np.trace(second)])
        inertia[0, 1] = inertia[1, 0] = -second[0, 1]
        parts.append(solids.Solid(size * height, (*mid, height / 2), solids.matrix(inertia)))
    total = solids.joined(parts)
    assert whole.volume == pytest.approx(total.volume, rel=1e-4)
    assert whole.centre == pytest.approx(total.centre, rel=1e-4, abs=1e-4)
    assert np.array(whole.inertia) == pytest.approx(
        np.array(total.inertia), abs=1e-4 * np.max(total.inertia)
    )


@given(angle=st.floats(-720, 720), offset=st.tuples(st.floats(-0.2, 0.2), st.floats(-0.2, 0.2)))
def test_turning_changes_nothing_but_the_direction(angle, offset):
    body = rs.Body.prism(((-1, -0.5), (1, -0.7), (0.8, 0.9), (-0.6, 0.6)), 4.0, offset=offset)
    turned = body.turned(angle)
    assert np.linalg.eigvalsh(tensor(turned)) == pytest.approx(np.linalg.eigvalsh(tensor(body)))
    for direction in (0.0, 37.0, 211.0):
        one, other = body.block(direction), turned.block(direction + angle)
        for name in ("alpha", "p", "width", "offset", "inertia", "eta_to_left"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-9, abs=1e-12)
    assert turned.alpha == pytest.approx(body.alpha, rel=1e-9)
    assert body.turned(90).turned(-90) == body  # exact


def test_stacked_boxes_beside_each_other():
    """An L of two boxes, by hand."""
    low, high = rs.Body.box(1, 1, 1, mass=4), rs.Body.box(1, 1, 1, mass=2)
    body = rs.Body.stacked([low, high], offsets=[(0, 0), (0.3, 0)])
    assert body.mass == 6 and body.height == 2
    assert body.centre == pytest.approx((0.1, 0.0, (4 * 0.5 + 2 * 1.5) / 6))
    # J_xz = −Σ m dx dz: part 1 at (−0.1, −1/3), part 2 at (0.2, 2/3)
    assert tensor(body)[0, 2] == pytest.approx(-(4 * 0.1 / 3 + 2 * 0.2 * 2 / 3))
    assert tensor(body)[1, 1] == pytest.approx(1 + 4 * (0.01 + 1 / 9) + 2 * (0.04 + 4 / 9))
    assert len(body.shape.vertices) == 16
    with pytest.raises(rs.InputError, match="as many offsets"):
        rs.Body.stacked([low, high], offsets=[(0, 0)])
    with pytest.raises(rs.InputError, match="list of bodies"):
        rs.Body.stacked([rs.Block(1, 1)])


def test_stacked_parts_off_the_axis():
    """Eccentric parts, the lowest one moved, too: masses one by one, by the definition."""
    low = rs.Body.box(1.0, 2.0, 0.5, mass=4, offset=(0.1, -0.05))
    high = rs.Body.cylinder(0.6, 1.5, mass=2, offset=(-0.02, 0.03)).turned(30)
    offsets = [(0.4, -0.7), (0.5, -0.3)]
    body = rs.Body.stacked([low, high], offsets)
    at = [  # of the centres, from the origin of the lowest part
        np.array([0.1, -0.05, 0.25]),
        np.array([0.1 + high.centre[0], 0.4 + high.centre[1], 0.5 + 0.75]),
    ]
    centre = (4 * at[0] + 2 * at[1]) / 6
    assert body.centre == pytest.approx(tuple(centre))
    wanted = np.zeros((3, 3))
    for part, place in zip((low, high), at, strict=True):
        d = place - centre
        wanted += tensor(part) + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
    assert tensor(body) == pytest.approx(wanted)
    assert (body.height, body.mass, body.base, body.radius) == (2.0, 6.0, low.base, None)
    # the drawing stands where the body does
    drawn = np.array(body.shape.vertices)
    assert drawn[: len(low.shape.vertices)] == pytest.approx(np.array(low.shape.vertices))
    upper = np.add(high.shape.vertices, (0.1, 0.4, 0.5))
    assert drawn[len(low.shape.vertices) :] == pytest.approx(upper)


def test_stacked_parts_are_drawn_as_far_as_they_have_shapes():
    plain = rs.Body(5, (1, 1, 1), (0, 0, 0.5), 2, SQUARE)
    assert rs.Body.stacked([plain, plain]).shape is None
    assert rs.Body.stacked([plain, plain]).centre == pytest.approx((0, 0, 1.5))
    half = rs.Body.stacked([plain, rs.Body.box(1, 1, 1)], [(0.2, 0.1), (0.2, 0.1)])
    assert np.array(half.shape.vertices).min(axis=0) == pytest.approx((-0.5, -0.5, 2.0))
    with pytest.raises(rs.InputError, match="list of bodies"):
        rs.Body.stacked([])
    round_one = rs.Body.stacked([rs.Body.cylinder(0.4, 1.0), rs.Body.cone(0.4, 1.0)])
    assert (round_one.radius, round_one.base) == (0.2, ())


def test_turning_by_hand():
    """A quarter turn from x towards y."""
    body = rs.Body.box(0.4, 0.6, 1.8, offset=(0.05, 0.02)).turned(90)
    assert body.centre == pytest.approx((-0.02, 0.05, 0.9))
    assert {tuple(np.round(corner, 12)) for corner in body.base} == {
        (x, y) for x in (-0.3, 0.3) for y in (-0.2, 0.2)}  # fmt: skip
    third = rs.Body.box(0.4, 0.6, 1.8, offset=(0.05, 0.02)).turned(30)
    c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
    assert third.centre == pytest.approx((c * 0.05 - s * 0.02, s * 0.05 + c * 0.02, 0.9))
    assert {tuple(np.round(corner, 9)) for corner in third.base} == {
        (round(c * x - s * y, 9), round(s * x + c * y, 9))
        for x in (-0.2, 0.2) for y in (-0.3, 0.3)}  # fmt: skip
    assert rs.Body(5, (1, 1, 1), (0, 0, 0.5), 2, SQUARE).turned(30).shape is None


def test_a_shape_encloses_its_volume():
    """What films draw has its faces outward: the volume by the divergence theorem."""
    for body in (rs.Body.box(1, 2, 3), rs.Body.box(1, 2, 3, taper=0.5), rs.Body.cone(1, 2),
                 rs.Body.stacked([rs.Body.box(1, 1, 1), rs.Body.drum(0.8, 0.4, 2)])):  # fmt: skip
        volume = 0.0
        for face in body.shape.faces:
            a, *others = (np.array(body.shape.vertices[i]) for i in face)
            for b, c in pairwise(others):
                volume += np.dot(a, np.cross(b, c)) / 6
        assert volume == pytest.approx(body.mass / 2600, rel=0.01)


# -- limits ----------------------------------------------------------------------------------------


def test_limits_of_a_box():
    """tan α in the direction f: (b_x |cos f| + b_y |sin f|)/h."""
    body = rs.Body.box(0.4, 0.6, 1.8)
    for f in (0, 15, 45, 60, 90, 200, -30):
        c, s = abs(math.cos(math.radians(f))), abs(math.sin(math.radians(f)))
        assert body.limit(f) == pytest.approx(math.atan((0.2 * c + 0.3 * s) / 0.9))
    assert body.weakest == 0 and body.alpha == body.limit(0)
    assert rs.Body.box(0.6, 0.4, 1.8).weakest == 90
    assert body.corners.tolist() == [[-0.2, -0.3], [0.2, -0.3], [0.2, 0.3], [-0.2, 0.3]]


@given(corners=points, shift=st.tuples(st.floats(-0.3, 0.3), st.floats(-0.3, 0.3)))
def test_the_weakest_direction_is_the_weakest(corners, shift):
    hull = convex_hull(corners)
    if len(hull) < 3 or area(hull) < 0.5:
        return
    try:
        body = rs.Body.prism(hull, 3.0, offset=shift)
    except rs.InputError as error:
        assert "falls without an earthquake" in str(error)
        return
    scan = [body.limit(direction) for direction in range(360)]
    assert body.limit(body.weakest) == pytest.approx(body.alpha, rel=1e-14)
    assert body.alpha <= min(scan) * (1 + 1e-14)
    assert body.reach(20) == support([(x, y) for x, y in body.corners.tolist()], 20)


def test_an_eccentric_cylinder():
    body = rs.Body.cylinder(1.0, 3.0, offset=(0.1, 0.1))
    assert body.weakest == pytest.approx(45) and not body.axisymmetric
    assert math.tan(body.alpha) * 1.5 == pytest.approx(0.5 - math.hypot(0.1, 0.1))
    block = body.block(45)
    assert block.width == pytest.approx(1.0)
    assert block.offset == pytest.approx(math.hypot(0.1, 0.1))
    assert body.corners.shape == (0, 2)


def test_eta_of_the_eccentric_box_of_the_science_notes():
    """science_spatial.md §6: b 0.25, e_x 0.06, h 0.8, b_y 0.2: eta right → left."""
    body = rs.Body.box(0.5, 0.4, 1.6, offset=(0.06, 0.0))
    assert body.block(0).eta_to_left == pytest.approx(0.84025010306445, abs=1e-14)


def test_r_of_cylinders_of_the_science_notes():
    for k, r in ((3, 0.720897116412), (5, 0.887681811584), (8, 0.954335302417)):
        assert rs.Body.cylinder(2.0, 2.0 * k).block(12).r == pytest.approx(r, abs=1e-12)


# -- what is kept, and what is refused -------------------------------------------------------------


def test_numpy_becomes_plain_and_it_hashes():
    corners = np.array(SQUARE, dtype=np.float32)
    body = rs.Body(np.float64(5), np.eye(3), np.array([0, 0, 0.5]), np.int64(2), corners)
    assert body.base == tuple((float(x), float(y)) for x, y in SQUARE)
    assert type(body.mass) is type(body.centre[0]) is type(body.inertia[0][0]) is float
    assert type(body.base[0][0]) is float and "np." not in repr(body)
    again = pickle.loads(pickle.dumps(body))
    assert again == body and hash(again) == hash(body)
    assert dataclasses.replace(body, mass=6).mass == 6
    assert rs.Body(5, (1, 1, 1), (0, 0, 0.5), 2, SQUARE) == body


def test_the_order_of_corners():
    body = rs.Body(1, (1, 1, 1), (0, 0, 0.5), 1, SQUARE[::-1])
    assert area(body.base) == 4.0 and len(body.base) == 4
    more = ((-1, -1), (0, -1), (1, -1), (1, -1), (1, 1e-8), (1, 1), (-1, 1))
    assert len(rs.Body(1, (1, 1, 1), (0, 0, 0.5), 1, more).base) == 4


def test_many_corners_are_reduced_and_said():
    with pytest.warns(
        rs.RocksteadyWarning, match=r"100 corners: .* 32 .* 0\.66 % smaller"
    ) as caught:
        body = rs.Body.prism(solids.circle(1.0, 100), 3.0)
    assert caught[0].filename == __file__
    assert len(body.base) == 32
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rs.Body.prism(solids.circle(1.0, 32), 3.0)


def test_a_reduced_base_keeps_mass_centre_and_inertia():
    outline = solids.circle(1.0, 40)
    with pytest.warns(rs.RocksteadyWarning, match="mass, centre of mass and inertia stay"):
        body = rs.Body.prism(outline, 3.0, taper=0.5, density=1.0)
    whole = solids.prism(outline, 3.0, 0.5)
    assert (body.mass, body.centre, body.inertia) == whole
    assert body.centre[:2] == pytest.approx((0, 0), abs=1e-12)
    assert tensor(body)[0, 1] == pytest.approx(0, abs=1e-12)
    assert len(body.base) == 32 and len(body.shape.vertices) == 80


GOOD = {"mass": 1, "inertia": (1, 1, 1), "centre": (0, 0, 0.5), "height": 1, "base": SQUARE}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"mass": 0}, "mass = 0"),
        ({"mass": math.nan}, "mass = nan"),
        ({"height": -1}, "height = -1"),
        ({"g": math.inf}, "g = inf"),
        ({"base": ()}, "either the corners"),
        ({"radius": 1.0}, "either the corners"),
        ({"base": (), "radius": -2}, "radius = -2"),
        ({"base": SQUARE[:2]}, "at least 3"),
        ({"base": ((0, 0), (1, 1), (2, 2), (3, 3))}, "lie on a line"),
        ({"base": (*SQUARE, (-0.5, 0.2))}, "not convex at"),
        ({"base": ((0, 1), (-0.6, -0.8), (1, 0.3), (-1, 0.3), (0.6, -0.8))}, "crosses|not convex"),
        (
            {"base": ((0, 0), (1, 1), (1, 0), (0, 1))},
            "crosses itself, give the corners in the order",
        ),
        ({"base": (*SQUARE[:3], (math.nan, 1))}, "corner 3"),
        ({"base": "square"}, "no polygon"),
        ({"base": (1, 2, 3)}, "no polygon"),
        ({"inertia": 3}, "3 × 3"),
        ({"inertia": np.ones((2, 2))}, "3 × 3"),
        ({"inertia": (1, 1, math.inf)}, "3 × 3"),
        ({"inertia": ((1.0,), (1.0,), (1.0,))}, "3 × 3"),
        ({"inertia": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))}, "3 × 3"),
        ({"inertia": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, math.inf))}, "3 × 3"),
        ({"inertia": ((1, 0, 0), (0, 1, 0), (0, 0, True))}, "3 × 3"),
        ({"inertia": "abc"}, "3 × 3"),
        ({"inertia": [[1, 0.5, 0], [0.2, 1, 0], [0, 0, 1]]}, "not symmetric"),
        ({"inertia": (1, 1, -1)}, "must be positive"),
        ({"inertia": (1, 1, 0)}, "must be positive"),
        ({"inertia": (1, 1, 3)}, "must not exceed"),
        ({"inertia": [[1, 0.9, 0], [0.9, 1, 0], [0, 0, 3.0]]}, "must not exceed"),
        ({"centre": (0, 0)}, "give \\(x, y, z\\)"),
        ({"centre": (0, 0, math.nan)}, "give \\(x, y, z\\)"),
        ({"centre": (0, 0, 0)}, "between 0 and height"),
        ({"centre": (0, 0, 2)}, "between 0 and height"),
        ({"centre": (0, 0, True)}, "give \\(x, y, z\\)"),
        ({"centre": (1.0 + 4e-7, 0, 0.5)}, "on the edge of the base"),  # by 10⁻⁶ of its height
        ({"centre": (1.0 + 1e-6, 0, 0.5)}, "1e-06 m outside the base"),
        ({"centre": (0, -1.5, 0.5)}, "0.5 m outside the base in the direction -90°|270°"),
        ({"centre": (1.2, 0, 0.5)}, "0.2 m outside the base in the direction 0°"),
        ({"centre": (1.0, 0, 0.5)}, "falls without an earthquake"),
        ({"shape": (1, 2)}, "vertices, faces"),
        ({"shape": (((0, 0, 0),), ((0, 1, 2),))}, "numbers of vertices"),
        ({"shape": (((0, 0, math.inf),), ())}, "finite"),
    ],
)
def test_a_wrong_body_gives_a_sentence(changes, says):
    with pytest.raises(rs.InputError, match=says):
        rs.Body(**(GOOD | changes))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: rs.Body.box(0, 1, 1), "x = 0"),
        (lambda: rs.Body.box(1, "a", 1), "y = 'a'"),
        (lambda: rs.Body.cylinder(1, -1), "height = -1"),
        (lambda: rs.Body.drum(1, -1, 1), "top diameter = -1"),
        (lambda: rs.Body.box(1, 1, 1, density=-1), "density = -1"),
        (lambda: rs.Body.box(1, 1, 1, com_height=0), "com_height = 0"),
        (lambda: rs.Body.box(1, 1, 1, offset=3), "offset = 3"),
        (lambda: rs.Body.box(1, 1, 1, offset=(0, math.nan)), "offset = nan"),
        (lambda: rs.Body.box(1, 1, 1, taper=-0.1), "taper = -0.1"),
        (lambda: rs.Body.box(1, 1, 1).turned(math.nan), "degrees = nan"),
        (lambda: rs.Body.box(1, 1, 1).block("x"), "direction = 'x' degrees"),
        (lambda: rs.Body.box(1, 1, 1).limit(math.nan), "direction = nan degrees"),
        (lambda: rs.Body.box(1, 1, 1).extent(None), "direction = None degrees"),
        (lambda: rs.Body.cylinder(1, 1).reach(math.inf), "direction = inf degrees"),
    ],
)
def test_wrong_sizes_give_a_sentence(make, says):
    with pytest.raises(rs.InputError, match=says):
        make()


def test_a_flat_plate_is_a_body():
    """Its moment about the axis across it is the sum of the others; rounding may add a hair."""
    for hair in (0.0, 1e-15):
        plate = rs.Body(**(GOOD | {"inertia": (1.0, 2.0, 3.0 + hair)}))
        assert plate.mass == 1

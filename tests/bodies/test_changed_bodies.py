"""A changed body is the body that one gets from what was given, with the change."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.analysis.fragilities.tolerances import bodies_within
from rocksteady.bodies import fields_of
from rocksteady.ensembles.layout import study_tables
from rocksteady.ensembles.study import Study

LENGTHS = st.floats(0.1, 9.0)
SHARES = st.floats(-0.4, 0.4)


@dataclasses.dataclass(frozen=True)
class Reinforced(rs.Block):
    """A block of somebody else, with fields of its own."""

    levels: tuple[float, ...] = (0.25, 0.75)
    tie: float | None = None


def _values(kind, **own):
    """Values of a body: the first ones always, each other one given or left out."""
    needed = {name: draw for name, (draw, always) in own.items() if always}
    others = {name: draw for name, (draw, always) in own.items() if not always}
    return st.tuples(st.just(kind), st.fixed_dictionaries(needed, optional=others))


def _blocks(kind, **more):
    return _values(
        kind,
        height=(st.floats(2.0, 9.0), True),
        width=(st.floats(0.5, 9.0), True),
        density=(st.floats(100.0, 9e3), False),
        thickness=(LENGTHS, False),
        offset=(st.floats(-0.2, 0.2), False),
        com_height=(st.floats(0.1, 2.0), False),
        mass=(st.floats(1.0, 1e6), False),
        inertia=(st.floats(1.0, 1e6), False),
        g=(st.floats(1.0, 20.0), False),
        **more,
    )


masses = st.floats(0.5, 1e5)
KINDS = (
    _blocks(rs.Block),
    _blocks(
        Reinforced,
        levels=(st.tuples(LENGTHS, LENGTHS), False),
        tie=(st.floats(0, 1), False),
    ),
    _values(
        rs.FlexibleOscillator,
        height=(LENGTHS, True),
        width=(LENGTHS, True),
        top_mass=(masses, True),
        base_mass=(masses, True),
        column_mass=(masses, True),
        natural_frequency=(LENGTHS, True),
        damping_ratio=(st.floats(0, 0.5), False),
        g=(LENGTHS, False),
    ),
    _values(
        rs.MasonryBuilding,
        **{
            name: (LENGTHS, name != "damping")
            for name in (field.name for field in dataclasses.fields(rs.MasonryBuilding))
        },
    ),
    _values(
        rs.Body,
        mass=(masses, True),
        inertia=(st.tuples(*[st.floats(1.0, 1.9)] * 3), True),
        centre=(st.tuples(SHARES, SHARES, st.floats(0.1, 2.0)), True),
        height=(st.floats(2.0, 9.0), True),
        radius=(st.floats(0.6, 2.0), True),
        g=(LENGTHS, False),
    ),
)  # fmt: skip
BODIES = st.one_of(*KINDS)
TWO_ALIKE = st.one_of(*[st.tuples(kind, kind) for kind in KINDS])


@given(TWO_ALIKE, st.data())
def test_a_changed_body_is_made_of_what_was_given(two, data):
    (kind, values), (_, other) = two
    changes = {name: value for name, value in other.items() if data.draw(st.booleans())}
    changed = dataclasses.replace(kind(**values), **changes)
    made = kind(**(values | changes))
    assert changed == made and hash(changed) == hash(made) and repr(changed) == repr(made)
    assert fields_of(changed) == fields_of(made)
    again = dataclasses.replace(changed, **values)  # and back, where all that changed was given
    if changes.keys() <= values.keys():
        assert repr(again) == repr(kind(**values))


@given(BODIES)
def test_a_copy_can_be_changed_alike(body):
    kind, values = body
    made, height = kind(**values), "mass" if kind is rs.MasonryBuilding else "height"
    wanted = dataclasses.replace(made, **{height: 8.0})
    for one in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert one == made and repr(one) == repr(made)
        changed = dataclasses.replace(one, **{height: 8.0})
        assert changed == wanted and repr(changed) == repr(wanted)


QUADS = st.tuples(LENGTHS, LENGTHS).map(lambda s: (((0.0, 0.0), (s[0], 0.0), s, (0.0, s[1])),))
STONES = _values(
    rs.Stone,
    parts=(QUADS, True),
    density=(st.floats(100.0, 9e3), False),
    thickness=(LENGTHS, False),
    mass=(st.floats(1.0, 1e6), False),
    centre=(st.just((0.05, 0.04)), False),
    inertia=(st.floats(1.0, 1e6), False),
)


@given(STONES, STONES, st.data())
def test_a_changed_stone_is_made_of_what_was_given(stone, other, data):
    values = stone[1]
    changes = {name: value for name, value in other[1].items() if data.draw(st.booleans())}
    changed, made = dataclasses.replace(rs.Stone(**values), **changes), rs.Stone(**values | changes)
    assert changed == made and repr(changed) == repr(made)


@given(QUADS, st.tuples(LENGTHS, LENGTHS), st.floats(-3, 3))
def test_a_moved_stone_is_as_homogeneous_as_it_was(parts, by, angle):
    """Its mass to the last bit; changed afterwards, it follows its outline again."""
    stone = rs.Stone(parts, density=1500.0)
    for moved in (stone.moved(*by), stone.turned(angle), stone.mirrored(), stone.named("a")):
        assert (moved.mass, moved.inertia) == (stone.mass, stone.inertia)
        assert moved.centre == pytest.approx(rs.Stone(moved.parts).centre, abs=1e-12)
        heavy = dataclasses.replace(moved, density=3000.0)
        assert heavy.mass == pytest.approx(2 * stone.mass, rel=1e-12)
        assert heavy.inertia == pytest.approx(2 * stone.inertia, rel=1e-9)
        assert pickle.loads(pickle.dumps(moved)) == moved
    x, y = stone.centre
    assert stone.moved(*by).centre == (x + by[0], y + by[1])
    weighed = rs.Stone(parts, mass=5.0, centre=(0.05, 0.04), inertia=7.0)
    assert weighed.mirrored().centre == (-0.05, 0.04)
    assert weighed.moved(*by).centre == (0.05 + by[0], 0.04 + by[1])
    assert (weighed.turned(angle).mass, weighed.turned(angle).inertia) == (5.0, 7.0)


def test_what_was_left_out_follows_again():
    tall = dataclasses.replace(rs.Block(1.8, 0.5), height=3.6)
    assert (tall.com_height, tall.mass) == (1.8, 2600 * 3.6 * 0.5)
    assert tall.inertia == pytest.approx(tall.mass * (3.6**2 + 0.5**2) / 12)
    assert tall.alpha == pytest.approx(np.arctan(0.25 / 1.8))
    pulse = rs.pulses.mavroeidis(0.9, frequency=0.5, gamma=3)
    assert rs.simulate(tall, pulse).status == rs.Status.OVERTURNED


def test_what_was_given_stays():
    statue = rs.Block(1.8, 0.5, com_height=0.8, mass=450)
    taller = dataclasses.replace(statue, height=3.6)
    assert (taller.com_height, taller.mass) == (0.8, 450)
    assert taller.inertia == pytest.approx(450 * (3.6**2 + 0.5**2) / 12)
    free = dataclasses.replace(statue, com_height=None)
    assert free == rs.Block(1.8, 0.5, mass=450)


def test_a_body_shows_and_tells_what_was_given():
    statue = rs.Block(1.8, 0.5, mass=450)
    assert repr(statue) == (
        "Block(height=1.8, width=0.5, density=2600.0, thickness=1.0, offset=0.0, mass=450.0, "
        "g=9.81)"
    )
    assert eval(repr(statue), {"Block": rs.Block}) == statue
    assert "inertia" not in dataclasses.asdict(statue)
    assert "inertia" in {field.name for field in dataclasses.fields(rs.Block)}
    assert "inertia" not in repr(Reinforced(1.8, 0.5)) and "levels" in repr(Reinforced(1.8, 0.5))
    saved = rs.specs.BodySpec.of(statue)
    assert "com_height" not in saved.described() and repr(saved.build()) == repr(statue)


def test_a_saved_run_has_the_body_that_was_given(tmp_path):
    statue = rs.Block(1.8, 0.5)
    run = rs.simulate(statue, theta0=0.1, duration=0.1)
    read = rs.Response.load(run.save(tmp_path / "run.nc")).system
    assert repr(read) == repr(statue) and dataclasses.replace(read, height=3.6).com_height == 1.8


@given(st.floats(1.0, 1e6), LENGTHS, LENGTHS)
def test_p_of_a_homogeneous_block_does_not_depend_on_its_mass(mass, height, width):
    block = rs.Block(height, width)
    for heavy in (rs.Block(height, width, mass=mass), dataclasses.replace(block, mass=mass)):
        assert heavy.p == pytest.approx(block.p, rel=1e-14) and heavy.alpha == block.alpha
        assert heavy.eta == pytest.approx(block.eta, abs=1e-14)


# -- within tolerances -----------------------------------------------------------------------------


@given(LENGTHS, LENGTHS, st.floats(0.8, 1.25))
def test_a_body_within_tolerances_is_a_changed_body(height, width, factor):
    block = rs.Block(height, width, mass=450)
    for name in ("height", "width", "mass", "com_height"):
        value = min(getattr(block, name) * factor, 4e3 if name == "mass" else height)
        points = np.array([[np.nan], [value]])
        (own, changed), _ = bodies_within(block, rs.Housner(), (name,), points, {name})
        wanted = dataclasses.replace(block, **{name: value})
        for one, other in ((own, block), (changed, wanted)):
            assert (one.right, one.left, one.mass, one.inertia) == (
                other.right, other.left, other.mass, other.inertia)  # fmt: skip


def test_relative_tolerances_are_about_what_the_changed_body_has():
    """5 % of a taller block's centre of mass are 5 % of half its height; two ends are absolute."""
    names, points = ("inertia", "com_height", "height"), np.array([[750.0, 0.99, 3.6]])
    block = rs.Block(1.8, 0.5)
    tall = rs.Block(3.6, 0.5)
    (body,), _ = bodies_within(block, rs.Housner(), names, points, {*names})
    assert body.com_height == pytest.approx(1.1 * 1.8)
    assert body.inertia == pytest.approx(tall.inertia * 750 / block.inertia)
    (body,), _ = bodies_within(block, rs.Housner(), names, points, set())
    assert (body.com_height, body.inertia) == (0.99, 750.0)
    given = rs.Block(1.8, 0.5, com_height=0.9)
    (body,), _ = bodies_within(given, rs.Housner(), names, points, {*names})
    assert body.com_height == 0.99
    low = np.array([[750.0, 0.99, 0.8]])  # a body cannot be lower than its centre of mass
    (body,), _ = bodies_within(given, rs.Housner(), names, low, {*names})
    assert body.com_height == body.height == 0.8


# -- in ensembles ----------------------------------------------------------------------------------


def test_fields_that_are_no_numbers_are_columns_of_text(tmp_path):
    """A tuple would be a second dimension, and None no number."""
    bodies = [Reinforced(1.8, 0.5), Reinforced(1.8, 0.6, levels=(0.5,), tie=2.0)]
    push = rs.pulses.sine(3.6, period=0.9)
    for store in (None, tmp_path / "runs"):
        found = rs.ensemble(bodies, push, store=store, progress=False)
        assert found["levels"].values.tolist() == ["[0.25, 0.75]", "[0.5]"]
        np.testing.assert_array_equal(found["tie"], [np.nan, 2.0])
        plain = rs.ensemble([rs.Block(1.8, 0.5), rs.Block(1.8, 0.6)], push, progress=False)
        np.testing.assert_array_equal(found["peak"], plain["peak"])


@dataclasses.dataclass(frozen=True)
class Noted(rs.Body):
    centre_of_interest: tuple[float, ...] = ()


@dataclasses.dataclass(frozen=True)
class Framed(rs.MasonryBuilding):
    levels: tuple[float, ...] = ()


def test_fields_of_other_bodies_are_columns_too():
    """And part of what tells two studies apart."""
    push = rs.pulses.sine(0.1, period=0.9, dt=0.01)
    house = dataclasses.asdict(rs.MasonryBuilding.casalotti2025(4e4))
    solid = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0), "centre": (0, 0, 0.5), "height": 1}
    pairs = [
        [Noted(**solid, radius=0.2, centre_of_interest=own) for own in ((), (1.0, 2.0))],
        [Framed(**house, levels=own) for own in ((), (1.0, 2.0))],
    ]
    for bodies, name in zip(pairs, ("centre_of_interest", "levels"), strict=True):
        study = [Study.of(one, push) for one in bodies]
        assert study[0].description()["systems"] != study[1].description()["systems"]
        assert study_tables(Study.of(bodies, push))["system"][name][0].tolist() == [
            "[]",
            "[1.0, 2.0]",
        ]

"""What would halve the yearly rate: wider, lower, on a plinth, anchored."""

from __future__ import annotations

import dataclasses
import json
import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.analysis.hazard import Hazard
from rocksteady.analysis.hazard.bodies import on_plinth
from rocksteady.analysis.hazard.measured import Anchor, Measured
from rocksteady.analysis.hazard.measures import _ends, falling, value_reaching
from rocksteady.ensembles.labels import PGA
from rocksteady.motion.floors import Floor

STATUE = rs.Block(height=1.8, width=0.5)
LAW = Hazard.power(level=0.25, rate=1 / 475, k=2.5)


# -- bodies -------------------------------------------------------------------------------------


def test_a_plinth_by_steiner():
    """The statue and pedestal of the questions: two boxes, one body."""
    statue, mass, depth = rs.Block(1.8, 0.5, mass=450), 900.0, 0.6
    both = on_plinth(statue, 0.7, 0.8, density=mass / (0.7 * 0.8 * depth), thickness=depth)
    pedestal = rs.Block(0.8, 0.7, mass=mass)
    rise = 0.8 + 0.9
    centre = (450 * rise + 900 * 0.4) / 1350
    inertia = (
        statue.inertia + 450 * (rise - centre) ** 2
        + pedestal.inertia + 900 * (0.4 - centre) ** 2
    )  # fmt: skip
    assert both.com_height == pytest.approx(centre) and both.inertia == pytest.approx(inertia)
    assert (both.mass, both.height, both.width) == pytest.approx((1350, 2.6, 0.7))


def test_a_plinth_of_the_same_stuff_makes_a_taller_box():
    taller = on_plinth(STATUE, 0.5, 0.2)
    box = rs.Block(2.0, 0.5)
    for name in ("mass", "com_height", "inertia", "height", "width", "alpha", "p"):
        assert getattr(taller, name) == pytest.approx(getattr(box, name))


def test_a_plinth_under_an_eccentric_body():
    """The plinth draws the centre of mass towards its middle; the moments about any axis add up."""
    body = rs.Block(1.8, 0.5, offset=0.1)
    both = on_plinth(body, 0.8, 0.3)
    assert 0 < both.offset < 0.1
    m = both.mass - body.mass
    about_floor = (
        body.inertia + body.mass * ((body.com_height + 0.3) ** 2 + 0.1**2)
        + m * (0.8**2 + 0.3**2) / 12 + m * 0.15**2
    )  # fmt: skip
    assert both.inertia + both.mass * (both.com_height**2 + both.offset**2) == pytest.approx(
        about_floor
    )


# -- which value --------------------------------------------------------------------------------


def test_the_value_that_reaches_a_rate():
    values, rates = np.array([1.0, 2.0, 3.0]), np.array([8.0, 4.0, 1.0])
    assert value_reaching(values, rates, 4.0) == 2.0
    assert value_reaching(values, rates, 2.0) == pytest.approx(2.5)  # straight in ln rate
    assert math.isnan(value_reaching(values, rates, 0.5))
    assert value_reaching(values, rates, 9.0) == 1.0
    assert value_reaching(values, np.array([8.0, 4.0, 0.0]), 2.0) == 3.0


def test_a_dip_is_not_taken_for_an_answer():
    """Rates that rise again are smoothed: the dip at 2 does not halve the rate, 4 does."""
    values = np.array([1.0, 2.0, 3.0, 4.0])
    rates = np.array([10.0, 4.9, 9.0, 3.0])
    assert falling(rates) == pytest.approx([10.0, 6.95, 6.95, 3.0])
    assert 3.0 < value_reaching(values, rates, 5.0) < 4.0


@pytest.mark.parametrize("rates", [[8.0, 4.0, 1.0], [8.0, 9.0, 1.0], [8.0, 4.0, 4.0]])
def test_rates_that_rise_are_told(rates):
    measured = Measured(
        "plinth", "", "", "m", np.array([0.5, 0.7, 0.9]), np.array(rates), np.zeros((2, 3)), 5.0,
        0.7, (0.6, math.inf),
    )  # fmt: skip
    said = measured.sentence(0.5, 0.9)
    assert said.startswith("A plinth of 0.700 m halves the rate (90 %: 0.600 to beyond what was")
    assert ("do not fall evenly" in said) is (rates[1] > rates[0])
    nothing = dataclasses.replace(measured, reaches=math.nan).sentence(0.5, 0.9)
    assert "No plinth from 0.500 to 0.900 m halves the rate" in nothing
    assert nothing.endswith(f"leaves {100 * min(rates) * 0.5 / 5:.0f} % of it.")


@given(st.lists(st.floats(0.0, 10.0), min_size=1, max_size=9))
def test_evened_rates_never_rise_and_keep_their_sum(rates):
    even = falling(np.array(rates))
    assert (np.diff(even) <= 1e-12).all() and even.sum() == pytest.approx(sum(rates), abs=1e-9)
    if (np.diff(rates) <= 0).all():
        assert even.tolist() == rates


# -- all the way --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def motions():
    shaking = rs.stochastic.Parameters(1.0, 10.0, 6.0, 2.0, -0.05, 0.3)
    return rs.stochastic.ensemble(30, 3, shaking)


@pytest.fixture(scope="module")
def found(motions):
    tries = {"width": [0.5, 0.55, 0.6, 0.7], "com_height": [0.9, 0.8, 0.7, 0.6],
             "plinth": [0.5, 0.6, 0.8]}  # fmt: skip
    return rs.analysis.measures(STATUE, motions, LAW, tries=tries, levels=20, progress=False)


def test_what_halves_the_rate_of_a_statue(found, tmp_path):
    width, lower, plinth = found.tried
    assert width.rates[0] == lower.rates[0] == found.base.rate  # the statue itself, run once
    assert (np.diff(width.rates) < 0).all() and (np.diff(lower.rates) < 0).all()
    assert 0.55 < width.reaches < 0.65 and width.interval[0] < width.reaches < width.interval[1]
    assert lower.values[0] > lower.values[-1] and 0.6 < lower.reaches < 0.85
    assert plinth.rates[0] > found.base.rate  # as wide as the statue: only higher
    assert 0.5 < plinth.reaches < 0.8
    text = found.sentences
    assert text[0].startswith(f"A width of {width.reaches:.3f} m halves the rate (90 %: ")
    assert "fixed plinth of the same density, 0.20 m high, with a width of" in text[2]
    json.dumps(found.summary(), allow_nan=False)
    found.plot(tmp_path / "measures.svg")
    assert (tmp_path / "measures.svg").stat().st_size > 10_000


def test_the_interval_holds_the_width_that_halves(found, motions):
    """Run the statue at both ends of the interval: the rate is above half, then below it."""
    ends = [rs.Block(1.8, width) for width in found.tried[0].interval]
    levels = found.base.stripes.levels
    runs = rs.analysis.stripes.stripes_of(ends, motions, levels=levels, progress=False)
    narrow, wide = (rs.analysis.risk(one, LAW).rate for one in runs)
    assert narrow > found.base.rate / 2 > wide


def test_when_nothing_tried_does_it_that_is_said(motions):
    found = rs.analysis.measures(
        STATUE, motions, LAW, tries={"width": [0.5, 0.51]}, levels=12, progress=False
    )
    assert math.isnan(found.tried[0].reaches)
    left = 100 * found.tried[0].rates.min() / found.base.rate
    assert found.sentences[0].startswith("No width from 0.500 to 0.510 m halves the rate: the best")
    assert f"leaves {left:.0f} %" in found.sentences[0]
    assert found.summary()["tried"][0]["reaches"] is None


def test_an_anchor_by_statics(found):
    """At the level it holds to, the moments of the inertia force, the weight and the pull at the
    other edge are in balance; half of the rate lies above that level."""
    anchor, body = found.anchor, STATUE
    force = body.mass * anchor.holds_to * PGA.si
    assert force * body.com_height == pytest.approx(
        body.mass * body.g * body.width / 2 + anchor.pull * body.width
    )
    parts = found.base.contributions
    above = parts.beyond + parts.rates[parts.edges[:-1] >= anchor.holds_to].sum()
    assert above <= found.base.rate / 2 <= above + parts.rates.max()
    assert "Anchors at the edges of the base that hold to PGA" in found.sentences[-1]


def test_an_anchor_on_a_floor_bears_the_floor_s_acceleration(motions):
    floor = Floor(period=0.4, storeys=4)
    found = rs.analysis.measures(
        STATUE, motions, LAW, tries=("width",), levels=8, floor=floor, progress=False
    )
    anchor = found.anchor
    ratio = np.median([floor.motion(motion).pga / motion.pga for motion in motions])
    assert anchor.amplification == ratio > 1
    force = STATUE.mass * anchor.holds_to * ratio * PGA.si
    assert force * STATUE.com_height == pytest.approx(
        STATUE.mass * STATUE.g * STATUE.width / 2 + anchor.pull * STATUE.width
    )
    assert "times as much on the floor" in found.sentences[-1]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"tries": ("depth",)}, "'depth' cannot be tried: there are width, com_height, plinth"),
        ({"tries": {"width": [0.5]}}, "give two or more sizes above zero"),
        ({"tries": {"width": [0.5, -1]}}, "give two or more sizes above zero"),
        ({"factor": 1.5}, "factor = 1.5 is not allowed"),
    ],
)
def test_nonsense_is_refused(motions, change, why):
    with pytest.raises(rs.InputError, match=why):
        rs.analysis.measures(STATUE, motions, LAW, progress=False, **change)


def test_only_blocks_can_be_changed(motions):
    house = rs.MasonryBuilding.casalotti2025(4e4)
    with pytest.raises(
        rs.InputError, match="A MasonryBuilding has no height that could be changed"
    ):
        rs.analysis.measures(house, motions, LAW, progress=False)


@pytest.mark.parametrize(("level", "ends"), [(0.9, (5, 95)), (0.5, (25, 75)), (0.0, (50, 50))])
def test_between_which_values_a_goal_is_reached(level, ends):
    """Resample k has rates that halve at (k + 1)/101 of the way; one that never halves lies beyond
    all values, and one that begins with no rate is left out."""
    at = np.arange(1, 102) / 101
    every = np.stack([np.ones(101), np.ones(101), 0.5 ** (1 / at)])
    kind = SimpleNamespace(smaller_is_better=False)
    found = _ends(kind, np.array([0.0, 1.0]), every, 0.5, level)
    assert found == pytest.approx([at[k] for k in ends], rel=1e-9)
    none = np.concatenate([every, np.zeros((3, 9))], axis=1)
    assert _ends(kind, np.array([0.0, 1.0]), none, 0.5, level) == pytest.approx(found)
    never = np.ones((3, 101))
    assert _ends(kind, np.array([0.0, 1.0]), never, 0.5, level) == (math.inf, math.inf)
    kind.smaller_is_better = True
    assert _ends(kind, np.array([0.0, 1.0]), never, 0.5, level) == (-math.inf, -math.inf)


@pytest.mark.parametrize(("factor", "said"), [(0.5, "leave half of"), (0.25, "leave 25 % of")])
def test_what_anchors_leave(factor, said):
    text = Anchor(holds_to=0.42, pull=5300.0).sentence(factor)
    assert said in text and "hold to PGA 0.42 g, a pull of 5.3 kN at the edge" in text
    floor = Anchor(holds_to=0.42, pull=5300.0, amplification=2.5).sentence(factor)
    assert "PGA 0.42 g (2.50 times as much on the floor, the median), a pull" in floor

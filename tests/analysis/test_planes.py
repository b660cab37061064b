"""A body in space beside its shadows in planes: the numbers, the sentences and their limits."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.planes import lifting, plane_at, rocks_flat, verdict

SQUARE = rs.Body.box(0.45, 0.45, 1.8)
LONG = rs.Body.box(0.45, 0.9, 1.8)
T = np.arange(0, 5, 0.01)
BOTH = rs.Motion(3.2 * np.sin(8 * T), 0.01, transverse=3.2 * np.sin(6 * T))


def sentences(body, motion):
    return " ".join(rs.compare(body, motion).sentences)


def test_a_plane_sees_the_component_along_it():
    turned = BOTH.turned(30.0)
    plane = plane_at(SQUARE, BOTH, 30.0)
    assert (plane.motion.accel == turned.accel).all() and plane.motion.transverse is None
    assert plane.block.alpha == pytest.approx(SQUARE.limit(30.0))


def test_lift_off_counts_the_vertical_component_and_both_sides():
    """At a = g tan α it is 1; where the ground falls away by half of g, at half of that."""
    at = SQUARE.g * 0.25
    push = rs.Motion([0.0, at, 0.0], 0.01)
    assert lifting(SQUARE, push, 0.0) == pytest.approx(1.0)
    assert lifting(SQUARE, push, 90.0) == 0.0
    assert lifting(SQUARE, push.with_vertical([0, -SQUARE.g / 2, 0]), 0.0) == pytest.approx(2.0)
    aside = rs.Body.box(0.45, 0.45, 1.8, offset=(0.045, 0.0))  # nearer to the edge at +x
    assert lifting(aside, push.scaled(-1), 0.0) == pytest.approx(0.225 / 0.18)
    assert lifting(aside, push, 0.0) == pytest.approx(0.225 / 0.27)


def test_in_one_component_the_plane_is_enough_and_equal():
    motion = BOTH.with_transverse(None)
    found = rs.compare(SQUARE, motion)
    names = [entry.name for entry in found]
    assert names == ["Body in space", "plane along x", "plane along y"]
    peaks = [entry.response.peak for entry in found]
    assert peaks[0] == pytest.approx(peaks[1], abs=1e-6) and peaks[0] > 0.1
    assert "plane along x is enough" in found.sentences[0]
    assert "here 0.00" in found.sentences[-1]


def test_weak_shaking_across_does_not_matter():
    """The long side needs 0.5 g: 0.33 g along it is 0.65 of that."""
    said = sentences(LONG, BOTH)
    assert "Here the plane along x is enough" in said and "here 0.65" in said


def test_the_rule_needs_edges_to_rock_about():
    hexagon = rs.Body.prism([(np.cos(a), np.sin(a)) for a in np.arange(6) * np.pi / 3], 6.0)
    assert rocks_flat(SQUARE, 0.0) and rocks_flat(hexagon, 90.0)
    assert not rocks_flat(hexagon, 0.0) and not rocks_flat(SQUARE, 45.0)


def polygon(corners):
    angles = (np.arange(corners) + 0.5) * 2 * np.pi / corners  # with edges across x and y
    out = 0.225 / np.cos(np.pi / corners)
    return rs.Body.prism([(out * np.cos(a), out * np.sin(a)) for a in angles], 1.8)


@pytest.mark.parametrize("corners", [8, 32])
def test_the_rules_of_rectangles_are_not_told_of_other_bases(corners):
    """Such bases fall in space where the plane along x stands, though y stays below 0.8 and though
    they have edges across x and y."""
    body, weak = polygon(corners), BOTH.scaled(0.7)
    assert rocks_flat(body, 0.0) and rocks_flat(body, 90.0)
    for motion in (BOTH.with_transverse(0.5 * BOTH.transverse), weak):
        rule = rs.compare(body, motion).sentences[-1]
        assert "a plane is not enough for this base" in rule and "much like a round one" in rule
    beside = rs.compare(SQUARE.turned(30.0), weak).sentences[-1]
    assert "rectangles with sides along x and y" in beside and "round" not in beside


def run(system, motion, formulation, peak, fell=False):
    """A response with this outcome, as `verdict` asks for it."""
    return SimpleNamespace(
        system=system, motion=motion, formulation=formulation, peak=peak, fell=fell,
        walked=0.0, turned=0.0,
    )  # fmt: skip


@pytest.mark.parametrize("fell", [True, False])
def test_no_rule_says_the_opposite_of_this_run(fell):
    """Where the plane was not enough, it is not called enough as a rule."""
    motion = BOTH.with_transverse(None)
    plane = plane_at(SQUARE, motion, 0.0)
    beside = [(plane, run(plane.block, plane.motion, rs.Housner(), 0.3))]
    here, rule = verdict(run(SQUARE, motion, rs.Spatial(), 0.9, fell), beside)
    assert ("a plane is not enough" if fell else "3 times as far") in here
    assert "is enough" not in rule and "how often a body falls" in rule
    same = verdict(run(SQUARE, motion, rs.Spatial(), 0.3), beside)
    assert "As a rule the plane along x is enough" in same[-1]


def test_the_planes_of_a_body_that_slides_slide_too():
    push = rs.pulses.sine(amplitude=4.0, period=0.7)
    found = rs.compare(rs.Body.box(0.45, 0.6, 1.8), push, friction=0.15)
    space, along, across = found.rows()
    assert found["plane along x"].response.formulation == rs.Nonsmooth(friction=0.15)
    assert space["moved"] == pytest.approx(along["moved"], rel=1e-3) and space["moved"] > 0.01
    assert across["moved"] == 0.0
    said = " ".join(found.sentences)
    assert f"It moves {1e3 * space['moved']:.1f} mm over the floor." in said
    assert "walks" not in said and "There is no rule for bodies that may slide" in said
    assert "moved [mm]" in str(found) and f"{1e3 * space['moved']:.2f}" in str(found)
    block = rs.compare(rs.Block(1.8, 0.45), push, friction=0.15)
    assert "slide [mm]" in str(block)


def test_a_response_tells_how_far_a_body_in_space_slid():
    push = rs.pulses.sine(amplitude=4.0, period=0.7)
    slid = rs.simulate(SQUARE, push, rs.Spatial(friction=0.15))
    assert slid.slide == slid.walked == slid.slide_history[-1] > 0.01
    assert slid.slide_history[0] == 0.0
    assert rs.simulate(SQUARE, BOTH).slide == 0.0  # it walks, and cannot slide
    data = rs.ensemble(SQUARE, [push], rs.Spatial(friction=0.15), progress=False)
    assert "walked" in data and "slide" not in data


def test_arrows_are_explained_where_there_are_some():
    """A body in space falls in no direction of the plane: its row has a word instead."""
    strong = rs.pulses.sine(amplitude=6.0, period=0.9)
    assert "→ ←" in str(rs.compare(SQUARE, strong))
    alone = str(rs.compare(SQUARE, strong, {"mine": rs.Spatial()}))
    assert "→ ←" not in alone and "falls … s: the time" in alone


def test_walking_is_told():
    said = rs.compare(SQUARE, BOTH).sentences
    assert any("which no plane can show" in sentence for sentence in said)
    assert "walks" not in sentences(SQUARE, BOTH.with_transverse(None))


def test_the_weakest_plane_is_beside_x_and_y_where_it_is_another():
    body = SQUARE.turned(30.0)
    found = rs.compare(body, BOTH)
    assert [entry.name for entry in found][-1] == "plane at 30°"


def test_a_body_that_is_let_go_is_compared_in_the_plane_of_its_lean():
    found = rs.compare(SQUARE, theta0=0.1, direction=90.0, until=3.0)
    space, plane = (entry.response for entry in found)
    assert space.impacts.time[0] == pytest.approx(plane.impacts.time[0], abs=1e-9)
    assert found["plane along y"].plane.direction == 90.0


def test_one_that_falls_in_space_only_is_called_so():
    strong = [BOTH.scaled(scale) for scale in np.linspace(1.0, 1.6, 13)]
    found = [rs.compare(SQUARE, motion) for motion in strong]
    fell = [tuple(entry.response.fell for entry in one) for one in found]
    apart = [one for one, (space, *planes) in zip(found, fell, strict=True) if space != any(planes)]
    assert apart, fell
    assert all("a plane is not enough" in one.sentences[0] for one in apart)
    assert "falls" in str(apart[0])


def test_chosen_formulations_have_no_planes():
    found = rs.compare(SQUARE, BOTH, {"mine": rs.Spatial()})
    assert len(found.entries) == 1 and found.sentences == []


def test_walked_and_turned_are_for_bodies_in_space():
    response = rs.simulate(rs.Block(1.8, 0.45), BOTH.with_transverse(None))
    for name in ("walked", "turned"):
        with pytest.raises(rs.InputError, match="for bodies in space"):
            getattr(response, name)


def test_an_ensemble_keeps_where_each_body_stands():
    """The same numbers as a run alone; what a state alone cannot say is nan."""
    scales = [0.5, 1.0, 2.0]
    data = rs.ensemble([SQUARE, LONG], [BOTH, BOTH.turned(90)], scales=scales, progress=False)
    motions = BOTH, BOTH.turned(90)
    each = product(enumerate((SQUARE, LONG)), enumerate(motions), enumerate(scales))
    for (i, body), (j, motion), (k, scale) in each:
        run, alone = data.isel(system=i, motion=j, scale=k), rs.simulate(body, motion.scaled(scale))
        assert (float(run.walked), float(run.turned)) == (alone.walked, alone.turned)
        assert float(run["mode"]) == alone.column("mode")[-1]
        assert bool(run.fell) == (not np.isnan(float(run.heading)))


def test_walking_is_measured_at_the_base_not_at_the_centre_of_mass():
    """A body that only turned about the middle of its base has not walked, wherever its mass is."""
    from rocksteady.theories.spatial import places

    body = rs.Body.box(0.45, 0.6, 1.8, offset=(0.05, 0.02))
    how, angle = rs.Spatial(), 0.3
    state = np.array(how.start(body))
    c, s = np.cos(angle), np.sin(angle)
    state[6:9] = c, -s, 0.0  # the ground's x axis as the turned body sees it
    x, y = body.base[0]
    state[12:14] = c * x - s * y, s * x + c * y
    assert places.walked(body, state) == pytest.approx(0.0, abs=1e-15)
    assert places.facing(state) == pytest.approx(angle)
    assert np.hypot(*(places.centre(body, state)[:2] - body.centre[:2])) > 0.01

"""Pictures of a body that rolls on its rim, from states made by hand: steady precession."""

from __future__ import annotations

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.view.animation import Timeline
from rocksteady.view.space import plot_response
from rocksteady.view.space.scene import Scene
from rocksteady.view.space.track import Track

DRUM = rs.Body.cylinder(0.45, 1.8)
TILT, TURNS, DT = 0.1, 2.0, 0.01


@pytest.fixture(scope="module")
def wobbling() -> rs.Response:
    """It leans by a constant tilt in a direction that goes around, on the circle it stood on."""
    how, count = rs.Spatial(), 301
    around = np.linspace(0, 360 * TURNS, count)
    states = np.array([how.leaning(DRUM, TILT, float(direction)) for direction in around])
    return rs.Response(
        DRUM, rs.Motion.zeros(3.0, DT), how, states, np.zeros((0, 5)), rs.Status.MOVING
    )


def test_its_contact_goes_around_the_circle_it_stood_on(wobbling):
    track = Track.of(wobbling)
    np.testing.assert_allclose(np.hypot(*track.pivot.T), 0.225, rtol=1e-12)
    np.testing.assert_allclose(track.lean, TILT / DRUM.limit(0), rtol=1e-12)
    base = np.array([[0.225 * np.cos(a), 0.225 * np.sin(a), -0.9] for a in np.arange(0, 6.3, 0.01)])
    for k in (0, 77, 300):
        points = track.place(base, k)
        assert points[:, 2].min() == pytest.approx(0, abs=1e-6)
        lowest = points[np.argmin(points[:, 2]), :2]
        np.testing.assert_allclose(lowest, track.foot(base, k)[0], atol=2e-3)


def test_the_plan_shows_the_way_of_the_contact(wobbling):
    fig = plot_response(wobbling)
    plan, lean = fig.axes[3], fig.axes[4]
    circles = [line.get_xydata() for line in plan.get_lines() if len(line.get_xdata()) == 301]
    assert any(np.allclose(np.hypot(*circle.T), 225) for circle in circles)
    paths = [line.get_xydata() for line in lean.get_lines() if len(line.get_xdata()) == 301]
    np.testing.assert_allclose(np.hypot(*paths[0].T), np.degrees(TILT), rtol=1e-9)


def test_a_fast_contact_runs_along_the_rim_and_is_broken_where_it_jumps():
    how, towards = rs.Spatial(), (0.0, 70.0, 140.0, 320.0, 300.0)
    states = np.array([how.leaning(DRUM, TILT, direction) for direction in towards])
    motion = rs.Motion.zeros(1.0, DT)
    run = rs.Response(DRUM, motion, how, states, np.zeros((0, 5)), rs.Status.MOVING)
    lines = plot_response(run).axes[3].get_lines()
    way = max((line.get_xydata() for line in lines), key=len)
    gaps = np.isnan(way).any(axis=1)
    assert gaps.sum() == 1  # from 140° to 320°, across the base
    assert np.hypot(*way[~gaps].T) == pytest.approx(225, rel=1e-3)
    steps = np.hypot(*np.diff(way, axis=0).T)
    assert np.nanmax(steps) < 225 * np.radians(4.1)


def test_its_film_is_the_same_picture_after_a_whole_turn_but_for_words(wobbling):
    scene = Scene(wobbling, Timeline.of(wobbling, 100, 1.0, None), 240)
    one, two = scene.frame(0).copy(), scene.frame(150).copy()
    left, right = scene.size[0] // 4, scene.size[0] * 7 // 10
    top, bottom = scene.size[1] // 4, scene.size[1] // 2
    part = slice(top, bottom), slice(left, right)
    different = (one[part] != two[part]).any(axis=2).mean()
    assert different < 0.02  # the tail behind the centre
    assert "on its rim" in scene.state.get_text()

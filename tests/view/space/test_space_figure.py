"""The figure of a response in space: every panel with units, words that do not overlap."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.view.space import plot_response
from rocksteady.view.space.plan import base_of
from rocksteady.view.space.track import Track

CASES = (
    "stands", "falls", "does not move", "released", "cut short", "one component", "lopsided",
)  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_five_panels_with_units_and_something_in_each(case, responses):
    fig = plot_response(responses[case])
    assert len(fig.axes) == 5
    ground, tilt, yaw, plan, lean = fig.axes
    assert ground.get_ylabel() == "acceleration [g]" and tilt.get_ylabel() == "tilt θ/α [–]"
    assert yaw.get_xlabel() == "time [s]" and yaw.get_ylabel() == "yaw [°]"
    for axes in (plan, lean):
        assert axes.get_xlabel().endswith("]") and axes.get_ylabel().endswith("]")
    for axes in fig.axes:
        limits = [*axes.get_xlim(), *axes.get_ylim()]
        assert np.isfinite(limits).all() and limits[0] < limits[1] and limits[2] < limits[3]
        assert axes.get_lines()
    assert fig.get_size_inches()[0] * 25.4 == pytest.approx(170)


@pytest.mark.parametrize("case", CASES)
def test_titles_and_notes_do_not_overlap(case, responses):
    fig = plot_response(responses[case])
    fig.draw_without_rendering()
    for axes in fig.axes:
        title = axes._left_title.get_window_extent()  # type: ignore[attr-defined]
        for box in axes.artists:
            assert not title.overlaps(box.get_window_extent()), axes.get_title(loc="left")
            assert box.get_window_extent().x1 <= fig.bbox.x1 + 1


def test_every_component_that_shakes_it_is_drawn(responses):
    motion = responses["stands"].motion
    drawn = plot_response(responses["stands"]).axes[0].get_lines()[1:]
    assert len(drawn) == 3
    for line, accel in zip(drawn, (motion.accel, motion.transverse, motion.vertical), strict=True):
        np.testing.assert_allclose(line.get_ydata() * 9.80665, accel, rtol=1e-12)
    assert len(plot_response(responses["one component"]).axes[0].get_lines()) == 2


def test_the_plan_is_to_scale_and_shows_the_base_at_start_and_end(responses):
    response = responses["stands"]
    plan = plot_response(response).axes[3]
    assert plan.get_aspect() == 1
    track, base = Track.of(response), base_of(response.system)
    shapes = [patch.get_xy()[:4] for patch in plan.patches]
    for wanted in (track.place(base, 0), track.place(base, len(track) - 1)):
        assert any(np.allclose(shape, 1e3 * wanted[:, :2], atol=1e-6) for shape in shapes)
    sides = np.linalg.norm(np.diff(shapes[0], axis=0), axis=1)
    np.testing.assert_allclose(sides, [450, 600, 450], rtol=1e-3)  # it stands, nearly


def test_the_plan_numbers_the_corners_by_which_a_fall_is_told():
    response = rs.simulate(rs.Body.box(0.45, 0.6, 1.8), theta0=0.2, direction=40.0, until=0.5)
    plan = next(a for a in plot_response(response).axes if "Plan" in a.get_title(loc="left"))
    numbers = {text.get_text(): text.xy for text in plan.texts if text.get_text().isdigit()}
    assert list(numbers) == ["0", "1", "2", "3"]
    corners = np.array([numbers[k] for k in "0123"])
    assert (np.sign(corners) == np.sign(response.system.corners)).all()  # it leans from the first


def test_of_a_fall_the_plan_shows_the_way_up_to_the_balance_point(responses):
    track = Track.of(responses["falls"])
    shown = track.standing
    assert track.lean[shown][-1] <= 1 < track.lean[shown.stop]
    assert (track.lean[shown.stop :] > 1).all()
    texts = [text.get_text() for text in plot_response(responses["falls"]).axes[1].texts]
    assert any(text.startswith("falls over ") for text in texts)


def test_the_balance_line_is_the_limit_of_the_body(responses):
    body = responses["stands"].system
    lean = plot_response(responses["stands"]).axes[4]
    (dashed,) = [line for line in lean.get_lines() if len(line.get_xdata()) == 361]
    radius = np.hypot(*np.radians(dashed.get_xydata()).T)
    np.testing.assert_allclose(radius, [body.limit(one) for one in range(361)], rtol=1e-12)


def test_the_path_of_the_tilt_reaches_the_peak(responses):
    """Tilt over the limit in its direction, from the drawn path, is the peak of the response."""
    response = responses["stands"]
    x, y = Track.of(response).lowered.T
    limit = [response.system.limit(one) for one in np.degrees(np.arctan2(y, x))]
    assert (np.hypot(x, y) / limit).max() == pytest.approx(response.peak, rel=2e-3)


def test_modes_fill_the_band_below_the_tilt(responses):
    response = responses["stands"]
    axes = plot_response(response).axes[1]
    spans = np.concatenate(
        [[path.get_extents().intervalx for path in band.get_paths()] for band in axes.collections]
    )
    assert (spans[:, 1] - spans[:, 0]).sum() == pytest.approx(response.time[-1])


@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_a_figure_is_saved_as(suffix, start, responses, tmp_path):
    path = tmp_path / f"figure.{suffix}"
    responses["stands"].plot(path)
    assert path.read_bytes().startswith(start)
    with pytest.raises(rs.InputError, match=r"\.png, \.svg or \.pdf"):
        responses["stands"].plot(tmp_path / "figure.bmp")


def test_a_run_that_failed_is_drawn_as_far_as_it_went(responses):
    response = responses["stands"]
    states = response.states.copy()
    states[300:] = np.nan
    broken = dataclasses.replace(response, states=states, status=rs.Status.FAILED)
    assert len(Track.of(broken)) == 300
    assert len(plot_response(broken).axes) == 5


def test_a_planar_response_has_no_figure_in_space():
    with pytest.raises(rs.InputError, match="moves a Block in a plane"):
        plot_response(rs.simulate(rs.Block(1.8, 0.5), theta0=0.1))

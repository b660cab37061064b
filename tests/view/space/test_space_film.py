"""Films of a body in space: where it is in them, how long they last, what they say."""

from __future__ import annotations

import math
from types import SimpleNamespace

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

import rocksteady as rs
from rocksteady.theories.spatial.state import EDGE, REST, VERTEX
from rocksteady.view.animation import Timeline
from rocksteady.view.space import animate, still
from rocksteady.view.space.plan import base_of
from rocksteady.view.space.scene import Scene
from rocksteady.view.space.track import Track
from rocksteady.view.space.words import doing, reading, signed

CASES = (
    "stands", "falls", "does not move", "released", "cut short", "one component", "lopsided",
)  # fmt: skip


def scene_of(response: rs.Response, width: int = 240) -> Scene:
    return Scene(response, Timeline.of(response, 20, None, None), width)


# -- where it is ----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_the_corner_it_turns_about_lies_on_the_floor_and_no_other_below(case, responses):
    response = responses[case]
    track, base = Track.of(response), base_of(response.system)
    ways = track.paths(base)
    assert ways[:, :, 2].min() > -1e-9
    for k in range(0, len(track), 7):
        foot = track.foot(base, k)
        assert len(foot) == {REST: 0, EDGE: 2, VERTEX: 1}[track.mode[k]]
        if len(foot):
            at = ways[k, track.corner[k]]
            np.testing.assert_allclose(at, [*track.pivot[k], 0.0], atol=1e-9)
            np.testing.assert_allclose(foot[0], at[:2], atol=1e-9)


def test_between_samples_a_body_stays_rigid(responses):
    response = responses["falls"]
    times = np.linspace(0, response.time[-1], 777)
    track = Track.of(response, times)
    eye = np.einsum("kij,klj->kil", track.turn, track.turn)
    np.testing.assert_allclose(eye, np.broadcast_to(np.eye(3), eye.shape), atol=1e-12)
    assert np.linalg.det(track.turn) == pytest.approx(np.ones(777))
    np.testing.assert_allclose(np.cos(track.tilt), track.turn[:, 2, 2], atol=1e-3)


def test_released_towards_30_degrees_it_leans_towards_30_degrees(responses):
    track = Track.of(responses["released"])
    leans = track.lowered[0]
    assert np.hypot(*leans) == pytest.approx(0.1)
    assert math.degrees(math.atan2(leans[1], leans[0])) == pytest.approx(30)
    top = track.turn[0] @ [0, 0, 1]
    assert math.degrees(math.atan2(top[1], top[0])) == pytest.approx(30)


def test_a_fallen_body_lies_on_the_floor(responses):
    scene = scene_of(responses["falls"])
    points = scene.track.place(scene.mesh.vertices, len(scene) - 1)
    assert points[:, 2].min() == pytest.approx(0, abs=2e-3)
    assert (points[:, 2] < 0.02).sum() >= 2
    assert points[:, 2].max() < 0.8


# -- pictures -------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_every_picture_shows_the_body_inside_it(case, responses):
    scene = scene_of(responses[case], 160)
    for k in np.linspace(0, len(scene) - 1, 5).astype(int):
        picture = scene.frame(int(k))
        assert picture.shape == (128, 160, 4)
        pixels = scene._pixels(scene.track.place(scene.mesh.vertices, int(k)))
        assert (pixels >= 0).all() and (pixels <= scene.size).all()
        inked = (picture[..., :3].astype(int).sum(axis=2) < 600).mean()
        assert 0.02 < inked < 0.5


def test_only_what_moves_changes_and_nothing_stays_behind(responses):
    scene = scene_of(responses["stands"])
    middle = len(scene) // 2
    one, two = scene.frame(middle).copy(), scene.frame(middle + 1).copy()
    changed = (one != two).any(axis=2)
    assert 0 < changed.mean() < 0.35
    assert (scene.frame(middle) == one).all()


def test_words_tell_what_happens_and_how_it_ended(responses):
    scene = scene_of(responses["falls"])
    said, readings = [], []
    for k in range(len(scene)):
        scene._move(k)
        said.append(scene.state.get_text())
        readings.append(scene.reading.get_text())
    assert said[0] == "at rest" and readings[0] == "tilt 0.0° = 0.00 α     yaw 0.0°"
    assert any(text.startswith("on a corner") for text in said)
    assert any(text.startswith("beyond its balance point") for text in said)
    assert said[-1].startswith("overturns over ") and "towards" in said[-1]
    assert f", past balance at {responses['falls'].fall.time:.3g} s, " in said[-1]
    assert readings[-1].startswith("tilt 90.0° = ") and "yaw" not in readings[-1]


@pytest.mark.parametrize("impacts", [0, 1, 7])
@pytest.mark.parametrize("has_impacts", [True, False])
def test_what_a_body_does_at_a_time(impacts, has_impacts):
    track = SimpleNamespace(
        tilt=np.radians([0.0, 5.04, 40.0]), yaw=np.radians([0.04, -12.34, 9.0]),
        lean=np.array([0.0, 1.0, 1.01]), mode=[0, 2, 2],
    )  # fmt: skip
    run = SimpleNamespace(formulation=SimpleNamespace(has_impacts=has_impacts))
    count = {0: "", 1: ", 1 impact", 7: ", 7 impacts"}[impacts] if has_impacts else ""
    assert [doing(run, track, k, impacts) for k in range(3)] == [
        f"at rest{count}",
        f"on a corner{count}",
        f"beyond its balance point{count}",
    ]
    assert [reading(track, k) for k in range(3)] == [
        "tilt 0.0° = 0.00 α     yaw 0.0°",
        "tilt 5.0° = 1.00 α     yaw −12.3°",
        "tilt 40.0° = 1.01 α",
    ]
    assert [signed(x) for x in (0.05001, -0.05001, -0.04, 3.0)] == ["+0.1", "−0.1", "0.0", "+3.0"]


def test_both_views_of_a_fall_show_the_same_corner(responses):
    scene = scene_of(responses["falls"])
    for k in (len(scene) - 1, len(scene) // 2):
        scene._move(k)
        foot = np.column_stack([scene.inset.pivot.get_xydata(), [0.0]])
        assert scene.pivot.get_xydata() == pytest.approx(scene.camera.project(foot))
        assert scene.inset.outline.get_xy()[:4] == pytest.approx(
            scene.track.place(scene.base, k)[:, :2]
        )


def test_a_body_that_stands_says_how_far_it_walked_and_turned(responses):
    response = responses["stands"]
    scene = scene_of(response)
    scene._move(len(scene) - 1)
    text = scene.state.get_text()
    x, y = response.column("x")[-1], response.column("y")[-1]  # it stands upright
    assert f"moved {1e3 * math.hypot(x, y):.3g} mm" in text
    assert f"{abs(math.degrees(response.column('yaw')[-1])):.1f}°" in text


def test_the_arrow_points_where_the_ground_accelerates(responses):
    response = responses["stands"]
    scene = scene_of(response)
    k = int(np.argmax(np.hypot(*scene.push[:, :2].T)))
    assert np.hypot(*scene.push[:, :2].T).max() <= 1 + 1e-12
    scene._move(k)
    tip = scene.camera.on_floor(scene.dial.arrow.get_xy()[3]) - scene.dial_at
    np.testing.assert_allclose(tip / scene.dial_radius, scene.push[k, :2], atol=1e-9)
    motion = response.motion
    largest = int(np.argmax(np.hypot(motion.accel, motion.transverse)))
    assert scene.times[k] == pytest.approx(motion.time[largest], abs=0.03)


def test_without_a_ground_motion_there_is_no_arrow(responses):
    scene = scene_of(responses["released"])
    scene._move(3)
    assert not scene.dial.arrow.get_visible() and not scene.dial.post.get_visible()


def test_axes_below_have_units(responses):
    scene = scene_of(responses["stands"])
    labels = [axes.get_ylabel() for axes in scene.fig.axes if axes.get_ylabel()]
    assert labels == ["θ/α [–]", "yaw [°]"]
    assert scene.fig.axes[-1].get_xlabel() == "time [s]"


# -- files ----------------------------------------------------------------------------------------


def test_a_gif_has_its_frames_and_lasts_as_long_as_it_should(responses, tmp_path):
    calls: list[tuple[int, int]] = []
    path = responses["falls"].animate(
        tmp_path / "film.gif", width_px=160, progress=lambda *done: calls.append(done)
    )
    total = calls[-1][1]
    assert calls == [(k, total) for k in range(1, total + 1)]
    with Image.open(path) as film:
        assert film.format == "GIF" and film.size == (160, 128) and film.n_frames > 20
        seconds = 0.0
        for k in range(film.n_frames):
            film.seek(k)
            seconds += film.info["duration"] / 1000
    assert seconds == pytest.approx(total / 20)
    assert seconds == pytest.approx(responses["falls"].time[-1] + 1.5, abs=0.6)


def test_an_mp4_slowed_four_times_has_four_times_the_frames(responses, tmp_path):
    path = responses["cut short"].animate(tmp_path / "film.mp4", width_px=161, speed=0.25)
    frames, _ = imageio_ffmpeg.count_frames_and_secs(str(path))
    assert frames == pytest.approx((4 * 0.4 + 1.5) * 25, abs=3)
    scene = Scene(responses["cut short"], Timeline.of(responses["cut short"], 25, 0.25, None), 160)
    assert "slowed 4×" in [text.get_text() for text in scene.fig.texts]


def test_a_still_is_the_moment_of_the_largest_lean_unless_another_is_asked_for(responses, tmp_path):
    response = responses["stands"]
    paths = [
        still(response, tmp_path / f"{name}.png", time, width_px=160)
        for name, time in (("peak", None), ("then", response.time_of_peak), ("start", 0.0))
    ]
    peak, then, start = (np.array(Image.open(path)) for path in paths)
    assert peak.shape == (128, 160, 3)
    assert np.array_equal(peak, then) and not np.array_equal(peak, start)
    with pytest.raises(rs.InputError, match="lasts from 0 to"):
        still(response, tmp_path / "later.png", 99.0)
    with pytest.raises(rs.InputError, match=r"\.png"):
        still(response, tmp_path / "picture.jpg")


def test_it_is_seen_from_where_one_asks(responses, tmp_path):
    response = responses["cut short"]
    timeline = Timeline.of(response, 20, None, None)
    front = Scene(response, timeline, 160, azimuth=-90, elevation=10)
    np.testing.assert_allclose(front.camera.axes[0], [1, 0, 0], atol=1e-12)
    path = response.animate(tmp_path / "side.gif", width_px=160, azimuth=0, elevation=45)
    assert path.stat().st_size > 1000


@pytest.mark.parametrize(
    ("option", "value"),
    [("fps", 0), ("speed", -1.0), ("max_seconds", 0.0), ("width_px", 20), ("azimuth", math.nan),
     ("elevation", 0), ("elevation", 90)],
)  # fmt: skip
def test_impossible_options_are_refused(option, value, responses, tmp_path):
    with pytest.raises(rs.InputError, match=option):
        responses["stands"].animate(tmp_path / "film.gif", **{option: value})
    with pytest.raises(rs.InputError, match=r"\.gif or \.mp4"):
        responses["stands"].animate(tmp_path / "film.avi")
    assert not list(tmp_path.iterdir())


def test_a_planar_response_has_no_film_in_space(tmp_path):
    response = rs.simulate(rs.Block(1.8, 0.5), theta0=0.1)
    with pytest.raises(rs.InputError, match="moves a Block in a plane"):
        animate(response, tmp_path / "film.gif")

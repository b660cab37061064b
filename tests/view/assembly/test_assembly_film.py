"""Films of stones: where each stone is in the picture, what ties do, what the words say."""

from __future__ import annotations

import dataclasses
import math
from types import SimpleNamespace

import imageio_ffmpeg
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

import rocksteady as rs
from rocksteady.bodies.assembly import Assembly, Stone, Tie
from rocksteady.status import Status
from rocksteady.view.animation import Timeline
from rocksteady.view.assembly import animate, still
from rocksteady.view.assembly.animation import Scene
from rocksteady.view.assembly.links import BROKEN, SLACK, TAUT, Lines
from rocksteady.view.assembly.moments import poses_at
from rocksteady.view.assembly.stage import View
from rocksteady.view.assembly.stones import Corners, _rims, magnified, moving, start_poses, tint
from rocksteady.view.assembly.words import doing
from rocksteady.view.time_axis import still_after
from view.assembly.mimic import response_of, rocking_trilith, tied_trilith, trilith

CASES = ("rocks", "hardly moves", "falls", "at rest", "tied")


def scene_of(response: rs.Response, width: int = 360, **options: float) -> Scene:
    return Scene(response, Timeline.of(response, 20, None, None), width, **options)


def words(scene: Scene) -> list[str]:
    return [text.get_text() for text in scene.fig.texts]


# -- where stones are -----------------------------------------------------------------------------


def test_a_column_turns_about_the_corner_that_stays_on_the_ground(responses):
    response = responses["rocks"]
    assembly = response.system
    corners = Corners(assembly, np.array([1]))  # the left column
    for time, pivot in ((0.3, 1), (0.9, 0)):  # leaning to the right, to the left
        x, y = corners.at(poses_at(response, np.array([time]))[0])[pivot]
        assert (x, y) == pytest.approx((-1.75 + 0.5 * pivot, 0.0), abs=1e-9)


def test_between_samples_poses_are_linear_and_after_the_end_they_stay(responses):
    response = responses["rocks"]
    dt, end = response.motion.dt, response.time[-1]
    a, b, middle = poses_at(response, np.array([0.3, 0.3 + dt, 0.3 + 0.25 * dt]))
    np.testing.assert_allclose(middle, a + 0.25 * (b - a), atol=1e-12)
    last, later = poses_at(response, np.array([end, end + 5.0]))
    np.testing.assert_array_equal(last, later)


def test_stones_have_their_colour_in_the_picture_where_their_centres_are(responses):
    scene = scene_of(responses["falls"], 480)
    k = 3
    picture = scene.frame(k)
    for i in moving(scene.assembly)[:60:7]:
        x, y = scene.stage.transData.transform(scene.poses[k, i, :2])
        seen = picture[scene.size[1] - 1 - int(y), int(x), :3] / 255
        np.testing.assert_allclose(seen, to_rgb(tint(i)), atol=0.02)


def test_what_is_painted_moves_with_the_poses_and_back(responses):
    scene = scene_of(responses["rocks"])
    first = scene.frame(0).copy()
    moved = scene.frame(len(scene) // 8).copy()
    assert (first != moved).any()
    np.testing.assert_array_equal(scene.frame(0), first)


@pytest.mark.parametrize("case", CASES)
def test_the_view_holds_all_stones_all_the_time(case, responses):
    scene = scene_of(responses[case])
    view = scene.view
    corners = Corners(scene.assembly, moving(scene.assembly)).at(scene.poses)
    assert corners[..., 0].min() > view.left and corners[..., 0].max() < view.right
    assert corners[..., 1].min() > view.bottom and corners[..., 1].max() < view.top
    (x0, x1), (y0, y1) = scene.stage.get_xlim(), scene.stage.get_ylim()
    box = scene.stage.get_window_extent()
    assert (x1 - x0) / (y1 - y0) == pytest.approx(box.width / box.height, rel=0.01)


def test_a_stone_that_flies_far_leaves_the_picture():
    assembly = trilith()
    poses = start_poses(assembly)
    poses[3, 0] = 1e5
    assert View.of(assembly, poses).width < 5 * View.of(assembly).width


def test_the_view_holds_what_ties_the_stones():
    anchor = Tie(stones=("right", "ground"), points=((1.7, 1.5), (4.5, -0.1)), stiffness=1e6)
    assert View.of(trilith(links=(anchor,))).right > 4.5 > View.of(trilith()).right


def test_magnified_stones_move_so_many_times_as_far_and_it_is_said(responses):
    response = responses["hardly moves"]
    plain, large = scene_of(response), scene_of(response, magnify=50.0)
    start = start_poses(plain.assembly)
    np.testing.assert_allclose(large.poses - start, 50 * (plain.poses - start), atol=1e-9)
    assert "displacements × 50" in words(large)
    assert not any("displacements" in text for text in words(plain))
    np.testing.assert_array_equal(magnified(plain.assembly, start, 7.0), start)


# -- stones of several parts ----------------------------------------------------------------------


def test_parts_of_one_stone_have_no_line_between_them():
    parts = (((0, 0), (3, 0), (3, 1), (0, 1)), ((0, 1), (1, 1), (1, 3), (0, 3)))
    assembly = Assembly((Stone(parts, name="L"),), floating=True)
    rims = _rims(assembly, 0)
    length = sum(math.dist(*ends) for _, ends in rims)
    assert length == pytest.approx(3 + 1 + 2 + 2 + 1 + 3)  # around the L


# -- ties -----------------------------------------------------------------------------------------


def test_a_tie_is_taut_goes_slack_and_stays_broken():
    assembly = tied_trilith()
    poses = np.repeat(start_poses(assembly)[None], 4, axis=0)
    poses[1, 2, 0] += 0.01  # the columns part: 10 kN
    poses[2, 2, 0] -= 0.01  # they come nearer
    poses[2, 3, 1] += 0.02  # the beam is lifted: 20 kN on a tie of 10 kN
    states = Lines(assembly).states(poses)
    assert states[:, 0].tolist() == [SLACK, TAUT, SLACK, SLACK]
    assert states[:, 1].tolist() == [SLACK, SLACK, BROKEN, BROKEN]


def test_the_force_of_a_tie_is_its_pretension_and_stiffness_times_elongation():
    tie = Tie(stones=("left", "right"), points=((-1.3, 1), (1.3, 1)), stiffness=2e6, pretension=5e3)
    assembly = trilith(links=(tie,))
    poses = start_poses(assembly)
    poses[2, 0] += 0.003
    assert Lines(assembly).force(0, poses) == pytest.approx(5e3 + 2e6 * 0.003)


def test_a_broken_tie_is_drawn_with_a_gap(responses):
    scene = scene_of(responses["tied"])
    broken = np.flatnonzero((scene.broken == BROKEN).any(axis=1))
    assert len(broken)
    scene.frame(int(broken[0]))
    assert len(scene.links.sets[BROKEN].get_segments()) == 2


# -- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("time", "said"),
    [
        (0.0, "at rest"),
        (0.5, "moved 0.0015 mm, turned 0.0057°"),
        (1.0, "moved 0.003 mm, turned 0.011°, 1 stone fallen"),
        (1.999, "moved 1.5 m, turned 17°, 1 stone fallen"),
        (2.0, "moved 1.5 m, turned 17°, 2 stones fallen"),
        (3.0, "at rest, 2 stones fallen"),
    ],
)
def test_what_stones_do_at_a_time(time, said):
    columns = {
        "displacement": [0.0, 3e-6, 1.5, 9e-7],
        "turn": [0.0, 2e-4, 0.3, 0.3],
        "fallen": [0.0, 1.0, 2.0, 2.0],
    }
    run = SimpleNamespace(time=np.arange(4.0), column=columns.__getitem__)
    assert doing(run, time) == said


def test_the_clock_runs_and_the_last_picture_says_how_it_ended(responses):
    scene = scene_of(responses["falls"])
    scene.frame(0)
    assert scene.clock.get_text() == "0.00 s" and scene.state.get_text() == "at rest"
    scene.frame(len(scene) - 1)
    outcome = responses["falls"].outcome
    assert scene.state.get_text() == outcome.words
    assert outcome.words == f"collapses at {outcome.fall.time:.3g} s, 14 stones fallen"
    assert 0.5 < outcome.fall.time < 1.0


def test_a_picture_on_the_way_says_how_far_and_how_many_fell(responses):
    scene = scene_of(responses["falls"])
    k = int(np.argmin(np.abs(scene.times - 1.0)))
    scene.frame(k)
    text = scene.state.get_text()
    assert "moved" in text and "°" in text and "stones fallen" in text


def test_the_end_of_what_stands_tells_how_far_it_moved_and_what_is_left(responses):
    assert responses["at rest"].outcome.words == "stands, does not move"
    left = 1e3 * responses["rocks"].column("displacement")[-1]
    expected = f"stands, moved 219 mm and turned 6.1° at most, {left:.3g} mm off at the end"
    assert responses["rocks"].outcome.words == expected


def test_a_film_goes_on_while_any_stone_moves():
    """The stone that went farthest lies still at 0.5 s; another one falls until 1.5 s."""
    assembly = trilith()
    time = np.arange(301) * 0.01
    poses = np.repeat(start_poses(assembly)[None], len(time), axis=0)
    poses[:, 3, 0] += 4 * np.clip(time / 0.5, 0, 1)
    poses[:, 1, 2] -= np.pi / 2 * np.clip(time - 0.5, 0, 1)
    response = response_of(assembly, poses, rs.Motion.zeros(3.0, 0.01), Status.COLLAPSED)
    assert still_after(response) == pytest.approx(1.5, abs=0.05)
    assert Timeline.of(response, 20, None, None).end > 1.5


def test_no_arrow_where_the_ground_stands_still(responses):
    scene = scene_of(responses["rocks"])
    scene.frame(int(np.argmin(np.abs(scene.times - 0.2))))
    assert scene.arrow.get_visible() and scene.arrow.get_xy()[3, 0] > scene.arrow.get_xy()[0, 0]
    scene.frame(int(np.argmin(np.abs(scene.times - 2.0))))
    assert not scene.arrow.get_visible()


# -- files ----------------------------------------------------------------------------------------


def test_an_mp4_has_every_frame_at_its_size(responses, tmp_path):
    seen = []
    path = animate(
        responses["falls"], tmp_path / "wall.mp4", fps=10, width_px=300,
        progress=lambda done, of: seen.append((done, of)),
    )  # fmt: skip
    count, seconds = imageio_ffmpeg.count_frames_and_secs(str(path))
    assert count == len(seen) == seen[-1][1]
    assert seconds == pytest.approx(count / 10, abs=0.2)
    reader = imageio_ffmpeg.read_frames(str(path))
    width, height = next(reader)["size"]
    assert width == 300 and height % 2 == 0 and 0.4 * width < height < 1.2 * width


def test_response_animate_writes_a_gif_by_the_films_name(responses, tmp_path):
    path = responses["rocks"].animate(tmp_path / "trilith.gif", fps=5, width_px=200, speed=5)
    with Image.open(path) as film:
        assert film.size[0] == 200 and film.n_frames > 5


@pytest.mark.parametrize("name", ["wall.avi", "wall"])
def test_another_kind_of_file_is_refused_before_the_work(name, responses, tmp_path):
    with pytest.raises(rs.InputError, match="gif"):
        animate(responses["falls"], tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("factor", [0.0, -3.0, math.nan, math.inf])
def test_a_factor_that_makes_no_picture_is_refused(factor, responses, tmp_path):
    with pytest.raises(rs.InputError, match="magnify"):
        animate(responses["rocks"], tmp_path / "f.gif", magnify=factor)


def test_a_still_is_one_picture_of_the_film(responses, tmp_path):
    path = still(responses["rocks"], tmp_path / "s.png", 0.3, width_px=320)
    assert Image.open(path).size[0] == 320
    with pytest.raises(rs.InputError, match="lasts from 0 to"):
        still(responses["rocks"], tmp_path / "t.png", 99.0)
    with pytest.raises(rs.InputError, match="png"):
        still(responses["rocks"], tmp_path / "t.jpg", 0.3)


def test_another_body_than_an_assembly_is_refused(tmp_path):
    with pytest.raises(rs.InputError, match="Assembly"):
        animate(rs.simulate(rs.Block(1.8, 0.5), theta0=0.05), tmp_path / "block.gif")


# -- symmetry -------------------------------------------------------------------------------------


def test_a_mirrored_run_gives_the_mirrored_view():
    response = rocking_trilith()
    mirrored = response.system.mirrored()
    poses = poses_at(response, response.time) * [-1, 1, -1]
    other = response_of(mirrored, poses, dataclasses.replace(response.motion), Status.AT_REST)
    view, mirror = scene_of(response).view, scene_of(other).view
    assert (mirror.left, mirror.right) == pytest.approx((-view.right, -view.left))
    assert (mirror.bottom, mirror.top) == pytest.approx((view.bottom, view.top))

"""The film of a building's loop: what is shown and when; pictures can be asked in any order."""

import numpy as np
import pytest
from PIL import Image

import rocksteady as rs
from rocksteady.view.animation import MAX_SECONDS
from rocksteady.view.masonry_film import BEFORE, Loop, Scene, _timeline, animate

HOUSE = rs.MasonryBuilding.casalotti2025()


def pulse(g, name="", rest=3.0):
    """One sine pulse of this amplitude [g] after a quiet second, and rest."""
    push = rs.pulses.sine(9.81 * g, period=0.15, dt=0.005)
    still = rs.Motion.zeros(1.0, 0.005)
    return still.then(push).then(rs.Motion.zeros(rest, 0.005)).renamed(name)


@pytest.fixture(scope="module")
def sequence():
    """A shock without slip, one with slip, and one that brings it down."""
    shocks = [pulse(0.05, "weak"), pulse(0.4, "strong"), pulse(2.5, "last")]
    return rs.sequence(HOUSE, shocks, gap=2.0)


@pytest.fixture(scope="module")
def scene(sequence):
    loop = Loop.of(sequence)
    return Scene(loop, _timeline(loop, 20.0, None, None), 360, 20.0)


def test_each_shock_is_seen_from_its_first_slip_to_its_last(sequence):
    loop = Loop.of(sequence)
    weak, strong, last = loop.windows()
    slips = loop.time[loop.slips]
    first = slips[slips > sequence.shocks[1].start][0]
    assert strong[0] == pytest.approx(first - BEFORE)
    assert strong[0] < slips[slips < sequence.shocks[2].start][-1] < strong[1]
    assert weak[1] - weak[0] == pytest.approx(1.0) and weak[0] < 1.05 < weak[1]  # about its peak
    assert last[1] == loop.time[-1]  # it collapses
    clock = _timeline(loop, 20.0, 1.0, None).clock
    inside = sum((clock >= a - 1e-9) & (clock <= b + 1e-9) for a, b in (weak, strong, last))
    assert inside.all() and (np.diff(clock) >= 0).all()


def test_a_long_film_is_sped_up_and_a_slow_one_cut(sequence):
    loop = Loop.of(sequence)
    whole = sum(b - a for a, b in loop.windows())
    short = _timeline(loop, 20.0, None, 0.5)
    assert short.speed >= whole / 0.5 and not short.cut
    slow = _timeline(loop, 20.0, 0.05, None)
    assert slow.cut and len(slow.clock) <= (MAX_SECONDS + 2.0) * 20


def test_the_words_follow_the_building(scene):
    words = {}
    for k in range(len(scene)):
        scene.frame(k)
        words[scene.clock.get_text().split("  ")[0]] = scene.state.get_text()
    assert list(words) == ["shock 1: weak", "shock 2: strong", "shock 3: last"]
    assert words["shock 1: weak"] == "adheres, wear 0"
    assert words["shock 3: last"].startswith("COLLAPSED")


def test_a_picture_is_the_same_whatever_was_asked_before(scene):
    """The past of the loop is drawn piece by piece: forwards, backwards and at once alike."""
    k = int(0.6 * len(scene))
    at_once = scene.frame(k).copy()
    scene.frame(len(scene) - 1)
    back = scene.frame(k).copy()
    for i in range(k + 1):
        scene.frame(i)
    stepwise = scene.frame(k).copy()
    rim = 0.02 * at_once.size / 4  # where pieces of a line meet, its edge is a little darker
    for other in (back, stepwise):
        assert (np.abs(other.astype(int) - at_once).max(axis=-1) > 60).sum() < rim


def test_the_dot_is_where_the_building_is(scene):
    k = len(scene) // 2
    picture = scene.frame(k)
    i = int(np.searchsorted(scene.loop.time, scene.times[k], side="right")) - 1
    point = scene.loop.displacement[i], scene.loop.force[i]
    assert scene.now.get_data()[0][0] == point[0] and scene.now.get_data()[1][0] == point[1]
    x, y = scene.axes.transData.transform(point)
    assert picture[scene.size[1] - 1 - int(y), int(x), :3].max() < 0x60


@pytest.mark.parametrize("suffix", ["gif", "mp4"])
def test_files(sequence, tmp_path, suffix):
    path = sequence.animate(tmp_path / f"loop.{suffix}", width_px=240, max_seconds=1.0)
    assert path.stat().st_size > 2000
    if suffix == "gif":
        with Image.open(path) as film:
            assert film.size == (240, 202) and film.n_frames >= 15


def test_a_single_run_is_filmed_as_well(tmp_path):
    response = rs.simulate(HOUSE, pulse(0.4, "strong", 1.0))
    told = []
    path = response.animate(
        tmp_path / "run.gif", width_px=200, max_seconds=0.5, progress=lambda *n: told.append(n)
    )
    assert path.is_file() and told[-1][0] == told[-1][1] == len(told)


def test_bad_options(sequence, tmp_path):
    for options, words in (
        ({"width_px": 20}, "width_px"),
        ({"fps": 0}, "fps"),
        ({"speed": -1.0}, "speed"),
    ):
        with pytest.raises(rs.InputError, match=words):
            animate(sequence, tmp_path / "a.gif", **options)
    with pytest.raises(rs.InputError, match="must end in"):
        sequence.animate(tmp_path / "a.avi")
    with pytest.raises(rs.InputError, match="MasonryBuilding, not a Block"):
        animate(rs.simulate(rs.Block(1.8, 0.5), pulse(0.3)), tmp_path / "a.gif")

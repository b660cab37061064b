"""The benchmark of stones against other programs: its problems, its reference and its tables.

Each peer has a short run where it is installed.
"""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

ROOT = Path(__file__).parents[1]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from benchmarks.peers import roster, tables  # noqa: E402
from benchmarks.peers.assemblies import box2d_, problems, runs, sheets  # noqa: E402

# -- the problems ----------------------------------------------------------------------------------


def test_frame_reference_has_the_checked_peak():
    """Science notes, section 4: same frame (γ 0.5625), sine 0.40 g, 0.6 s: peak/α."""
    theta, peak = problems.frame_reference()
    assert peak == pytest.approx(0.419105, abs=5e-7)
    assert np.abs(theta).max() / problems.COLUMN.alpha == pytest.approx(peak, abs=1e-4)


def test_equivalent_block_has_the_checked_digits():
    """Science notes, section 4: γ = 0.5625 and γ = 2.25: p̂, η̂."""
    block, eta = problems.equivalent_block()
    assert (block.p, eta) == pytest.approx((2.3756810388242773, 0.8932968536251711), rel=1e-14)
    block, eta = problems.equivalent_block(2.25)
    assert (block.p, eta) == pytest.approx((2.2506781471658295, 0.8861480075901329), rel=1e-14)
    assert block.alpha == pytest.approx(problems.COLUMN.alpha, rel=1e-15)


def test_frame_reference_is_that_of_housner():
    """Another program, exact for straight lines between samples of a tenth of a millisecond."""
    theta, peak = problems.frame_reference()
    block, eta = problems.equivalent_block()
    time = 1e-4 * np.arange(20_001)
    motion = rs.Motion(problems.one_cycle(time), 1e-4)
    found = rs.simulate(block, motion, rs.Housner(eta=eta), until="motion")
    assert found.peak == pytest.approx(peak, abs=2e-7)
    assert -found.theta[::50] == pytest.approx(theta[:401], abs=1e-6)


def test_frame_weighs_as_its_gamma_says():
    left, right, beam = problems.frame().loose
    assert beam.mass / (left.mass + right.mass) == pytest.approx(problems.GAMMA, rel=1e-14)
    assert problems.size(beam) == (4.5, 0.25)


def test_stack_is_ten_drums_without_gaps():
    drums = problems.stack().loose
    assert [problems.size(drum) for drum in drums] == [pytest.approx((1.0, 0.6))] * 10
    assert [drum.centre[1] for drum in drums] == pytest.approx([0.3 + 0.6 * i for i in range(10)])


def test_wall_is_running_bond_of_105_bricks():
    wall = problems.wall()
    assert len(wall.loose) == 105
    areas = [math.prod(problems.size(brick)) for brick in wall.loose]
    assert sum(areas) == pytest.approx(4.0 * 2.0, rel=1e-12)  # no gaps, nothing twice
    edges = [{round(x, 9) for x, y in brick.corners} for brick in wall.loose]
    heights = np.array([brick.centre[1] for brick in wall.loose])
    for row in range(1, problems.ROWS):  # no head joint above another, but for the two ends
        below, above = (
            set().union(*(edges[i] for i in np.flatnonzero(np.isclose(heights, 0.1 + 0.2 * r))))
            for r in (row - 1, row)
        )
        assert below & above == {0.0, 4.0}


def test_noise_has_its_peak_and_band():
    shaking = problems.noise()(0.005 * np.arange(2001))
    assert np.abs(shaking).max() == pytest.approx(0.3 * 9.81, rel=1e-12)
    assert shaking[0] == shaking[-1] == 0
    power = np.abs(np.fft.rfft(shaking)) ** 2
    frequency = np.fft.rfftfreq(2001, 0.005)
    assert power[(frequency > 0.5) & (frequency < 8.5)].sum() > 0.999 * power.sum()


def test_midpoints_keep_the_impulse_of_the_sine():
    steps = problems.frame().midpoints(1e-3)
    assert len(steps) == 6000
    half = steps[:300].sum() * 1e-3  # 2 a / ω
    assert half == pytest.approx(0.4 * 9.81 * 0.6 / math.pi, rel=2e-5)


# -- measuring -------------------------------------------------------------------------------------


def test_drift_and_rotation_are_compared():
    frame = problems.frame()
    exact = frame.exact()
    poses = np.broadcast_to(frame.starts, (len(exact), 3, 3)).copy()
    poses[:, 0, 2] = exact
    assert runs.compared(poses, frame) == (0, 0)
    poses[400, 0, 2] += 0.01 * problems.COLUMN.alpha  # at 2 s
    poses[1000, 0, 2] += 1.0  # at 5 s: no longer compared
    poses[7, 2, :2] += (3e-3, 4e-3)
    assert runs.compared(poses, frame) == pytest.approx((5e-3, 0.01))
    wall = problems.wall()
    assert runs.compared(wall.starts[None], wall) == (0, None)


def test_what_takes_too_long_or_stops_is_said():
    assert runs.apart("pymunk_", 0, "stack", limit=0.01) == "> 0.01 s"
    assert runs.apart("pymunk_", 99, "stack").startswith("stopped: IndexError")


@pytest.mark.parametrize("file", [file for file in runs.FILES if file != "ours"])
def test_peer_rocks_the_frame(file):
    """Its best setting of a millisecond: the rotation to 7 % of α over 3 s."""
    found = roster.find(f"assemblies.{file}")
    if isinstance(found, roster.Absent):
        pytest.skip(found.reason)
    settings = [one for one in found.peer.SETTINGS if one.options["step"] == 1e-3]
    frame = replace(problems.frame(), duration=3.0)
    poses = found.peer.prepare(settings[-1], frame)()
    assert poses.shape == (601, 3, 3)
    _, error = runs.compared(poses, frame)
    assert error < 0.07


def test_ours_rocks_the_frame_and_rests():
    from benchmarks.peers.assemblies import ours

    frame = replace(problems.frame(), duration=3.0)
    _, error = runs.compared(ours.prepare(ours.SETTINGS[0], frame)(), frame)
    assert error < 1e-4
    stack = replace(problems.stack(), duration=1.0)
    drift, _ = runs.compared(ours.prepare(ours.SETTINGS[0], stack)(), stack)
    assert drift < 1e-9


# -- tables ----------------------------------------------------------------------------------------


def test_tables_of_stones():
    found = {
        "stack": runs.Error(0.084, 0.15, None),
        "frame": runs.Error(0.027, 0.2, 0.44),
        "wall": "> 480 s",
    }
    setting = box2d_.SETTINGS[0]
    row = runs.Outcome("Box2D", "2.3.10", setting, found)
    table = sheets.sheet([row, replace(row, found={})])
    assert table.rows[0][2:] == ("0.15", "84 ms", "0.44", "27 ms", "–", "> 480 s")
    assert table.rows[1][2:] == ("–",) * 6
    part = replace(row, found={"wall": runs.Error(38.0, 2e-5, None, 1.0)})
    assert sheets.sheet([part]).rows[0][-2:] == ("2e-05", "38 s for 1 s")
    parts = sheets.words([row], [roster.Absent("LMGC90", "not here.")], "A machine.")
    assert parts["stones-machine"] == "A machine.\n\nNot there:\n\n- LMGC90: not here."
    page = (ROOT / "docs" / "peers.md").read_text("utf-8")
    filled = tables.fill(page, parts)
    assert "| Box2D | usual, 1 ms | 0.15 | 84 ms |" in filled
    assert f"| Box2D | 2.3.10 | usual, 1 ms | {setting.words} |" in filled

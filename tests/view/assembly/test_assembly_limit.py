"""Forces in joints and collapse mechanisms as they are drawn."""

from __future__ import annotations

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.limit_analysis import LimitLoad, limit_load
from rocksteady.analysis.limit_analysis.capacity import capacity_curve
from rocksteady.bodies.assembly import Assembly, Stone
from rocksteady.bodies.assembly.joints import Joint
from rocksteady.view.assembly import plot_capacity, plot_forces, plot_mechanism
from rocksteady.view.assembly.forces import Resultants, force_in_words
from rocksteady.view.assembly.mechanism import drawn_poses
from rocksteady.view.assembly.stones import moved, start_poses
from view.assembly.mimic import trilith


@pytest.fixture(scope="module")
def arch() -> LimitLoad:
    return limit_load(Assembly.arch(7, 1.5, radius=10.0, embrace=157.5))


@pytest.fixture(scope="module")
def wall() -> LimitLoad:
    return limit_load(Assembly.wall(4, 4, 0.4, 0.2))


# -- forces ---------------------------------------------------------------------------------------

FLAT = Joint(1, 0, ((0.0, 0.0), (2.0, 0.0)), (0.0, 1.0), 0.5)  # stone 1 on stone 0


def test_the_resultant_crosses_the_joint_where_moments_balance():
    found = Resultants.of([FLAT, FLAT, FLAT], [(1.0, 3.0, 0.0), (5.0, 0.0, 2.4), (0.0, 4.0, -2.0)])
    np.testing.assert_allclose(found.point, [(1.5, 0), (0, 0), (2, 0)])
    np.testing.assert_allclose(found.force, [(0, 4), (2.4, 5), (-2, 4)])
    assert found.slips.tolist() == [False, False, True]
    np.testing.assert_allclose(found.size, [4, np.hypot(2.4, 5), np.hypot(2, 4)])


@pytest.mark.parametrize("case", ["arch", "wall"])
def test_the_forces_drawn_balance_every_stone(case, request):
    """Joints, weight and λ times the weight sideways: no force and no moment is left."""
    result = request.getfixturevalue(case)
    found = Resultants.of(result.joints, result.forces)
    for i, stone in enumerate(result.assembly):
        if stone.fixed:
            continue
        weight = stone.mass * result.assembly.g
        total, moment = np.array([result.multiplier * weight, -weight]), 0.0
        for k, joint in enumerate(result.joints):
            if i in (joint.a, joint.b):
                force = found.force[k] * (1 if i == joint.a else -1)
                arm = found.point[k] - stone.centre
                total = total + force
                moment += arm[0] * force[1] - arm[1] * force[0]
        np.testing.assert_allclose(total, 0, atol=1e-5 * weight)
        assert moment == pytest.approx(0, abs=1e-5 * weight * stone.reach)


def test_lines_are_as_thick_as_forces_are_large(arch):
    fig = plot_forces(arch.assembly, arch.joints, arch.forces)
    lines = next(c for c in fig.axes[0].collections if c.get_zorder() == 6)
    size = Resultants.of(arch.joints, arch.forces).size
    np.testing.assert_allclose(lines.get_linewidths(), 7 * size / size.max(), rtol=1e-9)
    dots = fig.axes[0].get_lines()[-1].get_xydata()
    assert len(dots) == len(arch.joints)


def test_the_line_of_thrust_runs_from_joint_to_joint(arch):
    fig = plot_forces(arch.assembly, arch.joints, arch.forces)
    lines = next(c for c in fig.axes[0].collections if c.get_zorder() == 6)
    found = Resultants.of(arch.joints, arch.forces)
    ends = {tuple(np.round(end, 6)) for seg in lines.get_segments() for end in seg[[0, 2]]}
    inner = [i for i, stone in enumerate(arch.assembly) if not stone.fixed]
    for i in inner:
        two = [k for k, joint in enumerate(arch.joints) if i in (joint.a, joint.b)]
        assert tuple(np.round(found.point[two].mean(axis=0), 6)) in ends


def test_no_load_is_said():
    fig = plot_forces(trilith(), [FLAT], np.zeros((1, 3)))
    assert not [c for c in fig.axes[0].collections if c.get_zorder() == 6]


def test_forces_that_do_not_fit_the_joints_are_refused(arch):
    with pytest.raises(rs.InputError, match=r"8 joints.*\(8, 3\)"):
        plot_forces(arch.assembly, arch.joints, arch.forces[:, :2])


@pytest.mark.parametrize(("force", "text"), [(12.0, "12 N"), (5.57e5, "557 kN"), (2e6, "2 MN")])
def test_forces_in_words(force, text):
    assert force_in_words(force) == text


# -- mechanisms -----------------------------------------------------------------------------------


def test_an_arch_fails_about_four_hinges_with_its_multiplier_above(arch, tmp_path):
    fig = plot_mechanism(arch, tmp_path / "arch.png")
    assert (tmp_path / "arch.png").stat().st_size > 1000
    assert "λ = 0.37" in fig._suptitle.get_text()  # type: ignore[attr-defined]
    assert fig._supxlabel.get_text().replace("\n", " ") == arch.words  # type: ignore[attr-defined]
    hinges = fig.axes[0].get_lines()[-1].get_xydata()
    assert len(hinges) == 4
    assert [axes.get_title(loc="left") for axes in fig.axes] == [
        "(a)  Mechanism",
        "(b)  Forces in the joints",
    ]


def test_stones_that_move_as_one_stay_together_and_hinges_on_the_ground_stay(arch):
    poses = drawn_poses(arch.assembly, arch.velocities)
    start = start_poses(arch.assembly)
    hinged = {hinge.joint: hinge.end for hinge in arch.hinges}
    for k, joint in enumerate(arch.joints):
        one, other = (
            moved(np.array(joint.ends) - start[i, :2], poses[[i, i]]) for i in (joint.a, joint.b)
        )
        fixed = arch.assembly.stones[joint.a].fixed or arch.assembly.stones[joint.b].fixed
        if k not in hinged:
            np.testing.assert_allclose(one, other, atol=1e-6)
        elif fixed:
            np.testing.assert_allclose(one[hinged[k]], other[hinged[k]], atol=1e-6)
            assert np.linalg.norm(one - other, axis=1).max() > 0.05  # it opens


def test_a_mechanism_is_drawn_far_enough_to_see_and_no_farther(arch, wall):
    for result in (arch, wall):
        poses = drawn_poses(result.assembly, result.velocities)
        away = np.abs(poses - start_poses(result.assembly))
        size = 20.0 if result is arch else 1.6
        assert away[:, 2].max() <= 0.2 + 1e-12
        assert 0.01 * size < away[:, :2].max() < 0.1 * size


def test_joints_that_slide_are_marked(wall):
    fig = plot_mechanism(wall)
    slides = [c for c in fig.axes[0].collections if c.get_zorder() == 6]
    assert bool(slides) == bool(wall.sliding_joints)
    assert slides and 0 < len(slides[0].get_segments()) <= len(wall.sliding_joints)


def test_what_does_not_stand_is_drawn_without_forces():
    floor = Stone.box(-1, -0.5, 2, 0.5, fixed=True, name="ground")
    beam = Stone.box(-0.2, 0, 3.0, 0.3, name="beam")
    foot = Stone.box(2.7, -2, 0.1, 0.1, name="far", fixed=True)
    result = limit_load(Assembly((floor, beam, foot)))
    fig = plot_mechanism(result)
    assert len(fig.axes) == 1 and "does not stand" in fig._suptitle.get_text()  # type: ignore[attr-defined]


def test_what_cannot_fail_is_drawn_as_it_stands():
    slab = Stone.box(-1, 0, 2, 0.3, name="slab")
    walls = [Stone.box(x, -1, 1, 3, fixed=True, name=n) for x, n in ((-2, "l"), (1, "r"))]
    floor = Stone.box(-1, -1, 2, 1, fixed=True, name="ground")
    result = limit_load(Assembly((slab, floor, *walls)), sliding=False)
    assert np.isinf(result.multiplier)
    fig = plot_mechanism(result)
    assert "cannot fail" in fig._suptitle.get_text()  # type: ignore[attr-defined]


# -- capacity curves ------------------------------------------------------------------------------


def test_a_capacity_curve_falls_from_the_multiplier_to_zero_with_stones_beside_it(arch, tmp_path):
    curve = capacity_curve(arch.assembly, steps=12)
    fig = plot_capacity(curve, tmp_path / "curve.pdf")
    assert (tmp_path / "curve.pdf").read_bytes().startswith(b"%PDF")
    load, *pictures = fig.axes
    carried, kept = load.get_lines()[1:3]
    assert carried.get_ydata()[0] == arch.multiplier
    assert load.get_ylabel().endswith("[–]") and load.get_xlabel().endswith("[mm]")
    assert kept.get_linestyle() == "--" and kept.get_ydata()[-1] == pytest.approx(0, abs=1e-6)
    assert carried.get_xydata()[-1].tolist() == kept.get_xydata()[0].tolist()
    assert len(pictures) == 3
    assert fig._supxlabel.get_text().replace("\n", " ") == curve.words  # type: ignore[attr-defined]


def test_the_stones_beside_a_curve_are_where_it_has_pushed_them(arch):
    curve = capacity_curve(Assembly.trilith(0.5, 2.0, 2.0, 0.5), steps=12)
    fig = curve.plot()
    stones = next(c for c in fig.axes[3].collections if c.get_zorder() == 2)
    lintel = next(i for i, s in enumerate(curve.assembly) if s.name == "lintel")
    number = [i for i, s in enumerate(curve.assembly) if not s.fixed].index(lintel)
    middle = stones.get_paths()[number].vertices[:4].mean(axis=0)
    x, y = curve.assembly.stones[lintel].centre
    assert middle[0] - x == pytest.approx(curve.displacement[-1])
    assert middle[1] - y == pytest.approx(curve.poses[-1, lintel, 1])

"""The independent solution gives the checked values: only then is it a judge of `rs.Spatial`."""

import math

import numpy as np
import pytest

from theories.spatial import checked
from theories.spatial.attitudes import leaning, turning
from theories.spatial.contacts import strike
from theories.spatial.independent import solve
from theories.spatial.mechanics import Solid

STANDARD = Solid.box(0.225, 0.225, 0.9)


def released(**how):
    R = leaning(checked.RELEASE_TILT, math.radians(checked.RELEASE_AZIMUTH))
    return solve(STANDARD, R=R, contacts=(2,), **how)


def test_release_at_30_degrees():
    run, start = released(until=1.5), released(until=1e-12)
    assert tuple(hit.corner for hit in run.impacts) == checked.RELEASE_CORNERS
    assert [hit.time for hit in run.impacts] == pytest.approx(checked.RELEASE_IMPACTS, abs=1e-12)
    left = [hit.after / start.energy for hit in run.impacts]
    assert left == pytest.approx(checked.RELEASE_ENERGIES, abs=1e-12)


def test_release_at_30_degrees_attitude():
    run = released(until=0.9)
    assert run.R[:, 2] == pytest.approx(checked.RELEASE_AXIS, abs=1e-11)
    assert math.atan2(-run.R[0, 1], run.R[0, 0]) == pytest.approx(checked.RELEASE_YAW, abs=1e-9)


def test_planar_release():
    run = solve(STANDARD, R=leaning(math.atan(0.25) / 2, 0.0), contacts=(1, 2), impacts=4, until=9)
    assert [hit.time for hit in run.impacts] == pytest.approx(checked.PLANAR_IMPACTS, abs=2e-12)
    assert [hit.contacts for hit in run.impacts] == [(0, 3), (1, 2)] * 2


def test_box_on_a_corner():
    R = leaning(checked.CORNER_TILT, math.radians(checked.CORNER_AZIMUTH))
    run = solve(
        Solid.box(*checked.CORNER_SIZES),
        R=R,
        contacts=(2,),
        spin=checked.CORNER_SPIN,
        until=checked.CORNER_TIME,
    )
    assert run.R[:, 2] == pytest.approx(checked.CORNER_AXIS, abs=1e-12)
    assert run.R[0, :2] == pytest.approx(checked.CORNER_AHEAD, abs=1e-12)
    assert run.spin == pytest.approx(checked.CORNER_SPIN_AFTER, abs=1e-12)


def precessing_cube(spin):
    """Attitude of a cube whose diagonal leans by 0.1 rad to +x, and its spin in the body's axes."""
    diagonal = -np.array([1, 1, -1]) / math.sqrt(3)
    target = np.array([math.sin(0.1), 0, math.cos(0.1)])
    R = turning(np.cross(diagonal, target), math.acos(diagonal @ target))
    along = spin - 2 * math.cos(0.1)  # so that the whole spin about the diagonal is this
    return R, R.T @ np.array([0, 0, 2.0]) + along * diagonal, diagonal


@pytest.mark.parametrize(("spin", "reached", "time", "azimuth", "digits"), checked.PRECESSION)
def test_precession_of_a_cube(spin, reached, time, azimuth, digits):
    R, W, diagonal = precessing_cube(spin)
    run = solve(Solid.box(0.5, 0.5, 0.5), R=R, contacts=(2,), spin=W, until=time)
    x, y, z = run.R @ diagonal
    assert math.atan2(math.hypot(x, y), z) == pytest.approx(reached, abs=digits)
    assert math.atan2(y, x) == pytest.approx(azimuth, abs=digits)


@pytest.mark.parametrize("k", [3, 4, 5, 8])
def test_square_base_keeps_rational_energies(k):
    """On an edge, about the diagonal all at once, and one corner first."""
    solid = Solid.box(1.0, 1.0, float(k))

    def kept(old, spin, touching):
        spin = np.array(spin, float)
        before = -np.cross(spin, solid.corners[old])
        after = strike(solid, np.eye(3), before, spin, touching)
        own = solid.inertia
        energies = [
            (v @ v + w @ own @ w) / 2 for v, w in ((before, spin), (after.velocity, after.spin))
        ]
        return energies[1] / energies[0], after

    assert kept(2, (0, -1, 0), range(4))[0] == pytest.approx(float(checked.PLANAR_R[k]), rel=1e-14)
    whole = kept(2, (1, -1, 0), range(4))[0]
    assert whole == pytest.approx(float(checked.DIAGONAL_AT_ONCE[k]), rel=1e-14)
    first, hit = kept(2, (1, -1, 0), (1, 2))
    second, _ = kept(1, hit.spin, range(4))
    assert (first, second) == pytest.approx(
        [float(r) for r in checked.DIAGONAL_ONE_FIRST[k]], rel=1e-13
    )
    assert first * second == pytest.approx(checked.DIAGONAL_PRODUCT[k], abs=1e-9)


def test_eccentric_box():
    bx, by, h = checked.ECCENTRIC_SIZES
    solid = Solid.box(bx, by, h)
    solid = Solid(solid.inertia, solid.corners - [checked.ECCENTRICITY, 0, 0])
    spin = np.array([0.0, -1, 0])
    after = strike(solid, np.eye(3), -np.cross(spin, solid.corners[1]), spin, range(4))
    assert after.contacts == (0, 3) and after.solutions == 1
    assert after.spin == pytest.approx([0, -checked.ECCENTRIC_ETA, 0], abs=1e-14)


@pytest.mark.parametrize(("degrees", "share"), checked.UPLIFT.items())
def test_uplift_on_a_ramp(degrees, share):
    """Before that acceleration nothing moves, after it the body leans."""
    way = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), 0])
    solid = Solid.box(0.2, 0.3, 0.9)
    for side, moves in ((-2e-6, False), (2e-6, True)):
        ramp = np.linspace(0, (share + side) * 9.81, 5)[:, None] * way
        run = solve(solid, ground=ramp, dt=0.25)
        assert (len(run.contacts) < 4) == moves


def test_energy_balance_of_a_shaken_run():
    """Energy, the ground's work and the impacts' losses, each found on its own."""
    rng, times = np.random.default_rng(3), np.arange(201) * 0.01
    phases, rates = rng.uniform(0, 6, (3, 4)), rng.uniform(4, 25, (3, 4))
    waves = np.sin(times[:, None, None] * rates + phases).sum(axis=2)
    run = solve(STANDARD, ground=waves * [1.2, 1.2, 0.4], dt=0.01)
    lost = [hit.before - hit.after for hit in run.impacts]
    assert len(lost) > 2 and min(lost) >= 0
    assert run.energy == pytest.approx(run.work - sum(lost), abs=1e-11)

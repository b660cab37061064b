"""`rs.Spatial` gives every checked value of bodies on polygonal bases, to its digits."""

import math

import numpy as np
import pytest

import rocksteady as rs
from theories.spatial import checked
from theories.spatial.attitudes import leaning
from theories.spatial.cases import STANDARD, Started, impact_times, released, rotation, struck
from theories.spatial.test_independent import precessing_cube

FINE = 0.001  # s: the step's own error is then below the digits


def test_planar_release():
    """Standard body let go on an edge at half of its limit: impacts by elliptic integrals."""
    run = released(STANDARD, math.atan(0.25) / 2, 0.0, until=2.5, dt=FINE)
    assert impact_times(run) == pytest.approx(checked.PLANAR_IMPACTS, abs=2e-12)
    along_y = released(STANDARD, math.atan(0.25) / 2, 90.0, until=2.5, dt=FINE)
    assert impact_times(along_y) == pytest.approx(checked.PLANAR_IMPACTS, abs=2e-12)


@pytest.fixture(scope="module")
def release():
    """The standard body let go on corner 2 at 30 degrees."""
    return released(STANDARD, checked.RELEASE_TILT, checked.RELEASE_AZIMUTH, until=1.5, dt=FINE)


def test_release_impacts(release):
    assert impact_times(release) == pytest.approx(checked.RELEASE_IMPACTS, abs=1e-12)


def test_release_corners(release):
    after = np.searchsorted(release.time, impact_times(release), side="right")
    assert tuple(release.column("pivot")[after]) == checked.RELEASE_CORNERS
    assert set(release.column("mode")) == {2.0}


def test_release_energies(release):
    after = np.searchsorted(release.time, impact_times(release), side="right")
    left = 1 - release.column("loss")[after] / release.energy[0]
    assert left == pytest.approx(checked.RELEASE_ENERGIES, abs=2e-12)


def test_release_attitude(release):
    at = round(0.9 / FINE)
    assert rotation(release, at)[:, 2] == pytest.approx(checked.RELEASE_AXIS, abs=1e-11)


def test_release_yaw(release):
    """The yaw of that row is the direction in which the base sees the ground's x axis."""
    R = rotation(release, round(0.9 / FINE))
    assert math.atan2(-R[0, 1], R[0, 0]) == pytest.approx(checked.RELEASE_YAW, abs=1e-9)


@pytest.fixture(scope="module")
def on_a_corner():
    """Box of half sizes 0.2, 0.3, 0.9 on a corner with a spin about all axes, for 0.25 s."""
    bx, by, h = checked.CORNER_SIZES
    return released(
        rs.Body.box(2 * bx, 2 * by, 2 * h),
        checked.CORNER_TILT,
        checked.CORNER_AZIMUTH,
        spin=checked.CORNER_SPIN,
        until=checked.CORNER_TIME,
        dt=FINE,
    )


def test_box_on_a_corner_axis(on_a_corner):
    assert rotation(on_a_corner)[:, 2] == pytest.approx(checked.CORNER_AXIS, abs=1e-12)


def test_box_on_a_corner_ahead(on_a_corner):
    assert rotation(on_a_corner)[0, :2] == pytest.approx(checked.CORNER_AHEAD, abs=1e-12)


def test_box_on_a_corner_spin(on_a_corner):
    spin = [on_a_corner.column(f"spin_{i}")[-1] for i in "xyz"]
    after = rotation(on_a_corner) @ spin
    assert after == pytest.approx(checked.CORNER_SPIN_AFTER, abs=1e-12)


@pytest.mark.parametrize(("spin", "reached", "time", "azimuth", "digits"), checked.PRECESSION)
def test_precession_of_a_cube(spin, reached, time, azimuth, digits):
    """Cube of 1 m on a corner, its diagonal 0.1 rad off the vertical, precession 2 rad/s."""
    R, W, diagonal = precessing_cube(spin)
    x, y, z = R[:, 2]
    tilt, direction = math.acos(z), math.degrees(math.atan2(y, x))
    unturned = leaning(tilt, math.radians(direction)).T @ R
    yaw = math.atan2(unturned[1, 0], unturned[0, 0])
    run = released(
        rs.Body.box(1, 1, 1), tilt, direction, yaw=yaw, spin=tuple(W), until=time, dt=time / 500
    )
    assert run.column("pivot")[0] == 2
    assert rotation(run, 0) == pytest.approx(R, abs=1e-15)
    x, y, z = rotation(run) @ diagonal
    assert math.atan2(math.hypot(x, y), z) == pytest.approx(reached, abs=digits)
    assert math.atan2(y, x) == pytest.approx(azimuth, abs=digits)


@pytest.mark.parametrize("k", [3, 4, 5, 8])
def test_planar_r_of_a_square_base(k):
    """((2k² − 1)/(2k² + 2))², k = h/b."""
    hits = struck(rs.Body.box(0.4, 0.4, 0.4 * k), 0.05, 0.0, until=1.8)
    assert len(hits) >= 2
    for hit in hits:
        assert hit.share == pytest.approx(float(checked.PLANAR_R[k]), rel=1e-12)


@pytest.mark.parametrize("k", [3, 4, 5, 8])
def test_diagonal_impact_of_all_corners_at_once(k):
    """((4k² − 5)/(4k² + 7))²."""
    hit = struck(rs.Body.box(0.4, 0.4, 0.4 * k), 0.05, 45.0, until=0.5)[0]
    assert (hit.before[15], hit.after[15]) == (2, 0)  # to the opposite corner
    assert hit.share == pytest.approx(float(checked.DIAGONAL_AT_ONCE[k]), rel=1e-12)


@pytest.mark.parametrize("k", [3, 4, 5, 8])
def test_diagonal_impact_of_one_corner_first(k):
    """However little it is first: both impacts follow at once. In the limit, found from two small
    angles, the fractions are those of rational arithmetic."""
    shares = []
    for off in (2e-6, 1e-6):
        hits = struck(rs.Body.box(0.4, 0.4, 0.4 * k), 0.05, 45.0 - off, until=0.5, dt=FINE)
        shares.append([hit.share for hit in hits[:2]])
    limit = 2 * np.array(shares[1]) - np.array(shares[0])
    exact = [float(share) for share in checked.DIAGONAL_ONE_FIRST[k]]
    assert limit == pytest.approx(exact, rel=1e-9)
    assert limit.prod() == pytest.approx(checked.DIAGONAL_PRODUCT[k], abs=1e-9)


def test_eccentric_box():
    """Eta of the impact from the right edge to the left one, with the centre of mass off."""
    bx, by, h = checked.ECCENTRIC_SIZES
    body = rs.Body.box(2 * bx, 2 * by, 2 * h, offset=(checked.ECCENTRICITY, 0))
    hit = struck(body, 0.05, 0.0, until=0.9)[0]
    assert hit.after[10] / hit.before[10] == pytest.approx(checked.ECCENTRIC_ETA, rel=1e-13)


@pytest.mark.parametrize(("degrees", "share"), checked.UPLIFT.items())
def test_uplift_on_a_ramp(degrees, share):
    """Box 0.4 x 0.6 x 1.8 m lifts where the ramp reaches min(b_x/(h|cos|), b_y/(h|sin|)) g."""
    way = math.radians(degrees)
    exact = min(2 / 9 / max(abs(math.cos(way)), 1e-9), 1 / 3 / max(abs(math.sin(way)), 1e-9))
    assert exact == pytest.approx(share, abs=1e-6)
    ramp = np.linspace(0, 0.5 * 9.81, 101)
    motion = rs.Motion(ramp * math.cos(way), 0.01, transverse=ramp * math.sin(way))
    run = rs.simulate(rs.Body.box(0.4, 0.6, 1.8), motion, rs.Spatial(), until="motion")
    uplift = next(time for time, event, *_ in run.events if event == 1)
    assert uplift / 1.0 * 0.5 == pytest.approx(exact, rel=1e-14)


@pytest.mark.parametrize(("sizes", "wells"), checked.WELLS.items())
def test_wells(sizes, wells):
    """Energy to bring the centre of mass over an edge or a corner, over m g h."""
    bx, by, h = sizes
    body = rs.Body.box(2 * bx, 2 * by, 2 * h)
    ways = ((bx, 0.0), (by, 90.0), (math.hypot(bx, by), math.degrees(math.atan2(by, bx))))
    for (arm, direction), well in zip(ways, wells, strict=True):
        state = rs.Spatial().leaning(body, math.atan(arm / h), direction)
        energy = float(rs.Spatial().energy(body, np.array(state))) / (body.mass * body.g * h)
        assert energy == pytest.approx(math.hypot(arm, h) / h - 1, rel=1e-13)
        assert energy == pytest.approx(well, abs=6e-11)
        assert state[0] == pytest.approx(1.0, abs=1e-14)  # the lean there


@pytest.mark.parametrize(("sizes", "wells"), checked.WELLS.items())
@pytest.mark.parametrize("side", [-1, 1])
def test_wells_divide_return_from_fall(sizes, wells, side):
    """Pushed over an edge with a little less energy than its well it comes back, with more not."""
    bx, by, h = sizes
    body = rs.Body.box(2 * bx, 2 * by, 2 * h)
    for arm, direction, well in ((bx, 0.0, wells[0]), (by, 90.0, wells[1])):
        j = np.array(body.inertia)[1 if direction == 0 else 0].max() / body.mass + arm**2 + h**2
        rate = math.sqrt(2 * well * body.g * h / j) * (1 + side * 1e-4)
        state = rs.Spatial().start(body, 0.0, rate, direction)
        run = rs.simulate(body, rs.Motion(np.zeros(2), 0.01), Started(state=state), until=12.0)
        assert (run.status is rs.Status.OVERTURNED) == (side > 0)

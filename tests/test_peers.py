"""The benchmark against other programs: its closed form, its measuring and its tables.

Only SciPy and our own are run through everything here; each other peer has one short run where it
is installed.
"""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad

import rocksteady as rs
from rocksteady.errors import InputError

ROOT = Path(__file__).parents[1]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from benchmarks.peers import measure, ours, roster, scipy_ivp, space, tables  # noqa: E402
from benchmarks.peers.cases import (  # noqa: E402
    BLOCK,
    HALF_CYCLES,
    Case,
    FreeRocking,
    energy_of,
    free_rocking,
    generated_shaking,
)
from benchmarks.peers.history import History  # noqa: E402

GENERAL = ("mujoco_", "pymunk_", "pybullet_", "drake", "opensees")


@pytest.fixture(scope="module")
def cases():
    """One that stands and one that falls."""
    return [Case(f"seed {seed}", generated_shaking(seed)) for seed in (2, 5)]


@pytest.fixture(scope="module")
def outcomes(cases):
    ran = [(ours, ours.SETTINGS[0]), (ours, replace(ours.SETTINGS[1], runs=4))]
    ran += [(scipy_ivp, scipy_ivp.SETTINGS[i]) for i in (0, 2)]
    return [measure.measure(peer, "1.0", setting, cases) for peer, setting in ran]


# -- the closed form ------------------------------------------------------------------------------


@pytest.mark.parametrize("r", [BLOCK.r, 0.5, 1.0])
def test_half_periods_by_quadrature(r):
    """Elliptic integrals = ∫ dφ / φ' of the energy equation φ'² = 2 p² (cos φ0 − cos φ)."""
    exact = FreeRocking(r)
    for peak, half_period in zip(exact.peaks, exact.half_periods, strict=True):
        phi0 = BLOCK.alpha - peak
        # φ = φ0 + s² takes the root out of the denominator
        speed = lambda s, phi0=phi0: (  # noqa: E731
            2 * BLOCK.p * math.sqrt(math.sin(phi0 + s * s / 2) * math.sin(s * s / 2) / (s * s))
        )
        time, _ = quad(lambda s: 2 / speed(s), 0, math.sqrt(peak), epsabs=0, epsrel=1e-12)  # noqa: B023
        assert half_period == pytest.approx(2 * time, rel=1e-10)


def test_closed_form_peaks_lose_r_at_each_impact():
    energies = energy_of(FreeRocking(0.7).peaks)
    assert energies[1:] / energies[:-1] == pytest.approx(np.full(HALF_CYCLES, 0.7), rel=1e-12)


def test_release_touches_the_ground_with_its_corner():
    case = free_rocking()
    x, z = case.pose
    corner = BLOCK.width / 2
    # the centre of mass keeps its distance R from the corner, under the angle α − θ
    assert math.hypot(x - corner, z) == pytest.approx(BLOCK.R, rel=1e-14)
    assert math.atan2(corner - x, z) == pytest.approx(BLOCK.alpha - case.theta0, rel=1e-12)


# -- measuring -------------------------------------------------------------------------------------


def test_ours_and_scipy_meet_the_closed_form(outcomes):
    single, _, _, tight = outcomes
    assert single.free.periods < 1e-10  # a step of the series may leave out 5e-11 p
    assert tight.free.periods < 1e-9
    for one in (single, tight):
        assert one.free.r == pytest.approx(BLOCK.r, rel=1e-9)


def test_default_tolerance_is_seen(outcomes):
    """The benchmark tells a loose run from a tight one."""
    loose, tight = outcomes[2:]
    assert loose.free.periods > 1e3 * tight.free.periods
    assert loose.shaken.median > 1e3 * tight.shaken.median


def test_outcomes_and_peaks_under_records(outcomes):
    for one in outcomes:
        assert one.shaken.outcomes == {"generated": (2, 2)}
    single, many, _, tight = outcomes
    assert single.shaken.largest < 1e-10
    assert many.shaken.largest < 1e-10
    assert many.free is None
    assert tight.shaken.largest < 1e-6


def test_r_is_measured_from_samples():
    """A history with an r of its own, seen only through samples."""
    response = rs.simulate(
        BLOCK, rs.Motion(np.zeros(4501), 1e-3), rs.Housner(r=0.7), theta0=BLOCK.alpha / 2
    )
    found = measure.free_error(History(response.time, response.theta))
    assert found.r == pytest.approx(0.7, abs=1e-4)
    # a straight line over the kink at the impact misses it by up to 4 % of the step
    assert found.quarter < 1e-4
    assert found.periods > 0.05
    assert found.periods_own < 1e-3


def test_one_that_does_not_rock_has_no_error():
    time = np.linspace(0, 4, 400)
    assert measure.free_error(History(time, 0.1 * np.exp(-time))) is None


def test_a_wrong_outcome_counts(cases):
    lies = History(np.array([0.0, 1.0, 2.0]), np.array([0.0, 2.0, 2.0]))
    found = measure.shaken_error([lies, lies], cases, None)
    assert found.outcomes == {"generated": (1, 2)}
    assert math.isnan(found.median)


def test_nan_counts_as_fallen():
    assert History(np.array([0.0, 1.0]), np.array([0.0, np.nan])).fell


def test_midpoints_keep_the_impulse():
    """The sum over steps that divide a sample is the integral of the straight lines."""
    case = Case("", generated_shaking(1))
    steps = case.midpoints(1e-3)
    assert len(steps) == 10_000
    integral = np.trapezoid(case.motion.accel, dx=case.motion.dt)
    assert steps.sum() * 1e-3 == pytest.approx(integral, abs=1e-12)


# -- who is here -----------------------------------------------------------------------------------


def test_absent_peer_has_a_reason(monkeypatch):
    monkeypatch.setattr(scipy_ivp, "PACKAGE", "no-such-package-anywhere")
    found = roster.find("scipy_ivp")
    assert isinstance(found, roster.Absent)
    assert "no-such-package-anywhere is not installed" in found.reason


@pytest.mark.parametrize("file", GENERAL)
def test_peer_rocks_as_the_closed_form_says(file):
    """Tuned, at a step of a millisecond: the first impact to 2.5 % and r to 2 %."""
    found = roster.find(file)
    if isinstance(found, roster.Absent):
        pytest.skip(found.reason)
    setting = found.peer.SETTINGS[1]
    error = measure.free_error(found.peer.prepare(setting, free_rocking())())
    assert error.quarter < 0.025  # OpenSees: 1.9 %, its section is linear in the angle
    assert error.r == pytest.approx(BLOCK.r, rel=0.02)


# -- tables ----------------------------------------------------------------------------------------


def test_tables_have_a_row_per_setting(outcomes):
    free, shaken, settings = (
        make(outcomes) for make in (tables.free_sheet, tables.shaken_sheet, tables.settings_sheet)
    )
    assert [row[0] for row in free.rows] == ["rocksteady", "SciPy", "SciPy"]  # not the ensemble
    assert len(shaken.rows) == len(settings.rows) == 4
    assert free.rows[0][-1] == shaken.rows[0][-1] == "1"
    assert all(len(row) == len(sheet.columns) for sheet in (free, shaken) for row in sheet.rows)
    lines = shaken.markdown().splitlines()
    assert len({line.count("|") for line in lines}) == 1
    assert len(lines) == 2 + len(shaken.rows)
    assert shaken.rich().row_count == 4


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.25, "250 ms"), (3.0, "3 s"), (4.2e-5, "42 µs"), (5e-8, "50 ns"), (math.nan, "–")],
)
def test_seconds(value, text):
    assert tables.seconds(value) == text


@pytest.mark.parametrize(
    ("value", "ours", "text"),
    [(1.0, 1.0, "1"), (1234.0, 1.0, "1 200"), (0.5, 1.0, "0.5"), (1.0, None, "–")],
)
def test_ratio(value, ours, text):
    assert tables.ratio(value, ours) == text


def test_page_is_filled_twice_alike():
    page = "before\n<!-- peers:free -->\nold\n<!-- /peers:free -->\nafter\n"
    once = tables.fill(page, {"free": r"| new \1 |"})
    assert once == "before\n<!-- peers:free -->\n\n| new \\1 |\n\n<!-- /peers:free -->\nafter\n"
    assert tables.fill(once, {"free": r"| new \1 |"}) == once


def test_page_without_a_place_is_refused():
    with pytest.raises(InputError, match="0 places for 'free'"):
        tables.fill("nothing here", {"free": "x"})


def test_the_page_has_all_places():
    page = (ROOT / "docs" / "peers.md").read_text("utf-8")
    parts = dict.fromkeys(("free", "shaken", "settings", "machine"), "x")
    assert tables.fill(page, parts).count("\nx\n") == 4


def test_figure_shows_every_peer(outcomes, tmp_path):
    from benchmarks.peers.picture import draw

    from rocksteady.view.style import save_figure

    figure = draw(outcomes)
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["rocksteady", "SciPy"]
    assert save_figure(figure, tmp_path / "peers.png").stat().st_size > 10_000


# -- in space --------------------------------------------------------------------------------------


def test_attitudes_apart():
    R = space.leaning(0.3, 1.0)
    assert space.angle_between(R, R) == 0
    assert space.angle_between(R @ space.turned(1e-9), R) == pytest.approx(1e-9, rel=1e-6)
    assert space.angle_between(R @ space.turned(2.5), R) == pytest.approx(2.5, rel=1e-12)


def test_release_stands_on_its_corner():
    start = space.release().start
    corners = [start.centre + start.R @ [x, y, -0.9] for x, y in space.BOX.base]
    assert corners[2] == pytest.approx([0.225, 0.225, 0.0], abs=1e-15)
    assert min(corner[2] for corner in corners) == pytest.approx(0, abs=1e-15)
    assert math.atan2(start.R[1, 2], start.R[0, 2]) == pytest.approx(math.radians(30))


def test_precession_is_steady():
    """Its contact stands still, and energy and attitude come back after a turn."""
    flight = space.wobble()
    start = flight.start
    contact = start.R @ [0.225, 0.0, -0.9]
    assert start.velocity + np.cross(start.spin, contact) == pytest.approx(np.zeros(3), abs=1e-15)
    assert space.precession(space.CYLINDER, 0.1) == pytest.approx(3.4323694615675, rel=1e-13)
    assert flight.exact(0.0) == pytest.approx(start.R, abs=1e-15)
    assert flight.exact(flight.duration) == pytest.approx(start.R, abs=1e-15)
    # spin from the attitude: dR/dt = spin × R
    rate = (flight.exact(1e-6) - flight.exact(-1e-6)) / 2e-6
    assert rate == pytest.approx(np.cross(start.spin, start.R.T).T, abs=1e-8)


@pytest.mark.parametrize("file", ["ours", "mujoco_", "pybullet_", "drake"])
def test_body_in_space(file):
    """Ours meets SciPy's attitude; tuned ones at a millisecond come near."""
    found = roster.find(file)
    if isinstance(found, roster.Absent):
        pytest.skip(found.reason)
    own = file == "ours"
    setting = found.peer.SETTINGS[0 if own else 1]
    for flight in (space.release(), space.wobble()):
        end = found.peer.prepare_body(setting, flight)()
        error = space.angle_between(end.R, flight.exact(end.time))
        kept = end.energy(flight.body) / flight.start.energy(flight.body)
        assert error < (1e-9 if own else 0.05), flight.name
        assert kept == pytest.approx(flight.kept, abs=1e-8 if own else 0.01), flight.name


def test_tables_in_space():
    error = space.SpaceError(2e-3, 0.83, 1e-3)
    rows = [
        space.SpaceOutcome(name, "1", ours.SETTINGS[0], error, replace(error, seconds=times * 1e-3))
        for name, times in (("rocksteady", 1), ("MuJoCo", 50))
    ]
    released, wobbling = tables.space_sheets(rows)
    assert released.rows[0] == ("rocksteady", "default", "0.002", "0.830000", "1 ms", "1")
    assert wobbling.rows[1][-1] == "50"
    page = (ROOT / "docs" / "peers.md").read_text("utf-8")
    assert "rocksteady | default | 0.002" in tables.fill(page, tables.space_words(rows, "here"))

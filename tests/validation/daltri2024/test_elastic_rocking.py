"""Free rocking of the elastic block: the proof of concept and Figs. 2 to 5 and 8 of the paper, and
the table of r that independent code gave for the same rule."""

import math
from functools import cache

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.body_history import body_history, impact_history
from rocksteady.analysis.decay.measure import measure_r
from rocksteady.analysis.decay.swings import decay_error, swings
from rocksteady.errors import InputError
from rocksteady.theories.dissipation.elastic import block as elastic
from rocksteady.theories.dissipation.elastic.mesh import Mesh
from rocksteady.theories.dissipation.formulation import NumericalDissipation
from rocksteady.view.contact import plot_impact, plot_stress
from validation.daltri2024.elastic_reference import times_stiffness
from validation.daltri2024.hht_reference import NEWMARK

COLUMN = rs.Block(4.2, 0.6)  # the block of Figs. 2 to 5 and 8


@cache
def release(block, share=0.5, duration=40.0, **options):
    how = NumericalDissipation(**({"body": "elastic"} | options))
    return rs.simulate(block, None, how, theta0=share * block.alpha, duration=duration)


# -- the paper -------------------------------------------------------------------------------------


def test_figure_2_proof_of_concept():
    """k_n = 5e8, Δt = 0.013 s: half periods and peaks follow r = 0.94 down to 5 % of θ_0."""
    run = release(COLUMN, dt=0.013)
    error = math.hypot(*decay_error(swings(run.time, run.theta), COLUMN, 0.94))
    assert error < 0.05
    found = measure_r(run)
    assert found.r == pytest.approx(0.94, abs=0.003)
    assert found.error < 0.04
    assert run.column("cuts")[-1] == 0


def test_figure_4_the_step_sets_the_loss_and_nothing_else():
    """Half and double the step: another loss, the same half period over amplitude (Fig. 4c)."""
    r = []
    for dt in (0.0065, 0.013, 0.026):
        run = release(COLUMN, dt=dt)
        found = swings(run.time, run.theta)
        peaks, periods = found.peaks[:-1] / COLUMN.alpha, found.half_periods
        large = peaks > 0.2
        assert large.sum() > 6
        curve = 2 / COLUMN.p * np.arccosh(1 / (1 - peaks[large]))
        np.testing.assert_allclose(periods[large], curve, rtol=0.02)
        r.append(measure_r(run, impacts=6).r)
    assert r[0] > r[1] + 0.02 > r[2] + 0.06


def test_figure_5_amplitude_does_not_matter():
    """θ_0/α from 0.2 to 0.8 with the same step: r within 0.015 of its value at 0.5, over six
    impacts and over the whole decay."""
    for impacts in (6, None):
        values = {
            share: measure_r(release(COLUMN, share, dt=0.013), impacts=impacts).r
            for share in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
        }
        assert max(abs(r - values[0.5]) for r in values.values()) < 0.015


@pytest.mark.slow
def test_figure_8_steps_with_a_small_error():
    """Case HB7_R2.12_k2.5: e_G ≤ 10 % for 10–17 ms (r = 0.95) and 26–40 ms (r = 0.88)."""
    steps = range(1, 41)
    runs = {ms: release(COLUMN, k_n=2.5e8, dt=ms * 1e-3, duration=60.0) for ms in steps}
    found = {ms: swings(run.time, run.theta) for ms, run in runs.items()}
    for r, first, last in ((0.95, 10, 17), (0.88, 26, 40)):
        good = [ms for ms in steps if math.hypot(*decay_error(found[ms], COLUMN, r)) <= 0.1]
        assert good == list(range(good[0], good[-1] + 1))
        assert abs(good[0] - first) <= 1
        assert abs(good[-1] - last) <= 1


# -- independent code ------------------------------------------------------------------------------

TABLE = [  # 2h, 2b, k_n, Δt, r with E = 1e10
    (4.2, 0.6, 2.5e8, 0.01, 0.964),
    (4.2, 0.6, 25e8, 0.01, 0.946),
    (6.0, 0.6, 10e8, 0.01, 0.971),
    (12.0, 1.2, 25e8, 0.02, 0.958),
    (2.4, 0.6, 2.5e8, 0.02, 0.847),
    (2.4, 0.6, 25e8, 0.01, 0.845),
    (7.2, 1.8, 25e8, 0.01, 0.902),
]


@pytest.mark.parametrize(("height", "width", "k_n", "dt", "r"), TABLE)
def test_table_of_r(height, width, k_n, dt, r):
    """r over six impacts, θ_0 = α/2, density 2600, μ = 1, k_t = k_n, points every 0.1 m."""
    run = release(rs.Block(height, width), k_n=k_n, dt=dt, E=1e10, duration=15.0)
    assert measure_r(run, impacts=6).r == pytest.approx(r, abs=0.015)


def test_without_lagged_forces_there_is_no_such_loss():
    """The elastic body confirms the virial: it loses what the rigid body loses with it, and not
    what the rigid body loses without."""
    elastic_r = measure_r(release(COLUMN, dt=0.013), impacts=6).r
    with_it = measure_r(release(COLUMN, dt=0.013, body="rigid"), impacts=6).r
    without = measure_r(release(COLUMN, dt=0.013, body="rigid", **NEWMARK), impacts=6).r
    assert abs(elastic_r - with_it) < 0.002
    assert abs(elastic_r - without) > 0.005


def test_stocky_blocks_on_stiff_beds_bounce():
    """h/b = 4 on 25e8: with ever smaller steps r does not go to 1, and the base leaves the bed."""
    stocky, slender = rs.Block(2.4, 0.6), rs.Block(6.0, 0.6)
    r, air = {}, {}
    for block in (stocky, slender):
        run = release(block, k_n=25e8, dt=0.0005, duration=6.0)
        r[block] = measure_r(run, impacts=3).r
        air[block] = (run.column("normal force") == 0).sum()
    assert r[slender] > 0.99
    assert r[stocky] < 0.975
    assert air[stocky] > 0
    assert air[slender] == 0


def test_the_growing_rows_do_not_matter(monkeypatch):
    """Rows of equal height give the same decay."""
    graded = measure_r(release(COLUMN, dt=0.013), impacts=6).r
    monkeypatch.setattr(elastic, "mesh_of", cache(lambda *body: Mesh(*body, growth=1.0)))
    how = NumericalDissipation(body="elastic", dt=0.013)
    run = rs.simulate(COLUMN, None, how, theta0=COLUMN.alpha / 2, duration=10.0)
    assert len(elastic.mesh(how, COLUMN).y) == 43
    assert measure_r(run, impacts=6).r == pytest.approx(graded, abs=2e-4)


# -- pressure and stress ---------------------------------------------------------------------------


def test_figure_3_pressure_through_the_first_impact():
    """On the lower corner at the release (A); spread over more than half of the base around θ = 0
    (C, D), largest at opposite corners; on the other corner afterwards (E)."""
    run = release(COLUMN, dt=0.013)
    impact = run.impacts.time[0]
    history = body_history(run, (0.0, 2 * impact))
    after = int(np.searchsorted(history.time, impact))
    at_release, before, behind = history.pressure[[0, after - 1, after]]
    assert np.flatnonzero(at_release).tolist() == [6]
    for pressure, corner in ((before, 6), (behind, 0)):
        assert (pressure > 0).sum() >= 4
        assert np.argmax(pressure) == corner
    assert np.flatnonzero(history.pressure[-1]).max() <= 1
    total = (history.pressure * history._areas).sum(axis=1)
    np.testing.assert_allclose(total, run.column("normal force")[: len(total)], rtol=1e-9)
    cone = np.abs(history.friction) <= history.pressure * (1 + 1e-9)
    assert cone.all()


def test_the_history_is_the_same_run():
    run = release(COLUMN, dt=0.013)
    whole, part = body_history(run, (0.0, 1.0)), body_history(run, (0.5, 0.7), every=2)
    rows = np.searchsorted(whole.samples, part.samples)
    np.testing.assert_array_equal(part.pressure, whole.pressure[rows])
    np.testing.assert_array_equal(part.stress, whole.stress[rows])
    energy = [d.ravel() @ times_stiffness(whole.mesh, d.ravel()) / 2 for d in whole.displacement]
    np.testing.assert_allclose(energy, run.column("strain energy")[whole.samples], rtol=1e-6)


def test_figures(tmp_path):
    run = release(COLUMN, dt=0.013)
    rigid = release(COLUMN, dt=0.013, body="rigid")
    figure = impact_history(run, 1).plot(tmp_path / "impact.png", reference=rigid)
    assert (tmp_path / "impact.png").stat().st_size > 20_000
    _, _, profile, carpet = figure.axes[:4]
    assert len(profile.get_lines()) == 5
    assert carpet.get_ylabel() == "time from the impact [ms]"
    history = body_history(run, (0.6, 0.8))
    figure = plot_stress(history, (0, 5, 10), tmp_path / "stress.svg", component="xy")
    assert [axes.get_title() for axes in figure.axes[:3]] == [
        f"{history.time[row]:.3f} s" for row in (0, 5, 10)
    ]
    assert figure.axes[-1].get_ylabel() == r"$\tau_{xy}$ [MPa]"  # a shear is no tension
    with pytest.raises(InputError, match="impact = 999 does not exist"):
        impact_history(run, 999)
    with pytest.raises(InputError, match=r"impact_history\(response, impact=0\)\.plot"):
        plot_impact(run)
    with pytest.raises(InputError, match="component = 'z'"):
        plot_stress(history, component="z")

"""Free rocking by numerical dissipation: the figures of sections 2.3 and 3, and the table of r that
independent code gave for the same rule."""

import math
from functools import cache

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.decay.measure import measure_r
from rocksteady.analysis.decay.swings import decay_error, swings
from rocksteady.theories.dissipation.formulation import NumericalDissipation
from validation.daltri2024.hht_reference import NEWMARK

COLUMN = rs.Block(4.2, 0.6)  # the block of Figs. 2 to 5 and 8


@cache
def release(block, share=0.5, duration=40.0, **options):
    how = NumericalDissipation(**options)
    return rs.simulate(block, None, how, theta0=share * block.alpha, duration=duration)


TABLE = [  # 2h, 2b, k_n, Δt, r plain rigid with 5 points, r HHT-rigid with points every 0.1 m
    (4.2, 0.6, 2.5e8, 0.01, 0.970, 0.963),
    (4.2, 0.6, 25e8, 0.01, 0.945, 0.937),
    (6.0, 0.6, 10e8, 0.01, 0.974, 0.968),
    (12.0, 1.2, 25e8, 0.02, 0.960, 0.953),
    (2.4, 0.6, 2.5e8, 0.02, 0.863, 0.837),
    (2.4, 0.6, 25e8, 0.01, 0.820, 0.848),
    (7.2, 1.8, 25e8, 0.01, 0.870, 0.891),
]


@pytest.mark.parametrize(("height", "width", "k_n", "dt", "plain", "hht"), TABLE)
def test_table_of_r(height, width, k_n, dt, plain, hht):
    """r over six impacts from θ_0 = α/2, density 2600, μ = 1, k_t = k_n."""
    block = rs.Block(height, width)
    run = release(block, k_n=k_n, dt=dt)
    assert measure_r(run, impacts=6).r == pytest.approx(hht, abs=0.015)
    five_points = release(block, k_n=k_n, dt=dt, **NEWMARK, spacing=width)
    assert measure_r(five_points, impacts=6).r == pytest.approx(plain, abs=0.015)
    assert run.column("cuts")[-1] == five_points.column("cuts")[-1] == 0


def test_figure_2_proof_of_concept():
    """r = 0.94 with k_n = 5e8 and Δt = 0.013 s, decay to 5 % of θ_0."""
    found = measure_r(release(COLUMN, dt=0.013))
    assert found.r == pytest.approx(0.94, abs=0.005)
    assert found.error < 0.05


def test_figure_4_the_step_sets_the_loss_and_nothing_else():
    """Larger steps lose more; half period over amplitude lies on one curve for all (Fig. 4c)."""
    r = []
    for dt in (0.007, 0.013, 0.026):
        run = release(COLUMN, dt=dt)
        found = swings(run.time, run.theta)
        peaks, periods = found.peaks[:-1] / COLUMN.alpha, found.half_periods
        large = peaks > 0.2
        curve = 2 / COLUMN.p * np.arccosh(1 / (1 - peaks[large]))
        assert large.sum() > 6
        np.testing.assert_allclose(periods[large], curve, rtol=0.035)
        r.append(measure_r(run, impacts=6).r)
    assert r[0] > r[1] + 0.02 > r[2] + 0.06


def test_figure_5_amplitude_does_not_matter():
    values = [
        measure_r(release(COLUMN, a, dt=0.013), impacts=6).r for a in (0.3, 0.4, 0.5, 0.6, 0.8)
    ]
    assert max(values) - min(values) < 0.01


def test_figure_8_steps_with_a_small_error():
    """Case HB7_R2.12_k2.5: e_G ≤ 10 % for 10–17 ms (r = 0.95) and 26–40 ms (r = 0.88); the paper
    prints ten times that, and r = 0.95 twice. Independent code gave 11–16 and 27–40."""
    steps = range(1, 41)
    runs = {ms: release(COLUMN, k_n=2.5e8, dt=ms * 1e-3, duration=60.0) for ms in steps}
    found = {ms: swings(run.time, run.theta) for ms, run in runs.items()}

    def small(r):
        return [ms for ms in steps if math.hypot(*decay_error(found[ms], COLUMN, r)) <= 0.1]

    for r, first, last in ((0.95, 10, 17), (0.88, 26, 40)):
        good = small(r)
        assert good == list(range(good[0], good[-1] + 1))
        assert abs(good[0] - first) <= 1
        assert abs(good[-1] - last) <= 1


def test_smaller_steps_lose_less():
    """Eq. 6: r → 1 as Δt → 0 for a slender block; what one impact takes of the energy falls, though
    less than linearly: some of it goes into vibration of the bed, which then dies out."""
    slender = rs.Block(6.0, 0.6)
    steps = 0.01 / 2 ** np.arange(6)
    lost = []
    for dt in steps:
        run = release(slender, k_n=25e8, dt=float(dt), duration=4.0)
        first, second = swings(run.time, run.theta).passages[:2]
        lost.append(1 - run.energy[np.searchsorted(run.time, (first + second) / 2)] / run.energy[0])
    assert np.all(np.diff(lost) < 0)
    assert 0.6 < np.polyfit(np.log(steps), np.log(lost), 1)[0] < 1.0
    assert lost[-1] < 0.003


def test_between_impacts_the_lagged_forces_keep_the_energy():
    """γ > 1/2 damps what is stiff and drives what is negatively stiff, as a leaning block is. The
    lagged internal forces undo that to first order (γ = 1/2 − α_H); plain Newmark gains about
    (γ − 1/2) p² I ω² Δt² per step on the way down."""
    dt, gamma = 0.013, math.sqrt(2) - 0.5
    gain = {}
    for name, options in {"hht": {}, "newmark": NEWMARK}.items():
        run = release(COLUMN, dt=dt, **options)
        gain[name] = np.diff(run.energy)
        assert 0 <= run.energy[-1] < 1e-3 * run.energy[0]
    assert gain["hht"].max() < 1e-6 * run.energy[0]
    swing = slice(10, 35)  # 0.13 to 0.46 s, before the first impact
    side, omega = COLUMN.right, run.omega[1:][swing]
    expected = (gamma - 0.5) * side.inertia * (side.p * omega * dt) ** 2
    np.testing.assert_allclose(gain["newmark"][swing].sum(), expected.sum(), rtol=0.1)


def test_first_impact_and_swing_as_in_classical_rocking():
    """On a stiff bed with a small step, until the first impact: Housner's nonlinear block."""
    run = release(COLUMN, k_n=1e11, dt=0.0005, duration=2.0)
    classical = rs.simulate(
        COLUMN, rs.Motion.zeros(2.0, 0.0005), theta0=COLUMN.alpha / 2, duration=2.0
    )
    swing = run.time < classical.impacts.time[0]
    assert np.abs(run.theta - classical.theta)[swing].max() < 2e-3 * COLUMN.alpha
    first = swings(run.time, run.theta).passages[0]
    assert first == pytest.approx(classical.impacts.time[0], rel=2e-3)

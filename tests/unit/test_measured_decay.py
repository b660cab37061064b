"""Swings and r from histories with noise, as tests give them; decay of runs that are cut short."""

import math
from functools import cache

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.decay import measured_swings, swings
from rocksteady.analysis.decay_noise import noise_of
from rocksteady.errors import InputError

COLUMN = rs.Block(4.2, 0.6)
SOFT = (rs.NumericalDissipation(dt=0.01), rs.RigidBodySpring())


@cache
def released(r, dt, block=COLUMN, seconds=40.0):
    """Time [s] and θ [rad] of a block let go from half of α."""
    quiet = rs.Motion(np.zeros(round(seconds / dt)), dt)
    run = rs.simulate(block, quiet, rs.Housner(r=r), theta0=block.alpha / 2)
    return run.time, run.theta


def with_noise(theta, share, seed=0):
    noise = np.random.default_rng(seed).normal(0.0, share * COLUMN.alpha, len(theta))
    return theta + noise


# -- r from a test ---------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [1e-4, 1e-3, 5e-3])  # of α
@pytest.mark.parametrize("dt", [0.005, 0.001, 0.0002])
@pytest.mark.parametrize("r", [0.6, 0.8, 0.95])
def test_noise_does_not_change_r(r, dt, share):
    """Sampled more often it passes zero more often, and nothing else may change. (Of the linear
    closed forms themselves r is 0.001 off at r = 0.6.)"""
    time, theta = released(r, dt)
    without = rs.measure_r((time, theta), COLUMN).r
    for seed in range(3):
        found = rs.measure_r((time, with_noise(theta, share, seed)), COLUMN)
        assert found.r == pytest.approx(without, abs=0.002)
        assert found.error < 0.02


def test_coarse_readings_do_not_change_r():
    """A sensor that tells θ in steps of 0.4 % of α has noise that is not independent."""
    time, theta = released(0.9, 0.001)
    step = 0.004 * COLUMN.alpha
    found = rs.measure_r((time, np.round(theta / step) * step), COLUMN)
    assert found.r == pytest.approx(0.9, abs=0.001)


def test_without_noise_nothing_changes():
    for r in (0.3, 0.7, 0.95):
        time, theta = released(r, 0.005)
        plain, ours = swings(time, theta), measured_swings(time, theta)
        n = int(np.sum(plain.peaks > 0.005 * plain.peaks[0])) - 1
        np.testing.assert_array_equal(ours.passages[:n], plain.passages[:n])
        np.testing.assert_array_equal(ours.peaks[:n], plain.peaks[:n])
        np.testing.assert_array_equal(ours.at[:n], plain.at[:n])


def test_only_swings_above_the_noise_are_compared():
    """2 % of α: a swing must be seen to lean by 0.1 α, of which noise may be 0.06 α."""
    time, theta = released(0.85, 0.002)
    found = rs.measure_r((time, with_noise(theta, 0.02)), COLUMN)
    heights = swings(time, theta).peaks / COLUMN.alpha
    assert 8 <= found.impacts <= np.sum(heights > 0.04)
    assert found.r == pytest.approx(0.85, abs=0.005)


def test_noise_is_read_off_the_record():
    _, theta = released(0.9, 0.005)
    assert noise_of(theta) < 1e-7 * COLUMN.alpha
    for share in (1e-4, 1e-2):
        told = noise_of(with_noise(theta, share))
        assert told == pytest.approx(share * COLUMN.alpha, rel=0.05)


def test_a_stray_reading_long_after_the_end_is_no_swing():
    time, theta = released(0.5, 0.002)
    stray = with_noise(theta, 0.002, seed=4)
    stray[-2000:-1990] = -0.04 * COLUMN.alpha * np.sign(stray[0])
    stray[-1000:-990] = 0.04 * COLUMN.alpha * np.sign(stray[0])
    assert rs.measure_r((time, stray), COLUMN).r == pytest.approx(0.5, abs=0.005)


@pytest.mark.parametrize("impacts", [0, -1, 2.5, "3", math.inf, math.nan])
def test_impacts_are_a_whole_number(impacts):
    with pytest.raises(InputError, match="whole number"):
        rs.measure_r(released(0.9, 0.005), COLUMN, impacts=impacts)


def test_a_run_beyond_its_balance_point_is_not_in_degrees():
    run = rs.simulate(COLUMN, theta0=1.1 * COLUMN.alpha)
    with pytest.raises(InputError, match="Begin where it is let go"):
        rs.measure_r(run)


# -- decay on a soft bed ---------------------------------------------------------------------------


@pytest.mark.parametrize("how", SOFT, ids=lambda how: how.name)
def test_r_of_a_swing_that_has_not_turned_is_not_known(how):
    """Cut 0.05 s after the fourth impact, the block is still rising."""
    whole = rs.simulate(COLUMN, None, how, theta0=COLUMN.alpha / 2)
    end = float(whole.impacts.time[3]) + 0.05
    cut = rs.simulate(COLUMN, None, how, theta0=COLUMN.alpha / 2, duration=end).decay()
    np.testing.assert_array_equal(cut.r[:3], whole.decay().r[:3])
    assert len(cut) == 4
    assert math.isnan(cut.r[3])


@pytest.mark.parametrize("how", SOFT, ids=lambda how: how.name)
def test_a_pushed_block_on_a_soft_bed(how):
    """Not let go: the first swing lasts as long as it lasts, from the start to the first impact;
    and while the ground works on it two peaks say nothing about the impact between them."""
    push = rs.pulses.sine(amplitude=2.0, period=0.7, dt=0.01)
    run = rs.simulate(COLUMN, push, how)
    found = run.decay()
    assert len(found) > 3
    assert found.half_period[0] == pytest.approx(run.impacts.time[0])
    shaken = run.impacts.time < push.duration
    assert shaken.any()
    assert np.isnan(found.r[shaken]).all()
    later = found.r[run.impacts.time > push.duration + found.half_period.max()]
    assert ((later > 0) & (later < 1)).all()
    assert len(later)

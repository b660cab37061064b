"""The error of the time step of runs of stones, bounded by halving it."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.analysis.stones import step_error
from rocksteady.errors import heard

G = 9.81


def noise(rng, peak, dt=0.005, seconds=2.0):
    """Noise from 0.8 to 4 Hz, its largest value ``peak`` [m/s²]."""
    time = np.arange(round(seconds / dt) + 1) * dt
    rates = 2 * np.pi * rng.uniform(0.8, 4.0, 40)
    wave = np.sin(time[:, None] * rates + rng.uniform(0, 2 * np.pi, 40)).sum(axis=1)
    wave *= np.minimum(1, time / 0.5)
    return rs.Motion(wave * peak / np.abs(wave).max(), dt)


def bounded(seed):
    """Whether the bound of a random run is above its error, against a step 16 times shorter."""
    rng = np.random.default_rng(seed)
    made = (
        lambda: rs.Assembly.drums(int(rng.integers(1, 5)), 3.0, rng.uniform(0.5, 1.5),
                                  friction=rng.uniform(0.2, 1.0)),
        lambda: rs.Assembly.portal(0.5, 2.0, 4.0, 0.4, friction=rng.uniform(0.3, 1.0)),
        lambda: rs.Assembly.pedestal((0.5, 1.5), (0.9, 1.0), friction=rng.uniform(0.2, 1.0)),
    )  # fmt: skip
    assembly, motion = made[seed % 3](), noise(rng, rng.uniform(0.2, 1.0) * G)
    how = rs.BlockDynamics()
    run = rs.simulate(assembly, motion, how, until="motion")
    fine = rs.simulate(
        assembly, motion, rs.BlockDynamics(step=motion.dt / 16), until=float(run.time[-1])
    )
    count = min(len(run.time), len(fine.time))
    off = np.abs(how.poses(assembly, run.states[:count]) - how.poses(assembly, fine.states[:count]))
    bound = step_error(run)
    place, turn = np.hypot(off[..., 0], off[..., 1]).max(), off[..., 2].max()
    return place <= bound.displacement + 1e-9 and turn <= bound.turn + 1e-9


@pytest.mark.parametrize("runs", [20, pytest.param(100, marks=pytest.mark.slow)])
def test_the_bound_holds_in_95_of_100_random_runs(runs):
    assert sum(map(bounded, range(runs))) >= 0.95 * runs


def test_the_second_run_warns_nobody():
    """Its residuals are no matter of the first run."""
    stones = rs.Assembly.drums(2, 2.0, 0.5)
    motion = rs.pulses.sine(amplitude=3.0, period=0.8)
    run = rs.simulate(stones, motion.with_transverse(0.1 * motion.accel), until=0.1)
    assert run.warnings
    with heard() as said:
        step_error(run)
    assert said == []


def test_its_sentence():
    block = rs.Assembly.drums(1, 0.5, 1.0, friction=0.3)
    run = rs.simulate(block, rs.pulses.sine(amplitude=5.0, period=0.8))
    bound = step_error(run)
    assert bound.settled and not run.fell
    assert bound.step <= 0.005
    assert bound.displacement < 1e-5
    assert "places err by less than" in bound.sentence

"""How fast the nonsmooth block is: nanoseconds per sample, and against SciPy in the same run.

    make bench

SciPy (`tests/reference.py`) solves the same model at ε = 0 with sticking contacts, by DOP853
between events; both are measured one after the other on the same machine.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

import rocksteady as rs
from reference import solve
from rocksteady.engine.drivers import make_trace

BLOCK = rs.Block.from_parameters(p=1.5, alpha=0.25)
SAMPLES, DT = 3001, 0.01
TANK = rs.FlexibleOscillator(10.0, 2.0, 1e4, 2e4, 1e4, natural_frequency=5.0, damping_ratio=0.01)
CASES = {
    "sticking": (BLOCK, rs.Nonsmooth()),
    "bouncing": (BLOCK, rs.Nonsmooth(epsilon=0.5)),
    "friction": (BLOCK, rs.Nonsmooth(epsilon=0.0, friction=0.4)),
    "flexible": (TANK, rs.Nonsmooth()),
}


def shaking() -> rs.Motion:
    """30 s of filtered noise that keeps the bodies rocking without overturning them."""
    rng = np.random.default_rng(1)
    knots = rng.standard_normal(SAMPLES // 12 + 2)
    noise = np.interp(np.arange(SAMPLES), 12 * np.arange(len(knots)), knots)
    envelope = np.minimum(1, np.arange(SAMPLES) / 200)
    return rs.Motion(noise * envelope / np.abs(noise).max() * 5.0, DT)


def setup(system, how):
    motion = shaking()
    state = how.start(system)
    run = make_trace(how.advance_for(system))
    arrays = np.array(motion.accel), np.zeros(len(motion))
    return run, (state, how.parameters(system), arrays, DT, 0.0, np.empty((SAMPLES, len(state))))


@pytest.mark.parametrize("case", CASES)
def test_thirty_seconds(benchmark, case):
    """30 s at 0.01 s, every sample and event recorded: at most 3 ms."""
    run, arguments = setup(*CASES[case])
    rows, events, _ = benchmark(run, *arguments)
    assert rows == SAMPLES
    seconds = benchmark.stats["min"]
    benchmark.extra_info.update(ns_per_sample=round(seconds / SAMPLES * 1e9, 1), events=len(events))
    assert seconds < 3e-3


def test_ratio_to_scipy(benchmark):
    """At least 300 times faster than solve_ivp (DOP853, rtol 1e-10) at equal accuracy."""
    run, arguments = setup(*CASES["sticking"])
    rows, events, _ = benchmark(run, *arguments)
    start = time.perf_counter()
    reference = solve(BLOCK, arguments[2], DT, rtol=1e-10)
    scipy_seconds = time.perf_counter() - start
    impacts = events[events[:, 1] == 3]
    assert rows == SAMPLES
    times = np.array([impact[0] for impact in reference.impacts])
    np.testing.assert_allclose(impacts[:10, 0], times[:10], atol=1e-6)
    ratio = scipy_seconds / benchmark.stats["min"]
    benchmark.extra_info.update(ratio_to_scipy=round(ratio), scipy_seconds=round(scipy_seconds, 3))
    print(f"\n{ratio:.0f} times faster than SciPy; {len(impacts)} impacts")
    assert ratio > 300

"""How fast one rocking block is: nanoseconds per sample, and against SciPy in the same run.

    make bench

The ratio is what counts: both are measured one after the other on the same machine.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

import rocksteady as rs
from reference import solve
from rocksteady.engine.drivers import make_peaks, make_trace

BLOCK = rs.Block.from_parameters(p=1.5, alpha=0.25)
SAMPLES, DT = 3001, 0.01


def shaking() -> rs.Motion:
    """30 s of filtered noise that keeps the block rocking without overturning it."""
    rng = np.random.default_rng(1)
    knots = rng.standard_normal(SAMPLES // 12 + 2)
    noise = np.interp(np.arange(SAMPLES), 12 * np.arange(len(knots)), knots)
    envelope = np.minimum(1, np.arange(SAMPLES) / 200)
    return rs.Motion(noise * envelope / np.abs(noise).max() * 6.0, DT)


def setup(formulation=None):
    how = formulation or rs.Housner()
    motion = shaking()
    arrays = np.array(motion.accel), np.zeros(len(motion))
    return how.start(BLOCK), how.parameters(BLOCK), arrays, how.advance_for(BLOCK)


@pytest.mark.parametrize("slender", [False, True], ids=["nonlinear", "slender"])
@pytest.mark.parametrize("make", [make_peaks, make_trace], ids=["peaks", "trace"])
def test_driver(benchmark, make, slender):
    state, params, ground, advance = setup(rs.Housner(slender=slender))
    run = make(advance)
    more = (0.0, np.empty((SAMPLES, len(state)))) if make is make_trace else ()
    result = benchmark(run, state, params, ground, DT, *more)
    assert len(result) >= 3
    benchmark.extra_info["ns_per_sample"] = round(benchmark.stats["min"] / SAMPLES * 1e9, 1)


def test_whole_call(benchmark):
    """rs.simulate with everything around the kernel."""
    motion = shaking()
    response = benchmark(rs.simulate, BLOCK, motion, duration=motion.duration)
    assert response.status is not rs.Status.OVERTURNED


def test_ratio_to_scipy(benchmark):
    """At least 300 times faster than solve_ivp (DOP853, rtol 1e-10) at equal or better accuracy."""
    state, params, ground, advance = setup()
    run = make_peaks(advance)
    result = benchmark(run, state, params, ground, DT)
    start = time.perf_counter()
    reference = solve(BLOCK, ground[0], DT, rtol=1e-10)
    scipy_seconds = time.perf_counter() - start
    peak = max(result[2], -result[3]) / BLOCK.alpha
    assert len(reference.impacts) == result[5]
    assert abs(peak - reference.peak) < 1e-8
    ratio = scipy_seconds / benchmark.stats["min"]
    benchmark.extra_info.update(
        ratio_to_scipy=round(ratio),
        peak_difference=abs(peak - reference.peak),
        scipy_seconds=round(scipy_seconds, 3),
        impacts=result[5],
    )
    print(f"\n{ratio:.0f} times faster than SciPy; {result[5]} impacts, peak {peak:.6f} both")
    assert ratio > 300

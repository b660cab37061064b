"""How fast one step of the block on its bed is, and against the same model by NumPy and SciPy.

    make bench

Both are measured one after the other on the same machine: the ratio is what counts.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.engine.drivers import make_peaks, make_trace
from rocksteady.theories.dissipation.formulation import NumericalDissipation
from validation.daltri2024.hht_reference import rigid

CASES = {  # block, k_n [N/m³], Δt [s]
    "4.2 x 0.6 m": (rs.Block(4.2, 0.6), 5e8, 0.013),
    "2.4 x 0.6 m, stiff": (rs.Block(2.4, 0.6), 25e8, 0.01),
    "7.2 x 1.8 m, 19 springs": (rs.Block(7.2, 1.8), 25e8, 0.01),
}


def shaking(block: rs.Block, dt: float) -> rs.Motion:
    """30 s of filtered noise that keeps the block rocking without overturning it."""
    samples = int(30 / dt)
    knots = np.random.default_rng(7).standard_normal(samples // 8 + 2)
    noise = np.interp(np.arange(samples), 8 * np.arange(len(knots)), knots)
    envelope = np.minimum(1, np.arange(samples) / 200)
    strength = 1.6 * block.g * np.tan(block.alpha)
    return rs.Motion(noise * envelope / np.abs(noise).max() * strength, dt)


def setup(case):
    block, k_n, dt = CASES[case]
    how, motion = NumericalDissipation(k_n=k_n, dt=dt), shaking(block, dt)
    arrays = np.array(motion.accel), np.zeros(len(motion))
    return block, how, arrays, dt, make_peaks(how.advance_for(block))


@pytest.mark.parametrize("case", CASES)
def test_step(benchmark, case):
    """At most 1.5 µs per step."""
    block, how, ground, dt, run = setup(case)

    def fresh():  # the anchors of the springs live in the parameters
        return (how.start(block), how.parameters(block), ground, dt), {}

    result = benchmark.pedantic(run, setup=fresh, rounds=50, warmup_rounds=1)
    steps, last = len(ground[0]) - 1, result[0]
    assert result[1] == pytest.approx(steps * dt)  # it stands to the end
    assert max(result[2], -result[3]) > 0.1 * block.alpha
    ns = benchmark.stats["min"] / steps * 1e9
    benchmark.extra_info.update(
        ns_per_step=round(ns), iterations_per_step=round(last[15] / steps, 2), cuts=last[16]
    )
    print(f"\n{case}: {ns:.0f} ns per step, {last[15] / steps:.2f} iterations, {last[16]:.0f} cuts")
    assert ns < 1500


def test_ratio_to_scipy(benchmark):
    """The first 4 s of it, with every step solved by scipy.optimize.root on NumPy arrays."""
    block, how, ground, dt, _ = setup("4.2 x 0.6 m")
    steps = int(4 / dt)
    ground = tuple(values[: steps + 1].copy() for values in ground)
    run, states = make_trace(how.advance_for(block)), np.empty((steps + 1, 17))

    def fresh():
        return (how.start(block), how.parameters(block), ground, dt, 0.0, states), {}

    benchmark.pedantic(run, setup=fresh, rounds=50, warmup_rounds=1)
    start = time.perf_counter()
    theta, _ = rigid(how, block, ground[0], dt)
    scipy_seconds = time.perf_counter() - start
    difference = np.abs(states[:, 0] - theta).max() / block.alpha
    ratio = scipy_seconds / benchmark.stats["min"]
    benchmark.extra_info.update(ratio_to_scipy=round(ratio), difference=difference)
    print(f"\n{ratio:.0f} times faster than SciPy; largest difference {difference:.1e} α")
    assert difference < 1e-7
    assert ratio > 300

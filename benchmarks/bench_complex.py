"""How fast the complex formulation is: a 30 s record, and against SciPy in the same run.

    make bench

At most 20 ms for 30 s at 0.01 s with l = 1e-5. The ratio is that to SciPy's DOP853 on the same
equations, measured one after the other on the same machine.
"""

from __future__ import annotations

import itertools
import math
import time

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rocksteady as rs
from rocksteady.engine.drivers import make_peaks, make_trace
from rocksteady.theories.complex.formulation import ComplexPotential

BLOCK = rs.Block.from_parameters(p=1.5, alpha=0.25)
SAMPLES, DT = 3001, 0.01


def shaking():
    """30 s of filtered noise [m/s²] that keeps the block rocking without overturning it."""
    rng = np.random.default_rng(1)
    knots = rng.standard_normal(SAMPLES // 12 + 2)
    noise = np.interp(np.arange(SAMPLES), 12 * np.arange(len(knots)), knots)
    envelope = np.minimum(1, np.arange(SAMPLES) / 200)
    return noise * envelope / np.abs(noise).max() * 5.4


def steps(advance, state, params, accel):
    """How many times the driver calls ``advance``."""
    count = 0
    for i in range(len(accel) - 1):
        ground, after, left = (accel[i], 0.0), (accel[i + 1], 0.0), DT
        while True:
            state, used, _ = advance(state, params, ground, after, left)
            count += 1
            if used >= left:
                break
            ground = (ground[0] + used / left * (after[0] - ground[0]), 0.0)
            left -= used
    return count


@pytest.mark.parametrize("l", [1e-4, 1e-5, 1e-6])
@pytest.mark.parametrize("make", [make_trace, make_peaks], ids=["trace", "peaks"])
def test_driver(benchmark, make, l):
    how, accel = ComplexPotential(l=l), shaking()
    state, params, advance = how.start(BLOCK), how.parameters(BLOCK), how.advance_for(BLOCK)
    more = (0.0, np.empty((SAMPLES, len(state)))) if make is make_trace else ()
    result = benchmark(make(advance), state, params, (accel, np.zeros(SAMPLES)), DT, *more)
    if make is make_trace:
        assert result[0] == SAMPLES  # it did not overturn
    calls, seconds = steps(advance, state, params, accel), benchmark.stats["min"]
    benchmark.extra_info.update(
        ms=round(seconds * 1e3, 2), steps=calls, ns_per_step=round(seconds / calls * 1e9)
    )
    print(f"\n{seconds * 1e3:.2f} ms, {calls} steps, {seconds / calls * 1e9:.0f} ns per step")
    assert seconds < 0.020


def eq_37(accel, l, mu, chi):
    """θ after the record by the printed system (which has no rules for rest) and DOP853."""
    alpha, g, c, dt = BLOCK.alpha, BLOCK.g, 2 * math.log(mu) / math.pi, BLOCK.p * DT

    def rhs(t, y, a0, a1):
        a_h, spin = a0 + (a1 - a0) * t / dt, l / y[0] ** 2
        sine, cosine = math.sin(alpha - alpha * y[0]), math.cos(alpha - alpha * y[0])
        ground = -a_h / (alpha * g) * math.cos(y[2]) * cosine
        return [y[1], l**2 / y[0] ** 3 - sine / alpha + c * y[1] * spin + ground, spin]

    state = np.array([chi, 0.0, 0.0])
    for pair in itertools.pairwise(accel):
        state = solve_ivp(rhs, (0, dt), state, "DOP853", rtol=1e-9, atol=1e-13, args=pair).y[:, -1]
    return alpha * state[0] * math.cos(state[2])


def test_ratio_to_scipy(benchmark):
    """The same equations, l = 1e-5, released at 0.4 α, 6 s of shaking: 100 times faster."""
    how, accel = ComplexPotential(eta=0.9, variant="paper"), 0.5 * shaking()[:601]
    state, params = how.start(BLOCK, 0.4 * BLOCK.alpha), how.parameters(BLOCK)
    run = make_trace(how.advance_for(BLOCK))
    states = np.empty((len(accel), len(state)))
    benchmark(run, state, params, (accel, np.zeros(len(accel))), DT, 0.0, states)
    start = time.perf_counter()
    theta = eq_37(accel, 1e-5, 0.9, 0.4)
    scipy_seconds = time.perf_counter() - start
    ratio = scipy_seconds / benchmark.stats["min"]
    benchmark.extra_info.update(ratio_to_scipy=round(ratio), scipy_seconds=round(scipy_seconds, 3))
    print(f"\n{ratio:.0f} times faster than SciPy; θ differs by {abs(states[-1, 0] - theta):.1e}")
    assert abs(states[-1, 0] - theta) < 1e-4 * BLOCK.alpha
    assert ratio > 100

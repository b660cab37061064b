"""The integrator's order, fitted: the rate's series ends at t⁵, so the error falls like dt⁵."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rocksteady as rs
from rocksteady.numerics.trig import sincos
from rocksteady.theories.contract import NOTHING, kernel
from rocksteady.theories.nonsmooth.extrapolation import lowest, make_integrator


def swing(block, steps, span, theta0, slope):
    """Lean of a block released at θ₀ after `span` [s] under a ramp, in equal unshortened steps."""
    how = rs.Housner()
    advance = how.advance_for(block)
    params = list(how.parameters(block))
    params[1] = math.inf  # trust the series over any step
    state, dt = how.start(block, theta0), span / steps
    for i in range(steps):
        ground = [(slope * (i + j) * dt, 0.0) for j in (0, 1)]
        state, used, event = advance(state, tuple(params), *ground, dt)
        assert (used, event) == (dt, NOTHING)
    return np.array(state[:2])


def test_order_of_the_series():
    block, span, slope = rs.Block(2.4, 0.6), 0.45, -1.0
    theta0, p, alpha, g = 0.5 * block.alpha, block.p, block.alpha, block.g

    def rhs(t, z):
        lean = alpha - z[0]
        return [z[1], -(p**2) * (math.sin(lean) + slope * t / g * math.cos(lean))]

    exact = solve_ivp(rhs, (0, span), (theta0, 0), "DOP853", rtol=1e-13, atol=1e-16).y[:, -1]
    steps = np.array([16, 24, 32, 48])
    errors = [np.abs(swing(block, n, span, theta0, slope) - exact).max() for n in steps]
    order = -np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert order == pytest.approx(5, abs=0.2)
    assert errors[-1] < 1e-12


def test_sine_and_cosine():
    """Within 3.5e-16 for all |x| ≤ π/2, against extended precision."""
    if np.finfo(np.longdouble).eps > 1e-18:
        pytest.skip("no extended precision here")
    x = np.random.default_rng(0).uniform(-math.pi / 2, math.pi / 2, 20_000)
    ours = np.array([sincos(value) for value in x])
    exact = x.astype(np.longdouble)
    assert np.abs(ours[:, 0] - np.sin(exact)).max() < 3.5e-16
    assert np.abs(ours[:, 1] - np.cos(exact)).max() < 3.5e-16


def test_a_coarse_record_is_as_exact_as_a_fine_one():
    """Motion is linear between samples, so sampling a ramp finely must change nothing."""
    block = rs.Block(1.2, 0.4)
    coarse = rs.Motion([0, 8, -8, 6, 0, 0], 0.3)
    fine = coarse.resampled(0.3 / 64)
    runs = [rs.simulate(block, motion, duration=1.5) for motion in (coarse, fine)]
    assert runs[0].peak == pytest.approx(runs[1].peak, abs=5e-10)  # steps may leave out 5e-11 p
    assert len(runs[0].impacts) > 0
    times = [run.impacts.time[:6] for run in runs]
    np.testing.assert_allclose(times[0], times[1], atol=1e-10)


@kernel
def falling_and_rising(z, fixed, a_h, a_v):
    return z[1], 2.0, 0.0, 0.0, 0.0, 0.0


@kernel
def height(kind, z, fixed, a_h, a_v):
    return z[0]


@pytest.mark.parametrize("depth", [-0.01, 0.01])
def test_a_dip_below_zero_within_a_step_is_met(depth):
    """(t − 0.5)² + depth: positive at both ends of a step that is exact over any length."""
    follow = make_integrator(falling_and_rising, height, 1)
    start, still = (0.25 + depth, -1.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0)
    z, used, met = follow(start, (), still, still, 1.0, 1.0, 1e-9)
    expected = (0.5 - math.sqrt(-depth), 1) if depth < 0 else (1.0, 0)
    assert (used, met) == pytest.approx(expected, abs=1e-12)
    assert z[0] == pytest.approx(0.0 if met else start[0], abs=1e-12)


@pytest.mark.parametrize("fall", [-1e-22, -1e-9, -1.0, -1e9])
@pytest.mark.parametrize("rise", [1e-22, 1e-9, 1.0, 1e9])
@pytest.mark.parametrize("after", [-1.0, 0.0, 1.0])
def test_a_dip_is_found_however_steep_its_sides(fall, rise, after):
    """Within the step, where the cubic's slope is zero to rounding."""
    t, depth = lowest(0.0, after, fall, rise)
    square, cube = 3 * after - 2 * fall - rise, -2 * after + fall + rise
    size = abs(fall) + abs(square) + abs(cube)
    assert 0 <= t <= 1 and depth <= 1e-12 * size
    assert fall + t * (2 * square + 3 * cube * t) == pytest.approx(0, abs=1e-12 * size)

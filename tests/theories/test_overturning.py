"""Smallest overturning pulses, against values found once by independent code."""

import math

import numpy as np
import pytest

import rocksteady as rs


def smallest_overturning(block, pulse, formulation=None, *, low=1.0, high=6.0, step=0.02):
    """The smallest factor on `pulse` that overturns, or None up to `high`; scanned, then halved."""

    def falls(factor):
        return rs.simulate(block, pulse.scaled(factor), formulation).status is rs.Status.OVERTURNED

    for upper in np.arange(low + step, high + step / 2, step):
        if falls(upper):
            break
    else:
        return None
    lower = upper - step
    while upper - lower > 1e-9:
        middle = (lower + upper) / 2
        lower, upper = (lower, middle) if falls(middle) else (middle, upper)
    return upper


@pytest.mark.parametrize(
    ("R", "amplitude"), [(0.25, 1.261891), (0.5, 1.458444), (1.0, 2.163786), (2.0, 5.154922)]
)
def test_one_sine_pulse(R, amplitude):
    """Nonlinear block, α = 0.2, T_p = 0.5 s, g = 9.80665, Housner's η."""
    block = rs.Block.from_parameters(p=math.sqrt(3 * 9.80665 / (4 * R)), alpha=0.2, g=9.80665)
    unit = rs.pulses.sine(block.g * math.tan(block.alpha), period=0.5, dt=1e-4)
    found = smallest_overturning(block, unit, low=amplitude - 0.1, high=amplitude + 0.1)
    assert found == pytest.approx(amplitude, abs=5e-6)


def test_large_block_stands():
    block = rs.Block.from_parameters(p=math.sqrt(3 * 9.80665 / 16), alpha=0.2, g=9.80665)
    unit = rs.pulses.sine(block.g * math.tan(block.alpha), period=0.5)
    assert smallest_overturning(block, unit, step=0.1) is None


def test_between_the_two_ways_to_fall_it_stands():
    block = rs.Block.from_parameters(p=math.sqrt(3 * 9.80665 / 4), alpha=0.2, g=9.80665)
    pulse = rs.pulses.sine(2 * block.g * math.tan(block.alpha), period=0.5, dt=1e-4)
    assert rs.simulate(block, pulse).status is rs.Status.AT_REST


@pytest.mark.parametrize(("ratio", "amplitude"), [(3, 2.293872), (6, 3.788155)])
def test_half_sine_linear_theory(ratio, amplitude):
    """∫ p f e^{−p(t−t_u)} dt = α from uplift to the pulse's end."""
    block = rs.Block.from_parameters(p=2.0, alpha=0.1)
    unit = rs.pulses.sine(-block.g * block.alpha, omega=ratio * block.p, cycles=0.5, dt=1e-4)
    found = smallest_overturning(block, unit, rs.Housner(slender=True))
    assert found == pytest.approx(amplitude, abs=1e-6)


@pytest.mark.parametrize("length", [0.2, 0.5, 1.5])
def test_rectangular_pulse_linear_theory(length):
    """a/(g α) = 1/(1 − e^{−p t_d})."""
    block = rs.Block.from_parameters(p=2.0, alpha=0.1)
    unit = rs.pulses.rectangular(block.g * block.alpha, length)
    found = smallest_overturning(block, unit, rs.Housner(slender=True))
    assert found == pytest.approx(1 / (1 - math.exp(-block.p * length)), abs=1e-8)

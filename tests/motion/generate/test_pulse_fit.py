"""Mavroeidis-Papageorgiou pulses found again in pulses, in noise and in real records."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import standins
from rocksteady.errors import InputError
from rocksteady.motion import Motion, pulses, read_motion
from rocksteady.motion.generate.pulse_fit import fit_mavroeidis


def angle_between(one: float, two: float) -> float:
    return abs(math.remainder(one - two, 2 * math.pi))


@settings(max_examples=8)
@given(
    st.floats(0.05, 3.0), st.floats(0.5, 5.0), st.floats(1.1, 3.5), st.floats(-3.1, 3.1),
    st.floats(0.0, 6.0),
)  # fmt: skip
def test_a_pulse_is_found_again(
    velocity: float, period: float, gamma: float, nu: float, start: float
) -> None:
    """Period, γ, ν, t0 and A to 1e-3; straight lines between samples take (2π·dt/T)²/12 off."""
    motion = pulses.mavroeidis(
        velocity, period, gamma=gamma, nu=nu, dt=0.004, start=start, tail=3.0
    )
    found = fit_mavroeidis(motion)
    assert found.period == pytest.approx(period, rel=1e-3)
    assert found.velocity == pytest.approx(velocity, rel=1e-3)
    assert found.gamma == pytest.approx(gamma, rel=1e-3)
    assert angle_between(found.nu, nu) < 1e-3
    begins = round(start / motion.dt) * motion.dt
    assert found.t0 == pytest.approx(begins + gamma * period / 2, abs=1e-3 * period)
    assert found.energy > 1 - 1e-5


def test_a_pulse_is_found_in_noise() -> None:
    """A pulse of 2 s under accelerations that are twice as strong but ten times as fast."""
    pulse = pulses.mavroeidis(0.8, 2.0, gamma=1.8, nu=0.5, dt=0.01, start=4.0, tail=10.0)
    t = pulse.time
    rng = np.random.default_rng(7)
    shake = sum(
        2 * pulse.pga / 5 * np.sin(2 * np.pi * (f * t + rng.random()))
        for f in rng.uniform(4, 12, 9)
    )
    found = fit_mavroeidis(Motion(pulse.accel + shake * np.sin(np.pi * t / t[-1]), pulse.dt))
    assert found.period == pytest.approx(2.0, rel=0.05)
    assert found.velocity == pytest.approx(0.8, rel=0.1)
    assert found.t0 == pytest.approx(4.0 + 1.8, abs=0.1)


def test_mirror_scale_and_stretch() -> None:
    """−a turns ν by π; f·a scales A alone; a stretch of time scales T, t0 and A, not γ or ν."""
    motion = pulses.mavroeidis(0.5, 1.2, gamma=2.0, nu=0.4, dt=0.01, start=1.0, tail=2.0)
    plain = fit_mavroeidis(motion)
    mirrored = fit_mavroeidis(motion.mirrored())
    assert angle_between(mirrored.nu, plain.nu + math.pi) < 1e-4
    assert mirrored.velocity == pytest.approx(plain.velocity, rel=1e-5)
    assert fit_mavroeidis(motion.scaled(3)).velocity == pytest.approx(3 * plain.velocity, rel=1e-5)
    long = fit_mavroeidis(motion.stretched(2))
    assert (long.period, long.t0) == pytest.approx((2 * plain.period, 2 * plain.t0), rel=1e-4)
    assert (long.gamma, long.velocity) == pytest.approx((plain.gamma, 2 * plain.velocity), rel=1e-3)


def test_the_fit_makes_its_pulse_again() -> None:
    motion = pulses.mavroeidis(0.5, 1.2, gamma=2.0, nu=0.4, dt=0.01, start=1.0, tail=2.0)
    found = fit_mavroeidis(motion)
    np.testing.assert_allclose(found.velocity_at(motion.time), motion.velocity, atol=2e-4)
    again = found.motion(dt=0.01)
    assert np.abs(again.velocity).max() == pytest.approx(np.abs(motion.velocity).max(), rel=1e-3)
    assert again.duration == pytest.approx(2.4, rel=1e-3)


def test_rinaldi(records) -> None:
    """Northridge 1994, Rinaldi 228: a pulse of about 1.0 to 1.3 s, some 1.6 m/s, near 2.5 s.

    The explained energy is flat there: fixed at 1.1 s (the peak of the velocity spectrum) the
    pulse explains almost as much as at the best fit's period.
    """
    motion = read_motion(records / "AT2" / "NGA_no_1063_RRS228.AT2")
    found = fit_mavroeidis(motion)
    assert 1.0 < found.period < 1.35
    assert 1.2 < found.velocity < 2.0
    assert 2.2 < found.t0 < 2.9
    assert found.energy > 0.6
    fixed = fit_mavroeidis(motion, period=1.1)
    assert fixed.period == pytest.approx(1.1)
    assert found.energy - 0.02 < fixed.energy < found.energy
    left = motion.velocity - found.velocity_at(motion.time)
    explained = 1 - np.sum(left**2) / np.sum(motion.velocity**2)
    assert explained == pytest.approx(found.energy, abs=1e-9)


def test_el_centro_array_4(records) -> None:
    """Imperial Valley 1979, Array 4, 230: the literature reports a pulse of 4 to 5 s."""
    found = fit_mavroeidis(read_motion(records / "AT2" / "IMPVALL79_ElCentroArray4_230.AT2"))
    assert 4.0 < found.period < 5.0
    assert found.energy > 0.8


def test_generated_records(generated_records) -> None:
    """The pulses that were put into them, under noise."""
    motion = read_motion(generated_records / standins.PULSE)
    found = fit_mavroeidis(motion)
    assert found.period == pytest.approx(standins.PULSE_PERIOD, rel=0.02)
    assert found.velocity == pytest.approx(standins.PULSE_VELOCITY, rel=0.02)
    assert found.t0 == pytest.approx(standins.PULSE_TIME, abs=0.02)
    fixed = fit_mavroeidis(motion, period=1.1)
    assert fixed.period == pytest.approx(1.1)
    assert found.energy - 0.03 < fixed.energy < found.energy
    left = motion.velocity - found.velocity_at(motion.time)
    explained = 1 - np.sum(left**2) / np.sum(motion.velocity**2)
    assert explained == pytest.approx(found.energy, abs=1e-9)
    slow = fit_mavroeidis(read_motion(generated_records / standins.ACROSS))
    assert slow.period == pytest.approx(standins.FAULT_PERIOD, rel=0.02)
    assert slow.energy > 0.95


def test_bad_inputs() -> None:
    with pytest.raises(InputError, match="no velocity"):
        fit_mavroeidis(Motion.zeros(5.0, 0.01))
    motion = pulses.mavroeidis(0.5, 1.2, dt=0.01)
    with pytest.raises(InputError, match="leave no period"):
        fit_mavroeidis(motion, shortest=2.0, longest=1.0)
    with pytest.raises(InputError, match="shortest = -1"):
        fit_mavroeidis(motion, shortest=-1)
    with pytest.raises(InputError, match="period = 0"):
        fit_mavroeidis(motion, period=0)
    with pytest.raises(InputError, match="leave no period"):
        fit_mavroeidis(Motion([0.0, 1.0, 0.0], 0.01))

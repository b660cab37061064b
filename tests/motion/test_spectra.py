"""Response spectra: an independent Nigam–Jennings, closed forms, scaling laws, bad inputs."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import standins
from rocksteady.errors import InputError
from rocksteady.motion import Motion, pulses, read_motion
from rocksteady.motion.spectra import (
    Spectrum,
    fourier_amplitude,
    oscillator_displacement,
    response_spectra,
    response_spectrum,
)

PERIODS = np.concatenate([np.geomspace(0.011, 20.0, 60), [0.5, 1.0]])


def noise(seed: int = 0, size: int = 3000, dt: float = 0.01) -> Motion:
    rng = np.random.default_rng(seed)
    envelope = np.sin(np.linspace(0, np.pi, size)) ** 2
    return Motion(rng.standard_normal(size) * envelope, dt, name=f"noise {seed}")


def nigam_jennings(
    a: np.ndarray, dt: float, T: float, z: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """u, u̇ and ü + a at the samples, with the coefficients of Nigam and Jennings (1969).

    In extended precision: the published coefficients are differences of nearly equal numbers.
    """
    L = np.longdouble
    w, z, dt = 2 * L("3.14159265358979323846264338327950288") / L(T), L(z), L(dt)
    root = np.sqrt(1 - z * z)
    E, wd = np.exp(-z * w * dt), w * root
    S, C = np.sin(wd * dt), np.cos(wd * dt)
    a11 = E * (z / root * S + C)
    a12 = E / wd * S
    a21 = -w / root * E * S
    a22 = E * (C - z / root * S)
    x = (2 * z * z - 1) / (w * w * dt)
    y = 2 * z / (w**3 * dt)
    b11 = E * ((x + z / w) * S / wd + (y + 1 / w**2) * C) - y
    b12 = -E * (x * S / wd + y * C) - 1 / w**2 + y
    b21 = E * ((x + z / w) * (C - z / root * S) - (y + 1 / w**2) * (wd * S + z * w * C)) + 1 / (
        w * w * dt
    )
    b22 = -E * (x * (C - z / root * S) - y * (wd * S + z * w * C)) - 1 / (w * w * dt)
    a = a.astype(L)
    u, v = np.zeros(a.size, dtype=L), np.zeros(a.size, dtype=L)
    for i in range(a.size - 1):
        u[i + 1] = a11 * u[i] + a12 * v[i] + b11 * a[i] + b12 * a[i + 1]
        v[i + 1] = a21 * u[i] + a22 * v[i] + b21 * a[i] + b22 * a[i + 1]
    return u, v, -(2 * z * w * v + w * w * u)


# -- the numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("damping", [0.0, 0.02, 0.05, 0.7])
def test_spectra_equal_an_independent_nigam_jennings(damping: float) -> None:
    motion = noise(size=800)
    periods = [0.011, 0.05, 0.09, 0.3, 1.0, 4.0, 20.0]  # ω·dt from 5.7 to 0.003
    found = response_spectrum(motion, periods, damping)
    for j, T in enumerate(periods):
        u, v, total = nigam_jennings(motion.accel, motion.dt, T, damping)
        for ours, theirs in ((found.sd, u), (found.sv, v), (found.sa, total)):
            assert ours[j] == pytest.approx(float(np.abs(theirs).max()), rel=1e-10, abs=0)
        history = oscillator_displacement(motion, T, damping)
        assert np.abs(history - u.astype(float)).max() < 1e-10 * float(np.abs(u).max())


def test_the_textbook_spectrum_of_el_centro(records: Path) -> None:
    """Chopra, Dynamics of Structures, Fig. 6.4.1: three periods, three dampings; inches."""
    motion = read_motion(records / "AT2" / "ElCentro1940_NS_Peknold.AT2")
    assert isinstance(motion, Motion)
    inches = response_spectrum(motion, [0.5, 1.0, 2.0], 0.02).sd / 0.0254
    assert inches == pytest.approx([2.67, 5.97, 7.47], abs=0.0051)
    for damping, expected in ((0.0, 9.91), (0.02, 7.47), (0.05, 5.37)):
        sd = response_spectrum(motion, [2.0], damping).sd[0] / 0.0254
        assert sd == pytest.approx(expected, abs=0.0051)


def test_the_spectrum_of_a_generated_record(generated_records: Path) -> None:
    """From a file, at the same periods and dampings."""
    motion = read_motion(generated_records / standins.PULSE)
    assert isinstance(motion, Motion)
    for damping in (0.001, 0.02, 0.05):
        found = response_spectrum(motion, [0.5, 1.0, 2.0], damping)
        for sd, T in zip(found.sd, (0.5, 1.0, 2.0), strict=True):
            u, _, _ = nigam_jennings(motion.accel, motion.dt, T, damping)
            assert sd == pytest.approx(float(np.abs(u).max()), rel=1e-10)


def test_a_fine_step_and_a_long_period_lose_no_digits() -> None:
    """ω·dt = 6e-5: the published coefficients in double precision keep no correct digit there."""
    motion = noise(size=600, dt=0.0001)
    u, v, _ = nigam_jennings(motion.accel, motion.dt, 10.0, 0.05)
    found = response_spectrum(motion, [10.0])
    assert found.sd[0] == pytest.approx(float(np.abs(u).max()), rel=1e-9)
    assert found.sv[0] == pytest.approx(float(np.abs(v).max()), rel=1e-9)


def test_the_two_ways_to_make_a_step_meet() -> None:
    """Power series below ω·dt = 0.7, closed form above: continuous across."""
    motion, limit = noise(size=500), 2 * np.pi * 0.01 / 0.7
    below, above = response_spectrum(motion, limit * np.array([1 + 1e-13, 1 - 1e-13])).sd
    assert below == pytest.approx(above, rel=1e-10)


@pytest.mark.parametrize("ratio", [0.3, 0.9, 1.7])
def test_undamped_response_to_a_long_sine_has_its_closed_form(ratio: float) -> None:
    """u = −A/(ω² − Ω²)·(sin Ωt − Ω/ω sin ωt), at the samples.

    A sine that is linear between samples has 1 − Ω²dt²/12 of its amplitude at Ω (the square of
    sinc, to fourth order): with that the closed form is met to 1e-8.
    """
    A, T = 2.0, 0.8
    w, W = 2 * np.pi / T, ratio * 2 * np.pi / T
    motion = pulses.sine(A, omega=W, cycles=12, dt=0.0005)
    left, t = A * (1 - W**2 * motion.dt**2 / 12), motion.time
    u = -left / (w**2 - W**2) * (np.sin(W * t) - W / w * np.sin(w * t))
    v = -left / (w**2 - W**2) * W * (np.cos(W * t) - np.cos(w * t))
    found = response_spectrum(motion, [T], damping=0.0)
    assert found.sd[0] == pytest.approx(np.abs(u).max(), rel=1e-8)
    assert found.sv[0] == pytest.approx(np.abs(v).max(), rel=1e-8)
    assert found.sa[0] == pytest.approx(w**2 * np.abs(u).max(), rel=1e-8)
    assert np.abs(oscillator_displacement(motion, T, 0.0) - u).max() < 1e-8 * np.abs(u).max()


def test_resonance_builds_up_to_one_over_twice_the_damping() -> None:
    """At resonance |u| → A/(2ζω²) of the static; n cycles reach 1 − exp(−2πζn) of it."""
    T, z, n = 1.0, 0.02, 60
    motion = pulses.sine(1.0, T, cycles=n, dt=0.001)
    static = 1.0 / (2 * np.pi / T) ** 2
    sd = response_spectrum(motion, [T], z, exact=True).sd[0]
    assert sd / static == pytest.approx((1 - np.exp(-2 * np.pi * z * n)) / (2 * z), rel=1e-3)


def test_a_suddenly_applied_acceleration_has_twice_its_static_response() -> None:
    """Undamped: SD = 2a/ω², SV = a/ω, SA = 2a, all met between samples; exact to rounding."""
    motion = Motion(np.full(200, 3.0), 0.1)
    T = motion.duration / np.array([51, 20, 7])  # at rest again when it ends
    found, w = response_spectrum(motion, T, damping=0.0, exact=True), 2 * np.pi / T
    assert found.sd == pytest.approx(6.0 / w**2, rel=1e-12)
    assert found.sv == pytest.approx(3.0 / w, rel=1e-12)
    assert found.sa == pytest.approx(6.0, rel=1e-12)


def test_exact_extremes_are_those_of_a_fine_independent_solution() -> None:
    motion = noise(3, size=60, dt=0.05)
    for T in (0.08, 0.21, 0.9):
        w, z = 2 * np.pi / T, 0.05

        def rate(t: float, y: np.ndarray, w: float = w, z: float = z) -> list[float]:
            return [y[1], -motion.at(t) - 2 * z * w * y[1] - w * w * y[0]]

        u: list[float] = []
        v: list[float] = []
        state = np.zeros(2)
        for k in range(motion.npts - 1 + int(T / motion.dt) + 1):  # kink by kink, then free
            t0, t1 = k * motion.dt, (k + 1) * motion.dt
            at = np.linspace(t0, t1, 201)
            # just inside: the acceleration jumps to zero after the last sample
            part = solve_ivp(rate, (t0 + 1e-13, t1 - 1e-13), state, t_eval=at[1:-1], rtol=1e-11,
                             atol=1e-14, dense_output=True)  # fmt: skip
            u, v, state = [*u, *part.y[0]], [*v, *part.y[1]], part.sol(t1)
        total = 2 * z * w * np.array(v) + w**2 * np.array(u)
        found = response_spectrum(motion, [T], z, exact=True)
        pairs = ((found.sd[0], u), (found.sv[0], v), (found.sa[0], total))
        for ours, theirs in pairs:
            fine = np.abs(theirs).max()
            assert fine * (1 - 1e-8) <= ours <= fine * (1 + 2e-4)  # 200 points an interval


def test_exact_lies_between_the_samples_and_what_the_curvature_allows() -> None:
    """A peak between samples is higher by max|ü|·dt²/8 at most, and |ü| ≤ PGA + SA."""
    motion, T = noise(1), PERIODS[PERIODS < 5]
    plain, true = response_spectrum(motion, T), response_spectrum(motion, T, exact=True)
    assert (true.sd >= plain.sd * (1 - 1e-12)).all() and (true.sd > plain.sd).any()
    assert (true.sd <= plain.sd + (motion.pga + true.sa) * motion.dt**2 / 8).all()


def test_exact_sees_the_free_vibration_after_the_end() -> None:
    """A short impulse v: the undamped oscillator then swings to v/ω, long after the motion."""
    motion = Motion([0.0, 100.0, 0.0], 0.001)
    T = 4.0
    free = response_spectrum(motion, [T], damping=0.0, exact=True).sd[0]
    assert free == pytest.approx(0.1 / (2 * np.pi / T), rel=1e-6)
    assert response_spectrum(motion, [T], damping=0.0).sd[0] < 0.01 * free


def test_both_ends_of_a_spectrum() -> None:
    """A stiff oscillator follows the ground, a soft one stays where it is."""
    motion = noise(2)
    motion = motion.trimmed(14.7, 15.3)
    stiff = response_spectrum(motion, [0.0, 1e-5], exact=True)
    assert stiff.psa == pytest.approx(motion.pga, rel=1e-3)
    assert stiff.sa[0] == motion.pga and stiff.sd[0] == stiff.sv[0] == stiff.psv[0] == 0.0
    motion = noise(2)
    soft = response_spectrum(motion, [1e4], damping=0.0)
    assert soft.sd[0] == pytest.approx(np.abs(motion.displacement).max(), rel=1e-3)
    assert soft.sv[0] == pytest.approx(np.abs(motion.velocity).max(), rel=1e-3)


def test_pseudo_spectra_are_the_displacement_times_omega() -> None:
    found = response_spectrum(noise(), [0.5, 1.0], 0.0)
    w = 2 * np.pi / found.periods
    assert found.psv == pytest.approx(w * found.sd) and found.psa == pytest.approx(w**2 * found.sd)
    assert found.sa == pytest.approx(found.psa)  # the same without damping


@given(
    factor=st.floats(-5, 5).filter(lambda f: abs(f) > 1e-3),
    stretch=st.floats(0.2, 5),
    damping=st.floats(0, 0.9),
    exact=st.booleans(),
)
def test_spectra_scale_as_the_equation_does(
    factor: float, stretch: float, damping: float, exact: bool
) -> None:
    """Twice the acceleration, twice the response; slower motion, slower oscillators."""
    motion, T = noise(4, size=200), np.array([0.1, 0.5, 2.0])
    one = response_spectrum(motion, T, damping, exact=exact)
    other = response_spectrum(
        motion.scaled(factor).stretched(stretch), T * stretch, damping, exact=exact
    )
    assert other.sa == pytest.approx(abs(factor) * one.sa, rel=1e-7)
    assert other.sv == pytest.approx(abs(factor) * stretch * one.sv, rel=1e-7)
    assert other.sd == pytest.approx(abs(factor) * stretch**2 * one.sd, rel=1e-7)


def test_a_finer_step_of_the_same_motion_gives_the_same_exact_spectrum() -> None:
    motion = noise(5, size=400, dt=0.02)
    one = response_spectrum(motion, PERIODS, exact=True)
    fine = response_spectrum(motion.resampled(0.005), PERIODS, exact=True)
    assert fine.sd == pytest.approx(one.sd, rel=1e-7)
    assert fine.sv == pytest.approx(one.sv, rel=1e-7)
    assert fine.sa == pytest.approx(one.sa, rel=1e-7)


# -- many motions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("damping", [0.0, 0.3, 0.95])
def test_intervals_that_are_passed_over_hold_no_extreme(damping: float) -> None:
    """Periods of 1 to 20 time steps; in steps 64 times as fine every interval is looked into."""
    motion = noise(4, size=400, dt=0.02)
    T = np.geomspace(0.02, 0.4, 30)
    coarse = response_spectrum(motion, T, damping, exact=True)
    fine = response_spectrum(motion.resampled(0.02 / 64), T, damping, exact=True)
    for one, other in ((coarse.sd, fine.sd), (coarse.sv, fine.sv), (coarse.sa, fine.sa)):
        assert one == pytest.approx(other, rel=1e-9)


def test_a_batch_is_the_same_as_one_by_one() -> None:
    motions = [noise(seed, size=300 + 10 * seed, dt=0.005 + 0.001 * seed) for seed in range(9)]
    told: list[tuple[int, int]] = []
    batch = response_spectra(motions, [0.2, 1.0], progress=lambda *now: told.append(now))
    assert batch.sd.shape == (9, 2) and batch.psa.shape == (9, 2)
    assert told == [(n, 9) for n in range(1, 10)]
    for index, motion in enumerate(motions):
        alone = response_spectrum(motion, [0.2, 1.0])
        for name in ("sd", "sv", "sa", "psv", "psa"):
            assert np.array_equal(getattr(batch[index], name), getattr(alone, name))
    with pytest.raises(InputError, match="one motion"):
        batch[0][0]


def test_an_interrupt_ends_a_batch() -> None:
    motions = [noise(seed) for seed in range(200)]

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        response_spectra(motions, progress=interrupt)
    assert response_spectra([], [1.0]).sd.shape == (0, 1)
    assert threading.active_count() < 50


# -- Fourier amplitudes ---------------------------------------------------------------------------


def test_parseval() -> None:
    motion = noise(6, size=1000)
    f, amplitude = fourier_amplitude(motion)
    energy = 2 * np.sum(amplitude**2) * f[1] - f[1] * (amplitude[0] ** 2 + amplitude[-1] ** 2)
    assert energy == pytest.approx(motion.dt * np.sum(motion.accel**2), rel=1e-12)
    assert f[0] == 0 and f[-1] == pytest.approx(0.5 / motion.dt)


def test_amplitude_at_the_frequency_of_a_sine_is_half_its_area() -> None:
    motion = pulses.sine(3.0, 0.5, cycles=20, dt=0.005)
    f, amplitude = fourier_amplitude(motion, resolution=0.01)
    peak = int(np.argmax(amplitude))
    assert f[1] <= 0.01 and f[peak] == pytest.approx(2.0, abs=2 * f[1])
    assert amplitude[peak] == pytest.approx(3.0 * 10.0 / 2, rel=1e-3)


# -- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("periods", [[-1.0], [np.nan], [np.inf], [], [[0.5, 1.0]], ["0.5"]])
def test_bad_periods(periods: list[float]) -> None:
    with pytest.raises(InputError, match="periods"):
        response_spectrum(noise(), periods)


@pytest.mark.parametrize("damping", [-0.01, 1.0, 5.0, np.nan, "5 %", None])
def test_bad_damping(damping: Any) -> None:
    with pytest.raises(InputError, match="Five per cent"):
        response_spectrum(noise(), [1.0], damping)


def test_other_bad_values() -> None:
    with pytest.raises(InputError, match="0 for a rigid oscillator"):
        response_spectrum(noise(), [1.0, 1e-6], exact=True)
    with pytest.raises(InputError, match="resolution"):
        fourier_amplitude(noise(), resolution=0.0)
    with pytest.raises(InputError, match="period"):
        oscillator_displacement(noise(), 0.0)


def test_a_spectrum_cannot_be_changed() -> None:
    found = response_spectrum(noise(), [1.0])
    assert isinstance(found, Spectrum)
    with pytest.raises(AttributeError):
        found.damping = 0.1  # type: ignore[misc]

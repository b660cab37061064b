"""Measures of a motion against closed forms, laws of scaling, and planted pulses."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import brentq

import standins
from rocksteady.errors import InputError
from rocksteady.motion import Motion, pulses, read_motion, wavelet
from rocksteady.motion import intensity as im
from rocksteady.motion.components import pulse_direction, turned
from rocksteady.motion.wavelet import velocity_pulse

ZIGZAG = Motion([0.0, 2.0, 0.0, -2.0, 0.0], 0.5)  # four equal ramps

motions = st.builds(
    Motion,
    arrays(np.float64, st.integers(2, 30), elements=st.floats(-20, 20).map(lambda a: round(a, 3))),
    st.sampled_from([0.005, 0.01, 0.02]),
)


def finely(motion: Motion, parts: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    t = np.linspace(0, motion.duration, (motion.npts - 1) * parts + 1)
    return t, np.interp(t, motion.time, motion.accel)


# -- exact for what is linear between samples -----------------------------------------------------


def test_a_zigzag_has_all_its_closed_forms() -> None:
    """Ramps of height A and length h: ∫a² = 4A²h/3, ∫|a| = 2Ah, v = Ah, d = 2Ah²."""
    A, h = 2.0, 0.5
    assert im.arias(ZIGZAG, g=10.0) == pytest.approx(math.pi / 20 * 4 * A**2 * h / 3, rel=1e-15)
    assert im.cav(ZIGZAG) == pytest.approx(2 * A * h, rel=1e-15)
    assert im.pgv(ZIGZAG) == pytest.approx(A * h, rel=1e-15)
    assert im.pgd(ZIGZAG) == pytest.approx(2 * A * h**2, rel=1e-15)
    # a quarter of the energy in each ramp, as s³ in the first: 5 % at s³ = 0.2
    fifth = h * 0.2 ** (1 / 3)
    assert im.significant_duration(ZIGZAG) == pytest.approx(4 * h - 2 * fifth, rel=1e-14)
    assert im.significant_duration(ZIGZAG, 0.05, 0.75) == pytest.approx(3 * h - fifth, rel=1e-14)
    assert im.husid(ZIGZAG) == pytest.approx([0, 0.25, 0.5, 0.75, 1], rel=1e-15)


def test_extremes_between_samples() -> None:
    """a = 3 − 4t over one interval: v is 9/8 m/s at 3/4 s; d is extreme where v passes zero."""
    motion = Motion([3.0, -5.0], 2.0)
    assert im.pgv(motion) == pytest.approx(2.0)  # at the end: 6 − 8
    assert im.pgv(Motion([3.0, -3.0], 1.5)) == pytest.approx(9 / 8, rel=1e-15)
    assert im.pgd(motion) == pytest.approx(3 * 1.5**2 / 2 - 2 * 1.5**3 / 3, rel=1e-14)
    assert im.cav(motion) == pytest.approx(9 / 8 + 25 / 8, rel=1e-15)


@pytest.mark.parametrize("n", [1, 3, 10])
def test_a_sine_of_n_cycles(n: int) -> None:
    """∫a² = A²nT/2, ∫|a| = 2AnT/π, v = AT/π, d = A nT²/2π; to (Ω dt)² where samples are linear."""
    A, T, g = 2.5, 0.6, 9.81
    motion = pulses.sine(A, T, cycles=n, dt=0.0005)
    small = (2 * math.pi / T * motion.dt) ** 2 / 6
    assert im.arias(motion) == pytest.approx(math.pi / (2 * g) * A**2 * n * T / 2, rel=small)
    assert im.cav(motion) == pytest.approx(2 * A * n * T / math.pi, rel=small)
    assert im.pgv(motion) == pytest.approx(A * T / math.pi, rel=small)
    assert im.pgd(motion) == pytest.approx(A * n * T**2 / (2 * math.pi), rel=small)

    def energy(t: float) -> float:
        return t / (n * T) - math.sin(4 * math.pi * t / T) / (4 * math.pi * n)

    def when(part: float) -> float:
        return brentq(lambda t: energy(t) - part, 0, n * T, xtol=1e-14)

    assert im.significant_duration(motion) == pytest.approx(when(0.95) - when(0.05), rel=1e-5)
    assert im.significant_duration(motion, 0.05, 0.75) == pytest.approx(
        when(0.75) - when(0.05), rel=1e-5
    )


@given(motion=motions)
def test_integrals_and_extremes_equal_those_on_a_fine_grid(motion: Motion) -> None:
    t, a = finely(motion)
    dt = t[1]
    v = np.concatenate([[0], np.cumsum(dt * (a[:-1] + a[1:]) / 2)])
    d = np.concatenate([[0], np.cumsum(v[:-1] * dt + dt**2 * (2 * a[:-1] + a[1:]) / 6)])
    size = 1e-5 * (1 + motion.pga) * motion.duration
    assert im.cav(motion) == pytest.approx(np.trapezoid(np.abs(a), t), abs=size)
    assert im.pgv(motion) == pytest.approx(np.abs(v).max(), abs=size)
    assert im.pgd(motion) == pytest.approx(np.abs(d).max(), abs=size * motion.duration)
    assert im.pgv(motion) >= np.abs(v).max() - 1e-12
    assert im.pgd(motion) >= np.abs(d).max() - 1e-12
    exact = np.sum(dt * (a[:-1] ** 2 + a[:-1] * a[1:] + a[1:] ** 2) / 3)
    assert im.arias(motion, g=math.pi / 2) == pytest.approx(exact, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("factor", [1.0, 3.0, 0.7])
def test_a_part_that_has_arrived_before_still_ground_arrives_then(factor: float) -> None:
    rests = Motion(np.array([1.0, 0.0, 1.0]) * factor, 0.005)
    assert im.arrival(rests, 0.5) == 0.005
    plateau = Motion(np.array([0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]) * factor, 0.005)
    assert im.arrival(plateau, 0.5) == 0.01
    assert (im.arrival(plateau, 0.0), im.arrival(plateau, 1.0)) == (0.0, 0.03)
    for part in (-0.1, 1.1, math.nan):
        with pytest.raises(InputError, match="between 0 and 1"):
            im.arrival(plateau, part)


@given(motion=motions.filter(lambda m: m.pga > 0.01), factor=st.floats(0.01, 100))
def test_measures_scale_as_they_must(motion: Motion, factor: float) -> None:
    bigger, one = motion.scaled(-factor), motion
    assert im.pgv(bigger) == pytest.approx(factor * im.pgv(one), rel=1e-9)
    assert im.pgd(bigger) == pytest.approx(factor * im.pgd(one), rel=1e-9)
    assert im.cav(bigger) == pytest.approx(factor * im.cav(one), rel=1e-9)
    assert im.arias(bigger) == pytest.approx(factor**2 * im.arias(one), rel=1e-9)
    # (Not a half: it may arrive where the acceleration is zero, and then takes its time.)
    for part in (0.05, 0.45, 0.95):
        assert im.arrival(bigger, part) == pytest.approx(im.arrival(one, part), abs=1e-9)
    backwards = Motion(one.accel[::-1], one.dt)
    assert im.significant_duration(backwards) == pytest.approx(
        im.significant_duration(one), abs=1e-9
    )


def test_durations_start_and_end_where_told() -> None:
    steady = Motion(np.ones(5), 0.5)
    assert im.significant_duration(steady, 0.0, 1.0) == pytest.approx(2.0, rel=1e-14)
    assert im.significant_duration(steady, 0.1, 0.3) == pytest.approx(0.4, rel=1e-14)
    for start, end in ((0.9, 0.1), (-0.1, 0.5), (0.5, 1.1), (math.nan, 0.5)):
        with pytest.raises(InputError, match="D5-75"):
            im.significant_duration(ZIGZAG, start, end)


# -- periods and spectral intensity ---------------------------------------------------------------


@pytest.mark.parametrize("T", [0.1, 0.45, 1.7])
def test_the_period_of_a_long_sine(T: float) -> None:
    t = np.linspace(0, 60 * T, 6001)
    motion = Motion(np.hanning(t.size) * np.sin(2 * np.pi * t / T), t[1])  # the window: no leakage
    assert im.mean_period(motion) == pytest.approx(T, rel=1e-3)
    assert im.predominant_period(motion) == pytest.approx(T, rel=0.021)


def test_mean_period_weighs_by_squared_amplitude() -> None:
    """Two sines of 1 and 4 Hz, the second of twice the amplitude: (1·1 + 4·0.25)/5 = 0.4 s."""
    t = np.arange(6001) * 0.01
    both = np.sin(2 * np.pi * t) + 2 * np.sin(8 * np.pi * t)
    motion = Motion(both * np.hanning(t.size), 0.01)
    assert im.mean_period(motion) == pytest.approx(0.4, rel=1e-3)


def test_what_lies_outside_the_band_does_not_count() -> None:
    t = np.arange(60001) * 0.001
    both = np.sin(2 * np.pi * t) + 5 * np.sin(2 * np.pi * 40 * t) + 5 * np.sin(0.2 * np.pi * t)
    motion = Motion(both * np.hanning(t.size), 0.001)
    assert im.mean_period(motion) == pytest.approx(1.0, rel=1e-3)


def test_housner_intensity_of_an_impulse() -> None:
    """After an impulse V all undamped oscillators have PSV = V: 2.4 s times V."""
    motion = Motion([0.0, 1000.0, 0.0], 0.0002)
    assert im.housner_intensity(motion, damping=0.0) == pytest.approx(2.4 * 0.2, rel=1e-5)


def test_all_measures_have_units_and_a_still_ground_has_no_period() -> None:
    found = im.measures(pulses.ricker(3.0, 0.8, dt=0.01))
    assert found.keys() == im.UNITS.keys()
    assert all(math.isfinite(value) for value in found.values())
    assert found["pgv_pga"] == found["pgv"] / found["pga"]
    still = im.measures(Motion.zeros(1.0, 0.01))
    none = {name for name, value in still.items() if math.isnan(value)}
    assert none == {
        "pgv_pga", "d5_75", "d5_95", "mean_period", "predominant_period", "pulse_indicator",
        "pulse_period",
    }  # fmt: skip
    assert all(still[name] == 0 for name in still.keys() - none)


def test_measures_of_a_generated_record(generated_records: Path) -> None:
    motion = read_motion(generated_records / standins.PULSE)
    assert isinstance(motion, Motion)
    assert_near_plain_sums(motion)


def test_measures_of_a_real_record(records: Path) -> None:
    motion = read_motion(records / "AT2" / "NGA_no_1063_RRS228.AT2")
    assert isinstance(motion, Motion)
    assert motion.pga == pytest.approx(0.825195 * 9.80665, rel=1e-4)
    assert_near_plain_sums(motion)


def assert_near_plain_sums(motion: Motion) -> None:
    """Plain sums over the samples, as other programs have them, lie within 1 % of the integrals."""
    plain = math.pi / (2 * 9.81) * np.sum(motion.accel**2) * motion.dt
    assert im.arias(motion) == pytest.approx(plain, rel=0.01)
    assert 0.9 < im.cav(motion) / (np.sum(np.abs(motion.accel)) * motion.dt) <= 1.0


# -- velocity pulses ------------------------------------------------------------------------------


def from_velocity(v: np.ndarray, dt: float) -> Motion:
    """The motion whose velocity is nearly v, by central differences."""
    return Motion(np.gradient(v, dt), dt)


def test_the_wavelet_is_orthonormal_and_has_four_vanishing_moments() -> None:
    """Daubechies (1992): Σh = √2, Σh² = 1, shifts by 2 orthogonal; ∫xᵏψ = 0 for k < 4."""
    h = wavelet._FILTER
    assert h.sum() == pytest.approx(math.sqrt(2), abs=1e-14)
    assert [h[: 8 - 2 * k] @ h[2 * k :] for k in range(4)] == pytest.approx([1, 0, 0, 0], abs=1e-14)
    x, psi = wavelet._daubechies4()
    assert np.sum(psi**2) * x[1] == pytest.approx(1.0, abs=1e-9)
    moments = [np.sum((x - 3.5) ** k * psi) * x[1] for k in range(5)]
    assert moments[:4] == pytest.approx(np.zeros(4), abs=1e-10) and abs(moments[4]) > 0.1


@pytest.mark.parametrize("period", [0.6, 1.9, 6.0])
@pytest.mark.parametrize("dt", [0.002, 0.01, 0.02])
def test_a_planted_wavelet_is_found(period: float, dt: float) -> None:
    v = np.zeros(round(60 / dt))
    shape = wavelet._wavelet_at(period * 5 / 7, dt, v.size)
    start = round(5 / dt)
    v[start : start + shape.size] = shape / np.abs(shape).max()
    found = velocity_pulse(from_velocity(v, dt))
    assert found.period == pytest.approx(period, rel=0.01)
    assert found.time == pytest.approx((start + shape.size // 2) * dt, abs=0.02 * period)
    assert found.energy_ratio < 0.01 and found.pgv_ratio < 0.1
    assert found.is_pulse and not found.late


def test_a_wavelet_much_longer_than_the_motion_is_compared_where_they_overlap() -> None:
    v, dt, scale = np.random.default_rng(1).normal(size=41), 0.01, 2.0
    x, psi = wavelet._daubechies4()
    lag = (np.arange(41)[None, :] - np.arange(41)[:, None]) * dt / scale + 3.5
    expected = dt * (np.interp(lag, x, psi) / math.sqrt(scale)) @ v
    assert wavelet._coefficients(v, dt, scale) == pytest.approx(expected, abs=1e-12)


def test_a_motion_in_picoseconds_is_measured_in_the_memory_of_its_samples() -> None:
    short = Motion([0.0, 1.0, -1.0, 0.0], 1e-12)
    assert velocity_pulse(short).pgv_ratio == pytest.approx(1.0, rel=1e-6)  # no pulse of 0.25 s
    faint = Motion([0.0, 1e-200, -1e-200, 0.0], 0.01)  # whose energy is no number above zero
    assert math.isnan(velocity_pulse(faint).indicator)


@pytest.mark.parametrize("gamma", [1.5, 2.0])
def test_the_pulse_of_mavroeidis_and_papageorgiou_is_one(gamma: float) -> None:
    pulse = pulses.mavroeidis(0.8, 2.0, gamma, nu=math.pi / 2, dt=0.01, start=3, tail=10)
    found = velocity_pulse(pulse)
    assert found.is_pulse and found.period == pytest.approx(2.0, rel=0.2)
    assert found.time == pytest.approx(3 + gamma, abs=1.0)


def test_noise_is_no_pulse_and_a_weak_pulse_is_none_that_matters() -> None:
    rng = np.random.default_rng(0)
    t = np.arange(4000) * 0.01
    noise = rng.standard_normal(4000) * np.exp(-(((t - 12) / 6) ** 2))
    velocity = np.convolve(noise, np.hanning(15), "same")
    motion = from_velocity(velocity / np.abs(velocity).max() * 0.4, 0.01)
    assert not velocity_pulse(motion).is_pulse
    pulse = pulses.mavroeidis(0.8, 2.0, 2.0, nu=math.pi / 2, dt=0.01, start=3, tail=10)
    assert velocity_pulse(pulse).is_pulse and not velocity_pulse(pulse.scaled(0.05)).is_pulse


def test_a_late_pulse_is_told() -> None:
    pulse = pulses.mavroeidis(0.5, 1.0, 2.0, nu=math.pi / 2, dt=0.01, tail=3)
    shaking = pulses.sine(2.0, 0.5, cycles=30, dt=0.01)
    assert not velocity_pulse(pulse).late
    balanced = Motion(np.cos(4 * np.pi * shaking.time) * 5, 0.01)
    assert velocity_pulse(balanced.then(pulse)).late
    energies = [float(np.sum(motion.velocity**2)) for motion in (balanced, pulse)]
    for share, late in ((0.13, False), (0.19, True)):  # of ∫v² before the pulse: 0.17 divides them
        weaker = balanced.scaled(math.sqrt(share / (1 - share) * energies[1] / energies[0]))
        assert velocity_pulse(weaker.then(pulse)).late is late


def test_the_indicator_is_that_of_the_paper() -> None:
    """The form of Shahi and Baker (2014), whose numbers have few digits: within 3 %."""
    for pgv, pgv_ratio, energy_ratio in ((0.8, 0.3, 0.2), (0.3, 0.6, 0.5), (1.5, 0.2, 0.1)):
        pc = 0.63 * pgv_ratio + 0.777 * energy_ratio
        V = 100 * pgv
        paper = 9.384 * (0.76 - pc - 0.0616 * V) * (pc + 6.914e-4 * V - 1.072) - 6.179
        ours = wavelet.pulse_indicator(pgv, pgv_ratio, energy_ratio)
        assert ours == pytest.approx(paper, rel=0.03, abs=0.3)


@pytest.mark.parametrize("angle", [0.0, 37.0, 90.0, 141.5])
def test_the_direction_of_a_planted_pulse(angle: float) -> None:
    pulse = pulses.mavroeidis(0.8, 2.0, 2.0, nu=1.0, dt=0.01, start=3, tail=10)
    x = pulse.scaled(math.cos(math.radians(angle)))
    y = pulse.scaled(math.sin(math.radians(angle)))
    assert (pulse_direction(x, y) - angle + 90) % 180 - 90 == pytest.approx(0.0, abs=1e-6)


def test_the_authors_own_example(records: Path) -> None:
    """El Centro Array 4, 1979: the pulse is in the component 230, hardly in 140."""
    one, two = (
        read_motion(records / "AT2" / f"IMPVALL79_ElCentroArray4_{name}.AT2")
        for name in ("140", "230")
    )
    assert isinstance(one, Motion) and isinstance(two, Motion)
    assert velocity_pulse(two).is_pulse and not velocity_pulse(one).is_pulse
    assert 4.0 < velocity_pulse(two).period < 5.5
    assert pulse_direction(one, two) == pytest.approx(90.0, abs=25.0)


def test_a_pulse_in_one_component_of_a_generated_pair(generated_records: Path) -> None:
    one, two = (read_motion(generated_records / name) for name in (standins.ALONG, standins.ACROSS))
    assert isinstance(one, Motion) and isinstance(two, Motion)
    assert velocity_pulse(two).is_pulse and not velocity_pulse(one).is_pulse
    assert velocity_pulse(two).period == pytest.approx(standins.FAULT_PERIOD, rel=0.1)
    assert pulse_direction(one, two) == pytest.approx(90.0, abs=5.0)


# -- the figure -----------------------------------------------------------------------------------


def test_the_figure_has_a_panel_for_each_quantity_and_component(tmp_path: Path) -> None:
    from rocksteady.view.motion import plot_motion

    pulse = pulses.mavroeidis(0.8, 2.0, 2.0, nu=1.0, dt=0.01, start=3, tail=10)
    up = pulse.with_vertical(0.5 * pulse.accel)
    for motion in (pulse, up, up.with_transverse(0.7 * pulse.accel), Motion.zeros(1.0, 0.01)):
        fig = plot_motion(motion, tmp_path / "motion.png", span=(0.0, 1.0))
        assert len(fig.axes) == 4 + len(motion.components)
        assert (tmp_path / "motion.png").stat().st_size > 10_000
        spectra = fig.axes[-2].get_lines()
        assert len(spectra) == 1 + len(motion.components)  # and the line at the PGA
        for axes in fig.axes:
            assert "[" in axes.get_ylabel() and np.isfinite(axes.get_ylim()).all()
        assert fig.axes[0].get_xlim() == (0.0, 1.0)
    with pytest.raises(InputError, match="png"):
        plot_motion(pulse, tmp_path / "motion.txt")


def test_a_thinned_curve_keeps_its_peaks() -> None:
    from rocksteady.view.motion import MOST_POINTS, thinned

    rng = np.random.default_rng(0)
    x, y = np.arange(100_000.0), rng.standard_normal(100_000)
    few, values = thinned(x, y)
    assert few.size <= MOST_POINTS + 2 and values.max() == y.max() and values.min() == y.min()
    assert few[0] == 0 and few[-1] == x[-1] and (np.diff(few) > 0).all()
    assert thinned(x[:100], y[:100])[1] is not None


def test_pga_rotd100_is_the_largest_over_all_directions():
    """The largest PGA of any turned component, found by turning; it does not depend on the axes."""
    rng = np.random.default_rng(2)
    x, y = rng.standard_normal((2, 400))
    motion = Motion(x, 0.01, transverse=y)
    largest = max(turned(motion, float(angle)).pga for angle in np.linspace(0, 180, 3601))
    found = im.pga_rotd100(motion)
    assert found == pytest.approx(largest, rel=1e-6)
    assert found >= max(np.abs(x).max(), np.abs(y).max())
    assert im.pga_rotd100(turned(motion, 33.0)) == pytest.approx(found, rel=1e-14)
    assert im.pga_rotd100(Motion(x, 0.01)) == np.abs(x).max()

"""The pulses against their closed forms (science: section 9), and pulses written as text."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocksteady.errors import InputError
from rocksteady.motion import Motion, parse_pulse, pulses

# -- shapes -----------------------------------------------------------------------------------


def test_sine_has_its_closed_form_velocity_and_displacement() -> None:
    a, T = 3.0, 0.5
    w = 2 * math.pi / T
    pulse = pulses.sine(a, T)
    t = pulse.time
    assert pulse.duration == pytest.approx(T, rel=1e-14)
    chords = (w * pulse.dt) ** 2 / 12  # what straight lines between samples take off the area
    tolerance = 2 * a / w * chords * 1.01
    np.testing.assert_allclose(pulse.velocity, a / w * (1 - np.cos(w * t)), 0, tolerance)
    np.testing.assert_allclose(pulse.displacement, a / w * (t - np.sin(w * t) / w), 0, tolerance)
    assert abs(pulse.velocity[-1]) < 1e-14
    assert pulse.pga == pytest.approx(a)


def test_omega_says_the_same_as_period() -> None:
    assert pulses.sine(2.0, omega=4 * math.pi) == pulses.sine(2.0, 0.5)
    assert pulses.ricker(2.0, omega=4 * math.pi) == pulses.ricker(2.0, 0.5)
    assert pulses.mavroeidis(0.5, frequency=0.5) == pulses.mavroeidis(0.5, 2.0)


def test_half_sine_is_one_signed_with_the_area_2a_over_omega() -> None:
    pulse = pulses.sine(-2.0, omega=5.0, cycles=0.5)
    assert pulse.duration == pytest.approx(math.pi / 5)
    assert (pulse.accel[1:-1] < 0).all()
    assert pulse.velocity[-1] == pytest.approx(-2 * 2.0 / 5.0, rel=1e-6)


def test_phase_turns_a_sine_into_a_cosine() -> None:
    turned = pulses.sine(1.5, 0.7, phase=math.pi / 2)
    np.testing.assert_allclose(turned.accel, pulses.cosine(1.5, 0.7).accel, atol=1e-14)


def test_cosine_begins_and_ends_at_its_amplitude() -> None:
    pulse = pulses.cosine(2.0, 0.5)
    t = pulse.time
    assert pulse.accel[0] == 2.0 and pulse.accel[-1] == pytest.approx(2.0)
    velocity = 2.0 / (4 * math.pi) * np.sin(4 * math.pi * t)
    np.testing.assert_allclose(pulse.velocity, velocity, atol=1e-6)


def test_rectangular_has_its_area() -> None:
    pulse = pulses.rectangular(2.0, 0.3)
    assert pulse.velocity[-1] == pytest.approx(0.6, rel=1e-12)
    assert (pulse.accel == 2.0).all()


def test_symmetric_ricker_peaks_at_its_centre() -> None:
    pulse = pulses.ricker(-3.0, 0.8, t0=2.0)
    assert pulse.at(2.0) == pytest.approx(-3.0, rel=1e-12)
    z = math.pi * 0.3 / 0.8
    expected = -3.0 * (1 - 2 * z**2) * math.exp(-(z**2))
    assert pulse.at(2.3) == pytest.approx(expected, abs=1e-5)
    assert pulse.at(1.7) == pytest.approx(expected, abs=1e-5)
    assert abs(pulse.velocity[-1]) < 1e-9  # a wavelet: no net velocity
    assert pulse.duration == pytest.approx(2.0 + 2 * 0.8)


def test_antisymmetric_ricker_has_its_amplitude_and_is_odd() -> None:
    pulse = pulses.ricker(3.0, 0.8, kind="antisymmetric")
    assert pulse.pga == pytest.approx(3.0, rel=1e-5)
    np.testing.assert_allclose(pulse.accel, -pulse.accel[::-1], atol=1e-12)
    y = 2 * math.pi * 0.25 / (math.sqrt(3) * 0.8)  # the printed constant, science section 9
    expected = 3.0 / 1.380119 * (3 - y**2) * y * math.exp(-(y**2) / 2)
    assert pulse.at(1.6 + 0.25) == pytest.approx(expected, rel=1e-5)
    assert abs(pulse.velocity[-1]) < 1e-8


@pytest.mark.parametrize("kind", ["symmetric", "antisymmetric"])
def test_ricker_has_faded_where_it_is_cut(kind: Any) -> None:
    pulse = pulses.ricker(1.0, 1.0, kind=kind)
    assert max(abs(pulse.accel[0]), abs(pulse.accel[-1])) < 2e-9


@given(
    A=st.floats(0.1, 2), T=st.floats(0.3, 8), gamma=st.floats(1.01, 3), nu=st.floats(0, 2 * math.pi)
)
def test_mavroeidis_is_the_derivative_of_its_velocity(
    A: float, T: float, gamma: float, nu: float
) -> None:
    pulse = pulses.mavroeidis(A, T, gamma=gamma, nu=nu)
    t = pulse.time - gamma * T / 2

    def velocity(t: Any) -> Any:
        bell = 1 + np.cos(2 * np.pi * t / (T * gamma))
        return A / 2 * bell * np.cos(2 * np.pi * t / T + nu)

    h = 1e-4 * T
    slope = (velocity(t + h) - velocity(t - h)) / (2 * h)
    np.testing.assert_allclose(pulse.accel[1:-1], slope[1:-1], atol=1e-5 * A * 2 * math.pi / T)
    # The bell is zero at both ends: so are acceleration and velocity.
    assert abs(pulse.accel[[0, -1]]).max() < 1e-12 * A / T
    np.testing.assert_allclose(pulse.velocity, velocity(t), atol=1e-5 * A)


# -- sampling ---------------------------------------------------------------------------------

BUILDERS: list[Callable[..., Motion]] = [
    lambda **timing: pulses.sine(1.0, 0.7312, **timing),
    lambda **timing: pulses.cosine(1.0, 0.7312, **timing),
    lambda **timing: pulses.rectangular(1.0, 0.7312, **timing),
    lambda **timing: pulses.ricker(1.0, 0.7312, **timing),
    lambda **timing: pulses.mavroeidis(1.0, 0.7312, gamma=1.7, **timing),
]


@pytest.mark.parametrize("build", BUILDERS)
def test_default_step_is_fine_and_the_pulse_ends_on_a_sample(build: Callable[..., Motion]) -> None:
    alone = build()
    assert 0.00049 < alone.dt <= 0.0005
    steps = alone.duration / alone.dt
    assert steps == pytest.approx(round(steps))
    quiet = build(start=0.5, tail=1.0)
    before = round(0.5 / alone.dt)
    assert not quiet.accel[:before].any()
    np.testing.assert_array_equal(quiet.accel[before : before + alone.npts], alone.accel)
    assert not quiet.accel[before + alone.npts :].any()
    assert quiet.duration >= before * alone.dt + alone.duration + 1.0


def test_short_periods_get_a_thousandth_of_them() -> None:
    assert pulses.sine(1.0, 0.1).dt == pytest.approx(1e-4)


def test_a_given_step_is_kept_where_it_fits_and_reduced_where_not() -> None:
    assert pulses.sine(1.0, 0.5, dt=0.01).dt == 0.01
    reduced = pulses.sine(1.0, 0.333, dt=0.01)
    assert reduced.dt == pytest.approx(0.333 / 34)
    assert reduced.duration == pytest.approx(0.333)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: pulses.sine(1.0), "exactly one"),
        (lambda: pulses.sine(1.0, 0.5, omega=2.0), "exactly one"),
        (lambda: pulses.ricker(1.0), "exactly one"),
        (lambda: pulses.mavroeidis(1.0), "exactly one"),
        (lambda: pulses.mavroeidis(1.0, 1.0, frequency=1.0), "exactly one"),
        (lambda: pulses.sine(math.nan, 0.5), "amplitude = nan m/s²"),
        (lambda: pulses.sine(1.0, -0.5), "period = -0.5 s"),
        (lambda: pulses.cosine(1.0, omega=0.0), "omega = 0.0"),
        (lambda: pulses.sine(1.0, 0.5, cycles=0), "cycles = 0"),
        (lambda: pulses.sine(1.0, 0.5, phase=math.inf), "phase = inf"),
        (lambda: pulses.sine(1.0, 0.5, dt=-0.1), "dt = -0.1"),
        (lambda: pulses.sine(1.0, 0.5, dt=0.2), "too coarse"),
        (lambda: pulses.sine(1.0, 0.5, start=-1.0), "start = -1.0"),
        (lambda: pulses.sine(1.0, 0.5, tail=-1.0), "tail = -1.0"),
        (lambda: pulses.sine(1.0, 0.5, tail=1e9), "tail"),
        (lambda: pulses.rectangular(1.0, 0.0), "duration = 0.0 s"),
        (lambda: pulses.ricker(1.0, 0.5, kind="odd"), "'antisymmetric'"),  # type: ignore[arg-type]
        (lambda: pulses.ricker(1.0, 0.5, t0=0.9), "t0 = 0.9 s cuts"),
        (lambda: pulses.ricker(1.0, 0.5, t0=3.0, start=1.0), "one of them"),
        (lambda: pulses.mavroeidis(1.0, 1.0, gamma=1.0), "gamma = 1.0"),
        (lambda: pulses.mavroeidis(1.0, 1.0, gamma=math.nan), "gamma = nan"),
        (lambda: pulses.mavroeidis(1.0, frequency=-1.0), "frequency = -1.0"),
    ],
)
def test_bad_pulses_are_refused(make: Callable[[], Motion], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        make()


# -- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pulse", "words"),
    [
        (pulses.sine(1.0, 0.5), "sine pulse"),
        (pulses.cosine(1.0, 0.5, cycles=0.5), "cosine pulse"),
        (pulses.sine(1.0, 0.5, cycles=10), "sine wave of 10 cycles"),
        (pulses.rectangular(1.0, 0.5), "rectangular pulse"),
        (pulses.ricker(1.0, 0.5), "Ricker wavelet"),
        (pulses.mavroeidis(1.0, 0.5), "near-fault pulse"),
    ],
)
def test_names_are_words_and_the_history_says_how_it_was_made(pulse: Motion, words: str) -> None:
    assert pulse.name == words
    function, _, rest = pulse.meta["history"][0].partition("(")
    assert callable(getattr(pulses, function)) and rest.endswith(")")


# -- written as text --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("sine,a=0.45g,w=5.75p", lambda: pulses.sine(0.45 * 9.80665, omega=5.75 * 2.14)),
        ("pulse:sine, a=-3 , T=5e-1", lambda: pulses.sine(-3.0, 0.5)),
        ("cosine,a=2gtana,T=.5", lambda: pulses.cosine(2 * 9.81 * math.tan(0.2), 0.5)),
        (
            "sine,a=1,T=1,cycles=0.5,dt=0.01,start=1,tail=2,phase=0.3",
            lambda: pulses.sine(1.0, 1.0, None, 0.5, 0.01, 1.0, 2.0, 0.3),
        ),
        ("rectangular,a=1,d=0.4,tail=1", lambda: pulses.rectangular(1.0, 0.4, tail=1.0)),
        (
            "ricker,a=1g,T=0.5,kind=antisymmetric,t0=2",
            lambda: pulses.ricker(9.80665, 0.5, "antisymmetric", t0=2.0),
        ),
        (
            "mavroeidis,A=0.6,f=0.5,gamma=1.5,nu=1.2",
            lambda: pulses.mavroeidis(0.6, frequency=0.5, gamma=1.5, nu=1.2),
        ),
    ],
)
def test_pulses_written_as_text(text: str, same: Callable[[], Motion]) -> None:
    assert parse_pulse(text, p=2.14, alpha=0.2) == same()


@pytest.mark.parametrize("pulse", ["sine,a=1", "cosine,a=1", "ricker,a=1", "mavroeidis,A=1"])
def test_a_frequency_says_the_same_as_a_period(pulse: str) -> None:
    by_frequency, by_period = parse_pulse(f"{pulse},f=4"), parse_pulse(f"{pulse},T=0.25")
    assert by_frequency == by_period


def test_g_in_text_is_a_unit_and_gtana_the_blocks_own() -> None:
    assert parse_pulse("sine,a=1g,T=1", g=1.62).pga == pytest.approx(9.80665)
    own = parse_pulse("sine,a=1gtana,T=1", alpha=0.2, g=1.62)
    assert own.pga == pytest.approx(1.62 * math.tan(0.2))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "choose one of sine, cosine"),
        ("square,a=1", "'square' is not a pulse: choose one of sine, cosine"),
        ("sine,a=1,b=2", "'b=2' is not allowed .* sine takes a .*, T .*, f .*, w .*, cycles"),
        ("sine,a=1,d=2", "'d=2' is not allowed"),
        ("sine,a", "'a' is not allowed"),
        ("sine,a=,T=1", "a= is not allowed"),
        ("sine,a=1q,T=1", "a=1q is not allowed: .* g, gtana"),
        ("sine,a=1p,T=1", "a=1p is not allowed"),
        ("sine,a=1,T=1g", "T=1g is not allowed: it must be a number, in SI"),
        ("sine,a=nan,T=1", "a=nan is not allowed"),
        ("sine,a=1,a=2,T=1", "given twice"),
        ("sine,T=1", r"lacks a: sine takes a \[m/s², or 0.45g\], T \[s\], f \[Hz\], w \[rad/s, or"),
        ("mavroeidis,T=1", r"lacks A: mavroeidis takes A \[m/s\], T \[s\], f \[Hz\], gamma, nu"),
        ("rectangular,a=1", r"lacks d: .* d \[s\]"),
        ("sine,a=1", "lacks one of T, f, w: give exactly one, T .* or f .* or w"),
        ("mavroeidis,A=1,T=1,f=1", "has T and f: give exactly one"),
        ("sine,a=1,T=1,f=1", "has T and f: give exactly one"),
        ("ricker,a=1,f=0", "f = 0.0 Hz is not allowed"),
        ("sine,a=1,w=2p", "needs the block's frequency parameter p"),
        ("sine,a=1gtana,T=1", "needs the block's alpha"),
        ("sine,a=1", "exactly one"),
        ("sine,a=1,T=1,w=1", "exactly one"),
    ],
)
def test_bad_texts_say_what_is_allowed(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        parse_pulse(text)

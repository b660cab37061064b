"""The compiled sums of the stochastic model against the direct sums, term by term."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from rocksteady.errors import InputError
from rocksteady.motion.generate.rezaeian.envelope import MARKS, fitted_envelope
from rocksteady.motion.generate.rezaeian.filtered_noise import (
    expected_energy,
    filtered_noise,
    high_passed,
    pulse_sums,
)
from rocksteady.motion.generate.stochastic import (
    Parameters,
    ensemble,
    in_turn,
    rezaeian,
    sample_parameters,
)

TYPICAL = Parameters(0.5, 12.0, 8.0, 5.0, -0.1, 0.25)

# Broad and narrow bands; a frequency that stands still, falls to the floor of 0.3 Hz, comes down
# from the highest, or rises from the floor; long pulses in a long motion; few samples.
FREQUENCIES = {
    "steady": (2.0, 2.0, 900),
    "falling": (7.0, 2.0, 1300),
    "to the floor": (6.0, -12.0, 1500),
    "from the ceiling to the floor": (60.0, -30.0, 1100),
    "off the floor": (-5.0, 9.0, 1200),
    "slow and long": (0.4, -0.1, 2500),
    "short": (3.0, 2.9, 7),
}


def definition(omega: np.ndarray, damping: float, dt: float) -> np.ndarray:
    """h(t − t_i; ω_i, ζ), a row for each t and a column for each t_i."""
    time = np.arange(omega.size) * dt
    tau = np.maximum(time[:, None] - time[None, :], 0.0)
    root = math.sqrt(1 - damping**2)
    h: np.ndarray = omega / root * np.exp(-damping * omega * tau) * np.sin(omega * root * tau)
    return h


@pytest.mark.parametrize("damping", [0.005, 0.02, 0.3, 0.9, 0.999])
@pytest.mark.parametrize("case", FREQUENCIES)
def test_recurrence_is_the_direct_sum(case: str, damping: float) -> None:
    start, end, size = FREQUENCIES[case]
    dt, low, high = 0.01, 0.3, 25.0
    omega = 2 * np.pi * np.clip(np.linspace(start, end, size), low, high)
    noise = np.random.default_rng(size).standard_normal((size, 3))
    h = definition(omega, damping, dt)
    found = filtered_noise(noise, omega, damping, dt)
    direct = h @ noise
    # The sine of the definition has an error of its own: 1e-16 of an angle of up to a hundred.
    np.testing.assert_allclose(found, direct, rtol=0, atol=1e-12 * np.abs(direct).max())
    squares = (h**2).sum(axis=1)
    sums = pulse_sums(omega, damping, dt)
    np.testing.assert_allclose(sums.deviation[1:] ** 2, squares[1:], rtol=1e-12)
    products = (h[1:] * h[:-1]).sum(axis=1)[1:]
    scale = np.sqrt(squares[2:] * squares[1:-1])
    np.testing.assert_allclose(sums.correlation[2:], products / scale, rtol=0, atol=1e-11)


@settings(max_examples=25, deadline=None)
@given(
    st.floats(0.3, 24.0), st.floats(-3.0, 3.0), st.floats(0.01, 0.99), st.integers(2, 700),
    st.integers(1, 20),
)  # fmt: skip
def test_alone_and_among_others_to_the_bit(
    f: float, rate: float, damping: float, size: int, columns: int
) -> None:
    dt = 0.01
    omega = 2 * np.pi * np.clip(f + rate * dt * np.arange(size), 0.3, 25.0)
    noise = np.random.default_rng(size).standard_normal((size, columns))
    batch = filtered_noise(noise, omega, damping, dt)
    for n in {0, columns // 2, columns - 1}:
        alone = filtered_noise(np.ascontiguousarray(noise[:, n : n + 1]), omega, damping, dt)
        np.testing.assert_array_equal(alone[:, 0], batch[:, n])


def test_expected_energy_follows_the_filter_until_it_is_still() -> None:
    """Pulses of 5 Hz are over in a second, the high-pass rings for many: term by term."""
    dt, size, damping, w_c = 0.01, 1800, 0.4, 2 * np.pi * 0.1
    time = dt * np.arange(size)
    omega = 2 * np.pi * np.clip(5.0 - 0.6 * time, 0.3, None)
    sums = pulse_sums(omega, damping, dt)
    q = fitted_envelope(1.0, 3.0, 2.0).at(time)
    single = high_passed(
        (q / sums.deviation)[:, None] * filtered_noise(np.eye(size), omega, damping, dt), w_c, dt
    )
    lines = (single[1:] ** 2 + single[1:] * single[:-1] + single[:-1] ** 2) / 3
    arrived = np.cumsum(dt * lines.sum(axis=1))
    found = expected_energy(q, sums, omega, damping, w_c, dt, 1)
    # q is followed down to a thousandth of its largest: a millionth of the energy is left out.
    np.testing.assert_allclose(found.arrived[1:], arrived, rtol=0, atol=1e-7 * arrived[-1])
    assert found.samples == pytest.approx(dt * np.sum(single**2) / arrived[-1], rel=1e-7)


@given(st.floats(0.11, 10.9), st.floats(0.5, 40.0))
def test_envelope_shape_to_ten_digits(ratio: float, t_mid: float) -> None:
    envelope = fitted_envelope(1.0, ratio * t_mid, t_mid)
    low, middle, high = special.gammaincinv(envelope.shape, MARKS)
    assert (high - low) / middle == pytest.approx(ratio, rel=1e-8)
    assert middle / envelope.rate == pytest.approx(t_mid, rel=1e-9)


def test_same_samples_alone_in_an_ensemble_and_on_any_number_of_threads() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drawn = sample_parameters(7, 12)
        once = ensemble(7, 12, drawn, threads=1)
        for threads in (2, 5):
            assert ensemble(7, 12, drawn, threads=threads) == once
        assert list(in_turn(7, 12)) == once
        for i in (0, 6):
            seed = np.random.SeedSequence(12, spawn_key=(i,))
            assert rezaeian(seed, drawn[i]).accel.tobytes() == once[i].accel.tobytes()
    same = ensemble(9, 4, TYPICAL, threads=1)
    assert ensemble(9, 4, TYPICAL, threads=3) == same  # other batches
    alone = rezaeian(np.random.SeedSequence(4, spawn_key=(8,)), TYPICAL)
    assert alone.accel.tobytes() == same[8].accel.tobytes()


def test_progress_is_told_in_order_and_errors_come_through() -> None:
    told: list[tuple[int, int]] = []
    ensemble(5, 1, TYPICAL, progress=lambda *counts: told.append(counts))
    assert told == [(n, 5) for n in range(1, 6)]
    coarse = Parameters(0.5, 12.0, 8.0, 30.0, 0.0, 0.25)
    with pytest.raises(InputError, match="too coarse for frequency_mid = 30 Hz"):
        ensemble(3, 1, [TYPICAL, TYPICAL, coarse], threads=2)
    for threads in (0, -1, 1.5, True):
        with pytest.raises(InputError, match="threads = "):
            ensemble(2, 1, TYPICAL, threads=threads)  # type: ignore[arg-type]

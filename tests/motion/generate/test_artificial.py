"""Code spectra against the code's tables, and artificial motions against their spectra."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import signal

from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.motion.code_spectra import Eurocode8
from rocksteady.motion.generate.artificial import artificial, artificial_set, check
from rocksteady.motion.spectra import response_spectrum

FINE = np.concatenate([[0.0], np.geomspace(0.04, 4.0, 1500)])
SPECTRA = [
    Eurocode8(ag=2.0, soil=soil, kind=kind)  # type: ignore[arg-type]
    for kind, soil in itertools.product((1, 2), "ABCDE")
]


# -- Eurocode 8, 3.2.2.2 -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("soil", "kind", "S", "corners"),
    [  # EN 1998-1:2004, Tables 3.2 and 3.3
        ("A", 1, 1.0, (0.15, 0.4, 2.0)),
        ("B", 1, 1.2, (0.15, 0.5, 2.0)),
        ("C", 1, 1.15, (0.20, 0.6, 2.0)),
        ("D", 1, 1.35, (0.20, 0.8, 2.0)),
        ("E", 1, 1.4, (0.15, 0.5, 2.0)),
        ("A", 2, 1.0, (0.05, 0.25, 1.2)),
        ("B", 2, 1.35, (0.05, 0.25, 1.2)),
        ("C", 2, 1.5, (0.10, 0.25, 1.2)),
        ("D", 2, 1.8, (0.10, 0.30, 1.2)),
        ("E", 2, 1.6, (0.05, 0.25, 1.2)),
    ],
)
def test_tables_and_branches(soil: str, kind: int, S: float, corners: tuple[float, ...]) -> None:
    """Equations 3.2 to 3.5 at the ends and in the middle of every branch, η = 1."""
    spectrum = Eurocode8(ag=3.0, soil=soil, kind=kind)  # type: ignore[arg-type]
    T_B, T_C, T_D = spectrum.corners
    assert (spectrum.S, spectrum.corners) == (S, corners)
    assert spectrum.pga == pytest.approx(3 * S)
    periods = [0.0, T_B / 2, T_B, T_C, (T_C + T_D) / 2, T_D, 4.0]
    factors = [1, 1.75, 2.5, 2.5, 2.5 * T_C / ((T_C + T_D) / 2), 2.5 * T_C / T_D]
    factors.append(2.5 * T_C * T_D / 16)
    np.testing.assert_allclose(spectrum.acceleration(periods), 3 * S * np.array(factors))


def test_damping_correction() -> None:
    """Equation 3.6: η = √(10/(5 + ξ)), 1 at 5 %, √2 undamped, never below 0.55 (28 %)."""
    for damping, eta in [(0.05, 1), (0.0, np.sqrt(2)), (0.1, np.sqrt(2 / 3)), (0.4, 0.55)]:
        spectrum = Eurocode8(ag=1.0, damping=damping)
        assert spectrum.eta == pytest.approx(eta)
        assert spectrum.acceleration(0.3) == pytest.approx(2.5 * eta)
        assert spectrum.acceleration(0.0) == pytest.approx(1.0)


@settings(max_examples=30)
@given(st.sampled_from(SPECTRA), st.floats(0.0, 0.3))
def test_spectra_are_continuous_and_displacement_never_falls_before_T_D(
    spectrum: Eurocode8, damping: float
) -> None:
    spectrum = replace(spectrum, damping=damping)
    T = np.linspace(0.0, 4.0, 8001)
    assert np.abs(np.diff(spectrum.acceleration(T))).max() < 0.05 * spectrum.pga
    shown = spectrum.displacement(T)
    assert (np.diff(shown) > -1e-12).all()
    T_D = spectrum.corners[2]
    np.testing.assert_allclose(shown[T > T_D], shown[-1])


def test_bad_spectra() -> None:
    with pytest.raises(InputError, match="ground type A, B, C, D or E"):
        Eurocode8(ag=1.0, soil="F")
    with pytest.raises(InputError, match="type 1 or 2"):
        Eurocode8(ag=1.0, kind=3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="ag = 0"):
        Eurocode8(ag=0.0)
    with pytest.raises(InputError, match=r"Five per cent is 0\.05"):
        Eurocode8(ag=1.0, damping=5)
    with pytest.raises(InputError, match=r"damping = '5 %' is not allowed"):
        Eurocode8(ag=1.0, damping="5 %")  # type: ignore[arg-type]
    whole = Eurocode8(ag=np.int64(2), damping=np.float64(0.1))
    assert repr(whole) == repr(Eurocode8(ag=2.0, damping=0.1))
    with pytest.raises(InputError, match=r"period = 5 s.*from 0 to 4 s"):
        Eurocode8(ag=1.0).acceleration([1.0, 5.0])


# -- artificial motions --------------------------------------------------------------------------


@pytest.mark.parametrize("target", SPECTRA, ids=lambda s: f"{s.kind}{s.soil}")
def test_spectrum_within_ten_per_cent(target: Eurocode8) -> None:
    """At 1500 periods up to 4 s, most of them not among those matched; and at rest in the end."""
    motion = artificial(target, seed=1)
    ratio = response_spectrum(motion, FINE, exact=True).psa / target.acceleration(FINE)
    assert np.abs(ratio - 1).max() < 0.10
    assert motion.meta["spectrum_error"] <= 0.09
    assert motion.pga == pytest.approx(target.pga, rel=0.01)
    assert motion.pga > target.pga * (1 - 1e-12)
    assert abs(motion.velocity[-1]) < 1e-12
    assert abs(motion.displacement[-1]) < 1e-11
    assert motion.accel[0] == motion.accel[-1] == 0.0
    assert np.abs(motion.displacement).max() < 3 * target.displacement(4.0)


def test_spectrum_against_an_independent_solver() -> None:
    """SciPy's lsim of the oscillator, exact for straight lines, on samples ten times as fine."""
    target = Eurocode8(ag=1.5, soil="C")
    motion = artificial(target, seed=4).resampled(0.001)
    for T in (0.1, 0.3, 0.8, 2.0, 3.5):
        w = 2 * np.pi / T
        system = ([[0, 1], [-w * w, -0.1 * w]], [[0], [-1]], [[w * w, 0]], [[0]])
        _, pseudo, _ = signal.lsim(system, motion.accel, motion.time)
        assert np.abs(pseudo).max() == pytest.approx(float(target.acceleration(T)), rel=0.1)


def test_other_damping_and_envelope() -> None:
    target = Eurocode8(ag=2.0, soil="B", damping=0.1)
    motion = artificial(target, seed=2, rise=3.0, strong=15.0, decay=6.0)
    assert motion.duration == pytest.approx(24.0)
    spectrum = response_spectrum(motion, FINE, 0.1, exact=True)
    assert np.abs(spectrum.psa / target.acceleration(FINE) - 1).max() < 0.10
    strong = motion.trimmed(3.0, 18.0).accel
    assert np.mean(strong[:700] ** 2) == pytest.approx(np.mean(strong[-700:] ** 2), rel=0.5)
    assert np.mean(motion.trimmed(0.0, 1.0).accel ** 2) < 0.2 * np.mean(strong**2)


def test_motions_beside_their_target() -> None:
    """The mean peak over a_g·S, and the lowest mean spectrum over the target."""
    target = Eurocode8(ag=2.0, soil="B")
    motions = artificial_set(target, n=3, seed=5)
    for period in (0.2, 0.5, 1.0, 2.0):
        found = check(motions, target, period)
        assert found.motions == 3 and found.pga_ratio == pytest.approx(1.0, rel=1e-3)
        periods = np.geomspace(0.2 * period, 2 * period, 100)
        mean = np.mean(
            [response_spectrum(one, periods, 0.05, exact=True).psa for one in motions], axis=0
        )
        lowest = (mean / target.acceleration(periods)).min()
        assert found.lowest_ratio == pytest.approx(lowest, rel=1e-9) and lowest > 0.9
    weak = [motion.scaled(0.95) for motion in motions]
    assert check(weak, target, 0.5).pga_ratio == pytest.approx(0.95, rel=1e-3)
    low = check([Motion.zeros(10.0, 0.01)] * 3, target, 0.5)
    assert (low.pga_ratio, low.lowest_ratio) == (0.0, 0.0)


def test_seeds() -> None:
    target = Eurocode8(ag=2.0)
    one, again, other = (artificial(target, seed) for seed in (1, 1, 2))
    assert one.accel.tobytes() == again.accel.tobytes()
    assert abs(np.corrcoef(one.accel, other.accel)[0, 1]) < 0.3
    two = artificial_set(target, 2, 9)
    assert two[:1] == artificial_set(target, 1, 9)
    assert two[0] != two[1]


def test_the_motion_scales_with_the_target() -> None:
    """The same seed and twice a_g: twice the motion, as nothing in the matching has a scale."""
    one, two = artificial(Eurocode8(ag=1.0), 3), artificial(Eurocode8(ag=2.0), 3)
    np.testing.assert_allclose(two.accel, 2 * one.accel, atol=1e-9)


def test_bad_inputs() -> None:
    target = Eurocode8(ag=2.0)
    with pytest.raises(InputError, match=r"dt = 0\.05 s is too coarse"):
        artificial(target, 1, dt=0.05)
    with pytest.raises(InputError, match="cannot be matched"):
        artificial(replace(target, damping=0.02), 1)
    with pytest.raises(InputError, match="strong = -1"):
        artificial(target, 1, strong=-1)
    with pytest.raises(InputError, match="n = 0"):
        artificial_set(target, 0)
    with pytest.raises(InputError, match="no motions to compare"):
        check([], target, 0.5)
    with pytest.raises(InputError, match="seed = -1"):
        artificial(target, -1)

"""Code spectra of the ground (NTC 2018) and of floors: digits worked out apart from this code."""

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.motion.code_spectra import Eurocode8, Ntc2018
from rocksteady.motion.floor_spectra import (
    SpectrumOfMotion,
    asce7_height_factor,
    circolare_amplification,
    circolare_first_mode,
    circolare_floor_spectrum,
    circolare_frame_spectrum,
    circolare_modal_accelerations,
    circolare_peak_acceleration,
    eurocode8_floor_spectrum,
)

G = 9.81

# -- NTC 2018 --------------------------------------------------------------------------------------


def test_ntc_spectrum() -> None:
    site = Ntc2018(ag=0.25 * G, F0=2.4, Tc_star=0.35, soil="B")
    assert pytest.approx(1.16, abs=1e-12) == site.S
    assert pytest.approx(1.35699759, abs=1e-8) == site.C_C
    T_B, T_C, T_D = site.corners
    assert pytest.approx(0.47494916, abs=1e-8) == T_C
    assert pytest.approx((T_C / 3, 4 * 0.25 + 1.6)) == (T_B, T_D)
    assert site.acceleration(1.0) / G == pytest.approx(0.33056461, abs=1e-8)
    late = site.with_damping(0.08).displacement(1.2382876)
    assert late == pytest.approx(0.08921040, abs=1e-8)
    assert site.with_damping(0.08) == Ntc2018(0.25 * G, 2.4, 0.35, "B", damping=0.08)


@pytest.mark.parametrize(
    ("soil", "ag", "S"),
    [("A", 0.3, 1.0), ("B", 0.05, 1.2), ("C", 0.05, 1.5), ("C", 0.6, 1.0), ("D", 0.5, 0.9),
     ("D", 0.05, 1.8), ("E", 0.1, 1.6), ("E", 0.5, 1.0), ("C", 0.25, 1.34)],
)  # fmt: skip
def test_ntc_soil_factors(soil: str, ag: float, S: float) -> None:
    assert pytest.approx(S) == Ntc2018(ag * G, 2.4, 0.35, soil).S
    assert pytest.approx(1.4 * S) == Ntc2018(ag * G, 2.4, 0.35, soil, "T4").S


def test_ntc_spectrum_is_continuous() -> None:
    site = Ntc2018(0.2 * G, 2.5, 0.3, "D", "T2", 0.1)
    for corner in site.corners:
        below, above = site.acceleration([corner * (1 - 1e-9), corner * (1 + 1e-9)])
        assert below == pytest.approx(above, rel=1e-7)
    assert site.acceleration(0.0) == pytest.approx(site.pga)


def test_bad_sites() -> None:
    for wrong, words in (
        ({"F0": 2.0}, "F0 = 2.0"),
        ({"soil": "F"}, "soil = 'F'"),
        ({"topography": "ridge"}, "T1"),
        ({"Tc_star": 0}, "Tc_star"),
        ({"ag": -1}, "ag"),
    ):
        with pytest.raises(rs.InputError, match=words):
            Ntc2018(**{"ag": 1.0, "F0": 2.4, "Tc_star": 0.3, **wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["-1", "4.01", "nan"])
def test_a_period_without_a_spectrum_is_named(wrong: str) -> None:
    with pytest.raises(rs.InputError, match=f"period = {wrong} s is not allowed.*from 0 to 4 s"):
        Eurocode8(0.25 * G, "B").acceleration([0.0, 4.0, float(wrong), 0.5])


# -- Circolare, by modes ---------------------------------------------------------------------------

ROOF = circolare_first_mode(0.5, 4, 1.0, 0.05)
GROUND = Eurocode8(0.25 * G, "B")
T_SLV = 1.2382875716


def test_circolare_roof_of_four_storeys() -> None:
    assert GROUND.acceleration(0.5) == pytest.approx(7.3575, abs=1e-12)
    assert ROOF.participation == pytest.approx(12 / 9)
    assert circolare_peak_acceleration(GROUND, [ROOF]) == pytest.approx(9.8589280, abs=5e-8)
    assert circolare_amplification(0.05, 0.08) == pytest.approx(4.3145550, abs=5e-8)
    late = circolare_floor_spectrum(GROUND, [ROOF], T_SLV, 0.08)
    assert late == pytest.approx(7.9683298, rel=1e-7)


def test_damping_in_the_amplification_is_a_ratio() -> None:
    """The text says ξ_k "in percentuale". Taken so in C7.2.6, the floor's spectrum in resonance
    would be half of the floor's own peak, and no spectrum of a motion is below its peak there. The
    motions of floors say what was meant: in resonance a floor's spectrum is four to six times its
    peak."""
    with_ratio = circolare_amplification(0.05)
    with_per_cent = 1.1 * 5.0**-0.5
    assert with_ratio == pytest.approx(4.9193, abs=1e-4)
    assert with_per_cent == pytest.approx(0.4919, abs=1e-4)
    amplified = []
    for motion in rs.stochastic.ensemble(12, seed=5):
        floor = rs.floor_motion(motion, period=0.5, damping=0.05, storeys=4)
        amplified.append(SpectrumOfMotion(floor).acceleration(0.5) / floor.pga)
    assert 4.0 < np.mean(amplified) < 6.5
    assert min(amplified) > 1.0 > with_per_cent


def test_per_cent_in_the_peak() -> None:
    """√(1 + 0.0004 ξ_k²) has ξ_k in per cent: at 50 % the oscillator's absolute acceleration is
    √(1 + 4ξ²) = √2 of its pseudo-acceleration in resonance."""
    mode = rs.Floor.of_modes([0.5], [1.0], [0.5]).modes
    ground = GROUND.with_damping(0.5)
    peak = circolare_modal_accelerations(GROUND, mode)[0]
    assert peak == pytest.approx(float(ground.acceleration(0.5)) * np.sqrt(2))


def test_circolare_limits() -> None:
    """At T = 0 the floor's peak; level between aT_k and bT_k; beyond T_1 not below the ground's."""
    peak = circolare_peak_acceleration(GROUND, [ROOF])
    level = circolare_amplification(0.05) * peak
    T = np.array([0.0, 0.4, 0.45, 0.54999])
    expected = [peak, level, level, level]
    assert circolare_floor_spectrum(GROUND, [ROOF], T) == pytest.approx(expected)
    low = circolare_first_mode(0.5, 4, 0.0)
    assert circolare_floor_spectrum(GROUND, [low], 0.4) == 0
    assert circolare_floor_spectrum(GROUND, [low], 0.8) == GROUND.acceleration(0.8)


def test_circolare_near_the_floors_of_real_histories() -> None:
    """All modes and the motion's own spectrum: the formula's peak is within a quarter of the exact
    floor's, on the mean within a tenth."""
    ratios = []
    for motion in rs.stochastic.ensemble(12, seed=8):
        for period in (0.2, 0.5, 1.0):
            floor = rs.Floor(period, storeys=4)
            exact = floor.motion(motion).pga
            ratios.append(
                circolare_peak_acceleration(SpectrumOfMotion(motion), floor.modes) / exact
            )
    assert 0.9 < np.mean(ratios) < 1.1
    assert min(ratios) > 0.7 and max(ratios) < 1.35


# -- by height alone -------------------------------------------------------------------------------


def test_eurocode8_floor() -> None:
    assert eurocode8_floor_spectrum(0.3, 1.0, 0.5, 0.0) == pytest.approx(0.75)
    assert eurocode8_floor_spectrum(0.3, 1.0, 0.5, 0.5) == pytest.approx(1.65)
    assert eurocode8_floor_spectrum(0.3, 0.5, 0.5, 0.1) == pytest.approx(0.673170732, abs=1e-9)
    assert eurocode8_floor_spectrum(0.3, 0.0, 0.5, 4.0) == pytest.approx(0.3)  # not below αS


def test_circolare_frames() -> None:
    assert circolare_frame_spectrum(0.3, 1.0, 0.5, 0.0) == pytest.approx(0.60)
    assert circolare_frame_spectrum(0.3, 1.0, 0.5, 0.5) == pytest.approx(2.40)
    assert circolare_frame_spectrum(0.3, 0.5, 0.5, 0.1) == pytest.approx(1.35)
    assert circolare_frame_spectrum(0.3, 0.0, 0.5, 4.0) == pytest.approx(0.3)
    peaks = [float(circolare_frame_spectrum(1.0, 0.0, T, T)) for T in (0.49, 0.5, 1.0, 1.01)]
    assert peaks == pytest.approx([5.0, 4.0, 4.0, 2.5])  # table C7.2.II


def test_asce7_height_factor() -> None:
    given = [(1, 0.5), (0.5, 0.5), (1, 0.2), (1, 1)]
    expected = [3.36, 2.00035156, 3.5, 2.84]
    assert [asce7_height_factor(*one) for one in given] == pytest.approx(expected, abs=1e-8)
    assert asce7_height_factor(0.4) == pytest.approx(2.0)
    with pytest.raises(rs.InputError, match="z/H"):
        asce7_height_factor(1.2)


@pytest.mark.parametrize(
    ("T1", "a", "b", "largest"),
    [(0.4, 0.8, 1.4, 5.0), (0.5, 0.3, 1.2, 4.0), (1.0, 0.3, 1.2, 4.0), (1.5, 0.3, 1.0, 2.5)],
)
def test_elements_in_a_frame_by_hand(T1: float, a: float, b: float, largest: float) -> None:
    """Table C7.2.II: the largest amplification from a T₁ to b T₁; half as far below it, or half as
    far again beyond it, a_p/(1 + (a_p − 1)/4) is left."""
    periods = [a * T1 / 2, a * T1, b * T1, 1.5 * b * T1]
    left = largest / (1 + (largest - 1) / 4)
    for z in (0.0, 0.5, 1.0):
        found = circolare_frame_spectrum(0.2, z, T1, periods)
        expected = [0.2 * (1 + z) * max(x, 1 / (1 + z)) for x in (left, largest, largest, left)]
        assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("storeys", [1, 2, 4, 9])
def test_a_straight_first_mode_of_equal_masses(storeys: int) -> None:
    """Σ m ψ / Σ m ψ² of ψ = i/n at the storeys i = 1 … n, times the shape at z/H."""
    shape = np.arange(1, storeys + 1) / storeys
    participation = shape.sum() / (shape**2).sum()
    for z in (0.25, 1.0):
        mode = circolare_first_mode(0.5, storeys, z)
        assert mode.participation == pytest.approx(participation * z, rel=1e-12)

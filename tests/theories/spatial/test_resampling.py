"""A ground that is straight between samples is the same ground with more samples on its lines: the
run does not depend on how many there are.

A run is chaotic here if its results move by more than 10⁻⁸ when the ground, or one horizontal
component of it, is stronger by 10⁻⁹. What the series leave out (ALLOWED, 2·10⁻¹⁰ rad an interval)
grows as well in such a run: by 10⁻⁷ and more where results move by 2·10⁻⁸.
"""

import numpy as np
import pytest

import rocksteady as rs

DT, SAMPLES = 0.01, 601
STRONGER = [(1e-9, 1e-9, 1e-9), (1e-9, 0.0, 0.0), (0.0, 1e-9, 0.0)]  # along x, y, z
MOVED = 1e-8
SAME = 1e-7
BOXES = [(0.5, 0.7, 2.0), (0.3, 0.8, 1.5), (0.45, 0.45, 1.8), (0.6, 0.9, 3.0)]


def wavelets(rng, strength):
    """Three components [m/s²], each of three wavelets of 0.5 to 3 Hz."""
    t = np.arange(SAMPLES) * DT
    components = []
    for share in (1.0, 1.0, 0.4):
        wave = np.zeros(SAMPLES)
        for _ in range(3):
            f, at = rng.uniform(0.5, 3), rng.uniform(0.8, 4)
            length, phase = rng.uniform(0.3, 1), rng.uniform(0, 2 * np.pi)
            envelope = rng.uniform(0.3, 1) * np.exp(-(((t - at) / length) ** 2))
            wave += envelope * np.cos(2 * np.pi * f * (t - at) + phase)
        components.append(strength * share * wave)
    return components


def resampled(components, times, stronger=(0.0, 0.0, 0.0)):
    """The same ground with ``times`` as many samples."""
    parts = np.arange(times) / times
    x, y, z = (
        (1 + more) * np.append((a[:-1, None] * (1 - parts) + a[1:, None] * parts).ravel(), a[-1])
        for a, more in zip(components, stronger, strict=True)
    )
    return rs.Motion(x, DT / times, transverse=y, vertical=z)


def results(body, grounds, times, stronger=(0.0, 0.0, 0.0)):
    """(Peak lean, angle turned about the vertical [rad], way walked [m]) of every run."""
    motions = [resampled(components, times, stronger) for components in grounds]
    runs = rs.ensemble(body, motions, rs.Spatial(), until="motion")
    return np.array([np.ravel(runs[name]) for name in ("peak", "turned", "walked")])


def differences(count, strength, size, seed):
    """(Of every calm run, with samples × 1 and × 2 against × 4; the share of calm runs)."""
    rng, body = np.random.default_rng(seed), rs.Body.box(*size)
    grounds = [wavelets(rng, strength) for _ in range(count)]
    finest = results(body, grounds, 4)
    moved = [np.abs(results(body, grounds, 4, change) - finest).max(axis=0) for change in STRONGER]
    calm = np.max(moved, axis=0) < MOVED
    apart = [np.abs(results(body, grounds, times) - finest).max(axis=0)[calm] for times in (1, 2)]
    return np.array(apart), calm.mean()


@pytest.mark.parametrize("size", BOXES, ids=str)
def test_more_samples_on_the_same_lines_change_nothing(size):
    """An edge left at samples only puts 6 of 121 calm runs of three boxes off, by 0.007."""
    for strength in (3.5, 6.0):
        apart, calm = differences(30, strength, size, seed=42)
        assert apart.max() <= SAME
        assert calm > 0.4


def test_a_corner_that_would_rise_by_a_hair_stays_down():
    """At 3.81 s the upward acceleration of a corner of the edge grows through 0. Left to its first
    three terms the corner would go at once, rise by 10⁻¹⁷ m and fall back: 1.7·10⁻⁵ apart."""
    rng = np.random.default_rng(5002)
    ground = [wavelets(rng, 3.5) for _ in range(163)][-1]
    runs = [results(rs.Body.box(0.6, 0.9, 3.0), [ground], times) for times in (1, 2, 3, 4)]
    assert runs[-1][0, 0] > 0.3
    assert np.abs(np.array(runs) - runs[-1]).max() <= 1e-9


@pytest.mark.slow
def test_2000_random_grounds_sampled_twice_and_four_times_as_often():
    apart, shares = [], []
    for k, size in enumerate(BOXES):
        for strength in (3.5, 6.0):
            found, calm = differences(250, strength, size, seed=1000 + k)
            apart.append(found)
            shares.append(calm)
    apart = np.hstack(apart)
    print(f"{apart.shape[1]} calm runs of 2000; largest differences {apart.max(axis=1)}")
    assert apart.shape[1] > 1300
    assert apart.max() <= SAME

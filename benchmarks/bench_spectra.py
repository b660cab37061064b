"""How fast response spectra are: the batch, and one motion with true extremes.

    make bench

A thousand motions of 4000 samples at a hundred periods must take ten seconds at most on two
processors.
"""

from __future__ import annotations

import numpy as np

from rocksteady.motion import Motion
from rocksteady.motion.spectra import response_spectra, response_spectrum

MOTIONS, SAMPLES, DT = 1000, 4000, 0.01
PERIODS = np.geomspace(0.02, 10.0, 100)


def motions(count: int) -> list[Motion]:
    rng = np.random.default_rng(1)
    return [Motion(rng.standard_normal(SAMPLES), DT) for _ in range(count)]


def test_thousand_motions_at_a_hundred_periods(benchmark):
    many = motions(MOTIONS)
    response_spectra(many[:2], PERIODS)  # compiled or loaded
    found = benchmark.pedantic(response_spectra, (many, PERIODS), rounds=1)
    seconds = benchmark.stats["max"]
    per_step = seconds / (MOTIONS * SAMPLES * PERIODS.size)
    print(f"\n{seconds:.2f} s, {1e9 * per_step:.2f} ns per oscillator and sample")
    assert found.sd.shape == (MOTIONS, PERIODS.size) and (found.sd > 0).all()
    assert seconds <= 10


def test_one_motion(benchmark):
    motion = motions(1)[0]
    benchmark(response_spectrum, motion, PERIODS)
    benchmark.extra_info["ns_per_step"] = round(
        benchmark.stats["min"] / (SAMPLES * PERIODS.size) * 1e9, 2
    )


def test_one_motion_with_true_extremes(benchmark):
    motion = motions(1)[0]
    benchmark(response_spectrum, motion, PERIODS, exact=True)

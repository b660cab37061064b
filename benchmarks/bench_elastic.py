"""How fast the elastic block is: one proof-of-concept run, a step, and against plain NumPy.

    make bench

Ratios are measured in one run, one after the other on the same machine.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.engine.drivers import make_peaks
from rocksteady.theories.dissipation.formulation import NumericalDissipation
from validation.daltri2024.elastic_reference import whole_body

PAPER = 416.0  # s, for the proof of concept in the paper's finite element code
CASES = {  # block, k_n [N/m³], Δt [s]; what a run of 30 s may take [s]
    "proof of concept, 4.2 x 0.6 m": (rs.Block(4.2, 0.6), 5e8, 0.013, 0.1),
    "2.4 x 0.6 m, stiff bed": (rs.Block(2.4, 0.6), 25e8, 0.01, 0.1),
    "12 x 1.2 m": (rs.Block(12.0, 1.2), 25e8, 0.02, 0.15),
    "7.2 x 1.8 m, 19 springs": (rs.Block(7.2, 1.8), 25e8, 0.01, 0.3),
}


@pytest.mark.parametrize("case", CASES)
def test_run(benchmark, case):
    """30 s of free rocking, setting up included."""
    block, k_n, dt, allowed = CASES[case]
    how = NumericalDissipation(k_n=k_n, dt=dt, body="elastic")
    still = np.zeros(round(30 / dt) + 1)
    peaks = make_peaks(how.advance_for(block))

    def run():
        state = how.start(block, block.alpha / 2, 0.0)
        return peaks(state, how.parameters(block), (still, still), dt)

    result = benchmark.pedantic(run, rounds=20, warmup_rounds=1)
    steps, last, seconds = len(still) - 1, result[0], benchmark.stats["min"]
    assert result[2] == pytest.approx(block.alpha / 2)
    benchmark.extra_info.update(
        us_per_step=round(seconds / steps * 1e6, 2),
        iterations_per_step=round(last[14] / steps, 2),
        cuts=last[15],
        ratio_to_paper=round(PAPER / seconds),
    )
    print(
        f"\n{case}: {1e3 * seconds:.1f} ms, {seconds / steps * 1e6:.1f} µs per step, "
        f"{last[14] / steps:.2f} iterations, {last[15]:.0f} cuts"
    )
    assert seconds < allowed


def test_ratio_to_the_rigid_body(benchmark):
    """The proof of concept with either body."""
    block, still = rs.Block(4.2, 0.6), np.zeros(2309)
    seconds = {}
    for body in ("rigid", "elastic"):
        how = NumericalDissipation(dt=0.013, body=body)
        peaks, best = make_peaks(how.advance_for(block)), np.inf
        for _ in range(20):
            state, params = how.start(block, block.alpha / 2, 0.0), how.parameters(block)
            start = time.perf_counter()
            peaks(state, params, (still, still), 0.013)
            best = min(best, time.perf_counter() - start)
        seconds[body] = best
    benchmark.pedantic(lambda: None)
    ratio = seconds["elastic"] / seconds["rigid"]
    benchmark.extra_info.update(ratio_to_rigid=round(ratio, 1))
    print(f"\nelastic {1e3 * seconds['elastic']:.1f} ms, {ratio:.0f} times the rigid body")


def test_ratio_to_numpy(benchmark):
    """0.6 s of the small block, every node's position an unknown, NumPy's dense solver."""
    block = rs.Block(1.2, 0.3)
    how = NumericalDissipation(dt=0.005, body="elastic", E=2e9)
    still = np.zeros(121)
    peaks = make_peaks(how.advance_for(block))

    def run():
        state = how.start(block, block.alpha / 2, 0.0)
        return peaks(state, how.parameters(block), (still, still), 0.005)

    result = benchmark.pedantic(run, rounds=20, warmup_rounds=1)
    start = time.perf_counter()
    theta, _ = whole_body(how, block, still, 0.005, block.alpha / 2)
    ratio = (time.perf_counter() - start) / benchmark.stats["min"]
    assert result[0][0] == pytest.approx(theta[-1], abs=1e-4 * block.alpha)
    benchmark.extra_info.update(ratio_to_numpy=round(ratio))
    print(f"\n{ratio:.0f} times faster than NumPy on all equations")
    assert ratio > 30

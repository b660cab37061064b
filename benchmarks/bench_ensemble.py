"""What an ensemble costs beside its kernels, and what a cluster of two workers gives.

    python -m pytest -s --benchmark-only benchmarks/bench_ensemble.py

Every figure is a ratio of two times measured one after the other in the same run.
"""

from __future__ import annotations

import os
import time

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.ensembles import shake
from rocksteady.ensembles.api import ensemble
from rocksteady.ensembles.store import Store


def blocks(count):
    rng = np.random.default_rng(1)
    p, alpha = rng.uniform(0.8, 4, count), rng.uniform(0.08, 0.35, count)
    return [rs.Block.from_parameters(p=a, alpha=b) for a, b in zip(p, alpha, strict=True)]


def motions(count, samples, dt=0.01):
    """Noise with most of its power below 5 Hz, fading at its end."""
    rng = np.random.default_rng(2)
    out = []
    for _ in range(count):
        knots = rng.standard_normal(samples // 10 + 2)
        noise = np.interp(np.arange(samples), 10 * np.arange(len(knots)), knots)
        noise *= np.minimum(1, np.arange(samples)[::-1] / 100)
        out.append(rs.Motion(5.0 * noise / np.abs(noise).max(), dt))
    return out


class KernelClock:
    """Time spent inside the batch engine."""

    def __init__(self, monkeypatch):
        self.seconds, engine = 0.0, shake._engine

        def timed(study):
            run, options = engine(study)

            def call(*arguments, **more):
                start = time.perf_counter()
                try:
                    return run(*arguments, **more)
                finally:
                    self.seconds += time.perf_counter() - start

            return call, options

        monkeypatch.setattr(shake, "_engine", timed)


@pytest.mark.parametrize("until", ["rest", "motion"])
@pytest.mark.parametrize("stored", [False, True], ids=["in memory", "stored"])
def test_a_million_short_runs(benchmark, monkeypatch, tmp_path, stored, until):
    """At most 10 % outside the kernels: 1000 blocks × 20 motions of 3 s × 50 scales."""
    bodies, shocks = blocks(1000), motions(20, samples=300)
    scales = np.linspace(0.2, 2.0, 50)
    ensemble(bodies[:10], shocks, scales=scales[:2], progress=False)  # compiled
    clock = KernelClock(monkeypatch)
    store = tmp_path / "s" if stored else None

    start = time.perf_counter()
    found = benchmark.pedantic(
        ensemble,
        (bodies, shocks),
        {"scales": scales, "store": store, "until": until, "progress": False},
        rounds=1,
    )
    wall = time.perf_counter() - start
    outside = 1 - clock.seconds / wall
    print(
        f"\n  {found.peak.size:.0e} runs in {wall:.2f} s, {found.peak.size / wall:.3g} runs/s, "
        f"{100 * outside:.1f} % outside the kernels"
    )
    benchmark.extra_info["share_outside_kernels"] = outside
    assert outside < 0.10


def test_two_workers_against_one_process(benchmark, tmp_path):
    """At least 85 % of the speed of two threads in one process, in a run of more than 10 s."""
    distributed = pytest.importorskip("distributed")
    if (os.cpu_count() or 1) < 2:
        pytest.skip("needs two cores")
    bodies, shocks = blocks(1000), motions(60, samples=3000)
    scales = np.linspace(0.2, 2.0, 20)

    def timed(**options):
        start = time.perf_counter()
        ensemble(bodies, shocks, scales=scales, progress=False, **options)
        return time.perf_counter() - start

    ensemble(bodies[:10], shocks, scales=scales[:2], progress=False)  # compiled
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        ensemble(bodies[:10], shocks, scales=scales[:2], executor=client, progress=False)
        alone = timed(store=tmp_path / "alone")
        shared = benchmark.pedantic(
            timed, (), {"executor": client, "store": tmp_path / "shared"}, rounds=1
        )
    print(
        f"\n  one process {alone:.2f} s, two workers {shared:.2f} s: {100 * alone / shared:.0f} %"
    )
    benchmark.extra_info["speed_of_local"] = alone / shared
    assert Store.open(tmp_path / "shared").missing() == []
    assert alone > 10, "too short to tell"
    assert alone / shared >= 0.85


@pytest.mark.parametrize("runs", [1_000, 10_000, 100_000])
def test_linear_in_runs(benchmark, runs):
    """The time per run does not grow with the number of runs."""
    bodies, shocks = blocks(runs // 10), motions(1, samples=3000)
    scales = np.linspace(0.2, 2.0, 10)
    ensemble(bodies[:10], shocks, scales=scales, progress=False)
    start = time.perf_counter()
    benchmark.pedantic(ensemble, (bodies, shocks), {"scales": scales, "progress": False}, rounds=1)
    print(f"\n  {runs} runs: {1e6 * (time.perf_counter() - start) / runs:.2f} µs each")

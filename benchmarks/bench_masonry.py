"""How fast one masonry building is, and a town of them: nanoseconds per step, and against SciPy in
the same run.

    make bench

The ratio is what counts: both are measured one after the other on the same machine.
"""

from __future__ import annotations

import os
import time

import numba
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.engine.batch import batch_peaks
from rocksteady.engine.drivers import make_peaks, make_trace
from rocksteady.engine.ground import Ground, Runs
from rocksteady.motion import Motion
from rocksteady.theories.masonry.formulation import Masonry, slip_limit

SAMPLES, DT = 3001, 0.01
HOUSE = MasonryBuilding.casalotti2025(mass=40e3)


def shaking(pga=2.4):
    """30 s of noise with most of its power below 4 Hz."""
    rng = np.random.default_rng(1)
    knots = rng.standard_normal(SAMPLES // 12 + 2)
    noise = np.interp(np.arange(SAMPLES), 12 * np.arange(len(knots)), knots)
    noise *= np.minimum(1, np.arange(SAMPLES) / 200)
    return noise / np.abs(noise).max() * pga


def town(buildings):
    """Parameters scattered about Table 1, masses from 15 to 60 t."""
    rng = np.random.default_rng(2)
    table = np.tile(np.array(Masonry().parameters(HOUSE)), (buildings, 1))
    table[:, 1:7] *= np.exp(0.1 * rng.standard_normal((buildings, 6)))
    table[:, 0] = rng.uniform(15e3, 60e3, buildings)
    table[:, 8] = 2 * 0.02 * np.sqrt(table[:, 0] * table[:, 1] * table[:, 2])
    return table


def slipping_share(accel, damping=0.0):
    """Share of samples at which the building slips."""
    states = np.empty((SAMPLES, 10))
    params = (*Masonry().parameters(HOUSE)[:8], damping)
    rows, _, _ = make_trace(Masonry().advance_for(HOUSE))(
        (0.0,) * 10, params, (accel, np.zeros(SAMPLES)), DT, 0.0, states
    )
    return float(np.mean(states[:rows, 6] != 0)), rows


@pytest.mark.parametrize("update", ["accurate", "explicit"])
def test_one_building(benchmark, update):
    """At most 100 ns a step, of the peaks driver on one core."""
    how, accel = Masonry(update=update), shaking()
    run = make_peaks(how.advance_for(HOUSE))
    state, params = how.start(HOUSE), how.parameters(HOUSE)
    result = benchmark(run, state, params, (accel, np.zeros(SAMPLES)), DT)
    share, rows = slipping_share(accel)
    ns = benchmark.stats["min"] / (rows - 1) * 1e9
    benchmark.extra_info.update(ns_per_step=round(ns, 1), slipping_share=round(share, 4))
    print(
        f"\n{update}: {ns:.0f} ns a step, {share:.1%} of samples slipping, w = {result[0][4]:.2e}"
    )
    assert rows == SAMPLES
    if update == "accurate":
        assert ns < 100


def test_town(benchmark):
    """100 000 buildings × 3000 steps within 20 s on two cores; here a tenth of it."""
    buildings = int(os.environ.get("ROCKSTEADY_BENCH_BUILDINGS", 10_000))
    accel, params, advance = shaking(1.6), town(buildings), Masonry().advance_for(HOUSE)
    every, states = np.arange(buildings), np.zeros((buildings, 10))
    ground = Ground.of([Motion(accel, DT)])
    runs = Runs(every, np.zeros_like(every), np.ones(buildings))
    few = Runs(*(column[:8] for column in runs[:3]))
    given = (advance, states, params, ground)
    how = {"glide": Masonry().glide_for(HOUSE)}
    batch_peaks(*given, few, **how), batch_peaks(*given, few)
    cpu = time.process_time()
    got = benchmark.pedantic(batch_peaks, (*given, runs), how, rounds=1)
    cpu = time.process_time() - cpu
    some = Runs(*(column[: buildings // 5] for column in runs[:3]))
    plain = time.process_time()
    batch_peaks(*given, some)
    plain = 5 * (time.process_time() - plain)
    seconds = benchmark.stats["min"]
    steps = float(np.sum(got.time) / DT)
    wear, fallen = got.states[:, 4], float(np.mean(got.event >= 5))
    benchmark.extra_info.update(
        ns_per_step=round(seconds / steps * 1e9, 1),
        cpu_ns_per_step=round(cpu / steps * 1e9, 1),
        threads=numba.get_num_threads(),
        slipped=round(float(np.mean(wear > 0)), 3),
        collapsed=round(fallen, 3),
        seconds_for_100_000=round(seconds * 1e5 / buildings, 1),
        ratio_to_one_after_the_other=round(plain / cpu, 2),
    )
    print(f"\n{benchmark.extra_info}")
    assert cpu / steps < 133e-9  # 20 s × 2 cores / 3·10⁸ steps
    assert plain > 1.3 * cpu
    assert (got.states[:, 3] >= 0).all() and np.isfinite(got.states).all()


def test_ratio_to_scipy(benchmark):
    """The same building by solve_ivp (DOP853 with events at every change of regime)."""
    how, accel = Masonry(), shaking()[:1001]
    run = make_peaks(how.advance_for(HOUSE))
    state, params = how.start(HOUSE), how.parameters(HOUSE)
    result = benchmark(run, state, params, (accel, np.zeros(len(accel))), DT)
    begin = time.perf_counter()
    reference = solve(accel)
    seconds = time.perf_counter() - begin
    ratio = seconds / benchmark.stats["min"]
    difference = abs(result[0][3] - reference[3]) / reference[3]
    benchmark.extra_info.update(
        ratio_to_scipy=round(ratio), scipy_seconds=round(seconds, 2), difference_in_alpha=difference
    )
    print(f"\n{ratio:.0f} times faster than SciPy; α differs by {difference:.1e}")
    assert difference < 1e-3 and ratio > 1000


def solve(accel):
    """(u, v, g, α, w) at the end, by DOP853 with rtol 1e-8, stopped at every change of regime."""
    b, time_of = HOUSE, np.arange(len(accel)) * DT

    def rates(t, y, slips):
        u, v, g, alpha, w = y
        q, x = 1 - w, u - g
        pull = -b.contact_area * b.stiffness * q * x / b.mass - np.interp(t, time_of, accel)
        if not slips:
            return [v, pull, 0.0, 0.0, 0.0]
        a, limit = b.hardening_rate, b.hardening_limit
        e = np.exp(-a * alpha / q)
        A_alpha, A_w = a * limit * q * e, limit * ((2 * q + a * alpha) * e - 1)
        W = b.stiffness * x * x / 2 + limit * (alpha + ((3 * q + a * alpha) * q * e - 3) / a)
        D = (max(W, 0.0) / b.wear_energy) ** b.wear_exponent
        grows = q * abs(v) / (1 + q * (A_alpha + A_w * D) / b.stiffness)
        return [v, pull, np.sign(x) * grows / q, grows, D * grows]

    def starts(t, y, slips):
        return abs(y[0] - y[2]) - float(slip_limit(b, y[3], y[4]))

    def ends(t, y, slips):
        return y[1] * np.sign(y[0] - y[2])

    starts.terminal, starts.direction, ends.terminal, ends.direction = True, 1, True, -1
    t, y, slips = 0.0, np.zeros(5), False
    while t < time_of[-1]:
        got = solve_ivp(
            rates, (t, time_of[-1]), y, "DOP853", args=(slips,), events=ends if slips else starts,
            rtol=1e-8, atol=1e-11, max_step=DT,
        )  # fmt: skip
        t, y = got.t[-1], got.y[:, -1]
        slips = not slips
    return y

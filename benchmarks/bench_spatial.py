"""A body in space: how exact its peaks are, how sensitive, and how fast, alone and among many.

    make bench-spatial                                           (a minute or two; a table)
    PYTHONPATH=src python benchmarks/bench_spatial.py --cuda     (the GPU's rate only)
    make bench                                                   (a short form)

Exactness: four sets of 150 motions of 8 s with three components that shake the body hard; within
one set the 95 % hang on a few chaotic runs. The same motions shake a column of the same size on a
round base, which rolls on its rim. The reference is the same body under the same straight
lines between samples, in steps 16 times as short. How chaotic a set is, the peaks under a ground
stronger by 10⁻¹⁰ tell. Times are processor time of all threads, so that other programs on the
machine disturb little; rates of the GPU are on the clock.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.engine.batch import batch_peaks
from rocksteady.engine.cuda import batch as cuda
from rocksteady.engine.ground import Ground, Runs
from rocksteady.theories.contract import OVERTURN

STATUE = rs.Body.box(0.45, 0.45, 1.8)  # lifts at 2.45 m/s²
COLUMN = rs.Body.cylinder(0.45, 1.8)  # as well
HOW = rs.Spatial()
PGA, SAMPLES, DT = 4.5, 1601, 0.005  # m/s², of 8 s
SETS, SET = 4, 150  # of so many motions each
KNOTS = 0.08  # s
FINER = 16
STRONGER = 1e-10
LONG, LONG_DT = 3000, 0.01  # samples and step [s] of the motions of many bodies


# -- what is shaken, and how -----------------------------------------------------------------------


def shaking(seed, pga=PGA, samples=SAMPLES, dt=DT):
    """Three components of noise, straight between knots 0.08 s apart, strongest at 1.5 s; the
    larger of the horizontal ones reaches ``pga`` [m/s²], the vertical one 0.3 of it."""
    t = np.arange(samples) * dt
    knots = np.random.default_rng(seed).standard_normal((3, int(t[-1] / KNOTS) + 2))
    at = KNOTS * np.arange(knots.shape[1])
    x, y, z = (np.interp(t, at, row) * (t * np.exp(1 - t / 1.5)) ** 2 for row in knots)
    level = pga / max(np.abs(x).max(), np.abs(y).max())
    return rs.Motion(level * x, dt, transverse=level * y, vertical=0.3 * pga * z / np.abs(z).max())


@dataclass(frozen=True, kw_only=True)
class Released(rs.Spatial):
    """Let go on a corner at half of its limit."""

    def start(self, body, theta0=0.0, omega0=0.0, direction=0.0):
        return super().start(body, 0.5 * body.limit(25.0), 0.0, 25.0)


class Many:
    """Every body under every motion at every scale."""

    def __init__(self, bodies, motions, scales, how=HOW):
        self.bodies, self.motions, self.scales, self.how = bodies, motions, scales, how
        states = np.array([how.start(body) for body in bodies])
        params = np.array([how.parameters(body) for body in bodies])
        grid = np.meshgrid(np.arange(len(bodies)), np.arange(len(motions)), scales, indexing="ij")
        runs = Runs(*(column.ravel() for column in grid))
        self.tables = states, params, Ground.of(motions, how.components), runs

    def run(self):
        advance, glide = self.how.advance_for(self.bodies[0]), self.how.glide_for(self.bodies[0])
        return batch_peaks(advance, *self.tables, glide=glide)

    def ensemble(self, **options):
        """The same as anyone would call it; the number of runs."""
        found = rs.ensemble(
            self.bodies, self.motions, self.how, scales=self.scales, until="motion",
            progress=False, **options,
        )  # fmt: skip
        return found.peak.size


def heavily_shaken(number=0, scales=(1.0,), finer=1, body=STATUE, how=HOW):
    """The body under the motions of a set, which reach almost twice what lifts it."""
    seeds = range(number * SET, number * SET + SET)
    return Many([body], [shaking(seed).resampled(DT / finer) for seed in seeds], scales, how)


def large_bodies(number):
    """That rock slowly."""
    rng = np.random.default_rng(1)
    sizes = zip(
        rng.uniform(35, 80, number), rng.uniform(3, 6, number), rng.uniform(1, 1.6, number),
        strict=True,
    )  # fmt: skip
    return [rs.Body.box(h / k * f, h / k, h) for h, k, f in sizes]


def hardly_struck(scales=8, bodies=128):
    """Large bodies let go, for so short a time that most come down once at the end of it."""
    motions = [shaking(seed, 1e-3, 240, LONG_DT) for seed in range(4)]
    return Many(large_bodies(bodies), motions, np.linspace(0.3, 1.0, scales), Released())


def mostly_free(scales, bodies=512):
    """Large bodies that rock on their corners under a weak ground, four motions: an impact in
    about 2 % of the samples."""
    made = large_bodies(bodies)
    motions = [shaking(seed, 1.0, LONG, LONG_DT) for seed in range(4)]
    return Many(made, motions, np.linspace(0.3, 1.0, scales), Released())


# -- measuring -------------------------------------------------------------------------------------


def processor_time(work, repeats=3):
    """(what came out, least seconds of all threads), after a call that compiled it."""
    work()
    best = math.inf
    for _ in range(repeats):
        start = time.process_time()
        got = work()
        best = min(best, time.process_time() - start)
    return got, best


def differences(one, other):
    """Of the peaks [-] where both stand."""
    stand = (one.event < OVERTURN) & (other.event < OVERTURN)
    return np.abs(one.highest - other.highest)[stand]


@dataclass(frozen=True)
class Exactness:
    """How far the peaks of a set are from those of finer steps, and how far a hardly stronger
    ground moves them [-]."""

    errors: np.ndarray
    moved: np.ndarray
    fell: tuple[int, int]
    """As usual, and in finer steps."""
    impacts: float


def exactness(number, **what):
    """Of one set; ``what``: the body and the theory, the statue unless given."""
    plain = heavily_shaken(number, **what).run()
    fine = heavily_shaken(number, finer=FINER, **what).run()
    stronger = heavily_shaken(number, (1 + STRONGER,), FINER, **what).run()
    fell = tuple(int(np.sum(one.event >= OVERTURN)) for one in (plain, fine))
    errors, moved = differences(plain, fine), differences(stronger, fine)
    return Exactness(errors, moved, fell, float(plain.impacts.mean()))


def pooled(found):
    """(errors, movements) of several sets together."""
    return tuple(
        np.concatenate([getattr(one, what) for one in found]) for what in ("errors", "moved")
    )


def lane_cost(many):
    """(ns of one core per run and sample, impacts per run, samples per run, share that fell)."""
    got, seconds = processor_time(many.run)
    samples = got.time / many.motions[0].dt
    fell = float(np.mean(got.event >= OVERTURN))
    return seconds / samples.sum() * 1e9, got.impacts.mean(), samples.mean(), fell


def cuda_rate(scales):
    """(runs, million of them a second): the best of three whole calls, after one that compiled."""
    many, best = mostly_free(scales), math.inf
    for _ in range(4):
        start = time.perf_counter()
        runs = many.ensemble(backend="cuda")
        best = min(best, time.perf_counter() - start)
    return runs, runs / best / 1e6


# -- the table -------------------------------------------------------------------------------------


def spread(values):
    return "median {:.1e}, 95 % {:.1e}, largest {:.1e}".format(
        *np.percentile(values, (50, 95, 100))
    )  # fmt: skip


def tell(what, found):
    print(f"{what:44s} {found}", flush=True)


def tell_cuda(scales):
    able, why = cuda.available()
    if not able:
        tell("ensemble on a GPU", f"left out: {why}")
        return
    runs, rate = cuda_rate(scales)
    impacts = mostly_free(1).run().impacts.mean()
    about = f"{runs} runs of {LONG} samples, {impacts:.0f} impacts a run; {why}"
    tell("ensemble on a GPU, whole calls", f"{rate:.3f} million runs/s; {about}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cuda", action="store_true", help="the rate of the GPU only")
    parser.add_argument("--scales", type=int, default=2048, help="on the GPU, 2048 runs each")
    given = parser.parse_args()
    if given.cuda:
        tell_cuda(given.scales)
        return
    found = [exactness(number) for number in range(SETS)]
    for number, one in enumerate(found):
        tell(f"set {number + 1}: peak, steps 16 times as short", spread(one.errors))
        tell("    ground stronger by 1e-10", spread(one.moved))
        fell, finer = one.fell
        about = f"{fell} of {SET} fell, {finer} in finer steps; {one.impacts:.0f} impacts a run"
        tell("    of them", about)
    errors, moved = pooled(found)
    tell("all: peak, steps 16 times as short", spread(errors))
    tell("    ground stronger by 1e-10", spread(moved))
    for rolling in ("restrained", "free"):
        what = {"body": COLUMN, "how": rs.Spatial(rolling=rolling)}
        errors, moved = pooled([exactness(number, **what) for number in range(SETS)])
        name = f"round base, {rolling}, {len(errors)} that stood"
        tell(name, spread(errors))
        tell("    ground stronger by 1e-10", spread(moved))
        cost, _, samples, fell = lane_cost(heavily_shaken(**what))
        tell("    cost", f"{cost:.0f} ns per sample; {samples:.0f} a run, {fell:.0%} fell")
    motion = shaking(0)
    _, seconds = processor_time(lambda: rs.simulate(STATUE, motion, until="motion"), 20)
    tell("rs.simulate, 1600 samples", f"{seconds * 1e3:.3f} ms")
    for name, many in (
        ("many, hardly an impact", hardly_struck()),
        ("many, 2 % of the samples with an impact", mostly_free(2)),
        ("many, heavily shaken", heavily_shaken(scales=np.linspace(0.95, 1.05, 16))),
    ):
        cost, impacts, samples, fell = lane_cost(many)
        about = f"{impacts:.0f} impacts in {samples:.0f} samples a run, {fell:.1%} fell"
        tell(name, f"{cost:.1f} ns per run and sample of one core; {about}")
    tell_cuda(given.scales)


# -- the short form --------------------------------------------------------------------------------


def test_peaks_are_exact(benchmark):
    """Median 1e-8 and 95 % 1e-6, the goals of Housner's batch."""
    found = benchmark.pedantic(lambda: [exactness(n) for n in range(SETS)], rounds=1)
    errors, moved = pooled(found)
    print(f"\n{spread(errors)}; ground stronger: {spread(moved)}")
    assert np.median(errors) <= 1e-8
    assert np.percentile(errors, 95) <= 1e-6


@pytest.mark.parametrize("rolling", ["restrained", "free"])
def test_peaks_on_a_round_base_are_exact(benchmark, rolling):
    """The same goals."""
    what = {"body": COLUMN, "how": rs.Spatial(rolling=rolling)}
    found = benchmark.pedantic(lambda: [exactness(n, **what) for n in range(SETS)], rounds=1)
    errors, moved = pooled(found)
    print(f"\n{spread(errors)}; ground stronger: {spread(moved)}")
    assert np.median(errors) <= 1e-8
    assert np.percentile(errors, 95) <= 1e-6


def test_whole_call(benchmark):
    """rs.simulate with everything around the kernel."""
    motion = shaking(0)
    response = benchmark(rs.simulate, STATUE, motion, until="motion")
    assert response.status is not rs.Status.FAILED


def test_many_side_by_side(benchmark):
    many = mostly_free(2)
    got = benchmark.pedantic(many.run, rounds=3, warmup_rounds=1)
    cost = lane_cost(many)[0]
    benchmark.extra_info["ns_per_step"] = round(float(cost), 1)
    assert 0.01 < got.impacts.mean() / LONG < 0.03


if __name__ == "__main__":
    main()

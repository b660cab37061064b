"""How many runs a second a user gets: whole calls of `rs.ensemble`, nothing left out.

    python benchmarks/bench_whole_call.py                    (all cores, 40 000 runs)
    python benchmarks/bench_whole_call.py --backend cuda     (a GPU, four million runs)
    make bench                                               (a short form)

Blocks of all sizes under stochastic ground motions of 30 s at many strengths, each followed until
it is at rest or has fallen. The first call is that of a new process, with the compiled code in the
disk cache if it was ever run before. On a processor the rate is put beside that of the engine
alone, `batch_peaks`, which neither follows the runs to rest nor keeps anything.
"""

import argparse
import tempfile
import time
from functools import partial

import numpy as np

import rocksteady as rs
from rocksteady.engine import batch
from rocksteady.ensembles.study import Study

SIZES = {"cpu": (200, 10, 20), "cuda": (5000, 40, 20)}
DT, SAMPLES = 0.01, 3000


def earthquake(seed):
    """Filtered noise (2 Hz, 60 % damping) that rises, lasts 10 s and decays; largest value 1."""
    rng, w, z, x, v = np.random.default_rng(seed), 2 * np.pi * 2.0, 0.6, 0.0, 0.0
    a, t = np.empty(SAMPLES), np.arange(SAMPLES) * DT
    for i, kick in enumerate(10 * rng.standard_normal(SAMPLES)):
        v += DT * (kick - 2 * z * w * v - w * w * x)
        x += DT * v
        a[i] = -(2 * z * w * v + w * w * x)
    a *= np.where(t < 4, (t / 4) ** 2, np.where(t < 14, 1.0, np.exp(-0.25 * (t - 14))))
    return rs.Motion(a / np.abs(a).max(), DT, name=f"seed {seed}")


def inputs(blocks, motions, scales):
    """Blocks of 0.5 to 5 m, two and a half to ten times as high as wide, shaken with 0.5 to 8 m/s²:
    a third falls."""
    rng = np.random.default_rng(0)
    sizes = zip(rng.uniform(0.5, 5, blocks), rng.uniform(0.1, 0.4, blocks), strict=True)
    systems = [rs.Block(height=height, width=share * height) for height, share in sizes]
    return systems, [earthquake(seed) for seed in range(motions)], np.linspace(0.5, 8, scales)


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def engine_alone(study):
    """Seconds that the engine takes for the same runs while the ground moves."""
    glide = study.formulation.glide_for(study.systems[0])
    given = study.advance(), *study.tables, study.ground, study.runs
    return seconds(lambda: batch.batch_peaks(*given, glide=glide))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="cpu", choices=SIZES)
    parser.add_argument("--size", nargs=3, type=int, help="blocks, motions, scales")
    given = parser.parse_args()
    systems, motions, scales = inputs(*(given.size or SIZES[given.backend]))
    runs = len(systems) * len(motions) * len(scales)
    options = {"scales": scales, "backend": given.backend, "progress": False}

    def ensemble(**more):
        return rs.ensemble(systems, motions, **options, **more)

    def tell(what, took):
        print(f"{what:28s} {runs / took / 1e6:8.3f} million runs/s, {took:.3f} s", flush=True)

    tell("first call", seconds(ensemble))
    tell("the next, best of five", min(seconds(ensemble) for _ in range(5)))
    for until in ("motion", "outcome"):
        shorter = partial(ensemble, until=until)
        tell(f'until="{until}"', min(seconds(shorter) for _ in range(4)))
    with tempfile.TemporaryDirectory() as folder:
        stores = iter(f"{folder}/{k}" for k in range(3))
        tell("stored", min(seconds(lambda: ensemble(store=next(stores))) for _ in range(3)))
    if given.backend == "cpu":
        study, pairs = Study.of(systems, motions, scales=scales), []
        for _ in range(5):
            pairs.append((engine_alone(study), seconds(ensemble)))
        engine, whole = (min(column) for column in zip(*pairs, strict=True))
        tell("the engine, until the motion ends", engine)
        print(f"rs.ensemble at {engine / whole:.0%} of its rate, side by side")


def test_the_whole_call_keeps_up_with_the_engine():
    """Side by side in one run, best of three each. (On 16 cores: docs/benchmarks.md.)"""
    systems, motions, scales = inputs(60, 5, 10)
    study = Study.of(systems, motions, scales=scales)
    rs.ensemble(systems, motions, scales=scales, progress=False)
    engine_alone(study)
    pairs = [
        (
            engine_alone(study),
            seconds(lambda: rs.ensemble(systems, motions, scales=scales, progress=False)),
        )
        for _ in range(3)
    ]
    engine, whole = (min(column) for column in zip(*pairs, strict=True))
    print(f"rs.ensemble at {engine / whole:.0%} of the engine's rate")
    assert engine > 0.7 * whole


if __name__ == "__main__":
    main()

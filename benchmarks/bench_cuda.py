"""How many runs a second a GPU follows, how that grows, and how far it agrees with the CPU.

    PYTHONPATH=src python benchmarks/bench_cuda.py            (two minutes; a table)
    PYTHONPATH=src python benchmarks/bench_cuda.py --huge     (10⁸ runs in one command)
    make bench                                                (a short form)

Rates are of the loop on the GPU, and of whole calls of `engine.cuda.batch_peaks` with everything
sent and fetched, after one call that compiled the loop. Needs NumPy, Numba and numba-cuda only.
"""

from __future__ import annotations

import sys
import time
import warnings

import numpy as np

from rocksteady.engine import batch
from rocksteady.engine.cuda import batch as cuda
from rocksteady.engine.cuda import compile
from rocksteady.engine.cuda.gpu import the_gpu
from rocksteady.engine.ground import Ground, Runs
from rocksteady.motion import Motion
from rocksteady.theories.dissipation import step as dissipation_step
from rocksteady.theories.housner import motion as housner
from rocksteady.theories.masonry import motion as masonry_motion

SAMPLES, DT, G = 3001, 0.01, 9.81
HOUSNER = {"advance": housner.ADVANCE, "glide": housner.GLIDE}
MASONRY = {"advance": masonry_motion.advance, "glide": masonry_motion.GLIDE}


# -- what is shaken, and how -----------------------------------------------------------------------


def earthquake(samples=SAMPLES, seed=1):
    """Filtered noise (2 Hz, 60 % damping) that rises, lasts 10 s and decays; largest value 1."""
    rng, w, z, x, v = np.random.default_rng(seed), 2 * np.pi * 2.0, 0.6, 0.0, 0.0
    a, t = np.empty(samples), np.arange(samples) * DT
    for i, kick in enumerate(10 * rng.standard_normal(samples)):
        v += DT * (kick - 2 * z * w * v - w * w * x)
        x += DT * v
        a[i] = -(2 * z * w * v + w * w * x)
    a *= np.where(t < 4, (t / 4) ** 2, np.where(t < 14, 1.0, np.exp(-0.25 * (t - 14))))
    return a / np.abs(a).max()


def swell():
    """Two sines: it keeps large blocks rocking without a rest."""
    t = np.arange(SAMPLES) * DT
    a = np.sin(2 * np.pi * 0.8 * t) + 0.3 * np.sin(2 * np.pi * 2.16 * t + 1)
    return np.minimum(1, t / 3) * a / 1.3


def noise():
    """Straight lines between random values 0.12 s apart."""
    knots = np.random.default_rng(1).standard_normal(SAMPLES // 12 + 2)
    a = np.interp(np.arange(SAMPLES), 12 * np.arange(len(knots)), knots)
    return np.minimum(1, np.arange(SAMPLES) / 200) * a / np.abs(a).max()


def blocks(p, alpha):
    """Rows of Housner's parameters for rectangles."""
    side = [alpha, p, 1e4 + 0 * p, 1 - 1.5 * np.sin(alpha) ** 2]
    side += [p * p * np.sin(alpha), p * p * np.cos(alpha) / G]
    return np.stack([G + 0 * p, housner.TOLERANCE * p, *side, *side, 1 / G + 0 * p], axis=1)


def case(states, params, accel, scale, system=None, **how):
    n = len(scale)
    runs = Runs(
        np.arange(n) if system is None else system, np.zeros(n, dtype=np.int64), np.asarray(scale)
    )
    return {"states": states, "params": params, "ground": Ground.of([Motion(accel, DT)])} | {
        "runs": runs,
        **how,
    }


def mixed(n, samples=SAMPLES, seed=0):
    """Small and large, slender and stocky, in random order: a sixth never moves, nearly half fall,
    nearly half come to rest; a hundred impacts on average."""
    rng = np.random.default_rng(seed)
    params = blocks(rng.uniform(0.8, 4, n), rng.uniform(0.08, 0.35, n))
    return case(np.zeros((n, 5)), params, earthquake(samples), rng.uniform(1, 8, n), **HOUSNER)


def rocking(n, strength=(1.4, 1.8)):
    """Large blocks that rock to the end."""
    rng = np.random.default_rng(0)
    p, alpha = rng.uniform(0.8, 1.6, n), rng.uniform(0.15, 0.35, n)
    scale = rng.uniform(*strength, n) * G * np.tan(alpha)
    return case(np.zeros((n, 5)), blocks(p, alpha), swell(), scale, **HOUSNER)


def floating(n):
    """Large blocks let go from half of α, the ground still: they rock with hardly an impact."""
    rng = np.random.default_rng(0)
    p, alpha = rng.uniform(0.3, 0.6, n), rng.uniform(0.15, 0.35, n)
    states = np.zeros((n, 5))
    states[:, 0], states[:, 2] = rng.uniform(0.7, 0.95, n) * alpha, 1.0
    return case(states, blocks(p, alpha), 0.02 * earthquake(), np.ones(n), **HOUSNER)


def masonry(n):
    """A town of the paper's buildings, scattered; half of them slip."""
    from rocksteady.bodies.masonry import MasonryBuilding
    from rocksteady.theories.masonry.formulation import Masonry

    rng = np.random.default_rng(2)
    table = np.tile(Masonry().parameters(MasonryBuilding.casalotti2025(mass=40e3)), (n, 1))
    table[:, 1:7] *= np.exp(0.1 * rng.standard_normal((n, 6)))
    table[:, 0] = rng.uniform(15e3, 60e3, n)
    table[:, 8] = 2 * 0.02 * np.sqrt(table[:, 0] * table[:, 1] * table[:, 2])
    return case(np.zeros((n, 10)), table, noise(), np.full(n, 1.6), **MASONRY)


def dissipation(n):
    """Blocks of 1.5 to 4.5 m, h/b of 4 to 9, on 5 to 12 springs, a step of 0.01 s; half fall."""
    from rocksteady.bodies import Block
    from rocksteady.theories.dissipation.formulation import NumericalDissipation

    rng, how = np.random.default_rng(3), NumericalDissipation(dt=0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        some = [Block(h, h / rng.uniform(4, 9)) for h in rng.uniform(1.5, 4.5, 300)]
        params = [how.parameters(block) for block in some]
    system = rng.integers(0, 300, n)
    scale = G * np.tan([block.alpha for block in some])[system] * rng.uniform(0.9, 1.5, n)
    states = np.array([how.start(block) for block in some])
    return case(states, params, noise(), scale, system, advance=dissipation_step.advance)


def study(given, n):
    """The same bodies again and again, as in a study: each at many strengths, within 2 %."""
    rng, runs = np.random.default_rng(3), given["runs"]
    which = rng.integers(0, len(runs.scale), n)
    scale = runs.scale[which] * rng.uniform(0.98, 1.02, n)
    return given | {"runs": Runs(runs.system[which], runs.motion[which], scale)}


# -- measuring -------------------------------------------------------------------------------------


class Stopwatch:
    """A loop that notes when the GPU begins and ends each of its launches."""

    def __init__(self, loop):
        self.loop, self.marks = loop, []

    def launch(self, gpu, grid, stream, *args):
        begin, end = gpu.event(timing=True), gpu.event(timing=True)
        begin.record(stream)
        self.loop.launch(gpu, grid, stream, *args)
        end.record(stream)
        self.marks.append((begin, end))

    def seconds(self):
        first = self.marks[0][0]
        with the_gpu().current():
            return max(end.seconds_since(first) for _, end in self.marks)


def measured(given, **more):
    """(what came out, seconds of the whole call, of the GPU's loop), the better of two calls after
    one that compiled."""
    given = {**given, **more}
    warm = given | {"runs": Runs(*(column[:4096] for column in given["runs"][:3]))}
    cuda.batch_peaks(**warm)
    best, compiled = (None, np.inf, np.inf), cuda.compiled
    try:
        for _ in range(2):
            watches = []

            def watched(*key, watches=watches):
                watches.append(Stopwatch(compiled(*key)))
                return watches[-1]

            cuda.compiled = watched
            start = time.perf_counter()
            got = cuda.batch_peaks(**given)
            seconds = time.perf_counter() - start
            best = min(best, (got, seconds, watches[0].seconds()), key=lambda one: one[1])
    finally:
        cuda.compiled = compiled
    return best


def rate(name, given, **more):
    """Print a line of the table; runs a second of the whole call."""
    got, seconds, loop = measured(given, **more)
    n = len(got.time)
    print(
        f"{name:32s} {n:8d} runs: {n / loop / 1e6:6.2f} million/s on the GPU, "
        f"{n / seconds / 1e6:6.2f} of the whole call; {np.mean(got.event >= 5):.1%} fell, "
        f"{got.impacts.mean():.0f} impacts, {np.mean(got.time) / DT:.0f} samples",
        flush=True,
    )
    return n / seconds


def agreement(given, n=100_000, **more):
    """Print how far GPU and CPU agree on the first n runs; return (share of standing runs whose
    peaks agree within 1e-12 α, number beyond 1e-9, difference of the overturned shares)."""
    small = given | {"runs": Runs(*(column[:n] for column in given["runs"][:3]))}
    gpu, cpu = cuda.batch_peaks(**small, **more), batch.batch_peaks(**small)
    alpha = small["params"][:, 2][small["runs"].system]
    stand = (gpu.event < 5) & (cpu.event < 5)
    peak = [np.maximum(one.highest, -one.lowest)[stand] / alpha[stand] for one in (gpu, cpu)]
    off = np.abs(peak[0] - peak[1])
    share, beyond = np.mean(off <= 1e-12), int(np.sum(off > 1e-9))
    fell = abs(np.mean(gpu.event >= 5) - np.mean(cpu.event >= 5))
    print(
        f"    against the CPU, {n} runs: peaks within 1e-12 for {share:.2%} of {stand.sum()}, "
        f"beyond 1e-9 {beyond}; percentiles 50, 95, 99: {np.percentile(off, [50, 95, 99])}; "
        f"overturned share differs by {fell:.1e}; impacts differ in "
        f"{np.sum(gpu.impacts[stand] != cpu.impacts[stand])}",
        flush=True,
    )
    return share, beyond, fell


def ceiling():
    """Multiply-adds a second in double precision, measured."""
    toolkit = compile.toolkit()

    @toolkit.jit
    def chains(out, n):
        x = float(toolkit.grid(1))
        a, b, c, d = x + 1e-3, x + 2e-3, x + 3e-3, x + 4e-3
        for _ in range(n):
            a, b, c, d = a * 0.999 + x, b * 0.999 + x, c * 0.999 + x, d * 0.999 + x
            a, b, c, d = a * 0.998 + x, b * 0.998 + x, c * 0.998 + x, d * 0.998 + x
        out[toolkit.grid(1)] = a + b + c + d

    threads = toolkit.get_current_device().MULTIPROCESSOR_COUNT * 2048
    out, n = toolkit.device_array(threads), 50_000
    for _ in range(2):
        start, end = toolkit.event(), toolkit.event()
        start.record()
        chains[threads // 256, 256](out, n)
        end.record()
        end.synchronize()
    return threads * n * 8 / (toolkit.event_elapsed_time(start, end) * 1e-3)


def huge(total=100_000_000, part=1 << 22):
    """10⁸ runs: made, followed and counted part by part, so that memory stays bounded."""
    given, rng, done, fell = mixed(1 << 16), np.random.default_rng(5), 0, 0
    cuda.batch_peaks(**given)
    start = time.perf_counter()
    while done < total:
        n = min(part, total - done)
        runs = Runs(rng.integers(0, 1 << 16, n), np.zeros(n, dtype=np.int64), rng.uniform(1, 8, n))
        fell += int(np.sum(cuda.batch_peaks(**(given | {"runs": runs})).event >= 5))
        done += n
    seconds = time.perf_counter() - start
    print(f"{done:.0e} runs in {seconds:.1f} s, {done / seconds / 1e6:.2f} million/s; {fell} fell")
    try:
        import resource

        print(
            f"largest memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB"
        )
    except ImportError:
        pass


def main(size=1 << 22):
    print(cuda.available()[1])
    print(f"{ceiling():.3e} multiply-adds a second in double precision")
    given = mixed(size)
    rate("mixed, random order", given)
    agreement(given)
    rate("the same without glide", mixed(size // 8), glide=None)
    rate("the same in single precision", given, precision="float32")
    agreement(given, precision="float32")
    order = np.lexsort((given["runs"].scale, given["params"][:, 2], given["params"][:, 3].round(1)))
    rate(
        "similar ones side by side", given | {"runs": Runs(*(c[order] for c in given["runs"][:3]))}
    )
    rate("a study of 65536 mixed ones", study(mixed(1 << 16), size))
    for strength in ((1.4, 1.8), (1.7, 2.0)):
        rate(f"only rocking, {strength} g tan α", rocking(size, strength))
        rate("a study of 65536 of them", study(rocking(1 << 16, strength), size))
    rate("only rocking, hardly an impact", floating(size))
    rate("a study of 65536 of them", study(floating(1 << 16), size))
    rate("the same in single precision", floating(size), precision="float32")
    rate("masonry in single precision", masonry(size // 4), precision="float32")
    rate("masonry", masonry(size // 2))
    rate("numerical dissipation", dissipation(size // 8))
    for n in (size >> 4, size >> 3, size >> 2, size >> 1, size):
        rate(f"{n} runs", mixed(n))
    for samples in (751, 1501, 3001, 6001, 12001):
        rate(f"{samples} samples", floating(size >> 2) | {"ground": _longer(samples)})


def _longer(samples):
    return Ground.of([Motion(0.02 * earthquake(samples), DT)])


# -- the short form --------------------------------------------------------------------------------


def test_rates():
    """Faster with `glide` than without, side by side in one run."""
    import pytest

    able, why = cuda.available()
    if not able:
        pytest.skip(why)
    n = 1 << 20
    with_glide, without = rate("mixed", mixed(n)), rate("without", mixed(n // 8), glide=None)
    assert with_glide > 1.3 * without


if __name__ == "__main__":
    huge() if "--huge" in sys.argv else main()

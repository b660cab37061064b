"""Bodies on soft beds in ensembles: whole calls of `rs.ensemble`, to rest, against one `simulate`
after the other in as many threads, both in one run.

    make bench
    python benchmarks/bench_soft_beds.py
"""

import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

import rocksteady as rs
from rocksteady.ensembles.study import Study
from rocksteady.errors import RocksteadyWarning

BLOCKS = [rs.Block(height=height, width=height / 5.5) for height in (0.8, 1.5, 2.4, 4.2)]
SCALES = np.linspace(0.2, 1.0, 6)
THEORIES = {  # and how many times as fast an ensemble must be
    "springs": (rs.RigidBodySpring(), 3.0),
    "dissipation": (rs.NumericalDissipation(k_n=25e8), 1.2),
    "elastic": (rs.NumericalDissipation(k_n=25e8, body="elastic"), 0.95),
    "complex": (rs.ComplexPotential(), 0.95),
}


def shaking(seed: int) -> rs.Motion:
    """30 s of tones that fade out; the strongest overturn most of the blocks."""
    rng, t = np.random.default_rng(seed), 0.01 * np.arange(3001)
    tones = np.linspace(0.5, 5, 12)[:, None]
    a = np.sin(2 * np.pi * tones * t + rng.uniform(0, 2 * np.pi, (12, 1))).sum(axis=0)
    a *= np.minimum(1, t / 3) * np.minimum(1, (30 - t) / 10)
    return rs.Motion(3 * a / np.abs(a).max(), 0.01)


def both(name: str, repeats: int = 3) -> tuple[float, float, int]:
    """Shortest times [s] of the ensemble and of the runs by `simulate`, and how many they are."""
    warnings.simplefilter("ignore", RocksteadyWarning)  # what the law was fitted for
    how = THEORIES[name][0]
    blocks = BLOCKS[-1:] if name == "elastic" else BLOCKS
    given = blocks, [shaking(seed) for seed in range(4)], how
    study = Study.of(*given, scales=SCALES)

    def alone(number: int) -> float:
        return rs.simulate(*study.run(number), how).peak

    def ensemble() -> np.ndarray:
        return rs.ensemble(*given, scales=SCALES, progress=False).peak.values.ravel()

    def one_by_one() -> np.ndarray:
        with ThreadPoolExecutor(numba.get_num_threads()) as pool:
            return np.array(list(pool.map(alone, range(len(study)))))

    np.testing.assert_array_equal(ensemble(), one_by_one())  # and both are compiled now
    pairs = [[seconds(ensemble), seconds(one_by_one)] for _ in range(repeats)]
    fast, slow = np.min(pairs, axis=0)
    return fast, slow, len(study)


def seconds(call) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def told(name: str, fast: float, slow: float, runs: int) -> str:
    return (
        f"{name}: {1e3 * fast / runs:.2f} ms a run of 30 s in an ensemble, "
        f"{1e3 * slow / runs:.2f} by simulate: {slow / fast:.1f} times"
    )


@pytest.mark.parametrize("name", THEORIES)
def test_an_ensemble_against_simulate(benchmark, name, capsys):
    fast, slow, runs = benchmark.pedantic(both, (name,), rounds=1)
    benchmark.extra_info.update(ms_per_run=1e3 * fast / runs, ratio=slow / fast)
    with capsys.disabled():
        print("\n" + told(name, fast, slow, runs))
    assert slow > THEORIES[name][1] * fast


if __name__ == "__main__":
    for each in sys.argv[1:] or THEORIES:
        print(told(each, *both(each)), flush=True)

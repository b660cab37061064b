"""How fast stochastic motions are made, as a user makes them.

    make bench

The goal is a thousand motions with a thousand sets of parameters in five seconds on two processors
(on 18 November 2026 they took 7.3 to 7.9 s of processor time on a Zen 4); the first motion of all,
compiled, must not keep anybody waiting.
"""

from __future__ import annotations

import os
import subprocess
import sys
import warnings

from rocksteady.errors import RocksteadyWarning
from rocksteady.motion.generate import stochastic

MOTIONS, SEED = 1000, 1
TYPICAL = stochastic.Parameters(0.5, 12.0, 8.0, 5.0, -0.1, 0.25)

FIRST = """
import time
from rocksteady.motion.generate import stochastic
import rocksteady.motion.generate.rezaeian.calibration
begin = time.process_time()
stochastic.ensemble(2, 1, threads=1)
print(time.process_time() - begin)
"""


def test_thousand_motions_of_a_thousand_parameters(benchmark):
    stochastic.ensemble(8, SEED)  # compiled or loaded
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocksteadyWarning)
        motions = benchmark.pedantic(stochastic.ensemble, (MOTIONS, SEED), rounds=1)
    seconds = benchmark.stats["max"]
    samples = sum(motion.npts for motion in motions)
    print(f"\n{seconds:.2f} s, {1e3 * seconds / MOTIONS:.2f} ms each, {samples} samples in all")
    assert len(motions) == MOTIONS


def test_thousand_motions_of_the_same_parameters(benchmark):
    stochastic.ensemble(8, SEED, TYPICAL)
    motions = benchmark.pedantic(stochastic.ensemble, (MOTIONS, SEED, TYPICAL), rounds=1)
    assert len(motions) == MOTIONS
    assert benchmark.stats["max"] <= 5


def test_one_motion(benchmark):
    benchmark(stochastic.rezaeian, 1, TYPICAL)


def test_first_motions_are_compiled_soon(tmp_path):
    """Processor time in a process that finds nothing compiled; importing Numba apart."""
    nothing = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", FIRST], env=nothing, capture_output=True, text=True, check=True
    )
    print(f"\n{float(done.stdout):.1f} s to compile")
    assert float(done.stdout) <= 6

"""How fast the batch is in code for other processors than the one here, as far as it can run it.

    PYTHONPATH=src python benchmarks/bench_processors.py      (a minute or two; a table)
    make bench

Each processor has a worker of its own, told by NUMBA_CPU_NAME what to compile for. The workers take
turns, so that other programs on the machine disturb all alike; the least CPU time of a core per
followed step counts. This says what the *code* is worth, with vectors of 512 or 256 bits, on the
processor here, not how fast the other processor is.
"""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
import time
from typing import NamedTuple

import pytest
from llvmlite import binding as llvm

RUNS = int(os.environ.get("ROCKSTEADY_BENCH_RUNS", 10_000))
ROUNDS = 7
AVX2 = ("avx2", "fma")
AVX512 = (*AVX2, "avx512f", "avx512dq", "avx512bw", "avx512vl")
NEEDS = {
    "znver4": AVX512,
    "emeraldrapids": AVX512,
    "skylake-avx512": AVX512,
    "haswell": AVX2,
    "znver2": AVX2,
}
HERE = "the one here"
AT_MOST = {"emeraldrapids": 1.4, "skylake-avx512": 1.4, "haswell": 2.6, "znver2": 2.6}  # × znver4


class Cost(NamedTuple):
    ns: float  # per step
    digest: str  # of all that came out


def candidates() -> list[str]:
    """The processors whose code can run here."""
    features = llvm.get_host_cpu_features()
    x86 = platform.machine() in ("x86_64", "AMD64")
    able = [cpu for cpu, needs in NEEDS.items() if x86 and all(features.get(n) for n in needs)]
    return [HERE, *able]


def compare(case: str = "mixed", runs: int = RUNS, rounds: int = ROUNDS) -> dict[str, Cost]:
    """Nanoseconds per step in the code for each processor, measured in turns."""
    workers = {cpu: _start(cpu, case, runs) for cpu in candidates()}
    digests = {cpu: _answer(worker) for cpu, worker in workers.items()}
    costs: dict[str, list[float]] = {cpu: [] for cpu in workers}
    for _ in range(rounds):
        for cpu, worker in workers.items():
            print(file=worker.stdin, flush=True)
            costs[cpu].append(float(_answer(worker)))
    for worker in workers.values():
        worker.communicate()
    return {cpu: Cost(min(costs[cpu]), digests[cpu]) for cpu in workers}


def _start(cpu: str, case: str, runs: int) -> subprocess.Popen[str]:
    told = {} if cpu == HERE else {"NUMBA_CPU_NAME": cpu, "NUMBA_CPU_FEATURES": ""}
    return subprocess.Popen(
        [sys.executable, __file__, "--worker", case, str(runs)],
        env={**os.environ, **told},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _answer(worker: subprocess.Popen[str]) -> str:
    assert worker.stdout is not None
    line = worker.stdout.readline().strip()
    assert line, "a worker has died"
    return line


def work(case: str, runs: int) -> None:
    """Compile, say what came out, and measure once for each line that is read."""
    import bench_cuda  # beside this file

    from rocksteady.engine.batch import batch_peaks

    given = getattr(bench_cuda, case)(runs)
    got = batch_peaks(**given, threads=1)
    steps = got.time.sum() / bench_cuda.DT
    print(hashlib.sha256(b"".join(c.tobytes() for c in got)).hexdigest()[:16], flush=True)
    for _ in sys.stdin:
        start = time.process_time()
        batch_peaks(**given, threads=1)
        print((time.process_time() - start) / steps * 1e9, flush=True)


def main() -> None:
    print(f"{llvm.get_host_cpu_name()}, LLVM {'.'.join(map(str, llvm.llvm_version_info))}")
    for case, runs in (("mixed", RUNS), ("masonry", RUNS // 5)):
        costs = compare(case, runs)
        least = costs.get("znver4", costs[HERE]).ns
        print(f"\n{case}: code for              ns per step     ratio  result")
        for cpu, (ns, digest) in costs.items():
            print(f"{cpu:24s}{ns:16.1f}{ns / least:10.2f}  {digest}")


def test_code_for_other_processors_is_nearly_as_fast(benchmark):
    """All of it is vector code: at most 1.4 times the time of that for Zen 4 with the same
    registers, 2.6 times with half of them; and the bits are the same."""
    able = candidates()
    if "znver4" not in able:
        pytest.skip("needs a processor with AVX-512")
    costs = benchmark.pedantic(compare, rounds=1)
    ratios = {cpu: cost.ns / costs["znver4"].ns for cpu, cost in costs.items()}
    benchmark.extra_info.update({cpu: round(ratio, 2) for cpu, ratio in ratios.items()})
    print(f"\n{benchmark.extra_info}")
    assert len({cost.digest for cost in costs.values()}) == 1
    for cpu, most in AT_MOST.items():
        assert ratios[cpu] <= most, (cpu, ratios)


if __name__ == "__main__":
    if "--worker" in sys.argv:
        work(sys.argv[2], int(sys.argv[3]))
    else:
        main()

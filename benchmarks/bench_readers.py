"""How fast records are read: 1000 AT2 files of 8000 samples against NumPy's and Python's own ways.

    make bench

The ratios are what counts: all are measured one after the other on the same machine. `loadtxt`
needs rows of one length (8000 samples in rows of five are; most records are not) and skips what
`read_motion` does besides: find out the format, read the header, check NPTS and every number.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from rocksteady.motion import Motion, read_motion
from rocksteady.motion.catalogue import read_folder

FILES, SAMPLES, DT = 1000, 8000, 0.005


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of smooth noise; 20 different ones, 50 copies of each."""
    rng = np.random.default_rng(5)
    path = tmp_path_factory.mktemp("at2")
    window = np.hanning(25)
    for i in range(20):
        values = np.convolve(rng.standard_normal(SAMPLES), window, "same") * 0.05
        rows = (values[k : k + 5] for k in range(0, SAMPLES, 5))
        text = "\n".join("".join(f"{v:15.7E}" for v in row) for row in rows)
        header = (
            "PEER NGA STRONG MOTION DATABASE RECORD\nNowhere, 1/2/1999, Hand Made, 90\n"
            f"ACCELERATION TIME SERIES IN UNITS OF G\nNPTS= {SAMPLES}, DT= {DT} SEC\n"
        )
        for copy in range(FILES // 20):
            (path / f"{i:02}_{copy:02}.AT2").write_text(header + text + "\n")
    return path


def with_a_python_loop(path: Path) -> list[float]:
    with path.open() as file:
        return [float(word) for line in file.readlines()[4:] for word in line.split()]


def seconds_per_file(
    ways: dict[str, Callable[[list[Path]], object]],
    files: list[Path],
    clock: Callable[[], float],
) -> dict[str, float]:
    """The best of many short rounds, in each of which every way has its turn with the same files:
    on a machine that does other things too, some of them are undisturbed."""
    best = dict.fromkeys(ways, np.inf)
    for _ in range(30):
        for name, way in ways.items():
            start = clock()
            way(files)
            best[name] = min(best[name], (clock() - start) / len(files))
    return best


def each(read: Callable[[Path], object]) -> Callable[[list[Path]], object]:
    return lambda files: [read(file) for file in files]


def test_ratio_to_other_ways(benchmark, folder: Path) -> None:
    files = sorted(folder.iterdir())
    first = read_motion(files[0])  # compiles the parser where that was not done yet
    assert isinstance(first, Motion)
    np.testing.assert_array_equal(first.accel, np.loadtxt(files[0], skiprows=4).ravel() * 9.80665)
    with ThreadPoolExecutor(2) as executor:
        motions = benchmark.pedantic(lambda: list(executor.map(read_motion, files)), rounds=3)
        assert len(motions) == FILES and all(len(m) == SAMPLES for m in motions)
        del motions
        ways = {
            "read_motion": each(read_motion),
            "loadtxt": each(lambda file: np.loadtxt(file, skiprows=4)),
            "python loop": each(with_a_python_loop),
            "genfromtxt": each(lambda file: np.genfromtxt(file, skip_header=4)),
        }
        some = files[::100]
        cpu = seconds_per_file(ways, some, time.process_time)  # whatever else the machine does
        ways["read_motion"] = lambda files: list(executor.map(read_motion, files))
        wall = seconds_per_file(ways, some, time.perf_counter)
    for what, seconds in (("one thread, CPU time", cpu), ("two threads, wall clock", wall)):
        ours = seconds.pop("read_motion")
        ratios = {way: round(value / ours, 1) for way, value in seconds.items()}
        benchmark.extra_info[what] = ratios
        print(f"\n{what}: {ours * 1e3:.3f} ms a file; times faster than {ratios}")
        if seconds is cpu:
            assert ratios["genfromtxt"] > 25 and ratios["loadtxt"] > 8  # no step back


@pytest.mark.parametrize("measures", [False, True], ids=["peaks", "all measures"])
def test_folder(benchmark, folder: Path, tmp_path: Path, measures: bool) -> None:
    """The table of a folder; with all measures it is they that take the time."""
    files = sorted(folder.iterdir())[: 20 if measures else FILES]
    for file in files:
        (tmp_path / file.name).symlink_to(file)
    table = benchmark.pedantic(lambda: read_folder(tmp_path, measures=measures), rounds=2)
    assert len(table) == len(files) and not table["problem"].any()
    ours = benchmark.stats["min"] / len(files)
    start = time.perf_counter()
    for file in files[:50]:
        np.loadtxt(file, skiprows=4)
    theirs = (time.perf_counter() - start) / len(files[:50])
    benchmark.extra_info |= {
        "ms_per_file": round(ours * 1e3, 3),
        "loadtxt": round(theirs / ours, 1),
    }
    print(f"\nfolder: {ours * 1e3:.3f} ms a file; times faster than loadtxt: {theirs / ours:.1f}")

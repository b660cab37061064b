"""How fast records are read: 1000 AT2 files of 8000 samples against NumPy's and Python's own ways.

    make bench

The ratios are what counts: all ways take turns with the same few files, and of several turns the
best counts, so that what else the machine does disturbs neither. `loadtxt` needs rows of one length
(8000 samples in rows of five are; most records are not) and skips what `read_motion` does besides:
find out the format, read the header, check NPTS and every number. All is done in one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rocksteady.motion import Motion, read_motion
from rocksteady.motion.catalogue import read_folder

FILES, SAMPLES, DT = 1000, 8000, 0.005
TURN = 10  # files; a turn takes a millisecond, which is often undisturbed
ROUNDS = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of smooth noise, no two of them equal, in folders of one turn each."""
    rng = np.random.default_rng(5)
    path = tmp_path_factory.mktemp("at2")
    window = np.hanning(25)
    layout = ("%15.7E" * 5 + "\n") * (SAMPLES // 5)
    for i in range(FILES):
        values = np.convolve(rng.standard_normal(SAMPLES), window, "same") * 0.05
        header = (
            "PEER NGA STRONG MOTION DATABASE RECORD\n"
            f"Nowhere-{i:02}, 1/2/1999, Place {i}, {i % 360}\n"
            f"ACCELERATION TIME SERIES IN UNITS OF G\nNPTS= {SAMPLES}, DT= {DT} SEC\n"
        )
        file = path / f"{i // TURN:03}" / f"RSN{i:04}.AT2"
        file.parent.mkdir(exist_ok=True)
        file.write_text(header + layout % tuple(values))
    return path


def with_a_python_loop(path: Path) -> list[float]:
    with path.open() as file:
        return [float(word) for line in file.readlines()[4:] for word in line.split()]


def with_loadtxt(path: Path) -> object:
    return np.loadtxt(path, skiprows=4)


def thrown_away(read: Callable[[Path], object]) -> Callable[[list[Path]], None]:
    def each(files: list[Path]) -> None:
        for file in files:
            read(file)

    return each


def kept(read: Callable[[Path], object], memory: list[object]) -> Callable[[list[Path]], None]:
    return lambda files: memory.extend([read(file) for file in files])


def seconds_per_file(
    ways: dict[str, tuple[Callable[[list[Path]], object], int]],
    turns: list[list[Path]],
    memory: list[object],
) -> dict[str, float]:
    """The mean over all turns of the best round; each way reads so many files of a turn.

    Between two readings of a file lie all others: it is in the system's memory, but in no cache.
    """
    best = {name: np.full(len(turns), np.inf) for name in ways}
    for _ in range(ROUNDS):
        for name, (way, count) in ways.items():
            memory.clear()
            for i, files in enumerate(turns):
                start = time.perf_counter()
                way(files[:count])
                best[name][i] = min(best[name][i], (time.perf_counter() - start) / count)
    memory.clear()
    return {name: float(seconds.mean()) for name, seconds in best.items()}


def test_ratio_to_other_ways(benchmark, folder: Path) -> None:
    files = sorted(folder.rglob("*.AT2"))
    first = read_motion(files[0])  # compiles the parser where that was not done yet
    assert isinstance(first, Motion)
    np.testing.assert_array_equal(first.accel, np.loadtxt(files[0], skiprows=4).ravel() * 9.80665)
    motions = benchmark.pedantic(lambda: [read_motion(file) for file in files], rounds=3)
    assert len(motions) == FILES and all(len(m) == SAMPLES for m in motions)
    del motions
    memory: list[object] = []
    seconds = seconds_per_file(
        {
            "read_motion": (thrown_away(read_motion), TURN),
            "read_motion, all kept": (kept(read_motion, memory), TURN),
            "loadtxt": (thrown_away(with_loadtxt), 1),
            "loadtxt, all kept": (kept(with_loadtxt, memory), 1),
            "python loop": (thrown_away(with_a_python_loop), 1),
            "genfromtxt": (thrown_away(lambda file: np.genfromtxt(file, skip_header=4)), 1),
        },
        [files[i : i + TURN] for i in range(0, FILES, TURN)],
        memory,
    )
    for ours in list(seconds)[:2]:
        others = {
            way: round(seconds[way] / seconds[ours], 1)
            for way in list(seconds)[2:]
            if ("kept" in way) <= ("kept" in ours)
        }
        benchmark.extra_info[ours] = {"ms_per_file": round(seconds[ours] * 1e3, 4), **others}
        print(f"\n{ours}: {seconds[ours] * 1e3:.4f} ms a file; times faster than {others}")
    assert seconds["loadtxt"] / seconds["read_motion"] > 20


@pytest.mark.parametrize("measures", [False, True], ids=["peaks", "all measures"])
def test_folder(benchmark, folder: Path, measures: bool) -> None:
    """The table of a folder; with all measures it is they that take the time."""
    path = folder / "000" if measures else folder
    some = sorted(folder.rglob("*.AT2"))[::50]
    theirs = np.full(len(some), np.inf)

    def each_with_loadtxt() -> None:  # between the rounds, which it is no part of
        for i, file in enumerate(some):
            start = time.perf_counter()
            with_loadtxt(file)
            theirs[i] = min(theirs[i], time.perf_counter() - start)

    table = benchmark.pedantic(
        lambda: read_folder(path, measures=measures),
        setup=each_with_loadtxt,
        rounds=3 if measures else 20,
    )
    assert len(table) == (TURN if measures else FILES) and not table["problem"].any()
    ours = benchmark.stats["min"] / len(table)
    ratio = round(theirs.mean() / ours, 1)
    benchmark.extra_info |= {"ms_per_file": round(ours * 1e3, 3), "loadtxt": ratio}
    print(f"\nfolder: {ours * 1e3:.3f} ms a file; times faster than loadtxt: {ratio}")

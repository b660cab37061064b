"""Assemblies of stones: how long a column, a frame, a wall, a collapse load and an ensemble take,
beside the goals.

    make bench-assemblies           (some minutes; a table)
    make bench                      (a short form)

Times are processor time of all threads, the least of three calls, so that other programs on the
machine disturb little; those of ensembles are on the clock. Every call is a whole one, as a user
makes it, after the first, which compiles.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np

ROOT = Path(__file__).parents[1]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from benchmarks.peers.assemblies import problems  # noqa: E402
from benchmarks.peers.assemblies.runs import compared  # noqa: E402
from benchmarks.peers.cases import times  # noqa: E402

import rocksteady as rs  # noqa: E402
from rocksteady.analysis.limit_analysis import limit_load  # noqa: E402
from rocksteady.bodies import Assembly  # noqa: E402
from rocksteady.bodies.assembly.joints import joints  # noqa: E402

DT = 0.005  # s, of the motions
RUNS = 64  # of the ensemble
LONG = 3.0  # s; what takes longer is called once


class Row(NamedTuple):
    """One line of the table."""

    what: str
    seconds: float
    goal: float | None
    found: str


# -- single runs -----------------------------------------------------------------------------------


def shaken_column() -> Row:
    """Ten drums that rock all through 10 s of noise."""
    column = Assembly.drums(10, height=6.0, width=1.0, friction=0.7)
    motion = sampled(problems.noise(0.25 * problems.G, 0.5, 4.0), 10.0)
    return simulated("10 drums, 10 s of noise, 0.25 g", column, motion, 0.2)


def rocking_frame() -> Row:
    frame = problems.frame()
    motion = sampled(frame.accel_at, frame.duration)
    row = simulated("frame, 6 s", frame.assembly, motion, 0.02)
    how = rs.BlockDynamics()
    states = rs.simulate(frame.assembly, motion, how, until="motion").states
    _, error = compared(how.poses(frame.assembly, states)[:, 1:], frame)
    return row._replace(found=f"error {error:.1e} α; {row.found}")


def shaken_wall(peak: float, goal: float) -> Row:
    """105 bricks under noise of so many g."""
    motion = sampled(problems.noise(peak * problems.G), 10.0)
    wall = problems.wall().assembly
    return simulated(f"wall of 105, 10 s of noise, {peak:g} g", wall, motion, goal)


def sampled(accel_at: Callable[[Any], Any], duration: float) -> rs.Motion:
    return rs.Motion(accel_at(times(round(duration / DT) + 1, DT)), DT)


def simulated(what: str, assembly: Assembly, motion: rs.Motion, goal: float) -> Row:
    rs.simulate(assembly, motion, until=10 * motion.dt)  # the first call compiles, or loads
    response, seconds = timed(lambda: rs.simulate(assembly, motion, until="motion"))
    column = {name: float(response.column(name)[-1]) for name in ("residual", "unconverged")}
    moved = float(np.max(response.column("displacement")))
    bad = f"{column['unconverged']:.0f} of {response.column('solves')[-1]:.0f} solves unconverged"
    found = f"moved {moved:.1e} m; worst residual {column['residual']:.1e} g h, {bad}"
    return Row(what, seconds, goal, found)


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """What it gives, and the least processor time of up to three calls [s]."""
    took: list[float] = []
    while len(took) < 3 and (not took or took[-1] < LONG):
        begin = time.process_time()
        given = call()
        took.append(time.process_time() - begin)
    return given, min(took)


# -- geometry and collapse loads ------------------------------------------------------------------


def found_joints() -> Row:
    """Where the stones of a wall touch."""
    stones = Assembly.wall(32, 31, *problems.BRICK).stones
    wall, seconds = timed(lambda: Assembly(stones))
    touching, seconds_more = timed(lambda: joints(wall))
    about = f"{len(touching)} joints, after {seconds:.2g} s of checks"
    return Row(f"joints of {len(stones)} stones", seconds_more, 0.1, about)


def collapse_load(rows: int, columns: int, goal: float) -> Row:
    """A wall pushed sideways, by linear programming."""
    wall = Assembly.wall(rows, columns, *problems.BRICK, friction=0.65)
    found, seconds = timed(lambda: limit_load(wall))
    loose = sum(not stone.fixed for stone in wall.stones)
    return Row(f"collapse load, {loose} stones", seconds, goal, f"λ = {found.multiplier:.6f}")


# -- ensembles -------------------------------------------------------------------------------------


def ensembles(cores: int) -> list[Row]:
    """Many motions on one core and on all of them, on the clock."""
    column = Assembly.drums(10, height=6.0, width=1.0, friction=0.7)
    motion = sampled(problems.noise(0.25 * problems.G, 0.5, 4.0), 10.0)
    scales = np.linspace(0.8, 1.2, RUNS).tolist()
    rows: list[Row] = []
    for threads in sorted({1, cores}):
        numba.set_num_threads(threads)
        many = lambda: rs.ensemble(column, motion, scales=scales, until="motion", progress=False)  # noqa: E731
        many()
        begin = time.perf_counter()
        many()
        seconds = time.perf_counter() - begin
        about = f"{1e3 * seconds / RUNS:.1f} ms a run"
        if rows:
            about += f", {rows[0].seconds / seconds:.2f} times as fast as one core"
        rows.append(Row(f"{RUNS} runs of 10 drums, cores: {threads}", seconds, None, about))
    return rows


# -- the table -------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="without the wall at 1 g")
    quick = parser.parse_args().quick
    tell("what", "time [s]", "goal [s]", "found")
    jobs: list[Callable[[], Row]] = [
        shaken_column,
        rocking_frame,
        lambda: shaken_wall(0.3, 2.0),
        found_joints,
        lambda: collapse_load(10, 10, 0.1),
        lambda: collapse_load(32, 31, 5.0),
    ]
    if not quick:
        jobs.insert(3, lambda: shaken_wall(1.0, 30.0))
    for job in jobs:
        show(job())
    for row in ensembles(numba.config.NUMBA_NUM_THREADS):
        show(row)


def show(row: Row) -> None:
    goal = "–" if row.goal is None else f"{row.goal:g}"
    tell(row.what, f"{row.seconds:.3g}", goal, row.found)


def tell(what: str, seconds: str, goal: str, found: str) -> None:
    print(f"{what:34} {seconds:>9} {goal:>9}  {found}", flush=True)


# -- the short form --------------------------------------------------------------------------------


def test_frame(benchmark):
    row = benchmark.pedantic(rocking_frame, rounds=1)
    print(f"\n{row}")
    assert row.seconds < 10 * row.goal  # a busy machine, but not another order


def test_collapse_load(benchmark):
    row = benchmark.pedantic(lambda: collapse_load(10, 10, 0.1), rounds=1)
    assert row.found == "λ = 0.538378"


if __name__ == "__main__":
    main()

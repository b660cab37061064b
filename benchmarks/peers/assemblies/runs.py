"""One peer at one setting through one problem: error and time."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Protocol

import numpy as np
from benchmarks.peers.assemblies.problems import COLUMN, PROBLEMS, Problem
from benchmarks.peers.cases import Array
from benchmarks.peers.history import Setting

ROOT = Path(__file__).parents[3]
FILES = ("ours", "lmgc90", "mujoco_", "pymunk_", "box2d_")
LIMIT = 480.0  # s, on the clock, for one peer at one setting and one problem
REPEATS, LONG = 3, 3.0  # times; but what takes longer than so many seconds runs once

Run = Callable[[], Array]
"""A problem, ready to go; gives x, y [m] and rotation [rad, counter-clockwise] of each loose stone
at each time noted. Building the model is not timed, running it is."""


class Peer(Protocol):
    """What each peer's file has."""

    __name__: str
    NAME: str
    PACKAGE: str
    SETTINGS: tuple[Setting, ...]

    def prepare(self, setting: Setting, problem: Problem) -> Run: ...


@dataclass(frozen=True)
class Outcome:
    """A row of the table: for each problem an error, or why there is none."""

    name: str
    version: str
    setting: Setting
    found: dict[str, Error | str]


@dataclass(frozen=True)
class Error:
    """One run against the exact answer."""

    seconds: float
    """Processor time of all threads, the least of three runs."""
    drift: float
    """Largest way of any stone from its place [m]."""
    turn: float | None
    """Largest error of the rotation of the first stone over α, where it should turn."""
    shortened: float | None = None
    """How much of the motion was run [s], if not all of it."""


def compared(poses: Array, problem: Problem) -> tuple[float, float | None]:
    """Drift [m], and the error of the rotation."""
    drift = float(np.linalg.norm((poses - problem.starts)[..., :2], axis=-1).max())
    if problem.exact is None:
        return drift, None
    n = round(problem.compared / problem.every) + 1
    wrong = poses[:n, 0, 2] - problem.exact()[:n]
    return drift, float(np.abs(wrong).max() / COLUMN.alpha)


def measured(peer: Peer, setting: Setting, problem: Problem) -> Error:
    took: list[float] = []
    short = setting.options.get(f"seconds of {problem.name}")
    if short is not None:
        problem = replace(problem, duration=float(short))
    while len(took) < REPEATS and (not took or took[-1] < LONG):
        run = peer.prepare(setting, problem)
        begin = time.process_time()
        poses = run()
        took.append(time.process_time() - begin)
    return Error(min(took), *compared(poses, problem), short)


# -- in a process of its own -------------------------------------------------------------------


def measure(peer: Peer, version: str, number: int) -> Outcome:
    """One peer at its setting of this number through all problems."""
    setting, file = peer.SETTINGS[number], peer.__name__.rpartition(".")[2]
    asked = [name for name in PROBLEMS if name != setting.options.get("not")]
    return Outcome(peer.NAME, version, setting, {name: apart(file, number, name) for name in asked})


def apart(file: str, setting: int, problem: str, limit: float = LIMIT) -> Error | str:
    """One problem in another process, or why there is no answer."""
    words = [sys.executable, "-m", "benchmarks.peers.assemblies.runs", file, str(setting), problem]
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=limit, check=False, cwd=ROOT
        )
    except subprocess.TimeoutExpired:
        return f"> {limit:g} s"
    if done.returncode:
        return "stopped: " + (done.stderr.strip().splitlines() or ["no reason given"])[-1]
    return Error(**json.loads(done.stdout.strip().splitlines()[-1]))


def main() -> None:
    file, setting, problem = sys.argv[1:]
    peer = import_module(f"benchmarks.peers.assemblies.{file}")
    print(json.dumps(asdict(measured(peer, peer.SETTINGS[int(setting)], PROBLEMS[problem]()))))


if __name__ == "__main__":
    main()

"""rocksteady: Housner's block, each step as long as its Taylor series can be trusted; and a body in
space.

Once as anyone calls it, with the whole history; once as one of many runs in a single call, of which
only the summaries are kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from benchmarks.peers.cases import Case
from benchmarks.peers.history import History, Run, Setting
from benchmarks.peers.space import Flight, Pose

import rocksteady as rs
from rocksteady.ensembles.api import ensemble

NAME, PACKAGE = "rocksteady", "rocksteady"

RUNS = 10_000
SETTINGS = (
    Setting("default", "rs.simulate, Housner: nothing to set", {}),
    Setting("ensemble", f"rs.ensemble, {RUNS} runs in one call on all cores", {}, RUNS),
)


def prepare(setting: Setting, case: Case) -> Run:
    return _single(case) if setting.runs == 1 else _many(case, setting.runs)


def _single(case: Case) -> Run:
    def run() -> History:
        response = rs.simulate(case.block, case.motion, theta0=case.theta0, duration=case.duration)
        if not case.theta0:
            peak = np.array([abs(response.peak_angle)])
            return History(response.time, response.theta, turns=peak)
        turns = response.decay().peak * case.block.alpha
        return History(response.time, response.theta, response.impacts.time, turns)

    return run


def _many(case: Case, runs: int) -> Run:
    scales = np.ones(runs).tolist()

    def run() -> History:
        found = ensemble(case.block, case.motion, scales=scales, until="motion", progress=False)
        turn = found.peak.values.ravel()[:1] * case.block.alpha
        fallen = np.isfinite(found.time_of_overturning.values.flat[0])
        ends = np.array([0.0, np.pi / 2 if fallen else 0.0])
        return History(np.array([0.0, case.duration]), ends, turns=turn)

    return run


# -- in space ----------------------------------------------------------------------------------

SAMPLE = 0.01  # s, at most


@dataclass(frozen=True, kw_only=True)
class Started(rs.Spatial):
    """The theory with a start of its own."""

    state: tuple[float, ...] = ()

    def start(
        self, body: rs.Body, theta0: float = 0.0, omega0: float = 0.0, direction: float = 0.0
    ) -> tuple[float, ...]:
        return self.state


def prepare_body(setting: Setting, flight: Flight) -> Callable[[], Pose]:
    R, body = flight.start.R, flight.body
    tilt, direction = math.acos(R[2, 2]), math.degrees(math.atan2(R[1, 2], R[0, 2]))
    spin = tuple((R.T @ flight.start.spin).tolist())
    how = Started(state=rs.Spatial().leaning(body, tilt, direction, spin=spin))
    still = rs.Motion.zeros(flight.duration, flight.duration / flight.steps(SAMPLE))

    def run() -> Pose:
        response = rs.simulate(body, still, how, until=flight.duration)
        up, ahead, spin = (
            np.array([response.column(f"{name}_{axis}")[-1] for axis in "xyz"])
            for name in ("up", "ahead", "spin")
        )
        centre = np.array([response.column(axis)[-1] for axis in "xyz"])
        pivot = np.array([*(response.column(f"pivot_{axis}")[-1] for axis in "xy"), 0.0])
        R = np.array([ahead, np.cross(up, ahead), up])
        return Pose(response.time[-1], R, centre, np.cross(R @ spin, centre - pivot), R @ spin)

    return run

"""rocksteady: Housner's block, each step as long as its Taylor series can be trusted.

Once as anyone calls it, with the whole history; once as one of many runs in a single call, of which
only the summaries are kept.
"""

from __future__ import annotations

import numpy as np
from benchmarks.peers.cases import Case
from benchmarks.peers.history import History, Run, Setting

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

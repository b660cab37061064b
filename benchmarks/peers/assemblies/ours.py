"""rocksteady: `rs.BlockDynamics`, as anyone calls it, with the whole history."""

from __future__ import annotations

import numpy as np
from benchmarks.peers.assemblies.problems import Problem
from benchmarks.peers.assemblies.runs import Run
from benchmarks.peers.cases import times
from benchmarks.peers.history import Setting

import rocksteady as rs

NAME, PACKAGE = "rocksteady", "rocksteady"

SETTINGS = (
    Setting("default, 5 ms", "rs.simulate: nothing to set; motion sampled at 5 ms", {"dt": 5e-3}),
    Setting("default, 1 ms", "rs.simulate: nothing to set; motion sampled at 1 ms", {"dt": 1e-3}),
    Setting(
        "stepped, 1 ms",
        'rs.BlockDynamics(rule="stepped"), the rule of LMGC90; motion sampled at 1 ms',
        {"dt": 1e-3, "rule": "stepped"},
    ),
)


def prepare(setting: Setting, problem: Problem) -> Run:
    dt, rule = float(setting.options["dt"]), str(setting.options.get("rule", "auto"))
    how, assembly = rs.BlockDynamics(rule=rule), problem.assembly
    motion = rs.Motion(problem.accel_at(times(problem.steps(dt) + 1, dt)), dt)
    rs.simulate(assembly, motion, how, until=10 * dt)  # the first call compiles, or loads
    every = problem.between_notes(dt)
    loose = [not stone.fixed for stone in assembly.stones]

    def run() -> np.ndarray:
        response = rs.simulate(assembly, motion, how, until="motion")
        return np.asarray(how.poses(assembly, response.states)[::every, loose])

    return run

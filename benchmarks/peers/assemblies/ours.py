"""rocksteady: `rs.BlockDynamics`, as anyone calls it, with the whole history."""

from __future__ import annotations

import numpy as np
from benchmarks.peers.assemblies.problems import Problem
from benchmarks.peers.assemblies.runs import Run
from benchmarks.peers.history import Setting

import rocksteady as rs

NAME, PACKAGE = "rocksteady", "rocksteady"

SETTINGS = (
    Setting("default", "rs.simulate: nothing to set; a step per sample, 5 ms", {}),
    Setting(
        "stepped, 1 ms",
        'rs.BlockDynamics(rule="stepped", step=1e-3): the rule of LMGC90',
        {"rule": "stepped", "step": 1e-3},
    ),
)


def prepare(setting: Setting, problem: Problem) -> Run:
    how = rs.BlockDynamics(**setting.options)
    assembly, motion = problem.assembly, problem.motion
    rs.simulate(assembly, motion, how, until=10 * motion.dt)  # the first call compiles, or loads
    every = problem.between_notes(motion.dt)
    loose = [not stone.fixed for stone in assembly.stones]

    def run() -> np.ndarray:
        response = rs.simulate(assembly, motion, how, until="motion")
        return np.asarray(how.poses(assembly, response.states)[::every, loose])

    return run

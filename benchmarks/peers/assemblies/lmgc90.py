"""LMGC90 by compas_lmgc90: convex polyhedra in space, Moreau–Jean with non-smooth contact.

The ground's acceleration acts as a force on every stone. It always computes in three dimensions,
keeps one model per process, and its gravity is 9.81 m/s².
"""

from __future__ import annotations

import math

import numpy as np
from benchmarks.peers.assemblies.problems import Problem, size
from benchmarks.peers.assemblies.runs import Run
from benchmarks.peers.cases import times
from benchmarks.peers.history import Setting

NAME, PACKAGE = "LMGC90", "compas_lmgc90"
SHORT = 1.0  # s of the wall's 10, which would take it more than six minutes

SETTINGS = (
    Setting("usual, 1 ms", "step 1 ms, θ 0.5, IQS_CLB", {"step": 1e-3, "seconds of wall": SHORT}),
    Setting("tuned, 0.1 ms", "step 0.1 ms, θ 0.5, IQS_CLB", {"step": 1e-4, "not": "wall"}),
)
FACES = [[3, 2, 1, 0], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


def prepare(setting: Setting, problem: Problem) -> Run:
    from compas_lmgc90.solver import Solver

    step, assembly = float(setting.options["step"]), problem.assembly
    solver = Solver(dt=step, theta=0.5)
    time = times(problem.steps(step) + 1, step)
    accel = problem.accel_at(time)
    for i, stone in enumerate(assembly.stones):
        (width, height), (x, z) = size(stone), stone.centre
        low, high = (x - width / 2, -0.5, z - height / 2), (x + width / 2, 0.5, z + height / 2)
        corners = [
            [(low, high)[right][0], (low, high)[back][1], (low, high)[top][2]]
            for top in (0, 1)
            for right, back in ((0, 0), (1, 0), (1, 1), (0, 1))
        ]
        block = {"vertices": corners, "faces": FACES}
        solver.geometry_from_v_f([block], density=stone.mass / (width * height))
        if stone.fixed:
            for component in ("Vx", "Vy", "Vz", "Rx", "Ry", "Rz"):
                solver.apply_velocity(i, component, 0.0)
        elif accel.any():
            solver.apply_force(i, "Fx", np.array([time, -stone.mass * accel]))
    solver.contact_law("IQS_CLB", assembly.friction)
    solver.preprocess()
    loose = [i for i, stone in enumerate(assembly.stones) if not stone.fixed]
    steps, every = problem.steps(step), problem.between_notes(step)

    def run() -> np.ndarray:
        notes = [problem.starts]
        for k in range(1, steps + 1):
            found = solver.lmgc90.compute_one_step()
            if not k % every:
                notes.append(np.array([_pose(found, i) for i in loose]))
        return np.array(notes)

    begun = solver.lmgc90.get_initial_state()
    frames = [np.array(frame).reshape(3, 3) for frame in begun.init_body_frames]

    def _pose(found, i: int) -> tuple[float, float, float]:
        turn = np.array(found.body_frames[i]).reshape(3, 3).T @ frames[i]
        x, _, z = found.bodies[i]
        return x, z, math.atan2(turn[2, 0], turn[0, 0])

    return run

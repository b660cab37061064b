"""pymunk (Chipmunk): polygons in two dimensions.

The ground's acceleration tilts gravity. Lengths are handed over in centimetres: its defaults, such
as an allowed overlap of 0.1, are meant for pixels.
"""

from __future__ import annotations

import math

import numpy as np
from benchmarks.peers.assemblies.problems import Problem, size
from benchmarks.peers.assemblies.runs import Run
from benchmarks.peers.history import Setting

NAME, PACKAGE = "pymunk", "pymunk"
UNIT = 100.0  # of its lengths in a metre

SETTINGS = (
    Setting("default, 1 ms", "step 1 ms, 10 iterations, overlap 0.1 cm", {"step": 1e-3}),
    *(
        Setting(
            f"tuned, {step * 1e3:g} ms",
            f"step {step * 1e3:g} ms, 50 iterations, overlap 1e-3 cm",
            {"step": step, "iterations": 50, "overlap": 1e-3},
        )
        for step in (1e-3, 1e-4)
    ),
)


def prepare(setting: Setting, problem: Problem) -> Run:
    import pymunk

    step, assembly = float(setting.options["step"]), problem.assembly
    space = pymunk.Space()
    space.iterations = int(setting.options.get("iterations", space.iterations))
    space.collision_slop = float(setting.options.get("overlap", space.collision_slop))
    bodies, rough = [], math.sqrt(assembly.friction)  # Chipmunk multiplies the two
    for stone in assembly.stones:
        sides = tuple(UNIT * length for length in size(stone))
        body = space.static_body
        if not stone.fixed:
            body = pymunk.Body(stone.mass, UNIT**2 * stone.inertia)
            body.position = tuple(UNIT * x for x in stone.centre)
            bodies.append(body)
            space.add(body)
        at = tuple(UNIT * x for x in stone.centre) if stone.fixed else (0.0, 0.0)
        b, h = sides[0] / 2, sides[1] / 2
        corners = [(at[0] + i * b, at[1] + j * h) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        shape = pymunk.Poly(body, corners)
        shape.friction = rough
        space.add(shape)
    accel, every = problem.midpoints(step).tolist(), problem.between_notes(step)

    def run() -> np.ndarray:
        notes = [problem.starts]
        for i, a in enumerate(accel, 1):
            space.gravity = -UNIT * a, -UNIT * assembly.g
            space.step(step)
            if not i % every:
                notes.append(
                    np.array([(body.position[0] / UNIT, body.position[1] / UNIT, body.angle)
                              for body in bodies])
                )  # fmt: skip
        return np.array(notes)

    return run

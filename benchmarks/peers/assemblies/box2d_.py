"""Box2D: polygons in two dimensions.

The ground's acceleration tilts gravity. Every polygon has a skin of 0.01 lengths, and may sink into
another's by half of that: the tuned settings hand over boxes that are smaller by the skin, and
lengths in centimetres. Bodies are not put to sleep: what sleeps does not feel the ground.
"""

from __future__ import annotations

import numpy as np
from benchmarks.peers.assemblies.problems import Problem, size
from benchmarks.peers.assemblies.runs import Run
from benchmarks.peers.history import Setting

NAME, PACKAGE = "Box2D", "Box2D"

SETTINGS = (
    Setting("usual, 1 ms", "step 1 ms, 8 + 3 iterations", {"step": 1e-3}),
    *(
        Setting(
            f"tuned, {step * 1e3:g} ms",
            f"step {step * 1e3:g} ms, 50 + 20 iterations, lengths in cm, boxes smaller by the skin",
            {"step": step, "unit": 100.0, "velocities": 50, "positions": 20},
        )
        for step in (1e-3, 1e-4)
    ),
)


def prepare(setting: Setting, problem: Problem) -> Run:
    import Box2D

    step, assembly = float(setting.options["step"]), problem.assembly
    rounds = [int(setting.options.get(key, n)) for key, n in (("velocities", 8), ("positions", 3))]
    unit = float(setting.options.get("unit", 1.0))
    skin = Box2D.b2_polygonRadius if "unit" in setting.options else 0.0
    world = Box2D.b2World(gravity=(0, -unit * assembly.g), doSleep=False)
    bodies = []
    for stone in assembly.stones:
        width, height = (unit * length for length in size(stone))
        shape = Box2D.b2PolygonShape(box=(width / 2 - skin, height / 2 - skin))
        centre = [unit * x for x in stone.centre]
        kind = world.CreateStaticBody if stone.fixed else world.CreateDynamicBody
        fixture = Box2D.b2FixtureDef(
            shape=shape, density=stone.mass / (width * height), friction=assembly.friction
        )
        body = kind(position=centre, fixtures=fixture, allowSleep=False)
        if not stone.fixed:
            body.massData = Box2D.b2MassData(
                mass=stone.mass, center=(0, 0), I=unit**2 * stone.inertia
            )
            bodies.append(body)
    accel, every = problem.midpoints(step).tolist(), problem.between_notes(step)

    def run() -> np.ndarray:
        notes = [problem.starts]
        for i, a in enumerate(accel, 1):
            world.gravity = -unit * a, -unit * assembly.g
            world.Step(step, *rounds)
            if not i % every:
                notes.append(np.array([(*(body.position / unit), body.angle) for body in bodies]))
        return np.array(notes)

    return run

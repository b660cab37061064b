"""pymunk (Chipmunk): a box on a thick segment, in two dimensions.

The ground's acceleration tilts gravity. Lengths are handed over in centimetres: its defaults, such
as an allowed overlap of 0.1, are meant for pixels.
"""

from __future__ import annotations

import numpy as np
from benchmarks.peers.cases import FRICTION, Case, times
from benchmarks.peers.history import History, Run, Setting

NAME, PACKAGE = "pymunk", "pymunk"
UNIT = 100.0  # of its lengths in a metre

SETTINGS = (
    Setting("default", "step 1/60 s, 10 iterations, overlap 0.1 cm", {"step": 1 / 60}),
    *(
        Setting(
            f"tuned, {step * 1e3:g} ms",
            f"step {step * 1e3:g} ms, 100 iterations, overlap 1e-4 cm",
            {"step": step, "iterations": 100, "overlap": 1e-4},
        )
        for step in (1e-3, 1e-4)
    ),
)


def prepare(setting: Setting, case: Case) -> Run:
    import pymunk

    block, step = case.block, float(setting.options["step"])
    space = pymunk.Space()
    space.iterations = int(setting.options.get("iterations", space.iterations))
    space.collision_slop = float(setting.options.get("overlap", space.collision_slop))
    ground = pymunk.Segment(space.static_body, (-2000, -100), (2000, -100), 100)
    size = UNIT * block.width, UNIT * block.height
    body = pymunk.Body(block.mass, pymunk.moment_for_box(block.mass, size))
    box = pymunk.Poly.create_box(body, size)
    ground.friction = 1.0
    box.friction = FRICTION  # Chipmunk multiplies the two
    space.add(body, box, ground)
    body.position = tuple(UNIT * number for number in case.pose)
    body.angle = -case.theta0
    accel = case.midpoints(step)

    def run() -> History:
        theta = np.empty(len(accel) + 1)
        theta[0] = case.theta0
        for i, a in enumerate(accel.tolist()):
            space.gravity = -UNIT * a, -UNIT * block.g
            space.step(step)
            theta[i + 1] = -body.angle
        return History(times(len(theta), step), theta)

    return run

"""PyBullet: a box on a large flat box, in three dimensions, deep enough to stay in its plane.

The ground's acceleration tilts gravity. Bullet damps all velocities by default (4 % per second);
the tuned runs do not.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from benchmarks.peers.cases import FRICTION, Case, times
from benchmarks.peers.history import History, Run, Setting

NAME, PACKAGE = "PyBullet", "pybullet"

SETTINGS = (
    Setting("default", "240 Hz, 50 iterations, restitution 0, damping 0.04", {"rate": 240.0}),
    *(
        Setting(
            f"tuned, {1e3 / rate:g} ms",
            f"{rate:g} Hz, 200 iterations, restitution 0, no damping, ERP 0.05, no slop",
            {"rate": rate, "tuned": True},
        )
        for rate in (1e3, 1e4)
    ),
)


def prepare(setting: Setting, case: Case) -> Run:
    import pybullet

    block, step = case.block, 1 / float(setting.options["rate"])
    size = [block.width / 2, block.thickness / 2, block.height / 2]
    accel = case.midpoints(step)
    x, z = case.pose
    pose = [x, 0, z], pybullet.getQuaternionFromEuler([0, case.theta0, 0])
    world = _world(pybullet, block.mass, size, pose)
    if setting.options.get("tuned"):
        _tune(pybullet, world)
    pybullet.setPhysicsEngineParameter(fixedTimeStep=step, physicsClientId=world)

    def run() -> History:
        pybullet.resetBasePositionAndOrientation(1, *pose, physicsClientId=world)
        pybullet.resetBaseVelocity(1, [0, 0, 0], [0, 0, 0], physicsClientId=world)
        theta = np.empty(len(accel) + 1)
        theta[0] = case.theta0
        for i, a in enumerate(accel.tolist()):
            pybullet.setGravity(-a, 0, -block.g, physicsClientId=world)
            pybullet.stepSimulation(physicsClientId=world)
            _, (_, qy, _, qw) = pybullet.getBasePositionAndOrientation(1, physicsClientId=world)
            theta[i + 1] = 2 * math.atan2(qy, qw)
        pybullet.disconnect(world)
        return History(times(len(theta), step), theta)

    return run


def _world(pybullet: Any, mass: float, size: list[float], pose: Any) -> int:
    """Body 0 is the ground, body 1 the block."""
    world: int = pybullet.connect(pybullet.DIRECT)
    box = {"shapeType": pybullet.GEOM_BOX, "physicsClientId": world}
    ground = pybullet.createCollisionShape(halfExtents=[20, 20, 1], **box)
    shape = pybullet.createCollisionShape(halfExtents=size, **box)
    pybullet.createMultiBody(0, ground, basePosition=[0, 0, -1], physicsClientId=world)
    pybullet.createMultiBody(mass, shape, -1, *pose, physicsClientId=world)
    for body in (0, 1):
        pybullet.changeDynamics(
            body, -1, lateralFriction=math.sqrt(FRICTION), restitution=0, physicsClientId=world
        )  # Bullet multiplies the two bodies' friction
    return world


def _tune(pybullet: Any, world: int) -> None:
    pybullet.setPhysicsEngineParameter(
        numSolverIterations=200,
        erp=0.05,
        contactERP=0.05,
        contactSlop=0.0,
        restitutionVelocityThreshold=0.0,
        physicsClientId=world,
    )
    pybullet.changeDynamics(1, -1, linearDamping=0, angularDamping=0, physicsClientId=world)
